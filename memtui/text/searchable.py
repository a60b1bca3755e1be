"""Which words of a record are searched, and as which field (spec page 2, "Fields into text")."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from memtui.model.records import MEMORY_KINDS, Content, RecordKey
from memtui.text.markdown import first_heading


class SearchableText(NamedTuple):
    """The fields of a record as the index reads them; absent ones are empty.

    `score` reads title, description, tags and body; `identity` (name, aliases, last part of the
    name) only makes a record a candidate and lifts its rank.
    """

    title: str
    description: str
    tags: str
    body: str
    identity: str


def searchable(key_or_kind: RecordKey | str, name: str, content: Content) -> SearchableText:
    """The searchable text of one version of a record, by its kind."""
    kind = key_or_kind.kind if isinstance(key_or_kind, RecordKey) else key_or_kind
    identity = _lines((name, *content.aliases, name.rsplit("/", 1)[-1] if "/" in name else None))
    tags = " ".join(content.tags)
    if kind in MEMORY_KINDS:
        return SearchableText(content.title or "", content.summary or "", tags, _memory_body(content), identity)
    if kind == "changelog":
        title = content.title or content.summary or _first_line(content.body)
        return SearchableText(title, "", _entry_tags(content), _lines((content.body, *content.source_refs)), identity)
    title = content.title or first_heading(content.body or "") or name
    return SearchableText(title, content.summary or "", tags, content.body or "", identity)


def searchable_hash(text: SearchableText) -> str:
    """SHA-256 (hex) of the fields, each with its length before it, so that no two texts share an encoding."""
    digest = hashlib.sha256()
    for field in text:
        data = field.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()


def _lines(parts: Iterable[str | None]) -> str:
    return "\n".join(part for part in parts if part)


def _memory_body(content: Content) -> str:
    claims = (str(claim) for claim in content.claims)
    findings = (_lines((finding.text, *finding.source_refs)) for finding in content.findings)
    return _lines((content.body, content.area, *claims, *content.source_refs, *findings))


def _entry_tags(content: Content) -> str:
    """A changelog entry's type and scope, which its reader keeps as tags."""
    own = (content.doc_type,) if content.doc_type and content.doc_type not in content.tags else ()
    return " ".join((*own, *content.tags))


def _first_line(text: str | None) -> str:
    return next((line.strip() for line in (text or "").splitlines() if line.strip()), "")
