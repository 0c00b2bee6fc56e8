"""OCR files as sources: their kind, their pictures, and the frame that both share."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from ocrprep.errors import SourceError
from ocrprep.pages import Box
from ocrprep.sources.existing_ocr import ExistingOcrFile, existing_ocr_kind
from ocrprep.sources.ocr_image import find_image

PAGE_NS = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"


def alto(image: str, size: tuple[int, int] = (200, 300), unit: str = "pixel", page: str = "") -> str:
    return (
        f"<alto><Description><MeasurementUnit>{unit}</MeasurementUnit><sourceImageInformation><fileName>{image}"
        f"</fileName></sourceImageInformation></Description><Styles><TextStyle ID='F' FONTSIZE='10'/></Styles><Layout>"
        f"<Page WIDTH='{size[0]}' HEIGHT='{size[1]}' PHYSICAL_IMG_NR='7' PRINTED_IMG_NR='xi'><PrintSpace><TextBlock "
        f"STYLEREFS='F'><TextLine><String CONTENT='Salt' HPOS='20' VPOS='30' WIDTH='40' HEIGHT='10'/></TextLine>"
        f"</TextBlock></PrintSpace></Page>{page}</Layout></alto>"
    )


def opened(tmp_path: Path, text: str) -> ExistingOcrFile:
    path = tmp_path / "page.xml"
    path.write_text(text)
    return ExistingOcrFile(path, "ALTO")


def picture(path: Path, size: tuple[int, int] = (200, 300)) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", size, 255).save(path)
    return path


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("<alto xmlns='http://www.loc.gov/standards/alto/ns-v4#'>", "ALTO"),
        ("<?xml version='1.0'?>\n<!-- <html> -->\n<a:alto xmlns:a='x'>", "ALTO"),
        (f"<?xml version='1.0'?><pc:PcGts xmlns:pc='{PAGE_NS}'>", "PAGE"),
        ("<!DOCTYPE html [<!ENTITY a 'b'>]><html><body><div class='x ocr_page'>", "HOCR"),
        ("<!DOCTYPE html><HTML><head><meta name='ocr-system' content='t'/>", "HOCR"),
        ("<div class='ocr_page' id='p'>", "HOCR"),
        ("<html><body class=ocr_page>", "HOCR"),
        ("<METS:mets xmlns:METS='http://www.loc.gov/METS/'>", "METS"),
        ("<html><body><p>class='ocr_line'</p>", None),
        ("<html><body><p>ocr_page</p>", None),
        ("<svg class='ocr_page'>", None),
        ("<altogether>", None),
        ("<!-- never closed <alto>", None),
        ("alto", None),
        ("", None),
        ("<", None),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
def test_the_root_element_tells_the_kind(head: str, kind: str | None, encoding: str) -> None:
    assert existing_ocr_kind(head.encode(encoding)) == kind


def test_bytes_that_are_no_markup_are_no_kind() -> None:
    assert [existing_ocr_kind(head) for head in (b"%PDF-1.7", b"\x89PNG", b"\xff\xfe", b"\0" * 9)] == [None] * 4


def test_a_mets_file_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="name the ALTO or PAGE files"):
        _ = ExistingOcrFile(tmp_path / "mets.xml", "METS").page_count


def test_a_missing_file_is_a_source_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="does not exist"):
        _ = ExistingOcrFile(tmp_path / "no.xml", "ALTO").page_count


def test_a_known_count_opens_nothing(tmp_path: Path) -> None:
    assert ExistingOcrFile(tmp_path / "no.xml", "ALTO", 3).page_count == 3


def test_the_label_is_the_number_of_the_image_never_the_printed_one(tmp_path: Path) -> None:
    frame = opened(tmp_path, alto("a.png")).describe(1)
    assert (frame.label, frame.frame, frame.size, frame.unit) == ("7", (1, 1), (200.0, 300.0), "px")


@pytest.mark.parametrize(
    ("named", "there", "found"),
    [
        ("a.png", "a.png", True),
        ("sub/a.png", "sub/a.png", True),
        ("./sub/a.png", "sub/a.png", True),
        (r"C:\scans\a.png", "a.png", True),
        ("//server/share/a.png", "a.png", True),
        ("http://example.org/x/a.png", "a.png", True),
        ("../MASTER/a.png", "a.png", True),
        ("a.tif", "a.png", True),
        ("unknown", "page.png", True),
        ("", "page.png", True),
        ("../a.png", "../a.png", False),
        ("sub/../../a.png", "../a.png", False),
        ("..", "../a.png", False),
        ("a\x00.png", "b.png", False),
        ("x" * 5000, "b.png", False),
        ("a.png", "elsewhere/a.png", False),
    ],
)
def test_a_picture_is_looked_for_in_the_folder_only(tmp_path: Path, named: str, there: str, found: bool) -> None:
    folder = tmp_path / "in" / "side"
    folder.mkdir(parents=True)
    image = picture(folder / there)
    assert find_image(folder / "page.xml", named, pages=1) == (image if found else None)


def test_absolute_names_and_links_lead_nowhere(tmp_path: Path) -> None:
    outside = picture(tmp_path / "out" / "a.png")
    folder = tmp_path / "in"
    folder.mkdir()
    assert find_image(folder / "page.xml", str(outside), pages=1) is None
    (folder / "a.png").symlink_to(outside)
    (folder / "loop.png").symlink_to(folder / "loop.png")
    assert find_image(folder / "page.xml", "a.png", pages=1) is None
    assert find_image(folder / "page.xml", "loop.png", pages=1) is None


def test_what_is_no_picture_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"%PDF-1.7\n")
    file = opened(tmp_path, alto("a.png"))
    assert [each.code for each in file.text(1).warnings] == ["page_image_missing"]
    assert file.images == ()


def test_a_damaged_picture_is_told_and_not_used(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n and no more")
    text = opened(tmp_path, alto("a.png")).text(1)
    assert (text.image, [each.code for each in text.warnings]) == (None, ["page_image_unreadable"])


@pytest.mark.parametrize(
    ("size", "unit", "image", "frame", "box", "codes"),
    [
        ((200, 300), "pixel", (200, 300), ((200, 300), "px"), (20, 30, 60, 40), []),
        ((200, 300), "pixel", (201, 299), ((201, 299), "px"), (20, 30, 60, 40), []),
        ((200, 300), "pixel", (100, 150), ((100, 150), "px"), (10, 15, 30, 20), ["boxes_scaled"]),
        ((200, 300), "pixel", (300, 200), ((200, 300), "px"), (20, 30, 60, 40), ["page_image_does_not_fit"]),
        ((0, 0), "pixel", (200, 300), ((200, 300), "px"), (20, 30, 60, 40), []),
        ((254, 508), "mm10", (300, 600), ((300, 600), "px"), (23.62, 35.43, 70.87, 47.24), ["boxes_scaled"]),
        ((254, 508), "mm10", None, ((72, 144), "pt"), (5.67, 8.5, 17.01, 11.34), ["page_image_missing"]),
        ((1200, 2400), "inch1200", None, ((72, 144), "pt"), (1.2, 1.8, 3.6, 2.4), ["page_image_missing"]),
    ],
)
def test_the_frame_is_that_of_the_picture_where_it_fits(
    tmp_path: Path,
    size: tuple[int, int],
    unit: str,
    image: tuple[int, int] | None,
    frame: tuple[tuple[int, int], str],
    box: tuple[float, ...],
    codes: list[str],
) -> None:
    if image is not None:
        picture(tmp_path / "a.png", image)
    file = opened(tmp_path, alto("a.png", size, unit))
    text = file.text(1)
    assert (file.describe(1).size, file.describe(1).unit) == frame
    assert text.lines[0].words[0].box == pytest.approx(Box(*box), abs=0.01)
    assert [each.code for each in text.warnings] == codes
    used = image is not None and "page_image_does_not_fit" not in codes
    assert (text.image is not None, file.images) == (used, (tmp_path / "a.png",) if used else ())


def test_font_sizes_are_known_only_where_the_unit_is(tmp_path: Path) -> None:
    assert opened(tmp_path, alto("", unit="pixel")).text(1).lines[0].words[0].font_size is None
    assert opened(tmp_path, alto("", unit="mm10")).text(1).lines[0].words[0].font_size == pytest.approx(10)


def test_pages_of_one_file_take_the_frames_of_one_picture(tmp_path: Path) -> None:
    frames = [Image.new("L", (200, 300), 255), Image.new("L", (100, 100), 255)]
    frames[0].save(tmp_path / "a.tif", save_all=True, append_images=frames[1:])
    second = "<Page WIDTH='100' HEIGHT='100'/>"
    file = opened(tmp_path, alto("a.tif", page=second))
    assert [file.picture(page) for page in (1, 2)] == [(tmp_path / "a.tif", 1), (tmp_path / "a.tif", 2)]
    assert (file.images, file.text(2).warnings) == ((tmp_path / "a.tif",), ())
    gone = opened(tmp_path, alto("a.tif", page=second + second))
    assert gone.text(3).image is None


def test_several_pages_share_no_single_picture_of_the_same_stem(tmp_path: Path) -> None:
    picture(tmp_path / "page.png")
    assert opened(tmp_path, alto("", page="<Page/>")).picture(1) is None


def test_a_closed_file_is_opened_again(tmp_path: Path) -> None:
    file = opened(tmp_path, alto("a.png"))
    before = file.text(1)
    file.close()
    assert file.text(1) == before
