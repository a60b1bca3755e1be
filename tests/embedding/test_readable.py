"""What models are given to read: nothing of ordinary texts is lost, and nothing takes them long."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.embedding.readable import LONGEST_TEXT, readable
from memtui.memory.timed import LONGEST_ANSWER


def test_ordinary_text_is_read_to_its_usual_end():
    for text in ("Kapı 7'nin anahtarı… ﬁne, ½ of it. ", "港の潮位計は港にある。", "ｉｓｔａｎｂｕｌ ", "한국어 "):
        long = text * 400
        assert readable([text, long]) == [text, long[:LONGEST_TEXT]]


@given(st.text(st.sampled_from("a \ufdfa\u3300½水\u0301\u0323\ud800"), max_size=20))
def test_no_text_comes_to_much_more_than_it_is(text):
    (read,) = readable([text * LONGEST_TEXT])
    assert len(unicodedata.normalize("NFKC", read)) <= 2 * LONGEST_TEXT
    assert bool(read) == bool(text)
    read.encode("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("sign", ["\ufdfa", "\ufdfa ", "\u3300", "a\u0301\u0323"])
def test_the_default_model_reads_any_sign_in_the_time_of_a_query(sign):
    from memtui.embedding.use_multilingual import UseMultilingual

    model = UseMultilingual()
    model.embed(["warm"], purpose="query")
    began = time.process_time()
    model.embed([sign * LONGEST_TEXT], purpose="query")
    assert time.process_time() - began < LONGEST_ANSWER / 2
