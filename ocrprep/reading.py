"""Readings: the texts derived from a representation, each with its exact map and its record.

Preparation says what to change as edits with their reasons (`Change`, `Drop`, `SetAside`) gathered in `Findings`. A
`Reading` is the derived text of one flow, `body` or `notes`, made from them by `spans.apply`; its record replays it to
the byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, get_args

from ocrprep.identity import canonical_json, hash_json, hash_text
from ocrprep.options import ReadingOptions
from ocrprep.pages import FurnitureKind, Page, PageWarning, around
from ocrprep.records.reading import (
    Basis,
    ContentHash,
    DroppedLine,
    Flow,
    FolioRecord,
    OtherRepresentation,
    ReadingPage,
    ReadingRecord,
    RetainedSpan,
    SetAsideRecord,
    Transformation,
    TransformationKind,
)
from ocrprep.records.representation import WarningRecord
from ocrprep.representation import Representation
from ocrprep.spans import KEEP, Edit, Span, apply

POLICY = "policy-1"
FLOWS: tuple[Flow, ...] = get_args(Flow)


def alternate_path(kind: str) -> str:
    """Return where a bundle keeps another representation of its pages."""
    return f"data/alternates/{kind}.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparationEdit(Edit):
    """An edit with its reasons. Edits that cross one page or column end share a `group`."""

    page: int
    basis: Basis = "deterministic"
    evidence: Mapping[str, Any] = field(default_factory=dict)
    group: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(PreparationEdit):
    """Join, break or normalise; an undecided hyphen lists both forms in `alternatives` and is flagged."""

    kind: TransformationKind
    alternatives: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop(PreparationEdit):
    """Leave out page furniture: the span of a line with its line end, or of a run of its words with one space.

    `words` is the span of the text itself, which is recorded verbatim.
    """

    kind: FurnitureKind
    line: int
    words: Span
    probability: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAside(PreparationEdit):
    """Leave whole lines to the other flow; `lines` are the first and last 1-based line numbers on the page."""

    kind: str
    lines: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Folio:
    """A printed page number: as it was read (null when it was not), its value, and whether it was inferred."""

    read: str | None
    value: str
    inferred: bool
    confidence: float | None = None


@dataclass(frozen=True)
class Findings:
    """What preparation decided: the edits of each flow, the folios, and warnings for what it left undecided."""

    edits: Mapping[Flow, Sequence[PreparationEdit]]
    folios: Mapping[int, Folio] = field(default_factory=dict)
    warnings: Mapping[int, Sequence[PageWarning]] = field(default_factory=dict)
    versions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The calibration key's sections `furniture` and `reflow`: the rules' version, and what a profile adds to them."""


