"""Catchwords, signature marks and norm lines: what printers set below the text for the binder.

1. A catchword is the last word or two of a page's last rows, and equals under OCR noise the first words of the next
   page's text: its first rows are tried, each from its first word and after a number.
2. A signature mark is a letter or two with a leaf's number, or a number with a star. It is believed for the marks
   around it: gatherings count up through the alphabet of 23 letters, leaves within a gathering.
3. A norm line repeats its words once a gathering and ends in the gathering's letter or number.

Alphabet and positions: R. B. McKerrow, An Introduction to Bibliography, 1927, part 1, chapters 3 and 6.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from statistics import median
from typing import Any, Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

from ocrprep.preparing.head_rows import Document, Row, Side
from ocrprep.preparing.numerals import read_numeral
from ocrprep.representation import PlacedWord
from ocrprep.spans import Span

MarkKind = Literal["catchword", "signature_mark"]

LAST_ROWS = 3
"""A catchword stands on one of the last rows: below it may be a signature mark, a speck, a digitiser's line."""

FIRST_ROWS = 4
"""The text of the next page begins on one of its first rows: above it may be a head, a folio, a title's rule."""

FEW_WORDS = 4
"""A last row of more words is a line of the text, and all above it is."""

APART = 2.5
"""Ems of white space before a mark that stands on the row of the last line, or beside another mark."""

ALIKE = 0.65
"""A catchword and its target agree in this share of their letters at least: two slips in six letters."""

NEAR = 24
"""Pages around a mark whose marks it has to agree with: three gatherings in octavo."""

CHAIN = 12
"""Marks before one that it may follow: others that are none may stand between."""

NORM_WORDS = 9
SHORT_NORM = 4
"""A norm line has so many words at most and so many letters at least."""

_LETTER_FOLD = str.maketrans(
    {"ſ": "s", "f": "s", "v": "u", "w": "u", "j": "i", "y": "i", "æ": "ae", "œ": "oe", "ß": "ss", "ꝛ": "r"}
)
_SIGNATURE = re.compile(
    r"(?P<letters>[A-Za-z]{1,3}?)[.,]?(?P<leaf>[ivxjlü]{1,5}[)}]?|[1-9lI]{1,2}[)}]?)?[.*†]?"
    r"|(?P<sheet>\d{1,3}) ?[*†%]{0,3}"
    r"|(?P<sign>[*†¶☩]{1,3}|\)\()(?P<signleaf>\d|ij|iij|iiij|)"
)
_SMALL_WORDS = frozenset(
    "je il et la le de du on me so da es er an am um ob im zu in of to is it".split()  # noqa: SIM905  one line
)
_ALPHABET = "abcdefghiklmnopqrstuxyz"
_ROMAN_LEAVES = {"i": 1, "ij": 2, "ii": 2, "iij": 3, "iii": 3, "iiij": 4, "iiii": 4, "iv": 4, "v": 5, "vj": 6, "vi": 6}


@dataclass(frozen=True, slots=True)
class MarkCandidate:
    """A run of words that may be a catchword or a signature mark; `score` is the rules' own, from 0 to 1."""

    page: int
    line: int
    words: Span
    kind: MarkKind
    features: Mapping[str, float]
    evidence: Mapping[str, Any]
    score: float


class Signed(NamedTuple):
    """What a signature mark counts: the gathering, and the leaf in it, which is the first where none is given."""

    gathering: int
    leaf: int
    sheet: bool = False


def mark_candidates(document: Document) -> list[MarkCandidate]:
    """Return the candidates of a document in the order of its text."""
    found = [*_catchwords(document), *_signatures(document), *_norm_lines(document)]
    return sorted(found, key=lambda each: each.words)


def _pages(document: Document) -> list[int]:
    return sorted(side.page for side in document.rows if side.edge == "bottom")


def _last_rows(document: Document, page: int) -> Sequence[Row]:
    return [row for row in document.rows[Side(page, "bottom")][:LAST_ROWS] if row.words and not row.context]


def _text(words: Sequence[PlacedWord]) -> str:
    return " ".join(each.word.text for each in words)


def _span(words: Sequence[PlacedWord]) -> Span:
    return Span(words[0].span.start, words[-1].span.end)


# --- catchwords -----------------------------------------------------------------------------------------------------


