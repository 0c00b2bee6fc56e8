"""What speaks for a printed row at a page's edge being a running head or foot: named features, measured, not judged.

1. Gather the lines at an edge into printed rows, and look at the row alone: its type, its place in the measure, its
   words.
2. Look at its neighbours: the white space to the next row, whether a sentence runs past it to the page before or after.
3. Look at the document: on how many pages the same words stand at this place, and how many pages have a head at all.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import NamedTuple

from ocrprep.preparing.edges import EDGES, Edge, EdgeLine, PageSetting, letter_height
from ocrprep.preparing.folios import FoundFolio
from ocrprep.preparing.heads import HYPHENS_AT_END
from ocrprep.preparing.numerals import read_numeral
from ocrprep.preparing.removals import Key
from ocrprep.representation import PlacedWord

OPEN = ("-", "‐", "¬", "⸗", "=", ",", ";")
"""A line that ends so is no head: its sentence goes on."""

_FINAL = ".!?:…"
_CLOSERS = "\"'”’»«“‘)]}›‹*†"

SET_OFF = 0.25
"""Distances of rows, beyond the usual one, that set a head off from the text."""

WIDE_GAP = 6.0
"""Ems of white space within a row that say all that can be said: a folio stands apart from its head."""

NEAR_PAGES = 4
"""Pages on each side among which the same words are looked for."""

Features = Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Row:
    """A printed row in the outer zone of a page: `number` counts from the outermost, 0-based; words from left to right.

    `strays` are lines beside it that are no part of it.
    """

    page: int
    edge: Edge
    number: int
    lines: tuple[EdgeLine, ...]
    strays: tuple[EdgeLine, ...]

    @cached_property
    def words(self) -> tuple[PlacedWord, ...]:
        """The words of the row that have a letter, a digit or a section mark."""
        every = [placed for each in self.lines for placed in each.words]
        real = [placed for placed in every if any(each.isalnum() or each == "§" for each in placed.word.text)]
        return tuple(real if len(self.lines) == 1 else sorted(real, key=lambda placed: placed.word.box.x0))

    @cached_property
    def text(self) -> str:
        """The text of the row."""
        return " ".join(placed.word.text for placed in self.words)

    @cached_property
    def middle(self) -> float:
        """The height at which most of its words stand, in the unit of the page."""
        return median(placed.word.box.centre[1] for placed in self.words)

    @cached_property
    def letters(self) -> float:
        """The usual height of its words, in the unit of the page."""
        return letter_height(self.words)

    @property
    def context(self) -> bool:
        """Whether the row is no edge row any more, but only what one is compared with."""
        return all(each.context for each in self.lines)

    @property
    def place(self) -> float:
        """The height of its middle as a share of the page's."""
        return median(each.place[1] for each in self.lines)


class Side(NamedTuple):
    """One edge of one page."""

    page: int
    edge: Edge


def rows_of(edges: Sequence[EdgeLine]) -> dict[Side, list[Row]]:
    """Gather edge lines into rows, from the outermost inwards at each edge of each page."""
    gathered: dict[Side, dict[int, list[EdgeLine]]] = defaultdict(lambda: defaultdict(list))
    for each in edges:
        gathered[Side(each.line.page, each.edge)][each.row].append(each)
    return {
        side: [
            Row(
                side.page,
                side.edge,
                number,
                tuple(each for each in lines if not each.stray),
                tuple(each for each in lines if each.stray),
            )
            for number, lines in sorted(numbered.items())
        ]
        for side, numbered in gathered.items()
    }


@dataclass(frozen=True, slots=True)
class Shared:
    """What is known of single lines over the whole document.

    `alike` are, for a line, the pages on which a line says the same at the same edge; `refused` the lines that repeat
    but cannot be a head; `folios` the folios by line; `lone` the lines that are a number and no folio; `line_length`
    how many characters a line usually has.
    """

    alike: Mapping[Key, Sequence[int]]
    refused: frozenset[Key]
    folios: Mapping[Key, FoundFolio]
    lone: frozenset[Key]
    line_length: float


