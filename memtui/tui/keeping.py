"""What the interface takes over into its next start: a small file of the vault's own, which nothing depends on."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from memtui.log import survived
from memtui.model.instants import Instant
from memtui.model.records import RecordKey
from memtui.model.results import ORDERS, Order
from memtui.model.reviews import Accept, Decision, Defer, Many, Reject
from memtui.regular_files import read_regular
from memtui.search.lanes import LANE_ORDERS, LaneOrder
from memtui.tui.state import MODES, Mode

MOST_OPENED = 20
"""How many opened records are kept: more than are shown, for some may be forgotten by then."""
_LARGEST = 16 * 1024 * 1024
"""Bytes: a quarter of a million decisions."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A record that was opened to be read, and when last."""

    key: RecordKey
    at: Instant


@dataclass(frozen=True, slots=True)
class Kept:
    """What returns on the next start."""

    order: Order = "relevance"
    opened: tuple[Opened, ...] = ()
    """What was opened last comes first. Documents too, which the log of recalls does not hold."""
    mode: Mode = "search"
    linked: bool = True
    """Whether the two clocks of the Timeline stand together."""
    lane_order: LaneOrder = "first-known"
    decisions: Mapping[str, Decision] = field(default_factory=dict[str, Decision])
    """What was decided about proposals and not yet confirmed, by their ids."""

    def having_opened(self, key: RecordKey, at: Instant) -> Kept:
        """After a record was opened."""
        others = (opened for opened in self.opened if opened.key != key)
        return replace(self, opened=(Opened(key, at), *others)[:MOST_OPENED])


class Keeping:
    """What is kept, and its file; with no file nothing outlives the program. Thread-safe."""

    def __init__(self, file: Path | None = None, *, read_only: bool = False) -> None:
        self._file = file
        self._read_only = read_only
        self._lock = threading.Lock()
        self.kept = Kept() if file is None else read_kept(file)
        self._known = self.kept.decisions
        """The decisions of this program as its file holds them."""

    def save(self) -> None:
        """Write what is kept by now. Blocking; a file that cannot be written is named in the log."""
        if self._file is None or self._read_only:
            return
        beside = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        with self._lock:
            try:
                try:
                    kept = self._with_others(self._file)
                    shape = json.dumps(_shape(kept), ensure_ascii=False, separators=(",", ":"))
                    beside.write_text(shape, encoding="utf-8")
                    beside.replace(self._file)
                    self._known = self.kept.decisions
                finally:
                    beside.unlink(missing_ok=True)
            except (OSError, ValueError) as error:  # a text that cannot be encoded is a ValueError
                survived("what returns on the next start was not kept", error)

    def _with_others(self, file: Path) -> Kept:
        """What is kept, with what another screen on the same vault decided meanwhile.

        Its decisions are not ours to drop, nor ours its.
        """
        shape = _held_in(file)
        if shape is None:
            return self.kept
        ours, held = self.kept.decisions, _decisions_in(shape)
        for id_ in self._known:
            if id_ not in ours:
                held.pop(id_, None)
        held.update({id_: decision for id_, decision in ours.items() if self._known.get(id_) != decision})
        # In our own order, in which they are carried out.
        mine = {id_: held.pop(id_) for id_ in ours if id_ in held}
        return replace(self.kept, decisions={**mine, **held})


def read_kept(file: Path) -> Kept:
    """What a file holds; of what is not there or makes no sense, the usual."""
    shape = _held_in(file)
    return Kept() if shape is None else _kept_in(shape)


def _held_in(file: Path) -> Mapping[str, Any] | None:
    """What a file holds; None where there is none, or none that can be read."""
    try:
        data = read_regular(os.path.realpath(file), _LARGEST)
        if len(data) > _LARGEST:
            raise ValueError(f"{file} is larger than {_LARGEST // 1024 // 1024} MiB")
        held = json.loads(data.decode("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        survived("what was kept at the last start cannot be read", error)
        return None
    return _mapping(held)


def _kept_in(shape: Mapping[str, Any]) -> Kept:
    orders: list[Order] = [known for known in ORDERS if known == shape.get("order")]
    entries = shape.get("opened")
    listed = cast("list[object]", entries) if isinstance(entries, list) else []
    opened = [entry for entry in map(_opened, listed) if entry is not None]
    lanes: list[LaneOrder] = [known for known in LANE_ORDERS if known == shape.get("lane_order")]
    modes: list[Mode] = [known for known in MODES if known == shape.get("mode")]
    return Kept(
        orders[0] if orders else Kept().order,
        tuple(opened[:MOST_OPENED]),
        modes[0] if modes else Kept().mode,
        linked=shape.get("linked") is not False,
        lane_order=lanes[0] if lanes else Kept().lane_order,
        decisions=_decisions_in(shape),
    )


def _decisions_in(shape: Mapping[str, Any]) -> dict[str, Decision]:
    return dict(decided for each in _items(shape.get("decisions")) if (decided := _decision(each)) is not None)


def _shape(kept: Kept) -> dict[str, object]:
    opened = [{"partition": o.key.partition, "kind": o.key.kind, "name": o.key.name, "at": o.at} for o in kept.opened]
    return {
        "mode": kept.mode,
        "order": kept.order,
        "lane_order": kept.lane_order,
        "linked": kept.linked,
        "opened": opened,
        "decisions": [_decision_shape(id_, decision) for id_, decision in kept.decisions.items()],
    }


def _decision_shape(id_: str, decision: Decision) -> dict[str, object]:
    shape: dict[str, object] = {"id": id_, "verb": decision.verb}
    if isinstance(decision, Accept):
        told = {"keep": decision.keep, "at_survivor": decision.at_survivor or None, "text": decision.text}
        shape |= {name: value for name, value in told.items() if value is not None}
    return shape


def _decision(entry: object) -> tuple[str, Decision] | None:
    shape = _mapping(entry)
    id_, verb = shape.get("id"), shape.get("verb")
    if not isinstance(id_, str) or not _is_text(id_):
        return None
    plain: Mapping[object, Decision] = {"reject": Reject(), "defer": Defer(), "many": Many()}
    if isinstance(verb, str) and verb in plain:
        return id_, plain[verb]
    texts = [shape.get(part) for part in ("keep", "text")]
    if verb != "accept" or not all(text is None or (isinstance(text, str) and _is_text(text)) for text in texts):
        return None
    keep, text = (None if each is None else str(each) for each in texts)
    return id_, Accept(keep, at_survivor=shape.get("at_survivor") is True, text=text)


def _items(held: object) -> list[object]:
    return cast("list[object]", held) if isinstance(held, list) else []


def _opened(entry: object) -> Opened | None:
    shape = _mapping(entry)
    words = [shape.get(part) for part in ("partition", "kind", "name")]
    at = shape.get("at")
    if not isinstance(at, int) or not all(isinstance(word, str) and _is_text(word) for word in words):
        return None
    return Opened(RecordKey(*(str(word) for word in words)), at)


def _is_text(word: str) -> bool:
    """Whether it can be written down: JSON may name halves of signs, and no record is called so."""
    return not any("\ud800" <= sign <= "\udfff" for sign in word)


def _mapping(held: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", held) if isinstance(held, dict) else {}
