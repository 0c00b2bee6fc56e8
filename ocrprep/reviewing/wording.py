"""How the report puts things: what could hide is made visible, evidence is said in words, texts are cut into runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from ocrprep.spans import Span

LONGEST_EVIDENCE = 240
"""Evidence is cut after so many characters; the record beside the report has all of it."""

_UNSEEN = re.compile(
    "[\0-\t\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufdd0-\ufdef\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
"""Controls, characters that set the direction or have no width, and lone surrogates. The joiners U+200C and U+200D are
not among them: Persian and Indic words are spelt with them, and they cannot move another character."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A span of a text that is shown apart: its name is the style, its note the explanation."""

    span: Span
    name: str
    note: str


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text under the same marks; an empty one stands where something was left out."""

    text: str
    names: tuple[str, ...] = ()
    note: str = ""


def shown(text: str) -> str:
    """Make the characters of a text visible that could hide in it or reorder it: ␀ for controls, else ⟨U+202E⟩."""
    return _UNSEEN.sub(_symbol, text)


def in_words(evidence: Mapping[str, Any]) -> str:
    """Say evidence in a line: names and values, page numbers as ranges, shares with two decimals."""
    said = "; ".join(f"{spaced(name)}: {_said(value)}" for name, value in evidence.items())
    return said if len(said) <= LONGEST_EVIDENCE else said[:LONGEST_EVIDENCE] + " …"


def cut(text: str, span: Span, marks: Iterable[Mark]) -> Iterator[Run]:
    """Cut a span of a text into runs at the ends of its marks; marks may nest and may be empty."""
    waiting = sorted(marks, key=lambda mark: mark.span, reverse=True)
    ends = {min(max(end, span.start), span.end) for mark in waiting for end in (mark.span.start, mark.span.end)}
    open_marks: list[Mark] = []
    for start, end in pairwise(sorted({span.start, span.end, *ends})):
        while waiting and waiting[-1].span.start <= start:
            mark = waiting.pop()
            if not mark.span:
                yield Run("", (mark.name,), mark.note)
            open_marks.append(mark)
        open_marks = [mark for mark in open_marks if mark.span.end > start]
        names = tuple(dict.fromkeys(mark.name for mark in open_marks))
        yield Run(text[start:end], names, " · ".join(mark.note for mark in open_marks))


def _said(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.2f}" if abs(value) >= 0.01 else f"{value:.2g}"
        case Mapping():
            return "(" + ", ".join(f"{spaced(str(name))} {_said(each)}" for name, each in value.items()) + ")"
        case [int(), *_] if all(type(each) is int for each in value):
            return _ranges(value)
        case list() | tuple():
            return ", ".join(map(_said, value))
    return str(value)


def _ranges(numbers: Sequence[int]) -> str:
    runs = groupby(enumerate(numbers), key=lambda each: each[1] - each[0])
    ends = [(run[0][1], run[-1][1]) for run in (list(each) for _, each in runs)]
    return ", ".join(f"{first}" if first == last else f"{first}–{last}" for first, last in ends)


def spaced(name: str) -> str:
    """Write a name of a record as words: running_head and runningHead as "running head"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").lower()


def _symbol(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"
