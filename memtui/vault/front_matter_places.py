"""Where the fields of a front matter block stand, character by character."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

_COMMENT = re.compile(r"(?:^|\s)#")


@dataclass(frozen=True, slots=True)
class Node:
    """A value: from its first character (its anchor or tag, if it has one) until before `end`."""

    start: int
    end: int
    """After its last character; blank lines and comments below it are not its own."""
    style: str
    """`'`, `"`, `|` or `>` as the value begins, empty for a plain one; `[` or `{` for flow, `-` or `:` for block."""
    items: tuple[Node, ...] = ()
    """The members of a list; the keys and values of a mapping in turn."""
    anchors: frozenset[str] = field(default_factory=frozenset[str])
    """Names given to it or within it."""
    aliases: frozenset[str] = field(default_factory=frozenset[str])

    @property
    def is_list(self) -> bool:
        """Whether it is a list, in either style."""
        return self.style in ("[", "-")

    def leaves(self) -> Iterator[Node]:
        """The single values in it, in order."""
        if self.style not in ("[", "-", "{", ":"):
            yield self
        for item in self.items:
            yield from item.leaves()


@dataclass(frozen=True, slots=True)
class Entry:
    """One field of the block."""

    key: str
    start: int
    """Where the key begins."""
    colon: int
    """After the colon."""
    value: Node


@dataclass(frozen=True, slots=True)
class Places:
    """The fields of a block in their order, a repeated one each time; offsets count in the whole text."""

    entries: tuple[Entry, ...]
    flow: bool
    """The fields stand between braces, not each on a line of its own."""


def find_places(text: str, start: int, end: int) -> Places:
    """The places of a block that is known to be readable: the characters from `start` until before `end`."""
    import yaml

    parse = cast("Callable[..., Iterator[Any]]", yaml.parse)  # pyright: ignore[reportUnknownMemberType]
    block = text[start:end]
    walk = _Walk(yaml, parse(block, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)), block, start)
    return walk.places()


def has_comment(text: str, node: Node) -> bool:
    """Whether a comment stands inside a value, and would go with it."""
    at = node.start
    for leaf in node.leaves():
        if _COMMENT.search(text[at : leaf.start]):
            return True
        at = leaf.end
        if (
            leaf is not node
            and leaf.style in ("|", ">")
            and _COMMENT.search(text[leaf.start : leaf.end].split("\n")[0])
        ):
            return True
    return bool(_COMMENT.search(text[at : node.end]))


class _Walk:
    def __init__(self, yaml: Any, events: Iterator[Any], block: str, offset: int) -> None:
        self._yaml, self._events, self._block, self._offset = yaml, events, block, offset

    def places(self) -> Places:
        yaml = self._yaml
        for event in self._events:
            if isinstance(event, yaml.MappingStartEvent):
                return Places(tuple(self._entries()), bool(event.flow_style))
            if isinstance(event, yaml.ScalarEvent):
                break
        return Places((), flow=False)

    def _entries(self) -> Iterator[Entry]:
        for event in self._events:
            if isinstance(event, self._yaml.MappingEndEvent):
                return
            value = self._node(next(self._events))
            after = int(event.end_mark.index)
            colon = self._block.find(":", after) + 1
            yield Entry(event.value, int(event.start_mark.index) + self._offset, colon + self._offset, value)

    def _node(self, event: Any) -> Node:
        yaml = self._yaml
        start, end = int(event.start_mark.index), int(event.end_mark.index)
        if isinstance(event, yaml.AliasEvent):
            return self._made(start, end, "*", aliases=frozenset({event.anchor}))
        anchors = frozenset({event.anchor}) if event.anchor else frozenset[str]()
        if isinstance(event, yaml.ScalarEvent):
            if event.style in ("|", ">"):
                end = start + len(self._block[start:end].rstrip())
            return self._made(start, end, event.style or "", anchors=anchors)
        is_list = isinstance(event, yaml.SequenceStartEvent)
        items: list[Node] = []
        for inner in self._events:
            if isinstance(inner, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
                if event.flow_style:
                    end = int(inner.end_mark.index)
                break
            items.append(self._node(inner))
        if not event.flow_style:
            # The end event of a block stands where the next thing begins.
            end = max([end, *(item.end - self._offset for item in items)])
        style = ("[" if is_list else "{") if event.flow_style else ("-" if is_list else ":")
        return self._made(start, end, style, tuple(items), anchors)

    def _made(
        self,
        start: int,
        end: int,
        style: str,
        items: tuple[Node, ...] = (),
        anchors: frozenset[str] = frozenset(),
        aliases: frozenset[str] = frozenset(),
    ) -> Node:
        return Node(
            start + self._offset,
            end + self._offset,
            style,
            items,
            anchors.union(*(item.anchors for item in items)),
            aliases.union(*(item.aliases for item in items)),
        )
