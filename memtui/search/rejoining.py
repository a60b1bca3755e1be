"""Identifiers as others write them: the same characters, joined by other signs or by none.

`OLV-214` is typed `olv214`, `olv_214` or `olv.214` by who only heard of it. What is tried are whole terms of the
dictionary, a handful of look-ups for each identifier, so that no list of spellings has to be kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from memtui.text.analysis import QueryTerm, analyse
from memtui.text.folding import fold_accents
from memtui.text.stemming import stem

_JOINERS = ("", "-", "_", ".", "/", ":")
"""Signs that are tried; the others that hold a compound together say what kind of thing it is: `#tag`, `@name`."""
_MOST_FREE = 2
"""Seams of an identifier in which each may be joined its own way; where there are more, all are joined alike."""
_FEWEST_NUMBERS = 3
"""Numbers that make an identifier: `2026.03.12` is the day 2026-03-12, but 1.5 is neither 15 nor 1/5."""
_RUNS = re.compile(r"\d+|\D+")


def written_otherwise(term: QueryTerm) -> tuple[str, ...]:
    """The tokens that the identifier a term is could stand under, joined otherwise; none where it is no identifier.

    It is cut at its signs, where a capital begins a word, and between letters and digits.
    """
    if term.shape not in ("identifier", "number"):
        return ()
    (token, *_) = analyse(term.text)
    pieces = [_RUNS.findall(fold_accents(part.exact)) for part in token.parts or (token,)]
    runs = [run for piece in pieces for run in piece]
    if len(runs) < (_FEWEST_NUMBERS if term.shape == "number" else 2):
        return ()
    forms = dict.fromkeys(_free(runs) if len(runs) - 1 <= _MOST_FREE else _alike(pieces))
    return tuple(_token(form) for form in forms)


def _free(runs: Sequence[str]) -> Iterator[str]:
    first, *others = runs
    for joiners in product(_JOINERS, repeat=len(others)):
        yield first + "".join(joiner + run for joiner, run in zip(joiners, others, strict=True))


def _alike(pieces: Sequence[Sequence[str]]) -> Iterator[str]:
    for joiner in _JOINERS:
        yield joiner.join("".join(piece) for piece in pieces)
        yield joiner.join(run for piece in pieces for run in piece)


def _token(form: str) -> str:
    """What the analyser makes of a form: letters alone are a word, and words are found by their stems."""
    return "~" + stem(form) if form.isalpha() else form
