"""Glyphs become words and lines: spaces, gaps, columns, letter-spacing, drawing order, directions, blocks."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrprep.pages import Line
from ocrprep.sources.glyphs import Glyphs, no_glyphs
from ocrprep.sources.text_lines import SetWord, finished, set_lines, turns_upright, word_text
from tests.test_sources_glyphs import together, typed


def lines_of(*parts: Glyphs, turns: int = 0) -> tuple[Line, ...]:
    """Set texts into finished lines."""
    glyphs = together(parts)
    return finished(set_lines(glyphs), glyphs, "text_layer", turns)


def texts(lines: Sequence[Line]) -> list[str]:
    """Return the lines' words, joined by spaces."""
    return [" ".join(word.text for word in line.words) for line in lines]


def spread(text: str, gaps: Sequence[float], x: float = 0, font: int = 0) -> Glyphs:
    """Set a text with a gap in em before each letter but the first."""
    glyphs = typed(text, x=x, font=font)
    shift = np.concatenate([[0], np.cumsum(np.array(gaps) * 10)])
    moved = np.column_stack([shift, np.zeros(len(text))])
    return replace(glyphs, origins=glyphs.origins + moved, boxes=glyphs.boxes + np.hstack([moved, moved]))


def test_a_page_without_glyphs_has_no_lines() -> None:
    assert set_lines(no_glyphs()) == []
    assert turns_upright([]) == 0


@pytest.mark.parametrize(
    ("glyphs", "expected"),
    [
        (typed("two words"), "two words"),
        (typed("two\u00a0words"), "two words"),
        (typed("two\u3000words"), "two words"),
        (spread("ab", [0.25]), "a b"),
        (spread("ab", [0.1]), "ab"),
        (spread("ab", [-0.1]), "ab"),
        (spread("abcdef", [0.0, 0.0, 0.3, 0.0, 0.0]), "abc def"),
        (spread("LETTERSPACED", [0.3] * 11), "LETTERSPACED"),
        (spread("SPACEDWORDS", [0.3] * 5 + [0.7] + [0.3] * 4), "SPACED WORDS"),
        (spread("SPACED OUT", [0.3] * 9), "SPACED OUT"),
        (spread("on to", [0.3, 0.3, 0.3, 0.3]), "o n t o"),
        (spread("12345678", [0.3] * 7), "1 2 3 4 5 6 7 8"),
        (spread("anda", [0.0, 0.0, 0.3]), "and a"),
        (together([typed("bold", font=1), spread("face", [0.0] * 3, x=26.5, font=2)]), "bold face"),
    ],
)
def test_words_part_at_spaces_and_at_gaps_that_letter_spacing_does_not_explain(glyphs: Glyphs, expected: str) -> None:
    assert texts(lines_of(glyphs)) == [expected]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        # Bold words are often drawn before the others.
        ([typed("bold", x=24), typed("The", x=0), typed("face", x=54)], ["The bold face"]),
        ([typed("cond", x=18), typed("se", x=6)], ["second"]),
        # A column's gutter, drawn column by column and line by line.
        ([typed("left", y=100), typed("left", y=112), typed("right", x=40, y=100)], ["left", "left", "right"]),
        ([typed("left", y=100), typed("right", x=60, y=100)], ["left", "right"]),
        # A tab stop, and a number after leader dots.
        ([typed("Chapter"), typed("12", x=42 + 20)], ["Chapter 12"]),
        ([typed("Chapter......"), typed("12", x=78 + 60)], ["Chapter...... 12"]),
        ([typed("The end."), typed("12", x=48 + 60)], ["The end.", "12"]),
        # Lines under one another.
        ([typed("first", y=100), typed("second", y=109)], ["first", "second"]),
        # A note number, small and raised.
        ([typed("word"), typed("12", x=24, y=96.5, size=6)], ["word12"]),
        # The same text in two places that overlap: neither is lost.
        ([typed("layer"), typed("layer", x=3)], ["layer", "layer"]),
        # An accent is set back over its letter.
        ([typed("cafe"), typed("\u00b4", x=18.5), typed("s", x=24)], ["cafe\u00b4s"]),
    ],
)
def test_pieces_become_lines(parts: list[Glyphs], expected: list[str]) -> None:
    assert texts(lines_of(*parts)) == expected


