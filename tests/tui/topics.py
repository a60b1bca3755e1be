"""An embedder that knows a few topics, as slow or as broken as a test needs it."""

from __future__ import annotations

import threading

import numpy as np

from memtui.errors import EmbedderUnavailable
from memtui.text.folding import fold_accents
from tests.tui.driving import LONGEST

TOPICS = (
    ("scale", "weigh", "tarti", "kantar", "zero"),
    ("backup", "nightly", "yedek", "gece"),
    ("ledger", "duckdb", "defter", "kayit"),
    ("label", "print", "etiket", "basim"),
)


class TopicEmbedder:
    """Unit vectors by topic. It waits for `go_queries` and, beyond `free` of them, `go_passages`; `failing` raises."""

    model_id = "topics-1"
    dims = 384
    semantic = True

    def __init__(self):
        self.go_queries, self.go_passages = threading.Event(), threading.Event()
        self.go_queries.set()
        self.go_passages.set()
        self.asked, self.passages, self.failing, self.free = [], [], None, 0

    def embed(self, texts, *, purpose):
        (self.asked if purpose == "query" else self.passages).extend(texts)
        if purpose == "query":
            self.go_queries.wait(LONGEST)
        elif len(self.passages) > self.free:
            self.go_passages.wait(LONGEST)
        if self.failing is not None:
            raise EmbedderUnavailable(self.failing)
        return np.stack([self._vector(fold_accents(text.casefold())) for text in texts])

    def _vector(self, text):
        vector = np.full(self.dims, 0.01, dtype=np.float32)
        for place, words in enumerate(TOPICS):
            vector[place] += sum(word in text for word in words)
        return vector / np.linalg.norm(vector)
