"""What was believed before, through the command line: history, past texts, the belief diff, both clocks everywhere."""

from __future__ import annotations

import re

import pytest


@pytest.fixture
def story(memtui, prepared):
    """A port that was believed to be 5433, then 5434, then replaced; the moments of these as (memtui, stamps)."""
    return memtui, prepared("story", lambda: tell(memtui))


def tell(memtui):
    return [
        memtui(*words, "--json").json["recorded_at"]
        for words in (
            ("remember", "The staging port is 5433", "--name", "port", "--valid-from", "2024-01-01"),
            ("--actor", "bo", "update", "port", "--summary", "The staging port is 5434", "--tag", "ops"),
            ("supersede", "port", "The harbour is number 6000", "--name", "port6", "--at", "2025-01-01"),
            ("remember", "Tea is at four", "--name", "tea"),
            ("forget", "tea", "--reason", "coffee"),
            ("revive", "tea"),
        )
    ]


def test_history_tells_each_version_and_what_it_changed(story):
    memtui, stamps = story
    told = memtui("history", "port", "--json").json
    assert (told["kind"], told["name"]) == ("engram", "port")
    first, second, third = told["versions"]
    assert set(first) == {"seq", "recorded_at", "operation", "actor", "reason", "valid_from", "valid_to", "diff"}
    assert [v["operation"] for v in told["versions"]] == ["remember", "update", "supersede"]
    assert [v["recorded_at"] for v in told["versions"]] == stamps[:3]
    assert (first["actor"], second["actor"]) == ("tester", "bo")
    assert first["diff"]["summary"] == {"from": None, "to": "The staging port is 5433"}
    assert second["diff"] == {
        "summary": {"from": "The staging port is 5433", "to": "The staging port is 5434"},
        "tags": {"from": None, "to": ["ops"]},
    }
    assert third["diff"] == {
        "valid_to": {"from": None, "to": "2025-01-01T00:00:00Z"},
        "superseded_by": {"from": None, "to": "port6"},
    }
    assert (third["valid_from"], third["valid_to"]) == ("2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z")


def test_history_for_a_person(story):
    memtui, stamps = story
    human = memtui("history", "port").out
    assert "summary: The staging port is 5433 → The staging port is 5434" in human
    assert re.search(r"^ +2 update +\d+ \w+ \d{4} \d\d:\d\d UTC  by bo$", human, re.M)
    assert "valid_to: 1 Jan 2025" in human
    rows = memtui("history", "port", "--plain").rows
    assert [row[:4] for row in rows][1] == ["2", stamps[1], "update", "bo"]
    assert rows[1][5] == "summary,tags"
    assert memtui("history", "tea", "--plain").rows[1][4] == "coffee"


def test_history_compares_two_versions(story):
    memtui, _ = story
    told = memtui("history", "port", "--diff", "1..4", "--json").json
    assert [v["seq"] for v in told["versions"]] == [1, 4]
    assert told["diff"]["summary"] == {"from": "The staging port is 5433", "to": "The staging port is 5434"}
    assert set(told["diff"]) == {"summary", "tags", "valid_to", "superseded_by"}
    assert memtui("history", "port", "--diff", "..", "--json").json == told
    back = memtui("history", "port", "--diff", "4..1", "--json").json["diff"]
    assert back["summary"] == {"from": "The staging port is 5434", "to": "The staging port is 5433"}
    assert memtui("history", "port", "--diff", "2..2", "--json").json["diff"] == {}
    assert "Nothing differs" in memtui("history", "port", "--diff", "2..2").out
    assert (
        "summary: The staging port is 5433 → The staging port is 5434"
        in memtui("history", "port", "--diff", "1..2").out
    )


def test_long_texts_are_compared_by_lines(memtui):
    rows = [f"row {number} of the plan" for number in range(40)]
    memtui("remember", "A plan", "--name", "plan", "--body", "\n".join(rows))
    rows[20] = "another row"
    memtui("update", "plan", "--body", "\n".join(rows))
    human = memtui("history", "plan").out
    assert "- row 20 of the plan\n" in human
    assert "+ another row\n" in human
    assert "row 19" not in human


def test_claims_are_shown_as_they_are_written(memtui):
    memtui("remember", "The port", "--name", "port", "--claim", "Service/db::port=!5433")
    memtui("update", "port", "--claim", "Service/db::port+=5434")
    assert "claims: Service/db::port=!5433 → Service/db::port+=5434" in memtui("history", "port").out


