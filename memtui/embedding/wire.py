"""How a program and its worker speak: one line of JSON a message, an answer's vectors as raw bytes behind it.

To the worker: `{"id", "purpose", "texts"}` asks, `{"cancel": id}` takes a question back. From it, first of all
`{"loaded": {"model_id", "dims", "semantic"}}` or `{"failed": error}`, then `{"id", "rows", "dims"}` followed by
rows × dims little-endian float32, or `{"id", "error": error}`, in any order. An error is what `as_dict` tells.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from memtui.embedding.port import Vectors
from memtui.errors import EmbedderUnavailable

_LITTLE_ENDIAN = np.dtype("<f4")


class Message(NamedTuple):
    """One message, and the vectors if it is an answer that has some."""

    header: Mapping[str, Any]
    vectors: Vectors | None


def as_bytes(header: Mapping[str, Any], vectors: Vectors | None = None) -> bytes:
    """A message as it is sent. Lone surrogates are escaped by JSON and come out as they were."""
    line = json.dumps(header).encode("ascii") + b"\n"
    return line if vectors is None else line + np.ascontiguousarray(vectors, dtype=_LITTLE_ENDIAN).tobytes()


def read_message(stream: BinaryIO) -> Message | None:
    """The next message; None at the end of the stream, also amid a message. Raises ValueError on anything else."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        return None
    header = json.loads(line)
    if not isinstance(header, dict):
        raise ValueError(f"not a message: {line[:80]!r}")
    if "rows" not in header:
        return Message(header, None)  # pyright: ignore[reportUnknownArgumentType]
    shape = int(header["rows"]), int(header["dims"])  # pyright: ignore[reportUnknownArgumentType]
    size = shape[0] * shape[1] * _LITTLE_ENDIAN.itemsize
    content = stream.read(size)
    if len(content) < size:
        return None
    return Message(header, np.frombuffer(content, dtype=_LITTLE_ENDIAN).reshape(shape))  # pyright: ignore[reportUnknownArgumentType]


def error_from(told: Mapping[str, Any]) -> EmbedderUnavailable:
    """The error a worker told of."""
    return EmbedderUnavailable(
        str(told["message"]), hint=told.get("hint"), file=told.get("file"), choices=told.get("choices", ())
    )
