"""Existing OCR as pages: hOCR, ALTO and PAGE files with the pictures that they name.

In order: tell the kind by the root element; parse the file once, when first asked; list its pages with their sizes and
pictures; settle each page's frame, which is its picture's where that fits; and carry the text of a page into it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from ocrprep.errors import PageError, SourceError
from ocrprep.pages import Affine, Line, PageWarning
from ocrprep.sources import alto, hocr, page_xml
from ocrprep.sources.faults import shown
from ocrprep.sources.given_text import EXCERPT, GivenText, PageHead
from ocrprep.sources.ocr_image import Fitted, find_image, fitted
from ocrprep.sources.page_text import ExistingText
from ocrprep.sources.scan import PageFrame

Kind = Literal["HOCR", "ALTO", "PAGE", "METS"]

_ROOTS: dict[str, Kind] = {"alto": "ALTO", "PcGts": "PAGE", "mets": "METS"}
_ROOT = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)[\s/>]")
_DOCTYPE = re.compile(r"<!DOCTYPE[^\[>]*(?:\[[^\]]*\]\s*)?>", re.IGNORECASE)
_HTML_ROOTS = frozenset({"html", "body", "div"})
_HOCR = re.compile(
    r"""\bclass\s*=\s*(?:"[^"<>]*\bocr_page\b|'[^'<>]*\bocr_page\b|ocr_page\b)|\bname\s*=\s*["']?ocr-(?:system|capabilities)\b"""
)
"""What makes HTML hOCR: a page, or the head that the specification asks for."""

_WITHOUT_PAGES = {
    "HOCR": "no element of class ocr_page",
    "ALTO": "no Page",
    "PAGE": "no Page",
}


def existing_ocr_kind(head: bytes) -> Kind | None:
    """Tell the kind of an OCR file by its first bytes, of which 65,536 do; null for any other file."""
    # Imported here, as below: a run over images loads no XML library.
    from ocrprep.sources.xml_file import decoded_head

    text = decoded_head(head)
    root = _ROOT.match(text, _after_prolog(text))
    if root is None:
        return None
    if root[1] in _ROOTS:
        return _ROOTS[root[1]]
    return "HOCR" if root[1].lower() in _HTML_ROOTS and _HOCR.search(text, root.start()) else None


def _after_prolog(text: str) -> int:
    """Return where the root element begins: behind white space, declarations, comments and a document type."""
    at = 0
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        for opening, closing in (("<!--", "-->"), ("<?", "?>")):
            if text.startswith(opening, at):
                end = text.find(closing, at + len(opening))
                if end < 0:
                    return len(text)
                at = end + len(closing)
                break
        else:
            doctype = _DOCTYPE.match(text, at)
            if doctype is None:
                return at
            at = doctype.end()


class ExistingOcrFile:
    """The pages of one OCR file; the file is parsed when first needed, and its tree kept until `close`."""

    def __init__(self, path: Path, kind: Kind, page_count: int | None = None) -> None:
        self.path, self.kind = path, kind
        self._page_count = page_count
        self._tree: _Tree | None = None

    @property
    def page_count(self) -> int:
        """The number of pages; raises SourceError, saying what to do, where the file as a whole cannot be used."""
        if self._page_count is None:
            self._page_count = len(self._opened().pages)
        return self._page_count

    @property
    def warnings(self) -> tuple[PageWarning, ...]:
        """What a careful reader should know of the whole file: repairs, text outside its pages, odd confidences."""
        return self._opened().warnings

    @property
    def images(self) -> tuple[Path, ...]:
        """The pictures of the pages, each once, in the order of the pages."""
        pictures = (self.picture(page) for page in range(1, self.page_count + 1))
        return tuple(dict.fromkeys(each[0] for each in pictures if each is not None))

    def unreadable(self) -> str | None:
        """Return null: a file that cannot be used raises SourceError instead."""
        return None

    def describe(self, page: int) -> PageFrame:
        """Return the label, the size and the unit of a page, from what stands around its text."""
        tree = self._opened()
        frame, label = tree.frame(page), tree.head(page).label if page <= len(tree.pages) else None
        return PageFrame(label, (1, page), frame.size, frame.unit)

    def picture(self, page: int) -> tuple[Path, int] | None:
        """Return the file of a page's picture and the frame in it, null where there is none that fits.

        Pages that name the same file take its frames in their order.
        """
        return self._opened().frame(page).image

    def text(self, page: int) -> ExistingText:
        """Return the text of a page in its frame; raises PageError where that page cannot be used."""
        tree = self._opened()
        if page > len(tree.pages):
            raise PageError(f"the file has changed: it has {len(tree.pages)} pages and page {page} is gone")
        given, frame = tree.text(page), tree.frame(page)
        to_frame = Affine.scale(*frame.factors)
        lines, asides = given.lines, given.asides
        if frame.factors != (1.0, 1.0):
            lines = tuple(_carried(line, to_frame) for line in lines)
            asides = tuple(replace(each, box=to_frame.box(each.box)) for each in asides)
        image = None if frame.image is None else frame.image[0]
        return ExistingText(lines, asides, (*given.warnings, *frame.warnings), image)

    def close(self) -> None:
        """Give the tree's memory back; the next call parses the file anew."""
        self._tree = None

    def _opened(self) -> _Tree:
        if self._tree is None:
            self._tree = _Tree(self.path, self.kind)
        return self._tree


