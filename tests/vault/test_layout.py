"""Which file is which kind, and how it is called."""

import pytest

from memtui.errors import InvalidInput
from memtui.vault.layout import DEFAULT_LAYOUT, Layout


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("knowledge/decisions/db-choice.md", ("knowledge", "decisions/db-choice")),
        ("features/a.md", ("feature", "a")),
        ("tasks/x/y/z.md", ("task", "x/y/z")),
        ("engrams/rem-1.md", ("engram", "rem-1")),
        ("memory.md", ("memory", "memory.md")),
        ("CHANGELOG.json", ("changelog", "CHANGELOG.json")),
        ("notes/insights/mrr.md", ("note", "notes/insights/mrr")),
        ("README.MD", ("note", "README")),
        ("sub/memory.md", ("note", "sub/memory")),
        ("knowledge.md", ("note", "knowledge")),
        ("knowledge/x.excalidraw.md", ("knowledge", "x.excalidraw")),
        ("knowledge/O\u0308.md", ("knowledge", "\u00d6")),
        ("sub/CHANGELOG.json", None),
        ("image.png", None),
        ("knowledge/data.csv", None),
    ],
)
def test_kind_and_name_come_from_the_path(path, place):
    assert DEFAULT_LAYOUT.place(path) == place


def test_folders_can_be_called_otherwise_and_lie_in_each_other():
    layout = Layout(knowledge="docs/", features="./docs/features", memory="core/2.memory.md", changelog="core/log.json")
    assert layout.place("docs/a.md") == ("knowledge", "a")
    assert layout.place("docs/features/a.md") == ("feature", "a")
    assert layout.place("core/2.memory.md") == ("memory", "core/2.memory.md")
    assert layout.place("core/log.json") == ("changelog", "core/log.json")
    assert layout.place("knowledge/a.md") == ("note", "knowledge/a")


@pytest.mark.parametrize(
    "names",
    [{"knowledge": ""}, {"tasks": "../x"}, {"memory": "/etc/passwd"}, {"features": "C:/x"}, {"tasks": "features"}],
)
def test_a_layout_that_leaves_the_vault_or_repeats_itself_is_refused(names):
    with pytest.raises(InvalidInput):
        Layout(**names)
