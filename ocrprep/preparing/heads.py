"""Running heads and feet: edge lines whose words repeat at a stable place over the pages of a document.

1. Mask what changes from page to page: numerals at the line's ends, digits within.
2. Gather edge lines of nearby pages that say the same under OCR noise, at the same height, in the same size of type.
3. Judge each gathering as a whole. Where a body line could repeat by chance, it is refused and its lines are flagged.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from statistics import median

from rapidfuzz.distance import Indel

from ocrprep.options import ReadingOptions
from ocrprep.preparing.edges import EdgeLine
from ocrprep.preparing.numerals import Numeral, read_numeral

LEAST_LETTERS = 4
"""Shorter texts are alike by chance: two three-letter words share two letters easily."""

SHORT_TEXT = 6
"""Texts of fewer letters must be equal: one letter slip is already a sixth of them."""

REACH = 8
"""Pages over which a text that was seen once or twice is remembered: a recto head returns after two pages, and after
four or six where plates or chapter openings come between. It keeps the search linear."""

LONG_REACH = 40
"""The same for a head seen on three pages or more: it may return after a chapter of another name."""

PLACE = 0.05
"""The share of the page's height by which a head may wander: scans of one book are cropped by hand."""

STRICT_PLACE = 0.02
"""The same for a text on two or three pages only, where chance has to be excluded by place, and for one whose other
pages hardly wander: a heading in the same words stands lower."""

WANDERING = 4
"""Median deviations within which all but a few of the pages of a wandering head stand."""

SAME_SIZE = 1.35
"""Type that is taller by this factor is another size: a box without ascenders or descenders is up to 1.3 lower."""

DISPLAY = 1.4
"""Type taller than the document's median line by this factor is a heading or a letterhead, never a running head."""

DENSITY = 0.5
"""At least this share of the pages of a running head has another one near: a title that recurs has none."""

CHANGING = 0.7
"""From this share of different numbers on, they change with the page: engines misread fewer of those that do not."""

COMPANY = 4
"""So near: every other page has a recto head, and a plate or a chapter's opening may come between."""


LIKE_WORDS = 0.6
"""Two readings of one word agree in three of five letters at least; number words do not (`one`, `two`: a third)."""

COMMON_PAIRS = 0.5
"""The share of letter pairs that two readings of one head have in common at least: at a similarity of 0.75, slips of
single letters spoil half of the pairs. Two lines of German prose have a quarter to a third in common."""


_DIVISIONS = frozenset(
    {
        "chapter", "chap", "letter", "book", "part", "section", "sect", "canto", "psalm", "hymn", "sonnet", "act",
        "scene", "number", "no", "article", "art", "lecture", "sermon", "figure", "fig", "table", "plate", "appendix",
        "question", "exhibit", "item", "kapitel", "brief", "buch", "theil", "teil", "abschnitt", "capitel", "chapitre",
        "livre", "lettre",
    }
)  # fmt: skip
_NOT_LETTERS = re.compile(r"[^\w\s]|_")
_DIGITS = re.compile(r"\d+")
HYPHENS_AT_END = ("-", "‐", "¬", "⸗")
OPEN_END = (",", ";", *HYPHENS_AT_END)


@dataclass(slots=True)
class Gathering:
    """Edge lines that say the same at one place; `similarity` is the lowest with which a line was taken in."""

    text: str
    members: list[EdgeLine] = field(default_factory=list)
    similarity: float = 1.0
    latest: str = ""

    @property
    def pages(self) -> list[int]:
        """The distinct pages, in order."""
        return sorted({member.line.page for member in self.members})


@dataclass(frozen=True, slots=True)
class Masked:
    """The words of an edge line without the numerals at its ends: their text to compare, and the numerals' words."""

    text: str
    first: Numeral | None
    last: Numeral | None


def mask(edge_line: EdgeLine) -> Masked:
    """Return what of a line may repeat, lower case, with digits as zeros."""
    words = [placed.word.text for placed in edge_line.words]
    first = read_numeral(words[0])
    words = words[1:] if first else words
    last = read_numeral(words[-1]) if words else None
    words = words[:-1] if last else words
    text = _DIGITS.sub("0", _NOT_LETTERS.sub("", " ".join(words).casefold()))
    return Masked(" ".join(text.split()), first, last)


def names_division(text: str) -> bool:
    """Say whether a masked text is only a word such as `chapter`, so that the number beside it is no folio."""
    return text in _DIVISIONS


def similarity(one: str, other: str, least: float) -> float:
    """Return how alike two masked texts are, 0 to 1: twice the matching characters by the length of both.

    What cannot reach `least` is returned as 0 without the costly comparison.
    """
    if one == other:
        return 1.0
    total = len(one) + len(other)
    if 2 * min(len(one), len(other)) < least * total or min(_letters(one), _letters(other)) < SHORT_TEXT:
        return 0.0
    pairs, others = _pairs(one), _pairs(other)
    if len(pairs & others) < COMMON_PAIRS * min(len(pairs), len(others)):
        return 0.0
    found = Indel.normalized_similarity(one, other)
    return found if _words_agree(one.split(), other.split()) else 0.0


