"""Editing a vault's documents: what their front matter says and the text below it, and not a byte more."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memtui.errors import Refused
from memtui.model.records import DRAWING_FILE
from memtui.text.fields import scalar_text
from memtui.text.frontmatter import FrontMatter, split_front_matter
from memtui.text.naming import is_blank
from memtui.vault.front_matter_edit import edited_front_matter
from memtui.vault.source_text import Edit, SourceText, editable_text, file_bytes

__all__ = ["editable_text", "edited_document", "file_bytes", "laid_out", "text_below", "texts_as_written"]

# Between two of these a blank line would part what belongs together.
_ITEM = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]|[ \t]*\|")


def edited_document(
    path: str,
    text: str,
    *,
    title: str | None = None,
    description: str | None = None,
    tags: Sequence[str] | str | None = None,
    content: str | None = None,
    append: str | None = None,
    pinned: bool | None = None,
) -> str:
    """The text of a document with some of its fields changed, its text below replaced, or something added to it.

    None leaves a part as it is; an empty title, description or list of tags takes the field away. Tags given as one
    text are parted by commas. A title is always written as a field: a heading stays. What is appended becomes a
    paragraph of its own, or one more item of the list or row of the table it follows. Raises Refused, naming the
    field and what to do, where the result would not be read as it was meant.
    """
    front = split_front_matter(SourceText(text).text)
    result = edited_front_matter(text, _changes(front, title, description, tags, pinned), path=path)
    if content is not None or append is not None:
        body = front.body if content is None else laid_out(content, front.body)
        body = body if append is None else _extended(body, append)
        result = _with_text(path, result, front.body, body)
    file_bytes(path, result)
    return result


def laid_out(text: str, like: str | None) -> str:
    """A new text below the front matter, with the empty lines before and the line ends after it that the old had."""
    words = _with_plain_line_ends(text).strip("\n")
    if is_blank(words):
        return ""
    if like is None or is_blank(like):
        return f"{words}\n"
    first, last = len(like) - len(like.lstrip("\n")), len(like.rstrip("\n"))
    return f"{like[:first]}{words}{like[last:]}"


def text_below(source: SourceText, body: str, new: str) -> str:
    """The raw text with another text below its front matter, whose present one is `body`."""
    start = len(source.text) - len(body)
    # A closing line without an end of its own would run into the text.
    joined = start > 0 and source.text[start - 1] != "\n" and new
    return source.edited([Edit(start, len(source.text), f"\n{new}" if joined else new)])


def _changes(
    front: FrontMatter,
    title: str | None,
    description: str | None,
    tags: Sequence[str] | str | None,
    pinned: bool | None,
) -> dict[str, object | None]:
    """The fields that say something else now, as they are to be written."""
    changes: dict[str, object | None] = {}
    if title is not None:
        changes["title"] = None if is_blank(title) else " ".join(title.split())
    if description is not None:
        changes["description"] = None if is_blank(description) else _with_plain_line_ends(description).strip()
    if tags is not None:
        tags = tags.split(",") if isinstance(tags, str) else tags  # as front matter has it
        bare = (tag.strip().removeprefix("#").strip() for tag in tags)
        wanted = dict.fromkeys(tag for tag in bare if not is_blank(tag))
        as_written = texts_as_written(front, "tags")
        changes["tags"] = tuple(as_written.get(tag, tag) for tag in wanted) or None
    if pinned is not None:
        changes["pinned"] = pinned if pinned or "pinned" in front.fields else None
    return changes


def texts_as_written(front: FrontMatter, key: str) -> dict[str, object]:
    """How each text of a list is written: as text or as a number, a tag with or without its sign."""
    written: object = front.fields.get(key)
    items: list[object] = [*written] if isinstance(written, list) else []
    read = {(scalar_text(item) or "").strip(): item for item in items}
    return {text.removeprefix("#").strip(): item for text, item in read.items()} if key == "tags" else read


def _with_text(path: str, text: str, body: str, new: str) -> str:
    if path.lower().endswith(DRAWING_FILE):
        raise Refused(
            f"{path} is a drawing; its text is drawn, and replacing it would break the drawing",
            file=path,
            field="content",
            hint="edit it in Excalidraw",
        )
    before = split_front_matter(SourceText(text).text)
    result = text_below(SourceText(text), body, new)
    after = split_front_matter(SourceText(result).text)
    if after.body != new or after.fields != before.fields or after.broken:
        raise Refused(
            f"{path}: the text would be taken for front matter",
            file=path,
            field="content",
            hint="begin the text with something other than ---, and set fields by their own options",
        )
    return result


def _extended(body: str, addition: str) -> str:
    words = _with_plain_line_ends(addition).strip("\n")
    if is_blank(words):
        return body
    if is_blank(body):
        return f"{body}{words}\n" if body[-1:] in ("", "\n") else f"{body}\n{words}\n"
    kept = body.rstrip("\n")
    last = kept.rsplit("\n", 1)[-1]
    gap = "\n" if _ITEM.match(last) and _ITEM.match(words) and len(body) - len(kept) < 2 else "\n\n"
    return f"{body}{gap[len(body) - len(kept) :]}{words}\n"


def _with_plain_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
