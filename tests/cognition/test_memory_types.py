"""memory_type, when the author did not say: whole words only, in the order of the spec."""

from __future__ import annotations

import pytest

from memtui.cognition.memory_types import classify, time_of_day


@pytest.mark.parametrize(
    ("summary", "referent", "kind"),
    [
        ("Always zero a clean platform", False, "procedural"),
        ("You should never zero a wet one", True, "procedural"),
        ("Make sure the lid is shut", False, "procedural"),
        ("Don’t touch the cable", False, "procedural"),
        ("Asla ıslak platformda sıfırlama", False, "procedural"),
        ("Mustard is in the fridge of the Shoulder in Neverland", False, "semantic"),
        ("We shipped v2 on Friday", False, "episodic"),
        ("The metric system", False, "semantic"),
        ("The board is yellow", True, "episodic"),
    ],
)
def test_classify(summary, referent, kind):
    assert classify(summary, area_is_referent=referent) == kind


def test_parts_of_the_day_are_half_open():
    told = [time_of_day(hour) for hour in (4, 5, 11, 12, 16, 17, 21, 22, 0)]
    assert told == ["night", "morning", "morning", "afternoon", "afternoon", "evening", "evening", "night", "night"]
