"""The memory file: one record for each `##` section, and one for what stands before the first."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.model.normal_forms import nfc
from memtui.model.problems import Problem
from memtui.model.records import Content
from memtui.text.frontmatter import split_front_matter
from memtui.text.markdown import Section, link_targets, sections
from memtui.text.naming import is_blank, slug
from memtui.vault.records import ReadFile, ReadRecord

PREAMBLE = "preamble"
_LONGEST_SLUG = 190
"""Leaves room for `-2` within a name's 200 code points."""


def read_memory_file(path: str, text: str) -> ReadFile:
    """The sections of a memory file.

    A section reaches to the next `##`, whatever stands between. Its name is the slug of its heading,
    `-2`, `-3` … for a repeat. Dates in the file's front matter date the file, not its sections: a
    section written years later would be back-dated, so sections have none. The front matter's fields
    belong to no section and stay in the file.
    """
    front = split_front_matter(text)
    body = front.body
    marks = [section for section in sections(body) if section.level <= 2]
    heads = [section for section in marks if section.level == 2]
    names = _Names()
    records: list[ReadRecord] = []
    preamble = _preamble(body[: heads[0].start if heads else len(body)], marks)
    if preamble is not None:
        title, offset, words = preamble
        names.free(PREAMBLE)
        line = front.body_line + body.count("\n", 0, offset)
        records.append(_record(path, PREAMBLE, title or PREAMBLE, words, line, line))
    for head, end in _stretches(heads, len(body)):
        own_text = body[head.start : end].split("\n", 1)
        name = names.free(nfc(slug(head.heading))[:_LONGEST_SLUG].rstrip("-") or "section")
        words, line = own_text[1] if len(own_text) > 1 else "", front.body_line + head.line - 1
        below = line + 1
        if head.heading and own_text[0].lstrip(" ")[:2] != "##":
            words = words.split("\n", 1)[1] if "\n" in words else ""  # the line of --- below the heading
            below += 1
        records.append(_record(path, name, head.heading or name, words, line, below))
    problems = tuple(Problem(path, oddity.reason, oddity.line, value=oddity.value) for oddity in front.problems)
    return ReadFile(tuple(records), problems)


def _record(path: str, name: str, title: str, words: str, line: int, below: int) -> ReadRecord:
    """The record of `words`, which begin on line `below`; one that says nothing lies at its heading's `line`."""
    body = words.strip("\n")
    if is_blank(body):
        return ReadRecord("memory", name, Content(title=title, path=path, line=line))
    first = below + len(words) - len(words.lstrip("\n"))
    return ReadRecord("memory", name, Content(title=title, body=body, path=path, line=first, links=link_targets(body)))


def _stretches(heads: list[Section], length: int) -> Iterable[tuple[Section, int]]:
    ends = [head.start for head in heads[1:]] + [length]
    return zip(heads, ends, strict=False)


def _preamble(before: str, marks: list[Section]) -> tuple[str | None, int, str] | None:
    """(title, where it begins, text) of what stands before the first section; None when it says nothing."""
    title, start = None, 0
    if marks and marks[0].level == 1 and marks[0].start < len(before) and is_blank(before[: marks[0].start]):
        title = marks[0].heading or None
        line_end = before.find("\n", marks[0].start)
        start = len(before) if line_end < 0 else line_end + 1
        if before[marks[0].start :].lstrip(" ")[:1] != "#":
            line_end = before.find("\n", start)
            start = len(before) if line_end < 0 else line_end + 1
    words = before[start:]
    if is_blank(words):
        return None
    return title, start, words


class _Names:
    """The names of one file: a repeat gets `-2`, the next `-3`."""

    def __init__(self) -> None:
        self._repeats: dict[str, int] = {}

    def free(self, wanted: str) -> str:
        """The wanted name, or the first numbered one that is free; it is taken from now on."""
        name = wanted
        while name in self._repeats:
            self._repeats[wanted] += 1
            name = f"{wanted}-{self._repeats[wanted]}"
        self._repeats[name] = 1
        return name
