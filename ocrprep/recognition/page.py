"""Recognition of one page: take what the source says, read its pixels where that is needed, and settle on its words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from ocrprep.engines import Engine
from ocrprep.errors import PageError
from ocrprep.options import Options, RecognitionOptions
from ocrprep.pages import Line, Page, PageState, PageWarning, TextBasis
from ocrprep.preparing.reading_order import ordered
from ocrprep.recognition.basis import Basis, Settled, basis, basis_of_existing, settled
from ocrprep.recognition.pixels import PixelReading, read_pixels, unread_pixels
from ocrprep.recognition.upright import BLANK_INK, words
from ocrprep.sources import ExistingText, Scan, Source, ink_share


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page as it was read, a JPEG picture of it where one was asked for, and other readings of it by their kind."""

    page: Page
    picture: bytes | None = None
    alternates: Mapping[str, Page] = field(default_factory=dict)


def read_page(source: Source, number: int, engine: Engine | None, options: Options) -> ReadPage:
    """Read one page of a source; a page that cannot be read comes back as failed, with the reason.

    `engine` may only be missing where `ocr` is never.
    """
    try:
        existing = source.existing_text(number)
        scan, chosen = _basis(source, number, existing, options.recognition)
        read = _read(scan, chosen, engine, options.recognition)
    except PageError as fault:
        return ReadPage(unread_page(source, number, "failed", str(fault)))
    outcome = settled(chosen, read, options.recognition)
    page = _page(source, number, scan, chosen, read, outcome)
    alternates = {kind: _alternate(page, lines) for kind, lines in outcome.alternates.items()}
    keeps_picture = options.images == "review" and options.retention == "full"
    return ReadPage(page, scan.picture() if scan is not None and keeps_picture else None, alternates)


def unread_page(source: Source, number: int, state: PageState, reason: str) -> Page:
    """Return the record of a page whose content is not known."""
    frame = source.describe(number)
    return Page(
        number,
        frame.size,
        frame.unit,
        state=state,
        reason=reason,
        label=frame.label,
        frame=frame.frame,
        text_basis=None,
        warnings=_of_source(source, number),
    )


def _basis(
    source: Source, number: int, existing: ExistingText | None, options: RecognitionOptions
) -> tuple[Scan | None, Basis]:
    """Take the page's pixels and judge the text that the source has of it; existing OCR does without its picture."""
    if existing is None:
        scan = source.scan(number, options)
        return scan, basis(source.text_layer(number, options), scan, options)
    if existing.image is None:
        return None, basis_of_existing(existing, has_pixels=False, options=options)
    try:
        return source.scan(number, options), basis_of_existing(existing, has_pixels=True, options=options)
    except PageError as fault:
        warning = PageWarning("page_image_unreadable", f"the picture of the page cannot be read: {fault}")
        existing = replace(existing, warnings=(*existing.warnings, warning))
        return None, basis_of_existing(existing, has_pixels=False, options=options)


def _read(scan: Scan | None, chosen: Basis, engine: Engine | None, options: RecognitionOptions) -> PixelReading | None:
    """Read the pixels, or only find their place; null where there are none."""
    if scan is None:
        return None
    if not chosen.reads_pixels:
        return unread_pixels(scan, chosen.turns)
    if engine is None:
        raise PageError("there is no engine to read the pixels with")
    return read_pixels(scan, engine, options)


def _page(
    source: Source, number: int, scan: Scan | None, chosen: Basis, read: PixelReading | None, outcome: Settled
) -> Page:
    frame = source.describe(number) if scan is None else scan
    state, reason = _state(scan, chosen, outcome)
    affine = None if read is None else read.affine
    order = ordered(outcome.lines, frame.size, affine)
    return Page(
        number,
        frame.size,
        frame.unit,
        order.lines,
        state=state,
        reason=reason,
        label=frame.label,
        frame=frame.frame,
        raster_hash=None if read is None else read.raster_hash,
        image_transformations=() if read is None else read.steps,
        affine=affine,
        text_basis=None if state == "skipped" else _text_basis(outcome.lines),
        text_evidence=outcome.evidence,
        asides=outcome.asides,
        warnings=(
            *_of_source(source, number),
            *(() if scan is None else scan.warnings),
            *order.warnings(outcome.warnings),
        ),
    )


def _alternate(page: Page, lines: Sequence[Line]) -> Page:
    """Return another reading of a page, in the same frame."""
    return Page(
        page.number, page.size, page.unit, lines, label=page.label, frame=page.frame, text_basis=_text_basis(lines)
    )


def _state(scan: Scan | None, chosen: Basis, outcome: Settled) -> tuple[PageState, str | None]:
    """Judge the page: words make it read; without words, ink and what is known of its pixels decide."""
    if outcome.lines:
        return "read", None
    if scan is None:
        return "unreadable", "the OCR file has no word of this page, and there is no picture of it"
    if scan.warnings:
        return "unreadable", scan.warnings[0].message
    if ink_share(scan.raster) < BLANK_INK:
        return "blank", None
    if not chosen.reads_pixels:
        return "skipped", "read without OCR, and the page has no text of its own"
    return "unreadable", "there is ink on the page, but no word was read"


def _text_basis(lines: Iterable[Line]) -> TextBasis:
    bases = {word.text_basis for word in words(list(lines))}
    return "mixed" if len(bases) > 1 else next(iter(bases), get_args(TextBasis)[0])


def _of_source(source: Source, number: int) -> Sequence[PageWarning]:
    """Return the warnings about the whole source, which stand on its first page."""
    return source.warnings if number == 1 else ()
