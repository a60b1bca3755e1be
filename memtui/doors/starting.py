"""What a start goes without: of a process that does one thing and ends it is most of the time."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Generator


def spare_threads() -> None:
    """To be called before numpy is imported: its linear algebra then starts no threads.

    Starting them takes longer than they would save on the few products of one question. Who has set their number
    keeps it.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@contextlib.contextmanager
def loading() -> Generator[None, None, None]:
    """Around imports: without looks for garbage, as what is imported is none, nor is looked at later."""
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collected:
            gc.enable()
