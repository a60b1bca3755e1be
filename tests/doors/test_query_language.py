"""The query language through the library and the command line: the same answers, and no text that makes it fail."""

from __future__ import annotations

import numpy as np
import pytest

from memtui.model.results import Understood
from memtui.text.query_completing import completions
from tests.clocks import START, SteppingClock
from tests.memory.stores import opened


@pytest.fixture
def farm(memtui, prepared):
    def build():
        memtui("remember", "The kettle holds the line", "--name", "kettle", "--tag", "tea", "--pin")
        memtui("remember", "A draft about the kettle", "--name", "draft", "--area", "Feature/Press")
        memtui("remember", "The old kettle leaks", "--name", "old", "--claim", "owner=Anna Lee")
        memtui("forget", "old")

    prepared("farm", build)
    return memtui


def names(answer):
    return [hit["name"] for hit in answer.json["hits"]]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("kettle kind:engram", {"kettle", "draft"}),
        ("kettle kind:note", set()),
        ("kettle tag:Tea", {"kettle"}),
        ("kettle -draft", {"kettle"}),
        ('"holds the line"', {"kettle"}),
        ('"hold the line"', set()),
        ("area:Feature/Press", {"draft"}),
        ("area:feature", {"draft"}),
        ("is:forgotten", {"old"}),
        ('is:forgotten claim:owner="Anna Lee"', {"old"}),
        ("is:pinned", {"kettle"}),
        ("recorded-after:2000-01-01 recorded-before:2000-01-02", set()),
        ("*", {"kettle", "draft"}),
    ],
)
@pytest.mark.parametrize("command", ["search", "recall"])
def test_both_commands_understand_it(farm, command, query, found):
    assert set(names(farm(command, "--json", "--", query))) == found
    assert set(names(farm(command, "--json", "-", stdin=query))) == found


@pytest.mark.parametrize("command", ["search", "recall"])
def test_a_query_may_begin_with_what_it_leaves_out(farm, command):
    for words in (
        ["-draft kettle", "--json"],
        ["--json", "-k", "3", "-draft kettle", "--types", "engram"],
        ["--json", "kettle", "-draft is:pinned"],
        ["-kind:note -draft the kettle", "--json"],
        ["--json", "-draft kettle", "--", "-press"],
    ):
        assert names(farm(command, *words)) == ["kettle"], words
    assert farm(command, "--json", "-draft kettle").json["query"] == "-draft kettle"
    assert names(farm(command, "--json", "--area", "-no area", "kettle")) == []


@pytest.mark.parametrize("word", ["-draft", "-kind:engram", "-x", "-ölçek"])
def test_a_word_with_a_dash_alone_is_an_option_and_the_refusal_tells_the_ways_out(farm, word):
    for words in ([word], ["kettle", word], [word, "kettle", "-k", "3"]):
        answer = farm("search", *words)
        assert (answer.status, answer.out) == (2, ""), words
        assert f"'kettle {word}'" in answer.err
        assert f"`-- {word} kettle`" in answer.err
        assert f"'kettle {word}'" in farm("search", "--json", *words).error["hint"]
    assert names(farm("search", "--json", "--", "-draft", "kettle")) == ["kettle"]
    for words in (["-k", "many", "kettle"], ["--tagg", "tea", "kettle"], ["kettle", "--area"]):
        assert "kettle -" not in farm("search", *words).err, words


def test_other_texts_may_begin_with_a_dash_too(memtui):
    assert memtui("remember", "-5 °C is too cold", "--name", "cold").status == 0
    assert memtui("supersede", "cold", "-6 °C is too cold", "--name", "colder").status == 0
    assert memtui("note", "- the scale", "--type", "fix").status == 0
    assert memtui("history", "--search", "-draft scale", "--json").json["query"] == "-draft scale"
    shown = memtui("list", "--json", "--all").json["records"]
    assert {"-5 °C is too cold", "-6 °C is too cold", "- the scale"} <= {r["summary"] or r["title"] for r in shown}


@pytest.mark.parametrize("said", ["yesterday", "6w", "last-month", '"3 weeks ago"', "2020-08", "dün"])
def test_a_date_may_be_said_as_people_say_it(farm, said):
    assert set(names(farm("search", "--json", f"kettle after:{said}"))) == {"kettle", "draft"}
    assert names(farm("search", "--json", f"kettle before:{said}")) == []
    assert names(farm("search", "--json", "--now", "1999-08-08", 'kettle before:"in 99 years"'))
    assert farm("search", "--json", f"kettle recorded-after:{said}").json["ignored_filters"] == []


def test_an_area_takes_what_lies_under_it_along(farm):
    farm("remember", "A kettle in the press room", "--name", "room", "--area", "Feature/Press/room")
    assert set(names(farm("search", "--json", "kettle area:Feature/Press"))) == {"draft", "room"}
    assert names(farm("search", "--json", "--area", "Feature/Press/", "kettle -draft")) == ["room"]
    assert names(farm("search", "--json", "kettle area:Feature/Pre")) == []
    assert farm("list", "--area", "feature", "--json").json["total"] == 2


