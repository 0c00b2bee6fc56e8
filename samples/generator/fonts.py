"""Glyph widths of the standard PDF fonts, as pdfium's built-in substitutes have them."""

import ctypes
from enum import Enum
from functools import cache
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium


class Face(Enum):
    """A standard PDF font, named as PDF names it."""

    ROMAN = "Times-Roman"
    BOLD = "Times-Bold"
    ITALIC = "Times-Italic"
    TYPEWRITER = "Courier"
    SANS_BOLD = "Helvetica-Bold"


def text_width(text: str, face: Face, size: float) -> float:
    """Return the advance width of a text in points; the faces are set without kerning."""
    return sum(_glyph_width(face, character) for character in text) * size


@cache
def _document() -> Any:
    return pypdfium2.PdfDocument.new()


@cache
def _font(face: Face) -> Any:
    return pdfium.FPDFText_LoadStandardFont(_document().raw, face.value.encode())


@cache
def _glyph_width(face: Face, character: str) -> float:
    width = ctypes.c_float()
    if not pdfium.FPDFFont_GetGlyphWidth(_font(face), ord(character), ctypes.c_float(1.0), width):
        raise ValueError(f"{face.value} has no glyph for {character!r}")
    return width.value
