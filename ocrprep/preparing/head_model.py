"""What the pages around a row have at the same edge: most of what is known of a head that no other page repeats.

A book that has heads has them on nearly every page, at one height, in one size of type, as far from the text. So each
row is compared with the outermost rows of the nearest pages that look like heads by themselves; its own page never
counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import NamedTuple

from ocrprep.preparing.head_rows import Document, Row, space_between

NEAREST = 8
"""Pages on each side that a row is compared with: a chapter's opening and its plates lie within."""

AT_PLACE = 1.0
"""Distances of rows within which a head stands at the others' height: scans are cropped by hand."""

LIKE_TYPE = 0.12
"""Share of the letters' height by which the type of two heads of one book differs at most, descenders included."""

LIKE_GAP = 0.3
"""Distances of rows by which the space below two heads of one book differs at most."""


class Standing(NamedTuple):
    """A row as it is compared: where it stands, how tall its letters are, how far from the next row, a number alone.

    It is `held` by a folio of a sequence or by other pages that repeat it. What is held by its place alone proves
    nothing of others: the letters of a volume all begin with a date.
    """

    row: Row
    place: float
    size: float
    gap: float
    numeral: bool
    held: bool


def standing(document: Document, row: Row) -> Standing:
    """Measure a row for comparison with others."""
    setting = document.setting(row)
    inner = document.inner(row)
    letters = sum(character.isalpha() for character in row.text)
    gap = 0.0 if inner is None or not inner.words else space_between(row, inner, setting)
    return Standing(row, row.place, row.letters / setting.letters, gap, letters < 3, _is_held(document, row))


def _is_held(document: Document, row: Row) -> bool:
    return any(each.key in document.folios or len(document.shared.alike.get(each.key, ())) > 1 for each in row.lines)


def neighbour_features(
    document: Document, own: Standing, around: Sequence[Standing], shares: Mapping[Row, float]
) -> dict[str, float]:
    """Return how a row fits in with the outermost rows of the pages around, whose `shares` say how like heads they are.

    Shapes: `around` holds at most `2 * NEAREST` rows, none of the row's own page.
    """
    held = [each for each in around if each.held]
    every = max(len(held) + 1, len(around) / 2)
    alike = [each for each in held if each.numeral == own.numeral]
    heads = [each for each in alike if shares[each.row] > 0.5]
    features = {
        "rate": sum(shares[each.row] for each in held) / every,
        "like_rate": sum(shares[each.row] for each in alike) / every,
        "at_place": 0.0,
        "like_type": 0.0,
        "like_gap": 0.0,
        "off_place": 0.0,
    }
    setting = document.setting(own.row)
    if heads and setting.geometric:
        rate = len(heads) / every
        away = abs(own.place - median(each.place for each in heads)) * setting.height / setting.pitch
        features["at_place"] = rate * max(1 - away / AT_PLACE, 0.0)
        features["off_place"] = rate * min(max(away - AT_PLACE, 0.0), 3.0) / 3
        features["like_type"] = rate * max(1 - abs(own.size - median(each.size for each in heads)) / LIKE_TYPE, 0.0)
        features["like_gap"] = rate * max(1 - abs(own.gap - median(each.gap for each in heads)) / LIKE_GAP, 0.0)
    return features
