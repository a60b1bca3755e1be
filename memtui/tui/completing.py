"""The completion menu as a value: when it opens, what it offers, what a key does to it. Needs no screen.

The values of a begun filter (`kind:`, `tag:re`) are offered by themselves, for nothing else is meant there. The names
of filters are only offered to who asks: `after` or `is` may just be words, and tab must not be taken from them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memtui.text.query_completing import Completion, Vocabulary, completions
from memtui.text.query_filters import FIELDS


@dataclass(frozen=True, slots=True)
class Completing:
    """The menu between two events. It is open while there is something to choose from."""

    choices: tuple[Completion, ...] = ()
    chosen: int = 0
    moved: bool = False
    """Whether the person moved the choice: then enter takes it."""
    asked: bool = False
    """Whether the person asked for it: then the names of filters are offered too."""
    closed_at: int | None = None
    """Where the word begins whose completion was closed or accepted: it does not open there again by itself."""

    @property
    def is_open(self) -> bool:
        """Whether it is on the screen."""
        return bool(self.choices)

    def followed(self, text: str, cursor: int, vocabulary: Vocabulary, *, edited: bool) -> Completing:
        """After the text, the cursor or the vocabulary changed; it opens only where text was `edited`."""
        if not (edited or self.is_open):
            return self
        found = completions(text, cursor, vocabulary)
        if found and not _are_values(found, text) and not self.asked:
            found = []
        if not found and self.asked and _BEFORE_A_WORD.search(text[:cursor]):
            found = _names(cursor, "")
        closed_at = self.closed_at
        if closed_at is not None and (cursor < closed_at or (found and found[0].start != closed_at)):
            closed_at = None
        if not found or closed_at is not None:
            return Completing(closed_at=closed_at)
        if tuple(found) == self.choices:
            return self
        return Completing(tuple(found), asked=self.asked)

    def opened(self, text: str, cursor: int, vocabulary: Vocabulary) -> Completing:
        """The person asked: what the word at the cursor may become, else every filter that may follow it."""
        found = completions(text, cursor, vocabulary)
        if not found and _BEFORE_A_WORD.search(text[:cursor]):
            found = _names(cursor, "")
        elif not found:
            rest = _REST_OF_WORD.match(text, cursor)
            found = _names(cursor if rest is None else rest.end(), " ")
        return Completing(tuple(found), asked=True)

    def stepped(self, step: int) -> Completing:
        """Another choice, around the ends."""
        return replace(self, chosen=(self.chosen + step) % len(self.choices), moved=True)

    def closed(self) -> Completing:
        """The person closed it."""
        return Completing(closed_at=self.choices[0].start if self.choices else self.closed_at)

    def accepted(self, index: int) -> tuple[Completion, Completing]:
        """What is taken, and the menu after it: what is not whole yet goes on being completed."""
        choice = self.choices[index]
        return choice, Completing(closed_at=choice.start) if choice.whole else Completing()

    def without_begun(self, text: str) -> str:
        """The text without the filter whose value is still being chosen: half a value would only empty the list."""
        if not self.choices or not _are_values(self.choices, text):
            return text
        start, end = self.choices[0].start, self.choices[0].end
        if any(choice.text == text[start:end] for choice in self.choices):
            return text
        before = _REST_OF_WORD_BEFORE.sub("", text[:start]).rstrip()
        return f"{before} {text[end:].lstrip()}".strip()

    def takes(self, key: str, *, at_the_end: bool) -> bool:
        """Whether a key is the menu's; `at_the_end` says that nothing stands behind the cursor."""
        match key:
            case "right":
                return self.is_open and at_the_end
            case "enter":
                return self.is_open and self.moved
            case _:
                return self.is_open


_BEFORE_A_WORD = re.compile(r"(?<!\S)-?\Z")
_REST_OF_WORD = re.compile(r"\S*")
_REST_OF_WORD_BEFORE = re.compile(r"\S*\Z")


def _are_values(found: Sequence[Completion], text: str) -> bool:
    """Whether values of a filter are offered: they begin behind its colon."""
    return text[: found[0].start].endswith(":")


def _names(at: int, lead: str) -> list[Completion]:
    """Every filter, to be put at a place where no word is."""
    return [Completion(at, at, f"{lead}{field}:", what, whole=False) for field, what in FIELDS.items()]
