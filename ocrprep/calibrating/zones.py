"""Ground truth of a page: zones and lines with their labels, from ALTO with SegmOnto tags or from PAGE.

SegmOnto: Gabay, Camps, Pinche, Jahan 2021 (segmonto.github.io); PAGE: Pletschacher, Antonacopoulos 2010. Both name what
a zone is; here each name becomes one of `LABELS`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ocrprep.errors import CalibrationError
from ocrprep.sources.given_text import local_name
from ocrprep.sources.xml_file import parsed

LABELS = (
    "body", "running_head", "folio", "signature", "catchword", "marginalia", "footnote", "stamp", "artefact", "none",
)  # fmt: skip

Point = tuple[float, float]
Polygon = tuple[Point, ...]

_SEGMONTO = {
    "MainZone": "body", "Main": "body", "TitlePageZone": "body", "Title": "body", "DropCapitalZone": "body",
    "DropCapital": "body", "TableZone": "body", "MusicZone": "body", "GraphicZone": "picture", "Decoration": "picture",
    "SealZone": "stamp", "StampZone": "stamp", "NumberingZone": "folio", "Numbering": "folio",
    "RunningTitleZone": "running_head", "RunningTitle": "running_head", "QuireMarksZone": "quire",
    "Signatures": "quire", "MarginTextZone": "marginalia", "DigitizationArtefactZone": "artefact",
}  # fmt: skip
_PAGE_TYPES = {
    "body": "body", "paragraph": "body", "heading": "body", "drop-capital": "body", "caption": "body",
    "list-label": "body", "TOC-entry": "body", "header": "running_head", "footer": "running_head", "pageNum": "folio",
    "page-number": "folio", "sig": "signature", "signature-mark": "signature", "catch-word": "catchword",
    "catch": "catchword", "note": "footnote", "footnote": "footnote", "footnote-continued": "footnote",
    "endnote": "footnote", "marginalia": "marginalia", "stamp": "stamp", "": "body",
}  # fmt: skip
_STRUCTURE = re.compile(r"structure\s*\{[^}]*type:\s*([^;}]+)")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Zone:
    """A labelled area, and the gold text of it where it is a line; `quire` may be a signature mark or a catchword."""

    label: str
    polygon: Polygon
    text: str = ""

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The upright box around the polygon: x0, top, x1, bottom."""
        xs, ys = [x for x, _ in self.polygon], [y for _, y in self.polygon]
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def area(self) -> float:
        """The area of the polygon, by the shoelace formula."""
        around = zip(self.polygon, (self.polygon[-1], *self.polygon[:-1]), strict=True)
        return abs(sum(x * before_y - before_x * y for (x, y), (before_x, before_y) in around)) / 2

    def holds(self, x: float, y: float) -> bool:
        """Say whether a point lies inside, by the even-odd rule."""
        inside = False
        for (x1, y1), (x2, y2) in zip(self.polygon, (self.polygon[-1], *self.polygon[:-1]), strict=True):
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
                inside = not inside
        return inside

    def middle_at(self, x: float) -> float:
        """Return the middle height of the polygon at an abscissa: a slanting line is followed."""
        crossings = [
            y1 + (y2 - y1) * (x - x1) / (x2 - x1)
            for (x1, y1), (x2, y2) in zip(self.polygon, (self.polygon[-1], *self.polygon[:-1]), strict=True)
            if (x1 > x) != (x2 > x)
        ]
        _, top, _, bottom = self.box
        return (min(crossings) + max(crossings)) / 2 if crossings else (top + bottom) / 2

    def scaled(self, x: float, y: float) -> Zone:
        """Return the zone in another frame."""
        return Zone(self.label, tuple((each * x, other * y) for each, other in self.polygon), self.text)


@dataclass(frozen=True, slots=True)
class TruthPage:
    """The labelled zones and lines of a page, in the frame of a picture of `size`."""

    size: tuple[float, float]
    zones: tuple[Zone, ...]
    lines: tuple[Zone, ...]


def read_truth(path: Path) -> TruthPage:
    """Read ALTO or PAGE; a page without labelled zones has none. Raises CalibrationError for other files."""
    root = parsed(path, is_html=False).root
    page = next((each for each in root.iter() if local_name(each) == "Page"), None)
    if page is None:
        raise CalibrationError(f"{path}: neither ALTO nor PAGE: it has no Page")
    return _alto(root, page) if local_name(root) == "alto" else _page_xml(page)


def _alto(root: Any, page: Any) -> TruthPage:
    names = {each.get("ID"): each.get("LABEL") for each in root.iter() if each.get("LABEL")}
    zones: list[Zone] = []
    lines: list[Zone] = []
    for block in (each for each in root.iter() if local_name(each) == "TextBlock"):
        named = [names[each] for each in (block.get("TAGREFS") or "").split() if names.get(each)]
        label = _SEGMONTO.get(re.split("[:#]", named[0])[0]) if named else None
        if label is None:
            continue
        zones += _zone(label, _outline(block))
        for line in (each for each in block if local_name(each) == "TextLine"):
            said = " ".join(each.get("CONTENT", "") for each in line.iter() if local_name(each) == "String")
            lines += _zone(label, _outline(line), said)
    size = float(page.get("WIDTH") or 0), float(page.get("HEIGHT") or 0)
    return TruthPage(size, tuple(zones), tuple(lines))


def _outline(element: Any) -> Polygon:
    """Return an ALTO element's polygon, or its box."""
    for shape in (each for each in element if local_name(each) == "Shape"):
        for polygon in shape:
            found = _points(polygon.get("POINTS"))
            if len(found) > 2:
                return found
    x, y, width, height = (float(element.get(each) or 0) for each in ("HPOS", "VPOS", "WIDTH", "HEIGHT"))
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def _page_xml(page: Any) -> TruthPage:
    zones: list[Zone] = []
    lines: list[Zone] = []
    for region in (each for each in page.iter() if str(local_name(each)).endswith("Region")):
        structure = _STRUCTURE.search(region.get("custom") or "")
        named = region.get("type") or (structure[1].strip() if structure else None)
        plain = "" if local_name(region) == "TextRegion" else str(local_name(region))
        label = _PAGE_TYPES.get(plain if named is None else named)
        outline = next((_points(each.get("points")) for each in region if local_name(each) == "Coords"), ())
        if label is None or not outline:
            continue
        zones += _zone(label, outline)
        for line in (each for each in region if local_name(each) == "TextLine"):
            around = next((_points(each.get("points")) for each in line if local_name(each) == "Coords"), ())
            lines += _zone(label, around, next(_said(line), ""))
    return TruthPage((float(page.get("imageWidth")), float(page.get("imageHeight"))), tuple(zones), tuple(lines))


def _said(line: Any) -> Iterator[str]:
    for given in (each for each in line if local_name(each) == "TextEquiv"):
        yield from (each.text or "" for each in given if local_name(each) == "Unicode")


def _zone(label: str, polygon: Sequence[Point], text: str = "") -> list[Zone]:
    zone = Zone(label, tuple(polygon), text)
    return [zone] if len(polygon) > 2 and (text or zone.area > 0) else []


def _points(text: str | None) -> Polygon:
    numbers = [float(each) for each in _NUMBER.findall(text or "")]
    return tuple(zip(numbers[0::2], numbers[1::2], strict=False))
