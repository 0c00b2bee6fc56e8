"""hOCR as a source: pages, lines and words, titles, damage that is repaired where all can see it."""

from __future__ import annotations

import html
import resource
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrprep.errors import PageError, SourceError
from ocrprep.pages import Box, Word
from ocrprep.sources import given_text, hocr, xml_file
from ocrprep.sources.existing_ocr import ExistingOcrFile, existing_ocr_kind
from ocrprep.sources.page_text import ExistingText

PAGE_TITLE = 'image "p.png"; bbox 0 0 1000 1400; ppageno 0'
XHTML = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" '
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n'
)


def document(*pages: str, prolog: str = XHTML) -> str:
    body = "\n".join(f"<div class='ocr_page' title='{PAGE_TITLE}'>{page}</div>" for page in pages)
    return (
        f"{prolog}<html xmlns='http://www.w3.org/1999/xhtml'><head><title></title></head><body>\n{body}\n</body></html>"
    )


def line(content: str, title: str = "bbox 10 10 300 40") -> str:
    return f"<span class='ocr_line' title='{title}'>{content}</span>"


def word(text: str, title: str = "bbox 10 10 60 30; x_wconf 91") -> str:
    return f"<span class='ocrx_word' title='{title}'>{text}</span>"


def opened(tmp_path: Path, text: str | bytes) -> ExistingOcrFile:
    path = tmp_path / "page.hocr"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    kind = existing_ocr_kind(path.read_bytes()[:65_536])
    assert kind == "HOCR"
    return ExistingOcrFile(path, kind)


def read(tmp_path: Path, page: str) -> tuple[ExistingText, list[str]]:
    """Return the one page of a document and the codes of all warnings but that of the picture."""
    file = opened(tmp_path, document(page))
    text = file.text(1)
    codes = [each.code for each in (*file.warnings, *text.warnings)]
    return text, [code for code in codes if code != "page_image_missing"]


def texts(text: ExistingText) -> list[str]:
    return [" ".join(each.text for each in line.words) for line in text.lines]


def test_an_entity_bomb_is_refused_before_any_parser_sees_it(tmp_path: Path) -> None:
    """C39 A, and the memory that refusing it takes."""
    entities = '<!ENTITY e0 "saltsalt">' + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    file = opened(tmp_path, document(line(word("&e7;")), prolog=f"<!DOCTYPE html [{entities}]>"))
    with pytest.raises(SourceError, match="declares entities"):
        _ = file.page_count
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_local_file_is_never_read(tmp_path: Path, encoding: str) -> None:
    """C39 B."""
    (tmp_path / "secret").write_text("hostname")
    declared = f'<!DOCTYPE html [<!ENTITY h SYSTEM "{(tmp_path / "secret").as_uri()}">]>'
    with pytest.raises(SourceError, match="declares entities"):
        opened(tmp_path, document(line(word("&h;")), prolog=declared).encode(encoding)).text(1)


def test_the_text_of_a_word_is_that_of_all_elements_in_it(tmp_path: Path) -> None:
    """C39 C."""
    text, codes = read(tmp_path, line(word("<em>Sa<strong>l</strong></em>t")))
    assert text.lines[0].words == (Word("Salt", Box(10, 10, 60, 30), 0.91, text_basis="imported"),)
    assert codes == []


