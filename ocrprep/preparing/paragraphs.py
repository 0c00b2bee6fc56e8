"""Whether a line and the next belong to one paragraph, to lines that stand each for itself, or to two paragraphs.

The rules, in order: one printed row; headings; bullets and numbered items; verse, addresses and lists; the end of a
page or column; a gap; a word that a hyphen cuts; an indent; a last line that ends short; another block; otherwise the
lines are one paragraph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

from ocrprep.preparing.line_ends import continues_word, ends_in_hyphen
from ocrprep.preparing.setting import STANZA, VERY_SHORT, WIDE, SetLine, begins_anew

INDENT = 0.9
"""Ems from the left margin at which a line is indented: an em is the usual indent, and line boxes vary by a tenth."""

DEEPEST_INDENT = 8.0
"""Ems beyond which a line is centred or set right, not indented."""

INDENTED_PARAGRAPHS = 3
"""So many indented lines after the end of a sentence show that a document marks its paragraphs by indents."""

SAME_EDGE = 1.0
"""Ems within which two lines of a list or a stanza begin at the same place."""

HEADING_FREE = 0.2
"""A heading below a gap leaves more than this share of the measure free: more than ragged typescript does."""

BELOW_HEADING = 1.15
"""A line below a gap that keeps this multiple of the usual distance from the next, too, is a heading of its own."""

MARK_AT_FOOT = 0.5
"""A last line that leaves half of the measure free and does not go on with the word cut before it is a signature mark
or a catchword."""

_FINAL = ".!?…。！？؟۔"
_CLOSERS = "\"'”’»«“‘)]}›‹*†"


@dataclass(frozen=True, slots=True)
class Bond:
    """How two lines hang together: `join`, `line` (each for itself, one paragraph) or `paragraph` (two of them)."""

    kind: Literal["join", "line", "paragraph"]
    rule: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


def bonds(lines: Sequence[SetLine], em: float) -> list[Bond]:
    """Return the bond between each line of a flow and the next: one less than there are lines."""
    indents = _marks_by_indent(lines)
    found: list[Bond] = []
    hang: float | None = None
    listing = False
    for at, (before, after) in enumerate(pairwise(lines)):
        hang = before.hang if before.bullet else hang
        following = lines[at + 2] if at + 2 < len(lines) and lines[at + 2].column == after.column else None
        bond = _bond(before, after, following, indents)
        if hang is not None and bond.rule not in ("row", "bullet") and _hangs(before, after, hang, em):
            bond = Bond("join", "hanging_item")
        if bond.rule == "numbered_item":
            bond, listing = Bond("line" if listing else "paragraph", bond.rule), True
        elif bond.kind == "paragraph":
            hang, listing = None, False
        found.append(bond)
    return found


def ends_sentence(text: str) -> bool:
    """Say whether a line ends with the end of a sentence, closing quotation marks and brackets aside."""
    return text.rstrip(_CLOSERS).endswith(tuple(_FINAL))


def _bond(before: SetLine, after: SetLine, following: SetLine | None, indents: bool) -> Bond:
    if after.beside:
        return Bond("join", "row")
    structure = _by_structure(before, after)
    if structure is not None:
        return structure
    if before.column != after.column:
        return _over_column(before, after, following, indents)
    if before.lined or after.lined:
        same = before.lined and after.lined and (after.lead or 0.0) <= STANZA
        return Bond("line", "lined") if same else Bond("paragraph", "lined")
    if continues_word(before.text, after.text):
        return Bond("join", "cut_word")
    if following is None and ends_in_hyphen(before.text) and after.free > MARK_AT_FOOT:
        return Bond("line", "mark_at_foot")
    return _by_space(before, after, following)


def _by_structure(before: SetLine, after: SetLine) -> Bond | None:
    """Decide at headings and at the items of lists."""
    if before.display != after.display and not after.text[:1].islower():
        return Bond("paragraph", "heading", {"by": "size"})
    if before.display and after.display and before.column == after.column and (after.lead or 0.0) <= 2 * WIDE:
        return Bond("line", "heading", {"by": "size"})
    if before.capitals != after.capitals and (before if before.capitals else after).short:
        return Bond("paragraph", "heading", {"by": "capitals"})
    if after.bullet and not continues_word(before.text, after.text):
        return Bond("paragraph", "bullet")
    if after.numbered and (before.short or before.numbered or ends_sentence(before.text)):
        return Bond("paragraph", "numbered_item")
    return None


def _over_column(before: SetLine, after: SetLine, following: SetLine | None, indents: bool) -> Bond:
    """Decide at the end of a page or column, where the distance of the two lines says nothing."""
    if before.lined or after.lined:
        return Bond("line" if before.lined and after.short else "paragraph", "lined")
    if continues_word(before.text, after.text):
        return Bond("join", "cut_word")
    if after.text[:1].islower():
        return Bond("join", "lower_case")
    evidence = {"free": round(before.free, 2), "indent": round(after.indent, 1)}
    if ends_sentence(before.text):
        if _steps_in(None, after, following) or before.short or not indents:
            return Bond("paragraph", "sentence_ends", evidence)
        return Bond("join", "measure_filled", evidence)
    if before.short:
        return Bond("paragraph", "short_line", evidence)
    return Bond("join", "measure_filled", evidence)


def _by_space(before: SetLine, after: SetLine, following: SetLine | None) -> Bond:
    """Decide between two lines of one column by the space around them."""
    lower = after.text[:1].islower()
    lead = after.lead or 0.0
    if lead > WIDE:
        return Bond("paragraph", "gap", {"lead": round(lead, 2)})
    if _is_heading(before, after):
        return Bond("paragraph", "heading", {"by": "space", "above": round(before.lead or 0.0, 2)})
    final = ends_sentence(before.text) or before.text.endswith(":")
    if not lower and (final or before.short) and _steps_in(before, after, following):
        return Bond("paragraph", "indent", {"indent": round(after.indent, 1)})
    if before.short and final and not lower:
        return Bond("paragraph", "short_line", {"free": round(before.free, 2)})
    if before.free > VERY_SHORT and begins_anew(after.text):
        return Bond("line", "short_line", {"free": round(before.free, 2)})
    if before.line.block != after.line.block and not lower and (final or before.short):
        return Bond("paragraph", "block")
    return Bond("join", "fills_measure", {"free": round(before.free, 2)})


def _is_heading(before: SetLine, after: SetLine) -> bool:
    """Say whether a line below a gap is a heading: no sentence, and either short or parted from the next line too."""
    if (before.lead or 0.0) <= WIDE or not begins_anew(after.text) or ends_sentence(before.text):
        return False
    short = before.free > HEADING_FREE and not after.short and before.text[-1].isalnum()
    return short or (after.lead or 0.0) > BELOW_HEADING


def _steps_in(before: SetLine | None, after: SetLine, following: SetLine | None) -> bool:
    """Say whether a line is indented, and not one of several that begin at the same place, as in a block quotation.

    A line that begins where the one before it began is a paragraph of one line after another, if that one ended short.
    """
    if not INDENT <= after.indent < DEEPEST_INDENT:
        return False
    if before is not None and before.indent >= INDENT and abs(before.indent - after.indent) < INDENT:
        return before.short
    return following is None or after.indent - following.indent >= INDENT / 2 or before is None or before.short


def _marks_by_indent(lines: Sequence[SetLine]) -> bool:
    """Say whether the document marks its paragraphs by indents: some lines step in after the end of a sentence."""
    count = 0
    for before, after in pairwise(lines):
        if before.column == after.column and ends_sentence(before.text) and not before.lined and not after.lined:
            count += INDENT <= after.indent < DEEPEST_INDENT and before.indent < INDENT
            if count >= INDENTED_PARAGRAPHS:
                return True
    return False


def _hangs(before: SetLine, after: SetLine, hang: float, em: float) -> bool:
    """Say whether a line continues an item: it begins below the item's text, at the usual distance."""
    below = before.column == after.column and (after.lead or 0.0) <= WIDE
    return below and not after.display and abs(after.line.box.x0 - hang) <= SAME_EDGE * em
