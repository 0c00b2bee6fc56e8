"""The lines at the top and at the bottom of each page, among which alone page furniture is looked for.

1. Measure the page: the height of its letters, the distance of its rows, the left and right edge of its text.
2. Set strays apart: specks, show-through and side notes outside the text's measure are no rows and hide none.
3. Count printed rows inwards from each edge; an engine may cut one row into several lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Literal, get_args

from ocrprep.options import ReadingOptions
from ocrprep.pages import Box, Page
from ocrprep.preparing.upright import upright, upright_size
from ocrprep.representation import PlacedLine, PlacedWord, Representation

Edge = Literal["top", "bottom"]
EDGES: tuple[Edge, ...] = get_args(Edge)

LONG_LINE = 0.3
"""A line of this share of the page's width shows where the text's measure lies."""

BESIDE = 0.2
"""Lines of one row overlap sideways by no more than this share of the shorter one."""

NO_LETTERS = (0.35, 3.0)
"""Lines lower or taller than so many line heights are specks, rules, and marks that run down the margin."""


@dataclass(frozen=True, slots=True)
class PageSetting:
    """How a page is set: the height of its lines (`em`) and words (`letters`), the distance of its rows (`pitch`).

    `left` and `right` are the edges of its text; all in the unit of the page, whose `height` is given, too. `rows` is
    how many printed rows it has, `ragged` the share of them that leave a quarter of the measure free, as on title
    pages. `geometric` is false for a page without boxes, of which only the order of the lines is known.
    """

    number: int
    em: float
    letters: float
    pitch: float
    left: float
    right: float
    rows: int
    ragged: float
    height: float
    geometric: bool


@dataclass(frozen=True, slots=True)
class EdgeLine:
    """A line in the outer zone of its page.

    `row` counts printed rows from the outermost one, 0-based: an engine may cut one row into several lines. `place` is
    its centre as shares of the page's width and height. `gap` is the white space to the next row inwards, in line
    heights of the document (null when there is none); `height` is its own height, in the same unit. A `stray` is no
    part of its row, but a speck or a mark beside the text. A line of `context` stands inside the edge.
    """

    line: PlacedLine
    edge: Edge
    row: int
    place: tuple[float, float]
    gap: float | None
    height: float
    words: tuple[PlacedWord, ...]
    page: Page
    stray: bool = False
    context: bool = False

    def share(self, box: Box) -> tuple[float, float]:
        """Return the centre of a box of the page frame as shares of the upright page's size."""
        (x, y), (width, height) = upright(box, self.page).centre, upright_size(self.page)
        return x / width, y / height

    @property
    def key(self) -> tuple[int, int]:
        """The page and the number of the line."""
        return self.line.page, self.line.number


def edge_lines(
    representation: Representation,
    pages: Sequence[Sequence[PlacedLine]],
    options: ReadingOptions,
    settings: Sequence[PageSetting] | None = None,
) -> list[EdgeLine]:
    """Return the lines of the outer zones in page order, from the outermost row inwards at each edge.

    The row inside of these comes with them as `context`: it is never furniture.

    A head stands in the upper half of the page frame and a foot in the lower, so a short page's last line is no foot.
    """
    unit = line_height(pages)
    settings = settings or page_settings(representation, pages)
    letters = median(each.letters for each in settings) if settings else 1.0
    return [
        edge_line
        for page, lines, setting in zip(representation.pages, pages, settings, strict=True)
        for edge in EDGES
        for edge_line in _edge_lines(representation, page, lines, edge, (unit, letters), setting, options)
    ]


def line_height(pages: Sequence[Sequence[PlacedLine]]) -> float:
    """Return the median height of the document's lines, the unit of its distances; 1 for an empty document."""
    heights = [line.box.height for lines in pages for line in lines if line.box.height > 0]
    return median(heights) if heights else 1.0


