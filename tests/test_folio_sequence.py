"""Folios over the whole document: leaf gaps, misreadings, numbers that compete, and other steps than one a page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrprep.options import ReadingOptions
from ocrprep.pages import Box, Line, Page, Word
from ocrprep.preparing.edges import edge_lines
from ocrprep.preparing.folios import FoundFolio, find_folios, lone_numbers
from ocrprep.preparing.removals import Key
from ocrprep.representation import Representation
from tests.page_builder import Typed, printed, representation_of

BODY = ("The harbour was quiet when the boats came home and", "nobody on the quay had thought to light the lamps.")
TOP, LEFT, CENTRE, RIGHT = 30.0, 60.0, 300.0, 530.0


def with_body(*lines: Typed) -> list[Typed]:
    return [*lines, *printed([*BODY, *BODY], y=80)]


def lone(*texts: str | None, x: float = CENTRE) -> Representation:
    """Pages with these texts alone at the folio's place."""
    return representation_of([with_body(*([] if text is None else [Typed(text, x, TOP)])) for text in texts])


def headed(*heads: str) -> Representation:
    """Pages with these heads: a number first stands at the left end, a number last at the right."""
    return representation_of([with_body(_head(text)) for text in heads])


def _head(text: str) -> Typed:
    first = text.split(" ")[0]
    return Typed(text, LEFT if any(map(str.isdigit, first)) else RIGHT + 18 - 6.0 * len(text), TOP)


def found_in(representation: Representation, *, repeating: bool = False) -> Sequence[FoundFolio]:
    pages = [[line for line in representation.lines if line.page == page.number] for page in representation.pages]
    edges = edge_lines(representation, pages, ReadingOptions())
    outermost: frozenset[Key] = frozenset(each.key for each in edges if each.row == 0 and each.edge == "top")
    none: frozenset[Key] = frozenset()
    return find_folios(edges, outermost if repeating else none, none if repeating else outermost, len(pages))


def values(found: Sequence[FoundFolio]) -> dict[int, str]:
    return {each.page: each.folio.value for each in found if each.folio is not None}


def words(representation: Representation, found: Sequence[FoundFolio]) -> list[str]:
    return [each.words.of(representation.text) for each in found if each.words is not None]


def test_leaves_missing_between_the_images_do_not_break_the_sequence() -> None:
    found = found_in(lone("345", "353", "354", "390", "391", "470", "512", "513", "514", "600", "601", "777"))
    assert list(values(found).values()) == [
        "345", "353", "354", "390", "391", "470", "512", "513", "514", "600", "601", "777",
    ]  # fmt: skip
    assert all(each.folio is not None and not each.folio.inferred for each in found)
    assert [each.features["gap_before"] for each in found][:4] == [0.0, 1.0, 0.0, 1.0]


def test_nothing_is_inferred_across_missing_leaves() -> None:
    found = found_in(lone("5", "6", None, "18", "19", None, "21", "22"))
    assert values(found) == {1: "5", 2: "6", 4: "18", 5: "19", 6: "20", 7: "21", 8: "22"}
    assert [each.page for each in found if each.folio is not None and each.folio.inferred] == [6]


def test_one_head_a_page_that_no_other_page_has_is_enough_beside_a_number_that_goes_up() -> None:
    heads = ("36 Days of hope", "Fall of the minister 59", "68 The danger of war", "74 A quiet spring", "Envoys 75",
             "80 News from the coast", "82 The fleet", "90 Winter quarters", "The treaty signed 93", "96 After it",
             "98 Old debts", "The new tax 103")  # fmt: skip
    representation = headed(*heads)
    found = found_in(representation)
    numbers = [next(word for word in head.split(" ") if word.isdigit()) for head in heads]
    assert words(representation, found) == numbers


@pytest.mark.parametrize(
    "heads",
    [
        pytest.param([f"{1 + at // 3} The parts of a ship" for at in range(12)], id="a chapter's number repeats"),
        pytest.param(
            [f"A diary of {year}" for year in (1901, 1901, 1903, 1903, 1904, 1904, 1905, 1905, 1906, 1907, 1907, 1908)],
            id="years at the end of a head",
        ),
        pytest.param(
            [f"{number} Of ships" for number in (1, 2, 2, 3, 4, 4, 4, 5, 5, 6, 6, 7)],
            id="sections that begin on some pages",
        ),
        pytest.param(
            [f"{number} men came to the quay and" for number in (12, 40, 3, 25, 8, 60, 31, 2, 19, 44, 5, 27)],
            id="numbers that begin a line of the text",
        ),
    ],
)
def test_numbers_at_the_ends_of_lines_that_do_not_count_the_pages_are_no_folios(heads: list[str]) -> None:
    assert found_in(headed(*heads)) == []


