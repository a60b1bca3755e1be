"""The files of a vault to measure on: word frequencies as in real text, and the same text for the same number."""

from __future__ import annotations

import random
import re
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path

from memtui.text.chunking import MOST_WORDS

SAMPLE = Path(__file__).resolve().parents[2] / "sample_vault"
BEGAN = date(2025, 1, 1)
PERIODS = 10
"""A vault grows in so many steps, each of them `PERIOD_DAYS` long."""
PERIOD_DAYS = 30
KINDS = ("knowledge", "features", "tasks", "engrams", "notes")
_SEED = "memtui 20260101"
_SYLLABLES = (
    "ba", "be", "ci", "da", "do", "en", "fa", "gi", "ha", "il", "ka", "la", "le", "ma", "mi",
    "na", "ne", "or", "pa", "ra", "re", "sa", "se", "ta", "ti", "un", "va", "ve", "yo", "za",
)  # fmt: skip
_FREQUENT = 40
"""So many of the most frequent words stand in no title."""
_LONGEST_BODY = MOST_WORDS - 60
"""Words after which no sentence begins, so that a record with its title and its corrections is one chunk."""


class Author:
    """Writes the records of a vault of some size. Larger vaults know more words (Heaps' law, roughly)."""

    def __init__(self, records: int) -> None:
        self._records = records
        self._words = _vocabulary(4_000 + records // 2)
        self._rare = self._words[_FREQUENT:]
        # Zipf's law, as in any language.
        self._frequencies = list(accumulate(1.0 / (rank + 2.7) for rank in range(len(self._words))))

    def path(self, number: int) -> str:
        """Where a record lies in its vault."""
        return f"{KINDS[number % len(KINDS)]}/{number // 500:03d}/r{number:06d}.md"

    def period(self, number: int) -> int:
        """The period in which a record is first written."""
        return number * PERIODS // self._records

    def is_corrected(self, number: int) -> bool:
        """Whether a record has a history: one in eleven has, of every kind.

        Its text is corrected in the period after its first, and in the one after that only its fields are.
        """
        return number % 11 == 3

    def text(self, number: int, corrections: int = 0) -> str:
        """A record's file after so many corrections (0 to 2)."""
        chance = random.Random(f"{_SEED} {number}")
        title = " ".join(chance.choices(self._rare, k=4))
        day = BEGAN + timedelta(days=self.period(number) * PERIOD_DAYS + chance.randrange(PERIOD_DAYS))
        if KINDS[number % len(KINDS)] == "engrams":
            fields = [f"summary: {self._sentence(chance)[:200]}", f"tags: [{chance.choice(self._words)}]"]
            body = self._sentence(chance)
            changed = "confidence: 7"
        else:
            fields = [f"title: {title}", f"date: {day}"]
            body = f"# {title}\n\n{self._paragraphs(chance)}\n\nSee TKT-{number} in src/m{number}.py."
            changed = "status: completed"
        if corrections > 0:
            body += f"\n\n{self._sentence(chance)}"
        if corrections > 1:
            fields.append(changed)
        return "\n".join(["---", *fields, "---", body, ""])

    def _paragraphs(self, chance: random.Random) -> str:
        paragraphs: list[str] = []
        words = 0
        for _ in range(chance.randint(1, 6)):
            sentences = [self._sentence(chance) for _ in range(chance.randint(2, 6))]
            while sentences and words + sum(len(sentence.split()) for sentence in sentences) > _LONGEST_BODY:
                sentences.pop()
            words += sum(len(sentence.split()) for sentence in sentences)
            if sentences:
                paragraphs.append(" ".join(sentences))
        return "\n\n".join(paragraphs)

    def _sentence(self, chance: random.Random) -> str:
        words = chance.choices(self._words, cum_weights=self._frequencies, k=chance.randint(6, 18))
        return " ".join(words).capitalize() + "."


def sample_texts() -> list[str]:
    """The texts of the sample vault, which somebody wrote by hand."""
    return [file.read_text(encoding="utf-8") for file in sorted(SAMPLE.rglob("*.md"))]


def _vocabulary(size: int) -> list[str]:
    """Words of the sample vault first (they are the frequent ones), then invented ones."""
    chance = random.Random(_SEED)
    words: dict[str, None] = {}
    for text in sample_texts():
        words.update(dict.fromkeys(re.findall(r"[^\W\d_]{2,}", text.lower())))
    while len(words) < size:
        words["".join(chance.choice(_SYLLABLES) for _ in range(chance.randint(2, 5)))] = None
    return list(words)[:size]
