"""Reflow: how each kept line of a flow is sewn to the next."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import pairwise

from ocrprep.options import ReadingOptions
from ocrprep.preparing.drop_caps import DROP_CAP, INITIALS, bonds_of_initials
from ocrprep.preparing.edges import line_height
from ocrprep.preparing.lexicon import Lexicon
from ocrprep.preparing.line_ends import line_end
from ocrprep.preparing.notes import begins_note
from ocrprep.preparing.paragraphs import Bond, bonds
from ocrprep.preparing.removals import Key, key_of
from ocrprep.preparing.script import Flow, Seam
from ocrprep.preparing.setting import set_lines
from ocrprep.preparing.soft_hyphens import soft_hyphens
from ocrprep.reading import Change
from ocrprep.representation import PlacedLine

VERSION = "reflow-3"


def flow_of_body(
    lines: Sequence[PlacedLine], notes: Set[Key], apart: Set[Key], lexicon: Lexicon, options: ReadingOptions
) -> Flow:
    """Sew the body: all lines but the notes. No paragraph runs through the lines `apart`."""
    kept = [line for line in lines if key_of(line) not in notes]
    found = []
    for (before, after), bond in zip(pairwise(kept), _bonds(kept, lexicon, options), strict=True):
        cut = (key_of(before) in apart or key_of(after) in apart) and bond.rule not in INITIALS
        found.append(_seam(before, after, Bond("paragraph", "page_furniture") if cut else bond, lexicon))
    others = {key_of(line): line for line in lines if key_of(line) in notes}
    return Flow(
        {key_of(line): line for line in kept}, others, found, ("footnote", "small_type_at_foot"), _within(kept, options)
    )


def flow_of_notes(lines: Sequence[PlacedLine], notes: Set[Key], lexicon: Lexicon, options: ReadingOptions) -> Flow:
    """Sew the notes: each begins with its marker, and none goes on over a page."""
    kept = [line for line in lines if key_of(line) in notes]
    found = []
    for (before, after), bond in zip(pairwise(kept), _bonds(kept, lexicon, options), strict=True):
        ends = before.page != after.page or begins_note(after.text)
        found.append(_seam(before, after, Bond("paragraph", "next_note") if ends else bond, lexicon))
    others = {key_of(line): line for line in lines if key_of(line) not in notes}
    return Flow({key_of(line): line for line in kept}, others, found, ("body", "not_a_note"), _within(kept, options))


def _within(lines: Sequence[PlacedLine], options: ReadingOptions) -> tuple[Change, ...]:
    return tuple(change for line in lines for change in soft_hyphens(line)) if options.reflow else ()


def _bonds(lines: Sequence[PlacedLine], lexicon: Lexicon, options: ReadingOptions) -> list[Bond]:
    """Return the bonds between lines; without reflow the printed lines stay, and pages are parted."""
    if options.reflow:
        return bonds_of_initials(lines, bonds(set_lines(lines), line_height([lines])), lexicon)
    return [
        Bond("line" if before.page == after.page else "paragraph", "printed_lines") for before, after in pairwise(lines)
    ]


def _seam(before: PlacedLine, after: PlacedLine, bond: Bond, lexicon: Lexicon) -> Seam:
    cut = line_end(before.text, after.text, lexicon) if bond.kind == "join" else None
    return Seam(before, after, bond, cut, glued=bond.kind == "join" and bond.rule == DROP_CAP)