def test_options_and_the_query_must_both_hold(farm):
    assert names(farm("search", "--json", "--types", "note", "kettle kind:engram")) == []
    assert names(farm("search", "--json", "--tag", "tea", "kettle kind:engram")) == ["kettle"]


@pytest.mark.parametrize("query", ["kind:bogus", "before:soon"])
def test_what_cannot_be_applied_is_named_and_fails_nothing(farm, query):
    answer = farm("search", "--json", f"kettle {query}").json
    assert answer["ignored_filters"] == [query]
    (told,) = answer["reservations"]
    assert told.startswith(f"{query} was left out: ")
    assert answer["query"] == f"kettle {query}"
    assert {hit["name"] for hit in answer["hits"]} == {"kettle", "draft"}
    told = farm("search", f"kettle {query}")
    assert told.status == 0
    assert f"{query} was " in told.out
    plain = farm("search", "--plain", f"kettle {query}")
    assert f"memtui: {query} was " in plain.err
    assert query not in plain.out
    assert farm("search", "--plain", "kettle").err == ""


def test_an_unknown_kind_is_named_with_those_there_are(farm):
    told = " ".join(farm("search", "kettle kind:bogus").out.split())
    assert "kind:bogus was left out: there is no kind 'bogus' (engram, research," in told
    assert (
        "kind:tasks was left out: there is no kind 'tasks'; did you mean kind:task?" in farm("search", "kind:tasks").out
    )
    assert farm("search", "kettle", "--types", "bogus").status == 2


@pytest.mark.parametrize("query", ["kind:kettle", "before:kettle", "is:kettle", "rating:draft", "kind:kettle -draft"])
def test_a_query_of_nothing_that_can_be_applied_finds_nothing_and_says_why(farm, query):
    for command in ("search", "recall"):
        answer = farm(command, "--json", query)
        assert (answer.status, names(answer), answer.json["ignored_filters"]) == (0, [], [query.split()[0]])
        assert " was left out: " in farm(command, "--plain", query).err


@pytest.mark.parametrize("query", ["", '"', '""', "*", "-", "%", ":", "::", "kind:", '"kettle', "* *"])
def test_no_query_fails(farm, query):
    answer = farm("search", "--json", "-", stdin=query)
    assert (answer.status, answer.json["ignored_filters"]) == (0, [])


@pytest.mark.parametrize("query", ["-kettle", "-kind:", '-"the kettle"'])
def test_an_exclusion_alone_is_searched_as_words_and_named(farm, query):
    answer = farm("search", "--json", "-", stdin=query)
    assert (answer.status, answer.json["ignored_filters"]) == (0, [query])
    told = " ".join(farm("search", "-", stdin=query).out.split())
    assert f"{query} was searched as words: an exclusion needs something to search for beside it" in told


def test_what_the_filters_leave_out_is_counted_where_nothing_passes(farm):
    def told(*arguments):
        return farm("search", *arguments).out

    assert "2 records match the words but not the filters" in told("kettle tag:nosuch")
    assert "1 record matches the words but not the filters" in told("draft", "--types", "note")
    assert "2 records match the words but not the filters" in told('kettle "leaks the draft" -line tag:x')
    assert "1 record matches the words but not the phrase" in told('"line holds"')
    for query in ("nowhere tag:nosuch", "tag:nosuch", "kettle tag:tea", "kettle"):
        assert "match the words" not in told(query)


def test_a_value_that_nothing_has_is_told_where_nothing_is_found(farm):
    farm("remember", "Presses are slow", "--name", "slow", "--tag", "performance")
    told = "no tag is called perf; near: performance"
    assert told in farm("search", "tag:perf").out
    assert told in farm("recall", "kettle", "--tag", "perf").out
    assert f"memtui: {told}" in farm("search", "--plain", "tag:perf").err
    assert farm("search", "--json", "tag:perf").json["reservations"] == [told]
    assert farm("search", "--json", "kettle tag:tea").json["reservations"] == []
    assert farm("search", "--json", "tag:perf", "-k", "1", "--all").json["reservations"] == [told]


def test_the_help_shows_the_language(memtui):
    assert "recorded-before:" in memtui("recall", "--help").out
    assert "kind:engram is:pinned -draft" in memtui("search", "--help").out


# --- Through the library -------------------------------------------------------------------------


class Listening:
    """An embedder that remembers what it was asked."""

    model_id, dims, semantic = "listening-1", 384, True

    def __init__(self):
        self.queries = []

    def embed(self, texts, *, purpose):
        if purpose == "query":
            self.queries.extend(texts)
        vectors = np.zeros((len(texts), self.dims), dtype=np.float32)
        vectors[:, 0] = 1.0
        return vectors


@pytest.fixture
def memory(vault):
    made = opened("resident", vault, SteppingClock(START, 1_000))
    made.remember("The kettle is on the shelf", name="kettle", tags=["tea"])
    made.remember("A draft about the kettle", name="draft")
    return made


