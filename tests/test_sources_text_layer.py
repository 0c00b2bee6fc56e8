"""The text of a PDF page, sorted by what can be seen; its ink; and the page is left unharmed."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence

import numpy as np
import pypdfium2.raw as pdfium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrprep.pages import Aside, Box, Line
from ocrprep.sources.glyph_readers import PLUMBER_FAULTS
from ocrprep.sources.page_image import contents
from ocrprep.sources.page_text import TextLayer
from ocrprep.sources.text_layer import image_coverage, text_layer
from ocrprep.sources.visible_text import colours, rules, text_switched_off
from tests.test_sources_glyphs import FONTS, opened, shown, stream, text_pdf

BUDGET = 20_000_000


def layer_of(content: bytes, unit: float = 1, most_pixels: int = BUDGET) -> TextLayer:
    """Read the text layer of a PDF's first page."""
    with opened(content, unit) as page:
        coverage = image_coverage(contents(page.page), page.page, page.size)
        return text_layer(page.page, page.plumber, page.size, coverage, most_pixels=most_pixels)


def texts(lines: Sequence[Line]) -> list[str]:
    """Return the lines' words, joined by spaces."""
    return [" ".join(word.text for word in line.words) for line in lines]


def box_of(line: Line) -> Box:
    """Return a line's box."""
    return line.box


def grey_image(level: int, width: int = 40, height: int = 50) -> bytes:
    """Write an image of one shade with a black bar across its middle."""
    pixels = np.full((height, width), level, np.uint8)
    pixels[20:24, 5:35] = 0
    entries = b"/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode"
    return stream(zlib.compress(pixels.tobytes()), entries + b"/Width %d/Height %d" % (width, height))


def with_image(before: bytes, after: bytes, level: int = 255) -> bytes:
    """Write a page that an image fills, with drawings before and after it."""
    drawing = before + b"q 400 0 0 500 0 0 cm /I Do Q\n" + after
    return text_pdf(drawing, b"", grey_image(level), resources=b"/XObject<</I 5 0 R>>")


CROPPED = b"/MediaBox[0 0 612 792]/CropBox[100 92 512 692]"
LEDGER = shown(150, 600, "Ledger entry 4417 was paid.") + shown(20, 760, "OUTSIDE CROP 999")


@pytest.mark.parametrize(
    ("rotate", "expected", "turns"),
    [
        (0, (50, 84, 212, 94), 0),
        (90, (506, 50, 516, 212), 3),
        (180, (200, 506, 362, 516), 2),
        (270, (84, 200, 94, 362), 1),
    ],
)
def test_boxes_are_in_the_visible_page_and_text_outside_is_an_aside(
    rotate: int, expected: tuple[float, ...], turns: int
) -> None:
    layer = layer_of(text_pdf(LEDGER, CROPPED + b"/Rotate %d" % rotate))
    assert texts(layer.visible) == ["Ledger entry 4417 was paid."]
    assert box_of(layer.visible[0]) == pytest.approx(expected, abs=3)
    assert [(aside.kind, aside.text) for aside in layer.asides] == [("outside_crop", "OUTSIDE CROP 999")]
    assert (layer.turns, layer.invisible, layer.reader, layer.warnings) == (turns, (), "pdfplumber", ())
    assert layer.visible_ink == 1
    assert {word.baseline_angle for word in layer.visible[0].words} == {0}


PLACE = st.tuples(st.integers(30, 270), st.integers(60, 440))


