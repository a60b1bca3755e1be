"""The rows of the table, with what the specification allows (page 4, "Speed"), and how they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tests.benchmarks.timing import Figures

SIZES = (1_000, 10_000, 100_000)
"""The sizes that there are limits for."""


class Row(NamedTuple):
    """One thing measured: in milliseconds unless `unit` says otherwise. `limits` are those of `SIZES`."""

    key: str
    label: str
    limits: tuple[float, float, float] | None = None
    unit: str = "ms"

    def limit(self, size: int) -> float | None:
        """What is allowed at a size, where something is said of it."""
        return self.limits[SIZES.index(size)] if self.limits is not None and size in SIZES else None


ROWS = (
    Row("lexical_median_ms", "keystroke → hits by words, in process, median", (0.4, 0.6, 2)),
    Row("lexical_p95_ms", "  p95", (1.5, 2.5, 6)),
    Row("fused_p95_ms", "keystroke → fused hits, query embedded, p95", (12, 15, 50)),
    Row("fused_median_ms", "  median"),
    Row("fused_known_p95_ms", "  its embedding known, p95"),
    Row("fused_known_median_ms", "  its embedding known, median"),
    Row("painted_over_floor_p95_ms", "keystroke → painted list, over the floor, p95", (8, 10, 20)),
    Row("painted_over_floor_median_ms", "  over the floor, median"),
    Row("painted_p95_ms", "  painted, p95"),
    Row("floor_p95_ms", "  the floor, p95"),
    Row("slider_over_floor_p95_ms", "move a time slider → all repainted, over the floor, p95", (10, 15, 25)),
    Row("slider_over_floor_median_ms", "  over the floor, median"),
    Row("slider_p95_ms", "  painted, p95"),
    Row("review_first_ms", "the Review: a look → first proposals painted", (1_500, 1_500, 1_500)),
    Row("review_look_ms", "  the whole look, while the screen is used", (60_000, 60_000, 60_000)),
    Row("review_move_over_floor_p95_ms", "  another proposal → panel painted, over the floor, p95", (10, 10, 10)),
    Row("review_move_over_floor_median_ms", "  over the floor, median"),
    Row("review_move_p95_ms", "  painted, p95"),
    Row("review_confirm_ms", "  300 decisions confirmed", (1_000, 1_000, 1_000)),
    Row("recall_words_process_ms", "memtui recall --no-semantic, whole process", (300, 350, 500)),
    Row("recall_decided_process_ms", "memtui recall, decided by words", (350, 400, 600)),
    Row("recall_model_process_ms", "memtui recall, model needed (cold)", (2_500, 2_600, 3_000)),
    Row("memory_mb", "memory of the open program, worker included", (300, 360, 950), "MB"),
    Row("memory_worker_mb", "  the worker of it", unit="MB"),
    Row("memory_rss_mb", "  with shared pages counted twice (RSS)", unit="MB"),
    Row("remember_median_ms", "remember, whole transaction, median", (60, 80, 150)),
    Row("remember_p95_ms", "  p95"),
    Row("recall_median_ms", "recall in process, 5,000 recalls noted, median"),
    Row("recall_p95_ms", "  p95"),
    Row("sync_unchanged_ms", "sync, nothing changed"),
    Row("load_ms", "load into memory"),
    Row("load_vectors_ms", "  the vectors too"),
    Row("first_paint_ms", "first paint, whole process"),
)


def as_text(measured: Mapping[int, Figures]) -> str:
    """The table for a person."""
    sizes = list(measured)
    width = max(len(row.label) for row in ROWS) + 2
    lines = [" " * width + "".join(f"{size:>22,}" for size in sizes)]
    lines += [
        f"{row.label:{width}}" + "".join(f"{_cell(row, size, measured[size].get(row.key)):>22}" for size in sizes)
        for row in ROWS
        if any(row.key in figures for figures in measured.values())
    ]
    lines.append("")
    lines.append("Figure / what is allowed; ! is beyond it. Memory is proportional (PSS) and on Linux only.")
    return "\n".join(lines)


def as_json(measured: Mapping[int, Figures]) -> dict[str, dict[str, dict[str, object]]]:
    """By size and row: the figure, its unit, and what is allowed or None."""
    return {
        str(size): {
            row.key: {"figure": round(figures[row.key], 3), "unit": row.unit, "limit": row.limit(size)}
            for row in ROWS
            if row.key in figures
        }
        for size, figures in measured.items()
    }


def _cell(row: Row, size: int, figure: float | None) -> str:
    if figure is None:
        return "–  "
    limit = row.limit(size)
    said = f"{figure:,.2f}" if figure < 10 else f"{figure:,.1f}" if figure < 100 else f"{figure:,.0f}"
    if limit is None:
        return f"{said} {row.unit}  "
    return f"{said} / {limit:g} {row.unit}{' !' if figure > limit else '  '}"
