"""One canonical form of a content: for hashes, for storage and for interchange."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, cast

from memtui.model.records import (
    CONTENT_FIELDS,
    Claim,
    Content,
    EncodingContext,
    Finding,
    HomophonicLink,
    RecordKey,
    Revival,
)
from memtui.model.versions import Operation

UNHASHED_FIELDS = frozenset({"line"})
"""Fields that say where a text lies, not what it says."""

_NESTED_LISTS: dict[str, type] = {
    "revivals": Revival,
    "claims": Claim,
    "homophonic_links": HomophonicLink,
    "findings": Finding,
}
_TEXT_LISTS = frozenset({"tags", "source_refs", "aliases", "supports", "refutes", "links"})


def _default(name: str) -> object:
    declared = next(f for f in fields(Content) if f.name == name)
    if declared.default_factory is not MISSING:
        return declared.default_factory()
    return declared.default


_DEFAULTS: dict[str, object] = {name: _default(name) for name in CONTENT_FIELDS}
_MEMBERS: dict[type, tuple[str, ...]] = {
    cls: tuple(f.name for f in fields(cls)) for cls in (*_NESTED_LISTS.values(), EncodingContext)
}


def _plain(value: object) -> object:
    """A value as JSON knows it: nested values as mappings, tuples as lists."""
    members = _MEMBERS.get(type(value))
    if members is not None:
        return {name: _plain(getattr(value, name)) for name in members}
    if isinstance(value, tuple):
        return [_plain(item) for item in cast("tuple[object, ...]", value)]
    return value


def content_as_dict(content: Content) -> dict[str, Any]:
    """A content as JSON values; fields at their defaults are left out."""
    shape: dict[str, Any] = {}
    for name in CONTENT_FIELDS:
        value = getattr(content, name)
        if value != _DEFAULTS[name]:
            shape[name] = _plain(value)
    return shape


def _nested(cls: type, item: Mapping[str, Any]) -> Any:
    known = {name: item[name] for name in _MEMBERS[cls] if item.get(name) is not None}
    for name, value in known.items():
        if isinstance(value, list):
            known[name] = tuple(cast("list[Any]", value))
    return cls(**known)


def content_from_dict(shape: Mapping[str, Any]) -> Content:
    """The content a mapping from `content_as_dict` stands for; absent and None fields take defaults.

    Raises TypeError for a field that Content does not have.
    """
    known: dict[str, Any] = {}
    for name, value in shape.items():
        if value is None:
            continue
        if name in _NESTED_LISTS:
            known[name] = tuple(_nested(_NESTED_LISTS[name], item) for item in value)
        elif name == "encoding_context":
            known[name] = _nested(EncodingContext, value)
        elif name in _TEXT_LISTS:
            known[name] = tuple(value)
        else:
            known[name] = value
    return Content(**known)


def content_hash(content: Content) -> str:
    """SHA-256 (hex) of the canonical form: equal contents, and only they, share it."""
    shape = {name: value for name, value in content_as_dict(content).items() if name not in UNHASHED_FIELDS}
    text = json.dumps(shape, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def chain_hash(
    previous: str,
    key: RecordKey,
    *,
    seq: int,
    recorded_at: int,
    operation: Operation,
    actor: str,
    reason: str | None,
    content_digest: str,
    origin_known: bool,
) -> str:
    """The running hash of a partition after one more version.

    It covers the content's hash, not the content, so that a redaction keeps the chain; and not the
    partition's name, so that a workspace can be renamed or moved to a store that holds many.
    """
    link = [previous, seq, recorded_at, operation, actor, reason, key.kind, key.name, content_digest, origin_known]
    text = json.dumps(link, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
