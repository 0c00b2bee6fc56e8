"""The scripts of words, and the languages with a word list that are written in each."""

from __future__ import annotations

LARGE = ("en", "de", "fr", "es", "it", "nl", "pt")
"""Languages in Latin script whose letter models a line is measured in when it fits none of the asked ones."""

REST = (
    "pl", "cs", "sv", "da", "nb", "hu", "fi", "ro", "tr", "ca", "id", "vi", "sh", "sk", "sl", "lt", "lv", "is", "fil",
    "ms",
)  # fmt: skip
"""The other ones with a list: their words are looked up before a line is called no language."""

SCRIPTS: dict[str, tuple[str, ...]] = {
    "latin": LARGE,
    "greek": ("el",),
    "cyrillic": ("ru", "uk", "bg", "mk"),
    "hebrew": ("he",),
    "arabic": ("ar", "fa", "ur"),
    "devanagari": ("hi",),
    "bengali": ("bn",),
    "tamil": ("ta",),
    "hangul": ("ko",),
    "han": ("zh", "ja"),
    "other": (),
}
"""The word lists of each script that a line is measured in, beside the asked ones."""

RANGES: tuple[tuple[int, int, str], ...] = (
    (0x0000, 0x02AF, "latin"),
    (0x0370, 0x03FF, "greek"),
    (0x0400, 0x052F, "cyrillic"),
    (0x0590, 0x05FF, "hebrew"),
    (0x0600, 0x077F, "arabic"),
    (0x0900, 0x097F, "devanagari"),
    (0x0980, 0x09FF, "bengali"),
    (0x0B80, 0x0BFF, "tamil"),
    (0x1100, 0x11FF, "hangul"),
    (0x1E00, 0x1EFF, "latin"),
    (0x1F00, 0x1FFF, "greek"),
    (0x3005, 0x30FF, "han"),
    (0x3400, 0x9FFF, "han"),
    (0xA720, 0xA7FF, "latin"),
    (0xAC00, 0xD7AF, "hangul"),
    (0xF900, 0xFAFF, "han"),
    (0x20000, 0x323AF, "han"),
)
"""Blocks of the Unicode Standard, as folded text has them."""


def script_of(letter: str) -> str:
    """Return the script of a folded letter, `other` where it has no word list."""
    code = ord(letter)
    return next((name for first, last, name in RANGES if first <= code <= last), "other")


def mixes(run: str) -> bool:
    """Say whether a word mixes look-alike scripts: a Greek letter in a formula's word is none, two are."""
    if run.isascii():
        return False
    counts: dict[str, int] = {}
    for letter in run:
        name = script_of(letter)
        counts[name] = counts.get(name, 0) + 1
    latin, greek, cyrillic = (counts.get(name, 0) for name in ("latin", "greek", "cyrillic"))
    return min(latin, cyrillic) > 0 or min(greek, cyrillic) > 0 or min(latin, greek) > 1
