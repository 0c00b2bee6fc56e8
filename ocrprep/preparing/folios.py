"""Folios: the printed page numbers, believed only as members of a sequence.

1. What may be a folio is found on each page by itself (`folio_candidates`), and the sequence over all pages chooses at
   most one a page (`folio_sequence`).
2. Pages between two members that count on get their value from them: what stands at the folio's place there was
   misread. Across missing leaves, and beyond a run's ends, nothing is inferred.
3. There, a number at the place of the folios around it is still no text: it is a folio of the value that it reads as,
   if that fits between its neighbours, else of unknown value.
4. A few patterns need no sequence, such as `Page 1 of 1`.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ocrprep.preparing.edges import EdgeLine
from ocrprep.preparing.folio_candidates import (
    Candidate,
    NumberText,
    candidates,
    is_numberlike,
    standing_texts,
)
from ocrprep.preparing.folio_sequence import AT_PLACE, COUNTS_ON, FolioRun, sequences
from ocrprep.preparing.numerals import (
    Numeral,
    gives_total,
    is_between_dashes,
    looks_like,
    read_numeral,
    read_page_phrase,
    spell,
)
from ocrprep.preparing.removals import Key
from ocrprep.reading import Folio
from ocrprep.spans import Span

__all__ = [
    "Candidate",
    "FolioRun",
    "FoundFolio",
    "candidates",
    "find_folios",
    "folios_of",
    "lone_numbers",
    "self_evident",
    "sequences",
]

SAME_PLACE = (0.08, 0.05)
"""Shares of the page's width and height within which a misread folio stands from one that was read."""

JUST_THERE = (0.05, 0.02)
"""The same where nothing else shows that it is no text: less than the distance of two rows."""

MISREAD_LENGTH = 2
"""A misread folio has at most so many characters more than the number has: specks are read as marks beside it."""

LONGEST_UNKNOWN = 5
"""Characters of a folio of unknown value at most: four digits and a speck."""

NEIGHBOURS = 3
"""How many members on each side are listed as evidence; a whole sequence on every page would be quadratic."""

REACH = 12
"""Pages from a run's members within which a number at their place is taken for a folio of unknown value."""

ESTABLISHED = 4
"""Members of a run whose place is known well enough for that."""

UNFIXED_SCORE = 1.0
MISREAD_SCORE = 2.5
"""What a text at the folio's place scores without being read as it, by itself and between members that count on."""

NO_NUMBER = -1.5
"""What it loses where nothing in it may be a number."""

EVIDENT_SCORE = 6.0


@dataclass(frozen=True, slots=True)
class FoundFolio:
    """A folio as decided: its record, the evidence, and the words that are it, null where no words stand for it.

    `folio` is null where the words stand at the folios' place but nothing says which number they were. `score` is
    higher for a surer one, in natural logarithms of odds; `features` are named numbers for a scorecard.
    """

    page: int
    folio: Folio | None
    evidence: Mapping[str, Any]
    edge_line: EdgeLine | None
    words: Span | None
    score: float = 0.0
    features: Mapping[str, float] = field(default_factory=dict)


def find_folios(
    edges: Sequence[EdgeLine], repeating: frozenset[Key], headlike: frozenset[Key], page_count: int
) -> Sequence[FoundFolio]:
    """Return the folios of a document in page order, one a page at most.

    Only an opening on one image has two: the second has no record of its own, the first's names both numbers.

    `repeating` are page and number of the lines whose words repeat on other pages, `headlike` of those that only look
    like a head: short, outermost, set off.
    """
    numbers = list(candidates(edges, repeating, headlike))
    runs = sequences(numbers, page_count)
    standing = standing_texts(edges, repeating, headlike)
    found = {each.page: each for each in folios_of(runs, standing, repeating)}
    for candidate in numbers:
        evident = self_evident(candidate)
        if evident is not None and candidate.page not in found:
            found[candidate.page] = evident
    second = [each for run in runs if run.step > 1 for each in _second_folios(run, numbers)]
    for each in second:
        found[each.page] = _of_opening(found[each.page], each)
    for each in _beyond_runs(runs, standing, repeating, found.keys()):
        found.setdefault(each.page, each)
    return sorted([*found.values(), *second], key=lambda each: (each.page, each.folio is None))


