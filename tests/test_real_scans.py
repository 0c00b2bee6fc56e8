"""The main job on real scans, where a folder of them lies beside the checkout; they are not part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import bagit
import pytest

import ocrprep
from ocrprep.engines import survey
from ocrprep.reading import unrecorded

SCANS = Path(os.environ.get("OCRPREP_SCANS") or Path(__file__).resolve().parents[2] / "shared" / "data")

DOCUMENTS = (
    ("deu", "postocr/cis-ocrtestset/*/tif", "00[23]?.tif"),
    ("eng", "pages/scribeocr-ocr-benchmark/img", "filing_01.png"),
    ("eng", "furniture/fondue-en-print-20", "**/*.png"),
    ("eng", "hostile/ocrmypdf-resources", "multipage.pdf"),
    ("eng", "hostile/ocrmypdf-resources", "ccitt.pdf"),
    ("eng", "hostile/ocrmypdf-resources", "jbig2.pdf"),
)
LONGEST = 3
"""Files of a folder that make one document here: what is tested is that every kind comes through."""


def has_german() -> bool:
    """Say whether the German model can be found."""
    return any(model.name == "deu" for model in survey().models)


@pytest.mark.parametrize(("language", "folder", "pattern"), DOCUMENTS)
def test_a_real_scan_comes_through_whole(tmp_path: Path, language: str, folder: str, pattern: str) -> None:
    if not SCANS.is_dir():
        pytest.skip(f"no real scans at {SCANS}; name their folder in OCRPREP_SCANS")
    if language == "deu" and not has_german():
        if os.environ.get("CI"):
            pytest.fail("the German model is missing: apt install tesseract-ocr-deu")
        pytest.skip("the German model is missing: apt install tesseract-ocr-deu")
    files = sorted(path for place in SCANS.glob(folder) for path in place.glob(pattern))[:LONGEST]
    assert files, f"the folder of real scans has no {folder}/{pattern}"
    options = ocrprep.Options(recognition=ocrprep.RecognitionOptions(languages=(language,)))
    preparation = ocrprep.prepare(files, options, name="scan")
    bundle = preparation.save(tmp_path)
    assert ocrprep.verify(bundle.path).problems == ()
    assert bagit.Bag(str(bundle.path)).is_valid()
    assert unrecorded(preparation.representation, preparation.readings.values()) == []
    assert preparation.representation.text.count("\f") == len(preparation.record.pages)
