"""The one analyser: text and queries become the same tokens here, and nowhere else.

A text is read in two steps. Its *shape* (one class letter for each code point, `memtui.text.folding`)
is cut by one regular expression into chunks: words, compounds, runs of scripts written without
blanks, emoji. Each chunk is then read on its own and remembered, so that a word met again costs a
dictionary look-up. Nothing is normalised before it is cut: spans are those of the original text.

What a chunk emits:

* an ordinary word: its exact form (accents kept) and, marked `~`, its matching form (accents folded,
  stemmed): `toplantıda ~toplant`;
* a number, or a word mixing letters and digits: one unmarked token, never stemmed: `pg16`;
* a compound (`src/app.ts`, `i-046`, `C++`, `#tag`): the whole, accent-folded and unmarked, then its
  parts as words. A word with an apostrophe gives the whole and what stands before it
  (`istanbul'da istanbul ~istanbul`); what follows counts only after a single letter (`o'brien`);
* a camelCase word: as an ordinary word, then its parts;
* a run of Han, Kana, Hangul, Thai, Lao, Khmer or Myanmar: each character and each pair of neighbours;
* an emoji without variation selectors and skin tones; a joined sequence also its members.

Tokens hold no blanks and are never empty; one longer than `LONGEST_TOKEN` is cut to its beginning.
Nothing raises on any text: control characters and lone surrogates part words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from memtui.text.folding import CLASSES, canonical, fold_accents, fold_case, folded
from memtui.text.stemming import stem
from memtui.text.stopwords import STOP_WORDS

ANALYSER = "1"
"""The version of the tokens, stored with every index: it changes whenever any token changes."""

LONGEST_TOKEN = 128
"""Code points of the longest token, the `~` mark not counted."""

Shape: TypeAlias = Literal["word", "identifier", "number", "script", "emoji"]


class Token(NamedTuple):
    """One word, compound, run or emoji of a text, and the tokens it emits.

    `start` and `end` are code points of the original text and cover exactly what was read, joiners
    included. `tokens` goes into the index; `score_tokens` is what a query scores by, the whole first.
    `exact` is the unmarked form of the whole; `parts` are the nested words of a compound or the
    characters and pairs of a run, each with its own span.
    """

    start: int
    end: int
    tokens: tuple[str, ...]
    score_tokens: tuple[str, ...]
    exact: str
    shape: Shape
    parts: tuple[Token, ...] = ()

    def moved(self, offset: int) -> Token:
        """The same token, `offset` code points further on."""
        start, end, tokens, score_tokens, exact, shape, parts = self
        if parts:
            parts = tuple([part.moved(offset) for part in parts])
        return Token(start + offset, end + offset, tokens, score_tokens, exact, shape, parts)


class QueryTerm(NamedTuple):
    """One thing a query asks for: a word, a compound, a pair of characters, an emoji.

    `text` is as typed, at `[start, end)` of the query. `score_tokens` has the whole first, then the
    score tokens of the parts, which `parts` holds grouped part by part (empty for a simple word).
    """

    text: str
    exact: str
    score_tokens: tuple[str, ...]
    tokens: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...]
    shape: Shape
    is_stop: bool
    start: int
    end: int


class QueryTerms(NamedTuple):
    """A query, analysed: `terms` in the order typed, each once; stop words only if there is nothing else.

    `last` is the word still being typed, accent-folded, for matching prefixes: the last word, also a
    stop word, unless a blank or punctuation ends the query; a `*` directly after it says so even before
    blanks. None otherwise, and for scripts without blanks, where every character is a token already.
    """

    terms: tuple[QueryTerm, ...]
    last: str | None


_WORD = "[aA0][aA0mzj]*"
_ANY_WORD = "[aA0][aA0mkzj]*"
_JOIN = r"(?:[-_./:#@+&'\\][zj]*){1,3}"
_CHUNKS = re.compile(
    rf"(?:(?<![#@.])[#@.])?{_ANY_WORD}(?:{_JOIN}{_ANY_WORD})*[+#]{{0,2}}"
    r"|[ckv][ckvmzj]*"
    r"|e[tz]*(?:jz*e[tz]*)*|rz*r?|t"
    r"|x"
)
_PARTS = re.compile(rf"(?<![aA0mzj])[aA][mzj]*(?:\+\+|#)|{_WORD}")
_PLAIN_PARTS = re.compile(_WORD)
_HUMPS = re.compile(
    r"(?:A[mzj]*+)+(?=A[mzj]*+a)"  # HTTP before Server
    r"|(?:A[mzj]*+)?(?:[a0][mzj]*+)+"
    r"|(?:A[mzj]*+(?!a)|0[mzj]*+)+"
)
_NOT_CAPITAL = re.compile("[a0]")
_TWO_CAPITALS = re.compile("A[mzj]*A")
_TWO_SMALL = re.compile("a[mzj]*a")
_LETTERS = re.compile("[aA]")
_UNITS = re.compile("[ckv][kvmzj]*")
_LONGEST_REMEMBERED = 64
_REMEMBERED_CHUNKS = 8_192
_REMEMBERED_TEXTS = 32_768


def analyse(text: str) -> list[Token]:
    """Every word of a text in reading order, with spans; compounds hold their parts."""
    tokens: list[Token] = []
    shape = text.translate(CLASSES)
    for found in _CHUNKS.finditer(shape):
        start, end = found.span()
        chunk = text[start:end]
        if shape[start] in "ckv":
            tokens.append(_run(chunk, shape[start:end], start))
            continue
        tokens.append(_token(chunk, start))
    return tokens


def _token(chunk: str, start: int) -> Token:
    token = _remembered(chunk) if len(chunk) <= _LONGEST_REMEMBERED else _read(chunk)
    return token.moved(start) if start else token


def index_text(text: str) -> str:
    """All tokens of a text in reading order, joined by blanks: what the index stores.

    Equal to joining the `tokens` of `analyse(text)`, without the cost of spans.
    """
    emitted: list[str] = []
    for found in _CHUNKS.finditer(text.translate(CLASSES)):
        start, end = found.span()
        chunk = text[start:end]
        emitted.append(_remembered_index(chunk) if end - start <= _LONGEST_REMEMBERED else _index_of(chunk))
    return " ".join(emitted)


def query_terms(text: str) -> QueryTerms:
    """What a query asks for. Any text is a query; one without words has no terms."""
    shape = text.translate(CLASSES)
    terms: dict[tuple[str, ...], QueryTerm] = {}
    last: Token | None = None
    for found in _CHUNKS.finditer(shape):
        start, end = found.span()
        if shape[start] in "ckv":
            last = None
            _ask_for_run(text, shape, start, end, terms)
            continue
        last = _token(text[start:end], start)
        if last.score_tokens not in terms:
            terms[last.score_tokens] = _term(last, text)
    chosen = tuple([term for term in terms.values() if not term.is_stop]) or tuple(terms.values())
    return QueryTerms(chosen, _being_typed(last, text))


def _ask_for_run(text: str, shape: str, start: int, end: int, terms: dict[tuple[str, ...], QueryTerm]) -> None:
    """Add what a query asks for by a run: its pairs, or its only character."""
    units = _units(text[start:end], shape[start:end])
    asked = [(a + b, first, last) for (a, first, _), (b, _, last) in pairwise(units)] or units
    for exact, first, last in asked:
        own = (exact,)
        if own not in terms:
            first, last = start + first, start + last
            terms[own] = QueryTerm(text[first:last], exact, own, own, (), "script", exact in STOP_WORDS, first, last)


def _term(token: Token, text: str) -> QueryTerm:
    start, end, tokens, score_tokens, exact, shape, parts = token
    groups = tuple([part.score_tokens for part in parts])
    return QueryTerm(text[start:end], exact, score_tokens, tokens, groups, shape, _is_stop(token), start, end)


def _is_stop(token: Token) -> bool:
    if token.exact in STOP_WORDS:
        return True
    # what's, ne'yi: a stop word with something hanging on it.
    return token.shape == "word" and bool(token.parts) and all(part.exact in STOP_WORDS for part in token.parts)


def _being_typed(last: Token | None, text: str) -> str | None:
    if last is None or last.shape == "emoji":
        return None
    after = text[last.end :].translate(CLASSES).strip("zj")
    is_open = not after or text[last.end :].rstrip() == "*"
    return fold_accents(last.exact) if is_open else None


# --- One chunk -----------------------------------------------------------------------------------


def _read(chunk: str) -> Token:
    """A chunk that is no run of an unspaced script, as if it began the text."""
    shape = chunk.translate(CLASSES)
    kind = shape[0]
    if kind in "ert":
        return _emoji(chunk, shape)
    if kind == "x":
        return _mixed(chunk)
    # A stray mark of another script changes places with the word's own under NFD: it stays in the word.
    shape = shape.rstrip("zj").replace("k", "m")
    chunk = chunk[: len(shape)]
    simple = shape.strip("aA0mzj") == ""
    return _word(chunk, shape) if simple else _compound(chunk, shape)


def _index_of(chunk: str) -> str:
    shape = chunk.translate(CLASSES)
    if shape[0] in "ckv":
        return " ".join(_characters_and_pairs([char for char, _, _ in _units(chunk, shape)]))
    return " ".join(_read(chunk).tokens)


_remembered = lru_cache(maxsize=_REMEMBERED_CHUNKS)(_read)
_remembered_index = lru_cache(maxsize=_REMEMBERED_TEXTS)(_index_of)


def _word(raw: str, shape: str, start: int = 0) -> Token:
    """A word without joiners: ordinary, with digits, or camelCase."""
    exact = fold_case(canonical(raw))[:LONGEST_TOKEN]
    plain = fold_accents(exact)[:LONGEST_TOKEN]
    end = start + len(raw)
    has_letters = "a" in shape or "A" in shape
    if "0" in shape:
        exact, own = plain, (plain,)
    else:
        own = (exact, "~" + stem(plain))
    score = own[-1:]
    if not has_letters:
        return Token(start, end, own, score, exact, "number")
    parts = _humps(raw, shape, start) if "A" in shape and _may_have_humps(shape) else ()
    if len(parts) > 1:
        tokens, score_tokens = _joined(own, parts), _once(score, parts)
        return Token(start, end, tokens, score_tokens, exact, "identifier", parts)
    return Token(start, end, own, score, exact, "identifier" if "0" in shape else "word")


def _may_have_humps(shape: str) -> bool:
    """Whether a capital follows what is none, or two small letters follow two capitals.

    Looked for in steps: one expression for it would try every capital of a long word anew.
    """
    small = _NOT_CAPITAL.search(shape)
    if small is None:
        return False
    if shape.rfind("A") > small.start():
        return True
    capitals = _TWO_CAPITALS.search(shape)
    return capitals is not None and _TWO_SMALL.search(shape, capitals.end()) is not None


def _humps(raw: str, shape: str, start: int) -> tuple[Token, ...]:
    """The words of a camelCase word: get User Name, HTTP Server. Plural capitals (URLs) are one word."""
    return tuple([_simple(raw, shape, found, start) for found in _HUMPS.finditer(shape)])


def _simple(raw: str, shape: str, found: re.Match[str], start: int) -> Token:
    """A part that is not taken apart further."""
    first, last = found.span()
    # Lower case leaves no humps to look for.
    return _word(raw[first:last], shape[first:last].replace("A", "a"), start + first)


def _compound(raw: str, shape: str, start: int = 0) -> Token:
    """Parts held together by joiners: the whole, then the parts that count."""
    whole = folded(raw)[:LONGEST_TOKEN]
    spans = [found.span() for found in _PARTS.finditer(shape)]
    if len(spans) == 1 and spans[0] == (0, len(shape)):
        spans = [found.span() for found in _PLAIN_PARTS.finditer(shape)]
    parts: list[Token] = []
    for place, (first, last) in enumerate(spans):
        if place and not _counts_after_apostrophe(shape, spans[place - 1], (first, last)):
            continue
        short = last - first <= _LONGEST_REMEMBERED
        part = (_remembered_part if short else _part)(raw[first:last], shape[first:last])
        parts.append(part.moved(start + first))
    nested = tuple(parts)
    tokens, score_tokens = _joined((whole,), nested), _once((whole,), nested)
    return Token(start, start + len(raw), tokens, score_tokens, whole, _compound_shape(shape, nested), nested)


def _part(raw: str, shape: str) -> Token:
    """A part of a compound, as if it began the text."""
    return _compound(raw, shape) if shape[-1] in "+#" else _word(raw, shape)


_remembered_part = lru_cache(maxsize=_REMEMBERED_CHUNKS)(_part)


def _compound_shape(shape: str, parts: Iterable[Token]) -> Shape:
    if all(part.shape == "number" for part in parts):
        return "number"
    if set(shape) - set("aAmzj") == {"'"}:
        return "word"
    return "identifier"


def _counts_after_apostrophe(shape: str, before: tuple[int, int], part: tuple[int, int]) -> bool:
    """Whether a part counts: not a suffix hanging on an apostrophe (don't, İstanbul'da), but O'Brien does."""
    if "'" not in shape[before[1] : part[0]]:
        return True
    leading = shape[before[0] : before[1]].strip("mzj")
    return leading in ("a", "A") and len(_LETTERS.findall(shape, *part)) >= 3


