"""The evidence bundle: what goes into one, and one read back, each part when it is asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from ocrprep.bundles.names import safe_name, shown
from ocrprep.bundles.store import PAYLOAD, TAG_MANIFEST
from ocrprep.errors import IntegrityError
from ocrprep.identity import hash_file
from ocrprep.options import ReadingOptions
from ocrprep.pages import Page
from ocrprep.reading import FLOWS, Reading, alternate_path, findings_of_record
from ocrprep.records import (
    ReadingRecord,
    RepresentationHeader,
    SourceFile,
    header_from_json,
    header_to_json,
    page_from_json,
)
from ocrprep.records.reading import Flow
from ocrprep.representation import Representation

if TYPE_CHECKING:
    from collections.abc import Iterator

Retention = Literal["full", "hash_only"]

REPRESENTATION = "representation.jsonl"
SOURCE_TEXT = "source.txt"
REPORT = "review.html"
TEXTS: Mapping[Flow, str] = MappingProxyType({"body": "reading.txt", "notes": "notes.txt"})
RECORDS: Mapping[Flow, str] = MappingProxyType({"body": "reading.json", "notes": "notes.json"})

UNSOUND = (ValueError, LookupError, TypeError, OverflowError)
"""What rebuilding raises from a record that fits its schema and contradicts itself."""

EVIDENCE = ".evidence"

_MARK = re.compile(r"~[0-9a-f]{6}$")
_PICTURE = re.compile(r"0*([1-9][0-9]*)\.jpg")


def bundle_payload(
    representation: Representation,
    readings: Mapping[Flow, Reading],
    *,
    source_paths: Sequence[Path],
    pictures: Mapping[int, bytes],
    report: str,
    retention: Retention,
) -> dict[str, bytes | str | Path]:
    """Return the files of a bundle by their paths below `data/`, for `write_bag`.

    `source_paths` are the representation's source files in their order; `pictures` are JPEG files by 1-based page.
    With `hash_only` neither goes into the bundle. Raises ValueError when paths and source files differ in number or a
    flow is missing.
    """
    payload: dict[str, bytes | str | Path] = {
        REPRESENTATION: representation_text(representation),
        SOURCE_TEXT: representation.text,
        REPORT: report,
    }
    for kind, other in representation.alternates.items():
        payload[alternate_path(kind).removeprefix(f"{PAYLOAD}/")] = representation_text(other)
    for flow in FLOWS:
        if flow not in readings:
            raise ValueError(f"no reading of the flow {flow}")
        payload[TEXTS[flow]] = readings[flow].text
        payload[RECORDS[flow]] = record_text(readings[flow].record)
    if retention == "full":
        payload.update(zip(source_places(representation.source_files), source_paths, strict=True))
        payload.update({f"images/{page:04d}.jpg": picture for page, picture in pictures.items()})
    return payload


def source_hashes(representation: Representation) -> dict[str, str]:
    """Return the ID that each source file must have when it is copied, for `write_bag(expected=…)`."""
    files = representation.source_files
    return dict(zip(source_places(files), (each.hash for each in files), strict=True))


def source_places(files: Sequence[SourceFile]) -> list[str]:
    """Return the path below `data/` of each source file; several are numbered, so that order and names are kept."""
    names = [safe_name(each.name) for each in files]
    if len(names) > 1:
        names = [safe_name(f"{number:04d}-{name}") for number, name in enumerate(names, start=1)]
    return [f"source/{name}" for name in names]


def representation_text(representation: Representation) -> str:
    """Write a representation as JSON lines: its header, then one page a line."""
    header = header_to_json(representation.header)
    return "".join(f"{line}\n" for line in (header, *representation.page_lines))


def record_text(record: ReadingRecord) -> str:
    """Write a reading's record, indented, since people open it too."""
    return record.model_dump_json(by_alias=True, indent=2) + "\n"


def read_representation(
    lines: Iterable[bytes], alternates: Mapping[str, Representation] | None = None
) -> tuple[RepresentationHeader, Representation]:
    """Rebuild a representation from its JSON lines; raises one of `UNSOUND`, naming the line, where it cannot."""
    rows = iter(lines)
    header = header_from_json(next(rows, b""))
    return header, _rebuilt(header, _pages(rows), alternates)


def remade(record: ReadingRecord, representation: Representation) -> Reading:
    """Make a reading again from its record: the same text, IDs and record; raises one of `UNSOUND` where it cannot."""
    return Reading(
        representation,
        record.flow,
        findings_of_record(record, representation),
        ReadingOptions.model_validate_json(json.dumps(record.options)),
        parent_reading_id=record.parent_reading_id,
        decided_at=record.decided_at,
        policy_version=record.policy_version,
        others=record.other_representations,
    )


def fault(error: Exception) -> str:
    """Return in one line what is wrong with a record."""
    if isinstance(error, OSError):
        return shown(error.strerror or error)
    if isinstance(error, LookupError):
        return shown(f"no entry {error}")
    head, _, faults = str(error).partition("\n")
    if not faults:
        return shown(head)
    # pydantic: how many faults, then for each the field and, indented, what is wrong with it
    first = faults.partition(" [type=")[0]
    return shown(": ".join(line.strip() for line in first.splitlines()))


