"""The report as of preparation: one HTML page in which a person checks a reading against what was read.

Everything shown is computed here, from the records, into small frozen views; the template only lays them out. Page
text, names, reasons and evidence are hostile until shown: the template escapes every value, and `shown` runs on each
before that, so that no character of a page can hide or reorder another. The report needs nothing from outside and runs
no script but its own.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from itertools import groupby

from jinja2 import Environment, PackageLoader, StrictUndefined

from ocrprep.codes import needs_review
from ocrprep.pages import Box, Page, PageWarning, TextBasis, TextEvidence, around
from ocrprep.reading import Change, Drop, Folio, PreparationEdit, Reading, SetAside
from ocrprep.records.reading import Flow
from ocrprep.representation import PlacedLine, Representation
from ocrprep.reviewing.wording import Mark, Run, cut, in_words, shown, spaced
from ocrprep.spans import KEEP, Span

LOW_WORD = 0.6
"""Words read with less confidence are underlined: where an upright page as a whole would be read again, turned."""

LOW_PAGE = 0.75
"""Pages scoring less are listed first: upright samples of the project score above 0.85, sideways ones below 0.5."""

PARAGRAPH = "\n\n"

PUNCTUATION = "\"'.,:;!?()[]“”„‘’‚«»"

HYPHENS = {"joined": "joined", "kept": "hyphen kept", "ambiguous": "hyphen undecided"}
"""The decisions about a line-end hyphen, in the report's words."""

BASES: Mapping[TextBasis, str] = {
    "ocr": "OCR",
    "text_layer": "text layer",
    "imported": "existing OCR",
    "mixed": "words of several origins",
}
"""Where words come from, in the report's words."""

LANGUAGE_TAGS = {"dan": "da", "deu": "de", "eng": "en", "fra": "fr", "ita": "it", "lat": "la", "nld": "nl", "spa": "es"}
"""Model names as the language tags that browsers and screen readers know; any other language is left undetermined."""


@dataclass(frozen=True, slots=True)
class Note:
    """What was decided about a line, and why."""

    name: str
    text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class LineView:
    """One printed line exactly as read, with what was decided about it."""

    number: int
    box: Box
    names: tuple[str, ...]
    runs: tuple[Run, ...]
    notes: tuple[Note, ...]
    drops: tuple[tuple[Box, str], ...]


