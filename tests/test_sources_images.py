"""Image files as scans: frames, orientation, depth, transparency, resolution and damage."""

from __future__ import annotations

import struct
import warnings
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, TiffImagePlugin

from ocrprep.errors import PageError, SourceError
from ocrprep.options import RecognitionOptions
from ocrprep.pages import Affine
from ocrprep.sources import Scan, open_source

OPTIONS = RecognitionOptions()
ORIENTATION, SUBFILE = 274, 254


def arrow(width: int = 60, height: int = 90) -> Image.Image:
    """Draw a picture without symmetry: a black corner top left, a grey bar at the top right."""
    picture = Image.new("L", (width, height), 255)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, 9, 19), fill=0)
    pen.rectangle((40, 0, 59, 4), fill=128)
    return picture


def scan_of(path: Path, page: int = 1, options: RecognitionOptions = OPTIONS) -> Scan:
    """Open a file and scan one page, with any warning an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with open_source([path]) as source:
            scan = source.scan(page, options)
            assert source.describe(page).size == scan.size
            return scan


def names(scan: Scan) -> list[str]:
    return [each.name for each in scan.image_transformations]


@pytest.mark.parametrize("ending", ["png", "tif", "bmp", "webp", "jp2"])
def test_lossless_formats_give_the_very_pixels(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"page.{ending}"
    arrow().save(path, lossless=True) if ending == "webp" else arrow().save(path)
    scan = scan_of(path)
    assert scan.raster.pixels == arrow().tobytes()
    assert (scan.size, scan.unit, scan.label, scan.affine) == ((60.0, 90.0), "px", None, Affine())


@pytest.mark.parametrize("ending", ["png", "tif"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_frame_is_the_picture_as_displayed(tmp_path: Path, orientation: int, ending: str) -> None:
    stored = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    picture = arrow().transpose(stored[orientation]) if orientation > 1 else arrow()
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    picture.save(tmp_path / f"page.{ending}", exif=exif)
    scan = scan_of(tmp_path / f"page.{ending}")
    assert scan.raster.pixels == arrow().tobytes()
    assert scan.size == (60.0, 90.0)
    assert names(scan) == ["exif_orientation"] * (orientation > 1)


def test_every_frame_of_a_tiff_is_a_page_but_smaller_copies_are_not(tmp_path: Path) -> None:
    reduced = TiffImagePlugin.ImageFileDirectory_v2()
    reduced[SUBFILE] = 1
    small = arrow(30, 45)
    small.encoderinfo = {"tiffinfo": reduced}
    last = arrow(61, 91)
    last.encoderinfo = {"tiffinfo": TiffImagePlugin.ImageFileDirectory_v2()}
    arrow().save(tmp_path / "book.tif", save_all=True, append_images=[small, last])
    with open_source([tmp_path / "book.tif"]) as source:
        assert (source.page_count, source.files[0].pages) == (2, 2)
        assert [source.scan(page, OPTIONS).frame for page in (1, 2)] == [(1, 1), (1, 3)]
        assert source.describe(2).size == (61.0, 91.0)


def three_frames(path: Path) -> list[int]:
    """Write a TIFF of three frames and return where their directories stand."""
    arrow().save(path, save_all=True, append_images=[arrow(), arrow()], compression="raw")
    content = path.read_bytes()
    at, places = struct.unpack_from("<I", content, 4)[0], []
    while at:
        places.append(at)
        count = struct.unpack_from("<H", content, at)[0]
        at = struct.unpack_from("<I", content, at + 2 + 12 * count)[0]
    return places


def test_a_broken_frame_fails_alone(tmp_path: Path) -> None:
    path = tmp_path / "book.tif"
    second = three_frames(path)[1]
    content = bytearray(path.read_bytes())
    for entry in range(struct.unpack_from("<H", content, second)[0]):
        at = second + 2 + 12 * entry
        if struct.unpack_from("<H", content, at)[0] == TiffImagePlugin.BITSPERSAMPLE:
            struct.pack_into("<H", content, at + 8, 77)
    path.write_bytes(content)
    with open_source([path]) as source:
        assert source.page_count == 3
        assert source.scan(1, OPTIONS).size == source.scan(3, OPTIONS).size == (60.0, 90.0)
        assert source.describe(2).size == (0.0, 0.0)
        with pytest.raises(PageError, match="the image is damaged or unsupported"):
            source.scan(2, OPTIONS)


def test_a_tiff_cut_off_in_its_chain_keeps_the_frames_before(tmp_path: Path) -> None:
    path = tmp_path / "book.tif"
    second = three_frames(path)[1]
    path.write_bytes(path.read_bytes()[: second + 5])
    with open_source([path]) as source:
        assert source.page_count == 2
        source.scan(1, OPTIONS)
        with pytest.raises(PageError):
            source.scan(2, OPTIONS)


def test_a_chain_that_runs_in_a_circle_ends(tmp_path: Path) -> None:
    path = tmp_path / "book.tif"
    first, _, last = three_frames(path)
    content = bytearray(path.read_bytes())
    struct.pack_into("<I", content, last + 2 + 12 * struct.unpack_from("<H", content, last)[0], first)
    path.write_bytes(content)
    with open_source([path]) as source:
        assert source.page_count == 3


GREY_16 = Image.frombytes("I;16", (4, 1), struct.pack("<4H", 0, 257, 40000, 65535))
GREY_12 = Image.frombytes("I;16", (4, 1), struct.pack("<4H", 0, 16, 2048, 4095))
CLEAR = Image.new("RGBA", (2, 1), (0, 0, 0, 0))
CLEAR.putpixel((1, 0), (0, 0, 0, 255))
PALETTE = Image.new("P", (2, 1))
PALETTE.putpalette([255, 0, 0, 0, 0, 255])
PALETTE.putpixel((1, 0), 1)


@pytest.mark.parametrize(
    ("picture", "ending", "expected"),
    [
        (GREY_16, "png", [0, 1, 156, 255]),
        (GREY_16, "tif", [0, 1, 156, 255]),
        (GREY_12, "tif", [0, 1, 128, 255]),
        (CLEAR, "png", [255, 0]),
        (CLEAR.convert("LA"), "png", [255, 0]),
        (PALETTE, "png", [76, 29]),
        (Image.new("1", (2, 1), 1), "tif", [255, 255]),
        (Image.new("CMYK", (2, 1), (0, 0, 0, 255)), "tif", [0, 0]),
        (Image.new("CMYK", (2, 1), (0, 0, 0, 0)), "tif", [255, 255]),
        (Image.new("RGB", (2, 1), (0, 255, 0)), "png", [150, 150]),
        (Image.new("F", (2, 1), 0.5), "tif", [128, 128]),
        (Image.new("I", (2, 1), 65535), "tif", [255, 255]),
        (Image.new("LAB", (2, 1), (200, 9, 9)), "tif", [200, 200]),
    ],
)
def test_every_depth_and_colour_becomes_8_bit_grey(
    tmp_path: Path, picture: Image.Image, ending: str, expected: list[int]
) -> None:
    path = tmp_path / f"page.{ending}"
    picture.save(path)
    scan = scan_of(path)
    assert list(scan.raster.pixels) == expected
    assert names(scan) == ["grayscale"]
    with Image.open(path) as stored:
        assert scan.image_transformations[0].parameters["mode"] == stored.mode


def test_a_16_bit_tiff_whose_white_is_zero_is_inverted(tmp_path: Path) -> None:
    path = tmp_path / "page.tif"
    GREY_16.save(path)
    content = path.read_bytes()
    black_is_zero, white_is_zero = (
        struct.pack("<HHIHH", TiffImagePlugin.PHOTOMETRIC_INTERPRETATION, 3, 1, value, 0) for value in (1, 0)
    )
    assert black_is_zero in content
    path.write_bytes(content.replace(black_is_zero, white_is_zero))
    assert list(scan_of(path).raster.pixels) == [255, 254, 99, 0]


@pytest.mark.parametrize(
    ("claimed", "expected"),
    [((300, 300), 300), ((72, 72), None), ((96, 96), None), ((1, 1), None), ((5000, 5000), None), (None, None)],
)
def test_the_resolution_is_believed_only_where_it_is_sane(
    tmp_path: Path, claimed: tuple[int, int] | None, expected: float | None
) -> None:
    options: dict[str, Any] = {"dpi": claimed} if claimed else {}
    arrow().save(tmp_path / "page.png", **options)
    assert scan_of(tmp_path / "page.png").raster.dpi == (None if expected is None else pytest.approx(expected, abs=0.1))


def test_a_fax_gets_square_pixels_and_keeps_its_frame(tmp_path: Path) -> None:
    arrow(204, 98).save(tmp_path / "fax.tif", dpi=(204, 98))
    scan = scan_of(tmp_path / "fax.tif")
    assert (scan.size, scan.raster.width, scan.raster.height) == ((204.0, 98.0), 204, 204)
    assert scan.raster.dpi == 204
    assert names(scan) == ["square_pixels"]
    assert scan.affine.point(204, 204) == pytest.approx((204, 98))


@pytest.mark.parametrize("ending", ["png", "jpg", "tif", "webp"])
def test_half_a_picture_is_no_page(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"page.{ending}"
    Image.effect_noise((300, 300), 80).save(path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    other = tmp_path / "other.png"
    arrow().save(other)
    with open_source([path, other]) as source:
        assert source.page_count == 2
        with pytest.raises(PageError, match="the image is damaged or unsupported"):
            source.scan(1, OPTIONS)
        source.scan(2, OPTIONS)


def test_an_image_without_a_readable_header_says_so_at_once_when_it_is_all_there_is(tmp_path: Path) -> None:
    path = tmp_path / "page.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    with pytest.raises(SourceError, match=r"is damaged or of an unsupported kind of PNG .*: convert it to PNG"):
        open_source([path])


def test_the_pixel_budget_is_checked_before_decoding_and_pillows_stays_out_of_the_way(tmp_path: Path) -> None:
    path = tmp_path / "page.png"
    arrow().save(path)
    content = bytearray(path.read_bytes())
    content[16:24] = struct.pack(">II", 60_000, 60_000)
    # The header's checksum has to match the lie.
    content[29:33] = struct.pack(">I", zlib.crc32(content[12:29]))
    path.write_bytes(content)
    limit = Image.MAX_IMAGE_PIXELS
    with pytest.raises(PageError, match=r"has 3,600,000,000 pixels, more than the budget of 120,000,000"):
        scan_of(path)
    assert limit == Image.MAX_IMAGE_PIXELS


def codes(path: Path) -> list[str]:
    with open_source([path]) as source:
        assert source.page_count == 1
        return [warning.code for warning in source.warnings]


@pytest.mark.parametrize(("name", "kind"), [("page.png", "PNG"), ("page.webp", "WEBP"), ("page.jpg", "MPO")])
def test_of_several_pictures_the_first_is_read_and_the_others_are_told(tmp_path: Path, name: str, kind: str) -> None:
    second = Image.new("L", (60, 90))
    arrow().save(tmp_path / name, kind, save_all=True, append_images=[second])
    assert codes(tmp_path / name) == ["frames_not_read"]
    assert scan_of(tmp_path / name).raster.pixels[-1] > 200
    arrow().save(tmp_path / name, "JPEG" if kind == "MPO" else kind)
    assert codes(tmp_path / name) == []


def test_a_smaller_copy_behind_a_photograph_is_no_second_picture(tmp_path: Path) -> None:
    arrow().save(tmp_path / "photo.jpg", "MPO", save_all=True, append_images=[arrow().resize((20, 30))])
    assert codes(tmp_path / "photo.jpg") == []


def test_a_misnamed_picture_is_what_it_is(tmp_path: Path) -> None:
    arrow().save(tmp_path / "page.jpg", "PNG")
    assert scan_of(tmp_path / "page.jpg").raster.pixels == arrow().tobytes()


@pytest.mark.parametrize("ending", ["png", "tif", "bmp", "jpg", "webp", "jp2"])
def test_a_single_pixel_is_a_page(tmp_path: Path, ending: str) -> None:
    Image.new("L", (1, 1), 255).save(tmp_path / f"page.{ending}")
    scan = scan_of(tmp_path / f"page.{ending}")
    assert (scan.size, scan.raster.width, scan.raster.height) == ((1.0, 1.0), 1, 1)


@pytest.mark.parametrize("ending", ["jpg", "tif"])
def test_cmyk_comes_out_as_printed(tmp_path: Path, ending: str) -> None:
    inks = Image.new("CMYK", (40, 40), (0, 0, 0, 0))
    inks.paste((0, 0, 0, 255), (0, 0, 40, 20))
    inks.save(tmp_path / f"page.{ending}")
    pixels = scan_of(tmp_path / f"page.{ending}").raster.pixels
    assert pixels[5 * 40] < 40
    assert pixels[35 * 40] > 230


@pytest.mark.parametrize("dpi", [(0, 0), (0, 300), (1e-4, 1e-4), (90_000, 90_000)])
def test_an_absurd_resolution_is_none(tmp_path: Path, dpi: tuple[float, float]) -> None:
    arrow().save(tmp_path / "page.tif", dpi=dpi)
    scan = scan_of(tmp_path / "page.tif")
    assert (scan.raster.dpi, scan.raster.pixels) == (None, arrow().tobytes())


def test_a_jpeg_2000_above_the_budget_fails_before_it_is_decoded(tmp_path: Path) -> None:
    arrow().save(tmp_path / "page.j2k", irreversible=False)
    content = bytearray((tmp_path / "page.j2k").read_bytes())
    at = content.index(b"\xff\x51") + 6  # the SIZ marker: length and capabilities, then the size
    content[at : at + 8] = struct.pack(">II", 60_000, 60_000)
    (tmp_path / "page.j2k").write_bytes(content)
    with pytest.raises(PageError, match=r"has 3,600,000,000 pixels, more than the budget"):
        scan_of(tmp_path / "page.j2k")
