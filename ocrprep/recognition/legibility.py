"""Is a text layer language at all? Lines that cannot be what a reader sees, found by the text alone.

Clean and corrupt spans alternate by font within one page, so every line is judged by itself first:

1. Characters without a meaning, UTF-8 read through a wrong code page, words of several scripts: unreadable as they are.
2. The letters are measured in the asked languages, and where those do not fit, in the other large ones of their
   script: the share of letters in listed words, and the gain of the letter statistics. A line that fits is legible.
3. A line that does not fit is tried as shifted, rotated or mirrored letters, as words that lost their spaces or got one
   after each letter, as symbol soup. If one of these makes it language, or its letters follow each other as in no
   language, it is unreadable. Nothing is ever decoded for others to see.
4. A part of a line counts like a line, with more letters asked for: fonts change within lines.
5. What is too short, has no letters, or is in a language without a word list, says nothing: by text alone it can be
   neither believed nor refused.

Then the page speaks, only through its unreadable lines: a shift proved by one line is tried first on all others, with
fewer letters; and where unreadable characters outweigh the legible ones, lines that merely look wrong are unreadable
too. So a legible line that is added never makes another one unreadable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, get_args

from ocrprep.pages import Line
from ocrprep.recognition import broken_text
from ocrprep.recognition.letter_statistics import (
    Language,
    characters,
    code_of,
    folded,
    language,
    letter_runs,
    vocabulary,
)
from ocrprep.recognition.scripts import LARGE, REST, SCRIPTS, mixes, script_of

State = Literal["legible", "unreadable", "doubtful", "silent"]

FITTING_GAIN, FITTING_KNOWN = 1.0, 0.4
"""Bits a letter, and share of letters in listed words, from which a line is language. Half of all clean lines have 2.1
and 0.8, nineteen of twenty 1.4 and 0.35; random substitutions have -1.9 and 0.05."""

SUSPECT_GAIN = 0.6
"""Bits a letter under which a line is tried as shifted: moved alphabets gain at most 0.1."""

SUSPECT_DEFICIT = 10.0
"""The loss, as of `PART_DEFICIT`, from which a part of a line is tried as shifted: one line of 300 has it."""

SOUP_GAIN, SOUP_LETTERS = -0.3, 15
"""A line of so many letters under this gain is no language. The lowest gain of 54,000 lines in listed languages, names,
formulas and engines' noise among them, is -0.24; 199 of 200 lines in a secret alphabet lie below the limit."""

DOUBTED_GAIN, DOUBTED_KNOWN, DOUBTED_LETTERS = 0.3, 0.2, 6
"""A line that looks wrong without being proved so: unreadable where the page is."""

PART_DEFICIT, PART_MARGIN = 20.0, 0.3
"""A part of a line is no language when its words lose together so many bits against a gain of minus the margin. The
largest loss in clean lines is 17 (formulas), ten of 54,000 lines exceed 20, all of them read by engines; half lines of
20 letters in a secret alphabet exceed it in four of five cases, shifted ones in nine of ten."""

FEWEST_LETTERS = 4
"""Letters from which a line is measured at all."""

SEARCHED_LINES = 6
"""Lines of a page, the longest ones, in which an unknown shift is searched for: bounds the time of a page in an
unlisted language."""

EXAMINED_CHARACTERS = 2_000
"""How much of a line is looked at: more than the longest printed line, so that no hostile one takes seconds."""

TELLING_CHARACTERS = 20
"""A page with fewer characters in judged lines is undecided."""

MIXED_SHARE, MIXED_WORDS = 0.3, 2
"""Words of two scripts, and the share of letters in them, from which a line is unreadable."""

REST_WORDS = 10_000
"""Words of each of them, which hold some 0.8 of a text's letters: a second for all, once in a process."""

ROMAN = re.compile("[ivxlcdm]{2,12}j?")
"""Roman numerals and what looks like them."""

NO_LANGUAGES = frozenset({"osd", "equ", "snum"})
"""Models of Tesseract that are none of a language."""


