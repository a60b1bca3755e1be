"""The commands consolidate and review."""

from __future__ import annotations

import pytest


@pytest.fixture
def ports(memtui):
    memtui(
        "remember", "Staging listens on 8080", "--name", "old-port", "--area", "Feature/staging", "--claim", "port=8080"
    )
    memtui(
        "remember", "Staging listens on 8087", "--name", "new-port", "--area", "Feature/staging", "--claim", "port=8087"
    )
    memtui("remember", "Backups of the ledger run every night", "--name", "backups")
    memtui("remember", "Backups of the ledger run every single night", "--name", "backups-again")
    return memtui


def plan(door, *words):
    return door("consolidate", "--json", *words).json


def test_the_plan_has_its_shape(ports):
    told = plan(ports)
    assert list(told) == [
        "as_of",
        "valid_at",
        "scope",
        "expiries",
        "merges",
        "contradictions",
        "undecided",
        "suppressed",
        "notes",
    ]
    (found,) = told["contradictions"]
    assert found["names"] == ["new-port", "old-port"]
    assert (found["suggested_keep"], found["suggested_supersede"]) == ("new-port", ["old-port"])
    assert (found["basis"], found["decided_by"], found["recorded_at_approximate"]) == ("recorded_at", "rule", [])
    (pair,) = found["pairs"]
    assert (pair["kind"], pair["relation"]) == ("object", "finishes")
    (merge,) = told["merges"]
    assert merge["terms"] == ["backups", "every", "ledger", "night", "run"]
    assert len(found["id"]) == 10


def test_a_person_sees_what_is_proposed_and_how_to_decide(ports):
    told = ports("consolidate").out
    assert "1 contradiction\n" in told
    assert "keep new-port: port=8087" in told
    assert "1 merge\n" in told
    assert "memtui consolidate --accept ID" in told
    plain = ports("consolidate", "--plain").out.splitlines()
    assert [line.split("\t")[0] for line in plain] == ["contradiction", "merge"]
    assert plain[0].split("\t")[2:4] == ["new-port,old-port", "Feature/staging · port"]


def test_an_empty_vault_has_nothing_to_consolidate(memtui):
    assert memtui("consolidate").out == "There is nothing to consolidate.\n"
    assert memtui("review", "log").out.startswith("Nothing was decided yet.")
    refused = memtui("review", "undo")
    assert (refused.status, "no review to take back" in refused.err) == (1, True)


def test_decisions_are_carried_out_logged_and_taken_back(ports):
    told = plan(ports)
    conflict, merge = told["contradictions"][0]["id"], told["merges"][0]["id"]
    done = plan(ports, "--accept", conflict, "--reject", merge)
    assert {(d["id"], d["decision"]) for d in done["applied"]} == {(conflict, "accept"), (merge, "reject")}
    assert done["refused"] == []
    later = plan(ports)
    assert (later["contradictions"], later["merges"]) == ([], [])
    assert [s["id"] for s in later["suppressed"]] == [merge]
    (review,) = ports("review", "log", "--json").json["reviews"]
    assert (review["id"], review["actor"], review["undone_by"]) == ("r1", "tester", None)
    assert [d["effect"] for d in review["decisions"] if d["id"] == conflict] == [
        "new-port stays; old-port superseded by it"
    ]
    undone = ports("review", "undo", "--json").json
    assert ([r["name"] for r in undone["restored"]], undone["undoes"]) == (["old-port"], "r1")
    assert plan(ports)["contradictions"][0]["id"] == conflict
    assert "taken back by r2" in ports("review", "log").out


def test_another_survivor_at_its_own_beginning(ports):
    ports("update", "old-port", "--valid-from", "2020-01-01")
    conflict = plan(ports)["contradictions"][0]["id"]
    done = plan(ports, "--keep", f"{conflict}=old-port", "--at-survivor", conflict)
    assert done["applied"][0]["effect"].startswith("old-port stays; new-port superseded by it since 2020-01-01")
    assert ports("show", "new-port", "--json").json["state"] == "superseded"


