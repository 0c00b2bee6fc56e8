"""PDF pages as scans: frames, own images, renderings, labels and faults, on hand-written files."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from ocrprep.errors import ExitCode, PageError, SourceError
from ocrprep.options import RecognitionOptions
from ocrprep.pages import Affine, Box
from ocrprep.sources import Scan, open_source
from ocrprep.sources.raster import grey_image
from ocrprep.sources.resolution import LONGEST_SIDE, fitting_dpi, raster_size, resolution

OPTIONS = RecognitionOptions()
Save = Callable[[bytes], Path]


def pdf_bytes(*objects: bytes, trailer: bytes = b"") -> bytes:
    """Write objects 1, 2, … as a PDF whose catalog is object 1."""
    out, offsets = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    return out + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (
        size,
        table,
        size,
        trailer,
        len(out),
    )


def stream(content: bytes, entries: bytes = b"") -> bytes:
    """Write a stream object."""
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(content), content)


def one_page(drawing: bytes, page: bytes, *more: bytes, catalog: bytes = b"") -> bytes:
    """Write a PDF of one page; `more` are the objects from 5 on."""
    return pdf_bytes(
        b"<</Type/Catalog/Pages 2 0 R%s>>" % catalog,
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R%s>>" % page,
        stream(drawing),
        *more,
    )


def picture_bytes(picture: Image.Image, entries: bytes = b"") -> bytes:
    """Write an 8-bit grey picture as an image object."""
    kind = b"/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode"
    size = b"/Width %d/Height %d" % picture.size
    return stream(zlib.compress(picture.tobytes()), kind + size + entries)


def scanned(
    picture: Image.Image,
    *,
    rotate: int = 0,
    drawing: bytes = b"q 144 0 0 216 10 20 cm /I Do Q",
    after: bytes = b"",
    before: bytes = b"",
    image: bytes = b"",
    page: bytes = b"",
) -> bytes:
    """Write a page of 144 x 216 pt, its corner at (10, 20), that a picture fills."""
    resources = b"/Resources<</XObject<</I 5 0 R>>/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
    frame = b"/MediaBox[0 0 400 500]/CropBox[10 20 154 236]/Rotate %d" % rotate
    return one_page(before + drawing + after, frame + resources + page, picture_bytes(picture, image))


def card(width: int = 600, height: int = 900) -> Image.Image:
    """Draw a white card with a black box at (100, 150, 300, 200)."""
    picture = Image.new("L", (width, height), 255)
    ImageDraw.Draw(picture).rectangle((100, 150, 299, 199), fill=0)
    return picture


def ink_box(scan: Scan) -> Box:
    """Return the dark pixels' box in the page frame."""
    found = grey_image(scan.raster).point([255 * (level < 128) for level in range(256)]).getbbox()
    assert found
    return scan.affine.box(Box(*found))


def names(scan: Scan) -> list[str]:
    """Return the names of a scan's transformations in their order."""
    return [each.name for each in scan.image_transformations]


def reason(scan: Scan) -> str:
    """Return why a page was rendered."""
    assert names(scan) == ["render", "grayscale"]
    return str(scan.image_transformations[0].parameters["reason"])


@pytest.fixture(name="save")
def _save(tmp_path: Path) -> Save:
    def save(content: bytes) -> Path:
        path = tmp_path / "letter.pdf"
        path.write_bytes(content)
        return path

    return save


def scan_of(path: Path, page: int = 1, options: RecognitionOptions = OPTIONS) -> Scan:
    """Open a file and scan one page."""
    with open_source([path]) as source:
        scan = source.scan(page, options)
        assert source.describe(page).size == pytest.approx(scan.size)
        return scan


UPRIGHT = (Box(20, 30, 70, 50), (200.0, 300.0))
TURNED = {
    0: UPRIGHT,
    90: (Box(250, 20, 270, 70), (300.0, 200.0)),
    180: (Box(130, 250, 180, 270), (200.0, 300.0)),
    270: (Box(30, 130, 50, 180), (300.0, 200.0)),
}