def _catchwords(document: Document) -> Iterator[MarkCandidate]:
    """Yield what stands where a catchword stands; how many other pages have one is known in a second look."""
    found = [each for page in _pages(document) for each in _catchwords_of(document, page)]
    matched = sorted({each.page for each in found if each.features["match"] >= ALIKE})
    for each in found:
        around = range(max(each.page - NEAR, 1), min(each.page + NEAR, len(document.settings)) + 1)
        within = matched[bisect_left(matched, around.start) : bisect_left(matched, around.stop)]
        habit = (len(within) - (each.page in within)) / max(len(around) - 1, 1)
        features = {**each.features, "habit": round(habit, 4)}
        yield replace(each, features=features, score=_catchword_score(features))


def _catchwords_of(document: Document, page: int) -> Iterator[MarkCandidate]:
    """Yield the best candidate of each of the last rows of a page, up to the last line of its text."""
    targets = _targets(document, page + 1)
    for row in _last_rows(document, page):
        candidates = [_catchword(document, row, words, targets) for words in _tails(document, row)]
        yield from sorted((each for each in candidates if each), key=lambda each: -each.features["match"])[:1]
        if len(row.words) > FEW_WORDS:
            return


def _tails(document: Document, row: Row) -> Iterator[Sequence[PlacedWord]]:
    """Yield the last word and the last two of a row: all of it, or what white space sets apart."""
    words, setting = row.words, document.setting(row)
    for count in (1, 2):
        rest, tail = words[:-count], words[-count:]
        if len(tail) < count or tail[0].line != tail[-1].line:
            continue
        wide = not rest or tail[0].word.box.x0 - rest[-1].word.box.x1 > APART * setting.em
        if wide if setting.geometric else len(rest) <= FEW_WORDS and (not rest or _signed(_text(rest))):
            yield tail


def _catchword(
    document: Document, row: Row, words: Sequence[PlacedWord], targets: Sequence[tuple[str, str]]
) -> MarkCandidate | None:
    text = _text(words)
    folded = fold(text)
    if not folded or folded.isdigit():
        return None
    match, target = max(((alike(folded, begins), said) for begins, said in targets), default=(0.0, ""))
    setting = document.setting(row)
    features = {
        "match": round(match, 4),
        "letters": min(len(folded), 8) / 8,
        "alone": float(len(words) == len(row.words)),
        "cut": float(text[-1] in "-¬⸗=‐"),
        "row": row.number / 2,
        "final": float(text[-1] in ".!?"),
        "right": 0.0,
        "at_edge": 0.0,
    }
    if setting.geometric:
        measure = max(setting.right - setting.left, setting.em)
        features["right"] = round(min(max((words[0].word.box.x0 - setting.left) / measure, 0.0), 1.0), 4)
        features["at_edge"] = float(abs(setting.right - words[-1].word.box.x1) < APART * setting.em)
    evidence = {"read": text, "next": {"page": row.page + 1, "text": target}} if match >= ALIKE else {"read": text}
    return MarkCandidate(row.page, words[0].line, _span(words), "catchword", features, evidence, 0.0)


def _catchword_score(features: Mapping[str, float]) -> float:
    """Weigh a catchword by hand: that it equals the next page's first word says nearly all.

    Where no word equals it, as before a missing leaf, it must stand alone at the right in a book that has catchwords.
    """
    match = features["match"]
    if match < ALIKE:
        by_place = features["alone"] * features["right"] * features["at_edge"] * (1 - features["final"])
        return round(min(0.1 + 0.6 * by_place * min(3 * features["habit"], 1.0), 0.7), 4)
    sure = features["letters"] >= 0.375 and not features["final"]
    score = 0.55 + 0.3 * (match - ALIKE) / (1 - ALIKE) + 0.1 * features["alone"] + 0.1 * features["habit"]
    return round(min(score if sure or match == 1 else score - 0.3, 1.0), 4)


def _targets(document: Document, page: int) -> list[tuple[str, str]]:
    """Return how the first rows of a page begin, folded and as read; each also after a number."""
    found = []
    for row in document.rows.get(Side(page, "top"), ())[:FIRST_ROWS]:
        words = [each.word.text for each in row.words]
        starts = [words, words[1:]] if words and read_numeral(words[0]) else [words]
        found += [(fold(" ".join(start[:3])), " ".join(start[:3])) for start in starts if start]
    return found


