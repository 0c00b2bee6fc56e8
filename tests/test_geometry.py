"""From ink to page frame and back: boxes lie where the words were drawn, whatever happened to the page before."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

import ocrprep
from ocrprep.options import Options, RecognitionOptions
from ocrprep.pages import Box, Line, Page, Raster, Word
from ocrprep.recognition import read_page
from ocrprep.records import EngineFingerprint
from ocrprep.sources import open_source
from tests.drawn import INK, PAPER, Drawn, cropped, drawn, overlap_share, pdf_of, quarter_turned, skewed
from tests.fakes import FINGERPRINT

BARS = ((90, 60, 300, 84), (90, 100, 400, 124), (90, 140, 260, 164), (200, 300, 440, 324), (90, 420, 500, 444))
WIDE, HIGH, DPI = 600, 800, 150


class BlobEngine:
    """Reads every connected patch of ink as a word that it believes."""

    fingerprint: EngineFingerprint = FINGERPRINT

    def read(self, raster: Raster) -> list[Line]:
        """Find the patches on the raster as it is."""
        dark = {divmod(at, raster.width) for at, level in enumerate(raster.pixels) if level < (INK + PAPER) // 2}
        lines = []
        while dark:
            patch, waiting = [], [dark.pop()]
            while waiting:
                row, column = waiting.pop()
                patch.append((row, column))
                for near in ((row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column)):
                    if near in dark:
                        dark.discard(near)
                        waiting.append(near)
            rows, columns = [row for row, _ in patch], [column for _, column in patch]
            box = Box(min(columns), min(rows), max(columns) + 1, max(rows) + 1)
            lines.append(Line((Word("word", box, 0.95),)))
        return lines

    def orientation(self, raster: Raster) -> tuple[int, float] | None:
        """Have no opinion."""
        return None

    def close(self) -> None:
        """Have nothing to give back."""


def barred() -> Drawn:
    """A page with five long bars."""
    image = Image.new("L", (WIDE, HIGH), PAPER)
    for x0, top, x1, bottom in BARS:
        ImageDraw.Draw(image).rectangle((x0, top, x1 - 1, bottom - 1), fill=INK)
    return Drawn(image, tuple(("word", Box(*bar)) for bar in BARS))


@settings(max_examples=15, deadline=None)
@given(
    skew=st.floats(-5, 5),
    turns=st.sampled_from([0, 2]),
    crop=st.tuples(*[st.integers(0, 40)] * 4),
    as_pdf=st.booleans(),
    recipe=st.sampled_from([(), ("deskew",), ("deskew", "upscale")]),
)
def test_boxes_come_back_within_a_hundredth_of_the_page(
    skew: float, turns: int, crop: tuple[int, int, int, int], as_pdf: bool, recipe: tuple[str, ...]
) -> None:
    page = skewed(barred(), skew)
    with tempfile.TemporaryDirectory() as folder:
        if as_pdf:
            path = Path(folder, "page.pdf")
            truth = pdf_of(page, path, DPI, rotate=90 * turns, crop=crop)
        else:
            path = Path(folder, "page.png")
            left, top, right, bottom = crop
            truth = quarter_turned(cropped(page, (left, top, WIDE - right, HIGH - bottom)), turns)
            truth.image.save(path)
        recognition = RecognitionOptions.model_validate({"recipe": recipe})
        with open_source([path]) as source:
            found = read_page(source, 1, BlobEngine(), Options(recognition=recognition, images="none")).page
    assert found.state == "read", found.reason
    limit = 0.01 * max(found.size)
    for _, box in truth.words:
        nearest = min((found.words.box(at) for at in range(len(found.words))), key=lambda each: distance(box, each))
        assert distance(box, nearest) <= limit, (box, nearest, found.image_transformations)


def distance(one: Box, other: Box) -> float:
    """Return the largest distance between two boxes' sides."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize(
    ("kind", "dpi", "turns", "skew"),
    [("png", 200, 0, 5.0), ("png", 300, 3, -2.0), ("pdf", 150, 1, 3.0), ("pdf", 200, 2, -5.0)],
)
def test_words_that_are_read_lie_on_their_ink(tmp_path: Path, kind: str, dpi: int, turns: int, skew: float) -> None:
    page = skewed(drawn(7, dpi, size=(6.0, 4.5)), skew)
    path = tmp_path / f"page.{kind}"
    if kind == "pdf":
        truth = pdf_of(page, path, dpi, rotate=90 * turns, crop=(20, 10, 15, 5))
    else:
        truth = quarter_turned(page, turns)
        truth.image.save(path)
    found = ocrprep.prepare(path, ocrprep.Options(images="none", jobs=1)).representation.pages[0]
    assert share_on_ink(truth, found) >= 0.99


def share_on_ink(truth: Drawn, page: Page) -> float:
    """Return the share of drawn words that a read word overlaps by 0.7 or more."""
    boxes = [page.words.box(at) for at in range(len(page.words))]
    hits = sum(any(overlap_share(box, each) >= 0.7 for each in boxes) for _, box in truth.words)
    return hits / len(truth.words)
