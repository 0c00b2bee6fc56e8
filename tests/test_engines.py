"""Both engines on pages drawn here: what they read, how a run sets them up, and what a survey finds."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from ocrprep.engines import Engine, EngineSetup, model_folder, open_engine, set_up, survey, thread_limit
from ocrprep.engines.models import ModelFolder, find_model, search_folders
from ocrprep.engines.setup import parse_versions
from ocrprep.engines.tesserocr_engine import TesserocrEngine
from ocrprep.errors import DependencyError, PageError
from ocrprep.options import RecognitionOptions
from ocrprep.pages import Line, Raster

TEXT = "The quick brown fox"


def need_program() -> None:
    """Skip without the system's Tesseract; where it has to be there, its absence is a failure."""
    if shutil.which("tesseract") is None:
        if os.environ.get("CI"):
            pytest.fail("the system's tesseract is missing from a CI machine")
        pytest.skip("the system's tesseract is not installed")


def need_model(name: str) -> None:
    """Skip without a model; where it has to be there, its absence is a failure."""
    if find_model(name, search_folders()) is None:
        if os.environ.get("CI"):
            pytest.fail(f"the model {name} is missing from a CI machine")
        pytest.skip(f"the model {name} is not installed")


@pytest.fixture(scope="module")
def english() -> Iterator[ModelFolder]:
    """The folder of a run that reads English."""
    with model_folder(["eng"]) as folder:
        yield folder


@pytest.fixture(scope="module", params=["tesserocr", "pytesseract"])
def engine(request: pytest.FixtureRequest, english: ModelFolder) -> Iterator[Engine]:
    """Each of the two real engines."""
    if request.param == "pytesseract":
        need_program()
    opened = open_engine(set_up(RecognitionOptions(engine=request.param), english))
    yield opened
    opened.close()


def drawn(*texts: str, size: int = 40, turn: float = 0) -> Image.Image:
    """Draw lines of text, black on white, and turn the page clockwise by some degrees."""
    page = Image.new("L", (700, 60 + 60 * len(texts)), 255)
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(size=size)
    for number, text in enumerate(texts):
        pen.text((50, 40 + 60 * number), text, font=font, fill=0)
    return page.rotate(-turn, expand=True, fillcolor=255)


def raster(page: Image.Image, dpi: float | None = None) -> Raster:
    return Raster(page.width, page.height, page.tobytes(), dpi)


def read(lines: list[Line]) -> list[str]:
    return [" ".join(word.text for word in line.words) for line in lines]


def test_reads_words(engine: Engine) -> None:
    """Words come with boxes in pixels, confidences from 0 to 1 and a block."""
    lines = engine.read(raster(drawn(TEXT)))
    assert read(lines) == [TEXT]
    assert lines[0].block == 1
    words = lines[0].words
    assert all(word.confidence is not None and 0.8 < word.confidence <= 1 for word in words)
    assert all(left.box.x1 < right.box.x0 for left, right in pairwise(words))
    assert words[0].box.x0 == pytest.approx(51, abs=4)
    assert words[0].box.height == pytest.approx(31, abs=4)
    assert all(word.baseline_angle == pytest.approx(0, abs=0.5) for word in words)
    assert {word.text_basis for word in words} == {"ocr"}


def test_reads_lines_in_order(engine: Engine) -> None:
    """Every printed line is a line, and no page leaves a trace in the next."""
    page, other = raster(drawn(TEXT, "jumps over", "the lazy dog.")), raster(drawn("Nothing else", size=30), 300)
    lines = engine.read(page)
    assert read(lines) == [TEXT, "jumps over", "the lazy dog."]
    assert read(engine.read(other)) == ["Nothing else"]
    assert engine.read(page) == lines


@pytest.mark.parametrize(
    ("width", "height", "grey"), [(600, 400, 255), (600, 400, 0), (1, 1, 255), (1, 1, 0), (3, 1, 0)]
)
def test_an_empty_page_has_no_lines(engine: Engine, width: int, height: int, grey: int) -> None:
    """A blank page, a black one and a single pixel are no faults."""
    empty = Raster(width, height, bytes([grey]) * (width * height))
    assert engine.read(empty) == []
    assert engine.orientation(empty) is None


