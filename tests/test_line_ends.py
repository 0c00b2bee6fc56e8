"""Hyphens at line ends: the document's vocabulary, the shape, and what stays open."""

from __future__ import annotations

import pytest

from ocrprep.options import ReadingOptions
from ocrprep.preparing.lexicon import Lexicon
from ocrprep.preparing.line_ends import line_end
from ocrprep.reading import Change
from tests.page_builder import readings_of, text_pages

C22 = [
    "The salt-",
    "curing season lasts a week; a",
    "salt-curing shed opens and the investi-",
    "gator draws the x-",
    "axis, both pre- and post-",
    "war, beside the candle-",
    "stick. An investigator knows.",
]


def test_the_document_decides_and_the_rest_is_flagged() -> None:
    """Case C22."""
    body, _ = readings_of(text_pages([C22]))
    assert body.text == (
        "The salt-curing season lasts a week; a salt-curing shed opens and the investigator draws the x-axis, "
        "both pre- and post-war, beside the candlestick. An investigator knows."
    )
    flagged = [edit for edit in body.edits if isinstance(edit, Change) and edit.flags]
    assert [(edit.flags, edit.alternatives) for edit in flagged] == [
        (("hyphen_ambiguous",), ("candlestick", "candle-stick"))
    ]
    assert "salt-\ncuring" in body.representation.text


@pytest.mark.parametrize(
    ("before", "after", "elsewhere", "expected"),
    [
        ("the investi-", "gator", "an investigator", "dehyphenate"),
        ("the investi-", "gator", "an Investigator", "dehyphenate"),
        ("the salt-", "curing", "salt-curing", "keep_hyphen -"),
        ("the salt-", "curing", "salt‐curing", "keep_hyphen -"),
        ("the candle-", "stick", "", "dehyphenate?"),
        ("the candle-", "stick", "candlestick candle-stick", "dehyphenate?"),
        ("the x-", "axis", "", "keep_hyphen -"),
        ("from 1914-", "18", "", "keep_hyphen -"),
        ("in 19-", "hundred", "", "keep_hyphen -"),
        ("with Jean-", "Paul", "", "keep_hyphen -"),
        ("INTRO-", "DUCTION", "", "dehyphenate?"),
        ("both pre- and post-", "war", "", "keep_hyphen -"),
        ("both pre-", "and post-war", "", "keep_hyphen - "),
        ("der Ein-", "und Ausgang", "", "keep_hyphen - "),
        ("a sail-", "or", "", "dehyphenate?"),
        ("the soft\u00ad", "ly", "", "dehyphenate"),
        ("man ver⸗", "ſetzte", "", "dehyphenate"),
        ("the candle¬", "stick", "", "dehyphenate"),
        ("the candle\u2010", "stick", "", "dehyphenate?"),
        ("he said -", "and left", "", None),
        ("he said—", "and left", "", None),
        ("he said–", "and left", "", None),
        ("he said--", "and left", "", None),
        ("an island", "lies", "", None),
        ("-", "and", "", None),
    ],
)
def test_hyphens(before: str, after: str, elsewhere: str, expected: str | None) -> None:
    found = line_end(before, after, Lexicon([before, after, elsewhere]))
    told = None if found is None else found.kind + (f" {found.replacement}" if found.replacement else "")
    assert told == (expected and expected.rstrip("?"))
    assert (found is not None and found.flags == ("hyphen_ambiguous",)) == (expected or "").endswith("?")


def test_word_parts_at_line_ends_are_no_vocabulary() -> None:
    """`stick` and `candle` stand at a line end only, so they witness nothing."""
    lexicon = Lexicon(["the candle-", "stick burns", "candlestick"])
    assert [lexicon.count(word) for word in ("candle", "stick", "burns", "candlestick")] == [0, 0, 1, 1]


def test_vocabulary_is_counted_as_evidence() -> None:
    found = line_end("investi-", "gator", Lexicon(["an investigator,", "the Investigator"]))
    assert found is not None
    assert found.evidence == {"closed": 2, "hyphenated": 0}


def test_a_soft_hyphen_within_a_line_is_left_out_and_kept_in_the_source() -> None:
    """The middle of case C25, and C39 F."""
    body, _ = readings_of(
        text_pages([["Am Haus\u00adt\u00fcr\u00adschloss hing es. Harbour Street\u00adNorth, and sum q \u00ad)."]])
    )
    assert body.text == "Am Haust\u00fcrschloss hing es. Harbour Street-North, and sum q \u00ad)."
    assert body.representation.text.count("\u00ad") == 4
    flagged = [edit.alternatives for edit in body.edits if isinstance(edit, Change) and edit.flags]
    assert flagged == [("StreetNorth", "Street-North")]


def test_without_reflow_a_soft_hyphen_stays() -> None:
    body, _ = readings_of(text_pages([["re\u00adwind now"]]), ReadingOptions(reflow=False))
    assert body.text == "re\u00adwind now"
