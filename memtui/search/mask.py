"""What a reader may see in a belief state, and the statistics that hold there."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memtui.model.belief import BeliefState
from memtui.model.instants import Instant
from memtui.model.intervals import OPEN_END
from memtui.search.policy import K1, B
from memtui.store.columns import REVIVED, VersionColumns
from memtui.store.postings import TextLengths

_KEPT_MASKS = 16
"""Masks kept per corpus: enough for typing, for both clocks' ends and for a slider that goes back and forth."""


@dataclass(frozen=True, slots=True)
class BeliefMask:
    """The index rows visible at (known at, true at), with N and lengths as they were there.

    `row_of_text[t]` is the version row that index row `t` stands for, or -1; `hidden_row_of_text` the
    same for records that are believed but not in force. `plain_norm` and `weighted_norm` are BM25's
    `k1 (1 - b + b len / avglen)` for every index row. Shapes: (texts,).
    """

    known_at: Instant
    true_at: Instant
    row_of_text: NDArray[np.int64]
    visible: NDArray[np.bool_]
    hidden_row_of_text: NDArray[np.int64]
    total: int
    until: Instant
    """The next moment of world time at which something begins or ends: until then this mask is the present's."""
    plain_norm: NDArray[np.float64]
    weighted_norm: NDArray[np.float64]
    overridden: NDArray[np.bool_] | None = None
    """The version rows that a later entry says it replaces, shape (versions,); None for none."""


def believe(
    columns: VersionColumns, lengths: TextLengths, *, known_at: Instant, true_at: Instant, everything: bool
) -> BeliefMask:
    """The mask of a belief state; `everything` also shows what is believed but not in force."""
    texts = len(lengths.text_id)
    rows = columns.rows_at(known_at)
    in_force = columns.in_force(rows, true_at)
    shown = rows if everything else rows[in_force]
    row_of_text = np.full(texts, -1, dtype=np.int64)
    row_of_text[columns.text_id[shown]] = shown
    hidden_row_of_text = np.full(texts, -1, dtype=np.int64)
    if not everything:
        hidden_row_of_text[columns.text_id[rows[~in_force]]] = rows[~in_force]
    visible = row_of_text >= 0
    return BeliefMask(
        known_at=known_at,
        true_at=true_at,
        row_of_text=row_of_text,
        visible=visible,
        hidden_row_of_text=hidden_row_of_text,
        total=len(shown),
        until=_next_change(columns, rows, true_at),
        plain_norm=_norm(lengths.plain, visible),
        weighted_norm=_norm(lengths.weighted, visible),
        overridden=_overridden(columns, rows, true_at),
    )


def _overridden(columns: VersionColumns, rows: NDArray[np.int64], true_at: Instant) -> NDArray[np.bool_] | None:
    found = columns.overridden(rows, true_at)
    if found is None:
        return None
    overridden = np.zeros(len(columns), dtype=np.bool_)
    overridden[rows[found]] = True
    return overridden


def ever_believed(
    columns: VersionColumns, lengths: TextLengths, *, known_at: Instant, true_at: Instant | None
) -> BeliefMask:
    """Every text that was believed at any time up to `known_at`, each standing for the version that brought it.

    With `true_at` only texts that some version held true at that moment. What is shadowed at `known_at` is not there.
    """
    texts = len(lengths.text_id)
    rows = np.arange(int(np.searchsorted(columns.recorded_at, known_at, side="right")))
    if columns.shadows is not None:
        rows = rows[np.isin(columns.record[rows], columns.record[columns.rows_at(known_at)])]
    row_of_text = np.full(texts, -1, dtype=np.int64)
    row_of_text[columns.text_id[rows[::-1]]] = rows[::-1]  # of several the first: the last write wins
    if true_at is not None:
        held = np.zeros(texts, dtype=np.bool_)
        held[columns.text_id[rows[columns.in_force(rows, true_at)]]] = True
        row_of_text[~held] = -1
    visible = row_of_text >= 0
    return BeliefMask(
        known_at=known_at,
        true_at=known_at if true_at is None else true_at,
        row_of_text=row_of_text,
        visible=visible,
        hidden_row_of_text=np.full(texts, -1, dtype=np.int64),
        total=int(visible.sum()),
        until=OPEN_END,
        plain_norm=_norm(lengths.plain, visible),
        weighted_norm=_norm(lengths.weighted, visible),
    )


class Masks:
    """The masks of one corpus' versions, kept per belief state so that a keystroke only pays for its words.

    Thread-safe: reading one takes no lock, keeping one does.
    """

    def __init__(self, columns: VersionColumns, lengths: TextLengths) -> None:
        self._columns, self._lengths = columns, lengths
        self._lock = threading.Lock()
        self._kept: dict[tuple[BeliefState, bool], BeliefMask] = {}

    def of(self, belief: BeliefState, present: Instant, *, everything: bool) -> BeliefMask:
        """What is visible in a belief state, given the present of the store."""
        known_at, true_at = belief.settle(present)
        key = (belief, everything)
        mask = self._kept.get(key)
        if mask is not None and _still_holds(mask, belief, true_at):
            return mask
        mask = believe(self._columns, self._lengths, known_at=known_at, true_at=true_at, everything=everything)
        with self._lock:
            if key not in self._kept and len(self._kept) >= _KEPT_MASKS:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = mask
        return mask


def _still_holds(mask: BeliefMask, belief: BeliefState, true_at: Instant) -> bool:
    """Whether a mask made earlier for a belief state that follows the present is still right.

    The corpus does not change under its masks; only validity bounds that pass can.
    """
    follows = belief.known_at is None or belief.true_at is None
    return not follows or mask.true_at <= true_at < mask.until


def _next_change(columns: VersionColumns, rows: NDArray[np.int64], true_at: Instant) -> Instant:
    bounds = np.concatenate([columns.valid_from[rows], columns.valid_to[rows]])
    ahead = bounds[bounds > true_at]
    following = [int(ahead.min())] if len(ahead) else [OPEN_END]
    for row in rows[(columns.flags[rows] & REVIVED) != 0]:
        following.extend(bound for gap in columns.gaps[int(row)] for bound in gap if bound > true_at)
    return min(following)


def _norm(length: NDArray[np.float64], visible: NDArray[np.bool_]) -> NDArray[np.float64]:
    seen = length[visible]
    average = float(seen.mean()) if len(seen) else 0.0
    relative = length / average if average > 0 else np.zeros_like(length)
    return K1 * (1.0 - B + B * relative)
