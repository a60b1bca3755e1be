"""Names of records as arguments: checked, and completed from what the vault, or the person, holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import click

from memtui.doors.cli.arguments import TextType, name_of, utf8
from memtui.doors.cli.session import Session
from memtui.errors import MemtuiError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from memtui.model.results import RecordView

Sort = Literal["any", "living", "memories", "ended", "documents", "entries"]
"""Which records a command is about, so that it offers no others: all; those in force; memories in force; memories
that could be revived; documents; entries of the change log."""
_PLAIN = re.compile(r"[\w@%+=:,.][\w@%+=:,./-]*")
_ALL = 1_000_000


class RecordName(TextType):
    """The name of a record; whether there is one is for the core to say."""

    name = "name"

    def __init__(self, sort: Sort) -> None:
        self.sort: Sort = sort

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, if it was UTF-8."""
        return utf8(str(value), name_of(param))

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Names that begin like that; none where they cannot be read, because a completion has no place to complain."""
        from click.shell_completion import CompletionItem

        session = ctx.find_object(Session) or Session()
        try:
            names = sorted(set(_names(session, self.sort, incomplete)))
        except (MemtuiError, OSError):
            names = []
        return [CompletionItem(name) for name in names]


def _names(session: Session, sort: Sort, incomplete: str) -> Iterator[str]:
    """Names as a shell may insert them: one that it would read as something else (`$(…)`, blanks) is not offered."""
    memory = replace(session, read_only=True, quiet=True).memory()
    view = memory.at(as_of=session.as_of, valid_at=session.valid_at)
    for record in view.recent(_ALL, all=sort in ("any", "ended"), personal=session.personal):
        if _is_meant(record, sort):
            for name in (record.key.name, f"{record.key.kind}/{record.key.name}"):
                whole = name != record.key.name
                if name.startswith(incomplete) and _PLAIN.fullmatch(name) and (not whole or "/" in incomplete):
                    yield name


def _is_meant(record: RecordView, sort: Sort) -> bool:
    from memtui.model.records import MEMORY_KINDS

    kind = record.key.kind
    if sort == "memories":
        return kind in MEMORY_KINDS
    if sort == "ended":
        return kind in MEMORY_KINDS and record.state in ("forgotten", "superseded")
    if sort == "documents":
        return kind not in MEMORY_KINDS
    if sort == "entries":
        return kind == "changelog"
    return True
