"""A recipe: what is done to a page's pixels before an engine reads them, as named steps that are recorded.

1. `border_crop` whitens the black that a scanner leaves around a page; the size stays, so that nothing is cut off.
2. `deskew` turns the page until its lines are level, on a canvas large enough for all of it.
3. `upscale` enlarges a page whose letters are lower than the engine reads well.
4. `binarise` makes the page black and white, each pixel judged by its surroundings.

Every step measures first and leaves the page as it is where there is nothing to do or too little to go by. What was
done is recorded, and the maps back are composed into one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import get_args

from PIL import Image

from ocrprep.options import RecipeStep
from ocrprep.pages import Affine, ImageTransformation, Raster
from ocrprep.sources.borders import borders, whitened
from ocrprep.sources.letters import text_height
from ocrprep.sources.levels import paper_level, sauvola
from ocrprep.sources.raster import grey_image, raster_of
from ocrprep.sources.skew import skew

SMALLEST_ANGLE = 1.0
"""Degrees of skew from which a page is turned. Measured with Tesseract (calibration/README.md): under 1 degree as many
pages read worse as better, at 1 to 2 CER falls from 5.8 to 5.2 %, at 2 to 3 from 11 to 6 %, above from 26 to 5 %."""

READABLE_HEIGHT = 14.0
"""Pixels of text height under which a page is enlarged. Measured with Tesseract (calibration/README.md): mean CER is
7.7 % at 9 pixels, 6.6 % at 12, 6.4 % at 16, 6.3 % at 20, and no lower at 26 and 34; 14 itself was not measured."""

WANTED_HEIGHT = 20.0
"""Pixels of text height that an enlarged page has: the best of that measurement; 28 reads no better and takes a quarter
longer. Tesseract's own advice is an x-height of 20 pixels and more."""

MOST_ENLARGEMENT = 4.0
"""The largest factor: on one page of letters of 4 pixels, CER was 16 % at 3.5 times and 18 % at 5 times."""

_TOLD_DECIMALS = 4
"""Angles and factors are told to the ten-thousandth: half a pixel on 5,000."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A raster ready to be read: the steps that changed it, in order, and the map from it back to the raster given.

    `skew` is the angle in degrees that deskewing undid, to be added to every baseline angle read; 0 where none was.
    """

    raster: Raster
    steps: tuple[ImageTransformation, ...] = ()
    affine: Affine = field(default_factory=Affine)
    skew: float = 0.0


def prepared(raster: Raster, recipe: Sequence[RecipeStep], *, most_pixels: int) -> Prepared:
    """Take the steps of a recipe in their fixed order; a step that would exceed `most_pixels` does less or nothing."""
    result = Prepared(raster)
    for name in get_args(RecipeStep):
        if name in recipe:
            done = STEPS[name](result.raster, most_pixels)
            if done is not None:
                result = _then(result, done)
    return result


def border_cropped(raster: Raster, most_pixels: int) -> Prepared | None:  # noqa: ARG001
    """Whiten the black borders of a scan, null where there are none."""
    found = borders(raster)
    if found is None:
        return None
    level = paper_level(raster)
    step = ImageTransformation("border_crop", {"share": round(found.share, _TOLD_DECIMALS), "level": level})
    return Prepared(whitened(raster, found, level), (step,))


def deskewed(raster: Raster, most_pixels: int, *, smallest: float = SMALLEST_ANGLE) -> Prepared | None:
    """Level the lines of a page, null where they are level, not to be found, or the canvas would be too large."""
    found = skew(raster)
    if found is None or abs(found.angle) < smallest:
        return None
    angle = round(found.angle, _TOLD_DECIMALS)
    affine, (width, height) = levelling(raster.width, raster.height, angle)
    if width * height > most_pixels:
        return None
    level = paper_level(raster)
    coefficients = (affine.a, affine.c, affine.e, affine.b, affine.d, affine.f)
    level_page = grey_image(raster).transform(
        (width, height), Image.Transform.AFFINE, coefficients, Image.Resampling.BICUBIC, fillcolor=level
    )
    parameters = {"angle": angle, "confidence": round(found.confidence, 2), "fill": level, "size": [width, height]}
    return Prepared(raster_of(level_page, raster.dpi), (ImageTransformation("deskew", parameters),), affine, angle)


def levelling(width: int, height: int, angle: float) -> tuple[Affine, tuple[int, int]]:
    """Return the map from the levelled page back to the page, and the levelled page's size; angle in degrees."""
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    wide = math.ceil(width * cosine + height * abs(sine))
    tall = math.ceil(height * cosine + width * abs(sine))
    centred = Affine(e=-wide / 2, f=-tall / 2)
    turn = Affine(cosine, sine, -sine, cosine)
    return centred.then(turn).then(Affine(e=width / 2, f=height / 2)), (wide, tall)


def upscaled(raster: Raster, most_pixels: int) -> Prepared | None:
    """Enlarge a page of small letters, null where they are large enough or not to be found."""
    height = text_height(raster)
    if height is None or height >= READABLE_HEIGHT:
        return None
    room = math.sqrt(most_pixels / (raster.width * raster.height))
    factor = min(WANTED_HEIGHT / height, MOST_ENLARGEMENT, room)
    if factor <= 1:
        return None
    done = scaled(raster, factor)
    step = ImageTransformation(
        "upscale",
        {
            "factor": round(factor, _TOLD_DECIMALS),
            "textHeight": round(height, 2),
            "size": [done.raster.width, done.raster.height],
        },
    )
    return Prepared(done.raster, (step,), done.affine)


def scaled(raster: Raster, factor: float) -> Prepared:
    """Return a raster with both sides multiplied by a factor and rounded down, and its resolution with them."""
    size = max(1, int(raster.width * factor)), max(1, int(raster.height * factor))
    larger = grey_image(raster).resize(size, Image.Resampling.BICUBIC)
    dpi = None if raster.dpi is None else raster.dpi * factor
    affine = Affine.scale(raster.width / size[0], raster.height / size[1])
    return Prepared(raster_of(larger, dpi), affine=affine)


def binarised(raster: Raster, most_pixels: int) -> Prepared | None:  # noqa: ARG001
    """Make a page black and white, null where it is already."""
    if sum(count > 0 for count in grey_image(raster).histogram()) <= 2:
        return None
    done, parameters = sauvola(raster)
    return Prepared(done, (ImageTransformation("binarise", parameters),))


STEPS: dict[RecipeStep, Callable[[Raster, int], Prepared | None]] = {
    "border_crop": border_cropped,
    "deskew": deskewed,
    "upscale": upscaled,
    "binarise": binarised,
}


def _then(before: Prepared, after: Prepared) -> Prepared:
    return Prepared(
        after.raster, (*before.steps, *after.steps), after.affine.then(before.affine), before.skew + after.skew
    )
