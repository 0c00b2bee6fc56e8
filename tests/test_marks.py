"""Catchwords, signature marks and norm lines: what goes, and what only looks like them."""

from __future__ import annotations

import pytest

from ocrprep.preparing.marks import alike, fold
from tests.page_builder import Typed, printed, prose, readings_of, removed, representation_of


def pages_with(feet: list[list[Typed]], begins: dict[int, str] | None = None) -> list[list[Typed]]:
    """Return pages of eight lines with something below the text; `begins` is how a page's first line begins."""
    pages = []
    for page, foot in enumerate(feet, start=1):
        lines = prose(page, 8)
        lines[0] = (begins or {}).get(page, "") + lines[0]
        pages.append([*printed(lines, y=500), *foot])
    return pages


def test_a_catchword_equals_the_first_word_of_the_next_page() -> None:
    pages = pages_with([[Typed("Lanterns", 300, 620)], [Typed("fo", 320, 620)], []], {2: "Lanterns and ", 3: "so "})
    body, _ = readings_of(representation_of(pages))
    assert removed(body) == ["p1 catchword: Lanterns", "p2 catchword: fo"]
    drop = next(edit for edit in body.edits if getattr(edit, "kind", "") == "catchword")
    assert drop.evidence["next"]["page"] == 2
    assert drop.evidence["next"]["text"].startswith("Lanterns and")


@pytest.mark.parametrize(
    "foot",
    [
        pytest.param([Typed("again.", 60, 614)], id="the last short line of a paragraph"),
        pytest.param([Typed("FINIS", 200, 640)], id="the end of a book"),
        pytest.param([Typed("H. Tarn", 300, 640)], id="a signature"),
    ],
)
def test_a_last_line_that_nothing_repeats_is_no_catchword(foot: list[Typed]) -> None:
    body, _ = readings_of(representation_of(pages_with([foot, []])))
    assert removed(body) == []


def test_signature_marks_follow_their_gatherings() -> None:
    """Octavo: four signed leaves of eight, so that every second page has a mark."""
    marks = ["A", "", "A 2", "", "A 3", "", "A 4", *[""] * 9, "B", "", "B 2", "", "B 3", ""]
    body, _ = readings_of(representation_of(pages_with([[Typed(mark, 200, 640)] if mark else [] for mark in marks])))
    assert removed(body) == [f"p{page} signature_mark: {mark}" for page, mark in enumerate(marks, start=1) if mark]


def test_a_norm_line_returns_with_the_next_sheet() -> None:
    feet: list[list[Typed]] = [[] for _ in range(49)]
    for sheet in range(3):
        feet[16 * sheet] = [Typed(f"Tarn, Harbours. II. {sheet + 3}", 60, 640)]
    pages = [page if feet[at] else [] for at, page in enumerate(pages_with(feet))]
    body, _ = readings_of(representation_of(pages))
    assert removed(body) == [f"p{16 * sheet + 1} signature_mark: Tarn, Harbours. II. {sheet + 3}" for sheet in range(3)]


def test_numbers_of_a_table_at_the_foot_are_no_sheets() -> None:
    body, _ = readings_of(representation_of(pages_with([[Typed(str(41 + 3 * page), 200, 640)] for page in (9, 4, 0)])))
    assert removed(body) == []


@pytest.mark.parametrize(
    ("mark", "begins", "least"),
    [
        ("lequel", "lequel dist que", 1.0),
        ("deſſen", "deffen Gemuͤth", 1.0),
        ("zuge-", "zugeſchrieben", 1.0),
        ("Vber", "Über das", 0.7),
    ],
)
def test_catchwords_are_compared_under_noise(mark: str, begins: str, least: float) -> None:
    assert alike(fold(mark), fold(begins)) >= least


def test_unlike_words_are_not_alike() -> None:
    assert alike(fold("Harbour"), fold("Nobody came")) < 0.4
