"""Bundles: what goes in comes back, whole or not at all, and any BagIt tool accepts it."""

from __future__ import annotations

import errno
import os
import re
import stat
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import bagit
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrprep.bundles import (
    bundle_payload,
    check_bag_info,
    open_bundle,
    safe_name,
    source_hashes,
    verify,
    write_bag,
)
from ocrprep.bundles.bundle import Retention
from ocrprep.bundles.names import NAME_BYTES, decode_path, encode_path, unsafe_reason
from ocrprep.errors import IntegrityError, OutputError, SourceError, UsageError
from ocrprep.identity import hash_bytes, hash_file, source_id
from ocrprep.options import ReadingOptions
from ocrprep.pages import Box, Line, Page, PageWarning, Word
from ocrprep.reading import Change, Drop, Findings, Folio, PreparationEdit, Reading, SetAside, unrecorded
from ocrprep.records import EngineFingerprint, SourceFile
from ocrprep.records.reading import Flow
from ocrprep.representation import Representation
from ocrprep.spans import Span

SOURCE = b"%PDF-1.4\nThe king was not seen.\n"
PAGES = (
    ("THE JOURNAL 12", "The king was not seen un-", "til the winter.", "* See the note."),
    ("THE JOURNAL 13", "He came back late."),
)
DECIDED = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


def page(number: int, lines: tuple[str, ...]) -> Page:
    """A page whose boxes and confidences have more decimals than are written."""
    laid = [
        Line(
            tuple(
                Word(text, Box(50.12345 + 40 * at, 20.0049 * top, 85.5678 + 40 * at, 20.0049 * top + 10), 0.87654)
                for at, text in enumerate(line.split())
            ),
            block=1,
        )
        for top, line in enumerate(lines, start=1)
    ]
    warnings = (PageWarning("low_contrast", "The page is pale."),) if number == 1 else ()
    return Page(number, (595.2756, 841.8898), "pt", laid, label=f"p{number}", warnings=warnings)


def sample(names: tuple[str, ...] = ("letter.pdf",), source: bytes = SOURCE) -> Representation:
    """Two pages with running heads, a hyphen at a line end, and a note between the halves of the body."""
    engine = EngineFingerprint(engine="fake", version="1", languages=("eng",), models={}, page_segmentation=3)
    files = [SourceFile(name=name, hash=hash_bytes(source), size=len(source), pages=2) for name in names]
    pages = (page(number, lines) for number, lines in enumerate(PAGES, start=1))
    return Representation(source_id(each.hash for each in files), files, pages, engine=engine)


def sample_readings(representation: Representation) -> dict[Flow, Reading]:
    """The body and the notes of the sample, every character kept or recorded."""
    text = representation.text
    first, second, third, note = (representation.line(1, n).span for n in (1, 2, 3, 4))
    head = representation.line(2, 1).span
    end = len(text)
    body: tuple[PreparationEdit, ...] = (
        Drop(Span(0, first.end + 1), "", "head-1", page=1, kind="running_head", line=1, words=first, probability=0.9),
        Change(
            Span(second.end - 1, third.start),
            "",
            "hyphen-1",
            page=1,
            kind="dehyphenate",
            alternatives=("un-til",),
            flags=("hyphen_ambiguous",),
            evidence={"lexicon": ["until"], "weight": 0.25},
        ),
        Change(Span(third.end, note.start), " ", "page-1", page=1, kind="join_page", group=7),
        SetAside(Span(note.start, note.end + 1), "", "note-1", page=1, kind="footnote", lines=(4, 4), group=7),
        Change(Span(note.end + 1, head.start), "", "page-1", page=1, kind="join_page", group=7),
        Drop(
            Span(head.start, head.end + 1),
            "",
            "head-1",
            page=2,
            kind="running_head",
            line=1,
            words=head,
            group=7,
            evidence={"pages": [1, 2]},
        ),
        Change(Span(end - 2, end), "", "end-1", page=2, kind="normalize_space"),
    )
    notes: tuple[PreparationEdit, ...] = (
        SetAside(Span(0, note.start), "", "body-1", page=1, kind="body", lines=(1, 3)),
        Change(Span(note.end, head.start), "", "end-1", page=1, kind="normalize_space"),
        SetAside(Span(head.start, end), "", "body-1", page=2, kind="body", lines=(1, 2)),
    )
    findings = Findings(
        {"body": body, "notes": notes},
        folios={1: Folio("12", "12", False, 0.9), 2: Folio(None, "13", True)},
        warnings={1: (PageWarning("hyphen", "A hyphen is undecided.", 2),)},
        versions={"furniture": {"rules": "furniture-1"}, "reflow": {"rules": "reflow-1"}},
    )
    readings = {
        flow: Reading(representation, flow, findings, ReadingOptions(keep=("folio",)), decided_at=DECIDED)
        for flow in findings.edits
    }
    assert unrecorded(representation, readings.values()) == []
    return readings