@dataclass(frozen=True, slots=True)
class FlowView:
    """The part of a reading that comes from one page; `before` and `after` are the pages whose text runs into it."""

    paragraphs: tuple[tuple[Run, ...], ...]
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True)
class PageView:
    """One page of the report."""

    page: Page
    score: float | None
    low_score: bool
    folio: Folio | None
    basis: str
    evidence: str
    warnings: tuple[PageWarning, ...]
    doubtful: bool
    picture: str | None
    lines: tuple[LineView, ...]
    low_words: int
    flows: Mapping[Flow, FlowView]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place that a person should look at first."""

    reason: str
    page: int
    line: int | None
    text: str


class Report:
    """What the report shows of a representation and its readings; pages are made one at a time, when asked for."""

    def __init__(
        self, representation: Representation, readings: Mapping[Flow, Reading], pictures: Mapping[int, bytes]
    ) -> None:
        self.representation, self.readings, self._pictures = representation, readings, pictures
        self._edits = {flow: {edit.span: edit for edit in reading.edits} for flow, reading in readings.items()}
        self._by_page: dict[int, list[tuple[Reading, PreparationEdit]]] = {}
        seen: set[tuple[Span, str]] = set()
        for reading in readings.values():
            for edit in reading.edits:
                if (edit.span, edit.rule) in seen or (reading.flow == "notes" and isinstance(edit, SetAside)):
                    continue
                seen.add((edit.span, edit.rule))
                page = representation.page_at(edit.span.start)
                self._by_page.setdefault(page, []).append((reading, edit))

    @property
    def language(self) -> str:
        """The language tag of the pages' text, when one known model read it."""
        engine = self.representation.engine
        names = () if engine is None else engine.languages
        return LANGUAGE_TAGS.get(names[0][:3], "und") if len(names) == 1 else "und"

    @cached_property
    def scores(self) -> dict[int, float | None]:
        """The engine's own mean confidence of each page."""
        return {page.number: page.score for page in self.representation.pages}

    @cached_property
    def counts(self) -> dict[str, Counter[str]]:
        """Pages by state, dropped lines by kind, line-end hyphens by decision, and lines by what became of them.

        A hyphen over a page end, which is a group of edits, counts once.
        """
        pages = self.representation.pages
        lines = Counter({"read": sum(page.line_count for page in pages)})
        dropped: Counter[str] = Counter()
        hyphens: dict[object, str] = {}
        for reading, edit in self._all():
            match edit:
                case Drop():
                    dropped[edit.kind] += 1
                case SetAside():
                    lines["set aside"] += edit.lines[1] - edit.lines[0] + 1
                case Change() if decision := _hyphen(edit):
                    hyphens[reading.flow, edit.span if edit.group is None else edit.group] = decision
        return {
            "pages": Counter(page.state for page in pages),
            "lines": lines,
            "dropped": dropped,
            "hyphens": Counter(hyphens.values()),
            "warnings": Counter(warning.code for page in pages for warning in self.warnings(page)),
        }

    @cached_property
    def doubts(self) -> list[tuple[str, list[Doubt]]]:
        """The places to look at first, gathered by reason in the order of their weight."""
        pages = self.representation.pages
        doubts = [
            Doubt("Pages that were not read", page.number, None, f"{page.state}: {page.reason or 'no reason recorded'}")
            for page in pages
            if page.state not in ("read", "blank")
        ]
        doubts += [
            Doubt("Left undecided", page.number, warning.line, self._about(page, warning))
            for page in pages
            for warning in self._found(page.number)
            if needs_review(warning.code)
        ]
        doubts += [
            Doubt("Noted while reading", page.number, warning.line, warning.message)
            for page in pages
            for warning in page.warnings
            if warning.code != "low_confidence" and needs_review(warning.code)
        ]
        doubts += self._ambiguous()
        doubts += [
            Doubt("Pages with a low score", page.number, None, f"page score {score:.2f}")
            for page in pages
            if (score := self.scores[page.number]) is not None and score < LOW_PAGE
        ]
        return [(reason, list(places)) for reason, places in groupby(doubts, key=lambda doubt: doubt.reason)]

    @cached_property
    def doubtful(self) -> frozenset[int]:
        """The pages with a place to look at first."""
        return frozenset(doubt.page for _, places in self.doubts for doubt in places)

    def folio(self, page: int) -> Folio | None:
        """Return the printed number of a page, as far as one was found."""
        folios = (reading.findings.folios.get(page) for reading in self.readings.values())
        return next((folio for folio in folios if folio is not None), None)

    def warnings(self, page: Page) -> tuple[PageWarning, ...]:
        """Return what was noted while the page was read and what preparation left undecided."""
        return (*page.warnings, *self._found(page.number))

    def pages(self) -> Iterator[PageView]:
        """Make the views of all pages, each when it is asked for."""
        return (self.page(page) for page in self.representation.pages)

    def page(self, page: Page) -> PageView:
        """Make the view of one page."""
        decided = self._by_line(page)
        confidences = (word.confidence for word in page.words)
        score, warnings = self.scores[page.number], self.warnings(page)
        return PageView(
            page=page,
            score=score,
            low_score=score is not None and score < LOW_PAGE,
            folio=self.folio(page.number),
            basis=BASES[page.text_basis] if page.text_basis else "",
            evidence=_evidence(page.text_evidence),
            warnings=warnings,
            doubtful=page.number in self.doubtful,
            picture=picture_uri(self._pictures.get(page.number)),
            lines=tuple(
                self._line(self.representation.line(page.number, number), decided.get(number, ()), warnings)
                for number in range(1, page.line_count + 1)
            ),
            low_words=sum(confidence is not None and confidence < LOW_WORD for confidence in confidences),
            flows={flow: self._flow(reading, page.number) for flow, reading in self.readings.items()},
        )

    def _all(self) -> Iterator[tuple[Reading, PreparationEdit]]:
        return (each for page in sorted(self._by_page) for each in self._by_page[page])

    def _found(self, page: int) -> list[PageWarning]:
        """Return what preparation left undecided on a page; both flows may tell of it."""
        found = (reading.findings.warnings.get(page, ()) for reading in self.readings.values())
        return list(dict.fromkeys(warning for warnings in found for warning in warnings))

    def _about(self, page: Page, warning: PageWarning) -> str:
        if warning.line is None or not 1 <= warning.line <= page.line_count:
            return warning.message
        return f"“{self.representation.line(page.number, warning.line).text}” – {warning.message}"

    def _ambiguous(self) -> Iterator[Doubt]:
        for reading, edit in self._all():
            if isinstance(edit, Change) and _hyphen(edit) == "ambiguous":
                page, line = self.representation.page_at(edit.span.start), line_at(self.representation, edit.span.start)
                yield Doubt("Ambiguous hyphens", page, line, " or ".join(_forms(reading, edit)))

    def _by_line(self, page: Page) -> dict[int, list[tuple[Reading, PreparationEdit]]]:
        """Sort a page's edits to its 1-based lines; what stands at the page's end belongs to none."""
        lines: dict[int, list[tuple[Reading, PreparationEdit]]] = {}
        for reading, edit in self._by_page.get(page.number, ()):
            first = last = line_at(self.representation, edit.span.start) or 0
            if isinstance(edit, SetAside):
                first, last = edit.lines
            for number in range(first, last + 1):
                lines.setdefault(number, []).append((reading, edit))
        return lines

    def _line(
        self, line: PlacedLine, decided: Sequence[tuple[Reading, PreparationEdit]], warnings: Sequence[PageWarning]
    ) -> LineView:
        marks = [
            Mark(placed.span, "low", f"confidence {placed.word.confidence:.2f}")
            for placed in self.representation.words(line.span)
            if placed.word.confidence is not None and placed.word.confidence < LOW_WORD
        ]
        notes: list[Note] = []
        drops: list[tuple[Box, str]] = []
        for reading, edit in decided:
            note = _note(reading, edit)
            if isinstance(edit, SetAside) and edit.lines[0] < line.number:
                note = Note(note.name, note.text)
            if isinstance(edit, Drop):
                marks.append(Mark(edit.words, note.name, note.text))
                drops.append((around(each.word.box for each in self.representation.words(edit.words)), note.text))
            elif note.name in HYPHENS and edit.span.start < line.span.end:
                marks.append(Mark(edit.span, note.name, note.text))
            notes += [note] if note.name != "seam" else []
        if self.representation.pages[line.page - 1].text_basis == "mixed":
            bases = dict.fromkeys(placed.word.text_basis for placed in self.representation.words(line.span))
            notes.append(Note("basis", " and ".join(BASES[basis] for basis in bases)))
        notes += [Note("warned", warning.message, warning.code) for warning in warnings if warning.line == line.number]
        names = tuple(dict.fromkeys(note.name for note in notes))
        runs = tuple(cut(self.representation.text, line.span, marks))
        return LineView(line.number, line.box, names, runs, tuple(notes), tuple(drops))

    def _flow(self, reading: Reading, page: int) -> FlowView:
        """Cut out the part of a reading that comes from a page, and find whether its ends are paragraph ends."""
        span = reading.map.to_derived(self.representation.page_span(page))
        part = span.of(reading.text)
        start = span.end - len(part.lstrip())
        end = max(span.start + len(part.rstrip()), start)
        paragraphs: list[tuple[Run, ...]] = []
        at = start
        for piece in reading.text[start:end].split(PARAGRAPH):
            paragraph = Span(at, at + len(piece))
            if piece.strip():
                paragraphs.append(tuple(cut(reading.text, paragraph, self._seams(reading, paragraph))))
            at = paragraph.end + len(PARAGRAPH)
        if not paragraphs:
            return FlowView(())
        return FlowView(tuple(paragraphs), run_on(reading, start, -1), run_on(reading, end, 1))

    def _seams(self, reading: Reading, paragraph: Span) -> Iterator[Mark]:
        """Mark the places of a paragraph where the reading is not what stands in the representation."""
        for segment in reading.map.within(paragraph):
            if segment.rule != KEEP:
                note = _note(reading, self._edits[reading.flow][segment.source])
                if note.name != "paragraph":
                    yield Mark(segment.derived, note.name if note.name == "ambiguous" else "seam", note.text)


