"""Which text of a PDF page can be seen, proven by pixels: the page is drawn with its text and without it.

In order: choose a resolution at which the smaller letters of the page are clear; draw the page as it is; draw it again
with all its text objects switched off, also those in forms, and switch them on again; what changes is the ink of
visible text. Text that is not painted at all, or in the colour of its ground, or under an image or a bar, or clipped
away, or in a hidden layer changes nothing, whatever the file says of it; white letters on a black bar do.

What other ink a page has is looked for on the drawing without text, as `raster.ink_mask` does; rules, the frames of
tables and fields, and filled bars are no text that the layer lacks: straight runs of ink longer than letters have.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_int
from dataclasses import dataclass

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
from numpy.typing import NDArray
from PIL import Image

from ocrprep.sources.glyphs import Floats
from ocrprep.sources.page_image import drawn_objects, painted
from ocrprep.sources.raster import ink_mask, raster_of
from ocrprep.sources.resolution import LETTER_INCHES, PAPER, POINTS, fitting_dpi, raster_size

_LETTER_PIXELS = 12
"""Pixels that the em of the smaller letters gets: a full stop of a tenth of an em still fills one."""

_DPI = (72.0, 200.0)
"""Resolutions between which a page is drawn: letters of 12 pt, and of 4.3 pt, have `_LETTER_PIXELS` there."""

_PIXELS = 6_000_000
"""Pixels of a drawing whatever the budget allows: A3 at 180 dpi; a page takes 20 ms a million."""

_SMALLER = 10
"""Percentile of the letter sizes that decides the resolution."""

_CHANGE = 8
"""Grey levels in one colour by which a pixel must change: what pdfium draws again without text is equal to the bit,
and a hairline of 0.1 pixel in black changes 25."""

_INK_CHANGE = 40
"""Grey levels from which a changed pixel is ink, as `raster.ink_mask` takes it."""

_LONG_RUN = 8
"""A straight run of ink longer than this part of the page's side is a rule or a filled bar, not a stroke."""

_RULE = 32
_RULE_WIDTH = 400
_HAIRLINE = 3
"""So is a run longer than the first part of the page's side, 25 pt of a letter page, and thinner than the second, 2 pt,
or no wider than a hairline drawn across pixels: the frame of a table's cell or a form's field, and no stroke of letters
under 36 pt."""


@dataclass(frozen=True, slots=True, eq=False)
class TextInk:
    """What visible text paints: `changed` pixels, at `scale` pixels per point across and down.

    `share` is the part of the page's ink, 0 to 1, that text paints, null for a page without ink; `other` the part of
    its area, 0 to 1, under other ink.
    """

    changed: NDArray[np.bool_]
    scale: tuple[float, float]
    share: float | None
    other: float

    def under(self, boxes: Floats) -> NDArray[np.int32]:
        """Return how many pixels of visible text lie in each box of the page frame; every pixel it touches counts."""
        height, width = self.changed.shape
        sums = np.zeros((height + 1, width + 1), np.int32)
        np.cumsum(self.changed, axis=1, out=sums[1:, 1:])
        np.cumsum(sums, axis=0, out=sums)
        across, down = self.scale
        limit = 1e6  # beyond any raster; keeps far-off boxes within integers
        x0 = np.clip(np.floor(np.clip(boxes[:, 0] * across, -limit, limit)), 0, width).astype(np.int64)
        top = np.clip(np.floor(np.clip(boxes[:, 1] * down, -limit, limit)), 0, height).astype(np.int64)
        x1 = np.clip(np.ceil(np.clip(boxes[:, 2] * across, -limit, limit)), 0, width).astype(np.int64)
        bottom = np.clip(np.ceil(np.clip(boxes[:, 3] * down, -limit, limit)), 0, height).astype(np.int64)
        x1, bottom = np.maximum(x1, x0), np.maximum(bottom, top)
        return np.asarray(sums[bottom, x1] - sums[top, x1] - sums[bottom, x0] + sums[top, x0])