def write_sample(
    target: Path,
    *,
    names: tuple[str, ...] = ("letter.pdf",),
    retention: Retention = "full",
    source: bytes = SOURCE,
    pictures: Mapping[int, bytes] | None = None,
) -> str:
    """Write the sample as a bundle and return its digest."""
    representation = sample(names, source)
    incoming = target.parent / f"incoming-{target.name}"
    incoming.mkdir()
    paths = [incoming / str(number) for number, _ in enumerate(names)]
    for path in paths:
        path.write_bytes(source)
    payload = bundle_payload(
        representation,
        sample_readings(representation),
        source_paths=paths,
        pictures={1: b"\xff\xd8one", 2: b"\xff\xd8two"} if pictures is None else pictures,
        report="<!doctype html><p>Report</p>",
        retention=retention,
    )
    return write_bag(target, payload, [("External-Identifier", "MS 12")], expected=source_hashes(representation))


@pytest.fixture
def bundle_path(tmp_path: Path) -> Path:
    target = tmp_path / "letter.pdf.evidence"
    write_sample(target)
    return target


def files_of(bag: Path) -> list[str]:
    return sorted(path.relative_to(bag).as_posix() for path in bag.rglob("*") if path.is_file())


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def leftovers(folder: Path) -> list[str]:
    return [name for name in names_in(folder) if "partial" in name or name.endswith(".evidence")]


def test_the_bag_has_the_designed_files_and_declares_version_1_0(bundle_path: Path) -> None:
    assert files_of(bundle_path) == [
        "bag-info.txt",
        "bagit.txt",
        "data/images/0001.jpg",
        "data/images/0002.jpg",
        "data/notes.json",
        "data/notes.txt",
        "data/reading.json",
        "data/reading.txt",
        "data/representation.jsonl",
        "data/review.html",
        "data/source.txt",
        "data/source/letter.pdf",
        "manifest-sha256.txt",
        "tagmanifest-sha256.txt",
    ]
    assert (bundle_path / "bagit.txt").read_bytes() == b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
    lines = (bundle_path / "bag-info.txt").read_text("utf-8").splitlines()
    assert re.fullmatch(r"Bagging-Date: \d{4}-\d\d-\d\d", lines[0])
    assert re.fullmatch(r"Payload-Oxum: \d+\.10", lines[1])
    assert lines[2].startswith("Bag-Software-Agent: ocrprep ")
    assert lines[3] == "External-Identifier: MS 12"
    assert (
        bundle_path / "data/reading.txt"
    ).read_text() == "The king was not seen until the winter. He came back late."
    assert (bundle_path / "data/notes.txt").read_text() == "* See the note."


def test_another_bagit_tool_accepts_the_bag(bundle_path: Path) -> None:
    bag = bagit.Bag(str(bundle_path))
    assert bag.validate()
    assert bag.version_info == (1, 0)
    assert bag.info["External-Identifier"] == "MS 12"


def test_the_digest_is_that_of_the_tag_manifest(tmp_path: Path) -> None:
    digest = write_sample(tmp_path / "a.evidence")
    assert digest == hash_file(tmp_path / "a.evidence/tagmanifest-sha256.txt")
    assert open_bundle(tmp_path / "a.evidence").digest == digest


