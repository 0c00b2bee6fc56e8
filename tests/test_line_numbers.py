"""Line numbers, filing headers, notices and watermarks: what shows by itself, and what only looks like it."""

from __future__ import annotations

import pytest

from ocrprep.pages import Box, Line, Page, Word
from ocrprep.preparing.edge_patterns import find_patterns
from ocrprep.preparing.line_numbers import find_line_numbers
from ocrprep.preparing.watermarks import find_watermarks
from ocrprep.reading import Drop
from ocrprep.representation import Representation
from tests.page_builder import Typed, printed, prose, readings_of, removed, representation_of

C19 = (
    "Q. How many boats were there?",
    "A. There were",
    "12 boats, and on the 3rd",
    "of May another 4 came from",
    "the north.",
)


def numbered(texts: tuple[str, ...]) -> list[Typed]:
    rows = enumerate(texts, start=1)
    return [typed for at, text in rows for typed in (Typed(str(at), 40, 76 + 24 * at), Typed(text, 80, 76 + 24 * at))]


def test_line_numbers_are_lifted_out_of_testimony() -> None:
    """Case C19."""
    body, _ = readings_of(representation_of([numbered(C19)]))
    assert removed(body) == [f"p1 line_number: {at}" for at in range(1, 6)]
    assert "12 boats, and on the 3rd of May another 4 came from the north." in " ".join(body.text.split())
    labels = [edit.evidence["label"] for edit in body.edits if isinstance(edit, Drop)]
    assert labels == ["1", "2", "3", "4", "5"]


def test_numbers_that_begin_their_line_are_lifted_out_too() -> None:
    lines = [Typed(f"{at}     {text}", 40, 76 + 24 * at) for at, text in enumerate(C19, start=1)]
    body, _ = readings_of(representation_of([lines]))
    assert removed(body) == [f"p1 line_number: {at}" for at in range(1, 6)]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(
            [Typed(f"{at} {text}", 60, 80 + 14 * at) for at, text in enumerate(prose(0, 6))], id="numbered lines"
        ),
        pytest.param([Typed(f"{at}     {at * 7}", 40, 80 + 14 * at) for at in range(1, 9)], id="a table"),
        pytest.param(
            [Typed(f"{at * at}     {text}", 40, 80 + 14 * at) for at, text in enumerate(prose(0, 6))], id="sums"
        ),
    ],
)
def test_numbers_of_the_text_stay(lines: list[Typed]) -> None:
    representation = representation_of([lines])
    assert find_line_numbers([list(representation.lines)], representation) == {}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Case 1:19-cv-01234-ABC Document 45-2 Filed 03/04/20 Page 3 of 12", "stamp"),
        ("FILED: NEW YORK COUNTY CLERK 01/02/2019 03:04 PM", "stamp"),
        ("NYSCEF DOC. NO. 12", "stamp"),
        ("Digitized by Google", "notice"),
        ("Digitized by Gooqle", "notice"),
        ("Source gallica.bnf.fr / Bibliothèque nationale de France", "notice"),
        ("Source URL: http://www.example.org/files/1.htm", "notice"),
        ("This content downloaded from 10.0.0.1 on Mon, 1 Jan 2018", "notice"),
    ],
)
def test_what_its_own_words_show_goes(text: str, kind: str) -> None:
    body, _ = readings_of(representation_of([[Typed(text, 60, 20), *printed(prose(0, 12), y=80)]]))
    assert removed(body) == [f"p1 {kind}: {text}"]


@pytest.mark.parametrize(
    "text", ["The case of 1819 was filed in May.", "He downloaded from memory what he knew by heart on Monday."]
)
def test_sentences_that_only_use_such_words_stay(text: str) -> None:
    representation = representation_of([[Typed(text, 60, 20), *printed(prose(0, 12), y=80)]])
    assert find_patterns([list(representation.lines)], representation) == {}


def slanting(*angles: float) -> Representation:
    made = representation_of([printed(prose(0, 4), y=80)])
    lines = [
        *made.pages[0].lines,
        *(Line((Word("SPECIMEN", Box(200, 100, 400, 300), baseline_angle=a),)) for a in angles),
    ]
    return Representation(made.source_id, made.source_files, [Page(1, (612, 792), "pt", lines)])


def test_a_slanting_word_across_the_rows_is_a_watermark() -> None:
    """Case C18, its overlay."""
    body, _ = readings_of(slanting(45.0))
    assert "p1 watermark: SPECIMEN" in removed(body)


def test_a_misread_folio_with_a_guessed_baseline_is_no_watermark() -> None:
    made = representation_of([printed(prose(0, 4), y=80)])
    speck = Line((Word("tv", Box(300, 30, 312, 40), baseline_angle=-40.0),))
    pages = [Page(1, (612, 792), "pt", [speck, *made.pages[0].lines])]
    representation = Representation(made.source_id, made.source_files, pages)
    assert find_watermarks([list(representation.lines)], representation) == {}


def test_words_that_hardly_slant_are_none() -> None:
    representation = slanting(3.0)
    assert find_watermarks([list(representation.lines)], representation) == {}
