"""The edit script of a flow: what becomes of every character between one kept line and the next.

The text of a representation has a line end after each line and a form feed after each page, and nothing else between
the lines. So a gap between two kept lines holds one line end, the form feeds crossed, and what is dropped or set aside
there; each becomes an edit of its own, and those of one join share a group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ocrprep.pages import around
from ocrprep.preparing.line_ends import LineEnd
from ocrprep.preparing.paragraphs import Bond
from ocrprep.preparing.removals import Key, Removal, key_of
from ocrprep.preparing.upright import upright
from ocrprep.reading import Change, Drop, PreparationEdit, SetAside
from ocrprep.records.reading import TransformationKind
from ocrprep.representation import PlacedLine, Representation, needs_space
from ocrprep.spans import Span


@dataclass(frozen=True, slots=True)
class Seam:
    """How a kept line is sewn to the next: their bond, and what becomes of a hyphen at its end.

    One that is `glued` to the next takes no space where it joins it.
    """

    before: PlacedLine
    after: PlacedLine
    bond: Bond
    line_end: LineEnd | None
    glued: bool = False


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
    page = representation.pages[line.page - 1]
    boxes = [upright(placed.word.box, page) for placed in words]
    return replace(line, span=span, text=span.of(representation.text), box=around(boxes))


@dataclass(frozen=True, slots=True)
class Flow:
    """The lines of one flow and of the other, without their furniture, by page and number; and how they are sewn.

    `seams` has one member less than `kept`; `aside` is the kind and the rule of what is set aside; `within` are changes
    inside of kept lines.
    """

    kept: Mapping[Key, PlacedLine]
    others: Mapping[Key, PlacedLine]
    seams: Sequence[Seam]
    aside: tuple[str, str]
    within: Sequence[Change] = ()


def script(
    pages: Sequence[Sequence[PlacedLine]], removals: Mapping[Key, Sequence[Removal]], flow: Flow
) -> list[PreparationEdit]:
    """Return the disjoint edits of a flow in the order of the text; `pages` are all lines of every page."""
    gaps = _gaps(pages, removals, flow)
    edits = [*flow.within, *gaps[0].others, *_trimmed_away(gaps[0])]
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


def _gaps(pages: Sequence[Sequence[PlacedLine]], removals: Mapping[Key, Sequence[Removal]], flow: Flow) -> list[Gap]:
    """Return what lies before the first kept line and after each of them."""
    gaps = [Gap(None, 1)]
    at = 0
    for number, lines in enumerate(pages, start=1):
        for line in lines:
            key = key_of(line)
            rest = flow.kept.get(key) or flow.others.get(key)
            drops = list(_drops(line, rest, removals[key])) if key in removals else []
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
    heads = [each for each in removals if rest is None or each.words.start < rest.span.start]
    stops = [each.words.start for each in heads[1:]]
    stops.append(line.span.end + 1 if rest is None else rest.span.start)
    for removal, stop in zip(heads, stops, strict=False):
        yield _drop(removal, Span(removal.words.start, stop))
    start = line.span.end if rest is None else rest.span.end
    for removal in removals[len(heads) :]:
        yield _drop(removal, Span(start, removal.words.end))
        start = removal.words.end


def _drop(removal: Removal, span: Span) -> Drop:
    return Drop(
        span=span,
        replacement="",
        rule=removal.rule,
        basis="deterministic" if removal.probability is None else "calibrated",
        page=removal.page,
        evidence=removal.evidence,
        kind=removal.kind,
        line=removal.line,
        words=removal.words,
        probability=removal.probability,
    )


def _set_aside(edits: list[PreparationEdit], line: PlacedLine, rest: PlacedLine, aside: tuple[str, str]) -> None:
    """Add a line of the other flow to the edits, as part of the run before it where nothing lies between."""
    whole = rest.span.end == line.span.end
    span = Span(rest.span.start, rest.span.end + whole)
    last = edits[-1] if edits else None
    if isinstance(last, SetAside) and last.page == line.page and last.span.end == span.start:
        edits[-1] = replace(last, span=Span(last.span.start, span.end), lines=(last.lines[0], line.number))
    else:
        kind, rule = aside
        numbers = (line.number, line.number)
        edits.append(SetAside(span=span, replacement="", rule=rule, page=line.page, kind=kind, lines=numbers))
    if not whole:
        newline = Span(line.span.end, line.span.end + 1)
        edits.append(_change(newline, "", "normalize_space", ("left_over_line_end", line.page), {}))


def _trimmed_away(gap: Gap) -> Iterator[Change]:
    """Yield the edits for the line end and the form feeds at the beginning or the end of a reading."""
    if gap.newline is not None:
        yield _change(Span(gap.newline, gap.newline + 1), "", "normalize_space", ("outer_space", gap.page), {})
    for at, page in gap.feeds:
        yield _change(Span(at, at + 1), "", "normalize_space", ("outer_space", page), {})


def _sewn(gap: Gap, seam: Seam) -> Iterator[Change]:
    """Yield the edits for the line end and the form feeds between two kept lines; a line end that stays has none."""
    rule, evidence = seam.bond.rule, seam.bond.evidence
    if gap.newline is None:
        raise ValueError("the gap before the first line has no seam")
    newline = Span(gap.newline, gap.newline + 1)
    match seam.bond.kind:
        case "join":
            yield from _joined(gap, newline, seam)
            feeds: tuple[TransformationKind, TransformationKind, str] = ("join_page", "join_page", "")
        case "line":
            feeds = ("line_break", "line_break", "")
        case "paragraph":
            feeds = ("paragraph_break", "normalize_space", "\n")
            if not gap.feeds:
                yield _change(newline, "\n\n", "paragraph_break", (rule, gap.page), evidence)
    first, further, replacement = feeds
    for number, (at, page) in enumerate(gap.feeds):
        span = Span(at, at + 1)
        if number == 0:
            yield _change(span, replacement, first, (rule, page), evidence)
        else:
            yield _change(span, "", further, ("blank_page", page), {})


def _joined(gap: Gap, newline: Span, seam: Seam) -> Iterator[Change]:
    """Yield the edits that join two lines: of the line end, and of the hyphen before it."""
    kind: TransformationKind = "join_page" if gap.feeds else "join_line"
    cut = seam.line_end
    if cut is None:
        space = " " if needs_space(seam.before.text, seam.after.text) and not seam.glued else ""
        yield _change(newline, space, kind, (seam.bond.rule, gap.page), seam.bond.evidence)
        return
    end = seam.before.span.end
    apart = end != newline.start
    yield Change(
        span=Span(end - 1, end if apart else newline.end),
        replacement=cut.replacement,
        rule=cut.rule,
        page=gap.page,
        evidence=cut.evidence,
        kind=cut.kind,
        alternatives=cut.alternatives,
        flags=cut.flags,
    )
    if apart:
        yield _change(newline, "", kind, (seam.bond.rule, gap.page), seam.bond.evidence)


def _change(
    span: Span, replacement: str, kind: TransformationKind, why: tuple[str, int], evidence: Mapping[str, Any]
) -> Change:
    """Return a change; `why` is its rule and its page."""
    return Change(span=span, replacement=replacement, rule=why[0], page=why[1], evidence=evidence, kind=kind)