@dataclass(frozen=True, slots=True)
class Document:
    """What the features of one row need of all others; `tops` is where the outermost rows of an edge usually stand."""

    rows: Mapping[Side, Sequence[Row]]
    settings: Sequence[PageSetting]
    shared: Shared
    tops: Mapping[Edge, float]

    @property
    def folios(self) -> Mapping[Key, FoundFolio]:
        """The folios by line."""
        return self.shared.folios

    @property
    def lone(self) -> frozenset[Key]:
        """The lines that are nothing but a number, and no folio."""
        return self.shared.lone

    def setting(self, row: Row) -> PageSetting:
        """Return how the page of a row is set."""
        return self.settings[row.page - 1]

    def inner(self, row: Row) -> Row | None:
        """Return the next row inwards, where the zone has one."""
        rows = self.rows[Side(row.page, row.edge)]
        return rows[row.number + 1] if row.number + 1 < len(rows) else None


def document_of(rows: Mapping[Side, Sequence[Row]], settings: Sequence[PageSetting], shared: Shared) -> Document:
    """Return what the features of all rows share."""
    tops: dict[Edge, float] = {}
    for edge in EDGES:
        outermost = [found[0].place for side, found in rows.items() if side.edge == edge and found and found[0].words]
        tops[edge] = median(outermost) if outermost else 0.0
    return Document(rows, settings, shared, tops)


def row_features(document: Document, row: Row) -> dict[str, float]:
    """Return the features of a row that do not hang on what other rows turn out to be, each about -1 to 2."""
    setting = document.setting(row)
    inner = document.inner(row)
    features = {
        "outermost": float(row.number == 0),
        "bottom": float(row.edge == "bottom"),
        **_of_words(row, document),
        **_of_sentence(row, inner, document),
        **_of_repetition(row, document),
    }
    if setting.geometric:
        features.update(_of_type(row, inner, setting))
        features.update(_of_page(row, setting, document))
    else:
        features["short"] = _clip(1 - len(row.text) / document.shared.line_length, -0.5, 1.0)
        if inner is not None and inner.words:
            features["short_inside"] = _clip(1 - len(inner.text) / document.shared.line_length, 0.0, 1.0)
    goes_on = features["open_end"] > 0 or (features["lower_start"] > 0 and features.get("full", 0.0) > 0)
    features["unheld"] = float(_is_unheld(features) and goes_on)
    return {name: round(value, 4) for name, value in features.items()}


def _is_unheld(features: Features) -> bool:
    """Say whether nothing but its place speaks for a row: no other page repeats it, and no number stands in it."""
    return not (features["repeats"] or features["folio"] or features["number_at_end"])


def _of_words(row: Row, document: Document) -> dict[str, float]:
    """Look at the words: how many, in capitals, with a number at an end."""
    words = [placed.word.text for placed in row.words]
    letters = [character for word in words for character in word if character.isalpha()]
    numbers = [word for word in (words[0], words[-1]) if _may_be_number(word)]
    folio = any(each.key in document.folios for each in row.lines)
    return {
        "few_words": 1 / (1 + max(len(words) - 1, 0) / 3),
        "capitals": sum(map(str.isupper, letters)) / len(letters) if letters else 0.5,
        "no_letters": float(len(letters) < 3),
        "number_at_end": float(bool(numbers)),
        "folio": float(folio),
    }


def _of_type(row: Row, inner: Row | None, setting: PageSetting) -> dict[str, float]:
    """Look at the type and at the white around it."""
    measure = max(setting.right - setting.left, setting.em)
    left = (row.words[0].word.box.x0 - setting.left) / measure
    right = (setting.right - max(placed.word.box.x1 for placed in row.words)) / measure
    size = row.letters / setting.letters
    gap = 0.0 if inner is None or not inner.words else space_between(row, inner, setting)
    between = [after.word.box.x0 - before.word.box.x1 for before, after in zip(row.words, row.words[1:], strict=False)]
    return {
        "gap": _clip(gap, -0.5, 1.5),
        "set_off": float(gap > SET_OFF),
        "small": _clip(1 - size, -0.2, 0.4),
        "tall": _clip(size - 1.2, 0.0, 1.0),
        "free": _clip(left, 0.0, 0.5) + _clip(right, 0.0, 0.5),
        "centred": float(left > 0.06 and right > 0.06 and abs(left - right) < 0.12),
        "full": float(left < 0.04 and right < 0.04),
        "apart": _clip(max(between, default=0.0) / setting.em, 0.0, WIDE_GAP) / WIDE_GAP,
    }


