"""The reading order of a page's lines, decided before its text is laid out; the given order stays unless it is wrong.

1. Turn the page upright, take the lines' common slant out, and cut every line into pieces at its wide gaps. Text of
   another slant, such as a watermark, and text on end stand apart.
2. Take side notes together that the order mixes into the text, and put them behind it, before smaller type at its foot.
3. Where there is a gutter (see `columns`), what lies above comes first, then one side, then the other, then what lies
   below; each is looked at again by itself. Pieces move only where the given order runs across the gutter: line by
   line, all do; where a few lines of the two sides were taken for one, only these are cut, and each part goes to its
   neighbours. Pieces of one line that are neighbours still are one line again; each column is a block of its own.
4. Make a tall initial a line of its own before the first of the lines beside it.

No word is lost, added or changed, and the words of a line keep their order.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from statistics import median

from ocrprep.pages import Affine, Box, Line, Page, PageWarning, Word, around
from ocrprep.preparing.columns import GUTTER, MIN_ROWS, WORD_SPACES, Gutter, Manner, Piece, find_gutter, is_plain
from ocrprep.preparing.drop_caps import first_beside, is_initial
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

ACROSS = 0.25
"""Share of rows in which the given order crosses a gutter and comes back, from which it runs line by line."""

PLAINLY_ACROSS = 0.6
"""The same for an order that somebody stated."""

Place = tuple[int, ...]
"""A place in the tree of columns: above, one side, the other, or below, again and again."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """The lines in reading order, and for each the 0-based number of the line that it was part of.

    `cut` counts the cuts through lines, `moved` the least number of lines that were taken out and put elsewhere.
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
        renumbered = [
            each if each.line is None else replace(each, line=first.get(each.line, each.line)) for each in given
        ]
        message = (
            f"the reading order was changed: {self.cut} cuts through lines, {self.moved} lines or parts put elsewhere"
        )
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
    kept = given if is_plain(pieces, manner) else _set(lines, _in_order(pieces, manner), apart)
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
    found = _arranged([piece for piece in pieces if piece not in apart], manner)
    if not notes:
        return found
    usual = median(piece.height for piece, _ in found)
    at = 1 + max(at for at, (piece, _) in enumerate(found) if piece.height >= SMALLER * usual)
    return [*found[:at], *((note, (-1,)) for note in notes), *found[at:]]


@dataclass(frozen=True, slots=True)
class Tree:
    """The gutters of a page by the place of their regions, and the column of each piece: they depend on no order."""

    gutters: dict[Place, Gutter]
    column_of: dict[Piece, Place]


def _arranged(pieces: Sequence[Piece], manner: Manner) -> list[tuple[Piece, Place]]:
    """Return pieces in reading order, each with its column; the given order stays if it can."""
    tree = Tree({}, {})
    _grow(tree, pieces, manner, ())
    return [(piece, tree.column_of[piece]) for piece in _in_columns(list(pieces), (), tree, manner)]


def _grow(tree: Tree, pieces: Sequence[Piece], manner: Manner, place: Place) -> None:
    """Find the gutter of a region, and those of its parts."""
    gutter = find_gutter(pieces, manner) if len(pieces) >= 2 * MIN_ROWS else None
    if gutter is None:
        tree.column_of.update((piece, place) for piece in pieces)
        return
    tree.gutters[place] = gutter
    for number, part in enumerate(gutter.parts):
        _grow(tree, part, manner, (*place, number))


def _in_columns(pieces: list[Piece], place: Place, tree: Tree, manner: Manner) -> list[Piece]:
    """Return the pieces of a region in reading order."""
    gutter = tree.gutters.get(place)
    if gutter is None:
        return pieces
    depth = len(place)
    sequence = _uncrossed(pieces, depth, tree, manner, gutter.rows)
    parts: list[list[Piece]] = [[], [], [], []]
    for piece in sequence:
        parts[tree.column_of[piece][depth]].append(piece)
    queues = [iter(_in_columns(part, (*place, number), tree, manner)) for number, part in enumerate(parts)]
    return [next(queues[tree.column_of[piece][depth]]) for piece in sequence]


def _uncrossed(pieces: list[Piece], depth: int, tree: Tree, manner: Manner, rows: int) -> list[Piece]:
    """Return the pieces of a region in an order that does not run across its gutter."""
    parts: list[list[Piece]] = [[], [], [], []]
    for piece in pieces:
        parts[tree.column_of[piece][depth]].append(piece)
    above, first, second, below = parts
    sides = [each for piece in pieces if (each := tree.column_of[piece][depth]) in (1, 2)]
    steps = sum(before != after for before, after in pairwise(sides))
    fused = {piece.line for piece in first} & {piece.line for piece in second}
    across = max((steps - 1) / 2, len(fused)) / rows
    if across >= (PLAINLY_ACROSS if manner.stated else ACROSS):
        mended = (_mended(side, fused, tree, manner, depth) for side in (first, second))
        return [*above, *next(mended), *next(mended), *below]
    return pieces if manner.stated else _mended(pieces, fused, tree, manner, depth)


