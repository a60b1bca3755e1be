"""Streams as they really come: closed, full, left by their reader, in a small encoding, interrupted."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

from memtui.doors.cli.main import run
from memtui.doors.cli.streams import LARGEST_TEXT
from memtui.model.records import LONGEST_TEXT

pytestmark = pytest.mark.slow

FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no full device")


@pytest.mark.parametrize(
    "command", ["list", "list --plain", "list --json", "export", "--help", "--version", "--plain --version"]
)
def test_a_reader_who_leaves_is_no_error(shell, command):
    status, out, err = shell(f"memtui {command} | true; exit ${{PIPESTATUS[0]}}")
    assert (status, out, err) == (0, b"", b"")


@FULL
@pytest.mark.parametrize("command", ["list", "list --json", "list --help", "export", "--help", "--version"])
def test_an_answer_that_cannot_be_written_is_told(shell, command):
    status, _, err = shell(f"memtui {command} >/dev/full")
    assert status == 1
    assert b"the answer could not be written: No space left on device" in err
    assert b"unexpected" not in err


@FULL
@pytest.mark.parametrize("flags", ["", "--json"])
def test_what_was_recorded_is_told_even_so(shell, flags):
    status, _, err = shell(f"memtui remember 'on a full disk' --name full {flags} >/dev/full")
    assert status == 1
    assert b"engram/full is remembered, but the answer could not be written" in err
    assert shell("memtui list --names")[1] == b"full\nlion\n"


@pytest.mark.parametrize("command", ["list", "list --json", "--help", "--version"])
def test_a_closed_output_is_told(shell, command):
    status, _, err = shell(f"memtui {command} >&-")
    assert status == 1
    assert b"standard output is closed" in err
    assert shell(f"memtui {command} >&- 2>&-")[0] == 1


def test_a_closed_output_never_becomes_the_store(shell):
    assert b"lion2 is remembered" in shell("memtui remember two --name lion2 >&- <&-")[2]
    assert json.loads(shell("memtui status --json")[1])["records"] == 2


def test_a_closed_input_is_told(shell):
    status, _, err = shell("memtui recall - <&-")
    assert (status, err) == (2, b"memtui: standard input cannot be read: it is closed\n")


ENDLESS = [
    ("recall -", b"at most 2,000,000 bytes", b"give the part of it that matters"),
    ("search --json -", b"at most 2,000,000 bytes", b"give the part of it that matters"),
    ("remember -", b"at most 2,000,000 bytes", b"put the text into a file of the vault"),
    ("update lion --body -", b"at most 2,000,000 bytes", b"put the text into a file of the vault"),
    ("note -", b"at most 2,000,000 bytes", b"give the part of it that matters"),
    ("dedup -", b"at most 33,554,432 bytes", b"give the part of it that is new"),
    ("update lion --content -", b"at most 33,554,432 bytes", b"spread the text over several"),
]


@pytest.mark.parametrize(("command", "limit", "instead"), ENDLESS, ids=[command for command, _, _ in ENDLESS])
def test_an_input_without_end_is_read_no_further_than_its_bound(shell, command, limit, instead):
    status, out, err = shell(f"yes 'the lion sleeps' | memtui {command}; exit ${{PIPESTATUS[1]}}")
    assert (status, out) == (2, b"")
    assert b"standard input holds more than " in err
    assert limit in err
    assert instead in err


def test_what_fits_is_read_and_a_file_that_does_not_is_named_with_its_size(shell, vault):
    (vault / "cue.txt").write_bytes(b"aslan " + b" " * 1_999_994)
    assert b"lion" in shell("memtui recall - --no-semantic < cue.txt")[1]
    (vault / "cue.txt").write_bytes(b"aslan " + b" " * 3_000_000)
    status, _, err = shell("memtui recall - --no-semantic < cue.txt")
    assert status == 2
    assert b"standard input holds 3,000,006 bytes; at most 2,000,000 bytes are read here" in err


def test_the_longest_text_of_a_memory_fits_whatever_letters_it_is_of():
    assert LONGEST_TEXT * len("\U0010ffff".encode()) <= LARGEST_TEXT


@pytest.mark.parametrize("closing", ["2>&-", "2>/dev/full"])
def test_errors_nobody_can_read_keep_their_status(shell, closing):
    assert shell(f"memtui nonsense {closing}")[0] == 2


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
def test_an_encoding_too_small_for_the_answer(shell, encoding):
    status, out, err = shell("memtui recall şöyle", PYTHONIOENCODING=encoding)
    assert (status, err) == (0, b"")
    assert "L" in out.decode(encoding)
    (hit,) = json.loads(shell("memtui recall şöyle --json", PYTHONIOENCODING=encoding)[1].decode("utf-8"))["hits"]
    assert hit["title"] == "Der Löwe schläft, aslan uyuyor: şöyle"


@pytest.mark.parametrize(
    ("line", "option"),
    [
        (r"memtui --actor $'\xff' remember x", "--actor"),
        (r"MEMTUI_ACTOR=$'\xff' memtui remember x", "MEMTUI_ACTOR"),
        (r"memtui remember x --claim $'\xff\xfe'", "--claim"),
    ],
)
def test_bytes_that_are_not_utf8_are_refused_by_option(shell, line, option):
    status, out, err = shell(line + " --json")
    assert (status, out) == (2, b"")
    error = json.loads(err.decode("utf-8"))["error"]
    assert error["code"] == "invalid_input"
    assert option in error["message"]
    assert r"\xff" in error["value"]


BYTE = os.fsdecode(b"\xff")


@pytest.mark.parametrize(
    ("line", "option"),
    [
        (f"remember x --tag ok --tag {BYTE}", "--tag"),
        (f"remember x --source-ref {BYTE}", "--source-ref"),
        (f"remember {BYTE}", "SUMMARY"),
        (f"forget lion --reason {BYTE}", "--reason"),
        (f"show {BYTE}", "NAME"),
        (f"recall x --tag {BYTE}", "--tag"),
        (f"list --as-of {BYTE}", "--as-of"),
        (f"update {BYTE} --tag x", "NAME"),
        (f"update lion --append {BYTE}", "--append"),
        (f"supersede lion {BYTE}", "SUMMARY"),
        (f"forget lion --superseded-by {BYTE}", "--superseded-by"),
        (f"remember x --supports {BYTE}", "--supports"),
        (f"remember x --link {BYTE}", "--link"),
        (f"note {BYTE}", "TEXT"),
        (f"history {BYTE}", "NAME"),
        (f"diff --from {BYTE} --to 2020-01-01", "--from"),
        (f"export --format {BYTE}", "--format"),
        (f"--vault {BYTE} init", "folder"),
    ],
)
def test_every_option_names_itself_when_its_bytes_are_no_text(memtui, line, option):
    answer = memtui(*line.split(), "--json")
    assert answer.status == 2
    assert answer.error["code"] == "invalid_input"
    assert option in answer.error["message"]
    assert r"\xff" in answer.error["value"]


def test_every_text_option_is_checked_for_utf8():
    import click

    from memtui.doors.cli.main import _COMMANDS, cli

    context = click.Context(cli)
    for name in _COMMANDS:
        command = cli.get_command(context, name)
        assert not [p.name for p in command.params if p.type is click.STRING], name


def test_a_query_may_be_any_bytes(shell):
    status, out, _ = shell(r"memtui recall --json aslan $'\xff'")
    found = json.loads(out.decode("utf-8"))
    assert (status, found["query"]) == (0, "aslan \ufffd")
    assert [hit["name"] for hit in found["hits"]] == ["lion"]


def test_a_word_in_any_bytes_is_no_command(shell):
    status, _, err = shell(r"memtui $'\xff' --json")
    assert (status, json.loads(err)["error"]["value"]) == (2, r"\xff")


@pytest.mark.parametrize("arguments", [("--vault", "{}", "status"), ("init", "{}"), ("--vault", "{}", "init"), ("{}",)])
@pytest.mark.parametrize("name", ["x" * 120_000, "/" + "y/" * 50_000, "~nobody-of-that-name/x"])
def test_names_no_folder_can_have(capsys, arguments, name):
    status = run([part.format(name) for part in arguments])
    err = capsys.readouterr().err
    assert status in (1, 2)
    assert "unexpected" not in err
    assert len(err) < 1000


def test_a_current_folder_that_is_gone(shell):
    status, _, err = shell("mkdir gone; cd gone; rmdir ../gone; memtui status")
    assert status == 1
    assert b"--vault" in err
    assert b"unexpected" not in err


@pytest.mark.parametrize("phase", ["reading", "recording"])
def test_ctrl_c_during_a_long_sync_records_nothing(shell, write, vault, phase):
    for number in range(3000):
        write(f"knowledge/{number // 100}/{number}.md", f"# Page {number}\n\nText of page {number}.\n" * 3)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "memtui", "sync"], cwd=vault, stderr=theirs, stdout=subprocess.PIPE
    )
    os.close(theirs)
    seen = b""
    deadline = time.monotonic() + 60
    while phase.encode() not in seen and time.monotonic() < deadline:
        seen += os.read(ours, 4096)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    tail = os.read(ours, 65536)
    os.close(ours)
    assert (process.returncode, out) == (130, b""), (seen, tail)
    assert b"interrupted" in tail
    status = json.loads(shell("memtui status --json")[1])
    assert (status["records"], status["last_sync"]) == (1, None)
    assert json.loads(shell("memtui sync --json")[1])["added"] == 3000


def test_bash_completes(shell):
    line = """
        eval "$(_MEMTUI_COMPLETE=bash_source memtui)"
        complete -p memtui
        complete_it() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _memtui_completion memtui; echo "${COMPREPLY[@]}"; }
        complete_it memtui re
        complete_it memtui recall --ex
        complete_it memtui list --types engram,kn
        complete_it memtui nonsense --js
    """  # noqa: E501
    status, out, err = shell(line)
    assert status == 0, err
    rows = out.decode().splitlines()
    assert re.search(r"complete .*-F _memtui_completion memtui", rows[0])
    assert rows[1:4] == ["recall remember review revive", "--explain", "engram,knowledge"]
    assert b"Traceback" not in err
