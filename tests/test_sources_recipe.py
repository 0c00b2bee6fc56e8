from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw

from ocrprep.options import RecipeStep
from ocrprep.pages import Affine, Box, Raster
from ocrprep.sources.levels import otsu, paper_level, sauvola
from ocrprep.sources.raster import grey_image, raster_of
from ocrprep.sources.recipe import (
    MOST_ENLARGEMENT,
    SMALLEST_ANGLE,
    WANTED_HEIGHT,
    deskewed,
    levelling,
    prepared,
)
from ocrprep.sources.shapes import shapes
from ocrprep.sources.skew import skew
from tests.drawn_pages import INK, PAPER, text_page, turned_page

EVERYTHING: tuple[RecipeStep, ...] = ("border_crop", "deskew", "upscale", "binarise")
BUDGET = 120_000_000


def names(steps: Sequence[object]) -> list[str]:
    return [step.name for step in steps]  # type: ignore[attr-defined]


@st.composite
def damaged_pages(draw: st.DrawFn) -> tuple[Raster, list[Box]]:
    """Draw words as bars, turned, scaled and with black borders, and their boxes in the page so damaged."""
    angle, scale = draw(st.floats(-5, 5)), draw(st.floats(0.5, 1.5))
    choose = random.Random(draw(st.integers(0, 99)))  # noqa: S311
    image, boxes = Image.new("L", (640, 800), PAPER), []
    for top in range(100, 700, 32):
        x0 = 90
        while x0 < 520:
            x1 = x0 + choose.randrange(10, 24)
            ImageDraw.Draw(image).rectangle((x0, top, x1 - 1, top + 13), fill=INK)
            boxes.append(Box(x0, top, x1, top + 14))
            x0 = x1 + choose.randrange(8, 20)
    back, size = levelling(image.width, image.height, -angle)
    coefficients = (back.a, back.c, back.e, back.b, back.d, back.f)
    image = image.transform(size, Image.Transform.AFFINE, coefficients, Image.Resampling.BICUBIC, fillcolor=PAPER)
    there = _inverse(back)
    scaled = image.resize((round(size[0] * scale), round(size[1] * scale)), Image.Resampling.BICUBIC)
    there = there.then(Affine.scale(scaled.width / size[0], scaled.height / size[1]))
    for side in draw(st.sets(st.sampled_from(("left", "top", "right", "bottom")))):
        _blacken(scaled, side, round(draw(st.floats(0.005, 0.04)) * scaled.height))
    return raster_of(scaled, None), [there.box(box) for box in boxes]


def _blacken(image: Image.Image, side: str, depth: int) -> None:
    width, height = image.size
    edges = {
        "left": (0, 0, depth, height),
        "top": (0, 0, width, depth),
        "right": (width - depth, 0, width, height),
        "bottom": (0, height - depth, width, height),
    }
    ImageDraw.Draw(image).rectangle(edges[side], fill=12)


@settings(max_examples=6, deadline=None)
@given(damaged_pages(), st.sampled_from([EVERYTHING, EVERYTHING[:3], EVERYTHING[:2], EVERYTHING[1:3]]))
def test_the_map_brings_every_word_of_the_prepared_page_back_to_its_place(
    page: tuple[Raster, list[Box]], recipe: tuple[RecipeStep, ...]
) -> None:
    raster, boxes = page
    ready = prepared(raster, recipe, most_pixels=BUDGET)
    found = shapes(ready.raster)
    ends = zip(found.x0, found.top, found.x1, found.bottom, strict=True)
    back = [ready.affine.box(Box(*(float(each * found.factor) for each in end))) for end in ends]
    allowed = max(raster.width, raster.height) / 100
    for box in boxes:
        nearest = min(
            back, key=lambda other: abs(other.centre[0] - box.centre[0]) + abs(other.centre[1] - box.centre[1])
        )
        assert nearest == pytest.approx(box, abs=allowed)


