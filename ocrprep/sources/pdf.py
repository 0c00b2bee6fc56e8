"""PDF files: a page's own image where it is one, else a rendering by pdfium, as grey scans in points.

The page frame is the visible page: the crop box after `/Rotate`, origin top-left. A page's `/UserUnit` is not known to
pdfium: on the rare large sheets that have one, a point is one user unit.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from ocrprep.errors import PageError, SourceError
from ocrprep.options import RecognitionOptions
from ocrprep.pages import Affine, ImageTransformation, PageWarning, Raster
from ocrprep.sources.damage import damage_of
from ocrprep.sources.faults import shown
from ocrprep.sources.page_image import Contents, PageImage, contents, own_pixels, page_image, rendering
from ocrprep.sources.raster import raster_of
from ocrprep.sources.scan import PageFrame, Scan

POINTS = 72
"""Points per inch."""

LEAST_DPI = 150
"""The lowest resolution to which a rendering is reduced to fit the pixel budget: below, small print is lost."""

STREAMED = 16
"""How many times the budget an image within a rendered page may have: pdfium decodes it line by line, so 1.2 thousand
million pixels take 120 MB."""

MOST_PROVED = 50
"""Images of a page that are proved to be whole: a page of thousands of tiles is no scan, and each is decoded for it."""

_TAIL = 1024
"""Readers look for the end mark of a PDF in so many last bytes (ISO 32000-1, annex H, note 18)."""

_OPENING_FAULTS = {
    pdfium.FPDF_ERR_FILE: "cannot be read: check the path and the disk",
    pdfium.FPDF_ERR_FORMAT: "is a damaged PDF: download or copy it again, or repair it, e.g. with qpdf or mutool clean",
    pdfium.FPDF_ERR_SECURITY: (
        "is encrypted in a way that is not supported: remove the encryption first with the program that made it"
    ),
}
_DAMAGED = _OPENING_FAULTS[pdfium.FPDF_ERR_FORMAT]


class PdfFile:
    """The pages of one PDF; opened when first asked for, until `close`."""

    def __init__(self, path: Path, password: str | None = None, page_count: int | None = None) -> None:
        self.path, self._password = path, password
        self._document: Any = None
        self._page_count = page_count
        self.warnings: tuple[PageWarning, ...] = _end_warnings(path)

    @property
    def page_count(self) -> int:
        """The number of pages; raises SourceError when the file cannot be opened."""
        if self._page_count is None:
            self._page_count = len(self._opened())
        return self._page_count

    def unreadable(self) -> str | None:
        """Return null: a PDF that cannot be opened raises SourceError instead."""
        self._opened()
        return None

    def describe(self, page: int) -> PageFrame:
        """Return the label and the size of a page without reading its content."""
        document = self._opened()
        try:
            size = document.get_page_size(page - 1)
        except pypdfium2.PdfiumError:
            size = (0.0, 0.0)
        return PageFrame(_label(document, page), (1, page), size, "pt")

    def scan(self, page: int, options: RecognitionOptions) -> Scan:
        """Take a page's own image or render it; raises PageError when neither is possible within the budget."""
        document = self._opened()
        try:
            loaded = document[page - 1]
        except pypdfium2.PdfiumError as error:
            raise PageError("the page is damaged or missing in the PDF: repair the file, e.g. with qpdf") from error
        try:
            size = _page_size(loaded)
            found = contents(loaded)
            raster, steps, affine = _pixels(loaded, found, size, options)
            warnings = tuple(_damage(loaded, found, options))
        except pypdfium2.PdfiumError as error:
            raise PageError(f"the page cannot be rendered: {shown(error)}") from error
        finally:
            loaded.close()
        return Scan(page, _label(document, page), (1, page), size, "pt", raster, steps, affine, warnings)

    def close(self) -> None:
        """Close the document and free what pdfium holds of it."""
        if self._document is not None:
            self._document.close()
            self._document = None

    def _opened(self) -> Any:
        if self._document is None:
            self._document = _open(self.path, self._password)
        return self._document


def _open(path: Path, password: str | None) -> Any:
    """Open a PDF; raises SourceError with what to do."""
    name = shown(path)
    secret = None if password is None else password.encode("utf-8", "surrogateescape") + b"\0"
    # The raw call: pypdfium2 tells a document without pages from a damaged one by an error code that may be stale.
    opened = pdfium.FPDF_LoadDocument(os.fsencode(path) + b"\0", secret)
    if not opened:
        code = pdfium.FPDF_GetLastError()
        if code == pdfium.FPDF_ERR_PASSWORD:
            what = "needs a password" if not password else "is encrypted and the password is wrong"
            raise SourceError(f"{name} {what}: remove the password first, e.g. with qpdf --decrypt")
        raise SourceError(f"{name} {_OPENING_FAULTS.get(code, _DAMAGED)}")
    document = pypdfium2.PdfDocument(opened)
    if len(document) < 1:
        document.close()
        raise SourceError(f"{name} has no pages: it is empty or damaged; export it again")
    return document


