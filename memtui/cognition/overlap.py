"""Words in common: the token sets by which merge candidates and cues are compared."""

from __future__ import annotations

import re
from collections.abc import Set

from memtui.model.normal_forms import nfkc
from memtui.model.records import Content

SHORTEST_TOKEN = 3
"""Characters of the shortest word by which memories are compared."""

_ENGLISH = """
the and for with that this was were are has have had but not you our its their
into from when then than over under about
"""
_TURKISH = """
bir için icin ile gibi kadar daha çok cok ama fakat ancak veya yahut hem ise her diye göre gore
değil degil olan olarak
"""

# Whatever stands between words in any script. What is left may hold letters, digits and the marks that belong to
# them, which \w leaves out: a word of Hindi must not fall apart at its vowels.
_WORD = re.compile(
    r"[^\s\x00-/:-@\[-`{-\xbf×÷\u055a-\u055f\u0589\u05be\u05c0\u05c3\u060c\u061b\u061f\u06d4\u0964\u0965"
    r"\u104a\u104b\u1361-\u1368\u2000-\u200b\u200e-\u2bff\u3000-\u3004\u3008-\u3020\u30fb\ufeff]+"
)


def folded(text: str) -> str:
    """A text as words are compared: NFKC, without case, the four Turkish i's as one."""
    return nfkc(text).casefold().replace("i\u0307", "i").replace("ı", "i")


def words(text: str | None) -> frozenset[str]:
    """The words of a text, folded; hyphens, slashes and underscores part them."""
    return frozenset(_WORD.findall(folded(text))) if text else frozenset()


STOP_TOKENS: frozenset[str] = words(_ENGLISH) | words(_TURKISH)
"""Words that make no two memories alike: spec page 3's list, and particles of Turkish, also without diacritics."""


def merge_tokens(content: Content) -> frozenset[str]:
    """The words by which a memory is compared with others for merging (spec page 3, merge candidates)."""
    said = " ".join(part for part in (content.area, content.title, content.summary, content.body) if part)
    return frozenset(word for word in words(said) if len(word) >= SHORTEST_TOKEN and word not in STOP_TOKENS)


def jaccard(a: Set[str], b: Set[str]) -> float:
    """|a ∩ b| / |a ∪ b|, in [0, 1]; two empty sets have nothing in common: 0."""
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared) if shared else 0.0
