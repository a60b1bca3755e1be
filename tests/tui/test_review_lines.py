"""The panels of the Review as lines: what they tell of a proposal, whatever its members hold, at any width."""

from __future__ import annotations

import shlex
from dataclasses import replace
from datetime import timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtui.model.instants import DAY, MAX_INSTANT, MIN_INSTANT, SECOND
from memtui.model.intervals import Interval
from memtui.model.proposals import Likeness, Suppressed
from memtui.model.reviews import Accept, Defer, Many, Reject
from memtui.tui.board import Entry
from memtui.tui.columns import side_by_side
from memtui.tui.display import width_of
from memtui.tui.review_lines import panel, update_command
from memtui.tui.styled_lines import StyledLine, lay_out
from tests.tui.proposals import (
    EVERY,
    JULY,
    JUNE,
    LAMP,
    LAST,
    MAY,
    MERGE,
    NEW,
    NOW,
    OLD,
    PORTS,
    SLOW,
    TOLD_BACKUPS,
    TOLD_LAMP,
    TOLD_PORTS,
    TOLD_SLOW,
    contradicting,
    key,
    stated,
    told,
)  # fmt: skip

UTC = timezone.utc


def lines_of(proposal, members, decision=None, width=76, zone=UTC, **entry):
    return panel(Entry(proposal, **entry), members, decision, width=width, now=NOW, zone=zone).lines


def texts(*args, **given_):
    return [line.text for line in lines_of(*args, **given_)]


def looking(lines, look):
    """The stretches of lines that have a look."""
    stretches = [line.text[span.start : span.end] for line in lines for span in line.spans if span.look == look]
    return stretches + [line.text for line in lines if line.base == look]


def line_with(lines, part):
    return next(line for line in lines if part in line)


# The head


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (None, "not decided yet"),
        (Accept(), "accepted: new-port stays, the other ends now"),
        (Accept(keep="old-port", at_survivor=True), "accepted: old-port stays, the other ends when it began"),
        (Reject(), "rejected: it is not shown again until a fact of it changes"),
        (Defer(), "deferred: it comes back"),
        (Many(), "many-valued: both may be so"),
    ],
)
def test_the_head_says_what_it_is_about_and_what_was_decided(decision, said):
    lines = texts(PORTS, TOLD_PORTS, decision)
    assert lines[0] == "Contradiction  staging · port"
    assert lines[1:3] == [said, "new-port was learned last"]


def test_what_comes_back_says_what_changed_since_it_was_rejected_on_the_readers_clock():
    lines = texts(replace(PORTS, returned=("old-port: port=8080 from 2026-05-03T09:30:00.000000Z",)), TOLD_PORTS)
    assert lines[2:4] == ["You rejected this before. Since then:", "  old-port: port=8080 from 3 May 2026 09:30 UTC"]


def test_what_is_suppressed_says_by_whom_and_when_and_why_it_was_proposed():
    lines = texts(PORTS, TOLD_PORTS, suppressed=Suppressed(PORTS, JULY, "ada"))
    assert lines[1].startswith("rejected by ada on 3 Jul 2026")
    assert "new-port was learned last" in lines
    assert "not decided yet" not in lines


# Contradictions


def test_two_memories_stand_beside_each_other_from_76_cells_on():
    heads = [line for line in texts(PORTS, TOLD_PORTS) if line.startswith("1 new-port")]
    assert heads[0].split() == ["1", "new-port", "stays", "2", "old-port", "ends"]
    narrow = texts(PORTS, TOLD_PORTS, width=75)
    assert "1 new-port  stays" in narrow
    assert "2 old-port  ends" in narrow


def test_who_stays_follows_the_decision_and_nobody_ends_by_a_rejection():
    chosen = texts(PORTS, TOLD_PORTS, Accept(keep="old-port"), width=60)
    assert {"1 new-port  ends", "2 old-port  stays"} <= set(chosen)
    for decision in (Reject(), Defer(), Many()):
        assert not any(line.endswith("  ends") for line in texts(PORTS, TOLD_PORTS, decision, width=60))


