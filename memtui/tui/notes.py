"""Sentences the search screen says: headings, counts, notices and summaries."""

from __future__ import annotations

from memtui.errors import MemtuiError
from memtui.model.outcomes import SyncReport
from memtui.model.results import Order
from memtui.tui.display import several
from memtui.tui.messages import MemoryWritten
from memtui.tui.rows import RECORDED, Answer


def heading(answer: Answer, order: Order, first: int = 0) -> str:
    """What the list shows, from its first row in view on."""
    if answer.suggested and answer.rows:
        return "Closest names"
    if answer.query.strip():
        return "Results"
    return answer.heading_at(first) or (RECORDED if order in ("relevance", "recorded") else "All records")


def order(answer: Answer, order: Order) -> str:
    """How the rows are sorted; nothing where there are none to sort."""
    if answer.trouble or answer.suggested or not answer.rows:
        return ""
    if order == "relevance" and not answer.understood.words:
        return "newest first"  # nothing ranks them
    return f"by {order.replace('-', ' ')}"


def count(answer: Answer, order: Order, *, with_forgotten: bool) -> str:
    """How many rows, and what is hidden or shown beside the usual."""
    if answer.trouble:
        return ""
    if not answer.query.strip():
        shown = f"{len(answer.rows):,} of {answer.total:,}" if answer.total > len(answer.rows) else ""
        return " · ".join(part for part in (shown, "with forgotten" if with_forgotten else "") if part)
    cut = f"{'best' if order == 'relevance' else 'first'} {answer.total:,}"
    parts = [] if answer.suggested else [cut if answer.is_cut else several(answer.total, "hit")]
    if answer.hidden and not with_forgotten:
        parts.append(f"{answer.hidden:,} hidden")
    if with_forgotten:
        parts.append("with forgotten")
    return " · ".join(parts)


def above_rows(answer: Answer, records: int | None, *, busy: bool, all_shown: bool) -> list[str]:
    """What must be said above the rows; nothing in the usual case.

    `busy` says that files are still being read, `all_shown` that forgotten ones are among the rows.
    """
    if answer.trouble:
        return ["", answer.trouble]
    lines = [f"{sentence}." for sentence in answer.understood.reservations]
    if answer.blind_spots:
        lines.append(f"Unseen: {several(answer.blind_spots, 'record')} first read later, perhaps there already.")
    if answer.query.strip() and answer.suggested:
        fewer = " Try fewer words, or the beginning of one." if answer.understood.words and not answer.rows else ""
        lines += ["", f"Nothing matches.{fewer}"]
        if answer.hidden and not all_shown:
            lines.append(f"{several(answer.hidden, 'forgotten one')} would; x in the list shows them.")
        if answer.understood.filters:
            if answer.filtered_out:
                lines.append(f"{several(answer.filtered_out, 'record')} would match without the filters.")
            lines.append("Escape in the search box takes the filters out.")
        if answer.rows:
            lines += ["Did you mean one of these?", ""]
    elif answer.by_meaning_alone:
        lines.append("No word was found: these are only near in meaning.")
    elif not answer.rows:
        lines += ["", _nothing_yet(records, busy=busy)]
    return lines


def _nothing_yet(records: int | None, *, busy: bool) -> str:
    if busy:
        return "Reading the vault's files…"
    return "Nothing to show." if records else "No memories yet. `memtui remember` writes one."


def change(before: int | None, now: int) -> str:
    """A quiet notice that another process wrote."""
    more = now - (before or 0)
    if more == 1:
        return "1 new memory"
    return f"{more:,} new memories" if more > 1 else "memories changed"


def sync_summary(report: SyncReport) -> str:
    """What a sync did, or nothing where nothing happened."""
    parts = [
        f"{number:,} {word}"
        for number, word in ((report.added, "added"), (report.changed, "changed"), (report.vanished, "vanished"))
        if number
    ]
    sentences = [f"Files read: {', '.join(parts)}."] if parts else []
    if report.finished:
        (path, _), *others = report.finished
        more = f" and {len(others)} more" if others else ""
        sentences.append(f"A change that had been cut short was finished in {path}{more}.")
    if report.problems:
        first = report.problems[0]
        more = f" and {len(report.problems) - 1} more" if len(report.problems) > 1 else ""
        sentences.append(f"{several(len(report.problems), 'problem')}: {first}{more}. F5 lists them.")
    return " ".join(sentences)


def written(event: MemoryWritten) -> str:
    """What a verb did, with the way back where there is one."""
    name = event.written.key.name
    match event.written.outcome:
        case "forgotten":
            said = f"Forgot {name}."
        case "revived":
            said = f"Revived {name}."
        case "already_forgotten":
            note = f" ({event.written.note})" if event.written.note else ""
            said = f"{name} is forgotten already{note}."
        case "already_in_force":
            said = f"{name} is in force already."
        case other:
            said = f"{name}: {other.replace('_', ' ')}."
    undo = ""
    if event.undoes is None and event.written.outcome in ("forgotten", "revived"):
        undo = " u undoes it."
    return f"{said}{undo}"


def trouble(error: MemtuiError) -> str:
    """What went wrong, what to do about it and what there is to choose from, in one run of text."""
    said = error.message
    if error.hint:
        whole = said.endswith(("!", "?")) or (said.endswith(".") and not error.hint[0].islower())
        said = f"{said} {error.hint}" if whole else f"{said.removesuffix('.')}; {error.hint}"
    if error.choices and (error.hint is None or not any(choice in error.hint for choice in error.choices)):
        said = f"{said.removesuffix('.')} ({', '.join(error.choices)})"
    return said


MADE_ANEW = "A new store was made from the files. What only the old one held is not in it."


def store_gone(file: str, *, read_only: bool) -> str:
    """That the store has gone under an open screen, and what can be done."""
    way_out = "Put it back." if read_only else "Put it back; or, if it is lost, ctrl+r makes a new one from the files."
    return (
        f"The store is gone: {file} is not there any more. You still see what was read of it, and nothing is "
        f"recorded. {way_out}"
    )
