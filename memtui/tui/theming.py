"""Themes: read from TOML files, checked before they can break a style sheet.

A theme names every colour it needs; there are no shades computed from others, so what a file says
is what a person sees and what the contrast test checks.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from textual.color import Color, ColorParseError
from textual.theme import Theme

from memtui.carried import carried
from memtui.errors import NotFound

DEFAULT_THEME = "memtui-dark"
_BASE_COLOURS = (
    "primary", "secondary", "accent", "warning", "error", "success", "foreground", "background", "surface", "panel",
)  # fmt: skip

TEXT_ON_GROUND: tuple[tuple[str, str], ...] = (
    *((text, ground) for text in ("foreground", "text-muted", "accent", "match") for ground in (
        "background", "surface", "panel", "selected", "code-background",
    )),
    *((f"kind-{kind}", ground) for kind in (
        "engram", "research", "evidence", "knowledge", "feature", "task", "memory", "changelog", "note",
    ) for ground in ("background", "selected")),
    *((text, ground) for text in ("warning", "error", "success", "heading", "link") for ground in (
        "background", "surface", "panel", "selected",
    )),
    ("match", "match-background"),
    ("foreground", "match-background"),
    ("code", "code-background"),
    ("code", "background"),
    ("code", "panel"),
    ("input-cursor-foreground", "input-cursor-background"),
    ("input-selection-foreground", "input-selection-background"),
    ("screen-selection-foreground", "screen-selection-background"),
    ("block-cursor-foreground", "block-cursor-background"),
    ("block-cursor-blurred-foreground", "block-cursor-blurred-background"),
)  # fmt: skip
"""Every text colour with every ground it is put on: the pairs the contrast test measures."""

_DECORATIONS = ("rule", "rule-focus", "scrollbar", "scrollbar-hover", "scrollbar-active", "scrollbar-background", "bar")
REQUIRED: frozenset[str] = frozenset(
    name for pair in TEXT_ON_GROUND for name in pair if name not in _BASE_COLOURS
) | frozenset(_DECORATIONS)
"""The names a theme's `[variables]` must have beside the base colours."""


class ThemeError(ValueError):
    """A theme file cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class Themes:
    """The themes that could be read, and a sentence for each that could not."""

    themes: tuple[Theme, ...]
    faults: tuple[str, ...]


def shipped_themes() -> Path:
    """The folder of the program's own themes. Raises NotFound when this installation carries none."""
    folder = carried("themes")
    if folder is None:
        raise NotFound("this installation carries no themes", hint="install memtui again")
    return folder


def read_themes(folders: Iterable[Path]) -> Themes:
    """All themes of some folders; a later one replaces an earlier one of the same name."""
    themes: dict[str, Theme] = {}
    faults: list[str] = []
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            try:
                theme = read_theme(path)
            except ThemeError as error:
                faults.append(f"Theme {path.name} was left out: {error}")
            else:
                themes[theme.name] = theme
    return Themes(tuple(themes.values()), tuple(faults))


def read_theme(path: Path) -> Theme:
    """The theme of one file, or ThemeError."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ThemeError(f"it cannot be read ({error})") from error
    colours = _colours(table, "colors", _BASE_COLOURS)
    variables = _colours(table, "variables", sorted(REQUIRED))
    unknown = sorted(set(table) - {"name", "dark", "colors", "variables"})
    if unknown:
        raise ThemeError(f"nothing here is called {unknown[0]!r}")
    dark = table.get("dark", True)
    if not isinstance(dark, bool):
        raise ThemeError("`dark` must be true or false")
    name = table.get("name", path.stem)
    if not isinstance(name, str) or not name.replace("-", "").isalnum():
        raise ThemeError("`name` must be made of letters, digits and hyphens")
    return Theme(name=name, dark=dark, variables={**variables, **_derived(colours, variables)}, **cast(Any, colours))


def _colours(table: Mapping[str, Any], section: str, names: Iterable[str]) -> dict[str, str]:
    values = table.get(section)
    if not isinstance(values, dict):
        raise ThemeError(f"it has no [{section}]")
    values = cast("dict[str, object]", values)
    names = tuple(names)
    unknown = sorted(set(values) - set(names))
    if unknown:
        raise ThemeError(f"[{section}] knows no {unknown[0]!r}")
    colours: dict[str, str] = {}
    for name in names:
        value = values.get(name)
        if value is None:
            raise ThemeError(f"[{section}] lacks {name!r}")
        try:
            colours[name] = Color.parse(str(value)).hex
        except ColorParseError as error:
            raise ThemeError(f"[{section}] {name} = {value!r} is no colour") from error
    return colours


def _derived(colours: Mapping[str, str], variables: Mapping[str, str]) -> dict[str, str]:
    """Textual's own names for things that follow from ours, so that its widgets look like ours."""
    return {
        "border": variables["rule-focus"],
        "border-blurred": variables["rule"],
        "footer-background": colours["panel"],
        "footer-foreground": variables["text-muted"],
        "footer-key-foreground": colours["accent"],
        "footer-description-foreground": variables["text-muted"],
        "text": colours["foreground"],
        "text-disabled": variables["text-muted"],
        "foreground-muted": variables["text-muted"],
        "text-success": colours["success"],
        "text-warning": colours["warning"],
        "text-error": colours["error"],
        "text-accent": colours["accent"],
        "block-hover-background": variables["selected"],
        "link-color": variables["link"],
        "link-color-hover": variables["link"],
        "link-background-hover": variables["selected"],
    }


@cache
def fallback_variables() -> dict[str, str]:
    """Our variables as the default theme has them, for themes that do not know them."""
    return dict(read_theme(shipped_themes() / f"{DEFAULT_THEME}.toml").variables)
