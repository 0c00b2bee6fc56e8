"""Running heads and feet: what goes on the evidence of the document, and what stays."""

from __future__ import annotations

import pytest

from ocrprep.options import ReadingOptions
from ocrprep.preparing import find
from ocrprep.reading import Change, Drop
from tests.page_builder import Typed, printed, prose, readings_of, removed, representation_of

C15 = [
    [
        Typed("iv", 60, 30),
        Typed("THE EXAMPLE CHRONICLE", 220, 30),
        Typed("The first ship came in at dusk and its repre-", 60, 80),
    ],
    [
        Typed("A Winter Journey", 230, 30),
        Typed("v", 546, 30),
        Typed("sentation in the roll is plain. Chapter vi tells the rest.", 60, 80),
    ],
    [Typed("vi", 60, 30), Typed("THE EXAMPLE CHRONICLE", 220, 30), Typed("No other ship came that year.", 60, 80)],
    [
        Typed("A Winter Journey", 180, 180, size=18),
        Typed("Snow lay on the quay.", 60, 240),
        Typed("vii", 300, 760),
    ],
    [Typed("viii", 60, 30), Typed("THE EXAMPLE CHRONICLE", 220, 30), Typed("The crew went home on foot.", 60, 80)],
    [Typed("A Winter Journey", 230, 30), Typed("ix", 546, 30), Typed("They kept the flag.", 60, 80)],
]

C16_A = [
    [
        Typed("Field Notes", 60, 30),
        Typed("We counted the geese at dawn and", 60, 52),
        Typed("again at noon, and wrote none down.", 60, 66),
        Typed("Page 1 of 2", 270, 760),
    ],
    [Typed("Field Notes", 60, 30), Typed("There were none yet, or at most 6", 60, 80), Typed("Page 2 of 2", 270, 760)],
]
C16_B = [
    [Typed("1a Joint statement (see Slip 12)", 60, 60), Typed("Write the sum here.", 60, 90)],
    [Typed("2", 300, 20), Typed("2b Other sums.", 60, 90)],
    [Typed("3", 300, 20), Typed("3c Nothing further.", 60, 90)],
]
C16_C = [[Typed("Field Notes", 60, 30), Typed("A single leaf.", 60, 80), Typed("Page 1 of 1", 270, 760)]]

PROSE = (
    "The harbour was quiet when the boats came home and",
    "nobody on the quay had thought to light the lamps.",
    "A boy went up the hill to ring the bell, but it had",
    "no rope, so he came down again and said as much.",
)


def book(heads: list[str]) -> list[list[Typed]]:
    """Return pages with a line set off above the text; an empty head leaves it out."""
    return [[*printed([head], x=200, y=30), *printed(prose(page), y=70)] for page, head in enumerate(heads)]


def test_recto_and_verso_heads_and_roman_folios_go_and_a_display_heading_stays() -> None:
    """Case C15."""
    body, _ = readings_of(representation_of(C15))
    assert body.text == (
        "The first ship came in at dusk and its representation in the roll is plain. Chapter vi tells the rest.\n\n"
        "No other ship came that year.\n\nA Winter Journey\n\nSnow lay on the quay.\n\n"
        "The crew went home on foot.\n\nThey kept the flag."
    )
    assert removed(body) == [
        "p1 folio: iv",
        "p1 running_head: THE EXAMPLE CHRONICLE",
        "p2 running_head: A Winter Journey",
        "p2 folio: v",
        "p3 folio: vi",
        "p3 running_head: THE EXAMPLE CHRONICLE",
        "p4 folio: vii",
        "p5 folio: viii",
        "p5 running_head: THE EXAMPLE CHRONICLE",
        "p6 running_head: A Winter Journey",
        "p6 folio: ix",
    ]
    assert [body.findings.folios[page].value for page in range(1, 7)] == ["iv", "v", "vi", "vii", "viii", "ix"]


def test_the_edits_of_a_join_over_a_page_share_a_group() -> None:
    body, _ = readings_of(representation_of(C15))
    text = body.representation.text
    joined = [edit for edit in body.edits if edit.group == 1]
    assert [edit.span.of(text) for edit in joined] == ["-\n", "\f", "A Winter Journey\n", "v\n"]
    assert [edit.kind for edit in joined if isinstance(edit, (Change, Drop))] == [
        "dehyphenate",
        "join_page",
        "running_head",
        "folio",
    ]


