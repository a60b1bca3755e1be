"""Where the files that come with memtui lie: inside the installed package, else in the checkout it runs from."""

from __future__ import annotations

from importlib import resources
from pathlib import Path


def carried(name: str) -> Path | None:
    """The shipped file or folder of that name, or None where this installation carries none."""
    installed = Path(str(resources.files("memtui") / "shipped" / name))
    checkout = Path(__file__).resolve().parents[1] / name
    return next((path for path in (installed, checkout) if path.exists()), None)
