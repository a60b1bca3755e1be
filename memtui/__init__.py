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
    from memtui.errors import MemtuiError
    from memtui.memory.memory import Memory
    from memtui.memory.opening import open_memory as open  # noqa: A004 - memtui.open reads like json.load
    from memtui.model.belief import BeliefState
    from memtui.model.results import Found, Hit, Listing, Written

__version__ = "0.1.0"
__all__ = ["BeliefState", "Found", "Hit", "Listing", "Memory", "MemtuiError", "Written", "__version__", "open"]

_HOMES = {
    "BeliefState": ("memtui.model.belief", "BeliefState"),
    "Found": ("memtui.model.results", "Found"),
    "Hit": ("memtui.model.results", "Hit"),
    "Listing": ("memtui.model.results", "Listing"),
    "Memory": ("memtui.memory.memory", "Memory"),
    "MemtuiError": ("memtui.errors", "MemtuiError"),
    "Written": ("memtui.model.results", "Written"),
    "open": ("memtui.memory.opening", "open_memory"),
}


def __getattr__(name: str) -> Any:
    """Load a public name from its room."""
    if name not in _HOMES:
        raise AttributeError(f"module 'memtui' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _HOMES[name]
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
