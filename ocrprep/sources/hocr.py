"""hOCR: pages, lines and words as classes of HTML elements (kba.github.io/hocr-spec, version 1.2).

In order: find the pages; walk each in document order and name for every piece of text its block, its line and its word;
join the pieces of a word, letter by letter where the file marks letters; make words of what stands in a line outside
any word, and lines of what stands outside any line; set other readings of a word apart.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from ocrprep.pages import Box
from ocrprep.sources.given_text import (
    LARGEST,
    GivenLine,
    GivenText,
    GivenWord,
    Notes,
    PageHead,
    local_name,
    number,
    numbers,
    page_text,
    ratio,
    sane_box,
    sane_size,
    slight,
    without_space,
)

_PAGE = frozenset({"ocr_page"})
_BLOCK = frozenset({"ocr_carea", "ocrx_block"})
_PARAGRAPH = frozenset({"ocr_par"})
_LINE = frozenset({"ocr_line", "ocrx_line"})
_FLOAT = frozenset({"ocr_textfloat", "ocr_header", "ocr_footer", "ocr_caption", "ocr_pageno", "ocr_display"})
"""Blocks in the specification, lines in what Tesseract writes: one of them is a line when no line is in it."""
_WORD = frozenset({"ocrx_word", "ocr_word"})
_LETTER = frozenset({"ocrx_cinfo", "ocr_cinfo", "ocr_glyph", "ocr_glyphs", "ocr_symbol"})

_PROPERTY = re.compile(r"""(?:(?<=\s)"[^"]*"|(?<=\s)'[^']*'|[^;])+""")
"""A property of a title: a quotation mark inside a word, as in O'Brien.png, opens no quotation."""

_UNREAD = frozenset({"script", "style", "head"})


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of text with the elements that it stands in, null where there is none of that kind."""

    text: str
    block: Any
    line: Any = None
    word: Any = None
    letter: Any = None
    is_alternative: bool = False


def pages(root: Any) -> list[Any]:
    """Return the elements of the pages in document order; a page within a page is part of it."""
    found = []
    for element in root.iter():
        if _classes(element) & _PAGE and not any(_classes(outer) & _PAGE for outer in element.iterancestors()):
            found.append(element)
    return found


def text_outside(root: Any) -> str:
    """Return the text of a file's body that stands outside its pages, white space as one space."""
    return " ".join("".join(_outside(root)).split())


def _outside(element: Any) -> Iterator[str]:
    if not _classes(element) & _PAGE and local_name(element).lower() not in _UNREAD:
        yield element.text or ""
        for child in element:
            yield from _outside(child)
            yield child.tail or ""


def head(page: Any) -> PageHead:
    """Return the size and the image of a page; hOCR's page numbers count from 0 and are no labels."""
    title = properties(page)
    box = sane_box(_four(title.get("bbox", "")), Notes()) if "bbox" in title else None
    # A page that does not begin at the corner keeps its coordinates: they are the image's.
    size = (0.0, 0.0) if box is None else sane_size(box.x1, box.bottom)
    image = title.get("image") or title.get("x_source") or None
    return PageHead(size, image=image)


def text(page: Any) -> GivenText:
    """Return the text of a page, in the pixels of its image; raises PageError where it holds too many words."""
    notes = Notes()
    pieces = _pieces(page, _Piece("", page))
    lines = [
        _line(list(members), notes)
        for _, members in groupby(pieces, lambda each: (each.line, each.block if each.line is None else None))
    ]
    return page_text([line for line in lines if line.words], head(page).size, notes)


def properties(element: Any) -> dict[str, str]:
    """Return the properties of an element's title, quotation marks around a value taken off; the first of a name."""
    found: dict[str, str] = {}
    for each in _PROPERTY.finditer(" " + (element.get("title") or "")):
        name, _, value = each.group().strip().partition(" ")
        value = value.strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        if name:
            found.setdefault(name, value)
    return found


def _classes(element: Any) -> frozenset[str]:
    return frozenset((element.get("class") or "").split()) if isinstance(element.tag, str) else frozenset()


