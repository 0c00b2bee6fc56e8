"""Page furniture over the whole document: running heads and feet, folios, marks, and the edge lines left undecided.

Missing a running head costs a reader a moment; dropping a line of the text costs the quotation. So a line goes only on
the evidence of the document, rows are taken off from the outermost inwards, and what stays in doubt stays, flagged.

1. Observe each run of words at an edge that may be furniture, with named features (`observations`).
2. Weigh the features by a scorecard: the rules' own, or a profile's, whose share is a measured probability.
3. Take off what passes the threshold of the user's choice, beside what shows itself: stamps, notices, line numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ocrprep.options import ReadingOptions
from ocrprep.pages import PageWarning
from ocrprep.preparing.edge_patterns import find_patterns
from ocrprep.preparing.head_rows import Row
from ocrprep.preparing.line_numbers import find_line_numbers
from ocrprep.preparing.observations import Observation, Observed, observe
from ocrprep.preparing.removals import Key, Removal, Removals
from ocrprep.preparing.scorecard import Scorecard
from ocrprep.preparing.scorecards import RULES
from ocrprep.preparing.watermarks import find_watermarks
from ocrprep.profiles import profile_for
from ocrprep.reading import Folio
from ocrprep.representation import PlacedLine, PlacedWord, Representation

VERSION = "furniture-2"

UNDECIDED = 0.3
"""An edge line with at least this share of the evidence for furniture is told of, if it stays."""

FROM_THE_EDGE = frozenset({"running_head", "running_foot", "folio"})
"""Kinds that go only when all that stands outside them on their page goes as well."""


@dataclass(frozen=True, slots=True)
class Furniture:
    """What of each line is furniture; the folio of each page; the warnings about what was left undecided."""

    removals: Removals
    folios: Mapping[int, Folio]
    warnings: Mapping[int, tuple[PageWarning, ...]]
    apart: frozenset[Key]
    """The lines that no sentence runs through if they stay: the furniture, and undecided lines that stand apart."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An observation and the share of the evidence that is for furniture."""

    observation: Observation
    share: float
    scorecard: Scorecard

    def passes(self, choice: str) -> bool:
        """Say whether the share reaches the threshold of the user's choice; what is barred never goes."""
        return not self.observation.barred and self.share >= self.scorecard.thresholds[choice]


def find_furniture(
    representation: Representation, pages: Sequence[Sequence[PlacedLine]], options: ReadingOptions
) -> Furniture:
    """Look for page furniture with the evidence of all pages together; `pages` are the lines of each page."""
    if options.furniture == "off":
        return Furniture({}, {}, {}, frozenset())
    shown = _shown(representation, pages)
    observed = observe(representation, _without(pages, shown), options)
    judged = _judged(observed)
    choice = "strict" if options.furniture == "strict" else "drop"
    removals = _merged(shown, _from_outside(judged, observed, choice))
    doubtful = {**_undecided(judged, observed), **(_of_single_page(judged) if len(pages) == 1 else {})}
    undecided = {key: why for key, why in doubtful.items() if key not in removals}
    alone = observed.lone.keys() | {each.observation.key for each in judged if _stands_apart(each.observation)}
    return Furniture(
        removals=removals,
        folios={found.page: found.folio for found in observed.folios if found.folio is not None},
        warnings=_warnings(undecided),
        apart=frozenset(removals.keys() | (undecided.keys() & alone)),
    )


def versions() -> dict[str, str]:
    """Return what decides on furniture, as it stands in the calibration key."""
    profile = profile_for("furniture", VERSION)
    return {"rules": VERSION, **({} if profile is None else {"scorecards": profile.scorecards_hash})}


def _stands_apart(each: Observation) -> bool:
    """Say whether a line that stays is no part of the text's sentences: the outermost one, parted by white space."""
    return each.row == 0 and bool(each.features.get("set_off"))


def scorecards() -> Mapping[str, Scorecard]:
    """Return the scorecards in use: the rules' own, and those that the profile of these rules has fitted."""
    profile = profile_for("furniture", VERSION)
    if profile is None:
        return RULES
    fitted = {
        name: Scorecard(each.intercept, each.weights, each.thresholds, fitted=True)
        for name, each in profile.scorecards.items()
    }
    return {**RULES, **fitted}


def _shown(representation: Representation, pages: Sequence[Sequence[PlacedLine]]) -> dict[Key, tuple[Removal, ...]]:
    """Return what shows itself by its own pattern; where two claim a line, the first does."""
    found: dict[Key, tuple[Removal, ...]] = {}
    for finder in (find_watermarks, find_line_numbers, find_patterns):
        for key, removals in finder(pages, representation).items():
            found.setdefault(key, removals)
    return found


