"""Verification: is a bundle still what was written, and does its record replay?

1. The files against the manifests, one by one (`fixity`), and the bag's digest against the expected one.
2. The representation: its schema, its own lines, its ID, its source files.
3. The texts: `source.txt` is the representation's text; the edits of each record make `reading.txt` and `notes.txt`
   from it; every field of a record is the one that follows from the replay.
4. The promise: every character of the source is kept, or told of in a record.

The content is checked even where the manifests fit, since whoever falsifies a text can correct a manifest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ocrprep.bundles.bundle import (
    RECORDS,
    REPORT,
    REPRESENTATION,
    SOURCE_TEXT,
    TEXTS,
    UNSOUND,
    fault,
    read_representation,
    remade,
    source_places,
)
from ocrprep.bundles.fixity import Fixity, check_fixity
from ocrprep.bundles.names import shown
from ocrprep.bundles.store import PAYLOAD, TAG_MANIFEST
from ocrprep.errors import IntegrityError
from ocrprep.identity import hash_file, source_id
from ocrprep.reading import FLOWS, Reading, unrecorded
from ocrprep.records import DroppedLine, ReadingRecord, RepresentationHeader, SetAsideRecord, Transformation
from ocrprep.records.reading import Flow
from ocrprep.representation import LAYOUT, Representation

_DIGEST = re.compile(r"(?:sha256:)?([0-9a-f]{64})")
_ALTERNATES = f"{PAYLOAD}/alternates/"
_SOURCES = f"{PAYLOAD}/source/"


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome: `problems` has one line for each file or record that is not as it was written.

    `digest` is the ID of the tag manifest, None where there is none to read; `checked` counts the files, pages and
    edits that were compared.
    """

    ok: bool
    digest: str | None
    problems: tuple[str, ...]
    checked: Mapping[str, int]


@dataclass
class _Content:
    """The payload's files by their names below `data/`, and what was found in them."""

    files: Mapping[str, Path]
    problems: list[str] = field(default_factory=list)
    pages: int = 0
    edits: int = 0

    def report(self, name: str, fact: str) -> None:
        self.problems.append(f"{PAYLOAD}/{shown(name)}: {fact}")

    def read(self, name: str) -> bytes | None:
        """Return a file's bytes, or None with a problem; what fixity did not find is never opened."""
        if name not in self.files:
            self.report(name, "not there, and no bundle is without it")
            return None
        try:
            return self.files[name].read_bytes()
        except OSError as error:
            self.report(name, f"cannot be read ({fault(error)})")
            return None


def verify(path: Path | str, *, expect: str | None = None) -> Verification:
    """Check a bundle against its manifests, its own records and, where given, the digest that `prepare` printed.

    Never raises for a bad bundle: every problem is one line naming the file and the fact.
    """
    path = Path(path)
    if not path.is_dir():
        return Verification(False, None, (f"{shown(path)}: no folder, so no bundle",), {})
    fixity = check_fixity(path)
    content = _check_content(fixity)
    problems = (*fixity.problems, *_check_digest(fixity.digest, expect), *content.problems)
    checked = {"files": len(fixity.files), "pages": content.pages, "edits": content.edits}
    return Verification(not problems, fixity.digest, problems, checked)


def require_verified(path: Path, expect: str | None = None) -> Verification:
    """Verify a bundle; raises IntegrityError, with the problems as `details`, when there are any."""
    found = verify(path, expect=expect)
    if not found.ok:
        more = f" (and {len(found.problems) - 1} more)" if len(found.problems) > 1 else ""
        raise IntegrityError(f"{shown(path)} does not verify: {found.problems[0]}{more}", found.problems)
    return found


