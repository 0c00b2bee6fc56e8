"""The reading order of a page's lines, decided before its text is laid out; the given order stays unless it is wrong.

1. Turn the page upright, take the lines' common slant out, and cut every line into pieces at its wide gaps. Text of
   another slant, such as a watermark, and text on end stand apart.
2. Take side notes together that the order mixes into the text, and put them behind it, before smaller type at its foot.
3. Put what stands in columns into their order (see `columns`). Pieces of one line that are neighbours still are one
   line again; each column is a block, or more where it was more.
4. Put a tall initial before the first of the lines that it indents.

No word is lost, added or changed, and the words of a line keep their order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from statistics import median

from ocrprep.pages import Affine, Box, Line, Page, PageWarning, Word, around
from ocrprep.preparing.columns import GUTTER, WORD_SPACES, Manner, Piece, arranged, crosses
from ocrprep.preparing.drop_caps import indented_first, is_initial
from ocrprep.preparing.side_notes import mixed_notes
from ocrprep.preparing.upright import upright, upright_size

CHANGED = "reading_order_changed"

OTHER_SLANT = 10.0
"""Degrees from the page's slant at which text is no part of its columns."""

ON_END = 2.0
"""Heights of a word from which a word of several letters that is taller than wide stands on end."""

SMALLER = 0.9
"""Lines at the foot lower than this share of the usual are notes, which stay last."""

SPREAD = 1.1
"""Width by height from which a page may be an opening of two pages, each with a head and a foot of its own."""

Place = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ordered:
    """The lines in reading order, and for each the 0-based number of the line that it was part of.

    `cut` counts the lines that were cut, `moved` those after which another follows than did.
    """

    lines: tuple[Line, ...]
    origins: tuple[int, ...]
    cut: int = 0
    moved: int = 0

    @property
    def changed(self) -> bool:
        """Whether the order is another than the given one."""
        return bool(self.cut or self.moved)

    def warnings(self, given: Iterable[PageWarning]) -> tuple[PageWarning, ...]:
        """Return warnings about the given lines as they are numbered now, and what was changed."""
        if not self.changed:
            return tuple(given)
        first: dict[int, int] = {}
        for number, origin in enumerate(self.origins, start=1):
            first.setdefault(origin + 1, number)
        renumbered = [each if each.line is None else replace(each, line=first[each.line]) for each in given]
        message = f"{self.cut} lines were cut and {self.moved} moved, so that the text does not run across columns"
        return (*renumbered, PageWarning(CHANGED, message))


def ordered(lines: Sequence[Line], size: tuple[float, float], affine: Affine | None = None) -> Ordered:
    """Put the lines of one page into reading order; boxes lie in the page frame, `affine` says how the page lies.

    Lines that were imported keep their order unless it plainly runs across columns.
    """
    given = Ordered(tuple(lines), tuple(range(len(lines))))
    frame = Page(1, size, "px", affine=affine)
    boxes = _upright_boxes(lines, frame)
    letters = _letters(boxes)
    if letters <= 0:
        return given
    white = max(GUTTER * letters, WORD_SPACES * _word_space(boxes))
    pieces, apart = _pieces(lines, boxes, letters, white)
    wide, high = upright_size(frame)
    stated = sum(line.words[0].text_basis == "imported" for line in lines) * 2 > len(lines)
    manner = Manner(letters, white, _runs_left(lines), stated, spread=wide > SPREAD * high)
    kept = _set(lines, _in_order(pieces, manner), apart) if crosses(pieces, manner) else given
    return _with_initials(kept, frame, letters)


def _upright_boxes(lines: Sequence[Line], frame: Page) -> list[list[Box]]:
    """Return the box of each word of each line on the upright page."""
    probe = Box(1, 2, 3, 4)
    if upright(probe, frame) == probe:
        return [[word.box for word in line.words] for line in lines]
    return [[upright(word.box, frame) for word in line.words] for line in lines]


def _letters(boxes: Sequence[Sequence[Box]]) -> float:
    """Return the median height of the words; 0 without any."""
    heights = [box.bottom - box.top for line in boxes for box in line]
    return median(heights) if heights else 0.0


def _word_space(boxes: Sequence[Sequence[Box]]) -> float:
    """Return the usual space between two words; 0 without any."""
    spaces = [after.x0 - before.x1 for line in boxes for before, after in pairwise(line)]
    return median(spaces) if spaces else 0.0


def _pieces(
    lines: Sequence[Line], boxes: Sequence[Sequence[Box]], letters: float, white: float
) -> tuple[list[Piece], list[int]]:
    """Cut lines at their wide gaps; also return the numbers of those lines that are no part of the columns."""
    slant = median(word.baseline_angle for line in lines for word in line.words)
    slope = math.tan(math.radians(slant)) if abs(slant) < OTHER_SLANT else 0.0
    pieces: list[Piece] = []
    apart: list[int] = []
    for number, (line, own) in enumerate(zip(lines, boxes, strict=True)):
        if abs(line.words[0].baseline_angle - slant) > OTHER_SLANT or _stands_on_end(line, own, letters):
            apart.append(number)
            continue
        texts = [word.text for word in line.words]
        start = 0
        for end in (*_cuts(own, letters, white), len(own)):
            pieces.append(_piece(number, range(start, end), own[start:end], texts[start:end], slope))
            start = end
    return pieces, apart


