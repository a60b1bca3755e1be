"""Whatever wrote a file, its words come out; a guess is reported as one."""

import codecs
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.vault.decoding import decode

WORDS = "café şişe 日本 🗂️\n"
TURKISH = "Işık hızında çalışan öğrenciler için kısa bir değerlendirme.\n"
ICELANDIC = "Það er ekki hægt að týna þessu í íslensku.\n"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (WORDS.encode(), "utf-8"),
        (codecs.BOM_UTF8 + WORDS.encode(), "utf-8"),
        (codecs.BOM_UTF16_LE + WORDS.encode("utf-16-le"), "utf-16-le"),
        (codecs.BOM_UTF16_BE + WORDS.encode("utf-16-be"), "utf-16-be"),
        (codecs.BOM_UTF32_LE + WORDS.encode("utf-32-le"), "utf-32-le"),
        (codecs.BOM_UTF32_BE + WORDS.encode("utf-32-be"), "utf-32-be"),
    ],
)
def test_unicode_with_or_without_a_mark_is_read_without_a_word(data, encoding):
    decoded = decode(data)
    assert (decoded.text, decoded.encoding, decoded.problems) == (WORDS, encoding, ())


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_text_without_a_mark_is_told_by_its_nul_bytes(encoding):
    decoded = decode("---\ntitle: naïve\n---\nwords\n".encode(encoding))
    assert decoded.text == "---\ntitle: naïve\n---\nwords\n"
    assert decoded.encoding == encoding
    assert "no byte order mark" in decoded.problems[0].reason


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        (TURKISH.encode("cp1254"), "cp1254", TURKISH),
        (b"\xfei\xfee cptoken\n", "cp1254", "şişe cptoken\n"),
        ("café latintoken\n".encode("latin-1"), "latin-1", "café latintoken\n"),
        (ICELANDIC.encode("latin-1"), "latin-1", ICELANDIC),
        ("“curly” costs 5 €".encode("cp1252"), "cp1252", "“curly” costs 5 €"),
        (b"odd \x81\xe9", "latin-1", "odd \x81é"),
    ],
)  # fmt: skip
def test_single_byte_text_is_a_guess_that_is_reported(data, encoding, text):
    decoded = decode(data)
    assert (decoded.text, decoded.encoding) == (text, encoding)
    (problem,) = decoded.problems
    assert "not UTF-8" in problem.reason


def test_the_line_of_the_first_foreign_byte_is_named():
    assert decode(b"one\ntwo\ncaf\xe9\n").problems[0].line == 3


def test_mostly_whole_utf8_stays_utf8():
    decoded = decode("öğrenci çalışması ".encode() + b"\xff" + b" end")
    assert decoded.encoding == "utf-8"
    assert decoded.text == "öğrenci çalışması \ufffd end"
    assert "1 broken place" in decoded.problems[0].reason


def test_broken_wide_text_is_read_around_the_break():
    decoded = decode(codecs.BOM_UTF16_LE + "ab".encode("utf-16-le") + b"\x00\xd8" + "c\n".encode("utf-16-le") + b"x")
    assert decoded.text.startswith("ab\ufffd")
    assert "broken UTF-16-LE" in decoded.problems[0].reason


def test_all_line_ends_become_one():
    assert decode(b"a\r\nb\rc\nd\r").text == "a\nb\nc\nd\n"


def test_nul_bytes_are_reported_and_part_words():
    decoded = decode(b"one\nnul\0token\n")
    assert decoded.text == "one\nnul token\n"
    assert (decoded.problems[0].line, decoded.problems[0].reason[:16]) == (2, "holds 1 NUL byte")


def test_a_text_that_a_crash_filled_up_with_nul_bytes_is_still_text():
    decoded = decode(b"what was saved\n" + b"\0" * 4096)
    assert decoded.text.split() == ["what", "was", "saved"]
    assert "4096 NUL bytes" in decoded.problems[0].reason


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"%PDF-1.7\n...", b"PK\x03\x04aaaa", bytes(range(32)) * 9]
)
def test_what_is_no_text_gives_none_and_says_so(data):
    decoded = decode(data)
    assert (decoded.text, decoded.encoding) == ("", "binary")
    assert "binary" in decoded.problems[0].reason


def test_nothing_is_empty_text():
    assert decode(b"") == decode(codecs.BOM_UTF8)
    assert decode(b"").text == ""


def test_twenty_megabytes_are_read_quickly():
    data = ("word " * 200 + "\r\n").encode() * 20_000
    began = time.perf_counter()
    assert len(decode(data).text) == 1001 * 20_000
    assert time.perf_counter() - began < 3


@given(
    st.one_of(
        st.binary(), st.text().map(str.encode), st.text(alphabet="ığşİé a\0").map(lambda t: t.encode("utf-16-le"))
    )
)
def test_any_bytes_become_text_that_any_store_can_hold(data):
    decoded = decode(data)
    decoded.text.encode("utf-8")
    assert "\r" not in decoded.text
    assert "\0" not in decoded.text
    if decoded.encoding not in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        assert decoded.problems
