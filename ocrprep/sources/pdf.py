"""PDF files: a page's own image where it is one, else a rendering by pdfium, as grey scans in points.

The page frame is the visible page: the crop box after `/Rotate`, origin top-left, in points of 1/72 inch: pdfium does
not know `/UserUnit`, so sizes and maps are multiplied by it here. Filled form fields are drawn; scripts never run,
because this build of pdfium has no engine for them and nothing asks it to.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from ocrprep.errors import PageError, SourceError
from ocrprep.options import RecognitionOptions
from ocrprep.pages import Affine, ImageTransformation, PageWarning, Raster
from ocrprep.sources.damage import damage_of
from ocrprep.sources.deadline import OutOfTimeError, deadline
from ocrprep.sources.faults import shown
from ocrprep.sources.page_image import Contents, PageImage, contents, image_dpi, own_pixels, page_image, rendering
from ocrprep.sources.page_text import ExistingText, TextLayer
from ocrprep.sources.pdf_facts import PdfFacts, gather, needs_password, secrets
from ocrprep.sources.plumber import OPENING_LIMIT, READING_LIMIT, PlumberFile
from ocrprep.sources.raster import raster_of
from ocrprep.sources.resolution import Resolution, raster_size, resolution
from ocrprep.sources.scan import PageFrame, Scan
from ocrprep.sources.text_layer import image_coverage, text_layer

STREAMED = 16
"""How many times the budget an image within a rendered page may have: pdfium decodes it line by line, so 1.2 thousand
million pixels take 120 MB."""

MOST_PROVED = 50
"""Images of a page that are proved to be whole: a page of thousands of tiles is no scan, and each is decoded for it."""

_TAIL = 1024
"""Readers look for the end mark of a PDF in so many last bytes (ISO 32000-1, annex H, note 18)."""

_RESTRICTIONS = {
    3: "print",
    4: "change",
    5: "extract",
    6: "annotate",
    9: "fill in forms",
    10: "extract for accessibility",
    11: "assemble",
    12: "print in high quality",
}
"""What the bits of an encrypted file's permissions allow, counted from 1 (ISO 32000-1, table 22)."""

_OLD_RESTRICTIONS = (3, 4, 5, 6)
"""The bits that the oldest encryption, revision 2, knows."""

_ENCRYPTION = "is encrypted in a way that is not supported: remove the encryption first with the program that made it"
_OPENING_FAULTS = {
    pdfium.FPDF_ERR_FILE: "cannot be read: check the path and the disk",
    pdfium.FPDF_ERR_FORMAT: "is a damaged PDF: download or copy it again, or repair it, e.g. with qpdf or mutool clean",
    pdfium.FPDF_ERR_SECURITY: _ENCRYPTION,
}
_DAMAGED = _OPENING_FAULTS[pdfium.FPDF_ERR_FORMAT]


