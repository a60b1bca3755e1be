"""The names of embedders, and what is known of each without loading its model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is known of an embedder without loading its model.

    `name` is the setting's value, a folder in it made absolute. `dims` is None where only the model itself tells.
    """

    name: str
    model_id: str
    dims: int | None
    semantic: bool


USE_MULTILINGUAL = Chosen("use-multilingual", "use-multilingual-v3", 512, semantic=True)
MINILM = Chosen("minilm", "all-MiniLM-L6-v2-int8", 384, semantic=True)
HASHING = Chosen("hash-v1", "hash-v1", 384, semantic=False)
"""The id stands for the analyser's tokens too: a change of these makes it hash-v2. A test holds some vectors fast."""

FASTEMBED = "fastembed:"
NONE = "none"
DEFAULT = USE_MULTILINGUAL.name
CHOICES = (USE_MULTILINGUAL.name, MINILM.name, HASHING.name, f"{FASTEMBED}<model or folder>", NONE)
