"""memtui: the long-term memory of software agents and the people who work with them.

    import memtui

    memory = memtui.open("notes", create=True)
    memory.remember("The staging database lives on port 5433", tags=["ops"])
    for hit in memory.search("staging port"):
        print(hit.name, hit.snippet)

Names are loaded when first used: importing memtui pulls in no database and no interface.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memtui.embedding.port import EmbeddingPort
    from memtui.errors import (
        Ambiguous,
        EmbedderUnavailable,
        InvalidInput,
        MemtuiError,
        NotFound,
        ProviderUnavailable,
        Refused,
        StoreBusy,
        StoreUnreadable,
        VaultNotFound,
    )
    from memtui.memory.memory import Memory
    from memtui.memory.opening import open_memory as open  # noqa: A004 - memtui.open reads like json.load
    from memtui.memory.view import View
    from memtui.model.belief import BeliefState
    from memtui.model.changes import BeliefDiff
    from memtui.model.duplicates import Dedup
    from memtui.model.outcomes import Imported, Written
    from memtui.model.proposals import Contradiction, Expiry, Merge, Plan, Undecided
    from memtui.model.results import Found, Hit, Listing, RecordView
    from memtui.model.reviews import Accept, Confirmation, Defer, Many, Reject, Review, Undone
    from memtui.search.provider import ProviderQuery, RankedRecord, RecordSearchProvider

__version__ = "0.1.0"
__all__ = [
    "Accept",
    "Ambiguous",
    "BeliefDiff",
    "BeliefState",
    "Confirmation",
    "Contradiction",
    "Dedup",
    "Defer",
    "EmbedderUnavailable",
    "EmbeddingPort",
    "Expiry",
    "Found",
    "Hit",
    "Imported",
    "InvalidInput",
    "Listing",
    "Many",
    "Memory",
    "MemtuiError",
    "Merge",
    "NotFound",
    "Plan",
    "ProviderQuery",
    "ProviderUnavailable",
    "RankedRecord",
    "RecordSearchProvider",
    "RecordView",
    "Refused",
    "Reject",
    "Review",
    "StoreBusy",
    "StoreUnreadable",
    "Undecided",
    "Undone",
    "VaultNotFound",
    "View",
    "Written",
    "__version__",
    "open",
]

_HOMES = {
    **dict.fromkeys(
        (
            "Ambiguous",
            "EmbedderUnavailable",
            "InvalidInput",
            "MemtuiError",
            "NotFound",
            "ProviderUnavailable",
            "Refused",
            "StoreBusy",
            "StoreUnreadable",
            "VaultNotFound",
        ),
        "memtui.errors",
    ),
    "BeliefDiff": "memtui.model.changes",
    "BeliefState": "memtui.model.belief",
    "Dedup": "memtui.model.duplicates",
    "EmbeddingPort": "memtui.embedding.port",
    **dict.fromkeys(("Found", "Hit", "Listing", "RecordView"), "memtui.model.results"),
    **dict.fromkeys(("Imported", "Written"), "memtui.model.outcomes"),
    **dict.fromkeys(("ProviderQuery", "RankedRecord", "RecordSearchProvider"), "memtui.search.provider"),
    **dict.fromkeys(("Contradiction", "Expiry", "Merge", "Plan", "Undecided"), "memtui.model.proposals"),
    **dict.fromkeys(("Accept", "Confirmation", "Defer", "Many", "Reject", "Review", "Undone"), "memtui.model.reviews"),
    "Memory": "memtui.memory.memory",
    "View": "memtui.memory.view",
    "open": "memtui.memory.opening",
}


def __getattr__(name: str) -> Any:
    """Load a public name from its room."""
    if name not in _HOMES:
        raise AttributeError(f"module 'memtui' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), "open_memory" if name == "open" else name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