def page_settings(representation: Representation, pages: Sequence[Sequence[PlacedLine]]) -> list[PageSetting]:
    """Measure every page; a page of few lines takes the document's measure and distances."""
    unit = line_height(pages)
    drafts = [_measured(page, lines, unit) for page, lines in zip(representation.pages, pages, strict=True)]
    full = [each for each in drafts if each.rows > FEW_ROWS and each.geometric]
    width = median([each.right - each.left for each in full]) if full else 0.0
    pitch = median([each.pitch for each in full]) if full else 1.5 * unit
    return [
        replace(each, pitch=each.pitch if each.rows > FEW_ROWS else pitch, right=max(each.right, each.left + width))
        for each in drafts
    ]


MORE_WITHOUT_BOXES = 2
"""More rows at each edge of a page without boxes, where the parts of a head may be lines of their own."""

SAMPLED = 2
"""Every second word is enough to know how tall the words of a page are."""

FEW_ROWS = 6
"""A page of so few rows says little of the measure and of the distance of rows."""


def _measured(page: Page, lines: Sequence[PlacedLine], unit: float) -> PageSetting:
    width, height = upright_size(page)
    geometric = any(line.box.height > 0 for line in lines)
    if not geometric:
        return PageSetting(page.number, 1.0, 1.0, 1.0, 0.0, 1.0, len(lines), 0.0, 1.0, geometric=False)
    real = [line for line in lines if NO_LETTERS[0] * unit < line.box.height < NO_LETTERS[1] * unit]
    long = [line for line in real if line.box.width >= LONG_LINE * width] or real or list(lines)
    starts, ends = sorted(line.box.x0 for line in long), sorted(line.box.x1 for line in long)
    middles = sorted(line.box.centre[1] for line in long)
    steps = [after - before for before, after in pairwise(middles) if after - before > unit / 2]
    left, right = starts[len(starts) // 10], ends[(9 * len(ends) - 1) // 10]
    heights = [upright(page.words.box(at), page).height for at in range(0, len(page.words), SAMPLED)]
    return PageSetting(
        number=page.number,
        em=median(line.box.height for line in long) or unit,
        letters=quartile(heights) or unit,
        pitch=median(steps) if steps else 1.5 * unit,
        left=left,
        right=right,
        rows=len(steps) + 1,
        ragged=sum(line.box.width < 0.75 * (right - left) for line in real) / max(len(real), 1),
        height=height,
        geometric=True,
    )


def _edge_lines(
    representation: Representation,
    page: Page,
    lines: Sequence[PlacedLine],
    edge: Edge,
    usual: tuple[float, float],
    setting: PageSetting,
    options: ReadingOptions,
) -> Iterator[EdgeLine]:
    """Yield the lines at an edge; `usual` are the heights of the document's lines and of its words."""
    unit, letters = usual
    if not setting.geometric:
        yield from _edge_lines_of_text(representation, page, lines, edge, options)
        return
    rows, strays = _outer_rows(representation, lines, edge, setting, unit, options.edge_lines + 2)
    width, height = upright_size(page)
    for number, row in enumerate(rows[: options.edge_lines + 1]):
        inner = rows[number + 1] if number + 1 < len(rows) else None
        top, bottom = min(line.box.top for line in row), max(line.box.bottom for line in row)
        if edge == "top":
            depth = bottom - min(line.box.top for line in rows[0])
            gap = None if inner is None else min(line.box.top for line in inner) - bottom
            inside = (top + bottom) / 2 < height / 2
        else:
            depth = max(line.box.bottom for line in rows[0]) - top
            gap = None if inner is None else top - max(line.box.bottom for line in inner)
            inside = (top + bottom) / 2 > height / 2
        context = number == options.edge_lines or not inside or depth > options.edge_zone * height
        for line in (*row, *strays.get(number, ())):
            words = tuple(representation.line_words(line))
            yield EdgeLine(
                line=line,
                edge=edge,
                row=number,
                place=(line.box.centre[0] / width, line.box.centre[1] / height),
                gap=None if gap is None else gap / unit,
                height=letter_height(words) / letters,
                words=words,
                page=page,
                stray=line not in row,
                context=context,
            )
        if context:
            return


def _edge_lines_of_text(
    representation: Representation, page: Page, lines: Sequence[PlacedLine], edge: Edge, options: ReadingOptions
) -> Iterator[EdgeLine]:
    """Yield the outer lines of a page without boxes; a page of few lines has no two edges, only a top."""
    inwards = [line for line in lines if any(character.isalnum() for character in line.text)]
    half = (len(inwards) + 1) // 2
    inwards = inwards[:half] if edge == "top" else inwards[half:][::-1]
    most = options.edge_lines + MORE_WITHOUT_BOXES
    for number, line in enumerate(inwards[: most + 1]):
        yield EdgeLine(
            line=line,
            edge=edge,
            row=number,
            place=(0.5, 0.0 if edge == "top" else 1.0),
            gap=None,
            height=1.0,
            words=tuple(representation.line_words(line)),
            page=page,
            context=number == most,
        )


def _outer_rows(
    representation: Representation,
    lines: Sequence[PlacedLine],
    edge: Edge,
    setting: PageSetting,
    unit: float,
    count: int,
) -> tuple[list[list[PlacedLine]], dict[int, list[PlacedLine]]]:
    """Return the outermost printed rows, and the strays by the row before which they were met.

    Specks and rules alone, without a letter or digit, are passed over.
    """
    inwards = sorted(lines, key=lambda line: line.box.top if edge == "top" else -line.box.bottom)
    rows: list[list[PlacedLine]] = []
    strays: dict[int, list[PlacedLine]] = {}
    for line in inwards:
        if not any(character.isalnum() for character in line.text):
            continue
        if _is_stray(representation, line, setting, unit):
            strays.setdefault(len(rows), []).append(line)
        elif rows and _continues(rows[-1], line):
            rows[-1].append(line)
        elif len(rows) == count:
            break
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.number) for row in rows], strays