def _pieces(element: Any, around: _Piece) -> Iterator[_Piece]:
    """Yield the pieces of text in an element and below it, in document order."""
    if local_name(element).lower() in _UNREAD:
        return
    here = _entered(element, around)
    if element.text:
        yield replace(here, text=element.text)
    for child in element:
        yield from _pieces(child, here)
        if child.tail:
            yield replace(here, text=child.tail)


def _entered(element: Any, around: _Piece) -> _Piece:
    """Return where the text of an element stands."""
    classes = _classes(element)
    if classes & _LINE or (classes & _FLOAT and not any(_classes(each) & _LINE for each in element.iterdescendants())):
        return replace(around, line=element, word=None)
    if classes & _WORD:
        return replace(around, word=element, letter=None)
    if classes & _LETTER and around.word is not None:
        return replace(around, letter=element)
    if classes & (_BLOCK | _FLOAT) or (classes & _PARAGRAPH and not _classes(around.block) & _BLOCK):
        return replace(around, block=element)
    if local_name(element) == "del" and "alt" in classes:
        return replace(around, is_alternative=True)
    return around


def _line(pieces: Sequence[_Piece], notes: Notes) -> GivenLine:
    """Make a line of the pieces in one line element, or of those in a row outside any."""
    words: list[GivenWord] = []
    alternatives: list[str] = []
    line = pieces[0].line
    own = {} if line is None else properties(line)
    size = _letter_size(own)
    for _, members in groupby(pieces, lambda each: each.word):
        run = list(members)
        if run[0].word is None:
            loose = "".join(each.text for each in run if not each.is_alternative).split()
            notes.add("text_outside_words", len(loose) if line is None or _has_words(line) else 0)
            words += (GivenWord(each, font_size=size) for each in loose)
        else:
            words.append(_word(run, size, notes, alternatives))
        alternatives += (each.text for each in run if each.is_alternative and each.text.strip())
    block = pieces[0].block
    return GivenLine(
        tuple(words),
        block,
        _box(own, notes),
        _box(properties(block), notes),
        _angle(own, properties(block), notes),
        tuple(alternatives),
    )


def _has_words(line: Any) -> bool:
    return any(_classes(each) & _WORD for each in line.iterdescendants())


def _word(run: Sequence[_Piece], size: float | None, notes: Notes, alternatives: list[str]) -> GivenWord:
    """Make a word of its pieces: its own text, else its letters; letters beside it are other readings of it."""
    chosen = [each for each in run if not each.is_alternative]
    own = "".join(each.text for each in chosen if each.letter is None)
    letters = [each for each in chosen if each.letter is not None]
    if own.strip():
        other = "".join(without_space(each.text) for each in letters)
        alternatives += [other] if other else []
    else:
        own = "".join(each.text.strip() for each in letters)
    title = properties(run[0].word)
    return GivenWord(own, _box(title, notes), _confidence(title, notes), _letter_size(title) or size)


def _confidence(title: dict[str, str], notes: Notes) -> float | None:
    """Return the confidence of a word, from 0 to 1; the file has percents."""
    percent = number(title.get("x_wconf", title.get("x_conf")))
    return None if percent is None else ratio(percent / 100, notes)


def _letter_size(title: dict[str, str]) -> float | None:
    """Return the height of the letters, from descender to ascender."""
    size = number(title.get("x_size"))
    return size if size is not None and 0 < size < LARGEST else None


def _box(title: dict[str, str], notes: Notes) -> Box | None:
    return sane_box(_four(title["bbox"]), notes) if "bbox" in title else None


def _four(text: str) -> list[float | None]:
    found: list[float | None] = [*numbers(text)]
    return found[:4]


def _angle(line: dict[str, str], block: dict[str, str], notes: Notes) -> float:
    """Return the angle of a line: that of its baseline, plus the counterclockwise angle at which the text is set."""
    slopes = numbers(line.get("baseline", ""))
    set_at = number(line.get("textangle", block.get("textangle")))
    angle = math.degrees(math.atan(slopes[-2])) if len(slopes) > 1 else 0.0
    return slight(angle - (set_at or 0.0), notes)
