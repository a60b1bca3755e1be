"""Replacing a file of the vault in two steps: the new bytes beside it, then one rename.

Between the two steps the file is untouched and what it will be is known to the byte and the
nanosecond, so that a ledger can record it first. A crash leaves either the old file or the new one,
and at worst a hidden temporary file beside it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from memtui.errors import Refused
from memtui.log import survived
from memtui.regular_files import NotRegular, read_regular
from memtui.vault.scanning import LARGEST, OURS, TEMPORARY

_KEPT_OF_A_NAME = 200
"""Bytes of a file's name in the name of its temporary file, which may have 255."""
_NEXT_TICKS_NS = (1_000, 2_000_000_000)
"""Steps by which a time is told from another: usual file systems count finely, FAT every other second."""
_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | sum(getattr(os, n, 0) for n in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"))


@dataclass(frozen=True, slots=True)
class Prepared:
    """New bytes for a file, safely on disk beside it. It must be committed or discarded."""

    target: Path
    """The real file, links resolved."""
    temporary: Path
    size: int
    """Bytes the file will have."""
    mtime_ns: int
    """The time it will have; never with the same size the time it had."""
    digest: str
    """SHA-256 of the new bytes, hexadecimal."""
    expected: str | None
    """SHA-256 of the bytes it must still hold; None where there must be no file yet."""
    keep: bool = field(default=False, compare=False)
    """Whether it stays where the file turns out to hold something else: so a sync knows that it never got there."""

    def commit(self) -> os.stat_result:
        """Put the new bytes in the file's place and see to it that they stay.

        Raises Refused, leaving the file alone, when it no longer holds what was expected (what was prepared is then
        discarded, unless it is to be kept) or when it cannot be replaced (what was prepared is kept).
        """
        if _digest_of(self.target) != self.expected:
            if not self.keep:
                self.discard()
            raise Refused(
                f"{self.target} was changed meanwhile by someone else, so it was left as it is now",
                file=str(self.target),
                hint="`memtui sync` reads what it says now; then try again",
            )
        try:
            os.replace(self.temporary, self.target)
            _sync_folder(self.target.parent)
            return os.stat(self.target)
        except OSError as error:
            raise _failed(self.target, error, "close what holds it open; `memtui sync` then sees to it") from error

    def discard(self) -> None:
        """Take the new bytes away again; the file stays as it is. Once committed, there is nothing to take away."""
        try:
            self.temporary.unlink(missing_ok=True)
        except OSError as error:
            survived("a temporary file could not be removed; a later sync does it", error)


def prepare(target: Path, data: bytes, *, expected: bytes | None, keep: bool = False) -> Prepared:
    """Write the new bytes of a file beside it, with its permissions, and make sure they are on the disk.

    `expected` are the bytes the file holds now, None for one that does not exist yet. A link is followed to the
    real file and stays. With `keep` what was prepared outlives a file that changes before it is committed. Raises
    Refused for a file that is read-only, no regular file, or changed already, for data that would be too large to be
    read again, and for what a disk refuses.
    """
    if len(data) > LARGEST:
        limit = f"{LARGEST // 1024 // 1024} MiB"
        raise Refused(f"{target} would become larger than {limit}", file=str(target), hint="write less into one file")
    real = _real_file(target)
    known = None if expected is None else hashlib.sha256(expected).hexdigest()
    if _digest_of(real) != known:
        what = "exists already" if known is None else "does not hold what was read from it"
        raise Refused(f"{target} {what}", file=str(target), hint="`memtui sync` reads what it says now; then try again")
    if known is not None and not os.access(real, os.W_OK):
        raise Refused(f"{target} is read-only", file=str(target), hint=f"allow writing to it (chmod u+w {target})")
    try:
        temporary = _write_beside(real, data, new=known is None)
    except OSError as error:
        raise _failed(target, error, "make room or allow writing in its folder, then try again") from error
    status = os.stat(temporary)
    digest = hashlib.sha256(data).hexdigest()
    return Prepared(real, temporary, status.st_size, status.st_mtime_ns, digest, known, keep)


def unfinished(target: Path, digest: str, *, expected: str | None) -> Prepared | None:
    """What a run that ended before its commit had prepared for a file, if it holds the bytes of that digest.

    `expected` is the digest of what the file must still hold.
    """
    real = _real_file(target)
    for temporary in _beside(real):
        if _digest_of(temporary) == digest:
            status = os.stat(temporary)
            return Prepared(real, temporary, status.st_size, status.st_mtime_ns, digest, expected, keep=True)
    return None


def lies_beside(real: Path, digest: str) -> bool:
    """Whether bytes of that digest were prepared for a file (links resolved) and still wait beside it."""
    for temporary in _beside(real):
        try:
            if _digest_of(temporary) == digest:
                return True
        except Refused as error:
            survived("a temporary file cannot be read, so it is taken for someone else's", error)
    return False


def abandoned(leftovers: Iterable[Path], *, before_ns: int) -> tuple[Path, ...]:
    """Those temporary files that no process can still be writing or about to put in a file's place.

    Their process has ended, or they were last written before a moment (nanoseconds since 1970) that lies well in
    the past: the number of a process that ended is given to others.
    """
    found: list[Path] = []
    for path in leftovers:
        named = OURS.fullmatch(path.name)
        try:
            status = os.lstat(path)
        except OSError:
            continue  # its own process has just finished with it
        if named is None or not stat.S_ISREG(status.st_mode):
            continue
        if status.st_mtime_ns < before_ns or not _runs(int(named["writer"])):
            found.append(path)
    return tuple(found)


def sweep(leftovers: Iterable[Path], awaited: Collection[str]) -> tuple[Path, ...]:
    """Remove abandoned temporary files, and say which; those with bytes of an `awaited` digest stay.

    So does one that cannot be read or removed: the log tells of it.
    """
    removed: list[Path] = []
    for path in leftovers:
        try:
            if not awaited or _digest_of(path) not in awaited:
                path.unlink(missing_ok=True)
                removed.append(path)
        except (Refused, OSError) as error:
            survived("a temporary file of a run that ended could not be removed", error)
    return tuple(removed)


def _runs(process: int) -> bool:
    """Whether a process may still run here; taken to, where that cannot be asked."""
    if os.name == "nt":
        return True  # to signal a process is to end it there
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _write_beside(real: Path, data: bytes, *, new: bool) -> Path:
    """A temporary file with the data, flushed to the disk. Raises OSError, leaving nothing behind."""
    temporary, descriptor = _created(real, 0o666 if new else 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if not new:
                _take_after(temporary, real)
            os.fsync(descriptor)
        return temporary
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _created(real: Path, mode: int) -> tuple[Path, int]:
    """A new file beside the target; numbered by process so that no two writers ever share one."""
    for number in count():
        temporary = real.with_name(_temporary_name(real.name, number))
        try:
            return temporary, os.open(temporary, _CREATE, mode)
        except FileExistsError:
            continue
    raise AssertionError("counting never ends")


def _temporary_name(name: str, number: int) -> str:
    return f"{_beginning(name)}{os.getpid()}-{number}{TEMPORARY}"


def _beginning(name: str) -> str:
    """How the temporary files of a file begin; a very long name is cut so that there is room for the rest."""
    kept = os.fsencode(name)[:_KEPT_OF_A_NAME].decode("utf-8", "ignore")
    return f".{kept}."


def _take_after(temporary: Path, real: Path) -> None:
    """Permissions, owner and attributes of the file that is replaced; a time of its own."""
    old = os.stat(real)
    if hasattr(os, "chown"):
        now = os.stat(temporary)
        if (now.st_uid, now.st_gid) != (old.st_uid, old.st_gid):
            _give(temporary, old)
    shutil.copystat(real, temporary)
    os.utime(temporary)
    for step in _NEXT_TICKS_NS:
        now = os.stat(temporary)
        if (now.st_size, now.st_mtime_ns) != (old.st_size, old.st_mtime_ns):
            return
        # A file of the same size and time would pass for the old one.
        os.utime(temporary, ns=(now.st_atime_ns, old.st_mtime_ns + step))


def _give(temporary: Path, old: os.stat_result) -> None:
    """Keep owner and group where the writer may; only root gives files away."""
    for owner in (old.st_uid, -1):
        try:
            return os.chown(temporary, owner, old.st_gid)
        except PermissionError:
            continue  # as with any editor that saves by renaming, it is then the writer's file
    return None


def _real_file(target: Path) -> Path:
    if not target.is_symlink():
        return target
    try:
        return target.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        reason = f"{target} is a link that leads nowhere"
        raise Refused(reason, file=str(target), hint="mend the link or remove it") from error


def _digest_of(real: Path) -> str | None:
    """SHA-256 of a file's bytes; None where there is no file. Raises Refused for one that cannot be read."""
    try:
        data = read_regular(str(real), LARGEST)
    except FileNotFoundError:
        return None
    except NotRegular as error:
        raise Refused(f"{real} is no regular file", file=str(real), hint="only regular files are written") from error
    except OSError as error:
        raise _failed(real, error, "allow reading it, then try again") from error
    return hashlib.sha256(data).hexdigest()


def _beside(real: Path) -> list[Path]:
    start = _beginning(real.name)
    return sorted(path for path in real.parent.iterdir() if path.name.startswith(start) and OURS.fullmatch(path.name))


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return  # a folder cannot be opened there; the rename itself is durable
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:  # some network file systems have no such thing for folders
            raise
    finally:
        os.close(descriptor)


def _failed(path: Path, error: OSError, hint: str) -> Refused:
    return Refused(f"{path} cannot be written ({error.strerror or error})", file=str(path), hint=hint)
