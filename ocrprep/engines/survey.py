"""What this machine can read with: engines, versions, language models, and what to do about what is missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ocrprep.engines import pytesseract_engine, tesserocr_engine
from ocrprep.engines.models import ORIENTATION, SUFFIX, ModelFolder, model_folder, remedy, search_folders
from ocrprep.engines.setup import PAGE_TIMEOUT, EngineName, EngineSetup
from ocrprep.errors import DependencyError
from ocrprep.identity import hash_file
from ocrprep.options import RecognitionOptions

SetUp = Callable[[ModelFolder, int, float], EngineSetup]

PAGE_SEGMENTATION = RecognitionOptions().page_segmentation

WANTED = {"eng": "nothing is read by default", ORIENTATION: "turned pages are found only by reading them four times"}
"""Models that every installation should have, and what is lost without."""


@dataclass(frozen=True)
class EngineState:
    """One engine: its versions, the program where it is one, and the problem that keeps it from working."""

    name: EngineName
    version: str | None = None
    leptonica: str | None = None
    command: str | None = None
    problem: str | None = None


@dataclass(frozen=True)
class ModelFile:
    """One model file: its ID (null when it cannot be read), its size in bytes, and whether a run would take it.

    A file is not taken when an earlier folder has the same model.
    """

    name: str
    path: Path
    hash: str | None
    size: int
    taken: bool


@dataclass(frozen=True)
class Survey:
    """What was found: engines in the order in which `auto` tries them, models and folders in their search order.

    `missing` has one sentence for each thing that is missing, with what to do about it; one engine of the two is
    enough.
    """

    engines: tuple[EngineState, ...]
    models: tuple[ModelFile, ...]
    folders: tuple[Path, ...]
    missing: tuple[str, ...]

    @property
    def ready(self) -> bool:
        """Whether an engine works and there is a language to read."""
        languages = any(each.name != ORIENTATION for each in self.models)
        return languages and any(each.problem is None for each in self.engines)


def survey(first: Path | None = None) -> Survey:
    """Look for engines and language models, `first` before all other folders; never fails for what is missing.

    An engine works when it loads a model that was found: English, or else the first.
    """
    missing: list[str] = []
    if first is not None and not first.is_dir():
        missing.append(f"{first} is no folder: name the folder that holds the {SUFFIX} files")
        first = None
    folders = search_folders(first)
    models = _models(folders)
    names = [each.name for each in models if each.name != ORIENTATION]
    trial = "eng" if "eng" in names else next(iter(names), None)
    engines = (_in_process(trial, first), _program(trial, first))
    missing += [each.problem for each in engines if each.problem is not None]
    missing += [
        f"no model {name}, so {loss}: {remedy(name)}"
        for name, loss in WANTED.items()
        if not any(each.name == name for each in models)
    ]
    return Survey(engines, models, folders, tuple(missing))


def _in_process(trial: str | None, first: Path | None) -> EngineState:
    try:
        version, leptonica = tesserocr_engine.versions()
    except DependencyError as error:
        return EngineState("tesserocr", problem=str(error))
    return EngineState("tesserocr", version, leptonica, problem=_try_out(tesserocr_engine.set_up, trial, first))


def _program(trial: str | None, first: Path | None) -> EngineState:
    command = None
    try:
        command = pytesseract_engine.find_command()
        version, leptonica = pytesseract_engine.versions(command)
    except DependencyError as error:
        return EngineState("pytesseract", command=command, problem=str(error))
    problem = _try_out(pytesseract_engine.set_up, trial, first)
    return EngineState("pytesseract", version, leptonica, command, problem)


def _try_out(set_up: SetUp, trial: str | None, first: Path | None) -> str | None:
    """Return what keeps an engine from loading a model, null where nothing does or there is no model to try."""
    if trial is None:
        return None
    try:
        with model_folder([trial], first) as folder:
            set_up(folder, PAGE_SEGMENTATION, PAGE_TIMEOUT)
    except DependencyError as error:
        return str(error)
    return None


def _models(folders: tuple[Path, ...]) -> tuple[ModelFile, ...]:
    models: list[ModelFile] = []
    seen: set[str] = set()
    for folder in folders:
        for path in sorted(each for each in folder.glob(f"*{SUFFIX}") if each.is_file()):
            name = path.name.removesuffix(SUFFIX)
            models.append(ModelFile(name, path, _hash(path), path.stat().st_size, name not in seen))
            seen.add(name)
    return tuple(models)


def _hash(path: Path) -> str | None:
    try:
        return hash_file(path)
    except OSError:
        return None
