"""What may be the folio of a page: numbers alone on an edge line, or at the outer end of a line that may be a head.

1. A line that is nothing but a number, its decoration and specks: read, read in part (`12-A`, `1 2 3`), or misread.
2. A phrase such as `Page 3 of 8`, alone or at an end of a head.
3. The first and the last word of a head, specks beyond it left aside; and of an outermost line that is set like one,
   though nothing shows it: skew hides the white space, misread letters the repetition. A number at an end of any other
   line is text.

Each gets the weight of its own appearance, in natural logarithms of odds: what the sequence says comes on top.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ocrprep.preparing.edges import EdgeLine
from ocrprep.preparing.heads import OPEN_END, names_division
from ocrprep.preparing.numerals import (
    Numeral,
    Style,
    gives_total,
    guess_numerals,
    is_enclosed,
    is_page_word,
    read_composite,
    read_numeral,
    read_page_phrase,
    read_spaced,
)
from ocrprep.preparing.removals import Key
from ocrprep.representation import PlacedWord
from ocrprep.spans import Span

Stand = Literal["alone", "beside_head", "beside_line", "beside_words", "beside_text"]
"""Where a number stands on its printed row: alone, with words that repeat on other pages, with a line that looks like a
head, with words that may be one, or (as a line of its own) with other text."""

Reading = Literal["exact", "joined", "guess"]
"""Whether the text is the number, the number in pieces, or only looks like it."""

STAND_WEIGHTS: Mapping[Stand, float] = {
    "alone": 2.5,
    "beside_head": 2.0,
    "beside_line": 0.0,
    "beside_words": -0.3,
    "beside_text": -1.5,
}
"""What the place on the row says for a folio: text beside a number makes it a note's, a verse's or a table's."""

READING_WEIGHTS: Mapping[Reading, float] = {"exact": 0.0, "joined": -0.5, "guess": -1.5}
"""What a misreading costs: each look-alike multiplies the numbers that a text may be."""

SET_OFF = (0.8, 0.9)
"""So many line heights of white space below words that may be a head, and what they say."""

HEAD_WORDS = 12
"""A head has at most so many words, its folio included."""

NO_DIGIT = -0.7
"""A guess at arabic digits of which none was read: `it` and `so` are words first."""

ONE_LETTER = -0.7
"""A single roman letter: `I`, `v` and `c` stand alone for other reasons too."""

LARGE_ROMAN = (100, -2.0)
"""Prefaces of more than a hundred pages are rare, words such as `mix`, `dim` and `di` are not."""

YEARS = (range(1400, 2100), -1.5)
"""A number of four digits is a year more often than a page."""

INNER_ROW = -0.7
"""Each row between the number and the outermost one."""

PHRASE = 1.5
"""`Page` before the number, and once more for the number of pages after it."""

ENCLOSED = 0.7
"""Dashes or brackets around it."""

DISPLAY = (1.8, -1.0)
"""A number in type of so many line heights is a chapter's more often than a page's."""

ROW_LINES = 3
"""A row cut into more lines is a table's or a form's."""

TABLE = -2.0

REPEATED = -1.5, -4.5
"""The same number on a page nearby, for each of them and at most: chapters and articles stay, folios count on."""

REPEATED_TEXT = 2
"""A text on so many pages nearby is no misread folio."""

NEARBY = 10
"""Pages on each side among which a number or a text is called repeated."""

CROWDED = -1.0, -6.0
"""Each number alone on its line beyond the second of a page, and at most: a table's, or a list's."""

STRAY = -0.7
"""A mark beside the text's measure."""

SPECKS = 2
"""Words without a letter or digit, or of one sign, that engines make of dirt beside a folio, at most."""


