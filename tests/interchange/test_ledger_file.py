"""A ledger as a file: taken whole, verified first, and the same bytes again."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.errors import InvalidInput
from memtui.interchange.ledger_file import LedgerHeader, is_ledger_line, ledger_lines, read_ledger
from memtui.model.proposals import Fact
from memtui.model.records import Content, RecordKey
from memtui.model.reviews import DecisionRecord, Touched
from memtui.store.duckdb.ledger import DuckDBLedger
from tests.clocks import SteppingClock
from tests.interchange.contents import CONFIRMATION, CUE, STEP, recalled, reviewed, sealed

PARTITIONS = ("base", "workspace")


@given(
    st.lists(STEP, max_size=4),
    st.lists(CUE, max_size=3),
    st.lists(CONFIRMATION, max_size=4),
    st.randoms(use_true_random=False),
)
def test_a_ledger_survives_its_file_and_is_written_alike_again(steps, cues, confirmations, random):
    versions, recalls = sealed(steps), recalled(cues)
    reviews = reviewed(confirmations, versions)
    mixed = [random.sample(entries, len(entries)) for entries in (versions, recalls, reviews)]
    lines = list(ledger_lines(reversed(PARTITIONS), *mixed))
    ledger = read_ledger(lines)
    assert ledger.header == LedgerHeader(PARTITIONS)
    assert ledger.versions == tuple(versions)
    assert ledger.recalls == tuple(recalls)
    assert ledger.reviews == tuple(reviews)
    assert ledger.lines == tuple(range(2, len(lines) + 1))
    assert json.loads(lines[0])["version"] == (2 if reviews else 1)
    assert list(ledger_lines(ledger.header.partitions, ledger.versions, ledger.recalls, ledger.reviews)) == lines
    assert read_ledger("".join(lines).encode().splitlines(keepends=True)) == ledger


CONTENT = Content(summary="The port is 5433", valid_from=0, extra={"b": 1, "a": 2})
STEPS = [
    ("workspace", "engram", "port", CONTENT, "remember", "ada", None, True, 5),
    ("base", "engram", "rule", replace(CONTENT, summary="Measure twice"), "sync", "ada", None, False, 1),
    ("workspace", "engram", "port", replace(CONTENT, tags=("db",)), "update", "bob", "a tag", True, 1),
]
CUES = [("workspace", "port", "which port", "ada", 1), ("workspace", "port", "port", "ada", 1)]
PORT = RecordKey("workspace", "engram", "port")
DECISION = DecisionRecord(
    proposal="0123456789",
    kind="merge",
    about="",
    keys=(PORT, PORT._replace(name="gate")),
    verb="accept",
    facts=(Fact("port", "The port is 5433"),),
    effect="port supersedes gate",
    keep=PORT,
    touched=(Touched(PORT, 2, 1),),
)
CONFIRMATIONS = [
    ("workspace", (DECISION, replace(DECISION, verb="reject", keep=None, touched=())), "ada", None, 1),
    ("workspace", (), "bob", 0, 1),
    ("base", (), "ada", None, 1),
]


def written(confirmations=()):
    entries = sealed(STEPS), recalled(CUES), reviewed(confirmations)
    return [json.loads(line) for line in ledger_lines(PARTITIONS, *entries)]


def lines_of(rows):
    return [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]


def refusal_of(lines):
    with pytest.raises(InvalidInput) as refused:
        read_ledger(lines, path="x.jsonl")
    assert refused.value.file == "x.jsonl"
    return refused.value


def test_the_lines_are_as_agreed():
    lines = list(ledger_lines(PARTITIONS, sealed(STEPS[:1]), recalled(CUES[:1])))
    version = sealed(STEPS[:1])[0]
    assert lines == [
        '{"format":"memtui-ledger","version":1,"partitions":["base","workspace"],"entries":2}\n',
        '{"entry":"version","partition":"workspace","seq":1,"recorded_at":"1970-01-01T00:00:01.000005Z",'
        '"operation":"remember","actor":"ada","reason":null,"kind":"engram","name":"port","origin_known":true,'
        f'"content_hash":"{version.content_hash}","chain":"{version.chain}",'
        '"content":{"summary":"The port is 5433","valid_from":"1970-01-01T00:00:00Z","extra":{"a":2,"b":1}}}\n',
        '{"entry":"recall","reader":"workspace","seq":1,"recorded_at":"1970-01-01T00:00:02.000001Z",'
        '"partition":"workspace","kind":"engram","name":"port","cue":"which port","actor":"ada"}\n',
    ]


def test_the_lines_of_reviews_are_as_agreed():
    first, second, _ = reviewed(CONFIRMATIONS)
    lines = list(ledger_lines(PARTITIONS, (), (), [replace(first, undone_by=2, decisions=first.decisions[:1]), second]))
    assert lines == [
        '{"format":"memtui-ledger","version":2,"partitions":["base","workspace"],"entries":2}\n',
        '{"entry":"review","partition":"workspace","seq":1,"recorded_at":"1970-01-01T00:00:03.000001Z","actor":"ada",'
        '"undoes":null,"decisions":[{"proposal":"0123456789","kind":"merge","about":"","verb":"accept",'
        '"effect":"port supersedes gate","at_survivor":false,"keep":{"kind":"engram","name":"port"},'
        '"members":[{"kind":"engram","name":"port"},{"kind":"engram","name":"gate"}],'
        '"facts":[{"label":"port","value":"The port is 5433"}],'
        '"touched":[{"kind":"engram","name":"port","seq":2,"before":1}]}]}\n',
        '{"entry":"review","partition":"workspace","seq":2,"recorded_at":"1970-01-01T00:00:03.000002Z","actor":"bob",'
        '"undoes":1,"decisions":[]}\n',
    ]


def test_where_a_text_lies_is_not_written():
    here, there = (replace(CONTENT, line=line) for line in (3, None))
    one, other = (
        list(ledger_lines(PARTITIONS, sealed([(*STEPS[0][:3], c, *STEPS[0][4:])]), ())) for c in (here, there)
    )
    assert one == other


def test_the_header_without_a_count_and_windows_line_ends_are_read():
    header, *rest = lines_of(written())
    bare = json.dumps({k: v for k, v in json.loads(header).items() if k != "entries"})
    ledger = read_ledger(["\ufeff" + bare + "\r\n", *(line.replace("\n", "\r\n") for line in rest), "\n"])
    assert len(ledger.versions) == 3
    assert len(ledger.recalls) == 2


def test_a_private_row_gets_into_no_other_file():
    private = sealed([("personal:ada", *STEPS[0][1:])])
    with pytest.raises(ValueError, match="personal:ada"):
        list(ledger_lines(PARTITIONS, private, ()))
    with pytest.raises(ValueError, match="personal:ada"):
        list(ledger_lines(PARTITIONS, (), recalled([("personal:ada", *CUES[0][1:])])))
    with pytest.raises(ValueError, match="personal:ada"):
        list(ledger_lines(PARTITIONS, (), (), reviewed([("personal:ada", (), "ada", None, 0)])))


def set_field(line, field, value):
    def change(rows):
        rows[line - 1][field] = value

    return change


def without(line, field):
    def change(rows):
        del rows[line - 1][field]

    return change


CHANGED = [
    (set_field(1, "format", "csv"), 1, "format", "no ledger"),
    (set_field(1, "version", 3), 1, "version", "newer memtui"),
    (set_field(1, "version", 0), 1, "version", ""),
    (set_field(1, "partitions", "workspace"), 1, "partitions", ""),
    (set_field(1, "partitions", ["base", "base"]), 1, "partitions", "twice"),
    (set_field(1, "partitions", ["workspace"]), 3, "partition", "header"),
    (set_field(1, "entries", 6), 6, "entries", "5 of 6"),
    (set_field(2, "entry", "opinion"), 2, "entry", "unknown"),
    (without(2, "entry"), 2, "entry", "missing"),
    (set_field(2, "kind", "engrams"), 2, "kind", "unknown"),
    (set_field(2, "operation", "invent"), 2, "operation", "unknown"),
    (set_field(2, "recorded_at", "yesterday"), 2, "recorded_at", "instant"),
    (set_field(2, "seq", 1.5), 2, "seq", ""),
    (set_field(2, "origin_known", 1), 2, "origin_known", ""),
    (set_field(2, "mood", "fine"), 2, "mood", "unknown"),
    (set_field(2, "content", {"summary": 3}), 2, "content.summary", "no text"),
    (set_field(5, "reader", "personal:bob"), 5, "reader", "header"),
    (set_field(6, "seq", 3), 6, "seq", "follow"),
    (set_field(6, "recorded_at", "1970-01-01T00:00:01Z"), 6, "recorded_at", "before"),
    (set_field(4, "seq", 3), 4, "chain", "missing"),
    (set_field(4, "recorded_at", "1970-01-01T00:00:01Z"), 4, "chain", "stamped before"),
    (set_field(4, "content", {"summary": "The port is 1"}), 4, "chain", "sealed"),
    (set_field(4, "actor", "eve"), 4, "chain", "running hash"),
    (set_field(4, "content_hash", "0" * 64), 4, "chain", "sealed"),
    (lambda rows: rows.insert(2, rows.pop(3)), 4, "recorded_at", "out of order"),
    (lambda rows: rows.insert(1, rows.pop(4)), 3, "entry", "versions come first"),
    (lambda rows: rows.insert(3, rows[2]), 4, "chain", "missing"),
    *[(without(2, f), 2, f, "missing") for f in ("partition", "seq", "reason", "name", "chain", "content")],
    *[(without(5, f), 5, f, "missing") for f in ("reader", "seq", "recorded_at", "kind", "cue", "actor")],
]


@pytest.mark.parametrize(("change", "line", "field", "said"), CHANGED)
def test_a_changed_ledger_is_refused_by_line_and_field(change, line, field, said):
    rows = written()
    del rows[0]["entries"]
    change(rows)
    error = refusal_of(lines_of(rows))
    assert error.field == field
    assert error.message.startswith(f"line {line} ")
    assert said in error.message


def decided(field, value, *, decision=0):
    """Change something of the first review's decision: line 7."""

    def change(rows):
        place = rows[6]["decisions"][decision]
        *path, last = field.split(".")
        for step in path:
            place = place[int(step) if step.isdecimal() else step]
        place[int(last) if last.isdecimal() else last] = value

    return change