def test_words_that_differ_stand_out_in_both():
    assert looking(lines_of(PORTS, TOLD_PORTS), "mark") == ["8087", "8080"]
    assert looking(lines_of(PORTS, TOLD_PORTS, width=60), "mark") == ["8087", "8080"]


def test_texts_that_have_next_to_nothing_in_common_are_not_highlighted_all_over():
    other = TOLD_PORTS | {key("old-port"): told("old-port", "A harbour wall of granite")}
    assert looking(lines_of(PORTS, other), "mark") == []


def test_both_clocks_of_a_memory_are_told_and_a_bound_is_a_warning():
    claims = replace(OLD, learned=MAY, approximate=True), replace(NEW, learned=JUNE)
    lines = lines_of(contradicting(*claims), TOLD_PORTS, width=60)
    said = [line.text for line in lines]
    assert any(" ".join(line.split()) == "true since 3 May 2026 until 3 Jul 2026" for line in said)
    assert any(line.split() == ["learned", "by", "3", "May", "2026"] for line in said)
    assert any(line.split() == ["learned", "3", "Jun", "2026"] for line in said)
    warnings = looking(lines, "gone")
    assert sum("perhaps earlier" in warning for warning in warnings) == 1


def test_bars_stand_below_each_other_and_words_say_for_when_both_claim_to_be_so():
    lines = texts(PORTS, TOLD_PORTS)
    new, old = [line for line in lines if "━" in line]
    assert (new[:2], old[:2]) == ("1 ", "2 ")
    assert old.index("━") < new.index("╺" if "╺" in new else "━")
    assert new.endswith("▸")
    assert "3 Jun 2026 to 3 Jul 2026" in lines[-1]
    assert lines[-1].startswith("old-port began first and ends while new-port holds; they say different things")


def test_two_open_claims_are_both_so_since_the_later_began():
    both = contradicting(replace(OLD, window=Interval(MAY, None)), NEW, relation="finished by")
    assert texts(both, TOLD_PORTS)[-1].endswith("they say different things since 3 Jun 2026.")


def test_a_memory_that_claims_two_things_of_the_topic_tells_both():
    third = stated("old-port", "9090", JULY, NOW)
    lines = texts(contradicting(NEW, OLD, third), TOLD_PORTS, width=60)
    assert [line.split()[-1] for line in lines if line.startswith("  claims")] == [
        "port=8087",
        "port=8080",
        "port=9090",
    ]


def test_what_a_scribe_found_has_no_claims_to_draw():
    lines = texts(replace(PORTS, conflicts=(), decided_by="scribe"), TOLD_PORTS, width=60)
    assert not any("━" in line or line.startswith("  claims") for line in lines)
    assert any("Staging listens on 8080" in line for line in lines)
    assert sum(line.startswith("  recorded") for line in lines) == 2


# Large groups, and members that are gone


def crowd(keep=15):
    keys = tuple(key(f"m{number:02d}") for number in range(20))
    rest = tuple(each for each in keys if each != keys[keep])
    merge = replace(
        MERGE, keys=keys, total=200, keep=keys[keep], supersede=rest, likenesses=tuple(Likeness(k, 0.8) for k in rest)
    )
    return merge, {each: told(each.name, "Backups run every night") for each in keys}


def test_of_a_large_group_the_first_are_told_and_who_stays_wherever_it_is():
    heads = [line for line in texts(*crowd()) if line.endswith(("  ends", "  stays"))]
    assert heads == [f"{n} m{n - 1:02d}  ends" for n in range(1, 10)] + ["  m15  stays"]
    assert "and 190 more" in texts(*crowd())
    assert "and 191 more" in texts(*crowd(keep=0))


