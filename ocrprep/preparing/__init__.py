"""Preparation: a representation becomes edits with reasons; no text is made here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from ocrprep.options import ReadingOptions
from ocrprep.pages import Page, PageWarning
from ocrprep.preparing.furniture import Furniture, find_furniture
from ocrprep.preparing.furniture import versions as furniture_versions
from ocrprep.preparing.lexicon import Lexicon
from ocrprep.preparing.notes import find_notes
from ocrprep.preparing.reflow import VERSION as REFLOW_VERSION
from ocrprep.preparing.reflow import flow_of_body, flow_of_notes
from ocrprep.preparing.removals import Removals, key_of
from ocrprep.preparing.script import script, trim
from ocrprep.preparing.upright import upright
from ocrprep.reading import Findings
from ocrprep.representation import PlacedLine, Representation

__all__ = ["find", "upright_lines", "versions"]


def versions() -> dict[str, dict[str, str]]:
    """Return the calibration key's sections for the rules in use."""
    return {"furniture": furniture_versions(), "reflow": {"rules": REFLOW_VERSION}}


def find(representation: Representation, options: ReadingOptions) -> Findings:
    """Decide what to drop, to set aside, to join and to break, for the body and for the notes.

    A pure function of its arguments: the same representation and options give equal findings.
    """
    pages = upright_lines(representation)
    furniture = find_furniture(representation, pages, options)
    dropped = _dropped(furniture, options)
    left = [
        [rest for line in lines if (rest := trim(line, dropped.get(key_of(line), ()), representation)) is not None]
        for lines in pages
    ]
    lines = [line for page in left for line in page]
    lexicon = Lexicon(line.text for line in lines)
    notes = find_notes(left)
    body = flow_of_body(lines, notes, furniture.apart, lexicon, options)
    return Findings(
        edits={
            "body": script(pages, dropped, body),
            "notes": script(pages, dropped, flow_of_notes(lines, notes, lexicon, options)),
        },
        folios=furniture.folios,
        warnings=_warnings(furniture, options),
        versions=versions(),
    )


def upright_lines(representation: Representation) -> list[list[PlacedLine]]:
    """Return the lines of each page with their boxes as a reader sees them."""
    return [[_upright(representation, page, at) for at in range(page.line_count)] for page in representation.pages]


def _upright(representation: Representation, page: Page, at: int) -> PlacedLine:
    """Return a line of a page, counted from 0, with its box on the upright page."""
    line = representation.line(page.number, at + 1)
    box = upright(line.box, page)
    return line if box is line.box else replace(line, box=box)


def _dropped(furniture: Furniture, options: ReadingOptions) -> Removals:
    """Return the furniture that the options do not keep."""
    if options.furniture not in ("drop", "strict"):
        return {}
    dropped = {
        key: tuple(removal for removal in removals if removal.kind not in options.keep)
        for key, removals in furniture.removals.items()
    }
    return {key: removals for key, removals in dropped.items() if removals}


def _warnings(furniture: Furniture, options: ReadingOptions) -> Mapping[int, tuple[PageWarning, ...]]:
    """Return the warnings of what was left undecided, and of what is only to be marked."""
    if options.furniture != "mark":
        return furniture.warnings
    warnings = defaultdict(tuple, furniture.warnings)
    for page, number in sorted(furniture.removals):
        for removal in furniture.removals[page, number]:
            kind = removal.kind.replace("_", " ")
            warnings[page] += (PageWarning("furniture_marked", f"Line {number} is a {kind} and was kept.", number),)
    return dict(warnings)
