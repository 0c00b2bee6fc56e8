"""The columns of a page, found by the white between them.

After the recursive cuts of Nagy and Seth (1984), with gutters found as tall white rectangles between lines of text
rather than by projection (Breuel 2002), so that a heading across the columns does not hide them.

1. Where most gaps between pieces of text lie above each other, there may be a gutter. Text that crosses it ends it
   above and below; so does white that parts both sides alike.
2. It is one only if there is text on both sides that goes on from line to line, as prose does: lines begin with small
   letters, or fill the column; or two long lists of like lines. Cells of a table, labels before their values, a title,
   addresses side by side and the like are no columns.
3. All other pieces of the region lie above, or below: for each part the same is asked again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import NamedTuple

GUTTER = 0.8
"""Heights of a word that a gutter is wide at least: a justified line's words seldom stand so far apart in many rows."""

WORD_SPACES = 2.0
"""The same in usual spaces between words: typescript has wide ones, of one width, above each other by chance."""

MIN_ROWS = 4
"""Rows on each side of a gutter at least; fewer lines side by side are addresses, signatures, and captions."""

SURE_ROWS = 8
"""Rows from which the share of lines that begin with a small letter, or fill the column, says much."""

LIST_ROWS = 10
"""Rows from which lines that do not go on from one to the next may be a list in columns: verse, or an index."""

MIN_WIDTH = 7.0
"""Width of a column in heights of a word at least: a newspaper page of five columns has 19 to 21."""

FLUSH = 0.6
"""Heights of a word by which lines that begin at one place may differ."""

PROSE = 0.25
"""Share of lines that begin with a small letter, from which they are prose: English columns had 0.46 to 0.84 on
the pages looked at, their tables 0.00 to 0.17."""

MUCH_PROSE = 0.4
"""The same where few lines must tell, or where the other side is a mixture."""

SOME_PROSE = 0.12
"""The same for a column beside one of much prose: it may hold tables, headings and captions, too."""

LEVEL = 0.3
"""Heights of a word by which the centres of two rows that are level may differ: tails move them by a fifth."""

MOSTLY_LEVEL = 0.6
"""Share of rows level with another from which two sides are a table. A row that is 1.5 heights from the next is level
with one by chance in 0.4 of all cases; a table's should all be. Reasoned, not measured."""

ALIKE = 1.7
"""Ratio of the widths of two columns of verse, or of a list, at most."""

BAND = 2.5
"""White through both sides, as a multiple of the distance of rows, that ends a gutter."""

EDGE_BAND = 1.6
"""The same below one or two rows at the top, and above as many at the foot: running heads, folios, short notes."""

EDGE_ROWS = 2

TRIES = 8
"""Places that are looked at for a gutter, the likeliest first: a table has one after each column."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Words of a line that stand together, as a run of their numbers in it; `y` is its centre, free of the slant."""

    line: int
    words: range
    x0: float
    x1: float
    y: float
    height: float
    texts: tuple[str, ...]

    @property
    def width(self) -> float:
        """The horizontal extent."""
        return self.x1 - self.x0

    @property
    def has_letters(self) -> bool:
        """Whether letters are as many as all other characters."""
        text = "".join(self.texts)
        return 2 * sum(map(str.isalpha, text)) >= len(text)

    @property
    def is_text(self) -> bool:
        """Whether it has a letter or a digit: a rule or a speck has none."""
        return any(map(str.isalnum, "".join(self.texts)))

    @property
    def is_number(self) -> bool:
        """Whether it is one number, such as a line's."""
        return len(self.texts) == 1 and self.texts[0].isdecimal()


class Gap(NamedTuple):
    """White between a piece and the next on its right."""

    x0: float
    x1: float


class Row(NamedTuple):
    """Pieces of one side that stand side by side, from left to right."""

    y: float
    pieces: tuple[Piece, ...]

    @property
    def width(self) -> float:
        """The horizontal extent."""
        return self.pieces[-1].x1 - self.pieces[0].x0

    @property
    def first_letter(self) -> str:
        """The first letter of the row, empty where it has none."""
        return next((each for piece in self.pieces for text in piece.texts for each in text if each.isalpha()), "")


