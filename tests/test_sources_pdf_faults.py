"""Hard pages: every way in which a PDF holds pixels comes out as displayed, and no page is lost to a silly unit."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, TiffImagePlugin

from ocrprep.errors import PageError
from ocrprep.options import RecognitionOptions
from ocrprep.pages import Box
from ocrprep.sources import Scan, open_source
from ocrprep.sources.raster import grey_image
from tests.test_sources_pdf import card, ink_box, names, one_page, reason, stream

OPTIONS = RecognitionOptions()
INK = Box(24, 36, 72, 48)
WIDTH, HEIGHT = 600, 900


def bilevel() -> Image.Image:
    return card().convert("1", dither=Image.Dither.NONE)


def fax(group: str = "group4", options: int | None = None) -> bytes:
    """Return the card as one strip of fax code, white as 0, as PDF has it by default."""
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    tags[278] = HEIGHT  # rows per strip
    if options is not None:
        tags[292] = options
    written = BytesIO()
    # Pillow codes black as 0.
    ImageChops.invert(bilevel()).save(written, "TIFF", compression=group, tiffinfo=tags)
    with Image.open(written) as picture:
        at, length = (picture.tag_v2[tag][0] for tag in (273, 279))  # type: ignore[attr-defined]
    return written.getvalue()[at : at + length]


def jpeg(picture: Image.Image) -> bytes:
    written = BytesIO()
    picture.save(written, "JPEG", quality=95)
    return written.getvalue()


def jpeg_2000(picture: Image.Image) -> bytes:
    written = BytesIO()
    picture.save(written, "JPEG2000")
    return written.getvalue()


def segment(number: int, kind: int, content: bytes, page: int = 1) -> bytes:
    """Write a JBIG2 segment (ITU-T T.88, 7.2) that refers to no other."""
    return struct.pack(">IBBBI", number, kind, 0, page, len(content)) + content


def jbig2() -> bytes:
    """Return the card as a JBIG2 page: page information, then one generic region in fax code, as T.88 allows."""
    page = struct.pack(">IIIIBH", WIDTH, HEIGHT, 0, 0, 0, 0)
    region = struct.pack(">IIIIBB", WIDTH, HEIGHT, 0, 0, 0, 1) + fax()
    return segment(0, 48, page) + segment(1, 38, region)


def image(content: bytes, kind: bytes, colours: bytes = b"/ColorSpace/DeviceGray", bits: int = 8) -> bytes:
    size = b"/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent %d" % (WIDTH, HEIGHT, bits)
    return stream(content, size + colours + kind)


RESOURCES = b"/MediaBox[0 0 144 216]/Resources<</XObject<</I 5 0 R>>>>"
DRAWN = b"q 144 0 0 216 0 0 cm /I Do Q"


def page(folder: Path, *objects: bytes, drawing: bytes = DRAWN, entries: bytes = RESOURCES) -> Path:
    (folder / "page.pdf").write_bytes(one_page(drawing, entries, *objects))
    return folder / "page.pdf"


def scan_of(path: Path, options: RecognitionOptions = OPTIONS) -> Scan:
    with open_source([path]) as source:
        scan = source.scan(1, options)
        assert source.describe(1).size == pytest.approx(scan.size)
        return scan


def flate(content: bytes) -> bytes:
    return zlib.compress(content)


def packed(bits: int) -> bytes:
    """Return the card's pixels as numbers of 2 or 4 bits."""
    pixels, each = card().tobytes(), 8 // bits
    columns = [pixels[at::each] for at in range(each)]
    shifts = [8 - bits * (at + 1) for at in range(each)]
    return bytes(
        sum((level >> 8 - bits) << shift for level, shift in zip(group, shifts, strict=True))
        for group in zip(*columns, strict=True)
    )


def levels(*of_grey: int) -> Image.Image:
    return card().point([of_grey[0] if level < 128 else of_grey[1] for level in range(256)])


