"""Footnotes: blocks of smaller type at the foot of a page that begin with a note's marker."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from ocrprep.preparing.edges import line_height
from ocrprep.representation import PlacedLine

SMALLER = 0.9
"""Notes are set at most this large: nine points under ten, the closest pair of sizes that printers used."""

CLEAR_SPACE = 1.2
"""A note stands this many times the page's usual distance of lines below the text, or in a block of its own."""

_MARKER = re.compile(r"(?:\*{1,3}|[†‡§¶]|[¹²³⁰⁴⁵⁶⁷⁸⁹]+)\)?|\(?(?:\d{1,3}|[a-z]|\*{1,3})\)|\d{1,3}\.? ")


def begins_note(text: str) -> bool:
    """Say whether a line begins with a note's marker: `*`, `†`, `(1)`, `1)`, `1 `, `¹`."""
    return _MARKER.match(text) is not None


def find_notes(pages: Sequence[Sequence[PlacedLine]]) -> frozenset[tuple[int, int]]:
    """Return page and number of the lines that are footnotes; in doubt a line stays in the body."""
    em = line_height(pages)
    return frozenset(
        (line.page, line.number) for lines in pages for line in (lines[_first_note(lines, em) :] if lines else ())
    )


def _first_note(lines: Sequence[PlacedLine], em: float) -> int:
    """Return the index of the first line of a page's notes: the highest that all the rules hold for."""
    first = len(lines)
    for at in range(len(lines) - 1, 0, -1):
        if lines[at].box.height > SMALLER * em:
            break
        if begins_note(lines[at].text) and _stands_apart(lines, at):
            first = at
    return first


def _stands_apart(lines: Sequence[PlacedLine], at: int) -> bool:
    """Say whether a line is below all lines before it, parted from them by space or by a block of its own."""
    before, line = lines[at - 1], lines[at]
    if line.box.top < max(each.box.bottom for each in lines[:at]) - line.box.height / 2:
        return False
    pitches = [after.box.centre[1] - each.box.centre[1] for each, after in pairwise(lines[:at])]
    # The smaller type alone parts the note where too few lines show their usual distance.
    usual = median(pitches) if pitches else line.box.height
    return before.block != line.block or line.box.centre[1] - before.box.centre[1] > CLEAR_SPACE * usual
