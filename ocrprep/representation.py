"""The representation: what was read, laid out as one text that is never edited, with a place for every word."""

from __future__ import annotations

import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ocrprep.identity import hash_json, hash_text
from ocrprep.options import RecognitionOptions
from ocrprep.pages import Box, Page, Word, around
from ocrprep.records.base import SCHEMA_VERSION, SchemaVersion
from ocrprep.records.representation import (
    EngineFingerprint,
    RepresentationHeader,
    SourceFile,
    options_written,
    page_to_json,
)
from ocrprep.spans import Span

LAYOUT = "layout-1"
"""The version of the rules by which a representation's text is laid out from its words."""


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """A line of the representation's text. `page` and `number` are 1-based; the span leaves out the line end."""

    page: int
    number: int
    span: Span
    text: str
    box: Box
    block: int


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word of the representation's text with its place in it and on its page."""

    page: int
    line: int
    span: Span
    word: Word


class Representation:
    """What was read: pages of lines of words, and their text with a place for every word.

    `alternates` are other readings of the same pages by their kind, such as a rejected text layer; they are no part of
    this one's ID. `schema_version` is the form in which it is written, and so a part of it.

    The text has the words of a line joined by one space (by none between two Han or kana words), `\\n` after every line
    and `\\f` after every page, so that a blank page is just `\\f`.
    """

    def __init__(
        self,
        source_id: str,
        source_files: Sequence[SourceFile],
        pages: Iterable[Page],
        *,
        engine: EngineFingerprint | None = None,
        options: RecognitionOptions | None = None,
        selected_pages: str | None = None,
        alternates: Mapping[str, Representation] | None = None,
        schema_version: SchemaVersion = SCHEMA_VERSION,
    ) -> None:
        self.source_id = source_id
        self.source_files = tuple(source_files)
        self.pages = tuple(pages)
        if [page.number for page in self.pages] != list(range(1, len(self.pages) + 1)):
            raise ValueError("pages must be numbered 1, 2, 3 … in their order")
        self.engine = engine
        self.options = options or RecognitionOptions()
        self.selected_pages = selected_pages
        self.alternates = dict(alternates or {})
        self.schema_version = schema_version
        self._lay_out()

    def _lay_out(self) -> None:
        """Build the text and the offsets of pages, lines and words."""
        pieces: list[str] = []
        self._word_starts, self._line_starts, self._line_ends = array("q"), array("q"), array("q")
        self._page_starts, self._first_line, self._first_word = array("q"), array("q"), array("q")
        at = 0
        for page in self.pages:
            self._page_starts.append(at)
            self._first_line.append(len(self._line_starts))
            self._first_word.append(len(self._word_starts))
            for line in range(page.line_count):
                self._line_starts.append(at)
                before = ""
                for index in page.word_range(line):
                    text = page.words.texts[index]
                    if before and needs_space(before, text):
                        pieces.append(" ")
                        at += 1
                    self._word_starts.append(at)
                    pieces.append(text)
                    at += len(text)
                    before = text
                self._line_ends.append(at)
                pieces.append("\n")
                at += 1
            pieces.append("\f")
            at += 1
        self.text = "".join(pieces)

    def __repr__(self) -> str:
        return f"Representation({len(self.pages)} pages, {len(self._word_starts)} words)"

    @cached_property
    def page_lines(self) -> tuple[str, ...]:
        """Each page as its line of `representation.jsonl`."""
        return tuple(page_to_json(page, self.schema_version) for page in self.pages)

    @cached_property
    def representation_id(self) -> str:
        """The hash of what was read and of all that decided it; names and paths are left out."""
        return hash_json(
            {
                "layout": LAYOUT,
                "sourceId": self.source_id,
                "files": [each.hash for each in self.source_files],
                "engine": None if self.engine is None else self.engine.model_dump(mode="json", by_alias=True),
                "options": options_written(self.options, self.schema_version),
                "selectedPages": self.selected_pages,
                "pages": [hash_text(line) for line in self.page_lines],
            }
        )

    @property
    def header(self) -> RepresentationHeader:
        """The first line of `representation.jsonl`."""
        return RepresentationHeader(
            schema_version=self.schema_version,
            source_id=self.source_id,
            representation_id=self.representation_id,
            source_files=self.source_files,
            engine=self.engine,
            options=self.options,
            pages=self.selected_pages,
            layout=LAYOUT,
            page_count=len(self.pages),
        )

    @property
    def lines(self) -> Iterator[PlacedLine]:
        """All lines in reading order."""
        return (self.line(page.number, line + 1) for page in self.pages for line in range(page.line_count))

    def page_span(self, page: int) -> Span:
        """Return the span of a 1-based page, its closing `\\f` included."""
        end = self._page_starts[page] if page < len(self.pages) else len(self.text)
        return Span(self._page_starts[page - 1], end)

    def line(self, page: int, number: int) -> PlacedLine:
        """Return a line by its 1-based page and its 1-based number on that page."""
        read = self.pages[page - 1]
        index = self._first_line[page - 1] + range(read.line_count)[number - 1]
        span = Span(self._line_starts[index], self._line_ends[index])
        box = around(read.words.box(word) for word in read.word_range(number - 1))
        return PlacedLine(page, number, span, span.of(self.text), box, read.line_blocks[number - 1])

    def page_at(self, offset: int) -> int:
        """Return the 1-based page on which a character stands."""
        return bisect_right(self._page_starts, offset)

    def words(self, span: Span) -> Iterator[PlacedWord]:
        """Yield the words that share a character with a span, in order; it takes no longer in a longer text."""
        starts = self._word_starts
        at = max(bisect_right(starts, span.start) - 1, 0) if span else len(starts)
        while at < len(starts) and starts[at] < span.end:
            placed = self._word(at)
            if placed.span.end > span.start:
                yield placed
            at += 1

    def index_on_page(self, placed: PlacedWord) -> int:
        """Return the index of a placed word in the words of its page."""
        return bisect_right(self._word_starts, placed.span.start) - 1 - self._first_word[placed.page - 1]

    def line_words(self, line: PlacedLine) -> list[PlacedWord]:
        """Return the words of a line."""
        return list(self.words(line.span))

    def _word(self, at: int) -> PlacedWord:
        page = bisect_right(self._first_word, at)
        read = self.pages[page - 1]
        index = at - self._first_word[page - 1]
        word = read.words[index]
        start = self._word_starts[at]
        return PlacedWord(page, read.line_of_word(index) + 1, Span(start, start + len(word.text)), word)


def needs_space(before: str, after: str) -> bool:
    """Say whether two words of one line are joined by a space: always, except between Han or kana words."""
    return not (_is_unspaced(before[-1]) and _is_unspaced(after[0]))


def _is_unspaced(character: str) -> bool:
    """Say whether a character belongs to a script written without spaces: Han, kana, and their punctuation."""
    if character < "\u2e80":
        return False
    return character in "、。〈〉《》「」『』【】〔〕…！（），：；？" or unicodedata.name(character, "").startswith(
        ("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "HIRAGANA", "KATAKANA", "IDEOGRAPHIC")
    )