@pytest.mark.parametrize(
    ("written", "expected", "codes"),
    [
        ("a&#x1b;b", ["a\ufffdb"], ["ocr_file_repaired"]),  # C39 D
        ("a\x1bb", ["a\ufffdb"], ["ocr_file_repaired"]),
        ("a&#xD800;b", ["a\ufffdb"], ["ocr_file_repaired"]),
        ("a\x85b", ["a", "b"], ["word_boxes_estimated"]),  # white space to Unicode
        ("a\x90b", ["a\ufffdb"], ["characters_replaced"]),
        ("R & D", ["R", "&", "D"], ["ocr_file_repaired", "word_boxes_estimated"]),  # C39 E
        ("R&D;x &nosuch; &", ["R&D;x", "&nosuch;", "&"], ["ocr_file_repaired", "word_boxes_estimated"]),
        ("re&shy;wind", ["re\xadwind"], []),  # C39 F
        ("caf&eacute;&amp;&lt;", ["café&<"], []),
        ("&#38;&#60;", ["&<"], []),
        ("3 < 5", ["3", "<", "5"], ["ocr_file_repaired", "word_boxes_estimated"]),
        ("a<br>b", ["ab"], ["ocr_file_repaired"]),
        ("<b>S & <i>T</b></i>", ["S", "&", "T"], ["ocr_file_repaired", "ocr_file_repaired", "word_boxes_estimated"]),
        ("<![CDATA[a & b]]>", ["a", "&", "b"], ["word_boxes_estimated"]),
    ],
)
def test_nothing_is_repaired_unseen(tmp_path: Path, written: str, expected: list[str], codes: list[str]) -> None:
    text, found = read(tmp_path, line(word(written)))
    assert [each.text for each in text.lines[0].words] == expected
    assert found == codes


