"""The two readers of a PDF page's glyphs, pdfplumber and pdfium, each brought into the page frame.

The page frame is the visible page: crop box after `/Rotate`, origin top-left. pdfplumber reports against the media box
after `/Rotate`, with an origin that depends on both; so its map from user space is undone first, exactly as pdfminer
makes it, and the page's own map to the frame applied. pdfium reports in user space.
"""

from __future__ import annotations

import ctypes
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import pdfplumber.page
import pypdfium2.raw as pdfium
from numpy.typing import NDArray
from pdfminer.layout import LTChar, LTContainer
from pdfminer.pdfexceptions import PDFException
from pdfminer.psexceptions import PSException
from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException

from ocrprep.pages import Affine
from ocrprep.sources.glyphs import UNKNOWN, Floats, Glyphs, no_glyphs

PLUMBER_FAULTS: tuple[type[Exception], ...] = (
    PdfminerException,  # pdfplumber's cover of whatever pdfminer raises while it interprets a page
    MalformedPDFException,
    PDFException,
    PSException,
    TypeError,  # boxes and rotations of another type than a page's must have
    ValueError,
    LookupError,
    AttributeError,  # an object of one kind where a dictionary or a stream is expected
    ArithmeticError,
    AssertionError,  # pdfminer's own checks
    RecursionError,  # references that go round in circles
    MemoryError,
    NotImplementedError,
    struct.error,
    zlib.error,
)
"""What pdfplumber and pdfminer raise on damaged files. Only their calls stand in the `try` block that catches them."""

_UNPAINTED = {pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP}

_VERTICAL = 0.1
"""Share of its size by which a glyph's middle lies off the middle of its advance where it is written downwards."""

_RISEN = 0.02
"""Share of its size from which a glyph counts as raised: rounding makes less."""

_LINE_END_HYPHEN = 2
"""The character that pdfium puts in the place of a hyphen that ends a line."""

_SURROGATES = range(0xD800, 0xDC00), range(0xDC00, 0xE000)


def plumber_glyphs(page: pdfplumber.page.Page, to_frame: Affine) -> Glyphs:
    """Return a page's glyphs as pdfplumber reads them; `to_frame` is the map from user space to the page frame.

    Raises one of `PLUMBER_FAULTS` for a page that it cannot read.
    """
    # The layout's own objects: `page.chars` makes a dictionary of every glyph, and of every line and curve besides.
    found = list(_characters(page.layout))
    if not found:
        return no_glyphs()
    moved = _inverse(_pdfminer_map(page)).then(to_frame)
    boxes = np.array([each.bbox for each in found], dtype=np.float64)
    matrices = np.array([each.matrix for each in found], dtype=np.float64)
    advances = np.array([each.adv for each in found], dtype=np.float64)
    fonts: dict[str, int] = {}
    numbers = np.array([fonts.setdefault(str(each.fontname), len(fonts)) for each in found], dtype=np.int64)
    texts = tuple(_known(each.get_text()) for each in found)
    with np.errstate(all="ignore"):
        heights = _heights(matrices, boxes, advances)
        middles = _middles(matrices, boxes)
        reach = _VERTICAL * np.maximum(heights, np.abs(advances))
        vertical = np.abs(middles[:, 0] - advances / 2) > reach
        starts = _risen(matrices, _rises(middles[:, 1], heights, numbers))
        # A vertical glyph's width is its font's size, and its advance points along the other axis.
        width, down = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
        linear = _linear(matrices, moved)
        unit = np.sqrt(np.abs(np.linalg.det(_pair(moved))))
        along = np.where(vertical[:, None], linear[:, 1], linear[:, 0]) * np.where(advances < 0, -1, 1)[:, None]
        stretch = np.hypot(linear[:, 0, 0], linear[:, 0, 1])
        sizes = np.where(vertical, np.minimum(width, down) * unit, heights * np.abs(np.linalg.det(linear)) / stretch)
        glyphs = Glyphs(
            texts=texts,
            boxes=_boxes(boxes, moved),
            origins=_points(starts, moved),
            angles=np.degrees(np.arctan2(along[:, 1], along[:, 0])),
            advances=np.abs(advances) * np.hypot(along[:, 0], along[:, 1]),
            sizes=sizes,
            fonts=numbers,
            inks=np.full((len(found), 4), np.nan),
            unpainted=np.zeros(len(found), np.bool_),
        )
    return _finite(glyphs)


def pdfium_glyphs(page: Any, to_frame: Affine) -> Glyphs:
    """Return a page's glyphs as pdfium reads them, without the spaces and line ends that it makes up."""
    text_page = pdfium.FPDFText_LoadPage(page)
    if not text_page:
        return no_glyphs()
    try:
        return _finite(_of_text_page(text_page, to_frame))
    finally:
        pdfium.FPDFText_ClosePage(text_page)


