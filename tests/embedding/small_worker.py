"""A worker with a small embedder that does as the texts say: what the real worker's protocol is tested with.

python small_worker.py [what to do while loading]
"""

from __future__ import annotations

import os
import sys
import time

import numpy as np

from memtui.embedding.hashing import HashEmbedder
from memtui.embedding.worker import run
from memtui.errors import EmbedderUnavailable


class Panic(BaseException):
    """What a runtime written in Rust raises where it fails: no Exception."""


class ObedientEmbedder(HashEmbedder):
    """hash-v1, which first does what a text that begins with `do:` says."""

    def embed(self, texts, *, purpose):
        done = [self._do(*text.split()[1:]) for text in texts if text.startswith("do: ")]
        given = [answer for answer in done if answer is not None]
        return given[0] if given else super().embed(texts, purpose=purpose)

    def _do(self, what, *arguments):
        match what:
            case "sleep":
                time.sleep(float(arguments[0]))
            case "die":
                print("out of memory, or something", file=sys.stderr, flush=True)
                os.kill(os.getpid(), 9)
            case "die-unless":  # once: a file remembers
                if not os.path.exists(arguments[0]):
                    open(arguments[0], "x").close()
                    os.kill(os.getpid(), 9)
            case "exit":
                os._exit(7)
            case "print":
                print("noise on standard output")
                os.write(1, b"noise\n" * 20_000)
                input_left = sys.stdin.read()
                assert input_left == ""
            case "raise":
                raise RuntimeError("no luck")
            case "panic":
                raise Panic("no entry found for key None")
            case "shapeless":
                return np.float32(1)
            case "refuse":
                raise EmbedderUnavailable("not this one", hint="take another", file="a.onnx")
            case "wrong-shape":
                return np.ones((1, 3), dtype=np.float32)
            case "zeros":
                return np.zeros((1, self.dims), dtype=np.float32)
            case "threads":
                assert os.environ["OMP_NUM_THREADS"] == os.environ["OPENBLAS_NUM_THREADS"] == "2"
        return None


def make():
    what = sys.argv[1:]
    embedder = ObedientEmbedder()
    if what:
        embedder.embed([f"do: {' '.join(what)}"], purpose="query")
    return embedder


if __name__ == "__main__":
    if sys.argv[1:] == ["babble"]:
        print("this is not the protocol", flush=True)
        time.sleep(60)
    run(make)