CHANGED_REVIEWS = [
    (set_field(7, "seq", 2), 7, "seq", "follow 0"),
    (set_field(8, "seq", 3), 8, "seq", "follow 1, the review of workspace before"),
    (set_field(9, "seq", 2), 9, "seq", "follow 0, the review of base before"),
    (set_field(7, "partition", "personal:bob"), 7, "partition", "header"),
    (set_field(7, "mood", "fine"), 7, "mood", "unknown"),
    (set_field(7, "actor", 1), 7, "actor", "no text"),
    (set_field(7, "decisions", None), 7, "decisions", "no list"),
    (set_field(7, "decisions", ["x"]), 7, "decisions[0]", "no mapping"),
    (set_field(7, "undoes", 1), 7, "undoes", "no review that stands"),
    (set_field(8, "undoes", 2), 8, "undoes", "no review that stands"),
    (set_field(8, "undoes", 3), 8, "undoes", "no review that stands"),
    (set_field(8, "undoes", 0), 8, "undoes", "counted from 1"),
    (set_field(9, "undoes", 1), 9, "undoes", "no review that stands"),
    (set_field(8, "recorded_at", "1970-01-01T00:00:02Z"), 8, "recorded_at", "before the review it follows"),
    (set_field(9, "recorded_at", "1970-01-01T00:00:02Z"), 9, "recorded_at", "out of order"),
    (set_field(9, "recorded_at", "9999-12-31T00:00:00Z"), 9, "recorded_at", "no clock"),
    (set_field(7, "recorded_at", "1969-12-31T00:00:00Z"), 7, "recorded_at", "no clock"),
    (lambda rows: rows.insert(7, {**rows[7], "seq": 2, "undoes": 1}), 9, "seq", "follow 2"),
    (lambda rows: rows.append({**rows[7], "seq": 3}), 10, "undoes", "no review that stands"),
    (lambda rows: rows.append({**rows[7], "seq": 3, "undoes": 2}), 10, "undoes", "no review that stands"),
    (lambda rows: rows.insert(5, rows.pop(6)), 7, "entry", "recalls come before"),
    (lambda rows: rows.insert(2, rows.pop(6)), 4, "entry", "versions come first"),
    (decided("kind", "guess"), 7, "decisions[0].kind", "unknown"),
    (decided("verb", "shrug"), 7, "decisions[0].verb", "unknown"),
    (decided("proposal", " "), 7, "decisions[0].proposal", "no text"),
    (decided("mood", "fine", decision=1), 7, "decisions[1].mood", "unknown"),
    (decided("at_survivor", 1), 7, "decisions[0].at_survivor", "neither"),
    (decided("keep", "port"), 7, "decisions[0].keep", "no mapping"),
    (decided("keep.kind", "person"), 7, "decisions[0].keep.kind", "unknown"),
    (decided("members.1.name", ""), 7, "decisions[0].members[1].name", "no text"),
    (decided("facts.0.value", None), 7, "decisions[0].facts[0].value", "no text"),
    (decided("touched.0.seq", 0), 7, "decisions[0].touched[0].seq", "counted from 1"),
    (decided("touched.0.seq", 2**63), 7, "decisions[0].touched[0].seq", "counted from 1"),
    (decided("touched.0.before", "1"), 7, "decisions[0].touched[0].before", "counted from 1"),
    (decided("touched.0.seq", 3), 7, "decisions", "engram/port that the file does not hold"),
    (decided("touched.0.before", 3), 7, "decisions", "does not hold"),
    (decided("touched.0.before", 2), 7, "decisions", "does not hold"),
    (decided("touched.0.name", "rule"), 7, "decisions", "engram/rule that the file does not hold"),
    *[(without(7, f), 7, f, "missing") for f in ("partition", "seq", "recorded_at", "actor", "undoes", "decisions")],
]


