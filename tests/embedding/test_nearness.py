"""The near-duplicate thresholds of each shipped model, held against pairs and documents written for them."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from memtui.cognition.turning import turning
from memtui.embedding.names import MINILM, USE_MULTILINGUAL
from memtui.embedding.nearness import SENTENCES, nearness
from memtui.text.chunking import chunks_of, words_in
from memtui.text.searchable import SearchableText
from tests.embedding.conftest import needs_minilm

HERE = Path(__file__).parent
PAIRS = tomllib.loads((HERE / "pairs.toml").read_text(encoding="utf-8"))
DOCUMENTS = tomllib.loads((HERE / "documents.toml").read_text(encoding="utf-8"))
MODELS = [pytest.param("use_multilingual"), pytest.param("minilm", marks=needs_minilm)]


class Rates(NamedTuple):
    """What becomes of a class of pairs: the shares called MERGE and REVIEW or more, and their cosines."""

    merged: float
    seen: float
    cosines: np.ndarray


def rates(embedder, name, *languages):
    pairs = [pair for language in languages for pair in PAIRS[name][language]]
    vectors = embedder.embed([text for pair in pairs for text in pair], purpose="passage")
    cosines = np.sum(vectors[::2] * vectors[1::2], axis=1)
    agree = np.array([turning(one) == turning(other) for one, other in pairs])
    near = nearness(embedder.model_id)
    return Rates(float(np.mean((cosines >= near.merge) & agree)), float(np.mean(cosines >= near.review)), cosines)


def test_the_numbers_of_a_model_are_in_order_and_unknown_ones_have_none():
    for model in (USE_MULTILINGUAL, MINILM):
        near = nearness(model.model_id)
        assert 0 < near.review < near.review_passages < near.merge < 1
    unknown = nearness("someone's own")
    assert all(getattr(unknown, field.name) is None for field in fields(unknown))


def test_the_pairs_are_what_they_are_said_to_be():
    counts = {name: [len(pairs) for pairs in languages.values()] for name, languages in PAIRS.items()}
    assert counts == {"same": [25, 22, 20], "another": [25, 20, 18], "turned": [20, 16], "unseen": [10, 10, 10]}
    texts = [text for languages in PAIRS.values() for pairs in languages.values() for pair in pairs for text in pair]
    assert max(words_in(text) for text in texts) < SENTENCES


@pytest.mark.slow
def test_the_default_model_on_sentences(use_multilingual):
    english, turkish, mixed = ((lang,) for lang in ("english", "turkish", "mixed"))
    every = (*english, *turkish, *mixed)
    for another in (
        rates(use_multilingual, "another", *every),
        rates(use_multilingual, "turned", "english", "turkish"),
    ):
        assert another.merged == 0
    assert rates(use_multilingual, "another", *every).seen <= 0.1
    assert rates(use_multilingual, "same", *every).seen >= 0.85
    assert rates(use_multilingual, "same", *english).seen == 1
    assert rates(use_multilingual, "same", *english).merged >= 0.4
    assert rates(use_multilingual, "same", *turkish).seen >= 0.85
    assert rates(use_multilingual, "same", *mixed).seen >= 0.7
    assert rates(use_multilingual, "unseen", *every).seen >= 0.75


@pytest.mark.slow
@needs_minilm
def test_minilm_on_sentences(minilm):
    for name in ("another", "turned"):
        assert rates(minilm, name, "english").merged == rates(minilm, name, "turkish").merged == 0
    assert rates(minilm, "same", "english").seen == 1
    assert rates(minilm, "unseen", "english").seen == 1
    assert rates(minilm, "another", "english").seen == 0
    assert rates(minilm, "same", "mixed").seen == 0  # it knows one language


@pytest.mark.slow
@pytest.mark.parametrize("embedder", MODELS, indirect=True)
def test_what_has_nothing_in_common_is_new(embedder):
    """Across topics, all with all: the same topic stands in a few pairs, in two languages."""
    pairs = [pair for language in ("english", "turkish") for pair in PAIRS["unseen"][language]]
    vectors = embedder.embed([text for pair in pairs for text in pair], purpose="passage")
    topics = np.arange(len(pairs)).repeat(2) % len(PAIRS["unseen"]["english"])
    apart = (vectors @ vectors.T)[topics[:, None] != topics[None, :]]
    near = nearness(embedder.model_id)
    assert apart.max() < near.merge
    assert np.mean(apart >= near.review) < (0.005 if embedder.model_id == USE_MULTILINGUAL.model_id else 0.1)


def edited(document):
    body = document["body"]
    for old, new in document["edits"]:
        assert old in body
        body = body.replace(old, new)
    return body


@pytest.mark.slow
@pytest.mark.parametrize("embedder", MODELS, indirect=True)
def test_a_document_with_light_edits_is_merged_and_one_of_its_template_is_new(embedder):
    near, merged = nearness(embedder.model_id), 0
    for template, documents in DOCUMENTS.items():
        passages = []
        for document in documents:
            before, after = (
                [chunk.text for chunk in chunks_of(SearchableText(document["title"], "", "", body, ""))]
                for body in (document["body"], edited(document))
            )
            assert len(before) == 1
            one, other = embedder.embed([*before, *after], purpose="passage")
            assert one @ other >= near.merge, document["title"]
            merged += turning(before[0]) == turning(after[0])
            passages.append(one)
        siblings = max(float(one @ other) for one, other in combinations(passages, 2))
        knows = embedder.model_id == USE_MULTILINGUAL.model_id or template != "toplanti"
        assert siblings < (near.review_passages if knows else near.merge)
    assert merged == 6  # four of the edits bring or take a "no", or a "last": those a person looks at
