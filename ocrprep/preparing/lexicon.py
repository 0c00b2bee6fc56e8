"""The document's own vocabulary: the best witness of how its author writes a word that a line end cuts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

HYPHENS = "-\u2010\u00ad\u00ac\u2e17"
"""Hyphen-minus, hyphen, soft hyphen, the not sign that engines read for a hyphen, and the double oblique hyphen of
blackletter. Dashes are none."""

_WORD = re.compile(rf"[^\W\d_]+(?:[{HYPHENS}’'][^\W\d_]+)*")
_ANY_HYPHEN = re.compile(f"[{HYPHENS}]")


class Lexicon:
    """How often the document has each word in the middle of its lines; words cut by a line end are not counted."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._counts: Counter[str] = Counter()
        cut = False
        for line in lines:
            words = _WORD.findall(line)
            ends_cut = bool(line) and line[-1] in HYPHENS
            self._counts.update(map(_folded, words[cut : len(words) - ends_cut]))
            cut = ends_cut

    def count(self, word: str) -> int:
        """Return how often a word occurs, whatever its case and its kind of hyphen."""
        return self._counts[_folded(word)]


def words_of(text: str) -> list[str]:
    """Return the words of a text, with the hyphens and apostrophes inside them."""
    return _WORD.findall(text)


def _folded(word: str) -> str:
    return _ANY_HYPHEN.sub("-", word).casefold()
