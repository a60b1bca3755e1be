"""Notes of how far the store went, kept outside the database: a cut log is shortened without a word."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from memtui.model.versions import Head

if TYPE_CHECKING:
    from memtui.store.duckdb.units import DuckDBReadUnit


@dataclass(frozen=True, slots=True)
class Loss:
    """A version of a partition that was acknowledged and, with its chain, was not there any more."""

    partition: str
    seq: int
    chain: str
    sentence: str
    """What was found then, so told that it stays true whatever is recorded later."""


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What the store lacks of what was once acknowledged: in sentences, and what of it must stay noted."""

    sentences: tuple[str, ...] = ()
    lost: tuple[Loss, ...] = ()


class HeadNotes:
    """The last acknowledged `seq` and chain of each partition, and every loss that was found.

    A loss stays noted, as the next write must not be able to wipe out the evidence; until the version it is about
    is there again with its chain, as after the store was put back.
    """

    def __init__(self, file: Path) -> None:
        self.file = file

    def note(self, heads: Mapping[str, Head], lost: Sequence[Loss]) -> None:
        """Write the heads down, with the losses. Raises OSError."""
        shape: dict[str, object] = {
            "heads": {p: {"seq": head.seq, "chain": head.chain} for p, head in sorted(heads.items())}
        }
        if lost:
            shape["lost"] = [asdict(loss) for loss in lost]
        scratch = self.file.with_suffix(f".{os.getpid()}.tmp")
        try:
            with os.fdopen(
                os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
            ) as file:
                file.write(json.dumps(shape, ensure_ascii=False))
            os.replace(scratch, self.file)
        finally:
            scratch.unlink(missing_ok=True)

    def shortfall(self, unit: DuckDBReadUnit) -> Shortfall:
        """What partitions lack, or hold instead, of what was once acknowledged."""
        try:
            noted = cast("object", json.loads(self.file.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return Shortfall()
        except (OSError, ValueError, RecursionError) as error:
            return Shortfall((f"{self.file} cannot be read ({error}); a shortened store would go unnoticed",))
        heads, noted_losses = _read(noted)
        if heads is None:
            return Shortfall((f"{self.file} does not hold what memtui wrote; a shortened store would go unnoticed",))
        found = unit.heads()
        lost = [loss for loss in noted_losses if unit.chain_at(loss.partition, loss.seq) != loss.chain]
        restored = {loss.partition for loss in noted_losses} - {loss.partition for loss in lost}
        passing: list[str] = []
        for partition, head in heads.items():
            there = found.get(partition, Head())
            if _holds(unit, partition, head, there):
                continue
            if partition in restored:
                # As was advised. What stood in its place meanwhile is told of until the next write.
                passing.append(
                    f"{partition}: what was lost is there again; what was recorded without it, "
                    f"up to version {head.seq}, is not in this store"
                )
            elif all((loss.partition, loss.seq, loss.chain) != (partition, head.seq, head.chain) for loss in lost):
                lost.append(Loss(partition, head.seq, head.chain, _told(partition, head, there)))
        return Shortfall((*(loss.sentence for loss in lost), *passing), tuple(lost))


def _read(noted: object) -> tuple[dict[str, Head] | None, list[Loss]]:
    """The noted heads and losses; None for what is not what `note` writes."""
    if not isinstance(noted, dict):
        return None, []
    shape = cast("dict[str, Any]", noted)
    heads: dict[str, Head] = {}
    try:
        for partition, head in shape["heads"].items():
            heads[str(partition)] = Head(int(head["seq"]), 0, str(head["chain"]))
        lost = [
            Loss(str(loss["partition"]), int(loss["seq"]), str(loss["chain"]), str(loss["sentence"]))
            for loss in shape.get("lost", [])
        ]
    except (AttributeError, KeyError, TypeError, ValueError):
        return None, []
    return heads, lost


def _holds(unit: DuckDBReadUnit, partition: str, noted: Head, found: Head) -> bool:
    """Whether an acknowledged version is in the store, in the history it was in."""
    chain = found.chain if found.seq == noted.seq else unit.chain_at(partition, noted.seq)
    return chain == noted.chain or (noted.seq == 0 and not noted.chain)


def _told(partition: str, noted: Head, found: Head) -> str:
    if found.seq < noted.seq:
        return (
            f"{partition}: {noted.seq} versions were acknowledged, and when that was compared {found.seq} were there; "
            f"the last {noted.seq - found.seq} are missing, restore a backup if you have one"
        )
    return (
        f"{partition}: the store holds another history than the one that was acknowledged up to "
        f"version {noted.seq}; it was replaced from outside"
    )
