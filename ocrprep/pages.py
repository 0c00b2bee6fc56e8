"""The geometry and the content of a page: boxes, affine maps, rasters, words, lines, pages.

Every box is `x0, top, x1, bottom` in the page frame: origin top-left of the visible page, unit `pt` for PDF, `px` for
images. A raster has a frame of its own, in pixels; the affine of its scan carries it to the page frame.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

TextBasis = Literal["ocr", "text_layer", "imported", "mixed"]
PageState = Literal["read", "blank", "unreadable", "skipped", "failed"]
Unit = Literal["pt", "px"]
FurnitureKind = Literal[
    "running_head",
    "running_foot",
    "folio",
    "catchword",
    "signature_mark",
    "stamp",
    "line_number",
    "watermark",
    "margin_note",
    "notice",
]
"""What page furniture can be."""

BOX_DECIMALS = 2
"""Boxes, sizes and angles are kept to a hundredth: 3 µm on paper, finer than any scan."""

CONFIDENCE_DECIMALS = 3
AFFINE_DECIMALS = 8
"""A corner of a page of 14,000 pt moves by less than a thousandth."""


class Box(NamedTuple):
    """An upright rectangle, `x0 <= x1` and `top <= bottom`, y growing downwards."""

    x0: float
    top: float
    x1: float
    bottom: float

    @property
    def width(self) -> float:
        """The horizontal extent."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """The vertical extent."""
        return self.bottom - self.top

    @property
    def centre(self) -> tuple[float, float]:
        """The point in the middle."""
        return (self.x0 + self.x1) / 2, (self.top + self.bottom) / 2

    @property
    def area(self) -> float:
        """Width times height."""
        return self.width * self.height

    def overlap(self, other: Box) -> float:
        """Return the area that both boxes cover."""
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0.0) * max(height, 0.0)


def around(boxes: Iterable[Box]) -> Box:
    """Return the smallest box around one or more boxes; raises ValueError when there is none."""
    x0s, tops, x1s, bottoms = zip(*boxes, strict=True)
    return Box(min(x0s), min(tops), max(x1s), max(bottoms))


class Affine(NamedTuple):
    """The map `x' = a x + c y + e, y' = b x + d y + f`, the order of PDF matrices."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Map a point."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def box(self, box: Box) -> Box:
        """Map a box: the upright box around its four mapped corners."""
        corners = [self.point(x, y) for x in (box.x0, box.x1) for y in (box.top, box.bottom)]
        xs, ys = zip(*corners, strict=True)
        return Box(min(xs), min(ys), max(xs), max(ys))

    def then(self, later: Affine) -> Affine:
        """Compose: first this map, then the later one."""
        return Affine(
            self.a * later.a + self.b * later.c,
            self.a * later.b + self.b * later.d,
            self.c * later.a + self.d * later.c,
            self.c * later.b + self.d * later.d,
            self.e * later.a + self.f * later.c + later.e,
            self.e * later.b + self.f * later.d + later.f,
        )

    @classmethod
    def scale(cls, x: float, y: float) -> Affine:
        """Return the map that stretches both axes from the origin."""
        return cls(a=x, d=y)

    @classmethod
    def quarter_turns(cls, turns: int, width: float, height: float) -> Affine:
        """Return the map that turns a `width` × `height` picture clockwise, keeping it at the origin."""
        return (
            cls(),
            cls(0.0, 1.0, -1.0, 0.0, height, 0.0),
            cls(-1.0, 0.0, 0.0, -1.0, width, height),
            cls(0.0, -1.0, 1.0, 0.0, 0.0, width),
        )[turns % 4]


@dataclass(frozen=True, slots=True)
class Raster:
    """Pixels for an engine: 8-bit grey, row by row without padding; `dpi` is null where it cannot be trusted."""

    width: int
    height: int
    pixels: bytes = field(repr=False)
    dpi: float | None = None

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or len(self.pixels) != self.width * self.height:
            raise ValueError(f"{len(self.pixels)} bytes are no {self.width} x {self.height} grey raster")


@dataclass(frozen=True, slots=True)
class ImageTransformation:
    """One change of a page's raster, in the order in which it was made: a name and its parameters."""

    name: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PageWarning:
    """A fact that a careful reader of the page should know: a code for machines, a sentence for people."""

    code: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """One word as it was read: no white space, no control characters; confidence from 0 to 1, null when not given.

    `baseline_angle` is in degrees, positive where the line falls to the right, as the page was read (upright).
    `font_size` is the height of its line's letters from descender to ascender, in the unit of the page.
    """

    text: str
    box: Box
    confidence: float | None = None
    baseline_angle: float = 0.0
    text_basis: TextBasis = "ocr"
    font_size: float | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line: one or more words in reading order, and the 1-based block that it belongs to."""

    words: tuple[Word, ...]
    block: int = 1

    @property
    def box(self) -> Box:
        """The box around the line's words."""
        return around(word.box for word in self.words)


@dataclass(frozen=True, slots=True)
class Aside:
    """Text on the page that is not part of its visible words: hidden text, a speck taken for a word, a watermark."""

    kind: str
    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class TextEvidence:
    """What decided where a page's words come from; a figure is null where it was not needed or could not be had.

    `uncovered_ink` is the share of the page's area under ink that is no text of the layer, rules left out.

    `image_coverage` is the share of the page's area under images; `text_coverage` the share of its ink that the visible
    text layer paints; `sanity` the share of the layer's characters that can be language; `agreement` how like the
    layer's text is to what the engine read from the pixels. All from 0 to 1. `reader` is the library that read the
    layer.
    """

    reason: str
    image_coverage: float | None = None
    text_coverage: float | None = None
    uncovered_ink: float | None = None
    sanity: float | None = None
    agreement: float | None = None
    reader: str | None = None


