"""ALTO as a source: strings, hyphens, margins, units and the confidences that programs write."""

from __future__ import annotations

import html
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrprep.errors import SourceError
from ocrprep.pages import Box, Word
from ocrprep.sources.existing_ocr import ExistingOcrFile
from ocrprep.sources.page_text import ExistingText

AT = "HPOS='10' VPOS='10' WIDTH='50' HEIGHT='20'"
NAMESPACES = (
    "",
    "http://schema.ccs-gmbh.com/ALTO",
    *(f"http://www.loc.gov/standards/alto/ns-v{version}#" for version in (2, 3, 4)),
)


def document(space: str, *, namespace: str = NAMESPACES[-1], software: str = "", after: str = "") -> str:
    declared = f" xmlns='{namespace}'" if namespace else ""
    return (
        f"<?xml version='1.0' encoding='UTF-8'?><alto{declared}><Description>"
        f"<MeasurementUnit>pixel</MeasurementUnit><softwareName>{software}</softwareName></Description>"
        f"<Layout><Page WIDTH='1000' HEIGHT='1400'>{space}</Page></Layout>{after}</alto>"
    )


def block(*lines: str, attributes: str = "") -> str:
    written = "".join(f"<TextLine {AT}>{line}</TextLine>" for line in lines)
    return f"<PrintSpace><TextBlock {attributes}>{written}</TextBlock></PrintSpace>"


def string(text: str, more: str = AT) -> str:
    return f"<String CONTENT='{text}' {more}/>"


def opened(tmp_path: Path, text: str) -> ExistingOcrFile:
    path = tmp_path / "page.xml"
    path.write_text(text, "utf-8")
    return ExistingOcrFile(path, "ALTO")


def read(tmp_path: Path, text: str) -> tuple[ExistingText, list[str]]:
    """Return the one page of a file and the codes of all warnings but that of the picture."""
    file = opened(tmp_path, text)
    page = file.text(1)
    return page, [each.code for each in (*file.warnings, *page.warnings) if each.code != "page_image_missing"]


def texts(text: ExistingText) -> list[str]:
    return [" ".join(each.text for each in line.words) for line in text.lines]


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_a_divided_word_stays_divided_and_is_never_doubled(tmp_path: Path, namespace: str) -> None:
    """C39 G."""
    first = string("con", f"SUBS_TYPE='HypPart1' SUBS_CONTENT='concord' {AT}") + "<HYP CONTENT='-'/>"
    second = string("cord", f"SUBS_TYPE='HypPart2' SUBS_CONTENT='concord' {AT}")
    text, codes = read(tmp_path, document(block(first, second), namespace=namespace))
    assert (texts(text), codes) == (["con-", "cord"], [])


@pytest.mark.parametrize(
    ("line", "expected", "codes"),
    [
        (string("con-") + "<HYP CONTENT='-'/>", "con-", []),
        (string("con¬") + "<HYP CONTENT='-'/>", "con¬", []),
        (string("con") + "<HYP CONTENT='&#xAD;'/>", "con\xad", []),
        (string("con") + "<SP WIDTH='3'/><HYP CONTENT='¬'/>", "con¬", []),
        (string("con") + "<HYP/>", "con-", ["hyphens_supplied"]),
        ("<HYP CONTENT='-'/>" + string("con"), "- con", ["word_boxes_estimated"]),
        (string("") + "<HYP CONTENT='-'/>", "-", ["word_boxes_estimated"]),
        (string("a") + string("b"), "a b", []),
        (string("To be"), "To be", ["word_boxes_estimated"]),
        (string("a") + "loose" + string("b"), "a loose b", ["text_outside_words", "word_boxes_estimated"]),
        (f"<String {AT} CONTENT=''><Glyph CONTENT='a'/><Glyph CONTENT='b'/></String>", "ab", []),
        (f"<String {AT} CONTENT='ab'><Glyph CONTENT='a'/><Glyph CONTENT='b'/></String>", "ab", []),
    ],
)
def test_a_line_is_what_is_printed(tmp_path: Path, line: str, expected: str, codes: list[str]) -> None:
    text, found = read(tmp_path, document(block(line)))
    assert (texts(text), found) == ([expected], codes)


