"""The little of markdown that search needs: headings and their sections, Excalidraw's words, links.

No tree is built: one pass of a regular expression stops only at lines that may matter, so a text of
20 MB costs a fraction of a second. What stands in fenced code or in an HTML comment is no heading.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

_MARK = re.compile(
    r"""^[ ]{0,3}(?:
        (?P<hashes>\#{1,6})(?P<title>[ \t][^\n]*)?$
      | (?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)$
      | (?P<underline>={2,}|-{2,})[ \t]*$
      | (?P<comment><!--)
    )""",
    re.MULTILINE | re.VERBOSE,
)
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_NO_PARAGRAPH = re.compile(r"[ ]{0,3}(?:[#>|<=]|[-*+](?:[ \t]|$)|--|[0-9]{1,9}[.)]|```|~~~)|[ ]{4}|\t")
_DRAWN_TEXT = re.compile(r"^#{1,3}[ \t]+Text Elements[ \t]*$", re.MULTILINE | re.IGNORECASE)
_AFTER_DRAWN_TEXT = re.compile(
    r"^(?:%%[ \t]*$|#{1,3}[ \t]+(?:Element Links|Embedded Files|Drawing)[ \t]*$)", re.MULTILINE | re.IGNORECASE
)
# Possessive, and from the first blank only: a long run of blanks must not be tried from each of them.
_BLOCK_ID = re.compile(r"(?<![ \t])[ \t]++\^[A-Za-z0-9_-]{8}[ \t]*+$", re.MULTILINE)
_WIKI_LINK = re.compile(r"\[\[([^\[\]\n]{1,500})\]\]")
# Both begin with a literal, which the search for it makes many times faster than `!?` or `^` would.
_INLINE_LINK = re.compile(r"\[[^\[\]\n]{0,500}+\]\([ \t]*+(?:<([^<>\n]{1,500}+)>|([^\s()<>]{1,500}+))[^()\n]{0,500}+\)")
_DEFINITION = re.compile(r"\[(?!\^)[^\[\]\n]{1,200}+\]:[ \t]*+(?:<([^<>\n]{1,500}+)>|([^\s<>]{1,500}+))")
_INDENTS = ("\n", "\n ", "\n  ", "\n   ")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_TICKS_OR_BREAK = re.compile(r"`+|\n[ \t]*\n")


class Section(NamedTuple):
    """A heading and everything below it up to the next heading of the same or a higher rank."""

    level: int
    heading: str
    line: int
    """The heading's line, counted from 1."""
    start: int
    """Where the heading's line begins, in characters."""
    end: int
    """Where the section ends, subsections included."""


class Heading(NamedTuple):
    """A heading: its rank from 1, its words, and where its line begins, in characters."""

    level: int
    text: str
    start: int


class _Code(NamedTuple):
    start: int
    end: int


def sections(text: str) -> list[Section]:
    """All sections in reading order; a section ends after its subsections."""
    marks = list(headings(text))
    ends = [len(text)] * len(marks)
    open_ones: list[int] = []
    for index, heading in enumerate(marks):
        while open_ones and marks[open_ones[-1]].level >= heading.level:
            ends[open_ones.pop()] = heading.start
        open_ones.append(index)
    found: list[Section] = []
    line, counted = 1, 0
    for heading, end in zip(marks, ends, strict=True):
        line += text.count("\n", counted, heading.start)
        counted = heading.start
        found.append(Section(heading.level, heading.text, line, heading.start, end))
    return found


def first_heading(text: str) -> str | None:
    """The first heading of the highest rank (`#`) that says something."""
    return next((heading.text for heading in headings(text) if heading.level == 1 and heading.text), None)


def section_at(text: str, line: int) -> tuple[int, int]:
    """The stretch of text that holds a line (from 1): from its heading to the next one of any rank.

    Offsets in characters, end excluded. Before the first heading it is what stands before it; a line
    past the end belongs to the last section.
    """
    offset = 0
    for _ in range(line - 1):
        newline = text.find("\n", offset)
        if newline < 0:
            break
        offset = newline + 1
    starts = [heading.start for heading in headings(text)]
    after = bisect_right(starts, offset)
    start = starts[after - 1] if after else 0
    return start, starts[after] if after < len(starts) else len(text)


def drawn_text_span(text: str) -> tuple[int, int]:
    """Where an Excalidraw file keeps the words of its drawing, in characters.

    Nothing (`(0, 0)`) for a drawing without words; the whole of a text that holds no drawing at all.
    """
    title = _DRAWN_TEXT.search(text)
    after = _AFTER_DRAWN_TEXT.search(text, title.end() if title else 0)
    if title is None:
        return (0, 0) if after else (0, len(text))
    return min(title.end() + 1, len(text)), after.start() if after else len(text)


def strip_excalidraw(text: str) -> str:
    """The words of an Excalidraw drawing: the lines under "Text Elements", without their block ids."""
    start, end = drawn_text_span(text)
    return _BLOCK_ID.sub("", text[start:end])


def link_targets(text: str) -> tuple[str, ...]:
    """What a text links to inside the vault, in reading order and each once.

    Wiki links `[[target]]`, `[[target|text]]`, `[[target#heading]]` give the target alone; markdown
    links give the file they name, with `%20` and the like resolved. Addresses on the network,
    images, links within the same text and whatever stands in code are left out.
    """
    found = sorted(_wiki_links(text) + _file_links(text))
    if not found:
        return ()
    code = _code_spans(text)
    starts = [span.start for span in code]
    targets: dict[str, None] = {}
    for position, target in found:
        before = bisect_right(starts, position) - 1
        if before < 0 or code[before].end <= position:
            targets[target] = None
    return tuple(targets)


def _wiki_links(text: str) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for match in _WIKI_LINK.finditer(text) if "[[" in text else ():
        # In a table the bar is escaped; a block or heading is a place inside the target.
        target = match[1].replace("\\|", "|").split("|", 1)[0].split("#", 1)[0].strip()
        if target and not _SCHEME.match(target):
            found.append((match.start(), target))
    return found


def _file_links(text: str) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for match in _INLINE_LINK.finditer(text) if "](" in text else ():
        target = _file_target(match[1] or match[2])
        if target and text[match.start() - 1 : match.start()] != "!":  # that is an image
            found.append((match.start(), target))
    for match in _DEFINITION.finditer(text) if "]:" in text else ():
        target = _file_target(match[1] or match[2])
        if not target or not target.lower().endswith(".md"):  # other definitions are too often plain prose
            continue
        # Only the few characters before it are looked at: a line may be megabytes long.
        before = "\n" + text[: match.start()] if match.start() < 4 else text[match.start() - 4 : match.start()]
        if before.endswith(_INDENTS):
            found.append((match.start(), target))
    return found


def _file_target(written: str) -> str | None:
    if _SCHEME.match(written):
        return None
    from urllib.parse import unquote

    return unquote(written.split("#", 1)[0].split("?", 1)[0]).strip() or None


def headings(text: str) -> Iterator[Heading]:
    """The headings of a text in order; what stands in fenced code or in a comment is none."""
    return (mark for mark in _structure(text) if isinstance(mark, Heading))


def _structure(text: str) -> Iterator[Heading | _Code]:
    """Headings and fenced code blocks in order."""
    fence: re.Match[str] | None = None
    past = 0  # where the last heading, code block or comment ended
    for mark in _MARK.finditer(text):
        if mark.start() < past:
            continue
        if fence is not None:
            if _closes(mark, fence):
                past = mark.end()
                yield _Code(fence.start(), past)
                fence = None
        elif mark["hashes"]:
            past = mark.end()
            yield Heading(len(mark["hashes"]), _without_closing_hashes(mark["title"] or ""), mark.start())
        elif mark["fence"]:
            # A backtick in the rest of the line means that this is code within a line.
            fence = mark if "`" not in mark["info"] or mark["fence"][0] == "~" else None
        elif mark["comment"]:
            end = text.find("-->", mark.end())
            past = len(text) if end < 0 else end + 3
        else:
            heading = _underlined(text, mark, past)
            if heading is not None:
                past = mark.end()
                yield heading
    if fence is not None:
        yield _Code(fence.start(), len(text))


def _closes(mark: re.Match[str], fence: re.Match[str]) -> bool:
    run = mark["fence"]
    return bool(run) and run.startswith(fence["fence"]) and not mark["info"].strip()


def _without_closing_hashes(title: str) -> str:
    return _CLOSING_HASHES.sub("", title).strip()


def _underlined(text: str, mark: re.Match[str], past: int) -> Heading | None:
    """The heading that `===` or `---` makes of the line above it.

    Only a line that stands alone: below a paragraph of several lines people mean a rule.
    """
    end = mark.start() - 1
    start = text.rfind("\n", 0, max(end, 0)) + 1
    above = text[start:end] if end > 0 else ""
    if not above.strip() or start < past or _NO_PARAGRAPH.match(above):
        return None
    if start > past and start >= 2:
        before = text[text.rfind("\n", 0, start - 1) + 1 : start - 1]
        if before.strip() and text.rfind("\n", 0, start - 1) + 1 >= past:
            return None
    return Heading(1 if mark["underline"][0] == "=" else 2, above.strip(), start)


def _code_spans(text: str) -> list[_Code]:
    """Fenced blocks and code within lines, in order."""
    fenced = [mark for mark in _structure(text) if isinstance(mark, _Code)]
    if "`" not in text:
        return fenced
    ends = [span.end for span in fenced]
    runs: list[tuple[int, int, int]] = []
    paragraph = 0
    for match in _TICKS_OR_BREAK.finditer(text):
        if match[0][0] != "`":
            paragraph += 1
            continue
        after = bisect_right(ends, match.start())
        if after == len(fenced) or fenced[after].start > match.start():
            runs.append((paragraph, len(match[0]), match.start()))
    return sorted(fenced + _paired(runs))


def _paired(runs: list[tuple[int, int, int]]) -> list[_Code]:
    """Runs of backticks closed by the next run of the same length in the same paragraph."""
    places: dict[tuple[int, int], list[int]] = {}
    for paragraph, length, position in runs:
        places.setdefault((paragraph, length), []).append(position)
    spans: list[_Code] = []
    past = 0
    for paragraph, length, position in runs:
        if position < past:
            continue
        same = places[paragraph, length]
        after = bisect_right(same, position)
        if after < len(same):
            past = same[after] + length
            spans.append(_Code(position, past))
    return spans
