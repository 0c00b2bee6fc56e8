"""Folios: the printed page numbers, believed only as members of a sequence that counts one a page.

1. Candidates: a number alone on an edge line, `Page 3 of 8`, or a number at an end of a line that may be a head.
2. Candidates with the same series and the same difference from the scan's number vote together. A run of them is a
   sequence when it has enough members, near enough to each other.
3. The longest sequences win the pages over which two compete. Pages inside a sequence without a readable number get
   their value from it; what stands alone at the folio's place there was misread. Nothing is inferred beyond its ends.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from ocrprep.preparing.edges import EdgeLine
from ocrprep.preparing.heads import mask, names_division
from ocrprep.preparing.numerals import (
    Numeral,
    Style,
    gives_total,
    guess_numerals,
    is_between_dashes,
    looks_like,
    read_numeral,
    read_page_phrase,
    spell,
)
from ocrprep.reading import Folio
from ocrprep.spans import Span

LEAST_MEMBERS = 2
"""Two pages that count on are a sequence in a document of up to `SHORT_DOCUMENT` pages, for `Page 3`, and for small
roman numerals, which hardly stand alone on a page for another reason."""

MEMBERS = 3
"""A number on a page of a longer document may be a plate's, a table's or a poem's, and one beside a running head the
chapter's: two agree by chance too easily when hundreds of pairs of pages are tried (Kant 1781: four false pairs)."""

WEAK_MEMBERS = 4
"""Numbers that stand beside words which no other page has agree by chance more easily: they need one more, unless a
number alone or beside a repeating head is among them."""

SHORT_DOCUMENT = 3
"""Pages of a document in which two members are enough."""

GAP = 8
"""Pages without a readable folio that a sequence may cross: the plates or the opening of a part."""

DENSITY = 0.25
"""A sequence reads a folio on at least this share of its pages."""

SAME_PLACE = (0.12, 0.05)
"""Shares of the page's width and height within which a misread folio stands from one that was read."""

MISREAD_LENGTH = 2
"""A misread folio has at most so many characters more than the number has: specks are read as marks beside it."""

NEIGHBOURS = 3
"""How many members on each side are listed as evidence; a whole sequence on every page would be quadratic."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text at the edge of a page that may be its folio: the words' span, and the number that they read as.

    `place` is its centre as shares of the page's size; `alone`: nothing else stands on the line; `phrase`: it says
    `Page` before the number; `weak`: the words beside it stand on no other page, or it is only what the text may be
    misread from.
    """

    edge_line: EdgeLine
    words: Span
    text: str
    numeral: Numeral
    place: tuple[float, float]
    alone: bool
    phrase: bool = False
    weak: bool = False

    @property
    def page(self) -> int:
        """The page on which it stands."""
        return self.edge_line.line.page


@dataclass(frozen=True, slots=True)
class FoundFolio:
    """A folio as decided: its record, the evidence, and the words that are it, null where no words stand for it."""

    page: int
    folio: Folio
    evidence: Mapping[str, Any]
    edge_line: EdgeLine | None
    words: Span | None


def candidates(
    edges: Iterable[EdgeLine], repeating: frozenset[tuple[int, int]], headlike: frozenset[tuple[int, int]]
) -> Iterator[Candidate]:
    """Yield what may be a folio.

    `repeating` are page and number of the lines whose words repeat on other pages, `headlike` of those that only look
    like a head: short, outermost, set off.
    """
    for edge_line in edges:
        text, span, place = edge_line.line.text, edge_line.line.span, edge_line.place
        if numeral := read_numeral(text):
            yield Candidate(edge_line, span, text, numeral, place, alone=True)
        elif numeral := read_page_phrase(text):
            yield Candidate(edge_line, span, text, numeral, place, alone=True, phrase=True)
        elif edge_line.key in repeating or edge_line.key in headlike:
            masked = mask(edge_line)
            if names_division(masked.text):
                continue
            for read, placed in ((masked.first, edge_line.words[0]), (masked.last, edge_line.words[-1])):
                there, word = edge_line.share(placed.word.box), placed.word.text
                weak = edge_line.key not in repeating
                if read:
                    yield Candidate(edge_line, placed.span, word, read, there, alone=False, weak=weak)
                for guess in () if read else guess_numerals(word):
                    yield Candidate(edge_line, placed.span, word, guess, there, alone=False, weak=True)


