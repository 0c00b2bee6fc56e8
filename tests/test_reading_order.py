"""Reading order: columns, side notes and initials come into their order, and nothing else is touched."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrprep.options import Options
from ocrprep.pages import Affine, Box, Line, Page, PageWarning
from ocrprep.preparing.reading_order import CHANGED, ordered
from ocrprep.recognition.page import read_page
from ocrprep.representation import Representation
from ocrprep.sources import open_source
from tests.fakes import FakeEngine
from tests.page_builder import SIZE, Typed, readings_of, representation_of, set_line
from tests.strategies import LINE
from tests.test_recognition import picture

PITCH = 14.0
_TEXT = (
    "the boat was late and nobody knew why the lamp had gone out before the keeper came down with his dog to see what "
    "had become of a rope that lay on the quay since the day when rain fell into every house near our old harbour wall "
)
_WORDS = _TEXT.split()
Texts = list[str]


def prose(rows: int, width: int = 30, seed: int = 1) -> Texts:
    """Return lines of running text, of at most `width` characters, that go on from one to the next."""
    chance = Random(seed)  # noqa: S311  # the same texts in every run, no secret
    words = [chance.choice(_WORDS) for _ in range(rows * width)]
    for at in range(0, len(words), 17):
        words[at] = words[at].capitalize()
    return textwrap.wrap(" ".join(words), width)[:rows]


def column(texts: Iterable[str], x: float, y: float = 100.0, pitch: float = PITCH) -> list[Typed]:
    """Set lines below each other."""
    return [Typed(text, x, y + pitch * row) for row, text in enumerate(texts) if text]


def across(typed: Sequence[Typed], *, fused: bool = True) -> list[Line]:
    """Read a page row by row, as a bad text layer does: with all words of a row as one line, or as lines in a row."""
    lines = [set_line(each) for each in typed]
    rows: dict[float, list[Line]] = {}
    for line in sorted(lines, key=lambda line: (line.box.top, line.box.x0)):
        rows.setdefault(line.box.top, []).append(line)
    if not fused:
        return [line for row in rows.values() for line in row]
    return [Line(tuple(word for line in row for word in line.words)) for row in rows.values()]


def texts_of(lines: Iterable[Line]) -> Texts:
    return [" ".join(word.text for word in line.words) for line in lines]


VERSE = [f"{who} {did} the {what}," for who in ("I", "He", "She", "We") for did in ("saw", "took") for what in "abc"]
NAMES = [f"{first}{rest}, harbour pilot, {n}" for n, first in enumerate("ABCDFGHKLM") for rest in ("arn", "oat")]

IN_COLUMNS: dict[str, list[Typed]] = {
    "two": [*column(prose(30), 60), *column(prose(30, seed=2), 330)],
    "two, of four rows": [*column(prose(4), 60), *column(prose(4, seed=2), 330)],
    "three": [t for n in range(3) for t in column(prose(25, 22, n), 40 + 180 * n)],
    "five": [t for n in range(5) for t in column(prose(40, 14, n), 30 + 115 * n)],
    "a narrow gutter": [*column(prose(30, 40), 50), *column(prose(30, 40, 2), 50 + 240 + 12)],
    "a heading across": [
        Typed("ON THE HABITS OF LIGHTHOUSE KEEPERS IN WINTER", 150, 60),
        *column(prose(30), 60),
        *column(prose(30, seed=2), 330),
    ],
    "a heading across in the middle": [
        *column(prose(12), 60),
        *column(prose(12, seed=2), 330),
        Typed("OF DOGS THAT LIVE IN LIGHTHOUSES AND OF THEIR FOOD", 150, 300),
        *column(prose(12, seed=3), 60, 330),
        *column(prose(12, seed=4), 330, 330),
    ],
    "of unequal length": [*column(prose(40), 60), *column(prose(9, seed=2), 330)],
    "a picture in one": [
        *column(prose(10), 60),
        *column(prose(10, seed=3), 60, 100 + 25 * PITCH),
        *column(prose(35, seed=2), 330),
    ],
    "a running head": [
        Typed("12", 60, 50),
        Typed("TALES OF THE HARBOUR", 400, 50),
        *column(prose(30), 60),
        *column(prose(30, seed=2), 330),
    ],
    "a note across the foot": [
        *column(prose(20), 60),
        *column(prose(20, seed=2), 330),
        Typed("* The keeper told this to a visitor who wrote it down the same night, and lost it.", 60, 600, 8),
    ],
    "verse": [*column(VERSE, 60), *column(VERSE[::-1], 330)],
    "an index": [*column(NAMES[:10], 60), *column(NAMES[10:], 330)],
}

NOT_IN_COLUMNS: dict[str, list[Typed]] = {
    "prose": column(prose(40, 80), 60),
    "typescript with wide spaces": column([text.replace(" ", "   ") for text in prose(30, 30)], 60, pitch=24),
    "a table of numbers": [
        *column(["Rope", "Tar", "Oil", "Bread", "Salt", "Lamps", "Coal", "Wood"] * 3, 60),
        *column([f"{n * 37}" for n in range(1, 25)], 300),
        *column([f"{n * 41}.50" for n in range(1, 25)], 400),
    ],
    "a table of words": [
        *column([f"Captain {a}{b}orn" for a in "BDFGHK" for b in "aeio"], 60),
        *column([f"{b}{a}port, Cornwall" for a in "SWRT" for b in "KNLMPQ"], 330),
    ],
    "a table of sentences": [
        *column(["When the lamp goes out,", "and no one is there:", "", ""] * 6, 60),
        *column(
            ["Light it again at once,", "then go down to the quay", "and see whether any boat", "is on the rocks."] * 6,
            330,
        ),
    ],
    "contents with leaders": column([f"{n}. Of the {w} {'. ' * 25}{n * 9}" for n, w in enumerate(_WORDS[:20])], 60),
    "contents": [*column([f"Chapter {w}" for w in _WORDS[:24]], 60), *column([f"{n * 7}" for n in range(24)], 500)],
    "a letterhead": [
        *column(["The Harbour Office", "12 Quay Street", "Tarnmouth", "Telephone 14", "Cables: TARN"], 60),
        *column(["Messrs. Oat & Sons", "3 Mill Lane", "Overford", "Your letter of May 4", "Our ref. 17/b"], 380),
        *column(prose(20, 80), 60, 220),
    ],
    "signatures": [
        *column(prose(20, 80), 60),
        *column(["For the owners", "J. Tarn", "Master", "Tarnmouth, 4 May"], 60, 420),
        *column(["For the buyers", "K. Oat", "Merchant", "Overford, 5 May"], 380, 420),
    ],
    "hanging numbers": [*column([f"{n}." for n in range(1, 31)], 60), *column(prose(30, 60), 90)],
    "words and what they mean": [
        *column([w.capitalize() for w in _WORDS[:24]], 60),
        *column(prose(24, 50), 180),
    ],
    "a play": [*column(["TARN.", "BOY.", "PILOT."] * 8, 60), *column(prose(24, 50), 120)],
    "a diary": [*column([f"May {n}" for n in range(1, 25)], 60), *column(prose(24, 50), 130)],
    "verse in stanzas": column([*VERSE[:8], "", *VERSE[8:16], "", *VERSE[16:]], 150),
    "a title page": [
        Typed("THE", 280, 100, 14),
        Typed("KEEPER OF THE LIGHT", 180, 140, 20),
        Typed("A TALE", 270, 200, 14),
        Typed("TARNMOUTH", 100, 600, 12),
        Typed("LONDON", 420, 600, 12),
    ],
}


@pytest.mark.parametrize("fused", [True, False], ids=["fused", "in rows"])
@pytest.mark.parametrize("name", IN_COLUMNS)
def test_columns_read_row_by_row_come_into_their_order(name: str, fused: bool) -> None:
    page = IN_COLUMNS[name]
    found = ordered(across(page, fused=fused), SIZE)
    assert found.changed
    head = [each for each in texts_of(found.lines) if each in ("12 TALES OF THE HARBOUR", "12", "TALES OF THE HARBOUR")]
    body = [each for each in texts_of(found.lines) if each not in head]
    assert body == [each.text for each in page if each.text not in ("12", "TALES OF THE HARBOUR")]
    assert texts_of(found.lines)[: len(head)] == head


@pytest.mark.parametrize("name", IN_COLUMNS)
def test_columns_in_their_order_stay_as_they_are(name: str) -> None:
    lines = [set_line(each) for each in IN_COLUMNS[name]]
    found = ordered(lines, SIZE)
    assert (found.lines, found.changed) == (tuple(lines), False)


@pytest.mark.parametrize("fused", [True, False], ids=["fused", "in rows"])
@pytest.mark.parametrize("name", NOT_IN_COLUMNS)
def test_what_only_looks_like_columns_stays_as_it_is(name: str, fused: bool) -> None:
    lines = across(NOT_IN_COLUMNS[name], fused=fused)
    assert ordered(lines, SIZE).lines == tuple(lines)


def test_each_column_is_a_block_of_its_own() -> None:
    found = ordered(across(IN_COLUMNS["a heading across"]), SIZE)
    assert [line.block for line in found.lines] == [1] + [2] * 30 + [3] * 30


def test_right_to_left_scripts_have_their_first_column_on_the_right() -> None:
    word = "שלום"
    left, right = column([f"{word} {n} {word} {word} {word}" for n in range(20)], 60), []
    right = [replace_text(each, 330, n + 50) for n, each in enumerate(left)]
    backwards = [Line(tuple(reversed(line.words))) for line in across([*left, *right])]
    found = texts_of(ordered(backwards, SIZE).lines)
    assert [text.split()[3] for text in found] == [str(n) for n in (*range(50, 70), *range(20))]


def replace_text(typed: Typed, x: float, number: int) -> Typed:
    """Return a line elsewhere with another number in it."""
    words = typed.text.split()
    return typed._replace(x=x, text=" ".join([words[0], str(number), *words[2:]]))


def test_two_lines_fused_by_mistake_are_cut_and_go_to_their_neighbours() -> None:
    lines = [set_line(each) for each in IN_COLUMNS["two"]]
    fused = Line((*lines[7].words, *lines[37].words))
    found = ordered([*lines[:7], fused, *lines[8:37], *lines[38:]], SIZE)
    assert texts_of(found.lines) == texts_of(lines)
    assert (found.cut, found.moved) == (1, 1)


def test_parts_of_lines_find_their_rows_beside_specks_and_numbers_read_as_one_tall_word() -> None:
    """The first rows are fused; a vertical run of numbers, read as one word, has its middle above the other rows."""
    page = [*column(prose(25), 60), *column(prose(25, seed=2), 330)]
    lines = [set_line(each) for each in page]
    numbers = Line((replace(set_line(Typed("2")).words[0], text="OWN", box=Box(305, 100, 320, 320)),))
    speck = set_line(Typed(">", 70, 60))
    fused = [Line((*left.words, *right.words)) for left, right in zip(lines[:8], lines[25:33], strict=True)]
    found = ordered([speck, *fused, *lines[8:25], numbers, *lines[33:]], SIZE)
    assert [text for text in texts_of(found.lines) if text not in (">", "OWN")] == [each.text for each in page]


@pytest.mark.parametrize("row", [0, 7, 24])
@pytest.mark.parametrize("first", [0, 1])
def test_a_part_goes_to_its_own_column_where_its_side_has_several(first: int, row: int) -> None:
    """Of three columns, two stand on one side of the gutter that is found first."""
    lines = [set_line(each) for each in IN_COLUMNS["three"]]
    at, other = 25 * first + row, 25 * first + 25 + row
    fused = Line((*lines[at].words, *lines[other].words))
    found = ordered([*lines[:at], fused, *lines[at + 1 : other], *lines[other + 1 :]], SIZE)
    assert texts_of(found.lines) == texts_of(lines)


def test_the_order_that_an_ocr_file_states_stays_unless_it_plainly_runs_across() -> None:
    def imported(lines: Iterable[Line]) -> list[Line]:
        return [replace(each, words=tuple(replace(w, text_basis="imported") for w in each.words)) for each in lines]

    lines = [set_line(each) for each in IN_COLUMNS["two"]]
    few = [*(line for pair in zip(lines[:10], lines[30:40], strict=True) for line in pair), *lines[10:30], *lines[40:]]
    assert ordered(few, SIZE).changed
    assert not ordered(imported(few), SIZE).changed
    assert texts_of(ordered(imported(across(IN_COLUMNS["two"])), SIZE).lines) == texts_of(lines)


TURNS: dict[str, Affine] = {
    "a quarter to the right": Affine(0, -1, 1, 0, 0, SIZE[0]),
    "upside down": Affine(-1, 0, 0, -1, SIZE[0], SIZE[1]),
    "a quarter to the left": Affine(0, 1, -1, 0, SIZE[1], 0),
}


@pytest.mark.parametrize("turn", TURNS)
def test_the_order_of_a_turned_page_is_that_of_the_page_upright(turn: str) -> None:
    lines = across(IN_COLUMNS["three"])
    affine = TURNS[turn]
    turned = [
        replace(line, words=tuple(replace(word, box=affine.box(word.box)) for word in line.words)) for line in lines
    ]
    size = SIZE if affine.a else SIZE[::-1]
    assert texts_of(ordered(turned, size, affine).lines) == texts_of(ordered(lines, SIZE).lines)


@pytest.mark.parametrize("slope", [0.02, -0.02])
def test_a_slanting_page_has_its_columns_too(slope: float) -> None:
    """A degree of slant moves a page's foot by more than a gutter's width."""

    def slanted(line: Line) -> Line:
        words = (
            replace(
                word,
                box=Box(
                    word.box.x0 - slope * word.box.top,
                    word.box.top + slope * word.box.x0,
                    word.box.x1 - slope * word.box.top,
                    word.box.bottom + slope * word.box.x0,
                ),
                baseline_angle=slope * 57.3,
            )
            for word in line.words
        )
        return replace(line, words=tuple(words))

    page = [*column(prose(45, 40), 50), *column(prose(45, 40, 2), 50 + 240 + 12)]
    found = ordered([slanted(line) for line in across(page)], SIZE)
    assert texts_of(found.lines) == [each.text for each in page]


def test_a_watermark_across_the_columns_hides_no_gutter_and_comes_last() -> None:
    lines = across(IN_COLUMNS["two"])
    mark = set_line(Typed("SPECIMEN", 150, 200, 60))
    mark = replace(mark, words=tuple(replace(word, baseline_angle=-45.0) for word in mark.words))
    found = texts_of(ordered([*lines[:9], mark, *lines[9:]], SIZE).lines)
    assert found == [*(each.text for each in IN_COLUMNS["two"]), "SPECIMEN"]


NOTE = ["How the", "keeper lost", "his dog."]


@pytest.mark.parametrize(("x", "at"), [(470.0, 300.0), (20.0, 100.0)], ids=["right", "left"])
def test_side_notes_fused_with_the_text_come_together_behind_it(x: float, at: float) -> None:
    text = column(prose(30, 50), at if x < at else 120)
    note = [Typed(each, x, text[row + 8].y, 7) for row, each in enumerate(NOTE)]
    body = [each._replace(x=120.0) for each in text]
    fused = across([*body, *note])
    found = texts_of(ordered(fused, SIZE).lines)
    assert found == [*(each.text for each in body), *NOTE]


def test_side_notes_stand_before_the_footnotes() -> None:
    body = column(prose(30, 50), 120)
    note = [Typed(each, 470, body[row + 8].y) for row, each in enumerate(NOTE)]
    foot = Typed("1) The dog was found again in the week after.", 120, 560, 7)
    found = texts_of(ordered(across([*body, *note, foot]), SIZE).lines)
    assert found[-4:] == [*NOTE, foot.text]


@pytest.mark.parametrize(
    "labels", [["Tarn", "Boy", "Pilot"], ["1", "2", "3"], ["10 May", "11 May", "12 May"], ["|", "i", "l"]]
)
def test_labels_beside_the_text_are_no_side_notes(labels: Texts) -> None:
    body = column(prose(30, 50), 120)
    beside = [Typed(each, 60, body[row + 8].y) for row, each in enumerate(labels)]
    lines = across([*body, *beside])
    assert ordered(lines, SIZE).lines == tuple(lines)


def test_line_numbers_stay_beside_their_lines() -> None:
    """Case C19: they are for the furniture to lift out."""
    lines = [
        set_line(Typed(text, x, 100.0 + 24 * row))
        for row, body in enumerate(prose(25, 50))
        for text, x in ((str(row + 1), 40.0), (body, 80.0))
    ]
    assert not ordered(lines, SIZE).changed


def test_columns_flow_through_reflow() -> None:
    """A word cut at the foot of a column goes on at the head of the next (case C18)."""
    left = [
        "The keepers of a light may lay",
        "down an oar at dusk, and each",
        "of them takes one rope home",
        "and sets up his own com-",
    ]
    right = ["pass upon the wall. The", "watch ends when the last", "lamp is lit and all the", "boats are counted."]
    lines = across([Typed("RULES OF THE WATCH", 180, 60), *column(left, 60), *column(right, 330)])
    body, _ = readings_of(in_order(lines))
    assert body.text == (
        "RULES OF THE WATCH\n\nThe keepers of a light may lay down an oar at dusk, and each of them takes one rope "
        "home and sets up his own compass upon the wall. The watch ends when the last lamp is lit and all the boats "
        "are counted."
    )


def in_order(lines: Sequence[Line]) -> Representation:
    """Make a representation of one page of lines, put into order."""
    blank = representation_of([[]])
    return Representation(blank.source_id, blank.source_files, [Page(1, SIZE, "pt", ordered(lines, SIZE).lines)])


def test_warnings_keep_their_lines_and_tell_of_the_change() -> None:
    lines = across(IN_COLUMNS["two"], fused=False)
    found = ordered(lines, SIZE)
    given_warnings = [PageWarning("texts_overlap", "about a line", 4), PageWarning("low_confidence", "about the page")]
    first, second, last = found.warnings(given_warnings)
    assert found.lines[first.line - 1] == replace(lines[3], block=2) if first.line else False
    assert (second.line, last.code) == (None, CHANGED)
    assert ordered(found.lines, SIZE).warnings(given_warnings) == tuple(given_warnings)


def test_a_page_is_put_into_order_when_it_is_read(tmp_path: Path) -> None:
    page = [each._replace(x=each.x * 0.6, size=6.0) for each in IN_COLUMNS["two"]]
    engine = FakeEngine({400: lambda _raster: confident(across(page))})
    with open_source([picture(tmp_path / "page.png", ink=True)]) as source:
        read = read_page(source, 1, engine, Options()).page
    assert texts_of(read.lines) == [each.text for each in page]
    assert [warning.code for warning in read.warnings] == [CHANGED]


def confident(lines: Iterable[Line]) -> list[Line]:
    return [replace(line, words=tuple(replace(word, confidence=0.9) for word in line.words)) for line in lines]


@st.composite
def column_pages(draw: st.DrawFn) -> list[Line]:
    """A page of one to four columns, heads and labels, read in any order and fused here and there."""
    count = draw(st.integers(1, 4))
    width = 480 // count // 6 - 3
    typed: list[Typed] = []
    for number in range(count):
        rows = draw(st.integers(1, 24))
        typed += column(
            prose(rows, width, draw(st.integers(0, 9))),
            40 + number * (480 // count),
            100 + 14 * draw(st.integers(0, 3)),
        )
    if draw(st.booleans()):
        typed.append(
            Typed(prose(1, draw(st.integers(5, 70)))[0], draw(st.integers(20, 200)), draw(st.integers(20, 500)))
        )
    lines = across(typed, fused=draw(st.booleans()))
    return draw(st.permutations(lines)) if draw(st.booleans()) else lines


PAGES: st.SearchStrategy[list[Line]] = st.one_of(column_pages(), st.lists(LINE, max_size=12))


@given(PAGES)
def test_no_word_is_lost_and_the_words_of_a_line_keep_their_order(lines: list[Line]) -> None:
    found = ordered(lines, SIZE)
    assert Counter(word for line in found.lines for word in line.words) == Counter(
        w for line in lines for w in line.words
    )
    for origin, line in enumerate(lines):
        parts = [own.words for own, number in zip(found.lines, found.origins, strict=True) if number == origin]
        for part in parts:
            words = iter(line.words)
            assert all(any(each is word for each in words) for word in part)
    assert len(found.lines) == len(found.origins)


@given(PAGES)
def test_an_ordered_page_is_in_order(lines: list[Line]) -> None:
    found = ordered(lines, SIZE)
    again = ordered(found.lines, SIZE)
    assert again.lines == found.lines


MOVES: dict[str, Callable[[Box], Box]] = {
    "moved": lambda box: Box(box.x0 + 64, box.top + 128, box.x1 + 64, box.bottom + 128),
    "twice as large": lambda box: Box(*(2 * side for side in box)),
    "a quarter as large": lambda box: Box(*(side / 4 for side in box)),
}


@pytest.mark.parametrize("move", MOVES)
@given(lines=column_pages())
def test_the_order_does_not_depend_on_place_and_scale(move: str, lines: list[Line]) -> None:
    elsewhere = [
        replace(line, words=tuple(replace(word, box=MOVES[move](word.box)) for word in line.words)) for line in lines
    ]
    assert texts_of(ordered(elsewhere, SIZE).lines) == texts_of(ordered(lines, SIZE).lines)


@given(st.integers(1, 50), st.integers(20, 90), st.integers(0, 99))
def test_a_page_of_one_column_is_unchanged(rows: int, width: int, seed: int) -> None:
    lines = [set_line(each) for each in column(prose(rows, width, seed), 50)]
    assert not ordered(lines, SIZE).changed


@pytest.mark.parametrize("lines", [[], [Line((set_line(Typed("x")).words[0],))]], ids=["none", "one"])
def test_hardly_any_lines_are_in_order(lines: list[Line]) -> None:
    assert ordered(lines, SIZE).lines == tuple(lines)
