"""Paragraphs, headings, verse, addresses and lists; lines joined with and without a space; page ends."""

from __future__ import annotations

import pytest

from ocrprep.options import ReadingOptions
from ocrprep.pages import Affine, Box, Line, Page, Word
from ocrprep.preparing.upright import upright, upright_size
from ocrprep.reading import Change
from ocrprep.representation import Representation
from tests.page_builder import Typed, printed, readings_of, representation_of, text_pages

C27 = [
    [
        Typed("The wardens met at noon and settled the three points that", 60, 80),
        Typed("had been left open by the vestry since the winter session.", 60, 94),
        Typed("The kettle hums, the shutters creak,", 120, 130),
        Typed("the lamp burns low and blue;", 132, 144),
        Typed("a mouse goes by on slippered feet", 120, 158),
        Typed("and so, my love, and then—", 132, 172),
    ],
    [
        Typed("the bell; and so do you.", 120, 80),
        Typed("Mr A. Example", 60, 120),
        Typed("12 Sample Row", 60, 134),
        Typed("Northtown", 60, 148),
        Typed("•", 60, 200),
        Typed("bring the ledger and", 78, 200),
        Typed("the two keys", 78, 214),
        Typed("•", 60, 228),
        Typed("lock the door", 78, 228),
    ],
]

FULL = "The harbour was quiet when the boats came home and"
ENDED = "nobody on the quay had thought to light the lamps."


def body_of(*pages: list[Typed]) -> str:
    return readings_of(representation_of(pages))[0].text


def test_verse_addresses_and_lists_keep_their_lines() -> None:
    """Case C27."""
    assert body_of(*C27).split("\n\n") == [
        " ".join(line.text for line in C27[0][:2]),
        "\n".join(line.text for line in [*C27[0][2:], C27[1][0]]),
        "Mr A. Example\n12 Sample Row\nNorthtown",
        "• bring the ledger and the two keys",
        "• lock the door",
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["この手紙は長い", "旅の話である。"], "この手紙は長い旅の話である。"),
        (["나는 오늘", "학교에 갔다."], "나는 오늘 학교에 갔다."),
        (["sailed to", "東京 in May"], "sailed to 東京 in May"),
        (["שלום עולם 1948", "سنة ١٩٤٧"], "שלום עולם 1948 سنة ١٩٤٧"),
    ],
)
def test_a_space_joins_lines_except_between_han_and_kana(lines: list[str], expected: str) -> None:
    """Case C26."""
    assert readings_of(text_pages([lines]))[0].text == expected


def test_a_sentence_in_kana_goes_on_over_the_page() -> None:
    assert readings_of(text_pages([["この手紙は長い"], ["旅の話である。"]]))[0].text == "この手紙は長い旅の話である。"


@pytest.mark.parametrize(
    ("lines", "paragraphs"),
    [
        pytest.param(printed([FULL, ENDED, FULL, ENDED]), 1, id="full lines"),
        pytest.param(
            [*printed([FULL, ENDED]), Typed(FULL[:-4], 84, 108), *printed([ENDED, FULL], y=122)], 2, id="an indent"
        ),
        pytest.param([*printed([FULL, ENDED]), *printed([FULL, ENDED], y=122)], 2, id="a gap"),
        pytest.param(printed([FULL, "the lamps.", FULL, ENDED]), 2, id="a last line that ends short"),
        pytest.param(printed([FULL, "the lamps,", "so that " + FULL[8:], ENDED]), 1, id="short, but no end"),
        pytest.param(
            [Typed("The Return", 60, 60, 16), *printed([FULL, ENDED], y=90)], 2, id="a heading in taller type"
        ),
        pytest.param(printed(["THE RETURN OF THE BOATS", FULL, ENDED]), 2, id="a heading in capitals"),
        pytest.param(
            [*printed([FULL, ENDED]), Typed("The Return", 60, 130), *printed([FULL, ENDED], y=148)],
            3,
            id="a heading below a gap",
        ),
        pytest.param(
            [*printed([FULL, ENDED]), *(line._replace(block=2) for line in printed([FULL], y=108))], 2, id="block"
        ),
        pytest.param(
            [*printed([FULL]), *(line._replace(block=2) for line in printed([ENDED], y=94))], 1, id="no block"
        ),
    ],
)
def test_where_paragraphs_end(lines: list[Typed], paragraphs: int) -> None:
    text = body_of(lines)
    assert len(text.split("\n\n")) == paragraphs
    assert text.count("\n") == 2 * (paragraphs - 1)


