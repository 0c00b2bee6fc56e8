"""Glyphs of PDF pages: in the page frame whatever its boxes, alike from both readers, painted twice and kept once."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import combinations
from typing import Any

import numpy as np
import pdfplumber
import pypdfium2
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ocrprep.pages import Affine
from ocrprep.sources.glyph_readers import pdfium_glyphs, plumber_glyphs
from ocrprep.sources.glyphs import (
    UNKNOWN,
    Glyphs,
    agreement,
    corrected,
    no_glyphs,
    painted_once,
    paired,
    visible_characters,
    with_ink,
)
from ocrprep.sources.page_image import frame_of

FONTS = (
    b"/Font<</C<</Type/Font/Subtype/Type1/BaseFont/Courier>>/H<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    b"/B<</Type/Font/Subtype/Type1/BaseFont/Courier-Bold>>>>"
)
COURIER = 0.6
"""Advance of every letter of Courier, in em."""


def stream(content: bytes, entries: bytes = b"") -> bytes:
    """Write a stream object."""
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(content), content)


def text_pdf(drawing: bytes, page: bytes = b"", *more: bytes, resources: bytes = b"", catalog: bytes = b"") -> bytes:
    """Write a PDF of one page, 400 x 500 pt unless `page` has a MediaBox; `more` are its objects from 5 on."""
    boxes = page if b"MediaBox" in page else b"/MediaBox[0 0 400 500]" + page
    objects = (
        b"<</Type/Catalog/Pages 2 0 R%s>>" % catalog,
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<<%s%s>>%s>>" % (FONTS, resources, boxes),
        stream(drawing),
        *more,
    )
    out, offsets = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    trailer = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table) + trailer


def shown(x: float, y: float, text: str, size: float = 10, font: str = "C", before: str = "") -> bytes:
    """Write the operators that show a text at a place of user space."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT {before} /{font} {size:g} Tf {x:.4f} {y:.4f} Td ({escaped}) Tj ET\n".encode("latin-1")


@dataclass(frozen=True)
class Opened:
    """One page in both libraries, with the size of its frame."""

    page: Any
    plumber: Any
    size: tuple[float, float]

    @property
    def to_frame(self) -> Affine:
        """The map from user space."""
        return frame_of(self.page, self.size)

    def both(self) -> tuple[Glyphs, Glyphs]:
        """Read the page with both readers."""
        return plumber_glyphs(self.plumber, self.to_frame), pdfium_glyphs(self.page, self.to_frame)


@contextmanager
def opened(content: bytes, unit: float = 1) -> Iterator[Opened]:
    """Open the first page of a PDF; `unit` is the points of its user space's unit."""
    document = pypdfium2.PdfDocument(content)
    page = document[0]
    width, height = page.get_size()
    try:
        with pdfplumber.open(BytesIO(content)) as plumber:
            yield Opened(page, plumber.pages[0], (width * unit, height * unit))
    finally:
        page.close()
        document.close()


def typed(
    text: str, x: float = 0, y: float = 100, *, size: float = 10, angle: float = 0, advance: float = 0.6, font: int = 0
) -> Glyphs:
    """Set a text on a baseline, every letter with the same advance in em."""
    way = advance * size
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    along = np.arange(len(text)) * way
    origins = np.column_stack([x + along * cos, y + along * sin])
    corners = [
        origins + np.array([a * cos - b * sin, a * sin + b * cos]) for a in (0, way) for b in (-0.8 * size, 0.2 * size)
    ]
    boxes = np.hstack([np.min(corners, axis=0), np.max(corners, axis=0)])
    many = len(text)
    return Glyphs(
        tuple(text),
        boxes,
        origins,
        np.full(many, float(angle)),
        np.full(many, way),
        np.full(many, float(size)),
        np.full(many, font, np.int64),
        np.full((many, 4), np.nan),
        np.zeros(many, np.bool_),
    )


def together(parts: Sequence[Glyphs]) -> Glyphs:
    """Return the glyphs of several texts in a row."""
    return Glyphs(
        tuple(text for part in parts for text in part.texts),
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("boxes", "origins", "angles", "advances", "sizes", "fonts", "inks", "unpainted")
        ),
    )


BOXES = {
    "plain": b"/MediaBox[0 0 400 500]",
    "cropped": b"/MediaBox[0 0 400 500]/CropBox[20 40 390 470]",
    "off the origin": b"/MediaBox[-50 30 350 530]/CropBox[-20 60 340 500]",
    "reversed corners": b"/MediaBox[400 500 0 0]/CropBox[390 470 20 40]",
}
CORNERS = {
    "plain": (0, 500, 400, 500),
    "cropped": (20, 470, 370, 430),
    "off the origin": (-20, 500, 360, 440),
    "reversed corners": (20, 470, 370, 430),
}
"""Left and top of the visible box in user space, its width and its height."""


