"""PDFs as archives have them, from file to reading: cases C01, C02, C04, C06 and C08, scans with stamps, old OCR."""

from __future__ import annotations

import re
from pathlib import Path

import pikepdf
import pytest

import ocrprep
from ocrprep.errors import SourceError
from ocrprep.options import Options, RecognitionOptions
from ocrprep.pages import Box
from ocrprep.preparation import Preparation
from tests.drawn import drawn, pdf_file, pdf_of

COURIER = "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Courier >> >> >>"


def typed(path: Path, pages: list[str], attributes: str = "/MediaBox [0 0 612 792]", later: str = "") -> Path:
    """Write a PDF of content streams set in Courier; `later` are attributes of the last page only."""
    kids = " ".join(f"{3 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
    ]
    for number, content in enumerate(pages):
        last = later if number == len(pages) - 1 else ""
        page = f"<< /Type /Page /Parent 2 0 R {attributes} {last} {COURIER} /Contents {4 + 2 * number} 0 R >>"
        stream = content.encode("latin-1")
        objects += [page.encode(), b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream)]
    path.write_bytes(pdf_file(objects))
    return path


def at(x: float, y: float, text: str, size: float = 10, mode: int = 0) -> str:
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT {mode} Tr /F1 {size} Tf {x} {y} Td ({escaped}) Tj ET\n"


def prepared(path: Path, **recognition: object) -> Preparation:
    recognised = RecognitionOptions.model_validate(recognition)
    return ocrprep.prepare(path, Options(recognition=recognised, images="none", jobs=1))


def codes(preparation: Preparation, page: int = 1) -> list[str]:
    return [warning.code for warning in preparation.representation.pages[page - 1].warnings]


@pytest.mark.parametrize("ocr", ["auto", "never"])
def test_case_c01_one_frame_for_crop_boxes_and_rotation(tmp_path: Path, ocr: str) -> None:
    content = at(150, 600, "Ledger entry 4417 was paid.") + at(20, 760, "OUTSIDE CROP 999")
    boxes = "/MediaBox [0 0 612 792] /CropBox [100 92 512 692]"
    found = prepared(typed(tmp_path / "c01.pdf", [content, content], boxes, "/Rotate 90"), ocr=ocr)
    assert found.reading.text.split("\n\n") == ["Ledger entry 4417 was paid.", "Ledger entry 4417 was paid."]
    for page, size, box in zip(
        found.representation.pages,
        [(412, 600), (600, 412)],
        [Box(50, 84, 212, 94), Box(506, 50, 516, 212)],
        strict=True,
    ):
        assert page.size == size
        assert page.text_basis == "text_layer"
        assert max(abs(a - b) for a, b in zip(page.line(0).box, box, strict=True)) <= 3
        assert [(aside.kind, aside.text) for aside in page.asides] == [("outside_crop", "OUTSIDE CROP 999")]


def test_case_c02_fake_bold_is_read_once_and_real_doubles_stay(tmp_path: Path) -> None:
    bold = "".join(at(72 + 6 * n + d, 690, c) for n, c in enumerate("Bookkeeper 1100") if c != " " for d in (0, 0.3))
    content = bold + at(72, 676, "committee 1100") + at(72, 662, "very very old")
    found = prepared(typed(tmp_path / "c02.pdf", [content]), ocr="never")
    assert found.representation.text == "Bookkeeper 1100\ncommittee 1100\nvery very old\n\f"


def cipher(text: str) -> str:
    return "".join(chr(ord(c) - 29) for c in text)


C04 = [
    "IN THE COUNTY COURT",
    cipher("Notice of the County Court and of all who sit in it"),
    "The clerk filed part WKH-38 and form 6WDWHV.",
]


def test_case_c04_a_cipher_is_flagged_by_line_and_never_decoded(tmp_path: Path) -> None:
    content = "".join(at(72, 700 - 20 * n, line) for n, line in enumerate(C04))
    path = typed(tmp_path / "c04.pdf", [content])
    unread = prepared(path, ocr="never")
    assert "Notice of the County" not in unread.representation.text
    assert [line.text for line in unread.representation.lines] == [C04[0], C04[2]]
    assert "text_layer_unreadable" in codes(unread)
    (aside,) = unread.representation.pages[0].asides
    assert aside.kind == "unreadable_text"
    read = prepared(path)
    assert read.representation.pages[0].text_basis == "ocr"
    assert "text_layer_unreadable" in codes(read)
    assert "WKH-38" in read.representation.text
    assert set(read.representation.alternates) == {"text_layer"}


def test_case_c06_a_damaged_table_of_objects_loses_and_reorders_nothing(tmp_path: Path) -> None:
    names = ["Leaf one", "Leaf two", "Leaf three", "Leaf four"]
    whole = typed(tmp_path / "whole.pdf", [at(60, 700, name, 24) for name in names]).read_bytes()
    start = whole.rindex(b"xref\n")
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(whole[:start] + whole[start:].replace(b"0000000", b"0000999"))
    found = prepared(broken, ocr="never")
    assert found.representation.text == "".join(f"{name}\n\f" for name in names)


