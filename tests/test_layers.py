"""The import table of the house, held as data: imports only go down, third parties stay where they belong."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ocrprep

PACKAGE = Path(ocrprep.__file__).parent

LAYERS: tuple[tuple[str, ...], ...] = (
    ("spans", "pages", "errors"),
    ("identity", "options", "codes"),
    ("records",),
    ("representation", "profiles"),
    ("reading",),
    ("reviewing.wording",),
    ("sources", "engines", "preparing", "reviewing.report"),
    ("recognition", "bundles"),
    ("workers", "preparation", "documents"),
    ("pipeline",),
    ("reviewing", "calibrating"),
    ("cli_calibrate",),
    ("cli",),
    ("__main__",),
)
"""A module may import what stands on a line above its own, never what stands beside it on the same line."""

THIRD_PARTIES: dict[str, set[str]] = {
    "pydantic": {"records", "options", "profiles", "cli"},
    "pydantic_core": set(),
    "pypdfium2": {"sources"},
    "pdfplumber": {"sources"},
    "pdfminer": {"sources"},
    "pikepdf": {"sources"},
    "lxml": {"sources"},
    "numpy": {"sources", "calibrating"},
    "rapidfuzz": {"preparing"},
    "scipy": {"calibrating"},
    "wordfreq": {"recognition"},
    "PIL": {"sources", "engines"},
    "tesserocr": {"engines"},
    "pytesseract": {"engines"},
    "bagit": {"bundles"},
    "jinja2": {"reviewing"},
    "markupsafe": {"reviewing"},
    "typer": {"cli", "cli_calibrate"},
    "rich": {"cli"},
}
"""Where each third-party package may be imported."""


def modules() -> Iterator[tuple[str, Path]]:
    """Yield every module of the package by its dotted name below the package."""
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__") or "__init__", path


def imports(path: Path) -> Iterator[str]:
    """Yield the absolute dotted names that a module imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative import"
            assert node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def place(module: str) -> tuple[int, str]:
    """Return the layer of a module and the entry of the table that it belongs to: the longest that fits."""
    fits = [
        (entry, number)
        for number, layer in enumerate(LAYERS)
        for entry in layer
        if module == entry or module.startswith(f"{entry}.")
    ]
    assert fits, f"{module} is not in the table of layers"
    entry, number = max(fits, key=lambda fit: len(fit[0]))
    return number, entry


MODULES = dict(modules())


@pytest.mark.parametrize("module", [name for name in MODULES if name != "__init__"])
def test_imports_only_go_down(module: str) -> None:
    layer, entry = place(module)
    for name in imports(MODULES[module]):
        if not name.startswith("ocrprep."):
            continue
        imported = name.removeprefix("ocrprep.")
        other_layer, other_entry = place(imported)
        assert other_layer < layer or other_entry == entry, f"{module} imports {imported}"


@pytest.mark.parametrize("module", list(MODULES))
def test_third_parties_stay_where_they_belong(module: str) -> None:
    for name in imports(MODULES[module]):
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names or top == "ocrprep":
            continue
        assert top in THIRD_PARTIES, f"{module} imports {top}, which the table does not know"
        assert module.partition(".")[0] in THIRD_PARTIES[top], f"{module} imports {top}"


def test_spans_and_pages_know_nothing_of_the_package() -> None:
    for module in ("spans", "pages"):
        assert not [name for name in imports(MODULES[module]) if name.startswith("ocrprep")]


@pytest.mark.parametrize("statement", ["import ocrprep", "import ocrprep.cli"])
def test_importing_loads_no_engine_and_no_heavy_library(statement: str) -> None:
    heavy = {
        "tesserocr",
        "pytesseract",
        "pdfplumber",
        "pikepdf",
        "pypdfium2",
        "numpy",
        "PIL",
        "jinja2",
        "lxml",
        "wordfreq",
    }
    code = f"{statement}; import sys; print(*({heavy} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout.split() == []
