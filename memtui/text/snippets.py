"""Snippets: the passage of a text that answers a query, as it was written, with its matches marked.

A long text is not analysed as a whole. A regular expression finds where a match could begin, by the first letters
of the query's tokens in any case and with any accents; only the words there are analysed. Characters
that hide their letters (ligatures, detached accents, invisible signs) always count as possible, so
that nothing the analyser would find is missed.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from memtui.model.results import Snippet, Span
from memtui.text.analysis import Token, analyse
from memtui.text.folding import APOSTROPHES, CLASSES, DASHES, SEPARATOR, folded

LIMIT = 320
"""Code points of a snippet, ellipses included."""

ELLIPSIS = "…"
_MOST_BLOCKS = 5_000
"""Possible matches looked at before only words not yet met are looked for: bounds the work on a long text."""

_MOST_ROUNDS = 4
_LONGEST_BLOCK = 4_096
"""Code points without a separator that are analysed at once; longer runs (embedded data) are cut."""

_NEAR = 16
"""How far a cut may move to fall between words."""

_LONGEST_GRAPHEME = 64
_LEAST_CONTEXT = 12
"""Code points of a neighbouring line below which a piece of it says nothing."""


class _Match(NamedTuple):
    start: int
    end: int
    found: frozenset[str]


class _Window(NamedTuple):
    """The best matches, `[start, end)`, and the line they stand in."""

    line_start: int
    line_end: int
    start: int
    end: int


class _Piece(NamedTuple):
    """A part of the text that is shown, with what stands for the parts that are not."""

    start: int
    end: int
    before: str = ""
    after: str = ""


def make_snippet(text: str, weights: Mapping[str, float], *, limit: int = LIMIT) -> Snippet:
    """The line with the most query weight and a line on each side of it, at most `limit` (≥ 3) code points.

    `weights` holds the query's index tokens (as in `Token.tokens`) and what each is worth. A line is
    worth the sum over the distinct tokens it holds; of a line longer than `limit`, the best stretch
    that can be shown counts, and is shown. The earliest of equals wins. Spans are code points of the
    snippet's own text; `line` is that of its first line in `text`, counted from 1. Without any match
    the first lines that say something are shown; a blank text gives an empty snippet without a line.
    """
    window = _best_window(text, weights, limit) if weights else None
    pieces = _opening(text, limit) if window is None else _passage(text, window, limit)
    if not pieces:
        return Snippet("")
    shown: list[str] = []
    spans: list[Span] = []
    offset = 0
    for piece in pieces:
        shown.append(piece.before + text[piece.start : piece.end] + piece.after)
        if window is not None:
            moved = offset + len(piece.before) - piece.start
            spans += [(start + moved, end + moved) for start, end in _marks(text, weights, piece)]
        offset += len(shown[-1]) + 1
    return Snippet("\n".join(shown), tuple(spans), text.count("\n", 0, pieces[0].start) + 1)


# --- What matches --------------------------------------------------------------------------------


def _best_window(text: str, weights: Mapping[str, float], limit: int) -> _Window | None:
    attainable = sum(weights.values())
    best: _Window | None = None
    best_worth = 0.0
    line_start = room = 0
    line_end = -1
    near: deque[_Match] = deque()
    held: Counter[str] = Counter()
    for match in _matches(text, weights):
        if match.start > line_end:
            line_start, line_end = _line_around(text, match.start)
            room = limit if line_end - line_start <= limit else limit - 2
            near.clear()
            held.clear()
        near.append(match)
        held.update(match.found)
        while match.end - near[0].start > room and len(near) > 1:
            held.subtract(near.popleft().found)
        worth = sum(weights[token] for token, count in held.items() if count > 0)
        if best is None or worth > best_worth:
            best, best_worth = _Window(line_start, line_end, near[0].start, match.end), worth
        if worth >= attainable:
            break
    return best


def _matches(text: str, weights: Mapping[str, float]) -> Iterator[_Match]:
    """Matches in order; of a compound that matches as a whole the whole, else its matching parts.

    All of them in any ordinary text; after `_MOST_BLOCKS`, those of words that were not met before.
    """
    read: dict[str, tuple[_Match, ...]] = {}
    met: set[str] = set()
    end = 0
    for _ in range(_MOST_ROUNDS):
        wanted = frozenset(map(_beginning, weights)).difference(map(_beginning, met))
        search = _possible(wanted, text.isascii()).search
        blocks = 0
        while blocks < _MOST_BLOCKS:
            if (found := search(text, end)) is None:
                return
            start, end = _block(text, found.start(), end)
            if start == end:
                end = found.end()
                continue
            blocks += 1
            block = text[start:end]
            if block not in read:
                read[block] = tuple(_inside(analyse(block), weights))
                met.update(token for match in read[block] for token in match.found)
            for match in read[block]:
                yield _Match(start + match.start, start + match.end, match.found)


def _block(text: str, place: int, floor: int) -> tuple[int, int]:
    """The run of characters around a place that no separator parts, which is analysed as if it stood alone."""
    start = end = place
    while end < len(text) and end - place < _LONGEST_BLOCK and CLASSES[ord(text[end])] != SEPARATOR:
        end += 1
    while end > place and start > floor and CLASSES[ord(text[start - 1])] != SEPARATOR:
        start -= 1
    return start, end


def _inside(tokens: Iterable[Token], weights: Mapping[str, float]) -> Iterator[_Match]:
    for token in tokens:
        found = frozenset([emitted for emitted in token.tokens if emitted in weights])
        if not found:
            continue
        of_parts = sum(len(part.tokens) for part in token.parts)
        of_the_whole = token.tokens[: len(token.tokens) - of_parts]
        if found.isdisjoint(of_the_whole):
            yield from _inside(token.parts, weights)
        else:
            yield _Match(token.start, token.end, found)


def _marks(text: str, weights: Mapping[str, float], piece: _Piece) -> list[Span]:
    """Matched spans of the text that a piece shows, overlapping ones joined, cut where the piece is."""
    first, _ = _block(text, piece.start, max(0, piece.start - _LONGEST_BLOCK))
    _, last = _block(text, piece.end, piece.end)
    spans: list[Span] = []
    for match in _matches(text[first:last], weights):
        start, end = max(first + match.start, piece.start), min(first + match.end, piece.end)
        if start >= end:
            continue
        if spans and start < spans[-1][1]:
            start, end = spans[-1][0], max(end, spans.pop()[1])
        spans.append((start, end))
    return spans


# --- Where a match could begin -------------------------------------------------------------------

_TELLING_LETTERS = 3
_ACCENTED = ((0xC0, 0x24F), (0x370, 0x52F), (0x1E00, 0x1FFF))
_TELLING = re.compile("[\x00-\x7f\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff\u3041-\u30fa\u4e00-\u9fff\uac00-\ud7a3]+")
"""Letters that are written one way but for case and accents, beside what `_ODD` holds."""

_ODD = (
    "\u00aa\u00ad\u00b2\u00b3\u00b4\u00b5\u00b9\u00ba\u00bc-\u00be\u0250-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a"
    "\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u0929\u0931\u0934\u0958-\u095f\u09dc-\u09df\u0a33\u0a36\u0a59-\u0a5e\u0b5c"
    "\u0b5d\u0e33\u0eb3\u0edc\u0edd\u0f00-\u0fff\u102e\u1100-\u11ff\u180b-\u180f\u1d00-\u1dff\u200b-\u200f\u202a-\u202e"
    "\u2044\u2060-\u209f\u20d0-\u20ff\u2100-\u218f\u2212\u2215\u2460-\u24ff\u2c60-\u2c7f\u2de0-\u2dff\u2e80-\u2fdf"
    "\u3036-\u303a\u3099-\u309f\u30fb-\u30ff\u3130-\u318f\u3200-\u33ff\ua640-\ua7ff\uab30-\uab6f\uf900-\ufdff"
    "\ufe00-\ufe0f\ufe20-\ufeff\uff00-\uffef\U00010780-\U000107bf\U0001d400-\U0001d7ff\U0001ee00-\U0001eeff\U0001f100-\U0001f2ff"
    "\U0002f800-\U0002fa1f\U000e0000-\U000e0fff"
)
"""What its own letter does not tell: compatibility signs, detached accents, optional points, invisibles."""


def _beginning(token: str) -> str:
    """The folded letters that every word emitting a token begins with; a stem may differ in its last letter."""
    plain = token.removeprefix("~")
    certain = len(plain) - 1 if token.startswith("~") else len(plain)
    letters = folded(plain[: max(1, min(certain, _TELLING_LETTERS))])
    telling = _TELLING.match(letters)
    return telling[0][:_TELLING_LETTERS] if telling else letters[:1]


@lru_cache(maxsize=256)
def _possible(beginnings: frozenset[str], is_ascii: bool) -> re.Pattern[str]:
    """Matches the first letter of whatever could begin a word or part with one of these beginnings.

    The union of first letters comes first, because a search for one set of characters is fast. A
    lower-case letter after another begins nothing. `is_ascii` leaves out what an ASCII text cannot hold.
    """
    spellings: dict[str, list[str]] = {} if is_ascii else _spellings()
    odd = "" if is_ascii else _ODD + "".join(spellings[""])

    def one_of(letters: Iterable[str]) -> str:
        signs = {sign for letter in letters for sign in (letter, *spellings.get(letter, _cases(letter)))}
        return "".join([re.escape(sign) for sign in sorted(signs) if sign.isascii() or not is_ascii])

    branches = [
        f"(?<=[{one_of(beginning[0])}])" + "".join([f"[{one_of(letter)}]" for letter in beginning[1:]])
        for beginning in sorted(beginnings)
        if beginning.isascii() or not is_ascii
    ]
    if odd:
        branches.append(f"(?<=[{odd}])")
    if not branches:
        return re.compile("(?!)")
    firsts = one_of(beginning[0] for beginning in beginnings)
    return re.compile(f"[{firsts}{odd}](?<![a-z][a-z])(?:{'|'.join(branches)})")


def _cases(letter: str) -> tuple[str, ...]:
    """Other ways to write a letter of a script without accents: its capital, its base under NFD."""
    others = (letter.upper(), unicodedata.normalize("NFD", letter)[0])
    return tuple(sign for sign in others if len(sign) == 1)


@cache
def _spellings() -> dict[str, list[str]]:
    """Folded letter → every way to write it; under "" the letters that fold to several (ß, æ)."""
    spellings: dict[str, list[str]] = {"'": list(APOSTROPHES), "-": list(DASHES), "": []}
    for first, last in ((0x41, 0x7A), *_ACCENTED):
        chars = [chr(code) for code in range(first, last + 1)]
        # Folded together, a line each: one call instead of a thousand, and nothing composes across a line end.
        for char, plain in zip(chars, folded("\n".join(chars)).split("\n"), strict=True):
            spellings.setdefault(plain if len(plain) == 1 else "", []).append(char)
    return spellings


# --- What is shown -------------------------------------------------------------------------------


def _line_around(text: str, place: int) -> tuple[int, int]:
    end = text.find("\n", place)
    return text.rfind("\n", 0, place) + 1, len(text) if end < 0 else end


def _trimmed(text: str, start: int, end: int) -> int:
    """The end of a line without the blanks (and carriage return) it ends in."""
    return start + len(text[start:end].rstrip())


def _passage(text: str, window: _Window, limit: int) -> list[_Piece]:
    """The window's line with its neighbours, or the window alone where the line is too long."""
    start, end = window.line_start, _trimmed(text, window.line_start, window.line_end)
    room = limit - (end - start)
    if room < 0:
        return [_cut_around(text, window, end, limit)]
    above, below = _line_above(text, start), _line_below(text, window.line_end)
    need_above, need_below = (line[1] - line[0] + 1 if line else 0 for line in (above, below))
    for_above = min(need_above, max(room // 2, room - need_below))
    pieces = [_Piece(start, end)]
    if above and (piece := _tail(text, above, for_above - 1)):
        pieces.insert(0, piece)
    if below and (piece := _head(text, below, room - for_above - 1)):
        pieces.append(piece)
    return pieces


def _opening(text: str, limit: int) -> list[_Piece]:
    """The first lines that are not blank: as many as a match would be shown with."""
    pieces: list[_Piece] = []
    room = limit
    line = _line_below(text, -1)
    while line and len(pieces) < 3:
        piece = _head(text, line, room - 1) if pieces else _head(text, line, room, least=1)
        if piece is None:
            break
        pieces.append(piece)
        room -= piece.end - piece.start + len(piece.after) + (len(pieces) > 1)
        line = _line_below(text, line[2])
    return pieces


def _line_above(text: str, start: int) -> tuple[int, int, int] | None:
    """The nearest line above that is not blank: start, end of its words, end."""
    while start > 0:
        end = start - 1
        start = text.rfind("\n", 0, end) + 1
        if (trimmed := _trimmed(text, start, end)) > start:
            return start, trimmed, end
    return None


def _line_below(text: str, end: int) -> tuple[int, int, int] | None:
    """The nearest line below that is not blank: start, end of its words, end."""
    while end < len(text):
        start, end = _line_around(text, end + 1)
        if (trimmed := _trimmed(text, start, end)) > start:
            return start, trimmed, end
    return None


def _tail(text: str, line: tuple[int, int, int], room: int) -> _Piece | None:
    start, end, _ = line
    if end - start <= room:
        return _Piece(start, end)
    if room < _LEAST_CONTEXT:
        return None
    return _Piece(_cut_after(text, end - room + 1, end), end, before=ELLIPSIS)


def _head(text: str, line: tuple[int, int, int], room: int, least: int = _LEAST_CONTEXT) -> _Piece | None:
    start, end, _ = line
    if end - start <= room:
        return _Piece(start, end)
    if room < least:
        return None
    return _Piece(start, _cut_before(text, start + room - 1, start), after=ELLIPSIS)


def _cut_around(text: str, window: _Window, line_end: int, limit: int) -> _Piece:
    """As much of a long line as fits, the matches in its middle."""
    room = limit - 2 * len(ELLIPSIS)
    spare = max(0, room - (window.end - window.start))
    start = max(window.line_start, min(window.start - spare // 2, line_end - room))
    end = min(line_end, start + room)
    if start > window.line_start:
        start = _cut_after(text, start, max(start, min(window.start, end)))
    if end < line_end:
        end = _cut_before(text, end, window.end if window.end <= end else start)
    return _Piece(start, end, ELLIPSIS * (start > window.line_start), ELLIPSIS * (end < line_end))


def _cut_after(text: str, place: int, latest: int) -> int:
    """A place to begin, not before `place`: after a blank nearby, else between graphemes; at most `latest`."""
    for near in range(place, min(place + _NEAR, latest)):
        if text[near].isspace():
            return near + 1
    start, end = _grapheme_at(text, place)
    return place if start == place else min(end, latest)


def _cut_before(text: str, place: int, earliest: int) -> int:
    """A place to end, not after `place`: before a blank nearby, else between graphemes; at least `earliest`."""
    for near in range(place, max(place - _NEAR, earliest), -1):
        if text[near].isspace():
            return near
    return max(_grapheme_at(text, place)[0], earliest)


def _grapheme_at(text: str, place: int) -> tuple[int, int]:
    """The grapheme a place lies in; one that begins there when it is a boundary."""
    if place <= 0 or place >= len(text) or text[place - 1 : place + 1].isascii():
        return place, place
    from wcwidth import iter_graphemes

    start = max(0, place - _LONGEST_GRAPHEME)
    for grapheme in iter_graphemes(text[start : place + _LONGEST_GRAPHEME]):
        if start + len(grapheme) > place:
            return start, start + len(grapheme)
        start += len(grapheme)
    return place, place
