"""Figures of page furniture, both ways: what of it is found, and what of the body is wrongly dropped.

All by non-space characters of the words as they were read, so that it is no matter how an engine cuts lines.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ocrprep.calibrating.zones import LABELS
from ocrprep.reading import Drop, PreparationEdit
from ocrprep.representation import Representation

CLASSES: Mapping[str, tuple[str, ...]] = {
    "runningHeads": ("running_head",),
    "folios": ("folio",),
    "signaturesCatchwords": ("signature", "catchword"),
    "allFurniture": ("running_head", "folio", "signature", "catchword"),
    "footnotes": ("footnote",),
    "marginNotes": ("marginalia",),
    "unlabelled": ("none", "artefact", "stamp"),
}
"""Recall in percent of the characters of these labels; of the last three it is told and is no error."""

LOST_PAGE = 10
"""Body characters from which on a page counts as one that loses text: two words."""


@dataclass(slots=True)
class Tally:
    """Characters of each label, and how many of them were dropped; pages, and those that lose text."""

    characters: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LABELS, 0))
    dropped: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LABELS, 0))
    pages: int = 0
    losing: int = 0

    def add(self, other: Tally) -> None:
        """Add the counts of another tally."""
        for label in LABELS:
            self.characters[label] += other.characters[label]
            self.dropped[label] += other.dropped[label]
        self.pages += other.pages
        self.losing += other.losing

    def figures(self) -> dict[str, float | None]:
        """Return the figures: recalls in percent, body per 1,000, pages losing text in percent; null without a case."""
        found: dict[str, float | None] = {}
        for name, labels in CLASSES.items():
            total = sum(self.characters[label] for label in labels)
            found[name] = 100 * sum(self.dropped[label] for label in labels) / total if total else None
        body = self.characters["body"]
        found["bodyPer1000"] = 1000 * self.dropped["body"] / body if body else None
        found["pagesLosingText"] = 100 * self.losing / self.pages if self.pages else None
        return found


@dataclass(frozen=True, slots=True)
class LostText:
    """Body text of a page that was wrongly dropped."""

    book: str
    page: int
    text: str
    characters: int


@dataclass(frozen=True, slots=True)
class BookFigures:
    """What was counted of one book, page by page, and the text that it lost."""

    name: str
    pages: tuple[Tally, ...]
    lost: tuple[LostText, ...]

    @property
    def tally(self) -> Tally:
        """The counts of the whole book."""
        return summed(self.pages)


def score_book(
    name: str, representation: Representation, labels: Sequence[Sequence[str]], edits: Iterable[PreparationEdit]
) -> BookFigures:
    """Count what the edits of a reading drop of each label; `labels[page - 1][word]`, words in their page's order."""
    gone = {
        (placed.page, representation.index_on_page(placed))
        for edit in edits
        if isinstance(edit, Drop)
        for placed in representation.words(edit.words)
    }
    tallies: list[Tally] = []
    lost: list[LostText] = []
    for page, given in zip(representation.pages, labels, strict=True):
        tally = Tally(pages=1)
        wrong: list[str] = []
        for at, (text, label) in enumerate(zip(page.words.texts, given, strict=True)):
            tally.characters[label] += len(text)
            if (page.number, at) in gone:
                tally.dropped[label] += len(text)
                wrong += [text] if label == "body" else []
        tally.losing = int(tally.dropped["body"] >= LOST_PAGE)
        tallies.append(tally)
        if wrong:
            lost.append(LostText(name, page.number, " ".join(wrong), tally.dropped["body"]))
    return BookFigures(name, tuple(tallies), tuple(lost))


def summed(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of tallies."""
    total = Tally()
    for each in tallies:
        total.add(each)
    return total


def micro(books: Sequence[BookFigures]) -> dict[str, float | None]:
    """Return the figures of all characters together."""
    return summed(book.tally for book in books).figures()


def macro(books: Sequence[BookFigures]) -> dict[str, float | None]:
    """Return the mean of each figure over the books that have a case of it."""
    every = [book.tally.figures() for book in books]
    means: dict[str, float | None] = {}
    for name in every[0] if every else ():
        known = [value for value in (each[name] for each in every) if value is not None]
        means[name] = sum(known) / len(known) if known else None
    return means


def interval(books: Sequence[BookFigures], name: str, *, rounds: int = 500) -> tuple[float, float] | None:
    """Return the 95 % bootstrap interval of a micro figure: pages drawn anew within each book, with a fixed seed."""
    drawn = random.Random(1)  # noqa: S311  a seeded draw is what makes the figure repeatable
    values = []
    for _ in range(rounds):
        total = Tally()
        for book in books:
            for tally in drawn.choices(book.pages, k=len(book.pages)):
                total.add(tally)
        value = total.figures()[name]
        if value is not None:
            values.append(value)
    values.sort()
    return (values[int(0.025 * len(values))], values[int(0.975 * len(values))]) if values else None
