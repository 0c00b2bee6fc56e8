"""Representations for tests, made from lines of text with boxes as the acceptance cases give them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ocrprep.identity import hash_text
from ocrprep.pages import Box, Line, Page, Word
from ocrprep.records.representation import SourceFile
from ocrprep.representation import Representation

CASES = Path("/work/shared/cases")
"""Where the acceptance cases lie that were not copied into tests."""

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


def case_pages(pages: Iterable[Mapping[str, Any]]) -> Representation:
    """Make a representation of the `pages` of a case."""
    return representation_of(
        [Typed(line["text"], line["box"][0], line["box"][1], line.get("size", 10)) for line in page["lines"]]
        for page in pages
    )


def text_pages(pages: Sequence[Sequence[str]]) -> Representation:
    """Make a representation of pages that are known only as text."""
    return representation_of([printed(lines) for lines in pages])


def case(name: str) -> dict[str, Any]:
    """Return an acceptance case by its number, such as C15."""
    found: dict[str, Any] = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    return found
