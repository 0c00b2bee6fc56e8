"""Words and lines of a PDF page, each in its own direction of writing.

In order: take the segments of the file; link those that stand side by side on one baseline, however far apart in the
file, into lines; order the lines by their first glyph, or from top to bottom where the file jumps about; and number
blocks of lines close by. What is a column, and which comes first, is for others to find.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from statistics import median
from unicodedata import category

import numpy as np

from ocrprep.pages import Affine, Box, Line, TextBasis, Word, around
from ocrprep.sources.glyphs import UNKNOWN, Glyphs
from ocrprep.sources.text_segments import BACKWARDS, SEGMENT_GAP, WORD_GAP, Places, Segment, segments

LINE_GAP = 2.5
"""Gap in em up to which pieces that the file draws one after the other are one line. Wider ones are tab stops."""

_LEADERS = frozenset(".…·_")
_LEADER_GAP = 8.0
"""Gap in em that may stand between leader dots and what they lead to: they end at a raster of their own."""

_SAME_BASELINE = 0.25
"""How far in em the baselines of two segments may differ within one line."""

_JUMPS = 0.3
"""Share of the steps from line to line that lead back up the page from which the file's order is none: of 70 pages of
pikepdf's, pypdf's and OCRmyPDF's test files, forms and drawings among them, none has more than 0.22; chance has 0.5."""

_FEW_LINES = 8
"""Lines under which no order can be called wild."""

_BLOCK_GAP = 0.8
"""White space in em between the lines of one block; double spacing has 1."""

_BLOCK_SIZES = 1.3
"""Ratio of the letter heights within a block."""


@dataclass(frozen=True, slots=True)
class SetWord:
    """A word as indices of its glyphs, in reading order."""

    glyphs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SetLine:
    """A line: its words in reading order, and the direction of writing in degrees, clockwise from rightwards."""

    words: tuple[SetWord, ...]
    angle: float


def set_lines(glyphs: Glyphs) -> list[SetLine]:
    """Set glyphs into lines of words, in the order of the file as far as it has one."""
    place = Places(glyphs)
    lines = [_joined(chain, place) for chain in _chains(segments(glyphs, place), glyphs)]
    return _ordered(lines, glyphs)


def quarter(angle: float) -> int:
    """Return the quarter turns clockwise, 0 to 3, nearest to a direction in degrees."""
    return round(angle / 90) % 4


def turns_upright(lines: Iterable[SetLine]) -> int:
    """Return the clockwise quarter turns of the page, 0 to 3, that make most glyphs of these lines upright."""
    counts = [0, 0, 0, 0]
    for line in lines:
        counts[-quarter(line.angle) % 4] += sum(len(word.glyphs) for word in line.words)
    return max(range(4), key=lambda turns: counts[turns])


def word_text(word: SetWord, glyphs: Glyphs) -> str:
    """Return a word's characters: no white space, and U+FFFD for controls and lone surrogates."""
    text = "".join(glyphs.texts[index] for index in word.glyphs)
    if text.isascii() and text.isprintable() and " " not in text:
        return text
    return "".join(
        UNKNOWN if category(character) in ("Cc", "Cs") else character for character in text if not character.isspace()
    )


def word_boxes(words: Sequence[SetWord], glyphs: Glyphs) -> list[Box]:
    """Return the box around each word's glyphs."""
    if not words:
        return []
    boxes = glyphs.boxes[np.fromiter((index for word in words for index in word.glyphs), np.int64)]
    starts = np.concatenate([[0], np.cumsum([len(word.glyphs) for word in words])[:-1]])
    least, most = np.minimum.reduceat(boxes, starts), np.maximum.reduceat(boxes, starts)
    return [Box(*sides) for sides in np.hstack([least[:, :2], most[:, 2:]]).tolist()]


def line_boxes(lines: Sequence[SetLine], glyphs: Glyphs) -> list[Box]:
    """Return the box around each line's glyphs."""
    whole = [SetWord(tuple(index for word in line.words for index in word.glyphs)) for line in lines]
    return word_boxes(whole, glyphs)


def word_sizes(words: Sequence[SetWord], glyphs: Glyphs) -> list[float]:
    """Return the median letter height of each word."""
    sizes: list[float] = glyphs.sizes.tolist()
    return [median(sizes[index] for index in word.glyphs) for word in words]


def finished(lines: Sequence[SetLine], glyphs: Glyphs, basis: TextBasis, turns: int) -> tuple[Line, ...]:
    """Return lines as they are recorded, with the blocks that they form; `turns` make the page upright.

    A word's `font_size` is the median em of its glyphs as the page shows them.
    """
    words = [word for line in lines for word in line.words]
    angles: list[float] = glyphs.angles.tolist()
    made = iter(
        [
            Word(
                word_text(word, glyphs), box, None, (angles[word.glyphs[0]] + 90 * turns + 180) % 360 - 180, basis, size
            )
            for word, box, size in zip(words, word_boxes(words, glyphs), word_sizes(words, glyphs), strict=True)
        ]
    )
    of_lines = [tuple(islice(made, len(line.words))) for line in lines]
    return tuple(Line(own, block) for own, block in zip(of_lines, _blocks(lines, of_lines), strict=True))


