"""Letters: their classes for cutting text into words, and the forms in which they are compared.

Three forms of one word, from what was typed to what is matched:

* *canonical*: NFKC, invisible characters removed, typographic apostrophes and dashes made plain;
* *case-folded* (`fold_case`): lower case that is right for Turkish, accents kept (`çağrı`, `istanbul`);
* *accent-folded* (`fold_accents`): plain base letters (`cagri`), also where Unicode knows no decomposition (ø, ł, ß).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right

from memtui.model.normal_forms import nfkc

APOSTROPHES = "'\u00b4\u02b9\u02bb\u02bc\u02bd\u055a\u2018\u2019\u201b\u2032\u1ffd\uff07"
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
JOINERS = "-_./:#@+&'\\"
"""Signs that hold the parts of one compound together when they stand between letters or digits."""

LETTER, CAPITAL, MARK, DIGIT = "a", "A", "m", "0"
SCRIPT, SCRIPT_MARK, SCRIPT_VOWEL = "c", "k", "v"
EMOJI, FLAG, SKIN_TONE = "e", "r", "t"
INVISIBLE, ZERO_WIDTH_JOINER = "z", "j"
MIXED, SEPARATOR = "x", " "

_OTHER_SLASHES = "\u2044\u2215"
_KEYCAP = 0x20E3
_INVISIBLE_RANGES = (
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x115F, 0x1160),  # Hangul fillers
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (_KEYCAP, _KEYCAP),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0x1BCA0, 0x1BCA3),
    (0xE0000, 0xE0FFF),
)
_NOT_SAID = frozenset("\u2122\u2120\u00a9\u00ae")
"""Signs beside a name (™ ℠ © ®) that must not become part of it, as NFKC would have it."""

_UNSPACED_RANGES = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul letters
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # Han radicals
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3031, 0x303C),
    (0x3041, 0x30FF),  # Hiragana, Katakana
    (0x3100, 0x318F),
    (0x31A0, 0x31BF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),  # Han
    (0xA960, 0xA97F),
    (0xA9E0, 0xA9FF),
    (0xAA60, 0xAA7F),
    (0xAC00, 0xD7FF),  # Hangul syllables
    (0xF900, 0xFAFF),
    (0x1AFF0, 0x1B16F),
    (0x20000, 0x3FFFD),
)
_EMOJI_RANGES = (
    (0x231A, 0x231B),
    (0x23E9, 0x23FA),
    (0x2600, 0x2775),
    (0x2794, 0x27BF),
    (0x2B1B, 0x2B1C),
    (0x2B50, 0x2B55),
    (0x1F000, 0x1FAFF),
)
_ACCENTED_RANGES = (
    (0x41, 0x24F),  # Latin
    (0x370, 0x52F),  # Greek, Cyrillic
    (0x1E00, 0x1FFF),
    (0x2C60, 0x2C7F),
    (0xA640, 0xA69F),
    (0xA720, 0xA7FF),
)
_VOWEL_POINT_RANGES = (
    (0x300, 0x36F),  # what is left of a Latin, Greek or Cyrillic letter's accents
    (0x591, 0x5BD),  # Hebrew points
    (0x5BF, 0x5C7),
    (0x610, 0x61A),  # Arabic vowel signs, which ordinary writing leaves out
    (0x640, 0x640),
    (0x64B, 0x65F),
    (0x670, 0x670),
    (0x6D6, 0x6ED),
)
_BEYOND = 0x110000
"""Greater than every code point."""
_UNDECOMPOSED = {
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "ß": "ss",
    "æ": "ae",
    "œ": "oe",
    "þ": "th",
    "ı": "i",
    "ħ": "h",
    "ŧ": "t",
    "ĸ": "k",
    "ŋ": "n",
    "ƒ": "f",
    "ȷ": "j",
}


def _within(code_point: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    """Whether a code point lies in one of some ranges, which rise and do not touch."""
    place = bisect_right(ranges, (code_point, _BEYOND)) - 1
    return place >= 0 and code_point <= ranges[place][1]


def _script_class(char: str) -> str:
    """The class of a letter of an unspaced script: one of its own, or one that NFC may join to the one before."""
    if unicodedata.combining(char):
        return SCRIPT_MARK
    hangul_vowel_or_final = "\u1160" <= char <= "\u11ff"
    myanmar_vowel_ii = char == "\u102e"
    return SCRIPT_VOWEL if hangul_vowel_or_final or myanmar_vowel_ii else SCRIPT


def _class_of_one(char: str) -> str:
    """The class of a character that NFKC leaves alone."""
    code_point = ord(char)
    if char in APOSTROPHES:
        return "'"
    if char in DASHES:
        return "-"
    if char in JOINERS:
        return char
    if char in _OTHER_SLASHES:
        return "/"
    if code_point == 0x200D:
        return ZERO_WIDTH_JOINER
    if char in _NOT_SAID or char.isspace():
        return SEPARATOR
    if _within(code_point, _INVISIBLE_RANGES):
        return INVISIBLE
    if 0x1F1E6 <= code_point <= 0x1F1FF:
        return FLAG
    if 0x1F3FB <= code_point <= 0x1F3FF:
        return SKIN_TONE
    if _within(code_point, _EMOJI_RANGES):
        return EMOJI
    category = unicodedata.category(char)
    if category[0] not in "LMN":
        return SEPARATOR
    if category != "Nd" and _within(code_point, _UNSPACED_RANGES):
        return _script_class(char)
    if category[0] == "M":
        return MARK
    if category[0] == "N":
        return DIGIT
    return CAPITAL if category in ("Lu", "Lt") else LETTER


def character_class(char: str) -> str:
    """The class of one character, decided by what NFKC makes of it.

    `x` (mixed) is a single character that stands for several things at once (½, ㈱, ﷺ).
    """
    if char in APOSTROPHES or char in _NOT_SAID or _within(ord(char), _EMOJI_RANGES):
        return _class_of_one(char)
    plain = unicodedata.normalize("NFKC", char)
    if len(plain) == 1:
        return _class_of_one(plain)
    classes = {_class_of_one(part) for part in plain}
    if len(classes) == 1:
        only = classes.pop()
        return SEPARATOR if only in JOINERS else only  # … parts what ... would join
    if classes <= {LETTER, CAPITAL, MARK, DIGIT}:
        return LETTER
    if classes <= {SCRIPT, SCRIPT_MARK, SCRIPT_VOWEL}:
        return SCRIPT
    return MIXED if classes & {LETTER, CAPITAL, DIGIT, SCRIPT} else SEPARATOR


class CharacterClasses(dict[int, str]):
    """Code point → class, filled as characters are met; made for `str.translate`."""

    def __missing__(self, code_point: int) -> str:
        found = self[code_point] = character_class(chr(code_point))
        return found


CLASSES = CharacterClasses()
"""`text.translate(CLASSES)` is the *shape* of a text: one ASCII class letter for each code point."""


class _Canonical(dict[int, str]):
    """Code point → what remains of it before NFKC; characters with nothing to do are their own entry."""

    def __missing__(self, code_point: int) -> str:
        char = chr(code_point)
        kind = CLASSES[code_point]
        if kind in (INVISIBLE, ZERO_WIDTH_JOINER, SKIN_TONE):
            found = ""
        elif kind in JOINERS:
            found = kind
        else:
            found = char
        self[code_point] = found
        return found


class _AccentFolds(dict[int, str]):
    """Code point → base letters, for letters of Latin, Greek and Cyrillic; others are their own entry."""

    def __missing__(self, code_point: int) -> str:
        found = self[code_point] = self._fold(chr(code_point))
        return found

    def _fold(self, char: str) -> str:
        code_point = ord(char)
        if char in _UNDECOMPOSED:
            return _UNDECOMPOSED[char]
        if _within(code_point, _VOWEL_POINT_RANGES):
            return ""
        if _within(code_point, _ACCENTED_RANGES):
            base = unicodedata.normalize("NFD", char)[0]
            return _UNDECOMPOSED.get(base, base)
        return char


_CANONICAL = _Canonical()
_ACCENT_FOLDS = _AccentFolds()
_DOTTED_I = re.compile("i\u0307")


def canonical(text: str) -> str:
    """NFKC of one word or compound, without invisible characters, with plain apostrophes and dashes."""
    if text.isascii():
        return text
    return nfkc(text.translate(_CANONICAL))


def fold_case(text: str) -> str:
    """Lower case, right for Turkish: İ and I become i, ı stays ı; accents are kept; every sigma is σ.

    Expects canonical text (a decomposed İ would keep its dot).
    """
    if text.isascii():
        return text.lower()
    lowered = text.replace("İ", "i").lower().replace("ς", "σ")
    return _DOTTED_I.sub("i", lowered)


def fold_accents(text: str) -> str:
    """Base letters of case-folded text: `çağrı` → `cagri`, `straße` → `strasse`.

    Only accents of Latin, Greek and Cyrillic letters and the optional vowel points of Arabic and
    Hebrew are dropped: が never becomes か, Devanagari stays whole. Text of nothing but points is kept.
    """
    if text.isascii():
        return text
    return text.translate(_ACCENT_FOLDS) or text


def folded(text: str) -> str:
    """Canonical, case-folded and accent-folded at once: the plainest spelling of a text."""
    return fold_accents(fold_case(canonical(text)))
