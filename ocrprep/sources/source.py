"""A source: one file, or the ordered files of one document, as numbered pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from ocrprep.errors import SourceError, UsageError
from ocrprep.identity import hash_file, source_id
from ocrprep.options import RecognitionOptions
from ocrprep.pages import PageWarning
from ocrprep.records import SourceFile
from ocrprep.sources.faults import shown
from ocrprep.sources.file_type import file_type, unreadable
from ocrprep.sources.ocr_file import OcrFile, Picture
from ocrprep.sources.page_text import ExistingText, TextLayer
from ocrprep.sources.scan import PageFrame, Scan


class _Pages(Protocol):
    """The pages of one file, numbered from 1; opened when first asked for."""

    @property
    def page_count(self) -> int: ...
    @property
    def warnings(self) -> tuple[PageWarning, ...]: ...
    def describe(self, page: int) -> PageFrame: ...
    def scan(self, page: int, options: RecognitionOptions) -> Scan: ...
    def text_layer(self, page: int, options: RecognitionOptions) -> TextLayer | None: ...
    def existing_text(self, page: int) -> ExistingText | None: ...
    def unreadable(self) -> str | None: ...
    def close(self) -> None: ...


class Source:
    """The pages of a document, numbered from 1 over all its files; a context manager.

    A file without pages is the picture that an OCR file before it names. One source is used by one thread: neither
    pdfium nor the guards around Pillow are safe in several. Only the file last used is open.
    """

    def __init__(self, paths: Sequence[Path], files: Sequence[SourceFile], pages: Sequence[_Pages]) -> None:
        self.paths, self.files = tuple(paths), tuple(files)
        self.source_id = source_id(file.hash for file in self.files)
        self._pages = tuple(pages)
        self._ends = tuple(accumulate(file.pages for file in self.files))
        self._open = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @cached_property
    def warnings(self) -> tuple[PageWarning, ...]:
        """What a careful reader should know of the files themselves."""
        return tuple(warning for each in self._pages for warning in each.warnings)

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
        """Return a page as pixels.

        Raises PageError where it cannot be read or there are none, UsageError where there is no such page.
        """
        number, within = self._place(page)
        scan = self._pages[number].scan(within, options)
        return replace(scan, page=page, frame=(number + 1, scan.frame[1]))

    def text_layer(self, page: int, options: RecognitionOptions) -> TextLayer | None:
        """Return the text layer of a PDF page, which may hold no text; null where the source is no PDF."""
        number, within = self._place(page)
        return self._pages[number].text_layer(within, options)

    def existing_text(self, page: int) -> ExistingText | None:
        """Return what an OCR file says of a page, null where the source is none; raises PageError."""
        number, within = self._place(page)
        return self._pages[number].existing_text(within)

    def require_unchanged(self) -> None:
        """Hash the files again; raises SourceError when one is no longer what it was when the source was opened."""
        for path, file in zip(self.paths, self.files, strict=True):
            try:
                same = hash_file(path) == file.hash
            except OSError as error:
                raise SourceError(unreadable(path, error)) from error
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
    paths: Sequence[Path], *, passwords: Sequence[str] = (), files: Sequence[SourceFile] | None = None
) -> Source:
    """Open one file, or the ordered files of one document; the content decides the type, never the ending.

    The pictures that OCR files name become files of the source, each behind the OCR file that first names it, and are
    no pages of their own. `passwords` are tried in turn on encrypted PDFs. `files` are the records of an earlier
    opening: the bytes are then not hashed, nor the pages counted, again. Raises SourceError with what to do when a file
    cannot be read, UsageError without a path.
    """
    if not paths:
        raise UsageError("name at least one file")
    if files is not None:
        if len(files) != len(paths):
            raise UsageError(f"{len(files)} file records do not belong to {len(paths)} files")
        return Source(paths, files, [_pages_of(*each, passwords) for each in zip(paths, files, strict=True)])
    opened = _with_pictures([(path, _pages_of(path, None, passwords)) for path in paths])
    unreadable = [pages.unreadable() for _, pages in opened]
    if all(unreadable):
        raise SourceError(str(unreadable[0]))
    return Source([path for path, _ in opened], [_record(*each) for each in opened], [pages for _, pages in opened])


def pictures_of(path: Path) -> tuple[Path, ...]:
    """Return the pictures that a file of existing OCR names and that are there; none for any other file."""
    try:
        kind = file_type(path)
        return OcrFile(path, kind).images if kind in ("HOCR", "ALTO", "PAGE") else ()
    except SourceError:
        return ()


def _pages_of(path: Path, known: SourceFile | None, passwords: Sequence[str]) -> _Pages:
    if known is not None and known.pages == 0:
        return Picture()
    kind, count = file_type(path), None if known is None else known.pages
    # Imported here: a run over images loads no PDF library, and the other way round.
    if kind == "PDF":
        from ocrprep.sources.pdf import PdfFile

        return PdfFile(path, passwords, count)
    if kind in ("HOCR", "ALTO", "PAGE", "METS"):
        return OcrFile(path, kind, count)
    from ocrprep.sources.images import ImageFile

    return ImageFile(path, kind, count)


def _with_pictures(opened: Sequence[tuple[Path, _Pages]]) -> list[tuple[Path, _Pages]]:
    """Put the pictures that OCR files name behind them; one that is also listed itself is no page of its own."""
    named = {image.resolve() for _, pages in opened for image in _images(pages)}
    placed: set[Path] = set()
    listed: list[tuple[Path, _Pages]] = []
    for path, pages in opened:
        if path.resolve() in named:
            continue
        listed.append((path, pages))
        for image in _images(pages):
            if image.resolve() not in placed:
                placed.add(image.resolve())
                listed.append((image, Picture()))
    return listed


def _images(pages: _Pages) -> tuple[Path, ...]:
    return pages.images if isinstance(pages, OcrFile) else ()


def _record(path: Path, pages: _Pages) -> SourceFile:
    try:
        # A name that is no Unicode keeps its bytes as escapes: the record is written as UTF-8.
        name = path.name.encode("utf-8", "backslashreplace").decode("utf-8")
        record = SourceFile(name=name, hash=hash_file(path), size=path.stat().st_size, pages=pages.page_count)
    except OSError as error:
        raise SourceError(unreadable(path, error)) from error
    pages.close()
    return record
