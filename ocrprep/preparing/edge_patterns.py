"""What shows by its own words that it is no text of the document: filing headers and digitisers' notices.

Only lines near the edge of their page are looked at, and a line goes only when its words are nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ocrprep.pages import FurnitureKind
from ocrprep.preparing.removals import Key, Removal
from ocrprep.representation import PlacedLine, Representation

OUTER = 4
"""Lines at the top and at the bottom of a page among which patterns are looked for."""

PATTERNS: tuple[tuple[str, FurnitureKind, str], ...] = (
    ("case_header", "stamp", r"Case:? \S*\d+[:\-]\S+ .{0,40}(?:Doc(?:ument|\.)?|Filed|ECF).{0,60}\d"),
    ("appeal_header", "stamp", r"USCA\d* Case:? ?#?\S+ .{0,40}(?:Doc(?:ument|\.)?|Filed).{0,60}\d"),
    ("county_clerk", "stamp", r"(?:E?FILED|RECEIVED):? [A-Z .]{3,40}COUNTY CLERK \d.{0,30}"),
    ("nyscef", "stamp", r"(?:NYSCEF DOC\. ?NO\. ?\d+|RECEIVED NYSCEF: ?[\d/]+|INDEX NO\. ?[\d/]+)"),
    ("google", "notice", r"(?:Digiti[sz]ed by|Hosted by|Original from) .{0,6}G[oeu]{2}[gq][lI]e\W*"),
    ("internet_archive", "notice", r"Digiti[sz]ed by the Internet Archive(?: in \d{4}.{0,60})?"),
    ("gallica", "notice", r"Source gallica\.bnf\.fr.{0,60}"),
    ("hathitrust", "notice", r"Generated (?:on|at|for) .{0,80}(?:hdl\.handle\.net|GMT).{0,60}"),
    ("hathitrust_rights", "notice", r"Public Domain, Google-digiti[sz]ed.{0,80}"),
    ("jstor", "notice", r"This content downloaded from .{0,100}"),
    ("jstor_terms", "notice", r"All use subject to (?:https?://)?about\.jstor\.org/terms"),
    ("download", "notice", r"Downloaded (?:from|by) \S+.{0,40} (?:by|on) .{3,80}\d{2,4}"),
    ("source_url", "notice", r"(?:\w+ )?URL: ?https?:/\S{6,}"),
)  # fmt: skip
"""Name, kind, and what the whole line says, whatever its case."""

_COMPILED = [(name, kind, re.compile(pattern, re.IGNORECASE)) for name, kind, pattern in PATTERNS]


def find_patterns(
    pages: Sequence[Sequence[PlacedLine]], _representation: Representation
) -> dict[Key, tuple[Removal, ...]]:
    """Return the lines that are filing headers or notices as a whole, by page and line."""
    found: dict[Key, tuple[Removal, ...]] = {}
    for lines in pages:
        outer = lines if len(lines) <= 2 * OUTER else _outermost(lines)
        for line in outer:
            for name, kind, pattern in _COMPILED:
                if pattern.fullmatch(line.text):
                    evidence = {"pattern": name}
                    removal = Removal(line.page, line.number, line.span, kind, "own_words", evidence)
                    found[line.page, line.number] = (removal,)
                    break
    return found


def _outermost(lines: Sequence[PlacedLine]) -> list[PlacedLine]:
    ordered = sorted(lines, key=lambda line: line.box.top)
    return [*ordered[:OUTER], *ordered[-OUTER:]]