@pytest.mark.parametrize("rotate", TURNED)
def test_the_frame_of_a_rendered_page_is_the_crop_box_after_rotation(save: Save, rotate: int) -> None:
    # 20 pt from the left of the crop box and 30 pt below its top, 50 x 20 pt.
    drawing = b"0 g 60 300 50 20 re f"
    page = b"/MediaBox[0 0 500 600]/CropBox[40 50 240 350]/Rotate %d" % rotate
    scan = scan_of(save(one_page(drawing, page)))
    expected, size = TURNED[rotate]
    assert (scan.size, scan.unit, scan.frame) == (size, "pt", (1, 1))
    assert ink_box(scan) == pytest.approx(expected, abs=1)
    assert scan.raster.dpi == 300
    assert reason(scan) == "draws more than images"


@pytest.mark.parametrize(
    ("boxes", "size", "expected"),
    [
        (b"/MediaBox[-100 -50 100 250]", (200, 300), Box(20, 30, 70, 50)),
        (b"/MediaBox[100 250 -100 -50]", (200, 300), Box(20, 30, 70, 50)),
        (b"/MediaBox[-100 -50 100 250]/CropBox[-900 -900 900 900]", (200, 300), Box(20, 30, 70, 50)),
        (b"/MediaBox[-100 -50 100 250]/CropBox[50 240 -90 -50]", (140, 290), Box(10, 20, 60, 40)),
        (b"/MediaBox[-100 -50 100 250]/CropBox[0 0 0 0]", (200, 300), Box(20, 30, 70, 50)),
        (b"/MediaBox[-100.25 -50.5 99.75 249.5]", (200, 300), Box(20.25, 29.5, 70.25, 49.5)),
        (b"/MediaBox[-100 -50 100 250]/Rotate 450", (300, 200), Box(250, 20, 270, 70)),
        (b"/MediaBox[-100 -50 100 250]/Rotate -90", (300, 200), Box(30, 130, 50, 180)),
        (b"/MediaBox[-100 -50 100 250]/Rotate -180", (200, 300), Box(130, 250, 180, 270)),
        (b"/MediaBox[-100 -50 100 250]/Rotate 45", (200, 300), Box(20, 30, 70, 50)),
    ],
)
def test_the_frame_is_what_pdfium_shows_of_every_box(
    save: Save, boxes: bytes, size: tuple[float, float], expected: Box
) -> None:
    path = save(one_page(b"0 g -80 200 50 20 re f", boxes))
    scan = scan_of(path)
    with pypdfium2.PdfDocument(path) as document:
        assert scan.size == document[0].get_size()
    assert scan.size == pytest.approx(size)
    assert ink_box(scan) == pytest.approx(expected, abs=0.5)


def test_a_page_whose_boxes_do_not_meet_has_no_area_and_fails_alone(save: Save) -> None:
    with pytest.raises(PageError, match=r"the page has no area \(0 x 0 pt\): repair the PDF"):
        scan_of(save(one_page(b"", b"/MediaBox[0 0 72 72]/CropBox[500 500 600 600]")))


def test_boxes_and_rotation_are_inherited(save: Save) -> None:
    kids = b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 400 500]/CropBox[100 100 300 400]/Rotate 90>>"
    page = b"<</Type/Page/Parent 2 0 R/Contents 4 0 R>>"
    path = save(pdf_bytes(b"<</Type/Catalog/Pages 2 0 R>>", kids, page, stream(b"0 g 120 350 50 20 re f")))
    scan = scan_of(path)
    assert scan.size == (300, 200)
    assert ink_box(scan) == pytest.approx(Box(250, 20, 270, 70), abs=0.5)


@pytest.mark.parametrize(
    ("rotate", "size", "box"), [(0, (412, 600), (50, 84, 212, 94)), (90, (600, 412), (506, 50, 516, 212))]
)
def test_a_cropped_and_turned_line_stands_where_it_is_seen(
    save: Save, rotate: int, size: tuple[int, int], box: tuple[int, ...]
) -> None:
    """C01: what the crop box hides is not in the picture."""
    drawing = (
        b"BT /F 10 Tf 150 600 Td (Ledger entry 4417 was paid.) Tj ET BT /F 10 Tf 20 760 Td (OUTSIDE CROP 999) Tj ET"
    )
    font = b"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>>>"
    frame = b"/MediaBox[0 0 612 792]/CropBox[100 92 512 692]/Rotate %d" % rotate
    scan = scan_of(save(one_page(drawing, frame + font)))
    assert scan.size == size
    assert ink_box(scan) == pytest.approx(box, abs=3)


