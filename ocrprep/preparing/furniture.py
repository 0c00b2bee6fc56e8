"""Page furniture over the whole document: running heads and feet, folios, and the edge lines left undecided.

Missing a running head costs a reader a moment; dropping a line of the text costs the quotation. So a line goes only on
the evidence of the document, rows are taken off from the outermost inwards, and what stays in doubt stays, flagged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from ocrprep.options import ReadingOptions
from ocrprep.pages import FurnitureKind, PageWarning
from ocrprep.preparing.edges import EDGES, EdgeLine, edge_lines, line_height
from ocrprep.preparing.folios import (
    Candidate,
    FoundFolio,
    candidates,
    folios_of,
    self_evident,
    sequences,
)
from ocrprep.preparing.heads import (
    DISPLAY,
    OPEN_END,
    STRICT_PLACE,
    Gathering,
    Verdict,
    gather,
    head_words,
    is_set_off,
    judge,
    usual_gap,
)
from ocrprep.preparing.numerals import guess_numerals
from ocrprep.preparing.removals import Key, Removal, Removals
from ocrprep.reading import Folio
from ocrprep.representation import PlacedLine, Representation
from ocrprep.spans import Span

VERSION = "furniture-1"

NEAREST = 8
"""How many of the pages that repeat a head are listed as evidence; `pageCount` says how many there are."""

HEAD_WORDS = 8
"""A head that no other page repeats has at most so many words, its folio included."""

PLACED_PAGES = 3
"""So many pages must have a head before another page's line is taken for one by its place alone."""

SAME_GAP = 0.35
"""The share by which the white space below such a line may differ from that below the heads: boxes without descenders
and skew move it by a third of a line height."""


@dataclass(frozen=True, slots=True)
class Furniture:
    """What of each line is furniture; the folio of each page; the warnings about what was left undecided."""

    removals: Removals
    folios: Mapping[int, Folio]
    warnings: Mapping[int, tuple[PageWarning, ...]]
    apart: frozenset[Key]
    """The lines that no sentence runs through if they stay: the furniture, and undecided lines that stand apart."""


def find_furniture(
    representation: Representation, pages: Sequence[Sequence[PlacedLine]], options: ReadingOptions
) -> Furniture:
    """Look for page furniture with the evidence of all pages together; `pages` are the lines of each page."""
    if options.furniture == "off":
        return Furniture({}, {}, {}, frozenset())
    edges = edge_lines(representation, pages, options)
    gatherings = gather(edges, options)
    repeating = frozenset(
        member.key
        for gathering in gatherings
        if len(gathering.pages) >= options.repeat_pages
        for member in gathering.members
    )
    usual = usual_gap(pages, line_height(pages))
    numbers = list(candidates(edges, repeating, frozenset(each.key for each in edges if _is_headlike(each, usual))))
    folios = _folios(numbers, edges, len(pages))
    printed = {folio.edge_line.key: folio for folio in folios if folio.edge_line is not None}
    numbered = _rows_of(printed.values(), edges)
    verdicts = [(gathering, judge(gathering, numbered, usual, options)) for gathering in gatherings]

    proposed = _proposed(verdicts, printed)
    proposed.update(_heads_of_one_page(printed, proposed, usual))
    proposed.update(_heads_by_place(edges, proposed, usual))
    removals = _from_outside(proposed, edges)
    undecided = {**_doubtful(verdicts, numbers, options), **_set_off_alone(edges, usual, len(pages))}
    undecided.update((key, "the line outside it is not page furniture") for key in proposed.keys() - removals.keys())
    undecided = {key: why for key, why in undecided.items() if key not in removals}
    lone = {each.key for each in edges if is_set_off(each, usual)} | {
        each.edge_line.key for each in numbers if each.alone
    }
    return Furniture(
        removals=removals,
        folios={folio.page: folio.folio for folio in folios},
        warnings=_warnings(undecided),
        apart=frozenset(removals.keys() | (undecided.keys() & lone)),
    )


