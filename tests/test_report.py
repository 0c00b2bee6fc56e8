"""The report shows what was read as it was read, what became of it, and lets no page text act."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrprep.options import ReadingOptions
from ocrprep.pages import Aside, Box, ImageTransformation, Line, Page, PageWarning, Word
from ocrprep.reading import Change, Drop, Findings, Folio, PreparationEdit, Reading, SetAside
from ocrprep.records.reading import Flow
from ocrprep.records.representation import EngineFingerprint, SourceFile
from ocrprep.representation import Representation
from ocrprep.reviewing.report import Report, picture_uri, render_report
from ocrprep.reviewing.wording import Mark, cut, in_words, shown
from ocrprep.spans import Span

SOURCE = "sha256:" + "5" * 64
JPEG = b"\xff\xd8\xff\xe0 not much of a picture"
VOID = {"meta", "img", "input", "rect", "br"}
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img/src=x/onerror=alert(1)>',
    "'onmouseover='alert(1)",
    "</style><b>",
    "</title></script><svg/onload=alert(1)>",
    "{{7*7}}{%raw%}{#",
    "javascript:alert(1)",
    "]]>--><!--",
]
HIDING = "\u202e\u2066\u2069\u200f\u061c\u200b\u2028\x00\x1b\x7f\x85\ufeff\U000e0041"


def line(text: str, top: float, confidences: Mapping[str, float] | None = None) -> Line:
    """Set a line of words; those not named have a confidence of 0.95."""
    words, x = [], 60.0
    for each in text.split(" "):
        words.append(Word(each, Box(x, top, x + 6.0 * len(each), top + 10), (confidences or {}).get(each, 0.95)))
        x += 6.0 * (len(each) + 1)
    return Line(tuple(words))


def page(number: int, *texts: str, confidences: Mapping[str, float] | None = None, **more: Any) -> Page:
    """Set a page of lines."""
    lines = [line(text, 40.0 + 14 * at, confidences) for at, text in enumerate(texts)]
    return Page(number, (612.0, 792.0), "pt", lines, **more)


def represent(*pages: Page, name: str = "letter.pdf") -> Representation:
    engine = EngineFingerprint(
        engine="tesserocr",
        version="5.5.0",
        languages=("eng",),
        models={"eng": "sha256:" + "e" * 64},
        page_segmentation=3,
    )
    return Representation(
        SOURCE, [SourceFile(name=name, hash=SOURCE, size=1200, pages=len(pages))], pages, engine=engine
    )


def read(representation: Representation, findings: Findings) -> dict[Flow, Reading]:
    when = datetime(2024, 5, 6, 7, 8, tzinfo=UTC)
    return {flow: Reading(representation, flow, findings, ReadingOptions(), decided_at=when) for flow in findings.edits}


class Edits:
    """Writes edits by the text that they stand on, the n-th place of it."""

    def __init__(self, representation: Representation) -> None:
        self.text, self.representation = representation.text, representation
        self.made: list[PreparationEdit] = []

    def _span(self, text: str) -> Span:
        assert self.text.count(text) == 1, text
        start = self.text.index(text)
        return Span(start, start + len(text))

    def change(self, text: str, part: str, kind: Any, replacement: str, **more: Any) -> None:
        start = self._span(text).start + text.index(part)
        span = Span(start, start + len(part))
        self.made.append(
            Change(
                span=span,
                replacement=replacement,
                rule=more.pop("rule", "reflow-test"),
                page=self.representation.page_at(start),
                kind=kind,
                **more,
            )
        )

    def drop(self, taken: str, words: str, kind: Any, line: int, **more: Any) -> None:
        span = self._span(taken)
        start = span.start + taken.index(words)
        self.made.append(
            Drop(
                span=span,
                replacement="",
                rule="repeats_at_edge",
                page=self.representation.page_at(span.start),
                kind=kind,
                line=line,
                words=Span(start, start + len(words)),
                **more,
            )
        )


def letter() -> tuple[Representation, dict[Flow, Reading]]:
    """Return a document with every kind of page and of decision."""
    representation = represent(
        page(
            1,
            "THE REPORT 1",
            "It was a bright cold day of care-",
            "ful prep-",
            confidences={"bright": 0.42},
            label="iv",
            image_transformations=[ImageTransformation("deskew", {"angle": 0.4})],
            asides=[Aside("hidden_text", "unseen words", Box(0, 0, 10, 10))],
            warnings=[PageWarning("no_end_mark", "The file has no end mark.")],
        ),
        page(
            2,
            "A HEAD 2",
            "aration and we co-",
            "operate.",
            "Stray line",
            "Next well-",
            "known one.",
            "* A note",
            "below.",
        ),
        Page(3, (612.0, 792.0), "pt", state="failed", reason="the worker was killed", text_basis=None),
        Page(4, (612.0, 792.0), "pt", state="blank"),
        page(5, "Faint words", confidences={"Faint": 0.3, "words": 0.4}),
    )
    edits = Edits(representation)
    repeats = {"pages": [1, 2, 3, 7], "similarity": 0.912, "place": {"edge": "top", "row": 1}}
    edits.drop("THE REPORT 1\n", "THE REPORT 1", "running_head", 1, evidence=repeats)
    edits.change("care-\n", "-\n", "dehyphenate", "", rule="lexicon_word")
    edits.change("prep-\n", "-\n", "dehyphenate", "", group=1)
    edits.change("prep-\n\f", "\f", "join_page", "", group=1)
    edits.drop("A HEAD 2\n", "A HEAD 2", "running_head", 1, group=1)
    edits.change(
        "co-\n", "-\n", "keep_hyphen", "-", alternatives=("co-operate", "cooperate"), flags=("hyphen_ambiguous",)
    )
    edits.change("operate.\n", "\n", "paragraph_break", "\n\n")
    edits.change("Stray line\n", "\n", "join_line", " ")
    edits.change("well-\n", "\n", "keep_hyphen", "")
    edits.change("one.\n", "\n", "paragraph_break", "\n\n")
    note, end = edits._span("* A note\nbelow.\n"), edits.text.index("\f", edits.text.index("below."))
    aside = SetAside(span=note, replacement="", rule="small_type", page=2, kind="footnote", lines=(7, 8))
    edits.change("\f\f\fFaint", "\f\f\f", "normalize_space", "")
    edits.change("Faint words\n\f", "\n\f", "normalize_space", "")
    body = [*edits.made, aside]
    notes = Edits(representation)
    notes.change("* A note\n", "\n", "join_line", " ")
    notes.made += [
        SetAside(span=Span(0, note.start), replacement="", rule="body", page=1, kind="body", lines=(1, 3)),
        SetAside(span=Span(end - 1, len(edits.text)), replacement="", rule="body", page=2, kind="body", lines=(1, 6)),
    ]
    findings = Findings(
        edits={"body": body, "notes": notes.made},
        folios={1: Folio("1", "1", False, 0.9), 3: Folio(None, "3", True)},
        warnings={2: [PageWarning("undecided_edge_line", "This line may be page furniture and was kept.", 4)]},
    )
    return representation, read(representation, findings)


class Parsed(HTMLParser):
    """Reads the report back: its elements, its text, and that every element is closed in its turn."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self._open: list[tuple[str, str | None]] = []
        self.feed(html)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append((tag, dict(attrs).get("id")))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self._open]
        for at, (tag, name) in enumerate(self._open):
            if tag == "li" and name and "bdi" in tags[at:] and "span" not in tags[at : tags.index("bdi", at)]:
                self.texts[name] = self.texts.get(name, "") + data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of all elements of one name."""
        return [attributes for name, attributes in self.elements if name == tag]


def render(representation: Representation, readings: Mapping[Flow, Reading], **more: Any) -> str:
    return render_report(representation, readings, more.get("pictures", {}), title=more.get("title", "letter.pdf"))


def inside(html: str, number: int) -> str:
    """Return the part of the report about one page."""
    return html.split(f'id="p{number}"')[1].split('<section class="page')[0]


def test_the_report_is_well_formed_and_every_link_has_its_target() -> None:
    parsed = Parsed(render(*letter(), pictures={1: JPEG}))
    ids = [attributes["id"] for _, attributes in parsed.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = {(attributes["href"] or "").removeprefix("#") for attributes in parsed.named("a")}
    assert targets <= set(ids)
    labels = {attributes["aria-labelledby"] for _, attributes in parsed.elements if "aria-labelledby" in attributes}
    assert labels <= set(ids)
    assert all(attributes["alt"] for attributes in parsed.named("img"))


def test_nothing_comes_from_outside_and_only_its_own_style_and_script_may_run() -> None:
    html = render(*letter(), pictures={1: JPEG})
    parsed = Parsed(html)
    for _, attributes in parsed.elements:
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        for name in ("src", "href", "xlink:href", "action", "srcset", "data"):
            assert re.match(r"#|data:image/jpeg;base64,", attributes.get(name) or "#")
    assert not re.search(r"url\(|@import|http-equiv=\"refresh", html)
    policy = next(a["content"] or "" for a in parsed.named("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    for tag in ("style", "script"):
        content = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        assert len(content) == 1
        digest = base64.b64encode(hashlib.sha256(content[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_source_lines_are_shown_exactly_as_read() -> None:
    representation, readings = letter()
    parsed = Parsed(render(representation, readings))
    lines = {f"p{line.page}-l{line.number}": line.text for line in representation.lines}
    assert parsed.texts == lines


def test_a_dropped_line_is_struck_through_with_kind_rule_and_evidence() -> None:
    part = inside(render(*letter()), 1)
    assert '<del class="dropped" title="left out: running head">THE REPORT 1</del>' in part
    assert "repeats_at_edge · pages: 1–3, 7; similarity: 0.91; place: (edge top, row 1)" in part
    assert "<title>left out: running head, line 1</title>" in part


def test_a_part_of_a_line_is_struck_through_alone() -> None:
    representation = represent(page(1, "12 The text"))
    edits = Edits(representation)
    edits.drop("12 ", "12", "line_number", 1)
    part = inside(render(representation, read(representation, Findings({"body": edits.made}))), 1)
    assert '<del class="dropped" title="left out: line number">12</del> The text' in part


def test_an_unsure_word_carries_its_confidence() -> None:
    part = inside(render(*letter()), 1)
    assert '<span class="low" title="confidence 0.42">bright</span>' in part
    assert "1 word under 0.60" in part


def test_a_word_joined_over_a_page_end_is_shown_on_both_pages() -> None:
    representation, readings = letter()
    first, second = (Report(representation, readings, {}).page(representation.pages[n]).flows["body"] for n in (0, 1))
    assert (first.before, first.after) == (None, 2)
    assert (second.before, second.after) == (1, None)
    assert "".join(run.text for run in first.paragraphs[-1]).endswith("of careful prep")
    assert "".join(run.text for run in second.paragraphs[0]).startswith("aration and")
    html = render(representation, readings)
    assert "joined: preparation" in inside(html, 1)
    assert 'runs on onto <a href="#p2">page 2</a>' in inside(html, 1)
    assert 'runs on from <a href="#p1">page 1</a>' in inside(html, 2)


def test_the_parts_of_the_pages_are_the_whole_reading() -> None:
    representation, readings = letter()
    views = list(Report(representation, readings, {}).pages())
    for flow, reading in readings.items():
        parts = "".join(run.text for view in views for each in view.flows[flow].paragraphs for run in each)
        assert re.sub(r"\s", "", parts) == re.sub(r"\s", "", reading.text)


def test_paragraphs_are_kept_and_joins_are_marked() -> None:
    part = inside(render(*letter()), 2)
    assert 'Stray line<span class="seam" title="joined here"> </span>Next well-' in part
    assert part.count('<p dir="auto">') == 3
    assert "hyphen kept: well-known" in part


def test_an_ambiguous_hyphen_shows_both_forms_and_is_listed_first() -> None:
    html = render(*letter())
    first = html.split('id="first"')[1].split("</section>")[0]
    assert '<a href="#p2-l2">Page 2, line 2</a><bdi>co-operate or cooperate</bdi>' in first
    part = inside(html, 2)
    assert "hyphen undecided: co-operate or cooperate" in part
    assert "hyphen ambiguous" in part


@pytest.mark.parametrize(
    ("alternatives", "shown_as"),
    [(("re-form", "reform"), "re-form or reform"), (("-", ""), "re-form or reform"), ((), "re-form")],
)
def test_alternatives_may_be_words_or_what_stands_within(alternatives: tuple[str, ...], shown_as: str) -> None:
    representation = represent(page(1, "“re-", "form”, he"))
    edits = Edits(representation)
    edits.change("re-\n", "-\n", "keep_hyphen", "-", alternatives=alternatives, flags=("hyphen_ambiguous",))
    html = render(representation, read(representation, Findings({"body": edits.made})))
    assert f"hyphen undecided: {shown_as}</bdi>" in html


def test_notes_are_marked_and_read_apart() -> None:
    html = render(*letter())
    part = inside(html, 2)
    assert '<li id="p2-l7" class="aside">' in part
    assert '<li id="p2-l8" class="aside">' in part
    assert "set aside: footnote" in part
    assert "* A note" in part.split("Notes, as a reading of their own")[1]
    assert "Notes, as a reading of their own" not in inside(html, 1)


def test_what_to_look_at_first_is_listed_in_order_with_its_place() -> None:
    first = render(*letter()).split('id="first"')[1].split("</section>")[0]
    assert re.findall(r"<h3>(.*?) \(", first) == [
        "Pages that were not read", "Left undecided", "Noted while reading", "Ambiguous hyphens",
        "Pages with a low score",
    ]  # fmt: skip
    assert '<a href="#p3">Page 3</a><bdi>failed: the worker was killed</bdi>' in first
    assert '<a href="#p2-l4">Page 2, line 4</a><bdi>“Stray line” – This line may be' in first
    assert '<a href="#p5">Page 5</a><bdi>page score 0.35</bdi>' in first


def test_the_head_counts_what_was_decided() -> None:
    counts = Report(*letter(), {}).counts
    assert counts["pages"] == {"read": 3, "failed": 1, "blank": 1}
    assert counts["lines"] == {"read": 12, "set aside": 2}
    assert counts["dropped"] == {"running_head": 2}
    assert counts["hyphens"] == {"joined": 2, "kept": 1, "ambiguous": 1}
    assert counts["warnings"] == {"no_end_mark": 1, "undecided_edge_line": 1}


def test_the_head_names_everything_that_made_the_reading() -> None:
    representation, readings = letter()
    html = render(representation, readings)
    ids = [representation.source_id, representation.representation_id, *(each.reading_id for each in readings.values())]
    facts = ["tesserocr 5.5.0", "sha256:" + "e" * 64, "2024-05-06 07:08 UTC", "letter.pdf", "Report as of preparation"]
    assert all(fact in html for fact in ids + facts)


def test_a_page_shows_its_four_numbers_apart() -> None:
    html = render(*letter())
    assert "PDF label <b><bdi>iv</bdi></b>" in inside(html, 1)
    assert "printed page <b><bdi>1</bdi></b></li>" in inside(html, 1)
    assert "printed page <b><bdi>3</bdi></b> (inferred" in inside(html, 3)


def test_pages_without_text_say_why() -> None:
    html = render(*letter())
    assert "<b>Failed.</b> <bdi>the worker was killed</bdi>" in inside(html, 3)
    assert "cannot be called absent" in inside(html, 3)
    assert "The page is blank." in inside(html, 4)
    assert "<b>Blank.</b>" not in inside(html, 4)


def test_what_is_beside_the_visible_words_is_shown_as_such() -> None:
    assert "<bdi>hidden text</bdi>: “<bdi>unseen words</bdi>”" in inside(render(*letter()), 1)


@pytest.mark.parametrize(
    "pages",
    [
        [],
        [Page(1, (0.0, 0.0), "px", state="failed", reason="no pixels", text_basis=None)],
        [Page(n, (612.0, 792.0), "pt", state="skipped", text_basis=None) for n in (1, 2)],
    ],
    ids=["no page", "one failed", "all skipped"],
)
def test_a_document_of_which_nothing_was_read_renders(pages: list[Page]) -> None:
    representation = Representation(SOURCE, [], pages)
    for readings in ({}, read(representation, Findings({"body": [], "notes": []}))):
        html = render(representation, readings, pictures={1: JPEG, 9: JPEG})
        Parsed(html)
        assert html.count("A quotation that is not found") == len(pages)


def everywhere(text: str) -> str:
    """Render a report that carries a text in every place that a stranger can write to."""
    word = text.replace(" ", "")
    representation = represent(
        page(
            1,
            word,
            f"{word} two",
            f"{word}three {word}-",
            "four",
            confidences={word: 0.2},
            label=text,
            reason=text,
            asides=[Aside(text, text, Box(0, 0, 1, 1))],
            warnings=[PageWarning(text, text, 2), PageWarning(text, text)],
            image_transformations=[ImageTransformation(text, {text: text})],
        ),
        Page(2, (1.0, 1.0), "px", state="failed", reason=text, text_basis=None),
        name=text,
    )
    first, _, third, _ = representation.lines
    evidence: dict[str, Any] = {text: text, "nested": {text: [text]}}
    where: dict[str, Any] = {"page": 1, "evidence": evidence, "rule": text}
    hyphen = Span(third.span.end - 1, third.span.end + 1)
    edits: Iterable[PreparationEdit] = [
        Drop(span=Span(0, first.span.end + 1), replacement="", kind="stamp", line=1, words=first.span, **where),
        Change(span=hyphen, replacement="-", kind="keep_hyphen", alternatives=(text, text), flags=(text,), **where),
    ]
    found = Findings({"body": list(edits)}, {1: Folio(text, text + "1", True)}, {1: [PageWarning("code", text, 3)]})
    return render(representation, read(representation, found), title=text)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_markup(text: str) -> None:
    html, harmless = Parsed(everywhere(text)), Parsed(everywhere("harmless"))
    assert [tag for tag, _ in html.elements] == [tag for tag, _ in harmless.elements]
    assert [list(attributes) for _, attributes in html.elements] == [list(each) for _, each in harmless.elements]
    assert html.texts["p1-l1"] == text


@pytest.mark.parametrize("character", HIDING)
def test_no_character_hides_or_reorders_another(character: str) -> None:
    html = everywhere(f"before{character}after")
    assert character not in html
    assert html.count(shown(character)) > 20


def test_a_file_name_that_is_no_unicode_can_be_a_title() -> None:
    html = render(*letter(), title="br\udcffcke.pdf")
    assert "br⟨U+DCFF⟩cke.pdf" in html.encode("utf-8").decode("utf-8")


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain ſt – שלום Ω", "plain ſt – שלום Ω"),
        ("a\x00b\x1b\x7f\t\f", "a␀b␛␡␉␌"),
        ("a\u202eb\x85", "a⟨U+202E⟩b⟨U+0085⟩"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("two\nlines", "two\nlines"),
    ],
)
def test_unseen_characters_become_visible(text: str, seen: str) -> None:
    assert shown(text) == seen


@pytest.mark.parametrize("picture", [None, b"", b"<svg onload=alert(1)>", b"\x89PNG\r\n\x1a\n", b'"><script>'])
def test_what_is_no_jpeg_is_not_shown(picture: bytes | None) -> None:
    assert picture_uri(picture) is None


def test_hostile_bytes_in_a_picture_stay_bytes() -> None:
    picture = JPEG + b'"><script>alert(1)</script>'
    html = render(*letter(), pictures={1: picture, 2: b"<svg onload=alert(1)>", -1: JPEG})
    images = Parsed(html).named("img")
    assert [base64.b64decode((each["src"] or "").partition(",")[2]) for each in images] == [picture]
    assert "alert(1)" not in html


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        ({}, ""),
        ({"pages": [1, 2, 3, 7], "pageCount": 4}, "pages: 1–3, 7; page count: 4"),
        ({"similarity": 0.91234, "rare": 1.23e-6}, "similarity: 0.91; rare: 1.2e-06"),
        ({"in_lexicon": True, "model": None}, "in lexicon: yes; model: none"),
        ({"sequence": [{"page": 2, "value": "ix"}, {"page": 4, "value": "xi"}]},
         "sequence: (page 2, value ix), (page 4, value xi)"),
        ({"long": "x" * 300}, "long: " + "x" * 234 + " …"),
    ],
)  # fmt: skip
def test_evidence_is_said_in_words(evidence: dict[str, Any], said: str) -> None:
    assert in_words(evidence) == said


spans = st.builds(lambda start, length: Span(start, start + length), st.integers(0, 30), st.integers(0, 12))


@given(st.text(min_size=42, max_size=42), spans, st.lists(spans, max_size=8))
def test_cutting_loses_nothing_and_marks_each_character_as_asked(text: str, span: Span, marked: list[Span]) -> None:
    marks = [Mark(each, f"m{at}", "") for at, each in enumerate(marked)]
    runs = list(cut(text, span, marks))
    assert "".join(run.text for run in runs) == span.of(text)
    at = span.start
    for run in runs:
        for offset in range(at, at + len(run.text)):
            assert set(run.names) == {mark.name for mark in marks if offset in mark.span}
        at += len(run.text)