class Bundle:
    """An evidence bundle on disk. Its parts are read when they are asked for, and kept.

    A part that is missing or is not what ocrprep writes raises IntegrityError in one line. Reading a part does not
    verify the bundle: `require_verified` does.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def __repr__(self) -> str:
        return f"Bundle({str(self.path)!r})"

    @property
    def name(self) -> str:
        """The name of the document: the folder's, without its ending and without the mark of a name that was taken."""
        return _MARK.sub("", self.path.name.removesuffix(EVIDENCE))

    @cached_property
    def digest(self) -> str:
        """The ID of `tagmanifest-sha256.txt`, which stands for the whole bag."""
        with self._refusing(TAG_MANIFEST):
            return hash_file(self._inside(TAG_MANIFEST))

    @cached_property
    def header(self) -> RepresentationHeader:
        """The first line of the representation: which source, which options."""
        name = f"{PAYLOAD}/{REPRESENTATION}"
        with self._refusing(name), self._inside(name).open("rb") as stream:
            return header_from_json(stream.readline())

    @cached_property
    def representation(self) -> Representation:
        """What was read, with the other readings of the same pages."""
        others = {
            each.kind: self._representation(alternate_path(each.kind)) for each in self.record.other_representations
        }
        return self._representation(f"{PAYLOAD}/{REPRESENTATION}", others)

    @cached_property
    def readings(self) -> Mapping[Flow, Reading]:
        """The readings of both flows, made again from their records."""
        readings: dict[Flow, Reading] = {}
        for flow in FLOWS:
            record = self._record(flow)
            with self._refusing(f"{PAYLOAD}/{RECORDS[flow]}"):
                readings[flow] = remade(record, self.representation)
        return MappingProxyType(readings)

    @property
    def reading(self) -> Reading:
        """The body."""
        return self.readings["body"]

    @property
    def notes(self) -> Reading:
        """The notes."""
        return self.readings["notes"]

    @cached_property
    def record(self) -> ReadingRecord:
        """The body's record, as written."""
        return self._record("body")

    @property
    def source_paths(self) -> tuple[Path, ...]:
        """The source files as received, in their order; none with the retention `hash_only`."""
        places = (self.path / PAYLOAD / place for place in source_places(self.header.source_files))
        return tuple(place for place in places if place.is_file())

    @property
    def pictures(self) -> Mapping[int, Path]:
        """The page pictures by 1-based page."""
        found = {_PICTURE.fullmatch(place.name): place for place in (self.path / PAYLOAD / "images").glob("*.jpg")}
        return dict(sorted((int(match[1]), place) for match, place in found.items() if match))

    def _representation(self, name: str, others: Mapping[str, Representation] | None = None) -> Representation:
        with self._refusing(name), self._inside(name).open("rb") as stream:
            return read_representation(stream, others)[1]

    def _record(self, flow: Flow) -> ReadingRecord:
        name = f"{PAYLOAD}/{RECORDS[flow]}"
        with self._refusing(name):
            record = ReadingRecord.model_validate_json(self._inside(name).read_bytes())
            if record.flow != flow:
                raise ValueError(f"its flow is {record.flow}")
            return record

    def _inside(self, name: str) -> Path:
        """Return the place of a file, refusing one that a link leads out of the bundle to."""
        place = self.path / name
        if not place.resolve().is_relative_to(self.path.resolve()):
            raise ValueError("a link leads out of the bundle")
        if place.exists() and not place.is_file():
            raise ValueError("not a regular file")
        return place

    @contextmanager
    def _refusing(self, name: str) -> Iterator[None]:
        try:
            yield
        except (OSError, *UNSOUND) as error:
            raise IntegrityError(f"{shown(self.path)}: {name} cannot be used: {fault(error)}") from error


def open_bundle(path: Path | str) -> Bundle:
    """Open a bundle for reading; raises IntegrityError when there is none at the path."""
    path = Path(path)
    for name in ("bagit.txt", f"{PAYLOAD}/{REPRESENTATION}"):
        if not (path / name).is_file():
            raise IntegrityError(f"{shown(path)} is no evidence bundle: {name} is missing")
    return Bundle(path)


def _rebuilt(
    header: RepresentationHeader, pages: Iterable[Page], alternates: Mapping[str, Representation] | None
) -> Representation:
    return Representation(
        header.source_id,
        header.source_files,
        pages,
        engine=header.engine,
        options=header.options,
        selected_pages=header.pages,
        alternates=alternates,
        schema_version=header.schema_version,
    )


def _pages(lines: Iterable[bytes]) -> Iterator[Page]:
    for number, line in enumerate(lines, start=2):
        try:
            yield page_from_json(line)
        except UNSOUND as error:
            raise ValueError(f"line {number}: {fault(error)}") from error
