"""Documents and the memory file: fields, dates, names and text as records."""

import os
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.model.instants import DAY, from_datetime
from memtui.model.problems import Problem
from memtui.vault.layout import DEFAULT_LAYOUT
from memtui.vault.reading import load, read_file
from memtui.vault.scanning import FoundFile, scan

ISTANBUL = timezone(timedelta(hours=3))


def found(path, absolute="/nowhere"):
    kind, name = DEFAULT_LAYOUT.place(path)
    return FoundFile(path, absolute, 0, 0, kind, name)


def read(path, text, zone=timezone.utc):
    return read_file(found(path), text.encode() if isinstance(text, str) else text, zone)


def document(text, path="knowledge/decisions/db.md", zone=timezone.utc):
    result = read(path, text, zone)
    (record,) = result.records
    return record, result.problems


def day(year, month, day, zone=timezone.utc):
    return from_datetime(datetime(year, month, day, tzinfo=zone))


def test_a_document_with_all_its_fields():
    record, problems = document(
        "---\ntitle: Which  database\nname: db-decision\nslug: db\nid: 42\naliases: [DB, the store]\n"
        "description: >-\n  why\n  DuckDB\ntags: [storage, '#sql', 1.10]\nstatus: accepted\npriority: 1\npinned: yes\n"
        "created: 2026-01-02\ndate: '2026-01-01'\nupdated: 2026-03-04T05:06:07Z\ntype: decision\nowner: deniz\n"
        "review: {by: 2027-01-01}\n---\n\n# Ignored heading\n\nSee [[other]] and [x](../y.md).\n"
    )
    content = record.content
    assert (record.kind, record.name) == ("knowledge", "decisions/db")
    assert content.title == "Which database"
    assert content.summary == "why DuckDB"
    assert content.aliases == ("db-decision", "db", "42", "DB", "the store")
    assert content.tags == ("storage", "sql", "1.10")
    assert (content.status, content.priority, content.pinned, content.doc_type) == ("accepted", "1", True, "decision")
    assert record.reference == day(2026, 1, 1)
    assert content.dated == day(2026, 3, 4) + (5 * 3600 + 6 * 60 + 7) * 1_000_000
    assert content.valid_from is None
    assert content.extra == {"owner": "deniz", "review": {"by": "2027-01-01"}}
    assert content.links == ("other", "../y.md")
    assert (content.path, content.line) == ("knowledge/decisions/db.md", 21)
    assert content.body == "\n# Ignored heading\n\nSee [[other]] and [x](../y.md).\n"
    assert problems == ()


def test_a_bare_text_has_a_title_a_name_and_no_date():
    record, problems = document("# From the heading\nwords\n", path="notes/day.md")
    assert (record.kind, record.name, record.content.title) == ("note", "notes/day", "From the heading")
    assert record.content.aliases == ("day",)
    assert (record.reference, record.content.dated, problems) == (None, None, ())
    assert document("words", path="notes/day.md")[0].content.title == "notes/day"
    assert document("## Only lower\n", path="top.md")[0].content.aliases == ()


def test_dates_are_taken_in_the_readers_zone():
    record, _ = document("---\ncreated: 2026-01-02\n---\n", zone=ISTANBUL)
    assert record.reference == day(2026, 1, 2) - 3 * DAY // 24
    assert record.content.dated == record.reference


@pytest.mark.parametrize("value", ["2024-13-01", "last week", "'2023-02-29'", "[2024]", "{y: 2024}", "true"])
def test_an_unreadable_date_is_unknown_and_never_now(value):
    record, (problem,) = document(f"---\ntitle: x\ncreated: {value}\n---\nwords\n")
    assert (record.reference, record.content.dated) == (None, None)
    assert (problem.path, problem.line, problem.field) == ("knowledge/decisions/db.md", 3, "created")
    assert problem.value
    assert "created" in record.content.extra