class PdfFile:
    """The pages of one PDF; opened when first asked for, until `close`.

    `passwords` are tried in their order after the empty one. `password` is the one that opened the file, null before
    and where none was needed.
    """

    def __init__(self, path: Path, passwords: Sequence[str] = (), page_count: int | None = None) -> None:
        self.path = path
        self.password: str | None = None
        self._passwords = tuple(passwords)
        self._document: Any = None
        self._page_count = page_count
        self._facts: PdfFacts | None = None
        self._plumber: PlumberFile | None = None

    @property
    def page_count(self) -> int:
        """The number of pages; raises SourceError when the file cannot be opened."""
        if self._page_count is None:
            self._page_count = self._known().page_count
        return self._page_count

    @property
    def warnings(self) -> tuple[PageWarning, ...]:
        """What a careful reader should know of the file beside its pages; raises SourceError when it does not open."""
        return self._known().warnings

    def text_layer(self, page: int, options: RecognitionOptions) -> TextLayer:
        """Return the text of a page, which may be none; raises PageError where the page cannot be loaded.

        pdfplumber reads it under a limit in time, after which pdfium's own reading is taken.
        """
        loaded = self._loaded(page)
        try:
            size = _page_size(loaded, self.user_unit(page))
            coverage = image_coverage(contents(loaded), loaded, size)
            if not _holds_text(loaded):
                return TextLayer((), (), (), None, coverage, 0, "pdfium")
            return self._read_text(loaded, page, size, coverage, options.max_pixels)
        except pypdfium2.PdfiumError as error:
            raise PageError(f"the text of the page cannot be read: {shown(error)}") from error
        finally:
            loaded.close()

    def existing_text(self, page: int) -> ExistingText | None:  # noqa: ARG002
        """Return null: a PDF is no OCR file."""
        return None

    def unreadable(self) -> str | None:
        """Return null: a PDF that cannot be opened raises SourceError instead."""
        self._opened()
        return None

    def user_unit(self, page: int) -> float:
        """Return the points of one unit of a page's user space, 1 for nearly every page."""
        return self._known().user_units.get(page, 1.0)

    def describe(self, page: int) -> PageFrame:
        """Return the label and the size of a page without reading its content."""
        document = self._opened()
        try:
            width, height = document.get_page_size(page - 1)
        except pypdfium2.PdfiumError:
            width = height = 0.0
        unit = self.user_unit(page)
        return PageFrame(_label(document, page), (1, page), (width * unit, height * unit), "pt")

    def scan(self, page: int, options: RecognitionOptions) -> Scan:
        """Take a page's own image or render it; raises PageError when neither is possible within the budget."""
        loaded = self._loaded(page)
        try:
            size = _page_size(loaded, self.user_unit(page))
            found = contents(loaded)
            raster, steps, affine, reduced = _pixels(loaded, found, size, options)
            warnings = (*reduced, *_damage(loaded, found, options))
        except pypdfium2.PdfiumError as error:
            raise PageError(f"the page cannot be rendered: {shown(error)}") from error
        finally:
            loaded.close()
        return Scan(page, _label(self._opened(), page), (1, page), size, "pt", raster, steps, affine, warnings)

    def close(self) -> None:
        """Close the document and free what pdfium holds of it."""
        if self._document is not None:
            self._document.close()
            self._document = None
        if self._plumber is not None:
            self._plumber.close()
            self._plumber = None

    def _opened(self) -> Any:
        if self._document is None:
            self._document, self.password = _open(self.path, self._passwords)
        return self._document

    def _loaded(self, page: int) -> Any:
        try:
            return self._opened()[page - 1]
        except pypdfium2.PdfiumError as error:
            raise PageError("the page is damaged or missing in the PDF: repair the file, e.g. with qpdf") from error

    def _read_text(
        self, loaded: Any, page: int, size: tuple[float, float], coverage: float, most_pixels: int
    ) -> TextLayer:
        if self._plumber is None:
            self._plumber = PlumberFile(self.path, self.password, len(self._opened()))
        plumber = self._plumber
        try:
            with deadline(OPENING_LIMIT):
                known = plumber.page(page)
            with deadline(READING_LIMIT):
                found = text_layer(loaded, known, size, coverage, most_pixels=most_pixels)
            if known is not None:
                known.close()
        except OutOfTimeError:
            plumber.give_up("pdfplumber does not come to an end with this file")
            found = text_layer(loaded, None, size, coverage, most_pixels=most_pixels)
        return found if plumber.fault is None else replace(found, warnings=(*found.warnings, plumber.fault))

    def _known(self) -> PdfFacts:
        if self._facts is None:
            document = self._opened()
            cut = _end_warnings(self.path)
            facts = gather(self.path, self.password, len(document), lambda page: _loads(document, page), not cut)
            found = (*cut, *_restrictions(document, self.path), *facts.warnings)
            self._facts = PdfFacts(facts.page_count, facts.user_units, found)
        return self._facts


def _open(path: Path, passwords: Sequence[str]) -> tuple[Any, str | None]:
    """Open a PDF and tell with which password; raises SourceError with what to do."""
    name = shown(path)
    opened, code = _load(path, None)
    used: str | None = None
    tried = [each for each in passwords if each]
    for password in tried:
        if opened or code != pdfium.FPDF_ERR_PASSWORD:
            break
        for secret in secrets(password):
            opened, code = _load(path, secret)
            if opened:
                used = password
                break
    if not opened and code == pdfium.FPDF_ERR_PASSWORD:
        raise SourceError(f"{name} {_locked(path, len(tried))}")
    if not opened:
        raise SourceError(f"{name} {_OPENING_FAULTS.get(code, _DAMAGED)}")
    document = pypdfium2.PdfDocument(opened)
    _draw_forms(document)
    if len(document) < 1:
        document.close()
        raise SourceError(f"{name} has no pages: it is empty or damaged; export it again")
    return document, used


def _load(path: Path, secret: bytes | None) -> tuple[Any, int]:
    # The raw call: pypdfium2 tells a document without pages from a damaged one by an error code that may be stale.
    opened = pdfium.FPDF_LoadDocument(os.fsencode(path) + b"\0", None if secret is None else secret + b"\0")
    return opened, pdfium.FPDF_GetLastError()


def _locked(path: Path, tried: int) -> str:
    """Say why a file stays closed for which pdfium wants a password: it does so for unknown encryption, too."""
    if not needs_password(path):
        return _ENCRYPTION
    if not tried:
        return "needs a password: write it into a file and name that with --password-file FILE"
    given = "the given password does not open it" if tried == 1 else f"none of the {tried} given passwords opens it"
    return f"is encrypted and {given}: put the right one into the file that --password-file FILE names"


def _draw_forms(document: Any) -> None:
    """Let pdfium draw form fields, which it leaves out of pages otherwise; before any page is loaded."""
    if document.get_formtype() == pdfium.FORMTYPE_NONE:
        return
    # pypdfium2's own `init_forms` prints advice about XFA.
    config = pdfium.FPDF_FORMFILLINFO(version=2)
    environment = pdfium.FPDFDOC_InitFormFillEnvironment(document, config)
    if environment:
        document.formenv = pypdfium2.PdfFormEnv(environment, config)