@given(
    places=st.lists(PLACE, min_size=1, max_size=5, unique_by=lambda place: place[1] // 20),
    rotate=st.sampled_from([0, 90, 180, 270]),
    offset=st.tuples(st.integers(-90, 90), st.integers(-90, 90)),
    crop=st.tuples(st.integers(0, 25), st.integers(0, 25)),
    unit=st.sampled_from([1.0, 0.5, 3.0]),
)
@settings(deadline=None, max_examples=25)
def test_words_at_known_places_come_back_there_in_order(
    places: list[tuple[int, int]], rotate: int, offset: tuple[int, int], crop: tuple[int, int], unit: float
) -> None:
    x0, y0 = offset
    boxes = b"/MediaBox[%d %d %d %d]" % (x0, y0, x0 + 400, y0 + 500)
    left, bottom = x0 + crop[0], y0 + crop[1]
    boxes += b"/CropBox[%d %d %d %d]/Rotate %d" % (left, bottom, x0 + 400, y0 + 500, rotate)
    drawing = b"".join(shown(x0 + x, y0 + y, f"word{at} end") for at, (x, y) in enumerate(places))
    layer = layer_of(text_pdf(drawing, boxes), unit)
    width, height = 400 - crop[0], 500 - crop[1]
    assert texts(layer.visible) == [f"word{at} end" for at in range(len(places))]
    for line, (x, y) in zip(layer.visible, places, strict=True):
        # Courier of 10 pt: 9 letters, 8.4 pt over the baseline and 1.6 pt under it.
        upright = Box(x - crop[0], 500 - y - 8.4, x - crop[0] + 54, 500 - y + 1.6)
        expected = {
            0: upright,
            90: Box(height - upright.bottom, upright.x0, height - upright.top, upright.x1),
            180: Box(width - upright.x1, height - upright.bottom, width - upright.x0, height - upright.top),
            270: Box(upright.top, width - upright.x1, upright.bottom, width - upright.x0),
        }[rotate]
        assert line.box == pytest.approx([edge * unit for edge in expected], abs=0.01 * 400 * unit)
        assert line.words[0].font_size == pytest.approx(10 * unit, abs=0.05)


def test_fake_bold_is_one_glyph_and_true_doubles_stay() -> None:
    bold = b"".join(
        shown(60 + 6 * at + shift, 690, letter)
        for at, letter in enumerate("Bookkeeper 1100")
        if letter != " "
        for shift in (0, 0.3)
    )
    content = text_pdf(
        bold + shown(60, 676, "committee 1100") + shown(60, 662, "very very old"), b"/MediaBox[0 0 612 792]"
    )
    layer = layer_of(content)
    assert texts(layer.visible) == ["Bookkeeper 1100", "committee 1100", "very very old"]
    assert sum(len(word.text) for word in layer.visible[0].words) == 14


HIDDEN = shown(60, 300, "hidden words here", size=14)
LAYERS = b"/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]/Order[6 0 R]>>>>"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(text_pdf(b"1 g " + HIDDEN), id="white on white"),
        pytest.param(text_pdf(shown(60, 300, "hidden words here", 14, before="3 Tr")), id="mode 3"),
        pytest.param(text_pdf(shown(60, 300, "hidden words here", 14, before="7 Tr")), id="mode 7"),
        pytest.param(with_image(b"", shown(60, 300, "hidden words here", 14, before="3 Tr")), id="over an image"),
        pytest.param(with_image(HIDDEN, b""), id="under an image drawn later"),
        pytest.param(text_pdf(HIDDEN + b"0 g 50 290 200 30 re f"), id="under a black bar"),
        pytest.param(text_pdf(b"q 0 0 10 10 re W n " + HIDDEN + b" Q"), id="clipped away"),
        pytest.param(text_pdf(b"0 g 50 290 200 30 re f " + HIDDEN), id="black on black"),
        pytest.param(
            text_pdf(
                b"/OC /L BDC " + HIDDEN + b" EMC",
                b"",
                stream(b""),
                b"<</Type/OCG/Name(L)>>",
                resources=b"/Properties<</L 6 0 R>>",
                catalog=LAYERS,
            ),
            id="in a hidden layer",
        ),
    ],
)
def test_text_that_leaves_no_ink_is_invisible(content: bytes) -> None:
    layer = layer_of(content)
    assert (texts(layer.visible), texts(layer.invisible)) == ([], ["hidden words here"])
    assert {word.text_basis for line in layer.invisible for word in line.words} == {"imported"}
    assert not layer.visible_ink


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(text_pdf(HIDDEN), id="black on white"),
        pytest.param(text_pdf(b"0 g 50 290 200 30 re f 1 g " + HIDDEN), id="white on a black bar"),
        pytest.param(text_pdf(b"0.9 g " + HIDDEN), id="pale grey"),
        pytest.param(text_pdf(b"1 0 0 rg 50 290 200 30 re f 0 0.51 0 rg " + HIDDEN), id="of the same grey in colour"),
        pytest.param(text_pdf(shown(60, 300, "hidden words here", 14, before="0.1 w 1 Tr")), id="outlined"),
        pytest.param(with_image(b"", HIDDEN), id="over an image"),
    ],
)
def test_text_that_leaves_ink_is_visible(content: bytes) -> None:
    layer = layer_of(content)
    assert (texts(layer.visible), texts(layer.invisible)) == (["hidden words here"], [])
    assert {word.text_basis for line in layer.visible for word in line.words} == {"text_layer"}


