"""What a vault's owner does not want read: `.memtuiignore` and the globs of its settings."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from memtui.model.problems import Problem
from memtui.regular_files import read_regular
from memtui.vault.decoding import decode

IGNORE_FILE = ".memtuiignore"
SETTINGS = "memtui.toml"
LARGEST_RULES = 1024 * 1024
"""Bytes of the largest file of rules that is read."""


class IgnoreRules:
    """Rules in gitignore syntax; as in git, the last rule that matches decides.

    `problems` names the rules that cannot be read; the others hold.
    """

    def __init__(self, rules: Iterable[tuple[str, int | None, str]] = ()) -> None:
        """Takes (source file, line, pattern) of each rule, in order."""
        self.problems: tuple[Problem, ...] = ()
        self._spec: Any = None
        kept, self.problems = _readable(rules)
        if kept:
            from pathspec import GitIgnoreSpec  # 50 ms: only vaults with rules pay it

            self._spec = GitIgnoreSpec.from_lines(kept)

    def __bool__(self) -> bool:
        return self._spec is not None

    def covers(self, path: str, *, folder: bool = False) -> bool:
        """Whether a path relative to the vault, with `/`, is to be left out.

        Ask for the folders on the way first: nothing below an ignored folder comes back.
        """
        return self._spec is not None and bool(self._spec.match_file(path + "/" if folder else path))


def read_rules(root: str, globs: Iterable[str] = ()) -> IgnoreRules:
    """The rules of a vault: the settings' globs, then `.memtuiignore`, whose word is the last."""
    rules: list[tuple[str, int | None, str]] = [(SETTINGS, None, glob) for glob in globs]
    problems: list[Problem] = []
    try:
        decoded = decode(_bytes_of_rules(os.path.realpath(root)))
    except FileNotFoundError:
        pass
    except OSError as error:
        problems.append(Problem(IGNORE_FILE, f"cannot be read ({error.strerror}); its rules do not hold"))
    else:
        problems += (Problem(IGNORE_FILE, o.reason, line=o.line, value=o.value) for o in decoded.problems)
        lines = decoded.text.split("\n")
        rules += ((IGNORE_FILE, number, line) for number, line in enumerate(lines, start=1))
    found = IgnoreRules(rules)
    found.problems = (*problems, *found.problems)
    return found


def _bytes_of_rules(base: str) -> bytes:
    """The bytes of the vault's own file of rules. Raises OSError, with a reason, for anything else."""
    place = os.path.join(base, IGNORE_FILE)
    if os.path.islink(place):
        place = os.path.realpath(place)
        # A vault that came from elsewhere must not have files of this machine read and quoted.
        if not place.startswith(base.rstrip(os.sep) + os.sep):
            raise OSError(0, "it is a link that leaves the vault")
        if not os.path.lexists(place):
            raise OSError(0, "it is a link that leads nowhere")
    data = read_regular(place, LARGEST_RULES)
    if len(data) > LARGEST_RULES:
        raise OSError(0, f"it is larger than {LARGEST_RULES // 1024} KiB")
    return data


def _readable(rules: Iterable[tuple[str, int | None, str]]) -> tuple[list[str], tuple[Problem, ...]]:
    kept: list[str] = []
    problems: list[Problem] = []
    for source, line, pattern in rules:
        if not pattern.strip() or pattern.startswith("#"):
            continue
        from pathspec import GitIgnoreSpec

        try:
            GitIgnoreSpec.from_lines([pattern])
        except ValueError:
            problems.append(
                Problem(source, "is no pattern in gitignore syntax; it was left out", line, "ignore", pattern)
            )
        else:
            kept.append(pattern)
    return kept, tuple(problems)