def test_of_several_dates_the_readable_ones_count():
    record, problems = document("---\ncreated: soon\ndate: 2025-01-01\nupdated: never\n---\n")
    assert record.reference == record.content.dated == day(2025, 1, 1)
    assert [p.field for p in problems] == ["updated", "created"]


def test_absent_blank_and_null_fields_are_no_problem():
    record, problems = document("---\ntype: null\ntitle:\ntags: []\naliases: ''\ncreated: ''\npinned:\n---\nwords\n")
    assert problems == ()
    assert record.content.title == "decisions/db"
    assert record.content.extra == {}


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("tags: {a: 1}", "tags", '{"a": 1}'),
        ("tags: [ok, {a: 1}]", "tags[1]", '{"a": 1}'),
        ("pinned: maybe", "pinned", "maybe"),
        ("pinned: 7", "pinned", "7"),
        ("title: [a]", "title", '["a"]'),
        ("status: {x: y}", "status", '{"x": "y"}'),
        ("aliases: {x: y}", "aliases", '{"x": "y"}'),
    ],
)
def test_a_field_of_the_wrong_type_is_a_problem_and_stays_in_extra(line, field, value):
    record, (problem,) = document(f"---\n{line}\n---\nwords\n")
    assert (problem.line, problem.field, problem.value) == (2, field, value)
    assert list(record.content.extra) == [line.split(":")[0]]
    assert record.content.body == "words\n"


def test_tags_as_comma_text():
    assert document("---\ntags: a, b c , '#d', a\n---\n")[0].content.tags == ("a", "b c", "'#d'")
    assert document("---\ntags: one\n---\n")[0].content.tags == ("one",)
    assert document("---\ntags: ['#', '# two ', '#two']\n---\n")[0].content.tags == ("two",)


def test_a_broken_block_is_a_problem_and_its_words_are_in_the_text():
    record, (problem,) = document("---\ntitle: KB: Something\n---\n\ncolonword\n")
    assert problem.line == 2
    assert "Something" in record.content.body
    assert "colonword" in record.content.body
    assert record.content.line == 1


def test_only_the_words_of_a_drawing_with_their_line():
    text = "---\ntags: [x]\n---\n# Excalidraw Data\n\n## Text Elements\nA box ^RDM7Vf77\n\n%%\n# Drawing\n{}\n"
    record, _ = document(text, path="knowledge/map.excalidraw.md")
    assert (record.name, record.content.body, record.content.line) == ("map.excalidraw", "A box\n\n", 7)
    assert record.content.title == "map.excalidraw"


def test_an_encoding_that_was_guessed_is_a_problem_of_the_file():
    record, (problem,) = document("---\ntitle: Kahve\n---\nçay şişesi\n".encode("cp1254"))
    assert record.content.body == "çay şişesi\n"
    assert (problem.line, problem.path) == (4, "knowledge/decisions/db.md")


@pytest.mark.parametrize("path", ["note.md", "memory.md", "engrams/a.md", "CHANGELOG.json", "x.excalidraw.md"])
def test_a_picture_called_a_document_is_no_record_and_keeps_what_was_there(path):
    result = read(path, b"\x89PNG\r\n\x1a\n\0\0")
    assert (result.records, result.refused) == ((), True)
    (problem,) = result.problems
    assert "binary" in problem.reason


MEMORY = """---
name: memory
created: 2020-01-01
---
# Memory

What stands first.

## Active Memory
one [[link]]
### Deeper
two
```
## no section
```
# Part two
still one
## Active memory!
again

## Şık Başlık
"""


def test_one_record_for_each_section_of_the_memory_file():
    records = {r.name: r for r in read("memory.md", MEMORY).records}
    assert {r.kind for r in records.values()} == {"memory"}
    names = list(records)
    assert names[:3] == ["preamble", "active-memory", "active-memory-2"]
    assert len(names) == 4
    assert [(r.content.title, r.content.line) for r in records.values()] == [
        ("Memory", 7),
        ("Active Memory", 10),
        ("Active memory!", 19),
        ("Şık Başlık", 21),
    ]
    assert records["preamble"].content.body == "What stands first."
    assert records["active-memory"].content.body.endswith("# Part two\nstill one")
    assert records["active-memory"].content.links == ("link",)
    assert records[names[3]].content.body is None


