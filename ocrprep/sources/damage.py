"""Whether an image in a PDF is whole: pdfium draws what it can of a damaged one, and says nothing.

In order: take the image's data as the last, true picture codec has them; decode JPEG and JPEG 2000 once more with a
reader that complains; count the bytes of plain pixels; of what pdfium alone can decode, ask whether it gives a picture.
A fax or JBIG2 picture that is cut off and still decodes is not found.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from ocrprep.sources.faults import IMAGE_FAULTS, reason_of

PLAIN = {
    "ASCIIHexDecode", "AHx", "ASCII85Decode", "A85", "LZWDecode", "LZW", "FlateDecode", "Fl", "RunLengthDecode", "RL",
}  # fmt: skip
"""Filters whose result are the pixels themselves (ISO 32000-1, table 6)."""

READERS = {"DCTDecode": "JPEG", "DCT": "JPEG", "JPXDecode": "JPEG2000"}


def damage_of(page: Any, drawn: Any, size: tuple[int, int], filters: Sequence[str], most_pixels: int) -> str | None:
    """Return what is wrong with an image of `size` pixels that a page draws, null where nothing is known to be.

    Images of more than `most_pixels` are not decoded for this.
    """
    if size[0] * size[1] > most_pixels:
        return None
    codec = filters[-1] if filters else ""
    if codec in READERS:
        return _complaint(_content(drawn), READERS[codec])
    if not codec or codec in PLAIN:
        wanted, found = _pixel_bytes(page, drawn, size), len(_content(drawn))
        return f"{found:,} of {wanted:,} bytes of its pixels are there" if found < wanted else None
    try:
        pypdfium2.PdfImage(drawn, page=page).get_bitmap().close()
    except pypdfium2.PdfiumError:
        return "it cannot be decoded"
    return None


def _content(drawn: Any) -> bytes:
    """Return an image's data with all but its true picture codec undone."""
    length = pdfium.FPDFImageObj_GetImageDataDecoded(drawn, None, 0)
    content = (ctypes.c_ubyte * length)()
    pdfium.FPDFImageObj_GetImageDataDecoded(drawn, content, length)
    return bytes(content)


def _complaint(content: bytes, reader: str) -> str | None:
    limit, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
    try:
        with Image.open(BytesIO(content), formats=(reader,)) as picture:
            picture.load()
    except IMAGE_FAULTS as error:
        return reason_of(error)
    finally:
        Image.MAX_IMAGE_PIXELS = limit
    return None


def _pixel_bytes(page: Any, drawn: Any, size: tuple[int, int]) -> int:
    """Return how many bytes the pixels take at least, 0 where pdfium does not say; rows may be padded beyond that."""
    known = pdfium.FPDF_IMAGEOBJ_METADATA()
    if not pdfium.FPDFImageObj_GetImageMetadata(drawn, page, known):
        return 0
    bits: int = known.bits_per_pixel
    return size[0] * size[1] * bits // 8
