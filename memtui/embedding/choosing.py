"""Embedders by the name a setting gives them; and fetching models, the one place that may use the network."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memtui.embedding.names import CHOICES, FASTEMBED, HASHING, MINILM, NONE, USE_MULTILINGUAL, Chosen
from memtui.embedding.port import EmbeddingPort
from memtui.errors import EmbedderUnavailable, InvalidInput


@dataclass(frozen=True, slots=True)
class Pulled:
    """A model that is here and answers: `fetched` if it came over the network just now, `folder` where it lies."""

    model_id: str
    dims: int
    fetched: bool
    folder: Path | None


def chosen(name: str) -> Chosen | None:
    """The embedder of that name, None for "none". Nothing is loaded but, for a folder, pieces of its files.

    Raises InvalidInput for an unknown name, EmbedderUnavailable for a folder without a model.
    """
    name = name.strip()
    if name == NONE:
        return None
    for carried in (USE_MULTILINGUAL, MINILM, HASHING):
        if name == carried.name:
            return carried
    model = name.removeprefix(FASTEMBED).strip()
    # No path and no argument of a process holds a zero byte; what does not print is no model's name either.
    if not name.startswith(FASTEMBED) or not model or not model.isprintable():
        raise InvalidInput(
            f"There is no embedder {name!r}.",
            hint="a model of fastembed is written fastembed:<model>, a folder fastembed:<path>",
            field="embedder",
            value=name,
            choices=CHOICES,
        )
    folder = _folder(model)
    if folder is None:
        return Chosen(f"{FASTEMBED}{model}", f"{FASTEMBED}{model}", None, semantic=True)
    from memtui.embedding.model_folder import folder_model_id

    return Chosen(f"{FASTEMBED}{folder}", folder_model_id(folder), None, semantic=True)


def in_process(choice: Chosen) -> EmbeddingPort:
    """The embedder itself, to be loaded in this process at its first text. Raises EmbedderUnavailable for a folder."""
    if choice == USE_MULTILINGUAL:
        from memtui.embedding.use_multilingual import UseMultilingual

        return UseMultilingual()
    if choice == HASHING:
        from memtui.embedding.hashing import HashEmbedder

        return HashEmbedder()
    if choice == MINILM:
        from memtui.embedding.minilm import minilm

        return minilm()
    model = choice.name.removeprefix(FASTEMBED)
    folder = _folder(model)
    if folder is not None:
        from memtui.embedding.model_folder import from_folder

        return from_folder(folder)
    from memtui.embedding.onnx import by_name

    return by_name(model, choice.model_id)


def pull(model: str) -> Pulled:
    """See that a model is here and answers, fetching it if it is one of fastembed's and not in the cache yet.

    `model` is an embedder's name, or a model's name as fastembed knows it. Raises InvalidInput for an unknown one,
    EmbedderUnavailable where it cannot be fetched, is damaged, or has vectors no store keeps.
    """
    name = model.strip()
    choice = chosen(f"{FASTEMBED}{name}" if "/" in name and not name.startswith(FASTEMBED) else name)
    if choice is None:
        raise InvalidInput('"none" is no model.', field="model", value=name, choices=CHOICES)
    bare = choice.name.removeprefix(FASTEMBED)
    if not choice.name.startswith(FASTEMBED) or _folder(bare) is not None:
        return Pulled(choice.model_id, _answering(choice), False, None)
    from memtui.embedding.fetching import fetch

    fetched, cache = fetch(bare)
    return Pulled(choice.model_id, _answering(choice), fetched, cache)


def _answering(choice: Chosen) -> int:
    """The width of an embedder's vectors, after it has embedded a text in a process of its own, as for a search."""
    from memtui.embedding.process import WorkerEmbedder

    embedder = WorkerEmbedder(choice)
    try:
        return embedder.embed(["Does it answer?"], purpose="query").shape[1]
    finally:
        embedder.close()


def _folder(model: str) -> Path | None:
    """The folder a model's name stands for, None if it is a name.

    Only what looks like a path is one: a folder that happens to be called like a model must not take its place.
    Raises EmbedderUnavailable for a home that is not known.
    """
    try:
        path = Path(model).expanduser()
    except RuntimeError as error:  # nobody of that name has a home here
        raise EmbedderUnavailable(
            f"The model's folder {model} cannot be told: {error}", hint="write the folder's full path", file=model
        ) from error
    if model.startswith((".", "~", "/", "\\")) or path.is_absolute():
        return path.absolute()
    return None
