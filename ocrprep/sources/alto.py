"""ALTO, versions 1 to 4: blocks, lines and strings with their boxes (loc.gov/standards/alto).

In order: find the pages and the unit; take the margins and the print space of a page in reading order; walk its blocks,
however nested, to their lines; make words of the strings, a hyphen glued to the string before it; set other readings
apart. The text is what is printed: `SUBS_CONTENT`, the whole word of one that is divided over two lines, is not used.

`WC` is a confidence from 0 to 1. `CC`, a digit for each letter from 0 (sure) to 9 (unsure), is not: some programs write
it the other way round, and beside a `WC` of 0.98 stands a `CC` of 65. It is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from ocrprep.pages import Box, around
from ocrprep.sources.given_text import (
    GivenLine,
    GivenText,
    GivenUnit,
    GivenWord,
    Notes,
    PageHead,
    angle_of,
    local_name,
    number,
    numbers,
    page_text,
    ratio,
    sane_box,
    sane_size,
    slight,
)

_READING_ORDER = {"TopMargin": 0, "LeftMargin": 1, "PrintSpace": 2, "RightMargin": 3, "BottomMargin": 4}
"""The parts of a page as they are read; the schema lists the print space last."""

_HYPHENS = frozenset("-\u00ad\u2010\u2011\u00ac\u2e17\u2e40")
"""Signs of a divided word: hyphens, the soft one, the not sign that stands for one in many files, double ones."""

_PER_POINT = {"mm10": 254 / 72, "inch1200": 1200 / 72}
"""Units of the file in a point, the unit of font sizes."""

_WHOLE_PERCENT = re.compile(r"0\.(100|[1-9]?\d)")


@dataclass(frozen=True, slots=True)
class Description:
    """What a file says of all its pages: unit, image, sizes of its fonts, and how its confidences are written."""

    unit: GivenUnit = "px"
    image: str | None = None
    font_sizes: tuple[tuple[str, float], ...] = ()
    percent_behind_point: bool = False
    has_ratios: bool = True


@dataclass(frozen=True, slots=True)
class _Within:
    """Where a line stands: its block, and what it inherits; `loose` is text that stands in no line or string."""

    block: Any
    styles: str = ""
    rotation: float = 0.0
    loose: str | None = None


def pages(root: Any) -> list[Any]:
    """Return the elements of the pages in document order."""
    return [element for element in root.iter() if local_name(element) == "Page"]


def description(root: Any) -> Description:
    """Return what a file says of all its pages.

    Tesseract writes `0.` and a whole percent: 5 % as 0.5, 100 % as 0.100. So do no others: that form is believed where
    every confidence has it and 0.100 or a single digit occurs in what is Tesseract's by its name or its IDs, or 0.100
    in any file. Where a confidence is above 1 the scale is not known, and none is used.
    """
    named = {
        name: element for element in root.iter() if (name := local_name(element)) in ("MeasurementUnit", "fileName")
    }
    texts = {name: (element.text or "").strip() for name, element in named.items()}
    unit: GivenUnit = "px"
    for known in get_args(GivenUnit):
        unit = known if texts.get("MeasurementUnit", "").lower() == known else unit
    sizes = [
        (str(each.get("ID")), size)
        for each in root.iter()
        if local_name(each) == "TextStyle" and (size := number(each.get("FONTSIZE"))) and size > 0
    ]
    written = {value for each in root.iter() if (value := each.get("WC")) is not None}
    return Description(
        unit=unit,
        image=texts.get("fileName") or None,
        font_sizes=tuple(sizes),
        percent_behind_point=_percent_behind_point(written, by_tesseract=_is_by_tesseract(root)),
        has_ratios=all((number(value) or 0.0) <= 1 for value in written),
    )


def head(page: Any, file: Description) -> PageHead:
    """Return the size, the label and the image of a page: the label is the number of its image in the series."""
    label = (page.get("PHYSICAL_IMG_NR") or "").strip()
    return PageHead(
        sane_size(number(page.get("WIDTH")), number(page.get("HEIGHT"))), file.unit, label or None, file.image
    )


def text(page: Any, file: Description, order: Sequence[str] = ()) -> GivenText:
    """Return the text of a page in the unit of the file; raises PageError where it holds too many words.

    `order` are the IDs of blocks and lines in the reading order that the file states.
    """
    notes = Notes()
    parts = sorted(page, key=lambda each: _READING_ORDER.get(local_name(each), _READING_ORDER["PrintSpace"]))
    lines = [
        (element, _line(element, within, file, notes))
        for part in parts
        for element, within in _lines(part, _Within(page))
    ]
    return page_text(_in_order(lines, order, notes), head(page, file).size, notes)


def reading_order(root: Any) -> list[str]:
    """Return the IDs of blocks and lines in the order that a file of version 4.3 or later states, each once."""
    found = [
        str(each.get("REF"))
        for group in root.iter()
        if local_name(group) == "ReadingOrder"
        for each in group.iter()
        if each.get("REF")
    ]
    return list(dict.fromkeys(found))


def _is_by_tesseract(root: Any) -> bool:
    for element in root.iter():
        name = local_name(element)
        if name == "softwareName" and "tesseract" in (element.text or "").lower():
            return True
        if name == "String":
            return bool(re.fullmatch(r"string_\d+", element.get("ID") or ""))
    return False


def _percent_behind_point(written: set[str], *, by_tesseract: bool) -> bool:
    if not all(_WHOLE_PERCENT.fullmatch(value) for value in written):
        return False
    return "0.100" in written or (by_tesseract and any(len(value) == 3 and value != "0.0" for value in written))


def _lines(element: Any, within: _Within) -> Iterator[tuple[Any, _Within]]:
    """Yield what makes a line, with where it stands: lines, and strings and text that stand outside any."""
    name = local_name(element)
    if name in ("TextLine", "String", "HYP"):
        yield element, within
        return
    if name in ("Shape", "SP", ""):
        return
    rotation = number(element.get("ROTATION"))
    here = replace(
        within,
        styles=element.get("STYLEREFS") or within.styles,
        rotation=within.rotation if rotation is None else rotation,
        block=element if name.endswith("Block") or name in _READING_ORDER else within.block,
    )
    if (element.text or "").strip():
        yield element, replace(here, loose=element.text)
    for child in element:
        yield from _lines(child, here)
        if (child.tail or "").strip():
            yield element, replace(here, loose=child.tail)


def _line(element: Any, within: _Within, file: Description, notes: Notes) -> GivenLine:
    """Make a line of a TextLine, or of a string or a piece of text that stands outside any."""
    words: list[GivenWord] = []
    alternatives: list[str] = []
    is_line = local_name(element) == "TextLine"
    if within.loose is not None:
        _loose(within.loose, words, notes)
    elif is_line:
        within = replace(within, styles=element.get("STYLEREFS") or within.styles)
        _loose(element.text, words, notes)
        for child in element:
            _add(child, words, alternatives, within, file, notes)
            _loose(child.tail, words, notes)
    else:
        _add(element, words, alternatives, within, file, notes)
    baseline = angle_of(numbers(element.get("BASELINE") or ""))
    return GivenLine(
        tuple(words),
        within.block,
        _box(element, notes) if is_line else None,
        _box(within.block, notes),
        slight(baseline or -within.rotation, notes),
        tuple(alternatives),
    )


def _loose(text: str | None, words: list[GivenWord], notes: Notes) -> None:
    """Add words of text that stands where none should."""
    loose = (text or "").split()
    notes.add("text_outside_words", len(loose))
    words += (GivenWord(each) for each in loose)


def _add(
    element: Any,
    words: list[GivenWord],
    alternatives: list[str],
    within: _Within,
    file: Description,
    notes: Notes,
) -> None:
    """Add the word of a String, or glue the hyphen of a HYP to the word before it."""
    name = local_name(element)
    if name == "HYP":
        _hyphenate(element, words, notes)
    elif name == "String":
        content = element.get("CONTENT") or "".join(
            each.get("CONTENT") or "" for each in element if local_name(each) == "Glyph"
        )
        styles = element.get("STYLEREFS") or within.styles
        words.append(
            GivenWord(content, _box(element, notes), _confidence(element, file, notes), _font_size(styles, file))
        )
        for child in element:
            if local_name(child) == "ALTERNATIVE" and (child.text or "").strip():
                alternatives.append(child.text)
    else:
        for child in element:
            _add(child, words, alternatives, within, file, notes)


def _hyphenate(element: Any, words: list[GivenWord], notes: Notes) -> None:
    """Glue a hyphen to the last word, unless the word already ends in one."""
    content = element.get("CONTENT")
    if content is None:
        notes.add("hyphens_supplied")
        content = "-"
    box = _box(element, notes)
    if not words or not words[-1].text:
        words.append(GivenWord(content, box))
        return
    last = words[-1]
    if last.text[-1] in _HYPHENS and len(content.strip()) == 1 and content.strip() in _HYPHENS:
        return
    joined = last.box
    if last.box is not None and box is not None:
        # A hyphen has no height of its own in most files, and its VPOS is that of the line's foot in some.
        joined = around((last.box, last.box._replace(x0=box.x0, x1=box.x1)))
    words[-1] = replace(last, text=last.text.rstrip() + content.strip(), box=joined)


def _box(element: Any, notes: Notes) -> Box | None:
    left, top = number(element.get("HPOS")), number(element.get("VPOS"))
    width, height = number(element.get("WIDTH")), number(element.get("HEIGHT"))
    if left is None or width is None or top is None:
        return None
    if height is None:
        height = 0.0
        if local_name(element) != "HYP":
            return None
    return sane_box((left, top, left + width, top + height), notes)


def _confidence(element: Any, file: Description, notes: Notes) -> float | None:
    written = element.get("WC")
    if written is None or not file.has_ratios:
        return None
    return ratio(int(written[2:]) / 100 if file.percent_behind_point else number(written), notes)


def _font_size(styles: str, file: Description) -> float | None:
    """Return the size of a string's font in the file's unit, null where that is pixels: a point has any number."""
    per_point = _PER_POINT.get(file.unit)
    if per_point is None:
        return None
    sizes = dict(file.font_sizes)
    return next((sizes[name] * per_point for name in styles.split() if name in sizes), None)


def _in_order(lines: Sequence[tuple[Any, GivenLine]], order: Sequence[str], notes: Notes) -> list[GivenLine]:
    """Sort lines by the first of their own or an outer element that a reading order names; the others follow."""
    if not order:
        return [line for _, line in lines]
    places = {name: place for place, name in enumerate(order)}

    def place(element: Any) -> int:
        names = [element.get("ID"), *(outer.get("ID") for outer in element.iterancestors())]
        return next((places[name] for name in names if name in places), len(places))

    unlisted = {line.block for element, line in lines if line.words and place(element) == len(places)}
    notes.add("reading_order_incomplete", len(unlisted))
    return [line for _, line in sorted(lines, key=lambda each: place(each[0]))]
