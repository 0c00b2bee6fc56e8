"""What may be page furniture: runs of words at the edges of pages, each with the named features that speak for it.

1. Gather the edge lines that say the same on several pages, and judge each gathering as a whole.
2. Find the folios as one sequence over the document, and the catchwords and signature marks.
3. Measure each row by itself, then against the rows of the pages around it. What a row is weighed by hangs on no
   profile, so that the same features are fitted and used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from ocrprep.options import ReadingOptions
from ocrprep.pages import FurnitureKind
from ocrprep.preparing.edges import EDGES, Edge, EdgeLine, PageSetting, edge_lines, page_settings
from ocrprep.preparing.folios import FoundFolio, find_folios, lone_numbers
from ocrprep.preparing.head_model import NEAREST as NEAREST_ROWS
from ocrprep.preparing.head_model import Standing, neighbour_features, standing
from ocrprep.preparing.head_rows import (
    Document,
    Features,
    Row,
    Shared,
    Side,
    document_of,
    is_parted,
    row_features,
    rows_of,
)
from ocrprep.preparing.heads import Gathering, Verdict, gather, judge
from ocrprep.preparing.marks import MarkCandidate, mark_candidates
from ocrprep.preparing.removals import Key
from ocrprep.preparing.scorecards import ALONE, RULES
from ocrprep.representation import PlacedLine, PlacedWord, Representation
from ocrprep.spans import Span

NEAREST = 8
"""How many of the pages that repeat a head are listed as evidence; `pageCount` says how many there are."""

HEAD_WORDS = 12
"""A row of more words is no head beside a folio: the longest of the measured books has eleven."""

ROUNDS = 3
"""How often the rows are compared: what the first comparison finds is what the second compares with."""

MANY_PAGES = 10
"""An outermost line on so many pages needs no white space below it: no refrain and no salutation repeats so often."""

WHOLE_EDGE = 3
"""An edge of so many rows is more than any head has, with a notice or a rule."""

MARK = 0.5
"""From this score on, the words of a catchword or signature mark are no part of the row's own text."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A run of words of a line that may be furniture of a kind: its features, and which scorecard weighs them.

    `row` counts printed rows from the edge, 0-based; `rule` and `evidence` say what speaks for it most. What is
    `barred` stays whatever its features: repetition that cannot be a head's without a folio to hold it, a number that
    continues no sequence, a line whose sentence goes on and that nothing but its place speaks for.
    """

    page: int
    line: int
    words: Span
    kind: FurnitureKind
    scorecard: str
    features: Mapping[str, float]
    edge: Edge
    row: int
    rule: str
    evidence: Mapping[str, Any]
    barred: bool = False

    @property
    def key(self) -> Key:
        """The page and the number of the line."""
        return self.page, self.line


@dataclass(frozen=True, slots=True)
class Observed:
    """The observations of a document in order, its folios, its rows, and why lines that repeat were refused."""

    observations: Sequence[Observation] = ()
    folios: Sequence[FoundFolio] = ()
    rows: Mapping[Side, Sequence[Row]] = field(default_factory=dict)
    refused: Mapping[Key, str] = field(default_factory=dict)
    lone: Mapping[Key, str] = field(default_factory=dict)
    words: Mapping[Key, Sequence[PlacedWord]] = field(default_factory=dict)


def observe(representation: Representation, pages: Sequence[Sequence[PlacedLine]], options: ReadingOptions) -> Observed:
    """Observe the edges of all pages; `pages` are the lines of each page, upright."""
    settings = page_settings(representation, pages)
    edges = edge_lines(representation, pages, options, settings)
    rows = rows_of(edges)
    gatherings = gather(edges, options)
    outer = [each for each in edges if not each.context]
    folios = _folios(outer, rows, gatherings, options, len(pages))
    printed = {found.edge_line.key: found for found in folios if found.edge_line is not None}
    numbered = frozenset(
        each.key
        for side in rows.values()
        for row in side
        if any(line.key in printed for line in row.lines)
        for each in row.lines
    )
    verdicts = {
        member.key: (gathering, verdict)
        for gathering in gatherings
        if len(gathering.pages) >= options.repeat_pages
        for verdict in (judge(gathering, numbered, options),)
        for member in gathering.members
    }
    alike = {
        member.key: sorted({each.line.page for each in verdict.members})
        for _, verdict in verdicts.values()
        if verdict.refused is None
        for member in verdict.members
    }
    refused = {key: verdict.refused for key, (_, verdict) in verdicts.items() if verdict.refused is not None}
    refused.update(dict.fromkeys(_of_repeating_pages(rows, alike), "the text of the page repeats as well"))
    # Repetition close to the text proves nothing, but the place of other pages' heads may.
    close = dict.fromkeys(_not_set_off(rows, alike, numbered, settings), "no white space sets it off from the text")
    alike = {key: found for key, found in alike.items() if key not in refused and key not in close}
    lengths = [len(line.text) for lines in pages for line in lines]
    lone = {each.key: "its number continues no sequence of page numbers" for each in lone_numbers(outer, folios)}
    shared = Shared(alike, frozenset(refused), printed, frozenset(lone), median(lengths) if lengths else 1.0)
    document = document_of(rows, settings, shared)
    marks = mark_candidates(document)
    found = [
        *_of_rows(document, verdicts, marks),
        *(_of_mark(mark, document) for mark in marks),
    ]
    words = {each.key: each.words for each in edges}
    return Observed(sorted(found, key=lambda each: each.words), folios, rows, {**refused, **close}, lone, words)


def _of_repeating_pages(rows: Mapping[Side, Sequence[Row]], alike: Mapping[Key, Sequence[int]]) -> Iterator[Key]:
    """Yield the lines of edges of which every row repeats, as on forms: what repeats there is the text itself."""
    for side in rows.values():
        found = [any(len(alike.get(line.key, ())) > 1 for line in row.lines) for row in side if row.words]
        if len(found) >= WHOLE_EDGE and all(found):
            yield from (line.key for row in side for line in row.lines)


def _not_set_off(
    rows: Mapping[Side, Sequence[Row]],
    alike: Mapping[Key, Sequence[int]],
    numbered: frozenset[Key],
    settings: Sequence[PageSetting],
) -> Iterator[Key]:
    """Yield the lines that repeat on a few pages, with no folio and no white space before the text that does not.

    So repeat salutations and refrains; on many pages nothing does but a head.
    """
    for side, found in rows.items():
        setting = settings[side.page - 1]
        repeating: list[Key] = []
        for row in found if setting.geometric else ():
            keys = [line.key for line in row.lines if len(alike.get(line.key, ())) > 1]
            if not keys or numbered.intersection(keys):
                break
            inner = found[row.number + 1] if row.number + 1 < len(found) else None
            parted = inner is None or not inner.words or is_parted(row, inner, setting)
            repeating += [key for key in keys if len(alike[key]) < MANY_PAGES]
            if parted:
                repeating = []
        yield from repeating


def _folios(
    edges: Sequence[EdgeLine],
    rows: Mapping[Side, Sequence[Row]],
    gatherings: Sequence[Gathering],
    options: ReadingOptions,
    page_count: int,
) -> Sequence[FoundFolio]:
    """Return the folios; they may stand beside words that repeat, or in an outermost row that looks like a head."""
    repeating = frozenset(
        member.key
        for gathering in gatherings
        if len(gathering.pages) >= options.repeat_pages
        for member in gathering.members
    )
    headlike = frozenset(
        line.key
        for side in rows.values()
        for row in side
        if row.number == 0 and len(row.words) <= HEAD_WORDS
        for line in row.lines
    )
    return find_folios(edges, repeating, headlike, page_count)


def _of_rows(
    document: Document,
    verdicts: Mapping[Key, tuple[Gathering, Verdict]],
    marks: Sequence[MarkCandidate],
) -> Iterator[Observation]:
    """Yield the observations of all rows: their folios, and their other words as a head or foot."""
    taken: dict[Key, list[Span]] = defaultdict(list)
    for mark in marks:
        if mark.score >= MARK:
            taken[mark.page, mark.line].append(mark.words)
    for key, folio in document.folios.items():
        if folio.words is not None:
            taken[key].append(folio.words)
    for row, features, share in _weighed_rows(document):
        yield from _of_row(document, row, features, share, taken, verdicts)


def _weighed_rows(document: Document) -> Iterator[tuple[Row, Features, float]]:
    """Yield every row with its features, and the share of the evidence for a head by the rules' own scorecard.

    The outermost rows are compared with each other in rounds; the last round compares all rows with them.
    """
    features = {row: row_features(document, row) for side in document.rows.values() for row in side if row.words}
    alone = {row: ALONE.share(each) for row, each in features.items()}
    measured = {row: standing(document, row) for row in features}
    around = _around(document, measured)
    shares = dict(alone)
    for _ in range(ROUNDS - 1):
        outermost = {each.row: each for found in around.values() for each in found[1] if each.row.number == 0}
        shares.update(
            (row, _share(document, row, {**features[row], **fits, "alone": alone[row], "outer": 1.0}))
            for row, each in outermost.items()
            for fits in (neighbour_features(document, each, _near(around, row), shares),)
        )
    for side in sorted(document.rows):
        # Inside a row that is like a head, no other can be at the heads' place.
        outer = free = 1.0
        for row in document.rows[side]:
            if row not in features or row.context:
                continue
            fits = neighbour_features(document, measured[row], _near(around, row), shares)
            every = {
                **features[row],
                **{name: round(value * free, 4) for name, value in fits.items()},
                "alone": round(alone[row], 4),
                "outer": round(outer, 4),
            }
            share = _share(document, row, every)
            yield row, every, share
            outer, free = min(outer, share), min(free, 1 - share)


def _share(document: Document, row: Row, features: Features) -> float:
    return RULES["head" if document.setting(row).geometric else "head_text"].share(features)


Around = Mapping[Edge, tuple[Mapping[int, int], Sequence[Standing]]]
"""For each edge, the outermost rows in page order, and where in them each page is found."""


def _around(document: Document, measured: Mapping[Row, Standing]) -> Around:
    found: dict[Edge, list[Standing]] = {edge: [] for edge in EDGES}
    for side, rows in sorted(document.rows.items()):
        found[side.edge] += [measured[row] for row in rows if row in measured][:1]
    return {edge: ({each.row.page: at for at, each in enumerate(rows)}, rows) for edge, rows in found.items()}


def _near(around: Around, row: Row) -> list[Standing]:
    """Return the outermost rows of the nearest pages, without the row's own page."""
    index, rows = around[row.edge]
    at = index[row.page]
    return [*rows[max(at - NEAREST_ROWS, 0) : at], *rows[at + 1 : at + NEAREST_ROWS + 1]]