FLATE, FAX = b"/Filter/FlateDecode", b"/Filter/CCITTFaxDecode/DecodeParms<</Columns 600/Rows 900/K %d%s>>"
GREY = b"/ColorSpace/DeviceGray"
SPOT = b"/ColorSpace[/Separation/Black/DeviceGray<</FunctionType 2/Domain[0 1]/C0[1]/C1[0]/N 1>>]"
DEVICE_N = b"/ColorSpace[/DeviceN[/Black]/DeviceGray<</FunctionType 2/Domain[0 1]/C0[1]/C1[0]/N 1>>]"
CMYK = Image.merge("CMYK", [Image.new("L", (WIDTH, HEIGHT))] * 3 + [ImageChops.invert(card())])
PIXELS = {
    "fax group 4": image(fax(), FAX % (-1, b""), bits=1),
    "fax group 3": image(fax("group3", 0), FAX % (0, b""), bits=1),
    "fax group 3 in two dimensions": image(fax("group3", 1), FAX % (4, b""), bits=1),
    "fax, black is 1": image(fax(), FAX % (-1, b"/BlackIs1 true"), GREY + b"/Decode[1 0]", 1),
    "fax without its end mark": image(fax()[:-3], FAX % (-1, b"/EndOfBlock false"), bits=1),
    "JBIG2": image(jbig2(), b"/Filter/JBIG2Decode", bits=1),
    "JBIG2 within Flate": image(flate(jbig2()), b"/Filter[/FlateDecode/JBIG2Decode]", bits=1),
    "JPEG 2000": image(jpeg_2000(card()), b"/Filter/JPXDecode"),
    "JPEG 2000 in colour": image(jpeg_2000(card().convert("RGB")), b"/Filter/JPXDecode", b""),
    "JPEG": image(jpeg(card()), b"/Filter/DCTDecode"),
    "JPEG in four inks, inverted as Adobe does": image(
        jpeg(CMYK), b"/Filter/DCTDecode/Decode[1 0 1 0 1 0 1 0]", b"/ColorSpace/DeviceCMYK"
    ),
    "four inks": image(flate(CMYK.tobytes()), FLATE, b"/ColorSpace/DeviceCMYK"),
    "16 bits": image(flate(bytes(each for level in card().tobytes() for each in (level, level))), FLATE, bits=16),
    "4 bits": image(flate(packed(4)), FLATE, bits=4),
    "2 bits": image(flate(packed(2)), FLATE, bits=2),
    "2 bits of a palette": image(
        flate(packed(2)), FLATE, b"/ColorSpace[/Indexed/DeviceGray 3<00FF00FF>]", 2
    ),
    "1 bit": image(flate(bilevel().tobytes()), FLATE, bits=1),
    "a mask that is painted": image(flate(bilevel().tobytes()), FLATE, b"/ImageMask true", 1),
    "a palette": image(flate(levels(7, 2).tobytes()), FLATE, b"/ColorSpace[/Indexed/DeviceRGB 7<%s>]" % (
        b"000000" * 2 + b"FFFFFF" + b"880000" * 4 + b"000000"
    )),
    "a spot colour": image(flate(levels(255, 0).tobytes()), FLATE, SPOT),
    "a spot colour in DeviceN": image(flate(levels(255, 0).tobytes()), FLATE, DEVICE_N),
    "an inverted decode array": image(flate(levels(255, 0).tobytes()), FLATE, GREY + b"/Decode[1 0]"),
    "a narrow decode array": image(flate(levels(0, 255).tobytes()), FLATE, GREY + b"/Decode[0.2 0.9]"),
    "colour": image(flate(card().convert("RGB").tobytes()), FLATE, b"/ColorSpace/DeviceRGB"),
}  # fmt: skip


@pytest.mark.parametrize("kind", list(PIXELS))
def test_pixels_of_every_kind_come_out_as_displayed(tmp_path: Path, kind: str) -> None:
    scan = scan_of(page(tmp_path, PIXELS[kind]))
    assert scan.warnings == ()
    assert ink_box(scan) == pytest.approx(INK, abs=0.5)
    grey = grey_image(scan.raster)
    assert (grey.width, grey.height) == (WIDTH, HEIGHT)
    assert grey.getpixel((500, 800)) >= 200  # type: ignore[operator]


def test_a_soft_mask_shows_the_paper_behind(tmp_path: Path) -> None:
    black = b"/SMask 6 0 R"
    mask = image(flate(levels(255, 0).tobytes()), FLATE)
    path = page(tmp_path, image(flate(bytes(WIDTH * HEIGHT)), FLATE, GREY + black), mask)
    scan = scan_of(path)
    assert ink_box(scan) == pytest.approx(INK, abs=0.5)
    assert reason(scan) == "looks unlike its image"


def test_jbig2_with_globals_comes_out_as_displayed(tmp_path: Path) -> None:
    comment = segment(9, 62, struct.pack(">I", 0x20000000) + b"a\0b\0\0", page=0)
    globals_entry = b"/Filter/JBIG2Decode/DecodeParms<</JBIG2Globals 6 0 R>>"
    scan = scan_of(page(tmp_path, image(jbig2(), globals_entry, bits=1), stream(comment)))
    assert scan.warnings == ()
    assert ink_box(scan) == pytest.approx(INK, abs=0.5)


def test_text_in_a_type_3_font_is_drawn(tmp_path: Path) -> None:
    font = b"<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[1]"
    font += b"/Encoding<</Differences[97/a]>>/CharProcs<</a 6 0 R>>>>"
    entries = b"/MediaBox[0 0 144 216]/Resources<</Font<</F 5 0 R>>>>"
    path = page(
        tmp_path, font, stream(b"1 0 d0 0 0 1 1 re f"), drawing=b"BT /F 12 Tf 24 168 Td (aaaa) Tj ET", entries=entries
    )
    assert ink_box(scan_of(path)) == pytest.approx(INK, abs=0.5)


