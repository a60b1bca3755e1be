"""The whole story in order: five seasons of verbs, and each evening on which files were new, a sync."""

from __future__ import annotations

from tests.sample import between_harvests, first_harvest, first_winter, pilot, second_harvest
from tests.sample.steps import Step

ZONE = "Europe/Istanbul"
"""Where the team keeps its files: dates in them without an offset are days of this zone."""

EVENING = "T21:30:00+03:00"
"""When Kalfa syncs the vault, on days that brought something new."""

SYNCED_BY = "kalfa"

STEPS: tuple[Step, ...] = (
    *pilot.STEPS,
    *first_harvest.STEPS,
    *first_winter.STEPS,
    *between_harvests.STEPS,
    *second_harvest.STEPS,
)