class Reading:
    """A derived text of one flow, the map to the representation, and the record of every difference."""

    def __init__(
        self,
        representation: Representation,
        flow: Flow,
        findings: Findings,
        options: ReadingOptions,
        *,
        parent_reading_id: str | None = None,
        decided_at: datetime | None = None,
        policy_version: str = POLICY,
        others: Sequence[OtherRepresentation] | None = None,
    ) -> None:
        self.representation, self.flow, self.findings, self.options = representation, flow, findings, options
        self.parent_reading_id, self.policy_version = parent_reading_id, policy_version
        self.others = tuple(_others(representation) if others is None else others)
        self.decided_at = decided_at or datetime.now(UTC).replace(microsecond=0)
        self.edits = tuple(sorted(findings.edits[flow], key=lambda edit: edit.span))
        self.text, self.map = apply(representation.text, self.edits)

    def __repr__(self) -> str:
        return f"Reading({self.flow}, {len(self.text)} characters, {len(self.edits)} edits)"

    @cached_property
    def calibration_key(self) -> dict[str, dict[str, Any]]:
        """All that a score of this reading depends on, in sections that profiles are matched with."""
        engine = self.representation.engine
        recognition: dict[str, Any] = {} if engine is None else engine.model_dump(mode="json", by_alias=True)
        if engine is not None:
            recognition["models"] = {name: model for name, model in engine.models.items() if name in engine.languages}
            recognition["raster"] = {"renderDpi": self.representation.options.render_dpi}
            if self.representation.schema_version >= 2:
                recognition["raster"]["recipe"] = list(self.representation.options.recipe)
        sections: dict[str, dict[str, Any]] = {"recognition": recognition}
        sections.update({name: dict(part) for name, part in sorted(self.findings.versions.items())})
        return sections

    @cached_property
    def reading_id(self) -> str:
        """The hash of the representation's ID, the flow, the rules and options, and every edit with its reasons."""
        return hash_json(
            {
                "representationId": self.representation.representation_id,
                "flow": self.flow,
                "policyVersion": self.policy_version,
                "calibrationKey": self.calibration_key,
                "options": self.options.model_dump(mode="json", by_alias=True),
                "edits": hash_text(canonical_json([_identity(edit) for edit in self.edits])),
                "text": hash_text(self.text),
            }
        )

    @cached_property
    def record(self) -> ReadingRecord:
        """Everything that leads from the representation to this text, and back."""
        rows = _Rows(self)
        return ReadingRecord(
            schema_version=self.representation.schema_version,
            source_id=self.representation.source_id,
            representation_id=self.representation.representation_id,
            reading_id=self.reading_id,
            calibration_key=self.calibration_key,
            basis="calibrated" if any(edit.basis == "calibrated" for edit in self.edits) else "deterministic",
            model=None,
            decided_at=self.decided_at,
            policy_version=self.policy_version,
            options=self.options.model_dump(mode="json", by_alias=True),
            parent_reading_id=self.parent_reading_id,
            flow=self.flow,
            transformations=tuple(rows.transformations),
            dropped_lines=tuple(rows.dropped_lines),
            set_aside=tuple(rows.set_aside),
            retained_spans=tuple(RetainedSpan(_offsets(s.source), _offsets(s.derived)) for s in self.map.kept()),
            pages=tuple(self._page(page) for page in self.representation.pages),
            other_representations=self.others,
            content_hash=ContentHash(
                source=self.representation.source_id,
                representation=hash_text(self.representation.text),
                reading=hash_text(self.text),
            ),
        )

    def _page(self, page: Page) -> ReadingPage:
        folio = self.findings.folios.get(page.number)
        warnings = [*page.warnings, *self.findings.warnings.get(page.number, ())]
        return ReadingPage(
            page=page.number,
            page_label=page.label,
            folio=None
            if folio is None
            else FolioRecord(read=folio.read, value=folio.value, inferred=folio.inferred, confidence=folio.confidence),
            size=page.size,
            unit=page.unit,
            state=page.state,
            reason=page.reason,
            text_basis=page.text_basis,
            page_score=page.score,
            warnings=tuple(WarningRecord(code=w.code, message=w.message, line=w.line) for w in warnings),
        )


def _others(representation: Representation) -> Iterator[OtherRepresentation]:
    """Yield a row for each other reading of the same pages, which the bundle keeps whole."""
    for kind, other in sorted(representation.alternates.items()):
        yield OtherRepresentation(representation_id=other.representation_id, path=alternate_path(kind), kind=kind)


class _Rows:
    """The edits of a reading as rows of its record, numbered in the order of the text."""

    def __init__(self, reading: Reading) -> None:
        self.transformations: list[Transformation] = []
        self.dropped_lines: list[DroppedLine] = []
        self.set_aside: list[SetAsideRecord] = []
        self._representation = reading.representation
        self._groups: dict[int, str] = {}
        changed = (segment for segment in reading.map if segment.rule != KEEP)
        for edit, segment in zip(reading.edits, changed, strict=True):
            self._add(edit, _offsets(segment.source), _offsets(segment.derived))

    def _add(self, edit: PreparationEdit, source: tuple[int, int], derived: tuple[int, int]) -> None:
        text = self._representation.text
        shared: dict[str, Any] = {
            "group_id": self._group(edit.group),
            "page": edit.page,
            "source_span": source,
            "derived_span": derived,
            "rule": edit.rule,
            "basis": edit.basis,
            "evidence": dict(edit.evidence),
        }
        match edit:
            case Drop():
                box = around(placed.word.box for placed in self._representation.words(edit.words))
                self.dropped_lines.append(
                    DroppedLine(
                        id=f"d{len(self.dropped_lines) + 1}",
                        line=edit.line,
                        text=edit.words.of(text),
                        box=box,
                        kind=edit.kind,
                        probability=edit.probability,
                        **shared,
                    )
                )
            case SetAside():
                self.set_aside.append(
                    SetAsideRecord(id=f"s{len(self.set_aside) + 1}", lines=edit.lines, kind=edit.kind, **shared)
                )
            case Change():
                self.transformations.append(
                    Transformation(
                        id=f"t{len(self.transformations) + 1}",
                        kind=edit.kind,
                        before=edit.span.of(text),
                        after=edit.replacement,
                        alternatives=edit.alternatives,
                        flags=edit.flags,
                        **shared,
                    )
                )
            case _:
                raise TypeError(f"an edit of no recorded kind: {edit}")

    def _group(self, group: int | None) -> str | None:
        return None if group is None else self._groups.setdefault(group, f"g{len(self._groups) + 1}")


