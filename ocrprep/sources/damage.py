"""Whether an image in a PDF is whole: pdfium draws what it can of a damaged one, and says nothing.

In order: take the image's data as the last, true picture codec has them; decode JPEG and JPEG 2000 once more with a
reader that complains; count the bytes of plain pixels; of what pdfium alone can decode, ask whether it gives a picture.
A JBIG2 picture is whole when its segments are as long as they say. A fax picture is cut off when it lacks its end mark
and pdfium's picture ends in rows without a mark of ink or paper, as pdfium leaves those that it cannot fill.
"""

from __future__ import annotations

import ctypes
import re
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

FAX = {"CCITTFaxDecode", "CCF"}

_FAX_TAIL = 32
"""Last bytes of a fax picture in which its end mark is looked for: the longest takes 10, and some programs pad."""

_FAX_END = re.compile(r"0{11,}1[01]?0{11,}1")
"""Two ends of line in a row, as bits: they end a picture of any group and stand nowhere else (ITU-T T.4 and T.6)."""

_UNFILLED = 0.01
"""Share of a fax picture's rows from which an even black end is no border of the scan, but missing."""

_PAGE, _EXTENSION, _LONG_FORM, _UNKNOWN_LENGTH = 48, 0x40, 7, 0xFFFFFFFF
"""JBIG2 segment headers (ITU-T T.88, 7.2): the kind that opens a page, the flag of a long page number, the mark of a
long list of referred segments, and the length of a region that ends by a mark of its own."""

_STORED_BITS = {8: (2, 3, 4, 6), 24: (12, 16)}
"""Bits of a pixel that pdfium makes 8 and 24 of: 1, 3 or 4 components of 1, 2, 4 or 16 bits each."""

_LINE_END = 2
"""Bytes of an end of line that some programs count as part of the pixels."""

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
        return _missing_bytes(page, drawn, size)
    if codec == "JBIG2Decode" and _jbig2_is_cut(_content(drawn)):
        return "it is cut off"
    try:
        bitmap = pypdfium2.PdfImage(drawn, page=page).get_bitmap()
    except pypdfium2.PdfiumError:
        return "it cannot be decoded"
    try:
        if codec in FAX and not _has_fax_end(_content(drawn)):
            return _unfilled(bitmap.to_pil().convert("L"))
    finally:
        # The pixels are copied by now, so freeing pdfium's copy is safe.
        bitmap.warn_on_close = False
        bitmap.close()
    return None


def _has_fax_end(content: bytes) -> bool:
    # A single end of line may stand between the fill bits of padding.
    bits = "".join(f"{byte:08b}" for byte in content.rstrip(b"\r\n")[-_FAX_TAIL:])
    return _FAX_END.search(bits) is not None


def _unfilled(picture: Image.Image) -> str | None:
    """Return how many of a picture's rows there are before an even black end, null where it has none."""
    ink = picture.getbbox()
    filled = 0 if ink is None else ink[3]
    if picture.height - filled <= _UNFILLED * picture.height:
        return None
    return f"{filled:,} of its {picture.height:,} rows are there"


def _jbig2_is_cut(content: bytes) -> bool:
    """Return whether the last segment of a JBIG2 picture is shorter than it says, or even the first is not there."""
    at, begun = 0, False
    while at + 11 <= len(content):  # the shortest header; less is padding
        number, flags, referred = int.from_bytes(content[at : at + 4], "big"), content[at + 4], content[at + 5] >> 5
        begun |= flags & 0x3F == _PAGE
        at += 6
        if referred == _LONG_FORM:
            referred = int.from_bytes(content[at - 1 : at + 3], "big") & 0x1FFFFFFF
            at += 3 + (referred + 8) // 8
        at += referred * (1 if number <= 256 else 2 if number <= 65_536 else 4)  # T.88, 7.2.5
        at += 4 if flags & _EXTENSION else 1
        length = int.from_bytes(content[at : at + 4], "big")
        if length == _UNKNOWN_LENGTH:
            return False
        at += 4 + length
    return not begun or at > len(content)


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


def _missing_bytes(page: Any, drawn: Any, size: tuple[int, int]) -> str | None:
    """Return how many bytes of plain pixels there are, null where that is enough or pdfium does not say."""
    known = pdfium.FPDF_IMAGEOBJ_METADATA()
    if not pdfium.FPDFImageObj_GetImageMetadata(drawn, page, known):
        return None
    wanted, found = _pixel_bytes(size, known.bits_per_pixel), len(_content(drawn))
    if found >= wanted:
        return None
    for bits in _STORED_BITS.get(known.bits_per_pixel, ()):
        least = _pixel_bytes(size, bits)
        if least <= found <= least + _LINE_END:
            return None
    return f"{found:,} of {wanted:,} bytes of its pixels are there"


def _pixel_bytes(size: tuple[int, int], bits: int) -> int:
    """Return the bytes of pixels whose rows each start at a byte."""
    return (size[0] * bits + 7) // 8 * size[1]
