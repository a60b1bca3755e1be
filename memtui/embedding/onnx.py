"""Models run by fastembed: by name from the cache, or from a folder. The network is never touched here."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from memtui.embedding.batching import batches
from memtui.embedding.checking import check_width, checked
from memtui.embedding.model_cache import model_cache
from memtui.embedding.port import Purpose, Vectors
from memtui.embedding.readable import readable
from memtui.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from fastembed import TextEmbedding

THREADS = 2
REQUIREMENT = "fastembed==0.9.1"
_MOST_TEXTS = 32
_MOST_CHARACTERS = 16_000
"""Of one batch (`memtui.embedding.batching`)."""


class Prefixes(NamedTuple):
    """What a model wants to see before a text, by what the text is for."""

    query: str = ""
    passage: str = ""


_NO_PREFIXES = Prefixes()
_SENTENCE = Prefixes("Represent this sentence for searching relevant passages: ")
_PREFIXES = {
    "intfloat/multilingual-e5": Prefixes("query: ", "passage: "),
    "nomic-ai/nomic-embed-text": Prefixes("search_query: ", "search_document: "),
    "snowflake/snowflake-arctic-embed": _SENTENCE,
    "mixedbread-ai/mxbai-embed": _SENTENCE,
    "baai/bge-base-en": _SENTENCE,
    "baai/bge-large-en": _SENTENCE,
    "baai/bge-small-en": _SENTENCE,
    "google/embeddinggemma": Prefixes("task: search result | query: ", "title: none | text: "),
    "qwen/qwen3-embedding": Prefixes(
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
    ),
}
"""By the beginning of the model's name, from the models' own descriptions; fastembed adds none of these itself."""


class OnnxEmbedder:
    """A model run by fastembed, loaded at the first text; its width is found by embedding one."""

    semantic = True

    def __init__(self, model_id: str, load: Callable[[], TextEmbedding], prefixes: Prefixes = _NO_PREFIXES) -> None:
        self.model_id = model_id
        self._load = load
        self._prefixes = prefixes
        self._model: tuple[TextEmbedding, int] | None = None
        self._loading = threading.Lock()

    @property
    def dims(self) -> int:
        """Width of the vectors; loads the model. Raises EmbedderUnavailable."""
        return self._loaded()[1]

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """The vectors of some texts, embedded in batches of like length."""
        model, dims = self._loaded()
        prefix = self._prefixes.query if purpose == "query" else self._prefixes.passage
        prepared = [prefix + text for text in readable(texts)]
        vectors = np.zeros((len(texts), dims), dtype=np.float64)
        for batch in batches(prepared, _MOST_TEXTS, _MOST_CHARACTERS):
            vectors[batch] = _run(model, [prepared[i] for i in batch], purpose)
        return checked(vectors, len(texts), dims)

    def _loaded(self) -> tuple[TextEmbedding, int]:
        with self._loading:
            if self._model is None:
                model = self._load()
                self._model = model, check_width(_run(model, ["width"], "passage").shape[1])
            return self._model


def by_name(name: str, model_id: str) -> OnnxEmbedder:
    """One of fastembed's models, from the cache."""
    prefixes = next((found for start, found in _PREFIXES.items() if name.lower().startswith(start)), _NO_PREFIXES)
    return OnnxEmbedder(model_id, lambda: load_cached(name), prefixes)


def load_cached(name: str) -> TextEmbedding:
    """One of fastembed's models from the cache alone. Raises EmbedderUnavailable if it is not whole there."""
    known = known_models()
    name = next((model for model in known if model.lower() == name.lower()), name)
    if name not in known:
        raise EmbedderUnavailable(
            f"fastembed knows no model {name!r}.",
            hint="a folder is written as a full path or with ./ before it",
            value=name,
            choices=closest(name, known),
        )
    cache = model_cache()
    hint = f"fetch it where there is a network: memtui embed pull {name}"
    if not os.path.isdir(cache):  # a cache that may not be looked into is as good as none
        raise EmbedderUnavailable(
            f"The model {name} is not here: there is no folder {cache}.", hint=hint, file=str(cache)
        )
    from fastembed import TextEmbedding

    return loading(
        lambda: TextEmbedding(name, cache_dir=str(cache), threads=THREADS, local_files_only=True),
        f"The model {name} does not load from {cache}",
        hint,
        cache,
    )


def known_models() -> dict[str, str]:
    """The models fastembed knows by name, each with where it comes from. Raises EmbedderUnavailable without fastembed.

    Importing it takes about a second.
    """
    try:
        from fastembed import TextEmbedding
        from loguru import logger
    except ImportError as error:
        raise EmbedderUnavailable(
            f"fastembed is not installed: {error}", hint="pip install 'memtui[fastembed]'"
        ) from error
    logger.disable("fastembed")  # it prints what is told by the errors here
    return {model["model"]: model["sources"]["hf"] or "" for model in TextEmbedding.list_supported_models()}


def known_widths() -> dict[str, int]:
    """How wide the vectors of fastembed's models are, by name."""
    from fastembed import TextEmbedding

    return {model["model"]: int(model["dim"]) for model in TextEmbedding.list_supported_models()}


def closest(name: str, known: dict[str, str]) -> tuple[str, ...]:
    """The known names most like one; all if none is."""
    from difflib import get_close_matches

    return tuple(get_close_matches(name, known, n=5)) or tuple(known)


def loading(load: Callable[[], TextEmbedding], what: str, hint: str, place: Path) -> TextEmbedding:
    """Load a model. Whatever goes wrong in its runtime becomes an EmbedderUnavailable that names the place."""
    try:
        return load()
    except (EmbedderUnavailable, KeyboardInterrupt):
        raise
    except BaseException as error:  # the runtimes' errors share no class, and a panic of Rust's is no Exception
        reason = " ".join(str(error).split())[:300]
        raise EmbedderUnavailable(f"{what}: {reason}", hint=hint, file=str(place)) from error


def _run(model: TextEmbedding, texts: list[str], purpose: Purpose) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The vectors of one batch, made unit length: some models leave that to their user."""
    embed = model.query_embed if purpose == "query" else model.passage_embed
    # `batch_size` beyond the number of texts: batches are made here, by length.
    try:
        rows = np.array(list(embed(texts, batch_size=len(texts) + 1)), dtype=np.float64)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # as in `loading`
        reason = " ".join(str(error).split())[:300]
        raise EmbedderUnavailable(f"The model failed on a text: {reason}") from error
    if rows.ndim != 2 or len(rows) != len(texts):
        raise EmbedderUnavailable(f"The model gave an array of shape {rows.shape}, not one vector a text.")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
