"""What a query's own filters let pass: the same over every corpus, before ranks and limits, and cheap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.model.belief import NOW
from memtui.model.instants import DAY
from memtui.model.records import KINDS, Claim, Content, Finding, HomophonicLink, RecordKey
from memtui.model.versions import Draft
from memtui.search.fetched import FetchedCorpus
from memtui.search.filters import RecordFilters
from memtui.search.request import SearchRequest
from memtui.search.resident import ResidentCorpus
from memtui.search.searcher import Searcher
from memtui.search.unheld import unheld_values
from memtui.text.analysis import analyse
from memtui.text.phrases import spelled, stands_in
from memtui.text.query_language import parse
from tests.clocks import START, SteppingClock, at
from tests.twins.ledger import TwinLedger

PRESENT = START + 400 * DAY
CORPORA = pytest.mark.parametrize("corpus", [ResidentCorpus.load, FetchedCorpus])


def remembered(*records, clock=None):
    """A ledger of (name, summary, further fields); each is recorded a day after the one before it."""
    ledger = TwinLedger(clock or SteppingClock(step=DAY))
    for name, summary, *more in records:
        fields = {"valid_from": START, **(more[0] if more else {})}
        kind = fields.pop("kind", "engram")
        with ledger.writing() as unit:
            content = Content(summary=summary, **fields)
            unit.append(Draft(RecordKey("workspace", kind, name), "remember", content, "t"))
    return ledger


def request(query, **options):
    return SearchRequest(query, **{"limit": 50, "filters": RecordFilters.of(parse(query)), **options})


def asked(ledger, query, corpus=ResidentCorpus.load, **options):
    with ledger.reading() as unit:
        return Searcher(corpus(unit, ["workspace"])).search(request(query, **options), PRESENT)


def names(result):
    return [hit.name for hit in result.hits]


@pytest.fixture
def farm():
    gone = {"valid_to": START + DAY}
    return remembered(
        ("kettle", "The olive kettle holds the line", {"tags": ("Tea", "old stuff"), "pinned": True}),
        ("lost", "An olive plan that was dropped", gone),
        ("replaced", "The olive press opens at nine", {**gone, "superseded_by": "press"}),
        ("press", "The olive press opens at ten", {"area": "Feature/Press", "valid_from": at("2026-06-01")}),
        ("mill", "Olive mills hold the lines", {"claims": (Claim("owner", "Anna Lee"), Claim("open", None, "Mill/x"))}),
        ("study", "Olive study", {"kind": "research", "findings": (Finding("it lasts", "strong"),)}),
        ("proof", "Olive proof", {"kind": "evidence", "rating": "4"}),
        ("digest", "Olive digest", {"kind": "note", "tags": ("digest",), "extra": {"rating": 2.0}}),
    )


@CORPORA
@pytest.mark.parametrize(
    ("filters", "passing"),
    [
        ("kind:research", ["study"]),
        ("kind:research kind:note", ["digest", "study"]),
        ("kind:engram -kind:note", ["kettle", "mill", "press"]),
        ("-kind:engram -kind:note", ["proof", "study"]),
        ("kind:research -kind:research", []),
        ("tag:tea", ["kettle"]),
        ('tag:tea tag:"OLD stuff"', ["kettle"]),
        ("tag:tea tag:digest", []),
        ("tag:téa", ["kettle"]),
        ("-tag:TÉA kind:engram", ["mill", "press"]),
        ("area:fêature/pręss/", ["press"]),
        ('claim:"ówner=anna łee"', ["mill"]),
        ("-tag:tea -tag:digest", ["mill", "press", "proof", "study"]),
        ("area:feature/press", ["press"]),
        ("area:Feature", ["press"]),
        ("area:Feature/", ["press"]),
        ("area:Feature/Pre", []),
        ("area:Feature/Press area:general", ["kettle", "mill", "press", "proof", "study"]),
        ("-area:general", ["digest", "press"]),
        ("is:pinned", ["kettle"]),
        ("-is:pinned kind:engram", ["mill", "press"]),
        ("is:capture", ["digest"]),
        ("is:forgotten", ["lost"]),
        ("is:superseded", ["replaced"]),
        ("is:forgotten is:superseded", ["lost", "replaced"]),
        ("is:forgotten is:pinned", []),
        ("is:contradicted is:pinned", []),
        ("before:2026-06-01 kind:engram", ["kettle", "mill"]),
        ("after:2026-06-01", ["press"]),
        ("after:2026-06", ["press"]),
        ("after:2026-01-01 before:2026-06-01 kind:engram", ["kettle", "mill"]),
        ("recorded-after:2026-01-08", ["digest", "proof"]),
        ("recorded-before:2026-01-03", ["kettle"]),
        ("claim:owner=anna", []),
        ('claim:"owner=anna lee"', ["mill"]),
        ("claim:OWNER", ["mill"]),
        ("claim:general::owner", ["mill"]),
        ("claim:Feature/Press::owner", []),
        ("claim:mill/x::open", ["mill"]),
        ('claim:owner="!Anna Lee"', []),
        ("rating:strong", ["study"]),
        ("rating:>=2", ["digest", "proof", "study"]),
        ("rating:>4", ["study"]),
        ("rating:4 rating:strong", ["proof", "study"]),
        ("-rating:strong kind:research", []),
        ('"hold the line"', []),
        ('"HOLDS the\tLine"', ["kettle"]),
        ('"hold the lines"', ["mill"]),
        ('-"hold the line"', ["digest", "kettle", "mill", "press", "proof", "study"]),
        ('-"holds the line"', ["digest", "mill", "press", "proof", "study"]),
        ('kind:engram -"opens at" -“hold the lines”', ["kettle"]),
        ("-press", ["digest", "kettle", "mill", "proof", "study"]),
        ("-mill", ["digest", "kettle", "press", "proof", "study"]),
        ("-study -proof -press", ["digest", "kettle", "mill"]),
    ],
)
def test_what_passes(farm, corpus, filters, passing):
    found = asked(farm, f"olive {filters}", corpus)
    assert sorted(names(found)) == passing
    for limit in range(1, 4):
        assert names(asked(farm, f"olive {filters}", corpus, limit=limit)) == names(found)[:limit]
    assert sorted(names(asked(farm, f"* {filters}", corpus))) == passing


@CORPORA
def test_filters_hold_beside_the_arguments(farm, corpus):
    assert names(asked(farm, "olive tag:tea", corpus, kinds=("engram",))) == ["kettle"]
    assert names(asked(farm, "olive kind:engram", corpus, kinds=("note",))) == []
    assert names(asked(farm, "olive tag:tea", corpus, tags=("old stuff",))) == ["kettle"]
    assert names(asked(farm, "olive kind:engram", corpus, area="Feature/Press")) == ["press"]


@CORPORA
def test_stale_is_what_hardly_anything_is_left_of(corpus):
    clock = SteppingClock()
    ledger = remembered(
        ("faint", "olive one", {"confidence": "faint"}),
        ("burning", "olive two", {"stability_days": 5_000.0}),
        ("recalled", "olive three", {"confidence": "faint"}),
        ("page", "olive four", {"kind": "note"}),
        clock=clock,
    )
    clock.now = PRESENT - DAY
    with ledger.writing() as unit:
        unit.recall([RecordKey("workspace", "engram", "recalled")], reader="workspace", cue="olive", actor="t")
    for query in ("olive is:stale", "is:stale"):
        assert names(asked(ledger, query, corpus)) == ["faint"]
    assert names(asked(ledger, "is:stale", corpus, scoring_now=START + 4 * DAY)) == []


@CORPORA
def test_filters_alone_give_what_passes_newest_first(farm, corpus):
    everything = ["digest", "proof", "study", "mill", "press", "kettle"]
    assert names(asked(farm, "*", corpus)) == everything
    assert names(asked(farm, "*", corpus, limit=2)) == everything[:2]
    assert names(asked(farm, "* -mill", corpus)) == [name for name in everything if name != "mill"]
    assert names(asked(farm, "kind:engram", corpus)) == ["mill", "press", "kettle"]
    assert names(asked(farm, "kind:engram -", corpus)) == ["mill", "press", "kettle"]
    assert names(asked(farm, "is:superseded is:forgotten", corpus)) == ["replaced", "lost"]
    assert names(asked(farm, "*", corpus, everything=True)) == [*everything[:-1], "replaced", "lost", "kettle"]
    assert names(asked(farm, "tag:tea", corpus, limit=1)) == ["kettle"]
    assert names(asked(farm, "is:contradicted", corpus)) == []
    assert names(asked(farm, "-mill", corpus)) == ["mill"]
    for hit in asked(farm, "*", corpus).hits:
        assert hit.explanation.evaluate() == pytest.approx(hit.rank_score)
        assert (hit.score, hit.coverage) == (0.0, 0.0)
        assert hit.passage.text


@CORPORA
def test_of_what_was_recorded_at_once_what_is_true_since_last_comes_first(corpus):
    ledger = TwinLedger(SteppingClock(step=DAY))
    with ledger.writing() as unit:
        for name, since in (("b", START), ("a", START), ("c", START + DAY)):
            unit.append(
                Draft(RecordKey("workspace", "note", name), "sync", Content(summary="x", valid_from=since), "t")
            )
    assert names(asked(ledger, "*", corpus, everything=True)) == ["c", "a", "b"]


@CORPORA
def test_what_is_hidden_is_counted_as_the_filters_have_it(farm, corpus):
    assert asked(farm, "olive", corpus).hidden == 2
    assert asked(farm, "olive -plan", corpus).hidden == 1
    assert asked(farm, "olive is:pinned", corpus).hidden == 0
    assert asked(farm, 'olive "opens at nine"', corpus).hidden == 1
    assert asked(farm, "kind:engram", corpus).hidden == 2
    assert asked(farm, "olive is:forgotten", corpus).hidden == 0


def test_excluding_goes_by_words_not_by_letters():
    ledger = remembered(
        ("one", "olive scale"),
        ("two", "olive scales"),
        ("three", "olive scaler"),
        ("four", "olive getUserName"),
        ("five", "olive foo-bar"),
        ("six", "olive foo bar"),
        ("seven", "olive 東京都"),
        ("eight", "olive toplantıda"),
    )
    every = names(asked(ledger, "olive"))

    def left_out(word):
        return sorted(set(every) - set(names(asked(ledger, f"olive -{word}"))))

    assert left_out("scale") == ["one", "two"]
    assert left_out("getusername") == ["four"]
    assert left_out("foo-bar") == ["five"]
    assert left_out("foo") == ["five", "six"]
    assert left_out("東京") == ["seven"]
    assert left_out("TOPLANTI") == ["eight"]
    assert left_out("nowhere") == []


def test_a_phrase_counts_as_words_too_and_is_no_word_being_typed():
    ledger = remembered(("a", "hold the line"), ("b", "the line is held by olive"), ("c", "hold the linen"))
    found = asked(ledger, '"hold the line"')
    assert names(found) == ["a"]
    (hit,) = found.hits
    assert hit.score > 0
    assert hit.coverage == pytest.approx(1.0)
    assert [hit.snippet[start:end] for start, end in hit.spans] == ["hold", "line"]


def test_a_quoted_name_is_found_by_it():
    ledger = remembered(("328eaec3-18f0", "Retry limit is five"), ("other", "Retry limit was three"))
    assert names(asked(ledger, '"328eaec3-18f0"')) == ["328eaec3-18f0"]


def test_an_association_and_its_place_are_not_given_to_what_is_left_out():
    ledger = remembered(
        ("owl", "Birds of the valley", {"tags": ("t",)}),
        ("jay", "Birds of the hill", {"pinned": True}),
        (
            "mill",
            "The mill hums",
            {
                "area": "Machine/mill",
                "pinned": True,
                "homophonic_links": (HomophonicLink("owl"), HomophonicLink("jay")),
            },
        ),
    )
    assert set(names(asked(ledger, "Machine/mill", ecphory=True))) == {"mill", "owl", "jay"}
    assert set(names(asked(ledger, "Machine/mill is:pinned", ecphory=True))) == {"mill", "jay"}
    assert set(names(asked(ledger, "Machine/mill -hill", ecphory=True))) == {"mill", "owl"}


def test_the_cue_is_what_is_looked_for():
    plain, filtered = request("tea kettle"), request('tea kind:engram tag:ops -draft "kettle"')
    assert (plain.words, plain.topics, plain.filters) == ("tea kettle", (), None)
    assert (filtered.words, filtered.topics) == ("tea kettle", ("ops",))
    assert request("kind:engram -draft").words == ""
    assert request("olive kind:bogus").filters.query.ignored == ("kind:bogus",)


def test_kinds_are_known_before_anything_is_read():
    def within(query, kinds=()):
        return RecordFilters(parse(query)).kinds_within(kinds)

    assert within("kind:note kind:task") == ("task", "note")
    assert within("x -kind:note") == tuple(kind for kind in KINDS if kind != "note")
    assert within("kind:note", ("engram", "note")) == ("note",)
    assert within("kind:note", ("engram",)) == ("engram",)
    assert within("is:pinned") == ()


# --- Values that nothing has ----------------------------------------------------------------------


def unheld(ledger, query, corpus=ResidentCorpus.load, *, everything=False, **options):
    with ledger.reading() as unit:
        searcher = Searcher(corpus(unit, ["workspace"]))
        believed = searcher.mask(NOW, PRESENT, everything=True)
        mask = searcher.mask(NOW, PRESENT, everything=everything)
        return unheld_values(searcher.corpus, believed, mask, request(query, **options).conditions)


@CORPORA
@pytest.mark.parametrize(
    ("filters", "told"),
    [
        ("tag:te", ["no tag is called te; near: Tea"]),
        ("tag:stuf", ["no tag is called stuf; near: old stuff"]),
        ("tag:pref", ["no tag is called pref"]),
        ("area:featur", ["no area is called featur; near: Feature/Press"]),
        ("claim:ownr=x", ["nothing claims ownr=x; near: owner="]),
        ("claim:owner=Ann", ["nothing claims owner=Ann; near: owner=Anna Lee"]),
        ("tag:te area:nowhere", ["no tag is called te; near: Tea", "no area is called nowhere"]),
        ("tag:TEA area:Feature/Press", []),
        ("-tag:te kind:note is:pinned before:2000", []),
        ('"hold nothing"', []),
    ],
)
def test_a_value_that_nothing_has_is_told_with_the_nearest(farm, filters, told, corpus):
    assert list(unheld(farm, filters, corpus)) == told


def test_what_only_forgotten_ones_have_is_no_unknown_value_and_is_not_offered():
    ledger = remembered(
        ("gone", "Gone", {"tags": ("secret",), "valid_to": START + DAY}), ("here", "Here", {"tags": ("open",)})
    )
    assert unheld(ledger, "tag:secret") == ()
    assert unheld(ledger, "tag:secre") == ("no tag is called secre",)
    assert unheld(ledger, "tag:secre", everything=True) == ("no tag is called secre; near: secret",)
    assert unheld(ledger, "x", tags=("opn",)) == ("no tag is called opn; near: open",)


def test_accents_of_either_side_do_not_matter():
    ledger = remembered(("a", "Kapı", {"tags": ("güvenlik",), "area": "Bölge/Kuzey"}))
    for query in ("tag:guvenlik", "tag:GÜVENLİK", "area:bolge/", "area:BÖLGE/kuzey", "tag:gu\u0308venlik"):
        assert names(asked(ledger, query)) == ["a"], query


# --- A law: columns and postings tell what reading every record would ----------------------------

WORDS = ["olive", "mill", "Mills", "çay", "cay", "src/app.ts", "hold", "the", "line", "東京都"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
RECORDS = st.lists(
    st.tuples(
        TEXTS, st.sampled_from(KINDS), st.booleans(), st.booleans(), st.sampled_from(["t", "u"]), st.integers(0, 5)
    ),
    max_size=7,
)
CONDITIONS = st.sampled_from(
    [
        *(f"kind:{kind}" for kind in KINDS[:4]),
        "is:pinned",
        "is:forgotten",
        "tag:t",
        "after:2026-01-03",
        "before:2026-01-04",
        "recorded-after:2026-01-04",
        "-kind:note",
        "-is:pinned",
        "-tag:t",
        "-mill",
        "-çay",
        "-the",
        '"hold the line"',
        '"cay"',
        '-"the line"',
        '-"cay"',
        '-"京都"',
        '"app.ts"',
        '"京都"',
    ]
)


def passes(condition, version, state):
    """The same by reading the record: the twin of what columns and postings tell."""
    negated = condition.startswith("-")
    field, _, value = condition.removeprefix("-").partition(":")
    content = version.content
    own = f"{content.title}\n{content.body}"
    match field:
        case "kind":
            held = version.key.kind == value
        case "is":
            held = content.pinned if value == "pinned" else state == "forgotten"
        case "tag":
            held = value in content.tags
        case "after":
            held = content.valid_from >= at(value)
        case "before":
            held = content.valid_from < at(value)
        case "recorded-after":
            held = version.recorded_at >= at(value)
        case _ if condition.removeprefix("-").startswith('"'):
            held = stands_in(spelled(condition.removeprefix("-").strip('"')), spelled(own))
        case _:
            (word,) = analyse(condition.removeprefix("-"))
            held = word.score_tokens[0] in {token for found in analyse(own) for token in found.tokens}
    return held != negated


@given(RECORDS, st.lists(CONDITIONS, min_size=1, max_size=4, unique=True))
def test_what_passes_is_what_reading_every_record_would_let_pass(records, conditions):
    ledger = TwinLedger(SteppingClock(step=DAY))
    for number, (text, kind, pinned, gone, tag, days) in enumerate(records):
        content = Content(
            title=text,
            body="olive",
            pinned=pinned,
            tags=(tag,),
            valid_from=START + days * DAY,
            valid_to=START + (days + 1) * DAY if gone else None,
        )
        with ledger.writing() as unit:
            unit.append(Draft(RecordKey("workspace", kind, f"r{number}"), "sync", content, "t"))
    kinds = [c for c in conditions if c.startswith("kind:")]
    rest = [c for c in conditions if c not in kinds]
    with ledger.reading() as unit:
        versions = unit.tail({})
    expected = []
    for version in versions:
        state = version.content.state_at(PRESENT)
        if (state == "in_force") == ("is:forgotten" in conditions):
            continue
        of_kind = not kinds or any(passes(kind, version, state) for kind in kinds)
        if of_kind and all(passes(condition, version, state) for condition in rest):
            expected.append(version.key.name)
    query = " ".join(["olive", *conditions])
    for corpus in (ResidentCorpus.load, FetchedCorpus):
        assert sorted(names(asked(ledger, query, corpus))) == sorted(expected)


@given(st.text())
def test_no_query_makes_it_fail(text):
    ledger = remembered(("a", "olive mill", {"tags": ("t",)}))
    for hit in asked(ledger, text).hits:
        assert hit.explanation.evaluate() == pytest.approx(hit.rank_score, abs=1e-9)


def test_a_query_of_words_alone_is_asked_as_ever():
    assert RecordFilters.of(parse("olive http://x C++ -5")) is not None  # -5 leaves out a 5
    for text in ("olive", "http://x C++", "", "*x"):
        assert RecordFilters.of(parse(text)) is None


@pytest.mark.parametrize(
    "query", ['array[0] == "x" && y || z', "C:\\agent ^start$", "grammar::fa", "C# http://x/y?z=1"]
)
def test_signs_that_are_no_operators_are_searched_as_the_words_they_hold(query):
    ledger = remembered(
        ("list", 'array[0] == "x" && y || z'),
        ("path", "path is C:\\agent\\logs and ^start$"),
        ("name", "grammar::fa builds automata"),
        ("page", "C# at http://x/y?z=1"),
    )
    expected = {"array": "list", "C:": "path", "gramm": "name", "C#": "page"}
    assert names(asked(ledger, query))[0] == next(name for begin, name in expected.items() if query.startswith(begin))