def lone_numbers(edges: Sequence[EdgeLine], found: Iterable[FoundFolio]) -> list[EdgeLine]:
    """Return the lines that are nothing but a number and were not taken for a folio."""
    taken = {each.edge_line.key for each in found if each.edge_line is not None}
    return [
        each
        for each in edges
        if each.key not in taken and (read_numeral(each.line.text) or read_page_phrase(each.line.text))
    ]


def folios_of(
    runs: Iterable[FolioRun], standing: Mapping[int, Sequence[NumberText]], repeating: frozenset[Key] = frozenset()
) -> list[FoundFolio]:
    """Return the folio of every page inside a run: as read, as misread, or inferred without any words.

    `standing` is where a misread folio may stand on each page.
    """
    found = (_folio(run, page, standing.get(page, ()), repeating) for run in runs for page in run.pages)
    return [each for each in found if each is not None]


def self_evident(candidate: Candidate) -> FoundFolio | None:
    """Return a folio that needs no sequence; else null.

    It gives the number of pages too (`Page 1 of 1`), or it stands between dashes and is the scan's own number, as on
    the second leaf of a letter whose first has none (`- 2 -`).
    """
    if candidate.phrase and gives_total(candidate.text):
        pattern = "page_of_pages"
    elif candidate.alone and is_between_dashes(candidate.text) and candidate.value == candidate.page > 1:
        pattern = "counts_scans"
    else:
        return None
    folio = Folio(candidate.text, spell(candidate.numeral), inferred=False)
    features = {"evident": 1.0, "alone": float(candidate.alone), "exact": 1.0}
    line, words = candidate.edge_line, candidate.words
    return FoundFolio(candidate.page, folio, {"pattern": pattern}, line, words, EVIDENT_SCORE, features)


def _folio(run: FolioRun, page: int, ends: Sequence[NumberText], repeating: frozenset[Key]) -> FoundFolio | None:
    numeral = run.numeral(page)
    if numeral is None:
        return None
    evidence, at = _evidence(run, page), run.at(page)
    member = run.members[at]
    if member.page == page:
        text = member.edge_line.line.text if member.alone else member.text
        folio = Folio(text.strip(), spell(numeral), inferred=member.reading != "exact")
        score, features = _measured(run, at)
        return FoundFolio(page, folio, evidence, member.edge_line, member.words, score, features)
    there = _stand_in(run, page, numeral, ends, repeating)
    if there is None:
        features = {"run_length": math.log(len(run.members)), "expected": 1.0}
        return FoundFolio(page, Folio(None, spell(numeral), inferred=True), evidence, None, None, 0.0, features)
    as_read = read_numeral(there.text) == numeral
    folio = Folio(there.text, spell(numeral), inferred=not as_read)
    if not as_read:
        evidence |= {"read": there.text, "expected": spell(numeral)}
    score, features = _measured_beside(run, page, there, looks_like(there.text, numeral))
    return FoundFolio(page, folio, evidence, there.edge_line, there.words, score, features)


def _stand_in(
    run: FolioRun, page: int, numeral: Numeral, ends: Sequence[NumberText], repeating: frozenset[Key]
) -> NumberText | None:
    """Return the text that stands where the folio must stand: the number, a look-alike, else what alone is there."""
    near, length = _near(run, page), len(spell(numeral))
    there = [
        each for each in ends if len(each.text) <= length + MISREAD_LENGTH and _at_place(each, near, numeral.value)
    ]
    placed = [each for each in there if each.has_place]
    ranked = (
        [each for each in there if read_numeral(each.text) == numeral],
        [each for each in there if looks_like(each.text, numeral)],
        [each for each in placed if any(map(str.isdigit, each.text))],
        [each for each in placed if each.alone or each.edge_line.key in repeating],
        [each for each in placed if len(each.text) <= length and _at_place(each, near, numeral.value, JUST_THERE)],
    )
    likeliest: Sequence[NumberText] = next((each for each in ranked if each), ())
    # Two such texts at one place: which is the folio would be a guess.
    return likeliest[0] if len(likeliest) == 1 else None


