"""The query language: any text is a query, and only what is meant as an operator is one."""

from __future__ import annotations

from datetime import timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtui.errors import InvalidInput
from memtui.model.instants import DAY, HOUR
from memtui.model.records import KINDS
from memtui.text.phrases import spelled, stands_in
from memtui.text.query_completing import Vocabulary, completions
from memtui.text.query_filters import FIELDS, IS_WORDS, field_named, read_filter, written
from memtui.text.query_language import in_words, parse

UTC = timezone.utc
_SIGNS = ['"', ":", "-", "*", "“", "”", " ", "\n", "=", ">=", "::", "//", "!", "İ"]
_PARTS = [*FIELDS, *IS_WORDS, *KINDS, "2026-08-01", "owner", "kettle", "çağrı", "日本", "4", "strong", *_SIGNS]
ANY_TEXT = st.one_of(st.text(), st.lists(st.sampled_from(_PARTS), max_size=14).map("".join))
VALUES = st.text(min_size=1).map(str.strip).filter(bool)
FILTERS = st.one_of(
    st.tuples(st.just("kind"), st.sampled_from(KINDS)),
    st.tuples(st.just("is"), st.sampled_from(sorted(IS_WORDS))),
    st.tuples(st.sampled_from(["area", "tag"]), VALUES),
    st.tuples(st.sampled_from([f for f in FIELDS if "before" in f or "after" in f]), st.dates().map(str)),
    st.tuples(
        st.just("claim"), st.lists(st.sampled_from(["a", "b c", "::", "=", "!", "+", '"']), min_size=1).map("".join)
    ),
    st.tuples(st.just("rating"), st.sampled_from(["strong", "4", ">=3", "< weak", "unrated", "=2.5"])),
)


def roles(text):
    query = parse(text)
    return [(piece.role, query.typed(piece)) for piece in query.pieces]


def filters(text):
    return [str(asked) for asked in parse(text).filters]


# --- Laws ----------------------------------------------------------------------------------------


@given(ANY_TEXT)
@example('tag:"""')
@example("ıſ:pinned -* * -1")
def test_no_text_makes_it_fail_and_pieces_lie_in_order(text):
    query = parse(text)
    end = 0
    for piece in query.pieces:
        assert end <= piece.start < piece.end <= len(text)
        assert not text[end : piece.start].strip()
        assert query.typed(piece) == query.typed(piece).strip()
        end = piece.end
    assert not text[end:].strip()
    assert len(query.positive) == len(text)
    assert all(own in (typed, " ") for own, typed in zip(query.positive, text, strict=True))
    assert len(query.reservations()) == len(query.ignored)


@given(ANY_TEXT)
def test_a_text_without_operators_is_given_back(text):
    query = parse(text)
    if query.plain:
        assert (query.positive, query.words) == (text, in_words(text))
        assert all(piece.role == "text" for piece in query.pieces)


@given(FILTERS, st.booleans())
def test_a_filter_that_is_written_out_is_read_as_the_same(asked, excludes):
    try:
        made = read_filter(*asked, UTC, excludes=excludes)
    except InvalidInput:  # signs that make no claim
        return
    query = parse(f"kettle {made}")
    assert query.filters == (made,)
    assert query.words == "kettle"


@given(ANY_TEXT, st.integers(-2, 60), ANY_TEXT)
def test_a_completion_replaces_what_is_begun_and_is_understood(text, cursor, known):
    vocabulary = Vocabulary(areas=(known,) if known.strip() else (), tags=("ops", "a b"), predicates=("owner",))
    for found in completions(text, cursor, vocabulary):
        assert 0 <= found.start <= max(0, min(cursor, len(text)))
        assert found.start <= found.end <= len(text)
        if found.whole:
            begun = text[: found.start].rsplit(None, 1)[-1]
            assert parse(f"x {begun}{found.text}").filters


@given(ANY_TEXT)
def test_a_query_without_its_operators_asks_for_words(text):
    query = parse(text)
    left = query.without(piece for piece in query.pieces if piece.role != "text")
    text_pieces = "".join(query.typed(piece) for piece in query.pieces if piece.role == "text")
    assert "".join(left.split()) == "".join(text_pieces.split())