def _end_warnings(path: Path) -> tuple[PageWarning, ...]:
    """Warn of a PDF that does not end as one: pdfium repairs it silently, and pages may be lost or cut short."""
    with path.open("rb") as stream:
        end = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, end - _TAIL))
        if b"%%EOF" in stream.read():
            return ()
    message = f"{shown(path.name)} has no end mark: it may be cut off, with pages missing or incomplete"
    return (PageWarning("no_end_mark", message),)


def _loads(document: Any, page: int) -> bool:
    try:
        document.get_page_size(page - 1)
    except pypdfium2.PdfiumError:
        return False
    return True


def _restrictions(document: Any, path: Path) -> tuple[PageWarning, ...]:
    """Name what the owner of an encrypted file does not want to be done with it; nothing enforces or removes that."""
    revision = pdfium.FPDF_GetSecurityHandlerRevision(document)
    if revision < 0:
        return ()
    allowed = pdfium.FPDF_GetDocUserPermissions(document)
    known = _OLD_RESTRICTIONS if revision <= 2 else tuple(_RESTRICTIONS)
    denied = [bit for bit in known if not allowed >> bit - 1 & 1]
    # Who may not print at all may not print well.
    words = [_RESTRICTIONS[bit] for bit in denied if not (bit == max(_RESTRICTIONS) and min(_RESTRICTIONS) in denied)]
    if not words:
        return ()
    message = f"the owner of {shown(path.name)} asks not to allow: {', '.join(words)}"
    return (PageWarning("pdf_restrictions", message),)


def _holds_text(page: Any) -> bool:
    """Say whether pdfium finds any character on a page, seen or unseen."""
    found = page.get_textpage()
    try:
        return int(found.count_chars()) > 0
    finally:
        found.close()


def _label(document: Any, page: int) -> str | None:
    """Return the PDF page label, null when it is empty or no text."""
    try:
        label = str(document.get_page_label(page - 1))
    except UnicodeDecodeError:
        return None
    return label or None


def _page_size(page: Any, unit: float) -> tuple[float, float]:
    width, height = page.get_size()
    if not (math.isfinite(width) and math.isfinite(height) and width > 0 and height > 0):
        raise PageError(f"the page has no area ({width:g} x {height:g} pt): repair the PDF")
    return width * unit, height * unit


def _pixels(
    page: Any, found: Contents, size: tuple[float, float], options: RecognitionOptions
) -> tuple[Raster, tuple[ImageTransformation, ...], Affine, tuple[PageWarning, ...]]:
    image = page_image(page, found, size, options)
    taken = own_pixels(page, image) if isinstance(image, PageImage) else None
    if taken is not None:
        return *taken, ()
    for embedded in found.images:
        budget = options.max_pixels * (1 if embedded.needs_memory else STREAMED)
        pixels = embedded.width * embedded.height
        if pixels > budget:
            raise PageError(
                f"the page has an image of {pixels:,} pixels, more than the budget of {budget:,}: reduce it"
            )
    only_images = bool(found.images) and not found.other
    chosen = resolution(size, image_dpi(page, found, size), only_images, options)
    return _rendered(page, size, chosen, image if isinstance(image, str) else "looks unlike its image")


def _damage(page: Any, found: Contents, options: RecognitionOptions) -> Iterator[PageWarning]:
    """Yield a warning for each image of a page that is not whole; of a mosaic, for its first tiles only."""
    for embedded in found.images[:MOST_PROVED]:
        size = embedded.width, embedded.height
        damage = damage_of(page, embedded.drawn, size, embedded.filters, options.max_pixels)
        if damage:
            message = f"an image of {size[0]} x {size[1]} pixels on this page is damaged, text may be missing: {damage}"
            yield PageWarning("image_damaged", message)


def _rendered(
    page: Any, size: tuple[float, float], chosen: Resolution, reason: str
) -> tuple[Raster, tuple[ImageTransformation, ...], Affine, tuple[PageWarning, ...]]:
    dpi = int(chosen.dpi) if chosen.dpi == int(chosen.dpi) else float(f"{chosen.dpi:.6g}")
    raster = raster_of(rendering(page, *raster_size(size, chosen.dpi)), float(dpi) if chosen.trusted else None)
    steps = (
        ImageTransformation("render", {"dpi": dpi, "reason": reason}),
        ImageTransformation("grayscale", {"mode": "RGB"}),
    )
    warnings: tuple[PageWarning, ...] = ()
    if chosen.reduced:
        message = (
            f"the page of {size[0]:,.0f} x {size[1]:,.0f} pt is too large for the pixel budget and was read at "
            f"{dpi:g} dpi: small print may be missing"
        )
        warnings = (PageWarning("low_resolution", message),)
    return raster, steps, Affine.scale(size[0] / raster.width, size[1] / raster.height), warnings
