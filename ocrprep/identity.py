"""Canonical JSON, hashes and IDs: the same content has the same ID in any process and on any day.

IDs are `sha256:<64 hex>`. They cover content and the options that decide it; never jobs, paths, retention or times.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from io import BufferedIOBase
from pathlib import Path


def canonical_json(value: object) -> str:
    """Write JSON in the one form that is hashed: sorted keys, no spaces, no escapes but the needed ones, no NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def hash_bytes(content: bytes) -> str:
    """Return the ID of some bytes."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def hash_text(text: str) -> str:
    """Return the ID of a text, taken as UTF-8."""
    return hash_bytes(text.encode("utf-8"))


def hash_json(value: object) -> str:
    """Return the ID of a value by its canonical JSON."""
    return hash_text(canonical_json(value))


def hash_stream(stream: BufferedIOBase) -> str:
    """Return the ID of what is left to read of a binary stream."""
    return f"sha256:{hashlib.file_digest(stream, 'sha256').hexdigest()}"


def hash_file(path: Path) -> str:
    """Return the ID of a file's bytes; raises OSError."""
    with path.open("rb") as stream:
        return hash_stream(stream)


def source_id(file_hashes: Iterable[str]) -> str:
    """Return the ID of a source: the hash of its bytes, or the hash of its files' hashes in their order."""
    hashes = list(file_hashes)
    return hashes[0] if len(hashes) == 1 else hash_json(hashes)