def test_the_same_content_gives_the_same_payload_manifest(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_sample(tmp_path / name)
    first, second = ((tmp_path / name / "manifest-sha256.txt").read_bytes() for name in ("a", "b"))
    assert first == second


def test_the_mode_of_a_bundle_is_that_of_any_new_folder(tmp_path: Path, bundle_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    assert bundle_path.stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_bundle_reads_back_as_what_was_written(bundle_path: Path) -> None:
    representation = sample()
    readings = sample_readings(representation)
    bundle = open_bundle(bundle_path)
    assert bundle.representation.text == representation.text
    assert bundle.representation.representation_id == representation.representation_id
    assert bundle.representation.page_lines == representation.page_lines
    assert bundle.header == representation.header
    for flow, reading in readings.items():
        again = bundle.readings[flow]
        assert (again.text, again.map) == (reading.text, reading.map)
        assert again.reading_id == reading.reading_id
        assert again.decided_at == DECIDED
        assert again.record.pages[0].folio == reading.record.pages[0].folio
        assert again.record.pages[0].warnings == reading.record.pages[0].warnings
    assert bundle.record == bundle.reading.record
    assert bundle.notes.text == "* See the note."
    assert bundle.source_paths == (bundle_path / "data/source/letter.pdf",)
    assert bundle.source_paths[0].read_bytes() == SOURCE
    assert bundle.pictures == {n: bundle_path / f"data/images/000{n}.jpg" for n in (1, 2)}
    assert "letter.pdf.evidence" in repr(bundle)


def test_several_source_files_keep_their_order_and_names(tmp_path: Path) -> None:
    write_sample(tmp_path / "b", names=("scan.png", "scan.png", "../CON"))
    bundle = open_bundle(tmp_path / "b")
    assert [p.name for p in bundle.source_paths] == ["0001-scan.png", "0002-scan.png", "0003-_CON"]
    assert verify(tmp_path / "b").ok
    assert bagit.Bag(str(tmp_path / "b")).validate()


def test_hash_only_keeps_neither_sources_nor_pictures(tmp_path: Path) -> None:
    write_sample(tmp_path / "b", retention="hash_only")
    assert not [name for name in files_of(tmp_path / "b") if "source/" in name or "images/" in name]
    bundle = open_bundle(tmp_path / "b")
    assert (bundle.source_paths, bundle.pictures) == ((), {})
    assert verify(tmp_path / "b").ok


def test_a_missing_flow_or_source_path_is_refused(tmp_path: Path) -> None:
    representation = sample()
    readings = sample_readings(representation)
    shared: dict[str, Any] = {"pictures": {}, "report": "", "retention": "full"}
    with pytest.raises(ValueError, match="notes"):
        bundle_payload(representation, {"body": readings["body"]}, source_paths=[tmp_path], **shared)
    with pytest.raises(ValueError, match="shorter"):
        bundle_payload(representation, readings, source_paths=[], **shared)


@pytest.mark.parametrize(
    ("name", "content", "part", "message"),
    [
        ("data/representation.jsonl", b"", "header", "representation.jsonl cannot be used"),
        ("data/representation.jsonl", b"\xff\n", "representation", "representation.jsonl cannot be used"),
        ("data/reading.json", b"{", "record", "reading.json cannot be used"),
        ("data/reading.json", b"{}", "readings", "schemaVersion|sourceId"),
        ("data/notes.json", None, "notes", "No such file"),
        ("tagmanifest-sha256.txt", None, "digest", "No such file"),
    ],
)
def test_a_damaged_part_is_an_integrity_error_in_one_line(
    bundle_path: Path, name: str, content: bytes | None, part: str, message: str
) -> None:
    (bundle_path / name).unlink()
    if content is not None:
        (bundle_path / name).write_bytes(content)
    bundle = open_bundle(bundle_path)
    with pytest.raises(IntegrityError, match=message) as caught:
        getattr(bundle, part)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_a_record_of_the_other_flow_is_refused(bundle_path: Path) -> None:
    notes = (bundle_path / "data/notes.json").read_bytes()
    (bundle_path / "data/reading.json").write_bytes(notes)
    with pytest.raises(IntegrityError, match="its flow is notes"):
        _ = open_bundle(bundle_path).reading


def test_a_link_out_of_the_bundle_and_a_pipe_are_not_read(bundle_path: Path, tmp_path: Path) -> None:
    record = bundle_path / "data/reading.json"
    record.rename(tmp_path / "elsewhere.json")
    record.symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(IntegrityError, match="leads out"):
        _ = open_bundle(bundle_path).record
    record.unlink()
    os.mkfifo(record)
    with pytest.raises(IntegrityError, match="not a regular file"):
        _ = open_bundle(bundle_path).record


@pytest.mark.parametrize("made", [False, True])
def test_opening_what_is_no_bundle_says_so(tmp_path: Path, made: bool) -> None:
    if made:
        (tmp_path / "b").mkdir()
        (tmp_path / "b/bagit.txt").write_text("BagIt-Version: 1.0\n")
    with pytest.raises(IntegrityError, match="is no evidence bundle"):
        open_bundle(tmp_path / "b")


class TestWriting:
    def test_the_folder_for_the_target_is_made(self, tmp_path: Path) -> None:
        write_bag(tmp_path / "a/b/c", {"x.txt": "x"})
        assert bagit.Bag(str(tmp_path / "a/b/c")).validate()

    def test_an_empty_payload_is_a_bag_too(self, tmp_path: Path) -> None:
        write_bag(tmp_path / "empty", {})
        assert "Payload-Oxum: 0.0" in (tmp_path / "empty/bag-info.txt").read_text()

    @pytest.mark.parametrize("kind", ["file", "folder", "dangling link"])
    def test_nothing_is_ever_rewritten(self, tmp_path: Path, kind: str) -> None:
        target = tmp_path / "x"
        if kind == "file":
            target.write_text("mine")
        elif kind == "folder":
            target.mkdir()
        else:
            target.symlink_to(tmp_path / "nowhere")
        with pytest.raises(OutputError, match="never rewritten") as caught:
            write_bag(target, {"a.txt": "a"})
        assert caught.value.exit_code == 8
        assert names_in(tmp_path) == ["x"]

    @pytest.mark.parametrize(
        ("number", "message"),
        [
            (errno.ENOSPC, "disk full"),
            (errno.EROFS, "read-only"),
            (errno.EACCES, "no permission"),
            (errno.ENAMETOOLONG, "too long"),
            (errno.ENOTEMPTY, "never rewritten"),
            (errno.EIO, os.strerror(errno.EIO)),
        ],
    )
    @pytest.mark.parametrize("step", ["mkdir", "open", "fsync", "rename"])
    def test_a_failing_step_leaves_nothing_behind_and_names_the_cause(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, number: int, message: str
    ) -> None:
        (tmp_path / "original.pdf").write_bytes(SOURCE)
        owner: Any = os if step == "fsync" else Path
        original = getattr(owner, step)

        def fail(*args: Any, **kwargs: Any) -> Any:
            if step == "open" and args[1:] != ("xb",):
                return original(*args, **kwargs)
            if step == "mkdir" and args[0] == tmp_path:
                return original(*args, **kwargs)
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(owner, step, fail)
        with pytest.raises(OutputError, match=message) as caught:
            write_bag(tmp_path / "x.evidence", {"a.txt": "a", "source/original.pdf": tmp_path / "original.pdf"})
        assert "x.evidence" in str(caught.value)
        assert "\n" not in str(caught.value)
        assert leftovers(tmp_path) == []

    def test_a_disk_that_fills_while_a_file_is_written_leaves_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """C36: no partial file at the final path, and the cause named."""
        original = Path.open

        class Full:
            def __init__(self, stream: Any) -> None:
                self.stream = stream

            def __enter__(self) -> Full:
                return self

            def __exit__(self, *_: object) -> None:
                self.stream.close()

            def write(self, _: bytes) -> int:
                raise OSError(28, "No space left on device")

        def filling(path: Path, mode: str = "r", **rest: Any) -> Any:
            stream = original(path, mode, **rest)
            return Full(stream) if mode == "xb" and path.name == "b.txt" else stream

        monkeypatch.setattr(Path, "open", filling)
        with pytest.raises(OutputError, match="disk full"):
            write_bag(tmp_path / "x.evidence", {"a.txt": "a", "b.txt": "b"})
        assert names_in(tmp_path) == []

    @pytest.mark.parametrize("fault", [KeyboardInterrupt, SystemExit, MemoryError])
    def test_an_interruption_leaves_nothing_behind(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: type[BaseException]
    ) -> None:
        def interrupt(*_: object) -> None:
            raise fault

        monkeypatch.setattr(os, "fsync", interrupt)
        with pytest.raises(fault):
            write_bag(tmp_path / "x.evidence", {"a.txt": "a"})
        assert names_in(tmp_path) == []

    def test_a_file_system_that_cannot_sync_folders_is_good_enough(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        original = os.fsync

        def files_only(descriptor: int) -> None:
            if stat.S_ISDIR(os.fstat(descriptor).st_mode):
                raise OSError(errno.EINVAL, "Invalid argument")
            original(descriptor)

        monkeypatch.setattr(os, "fsync", files_only)
        write_bag(tmp_path / "x", {"a.txt": "a"})
        assert bagit.Bag(str(tmp_path / "x")).validate()

    def test_a_source_that_changed_since_it_was_read_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "s").write_bytes(b"new")
        with pytest.raises(SourceError, match="changed while it was read, run again"):
            write_bag(tmp_path / "x.evidence", {"source/s": tmp_path / "s"}, expected={"source/s": hash_bytes(b"old")})
        assert leftovers(tmp_path) == []

    def test_a_source_that_cannot_be_read_is_a_source_error(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match="No such file"):
            write_bag(tmp_path / "x.evidence", {"source/s": tmp_path / "gone"})
        assert leftovers(tmp_path) == []

    def test_a_large_file_is_copied_in_blocks(self, tmp_path: Path) -> None:
        large = os.urandom(3 * (1 << 20) + 17)
        (tmp_path / "s").write_bytes(large)
        write_bag(tmp_path / "x", {"source/s": tmp_path / "s"}, expected={"source/s": hash_bytes(large)})
        assert (tmp_path / "x/data/source/s").read_bytes() == large

    @pytest.mark.parametrize(
        "path",
        [
            "../x",
            "/abs",
            "C:\\x",
            "C:x",
            "\\\\?\\C:\\x.txt",
            "~/.rc",
            "a//b",
            "a/./b",
            "",
            "a/",
            "CON",
            "a/nul.txt",
            "a\0b",
        ],
    )
    def test_an_unsafe_payload_path_is_refused_and_named(self, tmp_path: Path, path: str) -> None:
        with pytest.raises(OutputError, match="payload path"):
            write_bag(tmp_path / "x", {path: "a"})
        assert names_in(tmp_path) == []

    @pytest.mark.parametrize("pair", [("a.txt", "A.TXT"), ("é", "e\u0301")])
    def test_paths_that_are_one_on_some_systems_are_refused(self, tmp_path: Path, pair: tuple[str, str]) -> None:
        with pytest.raises(OutputError, match="two payload paths"):
            write_bag(tmp_path / "x", dict.fromkeys(pair, "a"))

    def test_line_ends_and_percent_signs_in_names_are_encoded(self, tmp_path: Path) -> None:
        write_bag(tmp_path / "x", {"a\nb": "1", "c\rd": "2", "100%25.txt": "3"})
        manifest = (tmp_path / "x/manifest-sha256.txt").read_bytes().decode()
        listed = [line.split("  ", 1)[1] for line in manifest.split("\n") if line]
        assert listed == ["data/100%2525.txt", "data/a%0Ab", "data/c%0Dd"]


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("X", "a\nPayload-Oxum: 1.1"),
        ("X", "a\rPayload-Oxum: 1.1"),
        ("X", "a\u2028Payload-Oxum: 1.1"),
        ("X", "a\x85Payload-Oxum: 1.1"),
        ("X: a\nPayload-Oxum", "1.1"),
        ("X: a", "1"),
        ("payload-oxum", "1.1"),
        ("Bagging-Date", "2020-01-01"),
        ("BagIt-Version", "2.0"),
        (" X", "folds into the line before"),
        ("", "a"),
        ("X", ""),
        ("X", "\ud800"),
    ],
)
def test_a_line_that_would_forge_or_break_bag_info_is_refused(tmp_path: Path, label: str, value: str) -> None:
    with pytest.raises(UsageError) as caught:
        write_bag(tmp_path / "x", {"a": "a"}, [(label, value)])
    assert "\n" not in str(caught.value)
    assert names_in(tmp_path) == []


