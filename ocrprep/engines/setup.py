"""What an engine is, and the setup from which a worker opens one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, Protocol

from ocrprep.errors import DependencyError, PageError
from ocrprep.options import Options
from ocrprep.pages import Line, Raster
from ocrprep.records.representation import EngineFingerprint

EngineName = Literal["tesserocr", "pytesseract"]

PAGE_TIMEOUT: float = Options().page_timeout
"""Seconds for one page when the caller gives none."""

CREDIBLE_DPI = (70, 2400)
"""The resolutions that Tesseract takes: others it moves to the nearer end, and reads worse for it than with none."""

LONGEST_SIDE = 32767
"""Pixels a side that Tesseract can count."""


class Engine(Protocol):
    """Something that reads rasters: opened once in a process, used for all its pages, then closed."""

    @property
    def fingerprint(self) -> EngineFingerprint:
        """What recognises the text: engine, versions, models."""
        ...

    def read(self, raster: Raster) -> list[Line]:
        """Return the raster's lines in the engine's reading order, none for an empty page.

        Boxes and font sizes are in raster pixels; a baseline angle is in degrees, positive where the line falls to
        the right; blocks count from 1. Raises PageError for a page that cannot be read.
        """
        ...

    def orientation(self, raster: Raster) -> tuple[int, float] | None:
        """Return the clockwise quarter turns that make the page upright and the engine's own confidence in them.

        The confidence is no probability: it starts at 0 and has no upper end. Null when nothing was detected.
        """
        ...

    def close(self) -> None:
        """Give the engine's memory back."""
        ...


@dataclass(frozen=True)
class EngineSetup:
    """All that a worker needs to open an engine: `models` is the run's one folder, `hashes` has an ID for each model.

    `hashes` also names `osd` where it was found, which decides whether a page is turned. `command` is the engine's
    program, null for one in the process; `timeout` is in seconds a page.
    """

    name: EngineName
    models: Path
    languages: tuple[str, ...]
    page_segmentation: int
    hashes: dict[str, str]
    version: str
    leptonica: str | None = None
    command: str | None = None
    timeout: float = PAGE_TIMEOUT

    @property
    def fingerprint(self) -> EngineFingerprint:
        """What recognises the text; paths and limits are no part of it."""
        return EngineFingerprint(
            engine=self.name,
            version=self.version,
            leptonica=self.leptonica,
            languages=self.languages,
            models=self.hashes,
            page_segmentation=self.page_segmentation,
        )

    def to_json(self) -> str:
        """Write the setup for a worker."""
        return json.dumps(asdict(self) | {"models": str(self.models)})

    @classmethod
    def from_json(cls, text: str) -> EngineSetup:
        """Read back what `to_json` wrote."""
        fields = json.loads(text)
        return cls(**fields | {"models": Path(fields["models"]), "languages": tuple(fields["languages"])})


def thread_limit(environ: Mapping[str, str]) -> str:
    """Return the OMP_THREAD_LIMIT for a worker: the user's value where it is a whole number from 1 on, else "1".

    Workers for all cores with threads for all cores each hold one another up; 0 and an empty value are not valid (C14).
    """
    wish = environ.get("OMP_THREAD_LIMIT", "").strip()
    return wish if re.fullmatch(r"0*[1-9][0-9]*", wish) else "1"


def parse_versions(text: str) -> tuple[str, str | None]:
    """Find the versions of Tesseract and Leptonica in what `tesseract --version` says; raises DependencyError."""
    tesseract = re.search(r"tesseract[ -]v?(\d+\.\S*)", text)
    leptonica = re.search(r"leptonica[ -]v?(\d+\.\S*)", text)
    if tesseract is None:
        raise DependencyError(f"Tesseract does not tell its version but {text[:80]!r}: install Tesseract 5")
    return tesseract[1], leptonica[1] if leptonica else None


def credible_dpi(raster: Raster) -> int | None:
    """Return the resolution to tell Tesseract, null where it should judge by the text itself."""
    low, high = CREDIBLE_DPI
    return round(raster.dpi) if raster.dpi is not None and low <= raster.dpi <= high else None


def check_size(raster: Raster) -> None:
    """Raise PageError for a raster that Tesseract cannot take."""
    if max(raster.width, raster.height) > LONGEST_SIDE:
        size = f"{raster.width} x {raster.height}"
        raise PageError(f"{size} pixels: Tesseract reads at most {LONGEST_SIDE} a side; use a lower resolution")