def _of_sentence(row: Row, inner: Row | None, document: Document) -> dict[str, float]:
    """Look at the sentence: does it end in the row, or run past it?"""
    first, last = row.words[0].word.text, row.words[-1].word.text
    inward = inner.text if inner is not None and inner.words else ""
    features = {
        "open_end": float(last.endswith(OPEN)),
        "final_end": float(last.rstrip(_CLOSERS).endswith(tuple(_FINAL))),
        "lower_start": float(_first_letter(first).islower()),
    }
    if row.edge == "top":
        past = _first_letter(inward).islower() and not last.endswith(OPEN)
        carried = _before_is_open(row, document)
        features["runs_in"] = features["lower_start"] * carried
    else:
        past = is_open(inward) and not features["lower_start"]
        carried = _after_is_lower(row, document)
        features["runs_in"] = float(is_open(last)) * carried
    features["runs_past"] = past * (0.5 + 0.5 * carried)
    features["word_past"] = float(past and carried > 0 and _is_cut(row, inward, document))
    return features


def _before_is_open(row: Row, document: Document) -> float:
    """Say whether a row of the foot of the page before ends within a sentence: 1 if its last row does."""
    rows = document.rows.get(Side(row.page - 1, "bottom"), ())
    return max((1 - 0.25 * each.number for each in rows if each.words and is_open(each.text)), default=0.0)


def _is_cut(row: Row, inward: str, document: Document) -> bool:
    """Say whether a word is cut by the page's end, beyond this row: a hyphen ends the text of one of the two pages."""
    if row.edge == "bottom":
        return inward.endswith(HYPHENS_AT_END)
    rows = document.rows.get(Side(row.page - 1, "bottom"), ())
    return any(each.words and each.text.endswith(HYPHENS_AT_END) and len(each.words) > 2 for each in rows)


def _after_is_lower(row: Row, document: Document) -> float:
    """Say whether a row of the head of the next page begins in small letters: 1 if its first row does."""
    rows = document.rows.get(Side(row.page + 1, "top"), ())
    return max(
        (1 - 0.25 * each.number for each in rows if each.words and _first_letter(each.text).islower()), default=0.0
    )


def _of_repetition(row: Row, document: Document) -> dict[str, float]:
    """Look at the other pages: how many say the same, how many of those nearby, and whether this page is the first.

    The first is often the title from which the head has its words.
    """
    pages = max((document.shared.alike.get(each.key, ()) for each in row.lines), key=len, default=())
    others = [page for page in pages if page != row.page]
    near = [page for page in others if abs(page - row.page) <= NEAR_PAGES]
    around = min(row.page + NEAR_PAGES, len(document.settings)) - max(row.page - NEAR_PAGES, 1)
    return {
        "repeats": _clip(math.log1p(len(others)) / math.log(10), 0.0, 1.5),
        "repeats_near": len(near) / max(around, 1),
        "first": float(bool(others) and min(others) > row.page),
        "refused": float(any(each.key in document.shared.refused for each in row.lines)),
    }


def _of_page(row: Row, setting: PageSetting, document: Document) -> dict[str, float]:
    """Look at the page: where it begins against the others, and how many rows it has."""
    height = setting.height
    away = (row.place - document.tops[row.edge]) * height / setting.pitch
    inwards = away if row.edge == "top" else -away
    return {
        "inwards": _clip(inwards, 0.0, 4.0) / 4,
        "outwards": _clip(-inwards, 0.0, 4.0) / 4,
        "few_rows": float(setting.rows <= 8),
        "ragged": setting.ragged,
    }


def space_between(row: Row, inner: Row, setting: PageSetting) -> float:
    """Return the white space between two rows beyond the page's usual, in distances of rows."""
    return abs(inner.middle - row.middle) / setting.pitch - 1


def is_parted(row: Row, inner: Row, setting: PageSetting) -> bool:
    """Say whether white space parts a row from the next one inwards."""
    return space_between(row, inner, setting) > SET_OFF


def is_open(text: str) -> bool:
    """Say whether a text ends within a sentence: with a letter, a comma, or a hyphen."""
    bare = text.rstrip(_CLOSERS + " ")
    return bool(bare) and not bare.endswith(tuple(_FINAL)) and not bare[-1].isdigit()


def _may_be_number(word: str) -> bool:
    return any(map(str.isdigit, word)) or (len(word) > 1 and read_numeral(word) is not None)


def _first_letter(text: str) -> str:
    return next((character for character in text if character.isalnum()), "")


def _clip(value: float, least: float, most: float) -> float:
    return min(max(value, least), most)