FRONT = "---\ntags: [x]\n---\n"
DRAWN = "# Excalidraw Data\n\n## Text Elements\n\nA box ^RDM7Vf77\n\nAnother ^RDM7Vf78\n\n%%\n# Drawing\n{}\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("memory.md", MEMORY),
        ("memory.md", "\n\n\nbefore\n\n## A\n\n\none\ntwo\n\nthree\n\n## B\nlast"),
        ("memory.md", FRONT + "Title\n=====\n\n  words\n\nA\n---\n\nbelow\n## C\n \n\nindented\n"),
        ("note.md", "\n\nwords\n\nmore\n"),
        ("note.md", FRONT + "\n\nwords\n\nmore\n"),
        ("note.md", "---\n\nwords after a rule\n"),
        ("note.md", "---\na: [\n---\nbroken\n"),
        ("map.excalidraw.md", FRONT + DRAWN),
        ("map.excalidraw.md", "## Text Elements\nonly ^RDM7Vf77\n"),
        ("engrams/a.md", FRONT + "\n# Title\n\nThe summary\nof it.\n \n\n\n  body\n\nmore\n"),
        ("engrams/a.md", "The summary.\n\nbody\n"),
        ("engrams/a.md", "---\nsummary: said\n---\n\n\nbody\n\nmore\n"),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_the_line_is_that_of_the_bodys_first_line(path, text, line_end):
    result = read(path, text.replace("\n", line_end))
    bodies = [(record.content.line, record.content.body) for record in result.records if record.content.body]
    assert bodies
    lines = text.split("\n")
    for line, body in bodies:
        for number, words in enumerate(body.removesuffix("\n").split("\n"), line):
            assert words == lines[number - 1].partition(" ^")[0], f"line {number}"


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("memory.md", "# T\n\n## Empty\n\n", 3),
        ("memory.md", FRONT + "Empty\n---\n\n", 4),
        ("note.md", FRONT, 4),
        ("note.md", FRONT + "\n\n", 4),
        ("map.excalidraw.md", FRONT + "%%\n# Drawing\n{}\n", 4),
        ("engrams/a.md", "---\nsummary: said\n---\n", 4),
        ("engrams/a.md", FRONT + "\nOnly a summary.\n\n\n", 5),
        ("CHANGELOG.json", '\n[\n{"date": "2026-01-01", "type": "a", "scope": "b",\n"description": "x"}]', 3),
    ],
)
def test_without_a_body_the_line_is_the_records_own(path, text, line):
    (record,) = read(path, text).records
    assert record.content.line == line


def test_the_files_date_is_not_the_sections_date():
    for record in read("memory.md", MEMORY).records:
        assert (record.reference, record.content.dated) == (None, None)


@pytest.mark.parametrize("text", ["", "\n\n", "# Only a title\n", "Title\n=====\n\n", "---\na: 1\n---\n\n# T\n"])
def test_nothing_before_the_first_section_is_no_preamble(text):
    assert read("memory.md", text).records == ()
    assert [r.name for r in read("memory.md", text + "## S\nx").records] == ["s"]


def test_headings_without_letters_and_with_many_still_have_names():
    names = [r.name for r in read("memory.md", "## \n## 🎉\n## Preamble\n## " + "long " * 100 + "\n").records]
    assert len(set(names)) == 4
    assert all(1 <= len(name) <= 200 for name in names)
    names = [r.name for r in read("memory.md", "before\n## Preamble\n## X\n## X-2\n## X\n").records]
    assert names == ["preamble", "preamble-2", "x", "x-2", "x-3"]