@pytest.mark.parametrize(
    ("rotate", "size", "expected"),
    [
        (0, (600, 900), Box(24, 36, 72, 48)),
        (90, (900, 600), Box(168, 24, 180, 72)),
        (180, (600, 900), Box(72, 168, 120, 180)),
        (270, (900, 600), Box(36, 72, 48, 120)),
    ],
)
def test_a_page_that_is_one_image_keeps_its_own_pixels(
    save: Save, rotate: int, size: tuple[int, int], expected: Box
) -> None:
    scan = scan_of(save(scanned(card(), rotate=rotate)))
    assert (scan.raster.width, scan.raster.height) == size
    assert scan.raster.dpi == pytest.approx(300)
    assert ink_box(scan) == pytest.approx(expected, abs=0.05)
    assert names(scan) == ["page_image"] + ["quarter_turn"] * bool(rotate)
    assert scan.image_transformations[0].parameters == {"width": 600, "height": 900, "dpi": 300.0}
    if rotate:
        assert scan.image_transformations[1].parameters == {"turns": rotate // 90}


def test_own_pixels_are_the_pixels_of_the_image(save: Save) -> None:
    assert scan_of(save(scanned(card()))).raster.pixels == card().tobytes()


def test_an_image_in_a_form_counts_with_the_forms_matrix(save: Save) -> None:
    form = stream(
        b"q 1 0 0 1 0 0 cm /I Do Q", b"/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</I 6 0 R>>>>"
    )
    page = b"/MediaBox[0 0 144 216]/Resources<</XObject<</F 5 0 R>>>>"
    scan = scan_of(save(one_page(b"q 144 0 0 216 0 0 cm /F Do Q", page, form, picture_bytes(card()))))
    assert names(scan) == ["page_image"]
    assert ink_box(scan) == pytest.approx(Box(24, 36, 72, 48), abs=0.05)


def test_an_inverted_decode_array_comes_out_as_displayed(save: Save) -> None:
    negative = card().point([255 - level for level in range(256)])
    scan = scan_of(save(scanned(negative, image=b"/Decode[1 0]")))
    assert ink_box(scan) == pytest.approx(Box(24, 36, 72, 48), abs=1)


INVISIBLE = b"BT /F 12 Tf 3 Tr 40 100 Td (hidden) Tj ET "
VISIBLE = b"BT /F 12 Tf 0 Tr 40 100 Td (visible) Tj ET "


@pytest.mark.parametrize(("before", "after"), [(INVISIBLE, b""), (b"", INVISIBLE), (VISIBLE, b"")])
def test_a_text_layer_that_cannot_be_seen_forces_no_rendering(save: Save, before: bytes, after: bytes) -> None:
    assert names(scan_of(save(scanned(card(), before=before, after=after)))) == ["page_image"]


def test_an_annotation_link_is_not_seen(save: Save) -> None:
    link = b"/Annots[<</Type/Annot/Subtype/Link/Rect[20 30 40 50]/Border[0 0 0]>>]"
    assert names(scan_of(save(scanned(card(), page=link)))) == ["page_image"]


STAMP = b" 0 g 100 60 20 10 re f"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (scanned(card(), after=STAMP), "draws more than images"),
        (scanned(card(), after=VISIBLE), "draws more than images"),
        (scanned(card(), page=b"/Annots[<</Type/Annot/Subtype/Stamp/Rect[20 30 40 50]>>]"), "draws more than images"),
        (scanned(card(), after=b" q 9 0 0 9 50 50 cm /I Do Q"), "draws several images"),
        (scanned(card(), drawing=b"q 160 0 0 216 10 20 cm /I Do Q"), "image does not just fill the page"),
        (scanned(card(), drawing=b"q 72 0 0 108 20 40 cm /I Do Q"), "image does not just fill the page"),
        (scanned(card(), drawing=b"q 144 5 -5 216 12 18 cm /I Do Q"), "image slanted or mirrored"),
        (scanned(card(), drawing=b"q -144 0 0 216 154 20 cm /I Do Q"), "image slanted or mirrored"),
        (scanned(card(600, 600)), "image resolution differs between axes"),
        (scanned(card(300, 450).resize((200, 300))), "image resolution of 100 dpi"),
        (scanned(card(), drawing=b"q 82 20 72 216 re W n 144 0 0 216 10 20 cm /I Do Q"), "looks unlike its image"),
        (scanned(card(), image=b"/Mask[0 9]"), "looks unlike its image"),
    ],
)
def test_a_page_that_is_more_or_less_than_its_image_is_rendered(save: Save, content: bytes, why: str) -> None:
    scan = scan_of(save(content))
    assert reason(scan) == why
    assert (scan.raster.width, scan.raster.height) == (600, 900)


