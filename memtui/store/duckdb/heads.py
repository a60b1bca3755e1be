"""Notes of how far the store went, kept outside the database: a cut log is shortened without a word."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from memtui.model.versions import Head

if TYPE_CHECKING:
    from memtui.store.duckdb.units import DuckDBReadUnit


class HeadNotes:
    """The last acknowledged `seq` and chain of each partition, and every loss that was ever found.

    A loss, once found, stays noted: the next write must not be able to wipe out the evidence.
    """

    def __init__(self, file: Path) -> None:
        self.file = file

    def note(self, heads: Mapping[str, Head], lost: list[str]) -> None:
        """Write the heads down, with the losses. Raises OSError."""
        shape: dict[str, object] = {
            "heads": {p: {"seq": head.seq, "chain": head.chain} for p, head in sorted(heads.items())}
        }
        if lost:
            shape["lost"] = lost
        scratch = self.file.with_suffix(f".{os.getpid()}.tmp")
        try:
            with os.fdopen(
                os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
            ) as file:
                file.write(json.dumps(shape, ensure_ascii=False))
            os.replace(scratch, self.file)
        finally:
            scratch.unlink(missing_ok=True)

    def shortfall(self, unit: DuckDBReadUnit) -> list[str]:
        """Sentences about partitions that hold less, or other things, than was once acknowledged."""
        try:
            noted = cast("object", json.loads(self.file.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            return [f"{self.file} cannot be read ({error}); a shortened store would go unnoticed"]
        heads, lost = _read(noted)
        if heads is None:
            return [f"{self.file} does not hold what memtui wrote; a shortened store would go unnoticed"]
        found = unit.heads()
        for partition, head in heads.items():
            sentence = _compare(unit, partition, head, found.get(partition, Head()))
            if sentence is not None and sentence not in lost:
                lost.append(sentence)
        return lost


def _read(noted: object) -> tuple[dict[str, Head] | None, list[str]]:
    """The noted heads and losses; None for heads that are not what `note` writes."""
    if not isinstance(noted, dict):
        return None, []
    shape = cast("dict[str, Any]", noted)
    heads: dict[str, Head] = {}
    try:
        for partition, head in shape["heads"].items():
            heads[str(partition)] = Head(int(head["seq"]), 0, str(head["chain"]))
        return heads, [str(sentence) for sentence in shape.get("lost", [])]
    except (AttributeError, KeyError, TypeError, ValueError):
        return None, []


def _compare(unit: DuckDBReadUnit, partition: str, noted: Head, found: Head) -> str | None:
    if found.seq < noted.seq:
        return (
            f"{partition}: {noted.seq} versions were acknowledged and {found.seq} are there; "
            f"the last {noted.seq - found.seq} are lost, restore a backup if you have one"
        )
    chain = found.chain if found.seq == noted.seq else unit.chain_at(partition, noted.seq)
    if chain != noted.chain:
        return (
            f"{partition}: the store holds another history than the one that was acknowledged up to "
            f"version {noted.seq}; it was replaced from outside"
        )
    return None