def _check_digest(digest: str | None, expect: str | None) -> Iterator[str]:
    if expect is None:
        return
    wanted = _DIGEST.fullmatch(expect.strip().lower())
    if wanted is None:
        yield f"{TAG_MANIFEST}: {shown(repr(expect))}, which was expected, is no SHA-256 digest"
    elif digest != f"sha256:{wanted[1]}":
        yield f"{TAG_MANIFEST}: its digest is {digest or 'not to be had'}, expected sha256:{wanted[1]}"


def _check_content(fixity: Fixity) -> _Content:
    prefix = f"{PAYLOAD}/"
    content = _Content({p.removeprefix(prefix): place for p, place in fixity.files.items() if p.startswith(prefix)})
    content.read(REPORT)
    representation = _check_representation(content, REPRESENTATION)
    if representation is None:
        return content
    content.pages = len(representation.pages)
    _check_sources(content, representation)
    _check_text(content, SOURCE_TEXT, representation.text, f"the text of {REPRESENTATION}")
    readings = [reading for flow in FLOWS if (reading := _check_reading(content, representation, flow)) is not None]
    content.edits = sum(len(reading.edits) for reading in readings)
    if len(readings) == len(FLOWS):
        for span in unrecorded(representation, readings):
            text = shown(repr(span.of(representation.text)))
            content.report(SOURCE_TEXT, f"characters {span.start} to {span.end}, {text}, are in no record")
    return content


def _check_representation(content: _Content, name: str) -> Representation | None:
    """Rebuild a representation and compare each of its lines and IDs with what follows from its words."""
    stored = content.read(name)
    if stored is None:
        return None
    lines = stored.removesuffix(b"\n").split(b"\n")
    try:
        header, representation = read_representation(lines)
        written = [line.encode("utf-8") for line in representation.page_lines]
        facts = list(_header_facts(header, representation))
    except UNSOUND as error:
        content.report(name, f"no representation: {fault(error)}")
        return None
    for page, (line, again) in enumerate(zip(lines[1:], written, strict=True), start=1):
        if line != again:
            content.report(name, f"page {page} is not in the form that ocrprep writes for its words")
    for fact in facts:
        content.report(name, fact)
    return representation


def _header_facts(header: RepresentationHeader, representation: Representation) -> Iterator[str]:
    if header.layout != LAYOUT:
        yield f"its layout is {shown(header.layout)}, this version knows {LAYOUT}"
    if header.page_count != len(representation.pages):
        yield f"has {len(representation.pages)} pages, its header says {header.page_count}"
    if header.source_id != source_id(each.hash for each in header.source_files):
        yield "sourceId is not the ID of its source files' hashes"
    if header.representation_id != representation.representation_id:
        yield f"representationId is {header.representation_id}, its pages give {representation.representation_id}"
    for page in representation.pages:
        if any(word.split() != [word] for word in page.words.texts):
            yield f"page {page.number} has a word that is empty or contains white space"


def _check_sources(content: _Content, representation: Representation) -> None:
    """Compare the source files with the hashes in the representation; with `hash_only` there are none."""
    files = representation.source_files
    present = {name for name in content.files if f"{PAYLOAD}/{name}".startswith(_SOURCES)}
    for place, each in zip(source_places(files), files, strict=True):
        if place not in present:
            if present:
                content.report(place, "missing, though other source files are there")
            continue
        present.discard(place)
        try:
            digest, size = hash_file(content.files[place]), content.files[place].stat().st_size
        except OSError as error:
            content.report(place, f"cannot be read ({fault(error)})")
            continue
        if digest != each.hash:
            content.report(place, f"its hash is not the one in {REPRESENTATION}")
        if size != each.size:
            content.report(place, f"has {size} bytes, {REPRESENTATION} says {each.size}")
    for name in sorted(present):
        content.report(name, f"no source file of {REPRESENTATION}")


