"""What every embedder promises, asked of each."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from memtui.embedding.port import EmbeddingPort
from memtui.model.embeddings import WIDTHS
from tests.embedding.conftest import needs_minilm

EMBEDDERS = ["hashing", "use_multilingual", pytest.param("minilm", marks=[pytest.mark.slow, needs_minilm])]
ODD = {
    "empty": "",
    "blank": " \n\t ",
    "emoji": "🙂👩‍👩‍👧🏳️‍🌈",
    "NUL": "before\0after",
    "only NUL": "\0",
    "lone surrogate": "broken \ud800 half",
    "turned pair": "\udc00\ud800",
    "100,000 words": "word " * 100_000,
    "one line": "x" * 1_000_000,
    "right to left": "مرحبا بالعالم",
    "no blanks": "記憶は長く残る" * 400,
}

pytestmark = pytest.mark.parametrize("embedder", EMBEDDERS, indirect=True)


def test_it_is_an_embedder(embedder):
    assert isinstance(embedder, EmbeddingPort)
    assert embedder.model_id
    assert embedder.dims in WIDTHS


@pytest.mark.parametrize("purpose", ["query", "passage"])
@pytest.mark.parametrize("rows", [0, 1, 5, 40])
def test_each_text_has_its_vector_of_unit_length(embedder, purpose, rows):
    vectors = embedder.embed([f"text number {i} of some" for i in range(rows)], purpose=purpose)
    assert vectors.shape == (rows, embedder.dims)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("name", ODD)
def test_any_text_has_a_vector(embedder, name):
    vectors = embedder.embed([ODD[name]], purpose="passage")
    assert vectors.shape == (1, embedder.dims)
    assert np.isfinite(vectors).all()


def test_the_same_text_has_the_same_vector_in_any_company(embedder):
    texts = ["short", "a somewhat longer text about boats", "the third " * 60, "", "Größe und Länge"]
    alone = np.vstack([embedder.embed([text], purpose="passage") for text in texts])
    together = embedder.embed(texts, purpose="passage")
    turned = embedder.embed(texts[::-1], purpose="passage")[::-1]
    assert np.allclose(alone, together, atol=2e-2)
    assert np.allclose(alone, turned, atol=2e-2)


def test_a_broken_text_is_read_as_what_is_whole_of_it(embedder):
    halves, whole = embedder.embed(["smile \ud83d\ude00 please", "smile 😀 please"], purpose="passage")
    assert np.allclose(halves, whole, atol=1e-5)


def test_several_threads_may_ask(embedder):
    texts = [f"question {i} about the garden" for i in range(24)]
    expected = embedder.embed(texts, purpose="query")
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda text: embedder.embed([text], purpose="query")[0], texts))
    assert np.allclose(answers, expected, atol=2e-2)
