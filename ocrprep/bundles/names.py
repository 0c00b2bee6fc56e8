"""File names and paths: which are portable, which are unsafe, how manifests write them, how messages show them."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath

NAME_BYTES = 200
"""File systems take 255 bytes; the rest is room for `~<hex>.evidence.replaced-<n>`."""

_EXTENSION_BYTES = 16
"""A longer "extension" is part of a title with a full stop in it."""

_SHOWN = 160
"""Characters of a name or a fact that a one-line message shows."""

_REPLACEMENT = "_"
_FORBIDDEN = frozenset('<>:"/\\|?*%')
"""What Windows refuses, and `%`, which BagIt tools write and read in two ways (RFC 8493 encodes it, bagit 1.9 does
not)."""

_JOINERS = frozenset("\u200c\u200d")
"""The only invisible characters that spelling needs (Persian, the scripts of India)."""

_UNPORTABLE = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
"""Controls, invisible and bidirectional controls, lone surrogates, unassigned characters, line separators."""

_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)[ .]*(\.|:|$)", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:")
_ENCODED = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_DECODED = re.compile(r"%(25|0D|0A)", re.IGNORECASE)


def safe_name(name: str) -> str:
    """Return a file name that every system takes: the name itself where it is one already.

    What is not portable becomes `_`; leading dots, tildes and spaces and trailing dots and spaces go; a Windows device
    name gets a `_` before it; a name above `NAME_BYTES` bytes of UTF-8 is cut before its extension. The result is in
    NFC, and a fixed point of this function.
    """
    composed = unicodedata.normalize("NFC", name)
    name = "".join(_REPLACEMENT if _is_unportable(character) else character for character in composed)
    name = _shortened(_trimmed(name))
    return _shortened(_REPLACEMENT + name) if _DEVICE.match(name) else name


def unsafe_reason(path: str) -> str | None:
    """Say why a path of a manifest must not be joined to a folder, or None where it is safe on every system."""
    parts = path.split("/")
    if "\0" in path:
        return "has a NUL character"
    if "\\" in path:
        return "has a backslash"
    if path.startswith("/"):
        return "is absolute"
    if path.startswith("~"):
        return "begins with a tilde"
    if any(_DRIVE.match(part) for part in parts):
        return "names a drive"
    if ".." in parts:
        return "leads upwards"
    if "" in parts or "." in parts:
        return "is not a plain path"
    if any(_DEVICE.match(part) for part in parts):
        return "has a name that Windows reserves for a device"
    return None


def encode_path(path: str) -> str:
    """Write a path for a manifest: CR, LF and `%`, and only those, percent-encoded (RFC 8493, 2.1.3)."""
    return "".join(_ENCODED.get(character, character) for character in path)


def decode_path(path: str) -> str:
    """Read a path of a manifest."""
    return _DECODED.sub(lambda found: chr(int(found[1], 16)), path)


def shown(text: object) -> str:
    """Return a text for a one-line message: what cannot be printed escaped, the middle of what is long cut out."""
    line = str(text)
    if len(line) > _SHOWN:
        line = f"{line[: _SHOWN // 2]}…{line[-_SHOWN // 2 :]}"
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in line
    )


def _is_unportable(character: str) -> bool:
    if character in _JOINERS:
        return False
    return character in _FORBIDDEN or unicodedata.category(character) in _UNPORTABLE


def _trimmed(name: str) -> str:
    """Take off what must not begin or end a name."""
    begin, end = 0, len(name)
    while begin < end and (name[begin] in ".~" or name[begin].isspace()):
        begin += 1
    while end > begin and (name[end - 1] == "." or name[end - 1].isspace()):
        end -= 1
    return name[begin:end] or "unnamed"


def _shortened(name: str) -> str:
    """Cut a long name between two characters, before its extension."""
    if len(name.encode("utf-8")) <= NAME_BYTES:
        return name
    extension = PurePosixPath(name).suffix
    if len(extension.encode("utf-8")) > _EXTENSION_BYTES:
        extension = ""
    room = NAME_BYTES - len(extension.encode("utf-8"))
    stem = name.removesuffix(extension).encode("utf-8")[:room].decode("utf-8", errors="ignore")
    return _trimmed(stem) + extension
