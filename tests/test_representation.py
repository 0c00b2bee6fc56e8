"""The layout of the representation's text, its word index, its ID, and its lines on paper."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrprep.identity import hash_bytes
from ocrprep.options import RecognitionOptions
from ocrprep.pages import Box, Line, Page, Word
from ocrprep.records import SourceFile, page_from_json, page_to_json
from ocrprep.representation import Representation
from ocrprep.spans import Span
from tests.strategies import page_lists, spans_of

SOURCE = hash_bytes(b"scan")


def representation(pages: list[Page], **changes: object) -> Representation:
    files = [SourceFile(name="scan.pdf", hash=SOURCE, size=4, pages=len(pages))]
    return Representation(SOURCE, files, pages, **changes)  # type: ignore[arg-type]


@given(page_lists())
def test_the_text_holds_every_word_once_in_order(pages: list[Page]) -> None:
    made = representation(pages)
    words = list(made.words(Span(0, len(made.text))))
    assert [placed.word for placed in words] == [word for page in pages for word in page.words]
    assert all(placed.span.of(made.text) == placed.word.text for placed in words)
    ends = [0, *(placed.span.end for placed in words)]
    starts = [*(placed.span.start for placed in words), len(made.text)]
    between = "".join(made.text[end:start] for end, start in zip(ends, starts, strict=True))
    assert set(between) <= set(" \n\f")


@given(page_lists())
def test_every_line_ends_in_a_newline_and_every_page_in_a_form_feed(pages: list[Page]) -> None:
    made = representation(pages)
    assert made.text.count("\f") == len(pages)
    assert made.text.count("\n") == sum(page.line_count for page in pages)
    for line in made.lines:
        assert made.text[line.span.end] == "\n"
        assert line.text == line.span.of(made.text)
        assert made.page_at(line.span.start) == line.page
        assert made.line(line.page, line.number) == line
    for page in pages:
        text = made.page_span(page.number).of(made.text)
        assert text.endswith("\f")
        assert text == "\f" if not page.line_count else text[-2:] == "\n\f"


@given(page_lists(), st.data())
def test_words_of_a_span_are_those_that_share_a_character_with_it(pages: list[Page], draw: st.DataObject) -> None:
    made = representation(pages)
    span = draw.draw(spans_of(len(made.text)))
    every = made.words(Span(0, len(made.text)))
    assert list(made.words(span)) == [placed for placed in every if placed.span.intersects(span)]


@given(page_lists())
def test_a_page_comes_back_from_paper_as_it_was(pages: list[Page]) -> None:
    for page in pages:
        line = page_to_json(page)
        assert "\n" not in line
        assert page_from_json(line) == page


@given(page_lists())
def test_the_id_is_of_the_content_and_of_what_decided_it(pages: list[Page]) -> None:
    made = representation(pages)
    renamed = Representation(SOURCE, [SourceFile(name="x", hash=SOURCE, size=4, pages=0)], pages)
    assert representation(pages).representation_id == renamed.representation_id == made.representation_id
    german = representation(pages, options=RecognitionOptions(languages=("deu",)))
    partly = representation(pages, selected_pages="1")
    longer = representation([*pages, Page(len(pages) + 1, (1.0, 1.0), "px", state="blank")])
    ids = {each.representation_id for each in (made, german, partly, longer)}
    assert len(ids) == 4


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["sailed", "to", "東京", "in"], "sailed to 東京 in"),
        (["この", "手紙", "は"], "この手紙は"),
        (["長い", "。", "旅"], "長い。旅"),
        (["나는", "오늘"], "나는 오늘"),
        (["שלום", "1948"], "שלום 1948"),
    ],
)
def test_words_are_joined_by_a_space_but_not_between_han_or_kana(words: list[str], text: str) -> None:
    line = Line(tuple(Word(word, Box(0, 0, 1, 1)) for word in words))
    assert representation([Page(1, (9.0, 9.0), "px", [line])]).text == f"{text}\n\f"


def test_pages_must_be_numbered_in_their_order() -> None:
    with pytest.raises(ValueError, match="numbered"):
        representation([Page(2, (9.0, 9.0), "px", state="blank")])


def test_an_empty_span_within_a_word_shares_no_character_with_it() -> None:
    made = representation([Page(1, (9.0, 9.0), "px", [Line((Word("00", Box(0, 0, 1, 1)),))])])
    assert list(made.words(Span(1, 1))) == []
