"""The main job: a scanned document becomes a representation, its readings, and an evidence bundle. Open this first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import groupby
from pathlib import Path
from typing import Any

from ocrprep import preparing
from ocrprep.bundles import find_place, open_bundle, require_verified
from ocrprep.engines import model_folder, set_up
from ocrprep.errors import RecognitionError, UsageError
from ocrprep.options import Options, ReadingOptions
from ocrprep.pages import Page
from ocrprep.preparation import Outcome, Preparation, fits, key_of
from ocrprep.reading import FLOWS, Reading
from ocrprep.recognition import ReadPage, unread_page
from ocrprep.records import Flow
from ocrprep.representation import Representation
from ocrprep.sources import Source, open_source
from ocrprep.workers import Workers

Document = Path | str | Sequence[Path | str]
"""One file, or the ordered files of one document."""

OnPage = Callable[[ReadPage, int], None]
"""Called with each page as it comes in, and the number of pages that are read in all."""


def prepare(
    document: Document,
    options: Options | None = None,
    *,
    name: str | None = None,
    workers: Workers | None = None,
    on_page: OnPage | None = None,
) -> Preparation:
    """Read a document and derive its readings.

    `name` names a document of several files. `workers` are shared by many documents where a caller has them (see
    `reading_workers`). `on_page` is called in this thread as pages come in. Raises SourceError, UsageError,
    DependencyError, and RecognitionError when no page could be read; a single page that fails is recorded as failed.
    """
    options = options or Options()
    paths = _paths(document)
    with open_source(paths, passwords=options.passwords) as source, _ready(workers, options) as ready:
        options = _with_pages_named(options, source.page_count)
        read = _read_pages(source, options, ready, on_page)
        source.require_unchanged()
    representation = _representation(source, read, ready, options.pages)
    readings = derive(representation, options.reading)
    pictures = {each.page.number: each.picture for each in read if each.picture is not None}
    options = options.model_copy(update={"recognition": representation.options})
    return Preparation(source.paths, name or paths[0].name, representation, readings, pictures, options)


def derive(
    representation: Representation, options: ReadingOptions, parents: Mapping[Flow, Reading] | None = None
) -> dict[Flow, Reading]:
    """Derive both readings: a pure function of the representation, the options and the versions of the rules."""
    findings = preparing.find(representation, options)
    parent_ids = {flow: parent.reading_id for flow, parent in (parents or {}).items()}
    return {
        flow: Reading(representation, flow, findings, options, parent_reading_id=parent_ids.get(flow)) for flow in FLOWS
    }


def prepare_bundle(
    document: Document,
    folder: Path,
    options: Options,
    *,
    name: str | None = None,
    force: bool = False,
    workers: Workers | None = None,
    on_page: OnPage | None = None,
) -> Outcome:
    """Prepare a document and save its bundle, unless one of the same content and options stands there and verifies."""
    paths = _paths(document)
    with _ready(workers, options) as ready:
        if not force:
            engine = ready.fingerprint
            with open_source(paths, passwords=options.passwords) as source:
                asked = _with_pages_named(ready.options, source.page_count)
                place = find_place(
                    folder,
                    name or paths[0].name,
                    source_id=source.source_id,
                    key=key_of(asked, engine),
                    fits=lambda bundle: fits(bundle, asked, engine),
                )
            if place.existing:
                return Outcome(open_bundle(place.path), made=False)
        preparation = prepare(paths, options, name=name, workers=ready, on_page=on_page)
    return preparation.saved(folder, force=force)


def derive_bundle(path: Path, folder: Path, options: ReadingOptions) -> Outcome:
    """Derive new readings from a bundle's retained representation, without OCR, and save them as a new bundle.

    The bundle must verify, its source and representation IDs included; raises IntegrityError otherwise.
    """
    require_verified(path)
    parent = open_bundle(path)
    representation = parent.representation
    preparation = Preparation(
        parent.source_paths,
        parent.name,
        representation,
        derive(representation, options, parent.readings),
        {page: picture.read_bytes() for page, picture in parent.pictures.items()},
        Options(
            recognition=representation.options,
            reading=options,
            pages=representation.selected_pages,
            retention="full" if parent.source_paths else "hash_only",
            images="review" if parent.pictures else "none",
        ),
    )
    if preparation.reading.reading_id == parent.reading.reading_id:
        raise UsageError(f"{path}: these options and rules give the reading that it holds already; change one")
    return preparation.saved(folder)


@contextmanager
def reading_workers(options: Options) -> Iterator[Workers]:
    """Find the engine and its models and hold workers ready; with `ocr` never they need neither.

    Raises DependencyError when the engine or a language is missing.
    """
    if options.recognition.ocr == "never":
        with Workers(None, options) as workers:
            yield workers
        return
    with model_folder(options.recognition.languages, options.tessdata) as folder:
        setup = set_up(options.recognition, folder, timeout=options.page_timeout)
        chosen = options.recognition.model_copy(update={"engine": setup.name})
        with Workers(setup, options.model_copy(update={"recognition": chosen})) as workers:
            yield workers


def selected_pages(selection: str | None, count: int) -> list[int]:
    """Return the page numbers that a selection such as `1-5,9` or `4-` names, of a document of `count` pages.

    Raises UsageError for a selection that cannot be read or that names a page that is not there.
    """
    if selection is None:
        return list(range(1, count + 1))
    pages: set[int] = set()
    for part in selection.split(","):
        first, dash, last = (each.strip() for each in part.partition("-"))
        if not first.isdecimal() or (last and not last.isdecimal()):
            raise UsageError(f"--pages {selection!r}: write page numbers and ranges, such as 1-5,9 or 4-")
        begin, end = int(first), int(last or (count if dash else first))
        if not 1 <= begin <= end <= count:
            raise UsageError(f"--pages {selection!r}: {part.strip()} is not within the document's pages 1-{count}")
        pages.update(range(begin, end + 1))
    return sorted(pages)


def _with_pages_named(options: Options, count: int) -> Options:
    """Write a selection of pages in one form, so that `1-2` and `1,2` are one ID; null when it names all pages."""
    pages = selected_pages(options.pages, count)
    runs = groupby(enumerate(pages), key=lambda each: each[1] - each[0])
    ends = [(run[0][1], run[-1][1]) for run in (list(each) for _, each in runs)]
    named = ",".join(str(first) if first == last else f"{first}-{last}" for first, last in ends)
    return options.model_copy(update={"pages": None if len(pages) == count else named})


def _ready(workers: Workers | None, options: Options) -> AbstractContextManager[Workers]:
    return nullcontext(workers) if workers is not None else reading_workers(options)


def _read_pages(source: Source, options: Options, workers: Workers, on_page: OnPage | None) -> list[ReadPage]:
    """Read the selected pages; the others are recorded as skipped, so that every page of the source has its place."""
    wanted = selected_pages(options.pages, source.page_count)
    read = workers.read(source, wanted, on_page and (lambda page: on_page(page, len(wanted))))
    if all(each.page.state == "failed" for each in read.values()):
        reason = next(iter(read.values())).page.reason
        raise RecognitionError(f"{source.paths[0].name}: no page could be read; the first one: {reason}")
    why_not = "not among the pages that were asked for"
    return [
        read.get(number) or ReadPage(unread_page(source, number, "skipped", why_not))
        for number in range(1, source.page_count + 1)
    ]


def _representation(source: Source, read: Sequence[ReadPage], workers: Workers, selected: str | None) -> Representation:
    """Make the representation of what was read, with the other readings of the same pages."""
    options = workers.options.recognition

    def gathered(pages: Sequence[Page], **rest: Any) -> Representation:
        return Representation(source.source_id, source.files, pages, options=options, selected_pages=selected, **rest)

    kinds = sorted({kind for each in read for kind in each.alternates})
    why_not = "no such reading of this page"
    others = {
        kind: gathered(
            [each.alternates.get(kind) or unread_page(source, each.page.number, "skipped", why_not) for each in read]
        )
        for kind in kinds
    }
    return gathered([each.page for each in read], engine=workers.fingerprint, alternates=others)


def _paths(document: Document) -> tuple[Path, ...]:
    several = [document] if isinstance(document, str | Path) else list(document)
    if not several:
        raise UsageError("there is no input: name at least one file")
    return tuple(Path(each).absolute() for each in several)