def test_a_good_page_stays_as_it_is() -> None:
    page = raster_of(text_page(letters=40, size=(1400, 1800)), 200.0)
    ready = prepared(page, EVERYTHING[:3], most_pixels=BUDGET)
    assert ready.raster is page
    assert (ready.steps, ready.affine, ready.skew) == ((), Affine(), 0.0)


@pytest.mark.parametrize(
    "image", [Image.new("L", (1, 1), 0), Image.new("L", (500, 700), 255), Image.new("L", (3, 900))]
)
def test_a_page_without_letters_stays_as_it_is(image: Image.Image) -> None:
    assert prepared(raster_of(image, None), EVERYTHING, most_pixels=BUDGET).steps == ()


def test_steps_are_taken_and_recorded_in_their_own_order() -> None:
    page = turned_page(text_page(letters=14), 3.0)
    ready = prepared(page, ("binarise", "upscale", "deskew"), most_pixels=BUDGET)
    assert names(ready.steps) == ["deskew", "upscale", "binarise"]


def test_the_skew_that_was_undone_is_told() -> None:
    ready = prepared(turned_page(text_page(), -3.0), ("deskew",), most_pixels=BUDGET)
    assert ready.skew == pytest.approx(-3.0, abs=0.1)
    assert ready.steps[0].parameters["angle"] == ready.skew
    level = skew(ready.raster)
    assert level is not None
    assert level.angle == pytest.approx(0, abs=0.1)


def test_a_small_skew_is_left() -> None:
    assert prepared(turned_page(text_page(), SMALLEST_ANGLE - 0.2), ("deskew",), most_pixels=BUDGET).steps == ()


def test_turning_cuts_no_corner_off() -> None:
    raster = turned_page(text_page(), 4.0)
    image = grey_image(raster).copy()
    for corner in ((0, 0), (image.width - 9, 0), (0, image.height - 9), (image.width - 9, image.height - 9)):
        image.paste(INK, (*corner, corner[0] + 9, corner[1] + 9))
    ready = prepared(raster_of(image, None), ("deskew",), most_pixels=BUDGET)
    assert names(ready.steps) == ["deskew"]
    for x in (4.5, image.width - 4.5):
        for y in (4.5, image.height - 4.5):
            column, row = map(int, _inverse(ready.affine).point(x, y))
            assert ready.raster.pixels[row * ready.raster.width + column] < 128


def _inverse(affine: Affine) -> Affine:
    (a, c), (b, d) = np.linalg.inv([[affine.a, affine.c], [affine.b, affine.d]]).tolist()
    return Affine(a, b, c, d, -a * affine.e - c * affine.f, -b * affine.e - d * affine.f)


def test_the_new_corners_have_the_colour_of_the_paper() -> None:
    for page, paper in ((text_page(), PAPER), (ImageChops.invert(text_page()), 255 - PAPER)):
        done = deskewed(turned_page(page, 4.0), BUDGET)
        assert done is not None
        assert grey_image(done.raster).getpixel((0, 0)) == paper


def test_small_letters_are_enlarged_to_the_wanted_height_and_the_resolution_with_them() -> None:
    page = raster_of(text_page(letters=14), 100.0)
    ready = prepared(page, ("upscale",), most_pixels=BUDGET)
    factor = ready.steps[0].parameters["factor"]
    assert factor == pytest.approx(WANTED_HEIGHT / ready.steps[0].parameters["textHeight"], rel=0.001)
    assert 1 < factor <= MOST_ENLARGEMENT
    assert ready.raster.dpi == pytest.approx(100.0 * factor, rel=0.001)
    assert ready.affine.point(ready.raster.width, ready.raster.height) == pytest.approx((page.width, page.height))


@pytest.mark.parametrize("recipe", [("deskew",), ("upscale",), EVERYTHING])
def test_no_step_exceeds_the_pixel_budget(recipe: tuple[RecipeStep, ...]) -> None:
    page = turned_page(text_page(letters=14), 3.0)
    for budget in (page.width * page.height, page.width * page.height + 40_000, page.width * page.height * 2):
        raster = prepared(page, recipe, most_pixels=budget).raster
        assert raster.width * raster.height <= budget