@pytest.mark.parametrize(("proposal", "members"), EVERY)
def test_a_member_that_is_gone_is_told_as_gone(proposal, members):
    assert not any("not there any more" in line for line in texts(proposal, members, width=60))
    without = texts(proposal, {}, width=60)
    assert sum("not there any more" in line for line in without) == len(proposal.keys)


def test_a_text_that_is_cut_says_how_to_see_all_of_it():
    long = TOLD_PORTS | {key("old-port"): told("old-port", "Staging", body="word " * 600)}
    assert sum("enter shows the whole text" in line for line in texts(PORTS, long, width=60)) == 1
    assert not any("enter shows" in line for line in texts(PORTS, TOLD_PORTS, width=60))


# Merges


def test_a_merge_tells_likeness_shared_words_and_what_would_be_lost():
    lines = lines_of(MERGE, TOLD_BACKUPS)
    said = [line.text for line in lines]
    assert "1 backups  ends" in said
    assert "2 backups-again  stays" in said
    assert line_with(said, "alike").split("alike")[1].strip() == "78% of the words, 0.91 by meaning"
    assert line_with(said, "shared").split("shared")[1].strip() == "backups, ledger, night"
    assert looking(lines, "mark") == [" and are kept for a month"]
    assert not any("Look twice" in line for line in said)


def test_likeness_names_whom_it_was_measured_against_where_another_one_stays():
    said = texts(MERGE, TOLD_BACKUPS, Accept(keep="backups"))
    assert "78% of the words of backups-again, 0.91 by meaning" in line_with(said, "alike")


def test_texts_that_a_figure_a_denial_or_a_day_turns_round_are_to_be_looked_at_twice():
    assert "Look twice: they differ in a figure, a day or a denial." in texts(replace(MERGE, turned=True), TOLD_BACKUPS)


@pytest.mark.parametrize("decision", [None, Accept(), Accept(text="Edited by hand")])
def test_where_a_new_text_stands_for_all_no_member_is_said_to_stay(decision):
    written = replace(MERGE, text="Backups of the ledger run every night")
    said = texts(written, TOLD_BACKUPS, decision)
    assert {"1 backups  ends", "2 backups-again  ends"} <= set(said)
    assert (decision.text if decision and decision.text else written.text) in said
    if decision is not None:
        assert said[1] == "accepted: a new memory is written, and both end now"


def test_who_names_a_survivor_wants_no_new_text():
    said = texts(replace(MERGE, text="Backups of it all"), TOLD_BACKUPS, Accept(keep="backups"))
    assert {"1 backups  stays", "2 backups-again  ends"} <= set(said)
    assert "Backups of it all" not in said


def test_a_scribe_that_failed_is_told():
    assert "the scribe gave up" in texts(replace(MERGE, scribe_note="the scribe gave up"), TOLD_BACKUPS)


# Expiries


def test_the_floor_is_the_one_that_the_pass_was_asked_for():
    assert " 15%" in "\n".join(texts(LAMP, TOLD_LAMP))
    higher = "\n".join(texts(replace(LAMP, floor=0.4), TOLD_LAMP))
    assert " 40%" in higher
    assert " 15%" not in higher


def test_an_expiry_tells_its_numbers_with_the_recalls_that_counted():
    near = LAST - 600 * SECOND
    members = {key("lamp"): replace(TOLD_LAMP[key("lamp")], recalls=(LAST - 40 * DAY, near, LAST))}
    said = texts(LAMP, members)
    assert line_with(said, "left").split("left")[1].strip() == "0.0%, recalled 2 times"
    assert line_with(said, "idle").split("idle")[1].strip() == "200 days since 13 Jan 2026 10:00 UTC"
    assert line_with(said, "lasts").split("lasts")[1].strip() == "stability 22.3 days"
    assert any("▴" in line for line in said)


# Undecided


def test_undecided_members_tell_their_claims_or_that_they_have_none():
    said = texts(SLOW, TOLD_SLOW)
    assert [line.split("claims")[1].strip() for line in said if line.startswith("  claims")] == [
        "port=8087",
        "no claim",
    ]


