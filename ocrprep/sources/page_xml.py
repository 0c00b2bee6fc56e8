"""PAGE XML, versions 2010 to 2019: regions, lines and words with their outlines (ocr-d.de/en/spec/page).

In order: list the regions as the reading order says, the others behind them; take of each element the text with the
lowest index; make each line's words of its words where they hold text, else of its own text; put lines in the order of
their region's text where it holds just them; make lines of that text where they hold none.

Words and the line around them may say different things. Their order and the white space between them are then the
line's. So are the letters: people correct lines, and words that nobody looks at stay behind (in the ground truth of
OCR-D's structure and text set, words are missing or twice in the two lines that differ, and 49 of one page have their
words in another order). Words that both hold keep their boxes; what only the words say stays as an aside, as does what
only a region says. Text below words (glyphs) is read only where a word has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from ocrprep.pages import Box, around
from ocrprep.sources.given_text import (
    GivenLine,
    GivenText,
    GivenWord,
    Notes,
    PageHead,
    angle_of,
    local_name,
    number,
    numbers,
    one_space,
    page_text,
    ratio,
    sane_box,
    sane_size,
    share,
    slight,
    without_space,
)

_LAST = float("inf")


def pages(root: Any) -> list[Any]:
    """Return the elements of the pages in document order."""
    return [element for element in root.iter() if local_name(element) == "Page"]


def head(page: Any) -> PageHead:
    """Return the size and the image of a page."""
    size = sane_size(number(page.get("imageWidth")), number(page.get("imageHeight")))
    return PageHead(size, image=page.get("imageFilename") or None)


def text(page: Any) -> GivenText:
    """Return the text of a page, in the pixels of its image; raises PageError where it holds too many words."""
    notes = Notes()
    lines = [line for region in _regions_in_order(page, notes) for line in _region_lines(region, notes)]
    return page_text(lines, head(page).size, notes)


def _is_region(element: Any) -> bool:
    name = local_name(element)
    return name.endswith("Region") or name == "TableCell"


def _regions_in_order(page: Any, notes: Notes) -> list[Any]:
    """Return all regions, those first that the reading order names; one in another follows it unless it is named."""
    order = [name for child in page if local_name(child) == "ReadingOrder" for name in _references(child)]
    places = {name: place for place, name in reversed(list(enumerate(order)))}
    ranked: list[tuple[float, Any]] = []

    def visit(element: Any, outer: float) -> None:
        for child in element:
            if _is_region(child):
                place = places.get(child.get("id") or "", outer)
                ranked.append((place, child))
                visit(child, place)

    visit(page, _LAST)
    if order:
        missing = [each for place, each in ranked if place == _LAST and _own_text(each)]
        notes.add("reading_order_incomplete", len(missing))
    return [page, *(region for _, region in sorted(ranked, key=lambda each: each[0]))]


def _own_text(region: Any) -> bool:
    """Return whether a region holds text that is not in a region within it."""
    below = [child for child in region if not _is_region(child)]
    return any(
        (each.text or "").strip()
        for child in below
        for each in child.iter()
        if local_name(each) in ("Unicode", "PlainText")
    )


def _references(group: Any) -> Iterator[str]:
    """Yield the regions that a reading order names: by index in a group that has them, else as they stand."""
    members = [each for each in group if each.get("regionRef") or len(each)]

    def index(member: Any) -> float:
        place = number(member.get("index"))
        return _LAST if place is None else place

    for member in sorted(members, key=index):
        if member.get("regionRef"):
            yield member.get("regionRef")
        yield from _references(member)


def _region_lines(region: Any, notes: Notes) -> list[GivenLine]:
    """Make the lines of a region, without those of regions within it."""
    box = _box(region, notes)
    lines = [_line(child, region, box, notes) for child in region if local_name(child) == "TextLine"]
    own, confidence, alternatives = _text_of(region, notes)
    lines = _as_in_region(lines, own)
    read = "".join(without_space(_spaced(line.words)) for line in lines)
    if not own.strip():
        others: tuple[str, ...] = ()
    elif not read:
        printed = [each for each in own.splitlines() if each.strip()]
        lines += [GivenLine((GivenWord(each, None, confidence),), region, None, box) for each in printed]
        others = ()
    else:
        others = () if without_space(own) == read else (own,)
    if others or alternatives:
        lines.append(GivenLine((), region, box, box, 0.0, tuple(alternatives), others))
    return lines


def _line(line: Any, region: Any, region_box: Box | None, notes: Notes) -> GivenLine:
    """Make a line of its words, or of its own text where they hold none."""
    own, confidence, alternatives = _text_of(line, notes)
    words: list[GivenWord] = []
    for child in line:
        if local_name(child) == "Word":
            text, sure, more = _text_of(child, notes)
            words.append(GivenWord(text or _glyphs(child, notes), _box(child, notes), sure))
            alternatives += more
    words = [word for word in words if word.text.strip()]
    others: tuple[str, ...] = ()
    spaced = _spaced(words)
    if own.strip() and one_space(own) != one_space(spaced):
        if without_space(own) == without_space(spaced):
            words = _respaced(words, own.split())
        else:
            words, same = _as_in_line(words, own.split(), confidence)
            others = () if same or not spaced else (spaced,)
    baseline = next((_points(each) for each in line if local_name(each) == "Baseline"), [])
    angle = slight(angle_of(baseline), notes)
    return GivenLine(tuple(words), region, _box(line, notes), region_box, angle, tuple(alternatives), others)


def _as_in_region(lines: list[GivenLine], text: str) -> list[GivenLine]:
    """Put lines in the order of their region's text, where that holds them and no others."""
    waiting: dict[str, list[GivenLine]] = {}
    for line in reversed(lines):
        waiting.setdefault(without_space(_spaced(line.words)), []).append(line)
    empty = waiting.pop("", [])
    ordered = [waiting[key].pop() for each in text.splitlines() if waiting.get(key := without_space(each))]
    return lines if any(waiting.values()) else ordered + empty[::-1]