def test_case_c06_a_file_that_is_cut_off_is_never_a_success_with_fewer_pages(tmp_path: Path) -> None:
    names = ["Leaf one", "Leaf two", "Leaf three", "Leaf four"]
    whole = typed(tmp_path / "whole.pdf", [at(60, 700, name, 24) for name in names]).read_bytes()
    for share in (0.4, 0.62, 0.8, 0.95):
        cut = tmp_path / "cut.pdf"
        cut.write_bytes(whole[: int(share * len(whole))])
        try:
            found = prepared(cut, ocr="never")
        except SourceError as fault:
            told = str(fault)
        else:
            told = " ".join(codes(found))
        assert re.search("damaged|pages_missing|no_end_mark", told)


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    path = typed(tmp_path / "open.pdf", [at(72, 700, "Sealed entry 12.")])
    with pikepdf.open(path) as document:
        allowed = pikepdf.Permissions(print_lowres=False, print_highres=False, extract=False)
        document.save(tmp_path / "a.pdf", encryption=pikepdf.Encryption(user="", owner="o", allow=allowed))
        document.save(tmp_path / "b.pdf", encryption=pikepdf.Encryption(user="u", owner="o"))
    return tmp_path


def test_case_c08_an_owners_password_alone_stops_nobody_and_is_recorded(sealed: Path) -> None:
    found = prepared(sealed / "a.pdf", ocr="never")
    assert found.reading.text == "Sealed entry 12."
    (restrictions,) = (w for w in found.representation.pages[0].warnings if w.code == "pdf_restrictions")
    assert "print" in restrictions.message
    assert "extract" in restrictions.message


@pytest.mark.parametrize(("passwords", "words"), [((), "password-file"), (("x",), "do not open|does not open|wrong")])
def test_case_c08_a_missing_and_a_wrong_password_are_two_messages(
    sealed: Path, passwords: tuple[str, ...], words: str
) -> None:
    with pytest.raises(SourceError, match=words):
        ocrprep.prepare(sealed / "b.pdf", Options(passwords=passwords))


def test_case_c08_the_right_password_among_several_opens_the_file(sealed: Path) -> None:
    options = Options(passwords=("x", "u"), recognition=RecognitionOptions(ocr="never"))
    preparation = ocrprep.prepare(sealed / "b.pdf", options)
    assert preparation.reading.text == "Sealed entry 12."
    assert '"u"' not in preparation.reading.record.model_dump_json()


def stamped(path: Path, stamp: str) -> Path:
    """A scan of a letter with text over it."""
    pdf_of(drawn(3, 150, size=(6.0, 4.0)), path, 150)
    with pikepdf.open(path, allow_overwriting_input=True) as document:
        page = document.pages[0]
        font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Courier)
        page.Resources.Font = pikepdf.Dictionary(F1=font)
        page.contents_add(stamp.encode("latin-1"))
        document.save(path)
    return path


def test_a_scan_with_an_efiling_header_is_read_and_keeps_both_kinds_of_words(tmp_path: Path) -> None:
    header = "Case 1:21-cv-00417 Document 12 Filed 03/04/21"
    page = prepared(stamped(tmp_path / "s.pdf", at(60, 270, header, 9))).representation.pages[0]
    assert page.text_basis == "mixed"
    by_basis = {basis: [w.text for w in page.words if w.text_basis == basis] for basis in ("text_layer", "ocr")}
    assert by_basis["text_layer"] == header.split()
    assert len(by_basis["ocr"]) > 40
    assert not set(header.split()) & set(by_basis["ocr"])
    assert page.text_evidence is not None
    assert page.text_evidence.image_coverage == 1.0
    assert (page.text_evidence.text_coverage or 0) < 0.3


def test_somebodys_ocr_under_a_scan_is_kept_and_the_page_is_read_anew(tmp_path: Path) -> None:
    truth = pdf_of(drawn(3, 150, size=(6.0, 4.0)), tmp_path / "truth.pdf", 150)
    ours = "".join(at(box.x0, 288 - box.bottom, word, box.width / len(word) / 0.6, mode=3) for word, box in truth.words)
    path = stamped(tmp_path / "s.pdf", ours)
    found = prepared(path)
    page = found.representation.pages[0]
    assert page.text_basis == "ocr"
    assert sorted(found.representation.alternates["existing_ocr"].pages[0].words.texts) == sorted(
        word for word, _ in truth.words
    )
    taken = prepared(path, ocr="never").representation.pages[0]
    assert (taken.text_basis, taken.state) == ("imported", "read")
    bundle = found.save(tmp_path / "out")
    assert ocrprep.verify(bundle.path).ok
    assert set(bundle.representation.alternates) == {"existing_ocr"}


def test_hidden_text_never_enters_the_reading(tmp_path: Path) -> None:
    content = (
        at(72, 700, "The clerk has filed the notice of the county court today.")
        + at(72, 400, "Ignore this", mode=3)
        + "1 1 1 rg\n" + at(72, 300, "white on white")
        + "0 g\n" + at(72, 200, "too small to read", size=0.5)
    )  # fmt: skip
    found = prepared(typed(tmp_path / "h.pdf", [content]))
    assert found.reading.text == "The clerk has filed the notice of the county court today."
    page = found.representation.pages[0]
    assert {aside.text for aside in page.asides} == {"Ignore this", "white on white", "too small to read"}
    assert {aside.kind for aside in page.asides} == {"hidden_text"}
    assert "hidden_text" in codes(found)
