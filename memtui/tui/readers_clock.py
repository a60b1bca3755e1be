"""Instants for a person: in the reader's zone, and as precise as it takes to tell one from another.

Minutes say enough of one moment alone. Where two moments stand side by side they would make a short period look
like none at all, so there seconds are told as well, and fractions where even those are the same.
"""

from __future__ import annotations

import re
from datetime import tzinfo

from memtui.errors import InvalidInput
from memtui.model.instants import SECOND, Instant, iso, to_datetime
from memtui.text.dates import parse_instant
from memtui.text.moments import local

_FINER = ((60 * SECOND, ""), (SECOND, "%H:%M:%S"), (1, "%H:%M:%S.%f"))
"""What two moments may share, and how they are told where they share no more than that."""


def told_apart(*instants: Instant, zone: tzinfo | None = None, named: bool = True) -> list[str]:
    """The instants in the reader's zone; different ones read differently."""
    different = len(set(instants))
    form = next(form for unit, form in _FINER if len({instant // unit for instant in instants}) == different)
    return [_shown(instant, form, zone, named) for instant in instants]


def _shown(instant: Instant, form: str, zone: tzinfo | None, named: bool) -> str:
    text = local(instant, zone, named=named)
    if not form or text == iso(instant):  # the first and last days have no local counterpart and are told in full
        return text
    moment = to_datetime(instant).astimezone(zone)
    return text.replace(f"{moment:%H:%M}", moment.strftime(form), 1)


_STAMP_OR_QUOTED = re.compile(r"`[^`]*`|'[^']*'|\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z")
"""An instant as programs write it; or a command or a value, which are repeated as they are."""


def on_the_readers_clock(sentence: str, zone: tzinfo) -> str:
    """The core's sentence with its instants in the reader's zone; what it quotes stays letter for letter."""
    found = {text: _instant(text, zone) for text in _STAMP_OR_QUOTED.findall(sentence)}
    stamps = {text: instant for text, instant in found.items() if instant is not None}
    shown = dict(zip(stamps, told_apart(*stamps.values(), zone=zone), strict=True))
    return _STAMP_OR_QUOTED.sub(lambda place: shown.get(place[0], place[0]), sentence)


def _instant(text: str, zone: tzinfo) -> Instant | None:
    if text[0] in "`'":
        return None
    try:
        return parse_instant(text, zone)
    except InvalidInput:  # part of a name, which may look like anything
        return None
