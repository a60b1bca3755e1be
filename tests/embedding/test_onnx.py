from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from memtui.embedding.choosing import chosen, in_process, pull
from memtui.errors import EmbedderUnavailable
from tests.embedding.conftest import needs, needs_minilm

pytestmark = [needs("fastembed"), needs_minilm]


@pytest.fixture
def folder(tmp_path):
    """A model of one's own, in a folder with a blank and a letter beyond ASCII in its path."""
    from memtui.embedding.minilm import NETWORK, TOKENIZER, compose

    folder = tmp_path / "my mödel"
    folder.mkdir()
    compose(folder, NETWORK.verified(), TOKENIZER.verified())
    return folder


def embedder_of(folder):
    return in_process(chosen(f"fastembed:{folder}"))


@pytest.mark.slow
def test_a_folder_gives_the_vectors_of_the_model_in_it(folder, minilm):
    texts = ["a boat", "the quick brown fox " * 40, ""]
    embedder = embedder_of(folder)
    assert embedder.dims == 384
    assert np.allclose(embedder.embed(texts, purpose="passage"), minilm.embed(texts, purpose="passage"), atol=1e-4)


@pytest.mark.slow
def test_the_first_tokens_vector_is_taken_where_the_folder_says_so(folder, minilm):
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    by_first = embedder_of(folder).embed(["a boat at dawn"], purpose="passage")
    by_mean = minilm.embed(["a boat at dawn"], purpose="passage")
    assert 0.1 < (by_first @ by_mean.T).item() < 0.99


def test_a_pooling_that_is_not_known_is_refused(folder):
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_weightedmean_tokens": true}')
    with pytest.raises(EmbedderUnavailable, match="asks for no pooling known here"):
        embedder_of(folder).embed(["x"], purpose="query")


def test_a_relative_folder_is_the_same_model(folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    assert chosen("fastembed:./my mödel") == chosen(f"fastembed:{folder}")


def test_an_exchanged_network_is_another_model(folder):
    before = chosen(f"fastembed:{folder}").model_id
    assert before == chosen(f"fastembed:{folder}").model_id
    network = bytearray((folder / "model.onnx").read_bytes())
    for i in range(0, len(network), 1_000):
        network[i] ^= 1
    (folder / "model.onnx").unlink()
    (folder / "model.onnx").write_bytes(network)
    assert chosen(f"fastembed:{folder}").model_id != before


def test_a_folder_is_read_again_only_when_a_file_changed(folder, monkeypatch):
    chosen(f"fastembed:{folder}")
    opened = []
    own = Path.open
    monkeypatch.setattr(Path, "open", lambda self, mode: (opened.append(self.name), own(self, mode))[1])
    before = chosen(f"fastembed:{folder}").model_id
    assert opened == []
    monkeypatch.undo()
    settings = folder / "tokenizer_config.json"
    content, modified = settings.read_bytes(), settings.stat().st_mtime_ns
    settings.unlink()
    settings.write_bytes(content.swapcase())
    os.utime(settings, ns=(modified, modified))
    assert chosen(f"fastembed:{folder}").model_id != before


def test_a_network_cut_in_half_is_reported_and_not_used(folder):
    content = (folder / "model.onnx").read_bytes()
    (folder / "model.onnx").unlink()
    (folder / "model.onnx").write_bytes(content[: len(content) // 2])
    with pytest.raises(EmbedderUnavailable, match="damaged") as caught:
        embedder_of(folder).embed(["x"], purpose="query")
    assert caught.value.file == str(folder / "model.onnx")


@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer_config.json", "model.onnx"])
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(EmbedderUnavailable, match=name):
        chosen(f"fastembed:{folder}")


@pytest.mark.parametrize("content", ["", '{"version": "1.0", "model"', "{}"])
def test_a_damaged_tokenizer_is_reported(folder, content):
    (folder / "tokenizer.json").write_text(content)
    with pytest.raises(EmbedderUnavailable, match="damaged"):
        embedder_of(folder).embed(["x"], purpose="query")


def test_a_tokenizer_that_makes_its_runtime_panic_is_reported(folder):
    tokenizer = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer["model"]["unk_token"] = "NOPE"
    tokenizer["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "[NONE]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}],
        "special_tokens": {},
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    with pytest.raises(EmbedderUnavailable):
        embedder_of(folder).embed(["x"], purpose="query")
    with pytest.raises(EmbedderUnavailable):
        pull(f"fastembed:{folder}")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_among_its_files_is_named_and_not_waited_for(folder):
    (folder / "special_tokens_map.json").unlink()
    os.mkfifo(folder / "special_tokens_map.json")
    with pytest.raises(EmbedderUnavailable, match=r"special_tokens_map.json is no regular file"):
        embedder_of(folder).embed(["x"], purpose="query")


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(EmbedderUnavailable, match="There is no folder") as caught:
        chosen(f"fastembed:{tmp_path / 'gone'}")
    assert caught.value.file == str(tmp_path / "gone")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("what", [".", "model.onnx", "tokenizer.json"])
def test_what_may_not_be_read_is_named(folder, what):
    target = folder / what
    if what == "model.onnx":
        content = target.read_bytes()
        target.unlink()
        target.write_bytes(content)
    target.chmod(0)
    try:
        with pytest.raises(EmbedderUnavailable, match="cannot be read"):
            chosen(f"fastembed:{folder}")
    finally:
        target.chmod(0o700)


def test_minilm_needs_no_home_and_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.delenv("HOME")
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path / "unused"))
    vectors = in_process(chosen("minilm")).embed(["x"], purpose="query")
    assert vectors.shape == (1, 384)
    assert list(tmp_path.iterdir()) == []


def test_minilm_without_a_temporary_folder_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    with pytest.raises(EmbedderUnavailable) as caught:
        in_process(chosen("minilm")).embed(["x"], purpose="query")
    assert "TMPDIR" in caught.value.hint


def test_where_links_are_not_allowed_the_network_is_copied(tmp_path, monkeypatch):
    from memtui.embedding.minilm import NETWORK, TOKENIZER, compose

    def refuse(*arguments):
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "symlink", refuse)
    compose(tmp_path, NETWORK.verified(), TOKENIZER.verified())
    assert not (tmp_path / "model.onnx").is_symlink()
    assert (tmp_path / "model.onnx").stat().st_size == NETWORK.verified().stat().st_size
    shutil.rmtree(tmp_path)