def test_the_folio_wins_over_the_number_of_the_section_in_its_head() -> None:
    heads = [f"{page} Of ships, section {page // 4}" if page % 2 == 0 else f"Section {page // 4} of ships {page}"
             for page in range(20, 32)]  # fmt: skip
    representation = headed(*heads)
    assert words(representation, found_in(representation, repeating=True)) == [str(page) for page in range(20, 32)]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param(["5", "9", None, None], {1: "5", 2: "9"}, id="a gap between two numbers alone at one place"),
        pytest.param(["3", "4", None, None, None], {1: "3", 2: "4"}, id="two that count on"),
        pytest.param(["9", "5", None, None], {}, id="backwards"),
        pytest.param(["7", "7", None, None], {}, id="the same number twice"),
        pytest.param([None, "14", None, "15", None, None], {}, id="fewer numbers than pages"),
        pytest.param(["3", "4", *[None] * 20], {}, id="two in a longer document"),
        pytest.param(["civil", "mild", "I", "mix", "dim", None], {}, id="words of roman letters"),
    ],
)
def test_short_documents(texts: list[str | None], expected: dict[int, str]) -> None:
    assert values(found_in(lone(*texts))) == expected


def test_the_items_of_a_form_are_no_folios_though_they_would_begin_the_sequence() -> None:
    """Case C16, set B."""
    firsts = [["1a Joint statement (see Slip 12)"], ["2", "2b Other sums."], ["3", "3c Nothing further."]]
    pages = [
        [Typed(texts[0], LEFT, 60), Typed(BODY[0], LEFT, 90)]
        if len(texts) == 1
        else [Typed(texts[0], CENTRE, 20), Typed(texts[1], LEFT, 90)]
        for texts in firsts
    ]
    representation = representation_of(pages)
    assert words(representation, found_in(representation)) == ["2", "3"]


def test_roman_numerals_go_over_into_arabic_ones_that_start_again() -> None:
    texts = ["v", "vi", "vii", "1", "2", "3", "4", "1", "2", "3"]
    assert list(values(found_in(lone(*texts))).values()) == texts


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param([f"{leaf}{side}" for leaf in range(11, 17) for side in "rv"], id="leaves with both sides"),
        pytest.param(["11", "12", "12a", "12b", "13", "14"], id="inserted leaves"),
        pytest.param([f"A-{page}" for page in range(1, 7)], id="an appendix"),
        pytest.param([f"[ {page} ]" for page in range(56, 62)], id="brackets"),
        pytest.param([f"— {page} —" for page in range(56, 62)], id="dashes"),
        pytest.param([f"p. {page}" for page in range(56, 62)], id="a word before it"),
        pytest.param([f"{page} / 17" for page in range(6, 12)], id="the total after it"),
        pytest.param(["1 2 3", "1 2 4", "125", "1 2 6"], id="digits apart"),
    ],
)
def test_every_printed_form_of_a_folio_is_found(texts: list[str]) -> None:
    representation = lone(*texts)
    assert words(representation, found_in(representation)) == texts


