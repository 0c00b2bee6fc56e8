"""What a PDF is beside its pages: counts, damage, units, restrictions, scripts, attachments, forms and layers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, String

from ocrprep.errors import PageError, SourceError
from ocrprep.options import RecognitionOptions
from ocrprep.sources import open_source, pdf_facts, pdf_structure
from ocrprep.sources.pdf import PdfFile
from tests.test_sources_pdf import one_page, pdf_bytes, stream

OPTIONS = RecognitionOptions()
GOOD = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>"
CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"


def saved(folder: Path, content: bytes) -> Path:
    """Write a file of such bytes."""
    (folder / "saved.pdf").write_bytes(content)
    return folder / "saved.pdf"


def built(folder: Path, change: Callable[[Pdf], None] = lambda _: None, pages: int = 1) -> Path:
    """Write a PDF of blank pages that `change` makes hostile."""
    with pikepdf.new() as document:
        for _ in range(pages):
            document.add_blank_page(page_size=(72, 72))
        change(document)
        document.save(folder / "built.pdf")
    return folder / "built.pdf"


def told(path: Path) -> dict[str, str]:
    """Return the warnings of a file by their codes, each of which stands once."""
    found = PdfFile(path).warnings
    assert len({each.code for each in found}) == len(found)
    return {each.code: each.message for each in found}


def test_an_ordinary_file_has_nothing_to_tell(tmp_path: Path) -> None:
    assert told(built(tmp_path, pages=3)) == {}


def tree(kids: bytes, count: bytes, *leaves: bytes) -> bytes:
    return pdf_bytes(CATALOG, b"<</Type/Pages/Kids[%s]%s>>" % (kids, count), *leaves)


@pytest.mark.parametrize(
    ("content", "pages", "code", "words"),
    [
        (tree(b"3 0 R 4 0 R", b"/Count 4", GOOD, GOOD), 4, "pages_missing", "promises 4 pages, 2 can be read"),
        (tree(b"3 0 R 9 0 R 4 0 R", b"/Count 3", GOOD, GOOD), 3, "pages_missing", "promises 3 pages, 2 can be read"),
        (tree(b"3 0 R 4 0 R 5 0 R", b"/Count 1", *[GOOD] * 3), 1, "page_counts_disagree", "and 3 for another"),
    ],
)
def test_pages_that_are_missing_are_told(tmp_path: Path, content: bytes, pages: int, code: str, words: str) -> None:
    path = saved(tmp_path, content)
    assert PdfFile(path).page_count == pages
    assert list(told(path)) == [code]
    assert words in told(path)[code]


@pytest.mark.parametrize("count", [b"", b"/Count 0", b"/Count -3", b"/Count 3", b"/Count/Three"])
def test_a_wrong_count_that_loses_no_page_is_no_warning(tmp_path: Path, count: bytes) -> None:
    path = saved(tmp_path, tree(b"3 0 R 4 0 R 5 0 R", count, *[GOOD] * 3))
    assert (PdfFile(path).page_count, told(path)) == (3, {})


MISSING = b"9 0 R " * 2000


@pytest.mark.parametrize(
    ("kids", "pages", "there"),
    [(b"3 0 R 4 0 R", 2, 2), (b"3 0 R " + MISSING + b"4 0 R", 2002, 2), (b"3 0 R " + MISSING, 1, 1)],
)
def test_a_hundred_thousand_promised_pages_are_one_warning_and_no_hour(
    tmp_path: Path, kids: bytes, pages: int, there: int
) -> None:
    """Pages after the last that is there are cut; those before it keep their numbers."""
    path = saved(tmp_path, tree(kids, b"/Count 100000", GOOD, GOOD))
    with open_source([path]) as source:
        assert source.page_count == pages
        assert f"promises 100,000 pages, {there} can be read" in source.warnings[0].message
        source.scan(pages, OPTIONS)


def broken_table(texts: list[bytes]) -> bytes:
    """Write pages between cross-reference marks that say nothing, as of C06 A: only the last has its startxref."""
    kids = b" ".join(b"%d 0 R" % (4 + 2 * index) for index in range(len(texts)))
    out = b"%%PDF-1.4\n1 0 obj\n%s\nendobj\n2 0 obj\n<</Type/Pages/Count %d/Kids[%s]>>\nendobj\n" % (
        CATALOG,
        len(texts),
        kids,
    )
    before = 0
    for index, text in enumerate(texts):
        font = b"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>>>"
        out += b"%d 0 obj\n%s\nendobj\n" % (3 + 2 * index, stream(b"BT /F 10 Tf 60 700 Td (%s) Tj ET" % text))
        page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]%s/Contents %d 0 R>>" % (font, 3 + 2 * index)
        out += b"%d 0 obj\n%s\nendobj\n" % (4 + 2 * index, page)
        before, table = len(out), before
        out += b"xref\ntrailer\n<</Size 12/Root 1 0 R/Prev %d>>\n" % table
    return out + b"startxref\n%d\n%%%%EOF\n" % before


LEAVES = [b"Leaf one", b"Leaf two", b"Leaf three", b"Leaf four"]


def text_of(path: Path, page: int) -> str:
    """Return the text that pdfium finds on a page."""
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        return str(document[page - 1].get_textpage().get_text_range())


def test_a_damaged_cross_reference_loses_and_turns_no_page(tmp_path: Path) -> None:
    path = saved(tmp_path, broken_table(LEAVES))
    with open_source([path]) as source:
        assert (source.page_count, [each.code for each in source.warnings]) == (4, [])
    assert [text_of(path, page).encode() for page in (1, 2, 3, 4)] == LEAVES


FOUR = tree(b"3 0 R 4 0 R 5 0 R 6 0 R", b"/Count 4", *[GOOD] * 4)


@pytest.mark.parametrize("share", [0.3, 0.5, 0.62, 0.8, 0.95])
def test_a_file_that_is_cut_off_is_damaged_and_never_a_success_with_fewer_pages(tmp_path: Path, share: float) -> None:
    """C06 B."""
    with pytest.raises(SourceError, match="is a damaged PDF: download or copy it again"):
        open_source([saved(tmp_path, FOUR[: int(len(FOUR) * share)])])


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_a_cut_file_that_still_opens_keeps_its_page_numbers_and_says_what_is_missing(tmp_path: Path, lost: int) -> None:
    """Files made for the web have a trailer at their front, and open without their end."""
    front = FOUR.replace(b"%PDF-1.7\n", b"%PDF-1.7\ntrailer\n<</Size 7/Root 1 0 R>>\n")
    path = saved(tmp_path, front[: front.index(b"%d 0 obj" % (7 - lost))])
    with open_source([path]) as source:
        assert source.page_count == 4
        assert [warning.code for warning in source.warnings] == ["no_end_mark", "pages_missing", "structure_unchecked"][
            : 2 + (lost == 3)
        ]
        assert f"promises 4 pages, {4 - lost} can be read" in source.warnings[1].message
        source.scan(4 - lost, OPTIONS)
        with pytest.raises(PageError, match="damaged or missing in the PDF"):
            source.scan(4, OPTIONS)


@pytest.mark.parametrize(("unit", "size"), [(None, 144), (2, 288), (0.5, 72), (75_000, 10_800_000)])
def test_the_unit_of_a_page_gives_its_true_size(tmp_path: Path, unit: float | None, size: float) -> None:
    entry = b"" if unit is None else b"/UserUnit %g" % unit
    path = saved(tmp_path, one_page(b"0 g 72 72 72 72 re f", b"/MediaBox[0 0 144 144]" + entry))
    with open_source([path]) as source:
        scan = source.scan(1, RecognitionOptions(max_pixels=1_000_000))
        assert scan.size == (size, size)
        assert source.describe(1).size == scan.size
    assert scan.affine.point(scan.raster.width, scan.raster.height) == pytest.approx(scan.size)
    assert 600 <= scan.raster.width <= 1000 or unit == 0.5
    # The black quarter stands at the top right of the page.
    row = scan.raster.pixels[scan.raster.width * (scan.raster.height // 4) :][: scan.raster.width]
    assert (row[scan.raster.width // 4], row[scan.raster.width * 3 // 4]) == (255, 0)


@pytest.mark.parametrize("unit", [b"-2", b"0", b"(two)", b"1e99", b"[2]", b"99999999"])
def test_an_absurd_unit_is_not_believed(tmp_path: Path, unit: bytes) -> None:
    path = saved(tmp_path, one_page(b"", b"/MediaBox[0 0 72 72]/UserUnit " + unit))
    with open_source([path]) as source:
        assert source.describe(1).size == (72, 72)


def script(**more: Any) -> Dictionary:
    return Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"), **more)


def names_of(kind: str, *pairs: object) -> Callable[[Pdf], None]:
    """Return what gives a document a name tree of two levels."""

    def change(document: Pdf) -> None:
        leaf = document.make_indirect(Dictionary(Names=Array(list(pairs))))
        document.Root.Names = Dictionary({kind: Dictionary(Kids=Array([leaf]))})

    return change


def opening(document: Pdf) -> None:
    document.Root.OpenAction = script(Next=Array([script(), Dictionary(S=Name.Launch, F=String("cmd.exe"))]))


def circling(document: Pdf) -> None:
    action = document.make_indirect(script())
    action.Next = action
    document.Root.OpenAction = action
    document.Root.AA = Dictionary(WC=action, WP=script())


def on_the_page(document: Pdf) -> None:
    document.pages[0].obj.AA = Dictionary(O=script())
    link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([0, 0, 9, 9]))
    link.A = Dictionary(S=Name.Launch, F=String("x"))
    document.pages[0].obj.Annots = Array([link, Dictionary(S=Name.URI), 7])


def in_a_field(document: Pdf) -> None:
    field = document.make_indirect(
        Dictionary(Subtype=Name.Widget, FT=Name.Tx, T=String("a"), Rect=Array([0, 0, 9, 9]), AA=Dictionary(K=script()))
    )
    document.pages[0].obj.Annots = Array([field])
    document.Root.AcroForm = Dictionary(Fields=Array([field, Dictionary(T=String("b"), AA=Dictionary(C=script()))]))


def in_the_outline(document: Pdf) -> None:
    entry = document.make_indirect(Dictionary(Title=String("1"), A=script()))
    entry.Next = entry
    document.Root.Outlines = Dictionary(First=entry)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (opening, "2 scripts and 1 launch action: they are"),
        (circling, "2 scripts: they are"),
        (on_the_page, "1 script and 1 launch action: they are"),
        (in_a_field, "2 scripts: they are"),
        (in_the_outline, "1 script: it is"),
        (names_of("/JavaScript", String("a"), script(), String("b"), script()), "2 scripts: they are"),
    ],
)
def test_scripts_and_launch_actions_are_counted_and_never_run(
    tmp_path: Path, change: Callable[[Pdf], None], expected: str
) -> None:
    found = told(built(tmp_path, change))
    assert found == {"pdf_scripts": f"built.pdf holds {expected} never run"}


def embedded(name: str) -> Dictionary:
    return Dictionary(Type=Name.Filespec, F=String(name), UF=String(name), EF=Dictionary(F=Dictionary()))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["../../evil.sh"], "holds 1 embedded file (../../evil.sh): it is not read"),
        (["a\nb\x1b[2J"], "holds 1 embedded file (a\\nb\\x1b[2J): it is not read"),
        (["x" * 500], f"holds 1 embedded file ({'x' * 59}…): it is not read"),
        (list("abcdefg"), "holds 7 embedded files (a, b, c, d, e, …): they are not read"),
    ],
)
def test_embedded_files_are_named_safely_and_not_read(tmp_path: Path, names: list[str], expected: str) -> None:
    pairs = [each for name in names for each in (String(name), embedded(name))]
    found = told(built(tmp_path, names_of("/EmbeddedFiles", *pairs)))
    assert found == {"embedded_files": f"built.pdf {expected}"}


def test_files_on_a_page_and_in_a_portfolio_are_told(tmp_path: Path) -> None:
    def change(document: Pdf) -> None:
        pin = Dictionary(Type=Name.Annot, Subtype=Name.FileAttachment, Rect=Array([0, 0, 9, 9]), FS=embedded("pin"))
        document.pages[0].obj.Annots = Array([pin])
        document.Root.Collection = Dictionary(View=Name.D)

    assert "is a portfolio and holds 1 embedded file (pin)" in told(built(tmp_path, change))["embedded_files"]


def test_an_xfa_form_is_told(tmp_path: Path) -> None:
    def change(document: Pdf) -> None:
        document.Root.AcroForm = Dictionary(Fields=Array([]), XFA=Array([String("template"), String("x")]))

    assert "a form program shows may differ" in told(built(tmp_path, change))["pdf_xfa"]


LAYER = b"/Resources<</Properties<</L 5 0 R>>>>/MediaBox[0 0 72 72]"


@pytest.mark.parametrize(
    ("default", "hidden"),
    [(b"", False), (b"/OFF[5 0 R]", True), (b"/BaseState/OFF", True), (b"/BaseState/OFF/ON[5 0 R]", False)],
)
def test_layers_are_read_as_a_viewer_shows_them(tmp_path: Path, default: bytes, hidden: bool) -> None:
    layers = b"/OCProperties<</OCGs[5 0 R]/D<<%s>>>>" % default
    drawing = b"/OC /L BDC 0 g 0 0 72 72 re f EMC"
    path = saved(tmp_path, one_page(drawing, LAYER, b"<</Type/OCG/Name(Draft)>>", catalog=layers))
    with open_source([path]) as source:
        assert [each.code for each in source.warnings] == ["hidden_layers"] * hidden
        assert set(source.scan(1, OPTIONS).raster.pixels) == {255 if hidden else 0}
        if hidden:
            assert "1 layer that viewers do not show (Draft)" in source.warnings[0].message


RESTRICTED = pikepdf.Permissions(
    print_highres=False, print_lowres=False, extract=False, modify_assembly=True, accessibility=True
)


def sealed(folder: Path, user: str, revision: int = 6, allow: pikepdf.Permissions = RESTRICTED) -> Path:
    """Encrypt a page as C08 does; the owner's password is "o"."""
    path = folder / "sealed.pdf"
    old = revision < 4
    with Pdf.open(saved(folder, one_page(b"0 g 0 0 72 72 re f", b"/MediaBox[0 0 72 72]"))) as document:
        how = pikepdf.Encryption(user=user, owner="o", R=revision, allow=allow, aes=not old, metadata=not old)  # type: ignore[arg-type]
        document.save(path, encryption=how)
    return path