@given(ANY_TEXT, ANY_TEXT)
def test_a_phrase_stands_in_every_text_around_it(phrase, other):
    plain = spelled(phrase)
    assert spelled(plain) == plain
    assert stands_in(plain, spelled(f"{other}\n{phrase}\n{other}"))


# --- What is text --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "http://x/y?a=b",
        "src/app.ts:12",
        "C++",
        "::",
        "std::vector",
        "tag::type",
        "area://x",
        "12:30",
        "localhost:8080",
        "foo:bar",
        "title:",
        "kind:",
        'tag:""',
        "what kind: of thing",
        "e-mail",
        "-- -_x - kettle",
        '"',
        '""',
        '"!!"',
        'a 5" disk and a 3" one',
        'a "quote that never ends',
        'area:"Feature/x',
        "kettle *",
        "a*b **",
        "'; DROP TABLE engrams; --",
        "subkind:engram",
        "(kind:engram)",
    ],
)
def test_what_only_looks_like_an_operator_is_text_without_a_word(text):
    query = parse(text)
    assert query.plain
    assert query.positive == text
    assert query.ignored == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("kind:bogus", "there is no kind 'bogus' (engram, research, evidence"),
        ("is:i", "'i' is nothing a record can be; did you mean is:contradicted?"),
        ("kind:tasks", "there is no kind 'tasks'; did you mean kind:task?"),
        ("kind:Tsak", "there is no kind 'Tsak'; did you mean kind:task?"),
        ("kind:engram,task", "there is no kind 'engram,task'; several are written kind:engram kind:task"),
        ("kind:engrams|note", "there is no kind 'engrams|note'; several are written kind:engram kind:note"),
        ("before:soon", "'soon' cannot be read as a date: it is no ISO 8601 date. Write a date such"),
        ("is:gone", "'gone' is nothing a record can be (forgotten, superseded"),
        ("is:forget", "'forget' is nothing a record can be; did you mean is:forgotten?"),
        ("rating:great", "'great' is no rating, as rating:4 and rating:>=3 are (strong, moderate"),
        ("rating:>=strng", "'>=strng' is no rating, as rating:4 and rating:>=3 are; did you mean rating:>=strong?"),
        ("claim:=x", "predicate of claim is missing"),
    ],
)
def test_a_filter_whose_value_cannot_be_used_is_left_out_and_named(text, sentence):
    query = parse(text)
    assert (query.words, query.filters, query.ignored) == ("", (), (text,))
    (told,) = query.reservations()
    assert told.startswith(f"{text} was left out: {sentence}")
    beside = parse(f"olive {text} -draft press kind:note")
    assert (beside.words, beside.excluded, len(beside.filters)) == ("olive press", ("draft",), 1)
    assert beside.ignored == (text,)
    excluded = parse(f"olive -{text}")
    assert (excluded.words, excluded.filters, excluded.ignored) == ("olive", (), (f"-{text}",))


@given(FILTERS.map(lambda asked: asked[0]), VALUES, st.booleans())
@example("kind", "engram,", False)
@example("rating", ">=", True)
def test_the_way_to_write_a_filter_right_is_a_filter(field, value, excludes):
    query = parse(f"kettle {written(field, value, excludes=excludes)}")
    for told in query.reservations():
        _, _, right = told.rpartition("did you mean ")
        if told.endswith("?") and right != told:
            meant = parse(f"kettle {right.removesuffix('?')}")
            assert (len(meant.filters), meant.ignored) == (1, ())


def test_what_is_left_out_beside_what_could_not_be_asked_is_not_looked_for():
    query = parse("kind:bogus -battery")
    assert (query.words, query.excluded, query.ignored) == ("", ("battery",), ("kind:bogus",))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("-word", "an exclusion needs something to search for beside it; `* -word` lists everything else"),
        ("-5", "an exclusion needs something to search for beside it; `* -5` lists"),
        ('-"a phrase"', 'an exclusion needs something to search for beside it; `* -"a phrase"` lists'),
        ("-kind:note", "leaving something out needs something to look for"),
    ],
)
def test_a_minus_that_leaves_nothing_out_is_text_and_named(text, sentence):
    query = parse(text)
    assert query.plain
    assert query.positive == text
    assert query.ignored == (text,)
    (told,) = query.reservations()
    assert told.startswith(f"{text} was searched as words: {sentence}")


