"""What is read from a page's pixels: prepared, upright, freed of specks, every box carried to the page frame."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ocrprep.engines import Engine
from ocrprep.options import RecognitionOptions
from ocrprep.pages import Affine, Aside, ImageTransformation, Line, PageWarning
from ocrprep.recognition.specks import without_specks
from ocrprep.recognition.upright import BLANK_INK, NO_INK, read_upright, score
from ocrprep.sources import Scan, ink_share, prepared, raster_hash, turned


@dataclass(frozen=True, slots=True)
class PixelReading:
    """The lines in the page frame, and how the raster that the engine saw was made and lies on the page."""

    lines: tuple[Line, ...]
    specks: tuple[Aside, ...]
    raster_hash: str
    steps: tuple[ImageTransformation, ...]
    affine: Affine
    warnings: tuple[PageWarning, ...] = ()

    @property
    def score(self) -> float:
        """The engine's mean confidence by characters."""
        return score(self.lines)


def read_pixels(scan: Scan, engine: Engine, options: RecognitionOptions) -> PixelReading:
    """Read a scan that has ink; raises PageError when the engine gives up."""
    ink = ink_share(scan.raster)
    if ink < NO_INK:
        return unread_pixels(scan)
    ready = prepared(scan.raster, options.recipe, most_pixels=options.max_pixels)
    upright = read_upright(ready.raster, engine, options)
    raster = turned(ready.raster, upright.turns)
    to_scan = Affine.quarter_turns(-upright.turns, raster.width, raster.height).then(ready.affine)
    to_frame = to_scan.then(scan.affine)
    lines, specks = without_specks(upright.lines)
    placed = tuple(_placed(line, to_frame, ready.skew) for line in lines)
    warnings = tuple(upright.warnings(options))
    if score(placed) < options.turn_below and ink < BLANK_INK:
        specks += [word for line in lines for word in line.words]  # hardly believed, on a page without ink
        placed, warnings = (), ()
    return PixelReading(
        placed,
        tuple(Aside("speck", word.text, to_frame.box(word.box)) for word in specks),
        raster_hash(raster),
        (*scan.image_transformations, *ready.steps, *upright.steps),
        to_frame,
        warnings,
    )


def unread_pixels(scan: Scan, turns: int = 0) -> PixelReading:
    """Return the place of a scan that is not read, turned clockwise as its own text lies."""
    raster = turned(scan.raster, turns)
    steps: Sequence[ImageTransformation] = (
        (ImageTransformation("upright_turn", {"quarterTurns": turns % 4}),) if turns % 4 else ()
    )
    to_frame = Affine.quarter_turns(-turns, raster.width, raster.height).then(scan.affine)
    return PixelReading((), (), raster_hash(raster), (*scan.image_transformations, *steps), to_frame)


def _placed(line: Line, affine: Affine, skew: float) -> Line:
    """Carry a line from the raster to the page frame: its boxes, the sizes of its letters, and its slant."""
    scale = math.sqrt(abs(affine.a * affine.d - affine.b * affine.c))
    return Line(
        tuple(
            replace(
                word,
                box=affine.box(word.box),
                baseline_angle=word.baseline_angle + skew,
                font_size=None if word.font_size is None else word.font_size * scale,
            )
            for word in line.words
        ),
        line.block,
    )
