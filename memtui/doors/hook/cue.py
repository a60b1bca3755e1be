"""What a prompt is searched by: its words, never read as the query language, which nobody typed on purpose."""

from __future__ import annotations

import re

_BEGINS, _ENDS = 700, 300
"""Characters of a long prompt's beginning and end that are searched for: there it says what it is about, logs and code
stand in between."""
_SIGN = re.compile(r'(?<!\S)(?:[-"“„*]+|([^\W\d_][\w-]*):(?!:|//))')
"""What begins an operator: a sign after a blank, or a word with a colon (`kind:task`, as in `Note:this`)."""


def cue_of(prompt: str) -> str:
    """The words of a prompt. A blank ends the last one: nobody is still typing it."""
    text = prompt.strip()
    if len(text) > _BEGINS + _ENDS:
        text = f"{text[:_BEGINS]} {text[-_ENDS:]}"
    # Half a character is no part of any word.
    text = text.encode("utf-8", "replace").decode()
    while (plain := _SIGN.sub(_without_sign, text)) != text:  # what stood behind a sign may begin with one itself
        text = plain
    return text + " "


def _without_sign(found: re.Match[str]) -> str:
    return f"{found[1] or ''} "