def test_mode_3_text_that_lies_on_visible_text_is_still_invisible() -> None:
    layer = layer_of(text_pdf(HIDDEN + shown(62, 301, "bidden vvords hcre", 14, before="3 Tr")))
    assert texts(layer.visible) == ["hidden words here"]
    assert texts(layer.invisible) == ["bidden vvords hcre"]


@pytest.mark.parametrize("modes", ["3 0", "0 3"])
def test_a_hidden_copy_in_the_same_place_hides_no_visible_text(modes: str) -> None:
    drawing = b"".join(shown(60, 300, "same place", before=f"{mode} Tr") for mode in modes.split())
    layer = layer_of(text_pdf(drawing))
    assert (texts(layer.visible), layer.invisible) == (["same place"], ())


@pytest.mark.parametrize("matrix", [b".01 0 0 .01 0 0", b".1 0 0 .1 0 0", b".1 0 0 -.1 0 0"])
def test_type_3_fonts_in_any_unit_are_read_at_the_size_of_their_ink(matrix: bytes) -> None:
    size = 10 if matrix.startswith(b".01") else 1
    font = (
        b"<</Type/Font/Subtype/Type3/FontBBox[0 0 50 60]/FontMatrix[%s]/CharProcs<</a 6 0 R>>/FirstChar 97/LastChar 97"
        b"/Encoding<</Differences[97/a]>>/Widths[50]>>" % matrix
    )
    drawing = b"BT /T %d Tf 60 300 Td (aaaa) Tj 3 0 Td ( ) Tj (aa) Tj ET" % size
    page = b"/MediaBox[0 0 400 500]/Resources<</Font<</T 5 0 R>>>>"
    layer = layer_of(text_pdf(drawing, page, font, stream(b"50 0 0 0 40 60 d1 0 0 40 60 re f")))
    sizes = [word.font_size for line in layer.visible for word in line.words]
    assert sizes
    assert all(size is not None and 6 <= size <= 12 for size in sizes)
    assert layer.asides == ()


@pytest.mark.parametrize("size", [4, 6, 10, 24])
@pytest.mark.parametrize("most_pixels", [BUDGET, 200_000])
def test_lone_stops_dashes_and_thin_letters_are_visible(size: float, most_pixels: int) -> None:
    text = ". , - : ; i l I | ! ~"
    drawing = shown(40.3, 100.7, f"a {text} b", size, "H") + shown(41.1, 200.4, text, size, "C")
    layer = layer_of(text_pdf(drawing), most_pixels=most_pixels)
    assert [word.text for line in layer.visible for word in line.words] == ["a", *text.split(), "b", *text.split()]
    assert layer.invisible == ()


def test_a_line_that_is_half_covered_is_split() -> None:
    layer = layer_of(text_pdf(shown(40, 100, "open words secret words") + b"1 g 104 90 90 30 re f"))
    assert texts(layer.visible) == ["open words"]
    assert texts(layer.invisible) == ["secret words"]


def test_text_too_small_to_read_is_an_aside() -> None:
    layer = layer_of(text_pdf(shown(40, 100, "plain words") + shown(40, 80, "tiny secret", 0.5)))
    assert texts(layer.visible) == ["plain words"]
    assert [(aside.kind, aside.text) for aside in layer.asides] == [("hidden_text", "tiny secret")]
    assert isinstance(layer.asides[0], Aside)


