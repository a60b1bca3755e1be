"""Copying, and telling the truth about it.

A local tool says whether it took the text. The terminal's own way (OSC 52) never answers, so all
that can be said then is that it was asked.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass

_TIMEOUT_SECONDS = 2.0
LIKELY_LIMIT = 74_994
"""Bytes of base64 that common terminals accept at most."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A program that puts its standard input on a clipboard."""

    name: str
    command: tuple[str, ...]


def tools(environment: Mapping[str, str], platform: str = sys.platform) -> tuple[Tool, ...]:
    """The local tools worth trying here, best first."""
    found: list[Tool] = []
    if environment.get("WAYLAND_DISPLAY"):
        found.append(Tool("wl-copy", ("wl-copy",)))
    if environment.get("DISPLAY"):
        found.append(Tool("xclip", ("xclip", "-selection", "clipboard")))
        found.append(Tool("xsel", ("xsel", "--clipboard", "--input")))
    if platform == "darwin" and not environment.get("SSH_TTY"):
        found.append(Tool("pbcopy", ("pbcopy",)))
    if platform == "win32" or environment.get("WSL_DISTRO_NAME"):
        found.append(Tool("clip.exe", ("clip.exe",)))
    return tuple(tool for tool in found if shutil.which(tool.command[0]))


def copy_locally(text: str, environment: Mapping[str, str] | None = None) -> str | None:
    """Hand the text to the first local tool that takes it: its name, or None when none did. Blocks."""
    for tool in tools(os.environ if environment is None else environment):
        # clip.exe reads UTF-16; everything else reads UTF-8.
        encoded = text.encode("utf-16" if tool.name == "clip.exe" else "utf-8", "replace")
        try:
            # The output goes nowhere: these tools stay behind to serve the clipboard and would hold a pipe open.
            subprocess.run(  # noqa: S603 - a fixed command without a shell
                tool.command,
                input=encoded,
                check=True,
                timeout=_TIMEOUT_SECONDS,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, subprocess.SubprocessError):
            continue
        return tool.name
    return None


def terminal_request(text: str, environment: Mapping[str, str] | None = None) -> str:
    """What to write to the terminal to ask it for a copy; wrapped too where tmux or screen stands between."""
    environment = os.environ if environment is None else environment
    request = f"\x1b]52;c;{_encoded(text)}\x07"
    if environment.get("TMUX"):
        return request + "\x1bPtmux;" + request.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    if environment.get("STY"):
        return f"\x1bP{request}\x1b\\"
    return request


def told(what: str, tool: str | None, text: str, way_out: str | None = None) -> str:
    """The sentence for the toast: only what is known to have happened."""
    if tool is not None:
        return f"Copied {what} with {tool}."
    asked = f"Asked the terminal to copy {what} (OSC 52). It does not say whether it did"
    if len(_encoded(text)) > LIKELY_LIMIT:
        asked += ", and many refuse a text this long"
    return f"{asked}; {way_out} prints it." if way_out else f"{asked}."


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
