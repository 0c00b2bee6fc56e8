"""The reading's record as written (`reading.json` for the body, `notes.json` for the notes)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field

from ocrprep.pages import FurnitureKind, PageState, TextBasis, Unit
from ocrprep.records.base import (
    PROVENANCE,
    SCHEMA_VERSION,
    BoxRow,
    Confidence,
    Identifier,
    Offsets,
    ProvenanceRecord,
    SchemaVersion,
)
from ocrprep.records.representation import WarningRecord

Flow = Literal["body", "notes"]
Basis = Literal["deterministic", "calibrated", "model", "human"]
TransformationKind = Literal[
    "join_line", "join_page", "dehyphenate", "keep_hyphen", "normalize_space", "paragraph_break", "line_break"
]
Ordinal = Annotated[str, Field(pattern=r"^[tdsg][1-9][0-9]*$")]


@dataclass(frozen=True, slots=True)
class Transformation:
    """One place where the reading differs from the representation, other than by leaving something out."""

    __pydantic_config__ = PROVENANCE

    id: Ordinal
    group_id: Ordinal | None
    kind: TransformationKind
    page: int
    source_span: Offsets
    derived_span: Offsets
    before: str
    after: str
    rule: str
    basis: Basis
    evidence: dict[str, Any]
    alternatives: tuple[str, ...]
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DroppedLine:
    """A line, or a run of words of a line, that is page furniture. `text` is verbatim, without the space or line end
    that `source_span` takes with it."""

    __pydantic_config__ = PROVENANCE

    id: Ordinal
    group_id: Ordinal | None
    page: int
    line: int
    text: str
    source_span: Offsets
    derived_span: Offsets
    box: BoxRow
    kind: FurnitureKind
    rule: str
    basis: Basis
    probability: Confidence | None
    evidence: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SetAsideRecord:
    """Lines that belong to the other flow: notes apart from the body, or the body apart from the notes."""

    __pydantic_config__ = PROVENANCE

    id: Ordinal
    group_id: Ordinal | None
    page: int
    lines: tuple[int, int]
    source_span: Offsets
    derived_span: Offsets
    kind: str
    rule: str
    basis: Basis
    evidence: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RetainedSpan:
    """A maximal run of unchanged text."""

    __pydantic_config__ = PROVENANCE

    source_span: Offsets
    derived_span: Offsets


class FolioRecord(ProvenanceRecord):
    """A printed page number: as it was read, its value in the sequence, and whether the sequence had to supply it."""

    read: str | None
    value: str
    inferred: bool
    confidence: Confidence | None


class ReadingPage(ProvenanceRecord):
    """One page as the reading sees it. `page`, `page_label` and `folio` are three different numbers."""

    page: int = Field(ge=1)
    page_label: str | None
    folio: FolioRecord | None
    size: tuple[float, float]
    unit: Unit
    state: PageState
    reason: str | None
    text_basis: TextBasis | None
    page_score: Confidence | None
    warnings: tuple[WarningRecord, ...]


class ContentHash(ProvenanceRecord):
    """The hashes of the source's bytes and of both texts as UTF-8."""

    source: Identifier
    representation: Identifier
    reading: Identifier


class OtherRepresentation(ProvenanceRecord):
    """Another reading of the same pages, kept whole beside the one that was used."""

    representation_id: Identifier
    path: str
    kind: str = Field(pattern=r"^[a-z_]{1,40}$")


class ReadingRecord(ProvenanceRecord):
    """Everything that leads from the representation to a derived reading, and back."""

    schema_version: SchemaVersion = SCHEMA_VERSION
    source_id: Identifier
    representation_id: Identifier
    reading_id: Identifier
    calibration_key: dict[str, dict[str, Any]]
    basis: Basis
    model: str | None
    decided_at: AwareDatetime
    policy_version: str
    options: dict[str, Any]
    parent_reading_id: Identifier | None
    flow: Flow
    transformations: tuple[Transformation, ...]
    dropped_lines: tuple[DroppedLine, ...]
    set_aside: tuple[SetAsideRecord, ...]
    retained_spans: tuple[RetainedSpan, ...]
    pages: tuple[ReadingPage, ...]
    other_representations: tuple[OtherRepresentation, ...]
    content_hash: ContentHash
