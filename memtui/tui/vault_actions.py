"""What a person can do in the list of the Vault mode."""

from __future__ import annotations

from typing import Final

from memtui.tui.action import VAULT, Action, moving

VAULT_ACTIONS: Final[tuple[Action, ...]] = (
    Action(
        "vault.open", "enter", "screen.open", "Whole screen",
        "Read the selected page or review over the full screen; a problem opens its file in an editor.", VAULT,
        footer=VAULT, needs="inspected",
    ),
    Action(
        "vault.edit", "e", "screen.edit_problem", "Edit file",
        "Open the file of the selected problem in $VISUAL or $EDITOR, at its line; what you save is read at once.",
        VAULT, needs="problem", palette=True,
    ),
    Action(
        "vault.undo-review", "u", "screen.undo_review", "Undo review",
        "Take the selected review back: every memory that it changed, and nobody changed since, is as before.", VAULT,
        footer=VAULT, needs="standing-review", writes=True, palette=True,
    ),
    *moving("vault", VAULT, "entry"),
    Action("vault.group", "o", "screen.next_group", "One group", "Show one group alone, the next, then all.", VAULT),
)  # fmt: skip
