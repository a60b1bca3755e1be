"""What an area names: a thing, or a topic."""

from __future__ import annotations

from memtui.cognition.encoding import is_referent


def test_referents():
    assert is_referent("Person/Mia")
    assert is_referent("File/src/app.ts")
    assert not any(is_referent(area) for area in ("general", "/x", "a/", "a//b", "a/ b", " a/b", ""))