@pytest.mark.parametrize("revision", [3, 4, 6])
def test_the_owners_restrictions_are_told_and_the_file_is_read_and_left_alone(tmp_path: Path, revision: int) -> None:
    """C08 A."""
    path = sealed(tmp_path, "", revision)
    before = path.read_bytes()
    with open_source([path]) as source:
        (warning,) = source.warnings
        assert warning.code == "pdf_restrictions"
        assert warning.message == "the owner of sealed.pdf asks not to allow: print, extract"
        assert set(source.scan(1, OPTIONS).raster.pixels) == {0}
    assert PdfFile(path).password is None
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("passwords", "message"),
    [
        ((), "needs a password: write it into a file and name that with --password-file FILE"),
        (("",), "needs a password"),
        (("x",), "is encrypted and the given password does not open it: put the right one into the file"),
        (("x", "y"), "is encrypted and none of the 2 given passwords opens it"),
    ],
)
def test_what_keeps_a_file_closed_says_what_to_do(tmp_path: Path, passwords: tuple[str, ...], message: str) -> None:
    """C08 B and C."""
    with pytest.raises(SourceError) as raised:
        open_source([sealed(tmp_path, "u")], passwords=passwords)
    assert message in str(raised.value)
    assert "x" not in str(raised.value).split("sealed.pdf")[1].replace("next", "")


