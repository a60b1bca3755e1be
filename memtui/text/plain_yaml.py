"""YAML as plain data: bounded, without dates, objects or surprises.

The block is read event by event, so a bomb is refused while it is being read and no tag can build
anything. A number is a number only when it is written the way it would be printed (`1.10`, `007`,
`1e3` stay text), and dates stay text, because zones and precision are decided in one place
(`memtui.text.dates`) and because what an author wrote must leave memtui as it came.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

MAX_CHARACTERS = 256 * 1024
"""Longest block that is read."""
MAX_DEPTH = 64
MAX_VALUES = 50_000
"""Most values a block may hold once its aliases are written out."""
MAX_EXPANDED = 4 * MAX_CHARACTERS
"""Most characters a block may hold once its aliases are written out."""

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_WHOLE = re.compile(r"-?[0-9]{1,18}")  # fits 64 bits whatever the digits
_FRACTION = re.compile(r"-?[0-9]{1,17}\.[0-9]{1,17}")
_TEMPLATE = re.compile(r"\{\{.*?\}\}|<%.*?%>")
_STANDARD = "tag:yaml.org,2002:"
_KNOWN_TAGS = frozenset(
    {"!", *(_STANDARD + t for t in ("str", "int", "float", "bool", "null", "map", "seq", "timestamp", "binary"))}
)
_AS_PLAIN = frozenset(_STANDARD + t for t in ("int", "float", "bool", "null"))
_ADVICE = {
    "mapping values are not allowed in this context": "a value that holds a colon needs quotes",
    "found character that cannot start any token": "a value that begins with @, ` or % needs quotes; indent by blanks",
    "did not find expected alphabetic or numeric character": "a value that begins with * or & needs quotes",
    "did not find expected key": "a value that begins with [ or { and goes on after its end needs quotes",
    "found unknown escape character": "a backslash between double quotes must be written twice",
}


class Oddity(NamedTuple):
    """Something that could not be read as written; `line` counts from 1 in the text that was given."""

    line: int | None
    reason: str
    value: str | None = None


class YamlRefused(Exception):
    """The block as a whole cannot be read; `oddity` says where and why."""

    def __init__(self, line: int | None, reason: str, value: str | None = None) -> None:
        super().__init__(reason)
        self.oddity = Oddity(line, reason, value)


@dataclass(frozen=True, slots=True)
class PlainYaml:
    """What a block says: only None, bool, int, float, str, list and dict with text keys."""

    value: Any
    lines: dict[str, int]
    """The line of each top-level key, counted from 1."""
    oddities: tuple[Oddity, ...]

    @property
    def fields(self) -> dict[str, Any] | None:
        """The value if it is a mapping; nothing at all is one without fields."""
        if self.value is None:
            return {}
        value = self.value
        return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def read_plain_yaml(block: str) -> PlainYaml:
    """The value of one YAML document. Raises YamlRefused when it is broken, too large or too deep."""
    import yaml  # 25 ms: only vaults with front matter pay it

    parse = cast("Callable[..., Iterable[Any]]", yaml.parse)  # pyright: ignore[reportUnknownMemberType]

    if len(block) > MAX_CHARACTERS:
        raise YamlRefused(1, f"is longer than {MAX_CHARACTERS // 1024} KiB")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder(yaml)
    try:
        for event in parse(block, Loader=loader):
            builder.take(event)
    except yaml.YAMLError as error:
        mark: Any = getattr(error, "problem_mark", None)
        said = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be read")
        line = _line_of(block, mark, error)
        raise _not_valid(block, line, said) from None
    except UnicodeEncodeError as error:  # half of a surrogate pair: no text in any file, but text a caller may have
        raise YamlRefused(block.count("\n", 0, error.start) + 1, "holds a character that is none") from None
    except YamlRefused as refusal:
        raise _with_template_named(block, refusal) from None
    return PlainYaml(builder.value, builder.lines, tuple(builder.oddities))


def plain_scalar(text: str) -> Any:
    """An unquoted value: null, true, false and numbers that print as they are written; else the text."""
    if text in _NULLS:
        return None
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if text[0] in "-0123456789":
        if _WHOLE.fullmatch(text) and str(int(text)) == text:
            return int(text)
        if _FRACTION.fullmatch(text) and repr(float(text)) == text:
            return float(text)
    return text


def _line_of(block: str, mark: Any, error: Exception) -> int | None:
    if mark is not None:
        return int(mark.line) + 1
    position = getattr(error, "position", None)
    return block.count("\n", 0, position) + 1 if isinstance(position, int) else None


def _not_valid(block: str, line: int | None, said: str) -> YamlRefused:
    advice = _ADVICE.get(said)
    reason = f"is not valid YAML: {said}" + (f" ({advice})" if advice else "")
    return _with_template_named(block, YamlRefused(line, reason, _line_text(block, line)))


def _with_template_named(block: str, refusal: YamlRefused) -> YamlRefused:
    """A template that nobody filled in is the usual cause of nonsense: say that instead."""
    line, _, value = refusal.oddity
    template = _TEMPLATE.search(_line_text(block, line) or "")
    if template is None:
        return refusal
    return YamlRefused(line, f"holds a template that was never filled in: {template[0][:60]}", value)


def _line_text(block: str, line: int | None) -> str | None:
    if line is None:
        return None
    lines = block.split("\n", line)
    return lines[line - 1].strip()[:120] if len(lines) >= line else None


class _Frame:
    """A list or mapping that is being filled, and what was counted when it began."""

    __slots__ = ("anchor", "characters", "key", "value", "values")

    def __init__(self, value: list[Any] | dict[str, Any], anchor: str | None, values: int, characters: int) -> None:
        self.value = value
        self.anchor = anchor
        self.values = values
        self.characters = characters
        self.key: str | None = None


class _Builder:
    """Makes plain data of events and keeps count of what aliases would write out."""

    def __init__(self, yaml: Any) -> None:
        self._scalar, self._alias = yaml.ScalarEvent, yaml.AliasEvent
        self._mapping, self._list = yaml.MappingStartEvent, yaml.SequenceStartEvent
        self._ends = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
        self._document = yaml.DocumentStartEvent
        self._documents = 0
        self._frames: list[_Frame] = []
        self._anchors: dict[str, tuple[Any, int, int]] = {}
        self._values = self._characters = 0
        self.value: Any = None
        self.lines: dict[str, int] = {}
        self.oddities: list[Oddity] = []

    def take(self, event: Any) -> None:
        """One more event. Raises YamlRefused."""
        if isinstance(event, self._scalar):
            self._take_scalar(event)
        elif isinstance(event, (self._mapping, self._list)):
            self._begin(event)
        elif isinstance(event, self._ends):
            frame = self._frames.pop()
            self._remember(frame.anchor, frame.value, frame.values, frame.characters)
            self._place(frame.value)
        elif isinstance(event, self._alias):
            self._take_alias(event)
        elif isinstance(event, self._document):
            self._documents += 1
            if self._documents > 1:
                raise YamlRefused(_line(event), "holds more than one document")

    def _take_scalar(self, event: Any) -> None:
        values, characters = self._values, self._characters
        text = cast(str, event.value)
        self._count(event, 1, len(text))
        if "\0" in text:
            self.oddities.append(Oddity(_line(event), "holds a NUL character; a blank was put in its place"))
            text = text.replace("\0", " ")
        frame = self._frames[-1] if self._frames else None
        if frame is not None and isinstance(frame.value, dict) and frame.key is None:
            self._take_key(event, frame, text)
            self._remember(event.anchor, text, values, characters)
            return
        plain = event.tag is None and event.implicit[0]
        self._check_tag(event)
        value = plain_scalar(text) if plain or event.tag in _AS_PLAIN else text
        self._remember(event.anchor, value, values, characters)
        self._place(value)

    def _take_key(self, event: Any, frame: _Frame, key: str) -> None:
        if key in frame.value:
            self.oddities.append(Oddity(_line(event), "has a field more than once; the last value counts", key))
        elif len(self._frames) == 1:
            self.lines[key] = _line(event)
        frame.key = key

    def _begin(self, event: Any) -> None:
        frame = self._frames[-1] if self._frames else None
        if frame is not None and isinstance(frame.value, dict) and frame.key is None:
            raise YamlRefused(_line(event), "has a list or mapping where a key must be text")
        if len(self._frames) >= MAX_DEPTH:
            raise YamlRefused(_line(event), f"is nested deeper than {MAX_DEPTH} levels")
        self._check_tag(event)
        values, characters = self._values, self._characters
        self._count(event, 1, 0)
        container: list[Any] | dict[str, Any] = {} if isinstance(event, self._mapping) else []
        self._frames.append(_Frame(container, event.anchor, values, characters))

    def _take_alias(self, event: Any) -> None:
        name = cast(str, event.anchor)
        frame = self._frames[-1] if self._frames else None
        if frame is not None and isinstance(frame.value, dict) and frame.key is None:
            raise YamlRefused(_line(event), "has an alias where a key must be text", f"*{name}")
        if name not in self._anchors:
            reason = "has an alias that names nothing before it (a value that begins with * needs quotes)"
            raise YamlRefused(_line(event), reason, f"*{name}")
        value, values, characters = self._anchors[name]
        self._count(event, values, characters)
        self._place(value)

    def _check_tag(self, event: Any) -> None:
        if event.tag is not None and event.tag not in _KNOWN_TAGS:
            tag = cast(str, event.tag).replace(_STANDARD, "!!", 1)[:80]
            self.oddities.append(Oddity(_line(event), "has an unknown tag; the value was read as plain data", tag))

    def _count(self, event: Any, values: int, characters: int) -> None:
        self._values += values
        self._characters += characters
        if self._values > MAX_VALUES or self._characters > MAX_EXPANDED:
            raise YamlRefused(_line(event), f"holds more than {MAX_VALUES:,} values once its aliases are written out")

    def _remember(self, anchor: str | None, value: Any, values: int, characters: int) -> None:
        if anchor is not None:
            self._anchors[anchor] = (value, self._values - values, self._characters - characters)

    def _place(self, value: Any) -> None:
        if not self._frames:
            self.value = value
            return
        frame = self._frames[-1]
        if isinstance(frame.value, list):
            frame.value.append(value)
        else:
            frame.value[frame.key or ""] = value
            frame.key = None


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1