def _as_in_line(words: Sequence[GivenWord], texts: Sequence[str], sure: float | None) -> tuple[list[GivenWord], bool]:
    """Return a line's words in its own text and order, with the boxes of words that say the same.

    Also say whether all words were found, and no others. Words of the same text keep their order.
    """
    waiting: dict[str, list[GivenWord]] = {}
    for word in reversed(words):
        waiting.setdefault(one_space(word.text), []).append(word)
    made = [waiting[text].pop() if waiting.get(text) else GivenWord(text, None, sure) for text in texts]
    return made, len(made) == len(words) and not any(waiting.values())


def _spaced(words: Sequence[GivenWord]) -> str:
    return " ".join(word.text for word in words)


def _respaced(words: Sequence[GivenWord], texts: Sequence[str]) -> list[GivenWord]:
    """Divide words as the line does: of the same letters, a box is put together or cut by its letters."""
    letters = [without_space(word.text) for word in words]
    ends = list(accumulate(len(each) for each in letters))
    made, start, at = [], 0, 0
    for text in texts:
        end = start + len(text)
        parts: list[tuple[GivenWord, Box | None]] = []
        for place in range(at, len(words)):
            word, its, first = words[place], letters[place], ends[place] - len(letters[place])
            if first >= end:
                break
            at = place
            low, high = max(start, first), min(end, ends[place])
            if low < high:
                box = word.box and share(word.box, (low - first) / len(its), (high - first) / len(its), its)
                parts.append((word, box))
        known = [box for _, box in parts if box is not None]
        sure = [word.confidence for word, _ in parts if word.confidence is not None]
        made.append(GivenWord(text, around(known) if known else None, min(sure) if len(sure) == len(parts) else None))
        start = end
    return made


def _text_of(element: Any, notes: Notes) -> tuple[str, float | None, list[str]]:
    """Return the text of an element with the lowest index, its confidence, and the other readings that differ."""
    found = []
    for each in element:
        if local_name(each) == "TextEquiv":
            index = number(each.get("index"))
            found.append((_LAST if index is None else index, each))
    found.sort(key=lambda each: each[0])
    if not found:
        return "", None, []
    texts = [_unicode(each) for _, each in found]
    others = [each for each in texts[1:] if each.strip() and one_space(each) != one_space(texts[0])]
    return texts[0], ratio(number(found[0][1].get("conf")), notes), list(dict.fromkeys(others))


def _unicode(equivalent: Any) -> str:
    """Return the text of a TextEquiv, its plain form where it has no other."""
    texts = {local_name(each): "".join(each.itertext()) for each in equivalent}
    return texts.get("Unicode") or texts.get("PlainText") or ""


def _glyphs(word: Any, notes: Notes) -> str:
    return "".join(_text_of(each, notes)[0].strip() for each in word if local_name(each) == "Glyph")


def _points(outline: Any) -> list[float]:
    """Return `x, y, x, y …` of an outline: an attribute since 2013, elements before."""
    if outline.get("points"):
        return numbers(outline.get("points"))
    points = [each for each in outline if local_name(each) == "Point"]
    values = [number(each.get(axis)) for each in points for axis in ("x", "y")]
    return [each for each in values if each is not None]


def _box(element: Any, notes: Notes) -> Box | None:
    """Return the upright box around an element's outline, null where it has none."""
    points = next((_points(each) for each in element if local_name(each) == "Coords"), [])
    if len(points) < 2 or len(points) % 2:
        return None
    xs, ys = points[::2], points[1::2]
    return sane_box((min(xs), min(ys), max(xs), max(ys)), notes)
