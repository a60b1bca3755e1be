"""Walking a vault: which files there are, by size and time, without opening any of them.

Links are followed only inside the vault and only to what the walk did not find by itself, so no
loop can catch it and every real file is found once, under its own path where it has one.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from unicodedata import normalize

from memtui.errors import InvalidInput
from memtui.model.problems import Problem
from memtui.text.naming import check_name
from memtui.vault.ignoring import IGNORE_FILE, IgnoreRules, read_rules
from memtui.vault.layout import DEFAULT_LAYOUT, MARKDOWN, Layout

LARGEST = 32 * 1024 * 1024
"""Bytes of the largest file that is read."""
OWN_FOLDER = ".memtui"
TEMPORARY = ".memtui-tmp"
"""How the names of our own temporary files end."""
OURS = re.compile(r"\..*\.(?P<writer>[0-9]+)-[0-9]+" + re.escape(TEMPORARY), re.DOTALL)
"""The whole name of such a file: of what it is to become, the process that writes it, a number."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file that holds records."""

    path: str
    """Relative to the vault with `/`, as the file system spells it."""
    absolute: str
    """The real file, links resolved: this is what is opened, and what a write must replace."""
    size: int
    """Bytes."""
    mtime_ns: int
    kind: str
    name: str
    """The record's name by its place (NFC); the path for the memory file and the change log."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What a walk saw, everything sorted by path."""

    files: tuple[FoundFile, ...]
    skipped: tuple[tuple[str, str], ...]
    """(path, reason) of every file or folder left out on purpose; what is no record is not listed."""
    problems: tuple[Problem, ...]
    unseen: tuple[str, ...] = ()
    """What is there but could not be looked at: a file's path, a folder's with `/` at its end, `""` for
    the whole vault. Records from there have not vanished."""
    leftovers: tuple[str, ...] = ()
    """Where our own temporary files lie: of runs that crashed, or that are writing now."""

    def hides(self, path: str) -> bool:
        """Whether a file known from before may still be there, unseen."""
        return any(path == place or (place[-1:] in ("", "/") and path.startswith(place)) for place in self.unseen)


def scan(root: str | os.PathLike[str], layout: Layout = DEFAULT_LAYOUT, ignore: IgnoreRules | None = None) -> Scan:
    """The files of a vault. Never raises for what it meets on the way; that becomes a problem.

    Without `ignore` the rules are the layout's and those of the vault's `.memtuiignore`.
    """
    base = os.path.realpath(root)
    rules = read_rules(base, layout.ignore) if ignore is None else ignore
    walk = _Walk(base, layout, rules)
    walk.run()
    return Scan(
        files=tuple(walk.settled()),
        skipped=tuple(sorted(walk.skipped)),
        problems=tuple(sorted((*rules.problems, *walk.problems), key=lambda p: (p.path, p.line or 0))),
        unseen=tuple(sorted(walk.unseen)),
        leftovers=tuple(sorted(walk.leftovers)),
    )