def test_invalid_bytes_are_told(tmp_path: Path) -> None:
    file = opened(tmp_path, document(line(word("caf\xe9"))).encode("latin-1"))
    assert texts(file.text(1)) == ["caf\ufffd"]
    assert [each.code for each in file.warnings] == ["ocr_file_repaired"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_the_mark_of_a_file_tells_its_encoding(tmp_path: Path, encoding: str) -> None:
    file = opened(tmp_path, document(line(word("née")), prolog="").encode(encoding))
    assert (texts(file.text(1)), file.warnings) == (["née"], ())


def test_utf_8_that_declares_utf_16_is_read_and_told(tmp_path: Path) -> None:
    file = opened(tmp_path, document(line(word("née")), prolog="<?xml version='1.0' encoding='utf-16'?>"))
    assert texts(file.text(1)) == ["née"]
    assert [each.code for each in file.warnings] == ["ocr_file_repaired"]


@pytest.mark.parametrize("encoding", ["utf-7", "rot13", "no-such", "cp037"])
def test_an_encoding_that_can_hide_markup_is_refused(tmp_path: Path, encoding: str) -> None:
    file = opened(tmp_path, document(line(word("x")), prolog=f"<?xml version='1.0' encoding='{encoding}'?>"))
    with pytest.raises(SourceError, match="encoding"):
        _ = file.page_count


def test_html_that_would_lose_text_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lenient parser is believed only when all text is still there."""
    monkeypatch.setattr(xml_file, "_text_of", lambda _: iter(["not all"]))
    with pytest.raises(SourceError, match="without losing text"):
        opened(tmp_path, document(line(word("a<br>b")))).text(1)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("bbox 1 2 3 4; x_wconf 91", {"bbox": "1 2 3 4", "x_wconf": "91"}),
        ('image "a;b.png"; bbox 1 2 3 4', {"image": "a;b.png", "bbox": "1 2 3 4"}),
        (r'image "C:\scans\p 1.tif";ppageno 3', {"image": r"C:\scans\p 1.tif", "ppageno": "3"}),
        ("image O'Brien.png; bbox 1 2 3 4", {"image": "O'Brien.png", "bbox": "1 2 3 4"}),
        ("image 'x.png", {"image": "'x.png"}),
        ("bbox; ; x_size", {"bbox": "", "x_size": ""}),
        ("bbox 1 2 3 4; bbox 9 9 9 9", {"bbox": "1 2 3 4"}),
        ("", {}),
    ],
)
def test_titles_are_read_as_people_write_them(title: str, expected: dict[str, str]) -> None:
    from lxml import etree

    assert hocr.properties(etree.Element("span", title=title)) == expected


def test_a_line_without_words_gives_words_with_shares_of_its_box(tmp_path: Path) -> None:
    text, codes = read(tmp_path, line("To be", "bbox 100 10 200 40"))
    assert [(each.text, each.box) for each in text.lines[0].words] == [
        ("To", Box(100, 10, 140, 40)),
        ("be", Box(160, 10, 200, 40)),
    ]
    assert codes == ["word_boxes_estimated"]


def test_text_outside_words_and_lines_is_kept(tmp_path: Path) -> None:
    text, codes = read(
        tmp_path, f"<div class='ocr_carea' title='bbox 0 0 500 90'>loose {line(word('in') + ' and')}end</div>"
    )
    assert texts(text) == ["loose", "in and", "end"]
    assert codes == ["text_outside_words", "word_boxes_estimated"]


def test_text_outside_pages_is_told(tmp_path: Path) -> None:
    file = opened(tmp_path, document("").replace("<body>", "<body><h1>Title</h1>"))
    assert [each.code for each in file.warnings] == ["text_outside_pages"]


def test_letters_make_their_word_and_other_readings_stay_aside(tmp_path: Path) -> None:
    letters = "\n".join(f"<span class='ocrx_cinfo' title='x_conf 9'>{each}</span>" for each in "Salt")
    choices = "<span class='ocr_symbol'><span class='ocrx_cinfo'>5</span> <span class='ocrx_cinfo'>a</span></span>"
    text, codes = read(
        tmp_path, line(word(letters) + word(f"Sea{choices}") + word("<ins class='alt'>x</ins><del class='alt'>y</del>"))
    )
    assert texts(text) == ["Salt Sea x"]
    assert [(each.kind, each.text) for each in text.asides] == [
        ("alternative_reading", "5a"),
        ("alternative_reading", "y"),
    ]
    assert codes == ["alternative_readings"]


@pytest.mark.parametrize("kind", ["ocr_line", "ocrx_line", "ocr_textfloat", "ocr_header", "ocr_caption"])
def test_all_kinds_of_lines_are_lines(tmp_path: Path, kind: str) -> None:
    text, codes = read(tmp_path, "".join(line(word(each)).replace("ocr_line", kind) for each in ("one", "two")))
    assert (texts(text), codes) == (["one", "two"], [])


def test_a_float_with_lines_in_it_is_a_block(tmp_path: Path) -> None:
    page = f"<div class='ocr_caption'>{line(word('one'))}{line(word('two'))}</div>{line(word('three'))}"
    text, _ = read(tmp_path, page)
    assert [(*texts(ExistingText((each,))), each.block) for each in text.lines] == [
        ("one", 1),
        ("two", 1),
        ("three", 2),
    ]


def test_baselines_sizes_and_confidences(tmp_path: Path) -> None:
    title = "bbox 10 10 300 40; baseline 0.1 -3; x_size 26.5"
    text, _ = read(tmp_path, line(word("a", "bbox 10 10 20 30") + word("b", "bbox 30 10 40 30; x_wconf -1"), title))
    assert [(each.confidence, each.font_size, round(each.baseline_angle, 2)) for each in text.lines[0].words] == [
        (None, 26.5, 5.71),
        (None, 26.5, 5.71),
    ]


def test_a_confidence_above_the_scale_is_told(tmp_path: Path) -> None:
    text, codes = read(tmp_path, line(word("a", "bbox 10 10 20 30; x_wconf 140")))
    assert (text.lines[0].words[0].confidence, codes) == (None, ["confidences_unusable"])


def test_turned_text_is_told(tmp_path: Path) -> None:
    text, codes = read(tmp_path, line(word("a"), "bbox 10 10 30 300; textangle 90"))
    assert (text.lines[0].words[0].baseline_angle, codes) == (0.0, ["turned_text"])


def test_boxes_that_are_no_places_are_estimated_and_boxes_off_the_page_kept(tmp_path: Path) -> None:
    far = "bbox 2000 10 2060 30"
    text, codes = read(tmp_path, line(word("a", "bbox 10 10 1e9 30") + word("b", "bbox 60 30 10 10") + word("c", far)))
    assert [each.box for each in text.lines[0].words][1:] == [Box(10, 10, 60, 30), Box(2000, 10, 2060, 30)]
    assert codes == ["boxes_unusable", "word_boxes_estimated", "words_outside_page"]


def test_words_that_run_to_the_left_share_a_box_from_the_right(tmp_path: Path) -> None:
    text, _ = read(tmp_path, line("שלום רב", "bbox 0 10 70 40"))
    first, second = text.lines[0].words
    assert first.box.x0 > second.box.x1


def test_pages_without_a_root_are_read_and_told(tmp_path: Path) -> None:
    page = f"<div class='ocr_page' title='{PAGE_TITLE}'>{line(word('one'))}</div>"
    file = opened(tmp_path, page + page)
    assert [texts(file.text(each)) for each in range(1, file.page_count + 1)] == [["one"], ["one"]]
    assert [each.code for each in file.warnings] == ["ocr_file_repaired"]


def test_a_document_type_elsewhere_is_never_loaded(tmp_path: Path) -> None:
    (tmp_path / "other.dtd").write_text("<!ENTITY h 'secret'>")
    prolog = f"<!DOCTYPE html SYSTEM '{(tmp_path / 'other.dtd').as_uri()}'>"
    file = opened(tmp_path, document(line(word("&h;")), prolog=prolog))
    assert texts(file.text(1)) == ["&h;"]
    assert [each.code for each in file.warnings] == ["ocr_file_repaired"]


def test_blocks_are_never_taken_for_each_other(tmp_path: Path) -> None:
    """Elements are made when asked for, and a new one may lie where an old one was."""
    page = "".join(f"<div class='ocr_carea'>{line(word(str(each)))}</div>" for each in range(300))
    text, _ = read(tmp_path, page)
    assert [each.block for each in text.lines] == list(range(1, 301))


def test_empty_pages_are_pages_and_files_without_pages_are_refused(tmp_path: Path) -> None:
    file = opened(tmp_path, document("", line(word("two")), ""))
    assert file.page_count == 3
    assert [texts(file.text(page)) for page in (1, 2, 3)] == [[], ["two"], []]
    assert file.describe(2).size == (1000.0, 1400.0)
    none = opened(tmp_path, "<html><head><meta name='ocr-system' content='x'/></head><body/></html>")
    with pytest.raises(SourceError, match="no element of class ocr_page"):
        _ = none.page_count


def test_limits_stop_what_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = document(line(word("a b c")))
    monkeypatch.setattr(given_text, "MOST_WORDS", 2)
    with pytest.raises(PageError, match="more than 2 words"):
        opened(tmp_path, whole).text(1)
    monkeypatch.setattr(xml_file, "MOST_TAGS", 5)
    with pytest.raises(SourceError, match="tags"):
        opened(tmp_path, whole).text(1)
    monkeypatch.setattr(xml_file, "MOST_BYTES", 100)
    with pytest.raises(SourceError, match="larger"):
        opened(tmp_path, whole).text(1)


@pytest.mark.parametrize("unclosed", ["", "<br>"])
def test_nests_too_deep_are_refused(tmp_path: Path, unclosed: str) -> None:
    file = opened(tmp_path, document("<b>" * 3000 + "x" + unclosed + "</b>" * 3000))
    with pytest.raises(SourceError):
        file.text(1)


@pytest.mark.parametrize("opening", ["<!--", "<![CDATA[", "<?", "<", '<a "', "&", "<script>"])
def test_unclosed_markup_takes_linear_time(opening: str) -> None:
    """Each of these, found again at every place, would take hours if the search began anew each time."""
    pieces = list(xml_file._pieces(opening * 100_000))
    assert pieces[-1][2] == len(opening) * 100_000


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8).filter(
    lambda text: text.split() == [text]
)
ROWS = st.lists(st.lists(st.tuples(WORDS, st.integers(0, 100)), min_size=1, max_size=5), min_size=1, max_size=6)


@settings(max_examples=50, deadline=None)
@given(rows=ROWS)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, rows: list[list[tuple[str, int]]]) -> None:
    """Texts, boxes and confidences of any page come back."""
    page, expected = "", []
    for down, row in enumerate(rows):
        written = ""
        for across, (text, percent) in enumerate(row):
            box = (100 * across + 5, 50 * down, 100 * across + 90, 50 * down + 40)
            written += word(html.escape(text), f"bbox {' '.join(map(str, box))}; x_wconf {percent}") + "\n"
            expected.append(Word(text, Box(*box), percent / 100, text_basis="imported"))
        page += line(written)
    page_read, codes = read(tmp_path_factory.mktemp("hocr"), page)
    assert [each for line in page_read.lines for each in line.words] == expected
    assert codes == []
