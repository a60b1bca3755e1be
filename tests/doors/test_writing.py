"""The verbs through the command line: their shapes, their refusals, and what stays as it was."""

from __future__ import annotations

import re

import pytest

WRITTEN = {"outcome", "scope", "kind", "name", "seq", "recorded_at", "note", "near"}


@pytest.fixture
def port(memtui, prepared):
    """A vault that remembers a port."""
    words = (
        "remember", "The staging port is 5433", "--name", "port", "--tag", "ops", "--tag", "db",
        "--area", "Service/db", "--claim", "port=5433", "--source-ref", "commit:abc", "--body", "Told by Ada.",
    )  # fmt: skip
    prepared("port", lambda: memtui(*words))
    return memtui


@pytest.fixture
def untouched(port, prepared):
    """What the vault with the port exports as long as nothing was written."""
    return prepared("port's export", lambda: port("export").out)


def test_every_verb_has_one_shape(port, write):
    write("a.md", "# A\n\ntext\n")
    port("sync")
    outcomes = []
    for words in (
        ("remember", "Tea is at four", "--name", "tea"),
        ("remember", "Tea is at four", "--name", "tea"),
        ("update", "tea", "--tag", "kitchen"),
        ("update", "a", "--append", "more"),
        ("forget", "tea"),
        ("forget", "tea"),
        ("revive", "tea"),
        ("revive", "tea"),
        ("supersede", "tea", "Tea is at five", "--name", "tea5"),
        ("note", "The kettle was replaced"),
        ("delete", "a", "--force"),
    ):
        written = port(*words, "--json").json
        assert set(written) == WRITTEN, words
        assert (written["scope"], written["near"]) == ("workspace", []), words
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", written["recorded_at"])
        outcomes.append(written["outcome"])
    assert outcomes == [
        "remembered", "unchanged", "updated", "updated", "forgotten", "already_forgotten", "revived",
        "already_in_force", "superseded", "remembered", "deleted",
    ]  # fmt: skip


def test_update_corrects_and_keeps_the_rest(port):
    assert port("update", "port", "--summary", "The staging port is 5434", "--json").json["seq"] == 2
    shown = port("show", "port", "--json").json
    assert (shown["summary"], shown["body"], shown["area"]) == (
        "The staging port is 5434",
        "Told by Ada.",
        "Service/db",
    )
    assert (shown["tags"], shown["versions"]) == (["ops", "db"], 2)
    port("update", "port", "--tag", "net", "--no-claims", "--body", "", "--pin", "--confidence", "7")
    shown = port("show", "port", "--json").json
    assert (shown["tags"], shown["claims"], shown["body"]) == (["net"], [], None)
    assert (shown["pinned"], shown["confidence"]) == (True, 7)
    port("update", "port", "--unpin", "--tag", "", "--source-ref", "")
    shown = port("show", "port", "--json").json
    assert (shown["pinned"], shown["tags"], shown["source_refs"]) == (False, [], [])


def test_an_end_that_has_not_come_can_be_taken_away(port):
    port("update", "port", "--valid-to", "2999-01-01")
    assert port("show", "port", "--json").json["valid_to"] == "2999-01-01T00:00:00Z"
    assert port("update", "port", "--valid-to", "open", "--json").json["outcome"] == "updated"
    assert port("show", "port", "--json").json["valid_to"] is None
    port("forget", "port")
    refused = port("update", "port", "--valid-to", "open", "--json")
    assert (refused.status, refused.error["code"]) == (1, "refused")
    assert "`memtui revive port`" in refused.error["hint"]


def test_supersede_takes_over_what_is_not_given(port):
    written = port("supersede", "port", "The staging port is 6000", "--name", "port6", "--tag", "new", "--json").json
    assert (written["outcome"], written["name"]) == ("superseded", "port6")
    new, old = (port("show", name, "--json").json for name in ("port6", "port"))
    assert (new["area"], new["tags"], new["claims"], new["source_refs"]) == (
        "Service/db",
        ["new"],
        [],
        ["commit:abc"],
    )
    assert (old["state"], old["superseded_by"], old["valid_to"]) == ("superseded", "port6", new["valid_from"])
    assert old["recorded_at"] == new["recorded_at"]


def test_supersede_keeps_claims_only_when_asked_and_may_lie_in_the_past(port):
    port("update", "port", "--valid-from", "2024-01-01")
    port(
        "supersede", "port", "The staging port is 6000", "--name", "port6", "--keep-claims", "--at", "2025-01-01",
        "--reason", "the move",
    )  # fmt: skip
    new = port("show", "port6", "--json").json
    assert (new["valid_from"], len(new["claims"])) == ("2025-01-01T00:00:00Z", 1)
    assert port("history", "port6", "--json").json["versions"][0]["reason"] == "the move"
    assert port("list", "--names", "--valid-at", "2024-06-01").out == "port\n"