@dataclass(frozen=True, slots=True)
class Gutter:
    """A gutter and all pieces of its region, sorted into what lies around it; `rows` stand on both sides.

    `left` is the side that is read first, on the right in scripts that run to the left.
    """

    above: tuple[Piece, ...]
    left: tuple[Piece, ...]
    right: tuple[Piece, ...]
    below: tuple[Piece, ...]
    rows: int

    @property
    def parts(self) -> tuple[tuple[Piece, ...], ...]:
        """The pieces above, on both sides, and below, in reading order of the parts."""
        return self.above, self.left, self.right, self.below


@dataclass(frozen=True, slots=True)
class Manner:
    """How a page is read: the height of its words, the least width of a gutter, and whether columns run to the left.

    A `stated` order must run plainly across a gutter to be wrong; a `spread` is two pages side by side.
    """

    letters: float
    white: float
    backwards: bool = False
    stated: bool = False
    spread: bool = False


def is_plain(pieces: Sequence[Piece], manner: Manner) -> bool:
    """Say whether hardly a piece has another on its right: there are neither columns nor notes of two rows."""
    return len(_gaps(pieces, manner)) < 2


def rows_of(pieces: Iterable[Piece], letters: float) -> list[Row]:
    """Return pieces by rows, from the top down."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda each: each.y):
        if rows and piece.y - rows[-1][-1].y <= letters / 2:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [Row(row[0].y, tuple(sorted(row, key=lambda each: each.x0))) for row in rows]


def _gaps(pieces: Sequence[Piece], manner: Manner) -> list[Gap]:
    """Return the white between each piece and the nearest that begins right of it in its row."""
    by_height = sorted(pieces, key=lambda piece: piece.y)
    heights = [piece.y for piece in by_height]
    found: list[Gap] = []
    for at, piece in enumerate(by_height):
        nearest: float | None = None
        low, high = piece.y - 0.6 * manner.letters, piece.y + 0.6 * manner.letters
        first = at
        while first > 0 and heights[first - 1] >= low:
            first -= 1
        for other in by_height[first : bisect_left(heights, high, at)]:
            if other.x0 >= piece.x1 and other is not piece and (nearest is None or other.x0 < nearest):
                nearest = other.x0
        if nearest is not None and nearest - piece.x1 >= manner.white:
            found.append(Gap(piece.x1, nearest))
    return found


def find_gutter(pieces: Sequence[Piece], manner: Manner) -> Gutter | None:
    """Return the likeliest gutter of a region; null where it has none."""
    gaps = _gaps(pieces, manner)
    by_height = sorted(pieces, key=lambda piece: piece.y)
    for _ in range(TRIES):
        if len(gaps) < MIN_ROWS:
            return None
        x, count = _most_crossed(gaps, manner.white / 2)
        if count < MIN_ROWS:
            return None
        found = [gutter for run in _free(by_height, x, manner) if (gutter := _judged(run, x, pieces, manner))]
        if found:
            return max(found, key=lambda gutter: gutter.rows)
        gaps = [gap for gap in gaps if not gap.x0 < x < gap.x1]
    return None


def _most_crossed(gaps: Sequence[Gap], margin: float) -> tuple[float, int]:
    """Return the middle of the strip that most gaps share with a margin to both sides, and how many do."""
    ends = sorted([(gap.x0 + margin, -1) for gap in gaps] + [(gap.x1 - margin, 1) for gap in gaps])
    best, count, strip = 0, 0, (0.0, 0.0)
    for (x, step), (following, _) in pairwise([*ends, (ends[-1][0], 0)]):
        count -= step
        if count > best:
            best, strip = count, (x, following)
    return sum(strip) / 2, best


def _free(by_height: Sequence[Piece], x: float, manner: Manner) -> Iterator[list[Piece]]:
    """Yield runs of pieces, from the top down, that nothing parts which crosses the strip at `x`.

    Marks without letters or digits, such as a rule between the columns, cross nothing.
    """
    margin = 0.49 * manner.white
    run: list[Piece] = []
    for piece in by_height:
        if piece.x0 < x + margin and piece.x1 > x - margin and piece.is_text:
            yield run
            run = []
        else:
            run.append(piece)
    yield run


def _judged(run: Sequence[Piece], x: float, region: Sequence[Piece], manner: Manner) -> Gutter | None:
    """Return the longest stretch of a white strip that has columns on both sides; null where none has."""
    best: Gutter | None = None
    for stretch in _stretches(run, manner):
        left = [piece for piece in stretch if piece.x0 + piece.x1 < 2 * x]
        right = [piece for piece in stretch if piece.x0 + piece.x1 >= 2 * x]
        if min(len(left), len(right)) < MIN_ROWS:
            continue
        rows = _columns(rows_of(left, manner.letters), rows_of(right, manner.letters), manner)
        if rows and (best is None or rows > best.rows):
            best = _around(stretch, _with_numbers(left, right, manner), region, manner, rows)
    return best


def _with_numbers(
    left: Sequence[Piece], right: Sequence[Piece], manner: Manner
) -> tuple[Sequence[Piece], Sequence[Piece]]:
    """Give the line numbers that stand left of the right side's text to that side, where the left side has its own."""
    rows = [row for row in rows_of(left, manner.letters) if len(row.pieces) > 1]
    own = sum(row.pieces[0].is_number for row in rows)
    others = {row.pieces[-1] for row in rows if row.pieces[-1].is_number}
    if 2 * min(own, len(others)) < len(rows) or len(rows) < MIN_ROWS:
        return left, right
    edge = min(piece.x0 for piece in others)
    others |= {piece for piece in left if piece.is_number and piece.x0 >= edge - manner.letters}
    return [piece for piece in left if piece not in others], [*right, *others]


