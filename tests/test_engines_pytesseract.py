"""The system's program, played by scripts: limits, faults and odd output; and the program itself where there is one."""

from __future__ import annotations

import os
import stat
import sys
import time
from pathlib import Path

import pytest

from ocrprep.engines import EngineSetup, open_engine, pytesseract_engine, set_up
from ocrprep.engines.models import ModelFolder
from ocrprep.errors import DependencyError, PageError
from ocrprep.options import RecognitionOptions
from ocrprep.pages import Box, Raster

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripts need a POSIX shell")

HEADER = "level page_num block_num par_num line_num word_num left top width height conf text".replace(" ", r"\t")
RECORDED = rf"""
printf '{HEADER}\n'
printf '1\t1\t0\t0\t0\t0\t0\t0\t600\t400\t-1\t\n'
printf '5\t1\t1\t1\t1\t1\t50\t60\t70\t30\t96.8\tThe\n'
printf '5\t1\t1\t1\t1\t2\t130\t60\t99\t38\t91\t"quick\n'
"""
RASTER = Raster(4, 3, bytes(12))


def program(folder: Path, script: str) -> str:
    path = folder / "tesseract"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def setup(command: str, models: Path, *, timeout: float = 30, osd: bool = False) -> EngineSetup:
    hashes = {"eng": f"sha256:{0:064}"} | ({"osd": f"sha256:{1:064}"} if osd else {})
    return EngineSetup("pytesseract", models, ("eng", "deu"), 6, hashes, "5.3.0", "1.82.0", command, timeout)


def test_reads_recorded_output(tmp_path: Path) -> None:
    """The words come back as they were written; no shell, no configuration file, the image by the input."""
    script = f"printf '%s\\n' \"$@\" > {tmp_path}/arguments; cat > {tmp_path}/image; {RECORDED}"
    engine = open_engine(setup(program(tmp_path, script), tmp_path / "a folder; with $HOME"))
    (line,) = engine.read(RASTER)
    assert [(word.text, word.box, word.confidence) for word in line.words] == [
        ("The", Box(50, 60, 120, 90), 0.968),
        ('"quick', Box(130, 60, 229, 98), 0.91),
    ]
    expected = ["stdin", "stdout", "--tessdata-dir", f"{tmp_path}/a folder; with $HOME", "-l", "eng+deu"]
    expected += ["--psm", "6", "--oem", "1", "-c", "tessedit_create_tsv=1"]
    assert (tmp_path / "arguments").read_text().splitlines() == expected
    assert (tmp_path / "image").read_bytes() == b"P5\n4 3\n255\n" + bytes(12)


@pytest.mark.parametrize(("dpi", "expected"), [(None, False), (300.4, True), (1.0, False), (1e6, False)])
def test_tells_a_credible_resolution_only(dpi: float | None, expected: bool, tmp_path: Path) -> None:
    """Tesseract reads worse with a wrong resolution than with none."""
    engine = open_engine(setup(program(tmp_path, f'echo "$@" > {tmp_path}/arguments; {RECORDED}'), tmp_path))
    engine.read(Raster(4, 3, bytes(12), dpi))
    assert ("--dpi 300 " in (tmp_path / "arguments").read_text()) is expected


