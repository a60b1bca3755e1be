"""The stores every promise of a memory is tested over, and a way to look at everything one holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from memtui.memory.home import existing_vault
from memtui.memory.memory import Memory
from memtui.memory.opening import open_memory
from memtui.model.records import WORKSPACE, Content, RecordKey
from memtui.model.versions import Draft
from tests.twins.ledger import TwinLedger

STORES = ("resident", "one-shot", "twin")


def opened(store: str, vault: Path, clock, *, ledger=None) -> Memory:
    """A memory over the embedded store, as a long-lived reader or a one-shot command holds it, or over the twin."""
    if store != "twin":
        return open_memory(vault, create=True, clock=clock, resident=store == "resident")
    home = existing_vault(vault)
    home.make()
    return Memory(home, clock=clock, ledger=ledger or TwinLedger(clock))


def beside(memory: Memory, store: str) -> Memory:
    """Another memory on the same store, as a second process would have it."""
    return opened(store, memory.vault, memory.clock, ledger=memory.ledger)


def everything(memory: Memory) -> tuple[object, ...]:
    """All that a ledger holds of what was ever recorded: to see that something wrote nothing."""
    with memory.ledger.reading() as unit:
        return tuple(unit.tail({})), tuple(unit.recalls(list(unit.heads())))


def put(memory: Memory, contents: Mapping[str, Content], *, operation="remember", partition=WORKSPACE) -> int:
    """Record many engrams in one transaction; its stamp. Many sentences at once are quicker than one by one."""
    with memory.ledger.writing() as unit:
        for name, content in contents.items():
            dated = content if content.valid_from is not None else replace(content, valid_from=unit.stamp)
            unit.append(Draft(RecordKey(partition, "engram", name), operation, dated, "tester"))
        return unit.stamp
