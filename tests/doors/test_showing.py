"""What a person and a program are shown: states, authors' own fields, times, columns."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys

import pytest

from memtui.doors.cli.main import _COMMANDS, run


@pytest.fixture
def cli(capsys, vault, monkeypatch):
    monkeypatch.chdir(vault)

    def call(*arguments):
        status = run(list(arguments))
        out, err = capsys.readouterr()
        assert status == 0, err
        return out

    call("init")
    return call


@pytest.mark.parametrize("command", ["recall", "search"])
def test_every_form_says_what_is_not_in_force(cli, command):
    cli("remember", "the old port is 1", "--name", "old")
    cli("remember", "the new port is 2", "--name", "new")
    cli("remember", "the lost port is 3", "--name", "lost")
    cli("remember", "the next port is 4", "--name", "next", "--valid-from", "2999-01-01")
    cli("forget", "old", "--superseded-by", "new")
    cli("forget", "lost")
    states = {"old": "superseded", "lost": "forgotten", "next": "not_yet", "new": "in_force"}
    found = json.loads(cli(command, "port", "--all", "--json"))
    assert {hit["name"]: hit["state"] for hit in found["hits"]} == states
    rows = [row.split("\t") for row in cli(command, "port", "--all", "--plain").splitlines()]
    shown = {row[0].removeprefix("engram/"): row[3] if len(row) > 3 else "in_force" for row in rows}
    assert shown == states
    human = cli(command, "port", "--all")
    for title, note in (("old", "superseded"), ("lost", "forgotten"), ("next", "not yet true")):
        assert re.search(rf"the {title} port is \d \({note}\)$", human, re.M)
    assert re.search(r"the new port is 2$", human, re.M)
    assert [hit["name"] for hit in json.loads(cli(command, "port", "--json"))["hits"]] == ["new"]
    assert "3 more no longer or not yet in force" in cli(command, "port")


def test_the_programs_help_lists_every_command_and_how_to_complete(cli):
    text = cli("--help")
    for name in _COMMANDS:
        assert re.search(rf"^  {name} +[A-Z]", text, re.M), name
    assert 'eval "$(_MEMTUI_COMPLETE=bash_source memtui)"' in text


@pytest.mark.parametrize("command", [[], *([name] for name in _COMMANDS)])
def test_help_fits_eighty_columns_and_its_examples_stay_whole(cli, command):
    text = cli(*command, "--help")
    assert max(map(len, text.splitlines())) <= 80
    for example in re.findall(r"Example: .*", text):
        assert example.count('"') % 2 == 0


def test_authors_own_fields_are_given_as_they_are(cli, write):
    write(
        "engrams/odd.md",
        "---\nsummary: an odd one\nmeta:\n  valid_from: 999999999999999999\n  list: [{revived_at: 5, ok: true}]\n"
        "  ratio: .nan\nborn_at: 7\n---\n",
    )
    cli("sync")
    shown = json.loads(cli("show", "odd", "--json"), parse_constant=pytest.fail)
    assert shown["extra"]["meta"]["valid_from"] == 999999999999999999
    assert shown["extra"]["meta"]["list"] == [{"revived_at": 5, "ok": True}]
    assert shown["extra"]["meta"]["ratio"] == ".nan"
    assert shown["extra"]["born_at"] == 7
    cli("show", "odd")


def test_a_person_reads_the_readers_clock_and_a_program_utc(cli, monkeypatch):
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Tokyo")
    cli("remember", "a", "--name", "a", "--valid-from", "2026-03-01T09:30:00Z")
    assert "since 1 Mar 2026 18:30 JST" in cli("show", "a")
    assert json.loads(cli("show", "a", "--json"))["valid_from"] == "2026-03-01T09:30:00Z"
    assert re.search(r"true until \d+ \w+ \d{4} \d\d:\d\d JST", cli("forget", "a", "--at", "2026-04-01T01:00:00Z"))
    assert "until 1 Apr 2026 10:00 JST" in cli("show", "a")
    cli("sync")
    assert re.search(r"last sync \d+ \w+ \d{4} \d\d:\d\d JST · no file changed", cli("status"))


@pytest.mark.parametrize(
    ("begin", "end", "since", "until"),
    [
        ("09:30:05", "09:31:00", "09:30", "09:31"),
        ("09:30:05", "09:30:45", "09:30:05", "09:30:45"),
        ("09:30:05.25", "09:30:05.5", "09:30:05.250000", "09:30:05.500000"),
    ],
)
def test_two_ends_are_told_as_precisely_as_it_takes_to_tell_them_apart(cli, begin, end, since, until):
    cli("remember", "a", "--name", "a", "--valid-from", f"2026-03-01T{begin}Z", "--valid-to", f"2026-03-01T{end}Z")
    assert f"since 1 Mar 2026 {since} UTC until 1 Mar 2026 {until} UTC\n" in cli("show", "a")


def test_what_changed_within_a_minute_is_told_with_its_seconds(cli):
    cli("remember", "the kettle", "--name", "a", "--valid-from", "2026-03-01T09:30:05Z")
    cli("update", "a", "--valid-from", "2026-03-01T09:30:45Z")
    assert "valid_from: 1 Mar 2026 09:30:05 UTC → 1 Mar 2026 09:30:45 UTC" in cli("history", "a")
    gap = r"(\S.* UTC) until (\S.* UTC), revived by"
    cli("forget", "a")
    cli("revive", "a")
    cli("update", "a", "--summary", "the teapot")
    since, until = re.search(gap, cli("show", "a")).groups()
    assert since != until
    since, until = re.search(r"from (.*) until (.*)$", cli("history", "--search", "kettle"), re.M).groups()
    assert since != until


def test_what_never_came_into_force_was_true_never(cli):
    cli("remember", "a", "--name", "a", "--valid-from", "2026-03-01")
    cli("forget", "a", "--at", "2020-01-01")
    assert re.search(r"^  true +never$", cli("show", "a"), re.M)


@pytest.mark.parametrize("command", [("list",), ("recall", "port"), ("search", "port")])
def test_a_list_is_narrowed_by_area_and_tags_as_a_search_is(cli, command):
    cli("remember", "the red port", "--name", "red", "--area", "Service/db", "--tag", "ops", "--tag", "eu")
    cli("remember", "the blue port", "--name", "blue", "--area", "Service/db", "--tag", "ops")
    cli("remember", "the green port", "--name", "green", "--tag", "ops")
    cli("remember", "the lost port", "--name", "lost", "--area", "Service/db")
    cli("forget", "lost")

    def named(*options):
        rows = cli(*command, "--plain", *options).splitlines()
        return {row.split("\t")[0].removeprefix("engram/") for row in rows}

    assert named() == {"red", "blue", "green"}
    assert named("--area", "Service/db") == {"red", "blue"}
    assert named("--tag", "ops") == {"red", "blue", "green"}
    assert named("--tag", "ops", "--tag", "eu") == {"red"}
    assert named("--area", "Service/db", "--all") == {"red", "blue", "lost"}
    assert named("--area", "Service/web") == set()


def test_status_says_in_words_what_is_kept_beside_what_is_in_force(cli):
    def records():
        return re.search(r"^  records +(.*)$", cli("status"), re.M)[1]

    cli("remember", "a", "--name", "a")
    cli("remember", "b", "--name", "b")
    assert records() == "2  in force"
    cli("forget", "b")
    assert records() == "1  in force; also 1 forgotten"
    cli("supersede", "a", "the kettle", "--name", "kettle")
    cli("remember", "c", "--name", "c", "--valid-from", "2999-01-01")
    assert records() == "1  in force; also 1 forgotten, 1 superseded, 1 not yet true"


def test_words_after_two_dashes_are_no_options(cli):
    assert cli("remember", "--name", "dash", "--", "--json").startswith("remembered")


def on_a_terminal(vault, *arguments, columns=80):
    """What a terminal of that width is sent, without its colours."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "LINES": "40", "TERM": "xterm-256color"}
    process = subprocess.Popen(
        [sys.executable, "-m", "memtui", *arguments], cwd=vault, env=environment, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    sent = b""
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:  # what Linux says when the other end has closed
            break
        if not data:
            break
        sent += data
    os.close(ours)
    assert process.wait(60) in (0, 2)
    return re.sub(r"\x1b\[[0-9;]*[mK]", "", sent.decode()).replace("\r\n", "\n")


def test_a_terminal_breaks_lines_between_words_and_keeps_columns(cli, write, vault):
    sentence = "the quick brown fox jumps over the lazy dog and naps " * 4
    write("knowledge/fox.md", f"# Fox\n\n- {sentence}\n")
    cli("sync")
    text = on_a_terminal(vault, "recall", "lazy dog")
    assert max(map(len, text.splitlines())) <= 80
    rows = [row for row in text.splitlines() if row.startswith("   │ ")]
    assert len(rows) > 3
    assert " ".join(row.removeprefix("   │ ") for row in rows).replace("# Fox ", "").startswith(f"- {sentence[:60]}")
    shown = on_a_terminal(vault, "show", "fox").splitlines()
    assert any(row.startswith("  ") and row.strip() and row.strip() in sentence for row in shown)
    assert "\n    " in on_a_terminal(vault, "recall", "x", "--types", "nonsense", columns=60)


def test_sync_counts_where_a_person_watches_and_leaves_nothing_behind(cli, write, vault):
    for number in range(60):
        write(f"notes/{number}.md", f"text {number}\n")
    sent = on_a_terminal(vault, "sync")
    assert "reading 20 of 60 files" in sent
    assert "recording what 60 files say" in sent
    assert sent.splitlines()[-1].rsplit("\r", 1)[-1].startswith("60 added")


def test_an_answer_says_how_fresh_it_is(cli, write):
    write("a.md", "the kettle")
    cli("sync")
    assert json.loads(cli("search", "kettle", "--json"))["stale"] == 0
    write("a.md", "the kettle is red now")
    assert json.loads(cli("search", "kettle", "--json"))["stale"] == 1
    assert "1 file has changed since the last sync: `memtui sync` reads it" in cli("search", "kettle")
