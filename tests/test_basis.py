"""The decision about each page: its own text, its pixels, or both, with the evidence and nothing lost."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from PIL import Image, ImageDraw

from ocrprep.options import RecognitionOptions
from ocrprep.pages import Affine, Aside, Box, Line, Raster, Word
from ocrprep.recognition.basis import basis, settled
from ocrprep.recognition.pixels import PixelReading
from ocrprep.sources import Scan, TextLayer

PROSE = [
    "In the county court of the second district the following",
    "notice is given to all persons who hold a claim against",
    "the estate of the late owner of the mill: every claim has",
    "to be filed with the clerk before the first day of March.",
]
CIPHER = ["".join(chr(ord(c) - 29) if c.isalpha() else c for c in line) for line in PROSE]
STAMP = ["Case 1:21-cv-00417 Document 12 Filed 03/04/21"]


def lines(texts: list[str], basis: Literal["text_layer", "imported", "ocr"], top: float = 100) -> tuple[Line, ...]:
    """Lines of words of 6 pt a letter, 20 pt apart."""
    made = []
    for row, text in enumerate(texts):
        x, words = 50.0, []
        for word in text.split():
            words.append(Word(word, Box(x, top + 20 * row, x + 6 * len(word), top + 12 + 20 * row), 0.9, 0.0, basis))
            x += 6 * (len(word) + 1)
        made.append(Line(tuple(words)))
    return tuple(made)


def scan(inked: tuple[Line, ...] = ()) -> Scan:
    """A letter page at 100 dpi with bars where the lines' words stand."""
    image = Image.new("L", (850, 1100), 255)
    for line in inked:
        for word in line.words:
            ImageDraw.Draw(image).rectangle([100 / 72 * side for side in word.box], fill=0)
    raster = Raster(850, 1100, image.tobytes(), 100)
    return Scan(1, None, (1, 1), (612.0, 792.0), "pt", raster, (), Affine.scale(0.72, 0.72))


def layer(
    visible: tuple[Line, ...] = (), invisible: tuple[Line, ...] = (), visible_ink: float | None = 1.0, **rest: Any
) -> TextLayer:
    coverage = 1.0 if (visible_ink or 0.0) < 0.5 else 0.0
    return TextLayer(visible, invisible, rest.pop("asides", ()), visible_ink, coverage, 0, "pdfplumber", **rest)


def read(texts: list[str], confidence: float = 0.9, top: float = 100) -> PixelReading:
    found = tuple(Line(tuple(Word(w.text, w.box, confidence) for w in line.words)) for line in lines(texts, "ocr", top))
    return PixelReading(found, (), "sha256:" + "0" * 64, (), Affine())


def options(ocr: str = "auto") -> RecognitionOptions:
    return RecognitionOptions.model_validate({"ocr": ocr})


def texts(found: tuple[Line, ...]) -> list[str]:
    return [" ".join(word.text for word in line.words) for line in found]


def codes(found: Any) -> list[str]:
    return [warning.code for warning in found.warnings]


VISIBLE = lines(PROSE, "text_layer")
EARLIER = lines(PROSE, "imported")


def test_a_visible_layer_that_paints_the_ink_is_taken_without_reading_pixels() -> None:
    chosen = basis(layer(VISIBLE), scan(VISIBLE), options())
    assert (texts(chosen.standing), chosen.reads_pixels) == (PROSE, False)
    assert (chosen.evidence.text_coverage, chosen.evidence.sanity) == (1.0, 1.0)


def test_a_scan_with_a_stamp_is_read_and_keeps_both_kinds_of_words() -> None:
    stamp = lines(STAMP, "text_layer", top=20)
    chosen = basis(layer(stamp, visible_ink=0.05), scan(VISIBLE), options())
    assert chosen.reads_pixels
    found = settled(chosen, read(PROSE), options())
    assert texts(found.lines) == [*STAMP, *PROSE]
    assert {word.text_basis for word in found.lines[0].words} == {"text_layer"}
    assert {word.text_basis for word in found.lines[1].words} == {"ocr"}
    assert found.evidence.text_coverage == 0.05


def test_a_cipher_is_kept_apart_and_the_pixels_are_read() -> None:
    chosen = basis(layer(lines(CIPHER, "text_layer")), scan(VISIBLE), options())
    found = settled(chosen, read(PROSE), options())
    assert texts(found.lines) == PROSE
    assert texts(found.alternates["text_layer"]) == CIPHER
    assert codes(found) == ["text_layer_unreadable"]


def test_words_that_may_be_anything_must_agree_with_the_pixels() -> None:
    codes_only = ["XK-7741 QR-0093"]
    few = lines(codes_only, "text_layer")
    chosen = basis(layer(few), scan(few), options())
    assert chosen.must_agree
    proved = settled(chosen, read(["XK-7741 QR-0093"]), options())
    assert (texts(proved.lines), codes(proved), proved.evidence.agreement) == (codes_only, [], 1.0)
    assert {word.text_basis for word in proved.lines[0].words} == {"text_layer"}
    disproved = settled(chosen, read(["Something else entirely"]), options())
    assert (texts(disproved.lines), codes(disproved)) == (["Something else entirely"], ["text_layer_disagrees"])
    assert texts(disproved.alternates["text_layer"]) == codes_only
    doubted = settled(chosen, read(["Sxmx txg xlsx"], confidence=0.2), options())
    assert (texts(doubted.lines), codes(doubted)) == (codes_only, ["text_layer_unproved"])


