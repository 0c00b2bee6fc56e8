"""The six works and how each is printed: styles, frames, running heads and folios."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from .fonts import Face
from .layout import Frame, Page, PrintedLine, Stroke, fill, outer, printed_line
from .manuscript import read_manuscript
from .setting import Align, Setting, Style, set_manuscript

TEXTS = Path(__file__).parent / "texts"


@dataclass(frozen=True, slots=True)
class Work:
    """A printed work: its pages and the reading that is meant."""

    pages: tuple[Page, ...]
    paragraphs: tuple[str, ...]
    notes: tuple[str, ...] = ()


BOOK_TITLE = "THE SALTERS OF MARREN SOUND"
BOOK_WIDTH, BOOK_HEIGHT = 342.0, 531.0
BOOK_FRAME = Frame(46, 58, 250, 420)
BOOK_OPENING = Frame(46, 100, 250, 378)
BOOK_HEAD, BOOK_FOOT = 44.0, 502.0

BOOK_PROSE = Style(Face.ROMAN, 10.5, 14, Align.JUSTIFY, indent=14, hyphenate=True)
BOOK_HEADLINE = Style(Face.ROMAN, 8.5, 11)
BOOK_FOLIO = Style(Face.ROMAN, 9.5, 11)
BOOK_STYLES = {
    "body": BOOK_PROSE,
    "overline": Style(Face.ROMAN, 10, 14, Align.CENTER, together=True, leads=True, label="heading"),
    "title": Style(Face.ROMAN, 20, 26, Align.CENTER, before=4, after=14, together=True, leads=True, label="heading"),
    "verse": Style(Face.ITALIC, 10.5, 13.5, margin=46, before=6, after=6, together=True),
    "list": Style(
        Face.ROMAN,
        10.5,
        13.5,
        Align.JUSTIFY,
        margin=14,
        hang=12,
        before=6,
        after=6,
        hyphenate=True,
        together=True,
    ),
    "footnote": Style(Face.ROMAN, 8.5, 10.5, Align.JUSTIFY, hyphenate=True),
}
PLAIN_STYLES = BOOK_STYLES | {
    "title": replace(BOOK_STYLES["title"], size=17, leading=24),
    "list": replace(BOOK_STYLES["list"], together=False),
}
LETTER_PROSE = Style(Face.TYPEWRITER, 10, 13, before=13)
LETTER_STYLES = {
    "body": LETTER_PROSE,
    "letterhead": Style(Face.SANS_BOLD, 10.5, 15, Align.CENTER, together=True),
    "date": replace(LETTER_PROSE, align=Align.RIGHT, before=20),
    "address": replace(LETTER_PROSE, before=8, together=True),
    "salutation": replace(LETTER_PROSE, before=20, together=True, leads=True),
    "signature": replace(LETTER_PROSE, together=True),
}
NEWS_STYLES = {
    "masthead": Style(Face.BOLD, 34, 40, Align.CENTER, label="heading"),
    "date": Style(Face.ITALIC, 10.5, 16, Align.CENTER),
    "subhead": Style(Face.BOLD, 12, 15, before=9, after=1, together=True, leads=True, label="heading"),
    "body": Style(Face.ROMAN, 10, 12.5, Align.JUSTIFY, indent=11, hyphenate=True),
}


def book() -> Work:
    """Print the book excerpt: a foreword with roman folios, a chapter, a blank verso, the next chapter."""
    manuscript = read_manuscript(TEXTS / "book.txt")
    settings: list[Setting] = []
    pages: list[Page] = []
    openings = [index for index, block in enumerate(manuscript) if block.label == "opening"]
    for start, end in pairwise([*openings, len(manuscript)]):
        blocks = [block for block in manuscript[start + 1 : end] if block.label != "blank"]
        setting = _renumbered(set_manuscript(blocks, BOOK_STYLES, BOOK_FRAME.width), settings)
        settings.append(setting)
        pages += _chapter_pages(manuscript[start].text, setting, len(pages))
        if len(blocks) < end - start - 1:
            pages.append(Page(BOOK_WIDTH, BOOK_HEIGHT, (), _book_folio(len(pages))))
    return Work(
        tuple(pages),
        tuple(text for setting in settings for text in setting.paragraphs),
        tuple(text for setting in settings for text in setting.notes),
    )


def letter() -> Work:
    """Print the typed letter on the society's paper; its second page bears only a typed number."""
    setting = set_manuscript(read_manuscript(TEXTS / "letter.txt"), LETTER_STYLES, 342)
    frames = [Frame(48, 26, 342, 528), Frame(48, 66, 342, 488)]
    numbered = Style(Face.TYPEWRITER, 10, 13, Align.CENTER)
    pages = []
    for number, (lines, rules) in enumerate(fill(setting.lines, frames), start=1):
        if number == 1:
            rules = [Stroke(48, 77, 390, 77)]
            pages.append(Page(432, 612, tuple(lines), "1", None, tuple(rules)))
        else:
            head = printed_line([("folio", f"-{number}-", numbered)], 48, 342, 46)
            pages.append(Page(432, 612, (head, *lines), str(number), str(number)))
    return Work(tuple(pages), setting.paragraphs)


