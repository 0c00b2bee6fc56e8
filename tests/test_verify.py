"""Verification: every change of a bundle is named, however well it is covered up, and nothing else is."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bagit
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ocrprep.bundles import open_bundle, require_verified, verify, write_bag
from ocrprep.bundles.names import encode_path
from ocrprep.errors import ExitCode, IntegrityError
from ocrprep.identity import hash_bytes, hash_text
from tests.test_bundles import files_of, sample, write_sample

OTHER_ID = hash_bytes(b"other")

FILES = (
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
)


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("pristine") / "letter.pdf.evidence"
    write_sample(target)
    return target


@pytest.fixture
def bag(pristine: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(pristine, tmp_path / pristine.name))


def cover_up(bag: Path) -> None:
    """Write manifests and bag-info anew, so that any BagIt tool accepts the bag as it is now."""
    payload = [path for path in sorted((bag / "data").rglob("*")) if path.is_file()]
    rows = [
        f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {encode_path(p.relative_to(bag).as_posix())}\n" for p in payload
    ]
    (bag / "manifest-sha256.txt").write_text("".join(rows))
    total = sum(path.stat().st_size for path in payload)
    told = (bag / "bag-info.txt").read_text()
    (bag / "bag-info.txt").write_text(re.sub(r"Payload-Oxum: .*", f"Payload-Oxum: {total}.{len(payload)}", told))
    seal_tags(bag)
    assert bagit.Bag(str(bag)).validate()


def seal_tags(bag: Path) -> None:
    """Write the tag manifest anew."""
    tags = [path for path in sorted(bag.iterdir()) if path.is_file() and not path.name.startswith("tagmanifest")]
    rows = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in tags]
    (bag / "tagmanifest-sha256.txt").write_text("".join(rows))


def problems(bag: Path) -> tuple[str, ...]:
    """Verify, and hold every problem to its form: one short line."""
    found = verify(bag)
    assert found.ok == (not found.problems)
    for each in found.problems:
        assert each.isprintable()
        assert len(each) < 500
    return found.problems


def about(bag: Path, name: str) -> list[str]:
    return [each for each in problems(bag) if each.startswith(f"{name}:")]


def test_a_bundle_as_written_verifies(bag: Path) -> None:
    found = verify(bag)
    assert found.problems == ()
    assert found.ok
    assert found.digest == open_bundle(bag).digest
    assert found.checked == {"files": len(FILES), "pages": 2, "edits": 10}
    assert require_verified(bag) == found


def test_the_sample_has_the_files_that_the_tables_here_name(bag: Path) -> None:
    assert tuple(files_of(bag)) == FILES


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("place", ["first", "middle", "last"])
def test_a_changed_byte_is_named(bag: Path, name: str, place: str) -> None:
    content = bytearray((bag / name).read_bytes())
    at = {"first": 0, "middle": len(content) // 2, "last": len(content) - 1}[place]
    content[at] ^= 1
    (bag / name).write_bytes(content)
    found = problems(bag)
    if name == "tagmanifest-sha256.txt":
        assert any(name in each for each in found)
    else:
        assert f"{name}: changed" in "\n".join(found)


@pytest.mark.parametrize("name", FILES)
def test_a_cut_file_is_named(bag: Path, name: str) -> None:
    content = (bag / name).read_bytes()
    (bag / name).write_bytes(content[: len(content) // 2])
    assert any(name in each for each in problems(bag))


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(bag: Path, name: str) -> None:
    (bag / name).unlink()
    assert any("missing" in each for each in about(bag, name))


@pytest.mark.parametrize("name", FILES)
def test_a_folder_in_the_place_of_a_file_is_named(bag: Path, name: str) -> None:
    (bag / name).unlink()
    (bag / name).mkdir()
    assert about(bag, name)


@pytest.mark.parametrize("name", ["data/x.txt", "data/source/y", "extra.txt", "fetch.txt", "data/images/a\nb.jpg"])
def test_an_added_file_is_named(bag: Path, name: str) -> None:
    (bag / name).write_text("added")
    named = name.replace("\n", "\\n")
    assert f"{named}: added (no manifest lists it)" in problems(bag)


def test_a_link_is_refused_even_when_it_leads_to_the_right_bytes(bag: Path, tmp_path: Path) -> None:
    place = bag / "data/reading.txt"
    place.rename(tmp_path / "outside.txt")
    place.symlink_to(tmp_path / "outside.txt")
    assert "data/reading.txt: a symbolic link, refused" in problems(bag)


def test_a_linked_folder_is_refused_and_not_entered(bag: Path, tmp_path: Path) -> None:
    (bag / "data/images").rename(tmp_path / "images")
    (bag / "data/images").symlink_to(tmp_path / "images")
    assert "data/images: a symbolic link, refused" in problems(bag)


@pytest.mark.parametrize("name", FILES)
def test_a_pipe_is_refused_and_not_waited_for(bag: Path, name: str) -> None:
    (bag / name).unlink()
    os.mkfifo(bag / name)
    assert f"{name}: no regular file, refused" in problems(bag)


@pytest.mark.parametrize(
    ("entry", "shown_as"),
    [
        ("../outside.txt", "../outside.txt"),
        ("data/../../outside.txt", "data/../../outside.txt"),
        ("/abs.txt", "/abs.txt"),
        ("C:\\x.txt", "C:\\x.txt"),
        ("\\\\?\\C:\\x.txt", "\\\\?\\C:\\x.txt"),
        ("data/C:x.txt", "data/C:x.txt"),
        ("~/.rc", "~/.rc"),
        ("data/CON", "data/CON"),
        ("data//x", "data//x"),
        ("data/..%0A/../x", "data/..\\n/../x"),
    ],
)
@pytest.mark.parametrize("manifest", ["manifest-sha256.txt", "tagmanifest-sha256.txt"])
def test_an_unsafe_path_is_named_and_nothing_outside_is_read(
    bag: Path, monkeypatch: pytest.MonkeyPatch, manifest: str, entry: str, shown_as: str
) -> None:
    """C40: each entry must stay inside the package on every system."""
    (bag.parent / "outside.txt").write_text("secret")
    with (bag / manifest).open("a") as stream:
        stream.write(f"{hashlib.sha256(b'secret').hexdigest()}  {entry}\n")
    opened: list[Path] = []
    original = Path.open

    def watched(path: Path, *args: Any, **rest: Any) -> Any:
        opened.append(path)
        return original(path, *args, **rest)

    monkeypatch.setattr(Path, "open", watched)
    assert any(each.startswith(f"{shown_as}: refused") and manifest in each for each in problems(bag))
    assert all(bag in path.parents for path in opened)


def test_a_name_with_a_line_end_is_compared_and_shown_escaped(bag: Path) -> None:
    (bag / "data/a\nb.txt").write_text("x")
    cover_up(bag)
    assert problems(bag) == ()
    (bag / "data/a\nb.txt").write_text("y")
    assert "data/a\\nb.txt: changed (its checksum is not the one in manifest-sha256.txt)" in problems(bag)


def test_names_that_a_file_system_decomposed_are_still_found(tmp_path: Path) -> None:
    """HFS+ stores é as two characters; the manifest has one."""
    write_sample(tmp_path / "b", names=("première.pdf",))
    place = tmp_path / "b/data/source/première.pdf"
    place.rename(place.with_name("premie\u0300re.pdf"))
    assert problems(tmp_path / "b") == ()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("bagit.txt", b"BagIt-Version: 0.97\nTag-File-Character-Encoding: UTF-8\n", "BagIt-Version 1.0"),
        ("bagit.txt", b"BagIt-Version: 1.0\nTag-File-Character-Encoding: latin-1\n", "Tag-File-Character-Encoding"),
        ("bagit.txt", b"\xef\xbb\xbfBagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n", "BagIt-Version"),
        ("bagit.txt", b"\xff\xfe", "not UTF-8 at byte 0"),
        ("bagit.txt", b"x" * (2 << 20), "larger than"),
        ("bag-info.txt", b"Payload-Oxum: 1.1\n", "Payload-Oxum is 1.1, the payload has"),
        ("bag-info.txt", b"Payload-Oxum: 1.1\nPAYLOAD-OXUM: 2.2\n", "does not have one Payload-Oxum"),
        ("bag-info.txt", b"Payload-Oxum: many\n", "does not have one Payload-Oxum"),
        ("bag-info.txt", b"", "does not have one Payload-Oxum"),
    ],
)
def test_a_tag_file_that_is_listed_rightly_must_still_be_right(
    bag: Path, name: str, content: bytes, message: str
) -> None:
    (bag / name).write_bytes(content)
    seal_tags(bag)
    assert any(message in each for each in about(bag, name))


def test_what_only_the_bagit_library_refuses_is_told(bag: Path) -> None:
    with (bag / "bag-info.txt").open("a") as stream:
        stream.write("no label in this line\n")
    seal_tags(bag)
    assert any("the bagit library refuses" in each for each in problems(bag))


@pytest.mark.parametrize("count", [1, 5000])
def test_lines_that_are_no_entries_are_named_but_not_by_the_thousand(bag: Path, count: int) -> None:
    with (bag / "manifest-sha256.txt").open("a") as stream:
        stream.writelines(f"nonsense {number}\n" for number in range(count))
    found = about(bag, "manifest-sha256.txt")
    assert any("line 11 is not a SHA-256 checksum and a path: nonsense 0" in each for each in found)
    assert len(found) < 25


def test_a_huge_line_gives_a_short_problem(bag: Path) -> None:
    with (bag / "manifest-sha256.txt").open("a") as stream:
        stream.write("x" * 5_000_000)
    with (bag / "data/representation.jsonl").open("a") as stream:
        stream.write('{"page": "' + "x" * 5_000_000 + '"}')
    assert about(bag, "manifest-sha256.txt")
    assert about(bag, "data/representation.jsonl")


def test_an_entry_listed_twice_is_named(bag: Path) -> None:
    rows = (bag / "manifest-sha256.txt").read_text()
    (bag / "manifest-sha256.txt").write_text(rows + rows.splitlines()[0])
    assert "data/images/0001.jpg: listed twice in manifest-sha256.txt" in problems(bag)


def test_entries_in_the_wrong_manifest_are_named(bag: Path) -> None:
    payload, tags = ((bag / f"{each}manifest-sha256.txt").read_text() for each in ("", "tag"))
    (bag / "manifest-sha256.txt").write_text(payload + tags)
    (bag / "tagmanifest-sha256.txt").write_text(tags + payload)
    found = problems(bag)
    assert "bagit.txt: no payload file, but manifest-sha256.txt lists it" in found
    assert "data/reading.txt: a payload file, but tagmanifest-sha256.txt lists it" in found


class TestExpect:
    def test_the_digest_is_compared_with_and_without_its_prefix(self, bag: Path) -> None:
        digest = open_bundle(bag).digest
        for expect in (digest, digest.removeprefix("sha256:"), f" {digest.upper()}\n"):
            assert verify(bag, expect=expect).ok

    @pytest.mark.parametrize("expect", [hash_bytes(b"other"), "", "sha256:12", "x\ny"])
    def test_another_digest_is_a_problem(self, bag: Path, expect: str) -> None:
        found = verify(bag, expect=expect)
        assert [each.startswith("tagmanifest-sha256.txt: ") for each in found.problems] == [True]
        assert "\n" not in found.problems[0]

    def test_a_wholly_rewritten_bundle_is_told_by_the_digest_alone(self, bag: Path, tmp_path: Path) -> None:
        digest = open_bundle(bag).digest
        write_sample(tmp_path / "forged", source=b"another source")
        assert verify(tmp_path / "forged").ok
        assert not verify(tmp_path / "forged", expect=digest).ok


def test_requiring_raises_with_every_problem_as_a_detail(bag: Path) -> None:
    (bag / "data/reading.txt").unlink()
    (bag / "extra.txt").write_text("")
    with pytest.raises(IntegrityError, match=r"does not verify: .* \(and \d more\)") as caught:
        require_verified(bag)
    assert caught.value.exit_code == ExitCode.INTEGRITY
    assert caught.value.details == verify(bag).problems


def test_requiring_compares_the_digest_too(bag: Path) -> None:
    with pytest.raises(IntegrityError, match=f"expected {OTHER_ID}"):
        require_verified(bag, OTHER_ID)


@pytest.mark.parametrize("kind", ["nothing", "file", "empty folder", "plain bag"])
def test_what_is_no_bundle_gives_problems_and_no_traceback(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "x"
    if kind == "file":
        target.write_text("x")
    elif kind == "empty folder":
        target.mkdir()
    elif kind == "plain bag":
        write_bag(target, {"a.txt": "a"})
    assert problems(target)


def edit_json(bag: Path, name: str, change: Callable[[Any], object]) -> None:
    """Change a JSON file of the payload in place."""
    stored = json.loads((bag / name).read_text())
    change(stored)
    (bag / name).write_text(json.dumps(stored, ensure_ascii=False))


def edit_line(bag: Path, number: int, change: Callable[[Any], object]) -> None:
    """Change one line of the representation in place, in the form in which ocrprep writes it."""
    place = bag / "data/representation.jsonl"
    lines = place.read_text().split("\n")
    stored = json.loads(lines[number])
    change(stored)
    lines[number] = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
    place.write_text("\n".join(lines))


def set_at(*keys: Any) -> Callable[[Any], object]:
    """Return a change that sets the value at a path of keys."""
    *path, last, value = keys

    def change(stored: Any) -> None:
        for key in path:
            stored = stored[key]
        stored[last] = value

    return change


RECORD_FORGERIES: list[tuple[str, Callable[[Any], object], str]] = [
    ("reading.json", set_at("readingId", OTHER_ID), "readingId"),
    ("reading.json", set_at("representationId", OTHER_ID), "representationId"),
    ("reading.json", set_at("sourceId", OTHER_ID), "sourceId"),
    ("reading.json", set_at("contentHash", "source", OTHER_ID), "contentHash"),
    ("reading.json", set_at("contentHash", "representation", OTHER_ID), "contentHash"),
    ("reading.json", set_at("contentHash", "reading", OTHER_ID), "contentHash"),
    ("reading.json", set_at("policyVersion", "policy-0"), "policyVersion|readingId"),
    ("reading.json", set_at("basis", "human"), "basis"),
    ("reading.json", set_at("options", "reflow", False), "readingId"),
    ("reading.json", set_at("options", "unknown", 1), "does not replay: unknown"),
    ("reading.json", set_at("calibrationKey", "reflow", "rules", "reflow-0"), "readingId"),
    ("reading.json", set_at("calibrationKey", "reflow", {}), "readingId"),
    ("reading.json", set_at("calibrationKey", "recognition", "version", "2"), "calibrationKey"),
    ("reading.json", set_at("decidedAt", "yesterday"), "decidedAt"),
    ("reading.json", set_at("decidedAt", "2024-05-06T07:08:09"), "decidedAt"),
    ("reading.json", set_at("flow", "notes"), "its flow is notes, not body"),
    ("reading.json", set_at("schemaVersion", 1), "schemaVersion"),
    ("reading.json", set_at("extra", 1), "extra"),
    ("reading.json", set_at("transformations", 0, "before", "x"), "transformations, row 1: .*before"),
    ("reading.json", set_at("transformations", 0, "after", "x"), "readingId"),
    ("reading.json", set_at("transformations", 0, "rule", "hyphen-0"), "readingId"),
    ("reading.json", set_at("transformations", 0, "derivedSpan", [0, 1]), "transformations, row 1: .*derivedSpan"),
    ("reading.json", set_at("transformations", 0, "sourceSpan", [9, 3]), "does not replay: not a span"),
    ("reading.json", set_at("transformations", 0, "sourceSpan", [0, 10**20]), "does not replay"),
    ("reading.json", set_at("transformations", 0, "sourceSpan", [0, 20]), "does not replay: edits overlap"),
    ("reading.json", set_at("transformations", 0, "id", "t9"), "transformations, row 1: .*id"),
    ("reading.json", set_at("transformations", 0, "page", 2), "t1: its characters .* are not on its page 2"),
    ("reading.json", set_at("transformations", 0, "page", 99), "t1: .* not on its page 99"),
    ("reading.json", set_at("transformations", 1, "groupId", "g4"), "transformations, row 2: .*groupId"),
    ("reading.json", set_at("transformations", 0, "evidence", {}), "readingId"),
    ("reading.json", set_at("transformations", []), "does not replay|differ|rows"),
    ("reading.json", set_at("droppedLines", 0, "text", "THE JOURNAL"), "droppedLines, row 1|d1"),
    ("reading.json", set_at("droppedLines", 0, "text", "THE JOURNAM 12"), "droppedLines, row 1: .*text"),
    ("reading.json", set_at("droppedLines", 0, "text", ""), "does not replay"),
    ("reading.json", set_at("droppedLines", 0, "box", [0, 0, 1, 1]), "droppedLines, row 1: .*box"),
    ("reading.json", set_at("droppedLines", 0, "line", 2), "d1: .* not on its line"),
    ("reading.json", set_at("droppedLines", 0, "line", 99), "d1: .* not on its line"),
    ("reading.json", set_at("droppedLines", 0, "kind", "folio"), "readingId"),
    ("reading.json", set_at("setAside", 0, "page", 2), "s1"),
    ("reading.json", set_at("retainedSpans", 0, "derivedSpan", [0, 1]), "retainedSpans, row 1"),
    ("reading.json", lambda stored: stored["retainedSpans"].pop(), "retainedSpans has .* rows"),
    ("reading.json", lambda stored: stored["pages"].pop(), "pages has 1 rows"),
    ("reading.json", set_at("pages", 0, "pageLabel", "xii"), "pages, row 1: .*pageLabel"),
    ("reading.json", set_at("pages", 0, "pageScore", 0.99), "pages, row 1: .*pageScore"),
    ("reading.json", set_at("pages", 0, "state", "blank"), "pages, row 1: .*state"),
    ("reading.json", set_at("pages", 0, "page", 7), "does not replay"),
    ("reading.json", set_at("pages", 0, "warnings", []), "pages, row 1: .*warnings"),
    ("notes.json", set_at("setAside", 0, "sourceSpan", [0, 5]), "does not replay|differ"),
    ("notes.json", set_at("readingId", OTHER_ID), "readingId"),
]


@pytest.mark.parametrize(("name", "change", "message"), RECORD_FORGERIES)
def test_a_forged_record_is_named_although_the_manifests_fit(
    bag: Path, name: str, change: Callable[[Any], object], message: str
) -> None:
    edit_json(bag, f"data/{name}", change)
    cover_up(bag)
    found = problems(bag)
    assert any(re.match(f"data/(reading|notes)[.](json|txt): .*({message})", each) for each in found), found


HEADER_FORGERIES: list[tuple[int, Callable[[Any], object], str]] = [
    (0, set_at("representationId", OTHER_ID), "representationId"),
    (0, set_at("sourceId", OTHER_ID), "sourceId"),
    (0, set_at("pageCount", 3), "has 2 pages, its header says 3"),
    (0, set_at("layout", "layout-0"), "layout"),
    (0, set_at("engine", "version", "2"), "representationId"),
    (0, set_at("options", "renderDpi", 200), "representationId"),
    (0, set_at("sourceFiles", 0, "hash", OTHER_ID), "sourceId"),
    (0, set_at("pages", "1-2"), "representationId"),
    (1, set_at("lines", 0, "words", 0, "text", "TEE"), "representationId"),
    (1, set_at("lines", 0, "words", 1, "text", ""), "page 1 has a word that is empty"),
    (1, set_at("lines", 0, "words", 1, "text", "a\nb"), "page 1 has a word that is empty or contains white space"),
    (1, set_at("lines", 0, "words", 0, "confidence", 0.5), "representationId"),
    (1, set_at("lines", 0, "words", 0, "confidence", 5), "line 2: lines.0.words.0.confidence"),
    (1, set_at("lines", 0, "words", []), "line 2: page 1: a line has no words"),
    (1, set_at("blocks", 0, "box", [0.0, 0.0, 1.0, 1.0]), "page 1 is not in the form"),
    (1, set_at("page", 2), "pages must be numbered"),
    (2, set_at("lines", 0, "block", 10**12), "line 3"),
    (2, set_at("state", "gone"), "line 3: state"),
    (2, set_at("extra", 1), "line 3: extra"),
]


@pytest.mark.parametrize(("number", "change", "message"), HEADER_FORGERIES)
def test_a_forged_representation_is_named_although_the_manifests_fit(
    bag: Path, number: int, change: Callable[[Any], object], message: str
) -> None:
    edit_line(bag, number, change)
    cover_up(bag)
    assert any(message in each for each in about(bag, "data/representation.jsonl")), problems(bag)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("source.txt", "is not the text of representation.jsonl: they differ from character 0"),
        ("reading.txt", "is not what the edits of reading.json make of source.txt: they differ from character 0"),
        ("notes.txt", "is not what the edits of notes.json make of source.txt: they differ from character 0"),
    ],
)
def test_a_forged_text_is_named_although_the_manifests_fit(bag: Path, name: str, message: str) -> None:
    place = bag / "data" / name
    place.write_text("#" + place.read_text()[1:])
    cover_up(bag)
    assert problems(bag) == (f"data/{name}: {message} on",)


def test_a_text_and_its_hash_forged_together_are_named(bag: Path) -> None:
    place = bag / "data/reading.txt"
    forged = place.read_text().replace("not seen", "seen")
    place.write_text(forged)
    edit_json(bag, "data/reading.json", set_at("contentHash", "reading", hash_text(forged)))
    cover_up(bag)
    assert any("contentHash" in each for each in about(bag, "data/reading.json"))
    assert any("differ from character 13" in each for each in about(bag, "data/reading.txt"))


def test_swapped_texts_are_named(bag: Path) -> None:
    (bag / "data/reading.txt").rename(bag / "data/kept")
    (bag / "data/notes.txt").rename(bag / "data/reading.txt")
    (bag / "data/kept").rename(bag / "data/notes.txt")
    cover_up(bag)
    assert about(bag, "data/reading.txt")
    assert about(bag, "data/notes.txt")


def test_a_forged_source_is_named_although_the_manifests_fit(bag: Path) -> None:
    (bag / "data/source/letter.pdf").write_bytes(b"forged")
    cover_up(bag)
    assert problems(bag) == (
        "data/source/letter.pdf: its hash is not the one in representation.jsonl",
        "data/source/letter.pdf: has 6 bytes, representation.jsonl says 32",
    )


def test_a_source_file_too_many_or_too_few_is_named_although_the_manifests_fit(tmp_path: Path) -> None:
    write_sample(tmp_path / "b", names=("a.png", "b.png"))
    folder = tmp_path / "b/data/source"
    (folder / "0002-b.png").rename(folder / "other.png")
    cover_up(tmp_path / "b")
    assert problems(tmp_path / "b") == (
        "data/source/0002-b.png: missing, though other source files are there",
        "data/source/other.png: no source file of representation.jsonl",
    )


@pytest.mark.parametrize(
    "name",
    ["notes.json", "notes.txt", "reading.json", "reading.txt", "representation.jsonl", "review.html", "source.txt"],
)
def test_a_file_taken_out_is_named_although_the_manifests_fit(bag: Path, name: str) -> None:
    (bag / "data" / name).unlink()
    cover_up(bag)
    assert about(bag, f"data/{name}")


@pytest.mark.parametrize("name", ["notes.json", "reading.json", "representation.jsonl"])
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b"{}\n{}\n", b"\n\n\n"])
def test_what_is_no_json_record_is_named_and_gives_no_traceback(bag: Path, name: str, content: bytes) -> None:
    (bag / "data" / name).write_bytes(content)
    cover_up(bag)
    assert about(bag, f"data/{name}")


@pytest.mark.parametrize("name", ["source.txt", "reading.txt", "notes.txt"])
def test_a_text_that_is_not_utf8_is_named(bag: Path, name: str) -> None:
    (bag / "data" / name).write_bytes(b"a\xff")
    cover_up(bag)
    assert problems(bag) == (f"data/{name}: not UTF-8 at byte 1",)


def test_characters_in_no_record_are_named(bag: Path) -> None:
    """The promise: what the body sets aside must be kept in the notes, or told of."""

    def set_all_aside(stored: Any) -> None:
        length = len(sample().text)
        row = {**stored["setAside"][0], "sourceSpan": [0, length]}
        stored.update(setAside=[row], transformations=[])

    edit_json(bag, "data/notes.json", set_all_aside)
    cover_up(bag)
    assert any("* See the note." in each and "are in no record" in each for each in about(bag, "data/source.txt"))


class TestAlternates:
    @pytest.fixture
    def other(self, bag: Path) -> Path:
        """Another representation, listed by both records."""
        place = bag / "data/alternates/layer.jsonl"
        place.parent.mkdir()
        shutil.copy(bag / "data/representation.jsonl", place)
        row = {
            "representationId": sample().representation_id,
            "path": "data/alternates/layer.jsonl",
            "kind": "text_layer",
        }
        for name in ("reading", "notes"):
            edit_json(bag, f"data/{name}.json", set_at("otherRepresentations", [row]))
        return place

    def test_a_listed_one_verifies(self, bag: Path, other: Path) -> None:
        assert other.is_file()
        cover_up(bag)
        assert problems(bag) == ()

    def test_one_that_is_damaged_is_named(self, bag: Path, other: Path) -> None:
        other.write_text(other.read_text().replace("king", "ring"))
        cover_up(bag)
        assert any("representationId" in each for each in about(bag, "data/alternates/layer.jsonl"))

    def test_one_that_is_missing_or_unlisted_is_named(self, bag: Path, other: Path) -> None:
        other.rename(other.with_name("unlisted.jsonl"))
        cover_up(bag)
        assert about(bag, "data/alternates/layer.jsonl")
        assert about(bag, "data/alternates/unlisted.jsonl")


def test_a_file_that_cannot_be_read_is_named(bag: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = Path.open

    def refusing(path: Path, *args: Any, **rest: Any) -> Any:
        if path.name in {"reading.txt", "letter.pdf", "bag-info.txt"}:
            raise PermissionError(13, "Permission denied")
        return original(path, *args, **rest)

    monkeypatch.setattr(Path, "open", refusing)
    for name in ("data/reading.txt", "data/source/letter.pdf", "bag-info.txt"):
        assert f"{name}: cannot be read (Permission denied)" in problems(bag)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=3,
)


def places_in(stored: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All paths of keys into a JSON value."""
    if isinstance(stored, dict):
        return [each for key, value in stored.items() for each in ((*path, key), *places_in(value, (*path, key)))]
    if isinstance(stored, list):
        return [each for key, value in enumerate(stored) for each in ((*path, key), *places_in(value, (*path, key)))]
    return []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_value_in_any_place_of_a_record_gives_problems_and_no_traceback(bag: Path, data: st.DataObject) -> None:
    place = bag / "data" / data.draw(st.sampled_from(["reading.json", "notes.json"]))
    kept = place.read_bytes()
    stored = json.loads(kept)
    path = data.draw(st.sampled_from(places_in(stored)))
    value = data.draw(JSON_VALUES | st.integers(0, 70) | st.sampled_from([OTHER_ID, "g1", "t2", [0, 3], ""]))
    set_at(*path, value)(stored)
    try:
        place.write_text(json.dumps(stored))
        assert problems(bag)
    finally:
        place.write_bytes(kept)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_value_in_any_place_of_a_representation_gives_problems_and_no_traceback(
    bag: Path, data: st.DataObject
) -> None:
    place = bag / "data/representation.jsonl"
    kept = place.read_bytes()
    lines = kept.decode().split("\n")
    number = data.draw(st.integers(0, 2))
    stored = json.loads(lines[number])
    set_at(*data.draw(st.sampled_from(places_in(stored))), data.draw(JSON_VALUES | st.integers(0, 70)))(stored)
    lines[number] = json.dumps(stored, separators=(",", ": "))
    try:
        place.write_text("\n".join(lines))
        assert problems(bag)
    finally:
        place.write_bytes(kept)


def test_a_manifest_of_no_sane_size_is_named_and_not_read(bag: Path) -> None:
    with (bag / "manifest-sha256.txt").open("r+b") as manifest:
        manifest.truncate(1 << 33)
    assert any("manifest-sha256.txt: larger" in problem for problem in problems(bag))
