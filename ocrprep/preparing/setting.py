"""How the lines of a flow are set: columns, margins, line fill, space above, and lines that stand each for itself.

All distances are in ems, the median height of the document's lines, or in shares of the measure, the width that a full
line of the column has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from ocrprep.preparing.edges import line_height
from ocrprep.preparing.line_ends import continues_word
from ocrprep.representation import PlacedLine

SHORT = 0.15
"""A line that leaves more than this share of the measure free ends short of it: the longest word of a justified line
that did not fit any more seldom takes more."""

VERY_SHORT = 0.3
"""Two lines alone are verse or an address only if the first leaves this share free: the end of a sentence may leave
less."""

FULL_COLUMN = 12
"""A column of fewer lines says little of the measure: it may be a poem's, or the end of a chapter."""

JUSTIFIED = 0.4
"""A column is justified when this share of its lines ends within an em of its right edge."""

WIDE = 1.5
"""Space above a line, as a multiple of the usual distance of lines, from which it is a gap."""

STANZA = 1.25
"""The same where verse and addresses are looked for: printers lead them off by a quarter of a line at least."""

FAR = 3.5
"""Ems between the centres of two lines that are a gap whatever is usual: double-spaced typescript has under three."""

DISPLAY = 1.4
"""Type taller than the median by this factor is a heading: boxes without ascenders or descenders vary by up to 1.3."""

VERSE_LINES = 4
"""So many lines on end that all begin with a capital are verse, if they do not fill the measure either."""

WINDOW = 6
"""Lines above and below among which the left margin is looked for: a slanting scan moves it by less than an em."""

_BULLET = re.compile(r"[•◦▪‣●○■□–—*·-](?= |$)")
_NUMBERED = re.compile(r"\(?(?:\d{1,2}|[a-z])[.)] ")


@dataclass(frozen=True, slots=True)
class SetLine:
    """A line and how it is set.

    `indent`: ems from the left margin of its neighbourhood; `free`: the share of the measure that it leaves free at its
    end; `lead`: its distance from the line before, as a multiple of the usual one (null at the top of a column);
    `beside`: it continues the row of the line before; `display`: taller type; `capitals`: all in capitals;
    `lined`: it stands for itself, as in verse, addresses and lists; `bullet`: a bullet begins it;
    `hang`: x of the text after its bullet.
    """

    line: PlacedLine
    column: int
    indent: float
    free: float
    lead: float | None
    beside: bool
    display: bool
    capitals: bool
    lined: bool
    bullet: bool
    hang: float | None

    @property
    def text(self) -> str:
        """The text of the line."""
        return self.line.text

    @property
    def short(self) -> bool:
        """Whether the line ends well short of the measure."""
        return self.free > SHORT

    @property
    def numbered(self) -> bool:
        """Whether the line begins like an item of a numbered list."""
        return _NUMBERED.match(self.line.text) is not None


@dataclass(frozen=True, slots=True)
class Column:
    """A run of lines going down the page, with its margins, and the usual distance of its lines' centres."""

    lines: tuple[PlacedLine, ...]
    left: float
    right: float
    pitch: float


def set_lines(lines: Sequence[PlacedLine]) -> list[SetLine]:
    """Return how each line of a flow is set, the lines given in reading order over all pages."""
    em = line_height([lines])
    runs = list(_columns(lines, em))
    pitches = [pitch for run in runs for pitch in _pitches(run, em)]
    usual = median(pitches) if pitches else 1.5 * em
    width = _measure(runs)
    placed: list[SetLine] = []
    for number, run in enumerate(runs):
        column = _column(run, em, usual, width)
        alone = [_set(column, number, at, em) for at in range(len(run))]
        for group in _groups(alone):
            placed += [replace(each, lined=True) for each in group] if _is_lined(group, em) else group
    return placed


def _columns(lines: Sequence[PlacedLine], em: float) -> Iterator[tuple[PlacedLine, ...]]:
    """Cut the lines where the reading order turns to another page or goes up: a column ends there."""
    run: list[PlacedLine] = []
    for line in lines:
        if run and (line.page != run[-1].page or line.box.top < run[-1].box.top - em):
            yield tuple(run)
            run = []
        run.append(line)
    if run:
        yield tuple(run)


def _pitches(run: Sequence[PlacedLine], em: float) -> list[float]:
    """Return the distances of the lines' centres, those of one row left out."""
    distances = (after.box.centre[1] - before.box.centre[1] for before, after in pairwise(run))
    return [distance for distance in distances if distance > em / 2]


def _edge(ends: Sequence[float]) -> float:
    """Return the right edge: nine tenths of the lines end left of it, so that one stray line does not set it."""
    return sorted(ends)[int(0.9 * (len(ends) - 1))]


