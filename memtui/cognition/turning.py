"""What turns a sentence round though nearly all its words stay: figures, denials, days and months, opposites.

Two texts that differ in one of these may say the opposite, however near they are by words or by meaning. So they are
shown to a person and never taken for the same. English and Turkish; what is not listed is left to nearness.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memtui.cognition.overlap import folded, words


class Turning(NamedTuple):
    """What two texts must agree in to say the same."""

    figures: tuple[str, ...]
    """Words with digits, and numbers in words as digits, in the order they stand."""
    denials: int
    """How often something is denied."""
    sides: frozenset[str]
    """Days, months and halves of opposites that are named."""


def turning(text: str | None) -> Turning:
    """What would turn a text round if it differed."""
    said: list[str] = _WORD.findall(folded(text or ""))
    figures = tuple(_NUMBERS.get(word, word) for word in said if word in _NUMBERS or _has_digit(word))
    sides = frozenset(side for word in said if (side := _side(word)) is not None)
    return Turning(figures, sum(_denies(word) for word in said), sides)


_WORD = re.compile(r"\w+")


def _has_digit(word: str) -> bool:
    return any(sign.isdecimal() for sign in word)


_DENYING = words(
    "not no never none nothing nobody cannot without neither nor t değil degil yok hayır asla hiç hic olmadan"
)
"""Words that deny; `t` is what is left of don't, isn't, can't."""
_SHORTEST_DENIAL = 6
"""Characters of the shortest Turkish word whose ending is looked at: shorter ones are words of their own."""
_DENYING_END = re.compile(
    # gelmez, gelmiyor, gelmedi, gelmemiş, gelmeyecek, gelmemeli, gelmesin, gelmeden; and, of nouns, şifresiz
    "(?:m[ae](?:z|d[iuü]|mi[sş]|y[ae]c[ae][kğ]|m[ae]li|sin|d[ae]n)|m[iuü]yor|s[iuü]z)"
    "(?:l[ae]r|dir|di|l[iu]k|s[ae]|im|iz|k|m|n)*$"
)
"""Endings by which a Turkish word denies, as `folded` leaves them: `ı` is written `i`."""


def _denies(word: str) -> bool:
    return word in _DENYING or (len(word) >= _SHORTEST_DENIAL and _DENYING_END.search(word) is not None)


_SPELLED = (
    "two iki",
    "three üç uc",
    "four dört dort",
    "five beş bes",
    "six altı",
    "seven yedi",
    "eight sekiz",
    "nine dokuz",
    "ten",
    "eleven",
    "twelve",
)
"""Numbers from two on; not one and bir, which are articles too, nor on, which is ten and an English preposition."""
_NUMBERS = {word: str(number) for number, spelled in enumerate(_SPELLED, start=2) for word in words(spelled)}

_OPPOSITES = words(
    "before after önce sonra önceki sonraki enable enables enabled disable disables disabled off open opens opened "
    "close closes closed açık kapalı açılır kapanır first last ilk son min minimum max maximum allow allows allowed "
    "forbid forbids forbidden accepted approved denied rejected succeeded failed true false public private internal "
    "external optional mandatory required zorunlu isteğe increase increases increased decrease decreases decreased "
    "arttı azaldı başarılı başarısız"
)
"""Halves of opposites. What stands in every other sentence anyway (on, in, with, var, over, more) is left out."""
_DAYS = words(
    "monday tuesday wednesday thursday friday saturday sunday pazartesi salı çarşamba perşembe cuma cumartesi pazar "
    "january february march april june july august september october november december ocak şubat mart nisan mayıs "
    "haziran temmuz ağustos eylül ekim kasım aralık"
)
"""Days and months, but not May, which is a verb as well."""
_DAY = re.compile("|".join(sorted(_DAYS, key=lambda name: (-len(name), name))))
"""The longest first: cumartesi begins with cuma."""


def _side(word: str) -> str | None:
    """The opposite's half or the day that a word names; days and months also with an ending."""
    if word in _OPPOSITES:
        return word
    day = _DAY.match(word)
    return None if day is None else day.group()