def _folios(numbers: Sequence[Candidate], edges: Sequence[EdgeLine], page_count: int) -> list[FoundFolio]:
    """Return the folios of the sequences and, on other pages, those that are evident by themselves."""
    found = {folio.page: folio for folio in folios_of(sequences(numbers, page_count), edges)}
    for candidate in numbers:
        evident = self_evident(candidate)
        if evident is not None and candidate.page not in found:
            found[candidate.page] = evident
    return [found[page] for page in sorted(found)]


def _rows_of(folios: Iterable[FoundFolio], edges: Sequence[EdgeLine]) -> frozenset[Key]:
    """Return the lines that share their printed row with a folio, and those that hold one."""
    rows = {
        (folio.edge_line.line.page, folio.edge_line.edge, folio.edge_line.row)
        for folio in folios
        if folio.edge_line is not None
    }
    return frozenset(each.key for each in edges if (each.line.page, each.edge, each.row) in rows)


def _proposed(
    verdicts: Sequence[tuple[Gathering, Verdict]], printed: Mapping[Key, FoundFolio]
) -> dict[Key, tuple[Removal, ...]]:
    """Return what would go by the evidence: heads with a folio at their end, heads, and folios that stand alone."""
    proposed: dict[Key, tuple[Removal, ...]] = {
        key: (_folio_removal(found),)
        for key, found in printed.items()
        if found.edge_line is not None and found.words == found.edge_line.line.span
    }
    for gathering, verdict in verdicts:
        if verdict.refused is not None:
            continue
        pages = sorted({member.line.page for member in verdict.members})
        for member in verdict.members:
            if member.key in proposed:
                continue
            folio = printed.get(member.key)
            head = _head_removal(member, gathering, pages, None if folio is None else folio.words)
            parts = [head] if folio is None else [head, _folio_removal(folio)]
            proposed[member.key] = tuple(sorted(parts, key=lambda part: part.words))
    return proposed


def _heads_of_one_page(
    printed: Mapping[Key, FoundFolio], proposed: Mapping[Key, tuple[Removal, ...]], usual: float
) -> Iterator[tuple[Key, tuple[Removal, ...]]]:
    """Yield the short lines beside a folio whose words no other page has: white space must set them off."""
    for key, found in printed.items():
        line = found.edge_line
        if key in proposed or line is None or len(line.words) > HEAD_WORDS or not is_set_off(line, usual):
            continue
        head = Removal(
            page=found.page,
            line=line.line.number,
            words=head_words(line, found.words),
            kind="running_head" if line.edge == "top" else "running_foot",
            rule="beside_folio",
            evidence={"folio": found.folio.value, "gap": round(line.gap or 0.0, 2)},
        )
        yield key, tuple(sorted((head, _folio_removal(found)), key=lambda part: part.words))


def _heads_by_place(
    edges: Sequence[EdgeLine], proposed: Mapping[Key, tuple[Removal, ...]], usual: float
) -> Iterator[tuple[Key, tuple[Removal, ...]]]:
    """Yield the short outermost lines that stand just where the heads of other pages stand, as far from the text.

    So a chapter's head on its only page is found, and a folio that was misread beyond knowing.
    """
    for edge in EDGES:
        outermost = [each for each in edges if each.edge == edge and each.row == 0]
        heads = [each for each in outermost if each.key in proposed and each.gap is not None]
        if len({head.line.page for head in heads}) < PLACED_PAGES:
            continue
        height = median(head.place[1] for head in heads)
        gap = median(head.gap or 0.0 for head in heads)
        for each in outermost:
            if (
                each.key not in proposed
                and _is_headlike(each, usual)
                and each.height <= DISPLAY
                and abs(each.place[1] - height) <= STRICT_PLACE
                and abs((each.gap or 0.0) - gap) <= SAME_GAP * gap
            ):
                yield each.key, (_placed_removal(each, height, len(heads)),)


