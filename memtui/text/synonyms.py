"""Synonyms: words that stand in for one another when a query is searched.

The table is `synonyms.toml` beside this module, a person's own is a file of the same form:

* `same = [["auth", "authentication"], …]`: each word of a line stands for every other;
* `translations = [["hata", "error", "bug"], …]`: the first stands for those after it and they for it.

An entry of several words is only ever what a word is expanded to: a record must hold them all.
Words meet by what the analyser makes of them, so inflected forms need no entries. The stemmer leaves Turkish
endings that pass for English ones or for a part of the word (`kuruluma`, `yedeğin`, `şifremi`); here they are
taken off, for the table tells whether a Turkish word remains.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple, cast

from memtui.model.problems import Problem
from memtui.regular_files import read_regular
from memtui.text.analysis import analyse, query_terms
from memtui.text.folding import fold_accents, fold_case, folded
from memtui.text.stemming import stem
from memtui.text.stopwords import STOP_WORDS
from memtui.text.visible import quotable

FILE_NAME = "synonyms.toml"

_KINDS = ("same", "translations")
_ENDING = re.compile("(?:l[ae]r)?(?:s?[iu]n?|[iu]?[mn](?:[iu]z)?)?(?:[yn]?[aeiu]|n?[iu]n|[dt][ae]n?|y?l[ae])?")
"""Plural, possessive and case of a Turkish noun, each optional, accents folded."""
_HARDENED = {"b": "p", "g": "k", "d": "t"}
_SHORTEST_BASE = 4
"""Letters that must remain before such an ending: shorter words are too easily something else."""
_LARGEST = 256 * 1024
"""Bytes of a table someone wrote."""
_MOST_WORDS = 5_000
"""How many entries of such a table count, some 0.2 s: a one-shot command reads them all for each search."""
_MOST_IN_LINE = 50
"""Words of one line: each is searched for where one of them is asked for."""
_MOST_REMEMBERED = 8_192
_LINE = re.compile(r"at line (\d+)")


class Synonym(NamedTuple):
    """What stands for a word: as written, and the index tokens a record must hold, all of them."""

    text: str
    tokens: tuple[str, ...]


class _Row(NamedTuple):
    """One line of a table. In a translation the first word is tied to each other, and these to it alone."""

    words: tuple[str, ...]
    is_translation: bool

    def others(self, place: int) -> tuple[str, ...]:
        """What stands for the word at a place."""
        if not self.is_translation:
            return self.words[:place] + self.words[place + 1 :]
        return self.words[1:] if place == 0 else self.words[:1]


_Entry = tuple[_Row, int]
"""A line and the place of one word in it."""


class Synonyms:
    """The shipped table and those of some files, read when a word is first looked up. Thread-safe."""

    def __init__(self, *own: Path, tell: Callable[[tuple[Problem, ...]], None] | None = None) -> None:
        """`tell` is called once, when words are first looked up in files that something is wrong with."""
        self._own_files = own
        self._tell = tell
        self._known: dict[str, tuple[Synonym, ...]] = {}

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the files; everything else in them counts."""
        return self._own[1]

    def of(self, token: str) -> tuple[Synonym, ...]:
        """What stands for an index token (a stem with its mark `~`, or a compound), in the order of the tables."""
        if (known := self._known.get(token)) is not None:
            return known
        found = self._standing_for(token, opening=False)
        if not found and token.startswith("~"):
            for base in _without_ending(token[1:]):
                found = found or self._standing_for("~" + stem(base), opening=True)
        found.pop((token,), None)
        synonyms = tuple(Synonym(text, tokens) for tokens, text in found.items())
        if len(self._known) >= _MOST_REMEMBERED:
            self._known.clear()
        self._known[token] = synonyms
        return synonyms

    def _standing_for(self, token: str, *, opening: bool) -> dict[tuple[str, ...], str]:
        """Tokens → text of all that the lines holding a word give; `opening`: only translations that begin with it."""
        own, problems = self._own
        if problems and self._tell is not None:
            tell, self._tell = self._tell, None
            tell(problems)
        found: dict[tuple[str, ...], str] = {}
        for row, place in (*_shipped_entries(_beginning(token)).get(token, ()), *own.get(token, ())):
            if not opening or (row.is_translation and place == 0):
                for text in row.others(place):
                    found.setdefault(_tokens(text), text)
        return found

    @cached_property
    def _own(self) -> tuple[dict[str, list[_Entry]], tuple[Problem, ...]]:
        rows: list[_Row] = []
        problems: list[Problem] = []
        for file in self._own_files:
            try:
                table, wrong = _read(_text_of(file))
            except FileNotFoundError:
                continue
            except UnicodeDecodeError:
                table, wrong = [], [_Wrong("is not UTF-8 text")]
            except _TooLarge:
                table, wrong = [], [_Wrong(f"is larger than {_LARGEST // 1024} KiB: none of its synonyms count")]
            except OSError as error:
                table, wrong = [], [_Wrong(f"cannot be read: {error.strerror or error}")]
            rows += table
            problems += [Problem(file.name, *what) for what in wrong]
        return _by_token((row, place) for row in rows for place in range(len(row.words))), tuple(problems)


SHIPPED = Synonyms()
"""The shipped table alone."""


class _Line(NamedTuple):
    """A line of the shipped table that holds a row: as written, folded, and of which sort."""

    text: str
    plain: str
    is_translation: bool

    def row(self) -> _Row:
        """Its words: in the shipped table a row is a line, and reads the same as JSON."""
        return _Row(tuple(json.loads(self.text.strip().rstrip(","))), self.is_translation)


