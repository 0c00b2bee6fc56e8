"""The lines at the top and at the bottom of each page, among which alone page furniture is looked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, get_args

from ocrprep.options import ReadingOptions
from ocrprep.pages import Box, Page
from ocrprep.preparing.upright import upright, upright_size
from ocrprep.representation import PlacedLine, PlacedWord, Representation

Edge = Literal["top", "bottom"]
EDGES: tuple[Edge, ...] = get_args(Edge)


@dataclass(frozen=True, slots=True)
class EdgeLine:
    """A line in the outer zone of its page.

    `row` counts printed rows from the outermost one, 0-based: an engine may cut one row into several lines. `place` is
    its centre as shares of the page's width and height. `gap` is the white space to the next row inwards, in line
    heights of the document (null when there is none); `height` is its own height, in the same unit.
    """

    line: PlacedLine
    edge: Edge
    row: int
    place: tuple[float, float]
    gap: float | None
    height: float
    words: tuple[PlacedWord, ...]
    page: Page

    def share(self, box: Box) -> tuple[float, float]:
        """Return the centre of a box of the page frame as shares of the upright page's size."""
        (x, y), (width, height) = upright(box, self.page).centre, upright_size(self.page)
        return x / width, y / height

    @property
    def key(self) -> tuple[int, int]:
        """The page and the number of the line."""
        return self.line.page, self.line.number


def edge_lines(
    representation: Representation, pages: Sequence[Sequence[PlacedLine]], options: ReadingOptions
) -> list[EdgeLine]:
    """Return the lines of the outer zones in page order, from the outermost row inwards at each edge.

    A head stands in the upper half of the page frame and a foot in the lower, so a short page's last line is no foot.
    """
    unit = line_height(pages)
    return [
        edge_line
        for page, lines in zip(representation.pages, pages, strict=True)
        for edge in EDGES
        for edge_line in _edge_lines(representation, page, lines, edge, unit, options)
    ]


def line_height(pages: Sequence[Sequence[PlacedLine]]) -> float:
    """Return the median height of the document's lines, the unit of its distances; 1 for an empty document."""
    heights = [line.box.height for lines in pages for line in lines if line.box.height > 0]
    return median(heights) if heights else 1.0


def _edge_lines(
    representation: Representation,
    page: Page,
    lines: Sequence[PlacedLine],
    edge: Edge,
    unit: float,
    options: ReadingOptions,
) -> Iterator[EdgeLine]:
    rows = _outer_rows(lines, edge, options.edge_lines + 1)
    width, height = upright_size(page)
    for number, row in enumerate(rows[: options.edge_lines]):
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
        if not inside or depth > options.edge_zone * height:
            return
        for line in row:
            yield EdgeLine(
                line=line,
                edge=edge,
                row=number,
                place=(line.box.centre[0] / width, line.box.centre[1] / height),
                gap=None if gap is None else gap / unit,
                height=line.box.height / unit,
                words=tuple(representation.line_words(line)),
                page=page,
            )


def _outer_rows(lines: Sequence[PlacedLine], edge: Edge, count: int) -> list[list[PlacedLine]]:
    """Return the outermost printed rows; rows of specks and rules alone, without a letter or digit, are passed over."""
    inwards = sorted(lines, key=lambda line: line.box.top if edge == "top" else -line.box.bottom)
    rows: list[list[PlacedLine]] = []
    for line in inwards:
        if not any(character.isalnum() for character in line.text):
            continue
        if rows and _same_row(rows[-1][0], line):
            rows[-1].append(line)
        elif len(rows) == count:
            break
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.number) for row in rows]


def _same_row(one: PlacedLine, other: PlacedLine) -> bool:
    shared = min(one.box.bottom, other.box.bottom) - max(one.box.top, other.box.top)
    return shared > min(one.box.height, other.box.height) / 2
