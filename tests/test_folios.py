"""Folios: sequences that count one a page, what they infer, and what is no folio."""

from __future__ import annotations

import pytest

from ocrprep.preparing.numerals import (
    Numeral,
    gives_total,
    guess_numerals,
    looks_like,
    read_composite,
    read_numeral,
    read_page_phrase,
    read_spaced,
    spell,
)
from ocrprep.reading import Drop, Folio
from tests.page_builder import Typed, printed, prose, readings_of, removed, representation_of

BODY = ("The harbour was quiet when the boats came home and", "nobody on the quay had thought to light the lamps.")


def numbered(folios: list[str | None]) -> list[list[Typed]]:
    """Return pages with these texts at the folio's place."""
    return [
        [*([] if folio is None else [Typed(folio, 300, 30)]), *printed(prose(at), y=80)]
        for at, folio in enumerate(folios)
    ]


def folios_of(folios: list[str | None]) -> list[tuple[str | None, str, bool] | None]:
    body, _ = readings_of(representation_of(numbered(folios)))
    found = (body.findings.folios.get(page) for page in range(1, len(folios) + 1))
    return [None if folio is None else (folio.read, folio.value, folio.inferred) for folio in found]


def read(*values: str) -> list[tuple[str | None, str, bool] | None]:
    return [(value, value, False) for value in values]


def test_the_scan_and_the_printed_number_are_two_numbers() -> None:
    """Case C34."""
    pages = numbered([None, None, "i", "ii", "1", "2", "3", "B", "5", "6"])
    body, _ = readings_of(representation_of(pages))
    folios = body.findings.folios
    assert [folios[page].value if page in folios else None for page in range(1, 11)] == [
        None, None, "i", "ii", "1", "2", "3", "4", "5", "6",
    ]  # fmt: skip
    assert folios[8] == Folio("B", "4", inferred=True)
    assert "p8 folio: B" in removed(body)
    misread = next(edit for edit in body.edits if isinstance(edit, Drop) and edit.page == 8)
    assert (misread.evidence["read"], misread.evidence["expected"]) == ("B", "4")
    assert {"page": 7, "value": "3"} in misread.evidence["sequence"]


def test_pages_without_a_readable_folio_get_theirs_from_the_sequence() -> None:
    assert folios_of(["7", "8", None, "l0", "11", "12"]) == [
        *read("7", "8"),
        (None, "9", True),
        ("l0", "10", True),
        *read("11", "12"),
    ]


def test_nothing_is_inferred_beyond_the_ends() -> None:
    assert folios_of([None, "7", "8", "9", None]) == [None, *read("7", "8", "9"), None]


@pytest.mark.parametrize(
    "folios",
    [
        pytest.param([None, "14", None, "15", None, None], id="two lone numbers that do not count one a page"),
        pytest.param(["civil", "mild", "I", "mix", None], id="words of roman letters"),
        pytest.param(["1905", "1880", "1911", "1850"], id="years"),
    ],
)
def test_what_is_no_sequence_stays(folios: list[str | None]) -> None:
    body, _ = readings_of(representation_of(numbered(folios)))
    assert removed(body) == []
    assert body.findings.folios == {}


def test_the_longest_sequence_wins_the_pages() -> None:
    """A table's numbers inside a run of folios make no second run."""
    pages = numbered([str(value) for value in range(1, 9)])
    for at, value in ((3, 41), (4, 42), (5, 43)):
        pages[at].append(Typed(str(value), 300, 760))
    body, _ = readings_of(representation_of(pages))
    assert removed(body) == [f"p{value} folio: {value}" for value in range(1, 9)]
    assert pages[3][-1].text == "41"
    assert 6 in {warning.line for warning in body.findings.warnings[4]}


def test_the_second_leaf_of_a_letter_numbers_itself() -> None:
    body, _ = readings_of(representation_of(numbered([None, "- 2 -"])))
    assert removed(body) == ["p2 folio: - 2 -"]
    assert body.findings.folios == {2: Folio("- 2 -", "2", inferred=False)}


