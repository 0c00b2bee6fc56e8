"""Labelled books: folders of page images with ALTO or PAGE beside them, and TEI files of whole books as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from ocrprep.bundles import open_bundle
from ocrprep.calibrating.fit import LabelledBook
from ocrprep.calibrating.labels import word_labels
from ocrprep.calibrating.zones import read_truth
from ocrprep.errors import CalibrationError
from ocrprep.identity import hash_text
from ocrprep.options import Options, RecognitionOptions
from ocrprep.pages import Box, Line, Page, Word
from ocrprep.pipeline import prepare
from ocrprep.records.representation import SourceFile
from ocrprep.representation import Representation
from ocrprep.sources.given_text import local_name
from ocrprep.sources.xml_file import parsed

IMAGES = frozenset({".jpg", ".jpeg", ".png", ".tif", ".tiff"})
NOWHERE = Box(0.0, 0.0, 0.0, 0.0)
"""The box of a word of which only the order is known."""

_FORME = {"header": "running_head", "sig": "signature", "catch": "catchword", "pageNum": "folio"}
_AT_FOOT = {"footnote": 1, "signature": 2, "catchword": 2}


def labelled_books(
    folder: Path, options: Options, languages: Mapping[str, str], kept: Path | None = None
) -> Iterator[LabelledBook]:
    """Yield the books of a folder: each sub-folder with images and their truth, each TEI file.

    `languages` are by a pattern of the book's name; `kept` is a folder in which what was read is kept as bundles, so
    that a second run needs no OCR. Raises CalibrationError for a folder without truth.
    """
    found = 0
    for place in [folder, *sorted(each for each in folder.rglob("*") if each.is_dir())]:
        pages = _pages(place)
        if pages:
            found += 1
            yield _of_images(place, pages, options, languages, kept)
        for file in sorted(place.glob("*.xml")):
            if not pages and _is_tei(file):
                found += 1
                yield _of_tei(file)
    if not found:
        raise CalibrationError(f"{folder}: no page image with ALTO or PAGE of its name beside it, and no TEI")


def _pages(place: Path) -> list[tuple[Path, Path]]:
    """Return the images of a folder with their truth, in the order of the last number in their names."""
    pairs = []
    for image in place.iterdir():
        if image.suffix.lower() in IMAGES:
            stems = (image.stem, image.name.replace(".tif", "").rpartition(".")[0])
            names = [*stems, image.stem.replace("OCR-D-IMG_", "OCR-D-GT-SEG-REGION_")]
            truth = next((each for name in names if name and (each := place / f"{name}.xml").is_file()), None)
            if truth is not None:
                pairs.append((image, truth))
    return sorted(pairs, key=lambda pair: (_leaf(pair[1]), pair[1].name))


def _leaf(truth: Path) -> int:
    numbers = re.findall(r"\d+", re.sub(r"_[0-9a-f]{5}_default$|_L-medium$", "", truth.stem))
    return int(numbers[-1]) if numbers else 0


def _of_images(
    place: Path, pages: list[tuple[Path, Path]], options: Options, languages: Mapping[str, str], kept: Path | None
) -> LabelledBook:
    language = next((each for pattern, each in languages.items() if fnmatch(place.name, pattern)), None)
    if language is not None:
        named = {**options.recognition.model_dump(), "languages": language}
        recognition = RecognitionOptions.model_validate(named)
        options = options.model_copy(update={"recognition": recognition})
    representation = _representation(place, [image for image, _ in pages], options, kept)
    truths = [read_truth(truth) for _, truth in pages]
    labels = [word_labels(page, truth) for page, truth in zip(representation.pages, truths, strict=True)]
    return LabelledBook(place.name, representation, labels)


def _representation(place: Path, images: list[Path], options: Options, kept: Path | None) -> Representation:
    bundle = None if kept is None else kept / f"{place.name}.evidence"
    if bundle is not None and bundle.is_dir():
        return open_bundle(bundle).representation
    preparation = prepare(images, options, name=place.name)
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        preparation.save(kept)
    return preparation.representation


def _is_tei(file: Path) -> bool:
    with file.open("rb") as opened:
        head = opened.read(4096)
    return b"<TEI" in head and b"tei-c.org" in head


def _of_tei(file: Path) -> LabelledBook:
    """Read a whole book from TEI as the Deutsches Textarchiv keys it: `fw` for furniture, `note`, `lb`, `pb`.

    A footnote stands at its anchor there; it is moved to the foot of its page, where it is printed.
    """
    reader = _TeiReader()
    reader.read(parsed(file, is_html=False).root)
    lines = [sorted(page, key=lambda line: _AT_FOOT.get(line[1], 0)) for page in reader.pages]
    pages = [
        Page(number, (0.0, 0.0), "px", [Line(tuple(Word(word, NOWHERE) for word in text.split())) for text, _ in page])
        for number, page in enumerate(lines, start=1)
    ]
    if not pages:
        raise CalibrationError(f"{file}: a TEI file without a page break (pb); nothing can be measured on it")
    name = hash_text(file.name)
    source = SourceFile(name=file.name, hash=name, size=file.stat().st_size, pages=len(pages))
    labels = [[label for text, label in page for _ in text.split()] for page in lines]
    return LabelledBook(file.stem, Representation(name, [source], pages), labels)


class _TeiReader:
    """Gathers the printed lines of a TEI text by page, each with its label."""

    def __init__(self) -> None:
        self.pages: list[list[tuple[str, str]]] = []
        self._labels = ["body"]
        self._text = ""

    def read(self, element: Any) -> None:
        name = local_name(element)
        if name == "teiHeader":
            return
        if name in ("lb", "pb"):
            self._end_line()
            if name == "pb":
                self.pages.append([])
            return
        label = self._label(element, name)
        if label is not None:
            self._end_line()
            self._labels.append(label)
        if name != "corr":
            self._text += element.text or ""
        for child in element:
            self.read(child)
            self._text += child.tail or ""
        if label is not None:
            self._end_line()
            self._labels.pop()
        elif name in ("head", "l", "cell", "item", "p"):
            self._end_line()

    def _label(self, element: Any, name: str) -> str | None:
        if name == "fw":
            return _FORME.get(element.get("type") or "", "running_head")
        if name == "note":
            return "marginalia" if element.get("place") in ("left", "right") else "footnote"
        return None

    def _end_line(self) -> None:
        text = " ".join(self._text.split())
        self._text = ""
        if text and self.pages:
            self.pages[-1].append((text, self._labels[-1]))
