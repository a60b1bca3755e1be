"""Vaults to measure on: word frequencies as in real text, fixed seed, cached by size and recipe."""

from __future__ import annotations

import hashlib
import random
import re
import shutil
from pathlib import Path

from memtui.memory.opening import open_memory

RECIPE = "1"
CACHE = Path(".benchmarks")
_SYLLABLES = [
    "ba",
    "be",
    "ci",
    "da",
    "do",
    "en",
    "fa",
    "gi",
    "ha",
    "il",
    "ka",
    "la",
    "le",
    "ma",
    "mi",
    "na",
    "ne",
    "or",
    "pa",
    "ra",
    "re",
    "sa",
    "se",
    "ta",
    "ti",
    "un",
    "va",
    "ve",
    "yo",
    "za",
]
KINDS = ("knowledge", "features", "tasks", "engrams", "notes")


def vocabulary(rng: random.Random, size: int) -> list[str]:
    """Words of the sample vault first (they are the frequent ones), then invented ones."""
    sample = Path(__file__).resolve().parents[2] / "sample_vault"
    words: dict[str, None] = {}
    for file in sorted(sample.rglob("*.md")):
        words.update(dict.fromkeys(re.findall(r"[^\W\d_]{2,}", file.read_text(encoding="utf-8").lower())))
    while len(words) < size:
        words["".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(2, 5)))] = None
    return list(words)[:size]


def build(records: int) -> Path:
    """The folder of a synced vault with this many files, one record each; made on first use."""
    token = hashlib.sha256(f"{RECIPE}:{records}".encode()).hexdigest()[:10]
    folder = CACHE / f"vault-{records}-{token}"
    if (folder / ".memtui" / "memory.duckdb").exists():
        open_memory(folder, resident=False).ledger.migrate()
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    rng = random.Random(20260101)
    words = vocabulary(rng, 4_000 + records // 2)
    weights = [1.0 / (rank + 2.7) for rank in range(len(words))]  # Zipf's law, as in any language

    def sentence() -> str:
        return " ".join(rng.choices(words, weights, k=rng.randint(6, 18))).capitalize() + "."

    for number in range(records):
        kind = KINDS[number % len(KINDS)]
        title = " ".join(rng.choices(words[40:], k=4))
        if kind == "engrams":
            text = f"---\nsummary: {sentence()[:200]}\ntags: [{rng.choice(words)}]\n---\n{sentence()}\n"
        else:
            body = "\n\n".join(" ".join(sentence() for _ in range(rng.randint(2, 6))) for _ in range(rng.randint(1, 6)))
            day = f"2025-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
            text = (
                f"---\ntitle: {title}\ndate: {day}\n---\n# {title}\n\n{body}\n\nSee TKT-{number} in src/m{number}.py.\n"
            )
        file = folder / kind / f"{number // 500:03d}" / f"r{number:06d}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    open_memory(folder, create=True, resident=False).sync()
    return folder