def render_report(
    representation: Representation, readings: Mapping[Flow, Reading], pictures: Mapping[int, bytes], *, title: str
) -> str:
    """Return the report as one HTML page that needs nothing from outside.

    `pictures` maps page numbers to JPEG bytes and may lack pages; bytes that are no JPEG are not shown.
    """
    template = _environment().get_template("report.html.j2")
    report = Report(representation, readings, pictures)
    return template.render(report=report, title=title, low_word=f"{LOW_WORD:.2f}")


def line_at(representation: Representation, offset: int) -> int | None:
    """Return the 1-based line in which an offset stands, on its page, its line end included; null at a page's end."""
    page = representation.page_span(representation.page_at(offset))
    ends_page = representation.text.startswith("\f", offset)
    return None if ends_page else representation.text.count("\n", page.start, offset) + 1


def run_on(reading: Reading, at: int, step: int) -> int | None:
    """Return the page of the text before (step -1) or after (1) a place of the reading; null at a paragraph's end."""
    text, far = reading.text, at if step > 0 else at - 1
    while 0 <= far < len(text) and text[far].isspace():
        far += step
    if not 0 <= far < len(text) or PARAGRAPH in text[min(at, far + 1) : max(at, far)]:
        return None
    return reading.representation.page_at(reading.map.to_source(Span(far, far + 1)).start)