def test_a_black_border_is_whitened_and_nothing_else() -> None:
    bare = text_page()
    bordered = bare.copy()
    for box in ((0, 0, 24, 900), (0, 880, 700, 900), (697, 200, 700, 900)):
        bordered.paste(8, box)
    ready = prepared(raster_of(bordered, None), ("border_crop",), most_pixels=BUDGET)
    assert names(ready.steps) == ["border_crop"]
    assert ready.affine == Affine()
    assert ImageChops.difference(grey_image(ready.raster), bare).getextrema()[1] == 0


def test_a_slanting_border_is_whitened() -> None:
    slanting = grey_image(turned_page(text_page(), 2.0)).copy()
    height = slanting.height
    ImageDraw.Draw(slanting).polygon(((0, 0), (30, 0), (2, height), (0, height)), fill=5)
    ready = prepared(raster_of(slanting, None), ("border_crop",), most_pixels=BUDGET)
    left = np.asarray(grey_image(ready.raster))[:, :30]
    assert (left < 128).mean() < 0.02


def _heading_in_white(page: Image.Image) -> None:
    draw = ImageDraw.Draw(page)
    draw.rectangle((0, 0, page.width, 90), fill=10)
    page.paste(ImageChops.invert(text_page(letters=50).crop((60, 80, 640, 150))), (60, 10))


@pytest.mark.parametrize(
    "ink",
    [
        _heading_in_white,
        lambda page: ImageDraw.Draw(page).rectangle((60, 860, 140, 899), fill=10),
        lambda page: page.paste(text_page(letters=30).crop((80, 95, 700, 400)), (0, 300)),
        lambda page: ImageDraw.Draw(page).rectangle((30, 30, 670, 870), outline=10, width=6),
        lambda page: ImageDraw.Draw(page).rectangle((200, 300, 500, 600), fill=10),
    ],
    ids=["heading in white on black", "stamp cut by the edge", "text cut by the edge", "frame", "picture"],
)
def test_ink_of_the_page_is_no_border(ink) -> None:  # type: ignore[no-untyped-def]
    page = text_page()
    ink(page)
    assert prepared(raster_of(page, None), ("border_crop",), most_pixels=BUDGET).steps == ()


def test_a_page_in_white_on_black_has_no_border() -> None:
    page = raster_of(ImageChops.invert(text_page()), None)
    assert prepared(page, ("border_crop",), most_pixels=BUDGET).steps == ()


def test_otsu_parts_two_levels_between_them() -> None:
    image = Image.new("L", (40, 40), 200)
    image.paste(90, (0, 0, 10, 40))
    done, parameters = otsu(raster_of(image, None))
    assert 90 <= parameters["threshold"] < 200
    assert grey_image(done).histogram()[0] == 400


def test_a_local_threshold_keeps_text_in_a_shadow() -> None:
    shadow = Image.linear_gradient("L").rotate(90).resize((700, 900)).point(lambda level: 60 + level * 0.7)
    page = raster_of(ImageChops.multiply(text_page(), shadow), None)
    clean = np.asarray(text_page()) < 128
    locally, globally = (np.asarray(grey_image(each(page)[0])) == 0 for each in (sauvola, otsu))
    assert (locally != clean).mean() < 0.02
    assert (globally != clean).mean() > 0.1


def test_a_page_of_two_levels_is_not_made_black_and_white_again() -> None:
    page = raster_of(text_page().point([255 * (level > 128) for level in range(256)]), None)
    assert prepared(page, ("binarise",), most_pixels=BUDGET).steps == ()


@pytest.mark.parametrize(("image", "level"), [(text_page(), PAPER), (ImageChops.invert(text_page()), 255 - PAPER)])
def test_the_paper_is_what_most_of_a_page_is(image: Image.Image, level: int) -> None:
    assert paper_level(raster_of(image, None)) == level
    image = image.copy()
    image.paste(0 if level > 128 else level, (0, 0, 250, 900))
    assert paper_level(raster_of(image, None)) == level
