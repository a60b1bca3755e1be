"""Stored text on its way to a person: nothing in it may act on the terminal."""

from __future__ import annotations

REPLACEMENT = "\ufffd"
_SHOWN: dict[int, str] = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\n\t"}
_SHOWN[0x7F] = "\u2421"
_SHOWN.update(dict.fromkeys([*range(0x80, 0xA0), *range(0xD800, 0xE000)], REPLACEMENT))
# Marks that reorder what is read: a memory must not be able to disguise another.
_SHOWN.update(dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], REPLACEMENT))


def visible(text: str) -> str:
    """The text with control characters, terminal escapes and reordering marks shown as symbols."""
    return text if text.isascii() and text.isprintable() else text.translate(_SHOWN)


def one_line(text: str) -> str:
    """`visible`, with every run of blanks and line ends as one blank."""
    return visible(" ".join(text.split()))


def quotable(value: object, longest: int = 80, *, exact: bool = False) -> str:
    """A value that someone wrote, as a refusal can repeat it: at most so many characters; `exact` as in a program."""
    try:
        text = repr(value) if exact else str(value)
    except ValueError:  # a whole number of thousands of digits, which may be read and not be written
        text = "a number of thousands of digits"
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
