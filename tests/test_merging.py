"""Two sets of lines become one: nothing is lost but a second reading of the same ink."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrprep.pages import Box, Line
from ocrprep.recognition.agreement import agreement
from ocrprep.recognition.merging import merged
from tests.fakes import one_line


def at(text: str, top: float, x0: float = 50, x1: float = 500) -> Line:
    return one_line(text, box=Box(x0, top, x1, top + 12))[0]


READ = [at("Case 1:21-cv-00417 Filed 03/04/21", 10), at("In the county court", 40), at("of the second district", 60)]


def texts(lines: tuple[Line, ...]) -> list[str]:
    return [" ".join(word.text for word in line.words) for line in lines]


def test_a_stamp_that_was_also_read_stands_once_in_its_place() -> None:
    stamp = at("Case 1:21-cv-00417 Filed 03/04/21", 10)
    found = merged([stamp], [at("Gase 1:21-cv-00417 Fi1ed 03/04/21", 10), *READ[1:]])
    assert texts(found.lines) == ["Case 1:21-cv-00417 Filed 03/04/21", "In the county court", "of the second district"]
    assert (found.yielded, found.disputed) == (4, ())


def test_a_stamp_over_other_text_stays_beside_it_and_is_disputed() -> None:
    found = merged([at("ABC-000123", 40, 300, 360)], READ)
    assert sorted(texts(found.lines)) == sorted(["ABC-000123", *texts(tuple(READ))])
    assert [texts(found.lines)[number - 1] for number in found.disputed] == ["ABC-000123"]


@pytest.mark.parametrize(("top", "place"), [(0, 0), (25, 1), (200, 3)])
def test_a_line_that_was_not_read_takes_the_place_of_its_height(top: float, place: int) -> None:
    found = merged([at("Exhibit 9", top)], READ)
    assert texts(found.lines).index("Exhibit 9") == place
    assert found.disputed == ()


def test_only_the_words_under_the_line_yield() -> None:
    found = merged(
        [at("Exhibit nine", 40, 50, 250)], [at("Exhibit nine", 40, 50, 250), at("and more words", 40, 260, 500)]
    )
    assert texts(found.lines) == ["Exhibit nine", "and more words"]


def test_blocks_count_from_1_in_order() -> None:
    found = merged([at("Exhibit 9", 0)], READ)
    assert [line.block for line in found.lines] == [1, 2, 2, 2]


@given(
    st.lists(st.tuples(st.sampled_from(["alpha beta", "gamma", "delta 12"]), st.integers(0, 20)), max_size=5),
    st.lists(st.tuples(st.sampled_from(["alpha beta", "gamma", "omega"]), st.integers(0, 20)), max_size=5),
)
def test_every_word_stands_or_has_yielded(standing: list[tuple[str, int]], read: list[tuple[str, int]]) -> None:
    ones, others = [at(text, 20 * n) for text, n in standing], [at(text, 20 * n) for text, n in read]
    found = merged(ones, others)
    words = [word for line in found.lines for word in line.words]
    assert len(words) + found.yielded == sum(len(line.words) for line in [*ones, *others])
    assert all(word in words for line in ones for word in line.words)


def test_agreement_is_of_letters_not_of_order_and_spacing() -> None:
    one = ["Notice", "of", "the", "County", "Court"]
    assert agreement(one, reversed(one)) == 1.0
    assert agreement(one, ["NOTICE", "of", "the", "Coun1y", "Court"]) == pytest.approx(0.86, abs=0.06)
    assert agreement(one, ["1RWLFH", "RI", "WKH", "&RXQW\\", "&RXUW"]) == 0.0
    assert agreement([], ["—"]) is None


@pytest.mark.parametrize(
    ("line", "pixels", "stays"),
    [
        ("the defendant is now guilty of it", "the defendant is not guilty of it", ["not"]),
        ("the wall was destroyed in May", "the wall was repaired in May", ["repaired"]),
        ("paid 300 dollars", "paid 800 dollars", ["800"]),
        ("another day at sea", "not day at sea", ["not"]),
    ],
)
def test_a_word_that_the_pixels_show_otherwise_stays_and_is_told(line: str, pixels: str, stays: list[str]) -> None:
    found = merged([at(line, 40)], [at(pixels, 40)])
    assert texts(found.lines) == [line, *stays]
    assert found.disputed == (1,)


def test_slips_of_letters_yield() -> None:
    found = merged([at("the wall was repaired in 1810", 40)], [at("tbe wal1 was repoired in l81O", 40)])
    assert "repoired" not in texts(found.lines)[-1]
    assert texts(found.lines)[0] == "the wall was repaired in 1810"
