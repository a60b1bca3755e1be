"""Fetching a model of fastembed's over the network, when a person asks for it."""

from __future__ import annotations

from pathlib import Path

from memtui.embedding.checking import check_width
from memtui.embedding.model_cache import model_cache
from memtui.embedding.onnx import THREADS, closest, known_models, known_widths, load_cached, loading
from memtui.errors import EmbedderUnavailable, InvalidInput

_SECONDS = 10
"""How long the network may take to answer at all."""


def fetch(name: str) -> tuple[bool, Path]:
    """Have one of fastembed's models in the cache: whether it had to be fetched, and the cache's folder.

    Raises InvalidInput for a name fastembed does not know, EmbedderUnavailable where the network or the cache fails.
    """
    known = known_models()
    name = next((model for model in known if model.lower() == name.lower()), name)
    if name not in known:
        raise InvalidInput(
            f"fastembed knows no model {name!r}.", field="model", value=name, choices=closest(name, known)
        )
    check_width(known_widths()[name])
    cache = model_cache()
    try:
        load_cached(name)
    except EmbedderUnavailable:
        _reach(name, known[name])
    else:
        return False, cache
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EmbedderUnavailable(
            f"The folder {cache} for models cannot be made: {error.strerror}",
            hint="set FASTEMBED_CACHE_PATH to a folder of your own",
            file=str(cache),
        ) from error
    from fastembed import TextEmbedding

    loading(
        lambda: TextEmbedding(name, cache_dir=str(cache), threads=THREADS),
        f"The model {name} could not be fetched",
        "try again; what was fetched so far is kept",
        cache,
    )
    return True, cache


def _reach(name: str, source: str) -> None:
    """Ask for the model's page first: fastembed itself tries for most of a minute where there is no network."""
    from huggingface_hub import HfApi

    try:
        HfApi().model_info(source, timeout=_SECONDS)
    except Exception as error:  # of the network, of the host, or of its own choosing to be offline
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise EmbedderUnavailable(
            f"The model {name} cannot be fetched: huggingface.co/{source} does not answer ({reason}).",
            hint="try again where there is a network, or put the model into a folder and use fastembed:<folder>",
        ) from error
