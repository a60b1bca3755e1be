"""The plane of a registered engine: its ranking, as far as what it names may be answered with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memtui.model.explanation import Explanation, calibrated, leaf
from memtui.model.records import RecordKey
from memtui.search.corpus import Corpus
from memtui.search.lexical import Scores
from memtui.search.mask import BeliefMask
from memtui.search.provider import RankedRecord


@dataclass(frozen=True, slots=True)
class Provided:
    """What a registered engine answered."""

    name: str
    semantic: bool
    ranking: tuple[RankedRecord, ...]


class ProvidedPlane:
    """The engine's scores by index row, of what is visible; of a record named twice the better one."""

    def __init__(self, provided: Provided, corpus: Corpus, mask: BeliefMask) -> None:
        self.name = provided.name
        scores: dict[int, float] = {}
        rows = _visible_rows(provided.ranking, corpus, mask)
        for record in provided.ranking:
            text_id = rows.get(RecordKey(record.scope, record.kind, record.name))
            if text_id is not None and record.score > 0:
                scores[text_id] = max(record.score, scores.get(text_id, 0.0))
        self.text_ids: NDArray[np.int64] = np.array(sorted(scores), dtype=np.int64)
        """Index rows of what it found and may be seen."""
        self._scores = scores
        self._greatest = max(scores.values(), default=0.0)

    def relevance(self, candidates: NDArray[np.int64]) -> Scores:
        """Each candidate's score as a share of the best. Shape: (candidates,)."""
        found = np.array([self._scores.get(text_id, 0.0) for text_id in candidates.tolist()])
        return found / self._greatest if self._greatest > 0 else found

    def explain(self, text_id: int) -> Explanation:
        """The tree of one candidate's relevance."""
        return calibrated("relevance", leaf(f"by {self.name}", self._scores[text_id]), self._greatest)


def _visible_rows(ranking: Sequence[RankedRecord], corpus: Corpus, mask: BeliefMask) -> dict[RecordKey, int]:
    """The index row by which each of the records is visible, for those that are."""
    named = {record.name for record in ranking}
    numbers = {number: key for number, key, _ in corpus.find(sorted(named))}
    text_ids = np.flatnonzero(mask.visible)
    records = corpus.columns.record[mask.row_of_text[text_ids]]
    asked = np.isin(records, list(numbers))
    return {
        numbers[number]: text_id
        for number, text_id in zip(records[asked].tolist(), text_ids[asked].tolist(), strict=True)
    }