def test_a_long_value_stays_whole_for_other_tools(tmp_path: Path) -> None:
    lines = [("External-Description", "Lettre à l’abbé: " + "word " * 60 + "end"), ("X", "1"), ("X", "2")]
    check_bag_info(lines)
    write_bag(tmp_path / "x", {"a": "a"}, lines)
    found = bagit.Bag(str(tmp_path / "x")).info
    assert found["External-Description"] == lines[0][1]
    assert found["X"] == ["1", "2"]


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("letter.pdf", "letter.pdf"),
        ("Brief vom 3. Mai (Kopie).pdf", "Brief vom 3. Mai (Kopie).pdf"),
        ("première.pdf", "première.pdf"),
        ("premie\u0300re.pdf", "premi\u00e8re.pdf"),
        ("手紙.tif", "手紙.tif"),
        ("../../evil.sh", "_.._evil.sh"),
        ("C:\\x.txt", "C__x.txt"),
        ("a/b", "a_b"),
        ("a\nb\x00c\x85d\u2028e", "a_b_c_d_e"),
        (".hidden", "hidden"),
        ("~/.rc", "_.rc"),
        ("...", "unnamed"),
        ("", "unnamed"),
        ("CON", "_CON"),
        ("con.pdf", "_con.pdf"),
        ("com1 .txt", "_com1 .txt"),
        ("CONTRACT.pdf", "CONTRACT.pdf"),
        ("trailing. ", "trailing"),
        ("fdp.\u202eexe", "fdp._exe"),
        ("100%.pdf", "100_.pdf"),
        ("\udcff.pdf", "_.pdf"),
        ("می\u200cخواهم.pdf", "می\u200cخواهم.pdf"),
        ("x" * 300 + ".pdf", "x" * 196 + ".pdf"),
        ("é" * 150 + ".pdf", "é" * 98 + ".pdf"),
        ("a." + "b" * 300, "a." + "b" * 198),
        ("nul" + " " * 300 + "x.pdf", "_nul.pdf"),
    ],
)
def test_names_are_made_portable_and_ordinary_ones_left_alone(name: str, safe: str) -> None:
    assert safe_name(name) == safe


