"""The laws of spans, edits and maps, held against a slow oracle."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrprep.spans import KEEP, Edit, Segment, Span, SpanMap, apply
from tests.oracle import oracle_apply, oracle_map
from tests.strategies import edited_texts, spans_of

edited = given(edited_texts())


@edited
def test_apply_agrees_with_the_oracle(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    derived, span_map = apply(text, edits)
    expected, cells = oracle_apply(text, edits)
    assert derived == expected
    changed = [(range(*_ends(s.source)), range(*_ends(s.derived))) for s in span_map if s.rule != KEEP]
    assert changed == [(cell.source, cell.derived) for cell in cells if not cell.kept]


@edited
def test_the_segments_tile_both_texts(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    derived, span_map = apply(text, edits)
    source_at = derived_at = 0
    for segment in span_map:
        assert (segment.source.start, segment.derived.start) == (source_at, derived_at)
        source_at, derived_at = segment.source.end, segment.derived.end
    assert (source_at, derived_at) == (len(text), len(derived)) == (span_map.source_length, span_map.derived_length)


@edited
def test_kept_text_is_equal_and_runs_are_maximal(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    derived, span_map = apply(text, edits)
    assert all(s.source.of(text) == s.derived.of(derived) != "" for s in span_map.kept())
    assert not any(a.rule == b.rule == KEEP for a, b in pairwise(span_map))


@edited
def test_kept_replaced_and_dropped_pieces_rebuild_the_source(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    derived, span_map = apply(text, edits)
    recorded = {edit.span: edit.span.of(text) for edit in edits if edit.span}
    pieces = [s.derived.of(derived) if s.rule == KEEP else recorded.get(s.source, "") for s in span_map]
    assert "".join(pieces) == text


@edited
def test_replay_gives_the_reading(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    derived, span_map = apply(text, edits)
    assert apply(text, span_map.edits(derived)) == (derived, span_map)


@edited
def test_the_checking_constructor_accepts_what_apply_made(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    derived, span_map = apply(text, edits)
    again = SpanMap(list(span_map), text, derived)
    assert again == span_map
    assert hash(again) == hash(span_map)


@edited
def test_inverse_is_an_involution(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    derived, span_map = apply(text, edits)
    assert span_map.inverse().inverse() == span_map
    assert SpanMap(list(span_map.inverse()), derived, text) == span_map.inverse()


@edited
def test_json_round_trip(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    derived, span_map = apply(text, edits)
    assert SpanMap.from_json(json.loads(json.dumps(span_map.to_json())), text, derived) == span_map


@given(edited_texts(), st.data())
def test_lookups_agree_with_the_oracle(case: tuple[str, list[Edit]], draw: st.DataObject) -> None:
    text, edits = case
    derived, span_map = apply(text, edits)
    _, cells = oracle_apply(text, edits)
    span = draw.draw(spans_of(len(text)))
    assert span_map.to_derived(span) == oracle_map(span, cells, to_derived=True)
    assert span_map.inverse().to_source(span) == span_map.to_derived(span)
    span = draw.draw(spans_of(len(derived)))
    assert span_map.to_source(span) == oracle_map(span, cells, to_derived=False)


@given(edited_texts(), st.data())
def test_lookups_are_monotone(case: tuple[str, list[Edit]], draw: st.DataObject) -> None:
    text, edits = case
    derived, span_map = apply(text, edits)
    for length, look_up in ((len(text), span_map.to_derived), (len(derived), span_map.to_source)):
        inner = draw.draw(spans_of(length))
        outer = Span(draw.draw(st.integers(0, inner.start)), draw.draw(st.integers(inner.end, length)))
        small, large = look_up(inner), look_up(outer)
        assert large.start <= small.start
        if inner:
            assert small.end <= large.end


@given(edited_texts(), st.data())
def test_a_span_comes_back_covering_itself(case: tuple[str, list[Edit]], draw: st.DataObject) -> None:
    text, edits = case
    derived, span_map = apply(text, edits)
    span = draw.draw(spans_of(len(derived)))
    if span and span_map.to_source(span):
        back = span_map.to_derived(span_map.to_source(span))
        inserted = [s for s in span_map.within(span) if not s.source]
        assert inserted or (back.start <= span.start and span.end <= back.end)


@given(edited_texts(), st.data())
def test_within_yields_just_the_segments_that_the_span_meets(case: tuple[str, list[Edit]], draw: st.DataObject) -> None:
    text, edits = case
    derived, span_map = apply(text, edits)
    span = draw.draw(spans_of(len(derived)))
    touched = [n for n, s in enumerate(span_map) if s.derived.intersects(span)]
    expected = [span_map[n] for n in range(touched[0], touched[-1] + 1)] if touched else []
    assert list(span_map.within(span)) == expected


@pytest.mark.parametrize(
    ("edits", "fault"),
    [
        ([Edit(Span(0, 3), "", "a"), Edit(Span(2, 4), "", "b")], "overlap"),
        ([Edit(Span(1, 2), "x", "a"), Edit(Span(1, 2), "y", "b")], "overlap"),
        ([Edit(Span(2, 2), "x", "a"), Edit(Span(2, 2), "y", "b")], "overlap"),
        ([Edit(Span(1, 4), "x", "a"), Edit(Span(2, 2), "y", "b")], "overlap"),
        ([Edit(Span(4, 9), "", "a")], "past the end"),
        ([Edit(Span(2, 2), "", "a")], "changes nothing"),
        ([Edit(Span(1, 2), "x", KEEP)], "changes nothing"),
    ],
)
def test_apply_refuses_what_is_no_edit_script(edits: list[Edit], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        apply("abcdef", edits)


@pytest.mark.parametrize(
    ("segments", "fault"),
    [
        ([Segment(KEEP, Span(0, 2), Span(0, 2))], "the segments end at 2/2"),
        ([Segment(KEEP, Span(1, 3), Span(0, 2))], "segment 0 does not begin"),
        ([Segment(KEEP, Span(0, 2), Span(0, 2)), Segment("x", Span(1, 3), Span(2, 3))], "segment 1 does not begin"),
        ([Segment(KEEP, Span(0, 3), Span(0, 3))], "segment 0 is kept but"),
    ],
)
def test_a_map_that_breaks_an_invariant_cannot_be_made(segments: list[Segment], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        SpanMap(segments, "abc", "abd")


@pytest.mark.parametrize("ends", [(-1, 2), (3, 2)])
def test_a_span_with_crossed_or_negative_ends_cannot_be_made(ends: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="not a span"):
        Span(*ends)


def test_an_empty_text_has_an_empty_map() -> None:
    derived, span_map = apply("", [])
    assert (derived, len(span_map), span_map.to_source(Span(0, 0))) == ("", 0, Span(0, 0))
    assert span_map == SpanMap([], "", "")


def test_a_dropped_head_stays_outside_a_quote_that_begins_after_it() -> None:
    text = "repre-\n\fIV HEAD\nsentation"
    derived, span_map = apply(text, [Edit(Span(5, 7), "", "hyphen"), Edit(Span(7, 16), "", "drop")])
    assert derived == "representation"
    assert span_map.to_source(Span(0, 5)) == Span(0, 5)
    assert span_map.to_source(Span(5, 14)) == Span(16, 25)
    assert span_map.to_source(Span(4, 6)) == Span(4, 17)
    assert [segment.rule for segment in span_map.within(Span(4, 6))] == [KEEP, "hyphen", "drop", KEEP]


def test_a_lookup_beyond_the_text_is_an_error() -> None:
    _, span_map = apply("abc", [])
    with pytest.raises(ValueError, match="past the end"):
        span_map.to_source(Span(0, 4))


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end
