"""Read a manuscript: the author's text, with a directive line before every block that is not plain prose.

Blocks are separated by blank lines. `@label` on a block's first line names what the block is; a block without
one is `body`. A `@note` belongs to the block before it, which marks its place with `*`. `¬` after a hyphen is
where the printer must break the word and nobody can tell afterwards whether the hyphen belongs to it.
"""

from dataclasses import dataclass, replace
from pathlib import Path

AMBIGUOUS_BREAK = "¬"
NOTE_MARKER = "*"


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, verse, list, heading … of a manuscript, with the footnote that it calls."""

    label: str
    rows: tuple[str, ...]
    note: str | None = None

    @property
    def text(self) -> str:
        """The block as a reader should get it."""
        return "\n".join(row for row in self.rows if row).replace(AMBIGUOUS_BREAK, "")


def read_manuscript(path: Path) -> list[Block]:
    """Return the blocks of a manuscript in their order."""
    blocks: list[Block] = []
    for rows in _stanzas(path.read_text(encoding="utf-8").split("\n")):
        label, rows = (rows[0][1:], rows[1:]) if rows[0].startswith("@") else ("body", rows)
        if label == "note":
            blocks[-1] = replace(blocks[-1], note=rows[0])
        else:
            blocks.append(Block(label, tuple(rows)))
    return blocks


def _stanzas(rows: list[str]) -> list[list[str]]:
    """Split rows at blank ones, except those that leave room for a name written by hand in a signature."""
    stanzas: list[list[str]] = [[]]
    for row in rows:
        in_signature = stanzas[-1][:1] == ["@signature"]
        if row or in_signature:
            stanzas[-1].append(row)
        elif stanzas[-1]:
            stanzas.append([])
    return [stanza for stanza in stanzas if stanza]