@pytest.mark.parametrize("boxes", BOXES)
@pytest.mark.parametrize("rotate", [0, 90, 180, 270, -90, 450])
@pytest.mark.parametrize("unit", [1, 2.5])
def test_both_readers_put_glyphs_into_the_page_frame(boxes: str, rotate: int, unit: float) -> None:
    content = text_pdf(shown(120, 200, "Ledger"), BOXES[boxes] + b"/Rotate %d" % rotate)
    left, top, width, height = CORNERS[boxes]
    x, y = 120 - left, top - 200
    turns = rotate // 90 % 4
    across, down = [(x, y), (height - y, x), (width - x, height - y), (y, width - x)][turns]
    with opened(content, unit) as page:
        for glyphs in page.both():
            assert "".join(glyphs.texts) == "Ledger"
            assert glyphs.origins[0] == pytest.approx((across * unit, down * unit), abs=0.02)
            assert glyphs.sizes == pytest.approx(10 * unit, abs=0.02)
            assert glyphs.advances == pytest.approx(6 * unit, abs=0.02)
            assert np.round(glyphs.angles) % 360 == pytest.approx(90 * turns)


@given(
    places=st.lists(
        st.tuples(st.integers(30, 330), st.integers(50, 450), st.text(string.ascii_letters, min_size=1, max_size=6)),
        min_size=1,
        max_size=6,
    ),
    rotate=st.sampled_from([0, 90, 180, 270]),
    slant=st.floats(-4, 4),
)
@settings(deadline=None, max_examples=40)
def test_two_readers_agree_on_characters_places_and_sizes(
    places: list[tuple[int, int, str]], rotate: int, slant: float
) -> None:
    # The same letters painted again a few points away are fake bold to one reader and a second word to the other.
    pairs = combinations(places, 2)
    assume(all(one[2] != other[2] or max(abs(one[0] - other[0]), abs(one[1] - other[1])) > 5 for one, other in pairs))
    cos, sin = np.cos(np.radians(slant)), np.sin(np.radians(slant))
    drawing = b"".join(
        f"BT /C 11 Tf {cos:.6f} {sin:.6f} {-sin:.6f} {cos:.6f} {x} {y} Tm ({text}) Tj ET\n".encode()
        for x, y, text in places
    )
    with opened(text_pdf(drawing, BOXES["cropped"] + b"/Rotate %d" % rotate)) as page:
        mine, theirs = (painted_once(glyphs) for glyphs in page.both())
    assert agreement(mine, theirs) == 1
    joined = with_ink(mine, theirs)
    assert paired(joined) == 1
    turns = (mine.angles - (rotate - slant) + 180) % 360 - 180
    assert np.abs(turns).max() < 0.01
    assert mine.sizes == pytest.approx(11, abs=0.05)
    assert mine.advances == pytest.approx(6.6, abs=0.05)
    assert theirs.sizes == pytest.approx(11, abs=0.05)


def test_raised_letters_are_on_their_own_baseline() -> None:
    with opened(text_pdf(b"BT /C 10 Tf 50 100 Td (word word word) Tj 4 Ts (2) Tj ET")) as page:
        mine, theirs = page.both()
    assert mine.origins[-1] == pytest.approx(theirs.origins[-1], abs=0.05)
    assert mine.origins[-1, 1] == pytest.approx(mine.origins[0, 1] - 4, abs=0.05)


def test_the_words_within_forms_are_read_in_the_order_of_drawing() -> None:
    form = stream(shown(0, 0, "inner"), b"/Type/XObject/Subtype/Form/BBox[-9 -9 99 99]/Resources<<%s>>" % FONTS)
    drawing = shown(50, 300, "first") + b"q 1 0 0 1 50 200 cm /F Do Q " + shown(50, 100, "last")
    with opened(text_pdf(drawing, b"", form, resources=b"/XObject<</F 5 0 R>>")) as page:
        mine, theirs = page.both()
    assert "".join(mine.texts) == "".join(theirs.texts) == "firstinnerlast"
    assert mine.origins == pytest.approx(theirs.origins, abs=0.05)


