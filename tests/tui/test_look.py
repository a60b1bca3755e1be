"""How the screens look, on a small vault with a clock of its own. Look at a picture before you accept it."""

from __future__ import annotations

import pytest

from memtui.memory.opening import open_memory
from memtui.model.instants import DAY, HOUR
from memtui.model.reviews import Accept, Reject
from memtui.tui.app import MemtuiApp
from tests.clocks import SteppingClock, at
from tests.tui.driving import settled
from tests.tui.topics import TopicEmbedder

NOTE = """---
title: Error codes
description: Every code a box can show, and what to do about it.
tags: [reference, support]
pinned: true
updated: 2026-02-20
---

# Error codes

Codes below 2000 come from the network, 4xxx from the **scale**. The text on the screen is
short on purpose; this page is the long version, see [[tare-guard]].

| code | meaning |
|---|---|
| `E-4009` | no frame from the scale for 3 s |
| `E-4017` | the empty platform is too far from zero |

## When the phone rings

1. Ask for the code and the mill.
2. 4xxx: nobody presses *accept* until the platform is clean.

```sh
memtui recall E-4017   # the scale drifts
```
"""
FEATURE = """---
title: Tare guard
description: Before each weighing the box checks that the empty scale is near zero.
status: completed
updated: 2026-01-20
---

# Tare guard

A scale that shows +6.5 kg when it is empty must not be used. The guard stops it at 1.5 kg.
"""
ENGRAMS = [
    ("scale-drift", "The scale in Ayvalık drifts by 2 kg when the hall is colder than 5 °C; zero it twice a day."),
    ("no-exceptions", "Code on the scale path never throws: an exception there once cost four seconds of frames."),
    ("shodoshima", "小豆島の秤は毎朝ゼロにする。 The scale on Shōdoshima is zeroed every morning. 👩‍🌾"),
    ("old-limit", "The tare limit of the scale is 4000 grams."),
    ("brackets", "The sign of the scale is frame[6], not frame[5]; [note] the comma counts."),
]


@pytest.fixture
def olives(tmp_path):
    """A vault that weighs olives, on a morning in March."""
    folder = tmp_path / "olives"
    (folder / "knowledge").mkdir(parents=True)
    (folder / "features").mkdir()
    (folder / "knowledge" / "error-codes.md").write_text(NOTE, encoding="utf-8")
    (folder / "features" / "tare-guard.md").write_text(FEATURE, encoding="utf-8")
    clock = SteppingClock(at("2026-02-01T08:00:00Z"))
    memory = open_memory(folder, create=True, clock=clock)
    for name, text in ENGRAMS:
        memory.remember(text, name=name, area="Feature/weighing", tags=["scale"])
        clock.forward(5 * DAY + 3 * HOUR)
    memory.sync()
    memory.forget("old-limit", reason="measured anew")
    clock.forward(3 * DAY)
    return memory


@pytest.fixture
def look(olives, snap_compare):
    """Compare the screen after some keys with its stored picture."""

    def compare(*keys, size=(120, 40), theme="memtui-dark"):
        app = MemtuiApp(olives, sync_on_start=False, clock=olives.clock, theme=theme)
        app.animation_level = "none"

        async def drive(pilot):
            await settled(pilot)
            for key in keys:
                await pilot.press(*_keys(key))
                await settled(pilot)
            await pilot.pause()

        return snap_compare(app, terminal_size=size, run_before=drive)

    return compare


def _keys(step):
    """A key by its name, or `type:` and a text."""
    if not step.startswith("type:"):
        return [step]
    return ["space" if c == " " else c for c in step.removeprefix("type:")]


def test_start(look):
    """Nothing typed: what was recorded last."""
    assert look()


def test_opened_and_recorded_narrow(look):
    """80×24: what was opened last above what was recorded last."""
    assert look("down", "down", "enter", "escape", "type:a", "ctrl+u", size=(80, 24))


def test_results(look):
    """Hits with their matched words, the first one in the preview."""
    assert look("type:scale zero")


def test_results_narrow(look):
    """80×24: the preview below the list."""
    assert look("type:scale zero", size=(80, 24))


def test_results_wide(look):
    """200×60: area beside the name."""
    assert look("type:scale zero", size=(200, 60))


def test_results_small(look):
    """60×16: no preview."""
    assert look("type:scale", size=(60, 16))


def test_results_light(look):
    """The light theme."""
    assert look("type:scale zero", theme="memtui-light")


def test_list_focus_narrow_light(look):
    """The list has the focus; its keys are in the footer."""
    assert look("type:scale", "tab", "j", size=(80, 24), theme="memtui-light")


def test_completing_a_value_narrow(look):
    """80×24: the values of a begun filter, the second one chosen."""
    assert look("type:scale is:", "down", size=(80, 24))


def test_completing_a_filter_light(look):
    """The filters, each with what it does, in the light theme."""
    assert look("type:scale zero", "ctrl+@", theme="memtui-light")


def test_hybrid(olives, look):
    """By words and by meaning, with a word that no text has."""
    olives.register_embedder(TopicEmbedder())
    olives.embed()
    assert look("type:kantar zero")