@pytest.mark.parametrize(("wish", "expected"), [(None, "1"), ("2", "2"), ("0", "1"), ("", "1"), ("many", "1")])
def test_case_c14_limits_threads(
    wish: str | None, expected: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """C14: the program gets one thread, or what the user has set to a whole number from 1 on."""
    monkeypatch.delenv("OMP_THREAD_LIMIT", raising=False)
    if wish is not None:
        monkeypatch.setenv("OMP_THREAD_LIMIT", wish)
    script = f'echo "$OMP_THREAD_LIMIT" > {tmp_path}/limit; {RECORDED}'
    open_engine(setup(program(tmp_path, script), tmp_path)).read(RASTER)
    assert (tmp_path / "limit").read_text() == f"{expected}\n"


def test_case_c10_ends_the_whole_group(tmp_path: Path) -> None:
    """C10: a program that ignores TERM and has started another is ended at the limit, and so is the other."""
    script = f"trap '' TERM; sleep 600 & echo $! > {tmp_path}/child; wait"
    engine = open_engine(setup(program(tmp_path, script), tmp_path, timeout=0.5))
    with pytest.raises(PageError, match=r"^timed out after 0\.5 s$"):
        engine.read(RASTER)
    assert ended(int((tmp_path / "child").read_text()))
    assert engine.orientation(RASTER) is None


def test_case_c10_ends_a_child_that_outlives_the_program(tmp_path: Path) -> None:
    """A child that keeps the program's output open is ended at the limit although the program itself is done."""
    engine = open_engine(setup(program(tmp_path, f"sleep 600 & echo $! > {tmp_path}/child"), tmp_path, timeout=0.5))
    with pytest.raises(PageError, match="timed out"):
        engine.read(RASTER)
    assert ended(int((tmp_path / "child").read_text()))


def ended(pid: int) -> bool:
    """Wait at most two seconds for a killed process to be gone."""
    for _ in range(200):
        if not runs(pid):
            return True
        time.sleep(0.01)
    return False


def runs(pid: int) -> bool:
    """Whether a process runs: one that only waits to be buried does not, and a container may bury none."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        # Buried in between; or a system without /proc, where the first process buries every orphan at once.
        return not Path("/proc/self").exists()
    return state != "Z"


def test_output_that_is_no_utf8(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 become U+FFFD, the rest stays."""
    script = rf"{RECORDED} printf '5\t1\t1\t1\t1\t3\t240\t60\t9\t9\t50\tf\377x\n'"
    (line,) = open_engine(setup(program(tmp_path, script), tmp_path)).read(RASTER)
    assert [word.text for word in line.words] == ["The", '"quick', "f�x"]


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo one >&2; echo 'two\033[31m' >&2; echo >&2; exit 3", r"ended with code 3: two\\x1b\[31m$"),
        ("exit 1", "ended with code 1: no message$"),
        ("kill -9 $$", "ended with signal 9: no message$"),
        ("printf '%01000d' 0 >&2; exit 1", "code 1: 0{200}…$"),
        (r"printf '\377' >&2; exit 1", "code 1: �$"),
        ("echo The quick brown fox", "wrote no TSV but 'The quick brown fox'"),
        ("exit 0", "wrote no TSV"),
    ],
)
def test_a_fault_is_a_fault_of_the_page(script: str, message: str, tmp_path: Path) -> None:
    """The reason is the program's last line, made safe to print; an empty answer is no blank page."""
    with pytest.raises(PageError, match=message):
        open_engine(setup(program(tmp_path, script), tmp_path)).read(RASTER)


@pytest.mark.parametrize(
    "complaint", ["Failed loading language 'deu'", "Error opening data file /a folder/deu.traineddata"]
)
@pytest.mark.parametrize("ending", ["exit 0", "exit 1"])
def test_a_language_that_does_not_load(complaint: str, ending: str, tmp_path: Path) -> None:
    """Tesseract reads on without it and reports success: we do not."""
    script = f'{RECORDED} echo "{complaint}" >&2; {ending}'
    with pytest.raises(DependencyError, match=r"cannot load deu\.traineddata"):
        open_engine(setup(program(tmp_path, script), tmp_path)).read(RASTER)


def test_a_language_that_nobody_asked_for(tmp_path: Path) -> None:
    """Some models name companions, such as jpn its jpn_vert: one that is not there was not asked for."""
    script = f"{RECORDED} echo \"Failed loading language 'deu_vert'\" >&2"
    assert open_engine(setup(program(tmp_path, script), tmp_path)).read(RASTER)


