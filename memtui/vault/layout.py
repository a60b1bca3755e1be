"""The layout of a vault: which file is which kind of record, and how it is called."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from memtui.errors import InvalidInput
from memtui.model.normal_forms import nfc
from memtui.model.records import Kind

MARKDOWN = ".md"


class Place(NamedTuple):
    """The kind and the name that a file has by where it lies."""

    kind: Kind
    name: str


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the kinds live, relative to the vault with `/`; each can be set in `memtui.toml`.

    Raises InvalidInput for a folder or file that is blank, absolute, leaves the vault, or is named twice.
    """

    knowledge: str = "knowledge"
    features: str = "features"
    tasks: str = "tasks"
    engrams: str = "engrams"
    memory: str = "memory.md"
    changelog: str = "CHANGELOG.json"
    ignore: tuple[str, ...] = ()
    """Patterns in gitignore syntax, besides those of `.memtuiignore`."""
    _folders: tuple[tuple[str, Kind], ...] = field(init=False, repr=False, compare=False, default=())

    def __post_init__(self) -> None:
        for name in ("knowledge", "features", "tasks", "engrams", "memory", "changelog"):
            object.__setattr__(self, name, _inside(name, getattr(self, name)))
        folders: list[tuple[str, Kind]] = [
            (self.knowledge + "/", "knowledge"),
            (self.features + "/", "feature"),
            (self.tasks + "/", "task"),
            (self.engrams + "/", "engram"),
        ]
        if len({folder for folder, _ in folders}) < len(folders):
            raise InvalidInput(
                f"two kinds of records share one folder: {', '.join(folder for folder, _ in folders)}",
                hint="Give knowledge, features, tasks and engrams a folder each.",
                field="layout",
            )
        # The deepest folder decides, so that one kind may live inside another's.
        folders.sort(key=lambda pair: (-pair[0].count("/"), pair[0]))
        object.__setattr__(self, "_folders", tuple(folders))

    def place(self, path: str) -> Place | None:
        """What a file is by its path relative to the vault; None when it is none of ours.

        A document's name is its path below its kind's folder without `.md`; a note's its path from
        the vault without `.md` too: one rule for all, and `[[links]]` leave the ending out as well. Names
        are NFC. The memory file and the change log hold many records, so their own name is the path.
        """
        known = nfc(path)
        if known == self.changelog:
            return Place("changelog", known)
        if known[-3:].lower() != MARKDOWN:
            return None
        if known == self.memory:
            return Place("memory", known)
        for folder, kind in self._folders:
            if known.startswith(folder):
                return Place(kind, known[len(folder) : -3])
        return Place("note", known[:-3])


def _inside(name: str, path: str) -> str:
    """A path of the layout in its one form. Raises InvalidInput when it does not stay in the vault."""
    parts = [part for part in nfc(path).replace("\\", "/").split("/") if part not in ("", ".")]
    if not parts or ".." in parts or path.startswith(("/", "\\")) or ":" in parts[0]:
        raise InvalidInput(
            f"the layout's {name} is {path!r}, which is no place inside the vault",
            hint="Name a folder or file relative to the vault.",
            field=f"layout.{name}",
            value=path,
        )
    return "/".join(parts)


DEFAULT_LAYOUT = Layout()
