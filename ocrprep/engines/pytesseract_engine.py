"""The system's Tesseract: pytesseract tells which program it is, and every page is one run of it with a hard limit.

The program is started without a shell in a group of its own, so that the limit ends whatever it has started itself.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from ocrprep.engines.models import ORIENTATION, SUFFIX, ModelFolder
from ocrprep.engines.setup import EngineSetup, check_size, credible_dpi, parse_versions, thread_limit
from ocrprep.engines.tsv import parse_tsv
from ocrprep.errors import DependencyError, PageError
from ocrprep.pages import Line, Raster
from ocrprep.records.representation import EngineFingerprint

INSTALL = "`apt install tesseract-ocr`, `brew install tesseract`, or set pytesseract.pytesseract.tesseract_cmd"

OLDEST = 4
"""The first version of Tesseract with the neural recogniser."""

SETUP_TIMEOUT = 60.0
"""Seconds for the program to tell its version: it takes 0.02, but a cold network drive is slow."""

LAST_WORDS = 200
"""Characters of the program's last line of complaint that go into a message."""

_NOT_LOADED = re.compile(r"Failed loading language '([^']+)'|Error opening data file .*?(\w+)" + re.escape(SUFFIX))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run of the program ended: its exit code (negative: ended by that signal) and what it wrote."""

    code: int
    output: str
    complaint: str


def set_up(folder: ModelFolder, page_segmentation: int, timeout: float) -> EngineSetup:
    """Set the program up and prove that it loads exactly the folder's languages; raises DependencyError."""
    command = find_command()
    version, leptonica = versions(command)
    if int(version.partition(".")[0]) < OLDEST:
        raise DependencyError(f"{command} is Tesseract {version}, which is too old: install Tesseract 5")
    setup = EngineSetup(
        name="pytesseract",
        models=folder.path,
        languages=folder.languages,
        page_segmentation=page_segmentation,
        hashes=folder.hashes,
        version=version,
        leptonica=leptonica,
        command=command,
        timeout=timeout,
    )
    listed = listed_models(command, setup)
    if listed != set(folder.hashes):
        raise DependencyError(f"{command} finds the models {sorted(listed)} in place of {sorted(folder.hashes)}")
    _prove(setup)
    return setup


def find_command() -> str:
    """Return the full path of the program that pytesseract is set to; raises DependencyError."""
    try:
        wish: str = importlib.import_module("pytesseract").pytesseract.tesseract_cmd
    except ImportError as error:
        raise DependencyError(f"pytesseract cannot be loaded ({error}): `pip install pytesseract`") from error
    command = shutil.which(wish)
    if command is None:
        raise DependencyError(f"no program {wish!r} on PATH: {INSTALL}")
    return command


def versions(command: str) -> tuple[str, str | None]:
    """Return the versions of the program and of its Leptonica; raises DependencyError."""
    outcome = _ask([command, "--version"])
    # Tesseract 3 wrote it to the other stream.
    return parse_versions(f"{outcome.output}\n{outcome.complaint}")


def listed_models(command: str, setup: EngineSetup) -> set[str]:
    """Return the models that the program sees in the run's folder; raises DependencyError."""
    # The first line is a heading.
    return set(_ask([command, "--list-langs", "--tessdata-dir", str(setup.models)]).output.split("\n", 1)[-1].split())


