"""PAGE XML as a source: reading order, levels that differ, other readings, and text without words."""

from __future__ import annotations

import html
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrprep.pages import Box, Word
from ocrprep.sources.existing_ocr import ExistingOcrFile
from ocrprep.sources.page_text import ExistingText

NAMESPACE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/"
SAID = "<TextEquiv><Unicode>{}</Unicode></TextEquiv>"


def document(content: str, version: str = "2019-07-15") -> str:
    return (
        f"<?xml version='1.0' encoding='UTF-8'?><PcGts xmlns='{NAMESPACE}{version}'><Metadata/>"
        f"<Page imageFilename='no.png' imageWidth='1000' imageHeight='1400'>{content}</Page></PcGts>"
    )


def coords(x0: int, top: int, x1: int, bottom: int) -> str:
    return f"<Coords points='{x0},{top} {x1},{top} {x1},{bottom} {x0},{bottom}'/>"


LINE_AT = coords(100, 10, 200, 40)


def said(text: str) -> str:
    return SAID.format(text)


def word(text: str, x0: int = 100, x1: int = 140) -> str:
    return f"<Word>{coords(x0, 10, x1, 40)}{said(text)}</Word>"


def line(*content: str, at: str = LINE_AT) -> str:
    return f"<TextLine>{at}{''.join(content)}</TextLine>"


def region(*content: str, name: str = "r", kind: str = "TextRegion") -> str:
    return f"<{kind} id='{name}'>{coords(100, 0, 200, 60)}{''.join(content)}</{kind}>"


def read(tmp_path: Path, text: str) -> tuple[ExistingText, list[str]]:
    """Return the one page of a file and the codes of all warnings but that of the picture."""
    path = tmp_path / "page.xml"
    path.write_text(text, "utf-8")
    file = ExistingOcrFile(path, "PAGE")
    page = file.text(1)
    return page, [each.code for each in (*file.warnings, *page.warnings) if each.code != "page_image_missing"]


def texts(text: ExistingText) -> list[str]:
    return [" ".join(each.text for each in line.words) for line in text.lines]


def asides(text: ExistingText) -> list[tuple[str, str]]:
    return [(each.kind, each.text) for each in text.asides]


@pytest.mark.parametrize("version", ["2010-03-19", "2013-07-15", "2017-07-15", "2019-07-15"])
def test_a_line_without_words_gives_words_with_shares_of_its_box(tmp_path: Path, version: str) -> None:
    points = "<Coords><Point x='100' y='10'/><Point x='200' y='40'/></Coords>"
    at = points if version.startswith("2010") else LINE_AT
    text, codes = read(tmp_path, document(region(line(said("To be"), at=at)), version))
    assert [(each.text, each.box) for each in text.lines[0].words] == [
        ("To", Box(100, 10, 140, 40)),
        ("be", Box(160, 10, 200, 40)),
    ]
    assert codes == ["word_boxes_estimated"]


def test_words_keep_their_boxes_and_confidences(tmp_path: Path) -> None:
    sure = word("Salt").replace("<TextEquiv>", "<TextEquiv conf='0.75'>")
    text, codes = read(tmp_path, document(region(line(sure, word("sea", 150, 180), said("Salt sea")))))
    assert text.lines[0].words == (
        Word("Salt", Box(100, 10, 140, 40), 0.75, text_basis="imported"),
        Word("sea", Box(150, 10, 180, 40), None, text_basis="imported"),
    )
    assert codes == []


