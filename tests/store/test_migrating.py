"""An older file is brought up to date: what its versions mean is worked out as if this program had written them."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.errors import StoreUnreadable
from memtui.model.instants import DAY, HOUR
from memtui.model.records import Claim, Content, RecordKey, Revival
from memtui.store.columns import CLAIMS, DRAWING, FINISHED, PINNED, REINFORCES
from memtui.store.duckdb.ledger import DuckDBLedger
from memtui.store.duckdb.migrating import create, shipped_migrations
from memtui.store.duckdb.schema import SCHEMA
from memtui.text.analysis import ANALYSER
from tests.clocks import START, SteppingClock
from tests.store.drafts import FULL, KEY, decision, draft

BEFORE_RECALLS, BEFORE_REVIEWS = 2, 5


def downgraded(new, old, schema):
    """A file of an older schema with all that a newer one holds, as that program had written it."""
    create(old, analyser=ANALYSER, migrations=shipped_migrations()[:schema])
    with duckdb.connect(str(old)) as connection:
        connection.execute(f"ATTACH '{new}' AS newer (READ_ONLY)")
        tables = connection.execute(
            "SELECT table_schema, table_name FROM information_schema.tables "
            "WHERE table_catalog = current_database() AND table_name <> 'meta'"
        ).fetchall()
        for schema, table in tables:
            columns = connection.execute(
                "SELECT string_agg('\"' || column_name || '\"', ', ' ORDER BY ordinal_position) "
                "FROM information_schema.columns WHERE table_catalog = current_database() "
                "AND table_schema = ? AND table_name = ?",
                [schema, table],
            ).fetchone()[0]
            place = f'"{schema}"."{table}"'
            connection.execute(f"DELETE FROM {place}")
            connection.execute(f"INSERT INTO {place} ({columns}) SELECT {columns} FROM newer.{place}")
        connection.execute(f"UPDATE version SET flags = flags & {~CLAIMS & 0x7FFF}")
        if schema == BEFORE_RECALLS:
            put_away = "path ILIKE '%archive%' OR list_contains(tags, 'kind:Archive')"
            connection.execute(f"UPDATE version SET flags = flags & {~REINFORCES & 0x7FFF}")
            connection.execute(f"UPDATE version SET flags = flags & {~(FINISHED | DRAWING) & 0x7FFF} WHERE {put_away}")


def told(ledger):
    with ledger.reading() as unit:
        columns = unit.columns(["workspace", "base"])
        return (
            list(unit.tail({})),
            columns.flags.tolist(),
            columns.reinforced_at.tolist(),
            unit.heads(),
            unit.sync_state("workspace"),
            unit.postings().terms,
            unit.last_stamp(),
        )


def upgraded(tmp_path, ledger, schema=BEFORE_RECALLS):
    old = tmp_path / "old" / "memory.duckdb"
    old.parent.mkdir()
    downgraded(tmp_path / "memory.duckdb", old, schema)
    later = DuckDBLedger(old, SteppingClock(START + 900 * DAY))
    with pytest.raises(StoreUnreadable, match="older schema"), later.reading():
        pass
    kept = later.migrate()
    assert kept == old.with_name(f"memory.duckdb.v{schema}")
    assert later.migrate() is None
    assert told(later) == told(ledger)
    return later, kept


def test_an_older_file_tells_what_this_program_would_have_written(tmp_path):
    clock = SteppingClock(step=HOUR)
    ledger = DuckDBLedger(tmp_path / "memory.duckdb", clock)
    note = RecordKey("workspace", "note", "a")
    renamed = RecordKey("workspace", "note", "b")
    gap = Revival(START + DAY, START + 2 * DAY)
    claim = (Claim("port", "5433"),)
    steps = [
        (KEY, Content(summary="one", valid_from=START), "remember"),
        (KEY, Content(summary="one", valid_from=START, pinned=True), "update"),
        (note, Content(title="A", body="text", valid_from=START, path="a.md"), "sync"),
        (KEY, Content(summary="one", valid_from=START, claims=claim), "update"),
        (KEY, Content(summary="one", valid_from=START, claims=claim, valid_to=START + DAY), "forget"),
        (KEY._replace(partition="base"), FULL, "import"),
        (note._replace(name="old"), Content(title="Old", valid_from=START, path="Archive/2024/old.md"), "sync"),
        (note._replace(name="not"), Content(title="Not", valid_from=START, path="notes/archive.md"), "sync"),
        (note._replace(name="kept"), Content(title="Kept", valid_from=START, tags=("kind:Archive",)), "sync"),
        (note._replace(name="map"), Content(title="Map", valid_from=START, path="archive/map.Excalidraw.md"), "sync"),
        (KEY._replace(name="drawn"), Content(summary="d", valid_from=START, path="archived/a.excalidraw.md"), "sync"),
    ]
    for key, content, operation in steps:
        with ledger.writing() as unit:
            unit.append(draft(content, key, operation))
    clock.now = START + 3 * DAY
    with ledger.writing() as unit:
        unit.append(draft(Content(summary="one", valid_from=START, claims=claim, revivals=(gap,)), KEY, "revive"))
    with ledger.writing() as unit:
        origin = unit.current([note])[note]
        moved = replace(origin.content, path="b.md")
        unit.append(draft(moved, renamed, "sync", reason="renamed from note/a", goes_on=origin))
    later, kept = upgraded(tmp_path, ledger)
    with later.reading() as unit:
        assert [v.reinforces for v in unit.history(KEY)] == [True, False, True, False, True]
        assert [v.reinforces for v in unit.history(renamed)] == [False]
        flags = unit.columns(["workspace"]).flags.tolist()
        assert flags[1] & (PINNED | REINFORCES) == PINNED
        assert unit.recalls(["workspace"]) == []
    with later.writing() as unit:
        (event,) = unit.recall([KEY], reader="workspace", cue="x", actor="t")
        assert event.seq == 1
    with duckdb.connect(str(kept), read_only=True) as connection:
        assert connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone() == ("2",)
        assert connection.execute("SELECT count(*) FROM version").fetchone() == (13,)


def test_a_file_from_before_reviews_tells_which_versions_make_claims_and_keeps_its_recalls(tmp_path):
    ledger = DuckDBLedger(tmp_path / "memory.duckdb", SteppingClock(step=HOUR))
    contents = [
        Content(summary="one", valid_from=START),
        Content(summary="one", valid_from=START, claims=(Claim("port", "5433"),)),
        Content(summary="one", valid_from=START, pinned=True, claims=(Claim("port", "5433"), Claim("up"))),
        Content(summary="two", valid_from=START),
    ]
    for content in contents:
        with ledger.writing() as unit:
            unit.append(draft(content, operation="update"))
    with ledger.writing() as unit:
        unit.append(draft(FULL, KEY._replace(partition="base"), "import"))
        unit.recall([KEY], reader="workspace", cue="x", actor="t")
    later, kept = upgraded(tmp_path, ledger, BEFORE_REVIEWS)
    with later.reading() as unit, ledger.reading() as before:
        flags = unit.columns(["workspace", "base"]).flags
        assert [bool(flag & CLAIMS) for flag in flags] == [False, True, True, False, True]
        assert unit.recalls(["workspace"]) == before.recalls(["workspace"]) != []
        assert list(unit.reviews(["workspace", "base"])) == []
    with duckdb.connect(str(kept), read_only=True) as connection:
        assert connection.execute(f"SELECT count(*) FROM version WHERE flags & {CLAIMS} <> 0").fetchone() == (0,)
    with later.writing() as unit:
        made = unit.review("workspace", [decision()], actor="ada")
    with later.reading() as unit:
        assert (made.seq, list(unit.reviews(["workspace"]))) == (1, [made])


CONTENTS = st.builds(
    Content,
    summary=st.sampled_from(["one", "two"]),
    title=st.none() | st.just("T"),
    body=st.none() | st.just("b"),
    claims=st.sampled_from([(), (Claim("port", "1"),), (Claim("port", "1", many=True),), (Claim("up"),)]),
    tags=st.sampled_from([(), ("a",)]),
    valid_from=st.just(START),
)


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from("ab"), CONTENTS), min_size=1, max_size=8))
def test_any_older_file_tells_what_this_program_would_have_written(tmp_path_factory, steps):
    folder = tmp_path_factory.mktemp("older")
    ledger = DuckDBLedger(folder / "memory.duckdb", SteppingClock(step=HOUR))
    with ledger.writing() as unit:
        for name, content in steps:
            unit.append(draft(content, KEY._replace(name=name), "update"))
    upgraded(folder, ledger)


def test_the_schema_is_that_of_the_last_migration():
    assert shipped_migrations()[-1].number == SCHEMA
