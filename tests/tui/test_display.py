"""Text on its way to the terminal."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from memtui.tui.display import cut, fit, harmless, is_simple, padded, start_to_show, typed

WIDE = [
    "こんにちは世界",
    "한글과 日本語 ABC",
    "👩‍👩‍👧‍👦 family, 🇹🇷 flag, 👍🏽 thumb, ❤️ heart",
    "e\u0301e\u0301e\u0301 combining",
    "ﷺ one wide ligature",
    "שלום עולם mixed مرحبا rtl",
    "a\u200bb zero width, soft\u00adhyphen",
    "\u202eoverride\u202c end",
    "tab\there\rcr\x1b[31mesc\x07bell\x00nul",
    "ｆｕｌｌｗｉｄｔｈ",
    "x" * 400,
]


@pytest.mark.parametrize("text", WIDE)
@pytest.mark.parametrize("width", [1, 2, 3, 10, 17, 40])
def test_a_cut_text_takes_at_most_its_width_and_padding_takes_all_of_it(text, width):
    assert cell_len(cut(text, width)) <= width
    assert cell_len(padded(text, width)) == width


@given(st.text(), st.integers(0, 30))
@example("\u0301", 1)
@example("🇹🇷🇹", 3)
@example("a\t\u0301b", 4)
def test_no_text_escapes_its_cells_or_reaches_the_terminal_as_a_control(text, width):
    fitted = fit(text, width)
    assert fitted.width == cell_len(fitted.plain) <= width
    for character in harmless(text):
        assert character.isprintable() or character == " " or not character.isascii()
        assert not 0x7F <= ord(character) < 0xA0
        assert not 0x202A <= ord(character) <= 0x202E
        assert not 0x2066 <= ord(character) <= 0x2069
        assert not 0xD800 <= ord(character) < 0xE000


def test_simple_text_is_what_the_terminal_shows_in_one_cell_each():
    simple = [chr(code) for code in range(0x30000) if is_simple(chr(code))]
    assert len(simple) > 1_000
    assert [c for c in simple if cell_len(c) != 1 or not c.isprintable()] == []


def test_control_characters_become_symbols():
    assert harmless("nul\x00 esc\x1b[31m bell\x07 del\x7f") == "nul␀ esc␛[31m bell␇ del␡"
    assert harmless("one\r\ntwo") == "one two"
    assert harmless("one\r\ntwo\x1b", keep_lines=True) == "one\ntwo␛"
    assert harmless("\x9b31m csi") == "\ufffd31m csi"
    assert harmless("lone \ud800 surrogate") == "lone \ufffd surrogate"


def test_what_reorders_or_hides_text_is_shown_or_goes():
    assert harmless("\u202eoverride\u202c end") == "\ufffdoverride\ufffd end"
    assert harmless("a\u200bb soft\u00adhyphen \ufefftag\U000e0041") == "ab softhyphen tag"


def test_joined_characters_are_never_cut_apart():
    family = "👩‍👩‍👧‍👦"
    assert cut(family + "x" * 9, 3) == family + "…"
    assert cut("a🇹🇷b", 3) == "a…"
    assert cut("e\u0301e\u0301e\u0301", 2) == "e\u0301…"
    assert harmless("\u0301 alone") == "\u25cc\u0301 alone"


def test_a_tower_of_accents_is_kept_to_its_line():
    assert len(harmless("z" + "\u0336" * 400)) <= 8


def test_spans_stay_on_their_words_whatever_is_dropped_before_them():
    text = "a\u200b\u200bb\tmatch here"
    start = text.index("match")
    runs = fit(text, 40, [(start, start + 5)]).runs
    assert [run.shown for run in runs if run.marked] == ["match"]


def test_a_cut_can_keep_words_whole():
    text = "The box moved from 10.42.4.12 to 10.42.4.17 last week"
    fitted = fit(text, 40, at_words=True)
    assert fitted.plain == "The box moved from 10.42.4.12 to…"
    assert text[fitted.shown_to :].strip().startswith("10.42.4.17")


def test_a_line_begins_where_its_first_match_can_be_seen():
    text = "many words stand before the one that was looked for in this line"
    start = text.index("looked")
    shown = fit(text, 30, [(start, start + 6)], start=start_to_show(text, [(start, start + 6)], 30)).plain
    assert "looked" in shown
    assert shown.startswith("…")
    assert start_to_show(text, [(0, 4)], 30) == 0


def test_pasted_text_becomes_one_harmless_line():
    assert typed("one\r\ntwo\tthree\n") == "one two three"
    assert typed("esc\x1b[31m \u202ehidden\u200b") == "esc[31m hidden"
    assert typed("👩‍👩‍👧‍👦") == "👩‍👩‍👧‍👦"
