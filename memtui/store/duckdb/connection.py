"""Opening the database file: short, with bounded retry, and every failure told in a sentence."""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
from collections.abc import Generator
from pathlib import Path

from memtui.errors import MemtuiError, StoreBusy, StoreFull, StoreUnreadable
from memtui.log import survived
from memtui.store.duckdb.engine import duckdb

WAIT_SECONDS = 5.0
"""How long a unit of work waits for another process to let go of the file."""

# Extensions come from pinned packages and are loaded by path: nothing is ever downloaded.
CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
"""How every database is opened: nothing is ever fetched or loaded unasked."""

_LARGEST_LOG = 16 * 1024
"""Bytes of the write-ahead log that may wait to be folded in: some three memories, or the recalls of forty answers.

Every opening replays it, 4 ms for a memory; folding it takes 60 ms and a few waits for the disk.
"""
_PAUSE_SECONDS = 0.003

_turns: dict[str, threading.RLock] = {}
_turns_guard = threading.Lock()


def _turn(path: Path) -> threading.RLock:
    """The lock by which units of work on one file take turns inside this process."""
    with _turns_guard:
        return _turns.setdefault(str(path.resolve()), threading.RLock())


def _is_lock_conflict(error: duckdb.Error) -> bool:
    text = str(error)
    return "Could not set lock" in text or "used by another process" in text or "Conflicting lock" in text


def _holder(error: duckdb.Error) -> str:
    """Who holds the file, as far as DuckDB's message says."""
    held = re.search(r"held in (.+?) \(PID (\d+)\)", str(error))
    if held is None:
        return "another process"
    return f"{held.group(1)} (pid {held.group(2)})"


_INCOMPLETE = (duckdb.CatalogException, duckdb.BinderException)
"""What the engine raises where a table or a column of the schema is missing."""
_MISSING = re.compile(r"Table with name (\S+) does not exist")
_FILE_TROUBLE = (duckdb.IOException, duckdb.FatalException, duckdb.InternalException, duckdb.TransactionException)


def _is_full(error: Exception) -> bool:
    return "No space left" in str(error) or "disk is full" in str(error).lower()


def _damaged(path: Path, error: Exception) -> StoreUnreadable:
    missing = _MISSING.search(str(error))
    what = f"its table {missing[1]} is missing" if missing else str(error).partition("\n")[0]
    return StoreUnreadable(
        f"{path} is damaged: {what}",
        file=str(path),
        hint="the file was left as it is; restore a backup, or move it away, run `memtui sync`, and `memtui import` "
        "an export if you have one",
    )


def _unreadable(path: Path, error: Exception) -> MemtuiError:
    text = str(error)
    if _is_full(error):
        return StoreFull(
            f"{path} cannot grow: no space is left on the disk",
            file=str(path),
            hint="nothing was recorded; free some space and try again",
        )
    first_line = text.splitlines()[0] if text else type(error).__name__
    if "not a valid DuckDB database file" in text or "magic" in text:
        return StoreUnreadable(
            f"{path} is not a memtui store",
            file=str(path),
            hint="the file was left as it is; move it away and run `memtui sync`, or restore a backup",
        )
    if "Permission denied" in text or isinstance(error, PermissionError):
        return StoreUnreadable(
            f"{path} cannot be opened: permission denied", file=str(path), hint="check the permissions of the folder"
        )
    return StoreUnreadable(
        f"{path} cannot be read: {first_line}",
        file=str(path),
        hint="the file was left as it is; restore a backup, or move it away and sync again",
    )


@contextlib.contextmanager
def connect(
    path: Path, *, read_only: bool, wait: float = WAIT_SECONDS, threads: int | None = None
) -> Generator[duckdb.DuckDBPyConnection, None, None]:
    """A connection for one unit of work, closed on leaving.

    `threads` bounds DuckDB's own; one is faster for the small queries of a one-shot command.
    Waits up to `wait` seconds, looking again every few milliseconds, while another process holds the file.
    Raises StoreBusy naming the holder, or StoreUnreadable.
    """
    with _turn(path):
        connection = _open(path, read_only=read_only, wait=wait, threads=threads)
        try:
            yield connection
        except duckdb.Error as error:
            if isinstance(error, _FILE_TROUBLE) or _is_full(error):
                raise _unreadable(path, error) from error
            if isinstance(error, _INCOMPLETE):
                raise _damaged(path, error) from error
            raise
        finally:
            connection.close()


