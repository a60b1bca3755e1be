"""What every vector must be before it is used: of the stated shape, finite, of unit length, of a width stores know."""

from __future__ import annotations

import operator

import numpy as np

from memtui.embedding.port import Vectors
from memtui.errors import EmbedderUnavailable
from memtui.model.embeddings import WIDTHS

_TOLERANCE = 1e-3
"""How far from one a vector's length may be; beyond it is no rounding."""
_ROUNDING = 1e-6
"""How far from one the length of a float32 vector may be by rounding alone."""
_HINT = "search goes by words until the model gives vectors that can be used"


def checked(vectors: object, rows: int, dims: int) -> Vectors:
    """The vectors as float32, their length made one as exactly as that can hold.

    Raises EmbedderUnavailable, which says what was wrong: no numbers, another shape than (rows, dims), a value that
    is not finite, a vector of zeros, a length that differs from one by more than 1e-3.
    """
    try:
        array = np.asarray(vectors)
    except (TypeError, ValueError) as error:
        raise _wrong(f"vectors that are no array of numbers: {error}") from error
    if array.dtype.kind not in "fiu":
        raise _wrong("vectors that are no array of numbers")
    if array.shape != (rows, dims):
        raise _wrong(f"vectors of shape {array.shape} where {(rows, dims)} was asked for")
    exact = array.astype(np.float64)
    if not np.isfinite(exact).all():
        raise _wrong(f"a vector that is not finite (text {_first(~np.isfinite(exact).all(axis=1))})")
    lengths = np.linalg.norm(exact, axis=1)
    if not lengths.all():
        raise _wrong(f"a vector of zeros (text {_first(lengths == 0)})")
    off = np.abs(lengths - 1) > _TOLERANCE
    if off.any():
        raise _wrong(f"a vector of length {lengths[off][0]:.4g} instead of 1 (text {_first(off)})")
    # What rounds to one is left: checked again, or on another machine, the same vectors come out.
    lengths[np.abs(lengths - 1) <= _ROUNDING] = 1
    return (exact / lengths[:, None]).astype(np.float32)


def check_width(dims: object) -> int:
    """The width, if stores have a table for it. Raises EmbedderUnavailable, naming the migration to write."""
    try:
        width = operator.index(dims)  # pyright: ignore[reportArgumentType]
    except TypeError as error:
        raise EmbedderUnavailable(
            f"The model's vectors are {str(dims)[:40]!r} wide, which is no whole number.", hint=_HINT, field="dims"
        ) from error
    if width in WIDTHS:
        return width
    known = ", ".join(str(width) for width in WIDTHS)
    raise EmbedderUnavailable(
        f"The model's vectors are {width} wide; stores have tables for {known}.",
        hint=f"write a migration of the store that adds a table vector_{width}, and add {width} to WIDTHS",
        field="dims",
        value=width,
        choices=tuple(str(width) for width in WIDTHS),
    )


def _wrong(what: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(f"The model gave {what}.", hint=_HINT)


def _first(rows: object) -> int:
    return int(np.argmax(np.asarray(rows)))
