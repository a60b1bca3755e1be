"""A reference of the ledger's life, written from the specification: plain Python, small, and slow.

It knows names, windows, gaps and stamps; nothing of hashes, indexes, texts' ranks or any store. Each verb answers
with the outcome it must have, and a refusal with REFUSED or BAD.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace

REFUSED, BAD, MISSING = "refused", "invalid_input", "not_found"
FOREVER = 1 << 62


@dataclass(frozen=True)
class Belief:
    """What one version says."""

    text: str
    start: int
    end: int | None = None
    successor: str | None = None
    gaps: tuple[tuple[int, int], ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def window(self) -> int:
        """Since when its last window runs."""
        return self.gaps[-1][1] if self.gaps else self.start

    def without_empty_gaps(self):
        """The same without gaps in which no instant lies: they say nothing."""
        return replace(self, gaps=tuple((a, b) for a, b in self.gaps if a < b))

    def holds(self, moment: int) -> bool:
        """Whether it was true then."""
        if moment < self.start or any(a <= moment < b for a, b in self.gaps):
            return False
        return self.end is None or moment < self.end

    def over(self, now: int) -> bool:
        """Whether it ended, or never began and never will."""
        return self.end is not None and (self.end <= now or self.end <= self.window)

    def state(self, moment: int) -> str:
        if self.holds(moment):
            return "in_force"
        spans = [self.start, *(b for _, b in self.gaps)], [*(a for a, _ in self.gaps), self.end]
        begun = [a for a, b in zip(*spans, strict=True) if b is None or a < b]
        if begun and moment < begun[0]:
            return "not_yet"
        return "superseded" if self.successor and self.end is not None and moment >= self.end else "forgotten"


@dataclass
class Ledger:
    """Every version of every name: (stamp, operation, belief)."""

    versions: dict[str, list[tuple[int, str, Belief]]] = field(default_factory=dict)
    recalls: list[tuple[int, str]] = field(default_factory=list)
    last: int | None = None

    def copy(self) -> Ledger:
        return copy.deepcopy(self)

    def stamp(self, clock: int) -> int:
        """The time of the next transaction."""
        return clock if self.last is None else max(clock, self.last + 1)

    def present(self, clock: int) -> int:
        return clock if self.last is None else max(clock, self.last)

    def now(self, name: str) -> Belief | None:
        return self.versions[name][-1][2] if name in self.versions else None

    def at(self, known: int) -> dict[str, Belief]:
        """What was believed then."""
        found = {}
        for name, steps in self.versions.items():
            for stamp, _, belief in steps:
                if stamp <= known:
                    found[name] = belief
        return found

    def _write(self, name: str, stamp: int, operation: str, belief: Belief) -> bool:
        if belief == self.now(name):
            return False
        self.versions.setdefault(name, []).append((stamp, operation, belief))
        self.last = stamp
        return True

    # The verbs -----------------------------------------------------------------------------------

    def remember(self, name, text, clock, *, start=None, end=None, tags=()):
        stamp = self.stamp(clock)
        since = stamp if start is None else start
        if end is not None and end <= since:
            return BAD
        current = self.now(name)
        if current is None:
            self._write(name, stamp, "remember", Belief(text, since, end, tags=tags))
            return "remembered"
        if current.over(stamp) or current.text != text:
            return REFUSED
        given = {}
        if start is not None:
            given["start"] = start
        if end is not None:
            given["end"] = end
        if tags:
            given["tags"] = tags
        merged = replace(current, **given)
        if not _possible(merged):
            return BAD
        return "updated" if self._write(name, stamp, "remember", merged) else "unchanged"

    def unnamed(self, base, text, clock, *, start=None, end=None, tags=()):
        """The name an unnamed memory gets: the same fact in another period is another memory."""
        since = self.stamp(clock) if start is None else start
        number = 1
        while True:
            name = base if number == 1 else f"{base}-{number}"
            current = self.now(name)
            if current is None or start is None or _near(current, since, end):
                return name
            number += 1

    def update(self, name, clock, *, text=None, tags=None, end=...):
        current, stamp = self.now(name), self.stamp(clock)
        if current is None:
            return MISSING
        given = {"text": text} if text is not None else {}
        if tags is not None:
            given["tags"] = tags
        if end is not ...:
            given["end"] = end
        changed = replace(current, **given)
        if current.over(stamp) and changed.end != current.end:
            return REFUSED
        if end is not ... and not _possible(changed):
            return BAD
        return "updated" if self._write(name, stamp, "update", changed) else "unchanged"

    def forget(self, name, clock, *, at=None, successor=None):
        current, stamp = self.now(name), self.stamp(clock)
        if current is None or (successor is not None and successor not in self.versions):
            return MISSING
        if current.over(stamp):
            return "already_forgotten"
        if at is not None and at > stamp:
            return BAD
        if successor is not None and self._leads_back(name, successor):
            return REFUSED
        current = current.without_empty_gaps()
        end = max(stamp if at is None else at, current.start, *(b for _, b in current.gaps))
        self._write(name, stamp, "forget", replace(current, end=end, successor=successor))
        return "forgotten"

    def _leads_back(self, name, step):
        seen = {name}
        while step is not None:
            if step in seen:
                return True
            seen.add(step)
            belief = self.now(step)
            step = belief.successor if belief else None
        return False

    def revive(self, name, clock):
        current, stamp = self.now(name), self.stamp(clock)
        if current is None:
            return MISSING
        if not current.over(stamp):
            return "already_in_force"
        gap = (current.end, max(stamp, current.start))
        back = replace(current, end=None, successor=None, gaps=(*current.gaps, gap))
        self._write(name, stamp, "revive", back)
        return "revived"

    def supersede(self, old, new, text, clock, *, at=None):
        current, stamp = self.now(old), self.stamp(clock)
        if current is None:
            return MISSING
        if current.over(stamp):
            return REFUSED
        if at is not None and at > stamp:
            return BAD
        current = current.without_empty_gaps()
        if at is not None and at <= current.window:
            return BAD
        if new in self.versions:
            return REFUSED
        moment = stamp if at is None else at
        self._write(new, stamp, "supersede", Belief(text, moment, tags=current.tags))
        self._write(old, stamp, "supersede", replace(current, end=max(moment, current.window), successor=new))
        return "superseded"

    def take(self, items, clock):
        """Import items (name, text, start, end, tags), all in one transaction: what becomes of each."""
        stamp, counts = self.stamp(clock), {"added": 0, "updated": 0, "unchanged": 0, "problems": 0}
        for name, text, start, end, tags in items:
            if end is not None and start is not None and end <= start:
                counts["problems"] += 1
                continue
            current = self.now(name)
            if current is None:
                since = stamp if start is None else start
                if end is not None and end <= since:
                    counts["problems"] += 1
                    continue
                self._write(name, stamp, "import", Belief(text, since, end, tags=tags))
                counts["added"] += 1
                continue
            given = {"text": text}
            if start is not None:
                given["start"] = start
            if end is not None:
                given["end"] = end
            if tags:
                given["tags"] = tags
            merged = replace(current, **given)
            if not _possible(merged):
                counts["problems"] += 1
                continue
            ended = current.over(stamp)
            if ended:
                merged = replace(merged, end=current.end, successor=current.successor)
                if merged.start != current.start and not _possible(merged, empty=True):
                    counts["problems"] += 1
                    continue
                if end is None or (end > stamp and (start is None or end > start)):
                    counts["problems"] += 1  # told, and not done
            counts["updated" if self._write(name, stamp, "import", merged) else "unchanged"] += 1
        return counts

    def recall(self, names, clock):
        """Note that these were recalled."""
        if names:
            self.last = self.stamp(clock)
            self.recalls += [(self.last, name) for name in names]


def _possible(belief: Belief, *, empty: bool = False) -> bool:
    """Whether its gaps lie within it and its last window holds an instant, or may hold none."""
    if belief.gaps and belief.gaps[0][0] < belief.start:
        return False
    return belief.end is None or belief.end > belief.window or (empty and belief.end == belief.window)


def _near(belief: Belief, start: int, end: int | None) -> bool:
    """Whether its validity meets or overlaps a period."""
    stop = FOREVER if end is None else end
    begins, ends = [belief.start, *(b for _, b in belief.gaps)], [*(a for a, _ in belief.gaps), belief.end]
    spans = [(a, FOREVER if b is None else b) for a, b in zip(begins, ends, strict=True) if b is None or a < b]
    return any(a <= stop and start <= b for a, b in spans)
