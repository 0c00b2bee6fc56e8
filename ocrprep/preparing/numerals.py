"""Page numbers as they are printed: arabic and roman numerals, their decoration, and what engines make of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Style = Literal["arabic", "roman", "ROMAN"]
"""Arabic digits, small roman letters, capital roman letters: three series that a book numbers apart."""

DECORATION = " -–—.,:·•*~[](){}|"
"""What stands around a folio: dashes, brackets, a full stop, specks."""

LONGEST_GUESS = 6
"""Letters of a misread number at most: `xxviii` has so many, and longer ones are words."""

_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_ROMAN_PARTS = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip

_LOOK_ALIKES: dict[Style, dict[int, int]] = {
    "arabic": str.maketrans("OoQDlI|!iZzASsbBgq", "000011111224556899"),
    "roman": str.maketrans("1!|IlVXCyu", "iiiiivxcvv"),
    "ROMAN": str.maketrans("1!|ilvxcyYu", "IIIIIVXCVVV"),
}

_PAGE_PHRASE = re.compile(
    r"[\W_]*(?:page|pag|pg|p|seite|blatt|folio|fol|pagina|página|sheet)\b\.?\s*(?P<value>\d{1,4})"
    r"(?:\s*(?:of|von|de|sur|di|van|/)\s*\d{1,4})?[\W_]*",
    re.IGNORECASE,
)
_WITH_TOTAL = re.compile(r"\d\s*(?:of|von|de|sur|di|van|/)\s*\d", re.IGNORECASE)


class Numeral(NamedTuple):
    """A number as printed: its series and its value, at least 1."""

    style: Style
    value: int


def read_numeral(text: str) -> Numeral | None:
    """Read a text that is nothing but one number and its decoration; null otherwise."""
    bare = text.strip(DECORATION)
    if bare.isascii() and bare.isdigit() and len(bare) <= 4 and int(bare) > 0:
        return Numeral("arabic", int(bare))
    for style, letters in (("roman", bare), ("ROMAN", bare.lower() if bare.isupper() else "")):
        value = _roman_value(letters)
        if value:
            return Numeral("ROMAN" if style == "ROMAN" else "roman", value)
    return None


def read_page_phrase(text: str) -> Numeral | None:
    """Read a text that is nothing but `Page 3` or `Page 3 of 8`, in a few languages; null otherwise."""
    found = _PAGE_PHRASE.fullmatch(text)
    return Numeral("arabic", int(found["value"])) if found and int(found["value"]) > 0 else None


def gives_total(text: str) -> bool:
    """Say whether a page phrase also gives the number of pages, which nothing but page furniture does."""
    return _WITH_TOTAL.search(text) is not None


def is_between_dashes(text: str) -> bool:
    """Say whether a text is something between two dashes."""
    return len(text) > 2 and text[0] in "-–—" and text[-1] in "-–—"


def spell(numeral: Numeral) -> str:
    """Return the number as its series prints it."""
    if numeral.style == "arabic":
        return str(numeral.value)
    rest, letters = numeral.value, ""
    for value, part in _ROMAN_PARTS:
        count, rest = divmod(rest, value)
        letters += part * count
    return letters.upper() if numeral.style == "ROMAN" else letters


def looks_like(text: str, numeral: Numeral) -> bool:
    """Say whether a text is the number after the letter and digit confusions that engines make (`l2` for 12)."""
    bare = text.strip(DECORATION)
    return bool(bare) and bare.translate(_LOOK_ALIKES[numeral.style]) == spell(numeral)


def guess_numerals(text: str) -> Iterator[Numeral]:
    """Yield the numbers that a text may be misread from, by the confusions of `looks_like`; none for a number."""
    bare = text.strip(DECORATION)
    if not bare or len(bare) > LONGEST_GUESS or read_numeral(bare):
        return
    for style, table in _LOOK_ALIKES.items():
        numeral = read_numeral(bare.translate(table))
        if numeral is not None and numeral.style == style:
            yield numeral


def _roman_value(letters: str) -> int:
    """Return the value of small roman letters, a last `j` read as `i`; 0 when they are none."""
    if letters.endswith("j"):
        letters = letters[:-1] + "i"
    if not letters or not _ROMAN.fullmatch(letters):
        return 0
    values = [_ROMAN_VALUES[letter] for letter in letters]
    return sum(-value if after > value else value for value, after in zip(values, [*values[1:], 0], strict=True))
