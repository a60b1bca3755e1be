"""Lines of text with looks: markdown, wrapping, marking, and what the preview says."""

from datetime import timedelta, timezone

from hypothesis import example, given
from hypothesis import strategies as st

from memtui.model.explanation import leaf, product, total
from memtui.model.instants import DAY, HOUR, MAX_INSTANT, MIN_INSTANT, SECOND
from memtui.model.records import WORKSPACE, Claim, Content, Finding, RecordKey, Revival
from memtui.model.results import ORDERS, RecordView, Snippet
from memtui.model.versions import Version
from memtui.text.moments import age, known_since, local, on_the_readers_clock, told_apart
from memtui.tui.display import clusters
from memtui.tui.markdown_look import is_fenced, styled, text_lines
from memtui.tui.marking import Marker
from memtui.tui.preview_lines import history_tab, text_tab
from memtui.tui.styled_lines import LONGEST_LINE, StyledLine, lay_out
from memtui.tui.why_lines import why_tab
from tests.clocks import at

NO_MARKS = Marker()
UTC = timezone.utc


def looks(line):
    """The stretches of a line that have a look of their own."""
    return {(line.text[span.start : span.end], span.look) for span in line.spans}


def rows_of(lines, width):
    layout = lay_out(lines, width)
    return [" " * row.indent + layout.lines[row.line].text[row.start : row.end] for row in layout.rows]


# Markdown


def test_structure_shows_by_looks_and_every_letter_stays():
    source = "# Title\n- item with **bold** and `code`\n> quoted\n[[wiki]] and [label](target)\n---\n*slanted*"
    lines = styled(text_lines(source), NO_MARKS).lines
    assert "\n".join(line.text for line in lines) == source
    assert lines[0].base == "heading"
    assert {("- ", "accent"), ("bold", "strong"), ("code", "inline-code")} <= looks(lines[1])
    assert lines[2].base == "quote"
    assert {("wiki", "link"), ("label", "link")} <= looks(lines[3])
    assert lines[4].base == "syntax"
    assert ("slanted", "emphasis") in looks(lines[5])


def test_code_blocks_are_code_until_their_own_fence_ends_them():
    lines = styled(text_lines("~~~\n# no heading\n```\nstill code\n~~~\n# heading"), NO_MARKS).lines
    assert [line.base for line in lines] == ["code"] * 5 + ["heading"]
    assert is_fenced(["```", "a", "b"], 2)
    assert not is_fenced(["```", "a", "```", "b"], 3)


def test_prose_its_author_wrapped_is_put_together_and_short_lines_are_not():
    long = "This sentence was wrapped by its author at some column, and it goes"
    lines = styled([long, "on here.", "", "one", "two", "- item", "- item"], NO_MARKS)
    assert [line.text for line in lines.lines] == [f"{long} on here.", "", "one", "two", "- item", "- item"]
    assert lines.origins == (0, 2, 3, 4, 5, 6)
    assert lines.line_of(1) == 0
    assert lines.line_of(5) == 4


def test_identifiers_and_code_are_no_emphasis():
    for text in ("snake_case_name and __init__", "2 * 3 * 4", "a ** b ** c", "* not slanted *"):
        assert not {look for _, look in looks(styled([text], NO_MARKS).lines[0])} & {"emphasis"}, text


@given(st.lists(st.text(st.characters(blacklist_characters="\n\r"), max_size=50), max_size=8))
def test_nothing_is_lost_whatever_the_text(source):
    lines = styled(source, Marker.of("a b")).lines
    assert [line.text for line in lines] == source


def test_a_line_without_end_is_cut_into_pieces():
    lines = styled(["x" * (LONGEST_LINE * 2 + 1)], NO_MARKS).lines
    assert [len(line.text) for line in lines] == [LONGEST_LINE, LONGEST_LINE, 1]


# Wrapping


def test_lines_wrap_between_words_with_their_hanging_indent():
    assert rows_of([StyledLine("- one two three four", hang=2)], 10) == ["- one two ", "  three ", "  four"]
    assert rows_of([StyledLine("abcdefghijkl")], 5) == ["abcde", "fghij", "kl"]
    assert rows_of([StyledLine("日本語日本語")], 5) == ["日本", "語日", "本語"]
    assert rows_of([StyledLine("")], 5) == [""]