@pytest.mark.parametrize(("change", "line", "field", "said"), CHANGED_REVIEWS)
def test_a_changed_review_is_refused_by_line_and_field(change, line, field, said):
    rows = written(CONFIRMATIONS)
    del rows[0]["entries"]
    assert len(read_ledger(lines_of(rows)).reviews) == 3
    change(rows)
    error = refusal_of(lines_of(rows))
    assert error.field == field
    assert error.message.startswith(f"line {line} ")
    assert said in error.message


def test_a_file_without_reviews_is_one_that_older_programs_read():
    assert [rows[0]["version"] for rows in (written(), written(CONFIRMATIONS))] == [1, 2]


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_a_file_cut_between_two_lines_is_refused(missing):
    assert refusal_of(lines_of(written())[:-missing]).field == "entries"


@given(st.data())
def test_a_file_cut_anywhere_is_refused(data):
    whole = "".join(ledger_lines(PARTITIONS, sealed(STEPS), recalled(CUES))).encode()
    end = data.draw(st.integers(0, len(whole) - 2))  # without its very last line end it is still whole
    with pytest.raises(InvalidInput):
        read_ledger(whole[:end].splitlines(keepends=True))


@given(st.data())
def test_no_byte_can_be_changed_unseen(data):
    whole = bytearray("".join(ledger_lines(PARTITIONS, sealed(STEPS), ())).encode())
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= 1 << data.draw(st.integers(0, 7))
    try:
        read = read_ledger(bytes(whole).splitlines(keepends=True))
    except InvalidInput:
        return
    assert read.versions == tuple(sealed(STEPS))  # a blank, or the name of an empty partition in the header


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"entry": "version", "entry": "recall"}\n', "more than once"),
        (b'{"entry": "version", "content": {"extra": {"a": 1, "a": 2}}}\n', "more than once"),
        (b'{"entry": "version", "content": {"stability_days": NaN}}\n', "no number"),
        (b'{"entry": "version", "content": {"stability_days": 1e999}}\n', "larger"),
        (b'{"entry": "ver\xff"}\n', "not UTF-8"),
        (b'{"entry": "version"\n', "not JSON"),
        (b'["version"]\n', "no mapping"),
        (b'{"entry": "\\ud800"}\n', "half a character"),
        (b"[" * 100_000 + b"\n", "nested"),
    ],
)
def test_what_is_no_strict_json_is_refused(line, said):
    first, *rest = [text.encode() for text in lines_of(written())]
    error = refusal_of([first, line, *rest])
    assert error.message.startswith("line 2 ")
    assert said in error.message
    error.message.encode()