def test_numbered_items_keep_their_lines_and_wrapped_items_join() -> None:
    text = body_of(
        printed([FULL, "the rules:", "1. Take none but bright fish, and be", "quick.", "2. Tell nobody.", "3. Sing."])
    )
    assert text.split("\n\n") == [
        f"{FULL} the rules:",
        "1. Take none but bright fish, and be quick.\n2. Tell nobody.\n3. Sing.",
    ]


@pytest.mark.parametrize(
    ("last", "first", "joined"),
    [
        pytest.param(FULL, "nobody had thought", True, id="lower case goes on"),
        pytest.param("the lamps of", "nobody had thought", True, id="lower case goes on after a short line"),
        pytest.param(FULL, "Nobody had thought", True, id="a full line without an end"),
        pytest.param(ENDED, "Nobody had thought", False, id="a sentence ends, nothing says more"),
        pytest.param("the lamps.", "Nobody had thought", False, id="a short last line"),
        pytest.param("the lamps", "Nobody had thought", False, id="a short line and a capital"),
    ],
)
def test_over_a_page(last: str, first: str, joined: bool) -> None:
    text = body_of(printed([FULL, ENDED, last]), printed([first, ENDED, FULL]))
    assert (f"{last} {first}" in text) == joined
    assert (f"{last}\n\n{first}" in text) == (not joined)


def test_a_document_that_indents_joins_a_full_line_and_an_unindented_one() -> None:
    indented = [
        line for at in range(4) for line in (Typed(FULL, 84, 80 + 28 * at), Typed(ENDED + " Yes.", 60, 94 + 28 * at))
    ]
    text = body_of(indented, printed([f"Then{FULL[3:]}", ENDED]))
    assert f"Yes. Then{FULL[3:]}" in text


def test_a_word_is_joined_over_blank_pages() -> None:
    body, _ = readings_of(text_pages([["they lit the lan-"], [], [], ["tern again, and a lantern it was"]]))
    assert body.text == "they lit the lantern again, and a lantern it was"
    groups = [
        edit.group for edit in body.edits if isinstance(edit, Change) and edit.kind in ("dehyphenate", "join_page")
    ]
    assert groups == [1, 1, 1, 1]


def test_without_reflow_the_printed_lines_stay() -> None:
    pages = [["The salt-", "curing lasts", "a week;"], [], ["and more."]]
    body, _ = readings_of(text_pages(pages), ReadingOptions(reflow=False))
    assert body.text == "The salt-\ncuring lasts\na week;\n\nand more."


def test_a_signature_mark_is_not_joined_to_a_cut_word() -> None:
    assert "be-\nA 5" in body_of(printed([FULL, ENDED, "as it had always been in this town and would be-", "A 5"]))


def test_a_page_that_was_scanned_on_its_side_is_seen_upright() -> None:
    turned = Affine.quarter_turns(1, 400, 300)
    page = Page(1, (300, 400), "px", affine=turned)
    assert upright_size(page) == (400, 300)
    assert upright(turned.box(Box(10, 20, 110, 40)), page) == Box(10, 20, 110, 40)
    for turns in range(4):
        size = (300, 400) if turns % 2 else (400, 300)
        affine = Affine.quarter_turns(turns, 400, 300)
        assert upright(affine.box(Box(10, 20, 110, 40)), Page(1, size, "px", affine=affine)) == Box(10, 20, 110, 40)


def test_a_turned_page_reads_like_an_upright_one() -> None:
    straight = representation_of([[*printed([FULL, ENDED]), *printed([FULL, ENDED], y=122)]])
    (page,) = straight.pages
    affine = Affine.quarter_turns(3, *page.size)
    lines = [
        Line(tuple(Word(word.text, affine.box(word.box)) for word in line.words), line.block) for line in page.lines
    ]
    on_side = Page(1, (page.size[1], page.size[0]), page.unit, lines, affine=affine)
    turned = Representation(straight.source_id, straight.source_files, [on_side])
    assert readings_of(turned)[0].text == readings_of(straight)[0].text