def test_small_letters_of_a_page_in_an_impossible_unit_are_read() -> None:
    page = b"/MediaBox[0 0 8.5 11]"
    layer = layer_of(text_pdf(b"q .0139 0 0 .0139 0 0 cm " + shown(60, 600, "inches for points") + b" Q", page))
    assert texts(layer.visible) == ["inches for points"]


def test_text_of_no_size_is_kept_as_an_aside() -> None:
    layer = layer_of(text_pdf(shown(40, 100, "plain words") + b"BT /C 10 Tf 0 0 0 0 40 80 Tm (nothing) Tj ET"))
    assert texts(layer.visible) == ["plain words"]
    assert [aside.text.replace(" ", "") for aside in layer.asides if aside.kind == "hidden_text"] == ["nothing"]


FULL = b"".join(shown(40, y, "a line of plain words on a page of text") for y in range(60, 460, 14))


@pytest.mark.parametrize(
    ("content", "least", "most"),
    [
        pytest.param(text_pdf(FULL), 1, 1, id="only text"),
        pytest.param(text_pdf(FULL + b"1 w 30 470 m 370 470 l S 30 40 340 430 re S"), 0.99, 1, id="text in a frame"),
        pytest.param(
            text_pdf(FULL + b"0.5 w " + b"".join(b"300 %d 60 30 re S " % y for y in range(60, 440, 40))),
            0.97,
            1,
            id="fields of a form",
        ),
        pytest.param(text_pdf(b"0 g 30 470 340 20 re f 1 g " + shown(40, 475, "Heading") + b"0 g " + FULL), 0.99, 1),
        pytest.param(with_image(b"", shown(300, 480, "STAMP 7", 8)), 0, 0.3, id="a stamp on a scan"),
        pytest.param(with_image(b"", shown(300, 480, "STAMP 7", 8, before="3 Tr")), 0, 0, id="a hidden stamp"),
    ],
)
def test_visible_ink_is_the_part_of_the_ink_that_text_paints(content: bytes, least: float, most: float) -> None:
    ink = layer_of(content).visible_ink
    assert ink is not None
    assert least <= ink <= most


def test_a_page_without_ink_has_no_share_of_it() -> None:
    assert layer_of(text_pdf(b"")).visible_ink is None
    assert layer_of(text_pdf(b"1 g " + HIDDEN)).visible_ink is None


def test_rules_are_long_or_thin_and_strokes_are_neither() -> None:
    ink = np.zeros((800, 640), np.bool_)
    ink[100:102, 50:90] = True  # the top of a field
    ink[100:140, 50:52] = True  # its side
    ink[300:330, 100:400] = True  # a bar
    ink[500:520, 100:115] = True  # a heavy stroke
    ink[600, 100:112] = True  # a dash
    found = rules(ink)
    assert found[:400].sum() >= ink[:400].sum() - 4  # the corner belongs to neither side
    assert not found[400:].any()


@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        (b"", 0),
        (b"q 400 0 0 500 0 0 cm /I Do Q", 1),
        (b"q 200 0 0 250 0 0 cm /I Do Q q 200 0 0 250 100 125 cm /I Do Q", 7 / 16),
        (b"q 900 0 0 500 200 0 cm /I Do Q", 0.5),
        (b"q 0 200 -400 0 400 0 cm /I Do Q", 0.4),
    ],
)
@pytest.mark.parametrize("rotate", [0, 90])
def test_image_coverage_is_the_union_of_the_images_on_the_visible_page(
    drawing: bytes, expected: float, rotate: int
) -> None:
    content = text_pdf(drawing, b"/Rotate %d" % rotate, grey_image(255), resources=b"/XObject<</I 5 0 R>>")
    assert layer_of(content).image_coverage == pytest.approx(expected, abs=0.01)


FORM = stream(shown(60, 200, "in a form"), b"/Type/XObject/Subtype/Form/BBox[0 0 400 500]/Resources<<%s>>" % FONTS)


