"""Break a paragraph into lines.

A line may end between words, inside a word at a syllable (a soft hyphen is added), at the hyphen of a
compound (a hard hyphen, already there) or at a hyphen that the manuscript calls ambiguous. All breaks of a
paragraph are chosen together, as in Knuth and Plass, "Breaking paragraphs into lines" (1981): the sum of the
lines' costs is the smallest possible.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import Any

import pyphen  # type: ignore[import-untyped]  # no stubs are published

from .manuscript import AMBIGUOUS_BREAK

SHORTEST_BROKEN_WORD = 6
SHRINK = 0.2
"""The part of a word space that a justified line may take away."""

Measure = Callable[[str], float]


class Joint(Enum):
    """What stands between a line and the next one of its paragraph."""

    SPACE = "space"
    SOFT = "soft"
    HARD = "hard"
    AMBIGUOUS = "ambiguous"
    ROW = "row"
    END = "end"


# Hard and ambiguous breaks are wanted: the samples exist to show them. A syllable break costs a loose line.
_PENALTY = {Joint.SPACE: 0.0, Joint.SOFT: 4.0, Joint.HARD: -60.0, Joint.AMBIGUOUS: -1e6}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a word that stays whole, and what follows it."""

    text: str
    joint: Joint


@dataclass(frozen=True, slots=True)
class BrokenLine:
    """The words of one line as printed, and how it is joined to the next."""

    words: tuple[str, ...]
    joint: Joint


def break_lines(text: str, widths: tuple[float, float], measure: Measure, hyphenate: bool) -> list[BrokenLine]:
    """Break a text into lines of `widths` (first line, other lines) at the least total cost."""
    pieces = [piece for word in text.split() for piece in _pieces(word, hyphenate)]
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(pieces) + 1):
        best.append(min((best[start][0] + cost, start) for start, cost in _last_lines(pieces, end, widths, measure)))
    ends = [len(pieces)]
    while ends[-1]:
        ends.append(best[ends[-1]][1])
    cuts = ends[::-1]
    return [_line(pieces[start:end], end == len(pieces)) for start, end in pairwise(cuts)]


def _last_lines(
    pieces: list[Piece], end: int, widths: tuple[float, float], measure: Measure
) -> Iterator[tuple[int, float]]:
    """Yield every start of a line that ends before piece `end`, with the line's cost."""
    for start in range(end - 1, -1, -1):
        line = _line(pieces[start:end], end == len(pieces))
        room = widths[0] if start == 0 else widths[1]
        slack = room - measure(" ".join(line.words))
        gaps = max(1, len(line.words) - 1) * measure(" ")
        if slack < -SHRINK * gaps and start < end - 1:
            return
        stretch = 0.0 if line.joint is Joint.END and slack > 0 else abs(slack / gaps)
        yield start, 100 * stretch**3 + _PENALTY.get(line.joint, 0.0)


def _line(pieces: list[Piece], is_last: bool) -> BrokenLine:
    text = "".join(piece.text + " " * (piece.joint is Joint.SPACE) for piece in pieces)
    joint = Joint.END if is_last else pieces[-1].joint
    return BrokenLine(tuple((text + "-" * (joint is Joint.SOFT)).split()), joint)


def _pieces(word: str, hyphenate: bool) -> list[Piece]:
    if AMBIGUOUS_BREAK in word:
        return _joined(word.split(AMBIGUOUS_BREAK), Joint.AMBIGUOUS)
    if re.search(r"\w-\w", word):
        return _joined(re.split(r"(?<=\w-)(?=\w)", word), Joint.HARD)
    return _joined(_syllables(word) if hyphenate else [word], Joint.SOFT)


def _joined(texts: list[str], joint: Joint) -> list[Piece]:
    return [*(Piece(text, joint) for text in texts[:-1]), Piece(texts[-1], Joint.SPACE)]


def _syllables(word: str) -> list[str]:
    """Split a word where it may be hyphenated; a name, a figure or a short word stays whole."""
    core = re.search(r"[a-z]+", word)
    if core is None or len(core[0]) < SHORTEST_BROKEN_WORD or re.search(r"[A-Z0-9]", word):
        return [word]
    cuts = [0, *(core.start() + int(cut) for cut in _hyphenation().positions(core[0])), len(word)]
    return [word[start:end] for start, end in pairwise(cuts)]


@cache
def _hyphenation() -> Any:
    return pyphen.Pyphen(lang="en_GB", left=2, right=3)