def test_a_page_that_is_too_large(engine: Engine) -> None:
    """Tesseract cannot count so many pixels: the page fails, the engine goes on."""
    huge = Raster(40_000, 2, b"\xff" * 80_000)
    with pytest.raises(PageError, match="40000 x 2 pixels"):
        engine.read(huge)
    assert engine.orientation(huge) is None
    assert read(engine.read(raster(drawn(TEXT)))) == [TEXT]


@pytest.mark.parametrize(("turn", "expected"), [(0, 0), (90, 3), (180, 2), (270, 1)])
def test_orientation(engine: Engine, turn: int, expected: int) -> None:
    """The quarter turns, clockwise, undo the turn of the page."""
    need_model("osd")
    found = engine.orientation(raster(drawn(*[TEXT, "jumps over the lazy dog"] * 5, turn=turn)))
    assert found is not None
    assert found[0] == expected
    assert found[1] > 0


def test_orientation_of_a_sparse_page(engine: Engine) -> None:
    """A few letters tell nothing."""
    assert engine.orientation(raster(drawn("Hi"))) is None


def test_the_fingerprint_names_versions_and_models(engine: Engine, english: ModelFolder) -> None:
    """What decides the text is in the fingerprint; the temporary folder is not."""
    found = engine.fingerprint
    assert found.languages == ("eng",)
    assert found.models == english.hashes
    assert found.version[0].isdigit()
    assert found.leptonica is not None
    assert str(english.path) not in found.model_dump_json()


def test_a_slanting_line_has_its_angle(english: ModelFolder) -> None:
    """The baseline of a page turned clockwise falls to the right: its angle is positive."""
    engine = open_engine(set_up(RecognitionOptions(engine="tesserocr"), english))
    (line,) = engine.read(raster(drawn(TEXT, turn=2)))
    assert all(word.baseline_angle == pytest.approx(2, abs=0.5) for word in line.words)
    (small,), (large,) = (engine.read(raster(drawn(TEXT, size=size))) for size in (20, 60))
    assert small.words[0].font_size == pytest.approx(20, rel=0.25)
    assert large.words[0].font_size == pytest.approx(60, rel=0.25)
    engine.close()


def test_a_setup_goes_to_a_worker(english: ModelFolder) -> None:
    """A setup survives JSON, and an engine opens from it."""
    setup = set_up(RecognitionOptions(page_segmentation=6), english, timeout=12)
    copy = EngineSetup.from_json(setup.to_json())
    assert copy == setup
    assert (copy.name, copy.page_segmentation, copy.timeout) == ("tesserocr", 6, 12)
    assert read(open_engine(copy).read(raster(drawn(TEXT)))) == [TEXT]


def test_two_folders_in_one_run() -> None:
    """The wheel's English and the system's German are read together, in the order asked for."""
    need_model("deu")
    with model_folder(["eng", "deu"]) as folder:
        setup = set_up(RecognitionOptions(), folder)
        assert setup.fingerprint.languages == ("eng", "deu")
        assert read(open_engine(setup).read(raster(drawn("Der schnelle braune Fuchs")))) == [
            "Der schnelle braune Fuchs"
        ]


