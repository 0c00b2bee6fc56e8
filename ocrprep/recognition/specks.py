"""Specks that an engine took for words: ruled lines, borders, dirt. They are kept, but not among the words of the page.

A word is a speck when its geometry says so, whatever its confidence; low confidence alone removes nothing (C12).

1. The usual height of a word is the median of those that are long enough to tell.
2. A word without letters and digits is a speck when it is much taller than that, when it lies over other words, or when
   it stands alone in its line, is much smaller than letters are, and is hardly believed.
3. A word with a single letter or digit is a speck when it is so tall and narrow that only a ruled line can be meant.
4. Any word is a speck whose box covers other words of several lines: a border or a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from ocrprep.pages import Line, Word

TELLING_LENGTH = 2
"""Characters from which a word's height tells the height of its line."""

TALL = 3.0
"""Times the usual height from which a mark without letters is a ruled line: brackets over two lines are lower."""

RULED = 8.0
"""Times its width from which a single letter is a ruled line: "l" in a narrow typeface is 6 times as high as wide."""

SMALL = 0.3
"""Share of the usual height of a square that is no smaller than the box of a mark which can be dirt: a dash has 0.3."""

DOUBTED = 0.5
"""Confidence under which a small mark alone in its line is dirt: a lone dash that is believed is an ornament."""

COVERED_WORDS = 3
"""Words of other lines under a word's box from which it is a border or a picture: a drop cap covers none."""


def without_specks(lines: Sequence[Line]) -> tuple[list[Line], list[Word]]:
    """Part the words of a page from the specks among them; the order of both stays, and no word is in both or neither.

    Boxes may be in any unit; the lines must lie upright.
    """
    words = [word for line in lines for word in line.words]
    usual = _usual_height(words)
    if usual is None:
        return list(lines), []
    specks = {id(word) for line in lines for word in line.words if _is_speck(word, line, lines, usual)}
    kept = (Line(tuple(word for word in line.words if id(word) not in specks), line.block) for line in lines)
    return [line for line in kept if line.words], [word for word in words if id(word) in specks]


def _usual_height(words: Sequence[Word]) -> float | None:
    heights = [word.box.height for word in words if len(word.text) >= TELLING_LENGTH and word.box.height > 0]
    return median(heights) if heights else None


def _is_speck(word: Word, line: Line, lines: Sequence[Line], usual: float) -> bool:
    box = word.box
    characters = sum(each.isalnum() for each in word.text)
    if box.height > TALL * usual and _covered(word, line, lines) >= COVERED_WORDS:
        return True
    if characters == 0:
        return box.height > TALL * usual or (len(line.words) == 1 and _is_dirt(word, usual))
    return characters == 1 == len(word.text) and box.height > TALL * usual and box.height > RULED * box.width


def _is_dirt(word: Word, usual: float) -> bool:
    return word.box.area < (SMALL * usual) ** 2 and word.confidence is not None and word.confidence < DOUBTED


def _covered(word: Word, own: Line, lines: Sequence[Line]) -> int:
    """Count the words of other lines whose middle lies under a word."""
    box = word.box
    return sum(
        box.x0 <= x <= box.x1 and box.top <= y <= box.bottom
        for line in lines
        if line is not own
        for x, y in (other.box.centre for other in line.words)
    )
