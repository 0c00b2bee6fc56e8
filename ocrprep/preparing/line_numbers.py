"""Line numbers in the margin: the gutter column of pleading paper, depositions, verse and editions.

1. On each page, gather the numbers that stand alone on a line, or begin one with white space after them.
2. Those left of the text that count up by one or by five from row to row, each beside a line of text, are a column.
3. A column of few members, of numbers beside short entries as in a table, or inside the measure is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import mean, median
from typing import NamedTuple

from ocrprep.pages import Box
from ocrprep.preparing.removals import Key, Removal
from ocrprep.preparing.upright import upright
from ocrprep.representation import PlacedLine, Representation
from ocrprep.spans import Span

MEMBERS = 5
"""Lines of a page that are numbered at least: three numbers at a margin may be a list's."""

STEADY = 0.8
"""The share of neighbours that count up by the step; engines misread the others."""

AWAY = 0.75
"""Line heights between the numbers and the text at least: more than a space."""

SHORT_ENTRY = 12
"""Characters of the lines beside on average: those of a table's rows are shorter."""

STEPS = (1, 5)


class Number(NamedTuple):
    """A number that may label a line: its value, its place, its words, and the line beside it on its own line."""

    value: int
    box: Box
    line: PlacedLine
    words: Span
    rest: str


def find_line_numbers(
    pages: Sequence[Sequence[PlacedLine]], representation: Representation
) -> dict[Key, tuple[Removal, ...]]:
    """Return the line numbers by page and line; each is the label of the line beside it."""
    found: dict[Key, tuple[Removal, ...]] = {}
    for lines in pages:
        numbers = list(_numbers(lines, representation)) if len(lines) >= MEMBERS else []
        for removal in _column(numbers, lines) if len(numbers) >= MEMBERS else ():
            found[removal.page, removal.line] = (removal,)
    return found


def _numbers(lines: Sequence[PlacedLine], representation: Representation) -> Iterator[Number]:
    for line in lines:
        first = line.text.split(" ", 1)[0]
        if not (first.isascii() and first.isdigit() and len(first) <= 2) or line.box.height <= 0:
            continue
        words = representation.line_words(line)
        page = representation.pages[line.page - 1]
        box = upright(words[0].word.box, page)
        if len(words) == 1 or upright(words[1].word.box, page).x0 - box.x1 > AWAY * box.height:
            rest = line.text[len(first) + 1 :]
            yield Number(int(first), box, line, words[0].span, rest)


def _column(numbers: Sequence[Number], lines: Sequence[PlacedLine]) -> Iterator[Removal]:
    """Yield the numbers of one gutter column, if they are one."""
    right = median(each.box.x1 for each in numbers)
    height = median(each.box.height for each in numbers)
    column = sorted((each for each in numbers if abs(each.box.x1 - right) <= height), key=lambda each: each.box.top)
    beside = [(each, *_beside(each, lines)) for each in column]
    labelled = [(each, text, at) for each, text, at, start in beside if text and start - each.box.x1 >= AWAY * height]
    if len(labelled) < MEMBERS or mean(len(text) for _, text, _ in labelled) < SHORT_ENTRY:
        return
    for step in STEPS:
        steps = [after[0].value - before[0].value == step for before, after in pairwise(labelled)]
        if sum(steps) >= STEADY * len(steps):
            for each, _, at in labelled:
                evidence = {"label": str(each.value), "beside": at, "members": len(labelled), "step": step}
                yield Removal(each.line.page, each.line.number, each.words, "line_number", "gutter_column", evidence)
            return


def _beside(number: Number, lines: Sequence[PlacedLine]) -> tuple[str, int, float]:
    """Return the text that a number labels, its line, and where it begins; an empty text where there is none."""
    if number.rest:
        share = (len(number.line.text) - len(number.rest)) / len(number.line.text)
        return number.rest, number.line.number, number.line.box.x0 + share * number.line.box.width
    middle = number.box.centre[1]
    for line in lines:
        if line is not number.line and line.box.top <= middle <= line.box.bottom and line.box.x0 >= number.box.x1:
            return line.text, line.number, line.box.x0
    return "", number.line.number, number.box.x1