def test_a_blank_page_is_white(save: Save) -> None:
    scan = scan_of(save(one_page(b"", b"/MediaBox[0 0 72 144]")))
    assert set(scan.raster.pixels) == {255}
    assert scan.affine == Affine.scale(72 / 300, 144 / 600)


def test_page_labels_are_read_and_empty_ones_are_null(save: Save) -> None:
    pages = [b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>"] * 3
    labels = b"/PageLabels<</Nums[0<</S/r/St 9>>1<</P(A-)/S/D>>2<<>>]>>"
    kids = b"<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>"
    path = save(pdf_bytes(b"<</Type/Catalog/Pages 2 0 R%s>>" % labels, kids, *pages))
    with open_source([path]) as source:
        assert [source.describe(page).label for page in (1, 2, 3)] == ["ix", "A-1", None]
        assert source.scan(1, OPTIONS).label == "ix"


def test_a_page_that_is_missing_fails_alone(save: Save) -> None:
    good = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>"
    path = save(
        pdf_bytes(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R 9 0 R 4 0 R]/Count 3>>", good, good)
    )
    with open_source([path]) as source:
        assert source.page_count == 3
        source.scan(1, OPTIONS)
        with pytest.raises(PageError, match="damaged or missing in the PDF"):
            source.scan(2, OPTIONS)
        assert source.describe(2).size == (0.0, 0.0)
        source.scan(3, OPTIONS)


def test_a_large_page_is_rendered_at_a_lower_resolution_that_fits(save: Save) -> None:
    path = save(one_page(b"0 g 0 0 9 9 re f", b"/MediaBox[0 0 144 144]"))
    scan = scan_of(path, options=RecognitionOptions(max_pixels=400 * 400))
    assert scan.image_transformations[0].parameters["dpi"] == 200
    assert scan.raster.dpi == 200


def test_a_huge_page_is_read_at_what_the_budget_allows_and_says_so(save: Save) -> None:
    path = save(one_page(b"0 g 0 0 7200 14400 re f", b"/MediaBox[0 0 14400 14400]"))
    scan = scan_of(path, options=RecognitionOptions(max_pixels=1_000_000))
    assert (scan.raster.width, scan.raster.height) == (1000, 1000)
    assert scan.raster.dpi is None
    assert scan.image_transformations[0].parameters["dpi"] == 5
    assert ink_box(scan) == pytest.approx(Box(0, 0, 7200, 14400), abs=20)
    (warning,) = scan.warnings
    assert (warning.code, "read at 5 dpi: small print may be missing" in warning.message) == ("low_resolution", True)


def test_an_image_far_above_the_budget_fails_before_it_is_decoded(save: Save) -> None:
    bomb = stream(
        b"x", b"/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8/Width 90000/Height 90000"
    )
    page = b"/MediaBox[0 0 72 72]/Resources<</XObject<</I 5 0 R>>>>"
    with pytest.raises(PageError, match=r"an image of 8,100,000,000 pixels, more than the budget of 1,920,000,000"):
        scan_of(save(one_page(b"q 72 0 0 72 0 0 cm /I Do Q", page, bomb)))


@pytest.mark.parametrize(
    ("size", "expected"), [((612.0, 792.0), 300), ((2000.0, 3000.0), 300), ((3000.0, 5000.0), 203)]
)
def test_the_fitting_resolution_never_breaks_the_budget(size: tuple[float, float], expected: int) -> None:
    assert fitting_dpi(size, 300, OPTIONS.max_pixels) == expected


@given(
    st.tuples(*[st.floats(1e-3, 1e9)] * 2),
    st.one_of(st.none(), st.floats(1e-3, 1e6)),
    st.booleans(),
    st.integers(1, 10**9),
)
def test_no_page_is_ever_rendered_beyond_the_budget(
    size: tuple[float, float], image_dpi: float | None, only_images: bool, budget: int
) -> None:
    chosen = resolution(size, image_dpi, only_images, RecognitionOptions(max_pixels=budget))
    width, height = raster_size(size, chosen.dpi)
    assert 1 <= width * height <= budget
    assert max(width, height) <= LONGEST_SIDE
    assert chosen.dpi <= 300 or not chosen.trusted or chosen.dpi <= 650


def test_a_scroll_is_rendered_as_long_as_an_engine_takes_it(save: Save) -> None:
    scan = scan_of(save(one_page(b"0 g 0 0 36 14400 re f", b"/MediaBox[0 0 72 14400]")))
    assert 32_500 < scan.raster.height <= LONGEST_SIDE
    assert ink_box(scan) == pytest.approx(Box(0, 0, 36, 14400), abs=1)


def rc4(key: bytes, content: bytes) -> bytes:
    """Encrypt with RC4, the cipher of the oldest encrypted PDFs."""
    box, j, i, out = list(range(256)), 0, 0, bytearray()
    for at in range(256):
        j = (j + box[at] + key[at % len(key)]) % 256
        box[at], box[j] = box[j], box[at]
    j = 0
    for byte in content:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)