def test_only_the_ids_that_are_named_are_touched(ports):
    plan(ports, "--accept", plan(ports)["merges"][0]["id"])
    assert len(plan(ports)["contradictions"]) == 1


def test_an_id_that_is_not_open_is_refused_and_the_others_go_on(ports):
    conflict = plan(ports)["contradictions"][0]["id"]
    answer = ports("consolidate", "--accept", f"{conflict},0123456789")
    assert answer.status == 1
    assert f"accept  {conflict}" in answer.out
    assert "refused 0123456789" in answer.out
    again = ports("consolidate", "--accept", conflict)
    assert again.status == 1
    assert "tester accepted it at" in again.out
    assert "Nothing was changed." in again.out


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("--keep", "0123456789"), "--keep"),
        (("--dry-run", "--accept", "x"), "--dry-run"),
        (("--floor", "2"), "floor"),
        (("--min-idle", "-1"), "min_idle"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(ports, words, field):
    refused = ports("consolidate", "--json", *words)
    assert (refused.status, refused.error["field"]) == (2, field)


def test_one_proposal_is_decided_in_one_way(ports):
    refused = ports("consolidate", "--accept", "x", "--reject", "x")
    assert refused.status == 2
    assert "decided in two ways" in refused.err


def test_letting_go_asks_or_needs_a_word(memtui):
    memtui("remember", "A thing once said", "--name", "faded", "--stability-days", "1")
    asked = ("consolidate", "--min-idle", "0", "--floor", "1")
    assert [e["name"] for e in memtui(*asked, "--json", "--now", "2099-01-01").json["expiries"]] == ["faded"]
    refused = memtui(*asked, "--apply")
    assert refused.status == 1
    assert "--yes" in refused.err
    assert memtui("show", "faded", "--json").json["state"] == "in_force"
    done = memtui(*asked, "--apply", "--yes", "--json").json
    assert [d["effect"] for d in done["applied"]] == ["faded is let go"]
    assert memtui("show", "faded", "--json").json["state"] == "forgotten"
    assert memtui("consolidate", "--apply", "--yes").out == "There is nothing to let go.\n"


def test_all_tells_what_stays_and_why(memtui):
    memtui("remember", "Always weigh twice", "--name", "weigh")
    told = memtui("consolidate", "--all")
    assert "staying: 1 engram" in told.out
    assert "retention 1.00 is not below 0.15" in told.out
    assert memtui("consolidate", "--json").json["expiries"] == []


def test_personal_memories_are_reviewed_by_themselves(memtui, monkeypatch):
    monkeypatch.setenv("MEMTUI_PERSONAL_ID", "ada@example.org")
    for port in ("1", "2"):
        words = ("remember", f"My port is {port}", "--name", f"port-{port}", "--area", "Feature/x")
        memtui("--personal", *words, "--claim", f"port={port}")
    assert plan(memtui)["contradictions"] == []
    (found,) = plan(memtui, "--personal")["contradictions"]
    done = plan(memtui, "--personal", "--accept", found["id"])
    assert done["scope"] == "personal:ada@example.org"
    assert len(done["applied"]) == 1
    assert memtui("review", "log", "--json").json["reviews"] == []
    assert "memtui --personal review undo r1" in memtui("--personal", "consolidate", "--reject", found["id"]).out


def test_changed_files_are_read_before_anything_is_proposed(memtui, write):
    note = "---\nsummary: Staging listens on {0}\narea: Feature/staging\nclaims:\n  - port={0}\n---\n".format
    write("engrams/one.md", note(1))
    memtui("sync")
    write("engrams/two.md", note(2))
    (found,) = plan(memtui)["contradictions"]
    assert found["names"] == ["one", "two"]
    for number in range(60):
        write(f"engrams/more-{number}.md", note(1))
    told = plan(memtui)
    assert told["notes"][0].startswith("60 files are newer than their last sync")
    assert told["contradictions"] == [found]


def test_an_option_without_an_id_is_a_mistake_and_lets_nothing_go(memtui):
    memtui("remember", "A thing once said", "--name", "faded")
    everything = ("consolidate", "--apply", "--yes", "--floor", "1", "--min-idle", "0")
    for option in ("--accept", "--reject", "--defer", "--many", "--at-survivor"):
        for ids in ("", " ", ",", "0123456789,"):
            done = memtui(*everything, option, ids)
            assert done.status == 2
            assert f"{option} names no proposal" in done.err
    assert memtui("show", "faded", "--json").json["state"] == "in_force"
    assert memtui(*everything).status == 0
    assert memtui("show", "faded", "--json").json["state"] == "forgotten"


def test_two_survivors_of_one_proposal_are_a_mistake(memtui):
    done = memtui("consolidate", "--keep", "0123456789=a", "--keep", "0123456789=b")
    assert done.status == 2
    assert "--keep says two things of 0123456789: a and b" in done.err


def test_a_new_text_stands_for_all(ports):
    (found,) = plan(ports)["merges"]
    done = ports("consolidate", "--json", "--text", f"{found['id']}=The ledger is backed up = saved at night").json
    (applied,) = done["applied"]
    name = applied["effect"].partition(" says it for all")[0]
    assert ports("show", name, "--json").json["summary"] == "The ledger is backed up = saved at night"
    assert ports("show", "backups", "--json").json["superseded_by"] == name
    for wrong in ("0123456789", "0123456789=", "=text"):
        assert ports("consolidate", "--text", wrong).status == 2
    too_long = ports("consolidate", "--text", f"{found['id']}={'x' * 300}")
    assert too_long.status == 1


def test_a_review_of_which_nothing_is_as_it_left_it_is_not_taken_back(ports):
    (found,) = plan(ports)["contradictions"]
    ports("consolidate", "--accept", found["id"])
    ports("update", "old-port", "--tag", "late")
    done = ports("review", "undo")
    assert done.status == 1
    assert "r1 cannot be taken back: old-port stays as it is:" in done.err
    assert "memtui revive old-port" in done.err
    assert ports("review", "log", "--json").json["reviews"][0]["undone_by"] is None
    assert ports("revive", "old-port").status == 0


def test_ids_and_survivors_are_taken_as_people_write_them(ports):
    (found,) = plan(ports)["contradictions"]
    done = ports("consolidate", "--keep", f"{found['id'].upper()}=engram/old-port")
    assert done.status == 0
    assert ports("show", "old-port", "--json").json["state"] == "in_force"
    ports("review", "undo")
    assert "no proposal of this id is open" in ports("consolidate", "--accept", "ffffffffff").out
    assert "no proposal of this id is open" in ports("consolidate", "--accept", found["id"][:3]).out
    assert f"accept  {found['id']}" in ports("consolidate", "--accept", found["id"][:6]).out


def test_what_was_not_compared_is_told_with_the_decisions_too(memtui, write):
    note = "---\nsummary: Staging listens on {0}\narea: Feature/staging\nclaims:\n  - port={0}\n---\n".format
    for name, port in (("one", 1), ("two", 2)):
        write(f"engrams/{name}.md", note(port))
    memtui("sync")
    (found,) = plan(memtui)["contradictions"]
    for number in range(60):
        write(f"notes/more-{number}.md", "# A note\n")
    assert "60 files are newer than their last sync" in memtui("consolidate", "--reject", found["id"]).out


def test_an_id_and_its_beginning_are_one_proposal(ports):
    (found,) = plan(ports)["merges"]
    done = ports("consolidate", "--accept", found["id"][:5], "--reject", found["id"])
    assert done.status == 2
    assert f"{found['id']} is decided in two ways" in done.err
    assert ports("show", "backups", "--json").json["state"] == "in_force"
    assert (
        len(ports("consolidate", "--json", "--accept", found["id"][:5], "--accept", found["id"]).json["applied"]) == 1
    )