@dataclass(frozen=True, slots=True)
class Legibility:
    """What the text of a page says about itself.

    `score` is the share of the page's visible characters that stand in no unreadable line, 1 for a page without text.
    `unreadable` holds the indices, from 0, of lines that cannot be what a reader sees. `reasons` are sorted codes of
    what was found on the page: those of unreadable lines, and `other_language` where most of what is legible is in none
    of the asked languages. `undecided` says that most of the page is neither legible nor unreadable by text alone.
    """

    score: float
    unreadable: tuple[int, ...]
    reasons: tuple[str, ...]
    undecided: bool


@dataclass(frozen=True, slots=True)
class _Asked:
    """The word lists of the asked languages, and whether one of them has none."""

    codes: tuple[str, ...]
    unlisted: bool

    def of(self, script: str) -> tuple[str, ...]:
        """Return the asked lists of a script."""
        own = (*LARGE, *REST) if script == "latin" else SCRIPTS[script]
        return tuple(code for code in self.codes if code in own)


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What is thought of one line: its text, visible characters, state, reasons, and the language it fits best."""

    text: str
    size: int
    state: State
    reasons: tuple[str, ...] = ()
    code: str = ""
    known: float = 0.0
    gain: float = 0.0
    deficit: float = 0.0

    @property
    def suspect(self) -> str:
        """What of the line is tried as shifted: all of it, the words outside the language, or nothing."""
        if self.known < FITTING_KNOWN and self.gain < SUSPECT_GAIN:
            return self.text
        if self.deficit < SUSPECT_DEFICIT:
            return ""
        spoken = language(self.code)
        return " ".join(
            word for word in self.text.split() if any(spoken.gain(r) < 0 for r in letter_runs(folded(word)))
        )


@dataclass(frozen=True, slots=True)
class _Measure:
    """How well words fit a language: bits a letter, share of letters in listed words, the worst part's deficit."""

    code: str
    gain: float
    known: float
    deficit: float


def legibility(lines: Sequence[Line], languages: Sequence[str]) -> Legibility:
    """Judge by their text which lines of a page cannot be what a reader sees.

    `languages` are the names of Tesseract's models that the page is read with; unknown ones are allowed. Word lists are
    loaded when first needed, some 0.1 s each. No text ever raises.
    """
    codes = [code_of(name) for name in languages if name not in NO_LANGUAGES]
    asked = _Asked(tuple(dict.fromkeys(filter(None, codes))), None in codes or not codes)
    verdicts = [_judged(" ".join(word.text for word in line.words), asked) for line in lines]
    verdicts = _with_page(_with_rest(_with_shifts(verdicts, asked)), asked)
    sizes = {state: sum(each.size for each in verdicts if each.state == state) for state in get_args(State)}
    total, told = sum(sizes.values()), sizes["legible"] + sizes["unreadable"]
    reasons = {reason for each in verdicts if each.state == "unreadable" for reason in each.reasons}
    return Legibility(
        score=1 - sizes["unreadable"] / total if total else 1.0,
        unreadable=tuple(at for at, each in enumerate(verdicts) if each.state == "unreadable"),
        reasons=tuple(sorted(reasons | _other_language(verdicts, asked))),
        undecided=told < TELLING_CHARACTERS or 2 * told < total,
    )


def _judged(text: str, asked: _Asked) -> _Verdict:
    """Judge a line by itself, all but a shift of its characters."""
    size = sum(map(len, text.split()))
    text = text[:EXAMINED_CHARACTERS]
    verdict = _Verdict(text, size, "silent")
    broken = broken_text.broken_characters(text)
    if broken_text.has_wrong_code_page(text):
        broken.append("wrong_code_page")
    if broken:
        return replace(verdict, state="unreadable", reasons=tuple(broken))
    runs, script, mixed = _letters(folded(broken_text.without_addresses(text)))
    if mixed:
        return replace(verdict, state="unreadable", reasons=("mixed_scripts",))
    if script == "han":
        return replace(verdict, state=_state_of_han(runs))
    measures = list(_measures(runs, script, asked))
    best = max(measures, key=lambda each: each.gain, default=_Measure("", 0.0, 0.0, 0.0))
    known = max((each.known for each in measures), default=0.0)
    verdict = replace(verdict, code=best.code, gain=best.gain, known=known, deficit=best.deficit)
    spoken = [language(code) for code in asked.of(script) or SCRIPTS[script]]
    reason = _transformed(text, runs, known, spoken)
    if reason:
        return replace(verdict, state="unreadable", reasons=(reason,))
    return _weighed(verdict, best, runs, script, asked)