def test_the_claim_that_decides_is_suggested_for_a_member_that_has_none_to_lose():
    assert texts(SLOW, TOLD_SLOW)[-1] == "  memtui update slow --claim Feature/staging::predicate=object"
    only = {key("new-port"): TOLD_SLOW[key("new-port")]}
    said = texts(SLOW, only)
    assert "memtui update new-port" in said[-2]
    assert "replaces what new-port claims" in said[-1]


def test_claims_that_name_no_subject_are_asked_for_one():
    said = texts(replace(SLOW, referent="· port"), TOLD_SLOW)
    assert said[-1] == "  memtui update slow --claim SUBJECT::port=object"


names = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=30)


@given(names, names)
def test_what_is_copied_into_a_shell_stays_text_there(name, referent):
    claim = f"{referent}::predicate=object"
    words = shlex.split(update_command(name, claim))
    assert words[:2] == ["memtui", "update"]
    if name.startswith("-"):
        assert words[2:] == ["--claim", claim, "--", name]
    else:
        assert words[2:] == [name, "--claim", claim]


# Any text, at any width

PIECES = [
    *"ab8 \n\t",
    "漢字",
    "é",
    "e\u0301",
    "👩\u200d👩\u200d👧",
    "🇹🇷",
    "אב",
    "مر",
    "\u202e",
    "\x1b[31m",
    "\u200b",
    "[b]",
]
odd = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
widths = st.integers(36, 110)
instants = st.sampled_from([MIN_INSTANT, MAY, JUNE, JULY, NOW, MAX_INSTANT])


@example("", "aaaaaa \u200b", 9)
@given(odd, odd, st.integers(9, 110))
def test_columns_keep_their_edges_whatever_stands_in_them(left, right, width):
    lines = side_by_side([[StyledLine(left, hang=2)], [StyledLine(right, hang=2)]], width)
    assert all(width_of(line.text) <= width for line in lines)


@given(odd, odd, odd, widths)
def test_beside_each_other_nothing_is_wider_than_the_panel(name, a, b, width):
    one, two = key(f"{name}1"), key(f"{name}2")
    claims = replace(OLD, key=one), replace(NEW, key=two)
    members = {one: told(one.name, a, MAY, JULY), two: told(two.name, b, JUNE)}
    lines = texts(contradicting(*claims), members, width=width)
    bars = {width_of(line) for line in lines if "━" in line}
    assert bars == {width}
    start = next(place for place, line in enumerate(lines) if not line) + 1
    if width >= 76:
        for line in lines[start : lines.index("", start)]:
            assert width_of(line) <= width


@given(
    st.sampled_from(EVERY), st.lists(odd, min_size=2, max_size=2), st.booleans(), widths, instants,
    st.sampled_from([None, Accept(), Accept(keep="nobody"), Reject(), Defer(), Many()]),
)  # fmt: skip
def test_no_member_can_make_it_fail(proposed, said, missing, width, start, decision):
    proposal, members = proposed
    changed = {
        each: replace(
            member,
            record=replace(member.record, content=replace(member.record.content, summary=text, valid_from=start)),
        )
        for (each, member), text in zip(members.items(), said, strict=False)
    }
    if missing:
        changed.popitem()
    lines = lines_of(proposal, changed, decision, width=width)
    for line in lines:
        assert all(0 <= span.start <= span.end <= len(line.text) for span in line.spans)
    assert len(lay_out(lines, width).rows) >= len(lines)


@given(instants, instants, widths)
def test_windows_at_the_ends_of_time_are_drawn(start, other, width):
    claims = replace(OLD, window=Interval(start, None)), replace(NEW, window=Interval(other, None))
    bars = [line for line in texts(contradicting(*claims, relation="equals"), TOLD_PORTS, width=width) if "▸" in line]
    assert all(width_of(bar) == width for bar in bars)