@pytest.mark.parametrize(
    ("words", "own", "expected", "aside", "codes"),
    [
        ([("Salt", 100, 140), (",", 140, 150)], "Salt,", [("Salt,", 100, 150)], [], []),
        ([("NewYork", 100, 170)], "New York", [("New", 100, 130), ("York", 130, 170)], [], []),
        ([("sea", 150, 180), ("Salt", 100, 140)], "Salt sea", [("Salt", 100, 140), ("sea", 150, 180)], [], []),
        ([("a", 100, 110), ("b", 120, 130)], "", [("a", 100, 110), ("b", 120, 130)], [], []),
        (
            [("mug", 100, 140)],
            "mug sing",
            [("mug", 100, 140), ("sing", 150, 200)],
            [("other_level", "mug")],
            ["ocr_levels_differ", "word_boxes_estimated"],
        ),
        (
            [("a", 100, 110), ("b", 120, 130), ("b", 130, 140)],
            "a b",
            [("a", 100, 110), ("b", 120, 130)],
            [("other_level", "a b b")],
            ["ocr_levels_differ"],
        ),
    ],
)
def test_where_words_and_line_differ_the_line_is_read_and_nothing_lost(
    tmp_path: Path,
    words: list[tuple[str, int, int]],
    own: str,
    expected: list[tuple[str, int, int]],
    aside: list[tuple[str, str]],
    codes: list[str],
) -> None:
    text, found = read(tmp_path, document(region(line(*(word(*each) for each in words), said(own)))))
    assert [(each.text, round(each.box.x0), round(each.box.x1)) for each in text.lines[0].words] == expected
    assert (asides(text), found) == (aside, codes)


def test_a_region_tells_the_order_of_its_lines(tmp_path: Path) -> None:
    rows = [line(said(each)) for each in ("three", "one", "two")]
    text, codes = read(tmp_path, document(region(*rows, said("one\ntwo\nthree"))))
    assert (texts(text), codes) == (["one", "two", "three"], ["word_boxes_estimated"])


def test_a_region_that_says_something_else_stays_aside(tmp_path: Path) -> None:
    text, codes = read(tmp_path, document(region(line(said("con-")), line(said("cord")), said("concord"))))
    assert (texts(text), asides(text)) == (["con-", "cord"], [("other_level", "concord")])
    assert codes == ["ocr_levels_differ", "word_boxes_estimated"]


def test_a_region_without_lines_is_read_line_by_line(tmp_path: Path) -> None:
    text, codes = read(tmp_path, document(region(said("one\n\ntwo"), line(said("")))))
    assert [(each.words[0].text, each.box) for each in text.lines] == [
        ("one", Box(100, 20, 200, 40)),
        ("two", Box(100, 40, 200, 60)),
    ]
    assert codes == ["word_boxes_estimated"]


@pytest.mark.parametrize(
    ("indexes", "chosen"),
    [
        (["", ""], "a"),
        ([" index='1'", " index='0'"], "b"),
        (["", " index='4'"], "b"),
        ([" index='2'", " index='10'"], "a"),
    ],
)
def test_the_lowest_index_is_the_text_and_the_others_stay_aside(
    tmp_path: Path, indexes: list[str], chosen: str
) -> None:
    equivalents = "".join(
        said(text).replace("<TextEquiv", f"<TextEquiv{index}") for text, index in zip("ab", indexes, strict=True)
    )
    text, codes = read(tmp_path, document(region(line(equivalents))))
    assert texts(text) == [chosen]
    assert asides(text) == [("alternative_reading", "b" if chosen == "a" else "a")]
    assert codes == ["alternative_readings", "word_boxes_estimated"]


def test_glyphs_are_read_only_where_their_word_says_nothing(tmp_path: Path) -> None:
    glyphs = "".join(f"<Glyph>{said(each)}</Glyph>" for each in "Salt")
    at = coords(100, 10, 140, 40)
    text, codes = read(
        tmp_path, document(region(line(f"<Word>{at}{glyphs}</Word>", f"<Word>{at}{glyphs}{said('sea')}</Word>")))
    )
    assert (texts(text), codes) == (["Salt sea"], [])


def ordered(**places: str) -> str:
    """Write an ordered group of regions with their indexes."""
    refs = "".join(f"<RegionRefIndexed index='{index}' regionRef='{name}'/>" for name, index in places.items())
    return f"<OrderedGroup>{refs}</OrderedGroup>"


