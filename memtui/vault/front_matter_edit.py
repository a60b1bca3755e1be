"""Setting and removing single fields of a front matter block; everything else stays as its author wrote it.

An edit is made only where it is understood, and what came of it is read again: if anything but the
wanted fields reads differently, nothing is written and the refusal names the field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, cast

from memtui.errors import Refused
from memtui.text.frontmatter import FrontMatter, split_front_matter
from memtui.vault.front_matter_places import Entry, Node, Places, find_places, has_comment
from memtui.vault.source_text import Edit, SourceText
from memtui.vault.yaml_writing import LONGEST_LINE, after_key, as_read, flow_value, item_lines, scalar

_BLOCK_HEADER_COMMENT = re.compile(r"[^\n]*?[ \t](#[^\n]*)")
_FENCE = "---\n"


def edited_front_matter(text: str, changes: Mapping[str, object | None], *, path: str | None = None) -> str:
    """The text with some of its front matter's fields set, or removed (None).

    A changed field keeps its place and its manner of quoting, a new one comes last; a text without a block gets
    one. Raises Refused, naming the field and what to do, where that cannot be done without touching anything else.
    """
    source = SourceText(text)
    front = split_front_matter(source.text)
    if front.broken:
        oddity = front.problems[0]
        raise Refused(
            f"{path or 'the file'}: its {oddity.reason} (line {oddity.line or 1}), so none of its fields is changed",
            file=path,
            hint="mend the front matter by hand first",
            value=oddity.value,
        )
    wanted = {key: value for key, value in changes.items() if _differs(front, key, value, path)}
    if not wanted:
        return text
    expected = {key: value for key, value in front.fields.items() if wanted.get(key, ...) is not None}
    expected.update({key: as_read(value) for key, value in wanted.items() if value is not None})
    if not has_block(front, source.text):
        block = _FENCE + "".join(map(_field_lines, wanted, wanted.values())) + _FENCE
        result = source.edited([Edit(0, 0, block)])
    else:
        result = source.edited(_Block(source.text, front, path).edits(wanted))
    _check(result, front, expected, path)
    return result


def has_block(front: FrontMatter, text: str) -> bool:
    """Whether a text (with LF line ends, without a mark) has a front matter block, be it an empty one."""
    return len(front.body) < len(text)


def same(value: Any, other: Any) -> bool:
    """Whether two plain values are equal, and of the same types all through."""
    return _plain(value) == _plain(other)


class _Block:
    """One readable block and where its fields stand."""

    def __init__(self, text: str, front: FrontMatter, path: str | None) -> None:
        self.text, self.front, self.path = text, front, path
        body = len(text) - len(front.body)
        last = body - 1 if text[body - 1] == "\n" else body
        self.closing = text.rfind("\n", 0, last) + 1
        self.places: Places = find_places(text, text.index("\n") + 1, self.closing)

    def edits(self, changes: Mapping[str, object | None]) -> list[Edit]:
        """What to replace so that the fields are as wanted."""
        if self.places.flow:
            first = next(iter(changes))
            raise self._refused(first, "stands in a block written between braces", "write each field on a line")
        entries = self.places.entries
        margin = " " * (entries[0].start - self._line_start(entries[0].start) if entries else 0)
        edits: list[Edit] = []
        new = ""
        for key, value in changes.items():
            same_key = [entry for entry in entries if entry.key == key]
            for entry in same_key:
                self._check_place(entry)
            if value is None:
                edits += [Edit(*self._lines_of(entry), "") for entry in same_key]
            elif same_key:
                edits += self._changed(same_key[-1], value)  # of a repeated field the last one counts
            else:
                new += _field_lines(key, value, margin)
        return [*edits, Edit(self.closing, self.closing, new)]

    def _check_place(self, entry: Entry) -> None:
        if self.text[self._line_start(entry.start) : entry.start].strip(" "):
            raise self._refused(entry.key, "does not begin its line", f"write it as `{entry.key}: value`")
        elsewhere = frozenset[str]().union(*(e.value.aliases for e in self.places.entries if e is not entry))
        shared = sorted(entry.value.anchors & elsewhere)
        if shared:
            said = f"is what `*{shared[0]}` in another field stands for"
            raise self._refused(entry.key, said, f"write the value out in place of `*{shared[0]}`")

    def _changed(self, entry: Entry, value: object) -> list[Edit]:
        node, text = entry.value, self.text
        old = self.front.fields[entry.key]
        new = list(cast("Sequence[object]", value)) if isinstance(value, (list, tuple)) else []
        if node.is_list and new and old and len(node.items) == len(old):
            edits = self._changed_list(node, cast("list[Any]", old), new)
            if edits is not None:
                return edits
        like = node.style if node.style in ("'", '"') else _quoting(text, node)
        indent = entry.start - self._line_start(entry.start)
        inline, below = after_key(cast("object", value), indent, like=like)
        if "\n" not in text[entry.colon : node.end] and not below:
            return [Edit(node.start, node.end, inline if text[node.start - 1].isspace() else f" {inline}")]
        if has_comment(text, node):
            raise self._refused(entry.key, "has a comment inside its value", "move the comment above the field")
        head = text[self._line_start(entry.start) : entry.colon] + (f" {inline}" if inline else "")
        end = self._line_end(node.end)
        lines = "".join(line + "\n" for line in (head + self._comment(entry), *below))
        return [Edit(self._line_start(entry.start), end, lines)]

    def _changed_list(self, node: Node, old: list[Any], new: Sequence[object]) -> list[Edit] | None:
        """The edits that make one list of another and keep what stays, or None where the list is written anew."""
        like = next((item.style for item in reversed(node.items) if item.style in ("'", '"')), "")
        if node.style == "-":
            return self._changed_lines(node, old, new, like)
        written = self.text[node.start : node.end]
        if "\n" in written or written[0] != "[":
            return None
        kept = {_plain(value): self.text[item.start : item.end] for value, item in zip(old, node.items, strict=True)}
        items = [kept.get(_plain(as_read(item))) or flow_value(item, like=like) for item in new]
        pad = " " if written[1:2] == " " else ""
        line = f"[{pad}{', '.join(items)}{pad}]"
        return [Edit(node.start, node.end, line)] if len(line) <= max(LONGEST_LINE, len(written)) else None

    def _changed_lines(self, node: Node, old: list[Any], new: Sequence[object], like: str) -> list[Edit] | None:
        indent = node.start - self._line_start(node.start)
        stretches = self._item_stretches(node, indent)
        if stretches is None:
            return None
        before, after = [_plain(item) for item in old], [_plain(as_read(item)) for item in new]
        edits: list[Edit] = []
        for what, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if what == "equal":
                continue
            lines = "".join(line + "\n" for item in new[k:m] for line in item_lines(item, indent, like=like))
            if i == j:
                at = stretches[i - 1][1] if i else stretches[0][0]
                edits.append(Edit(at, at, lines))
            else:
                edits.append(Edit(*stretches[i], lines))
                edits += [Edit(*stretch, "") for stretch in stretches[i + 1 : j]]
        return edits

    def _item_stretches(self, node: Node, indent: int) -> list[tuple[int, int]] | None:
        """The whole lines of each item of a block list; None where an item does not begin its line."""
        dash = re.compile(rf"^ {{{indent}}}-(?=\s|\Z)", re.MULTILINE)
        at = self._line_start(node.start)
        found: list[tuple[int, int]] = []
        for item in node.items:
            begins = dash.search(self.text, at, max(item.start, at) + 1)
            if begins is None:
                return None
            at = self._line_end(item.end)
            found.append((begins.start(), at))
        return found

    def _comment(self, entry: Entry) -> str:
        """The comment beside a value that is about to be written anew, as it follows on the key's line."""
        text, node = self.text, entry.value
        beside = text[entry.colon : node.start].split("\n", 1)
        comments = [beside[0]] if len(beside) > 1 else []
        if any("#" in line for line in beside[1:]):
            raise self._refused(entry.key, "has a comment above its value", "move the comment above the field")
        if node.style in ("|", ">") and (header := _BLOCK_HEADER_COMMENT.match(text[node.start : node.end])):
            comments.append(header[1])
        else:
            comments.append(text[node.end : self._line_end(node.end)])
        said = [comment.strip() for comment in comments if comment.strip()]
        return "".join(f"  {comment}" for comment in said)

    def _lines_of(self, entry: Entry) -> tuple[int, int]:
        return self._line_start(entry.start), self._line_end(max(entry.value.end, entry.colon))

    def _line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def _line_end(self, offset: int) -> int:
        """After the line that holds the character before an offset."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end + 1

    def _refused(self, key: str, reason: str, hint: str) -> Refused:
        return _refusal(self.path, key, f"{reason} and cannot be changed in place", hint)


def _field_lines(key: str, value: object, margin: str = "") -> str:
    inline, below = after_key(value, len(margin))
    head = f"{margin}{scalar(key)}:"
    return "".join(line + "\n" for line in (f"{head} {inline}" if inline else head, *below))


def _quoting(text: str, node: Node) -> str:
    """How the texts of a list are quoted."""
    last = node.items[-1] if node.is_list and node.items else None
    return last.style if last is not None and last.style in ("'", '"') else ""


def _plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _differs(front: FrontMatter, key: str, value: object | None, path: str | None) -> bool:
    if value is None:
        return key in front.fields
    try:
        scalar(key)
        after_key(value, 0)
        return key not in front.fields or not same(front.fields[key], as_read(value))
    except ValueError as error:
        raise _refusal(path, key, f"cannot be written: {error}", "send another value") from None


def _check(result: str, before: FrontMatter, expected: Mapping[str, Any], path: str | None) -> None:
    """What was edited, read again. Raises Refused where it does not say what it should."""
    after = split_front_matter(SourceText(result).text)
    for key in dict.fromkeys((*expected, *after.fields)):
        if after.broken or (key in expected) != (key in after.fields) or not same(after.fields[key], expected[key]):
            wrong = next((k for k, v in expected.items() if not same(before.fields.get(k), v)), key)
            reason = "would not be read as it was meant" if not after.broken else "would break the front matter"
            raise _refusal(path, wrong if after.broken else key, reason, "edit that field by hand")
    if after.body != before.body or len(after.problems) > len(before.problems):
        key = next(iter(expected), "front matter")
        raise _refusal(path, key, "cannot be changed without touching the text below", "edit the file by hand")


def _refusal(path: str | None, key: str, reason: str, hint: str) -> Refused:
    return Refused(f"{path or 'the file'}: the field {key} {reason}", file=path, field=key, hint=hint)
