"""Where the bundle of an input goes, and what is done about a bundle that is there already."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from ocrprep.bundles.bundle import EVIDENCE, Bundle, open_bundle
from ocrprep.bundles.names import safe_name, shown
from ocrprep.bundles.store import output_error
from ocrprep.bundles.verify import require_verified
from ocrprep.errors import IntegrityError, OutputError

REVIEW = ".review"

_MARK_DIGITS = 6
"""Hex digits that tell bundles of one file name apart: 16 million, for the few inputs that share a name."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a bundle goes; `existing` says that the input's bundle, or with force anything at all, is there."""

    path: Path
    existing: bool


def find_place(
    folder: Path,
    file_name: str,
    *,
    source_id: str,
    fits: Callable[[Bundle], bool],
    key: str,
    force: bool = False,
) -> Place:
    """Return the place of an input's bundle: `<file name>.evidence`, or with `~<6 hex>` where that name is taken.

    A name is taken by a bundle of another source, or of the same source for which `fits` is false (other options);
    `key` names this input's options. The place is `existing` when it holds a bundle of this input that verifies.
    Raises OutputError when what is there is no bundle or does not verify; with `force` it is returned as existing, for
    `move_aside`.
    """
    if os.path.lexists(folder) and not folder.is_dir():
        raise OutputError(f"{shown(folder)} is not a folder: name one for the bundles")
    free: Path | None = None
    for path in _names(folder, file_name, source_id + key):
        if not os.path.lexists(path):
            free = free or path
            continue
        try:
            if _is_of_input(path, source_id, fits):
                return Place(path, existing=True)
        except IntegrityError as error:
            if force:
                return Place(path, existing=True)
            raise OutputError(f"{shown(path.name)} is in the way: {error}; --force moves it aside") from error
    if free is None:
        raise OutputError(f"{shown(folder / file_name)}: both names for its bundle are taken; choose another folder")
    return Place(free, existing=False)


def move_aside(path: Path) -> Path:
    """Rename an old bundle to the first free sibling `<name>.replaced-N`; return that; raises OutputError."""
    siblings = (path.with_name(f"{path.name}.replaced-{number}") for number in count(1))
    aside = next(sibling for sibling in siblings if not os.path.lexists(sibling))
    try:
        path.rename(aside)
    except OSError as error:
        raise output_error(aside, error) from error
    return aside


def review_folder(bundle: Path) -> Path:
    """Return the sibling of a bundle that holds its bindings, decisions and later reports."""
    return bundle.with_name(bundle.name.removesuffix(EVIDENCE) + REVIEW)


def _names(folder: Path, file_name: str, identity: str) -> tuple[Path, Path]:
    """Return the plain place and the marked one."""
    name = safe_name(file_name)
    mark = hashlib.sha256(identity.encode("utf-8")).hexdigest()[:_MARK_DIGITS]
    return folder / f"{name}{EVIDENCE}", folder / f"{name}~{mark}{EVIDENCE}"


def _is_of_input(path: Path, source_id: str, fits: Callable[[Bundle], bool]) -> bool:
    """Say whether a bundle is one of this input and these options; raises IntegrityError when it is not sound."""
    bundle = open_bundle(path)
    if bundle.header.source_id != source_id or not fits(bundle):
        return False
    require_verified(path)
    return True
