"""The type of a file, told by its content and never by its ending, and files that cannot be read at all."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Literal

from ocrprep.errors import SourceError
from ocrprep.sources.existing_ocr import existing_ocr_kind
from ocrprep.sources.faults import reason_of, shown

FileType = Literal["PDF", "PNG", "JPEG", "TIFF", "BMP", "WEBP", "JPEG2000", "GIF", "HOCR", "ALTO", "PAGE", "METS"]

SUPPORTED = "PDF, PNG, JPEG, TIFF, JPEG 2000, BMP, GIF, WebP, hOCR, ALTO or PAGE"

_HEAD = 1024
"""PDF readers accept the PDF mark anywhere in so many first bytes (ISO 32000-1, annex H, note 13)."""

_XML_HEAD = 65_536
"""Bytes in which a file of markup has to show its root: declarations and comments of scanning programs take a few."""

_BMP_HEADERS = {12, 16, 40, 52, 56, 64, 108, 124}
"""Lengths of the header after a BMP's file header: two letters alone would be too little to know one by."""

_MAGIC: tuple[tuple[bytes, FileType], ...] = (
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"II*\x00", "TIFF"),
    (b"MM\x00*", "TIFF"),
    (b"II+\x00", "TIFF"),
    (b"MM\x00+", "TIFF"),
    (b"\x00\x00\x00\x0cjP  \r\n\x87\n", "JPEG2000"),
    (b"\xff\x4f\xff\x51", "JPEG2000"),
)


def file_type(path: Path) -> FileType:
    """Tell a file's type by its first bytes; raises SourceError for what is no readable file of a supported type."""
    name = shown(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise SourceError(f"{name} is a folder: name the files in it")
        if not stat.S_ISREG(mode):
            raise SourceError(f"{name} is not a regular file: save it to one first")
        with path.open("rb") as stream:
            head = stream.read(_XML_HEAD)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise SourceError(unreadable(path, error)) from error
    if not head:
        raise SourceError(f"{name} is empty: copy or download it again")
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "WEBP"
    if head.startswith(b"BM") and int.from_bytes(head[14:18], "little") in _BMP_HEADERS:
        return "BMP"
    if b"%PDF-" in head[:_HEAD]:
        return "PDF"
    markup = existing_ocr_kind(head)
    if markup is not None:
        return markup
    raise SourceError(f"{name} is not a {SUPPORTED} file: convert it to PDF or TIFF first")


def unreadable(path: Path, error: OSError | ValueError) -> str:
    """Say why a file cannot be read, and what to do."""
    name = shown(path)
    if isinstance(error, FileNotFoundError):
        return f"{name} does not exist: check the path"
    if isinstance(error, PermissionError):
        return f"{name} may not be read by this user: change its permissions or run as its owner"
    reason = error.strerror if isinstance(error, OSError) and error.strerror else reason_of(error)
    return f"{name} cannot be read ({shown(reason)}): check the path and the disk"