def gather(edges: Sequence[EdgeLine], options: ReadingOptions) -> list[Gathering]:
    """Gather the edge lines that say the same at one place, those alone with their words included."""
    closed: list[Gathering] = []
    alive: dict[str, list[Gathering]] = {"top": [], "bottom": []}
    page = 0
    for edge_line in edges:
        if edge_line.line.page != page:
            page = edge_line.line.page
            for edge, gatherings in alive.items():
                closed += (each for each in gatherings if not _reaches(each, page))
                alive[edge] = [each for each in gatherings if _reaches(each, page)]
        text = mask(edge_line).text
        if _letters(text) < LEAST_LETTERS:
            continue
        best, score = _best(alive[edge_line.edge], edge_line, text, options.head_similarity)
        if best is None:
            best, score = Gathering(text), 1.0
            alive[edge_line.edge].append(best)
        best.members.append(edge_line)
        best.similarity = min(best.similarity, score)
        best.latest = text
    closed += (each for gatherings in alive.values() for each in gatherings)
    return sorted(closed, key=lambda each: each.members[0].line.span)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The lines of a gathering that are a running head or foot, or the reason why they are not."""

    members: tuple[EdgeLine, ...]
    refused: str | None


def judge(gathering: Gathering, numbered: frozenset[tuple[int, int]], options: ReadingOptions) -> Verdict:
    """Decide on a gathering as a whole.

    `numbered` are page and line number of the lines of whose row a folio of an accepted sequence is a part. Lines away
    from the others' place are left out of the verdict.
    """
    members = _at_one_place(gathering)
    pages = sorted({member.line.page for member in members})
    if len(pages) < options.repeat_pages:
        return Verdict(members, "its place on the page differs" if len(gathering.pages) > len(pages) else "it is alone")
    if median(member.height for member in members) > DISPLAY:
        return Verdict(members, "its type is that of a heading")
    if 2 * sum(member.line.text.endswith(HYPHENS_AT_END) for member in members) > len(members):
        return Verdict(members, "it ends within a word")
    if _accompanied(pages) < DENSITY:
        return Verdict(members, "too few of the pages between repeat it")
    if _counts_up(members, numbered):
        return Verdict(members, "its number changes from page to page and is no folio")
    return Verdict(members, None)


def _best(
    gatherings: Sequence[Gathering], edge_line: EdgeLine, text: str, least: float
) -> tuple[Gathering | None, float]:
    """Return the gathering that says most nearly the same, if any comes up to the least similarity."""
    best: Gathering | None = None
    score = 0.0
    for gathering in gatherings:
        last = gathering.members[-1]
        tall = max(last.height, edge_line.height) > SAME_SIZE * min(last.height, edge_line.height)
        if tall or abs(last.place[1] - edge_line.place[1]) > PLACE:
            continue
        found = max(similarity(text, said, least) for said in {gathering.text, gathering.latest})
        if found >= least and found > score:
            best, score = gathering, found
            if score == 1.0:
                break
    return best, score


def _words_agree(ones: Sequence[str], others: Sequence[str]) -> bool:
    """Say whether no word stands for an unlike one: `chapter one` and `chapter two` are not one head.

    Texts of unequally many words are not compared so: engines run words together and take them apart.
    """
    return len(ones) != len(others) or all(
        one == other or Indel.normalized_similarity(one, other) >= LIKE_WORDS
        for one, other in zip(ones, others, strict=True)
    )


def _at_one_place(gathering: Gathering) -> tuple[EdgeLine, ...]:
    height = median(member.place[1] for member in gathering.members)
    away = [abs(member.place[1] - height) for member in gathering.members]
    tolerance = STRICT_PLACE
    if len(gathering.pages) > 3:
        tolerance = min(max(WANDERING * median(away), STRICT_PLACE), PLACE)
    return tuple(member for member, far in zip(gathering.members, away, strict=True) if far <= tolerance)


def _reaches(gathering: Gathering, page: int) -> bool:
    """Say whether a gathering may still take in a line of a page."""
    reach = LONG_REACH if len(gathering.members) > 2 else REACH
    return page - gathering.members[-1].line.page <= reach


def _accompanied(pages: Sequence[int]) -> float:
    """Return the share of the pages that have another one of the list within reach."""
    gaps = [after - before for before, after in pairwise(pages)]
    near = [min(before, after) <= COMPANY for before, after in zip([math.inf, *gaps], [*gaps, math.inf], strict=True)]
    return sum(near) / len(near)


def _counts_up(members: Sequence[EdgeLine], numbered: frozenset[tuple[int, int]]) -> bool:
    """Say whether the lines carry numbers that change with the page and are no folios: numbered titles, dates.

    A number that counts the pages is a folio, wherever it stands in the line.
    """
    if any(names_division(mask(member).text) for member in members):
        return True
    values = [(member.line.page, _numbers(member)) for member in members if member.key not in numbered]
    known = [(page, value) for page, value in values if value]
    if 2 * len(known) <= len(members) or len({value for _, value in known}) <= CHANGING * len(known):
        return False
    offsets = Counter(int(each) - page for page, value in known for each in value if isinstance(each, str))
    return not offsets or max(offsets.values()) <= CHANGING * len(known)


def _numbers(member: EdgeLine) -> tuple[str | Numeral, ...]:
    """Return the numbers of a line: all digits in it, and the numerals at its ends."""
    masked = mask(member)
    return (*_DIGITS.findall(member.line.text), *(each for each in (masked.first, masked.last) if each))


@lru_cache(maxsize=4096)
def _letters(text: str) -> int:
    return sum(character.isalpha() for character in text)


@lru_cache(maxsize=4096)
def _pairs(text: str) -> frozenset[str]:
    return frozenset(text[at : at + 2] for at in range(len(text) - 1))