@pytest.mark.parametrize("name", ["tesserocr", "pytesseract", "auto"])
@pytest.mark.parametrize("content", [b"", b"<html>404 Not Found</html>" * 99, None])
def test_a_damaged_model(name: str, content: bytes | None, english: ModelFolder, tmp_path: Path) -> None:
    """Tesseract would read on with the other language: a model that does not load stops the run before its pages."""
    if name != "tesserocr":
        need_program()
    whole = (english.path / "eng.traineddata").read_bytes()
    (tmp_path / "eng.traineddata").write_bytes(whole)
    (tmp_path / "xyz.traineddata").write_bytes(whole[: len(whole) // 2] if content is None else content)
    options = RecognitionOptions.model_validate({"engine": name})
    with model_folder(["eng", "xyz"], tmp_path) as folder, pytest.raises(DependencyError) as raised:
        set_up(options, folder)
    assert "cannot load xyz.traineddata" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_the_loaded_languages_are_those_asked_for(english: ModelFolder) -> None:
    """C14: `eng+xyz` must not be read with English only, not even when a model goes away after the setup."""
    setup = set_up(RecognitionOptions(engine="tesserocr"), english)
    fields = setup.to_json().replace('["eng"]', '["eng", "xyz"]')
    with pytest.raises(DependencyError, match=r"cannot load xyz\.traineddata"):
        TesserocrEngine(EngineSetup.from_json(fields))


def test_auto_takes_the_program_without_tesserocr(english: ModelFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine in the process comes first, the system's program second."""
    need_program()
    assert set_up(RecognitionOptions(), english).name == "tesserocr"
    monkeypatch.setitem(sys.modules, "tesserocr", None)
    assert set_up(RecognitionOptions(), english).name == "pytesseract"


def test_no_engine_at_all(english: ModelFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line names both engines and how to install them."""
    monkeypatch.setitem(sys.modules, "tesserocr", None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(DependencyError) as raised:
        set_up(RecognitionOptions(), english)
    for part in ("`pip install tesserocr`", "'tesseract' on PATH", "`apt install tesseract-ocr`"):
        assert part in str(raised.value)
    monkeypatch.setitem(sys.modules, "pytesseract", None)
    with pytest.raises(DependencyError, match="`pip install pytesseract`"):
        set_up(RecognitionOptions(engine="pytesseract"), english)


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        (None, "1"),
        ("", "1"),
        (" ", "1"),
        ("0", "1"),
        ("00", "1"),
        ("-1", "1"),
        ("1.5", "1"),
        ("1_0", "1"),
        ("four", "1"),
        ("٣", "1"),
        ("1", "1"),
        ("2", "2"),
        (" 8 ", "8"),
    ],
)
def test_thread_limit(wish: str | None, expected: str) -> None:
    """C14: never 0, never empty."""
    assert thread_limit({} if wish is None else {"OMP_THREAD_LIMIT": wish}) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tesseract 5.3.0\n leptonica-1.82.0\n  libgif 5.2.1", ("5.3.0", "1.82.0")),
        ("tesseract v5.4.0.20240606\r\n leptonica-1.84.1\r\n", ("5.4.0.20240606", "1.84.1")),
        ("tesseract 4.0.0-beta.1", ("4.0.0-beta.1", None)),
    ],
)
def test_versions(text: str, expected: tuple[str, str | None]) -> None:
    """Versions are read as each build writes them."""
    assert parse_versions(text) == expected


def test_survey(tmp_path: Path) -> None:
    """The survey names engines, versions, models with their IDs and sizes, and the folders, in their order."""
    source = find_model("eng", search_folders())
    assert source is not None
    (tmp_path / "eng.traineddata").symlink_to(source)
    found = survey(tmp_path)
    assert found.ready
    assert found.folders[0] == tmp_path.resolve()
    assert [engine.name for engine in found.engines] == ["tesserocr", "pytesseract"]
    assert found.engines[0].problem is None
    assert found.engines[0].version is not None
    english = [model for model in found.models if model.name == "eng"]
    assert [model.taken for model in english] == [True] + [False] * (len(english) - 1)
    assert english[0].size == source.stat().st_size
    assert str(english[0].hash).startswith("sha256:")


def test_survey_of_a_bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is missing is told with what to do about it, and nothing is raised."""
    monkeypatch.setitem(sys.modules, "tesserocr", None)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("ocrprep.engines.models._wheel_folders", list)
    monkeypatch.setattr("ocrprep.engines.models._system_folders", list)
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    found = survey(tmp_path / "nowhere")
    assert not found.ready
    assert (found.models, found.folders) == ((), ())
    text = "\n".join(found.missing)
    for part in ("nowhere is no folder", "pip install tesserocr", "apt install tesseract-ocr", "no model eng", "osd"):
        assert part in text


def test_survey_finds_a_damaged_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An engine that cannot load its model does not work."""
    (tmp_path / "eng.traineddata").write_text("no model")
    monkeypatch.setenv("PATH", "")
    found = survey(tmp_path)
    assert not found.ready
    assert any("cannot load eng.traineddata" in each for each in found.missing)
