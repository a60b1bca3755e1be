"""What a cosine is worth, model by model: the same number means near in one space and nothing in another.

Measured on notes of a real project and questions about them, and on questions about something else altogether:
`background` is what a question has on average with all passages, `floor` lies where those about something else end
and few of the passages that answer would be lost.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Nearness:
    """Where counting begins in a space; None where it was never measured: then each search measures for itself."""

    background: float | None = None
    floor: float | None = None


_MEASURED = {
    "use-multilingual-v3": Nearness(0.1, 0.2),
}


def nearness(model_id: str) -> Nearness:
    """What is known of a model's space."""
    return _MEASURED.get(model_id, Nearness())
