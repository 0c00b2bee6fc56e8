"""Segments of text: glyphs that follow one another in a PDF, broken into words.

In order: follow the glyphs of the file as long as each starts where the last one ends, over word spaces, small steps up
or down, and gentle turns; break the segment into words at spaces, and at gaps that are wide for it; and read words of
right-to-left letters from the right.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from unicodedata import bidirectional, category

from ocrprep.sources.glyphs import Glyphs

WORD_GAP = 0.16
"""Gap between glyphs, in em, that parts words where the file has no space. On pikepdf's, pypdf's and OCRmyPDF's
test files 51,000 gaps within words are below 0.16, and 4,800 between words above 0.25."""

SEGMENT_GAP = 0.8
"""Gap in em up to which pieces of a line belong together in whatever order they are drawn: a wide word space. The
gutter between columns is 1 em or more."""

BACKWARDS = 0.35
"""How far in em a glyph may start before the last one did: accents are set back over their letters."""

_STEP = 0.45
"""How far in em a glyph may stand above or below the last one in its word: raised numbers 0.4; lines 0.9 or more."""

_BEND = 12.0
"""Degrees by which the direction may change from glyph to glyph: lettering on a curve."""

_SPACED_LETTERS = 5
"""Even gaps between letters in a row from which they are letter-spaced."""

_EVEN = 0.06
"""Spread in em of the gaps between letters that are letter-spaced: one value, rounded."""

_SPACED_WORDS = (1.5, 0.1)
"""Factor and addition in em that make a gap between letter-spaced words of one between their letters."""


@dataclass(slots=True)
class Segment:
    """Glyphs that follow one another on a baseline; `spaced` are the positions before which the file has a space."""

    glyphs: list[int]
    spaced: set[int]
    angle: float = 0.0
    words: tuple[tuple[int, ...], ...] = ()
    start: float = 0.0
    end: float = 0.0
    baseline: float = 0.0
    size: float = 0.0


def segments(glyphs: Glyphs, place: Places) -> list[Segment]:
    """Return the segments of a page in the order of the file, with their words and places."""
    found = list(_segments(glyphs, place))
    for segment in found:
        _read(segment, glyphs, place)
    return found


class Places:
    """Plain lists of what is asked of single glyphs many times: arrays are slow at that."""

    def __init__(self, glyphs: Glyphs) -> None:
        self.x: list[float] = glyphs.origins[:, 0].tolist()
        self.y: list[float] = glyphs.origins[:, 1].tolist()
        self.angle: list[float] = glyphs.angles.tolist()
        self.advance: list[float] = glyphs.advances.tolist()
        self.size: list[float] = glyphs.sizes.tolist()
        self.font: list[int] = glyphs.fonts.tolist()
        self.blank = [not text.strip() for text in glyphs.texts]
        self.right_to_left = [text > "\u0590" and _is_right_to_left(text) for text in glyphs.texts]
        self.mark = [text > "\u02ff" and all(category(each) == "Mn" for each in text) for text in glyphs.texts]

    def step(self, last: int, index: int) -> tuple[float, float]:
        """Return the way from one glyph's start to another's, along and across the first one's direction."""
        x, y = self.x[index] - self.x[last], self.y[index] - self.y[last]
        angle = self.angle[last]
        if angle == 0:
            return x, y
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        return x * cos + y * sin, y * cos - x * sin

    def gap(self, last: int, index: int) -> float:
        """Return the room between two glyphs of a segment, in em of the larger."""
        along, _ = self.step(last, index)
        room = (
            along - self.advance[last] if along >= 0 or not self.right_to_left[index] else -along - self.advance[index]
        )
        return room / max(self.size[last], self.size[index], 1e-6)


def _is_right_to_left(text: str) -> bool:
    return any(bidirectional(character) in ("R", "AL") for character in text)


def _segments(glyphs: Glyphs, place: Places) -> Iterator[Segment]:
    current: Segment | None = None
    space = False
    for index in range(len(glyphs)):
        if place.blank[index]:
            space = True
            continue
        if current is not None and _follows(current.glyphs[-1], index, place):
            if space:
                current.spaced.add(len(current.glyphs))
            current.glyphs.append(index)
        else:
            if current is not None:
                yield current
            current = Segment([index], set())
        space = False
    if current is not None:
        yield current


