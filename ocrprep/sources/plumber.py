"""pdfplumber's view of a PDF: the same pages as pdfium's, or none, and never for longer than a limit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pdfplumber

from ocrprep.pages import PageWarning
from ocrprep.sources.faults import reason_of
from ocrprep.sources.glyph_readers import PLUMBER_FAULTS

OPENING_LIMIT = 20.0
"""Seconds in which a file's page tree must be walked: 1,000 pages take one, a tree that loops takes for ever."""

READING_LIMIT = 30.0
"""Seconds in which the text of one page must be read: a page of 20,000 letters takes two."""


class PlumberFile:
    """The pages of a PDF in pdfplumber, opened when the first is asked for; the fault of an unusable file is kept."""

    def __init__(self, path: Path, password: str | None, page_count: int) -> None:
        self._path, self._password, self._page_count = path, password, page_count
        self._opened: Any = None
        self.fault: PageWarning | None = None

    def page(self, number: int) -> Any:
        """Return a page, counted from 1; null, with a `fault`, where pdfplumber does not have just pdfium's pages."""
        if self._opened is None and self.fault is None:
            self._open()
        return None if self.fault is not None else self._opened.pages[number - 1]

    def give_up(self, reason: str) -> None:
        """Never ask pdfplumber again about this file."""
        self.fault = _disagree(reason)
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _open(self) -> None:
        try:
            self._opened = pdfplumber.open(self._path, password=self._password or "", raise_unicode_errors=False)
            count = len(self._opened.pages)
        except PLUMBER_FAULTS as error:
            self.give_up(f"pdfplumber cannot open this file ({reason_of(error)})")
            return
        if count != self._page_count:
            self.give_up(f"pdfplumber finds {count} pages in this file and pdfium {self._page_count}")


def _disagree(reason: str) -> PageWarning:
    return PageWarning("text_readers_disagree", f"{reason}: pdfium's text is taken")