def test_the_page_is_drawn_as_before_afterwards() -> None:
    drawing = FULL[: FULL.index(b"ET") + 3] + b" /F Do " + shown(60, 150, "hid", before="3 Tr")
    with opened(text_pdf(drawing, b"", FORM, resources=b"/XObject<</F 5 0 R>>")) as page:
        before = colours(page.page, 400, 500)
        with text_switched_off(page.page):
            without = colours(page.page, 400, 500)
        layer = text_layer(page.page, page.plumber, page.size, 0.0, most_pixels=BUDGET)
        after = colours(page.page, 400, 500)
    assert (before != 255).any()
    assert (without == 255).all()
    assert (before == after).all()
    assert texts(layer.visible) == ["a line of plain words on a page of text", "in a form"]


def test_annotations_and_form_fields_are_not_in_the_text_layer() -> None:
    look = stream(shown(2, 5, "in a note"), b"/Type/XObject/Subtype/Form/BBox[0 0 99 20]/Resources<<%s>>" % FONTS)
    note = b"/Annots[<</Type/Annot/Subtype/FreeText/Rect[60 300 159 320]/AP<</N 5 0 R>>/F 4>>]"
    layer = layer_of(text_pdf(shown(60, 100, "words"), note, look))
    assert texts(layer.visible) == ["words"]
    assert layer.visible_ink is not None
    assert 0 < layer.visible_ink < 0.8


class Unreadable:
    """A page that pdfplumber cannot read."""

    def __init__(self, fault: type[Exception]) -> None:
        self._fault = fault

    @property
    def layout(self) -> object:
        raise self._fault("broken")


@pytest.mark.parametrize("fault", PLUMBER_FAULTS)
def test_a_page_that_pdfplumber_cannot_read_is_read_by_pdfium(fault: type[Exception]) -> None:
    with opened(text_pdf(LEDGER, CROPPED + b"/Rotate 90")) as page:
        layer = text_layer(page.page, Unreadable(fault), page.size, 0.0, most_pixels=BUDGET)  # type: ignore[arg-type]
    assert (texts(layer.visible), layer.reader) == (["Ledger entry 4417 was paid."], "pdfium")
    assert box_of(layer.visible[0]) == pytest.approx((506, 50, 516, 212), abs=3)
    assert [aside.text for aside in layer.asides] == ["OUTSIDE CROP 999"]
    assert [warning.code for warning in layer.warnings] == ["text_readers_disagree"]


def test_without_a_page_in_pdfplumber_pdfium_reads_alone() -> None:
    with opened(text_pdf(LEDGER, CROPPED)) as page:
        layer = text_layer(page.page, None, page.size, 0.0, most_pixels=BUDGET)
    assert (texts(layer.visible), layer.reader, layer.warnings) == (["Ledger entry 4417 was paid."], "pdfium", ())


def test_pdfium_is_taken_where_pdfplumber_lost_text_and_not_where_it_lost_some_itself() -> None:
    full, part = text_pdf(LEDGER + HIDDEN), text_pdf(LEDGER)
    with opened(full) as whole, opened(part) as other:
        lost = text_layer(whole.page, other.plumber, whole.size, 0.0, most_pixels=BUDGET)
        kept = text_layer(other.page, whole.plumber, whole.size, 0.0, most_pixels=BUDGET)
    assert (lost.reader, kept.reader) == ("pdfium", "pdfplumber")
    assert lost.warnings[0].message.endswith("pdfium's are taken")
    assert kept.warnings[0].message.endswith("pdfplumber's are taken")
    assert "hidden words here" in texts(lost.visible)
    assert "hidden words here" in texts(kept.invisible)


def test_places_of_text_that_pdfminer_loses_are_taken_from_pdfium() -> None:
    layer = layer_of(text_pdf(b"BT /C 10 Tf 14 TL 50 300 Td 5 2 (spaced) \" (next) ' ET"))
    assert layer.reader == "pdfium"
    assert [warning.code for warning in layer.warnings] == ["text_readers_disagree"]
    assert not any(math.isnan(edge) for line in layer.visible for edge in line.box)


def test_the_raw_switch_exists_in_this_build() -> None:
    assert hasattr(pdfium, "FPDFPageObj_SetIsActive")
