"""Words and signs for explanations: what the screen's Why tab and `--explain` say alike."""

from __future__ import annotations

import math
from collections.abc import Mapping

from memtui.model.explanation import DECIDED, NOT_EMBEDDED, Composition, Explanation

SIGNS: Mapping[Composition, str] = {
    "value": "",
    "sum": "Σ",
    "product": "×",
    "max": "max",
    "min": "min",
    "calibrated": "÷",
    "fused": "Σ",
    "quotient": "÷",
}
"""What makes a number of those below it, written before its name."""
HOW_TO_READ_IT = (
    "rank_score: how well it matches (relevance) times how present it is in mind (prior factor); × multiplies the "
    "numbers indented below it, Σ adds them, ÷ divides the first by the second, max and min take one of them"
)


def named(node: Explanation) -> str:
    """A number's name, with the sign of how those below make it."""
    return f"{SIGNS[node.composition]} {node.label}".lstrip()


def reason(explanation: Explanation) -> str:
    """Why a hit ranks where it does, in a sentence or two; empty where the numbers say no more than themselves."""
    relevance, *priors = explanation.children or (explanation,)
    said = _relevance(relevance)
    if said and priors and priors[0].value < 1.0:
        said += f" Times {priors[0].value:.2f} for how present it is in mind."
    return said


def _relevance(node: Explanation) -> str:
    if node.detail == DECIDED:
        return "Decided by words: no other memory holds them nearly as well, so meaning has no say."
    if node.composition == "max" and len(node.children) == 2:
        own, associated = node.children
        if associated.value > own.value:
            return f"Brought along by what is in mind with it: {associated.value:.2f} of the best."
        return _relevance(own)
    if node.composition == "product" and len(node.children) == 2:
        beside, bound = node.children
        return f"{_relevance(beside)} Kept {bound.label}, at most {bound.value:.2f}."
    if node.composition != "calibrated":
        return ""
    number = node.children[0]
    if number.composition != "fused":
        return f"By words {node.value:.2f} of the best."
    by_words, by_meaning = number.children
    if "product" not in (by_words.composition, by_meaning.composition):
        return f"By words {_in_order(by_words)}, by meaning {_in_order(by_meaning)}; only the places count."
    (_, words), (weight, meaning) = by_words.children, by_meaning.children
    if meaning.detail == NOT_EMBEDDED and meaning.value == words.value:
        return f"By words {words.value:.2f} of the best; it is not embedded yet, so that alone counts."
    return (
        f"By words {words.value:.2f} of the best, by meaning {meaning.value:.2f}; "
        f"meaning weighs {weight.value:.2f} for this query."
    )


def _in_order(node: Explanation) -> str:
    """A candidate's place in the order of one plane, in words."""
    if node.composition != "quotient":
        return "without a place"
    _, below = node.children
    return f"in place {below.children[-1].value:.0f}"


def shares(node: Explanation) -> tuple[float | None, ...]:
    """How long the bars of the numbers below one are, in [0, 1], so that they can be compared with each other.

    Of what is added, each one's share of all; of a choice, of the greatest; of a division, of what is divided by.
    Numbers that multiply are compared with 1, and only where none is greater: else they are of different kinds.
    """
    sizes = [abs(child.value) for child in node.children]
    if node.composition in ("sum", "fused"):
        whole = math.fsum(sizes)
    elif node.composition == "product":
        whole = 1.0 if all(size <= 1.0 for size in sizes) else 0.0
    else:
        whole = max(sizes, default=0.0)
    return tuple(min(size / whole, 1.0) if whole > 0 else None for size in sizes)