ODD = st.text(
    st.sampled_from(list("./\\~: %*conaulCOM1é\u0301\u202e\u200d\udc80\n\x00\u2028漢. \u00a0")), max_size=30
) | st.text(max_size=300)


@given(ODD)
def test_a_safe_name_is_portable_and_a_fixed_point(name: str) -> None:
    safe = safe_name(name)
    assert safe_name(safe) == safe
    assert 1 <= len(safe.encode("utf-8")) <= NAME_BYTES
    assert unicodedata.is_normalized("NFC", safe)
    assert unsafe_reason(safe) is None
    assert not set(safe) & set('/\\:*?"<>|%')
    assert safe[0] not in ".~ "
    assert safe[-1] not in ". "
    assert all(unicodedata.category(each)[0] != "C" or each in "\u200c\u200d" or ord(each) > 0xDFFF for each in safe)
    assert len(safe.splitlines()) == 1


@given(st.text())
def test_a_path_of_a_manifest_reads_back(path: str) -> None:
    encoded = encode_path(path)
    assert decode_path(encoded) == path
    assert "\n" not in encoded
    assert "\r" not in encoded


@given(st.lists(st.builds(safe_name, ODD), max_size=4, unique_by=lambda name: name.casefold()))
def test_any_bagit_tool_accepts_any_safe_name(names: list[str]) -> None:
    with TemporaryDirectory() as folder:  # hypothesis does not renew pytest's tmp_path for each example
        write_bag(Path(folder, "x"), {f"source/{name}": name for name in names})
        assert bagit.Bag(str(Path(folder, "x"))).validate()
