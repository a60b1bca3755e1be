"""A conservative stemmer: the inflections of English and the telling suffixes of Turkish, nothing else.

`stem` is a function of the accent-folded word alone. That is what lets a query typed without
diacritics (`toplantida`) meet the text (`toplantıda`), and what makes index and query agree: no
guess at the language, no look at the neighbours. Vowel harmony does the telling apart: among the
60,000 most frequent English words the Turkish rules below touch a few dozen, nearly all names.

English: plural, -ed, -ing and the final e, as steps 1 and 5 of Porter 2; no derivation, so
university ≠ universe, organisation ≠ organ, news ≠ new. -ies, -ied and -ie become y.

Turkish: plural, possessive, case, -ki, the copula, -iyor, -mak, -acak, -diği, -arak, only where
the vowels are in harmony from the stem on; a high vowel at the very end (`kararı`) falls too, and
a b or g that a suffix leaves behind hardens (`kitabı` → `kitap`, `yokluğunda` → `yokluk`).

Known limits: what ordinary English words end in as well is not stripped: the bare genitive after
a consonant (-in: plugin), the bare dative (-a, -e: schema, note), -ide (provide), -sta, -ler after
l, d, b, o (controller). Stems that lose a vowel (`kayıt`/`kaydı`) and irregular verbs do not meet.
"""

from __future__ import annotations

import re
from functools import cache

SHORTEST_STEM = 3
"""No suffix is taken that would leave fewer letters."""

_IRREGULAR = {
    "using": "use",
    "used": "use",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "analysis": "analys",
    "analyses": "analys",
    "statuses": "status",
    "apis": "api",
    "clis": "cli",
    "cpus": "cpu",
    "gpus": "gpu",
    "emojis": "emoji",
    "menus": "menu",
    "wikis": "wiki",
}
_LOOK_INFLECTED = """
news lens always perhaps alias atlas bias canvas pandas chaos series species embed hundred sacred naked during evening
morning something nothing anything everything ceiling sibling earring paris texas kansas
"""
_UNINFLECTED = frozenset(_LOOK_INFLECTED.split())


def stem(word: str) -> str:
    """The common part of a word's inflections, at least three letters; equal for words that should meet.

    `word` is canonical, case-folded and accent-folded. Words with anything but a–z come back as they are.
    """
    if len(word) <= SHORTEST_STEM or not (word.isascii() and word.isalpha()):
        return word
    return _without_english_inflection(_without_turkish_suffixes(word))


# --- English -----------------------------------------------------------------------------------

_HAS_VOWEL = re.compile("[aeiouy]")
_DOUBLED = re.compile("(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$")
_DOUBLED_L = re.compile("(?:ontroll|atroll|ropell|xcell|ancell|abell|odell|ravell|ignall|evell|hannell|ompell|ispell)$")
_SHORT_SYLLABLE = re.compile("(?:^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouywx])$")
_REGION = re.compile("[aeiouy][^aeiouy](.*)$")
"""Porter's region: what follows the first consonant after a vowel."""


def _without_english_inflection(word: str) -> str:
    for step in (_without_plural, _without_verb_ending, _without_final_e):
        if word in _UNINFLECTED or len(word) <= SHORTEST_STEM:
            return word
        word = _IRREGULAR.get(word) or step(word)
    return word


def _without_plural(word: str) -> str:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + ("ie" if len(word) == 4 else "y")
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    # As Porter 2: the s goes if there is a vowel before it that is not its neighbour (gas, https stay).
    return word[:-1] if _HAS_VOWEL.search(word[:-2]) else word


def _without_verb_ending(word: str) -> str:
    if word.endswith("ied"):
        return word[:-3] + ("ie" if len(word) == 4 else "y")
    if word.endswith("eed"):
        return word
    for ending in ("ing", "ed"):
        if word.endswith(ending):
            return _verb_base(word, word[: -len(ending)])
    return word


def _verb_base(word: str, base: str) -> str:
    """The verb of an -ing or -ed form: shipp → ship, not → note, creat → create."""
    if len(base) < SHORTEST_STEM or not _HAS_VOWEL.search(base):
        return word
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if _DOUBLED.search(base) or _DOUBLED_L.search(base):
        return base[:-1] if len(base) > SHORTEST_STEM else base
    region = _REGION.search(base)
    is_short = _SHORT_SYLLABLE.search(base) and (region is None or not region.group(1))
    return base + "e" if is_short else base


def _without_final_e(word: str) -> str:
    """Drop a final e that tells nothing apart (database, decide), keep one that does (plane, note)."""
    if len(word) <= SHORTEST_STEM + 1 or not word.endswith("e"):
        return word
    if word.endswith("ie"):
        return word[:-2] + "y"
    region = _REGION.search(word)
    if region is None or not region.group(1):
        return word
    deeper = _REGION.search(region.group(1))
    if (deeper is not None and deeper.group(1)) or not _SHORT_SYLLABLE.search(word[:-1]):
        return word[:-1]
    return word


# --- Turkish -----------------------------------------------------------------------------------

