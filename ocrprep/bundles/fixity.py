"""Fixity: whether a bag's files are those that its manifests list, named file by file.

The `bagit` library follows links while it reads, takes `%25` literally and tells of a cut file only as a wrong total;
so the comparison is our own, opens nothing but the regular files found inside the bag, and the library is asked for a
second opinion on a bag without problems.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import bagit

from ocrprep.bundles.names import decode_path, shown, unsafe_reason
from ocrprep.bundles.store import BAG_INFO, MANIFEST, PAYLOAD, TAG_MANIFEST
from ocrprep.identity import hash_file

_ROW = re.compile(r"([0-9a-fA-F]{64})[ \t]+\*?(.+)", re.DOTALL)
_OXUM = re.compile(r"[0-9]{1,18}\.[0-9]{1,18}")
_MANIFEST_BYTES = 1 << 26
"""64 MiB: a bag of half a million files; a bundle has a file a page and a few more."""

_TAG_FILE_BYTES = 1 << 20
"""No bagit.txt or bag-info.txt is larger than this; a larger one is not read."""

_NAMED = 20
"""Bad lines named for one manifest; a file that is no manifest at all would give a problem for each of its lines."""


@dataclass
class Fixity:
    """What a bag's folder holds (by path in NFC), what is wrong with it, and its digest where that can be taken."""

    files: dict[str, Path] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    digest: str | None = None


def check_fixity(bag: Path) -> Fixity:
    """Compare a bag's files with its manifests; never raises for a bad bag, and never reads outside it."""
    found = Fixity()
    refused = _walk(bag, found)
    if TAG_MANIFEST in found.files:
        found.digest = _hash(TAG_MANIFEST, found)
    payload = _rows(MANIFEST, found)
    tags = _rows(TAG_MANIFEST, found)
    found.problems += [f"{shown(p)}: no payload file, but {MANIFEST} lists it" for p in payload if not _is_payload(p)]
    found.problems += [f"{shown(p)}: a payload file, but {TAG_MANIFEST} lists it" for p in tags if _is_payload(p)]
    for manifest, rows in ((MANIFEST, payload), (TAG_MANIFEST, tags)):
        for path, checksum in rows.items():
            if path not in refused:
                _compare(path, checksum, manifest, found)
    listed = payload.keys() | tags.keys() | {TAG_MANIFEST}
    found.problems += [f"{shown(path)}: added (no manifest lists it)" for path in found.files if path not in listed]
    _check_declaration(found)
    _check_bag_info(found)
    if not found.problems:
        _ask_bagit(bag, found)
    return found


def _is_payload(path: str) -> bool:
    return path.startswith(f"{PAYLOAD}/")


def _walk(bag: Path, found: Fixity) -> set[str]:
    """Gather the regular files of a bag; return the paths of what is neither a file nor a folder, and is not opened."""
    refused: set[str] = set()
    folders = [bag]
    while folders:
        folder = folders.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            found.problems.append(f"{shown(folder)}: cannot be listed ({error.strerror})")
            continue
        for entry in entries:
            place = Path(entry.path)
            path = unicodedata.normalize("NFC", place.relative_to(bag).as_posix())
            if entry.is_dir(follow_symlinks=False):
                folders.append(place)
            elif not entry.is_file(follow_symlinks=False):
                kind = "a symbolic link" if entry.is_symlink() else "no regular file"
                found.problems.append(f"{shown(path)}: {kind}, refused")
                refused.add(path)
            elif path in found.files:
                found.problems.append(f"{shown(path)}: two files whose names differ only in normalisation")
            else:
                found.files[path] = place
    found.files = dict(sorted(found.files.items()))
    return refused


