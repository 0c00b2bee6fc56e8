"""The ways in which a text layer goes wrong while its page looks well, each told by the text alone.

Broken characters, UTF-8 read through a Western code page, letters moved by a fixed number of places, mirror order, lost
spaces, spaces between all letters, symbols in the place of letters, one letter for all. Every test answers with a yes
or a name and never with the text that was meant: what a reader sees is read from the pixels.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ocrprep.recognition.letter_statistics import UNKNOWN_LETTER, Language, folded, letter_runs

BROKEN_SHARE = 0.2
"""The share of characters without a meaning from which a line is broken. Transcriptions of old prints keep letters
and ligatures in the private use area, up to 0.14 of a line; symbol fonts keep bullets and signs there, up to 0.06."""

SHIFTS = tuple(sorted((by for by in range(-40, 41) if by and abs(by) != 32), key=abs))
"""Places by which a font map that counts glyphs from 0, 1 or 3 moves the characters (29 is the commonest), and some
more; 32 places change small letters into capitals."""

ALPHABETS = ("abcdefghijklmnopqrstuvwxyz", "абвгдежзийклмнопрстуфхцчшщъыьэюя", "αβγδεζηθικλμνξοπρστυφχψω")

SHIFTED_LETTERS = 0.6
"""A shift is tried out where it would make letters of this share of the characters."""

KNOWN_LENGTH = 3
"""Letters from which a word of a list is evidence: lists hold nearly every pair of letters."""

DECODED_KNOWN, DECODED_GAIN = 0.6, 0.8
"""The share of letters in listed words and the bits a letter by which a shifted line is language; secret
alphabets have at most 0.3 and 0.4. Columns of figures that a shift makes letters have the first, by abbreviations."""

MIRRORED_LETTERS, MIRRORED_GAIN, MIRRORED_DIFFERENCE = 15, 1.0, 0.9
"""Letters of a line, and bits a letter in mirror order, by themselves and more than as they stand. Mirrored lines gain
1.8 in the median and 0.8 in nineteen of twenty; of 7,500 lines that fit badly as they are none gained 0.9."""

OLD_LETTERS, OLD_KNOWN, OLD_GAIN = 20, 0.3, 1.2
"""Letters, share of listed words and bits a letter from which a shifted line is language in an older spelling, which
the lists hardly know. One in twenty clean lines gains less than 1.4."""

FEWEST_LETTERS, FEWEST_HINTED = 10, 4
"""Letters that a shift must explain when it is found, and where the page has proved it already."""

LONG_KNOWN = 5
"""A shift is found only with a listed word of so many letters: of abbreviations every shift makes abbreviations."""

LONG_WORD, FUNCTION_WORDS = 26, 2
"""Letters between two spaces from which spaces may be missing, and function words among them that prove it. Compounds
of 26 letters are rare (42 lines of 89,000, the longest with 34) and hold none."""

PATH_GAIN = -4.5
"""Bits a letter of words that lost their spaces, cut again: 97 in 100 lines of prose have more. Names of chemicals and
of places have less."""

SPACED_WORDS, SPACED_SHARE = 8, 0.7
"""Words of one letter, and their share of a line, that make it letter-spaced, when together they are language."""

SOUP_SHARE, SOUP_KINDS, SOUP_LENGTH = 0.12, 4, 15
"""The share of symbols inside words, their kinds, and the characters of a line of symbol soup; with one kind fewer
twice the share. In real lines 0.02 is usual; formulas and listings reach 0.16 with three kinds."""

REPEATED_SHARE, REPEATED_LETTERS = 0.6, 12
"""The share and number of one same letter in a line that no language reaches."""

_AFTER_LEAD = "\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122\ufffd"
"""What the second and third bytes of UTF-8, 80 to BF, are in windows-1252 and in Latin-1."""
_NO_QUOTE = (
    "\u0080-\u00aa\u00ac-\u00ba\u00bc-\u00bf\u0152\u0153\u0160\u0161"
    "\u0178\u017d\u017e\u0192\u02c6\u02dc\u2020\u2021\u20ac\u2122"
)
"""The same without quotation marks that close."""

UTF8_READ_AS_WESTERN = re.compile(
    f"[\u00c2\u00c3][{_AFTER_LEAD}]"
    f"|[\u00c4\u00c5][{_NO_QUOTE}\u201c](?=[a-z])"
    f"|(?<![A-Z\u00c0-\u00de])[\u00cc-\u00d1][{_NO_QUOTE}](?![A-Z])"
    f"|[\u00cc-\u00d1][{_AFTER_LEAD}][\u00cc-\u00d1][{_AFTER_LEAD}]"
    f"|\u00e2(?:\u20ac|[\u201a\u201e\u2020\u02c6\u2030\u2026\u2021\u0152][{_AFTER_LEAD}])"
    "|\u00ef\u00ac[\u0080-\u0086\u20ac\ufffd]"
)
"""What UTF-8 leaves behind where it is read as windows-1252 or Latin-1: Ã© for é, â€™ for ’, Ï‡ for χ, ï¬ for
ligatures. Chosen so that capitals before a closing quotation mark (CAFÉ») are none."""

_SYMBOLS = frozenset("!\"#$%&'()*+;<=>?@\\^_`{|}~[]")
_ADDRESS = re.compile(r"://|www\.|@|\bdoi\b|\.(?:com|org|net|edu|gov|de|fr|uk)\b|/\w+/", re.IGNORECASE)
_LAST_SHIFTED = 0x17F
_TABLES = {
    by: {code: chr(code + by) if code + by > ord(" ") else " " for code in range(33, _LAST_SHIFTED + 1)}
    for by in SHIFTS
}


@dataclass(frozen=True, slots=True)
class Move:
    """Every character moved by so many places: of an alphabet, which goes round, or without one, of Unicode."""

    by: int
    alphabet: str = ""


def without_addresses(text: str) -> str:
    """Return a text without its web and mail addresses and paths."""
    if not any(mark in text for mark in ".@/"):
        return text
    return " ".join(word for word in text.split() if not _ADDRESS.search(word))


def without_capitals(text: str) -> str:
    """Return a text without its words in capitals alone: abbreviations, part numbers, sequences, symbols of shares."""
    return " ".join(word for word in text.split() if not word.isupper())


def broken_characters(text: str) -> list[str]:
    """Name the kinds of characters without a meaning that break a line: too many, or inside a word."""
    if text.isascii() and text.isprintable():
        return []
    counts: dict[str, int] = {}
    for character in text:
        kind = _kind(character)
        if kind:
            counts[kind] = counts.get(kind, 0) + 1
    size = sum(not character.isspace() for character in text)
    found = list(counts) if sum(counts.values()) >= BROKEN_SHARE * size and counts else []
    inside = re.search(r"[^\W\d_][\ufffd\x00-\x08\x0e-\x1f\x7f-\x9f]+[^\W\d_]", text)
    return found or ([_kind(inside[0][1])] if inside else [])


def _kind(character: str) -> str:
    if character == "\ufffd":
        return "replacement_characters"
    if " " <= character <= "~" or character in "\t\n\v\f\r":
        return ""
    return {"Cc": "control_characters", "Co": "private_use", "Cn": "unassigned", "Cs": "unassigned"}.get(
        unicodedata.category(character), ""
    )


def has_wrong_code_page(text: str) -> bool:
    """Say whether a text holds UTF-8 that was read through a Western code page."""
    return not text.isascii() and UTF8_READ_AS_WESTERN.search(text) is not None


def known_share(runs: Sequence[str], spoken: Language) -> float:
    """Return the share of letters that stand in listed words, among the words long enough to tell."""
    total = known = 0
    for run in runs:
        if len(run) >= KNOWN_LENGTH:
            total += len(run)
            known += len(run) * (run in spoken.words)
    return known / total if total else 0.0


def promising_moves(text: str) -> Iterator[Move]:
    """Yield the shifts that would make letters of most characters of a text, then the rotations of its alphabets."""
    counts = [0] * (_LAST_SHIFTED + 1)
    size = 0
    for character in text:
        if not character.isspace() and character != "\ufffd":
            size += 1
            if ord(character) < len(counts):
                counts[ord(character)] += 1
    for by in SHIFTS:
        letters = sum(sum(counts[max(first - by, 0) : max(first - by + 26, 0)]) for first in (65, 97))
        if size and letters >= SHIFTED_LETTERS * size:
            yield Move(by)
    joined = "".join(letter_runs(folded(text)))
    for alphabet in ALPHABETS:
        if 2 * sum(map(joined.count, alphabet)) > len(joined):
            yield from (Move(by, alphabet) for by in range(1, len(alphabet)))


def is_moved(text: str, move: Move, spoken: Iterable[Language], fewest: int = FEWEST_LETTERS) -> bool:
    """Say whether a text becomes language, of so many letters at least, when its characters are moved."""
    kept = text.replace("\ufffd", " ")
    if move.alphabet:
        table = str.maketrans(move.alphabet, move.alphabet[move.by :] + move.alphabet[: move.by])
        return _is_language(letter_runs(folded(kept).translate(table)), spoken, fewest)
    runs = letter_runs(folded(kept.translate(_TABLES[move.by])))
    if sum(map(len, runs)) < SHIFTED_LETTERS * sum(map(len, kept.split())):
        return False
    return _is_language(runs, spoken, fewest)


def is_backwards(runs: Sequence[str], spoken: Iterable[Language]) -> bool:
    """Say whether folded words are far better language in mirror order."""
    letters = sum(map(len, runs))
    if letters < MIRRORED_LETTERS:
        return False
    for each in spoken:
        mirrored = sum(each.gain(run[::-1]) for run in runs) / letters
        if mirrored >= MIRRORED_GAIN and mirrored - sum(map(each.gain, runs)) / letters >= MIRRORED_DIFFERENCE:
            return True
    return False


def _is_language(runs: Sequence[str], spoken: Iterable[Language], fewest: int) -> bool:
    if sum(len(run) for run in runs if len(run) >= KNOWN_LENGTH) < fewest:
        return False
    long = [run for run in runs if len(run) >= LONG_KNOWN or fewest < FEWEST_LETTERS]
    letters = sum(map(len, runs))
    for each in spoken:
        known = known_share(runs, each)
        if known < OLD_KNOWN or not any(run in each.words for run in long):
            continue
        gain = sum(map(each.gain, runs)) / letters
        if known >= DECODED_KNOWN and gain >= DECODED_GAIN:
            return True
        if letters >= OLD_LETTERS and gain >= OLD_GAIN:
            return True
    return False


def lacks_spaces(text: str, spoken: Iterable[Language]) -> bool:
    """Say whether most letters of a line stand in long runs without spaces that are words, function words too."""
    if max(map(len, text.split()), default=0) < LONG_WORD:
        return False
    words = [letter_runs(folded(word)) for word in without_addresses(text).split()]
    long = [run for runs in words if sum(map(len, runs)) >= LONG_WORD for run in runs]
    letters = sum(map(len, long))
    if not letters or 2 * letters < sum(len(run) for runs in words for run in runs):
        return False
    return any(_is_phrase([piece for run in long for piece in each.cut(run)], each) for each in spoken)


def _is_phrase(pieces: Sequence[str], spoken: Language) -> bool:
    letters = sum(map(len, pieces))
    function_words = sum(len(piece) > 1 and piece in spoken.frequent for piece in pieces)
    bits = sum(spoken.bits(piece) if len(piece) > 1 else UNKNOWN_LETTER for piece in pieces)
    return function_words >= FUNCTION_WORDS and bits >= PATH_GAIN * letters


def is_letter_spaced(text: str, spoken: Iterable[Language]) -> bool:
    """Say whether a line has a space between nearly all letters of what are words without them."""
    words = text.split()
    single = [word for word in words if len(word) == 1 and word.isalpha()]
    if len(single) < SPACED_WORDS or len(single) < SPACED_SHARE * len(words):
        return False
    runs = [
        "".join(letter_runs(folded("".join(group))))
        for alone, group in groupby(words, lambda word: len(word) == 1 and word.isalpha())
        if alone
    ]
    return any(_known_pieces(runs, each) >= DECODED_KNOWN for each in spoken)


def _known_pieces(runs: Iterable[str], spoken: Language) -> float:
    pieces = [piece for run in runs for piece in spoken.cut(run)]
    known = sum(len(piece) for piece in pieces if len(piece) >= KNOWN_LENGTH)
    return known / max(sum(map(len, pieces)), 1)


def is_symbol_soup(text: str) -> bool:
    """Say whether symbols of several kinds stand where words have letters."""
    size, kinds, inside = 0, set(), 0
    for word in text.split():
        size += len(word)
        for before, symbol, after in zip(word, word[1:], word[2:], strict=False):
            if symbol in _SYMBOLS and before != symbol != after:
                inside += 1
                kinds.add(symbol)
    needed = SOUP_SHARE * size * (1 if len(kinds) >= SOUP_KINDS else 2)
    return size >= SOUP_LENGTH and inside >= needed and len(kinds) >= SOUP_KINDS - 1


def is_one_letter(text: str) -> bool:
    """Say whether one letter makes most of a line, but for the x of typists and forms."""
    joined = "".join(letter_runs(folded(text)))
    most = max(map(joined.count, set(joined) - {"x"}), default=0)
    return most >= REPEATED_LETTERS and most >= REPEATED_SHARE * len(joined)