class PytesseractEngine:
    """The system's Tesseract, one run of the program for each page."""

    def __init__(self, setup: EngineSetup) -> None:
        self.fingerprint: EngineFingerprint = setup.fingerprint
        self._setup = setup

    def read(self, raster: Raster) -> list[Line]:
        """Return the raster's lines in Tesseract's reading order.

        Raises PageError when the program fails or takes longer than its limit, DependencyError when it or one of its
        models is gone.
        """
        check_size(raster)
        # The variable does what the configuration file `tsv` does, which not every installation has.
        mode = ["--psm", str(self._setup.page_segmentation), "--oem", "1", "-c", "tessedit_create_tsv=1"]
        outcome = self._run("+".join(self._setup.languages), mode, raster)
        lost = {name for pair in _NOT_LOADED.findall(outcome.complaint) for name in pair if name}
        wrong = [f"{name}{SUFFIX}" for name in self._setup.languages if name in lost]
        if wrong:
            # Tesseract goes on without them and ends with code 0.
            raise DependencyError(
                f"{self._command} cannot load {', '.join(wrong)}: missing or damaged; install it again"
            )
        self._check(outcome)
        return parse_tsv(outcome.output)

    def orientation(self, raster: Raster) -> tuple[int, float] | None:
        """Return the clockwise quarter turns that make the page upright, and Tesseract's confidence from 0 on."""
        if ORIENTATION not in self._setup.hashes:
            return None
        try:
            outcome = self._run(ORIENTATION, ["--psm", "0"], raster)
        except (PageError, DependencyError):
            return None
        turn = re.search(r"^Rotate: (\d+)", outcome.output, re.MULTILINE)
        confidence = re.search(r"^Orientation confidence: (\d+(?:\.\d*)?)", outcome.output, re.MULTILINE)
        if outcome.code or turn is None or confidence is None:
            return None
        return int(turn[1]) // 90 % 4, float(confidence[1])

    def close(self) -> None:
        """Do nothing: no program outlives its page."""

    @property
    def _command(self) -> str:
        if self._setup.command is None:
            raise DependencyError(f"the setup names no program: {INSTALL}")
        return self._setup.command

    def _run(self, model: str, mode: Sequence[str], raster: Raster) -> Outcome:
        dpi = credible_dpi(raster)
        resolution = [] if dpi is None else ["--dpi", str(dpi)]
        place = ["stdin", "stdout", "--tessdata-dir", str(self._setup.models), "-l", model]
        image = b"P5\n%d %d\n255\n" % (raster.width, raster.height) + raster.pixels
        try:
            return run([self._command, *place, *resolution, *mode], image, self._setup.timeout)
        except subprocess.TimeoutExpired as error:
            raise PageError(f"timed out after {self._setup.timeout:g} s") from error

    def _check(self, outcome: Outcome) -> None:
        if outcome.code:
            ending = f"signal {-outcome.code}" if outcome.code < 0 else f"code {outcome.code}"
            raise PageError(f"{self._command} ended with {ending}: {_last_line(outcome.complaint)}")


def run(arguments: Sequence[str], image: bytes, timeout: float) -> Outcome:
    """Run a program with an image as its input, and end it and all that it started after `timeout` seconds.

    Raises subprocess.TimeoutExpired, and DependencyError when it cannot be started.
    """
    environ = os.environ | {"OMP_THREAD_LIMIT": thread_limit(os.environ)}
    with _started(arguments, environ) as child:
        output, complaint = child.communicate(image, timeout)
    # An engine's bytes need not be UTF-8: what is not becomes U+FFFD.
    return Outcome(child.returncode, output.decode("utf-8", "replace"), complaint.decode("utf-8", "replace"))


@contextmanager
def _started(arguments: Sequence[str], environ: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    pipe = subprocess.PIPE
    try:
        # The arguments are a list, and the program is the one that the user's own setting names.
        child = subprocess.Popen(  # noqa: S603
            list(arguments), stdin=pipe, stdout=pipe, stderr=pipe, env=environ, start_new_session=True
        )
    except OSError as error:
        raise DependencyError(f"{arguments[0]} cannot be started ({error.strerror}): {INSTALL}") from error
    with child:
        try:
            yield child
        except BaseException:
            # A limit or an interrupt: the group is ended before the pipes are waited for.
            _end_group(child)
            raise


def _end_group(child: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(child.pid)], capture_output=True, check=False)  # noqa: S603, S607
    else:
        # macOS answers EPERM for a group of which only the unwaited leader is left.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)


def _ask(arguments: Sequence[str]) -> Outcome:
    try:
        return run(arguments, b"", SETUP_TIMEOUT)
    except subprocess.TimeoutExpired as error:
        raise DependencyError(f"{arguments[0]} did not answer in {SETUP_TIMEOUT:g} s: {INSTALL}") from error


def _prove(setup: EngineSetup) -> None:
    """Read an empty page: the list of models shows files, only a run shows whether they load."""
    try:
        PytesseractEngine(setup).read(Raster(32, 32, b"\xff" * 32 * 32))
    except PageError as error:
        raise DependencyError(f"Tesseract does not work: {error}") from error


def _last_line(complaint: str) -> str:
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    line = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in lines[-1]) if lines else "no message"
    return line if len(line) <= LAST_WORDS else f"{line[:LAST_WORDS]}…"