def _chains(found: list[Segment], glyphs: Glyphs) -> Iterator[list[Segment]]:
    """Link segments that stand side by side on one baseline; yield each chain from left to right."""
    leaders = {id(each) for each in found if all(glyphs.texts[index] in _LEADERS for index in each.glyphs[-2:])}
    number = {id(segment): at for at, segment in enumerate(found)}
    groups: dict[int, list[Segment]] = {}
    for segment in found:
        groups.setdefault(round(segment.angle), []).append(segment)
    following: dict[int, Segment] = {}
    for group in groups.values():
        group.sort(key=lambda segment: segment.baseline)
        baselines = [segment.baseline for segment in group]
        taken: set[int] = set()
        for left in sorted(group, key=lambda segment: segment.start):
            reach = _SAME_BASELINE * left.size
            first = bisect_left(baselines, left.baseline - reach)
            best: Segment | None = None
            for at in range(first, len(group)):
                right = group[at]
                if right.baseline > left.baseline + reach:
                    break
                if right is left or id(right) in taken or right.start < left.start:
                    continue
                if right.start - left.end >= -BACKWARDS * left.size and (best is None or right.start < best.start):
                    best = right
            if best is not None and _joins(left, best, number, leaders):
                following[id(left)] = best
                taken.add(id(best))
    continued = {id(segment) for segment in following.values()}
    for segment in found:
        if id(segment) not in continued:
            chain = [segment]
            while id(chain[-1]) in following:
                chain.append(following[id(chain[-1])])
            yield chain


def _joins(left: Segment, right: Segment, number: dict[int, int], leaders: set[int]) -> bool:
    size = max(left.size, right.size)
    if min(left.size, right.size) < size / 2:
        return False
    gap = right.start - left.end
    if gap <= SEGMENT_GAP * min(left.size, right.size):
        return True
    # A lone full stop ends a sentence, and leads nowhere.
    leading = (id(left) in leaders and len(left.glyphs) > 1) or id(right) in leaders
    return abs(number[id(left)] - number[id(right)]) == 1 and gap <= (_LEADER_GAP if leading else LINE_GAP) * size


def _joined(chain: list[Segment], place: Places) -> SetLine:
    """Make a line of its segments, joining words that touch, and reading a right-to-left line from the right."""
    words: list[tuple[int, ...]] = []
    strong = sum(any(place.right_to_left[index] for index in word) for each in chain for word in each.words)
    count = sum(len(each.words) for each in chain)
    backwards = 2 * strong > count
    end: float | None = None
    for segment in reversed(chain) if backwards else chain:
        own = list(segment.words)
        if backwards and len(own) > 1 and _goes_right(own, place):
            own.reverse()
        if words and end is not None and not backwards and segment.start - end <= WORD_GAP * segment.size:
            words[-1] += own.pop(0)
        words += own
        end = segment.end if not _ends_in_space(segment, place) else None
    return SetLine(tuple(SetWord(word) for word in words), chain[0].angle)


def _goes_right(words: list[tuple[int, ...]], place: Places) -> bool:
    return place.step(words[0][0], words[-1][0])[0] > 0


def _ends_in_space(segment: Segment, place: Places) -> bool:
    after = segment.glyphs[-1] + 1
    return after < len(place.blank) and place.blank[after]


def _ordered(lines: list[SetLine], glyphs: Glyphs) -> list[SetLine]:
    """Order lines by their first glyph in the file, or from top to bottom where the file has no order."""
    lines.sort(key=lambda line: min(min(word.glyphs) for word in line.words))
    if len(lines) < _FEW_LINES:
        return lines
    turns = turns_upright(lines)
    upright = Affine.quarter_turns(turns, 0, 0)
    boxes = [upright.box(box) for box in line_boxes(lines, glyphs)]
    back = sum(later.bottom <= box.top for box, later in pairwise(boxes))
    if back <= _JUMPS * (len(lines) - 1):
        return lines
    order = sorted(range(len(lines)), key=lambda at: (round(boxes[at].bottom), boxes[at].x0))
    return [lines[at] for at in order]


def _blocks(lines: Sequence[SetLine], words: Sequence[tuple[Word, ...]]) -> Iterator[int]:
    """Number blocks from 1: lines in a row that lie close by under one another, of one size and direction."""
    block = 0
    last: tuple[int, Box, float] | None = None
    for line, made in zip(lines, words, strict=True):
        turns = -quarter(line.angle) % 4
        box = Affine.quarter_turns(turns, 0, 0).box(around(word.box for word in made))
        size = median(word.font_size or 0.0 for word in made)
        if last is None or not _continues(last, (turns, box, size)):
            block += 1
        yield block
        last = turns, box, size


def _continues(last: tuple[int, Box, float], this: tuple[int, Box, float]) -> bool:
    (turns, above, size), (own_turns, below, own_size) = last, this
    if turns != own_turns or max(size, own_size) > _BLOCK_SIZES * min(size, own_size):
        return False
    overlap = min(above.x1, below.x1) - max(above.x0, below.x0)
    return overlap > 0 and -max(size, own_size) / 2 <= below.top - above.bottom <= _BLOCK_GAP * max(size, own_size)
