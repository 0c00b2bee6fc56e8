"""Every warning that the package can give is in the one table of codes, and in the README."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import ocrprep
from ocrprep.codes import CODES, needs_review
from ocrprep.sources.given_text import MESSAGES
from ocrprep.sources.xml_file import REPAIRED

PACKAGE = Path(ocrprep.__file__).parent
README = PACKAGE.parent / "README.md"


def given() -> Iterator[str]:
    """Yield the codes with which the package's own code makes warnings."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "PageWarning" and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield first.value


def test_the_table_has_the_codes_of_existing_ocr() -> None:
    assert {*MESSAGES, REPAIRED} - set(CODES) == set()


def test_the_table_has_the_codes_that_are_given() -> None:
    assert set(given()) - set(CODES) == set()


def test_the_readme_tells_of_every_code() -> None:
    readme = README.read_text(encoding="utf-8")
    assert [code for code in CODES if f"`{code}`" not in readme] == []


def test_an_unknown_code_asks_for_review() -> None:
    assert needs_review("from_a_later_version")
    assert not needs_review("pdf_restrictions")
