"""Drop caps: a tall initial and the word that it begins.

An initial is a single capital much taller than the lines beside it. It belongs to the first of them, whatever line its
foot stands on; the reading order makes it a line of its own before that one. The two are sewn into one word where they
touch: a word of one letter (`A`, `O`) keeps its space, and so does an initial before what is no rest of a word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ocrprep.pages import Box
from ocrprep.preparing.lexicon import Lexicon
from ocrprep.preparing.paragraphs import Bond
from ocrprep.representation import PlacedLine

DROP_CAP = "drop_cap"
INITIALS = (DROP_CAP, "initial")
"""The rules by which an initial is sewn to the line beside it: as one word with it, or as two."""

TALL = 1.6
"""Heights of a line that an initial has at least: over two lines it has two, and boxes of plain lines vary by 1.3."""

SLIM = 0.4
"""Width by height of a capital at least, I and J aside: what is slimmer is a scan's edge, or a rule."""

APART = 1.0
"""Heights of a line between an initial and the rest of its word at most: engraved ones keep up to 0.8."""

TOUCHES = 0.5
"""The same where the initial could be a word of one letter: a space after one has one line height and more."""

NEAR = 2.0
"""The same between an initial and the first line that it indents."""

CLOSE = 0.25
"""The same where the initial could be a word of one letter, and the document has neither form elsewhere."""

WORDS_OF_ONE_LETTER = "AÀÁEÉÈIOÓÒUY"
"""Letters that are words in English, French, Italian, Spanish, Portuguese or Latin."""

_REST = re.compile(r"['’]?[^\W\d_]+")


def is_initial(text: str, box: Box, line_height: float) -> bool:
    """Say whether a word is one capital letter much taller than a line, in the shape of a letter."""
    if len(text) != 1 or not text.isupper() or box.height < TALL * line_height:
        return False
    return text in "IJ" or box.width >= SLIM * box.height


def first_beside(initial: Box, others: Sequence[Box]) -> int | None:
    """Return the index of the topmost box that begins close on the right of an initial's upper part, null for none."""
    found = [
        at
        for at, box in enumerate(others)
        if 0 < TALL * box.height <= initial.height
        and -0.3 * box.height <= box.x0 - initial.x1 <= NEAR * box.height
        and initial.top - box.height / 2 <= box.centre[1] <= initial.centre[1]
    ]
    return min(found, key=lambda at: others[at].top, default=None)


def bonds_of_initials(lines: Sequence[PlacedLine], found: Sequence[Bond], lexicon: Lexicon) -> list[Bond]:
    """Return the bonds of lines, those of initials set right.

    An initial is joined to the first line beside it, by the rule `drop_cap` as one word, by `initial` as two. Below it
    the text goes back to the margin in the same paragraph, though the last line beside it may end short.
    """
    made: list[Bond] = []
    initial: PlacedLine | None = None
    for (before, after), bond in zip(pairwise(lines), found, strict=True):
        own = _initial_bond(before, after, lexicon)
        if own is not None:
            initial = before
        elif initial is not None and (after.page != initial.page or after.box.centre[1] > initial.box.bottom):
            if bond.rule == "short_line" and abs(after.box.x0 - initial.box.x0) <= after.box.height:
                bond = Bond("join", "below_initial", bond.evidence)
            initial = None
        made.append(own or bond)
    return made


def _initial_bond(before: PlacedLine, after: PlacedLine, lexicon: Lexicon) -> Bond | None:
    """Return the bond of an initial and the first line beside it, null where the first line is none."""
    size, gap = after.box.height, after.box.x0 - before.box.x1
    if before.page != after.page or not is_initial(before.text, before.box, size):
        return None
    if first_beside(before.box, [after.box]) is None:
        return None
    evidence = {"gap": round(gap / size, 2), "height": round(before.box.height / size, 2)}
    one_word = _is_one_word(before.text, gap / size, after.text, lexicon)
    return Bond("join", INITIALS[not one_word], evidence)


def _is_one_word(initial: str, gap: float, rest: str, lexicon: Lexicon) -> bool:
    """Say whether an initial and the text that begins `gap` line heights right of it begin with one word."""
    found = _REST.match(rest)
    if found is None or gap > APART:
        return False
    word = found[0]
    if word[0].isupper() and word[1:].islower():
        return False
    if initial not in WORDS_OF_ONE_LETTER or not word[0].isalpha():
        return True
    together, alone = lexicon.count(initial + word), lexicon.count(word) - 1
    return gap <= TOUCHES and (together > 0 or (alone <= 0 and gap <= CLOSE))
