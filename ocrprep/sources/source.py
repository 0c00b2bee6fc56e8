"""A source: one file, or the ordered files of one document, as numbered pages."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from types import TracebackType
from typing import Literal, Protocol, Self

from ocrprep.errors import SourceError, UsageError
from ocrprep.identity import hash_file, source_id
from ocrprep.options import RecognitionOptions
from ocrprep.pages import PageWarning
from ocrprep.records import SourceFile
from ocrprep.sources.faults import reason_of, shown
from ocrprep.sources.scan import PageFrame, Scan

FileType = Literal["PDF", "PNG", "JPEG", "TIFF", "BMP", "WEBP", "JPEG2000"]

SUPPORTED = "PDF, PNG, JPEG, TIFF, JPEG 2000, BMP or WebP"

_HEAD = 1024
"""PDF readers accept the PDF mark anywhere in so many first bytes (ISO 32000-1, annex H, note 13)."""

_BMP_HEADERS = {12, 16, 40, 52, 56, 64, 108, 124}
"""Lengths of the header after a BMP's file header: two letters alone would be too little to know one by."""

_MAGIC: tuple[tuple[bytes, FileType], ...] = (
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"II*\x00", "TIFF"),
    (b"MM\x00*", "TIFF"),
    (b"II+\x00", "TIFF"),
    (b"MM\x00+", "TIFF"),
    (b"\x00\x00\x00\x0cjP  \r\n\x87\n", "JPEG2000"),
    (b"\xff\x4f\xff\x51", "JPEG2000"),
)


class _Pages(Protocol):
    """The pages of one file, numbered from 1; opened when first asked for."""

    @property
    def page_count(self) -> int: ...
    @property
    def warnings(self) -> tuple[PageWarning, ...]: ...
    def describe(self, page: int) -> PageFrame: ...
    def scan(self, page: int, options: RecognitionOptions) -> Scan: ...
    def unreadable(self) -> str | None: ...
    def close(self) -> None: ...


class Source:
    """The pages of a document, numbered from 1 over all its files; a context manager.

    One source is used by one thread: neither pdfium nor the guards around Pillow are safe in several. Only the file
    last used is open. `warnings` holds what a careful reader should know of the files themselves.
    """

    def __init__(self, paths: Sequence[Path], files: Sequence[SourceFile], pages: Sequence[_Pages]) -> None:
        self.paths, self.files = tuple(paths), tuple(files)
        self.source_id = source_id(file.hash for file in self.files)
        self.warnings = tuple(warning for each in pages for warning in each.warnings)
        self._pages = tuple(pages)
        self._ends = tuple(accumulate(file.pages for file in self.files))
        self._open = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def page_count(self) -> int:
        """The number of pages and frames over all files."""
        return self._ends[-1]

    def describe(self, page: int) -> PageFrame:
        """Return what is known of a page without reading it; raises UsageError only for a page that does not exist."""
        number, within = self._place(page)
        known = self._pages[number].describe(within)
        return replace(known, frame=(number + 1, known.frame[1]))

    def scan(self, page: int, options: RecognitionOptions) -> Scan:
        """Return a page as pixels; raises PageError where it cannot be read, UsageError where there is no such page."""
        number, within = self._place(page)
        scan = self._pages[number].scan(within, options)
        return replace(scan, page=page, frame=(number + 1, scan.frame[1]))

    def require_unchanged(self) -> None:
        """Hash the files again; raises SourceError when one is no longer what it was when the source was opened."""
        for path, file in zip(self.paths, self.files, strict=True):
            try:
                same = hash_file(path) == file.hash
            except OSError as error:
                raise SourceError(_unreadable(path, error)) from error
            if not same:
                raise SourceError(f"{shown(path)} changed while it was read: run again when nothing writes to it")

    def close(self) -> None:
        """Close the files; the source may be used again and opens them anew."""
        for pages in self._pages:
            pages.close()

    def _place(self, page: int) -> tuple[int, int]:
        """Return the file, counted from 0, and the page within it, counted from 1; close the file used before."""
        if not 1 <= page <= self.page_count:
            raise UsageError(f"there is no page {page}: the source has pages 1 to {self.page_count}")
        number = next(index for index, end in enumerate(self._ends) if page <= end)
        if number != self._open:
            self._pages[self._open].close()
            self._open = number
        return number, page - (self._ends[number - 1] if number else 0)


def open_source(
    paths: Sequence[Path], *, password: str | None = None, files: Sequence[SourceFile] | None = None
) -> Source:
    """Open one file, or the ordered files of one document; the content decides the type, never the ending.

    `files` are the records of an earlier opening: the bytes are then not hashed, nor the pages counted, again. Raises
    SourceError with what to do when a file cannot be read, UsageError without a path.
    """
    if not paths:
        raise UsageError("name at least one file")
    if files is not None and len(files) != len(paths):
        raise UsageError(f"{len(files)} file records do not belong to {len(paths)} files")
    opened = [_pages_of(path, password, None if files is None else files[i].pages) for i, path in enumerate(paths)]
    unreadable = [pages.unreadable() for pages in opened] if files is None else [None]
    if all(unreadable):
        raise SourceError(str(unreadable[0]))
    records = [_record(path, pages) for path, pages in zip(paths, opened, strict=True)] if files is None else files
    return Source(paths, records, opened)


def _pages_of(path: Path, password: str | None, page_count: int | None) -> _Pages:
    kind = _file_type(path)
    # Imported here: a run over images loads no PDF library, and the other way round.
    if kind == "PDF":
        from ocrprep.sources.pdf import PdfFile

        return PdfFile(path, password, page_count)
    from ocrprep.sources.images import ImageFile

    return ImageFile(path, kind, page_count)


def _record(path: Path, pages: _Pages) -> SourceFile:
    try:
        # A name that is no Unicode keeps its bytes as escapes: the record is written as UTF-8.
        name = path.name.encode("utf-8", "backslashreplace").decode("utf-8")
        record = SourceFile(name=name, hash=hash_file(path), size=path.stat().st_size, pages=pages.page_count)
    except OSError as error:
        raise SourceError(_unreadable(path, error)) from error
    pages.close()
    return record


def _file_type(path: Path) -> FileType:
    """Tell a file's type by its first bytes; raises SourceError for what is no readable file of a supported type."""
    name = shown(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise SourceError(f"{name} is a folder: name the files in it")
        if not stat.S_ISREG(mode):
            raise SourceError(f"{name} is not a regular file: save it to one first")
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise SourceError(_unreadable(path, error)) from error
    if not head:
        raise SourceError(f"{name} is empty: copy or download it again")
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "WEBP"
    if head.startswith(b"BM") and int.from_bytes(head[14:18], "little") in _BMP_HEADERS:
        return "BMP"
    if b"%PDF-" in head:
        return "PDF"
    raise SourceError(f"{name} is not a {SUPPORTED} file: convert it to PDF or TIFF first")


def _unreadable(path: Path, error: OSError | ValueError) -> str:
    name = shown(path)
    if isinstance(error, FileNotFoundError):
        return f"{name} does not exist: check the path"
    if isinstance(error, PermissionError):
        return f"{name} may not be read by this user: change its permissions or run as its owner"
    reason = error.strerror if isinstance(error, OSError) and error.strerror else reason_of(error)
    return f"{name} cannot be read ({shown(reason)}): check the path and the disk"