def test_sections_with_a_line_below_the_heading():
    (record,) = read("memory.md", "Under\n-----\nwords\n").records
    assert (record.name, record.content.title, record.content.body) == ("under", "Under", "words")


def test_load_gives_the_bytes_or_the_reason(tmp_path):
    (tmp_path / "a.md").write_bytes(b"x\r\n")
    assert load(found("a.md", str(tmp_path / "a.md"))) == b"x\r\n"
    missing = load(found("b.md", str(tmp_path / "b.md")))
    assert isinstance(missing, Problem)
    assert "No such file" in missing.reason
    assert isinstance(load(found("c.md", str(tmp_path))), Problem)


@pytest.mark.parametrize(
    ("path", "text", "count", "last"),
    [
        ("CHANGELOG.json", "[" + ",".join(["1"] * 150) + "]", 150, "and 50 more problems"),
        ("CHANGELOG.json", "[" + ",".join(["1"] * 100) + "]", 100, "is no entry with named fields"),
        ("a.md", "---\ntags: [" + ", ".join(["{a: 1}"] * 150) + "]\n---\n", 150, "and 50 more problems"),
        ("engrams/a.md", "---\nsummary: s\nclaims: [" + ", ".join(["[]"] * 150) + "]\n---\n", 151, "was not taken"),
    ],
)
def test_one_file_tells_a_hundred_problems_and_counts_the_rest(path, text, count, last):
    problems = read(path, text).problems
    assert last in problems[-1].reason
    assert len(problems) == min(count, 101 + ("taken" in last))
    assert len(problems) == 100 or any(" 50 more" in p.reason for p in problems)


@pytest.mark.timeout(10)
def test_load_neither_waits_for_a_pipe_nor_reads_a_device(tmp_path):
    os.mkfifo(tmp_path / "a.md")  # it may have taken the file's place since the walk
    (tmp_path / "link.md").symlink_to("/etc/hostname")
    for absolute, says in (("a.md", "no regular file"), ("/dev/zero", "no regular file"), ("link.md", "a link")):
        refused = load(found("a.md", str(tmp_path / absolute)))
        assert isinstance(refused, Problem)
        assert says in refused.reason


def test_reading_a_vault_writes_nothing_to_it(tmp_path):
    (tmp_path / "a.md").write_bytes(b"---\r\ntitle: x\r\n---\r\nwords\r\n")
    before = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in tmp_path.iterdir()}
    for file in scan(tmp_path).files:
        assert read_file(file, load(file), timezone.utc).records[0].content.body == "words\n"
    assert {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in tmp_path.iterdir()} == before
    assert sorted(os.listdir(tmp_path)) == ["a.md"]


KEYS = (
    "title tags created pinned aliases summary claims confidence valid_to revivals homophonic_links encoding_context x"
)
PIECES = [f"{key}: " for key in KEYS.split()]
PIECES += [
    "[",
    "]",
    "{",
    "}",
    "a",
    "1",
    "2024-01-02",
    "\n",
    "- ",
    '"id"',
    ":",
    ",",
    '"',
    "null",
    "entries",
    "\\ud800",
    "## ",
]
BLOCKS = st.lists(st.sampled_from([*PIECES, "9" * 30, "1e999"]), max_size=40).map("".join)
PATHS = st.sampled_from(["a.md", "knowledge/b.md", "engrams/c.md", "memory.md", "CHANGELOG.json", "x.excalidraw.md"])


@settings(max_examples=400, deadline=None)
@given(PATHS, st.one_of(st.binary(), st.text().map(str.encode), BLOCKS.map(lambda b: f"---\n{b}\n---\nwords".encode()),
                        BLOCKS.map(lambda b: f"[{b}]".encode())))  # fmt: skip
def test_no_bytes_make_reading_raise(path, data):
    result = read(path, data)
    for record in result.records:
        repr(record).encode("utf-8")
        assert record.name
    assert all(problem.path == path and problem.reason for problem in result.problems)
