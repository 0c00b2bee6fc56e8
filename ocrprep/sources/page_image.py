"""Whether a PDF page is one image, whose own pixels are then taken: rendering them anew would blur or bloat them.

In order: list what the page draws; ask for exactly one image and nothing else to see; ask that it lies upright, or
turned by quarters, over the whole visible page at a sane resolution; take its pixels; and believe them only when a
small rendering of the page looks the same. The last step catches what the first cannot see: inversion, masks,
transparency, clipping, hidden layers.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageChops

from ocrprep.options import RecognitionOptions
from ocrprep.pages import Affine, Box, ImageTransformation, Raster
from ocrprep.sources.raster import grey_image, raster_of, turned
from ocrprep.sources.resolution import LONGEST_SIDE, POINTS, own_pixels_reason

_DEEPEST = 15
"""Levels of form XObjects that are looked into; what lies deeper counts as visible."""

_MARGIN = 2.0
_MARGIN_SHARE = 0.02
"""Points, and share of the page's long side, by which an image may miss or exceed the visible page: page sizes are
often rounded to whole points."""

_SQUARE = 1.04
"""Ratio of horizontal to vertical resolution up to which pixels are square; faxes have 2.08, rounded pages 1.003."""

_STRAIGHT = 0.5
_STRAIGHT_SHARE = 0.005
"""Points, and share of the page's long side, by which the far corner of an upright image may be off axis."""

_PROOF_SIDE = 768
_TILE = 24
"""Long side of the small rendering and side of its tiles, in pixels: a tile is a line or two of a letter. pdfium takes
the nearest pixel when it reduces a turned image, so tiles are compared by their means only."""

_MEAN_LIMIT = 4.0
_TILE_LIMIT = 16
"""Grey levels by which the tiles of picture and rendering may differ, on the mean and at worst. On 45 scanned pages of
OCRmyPDF's, pikepdf's and pypdf's test files that agree they differ by 1.5 and 10 at most."""

_UNSEEN_ANNOTATIONS = {pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP}


@dataclass(frozen=True, slots=True)
class Embedded:
    """An image that a page draws: pdfium's object, its size in pixels, and its map from the unit square to the page."""

    drawn: Any
    width: int
    height: int
    matrix: Affine
    filters: tuple[str, ...]

    @property
    def needs_memory(self) -> bool:
        """Whether pdfium decodes the whole image at once."""
        return "JPXDecode" in self.filters


@dataclass(slots=True)
class Contents:
    """What a page draws: its images in drawing order, and whether there is anything else to see."""

    images: list[Embedded] = field(default_factory=list)
    other: bool = False


@dataclass(frozen=True, slots=True)
class PageImage:
    """The one image of a page: turned clockwise by `turns` it covers `box` of the page frame, at `dpi`.

    `reason` tells why its own pixels serve; `trusted` whether `dpi` can be true.
    """

    embedded: Embedded
    turns: int
    box: Box
    dpi: float
    reason: str = "resolution in range"

    @property
    def trusted(self) -> bool:
        """Whether the resolution can be true."""
        return self.reason == "resolution in range"


def contents(page: Any) -> Contents:
    """List what a page draws; text that is invisible, or covered by an image drawn later over it, is not seen.

    Only text is taken for covered, and only `own_pixels` can tell whether it is.
    """
    found = Contents(other=_has_visible_annotations(page))
    text_since_image = False
    for drawn, kind, matrix in drawn_objects(page):
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            found.images.append(_embedded(drawn, matrix))
            text_since_image = False
        elif kind == pdfium.FPDF_PAGEOBJ_TEXT:
            text_since_image |= pdfium.FPDFTextObj_GetTextRenderMode(drawn) != pdfium.FPDF_TEXTRENDERMODE_INVISIBLE
        elif kind != pdfium.FPDF_PAGEOBJ_PATH or _is_painted(drawn):
            found.other = True
    found.other |= text_since_image
    return found


