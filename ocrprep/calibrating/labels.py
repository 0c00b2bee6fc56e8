"""The label of every word of a page, from the ground truth's zones by geometry.

1. The truth line that holds the word's centre, grown by 15 % of its height; of several, the nearest one.
2. Otherwise the zone that holds it: furniture before notes before body, the smallest first. On a page with gold lines,
   a word of the body on no line is a speck unless it has two letters and the engine trusts it.
3. Otherwise `none`: show-through, library marks, what the annotators left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ocrprep.calibrating.zones import TruthPage, Zone
from ocrprep.pages import Page

GROWN = 0.15
"""The share of a line's height by which it is grown: annotators draw close to the letters."""

TRUSTED = 0.5
LINED = 3
"""A page with so many gold lines of body text has them all."""

_RANKS = {
    "folio": 0, "signature": 0, "catchword": 0, "quire": 0, "running_head": 1,
    "marginalia": 2, "footnote": 2, "stamp": 2, "artefact": 2, "body": 3, "picture": 4,
}  # fmt: skip
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}")
_SIGNATURE = re.compile(r"[A-Za-zſẽ]{1,3}[\divxjIVX]*|[*†¶§]+.*")


def word_labels(page: Page, truth: TruthPage) -> list[str]:
    """Return the label of each word of a page, in their order."""
    width, height = truth.size
    x, y = (page.size[0] / width if width else 1.0), (page.size[1] / height if height else 1.0)
    lines = [each.scaled(x, y) for each in truth.lines]
    zones = [each.scaled(x, y) for each in truth.zones]
    lined = sum(each.label == "body" for each in lines) >= LINED
    return [
        _label(page.words.texts[at], page.words.box(at).centre, page.words[at].confidence, (lines, zones, lined))
        for at in range(len(page.words))
    ]


def _label(
    text: str,
    centre: tuple[float, float],
    confidence: float | None,
    truth: tuple[Sequence[Zone], Sequence[Zone], bool],
) -> str:
    lines, zones, lined = truth
    x, y = centre
    near = [(abs(y - line.middle_at(x)), at) for at, line in enumerate(lines) if _reaches(line, x, y)]
    if near:
        line = lines[min(near)[1]]
        return _shown(quire_label(line.text) if line.label == "quire" else line.label)
    held = [(_RANKS[zone.label], zone.area, zone.label) for zone in zones if zone.holds(x, y)]
    label = min(held)[2] if held else "none"
    if label == "body" and lined:
        trusted = confidence is None or confidence >= TRUSTED
        label = "body" if trusted and _TWO_LETTERS.search(text) else "none"
    if label == "quire":
        quires = [line for line in lines if line.label == "quire"]
        nearest = min(quires, key=lambda line: sum(_distance(line, centre)), default=None)
        label = "signature" if nearest is None else quire_label(nearest.text)
    return _shown(label)


def _shown(label: str) -> str:
    return "body" if label == "picture" else label


def _reaches(line: Zone, x: float, y: float) -> bool:
    x0, top, x1, bottom = line.box
    grown = GROWN * (bottom - top)
    if not (x0 - grown <= x <= x1 + grown and top - grown <= y <= bottom + grown):
        return False
    return any(line.holds(x, each) for each in (y, y + grown, y - grown))


def _distance(line: Zone, centre: tuple[float, float]) -> Iterator[float]:
    x0, top, x1, bottom = line.box
    yield abs((x0 + x1) / 2 - centre[0])
    yield abs((top + bottom) / 2 - centre[1])


def quire_label(text: str) -> str:
    """Tell a signature mark (`A ij`, `Bb3`) from a catchword (`lequel`, `de-`) by the gold text of its line."""
    bare = re.sub(r"\W", "", text)
    written = _SIGNATURE.fullmatch(bare) is not None and (
        len(bare) <= 2 or re.search(r"\d|[ivxj]+$", bare) is not None or not bare[0].isalpha()
    )
    if not bare or written:
        return "signature"
    return "catchword" if re.search(r"[a-zà-ÿſ]{2}", bare) else "signature"
