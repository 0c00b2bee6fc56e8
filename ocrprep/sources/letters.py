"""Letters: how tall they are on a page.

In order: take the shapes that may be letters; ask which way their lines run; find their middle height, weighted by ink;
leave out what is not like it or is a word of letters that touch; take the middle height of the rest.
"""

from __future__ import annotations

import numpy as np

from ocrprep.pages import Raster
from ocrprep.sources.shapes import Shapes, letters_among, shapes, weighted_median
from ocrprep.sources.skew import FEWEST_LETTERS, skew_of

_ALIKE = (0.5, 2.0)
"""Letters of one page lie within these multiples of their middle height; accents and full stops lie below."""

_ALONE = 2.0
"""A shape so many times wider than tall is a word whose letters touch, or a dash."""


_TEXT_SHAPES = 15_000
_MOSTLY = 0.35
"""A page of more shapes than a page of text has, of which fewer than this share can be letters, is dotted graph paper
(26,000 and 0.2) or a halftone: enlarged, it keeps the engine busy for minutes and gives no word."""


def text_height(raster: Raster) -> float | None:
    """Return the middle height of a page's letters in pixels, null where no lines of letters are found.

    In Latin script more than half of the letters have no ascender or descender, so that it is close to the x-height in
    mixed case and is the height of capitals where all are. The page may lie in any quarter turn.
    """
    every = shapes(raster)
    found = letters_among(every)
    if len(every) > _TEXT_SHAPES and len(found) < _MOSTLY * len(every):
        return None
    lines = skew_of(found)
    return None if lines is None else _middle_height(found, sideways=lines.sideways)


def _middle_height(found: Shapes, *, sideways: bool) -> float | None:
    height, width = found.bottom - found.top, found.x1 - found.x0
    if sideways:
        height, width = width, height
    # Weighted by ink, specks do not count, however many there are.
    middle = weighted_median(height, found.area)
    kept = (height >= _ALIKE[0] * middle) & (height <= _ALIKE[1] * middle) & (width <= _ALONE * height)
    ordered = np.sort(height[kept])
    if len(ordered) < FEWEST_LETTERS:
        return None
    # The mean of the middle fifth tells parts of a pixel.
    return float(ordered[len(ordered) * 2 // 5 : len(ordered) * 3 // 5 + 1].mean()) * found.factor
