"""The log: what went wrong and was survived. Quiet until a door says where it should go."""

from __future__ import annotations

import logging
from pathlib import Path

from memtui.errors import said

LOGGER = logging.getLogger("memtui")
LOGGER.addHandler(logging.NullHandler())
LOGGER.propagate = False

_LARGEST = 1_000_000
"""Bytes of the log before it starts anew beside its predecessor."""


def log_to(file: Path) -> None:
    """Write the log to a file: for the interface, whose terminal is the screen.

    A folder that cannot be written is no reason not to start.
    """
    from logging.handlers import RotatingFileHandler

    try:
        handler = RotatingFileHandler(file, maxBytes=_LARGEST, backupCount=1, encoding="utf-8", delay=True)
    except OSError:
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.INFO)


def survived(what: str, error: BaseException) -> None:
    """Note a failure that did not stop what was being done."""
    LOGGER.warning("%s: %s", what, said(error), exc_info=error)
