"""The command line: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont
from typer.testing import CliRunner

import ocrprep
from ocrprep import cli
from ocrprep.__main__ import main
from ocrprep.errors import ExitCode

SAMPLES = Path(__file__).resolve().parents[1] / "samples"


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run the program in this process, as `main` does, and return how it ended."""

    def call(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["ocrprep", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        said = capsys.readouterr()
        return Ran(int(end.value.code or 0), said.out, said.err)

    return call


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    """A small scan that is read in a moment."""
    image = Image.new("L", (900, 300), 255)
    font = ImageFont.load_default(size=40)
    ImageDraw.Draw(image).text((40, 60), "The ledger is closed.\nNothing was lost.", fill=0, font=font)
    path = tmp_path / "in" / "scan.png"
    path.parent.mkdir()
    image.save(path)
    return path


def test_prepare_says_where_things_lie_and_a_second_run_leaves_them(
    run: Callable[..., Ran], scan: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    first = run("prepare", scan, "-o", out)
    assert first.code == ExitCode.OK, first.err
    bundle = out / "scan.png.evidence"
    for name in ("reading.txt", "reading.json", "review.html"):
        assert str(bundle / "data" / name) in first.out
    assert (bundle / "data" / "reading.txt").read_text(encoding="utf-8").startswith("The ledger is closed.")
    before = {path: path.stat().st_mtime_ns for path in bundle.rglob("*")}
    second = run("prepare", scan, "-o", out)
    assert second.code == ExitCode.OK
    assert "left as it is" in second.out
    assert before == {path: path.stat().st_mtime_ns for path in bundle.rglob("*")}
    digest = re.search(r"sha256:[0-9a-f]{64}", first.out)
    assert digest
    assert run("verify", bundle, "--expect", digest[0]).code == ExitCode.OK


def test_json_has_one_object_a_line_and_nothing_else_on_stdout(
    run: Callable[..., Ran], scan: Path, tmp_path: Path
) -> None:
    Image.open(scan).save(scan.with_name("other.tif"))
    ran = run("prepare", scan.parent, "-o", tmp_path / "out", "--json")
    assert ran.code == ExitCode.OK, ran.err
    assert [row["status"] for row in ran.rows] == ["prepared", "prepared"]
    assert len({row["representationId"] for row in ran.rows}) == 2
    assert "2 inputs = 2 ok + 0 failed" in ran.err


def test_other_options_make_another_bundle_beside_the_first(
    run: Callable[..., Ran], scan: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run("prepare", scan, "-o", out)
    assert run("prepare", scan, "-o", out, "--no-reflow").code == ExitCode.OK
    names = sorted(path.name for path in out.iterdir())
    assert names[0] == "scan.png.evidence"
    assert re.fullmatch(r"scan\.png~[0-9a-f]{6}\.evidence", names[1])
    assert run("prepare", scan, "-o", out, "--no-reflow").code == ExitCode.OK
    assert sorted(path.name for path in out.iterdir()) == names


def test_a_bundle_that_does_not_verify_is_in_the_way_until_force_moves_it(
    run: Callable[..., Ran], scan: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run("prepare", scan, "-o", out)
    reading = out / "scan.png.evidence" / "data" / "reading.txt"
    reading.write_text("something else", encoding="utf-8")
    bad = run("verify", out / "scan.png.evidence")
    assert (bad.code, "data/reading.txt" in bad.out) == (ExitCode.INTEGRITY, True)
    refused = run("prepare", scan, "-o", out)
    assert refused.code == ExitCode.OUTPUT
    assert "--force" in refused.err
    assert reading.read_text(encoding="utf-8") == "something else"
    assert run("prepare", scan, "-o", out, "--force").code == ExitCode.OK
    assert run("verify", out / "scan.png.evidence").code == ExitCode.OK
    assert (out / "scan.png.evidence.replaced-1" / "data" / "reading.txt").read_text(
        encoding="utf-8"
    ) == "something else"


def test_derive_makes_a_new_bundle_that_names_its_parent(run: Callable[..., Ran], scan: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("prepare", scan, "-o", out)
    old = ocrprep.open_bundle(out / "scan.png.evidence")
    ran = run("derive", old.path, "--no-reflow", "--json")
    assert ran.code == ExitCode.OK, ran.err
    new = ocrprep.open_bundle(Path(ran.rows[0]["bundle"]))
    assert new.path != old.path
    assert new.record.parent_reading_id == old.record.reading_id
    assert new.record.representation_id == old.record.representation_id
    assert new.reading.text == "The ledger is closed.\nNothing was lost."
    assert run("verify", new.path).code == ExitCode.OK
    same = run("derive", old.path)
    assert same.code == ExitCode.USAGE
    (old.path / "data" / "source.txt").write_text("forged", encoding="utf-8")
    assert run("derive", old.path, "--no-reflow").code == ExitCode.INTEGRITY


def test_report_is_written_beside_the_bundle_never_into_it(run: Callable[..., Ran], scan: Path, tmp_path: Path) -> None:
    run("prepare", scan, "-o", tmp_path / "out")
    bundle = tmp_path / "out" / "scan.png.evidence"
    ran = run("report", bundle)
    assert ran.out.strip() == str(tmp_path / "out" / "scan.png.review" / "review.html")
    assert "The ledger" in Path(ran.out.strip()).read_text(encoding="utf-8")
    assert run("verify", bundle).code == ExitCode.OK


def test_hash_only_keeps_no_source_and_no_picture_and_verifies(
    run: Callable[..., Ran], scan: Path, tmp_path: Path
) -> None:
    ran = run(
        "prepare", scan, "-o", tmp_path / "out", "--retention", "hash_only", "--bag-info", "Source-Organization=Us"
    )
    assert ran.code == ExitCode.OK, ran.err
    bundle = tmp_path / "out" / "scan.png.evidence"
    assert not (bundle / "data" / "source").exists()
    assert not (bundle / "data" / "images").exists()
    assert "Source-Organization: Us" in (bundle / "bag-info.txt").read_text(encoding="utf-8")
    assert run("verify", bundle).code == ExitCode.OK


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (b"", ExitCode.SOURCE, "empty"),
        (b"just some text", ExitCode.SOURCE, "PDF"),
        (b"%PDF-1.4\n%%EOF\n", ExitCode.SOURCE, "damaged"),
    ],
)
def test_a_bad_source_is_one_line_with_its_code_and_nothing_is_written(
    run: Callable[..., Ran], tmp_path: Path, content: bytes, code: int, words: str
) -> None:
    bad = tmp_path / "bad.pdf"
    bad.write_bytes(content)
    ran = run("prepare", bad, "-o", tmp_path / "out")
    assert (ran.code, ran.out) == (code, "")
    assert len(ran.err.splitlines()) == 1
    assert words in ran.err
    assert not list(tmp_path.glob("out/*"))


def test_each_file_of_a_batch_is_an_island(run: Callable[..., Ran], scan: Path, tmp_path: Path) -> None:
    (scan.parent / "deep").mkdir()
    (scan.parent / "deep" / "empty.pdf").write_bytes(b"")
    (scan.parent / "notes.txt").write_text("not a scan", encoding="utf-8")
    ran = run("prepare", scan.parent, "-o", tmp_path / "out", "--json")
    assert ran.code == ExitCode.SOME_FAILED
    assert "3 inputs = 1 ok + 2 failed" in ran.err
    assert {row["input"].rsplit("/", 1)[1]: row["status"] for row in ran.rows} == {
        "empty.pdf": "failed",
        "notes.txt": "failed",
        "scan.png": "prepared",
    }


def test_a_folder_as_one_document(run: Callable[..., Ran], scan: Path, tmp_path: Path) -> None:
    Image.open(scan).save(scan.with_name("page 10.png"))
    Image.open(scan).save(scan.with_name("page 2.png"))
    ran = run("prepare", scan.parent, "-o", tmp_path / "out", "--as-one", "folder")
    assert ran.code == ExitCode.OK, ran.err
    bundle = ocrprep.open_bundle(tmp_path / "out" / "folder.evidence")
    assert [each.name for each in bundle.header.source_files] == ["page 2.png", "page 10.png", "scan.png"]
    assert [page.frame for page in bundle.representation.pages] == [(1, 1), (2, 1), (3, 1)]
    assert run("verify", bundle.path).code == ExitCode.OK


def test_pages_that_were_not_asked_for_are_recorded_as_skipped(run: Callable[..., Ran], tmp_path: Path) -> None:
    ran = run("prepare", SAMPLES / "scans.tif", "-o", tmp_path, "--pages", "3", "--strict")
    assert ran.code == ExitCode.NEEDS_REVIEW, ran.err
    record = ocrprep.open_bundle(tmp_path / "scans.tif.evidence").record
    assert [page.state for page in record.pages] == ["skipped", "skipped", "read"]
    assert run("prepare", SAMPLES / "scans.tif", "-o", tmp_path, "--pages", "4").code == ExitCode.USAGE


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["prepare"], 2, "Missing argument"),
        (["prepare", ""], 2, "an input is empty"),
        (["prepare", "a.png", "-o", "a.png"], 8, "is not a folder"),
        (["prepare", "a.png", "--as-one", ""], 2, "plain name"),
        (["prepare", "a.png", "--as-one", ".."], 2, "plain name"),
        (["prepare", "old.evidence"], 2, "ocrprep derive"),
        (["prepare", "a.png", "--lang", "osd"], 2, "--lang"),
        (["prepare", "a.png", "--page-timeout", "inf"], 2, "page-timeout"),
        (["prepare", "x.pdf", "--engine", "magic"], 2, "magic"),
        (["prepare", "x.pdf", "--lang", "eng+../etc"], 2, "language"),
        (["prepare", "x.pdf", "--lang", "eng+xyz"], 4, "xyz"),
        (["prepare", "x.pdf", "--bag-info", "nonsense"], 2, "KEY=VALUE"),
        (["prepare", "x.pdf", "--bag-info", "Payload-Oxum=1.1"], 2, "Payload-Oxum"),
        (["prepare", "x.pdf", "--keep", "everything"], 2, "everything"),
        (["prepare", "missing.pdf"], 3, "missing.pdf"),
        (["prepare", ".", "--as-one", "../x"], 2, "plain name"),
        (["verify", "missing.evidence"], 7, "missing.evidence"),
        (["derive", "missing.evidence"], 7, "missing.evidence"),
        (["report", "missing.evidence"], 7, "missing.evidence"),
        (["schema", "nothing"], 2, "reading"),
    ],
)
def test_a_wrong_call_says_what_to_do(
    run: Callable[..., Ran],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    words: str,
) -> None:
    (tmp_path / "a.png").write_bytes((SAMPLES / "newsletter.png").read_bytes())
    (tmp_path / "old.evidence").mkdir()
    monkeypatch.chdir(tmp_path)
    ran = run(*arguments)
    assert ran.code == code
    assert words in ran.err + ran.out
    assert "Traceback" not in ran.err


def test_names_cannot_steer_the_terminal(run: Callable[..., Ran], tmp_path: Path) -> None:
    bad = tmp_path / "a\x1b[31m\nb.pdf"
    bad.write_bytes(b"")
    ran = run("prepare", bad, "-o", tmp_path / "out")
    assert ran.code == ExitCode.SOURCE
    assert "\x1b" not in ran.err
    assert len(ran.err.splitlines()) == 1


def test_every_record_has_a_schema(run: Callable[..., Ran]) -> None:
    names = run("schema").out.split()
    assert "reading" in names
    for name in names:
        assert json.loads(run("schema", name).out)["$schema"].startswith("https://json-schema.org/")


def test_doctor_names_engines_models_and_hashes(run: Callable[..., Ran]) -> None:
    ran = run("doctor")
    assert ran.code == ExitCode.OK
    assert re.search(r"eng\s+sha256:[0-9a-f]{64}", ran.out)
    assert json.loads(run("doctor", "--json").out)["ready"] is True


def test_the_version_and_every_command_s_help() -> None:
    runner = CliRunner()
    assert re.fullmatch(r"ocrprep \d+\.\d+\.\d+\n", runner.invoke(cli.app, ["--version"]).output)
    for command in cli.app.registered_commands:
        assert command.callback
        assert runner.invoke(cli.app, [command.callback.__name__, "--help"]).exit_code == 0


def test_the_readme_documents_every_command_and_every_option_of_prepare() -> None:
    readme = (SAMPLES.parent / "README.md").read_text(encoding="utf-8")
    runner = CliRunner()
    for command in cli.app.registered_commands:
        assert command.callback
        assert f"ocrprep {command.callback.__name__}" in readme
    for option in re.findall(r"--[a-z][a-z-]+", runner.invoke(cli.app, ["prepare", "--help"]).output):
        assert option in readme or option == "--help", option


def test_the_module_runs_as_a_program() -> None:
    done = subprocess.run([sys.executable, "-m", "ocrprep", "--version"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout[:8]) == (0, "ocrprep ")


def test_what_the_program_wrote_is_no_input_of_a_batch(run: Callable[..., Ran], scan: Path) -> None:
    """Bundles, reviews and bundles moved aside lie beside the scans when they are written into the same folder."""
    assert run("prepare", scan.parent, "-o", scan.parent).code == ExitCode.OK
    assert run("report", scan.with_name("scan.png.evidence")).code == ExitCode.OK
    assert run("prepare", scan.parent, "-o", scan.parent, "--force").code == ExitCode.OK
    ran = run("prepare", scan.parent, "-o", scan.parent, "--json")
    assert (ran.code, len(ran.rows)) == (ExitCode.OK, 1)


def test_a_second_derivation_says_that_it_is_there(run: Callable[..., Ran], scan: Path, tmp_path: Path) -> None:
    run("prepare", scan, "-o", tmp_path / "out")
    bundle = tmp_path / "out" / "scan.png.evidence"
    states = [run("derive", bundle, "--no-reflow", "--json").rows[0]["status"] for _ in range(2)]
    assert states == ["prepared", "exists"]


def start(*arguments: object, **streams: Any) -> subprocess.Popen[bytes]:
    """Start the program as a user does."""
    return subprocess.Popen([sys.executable, "-m", "ocrprep", *map(str, arguments)], **streams)


def test_a_pipe_that_nobody_reads_stops_no_work(scan: Path, tmp_path: Path) -> None:
    Image.open(scan).save(scan.with_name("second.png"))
    reader, writer = os.pipe()
    os.close(reader)
    child = start("prepare", scan.parent, "-o", tmp_path / "out", stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    _, said = child.communicate(timeout=120)
    assert (child.returncode, b"Traceback" in said) == (0, False)
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_closed_streams_stop_no_work(scan: Path, tmp_path: Path) -> None:
    command = 'exec "$0" -m ocrprep prepare "$1" -o "$2" >&- 2>&-'
    done = subprocess.run(["sh", "-c", command, sys.executable, scan, tmp_path / "out"], timeout=120, check=False)
    assert done.returncode == 0
    assert (tmp_path / "out" / "scan.png.evidence").is_dir()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_says_so_and_leaves_nothing(tmp_path: Path, sent: signal.Signals) -> None:
    ours = tmp_path / "tmp"
    ours.mkdir()
    child = start(
        "prepare",
        SAMPLES / "book.pdf",
        "-o",
        tmp_path / "out",
        "--jobs",
        1,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(ours)},
    )
    assert child.stderr is not None
    while not list(ours.glob("ocrprep-models-*")):  # then it sets the engine up, or reads: twelve pages take seconds
        assert child.poll() is None
        select.select([child.stderr], [], [], 0.01)
    child.send_signal(sent)
    _, said = child.communicate(timeout=60)
    assert child.returncode == ExitCode.INTERRUPTED
    assert said.decode().splitlines() == ["ocrprep: interrupted; nothing half-written is left"]
    assert not list(ours.iterdir())
    assert not list(tmp_path.glob("out/*"))
