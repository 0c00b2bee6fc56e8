"""From an engine's words to ours: no white space, no control characters, a confidence from 0 to 1."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Sequence

from ocrprep.pages import Box, Line, Word

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_NOT_TEXT = frozenset({"Cc", "Cs"})
"""Control characters and lone surrogates; format characters such as the soft hyphen are text."""


def split_words(
    text: str,
    box: Box,
    confidence: float,
    *,
    baseline_angle: float = 0.0,
    font_size: float | None = None,
) -> Iterator[Word]:
    """Split an engine's word at white space, each part with its share of the box by its characters.

    Controls and lone surrogates become U+FFFD. `confidence` is Tesseract's, from 0 to 100, -1 or NaN for none.
    """
    text = text.strip()
    for part in re.finditer(r"\S+", text):
        yield Word(
            text="".join(REPLACEMENT if unicodedata.category(each) in _NOT_TEXT else each for each in part.group()),
            box=_share(box, part.start() / len(text), part.end() / len(text)),
            confidence=_ratio(confidence),
            baseline_angle=baseline_angle,
            font_size=font_size,
        )


def number_lines(printed: Iterable[tuple[Hashable, Sequence[Word]]]) -> list[Line]:
    """Make lines of each block's name and words: blocks count from 1 without gaps, a line without words is left out."""
    blocks: dict[Hashable, int] = {}
    return [Line(tuple(words), blocks.setdefault(block, len(blocks) + 1)) for block, words in printed if words]


def _share(box: Box, start: float, end: float) -> Box:
    """Cut a box from left to right: the whole of it stays exactly as it is."""
    left = box.x0 + box.width * start if start else box.x0
    right = box.x0 + box.width * end if end < 1 else box.x1
    return box._replace(x0=left, x1=right)


def _ratio(confidence: float) -> float | None:
    return None if math.isnan(confidence) or confidence < 0 else min(confidence / 100, 1.0)
