"""The encoding context: the circumstances in which a memory was first recorded."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import tzinfo

from memtui.cognition.memory_types import classify, time_of_day
from memtui.model.instants import Instant, to_datetime
from memtui.model.records import Content, EncodingContext

_REFERENT = re.compile(r"^[^/\s][^/]*/[^/\s].*$")


def is_referent(area: str | None) -> bool:
    """Whether an area names a thing (`Kind/name`) rather than a topic."""
    return area is not None and _REFERENT.match(area) is not None


def encoded(content: Content, *, at: Instant, zone: tzinfo) -> Content:
    """The content with its encoding context and memory type stamped, where they are absent."""
    memory_type = content.memory_type or classify(
        content.summary or "",
        area_is_referent=is_referent(content.area),
        text="\n".join(part for part in (content.summary, content.body) if part),
    )
    context = content.encoding_context or EncodingContext(
        area=content.area,
        co_topics=content.tags,
        source_refs=content.source_refs,
        affect=content.affect,
        time_of_day=time_of_day(to_datetime(at).astimezone(zone).hour),
        created_at=at,
    )
    return replace(content, memory_type=memory_type, encoding_context=context)
