"""where: the places that matter on this machine."""

from __future__ import annotations

from pathlib import Path

import click

from memtui.carried import carried
from memtui.doors.cli.output import Hanging, Line, print_json, print_lines
from memtui.doors.cli.session import Session, common_options, pass_session
from memtui.errors import MemtuiError
from memtui.text.visible import visible


@click.command("where", epilog="Example:  memtui where")
@common_options
@pass_session
def where_command(session: Session) -> None:
    """Show where everything lies: the vault and its store, your own memories, settings, log, themes, sample vault."""
    places = _places(session)
    if session.as_json:
        print_json({name: None if path is None else str(path) for name, path in places.items()})
        return
    lines: list[Line] = []
    for name, path in places.items():
        where = "none" if path is None else visible(str(path))
        if session.plain:
            lines.append([(f"{name}\t{'' if path is None else where}", "")])
            continue
        note = "" if path is None or _is_there(path) else "  (not there yet)"
        label = name.replace("_", " ")
        lines.append(Hanging([(f"{label:16}", "cyan"), (where, "" if path else "dim"), (note, "dim")], " " * 16))
    print_lines(lines, session)


def _places(session: Session) -> dict[str, Path | None]:
    from memtui.config import FILE_NAME, Config, user_config_file
    from memtui.memory.home import VaultHome
    from memtui.memory.identity import personal_folder

    found = session.vault_path_or_none()
    # Settings are not read: `where` also has to answer for one whose settings are broken.
    home = None if found is None else VaultHome(found.absolute(), Config({}, {}))
    return {
        "vault": None if home is None else home.root,
        "store": None if home is None else home.store,
        "log": None if home is None else home.folder / "memtui.log",
        "vault_settings": None if home is None else home.root / FILE_NAME,
        "user_settings": user_config_file(),
        "personal_folder": personal_folder(),
        "personal_store": _personal_store(),
        "themes": carried("themes"),
        "sample_vault": carried("sample_vault"),
    }


def _personal_store() -> Path | None:
    """The store of the person who asks; None for nobody in particular."""
    from memtui.memory.identity import personal_identity, personal_store

    try:
        return personal_store(personal_identity())
    except MemtuiError:  # no identity, or one that cannot be: then there is no such store
        return None


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False
