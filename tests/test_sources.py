"""Opening sources: types by content, many files as one document, and faults that say what to do."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from ocrprep.errors import ExitCode, PageError, SourceError, UsageError
from ocrprep.identity import source_id
from ocrprep.options import RecognitionOptions
from ocrprep.sources import PageFrame, open_source
from ocrprep.sources.faults import LONGEST_REASON, reason_of, shown
from tests.test_sources_pdf import one_page, pdf_bytes

OPTIONS = RecognitionOptions()


@pytest.fixture(name="mixed")
def _mixed(tmp_path: Path) -> list[Path]:
    """Write a document of three files: a picture, a PDF of two pages, a TIFF of two frames."""
    paths = [tmp_path / name for name in ("cover.scan", "letter", "back.pdf")]
    Image.new("L", (30, 40), 255).save(paths[0], "PNG")
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 144]>>"
    kids = b"<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>"
    paths[1].write_bytes(pdf_bytes(b"<</Type/Catalog/Pages 2 0 R>>", kids, page, page))
    Image.new("L", (50, 60), 255).save(paths[2], "TIFF", save_all=True, append_images=[Image.new("L", (70, 80))])
    return paths


def test_several_files_are_one_document_with_pages_in_their_order(mixed: list[Path]) -> None:
    with open_source(mixed) as source:
        assert (source.page_count, source.paths) == (5, tuple(mixed))
        frames = [source.scan(page, OPTIONS) for page in range(1, 6)]
        assert [scan.page for scan in frames] == [1, 2, 3, 4, 5]
        assert [scan.frame for scan in frames] == [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2)]
        assert [scan.size for scan in frames] == [(30, 40), (72, 144), (72, 144), (50, 60), (70, 80)]
        assert [scan.unit for scan in frames] == ["px", "pt", "pt", "px", "px"]
        assert source.describe(5) == PageFrame(None, (3, 2), (70.0, 80.0), "px")
        # Back to a file that was closed in between.
        assert source.scan(1, OPTIONS) == frames[0]


def test_the_files_are_recorded_with_name_hash_size_and_pages(mixed: list[Path]) -> None:
    with open_source(mixed) as source:
        for path, file in zip(mixed, source.files, strict=True):
            content = path.read_bytes()
            assert (file.name, file.size) == (path.name, len(content))
            assert file.hash == f"sha256:{hashlib.sha256(content).hexdigest()}"
        assert [file.pages for file in source.files] == [1, 2, 2]
        assert source.source_id == source_id(file.hash for file in source.files)
    with open_source(mixed[:1]) as single:
        assert single.source_id == single.files[0].hash


def test_known_files_are_not_hashed_again(mixed: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_source(mixed)
    monkeypatch.setattr("ocrprep.sources.source.hash_file", lambda _: pytest.fail("hashed again"))
    with open_source(mixed, files=first.files) as again:
        assert (again.source_id, again.page_count) == (first.source_id, first.page_count)
        assert again.scan(4, OPTIONS) == first.scan(4, OPTIONS)
    with pytest.raises(UsageError, match="1 file records do not belong to 3 files"):
        open_source(mixed, files=first.files[:1])
    first.close()


def test_known_files_that_have_lost_pages_fail_by_page(mixed: list[Path]) -> None:
    known = open_source(mixed).files
    Image.new("L", (50, 60), 255).save(mixed[2], "TIFF")
    with open_source(mixed, files=known) as source, pytest.raises(PageError, match="frame 2 is gone"):
        source.scan(5, OPTIONS)


@pytest.mark.parametrize("page", [0, -1, 6])
def test_a_page_that_does_not_exist_is_a_usage_error(mixed: list[Path], page: int) -> None:
    with open_source(mixed) as source:
        for ask in (source.describe, lambda number: source.scan(number, OPTIONS)):
            with pytest.raises(UsageError, match="the source has pages 1 to 5"):
                ask(page)


def test_no_file_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="at least one file"):
        open_source([])


def _missing(path: Path) -> Path:
    return path


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def _empty(path: Path) -> Path:
    path.touch()
    return path


def _text(path: Path) -> Path:
    path.write_text("BM and other words")
    return path


def _pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def _null(path: Path) -> Path:
    return path.with_name("a\0b")


def _long(path: Path) -> Path:
    return path.with_name("x" * 300)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (_missing, "letter.pdf does not exist: check the path"),
        (_folder, "letter.pdf is a folder: name the files in it"),
        (_empty, "letter.pdf is empty: copy or download it again"),
        (_text, "is not a PDF, PNG, JPEG, TIFF, .*, hOCR, ALTO or PAGE file: convert it to PDF or TIFF first"),
        (_pipe, "letter.pdf is not a regular file: save it to one first"),
        (_null, r"a\\x00b cannot be read \(.*null.*\): check the path and the disk"),
        (_long, "cannot be read .*too long.*: check the path and the disk"),
    ],
)
def test_a_file_that_cannot_be_read_says_what_to_do(tmp_path: Path, make: Callable[[Path], Path], message: str) -> None:
    with pytest.raises(SourceError, match=message) as raised:
        open_source([make(tmp_path / "letter.pdf")])
    assert raised.value.exit_code == ExitCode.SOURCE
    assert str(raised.value).isprintable()


def test_a_file_without_permission_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "letter.pdf"
    path.write_bytes(one_page(b"", b"/MediaBox[0 0 9 9]"))

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    # Faked: the tests may run as root, who may read everything.
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(SourceError, match="may not be read by this user: change its permissions"):
        open_source([path])


def test_a_hostile_name_is_shown_escaped_and_recorded_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a\n\x1b[31m\u202eb.png"
    with pytest.raises(SourceError, match=r"a\\n\\x1b\[31m\\u202eb\.png does not exist"):
        open_source([path])
    Image.new("L", (3, 3)).save(path)
    with open_source([path]) as source:
        assert source.files[0].name == path.name


def test_a_name_that_is_no_unicode_is_recorded_with_escapes(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.pdf"))
    path.write_bytes(one_page(b"", b"/MediaBox[0 0 9 9]"))
    with open_source([path]) as source:
        assert source.files[0].name == "caf\\udce9.pdf"
        source.files[0].model_dump_json().encode("utf-8")
        source.scan(1, OPTIONS)


def test_reasons_are_short_lines() -> None:
    assert shown("tab\there") == "tab\\there"
    assert reason_of(ValueError("two\nlines")) == "two lines"
    assert reason_of(MemoryError()) == "MemoryError"
    assert len(reason_of(ValueError("x" * 999))) == LONGEST_REASON


def test_importing_sources_loads_no_pdf_library() -> None:
    code = "import sys, ocrprep.sources; sys.exit('pypdfium2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
