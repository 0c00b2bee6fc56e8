"""Recognition of one page: scan, read, find the upright orientation, carry every box to the page frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ocrprep.engines import Engine
from ocrprep.errors import PageError
from ocrprep.options import Options, RecognitionOptions
from ocrprep.pages import Affine, ImageTransformation, Line, Page, PageState
from ocrprep.sources import Scan, Source, ink_share, raster_hash, turned

BLANK_INK = 0.0005
"""A page with less ink than this and no word is blank: one printed line of 40 letters inks about 0.001 of a page."""

BELIEVED_ORIENTATION = 2.0
"""Tesseract's own orientation confidence from which its answer is tried before the others; OCRmyPDF rotates at 14,
`--rotate-pages-threshold`, without a second reading to check it against."""


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page as it was read, and a JPEG picture of it for review where one was asked for."""

    page: Page
    picture: bytes | None = None


def read_page(source: Source, number: int, engine: Engine, options: Options) -> ReadPage:
    """Read one page of a source; a page that cannot be read comes back as failed, with the reason."""
    try:
        scan = source.scan(number, options.recognition)
        lines, turns = _read_upright(scan, engine, options.recognition)
    except PageError as fault:
        return ReadPage(unread_page(source, number, "failed", str(fault)))
    raster = turned(scan.raster, turns)
    back = Affine.quarter_turns(-turns, raster.width, raster.height).then(scan.affine)
    state, reason = _state(scan, lines)
    page = Page(
        number,
        scan.size,
        scan.unit,
        [_placed(line, back) for line in lines],
        state=state,
        reason=reason,
        label=scan.label,
        frame=scan.frame,
        raster_hash=raster_hash(raster),
        image_transformations=(*scan.image_transformations, *_turn(turns)),
        affine=back,
    )
    keeps_picture = options.images == "review" and options.retention == "full"
    return ReadPage(page, scan.picture() if keeps_picture else None)


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
    )


def _read_upright(scan: Scan, engine: Engine, options: RecognitionOptions) -> tuple[list[Line], int]:
    """Read the page as it lies; where that reads badly, also turned, and keep the reading that is clearly better.

    Returns the lines in the frame of the turned raster and the clockwise quarter turns that made it upright.
    """
    lines, turns = engine.read(scan.raster), 0
    score = _score(lines)
    if score >= options.turn_below or ink_share(scan.raster) < BLANK_INK:
        return lines, turns
    found = engine.orientation(scan.raster)
    tried = [found[0]] if found is not None and found[0] and found[1] >= BELIEVED_ORIENTATION else [1, 2, 3]
    for other in tried:
        other_lines = engine.read(turned(scan.raster, other))
        other_score = _score(other_lines)
        if other_score >= score + options.turn_gain:
            lines, turns, score = other_lines, other, other_score
    return lines, turns


def _score(lines: Sequence[Line]) -> float:
    """Return the mean confidence by characters; 0 where nothing was read."""
    words = [word for line in lines for word in line.words]
    length = sum(len(word.text) for word in words)
    return sum((word.confidence or 0.0) * len(word.text) for word in words) / length if length else 0.0


def _placed(line: Line, affine: Affine) -> Line:
    return Line(tuple(replace(word, box=affine.box(word.box)) for word in line.words), line.block)


def _state(scan: Scan, lines: Sequence[Line]) -> tuple[PageState, str | None]:
    if lines:
        return "read", None
    if ink_share(scan.raster) < BLANK_INK:
        return "blank", None
    return "unreadable", "there is ink on the page, but no word was read"


def _turn(turns: int) -> tuple[ImageTransformation, ...]:
    return (ImageTransformation("upright_turn", {"quarterTurns": turns}),) if turns else ()
