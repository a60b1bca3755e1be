"""The notice over everything while the terminal is too small to show it."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

LEAST_WIDTH, LEAST_HEIGHT = 60, 16


class SizeNotice(Widget):
    """Covers the screen below 60×16. What lies under it keeps its focus and selection."""

    ALLOW_SELECT = False

    def render(self) -> Content:
        """How large the terminal is and must be."""
        size = self.size
        return Content(f"memtui needs {LEAST_WIDTH}×{LEAST_HEIGHT} cells; this is {size.width}×{size.height}.")