@given(st.text(max_size=60), st.integers(1, 20), st.integers(0, 6))
@example("0\t", 4, 1)
def test_wrapping_loses_nothing_and_fits(text, width, hang):
    line = StyledLine(text.replace("\n", " "), hang=hang)
    layout = lay_out([line], width)
    for row in layout.rows:
        shown = clusters(line.text[row.start : row.end])
        assert row.indent + sum(c.width for c in shown if c.shown != " ") <= max(width, 4)
    ends = [row.end for row in layout.rows]
    assert ends == sorted(ends)
    assert ends[-1] == len(line.text)


# Marking


def marked(query, text, passage=None):
    return [text[start:end] for start, end in Marker.of(query, passage).spans(text)]


def test_words_are_marked_blind_to_case_and_accents_and_by_their_beginning():
    assert marked("cafe SCALE", "The Café's scales; upscale") == ["Café's", "scales"]
    assert marked("istanbul", "İstanbul ISTANBUL ıstanbul") == ["İstanbul", "ISTANBUL", "ıstanbul"]
    assert marked("秤", "小豆島の秤は秤") == ["秤", "秤"]
    assert "I-046" in marked("i-046", "see I-046 now")


def test_filters_and_exclusions_are_no_words():
    assert marked("kind:engram -scale area:Feature/x ledger", "kind engram scale Feature ledger") == ["ledger"]


def test_what_the_snippet_matched_is_marked_elsewhere_too():
    passage = Snippet("the scales drifted", ((11, 18),), 1)
    assert marked("drift", "it drifted and drifts", passage) == ["drifted", "drifts"]
    assert marked("wandering", "it drifted", passage) == ["drifted"]


@given(st.text(max_size=40), st.text(max_size=80))
def test_marking_never_fails_and_stays_inside(query, text):
    for start, end in Marker.of(query).spans(text):
        assert 0 <= start < end <= len(text)


# Moments


def test_ages_are_short():
    now = at("2026-06-01T00:00:00Z")
    ages = [30 * SECOND, 300 * SECOND, 5 * HOUR, 3 * DAY, 20 * DAY, 90 * DAY, 800 * DAY, -3 * DAY]
    assert [age(now - distance, now) for distance in ages] == ["now", "5m", "5h", "3d", "2w", "2mo", "2y", "in 3d"]


def test_instants_are_told_in_the_readers_zone():
    assert local(at("2026-03-01T22:30:00Z"), timezone(timedelta(hours=3))) == "2 Mar 2026 01:30 +0300"
    assert local(at("2026-03-01T00:00:00Z"), UTC) == "1 Mar 2026"
    assert local(at("0001-01-01T00:00:00Z"), timezone(timedelta(hours=-5))).startswith("0001-01-01")


def test_a_documents_own_date_makes_its_age():
    assert known_since(Content(valid_from=1, dated=2), 3) == 2
    assert known_since(Content(valid_from=1), 3) == 1
    assert known_since(Content(), 3) == 3


def test_different_instants_are_told_apart_and_one_alone_by_its_minute():
    noon = at("2026-03-01T12:00:00Z")
    later = {1: "12:00:00.000001 UTC", SECOND: "12:00:01 UTC", 60 * SECOND: "12:01 UTC"}
    for distance, shown in later.items():
        begin, end = told_apart(noon, noon + distance, zone=UTC)
        assert begin != end
        assert end == f"1 Mar 2026 {shown}"
    assert told_apart(noon, noon, zone=UTC) == ["1 Mar 2026 12:00 UTC"] * 2
    assert told_apart(0, 1, zone=UTC) == [f"1 Jan 1970 00:00:00.00000{sign} UTC" for sign in "01"]
    assert told_apart(MIN_INSTANT, MIN_INSTANT + 1, zone=timezone(timedelta(hours=-5)))[0].startswith("0001-01-01T")