@dataclass(slots=True)
class _Rows:
    """What pdfium tells of each character; `styles` are those of its text object."""

    texts: list[str] = field(default_factory=list)
    loose: list[tuple[float, ...]] = field(default_factory=list)
    tight: list[tuple[float, ...]] = field(default_factory=list)
    origins: list[tuple[float, float]] = field(default_factory=list)
    styles: list[_Style] = field(default_factory=list)


def _rows(text_page: Any) -> _Rows:
    rows, last = _Rows(), 0
    texts, styles = rows.texts, dict[int, _Style]()
    left, bottom, right, top = (ctypes.c_double() for _ in range(4))
    x, y, rectangle = ctypes.c_double(), ctypes.c_double(), pdfium.FS_RECTF()
    for index in range(pdfium.FPDFText_CountChars(text_page)):
        code = pdfium.FPDFText_GetUnicode(text_page, index)
        hyphen = code == _LINE_END_HYPHEN and pdfium.FPDFText_IsHyphen(text_page, index) == 1
        if pdfium.FPDFText_IsGenerated(text_page, index) == 1 and not hyphen:
            continue
        if code in _SURROGATES[1] and texts and len(texts[-1]) == 1 and ord(texts[-1]) in _SURROGATES[0]:
            texts[-1] = (texts[-1] + chr(code)).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            continue
        drawn = pdfium.FPDFText_GetTextObject(text_page, index)
        key = ctypes.cast(drawn, ctypes.c_void_p).value or 0
        if key not in styles:
            styles[key] = _style(text_page, index, drawn)
        pdfium.FPDFText_GetCharBox(text_page, index, left, right, bottom, top)
        pdfium.FPDFText_GetLooseCharBox(text_page, index, rectangle)
        pdfium.FPDFText_GetCharOrigin(text_page, index, x, y)
        text = "-" if hyphen else chr(code) if code else UNKNOWN
        if texts and last == key and rows.origins[-1] == (x.value, y.value):
            # A ligature is taken apart into letters that all have its place.
            texts[-1] += text
            continue
        last = key
        texts.append(text)
        rows.tight.append((left.value, bottom.value, right.value, top.value))
        rows.loose.append((rectangle.left, rectangle.bottom, rectangle.right, rectangle.top))
        rows.origins.append((x.value, y.value))
        rows.styles.append(styles[key])
    return rows


def _of_text_page(text_page: Any, to_frame: Affine) -> Glyphs:
    rows = _rows(text_page)
    if not rows.texts:
        return no_glyphs()
    font_sizes = np.array([style.size for style in rows.styles], dtype=np.float64)
    with np.errstate(all="ignore"):
        linear = _linear(np.array([style.matrix for style in rows.styles], dtype=np.float64), to_frame)
        along = linear[:, 0] * np.where(font_sizes < 0, -1, 1)[:, None]
        length = np.hypot(along[:, 0], along[:, 1])
        sizes = np.abs(font_sizes) * np.abs(np.linalg.det(linear)) / length
        boxes = _boxes(np.array(rows.loose, dtype=np.float64), to_frame)
        return Glyphs(
            texts=tuple(rows.texts),
            boxes=boxes,
            origins=_points(np.array(rows.origins, dtype=np.float64), to_frame),
            angles=np.degrees(np.arctan2(along[:, 1], along[:, 0])),
            advances=_extents(boxes, np.abs(along) / length[:, None], sizes),
            sizes=sizes,
            fonts=np.array([style.font for style in rows.styles], dtype=np.int64),
            inks=_boxes(np.array(rows.tight, dtype=np.float64), to_frame),
            unpainted=np.array([style.unpainted for style in rows.styles], dtype=np.bool_),
        )


class _Style(NamedTuple):
    """What the glyphs of one text object share."""

    matrix: tuple[float, float, float, float]
    size: float
    font: int
    unpainted: bool


def _style(text_page: Any, index: int, drawn: Any) -> _Style:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(text_page, index, matrix)
    size = pdfium.FPDFText_GetFontSize(text_page, index)
    font = ctypes.cast(pdfium.FPDFTextObj_GetFont(drawn), ctypes.c_void_p).value or 0 if drawn else 0
    hidden = bool(drawn) and pdfium.FPDFTextObj_GetTextRenderMode(drawn) in _UNPAINTED
    return _Style((matrix.a, matrix.b, matrix.c, matrix.d), size, font, hidden)


