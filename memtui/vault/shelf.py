"""The folders a partition is filled from: a vault's own, or those a person named as their base."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from memtui.errors import Refused
from memtui.vault.layout import Layout
from memtui.vault.scanning import Scan, scan

_MEND_LINK = "put a file in its place, or let the link lead to one of the vault; then `memtui sync`"
_ALLOW = "allow reading it, then try again"


class Root(NamedTuple):
    """One folder of a shelf. Paths in it begin with `prefix`, which is empty or ends with `/`."""

    prefix: str
    folder: Path
    layout: Layout


@dataclass(frozen=True, slots=True)
class Shelf:
    """One or more folders, read as one."""

    roots: tuple[Root, ...]

    @classmethod
    def of_vault(cls, folder: Path, layout: Layout) -> Shelf:
        """The shelf of a vault: its folder, with paths relative to it."""
        return cls((Root("", folder, layout),))

    @classmethod
    def of_base(cls, folders: tuple[Path, ...], layout: Layout) -> Shelf:
        """The shelf of a person's base: each folder's paths begin with its name, numbered where names repeat."""
        roots: list[Root] = []
        taken: set[str] = set()
        for folder in folders:
            name, number = folder.name or "base", 2
            while name in taken:
                name, number = f"{folder.name or 'base'}-{number}", number + 1
            taken.add(name)
            roots.append(Root(f"{name}/", folder, layout))
        return cls(tuple(roots))

    @property
    def reading(self) -> tuple[tuple[str, Layout], ...]:
        """What decides, besides the files, how they are read; where they lie does not."""
        return tuple((root.prefix, root.layout) for root in self.roots)

    def holds(self, path: str) -> bool:
        """Whether a path lies in one of the folders: a person may have taken one off the shelf since."""
        return self._root_of(path) is not None

    def absolute(self, path: str) -> Path:
        """Where a path of this shelf lies. Raises Refused for one that lies in none of its folders."""
        root = self._root_of(path)
        if root is None:
            raise Refused(
                f"{path} lies in no folder that is configured now",
                file=path,
                hint="add its folder to `base` again, or `memtui sync` to take note that it is gone",
            )
        return root.folder / path[len(root.prefix) :]

    def real(self, path: str) -> Path | None:
        """The real file of a path of this shelf, links resolved as the walk does; None where nothing is there.

        Raises Refused for a link that leads nowhere or out of its folder, and for what may not be looked at.
        """
        root, target = self._root_of(path), self.absolute(path)
        try:
            real = os.path.realpath(target, strict=True)
        except (FileNotFoundError, NotADirectoryError) as error:
            if not os.path.islink(target):
                return None
            raise Refused(f"{path} is a link that leads nowhere", file=path, hint=_MEND_LINK) from error
        except OSError as error:
            raise Refused(f"{path} cannot be read: {error.strerror or error}", file=path, hint=_ALLOW) from error
        base = "" if root is None else os.path.realpath(root.folder)
        if not real.startswith(base.rstrip(os.sep) + os.sep):
            raise Refused(f"{path} is a link that leaves the vault", file=path, hint=_MEND_LINK)
        return Path(real)

    def name_by_place(self, path: str) -> str:
        """What a file's record is called by where it lies; its path where that is nothing of ours."""
        root = self._root_of(path)
        place = None if root is None else root.layout.place(path[len(root.prefix) :])
        return path if place is None else place.name

    def _root_of(self, path: str) -> Root | None:
        return next((root for root in self.roots if path.startswith(root.prefix)), None)

    def scan(self) -> Scan:
        """Walk all folders. Never raises for what it meets on the way.

        Temporary files in the folders of a base are not told: which of them are done with, only the ledger of the
        vault they lie in can say.
        """
        if len(self.roots) == 1 and not self.roots[0].prefix:
            return scan(self.roots[0].folder, self.roots[0].layout)
        scans = [_below(root.prefix, scan(root.folder, root.layout)) for root in self.roots]
        return Scan(
            files=tuple(file for found in scans for file in found.files),
            skipped=tuple(skipped for found in scans for skipped in found.skipped),
            problems=tuple(problem for found in scans for problem in found.problems),
            unseen=tuple(place for found in scans for place in found.unseen),
        )


def _below(prefix: str, found: Scan) -> Scan:
    return Scan(
        files=tuple(replace(file, path=prefix + file.path) for file in found.files),
        skipped=tuple((prefix + path, reason) for path, reason in found.skipped),
        problems=tuple(replace(problem, path=prefix + problem.path) for problem in found.problems),
        unseen=tuple(prefix + place for place in found.unseen),
    )