def _placed_removal(line: EdgeLine, height: float, heads: int) -> Removal:
    is_number = len(line.words) == 1 and any(guess_numerals(line.line.text))
    head: FurnitureKind = "running_head" if line.edge == "top" else "running_foot"
    return Removal(
        page=line.line.page,
        line=line.line.number,
        words=line.line.span,
        kind="folio" if is_number else head,
        rule="at_head_place",
        evidence={"height": round(height, 3), "gap": round(line.gap or 0.0, 2), "pageCount": heads},
    )


def _is_headlike(line: EdgeLine, usual: float) -> bool:
    """Say whether a line looks like a head: short, outermost, set off, and no part of a sentence that goes on."""
    short = len(line.words) <= HEAD_WORDS and not line.line.text.endswith(OPEN_END)
    return short and line.row == 0 and is_set_off(line, usual)


def _head_removal(member: EdgeLine, gathering: Gathering, pages: Sequence[int], folio: Span | None) -> Removal:
    page = member.line.page
    nearest = sorted(sorted(pages, key=lambda each: (abs(each - page), each))[:NEAREST])
    return Removal(
        page=page,
        line=member.line.number,
        words=head_words(member, folio),
        kind="running_head" if member.edge == "top" else "running_foot",
        rule="repeats_at_edge",
        evidence={
            "pages": nearest,
            "pageCount": len(pages),
            "similarity": round(gathering.similarity, 3),
            "place": {"edge": member.edge, "row": member.row + 1, "height": round(member.place[1], 3)},
        },
    )


def _folio_removal(found: FoundFolio) -> Removal:
    if found.edge_line is None or found.words is None:
        raise ValueError(f"page {found.page}: no words stand for an inferred folio")
    return Removal(
        page=found.page,
        line=found.edge_line.line.number,
        words=found.words,
        kind="folio",
        rule=found.evidence.get("pattern", "folio_sequence"),
        evidence={**found.evidence, "value": found.folio.value},
    )


def _from_outside(
    proposed: Mapping[Key, tuple[Removal, ...]], edges: Sequence[EdgeLine]
) -> dict[Key, tuple[Removal, ...]]:
    """Keep a proposal for an inner row only where all that stands outside it on its page goes as a whole."""
    kept: dict[Key, tuple[Removal, ...]] = {}
    stopped: set[tuple[int, str]] = set()
    outwards: dict[tuple[int, str, int], list[EdgeLine]] = defaultdict(list)
    for each in edges:
        outwards[each.line.page, each.edge, each.row].append(each)
    for (page, edge, _), row in sorted(outwards.items()):
        if (page, edge) in stopped:
            continue
        kept.update((each.key, proposed[each.key]) for each in row if each.key in proposed)
        if any(each.key not in proposed for each in row):
            stopped.add((page, edge))
    return kept


def _doubtful(
    verdicts: Sequence[tuple[Gathering, Verdict]], numbers: Iterable[Candidate], options: ReadingOptions
) -> dict[Key, str]:
    """Return the lines that repeat, or are a number alone, but were refused; each with the reason."""
    doubtful = {
        candidate.edge_line.key: "its number continues no sequence of page numbers"
        for candidate in numbers
        if candidate.alone
    }
    for gathering, verdict in verdicts:
        if verdict.refused is not None and len(gathering.pages) >= options.repeat_pages:
            doubtful.update((member.key, verdict.refused) for member in gathering.members)
    return doubtful


def _set_off_alone(edges: Sequence[EdgeLine], usual: float, page_count: int) -> dict[Key, str]:
    """Return, for a document of one page, the outermost lines that white space sets off: nothing can repeat there."""
    if page_count > 1:
        return {}
    return {
        each.key: "a single page has nothing to compare it with"
        for each in edges
        if each.row == 0 and is_set_off(each, usual)
    }


def _warnings(undecided: Mapping[Key, str]) -> dict[int, tuple[PageWarning, ...]]:
    return {
        page: tuple(
            PageWarning("undecided_edge_line", f"This line may be page furniture and was kept: {why}.", line)
            for line, why in lines
        )
        for page, lines in _by_page(undecided)
    }


def _by_page(undecided: Mapping[Key, str]) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    pages: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for (page, line), why in sorted(undecided.items()):
        pages[page].append((line, why))
    yield from pages.items()
