"""What a memory searches with: its embedder and the vectors of its texts, or an engine of the user's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.memory.view import View

if TYPE_CHECKING:
    from memtui.cognition.scribes import ContradictionScribe, MergeScribe
    from memtui.embedding.port import EmbeddingPort
    from memtui.memory.embedders import Readiness
    from memtui.memory.embedding import Embedded
    from memtui.search.provider import RecordSearchProvider


class Equipped(View):
    """A view whose means of searching can be told and changed."""

    def register_embedder(self, embedder: EmbeddingPort) -> None:
        """From now on this one embeds, instead of the one the settings name; registering again replaces it.

        Its vectors have 384, 512, 768, 1024, 1536 or 3072 numbers. Raises InvalidInput for what is no embedder.
        """
        self._realms.meanings.register(embedder)

    def register_search_provider(self, provider: RecordSearchProvider) -> None:
        """From now on this engine ranks records, instead of memtui's own planes; registering again replaces it.

        Where it raises, takes longer than two seconds or answers with no ranking, memtui's own planes answer, and
        the answer is degraded and names the reason. Searches by words alone (`semantic` False) do not ask it.
        """
        from memtui.memory.providing import Registered

        self._realms.provider = Registered(provider)

    @property
    def has_search_provider(self) -> bool:
        """Whether an engine was registered to rank records."""
        return self._realms.provider is not None

    def register_scribes(
        self, *, merge: MergeScribe | None = None, contradiction: ContradictionScribe | None = None
    ) -> None:
        """From now on these judges from outside have a say in plans; who is not given is none.

        A merge scribe writes one text for memories that say the same; a contradiction scribe may call what is undecided
        a contradiction. Both only propose. One that raises is named beside the proposal, which then stands as it was.
        """
        self._realms.merge_scribe, self._realms.contradiction_scribe = merge, contradiction

    def wake(self) -> None:
        """Begin to load the model, without waiting for it. Raises EmbedderUnavailable, InvalidInput."""
        self._realms.meanings.wake()

    def close(self) -> None:
        """End the process in which the embedder runs, if it has one, also for others of this program that use it.

        The next text starts that of a setting again; one that was started by hand is ended for good. What else was
        registered is left to whoever made it.
        """
        self._realms.meanings.close()

    @property
    def readiness(self) -> Readiness:
        """How the embedder stands now; nothing is loaded for that."""
        return self._realms.meanings.readiness

    def embed(
        self,
        progress: Callable[[int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
        *,
        anew: bool = False,
        personal: bool = False,
    ) -> Embedded:
        """Embed what is not embedded yet, newest first, past texts too; what was done until it is `cancelled` stays.

        With `anew` everything is embedded again, as after a model's file was replaced.

        `progress` is told how many texts of how many. Raises EmbedderUnavailable, StoreBusy, Refused (read-only).
        """
        from memtui.memory.embedding import embed_waiting

        realm = self._realms.of(personal)
        realm.check_writable()
        if anew:
            self._realms.meanings.forget()
        return embed_waiting(realm, self._realms.meanings.embedder(), progress, cancelled, anew=anew)

    def adopt_vectors(self, path: Path | str, *, personal: bool = False) -> int:
        """Take over vectors that were made elsewhere of texts that wait here; how many texts need no model any more.

        Those of another model than the one that embeds here are kept and not compared. Raises InvalidInput for a
        file that holds no vectors, StoreBusy, StoreUnreadable, Refused (read-only).
        """
        from memtui.memory.vector_pack import VectorPack, adopt

        return adopt(self._realms.of(personal), VectorPack.read(Path(path)))
