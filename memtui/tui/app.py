"""The program on the terminal: themes, toasts, clipboard and the first screen. Everything else has its own file."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import App
from textual.command import Provider

from memtui.clock import Clock, system_clock
from memtui.config import load_config, user_config_file
from memtui.log import log_to
from memtui.text.moments import on_the_readers_clock
from memtui.tui import clipboard, editor
from memtui.tui.actions import app_bindings
from memtui.tui.display import harmless
from memtui.tui.keeping import Keeping
from memtui.tui.messages import Copied, CopyWanted, EditWanted, HelpWanted, Severity, TextWanted, Told
from memtui.tui.palette import Commands
from memtui.tui.screens.help import HelpScreen
from memtui.tui.screens.search import SearchScreen
from memtui.tui.screens.time_prompt import TimeWanted
from memtui.tui.theming import DEFAULT_THEME, fallback_variables, read_themes, shipped_themes

if TYPE_CHECKING:
    from memtui.memory.memory import Memory


_THREADS = 16


class MemtuiApp(App[int], inherit_bindings=False):
    """memtui in a terminal."""

    TITLE = "memtui"
    NOTIFICATION_TIMEOUT = 4.0
    BINDINGS = app_bindings()
    COMMANDS: ClassVar[set[type[Provider]]] = {Commands}  # pyright: ignore[reportIncompatibleVariableOverride]
    CSS_PATH: ClassVar[list[str | Path]] = [  # pyright: ignore[reportIncompatibleVariableOverride]
        "styles/frame.tcss",
        "styles/search.tcss",
        "styles/time.tcss",
        "styles/lanes.tcss",
        "styles/review.tcss",
        "styles/vault.tcss",
        "styles/overlays.tcss",
    ]

    def __init__(
        self,
        memory: Memory,
        *,
        sync_on_start: bool = True,
        clock: Clock = system_clock,
        theme: str = DEFAULT_THEME,
        theme_folders: Sequence[Path] = (),
        state_file: Path | None = None,
    ) -> None:
        self._memory = memory
        self._sync_on_start = sync_on_start
        self._clock = clock
        self.keeping = Keeping(state_file, read_only=memory.read_only)
        super().__init__()
        read = read_themes([shipped_themes(), *theme_folders])
        for shipped in read.themes:
            self.register_theme(shipped)
        self.theme_names = tuple(shipped.name for shipped in read.themes)
        self._theme_faults = list(read.faults)
        if theme not in self.theme_names:
            self._theme_faults.append(f"There is no theme {theme}; there are {', '.join(self.theme_names)}.")
            theme = DEFAULT_THEME
        self.theme = theme

    def get_default_screen(self) -> SearchScreen:
        """The search screen is the first and lowest one."""
        return SearchScreen(self._memory, clock=self._clock, keeping=self.keeping, sync_on_start=self._sync_on_start)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our own colours for themes that do not know them (Textual's, before ours is chosen)."""
        return fallback_variables()

    def on_load(self) -> None:
        """Make room for threads: a key must find a free one, while others wait for a model, files or a store."""
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS, thread_name_prefix="memtui"))

    def on_mount(self) -> None:
        """Name the themes that were left out."""
        for fault in self._theme_faults:
            self.say(fault, "warning")

    def choose_theme(self, name: str) -> None:
        """Use another theme."""
        self.theme = name

    # Saying

    def say(self, sentence: str, severity: Severity = "information") -> None:
        """Show a toast in place of the last one, its times on the reader's clock.

        Its text is data: shown letter for letter, controls as symbols.
        """
        self.clear_notifications()
        told = on_the_readers_clock(sentence, self._memory.zone)
        self.notify(harmless(told, keep_lines=True), severity=severity, markup=False)

    @on(Told)
    def _told(self, event: Told) -> None:
        self.say(event.sentence, event.severity)

    def action_tell_how_to_quit(self) -> None:
        """Reached by ctrl+c when there is nothing to copy."""
        self.say("ctrl+q leaves memtui.")

    @on(HelpWanted)
    def _help_wanted(self, event: HelpWanted) -> None:
        self.push_screen(HelpScreen(event.pane, event.answering))

    @on(TimeWanted)
    def _time_wanted(self, event: TimeWanted) -> None:
        self.push_screen(event.prompt, event.then)

    # Editing

    @on(EditWanted)
    def _edit_wanted(self, event: EditWanted) -> None:
        try:
            editor.edit(self, event.file, event.line)
        except editor.NotEdited as reason:
            self.say(f"{reason}. The file is {event.file}", "warning")
        else:
            if isinstance(self.screen, SearchScreen):
                self.screen.action_sync()

    @on(TextWanted)
    def _text_wanted(self, event: TextWanted) -> None:
        try:
            text = editor.edited(self, event.text, event.suffix)
        except editor.NotEdited as reason:
            if reason.text is not None:
                event.kept(reason.text)
            self.say(f"{reason}.{' What you wrote is kept for the next time.' if reason.text else ''}", "warning")
        else:
            event.then(text)

    # Copying

    @on(CopyWanted)
    def _copy_wanted(self, event: CopyWanted) -> None:
        self._copy(event.text, event.what, event.name)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy text selected with the mouse or in the search box."""
        self._copy(text, "the selection", None)

    def _copy(self, text: str, what: str, name: str | None) -> None:
        self._clipboard = text

        def work() -> None:
            tool = clipboard.copy_locally(text)
            self.post_message(Copied(text, what, name, tool))

        self.run_worker(work, name="copy", group="copy", description="copy", thread=True, exit_on_error=False)

    @on(Copied)
    def _copied(self, event: Copied) -> None:
        if event.tool is None and self._driver is not None:
            self._driver.write(clipboard.terminal_request(event.text))
        way_out = f"memtui show {event.name}" if event.name else None
        self.say(clipboard.told(event.what, event.tool, event.text, way_out))

    async def on_event(self, event: events.Event) -> None:
        """While a replay runs the next key stops it, whatever it means otherwise; but leaving is leaving."""
        screen = self.screen_stack[-1] if self.screen_stack else None
        stays = isinstance(event, events.Key) and event.key != "ctrl+q"
        if not (stays and isinstance(screen, SearchScreen) and screen.on_any_key()):
            await super().on_event(event)

    # Leaving

    async def action_quit(self) -> None:
        """Leave with exit status 0; what still runs is asked to end."""
        for screen in self.screen_stack:
            if isinstance(screen, SearchScreen):
                await screen.worker.close()
        self.exit(0)


def run(memory: Memory, *, sync_on_start: bool = True) -> int:
    """Open the interface on a vault and stay until the person leaves; the exit status."""
    if not memory.read_only:
        log_to(memory.log_file)
    theme = load_config(memory.vault).text("theme") or DEFAULT_THEME
    folder = user_config_file().parent / "themes"
    app = MemtuiApp(
        memory, sync_on_start=sync_on_start, theme=theme, theme_folders=[folder], state_file=memory.state_file
    )
    app.run()
    return app.return_code or 0
