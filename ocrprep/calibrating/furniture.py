"""Measure page furniture on labelled books: the figures of each book and of all, and what text was lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ocrprep.calibrating.fit import LabelledBook
from ocrprep.calibrating.scoring import BookFigures, LostText, interval, macro, micro, score_book
from ocrprep.options import ReadingOptions
from ocrprep.preparing import find

COLUMNS = {
    "runningHeads": "heads",
    "folios": "folios",
    "signaturesCatchwords": "marks",
    "allFurniture": "all",
    "bodyPer1000": "body/1k",
    "pagesLosingText": "pages",
    "footnotes": "notes",
    "marginNotes": "margin",
    "unlabelled": "other",
}
"""The columns of the table: what is found, then what is wrongly dropped, then what is no error either way."""


@dataclass(frozen=True, slots=True)
class FurnitureFigures:
    """The figures of books, in their order."""

    books: tuple[BookFigures, ...]

    @property
    def worst(self) -> list[LostText]:
        """The pages that lose most body text, the worst first."""
        lost = (each for book in self.books for each in book.lost)
        return sorted(lost, key=lambda each: (-each.characters, each.book, each.page))

    def as_json(self) -> dict[str, object]:
        """Return all figures, and the text that was lost."""
        return {
            "books": {book.name: book.tally.figures() for book in self.books},
            "micro": micro(self.books),
            "macro": macro(self.books),
            "intervals": {name: interval(self.books, name) for name in ("allFurniture", "bodyPer1000")},
            "lost": [
                {"book": each.book, "page": each.page, "characters": each.characters, "text": each.text}
                for each in self.worst
            ],
        }

    def as_table(self) -> list[str]:
        """Return a table of a line a book, and the figures of all."""
        width = max([len(book.name) for book in self.books] + [5])
        rows = [(book.name, book.tally.figures()) for book in self.books]
        rows += [("micro", micro(self.books)), ("macro", macro(self.books))]
        head = f"{'book':<{width}}" + "".join(f"{title:>9}" for title in COLUMNS.values())
        return [head, *(f"{name:<{width}}" + "".join(map(_cell, COLUMNS, map(of.get, COLUMNS))) for name, of in rows)]


def measure_furniture(
    books: Iterable[LabelledBook], options: ReadingOptions, on_book: Callable[[BookFigures], None] | None = None
) -> FurnitureFigures:
    """Prepare each book's representation and count what of each label the body's reading leaves out."""
    measured: list[BookFigures] = []
    for book in books:
        findings = find(book.representation, options)
        measured.append(score_book(book.name, book.representation, book.labels, findings.edits["body"]))
        if on_book is not None:
            on_book(measured[-1])
    return FurnitureFigures(tuple(measured))


def _cell(name: str, value: float | None) -> str:
    shown = "-" if value is None else f"{value:.2f}" if name == "bodyPer1000" else f"{value:.1f}"
    return f"{shown:>9}"
