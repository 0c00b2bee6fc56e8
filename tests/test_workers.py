"""Workers: a page that hangs, dies or fails costs that page and nothing else."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from ocrprep.errors import DependencyError
from ocrprep.options import Options
from ocrprep.recognition import ReadPage
from ocrprep.sources import open_source
from ocrprep.workers import Workers
from tests.fakes import fake_setup

COMMAND = (sys.executable, "-m", "tests.fakes")


def read(folder: Path, widths: list[int], **options: object) -> tuple[dict[int, ReadPage], list[int]]:
    """Make one picture of each width, read them as one document with the fake worker."""
    paths = []
    for number, width in enumerate(widths):
        paths.append(folder / f"{number}.png")
        image = Image.new("L", (width, 300), 255)
        ImageDraw.Draw(image).rectangle((20, 20, 120, 30), fill=0)  # a page without ink is read by nobody
        image.save(paths[-1])
    told: list[int] = []
    settings = Options.model_validate({"jobs": 2, "page_timeout": 60.0, **options})
    with open_source(paths) as source, Workers(fake_setup(), settings, command=COMMAND) as workers:
        pages = workers.read(source, range(1, len(widths) + 1), lambda page: told.append(page.page.number))
    return pages, told


def test_pages_are_read_side_by_side_and_each_is_told(tmp_path: Path) -> None:
    pages, told = read(tmp_path, [200] * 5)
    assert sorted(told) == sorted(pages) == [1, 2, 3, 4, 5]
    assert {read.page.state for read in pages.values()} == {"read"}
    assert [word.text for word in pages[3].page.words] == ["a", "good", "page"]
    assert pages[3].picture


def test_a_worker_that_is_killed_costs_its_page_only(tmp_path: Path) -> None:
    pages, _ = read(tmp_path, [200, 201, 200, 201, 200])
    assert [pages[n].page.state for n in range(1, 6)] == ["read", "failed", "read", "failed", "read"]
    reason = pages[2].page.reason or ""
    assert "signal 9" in reason
    assert "a complaint" in reason
    assert pages[2].page.size == (201.0, 300.0)


def test_a_page_that_hangs_is_ended_with_all_that_it_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_PIDS", str(tmp_path / "pids"))
    pages, _ = read(tmp_path, [200, 202, 200], page_timeout=3.0)
    assert [pages[n].page.state for n in range(1, 4)] == ["read", "failed", "read"]
    assert "timed out after 3 s" in (pages[2].page.reason or "")
    for pid in (tmp_path / "pids").read_text(encoding="ascii").split():
        assert not _runs(int(pid))


def test_a_refused_page_has_the_engine_s_reason(tmp_path: Path) -> None:
    pages, _ = read(tmp_path, [203, 200])
    assert (pages[1].page.state, pages[1].page.reason) == ("failed", "the fake engine does not like this page")
    assert pages[2].page.state == "read"


def test_an_unusable_engine_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(DependencyError, match="'xyz' is gone"):
        read(tmp_path, [204, 200])


def test_what_an_engine_prints_does_not_mix_with_the_answers(tmp_path: Path) -> None:
    pages, _ = read(tmp_path, [205, 205])
    assert [word.text for word in pages[2].page.words] == ["quiet", "words"]


@pytest.mark.parametrize(("given", "used"), [(None, "1"), ("2", "2"), ("0", "1"), ("", "1")])
def test_a_worker_gets_a_sane_thread_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str | None, used: str
) -> None:
    if given is None:
        monkeypatch.delenv("OMP_THREAD_LIMIT", raising=False)
    else:
        monkeypatch.setenv("OMP_THREAD_LIMIT", given)
    pages, _ = read(tmp_path, [206])
    assert pages[1].page.words.texts == ("limit", used)


def test_the_result_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    one, _ = read(tmp_path, [200, 205, 203], jobs=1)
    two, _ = read(tmp_path, [200, 205, 203], jobs=2)
    assert [one[n].page for n in (1, 2, 3)] == [two[n].page for n in (1, 2, 3)]


def _runs(pid: int) -> bool:
    """Say whether a process runs; one that is dead and not yet collected does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/status")
    return not status.exists() or "State:\tZ" not in status.read_text(encoding="ascii")


def test_a_program_in_a_group_of_its_own_ends_with_its_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pytesseract engine starts Tesseract in a group of its own: the worker has to end it when it is told to."""
    monkeypatch.setenv("FAKE_PIDS", str(tmp_path / "pids"))
    pages, _ = read(tmp_path, [207], page_timeout=3.0)
    assert "timed out" in (pages[1].page.reason or "")
    (program,) = (tmp_path / "pids").read_text(encoding="ascii").split()
    assert not _runs(int(program))


def test_a_worker_that_does_not_even_start_says_why(tmp_path: Path) -> None:
    Image.new("L", (200, 300), 255).save(tmp_path / "a.png")
    dead = (sys.executable, "-c", "import sys; sys.stderr.write('no engine here'); sys.exit(3)")
    with (
        open_source([tmp_path / "a.png"]) as source,
        Workers(fake_setup(), Options(jobs=1), command=dead) as workers,
    ):
        page = workers.read(source, [1])[1].page
    assert page.state == "failed"
    assert "exit code 3" in (page.reason or "")
    assert "no engine here" in (page.reason or "")


def test_closed_workers_start_no_process(tmp_path: Path) -> None:
    Image.new("L", (200, 300), 255).save(tmp_path / "a.png")
    workers = Workers(fake_setup(), Options(jobs=1), command=COMMAND)
    workers.close()
    with open_source([tmp_path / "a.png"]) as source, pytest.raises(RuntimeError, match="closed"):
        workers.read(source, [1])