def encrypted(password: bytes, handler: bytes = b"Standard") -> bytes:
    """Write a page encrypted with 40-bit RC4 (ISO 32000-1, 7.6.3, revision 2)."""
    padding = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
    padded = (password + padding)[:32]
    owner = rc4(hashlib.md5(padded).digest()[:5], padded)  # noqa: S324 (the format's own digest)
    key = hashlib.md5(padded + owner + b"\xfc\xff\xff\xff" + b"0123456789abcdef").digest()[:5]  # noqa: S324
    entry = b"<</Filter/%s/V 1/R 2/O<%s>/U<%s>/P -4>>" % (
        handler,
        owner.hex().encode(),
        rc4(key, padding).hex().encode(),
    )
    mark = b"<%s>" % b"0123456789abcdef".hex().encode()
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>"
    return pdf_bytes(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        page,
        entry,
        trailer=b"/Encrypt 4 0 R/ID[%s%s]" % (mark, mark),
    )


@pytest.mark.parametrize(
    ("content", "password", "message"),
    [
        (encrypted(b"secret"), None, "needs a password: write it into a file and name that with --password-file FILE"),
        (encrypted(b"secret"), "sesame", "the given password does not open it: put the right one into the file"),
        (encrypted(b"secret", b"Unknown"), None, "encrypted in a way that is not supported: remove the encryption"),
        (scanned(card())[:300], None, "is a damaged PDF: download or copy it again, or repair it"),
        (b"%PDF-1.4\n" + bytes(2000), None, "is a damaged PDF"),
        (
            pdf_bytes(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 0>>"),
            None,
            "has no pages: it is empty or damaged; export it again",
        ),
    ],
)
def test_a_pdf_that_cannot_be_opened_says_what_to_do(
    save: Save, content: bytes, password: str | None, message: str
) -> None:
    with pytest.raises(SourceError, match=message) as raised:
        open_source([save(content)], passwords=() if password is None else (password,))
    assert raised.value.exit_code == ExitCode.SOURCE
    assert "\n" not in str(raised.value)


def test_a_pdf_without_its_end_is_read_with_a_warning(save: Save) -> None:
    content = one_page(b"", b"/MediaBox[0 0 72 72]")
    with open_source([save(content[: content.index(b"startxref")])]) as source:
        assert [warning.code for warning in source.warnings] == ["no_end_mark"]
        assert source.page_count == 1
    with open_source([save(content)]) as source:
        assert source.warnings == ()


def test_junk_before_the_mark_is_accepted(save: Save) -> None:
    assert scan_of(save(b"\n" * 500 + one_page(b"", b"/MediaBox[0 0 72 72]"))).size == (72.0, 72.0)
