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

from ocrprep.preparing.line_ends import continues_word
from ocrprep.preparing.setting import VERY_SHORT, WIDE, SetLine, begins_anew

INDENT = 0.9
"""Ems from the left margin at which a line is indented: an em is the usual indent, and line boxes vary by a tenth."""

DEEPEST_INDENT = 8.0
"""Ems beyond which a line is centred or set right, not indented."""

INDENTED_PARAGRAPHS = 3
"""So many indented lines after the end of a sentence show that a document marks its paragraphs by indents."""

SAME_EDGE = 1.0
"""Ems within which two lines of a list or a stanza begin at the same place."""

_FINAL = ".!?…:。！？؟۔"  # noqa: RUF001
_CLOSERS = "\"'”’»«“‘)]}›‹*†"


@dataclass(frozen=True, slots=True)
class Bond:
    """How two lines hang together: `join`, `line` (each for itself, one paragraph) or `paragraph` (two of them)."""

    kind: Literal["join", "line", "paragraph"]
    rule: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


def bonds(lines: Sequence[SetLine], em: float) -> list[Bond]:
    """Return the bond between each line of a flow and the next: one less than there are lines."""
    indents = _indents(lines)
    found: list[Bond] = []
    hang: float | None = None
    for at, (before, after) in enumerate(pairwise(lines)):
        hang = before.hang if before.bullet else hang
        following = lines[at + 2] if at + 2 < len(lines) and lines[at + 2].column == after.column else None
        bond = _bond(before, after, following, indents)
        if hang is not None and not before.beside and bond.rule not in ("row", "bullet"):
            hangs = abs(after.line.box.x0 - hang) <= SAME_EDGE * em and before.column == after.column
            bond = Bond("join", "hanging_item") if hangs and (after.lead or 0) <= WIDE else bond
        elif hang is not None and before.beside and bond.rule not in ("row", "bullet"):
            hangs = abs(after.line.box.x0 - hang) <= SAME_EDGE * em and before.column == after.column
            bond = Bond("join", "hanging_item") if hangs and (after.lead or 0) <= WIDE else bond
        if bond.kind == "paragraph":
            hang = None
        found.append(bond)
    return found
