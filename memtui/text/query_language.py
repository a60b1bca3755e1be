"""The query language (spec page 5): words, "exact phrases", -words, filters, and `*` alone. Any text is a query.

An operator begins the text or stands after a blank:

* `field:value` with one of the known fields; a value with blanks is quoted (`area:"Feature/x y"`), a quote in it
  written twice; with a `-` before it, all but that;
* `"exact phrase"`, also in typographic quotes;
* `-word` and `-"a phrase"`: all but what holds it, beside something that is looked for; else the sign is text;
* `*` where nothing else is looked for.

A filter of a known field whose value cannot be used is left out, of the words too: looked for as words it would bring
what nobody asked for.

A `*` directly after the last word says that it is the beginning of others, as if it were still being typed; after any
other word it says nothing.

Anything else is text, whatever signs it holds: `http://x`, `std::vector`, `12:30`, an open quote.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timezone, tzinfo
from typing import Literal, NamedTuple

from memtui.errors import InvalidInput
from memtui.model.results import Understood
from memtui.text.phrases import spelled
from memtui.text.query_filters import Filter, field_named, read_filter, unquoted

Role = Literal["text", "phrase", "excluded", "filter", "everything", "unusable"]


class Problem(NamedTuple):
    """Why something cannot be applied; `choices` are what there would be."""

    message: str
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.message} ({', '.join(self.choices)})" if self.choices else self.message


class Piece(NamedTuple):
    """A part of a query, `[start, end)` in code points of what was typed, and what it means.

    Text runs from one operator to the next. A filter whose value cannot be used is unusable: it is neither applied nor
    looked for, and its `problem` says why. A `-` that leaves nothing out is text with its problem.
    """

    start: int
    end: int
    role: Role
    filter: Filter | None = None
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A query as it was understood.

    `positive` is what is looked for by words, phrases included: the text with all other signs blanked out, so that
    places in it are places in `text`. `pieces` are in order, do not overlap and leave out only blanks.
    """

    text: str
    positive: str
    pieces: tuple[Piece, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    excluded_phrases: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    everything: bool = False
    unread: int = 0
    """Characters behind `text` that were not read, as there were too many."""

    @property
    def plain(self) -> bool:
        """Whether nothing but words is asked."""
        return all(piece.role == "text" for piece in self.pieces)

    @property
    def words(self) -> str:
        """What is looked for, without any sign of the language: the cue, and what is told an embedder."""
        return in_words(self.positive if self.positive == self.text else " ".join(self.positive.split()))

    @property
    def ignored(self) -> tuple[str, ...]:
        """What could not be applied, as typed: filters that say nothing or that nothing answers yet, a lone `-`."""
        return tuple(self.typed(piece) for piece in self.pieces if piece.problem is not None)

    def reservations(self) -> list[str]:
        """What could not be applied, and why, in sentences."""
        unread = (
            [f"only the first {len(self.text):,} characters were read: what follows them had no say"]
            if self.unread
            else []
        )
        problems = ((piece, piece.problem) for piece in self.pieces)
        return unread + [
            f"{self.typed(piece)} was {'searched as words' if piece.role == 'text' else 'left out'}: {problem}"
            for piece, problem in problems
            if problem is not None
        ]

    def understood(self) -> Understood:
        """The same for who is answered."""
        others = self.filters or self.excluded or self.excluded_phrases
        return Understood(
            words=self.words.strip(),
            filters=tuple(str(asked) for asked in self.filters),
            narrowed_by="phrase" if len(self.phrases) == 1 and not others else "filters",
            reservations=tuple(self.reservations()),
        )

    def typed(self, piece: Piece) -> str:
        """A piece as it was typed."""
        return self.text[piece.start : piece.end]

    def without(self, pieces: Iterable[Piece]) -> str:
        """The text as typed without some of its pieces, as when their chips are closed."""
        text = self.text
        for piece in sorted(pieces, key=lambda piece: piece.start, reverse=True):
            before, after = text[: piece.start].rstrip(), text[piece.end :].lstrip()
            text = f"{before} {after}" if before and after else before or after
        return text


def parse(text: str, zone: tzinfo = timezone.utc) -> Query:
    """What a text asks for; never raises. Dates without a zone are `zone`'s.

    A text without operators is given back as it is.
    """
    if _SIGN.search(text) is None:
        return _words_only(text)
    found = [_read(match, zone) for match in _OPERATOR.finditer(text)]
    return _understood(text, found) if found else _words_only(text)


def in_words(text: str) -> str:
    """A text without the `*` that makes a word the beginning of others: what it means is asked of the words."""
    return _STAR.sub("", text) if "*" in text else text


_STAR = re.compile(r"(?<=[^\s*])\*(?!\S)")
_SIGN = re.compile('[:"“„*-]')
_OPERATOR = re.compile(
    r"""(?<!\S)(?:
      (?P<without>-?)(?P<phrase>"[^"]++"|[“„][^“”„"]++[“”])(?![^\W_])
    | (?P<minus>-?)(?P<field>(?i:kind|area|tag|is|claim|rating|(?:recorded-)?(?:before|after))):
      (?P<value>(?!:|//)(?:[^\s"]++|"(?:[^"]++|"")*+")++)(?!\S)
    | -(?P<excluded>[^\W_]\S*+)
    | (?P<everything>\*)(?!\S)
    )""",
    re.VERBOSE,
)
_QUOTES = '"“„'
_SAYS_SOMETHING = re.compile(r"[^\W_]")


def _read(match: re.Match[str], zone: tzinfo) -> Piece:
    """What an operator means by itself."""
    start, end = match.span()
    if match["phrase"]:
        says = spelled(match["phrase"])
        return Piece(start, end, "text" if not says else "excluded" if match["without"] else "phrase")
    if match["excluded"]:
        return Piece(start, end, "excluded")
    if match["everything"]:
        return Piece(start, end, "everything")
    field, value = field_named(match["field"]), unquoted(match["value"])
    if field is None or not value.strip():
        return Piece(start, end, "text")
    try:
        return Piece(start, end, "filter", read_filter(field, value, zone, excludes=bool(match["minus"])))
    except InvalidInput as error:
        return Piece(start, end, "unusable", problem=_told(error))


def _told(error: InvalidInput) -> Problem:
    message = error.message.removesuffix(".")
    if error.hint is not None:
        message += f"{'; ' if error.hint[0].islower() else '. '}{error.hint.removesuffix('.')}"
    return Problem(message, error.choices)


def _understood(text: str, found: list[Piece]) -> Query:
    """What operators mean beside each other and beside the text between them."""
    pieces = list(_with_text_between(text, found))
    words = any(
        piece.role == "phrase" or (piece.role == "text" and _SAYS_SOMETHING.search(text, piece.start, piece.end))
        for piece in pieces
    )
    if words:
        pieces = [piece._replace(role="text") if piece.role == "everything" else piece for piece in pieces]
    everything = any(piece.role == "everything" for piece in pieces)
    if not (words or everything or any(_asks(text, piece) for piece in pieces)):
        pieces = [_beside_nothing(text, piece) for piece in pieces]
    excluded = [text[piece.start + 1 : piece.end] for piece in pieces if piece.role == "excluded"]
    positive: list[str] = []
    end = 0
    for piece in pieces:
        positive += (text[end : piece.start], _looked_for(text, piece))
        end = piece.end
    positive.append(text[end:])
    return Query(
        text=text,
        positive="".join(positive),
        pieces=tuple(pieces),
        phrases=tuple(text[p.start + 1 : p.end - 1] for p in pieces if p.role == "phrase"),
        excluded=tuple(left_out for left_out in excluded if left_out[0] not in _QUOTES),
        excluded_phrases=tuple(left_out[1:-1] for left_out in excluded if left_out[0] in _QUOTES),
        filters=tuple(p.filter for p in pieces if p.filter is not None),
        everything=everything,
    )


def _asks(text: str, piece: Piece) -> bool:
    """Whether a piece is, or was meant to be, a filter that asks for something rather than leaves it out."""
    return piece.role in ("filter", "unusable") and text[piece.start] != "-"


def _beside_nothing(text: str, piece: Piece) -> Piece:
    """Where nothing is looked for nothing can be left out: a `-` is text."""
    if piece.filter is not None:
        problem = Problem("leaving something out needs something to look for: words, or `*` for everything")
        return Piece(piece.start, piece.end, "text", problem=problem)
    if piece.role != "excluded":
        return piece
    everything_else = f"`* {text[piece.start : piece.end]}` lists everything else"
    problem = Problem(f"an exclusion needs something to search for beside it; {everything_else}")
    return piece._replace(role="text", problem=problem)


def _looked_for(text: str, piece: Piece) -> str:
    if piece.role == "text":
        return text[piece.start : piece.end]
    if piece.role == "phrase":
        return f" {text[piece.start + 1 : piece.end - 1]} "
    return " " * (piece.end - piece.start)


def _with_text_between(text: str, found: list[Piece]) -> Iterable[Piece]:
    end = 0
    for piece in found:
        yield from _text(text, end, piece.start)
        yield piece
        end = piece.end
    yield from _text(text, end, len(text))


def _text(text: str, start: int, end: int) -> Iterable[Piece]:
    """The stretch as one piece without the blanks around it; none where there is nothing else."""
    said = text[start:end].lstrip()
    if said:
        start = end - len(said)
        yield Piece(start, start + len(said.rstrip()), "text")


def _words_only(text: str) -> Query:
    return Query(text, text, tuple(_text(text, 0, len(text))))
