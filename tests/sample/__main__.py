"""`python -m tests.sample`: make `sample_vault/history.jsonl` by living the story through the public verbs."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import memtui
from memtui.embedding.names import USE_MULTILINGUAL
from memtui.memory.embedding import chunks_in
from memtui.memory.vector_pack import VectorPack
from memtui.model.instants import Instant
from memtui.store.vectors import Space
from memtui.text.chunking import CHUNKER
from memtui.text.dates import ZONE_VARIABLE
from tests.clocks import SteppingClock, at
from tests.sample.editions import texts_by_day
from tests.sample.steps import Step
from tests.sample.story import EVENING, STEPS, SYNCED_BY, ZONE

SAMPLE = Path(__file__).resolve().parents[2] / "sample_vault"
HISTORY = SAMPLE / "history.jsonl"
VECTORS = SAMPLE / "vectors.npz"
HITS_REMEMBERED = 3
"""How many hits of a recall its asker reads."""


def tell(vault: Path, out: Path) -> None:
    """Live the whole story in an empty folder and export what its memory holds. Same input, same bytes."""
    os.environ[ZONE_VARIABLE] = ZONE
    clock = SteppingClock()
    memory = memtui.open(vault, create=True, clock=clock)
    for moment, happens in _in_order():
        clock.now = moment
        if isinstance(happens, Step):
            memory.actor = happens.by
            _act(memory, happens)
        else:
            memory.actor = SYNCED_BY
            _sync(memory, vault, happens)
    memory.export(out)


def _in_order() -> list[tuple[Instant, Step | dict[str, str]]]:
    evenings = [(at(day + EVENING), texts) for day, texts in texts_by_day(SAMPLE)]
    return sorted([*((at(step.at), step) for step in STEPS), *evenings], key=lambda pair: pair[0])


def _act(memory: memtui.Memory, step: Step) -> None:
    said = {key: value for key, value in step.said.items() if value is not None}
    if step.verb == "remember":
        memory.remember(said.pop("summary"), name=step.subject, **said)
    elif step.verb == "supersede":
        memory.supersede(step.subject, said.pop("summary"), **said)
    elif step.verb == "recall":
        memory.recall(step.subject, k=HITS_REMEMBERED, semantic=False)
    else:
        getattr(memory, step.verb)(step.subject, **said)


def _sync(memory: memtui.Memory, vault: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        file = vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    report = memory.sync()
    if report.problems:
        raise ValueError("; ".join(map(str, report.problems)))


def embed(vault: Path, out: Path) -> None:
    """Keep the vectors of everything a vault's ledger holds, as the default model makes them."""
    memory = memtui.open(vault)
    memory.embed()
    with memory.ledger.reading() as unit:
        told = {chunk.digest for version in unit.tail({}) for chunk in chunks_in(version)}
        space = Space(USE_MULTILINGUAL.model_id, USE_MULTILINGUAL.dims or 0, CHUNKER)
        VectorPack(space, unit.known_vectors(space, sorted(told))).write(out)


def main() -> None:
    """Write the history, and the vectors of its texts, beside the files it belongs to."""
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / "history.jsonl"
        tell(Path(scratch) / "delice", made)
        HISTORY.write_bytes(made.read_bytes())
        embed(Path(scratch) / "delice", VECTORS)
    sys.stderr.write(f"{VECTORS.name}: {VECTORS.stat().st_size:,} bytes\n")
    sys.stderr.write(f"{HISTORY.name}: {HISTORY.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