def test_two_pages_suffice_and_numbers_in_the_text_stay() -> None:
    """Case C16, set A."""
    body, _ = readings_of(representation_of(C16_A))
    assert body.text == (
        "We counted the geese at dawn and again at noon, and wrote none down.\n\nThere were none yet, or at most 6"
    )
    assert removed(body) == [
        "p1 running_head: Field Notes",
        "p1 folio: Page 1 of 2",
        "p2 running_head: Field Notes",
        "p2 folio: Page 2 of 2",
    ]


def test_numbers_that_begin_or_end_form_items_stay() -> None:
    """Case C16, set B."""
    body, _ = readings_of(representation_of(C16_B))
    assert removed(body) == ["p2 folio: 2", "p3 folio: 3"]
    for kept in ("1a Joint statement (see Slip 12)", "2b Other sums.", "3c Nothing further."):
        assert kept in body.text


def test_on_a_single_page_only_the_self_evident_goes() -> None:
    """Case C16, set C."""
    body, _ = readings_of(representation_of(C16_C))
    assert removed(body) == ["p1 folio: Page 1 of 1"]
    assert body.text == "Field Notes\n\nA single leaf."
    assert [(warning.code, warning.line) for warning in body.findings.warnings[1]] == [("undecided_edge_line", 1)]


def test_a_head_and_a_folio_on_one_line_are_dropped_apart() -> None:
    body, _ = readings_of(
        representation_of(book([f"{page} THE EXAMPLE CHRONICLE" if page % 2 else "" for page in range(11, 20)]))
    )
    assert removed(body)[:2] == ["p1 folio: 11", "p1 running_head: THE EXAMPLE CHRONICLE"]
    assert len(removed(body)) == 10
    assert body.findings.folios[2].value == "12"
    assert body.findings.folios[2].inferred


def test_heads_are_found_through_ocr_noise() -> None:
    heads = ["THE EXAMPLE CHRONICLE", "THE EXAMPIE CHRONlCLE", "THE EXAMPLE CHR0NICLE", "THF EXAMPLE CHRONICLE"]
    body, _ = readings_of(representation_of(book(heads)))
    assert removed(body) == [f"p{page} running_head: {head}" for page, head in enumerate(heads, start=1)]


def test_a_head_of_one_page_goes_beside_a_folio_of_the_sequence() -> None:
    pages = [[*printed([str(page)], x=300, y=30), *printed(prose(page), y=70)] for page in range(1, 7)]
    pages[3] = [Typed("4 THE SALT HOUSE", 300, 30), *printed(prose(4), y=70)]
    body, _ = readings_of(representation_of(pages))
    assert "p4 running_head: THE SALT HOUSE" in removed(body)
    assert body.text.count("SALT") == 0


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param(book(["Chapter One", "", "Chapter Two", "", "Chapter Three"]), id="chapter headings"),
        pytest.param(book(["Letter 1", "Letter 2", "Letter 3", "Letter 4"]), id="numbered titles"),
        pytest.param(
            [printed(["Yours truly,", *prose(page)], y=40) for page in range(3)],
            id="a salutation at the head of the page",
        ),
        pytest.param(
            [printed([*prose(page), "And home again they came."], y=650) for page in range(3)],
            id="a refrain at the foot",
        ),
        pytest.param([printed(["1a Wages, salaries", *PROSE], y=40)] * 4, id="a form filled in four times"),
        pytest.param([printed(PROSE, y=40 + 30 * page) for page in range(2)], id="the same text, elsewhere"),
        pytest.param([printed(["The year was long, the pay was 7", *PROSE], y=40)], id="a letter"),
        pytest.param(
            [[Typed("GRAND HOTEL", 200, 30, 20), *printed(prose(page), y=90)] for page in range(3)], id="a letterhead"
        ),
        pytest.param(
            [[*printed(prose(page), y=80), Typed("7", 300, 760)] for page in range(4)],
            id="the same number on every page",
        ),
        pytest.param(
            [
                [Typed(f"{day}th August, 1938", 300, 30), *printed(prose(day), y=80)]
                for day in (4, 9, 11, 15, 19, 20, 26)
            ],
            id="letters that begin with a date",
        ),
    ],
)
def test_what_repeats_by_chance_stays(pages: list[list[Typed]]) -> None:
    body, _ = readings_of(representation_of(pages))
    assert removed(body) == []


