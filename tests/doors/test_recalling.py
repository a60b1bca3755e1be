"""recall and search through the command line: what is noted afterwards, how fresh the answer is, and why."""

from __future__ import annotations

import json

import pytest

from memtui.vault.syncing import VaultSync
from tests.test_isolation import loaded_after


def recalls(memtui, name):
    return [cue["cue"] for cue in memtui("show", name, "--json").json["cues"]]


@pytest.fixture
def tea(memtui):
    memtui("remember", "Tea is at four", "--name", "tea")
    memtui("remember", "The gate jams", "--name", "gate")
    return memtui


def test_only_a_recall_at_the_present_is_noted(tea, monkeypatch):
    tea("search", "tea")
    tea("recall", "tea", "--no-reconsolidate")
    tea("--read-only", "recall", "tea")
    tea("recall", "tea", "--valid-at", "2020-01-01", "--all")
    assert recalls(tea, "tea") == []
    tea("recall", "tea")
    tea("--actor", "bo", "recall", "--plain", "-", stdin="tea four")
    tea("recall", "tea", "--json", "--now", "2027-01-01")
    assert recalls(tea, "tea") == ["tea", "tea four", "tea"]
    assert recalls(tea, "gate") == []
    assert tea("show", "tea", "--json").json["cues"][1]["actor"] == "bo"
    shown = tea("show", "tea").out
    assert "by bo: tea four" in shown
    assert "(the last of 3 times)" in shown
    retention = tea("show", "tea", "--json").json["retention"]
    assert (retention["recalls_counted"], retention["derived_confidence"]) == (1, 3.05)
    assert 0.99 < retention["retention"] <= 1


def test_a_reader_who_leaves_was_given_no_answer(shell):
    assert shell("memtui recall löwe | true; exit ${PIPESTATUS[0]}")[0] == 0
    assert json.loads(shell("memtui show lion --json")[1])["cues"] == []
    assert shell("memtui recall löwe | cat")[0] == 0
    assert [cue["cue"] for cue in json.loads(shell("memtui show lion --json")[1])["cues"]] == ["löwe"]


def test_a_hit_that_came_by_association_says_so(memtui):
    memtui(
        "remember", "The mill hums at night", "--name", "mill", "--area", "Machine/mill", "--link", "owl:0.9:both hum"
    )
    memtui("remember", "Birds of the valley", "--name", "owl")
    found = memtui("recall", "Machine/mill", "--json").json
    assert {hit["name"]: hit["via"] for hit in found["hits"]} == {"mill": None, "owl": "mill"}
    assert "engram/owl" in memtui("recall", "Machine/mill").out
    (row,) = [row for row in memtui("recall", "Machine/mill").out.splitlines() if "engram/owl" in row]
    assert row.endswith("via mill")
    assert ["engram/owl", "", "Birds of the valley", "via mill"] in memtui("recall", "Machine/mill", "--plain").rows
    explained = memtui("recall", "Machine/mill", "--explain").out
    assert "× " in explained


def test_what_was_recalled_says_so_in_the_explanation(tea):
    tea("recall", "tea")
    hit = tea("recall", "tea", "--explain", "--json").json["hits"][0]

    def evaluated(node):
        parts = [evaluated(child) for child in node.get("children", [])]
        how = node["composition"]
        if how == "value":
            return node["value"]
        if how == "product":
            product = 1.0
            for part in parts:
                product *= part
            return product
        return {"sum": sum, "max": max, "min": min, "calibrated": lambda p: p[0] / p[1] if p[1] else 0.0}[how](parts)

    assert evaluated(hit["explain"]) == pytest.approx(hit["rank_score"], abs=1e-9)


@pytest.mark.parametrize("words", [("recall", "kettle"), ("list",)])
def test_a_few_changed_files_are_read_first(memtui, write, words):
    write("a.md", "# Kettle\n\nIt is red.\n")
    first = memtui(*words, "--json").json
    assert (first["stale"], [r["name"] for r in first.get("hits", first.get("records"))]) == (0, ["a"])
    write("a.md", "# Kettle\n\nIt is blue now.\n")
    write("b.md", "# Another kettle\n")
    again = memtui(*words, "--json").json
    assert (again["stale"], len(again.get("hits", again.get("records")))) == (0, 2)
    assert memtui("status", "--json").json["stale"] == 0


@pytest.mark.parametrize("words", [("recall", "kettle"), ("list",)])
@pytest.mark.parametrize("how", ["setting", "read-only", "too many"])
def test_otherwise_the_answer_says_how_stale_it_is(memtui, write, words, how):
    write("a.md", "# Kettle\n")
    memtui("sync")
    changed = 60 if how == "too many" else 1
    for number in range(changed):
        write(f"new{number}.md", "# Another kettle\n")
    if how == "setting":
        write("memtui.toml", "auto_sync = false\n")
    flags = ("--read-only",) if how == "read-only" else ()
    answer = memtui(*flags, *words, "--json").json
    assert (answer["stale"], len(answer.get("hits", answer.get("records")))) == (changed, 1)
    assert f"{changed} file" in memtui(*flags, *words).out
    assert "`memtui sync` reads" in memtui(*flags, *words, "--plain").err
    assert memtui("status", "--json").json["stale"] == changed


