"""The text of a PDF page, sorted by whether it can be seen.

In order: read the page's glyphs with both readers, and take pdfplumber's unless pdfium proves them wrong; paint what is
painted twice once; set the glyphs into lines of words; draw the page with and without its text, and ask of every word
whether it leaves ink; and sort the words. Those outside the visible page, and those too small to be read, are asides;
those that leave ink are visible; the others, which somebody's OCR or a hidden layer put there, are invisible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import numpy as np
import pdfplumber.page
import pypdfium2
from numpy.typing import NDArray

from ocrprep.pages import Affine, Aside, Box, PageWarning
from ocrprep.sources.faults import reason_of
from ocrprep.sources.glyph_readers import PLUMBER_FAULTS, pdfium_glyphs, plumber_glyphs
from ocrprep.sources.glyphs import (
    READERS_AGREE,
    READERS_PAIR,
    Glyphs,
    agreement,
    corrected,
    painted_once,
    paired,
    visible_characters,
    with_ink,
    without_repeats,
)
from ocrprep.sources.page_image import Contents, frame_of
from ocrprep.sources.page_text import TextLayer
from ocrprep.sources.resolution import LETTER_INCHES, PAPER, POINTS
from ocrprep.sources.text_lines import (
    SetLine,
    SetWord,
    finished,
    line_boxes,
    set_lines,
    turns_upright,
    word_boxes,
    word_sizes,
    word_text,
)
from ocrprep.sources.visible_text import TextInk, text_ink

READABLE = 1.0
"""Letter height in pt under which text is too small to be meant for readers: the smallest print of law is 4 pt, of
microfilm targets and bank notes 1 pt and more."""

SEEN = 0.5
"""Share of a word's letters that must leave ink: the boxes of a clipped or covered word's neighbours reach into it."""

_GRID = 256
"""Cells each way of the grid on which images are laid: a side of an image is a 500th of the page's off at most."""

Sort = Literal["visible", "invisible", "outside_crop", "hidden_text"]


def text_layer(
    page: pypdfium2.PdfPage,
    plumber: pdfplumber.page.Page | None,
    size: tuple[float, float],
    image_coverage: float,
    *,
    most_pixels: int,
) -> TextLayer:
    """Read and sort the text of a page whose frame is `size` pt, drawing at most `most_pixels` pixels at a time.

    `plumber` is the same page in pdfplumber, null where it has none. The page is drawn, and left as it was. Without any
    text no ink is looked for. Raises PdfiumError when the page cannot be drawn.
    """
    glyphs, reader, warnings = _read(page, plumber, frame_of(page, size))
    lines = set_lines(glyphs)
    ink = text_ink(page, size, _letter_sizes(glyphs, size), most_pixels) if len(glyphs) else None
    sorted_lines = dict(_sorted(lines, glyphs, size, ink))
    visible, invisible = sorted_lines["visible"], sorted_lines["invisible"]
    turns = turns_upright(visible or invisible)
    return TextLayer(
        visible=finished(visible, glyphs, "text_layer", turns),
        invisible=finished(invisible, glyphs, "imported", turns),
        asides=tuple(_asides(sorted_lines, glyphs)),
        visible_ink=None if ink is None else ink.share,
        other_ink=0.0 if ink is None else ink.other,
        image_coverage=image_coverage,
        turns=turns,
        reader=reader,
        warnings=warnings,
    )


def image_coverage(found: Contents, page: pypdfium2.PdfPage, size: tuple[float, float]) -> float:
    """Return the share, 0 to 1, of a page of `size` pt that lies under the boxes of its images."""
    to_grid = frame_of(page, size).then(Affine.scale(_GRID / size[0], _GRID / size[1]))
    covered = np.zeros((_GRID, _GRID), np.bool_)
    for embedded in found.images:
        box = embedded.matrix.then(to_grid).box(Box(0, 0, 1, 1))
        if not np.isfinite(box).all():
            continue
        # A cell counts when its middle is covered.
        x0, top, x1, bottom = (round(min(max(edge, 0), _GRID)) for edge in box)
        covered[top:bottom, x0:x1] = True
    return float(covered.mean())