def _measure(runs: Sequence[Sequence[PlacedLine]]) -> float:
    """Return the document's measure: the median over its lines of the width of their full columns.

    A document without a full column has the measure of its widest.
    """
    widths = sorted((_width(run), len(run)) for run in runs if len(run) >= FULL_COLUMN)
    if not widths:
        return max((_width(run) for run in runs), default=0.0)
    by_line = [width for width, count in widths for _ in range(count)]
    return by_line[len(by_line) // 2]


def _width(run: Sequence[PlacedLine]) -> float:
    return _edge([line.box.x1 for line in run]) - min(line.box.x0 for line in run)


def _column(run: tuple[PlacedLine, ...], em: float, usual: float, width: float) -> Column:
    """Measure a column; where it has few lines or a ragged edge, the document's measure counts if it is wider."""
    ends = [line.box.x1 for line in run]
    left, right = min(line.box.x0 for line in run), _edge(ends)
    justified = len(run) >= FULL_COLUMN and sum(abs(end - right) <= em for end in ends) >= JUSTIFIED * len(run)
    if not justified:
        right = max(right, left + width)
    pitches = _pitches(run, em)
    return Column(run, left, right, median(pitches) if len(pitches) > 3 else usual)


def _set(column: Column, number: int, at: int, em: float) -> SetLine:
    line, before = column.lines[at], column.lines[at - 1] if at else None
    beside = before is not None and _is_beside(before, line)
    measure = max(column.right - column.left, em)
    bullet = _BULLET.match(line.text) is not None
    return SetLine(
        line=line,
        column=number,
        indent=(line.box.x0 - _margin(column, at)) / em,
        free=(column.right - line.box.x1) / measure,
        lead=None if before is None else _lead(before, line, column.pitch, em),
        beside=beside,
        display=line.box.height > DISPLAY * em,
        capitals=line.text.isupper() and sum(map(str.isalpha, line.text)) > 3,
        lined=False,
        bullet=bullet,
        hang=_hang(column, at) if bullet else None,
    )


def _lead(before: PlacedLine, line: PlacedLine, pitch: float, em: float) -> float:
    """Return the distance of two lines in usual distances, where no usual one is beyond what books have."""
    return (line.box.centre[1] - before.box.centre[1]) / min(pitch, FAR * em / WIDE)


def _margin(column: Column, at: int) -> float:
    """Return the left margin around a line: the second of the leftmost lines nearby, as one may be a stray mark."""
    starts = sorted(line.box.x0 for line in column.lines[max(at - WINDOW, 0) : at + WINDOW + 1])
    return starts[1] if len(starts) > WINDOW else starts[0]


def _is_beside(before: PlacedLine, line: PlacedLine) -> bool:
    shared = min(before.box.bottom, line.box.bottom) - max(before.box.top, line.box.top)
    return shared > min(before.box.height, line.box.height) / 2 and line.box.x0 >= before.box.x1


def _hang(column: Column, at: int) -> float:
    """Return where the text after a bullet begins: on the next line of the same row, or after the first space."""
    line = column.lines[at]
    if " " not in line.text and at + 1 < len(column.lines):
        return column.lines[at + 1].box.x0
    return line.box.x0 + line.box.width * (line.text.find(" ") + 1) / len(line.text)


def _groups(lines: Sequence[SetLine]) -> Iterator[list[SetLine]]:
    """Cut the lines of a column where a gap, another block or another size of type parts them."""
    group: list[SetLine] = []
    for line in lines:
        last = group[-1] if group else None
        if last and ((line.lead or 0.0) > STANZA or line.line.block != last.line.block or line.display != last.display):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _is_lined(group: Sequence[SetLine], em: float) -> bool:
    """Say whether the lines of a group stand each for itself: none but the last would end short in a paragraph.

    Lists with bullets have their own rules; a word cut by a line end, or lines that end at one edge, are a paragraph's.
    """
    inner = group[:-1]
    if not inner or any(line.bullet or line.beside for line in group):
        return False
    if any(continues_word(before.text, after.text) for before, after in pairwise(group)):
        return False
    if len(group) == 2:
        return inner[0].free > VERY_SHORT and begins_anew(group[1].text)
    edge = max(line.line.box.x1 for line in group)
    aligned = sum(edge - line.line.box.x1 <= em for line in inner)
    if len(inner) > 2 and aligned > 0.6 * len(inner):
        return False
    if all(line.short for line in inner):
        return True
    return len(group) >= VERSE_LINES and aligned < len(inner) / 2 and all(begins_anew(line.text) for line in group)


def begins_anew(text: str) -> bool:
    """Say whether a line begins with a capital or a number, after any quotation marks or brackets."""
    first = next((character for character in text if character.isalnum()), "")
    return first.isupper() or first.isdigit()