def _stretches(run: Sequence[Piece], manner: Manner) -> Iterator[Sequence[Piece]]:
    """Yield the stretches of a run of pieces between bands of white, without running heads and feet."""
    rows = rows_of(run, manner.letters)
    if len(rows) < MIN_ROWS:
        return
    steps = [below.y - above.y for above, below in pairwise(rows)]
    pitch = median(step for step in steps)
    pitch = max(pitch, manner.letters)
    stretch: list[Row] = [rows[0]]
    for row, step in zip(rows[1:], steps, strict=True):
        if step > BAND * pitch:
            yield _body(stretch, pitch, manner)
            stretch = []
        stretch.append(row)
    yield _body(stretch, pitch, manner)


def _body(rows: list[Row], pitch: float, manner: Manner) -> list[Piece]:
    """Return the pieces of rows, those few left out that white parts from the rest at the top or at the foot."""
    if not manner.spread:
        for at in range(1, min(EDGE_ROWS + 1, len(rows))):
            if rows[at].y - rows[at - 1].y > EDGE_BAND * pitch:
                rows = rows[at:]
                break
        for at in range(1, min(EDGE_ROWS + 1, len(rows))):
            if rows[-at].y - rows[-at - 1].y > EDGE_BAND * pitch:
                rows = rows[:-at]
                break
    return [piece for row in rows for piece in row.pieces]


def _around(
    stretch: Sequence[Piece],
    sides: tuple[Sequence[Piece], Sequence[Piece]],
    region: Sequence[Piece],
    manner: Manner,
    rows: int,
) -> Gutter:
    """Sort all pieces of a region into those of both sides, and those above and below."""
    first, second = (set(side) for side in (sides[::-1] if manner.backwards else sides))
    top = min(piece.y for piece in stretch)
    rest = [piece for piece in region if piece not in first and piece not in second]
    return Gutter(
        tuple(piece for piece in rest if piece.y <= top),
        tuple(piece for piece in region if piece in first),
        tuple(piece for piece in region if piece in second),
        tuple(piece for piece in rest if piece.y > top),
        rows,
    )