@pytest.mark.parametrize("revision", [3, 4, 6])
@pytest.mark.parametrize("word", ["u", "pässwörd", "ein langes Wort mit Leerzeichen"])
def test_the_right_password_among_several_opens(tmp_path: Path, word: str, revision: int) -> None:
    """C08 D; what is beside the pages is then known, too."""
    file = PdfFile(sealed(tmp_path, word, revision), ("wrong", word, "other"))
    assert set(file.scan(1, OPTIONS).raster.pixels) == {0}
    assert file.password == word
    assert [each.code for each in file.warnings] == ["pdf_restrictions"]


def test_a_password_outside_latin_1_opens_a_new_file(tmp_path: Path) -> None:
    assert PdfFile(sealed(tmp_path, "пароль"), ("пароль",)).page_count == 1


PUBLIC_KEY = b"<</Filter/Adobe.PubSec/SubFilter/adbe.pkcs7.s5/V 4/CF<</DefaultCryptFilter<</CFM/AESV2>>>>>>"
UNKNOWN_VERSION = b"<</Filter/Standard/V 9/R 9/O<%s>/U<%s>/P -4>>" % (b"00" * 32, b"00" * 32)


@pytest.mark.parametrize("handler", [PUBLIC_KEY, UNKNOWN_VERSION, PUBLIC_KEY.replace(b"Adobe.PubSec", b"Unheard")])
@pytest.mark.parametrize("passwords", [(), ("u",)])
def test_an_encryption_that_no_password_opens_is_named_as_such(
    tmp_path: Path, handler: bytes, passwords: tuple[str, ...]
) -> None:
    content = pdf_bytes(
        CATALOG, b"<</Type/Pages/Kids[3 0 R]/Count 1>>", GOOD, handler, trailer=b"/Encrypt 4 0 R/ID[<00><00>]"
    )
    with pytest.raises(SourceError, match="encrypted in a way that is not supported: remove the encryption"):
        open_source([saved(tmp_path, content)], passwords=passwords)


def test_what_the_second_reader_cannot_open_is_said_to_be_unchecked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise pikepdf.PdfError("no")

    monkeypatch.setattr(pdf_facts, "_opened", refuse)
    facts = pdf_facts.gather(built(tmp_path, opening), None, 5, lambda page: page != 3, whole=True)
    assert facts.page_count == 5
    assert [each.code for each in facts.warnings] == ["pages_missing", "structure_unchecked"]
    assert "promises 5 pages, 4 can be read" in facts.warnings[0].message


def test_a_walk_that_grows_too_long_stops_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_structure, "MOST_OBJECTS", 5)

    def change(document: Pdf) -> None:
        document.pages[0].obj.Annots = Array([document.make_indirect(Dictionary(A=script())) for _ in range(9)])

    found = told(built(tmp_path, change))
    assert list(found) == ["pdf_scripts", "structure_unchecked"]
    assert "objects" in found["structure_unchecked"]