def newsletter() -> Work:
    """Print the newsletter's page: a heading across, and two columns under it."""
    manuscript = read_manuscript(TEXTS / "newsletter.txt")
    left, top, width, gutter = 38.0, 112.0, 174.0, 20.0
    across = 2 * width + gutter
    heading = set_manuscript(manuscript[:2], NEWS_STYLES, across)
    columns = set_manuscript(manuscript[2:], NEWS_STYLES, width)
    shifted = _renumbered(columns, [heading])
    (head_lines, _), *_ = fill(heading.lines, [Frame(left, 30, across, 80)])
    frames = [Frame(x, top, width, 464) for x in (left, left + width + gutter)]
    column_lines = [line for lines, _ in fill(shifted.lines, frames) for line in lines]
    middle = left + width + gutter / 2
    rules = (Stroke(left, 100, left + across, 100), Stroke(middle, top + 4, middle, top + 462))
    page = Page(444, 612, (*head_lines, *column_lines), "1", None, rules)
    return Work((page,), heading.paragraphs + columns.paragraphs)


def leaflet(name: str) -> Work:
    """Print a single page without furniture."""
    setting = set_manuscript(read_manuscript(TEXTS / f"{name}.txt"), PLAIN_STYLES, 250)
    (lines, _), *_ = fill(setting.lines, [Frame(49, 40, 250, 460)])
    return Work((Page(348, 540, tuple(lines), "1"),), setting.paragraphs)


def essay() -> Work:
    """Print the short piece of three pages with folios at the foot."""
    setting = set_manuscript(read_manuscript(TEXTS / "scans.txt"), PLAIN_STYLES, 230)
    frames = [Frame(38, 46, 230, 220), Frame(38, 30, 230, 234), Frame(38, 30, 230, 234)]
    pages = []
    for number, (lines, _) in enumerate(fill(setting.lines, frames), start=1):
        foot = _centred_folio(str(number), 38, 230, 300)
        pages.append(Page(306, 324, (*lines, foot), str(number), str(number)))
    return Work(tuple(pages), setting.paragraphs)


def _chapter_pages(title: str, setting: Setting, first: int) -> Iterator[Page]:
    """Yield a chapter's pages; the opening has no running head and its folio at the foot."""
    frames = [BOOK_OPENING, *[BOOK_FRAME] * 8]
    for index, (lines, rules) in enumerate(fill(setting.lines, frames), start=first):
        folio = _book_folio(index)
        if index == first:
            furnished = (*lines, _centred_folio(folio, BOOK_FRAME.x, BOOK_FRAME.width, BOOK_FOOT))
        else:
            furnished = (_headline(title, folio, is_recto=index % 2 == 0), *lines)
        yield Page(BOOK_WIDTH, BOOK_HEIGHT, furnished, folio, folio, tuple(rules))


def _headline(title: str, folio: str, is_recto: bool) -> PrintedLine:
    """Set the running head in the middle and the folio in the outer corner of one printed line."""
    centred = replace(BOOK_HEADLINE, align=Align.CENTER)
    head = ("running_head", title if is_recto else BOOK_TITLE, centred)
    number = ("folio", folio, outer(BOOK_FOLIO, is_recto))
    return printed_line([head, number] if is_recto else [number, head], BOOK_FRAME.x, BOOK_FRAME.width, BOOK_HEAD)


def _centred_folio(folio: str, left: float, width: float, baseline: float) -> PrintedLine:
    return printed_line([("folio", folio, replace(BOOK_FOLIO, align=Align.CENTER))], left, width, baseline)


def _book_folio(index: int) -> str:
    """Return the number that a page of the excerpt counts for: v to viii, then 1 and so on."""
    roman = ("v", "vi", "vii", "viii")
    return roman[index] if index < len(roman) else str(index - len(roman) + 1)


def _renumbered(setting: Setting, before: Sequence[Setting]) -> Setting:
    """Return the setting with its paragraphs and notes counted on from those before it."""
    paragraphs = sum(len(earlier.paragraphs) for earlier in before)
    notes = sum(len(earlier.notes) for earlier in before)
    return replace(setting, lines=tuple(line.counted_from(paragraphs, notes) for line in setting.lines))
