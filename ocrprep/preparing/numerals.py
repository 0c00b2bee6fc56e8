"""Page numbers as they are printed: arabic and roman numerals, their decoration, and what engines make of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

Style = Literal["arabic", "roman", "ROMAN"]
"""Arabic digits, small roman letters, capital roman letters: three series that a book numbers apart."""

DECORATION = " -–—.,:;·•*~_[](){}<>|°'’‘\"“”„«»^=\\/"
"""What stands around a folio: dashes, brackets, a full stop, specks and what engines make of them."""

LONGEST_GUESS = 6
"""Letters of a misread number at most: `xxviii` has so many, and longer ones are words."""

MOST_DIGITS = 5
"""Digits of a folio at most: journals count the pages of a year through."""

_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_ROMAN_PARTS = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip

_LOOK_ALIKES: dict[Style, dict[int, int]] = {
    "arabic": str.maketrans("OoQDlI|!itzZASs$bB&gq", "000011111122455568899"),
    "roman": str.maketrans("1!|IlVXCyu", "iiiiivxcvv"),
    "ROMAN": str.maketrans("1!|ilvxcyYu", "IIIIIVXCVVV"),
}

# A single letter needs its full stop: `P 2` is a signature mark.
_PAGE_WORD = r"(?:(?:page|pag|pg|seite|blatt|folio|fol|pagina|página|sheet)\b\.?|(?:p|pp|s|bl|f)\.)"
_PAGE_PHRASE = re.compile(
    rf"[\W_]*{_PAGE_WORD}\s*(?P<value>\d{{1,5}})"
    r"(?:\s*(?:of|von|de|sur|di|van|/)\s*\d{1,4})?[\W_]*"
    r"|[\W_]*(?P<counted>\d{1,4})\s*(?:/|of|von|sur)\s*(?P<total>\d{1,4})[\W_]*",
    re.IGNORECASE,
)
_PAGE_WORD_ALONE = re.compile(_PAGE_WORD, re.IGNORECASE)
_WITH_TOTAL = re.compile(r"[^\W\d].*\d\s*(?:of|von|de|sur|di|van|/)\s*\d", re.IGNORECASE)
_COMPOSITE = re.compile(r"(?P<before>[A-Z])[-–.](?P<value>\d{1,4})|(?P<number>\d{1,4})(?P<after>[-–]?[A-Za-z])")
_SPACED = re.compile(r"\d(?: \d){1,3}")


class Numeral(NamedTuple):
    """A number as printed: its series, its value, at least 1, and a letter at an end of it (`A-12`, `12a`, `12r`)."""

    style: Style
    value: int
    prefix: str = ""
    suffix: str = ""

    @property
    def series(self) -> tuple[Style, str]:
        """The series within which its value counts."""
        return self.style, self.prefix


def read_numeral(text: str) -> Numeral | None:
    """Read a text that is nothing but one number and its decoration; null otherwise."""
    bare = text.strip(DECORATION)
    if bare.isascii() and bare.isdigit() and len(bare) <= MOST_DIGITS and int(bare) > 0:
        return Numeral("arabic", int(bare))
    for style, letters in (("roman", bare), ("ROMAN", bare.lower() if bare.isupper() else "")):
        value = _roman_value(letters)
        if value:
            return Numeral("ROMAN" if style == "ROMAN" else "roman", value)
    return None


def read_composite(text: str) -> Numeral | None:
    """Read a number with a letter: `A-12` of an appendix, `12-A` and `12a` of an inserted leaf, `12r` of a leaf's side.

    Only a text that stands alone may be read so: `1a` begins an item of a form as well.
    """
    found = _COMPOSITE.fullmatch(text.strip(DECORATION))
    if found is None:
        return None
    value = int(found["value"] or found["number"])
    if value == 0:
        return None
    prefix = text.strip(DECORATION)[:2] if found["before"] else ""
    return Numeral("arabic", value, prefix, found["after"] or "")


def read_page_phrase(text: str) -> Numeral | None:
    """Read a text that is nothing but `Page 3`, `Page 3 of 8` or `3 / 8`, in a few languages; null otherwise."""
    found = _PAGE_PHRASE.fullmatch(text)
    if found is None:
        return None
    value, total = int(found["value"] or found["counted"]), int(found["total"] or 0)
    # A date may look so too, but no page is numbered past the total.
    return Numeral("arabic", value) if value > 0 and (found["value"] or value <= total) else None


def is_page_word(text: str) -> bool:
    """Say whether a word announces a page number: `p.`, `Page`, `Seite`."""
    return _PAGE_WORD_ALONE.fullmatch(text) is not None


def read_spaced(text: str) -> Numeral | None:
    """Read a number whose digits an engine took for words of their own (`1 2 3`); null otherwise."""
    bare = text.strip(DECORATION)
    return read_numeral(bare.replace(" ", "")) if _SPACED.fullmatch(bare) else None


def gives_total(text: str) -> bool:
    """Say whether a page phrase also gives the number of pages, which nothing but page furniture does.

    `3 / 8` without a word before it may be a fraction or a date.
    """
    return _WITH_TOTAL.search(text) is not None


def is_between_dashes(text: str) -> bool:
    """Say whether a text is something between two dashes."""
    return len(text) > 2 and text[0] in "-–—" and text[-1] in "-–—"


def is_enclosed(text: str) -> bool:
    """Say whether a text is something between two dashes or brackets, as hardly anything but a folio is."""
    return is_between_dashes(text) or (len(text) > 2 and text[0] in "([" and text[-1] in ")]")


def spell(numeral: Numeral) -> str:
    """Return the number as its series prints it."""
    if numeral.style == "arabic":
        return f"{numeral.prefix}{numeral.value}{numeral.suffix}"
    rest, letters = numeral.value, ""
    for value, part in _ROMAN_PARTS:
        count, rest = divmod(rest, value)
        letters += part * count
    return letters.upper() if numeral.style == "ROMAN" else letters


def looks_like(text: str, numeral: Numeral) -> bool:
    """Say whether a text is the number after the letter and digit confusions that engines make (`l2` for 12)."""
    return any(each.translate(_LOOK_ALIKES[numeral.style]) == spell(numeral) for each in _bare_forms(text))


def guess_numerals(text: str) -> Iterator[Numeral]:
    """Yield the numbers that a text may be misread from, by the confusions of `looks_like`; none for a number."""
    forms = _bare_forms(text)
    if not forms or any(len(form) > LONGEST_GUESS for form in forms) or read_numeral(text):
        return
    seen: set[Numeral] = set()
    for style, table in _LOOK_ALIKES.items():
        for form in forms:
            numeral = read_numeral(form.translate(table))
            if numeral is not None and numeral.style == style and numeral not in seen:
                seen.add(numeral)
                yield numeral


def _bare_forms(text: str) -> Sequence[str]:
    """Return a text without its decoration, and without any sign at its ends: `19!` is 191 or 19."""
    bare = text.strip(DECORATION)
    letters = bare.strip("!|$&?#%+")
    return tuple(dict.fromkeys(form for form in (bare, letters) if any(map(str.isalnum, form))))


def _roman_value(letters: str) -> int:
    """Return the value of small roman letters, a last `j` read as `i`; 0 when they are none."""
    if letters.endswith("j"):
        letters = letters[:-1] + "i"
    if not letters or not _ROMAN.fullmatch(letters):
        return 0
    values = [_ROMAN_VALUES[letter] for letter in letters]
    return sum(-value if after > value else value for value, after in zip(values, [*values[1:], 0], strict=True))
