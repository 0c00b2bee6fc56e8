"""The glyphs of a PDF page in its page frame, as pdfplumber and as pdfium read them, in the order of the file.

pdfplumber is the reader of choice: it keeps the file's order and every glyph. pdfium is the second opinion: it repairs
files that the other cannot read, knows where each glyph's ink is, and how it is painted. In order: bring both readers'
glyphs into the page frame; pair them by character and place; compare their visible characters; take the better
reader's; paint what is painted twice once; and correct the boxes of fonts whose own figures cannot be true.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from unicodedata import category, normalize

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

UNKNOWN = "\ufffd"
"""What stands for a character that its font does not tell."""

SAME_PLACE = 0.1
"""Share of its size within which the same character painted again is fake bold. The offsets that programs use are 0.02
to 0.05 em, the stroke of a bold letter is 0.15 em wide, and no two letters of a word stand closer than 0.2 em."""

READERS_AGREE = 0.95
"""Share of the visible characters that both readers must have in common: 0.989 and more on all 119 pages with text of
pikepdf's, pypdf's and OCRmyPDF's test files that both can read."""

READERS_PAIR = 0.9
"""Share of the characters that both readers must put in the same place, to a point or two. On those pages it is 0.996
and more, or 0.7 and less where pdfminer loses the spacing between letters or words, or the line."""

_INK_OF_SIZE = (0.3, 1.4)
"""Height of a font's tallest letters and digits as a share of its size: 0.45 for a font of small letters only, 0.95 for
Han, 1.3 for swashes. Beyond, the font's own figures are wrong, as those of Type 3 fonts in pdfminer."""

_INK_IN_BOX = 0.5
"""Share of their ink that the boxes of a font must contain on the median; fonts with a false descent miss more."""

_CAPITAL = 0.7
"""Height of capitals and ascenders as a share of the letter height from descender to ascender."""

_CELLS = 1 << 21
"""Cells each way in which glyphs are looked up: 14,000 pt in steps of 0.01 pt."""

_PROOF = 3
"""Letters and digits with known ink that can convict a font."""


@dataclass(frozen=True, slots=True, eq=False)
class Glyphs:
    """The glyphs of a page in the order of its file, in compact arrays of one row a glyph, in points.

    `boxes` and `inks` are `x0, top, x1, bottom`: from the baseline's start over the advance and from descender to
    ascender; and around the painted strokes, NaN where not known. `origins` are the points on the baseline where
    glyphs start; `angles` the direction of writing in degrees, 90 for downwards; `advances` the way to the next
    glyph; `sizes` the height from descender to ascender (the em, as the page shows it). `fonts` are numbers of no
    further meaning; `unpainted` marks glyphs that the file itself says not to paint.
    """

    texts: tuple[str, ...]
    boxes: Floats
    origins: Floats
    angles: Floats
    advances: Floats
    sizes: Floats
    fonts: NDArray[np.int64]
    inks: Floats
    unpainted: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.texts)

    def take(self, chosen: Sequence[int] | NDArray[np.int64]) -> Glyphs:
        """Return the glyphs of these indices, in their order."""
        at = np.asarray(chosen, dtype=np.int64)
        return Glyphs(
            tuple(self.texts[index] for index in at.tolist()),
            self.boxes[at],
            self.origins[at],
            self.angles[at],
            self.advances[at],
            self.sizes[at],
            self.fonts[at],
            self.inks[at],
            self.unpainted[at],
        )


def no_glyphs() -> Glyphs:
    """Return the glyphs of a page without text."""
    nothing, four = np.zeros(0), np.zeros((0, 4))
    return Glyphs(
        (), four, np.zeros((0, 2)), nothing, nothing, nothing, np.zeros(0, np.int64), four, np.zeros(0, np.bool_)
    )


