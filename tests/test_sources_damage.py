"""Damaged images in PDFs: pdfium draws what it can and says nothing, so we have to."""

from __future__ import annotations

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


def test_a_png_with_one_wrong_byte_among_its_pixels_is_no_page(tmp_path: Path) -> None:
    path = tmp_path / "page.png"
    Image.effect_noise((300, 400), 60).save(path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x55
    path.write_bytes(content)
    with pytest.raises(PageError, match="damaged"):
        scan_of(path)
