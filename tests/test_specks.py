"""Specks: geometry parts them from words, confidence alone never does (case C12)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ocrprep.engines.tsv import parse_tsv
from ocrprep.pages import Box, Line, Word
from ocrprep.recognition.specks import without_specks

HEADER = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"

C12 = "\n".join(
    [
        HEADER,
        "5\t1\t1\t1\t1\t1\t0\t0\t2550\t3300\t0\t|",
        "5\t1\t2\t1\t1\t1\t300\t400\t150\t40\t96\tThe",
        "5\t1\t2\t1\t1\t2\t470\t400\t210\t40\t0\tledger",
        "5\t1\t2\t1\t1\t3\t700\t400\t60\t40\t95\tis",
        "5\t1\t2\t1\t1\t4\t780\t400\t190\t40\t96\tclosed.",
        "5\t1\t3\t1\t1\t1\t1900\t2800\t20\t3\t12\t~",
    ]
)


def line(*words: tuple[str, Box], confidence: float = 0.9) -> Line:
    return Line(tuple(Word(text, box, confidence) for text, box in words))


TEXT = [
    line(*((f"word{n}", Box(100 * n, 40 * row, 100 * n + 80, 40 * row + 30)) for n in range(5))) for row in range(8)
]


def test_case_c12_a_speck_as_big_as_the_page_and_a_right_word_with_confidence_0() -> None:
    lines, specks = without_specks(parse_tsv(C12))
    assert [word.text for each in lines for word in each.words] == ["The", "ledger", "is", "closed."]
    assert [word.text for word in specks] == ["|", "~"]
    assert lines[0].words[1].confidence == 0.0
    assert lines[0].box == Box(300, 400, 970, 440)


def test_a_speck_within_the_line_leaves_the_line_in_one_piece() -> None:
    tsv = C12.replace("5\t1\t1\t1\t1\t1\t0\t0", "5\t1\t2\t1\t1\t0\t0\t0")
    lines, specks = without_specks(parse_tsv(tsv))
    assert [word.text for word in specks] == ["|", "~"]
    assert len(lines) == 1


def gone(*extra: Line) -> list[str]:
    kept, specks = without_specks([*TEXT, *extra])
    assert sum(len(each.words) for each in kept) + len(specks) == 40 + sum(len(each.words) for each in extra)
    return [word.text for word in specks]


def test_a_ruled_line_read_as_a_letter_is_a_speck() -> None:
    assert gone(line(("l", Box(600, 0, 604, 320)))) == ["l"]
    assert gone(line(("|", Box(600, 0, 604, 320)))) == ["|"]


def test_a_border_over_other_lines_is_a_speck_whatever_it_was_read_as() -> None:
    assert gone(line(("Ee", Box(0, 0, 500, 320)))) == ["Ee"]


def test_a_drop_cap_a_tall_title_and_a_lone_letter_are_words() -> None:
    assert gone(line(("T", Box(600, 0, 700, 110)))) == []
    assert gone(line(("LEDGER", Box(0, 400, 900, 520)))) == []
    assert gone(line(("I", Box(600, 0, 606, 32)))) == []


def test_a_believed_dash_and_marks_beside_words_stay() -> None:
    assert gone(line(("—", Box(300, 500, 324, 503)), confidence=0.9)) == []
    assert gone(line(("end", Box(300, 500, 360, 530)), (".", Box(362, 526, 365, 530)), confidence=0.1)) == []
    assert gone(line((".", Box(300, 500, 303, 503)), confidence=0.1)) == ["."]


def test_a_word_that_is_hardly_believed_stays() -> None:
    assert gone(line(("ledger", Box(300, 500, 420, 530)), confidence=0.0)) == []


boxes = st.tuples(*[st.floats(0, 500)] * 4).map(
    lambda s: Box(min(s[0], s[2]), min(s[1], s[3]), max(s[0], s[2]), max(s[1], s[3]))
)
words = st.builds(Word, st.text("ab|.~1", min_size=1, max_size=3), boxes, st.one_of(st.none(), st.floats(0, 1)))
pages = st.lists(st.lists(words, min_size=1, max_size=4).map(lambda each: Line(tuple(each))), max_size=6)


@given(pages)
def test_no_word_is_lost_or_doubled_and_the_order_stays(page: list[Line]) -> None:
    kept, specks = without_specks(page)
    before = [id(word) for each in page for word in each.words]
    left = [id(word) for each in kept for word in each.words]
    parted = [id(word) for word in specks]
    assert sorted([*left, *parted]) == sorted(before)
    assert left == [each for each in before if each in set(left)]
    assert all(each.words for each in kept)
