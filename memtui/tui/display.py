"""Text on its way to the terminal: measured in cells, cut between graphemes, never able to do harm.

Everything stored is data. A control character becomes a visible symbol, what would reorder or hide
text becomes visible or goes, and nothing is ever parsed as markup. The index of every character
survives, so that spans counted in code points still fit the shown text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.cells import cell_len, split_graphemes

Span = tuple[int, int]
"""`[start, end)` in code points."""

ELLIPSIS = "…"
TAB = "    "
_GONE = "\u200b"
_UNSHOWABLE = "\ufffd"
_LONGEST_WORD_DROPPED = 14
_MOST_MARKS = 8
"""Code points beyond this many in one cluster (stacked accents) are not sent to the terminal."""


def _replacements() -> dict[int, str]:
    table = {code: chr(0x2400 + code) for code in range(0x20)}
    table[0x7F] = "\u2421"
    table[ord("\n")] = " "
    unshowable = [range(0x80, 0xA0), range(0xD800, 0xE000), range(0x202A, 0x202F), range(0x2066, 0x206A)]
    invisible = [(0xAD, 0x61C, 0x180E, 0xFEFF), range(0x200E, 0x2010), range(0x2060, 0x2065), range(0x206A, 0x2070)]
    invisible += [range(0xFFF9, 0xFFFC), range(0xE0000, 0xE0080)]
    table.update({code: _UNSHOWABLE for codes in unshowable for code in codes})
    table.update({code: _GONE for codes in invisible for code in codes})
    table.update({0x2028: " ", 0x2029: " ", 0x3164: " ", 0xFFA0: " "})
    return table


_REPLACED = _replacements()
_SIMPLE = re.compile(
    r"[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0377\u0391-\u03a1\u03a3-\u0482\u2010-\u2027\u2030-\u205e\u2500-\u25fc]*"
)
_LONE_JOINER = re.compile(r"(?<!\S)\u200d|\u200d(?!\S)")
"""A joiner beside a blank joins nothing, and a blank that it swallowed would be missing."""
_CARRIAGE_BEFORE_NEWLINE = re.compile(r"\r(?=\n)")
_TYPED_AWAY = {
    code: None
    for code, shown in _REPLACED.items()
    if shown in (_GONE, _UNSHOWABLE) or code in range(0x20) or code == 0x7F
} | {0x200B: None}


class Cluster(NamedTuple):
    """One grapheme: where it stands in the source text, what is shown for it, and how many cells that takes."""

    start: int
    end: int
    width: int
    shown: str


class Run(NamedTuple):
    """A stretch of shown text that is marked as a match, or not."""

    shown: str
    marked: bool


class Fitted(NamedTuple):
    """Text cut to a width: its runs, the cells they take, and up to which code point it is shown."""

    runs: tuple[Run, ...]
    width: int
    shown_to: int

    @property
    def plain(self) -> str:
        """The shown text without its marks."""
        return "".join(run.shown for run in self.runs)


def is_simple(text: str) -> bool:
    """Whether every character is shown as it is and takes one cell: most Western text."""
    return (text.isascii() and text.isprintable()) or _SIMPLE.fullmatch(text) is not None


def clusters(text: str) -> list[Cluster]:
    """The graphemes of a text as they are shown; line ends count as blanks."""
    if is_simple(text):
        return [Cluster(i, i + 1, 1, character) for i, character in enumerate(text)]
    if "\r" in text:
        text = _CARRIAGE_BEFORE_NEWLINE.sub(_GONE, text)
    if "\u200d" in text:
        text = _LONE_JOINER.sub(_GONE, text)
    shown: list[Cluster] = []
    offset = 0
    for piece in text.split("\t"):
        if offset:
            shown.append(Cluster(offset - 1, offset, len(TAB), TAB))
        _add_clusters(shown, piece.translate(_REPLACED), offset)
        offset += len(piece) + 1
    return shown


def _add_clusters(shown: list[Cluster], text: str, offset: int) -> None:
    for start, end, width in split_graphemes(text)[0]:
        part = text[start:end]
        if end - start == 1 and width and part < "\U0001f1e6":
            shown.append(Cluster(start + offset, end + offset, width, part))
            continue
        cluster = _shown_cluster(part, start + offset, end + offset)
        if cluster is None:
            continue
        if shown and _is_flag_pair(shown[-1].shown, cluster.shown):
            first = shown.pop()
            cluster = Cluster(first.start, cluster.end, 2, first.shown + cluster.shown)
        shown.append(cluster)


def _shown_cluster(part: str, start: int, end: int) -> Cluster | None:
    part = part.replace(_GONE, "")
    if "\u200d" not in part:
        part = part[:_MOST_MARKS]
    if not part or part[0] == "\u200d":
        return None
    width = cell_len(part)
    if width == 0:
        # A mark without a letter would climb onto whatever stands before it on the screen.
        return Cluster(start, end, 1, "\u25cc" + part) if unicodedata.combining(part[0]) else None
    return Cluster(start, end, width, part)


def _is_flag_pair(first: str, second: str) -> bool:
    return len(first) == 1 and len(second) == 1 and all("\U0001f1e6" <= c <= "\U0001f1ff" for c in (first, second))


def harmless(text: str, *, keep_lines: bool = False) -> str:
    """The text as it may be handed to a terminal; with `keep_lines` its line ends stay."""
    if keep_lines and "\n" in text:
        return "\n".join(harmless(line) for line in text.replace("\r\n", "\n").split("\n"))
    if is_simple(text):
        return text
    return "".join(cluster.shown for cluster in clusters(text))


def typed(text: str) -> str:
    """Pasted text as a search box may hold it: one line, without controls and invisible characters."""
    return " ".join(text.split()).translate(_TYPED_AWAY)


def width_of(text: str) -> int:
    """How many cells the shown text takes."""
    if is_simple(text):
        return len(text)
    return sum(cluster.width for cluster in clusters(text))


def fit(text: str, width: int, spans: Iterable[Span] = (), *, start: int = 0, at_words: bool = False) -> Fitted:
    """The text from code point `start`, cut to `width` cells with an ellipsis where something is left out.

    With `at_words` it is cut between words, unless the last word is a long one.
    """
    if width <= 0:
        return Fitted((), 0, start)
    parts, too_long = _enough(text, start, width)
    room = width
    kept: list[Cluster] = []
    if start > 0 and parts:
        kept.append(Cluster(-1, -1, 1, ELLIPSIS))
        room -= 1
    used = sum(cluster.width for cluster in parts)
    if used <= room and not too_long:
        kept += parts
        return Fitted(_runs(kept, tuple(spans)), width - room + used, len(text))
    taken = 0
    for cluster in parts:
        if taken + cluster.width > room - 1:
            break
        kept.append(cluster)
        taken += cluster.width
    if at_words:
        dropped = _cells_of_last_word(kept, text)
        while dropped:
            dropped -= 1
            taken -= kept.pop().width
    while len(kept) > 1 and kept[-1].shown == " ":
        taken -= kept.pop().width
    shown_to = max(kept[-1].end, start) if kept else start
    kept.append(Cluster(-1, -1, 1, ELLIPSIS))
    return Fitted(_runs(kept, tuple(spans)), width - room + taken + 1, shown_to)


def _enough(text: str, start: int, width: int) -> tuple[list[Cluster], bool]:
    """The clusters from `start` on, at least as many as fill `width` cells; and whether there are more."""
    limit = start + width * 2 + 16
    while True:
        too_long = len(text) > limit
        parts = [cluster for cluster in clusters(text[:limit]) if cluster.start >= start]
        if not too_long or sum(cluster.width for cluster in parts) > width:
            return parts, too_long
        limit *= 2


def _cells_of_last_word(kept: Sequence[Cluster], text: str) -> int:
    """How many clusters to drop so that no word is cut; none where that would leave a wide gap."""
    if not kept or text[kept[-1].end : kept[-1].end + 1].isspace():
        return 0
    for dropped in range(min(len(kept), _LONGEST_WORD_DROPPED)):
        if kept[-1 - dropped].shown == " ":
            return dropped
    return 0


def _runs(parts: Sequence[Cluster], spans: Sequence[Span]) -> tuple[Run, ...]:
    runs: list[Run] = []
    text: list[str] = []
    marked = False
    for cluster in parts:
        now_marked = cluster.start >= 0 and any(cluster.start < end and start < cluster.end for start, end in spans)
        if now_marked != marked and text:
            runs.append(Run("".join(text), marked))
            text = []
        marked = now_marked
        text.append(cluster.shown)
    if text:
        runs.append(Run("".join(text), marked))
    return tuple(runs)


def cut(text: str, width: int) -> str:
    """`fit` for a text without marks."""
    return fit(text, width).plain


def padded(text: str, width: int) -> str:
    """The text cut or filled with blanks to exactly `width` cells."""
    fitted = fit(text, width)
    return fitted.plain + " " * (width - fitted.width)


def start_to_show(text: str, spans: Sequence[Span], width: int) -> int:
    """Where to begin showing a line of `width` cells so that its first match is on it, with some words before."""
    if not spans or width_of(text) <= width:
        return 0
    first, last = spans[0]
    before = clusters(text[:first])
    if sum(c.width for c in before) + width_of(text[first:last]) < width - 1:
        return 0
    lead = max(width // 4, 1)
    taken = 0
    start = first
    for cluster in reversed(before):
        if taken + cluster.width > lead:
            break
        taken += cluster.width
        start = cluster.start
    blank = text.find(" ", start, first)
    return start if blank < 0 else blank + 1


def several(number: int, word: str) -> str:
    """A number of things."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"
