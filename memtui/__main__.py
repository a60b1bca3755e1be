"""`python -m memtui` and the `memtui` command."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import cast


def main() -> None:
    """Run the command line and leave with its exit status."""
    from memtui.doors.cli import streams

    streams.prepare()
    try:
        streams.leave(_version() if sys.argv[1:] in (["--version"], ["-V"]) else _run())
    except KeyboardInterrupt:
        # While the program was still being loaded, or already leaving.
        streams.complain("\ninterrupted\n")
        sys.exit(130)


def _run() -> int:
    # The database engine looks for it at each value it is given; the command line has no use for it.
    sys.modules.setdefault("pandas", cast("ModuleType", None))
    from memtui.lasting import lasting

    if "hook" in sys.argv:
        # What an agent runs before every prompt goes without the command line's machinery.
        from memtui.doors.hook.call import usual_call

        if (call := usual_call(sys.argv[1:])) is not None:
            from memtui.doors.hook import prompt

            prompt.run(vault=call.vault, actor=call.actor, read_only=call.read_only, debug=call.debug)
            return 0
    with lasting():
        from memtui.doors.cli.main import run

    return run(sys.argv[1:])


def _version() -> int:
    """The version without the command line's machinery: it is asked for by scripts, at every prompt."""
    from memtui import __version__
    from memtui.doors.cli import streams

    try:
        streams.print_text(f"memtui {__version__}\n")
    except BrokenPipeError:
        return 0
    except streams.Unwritten as error:
        streams.complain(f"memtui: {error.message}\n")
        return error.exit_status
    return 0


if __name__ == "__main__":
    main()