def text_ink(page: pypdfium2.PdfPage, size: tuple[float, float], letter_sizes: Floats, most_pixels: int) -> TextInk:
    """Draw a page of `size` pt with and without its text; raises PdfiumError when there is no memory for it."""
    # The points of a page under an inch are something else.
    scale = 1 if max(size) >= PAPER[0] else LETTER_INCHES * POINTS / max(size)
    wanted = _DPI[0] * scale
    if len(letter_sizes):
        smaller = max(float(np.percentile(letter_sizes, _SMALLER)), 1e-3)
        wanted = min(max(_LETTER_PIXELS * POINTS / smaller, wanted), _DPI[1] * scale)
    dpi = fitting_dpi(size, wanted, min(most_pixels, _PIXELS))
    width, height = raster_size(size, dpi)
    as_it_is = colours(page, width, height)
    with text_switched_off(page):
        without = colours(page, width, height)
    strongest = (np.maximum(as_it_is, without) - np.minimum(as_it_is, without)).max(axis=2)
    mine, other = int((strongest >= _INK_CHANGE).sum()) / (width * height), _other_ink(without)
    share = mine / (mine + other) if mine + other else None
    return TextInk(strongest >= _CHANGE, (width / size[0], height / size[1]), share, other)


@contextmanager
def text_switched_off(page: pypdfium2.PdfPage) -> Iterator[None]:
    """Leave a page's text out of what is drawn, for as long as the context lasts."""
    switched = []
    active = c_int()
    for drawn, kind, _ in drawn_objects(page):
        if kind == pdfium.FPDF_PAGEOBJ_TEXT and pdfium.FPDFPageObj_GetIsActive(drawn, active) and active.value:
            switched.append(drawn)
    try:
        for drawn in switched:
            pdfium.FPDFPageObj_SetIsActive(drawn, False)
        yield
    finally:
        for drawn in switched:
            pdfium.FPDFPageObj_SetIsActive(drawn, True)


def colours(page: pypdfium2.PdfPage, width: int, height: int) -> NDArray[np.uint8]:
    """Draw a page with its annotations and form fields to an array of `height` x `width` x 3 (red, green, blue)."""
    with painted(page, width, height) as shared:
        return np.asarray(shared)[:, :, :3].copy()


def _other_ink(without: NDArray[np.uint8]) -> float:
    """Return the part of a page's area under ink that is neither text nor rules."""
    ink = np.asarray(ink_mask(raster_of(Image.fromarray(without).convert("L"), None))) > 0
    return float((ink & ~rules(ink)).mean())


def rules(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which pixels of ink belong to rules, frames and bars: see `_LONG_RUN` and `_RULE`."""
    height, width = ink.shape
    thick = max(_HAIRLINE, max(height, width) // _RULE_WIDTH) + 1
    across, down = ink, ink.T
    long = _runs(across, width // _LONG_RUN) | _runs(down, height // _LONG_RUN).T
    level = _runs(across, width // _RULE) & ~_runs(down, thick).T
    upright = _runs(down, height // _RULE).T & ~_runs(across, thick)
    return np.asarray(long | level | upright)


def _runs(ink: NDArray[np.bool_], length: int) -> NDArray[np.bool_]:
    """Return which pixels belong to runs of at least so many along the rows."""
    found = np.zeros_like(ink)
    rows = np.flatnonzero(np.count_nonzero(ink, axis=1) >= length)
    width = ink.shape[1]
    if not 1 < length <= width or not len(rows):
        return found
    sums = np.zeros((len(rows), width + 1), np.int32)
    np.cumsum(ink[rows], axis=1, out=sums[:, 1:])
    starts = sums[:, length:] - sums[:, :-length] == length
    # A pixel is in a run when one of full length starts at it or less than a length before it.
    seen = np.zeros((len(rows), width + 1), np.int32)
    np.cumsum(starts, axis=1, out=seen[:, 1 : starts.shape[1] + 1])
    seen[:, starts.shape[1] + 1 :] = seen[:, starts.shape[1], None]
    before = np.zeros((len(rows), width), np.int32)
    before[:, length:] = seen[:, 1 : width - length + 1]
    found[rows] = seen[:, 1:] > before
    return found
