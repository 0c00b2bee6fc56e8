"""Folios as a sequence: a dynamic programme over the candidates of all pages, in page order.

1. Each candidate weighs what its own appearance says. Two candidates of one series on two pages are linked by what
   their distance says: most where the value advances as the pages do, less over missing leaves, never backwards; and
   by whether they stand at one place, or at its mirror image on the other side of an opening.
2. A candidate starts a run of its own at a cost, which grows with the number of pages on which chance may find one;
   less for a series that starts again at 1 or in other numerals. A page may have no folio at no cost.
3. The best chain of candidates is found once, the cost of a leaf gap is learnt from it, and it is found again: in a
   whole book a gap is a misreading, in a window of loose leaves it is the rule.
4. Where one number a page explains little, one a leaf (two pages) and two a page (an opening) are tried.

All weights are natural logarithms of odds.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ocrprep.preparing.folio_candidates import YEARS, Candidate
from ocrprep.preparing.numerals import Numeral, Style

START = 4.6
"""What a run has to bring in a document of up to `SHORT` pages: two numbers alone on their line at one place, that
count on or nearly so, and no less."""

SHORT = 10
"""Pages of a document in which two numbers are a run."""

LONG_START = 7.0, 1.5
"""The same in a longer document, and its growth with the logarithm of the pages: numbers that agree by chance grow with
the square of the pages."""

MEMBERS = 3
"""Members of a run there, unless it says `Page` or another run has so many: two numbers agree by chance too easily."""

START_AGAIN = 0.55
"""The share of that cost for arabic numerals after roman ones, and for a run that starts again at 1 or 2."""

WEAK_START = 1.5
"""More for a run all of whose numbers stand beside words that no other page has, or are misread."""

COUNTS_ON = 3.5
"""What a value that advances as the pages do says: one number in thirty would do so by chance."""

COUNTS_ON_FADES = 0.06, 0.8, 6.0
"""What it loses for each page between, more for each where another number stands like a folio, and at most."""

STRONG = 1.5
"""A candidate of this weight stands like a folio: alone, or exactly read beside a head."""

FIRST_GAP = 0.5
"""The cost of a leaf gap before it is learnt."""

GAP_BOUNDS = 0.3, 5.0

GAP_GROWTH = 0.35, 1.2
"""The growth of that cost with the logarithm of the missing leaves, and its bound."""

MOST_MISSING = 1500
"""Leaves that may be missing between two pages of one book."""

UNNUMBERED = 2.5, 0.5
"""More where pages advance and the value does not (plates): at all, and for each page."""

GUESS_GAP = 1.5
"""More where a number on either side of a gap is only a guess: nothing checks it."""

ROMAN_GAP = 1.5
"""More between roman numerals: prefaces are short."""

UNCHECKED_GAP = 1.0
"""More for years, which go up for other reasons, and once more where the pages have no geometry: nothing checks it."""

SAME_PLACE = 0.07, 0.035, 0.06
"""Shares of the width, and of the height within which two folios stand at one place and beyond which they do not: scans
of one book are cropped by hand."""

MIRROR = 0.1
"""Share of the width within which a place is the mirror image of another."""

AT_PLACE = 0.8
"""What one place says; half of it for a place that is only nearly the same."""

OFF_PLACE = -1.5
UNMIRRORED = -0.7
"""A number beside a head on the same side of the page after an odd number of pages: folios change sides, the numbers of
chapters do not."""

WINDOW = 8
"""Pages with candidates from which a link over a gap may come; one that counts on may come from anywhere."""

MOST_CANDIDATES = 6
LEAST_WEIGHT = -2.7
"""Candidates of a page that are weighed: the heaviest by their appearance, and none that no sequence could lift."""

DENSITY = 0.25
"""A run reads a folio on at least this share of its pages."""

CLEAR = 8.0
"""What another step than one a page has to bring more."""

DENSE = 0.5, 0.8
"""The share of its pages, and of its neighbours, on which such a run must count on: a chance run does so here and
there."""

EXPLAINED = 0.7
"""Where one number a page counts on over so many of the pages, no other step is tried."""

STEPS = (0.5, 2.0)
"""One number a leaf, and two a page."""


@dataclass(frozen=True, slots=True)
class Link:
    """What two neighbouring members say for each other, and the leaves missing between them (null: none counted)."""

    weight: float
    gap: int


@dataclass(frozen=True, slots=True)
class FolioRun:
    """A run of folios: one member on each page that has one, in page order, and the numbers that a page advances."""

    members: tuple[Candidate, ...]
    links: tuple[Link, ...]
    step: float = 1.0

    @property
    def pages(self) -> range:
        """All pages from the first member to the last."""
        return range(self.members[0].page, self.members[-1].page + 1)

    @property
    def style(self) -> Style:
        """The numerals of the run."""
        return self.members[0].numeral.style

    def at(self, page: int) -> int:
        """Return the index of the first member on a page or after it."""
        return bisect_left(self.members, page, key=_page)

    def numeral(self, page: int) -> Numeral | None:
        """Return the number that a page inside the run has: the member's, or the one that the members around it fix.

        Null across missing leaves, where any number is a guess.
        """
        at = self.at(page)
        if at == len(self.members):
            return None
        after = self.members[at]
        if after.page == page:
            return after.numeral
        if at == 0 or self.links[at - 1].gap or self.step != 1:
            return None
        before = self.members[at - 1]
        return before.numeral._replace(value=before.value + page - before.page)


def sequences(found: Iterable[Candidate], page_count: int) -> list[FolioRun]:
    """Return the runs of folios of a document in page order, no two over the same page."""
    pages = _by_page(found)
    best = _runs(pages, page_count, 1.0)
    if sum(not link.gap for run in best[0] for link in run.links) < EXPLAINED * len(pages):
        for step in STEPS:
            other = _runs(pages, page_count, step)
            if other[1] > best[1] + CLEAR and all(map(_is_dense, other[0])):
                best = other
    return best[0]


def _runs(pages: Sequence[Sequence[Candidate]], page_count: int, step: float) -> tuple[list[FolioRun], float]:
    """Return the runs at a step, and what they weigh together."""
    strong = [each[0].page for each in pages if each[0].weight >= STRONG]
    has_suffixes = any(candidate.numeral.suffix for each in pages for candidate in each)
    search = _Search(page_count, step, FIRST_GAP, strong, has_suffixes)
    chain, _ = search.chain(pages)
    search = _Search(page_count, step, _learnt_gap(chain), strong, has_suffixes)
    chain, weight = search.chain(pages)
    established = page_count <= SHORT or any(len(run) >= MEMBERS for run in chain)
    runs = [
        FolioRun(tuple(run), tuple(search.link(one, other) or Link(0.0, 0) for one, other in pairwise(run)), step)
        for run in chain
        if _is_run(run, established)
    ]
    return runs, weight


def _is_run(run: Sequence[Candidate], established: bool) -> bool:
    """Say whether a run has enough members, for themselves and for the pages that it spans."""
    least = 2 if established or all(each.phrase for each in run) else MEMBERS
    return len(run) >= max(least, DENSITY * (run[-1].page - run[0].page + 1))


def _is_dense(run: FolioRun) -> bool:
    """Say whether a run of another step counts on nearly everywhere and on most of the pages that it should."""
    counting = sum(not link.gap for link in run.links)
    expected = len(run.pages) * min(run.step, 1.0)
    return len(run.members) >= DENSE[0] * expected and counting >= DENSE[1] * len(run.links)


def _learnt_gap(chain: Sequence[Sequence[Candidate]]) -> float:
    """Return the cost of a leaf gap by the share of the neighbours that have one between them."""
    advances = [(other.value - one.value) - (other.page - one.page) for run in chain for one, other in pairwise(run)]
    if not advances:
        return FIRST_GAP
    least, most = GAP_BOUNDS
    share = (sum(map(bool, advances)) + 0.5) / (len(advances) + 1)
    return min(max(-math.log(share), least), most)


@dataclass(slots=True)
class _State:
    """The best chain that ends with a candidate: its weight, the state before it, whether it starts a run, and whether
    all of that run so far is weak."""

    candidate: Candidate
    weight: float
    before: _State | None
    starts: bool
    weak: bool
    value: int
    series: tuple[Style, str]


@dataclass(frozen=True, slots=True)
class _Search:
    page_count: int
    step: float
    gap: float
    strong: Sequence[int]
    """The pages on which something stands like a folio."""
    has_suffixes: bool
    """Whether any number has a letter after it, so that one may count on without its value."""

    def chain(self, pages: Sequence[Sequence[Candidate]]) -> tuple[list[list[Candidate]], float]:
        """Return the members of the best chain, run by run, and its weight."""
        recent: deque[list[_State]] = deque(maxlen=WINDOW)
        counting: dict[tuple[tuple[Style, str], float], _State] = {}
        best: _State | None = None
        for candidates in pages:
            heaviest = sorted((state for states in recent for state in states), key=_weight, reverse=True)
            states = [self._state(candidate, heaviest, counting, best) for candidate in candidates]
            recent.append(states)
            for state in states:
                key = self._key(state.candidate)
                # A nearer one is worth more than a little weight: less speaks against it on the pages between.
                if key not in counting or state.weight >= counting[key].weight - AT_PLACE:
                    counting[key] = state
                if best is None or state.weight > best.weight:
                    best = state
        if best is None or best.weight <= 0:
            return [], 0.0
        return _unwound(best), best.weight

    def link(self, one: Candidate, other: Candidate) -> Link | None:
        """Return what two candidates on two pages say for each other; null where they are no neighbours in a run."""
        if one.numeral.series != other.numeral.series:
            return None
        pages, values = other.page - one.page, other.value - one.value
        place = _place(one, other)
        inserted = values == 0 and one.numeral.suffix < other.numeral.suffix
        if (values == self.step * pages and one.numeral.suffix == other.numeral.suffix) or (inserted and pages == 1):
            return Link(COUNTS_ON - self._faded(one.page, other.page) + place, 0)
        if one.numeral.suffix != other.numeral.suffix and values == pages == 1:
            return Link(COUNTS_ON + place, 0)
        if values <= 0:
            return None
        missing = round(values - self.step * pages)
        if missing > MOST_MISSING:
            return None
        growth, most = GAP_GROWTH
        cost = self.gap
        if missing > 0:
            cost += min(growth * math.log(missing), most)
        elif missing < 0:
            cost += UNNUMBERED[0] - UNNUMBERED[1] * missing
        cost += GUESS_GAP * (one.reading == "guess" or other.reading == "guess")
        cost += ROMAN_GAP * (one.numeral.style != "arabic")
        cost += UNCHECKED_GAP * (other.value in YEARS[0]) + UNCHECKED_GAP * (not other.has_place)
        return Link(place - cost, missing or 1)

    def _faded(self, page: int, other: int) -> float:
        """Return what counting on loses over the pages between two members."""
        each, otherwise, most = COUNTS_ON_FADES
        strong = bisect_left(self.strong, other) - bisect_right(self.strong, page)
        return min(each * (other - page - 1) + otherwise * strong, most)

    def _state(
        self,
        candidate: Candidate,
        heaviest: Sequence[_State],
        counting: Mapping[tuple[tuple[Style, str], float], _State],
        best: _State | None,
    ) -> _State:
        weight, before, starts = self._start(candidate, best)
        value, series = candidate.value, candidate.numeral.series
        far = counting.get(self._key(candidate))
        # Those that count on first: over a gap nothing weighs more than the place, so that most need no look.
        most = AT_PLACE + WEAK_START + (COUNTS_ON if self.has_suffixes else 0.0)
        for state in (*(() if far is None else (far,)), *heaviest):
            if state is not far and state.weight + most <= weight:
                break
            if state.value > value or state.series != series:
                continue
            link = self.link(state.candidate, candidate)
            # The price of a weak run is given back with its first member that is not.
            held = state.weight + WEAK_START * (state.weak and not candidate.weak)
            if link is not None and held + link.weight > weight:
                weight, before, starts = held + link.weight, state, False
        weak = candidate.weak and (starts or before is None or before.weak)
        return _State(candidate, weight + candidate.weight, before, starts, weak, value, series)

    def _start(self, candidate: Candidate, best: _State | None) -> tuple[float, _State | None, bool]:
        """Return the weight of a run that starts here, after the best chain so far if there is a good one."""
        cost = self.start_cost + WEAK_START * candidate.weak
        if best is None or best.weight <= 0:
            return -cost, None, True
        after_roman = candidate.numeral.style == "arabic" != best.candidate.numeral.style
        again = START_AGAIN if after_roman or candidate.value <= 2 else 1.0
        return best.weight - again * cost, best, True

    @property
    def start_cost(self) -> float:
        """The cost of a run that starts."""
        cost, growth = LONG_START
        return START if self.page_count <= SHORT else cost + growth * math.log(self.page_count / SHORT)

    def _key(self, candidate: Candidate) -> tuple[tuple[Style, str], float]:
        return candidate.numeral.series, candidate.value - self.step * candidate.page


def _weight(state: _State) -> float:
    return state.weight


def _unwound(last: _State) -> list[list[Candidate]]:
    runs: list[list[Candidate]] = [[]]
    state: _State | None = last
    while state is not None:
        runs[-1].append(state.candidate)
        if state.starts:
            runs.append([])
        state = state.before
    return [run[::-1] for run in reversed(runs) if run]


def _place(one: Candidate, other: Candidate) -> float:
    """Return what the places of two candidates on their pages say for one sequence; nothing without geometry."""
    (x, y), (other_x, other_y) = one.place, other.place
    if one.edge_line.edge != other.edge_line.edge:
        return OFF_PLACE
    if not (one.has_place and other.has_place):
        return 0.0
    across, near, far = SAME_PLACE
    if abs(y - other_y) > far:
        return OFF_PLACE
    share = AT_PLACE if abs(y - other_y) <= near else AT_PLACE / 2
    same, mirrored = abs(x - other_x) <= across, abs(x + other_x - 1) <= MIRROR
    if (other.value - one.value) % 2 == 0:
        return share if same else OFF_PLACE
    if mirrored or (same and one.alone and other.alone):
        return share
    return UNMIRRORED if same else OFF_PLACE


def _by_page(found: Iterable[Candidate]) -> list[list[Candidate]]:
    """Return the candidates page by page, the heaviest first and no more than are weighed."""
    pages: dict[int, list[Candidate]] = {}
    for candidate in found:
        if candidate.weight >= LEAST_WEIGHT:
            pages.setdefault(candidate.page, []).append(candidate)
    return [
        sorted(pages[page], key=lambda each: (-each.weight, each.edge_line.row, each.words))[:MOST_CANDIDATES]
        for page in sorted(pages)
    ]


def _page(candidate: Candidate) -> int:
    return candidate.page
