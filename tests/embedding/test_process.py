"""The worker process: what it answers, what becomes of it, and what its user sees of that."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from memtui.embedding.names import HASHING, USE_MULTILINGUAL, Chosen
from memtui.embedding.port import EmbeddingPort
from memtui.embedding.process import WorkerEmbedder
from memtui.errors import EmbedderUnavailable
from tests.embedding.processes import SMALL, gone, until


@pytest.fixture
def worker():
    """Makes workers that load as they are told; all are closed."""
    made = []

    def make(*arguments, choice=HASHING):
        made.append(WorkerEmbedder(choice, [SMALL, *arguments]))
        return made[-1]

    yield make
    for embedder in made:
        embedder.close()


def ask(embedder, text="hello", **options):
    return embedder.embed([text], purpose="query", **options)


class TestAnswers:
    def test_it_is_an_embedder_that_gives_the_vectors_of_the_one_it_runs(self, worker, hashing):
        embedder = worker()
        texts = ["a boat", "", "\0", "lone \ud800", "x" * 100_000, "日本語"]
        assert isinstance(embedder, EmbeddingPort)
        for purpose in ("query", "passage"):
            vectors = embedder.embed(texts, purpose=purpose)
            assert np.array_equal(vectors, hashing.embed(texts, purpose=purpose))

    def test_the_real_worker_serves_an_embedder_by_name(self, hashing):
        embedder = WorkerEmbedder(HASHING)
        assert np.array_equal(ask(embedder), ask(hashing))
        embedder.close()

    @pytest.mark.slow
    def test_the_default_model_gives_the_same_vectors_there_as_here(self, use_multilingual):
        embedder = WorkerEmbedder(USE_MULTILINGUAL)
        texts = ["How do I reset my password?", "şifremi nasıl sıfırlarım", "", "word " * 5_000]
        for purpose in ("query", "passage"):
            there = embedder.embed(texts, purpose=purpose)
            assert np.allclose(there, use_multilingual.embed(texts, purpose=purpose), atol=1e-3)
        embedder.close()

    def test_a_bulk_keeps_its_order(self, worker, hashing):
        texts = [f"text {i} " + "word " * (i * 31 % 97) for i in range(300)]
        assert np.array_equal(worker().embed(texts, purpose="passage"), hashing.embed(texts, purpose="passage"))

    def test_no_texts_need_no_worker(self, worker):
        embedder = worker()
        assert embedder.embed([], purpose="passage").shape == (0, 384)
        assert embedder.pid is None

    def test_a_width_that_only_the_model_tells_is_asked_of_it(self, worker):
        embedder = worker(choice=Chosen("hash-v1", "hash-v1", None, semantic=False))
        assert embedder.embed([], purpose="passage").shape == (0, 384)
        assert embedder.dims == 384

    def test_what_libraries_print_and_read_does_not_disturb(self, worker, hashing):
        assert np.array_equal(ask(worker("print"), "do: print"), ask(hashing, "do: print"))

    def test_threads_of_number_crunching_are_bounded(self, worker, monkeypatch):
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
        monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
        ask(worker(), "do: threads")

    def test_modules_in_the_working_folder_do_not_take_the_place_of_real_ones(self, worker, tmp_path, monkeypatch):
        for name in ("json", "numpy", "memtui", "queue"):
            (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')")
        monkeypatch.chdir(tmp_path)
        assert ask(WorkerEmbedder(HASHING)).shape == (1, 384)
        assert ask(worker()).shape == (1, 384)

    def test_many_threads_may_ask(self, worker, hashing):
        embedder = worker()
        texts = [f"question number {i}" for i in range(200)]
        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(lambda text: ask(embedder, text)[0], texts))
        assert np.array_equal(answers, hashing.embed(texts, purpose="query"))

    def test_a_query_does_not_wait_behind_a_bulk(self, worker):
        embedder = worker()
        ask(embedder)
        order = []

        def bulk():
            embedder.embed(["do: sleep 3"], purpose="passage")
            order.append("bulk")

        thread = threading.Thread(target=bulk)
        thread.start()
        time.sleep(0.2)
        ask(embedder)
        order.append("query")
        thread.join()
        assert order == ["query", "bulk"]


class TestFailures:
    def test_a_text_that_fails_is_said_and_the_next_is_answered(self, worker):
        embedder = worker()
        with pytest.raises(EmbedderUnavailable, match="RuntimeError: no luck"):
            ask(embedder, "do: raise")
        pid = embedder.pid
        assert ask(embedder).shape == (1, 384)
        assert embedder.pid == pid

    @pytest.mark.parametrize("purpose", ["query", "passage"])
    @pytest.mark.parametrize(
        ("what", "said"), [("panic", "failed: Panic: no entry found"), ("shapeless", "unpack|shape")]
    )
    def test_what_is_no_exception_and_no_table_is_said_too(self, worker, purpose, what, said):
        embedder = worker()
        with pytest.raises(EmbedderUnavailable, match=said):
            embedder.embed([f"do: {what}"] * 2, purpose=purpose, timeout=20)
        assert embedder.embed(["hello"], purpose=purpose, timeout=20).shape == (1, 384)

    def test_a_panic_while_loading_is_said(self, worker):
        embedder = worker("panic")
        with pytest.raises(EmbedderUnavailable, match="The model failed: Panic"):
            ask(embedder, timeout=20)
        assert embedder.failure is not None

    def test_the_models_own_error_comes_whole(self, worker):
        with pytest.raises(EmbedderUnavailable, match="not this one") as caught:
            ask(worker(), "do: refuse")
        assert (caught.value.hint, caught.value.file) == ("take another", "a.onnx")

    @pytest.mark.parametrize(("what", "said"), [("wrong-shape", "shape"), ("zeros", "of zeros")])
    def test_vectors_that_are_none_are_refused(self, worker, what, said):
        with pytest.raises(EmbedderUnavailable, match=said):
            ask(worker(), f"do: {what}")

    def test_a_model_that_does_not_load_is_asked_once(self, worker):
        embedder = worker("refuse")
        for _ in range(3):
            with pytest.raises(EmbedderUnavailable, match="not this one") as caught:
                ask(embedder)
            assert caught.value.file == "a.onnx"
        assert embedder.failure.message == "not this one"
        assert embedder.pid is None
        assert not embedder.loading
        assert not embedder.ready

    def test_started_ahead_the_failure_is_seen_before_anything_is_asked(self, worker):
        embedder = worker("refuse")
        embedder.start()
        until(lambda: embedder.failure is not None)
        assert not embedder.loading

    def test_a_model_whose_files_changed_is_not_taken_for_the_one_named(self, worker):
        embedder = worker(choice=Chosen("other", "another-model", 384, semantic=True))
        with pytest.raises(EmbedderUnavailable, match="no longer another-model"):
            ask(embedder)

    def test_a_worker_that_speaks_otherwise_is_ended(self, worker):
        embedder = worker("babble")
        with pytest.raises(EmbedderUnavailable, match="did not keep to the protocol"):
            ask(embedder)
        assert embedder.pid is None

    def test_a_python_that_is_not_there_is_said(self, worker, monkeypatch):
        monkeypatch.setattr(sys, "executable", "/nonexistent/python")
        embedder = worker()
        with pytest.raises(EmbedderUnavailable, match="does not start"):
            ask(embedder)


class TestDeaths:
    def test_a_killed_worker_is_started_again_and_what_was_asked_is_answered(self, worker, tmp_path):
        embedder = worker()
        assert ask(embedder, f"do: die-unless {tmp_path / 'died'}").shape == (1, 384)

    def test_one_killed_at_rest_is_started_again(self, worker):
        embedder = worker()
        ask(embedder)
        first = embedder.pid
        os.kill(first, signal.SIGKILL)
        assert ask(embedder).shape == (1, 384)
        assert embedder.pid not in (None, first)

    def test_the_second_death_is_the_last_and_its_reason_is_kept(self, worker):
        embedder = worker()
        for _ in range(2):
            with pytest.raises(EmbedderUnavailable, match=r"SIGKILL: out of memory, or something"):
                ask(embedder, "do: die")
        with pytest.raises(EmbedderUnavailable, match="SIGKILL"):
            ask(embedder)
        assert "SIGKILL" in embedder.failure.message
        assert embedder.pid is None

    def test_a_worker_that_never_comes_up_is_given_up(self, worker):
        embedder = worker("exit")
        with pytest.raises(EmbedderUnavailable, match="ended with status 7"):
            ask(embedder)

    def test_start_tries_anew(self, worker, tmp_path):
        embedder = worker()
        with pytest.raises(EmbedderUnavailable):
            ask(embedder, "do: die")
        embedder.start()
        assert embedder.failure is None
        assert ask(embedder).shape == (1, 384)

    def test_all_who_wait_are_told(self, worker):
        embedder = worker()
        ask(embedder)
        with ThreadPoolExecutor(6) as threads:
            waiting = [threads.submit(ask, embedder, "do: sleep 60") for _ in range(5)]
            first = embedder.pid
            os.kill(first, signal.SIGKILL)
            until(lambda: embedder.pid not in (None, first) and embedder.ready)
            os.kill(embedder.pid, signal.SIGKILL)
            for answer in waiting:
                with pytest.raises(EmbedderUnavailable):
                    answer.result(10)

    def test_a_closed_one_is_gone_and_stays_so(self, worker):
        embedder = worker()
        ask(embedder)
        pid = embedder.pid
        embedder.close()
        assert gone(pid)
        assert embedder.pid is None
        with pytest.raises(EmbedderUnavailable, match="closed"):
            ask(embedder)
        with pytest.raises(EmbedderUnavailable, match="closed"):
            embedder.start()
        embedder.close()

    def test_closing_frees_who_waits(self, worker):
        embedder = worker()
        ask(embedder)
        with ThreadPoolExecutor(1) as threads:
            waiting = threads.submit(ask, embedder, "do: sleep 60")
            time.sleep(0.2)
            embedder.close()
            with pytest.raises(EmbedderUnavailable, match="closed"):
                waiting.result(10)

    def test_one_that_is_forgotten_takes_its_worker_along(self):
        embedder = WorkerEmbedder(HASHING, [SMALL])
        ask(embedder)
        pid = embedder.pid
        del embedder
        until(lambda: gone(pid))


class TestWaiting:
    def test_it_starts_with_the_first_text(self, worker):
        embedder = worker()
        assert (embedder.pid, embedder.loading, embedder.ready) == (None, False, False)
        ask(embedder)
        assert (embedder.loading, embedder.ready) == (False, True)

    def test_started_ahead_it_loads_without_anybody_waiting(self, worker):
        embedder = worker("sleep", "0.5")
        before = time.monotonic()
        embedder.start()
        embedder.start()
        assert time.monotonic() - before < 0.4
        assert (embedder.loading, embedder.ready) == (True, False)
        until(lambda: embedder.ready)
        assert not embedder.loading

    def test_who_does_not_wait_for_the_loading_is_told_so_and_others_are_answered(self, worker):
        embedder = worker("sleep", "1")
        with pytest.raises(EmbedderUnavailable, match="still being loaded"):
            ask(embedder, timeout=0.1)
        assert embedder.loading
        assert ask(embedder).shape == (1, 384)

    def test_after_a_timeout_the_worker_is_as_good_as_before(self, worker, hashing):
        embedder = worker()
        ask(embedder)
        pid = embedder.pid
        before = time.monotonic()
        with pytest.raises(EmbedderUnavailable, match=r"did not answer after 0.2 s"):
            ask(embedder, "do: sleep 1", timeout=0.2)
        assert time.monotonic() - before < 0.9
        assert np.array_equal(ask(embedder, "after"), ask(hashing, "after"))
        assert embedder.pid == pid
        assert embedder.failure is None

    def test_a_bulk_that_is_never_answered_ends_and_the_next_has_a_new_worker(self, worker, monkeypatch):
        embedder = worker()
        ask(embedder)
        pid = embedder.pid
        monkeypatch.setattr("memtui.embedding.process._LONGEST_ANSWER", 0.3)
        with pytest.raises(EmbedderUnavailable, match=r"did not answer after 0.3 s"):
            embedder.embed(["do: sleep 60"], purpose="passage")
        assert gone(pid)
        assert ask(embedder, timeout=20).shape == (1, 384)

    def test_a_model_that_never_loads_is_given_up_by_a_bulk(self, worker, monkeypatch):
        embedder = worker("sleep", "60")
        monkeypatch.setattr("memtui.embedding.process._LONGEST_ANSWER", 0.3)
        for _ in range(2):
            with pytest.raises(EmbedderUnavailable, match="still being loaded after"):
                embedder.embed(["hello"], purpose="passage")
        assert embedder.failure is not None

    def test_a_bulk_nobody_waits_for_is_left(self, worker):
        embedder = worker()
        ask(embedder)
        with pytest.raises(EmbedderUnavailable):
            embedder.embed(["do: sleep 0.05"] * 16 * 20, purpose="passage", timeout=0.1)
        before = time.monotonic()
        embedder.embed(["the next bulk"], purpose="passage")
        assert time.monotonic() - before < 16 * 0.05 * 5

    @pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs signals")
    def test_a_worker_that_stands_still_holds_nobody_up(self, worker):
        embedder = worker()
        ask(embedder)
        os.kill(embedder.pid, signal.SIGSTOP)
        much = ["word " * 700] * 300  # more than a pipe holds
        before = time.monotonic()
        for _ in range(2):
            with pytest.raises(EmbedderUnavailable):
                embedder.embed(much, purpose="passage", timeout=0.2)
        with pytest.raises(EmbedderUnavailable):
            ask(embedder, timeout=0.2)
        assert time.monotonic() - before < 3
        pid = embedder.pid
        embedder.close()
        assert gone(pid)