class _Walk:
    def __init__(self, base: str, layout: Layout, rules: IgnoreRules) -> None:
        self.base, self.layout, self.rules = base, layout, rules
        self.files: list[FoundFile] = []
        self.skipped: list[tuple[str, str]] = []
        self.problems: list[Problem] = []
        self.unseen: list[str] = []
        self.leftovers: list[str] = []
        self._links: list[tuple[str, str]] = []  # (path in the vault, where it lies)
        self._folders: dict[tuple[int, int], str] = {}  # every folder entered, by what it really is
        self._real_files: set[str] = set()

    def run(self) -> None:
        self._tree(self.base, "")
        while self._links:
            # What links lead to may hold further links: round by round, until nothing new comes.
            links, self._links = sorted(self._links), []
            for path, place in links:
                self._follow(path, place)

    def settled(self) -> list[FoundFile]:
        """The files by path; of two that would be the same record the second is a problem."""
        owners: dict[tuple[str, str], str] = {}
        settled: list[FoundFile] = []
        for file in sorted(self.files, key=lambda f: f.path):
            owner = owners.setdefault((file.kind, file.name), file.path)
            if owner == file.path:
                settled.append(file)
            else:
                reason = f"would be {file.kind} {file.name!r}, a name that {owner!r} has; rename one of them"
                self.problems.append(Problem(_printable(file.path), reason, field="name", value=file.name))
        return settled

    def _tree(self, folder: str, below: str) -> None:
        stack = [(folder, below)]
        while stack:
            absolute, path = stack.pop()
            try:
                with os.scandir(absolute) as listing:
                    entries = list(listing)
                if not self._enter(absolute, path):
                    continue
            except OSError as error:
                self._unreadable(path, "folder", error)
                continue
            if path and any(entry.name == OWN_FOLDER and entry.is_dir() for entry in entries):
                self.skipped.append((path[:-1], "a vault of its own"))
                continue
            for entry in entries:
                self._entry(entry, path + entry.name, stack)

    def _enter(self, absolute: str, path: str) -> bool:
        """Whether a folder is new; a bind mount or junction can lead back without being a link."""
        status = os.stat(absolute)
        first = self._folders.setdefault((status.st_dev, status.st_ino), path)
        if first == path or not status.st_ino:  # some network file systems number nothing
            return True
        self.skipped.append((path[:-1], f"leads to {first[:-1] or 'the vault itself'}, which is read already"))
        return False

    def _entry(self, entry: os.DirEntry[str], path: str, stack: list[tuple[str, str]]) -> None:
        name = entry.name
        if name[0] == "." or name[:2] == "~$" or name[-4:].lower() == ".tmp":
            if name.endswith(TEMPORARY) and OURS.fullmatch(name) and entry.is_file(follow_symlinks=False):
                self.leftovers.append(entry.path)
                return
            # memtui's own folder and rules are no part of what someone keeps in the vault.
            if path not in (OWN_FOLDER, IGNORE_FILE):
                self.skipped.append((_printable(path), _why_skipped(name)))
            return
        if entry.is_symlink():
            self._links.append((path, entry.path))
            return
        try:
            if entry.is_dir(follow_symlinks=False):
                if self.rules and self.rules.covers(path, folder=True):
                    self.skipped.append((_printable(path), "ignored by rule"))
                else:
                    stack.append((entry.path, path + "/"))
            elif name[-3:].lower() == MARKDOWN or path == self.layout.changelog:
                self._take(path, entry.path, entry.stat(follow_symlinks=False))
        except OSError as error:
            self._unreadable(path, "file", error)

    def _take(self, path: str, absolute: str, status: os.stat_result) -> None:
        """Add a file that holds records, or say why not."""
        place = self.layout.place(path)
        if place is None:
            return
        if self.rules and self.rules.covers(path):
            self.skipped.append((_printable(path), "ignored by rule"))
            return
        if absolute in self._real_files:
            real = absolute[len(self.base) + 1 :].replace(os.sep, "/")
            self.skipped.append((_printable(path), f"a link to {_printable(real)}, which is read already"))
            return
        reason = _unfit(status)
        if reason is not None:
            self.unseen.append(path)
        reason = reason or _bad_name(path, place.name)
        if reason is not None:
            self.problems.append(Problem(_printable(path), reason))
            return
        self._real_files.add(absolute)
        self.files.append(FoundFile(path, absolute, status.st_size, status.st_mtime_ns, place.kind, place.name))

    def _follow(self, path: str, place: str) -> None:
        """A link: to a file or folder of the vault that the walk did not find by itself, or left alone."""
        try:
            target = os.path.realpath(place, strict=True)
            status = os.stat(target)
        except OSError as error:
            if path[-3:].lower() == MARKDOWN:
                self._unreadable(path, "link", error)
            else:
                self.skipped.append((_printable(path), "a link that leads nowhere"))
            return
        within = target[len(self.base) + 1 :].replace(os.sep, "/")
        if target != self.base and not target.startswith(self.base.rstrip(os.sep) + os.sep):
            self.skipped.append((_printable(path), "a link that leaves the vault"))
        elif self._is_closed(within, folder=stat.S_ISDIR(status.st_mode)):
            self.skipped.append((_printable(path), "a link to what is left out"))
        elif stat.S_ISDIR(status.st_mode):
            self._tree(target, path + "/")
        else:
            self._take(path, target, status)

    def _is_closed(self, within: str, *, folder: bool) -> bool:
        """Whether a link's target is memtui's own, ignored, or part of another vault."""
        parts = within.split("/") if within else []
        if OWN_FOLDER in parts:
            return True
        for count in range(1, len(parts) + 1):
            part = "/".join(parts[:count])
            is_folder = folder or count < len(parts)
            if self.rules.covers(part, folder=is_folder):
                return True
            if is_folder and os.path.isdir(os.path.join(self.base, part, OWN_FOLDER)):
                return True
        return False

    def _unreadable(self, path: str, what: str, error: OSError) -> None:
        shown = _printable(path.rstrip("/")) or "."
        # What went away during the walk is gone; a vault that is not there at all has lost nothing.
        if not path or not isinstance(error, FileNotFoundError):
            self.unseen += [path, path + "/"] if what == "link" else [path]
        if isinstance(error, FileNotFoundError) and what == "link":
            reason = "is a broken link: what it leads to is not there"
        else:
            reason = f"the {what} cannot be read ({error.strerror})"
        self.problems.append(Problem(shown, reason))


def _why_skipped(name: str) -> str:
    if name[0] == ".":
        return "its name begins with ."
    return "an editor's lock file" if name[:2] == "~$" else "a temporary file"


def _unfit(status: os.stat_result) -> str | None:
    if not stat.S_ISREG(status.st_mode):
        return "is no regular file"  # opening a pipe would wait for ever
    if status.st_size > LARGEST:
        return f"too large: {status.st_size / 1024 / 1024:.1f} MiB, the limit is {LARGEST // 1024 // 1024} MiB"
    return None


def _bad_name(path: str, name: str) -> str | None:
    if path.isascii() and path.isprintable() and 0 < len(name) <= 200 and name.strip(" ."):
        return None  # the usual case costs nothing
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return "its name is not valid UTF-8; rename it"
    try:
        check_name(normalize("NFC", name))
    except InvalidInput as error:
        return f"its name cannot be a record's: {error.message}"
    return None


def _printable(path: str) -> str:
    """A path that any screen and any JSON can hold."""
    if path.isprintable():
        return path
    return "".join(c if c.isprintable() or c == "\u200d" else c.encode("unicode_escape").decode() for c in path)
