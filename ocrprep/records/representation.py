"""The representation as written: a header line, then one page a line (`representation.jsonl`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import Field

from ocrprep.options import RecognitionOptions
from ocrprep.pages import (
    Affine,
    Aside,
    Box,
    ImageTransformation,
    Line,
    Page,
    PageState,
    PageWarning,
    TextBasis,
    TextEvidence,
    Unit,
    Word,
    around,
)
from ocrprep.records.base import (
    PROVENANCE,
    SCHEMA_VERSION,
    BoxRow,
    Confidence,
    Identifier,
    ProvenanceRecord,
    SchemaVersion,
)


class SourceFile(ProvenanceRecord):
    """One file of the source: its name as received, its hash, its size in bytes and its pages or frames."""

    name: str
    hash: Identifier
    size: int = Field(ge=0)
    pages: int = Field(ge=0)


class EngineFingerprint(ProvenanceRecord):
    """What recognised the text: IDs are promised to be the same for the same fingerprint."""

    engine: str
    version: str
    leptonica: str | None = None
    languages: tuple[str, ...]
    models: dict[str, Identifier]
    page_segmentation: int


class RepresentationHeader(ProvenanceRecord):
    """The first line of `representation.jsonl`."""

    schema_version: SchemaVersion = SCHEMA_VERSION
    source_id: Identifier
    representation_id: Identifier
    source_files: tuple[SourceFile, ...]
    engine: EngineFingerprint | None
    options: RecognitionOptions
    pages: str | None
    layout: str
    page_count: int = Field(ge=0)


@dataclass(frozen=True, slots=True)
class WordRecord:
    """One word as it was read."""

    __pydantic_config__ = PROVENANCE

    text: str
    box: BoxRow
    baseline_angle: float
    confidence: Confidence | None
    text_basis: TextBasis
    font_size: float | None


@dataclass(frozen=True, slots=True)
class LineRecord:
    """One printed line: its block (1-based) and its words in reading order."""

    __pydantic_config__ = PROVENANCE

    block: int
    words: tuple[WordRecord, ...]


@dataclass(frozen=True, slots=True)
class BlockRecord:
    """One block of lines: its number and the box around its words."""

    __pydantic_config__ = PROVENANCE

    block: int
    box: BoxRow


class TransformationRecord(ProvenanceRecord):
    """One change of the page's raster."""

    name: str
    parameters: dict[str, Any]


class AsideRecord(ProvenanceRecord):
    """Text that is on the page but not among its visible words."""

    kind: str
    text: str
    box: BoxRow


class WarningRecord(ProvenanceRecord):
    """A fact about a page that a careful reader should know."""

    code: str
    message: str
    line: int | None = None


class TextEvidenceRecord(ProvenanceRecord):
    """What decided where a page's words come from."""

    reason: str
    image_coverage: Confidence | None = None
    text_coverage: Confidence | None = None
    uncovered_ink: Confidence | None = None
    sanity: Confidence | None = None
    agreement: Confidence | None = None
    reader: str | None = None


class PageRecord(ProvenanceRecord):
    """One page of the representation: a line of `representation.jsonl`."""

    page: int = Field(ge=1)
    page_label: str | None
    frame: tuple[int, int]
    size: tuple[float, float]
    unit: Unit
    state: PageState
    reason: str | None
    raster_hash: Identifier | None
    image_transformations: tuple[TransformationRecord, ...]
    affine: tuple[float, float, float, float, float, float] | None
    text_basis: TextBasis | None
    text_evidence: TextEvidenceRecord | None = None
    blocks: tuple[BlockRecord, ...]
    lines: tuple[LineRecord, ...]
    asides: tuple[AsideRecord, ...]
    warnings: tuple[WarningRecord, ...]


_PAGE_SINCE_2 = {"text_evidence"}
_OPTIONS_SINCE_2 = {"recipe", "text_cover"}


def header_to_json(header: RepresentationHeader) -> str:
    """Write a header as one line of JSON, as its version of the schema has it."""
    return header.model_dump_json(
        by_alias=True, exclude={"options": _OPTIONS_SINCE_2} if header.schema_version < 2 else None
    )


def header_from_json(text: str | bytes) -> RepresentationHeader:
    """Read back a header of any version; raises pydantic's ValidationError naming the field.

    Version 1 had no recipes: nothing was done to the pixels.
    """
    header = RepresentationHeader.model_validate_json(text)
    if header.schema_version >= 2:
        return header
    return header.model_copy(update={"options": header.options.model_copy(update={"recipe": ()})})


def options_written(options: RecognitionOptions, schema_version: SchemaVersion) -> dict[str, Any]:
    """Return options as the header writes them, for IDs."""
    return options.model_dump(mode="json", by_alias=True, exclude=_OPTIONS_SINCE_2 if schema_version < 2 else None)


def page_to_json(page: Page, schema_version: SchemaVersion = SCHEMA_VERSION) -> str:
    """Write a page as one line of JSON, as this version of the schema has it."""
    lines = page.lines
    record = PageRecord(
        page=page.number,
        page_label=page.label,
        frame=page.frame,
        size=page.size,
        unit=page.unit,
        state=page.state,
        reason=page.reason,
        raster_hash=page.raster_hash,
        image_transformations=tuple(
            TransformationRecord(name=each.name, parameters=dict(each.parameters))
            for each in page.image_transformations
        ),
        affine=page.affine,
        text_basis=page.text_basis,
        text_evidence=None
        if page.text_evidence is None
        else TextEvidenceRecord.model_validate(asdict(page.text_evidence)),
        blocks=tuple(_blocks(lines)),
        lines=tuple(LineRecord(line.block, tuple(map(_word_record, line.words))) for line in lines),
        asides=tuple(AsideRecord(kind=each.kind, text=each.text, box=each.box) for each in page.asides),
        warnings=tuple(WarningRecord(code=w.code, message=w.message, line=w.line) for w in page.warnings),
    )
    return record.model_dump_json(by_alias=True, exclude=_PAGE_SINCE_2 if schema_version < 2 else None)


def page_from_json(text: str | bytes) -> Page:
    """Read back a page that `page_to_json` wrote; raises pydantic's ValidationError naming the field."""
    record = PageRecord.model_validate_json(text)
    return Page(
        record.page,
        record.size,
        record.unit,
        (Line(tuple(map(_word, line.words)), line.block) for line in record.lines),
        state=record.state,
        reason=record.reason,
        label=record.page_label,
        frame=record.frame,
        raster_hash=record.raster_hash,
        image_transformations=(ImageTransformation(t.name, t.parameters) for t in record.image_transformations),
        affine=None if record.affine is None else Affine(*record.affine),
        text_basis=record.text_basis,
        text_evidence=None if record.text_evidence is None else TextEvidence(**record.text_evidence.model_dump()),
        asides=(Aside(each.kind, each.text, Box(*each.box)) for each in record.asides),
        warnings=(PageWarning(w.code, w.message, w.line) for w in record.warnings),
    )


def _word_record(word: Word) -> WordRecord:
    return WordRecord(word.text, word.box, word.baseline_angle, word.confidence, word.text_basis, word.font_size)


def _word(record: WordRecord) -> Word:
    return Word(
        record.text,
        Box(*record.box),
        record.confidence,
        record.baseline_angle,
        record.text_basis,
        record.font_size,
    )


def _blocks(lines: list[Line]) -> Iterator[BlockRecord]:
    boxes: dict[int, list[Box]] = {}
    for line in lines:
        boxes.setdefault(line.block, []).append(line.box)
    return (BlockRecord(block, around(inside)) for block, inside in sorted(boxes.items()))
