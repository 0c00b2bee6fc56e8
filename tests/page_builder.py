"""Representations for tests, made from lines of text with boxes as the acceptance cases give them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ocrprep.identity import hash_text
from ocrprep.options import ReadingOptions
from ocrprep.pages import Box, Line, Page, Word
from ocrprep.preparing import find
from ocrprep.reading import FLOWS, Drop, Reading
from ocrprep.records.representation import SourceFile
from ocrprep.representation import Representation

SIZE = (612.0, 792.0)
WIDTH = 0.6
"""The width of a character in sizes: the cases' fixed-width convention."""


class Typed(NamedTuple):
    """A line to be set: its text, the left end and top of its box, the size of its type, and its block."""

    text: str
    x: float = 60.0
    y: float = 0.0
    size: float = 10.0
    block: int = 1


def set_line(typed: Typed) -> Line:
    """Set a line in fixed-width type; each word gets the box of its characters."""
    words: list[Word] = []
    at = 0
    for text in typed.text.split(" "):
        if text:
            x0 = typed.x + WIDTH * typed.size * at
            box = Box(x0, typed.y, x0 + WIDTH * typed.size * len(text), typed.y + typed.size)
            words.append(Word(text, box))
        at += len(text) + 1
    return Line(tuple(words), typed.block)


def representation_of(pages: Iterable[Iterable[Typed]], size: tuple[float, float] = SIZE) -> Representation:
    """Make a representation of pages of lines; a page without a line is blank."""
    made: list[Page] = []
    for number, typed in enumerate(pages, start=1):
        lines = [set_line(line) for line in typed]
        made.append(Page(number, size, "pt", lines, state="read" if lines else "blank"))
    return Representation(hash_text("source"), [SourceFile(name="a.pdf", hash=hash_text("a"), size=1, pages=1)], made)


def printed(texts: Iterable[str], *, x: float = 60.0, y: float = 80.0, pitch: float = 14.0) -> list[Typed]:
    """Place the lines of a page without boxes below each other; an empty text leaves a line's space."""
    return [Typed(text, x, y + pitch * number) for number, text in enumerate(texts) if text.strip()]


_WHO = (
    "The harbour master",
    "A boy in a cap",
    "Old Mrs. Tarn",
    "The pilot's wife",
    "Nobody there",
    "He who",
    "Her son",
)
_DID = ("counted the barrels", "went up the hill", "had no rope for it", "wrote on a slate", "heard the bell ring")
_THEN = ("and said as much.", "before the tide", "which was a pity, as", "for all that", "in the fog", "twice a day")


def prose(page: int, lines: int = 4) -> list[str]:
    """Return lines of text of which no two pages have one at the same place."""
    rows = [page * lines + row for row in range(lines)]
    return [f"{_WHO[row % 7]} {_DID[3 * row % 5]} {_THEN[5 * row % 6]}" for row in rows]


def readings_of(representation: Representation, options: ReadingOptions | None = None) -> tuple[Reading, Reading]:
    """Prepare a representation and return its body and its notes."""
    chosen = options or ReadingOptions()
    findings = find(representation, chosen)
    body, notes = (Reading(representation, flow, findings, chosen) for flow in FLOWS)
    return body, notes


def removed(reading: Reading) -> list[str]:
    """Return what a reading left out as page furniture, as `p<page> <kind>: <text>`."""
    drops = (edit for edit in reading.edits if isinstance(edit, Drop))
    return [f"p{drop.page} {drop.kind}: {drop.words.of(reading.representation.text)}" for drop in drops]


def text_pages(pages: Sequence[Sequence[str]]) -> Representation:
    """Make a representation of pages that are known only as text."""
    return representation_of([printed(lines) for lines in pages])
