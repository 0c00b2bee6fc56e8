"""Text that a source itself has of a page: existing OCR, or a PDF's text layer. All boxes lie in the page frame."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ocrprep.pages import Aside, Line, PageWarning


@dataclass(frozen=True, slots=True)
class ExistingText:
    """What an OCR file (hOCR, ALTO, PAGE) says of one page.

    The words have the text basis `imported`. `image` is the file with the page's picture, null where there is none.
    """

    lines: tuple[Line, ...]
    asides: tuple[Aside, ...] = ()
    warnings: tuple[PageWarning, ...] = ()
    image: Path | None = None


@dataclass(frozen=True, slots=True)
class TextLayer:
    """The text of a PDF page, sorted by whether it can be seen.

    `visible` are the lines that are painted (text basis `text_layer`); `invisible` those on the visible page that leave
    no ink, such as somebody's OCR under or over a scan (text basis `imported`), in the order of the file. `asides` are
    words outside the visible page (`outside_crop`) and specks of text too small to read (`hidden_text`). `visible_ink`
    is the share of the page's ink, 0 to 1, that the visible text paints, null for a page without ink or without text;
    `other_ink` the share of the page's area, 0 to 1, under other ink, rules and frames left out; `image_coverage` the
    share of the page's area, 0 to 1, under images. `turns` are the clockwise quarter turns that make the visible (else
    the invisible) text upright. `reader` is the library whose words these are.
    """

    visible: tuple[Line, ...]
    invisible: tuple[Line, ...]
    asides: tuple[Aside, ...]
    visible_ink: float | None
    image_coverage: float
    turns: int
    reader: Literal["pdfplumber", "pdfium"]
    other_ink: float = 0.0
    warnings: tuple[PageWarning, ...] = ()