def test_a_person_reads_which_one_is_the_new_one(port):
    out = port("supersede", "port", "The staging port is 6000", "--name", "port6").out
    assert re.fullmatch(r"superseded by  engram/port6  \(port is true until \d+ \w+ \d{4} \d\d:\d\d UTC\)\n", out)


def test_forget_with_all_its_reasons(port):
    port("remember", "The new port is 6000", "--name", "port6")
    port("update", "port", "--valid-from", "2024-01-01")
    port("forget", "port", "--superseded-by", "port6", "--reason", "the move", "--at", "2025-01-01")
    shown = port("show", "port", "--json").json
    assert (shown["superseded_by"], shown["valid_to"], shown["state"]) == (
        "port6",
        "2025-01-01T00:00:00Z",
        "superseded",
    )
    assert port("history", "port", "--json").json["versions"][-1]["reason"] == "the move"
    assert "superseded by port6" in port("forget", "port").out
    port("revive", "port", "--by", "ada")
    (gap,) = port("show", "port", "--json").json["revivals"]
    assert (gap["valid_to"], gap["superseded_by"], gap["revived_by"]) == ("2025-01-01T00:00:00Z", "port6", "ada")
    assert "revived by ada" in port("show", "port").out


def test_research_and_evidence_carry_what_they_stand_on(port):
    finding = "Ports move once a year | strong | commit:abc, url:https://example.org"
    port("remember", "A year of ports", "--kind", "research", "--name", "year", "--finding", finding)
    shown = port("show", "year", "--json").json
    assert (shown["kind"], shown["findings"]) == (
        "research",
        [
            {
                "text": "Ports move once a year",
                "rating": "strong",
                "source_refs": ["commit:abc", "url:https://example.org"],
            }
        ],
    )
    port(
        "remember", "Seen in the log", "--kind", "evidence", "--name", "log", "--rating", "4",
        "--source-ref", "file:log", "--supports", "port", "--refutes", "year",
    )  # fmt: skip
    shown = port("show", "evidence/log", "--json").json
    assert (shown["rating"], shown["supports"], shown["refutes"]) == ("4", ["port"], ["year"])
    assert port("update", "log", "--rating", "strong", "--refutes", "").status == 0
    shown = port("show", "log", "--json").json
    assert (shown["rating"], shown["refutes"]) == ("strong", [])
    human = port("show", "year").out
    assert "Ports move once a year" in human
    assert "https://example.org" in human


@pytest.mark.parametrize(
    ("text", "target", "strength", "basis"),
    [
        ("tea", "tea", 0.5, None),
        ("tea:0.8", "tea", 0.8, None),
        ("tea:.25:both at four", "tea", 0.25, "both at four"),
        ("tea:1:at 10:30", "tea", 1.0, "at 10:30"),
        ("E:4017:0.5", "E:4017", 0.5, None),
        ("a:b", "a:b", 0.5, None),
    ],
)
def test_links_on_one_line(port, text, target, strength, basis):
    assert port("update", "port", "--link", text).status == 0
    (link,) = port("show", "port", "--json").json["homophonic_links"]
    assert (link["target_name"], link["resonance_score"], link.get("basis")) == (target, strength, basis)


def test_other_fields_of_a_memory(port):
    port(
        "remember", "Nobody expected snow", "--name", "snow", "--affect", "surprise", "--affect-reason",
        "it was the middle of the harvest", "--memory-type", "folklore", "--stability-days", "12.5", "--owner", "bo",
        "--reference-time", "2025-05-01",
    )  # fmt: skip
    shown = port("show", "snow", "--json").json
    assert (shown["affect"], shown["memory_type"], shown["stability_days"]) == ("surprise", "folklore", 12.5)
    assert (shown["owner"], shown["valid_from"]) == ("bo", "2025-05-01T00:00:00Z")
    assert shown["encoding_context"]["affect"] == "surprise"


def test_near_records_are_told_and_never_stand_in_the_way(port):
    text = "The gate at Milas jams whenever it rains for two days"
    port("remember", text, "--name", "gate")
    again = port("remember", text + " straight", "--name", "gate2", "--json")
    assert again.json["outcome"] == "remembered"
    (near,) = again.json["near"]
    assert (near["kind"], near["name"], near["verdict"]) == ("engram", "gate", "MERGE")
    assert re.fullmatch(r"near: engram/gate says nearly the same \(\d\d% of the words\)\n", again.err)
    assert port("remember", text + " straight", "--name", "gate2").err == ""


