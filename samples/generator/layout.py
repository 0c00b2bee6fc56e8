"""Lay set lines out on pages: frames are filled in reading order; heads and folios stand around them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from .breaking import Joint
from .setting import Align, Line, Style, Word, set_words

NOTE_GAP = 12.0
"""Points between the text and its first footnote."""

HYPHENS = (Joint.SOFT, Joint.HARD, Joint.AMBIGUOUS)


@dataclass(frozen=True, slots=True)
class Frame:
    """A column to be filled, in points from the top left of its page."""

    x: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Run:
    """Words of one kind on one printed line, in their final place."""

    label: str
    words: tuple[Word, ...]
    baseline: float
    joint: Joint = Joint.END
    paragraph: int | None = None
    note: int | None = None


PrintedLine = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight printed rule."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Page:
    """A page as printed: lines in reading order, rules, and the number that it bears or only counts for."""

    width: float
    height: float
    lines: tuple[PrintedLine, ...]
    counted: str
    folio: str | None = None
    rules: tuple[Stroke, ...] = ()


def fill(lines: Sequence[Line], frames: Iterable[Frame]) -> Iterator[tuple[list[PrintedLine], list[Stroke]]]:
    """Yield for every frame in turn the printed lines and rules in it, until all lines are placed."""
    start = 0
    for frame in frames:
        end = _frame_end(lines, start, frame.height)
        yield _place(lines[start:end], frame)
        start = end
        if start == len(lines):
            return
    raise ValueError(f"{len(lines) - start} lines are left over")


def printed_line(parts: Sequence[tuple[str, str, Style]], left: float, width: float, baseline: float) -> PrintedLine:
    """Set several runs (label, text, style) on one printed line."""
    return tuple(Run(label, _shift(set_words(text, style, width), left), baseline) for label, text, style in parts)


def outer(style: Style, is_recto: bool) -> Style:
    """Return the style set toward the outer edge of its page."""
    return replace(style, align=Align.RIGHT if is_recto else Align.LEFT)


def _frame_end(lines: Sequence[Line], start: int, height: float) -> int:
    """Return where the frame is full; it may be two lines short so that a word or a sentence breaks there."""
    used = 0.0
    end = start
    while end < len(lines):
        line = lines[end]
        used += line.leading + (line.before if end > start else 0.0) + _notes_height(line)
        if used > height:
            break
        end += 1
    if end == len(lines):
        return end
    fitting = [cut for cut in range(end, start, -1) if not lines[cut - 1].together]
    for wanted in (HYPHENS, (Joint.SPACE,)):
        for cut in fitting[:3]:
            if lines[cut - 1].joint in wanted:
                return cut
    return fitting[0]


def _notes_height(line: Line) -> float:
    return NOTE_GAP + sum(note.leading for note in line.notes) if line.notes else 0.0


def _place(lines: Sequence[Line], frame: Frame) -> tuple[list[PrintedLine], list[Stroke]]:
    """Place the text from the top of the frame downward and its footnotes at the foot."""
    printed = list(_stack(lines, frame, frame.top))
    notes = [note for line in lines for note in line.notes]
    if not notes:
        return printed, []
    top = frame.top + frame.height - sum(note.leading for note in notes)
    rule = Stroke(frame.x, top - NOTE_GAP / 3, frame.x + 60, top - NOTE_GAP / 3)
    return [*printed, *_stack(notes, frame, top)], [rule]


def _stack(lines: Sequence[Line], frame: Frame, top: float) -> Iterator[PrintedLine]:
    y = top
    for number, line in enumerate(lines):
        y += line.leading + (line.before if number else 0.0)
        words = _shift(line.words, frame.x)
        yield (Run(line.label, words, y, line.joint, line.paragraph, line.note),)


def _shift(words: Iterable[Word], x: float) -> tuple[Word, ...]:
    return tuple(replace(word, x=word.x + x) for word in words)
