"""`python -m memtui` and the `memtui` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and leave with its exit status."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from memtui import __version__

        sys.stdout.write(f"memtui {__version__}\n")
        return
    from memtui.doors.cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