LONE_WORDS = 7
"""Words of a line that is nothing but a folio, at most: `— Page 3 of 8 —` has six."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text at the edge of a page that may be its folio: the words' span, and the number that they read as.

    `place` is its centre as shares of the page's size; `alone`: nothing else stands on the line; `phrase`: it says
    `Page` before the number; `weak`: the words beside it stand on no other page, or it is only what the text may be
    misread from. `weight` is what its own appearance says for a folio.
    """

    edge_line: EdgeLine
    words: Span
    text: str
    numeral: Numeral
    place: tuple[float, float]
    alone: bool
    phrase: bool = False
    weak: bool = False
    reading: Reading = "exact"
    stand: Stand = "alone"
    weight: float = 0.0

    @property
    def page(self) -> int:
        """The page on which it stands."""
        return self.edge_line.line.page

    @property
    def has_place(self) -> bool:
        """Whether its page has geometry, so that its place says anything."""
        return self.edge_line.line.box.width > 0

    @property
    def value(self) -> int:
        """The value of its number."""
        return self.numeral.value


@dataclass(frozen=True, slots=True)
class NumberText:
    """Words at an end of a line, or all of it, with nothing but specks beyond them: where a folio would stand."""

    edge_line: EdgeLine
    words: Span
    text: str
    place: tuple[float, float]
    alone: bool
    phrase: bool = False

    @property
    def has_place(self) -> bool:
        """Whether its page has geometry, so that its place says anything."""
        return self.edge_line.line.box.width > 0


def candidates(edges: Iterable[EdgeLine], repeating: frozenset[Key], headlike: frozenset[Key]) -> Iterator[Candidate]:
    """Yield what may be a folio.

    `repeating` are page and number of the lines whose words repeat on other pages, `headlike` of those that only look
    like a head: short, outermost, set off.
    """
    yield from _against_others(list(_candidates(list(edges), repeating, headlike)))


def _candidates(edges: Sequence[EdgeLine], repeating: frozenset[Key], headlike: frozenset[Key]) -> Iterator[Candidate]:
    rows = rows_of(edges)
    for edge_line in edges:
        company = company_of(edge_line, rows)
        for found in number_texts(edge_line, edge_line.key in repeating):
            stand = _stand(found, company, repeating, headlike)
            for numeral, reading in _numerals(found):
                yield Candidate(
                    edge_line=edge_line,
                    words=found.words,
                    text=found.text,
                    numeral=numeral,
                    place=found.place,
                    alone=found.alone,
                    phrase=found.phrase,
                    weak=reading == "guess" or stand not in ("alone", "beside_head"),
                    reading=reading,
                    stand=stand,
                    weight=_weight(found, numeral, reading, stand, len(company)),
                )