def _mended(pieces: list[Piece], fused: Set[int], tree: Tree, manner: Manner, depth: int) -> list[Piece]:
    """Put the parts of fused lines, each in its column, where its height on the page has it."""

    def moves(piece: Piece) -> bool:
        return piece.line in fused and tree.column_of[piece][depth] in (1, 2)

    kept = [piece for piece in pieces if not moves(piece)]
    if not kept or len(kept) == len(pieces):
        return pieces
    for _, run in groupby(filter(moves, pieces), key=lambda piece: (piece.line, tree.column_of[piece])):
        part = list(run)
        at = _place_among(kept, part[0], tree, manner.letters, depth)
        kept[at:at] = part
    return kept


def _place_among(sequence: Sequence[Piece], piece: Piece, tree: Tree, letters: float, depth: int) -> int:
    """Return where a piece belongs in a sequence: behind the lowest row of its column above it, else before its column.

    Specks, and what is as tall as some lines, tell no place. Where its column has nothing else so far, its whole side
    of the gutter takes the column's place.
    """
    own = tree.column_of[piece]
    rows = [at for at, each in enumerate(sequence) if each.is_text and each.height <= ON_END * letters]
    places = [at for at in rows if tree.column_of[sequence[at]] == own]
    places = places or [at for at in rows if tree.column_of[sequence[at]][depth] == own[depth]]
    above = [at for at in places if sequence[at].y < piece.y - letters / 2]
    if above:
        lowest = max(sequence[at].y for at in above)
        return max(at for at in above if sequence[at].y >= lowest - letters / 2) + 1
    return places[0] if places else len(sequence)


def _set(lines: Sequence[Line], pieces: Sequence[tuple[Piece, Place]], apart: Sequence[int]) -> Ordered:
    """Make lines of pieces in their order, neighbours of one line whole again, and number their blocks anew."""
    given = Ordered(tuple(lines), tuple(range(len(lines))))
    if not any(place for _, place in pieces):
        return given
    made: list[tuple[int, tuple[Word, ...], Place]] = []
    for (number, place), run in groupby(pieces, key=lambda each: (each[0].line, each[1])):
        indices = sorted(index for piece, _ in run for index in piece.words)
        made.append((number, tuple(lines[number].words[index] for index in indices), place))
    whole = [number for number, _, _ in made]
    if len(made) + len(apart) == len(lines) and whole == sorted(whole):
        return given
    made += ((number, lines[number].words, (-2,)) for number in apart)
    blocks: dict[tuple[Place, int], int] = {}
    of_lines = tuple(
        Line(words, blocks.setdefault((place, lines[number].block), len(blocks) + 1)) for number, words, place in made
    )
    origins = tuple(number for number, _, _ in made)
    return _counted(of_lines, origins)


def _counted(lines: tuple[Line, ...], origins: tuple[int, ...]) -> Ordered:
    cut = len(origins) - len(set(origins))
    ends: list[int] = []
    for origin in origins:
        at = bisect_right(ends, origin)
        ends[at : at + 1] = [origin]
    return Ordered(lines, origins, cut, len(origins) - len(ends))


def _with_initials(given: Ordered, frame: Page, letters: float) -> Ordered:
    """Make each tall initial a line of its own before the first of the lines beside it."""
    placed = list(zip(given.lines, given.origins, strict=True))
    initials = [
        line.words[0]
        for line in given.lines
        if len(line.words[0].text) == 1 and is_initial(line.words[0].text, upright(line.words[0].box, frame), letters)
    ]
    for initial in initials:
        placed = _with_initial(placed, initial, frame)
    if len(placed) == len(given.lines) and all(a[0] is b for a, b in zip(placed, given.lines, strict=True)):
        return given
    return _counted(tuple(line for line, _ in placed), tuple(origin for _, origin in placed))


def _with_initial(placed: Sequence[tuple[Line, int]], initial: Word, frame: Page) -> list[tuple[Line, int]]:
    """Make an initial a line before the first line beside it; nothing changes where it stands beside none."""
    at = next(number for number, (line, _) in enumerate(placed) if line.words[0] is initial)
    line, origin = placed[at]
    rest = [(replace(line, words=line.words[1:]), origin)] if len(line.words) > 1 else []
    others = [*placed[:at], *rest, *placed[at + 1 :]]
    first = first_beside(upright(initial.box, frame), [upright(each.words[0].box, frame) for each, _ in others])
    if first is None or (first == at and not rest):
        return list(placed)
    return [*others[:first], (Line((initial,), others[first][0].block), origin), *others[first:]]
