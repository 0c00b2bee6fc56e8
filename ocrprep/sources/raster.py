"""Pixels: hash, quarter turns, page pictures, and where a page has ink."""

from __future__ import annotations

from io import BytesIO

from PIL import Image, ImageChops, ImageFilter

from ocrprep.identity import hash_bytes, hash_json
from ocrprep.pages import Raster

_CLOCKWISE = (None, Image.Transpose.ROTATE_270, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_90)

_JPEG_SIDE = 65_500
"""The longest side that libjpeg writes."""

_INK_SIDE = 1600
"""Long side of the copy on which ink is looked for: 100 to 150 dpi for a letter page, where strokes are 1 to 2
pixels wide and a scanner's noise is more than halved."""

_PAPER_RADIUS = 1 / 24
"""Share of the long side around a pixel that is its paper: wider than letters, narrower than a gutter's shadow."""

_INK_CONTRAST = 40
"""Grey levels below its paper from which a pixel is ink: faint pencil and bleached typewriting have 50 and more."""

_NOISE_SPREADS = 6
"""On noisy paper the contrast must also be so many times the median deviation (4 standard deviations)."""

_MOST_CONTRAST = 96
"""Grey levels that are ink whatever the noise: a page of coarser grain than paper has, as a halftone, is not blank."""

_DARK_PAGE = 128
"""Median grey level under which a page is light on dark, as a negative or a blueprint, and is inverted first."""

_NEIGHBOURS = 3
"""Dark pixels in the 3 x 3 around a dark pixel, itself among them, from which it is part of a stroke, not a speck."""


def grey_image(raster: Raster) -> Image.Image:
    """Return a raster as a Pillow image of mode L, sharing its bytes."""
    return Image.frombuffer("L", (raster.width, raster.height), raster.pixels, "raw", "L", 0, 1)


def raster_of(image: Image.Image, dpi: float | None) -> Raster:
    """Return an image of mode L as a raster."""
    return Raster(image.width, image.height, image.tobytes(), dpi)


def raster_hash(raster: Raster) -> str:
    """Return the ID of a raster: its width, height and pixels, not its dpi."""
    return hash_json({"width": raster.width, "height": raster.height, "pixels": hash_bytes(raster.pixels)})


def turned(raster: Raster, quarter_turns: int) -> Raster:
    """Turn a raster clockwise without loss; `Affine.quarter_turns` is the map that goes with it."""
    method = _CLOCKWISE[quarter_turns % 4]
    return raster if method is None else raster_of(grey_image(raster).transpose(method), raster.dpi)


def picture(raster: Raster, max_height: int, quality: int) -> bytes:
    """Return a grey JPEG, reduced to at most `max_height` pixels and never enlarged; quality as in libjpeg."""
    scale = min(1.0, max_height / raster.height, _JPEG_SIDE / raster.width)
    size = max(1, round(raster.width * scale)), max(1, round(raster.height * scale))
    small = grey_image(raster) if scale == 1.0 else grey_image(raster).resize(size, Image.Resampling.BOX)
    written = BytesIO()
    small.save(written, "JPEG", quality=quality, optimize=True)
    return written.getvalue()


def ink_share(raster: Raster) -> float:
    """Return the share of a page, 0 to 1, that is ink. An empty sheet has less than 0.00001 (grain, specks and a
    gutter's shadow included), one with a two-digit folio more than 0.00005.
    """
    ink = ink_mask(raster)
    return ink.histogram()[255] / (ink.width * ink.height)


def ink_mask(raster: Raster) -> Image.Image:
    """Return where a page is clearly darker than the paper around it: 255 for ink in a copy of at most 1,600 pixels.

    In order: reduce the page, and invert one that is light on dark; take the mean around each pixel as its paper; call
    a pixel dark when it is below its paper by the contrast of faint ink and by more than the paper's own noise; drop
    dark pixels without dark neighbours. A page of one even shade, be it black, has no ink.
    """
    small = grey_image(raster)
    factor = -(-max(small.size) // _INK_SIDE)
    if factor > 1:
        small = small.reduce(factor)
    if _median(small) < _DARK_PAGE:
        small = ImageChops.invert(small)
    paper = small.filter(ImageFilter.BoxBlur(max(small.size) * _PAPER_RADIUS))
    depth = ImageChops.subtract(paper, small)
    noise = _median(ImageChops.difference(paper, small))
    contrast = min(max(_INK_CONTRAST, _NOISE_SPREADS * noise), _MOST_CONTRAST)
    dark = depth.point([255 * (level >= contrast) for level in range(256)])
    # A 3 x 3 mean of 0 and 255 counts the dark neighbours in ninths.
    crowded = dark.filter(ImageFilter.BoxBlur(1)).point(
        [255 * (level >= 255 * _NEIGHBOURS // 9) for level in range(256)]
    )
    return ImageChops.darker(dark, crowded)


def _median(image: Image.Image) -> int:
    half, seen = image.width * image.height / 2, 0
    for level, count in enumerate(image.histogram()):
        seen += count
        if seen >= half:
            return level
    return 255
