"""What words and letters look like in a language: word lists, and letter statistics made from them.

1. Text is folded: compatibility forms, ligatures and long s to plain letters, case and diacritics away. So the spelling
   of 1700 and that of today, capitals and small letters, share their statistics.
2. A word list is the small list of the `wordfreq` package (words of one in a million and more), folded, loaded when it
   is first asked for.
3. A letter model is the chance of a letter after the two before it, within a word, estimated from the list and smoothed
   by the shorter contexts (Jelinek and Mercer 1980). A word's gain is how many bits more probable the model makes it
   than blind chance over the alphabet does: about +2 a letter in a language, about -2 where a broken font map has
   exchanged the letters.
4. Letters without spaces are cut into words along the most probable path (Viterbi).
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice

BLEND = (0.70, 0.22, 0.075, 0.005)
"""Weights of the contexts of two letters, of one, of none, and of blind chance. The last limits to 8 bits what a letter
that never follows can cost."""

DAMPING = 0.5
"""A word counts by this power of its frequency: between a list of types, in which function words are lost, and running
text, which is little else."""

MODELLED_WORDS = 15_000
"""Words that make a letter model, the most frequent ones: some 0.1 s for a language."""

FREQUENT = 100
"""How many words count as frequent: function words, which compounds and names hardly contain."""

CACHED_WORDS = 32_768
"""Words whose gain is remembered: the vocabulary of a long book, some 5 MB."""

RARE_LETTER = 1e-4
"""Letters under this share do not count as part of a language's alphabet: those of foreign words."""

LONGEST_WORD = 20
"""The longest word that is looked for in letters without spaces."""

UNKNOWN_LETTER = -12.0
"""What a letter outside every word costs the path through letters without spaces, in bits: two are dearer than the
rarest listed word, one in a million."""

PLAIN = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i", "ſ": "s", "ꝛ": "r", "ς": "σ"}
)
"""Letters that have no decomposition, as the languages write them without."""

_MARKS = re.compile("[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u3099\u309a]+")
_LETTERS = re.compile(r"[^\W\d_]+")

WORDFREQ_CODES: Mapping[str, str] = {
    "ara": "ar", "ben": "bn", "bos": "sh", "bul": "bg", "cat": "ca", "ces": "cs", "chi_sim": "zh", "chi_tra": "zh",
    "dan": "da", "dan_frak": "da", "deu": "de", "deu_frak": "de", "deu_latf": "de", "ell": "el", "eng": "en",
    "enm": "en", "fas": "fa", "fil": "fil", "fin": "fi", "fra": "fr", "fraktur": "de", "frk": "de", "frm": "fr",
    "heb": "he", "hin": "hi", "hrv": "sh", "hun": "hu", "ind": "id", "isl": "is", "ita": "it", "ita_old": "it",
    "jpn": "ja", "kor": "ko", "lav": "lv", "lit": "lt", "mkd": "mk", "msa": "ms", "nld": "nl", "nor": "nb", "pol": "pl",
    "por": "pt", "ron": "ro", "rus": "ru", "slk": "sk", "slk_frak": "sk", "slv": "sl", "spa": "es", "spa_old": "es",
    "srp": "sh", "srp_latn": "sh", "swe": "sv", "tam": "ta", "tgl": "fil", "tur": "tr", "ukr": "uk", "urd": "ur",
    "vie": "vi",
}  # fmt: skip
"""Tesseract's model names, and the codes of the word lists."""


@dataclass(frozen=True, slots=True)
class Language:
    """The folded words of a language with their frequencies, the most frequent of them, and its letter model."""

    code: str
    words: Mapping[str, float]
    frequent: frozenset[str]
    gains: Mapping[str, float]
    """Bits above blind chance of three letters, the last after the two before, where all three were seen together; of
    two letters, of one and of none what is left where they were not. A space is the border of a word."""

    def gain(self, word: str) -> float:
        """Return how many bits more probable a folded word is than blind chance makes it."""
        return _gain(self.code, word)

    def bits(self, piece: str) -> float:
        """Return the logarithm of a piece's chance: of a listed word, or of as many single letters."""
        frequency = self.words.get(piece)
        return UNKNOWN_LETTER * len(piece) if frequency is None else math.log2(frequency)

    def cut(self, letters: str) -> list[str]:
        """Cut folded letters without spaces into words; letters outside every word stand alone."""
        best: list[tuple[float, int]] = [(0.0, 0)]
        for end in range(1, len(letters) + 1):
            chosen = (best[end - 1][0] + UNKNOWN_LETTER, end - 1)
            for start in range(max(0, end - LONGEST_WORD), end - 1):
                frequency = self.words.get(letters[start:end])
                if frequency is not None:
                    chosen = max(chosen, (best[start][0] + math.log2(frequency), start))
            best.append(chosen)
        pieces: list[str] = []
        end = len(letters)
        while end:
            pieces.append(letters[best[end][1] : end])
            end = best[end][1]
        return pieces[::-1]


