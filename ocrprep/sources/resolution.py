"""At which resolution a PDF page is read: dpi where the page has the size of paper, pixels where its size says nothing.

In order: a page of the size of paper is rendered at `render_dpi`; one under an inch, whose unit cannot be true, at as
many pixels as a letter page has; one that would break the pixel budget, at the most that fits; and a page of nothing
but images at no more than the resolution of its own image where more could only be made up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ocrprep.options import RecognitionOptions

POINTS = 72
"""Points per inch."""

SMALL_PRINT_DPI = 150
"""Below this resolution small print is lost: a page of drawn text that has to be reduced further is read with a
warning. It is the lowest that Tesseract's documentation calls usable."""

PAPER = (72.0, 3400.0)
"""Points between which the long side of a page may be paper: an inch is a label, A0 has 3,370. Beyond, some program
took inches or pixels for points, and no dpi figure of the page can be trusted."""

LARGE_PAPER = 1700.0
"""Points above which the long side of a page that one coarse image fills is no paper, but that image's pixels: A2 has
1,684. Sheets above that are scanned finer than 120 dpi, or drawn."""

PLACEHOLDERS = (72.0, 96.0)
"""Resolutions that programs write which know nothing of the paper: a pixel is a point, or a Windows pixel."""

ENOUGH_PIXELS = 1320
"""Long side, in pixels, from which a picture can be a whole scanned page: a letter page has so many at 120 dpi."""

FINE_PIXELS = 2400
"""Long side, in pixels, to which a page image of very fine resolution is not reduced below: frames of microfilm and
pages measured in a wrong unit claim thousands of dpi; A4 has so many at 200 dpi."""

LONGEST_SIDE = 32_767
"""Pixels of a side beyond which Tesseract refuses a picture: a long scroll is read coarser instead."""

_NEARLY = 1.05
"""Ratio up to which two resolutions are the same: engines do not feel 5 %."""

LETTER_INCHES = 11
"""The long side of a letter page, whose pixels a page of impossibly small size gets."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """The dpi to render at; `trusted` where the engine may be told; `reduced` where drawn small print may be lost."""

    dpi: float
    trusted: bool = True
    reduced: bool = False


def resolution(
    size: tuple[float, float], image_dpi: float | None, only_images: bool, options: RecognitionOptions
) -> Resolution:
    """Return the resolution to render a page of `size` pt at, never above the pixel budget.

    `image_dpi` is the resolution of the image that covers most of it, null where it has none; `only_images` tells that
    it draws nothing else.
    """
    wanted: float = options.render_dpi
    longest = max(size)
    paper = PAPER[0] <= longest <= PAPER[1]
    if longest < PAPER[0]:
        wanted = LETTER_INCHES * options.render_dpi * POINTS / longest
        if only_images and image_dpi is not None:
            wanted = max(min(wanted, image_dpi), float(options.render_dpi))
    elif only_images and image_dpi is not None and image_dpi > options.image_dpi_range[1]:
        wanted = max(wanted, min(image_dpi, FINE_PIXELS * POINTS / longest))
    elif only_images and image_dpi is not None and not paper:
        wanted = min(wanted, image_dpi)
    dpi = fitting_dpi(size, wanted, options.max_pixels)
    kept = only_images and image_dpi is not None and image_dpi <= dpi * _NEARLY
    reduced = dpi < min(SMALL_PRINT_DPI, options.render_dpi) and not kept
    return Resolution(dpi, paper and dpi <= max(options.image_dpi_range[1], options.render_dpi), reduced)


def fitting_dpi(size: tuple[float, float], wanted: float, most_pixels: int) -> float:
    """Return the `wanted` resolution, or the highest below it at which a page of `size` pt fits `most_pixels`."""
    longest = max(size)
    if _fits(size, wanted, most_pixels):
        return wanted
    # A side of less than a pixel still takes one, so the other side alone has to fit.
    dpi = min(math.sqrt(most_pixels / size[0] / size[1]), min(most_pixels, LONGEST_SIDE) / longest) * POINTS
    dpi = min(dpi, wanted)
    if dpi > POINTS:
        dpi = float(math.floor(dpi))
    while not _fits(size, dpi, most_pixels):
        dpi *= 1 - 1 / max(raster_size(size, dpi))  # the sides are rounded to whole pixels
    return dpi


def _fits(size: tuple[float, float], dpi: float, most_pixels: int) -> bool:
    sides = raster_size(size, dpi)
    return math.prod(sides) <= most_pixels and max(sides) <= LONGEST_SIDE


def raster_size(size: tuple[float, float], dpi: float) -> tuple[int, int]:
    """Return the pixels of a page of `size` pt at a resolution: at least one each way."""
    return max(1, round(size[0] * dpi / POINTS)), max(1, round(size[1] * dpi / POINTS))


def own_pixels_reason(
    size: tuple[float, float], pixels: tuple[int, int], dpi: float, options: RecognitionOptions
) -> str | None:
    """Return why an image that fills a page of `size` pt keeps its own pixels, null where rendering serves better.

    `dpi` is what pixels and page size make it.
    """
    least, most = options.image_dpi_range
    longest = max(size)
    if least <= dpi <= most:
        return "resolution in range" if longest <= PAPER[1] else "page larger than paper"
    if dpi > most:
        return "few pixels on a small page" if max(pixels) <= FINE_PIXELS else None
    if longest > PAPER[1]:
        return "page larger than paper"
    if max(pixels) < ENOUGH_PIXELS:
        return None
    if any(abs(dpi - each) < 1 for each in PLACEHOLDERS):
        return "placeholder resolution"
    return "page larger than paper" if longest > LARGE_PAPER else None