def _cuts(boxes: Sequence[Box], letters: float, white: float) -> Iterator[int]:
    """Yield the numbers of the words before which a line has a wide gap."""
    for number, (before, after) in enumerate(pairwise(boxes), start=1):
        gap = after.x0 - before.x1
        if gap < 0:
            gap = before.x0 - after.x1
        if gap >= white and gap * letters >= white * min(before.bottom - before.top, after.bottom - after.top):
            yield number


def _piece(line: int, words: range, boxes: Sequence[Box], texts: Sequence[str], slope: float) -> Piece:
    x0, top, x1, bottom = around(boxes)
    x, y = (x0 + x1) / 2, (top + bottom) / 2
    return Piece(line, words, x0 + slope * y, x1 + slope * y, y - slope * x, bottom - top, tuple(texts))


def _stands_on_end(line: Line, boxes: Sequence[Box], letters: float) -> bool:
    word, box = line.words[0], boxes[0]
    return len(word.text) > 2 and box.height > ON_END * letters and box.height > 2 * box.width


def _runs_left(lines: Sequence[Line]) -> bool:
    """Say whether most lines begin in a script that is written from right to left: Hebrew, Arabic, Syriac and such."""
    count = sum(
        any("\u0590" <= letter <= "\u08ff" or "\ufb1d" <= letter <= "\ufefc" for letter in line.words[0].text)
        for line in lines
    )
    return count * 2 > len(lines)


def _in_order(pieces: Sequence[Piece], manner: Manner) -> list[tuple[Piece, Place]]:
    """Return the pieces of a page in reading order, side notes behind the text."""
    notes = [] if manner.stated else mixed_notes(pieces, manner.letters)
    apart = set(notes)
    found = arranged([piece for piece in pieces if piece not in apart], manner)
    if not notes:
        return found
    usual = median(piece.height for piece, _ in found)
    at = 1 + max(at for at, (piece, _) in enumerate(found) if piece.height >= SMALLER * usual)
    return [*found[:at], *((note, (-1,)) for note in notes), *found[at:]]


def _set(lines: Sequence[Line], pieces: Sequence[tuple[Piece, Place]], apart: Sequence[int]) -> Ordered:
    """Make lines of pieces in their order, neighbours of one line whole again, and number their blocks anew."""
    made: list[tuple[int, tuple[Word, ...], Place]] = []
    for (number, place), run in groupby(pieces, key=lambda each: (each[0].line, each[1])):
        indices = [index for piece, _ in run for index in piece.words]
        if indices == sorted(indices):
            made.append((number, tuple(lines[number].words[index] for index in indices), place))
        else:
            made += ((number, (lines[number].words[index],), place) for index in sorted(indices))
    whole = [number for number, _, _ in made]
    if len(made) + len(apart) == len(lines) and whole == sorted(whole):
        return Ordered(tuple(lines), tuple(range(len(lines))))
    made += ((number, lines[number].words, (-2,)) for number in apart)
    blocks: dict[tuple[Place, int], int] = {}
    of_lines = tuple(
        Line(words, blocks.setdefault((place, lines[number].block), len(blocks) + 1)) for number, words, place in made
    )
    origins = tuple(number for number, _, _ in made)
    return _counted(of_lines, origins)


def _counted(lines: tuple[Line, ...], origins: tuple[int, ...]) -> Ordered:
    cut = len(origins) - len(set(origins))
    moved = sum(before > after for before, after in pairwise(origins))
    return Ordered(lines, origins, cut, moved)


def _with_initials(given: Ordered, frame: Page, letters: float) -> Ordered:
    """Put each tall initial that stands elsewhere before the first of the lines that it indents."""
    lines, origins = list(given.lines), list(given.origins)
    found = False
    for at, line in enumerate(given.lines):
        word = line.words[0]
        if len(word.text) == 1 and is_initial(word.text, upright(word.box, frame).height, letters):
            found |= _with_initial(lines, origins, word, frame)
    return _counted(tuple(lines), tuple(origins)) if found else given


def _with_initial(lines: list[Line], origins: list[int], initial: Word, frame: Page) -> bool:
    """Put an initial where it belongs, if that is elsewhere; say whether it was moved."""
    at = next(number for number, line in enumerate(lines) if line.words[0] is initial)
    others = [
        upright(line.words[0].box, frame) if line.words[0] is not initial else Box(0, 0, 0, 0) for line in lines
    ]
    first = indented_first(upright(initial.box, frame), others)
    if first is None or first == at + 1:
        return False
    rest = lines[at].words[1:]
    if rest and upright(rest[0].box, frame).top < others[first].bottom:
        return False
    line, origin = Line((initial,), lines[first].block), origins[at]
    if rest:
        lines[at] = replace(lines[at], words=rest)
    else:
        del lines[at], origins[at]
        first -= at < first
    lines.insert(first, line)
    origins.insert(first, origin)
    return True