def edits_of_record(record: ReadingRecord, text: str) -> Iterator[PreparationEdit]:
    """Yield the edits that a record tells of: applied to the representation's text they replay the reading."""
    rows: list[Transformation | DroppedLine | SetAsideRecord] = []
    rows += (*record.transformations, *record.dropped_lines, *record.set_aside)
    for row in sorted(rows, key=lambda each: each.source_span):
        shared: dict[str, Any] = {
            "span": Span(*row.source_span),
            "rule": row.rule,
            "page": row.page,
            "basis": row.basis,
            "evidence": row.evidence,
            "group": None if row.group_id is None else int(row.group_id[1:]),
        }
        match row:
            case Transformation():
                yield Change(
                    replacement=row.after, kind=row.kind, alternatives=row.alternatives, flags=row.flags, **shared
                )
            case DroppedLine():
                start = row.source_span[0] + (text[row.source_span[0] : row.source_span[0] + 1] == " ")
                yield Drop(
                    replacement="",
                    kind=row.kind,
                    line=row.line,
                    words=Span(start, start + len(row.text)),
                    probability=row.probability,
                    **shared,
                )
            case SetAsideRecord():
                yield SetAside(replacement="", kind=row.kind, lines=row.lines, **shared)


def findings_of_record(record: ReadingRecord, representation: Representation) -> Findings:
    """Return what a record says that preparation found, so that the reading can be made again from it."""
    read = {page.number: len(page.warnings) for page in representation.pages}
    return Findings(
        edits={record.flow: tuple(edits_of_record(record, representation.text))},
        folios={
            page.page: Folio(page.folio.read, page.folio.value, page.folio.inferred, page.folio.confidence)
            for page in record.pages
            if page.folio is not None
        },
        warnings={
            page.page: tuple(PageWarning(w.code, w.message, w.line) for w in page.warnings[read[page.page] :])
            for page in record.pages
        },
        versions={name: section for name, section in record.calibration_key.items() if name != "recognition"},
    )


def unrecorded(representation: Representation, readings: Iterable[Reading]) -> list[Span]:
    """Return the spans of source characters that no reading keeps and no record but a set-aside tells of.

    The promise of the product is that this list is empty.
    """
    told: list[Span] = []
    for reading in readings:
        told.extend(segment.source for segment in reading.map.kept())
        told.extend(edit.span for edit in reading.edits if not isinstance(edit, SetAside))
    told.sort()
    gaps: list[Span] = []
    at = 0
    for span in told:
        if span.start > at:
            gaps.append(Span(at, span.start))
        at = max(at, span.end)
    if at < len(representation.text):
        gaps.append(Span(at, len(representation.text)))
    return gaps


def _identity(edit: PreparationEdit) -> list[Any]:
    """Return what of an edit its reading's ID covers."""
    return [
        edit.span.start,
        edit.span.end,
        edit.replacement,
        edit.rule,
        getattr(edit, "kind", None),
        edit.basis,
        dict(edit.evidence),
        list(getattr(edit, "alternatives", ())),
        *(each for each in (getattr(edit, "probability", None),) if each is not None),
    ]


def _offsets(span: Span) -> tuple[int, int]:
    return span.start, span.end
