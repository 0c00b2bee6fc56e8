from __future__ import annotations

import random

import pytest
from PIL import Image, ImageChops, ImageDraw

from ocrprep.sources.raster import raster_of
from ocrprep.sources.skew import skew
from tests.drawn_pages import INK, text_page, turned_page


@pytest.mark.parametrize("angle", [-9.5, -5.0, -2.3, -0.4, 0.0, 0.15, 0.6, 3.0, 5.0, 8.2])
def test_the_skew_of_text_is_found_to_a_tenth_of_a_degree(angle: float) -> None:
    found = skew(turned_page(text_page(), angle))
    assert found is not None
    assert found.angle == pytest.approx(angle, abs=0.1)
    assert not found.sideways


@pytest.mark.parametrize("quarter_turns", [1, 2, 3])
@pytest.mark.parametrize("angle", [-4.0, 0.7])
def test_a_page_in_any_quarter_turn_has_the_same_small_skew(angle: float, quarter_turns: int) -> None:
    found = skew(turned_page(text_page(), angle, quarter_turns))
    assert found is not None
    assert found.angle == pytest.approx(angle, abs=0.1)
    assert found.sideways == (quarter_turns != 2)


def test_light_text_on_a_dark_page_is_text() -> None:
    found = skew(turned_page(ImageChops.invert(text_page()), 2.0))
    assert found is not None
    assert found.angle == pytest.approx(2.0, abs=0.1)


def test_a_straight_frame_around_slanting_lines_does_not_decide() -> None:
    slanting = turned_page(text_page(), 2.0)
    image = Image.frombytes("L", (slanting.width, slanting.height), slanting.pixels)
    ImageDraw.Draw(image).rectangle((4, 4, image.width - 5, image.height - 5), outline=INK, width=5)
    found = skew(raster_of(image, None))
    assert found is not None
    assert found.angle == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("offset", range(0, 27, 5))
def test_columns_whose_lines_do_not_meet_keep_their_own_skew(offset: int) -> None:
    column = text_page((520, 1000), lines=30).crop((40, 60, 500, 950))
    page = Image.new("L", (1000, 1100), column.getpixel((0, 0)))
    page.paste(column, (30, 60))
    page.paste(column, (510, 60 + offset))
    found = skew(turned_page(page, 0.4))
    assert found is not None
    assert found.angle == pytest.approx(0.4, abs=0.5)


def test_lines_of_a_few_words_are_enough() -> None:
    found = skew(turned_page(text_page(lines=2), 1.5))
    assert found is not None
    assert found.angle == pytest.approx(1.5, abs=0.3)


def test_a_page_without_lines_has_no_skew() -> None:
    choose = random.Random(3)  # noqa: S311
    blank = Image.new("L", (700, 900), 230)
    scattered, grain = blank.copy(), Image.frombytes("L", (700, 900), choose.randbytes(700 * 900))
    for _ in range(400):
        x, y = choose.randrange(20, 670), choose.randrange(20, 870)
        ImageDraw.Draw(scattered).rectangle((x, y, x + choose.randrange(5, 12), y + choose.randrange(5, 12)), fill=INK)
    shaded = Image.linear_gradient("L").resize((700, 900))
    few = text_page((700, 900), lines=1).crop((0, 0, 130, 900))
    for page in (blank, scattered, grain, shaded, few, Image.new("L", (1, 1)), Image.new("L", (9, 3000), 255)):
        assert skew(raster_of(page, None)) is None