def _without(pages: Sequence[Sequence[PlacedLine]], shown: Mapping[Key, Sequence[Removal]]) -> list[list[PlacedLine]]:
    """Return the lines of which nothing is known yet: rows are counted without what shows itself."""
    return [[line for line in lines if (line.page, line.number) not in shown] for lines in pages]


def _judged(observed: Observed) -> list[Judged]:
    weighed = scorecards()
    return [
        Judged(each, round(weighed[each.scorecard].share(each.features), 3), weighed[each.scorecard])
        for each in observed.observations
    ]


def _from_outside(judged: Sequence[Judged], observed: Observed, choice: str) -> dict[Key, list[Removal]]:
    """Take off what passes, row by row from the edge; a row that stays whole or in part ends it."""
    passed: dict[Key, list[Judged]] = defaultdict(list)
    for each in judged:
        if each.passes(choice):
            passed[each.observation.key].append(each)
    kept: dict[Key, list[Removal]] = defaultdict(list)
    for side, rows in observed.rows.items():
        open_ = True
        for row in rows:
            for line in row.lines:
                for each in passed.get(line.key, ()):
                    if each.observation.edge == side.edge and (open_ or each.observation.kind not in FROM_THE_EDGE):
                        _add(kept[line.key], each)
            open_ = open_ and _is_gone(row, kept)
    on_edge = {line.key for rows in observed.rows.values() for row in rows for line in row.lines}
    for key, found in passed.items():
        for each in found:
            if key not in on_edge and each.observation.kind not in FROM_THE_EDGE:
                _add(kept[key], each)
    return {key: _at_ends(removals, observed.words[key]) for key, removals in kept.items() if removals}


def _at_ends(removals: Sequence[Removal], words: Sequence[PlacedWord]) -> list[Removal]:
    """Return the removals that reach an end of their line without a word that stays between: a drop never cuts it."""
    ordered = sorted(removals, key=lambda each: each.words)
    gone = [any(placed.span.intersects(each.words) for each in ordered) for placed in words]
    first = next((at for at, goes in enumerate(gone) if not goes), len(words))
    last = next((at for at in range(len(words) - 1, -1, -1) if not gone[at]), -1)
    return [
        each
        for each in ordered
        if last < 0 or each.words.end <= words[first].span.start or each.words.start >= words[last].span.end
    ]


def _add(removals: list[Removal], judged: Judged) -> None:
    """Add a removal, unless its words went already."""
    each = judged.observation
    if not any(each.words.intersects(other.words) for other in removals):
        removals.append(
            Removal(
                page=each.page,
                line=each.line,
                words=each.words,
                kind=each.kind,
                rule=each.rule,
                evidence={**each.evidence, "contributions": judged.scorecard.contributions(each.features)},
                probability=judged.share if judged.scorecard.fitted else None,
            )
        )


def _is_gone(row: Row, kept: Mapping[Key, Sequence[Removal]]) -> bool:
    """Say whether all words of a row go."""
    return all(
        any(placed.span.intersects(removal.words) for removal in kept.get(line.key, ()))
        for line in row.lines
        for placed in line.words
        if any(map(str.isalnum, placed.word.text))
    )


def _merged(shown: Mapping[Key, Sequence[Removal]], found: Mapping[Key, Sequence[Removal]]) -> Removals:
    merged = {key: tuple(removals) for key, removals in found.items()}
    merged.update((key, tuple(removals)) for key, removals in shown.items())
    return merged


def _undecided(judged: Sequence[Judged], observed: Observed) -> dict[Key, str]:
    """Return the lines that may be furniture; each with the reason why it stays."""
    doubtful = {
        each.observation.key: f"the evidence for a {each.observation.kind.replace('_', ' ')} does not suffice"
        for each in judged
        if each.share >= UNDECIDED and each.observation.kind in FROM_THE_EDGE
    }
    doubtful.update(observed.refused)
    return {**doubtful, **observed.lone}


def _of_single_page(judged: Sequence[Judged]) -> dict[Key, str]:
    """Return, for a document of one page, the outermost lines that white space sets off."""
    return {
        each.observation.key: "a single page has nothing to compare it with"
        for each in judged
        if each.observation.row == 0 and each.observation.features.get("set_off")
    }


def _warnings(undecided: Mapping[Key, str]) -> dict[int, tuple[PageWarning, ...]]:
    warnings: dict[int, tuple[PageWarning, ...]] = defaultdict(tuple)
    for (page, line), why in sorted(undecided.items()):
        warning = PageWarning("undecided_edge_line", f"This line may be page furniture and was kept: {why}.", line)
        warnings[page] += (warning,)
    return dict(warnings)
