"""Placeholder by the lead so that imports work: overwrite this file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ocrprep.pages import FurnitureKind
from ocrprep.representation import PlacedLine, Representation
from ocrprep.spans import Span


@dataclass(frozen=True, slots=True)
class MarkCandidate:
    page: int
    line: int
    words: Span
    kind: FurnitureKind
    features: Mapping[str, float]
    evidence: Mapping[str, Any]
    score: float


def catchword_candidates(pages: Sequence[Sequence[PlacedLine]], representation: Representation) -> list[MarkCandidate]:
    """Find nothing yet."""
    return []
