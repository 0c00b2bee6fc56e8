"""Upright reading: the quarter turn of a page is found by reading it, not only by asking the engine.

1. Read the page as it lies. A page that reads well, or has no ink, is taken so.
2. Ask the engine for the orientation. An answer that it believes is tried alone; without one, as on sparse pages,
   every other orientation is.
3. Another orientation is taken only when it reads clearly better. Where words stand on end, the page was read through
   the engine's own tolerance for turned blocks, which loses words: there the upright reading has only to be about as
   good.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ocrprep.engines import Engine
from ocrprep.options import RecognitionOptions
from ocrprep.pages import ImageTransformation, Line, PageWarning, Raster, Word
from ocrprep.sources import ink_share, turned

BLANK_INK = 0.00003
"""The share of ink under which a page is blank. Measured: empty sheets with grain, specks and a gutter's shadow have at
most 0.000002, show-through of the samples 0.00002, a lone folio 0.00007, three printed words 0.0003 and more."""

NO_INK = 0.000004
"""The share of ink under which a page is blank without being read: twice what empty sheets have at most. Between this
and `BLANK_INK` the engine is asked, and only words that it believes make the page no blank one."""

BELIEVED_ORIENTATION = 2.0
"""Tesseract's own orientation confidence from which its answer is tried alone. Programs that turn a page on this
figure without reading it again ask for far more (OCRmyPDF for 14); here a second reading confirms it."""

TELLING_LENGTH = 3
"""Letters from which an upright word is wider than tall."""


@dataclass(frozen=True, slots=True)
class Upright:
    """The lines of a page in the frame of its turned raster, the clockwise quarter turns, and how they were found.

    `asked` says whether the page read so badly that its orientation was in question; `found` is then the engine's own
    answer with its confidence, null where it had none.
    """

    lines: tuple[Line, ...]
    turns: int = 0
    asked: bool = False
    found: tuple[int, float] | None = None
    scores: tuple[tuple[int, float], ...] = ()

    @property
    def steps(self) -> tuple[ImageTransformation, ...]:
        """The turn as a recorded step, with what speaks for it."""
        if not self.turns:
            return ()
        parameters: dict[str, Any] = {
            "quarterTurns": self.turns,
            "scores": {str(turns): round(score, 3) for turns, score in self.scores},
            "engine": None if self.found is None else {"turns": self.found[0], "confidence": round(self.found[1], 2)},
        }
        return (ImageTransformation("upright_turn", parameters),)

    def warnings(self, options: RecognitionOptions) -> Iterator[PageWarning]:
        """Yield what a reader should know of how well the page reads."""
        level = score(self.lines)
        if not self.lines or level >= options.turn_below:
            return
        yield PageWarning("low_confidence", f"the engine's mean confidence is {level:.2f}: compare with the picture")
        if self.asked and self.found is None and not self.turns:
            message = "it reads badly in every orientation and the engine finds none: it is taken as it lies"
            yield PageWarning("orientation_unknown", message)


def read_upright(raster: Raster, engine: Engine, options: RecognitionOptions) -> Upright:
    """Read a raster as it lies and, where that reads badly, also turned; raises PageError when the engine gives up."""
    lines, turns = engine.read(raster), 0
    first, on_end = score(lines), _stand_on_end(lines)
    if (first >= options.turn_below and not on_end) or ink_share(raster) < BLANK_INK:
        return Upright(tuple(lines))
    found, scores = engine.orientation(raster), [(0, first)]
    needed = first - options.turn_gain if on_end else first + options.turn_gain
    for other in _orientations(found, on_end):
        other_lines = engine.read(turned(raster, other))
        scores.append((other, score(other_lines)))
        if scores[-1][1] >= needed and not _stand_on_end(other_lines):
            lines, turns, needed = other_lines, other, scores[-1][1]
    return Upright(tuple(lines), turns, True, found, tuple(scores))


def score(lines: Sequence[Line]) -> float:
    """Return the mean confidence by characters; 0 where nothing was read."""
    length = sum(len(word.text) for word in words(lines))
    return sum((word.confidence or 0.0) * len(word.text) for word in words(lines)) / length if length else 0.0


def words(lines: Sequence[Line]) -> Iterator[Word]:
    """Yield the words of lines, in order."""
    return (word for line in lines for word in line.words)


def _orientations(found: tuple[int, float] | None, on_end: bool) -> Sequence[int]:
    """Return the clockwise quarter turns that are worth a second reading."""
    if found is not None and found[0] and found[1] >= BELIEVED_ORIENTATION:
        return (found[0],)
    return (1, 3) if on_end else (1, 2, 3)


def _stand_on_end(lines: Sequence[Line]) -> bool:
    """Say whether most words that are long enough to tell are taller than wide."""
    telling = [word.box for word in words(lines) if len(word.text) >= TELLING_LENGTH]
    return sum(box.height > box.width for box in telling) * 2 > len(telling)
