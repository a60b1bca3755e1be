"""A model in a folder of the user's: an ONNX file, its tokenizer, and how its vectors are pooled."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Generator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from memtui.embedding.onnx import THREADS, OnnxEmbedder, known_models, loading
from memtui.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from fastembed import TextEmbedding

_MODELS = tuple(
    f"{folder}{name}.onnx"
    for folder in ("", "onnx/")
    for name in ("model", "model_optimized", "model_quantized", "model_int8", "model_fp16")
)
"""Where the network may lie in the folder; the first that is there is taken."""
_TOKENIZER = ("tokenizer.json", "tokenizer_config.json")
_POOLING = "1_Pooling/config.json"
_SAMPLES = 64
_SAMPLE = 4_096
_HINT = "put model.onnx, tokenizer.json and tokenizer_config.json of one model into the folder"


def from_folder(folder: Path) -> OnnxEmbedder:
    """The model in a folder. Raises EmbedderUnavailable if files are missing or cannot be read."""
    return OnnxEmbedder(folder_model_id(folder), lambda: _load(folder))


def folder_model_id(folder: Path) -> str:
    """Names a folder's model by what it holds: exchanged files are another model. The network is not loaded.

    Of each file the length and pieces from all over it are taken: to read gigabytes would cost every start seconds,
    and files trained apart differ everywhere. They are read again only when a file changed: this is asked several
    times for each key that is typed. Raises EmbedderUnavailable if files are missing or cannot be read.
    """
    held = tuple(_Held.of(folder, name) for name in _files(folder))
    return f"fastembed:{folder.name}@{_digest(folder, held)}"


class _Held(NamedTuple):
    """A file as it lies in the folder: another one in its place, or another content, differs in some of it."""

    name: str
    device: int
    inode: int
    size: int
    modified: int
    changed: int
    """Nanoseconds, as `modified`; no copy takes it along."""

    @classmethod
    def of(cls, folder: Path, name: str) -> _Held:
        with _reading(folder / name):
            found = (folder / name).stat()
        return cls(name, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


@lru_cache(maxsize=8)
def _digest(folder: Path, held: tuple[_Held, ...]) -> str:
    digest = hashlib.sha256()
    for file in held:
        digest.update(f"{file.name}\0{file.size}\0".encode())
        with _reading(folder / file.name), (folder / file.name).open("rb") as stream:
            for i in range(_SAMPLES):
                stream.seek(file.size * i // _SAMPLES)
                digest.update(stream.read(_SAMPLE))
    return digest.hexdigest()[:12]


@contextlib.contextmanager
def _reading(file: Path) -> Generator[None, None, None]:
    """Raise EmbedderUnavailable, which names the file, where it cannot be read."""
    try:
        yield
    except OSError as error:
        raise EmbedderUnavailable(
            f"The model's file {file} cannot be read: {error.strerror}", hint=_HINT, file=str(file)
        ) from error


def _files(folder: Path) -> list[str]:
    """The files that decide the vectors, as paths in the folder: the network first, with its data if kept apart."""
    try:
        if not folder.is_dir():
            raise EmbedderUnavailable(f"There is no folder {folder}.", hint=_HINT, file=str(folder))
        network = next((name for name in _MODELS if (folder / name).is_file()), None)
        if network is None:
            raise EmbedderUnavailable(f"The folder {folder} holds no model.onnx.", hint=_HINT, file=str(folder))
        for name in _TOKENIZER:
            if not (folder / name).is_file():
                raise EmbedderUnavailable(
                    f"The model's file {folder / name} is missing.", hint=_HINT, file=str(folder / name)
                )
        apart = [f"{network}_data", f"{network}.data"]
        return [network, *_TOKENIZER, *(name for name in (*apart, _POOLING) if (folder / name).is_file())]
    except OSError as error:
        raise EmbedderUnavailable(
            f"The folder {folder} cannot be read: {error.strerror}", hint=_HINT, file=str(folder)
        ) from error


def _check_regular(folder: Path) -> None:
    """Raises EmbedderUnavailable for a pipe or a device: whoever reads the model's files would wait at it for ever."""
    for place in (folder, *(folder / name for name in ("onnx", "1_Pooling") if (folder / name).is_dir())):
        with _reading(place):
            odd = next(
                (file for file in place.iterdir() if file.exists() and not (file.is_file() or file.is_dir())), None
            )
        if odd is not None:
            raise EmbedderUnavailable(f"The model's file {odd} is no regular file.", hint=_HINT, file=str(odd))


def _load(folder: Path) -> TextEmbedding:
    network = _files(folder)[0]
    _check_regular(folder)
    known_models()  # says what to do where fastembed is missing
    pooling = _pooling(folder)
    model = _load_as(folder, network, pooling)
    if len(_outputs(model)) == 2:  # one vector a text already
        model = _load_as(folder, network, "DISABLED")
    return model


def _load_as(folder: Path, network: str, pooling: str) -> TextEmbedding:
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    name = f"{folder_model_id(folder)}-{pooling}"
    if name not in known_models():
        TextEmbedding.add_custom_model(
            model=name,
            pooling=PoolingType[pooling],
            normalization=True,
            sources=ModelSource(hf="local/folder"),  # must be given, and is not asked with a path
            dim=1,  # told truly once a text has been embedded
            model_file=network,
        )
    return loading(
        lambda: TextEmbedding(name, specific_model_path=str(folder), threads=THREADS, local_files_only=True),
        f"The model in {folder} does not load, it may be damaged",
        _HINT,
        folder / network,
    )


def _outputs(model: TextEmbedding) -> list[Any]:
    """The shape of what the network puts out first."""
    session = cast("Any", model.model).model
    return list(session.get_outputs()[0].shape)


def _pooling(folder: Path) -> str:
    """How the vectors of a text's tokens become one, as sentence-transformers says it beside the model; else the mean.

    Raises EmbedderUnavailable if it is said and not understood: pooled otherwise, all vectors would be wrong.
    """
    file = folder / _POOLING
    if not file.is_file():
        return "MEAN"
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
        modes = {
            "pooling_mode_mean_tokens": "MEAN",
            "pooling_mode_cls_token": "CLS",
            "pooling_mode_lasttoken": "LAST_TOKEN",
        }
        asked = [key for key, value in said.items() if key.startswith("pooling_mode_") and value]
        return modes[asked[0]] if asked else "MEAN"
    except (OSError, ValueError, AttributeError, KeyError) as error:
        raise EmbedderUnavailable(
            f"{file} asks for no pooling known here (mean, first or last token).", file=str(file)
        ) from error
