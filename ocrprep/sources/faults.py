"""Faults of sources in words: safe to print, on one line, saying what is wrong."""

from __future__ import annotations

import logging
import struct
import zlib

for _library in ("PIL", "pdfminer", "pikepdf"):
    # Without any handler their remarks on damaged files would go to the user's terminal; programs that log get them.
    logging.getLogger(_library).addHandler(logging.NullHandler())

LONGEST_REASON = 200
"""Characters kept of another library's message: some repeat the damaged bytes."""

IMAGE_FAULTS: tuple[type[Exception], ...] = (
    OSError,  # truncated or unreadable pixels, unidentified images, codecs that give up
    SyntaxError,  # how Pillow says that a header is not of its format
    ValueError,  # impossible sizes and modes, too much compressed text in a PNG
    TypeError,  # a TIFF tag of another type than its reader expects
    LookupError,  # a tag, a palette entry or a mode that is not there (KeyError, IndexError)
    EOFError,  # a frame that is not there
    ArithmeticError,  # a resolution of n/0, a size beyond C integers
    MemoryError,  # a decoder that asks for absurd amounts
    RuntimeError,  # decoders that are not in this build, and Pillow's own "cannot happen"
    struct.error,  # a directory cut off in the middle of a number
    zlib.error,  # damaged compressed text in a PNG
)
"""What Pillow's readers raise on damaged files: those of its plugins that were seen in its own test images, and
their bases. Only Pillow's calls stand in the `try` blocks that catch them."""


def shown(text: object) -> str:
    """Write a file name or a library's message so that it can be printed: controls and surrogates escaped, one line."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in str(text))


def reason_of(error: Exception) -> str:
    """Return the reason that a library's error gives, on one line and not too long; its class where it gives none."""
    words = " ".join(str(error).split()) or type(error).__name__
    return shown(words if len(words) <= LONGEST_REASON else words[: LONGEST_REASON - 1] + "…")
