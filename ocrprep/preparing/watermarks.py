"""Watermarks: large words whose baseline slants across the rows of the page."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from ocrprep.preparing.removals import Key, Removal
from ocrprep.representation import PlacedLine, Representation

SLANT = 15.0
"""Degrees from which a baseline slants: a skewed scan is straightened before, and never that far off."""

LETTERS = 4
"""Letters that a watermark has at least: the baseline of two letters or of a speck is a guess of the engine."""

LARGE = 1.5
"""How many times taller than the page's usual words its words are at least."""

WORDS = 3
"""Words of a watermark at most."""


def find_watermarks(
    pages: Sequence[Sequence[PlacedLine]], representation: Representation
) -> dict[Key, tuple[Removal, ...]]:
    """Return the lines of slanting words on pages whose other lines do not slant, by page and line."""
    found: dict[Key, tuple[Removal, ...]] = {}
    for page, lines in zip(representation.pages, pages, strict=True):
        if not any(abs(page.words[at].baseline_angle) > SLANT for at in range(len(page.words))):
            continue
        slanting = {line.number: [each.word for each in representation.line_words(line)] for line in lines}
        marks = {n: words for n, words in slanting.items() if all(abs(each.baseline_angle) > SLANT for each in words)}
        if 2 * len(marks) >= len(lines):
            continue
        usual = median(page.words.box(at).height for at in range(len(page.words)))
        for line in lines:
            words = marks.get(line.number, ())
            large = all(each.box.height >= LARGE * usual for each in words)
            if 0 < len(words) <= WORDS and large and sum(map(str.isalpha, line.text)) >= LETTERS:
                evidence = {"angle": round(words[0].baseline_angle, 1)}
                removal = Removal(line.page, line.number, line.span, "watermark", "slanting_baseline", evidence)
                found[line.page, line.number] = (removal,)
    return found