@cache
def _shipped_lines() -> tuple[_Line, ...]:
    """The lines of the shipped table: reading all of its rows would take a one-shot command a tenth of its time."""
    # Where it lies is told by this file: `importlib.resources` takes longer to load than the table to read.
    text = Path(__file__).with_name(FILE_NAME).read_text(encoding="utf-8")
    translations = text.index("\ntranslations = ")
    plain_text = fold_accents(fold_case(text))  # it is written in canonical form
    lines: list[_Line] = []
    place = 0
    for line, plain in zip(text.splitlines(keepends=True), plain_text.splitlines(), strict=True):
        if line.lstrip().startswith("["):
            lines.append(_Line(line, plain, place > translations))
        place += len(line)
    return tuple(lines)


@cache
def _shipped_entries(beginning: str) -> dict[str, list[_Entry]]:
    """The shipped entries of words that begin so; the others are never looked at."""
    rows = [line.row() for line in _shipped_lines() if f'"{beginning}' in line.plain]
    return _by_token(
        (row, place) for row in rows for place, word in enumerate(row.words) if _beginning(folded(word)) == beginning
    )


def _by_token(entries: Iterable[_Entry]) -> dict[str, list[_Entry]]:
    """The entries by the token that stands for their word in an index; one of several words has none."""
    found: dict[str, list[_Entry]] = {}
    for row, place in entries:
        tokens = _tokens(row.words[place])
        if len(tokens) == 1:
            found.setdefault(tokens[0], []).append((row, place))
    return found


def _tokens(text: str) -> tuple[str, ...]:
    return tuple([term.score_tokens[0] for term in query_terms(text).terms])


def _beginning(token: str) -> str:
    """The letters of a word that analysis leaves alone: no stem is shorter than three."""
    return token.removeprefix("~")[:2]


def _without_ending(letters: str) -> Iterator[str]:
    """What may remain of a Turkish word without one of the endings, also with its last consonant hardened."""
    for end in range(len(letters), _SHORTEST_BASE - 1, -1):
        if end == len(letters) or _ENDING.fullmatch(letters, end):
            yield letters[:end]
            if letters[end - 1] in _HARDENED:
                yield letters[: end - 1] + _HARDENED[letters[end - 1]]


# --- Reading a table -----------------------------------------------------------------------------


class _Wrong(NamedTuple):
    """What is wrong with a file; the fields of `Problem` without its path."""

    reason: str
    line: int | None = None
    field: str | None = None
    value: str | None = None


class _TooLarge(OSError):
    """A table that would slow every search."""


def _text_of(file: Path) -> str:
    """What a table someone wrote says. Raises OSError, UnicodeDecodeError, _TooLarge."""
    data = read_regular(os.path.realpath(file), _LARGEST)
    if len(data) > _LARGEST:
        raise _TooLarge
    return data.decode("utf-8-sig")


def _parsed(text: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(text)


def _read(text: str) -> tuple[list[_Row], list[_Wrong]]:
    """The lines of a table someone wrote, and what is wrong with it."""
    try:
        table = _parsed(text)
    except ValueError as error:  # TOMLDecodeError, without importing tomllib where there is no file
        place = _LINE.search(str(error))
        return [], [_Wrong(f"is not valid TOML: {error}", int(place[1]) if place else None)]
    except RecursionError:
        return [], [_Wrong("is nested too deeply to be a table of synonyms")]
    rows: list[_Row] = []
    wrong: list[_Wrong] = []
    left = _MOST_WORDS
    for kind, lines in table.items():
        if kind not in _KINDS:
            wrong.append(_Wrong(f"is not known here, only {' and '.join(_KINDS)}", field=quotable(kind)))
            if len(wrong) == _MOST_WORDS:
                break
        elif not isinstance(lines, list):
            wrong.append(_Wrong("must be a list of lists of words", field=kind, value=quotable(lines)))
        else:
            for number, line in enumerate(cast("list[Any]", lines), start=1):
                entry = f"{kind}, entry {number}"
                left -= len(cast("list[Any]", line)) if isinstance(line, list) else 1
                if left < 0:
                    wrong.append(_Wrong(f"is left out with all after it: {_MOST_WORDS:,} words count", field=entry))
                    return rows, wrong
                words = _read_words(line, entry, wrong)
                if words:
                    rows.append(_Row(words, kind == "translations"))
    return rows, wrong


def _read_words(line: Any, field: str, wrong: list[_Wrong]) -> tuple[str, ...]:
    """The words of one line that can be searched; none of a line that says nothing. Adds to `wrong`."""
    if not isinstance(line, list):
        wrong.append(_Wrong("must be a list of words", field=field, value=quotable(line)))
        return ()
    words: list[str] = []
    given = cast("list[Any]", line)
    if len(given) > _MOST_IN_LINE:
        wrong.append(_Wrong(f"names {len(given):,} words: the first {_MOST_IN_LINE} count", field=field))
        given = given[:_MOST_IN_LINE]
    for place, word in enumerate(given):
        reason = _unfit(word)
        if reason is None:
            words.append(word)
        else:
            wrong.append(_Wrong(reason, field=field, value=quotable(word)))
            if place == 0:  # of a translation nothing is left to be tied to
                return ()
    if len(words) > 1:
        return tuple(words)
    if len(words) == len(given):
        wrong.append(_Wrong("must name at least two words", field=field, value=quotable(given)))
    return ()


def _unfit(word: Any) -> str | None:
    """Why something is no entry of a table; None for one that is."""
    if not isinstance(word, str):
        return "must be text"
    found = analyse(word)
    if not found:
        return "holds no word"
    stop = [token.exact for token in found if token.exact in STOP_WORDS]
    if stop and len(found) > 1:
        return f"holds {stop[0]!r}, which no query asks for: leave it out"
    return None
