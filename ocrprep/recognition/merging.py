"""Two sets of lines of one page become one: the source's own text stands, and what was read from the same ink yields.

1. For each line that stands, look at the read words whose middle lies in its box, or in whose box its middle lies.
2. Where both say about the same, they are the same ink: those read words that say the same as the line's words in their
   own place yield to the line.
3. All other words stay, and the line is disputed: a stamp may lie over other text, a layer may say "now" where the page
   shows "not", and neither may be lost.
4. The line takes the place of the words that yielded, else the place that its height on the page gives it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from ocrprep.pages import Box, Line, Word
from ocrprep.recognition.agreement import agreement

ALIKE = 0.75
"""Likeness of letters (twice the matching ones by all) from which a word is a slip of another: "repaired" and
"repoired" have 0.88, "not" and "now" 0.67, "guilty" and "not guilty" 0.8 but for their two places."""

CONFUSABLE = str.maketrans("i105", "llos")
"""Letters and digits that engines take for one another."""

SHORT = 3
"""Letters up to which a word within a longer one is not taken for a part of it: "not" in "another"."""

SAME = 0.5
"""Agreement from which two readings are of the same ink: a short stamp with one wrong letter has 0.6."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The lines of both, in order, blocks counted from 1; how many words yielded; and lines that both stay disputed.

    `disputed` are 1-based numbers of lines that stand although something else was read in their place.
    """

    lines: tuple[Line, ...]
    yielded: int
    disputed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Placed:
    """A line with its place: after the read line of that number, before it where it ends in a half."""

    at: float
    line: Line
    disputed: bool = False


def merged(standing: Sequence[Line], read: Sequence[Line]) -> Merged:
    """Merge lines that stand with lines that were read: every word of both is in the outcome, or has yielded."""
    left = [list(line.words) for line in read]
    last_block = max((line.block for line in read), default=0)
    placed: list[_Placed] = []
    yielded = 0
    for line in standing:
        under = [(at, word) for at, words in enumerate(left) for word in words if _same_place(line.box, word.box)]
        alike = agreement((word.text for word in line.words), (word.text for _, word in under))
        own_block = replace(line, block=last_block + line.block)
        if under and (alike is None or alike >= SAME):
            same = [(at, word) for at, word in under if _says_the_same(word, line)]
            yielded += len(same)
            for at, word in same:
                left[at].remove(word)
            others = [each for each in under if each not in same]
            placed.append(_Placed(under[0][0] - 0.5, own_block, _telling(others)))
        else:
            placed.append(_Placed(_place_by_height(line.box, read), own_block, _telling(under)))
    placed += [_Placed(at, replace(read[at], words=tuple(words))) for at, words in enumerate(left) if words]
    placed.sort(key=lambda each: each.at)
    blocks: dict[int, int] = {}
    lines = (replace(each.line, block=blocks.setdefault(each.line.block, len(blocks) + 1)) for each in placed)
    disputed = (number for number, each in enumerate(placed, start=1) if each.disputed)
    return Merged(tuple(lines), yielded, tuple(disputed))


def _says_the_same(read: Word, line: Line) -> bool:
    """Say whether a read word is what a line has in its place, but for slips of letters; digits must be the same."""
    beside = (word for word in line.words if min(word.box.x1, read.box.x1) > max(word.box.x0, read.box.x0))
    mine, theirs = _letters(read.text), "".join(_letters(word.text) for word in beside)
    if not mine or mine.translate(CONFUSABLE) == theirs.translate(CONFUSABLE):
        return True
    if any(map(str.isdigit, mine + theirs)):
        return mine in theirs
    if len(mine) > SHORT and mine in theirs:
        return True
    return SequenceMatcher(None, mine, theirs, autojunk=False).ratio() >= ALIKE


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _telling(under: Sequence[tuple[int, Word]]) -> bool:
    return any(character.isalnum() for _, word in under for character in word.text)


def _same_place(line: Box, word: Box) -> bool:
    (x, y), (line_x, line_y) = word.centre, line.centre
    within = line.x0 <= x <= line.x1 and line.top <= y <= line.bottom
    return within or (word.x0 <= line_x <= word.x1 and word.top <= line_y <= word.bottom)


def _place_by_height(box: Box, read: Sequence[Line]) -> float:
    """Return a place before the first line, in reading order, that begins below the box's middle in its own columns."""
    _, middle = box.centre
    below = [at for at, line in enumerate(read) if line.box.top > middle and _overlap_across(line.box, box)]
    if below:
        return below[0] - 0.5
    above = [at for at, line in enumerate(read) if line.box.top <= middle and _overlap_across(line.box, box)]
    if above:
        return above[-1] + 0.5
    return next((at - 0.5 for at, line in enumerate(read) if line.box.top > middle), len(read) - 0.5)


def _overlap_across(one: Box, other: Box) -> bool:
    return min(one.x1, other.x1) > max(one.x0, other.x0)