@given(
    st.lists(st.text(string.ascii_letters + string.digits + ".,-", min_size=1, max_size=9), min_size=1, max_size=8),
    st.sampled_from([0, 90, 180, 270]),
    st.floats(-4, 4),
)
def test_every_word_comes_back_in_order_in_its_own_direction(words: list[str], quarter: int, slant: float) -> None:
    glyphs = typed(" ".join(words), x=300, y=300, angle=quarter + slant)
    lines = set_lines(glyphs)
    turns = turns_upright(lines)
    made = finished(lines, glyphs, "text_layer", turns)
    assert [word.text for line in made for word in line.words] == words
    assert turns == -(quarter // 90) % 4
    assert all(word.baseline_angle == pytest.approx(slant) for line in made for word in line.words)
    assert all(word.font_size == pytest.approx(10) for line in made for word in line.words)


@given(st.permutations(range(12)))
def test_no_glyph_is_lost_whatever_the_order_of_drawing(order: list[int]) -> None:
    glyphs = together(
        [typed(letter, x=10 * (at % 4), y=100 + 15 * (at // 4)) for at, letter in enumerate("abcdefghijkl")]
    )
    shuffled = glyphs.take(order)
    found = [index for line in set_lines(shuffled) for word in line.words for index in word.glyphs]
    assert sorted(found) == list(range(12))


def test_lines_keep_the_order_of_the_file() -> None:
    lines = lines_of(*(typed(name, y=y) for name, y in [("third", 300), ("first", 100), ("second", 200)]))
    assert texts(lines) == ["third", "first", "second"]


def test_lines_of_a_file_that_jumps_about_are_read_from_top_to_bottom() -> None:
    heights = [9, 3, 7, 1, 8, 2, 6, 0, 5, 4]
    lines = lines_of(*(typed(f"line{at}", y=100 + 20 * at) for at in heights))
    assert texts(lines) == [f"line{at}" for at in range(10)]
    columns = lines_of(*(typed(f"line{at}", x=200 * (at // 10), y=100 + 20 * (at % 10)) for at in range(20)))
    assert texts(columns) == [f"line{at}" for at in range(20)]


def test_blocks_are_lines_close_by_of_one_size() -> None:
    lines = lines_of(
        typed("Heading", y=60, size=18),
        typed("one", y=100),
        typed("two", y=112),
        typed("three", y=140),
        typed("aside", x=200, y=152),
    )
    assert [line.block for line in lines] == [1, 2, 2, 3, 4]
    upright = lines_of(
        typed("one", x=100, angle=90), typed("two", x=88, angle=90), typed("far", x=40, angle=90), turns=3
    )
    assert [line.block for line in upright] == [1, 1, 2]


HEBREW = "\u05e9\u05dc\u05d5\u05dd"


@pytest.mark.parametrize("visual", [False, True])
@pytest.mark.parametrize(
    ("logical", "displayed", "expected"),
    [
        (HEBREW, HEBREW[::-1], HEBREW),
        # A number within a word runs from the left, a vowel sign follows its letter.
        (f"{HEBREW}12", f"12{HEBREW[::-1]}", f"{HEBREW}12"),
    ],
)
def test_right_to_left_words_come_back_as_they_are_read(
    visual: bool, logical: str, displayed: str, expected: str
) -> None:
    glyphs = typed(displayed)
    if not visual:
        at = [displayed.index(letter) for letter in logical]
        glyphs = glyphs.take(at)
    assert texts(lines_of(glyphs)) == [expected]


def test_a_right_to_left_line_is_read_from_the_right() -> None:
    words = [HEBREW, HEBREW[:2], HEBREW[1:]]
    displayed = " ".join(word[::-1] for word in reversed(words))
    assert texts(lines_of(typed(displayed))) == [" ".join(words)]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (("a", "\x03", "b"), "a\ufffdb"),
        (("a", "\ud800"), "a\ufffd"),
        (("co\u00ad", "op"), "co\u00adop"),
        (("\ufb01", "n"), "\ufb01n"),
        (("a b", "c"), "abc"),
    ],
)
def test_a_word_holds_no_white_space_controls_or_lone_surrogates(pieces: tuple[str, ...], expected: str) -> None:
    glyphs = replace(typed("x" * len(pieces)), texts=pieces)
    assert word_text(SetWord(tuple(range(len(pieces)))), glyphs) == expected
