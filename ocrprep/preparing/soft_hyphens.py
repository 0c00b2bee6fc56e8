"""Soft hyphens (U+00AD) within a line: left over from another line break, or a real hyphen under a wrong code.

Between two letters of which the second is small, a soft hyphen marks where a word could be broken and is not: it is
left out. Before a capital it can as well be a hyphen that was painted (`Street` `North`): it is read as one, flagged,
with both forms. Beside anything else it stays, since it may stand for a character that was lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ocrprep.reading import Change
from ocrprep.representation import PlacedLine
from ocrprep.spans import Span

_WITHIN = re.compile(r"(?<=[^\W\d_])\u00ad(?=[^\W\d_])")
_WORD = re.compile(r"[^\W\d_]+(?:\u00ad[^\W\d_]+)*")


def soft_hyphens(line: PlacedLine) -> Iterator[Change]:
    """Yield a change for each soft hyphen between two letters of a line."""
    for found in _WITHIN.finditer(line.text):
        at = line.span.start + found.start()
        span = Span(at, at + 1)
        following = line.text[found.end()]
        if following.islower() or following.lower() == following.upper():
            evidence = {"shape": "between letters of one word"}
            yield Change(
                span=span, replacement="", rule="soft_hyphen", page=line.page, kind="dehyphenate", evidence=evidence
            )
            continue
        word = next(each[0] for each in _WORD.finditer(line.text) if each.start() < found.start() < each.end())
        yield Change(
            span=span,
            replacement="-",
            rule="soft_hyphen",
            page=line.page,
            kind="keep_hyphen",
            evidence={"shape": "before a capital"},
            alternatives=(word.replace("\u00ad", ""), word.replace("\u00ad", "-")),
            flags=("hyphen_ambiguous",),
        )