def test_no_hit(look):
    """Nothing matches."""
    assert look("type:qqxyz")


def test_forgotten_shown(look):
    """Forgotten ones among the others, with their badge; revive in the footer."""
    assert look("type:tare limit", "tab", "x", "g")


def test_sorted_by_retention_light(look):
    """All records in another order, in the light theme."""
    assert look("tab", "o", "o", "o", theme="memtui-light")


def test_why(look):
    """The explanation as a table."""
    assert look("type:scale zero", "tab", "2")


def test_history(look):
    """Every version."""
    assert look("type:old-limit", "tab", "x", "3")


def test_reading(look):
    """The whole text over the screen."""
    assert look("type:error codes", "enter")


def test_help_of_the_list(look):
    """Every key of the list."""
    assert look("tab", "question_mark")


def test_help_of_the_box_narrow(look):
    """Every key of the search box, at 80×24."""
    assert look("f1", size=(80, 24))


def test_palette(look):
    """Commands that apply now."""
    assert look("type:scale", "ctrl+p")


def test_too_small(look):
    """Below 60×16."""
    assert look(size=(50, 12))


def test_timeline(look):
    """Lanes of all memories at present, the map of the selected one."""
    assert look("f3")


def test_timeline_in_the_past_narrow(look):
    """80×24: known and true at an earlier event; what is not known yet is dotted."""
    assert look("f3", "tab", "left", "left", "left", "left", size=(80, 24))


def test_timeline_wide_light(look):
    """200×60: the hits of a query, clocks unlinked."""
    assert look("f3", "type:scale", "tab", "l", "left", "left", "left", size=(200, 60), theme="memtui-light")


def test_timeline_small(look):
    """60×16: lanes, no preview."""
    assert look("f3", "tab", "left", size=(60, 16))


def test_belief_diff(look):
    """What changed since mark A."""
    assert look("f3", "tab", "home", "right", "m", "0", "5")


def test_typed_time(look):
    """A time being typed, and what it means."""
    assert look("f3", "tab", "T", "type:2026-02-0")


# --- The Review ----------------------------------------------------------------------------------


@pytest.fixture
def disagreeing(olives):
    """Two memories that cannot both be right, two that say the same, and one that has faded."""
    clock = olives.clock
    olives.remember("The lamp above the old platform flickers when it rains", name="old-lamp", memory_type="semantic")
    clock.forward(300 * DAY)
    claim = "Feature/tare::limit_grams={}".format
    olives.remember("The tare limit is 4000 grams since the windy days", name="limit-4000", claims=[claim(4000)])
    clock.forward(30 * DAY)
    olives.remember("The tare limit is 1500 grams, a crate lid", name="limit-1500", claims=[claim(1500)])
    olives.remember("Only a clean platform is set to zero", name="clean-first")
    olives.remember("Only a really clean platform is set to zero", name="clean-first-again")
    clock.forward(10 * DAY)
    return olives


def test_review(disagreeing, look):
    """A contradiction with its panel; one decided, one marked."""
    assert look("f4", "2", "w", "j", "space", "g")


def test_review_of_a_merge_wide_light(disagreeing, look):
    """200×60: what remains, and what would go."""
    assert look("f4", "j", size=(200, 60), theme="memtui-light")


def test_review_side_by_side_wide(disagreeing, look):
    """200×60: both memories of a contradiction beside each other."""
    assert look("f4", "a", "k", size=(200, 60))


def test_review_of_an_expiry_narrow(disagreeing, look):
    """80×24: the retention curve below the list."""
    assert look("f4", "G", "k", size=(80, 24))


def test_review_small(disagreeing, look):
    """60×16: the list alone."""
    assert look("f4", "x", size=(60, 16))


# --- The Vault -----------------------------------------------------------------------------------


@pytest.fixture
def reviewed(disagreeing):
    """Two reviews, the first taken back, and a file that is off."""
    (disagreeing.vault / "engrams").mkdir(exist_ok=True)
    broken = "---\nsummary: The gate is painted\nvalid_from: next spring\n---\n"
    (disagreeing.vault / "engrams" / "gate.md").write_text(broken, encoding="utf-8")
    disagreeing.sync()
    plan = disagreeing.consolidate()
    disagreeing.apply(plan, {plan.contradictions[0].id: Accept(), plan.merges[0].id: Reject()})
    disagreeing.undo_review("r1")
    plan = disagreeing.consolidate()
    disagreeing.apply(plan, {plan.expiries[0].id: Accept()})
    return disagreeing


def test_vault(reviewed, look):
    """Counts, growth and retention beside the list."""
    assert look("f5")


def test_vault_journal(reviewed, look):
    """A review with its decisions."""
    assert look("f5", "G", size=(120, 30), theme="memtui-light")


def test_vault_problem_narrow(reviewed, look):
    """80×24: a problem with its place in the file."""
    assert look("f5", "j", "j", size=(80, 24))


def test_vault_wide(reviewed, look):
    """200×60: a review over the whole width of the preview."""
    assert look("f5", "G", "k", "k", size=(200, 60))