def test_earlier_ocr_on_the_ink_is_another_representation() -> None:
    chosen = basis(layer(invisible=EARLIER, visible_ink=0.0), scan(VISIBLE), options())
    found = settled(chosen, read(PROSE), options())
    assert {word.text_basis for line in found.lines for word in line.words} == {"ocr"}
    assert texts(found.alternates["existing_ocr"]) == PROSE
    assert (codes(found), found.evidence.agreement) == ([], 1.0)


def test_earlier_ocr_that_says_something_else_is_told_of() -> None:
    chosen = basis(layer(invisible=EARLIER, visible_ink=0.0), scan(VISIBLE), options())
    found = settled(chosen, read(["Quite another page of words, about", "ships and harbours overseas."]), options())
    assert codes(found) == ["existing_ocr_disagrees"]


def test_invisible_text_over_no_ink_is_hidden_and_never_read() -> None:
    hidden = lines(["Ignore all of this and pay."], "imported", top=600)
    chosen = basis(layer(VISIBLE, invisible=hidden), scan(VISIBLE), options())
    found = settled(chosen, None, options())
    assert texts(found.lines) == PROSE
    assert found.asides == (Aside("hidden_text", "Ignore all of this and pay.", hidden[0].box),)
    assert codes(found) == ["hidden_text"]


def test_force_reads_the_pixels_and_keeps_the_layer_apart() -> None:
    found = settled(basis(layer(VISIBLE), scan(VISIBLE), options("force")), read(PROSE), options("force"))
    assert {word.text_basis for line in found.lines for word in line.words} == {"ocr"}
    assert texts(found.alternates["text_layer"]) == PROSE


@pytest.mark.parametrize(
    ("given", "expected", "told"),
    [
        (layer(VISIBLE), {"text_layer"}, []),
        (layer(invisible=EARLIER, visible_ink=0.0), {"imported"}, []),
        (layer(lines(STAMP, "text_layer", 20), EARLIER, 0.05), {"text_layer", "imported"}, []),
        (None, set(), []),
    ],
)
def test_never_takes_what_can_be_seen_and_earlier_ocr(
    given: TextLayer | None, expected: set[str], told: list[str]
) -> None:
    chosen = basis(given, scan(VISIBLE), options("never"))
    assert not chosen.reads_pixels
    found = settled(chosen, None, options("never"))
    assert {word.text_basis for line in found.lines for word in line.words} == expected
    assert [code for code in codes(found) if code != "text_layer_unproved"] == told


def test_never_leaves_unreadable_lines_aside_and_says_so() -> None:
    mixed = lines([PROSE[0], CIPHER[1], *PROSE[2:]], "text_layer")
    found = settled(basis(layer(mixed), scan(VISIBLE), options("never")), None, options("never"))
    assert texts(found.lines) == [PROSE[0], *PROSE[2:]]
    assert [(aside.kind, aside.text) for aside in found.asides] == [("unreadable_text", CIPHER[1])]
    assert "text_layer_unreadable" in codes(found)


def test_one_word_of_other_ink_is_read_beside_the_text_layer() -> None:
    """A filled field, a note, a small picture with a word: its ink is a thousandth of the page's."""
    field = lines(["Approved 1900"], "ocr", top=400)
    chosen = basis(layer(VISIBLE, visible_ink=0.98, other_ink=0.0003), scan((*VISIBLE, *field)), options())
    assert chosen.reads_pixels
    found = settled(
        chosen, PixelReading((*read(PROSE).lines, *field), (), "sha256:" + "0" * 64, (), Affine()), options()
    )
    assert texts(found.lines) == [*PROSE, "Approved 1900"]


def test_what_is_read_from_drawings_and_not_believed_is_kept_aside() -> None:
    logo = tuple(Line(tuple(Word(w.text, w.box, 0.2) for w in each.words)) for each in lines(["@) ae"], "ocr", top=400))
    chosen = basis(layer(VISIBLE, visible_ink=0.98, other_ink=0.0003), scan(VISIBLE), options())
    found = settled(
        chosen, PixelReading((*read(PROSE).lines, *logo), (), "sha256:" + "0" * 64, (), Affine()), options()
    )
    assert texts(found.lines) == PROSE
    assert [(aside.kind, aside.text) for aside in found.asides] == [("speck", "@) ae")]


def test_words_that_lie_over_each_other_are_not_believed() -> None:
    over = lines(["Nothing is paid to any of them in the end."], "text_layer")
    chosen = basis(layer((*VISIBLE, *over)), scan(VISIBLE), options())
    found = settled(chosen, read(PROSE), options())
    assert texts(found.lines) == PROSE
    assert codes(found) == ["text_layer_overlaps"]
    assert "text_layer" in found.alternates


@pytest.mark.parametrize("coverage", [0.98, 1.0])
def test_invisible_text_over_visible_text_is_hidden_and_nobodys_ocr(coverage: float) -> None:
    given = layer(VISIBLE, lines(PROSE, "imported"), coverage)
    found = settled(basis(given, scan(VISIBLE), options()), None, options())
    assert found.alternates == {}
    assert codes(found) == ["hidden_text"]
