"""Side notes that the given order mixes into the text beside them: found by their place, and taken together.

In order: measure the text's column by its long lines; take what stands wholly beside it; group that into runs of lines
close below each other; and believe those that go on from line to line, as a note's sentence does, and a speaker's name,
a date, or a label does not. Only notes that the given order cuts, or that cut a line, are moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from ocrprep.preparing.columns import MIN_WIDTH, Piece, Row, rows_of
from ocrprep.preparing.line_ends import ends_in_hyphen

TEXT_ROWS = 8
"""Long lines from which a page has a column of text that notes can stand beside."""

LONG = 12.0
"""Width of a long line in heights of a word."""

NARROW = 0.35
"""Share of the text's width that a note has at most."""

BESIDE = 0.7
"""Heights of a word between the text and a note at least."""

SPARSE = 0.5
"""Share of the text's rows that have something beside them, from which that is a column of labels or of numbers."""

WORD = 3
"""Letters of the longest word of a note at least: specks are read as one or two."""

NEXT_ROW = 2.2
"""Heights of a word between the rows of one note at most."""


def mixed_notes(pieces: Sequence[Piece], letters: float) -> list[Piece]:
    """Return the pieces of side notes that the given order mixes into the text, from the top down."""
    long = [piece for piece in pieces if piece.x1 - piece.x0 >= LONG * letters]
    if len(long) < TEXT_ROWS or len(long) == len(pieces):
        return []
    starts, ends = sorted(piece.x0 for piece in long), sorted(piece.x1 for piece in long)
    left, right = starts[len(starts) // 10], ends[(9 * len(ends)) // 10]
    top, bottom = min(piece.y for piece in long), max(piece.y for piece in long)
    found: list[Piece] = []
    for beside in (
        [piece for piece in pieces if piece.x1 <= left - BESIDE * letters],
        [piece for piece in pieces if piece.x0 >= right + BESIDE * letters],
    ):
        near = [p for p in beside if p.width <= NARROW * (right - left) and top - letters <= p.y <= bottom + letters]
        lettered = [piece for piece in near if piece.has_letters]
        rows = rows_of(lettered, letters)
        if len(rows) > SPARSE * len(long):
            continue
        for note in _notes(rows, letters):
            own = [piece for row in note for piece in row.pieces]
            if _is_note(note) and _is_mixed(own, pieces):
                found += own
    return found


def _notes(rows: Sequence[Row], letters: float) -> Iterator[list[Row]]:
    """Yield runs of rows close below each other."""
    run: list[Row] = []
    for row in rows:
        if run and row.y - run[-1].y > NEXT_ROW * letters:
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def _is_note(rows: Sequence[Row]) -> bool:
    """Say whether rows go on from one to the next: some but the first begins with a small letter."""
    texts = [text for row in rows for piece in row.pieces for text in piece.texts]
    if len(rows) < 2 or not any(sum(map(str.isalpha, text)) >= WORD for text in texts):
        return False
    cut = any(ends_in_hyphen(row.pieces[-1].texts[-1]) for row in rows[:-1])
    return cut or any(row.first_letter.islower() for row in rows[1:])


def _is_mixed(note: Sequence[Piece], pieces: Sequence[Piece]) -> bool:
    """Say whether a note shares a line with other text, or other text stands between its pieces in the given order."""
    own, lines = set(note), {piece.line for piece in note}
    if any(piece.line in lines and piece not in own and piece.has_letters for piece in pieces):
        return True
    places = [at for at, piece in enumerate(pieces) if piece in own]
    between = [piece for piece in pieces[places[0] : places[-1]] if piece not in own]
    return any(piece.width >= MIN_WIDTH * median(each.height for each in note) for piece in between)
