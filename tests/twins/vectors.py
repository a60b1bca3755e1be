"""The vectors of the in-memory twin: lists that are gone through anew each time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from memtui.model.embeddings import WIDTHS
from memtui.model.versions import Version
from memtui.store.vectors import EmbeddedText, Space, VectorBlock

GONE = Space("", 384, "")


class TwinVectors:
    """`VectorIndex` and `VectorWriting` over plain lists."""

    versions: list[Version]
    embedded_texts: list[tuple[Space, EmbeddedText]]
    chunk_vectors: dict[tuple[str, int, str], NDArray[np.float32]]
    outdated: dict[str, int]
    """Of models whose texts are embedded anew: how many of the embedded texts are old ones."""

    def vectors(self, space: Space, after: int = -1) -> VectorBlock:
        _check(space)
        later = [
            (number, text)
            for number, (own, text) in enumerate(self.embedded_texts)
            if own == space and number > after and self._is_whole(space, text)
        ]
        rows = sorted(
            (text.text_id, place, self.chunk_vectors[(*space[:2], chunk)])
            for _, text in later
            for place, chunk in enumerate(text.chunks)
        )
        return VectorBlock(
            np.array([text_id for text_id, _, _ in rows], dtype=np.int64),
            np.array([vector for _, _, vector in rows], dtype=np.float32).reshape(len(rows), space.dims),
            len(later),
            max((number for number, _ in later), default=after),
        )

    def embedded(self, space: Space) -> tuple[int, int]:
        if space.dims not in WIDTHS:
            return max(self.embedded(space._replace(dims=width)) for width in WIDTHS)
        held = [text for own, text in self.embedded_texts if own == space and self._is_whole(space, text)]
        return len(held), sum(len(text.chunks) for text in held)

    def unembedded(self, space: Space, partitions: Sequence[str]) -> Sequence[tuple[int, str, int]]:
        held = self._held(space)
        latest: dict[int, Version] = {}
        for version in sorted(self.versions, key=lambda v: (v.recorded_at, v.seq)):
            if version.key.partition in partitions and version.text_id not in held:
                latest[version.text_id] = version
        newest = sorted(latest.values(), key=lambda v: (-v.recorded_at, -v.seq))
        return [(v.text_id, v.key.partition, v.seq) for v in newest]

    def _held(self, space: Space) -> set[int]:
        later = self.embedded_texts[self.outdated.get(space.model_id, 0) :]
        return {text.text_id for own, text in later if own == space and self._is_whole(space, text)}

    def _is_whole(self, space: Space, text: EmbeddedText) -> bool:
        return all((*space[:2], chunk) in self.chunk_vectors for chunk in text.chunks)

    def renew_vectors(self, space: Space) -> None:
        _check(space)
        self.outdated = {**self.outdated, space.model_id: len(self.embedded_texts)}

    def known_vectors(self, space: Space, digests: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        _check(space)
        found = {chunk: self.chunk_vectors.get((*space[:2], chunk)) for chunk in digests if self._knows(space, chunk)}
        return {chunk: vector for chunk, vector in found.items() if vector is not None}

    def _knows(self, space: Space, chunk: str) -> bool:
        if space.model_id not in self.outdated:
            return True
        later = self.embedded_texts[self.outdated[space.model_id] :]
        return any(chunk in text.chunks for own, text in later if own.model_id == space.model_id)

    def embed(self, space: Space, texts: Sequence[EmbeddedText], vectors: Mapping[str, NDArray[np.float32]]) -> int:
        _check(space)
        held = self._held(space)
        fresh = [text for text in texts if text.text_id not in held]
        known = self.known_vectors(space, [chunk for text in fresh for chunk in text.chunks])
        again = {text.text_id for text in fresh}
        self.embedded_texts = [
            (GONE, text) if own == space and text.text_id in again else (own, text) for own, text in self.embedded_texts
        ]
        for chunk in (chunk for text in fresh for chunk in text.chunks):
            if chunk not in known:
                if chunk not in vectors:
                    raise ValueError(f"{chunk} has no vector")
                self.chunk_vectors[(*space[:2], chunk)] = vectors[chunk].astype(np.float32)
        self.embedded_texts.extend((space, text) for text in fresh)
        return len(fresh)


def _check(space: Space) -> None:
    if space.dims not in WIDTHS:
        raise ValueError(f"there is no table vector_{space.dims}")
