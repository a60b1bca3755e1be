"""Problems: what could not be read as it should, told by file, line, field and value."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One oddity of one file. `path` is relative to the vault with `/`; `line` counts from 1."""

    path: str
    reason: str
    line: int | None = None
    field: str | None = None
    value: str | None = None

    def as_dict(self) -> dict[str, object]:
        """The JSON shape shared by `sync` and `status`."""
        return asdict(self)

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        named = f" {self.field}" if self.field else ""
        value = f" {self.value!r}" if self.value else ""
        return f"{place}:{named}{value} {self.reason}"