def _of_row(
    document: Document,
    row: Row,
    features: Features,
    share: float,
    taken: Mapping[Key, Sequence[Span]],
    verdicts: Mapping[Key, tuple[Gathering, Verdict]],
) -> Iterator[Observation]:
    mode = "" if document.setting(row).geometric else "_text"
    for line in row.lines:
        shared: dict[str, Any] = {"page": row.page, "line": line.line.number, "edge": row.edge, "row": row.number}
        folio = document.folios.get(line.key)
        if folio is not None and folio.words is not None:
            yield Observation(
                words=folio.words,
                kind="folio",
                scorecard=f"folio{mode}",
                features={**folio.features, "score": folio.score, "row": round(share, 4)},
                rule=folio.evidence.get("pattern", "folio_sequence"),
                evidence={**folio.evidence, "value": None if folio.folio is None else folio.folio.value},
                **shared,
            )
        rule, evidence = _why(row, line, features, verdicts.get(line.key), folio)
        is_lone = line.key in document.lone
        for words in _runs(line.words, taken.get(line.key, ())):
            yield Observation(
                words=words,
                kind="folio" if is_lone else _kind(row, features),
                scorecard=f"folio{mode}" if is_lone else f"head{mode}",
                features={"row": round(share, 4)} if is_lone else features,
                barred=is_lone or bool(features["unheld"]) or (bool(features["refused"]) and not features["folio"]),
                rule=rule,
                evidence=evidence,
                **shared,
            )


