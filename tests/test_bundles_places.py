"""Places: nothing overwrites anything, a finished input is skipped, and what is in the way is named."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from ocrprep.bundles import Bundle, Place, find_place, move_aside, review_folder
from ocrprep.errors import ExitCode, IntegrityError, OutputError
from ocrprep.identity import hash_bytes
from tests.test_bundles import SOURCE, write_sample

NAME = "letter.pdf"
HERE = hash_bytes(SOURCE)
OTHER = hash_bytes(b"other")


def find(
    folder: Path, *, name: str = NAME, source_id: str = HERE, fits: bool = True, key: str = "k", force: bool = False
) -> Place:
    def same_options(bundle: Bundle) -> bool:
        assert bundle.record.flow == "body"
        return fits

    return find_place(folder, name, source_id=source_id, fits=same_options, key=key, force=force)


def test_a_free_place_is_named_after_the_file(tmp_path: Path) -> None:
    assert find(tmp_path / "not yet") == Place(tmp_path / "not yet/letter.pdf.evidence", existing=False)


def test_the_same_input_with_the_same_options_is_found_again(tmp_path: Path) -> None:
    write_sample(tmp_path / "letter.pdf.evidence")
    assert find(tmp_path) == Place(tmp_path / "letter.pdf.evidence", existing=True)


@pytest.mark.parametrize(("source", "fits"), [(OTHER, True), (HERE, False)])
def test_another_source_or_other_options_get_a_marked_name(tmp_path: Path, source: str, fits: bool) -> None:
    write_sample(tmp_path / "letter.pdf.evidence")
    place = find(tmp_path, source_id=source, fits=fits)
    assert not place.existing
    assert place.path.parent == tmp_path
    mark = place.path.name.removeprefix("letter.pdf~").removesuffix(".evidence")
    assert len(mark) == 6
    assert int(mark, 16) >= 0
    assert find(tmp_path, source_id=source, fits=fits) == place
    assert find(tmp_path, source_id=source, fits=fits, key="other") != place


def test_a_marked_bundle_is_found_again_even_when_the_plain_name_is_free(tmp_path: Path) -> None:
    write_sample(tmp_path / "letter.pdf.evidence", source=b"other")
    marked = find(tmp_path).path
    write_sample(marked)
    assert find(tmp_path) == Place(marked, existing=True)
    (tmp_path / "letter.pdf.evidence").rename(tmp_path / "gone")
    assert find(tmp_path) == Place(marked, existing=True)


def test_two_taken_names_are_told(tmp_path: Path) -> None:
    write_sample(tmp_path / "letter.pdf.evidence")
    write_sample(find(tmp_path, fits=False).path)
    with pytest.raises(OutputError, match="both names"):
        find(tmp_path, fits=False)


@pytest.mark.parametrize("kind", ["damaged", "file", "empty folder", "dangling link", "unreadable record"])
def test_what_is_no_sound_bundle_is_in_the_way(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "letter.pdf.evidence"
    if kind == "damaged":
        write_sample(target)
        (target / "data/notes.txt").write_text("forged")
    elif kind == "unreadable record":
        write_sample(target)
        (target / "data/reading.json").write_text("{")
    elif kind == "file":
        target.write_text("mine")
    elif kind == "empty folder":
        target.mkdir()
    else:
        target.symlink_to(tmp_path / "nowhere")
    with pytest.raises(OutputError, match=r"in the way.*--force") as caught:
        find(tmp_path)
    assert caught.value.exit_code == ExitCode.OUTPUT
    assert "\n" not in str(caught.value)
    assert find(tmp_path, force=True) == Place(target, existing=True)
    aside = move_aside(target)
    assert aside.is_symlink() or aside.exists()
    assert find(tmp_path) == Place(target, existing=False)


def test_a_fault_of_the_caller_is_not_hidden(tmp_path: Path) -> None:
    write_sample(tmp_path / "letter.pdf.evidence")

    def broken(_: Bundle) -> bool:
        raise RuntimeError("a fault")

    with pytest.raises(RuntimeError, match="a fault"):
        find_place(tmp_path, NAME, source_id=HERE, fits=broken, key="k")


def test_composed_and_decomposed_names_do_not_collide(tmp_path: Path) -> None:
    """C35: the two spellings of one name are two inputs with two bundles."""
    composed, decomposed = (unicodedata.normalize(form, "première.pdf") for form in ("NFC", "NFD"))
    first = find(tmp_path, name=composed)
    write_sample(first.path)
    second = find(tmp_path, name=decomposed, source_id=OTHER)
    assert not second.existing
    assert second.path != first.path


def test_a_hostile_or_very_long_name_stays_in_the_folder(tmp_path: Path) -> None:
    assert find(tmp_path, name="../../evil.sh").path.parent == tmp_path
    long = find(tmp_path, name="é" * 120 + ".pdf").path
    write_sample(long)
    assert find(tmp_path, name="é" * 120 + ".pdf").existing
    move_aside(long)


def test_old_bundles_are_moved_aside_one_after_the_other(tmp_path: Path) -> None:
    target = tmp_path / "letter.pdf.evidence"
    for number in (1, 2, 3):
        target.mkdir()
        (target / "mark").write_text(str(number))
        aside = move_aside(target)
        assert aside == tmp_path / f"letter.pdf.evidence.replaced-{number}"
        assert (aside / "mark").read_text() == str(number)
        assert not target.exists()


def test_a_bundle_that_cannot_be_moved_is_an_output_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", fail)
    (tmp_path / "x").mkdir()
    with pytest.raises(OutputError, match="no permission"):
        move_aside(tmp_path / "x")


@pytest.mark.parametrize(
    ("bundle", "review"),
    [
        ("letter.pdf.evidence", "letter.pdf.review"),
        ("letter.pdf~1a2b3c.evidence", "letter.pdf~1a2b3c.review"),
        ("renamed", "renamed.review"),
    ],
)
def test_the_review_folder_stands_beside_the_bundle(tmp_path: Path, bundle: str, review: str) -> None:
    assert review_folder(tmp_path / bundle) == tmp_path / review


def test_a_bundle_with_a_damaged_header_is_named_once(tmp_path: Path) -> None:
    target = tmp_path / "letter.pdf.evidence"
    write_sample(target)
    (target / "data/representation.jsonl").write_text("nonsense")
    with pytest.raises(OutputError, match=r"representation[.]jsonl cannot be used") as caught:
        find(tmp_path)
    assert isinstance(caught.value.__cause__, IntegrityError)
