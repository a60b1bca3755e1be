"""What lasts: thousands of objects that are no garbage, and need not be looked through for it again and again.

A look through all that ten thousand records are held as takes a tenth of a second, in which no key is answered.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Generator


@contextlib.contextmanager
def lasting() -> Generator[None, None, None]:
    """Around imports, and around reading what a program holds until it ends: no look for garbage then, nor later there.

    What is held is let go all the same as soon as nobody refers to it; only garbage that refers to itself stays.
    """
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collected:
            gc.enable()


def no_longer() -> None:
    """Whoever held it has ended: what is garbage now may be found again."""
    gc.unfreeze()
