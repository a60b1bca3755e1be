"""The vault's files as they stood on a day: each appears when its text was written, some in earlier editions.

Without this every document of 2025 would already know how 2026 ended.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CHANGELOG = "CHANGELOG.json"
_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_DAY = re.compile(r"\b20\d\d-\d\d-\d\d")
_UPDATED = re.compile(r"^updated: .*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Edition:
    """An earlier text of a file, told by how the text of today differs from it.

    Lines that name a later day were not written yet and are left out by themselves.
    """

    path: str
    day: str
    reworded: tuple[tuple[str, str], ...] = ()
    """Text of today, text of then."""
    sections: tuple[str, ...] = ()
    """Headings whose sections came later."""
    lines: tuple[str, ...] = ()
    """Lines that hold these words came later."""
    body: bool = True
    """Whether there was any text below the front matter."""

    def text(self, today: str) -> str:
        """The text as it stood. Raises ValueError where the text of today no longer holds what differs."""
        then = _UPDATED.sub(f"updated: {self.day}", today)
        for now, before in self.reworded:
            if now not in then:
                raise ValueError(f"{self.path} does not say {now!r} any more")
            then = then.replace(now, before)
        for heading in self.sections:
            then = _without_section(then, heading, self.path)
        for words in self.lines:
            if words not in then:
                raise ValueError(f"{self.path} does not say {words!r} any more")
        front = _FRONT.match(then)
        if not self.body and front is not None:
            then = front[0]
        return "".join(line for line in then.splitlines(keepends=True) if self._was_written(line))

    def _was_written(self, line: str) -> bool:
        later = any(day > self.day for day in _DAY.findall(line))
        return not later and not any(words in line for words in self.lines)


def _without_section(text: str, heading: str, path: str) -> str:
    level = heading.split(" ", 1)[0]
    pattern = re.compile(rf"^{re.escape(heading)}\n.*?(?=^{level} |\Z)", re.DOTALL | re.MULTILINE)
    if not pattern.search(text):
        raise ValueError(f"{path} has no section {heading!r} any more")
    return pattern.sub("", text)


ARRIVALS = {
    # Files whose own dates are those of the world, not of the day they were written.
    "engrams/lot-numbers-by-date.md": "2026-04-15",
    "engrams/milas-wooden-crate.md": "2026-04-09",
    "engrams/ops/nobet-okanda.md": "2026-02-02",
    "engrams/sms-gateway-postaci.md": "2026-08-20",
    "memory.md": "2026-10-05",
}

_NOT_IN_SPRING = ("OLV-317", "OLV-312", "asked about weekly", "OLV-305", "OLV-290")

EDITIONS: tuple[Edition, ...] = (
    Edition("engrams/lot-numbers-by-date.md", "2025-09-26", body=False),
    Edition("engrams/sms-gateway-postaci.md", "2025-09-10", body=False),
    Edition(
        "people.md",
        "2025-06-02",
        sections=("## Out of hours",),
        reworded=(("scales, [[indicator-protocol]], serial cables", "scales, serial cables"),),
    ),
    Edition(
        "features/queue-board.md",
        "2025-05-12",
        reworded=(
            ("status: shipped", "status: planned"),
            ("- [x] Readable from 12 m", "- [ ] Readable from 12 m"),
            ("- [x] Works a whole day", "- [ ] Works a whole day"),
            ("- [x] Turkish, Spanish, Greek, Japanese", "- [ ] Turkish"),
        ),
        sections=("## Lessons",),
    ),
    Edition(
        "knowledge/decisions/store-and-forward.md",
        "2025-03-20",
        reworded=(
            ("20251105-0044", "20250318-0044"),
            ("2025-11-05T06:41:09Z", "2025-03-18T06:41:09Z"),
            (" Our first way of doing that failed, see\n  [[lot-number-blocks]].", " How is still open."),
        ),
    ),
    Edition("knowledge/indicator-protocol.md", "2025-06-16"),
    Edition(
        "features/grower-messages.md",
        "2025-09-10",
        reworded=(
            ("Since v2.3.0 (2026-08-20) texts go through **Güvercin**, which also delivers to Greek and Spanish\n", ""),
            (
                "numbers. Before that it was Postacı ([[sms-gateway-postaci]]), domestic only, and its daily quota\n"
                "ran out on every Saturday in November.",
                "Texts go through Postacı ([[sms-gateway-postaci]]), which reaches Turkish numbers only.",
            ),
        ),
        lines=("Japanese texts",),
    ),
    Edition(
        "knowledge/error-codes.md",
        "2025-09-20",
        reworded=((" It happened once, before\n   [[olv-214-clock-guard|the clock guard]].", ""),),
        sections=("## Codes that no longer exist",),
        lines=("| E-2210 |", "| E-4017 |"),
    ),
    Edition(
        "knowledge/error-codes.md", "2025-12-01", sections=("## Codes that no longer exist",), lines=("| E-2210 |",)
    ),
    Edition(
        "knowledge/tartim-kilavuzu.md",
        "2025-09-24",
        reworded=(
            (", fiş nasıl okunur, soğuk gecelerde neye bakılır.", ", fiş nasıl okunur."),
            ("`L-104512-7`. Son rakam kontrol rakamıdır; telefonda okurken onu da söyleyin.", "`20250929-0001`."),
        ),
        sections=("## Soğuk geceler",),
    ),
    Edition(
        "knowledge/tartim-kilavuzu.md",
        "2025-11-19",
        reworded=(
            ("`L-104512-7`. Son rakam kontrol rakamıdır; telefonda okurken onu da söyleyin.", "`20251108-0112`."),
            ("verir ve tartımı durdurur; temizlemeden devam etmeyin", "ile uyarır; temizlemeden devam etmeyin"),
        ),
    ),
    Edition("knowledge/tartim-kilavuzu.md", "2026-04-16"),
    Edition(
        "sites/ayvalik/opening.md",
        "2025-09-26",
        reworded=(("(fareler yine sevmiş)", "(fareler sevmiş)"),),
        lines=("Clock battery",),
    ),
    Edition(
        "knowledge/backup-and-restore.md",
        "2025-10-06",
        reworded=(
            ("3. Roll the log forward to the last whole minute.\n4. `delice-hub", "3. `delice-hub"),
            ("5. Start intake", "4. Start intake"),
            ("6. Write down", "5. Write down"),
            (", and the six steps", ", and the five steps"),
            (" Next drill: first week of July 2027, by Ayaka.", ""),
        ),
    ),
    Edition(
        "knowledge/network-map.md",
        "2025-11-03",
        reworded=(
            ("the three machines", "the two machines"),
            ("## The three that matter", "## The two that matter"),
            ("03:15 UTC; last restored for practice in [[restore-drill]].", "03:15 UTC."),
            ("ssh delice@10.42.4.17", "ssh delice@10.42.1.17"),
            ("delice-edge 2.3.1", "delice-edge 1.4.1"),
        ),
        lines=("the time server",),
    ),
    Edition(
        "knowledge/network-map.md",
        "2025-12-01",
        reworded=(
            ("03:15 UTC; last restored for practice in [[restore-drill]].", "03:15 UTC."),
            ("ssh delice@10.42.4.17", "ssh delice@10.42.1.17"),
            ("delice-edge 2.3.1", "delice-edge 1.5.0"),
        ),
    ),
    Edition("knowledge/network-map.md", "2026-09-28"),
    Edition("sites/milas/line-and-power.md", "2025-12-04", sections=("## What we believed, one after the other",)),
    Edition("memory.md", "2025-12-08", sections=("## Known issues", "## Release routine")),
    Edition("memory.md", "2026-04-15", lines=_NOT_IN_SPRING),
    Edition("memory.md", "2026-09-15", lines=("OLV-317",)),
    Edition(
        "features/tare-guard.md",
        "2026-02-10",
        reworded=(("status: shipped", "status: in_progress"),),
        sections=("## Open question",),
    ),
    Edition("tasks/olv-322-kis-bakimi.md", "2026-03-12"),
    Edition(
        "tasks/olv-290-wind-in-edremit.md",
        "2026-05-21",
        reworded=(("up to thirty times on a windy afternoon", "eleven times in one afternoon"),),
        sections=("## Two ways out",),
        lines=("- [x] Wind under", "- [ ] How heavy", "- [ ] Screen built"),
    ),
)


def texts_by_day(sample: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Day by day, what is new in the vault: paths and texts. The last text of every file is that of `sample`."""
    new: dict[str, dict[str, str]] = {}
    for edition in EDITIONS:
        today = (sample / edition.path).read_text(encoding="utf-8")
        new.setdefault(edition.day, {})[edition.path] = edition.text(today)
    for file in sorted(sample.rglob("*.md")):
        path, text = file.relative_to(sample).as_posix(), file.read_text(encoding="utf-8")
        new.setdefault(ARRIVALS.get(path) or _own_day(path, text), {})[path] = text
    changelog = (sample / CHANGELOG).read_text(encoding="utf-8")
    for day in sorted({entry["date"] for entry in json.loads(changelog)}):
        new.setdefault(day, {})[CHANGELOG] = _changelog_until(changelog, day)
    yield from sorted(new.items())


def _own_day(path: str, text: str) -> str:
    """The day a file's text was finished: what it says of itself."""
    front = _FRONT.match(text)
    for key in ("updated", "date", "created", "valid_from"):
        stated = re.search(rf"^{key}: ({_DAY.pattern})", front[1], re.MULTILINE) if front else None
        if stated:
            return stated[1]
    raise ValueError(f"{path} does not say when it was written; name its day in ARRIVALS")


def _changelog_until(changelog: str, day: str) -> str:
    entries = json.loads(changelog)
    if all(entry["date"] <= day for entry in entries):
        return changelog
    return json.dumps([entry for entry in entries if entry["date"] <= day], ensure_ascii=False, indent=2)