def test_if_new_refuses_what_is_as_good_as_known(port):
    text = "The gate at Milas jams whenever it rains for two days"
    port("remember", text, "--name", "gate")
    refused = port("remember", text + " straight", "--if-new", "--name", "gate2", "--json")
    assert (refused.status, refused.error["value"]) == (1, "gate")
    assert port("list", "--names", "--types", "engram").out == "gate\nport\n"
    assert port("remember", "Something else entirely", "--if-new").status == 0


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("update", "port"), 2, "nothing to update"),
        (("update", "port", "--claim", "=="), 2, "--claim (number 1)"),
        (("update", "port", "--claim", "a=b", "--no-claims"), 2, "--no-claims"),
        (("update", "port", "--link", "tea:1.5"), 2, "between 0 and 1"),
        (("update", "port", "--link", "tea:7"), 2, "between 0 and 1"),
        (("update", "port", "--content", "x"), 2, "no field --content"),
        (("update", "port", "--rating", "strong"), 2, "no field --rating"),
        (("update", "port", "--confidence", "11"), 2, "faint"),
        (("update", "port", "--summary", "   "), 2, "blank"),
        (("update", "port", "--summary", "x" * 281), 2, "281"),
        (("update", "port", "--valid-from", "2024-13-01"), 2, "--valid-from: '2024-13-01'"),
        (("update", "port", "--valid-to", "2020-01-01"), 2, "--valid-to ("),
        (("update", "nobody", "--tag", "x"), 1, "nobody"),
        (("supersede", "nobody", "x"), 1, "nobody"),
        (("supersede", "port", "The staging port is 5433", "--name", "port"), 1, "exists already"),
        (("supersede", "port", "x", "--at", "2999-01-01"), 2, "future"),
        (("supersede", "port", "x", "--at", "1999-01-01"), 2, "1999"),
        (("remember", "x", "--kind", "knowledge"), 2, "evidence"),
        (("remember", "x", "--kind", "evidence", "--rating", "4"), 2, "source"),
        (("remember", "x", "--kind", "evidence", "--source-ref", "a"), 2, "rating"),
        (("remember", "x", "--kind", "evidence", "--source-ref", "a", "--rating", "grand"), 2, "strong"),
        (("remember", "x", "--kind", "research", "--finding", "no source"), 2, "TEXT | RATING | SOURCE"),
        (("remember", "x", "--finding", "a | b"), 2, "no field --finding\n"),
        (("remember", "x", "--kind", "research", "--link", "port"), 2, "no field --link\n  choices: --title, --body"),
        (("remember", "x", "--kind", "evidence", "--rating", "4"), 2, "--source-ref: evidence needs"),
        (("remember", "x", "--link", ":0.5"), 2, "--link (number 1) names no memory"),
        (("forget", "port", "--at", "yesterdayish"), 2, "--at: 'yesterdayish'"),
        (("remember", "x", "--name", ".."), 2, "'..'"),
        (("remember", "x", "--name", "a\nb"), 2, "control character"),
        (("remember", "x", "--affect", "regret", "--affect-reason", "too short"), 2, "20"),
        (("remember", "x", "--stability-days", "nan"), 2, "--stability-days"),
        (("remember", "another", "--name", "port"), 1, "`memtui update port"),
        (("revive", "nobody"), 1, "nobody"),
        (("forget", "port", "--superseded-by", "port"), 1, "port"),
        (("forget", "port", "--at", "2999-01-01"), 2, "`memtui update port --valid-to"),
        (("supersede", "port", "x", "--at", "2999-01-01"), 2, "`memtui update port --valid-to"),
        (("supersede", "port", "x", "--at", "2020-01-01"), 2, "`memtui update port --valid-from"),
    ],
)  # fmt: skip
def test_refusals(port, untouched, words, status, told):
    refused = port(*words)
    assert (refused.status, refused.out) == (status, "")
    assert told in refused.err
    assert "Traceback" not in refused.err
    assert port("export").out == untouched


@pytest.mark.parametrize(
    ("begins", "why"), [("2020-01-01", "it is in force already"), ("2999-01-01", "its time comes at 1 Jan 2999")]
)
def test_where_nothing_has_ended_there_is_nothing_to_revive(port, begins, why):
    port("remember", "The new port is 6000", "--name", "port6", "--valid-from", begins)
    assert port("revive", "port6").out == f"nothing to revive  engram/port6  ({why})\n"
    assert port("revive", "port6", "--json").json["outcome"] == "already_in_force"