def _read(
    page: pypdfium2.PdfPage, plumber: pdfplumber.page.Page | None, to_frame: Affine
) -> tuple[Glyphs, Literal["pdfplumber", "pdfium"], tuple[PageWarning, ...]]:
    """Return the better reader's glyphs, and a warning where the readers disagree."""
    second = painted_once(pdfium_glyphs(page, to_frame))
    if plumber is None:
        return corrected(second), "pdfium", ()
    try:
        first, repeated = without_repeats(plumber_glyphs(plumber, to_frame))
    except PLUMBER_FAULTS as error:
        return (
            corrected(second),
            "pdfium",
            _disagree(f"pdfplumber cannot read the text of this page ({reason_of(error)}), pdfium's is taken"),
        )
    first = with_ink(first, second, repeated)
    common = agreement(first, second)
    seen, others = visible_characters(first), visible_characters(second)
    mine, theirs = seen.total(), others.total()
    # pdfminer takes some hyphens for spaces: a reader that only lacks characters is not believed for a single one.
    if common < READERS_AGREE or (others - seen and not seen - others):
        counts = f"pdfplumber reads {mine:,} characters on this page and pdfium {theirs:,}, of which {common:.0%} agree"
        if theirs < READERS_AGREE * mine:
            return corrected(first), "pdfplumber", _disagree(f"{counts}: pdfplumber's are taken")
        return corrected(second), "pdfium", _disagree(f"{counts}: pdfium's are taken")
    placed = paired(first)
    if placed < READERS_PAIR:
        places = f"pdfplumber and pdfium put only {placed:.0%} of this page's characters in the same place"
        return corrected(second), "pdfium", _disagree(f"{places}: pdfium's places are taken")
    return corrected(first), "pdfplumber", ()


def _disagree(message: str) -> tuple[PageWarning, ...]:
    return (PageWarning("text_readers_disagree", message),)


def _smallest(size: tuple[float, float]) -> float:
    """Return the letter height in pt under which text is too small, also on a page that is not of the size of paper."""
    longest = max(size)
    return READABLE if longest >= PAPER[0] else READABLE * longest / (LETTER_INCHES * POINTS)


def _letter_sizes(glyphs: Glyphs, size: tuple[float, float]) -> NDArray[np.float64]:
    return glyphs.sizes[glyphs.sizes >= _smallest(size)]


def _sorted(
    lines: Sequence[SetLine], glyphs: Glyphs, size: tuple[float, float], ink: TextInk | None
) -> Iterator[tuple[Sort, list[SetLine]]]:
    """Yield the lines of each sort: a line whose words differ becomes one of each."""
    sorts = _sorts([word for line in lines for word in line.words], glyphs, size, ink)
    of_line: dict[Sort, list[SetLine]] = {"visible": [], "invisible": [], "outside_crop": [], "hidden_text": []}
    at = 0
    for line in lines:
        own = _settled(sorts[at : at + len(line.words)], line, glyphs)
        at += len(line.words)
        for sort, found in of_line.items():
            words = tuple(word for word, each in zip(line.words, own, strict=True) if each == sort)
            if words:
                found.append(SetLine(words, line.angle))
    yield from of_line.items()


def _sorts(words: Sequence[SetWord], glyphs: Glyphs, size: tuple[float, float], ink: TextInk | None) -> list[Sort]:
    seen = _seen(glyphs, ink)
    smallest = _smallest(size)
    sorts: list[Sort] = []
    for word, box, letters in zip(words, word_boxes(words, glyphs), word_sizes(words, glyphs), strict=True):
        x, y = box.centre
        if not (0 <= x <= size[0] and 0 <= y <= size[1]):
            sorts.append("outside_crop")
        elif letters < smallest:
            sorts.append("hidden_text")
        else:
            sorts.append(
                "visible" if sum(seen[index] for index in word.glyphs) >= SEEN * len(word.glyphs) else "invisible"
            )
    return sorts


def _seen(glyphs: Glyphs, ink: TextInk | None) -> list[bool]:
    """Tell which glyphs leave ink: where their strokes are, or in their boxes where their strokes are not known."""
    if ink is None:
        return []
    known = (glyphs.inks[:, 2] > glyphs.inks[:, 0]) & (glyphs.inks[:, 3] > glyphs.inks[:, 1])
    strokes = np.where(known[:, None], glyphs.inks, glyphs.boxes)
    return [bool(each) for each in ((ink.under(strokes) > 0) & ~glyphs.unpainted).tolist()]


def _settled(sorts: list[Sort], line: SetLine, glyphs: Glyphs) -> list[Sort]:
    """Let stops and dashes that stand alone be as visible as the rest of their line: they leave next to no ink."""
    known = [
        sort
        for sort, word in zip(sorts, line.words, strict=True)
        if any(each.isalnum() for each in word_text(word, glyphs))
    ]
    if "visible" not in known or 2 * known.count("visible") < len(known):
        return sorts
    return [
        "visible"
        if sort == "invisible"
        and not any(each.isalnum() for each in word_text(word, glyphs))
        and not glyphs.unpainted[list(word.glyphs)].all()
        else sort
        for sort, word in zip(sorts, line.words, strict=True)
    ]


def _asides(sorted_lines: dict[Sort, list[SetLine]], glyphs: Glyphs) -> Iterable[Aside]:
    for kind in ("outside_crop", "hidden_text"):
        for line, box in zip(sorted_lines[kind], line_boxes(sorted_lines[kind], glyphs), strict=True):
            yield Aside(kind, " ".join(word_text(word, glyphs) for word in line.words), box)
