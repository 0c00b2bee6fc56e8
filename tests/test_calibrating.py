"""Measuring and fitting: words get the labels of their zones, figures count both ways, and a fit keeps its rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from ocrprep.calibrating.books import labelled_books
from ocrprep.calibrating.fit import LabelledBook, examples_of, fit_profile
from ocrprep.calibrating.furniture import measure_furniture
from ocrprep.calibrating.labels import quire_label, word_labels
from ocrprep.calibrating.scoring import Tally, score_book
from ocrprep.calibrating.zones import read_truth
from ocrprep.errors import CalibrationError
from ocrprep.options import Options, ReadingOptions
from ocrprep.preparing import find
from tests.page_builder import Typed, printed, prose, representation_of

ALTO = """<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Tags>
<OtherTag ID="T1" LABEL="MainZone"/><OtherTag ID="T2" LABEL="RunningTitleZone"/>
<OtherTag ID="T3" LABEL="QuireMarksZone"/>
</Tags><Layout><Page WIDTH="1224" HEIGHT="1584"><PrintSpace>
<TextBlock ID="b1" TAGREFS="T2" HPOS="400" VPOS="50" WIDTH="400" HEIGHT="40">
<TextLine HPOS="400" VPOS="56" WIDTH="400" HEIGHT="30"><String CONTENT="THE LONG WAY"/></TextLine></TextBlock>
<TextBlock ID="b2" TAGREFS="T1" HPOS="100" VPOS="130" WIDTH="900" HEIGHT="200"/>
<TextBlock ID="b3" TAGREFS="T3" HPOS="500" VPOS="1400" WIDTH="200" HEIGHT="50">
<TextLine HPOS="500" VPOS="1400" WIDTH="200" HEIGHT="50"><String CONTENT="B ij"/></TextLine></TextBlock>
</PrintSpace></Page></Layout></alto>"""

PAGE_XML = """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">
<Page imageFilename="a.png" imageWidth="612" imageHeight="792">
<TextRegion id="r1" type="header"><Coords points="190,25 420,25 420,45 190,45"/></TextRegion>
<TextRegion id="r2" custom="structure {type:note;}"><Coords points="40,690 600,690 600,730 40,730"/></TextRegion>
<TextRegion id="r3"><Coords points="40,60 600,60 600,200 40,200"/></TextRegion>
</Page></PcGts>"""


def page(*extra: Typed) -> LabelledBook:
    lines = [Typed("THE LONG WAY", 200, 30), *printed(prose(0), y=70), *extra]
    return LabelledBook("one", representation_of([lines]), [])


def test_words_get_the_label_of_the_zone_that_holds_them(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(ALTO, encoding="utf-8")
    made = page(Typed("B ij", 260, 705), Typed("stray", 20, 760)).representation.pages[0]
    labels = word_labels(made, read_truth(tmp_path / "a.xml"))
    by_word = dict(zip(made.words.texts, labels, strict=True))
    assert by_word["THE"] == by_word["WAY"] == "running_head"
    assert by_word["harbour"] == "body"
    assert by_word["ij"] == "signature"
    assert by_word["stray"] == "none"


def test_page_types_are_known_by_attribute_and_by_structure(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(PAGE_XML, encoding="utf-8")
    made = page(Typed("1) A note.", 60, 700)).representation.pages[0]
    labels = word_labels(made, read_truth(tmp_path / "a.xml"))
    assert labels[:3] == ["running_head"] * 3
    assert labels[-3:] == ["footnote"] * 3
    assert set(labels[3:-3]) == {"body"}


@pytest.mark.parametrize(
    ("text", "label"),
    [("A ij", "signature"), ("Bb3", "signature"), ("C", "signature"), ("lequel", "catchword"), ("Pour", "catchword")],
)
def test_quire_marks_are_told_apart_by_their_text(text: str, label: str) -> None:
    assert quire_label(text) == label


def test_what_is_no_truth_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text("<alto><Layout/></alto>", encoding="utf-8")
    with pytest.raises(CalibrationError, match=r"a\.xml"):
        read_truth(tmp_path / "a.xml")


def headed(name: str, pages: int, first: int) -> LabelledBook:
    """Return a book with a head and a folio on every page, and the label of every word."""
    made = [
        [Typed(f"{first + at}", 60, 30), Typed("THE LONG WAY", 200, 30), *printed(prose(first + at, 9), y=70)]
        for at in range(pages)
    ]
    representation = representation_of(made)
    labels = [["folio", *["running_head"] * 3, *["body"] * (len(each.words) - 4)] for each in representation.pages]
    return LabelledBook(name, representation, labels)


def test_figures_count_what_is_found_and_what_is_lost() -> None:
    book = headed("a", 4, 11)
    edits = find(book.representation, ReadingOptions()).edits["body"]
    right = score_book("a", book.representation, book.labels, edits).tally.figures()
    assert (right["runningHeads"], right["folios"], right["bodyPer1000"]) == (100.0, 100.0, 0.0)
    turned = [["body" if label == "running_head" else label for label in each] for each in book.labels]
    wrong = score_book("a", book.representation, turned, edits)
    assert wrong.tally.dropped["body"] == 4 * len("THELONGWAY")
    assert wrong.tally.figures()["pagesLosingText"] == 100.0
    assert [each.text for each in wrong.lost] == ["THE LONG WAY"] * 4


def test_what_no_book_has_is_null_and_not_nought() -> None:
    assert set(Tally().figures().values()) == {None}


def test_figures_are_pooled_and_averaged() -> None:
    books = [headed("a", 4, 11), headed("b", 2, 31)]
    figures = measure_furniture(books, ReadingOptions(furniture="off"))
    told = figures.as_json()
    assert json.loads(json.dumps(told))["micro"]["runningHeads"] == 0.0
    assert [line.split()[0] for line in figures.as_table()] == ["book", "a", "b", "micro", "macro"]


def test_books_are_found_by_their_truth(tmp_path: Path) -> None:
    tei = (
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><pb/><fw type="header">Of Ships</fw><lb/>'
        'They came<note place="foot">A note.</note> home<lb/>by night.<fw type="catch">And</fw><pb/><p>And so.</p>'
    )
    (tmp_path / "whole.xml").write_text(tei + "</body></text></TEI>", encoding="utf-8")
    (book,) = labelled_books(tmp_path, Options(), {})
    assert book.representation.text == "Of Ships\nThey came home\nby night.\nA note.\nAnd\n\fAnd so.\n\f".replace(
        "They came home", "They came\nhome"
    )
    assert book.labels[0] == ["running_head"] * 2 + ["body"] * 5 + ["footnote"] * 2 + ["catchword"]


def test_a_folder_without_truth_is_an_error(tmp_path: Path) -> None:
    Image.new("L", (20, 20), 255).save(tmp_path / "a.png")
    with pytest.raises(CalibrationError, match="no page image with ALTO or PAGE"):
        list(labelled_books(tmp_path, Options(), {}))


def test_a_profile_is_fitted_from_labelled_books() -> None:
    pytest.importorskip("scipy")
    books = [headed(name, 6, first) for name, first in (("a", 11), ("b", 41), ("c", 71))]
    assert any(each.furniture for each in examples_of(books[0]))
    profile = fit_profile(books, body_per_1000=0.15, strict_body_per_1000=0.08)
    assert "head" in profile.scorecards
    assert profile.out_of_book["page_drop_recall"] > 90
    assert profile.out_of_book["page_drop_body_per_1000"] <= 0.15
    assert [each.name for each in profile.measured_on] == ["a", "b", "c"]


def test_too_few_books_are_not_fitted_on() -> None:
    with pytest.raises(CalibrationError, match="too few"):
        fit_profile([headed("a", 3, 11)], body_per_1000=0.15, strict_body_per_1000=0.08)
