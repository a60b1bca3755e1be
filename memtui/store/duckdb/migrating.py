"""Making and changing the schema: numbered migrations, always into a new file beside the old one."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from memtui.errors import StoreUnreadable
from memtui.store.duckdb.connection import CONFIG, connect, load_full_text
from memtui.store.duckdb.engine import duckdb
from memtui.store.duckdb.schema import not_ours, schema_version
from memtui.store.duckdb.soundness import FULL_TEXT

_DROP_FULL_TEXT = (
    f"DROP SCHEMA IF EXISTS {FULL_TEXT} CASCADE",
    "DROP TABLE IF EXISTS indexed_text",
    "DROP TABLE IF EXISTS identity_term",
)


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered step of the schema."""

    number: int
    name: str
    sql: str


def shipped_migrations() -> tuple[Migration, ...]:
    """The migrations this program carries, in order."""
    found: list[Migration] = []
    for file in resources.files("memtui.store.duckdb").joinpath("migrations").iterdir():
        named = re.fullmatch(r"(\d{4})_(\w+)\.sql", file.name)
        if named:
            found.append(Migration(int(named.group(1)), named.group(2), file.read_text(encoding="utf-8")))
    return tuple(sorted(found, key=lambda migration: migration.number))


def create(path: Path, *, analyser: str, migrations: tuple[Migration, ...] | None = None) -> None:
    """Make a new store at `path`, complete or not at all. Losing a race to another process is fine.

    `analyser` names the analyser that will fill its index.
    """
    fresh = _scratch(path)
    with _removed_on_failure(fresh):
        with connect(fresh, read_only=False) as connection:
            _fill(connection, migrations or shipped_migrations(), analyser)
            connection.execute("CHECKPOINT")
        _settle(fresh)
        with contextlib.suppress(FileExistsError):  # another process made it meanwhile: theirs is as good
            os.link(fresh, path)
        fresh.unlink()
    _sync_folder(path.parent)


@contextlib.contextmanager
def empty_store(*, analyser: str) -> Generator[duckdb.DuckDBPyConnection, None, None]:
    """A store that holds nothing and lies nowhere."""
    with contextlib.closing(duckdb.connect(":memory:", config=CONFIG)) as connection:
        _fill(connection, shipped_migrations(), analyser)
        yield connection


def _fill(connection: duckdb.DuckDBPyConnection, migrations: tuple[Migration, ...], analyser: str) -> None:
    _apply(connection, migrations)
    connection.execute("INSERT INTO meta VALUES ('analyser', ?)", [analyser])


def upgrade(path: Path, migrations: tuple[Migration, ...] | None = None) -> Path | None:
    """Bring an older store up to date; returns where the old file was kept, or None if nothing was to do.

    The old file is held read-write from before the copy until after the rename, so no one writes to
    a file that is about to be replaced; its counts and heads must be found again in the new one.
    """
    steps = migrations or shipped_migrations()
    with connect(path, read_only=False) as old:
        have = schema_version(old)
        if have == 0:
            raise not_ours(path)
        pending = tuple(step for step in steps if step.number > have)
        if not pending:
            return None
        kept = path.with_name(f"{path.name}.v{have}")
        _rewrite(path, old, lambda new: _apply(new, pending), kept=kept)
    _sync_folder(path.parent)
    return kept


def remake_full_text(path: Path) -> None:
    """Make the tables of the full-text index anew, empty: to be filled from the versions.

    In a new file too, and no old one is kept, because all that differs can be made from what stays.
    Raises StoreUnreadable, naming the package, where the extension that makes them is not installed.
    """
    (step,) = (step for step in shipped_migrations() if step.name == "full_text")
    with connect(path, read_only=False) as old:
        _rewrite(path, old, lambda new: _apply(new, (step,), before=_DROP_FULL_TEXT), kept=None)
    _sync_folder(path.parent)


def _rewrite(
    path: Path,
    old: duckdb.DuckDBPyConnection,
    change: Callable[[duckdb.DuckDBPyConnection], None],
    *,
    kept: Path | None,
) -> None:
    """Put a changed copy in the place of the file that `old` holds read-write; `kept` stays a name of the old one."""
    old.execute("CHECKPOINT")
    fresh = _scratch(path)
    with _removed_on_failure(fresh):
        shutil.copyfile(path, fresh)
        with connect(fresh, read_only=False) as new:
            change(new)
            if _witness(old) != _witness(new):
                raise StoreUnreadable(
                    f"{path} could not be migrated: the copy does not hold the same versions",
                    file=str(path),
                    hint="the file was left as it is; report this with `memtui check`",
                )
        _settle(fresh)
        if kept is not None:
            kept.unlink(missing_ok=True)
            # A second name for the old file first: at no instant is there no store under its own name.
            os.link(path, kept)
        os.replace(fresh, path)


def _witness(connection: duckdb.DuckDBPyConnection) -> list[tuple[object, ...]]:
    """What must be equal before and after: versions and last chain per partition."""
    return connection.execute(
        "SELECT partition, count(*), max(seq), arg_max(chain, seq) FROM version GROUP BY partition ORDER BY partition"
    ).fetchall()


def _apply(
    connection: duckdb.DuckDBPyConnection, steps: tuple[Migration, ...], *, before: tuple[str, ...] = ()
) -> None:
    """Run the steps in one transaction, then checkpoint: DDL must never wait in the log among rows.

    The statements `before` them are run first; then the steps are such that the file has been through already.
    """
    load_full_text(connection)
    reached = schema_version(connection)
    connection.execute("BEGIN")
    for statement in before:
        connection.execute(statement)
    for step in steps:
        for statement in _statements(step.sql):
            connection.execute(statement)
        reached = max(reached, step.number)
    connection.execute("DELETE FROM meta WHERE key = 'schema'")
    connection.execute("INSERT INTO meta VALUES ('schema', ?)", [str(reached)])
    connection.execute("COMMIT")
    connection.execute("CHECKPOINT")


def _statements(sql: str) -> Iterator[str]:
    """The statements of a migration, one by one: a PRAGMA must see the tables made before it."""
    without_comments = "\n".join(line for line in sql.splitlines() if not line.lstrip().startswith("--"))
    for statement in without_comments.split(";\n"):
        if statement.strip().rstrip(";"):
            yield statement.strip().rstrip(";")


def _scratch(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.new")


@contextlib.contextmanager
def _removed_on_failure(path: Path) -> Generator[None, None, None]:
    path.unlink(missing_ok=True)
    try:
        yield
    finally:
        for leftover in (path, path.with_name(path.name + ".wal")):
            leftover.unlink(missing_ok=True)


def _settle(path: Path) -> None:
    """Private permissions, and the bytes on the disk before the name points to them."""
    path.chmod(0o600)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
