"""Rasters: their hashes, quarter turns, pictures, and the share of ink."""

from __future__ import annotations

import random
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFilter

from ocrprep.pages import Affine, Box, Raster
from ocrprep.sources import Scan, ink_share, raster_hash, turned
from ocrprep.sources.raster import grey_image, raster_of


@st.composite
def rasters(draw: st.DrawFn) -> Raster:
    """Draw a small raster."""
    width, height = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    return Raster(width, height, draw(st.binary(min_size=width * height, max_size=width * height)), 300.0)


@given(rasters(), st.integers(-5, 9))
def test_a_turned_raster_and_its_affine_agree_on_every_pixel(raster: Raster, turns: int) -> None:
    result = turned(raster, turns)
    turn = Affine.quarter_turns(turns, raster.width, raster.height)
    assert result.dpi == raster.dpi
    for y in range(raster.height):
        for x in range(raster.width):
            new = turn.box(Box(x, y, x + 1, y + 1))
            at = int(new.top) * result.width + int(new.x0)
            assert result.pixels[at] == raster.pixels[y * raster.width + x]


@given(rasters(), st.integers(-5, 9))
def test_turning_back_loses_nothing(raster: Raster, turns: int) -> None:
    assert turned(turned(raster, turns), -turns) == raster


@given(st.integers(0, 3), st.integers(0, 3), st.integers(1, 50), st.integers(1, 50))
def test_two_turns_compose_to_one(first: int, second: int, width: int, height: int) -> None:
    between = (height, width) if first % 2 else (width, height)
    both = Affine.quarter_turns(first, width, height).then(Affine.quarter_turns(second, *between))
    assert both == Affine.quarter_turns(first + second, width, height)


def test_a_hash_covers_size_and_pixels_and_nothing_else() -> None:
    pixels = bytes(range(6))
    assert raster_hash(Raster(2, 3, pixels, 300.0)) == raster_hash(Raster(2, 3, pixels))
    assert len({raster_hash(Raster(w, h, pixels)) for w, h in ((2, 3), (3, 2), (6, 1))}) == 3
    # The hash of a raster is written into records: it may not change from one version to the next.
    known = "sha256:5920d148ccf808425e38b4138c653b6d12c4a39514fc17ceebd806964abbd6bb"
    assert raster_hash(Raster(2, 3, pixels)) == known


def paper(level: int = 235, noise: float = 0.0, size: tuple[int, int] = (1240, 1754)) -> Image.Image:
    """Make a sheet of one shade with reproducible grain, its spread in grey levels."""
    grain = random.Random(7)  # noqa: S311
    tile = [min(255, max(0, round(grain.gauss(level, noise)))) for _ in range(128 * 128)]
    sheet, patch = Image.new("L", size), Image.new("L", (128, 128))
    patch.putdata(tile)
    for x in range(0, size[0], 128):
        for y in range(0, size[1], 128):
            sheet.paste(patch, (x, y))
    return sheet


def written(sheet: Image.Image, words: str = "three small words", fill: int = 60) -> Image.Image:
    """Write words of about 10 pt at 150 dpi in the middle of a sheet."""
    ImageDraw.Draw(sheet).text((500, 800), words, fill=fill, font_size=20)
    return sheet


def shadowed(sheet: Image.Image) -> Image.Image:
    """Darken a sheet towards its left side, like the gutter of a book."""
    gradient = (
        Image.linear_gradient("L")
        .rotate(90)
        .resize(sheet.size)
        .point([60 + level * 195 // 255 for level in range(256)])
    )
    return Image.composite(sheet, Image.new("L", sheet.size), gradient)


def specked(sheet: Image.Image) -> Image.Image:
    """Strew black specks of one pixel and of two over a sheet."""
    where = random.Random(8)  # noqa: S311
    for _ in range(300):
        x, y = where.randrange(sheet.width - 1), where.randrange(sheet.height)
        sheet.putpixel((x, y), 0)
        sheet.putpixel((x + where.randrange(2), y), 0)
    return sheet


@pytest.mark.parametrize(
    "sheet",
    [
        paper(),
        paper(255),
        paper(0),
        paper(noise=8),
        paper(noise=25),
        paper(150, noise=15),
        shadowed(paper(noise=8)),
        specked(paper()),
        paper(noise=15, size=(2480, 3508)),
    ],
    ids=["clean", "white", "black", "grain", "coarse", "grey", "gutter", "specks", "300 dpi"],
)
def test_a_blank_sheet_has_no_ink(sheet: Image.Image) -> None:
    assert ink_share(raster_of(sheet, None)) < 0.00001


@pytest.mark.parametrize(
    "sheet",
    [
        written(paper()),
        written(paper(), fill=140),
        written(paper(noise=8)),
        written(paper(150, noise=15), fill=30),
        shadowed(written(paper(noise=8))),
        written(paper(20), fill=230),
        written(paper(), "12").filter(ImageFilter.GaussianBlur(1)),
    ],
    ids=["clean", "faint", "grain", "grey", "gutter", "negative", "a blurred folio"],
)
def test_a_few_words_are_ink(sheet: Image.Image) -> None:
    assert 0.00005 < ink_share(raster_of(sheet, None)) < 0.01


def test_a_page_of_coarse_black_and_white_is_not_blank() -> None:
    coarse = paper(128, noise=200, size=(120, 180)).point([255 * (level > 127) for level in range(256)])
    assert ink_share(raster_of(coarse.resize((1200, 1800), Image.Resampling.NEAREST), None)) > 0.1


def test_a_picture_is_small_grey_and_never_enlarged() -> None:
    raster = raster_of(written(paper()), 150.0)
    scan = Scan(1, None, (1, 1), (595.0, 842.0), "pt", raster, (), Affine())
    picture = Image.open(BytesIO(scan.picture()))
    assert (picture.format, picture.mode, picture.size) == ("JPEG", "L", (990, 1400))
    assert Image.open(BytesIO(scan.picture(9000))).size == (1240, 1754)
    assert len(scan.picture(quality=30)) < len(scan.picture())


def test_a_raster_becomes_an_image_and_back() -> None:
    raster = Raster(2, 3, bytes(range(6)), 300.0)
    assert raster_of(grey_image(raster), 300.0) == raster
