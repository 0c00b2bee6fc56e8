"""Fake engines: what a real one does on a bad day, on demand."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from ocrprep.engines import EngineSetup
from ocrprep.engines.pytesseract_engine import run
from ocrprep.errors import DependencyError, PageError
from ocrprep.identity import hash_bytes
from ocrprep.pages import Box, Line, Raster, Word
from ocrprep.records import EngineFingerprint

FINGERPRINT = EngineFingerprint(
    engine="fake", version="1", languages=("eng",), models={"eng": hash_bytes(b"eng")}, page_segmentation=3
)


def fake_setup() -> EngineSetup:
    """A setup that a fake worker accepts."""
    return EngineSetup("tesserocr", Path("/nowhere"), ("eng",), 3, {"eng": hash_bytes(b"eng")}, "1")


class FakeEngine:
    """Answers each raster by its width: a table of widths and readings, so that a page is known by its size."""

    def __init__(self, readings: Mapping[int, Callable[[Raster], list[Line]]]) -> None:
        self.readings = readings
        self.fingerprint = FINGERPRINT
        self.asked_orientation = 0

    def read(self, raster: Raster) -> list[Line]:
        """Read by the width of the raster, or by its height when it was turned."""
        known = self.readings.get(raster.width) or self.readings[-raster.width]
        return known(raster)

    def orientation(self, raster: Raster) -> tuple[int, float] | None:
        """Never find an orientation."""
        self.asked_orientation += 1
        return None

    def close(self) -> None:
        """Have nothing to give back."""


def one_line(text: str, confidence: float = 0.9, box: Box | None = None) -> list[Line]:
    """A line of words that divide the box evenly from left to right."""
    box = box or Box(10, 10, 110, 20)
    words = text.split()
    step = box.width / len(words)
    return [
        Line(
            tuple(
                Word(word, Box(box.x0 + n * step, box.top, box.x0 + (n + 1) * step, box.bottom), confidence)
                for n, word in enumerate(words)
            )
        )
    ]


def _die(_raster: Raster) -> list[Line]:
    os.kill(os.getpid(), signal.SIGKILL)
    return []


def _hang(_raster: Raster) -> list[Line]:
    """Ignore TERM, start a child that sleeps too, write down both process numbers, and wait."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen(["sleep", "600"])
    Path(os.environ["FAKE_PIDS"]).write_text(f"{os.getpid()} {child.pid}", encoding="ascii")
    time.sleep(600)
    return []


def _refuse(_raster: Raster) -> list[Line]:
    raise PageError("the fake engine does not like this page")


def _miss(_raster: Raster) -> list[Line]:
    raise DependencyError("the model 'xyz' is gone; install it again")


def _print(_raster: Raster) -> list[Line]:
    sys.stdout.write("noise on standard output\n")
    os.write(1, b"more of it\n")
    return one_line("quiet words")


def _wait_for_a_program(_raster: Raster) -> list[Line]:
    """Wait for a program in a session of its own, as the pytesseract engine does."""
    script = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(600)"
    run([sys.executable, "-c", script, os.environ["FAKE_PIDS"]], b"", 600)
    return []


READINGS: Mapping[int, Callable[[Raster], list[Line]]] = {
    200: lambda _raster: one_line("a good page"),
    201: _die,
    202: _hang,
    203: _refuse,
    204: _miss,
    205: _print,
    206: lambda _raster: one_line(f"limit {os.environ['OMP_THREAD_LIMIT']}"),
    207: _wait_for_a_program,
}
"""What the fake worker does with a page image of each width."""


if __name__ == "__main__":
    from ocrprep.workers import main

    sys.stderr.write("fake worker: a complaint\n")
    sys.stderr.flush()
    main(lambda _setup: FakeEngine(READINGS))
