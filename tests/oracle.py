"""A slow per-character oracle for spans.apply and SpanMap: it shares no code and no idea with the real thing.

The derived text is a list of cells, one a character, each with the set of source offsets that it stands for. Whatever
is asked of a map is answered by looking at every cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ocrprep.spans import Edit, Span


@dataclass(frozen=True)
class Cell:
    """One tile between the texts: a kept character, or a whole edit."""

    source: range
    derived: range
    kept: bool


def oracle_apply(text: str, edits: Sequence[Edit]) -> tuple[str, list[Cell]]:
    """Walk over the text character by character and make the derived text and its cells."""
    derived = ""
    cells: list[Cell] = []
    at = 0
    while True:
        here = sorted((e for e in edits if e.span.start == at), key=lambda e: e.span.end)
        for edit in here:
            cells.append(
                Cell(range(at, edit.span.end), range(len(derived), len(derived) + len(edit.replacement)), kept=False)
            )
            derived += edit.replacement
        at_end = max((e.span.end for e in here), default=at)
        if at_end > at:
            at = at_end
            continue
        if at >= len(text):
            return derived, cells
        cells.append(Cell(range(at, at + 1), range(len(derived), len(derived) + 1), kept=True))
        derived += text[at]
        at += 1


def oracle_map(span: Span, cells: Sequence[Cell], *, to_derived: bool) -> Span:
    """Cover the far side of every cell that the span touches; an empty span goes before the next character."""
    sides = [(c.source, c.derived) if to_derived else (c.derived, c.source) for c in cells]
    if span:
        touched = [far for near, far in sides if len(near) and near.start < span.end and span.start < near.stop]
        return Span(touched[0].start, touched[-1].stop)
    for near, far in sides:
        if len(near) and near.start <= span.start < near.stop:
            return Span(far.start, far.start)
    end = max((far.stop for _, far in sides), default=0)
    return Span(end, end)