def test_a_glyph_without_a_known_character_is_u_fffd() -> None:
    font = b"<</Type/Font/Subtype/Type0/BaseFont/Unknown/Encoding/Identity-H/DescendantFonts[6 0 R]>>"
    descendant = (
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont/Unknown/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
        b"/Supplement 0>>/DW 600/FontDescriptor<</Type/FontDescriptor/FontName/Unknown/Flags 4/FontBBox[0 0 600 800]"
        b"/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>>>"
    )
    fonts = b"/Font<</Z 5 0 R>>"
    drawing = b"BT /Z 10 Tf 50 100 Td <00210022> Tj ET"
    page = b"/MediaBox[0 0 400 500]/Resources<<%s>>" % fonts
    with opened(text_pdf(drawing, page, font, descendant)) as found:
        assert found.both()[0].texts == (UNKNOWN, UNKNOWN)


def test_a_ligature_keeps_all_its_letters_with_both_readers() -> None:
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode 6 0 R>>"
    mapping = stream(
        b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange "
        b"2 beginbfchar <61> <00660066> <62> <006600660069> endbfchar endcmap"
    )
    page = b"/MediaBox[0 0 400 500]/Resources<</Font<</L 5 0 R>>>>"
    with opened(text_pdf(b"BT /L 10 Tf 50 100 Td (ab) Tj ET", page, font, mapping)) as found:
        for glyphs in found.both():
            assert painted_once(glyphs).texts == ("ff", "ffi")


def test_what_the_file_says_not_to_paint_is_known() -> None:
    with opened(text_pdf(shown(50, 100, "seen") + shown(50, 80, "hid", before="3 Tr"))) as page:
        mine, theirs = page.both()
    assert with_ink(mine, theirs).unpainted.tolist() == [False] * 4 + [True] * 3


WORDS = st.text(string.ascii_letters + string.digits, min_size=1, max_size=12)


@given(WORDS, st.floats(0, 0.09), st.floats(0, 0.09), st.booleans())
def test_fake_bold_comes_back_once(text: str, right: float, down: float, letter_by_letter: bool) -> None:
    once = typed(text)
    again = typed(text, x=right * 7, y=100 + down * 7)
    twice = together([once, again])
    if letter_by_letter:
        order = [at for index in range(len(text)) for at in (index, len(text) + index)]
        twice = twice.take(order)
    kept = painted_once(twice)
    assert kept.texts == tuple(text)
    assert kept.origins == pytest.approx(once.origins)


@given(WORDS, st.sampled_from([0.2, 0.278, 0.6, 1.0]))
def test_doubled_letters_and_digits_painted_once_come_back_whole(text: str, advance: float) -> None:
    doubled = "".join(letter * 2 for letter in text)
    assert painted_once(typed(doubled, advance=advance)).texts == tuple(doubled)


def test_painted_text_is_not_dropped_for_an_unpainted_copy() -> None:
    copy = typed("word")
    kept = painted_once(together([replace(copy, unpainted=np.ones(4, np.bool_)), copy]))
    assert len(kept) == 8
    assert painted_once(together([copy, replace(copy, unpainted=np.ones(4, np.bool_))])).texts == tuple("word")


def test_agreement_compares_what_can_be_seen() -> None:
    assert agreement(no_glyphs(), no_glyphs()) == 1
    assert agreement(typed("of fice"), replace(typed("x"), texts=("office",))) == 1
    assert agreement(replace(typed("x"), texts=("\ufb01",)), typed("fi")) == 1
    assert agreement(typed("abcd"), typed("ab")) == 0.5
    assert visible_characters(typed(f"a {UNKNOWN}\x03\u00ad")).total() == 1


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_a_font_of_false_size_gets_the_boxes_of_its_ink(factor: float) -> None:
    true = typed("Ledgers")
    inks = np.column_stack([true.boxes[:, 0] + 1, np.full(7, 93.0), true.boxes[:, 2] - 1, np.full(7, 100.0)])
    false = replace(true, sizes=true.sizes * factor, inks=inks)
    found = corrected(false)
    assert found.sizes == pytest.approx(10)
    assert found.boxes == pytest.approx(inks)


def test_a_font_whose_boxes_miss_its_ink_gets_the_boxes_of_its_ink() -> None:
    true = typed("Ledgers")
    inks = true.boxes + np.array([1, 2, -1, -2])
    assert corrected(replace(true, inks=inks)).boxes == pytest.approx(true.boxes)
    shifted = replace(true, inks=inks, boxes=true.boxes + np.array([0, 30, 0, 30]))
    assert corrected(shifted).boxes == pytest.approx(inks)
    assert corrected(shifted).sizes == pytest.approx(10)
