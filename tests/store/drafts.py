"""What the stores' tests record: one record, one content with every field."""

from __future__ import annotations

from memtui.model.instants import DAY
from memtui.model.proposals import Fact
from memtui.model.records import Claim, Content, EncodingContext, Finding, HomophonicLink, RecordKey, Revival
from memtui.model.reviews import DecisionRecord, Touched
from memtui.model.versions import Draft
from tests.clocks import START

KEY = RecordKey("workspace", "engram", "port")


def draft(content, key=KEY, operation="remember", **more):
    return Draft(key, operation, content, "tester", **more)


def decision(key=KEY, **more):
    """That a record superseded another one of its partition."""
    other = key._replace(name="old-port")
    return DecisionRecord(
        **{
            "proposal": "0123456789",
            "kind": "contradiction",
            "about": "Service/db · port",
            "keys": (other, key),
            "verb": "accept",
            "facts": (Fact("old-port", "port = 1"), Fact(key.name, "port = 5433")),
            "effect": f"{key.name} supersedes old-port",
            "keep": key,
            "touched": (Touched(key, 1, None),),
            **more,
        }
    )


FULL = Content(
    summary="The port is 5433 \x00 é ✓",
    title="Port",
    body="long\nbody",
    area="Service/db",
    tags=("ops", "db"),
    source_refs=("commit:abc",),
    aliases=("staging-port",),
    owner="ada",
    affect="surprise",
    affect_reason="it was not what anybody thought",
    confidence="burning",
    stability_days=12.5,
    pinned=True,
    memory_type="semantic",
    encoding_context=EncodingContext(area="Service/db", co_topics=("ops",), created_at=START),
    valid_from=START,
    valid_to=START + 900 * DAY,
    revivals=(Revival(START + DAY, START + 2 * DAY, revived_by="bob"),),
    claims=(Claim("port", "5433", "Service/db", many=False), Claim("up", polarity="denies")),
    homophonic_links=(HomophonicLink("other", 0.25, "sound"),),
    findings=(Finding("it listens", "strong", ("url:x",)),),
    rating="3",
    supports=("a",),
    refutes=("b", "c"),
    path="engrams/port.md",
    status="open",
    priority="high",
    doc_type="fact",
    dated=START,
    links=("people",),
    supersedes="x1",
    extra={"nested": {"list": [1, 2.5, None, "ü"]}, "flag": True},
)