_LOOK_TURKISH = """
lambda canada armada similar dissimilar dollar collar scholar pillar polar solar cellar bipolar stellar pedlar scalar
consular burglar poplar caterpillar templar molar popular unpopular modular ocular binocular globular jugular muscular
intramuscular neuromuscular tubular jocular nodular hitler stampede centipede secede recede supersede intercede accede
concede precede impede forbidden compiler profiler styler smiler traveler jeweler modeler labeler wheeler peeler butler
settler hustler wrestler cutler rattler bottler gentler subtler scheduler hauler sprinkler heckler stickler tackler
tickler sparkler simpler sampler coupler doppler recycler muffler shuffler hassler puzzler
"""
_NOT_TURKISH = frozenset(_LOOK_TURKISH.split())
"""English words whose ending would pass for Turkish; those of a few families are told by `_ENGLISH_FAMILY`."""

_ENGLISH_FAMILY = re.compile("[qwx]|[aei][^aeiou]*ular$|[ao]iler$")

_POSSESSIVE = "(?:[iu]m[iu]z|[iu]n[iu]z|[iu][mn]?)"
_CASE = "(?:n?d[ae]n?(?:ki(?:l[ae]r)?)?|n[ae]|n[iu]n?|[aeiu]|y?l[ae])"
_SUFFIXES = (
    # (what must stand before it, the suffix); tried in this order, each with the shortest stem first.
    ("...", f"l[ae]r(?:{_POSSESSIVE}?{_CASE}|{_POSSESSIVE})"),
    ("...", "lar"),
    ("..[cefhikmnprstuvyz]", "ler"),
    ("...", "s?[iu]nd[ae]n?(?:ki(?:l[ae]r)?)?"),
    ("..[^aeiou]", "[iu][mn][iu]z(?:d[ae]n?|[iu]n?)?"),
    ("..[aeiou]", "[mn][iu]z(?:d[ae]n?|[iu]n?)?"),
    ("...", "[dt][ae]ki(?:l[ae]r(?:[iu]n?)?)?"),
    ("...", "[iu]yor(?:um|sun|uz|lar|du)?"),
    ("...", "m[ae]k(?:t[ae]n?|l[ae])?"),
    ("...", "y?[ae]c[ae](?:k(?:l[ae]r|t[iu]r)?|g[iu])"),
    ("...", "[dt][iu]g[iu](?:[mn](?:[iu]|[ae]|d[ae]n?)?)?"),
    ("...", "y?[ae]r[ae]k"),
    ("..[aeiou]", "n[iu]n"),
    ("..[aeiou]", "s[iu]n(?:[iu]n?|[ae])"),
    ("..[^aeiou]", "[iu]n[iu]n"),
    ("...[aeiou]g", "[iu]n"),
    ("...[^aeiou]", "[iu]n[iu]"),
    ("..[aeiou]", "yl[ae]"),
    ("..[^aeiou]", "[iu]yl[ae]"),
    ("..[aeiou]", "s[iu]"),
    ("..[aeiou]", "y[iu]"),
    ("...[aeiou]", "y[ae]"),
    ("....", "d[ae]n"),
    ("...[^fstkchp]", "da"),
    ("..[^aeioufstkchp]", "de"),
    ("...e", "de"),
    ("...[fhkpct]", "tan?"),
    ("...[fhkpc]", "te"),
    ("...[kc]", "ten"),
    ("....", "[dt][iu]r"),
    ("....", "[iu]"),
)
_MAY_END_TURKISH = re.compile("(?:[aeiu][nrz]?|[ae]k|yor(?:um)?)$")
_OPENING_VOWEL = re.compile("[aeiu]")
_HARDENED = {"b": "p", "g": "k"}


@cache
def _turkish_patterns() -> tuple[re.Pattern[str], ...]:
    """Compiled on first use: a program that analyses nothing should not wait for them."""
    return tuple(re.compile(f"(.*?{before})({suffix})") for before, suffix in _SUFFIXES)


def _without_turkish_suffixes(word: str) -> str:
    """Suffix after suffix, until what is left shows none."""
    while True:
        base = _without_turkish_suffix(word)
        if base == word:
            return word
        word = base


def _without_turkish_suffix(word: str) -> str:
    if not _MAY_END_TURKISH.search(word) or word in _NOT_TURKISH or _ENGLISH_FAMILY.search(word):
        return word
    for pattern in _turkish_patterns():
        found = pattern.fullmatch(word)
        if found is not None and _in_harmony(found[1], found[2]):
            base = found[1]
            if base[-1] in _HARDENED and _OPENING_VOWEL.match(found[2]):
                return base[:-1] + _HARDENED[base[-1]]
            return base
    return word


def _in_harmony(base: str, suffix: str) -> bool:
    """Whether each vowel of a suffix may follow the one before it.

    Folded letters leave i (i, ı), o (o, ö) and u (u, ü) open; what remains: no a after e or e after
    a, u only after o and u, i never after them.
    """
    before = next((letter for letter in reversed(base) if letter in "aeiou"), "")
    if not before:
        return False
    for letter in suffix:
        if letter in "aeiu":
            rounded = before in "ou"
            if letter in "iu":
                if (letter == "u") != rounded:
                    return False
            elif before in "ae" and before != letter:
                return False
        if letter in "aeiou":
            before = letter
    return True
