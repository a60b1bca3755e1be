"""embed: vectors and the models that make them."""

from __future__ import annotations

import sys

import click

from memtui.doors.cli.output import Hanging, Line, counted, print_json, print_lines
from memtui.doors.cli.session import Session, common_options, pass_session
from memtui.doors.cli.streams import complain
from memtui.errors import InvalidInput
from memtui.text.visible import visible

_ACTIONS = ("status", "refresh", "pull")


@click.command("embed", epilog="Example:  memtui embed refresh")
@click.argument("action", metavar="status|refresh|pull", type=click.Choice(_ACTIONS))
@click.argument("model", metavar="[MODEL]", required=False)
@click.option("--force", is_flag=True, help="With refresh: embed everything again.")
@common_options
@pass_session
def embed_command(session: Session, action: str, model: str | None, force: bool) -> None:
    """Vectors, by which a search finds what means the same in other words or another language.

    `status` tells what is embedded, `refresh` embeds what is not, newest first, and `pull MODEL` fetches one of
    fastembed's models: the only command that uses the network. The default model needs none of that.
    """
    if (model is not None) != (action == "pull"):
        raise InvalidInput(
            "a model is named with `pull`, and only there",
            field="MODEL",
            value=model or "",
            hint="`memtui embed pull sentence-transformers/all-MiniLM-L6-v2` fetches one; "
            "`embedder` in memtui.toml says which one a vault uses",
        )
    if action == "status":
        _status(session)
    elif action == "refresh":
        _refresh(session, force)
    else:
        _pull(session, model or "")


def _status(session: Session) -> None:
    status = session.memory().status(personal=session.personal)
    if session.as_json:
        print_json({**status.embedding, "texts": status.index_rows})
        return
    told = status.embedding
    if told["model_id"] is None:
        why: list[Line] = [Hanging([("! ", "red"), (visible(warning), "red")], "  ") for warning in status.warnings]
        print_lines(why or [[("no embedder is set: searches go by words", "bold")]], session)
        return
    lines: list[Line] = [
        [(visible(str(told["model_id"])), "bold"), (f"  {told['dims']} wide" if told["dims"] else "", "dim")],
        [
            (f"{told['embedded']:,} of {counted(status.index_rows, 'text')} embedded", ""),
            (f" in {told['chunks']:,} chunks", "dim"),
        ],
    ]
    print_lines(lines, session)


def _refresh(session: Session, force: bool) -> None:
    watched = sys.stderr.isatty() and not session.as_json
    done = session.memory().embed(_progress if watched else None, anew=force, personal=session.personal)
    if watched:
        complain(_CLEAR)
    session.done = "what is embedded is kept"
    if session.as_json:
        print_json({"texts": done.texts, "chunks": done.chunks, "waiting": done.waiting})
        return
    more = f", {done.waiting:,} wait" if done.waiting else ""
    print_lines(
        [[(f"{counted(done.texts, 'text')} embedded", "bold"), (f" in {done.chunks:,} new chunks{more}", "dim")]],
        session,
    )


_CLEAR = "\r\x1b[K"


def _progress(done: int, total: int) -> None:
    """A counter on standard error, for the person who watches."""
    complain(f"{_CLEAR}{done:,} of {total:,} texts embedded")


def _pull(session: Session, model: str) -> None:
    from memtui.embedding.choosing import pull

    pulled = pull(model)
    if session.as_json:
        print_json({"model_id": pulled.model_id, "dims": pulled.dims, "fetched": pulled.fetched})
        return
    how = "is fetched" if pulled.fetched else "is here"
    print_lines([[(f"{visible(pulled.model_id)} {how}", "bold"), (f"  {pulled.dims} wide", "dim")]], session)