def _runs(words: Sequence[PlacedWord], taken: Sequence[Span]) -> Iterator[Span]:
    """Yield the runs of words that are neither folio nor mark and have a letter or a digit."""
    run: list[PlacedWord] = []
    for placed in (*words, None):
        if placed is not None and not any(placed.span.intersects(span) for span in taken):
            run.append(placed)
            continue
        if any(character.isalnum() for each in run for character in each.word.text):
            yield Span(run[0].span.start, run[-1].span.end)
        run = []


def _kind(row: Row, features: Mapping[str, float]) -> FurnitureKind:
    if features["no_letters"] and features["number_at_end"]:
        return "folio"
    return "running_head" if row.edge == "top" else "running_foot"


def _why(
    row: Row,
    line: EdgeLine,
    features: Mapping[str, float],
    judged: tuple[Gathering, Verdict] | None,
    folio: FoundFolio | None,
) -> tuple[str, dict[str, Any]]:
    """Return the rule and the evidence that speak most for a row."""
    place = {"edge": row.edge, "row": row.number + 1, "height": round(line.place[1], 3)}
    if judged is not None and judged[1].refused is None and line in judged[1].members:
        gathering, verdict = judged
        pages = sorted({member.line.page for member in verdict.members})
        nearest = sorted(sorted(pages, key=lambda each: (abs(each - row.page), each))[:NEAREST])
        return "repeats_at_edge", {
            "pages": nearest,
            "pageCount": len(pages),
            "similarity": round(gathering.similarity, 3),
            "place": place,
        }
    if folio is not None or features["folio"]:
        value = None if folio is None or folio.folio is None else folio.folio.value
        return "beside_folio", {"folio": value, "place": place}
    if features.get("at_place", 0.0) > 0:
        return "at_head_place", {"place": place}
    return "at_edge", {"place": place}


def _of_mark(mark: MarkCandidate, document: Document) -> Observation:
    geometric = document.settings[mark.page - 1].geometric
    return Observation(
        page=mark.page,
        line=mark.line,
        words=mark.words,
        kind=mark.kind,
        scorecard=mark.kind if geometric else f"{mark.kind}_text",
        features={**mark.features, "score": mark.score},
        edge="bottom",
        row=0,
        rule="equals_next_page" if mark.kind == "catchword" else "signature_sequence",
        evidence=mark.evidence,
    )