@dataclass(frozen=True, slots=True)
class FolioRun:
    """A run of folios: the series, the difference between folio and page, and one member on each page that has one."""

    style: Style
    offset: int
    members: tuple[Candidate, ...]

    @property
    def pages(self) -> range:
        """All pages from the first member to the last."""
        return range(self.members[0].page, self.members[-1].page + 1)

    def numeral(self, page: int) -> Numeral:
        """Return the number that the sequence has for a page."""
        return Numeral(self.style, page + self.offset)


def sequences(found: Iterable[Candidate], page_count: int) -> list[FolioRun]:
    """Return the sequences of the document in page order, no two over the same page."""
    voting: dict[tuple[Style, int], list[Candidate]] = defaultdict(list)
    for candidate in found:
        voting[candidate.numeral.style, candidate.numeral.value - candidate.page].append(candidate)
    runs = [
        FolioRun(style, offset, run)
        for (style, offset), votes in voting.items()
        for run in _runs(votes)
        if _is_sequence(run, page_count)
    ]
    # The longest first; equal lengths by page, so that the choice never hangs on the order of a dictionary.
    runs.sort(key=lambda run: (-len(run.members), run.members[0].page, run.style, run.offset))
    claimed: set[int] = set()
    taken: list[FolioRun] = []
    for run in runs:
        if claimed.isdisjoint(run.pages):
            claimed.update(run.pages)
            taken.append(run)
    taken.sort(key=lambda run: run.members[0].page)
    return _merged(taken)


def folios_of(runs: Iterable[FolioRun], edges: Sequence[EdgeLine]) -> list[FoundFolio]:
    """Return the folio of every page inside a sequence: as read, as misread, or inferred without any words."""
    on_page: dict[int, list[EdgeLine]] = defaultdict(list)
    for edge_line in edges:
        on_page[edge_line.line.page].append(edge_line)
    return [_folio(run, page, on_page[page]) for run in runs for page in run.pages]


def self_evident(candidate: Candidate) -> FoundFolio | None:
    """Return a folio that needs no sequence; else null.

    It gives the number of pages too (`Page 1 of 1`), or it stands between dashes and is the scan's own number, as on
    the second leaf of a letter whose first has none (`- 2 -`).
    """
    if candidate.phrase and gives_total(candidate.text):
        pattern = "page_of_pages"
    elif candidate.alone and is_between_dashes(candidate.text) and candidate.numeral.value == candidate.page > 1:
        pattern = "counts_scans"
    else:
        return None
    folio = Folio(candidate.text, spell(candidate.numeral), inferred=False)
    return FoundFolio(candidate.page, folio, {"pattern": pattern}, candidate.edge_line, candidate.words)


def _folio(run: FolioRun, page: int, lines: Sequence[EdgeLine]) -> FoundFolio:
    numeral = run.numeral(page)
    evidence = _evidence(run, page)
    at = bisect_left(run.members, page, key=_page)
    member = run.members[at]
    if member.page == page:
        was_read = read_numeral(member.text) or read_page_phrase(member.text)
        folio = Folio(member.text, spell(numeral), inferred=was_read != numeral)
        return FoundFolio(page, folio, evidence, member.edge_line, member.words)
    beside = _beside_head(run, numeral, lines)
    if beside is not None:
        edge_line, words, text = beside
        return FoundFolio(page, Folio(text, spell(numeral), inferred=False), evidence, edge_line, words)
    misread = _misread(run, numeral, lines)
    if misread is None:
        return FoundFolio(page, Folio(None, spell(numeral), inferred=True), evidence, None, None)
    edge_line, words, text = misread
    folio = Folio(text, spell(numeral), inferred=True)
    return FoundFolio(page, folio, {**evidence, "read": text, "expected": spell(numeral)}, edge_line, words)


