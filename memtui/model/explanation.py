"""Explanations: a tree of named numbers that evaluates to the score a person sees."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Composition = Literal["value", "sum", "product", "max", "min", "calibrated", "fused", "quotient"]

DECIDED = "decided by words"
"""Said of a first place that meaning has no say in."""
NOT_EMBEDDED = "not embedded yet"
"""Said of what a memory is near by meaning where that is not known."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One named number; an inner node says how its children make it.

    `value` is what was shown; `evaluate()` computes it again from the leaves and must agree to 1e-9.
    """

    label: str
    value: float
    composition: Composition = "value"
    children: tuple[Explanation, ...] = field(default=())
    detail: str | None = None

    def evaluate(self) -> float:
        """The number as its leaves make it."""
        parts = [child.evaluate() for child in self.children]
        if self.composition in ("sum", "fused"):
            return math.fsum(parts)
        if self.composition == "product":
            return math.prod(parts)
        if self.composition == "max":
            return max(parts, default=0.0)
        if self.composition == "min":
            return min(parts, default=0.0)
        if self.composition in ("calibrated", "quotient"):
            number, of = parts
            return number / of if of else 0.0
        return self.value

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Explanation]]:
        """Every node with its depth, in reading order."""
        yield depth, self
        for child in self.children:
            yield from child.walk(depth + 1)

    def as_dict(self) -> dict[str, object]:
        """The JSON shape of a node and its children."""
        shape: dict[str, object] = {"label": self.label, "value": self.value, "composition": self.composition}
        if self.detail is not None:
            shape["detail"] = self.detail
        if self.children:
            shape["children"] = [child.as_dict() for child in self.children]
        return shape


def leaf(label: str, value: float, detail: str | None = None) -> Explanation:
    """A number that needs no further explanation."""
    return Explanation(label, value, detail=detail)


def total(label: str, *children: Explanation, detail: str | None = None) -> Explanation:
    """A node whose value is the sum of its children."""
    return Explanation(label, math.fsum(c.value for c in children), "sum", children, detail)


def product(label: str, *children: Explanation, detail: str | None = None) -> Explanation:
    """A node whose value is the product of its children."""
    return Explanation(label, math.prod(c.value for c in children), "product", children, detail)


def greatest(label: str, *children: Explanation, detail: str | None = None) -> Explanation:
    """A node whose value is the greatest of its children."""
    return Explanation(label, max((c.value for c in children), default=0.0), "max", children, detail)


def least(label: str, *children: Explanation, detail: str | None = None) -> Explanation:
    """A node whose value is the smallest of its children."""
    return Explanation(label, min((c.value for c in children), default=0.0), "min", children, detail)


def calibrated(label: str, number: Explanation, of: float, detail: str | None = None) -> Explanation:
    """A node whose value is a number as a share of the greatest one."""
    value = number.value / of if of else 0.0
    return Explanation(label, value, "calibrated", (number, leaf("the greatest", of)), detail)


def quotient(label: str, number: Explanation, divisor: Explanation, detail: str | None = None) -> Explanation:
    """A node whose value is one number divided by another; 0 where that is 0."""
    value = number.value / divisor.value if divisor.value else 0.0
    return Explanation(label, value, "quotient", (number, divisor), detail)


def fused(label: str, *children: Explanation, detail: str | None = None) -> Explanation:
    """A node whose value is the sum of what each plane contributes."""
    return Explanation(label, math.fsum(c.value for c in children), "fused", children, detail)
