"""Borders: the black that a scanner leaves around a page, found so that no ink of the page is taken for it.

In order: reduce the page so far that letters turn grey; take what is black there; lay black outside the page, and keep
what is thicker than any stroke (a morphological opening) or close to an edge; of that, keep what reaches an edge and
runs along it; leave out what has light marks in it, as a dark heading with white letters; widen it by its blurred edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFilter

from ocrprep.pages import Raster
from ocrprep.sources.levels import paper_level
from ocrprep.sources.raster import grey_image, raster_of
from ocrprep.sources.shapes import labelled

_SIDE = 400
"""Long side of the copy in which borders are found: a cell is 0.7 mm of a letter page, twice a stroke's width."""

_BLACK = 0.35
"""Share of the paper's level under which a cell is black. Cells of bold type have half of it and more."""

_THICK = 3
"""Cells of the opening: what is thinner than 2 mm is a rule or a letter, unless it lies along an edge."""

_RIM = 1 / 30
"""Share of the long side within which a border may also be thin: 1 cm of a letter page, less than any margin."""

_ALONG = 0.2
"""Share of a side along which a border runs; a letter or a stamp that is cut by the edge is shorter."""

_MARKED = 0.02
"""Share of a dark patch's cells that it encloses as light marks, from which there are letters in it."""

_MARK = 0.005
"""Share of the page that a light mark may have: half a square inch of a letter page. The page itself has more."""

_DARK_PAGE = 128
"""Paper darker than this is a negative or a photograph, whose black has no meaning."""

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Borders:
    """Where a page's border lies: 255 in a mask reduced by `factor`, and the share of the page that it covers."""

    mask: Image.Image = field(repr=False)
    factor: int
    share: float


def borders(raster: Raster) -> Borders | None:
    """Return the black border of a scan, null where there is none."""
    paper = paper_level(raster)
    if paper < _DARK_PAGE:
        return None
    image = grey_image(raster)
    factor = max(1, -(-max(image.size) // _SIDE))
    cells = image.reduce(factor) if factor > 1 else image
    black = cells.point([255 * (level < paper * _BLACK) for level in range(256)])
    mask = np.zeros((cells.height, cells.width), np.uint8)
    for patch in _at_edges(_opened(black) | (np.asarray(black) > 0) & _rim(mask.shape)):
        if _holes(patch) <= _MARKED * patch.sum():
            mask[patch] = 255
    if not mask.any():
        return None
    wider = Image.fromarray(mask).filter(ImageFilter.MaxFilter(3))
    return Borders(wider, factor, float((np.asarray(wider) > 0).mean()))


def whitened(raster: Raster, found: Borders, level: int) -> Raster:
    """Paint the border of a page with a level of grey."""
    image = grey_image(raster).copy()
    size = found.mask.width * found.factor, found.mask.height * found.factor
    mask = found.mask.resize(size, Image.Resampling.NEAREST).crop((0, 0, *image.size))
    image.paste(level, (0, 0), mask)
    return raster_of(image, raster.dpi)


def _opened(black: Image.Image) -> Mask:
    """Return what is black and thick, taking what lies outside the page for black."""
    wide = Image.new("L", (black.width + 2 * _THICK, black.height + 2 * _THICK), 255)
    wide.paste(black, (_THICK, _THICK))
    thick = wide.filter(ImageFilter.MinFilter(_THICK)).filter(ImageFilter.MaxFilter(_THICK))
    opened = np.asarray(thick) > 0
    return opened[_THICK:-_THICK, _THICK:-_THICK] & (np.asarray(black) > 0)


def _rim(shape: tuple[int, int]) -> Mask:
    """Return the outermost cells of a page, where a slanting border may be thin and leave the edge."""
    depth = max(1, round(_RIM * max(shape)))
    rim = np.ones(shape, np.bool_)
    rim[depth:-depth, depth:-depth] = False
    return rim


def _at_edges(black: Mask) -> Iterator[Mask]:
    """Yield the connected patches that run along an edge of the page."""
    labels = labelled(black)
    height, width = black.shape
    edges = ((labels[0], width), (labels[-1], width), (labels[:, 0], height), (labels[:, -1], height))
    for label in np.unique(np.concatenate([edge for edge, _ in edges])):
        if label and any((edge == label).sum() >= _ALONG * length for edge, length in edges):
            yield labels == label


def _holes(patch: Mask) -> int:
    """Return how many cells of light marks a patch encloses; larger openings are the page itself."""
    labels = labelled(~patch)
    counts = np.bincount(labels.ravel())
    counts[0] = 0
    counts[np.concatenate((labels[0], labels[-1], labels[:, 0], labels[:, -1]))] = 0
    return int(counts[counts <= _MARK * patch.size].sum())
