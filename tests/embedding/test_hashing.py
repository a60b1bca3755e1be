from __future__ import annotations

import hashlib
import subprocess
import sys

import numpy as np

TEXTS = [
    "How do I reset my password?",
    "şifremi nasıl sıfırlarım",
    "",
    "🙂 i-046 foo_bar getUserName",
    "日本語のテキスト",
]
DIGEST = "b2327da8502b7a97097ddf63b5c8bbc235e9ed458c377123ecd49e2fa5d8a6b3"


def digest(vectors):
    return hashlib.sha256(np.round(vectors, 6).astype("<f4").tobytes()).hexdigest()


def test_these_vectors_never_change(hashing):
    """Stored vectors carry the name hash-v1: if other tokens or another hash are wanted, that is hash-v2."""
    assert digest(hashing.embed(TEXTS, purpose="passage")) == DIGEST


def test_another_process_has_the_same_vectors(hashing):
    code = (
        "from memtui.embedding.hashing import HashEmbedder; import sys;"
        f"sys.stdout.buffer.write(HashEmbedder().embed({TEXTS!r}, purpose='query').tobytes())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == hashing.embed(TEXTS, purpose="query").tobytes()


def test_it_claims_no_meaning_but_knows_words(hashing):
    assert not hashing.semantic
    asked, near, far = hashing.embed(
        ["reset the password", "the password was reset", "boats at dawn"], purpose="passage"
    )
    assert asked @ near > 0.6 > 0.3 > asked @ far


def test_words_that_cancel_each_other_still_have_a_vector(hashing):
    """Two words at one dimension in opposite directions."""
    from memtui.embedding.hashing import _feature

    places = {}
    for i in range(100_000):
        word = f"w{i}"
        place, sign = _feature(word)
        if (place, -sign) in places:
            pair = f"{places[place, -sign]} {word}"
            break
        places[place, sign] = word
    assert np.linalg.norm(hashing.embed([pair], purpose="passage")) == 1
