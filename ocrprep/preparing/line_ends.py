"""Hyphens at line ends: what is one word, what keeps its hyphen, and what the document leaves open.

Only a hyphen that ends a printed line is in question. The evidence, in order:

1. The document's own vocabulary: the closed form elsewhere joins, the hyphenated form elsewhere keeps.
2. The shape: a single letter, a digit, a capital or a suspended hyphen keeps; a mark that only stands at line ends
   (soft hyphen, `¬`, `⸗`) joins.
3. Otherwise the word is joined, flagged `hyphen_ambiguous`, and both forms are recorded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ocrprep.preparing.lexicon import HYPHENS, Lexicon, words_of

LINE_END_ONLY = "\u00ad\u00ac\u2e17"
"""Hyphens that printers and engines have at line ends only."""

_CONJUNCTION = r"(?:and|or|und|oder|bzw|et|ou|y|o|e|to|bis|en|of)"
_SUSPENDED_BEFORE = re.compile(rf"\w[{HYPHENS}],? (?:\S+[{HYPHENS}],? )*{_CONJUNCTION} \S+$")
_SUSPENDS_AFTER = re.compile(rf"{_CONJUNCTION} [^\W\d_]+[{HYPHENS}][^\W\d_]")
_SUSPENDS_NOUN = re.compile(rf"{_CONJUNCTION} (?P<second>[^\W\d_])")


@dataclass(frozen=True, slots=True)
class LineEnd:
    """What becomes of a hyphen and the line end after it: `replacement` takes the place of both."""

    kind: Literal["dehyphenate", "keep_hyphen"]
    replacement: str
    rule: str
    evidence: Mapping[str, Any]
    alternatives: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


def ends_in_hyphen(line: str) -> bool:
    """Say whether a line ends in a hyphen that belongs to a word or a number, and not in a dash."""
    return len(line) > 1 and line[-1] in HYPHENS and line[-2].isalnum()


def continues_word(before: str, after: str) -> bool:
    """Say whether a line end cuts a word: a hyphen after letters, and the next line goes on in the same case."""
    if not ends_in_hyphen(before):
        return False
    head = words_of(before[:-1])
    return after[:1].islower() or bool(head and _in_capitals(head[-1], after))


def line_end(before: str, after: str, lexicon: Lexicon) -> LineEnd | None:
    """Decide on the hyphen that ends a line, given the next line of the same flow; null where none ends it."""
    if not ends_in_hyphen(before):
        return None
    heads, tails = words_of(before[:-1]), words_of(after)
    hyphen = "-" if before[-1] in LINE_END_ONLY else before[-1]
    if not heads or not tails or not after.startswith(tails[0]) or not before[:-1].endswith(heads[-1]):
        return LineEnd("keep_hyphen", hyphen, "hyphen_shape", {"shape": "no letter on one side"})
    head, tail = heads[-1], tails[0]
    joined, hyphenated = head + tail, f"{head}-{tail}"
    return (
        (_by_vocabulary(joined, hyphenated, hyphen, lexicon) if continues_word(before, after) else None)
        or _by_shape(before, after, head, hyphen)
        or LineEnd(
            "dehyphenate",
            "",
            "hyphen_default",
            {"closed": lexicon.count(joined), "hyphenated": lexicon.count(hyphenated)},
            alternatives=(joined, hyphenated),
            flags=("hyphen_ambiguous",),
        )
    )


def _by_vocabulary(joined: str, hyphenated: str, hyphen: str, lexicon: Lexicon) -> LineEnd | None:
    """Decide where the document has one of the two forms elsewhere and not the other."""
    closed, open_ = lexicon.count(joined), lexicon.count(hyphenated)
    if bool(closed) == bool(open_):
        return None
    evidence = {"closed": closed, "hyphenated": open_}
    if closed:
        return LineEnd("dehyphenate", "", "hyphen_vocabulary", evidence)
    return LineEnd("keep_hyphen", hyphen, "hyphen_vocabulary", evidence)


def _by_shape(before: str, after: str, head: str, hyphen: str) -> LineEnd | None:
    """Decide by what stands on both sides of the hyphen."""
    if _suspends(head, after):
        return LineEnd("keep_hyphen", f"{hyphen} ", "hyphen_shape", {"shape": "suspended before a conjunction"})
    if not continues_word(before, after):
        return LineEnd("keep_hyphen", hyphen, "hyphen_shape", {"shape": "no lower case after it"})
    if len(head) == 1:
        return LineEnd("keep_hyphen", hyphen, "hyphen_shape", {"shape": "a single letter before it"})
    if _SUSPENDED_BEFORE.search(before[:-1]):
        return LineEnd("keep_hyphen", hyphen, "hyphen_shape", {"shape": "a suspended hyphen before it"})
    if before[-1] in LINE_END_ONLY:
        return LineEnd("dehyphenate", "", "hyphen_shape", {"shape": "a mark that only ends lines"})
    return None


def _suspends(head: str, after: str) -> bool:
    """Say whether a conjunction follows for whose second part the hyphen stands: `pre-` / `and post-war`."""
    if _SUSPENDS_AFTER.match(after):
        return True
    noun = _SUSPENDS_NOUN.match(after)
    return noun is not None and head[0].isupper() and noun["second"].isupper()


def _in_capitals(head: str, after: str) -> bool:
    """Say whether a word in capitals goes on in capitals."""
    tail = words_of(after[:40])
    return len(head) > 1 and head.isupper() and bool(tail) and len(tail[0]) > 1 and tail[0].isupper()
