"""Values that filters ask for and nothing has, told with the nearest there are: a tag that is misspelt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.model.versions import Version
from memtui.search.conditions import Condition, Group, holds, word_of
from memtui.search.corpus import Corpus
from memtui.search.mask import BeliefMask
from memtui.search.vocabulary import words_of
from memtui.text.likeness import compared, nearest
from memtui.text.query_completing import Vocabulary
from memtui.text.query_filters import ClaimFilter, Filter

_MOST_NEAR = 3


def unheld_values(
    corpus: Corpus, believed: BeliefMask, mask: BeliefMask, conditions: Iterable[Condition]
) -> tuple[str, ...]:
    """A sentence for each tag, area and claim asked for that nothing believed has, in force or not.

    The nearest are of what the search looked at, its `mask`. Reads every record: for an answer that found nothing.
    """
    asked = [wanted for wanted in _asked(conditions) if wanted.field in ("tag", "area", "claim")]
    if not asked:
        return ()
    every = corpus.versions(believed.row_of_text[believed.visible].tolist())
    missing = [wanted for wanted in asked if not any(holds(wanted, v.key.kind, v.content) for v in every)]
    if not missing:
        return ()
    versions = corpus.versions(mask.row_of_text[mask.visible].tolist())
    known = words_of(versions)
    return tuple(dict.fromkeys(_told(wanted, known, versions) for wanted in missing))


def _asked(conditions: Iterable[Condition]) -> Iterable[Filter]:
    return (
        wanted
        for condition in conditions
        if isinstance(condition, Group) and not condition.excludes
        for wanted in condition.filters
    )


def _told(wanted: Filter, known: Vocabulary, versions: Sequence[Version]) -> str:
    """What there is none of, and what comes near it."""
    if isinstance(wanted, ClaimFilter):
        return _claim_told(wanted, known, versions)
    word = word_of(wanted)
    near = nearest(word, known.tags if wanted.field == "tag" else known.areas, _MOST_NEAR)
    return _with_near(f"no {wanted.field} is called {word}", near)


def _claim_told(wanted: ClaimFilter, known: Vocabulary, versions: Sequence[Version]) -> str:
    """Of a predicate that is claimed what is claimed by it comes near, else other predicates."""
    predicate = wanted.claim.predicate
    said = f"nothing claims {wanted.claim}"
    if compared(predicate) not in map(compared, known.predicates):
        return _with_near(said, [f"{near}=" for near in nearest(predicate, known.predicates, _MOST_NEAR)])
    claims = (claim for version in versions for claim in version.content.claims)
    objects = {claim.object for claim in claims if claim.object and compared(claim.predicate) == compared(predicate)}
    near = nearest(wanted.claim.object or "", sorted(objects), _MOST_NEAR)
    return _with_near(said, [f"{predicate}={value}" for value in near])


def _with_near(said: str, near: Sequence[str]) -> str:
    return f"{said}; near: {', '.join(near)}" if near else said
