"""What is scanned is exactly what a sound index holds, and is followed like one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.model.records import Content, RecordKey
from memtui.model.versions import Draft
from memtui.search.scanned import indexed, scanned
from memtui.store.duckdb.ledger import DuckDBLedger
from tests.clocks import START, SteppingClock
from tests.twins.ledger import TwinLedger

pytestmark = pytest.mark.slow

TEXTS = st.text(st.sampled_from("ab çı-1 日本 'x\n#"), max_size=14)
STEPS = st.lists(
    st.tuples(
        st.sampled_from([("workspace", "engram"), ("workspace", "note"), ("base", "changelog")]),
        st.sampled_from(["p", "q/r", "çay"]),
        TEXTS,
        TEXTS,
        TEXTS,
    ),
    max_size=7,
)


def ledger_of(sort, folder):
    clock = SteppingClock(step=1)
    return TwinLedger(clock) if sort == "twin" else DuckDBLedger(folder / "memory.duckdb", clock)


def write(ledger, steps):
    for (partition, kind), name, title, body, tag in steps:
        with ledger.writing() as unit:
            content = Content(title=title, summary=tag, body=body, tags=(tag,), aliases=(body,), valid_from=START)
            unit.append(Draft(RecordKey(partition, kind, name), "sync", content, "t"))


def arrays(rows):
    named = {f"lengths.{field}": getattr(rows.lengths, field) for field in ("text_id", "plain", "weighted")}
    for part in ("texts", "names"):
        block = getattr(rows, part)
        named[f"{part}.terms"] = np.array(block.terms, dtype=object)
        named.update(
            {f"{part}.{field}": getattr(block, field) for field in ("offsets", "text_id", "count", "weighted")}
        )
    return named


def same(ours, theirs):
    ours, theirs = arrays(ours), arrays(theirs)
    for field, values in theirs.items():
        assert ours[field].dtype == values.dtype, field
        assert ours[field].tolist() == values.tolist(), field


@pytest.mark.parametrize("sort", ["duckdb", "twin"])
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS, st.integers(-1, 4))
def test_a_scan_is_what_the_index_holds(tmp_path_factory, sort, steps, after):
    ledger = ledger_of(sort, tmp_path_factory.mktemp("scanned"))
    write(ledger, steps)
    with ledger.reading() as unit:
        assert unit.index_trouble() is None
        same(scanned(unit.tail({}), "told"), indexed(unit))
        after = min(after, unit.text_count() - 1)
        same(scanned(unit.tail({}), "told", after), indexed(unit, after))
