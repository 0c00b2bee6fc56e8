"""What preparation leaves out of a reading as page furniture, before it becomes an edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ocrprep.pages import FurnitureKind
from ocrprep.representation import PlacedLine
from ocrprep.spans import Span

Key = tuple[int, int]
"""The page and the number of a line, both 1-based."""


@dataclass(frozen=True, slots=True)
class Removal:
    """A run of words of a line that is page furniture, and why; `probability` is null where no profile measured it."""

    page: int
    line: int
    words: Span
    kind: FurnitureKind
    rule: str
    evidence: Mapping[str, Any]
    probability: float | None = None


Removals = Mapping[Key, tuple[Removal, ...]]
"""What of each line is furniture, in the order of its words."""


def key_of(line: PlacedLine) -> Key:
    """Return the page and the number of a line."""
    return line.page, line.number