def visible_characters(glyphs: Glyphs) -> Counter[str]:
    """Count the characters that can be seen, ligatures as their letters, without white space and unknown ones."""
    counted: Counter[str] = Counter()
    for text, count in Counter(glyphs.texts).items():
        for character in normalize("NFKC", text):
            if not character.isspace() and category(character) not in ("Cc", "Cf", "Cs") and character != UNKNOWN:
                counted[character] += count
    return counted


def agreement(glyphs: Glyphs, others: Glyphs) -> float:
    """Return the share, 0 to 1, of the visible characters that two readers have in common; 1 where both have none."""
    mine, theirs = visible_characters(glyphs), visible_characters(others)
    most = max(mine.total(), theirs.total())
    return (mine & theirs).total() / most if most else 1.0


def paired(glyphs: Glyphs) -> float:
    """Return the share, 0 to 1, of the visible glyphs whose ink another reader found in the same place; 1 for none."""
    visible = np.array([not text.isspace() and text != UNKNOWN for text in glyphs.texts], dtype=np.bool_)
    return float(np.isfinite(glyphs.inks[visible, 0]).mean()) if visible.any() else 1.0


def painted_once(glyphs: Glyphs) -> Glyphs:
    """Drop glyphs that repeat the same character in nearly the same place: see `without_repeats`."""
    return without_repeats(glyphs)[0]


def without_repeats(glyphs: Glyphs) -> tuple[Glyphs, NDArray[np.bool_]]:
    """Drop glyphs that repeat the same character in nearly the same place, and tell of the others which were repeated.

    That is fake bold, or a shadow of no width. Letters that stand beside one another stay, however alike: only
    `SAME_PLACE` of a glyph's size counts as its place.
    """
    repeated: list[int] = []
    again = np.zeros(len(glyphs), np.bool_)
    kept: dict[tuple[str, int, int], list[int]] = {}
    origins, sizes, angles = glyphs.origins.tolist(), glyphs.sizes.tolist(), glyphs.angles.tolist()
    unpainted = glyphs.unpainted.tolist()
    cell = _reach(glyphs)
    for index in _doubtful(glyphs):
        x, y = (math.floor(each / cell) for each in origins[index])
        text, reach = glyphs.texts[index], SAME_PLACE * sizes[index]
        near = [kept.get((text, column, row), []) for column in (x - 1, x, x + 1) for row in (y - 1, y, y + 1)]
        for other in chain.from_iterable(near):
            if (
                # Letters of no size share one place without being the same.
                math.dist(origins[other], origins[index]) < reach
                and abs(sizes[other] - sizes[index]) <= reach
                and abs(angles[other] - angles[index]) < 1
                # What is painted is never dropped in favour of what is not.
                and unpainted[other] <= unpainted[index]
            ):
                repeated.append(index)
                again[other] = True
                break
        else:
            kept.setdefault((text, x, y), []).append(index)
    if not repeated:
        return glyphs, again
    stay = np.delete(np.arange(len(glyphs)), repeated)
    return glyphs.take(stay), again[stay]


def _reach(glyphs: Glyphs) -> float:
    """Return the greatest distance in pt at which glyphs of a page may be one."""
    return max(SAME_PLACE * float(glyphs.sizes.max(initial=0)), 1e-2)


def _doubtful(glyphs: Glyphs) -> list[int]:
    """Return the glyphs that have another of the same characters so near that it may be the same, in their order."""
    if not len(glyphs):
        return []
    reach = _reach(glyphs)
    names: dict[str, int] = {}
    texts = np.array([names.setdefault(text, len(names)) for text in glyphs.texts], dtype=np.int64)
    doubtful = np.zeros(len(glyphs), np.bool_)
    places = np.clip(glyphs.origins / (2 * reach), -_CELLS / 2, _CELLS / 2 - 1)
    # Of four grids with cells twice as wide as the reach, each half a cell on, one has any two near glyphs in one cell.
    for across in (0.0, 0.5):
        for down in (0.0, 0.5):
            cells = np.floor(places + np.array([across, down])).astype(np.int64)
            keys = (texts * _CELLS + cells[:, 0]) * _CELLS + cells[:, 1]
            _, which, counts = np.unique(keys, return_inverse=True, return_counts=True)
            doubtful |= counts[which] > 1
    return [int(index) for index in np.flatnonzero(doubtful)]