def test_a_hyphen_widens_the_box_of_its_word(tmp_path: Path) -> None:
    text, _ = read(tmp_path, document(block(string("con") + "<HYP CONTENT='-' HPOS='60' WIDTH='8' VPOS='30'/>")))
    assert text.lines[0].words[0].box == Box(10, 10, 68, 30)


def test_other_readings_stay_aside(tmp_path: Path) -> None:
    text, codes = read(
        tmp_path, document(block(f"<String CONTENT='Salt' {AT}><ALTERNATIVE>Sa1t</ALTERNATIVE></String>"))
    )
    assert texts(text) == ["Salt"]
    assert [(each.kind, each.text, each.box) for each in text.asides] == [
        ("alternative_reading", "Sa1t", Box(10, 10, 60, 30))
    ]
    assert codes == ["alternative_readings"]


def test_margins_are_read_where_they_stand(tmp_path: Path) -> None:
    """The schema lists the print space last."""
    parts = ("TopMargin", "LeftMargin", "RightMargin", "BottomMargin", "PrintSpace")
    space = "".join(f"<{part}><TextBlock><TextLine>{string(part)}</TextLine></TextBlock></{part}>" for part in parts)
    text, _ = read(tmp_path, document(space))
    assert texts(text) == ["TopMargin", "LeftMargin", "PrintSpace", "RightMargin", "BottomMargin"]
    assert [line.block for line in text.lines] == [1, 2, 3, 4, 5]


def test_nested_blocks_pictures_and_strays_lose_nothing(tmp_path: Path) -> None:
    inner = f"<TextBlock><TextLine>{string('deep')}</TextLine></TextBlock><Illustration {AT}/>"
    space = f"<ComposedBlock>{'<ComposedBlock>' * 20}{inner}{'</ComposedBlock>' * 20}</ComposedBlock>"
    stray = f"<TextLine>{string('line')}</TextLine>{string('string')}loose"
    text, codes = read(tmp_path, document(f"<PrintSpace>{space}{stray}</PrintSpace>"))
    assert texts(text) == ["deep", "line", "string", "loose"]
    assert codes == ["text_outside_words", "word_boxes_estimated"]


def test_a_missing_box_is_a_share_of_the_line_then_of_the_block(tmp_path: Path) -> None:
    second = string("cd", "HPOS='40' VPOS='10' WIDTH='20' HEIGHT='20'")
    line = f"<TextLine {AT}>{string('ab', '')}{second}</TextLine>"
    bare = "".join(f"<TextLine>{string(each, '')}</TextLine>" for each in ("one", "two"))
    space = f"<TextBlock>{line}</TextBlock><TextBlock HPOS='0' VPOS='100' WIDTH='90' HEIGHT='40'>{bare}</TextBlock>"
    text, codes = read(tmp_path, document(f"<PrintSpace>{space}</PrintSpace>"))
    boxes = [word.box for line in text.lines for word in line.words]
    assert boxes == [Box(10, 10, 30, 30), Box(40, 10, 60, 30), Box(0, 100, 90, 120), Box(0, 120, 90, 140)]
    assert codes == ["word_boxes_estimated"]


@pytest.mark.parametrize(
    ("rotation", "baseline", "angle", "codes"),
    [
        ("0.5", "", -0.5, []),
        ("359.5", "", 0.5, []),
        ("90", "", 0.0, ["turned_text"]),
        ("", "0 10 100 20", 5.71, []),
        ("", "37", 0.0, []),
    ],
)
def test_turned_and_slanting_lines(
    tmp_path: Path, rotation: str, baseline: str, angle: float, codes: list[str]
) -> None:
    written = block(string("a"), attributes=f"ROTATION='{rotation}'").replace(
        "<TextLine", f"<TextLine BASELINE='{baseline}'"
    )
    text, found = read(tmp_path, document(written))
    assert text.lines[0].words[0].baseline_angle == pytest.approx(angle, abs=0.01)
    assert found == codes


