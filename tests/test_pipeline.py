"""The main job on the samples: the library's way in, the same IDs everywhere, nothing lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Literal

import bagit
import pytest

import ocrprep
from ocrprep.bundles import write_bag
from ocrprep.errors import OutputError, RecognitionError, SourceError, UsageError
from ocrprep.pipeline import selected_pages
from ocrprep.preparation import Preparation
from ocrprep.reading import unrecorded

SAMPLES = Path(__file__).resolve().parents[1] / "samples"


@pytest.fixture(scope="module")
def scans() -> Preparation:
    """Three frames of a TIFF, prepared once."""
    return ocrprep.prepare(SAMPLES / "scans.tif")


def test_the_library_gives_what_was_read_the_reading_and_the_record(scans: Preparation) -> None:
    assert len(scans.representation.pages) == 3
    assert scans.reading.text.startswith("Bees in the Lighthouse\n\n")
    assert scans.record.reading_id == scans.reading.reading_id
    assert scans.notes.text == ""
    assert unrecorded(scans.representation, scans.readings.values()) == []


def test_a_phrase_of_the_reading_finds_its_words_and_boxes(scans: Preparation) -> None:
    quote = "allowed by regulation one dog"
    at = scans.reading.text.index(quote)
    span = scans.reading.map.to_source(ocrprep.Span(at, at + len(quote)))
    words = [placed.word for placed in scans.representation.words(span)]
    assert [word.text for word in words] == ["allowed", "by", "regula-", "tion", "one", "dog,"]
    assert words[3].box.top > words[2].box.bottom


def test_saving_and_opening_gives_the_same_again(scans: Preparation, tmp_path: Path) -> None:
    bundle = scans.save(tmp_path)
    assert bagit.Bag(str(bundle.path)).is_valid()
    again = ocrprep.open_bundle(bundle.path)
    assert again.representation.text == scans.representation.text
    assert again.record == scans.record
    assert again.reading.map == scans.reading.map
    assert ocrprep.verify(bundle.path).ok
    assert scans.save(tmp_path).path == bundle.path


def test_the_same_input_has_the_same_ids_in_another_process_and_with_other_jobs(scans: Preparation) -> None:
    code = (
        "import sys, ocrprep; p = ocrprep.prepare(sys.argv[1], ocrprep.Options(jobs=1));"
        "print(p.representation.representation_id, p.reading.reading_id, p.notes.reading_id)"
    )
    command = [sys.executable, "-c", code, str(SAMPLES / "scans.tif")]
    other = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout.split()
    assert other == [
        scans.representation.representation_id,
        scans.reading.reading_id,
        scans.notes.reading_id,
    ]


def test_a_turned_picture_is_read_upright() -> None:
    preparation = ocrprep.prepare(SAMPLES / "turned.jpg")
    assert "which includes coals" in preparation.reading.text
    page = preparation.representation.pages[0]
    assert page.image_transformations[-1].parameters["quarterTurns"] == 3
    truth = json.loads((SAMPLES / "truth" / "turned.json").read_text(encoding="utf-8"))
    known = {word["text"]: word["box"] for line in truth["pages"][0]["lines"] for word in line["words"]}
    near = [
        max(abs(a - b) for a, b in zip(word.box, known[word.text], strict=True))
        for word in page.words
        if word.text in known and list(page.words.texts).count(word.text) == 1
    ]
    assert len(near) > 50
    assert sorted(near)[len(near) // 2] < 0.01 * max(page.size)


@pytest.mark.parametrize(
    ("selection", "pages"),
    [(None, [1, 2, 3, 4, 5]), ("2", [2]), ("1-3", [1, 2, 3]), ("4-", [4, 5]), (" 5 , 1-2,2", [1, 2, 5])],
)
def test_a_selection_names_pages(selection: str | None, pages: list[int]) -> None:
    assert selected_pages(selection, 5) == pages


@pytest.mark.parametrize("selection", ["", "0", "6", "3-2", "x", "1-6", "-3", "1,,2", "1;2", "²"])
def test_a_selection_that_names_no_page_is_refused(selection: str) -> None:
    with pytest.raises(UsageError, match="--pages"):
        selected_pages(selection, 5)


def test_a_document_of_which_no_page_can_be_read_is_an_error() -> None:
    tight = ocrprep.RecognitionOptions(max_pixels=10)
    with pytest.raises(RecognitionError, match="no page could be read"):
        ocrprep.prepare(SAMPLES / "scans.tif", ocrprep.Options(recognition=tight))


def test_without_ocr_every_page_is_recorded_as_skipped() -> None:
    never = ocrprep.RecognitionOptions(ocr="never")
    preparation = ocrprep.prepare(SAMPLES / "scans.tif", ocrprep.Options(recognition=never))
    assert [page.state for page in preparation.record.pages] == ["skipped"] * 3
    assert preparation.reading.text == ""


def test_a_source_that_changes_before_it_is_saved_is_refused(tmp_path: Path) -> None:
    copy = tmp_path / "scans.tif"
    copy.write_bytes((SAMPLES / "scans.tif").read_bytes())
    preparation = ocrprep.prepare(copy, ocrprep.Options(pages="3"))
    copy.write_bytes(copy.read_bytes() + b"\0")
    with pytest.raises(SourceError, match="changed"):
        preparation.save(tmp_path / "out")
    assert not list((tmp_path / "out").glob("*"))


def test_no_input_at_all_is_refused() -> None:
    with pytest.raises(UsageError, match="no input"):
        ocrprep.prepare([])


@pytest.mark.parametrize("retention", ["full", "hash_only"])
def test_a_source_that_changes_while_it_is_read_is_refused_with_any_retention(
    tmp_path: Path, retention: Literal["full", "hash_only"]
) -> None:
    """The ID would be of one file and the text of another, and the bundle would verify for ever."""
    copy = tmp_path / "scans.tif"
    copy.write_bytes((SAMPLES / "scans.tif").read_bytes())

    def replace(_page: object, _total: int) -> None:
        copy.write_bytes((SAMPLES / "scans.tif").read_bytes() + b"\0")

    with pytest.raises(SourceError, match="changed while it was read"):
        ocrprep.prepare(copy, ocrprep.Options(pages="3", retention=retention), on_page=replace)


def test_one_selection_of_pages_has_one_id_however_it_is_written() -> None:
    never = ocrprep.RecognitionOptions(ocr="never")

    def id_of(pages: str | None) -> str:
        options = ocrprep.Options(recognition=never, pages=pages)
        return ocrprep.prepare(SAMPLES / "scans.tif", options).representation.representation_id

    assert len({id_of("1-2"), id_of("1,2"), id_of(" 2 , 1 ,1")}) == 1
    assert len({id_of(None), id_of("1-3"), id_of("1-")}) == 1
    assert id_of("1-2") != id_of("1")


def test_a_run_that_was_overtaken_takes_the_bundle_that_the_faster_one_made(
    scans: Preparation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slower(*arguments: object, **named: object) -> str:
        monkeypatch.undo()
        scans.save(tmp_path)
        return write_bag(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("ocrprep.preparation.write_bag", slower)
    outcome = scans.saved(tmp_path)
    assert not outcome.made
    assert [path.name for path in tmp_path.iterdir()] == ["scans.tif.evidence"]


def test_a_bundle_made_anew_that_cannot_be_written_leaves_the_old_one_in_its_place(
    scans: Preparation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = scans.save(tmp_path).digest

    def full(*_arguments: object, **_named: object) -> str:
        raise OutputError("disk full")

    monkeypatch.setattr("ocrprep.preparation.write_bag", full)
    with pytest.raises(OutputError, match="disk full"):
        scans.save(tmp_path, force=True)
    assert ocrprep.open_bundle(tmp_path / "scans.tif.evidence").digest == digest
    assert len(list(tmp_path.iterdir())) == 1


def test_the_readmes_example_runs_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = (SAMPLES.parent / "README.md").read_text(encoding="utf-8")
    example = readme.split("```python\n")[1].split("```")[0]
    (tmp_path / "samples").symlink_to(SAMPLES, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "README.md", "exec"), {})  # noqa: S102  # our own text
    assert "regula-" in capsys.readouterr().out
    assert (tmp_path / "bundles" / "scans.tif.evidence").is_dir()
