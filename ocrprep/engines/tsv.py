"""Tesseract's TSV, read without a CSV dialect: a word may hold quotes, tabs and even newlines, and nothing is lost.

1. The header names the columns; the last one, `text`, is the rest of its row.
2. A row is a line that begins with a number for every other column; any other line goes on with the word before it.
3. Every row with text is a word, its line named by page, block, paragraph and line number.

A word whose text has a newline and then looks exactly like a row cannot be told from one; Tesseract writes none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ocrprep.engines.words import number_lines, split_words
from ocrprep.errors import PageError
from ocrprep.pages import Box, Line, Word

_PLACE = ("page_num", "block_num", "par_num", "line_num")
_NEEDED = frozenset({*_PLACE, "left", "top", "width", "height", "conf"})
_NUMBER = r"[-+]?(?:\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|nan|inf)"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the numbers of its page, block, paragraph and line, its box and confidence, its text as written."""

    place: tuple[float, ...]
    box: Box
    confidence: float
    text: str


def parse_tsv(text: str) -> list[Line]:
    """Return the lines of a page's TSV, blocks counted from 1 without gaps; raises PageError when it is no TSV."""
    rows = (row for row in _rows(text) if row.text.strip())
    return number_lines((place[:2], _words(line)) for place, line in groupby(rows, key=lambda row: row.place))


def _words(rows: Iterable[Row]) -> list[Word]:
    return [word for row in rows for word in split_words(row.text, row.box, row.confidence)]


def _rows(text: str) -> Iterator[Row]:
    # Only the newline ends a row: str.splitlines would also cut at form feeds and at U+2028 inside a word.
    header, *lines = text.split("\n")
    columns = header.rstrip("\r").split("\t")
    if columns[-1] != "text" or not _NEEDED.issubset(columns):
        raise PageError(f"Tesseract wrote no TSV but {header[:80]!r}")
    begins = re.compile(rf"({_NUMBER}(?:\t{_NUMBER}){{{len(columns) - 2}}})(?:\t(.*))?", re.ASCII)
    numbers = ""
    texts: list[str] = []
    for line in lines:
        match = begins.fullmatch(line.rstrip("\r"))
        if match is None:
            texts.append(line)
            continue
        if numbers:
            yield _row(columns, numbers, texts)
        numbers, texts = match[1], [match[2] or ""]
    if numbers:
        yield _row(columns, numbers, texts)
    elif "".join(texts).strip():
        raise PageError(f"Tesseract wrote no TSV but {''.join(texts)[:80]!r}")


def _row(columns: Sequence[str], numbers: str, texts: Sequence[str]) -> Row:
    values = dict(zip(columns, map(float, numbers.split("\t")), strict=False))
    left, top = values["left"], values["top"]
    return Row(
        place=tuple(values[each] for each in _PLACE),
        box=Box(left, top, left + values["width"], top + values["height"]),
        confidence=values["conf"],
        text="\n".join(texts),
    )
