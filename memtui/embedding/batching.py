"""Texts in batches of like length: what is embedded together costs what its longest text does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def batches(texts: Sequence[str], most_texts: int, most_characters: int | None = None) -> Iterator[list[int]]:
    """Which texts are embedded together, by their places: shorter ones first, those of one length in their order.

    A batch holds at most `most_texts`, and, but for a single text, at most `most_characters`: the longest of it times
    their number, for a model pads all to the longest, and that is what its memory goes by.
    """
    batch: list[int] = []
    for place in sorted(range(len(texts)), key=lambda place: len(texts[place])):
        padded = (len(batch) + 1) * len(texts[place])
        if batch and (len(batch) == most_texts or (most_characters is not None and padded > most_characters)):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