# --- What is meant -------------------------------------------------------------------------------


def test_every_part_of_a_query_says_what_it_means():
    text = 'lost kettle kind:Engram -tag:"old stuff" “hold the line” -draft recorded-after:2026-08-01 kind:bogus end'
    assert roles(text) == [
        ("text", "lost kettle"),
        ("filter", "kind:Engram"),
        ("filter", '-tag:"old stuff"'),
        ("phrase", "“hold the line”"),
        ("excluded", "-draft"),
        ("filter", "recorded-after:2026-08-01"),
        ("unusable", "kind:bogus"),
        ("text", "end"),
    ]
    query = parse(text)
    assert query.words == "lost kettle hold the line end"
    assert query.phrases == ("hold the line",)
    assert query.excluded == ("draft",)
    assert filters(text) == ["kind:engram", '-tag:"old stuff"', "recorded-after:2026-08-01"]
    assert query.without(query.pieces[1:]) == "lost kettle"


def test_places_in_what_is_looked_for_are_places_in_what_was_typed():
    text = 'kind:engram "tare" kettle'
    positive = parse(text).positive
    assert text.index("kettle") == positive.index("kettle")
    assert text.index("tare") == positive.index("tare")


def test_the_word_before_an_operator_is_no_longer_typed():
    assert parse("kettl").positive == "kettl"
    assert parse("kind:engram kettl").positive.endswith("kettl")
    assert parse("kettl kind:engram").positive.startswith("kettl ")
    assert parse('"kettl"').positive == " kettl "


@pytest.mark.parametrize("beside", ["kettle", '"kettle"', "kind:engram", "*", "日本"])
def test_a_minus_leaves_out_beside_what_is_looked_for(beside):
    assert parse(f"{beside} -draft").excluded == ("draft",)
    assert parse(f"-draft {beside}").excluded == ("draft",)


@pytest.mark.parametrize("beside", ["", "-other", "::", "-kind:note"])
def test_a_minus_beside_nothing_is_text(beside):
    query = parse(f"-draft {beside}")
    assert query.excluded == ()
    assert query.plain


@pytest.mark.parametrize("beside", ["kettle", '"kettle"', "kind:engram", "*", "日本"])
@pytest.mark.parametrize("phrase", ['"hold the line"', "“hold the line”", "„hold the line“"])
def test_a_minus_leaves_out_a_phrase_beside_what_is_looked_for(beside, phrase):
    for query in (parse(f"{beside} -{phrase} -draft"), parse(f"-draft -{phrase} {beside}")):
        assert (query.excluded, query.excluded_phrases) == (("draft",), ("hold the line",))
        assert query.words == ("" if query.filters or query.everything else beside.strip('"'))
        assert "hold the line" not in query.phrases
        assert not query.plain


def test_a_phrase_that_says_nothing_leaves_nothing_out():
    query = parse('kettle -"!!"')
    assert query.plain
    assert query.ignored == ()


def test_every_exclusion_that_stands_alone_is_named():
    query = parse('-battery -"the shelf"')
    assert query.ignored == ("-battery", '-"the shelf"')
    assert query.positive == '-battery -"the shelf"'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kettl*", "kettl"),
        ("kettl* kind:engram", "kettl"),
        ("old* kettl*", "old kettl"),
        ("2 * 3", "2 * 3"),
        ("a**", "a**"),
        ("*x", "*x"),
    ],
)
def test_the_star_of_a_beginning_is_no_word(text, words):
    query = parse(text)
    assert query.words == words
    assert query.positive.startswith(text.split(" kind")[0])
    assert not query.everything


def test_a_star_is_everything_only_where_nothing_else_is_looked_for():
    assert parse("*").everything
    assert parse(" * kind:engram -draft").everything
    assert not parse("* kettle").everything
    assert parse("* kettle").words == "* kettle"


def test_fields_are_known_in_any_case_and_from_a_turkish_keyboard():
    assert filters("KIND:ENGRAM İS:pinned ıs:stale Tag:X") == ["kind:engram", "is:pinned", "is:stale", "tag:X"]
    assert field_named("Recorded-Before") == "recorded-before"
    assert field_named("kinds") is None


