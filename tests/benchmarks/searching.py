"""What a resident memory takes: to load, to answer each keystroke by words and by meaning, to remember, to sync."""

from __future__ import annotations

from pathlib import Path

from memtui.embedding.names import USE_MULTILINGUAL
from memtui.embedding.process import WorkerEmbedder
from memtui.memory.opening import open_memory
from tests.benchmarks.timing import QUERIES, Figures, keystrokes, median, p95, timed

_SHOWN = 20
"""Hits asked for."""
_RECALLED = 5_000
"""Recall events that a memory has which is in use."""
_MOST_ROUNDS_BY_MEANING = 2
"""A round is a hundred searches, each of which asks the model."""


def search_by_words(folder: Path, rounds: int) -> Figures:
    """Keystroke → lexical hits, rows included, as the screen asks for them."""
    memory = open_memory(folder)
    loading = timed(memory.load)
    texts = keystrokes()
    for text in texts:
        memory.search(text, k=_SHOWN, follow=False)
    samples = [
        timed(lambda text=text: memory.search(text, k=_SHOWN, follow=False)) for _ in range(rounds) for text in texts
    ]
    return {"load_ms": loading, "lexical_median_ms": median(samples), "lexical_p95_ms": p95(samples)}


def search_by_meaning(folder: Path, rounds: int) -> Figures:
    """Keystroke → fused hits: with the query's embedding by the real model, and with an embedding that is known.

    The program keeps the vectors of some queries, of fewer than there are keystrokes here: typed one after the other,
    each is embedded anew in every round.
    """
    memory = open_memory(folder)
    memory.load()
    embedder = WorkerEmbedder(USE_MULTILINGUAL)  # the program's own, but loaded before anything is timed
    embedder.embed(["warm"], purpose="query")
    memory.register_embedder(embedder)
    reading_vectors = timed(lambda: memory.search(QUERIES[0], k=_SHOWN))
    texts = keystrokes()
    for text in texts:
        found = memory.search(text, k=_SHOWN)
        if found.plane != "hybrid":
            raise RuntimeError(f"{text!r} was not searched by meaning: {found.reason}")

    def search(text: str) -> float:
        return timed(lambda: memory.search(text, k=_SHOWN))

    embedded = [search(text) for _ in range(min(rounds, _MOST_ROUNDS_BY_MEANING)) for text in texts]
    known = [(search(text), search(text))[1] for text in texts]
    embedder.close()
    return {
        "load_vectors_ms": reading_vectors,
        "fused_median_ms": median(embedded),
        "fused_p95_ms": p95(embedded),
        "fused_known_median_ms": median(known),
        "fused_known_p95_ms": p95(known),
    }


def recall_in_process(folder: Path, rounds: int) -> Figures:
    """A recall by words of a resident memory whose engrams were recalled 5,000 times, without noting it."""
    memory = open_memory(folder)
    engrams = [record.key for record in memory.list(kinds="engram")][:_RECALLED]
    with memory.ledger.writing() as unit:
        for cue in range(-(-_RECALLED // len(engrams))):
            unit.recall(engrams, reader="workspace", cue=f"cue {cue}", actor="bench")

    def recall(query: str) -> float:
        return timed(lambda: memory.recall(query, k=_SHOWN, semantic=False, reconsolidate=False))

    recall(QUERIES[0])
    samples = [recall(query) for _ in range(rounds) for query in QUERIES]
    return {"recall_median_ms": median(samples), "recall_p95_ms": p95(samples)}


def remember(folder: Path, rounds: int) -> Figures:
    """remember, whole transaction with its index rows."""
    memory = open_memory(folder, resident=False)
    samples = [timed(lambda i=i: memory.remember(f"The mill number {i} was weighed twice")) for i in range(rounds)]
    return {"remember_median_ms": median(samples), "remember_p95_ms": p95(samples)}


def sync_unchanged(folder: Path, rounds: int) -> Figures:
    """A sync of a vault in which nothing changed."""
    memory = open_memory(folder, resident=False)
    memory.sync()
    return {"sync_unchanged_ms": median([timed(memory.sync) for _ in range(rounds)])}