def alike(mark: str, begins: str) -> float:
    """Return how far a folded mark is the beginning of a folded text, 0 to 1: one minus its share of slips."""
    best = 0.0
    for length in (len(mark), len(mark) - 1, len(mark) + 1):
        if 0 < length <= len(begins) and best < 1:
            best = max(best, 1 - Levenshtein.distance(mark, begins[:length]) / max(len(mark), length))
    return best


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Fold what printers and engines confuse: case, long s and f, u and v, i and j, marks above letters."""
    plain = "".join(each for each in unicodedata.normalize("NFD", text.lower()) if each.isalnum() or each == "§")
    return plain.translate(_LETTER_FOLD)


# --- signature marks ------------------------------------------------------------------------------------------------


def _signatures(document: Document) -> Iterator[MarkCandidate]:
    """Yield what is written like a signature mark on one of the last rows, with the chain of marks that it is in."""
    found = [each for page in _pages(document) for each in _signatures_of(document, page)]
    before, after = _chained(found), _chained(found[::-1])[::-1]
    chains = [one + other - 1 for one, other in zip(before, after, strict=True)]
    chained = {each.page for (each, _), chain in zip(found, chains, strict=True) if chain > 1}
    for at, (each, _) in enumerate(found):
        chain = chains[at]
        near = [other for other in range(max(at - 3, 0), min(at + 4, len(found))) if other != at]
        sequence = [{"page": found[other][0].page, "read": found[other][0].evidence["read"]} for other in near]
        habit = float(any(0 < abs(page - each.page) <= NEAR for page in chained))
        features = {**each.features, "chain": min(chain - 1, 3) / 3, "habit": habit}
        evidence = {**each.evidence, "sequence": sequence, "members": chain}
        yield replace(each, features=features, evidence=evidence, score=_signature_score(features))


def _chained(found: Sequence[tuple[MarkCandidate, Signed]]) -> list[int]:
    """Return for each mark the length of the longest chain of marks that ends with it, each agreeing with the next."""
    lengths: list[int] = []
    for at, (each, signed) in enumerate(found):
        reached = [
            lengths[other]
            for other in range(max(at - CHAIN, 0), at)
            if 0 < abs(found[other][0].page - each.page) <= NEAR
            and _agree(each.page, signed, found[other][0].page, found[other][1])
        ]
        lengths.append(1 + max(reached, default=0))
    return lengths


def _signatures_of(document: Document, page: int) -> Iterator[tuple[MarkCandidate, Signed]]:
    """Yield the longest beginning of each of the last rows that reads as a mark, up to the last line of the text."""
    for row in _last_rows(document, page):
        for count in range(min(len(row.words), FEW_WORDS + 1), 0, -1):
            words, rest = row.words[:count], row.words[count:]
            signed = _signed(_text(words)) if len(rest) <= 2 and words[0].line == words[-1].line else None
            if signed is not None and (not rest or _is_apart(document, row, count)):
                features = _signature_features(document, row, words, signed)
                evidence = {"read": _text(words)}
                yield (
                    MarkCandidate(page, words[0].line, _span(words), "signature_mark", features, evidence, 0.0),
                    signed,
                )
                break
        if len(row.words) > FEW_WORDS + 1:
            return


def _signature_features(document: Document, row: Row, words: Sequence[PlacedWord], signed: Signed) -> dict[str, float]:
    setting = document.setting(row)
    text = _text(words)
    features = {
        "alone": float(len(words) == len(row.words)),
        "leaf": float(signed.leaf > 1),
        "sheet": float(text.strip("*†. ").isdigit()),
        "star": float(signed.sheet and not text.rstrip(". ")[-1].isdigit()),
        "capital": float(text[:1].isupper()),
        "row": row.number / 2,
        "set_in": 0.0,
    }
    if setting.geometric:
        measure = max(setting.right - setting.left, setting.em)
        features["set_in"] = float(0.25 < (words[0].word.box.x0 - setting.left) / measure < 0.85)
    return features


def _is_apart(document: Document, row: Row, count: int) -> bool:
    """Say whether white space parts the first words of a row from the rest; without boxes, few words are enough."""
    setting = document.setting(row)
    if not setting.geometric:
        return len(row.words) <= FEW_WORDS + 2
    return row.words[count].word.box.x0 - row.words[count - 1].word.box.x1 > APART * setting.em / 2


def _signature_score(features: Mapping[str, float]) -> float:
    """Weigh a signature mark by hand: how it is written, where it stands, and whether the marks around agree."""
    score = 0.1 + 0.15 * features["leaf"] + 0.15 * features["set_in"] + 0.1 * features["capital"]
    score += 0.3 * features["star"] + 0.55 * features["chain"] - 0.1 * features["row"]
    score += 0.2 * features["habit"] * features["alone"] * features["set_in"]
    return round(min(max(score, 0.0), 1.0), 4)


@lru_cache(maxsize=4096)
def _signed(text: str) -> Signed | None:
    """Read a signature mark; null for a text that cannot be one."""
    bare = unicodedata.normalize("NFD", text.replace(" ", "").replace("ſ", "s")).strip(".,:;|'‘’")
    bare = "".join(each for each in bare if not unicodedata.combining(each))
    found = _SIGNATURE.fullmatch(bare)
    if not found:
        return None
    if found["sheet"]:
        return Signed(int(found["sheet"]), 2 if bare.endswith(("*", "†", "%")) else 1, sheet=True)
    if found["sign"]:
        return Signed(0, _leaf(found["signleaf"]))
    letters, leaf = _parted(found["letters"], found["leaf"] or "")
    if letters.lower() in _SMALL_WORDS and not leaf:
        return None
    if len(set(letters.lower())) > 1:
        # Two letters of one mark are the same, `Aa`, unless the second is a leaf's numeral.
        tail = letters[1:].lower()
        return Signed(_gathering(letters[0]), _ROMAN_LEAVES[tail]) if tail in _ROMAN_LEAVES and not leaf else None
    return Signed(_gathering(letters), _leaf(leaf))


def _parted(letters: str, leaf: str) -> tuple[str, str]:
    """Give the letter of a mark its doubles back, where they read as a leaf's numeral: `Xx ij`, `Ll`."""
    while leaf and leaf[0].lower() == letters[0].lower():
        letters, leaf = letters + leaf[0], leaf[1:]
    return letters, leaf


