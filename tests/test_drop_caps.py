"""Drop caps: a tall initial and its word become one, and other tall or lonely letters stay as they are."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ocrprep.pages import Line, Page
from ocrprep.preparing.reading_order import ordered
from ocrprep.reading import Change
from ocrprep.representation import Representation
from tests.page_builder import SIZE, Typed, readings_of, representation_of, set_line


def initial(letter: str, y: float = 100.0, size: float = 36.0) -> Typed:
    return Typed(letter, 60.0, y, size)


def beside(texts: Sequence[str], x: float = 84.0, y: float = 100.0) -> list[Typed]:
    return [Typed(text, x, y + 14 * row) for row, text in enumerate(texts)]


REST = ["HE old ferry went by the", "ford, and the ferryman", "kept a lame goose."]
BELOW = Typed("Nobody asked him why.", 60.0, 142.0)
WHOLE = "THE old ferry went by the ford, and the ferryman kept a lame goose. Nobody asked him why."


def put_in_order(lines: Sequence[Line]) -> Representation:
    """Make a representation of one page of lines in reading order."""
    blank = representation_of([[]])
    return Representation(blank.source_id, blank.source_files, [Page(1, SIZE, "pt", ordered(lines, SIZE).lines)])


def body_of(typed: Sequence[Typed]) -> str:
    return readings_of(put_in_order([set_line(each) for each in typed]))[0].text


def fused(first: Typed, rest: Typed) -> Line:
    """Set an initial and a line as one line, as an engine does."""
    return Line((*set_line(first).words, *set_line(rest).words))


@pytest.mark.parametrize("at", range(5))
def test_an_initial_is_joined_to_its_word_wherever_the_order_has_it(at: int) -> None:
    """Its baseline is that of the last line beside it, and engines put it there, or at the end (case C21)."""
    lines = [*beside(REST), BELOW]
    lines.insert(at, initial("T"))
    assert body_of(lines) == WHOLE


@pytest.mark.parametrize("row", range(3))
def test_an_initial_read_as_part_of_a_line_goes_to_the_first_one_beside_it(row: int) -> None:
    lines = [set_line(each) for each in (*beside(REST), BELOW)]
    lines[row] = fused(initial("T"), beside(REST)[row])
    assert readings_of(put_in_order(lines))[0].text == WHOLE


def test_the_map_keeps_the_box_of_the_initial() -> None:
    """A quotation of the first words shows the initial and the line, not a box around both."""
    representation = put_in_order([set_line(each) for each in (initial("T"), *beside(REST), BELOW)])
    body, _ = readings_of(representation)
    (change,) = (edit for edit in body.edits if isinstance(edit, Change) and edit.rule == "drop_cap")
    assert (change.kind, change.replacement, change.span.of(representation.text)) == ("join_line", "", "\n")
    first, second = list(representation.words(representation.page_span(1)))[:2]
    assert (first.word.text, first.word.box.height) == ("T", 36.0)
    assert (second.word.text, second.word.box.height) == ("HE", 10.0)


WORDS: dict[str, tuple[str, list[str], float, str]] = {
    "the rest in capitals": ("W", ["HEN it rained again,"], 84, "WHEN it rained again,"),
    "the rest in small letters": ("W", ["hen it rained again,"], 84, "When it rained again,"),
    "an apostrophe": ("L", ["'ombre du vieux phare"], 84, "L'ombre du vieux phare"),
    "a wide space before what is no word": ("M", ["ESSIEURS, we are late"], 90, "MESSIEURS, we are late"),
    "a word of one letter apart": ("A", ["rumour of rain was common"], 92, "A rumour of rain was common"),
    "a word of one letter that touches a known word": (
        "A",
        ["ferry of rust, and no other", "ferry was ever here"],
        85,
        "A ferry of rust, and no other ferry was ever here",
    ),
    "a letter that could be a word, of a known word": (
        "I",
        ["n winter, and in spring", "it was no better"],
        85,
        "In winter, and in spring it was no better",
    ),
    "another word": ("V", ["Victor was the fifth of"], 84, "V Victor was the fifth of"),
    "a number": ("B", ["12 barrels of tar were"], 84, "B 12 barrels of tar were"),
    "a letter far away": ("K", ["eeps his own counsel now"], 100, "K eeps his own counsel now"),
}


@pytest.mark.parametrize("name", WORDS)
def test_an_initial_is_joined_only_to_the_rest_of_its_word(name: str) -> None:
    letter, texts, x, expected = WORDS[name]
    page = [
        initial(letter),
        *beside(texts, x),
        *beside(["as it had always been in this place, year after year"] * 9, 60, 144),
    ]
    assert body_of(page).startswith(expected)


PLAIN: dict[str, list[Typed]] = {
    "a letter as tall as its line": [Typed("T", 60, 100), *beside(["he old mill"], 68)],
    "a numeral": [Typed("7", 60, 100, 36), *beside(["he old mill"], 84)],
    "a small letter": [Typed("x", 60, 100, 36), *beside(["he old mill"], 84)],
    "two letters": [Typed("TH", 60, 100, 36), *beside(["e old mill"], 106)],
    "a letter below its line": [Typed("T", 60, 115, 36), Typed("HE old mill stood", 84, 100)],
    "a letter above its line": [Typed("T", 60, 60, 36), Typed("HE old mill stood", 60, 100)],
}


@pytest.mark.parametrize("name", PLAIN)
def test_what_is_no_initial_is_joined_to_nothing(name: str) -> None:
    page = [
        *PLAIN[name],
        *(Typed("They had never seen such a thing in all their life", 60, 200 + 14 * n) for n in range(9)),
    ]
    lines = [set_line(each) for each in page]
    assert ordered(lines, SIZE).lines == tuple(lines)
    body, _ = readings_of(put_in_order(lines))
    assert not [edit for edit in body.edits if edit.rule in ("drop_cap", "initial")]


def test_notation_with_lonely_letters_stays_as_it_is() -> None:
    """A rule that closes gaps after single letters would rewrite each of these lines."""
    lines = [
        Typed(f"{letter} {n} x {letter.lower()} = A B + C {n}", 60, 100 + 14 * n) for n, letter in enumerate("TVXABCKL")
    ]
    representation = representation_of([lines])
    assert ordered(representation.pages[0].lines, SIZE).lines == tuple(representation.pages[0].lines)
    assert all(line.text in readings_of(representation)[0].text for line in representation.lines)


def test_a_paragraph_that_steps_in_below_an_initial_is_another() -> None:
    page = [
        initial("T"),
        *beside(REST),
        Typed("Nobody asked him why.", 72, 142),
        Typed("He had no answer ready.", 60, 156),
    ]
    assert "lame goose.\n\nNobody" in body_of(page)
