"""Contents with every field, and ledgers of them, for laws that must hold for all."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from unicodedata import normalize

from hypothesis import strategies as st

from memtui.model.canonical import chain_hash, content_hash
from memtui.model.instants import MAX_INSTANT, MIN_INSTANT
from memtui.model.proposals import PROPOSAL_KINDS, Fact
from memtui.model.recalls import Recall
from memtui.model.records import KINDS, Claim, Content, EncodingContext, Finding, HomophonicLink, RecordKey, Revival
from memtui.model.reviews import VERBS, DecisionRecord, Review, Touched
from memtui.model.versions import OPERATIONS, Version, says_anew

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
NAME = TEXT.filter(str.strip)
TEXTS = st.lists(TEXT, max_size=2).map(tuple)
INSTANT = (
    st.integers(MIN_INSTANT - 5, MIN_INSTANT + 5)
    | st.integers(MAX_INSTANT - 5, MAX_INSTANT + 5)
    | st.integers(-(10**15), 10**16)
)
NUMBER = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**6), 10**6)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)


def maybe(strategy):
    return st.none() | strategy


CLAIMS = st.builds(
    Claim, TEXT, maybe(TEXT), maybe(TEXT), st.sampled_from(["asserts", "denies"]), st.booleans(), maybe(INSTANT)
)
CONTENTS = st.builds(
    Content,
    summary=maybe(TEXT),
    title=maybe(TEXT),
    body=maybe(TEXT),
    area=maybe(TEXT),
    tags=TEXTS,
    source_refs=TEXTS,
    aliases=TEXTS,
    owner=maybe(TEXT),
    affect=maybe(TEXT),
    affect_reason=maybe(TEXT),
    confidence=maybe(TEXT | NUMBER),
    stability_days=maybe(NUMBER),
    pinned=st.booleans(),
    memory_type=maybe(TEXT),
    encoding_context=maybe(
        st.builds(EncodingContext, maybe(TEXT), TEXTS, TEXTS, maybe(TEXT), maybe(TEXT), maybe(INSTANT))
    ),
    valid_from=maybe(INSTANT),
    valid_to=maybe(INSTANT),
    superseded_by=maybe(TEXT),
    revivals=st.lists(st.builds(Revival, INSTANT, INSTANT, maybe(TEXT), maybe(TEXT)), max_size=2).map(tuple),
    claims=st.lists(CLAIMS, max_size=2).map(tuple),
    homophonic_links=st.lists(st.builds(HomophonicLink, TEXT, NUMBER, maybe(TEXT)), max_size=2).map(tuple),
    findings=st.lists(st.builds(Finding, TEXT, TEXT, TEXTS), max_size=2).map(tuple),
    rating=maybe(TEXT),
    supports=TEXTS,
    refutes=TEXTS,
    path=maybe(TEXT),
    line=maybe(st.integers(1, 99)),
    status=maybe(TEXT),
    priority=maybe(TEXT),
    doc_type=maybe(TEXT),
    dated=maybe(INSTANT),
    links=TEXTS,
    supersedes=maybe(TEXT),
    extra=st.dictionaries(TEXT, JSON, max_size=2),
)


def lawful(content):
    """The content with a past that any store would have recorded: in force from its beginning on."""

    def within(instant):
        return None if instant is None else max(MIN_INSTANT, min(MAX_INSTANT, instant))

    path = None if content.path is None else "x" + content.path.replace("/", "-").replace(".", "-")
    begin = within(content.valid_from) or 0
    return replace(content, valid_from=begin, valid_to=None, revivals=(), dated=within(content.dated), path=path)


LAWFUL_NAME = st.text(st.characters(categories=["Ll", "Lo", "Nd"], max_codepoint=0x2FF), min_size=1, max_size=6).map(
    lambda name: normalize("NFC", name)
)
STEP = st.tuples(
    st.sampled_from(["workspace", "base"]),
    st.sampled_from(["engram", "note"]),
    LAWFUL_NAME,
    CONTENTS.map(lawful),
    st.sampled_from(OPERATIONS),
    TEXT,
    maybe(TEXT),
    st.booleans(),
    st.integers(0, 2),
)
CUE = st.tuples(st.sampled_from(["workspace", "base"]), NAME, TEXT, TEXT, st.integers(0, 2))


def decisions(partition):
    key = st.builds(RecordKey, st.just(partition), st.sampled_from(KINDS), NAME)
    seq = st.integers(1, 2**63 - 1)
    return st.builds(
        DecisionRecord,
        proposal=NAME,
        kind=st.sampled_from(PROPOSAL_KINDS),
        about=TEXT,
        keys=st.lists(key, max_size=3).map(tuple),
        verb=st.sampled_from(VERBS),
        facts=st.lists(st.builds(Fact, TEXT, TEXT), max_size=3).map(tuple),
        effect=TEXT,
        keep=maybe(key),
        at_survivor=st.booleans(),
        touched=st.lists(st.builds(Touched, key, seq, maybe(seq)), max_size=3).map(tuple),
    )


CONFIRMATION = st.sampled_from(["workspace", "base"]).flatmap(
    lambda partition: st.tuples(
        st.just(partition),
        st.lists(decisions(partition), max_size=3).map(tuple),
        TEXT,
        maybe(st.integers(0, 3)),
        st.integers(0, 2),
    )
)


def sealed(steps):
    """Versions from steps: numbered, stamped and chained as a store would."""
    heads, contents, versions, stamp = {}, {}, [], 1_000_000
    for partition, kind, name, content, operation, actor, reason, origin_known, later in steps:
        stamp += later
        seq, chain = heads.get(partition, (0, ""))
        key, digest = RecordKey(partition, kind, name), content_hash(content)
        chain = chain_hash(
            chain,
            key,
            seq=seq + 1,
            recorded_at=stamp,
            operation=operation,
            actor=actor,
            reason=reason,
            content_digest=digest,
            origin_known=origin_known,
        )
        anew = says_anew(contents.get(key), content)
        versions.append(
            Version(
                key,
                seq + 1,
                stamp,
                operation,
                actor,
                reason,
                content,
                digest,
                origin_known,
                chain,
                reinforces=anew,
            )
        )
        heads[partition], contents[key] = (seq + 1, chain), content
    return sorted(versions, key=lambda v: (v.recorded_at, v.key.partition, v.seq))


def recalled(cues):
    """Recalls from cues, numbered for each reader."""
    last, events, stamp = {}, [], 2_000_000
    for reader, name, cue, actor, later in cues:
        stamp += later
        last[reader] = last.get(reader, 0) + 1
        events.append(Recall(RecordKey("workspace", "engram", name), reader, last[reader], stamp, cue, actor))
    return sorted(events, key=lambda r: (r.recorded_at, r.reader, r.seq))


def reviewed(confirmations, versions=None):
    """Reviews from confirmations, numbered for each partition; some take an earlier one back, if one stands.

    What the decisions wrote becomes some of the versions, if any are given, as in a ledger.
    """
    last, standing, reviews, stamp = defaultdict(int), defaultdict(list), [], 3_000_000
    for partition, made, actor, undoing, later in confirmations:
        stamp += later
        seq = last[partition] = last[partition] + 1
        if undoing is not None and standing[partition]:
            undone = standing[partition].pop(undoing % len(standing[partition]))
            reviews.append(Review(partition, seq, stamp, actor, undoes=undone))
        else:
            standing[partition].append(seq)
            if versions is not None:
                own = [version for version in versions if version.key.partition == partition]
                made = tuple(replace(each, touched=_among(own, each.touched)) for each in made)
            reviews.append(Review(partition, seq, stamp, actor, made))
    return sorted(reviews, key=lambda r: (r.decided_at, r.partition, r.seq))


def _among(versions, touched):
    picked = [versions[each.seq % len(versions)] for each in touched if versions]
    earlier = [[v.seq for v in versions if v.key == each.key and v.seq < each.seq] for each in picked]
    return tuple(
        Touched(each.key, each.seq, max(before, default=None)) for each, before in zip(picked, earlier, strict=True)
    )