def _end_warnings(path: Path) -> tuple[PageWarning, ...]:
    """Warn of a PDF that does not end as one: pdfium repairs it silently, and pages may be lost or cut short."""
    with path.open("rb") as stream:
        end = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, end - _TAIL))
        if b"%%EOF" in stream.read():
            return ()
    message = f"{shown(path.name)} has no end mark: it may be cut off, with pages missing or incomplete"
    return (PageWarning("no_end_mark", message),)


def _label(document: Any, page: int) -> str | None:
    """Return the PDF page label, null when it is empty or no text."""
    try:
        label = str(document.get_page_label(page - 1))
    except UnicodeDecodeError:
        return None
    return label or None


def _page_size(page: Any) -> tuple[float, float]:
    width, height = page.get_size()
    if not (math.isfinite(width) and math.isfinite(height) and width > 0 and height > 0):
        raise PageError(f"the page has no area ({width:g} x {height:g} pt): repair the PDF")
    return width, height


def _pixels(
    page: Any, found: Contents, size: tuple[float, float], options: RecognitionOptions
) -> tuple[Raster, tuple[ImageTransformation, ...], Affine]:
    image = page_image(page, found, size, options)
    taken = own_pixels(page, image) if isinstance(image, PageImage) else None
    if taken is not None:
        return taken
    for embedded in found.images:
        budget = options.max_pixels * (1 if embedded.needs_memory else STREAMED)
        pixels = embedded.width * embedded.height
        if pixels > budget:
            raise PageError(
                f"the page has an image of {pixels:,} pixels, more than the budget of {budget:,}: reduce it"
            )
    return _rendered(page, size, options, image if isinstance(image, str) else "looks unlike its image")


def _damage(page: Any, found: Contents, options: RecognitionOptions) -> Iterator[PageWarning]:
    """Yield a warning for each image of a page that is not whole; of a mosaic, for its first tiles only."""
    for embedded in found.images[:MOST_PROVED]:
        size = embedded.width, embedded.height
        damage = damage_of(page, embedded.drawn, size, embedded.filters, options.max_pixels)
        if damage:
            message = f"an image of {size[0]} x {size[1]} pixels on this page is damaged, text may be missing: {damage}"
            yield PageWarning("image_damaged", message)


def _rendered(
    page: Any, size: tuple[float, float], options: RecognitionOptions, reason: str
) -> tuple[Raster, tuple[ImageTransformation, ...], Affine]:
    dpi = fitting_dpi(size, options)
    raster = raster_of(rendering(page, *_raster_size(size, dpi)), float(dpi))
    steps = (
        ImageTransformation("render", {"dpi": dpi, "reason": reason}),
        ImageTransformation("grayscale", {"mode": "RGB"}),
    )
    return raster, steps, Affine.scale(size[0] / raster.width, size[1] / raster.height)


def fitting_dpi(size: tuple[float, float], options: RecognitionOptions) -> int:
    """Return the resolution to render a page of `size` pt at; raises PageError when the pixel budget allows none.

    It is `render_dpi`, or less, down to 150, where that would break the budget.
    """
    dpi = options.render_dpi
    if _pixel_count(size, dpi) > options.max_pixels:
        dpi = math.floor(math.sqrt(options.max_pixels / (size[0] * size[1])) * POINTS)
        while dpi >= LEAST_DPI and _pixel_count(size, dpi) > options.max_pixels:
            dpi -= 1  # the sides are rounded to whole pixels
        if dpi < LEAST_DPI:
            least = min(LEAST_DPI, options.render_dpi)
            needed = _pixel_count(size, least)
            raise PageError(
                f"the page needs {needed:,} pixels at {least} dpi, more than the budget of {options.max_pixels:,}: "
                "raise the budget or reduce the page"
            )
    return dpi


def _pixel_count(size: tuple[float, float], dpi: int) -> int:
    return math.prod(_raster_size(size, dpi))


def _raster_size(size: tuple[float, float], dpi: int) -> tuple[int, int]:
    return max(1, round(size[0] * dpi / POINTS)), max(1, round(size[1] * dpi / POINTS))