@pytest.mark.slow
def test_an_embedder_is_told_what_is_looked_for_and_no_sign_of_the_language(memory):
    embedder = Listening()
    memory.register_embedder(embedder)
    memory.embed()
    for query in ('kettle kind:engram -draft "the shelf"', "kettle", "kind:engram is:pinned", "*"):
        memory.search(query, semantic=True)
    assert embedder.queries == ["kettle the shelf", "kettle"]
    found = memory.search("kettle -draft", semantic=True)
    assert (found.plane, [hit.name for hit in found]) == ("hybrid", ["kettle"])


@pytest.mark.slow
def test_an_answer_is_to_what_was_typed(memory):
    found = memory.recall('"the kettle" kind:nothing -draft', reconsolidate=False)
    assert found.query == '"the kettle" kind:nothing -draft'
    assert found.ignored_filters == ("kind:nothing",)
    understood = found.understood
    assert (understood.words, understood.filters, understood.narrowed_by) == ("the kettle", (), "filters")
    assert [sentence.split(":")[0] for sentence in understood.reservations] == ["kind"]
    assert memory.search("tag:tea area:Farm/x").understood.filters == ("tag:tea", "area:Farm/x")
    assert memory.search("kettle").understood == Understood("kettle")
    assert [hit.name for hit in found] == ["kettle"]


@pytest.mark.slow
def test_closest_names_are_of_what_is_looked_for(memory):
    assert memory.search('"kettel" kind:engram').closest == ("kettle",)
    assert memory.search("kettel kind:note").closest == ()
    assert memory.search("kind:note").closest == ()


@pytest.mark.slow
@pytest.mark.parametrize("style", ["resident", "one-shot"])
def test_closest_names_are_of_what_the_filters_let_pass(vault, style):
    memory = opened(style, vault, SteppingClock(START, 1_000))
    memory.remember("On the shelf", name="kettle", tags=["tea"], pinned=True)
    memory.remember("On the table", name="kettles")

    def closest(query, **options):
        found = memory.search(query, **options)
        assert not found.hits
        return found.closest

    assert set(closest("kettal")) == set(closest("kettal kind:engram")) == {"kettle", "kettles"}
    assert closest("kettal tag:tea") == closest("kettal is:pinned") == closest("kettal", tags=["tea"]) == ("kettle",)
    assert closest("kettal -tag:tea") == closest('kettal -"on the shelf"') == closest("kettal -shelf") == ("kettles",)
    assert closest("kettal kind:note") == closest("kettal", kinds=["note"]) == ()
    assert set(closest('"kettal"')) == {"kettle", "kettles"}


@pytest.mark.slow
def test_filters_ask_at_a_belief_state(memory):
    then = memory.show("draft").recorded_at
    memory.forget("draft")
    assert [hit.name for hit in memory.search("is:forgotten")] == ["draft"]
    assert [hit.name for hit in memory.search("is:forgotten", as_of=then)] == []
    assert {hit.name for hit in memory.search("kind:engram", as_of=then)} == {"kettle", "draft"}
    assert memory.list(tags=["tea"]).total == 1


@pytest.mark.slow
def test_a_query_is_completed_with_what_is_in_sight(memory):
    memory.remember("Press", name="press", tags=["Tea", "tea", "ops"], area="Feature/Press", claims=["owner=Bo"])
    memory.remember("More tea", name="more", tags=["tea"])
    memory.remember("Gone", name="gone", tags=["secret"], area="Feature/Secret", claims=["hidden=1"])
    memory.forget("gone")
    known = memory.vocabulary()
    assert known.areas == ("general", "Feature/Press")
    assert known.tags == ("tea", "ops")
    assert known.predicates == ("owner",)
    assert "secret" in memory.vocabulary(all=True).tags
    (offered,) = completions("x area:fea", 10, known)
    assert [hit.name for hit in memory.search(f"area:{offered.text}")] == ["press"]


@pytest.mark.slow
def test_filters_alone_bring_nothing_to_mind(memtui):
    memtui("remember", "The kettle whistles", "--name", "kettle")
    assert memtui("recall", "kind:engram", "--json").json["hits"][0]["name"] == "kettle"
    assert memtui("show", "kettle", "--json").json["cues"] == []
    memtui("recall", "kettle kind:engram")
    assert memtui("show", "kettle", "--json").json["cues"] != []


def test_a_query_that_is_too_long_says_how_far_it_was_read(memtui):
    assert memtui("remember", "The mill grinds at six").status == 0
    long = "mill " * 1_000
    told = memtui("search", f"{long} kind:task")
    assert "only the first 3,999 characters were read" in told.out.replace("\n ", "")
    found = memtui("search", "--json", f"{long} kind:task").json
    assert any("first" in said for said in found["reservations"])
    assert memtui("search", "--json", "mill").json["reservations"] == []
    (said,) = memtui("search", "--json", f"mill {'x' * 5_000}").json["reservations"]
    assert "4,000" in said  # a word without end is cut rather than left out