def _check_text(content: _Content, name: str, text: str, origin: str) -> None:
    """Compare a text file with the text that it must be."""
    stored = content.read(name)
    if stored is None or stored == text.encode("utf-8"):
        return
    try:
        found = stored.decode("utf-8")
    except UnicodeDecodeError as error:
        content.report(name, f"not UTF-8 at byte {error.start}")
        return
    pairs = zip(found, text, strict=False)
    at = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(found), len(text)))
    content.report(name, f"is not {origin}: they differ from character {at} on")


def _check_reading(content: _Content, representation: Representation, flow: Flow) -> Reading | None:
    """Replay the edits of a record and compare the text and every field of the record with the outcome."""
    name = RECORDS[flow]
    stored = content.read(name)
    if stored is None:
        return None
    try:
        record = ReadingRecord.model_validate_json(stored)
        if record.flow != flow:
            raise ValueError(f"its flow is {record.flow}, not {flow}")
        reading = remade(record, representation)
        again = reading.record
        facts = [*_differences(record, again), *_misplaced(record, representation)]
    except UNSOUND as error:
        content.report(name, f"does not replay: {fault(error)}")
        return None
    for fact in facts:
        content.report(name, fact)
    _check_text(content, TEXTS[flow], reading.text, f"what the edits of {name} make of {SOURCE_TEXT}")
    _check_alternates(content, record, name)
    return reading


def _differences(record: ReadingRecord, again: ReadingRecord) -> Iterator[str]:
    """Name each field, and in lists each row, that is not what the replay gives."""
    stated, replayed = (each.model_dump(mode="json", by_alias=True) for each in (record, again))
    for name, value in stated.items():
        other = replayed[name]
        if value == other or name == "otherRepresentations":
            continue
        if not isinstance(value, list):
            yield f"{name} is not what follows from the edits"
        elif len(value) != len(other):
            yield f"{name} has {len(value)} rows, the edits give {len(other)}"
        else:
            yield from (f"{name}, {fact}" for fact in _row_differences(value, other))


def _row_differences(rows: list[Any], replayed: list[Any]) -> Iterator[str]:
    for number, (row, other) in enumerate(zip(rows, replayed, strict=True), start=1):
        names = [name for name in row if row[name] != other[name]]
        if names:
            yield f"row {number}: not what follows from the edits: {', '.join(names)}"


def _misplaced(record: ReadingRecord, representation: Representation) -> Iterator[str]:
    """Name the rows that stand on another page or line than they say. A group's rows may all name its first page."""
    rows: list[Transformation | DroppedLine | SetAsideRecord] = []
    rows += (*record.transformations, *record.dropped_lines, *record.set_aside)
    for row in rows:
        if isinstance(row, Transformation) and row.group_id is not None:
            continue
        if not _is_in_place(row, representation):
            yield f"{row.id}: its characters {list(row.source_span)} are not on its page {row.page}, or not on its line"


def _is_in_place(row: Transformation | DroppedLine | SetAsideRecord, representation: Representation) -> bool:
    """Say whether a row's page, and a dropped line's number, are those of its characters."""
    if not 1 <= row.page <= len(representation.pages):
        return False
    start, page = row.source_span[0], representation.page_span(row.page)
    if not page.start <= start <= page.end:
        return False
    if not isinstance(row, DroppedLine):
        return True
    if not 1 <= row.line <= representation.pages[row.page - 1].line_count:
        return False
    line = representation.line(row.page, row.line).span
    return line.start <= start <= line.end


def _check_alternates(content: _Content, record: ReadingRecord, name: str) -> None:
    """Check the other representations that a record lists, and that no file among them is unlisted."""
    listed = {each.path.removeprefix(f"{PAYLOAD}/"): each.representation_id for each in record.other_representations}
    for path, identifier in listed.items():
        other = _check_representation(content, path)
        if other is not None and other.representation_id != identifier:
            content.report(path, f"its representationId is not the one in {name}")
    for path in content.files:
        if f"{PAYLOAD}/{path}".startswith(_ALTERNATES) and path not in listed:
            content.report(path, f"another representation that {name} does not list")
