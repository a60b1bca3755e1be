"""Reading a file of the vault: its bytes, by its kind, as records."""

from __future__ import annotations

import posixpath
from datetime import tzinfo

from memtui.model.normal_forms import nfc
from memtui.model.problems import Problem
from memtui.model.records import DRAWING_FILE, Content
from memtui.regular_files import read_regular
from memtui.text.fields import FieldReader
from memtui.text.frontmatter import FrontMatter, split_front_matter
from memtui.text.markdown import drawn_text_span, first_heading, link_targets, strip_excalidraw
from memtui.text.memory_fields import read_tags
from memtui.text.naming import is_blank
from memtui.vault.changelog import read_changelog
from memtui.vault.decoding import decode
from memtui.vault.engram_files import read_engram_file
from memtui.vault.memory_file import read_memory_file
from memtui.vault.records import ReadFile, ReadRecord
from memtui.vault.scanning import LARGEST, FoundFile

__all__ = ["ReadFile", "ReadRecord", "load", "read_file"]

MOST_PROBLEMS = 100
"""Problems told of one file, besides the one that counts the rest."""


def load(found: FoundFile) -> bytes | Problem:
    """The bytes of a file, or why they cannot be had. Never raises for what a file system can do."""
    try:
        data = read_regular(found.absolute, LARGEST)  # it may have grown since the walk, or become a pipe
    except OSError as error:
        return Problem(found.path, f"the file cannot be read ({error.strerror})")
    if len(data) > LARGEST:
        return Problem(found.path, f"too large: over {LARGEST // 1024 // 1024} MiB by now")
    return data


def read_file(found: FoundFile, data: bytes, zone: tzinfo) -> ReadFile:
    """The records of a file. Never raises: whatever is odd becomes a problem that names its place.

    Dates without a zone are taken in `zone`. A document is read whatever is wrong with its text; a
    memory or a change log that cannot be read as it should is `refused` as a whole, and so is any
    file that holds no text at all.
    """
    decoded = decode(data)
    odd = tuple(Problem(found.path, oddity.reason, oddity.line, value=oddity.value) for oddity in decoded.problems)
    if decoded.encoding == "binary":
        # Read as an empty text it would be a record that says nothing, in place of what was known.
        return ReadFile(problems=odd, refused=True)
    if found.kind == "changelog":
        read = read_changelog(found.path, decoded.text, zone)
    elif found.kind == "memory":
        read = read_memory_file(found.path, decoded.text)
    elif found.kind == "engram":
        read = read_engram_file(found.path, found.name, decoded.text, zone)
    else:
        read = _read_document(found, decoded.text, zone)
    return ReadFile(read.records, _bounded(found.path, odd + read.problems, read.refused), read.refused)


def _bounded(path: str, problems: tuple[Problem, ...], refused: bool) -> tuple[Problem, ...]:
    """At most `MOST_PROBLEMS`, then one that counts the rest: a broken export must not bury other files.

    The last problem of a refused file says what became of it; it stays.
    """
    told, last = problems[:MOST_PROBLEMS], problems[MOST_PROBLEMS:][-1:] if refused else ()
    rest = len(problems) - len(told) - len(last)
    return (*told, Problem(path, f"and {rest} more problems"), *last) if rest else problems


def _read_document(found: FoundFile, text: str, zone: tzinfo) -> ReadFile:
    front = split_front_matter(text)
    body, line = _words(found.path, front)
    fields = FieldReader(front.fields, path=found.path, zone=zone, lines=front.lines)
    dates = {key: fields.instant(key) for key in ("updated", "date", "created")}
    begun = [dates[key] for key in ("created", "date") if dates[key] is not None]
    stated = [moment for moment in dates.values() if moment is not None]
    content = Content(
        summary=fields.text("description"),
        title=fields.line_of_text("title") or first_heading(body) or found.name,
        body=None if is_blank(body) else body,
        tags=read_tags(fields),
        aliases=_aliases(found, fields),
        pinned=fields.flag("pinned"),
        path=found.path,
        line=line,
        status=fields.line_of_text("status"),
        priority=fields.line_of_text("priority"),
        doc_type=fields.line_of_text("type"),
        dated=max(stated, default=None),
        links=link_targets(body),
        extra=fields.extra(),
    )
    problems = [Problem(found.path, oddity.reason, oddity.line, value=oddity.value) for oddity in front.problems]
    reference = min((moment for moment in begun if moment is not None), default=None)
    record = ReadRecord(found.kind, found.name, content, reference)
    return ReadFile((record,), tuple(problems + fields.problems))


def _words(path: str, front: FrontMatter) -> tuple[str, int]:
    """The text that is searched, and the line of the file it begins on."""
    if not path.lower().endswith(DRAWING_FILE):
        return front.body, front.body_line
    start, _ = drawn_text_span(front.body)
    return strip_excalidraw(front.body), front.body_line + front.body.count("\n", 0, start)


def _aliases(found: FoundFile, fields: FieldReader) -> tuple[str, ...]:
    """Other names: what the front matter calls it, and the bare file name."""
    names = [fields.line_of_text(key) for key in ("name", "slug", "id")]
    names += fields.texts("aliases", commas=True)
    names.append(posixpath.basename(found.name))
    known = (nfc(name) for name in names if name)
    return tuple(name for name in dict.fromkeys(known) if name != found.name)
