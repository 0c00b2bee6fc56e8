"""Text as an OCR file gives it, and how it becomes lines of words: nothing is dropped, whatever is made up is counted.

In order: a reader (hOCR, ALTO, PAGE) lists `GivenLine`s with whatever boxes the file has; text is split at white space;
controls become U+FFFD; a word without a box gets its share of its line's box by its characters, a line without one its
share of its block's, a block without one the page; and each thing done is noted once a page, with its number.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ocrprep.errors import PageError
from ocrprep.pages import Aside, Box, Line, PageWarning, Word, around

GivenUnit = Literal["px", "mm10", "inch1200"]

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

MOST_WORDS = 200_000
"""Words on one page: a broadsheet set in 6 pt has 20,000."""

LARGEST = 1_000_000.0
"""A coordinate beyond this, in the file's unit, is no place on paper: 1/1200 inch over 20 metres."""

OUTSIDE_SHARE = 0.01
"""Share of a page's side by which a box may stick out of it: boxes of slanting lines do, by a few pixels."""

EXCERPT = 40
"""Characters of a text that a message quotes."""

ALTERNATIVE = "alternative_reading"
OTHER_LEVEL = "other_level"
"""Kinds of asides: another reading that the file offers, and what another level of it (line, region) says."""

_NOT_TEXT = frozenset({"Cc", "Cs"})
_RIGHT_TO_LEFT = frozenset({"R", "AL"})
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?")

MESSAGES = {
    "alternative_readings": "the file offers {n} other readings of words or lines: they are kept as asides",
    "boxes_unusable": "{n} boxes of the file are no places on a page and were not used",
    "confidences_unusable": "{n} confidences are above the highest that their format knows: they were left out",
    "characters_replaced": "{n} control characters were replaced by U+FFFD",
    "hyphens_supplied": "{n} hyphens are marked in the file without their character: '-' was supplied",
    "ocr_levels_differ": "{n} lines or regions of the file say something else than what is within them: one is used, "
    "the other is kept as an aside",
    "reading_order_incomplete": "{n} regions with text are not in the file's reading order: they follow the others",
    "text_outside_words": "{n} words stand outside any word or line of the file: they are kept where they stand",
    "turned_text": "{n} blocks of text are turned by a quarter or more",
    "word_boxes_estimated": "the file gives {n} words no box of their own: theirs are shares of the box around them",
    "words_outside_page": "{n} words have boxes that stick out of the page",
}
"""What is told of a page, once for each code; these are all the codes that the readers of a page use."""


@dataclass(frozen=True, slots=True)
class PageHead:
    """What a file says of a page beside its text: size (0, 0) where unknown, in `unit`; `image` as it is named."""

    size: tuple[float, float]
    unit: GivenUnit = "px"
    label: str | None = None
    image: str | None = None


@dataclass(frozen=True, slots=True)
class GivenWord:
    """A piece of text that the file holds for one word; it may contain white space, and may have no box."""

    text: str
    box: Box | None = None
    confidence: float | None = None
    font_size: float | None = None


@dataclass(frozen=True, slots=True)
class GivenLine:
    """A line of the file; `alternatives` are other readings of it or its words, `others` what another level says.

    `block` is the element of its block: kept, so that no other can take its place in memory.
    """

    words: tuple[GivenWord, ...]
    block: Any
    box: Box | None = None
    block_box: Box | None = None
    baseline_angle: float = 0.0
    alternatives: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GivenText:
    """A page's text in the frame and the unit of its file."""

    lines: tuple[Line, ...]
    asides: tuple[Aside, ...] = ()
    warnings: tuple[PageWarning, ...] = ()


@dataclass(slots=True)
class Notes:
    """Counts what a reader met on one page, by the code of the warning that tells it."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, code: str, number: int = 1) -> None:
        """Count `number` things under a code of `MESSAGES`."""
        if number:
            self.counts[code] += number

    def warnings(self) -> tuple[PageWarning, ...]:
        """Return one warning for each code, sorted by code."""
        return tuple(PageWarning(code, MESSAGES[code].format(n=n)) for code, n in sorted(self.counts.items()))


def local_name(element: Any) -> str:
    """Return an element's name without its namespace, empty for what is no element (an entity, a comment)."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def number(text: str | None) -> float | None:
    """Return a finite number, null where the text is none."""
    if text is None or not _NUMBER.fullmatch(text.strip()):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def numbers(text: str) -> list[float]:
    """Return all numbers of a text in their order: coordinates come with spaces, commas or both between them."""
    return [float(each) for each in _NUMBER.findall(text)]


def sane_box(corners: Sequence[float | None], notes: Notes) -> Box | None:
    """Return the box of `x0, top, x1, bottom`, corners in any order; null, and noted, where it is no place on a page.

    A box of which everything is 0 is how programs write that they know none.
    """
    known = [each for each in corners if each is not None]
    if len(known) != 4 or any(abs(each) > LARGEST or not math.isfinite(each) for each in known):
        notes.add("boxes_unusable")
        return None
    x0, top, x1, bottom = known
    return Box(min(x0, x1), min(top, bottom), max(x0, x1), max(top, bottom)) if any(known) else None


def sane_size(width: float | None, height: float | None) -> tuple[float, float]:
    """Return the size of a page, (0, 0) where it is none."""
    if width is None or height is None or not (0 < width <= LARGEST and 0 < height <= LARGEST):
        return 0.0, 0.0
    return width, height