def test_a_number_alone_on_a_single_page_is_flagged() -> None:
    body, _ = readings_of(representation_of(numbered(["- 2 -"])))
    assert removed(body) == []
    assert [warning.code for warning in body.findings.warnings[1]] == ["undecided_edge_line"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12", Numeral("arabic", 12)),
        ("[12]", Numeral("arabic", 12)),
        ("- 12 -", Numeral("arabic", 12)),
        ("xiv.", Numeral("roman", 14)),
        ("XIV", Numeral("ROMAN", 14)),
        ("viij", Numeral("roman", 8)),
        ("mix", Numeral("roman", 1009)),
        ("iiiii", None),
        ("civil", None),
        ("0", None),
        ("12 a", None),
        ("16386", Numeral("arabic", 16386)),
        ("190567", None),
        ("39°", Numeral("arabic", 39)),
        ("“56”", Numeral("arabic", 56)),
        ("12-A", None),
        ("12a", None),
        ("", None),
        ("Xiv", None),
    ],
)
def test_numerals_are_read(text: str, expected: Numeral | None) -> None:
    assert read_numeral(text) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Page 3 of 8", 3),
        ("Seite 4", 4),
        ("p. 12", 12),
        ("3 / 8", 3),
        ("9/8", None),
        ("P 2", None),
        ("Page of 3", None),
        ("page 3 was torn", None),
    ],
)
def test_page_phrases_are_read(text: str, value: int | None) -> None:
    found = read_page_phrase(text)
    assert (found.value if found else None) == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12-A", Numeral("arabic", 12, suffix="-A")),
        ("12r", Numeral("arabic", 12, suffix="r")),
        ("[A-12]", Numeral("arabic", 12, prefix="A-")),
        ("12", None),
        ("0a", None),
        ("A12", None),
        ("1a Joint", None),
    ],
)
def test_composite_numbers_are_read_and_spelled(text: str, expected: Numeral | None) -> None:
    assert read_composite(text) == expected
    if expected is not None:
        assert spell(expected) == text.strip("[]")


@pytest.mark.parametrize(
    ("text", "value"), [("1 2 3", 123), ("— 1 2 —", 12), ("1 2 3 4 5", None), ("12 3", None), ("1", None)]
)
def test_digits_apart_are_read_together(text: str, value: int | None) -> None:
    found = read_spaced(text)
    assert (found.value if found else None) == value


@pytest.mark.parametrize(
    ("text", "expected"), [("Page 3 of 8", True), ("Seite 3/8", True), ("3 / 8", False), ("Page 3", False)]
)
def test_only_a_phrase_with_a_word_and_the_total_shows_itself(text: str, expected: bool) -> None:
    assert gives_total(text) == expected


@pytest.mark.parametrize("value", range(1, 500, 7))
def test_roman_numerals_are_spelled_as_they_are_read(value: int) -> None:
    assert read_numeral(spell(Numeral("roman", value))) == Numeral("roman", value)


def test_look_alikes_are_known() -> None:
    assert looks_like("l2", Numeral("arabic", 12))
    assert looks_like("1O.", Numeral("arabic", 10))
    assert looks_like("vlii", Numeral("roman", 8))
    assert not looks_like("B", Numeral("arabic", 4))


def test_a_folio_that_counts_on_when_its_letters_are_taken_for_others_is_in_the_sequence_and_marked() -> None:
    heads = ["vi THE LONG WAY HOME", "vii THE LONG WAY HOME", "Vili THE LONG WAY HOME", "ix THE LONG WAY HOME"]
    pages = [[*printed([head], x=60, y=30), *printed(prose(at), y=70)] for at, head in enumerate(heads)]
    body, _ = readings_of(representation_of(pages))
    assert body.findings.folios[3] == Folio("Vili", "viii", inferred=True)
    assert body.findings.folios[4] == Folio("ix", "ix", inferred=False)


@pytest.mark.parametrize(
    ("text", "numerals"),
    [
        ("Vili", {Numeral("roman", 8), Numeral("ROMAN", 8)}),
        ("l2", {Numeral("arabic", 12)}),
        ("12", set()),
        ("harbour", set()),
        ("2$", {Numeral("arabic", 25), Numeral("arabic", 2)}),
        ("19!", {Numeral("arabic", 191), Numeral("arabic", 19)}),
        ("‘|", set()),
    ],
)
def test_a_text_is_misread_from_few_numbers(text: str, numerals: set[Numeral]) -> None:
    assert set(guess_numerals(text)) == numerals
