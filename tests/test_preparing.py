"""Preparation as a whole: no character without a record, replay, determinism, and both flows."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrprep.options import ReadingOptions
from ocrprep.preparing import find
from ocrprep.profiles import profile_for
from ocrprep.reading import FLOWS, Change, Drop, Reading, SetAside, edits_of_record, unrecorded
from ocrprep.representation import Representation
from ocrprep.spans import apply
from tests.page_builder import Typed, printed, readings_of, representation_of, text_pages

HARD = """
the salt- curing x- axis 1914- and Ein- A. end. IV 12 • 1. 旅の話 長い post- war, — —¬ ver⸗ so\u00ad
re\u00adwind \u00ad) Street\u00adNorth Jean- Paul HEAD
שלום * \ufffd - (2) ſetzte
"""
WORDS = st.sampled_from(HARD.split())
SENTENCE = st.lists(WORDS, min_size=1, max_size=7).map(" ".join)
BODY_LINE = st.builds(
    Typed,
    text=SENTENCE,
    x=st.sampled_from([60.0, 60.0, 60.0, 84.0, 200.0, 320.0]),
    size=st.sampled_from([10.0, 10.0, 10.0, 18.0, 8.0]),
    block=st.integers(1, 3),
)
HEADS = ["", "", "THE EXAMPLE CHRONICLE", "A Winter Journey", "THE EXAMPLE CHR0NICLE", "Page {n} of 9", "- {n} -"]


@st.composite
def hard_pages(draw: st.DrawFn) -> Representation:
    """Pages with heads, folios merged with them or not, notes, columns, blank pages, and lines in any place."""
    pages: list[list[Typed]] = []
    pattern = draw(st.lists(st.sampled_from(HEADS), min_size=1, max_size=2))
    offset = draw(st.integers(0, 3))
    for number in range(1, draw(st.integers(0, 6)) + 1):
        if draw(st.integers(0, 5)) == 0:
            pages.append([])
            continue
        head = pattern[number % len(pattern)].format(n=number + offset)
        folio = draw(st.sampled_from(["", str(number + offset), "B", "iv"]))
        where = draw(st.sampled_from(["before", "after", "line", "foot", "none"]))
        top = {"before": f"{folio} {head}", "after": f"{head} {folio}"}.get(where, head).strip()
        lines = [Typed(top, 200, 30)] if top else []
        lines += [Typed(folio, 540, 30)] if folio and where == "line" else []
        body = draw(st.lists(BODY_LINE, max_size=6))
        y = draw(st.sampled_from([44.0, 80.0]))
        lines += [line._replace(y=y + 14 * at) for at, line in enumerate(body)]
        notes = draw(st.lists(SENTENCE, max_size=2))
        lines += [Typed(f"{'*' * at} {text}", 60, 700 + 10 * at, 8, 4) for at, text in enumerate(notes, start=1)]
        lines += [Typed(folio, 300, 760)] if folio and where == "foot" else []
        pages.append(lines)
    return representation_of(pages)


OPTIONS = st.builds(
    ReadingOptions,
    furniture=st.sampled_from(["drop", "drop", "drop", "mark", "off"]),
    keep=st.sampled_from([(), (), ("folio",), ("running_head",)]),
    reflow=st.booleans(),
    edge_lines=st.integers(1, 3),
)


@given(hard_pages(), OPTIONS)
def test_no_character_is_lost_without_a_record(representation: Representation, options: ReadingOptions) -> None:
    readings = readings_of(representation, options)
    assert unrecorded(representation, readings) == []
    for reading in readings:
        ordered = sorted(reading.edits, key=lambda edit: edit.span)
        assert all(before.span.end <= after.span.start for before, after in pairwise(ordered))
        json.dumps([dict(edit.evidence) for edit in ordered], allow_nan=False)


@given(hard_pages(), OPTIONS)
def test_a_record_replays_its_reading(representation: Representation, options: ReadingOptions) -> None:
    for reading in readings_of(representation, options):
        text, _ = apply(representation.text, edits_of_record(reading.record, representation.text))
        assert text == reading.text


@given(hard_pages(), OPTIONS)
def test_a_reading_has_paragraphs_and_no_marks_of_pages(
    representation: Representation, options: ReadingOptions
) -> None:
    for reading in readings_of(representation, options):
        assert reading.text == reading.text.strip()
        assert "\f" not in reading.text
        assert not re.search(r"\n{3}| {2}| \n|\n ", reading.text)


@given(hard_pages(), OPTIONS)
def test_the_same_pages_are_prepared_in_the_same_way(representation: Representation, options: ReadingOptions) -> None:
    assert find(representation, options) == find(representation, options)


@given(hard_pages(), OPTIONS)
def test_recorded_runs_of_words_leave_out_the_space_that_their_spans_take(
    representation: Representation, options: ReadingOptions
) -> None:
    for reading in readings_of(representation, options):
        for edit in reading.edits:
            if isinstance(edit, Drop):
                text = edit.words.of(representation.text)
                assert text == text.strip()
                assert edit.span.of(representation.text).strip() == text


@given(hard_pages())
def test_groups_are_the_edits_of_one_gap(representation: Representation) -> None:
    for reading in readings_of(representation):
        groups = [edit.group for edit in reading.edits if edit.group is not None]
        assert groups == sorted(groups)
        assert all(groups.count(group) > 1 for group in groups)


@pytest.mark.parametrize("pages", [[], [[]], [[], [], []]])
def test_documents_without_words_give_empty_readings(pages: list[list[str]]) -> None:
    for reading in readings_of(text_pages(pages)):
        assert reading.text == ""
        assert [edit.rule for edit in reading.edits] == ["outer_space"] * len(pages)


def test_pages_of_furniture_alone_give_empty_readings() -> None:
    body, notes = readings_of(representation_of([[Typed(str(page), 300, 30)] for page in range(1, 5)]))
    assert (body.text, notes.text) == ("", "")
    assert len(body.record.dropped_lines) == 4


def test_footnotes_leave_the_sentence_that_they_interrupt() -> None:
    prose = ["The harbour was quiet when the boats* came home and", "nobody on the quay had thought to light the"]
    note = [Typed("* The boats of Orsey, that is, and", 60, 700, 8), Typed("no others.", 60, 709, 8)]
    after = printed(["lamps. A boy went up the hill to ring the bell, but", "it had no rope.", *prose], y=80)
    representation = representation_of([[*printed(prose, y=80), *note], after])
    body, notes = readings_of(representation)
    assert "light the lamps. A boy" in body.text
    assert notes.text == "* The boats of Orsey, that is, and no others."
    (aside,) = [edit for edit in body.edits if isinstance(edit, SetAside)]
    assert (aside.kind, aside.lines, aside.page) == ("footnote", (3, 4), 1)
    assert [(edit.kind, edit.lines) for edit in notes.edits if isinstance(edit, SetAside)] == [
        ("body", (1, 2)),
        ("body", (1, 4)),
    ]


@pytest.mark.parametrize(
    "note",
    [
        pytest.param(Typed("* The boats of Orsey.", 60, 700, 10), id="no smaller type"),
        pytest.param(Typed("The boats of Orsey.", 60, 700, 8), id="no marker"),
        pytest.param(Typed("* The boats of Orsey.", 60, 122, 8), id="no space above"),
    ],
)
def test_in_doubt_a_note_stays_in_the_body(note: Typed) -> None:
    lines = ["The harbour was quiet when the boats came home and", "nobody on the quay had thought to light the"]
    body, notes = readings_of(representation_of([[*printed([*lines, lines[0]], y=80), note]]))
    assert "boats of Orsey" in body.text
    assert notes.text == ""


def test_without_notes_the_whole_body_is_set_aside() -> None:
    _, notes = readings_of(text_pages([["One line", "and another."], ["A third."]]))
    assert notes.text == ""
    assert [edit.kind for edit in notes.edits if isinstance(edit, SetAside)] == ["body", "body"]


def test_a_line_end_after_a_folio_dropped_from_the_lines_end_is_told_of() -> None:
    """The body's line is set aside from the notes in one piece, and its line end as another."""
    pages = [
        [Typed(f"THE EXAMPLE CHRONICLE {page}", 200, 30), *printed(["Some text here."], y=80)] for page in (1, 2, 3)
    ]
    options = ReadingOptions(keep=("running_head",))
    representation = representation_of(pages)
    readings = readings_of(representation, options)
    assert unrecorded(representation, readings) == []
    rules = {edit.rule for edit in readings[1].edits if isinstance(edit, Change)}
    assert "left_over_line_end" in rules


def test_findings_name_the_versions_of_the_rules() -> None:
    profile = profile_for("furniture", "furniture-2")
    assert profile is not None
    findings = find(text_pages([["One line."]]), ReadingOptions())
    assert findings.versions == {
        "furniture": {"rules": "furniture-2", "scorecards": profile.scorecards_hash},
        "reflow": {"rules": "reflow-3"},
    }
    assert tuple(findings.edits) == FLOWS
    assert Reading(text_pages([["One line."]]), "body", findings, ReadingOptions()).text == "One line."
