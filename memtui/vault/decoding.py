"""Bytes to text: whatever wrote the file, its words come out, and a guess is reported as one.

Line ends become LF for reading only; nothing here is ever written back.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from memtui.text.plain_yaml import Oddity

_BOMS = (
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BINARY_STARTS = (
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"%PDF-",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"\x7fELF",
    b"SQLite format 3",
)
_CONTROLS = bytes(b for b in range(32) if b not in b"\t\n\x0b\x0c\r\x1b") + b"\x7f"
_C1 = bytes(range(0x80, 0xA0))
_TURKISH = "İıŞşĞğ".encode("cp1254")
# Written with the same bytes, Icelandic has ý, þ and ð, but always also vowels Turkish does not have.
_NOT_TURKISH = "ÁáÉéÍíÓóÚúÆæ".encode("cp1254")
_SAMPLE = 64 * 1024
_BINARY_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text with LF line ends, the encoding it was read in, and what was odd about it."""

    text: str
    encoding: str
    """A Python codec's name, or `binary` for what is no text (then `text` is empty)."""
    problems: tuple[Oddity, ...] = ()


def decode(data: bytes) -> Decoded:
    """The text of a file. Never raises.

    UTF-8 with or without a mark, UTF-16 and UTF-32 with one or by the pattern of their NUL bytes;
    anything else is taken for Windows-1254 when it looks Turkish, else for Windows-1252 or Latin-1.
    """
    if data.startswith(_BINARY_STARTS):
        return _binary()
    for mark, encoding in _BOMS:
        if data.startswith(mark) and (encoding != "utf-32-le" or len(data) % 4 == 0):
            return _marked(data[len(mark) :], encoding)
    wide = _wide_encoding(data)
    if wide is not None:
        text, broken = _lenient(data, wide)
        guess = Oddity(None, f"has no byte order mark; it was read as {wide.upper()}")
        return _finished(text, wide, [guess, *broken])
    # NUL bytes alone are no sign of it: a crash leaves whole blocks of them at the end of a text.
    sample = data[:_SAMPLE].replace(b"\0", b"")
    if len(sample.translate(None, _CONTROLS)) < len(sample) * (1 - _BINARY_SHARE):
        return _binary()
    try:
        return _finished(data.decode("utf-8"), "utf-8", [])
    except UnicodeDecodeError as error:
        return _not_utf8(data, error)


def _marked(data: bytes, encoding: str) -> Decoded:
    text, broken = _lenient(data, encoding)
    return _finished(text, encoding, broken)


def _wide_encoding(data: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark: western text then has NUL bytes at every second or fourth place."""
    sample = data[:4096]
    if len(sample) < 4 or b"\0" not in sample:
        return None
    quarter = len(sample) // 4
    nuls = [sample[offset::4].count(0) for offset in range(4)]
    often, never = quarter * 0.7, quarter * 0.05
    full = [count >= often for count in nuls]
    bare = [count <= never for count in nuls]
    if len(data) % 4 == 0 and full[2] and full[3] and bare[0]:
        return "utf-32-le"
    if len(data) % 4 == 0 and full[0] and full[1] and bare[3]:
        return "utf-32-be"
    if full[1] and full[3] and bare[0] and bare[2]:
        return "utf-16-le"
    if full[0] and full[2] and bare[1] and bare[3]:
        return "utf-16-be"
    return None


def _not_utf8(data: bytes, error: UnicodeDecodeError) -> Decoded:
    line = data.count(b"\n", 0, error.start) + 1
    lenient = data.decode("utf-8", "replace")
    wrong = lenient.count("\ufffd")
    if _whole_letters(lenient) > wrong:
        reason = f"is UTF-8 but for {wrong} broken {'place' if wrong == 1 else 'places'}, shown as \ufffd"
        return _finished(lenient, "utf-8", [Oddity(line, reason)])
    encoding = _single_byte(data)
    shown = {"cp1254": "Windows-1254 (Turkish)", "cp1252": "Windows-1252", "latin-1": "Latin-1"}[encoding]
    return _finished(data.decode(encoding), encoding, [Oddity(line, f"is not UTF-8; it was read as {shown}")])


def _whole_letters(text: str) -> int:
    """How many characters outside ASCII could be read."""
    return len(text) - text.count("\ufffd") - len(text.encode("ascii", "ignore"))


def _single_byte(data: bytes) -> str:
    turkish = len(data) - len(data.translate(None, _TURKISH))
    foreign = len(data) - len(data.translate(None, _NOT_TURKISH))
    if turkish > 3 * foreign and _decodes(data, "cp1254"):
        return "cp1254"
    if len(data.translate(None, _C1)) < len(data) and _decodes(data, "cp1252"):
        return "cp1252"
    return "latin-1"


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _lenient(data: bytes, encoding: str) -> tuple[str, list[Oddity]]:
    try:
        return data.decode(encoding), []
    except UnicodeDecodeError as error:
        text = data.decode(encoding, "replace")
        line = text.count("\n", 0, text.find("\ufffd")) + 1
        return text, [
            Oddity(line, f"is broken {encoding.upper()} ({error.reason}); the broken places are shown as \ufffd")
        ]


def _finished(text: str, encoding: str, problems: list[Oddity]) -> Decoded:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        count = text.count("\0")
        reason = f"holds {count} NUL {'byte' if count == 1 else 'bytes'}; blanks were put in their place"
        problems.append(Oddity(line, reason))
        text = text.replace("\0", " ")
    return Decoded(text, encoding, tuple(problems))


def _binary() -> Decoded:
    return Decoded("", "binary", (Oddity(None, "looks like a binary file; no text was read from it"),))