def _second_folios(run: FolioRun, numbers: Iterable[Candidate]) -> Iterator[FoundFolio]:
    """Yield the other folio of each opening: the number before or after the member's, always on the same side of it."""
    members = {member.page: member for member in run.members}
    pairs = [
        (members[each.page], each)
        for each in numbers
        if each.page in members
        and each.numeral.series == members[each.page].numeral.series
        and abs(each.value - members[each.page].value) == 1
        and each.edge_line.edge == members[each.page].edge_line.edge
    ]
    after = 2 * sum(each.value > member.value for member, each in pairs) > len(pairs)
    taken: set[int] = set()
    for member, each in pairs:
        if (each.value > member.value) == after and each.page not in taken and not each.words.intersects(member.words):
            taken.add(each.page)
            evidence = {**_evidence(run, each.page), "opening": spell(each.numeral)}
            features = {"run_length": math.log(len(run.members)), "exact": 1.0, "alone": float(each.alone)}
            yield FoundFolio(each.page, None, evidence, each.edge_line, each.words, each.weight + COUNTS_ON, features)


def _of_opening(one: FoundFolio, other: FoundFolio) -> FoundFolio:
    """Return the folio of an opening, with both of its numbers."""
    if one.folio is None:
        return one
    values = sorted((one.folio.value, str(other.evidence["opening"])), key=lambda each: (len(each), each))
    return replace(one, folio=replace(one.folio, value="–".join(values)))


def _beyond_runs(
    runs: Sequence[FolioRun],
    standing: Mapping[int, Sequence[NumberText]],
    repeating: frozenset[Key],
    known: Iterable[int],
) -> Iterator[FoundFolio]:
    """Yield the numbers at the place of the nearest folios, on pages whose own number nothing fixes."""
    members = [member for run in runs if len(run.members) >= ESTABLISHED for member in run.members]
    if not members:
        return
    pages = [member.page for member in members]
    for page in sorted(standing.keys() - frozenset(known)):
        at = bisect_left(pages, page)
        near = members[max(at - NEIGHBOURS, 0) : at + NEIGHBOURS]
        if min(abs(each.page - page) for each in near) > REACH:
            continue
        there = [
            each
            for each in standing[page]
            if each.has_place
            and len(each.text) <= LONGEST_UNKNOWN
            and is_numberlike(each.text, near[0].numeral.style)
            and _at_place(each, near, None, SAME_PLACE if each.edge_line.key in repeating else JUST_THERE)
        ]
        if len(there) == 1:
            yield _unfixed(there[0], members[at - 1 : at + 1] if at else members[:1], near)


def _unfixed(text: NumberText, around: Sequence[Candidate], near: Sequence[Candidate]) -> FoundFolio:
    """Return a folio that no sequence fixes: of the value that it reads as, if that fits between its neighbours, else
    of none."""
    page, numeral = text.edge_line.line.page, read_numeral(text.text)
    fits = (
        numeral is not None
        and _at_place(text, near, numeral.value)
        and len(around) == 2
        and all(_fits(page, numeral, each) for each in around)
    )
    folio = Folio(text.text, spell(numeral), inferred=False) if fits and numeral is not None else None
    sequence = [{"page": each.page, "value": spell(each.numeral)} for each in near]
    evidence = {"pattern": "at_folio_place", "sequence": sequence, "read": text.text}
    features = {"unfixed": 1.0, "fits": float(fits), "at_place": 1.0, "alone": float(text.alone)}
    return FoundFolio(page, folio, evidence, text.edge_line, text.words, UNFIXED_SCORE + fits, features)


def _fits(page: int, numeral: Numeral, member: Candidate) -> bool:
    """Say whether a number on a page may be in one series with a member, leaves missing or not."""
    pages, values = member.page - page, member.value - numeral.value
    return numeral.series == member.numeral.series and (values >= pages if pages > 0 else values <= pages)


