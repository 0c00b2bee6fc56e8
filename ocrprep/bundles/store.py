"""The writer of BagIt bags (RFC 8493): whole or not at all, and never twice at one place.

The `bagit` library's own writer is not used: it writes version 0.97, changes the working directory of the whole
program, and moves a ready `data/` into `data/data`.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import shutil
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from ocrprep.bundles.names import encode_path, safe_name, shown, unsafe_reason
from ocrprep.errors import OutputError, SourceError, UsageError
from ocrprep.identity import hash_bytes

__all__ = ["check_bag_info", "output_error", "safe_name", "write_bag"]

BAG_DECLARATION = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
MANIFEST = "manifest-sha256.txt"
TAG_MANIFEST = "tagmanifest-sha256.txt"
BAG_INFO = "bag-info.txt"
PAYLOAD = "data"

_RESERVED_LABELS = frozenset(
    {"payload-oxum", "bagging-date", "bag-software-agent", "bagit-version", "tag-file-character-encoding"}
)
"""Labels that the bag itself answers for. Lower case: BagIt labels are compared without regard to case."""

_COPY_BYTES = 1 << 20
"""How much of a file is in memory while it is copied."""

_REASONS = {
    errno.ENOSPC: "disk full",
    errno.EDQUOT: "disk full: the quota is used up",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "no permission to write there",
    errno.EPERM: "no permission to write there",
    errno.ENAMETOOLONG: "the path is too long",
    errno.EEXIST: "something is there already, and a bundle is never rewritten",
    errno.ENOTEMPTY: "something is there already, and a bundle is never rewritten",
    errno.ENOTDIR: "a file stands where a folder is needed",
}


def write_bag(
    target: Path,
    payload: Mapping[str, bytes | str | Path],
    bag_info: Sequence[tuple[str, str]] = (),
    *,
    expected: Mapping[str, str] | None = None,
) -> str:
    """Write a bag and return its digest, the ID of its `tagmanifest-sha256.txt`.

    Payload keys are POSIX paths below `data/`; a `Path` value is copied. `expected` gives the IDs that copied files
    must have. The bag is written to a temporary sibling, synced and renamed. Raises OutputError when something is at
    the target or it cannot be written, SourceError when a file to copy cannot be read or has changed, UsageError for
    lines that bag-info.txt cannot hold; the target is then untouched.
    """
    check_bag_info(bag_info)
    _check_paths(payload)
    if os.path.lexists(target):
        raise OutputError(f"cannot write {shown(target)}: {_REASONS[errno.EEXIST]}")
    with _as_output_error(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.parent / f".ocrprep-{secrets.token_hex(6)}.partial"
        try:
            digest = _fill(partial, payload, bag_info, expected or {})
            partial.rename(target)
            _sync_folder(target.parent)
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise
    return digest


def check_bag_info(lines: Iterable[tuple[str, str]]) -> None:
    """Refuse, with a UsageError, what would break or forge a line of bag-info.txt.

    A value stays on one line however long it is: RFC 8493 allows folding and does not ask for it, and readers differ
    in what they make of a folded value.
    """
    for label, value in lines:
        named = f"the bag-info label {shown(repr(label))}"
        if not label or label != label.strip() or ":" in label or not label.isprintable():
            raise UsageError(f"{named} must be printable, without colon and without spaces around it")
        if label.casefold() in _RESERVED_LABELS:
            raise UsageError(f"{named} is written by ocrprep itself; use another one")
        if not value.strip() or any(unicodedata.category(each) in {"Cc", "Cs", "Zl", "Zp"} for each in value):
            raise UsageError(f"the value of {named} must be text on one line, without control characters")


def output_error(path: Path, error: OSError) -> OutputError:
    """Return the one-line error for a path that could not be written, naming the cause."""
    reason = _REASONS.get(error.errno or 0) or error.strerror or type(error).__name__
    return OutputError(f"cannot write {shown(path)}: {reason}")


@contextmanager
def _as_output_error(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise output_error(path, error) from error


def _check_paths(payload: Mapping[str, object]) -> None:
    """Refuse unsafe paths, and paths that are one file where case or normalisation is not told apart."""
    seen: dict[str, str] = {}
    for path in payload:
        reason = unsafe_reason(path)
        if reason:
            raise OutputError(f"the payload path {shown(repr(path))} {reason}")
        other = seen.setdefault(unicodedata.normalize("NFC", path).casefold(), path)
        if other != path:
            raise OutputError(f"two payload paths are one on some systems: {shown(other)} and {shown(path)}")


def _fill(
    folder: Path,
    payload: Mapping[str, bytes | str | Path],
    bag_info: Sequence[tuple[str, str]],
    expected: Mapping[str, str],
) -> str:
    """Write all files of a bag into a new folder and return the bag's digest."""
    folder.mkdir()
    root = folder / PAYLOAD
    root.mkdir()
    rows: list[str] = []
    total = 0
    for path, content in sorted(payload.items()):
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        digest, size = _write(place, _blocks(content))
        if expected.get(path, f"sha256:{digest}") != f"sha256:{digest}":
            raise SourceError(f"{shown(content)} changed while it was read, run again")
        rows.append(f"{digest}  {PAYLOAD}/{encode_path(path)}\n")
        total += size

    tags = {
        "bagit.txt": BAG_DECLARATION,
        BAG_INFO: _bag_info(f"{total}.{len(payload)}", bag_info),
        MANIFEST: "".join(rows),
    }
    tag_rows = [f"{_write(folder / name, _blocks(text))[0]}  {name}\n" for name, text in sorted(tags.items())]
    tag_manifest = "".join(tag_rows)
    _write(folder / TAG_MANIFEST, _blocks(tag_manifest))
    for each in {folder, *(parent for path in payload for parent in (root / path).parents if folder in parent.parents)}:
        _sync_folder(each)
    return hash_bytes(tag_manifest.encode("utf-8"))


def _bag_info(oxum: str, lines: Iterable[tuple[str, str]]) -> str:
    own = (
        ("Bagging-Date", f"{datetime.now(UTC):%Y-%m-%d}"),
        ("Payload-Oxum", oxum),
        ("Bag-Software-Agent", f"ocrprep {version('ocrprep')}"),
    )
    return "".join(f"{label}: {value}\n" for label, value in (*own, *lines))


def _blocks(content: bytes | str | Path) -> Iterator[bytes]:
    """Yield the bytes of some content; raises SourceError when a file to copy cannot be read."""
    if isinstance(content, str):
        yield content.encode("utf-8")
    elif isinstance(content, bytes):
        yield content
    else:
        try:
            with content.open("rb") as stream:
                while block := stream.read(_COPY_BYTES):
                    yield block
        except OSError as error:
            raise SourceError(f"cannot read {shown(content)}: {error.strerror or error}") from error


def _write(path: Path, blocks: Iterable[bytes]) -> tuple[str, int]:
    """Write a new file to the disk itself; return its SHA-256 and its size, known without reading it again."""
    digest = hashlib.sha256()
    size = 0
    with path.open("xb") as stream:
        for block in blocks:
            stream.write(block)
            digest.update(block)
            size += len(block)
        stream.flush()
        os.fsync(stream.fileno())
    return digest.hexdigest(), size


def _sync_folder(folder: Path) -> None:
    """Bring a folder's entries to the disk, where the system and its file system (network shares differ) can."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:
            raise
    finally:
        os.close(descriptor)
