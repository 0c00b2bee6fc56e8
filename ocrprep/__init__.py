"""ocrprep makes a scan citable: what was read is kept, what is derived is recorded, what is quoted is bound.

    import ocrprep

    preparation = ocrprep.prepare("letter.pdf")
    print(preparation.reading.text)
    bundle = preparation.save("bundles")

The names below are loaded when they are first used: `import ocrprep` loads no engine.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ocrprep.bundles import Bundle, open_bundle, verify
    from ocrprep.errors import ExitCode, OcrprepError
    from ocrprep.options import Options, ReadingOptions, RecognitionOptions
    from ocrprep.pipeline import derive, prepare
    from ocrprep.preparation import Preparation
    from ocrprep.reading import Reading
    from ocrprep.representation import Representation
    from ocrprep.spans import Edit, Segment, Span, SpanMap, apply

__all__ = [
    "Bundle",
    "Edit",
    "ExitCode",
    "OcrprepError",
    "Options",
    "Preparation",
    "Reading",
    "ReadingOptions",
    "RecognitionOptions",
    "Representation",
    "Segment",
    "Span",
    "SpanMap",
    "apply",
    "derive",
    "open_bundle",
    "prepare",
    "verify",
]

_HOMES = {
    "ocrprep.bundles": ("Bundle", "open_bundle", "verify"),
    "ocrprep.errors": ("ExitCode", "OcrprepError"),
    "ocrprep.options": ("Options", "ReadingOptions", "RecognitionOptions"),
    "ocrprep.pipeline": ("derive", "prepare"),
    "ocrprep.preparation": ("Preparation",),
    "ocrprep.reading": ("Reading",),
    "ocrprep.representation": ("Representation",),
    "ocrprep.spans": ("Edit", "Segment", "Span", "SpanMap", "apply"),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'ocrprep' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
