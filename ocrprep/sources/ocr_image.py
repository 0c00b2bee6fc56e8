"""The picture that an OCR file names for a page: where it is, and whether the page's boxes fit it.

In order: take the name's last part only, for names in foreign files are hostile or of another computer; look for it
beside the file, then below it at the place that the name says, then for a picture of the same stem; never follow a link
out of the folder; believe the content, not the ending; and compare the size of the picture with that of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ocrprep.errors import SourceError
from ocrprep.pages import PageWarning, Unit
from ocrprep.sources.faults import shown
from ocrprep.sources.given_text import PageHead

ENDINGS = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".jp2", ".webp", ".bmp")

LONGEST_NAME = 255
"""Bytes of a file name on all common file systems."""

SAME = 1.0
"""Pixels by which the sides of a page and its picture may differ: sizes are rounded, or counted to the last pixel."""

ONE_FACTOR = 0.01
"""Share by which the factors of both axes may differ: a page in tenths of millimetres is rounded by 0.05 %."""

_POINTS = {"px": 1.0, "mm10": 72 / 254, "inch1200": 72 / 1200}
"""Points in a unit of the file; pixels stay pixels."""

_NOT_A_NAME = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Fitted:
    """The frame of a page: its size and unit, the factors from the file's unit, and the picture that it has."""

    size: tuple[float, float]
    unit: Unit
    factors: tuple[float, float]
    image: tuple[Path, int] | None = None
    warnings: tuple[PageWarning, ...] = ()


def find_image(path: Path, named: str | None, *, pages: int) -> Path | None:
    """Return the picture that a page of the OCR file at `path` names, null where there is none in its folder.

    A file of several pages takes no picture for its own stem but a TIFF, which can hold as many.
    """
    root = path.parent.resolve()
    return next((each for each in _candidates(path, named, pages) if _is_picture(each, root)), None)


def fitted(head: PageHead, named: Path | None, frame: int, size: tuple[float, float] | None) -> Fitted:
    """Decide the frame of a page: the picture's where there is one that fits, else the file's own, in points if not px.

    `size` is that of the frame `frame` of the picture `named`, in pixels; null where its header cannot be read.
    """
    points = _POINTS[head.unit]
    alone = Fitted(
        (head.size[0] * points, head.size[1] * points), "px" if head.unit == "px" else "pt", (points, points)
    )
    if named is None:
        said = (
            f"the picture {shown(_last(head.image))!r} is" if head.image else "the file names no picture, and none is"
        )
        return _without(alone, "page_image_missing", f"{said} not in its folder")
    if size is None:
        return _without(alone, "page_image_unreadable", f"the picture {shown(named.name)} cannot be read")
    if not all(head.size):
        if head.unit == "px":
            return Fitted(size, "px", (1.0, 1.0), (named, frame))
        return _without(alone, "page_image_does_not_fit", "the file does not say how large the page is")
    across, down = size[0] / head.size[0], size[1] / head.size[1]
    if head.unit == "px" and all(abs(a - b) <= SAME for a, b in zip(size, head.size, strict=True)):
        return Fitted(size, "px", (1.0, 1.0), (named, frame))
    if abs(across / down - 1) > ONE_FACTOR:
        have, need = (f"{width:g} x {height:g}" for width, height in (size, head.size))
        message = f"the {have} pixels of {shown(named.name)} are no picture of a page of {need}"
        return _without(alone, "page_image_does_not_fit", message)
    message = f"boxes were scaled by {across:.4f} x {down:.4f} to the pixels of {shown(named.name)}"
    return Fitted(size, "px", (across, down), (named, frame), (PageWarning("boxes_scaled", message),))


def _without(alone: Fitted, code: str, message: str) -> Fitted:
    return Fitted(alone.size, alone.unit, alone.factors, None, (PageWarning(code, message),))


def _last(name: str) -> str:
    """Return the last part of a path of any system."""
    return re.split(r"[/\\]", name.strip())[-1]


def _candidates(path: Path, named: str | None, pages: int) -> Iterator[Path]:
    """Yield where the picture may be; nothing that leads out of the folder by its name."""
    last = _last(named or "")
    if (
        last
        and last not in (".", "..")
        and not _NOT_A_NAME.search(last)
        and len(last.encode(errors="replace")) <= LONGEST_NAME
    ):
        yield path.parent / last
        parts = re.split(r"[/\\]", (named or "").strip().removeprefix("./"))
        if len(parts) > 1 and all(each not in ("", ".", "..") and ":" not in each for each in parts):
            yield path.parent.joinpath(*parts)
        yield from _siblings(path.parent, last.rpartition(".")[0], ENDINGS)
    stem = path.stem
    for each in (stem, stem.rpartition(".")[0]):
        yield from _siblings(path.parent, each, ENDINGS if pages == 1 else (".tif", ".tiff"))


def _siblings(folder: Path, stem: str, endings: Sequence[str]) -> Iterator[Path]:
    if stem:
        for ending in endings:
            yield folder / (stem + ending)
            yield folder / (stem + ending.upper())


def _is_picture(path: Path, root: Path) -> bool:
    """Return whether a path is a picture in the folder, links resolved, and can be opened at all."""
    # Imported here: it asks this package for the type of OCR files.
    from ocrprep.sources.file_type import file_type

    try:
        resolved = path.resolve()
        if not resolved.is_relative_to(root) or not resolved.is_file():
            return False
        return file_type(path) not in ("PDF", "HOCR", "ALTO", "PAGE", "METS")
    except (OSError, ValueError, RuntimeError, SourceError):  # RuntimeError: a loop of links; ValueError: no file name
        return False