def ratio(value: float | None, notes: Notes) -> float | None:
    """Return a confidence from 0 to 1, null where the number is none; one above 1 is noted, -1 stands for none."""
    if value is None or value < 0:
        return None
    if value > 1:
        notes.add("confidences_unusable")
        return None
    return value


def angle_of(points: Sequence[float]) -> float:
    """Return the angle in degrees from the first to the last of `x, y, x, y …`, 0 where they do not go to the right."""
    if len(points) < 4 or len(points) % 2:
        return 0.0
    across, down = points[-2] - points[0], points[-1] - points[1]
    return math.degrees(math.atan2(down, across)) if across > 0 else 0.0


def slight(angle: float, notes: Notes) -> float:
    """Return an angle under which text is still read as it stands; 0, and noted, where it is turned by more."""
    angle = (angle + 180) % 360 - 180
    if abs(angle) <= 45:
        return angle
    notes.add("turned_text")
    return 0.0


def one_space(text: str) -> str:
    """Return a text with each run of white space as one space."""
    return " ".join(text.split())


def without_space(text: str) -> str:
    """Return the characters of a text that are no white space."""
    return "".join(text.split())


def page_text(given: Sequence[GivenLine], size: tuple[float, float], notes: Notes) -> GivenText:
    """Make the lines and asides of a page; raises PageError where it holds more than `MOST_WORDS` words.

    Lines keep their order; one without words is left out. All boxes stay in the file's unit.
    """
    if sum(len(word.text.split()) for line in given for word in line.words) > MOST_WORDS:
        raise PageError(f"the page has more than {MOST_WORDS:,} words: it is damaged, or an attack")
    blocks: dict[Any, int] = {}
    lines: list[Line] = []
    asides: list[Aside] = []
    for each, box in zip(given, _line_boxes(given, size), strict=True):
        words = tuple(_words(each, box, notes))
        if words:
            lines.append(Line(words, blocks.setdefault(each.block, len(blocks) + 1)))
        notes.add("alternative_readings", len(each.alternatives))
        notes.add("ocr_levels_differ", len(each.others))
        for kind, texts in ((ALTERNATIVE, each.alternatives), (OTHER_LEVEL, each.others)):
            asides += (Aside(kind, _printable(one_space(text)), box) for text in texts)
    notes.add("words_outside_page", sum(_sticks_out(word.box, size) for line in lines for word in line.words))
    return GivenText(tuple(lines), tuple(asides), notes.warnings())


def _line_boxes(given: Sequence[GivenLine], size: tuple[float, float]) -> list[Box]:
    """Return a box for each line: its own, the one around its words, or its share of its block's from the top down."""
    page = Box(0.0, 0.0, *size)
    members: dict[Any, list[int]] = {}
    for index, line in enumerate(given):
        members.setdefault(line.block, []).append(index)
    boxes: list[Box] = [page] * len(given)
    for block in members.values():
        for place, index in enumerate(block):
            line = given[index]
            known = [word.box for word in line.words if word.box is not None]
            if line.box is not None:
                boxes[index] = line.box
            elif known:
                boxes[index] = around(known)
            else:
                outer = line.block_box or page
                height = outer.height / len(block)
                boxes[index] = outer._replace(
                    top=outer.top + place * height, bottom=min(outer.top + (place + 1) * height, outer.bottom)
                )
    return boxes


def _words(line: GivenLine, box: Box, notes: Notes) -> Iterable[Word]:
    """Yield a line's words, split at white space, each with a box."""
    length = sum(len(word.text.strip()) + 1 for word in line.words) - 1
    start = 0
    for given in line.words:
        text = given.text.strip()
        outer = given.box or share(box, start / max(length, 1), (start + len(text)) / max(length, 1), text)
        start += len(text) + 1
        parts = list(re.finditer(r"\S+", text))
        notes.add("word_boxes_estimated", len(parts) if given.box is None or len(parts) > 1 else 0)
        for part in parts:
            kept = _printable(part.group())
            notes.add("characters_replaced", sum(old != new for old, new in zip(part.group(), kept, strict=True)))
            yield Word(
                text=kept,
                box=share(outer, part.start() / len(text), part.end() / len(text), text),
                confidence=given.confidence,
                baseline_angle=line.baseline_angle,
                text_basis="imported",
                font_size=given.font_size,
            )


def share(box: Box, start: float, end: float, text: str) -> Box:
    """Cut a box along the line from `start` to `end`, both from 0 to 1, in the direction in which `text` runs.

    The whole of it stays exactly as it is.
    """
    if any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in text):
        start, end = 1 - end, 1 - start
    left = box.x0 + box.width * start if start > 0 else box.x0
    right = box.x0 + box.width * end if end < 1 else box.x1
    return box._replace(x0=left, x1=max(left, right))


def _printable(text: str) -> str:
    return "".join(REPLACEMENT if unicodedata.category(each) in _NOT_TEXT else each for each in text)


def _sticks_out(box: Box, size: tuple[float, float]) -> bool:
    if not all(size):
        return False
    across, down = OUTSIDE_SHARE * size[0], OUTSIDE_SHARE * size[1]
    return box.x0 < -across or box.top < -down or box.x1 > size[0] + across or box.bottom > size[1] + down