def test_a_line_goes_only_when_all_that_stands_outside_it_goes() -> None:
    pages = [
        [Typed(first, 60, 30), *printed(["Field Notes"], y=50), *printed(prose(page), y=90)]
        for page, first in enumerate(
            ("The ferry left without him", "Nobody answered the bell", "In May the ice broke up")
        )
    ]
    body, _ = readings_of(representation_of(pages))
    assert removed(body) == []
    assert {warning.line for warnings in body.findings.warnings.values() for warning in warnings} == {2}


def test_marked_furniture_stays_and_is_told_of() -> None:
    body, _ = readings_of(representation_of(C16_A), ReadingOptions(furniture="mark"))
    assert removed(body) == []
    assert body.text.startswith("Field Notes\n\nWe counted the geese at dawn and again")
    told = [(w.code, w.line) for page in (1, 2) for w in body.findings.warnings[page]]
    assert told == [("furniture_marked", line) for line in (1, 4, 1, 3)]


def test_furniture_is_not_looked_for_when_it_is_off() -> None:
    findings = find(representation_of(C15), ReadingOptions(furniture="off"))
    assert (findings.folios, findings.warnings) == ({}, {})
    assert not any(isinstance(edit, Drop) for edit in findings.edits["body"])


def test_kinds_to_keep_stay() -> None:
    body, _ = readings_of(representation_of(C15), ReadingOptions(keep=("running_head",)))
    assert {line.split()[1] for line in removed(body)} == {"folio:"}
    assert body.text.startswith("THE EXAMPLE CHRONICLE\n\nThe first ship")


def test_evidence_names_the_pages_and_the_place() -> None:
    body, _ = readings_of(representation_of(C16_A))
    head = next(edit for edit in body.edits if isinstance(edit, Drop))
    assert head.rule == "repeats_at_edge"
    contributions = head.evidence["contributions"]
    assert contributions["repeats_near"] > 0
    assert {**head.evidence, "contributions": None} == {
        "contributions": None,
        "pages": [1, 2],
        "pageCount": 2,
        "similarity": 1.0,
        "place": {"edge": "top", "row": 1, "height": 0.044},
    }


CHAPTERS = ["Foreword vii", "VIII THE LONG WAY HOME", "The Salt House 1", "2 THE LONG WAY HOME", "The Winter Fleet ‘|"]


def test_a_head_that_stands_on_one_page_only_is_known_by_its_place() -> None:
    """Chapters of one page: no recto head repeats, and one folio was misread beyond knowing."""
    heads = [*CHAPTERS, "4 THE LONG WAY HOME", "The Ferry 5", "6 THE LONG WAY HOME"]
    body, _ = readings_of(representation_of(book(heads)))
    left_out = removed(body)
    assert "p5 running_head: The Winter Fleet ‘|" in left_out
    assert [drop for drop in left_out if "folio" in drop] == [
        "p3 folio: 1",
        "p4 folio: 2",
        "p6 folio: 4",
        "p7 folio: 5",
        "p8 folio: 6",
    ]
    assert {"p3 running_head: The Salt House", "p7 running_head: The Ferry"} <= set(left_out)
    rules = {edit.page: edit.rule for edit in body.edits if isinstance(edit, Drop) and edit.kind == "running_head"}
    assert rules[5] == "at_head_place"


@pytest.mark.parametrize(
    "line",
    [
        Typed("A display heading here", 180, 30, size=18),
        Typed("The line lower down.", 200, 52),
        Typed("It goes on in the line below,", 60, 30),
        Typed("a line of body text that is as long as the measure allows", 60, 30),
    ],
)
def test_what_only_stands_near_the_place_of_the_heads_stays(line: Typed) -> None:
    pages = book(["THE LONG WAY HOME"] * 6)
    pages[3] = [line, *printed(prose(3), y=70)]
    body, _ = readings_of(representation_of(pages))
    assert not [drop for drop in removed(body) if drop.startswith("p4")]


def test_numbered_first_lines_that_repeat_nowhere_are_no_folios_unless_enough_count_on() -> None:
    firsts = ["Item 12", "Of the sum 3", "Ferry 7"]
    body, _ = readings_of(representation_of(book(firsts)))
    assert removed(body) == []
    assert not body.findings.folios