def _columns(left: Sequence[Row], right: Sequence[Row], manner: Manner) -> int:
    """Return how many rows stand beside each other if both sides are columns; 0 if they are not."""
    letters = manner.letters
    top, bottom = max(left[0].y, right[0].y) - letters, min(left[-1].y, right[-1].y) + letters
    sides = [[row for row in side if top <= row.y <= bottom] for side in (left, right)]
    rows = min(map(len, sides))
    if rows < MIN_ROWS or not _is_flush(sides[0] if manner.backwards else sides[1], manner):
        return 0
    widths = [median(row.width for row in side) for side in sides]
    if min(widths) < MIN_WIDTH * letters:
        return 0
    if any(sum(any(piece.has_letters for piece in row.pieces) for row in side) < 0.6 * len(side) for side in sides):
        return 0
    shares = sorted(_goes_on(side, letters) for side in sides)
    least = SOME_PROSE if shares[1] >= MUCH_PROSE else PROSE
    if shares[0] >= (least if rows >= SURE_ROWS else MUCH_PROSE) and not _begin_together(*sides, letters=letters):
        return rows
    if rows >= LIST_ROWS and shares[1] >= MUCH_PROSE and not _level(*sides, letters=letters):
        return rows
    alike = max(widths) <= ALIKE * min(widths) and all(_is_list(side) and _small(side) < PROSE for side in sides)
    return rows if alike and rows >= LIST_ROWS else 0


def _is_flush(rows: Sequence[Row], manner: Manner) -> bool:
    """Say whether most rows behind a gutter begin at one place: rivers between words do not run straight."""
    starts = [row.pieces[-1].x1 if manner.backwards else row.pieces[0].x0 for row in rows]
    usual = median(starts)
    return 2 * sum(abs(start - usual) <= FLUSH * manner.letters for start in starts) >= len(starts)


def _goes_on(rows: Sequence[Row], letters: float) -> float:
    """Return the share of lines that go on from the one before: they begin with a small letter, or fill the column.

    Full lines count where there are enough of them to tell, and most are.
    """
    share = _small(rows)
    if len(rows) < SURE_ROWS:
        return share
    starts = sorted(row.pieces[0].x0 for row in rows)
    ends = sorted(row.pieces[-1].x1 for row in rows)
    measure = ends[int(0.9 * (len(ends) - 1))] - starts[int(0.1 * len(starts))]
    full = sum(row.width >= 0.85 * measure and len(row.pieces) == 1 for row in rows) / len(rows)
    return full if measure >= 10 * letters and full >= 0.6 else share


def _small(rows: Sequence[Row]) -> float:
    """Return the share of rows that begin with a small letter; one alone is none."""
    small = sum(row.first_letter.islower() for row in rows)
    return small / len(rows) if small > 1 else 0.0


def _is_list(rows: Sequence[Row]) -> bool:
    """Say whether rows are lines of some words without gaps, as of verse, or entries in the order of the alphabet."""
    if sum(len(row.pieces) > 1 for row in rows) > 0.3 * len(rows):
        return False
    if median(len(row.pieces[0].texts) for row in rows) >= 4:
        return True
    starts = [row.pieces[0].texts[0].casefold() for row in rows]
    return sum(before <= after for before, after in pairwise(starts)) >= 0.85 * (len(starts) - 1)


def _level(left: Sequence[Row], right: Sequence[Row], *, letters: float) -> bool:
    """Say whether most rows of the side that has fewer stand at the height of one of the other, as a table's do."""
    few, many = sorted((left, right), key=len)
    heights = [row.y for row in many]
    level = 0
    for row in few:
        at = bisect_left(heights, row.y)
        level += any(abs(height - row.y) <= LEVEL * letters for height in heights[max(at - 1, 0) : at + 1])
    return level > MOSTLY_LEVEL * len(few)


def _begin_together(left: Sequence[Row], right: Sequence[Row], *, letters: float) -> bool:
    """Say whether both sides begin with a capital in the same rows, as the cells of a table do."""
    together = apart = at = 0
    for row in left:
        while at < len(right) and right[at].y < row.y - letters / 2:
            at += 1
        if at < len(right) and right[at].y <= row.y + letters / 2:
            capitals = row.first_letter.isupper() + right[at].first_letter.isupper()
            together += capitals == 2
            apart += capitals == 1
    return together >= 3 and together >= 2 * apart