def _evidence(evidence: TextEvidence | None) -> str:
    """Say what was decided about a page's text layer, with the figures that decided it."""
    if evidence is None or evidence.reader is None:
        return ""
    figures = {name: value for name, value in asdict(evidence).items() if isinstance(value, float)}
    return f"{evidence.reason} ({in_words(figures)})" if figures else evidence.reason


def picture_uri(picture: bytes | None) -> str | None:
    """Return a JPEG as a data: URI; null when there is none or when the bytes are something else."""
    if picture is None or not picture.startswith(b"\xff\xd8\xff"):
        return None
    return "data:image/jpeg;base64," + base64.b64encode(picture).decode("ascii")


def _note(reading: Reading, edit: PreparationEdit) -> Note:
    """Say what an edit decided and why; "seam" names what needs no word beside its line."""
    why = " · ".join(filter(None, (edit.rule, in_words(edit.evidence), *map(spaced, getattr(edit, "flags", ())))))
    match edit:
        case Drop():
            return Note("dropped", f"left out: {spaced(edit.kind)}", why)
        case SetAside():
            return Note("aside", f"set aside: {spaced(edit.kind)}", why)
        case Change(kind="paragraph_break"):
            return Note("paragraph", "paragraph ends", why)
        case Change() if decision := _hyphen(edit):
            words = _forms(reading, edit) if decision == "ambiguous" else ["".join(_word_around(reading, edit))]
            return Note(decision, f"{HYPHENS[decision]}: {' or '.join(words)}", why)
        case Change(kind="join_line" | "join_page", flags=()):
            return Note("seam", "joined here", why)
    return Note("changed", spaced(getattr(edit, "kind", edit.rule)), why)


def _hyphen(edit: Change) -> str | None:
    if "hyphen_ambiguous" in edit.flags or edit.alternatives:
        return "ambiguous"
    return {"dehyphenate": "joined", "keep_hyphen": "kept"}.get(edit.kind)


def _word_around(reading: Reading, edit: Change) -> tuple[str, str, str]:
    """Return what stands in the reading before, at and after an edit, up to the next white space."""
    place, text = reading.map.to_derived(edit.span), reading.text
    before, after = text[max(place.start - 60, 0) : place.start], text[place.end : place.end + 60]
    first, last = re.split(r"\s", before)[-1], re.split(r"\s", after, maxsplit=1)[0]
    return first.lstrip(PUNCTUATION), place.of(text), last.rstrip(PUNCTUATION)


def _forms(reading: Reading, edit: Change) -> list[str]:
    """Return the words that an undecided hyphen allows; alternatives may be words, or what stands within one."""
    before, at, after = _word_around(reading, edit)
    forms = edit.alternatives or (before + at + after,)
    return [form if any(map(str.isalpha, form)) else before + form + after for form in forms]


def _csp_hash(content: str) -> str:
    """Name an inline style or script for the Content-Security-Policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode("utf-8")).digest()).decode("ascii")


@lru_cache(maxsize=1)
def _environment() -> Environment:
    """Make the template environment: everything escaped, everything made visible, nothing undefined."""
    environment = Environment(
        loader=PackageLoader("ocrprep.reviewing", ""),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: shown(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(csp_hash=_csp_hash, spaced=spaced)
    return environment