@pytest.mark.parametrize(
    ("written", "software", "expected", "codes"),
    [
        (["0.95", "0.5"], "", [0.95, 0.5], []),  # no telling: as it stands
        (["0.95", "0.5"], "tesseract 4.1.1", [0.95, 0.05], ["confidence_scale"]),
        (["0.100", "0.5"], "", [1.0, 0.05], ["confidence_scale"]),
        (["0.100", "0.05"], "", [0.1, 0.05], []),  # a program that knows how to write 5 %
        (["0.95", "0.567"], "tesseract 5", [0.95, 0.567], []),
        (["0.95", "0.0"], "tesseract 5", [0.95, 0.0], []),
        (["1", "0.2500"], "", [1.0, 0.25], []),
        (["95", "0.5"], "", [None, None], ["confidence_scale"]),
        (["NaN", "-1"], "", [None, None], []),
        (["0,9", ""], "", [None, None], []),
    ],
)
def test_confidences_are_believed_as_far_as_their_scale_is_known(
    tmp_path: Path, written: list[str], software: str, expected: list[float | None], codes: list[str]
) -> None:
    line = "".join(string("a", f"WC='{each}' {AT}") for each in written)
    text, found = read(tmp_path, document(block(line), software=software))
    assert [each.confidence for each in text.lines[0].words] == expected
    assert found == codes


def test_the_digits_of_letters_are_no_confidence(tmp_path: Path) -> None:
    text, _ = read(tmp_path, document(block(string("Salt", f"CC='0009' {AT}"))))
    assert text.lines[0].words[0].confidence is None


def test_a_stated_reading_order_is_followed(tmp_path: Path) -> None:
    space = "".join(f"<TextBlock ID='{each}'><TextLine>{string(each)}</TextLine></TextBlock>" for each in "abc")
    order = "<ReadingOrder><OrderedGroup><ElementRef REF='c'/><ElementRef REF='a'/></OrderedGroup></ReadingOrder>"
    text, codes = read(tmp_path, document(f"<PrintSpace>{space}</PrintSpace>", after=order))
    assert (texts(text), codes) == (["c", "a", "b"], ["reading_order_incomplete"])


@pytest.mark.parametrize(
    ("text", "expected", "codes"),
    [
        ("R & D", "R & D", ["ocr_file_repaired", "word_boxes_estimated"]),
        ("a&#x1b;b", "a\ufffdb", ["ocr_file_repaired"]),
        ("caf&eacute;", "café", ["ocr_file_repaired"]),
    ],
)
def test_what_can_be_repaired_exactly_is_and_is_told(
    tmp_path: Path, text: str, expected: str, codes: list[str]
) -> None:
    page, found = read(tmp_path, document(block(string(text))))
    assert (texts(page), found) == ([expected], codes)


@pytest.mark.parametrize("text", ["<alto><Layout>", "<alto><Page></alto>", "<alto a=1/>"])
def test_other_damage_is_refused_with_its_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(SourceError, match=r"line \d+, column \d+") as error:
        _ = opened(tmp_path, text).page_count
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["<alto/>", "<alto><Layout/></alto>"])
def test_a_file_without_pages_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(SourceError, match="holds no Page"):
        _ = opened(tmp_path, text).page_count


def test_a_page_without_text_is_a_page(tmp_path: Path) -> None:
    file = opened(tmp_path, document("<PrintSpace/>"))
    assert (file.page_count, file.text(1).lines) == (1, ())


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8).filter(
    lambda text: text.split() == [text]
)
ROWS = st.lists(st.lists(st.tuples(WORDS, st.integers(0, 999)), min_size=1, max_size=5), min_size=1, max_size=6)


@settings(max_examples=50, deadline=None)
@given(rows=ROWS)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, rows: list[list[tuple[str, int]]]) -> None:
    """Texts, boxes and confidences of any page come back."""
    lines, expected = [], []
    for down, row in enumerate(rows):
        line = ""
        for across, (text, promille) in enumerate(row):
            place = f"HPOS='{100 * across + 5}' VPOS='{50 * down}' WIDTH='85' HEIGHT='40' WC='{promille / 1000:.4f}'"
            line += string(html.escape(text), place) + "<SP/>"
            box = Box(100 * across + 5, 50 * down, 100 * across + 90, 50 * down + 40)
            expected.append(Word(text, box, promille / 1000, text_basis="imported"))
        lines.append(line)
    page_read, codes = read(tmp_path_factory.mktemp("alto"), document(block(*lines)))
    assert [each for line in page_read.lines for each in line.words] == expected
    assert codes == []
