"""The life of a memory at random: every verb, both clocks, two writers, against a reference written from the spec."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from memtui.errors import InvalidInput, MemtuiError, NotFound
from memtui.model.instants import DAY, HOUR, iso
from tests.clocks import START, SteppingClock
from tests.memory.ledger_model import Ledger
from tests.memory.stores import beside, everything, opened

NAMES = ("north", "south", "eastern", "western")
TEXTS = ("The mill grinds at six", "The mill is let to Ada", "The mill stands still", "A mill was sold")
WORD = "mill"
"""Every text holds it: a search for it finds whatever is in force."""
MOMENTS = (START - 300 * DAY, START - 30 * DAY, START + HOUR, START + 5 * DAY, START + 40 * DAY, START + 400 * DAY)

names = st.sampled_from(NAMES)
texts = st.sampled_from(TEXTS)
moments = st.none() | st.sampled_from(MOMENTS)
tags = st.sampled_from([(), ("ops",), ("ops", "net")])
who = st.booleans()


def unnamed(text):
    return "rem-" + hashlib.sha256(text.casefold().encode()).hexdigest()[:10]


def attempt(call):
    """What a verb answers: its outcome, or the code of its refusal."""
    try:
        return call().outcome
    except MemtuiError as error:
        return error.code


class Life(RuleBasedStateMachine):
    """One store, two memories on it, and what the reference says of them."""

    def __init__(self, store, folder):
        super().__init__()
        self.clock = SteppingClock(START)
        self.folder = folder
        self.store = store
        self.thorough = store == "twin"
        """Whether every step is followed by every check; an embedded store is asked about it all at the end."""
        vault = folder / "vault"
        vault.mkdir()
        first = opened(store, vault, self.clock)
        self.memories = (first, beside(first, store))
        self.model = Ledger()
        self.noted: dict[int, object] = {}
        self.files = self.looks = 0

    def memory(self, other):
        return self.memories[int(other)]

    @property
    def known(self):
        return sorted(self.model.versions)

    @property
    def present(self):
        return self.model.present(self.clock())

    # Time ------------------------------------------------------------------------------------------

    @rule(step=st.sampled_from([1, HOUR, 3 * DAY, 45 * DAY, 500 * DAY]))
    def time_passes(self, step):
        self.clock.forward(step)

    @rule(step=st.sampled_from([1, 2 * HOUR, 100 * DAY]))
    def clock_is_set_back(self, step):
        self.clock.forward(-step)

    # Verbs -----------------------------------------------------------------------------------------

    @initialize(text=texts)
    def something_is_known(self, text):
        self.remember_named(False, NAMES[0], text, None, None, ())

    @rule(other=who, name=names, text=texts, start=moments, end=moments, tags=tags)
    def remember_named(self, other, name, text, start, end, tags):
        self._remember(other, name, name, text, start, end, tags)

    @rule(other=who, text=texts, start=moments, end=moments)
    def remember_unnamed(self, other, text, start, end):
        name = self.model.unnamed(unnamed(text), text, self.clock(), start=start, end=end)
        self._remember(other, None, name, text, start, end, ())

    def _remember(self, other, given, name, text, start, end, tags):
        # Alone, an end that lies before the present is another promise than this one.
        assume(end is None or start is not None or end > self.model.stamp(self.clock()))
        expected = self.model.remember(name, text, self.clock(), start=start, end=end, tags=tags)
        fields = {"valid_from": start, "valid_to": end, "tags": list(tags) or None}
        assert attempt(lambda: self.memory(other).remember(text, name=given, **fields)) == expected

    def _never_begins(self, name):
        """Whether a name's window is empty: whether an earlier beginning opens it, test_laws says."""
        current = self.model.now(name)
        return current is not None and current.end is not None and current.end <= current.window

    @rule(other=who, name=names, text=st.none() | texts, tags=st.none() | tags)
    def update(self, other, name, text, tags):
        assume(text is not None or tags is not None)
        expected = self.model.update(name, self.clock(), text=text, tags=tags)
        assert attempt(lambda: self.memory(other).update(name, summary=text, tags=tags)) == expected

    @rule(other=who, name=names, end=moments)
    def update_the_end(self, other, name, end):
        expected = self.model.update(name, self.clock(), end=end)
        given = "open" if end is None else end
        assert attempt(lambda: self.memory(other).update(name, valid_to=given)) == expected

    @rule(other=who, name=names, at=moments, successor=st.none() | names)
    def forget(self, other, name, at, successor):
        expected = self.model.forget(name, self.clock(), at=at, successor=successor)
        verb = self.memory(other).forget
        assert attempt(lambda: verb(name, at=at, superseded_by=successor, reason="so it goes")) == expected

    @rule(other=who, name=names)
    def revive(self, other, name):
        expected = self.model.revive(name, self.clock())
        assert attempt(lambda: self.memory(other).revive(name)) == expected

    @rule(other=who, old=names, new=st.none() | names, text=texts, at=moments)
    def supersede(self, other, old, new, text, at):
        since = self.model.stamp(self.clock()) if at is None else at
        successor = new or self.model.unnamed(unnamed(text), text, self.clock(), start=since)
        expected = self.model.supersede(old, successor, text, self.clock(), at=at)
        assert attempt(lambda: self.memory(other).supersede(old, text, name=new, at=at)) == expected

    @precondition(lambda self: self.known)
    @rule(other=who, data=st.data())
    def forget_whatever_there_is(self, other, data):
        name = data.draw(st.sampled_from(self.known))
        expected = self.model.forget(name, self.clock())
        assert attempt(lambda: self.memory(other).forget(name)) == expected

    @rule(other=who, k=st.integers(1, 3))
    def recall(self, other, k):
        believed, present = self.model.at(self.present), self.present
        found = [hit.name for hit in self.memory(other).recall(WORD, k=k)]
        in_force = [name for name, belief in believed.items() if belief.holds(present)]
        assert set(found) <= set(in_force)
        assert len(found) == min(k, len(in_force))
        self.model.recall(found, self.clock())

    @rule(other=who, items=st.lists(st.tuples(names, texts, moments, moments, tags), min_size=1, max_size=3))
    def import_items(self, other, items):
        for name, _, start, end, _ in items:
            assume(start is None or not self._never_begins(name))
            assume(end is None or start is not None or end > self.model.stamp(self.clock()))
        expected = self.model.take(items, self.clock())
        self.files += 1
        file = self.folder / f"items-{self.files}.jsonl"
        file.write_text("".join(_item(*item) for item in items), encoding="utf-8")
        told = self.memory(other).import_(file)
        counts = {part: getattr(told, part) for part in ("added", "updated", "unchanged")}
        assert counts | {"problems": len(told.problems)} == expected

    # Laws ------------------------------------------------------------------------------------------

    @invariant()
    def every_version_is_the_one_the_reference_has(self):
        versions, recalls = everything(self.memories[0])
        stamps = [v.recorded_at for v in versions]
        assert stamps == sorted(stamps)
        assert [v.seq for v in versions] == list(range(1, len(versions) + 1))
        told = {}
        for version in versions:
            content = version.content
            gaps = tuple((gap.valid_to, gap.revived_at) for gap in content.revivals)
            says = (content.summary, content.valid_from, content.valid_to, content.superseded_by, gaps, content.tags)
            told.setdefault(version.key.name, []).append((version.recorded_at, version.operation, says))
        expected = {
            name: [(at, how, (b.text, b.start, b.end, b.successor, b.gaps, b.tags)) for at, how, b in steps]
            for name, steps in self.model.versions.items()
        }
        assert told == expected
        assert [(r.recorded_at, r.key.name) for r in recalls] == self.model.recalls

    @invariant()
    def nothing_is_lifted_or_moved_but_by_a_revival(self):
        for steps in self.model.versions.values():
            for (_, _, before), (stamp, how, after) in pairwise(steps):
                kept = tuple((a, b) for a, b in before.gaps if a < b or (a, b) in after.gaps)
                assert after.gaps[: len(kept)] == kept
                if how == "revive":
                    assert after.gaps[len(kept)][0] == before.end
                elif before.over(stamp):
                    assert (after.end, after.successor, after.gaps) == (before.end, before.successor, before.gaps)

    @invariant()
    def the_past_is_what_it_was(self):
        if self.model.last is None:
            return
        self.noted.setdefault(self.model.last, self._answers(self.model.last))
        if self.thorough:
            self._look_back(self._some(sorted(self.noted)))

    def _look_back(self, moments):
        held = everything(self.memories[0])
        for moment in moments:
            assert self._answers(moment) == self.noted[moment]
        assert everything(self.memories[0]) == held  # no read writes

    @invariant()
    def both_clocks_agree_with_the_reference(self):
        if self.thorough:
            self._ask_on_both_clocks()

    def _ask_on_both_clocks(self):
        last = [] if self.model.last is None else [self.model.last, self.model.last - 1]
        for known in self._some([START - DAY, *self.noted, *last]):
            if known > self.present:
                continue
            for true in [None, *self._some(self._edges(known)), *self._some(MOMENTS)][: 7 if self.thorough else 3]:
                self._compare(known, true)
        self._compare(None, None)
        self._compare(None, MOMENTS[0])
        with pytest.raises(InvalidInput, match="future"):
            self.memories[1].list(as_of=self.present + 1)

    def _edges(self, known):
        """The moments at which something believed then begins, ends, or comes back, and those just before."""
        believed = self.model.at(known).values()
        edges = {edge for b in believed for edge in (b.start, b.end, *(e for gap in b.gaps for e in gap))} - {None}
        return sorted(edges | {edge - 1 for edge in edges})

    def _some(self, moments):
        """A few of many, and each time others."""
        self.looks += 1
        step = max(1, len(moments) // 2)
        return moments[self.looks % step :: step][-3:]

    def _compare(self, known, true):
        memory = self.memories[len(self.noted) % 2]
        at = self.present if known is None else known
        on = at if true is None else true
        expected = {name: belief.state(on) for name, belief in self.model.at(at).items()}
        asked = {"as_of": known, "valid_at": true}
        assert {r.key.name: r.state for r in memory.list(all=True, **asked)} == expected
        assert memory.status(**asked).states == {"in_force": 0} | Counter(expected.values())
        in_force = {name for name, state in expected.items() if state == "in_force"}
        assert {r.key.name for r in memory.list(**asked)} == in_force
        found = memory.search(WORD, k=50, **asked)
        assert {hit.name for hit in found} == in_force
        assert found.hidden == len(expected) - len(in_force)
        view = memory.at(**asked)
        for name in NAMES[:2]:
            if name in expected:
                assert view.show(name).state == expected[name]
                steps = [s for s in self.model.versions[name] if s[0] <= at and (true is None or s[2].holds(true))]
                assert len(view.history(name)) == len(steps)
            else:
                with pytest.raises(NotFound):
                    view.show(name)

    def _answers(self, moment):
        """Everything that is told about a moment of the past."""
        memory = self.memories[1]
        found = memory.search(WORD, k=50, as_of=moment)
        listed = memory.list(all=True, as_of=moment).records
        if not self.thorough:
            return listed, [(h.name, h.rank_score) for h in found], found.hidden
        recalled = memory.at(as_of=moment).recall(WORD, k=50)
        return (
            listed,
            [(h.name, h.score, h.rank_score, h.coverage) for h in found],
            [(h.name, h.rank_score) for h in recalled],
            found.hidden,
            memory.status(belief=_as_of(moment)).states,
            [memory.details(r.key, as_of=moment).as_dict() for r in listed],
        )

    @rule(data=st.data())
    def the_diff_of_two_moments(self, data):
        assume(len(self.noted) > 1)
        first, second = sorted(data.draw(st.lists(st.sampled_from(sorted(self.noted)), min_size=2, max_size=2)))
        before, after = self.model.at(first), self.model.at(second)
        told = self.memories[0].diff(first, second)
        assert {r.key.name for r in told.learned} == set(after) - set(before)
        held = {name for name in before if before[name].holds(first)}
        holds = {name for name in before if after[name].holds(second)}
        assert {r.key.name for r in told.forgotten} == held - holds
        assert {r.key.name for r in (*told.revived, *told.began)} == holds - held
        said = {n for n in before if (before[n].text, before[n].tags) != (after[n].text, after[n].tags)}
        assert said <= {c.record.key.name for c in told.changed}

    def teardown(self):
        """What a machine leaves can be taken elsewhere and back, byte for byte."""
        if self.model.last is None:
            return
        if not self.thorough:
            self._look_back(self.noted)
            self._ask_on_both_clocks()
        first, second = self.folder / "first.jsonl", self.folder / "second.jsonl"
        self.memories[0].export(first)
        vault = self.folder / "elsewhere"
        vault.mkdir()
        elsewhere = opened(self.store, vault, self.clock)
        replayed = elsewhere.import_(first)
        assert (replayed.replayed, replayed.recalls) == tuple(map(len, everything(self.memories[0])))
        elsewhere.export(second)
        assert first.read_bytes() == second.read_bytes()
        assert _told(elsewhere) == _told(self.memories[0])


def _told(memory):
    return [(h.name, h.rank_score) for h in memory.recall(WORD, k=50, reconsolidate=False)], memory.list(all=True)


def _as_of(moment):
    from memtui.model.belief import BeliefState

    return BeliefState(moment)


def _item(name, text, start, end, tags):
    item = {"name": name, "summary": text, "tags": list(tags)}
    item |= {field: iso(moment) for field, moment in (("valid_from", start), ("valid_to", end)) if moment is not None}
    return json.dumps(item) + "\n"


def live(store, folder, examples, steps):
    run_state_machine_as_test(
        lambda: Life(store, folder.mktemp("life")),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
        ),
    )


@pytest.mark.parametrize(("store", "examples", "steps"), [("twin", 20, 16), ("resident", 2, 7), ("one-shot", 1, 5)])
def test_any_life_of_a_memory_is_what_the_reference_says(store, examples, steps, tmp_path_factory):
    live(store, tmp_path_factory, examples, steps)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("store", "examples", "steps"), [("twin", 200, 40), ("resident", 15, 25), ("one-shot", 8, 20)])
def test_any_long_life_of_a_memory_is_what_the_reference_says(store, examples, steps, tmp_path_factory):
    live(store, tmp_path_factory, examples, steps)
