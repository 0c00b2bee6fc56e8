"""Boxes, affine maps, and pages in compact arrays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrprep.pages import Affine, Box, Line, Page, Raster, Word, around
from tests.strategies import LINE, boxes

NUMBERS = st.integers(-50, 50).map(lambda n: n / 4)
AFFINES = st.builds(Affine, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS)


@given(AFFINES, AFFINES, NUMBERS, NUMBERS)
def test_composing_is_applying_one_after_the_other(first: Affine, second: Affine, x: float, y: float) -> None:
    assert first.then(second).point(x, y) == pytest.approx(second.point(*first.point(x, y)))


@given(st.integers(-5, 5), boxes(600, 800))
def test_a_quarter_turn_keeps_a_box_on_the_page_and_turns_back(turns: int, box: Box) -> None:
    size = (600.0, 800.0)
    turned_size = size if turns % 2 == 0 else size[::-1]
    there = Affine.quarter_turns(turns, *size)
    turned = there.box(box)
    assert -1e-9 <= turned.x0 <= turned.x1 <= turned_size[0] + 1e-9
    assert -1e-9 <= turned.top <= turned.bottom <= turned_size[1] + 1e-9
    assert Affine.quarter_turns(-turns, *turned_size).box(turned) == pytest.approx(box)


def test_one_quarter_turn_is_clockwise() -> None:
    assert Affine.quarter_turns(1, 600, 800).point(0, 0) == (800, 0)


@given(st.lists(boxes(), min_size=1, max_size=4))
def test_the_box_around_boxes_holds_each(some: list[Box]) -> None:
    whole = around(some)
    assert all(whole.overlap(box) == pytest.approx(box.area) for box in some)


@given(st.lists(LINE, max_size=5))
def test_a_page_gives_back_its_lines_and_words(lines: list[Line]) -> None:
    page = Page(1, (600.0, 800.0), "pt", lines)
    assert page.lines == lines
    assert list(page.words) == [word for line in lines for word in line.words]
    for number, line in enumerate(lines):
        assert page.words[page.word_range(number).start : page.word_range(number).stop] == list(line.words)
        assert {page.line_of_word(index) for index in page.word_range(number)} == {number}


def test_the_page_score_moves_with_confidence_by_characters() -> None:
    def page(confidence: float) -> Page:
        box = Box(0, 0, 1, 1)
        return Page(1, (9.0, 9.0), "px", [Line((Word("ledger", box, confidence), Word("is", box, 0.95)))])

    assert page(0.96).score == pytest.approx((6 * 0.96 + 2 * 0.95) / 8, abs=0.001)
    assert (page(0.0).score or 0) < (page(0.96).score or 0)
    assert Page(1, (9.0, 9.0), "px", [Line((Word("a", Box(0, 0, 1, 1)),))]).score is None


def test_what_is_no_page_or_raster_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="no words"):
        Page(1, (9.0, 9.0), "px", [Line(())])
    with pytest.raises(ValueError, match="no 2 x 2 grey raster"):
        Raster(2, 2, b"123")
