"""Names of records and the texts they are made from."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from memtui.errors import InvalidInput
from memtui.model.normal_forms import nfc, nfkc
from memtui.text.folding import CLASSES, INVISIBLE, ZERO_WIDTH_JOINER, canonical, fold_case

LONGEST_NAME = 200
REPLACEMENT = "\ufffd"

_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANKS = re.compile(r"[\s-]+")
_BRAILLE_BLANK = "\u2800"
"""A symbol by its category, and shown as nothing."""


def normalise_summary(text: str) -> str:
    """The form in which two summaries are the same sentence.

    NFKC, case folded (right for Turkish), runs of blanks as one, without the final full stop.
    """
    plain = fold_case(nfkc(text)).casefold()
    joined = " ".join(plain.split())
    return joined[:-1].rstrip() if joined.endswith((".", "。")) else joined


def unnamed_engram(summary: str) -> str:
    """The name of an engram that was given none: `rem-` and ten hex digits of its summary's hash."""
    digest = hashlib.sha256(normalise_summary(summary).encode("utf-8", "surrogatepass"))
    return f"rem-{digest.hexdigest()[:10]}"


def check_name(name: str) -> str:
    """The name in NFC, as it is stored and compared.

    Raises InvalidInput for one that is blank, `.` or `..`, longer than 200 code points, or holds
    control characters or halves of a character.
    """
    normal = nfc(name)
    if is_blank(normal):
        raise _bad_name(name, "A name cannot be empty or blank.", "Give it at least one visible character.")
    if normal in (".", ".."):
        raise _bad_name(name, f"{normal!r} cannot be a name.", "It stands for a folder; choose another.")
    if len(normal) > LONGEST_NAME:
        said = f"The name has {len(normal)} characters; at most {LONGEST_NAME} are allowed."
        raise _bad_name(name, said, "Use a shorter name, and the summary for the rest.")
    for char in normal:
        if unicodedata.category(char) in ("Cc", "Cs"):
            said = f"The name {normal!r} holds the control character U+{ord(char):04X}."
            raise _bad_name(name, said, "Leave it out; letters, digits, blanks and signs are all allowed.")
    return normal


def _bad_name(name: str, message: str, hint: str) -> InvalidInput:
    return InvalidInput(message, hint=hint, field="name", value=name)


def slug(heading: str) -> str:
    """The name a memory section gets from its heading: lower case, letters of any script, blanks as `-`.

    Empty when the heading has neither letters nor digits.
    """
    plain = fold_case(canonical(heading))
    kept = "".join([char for char in plain if char in "_-" or char.isspace() or unicodedata.category(char)[0] in "LMN"])
    return nfc(_BLANKS.sub("-", kept).strip("-"))


def is_blank(text: str) -> bool:
    """Whether nothing of a text can be seen: empty, blanks, or only invisible characters."""
    return all(
        char.isspace()
        or char == _BRAILLE_BLANK
        or CLASSES[ord(char)] in (INVISIBLE, ZERO_WIDTH_JOINER)
        or unicodedata.category(char) in ("Cc", "Cf")
        for char in text.lstrip()  # megabytes of blanks are no work for a loop
    )


def clean_text(text: str) -> tuple[str, bool]:
    """The text with lone surrogates (halves of a character, which no file can hold) as U+FFFD.

    The second value says whether there were any.
    """
    cleaned, count = _SURROGATE.subn(REPLACEMENT, text)
    return cleaned, count > 0