def test_files_that_cannot_be_read_in_leave_what_was_known_before_to_answer(memtui, write, monkeypatch):
    write("a.md", "# Kettle\n")
    memtui("sync")
    write("b.md", "# Another kettle\n")

    def fails(sync):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(VaultSync, "run", fails)
    answer = memtui("recall", "kettle", "--json").json
    assert (answer["stale"], [hit["name"] for hit in answer["hits"]]) == (1, ["a"])


def test_search_never_writes_even_where_files_changed(memtui, write):
    write("a.md", "# Kettle\n")
    answer = memtui("search", "kettle", "--json").json
    assert (answer["hits"], answer["stale"]) == ([], 1)
    assert memtui("export").out.count("\n") == 1


def test_a_recall_imports_only_what_it_needs(memtui, write, vault):
    write("a.md", "---\ntitle: Kettle\n---\nIt is red.\n")
    memtui("sync")
    memtui("remember", "The kettle sings", "--name", "k", "--link", "tea")
    code = "from memtui.doors.cli.main import run\nimport sys\nassert run(sys.argv[1:]) == 0"
    for words in (("recall", "kettle", "--no-semantic"), ("search", "kettle"), ("list",), ("show", "k")):
        loaded = loaded_after(code, "--vault", str(vault), *words)
        assert loaded <= {"click", "_duckdb", "numpy", "rapidfuzz"}, words
    assert len(recalls(memtui, "k")) == 1


@pytest.mark.parametrize("words", [("recall", "tea"), ("search", "tea"), ("history", "--search", "tea")])
@pytest.mark.parametrize("number", [0, 51, -1])
def test_a_number_of_hits_out_of_range_is_refused_with_the_range(tea, words, number):
    refused = tea(*words, "-k", str(number), "--json")
    assert (refused.status, refused.out) == (2, "")
    assert (refused.error["field"], refused.error["value"]) == ("-k", str(number))
    assert "from 1 to 50" in refused.error["message"]
    assert recalls(tea, "tea") == []


@pytest.mark.parametrize("number", ["1", "50"])
def test_a_number_of_hits_may_be_either_end_of_the_range(tea, number):
    assert len(tea("search", "tea", "-k", number, "--json").json["hits"]) == 1


def test_hits_are_sorted_by_what_was_asked_before_the_first_are_taken(tea):
    tea(
        "remember", "Tea, tea and tea again", "--name", "much", "--valid-from", "2020-01-01", "--stability-days", "9000"
    )
    tea("remember", "A kettle for the tea", "--name", "kettle", "--stability-days", "1")

    def first(*options):
        return [hit["name"] for hit in tea("search", "tea", "-k", "1", "--json", *options).json["hits"]]

    assert first("--sort", "recorded") == ["kettle"]
    assert first("--sort", "retention") == ["much"]
    assert tea("recall", "tea", "--sort", "true-since", "--plain").rows[-1][0] == "engram/much"
    assert tea("search", "tea", "--sort", "recorded", "--json").json["order"] == "recorded"
    assert "sorted by recorded" in tea("search", "tea", "--sort", "recorded").out
    assert "sorted by" not in tea("search", "tea").out
    refused = tea("search", "tea", "--sort", "age")
    assert refused.status == 2
    assert "true-since" in refused.err


SYNONYMS = [
    ("same = [[tea]]", "synonyms.toml:1: is not valid TOML: "),
    ('same = [["tea", 7], ["gate"]]\n', "synonyms.toml: same, entry 1 '7' must be text and 1 more;"),
    ('"\\u001b[2J" = 1\n', "is not known here"),
    (b"\xff", "synonyms.toml: is not UTF-8 text;"),
]


@pytest.mark.parametrize(("table", "told"), SYNONYMS)
@pytest.mark.parametrize(
    "call",
    [
        ("recall",),
        *(
            pytest.param(call, marks=pytest.mark.slow)
            for call in (("search", "--plain"), ("recall", "--json"), ("--read-only", "recall"))
        ),
    ],
)
def test_of_broken_synonyms_an_answer_says_so_once_and_status_lists_them(tea, write, call, table, told):
    write("synonyms.toml", table)
    answer = tea(*call, "tea gate four")
    assert answer.status == 0
    assert "tea" in answer.out
    (line,) = answer.err.splitlines()
    assert line.startswith("memtui: warning: not all of the vault's own synonyms count: ")
    assert told in line
    assert line.endswith("; `memtui status` lists what is wrong")
    assert line.isprintable()
    status = tea("status", "--json")
    assert status.err == ""
    assert {problem["path"] for problem in status.json["problems"]} == {"synonyms.toml"}
    assert status.json["warnings"] == []
    write("synonyms.toml", 'same = [["tea", "çay"]]\n')
    assert tea(*call, "tea gate four").err == ""
    assert tea("status", "--json").json["problems"] == []


def test_what_looks_up_no_word_says_nothing_of_synonyms(tea, write):
    write("synonyms.toml", "same = 1")
    assert tea("recall", "*").err == ""
    assert tea("list").err == ""


def test_only_recall_tells_of_what_only_recall_does(memtui):
    memtui("remember", "The kettle is on the shelf")
    assert "--no-reconsolidate" in memtui("recall", "--help").out
    assert "--no-reconsolidate" not in memtui("search", "--help").out
    for command in ("recall", "search"):
        assert memtui(command, "--no-reconsolidate", "--json", "kettle").json["hits"], "both take the same words"