def _follows(last: int, index: int, place: Places) -> bool:
    size = max(place.size[last], place.size[index])
    along, across = place.step(last, index)
    if abs(across) > _STEP * size:
        return False
    if abs((place.angle[index] - place.angle[last] + 180) % 360 - 180) > _BEND:
        return False
    if along < -BACKWARDS * size:
        # Only letters that are read from the right may go on to the left.
        if not (place.right_to_left[last] or place.right_to_left[index]):
            return False
        return -BACKWARDS * size <= -along - place.advance[index] <= SEGMENT_GAP * size
    return along - place.advance[last] <= SEGMENT_GAP * size


def _read(segment: Segment, glyphs: Glyphs, place: Places) -> None:
    """Break a segment into words, and measure where it stands along and across its direction."""
    order = segment.glyphs
    segment.angle = median(place.angle[index] for index in order) if len(order) > 1 else place.angle[order[0]]
    breaks = _word_breaks(segment, glyphs, place)
    words: list[list[int]] = [[order[0]]]
    for position in range(1, len(order)):
        if position in breaks:
            words.append([order[position]])
        else:
            words[-1].append(order[position])
    cos, sin = math.cos(math.radians(segment.angle)), math.sin(math.radians(segment.angle))
    along = [place.x[index] * cos + place.y[index] * sin for index in order]
    segment.start = min(along)
    segment.end = max(start + place.advance[index] for start, index in zip(along, order, strict=True))
    segment.baseline = median(place.y[index] * cos - place.x[index] * sin for index in order)
    segment.size = median(place.size[index] for index in order)
    position_of = dict(zip(order, along, strict=True))
    segment.words = tuple(tuple(_logical(word, position_of, place)) for word in words)


def _word_breaks(segment: Segment, glyphs: Glyphs, place: Places) -> set[int]:
    """Return the positions in a segment at which words begin: after spaces, and after gaps that letter-spacing does not
    explain.

    Gaps are letter-spacing where two in a row between letters of one font are alike, and the file has spaces besides or
    there are many of them.
    """
    order = segment.glyphs
    breaks = set(segment.spaced)
    wide: dict[int, float] = {}
    for position in range(1, len(order)):
        if position not in segment.spaced:
            gap = place.gap(order[position - 1], order[position])
            if gap > WORD_GAP:
                wide[position] = gap
    lettered = {
        position: gap
        for position, gap in wide.items()
        if glyphs.texts[order[position]].isalpha()
        and glyphs.texts[order[position - 1]].isalpha()
        and place.font[order[position]] == place.font[order[position - 1]]
    }
    even = {
        position: gap
        for position, gap in lettered.items()
        if abs(lettered.get(position - 1, 9.0) - gap) <= _EVEN or abs(lettered.get(position + 1, 9.0) - gap) <= _EVEN
    }
    spaces = bool(segment.spaced) or _beside_space(segment, place)
    if not spaces and len(even) < _SPACED_LETTERS:
        even = {}
    limit = 0.0
    if even:
        factor, addition = _SPACED_WORDS
        limit = median(even.values()) * factor + addition
    # Without spaces the wider gaps part the words; with them, a gap that is not like its neighbours does.
    return breaks | {position for position, gap in wide.items() if gap > limit or (spaces and position not in even)}


def _beside_space(segment: Segment, place: Places) -> bool:
    before, after = segment.glyphs[0] - 1, segment.glyphs[-1] + 1
    return (before >= 0 and place.blank[before]) or (after < len(place.blank) and place.blank[after])


def _logical(word: list[int], along: dict[int, float], place: Places) -> list[int]:
    """Order a word's glyphs as they are read: a right-to-left word from the right, its numbers from the left.

    Files hold such words either way around, and tell by places only which.
    """
    if len(word) == 1 or not any(place.right_to_left[index] for index in word):
        return word
    clusters: list[list[int]] = []
    for index in word:
        if clusters and place.mark[index]:
            clusters[-1].append(index)
        else:
            clusters.append([index])
    clusters.sort(key=lambda cluster: -along[cluster[0]])
    ordered: list[list[int]] = []
    run: list[list[int]] = []
    for cluster in clusters:
        if place.right_to_left[cluster[0]]:
            ordered += [*reversed(run), cluster]
            run = []
        else:
            run.append(cluster)
    ordered += reversed(run)
    return [index for cluster in ordered for index in cluster]