def unordered(*names: str, kind: str = "UnorderedGroup") -> str:
    """Write a group of regions as they stand."""
    refs = "".join(f"<RegionRef regionRef='{name}'/>" for name in names)
    return f"<{kind} index='0'>{refs}</{kind}>"


@pytest.mark.parametrize(
    ("order", "expected", "codes"),
    [
        ("", "abcd", []),
        (ordered(a="10", d="9"), "dabc", ["reading_order_incomplete"]),
        (ordered(a="1").replace("</", unordered("d", "b", kind="UnorderedGroupIndexed") + "</"), "dbca", []),
        (ordered(c="1", d="2", a="3", b="4"), "cdab", []),
        (unordered("d", "no", "d"), "dabc", ["reading_order_incomplete"]),
    ],
)
def test_regions_are_read_in_the_stated_order_and_none_is_lost(
    tmp_path: Path, order: str, expected: str, codes: list[str]
) -> None:
    """Region c lies in b and follows it unless it is named itself."""
    a, c, d = (region(line(word(each)), name=each) for each in "acd")
    b = region(line(word("b")), c, name="b")
    stated = f"<ReadingOrder>{order}</ReadingOrder>" if order else ""
    text, found = read(tmp_path, document(stated + a + b + d))
    assert ("".join(texts(text)), found) == (expected, codes)


def test_cells_of_tables_are_regions(tmp_path: Path) -> None:
    cells = region(line(word("one")), kind="TableCell") + region(line(word("two")))
    text, codes = read(tmp_path, document(region(cells, kind="TableRegion") + line(word("three"))))
    assert (sorted(texts(text)), codes) == (["one", "three", "two"], [])


def test_a_slanting_baseline_gives_the_angle(tmp_path: Path) -> None:
    text, _ = read(tmp_path, document(region(line("<Baseline points='0,0 100,10'/>", word("a")))))
    assert text.lines[0].words[0].baseline_angle == pytest.approx(5.71, abs=0.01)


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8).filter(
    lambda text: text.split() == [text]
)
ROWS = st.lists(st.lists(st.tuples(WORDS, st.integers(0, 1000)), min_size=1, max_size=5), min_size=1, max_size=6)


@settings(max_examples=50, deadline=None)
@given(rows=ROWS, with_lines=st.booleans())
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[tuple[str, int]]], with_lines: bool
) -> None:
    """Texts, boxes and confidences of any page come back, with and without the text of the lines."""
    written, expected = "", []
    for down, row in enumerate(rows):
        words = ""
        for across, (text, promille) in enumerate(row):
            box = (100 * across + 5, 50 * down, 100 * across + 90, 50 * down + 40)
            equivalent = said(html.escape(text)).replace("<TextEquiv>", f"<TextEquiv conf='{promille / 1000}'>")
            words += f"<Word>{coords(*box)}{equivalent}</Word>"
            expected.append(Word(text, Box(*box), promille / 1000, text_basis="imported"))
        written += line(words, said(html.escape(" ".join(text for text, _ in row))) if with_lines else "")
    page_read, codes = read(tmp_path_factory.mktemp("page"), document(region(written)))
    assert [each for line in page_read.lines for each in line.words] == expected
    assert codes == []


@settings(max_examples=100, deadline=None)
@given(words=st.lists(WORDS, max_size=5), own=st.lists(WORDS, max_size=5))
def test_no_word_of_either_level_is_lost(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], own: list[str]
) -> None:
    """Whatever words and line say: the letters of both are in the line or beside it."""
    content = region(line(*(word(html.escape(each)) for each in words), said(html.escape(" ".join(own)))))
    text, _ = read(tmp_path_factory.mktemp("page"), document(content))
    kept = ["".join(each.split()) for each in (*texts(text), *(each for _, each in asides(text)))]
    for level in (words, own):
        assert not level or "".join(level) in kept or sorted(level) == sorted(" ".join(texts(text)).split())