def page_image(page: Any, found: Contents, size: tuple[float, float], options: RecognitionOptions) -> PageImage | str:
    """Return the image that makes up the page of `size` pt, or the reason why the page has to be rendered."""
    if found.other:
        return "draws more than images"
    if len(found.images) != 1:
        return "draws no image" if not found.images else "draws several images"
    embedded = found.images[0]
    if not 0 < embedded.width * embedded.height <= options.max_pixels:
        return "image above the pixel budget"
    if max(embedded.width, embedded.height) > LONGEST_SIDE:
        return f"image side above {LONGEST_SIDE} pixels"
    to_frame = embedded.matrix.then(frame_of(page, size))
    turns = _quarter_turns(to_frame, min(_STRAIGHT, _STRAIGHT_SHARE * max(size)))
    if turns is None:
        return "image slanted or mirrored"
    box = to_frame.box(Box(0, 0, 1, 1))
    missed = max(abs(box.x0), abs(box.top), abs(box.x1 - size[0]), abs(box.bottom - size[1]))
    if missed > min(_MARGIN * _unit(page, size), _MARGIN_SHARE * max(size)):
        return "image does not just fill the page"
    width, height = (embedded.height, embedded.width) if turns % 2 else (embedded.width, embedded.height)
    x_dpi, y_dpi = POINTS * width / box.width, POINTS * height / box.height
    if max(x_dpi, y_dpi) > _SQUARE * min(x_dpi, y_dpi):
        return "image resolution differs between axes"
    dpi = (x_dpi + y_dpi) / 2
    reason = own_pixels_reason(size, (width, height), dpi, options)
    return f"image resolution of {dpi:.0f} dpi" if reason is None else PageImage(embedded, turns, box, dpi, reason)


def image_dpi(page: Any, found: Contents, size: tuple[float, float]) -> float | None:
    """Return the resolution of the image that covers most of a page of `size` pt, null where none has an area.

    It is that of the finer axis.
    """
    to_frame = frame_of(page, size)
    known = []
    for embedded in found.images:
        a, b, c, d, _, _ = embedded.matrix.then(to_frame)
        across, down = math.hypot(a, b), math.hypot(c, d)
        if across > 0 and down > 0 and embedded.width and embedded.height:
            known.append((across * down, POINTS * max(embedded.width / across, embedded.height / down)))
    return max(known)[1] if known else None


def own_pixels(page: Any, image: PageImage) -> tuple[Raster, tuple[ImageTransformation, ...], Affine] | None:
    """Return the image's pixels, upright, with their map to the page frame; null where the page looks different."""
    try:
        bitmap = pypdfium2.PdfImage(image.embedded.drawn, page=page).get_bitmap()
    except pypdfium2.PdfiumError:
        return None
    try:
        mode = str(bitmap.mode)
        grey = bitmap.to_pil().convert("L")
        raster = raster_of(grey, round(image.dpi, 2) if image.trusted else None)
    finally:
        # The pixels are copied by now, so freeing pdfium's copy is safe.
        bitmap.warn_on_close = False
        bitmap.close()
    width, height = raster.width, raster.height
    if (width, height) != (image.embedded.width, image.embedded.height):
        return None
    raster = turned(raster, image.turns)
    if not _looks_alike(page, raster):
        return None
    taken = {"width": width, "height": height, "dpi": round(image.dpi, 2)}
    steps = [ImageTransformation("page_image", taken if image.trusted else {**taken, "reason": image.reason})]
    if mode != "L":
        steps.append(ImageTransformation("grayscale", {"mode": mode}))
    if image.turns:
        steps.append(ImageTransformation("quarter_turn", {"turns": image.turns}))
    box = image.box
    affine = Affine.scale(box.width / raster.width, box.height / raster.height).then(Affine(e=box.x0, f=box.top))
    return raster, tuple(steps), affine


def rendering(page: Any, width: int, height: int) -> Image.Image:
    """Render a page with its annotations and its filled form fields to just so many pixels, as an image of mode L."""
    with painted(page, width, height) as shared:
        return shared.convert("L")


@contextmanager
def painted(page: Any, width: int, height: int) -> Iterator[Image.Image]:
    """Render a page to an image of mode RGBX that lives as long as the context: its memory is pdfium's."""
    # pypdfium2's own `render` makes some sides a pixel too long. BGRx shares its memory with Pillow, and pdfium's own
    # grey mode does not blend transparency as colour does.
    bitmap = pypdfium2.PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_BGRx, rev_byteorder=True)
    try:
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
        if page.formenv:
            pdfium.FPDF_FFLDraw(page.formenv, bitmap, page, 0, 0, width, height, 0, flags)
        yield Image.frombuffer("RGBX", (width, height), bitmap.buffer, "raw", "RGBX", bitmap.stride, 1)
    finally:
        bitmap.close()


