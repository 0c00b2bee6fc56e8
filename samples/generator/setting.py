"""Set blocks as lines of words: style, line breaks and the place of every word on its line."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from .breaking import BrokenLine, Joint, break_lines
from .fonts import Face, text_width
from .manuscript import NOTE_MARKER, Block


class Align(Enum):
    """How the words of a line share the width that they leave over."""

    JUSTIFY = "justify"
    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Style:
    """How a kind of block looks; lengths in points."""

    face: Face
    size: float
    leading: float
    align: Align = Align.LEFT
    indent: float = 0.0
    margin: float = 0.0
    hang: float = 0.0
    before: float = 0.0
    after: float = 0.0
    hyphenate: bool = False
    together: bool = False
    """Its lines stay on one page."""
    leads: bool = False
    """Its last line stays with the next block, as a heading does."""
    label: str | None = None
    """What the truth calls it, when not the manuscript's own label."""


@dataclass(frozen=True, slots=True)
class Word:
    """A printed word; `x` is where it starts, from the left of its frame and later of its page."""

    text: str
    x: float
    face: Face
    size: float

    @property
    def width(self) -> float:
        """The word's advance width in points."""
        return text_width(self.text, self.face, self.size)


@dataclass(frozen=True, slots=True)
class Line:
    """A set line: its words, the room that it takes, and its place in the intended reading."""

    label: str
    words: tuple[Word, ...]
    leading: float
    joint: Joint = Joint.END
    before: float = 0.0
    together: bool = False
    paragraph: int | None = None
    note: int | None = None
    notes: tuple["Line", ...] = ()

    def counted_from(self, paragraphs: int, notes: int) -> "Line":
        """Return the line with so many paragraphs and notes before its own."""
        return replace(
            self,
            paragraph=None if self.paragraph is None else self.paragraph + paragraphs,
            note=None if self.note is None else self.note + notes,
            notes=tuple(note.counted_from(paragraphs, notes) for note in self.notes),
        )


@dataclass(frozen=True, slots=True)
class Setting:
    """A manuscript set in lines, with the paragraphs and notes that a reader should get."""

    lines: tuple[Line, ...]
    paragraphs: tuple[str, ...]
    notes: tuple[str, ...]


def set_manuscript(blocks: Sequence[Block], styles: dict[str, Style], width: float) -> Setting:
    """Set the blocks in a column of the given width."""
    lines: list[Line] = []
    notes: list[str] = []
    for paragraph, block in enumerate(blocks):
        follows_body = paragraph > 0 and blocks[paragraph - 1].label in ("body", "verse", "list")
        style = styles[block.label]
        if paragraph > 0:
            style = replace(style, before=style.before + styles[blocks[paragraph - 1].label].after)
        if block.label == "body" and not follows_body:
            style = replace(style, indent=0.0)
        set_lines = [replace(line, paragraph=paragraph) for line in _set_rows(block, style, width)]
        if block.note is not None:
            note = Block("footnote", (block.note,))
            called = [replace(line, note=len(notes), before=0.0) for line in _set_rows(note, styles["footnote"], width)]
            set_lines = [_with_note(line, tuple(called)) for line in set_lines]
            notes.append(note.text)
        lines.extend(set_lines)
    return Setting(tuple(lines), tuple(block.text for block in blocks), tuple(notes))


def set_words(text: str, style: Style, width: float, room: float = 0.0) -> tuple[Word, ...]:
    """Place the words of one line; a justified line shares `room` among its word spaces."""
    space = text_width(" ", style.face, style.size)
    texts = text.split()
    gap = space + (room / (len(texts) - 1) if len(texts) > 1 else 0.0)
    natural = sum(text_width(word, style.face, style.size) for word in texts) + gap * (len(texts) - 1)
    x = {Align.CENTER: (width - natural) / 2, Align.RIGHT: width - natural}.get(style.align, 0.0)
    words = []
    for word in texts:
        words.append(Word(word, x, style.face, style.size))
        x += words[-1].width + gap
    return tuple(words)


def _set_rows(block: Block, style: Style, width: float) -> list[Line]:
    """Set every row of a block; rows keep their line ends in the reading, an empty one only leaves room."""
    lines: list[Line] = []
    before = style.before
    for row in block.rows:
        if not row:
            before += style.leading
            continue
        for number, broken in enumerate(_break_row(row, style, width)):
            words = _set_line(broken, style, width, is_first=number == 0)
            joint = Joint.ROW if broken.joint is Joint.END else broken.joint
            lines.append(Line(style.label or block.label, words, style.leading, joint, before, style.together))
            before = 0.0
    lines[-1] = replace(lines[-1], joint=Joint.END, together=style.together and style.leads)
    return lines


def _break_row(row: str, style: Style, width: float) -> list[BrokenLine]:
    """Break one row into lines."""
    inner = width - style.margin
    widths = (inner - style.indent, inner - style.hang)
    return break_lines(row, widths, lambda text: text_width(text, style.face, style.size), style.hyphenate)


def _set_line(broken: BrokenLine, style: Style, width: float, is_first: bool) -> tuple[Word, ...]:
    left = style.margin + (style.indent if is_first else style.hang)
    text = " ".join(broken.words)
    slack = width - left - text_width(text, style.face, style.size)
    is_spread = style.align is Align.JUSTIFY and (broken.joint is not Joint.END or slack < 0)
    words = set_words(text, style, width - left, slack if is_spread else 0.0)
    return tuple(replace(word, x=word.x + left) for word in words)


def _with_note(line: Line, note: tuple[Line, ...]) -> Line:
    calls = any(word.text.endswith(NOTE_MARKER) for word in line.words)
    return replace(line, notes=note) if calls else line
