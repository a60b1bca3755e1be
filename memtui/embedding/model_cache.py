"""Where fetched models are kept: in a folder that outlives a restart of the machine."""

from __future__ import annotations

import os
from pathlib import Path

from memtui.errors import EmbedderUnavailable


def model_cache() -> Path:
    """The folder of fetched models: `FASTEMBED_CACHE_PATH`, else `memtui/models` in the user's cache folder.

    fastembed's own default lies in the temporary folder, where models are lost and anybody may put one. Raises
    EmbedderUnavailable if there is no home to keep them in.
    """
    named = os.environ.get("FASTEMBED_CACHE_PATH")
    if named:
        return Path(named).absolute()
    from platformdirs import user_cache_path

    cache = user_cache_path("memtui") / "models"
    if not cache.is_absolute():
        raise EmbedderUnavailable(
            "There is no home folder to keep models in.", hint="set FASTEMBED_CACHE_PATH to a folder of your own"
        )
    return cache
