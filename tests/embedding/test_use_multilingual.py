from __future__ import annotations

import pytest

from memtui.embedding import use_multilingual as module
from memtui.embedding.files import PackagedFile
from memtui.embedding.use_multilingual import UseMultilingual
from memtui.errors import EmbedderUnavailable

QUESTION = "How do I reset my password?"


@pytest.mark.parametrize(
    "same", ["şifremi nasıl sıfırlarım", "パスワードをリセットするには?", "¿Cómo restablezco mi contraseña?"]
)
def test_a_question_is_near_itself_in_another_language(use_multilingual, same):
    asked, other, unrelated = use_multilingual.embed(
        [QUESTION, same, "The tomatoes need water at noon."], purpose="query"
    )
    assert asked @ other > 0.4
    assert asked @ other > asked @ unrelated + 0.3


def test_its_files_are_what_the_pins_say():
    for file in module.FILES:
        assert file.verified().is_file()


@pytest.fixture
def packaged(tmp_path, monkeypatch):
    """A distribution of our own that carries one file."""
    info = tmp_path / "carrier-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: carrier\nVersion: 1.0\n")
    (tmp_path / "carrier").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "carrier" / "weights.bin"
    file.write_bytes(b"right")
    pinned = PackagedFile(
        "carrier",
        "carrier/weights.bin",
        "27042f4e6eca7d0b2a7ee4026df2ecfa51d3339e6d122aa099118ecd8563bad9",
        "carrier==1.0",
    )
    return pinned, file


@pytest.mark.parametrize("harm", ["halved", "missing", "a folder"])
def test_a_harmed_file_is_named_and_not_used(packaged, monkeypatch, harm):
    pinned, file = packaged
    if harm == "halved":
        file.write_bytes(b"ri")
    else:
        file.unlink()
    if harm == "a folder":
        file.mkdir()
    monkeypatch.setattr(module, "FILES", (pinned,))
    with pytest.raises(EmbedderUnavailable) as caught:
        UseMultilingual().embed(["x"], purpose="query")
    assert caught.value.file == str(file)
    assert str(file) in caught.value.message
    assert "pip install --force-reinstall" in caught.value.hint


def test_a_package_that_is_not_installed_is_named(monkeypatch):
    gone = PackagedFile("no-such-carrier", "a/b.bin", "0" * 64, "no-such-carrier==1")
    with pytest.raises(EmbedderUnavailable, match="no-such-carrier is not installed") as caught:
        gone.verified()
    assert caught.value.hint == "pip install 'no-such-carrier==1'"
