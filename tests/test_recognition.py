"""One page: its state, its orientation, and its boxes in the page frame."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

import ocrprep
from ocrprep.options import Options
from ocrprep.pages import Box, Line, Page, Raster
from ocrprep.recognition.page import read_page
from ocrprep.sources import open_source
from tests.fakes import FakeEngine, one_line

WIDE, HIGH = 400, 600


def picture(path: Path, *, ink: bool, speck: bool = False) -> Path:
    """A white page, with some black bars when it has ink, or one speck."""
    image = Image.new("L", (WIDE, HIGH), 255)
    if speck:
        ImageDraw.Draw(image).rectangle((200, 300, 201, 301), fill=0)
    if ink:
        for top in range(50, 350, 30):
            ImageDraw.Draw(image).rectangle((50, top, 250, top + 8), fill=0)
    image.save(path)
    return path


def page_of(folder: Path, engine: FakeEngine, *, ink: bool = True, speck: bool = False, **options: object) -> Page:
    with open_source([picture(folder / "page.png", ink=ink, speck=speck)]) as source:
        return read_page(source, 1, engine, Options.model_validate(options)).page


def always(lines: list[Line]) -> Callable[[Raster], list[Line]]:
    return lambda _raster: lines


UPRIGHT = Box(10, 20, 210, 40)
ON_END = Box(20, 10, 30, 590)


def test_a_page_that_reads_well_is_taken_as_it_lies(tmp_path: Path) -> None:
    engine = FakeEngine({WIDE: always(one_line("plain words here", 0.9, UPRIGHT))})
    page = page_of(tmp_path, engine)
    assert (page.state, page.image_transformations, engine.asked_orientation) == ("read", (), 0)
    assert page.line(0).box == UPRIGHT


@pytest.mark.parametrize("first", [one_line("xq zvw", 0.3, UPRIGHT), one_line("words words", 0.9, ON_END), []])
def test_a_sideways_page_is_read_again_and_its_boxes_lie_on_the_page_as_shown(
    tmp_path: Path, first: list[Line]
) -> None:
    upright = one_line("proper words at last", 0.85, UPRIGHT)

    def turned(raster: Raster) -> list[Line]:
        return upright if raster.pixels[:: raster.width].count(0) == 0 and _bars_stand_left(raster) else first

    page = page_of(tmp_path, FakeEngine({WIDE: always(first), HIGH: turned}))
    assert page.words.texts == ("proper", "words", "at", "last")
    (turn,) = page.image_transformations
    assert turn.name == "upright_turn"
    box = page.line(0).box
    assert box.height > box.width
    assert 0 <= box.x0 <= box.x1 <= WIDE
    assert 0 <= box.top <= box.bottom <= HIGH


def _bars_stand_left(raster: Raster) -> bool:
    """Say whether the page's ink, upper left when it lies, is in the upper right: one clockwise turn."""
    rows = [raster.pixels[n * raster.width : (n + 1) * raster.width] for n in range(raster.height // 2)]
    return sum(row[raster.width // 2 :].count(0) for row in rows) > sum(
        row[: raster.width // 2].count(0) for row in rows
    )


def test_a_guess_that_reads_no_better_turns_nothing(tmp_path: Path) -> None:
    badly = always(one_line("xq zvw", 0.4, UPRIGHT))
    page = page_of(tmp_path, FakeEngine({WIDE: badly, HIGH: badly}))
    assert page.image_transformations == ()
    assert [warning.code for warning in page.warnings] == ["low_confidence", "orientation_unknown"]


def test_a_blank_page_is_a_result_and_specks_on_it_are_kept_aside(tmp_path: Path) -> None:
    page = page_of(tmp_path, FakeEngine({WIDE: always(one_line("ine ae", 0.3))}), ink=False, speck=True)
    assert (page.state, page.reason, page.line_count) == ("blank", None, 0)
    assert [aside.text for aside in page.asides] == ["ine", "ae"]
    assert page_of(tmp_path, FakeEngine({WIDE: always([])}), ink=False, speck=True).state == "blank"


def test_a_page_without_ink_is_blank_without_ocr(tmp_path: Path) -> None:
    """The fake engine knows no page, and would fail."""
    assert page_of(tmp_path, FakeEngine({}), ink=False).state == "blank"


def test_faint_words_that_are_believed_make_no_blank_page(tmp_path: Path) -> None:
    page = page_of(tmp_path, FakeEngine({WIDE: always(one_line("faint pencil", 0.9))}), ink=False, speck=True)
    assert (page.state, page.words.texts) == ("read", ("faint", "pencil"))


def test_ink_without_words_is_unreadable_never_blank(tmp_path: Path) -> None:
    page = page_of(tmp_path, FakeEngine({WIDE: always([]), HIGH: always([])}))
    assert page.state == "unreadable"
    assert "no word was read" in (page.reason or "")


def test_a_page_over_the_pixel_budget_fails_with_its_reason(tmp_path: Path) -> None:
    page = page_of(tmp_path, FakeEngine({}), recognition={"max_pixels": 1000})
    assert page.state == "failed"
    assert "240,000" in (page.reason or "") or "240000" in (page.reason or "")
    assert page.size == (WIDE, HIGH)


class StubbornEngine(FakeEngine):
    """Reads well and is half sure that the page stands on its head (case C09)."""

    def orientation(self, raster: Raster) -> tuple[int, float] | None:
        return 2, 0.12


def test_case_c09_a_half_sure_engine_turns_nothing(tmp_path: Path) -> None:
    well = page_of(tmp_path, StubbornEngine({WIDE: always(one_line("Upright page.", 0.9, UPRIGHT))}))
    assert (well.words.texts, well.image_transformations) == (("Upright", "page."), ())
    poor = always(one_line("Upr1ght pxge.", 0.4, UPRIGHT))
    badly = page_of(tmp_path, StubbornEngine({WIDE: poor, HIGH: poor}))
    assert (badly.words.texts, badly.image_transformations) == (("Upr1ght", "pxge."), ())


@pytest.mark.parametrize(("text", "state"), [("Plate IV", "read"), ("", "blank")])
def test_case_c09_a_sparse_page_is_read_and_a_blank_one_is_a_result(tmp_path: Path, text: str, state: str) -> None:
    image = Image.new("L", (2550, 3300), 255)
    ImageDraw.Draw(image).text((1150, 1600), text, fill=0, font=ImageFont.load_default(42))
    image.save(tmp_path / "sparse.png", dpi=(300, 300))
    page = ocrprep.prepare(tmp_path / "sparse.png", Options(images="none", jobs=1)).representation.pages[0]
    assert (page.state, " ".join(page.words.texts)) == (state, text)
    assert "upright_turn" not in [step.name for step in page.image_transformations]


def test_a_sparse_page_on_its_side_is_read_upright_though_the_engine_finds_no_orientation(tmp_path: Path) -> None:
    image = Image.new("L", (1200, 900), 255)
    ImageDraw.Draw(image).text((300, 400), "Plate IV: the harbour", fill=0, font=ImageFont.load_default(42))
    image.rotate(90, expand=True).save(tmp_path / "side.png", dpi=(300, 300))
    page = ocrprep.prepare(tmp_path / "side.png", Options(images="none", jobs=1)).representation.pages[0]
    assert " ".join(page.words.texts) == "Plate IV: the harbour"
    (turn,) = (step for step in page.image_transformations if step.name == "upright_turn")
    assert turn.parameters["quarterTurns"] == 1
    assert page.words.box(0).height > page.words.box(0).width
