"""Promises of the command line, through its own door: shapes, exit codes, sentences."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

import pytest

from memtui.doors.cli.main import run


@pytest.fixture
def cli(capsys, vault, monkeypatch):
    """Run a command in the vault; returns (exit status, standard output, standard error)."""
    monkeypatch.chdir(vault)

    def call(*arguments):
        status = run(list(arguments))
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture
def vaulted(cli):
    assert cli("init")[0] == 0
    return cli


def test_init_makes_a_private_folder_that_git_ignores(cli, vault):
    status, out, _ = cli("init", "--json")
    assert status == 0
    assert json.loads(out) == {"vault": str(vault), "created": True}
    assert (vault / ".memtui" / ".gitignore").read_text() == "*\n"
    assert oct((vault / ".memtui").stat().st_mode & 0o777) == "0o700"
    assert json.loads(cli("init", "--json")[1])["created"] is False


def test_without_a_vault_nothing_is_created(cli, vault):
    status, _, err = cli("recall", "x")
    assert status == 1
    assert "memtui init" in err
    assert list(vault.iterdir()) == []


def test_a_mistyped_command_creates_nothing_and_names_the_closest(cli, vault):
    status, _, err = cli("recal", "x")
    assert status == 2
    assert "recall" in err
    assert list(vault.iterdir()) == []


def test_the_interface_needs_a_terminal(vaulted):
    status, _, err = vaulted(".")
    assert status == 2
    assert "needs a terminal" in err


def test_remember_recall_forget_revive(vaulted):
    status, out, _ = vaulted("remember", "The staging port is 5433", "--name", "port", "--tag", "ops", "--json")
    written = json.loads(out)
    assert status == 0
    assert {k: written[k] for k in ("outcome", "scope", "kind", "name", "seq", "near")} == {
        "outcome": "remembered",
        "scope": "workspace",
        "kind": "engram",
        "name": "port",
        "seq": 1,
        "near": [],
    }
    found = json.loads(vaulted("recall", "staging port", "--json")[1])
    assert found["plane"] == "lexical"
    assert found["semantic"] is False
    (hit,) = found["hits"]
    assert (hit["name"], hit["state"], hit["coverage"]) == ("port", "in_force", 1.0)
    start, end = hit["spans"][0]
    assert hit["snippet"][start:end] == "staging"
    assert vaulted("forget", "port")[0] == 0
    status, out, _ = vaulted("recall", "staging", "--json")
    assert (status, json.loads(out)["hits"]) == (0, [])
    assert json.loads(vaulted("forget", "port", "--json")[1])["outcome"] == "already_forgotten"
    assert vaulted("revive", "port")[0] == 0
    assert vaulted("recall", "staging", "--plain")[1] == "engram/port\t\tThe staging port is 5433\n"


def test_a_query_may_begin_with_a_dash_and_come_from_standard_input(vaulted, monkeypatch):
    vaulted("remember", "minus sign", "--name", "m")
    assert "engram/m" in vaulted("recall", "--plain", "--", "-minus")[1]
    import io

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"minus")))
    assert "engram/m" in vaulted("recall", "--plain", "-")[1]


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("recall", "x", "--types", "nonsense"), 2, "engram"),
        (("recall", "x", "--as-of", "yesterdayish"), 2, "yesterdayish"),
        (("recall", "x", "--as-of", "2999-01-01"), 2, "future"),
        (("remember", ""), 2, "blank"),
        (("remember", "x", "--claim", "=="), 2, "claim"),
        (("remember", "x", "--valid-from", "2024-02-30"), 2, "2024-02-30"),
        (("forget", "nobody"), 1, "nobody"),
        (("show", "nobody"), 1, "nobody"),
        (("recall",), 2, "QUERY"),
        (("sync", "--read-only"), 1, "read-only"),
        (("--vault", "/nowhere/at/all", "status"), 1, "/nowhere/at/all"),
    ],
)
def test_refusals_are_sentences_with_an_exit_status(vaulted, arguments, status, words):
    got, out, err = vaulted(*arguments)
    assert got == status
    assert words in err
    assert "Traceback" not in err
    assert out == ""


def test_errors_as_json(vaulted):
    status, out, err = vaulted("recall", "x", "--types", "nonsense", "--json")
    assert (status, out) == (2, "")
    error = json.loads(err)["error"]
    assert error["code"] == "invalid_input"
    assert "engram" in error["choices"]


def test_sync_list_show_status(vaulted, write, vault):
    write("knowledge/db.md", "---\ntitle: Database\ntags: [ops]\n---\n# Database\n\nIt runs on **5433**.\n")
    write("bad.md", "---\ntitle: [unclosed\n---\nstill searchable\n")
    report = json.loads(vaulted("sync", "--json")[1])
    assert (report["added"], len(report["problems"])) == (2, 1)
    assert report["problems"][0]["path"] == "bad.md"
    again = json.loads(vaulted("sync", "--json")[1])
    assert (again["added"], again["changed"], again["unchanged"]) == (0, 0, 2)
    assert [p["path"] for p in again["problems"]] == ["bad.md"]
    listing = json.loads(vaulted("list", "--json")[1])
    assert listing["total"] == 2
    assert {
        "scope",
        "kind",
        "name",
        "title",
        "summary",
        "area",
        "tags",
        "state",
        "overridden",
        "contradicted",
        "valid_from",
        "valid_to",
        "recorded_at",
        "superseded_by",
        "pinned",
        "path",
    } == set(listing["records"][0])
    assert vaulted("list", "--names", "--types", "knowledge")[1] == "db\n"
    assert json.loads(vaulted("show", "db", "--json")[1])["body"].strip().endswith("It runs on **5433**.")
    status = json.loads(vaulted("status", "--json")[1])
    assert status["counts"] == {"knowledge": 1, "note": 1}
    assert status["records"] == 2
    assert status["stale"] == 0
    write("knowledge/db.md", "changed and longer than before\n")
    assert json.loads(vaulted("status", "--json")[1])["stale"] == 1
    assert vaulted("sync", "--strict")[0] == 1
    assert json.loads(vaulted("status", "--json")[1])["stale"] == 1


def test_hit_lines_point_into_the_file(vaulted, write):
    write("knowledge/db.md", "---\ntitle: Database\n---\n# Database\n\nfirst\n\nthe needle is here\n")
    vaulted("sync")
    (hit,) = json.loads(vaulted("recall", "needle", "--json")[1])["hits"]
    snippet_first_line = hit["snippet"].split("\n")[0]
    lines = ["---", "title: Database", "---", "# Database", "", "first", "", "the needle is here", ""]
    assert lines[hit["line"] - 1].startswith(snippet_first_line.rstrip("…"))


def test_stored_escapes_never_reach_the_terminal(vaulted):
    vaulted("remember", "red \x1b[31m alert \x07 \u202e gnp", "--name", "esc")
    for command in (("recall", "alert"), ("show", "esc"), ("list",), ("recall", "--plain", "alert")):
        out = vaulted(*command)[1]
        assert "\x1b" not in out
        assert "\x07" not in out
        assert "\u202e" not in out


def test_the_explanation_adds_up(vaulted):
    vaulted("remember", "The staging port is 5433", "--name", "port", "--title", "Staging port")
    (hit,) = json.loads(vaulted("recall", "staging por", "--json", "--explain")[1])["hits"]
    assert hit["explain"]["value"] == pytest.approx(hit["rank_score"], abs=1e-9)
    assert "staging" in vaulted("recall", "staging por", "--explain")[1]


def test_an_explanation_says_once_how_to_read_it(vaulted):
    for number in (5433, 6000):
        vaulted("remember", f"The staging port is {number}", "--name", f"port{number}")
    told = vaulted("search", "staging port", "--explain")[1]
    assert told.count("rank_score: ") == 1
    (legend,) = (line for line in told.splitlines() if line.startswith("rank_score: "))
    signs = set(re.findall(r"^ +[\d.]+  (\W|max|min) ", told, re.M))
    assert "×" in signs
    assert all(sign in legend for sign in signs)
    assert "rank_score: " not in vaulted("search", "staging port")[1]
    assert "rank_score: " not in vaulted("search", "zebra", "--explain")[1]


def test_options_may_stand_before_the_command(vaulted):
    vaulted("remember", "anything", "--name", "a")
    assert json.loads(vaulted("--json", "list")[1])["total"] == 1


def test_an_error_tells_a_person_the_readers_clock_and_a_program_utc(vaulted, monkeypatch):
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Tokyo")
    vaulted("remember", "anything", "--name", "a", "--valid-from", "2026-03-01T12:00:05.25Z")
    words = ("supersede", "a", "another", "--at", "2026-03-01T12:00:05Z")
    told = vaulted(*words)[2]
    assert "1 Mar 2026 21:00:05.000000 JST is not later" in told
    assert "(1 Mar 2026 21:00:05.250000 JST)" in told
    assert "2026-03-01T12:00:05.250000Z" in json.loads(vaulted(*words, "--json")[2])["error"]["message"]
    # What someone typed is repeated as they typed it.
    assert "'2026-03-41T12:00:05Z'" in vaulted("list", "--as-of", "2026-03-41T12:00:05Z")[2]
    monkeypatch.setenv("MEMTUI_TZ", "Nowhere/AtAll")
    assert "Nowhere/AtAll" in vaulted("list")[2]


def test_a_problem_tells_a_person_the_readers_clock_and_a_program_utc(vaulted, write, monkeypatch):
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Tokyo")
    gap = '{"valid_to": "2026-03-01T12:00:00Z", "revived_at": "2999-03-01T12:00:00Z"}'
    write("items.jsonl", f'{{"kind": "engram", "summary": "x", "valid_from": "2026-01-01", "revivals": [{gap}]}}\n')
    assert "(1 Mar 2999 21:00 JST)" in vaulted("import", "items.jsonl")[1]
    (problem,) = json.loads(vaulted("import", "items.jsonl", "--json")[1])["problems"]
    assert "(2999-03-01T12:00:00Z)" in problem["reason"]


def test_every_command_has_help_with_an_example(vaulted):
    from memtui.doors.cli.main import _COMMANDS

    for name in _COMMANDS:
        status, out, _ = vaulted(name, "--help")
        assert status == 0
        assert "Example:" in out, name


def test_demo_prints_its_tour():
    done = subprocess.run([sys.executable, "-m", "memtui", "demo"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "OLV-214" in done.stdout
    assert "olv-214-clock-guard" in done.stdout
    assert "revived" in done.stdout
    assert not re.search(r"T\d\d:\d\d:\d\d", done.stdout)


def test_the_demo_says_what_to_do_where_json_is_asked_for(cli, vault):
    told = {cli(*words) for words in (("--json", "demo"), ("demo", "--json"))}
    ((status, out, err),) = told
    assert (status, out) == (2, "")
    error = json.loads(err)["error"]
    assert error["field"] == "--json"
    # What it advises is so.
    sample, commands = re.search(r"copy (.*) and ask", error["hint"])[1], re.findall(r"`memtui (.*?)`", error["hint"])
    shutil.copytree(sample, vault, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".memtui"))
    for command in commands:
        status, out, err = cli(*command.split())
        assert status == 0, err
    assert json.loads(out)["hits"]
