"""Damaged images in PDFs: pdfium draws what it can and says nothing, so we have to."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from ocrprep.errors import PageError
from ocrprep.options import Options, RecognitionOptions
from ocrprep.pages import Line, Raster
from ocrprep.recognition import read_page
from ocrprep.sources import Scan, open_source
from tests.fakes import FakeEngine
from tests.test_sources_pdf import card, one_page, stream
from tests.test_sources_pdf_faults import fax, jbig2

FRAME = b"/Resources<</XObject<</I 5 0 R>>>>/MediaBox[0 0 144 216]"
KIND = b"/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8/Width 600/Height 900/Filter/"


def jpeg() -> bytes:
    written = BytesIO()
    card().save(written, "JPEG")
    return written.getvalue()


PIXELS = card().tobytes()
WHOLE = {"DCTDecode": jpeg(), "FlateDecode": zlib.compress(PIXELS)}
DAMAGED = [
    ("DCTDecode", jpeg()[: len(jpeg()) * 6 // 10]),
    ("DCTDecode", jpeg()[:30]),
    ("DCTDecode", b""),
    ("FlateDecode", zlib.compress(PIXELS[: len(PIXELS) * 6 // 10])),
    ("FlateDecode", zlib.compress(PIXELS)[:40]),
    ("JBIG2Decode", b"\0" * 40),
    ("JPXDecode", b"\0\0\0\x0cjP  \r\n\x87\n no picture"),
]


def pdf(folder: Path, codec: str, content: bytes) -> Path:
    """Write a page that such an image fills."""
    path = folder / "page.pdf"
    path.write_bytes(one_page(b"q 144 0 0 216 0 0 cm /I Do Q", FRAME, stream(content, KIND + codec.encode())))
    return path


def scan_of(path: Path) -> Scan:
    with open_source([path]) as source:
        return source.scan(1, RecognitionOptions())


@pytest.mark.parametrize("codec", list(WHOLE))
def test_a_whole_image_is_no_cause_for_a_warning(tmp_path: Path, codec: str) -> None:
    assert scan_of(pdf(tmp_path, codec, WHOLE[codec])).warnings == ()


@pytest.mark.parametrize(("codec", "content"), DAMAGED)
def test_a_damaged_image_is_told_and_its_page_is_never_blank(tmp_path: Path, codec: str, content: bytes) -> None:
    path = pdf(tmp_path, codec, content)
    (warning,) = scan_of(path).warnings
    assert warning.code == "image_damaged"
    assert "600 x 900" in warning.message

    class NothingRead(FakeEngine):
        def read(self, raster: Raster) -> list[Line]:
            return []

    with open_source([path]) as source:
        page = read_page(source, 1, NothingRead({}), Options()).page
    assert page.state == "unreadable"
    assert "damaged" in (page.reason or "")
    assert [each.code for each in page.warnings] == ["image_damaged"]


BILEVEL = FRAME, b"/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 1/Width 600/Height 900/Filter/"
FAX = {
    "group 4": (b"CCITTFaxDecode/DecodeParms<</K -1/Columns 600/Rows 900>>", fax()),
    "group 4 without its end mark": (b"CCITTFaxDecode/DecodeParms<</K -1/Columns 600/EndOfBlock false>>", fax()[:-3]),
    "group 3": (b"CCITTFaxDecode/DecodeParms<</K 0/Columns 600/Rows 900>>", fax("group3", 0)),
    "group 3 in two dimensions": (b"CCITTFaxDecode/DecodeParms<</K 4/Columns 600/Rows 900>>", fax("group3", 1)),
    "white rows that start at bytes": (
        b"CCITTFaxDecode/DecodeParms<</K -1/Columns 600/EncodedByteAlign true/EndOfBlock false>>",
        b"\x80" * 900,
    ),
    "JBIG2": (b"JBIG2Decode", jbig2()),
}


def bilevel_pdf(folder: Path, codec: bytes, content: bytes) -> Path:
    path = folder / "page.pdf"
    path.write_bytes(one_page(b"q 144 0 0 216 0 0 cm /I Do Q", BILEVEL[0], stream(content, BILEVEL[1] + codec)))
    return path


@pytest.mark.parametrize("kind", list(FAX))
@pytest.mark.parametrize("padding", [b"", b"\n", b"\0\0\0"])
def test_a_whole_bilevel_image_is_no_cause_for_a_warning(tmp_path: Path, kind: str, padding: bytes) -> None:
    codec, content = FAX[kind]
    assert scan_of(bilevel_pdf(tmp_path, codec, content + padding)).warnings == ()


@pytest.mark.parametrize("kind", [kind for kind in FAX if "white" not in kind])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9])
def test_a_bilevel_image_that_is_cut_off_is_told(tmp_path: Path, kind: str, share: float) -> None:
    codec, content = FAX[kind]
    (warning,) = scan_of(bilevel_pdf(tmp_path, codec, content[: int(len(content) * share)])).warnings
    assert warning.code == "image_damaged"


def test_the_rows_of_a_fax_that_are_there_are_counted(tmp_path: Path) -> None:
    content = b"\xff" * 50  # each bit repeats the row above, and the first the white one above the picture
    (warning,) = scan_of(bilevel_pdf(tmp_path, FAX["group 4"][0], content)).warnings
    assert "400 of its 900 rows are there" in warning.message


def test_a_jbig2_segment_with_many_references_is_measured_by_its_long_header(tmp_path: Path) -> None:
    """T.88, 7.2.4: a count above 4 takes four bytes and a bit for each reference."""
    references = 9
    header = struct.pack(">IBI", 2, 0x40 | 62, 7 << 29 | references) + bytes(2) + bytes(references)
    comment = header + struct.pack(">II", 1, 6) + bytes(6)
    whole = jbig2() + comment
    assert scan_of(bilevel_pdf(tmp_path, b"JBIG2Decode", whole)).warnings == ()
    assert len(scan_of(bilevel_pdf(tmp_path, b"JBIG2Decode", whole[:-1])).warnings) == 1


def test_a_png_with_one_wrong_byte_among_its_pixels_is_no_page(tmp_path: Path) -> None:
    path = tmp_path / "page.png"
    Image.effect_noise((300, 400), 60).save(path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x55
    path.write_bytes(content)
    with pytest.raises(PageError, match="damaged"):
        scan_of(path)
