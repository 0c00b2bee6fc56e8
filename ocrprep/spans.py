"""Spans, edits, and the exact map between a text and the text derived from it.

A stage that changes a text never returns a text: it returns disjoint `Edit`s in the coordinates of the text that it
saw. `apply` makes the derived text and its `SpanMap` together, so the map is known and never inferred.

A `SpanMap` tiles both texts with the same number of segments, in the same order. A `keep` segment covers equal text on
both sides; any other segment says by its rule why the two sides differ. Only the segments' ends are stored: that both
tilings start at 0 and have neither gap nor overlap is then true by construction, and a lookup is two bisections,
whatever the length of the span.

Offsets are Unicode code points, 0-based, half-open. The algebra follows the edit scripts ("opcodes") of RapidFuzz;
stand-off offsets follow STAM (Stand-off Text Annotation Model).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

KEEP = "keep"
"""The rule of a segment whose text is the same on both sides."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code points, `0 <= start <= end`; raises ValueError otherwise."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: [{self.start}, {self.end})")

    def __len__(self) -> int:
        return self.end - self.start

    def __bool__(self) -> bool:
        return self.end > self.start

    def __contains__(self, offset: int) -> bool:
        return self.start <= offset < self.end

    def of(self, text: str) -> str:
        """Return the part of a text that the span covers."""
        return text[self.start : self.end]

    def intersects(self, other: Span) -> bool:
        """Say whether the two spans share at least one character."""
        return max(self.start, other.start) < min(self.end, other.end)


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the source span by the replacement, for the reason that the rule names."""

    span: Span
    replacement: str
    rule: str


@dataclass(frozen=True, slots=True)
class Segment:
    """One tile of a map: a span of the source, the span of the derived text that it became, and why."""

    rule: str
    source: Span
    derived: Span


class SpanMap:
    """An immutable tiling of a source text and a derived text by the same segments.

    `SpanMap(segments, source, derived)` checks every invariant and raises ValueError naming the first segment that
    breaks one: the tilings start at 0, have no gap and no overlap, end with their texts, and a `keep` segment has equal
    text on both sides.
    """

    __slots__ = ("_derived_ends", "_rules", "_source_ends")

    _rules: tuple[str, ...]
    _source_ends: Sequence[int]
    _derived_ends: Sequence[int]

    def __init__(self, segments: Iterable[Segment], source: str, derived: str) -> None:
        rules: list[str] = []
        source_ends, derived_ends = array("q"), array("q")
        at_source = at_derived = 0
        for number, segment in enumerate(segments):
            if segment.source.start != at_source or segment.derived.start != at_derived:
                raise ValueError(f"segment {number} does not begin where the one before it ends: {segment}")
            if segment.rule == KEEP and segment.source.of(source) != segment.derived.of(derived):
                raise ValueError(f"segment {number} is kept but its two texts differ: {segment}")
            at_source, at_derived = segment.source.end, segment.derived.end
            rules.append(segment.rule)
            source_ends.append(at_source)
            derived_ends.append(at_derived)
        if (at_source, at_derived) != (len(source), len(derived)):
            raise ValueError(f"the segments end at {at_source}/{at_derived}, the texts at {len(source)}/{len(derived)}")
        self._rules, self._source_ends, self._derived_ends = tuple(rules), source_ends, derived_ends

    @classmethod
    def _of_ends(cls, rules: tuple[str, ...], source_ends: Sequence[int], derived_ends: Sequence[int]) -> SpanMap:
        """Make a map from ends that are known to be right, because `apply` or `inverse` made them."""
        made = cls.__new__(cls)
        made._rules, made._source_ends, made._derived_ends = rules, source_ends, derived_ends
        return made

    def __len__(self) -> int:
        return len(self._rules)

    def __iter__(self) -> Iterator[Segment]:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, number: int) -> Segment:
        number = range(len(self))[number]
        starts = (self._source_ends[number - 1], self._derived_ends[number - 1]) if number else (0, 0)
        return Segment(
            self._rules[number],
            Span(starts[0], self._source_ends[number]),
            Span(starts[1], self._derived_ends[number]),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SpanMap):
            return NotImplemented
        return (self._rules, self._source_ends, self._derived_ends) == (
            other._rules,
            other._source_ends,
            other._derived_ends,
        )

    def __hash__(self) -> int:
        return hash((self._rules, tuple(self._source_ends), tuple(self._derived_ends)))

    def __repr__(self) -> str:
        return f"SpanMap({len(self)} segments, {self.source_length} -> {self.derived_length})"

    @property
    def source_length(self) -> int:
        """The number of code points of the source text."""
        return self._source_ends[-1] if self._rules else 0

    @property
    def derived_length(self) -> int:
        """The number of code points of the derived text."""
        return self._derived_ends[-1] if self._rules else 0

    def inverse(self) -> SpanMap:
        """Return the map from the derived text back to the source; the inverse of the inverse is the map."""
        return SpanMap._of_ends(self._rules, self._derived_ends, self._source_ends)

    def to_derived(self, span: Span) -> Span:
        """Map a span of the source to the derived text.

        A changed segment maps as a whole: a span that touches any of its characters covers all that it became. What was
        dropped or inserted at an edge of the span stays outside; inside the span it belongs to it. An empty span maps
        to the empty span before the next character. Raises ValueError for a span that runs past the text.
        """
        return _across(span, self._source_ends, self._derived_ends, self._rules)

    def to_source(self, span: Span) -> Span:
        """Map a span of the derived text to the source, by the rules of `to_derived` with the sides exchanged."""
        return _across(span, self._derived_ends, self._source_ends, self._rules)

    def within(self, derived: Span) -> Iterator[Segment]:
        """Yield the whole segments that a non-empty span of the derived text touches or runs over, in order.

        Text dropped at an edge of the span is not among them; text dropped inside the span is.
        """
        if derived:
            _refuse_beyond(derived, self.derived_length)
            first = bisect_right(self._derived_ends, derived.start)
            last = bisect_left(self._derived_ends, derived.end, lo=first)
            yield from (self[number] for number in range(first, last + 1))

    def kept(self) -> Iterator[Segment]:
        """Yield the segments whose text is the same on both sides: the maximal runs of unchanged text."""
        return (segment for segment in self if segment.rule == KEEP)

    def edits(self, derived: str) -> list[Edit]:
        """Return the edits that lead from the source to this derived text: `apply(source, edits)` replays it."""
        return [Edit(s.source, s.derived.of(derived), s.rule) for s in self if s.rule != KEEP]

    def to_json(self) -> list[list[str | int]]:
        """Return the segments as rows `[rule, source end, derived end]`, ready for JSON."""
        return [list(row) for row in zip(self._rules, self._source_ends, self._derived_ends, strict=True)]

    @classmethod
    def from_json(cls, rows: Sequence[Sequence[str | int]], source: str, derived: str) -> SpanMap:
        """Read back what `to_json` wrote, checked against both texts; raises ValueError if it does not fit them."""
        segments: list[Segment] = []
        at_source = at_derived = 0
        for rule, source_end, derived_end in rows:
            here = Span(at_source, int(source_end)), Span(at_derived, int(derived_end))
            segments.append(Segment(str(rule), *here))
            at_source, at_derived = here[0].end, here[1].end
        return cls(segments, source, derived)


def apply(text: str, edits: Iterable[Edit]) -> tuple[str, SpanMap]:
    """Make the derived text and its map from a text and its edits, given in any order.

    Raises ValueError, naming the edit, when one runs past the text, overlaps another, shares its empty span with
    another (their order would be a guess), changes nothing because both sides are empty, or is called "keep".
    """
    pieces: list[str] = []
    rules: list[str] = []
    source_ends, derived_ends = array("q"), array("q")
    at = length = 0
    before: Edit | None = None

    for edit in sorted(edits, key=lambda each: (each.span.start, each.span.end)):
        start, end = edit.span.start, edit.span.end
        if start < at or (before is not None and start == end and before.span == edit.span):
            raise ValueError(f"edits overlap: {before} and {edit}")
        _refuse_beyond(edit.span, len(text))
        if edit.rule == KEEP or (start == end and not edit.replacement):
            raise ValueError(f"not an edit, since it changes nothing: {edit}")
        if start > at:
            pieces.append(text[at:start])
            length += start - at
            rules.append(KEEP)
            source_ends.append(start)
            derived_ends.append(length)
        pieces.append(edit.replacement)
        length += len(edit.replacement)
        rules.append(edit.rule)
        source_ends.append(end)
        derived_ends.append(length)
        at, before = end, edit

    if at < len(text):
        pieces.append(text[at:])
        rules.append(KEEP)
        source_ends.append(len(text))
        derived_ends.append(length + len(text) - at)
    return "".join(pieces), SpanMap._of_ends(tuple(rules), source_ends, derived_ends)


def _across(span: Span, ends: Sequence[int], far_ends: Sequence[int], rules: Sequence[str]) -> Span:
    """Carry a span from one side of a tiling to the other."""
    _refuse_beyond(span, ends[-1] if ends else 0)
    first = bisect_right(ends, span.start)
    if first == len(ends):
        end = far_ends[-1] if far_ends else 0
        return Span(end, end)
    far_start = far_ends[first - 1] if first else 0
    kept_before = span.start - (ends[first - 1] if first else 0)
    start = far_start + kept_before if rules[first] == KEEP else far_start
    if not span:
        return Span(start, start)
    last = bisect_left(ends, span.end, lo=first)
    end = far_ends[last] - (ends[last] - span.end) if rules[last] == KEEP else far_ends[last]
    return Span(start, end)


def _refuse_beyond(span: Span, length: int) -> None:
    if span.end > length:
        raise ValueError(f"the span [{span.start}, {span.end}) runs past the end of the text at {length}")