@given(st.lists(st.integers(MIN_INSTANT, MAX_INSTANT), max_size=4), st.integers(-3 * SECOND, 3 * SECOND))
def test_no_two_instants_read_alike(instants, near):
    moments = [*instants, *(i + near for i in instants if MIN_INSTANT <= i + near <= MAX_INSTANT)]
    assert len(set(told_apart(*moments, zone=UTC))) == len(set(moments))


def test_a_sentence_is_told_on_the_readers_clock_and_what_it_quotes_is_not():
    tokyo = timezone(timedelta(hours=9), "JST")
    said = on_the_readers_clock(
        "'2026-03-01T12:00:05Z' ended 2026-03-01T12:00:05Z, not 1970-01-01T00:00:00Z: "
        "`memtui update a --valid-to 2026-03-01T12:00:05Z` and a-2026-99-01T12:00:05Z",
        tokyo,
    )
    assert said == (
        "'2026-03-01T12:00:05Z' ended 1 Mar 2026 21:00 JST, not 1 Jan 1970 09:00 JST: "
        "`memtui update a --valid-to 2026-03-01T12:00:05Z` and a-2026-99-01T12:00:05Z"
    )


# The tabs

BODY = (
    "# One\n\nfirst\n\n# Two\n\nthe scale drifts\n" + "\n".join(f"line {i}" for i in range(300)) + "\n# Three\n\nlast"
)


def view(**fields):
    content = Content(**{"valid_from": at("2026-01-01T00:00:00Z"), **fields})
    return RecordView(
        RecordKey(WORKSPACE, "note", "n"), content, content.state_at(at("2026-06-01")), at("2026-01-02"), 1
    )


def plain(prepared):
    return "\n".join(line.text for line in prepared.lines)


def test_the_text_tab_shows_the_section_that_matched():
    passage = Snippet("\nthe scale drifts\nline 0", ((5, 10),), 6)
    prepared = text_tab(view(title="T", body=BODY), passage, Marker.of("scale", passage), whole=False, zone=UTC)
    text = plain(prepared)
    assert "the scale drifts" in text
    assert "first" not in text
    assert "last" not in text
    assert prepared.note.startswith("lines 5–")
    assert prepared.lines[prepared.focus_line].text == "the scale drifts"
    assert ("scale", "mark") in looks(prepared.lines[prepared.focus_line])


def test_the_whole_text_is_there_on_demand():
    prepared = text_tab(view(title="T", body=BODY), None, NO_MARKS, whole=True, zone=UTC)
    assert "first" in plain(prepared)
    assert "last" in plain(prepared)
    assert prepared.note == ""


def test_a_short_time_is_told_with_its_seconds():
    content = {"valid_from": at("2026-01-01T10:00:05Z"), "valid_to": at("2026-01-01T10:00:45Z")}
    text = plain(text_tab(view(summary="x", **content), None, NO_MARKS, whole=False, zone=UTC))
    assert "1 Jan 2026 10:00:05 – 1 Jan 2026 10:00:45 UTC" in text
    longer = {**content, "valid_to": at("2026-01-01T10:01:00Z")}
    text = plain(text_tab(view(summary="x", **longer), None, NO_MARKS, whole=False, zone=UTC))
    assert "1 Jan 2026 10:00 – 1 Jan 2026 10:01 UTC" in text


def test_a_short_section_is_shown_with_what_follows():
    text = plain(text_tab(view(body="# A\na\n# B\nb"), None, NO_MARKS, whole=False, zone=UTC))
    assert "b" in text.splitlines()[-1]


