"""OCR files and the pictures that they name: existing text beside the pixels that it was read from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ocrprep.errors import PageError
from ocrprep.options import RecognitionOptions
from ocrprep.pages import PageWarning
from ocrprep.sources.existing_ocr import ExistingOcrFile, Kind
from ocrprep.sources.file_type import file_type
from ocrprep.sources.images import ImageFile
from ocrprep.sources.page_text import ExistingText, TextLayer
from ocrprep.sources.scan import PageFrame, Scan


class OcrFile:
    """The pages of one OCR file, with the pictures that it names."""

    def __init__(self, path: Path, kind: Kind, page_count: int | None = None) -> None:
        self._text = ExistingOcrFile(path, kind, page_count)

    @property
    def page_count(self) -> int:
        """The number of pages; raises SourceError when the file cannot be used."""
        return self._text.page_count

    @property
    def warnings(self) -> tuple[PageWarning, ...]:
        """What a careful reader should know of the file."""
        return self._text.warnings

    @property
    def images(self) -> tuple[Path, ...]:
        """The pictures that the pages name and that are there."""
        return self._text.images

    def describe(self, page: int) -> PageFrame:
        """Return the label and the size of a page."""
        return self._text.describe(page)

    def scan(self, page: int, options: RecognitionOptions) -> Scan:
        """Return a page's picture; raises PageError where there is none or it cannot be read."""
        picture = self._text.picture(page)
        if picture is None:
            raise PageError("there is no picture of the page")
        path, frame = picture
        known = self.describe(page)
        scan = ImageFile(path, file_type(path)).scan(frame, options)
        return replace(scan, label=known.label, frame=known.frame)

    def text_layer(self, page: int, options: RecognitionOptions) -> TextLayer | None:  # noqa: ARG002
        """Return null: an OCR file is no PDF."""
        return None

    def existing_text(self, page: int) -> ExistingText:
        """Return what the file says of a page; raises PageError where that is damaged."""
        return self._text.text(page)

    def unreadable(self) -> str | None:
        """Return null: a file that cannot be used raises SourceError instead."""
        return self._text.unreadable()

    def close(self) -> None:
        """Give the file's memory back."""
        self._text.close()


class Picture:
    """A picture that an OCR file names: a file of the source without pages of its own."""

    page_count = 0
    warnings: tuple[PageWarning, ...] = ()

    def describe(self, page: int) -> PageFrame:
        """Raise PageError: there are no pages."""
        raise PageError(f"a picture of an OCR file has no page {page} of its own")

    def scan(self, page: int, options: RecognitionOptions) -> Scan:  # noqa: ARG002
        """Raise PageError: there are no pages."""
        raise PageError(f"a picture of an OCR file has no page {page} of its own")

    def text_layer(self, page: int, options: RecognitionOptions) -> TextLayer | None:  # noqa: ARG002
        """Return null."""
        return None

    def existing_text(self, page: int) -> ExistingText | None:  # noqa: ARG002
        """Return null."""
        return None

    def unreadable(self) -> str | None:
        """Return null: the OCR file that names it says when it is missing."""
        return None

    def close(self) -> None:
        """Do nothing."""
