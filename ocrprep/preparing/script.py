"""The edit script of a flow: what becomes of every character between one kept line and the next.

The text of a representation has a line end after each line and a form feed after each page, and nothing else between
the lines. So a gap between two kept lines holds one line end, the form feeds crossed, and what is dropped or set aside
there; each becomes an edit of its own, and those of one join share a group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ocrprep.preparing.furniture import Key, Removal
from ocrprep.preparing.line_ends import LineEnd
from ocrprep.preparing.paragraphs import Bond
from ocrprep.reading import Change, Drop, PreparationEdit, SetAside
from ocrprep.records.reading import TransformationKind
from ocrprep.representation import PlacedLine, Representation, needs_space
from ocrprep.spans import Span


@dataclass(frozen=True, slots=True)
class Seam:
    """How a kept line is sewn to the next: their bond, and what becomes of a hyphen at its end."""

    before: PlacedLine
    after: PlacedLine
    bond: Bond
    line_end: LineEnd | None


@dataclass(slots=True)
class Gap:
    """What lies after a kept line: the offset of its line end (null before the first line), the form feeds with their
    pages, and the edits of what does not belong to the flow."""

    newline: int | None
    page: int
    feeds: list[tuple[int, int]] = field(default_factory=list)
    others: list[PreparationEdit] = field(default_factory=list)


def trim(line: PlacedLine, removals: Sequence[Removal], representation: Representation) -> PlacedLine | None:
    """Return a line without its furniture, which stands at its ends; null where nothing is left."""
    if not removals:
        return line
    words = [
        placed
        for placed in representation.line_words(line)
        if not any(placed.span.intersects(removal.words) for removal in removals)
    ]
    if not words:
        return None
    span = Span(words[0].span.start, words[-1].span.end)
    boxes = [placed.word.box for placed in words]
    return replace(line, span=span, text=span.of(representation.text), box=around(boxes))


@dataclass(frozen=True, slots=True)
class Flow:
    """The lines of one flow and of the other, without their furniture, by page and number; and how they are sewn.

    `seams` has one member less than `kept`; `aside` is the kind and the rule of what is set aside.
    """

    kept: Mapping[Key, PlacedLine]
    others: Mapping[Key, PlacedLine]
    seams: Sequence[Seam]
    aside: tuple[str, str]


def script(
    pages: Sequence[Sequence[PlacedLine]], removals: Mapping[Key, Sequence[Removal]], flow: Flow
) -> list[PreparationEdit]:
    """Return the disjoint edits of a flow in the order of the text; `pages` are all lines of every page."""
    gaps = _gaps(pages, removals, flow)
    edits = [*gaps[0].others, *_trimmed_away(gaps[0])]
    group = 0
    for gap, seam in zip(gaps[1:], flow.seams, strict=False):
        sewn = [*gap.others, *_sewn(gap, seam)]
        if seam.bond.kind == "join" and len(sewn) > 1:
            group += 1
            sewn = [replace(edit, group=group) for edit in sewn]
        edits += sewn
    if len(gaps) > 1:
        edits += [*gaps[-1].others, *_trimmed_away(gaps[-1])]
    return sorted(edits, key=lambda edit: edit.span)


def _gaps(
    pages: Sequence[Sequence[PlacedLine]], removals: Mapping[Key, Sequence[Removal]], flow: Flow
) -> list[Gap]:
    """Return what lies before the first kept line and after each of them."""
    gaps = [Gap(None, 1)]
    at = 0
    for number, lines in enumerate(pages, start=1):
        for line in lines:
            key = (line.page, line.number)
            rest = flow.kept.get(key) or flow.others.get(key)
            drops = list(_drops(line, rest, removals.get(key, ())))
            if key in flow.kept and rest is not None:
                gaps[-1].others += (drop for drop in drops if drop.span.start < rest.span.start)
                gaps.append(Gap(line.span.end, line.page))
                gaps[-1].others += (drop for drop in drops if drop.span.start >= rest.span.end)
            else:
                gaps[-1].others += drops
                if rest is not None:
                    _set_aside(gaps[-1].others, line, rest, flow.aside)
            at = line.span.end + 1
        gaps[-1].feeds.append((at, number))
        at += 1
    return gaps


def _drops(line: PlacedLine, rest: PlacedLine | None, removals: Sequence[Removal]) -> Iterator[Drop]:
    """Yield a line's furniture: a run takes the space after it, at the line's end the one before it, and the last run
    of a line that goes as a whole takes the line end."""
    end = line.span.end + 1
    for removal in reversed(removals):
        if rest is not None and removal.words.start >= rest.span.end:
            before = max(each.words.end for each in (*removals, rest_as_words(rest)) if each.words.end <= removal.words.start)
            span = Span(before, removal.words.end)
        else:
            stop = end if rest is None or end <= rest.span.start else rest.span.start
            span = Span(removal.words.start, stop)
            end = removal.words.start
        yield Drop(
            span=span,
            replacement="",
            rule=removal.rule,
            page=removal.page,
            evidence=removal.evidence,
            kind=removal.kind,
            line=removal.line,
            words=removal.words,
        )
