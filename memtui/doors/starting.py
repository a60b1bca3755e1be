"""What a start goes without: of a process that does one thing and ends it is most of the time."""

from __future__ import annotations

import os
import sys
from importlib import import_module


def spare_threads() -> None:
    """Import numpy so that its linear algebra starts no threads; who has set their number keeps it.

    Starting them takes longer than they save on the few products of one question, and on two processors a product
    of ten thousand vectors takes twice as long by two of them. Only this process: the model's, which works through
    many texts, is the quicker for them.
    """
    if _THREADS in os.environ or "numpy" in sys.modules:
        return
    os.environ[_THREADS] = "1"  # read while the library is loaded
    try:
        import_module("numpy")
    finally:
        del os.environ[_THREADS]


_THREADS = "OPENBLAS_NUM_THREADS"