def _beside_head(run: FolioRun, numeral: Numeral, lines: Sequence[EdgeLine]) -> tuple[EdgeLine, Span, str] | None:
    """Return the expected number at an end of an outermost line, at the folios' place or at its mirror image: the head
    of a page whose words stand on no other page."""
    near = _near(run, numeral.value - run.offset)
    for edge_line in lines:
        for placed in (
            (edge_line.words[0], edge_line.words[-1]) if edge_line.row == 0 and len(edge_line.words) > 1 else ()
        ):
            x, y = edge_line.share(placed.word.box)
            if read_numeral(placed.word.text) == numeral and (
                _is_at_place(near, (x, y)) or _is_at_place(near, (1 - x, y))
            ):
                return edge_line, placed.span, placed.word.text
    return None


def _misread(run: FolioRun, numeral: Numeral, lines: Sequence[EdgeLine]) -> tuple[EdgeLine, Span, str] | None:
    """Return the text that stands where the folio must stand: a look-alike first, else what stands alone there."""
    near = _near(run, numeral.value - run.offset)
    longest = len(spell(numeral)) + MISREAD_LENGTH
    at_place = [
        each
        for each in lines
        if len(each.words) == 1 and len(each.line.text) <= longest and _is_at_place(near, each.place)
    ]
    for edge_line in at_place:
        if looks_like(edge_line.line.text, numeral):
            return edge_line, edge_line.line.span, edge_line.line.text
    # Two such texts at one place: which is the folio would be a guess.
    if len(at_place) != 1:
        return None
    return at_place[0], at_place[0].line.span, at_place[0].line.text


def _is_at_place(members: Sequence[Candidate], place: tuple[float, float]) -> bool:
    return any(
        abs(member.place[0] - place[0]) <= SAME_PLACE[0] and abs(member.place[1] - place[1]) <= SAME_PLACE[1]
        for member in members
    )


def _near(run: FolioRun, page: int) -> Sequence[Candidate]:
    """Return the members around a page."""
    at = bisect_left(run.members, page, key=_page)
    return run.members[max(at - NEIGHBOURS, 0) : at + NEIGHBOURS + 1]


def _page(candidate: Candidate) -> int:
    return candidate.page


def _runs(votes: Sequence[Candidate]) -> Iterator[tuple[Candidate, ...]]:
    """Cut candidates that agree into runs without a long gap, one candidate a page: the one nearest the edge."""
    by_page: dict[int, Candidate] = {}
    for candidate in votes:
        held = by_page.get(candidate.page)
        if held is None or candidate.edge_line.row < held.edge_line.row:
            by_page[candidate.page] = candidate
    run: list[Candidate] = []
    for page in sorted(by_page):
        if run and page - run[-1].page > GAP:
            yield tuple(run)
            run = []
        run.append(by_page[page])
    if run:
        yield tuple(run)


def _is_sequence(run: Sequence[Candidate], page_count: int) -> bool:
    span = run[-1].page - run[0].page + 1
    if not any(after.page - before.page <= 2 for before, after in pairwise(run)) or len(run) < DENSITY * span:
        return False
    sure = all(each.phrase or (each.alone and each.numeral.style == "roman") for each in run)
    if all(each.weak for each in run):
        return len(run) >= WEAK_MEMBERS
    return len(run) >= (LEAST_MEMBERS if sure or page_count <= SHORT_DOCUMENT else MEMBERS)


def _merged(runs: Sequence[FolioRun]) -> list[FolioRun]:
    """Join neighbouring runs of one series and offset: nothing between them speaks against counting on."""
    merged: list[FolioRun] = []
    for run in runs:
        last = merged[-1] if merged else None
        if last and (last.style, last.offset) == (run.style, run.offset):
            merged[-1] = replace(last, members=(*last.members, *run.members))
        else:
            merged.append(run)
    return merged


def _evidence(run: FolioRun, page: int) -> dict[str, Any]:
    """Return the nearest members of the sequence, its length, and its difference from the scan's number."""
    return {
        "sequence": [{"page": member.page, "value": spell(member.numeral)} for member in _near(run, page)],
        "members": len(run.members),
        "style": "arabic" if run.style == "arabic" else "roman",
        "offset": run.offset,
    }