def _carried(line: Line, to_frame: Affine) -> Line:
    """Carry a line from the file's unit into the frame of its page."""
    return replace(
        line,
        words=tuple(
            replace(
                word,
                box=to_frame.box(word.box),
                font_size=None if word.font_size is None else word.font_size * to_frame.d,
            )
            for word in line.words
        ),
    )


class _Tree:
    """A parsed file: its pages as elements, and what is known of them so far."""

    def __init__(self, path: Path, kind: Kind) -> None:
        self.path, self.kind = path, kind
        root, warnings = _parsed(path, kind)
        self._alto, self._order = alto.Description(), list[str]()
        if kind == "HOCR":
            self.pages = hocr.pages(root)
            self.warnings = (*warnings, *_outside_pages(root, path))
        elif kind == "ALTO":
            self.pages = alto.pages(root)
            self._alto, self._order = alto.description(root), alto.reading_order(root)
            self.warnings = (*warnings, *_odd_confidences(self._alto, path))
        else:
            self.pages, self.warnings = page_xml.pages(root), warnings
        if not self.pages:
            raise SourceError(f"{shown(path)} holds {_WITHOUT_PAGES[kind]}: write it again with its program")
        self._frames: dict[int, Fitted] = {}
        self._pictures: list[tuple[Path, int] | None] | None = None

    def head(self, page: int) -> PageHead:
        element = self.pages[page - 1]
        if self.kind == "HOCR":
            return hocr.head(element)
        return alto.head(element, self._alto) if self.kind == "ALTO" else page_xml.head(element)

    def text(self, page: int) -> GivenText:
        element = self.pages[page - 1]
        if self.kind == "HOCR":
            return hocr.text(element)
        return alto.text(element, self._alto, self._order) if self.kind == "ALTO" else page_xml.text(element)

    def frame(self, page: int) -> Fitted:
        if page > len(self.pages):
            return Fitted((0.0, 0.0), "px", (1.0, 1.0))
        if page not in self._frames:
            found = self._named_pictures()[page - 1]
            path, frame = found or (None, 0)
            self._frames[page] = fitted(self.head(page), path, frame, found and _picture_size(*found))
        return self._frames[page]

    def _named_pictures(self) -> list[tuple[Path, int] | None]:
        """Return the picture and the frame in it that each page names, whether it fits or not."""
        if self._pictures is None:
            seen: dict[Path, int] = {}
            self._pictures = []
            for page in range(1, len(self.pages) + 1):
                path = find_image(self.path, self.head(page).image, pages=len(self.pages))
                if path is not None:
                    seen[path] = seen.get(path, 0) + 1
                self._pictures.append(None if path is None else (path, seen[path]))
        return self._pictures


def _parsed(path: Path, kind: Kind) -> tuple[Any, tuple[PageWarning, ...]]:
    from ocrprep.sources.file_type import unreadable
    from ocrprep.sources.xml_file import parsed

    if kind == "METS":
        raise SourceError(
            f"{shown(path)} is a METS file, which only lists others: name the ALTO or PAGE files themselves"
        )
    try:
        markup = parsed(path, is_html=kind == "HOCR")
    except OSError as error:
        raise SourceError(unreadable(path, error)) from error
    return markup.root, markup.warnings


def _picture_size(path: Path, frame: int) -> tuple[float, float] | None:
    """Return the size of a frame of a picture as displayed, null where its header cannot be read."""
    from ocrprep.sources.file_type import file_type
    from ocrprep.sources.images import ImageFile

    try:
        size = ImageFile(path, file_type(path)).describe(frame).size
    except SourceError:
        return None
    return size if all(size) else None


def _outside_pages(root: Any, path: Path) -> tuple[PageWarning, ...]:
    text = hocr.text_outside(root)
    if not text:
        return ()
    excerpt = text if len(text) <= EXCERPT else text[: EXCERPT - 1] + "…"
    message = f"{shown(path.name)} has {len(text)} characters outside its pages, which are not read: {shown(excerpt)!r}"
    return (PageWarning("text_outside_pages", message),)


def _odd_confidences(file: alto.Description, path: Path) -> tuple[PageWarning, ...]:
    name = shown(path.name)
    if not file.has_ratios:
        return (
            PageWarning("confidence_scale", f"{name} has confidences above 1, which ALTO does not know: none is used"),
        )
    if file.percent_behind_point:
        message = f"{name} has whole percents behind the point (5 % as 0.5, 100 % as 0.100): they were read as such"
        return (PageWarning("confidence_scale", message),)
    return ()
