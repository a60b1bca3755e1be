"""What a link in a text leads to: records by path, name, alias or title."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import NamedTuple

from memtui.model.normal_forms import nfc


class Linkable(NamedTuple):
    """What a record answers to. `path` is its file, relative to the vault; None for one without a file."""

    kind: str
    name: str
    path: str | None = None
    aliases: tuple[str, ...] = ()
    title: str | None = None


class LinkKey(NamedTuple):
    """A record within its partition."""

    kind: str
    name: str


class LinkResolver:
    """Answers which records a link means; several answers mean that the link is ambiguous.

    The first rule that finds anything decides: path from the linking file's folder, path from the
    vault, name (or kind/name), alias, title, the last parts of a path down to the bare file name.
    Within a rule the exact spelling comes before one that differs only in case or Unicode form.
    """

    def __init__(self, records: Iterable[Linkable | tuple[str, str, str | None, tuple[str, ...], str | None]]) -> None:
        """Takes (kind, name, path, aliases, title) of each record, in any order."""
        self._paths, self._names, self._aliases, self._titles, self._tails = (_Spellings() for _ in range(5))
        for item in records:
            record = Linkable(*item)
            key = LinkKey(record.kind, record.name)
            self._names.add(record.name, key)
            self._names.add(f"{record.kind}/{record.name}", key)
            for alias in record.aliases:
                self._aliases.add(alias, key)
            if record.title:
                self._titles.add(record.title, key)
            if record.path:
                self._add_path(_without_ending(record.path), key)

    def resolve(self, target: str, from_path: str | None = None) -> tuple[LinkKey, ...]:
        """The records a target means, seen from a file of the vault; sorted, empty when there is none."""
        written = nfc(target.strip()).replace("\\", "/")
        path = _without_ending(written)
        if not path.strip("/."):
            return ()
        if from_path is not None and not path.startswith("/"):
            near = posixpath.normpath(posixpath.join(posixpath.dirname(nfc(from_path)), path))
            if found := self._paths.get(near):
                return found
        if path.startswith(("./", "../")):
            return ()  # it says where to look, and there is nothing
        rooted = posixpath.normpath(path.lstrip("/"))
        rules = (
            (self._paths, rooted),
            (self._names, written),
            (self._names, path),
            (self._aliases, written),
            (self._titles, written),
            (self._tails, rooted),
        )
        return next((found for spellings, wanted in rules if (found := spellings.get(wanted))), ())

    def _add_path(self, path: str, key: LinkKey) -> None:
        self._paths.add(path, key)
        start = path.find("/")
        while start >= 0:
            self._tails.add(path[start + 1 :], key)
            start = path.find("/", start + 1)


class _Spellings:
    """Records by a text, exactly or whatever its case."""

    def __init__(self) -> None:
        self._by_folded: dict[str, dict[LinkKey, set[str]]] = {}

    def add(self, text: str, key: LinkKey) -> None:
        known = nfc(text)
        self._by_folded.setdefault(_folded(known), {}).setdefault(key, set()).add(known)

    def get(self, text: str) -> tuple[LinkKey, ...]:
        candidates = self._by_folded.get(_folded(text), {})
        exact = [key for key, spellings in candidates.items() if text in spellings]
        return tuple(sorted(exact or candidates))


def _folded(text: str) -> str:
    return nfc(text.casefold())


def _without_ending(path: str) -> str:
    known = nfc(path)
    return known[:-3] if known[-3:].lower() == ".md" else known