def _against_others(found: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield the candidates, lighter where pages nearby have the same number, and where a page has many.

    A folio stands on one page only, and no page has more than one or two.
    """
    pages: dict[tuple[Numeral, str], list[int]] = defaultdict(list)
    lone: dict[int, set[Key]] = defaultdict(set)
    for each in found:
        held = pages[each.numeral, each.edge_line.edge]
        if not held or held[-1] != each.page:
            held.append(each.page)
        if each.alone:
            lone[each.page].add(each.edge_line.key)
    each_page, most = REPEATED
    each_line, at_most = CROWDED
    for each in found:
        others = near_pages(pages[each.numeral, each.edge_line.edge], each.page)
        crowd = max(len(lone[each.page]) - 2, 0) if each.alone else 0
        less = max(each_page * others, most) + max(each_line * crowd, at_most)
        yield replace(each, weight=each.weight + less) if less else each


def near_pages(pages: Sequence[int], page: int) -> int:
    """Return how many of some pages, in order, are near a page, itself left aside."""
    near = bisect_right(pages, page + NEARBY) - bisect_left(pages, page - NEARBY)
    at = bisect_left(pages, page)
    return near - (at < len(pages) and pages[at] == page)


Row = tuple[int, str, int]


def row_of(edge_line: EdgeLine) -> Row:
    """Return the page, the edge and the row of a line."""
    return edge_line.line.page, edge_line.edge, edge_line.row


def rows_of(edges: Iterable[EdgeLine]) -> Mapping[Row, Sequence[EdgeLine]]:
    """Return the lines of each printed row."""
    rows: dict[Row, list[EdgeLine]] = defaultdict(list)
    for each in edges:
        rows[row_of(each)].append(each)
    return rows


def standing_texts(
    edges: Sequence[EdgeLine], repeating: frozenset[Key], headlike: frozenset[Key]
) -> Mapping[int, Sequence[NumberText]]:
    """Return where a misread folio may stand on each page: alone on a row or beside a head, and at the ends of a head.

    What stands so on pages nearby as well is left out: a folio differs from page to page.
    """
    rows = rows_of(edges)
    found: list[NumberText] = []
    for line in edges:
        is_head = line.key in repeating
        beside = [each.key for each in company_of(line, rows)]
        in_text = bool(beside) and not any(key in repeating or key in headlike for key in beside)
        texts = number_texts(line, is_head)
        found += (each for each in texts if not (each.alone and in_text))
        found += end_specks(line) if is_head or line.row == 0 else ()
    pages: dict[str, list[int]] = defaultdict(list)
    for each in found:
        pages[each.text].append(each.edge_line.line.page)
    standing: dict[int, list[NumberText]] = defaultdict(list)
    for each in found:
        page = each.edge_line.line.page
        if near_pages(pages[each.text], page) < REPEATED_TEXT:
            standing[page].append(each)
    return standing


def is_numberlike(text: str, style: Style) -> bool:
    """Say whether a text has a digit or may be misread from a number of a series."""
    numeral = read_numeral(text)
    return (
        any(map(str.isdigit, text))
        or (numeral is not None and numeral.style == style)
        or any(guess.style == style for guess in guess_numerals(text))
    )


def company_of(edge_line: EdgeLine, rows: Mapping[Row, Sequence[EdgeLine]]) -> list[EdgeLine]:
    """Return the other lines of a line's printed row; strays beside the text count for a stray alone."""
    box = edge_line.line.box
    return [
        each
        for each in rows[row_of(edge_line)]
        if each is not edge_line
        and (edge_line.stray or not each.stray)
        and each.line.box.top < box.bottom
        and box.top < each.line.box.bottom
    ]


def number_texts(edge_line: EdgeLine, is_head: bool) -> Iterator[NumberText]:
    """Yield the whole line where it may be a number, else those of its ends that may be a head's."""
    words = edge_line.words
    line = edge_line.line
    if len(words) > LONE_WORDS and edge_line.row and not is_head:
        return
    core = [placed for placed in words if not _is_speck(placed)]
    if not core:
        return
    if len(core) == 1 and len(words) <= 1 + 2 * SPECKS:
        yield NumberText(edge_line, line.span, line.text, _place(edge_line, core[0]), alone=True)
    elif read_page_phrase(line.text):
        yield NumberText(edge_line, line.span, line.text, edge_line.place, alone=True, phrase=True)
    elif read_spaced(line.text):
        yield NumberText(edge_line, line.span, line.text, edge_line.place, alone=True)
    elif not _is_division(words):
        for is_first in (True, False):
            if is_head or _may_be_head(edge_line, core, is_first):
                yield from _end(edge_line, is_first)


def end_specks(edge_line: EdgeLine) -> Iterator[NumberText]:
    """Yield the signs beyond the first and the last word of a line, of which the folio beside it may be left (`?`)."""
    words = edge_line.words
    for placed in (words[0], words[-1]):
        if _is_speck(placed) and len(words) > 1:
            yield NumberText(edge_line, placed.span, placed.word.text, _place(edge_line, placed), alone=False)


def _may_be_head(edge_line: EdgeLine, core: Sequence[PlacedWord], is_first: bool) -> bool:
    """Say whether an outermost line is set like a head without its first or last word: no sentence runs into it or
    out of it."""
    if edge_line.row or not 1 < len(core) <= HEAD_WORDS or edge_line.line.text.endswith(OPEN_END):
        return False
    begins = core[1 if is_first else 0].word.text
    return not next((letter for letter in begins if letter.isalnum()), "").islower() or len(core) == 2


def _end(edge_line: EdgeLine, is_first: bool) -> Iterator[NumberText]:
    """Yield the first or the last word with the specks beyond it, and with a word such as `p.` before it."""
    words = edge_line.words
    inwards = words if is_first else words[::-1]
    outer = next(number for number, placed in enumerate(inwards) if not _is_speck(placed))
    yield from _end_at(edge_line, inwards, outer, is_first)
    # A lone letter beyond a number is a speck more often than a word.
    beyond = inwards[outer + 1 : outer + 2]
    if len(inwards[outer].word.text) == 1 and any(map(str.isdigit, "".join(each.word.text for each in beyond))):
        yield from _end_at(edge_line, inwards, outer + 1, is_first)


def _end_at(edge_line: EdgeLine, inwards: Sequence[PlacedWord], at: int, is_first: bool) -> Iterator[NumberText]:
    before = at if is_first else at + 1
    phrase = int(before < len(inwards) and is_page_word(inwards[before].word.text))
    taken = inwards[: at + 1 + phrase]
    if at > SPECKS or len(taken) == len(inwards):
        return
    number = inwards[at + phrase] if is_first else inwards[at]
    span = Span(min(each.span.start for each in taken), max(each.span.end for each in taken))
    place = _place(edge_line, number)
    yield NumberText(edge_line, span, number.word.text, place, alone=False, phrase=bool(phrase))


def _place(edge_line: EdgeLine, placed: PlacedWord) -> tuple[float, float]:
    """Return the centre of a word as shares of the page's size; the line's, where the page has no geometry."""
    box = placed.word.box
    return edge_line.share(box) if box.width > 0 and edge_line.page.size[0] > 0 else edge_line.place


def _is_speck(placed: PlacedWord) -> bool:
    return not any(map(str.isalnum, placed.word.text))


def _is_division(words: Sequence[PlacedWord]) -> bool:
    """Say whether a line is only a word such as `Chapter` beside a number, so that the number is no folio."""
    letters = ("".join(filter(str.isalpha, placed.word.text)).casefold() for placed in words)
    spoken = [each for each, placed in zip(letters, words, strict=True) if each and not read_numeral(placed.word.text)]
    return names_division(" ".join(spoken))


def _numerals(found: NumberText) -> Iterator[tuple[Numeral, Reading]]:
    """Yield the numbers that a text reads as, or may be misread from."""
    numeral = read_page_phrase(found.text) or read_numeral(found.text)
    if numeral is None and (found.alone or "-" in found.text):
        numeral = read_composite(found.text)
    if numeral is not None:
        yield numeral, "exact"
    elif numeral := read_spaced(found.text):
        yield numeral, "joined"
    else:
        for guess in guess_numerals(found.text):
            yield guess, "guess"


def _stand(
    found: NumberText, company: Sequence[EdgeLine], repeating: frozenset[Key], headlike: frozenset[Key]
) -> Stand:
    if found.alone and not company:
        return "alone"
    beside = [each.key for each in company] if found.alone else [found.edge_line.key]
    if any(key in repeating for key in beside):
        return "beside_head"
    if any(key in headlike for key in beside):
        return "beside_line"
    return "beside_text" if found.alone else "beside_words"


def _weight(found: NumberText, numeral: Numeral, reading: Reading, stand: Stand, company: int) -> float:
    """Return what the appearance of a number says for a folio, in natural logarithms of odds."""
    text, value = found.text, numeral.value
    weight = STAND_WEIGHTS[stand] + READING_WEIGHTS[reading] + INNER_ROW * found.edge_line.row
    if stand in ("beside_line", "beside_words"):
        weight += SET_OFF[1] * ((found.edge_line.gap or 0.0) >= SET_OFF[0])
    if found.phrase:
        weight += PHRASE * (2 if gives_total(text) else 1)
    elif is_enclosed(text):
        weight += ENCLOSED
    if numeral.style == "arabic":
        no_digit = reading == "guess" and not any(map(str.isdigit, text))
        weight += NO_DIGIT * no_digit + YEARS[1] * (value in YEARS[0])
    else:
        weight += ONE_LETTER * (sum(map(str.isalpha, text)) == 1) + LARGE_ROMAN[1] * (value > LARGE_ROMAN[0])
    weight += DISPLAY[1] * (found.alone and found.edge_line.height > DISPLAY[0])
    return weight + TABLE * (company >= ROW_LINES) + STRAY * found.edge_line.stray
