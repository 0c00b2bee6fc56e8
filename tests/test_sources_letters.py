from __future__ import annotations

import random

import numpy as np
import pytest
from PIL import Image

from ocrprep.sources.letters import text_height
from ocrprep.sources.raster import raster_of
from ocrprep.sources.shapes import labelled, measured, runs
from tests.drawn_pages import PAPER, text_page, turned_page


def test_the_height_of_letters_grows_with_the_page() -> None:
    page = text_page()
    height = text_height(raster_of(page, None))
    assert height is not None
    for factor in (0.7, 1.5, 2.5, 4.0):
        size = round(page.width * factor), round(page.height * factor)
        scaled = text_height(raster_of(page.resize(size, Image.Resampling.BICUBIC), None))
        assert scaled == pytest.approx(height * factor, rel=0.12)


def test_it_is_close_to_the_height_of_an_x() -> None:
    page = text_page(letters=40, size=(1400, 1800))
    assert text_height(raster_of(page, None)) == pytest.approx(40 * 0.55, rel=0.15)


@pytest.mark.parametrize("quarter_turns", [1, 2, 3])
def test_a_turned_page_has_letters_of_the_same_height(quarter_turns: int) -> None:
    upright = text_height(turned_page(text_page(), 1.0))
    assert upright is not None
    assert text_height(turned_page(text_page(), 1.0, quarter_turns)) == pytest.approx(upright, rel=0.05)


def test_specks_are_no_letters() -> None:
    page, choose = text_page(), random.Random(5)  # noqa: S311
    clean = text_height(raster_of(page, None))
    for _ in range(3000):
        page.putpixel((choose.randrange(page.width), choose.randrange(page.height)), 0)
    assert text_height(raster_of(page, None)) == pytest.approx(clean, rel=0.1)


def test_a_page_without_letters_has_no_height() -> None:
    assert text_height(raster_of(Image.new("L", (600, 800), PAPER), None)) is None
    assert text_height(raster_of(Image.new("L", (1, 1), PAPER), None)) is None


PICTURES = [
    ["."],
    ["#"],
    ["##.##", "#...#"],
    ["#.#", ".#.", "#.#"],
    ["#...#", "#...#", "#####"],
    ["#####", "....#", "###.#", "#...#", "#####"],
    ["#..#..#", ".......", "##.##.#"],
]


@pytest.mark.parametrize("picture", PICTURES)
def test_shapes_are_what_a_flood_from_each_pixel_reaches(picture: list[str]) -> None:
    _same_as_flood(np.array([[each == "#" for each in row] for row in picture]))


def test_shapes_of_noise_are_what_a_flood_from_each_pixel_reaches() -> None:
    for seed, density in enumerate((0.2, 0.4, 0.5, 0.6, 0.9)):
        _same_as_flood(np.random.default_rng(seed).random((23, 31)) < density)


def _same_as_flood(mask: np.ndarray) -> None:
    flooded = _flooded(mask)
    boxes = sorted(
        (min(x), min(y), max(x) + 1, max(y) + 1, len(x)) for x, y in (zip(*each, strict=True) for each in flooded)
    )
    assert sorted(zip(*(each.tolist() for each in measured(mask)), strict=True)) == boxes
    labels = labelled(mask)
    assert (labels > 0).tolist() == mask.tolist()
    numbered = [{int(labels[y, x]) for x, y in each} for each in flooded]
    assert sorted(numbered, key=min) == [{number} for number in range(1, len(flooded) + 1)]


def _flooded(mask: np.ndarray) -> list[set[tuple[int, int]]]:
    left = {(int(x), int(y)) for y, x in zip(*np.nonzero(mask), strict=True)}
    found = []
    while left:
        shape, edge = set(), [left.pop()]
        while edge:
            x, y = edge.pop()
            shape.add((x, y))
            near = {(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} & left
            left -= near
            edge.extend(near)
        found.append(shape)
    return found


def test_runs_of_a_row_do_not_go_on_in_the_next() -> None:
    starts, ends, rows = runs(np.array([[True, False, True], [True, True, False], [False, False, False]]))
    assert list(zip(starts.tolist(), ends.tolist(), rows.tolist(), strict=True)) == [(0, 1, 0), (2, 3, 0), (0, 2, 1)]
