"""Tesseract in the process, through tesserocr: one reader for all pages, the neural recogniser only."""

from __future__ import annotations

import importlib
import math
import os
from typing import Any

from ocrprep.engines.models import ORIENTATION, SUFFIX, ModelFolder
from ocrprep.engines.setup import EngineSetup, check_size, credible_dpi, parse_versions
from ocrprep.engines.words import number_lines, split_words
from ocrprep.errors import DependencyError, PageError
from ocrprep.pages import Box, Line, Raster, Word
from ocrprep.records.representation import EngineFingerprint

QUIET = {"debug_file": os.devnull}
"""Tesseract's remarks, such as its guess at a resolution, would go to the user's terminal."""


def set_up(folder: ModelFolder, page_segmentation: int, timeout: float) -> EngineSetup:
    """Set the engine up and prove that it loads exactly the folder's languages; raises DependencyError."""
    version, leptonica = versions()
    setup = EngineSetup(
        name="tesserocr",
        models=folder.path,
        languages=folder.languages,
        page_segmentation=page_segmentation,
        hashes=folder.hashes,
        version=version,
        leptonica=leptonica,
        timeout=timeout,
    )
    TesserocrEngine(setup).close()
    return setup


def versions() -> tuple[str, str | None]:
    """Return the versions of Tesseract and Leptonica in the wheel; raises DependencyError."""
    return parse_versions(library().tesseract_version())


def library() -> Any:
    """Load tesserocr; raises DependencyError."""
    try:
        return importlib.import_module("tesserocr")
    except ImportError as error:
        raise DependencyError(f"tesserocr cannot be loaded ({error}): `pip install tesserocr`") from error


class TesserocrEngine:
    """Tesseract in the process. Not for use by two threads at once."""

    def __init__(self, setup: EngineSetup) -> None:
        self.fingerprint: EngineFingerprint = setup.fingerprint
        self._setup = setup
        self._library = library()
        self._reader = self._open(
            "+".join(setup.languages), self._library.OEM.LSTM_ONLY, setup.page_segmentation, setup.languages
        )
        self._turner: Any = None
        self._turns = ORIENTATION in setup.hashes

    def read(self, raster: Raster) -> list[Line]:
        """Return the raster's lines in Tesseract's reading order; raises PageError when it gives up."""
        check_size(raster)
        reader = self._reader
        try:
            self._show(reader, raster)
            if not reader.Recognize():
                raise PageError("Tesseract gave up without a message")
            found = reader.GetIterator()
            return [] if found is None else self._lines(found, raster)
        finally:
            reader.Clear()

    def orientation(self, raster: Raster) -> tuple[int, float] | None:
        """Return the clockwise quarter turns that make the page upright, and Tesseract's confidence from 0 on."""
        if self._turner is None and self._turns:
            mode = self._library.OEM.TESSERACT_ONLY
            try:
                self._turner = self._open(ORIENTATION, mode, self._library.PSM.OSD_ONLY, (ORIENTATION,))
            except DependencyError:
                self._turns = False
        if self._turner is None:
            return None
        try:
            self._show(self._turner, raster)
            found = self._turner.DetectOrientationScript()
        finally:
            self._turner.Clear()
        # Tesseract tells by how much the page is turned clockwise, not what would undo it.
        return None if found is None else (-found["orient_deg"] // 90 % 4, float(found["orient_conf"]))

    def close(self) -> None:
        """Give Tesseract's memory back."""
        self._reader.End()
        if self._turner is not None:
            self._turner.End()

    def _open(self, languages: str, mode: int, segmentation: int, expected: tuple[str, ...]) -> Any:
        try:
            reader = self._library.PyTessBaseAPI(
                path=f"{self._setup.models}{os.sep}", lang=languages, oem=mode, psm=segmentation, variables=QUIET
            )
            loaded = set(reader.GetLoadedLanguages())
        except RuntimeError:
            loaded = set()
        if loaded != set(expected):
            raise DependencyError(_not_loaded(set(expected), loaded))
        return reader

    def _show(self, reader: Any, raster: Raster) -> None:
        reader.SetImageBytes(raster.pixels, raster.width, raster.height, 1, raster.width)
        dpi = credible_dpi(raster)
        if dpi is not None:
            reader.SetSourceResolution(dpi)

    def _lines(self, found: Any, raster: Raster) -> list[Line]:
        level = self._library.RIL
        printed: list[tuple[int, list[Word]]] = []
        block, angle, size = 0, 0.0, None
        for place in self._library.iterate_level(found, level.WORD):
            if place.Empty(level.WORD):
                continue
            if place.IsAtBeginningOf(level.BLOCK):
                block += 1
            if place.IsAtBeginningOf(level.TEXTLINE):
                printed.append((block, []))
                angle, size = _angle(place.Baseline(level.TEXTLINE)), _size(place.RowAttributes())
            box = place.BoundingBox(level.WORD) or (0, 0, raster.width, raster.height)
            text, confidence = place.GetUTF8Text(level.WORD), place.Confidence(level.WORD)
            printed[-1][1].extend(
                split_words(text, Box(*map(float, box)), confidence, baseline_angle=angle, font_size=size)
            )
        return number_lines(printed)


def _angle(baseline: tuple[tuple[int, int], tuple[int, int]] | None) -> float:
    """Return a baseline's angle in degrees, positive where it falls to the right."""
    if baseline is None:
        return 0.0
    (x0, y0), (x1, y1) = baseline
    return math.degrees(math.atan2(y1 - y0, x1 - x0))


def _size(row: dict[str, float] | None) -> float | None:
    """Return a line's height from descender to ascender in pixels: about 0.9 of its font size."""
    return row["row_height"] if row and row["row_height"] > 0 else None


def _not_loaded(expected: set[str], loaded: set[str]) -> str:
    wrong = ", ".join(f"{name}{SUFFIX}" for name in sorted(expected - loaded))
    if not wrong:
        return f"Tesseract also loads {', '.join(sorted(loaded - expected))}: name these languages too"
    return f"Tesseract cannot load {wrong}: the file is damaged or made for another version; install it again"