def _looks_alike(page: Any, raster: Raster) -> bool:
    """Compare the pixels with a small rendering of the page, over the whole page and tile by tile."""
    width, height = page.get_size()
    scale = _PROOF_SIDE / max(width, height)
    proof = rendering(page, max(1, round(width * scale)), max(1, round(height * scale)))
    picture = grey_image(raster).resize(proof.size, Image.Resampling.BOX)
    tiles = ImageChops.difference(proof.reduce(_TILE), picture.reduce(_TILE)).histogram()
    mean = sum(level * count for level, count in enumerate(tiles)) / sum(tiles)
    return mean <= _MEAN_LIMIT and not any(tiles[_TILE_LIMIT + 1 :])


def drawn_objects(page: Any) -> Iterator[tuple[Any, int, Affine]]:
    """Yield what a page draws, in order: pdfium's object, its kind, and its map to the page's user space."""
    return _within(page, pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject, Affine(), 0)


def _within(holder: Any, count: Any, get: Any, outer: Affine, depth: int) -> Iterator[tuple[Any, int, Affine]]:
    for index in range(count(holder)):
        drawn = get(holder, index)
        kind = pdfium.FPDFPageObj_GetType(drawn)
        matrix = _matrix(drawn).then(outer)
        if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
            yield from _within(drawn, pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject, matrix, depth + 1)
        else:
            yield drawn, kind, matrix


def _matrix(drawn: Any) -> Affine:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(drawn, matrix)
    return Affine(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def _embedded(drawn: Any, matrix: Affine) -> Embedded:
    width, height = ctypes.c_uint(), ctypes.c_uint()
    pdfium.FPDFImageObj_GetImagePixelSize(drawn, width, height)
    return Embedded(drawn, width.value, height.value, matrix, tuple(_filters(drawn)))


def _filters(drawn: Any) -> list[str]:
    names = []
    for index in range(pdfium.FPDFImageObj_GetImageFilterCount(drawn)):
        length = pdfium.FPDFImageObj_GetImageFilter(drawn, index, None, 0)
        name = ctypes.create_string_buffer(length)
        pdfium.FPDFImageObj_GetImageFilter(drawn, index, name, length)
        names.append(name.value.decode("latin-1"))
    return names


def _is_painted(path: Any) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    if not pdfium.FPDFPath_GetDrawMode(path, fill, stroke):
        return True
    return fill.value != pdfium.FPDF_FILLMODE_NONE or bool(stroke.value)


def _has_visible_annotations(page: Any) -> bool:
    for index in range(pdfium.FPDFPage_GetAnnotCount(page)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        pdfium.FPDFPage_CloseAnnot(annotation)
        if kind not in _UNSEEN_ANNOTATIONS:
            return True
    return False


def frame_of(page: Any, size: tuple[float, float]) -> Affine:
    """Return the map from a page's user space to its frame of `size` pt.

    In order: the visible box's top-left corner, the length of the page's unit, then `/Rotate`.
    """
    left, _, _, top = page.get_bbox()
    turns = pdfium.FPDFPage_GetRotation(page)
    width, height = (size[1], size[0]) if turns % 2 else size
    unit = _unit(page, size)
    return Affine(unit, 0, 0, -unit, -left * unit, top * unit).then(Affine.quarter_turns(turns, width, height))


def _unit(page: Any, size: tuple[float, float]) -> float:
    """Return the points of one unit of a page's user space, which pdfium does not know."""
    return size[0] / float(page.get_width())


def _quarter_turns(to_frame: Affine, tolerance: float) -> int | None:
    """Return how often an image is turned clockwise in the page frame, null where it is slanted or mirrored.

    `to_frame` maps the unit square, whose y axis points up the image, to the frame, whose y axis points down the page;
    `tolerance` is in points.
    """
    a, b, c, d, _, _ = to_frame
    if max(abs(b), abs(c)) <= tolerance:
        return {(True, False): 0, (False, True): 2}.get((a > 0, d > 0))
    if max(abs(a), abs(d)) <= tolerance:
        return {(True, True): 1, (False, False): 3}.get((b > 0, c > 0))
    return None
