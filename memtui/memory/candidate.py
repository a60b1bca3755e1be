"""A text that someone is about to keep, read and cut as the vault would read and cut it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.errors import InvalidInput
from memtui.memory.realm import Realm
from memtui.model.records import MEMORY_KINDS, Content
from memtui.text.chunking import Chunk, chunks_of
from memtui.text.naming import normalise_summary
from memtui.text.searchable import SearchableText, searchable

if TYPE_CHECKING:
    from memtui.vault.layout import Place

_WHOLE_FILES = ("memory", "changelog")
"""Kinds of which one file holds many records: as a candidate it is one text."""


@dataclass(frozen=True)
class Passages:
    """A record or a candidate as it is compared: passage by passage, and word for word."""

    kind: str
    name: str
    content: Content

    @cached_property
    def _text(self) -> SearchableText:
        return searchable(self.kind, self.name, self.content)

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """The passages that are embedded: of a memory just one."""
        return chunks_of(self._text, whole=self.kind in MEMORY_KINDS)

    @cached_property
    def title(self) -> str | None:
        """The title its author gave it; what a file is called is none."""
        return None if self.content.title == self.name else self.content.title

    @property
    def headed(self) -> bool:
        """Whether its passages begin with a title of its own."""
        return self.title is not None and self.kind not in MEMORY_KINDS

    def readings(self, number: int, other: Passages) -> tuple[str, ...]:
        """What a passage says beside another text, in every way that may be compared by its words.

        A memory says its sentence, alone or with its body; its area, claims and sources are no text of its own. A
        passage of a document also counts without the title where the other side has none.
        """
        if self.kind in MEMORY_KINDS:
            summary, body = self.content.summary, self.content.body
            return tuple(dict.fromkeys(filter(None, (summary, "\n".join(filter(None, (summary, body)))))))
        chunk = self.chunks[number]
        bare = self._text.body[chunk.start : chunk.end]
        return (chunk.text, bare) if bare.strip() and not other.headed else (chunk.text,)

    def same_words(self, other: Passages) -> bool:
        """Whether both are the same text, word for word; titles may differ only where one side has none."""
        own, others = self.title, other.title
        if own and others and normalise_summary(own) != normalise_summary(others):
            return False
        return not self.wholes.isdisjoint(other.wholes)

    @cached_property
    def wholes(self) -> frozenset[str]:
        """The whole text without its title, normalised: of a memory its sentence, alone and with its body."""
        summary, body = self.content.summary, self.content.body
        memory = (summary, "\n".join(filter(None, (summary, body))))
        said = memory if self.kind in MEMORY_KINDS else (body or summary,)
        return frozenset(normalise_summary(text) for text in said if text and text.strip())


@dataclass(frozen=True)
class Candidate(Passages):
    """What may become a record. `path` is its place among the realm's files, None where it lies elsewhere."""

    path: str | None = None

    def is_own(self, content: Content) -> bool:
        """Whether a record comes from the candidate's own file."""
        return self.path is not None and content.path == self.path


def read_candidate(realm: Realm, source: str | Path) -> Candidate:
    """A candidate from its text, or from its file. Raises InvalidInput for one that cannot be read or says nothing."""
    if isinstance(source, str):
        return _read(realm, source.encode("utf-8", "replace"), "the text", None, None)
    data = _load(source)
    path, place = _place(realm, source)
    return _read(realm, data, str(source), path, place)


def _load(file: Path) -> bytes:
    from memtui.regular_files import read_regular
    from memtui.vault.scanning import LARGEST

    try:
        data = read_regular(os.path.realpath(file), LARGEST)
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InvalidInput(
            f"{file} cannot be read: {why}", file=str(file), field="FILE", hint="name a text file, or `-` and pipe it"
        ) from error
    if len(data) > LARGEST:
        raise InvalidInput(
            f"{file} is larger than {LARGEST // 1024 // 1024} MiB",
            file=str(file),
            field="FILE",
            hint="give the part of it that is new",
        )
    return data


def _place(realm: Realm, file: Path) -> tuple[str | None, Place | None]:
    """The path of a file among the realm's own, and what it would be there; None for one that lies elsewhere."""
    real = os.path.realpath(file)
    for root in realm.shelf.roots:
        base = os.path.realpath(root.folder).rstrip(os.sep) + os.sep
        if real.startswith(base):
            below = real[len(base) :].replace(os.sep, "/")
            return root.prefix + below, root.layout.place(below)
    return None, None


def _read(realm: Realm, data: bytes, shown: str, path: str | None, place: Place | None) -> Candidate:
    from memtui.vault.reading import read_file
    from memtui.vault.scanning import FoundFile

    kind, name = ("note", "") if place is None or place.kind in _WHOLE_FILES else place
    read = read_file(FoundFile(path or "", shown, len(data), 0, kind, name), data, realm.zone)
    if not read.records and kind == "engram":  # no memory as it stands: then it is a text
        kind = "note"
        read = read_file(FoundFile(path or "", shown, len(data), 0, kind, name), data, realm.zone)
    if not read.records:
        raise InvalidInput(f"{shown} is no text", field="FILE", hint="give markdown or plain text")
    candidate = Candidate(kind, name, read.records[0].content, path)
    if not candidate.wholes:
        raise InvalidInput(f"{shown} says nothing", field="FILE", hint="write down first what may become a record")
    return candidate