def _open(path: Path, *, read_only: bool, wait: float, threads: int | None) -> duckdb.DuckDBPyConnection:
    config = CONFIG if threads is None else {**CONFIG, "threads": threads}
    deadline = time.monotonic() + wait
    while True:
        while not _seems_free(path, shared=read_only) and time.monotonic() < deadline:
            _pause()
        try:
            inode = _inode(path)
            connection = duckdb.connect(str(path), read_only=read_only, config=config)
            if _inode(path) == inode:
                # Where Python runs interactively the engine would draw on standard output, into someone's answer.
                connection.execute("SET enable_progress_bar = false")
                return connection
            connection.close()  # a migration put a new file there meanwhile: open that one
        except duckdb.Error as error:
            if not _is_lock_conflict(error):
                raise _unreadable(path, error) from error
            if time.monotonic() >= deadline:
                raise StoreBusy(
                    f"{path} is held by {_holder(error)}; gave up after {wait:g} s",
                    file=str(path),
                    hint="nothing was written; try again when it has finished",
                ) from error


def _pause() -> None:
    """Wait a little: jitter spreads waiting processes apart, and no result depends on it."""
    import random  # not loaded where nobody waits

    time.sleep(_PAUSE_SECONDS * random.uniform(0.5, 1.5))  # noqa: S311


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0  # the opening itself says what is wrong


def _seems_free(path: Path, *, shared: bool) -> bool:
    """Whether no other process holds the file: asks the kernel, a hundred times cheaper than trying to open it.

    Between this look and the opening another may come; then the opening says so and the wait goes on.
    Safe because units of work of this process take turns: closing the descriptor drops no lock of ours.
    """
    try:
        import fcntl
    except ImportError:  # Windows: the opening itself tells
        return True
    try:
        descriptor = os.open(path, os.O_RDONLY if shared else os.O_RDWR)
    except OSError:
        return True  # whatever is wrong, the opening will say it better
    try:
        fcntl.lockf(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def checkpoint_seldom(connection: duckdb.DuckDBPyConnection) -> None:
    """Let small writes gather in the write-ahead log instead of rewriting the tables' last blocks each time.

    A commit is durable in the log. Folding it into the file on every close costs more than the write itself, and
    replaying a short one on opening costs little.
    """
    connection.execute("PRAGMA disable_checkpoint_on_shutdown")
    # DuckDB's own threshold counts what a transaction might write, not what it wrote: `fold_log` decides.
    connection.execute("SET wal_autocheckpoint = '1TB'")


def fold_log(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Fold the log into the file once it has grown beyond `_LARGEST_LOG`; the transaction is committed already."""
    log = path.with_name(path.name + ".wal")
    if not log.exists():  # nothing was written
        return
    try:
        if os.name == "posix" and log.stat().st_mode & 0o077:
            log.chmod(0o600)  # DuckDB makes it as the umask says, and what was written stands in it in clear
        if log.stat().st_size > _LARGEST_LOG:
            connection.execute("CHECKPOINT")
    except (FileNotFoundError, duckdb.Error) as error:
        # What was committed is safe in the log; folding it is tried again with the next write.
        survived(f"{log} was not folded into {path.name}", error)


def load_full_text(connection: duckdb.DuckDBPyConnection) -> None:
    """Load the FTS extension from its package: needed by migrations and `check`, never by reading or writing.

    Raises StoreUnreadable naming the package to install when it is missing.
    """
    from importlib import metadata  # slow to load, as what it loads

    package = f"duckdb-extension-fts=={duckdb.__version__}"
    try:
        distribution = metadata.distribution("duckdb-extension-fts")
    except metadata.PackageNotFoundError as error:
        raise StoreUnreadable(
            "the full-text extension is not installed, so no store can be made or checked",
            hint=f"pip install {package}",
        ) from error
    for file in distribution.files or []:
        if file.name == "fts.duckdb_extension":
            located = str(distribution.locate_file(file)).replace("'", "''")
            try:
                connection.execute(f"LOAD '{located}'")
            except duckdb.Error as error:
                raise StoreUnreadable(
                    f"the full-text extension does not load: {error}", hint=f"pip install {package}"
                ) from error
            return
    raise StoreUnreadable("the full-text extension's package holds no extension", hint=f"pip install {package}")
