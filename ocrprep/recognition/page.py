"""Recognition of one page: scan, read, find the upright orientation, carry every box to the page frame."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ocrprep.engines import Engine
from ocrprep.errors import PageError
from ocrprep.options import Options, RecognitionOptions
from ocrprep.pages import Affine, Aside, ImageTransformation, Line, Page, PageState, PageWarning, Word
from ocrprep.sources import Scan, Source, ink_share, raster_hash, turned

BLANK_INK = 0.00003
"""The share of ink under which a page is blank. Measured: empty sheets with grain, specks and a gutter's shadow have at
most 0.000002, show-through of the samples 0.00002, a lone folio 0.00007, three printed words 0.0003 and more."""

BELIEVED_ORIENTATION = 2.0
"""Tesseract's own orientation confidence from which its answer is tried alone. Programs that turn a page on this
figure without reading it again ask for far more (OCRmyPDF for 14); here a second reading confirms it."""

TELLING_LENGTH = 3
"""Letters from which an upright word is wider than tall."""


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
    to_frame = Affine.quarter_turns(-turns, raster.width, raster.height).then(scan.affine)
    lines = [_placed(line, to_frame) for line in lines]
    state, reason = _state(scan, lines, options.recognition)
    page = Page(
        number,
        scan.size,
        scan.unit,
        lines if state == "read" else (),
        state=state,
        reason=reason,
        label=scan.label,
        frame=scan.frame,
        raster_hash=raster_hash(raster),
        image_transformations=(*scan.image_transformations, *_turn(turns)),
        affine=to_frame,
        asides=() if state == "read" else [Aside("speck", word.text, word.box) for word in _words(lines)],
        warnings=(*_of_source(source, number), *scan.warnings, *_warnings(lines, options.recognition, state)),
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
        warnings=_of_source(source, number),
    )


def _read_upright(scan: Scan, engine: Engine, options: RecognitionOptions) -> tuple[list[Line], int]:
    """Read the page as it lies; where that reads badly, also turned, and keep the reading that is clearly better.

    A page whose words stand on end was read through the engine's own tolerance for turned blocks, which loses words:
    there the upright reading has only to be about as good. Returns the lines in the frame of the turned raster, and
    the clockwise quarter turns that made it upright.
    """
    lines, turns = engine.read(scan.raster), 0
    score, on_end = _score(lines), _stand_on_end(lines)
    if (score >= options.turn_below and not on_end) or ink_share(scan.raster) < BLANK_INK:
        return lines, turns
    needed = score - options.turn_gain if on_end else score + options.turn_gain
    for other in _orientations(scan, engine, on_end):
        other_lines = engine.read(turned(scan.raster, other))
        other_score = _score(other_lines)
        if other_score >= needed and not _stand_on_end(other_lines):
            lines, turns, needed = other_lines, other, other_score
    return lines, turns


def _orientations(scan: Scan, engine: Engine, on_end: bool) -> Sequence[int]:
    """Return the clockwise quarter turns that are worth a second reading."""
    found = engine.orientation(scan.raster)
    if found is not None and found[0] and found[1] >= BELIEVED_ORIENTATION:
        return (found[0],)
    return (1, 3) if on_end else (1, 2, 3)


def _words(lines: Sequence[Line]) -> Iterator[Word]:
    return (word for line in lines for word in line.words)


def _score(lines: Sequence[Line]) -> float:
    """Return the mean confidence by characters; 0 where nothing was read."""
    length = sum(len(word.text) for word in _words(lines))
    return sum((word.confidence or 0.0) * len(word.text) for word in _words(lines)) / length if length else 0.0


def _stand_on_end(lines: Sequence[Line]) -> bool:
    """Say whether most words that are long enough to tell are taller than wide."""
    telling = [word.box for word in _words(lines) if len(word.text) >= TELLING_LENGTH]
    return sum(box.height > box.width for box in telling) * 2 > len(telling)


def _placed(line: Line, affine: Affine) -> Line:
    """Carry a line from the raster to the page frame: its boxes, and the sizes of its letters."""
    scale = math.sqrt(abs(affine.a * affine.d - affine.b * affine.c))
    return Line(
        tuple(
            replace(
                word,
                box=affine.box(word.box),
                font_size=None if word.font_size is None else word.font_size * scale,
            )
            for word in line.words
        ),
        line.block,
    )


def _state(scan: Scan, lines: Sequence[Line], options: RecognitionOptions) -> tuple[PageState, str | None]:
    """Judge the page: words that are hardly believed on a page without ink are specks of a blank page."""
    if lines and (_score(lines) >= options.turn_below or ink_share(scan.raster) >= BLANK_INK):
        return "read", None
    if scan.warnings:
        return "unreadable", scan.warnings[0].message
    if ink_share(scan.raster) < BLANK_INK:
        return "blank", None
    return "unreadable", "there is ink on the page, but no word was read"


def _of_source(source: Source, number: int) -> Sequence[PageWarning]:
    """Return the warnings about the whole source, which stand on its first page."""
    return source.warnings if number == 1 else ()


def _warnings(lines: Sequence[Line], options: RecognitionOptions, state: PageState) -> tuple[PageWarning, ...]:
    score = _score(lines)
    if state != "read" or score >= options.turn_below:
        return ()
    return (PageWarning("low_confidence", f"the engine's mean confidence is {score:.2f}: compare with the picture"),)


def _turn(turns: int) -> tuple[ImageTransformation, ...]:
    return (ImageTransformation("upright_turn", {"quarterTurns": turns}),) if turns else ()
