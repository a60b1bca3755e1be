"""What a link means from where it stands."""

import pytest

from memtui.vault.links import LinkResolver

RECORDS = [
    ("note", "work/Plan", "work/Plan.md", ("Plan",), "Plan"),
    ("note", "home/Plan", "home/Plan.md", ("Plan",), "Plan"),
    ("note", "work/a", "work/a.md", ("a",), "a"),
    ("note", "work/deep/b", "work/deep/b.md", (), "b"),
    ("note", "top", "top.md", (), None),
    ("knowledge", "decisions/db", "knowledge/decisions/db.md", ("db-choice", "Database"), "Which database"),
    ("knowledge", "Ö", "knowledge/O\u0308.md", (), None),
    ("feature", "search", "features/search.md", (), None),
    ("task", "search", "tasks/search.md", (), None),
    ("engram", "rem-1234567890", None, ("office",), None),
    ("memory", "known-issues", "memory.md", (), "Known Issues"),
    ("changelog", "2026-08-17-a", "CHANGELOG.json", (), "Search"),
]


@pytest.fixture(scope="module")
def links():
    return LinkResolver(RECORDS)


def names(found):
    return [f"{kind}:{name}" for kind, name in found]


@pytest.mark.parametrize(
    ("target", "origin", "expected"),
    [
        ("Plan", "work/a.md", ["note:work/Plan"]),
        ("Plan", "home/x.md", ["note:home/Plan"]),
        ("Plan", "top.md", ["note:home/Plan", "note:work/Plan"]),
        ("plan", "top.md", ["note:home/Plan", "note:work/Plan"]),
        ("home/Plan", "work/a.md", ["note:home/Plan"]),
        ("../home/Plan.md", "work/a.md", ["note:home/Plan"]),
        ("./a.md", "work/Plan.md", ["note:work/a"]),
        ("../nothing.md", "work/a.md", []),
        ("../../../elsewhere/secret", "work/a.md", []),
        ("/knowledge/decisions/db.md", "home/x.md", ["knowledge:decisions/db"]),
        ("deep/b", "work/a.md", ["note:work/deep/b"]),
        ("deep/b", "home/x.md", ["note:work/deep/b"]),
        ("b.md", "home/x.md", ["note:work/deep/b"]),
        ("decisions/db", "top.md", ["knowledge:decisions/db"]),
        ("knowledge/decisions/db", "top.md", ["knowledge:decisions/db"]),
        ("db-choice", "top.md", ["knowledge:decisions/db"]),
        ("database", "top.md", ["knowledge:decisions/db"]),
        ("Which database", "top.md", ["knowledge:decisions/db"]),
        ("db", "top.md", ["knowledge:decisions/db"]),
        ("search", "top.md", ["feature:search", "task:search"]),
        ("task/search", "top.md", ["task:search"]),
        ("search", "tasks/x.md", ["task:search"]),
        ("knowledge/Ö", "top.md", ["knowledge:Ö"]),
        ("o\u0308", "top.md", ["knowledge:Ö"]),
        ("office", None, ["engram:rem-1234567890"]),
        ("Known Issues", None, ["memory:known-issues"]),
        ("memory", "top.md", ["memory:known-issues"]),
        ("2026-08-17-a", None, ["changelog:2026-08-17-a"]),
        ("nowhere", "top.md", []),
        ("", "top.md", []),
        ("..", "work/a.md", []),
    ],
)
def test_what_a_target_means(links, target, origin, expected):
    assert names(links.resolve(target, origin)) == expected


def test_exact_spelling_comes_before_another_case():
    links = LinkResolver([("note", "Case", "Case.md", (), None), ("note", "case", "case.md", (), None)])
    assert names(links.resolve("case")) == ["note:case"]
    assert names(links.resolve("CASE")) == ["note:Case", "note:case"]


def test_the_order_of_records_does_not_matter():
    backwards = LinkResolver(reversed(RECORDS))
    assert names(backwards.resolve("Plan", "top.md")) == ["note:home/Plan", "note:work/Plan"]
