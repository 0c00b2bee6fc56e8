"""Existing OCR from file to bundle: its text is the reading, its picture is kept with it, and nothing is doubled."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

import ocrprep
from ocrprep.documents import documents
from ocrprep.options import Options, RecognitionOptions
from ocrprep.preparation import Preparation

HOCR = """<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>
<div class="ocr_page" title='image "{image}"; bbox 0 0 600 200'>{lines}</div></body></html>"""

ALTO = """<?xml version="1.0" encoding="UTF-8"?>
<alto xmlns="http://www.loc.gov/standards/alto/ns-v3#"><Description><MeasurementUnit>pixel</MeasurementUnit></Description>
<Layout><Page ID="p" WIDTH="600" HEIGHT="200"><PrintSpace HPOS="0" VPOS="0" WIDTH="600" HEIGHT="200">
<TextBlock ID="b" HPOS="10" VPOS="10" WIDTH="500" HEIGHT="60">{lines}</TextBlock></PrintSpace></Page></Layout></alto>"""


def hocr(path: Path, *lines: str, image: str = "") -> Path:
    """Write lines of words at known places as hOCR."""
    rows = []
    for row, text in enumerate(lines):
        words = [
            f"<span class='ocrx_word' title='bbox {20 + 100 * n} {20 + 40 * row} {110 + 100 * n} {50 + 40 * row}; "
            f"x_wconf 91'>{word}</span>"
            for n, word in enumerate(text.split(" "))
        ]
        rows.append(
            f"<span class='ocr_line' title='bbox 20 {20 + 40 * row} 580 {50 + 40 * row}'>{' '.join(words)}</span>"
        )
    path.write_text(HOCR.format(image=image, lines="\n".join(rows)), encoding="utf-8")
    return path


def picture(path: Path, text: str = "Salt and timber") -> Path:
    image = Image.new("L", (600, 200), 255)
    ImageDraw.Draw(image).text((20, 20), text, fill=0, font=ImageFont.load_default(32))
    image.save(path)
    return path


def prepared(*paths: Path, **recognition: object) -> Preparation:
    return ocrprep.prepare(paths, Options(recognition=RecognitionOptions.model_validate(recognition), jobs=1))


def test_case_c39_f_a_soft_hyphen_stays_in_the_source_and_not_in_the_reading(tmp_path: Path) -> None:
    found = prepared(hocr(tmp_path / "f.hocr", "Please re&#173;wind now."))
    assert found.representation.text == "Please re\u00adwind now.\n\f"
    assert found.reading.text == "Please rewind now."


def test_case_c39_g_a_word_that_is_cut_is_read_once(tmp_path: Path) -> None:
    lines = (
        '<TextLine HPOS="10" VPOS="10" WIDTH="300" HEIGHT="20"><String CONTENT="They" HPOS="10" VPOS="10" WIDTH="50" '
        'HEIGHT="20"/><SP/><String CONTENT="con" HPOS="70" VPOS="10" WIDTH="50" HEIGHT="20" SUBS_TYPE="HypPart1" '
        'SUBS_CONTENT="concord"/><HYP CONTENT="-"/></TextLine><TextLine HPOS="10" VPOS="40" WIDTH="300" HEIGHT="20">'
        '<String CONTENT="cord" HPOS="10" VPOS="40" WIDTH="50" HEIGHT="20" SUBS_TYPE="HypPart2" '
        'SUBS_CONTENT="concord"/><SP/><String CONTENT="well." HPOS="70" VPOS="40" WIDTH="50" HEIGHT="20"/></TextLine>'
    )
    path = tmp_path / "g.xml"
    path.write_text(ALTO.format(lines=lines), encoding="utf-8")
    found = prepared(path)
    assert found.representation.text == "They con-\ncord well.\n\f"
    assert found.reading.text == "They concord well."


def test_its_words_are_imported_and_its_picture_is_a_file_of_the_source(tmp_path: Path) -> None:
    picture(tmp_path / "scan.png")
    found = prepared(hocr(tmp_path / "page.hocr", "Salt and timber", image="scan.png"))
    page = found.representation.pages[0]
    assert (page.text_basis, page.unit, page.size) == ("imported", "px", (600.0, 200.0))
    assert {word.confidence for word in page.words} == {0.91}
    assert [(file.name, file.pages) for file in found.representation.source_files] == [
        ("page.hocr", 1),
        ("scan.png", 0),
    ]
    bundle = found.save(tmp_path / "out")
    assert ocrprep.verify(bundle.path).ok
    assert [path.name for path in bundle.source_paths] == ["0001-page.hocr", "0002-scan.png"]
    assert list(bundle.pictures) == [1]


@pytest.mark.parametrize("with_picture", [True, False])
def test_a_second_run_finds_the_first(tmp_path: Path, with_picture: bool) -> None:
    if with_picture:
        picture(tmp_path / "scan.png")
    path = hocr(tmp_path / "page.hocr", "Salt and timber", image="scan.png")
    first, second = (prepared(path).saved(tmp_path / "out") for _ in range(2))
    assert (first.made, second.made) == (True, False)


def test_force_reads_the_picture_and_keeps_the_text_that_was_given(tmp_path: Path) -> None:
    picture(tmp_path / "scan.png")
    found = prepared(hocr(tmp_path / "page.hocr", "Sa1t and timbcr", image="scan.png"), ocr="force")
    assert found.representation.text == "Salt and timber\n\f"
    assert found.representation.pages[0].text_basis == "ocr"
    assert found.representation.alternates["existing_ocr"].text == "Sa1t and timbcr\n\f"


def test_a_picture_that_cannot_be_read_costs_no_text(tmp_path: Path) -> None:
    whole = picture(tmp_path / "whole.png").read_bytes()
    (tmp_path / "scan.png").write_bytes(whole[: len(whole) // 2])
    found = prepared(hocr(tmp_path / "page.hocr", "Salt and timber", image="scan.png"))
    assert found.representation.text == "Salt and timber\n\f"
    assert "page_image_unreadable" in [warning.code for warning in found.representation.pages[0].warnings]


@pytest.mark.parametrize("order", [("page.hocr", "scan.png"), ("scan.png", "page.hocr")])
def test_a_picture_that_is_named_twice_is_no_page_of_its_own(tmp_path: Path, order: tuple[str, str]) -> None:
    picture(tmp_path / "scan.png")
    hocr(tmp_path / "page.hocr", "Salt and timber", image="scan.png")
    found = prepared(*(tmp_path / name for name in order))
    assert len(found.representation.pages) == 1
    assert found.representation.text == "Salt and timber\n\f"


def test_in_a_folder_a_picture_belongs_to_its_text(tmp_path: Path) -> None:
    picture(tmp_path / "scan.png")
    picture(tmp_path / "other.png")
    hocr(tmp_path / "page.hocr", "Salt and timber", image="scan.png")
    assert [document.name for document in documents([tmp_path], tmp_path)] == ["other.png", "page.hocr"]


def test_a_page_without_words_and_without_a_picture_is_unreadable_never_blank(tmp_path: Path) -> None:
    path = tmp_path / "empty.hocr"
    path.write_text(HOCR.format(image="", lines=""), encoding="utf-8")
    page = prepared(path).representation.pages[0]
    assert page.state == "unreadable"
    assert "no word" in (page.reason or "")
