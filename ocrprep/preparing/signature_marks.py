"""Placeholder by the lead so that imports work: overwrite this file."""

from __future__ import annotations

from collections.abc import Sequence

from ocrprep.preparing.catchwords import MarkCandidate
from ocrprep.representation import PlacedLine, Representation


def signature_candidates(pages: Sequence[Sequence[PlacedLine]], representation: Representation) -> list[MarkCandidate]:
    """Find nothing yet."""
    return []