def _joined(own: tuple[str, ...], parts: Iterable[Token]) -> tuple[str, ...]:
    return own + tuple([token for part in parts for token in part.tokens])


def _once(own: tuple[str, ...], parts: Iterable[Token]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(own + tuple([token for part in parts for token in part.score_tokens])))


# --- Scripts without blanks, emoji, signs that stand for several things --------------------------


def _units(raw: str, shape: str) -> list[tuple[str, int, int]]:
    """Each character of a run after NFKC, with the span of the original it came from."""
    if shape == "c" * len(shape) and unicodedata.is_normalized("NFKC", raw):
        return [(char, place, place + 1) for place, char in enumerate(raw)]
    return [
        (char, found.start(), found.end())
        for found in _UNITS.finditer(shape.rstrip("zj"))
        for char in canonical(raw[found.start() : found.end()])
    ]


def _characters_and_pairs(chars: list[str]) -> Iterator[str]:
    for place, char in enumerate(chars):
        yield char
        if place + 1 < len(chars):
            yield char + chars[place + 1]


def _run(raw: str, shape: str, offset: int) -> Token:
    units = _units(raw, shape)
    parts: list[Token] = []
    for place, (char, start, end) in enumerate(units, start=1):
        own = (char,)
        parts.append(Token(offset + start, offset + end, own, own, char, "script"))
        if place < len(units):
            following, _, pair_end = units[place]
            pair = (char + following,)
            parts.append(Token(offset + start, offset + pair_end, pair, pair, pair[0], "script"))
    tokens = tuple([part.exact for part in parts])
    asked = tuple(dict.fromkeys(tokens[1::2])) or tokens
    whole = "".join([char for char, _, _ in units])[:LONGEST_TOKEN]
    return Token(offset, offset + units[-1][2], tokens, asked, whole, "script", tuple(parts))


def _emoji(raw: str, shape: str) -> Token:
    """An emoji sequence by its base characters; a flag (two regional letters) is one."""
    if shape[0] != "e":
        whole = "".join([char for char, kind in zip(raw, shape, strict=True) if kind != "z"])
        return Token(0, len(shape.rstrip("z")), (whole,), (whole,), whole, "emoji")
    places = [place for place, kind in enumerate(shape) if kind == "e"]
    whole = "".join([raw[place] for place in places])[:LONGEST_TOKEN]
    if len(places) == 1:
        return Token(0, len(raw), (whole,), (whole,), whole, "emoji")
    parts = tuple([Token(p, p + 1, (raw[p],), (raw[p],), raw[p], "emoji") for p in places])
    return Token(0, len(raw), _joined((whole,), parts), _once((whole,), parts), whole, "emoji", parts)


def _mixed(char: str) -> Token:
    """One character that NFKC writes out as several things (½, ㏠, ℃): all of them, at its place."""
    inner = analyse(unicodedata.normalize("NFKC", char))
    tokens = _joined((), inner)
    return Token(0, 1, tokens, _once((), inner), tokens[0], "identifier")