def with_ink(glyphs: Glyphs, others: Glyphs, repeated: NDArray[np.bool_] | None = None) -> Glyphs:
    """Add what another reader knows of the same glyphs: where their ink is, and whether they are painted at all.

    Of glyphs that the file has twice, that reader may know the copy that is not painted, so they pass for painted.
    """
    where: dict[tuple[str, int, int], int] = {}
    for index, (text, (x, y)) in enumerate(zip(others.texts, others.origins.tolist(), strict=True)):
        where.setdefault((_first(text), round(x), round(y)), index)
    pairs = [
        _found(where, _first(text), x, y) for text, (x, y) in zip(glyphs.texts, glyphs.origins.tolist(), strict=True)
    ]
    at = np.array(pairs, dtype=np.int64)
    inks = np.full((len(glyphs), 4), np.nan)
    unpainted = np.zeros(len(glyphs), np.bool_)
    known = at >= 0
    inks[known], unpainted[known] = others.inks[at[known]], others.unpainted[at[known]]
    if repeated is not None:
        unpainted &= ~repeated
    return replace(glyphs, inks=inks, unpainted=unpainted)


def _first(text: str) -> str:
    """Return the first letter of a glyph's text: one reader takes ligatures apart."""
    return text if len(text) == 1 and text.isascii() else normalize("NFKC", text)[:1]


def _found(where: dict[tuple[str, int, int], int], letter: str, x: float, y: float) -> int:
    column, row = round(x), round(y)
    index = where.get((letter, column, row))
    if index is not None:
        return index
    for across in (column - 1, column, column + 1):
        for down in (row - 1, row, row + 1):
            index = where.get((letter, across, down))
            if index is not None:
                return index
    return -1


def corrected(glyphs: Glyphs) -> Glyphs:
    """Give the glyphs of fonts whose own figures cannot be true the boxes of their ink, and a size that fits it."""
    boxes, sizes = glyphs.boxes.copy(), glyphs.sizes.copy()
    width, height = glyphs.inks[:, 2] - glyphs.inks[:, 0], glyphs.inks[:, 3] - glyphs.inks[:, 1]
    known = np.isfinite(width) & (width > 0) & (height > 0)
    letters = np.array([text[:1].isalnum() for text in glyphs.texts], dtype=np.bool_)
    sideways = np.round(glyphs.angles / 90).astype(np.int64) % 2 == 1
    tall = np.where(sideways, width, height)
    for font in np.unique(glyphs.fonts[known & letters]).tolist():
        of_font = known & (glyphs.fonts == font)
        proof = of_font & letters
        if proof.sum() < _PROOF:
            continue
        share = float(np.percentile(tall[proof] / np.maximum(glyphs.sizes[proof], 1e-9), 90))
        if _INK_OF_SIZE[0] <= share <= _INK_OF_SIZE[1]:
            if float(np.median(_inside(glyphs.inks[proof], glyphs.boxes[proof]))) >= _INK_IN_BOX:
                continue
        else:
            sizes[glyphs.fonts == font] *= share / _CAPITAL
        boxes[of_font] = glyphs.inks[of_font]
    return replace(glyphs, boxes=boxes, sizes=sizes)


def _inside(inks: Floats, boxes: Floats) -> Floats:
    """Return the share of each ink box that lies in its glyph's box."""
    wide = np.minimum(inks[:, 2], boxes[:, 2]) - np.maximum(inks[:, 0], boxes[:, 0])
    high = np.minimum(inks[:, 3], boxes[:, 3]) - np.maximum(inks[:, 1], boxes[:, 1])
    area = (inks[:, 2] - inks[:, 0]) * (inks[:, 3] - inks[:, 1])
    return np.asarray(np.maximum(wide, 0) * np.maximum(high, 0) / area)
