"""Opening the database file: short, with bounded retry, and every failure told in a sentence."""

from __future__ import annotations

import contextlib
import random
import re
import threading
import time
from collections.abc import Generator
from importlib import metadata
from pathlib import Path

import duckdb

from memtui.errors import MemtuiError, StoreBusy, StoreUnreadable

WAIT_SECONDS = 5.0
"""How long a unit of work waits for another process to let go of the file."""

# Extensions come from pinned packages and are loaded by path: nothing is ever downloaded.
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}

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


def _unreadable(path: Path, error: Exception) -> MemtuiError:
    text = str(error)
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
    Waits with jittered back-off up to `wait` seconds while another process holds the file.
    Raises StoreBusy naming the holder, or StoreUnreadable.
    """
    with _turn(path):
        connection = _open(path, read_only=read_only, wait=wait, threads=threads)
        try:
            yield connection
        except (duckdb.IOException, duckdb.FatalException, duckdb.InternalException) as error:
            raise _unreadable(path, error) from error
        finally:
            connection.close()


def _open(path: Path, *, read_only: bool, wait: float, threads: int | None) -> duckdb.DuckDBPyConnection:
    config = _CONFIG if threads is None else {**_CONFIG, "threads": threads}
    deadline = time.monotonic() + wait
    pause = 0.005
    while True:
        try:
            return duckdb.connect(str(path), read_only=read_only, config=config)
        except duckdb.Error as error:
            if not _is_lock_conflict(error):
                raise _unreadable(path, error) from error
            if time.monotonic() >= deadline:
                raise StoreBusy(
                    f"{path} is held by {_holder(error)}; gave up after {wait:g} s",
                    file=str(path),
                    hint="nothing was written; try again when it has finished",
                ) from error
            # Jitter only spreads waiting processes apart; no result depends on it.
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311
            pause = min(pause * 1.6, 0.1)


def load_full_text(connection: duckdb.DuckDBPyConnection) -> None:
    """Load the FTS extension from its package: needed by migrations and `check`, never by reading or writing.

    Raises StoreUnreadable naming the package to install when it is missing.
    """
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