def folded(text: str) -> str:
    """Return a text without case, diacritics, ligatures and long s; what is no letter stays."""
    plain = text.lower()
    if plain.isascii():
        return plain
    plain = unicodedata.normalize("NFKD", plain.translate(PLAIN)).lower()
    return _MARKS.sub("", plain)


def letter_runs(text: str) -> list[str]:
    """Return the runs of letters of a folded text."""
    return _LETTERS.findall(text)


def code_of(model: str) -> str | None:
    """Return the code of the word list for one of Tesseract's model names; null where there is none."""
    name = model.rpartition("/")[2].lower()
    return WORDFREQ_CODES.get(name) or WORDFREQ_CODES.get(name.removesuffix("_vert"))


@cache
def vocabulary(code: str, limit: int | None = None) -> Mapping[str, float]:
    """Load the folded words of a language, the most frequent first, with the frequencies of the small list."""
    import wordfreq

    frequencies: dict[str, float] = {}
    listed = wordfreq.get_frequency_dict(code, wordlist="small")
    for word, frequency in islice(listed.items(), limit):
        plain = folded(word)
        if not plain.isalpha():
            plain = "".join(letter_runs(plain))
        if plain:
            frequencies[plain] = frequencies.get(plain, 0.0) + frequency
    for cached in (wordfreq.get_frequency_dict, wordfreq.get_frequency_list):
        cached.cache_clear()  # its own copy of every list, some 4 MB each
    return frequencies


@cache
def language(code: str) -> Language:
    """Load a language: its words and its letter model."""
    words = vocabulary(code)
    gains = _letter_model(dict(islice(words.items(), MODELLED_WORDS)))
    return Language(code, words, frozenset(islice(words, FREQUENT)), gains)


@cache
def characters(code: str) -> frozenset[str]:
    """Load the characters that a language's listed words are written with."""
    return frozenset("".join(vocabulary(code)))


def _letter_model(frequencies: Mapping[str, float]) -> dict[str, float]:
    """Return the gains of all contexts of two letters, of one and of none that the words hold."""
    threes: dict[str, float] = {}
    for word, frequency in frequencies.items():
        weight, bordered = frequency**DAMPING, f"  {word} "
        for run in map("".join, zip(bordered, bordered[1:], bordered[2:], strict=False)):
            threes[run] = threes.get(run, 0.0) + weight
    twos = _summed(threes, slice(1, None))
    ones = _summed(twos, slice(1, None))
    before_threes, before_twos = _summed(threes, slice(0, 2)), _summed(twos, slice(0, 1))
    total = sum(ones.values())
    alphabet = sum(count >= RARE_LETTER * total for count in ones.values())
    blind = BLEND[3] / alphabet
    chances = {run: BLEND[2] * count / total + blind for run, count in ones.items()}
    chances |= {run: BLEND[1] * count / before_twos[run[0]] + chances[run[1]] for run, count in twos.items()}
    chances |= {run: BLEND[0] * count / before_threes[run[:2]] + chances[run[1:]] for run, count in threes.items()}
    chances[""] = blind
    return {run: math.log2(chance * alphabet) for run, chance in chances.items()}


def _summed(counts: Mapping[str, float], part: slice) -> dict[str, float]:
    """Add up the counts of the runs that agree in a part."""
    sums: dict[str, float] = {}
    for run, count in counts.items():
        sums[run[part]] = sums.get(run[part], 0.0) + count
    return sums


@lru_cache(CACHED_WORDS)
def _gain(code: str, word: str) -> float:
    gains, bordered, total = language(code).gains, f"  {word} ", 0.0
    for at in range(2, len(bordered)):
        gain = gains.get(bordered[at - 2 : at + 1])
        if gain is None:
            gain = gains.get(bordered[at - 1 : at + 1])
        if gain is None:
            gain = gains.get(bordered[at], gains[""])
        total += gain
    return total
