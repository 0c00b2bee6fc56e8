"""Drop caps: a tall initial and the word that it begins.

An initial is a single letter much taller than the lines around it. It belongs to the first of the lines that it
indents, whatever line its foot stands on. It is joined to that line's first word where it touches it: a word of one
letter (`A`, `O`) keeps its space, and so does what cannot be the rest of a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from statistics import median

from ocrprep.pages import Box
from ocrprep.preparing.lexicon import Lexicon
from ocrprep.reading import Change
from ocrprep.representation import PlacedLine, PlacedWord
from ocrprep.spans import Span

RULE = "drop_cap"

TALL = 1.6
"""Heights of a line that an initial has at least: over two lines it has two, and boxes of plain lines vary by 1.3."""

TOUCHES = 0.5
"""Heights of a line between an initial and the rest of its word at most; a space after an initial has one and more."""

NEAR = 2.0
"""The same between an initial and the first line that it indents."""

_REST = re.compile(r"['’]?(?:[^\W\d_]+)")


def is_initial(text: str, height: float, line_height: float) -> bool:
    """Say whether a word is one capital letter much taller than a line."""
    return len(text) == 1 and text.isupper() and height >= TALL * line_height


def indented_first(initial: Box, others: Sequence[Box]) -> int | None:
    """Return the index of the topmost box that begins close on the right of an initial's upper part, null for none."""
    middle = (initial.top + initial.bottom) / 2
    best: int | None = None
    for at, box in enumerate(others):
        if box.height <= 0 or initial.height < TALL * box.height:
            continue
        beside = -0.3 * box.height <= box.x0 - initial.x1 <= NEAR * box.height
        if beside and initial.top - box.height / 2 <= box.centre[1] <= middle and box.bottom > initial.top:
            if best is None or box.top < others[best].top:
                best = at
    return best


def joins_initial(initial: str, gap: float, size: float, rest: str, lexicon: Lexicon) -> bool:
    """Say whether an initial and the text that begins `gap` right of it, in type of `size`, are one word.

    Where they touch and the document has the rest as a word, but never both together, it is a word of one letter.
    """
    found = _REST.match(rest)
    if found is None or gap > TOUCHES * size:
        return False
    word = found[0]
    if word[0].isupper() and word[1:].islower() and len(word) > 1:
        return False
    if initial.upper() in "AIOEYÀÉÓÒÈ" and word[0].isalpha():
        return lexicon.count(initial + word.lower()) > 0 or lexicon.count(word.lower()) == 0
    return True