def test_the_facts_of_a_memory_stand_above_its_text():
    content = {
        "summary": "A scale",
        "area": "Feature/x",
        "tags": ("one", "two"),
        "valid_to": at("2026-04-01T00:00:00Z"),
        "revivals": (Revival(at("2026-02-01T00:00:00Z"), at("2026-03-01T00:00:00Z")),),
        "superseded_by": "engram/other",
        "claims": tuple(Claim(f"p{i}", "o") for i in range(8)),
        "findings": (Finding("It drifts", "high", ("s1",)),),
        "path": "notes/x.md",
        "line": 3,
        "confidence": 7,
        "pinned": True,
    }
    text = plain(text_tab(view(**content), None, NO_MARKS, whole=False, zone=UTC))
    for fact in (
        "Feature/x",
        "one, two",
        "1 Jan 2026 – 1 Feb 2026, 1 Mar 2026 – 1 Apr 2026",
        "superseded by engram/other",
        "p0=o",
        "and 2 more claims",
        "It drifts",
        "notes/x.md:3",
        "2 Jan 2026",
    ):
        assert fact in text
    brief = plain(text_tab(view(**content), None, NO_MARKS, whole=False, brief=True, zone=UTC))
    assert brief.index("A scale") < 120


def test_of_evidence_the_facts_tell_its_rating_its_sources_and_what_it_speaks_for():
    content = {"rating": "strong", "source_refs": ("commit:1a", "file:log.txt"), "supports": ("drift", "cold")}
    text = plain(text_tab(view(summary="It drifts", **content), None, NO_MARKS, whole=False, zone=UTC))
    facts = [line.split(maxsplit=1) for line in text.splitlines()]
    assert ["rating", "strong"] in facts
    assert ["sources", "commit:1a, file:log.txt"] in facts
    assert ["supports", "drift, cold"] in facts
    assert "refutes" not in text
    assert "refutes     drift" in plain(text_tab(view(summary="x", refutes=("drift",)), None, NO_MARKS, whole=False))


def test_the_why_tab_tells_each_number_and_how_it_counts():
    tree = product("rank", total("words", leaf("scale", 2.0, "idf 1.2"), leaf("drift", 1.0)), leaf("recency", 0.9))
    lines = [line.text for line in why_tab(tree, 60).lines]
    assert any(line.startswith("× rank") and "2.700" in line for line in lines)
    bars = {line.split()[0]: line.count("━") + line.count("╸") / 2 for line in lines if line.strip()}
    assert abs(bars["scale"] - 2 * bars["drift"]) <= 1 < bars["drift"]
    assert any("recency" in line and "0.900" in line and "━" not in line for line in lines)
    assert any("idf 1.2" in line for line in lines)
    assert all(len(line) <= 60 for line in lines[:-1])
    unranked = {order: plain(why_tab(None, 60, order)) for order in ORDERS}
    assert all("Type to search" in said for said in unranked.values())
    assert len(set(unranked.values())) == len(ORDERS)
    assert "recorded last" in unranked["recorded"]
    assert not any("recorded last" in said for order, said in unranked.items() if order != "recorded")


def test_the_history_tab_tells_what_each_version_changed():
    key = RecordKey(WORKSPACE, "engram", "n")
    first, second = Content(summary="old", tags=("a",)), Content(summary="new [/b]", tags=("a",))
    versions = [
        Version(key, 1, at("2026-01-01"), "remember", "ada", None, first, "", True, ""),
        Version(key, 4, at("2026-01-02"), "update", "bob", "was wrong", second, "", True, ""),
    ]
    prepared = history_tab(versions, UTC)
    text = plain(prepared)
    assert prepared.note == "2 versions"
    assert text.index("update") < text.index("remember")
    assert "was wrong" in text
    assert "− old" in text
    assert "+ new [/b]" in text
    assert "#4" in text


def test_the_history_tab_tells_bounds_apart():
    key = RecordKey(WORKSPACE, "engram", "n")
    begin, end = at("2026-01-01T10:00:05Z"), at("2026-01-01T10:00:45Z")
    contents = Content(summary="a", valid_to=begin), Content(summary="a", valid_to=end, revivals=(Revival(begin, end),))
    versions = [
        Version(key, seq, at("2026-01-02"), "update", "ada", None, content, "", True, "")
        for seq, content in enumerate(contents, 1)
    ]
    text = plain(history_tab(versions, UTC))
    assert "− 1 Jan 2026 10:00:05 UTC" in text
    assert "+ 1 Jan 2026 10:00:45 UTC" in text
    assert "out of force 1 Jan 2026 10:00:05 UTC – 1 Jan 2026 10:00:45 UTC" in text
