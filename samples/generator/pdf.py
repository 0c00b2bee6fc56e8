"""Write small PDF files without dates or random identifiers."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

ROWS_PER_STRIP, STRIP_OFFSETS, STRIP_BYTE_COUNTS = 278, 273, 279  # TIFF 6.0 tags


@dataclass(frozen=True, slots=True)
class PageImage:
    """A stored picture that fills one page: the page's stored size in points and its /Rotate entry."""

    picture: Image.Image
    width: float
    height: float
    quality: int
    rotate: int = 0


def write_pdf(objects: Sequence[bytes]) -> bytes:
    """Return a PDF file of the given indirect objects; the first is object 1 and the catalogue."""
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def image_pdf(pages: Sequence[PageImage]) -> bytes:
    """Return a PDF of full-page pictures: JPEG for grey ones, CCITT Group 4 for 1-bit ones."""
    first = 3
    kids = " ".join(f"{first + 3 * index} 0 R" for index in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
    ]
    for index, page in enumerate(pages):
        objects += _page_objects(page, first + 3 * index)
    return write_pdf(objects)


def jpeg(picture: Image.Image, quality: int, dpi: float | None = None) -> bytes:
    """Return a picture as JPEG, with its resolution when given."""
    out = io.BytesIO()
    density = {} if dpi is None else {"dpi": (round(dpi), round(dpi))}
    picture.save(out, "JPEG", quality=quality, optimize=True, **density)
    return out.getvalue()


def _page_objects(page: PageImage, number: int) -> list[bytes]:
    width, height = f"{page.width:g}", f"{page.height:g}"
    drawing = f"{width} 0 0 {height} 0 0 cm /Scan Do".encode()
    rotate = f" /Rotate {page.rotate}" if page.rotate else ""
    return [
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}]{rotate} /Contents {number + 1} 0 R "
        f"/Resources << /XObject << /Scan {number + 2} 0 R >> >> >>".encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing),
        _image_object(page),
    ]


def _image_object(page: PageImage) -> bytes:
    columns, rows = page.picture.size
    if page.picture.mode == "1":
        encoded = _group4(page.picture)
        filters = f"/CCITTFaxDecode /DecodeParms << /K -1 /BlackIs1 true /Columns {columns} /Rows {rows} >>"
        bits = 1
    else:
        encoded, filters, bits = jpeg(page.picture, page.quality), "/DCTDecode", 8
    head = (
        f"<< /Type /XObject /Subtype /Image /Width {columns} /Height {rows} /ColorSpace /DeviceGray "
        f"/BitsPerComponent {bits} /Filter {filters} /Length {len(encoded)} >>"
    )
    return head.encode() + b"\nstream\n" + encoded + b"\nendstream"


def _group4(picture: Image.Image) -> bytes:
    """Return the CCITT Group 4 code of a 1-bit picture: the single strip of a TIFF that Pillow writes."""
    out = io.BytesIO()
    picture.save(out, "TIFF", compression="group4", tiffinfo={ROWS_PER_STRIP: picture.height})
    with Image.open(out) as tiff:
        tags = tiff.tag_v2  # type: ignore[attr-defined]  # only TIFF pictures have tags
        (offset,), (count,) = tags[STRIP_OFFSETS], tags[STRIP_BYTE_COUNTS]
    return out.getvalue()[offset : offset + count]
