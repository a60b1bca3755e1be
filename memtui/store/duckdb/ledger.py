"""The DuckDB ledger: `LedgerPort` over one file that nobody holds open."""

from __future__ import annotations

import contextlib
import stat
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.clock import Clock
from memtui.errors import Refused, StoreGone, StoreUnreadable
from memtui.log import LOGGER, survived
from memtui.model.versions import Head
from memtui.store.duckdb.connection import WAIT_SECONDS, checkpoint_seldom, connect, fold_log
from memtui.store.duckdb.engine import duckdb
from memtui.store.duckdb.heads import HeadNotes, Loss
from memtui.store.duckdb.schema import SCHEMA, check_schema, schema_version
from memtui.store.duckdb.units import DuckDBReadUnit
from memtui.text.analysis import ANALYSER

_OUT_OF_THE_WAY = "move what lies there out of the way, and put the store or a backup back"

# Making, migrating and writing are loaded when they are done: most processes only read.
if TYPE_CHECKING:
    from memtui.store.duckdb.write_unit import DuckDBWriteUnit

FILE_NAME = "memory.duckdb"


class DuckDBLedger:
    """A ledger in one file. Every unit of work opens it, does one transaction and closes it again."""

    def __init__(
        self,
        path: Path,
        clock: Clock,
        *,
        read_only: bool = False,
        wait: float = WAIT_SECONDS,
        threads: int | None = None,
        warn: Callable[[str], None] = LOGGER.warning,
    ) -> None:
        self._path = path
        self._clock = clock
        self._wait = wait
        self._threads = threads
        self._checked: tuple[int, int] | None = None
        """The file that was seen last, by its inode, and its schema."""
        self._warn = warn
        self._heads = HeadNotes(path.with_name("heads.json" if path.name == FILE_NAME else f"{path.stem}.heads.json"))
        self._told: set[str] = set()
        self.read_only = read_only
        self.warnings: list[str] = []
        """Sentences a person must know about the store itself, as it was when it was last looked at."""

    @property
    def location(self) -> str:
        """The file's path."""
        return str(self._path)

    def exists(self) -> bool:
        """Whether the file has been made. Raises StoreUnreadable where one may not look, or where it is no file."""
        try:
            mode = self._path.stat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            if self._path.is_symlink():
                raise StoreUnreadable(
                    f"{self._path} is a link to {self._path.readlink()}, which is not there",
                    file=str(self._path),
                    hint="bring back what it leads to, such as a disk that is not mounted; or remove the link",
                ) from None
            return False
        except PermissionError as error:
            raise StoreUnreadable(
                f"{self._path.parent} may not be looked into: permission denied",
                file=str(self._path.parent),
                hint="it belongs to another user; ask them, or use a copy of the vault",
            ) from error
        except OSError as error:  # a link that leads to itself, or a path no file can have
            raise StoreUnreadable(
                f"{self._path} cannot be opened: {error.strerror or error}", file=str(self._path), hint=_OUT_OF_THE_WAY
            ) from error
        if not stat.S_ISREG(mode):
            raise StoreUnreadable(f"{self._path} is no regular file", file=str(self._path), hint=_OUT_OF_THE_WAY)
        return True

    def is_gone(self) -> bool:
        """Whether the file has gone since it was seen. Raises StoreUnreadable where one may not even look."""
        return self._checked is not None and not self.exists()

    def make(self) -> None:
        """Make the file where there is none, also in the place of one that has gone."""
        if self.read_only:
            raise self._refusal()
        if not self.exists():
            self._make()

    def size_bytes(self) -> int:
        """Bytes of the file and of what waits in its log."""
        return sum(_stat(path)[0] for path in (self._path, self._path.with_name(self._path.name + ".wal")))

    def fingerprint(self) -> object:
        """Size, time and inode of the file and of its write-ahead log."""
        return tuple(_stat(path) for path in (self._path, self._path.with_name(self._path.name + ".wal")))

    @contextlib.contextmanager
    def reading(self) -> Generator[DuckDBReadUnit, None, None]:
        """One consistent look at the file; where there is none yet, at an empty store: reading makes no file."""
        with self._looking() as connection:
            connection.execute("BEGIN")
            unit = DuckDBReadUnit(connection)
            self._compare_heads(unit)
            yield unit

    @contextlib.contextmanager
    def _looking(self) -> Generator[duckdb.DuckDBPyConnection, None, None]:
        if not self.exists():
            self._check_not_gone()
            self._check_no_log()
            from memtui.store.duckdb.migrating import empty_store

            with empty_store(analyser=ANALYSER) as connection:
                yield connection
            return
        with connect(self._path, read_only=True, wait=self._wait, threads=self._threads) as connection:
            self._check_schema(connection)
            yield connection

    @contextlib.contextmanager
    def writing(self, *, wait: float | None = None, trial: bool = False) -> Generator[DuckDBWriteUnit, None, None]:
        """One transaction, committed on leaving, rolled back by any exception and when it is only a trial."""
        if self.read_only:
            raise self._refusal()
        from memtui.store.duckdb.write_unit import DuckDBWriteUnit

        with self._changing(wait, trial=trial) as connection:
            connection.execute("BEGIN")
            unit = DuckDBWriteUnit(connection, self._clock())
            lost = self._compare_heads(unit)
            try:
                yield unit
                unit.flush()
                connection.execute("ROLLBACK" if trial else "COMMIT")
            except BaseException:
                with contextlib.suppress(duckdb.Error):  # the transaction may be gone already; the cause is raised
                    connection.execute("ROLLBACK")
                raise
            if not trial:
                self._note_heads(dict(unit.heads()), lost)
                fold_log(connection, self._path)

    @contextlib.contextmanager
    def _changing(self, wait: float | None, *, trial: bool) -> Generator[duckdb.DuckDBPyConnection, None, None]:
        if not self.exists():
            self._check_not_gone()
            if trial:
                with self._looking() as connection:
                    yield connection
                return
            self._make()
        bound = self._wait if wait is None else wait
        with connect(self._path, read_only=False, wait=bound, threads=self._threads) as connection:
            self._check_schema(connection)
            checkpoint_seldom(connection)
            yield connection

    def _check_not_gone(self) -> None:
        """Raises StoreGone where a file was: an empty store in its place would hide the loss."""
        if self._checked is not None:
            raise StoreGone(
                f"{self._path} is gone: it was there when the vault was opened",
                file=str(self._path),
                hint="put it back; or, if it is lost, `memtui sync` makes a new one from the files",
            )

    def _check_no_log(self) -> None:
        """Raises StoreUnreadable where a store was, and only what it had not folded in yet is left."""
        log = self._path.with_name(self._path.name + ".wal")
        if log.exists():
            raise StoreUnreadable(
                f"{log} is the log of a store that is not there",
                file=str(log),
                hint="put memory.duckdb back beside it; or, if it is lost, move the log away and sync again",
            )

    def _make(self) -> None:
        self._check_no_log()
        from memtui.store.duckdb.migrating import create

        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            create(self._path, analyser=ANALYSER)
        except PermissionError as error:
            raise StoreUnreadable(
                f"{self._path} cannot be made: permission denied",
                file=str(self._path),
                hint="check the permissions of the vault's folder, or open it with --read-only",
            ) from error

    def _check_schema(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Refuse a foreign or newer file before anything else is asked of it."""
        inode, have = _stat(self._path)[2], schema_version(connection)
        if self._checked == (inode, have):
            return
        check_schema(self._path, have)
        self._checked = (inode, have)

    def migrate(self) -> Path | None:
        """Bring an older file up to date; where the old one was kept, or None if nothing was to do."""
        if not self.exists():
            return None
        with connect(self._path, read_only=True, wait=self._wait) as connection:
            outdated = 0 < schema_version(connection) < SCHEMA
        if not outdated:
            return None
        from memtui.store.duckdb.migrating import upgrade

        return upgrade(self._path)

    def _compare_heads(self, unit: DuckDBReadUnit) -> tuple[Loss, ...]:
        """What the store lacks of what was once acknowledged, told to `warn` once each; what of it stays noted."""
        found = self._heads.shortfall(unit)
        self.warnings = list(found.sentences)
        for sentence in found.sentences:
            if sentence not in self._told:
                self._told.add(sentence)
                self._warn(sentence)
        return found.lost

    def _note_heads(self, heads: dict[str, Head], lost: tuple[Loss, ...]) -> None:
        """Remember outside the database how far it went.

        The transaction is committed already: a note that cannot be written must not look like a failed write.
        """
        try:
            self._heads.note(heads, lost)
        except OSError as error:
            survived(f"{self._heads.file} could not be written", error)

    def mend_index(self) -> bool:
        """Make the index anew where it cannot be searched as it stands; whether that was needed."""
        if not self.exists():
            return False
        with self.reading() as unit:
            if unit.index_trouble() is None:
                return False
            damaged = unit.index_damage()
        if self.read_only:
            raise self._refusal()
        if damaged is not None and damaged.needs_tables:
            from memtui.store.duckdb.migrating import remake_full_text

            remake_full_text(self._path)
        with self.writing() as unit:
            unit.refill_index()
        return True

    def _refusal(self) -> Refused:
        return Refused(
            f"{self._path} is opened read-only, so nothing can be recorded",
            file=str(self._path),
            hint="open it without --read-only, in a folder you may write to",
        )


def _stat(path: Path) -> tuple[int, int, int]:
    try:
        found = path.stat()
    except FileNotFoundError:
        return (0, 0, 0)
    return (found.st_size, found.st_mtime_ns, found.st_ino)