def test_texts_that_were_ever_believed(story):
    memtui, stamps = story
    told = memtui("history", "--search", "staging port", "--json").json
    assert told["query"] == "staging port"
    known = {(v["seq"], v["text"]): (v["known_from"], v["known_to"]) for v in told["versions"]}
    assert known[(1, "The staging port is 5433")] == (stamps[0], stamps[1])
    assert known[(2, "The staging port is 5434")] == (stamps[1], None)
    assert {v["name"] for v in told["versions"]} == {"port"}
    human = memtui("history", "--search", "5433").out
    assert re.search(r"^engram/port  version 1, from .* until ", human, re.M)
    assert "│ The staging port is 5433" in human
    assert memtui("history", "--search", "5434", "--plain").rows[0][0] == "engram/port"
    assert memtui("history", "--search", "zebra").out == "No text that was ever believed matches 'zebra'.\n"
    earlier = memtui("history", "--search", "staging", "--as-of", stamps[0], "--json").json["versions"]
    assert [v["text"] for v in earlier] == ["The staging port is 5433"]
    assert len(memtui("history", "--search", "staging", "-k", "1", "--json").json["versions"]) == 1


def test_the_belief_diff(story):
    memtui, stamps = story
    told = memtui("diff", "--from", stamps[0], "--to", stamps[2], "--json").json
    assert set(told) == {"from", "to", "learned", "forgotten", "changed", "revived", "began"}
    assert (told["from"], told["to"]) == (stamps[0], stamps[2])
    assert [r["name"] for r in told["learned"]] == ["port6"]
    assert [r["name"] for r in told["forgotten"]] == ["port"]
    assert [(c["name"], c["diff"]["summary"]["to"]) for c in told["changed"]] == [("port", "The staging port is 5434")]
    assert [r["name"] for r in memtui("diff", "--from", stamps[4], "--to", stamps[5], "--json").json["revived"]] == [
        "tea"
    ]
    rows = memtui("diff", "--from", stamps[0], "--to", stamps[2], "--plain").rows
    assert ["learned", "engram/port6", "The harbour is number 6000"] in rows
    human = memtui("diff", "--from", stamps[0], "--to", stamps[2]).out
    assert "learned (1)" in human
    assert "no longer in force (1)" in human
    assert "Nothing changed." in memtui("diff", "--from", stamps[1], "--to", stamps[1]).out
    in_2024 = memtui("diff", "--from", stamps[1], "--to", stamps[2], "--valid-at", "2024-06-01", "--json").json
    assert in_2024["forgotten"] == []


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("history",), 2, "NAME"),
        (("history", "port", "--search", "x"), 2, "either"),
        (("history", "--search", "x", "--diff", "1..2"), 2, "--diff"),
        (("history", "port", "--diff", "1-2"), 2, "A..B"),
        (("history", "port", "--diff", "1..3"), 1, "no version 3"),
        (("history", "port", "--diff", "0..1"), 1, "no version 0"),
        (("history", "por"), 1, "port"),
        (("diff", "--from", "2025-01-01"), 2, "--to"),
        (("diff", "--from", "2025-01-02", "--to", "2025-01-01"), 2, "before the earlier"),
        (("diff", "--from", "2025-01-01", "--to", "2999-01-01"), 2, "future"),
        (("diff", "--from", "yesterdayish", "--to", "2025-01-01"), 2, "yesterdayish"),
    ],
)
def test_refusals(story, words, status, told):
    memtui, _ = story
    refused = memtui(*words)
    assert (refused.status, refused.out) == (status, "")
    assert told in refused.err
    assert "unexpected" not in refused.err


def test_unknown_versions_are_told_with_those_there_are(story):
    memtui, _ = story
    assert memtui("history", "port", "--diff", "1..9", "--json").error["choices"] == ["1", "2", "4"]


NAMES = {
    "recall": lambda answer: {hit["name"] for hit in answer["hits"]},
    "search": lambda answer: {hit["name"] for hit in answer["hits"]},
    "list": lambda answer: {record["name"] for record in answer["records"]},
    "history": lambda answer: {version["operation"] for version in answer["versions"]},
    "show": lambda answer: {answer["summary"], answer["state"]},
    "status": lambda answer: {answer["records"]},
}


@pytest.mark.parametrize(
    ("words", "now", "then", "in_2024", "then_in_2024"),
    [
        (("recall", "number 6000 staging"), {"port6"}, {"port"}, {"port"}, {"port"}),
        (("search", "number 6000 staging"), {"port6"}, {"port"}, {"port"}, {"port"}),
        (("list",), {"port6", "tea"}, {"port"}, {"port"}, {"port"}),
        (("status",), {2}, {1}, {1}, {1}),
        (
            ("show", "port"),
            {"The staging port is 5434", "superseded"},
            {"The staging port is 5433", "in_force"},
            {"The staging port is 5434", "in_force"},
            {"The staging port is 5433", "in_force"},
        ),
        (
            ("history", "port"),
            {"remember", "update", "supersede"},
            {"remember"},
            {"remember", "update", "supersede"},
            {"remember"},
        ),
    ],
)
def test_every_read_asks_on_both_clocks(story, words, now, then, in_2024, then_in_2024):
    memtui, stamps = story
    names = NAMES[words[0]]
    first = ("--as-of", stamps[0])
    june = ("--valid-at", "2024-06-01")
    assert names(memtui(*words, "--json").json) == now
    assert names(memtui(*words, *first, "--json").json) == then
    assert names(memtui(*words, *june, "--json").json) == in_2024
    assert names(memtui(*words, *first, *june, "--json").json) == then_in_2024
    assert names(memtui("--json", *words, "--valid-at", "2023-01-01", *first).json).isdisjoint({"port", "remember", 1})
    for clock in ("--as-of", "--valid-at"):
        for odd in ("2024-02-30", "yesterdayish", "2024-13-01", "", "12"):
            refused = memtui(*words, clock, odd, "--json")
            assert (refused.status, refused.out, refused.error["value"]) == (2, "", odd)
    assert memtui(*words, "--as-of", "2999-01-01").status == 2


