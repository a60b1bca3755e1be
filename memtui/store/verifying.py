"""Whether versions from elsewhere are the ledger they claim to be, and keep the laws every writer here keeps."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import InvalidInput, Refused
from memtui.model.canonical import chain_hash, content_hash
from memtui.model.instants import DAY, MAX_INSTANT, MIN_INSTANT, Instant
from memtui.model.records import Content, RecordKey
from memtui.model.versions import OPERATIONS, Head, Version
from memtui.model.windows import window_flaw
from memtui.store.appending import guarded
from memtui.text.naming import check_name

LATEST_STAMP: Instant = MAX_INSTANT - 366 * DAY
"""Beyond this there would soon be no later stamp to give."""


def verify(versions: Iterable[Version]) -> None:
    """See that versions (of any partitions, each from its first, in order) are a whole and lawful ledger.

    Raises Refused naming the first version whose number, stamp, hashes, name, window or past does not fit.
    """
    heads: dict[str, Head] = {}
    current: dict[RecordKey, Version] = {}
    for version in versions:
        key, head = version.key, heads.get(version.key.partition, Head())
        before = current.get(key)
        reason = _flaw(version, head) or _breach(version, None if before is None else before.content)
        if reason is not None:
            raise Refused(
                f"version {version.seq} ({key.kind}/{key.name[:200]}) {reason}",
                field="chain",
                value=version.chain,
                hint="the ledger was changed or cut since it was written; nothing of it was taken",
            )
        heads[key.partition] = Head(version.seq, version.recorded_at, version.chain)
        current[key] = version


def _flaw(version: Version, head: Head) -> str | None:
    """What is wrong with a version as a link of the chain."""
    if version.seq != head.seq + 1:
        return f"follows version {head.seq}: one or more between them are missing"
    if version.recorded_at < head.recorded_at:
        return "is stamped before the one it follows"
    if version.operation not in OPERATIONS:
        return f"has an unknown operation {version.operation!r}"
    if content_hash(version.content) != version.content_hash:
        return "does not have the content it was sealed with"
    chain = chain_hash(
        head.chain,
        version.key,
        seq=version.seq,
        recorded_at=version.recorded_at,
        operation=version.operation,
        actor=version.actor,
        reason=version.reason,
        content_digest=version.content_hash,
        origin_known=version.origin_known,
    )
    return None if chain == version.chain else "does not fit the running hash"


def _breach(version: Version, before: Content | None) -> str | None:
    """What no writer here would have recorded: it could not be shown, named or gone on from."""
    content = version.content
    try:
        if check_name(version.key.name) != version.key.name:
            return "has a name that is not in its normal form (NFC)"
    except InvalidInput as error:
        return f"has an impossible name: {error.message}"
    if not 0 <= version.recorded_at <= LATEST_STAMP:
        return "has a stamp that no clock shows"
    gaps = [instant for revival in content.revivals for instant in (revival.valid_to, revival.revived_at)]
    known = [i for i in (content.valid_from, content.valid_to, content.dated, *gaps) if i is not None]
    if content.valid_from is None or not all(MIN_INSTANT <= instant <= MAX_INSTANT for instant in known):
        return "has an instant outside the years 1 to 9999, or no beginning"
    flaw = window_flaw(content, may_be_empty=True)
    if flaw is not None:
        return f"has an impossible {flaw.field}, which {flaw.reason}"
    if content.path is not None and (content.path.startswith("/") or ".." in content.path.split("/")):
        return f"names a file outside its vault, {content.path[:200]!r}"
    if before is not None:
        try:
            kept = guarded(before, content, version.recorded_at) == content
        except Refused:
            kept = False
        if not kept:
            return "rewrites when the memory was in force before"
    return None