def _weighed(verdict: _Verdict, best: _Measure, runs: list[str], script: str, asked: _Asked) -> _Verdict:
    """Judge a line by its letter statistics; words in capitals may be codes, which prove nothing without a shift."""
    letters = sum(map(len, runs))
    if letters < FEWEST_LETTERS or not best.code:
        return verdict
    if _is_no_language(best, letters):
        small, _, _ = _letters(folded(broken_text.without_addresses(broken_text.without_capitals(verdict.text))))
        if (
            small
            and not asked.unlisted
            and asked.of(script)
            and _is_no_language(_measured(small, language(best.code)), sum(map(len, small)))
        ):
            return replace(verdict, state="unreadable", reasons=("unknown_language",))
        return replace(verdict, state="doubtful")
    wrong = letters >= DOUBTED_LETTERS and best.gain < DOUBTED_GAIN and verdict.known < DOUBTED_KNOWN
    fits = best.gain >= FITTING_GAIN or verdict.known >= FITTING_KNOWN
    return replace(verdict, state="doubtful" if wrong else "legible" if fits or letters >= SOUP_LETTERS else "silent")


def _is_no_language(measure: _Measure, letters: int) -> bool:
    soup = letters >= SOUP_LETTERS and measure.gain <= SOUP_GAIN and measure.known < FITTING_KNOWN
    return soup or measure.deficit >= PART_DEFICIT


def _transformed(text: str, runs: list[str], known: float, spoken: Sequence[Language]) -> str:
    """Name what was done to a line's letters or spaces, where undoing it makes language and leaving it does not."""
    if broken_text.is_letter_spaced(text, spoken):
        return "letter_spaced"
    if broken_text.lacks_spaces(text, spoken):
        return "missing_spaces"
    if known >= FITTING_KNOWN:
        return ""
    if broken_text.is_symbol_soup(text):
        return "symbol_soup"
    if broken_text.is_one_letter(text):
        return "repeated_letter"
    return "reversed_text" if broken_text.is_backwards(runs, spoken) else ""


def _letters(plain: str) -> tuple[list[str], str, bool]:
    """Return the words of the script that most letters of a folded text are in, and whether words mix scripts.

    Every word once: a code that a table repeats is one witness. Roman numerals are none.
    """
    runs = [run for run in dict.fromkeys(letter_runs(plain)) if not ROMAN.fullmatch(run)]
    if plain.isascii():
        return [run for run in runs if len(run) > 1], "latin", False
    by_script: dict[str, list[str]] = {}
    mixed = [run for run in runs if mixes(run)]
    for run in runs:
        by_script.setdefault(script_of(run[0]), []).append(run)
    letters = sum(map(len, runs))
    is_mixed = len(mixed) >= MIXED_WORDS and sum(map(len, mixed)) >= MIXED_SHARE * letters
    script = max(by_script, key=lambda name: sum(map(len, by_script[name])), default="latin")
    kept = by_script.get(script, [])
    return [run for run in kept if len(run) > 1 or script == "han"], script, is_mixed


def _state_of_han(runs: list[str]) -> State:
    """Believe Chinese and Japanese by their characters: words have no spaces."""
    joined = "".join(runs)
    listed = characters("zh") | characters("ja")
    known = sum(letter in listed for letter in joined)
    return "legible" if len(joined) >= FEWEST_LETTERS and known >= FITTING_KNOWN * len(joined) else "silent"


