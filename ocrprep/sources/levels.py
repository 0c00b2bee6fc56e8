"""Levels: the grey of a page's paper, and the level that parts ink from paper, once for the page or place by place."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image, ImageChops

from ocrprep.pages import Raster
from ocrprep.sources.raster import grey_image, raster_of

_LIGHT_PAPER = 1 / 3
"""Share of a page that is lighter than Otsu's threshold from which that is its paper; a negative's letters cover a
tenth, the paper of a scan with the widest borders half."""

_WINDOW = 1 / 60
"""Share of the page's long side to either side of a pixel that decides about it: a line of text on a letter page, so
that each window holds ink and paper."""

_CELL = 4
"""Mean and spread are measured on cells of so many pixels a side: they are smooth, and a sixteenth takes no time."""

_K = 0.34
"""Weight of the spread, as Sauvola and Pietikäinen, Adaptive document image binarization, 2000, as scikit-image uses it
(the paper has 0.5, which loses faint strokes)."""

_FULL_SPREAD = 128.0
"""The largest standard deviation of 8-bit grey, from the same paper."""


def paper_level(raster: Raster) -> int:
    """Return the middle grey of a page's paper, be it lighter than its ink or darker."""
    image = grey_image(raster)
    counts = np.asarray(image.histogram())
    threshold = otsu_threshold(image)
    light = counts[threshold + 1 :].sum() >= _LIGHT_PAPER * counts.sum()
    counts[: threshold + 1 if light else 0] = 0
    counts[256 if light else threshold + 1 :] = 0
    return int(np.searchsorted(np.cumsum(counts), counts.sum() / 2))


def otsu(raster: Raster) -> tuple[Raster, dict[str, Any]]:
    """Return black where a pixel is at most Otsu's threshold (A threshold selection method, 1979), and parameters."""
    image = grey_image(raster)
    threshold = otsu_threshold(image)
    black = image.point([255 * (level > threshold) for level in range(256)])
    return raster_of(black, raster.dpi), {"method": "otsu", "threshold": threshold}


def otsu_threshold(image: Image.Image) -> int:
    """Return the level that best parts a grey image into two classes: the darker one includes it."""
    counts = np.asarray(image.histogram(), np.float64)
    below = np.cumsum(counts)
    above = below[-1] - below
    sums = np.cumsum(counts * np.arange(256))
    with np.errstate(divide="ignore", invalid="ignore"):
        between = (sums[-1] * below / below[-1] - sums) ** 2 / (below * above)
    return int(np.nan_to_num(between, posinf=0.0).argmax())


def sauvola(raster: Raster) -> tuple[Raster, dict[str, Any]]:
    """Return black where a pixel is darker than its surroundings' mean, lowered where they have little contrast."""
    image = grey_image(raster)
    radius = max(1.0, max(image.size) * _WINDOW / _CELL)
    mean, spread = _moments(image, radius)
    threshold = mean * (1 + _K * (spread / _FULL_SPREAD - 1))
    surface = Image.fromarray(np.clip(np.rint(threshold), 0, 255).astype(np.uint8)).resize(
        image.size, Image.Resampling.BILINEAR
    )
    above = ImageChops.subtract(image, surface).point([255 * (level > 0) for level in range(256)])
    return raster_of(above, raster.dpi), {"method": "sauvola", "k": _K, "radius": round(radius * _CELL)}


def _moments(image: Image.Image, radius: float) -> tuple[Any, Any]:
    """Return mean and standard deviation around each cell."""
    high = image.point([level * level // 255 for level in range(256)])
    low = image.point([level * level % 255 for level in range(256)])
    mean, upper, lower = (_smooth(each, radius) for each in (image, high, low))
    return mean, np.sqrt(np.maximum(upper * 255 + lower - mean * mean, 0))


def _smooth(image: Image.Image, radius: float) -> Any:
    """Return the mean around each cell as numbers with fractions, which 8-bit grey has not."""
    cells = np.asarray(image.reduce(_CELL), np.float64)
    reach = int(radius)
    padded = np.pad(cells, reach, mode="edge")
    for axis in (0, 1):
        sums = np.cumsum(padded, axis=axis, dtype=np.float64)
        sums = np.insert(sums, 0, 0.0, axis=axis)
        size = 2 * reach + 1
        last = np.take(sums, np.arange(size, sums.shape[axis]), axis=axis)
        padded = (last - np.take(sums, np.arange(sums.shape[axis] - size), axis=axis)) / size
    return padded