def form(fields: bytes, *more: bytes) -> list[bytes]:
    widget = b"<</Type/Annot/Subtype/Widget/Rect[24 168 120 192]/F 4/T(name)/DA(/H 12 Tf 0 g)%s>>" % fields
    return [widget, b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", *more]


APPEARANCE = stream(b"0 g 0 0 96 24 re f", b"/Type/XObject/Subtype/Form/BBox[0 0 96 24]")


@pytest.mark.parametrize(
    ("fields", "needed", "more"),
    [
        (b"/FT/Tx/V(Filled in 42)", b"", ()),
        (b"/FT/Tx/V(Filled in 42)", b"/NeedAppearances true", ()),
        (b"/FT/Tx/V(Filled in 42)/AP<</N 7 0 R>>", b"", (APPEARANCE,)),
        (b"/FT/Ch/Ff 131072/Opt[(Alpha)(Beta)]/V(Beta)", b"", ()),
    ],
)
def test_what_was_filled_into_a_form_is_drawn(
    tmp_path: Path, fields: bytes, needed: bytes, more: tuple[bytes, ...]
) -> None:
    entry = b"/AcroForm<</Fields[5 0 R]%s/DA(/H 12 Tf 0 g)/DR<</Font<</H 6 0 R>>>>>>" % needed
    path = tmp_path / "form.pdf"
    path.write_bytes(one_page(b"", b"/MediaBox[0 0 144 216]/Annots[5 0 R]", *form(fields, *more), catalog=entry))
    found = ink_box(scan_of(path))
    assert min(found.x0, found.top) >= 23
    assert found.x1 <= 121
    assert found.bottom <= 49
    assert found.width > 20


def test_a_script_that_fills_a_form_is_not_run(tmp_path: Path) -> None:
    act = b"/AA<</C<</S/JavaScript/JS(event.value='X')>>/O<</S/JavaScript/JS(event.value='X')>>>>"
    entry = b"/OpenAction<</S/JavaScript/JS(this.getField('name').value='X')>>/AcroForm<</Fields[5 0 R]/CO[5 0 R]>>"
    path = tmp_path / "form.pdf"
    path.write_bytes(one_page(b"", b"/MediaBox[0 0 144 216]/Annots[5 0 R]", *form(b"/FT/Tx" + act), catalog=entry))
    assert set(scan_of(path).raster.pixels) == {255}


SQUARE = b"0 g 72 72 72 72 re f "


@pytest.mark.parametrize("side", [1, 9, 71])
def test_a_page_of_less_than_an_inch_gets_the_pixels_of_a_letter(tmp_path: Path, side: int) -> None:
    drawing = b"0 g 0 0 %g %g re f" % (side / 2, side / 2)
    scan = scan_of(page(tmp_path, drawing=drawing, entries=b"/MediaBox[0 0 %d %d]" % (side, side)))
    assert (scan.size, scan.raster.width, scan.raster.height) == ((side, side), 3300, 3300)
    assert scan.raster.dpi is None
    assert ink_box(scan) == pytest.approx(Box(0, side / 2, side / 2, side), abs=side / 1000)


def filled(folder: Path, width: float, height: float, extra: bytes = b"", entries: bytes = b"") -> Path:
    """Write a page that the card fills, whatever its size."""
    drawing = b"q %f 0 0 %f 0 0 cm /I Do Q %s" % (width, height, extra)
    box = b"/MediaBox[0 0 %f %f]/Resources<</XObject<</I 5 0 R>>>>%s" % (width, height, entries)
    return page(folder, image(flate(card().tobytes()), FLATE), drawing=drawing, entries=box)


@pytest.mark.parametrize(
    ("width", "height", "entries", "why"),
    [
        (1, 1.5, b"", "few pixels on a small page"),
        (30, 45, b"", "few pixels on a small page"),
        (6000, 9000, b"", "page larger than paper"),
        (9600, 14400, b"", "page larger than paper"),
        (9600, 14400, b"/UserUnit 75000", "page larger than paper"),
        (6, 9, b"/UserUnit 600", "page larger than paper"),
    ],
)
def test_an_image_on_a_page_of_silly_size_keeps_its_own_pixels(
    tmp_path: Path, width: float, height: float, entries: bytes, why: str
) -> None:
    scan = scan_of(filled(tmp_path, width, height, entries=entries))
    assert (scan.raster.width, scan.raster.height, scan.raster.dpi) == (WIDTH, HEIGHT, None)
    assert scan.raster.pixels == card().tobytes()
    assert scan.image_transformations[0].parameters["reason"] == why
    assert ink_box(scan) == pytest.approx(Box(*(each * scan.size[0] / 144 for each in INK)), abs=scan.size[0] / 1000)


@pytest.mark.parametrize(("width", "height"), [(600, 900), (450, 675)])
def test_a_coarse_image_on_a_page_of_the_size_of_paper_is_rendered(tmp_path: Path, width: int, height: int) -> None:
    scan = scan_of(filled(tmp_path, width, height))
    assert reason(scan) == f"image resolution of {72 * 600 // width} dpi"
    assert scan.raster.dpi == 300


@pytest.mark.parametrize("dpi", [72, 96])
def test_a_whole_page_scan_with_a_placeholder_for_its_resolution_keeps_its_pixels(tmp_path: Path, dpi: int) -> None:
    picture = card(1000, 1500)
    pixels = b"/Type/XObject/Subtype/Image/Width 1000/Height 1500/BitsPerComponent 8/ColorSpace/DeviceGray"
    width, height = 1000 * 72 / dpi, 1500 * 72 / dpi
    drawing = b"q %f 0 0 %f 0 0 cm /I Do Q" % (width, height)
    entries = b"/MediaBox[0 0 %f %f]/Resources<</XObject<</I 5 0 R>>>>" % (width, height)
    path = page(tmp_path, stream(flate(picture.tobytes()), pixels + FLATE), drawing=drawing, entries=entries)
    scan = scan_of(path)
    assert (scan.raster.pixels, scan.raster.dpi) == (picture.tobytes(), None)
    assert scan.image_transformations[0].parameters == {
        "width": 1000, "height": 1500, "dpi": dpi, "reason": "placeholder resolution",
    }  # fmt: skip


def test_a_fine_image_on_a_small_page_is_not_reduced_to_a_stamp(tmp_path: Path) -> None:
    """A frame of microfilm claims thousands of dpi: rendered at 300 it would have 200 pixels."""
    picture = card(3000, 4500)
    pixels = b"/Type/XObject/Subtype/Image/Width 3000/Height 4500/BitsPerComponent 8/ColorSpace/DeviceGray"
    drawing = b"q 72 0 0 108 0 0 cm /I Do Q"
    entries = b"/MediaBox[0 0 72 108]/Resources<</XObject<</I 5 0 R>>>>"
    scan = scan_of(page(tmp_path, stream(flate(picture.tobytes()), pixels + FLATE), drawing=drawing, entries=entries))
    assert reason(scan) == "image resolution of 3000 dpi"
    assert (scan.raster.width, scan.raster.height, scan.raster.dpi) == (1600, 2400, None)
    assert scan.warnings == ()


def test_several_images_on_a_huge_page_are_rendered_at_their_own_resolution(tmp_path: Path) -> None:
    scan = scan_of(filled(tmp_path, 6000, 9000, extra=b"q 60 0 0 90 0 0 cm /I Do Q"))
    assert reason(scan) == "draws several images"
    assert (scan.raster.width, scan.raster.height, scan.raster.dpi) == (WIDTH, HEIGHT, None)
    assert scan.warnings == ()


def test_drawn_text_on_a_huge_page_is_read_as_fine_as_the_budget_allows(tmp_path: Path) -> None:
    options = RecognitionOptions(max_pixels=1_500_000)
    scan = scan_of(filled(tmp_path, 6000, 9000, extra=SQUARE), options)
    assert (scan.raster.width, scan.raster.height) == (1000, 1500)
    assert [each.code for each in scan.warnings] == ["low_resolution"]


BOMB = b"/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/Width 60000/Height 60000/BitsPerComponent %d/Filter/%s"


@pytest.mark.parametrize(
    ("bits", "codec"),
    [(8, b"FlateDecode"), (1, b"CCITTFaxDecode/DecodeParms<</K -1/Columns 60000/Rows 60000>>"), (1, b"JBIG2Decode"),
     (8, b"JPXDecode"), (8, b"DCTDecode")],
)  # fmt: skip
def test_a_bomb_is_refused_before_it_is_decoded(tmp_path: Path, bits: int, codec: bytes) -> None:
    path = page(tmp_path, stream(b"x", BOMB % (bits, codec)))
    with pytest.raises(PageError, match=r"has an image of 3,600,000,000 pixels, more than the budget of .*: reduce it"):
        scan_of(path)


def test_an_image_above_the_budget_of_a_huge_page_is_read_coarser_with_a_warning(tmp_path: Path) -> None:
    scan = scan_of(filled(tmp_path, 7200, 10800), RecognitionOptions(max_pixels=60_000))
    assert reason(scan) == "image above the pixel budget"
    assert scan.raster.width * scan.raster.height <= 60_000
    assert [each.code for each in scan.warnings] == ["low_resolution"]
    assert names(scan) == ["render", "grayscale"]
