"""What a PDF is beside its pages, as a second reader sees it: missing pages, units, scripts, attachments, forms.

In order: walk the structure with qpdf; compare the leaves of the page tree with the count that the file promises and
with the pages that pdfium finds, which decides; put what a reader should know into warnings.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pikepdf

from ocrprep.pages import PageWarning
from ocrprep.sources.faults import shown
from ocrprep.sources.pdf_structure import ACTIONS, MOST_OBJECTS, Structure, walk

MOST_ASKED = 20_000
"""Pages that pdfium is asked for one by one: a missing one takes 20 µs then, and more among more."""

MOST_MISSING = 1000
"""Pages at the end that are promised and not there, each of which still becomes a failed page: damage loses hundreds;
a hundred thousand are a wrong number, and recording them takes minutes."""

MOST_NAMES = 5
LONGEST_NAME = 60
"""Names of embedded files and layers that a warning repeats, and their characters: they are anybody's text."""

PDF_FAULTS: tuple[type[Exception], ...] = (
    pikepdf.PdfError,  # what qpdf cannot parse
    OSError,  # the disk
    RuntimeError,  # qpdf's own limits, and loops of references
    ValueError,  # numbers and strings that are none
    TypeError,  # an object of another type than its place asks for
    LookupError,  # a key or an index that a damaged object has lost
    ArithmeticError,  # numbers beyond C integers
    MemoryError,  # absurd lengths
    NotImplementedError,  # objects that pikepdf cannot convert
)
"""What pikepdf may raise on hostile files. Only its calls, and the walk that is made of them, stand in such `try`s."""


@dataclass(frozen=True, slots=True)
class PdfFacts:
    """How many pages a file has, the points of one unit where that is not 1 (by page, from 1), and what to know."""

    page_count: int
    user_units: Mapping[int, float]
    warnings: tuple[PageWarning, ...]


def needs_password(path: Path) -> bool:
    """Return whether only a password is missing to open an encrypted file, as far as the second reader can tell."""
    try:
        opened(path, None).close()
    except pikepdf.PasswordError:
        return True
    except PDF_FAULTS:
        return False
    return False


def gather(path: Path, password: str | None, page_count: int, loads: Callable[[int], bool], whole: bool) -> PdfFacts:
    """Gather the facts of a file of which pdfium finds `page_count` pages; what cannot be looked at is a warning.

    `loads` asks pdfium whether it finds a page, counted from 1; every page is asked for where anything looks damaged.
    `whole` tells that the file ends as it should.
    """
    found = Structure(damaged=not whole)
    name = shown(path.name)
    try:
        with opened(path, password) as document:
            found.damaged |= bool(document.get_warnings())
            walk(document, found)
    except PDF_FAULTS as error:
        found.fault = type(error).__name__
    there = _pages_there(found, page_count, loads)
    warnings = [*_count_warnings(found, name, page_count, len(there)), *_live_parts(found, name)]
    if found.fault or found.incomplete:
        why = (
            f"a second reader gave up ({found.fault})" if found.fault else f"it has more than {MOST_OBJECTS:,} objects"
        )
        message = f"{name} could not be looked through for missing pages, scripts and attachments: {why}"
        warnings.append(PageWarning("structure_unchecked", message))
    believed = page_count
    if page_count - len(there) > MOST_MISSING:
        believed = min(page_count, max(there, default=1))
    units = found.units if found.walked and len(found.leaves) == page_count else {}
    return PdfFacts(believed, units, tuple(warnings))


def _pages_there(found: Structure, page_count: int, loads: Callable[[int], bool]) -> Sequence[int]:
    """Return the pages, counted from 1, that can be read."""
    if found.walked and not found.damaged:
        if all(found.leaves) and len(found.leaves) >= page_count:
            return range(1, page_count + 1)
        if page_count > MOST_ASKED:
            return [page for page, there in enumerate(found.leaves, 1) if there]
    # qpdf drops pages from a tree that it repairs: only pdfium knows their places.
    asked = range(1, min(page_count, MOST_ASKED) + 1)
    return [*(page for page in asked if loads(page)), *range(MOST_ASKED + 1, page_count + 1)]


def secrets(password: str) -> list[bytes]:
    """Return the bytes that a password may stand for: UTF-8 from revision 5 of the encryption on, Latin-1 before."""
    found = [password.encode("utf-8", "surrogateescape")]
    with suppress(UnicodeEncodeError):
        found.append(password.encode("latin-1"))
    return list(dict.fromkeys(found))


def opened(path: Path, password: str | None) -> pikepdf.Pdf:
    """Open a PDF with the second reader, its page tree as it is written; raises one of PDF_FAULTS."""
    *first, last = secrets(password or "")
    for secret in first:
        with suppress(pikepdf.PasswordError):
            return _opened(path, secret)
    return _opened(path, last)


def _opened(path: Path, secret: bytes) -> pikepdf.Pdf:
    return pikepdf.open(
        os.fspath(path),
        password=secret,
        suppress_warnings=True,
        inherit_page_attributes=False,  # else qpdf repairs the page tree first, and nothing could be missed in it
        access_mode=pikepdf.AccessMode.stream,  # a mapped file that shrinks kills the process
    )


def _count_warnings(found: Structure, name: str, page_count: int, there: int) -> Iterator[PageWarning]:
    promised = max(page_count, found.promised or 0)
    if promised > there and not (found.walked and len(found.leaves) > page_count):
        yield PageWarning(
            "pages_missing",
            f"{name} promises {promised:,} pages, {there:,} can be read: it is damaged; get a whole copy of it",
        )
    elif found.walked and page_count != len(found.leaves):
        yield PageWarning(
            "page_counts_disagree",
            f"{name} has {page_count:,} pages for one reader and {len(found.leaves):,} for another: pages may be "
            "missing or out of order; repair it, e.g. with qpdf, or get a whole copy of it",
        )


def _live_parts(found: Structure, name: str) -> Iterator[PageWarning]:
    if found.actions:
        counts = [_number(count, ACTIONS[kind]) for kind, count in sorted(found.actions.items())]
        yield PageWarning(
            "pdf_scripts", f"{name} holds {_listed(counts)}: {_they(sum(found.actions.values()))} never run"
        )
    if found.files or found.portfolio:
        kind = "is a portfolio and holds" if found.portfolio else "holds"
        count = _number(len(found.files), "embedded file")
        message = f"{name} {kind} {count}{_named(found.files)}: {_they(len(found.files))} not read"
        yield PageWarning("embedded_files", message)
    if found.xfa:
        yield PageWarning("pdf_xfa", f"{name} is an XFA form: what a form program shows may differ from these pages")
    if found.layers:
        count = _number(len(found.layers), "layer")
        message = f"{name} holds {count} that viewers do not show{_named(found.layers)}: what stands there is not read"
        yield PageWarning("hidden_layers", message)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _they(count: int) -> str:
    return "it is" if count == 1 else "they are"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _named(names: list[str]) -> str:
    """List the first names in brackets, safe to print and not too long."""
    if not names:
        return ""
    cut = [each if len(each) <= LONGEST_NAME else each[: LONGEST_NAME - 1] + "…" for each in names[:MOST_NAMES]]
    return f" ({', '.join(map(shown, cut))}{', …' if len(names) > MOST_NAMES else ''})"