def _measures(runs: list[str], script: str, asked: _Asked) -> Iterator[_Measure]:
    """Measure words in the asked languages, and where none fits, in the large ones of their script."""
    if sum(map(len, runs)) < FEWEST_LETTERS:
        return
    first = asked.of(script)
    for code in first:
        measure = _measured(runs, language(code))
        yield measure
        if measure.gain >= FITTING_GAIN and measure.known >= FITTING_KNOWN:
            return
    for code in SCRIPTS[script]:
        if code not in first:
            yield _measured(runs, language(code))


def _measured(runs: list[str], spoken: Language) -> _Measure:
    total, deficit, worst = 0.0, 0.0, 0.0
    for run in runs:
        gain = spoken.gain(run)
        total += gain
        deficit = max(0.0, deficit - gain - PART_MARGIN * len(run))
        worst = max(worst, deficit)
    return _Measure(spoken.code, total / sum(map(len, runs)), broken_text.known_share(runs, spoken), worst)


def _with_shifts(verdicts: list[_Verdict], asked: _Asked) -> list[_Verdict]:
    """Find shifts of all characters: searched for in the longest lines that fit no language, then tried on all."""
    suspects = [each.suspect for each in verdicts]
    asked_codes = [code for code in asked.codes if code not in SCRIPTS["han"]]
    codes = (*asked_codes, *(() if asked.of("latin") else LARGE))
    spoken = [language(code) for code in codes] if any(suspects) else []
    found: list[broken_text.Move] = []
    for text in sorted(filter(None, suspects), key=lambda each: -len(each))[:SEARCHED_LINES]:
        if not any(broken_text.is_moved(text, move, spoken) for move in found):
            moves = broken_text.promising_moves(text)
            found += islice((move for move in moves if broken_text.is_moved(text, move, spoken)), 1)
    return [_shifted(each, text, found, spoken) for each, text in zip(verdicts, suspects, strict=True)]


def _shifted(verdict: _Verdict, text: str, found: Sequence[broken_text.Move], spoken: Sequence[Language]) -> _Verdict:
    """Believe a move that the page has proved, for fewer letters."""
    fewest = broken_text.FEWEST_HINTED if text == verdict.text else broken_text.FEWEST_LETTERS
    if not text or not any(broken_text.is_moved(text, move, spoken, fewest) for move in found):
        return verdict
    reasons = {*verdict.reasons, "shifted_letters"} - {"unknown_language"}
    return replace(verdict, state="unreadable", reasons=tuple(sorted(reasons)))


def _with_rest(verdicts: list[_Verdict]) -> list[_Verdict]:
    """Look up the words of lines in no language in the lists of the smaller ones, the last and slowest resort."""
    return [
        replace(each, state="legible", reasons=(), code=code)
        if each.reasons == ("unknown_language",) and (code := _other_latin(each.text))
        else each
        for each in verdicts
    ]


def _other_latin(text: str) -> str:
    """Return the code of a smaller language in Latin script in which a line's words are listed, if there is one."""
    runs, script, _ = _letters(folded(broken_text.without_addresses(text)))
    long = [run for run in runs if len(run) >= broken_text.KNOWN_LENGTH]
    needed = FITTING_KNOWN * sum(map(len, long))
    if script != "latin" or not long:
        return ""
    lists = ((code, vocabulary(code, REST_WORDS)) for code in REST)
    return next((code for code, words in lists if sum(len(run) for run in long if run in words) >= needed), "")


def _with_page(verdicts: list[_Verdict], asked: _Asked) -> list[_Verdict]:
    """Believe the doubts about lines where the unreadable outweighs the legible, unless a language cannot be known."""
    if asked.unlisted:
        return verdicts
    legible = sum(each.size for each in verdicts if each.state == "legible")
    if sum(each.size for each in verdicts if each.state == "unreadable") <= legible:
        return verdicts
    return [
        replace(each, state="unreadable", reasons=("unknown_language",)) if each.state == "doubtful" else each
        for each in verdicts
    ]


def _other_language(verdicts: list[_Verdict], asked: _Asked) -> set[str]:
    legible = [each for each in verdicts if each.state == "legible" and each.code]
    other = sum(each.size for each in legible if each.code not in asked.codes)
    return {"other_language"} if 2 * other > sum(each.size for each in legible) else set()