def _at_place(
    text: NumberText, members: Sequence[Candidate], value: int | None, within: tuple[float, float] = SAME_PLACE
) -> bool:
    """Say whether a text stands where a folio of this value does: as the nearest members, or as their mirror image."""
    across, down = within
    for member in members:
        if text.edge_line.edge != member.edge_line.edge or abs(text.place[1] - member.place[1]) > down:
            continue
        same = abs(text.place[0] - member.place[0]) <= across
        mirrored = abs(text.place[0] + member.place[0] - 1) <= across
        turned = value is None or (value - member.value) % 2 == 1
        if (same and (value is None or not turned or (text.alone and member.alone))) or (mirrored and turned):
            return True
    return False


def _measured(run: FolioRun, at: int) -> tuple[float, dict[str, float]]:
    """Return the score and the features of a member."""
    member = run.members[at]
    links = [run.links[index] for index in (at - 1, at) if 0 <= index < len(run.links)]
    score = member.weight + max((link.weight for link in links), default=0.0)
    score += min((link.weight for link in links), default=0.0) / 2 + math.log(len(run.members))
    features = {
        "run_length": math.log(len(run.members)),
        "neighbours": float(_agreeing(run, member.page)),
        "exact": float(member.reading == "exact"),
        "alone": float(member.alone),
        "weak": float(member.weak),
        "phrase": float(member.phrase),
        "row": float(member.edge_line.row),
        "appearance": member.weight,
        "at_place": float(any(_at_place(_text_of(member), [each], member.value) for each in _others(run, at))),
        "gap_before": float(at > 0 and run.links[at - 1].gap != 0),
        "jump": math.log1p(max((abs(link.gap) for link in links), default=0)),
        "expected": float(any(not link.gap for link in links)),
    }
    return score, features


def _measured_beside(run: FolioRun, page: int, there: NumberText, look_alike: bool) -> tuple[float, dict[str, float]]:
    """Return the score and the features of a text that stands for the folio between two members."""
    features = {
        "run_length": math.log(len(run.members)),
        "neighbours": float(_agreeing(run, page)),
        "exact": 0.0,
        "alone": float(there.alone),
        "at_place": 1.0,
        "misread": 1.0,
        "look_alike": float(look_alike),
        "numberlike": float(is_numberlike(there.text, run.style)),
        "row": float(there.edge_line.row),
        "expected": 1.0,
    }
    says = COUNTS_ON if look_alike else AT_PLACE if is_numberlike(there.text, run.style) else NO_NUMBER
    return MISREAD_SCORE + math.log(len(run.members)) + says, features


def _agreeing(run: FolioRun, page: int) -> int:
    """Return how many members on the pages nearest to a page count on to it."""
    value = (run.numeral(page) or run.members[run.at(page)].numeral).value
    return sum(
        each.value - value == (each.page - page) * run.step
        for each in _near(run, page)
        if 0 < abs(each.page - page) <= NEIGHBOURS
    )


def _text_of(member: Candidate) -> NumberText:
    return NumberText(member.edge_line, member.words, member.text, member.place, member.alone)


def _others(run: FolioRun, at: int) -> Sequence[Candidate]:
    return [*run.members[max(at - NEIGHBOURS, 0) : at], *run.members[at + 1 : at + 1 + NEIGHBOURS]]


def _near(run: FolioRun, page: int) -> Sequence[Candidate]:
    """Return the members around a page."""
    at = run.at(page)
    return run.members[max(at - NEIGHBOURS, 0) : at + NEIGHBOURS + 1]


def _evidence(run: FolioRun, page: int) -> dict[str, Any]:
    """Return the nearest members of the sequence, its length, its style, and the leaf gaps that it crosses."""
    numeral = run.numeral(page)
    return {
        "sequence": [{"page": member.page, "value": spell(member.numeral)} for member in _near(run, page)],
        "members": len(run.members),
        "style": "arabic" if run.style == "arabic" else "roman",
        "offset": None if numeral is None else numeral.value - page,
        "gaps": sum(bool(link.gap) for link in run.links),
    }