def test_a_program_that_is_gone(tmp_path: Path) -> None:
    """An engine that cannot be started is a missing dependency, and no orientation."""
    engine = open_engine(setup(str(tmp_path / "gone"), tmp_path, osd=True))
    with pytest.raises(DependencyError, match="gone cannot be started"):
        engine.read(RASTER)
    assert engine.orientation(RASTER) is None


def test_a_raster_that_is_too_large(tmp_path: Path) -> None:
    """The message tells the limit and what to do."""
    with pytest.raises(PageError, match=r"40000 x 1 pixels.*32767.*lower resolution"):
        open_engine(setup(str(tmp_path / "gone"), tmp_path)).read(Raster(40000, 1, bytes(40000)))


ORIENTATION = "Page number: 0\nOrientation in degrees: 90\nRotate: 270\nOrientation confidence: 8.47\n"


@pytest.mark.parametrize(
    ("script", "osd", "expected"),
    [
        (f"printf '{ORIENTATION}'", True, (3, 8.47)),
        (f"printf '{ORIENTATION}'", False, None),
        (f"printf '{ORIENTATION}'; exit 1", True, None),
        ("echo 'Too few characters. Skipping this page' >&2; exit 1", True, None),
        ("echo Rotate: upwards", True, None),
        ("exit 0", True, None),
    ],
)
def test_orientation(script: str, osd: bool, expected: tuple[int, float] | None, tmp_path: Path) -> None:
    """`Rotate` makes the page upright; whatever else the program does is no answer."""
    assert open_engine(setup(program(tmp_path, script), tmp_path, osd=osd)).orientation(RASTER) == expected


def stub(version: str = "tesseract 5.3.0\n leptonica-1.82.0", listed: str = "eng", page: str = RECORDED) -> str:
    return f"""case "$1" in
--version) printf '{version}\n' ;;
--list-langs) printf 'List of available languages in "x" (1):\n{listed}\n' ;;
*) {page} ;;
esac"""


def set_up_with(command: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> EngineSetup:
    monkeypatch.setattr("pytesseract.pytesseract.tesseract_cmd", command)
    models = ModelFolder(folder, ("eng",), {"eng": f"sha256:{0:064}"})
    return set_up(RecognitionOptions(engine="pytesseract"), models, timeout=7)


def test_sets_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The setup names the program, its versions and the limit."""
    found = set_up_with(program(tmp_path, stub()), monkeypatch, tmp_path)
    assert (found.version, found.leptonica, found.timeout) == ("5.3.0", "1.82.0", 7)
    assert found.command == str(tmp_path / "tesseract")
    assert EngineSetup.from_json(found.to_json()) == found
    assert found.fingerprint.engine == "pytesseract"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (stub(version="tesseract 3.05.02"), "too old"),
        (stub(version="Hello"), "does not tell its version"),
        (stub(listed=""), r"finds the models \[\] in place of \['eng'\]"),
        (stub(listed="eng\\nfra"), r"finds the models \['eng', 'fra'\]"),
        (stub(page="echo \"Failed loading language 'eng'\" >&2"), r"cannot load eng\.traineddata"),
        (stub(page="echo 'read_params_file: no' >&2; exit 1"), "does not work.*read_params_file"),
    ],
)
def test_refuses_a_program_that_does_not_work(
    script: str, message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A faulty installation is found before the first page."""
    with pytest.raises(DependencyError, match=message):
        set_up_with(program(tmp_path, script), monkeypatch, tmp_path)


def test_a_program_that_does_not_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Even the version is asked for with a limit."""
    monkeypatch.setattr(pytesseract_engine, "SETUP_TIMEOUT", 0.2)
    with pytest.raises(DependencyError, match="did not answer"):
        set_up_with(program(tmp_path, "sleep 600"), monkeypatch, tmp_path)


def test_a_missing_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The message names what was looked for, where, and how to install it."""
    with pytest.raises(DependencyError, match=r"no program 'no-tesseract' on PATH: `apt install tesseract-ocr`"):
        set_up_with("no-tesseract", monkeypatch, tmp_path)