def _characters(layout: Any) -> Iterator[LTChar]:
    """Yield the characters of a layout, also within figures, in the order of the file."""
    waiting = [iter(layout)]
    while waiting:
        for each in waiting[-1]:
            if isinstance(each, LTChar):
                yield each
            elif isinstance(each, LTContainer):
                waiting.append(iter(each))
                break
        else:
            waiting.pop()


def _known(text: str) -> str:
    return UNKNOWN if text.startswith("(cid:") and text.endswith(")") else text


def _pdfminer_map(page: pdfplumber.page.Page) -> Affine:
    """Return pdfminer's map from user space to its own frame, of which it knows just four."""
    x0, y0, x1, y1 = (float(each) for each in page.page_obj.mediabox)
    return {
        90: Affine(0, -1, 1, 0, -y0, x1),
        180: Affine(-1, 0, 0, -1, x1, y1),
        270: Affine(0, 1, -1, 0, y1, -x0),
    }.get(page.page_obj.rotate, Affine(1, 0, 0, 1, -x0, -y0))


def _inverse(turn: Affine) -> Affine:
    """Return the inverse of a map by quarter turns, whose determinant is 1."""
    a, b, c, d, e, f = turn
    return Affine(d, -b, -c, a, c * f - d * e, b * e - a * f)


def _pair(affine: Affine) -> Floats:
    return np.array([[affine.a, affine.b], [affine.c, affine.d]], dtype=np.float64)


def _linear(matrices: Floats, affine: Affine) -> Floats:
    """Return the images of both axes of each text space, as rows."""
    return np.asarray(matrices[:, :4].reshape(-1, 2, 2) @ _pair(affine))


def _points(points: Floats, affine: Affine) -> Floats:
    return np.asarray(points @ _pair(affine) + np.array([affine.e, affine.f]))


def _boxes(boxes: Floats, affine: Affine) -> Floats:
    """Map upright boxes by quarter turns."""
    one, other = _points(boxes[:, :2], affine), _points(boxes[:, 2:], affine)
    return np.hstack([np.minimum(one, other), np.maximum(one, other)])


def _heights(matrices: Floats, boxes: Floats, advances: Floats) -> Floats:
    """Return the height of glyphs in their text space: pdfminer keeps only the box around the mapped one."""
    a, b, c, d = (np.abs(matrices[:, column]) for column in range(4))
    long = np.abs(advances)
    down = (boxes[:, 3] - boxes[:, 1] - b * long) / d
    across = (boxes[:, 2] - boxes[:, 0] - a * long) / c
    return np.asarray(np.maximum(np.where(d >= c, down, across), 0))


def _middles(matrices: Floats, boxes: Floats) -> Floats:
    """Return the middle of each box in its text space."""
    a, b, c, d, e, f = (matrices[:, column] for column in range(6))
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2 - e, (boxes[:, 1] + boxes[:, 3]) / 2 - f
    return np.column_stack([(d * x - c * y), (a * y - b * x)]) / (a * d - b * c)[:, None]


def _rises(middles: Floats, heights: Floats, fonts: NDArray[np.int64]) -> Floats:
    """Return how far glyphs are raised: pdfminer tells it of their boxes only, whose place over the baseline is each
    font's own, so most glyphs of the font tell it.
    """
    shares = np.nan_to_num(middles / heights)
    usual = np.zeros(len(fonts))
    for font in range(int(fonts.max()) + 1):
        usual[fonts == font] = np.median(shares[fonts == font])
    rises = (shares - usual) * heights
    return np.asarray(np.where(np.abs(rises) > _RISEN * heights, rises, 0))


def _risen(matrices: Floats, rises: Floats) -> Floats:
    """Return where glyphs start on their baseline."""
    return np.asarray(matrices[:, 4:6] + matrices[:, 2:4] * rises[:, None])


def _extents(boxes: Floats, along: Floats, sizes: Floats) -> Floats:
    """Return how far boxes reach along the direction of writing, also where they stand around slanted glyphs."""
    wide, high = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    level = along[:, 0] >= along[:, 1]
    slanted = np.where(level, wide - sizes * along[:, 1], high - sizes * along[:, 0])
    return np.asarray(np.maximum(slanted / np.where(level, along[:, 0], along[:, 1]), 0))


def _finite(glyphs: Glyphs) -> Glyphs:
    """Leave out glyphs of which no place can be told; those of a crushed text space have no size."""
    flat = {name: np.nan_to_num(getattr(glyphs, name), nan=0, posinf=0) for name in ("advances", "sizes", "angles")}
    glyphs = replace(glyphs, **flat)
    numbers = np.column_stack([glyphs.boxes, glyphs.origins])
    good = np.isfinite(numbers).all(axis=1)
    return glyphs if good.all() else glyphs.take(np.flatnonzero(good))