def _leaf(text: str) -> int:
    plain = text.lower().rstrip(")}").replace("l", "i").replace("ü", "ij")
    return int(plain) if plain.isdigit() else _ROMAN_LEAVES.get(plain, 1)


def _gathering(letters: str) -> int:
    """Return the place of a gathering in its alphabet: A is 1, Z 23, Aa 24."""
    first = letters[0].lower().replace("j", "i").replace("v", "u").replace("w", "u")
    return _ALPHABET.find(first) + 1 + len(_ALPHABET) * (len(letters) - 1)


def _agree(page: int, one: Signed, other_page: int, other: Signed) -> bool:
    """Say whether two marks stand in the order of their pages, no nearer and no farther than gatherings are thick."""
    ahead, behind = (one, other) if page > other_page else (other, one)
    distance = abs(page - other_page)
    if ahead.gathering == behind.gathering:
        return 0 < ahead.leaf - behind.leaf <= distance
    passed = ahead.gathering - behind.gathering
    if ahead.sheet != behind.sheet or (ahead.sheet and distance < 4 * passed):
        return False  # numbers that count up with the pages are folios or a table's
    return 0 < passed <= max(distance // 4, 1) and distance <= 32 * passed


# --- norm lines -----------------------------------------------------------------------------------------------------


def _norm_lines(document: Document) -> Iterator[MarkCandidate]:
    """Yield the rows whose words return once a gathering, each time with the next gathering's letter or number."""
    gathered: dict[str, list[tuple[Row, Signed]]] = defaultdict(list)
    for page in _pages(document):
        for row in _last_rows(document, page):
            words = [each.word.text for each in row.words]
            sheet = _signed(words[-1]) if 2 <= len(words) <= NORM_WORDS else None
            said = fold("".join(words[:-1]))
            if sheet is not None and len(said) >= SHORT_NORM and len({each.line for each in row.words}) == 1:
                gathered[said].append((row, sheet))
    for members in gathered.values():
        steps = [
            (after.page - before.page) / (ahead.gathering - behind.gathering)
            for (before, behind), (after, ahead) in pairwise(members)
            if ahead.gathering > behind.gathering
        ]
        regular = sum(4 <= step <= 32 and abs(step - median(steps)) <= 1 for step in steps)
        if steps and regular >= 0.6 * (len(members) - 1):
            yield from (_norm_line(row, [each.page for each, _ in members], median(steps)) for row, _ in members)


def _norm_line(row: Row, pages: Sequence[int], thick: float) -> MarkCandidate:
    evidence = {"read": row.text, "pages": list(pages[:8]), "pageCount": len(pages), "pagesAGathering": thick}
    features = {"norm_line": 1.0, "chain": min(len(pages) - 1, 3) / 3, "row": row.number / 2}
    score = round(min(0.45 + 0.15 * (len(pages) - 1), 1.0), 4)
    return MarkCandidate(row.page, row.words[0].line, _span(row.words), "signature_mark", features, evidence, score)