class Words(Sequence[Word]):
    """The words of one page in compact arrays; a `Word` is made when one is asked for.

    A page of 500 words takes about a tenth of the memory of 500 objects, and documents have thousands of pages.
    """

    __slots__ = ("_angles", "_bases", "_boxes", "_confidences", "_sizes", "texts")

    def __init__(self, words: Iterable[Word] = ()) -> None:
        texts: list[str] = []
        bases: list[TextBasis] = []
        self._boxes, self._confidences = array("d"), array("d")
        self._angles, self._sizes = array("d"), array("d")
        for word in words:
            texts.append(word.text)
            bases.append(word.text_basis)
            self._boxes.extend(rounded(word.box))
            self._confidences.append(_or_nan(word.confidence, CONFIDENCE_DECIMALS))
            self._angles.append(round(word.baseline_angle, BOX_DECIMALS))
            self._sizes.append(_or_nan(word.font_size, BOX_DECIMALS))
        self.texts: tuple[str, ...] = tuple(texts)
        self._bases: TextBasis | tuple[TextBasis, ...] = bases[0] if len(set(bases)) == 1 else tuple(bases)

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        index = range(len(self))[index]
        return Word(
            text=self.texts[index],
            box=self.box(index),
            confidence=_or_none(self._confidences[index]),
            baseline_angle=self._angles[index],
            text_basis=self._bases if isinstance(self._bases, str) else self._bases[index],
            font_size=_or_none(self._sizes[index]),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(self.texts)

    def box(self, index: int) -> Box:
        """Return the box of one word."""
        return Box(*self._boxes[4 * index : 4 * index + 4])


class Page:
    """One page as it was read, never edited again; numbers are rounded here as they are written.

    `number` is the 1-based order in the source, `label` the PDF page label, `frame` the 1-based file and the 1-based
    page or frame within that file. `lines` and `words` are made from compact arrays when asked for.
    """

    def __init__(
        self,
        number: int,
        size: tuple[float, float],
        unit: Unit,
        lines: Iterable[Line] = (),
        *,
        state: PageState = "read",
        reason: str | None = None,
        label: str | None = None,
        frame: tuple[int, int] = (1, 1),
        raster_hash: str | None = None,
        image_transformations: Iterable[ImageTransformation] = (),
        affine: Affine | None = None,
        text_basis: TextBasis | None = "ocr",
        text_evidence: TextEvidence | None = None,
        asides: Iterable[Aside] = (),
        warnings: Iterable[PageWarning] = (),
    ) -> None:
        lines = list(lines)
        if any(not line.words for line in lines):
            raise ValueError(f"page {number}: a line has no words")
        width, height = size
        self.size = round(float(width), BOX_DECIMALS), round(float(height), BOX_DECIMALS)
        self.number, self.unit = number, unit
        self.state, self.reason, self.label, self.frame = state, reason, label, frame
        self.raster_hash, self.text_basis, self.text_evidence = raster_hash, text_basis, text_evidence
        self.affine = None if affine is None else Affine(*(round(float(each), AFFINE_DECIMALS) for each in affine))
        self.image_transformations = tuple(image_transformations)
        self.asides = tuple(Aside(each.kind, each.text, rounded(each.box)) for each in asides)
        self.warnings = tuple(warnings)
        self.words = Words(word for line in lines for word in line.words)
        self.line_blocks = array("i", (line.block for line in lines))
        self._line_ends = array("i")
        end = 0
        for line in lines:
            end += len(line.words)
            self._line_ends.append(end)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Page) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # pages are compared by content, never used as keys

    def __repr__(self) -> str:
        return f"Page({self.number}, {self.state}, {self.line_count} lines, {len(self.words)} words)"

    @property
    def line_count(self) -> int:
        """The number of printed lines."""
        return len(self._line_ends)

    @property
    def score(self) -> float | None:
        """The mean confidence of the page's words, weighted by their characters; null where no word has one."""
        known = [(w.confidence, len(w.text)) for w in self.words if w.confidence is not None]
        total = sum(length for _, length in known)
        mean = sum(confidence * length for confidence, length in known) / total if total else None
        return None if mean is None else round(mean, CONFIDENCE_DECIMALS)

    def word_range(self, line: int) -> range:
        """Return the indices in `words` of a line's words, the line counted from 0."""
        return range(self._line_ends[line - 1] if line else 0, self._line_ends[line])

    def line_of_word(self, word: int) -> int:
        """Return the line, counted from 0, in which a word stands."""
        return bisect_right(self._line_ends, word)

    def line(self, index: int) -> Line:
        """Return one line, counted from 0."""
        return Line(tuple(self.words[each] for each in self.word_range(index)), self.line_blocks[index])

    @property
    def lines(self) -> list[Line]:
        """All lines in reading order."""
        return [self.line(index) for index in range(self.line_count)]


def rounded(box: Box) -> Box:
    """Return a box as it is written, to `BOX_DECIMALS`."""
    return Box(*(round(float(each), BOX_DECIMALS) for each in box))


def _or_nan(value: float | None, decimals: int) -> float:
    return float("nan") if value is None else round(value, decimals)


def _or_none(value: float) -> float | None:
    return None if value != value else value
