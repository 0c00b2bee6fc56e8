"""What the inputs of a run name: files, folders as batches of their files, or one document of many files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ocrprep.errors import UsageError
from ocrprep.sources import pictures_of

OURS = re.compile(r".*\.(evidence(\.replaced-\d+)?|review)")
"""Names of folders that this program writes: never inputs."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a run: its files in order, its name, and the folder that receives its bundle."""

    paths: tuple[Path, ...]
    name: str
    folder: Path


def documents(inputs: Sequence[Path], output: Path, as_one: str | None = None) -> list[Document]:
    """List the documents that inputs name.

    A file is a document. A folder is a batch of the files in it and below it, each with its bundle in the same relative
    folder below `output`; a picture that a file of existing OCR in it names belongs to that file. With `as_one` all
    files, in their order, are one document of that name. Raises UsageError for an empty folder and for a name that is
    not plain.
    """
    found: list[tuple[Path, Path]] = []
    for each in inputs:
        if each.is_dir():
            if OURS.fullmatch(each.resolve().name):
                raise UsageError(f"{each}: this is a bundle or a review, not a folder of scans; see `ocrprep derive`")
            inside = sorted(_files_below(each), key=natural_order)
            if not inside:
                raise UsageError(f"{each}: there are no files in this folder; name scans, or a folder that holds some")
            pictures = {picture.resolve() for path in inside for picture in pictures_of(path)}
            inside = [path for path in inside if path.resolve() not in pictures]
            found += [(path, output / path.parent.relative_to(each)) for path in inside]
        else:
            found.append((each, output))
    if as_one is None:
        return [Document((path,), path.name, folder) for path, folder in found]
    if Path(as_one).name != as_one or as_one in ("", ".", ".."):
        raise UsageError(f"--as-one {as_one!r}: give a plain name, without folders")
    return [Document(tuple(path for path, _ in found), as_one, output)]


def natural_order(path: Path) -> list[tuple[int, int, str]]:
    """Return a sort key that puts page 2 before page 10."""
    parts = re.split(r"(\d+)", str(path))
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]


def _files_below(folder: Path) -> Iterator[Path]:
    """Yield the visible files in and below a folder; links to folders are not followed, so that loops end."""
    for each in folder.iterdir():
        if each.name.startswith("."):
            continue
        if not each.is_dir():
            yield each
        elif not each.is_symlink() and not OURS.fullmatch(each.name):
            yield from _files_below(each)