def test_a_number_for_every_leaf_is_a_sequence_of_its_own_step() -> None:
    texts = [str(31 + at // 2) if at % 2 == 0 else None for at in range(24)]
    found = found_in(lone(*texts, x=RIGHT))
    assert values(found) == {at + 1: text for at, text in enumerate(texts) if text}


def test_an_opening_on_one_image_has_two_folios() -> None:
    openings = [with_body(Typed(str(page), LEFT, TOP), Typed(str(page + 1), RIGHT, TOP)) for page in range(10, 40, 2)]
    representation = representation_of(openings)
    found = found_in(representation)
    assert words(representation, found) == [str(page) for page in range(10, 40)]
    assert list(values(found).values())[:2] == ["10–11", "12–13"]


@pytest.mark.parametrize("misread", ["B", "ag", "16", "l0", "—_"])
def test_what_stands_at_the_folios_place_between_two_that_count_on_is_the_folio(misread: str) -> None:
    found = found_in(lone("7", "8", "9", misread, "11", "12"))
    there = next(each for each in found if each.page == 4)
    assert there.folio is not None
    assert (there.folio.value, there.folio.inferred) == ("10", True)
    assert there.folio.read in (misread, None if misread == "—_" else misread)


def test_a_misread_number_at_the_place_across_missing_leaves_has_no_value() -> None:
    heads = ["20 THE LONG WAY", "THE LONG WAY 21", "22 THE LONG WAY", "THE LONG WAY 9", "46 THE LONG WAY",
             "THE LONG WAY 47", "48 THE LONG WAY"]  # fmt: skip
    found = found_in(headed(*heads), repeating=True)
    fourth = next(each for each in found if each.page == 4)
    assert (fourth.folio, fourth.evidence["read"]) == (None, "9")
    assert fourth.score < min(each.score for each in found if each.page != 4)


def test_a_number_away_from_the_folios_place_is_none_on_a_page_that_lacks_one() -> None:
    pages = [with_body(Typed(str(page), CENTRE, TOP)) for page in range(11, 17)]
    pages[3] = with_body(Typed("Receipts of the year", LEFT, TOP), Typed("26", 400, 44))
    found = found_in(representation_of(pages))
    assert next(each for each in found if each.page == 4).words is None


def test_a_number_that_repeats_on_every_page_is_never_misread_for_the_folio() -> None:
    pages = [with_body(Typed(str(page), CENTRE, TOP), Typed("92", CENTRE, 760)) for page in range(5, 12)]
    pages[2] = with_body(Typed("92", CENTRE, 760))
    representation = representation_of(pages)
    assert "92" not in words(representation, found_in(representation))


def test_verse_numbers_beside_the_text_are_no_folios() -> None:
    pages = [[Typed(BODY[0], LEFT, 80), Typed(str(5 * at), RIGHT, 80), *printed(BODY, y=94)] for at in range(1, 13)]
    assert found_in(representation_of(pages)) == []


def test_numbers_alone_that_are_no_folios_are_told() -> None:
    representation = lone("41", None, "7", None, None, None, None, None, None, None, None, None)
    pages = [[line for line in representation.lines if line.page == page.number] for page in representation.pages]
    edges = edge_lines(representation, pages, ReadingOptions())
    assert [each.line.text for each in lone_numbers(edges, ())] == ["41", "7"]


def test_pages_without_boxes_are_read_by_the_order_of_their_lines() -> None:
    lines = [[f"{page}", *BODY, *BODY, *BODY] for page in range(3, 17)]
    nowhere = Box(0, 0, 0, 0)
    pages = [
        Page(
            number,
            (0.0, 0.0),
            "px",
            [Line(tuple(Word(word, nowhere) for word in line.split(" ")), 1) for line in texts],
        )
        for number, texts in enumerate(lines, start=1)
    ]
    made = representation_of([[Typed("x")]])
    representation = Representation(made.source_id, made.source_files, pages)
    assert words(representation, found_in(representation)) == [str(page) for page in range(3, 17)]


@given(
    start=st.integers(1, 400),
    steps=st.lists(st.sampled_from([1, 1, 1, 1, 2, 9, 40]), min_size=6, max_size=30),
    lost=st.sets(st.integers(0, 30), max_size=3),
)
def test_values_go_up_and_never_contradict_what_was_printed(start: int, steps: list[int], lost: set[int]) -> None:
    truth = [start]
    for step in steps:
        truth.append(truth[-1] + step)
    found = values(found_in(lone(*(None if at in lost else str(value) for at, value in enumerate(truth)))))
    assert all(found[page] == str(truth[page - 1]) for page in found if page - 1 not in lost)
    assert all(int(one) < int(other) for (_, one), (_, other) in pairwise(sorted(found.items())))


@given(st.lists(st.none() | st.text("0123456789ivxlcIVXab-—[]", min_size=1, max_size=6), min_size=1, max_size=30))
def test_no_page_has_two_values_and_folios_come_in_page_order(texts: list[str | None]) -> None:
    found = found_in(lone(*texts))
    pages = [each.page for each in found]
    assert pages == sorted(pages)
    valued = [each.page for each in found if each.folio is not None]
    assert len(set(valued)) == len(valued)
    assert len(valued) == len(pages) or len(pages) <= 2 * len(valued)