def _is_stray(representation: Representation, line: PlacedLine, setting: PageSetting, unit: float) -> bool:
    """Say whether a line is a speck, a mark down the margin, or something beside the measure.

    How much an engine trusts a line says nothing: heads in spaced capitals are trusted least of all.
    """
    box = line.box
    if not NO_LETTERS[0] * unit < box.height < NO_LETTERS[1] * unit:
        return True
    beside = box.x1 < setting.left - setting.em or box.x0 > setting.right + setting.em
    if beside and setting.rows > FEW_ROWS:
        return True
    return letter_height(representation.line_words(line)) < NO_LETTERS[0] * setting.letters


def letter_height(words: Sequence[PlacedWord]) -> float:
    """Return how tall the words of a line are: boxes that run into the next line or a speck make too few too low."""
    heights = [placed.word.box.height for placed in words if any(map(str.isalnum, placed.word.text))]
    return quartile(heights or [placed.word.box.height for placed in words])


def quartile(values: Sequence[float]) -> float:
    """Return the value that a quarter of the values lie below, 0 for none."""
    return sorted(values)[len(values) // 4] if values else 0.0


def _continues(row: Sequence[PlacedLine], line: PlacedLine) -> bool:
    """Say whether a line stands beside those of a row: never above or below one, as a second reading of it does."""
    for other in row:
        shared = min(other.box.x1, line.box.x1) - max(other.box.x0, line.box.x0)
        if shared > BESIDE * min(other.box.width, line.box.width):
            return False
    # A tall speck would bridge two rows: the lowest line of the row decides.
    return _same_row(min(row, key=lambda each: each.box.height), line)


def _same_row(one: PlacedLine, other: PlacedLine) -> bool:
    shared = min(one.box.bottom, other.box.bottom) - max(one.box.top, other.box.top)
    return shared > min(one.box.height, other.box.height) / 2