def test_a_date_without_a_zone_is_the_readers(memtui, monkeypatch):
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Tokyo")
    memtui("remember", "a", "--name", "a", "--valid-from", "2026-03-01", "--valid-to", "2026-03-02T12:00")
    shown = memtui("show", "a", "--json").json
    assert (shown["valid_from"], shown["valid_to"]) == ("2026-02-28T15:00:00Z", "2026-03-02T03:00:00Z")
    assert memtui("list", "--names", "--valid-at", "2026-02-28T15:30:00Z").out == "a\n"
    assert memtui("list", "--names", "--valid-at", "2026-03-02T12:00").out == ""
    monkeypatch.setenv("MEMTUI_TZ", "Europe/Berlin")
    memtui("remember", "b", "--name", "b", "--valid-from", "2026-03-29T02:30")
    assert memtui("show", "b", "--json").json["valid_from"] == "2026-03-29T01:30:00Z"


def test_silence_about_the_past_is_explained(memtui, write):
    write("a.md", "# Kettle\n\nIt is red.\n")
    memtui("sync")
    stamp = memtui("remember", "The kettle sings", "--name", "k", "--json").json["recorded_at"]
    found = memtui("recall", "kettle", "--as-of", "2020-01-01", "--json").json
    assert (found["hits"], found["as_of_truncated"], found["truncated_total"]) == (
        [],
        [{"kind": "note", "name": "a"}],
        1,
    )
    assert "nothing had been recorded yet" in found["reason"]
    human = memtui("recall", "kettle", "--as-of", "2020-01-01").out
    assert "blind spot: 1 record first seen later may have been there already (note/a)" in human
    assert re.search(r"nothing had been recorded yet: the first version is of \d+ \w+ \d{4} \d\d:\d\d UTC", human)
    plain = memtui("recall", "kettle", "--as-of", "2020-01-01", "--plain")
    assert plain.out == ""
    assert "blind spot" in plain.err
    assert "nothing had been recorded yet" in memtui("list", "--as-of", "2020-01-01").out
    assert "blind spot: 1 record" in memtui("status", "--as-of", "2020-01-01").out
    assert "blind spot" not in memtui("recall", "kettle", "--as-of", stamp).out


def test_a_read_of_the_past_changes_nothing(story):
    memtui, stamps = story
    before = memtui("export").out
    memtui("recall", "port", "--as-of", stamps[1])
    memtui("recall", "port", "--valid-at", "2024-06-01")
    memtui("search", "port")
    memtui("history", "--search", "port")
    memtui("diff", "--from", stamps[0], "--to", stamps[1])
    memtui("show", "port")
    assert memtui("export").out == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("diff", "--from", "2020-01-01", "--to", "2999-01-01"), "--to 1 Jan 2999 lies in the future"),
        (("diff", "--from", "2999-01-01", "--to", "2999-01-02"), "--from 1 Jan 2999 lies in the future"),
        (("diff", "--from", "2020-01-02", "--to", "2020-01-01"), "--to: the later moment (1 Jan 2020) lies before"),
        (("diff", "--from", "May", "--to", "2020-01-01"), "--from: 'May' cannot be read as a date"),
        (("diff", "--from", "2020-01-01", "--to", "2020-01-02", "--valid-at", "soon"), "--valid-at: 'soon'"),
        (("recall", "port", "--as-of", "2999-01-01"), "--as-of 1 Jan 2999 lies in the future"),
        (("recall", "port", "--now", "soon"), "--now: 'soon'"),
        (("list", "--as-of", "2999-01-01"), "ask what will be true with --valid-at"),
        (("show", "port", "--valid-at", "2024-13-01"), "--valid-at: '2024-13-01'"),
        (("export", "--as-of", "2999-01-01"), "--valid-at"),
    ],
)
def test_a_refused_moment_is_told_by_its_option(memtui, monkeypatch, words, told):
    monkeypatch.setenv("MEMTUI_TZ", "UTC")
    refused = memtui(*words)
    assert (refused.status, refused.out) == (2, "")
    assert told in refused.err
    assert "as_of" not in refused.err
    assert "valid_at" not in refused.err
