"""A vault on a file system that is mounted read-only."""

import os
import subprocess
import sys

import pytest

from memtui.memory.opening import open_memory

_SCRIPT = """
import sys
from memtui.errors import Refused
from memtui.memory.opening import open_memory

memory = open_memory(sys.argv[1], create=True)  # as the screen does
assert memory.read_only
assert [hit.record.key.name for hit in memory.search("press").hits] == ["press"]
try:
    memory.remember("The press is blue")
except Refused as refusal:
    assert "read-only" in refusal.message
    print("read and refused")
"""
_MOUNTED = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 77; exec "$2" -c "$3" "$1"'


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="mounts as Linux does")
def test_the_screen_opens_a_vault_on_a_read_only_file_system(vault):
    open_memory(vault, create=True).remember("The press is red", name="press")
    how = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    try:
        ran = subprocess.run(
            [*how, "sh", "-c", _MOUNTED, "sh", str(vault), sys.executable, _SCRIPT],
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        pytest.skip("there is no unshare")
    if ran.returncode == 77 or "unshare failed" in ran.stderr:
        pytest.skip("nothing may be mounted here")
    assert (ran.stdout, ran.stderr) == ("read and refused\n", "")