def _rows(manifest: str, found: Fixity) -> dict[str, str]:
    """Read a manifest into checksums by path, leaving out, with a problem, each line that cannot be used."""
    text = _text(manifest, found, _MANIFEST_BYTES)
    rows: dict[str, str] = {}
    problems: list[str] = []
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text or ""), start=1):
        if not line:
            continue
        row = _ROW.fullmatch(line)
        if row is None:
            problems.append(f"{manifest}: line {number} is not a SHA-256 checksum and a path: {shown(line)}")
            continue
        path = unicodedata.normalize("NFC", decode_path(row[2]).removeprefix("./"))
        reason = unsafe_reason(path)
        if reason:
            problems.append(f"{shown(path)}: refused, the path in line {number} of {manifest} {reason}")
        elif path in rows:
            problems.append(f"{shown(path)}: listed twice in {manifest}")
        else:
            rows[path] = row[1].lower()
    if len(problems) > _NAMED:
        problems[_NAMED:] = [f"{manifest}: {len(problems) - _NAMED} more lines like these"]
    found.problems += problems
    return rows


def _compare(path: str, checksum: str, manifest: str, found: Fixity) -> None:
    """Compare one listed file with its checksum."""
    if path not in found.files:
        found.problems.append(f"{shown(path)}: missing ({manifest} lists it)")
        return
    digest = found.digest if path == TAG_MANIFEST else _hash(path, found)
    if digest is not None and digest != f"sha256:{checksum}":
        found.problems.append(f"{shown(path)}: changed (its checksum is not the one in {manifest})")


def _hash(path: str, found: Fixity) -> str | None:
    try:
        return hash_file(found.files[path])
    except OSError as error:
        found.problems.append(f"{shown(path)}: cannot be read ({error.strerror})")
        return None


def _text(path: str, found: Fixity, limit: int | None = None) -> str | None:
    """Read a tag file as UTF-8, with a problem where that cannot be done."""
    place = found.files.get(path)
    if place is None:
        found.problems.append(f"{path}: missing")
        return None
    try:
        if limit is not None and place.stat().st_size > limit:
            found.problems.append(f"{path}: larger than a bag's {path} can be")
            return None
        return place.read_bytes().decode("utf-8")
    except OSError as error:
        found.problems.append(f"{path}: cannot be read ({error.strerror})")
    except UnicodeDecodeError as error:
        found.problems.append(f"{path}: not UTF-8 at byte {error.start}")
    return None


def _check_declaration(found: Fixity) -> None:
    text = _text("bagit.txt", found, _TAG_FILE_BYTES)
    if text is None:
        return
    lines = text.split()
    if lines[:2] != ["BagIt-Version:", "1.0"]:
        found.problems.append("bagit.txt: does not declare BagIt-Version 1.0")
    if lines[2:] != ["Tag-File-Character-Encoding:", "UTF-8"]:
        found.problems.append("bagit.txt: does not declare Tag-File-Character-Encoding UTF-8")


def _check_bag_info(found: Fixity) -> None:
    """Compare the Payload-Oxum, `<bytes>.<files>`, with the payload."""
    text = _text(BAG_INFO, found, _TAG_FILE_BYTES)
    if text is None:
        return
    values = [value for label, value in _labelled(text) if label.casefold() == "payload-oxum"]
    if len(values) != 1 or not _OXUM.fullmatch(values[0]):
        found.problems.append(f"{BAG_INFO}: does not have one Payload-Oxum of the form bytes.files")
        return
    sizes = [place.stat().st_size for path, place in found.files.items() if _is_payload(path)]
    if values[0] != f"{sum(sizes)}.{len(sizes)}":
        found.problems.append(f"{BAG_INFO}: Payload-Oxum is {values[0]}, the payload has {sum(sizes)}.{len(sizes)}")


def _labelled(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if ":" in line and not line[0].isspace():
            label, value = line.split(":", 1)
            yield label.strip(), value.strip()


def _ask_bagit(bag: Path, found: Fixity) -> None:
    """Ask the `bagit` library for a second opinion on the structure (every checksum has been compared already)."""
    try:
        bagit.Bag(str(bag)).validate(fast=True)
    except bagit.BagError as error:
        found.problems.append(f"{shown(bag.name)}: the bagit library refuses the bag: {shown(error)}")
