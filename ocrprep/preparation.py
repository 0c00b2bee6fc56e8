"""A preparation: what was read from a document and what was derived, in memory, ready to be saved as a bundle."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ocrprep import preparing
from ocrprep.bundles import Bundle, Place, bundle_payload, find_place, move_aside, open_bundle, source_hashes, write_bag
from ocrprep.errors import OutputError
from ocrprep.identity import canonical_json
from ocrprep.options import Options
from ocrprep.reading import Reading
from ocrprep.records import SCHEMA_VERSION, EngineFingerprint, Flow, ReadingRecord
from ocrprep.representation import LAYOUT, Representation
from ocrprep.reviewing.report import render_report


@dataclass(frozen=True)
class Preparation:
    """A document as it was read, its two readings, and the pictures of its pages by number."""

    source_paths: tuple[Path, ...]
    name: str
    representation: Representation
    readings: Mapping[Flow, Reading]
    pictures: Mapping[int, bytes]
    options: Options

    @property
    def reading(self) -> Reading:
        """The body's reading."""
        return self.readings["body"]

    @property
    def notes(self) -> Reading:
        """The notes' reading."""
        return self.readings["notes"]

    @property
    def record(self) -> ReadingRecord:
        """The body's record: every difference between what was read and the reading."""
        return self.reading.record

    def save(self, folder: Path | str, *, force: bool = False) -> Bundle:
        """Write the evidence bundle `<name>.evidence` into a folder, whole or not at all.

        A bundle of the same document and options that verifies is left as it is and returned; with `force` it is moved
        aside and written anew. Raises OutputError when it cannot be written or something else is in the way, and
        SourceError when the source has changed since it was read.
        """
        return self.saved(folder, force=force).bundle

    def saved(self, folder: Path | str, *, force: bool = False) -> Outcome:
        """Do as `save` does, and say whether the bundle was made now."""
        place = self._place(folder, force)
        if place.existing and not force:
            return Outcome(open_bundle(place.path), made=False)
        payload = bundle_payload(
            self.representation,
            self.readings,
            source_paths=self.source_paths,
            pictures=self.pictures,
            report=render_report(self.representation, self.readings, self.pictures, title=self.name),
            retention=self.options.retention,
        )
        expected = source_hashes(self.representation) if self.options.retention == "full" else {}
        aside = move_aside(place.path) if place.existing else None
        try:
            write_bag(place.path, payload, self.options.bag_info, expected=expected)
        except OutputError:
            if aside is None and os.path.lexists(place.path):  # another run was faster: look again what it made
                second = self._place(folder, force)
                if second.existing:
                    return Outcome(open_bundle(second.path), made=False)
            raise
        finally:
            if aside is not None and not os.path.lexists(place.path):
                aside.rename(place.path)
        return Outcome(open_bundle(place.path), made=True)

    def _place(self, folder: Path | str, force: bool) -> Place:
        engine = self.representation.engine
        return find_place(
            Path(folder),
            self.name,
            source_id=self.representation.source_id,
            key=key_of(self.options, engine),
            fits=lambda bundle: fits(bundle, self.options, engine),
            force=force,
        )


@dataclass(frozen=True)
class Outcome:
    """A bundle, and whether it was made now or stood there already."""

    bundle: Bundle
    made: bool


def fits(bundle: Bundle, options: Options, engine: EngineFingerprint | None) -> bool:
    """Say whether a bundle was made with these options, this engine and these rules.

    A document without pixels, such as existing OCR alone, has no pictures, whatever the options ask for.
    """
    if all(page.raster_hash is None for page in bundle.representation.pages):
        options = options.model_copy(update={"images": "none"})
    return key_of_bundle(bundle) == key_of(options, engine)


def key_of(options: Options, engine: EngineFingerprint | None) -> str:
    """Return all that decides a bundle's content beside its source, as canonical JSON."""
    keeps_pictures = options.images == "review" and options.retention == "full"
    return _key(
        version=SCHEMA_VERSION,
        layout=LAYOUT,
        engine=engine,
        recognition=options.recognition.model_dump(mode="json"),
        pages=options.pages,
        reading=options.reading.model_dump(mode="json", by_alias=True),
        rules=preparing.versions(),
        retention=options.retention,
        pictures=keeps_pictures,
    )


def key_of_bundle(bundle: Bundle) -> str:
    """Return the key of the options with which a bundle was made."""
    representation, record = bundle.representation, bundle.record
    sections = {name: part for name, part in record.calibration_key.items() if name != "recognition"}
    return _key(
        version=bundle.header.schema_version,
        layout=bundle.header.layout,
        engine=representation.engine,
        recognition=representation.options.model_dump(mode="json"),
        pages=representation.selected_pages,
        reading=record.options,
        rules=sections,
        retention="full" if bundle.source_paths else "hash_only",
        pictures=bool(bundle.pictures),
    )


def _key(*, engine: EngineFingerprint | None, **parts: Any) -> str:
    return canonical_json({"engine": None if engine is None else engine.model_dump(mode="json"), **parts})