@pytest.mark.parametrize("lines", [[], ["\n"], ["{}\n"], ["[]"], [b"\xff\xfe"]])
def test_what_is_no_ledger_is_refused(lines):
    assert refusal_of(lines).message.startswith("line 1 ")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'\xef\xbb\xbf{"format": "memtui-ledger", "version": 9}\n', True),
        ('{"format": "memtui-ledger"}', True),
        ('{"format": "mif"}', False),
        ('{"summary": "x"}', False),
        ("[1", False),
        ("[]", False),
        (b"\xff", False),
    ],
)
def test_a_ledger_is_known_by_its_first_line(line, expected):
    assert is_ledger_line(line) is expected


def everything(ledger):
    with ledger.reading() as unit:
        entries = unit.tail({}), unit.recalls(PARTITIONS), unit.reviews(PARTITIONS)
        return list(ledger_lines(PARTITIONS, *entries))


@settings(max_examples=20, deadline=None)
@given(
    steps=st.lists(STEP, min_size=1, max_size=3),
    cues=st.lists(CUE, max_size=2),
    confirmations=st.lists(CONFIRMATION, max_size=3),
)
def test_a_store_gives_the_same_file_again_after_replay(tmp_path_factory, steps, cues, confirmations):
    # A store's columns hold instants of real windows, and numbers as floats.
    held = {"valid_from": 0, "valid_to": None, "revivals": (), "homophonic_links": (), "stability_days": None}
    versions = sealed([(*s[:3], replace(s[3], **held), *s[4:]) for s in steps])
    lines = list(ledger_lines(PARTITIONS, versions, recalled(cues), reviewed(confirmations, versions)))
    read = read_ledger(lines)
    store = DuckDBLedger(tmp_path_factory.mktemp("replayed") / "memory.duckdb", SteppingClock(step=1))
    with store.writing() as unit:
        unit.replay(read.versions, read.recalls, read.reviews)
    assert everything(store) == lines
