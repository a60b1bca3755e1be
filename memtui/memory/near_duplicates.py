"""The gate before remembering: is this as good as known already? It advises and never merges by itself.

By words, and by meaning where this program has loaded its model already: a one-shot command never has, so what it
answers depends on nothing but the store.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memtui.cognition.overlap import jaccard, merge_tokens
from memtui.cognition.turning import turning
from memtui.errors import Refused
from memtui.memory.realm import Realm
from memtui.memory.realms import Realms
from memtui.model.outcomes import Near
from memtui.model.records import Content
from memtui.search.request import SearchRequest
from memtui.text.naming import unnamed_engram

MERGE = 0.8
"""Share of common words from which two texts are taken to say the same."""
REVIEW = 0.5
"""Share of common words from which a person should look (spec page 3, merge candidates)."""
_COMPARED = 10
_LOOKED_FOR = 30
"""At most this many words are looked for: a long text must not cost more than it can tell."""


def of(realms: Realms, realm: Realm, content: Content, *, name: str | None, kind: str) -> tuple[Near, ...]:
    """Records in force that say much what a content says, each with its verdict: nearest by words first.

    By meaning are told those that words do not find, or would leave to a person where meaning would not.
    """
    own = name or unnamed_engram(content.summary or "")
    near = _by_words(realm, content, own, kind)
    if not realm.resident or realms.meanings.readiness.state != "ready":
        return near
    from memtui.memory.candidate import Candidate
    from memtui.memory.dedup import by_meaning

    found = by_meaning(realms, realm, Candidate(kind, own, content), (kind,))
    known = {each.name: each.verdict for each in near}
    more = [each for each in found if each.name != own and known.get(each.name) not in ("MERGE", each.verdict)]
    better = {each.name for each in more}
    return (*(each for each in near if each.name not in better), *more)


def _by_words(realm: Realm, content: Content, own: str, kind: str) -> tuple[Near, ...]:
    """Records in force whose words are nearly those of a content, nearest first."""
    own_words, own_gist = merge_tokens(content), _gist(content)
    near: list[Near] = []
    with realm.searching() as (searcher, present):
        request = SearchRequest(" ".join(telling(own_words)), limit=_COMPARED + 1, kinds=(kind,))
        for hit in searcher.search(request, present, realm.zone).hits:
            other = hit.record.content
            # A body or an area that only one of them has makes the same sentence no other one.
            similarity = max(jaccard(own_words, merge_tokens(other)), jaccard(own_gist, _gist(other)))
            if similarity >= REVIEW and hit.name != own:
                same = similarity >= MERGE and turning(other.summary) == turning(content.summary)
                near.append(Near(hit.kind, hit.name, similarity, "MERGE" if same else "REVIEW"))
    return tuple(sorted(near, key=lambda found: (-found.similarity, found.name)))


def telling(words: Collection[str]) -> list[str]:
    """The words to look for: of very many the longest, which are the rare ones; whole texts are compared after."""
    return sorted(sorted(words, key=lambda word: (-len(word), word))[:_LOOKED_FOR])


def _gist(content: Content) -> frozenset[str]:
    return merge_tokens(Content(summary=content.summary))


def refuse(near: Sequence[Near]) -> None:
    """Raises Refused when one of the near records says the same."""
    same = next((found for found in near if found.verdict == "MERGE"), None)
    if same is not None:
        raise Refused(
            f"{same.kind}/{same.name} says nearly the same ({same})",
            value=same.name,
            choices=[found.name for found in near],
            hint=f"`memtui update {same.name} …` corrects it, `memtui supersede {same.name} …` replaces it; "
            "remember it without --if-new to have both",
        )
