"""Tesseract's TSV and its words: nothing is lost, whatever a word holds."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrprep.engines.tsv import parse_tsv
from ocrprep.engines.words import REPLACEMENT, number_lines, split_words
from ocrprep.errors import PageError
from ocrprep.pages import Box, Line, Word

HEADER = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
PAGE = "1\t1\t0\t0\t0\t0\t0\t0\t600\t400\t-1\t"


def row(text: str, *, block: int = 1, par: int = 1, line: int = 1, word: int = 1, conf: object = "96.5") -> str:
    return f"5\t1\t{block}\t{par}\t{line}\t{word}\t10\t20\t100\t40\t{conf}\t{text}"


def tsv(*rows: str) -> str:
    return "\n".join([HEADER, PAGE, *rows, ""])


def texts(lines: list[Line]) -> list[list[str]]:
    return [[word.text for word in line.words] for line in lines]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param((), [], id="a blank page"),
        pytest.param((row("The"), row("end", word=2)), [["The", "end"]], id="two words"),
        pytest.param((row('"The'), row('end"', word=2)), [['"The', 'end"']], id="quotes open no field"),
        pytest.param((row('"'), row("x", word=2)), [['"', "x"]], id="a lone quote"),
        pytest.param((row("a\tb"),), [["a", "b"]], id="a tab inside a word"),
        pytest.param((row("a\nb"), row("c", word=2)), [["a", "b", "c"]], id="a newline inside a word"),
        pytest.param((row("a\n\n12\t13\nb"),), [["a", "12", "13", "b"]], id="numbers that make no row"),
        pytest.param((row("a\u2028b\x0cc\x85d"),), [["a", "b", "c", "d"]], id="line ends that end no row"),
        pytest.param((row("a\x07b"),), [[f"a{REPLACEMENT}b"]], id="a control"),
        pytest.param((row("co\u00adop"),), [["co\u00adop"]], id="a soft hyphen is text"),
        pytest.param((row(" "), row("x", word=2)), [["x"]], id="an empty word"),
        pytest.param((row("a"), row("b", line=2)), [["a"], ["b"]], id="two lines"),
        pytest.param((row("a"), row("b", par=2)), [["a"], ["b"]], id="the same line number in another paragraph"),
        pytest.param((row("a\r"), row("b\r", word=2)), [["a", "b"]], id="carriage returns of Windows"),
        pytest.param((row("x\u3000y\u00a0z"),), [["x", "y", "z"]], id="wide and no-break spaces"),
        pytest.param((PAGE[:-1], row("x")), [["x"]], id="a row without its last tab"),
        pytest.param((PAGE + "lost", row("x")), [["lost"], ["x"]], id="text on a row of the structure"),
    ],
)
def test_reads_words(rows: tuple[str, ...], expected: list[list[str]]) -> None:
    """Every character that is no white space becomes part of a word."""
    assert texts(parse_tsv(tsv(*rows))) == expected


def test_reads_the_header() -> None:
    """The header tells where a column is, so that a new column does no harm."""
    page = f"new\t{HEADER}\n7\t{row('word')}\n"
    assert parse_tsv(page)[0].words[0].box == Box(10, 20, 110, 60)


@pytest.mark.parametrize("text", ["", "The quick brown fox", "a\tb\ttext", f"{HEADER}\nSegmentation fault\n"])
def test_refuses_what_is_no_tsv(text: str) -> None:
    """An engine that writes something else has failed: its page is not blank."""
    with pytest.raises(PageError, match="no TSV"):
        parse_tsv(text)


@pytest.mark.parametrize(
    ("conf", "expected"),
    [
        ("96", 0.96),
        ("96.500000", 0.965),
        ("0", 0.0),
        ("-1", None),
        ("nan", None),
        ("-nan", None),
        ("100.5", 1.0),
        ("1e-05", 1e-07),
    ],
)
def test_confidence(conf: str, expected: float | None) -> None:
    """A confidence lies between 0 and 1; 0 is a value, -1 and NaN are none."""
    found = parse_tsv(tsv(row("word", conf=conf)))[0].words[0].confidence
    assert found == (None if expected is None else pytest.approx(expected))


def test_blocks_count_from_one_without_gaps() -> None:
    """Tesseract also numbers blocks without words."""
    lines = parse_tsv(tsv(row("a", block=2), row(" ", block=3), row("b", block=5), row("c", block=5, line=2)))
    assert [line.block for line in lines] == [1, 2, 2]


def test_case_c12_keeps_every_word() -> None:
    """C12: low confidence and an absurd box are facts for later stages; the engine drops nothing."""
    words = [("|", 0), ("The", 96), ("ledger", 0), ("is", 95), ("closed.", 96), ("~", 12)]
    found = parse_tsv(tsv(*(row(text, word=number, conf=conf) for number, (text, conf) in enumerate(words, 1))))
    assert [(word.text, word.confidence) for word in found[0].words] == [(text, conf / 100) for text, conf in words]


WORDS = st.text(st.sampled_from("ab\"'\t\n\r\x0b\x0c\x1c\x85\u00ad\u2028\u3000é漢\U0001f600\x00-19.") | st.characters())


@given(st.lists(st.lists(WORDS, min_size=1, max_size=4), max_size=4))
def test_nothing_is_lost(lines: list[list[str]]) -> None:
    """Parsing what was written keeps every character that is no white space, in its line."""
    rows = [row(text, line=line, word=word) for line, each in enumerate(lines, 1) for word, text in enumerate(each, 1)]
    found = parse_tsv(tsv(*rows))
    expected = [visible("".join(each)) for each in lines]
    assert ["".join(word.text for word in line.words) for line in found] == [each for each in expected if each]


def visible(text: str) -> str:
    controls = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), *map(chr, range(0xD800, 0xE000))}
    return "".join(REPLACEMENT if each in controls else each for each in "".join(text.split()))


@given(st.text(), st.floats())
def test_words_keep_the_rules_of_a_representation(text: str, confidence: float) -> None:
    """No word has white space or controls, each has its share of the box, and a confidence from 0 to 1 or none."""
    box = Box(10, 20, 110, 40)
    words = list(split_words(text, box, confidence))
    for word in words:
        assert word.text
        assert word.text.split() == [word.text]
        word.text.encode()
        assert word.confidence is None or 0 <= word.confidence <= 1
        assert 10 <= word.box.x0 <= word.box.x1 <= 110
    assert all(left.box.x1 <= right.box.x0 for left, right in pairwise(words))


def test_shares_a_box_by_characters() -> None:
    """Each part of a split word covers its characters, and a word that is not split its whole box."""
    box = Box(0, 0, 100, 10)
    assert [word.box for word in split_words(" ab cdefg h ", box, 50)] == [
        Box(0, 0, 20, 10),
        Box(30, 0, 80, 10),
        Box(90, 0, 100, 10),
    ]
    assert [word.box for word in split_words("abc", Box(0.1, 0, 0.3, 1), 50)] == [Box(0.1, 0, 0.3, 1)]


def test_carries_the_line_of_a_word() -> None:
    """Angle and size of the line go to every part."""
    words = list(split_words("a b", Box(0, 0, 9, 9), math.nan, baseline_angle=1.5, font_size=30))
    assert [(word.baseline_angle, word.font_size, word.confidence) for word in words] == [(1.5, 30, None)] * 2


def test_a_line_without_words_is_left_out() -> None:
    """A page's lines have words."""
    word = Word("a", Box(0, 0, 1, 1))
    assert number_lines([("x", []), ("y", [word]), ("x", [word])]) == [Line((word,), 1), Line((word,), 2)]
