"""Work in threads of a screen: its answers are told while the screen lives, its failures become sentences."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from textual.message import Message
from textual.widget import Widget

from memtui.errors import MemtuiError
from memtui.tui import notes
from memtui.tui.messages import Troubled

log = logging.getLogger(__name__)


class Background:
    """Starts threads for a screen and knows when it closes. A failure never ends the program."""

    def __init__(self, host: Widget) -> None:
        self.host = host
        self._closing = threading.Event()

    @property
    def closing(self) -> bool:
        """Whether the screen is closing, so that what still runs should end soon."""
        return self._closing.is_set()

    def is_closing(self) -> bool:
        """The same, to be handed to work that asks now and then whether it is cancelled."""
        return self._closing.is_set()

    def close(self) -> None:
        """Ask what still runs to end soon; from now on nothing is told."""
        self._closing.set()

    def rest(self, seconds: float) -> bool:
        """Wait; whether the screen closes, which ends the wait at once."""
        return self._closing.wait(seconds)

    def start(self, name: str, work: Callable[[], None]) -> None:
        """Run some work in a thread; where it fails, tell Troubled."""

        def run() -> None:
            trouble = self.trouble_of(work, name)
            if trouble is not None:
                self.tell(Troubled(trouble))

        self.host.run_worker(run, name=name, group=name, description=name, thread=True, exit_on_error=False)

    def tell(self, message: Message) -> None:
        """Post a message to the screen, if there still is one."""
        if not self.closing:
            self.host.post_message(message)

    def trouble_of(self, work: Callable[[], None], name: str) -> str | None:
        """Do some work: None, or the sentences that say why it failed."""
        try:
            work()
        except MemtuiError as error:
            return notes.trouble(error)
        except Exception as error:
            log.exception("%s failed", name)
            return f"The {name} failed: {error or type(error).__name__}"
        return None