def test_documents_answer_with_the_ways_there_are(port, write):
    write("knowledge/db.md", "# Database\n\nIt runs.\n")
    port("sync")
    for words, way in (
        (("forget", "db"), "`memtui delete db --force`"),
        (("revive", "db"), "put knowledge/db.md back"),
        (("supersede", "db", "new text"), "into knowledge/db.md"),
    ):
        refused = port(*words, "--json")
        assert refused.status == 1
        assert way in refused.error["hint"], words
    assert port("show", "db", "--json").json["state"] == "in_force"


@pytest.mark.parametrize(
    "words",
    [
        ("remember", "x"),
        ("update", "port", "--tag", "x"),
        ("supersede", "port", "x"),
        ("forget", "port"),
        ("revive", "port"),
        ("note", "x"),
        ("delete", "port"),
        ("import", "items.jsonl"),
        ("sync",),
    ],
)
def test_read_only_refuses_every_write(port, untouched, write, words):
    write("items.jsonl", '{"kind": "engram", "summary": "x"}\n')
    refused = port("--read-only", *words, "--json")
    assert (refused.status, refused.error["code"]) == (1, "refused")
    assert "read-only" in refused.error["message"]
    assert port("export").out == untouched


def test_texts_come_from_standard_input(memtui):
    assert memtui("remember", "-", "--name", "in", stdin="From a pipe\n").status == 0
    assert memtui("update", "in", "--body", "-", stdin="line one\nline two\n").status == 0
    shown = memtui("show", "in", "--json").json
    assert (shown["summary"], shown["body"]) == ("From a pipe", "line one\nline two")
    assert memtui("supersede", "in", "-", "--name", "new", stdin="Another pipe").status == 0
    both = memtui("update", "new", "--body", "-", "--summary", "-", stdin="x")
    assert (both.status, "only one of" in both.err) == (2, True)
    assert memtui("remember", "-", stdin=b"\xff").status == 2


def test_hostile_text_is_kept_whole_and_shown_harmless(memtui):
    summary = "wide 日本語 🫒 \x1b[31mred\x1b[0m \u202egnp"
    name = "naïve 名前 \u202ex"
    assert memtui("remember", summary, "--name", name, "--body", "tab\tnul-free\x07").status == 0
    shown = memtui("show", name, "--json").json
    assert (shown["name"], shown["summary"], shown["body"]) == (name, summary, "tab\tnul-free\x07")
    memtui("update", name, "--body", "x\x1b]0;title\x07" * 30)
    for words in (
        ("show", name),
        ("history", name),
        ("history", name, "--plain"),
        ("history", "--search", "red"),
        ("history", "--search", "red", "--plain"),
        ("diff", "--from", "2020-01-01", "--to", shown["recorded_at"]),
        ("diff", "--from", "2020-01-01", "--to", shown["recorded_at"], "--plain"),
        ("forget", name),
        ("revive", name),
        ("supersede", name, "\x1b[2Jgone"),
        ("forget", name + "\x1b[2J"),
    ):
        answer = memtui(*words)
        for sign in ("\x1b", "\x07", "\u202e"):
            assert sign not in answer.out + answer.err, words


def test_help_tells_how_what_is_not_named_is_called(memtui):
    def told(command):
        return " ".join(memtui(command, "--help").out.split())

    for command in ("remember", "supersede"):
        assert "`rem-` and ten digits that its text gives" in told(command)
    assert "twelve digits that its date, scope and text give" in told("note")
    remembered = memtui("remember", "The mill presses olives", "--json").json["name"]
    replaced = memtui("supersede", remembered, "The mill presses grapes", "--json").json["name"]
    for name in (remembered, replaced):
        assert re.fullmatch("rem-[0-9a-f]{10}", name)
    assert re.fullmatch("[0-9a-f]{12}", memtui("note", "The scale was calibrated", "--json").json["name"])


def test_what_came_back_is_not_told_as_if_it_were_still_gone(port):
    port("forget", "port")
    out = port("revive", "port").out
    when = r"\d+ \w+ \d{4} \d\d:\d\d(:\d\d)? UTC"
    assert re.fullmatch(rf"revived  engram/port  \(it was out of force from {when} until now\)\n", out), out
    port("remember", "The next port is 6000", "--name", "port6", "--valid-from", "2999-01-01")
    port("forget", "port6")
    assert port("revive", "port6").out == "revived  engram/port6  (its time comes at 1 Jan 2999)\n"