def test_a_date_is_the_first_instant_of_its_day_in_the_readers_zone():
    (asked,) = parse("before:1970-01-02", timezone(timedelta(hours=3))).filters
    assert asked.at(0) == DAY - 3 * HOUR
    (asked,) = parse("after:1970-01-02T00:00Z", timezone(timedelta(hours=3))).filters
    assert asked.at(0) == DAY


def test_a_claim_is_written_as_everywhere():
    (asked,) = parse('claim:Feature/x::owner="Anna Lee"').filters
    assert (asked.claim.subject, asked.claim.predicate, asked.claim.object) == ("Feature/x", "owner", "Anna Lee")


@pytest.mark.parametrize(
    ("asked", "rating", "admitted"),
    [
        ("4", "4", True),
        ("4", "5", False),
        (">=3", "3", True),
        (">3", "3", False),
        ("<2.5", "2", True),
        ("<=4", "strong", False),
        (">=3", "moderate", True),
        (">=3", "Strong", True),
        (">3", "moderate", False),
        ("<2", "weak", True),
        (">=moderate", "Strong", True),
        (">=moderate", "4", True),
        (">moderate", "2.5", False),
        ("<strong", "weak", True),
        ("strong", "5", True),
        ("strong", "4", False),
        ("unrated", "Unrated", True),
        (">=unrated", "1", False),
        (">=1", "unrated", False),
        ("<=5", "unrated", False),
        ("3", "best ever", False),
    ],
)
def test_ratings_in_words_and_in_numbers_are_of_one_scale(asked, rating, admitted):
    (filter_,) = parse(f"rating:{asked}").filters
    assert filter_.admits(rating) is admitted


# --- Phrases -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phrase", "text", "stands"),
    [
        ("hold the line", "She said “Hold **the**\n line” — twice", True),
        ("hold the line", "hold the lines", False),
        ("hold the line", "hold on the line", False),
        ("istanbul", "İSTANBUL'da toplantı", True),
        ("IŞIK", "ışık", True),
        ("cafe au lait", "Café au lait", True),
        ("don't", "Don’t", True),
        ("app.ts", "see src/app.ts.", True),
        ("C++", "C++ and C#", True),
        ("C", "C++", True),
        ("C#", "C++", False),
        ("user", "getUserName", False),
        ("roughly 40", "roughly? 40%", True),
        ("京都", "東京都庁", True),
        ("co-op", "coop", False),
        ("naïve", "nai\u0308ve plan", True),
        ("soft\u00adhyphen", "softhyphen", True),
    ],
)
def test_where_a_phrase_stands(phrase, text, stands):
    assert stands_in(spelled(phrase), spelled(text)) is stands


# --- Completions ---------------------------------------------------------------------------------

KNOWN = Vocabulary(
    areas=("Feature/login", "Feature/log in page", "general"), tags=("ops", "işler"), predicates=("owner", "db host")
)


def completed(text, cursor=None):
    cursor = len(text) if cursor is None else cursor
    return [text[: c.start] + c.text + text[c.end :] for c in completions(text, cursor, KNOWN)]


def test_fields_and_values_are_completed_where_they_stand():
    assert completed("ki") == ["kind:"]
    assert completed("lost -ta") == ["lost -tag:"]
    assert completed("rec") == ["recorded-before:", "recorded-after:"]
    assert completed("kind:en")[0] == "kind:engram"
    assert completed("x area:LOG y", 10) == ["x area:Feature/login y", 'x area:"Feature/log in page" y']
    assert completed('area:"feature/log i') == ['area:"Feature/log in page"']
    assert completed("tag:i") == ["tag:işler"]
    assert completed("claim:d") == ['claim:"db host="']
    assert completed("is:st") == ["is:stale"]
    assert completed("rating:st") == ["rating:strong"]
    assert completed("rating:>=st") == ["rating:>=strong"]
    assert completed("before:yes") == ["before:yesterday"]
    assert completed("after:last w") == []
    assert completed('after:"last w') == ['after:"last week"']
    assert completed("recorded-after:WEEK") == ['recorded-after:"last week"']


@pytest.mark.parametrize("text", ["", "kettle", "http:", "before:2026-", "kind:engram", "kind:engram ", "foo:e"])
def test_nothing_is_offered_where_nothing_is_begun(text):
    assert completed(text) == []
