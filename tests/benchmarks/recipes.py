"""Measure raster recipes: `python -m tests.benchmarks.recipes FOLDER --lang eng [--recipe none --recipe deskew]`.

FOLDER is searched, with its subfolders, for images and PDFs that have a truth: a file whose name starts like theirs up
to the first full stop and that is ALTO or PAGE (`.xml`), hOCR (`.hocr`), plain text (`.gt.txt`, `.txt`), or the
project's own (`.json`). Where some are named `.truth.` or `.gt.` or lie in a folder `gt`, `truth` or `ground_truth`,
only those count.

How it is scored:

1. A page is prepared by the recipe and read once as it lies. The words' boxes go back to the page by the recipe's map.
2. Each word read is given to the truth line whose middle, at the word's place, is nearest to the word's middle and no
   farther than `_REACH` of that line's height; without one it is beyond the truth. So reading order, columns and lines
   that were cut or merged do not count, and a wrong map would.
3. A line's words, from left to right, are compared with its truth by Levenshtein distance. CER is the sum of distances
   over the sum of the truth's characters; `beyond` is the characters beyond the truth over the same sum.
4. A plain-text truth has no places: the whole page, in reading order, is compared with the whole text.

Both texts are folded alike first: long s, quotes, dashes, white space, umlauts written with a small e above.

Files are numbered in the order of their names. `--half choose` takes the odd ones, for choosing a recipe, `--half
report` the even ones, for reporting what it does. `--turn` and `--scale` damage the pages first. A recipe may also name
steps that are only measured: `otsu`, `two_thirds`, `level` (deskew from the smallest angle on), `height_24` (scale up
or down until the text height is 24 pixels). Seconds are of processor time, so that other work on the machine does not
count; set OMP_THREAD_LIMIT=1, as the package's workers do.
"""

from __future__ import annotations

import argparse
import json
import re
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree
from PIL import Image
from rapidfuzz.distance import Levenshtein

from ocrprep.engines import Engine, model_folder, open_engine, set_up
from ocrprep.options import RecognitionOptions
from ocrprep.pages import Affine, ImageTransformation, Line, Raster, Word
from ocrprep.sources import Scan, open_source
from ocrprep.sources.letters import text_height
from ocrprep.sources.levels import otsu, paper_level
from ocrprep.sources.raster import grey_image, raster_hash, raster_of
from ocrprep.sources.recipe import STEPS, Prepared, deskewed, levelling, scaled

_REACH = 0.7
"""Share of a line's height: half of it is to its edge."""

_PICTURES = {".png", ".jpg", ".jpeg", ".tif", ".tiff", ".pdf"}
_TRUTHS = (".json", ".hocr", ".xml", ".txt")

_FOLDED = str.maketrans(
    {
        "ſ": "s",
        "¬": "-",
        "⸗": "-",
        "–": "-",
        "—": "-",
        "‘": "'",
        "’": "'",
        "‚": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "ﬁ": "fi",
        "ﬂ": "fl",
    }
)


@dataclass(frozen=True, slots=True)
class TrueLine:
    """A line of the truth: its text, and in the page frame its ends, the middles of its places and its height."""

    text: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    height: float

    def distance(self, x: float, y: float) -> float:
        """Return how far a point lies from the line's middle, in heights; infinite beside its ends."""
        if not self.xs[0] - self.height <= x <= self.xs[-1] + self.height:
            return float("inf")
        return float(abs(y - np.interp(x, self.xs, self.ys)) / self.height)


@dataclass(frozen=True, slots=True)
class Truth:
    """The truth of a page: lines with places, or one text without."""

    lines: tuple[TrueLine, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What was measured on one page with one recipe; times in seconds of processor time."""

    page: str
    recipe: str
    errors: int
    beyond: int
    length: int
    preparing: float
    reading: float
    height: float | None
    steps: list[dict[str, Any]]


def main() -> None:
    """Print a row a recipe for each folder."""
    asked = _arguments()
    options = RecognitionOptions(languages=asked.lang)
    recipes = asked.recipe or ["none", *STEPS, "otsu", "two_thirds", "deskew,upscale", ",".join(STEPS)]
    with model_folder(options.languages) as models:
        engine = open_engine(set_up(options, models))
        print(f"{engine.fingerprint.engine} {engine.fingerprint.version}, Leptonica {engine.fingerprint.leptonica}")
        for name, identifier in sorted(models.hashes.items()):
            print(f"model {name} {identifier}")
        for folder in asked.folder:
            results = [r for page in pages(folder, asked) for r in measure(page, recipes, engine, options, asked)]
            show(folder, recipes, results)
            if asked.json:
                with asked.json.open("a", encoding="utf-8") as file:
                    for result in results:
                        row = {"folder": folder.name, "turn": asked.turn, "scale": asked.scale, "lang": asked.lang}
                        print(json.dumps(row | {name: getattr(result, name) for name in Result.__slots__}), file=file)
        engine.close()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--lang", default="eng", help="models, such as eng or deu+frk")
    parser.add_argument("--recipe", action="append", help="steps with commas between, or none; may be repeated")
    parser.add_argument("--half", choices=("choose", "report", "both"), default="both")
    parser.add_argument("--pages", type=int, help="at most so many pages of each half and folder, evenly spread")
    parser.add_argument("--turn", type=float, default=0.0, help="degrees clockwise by which pages are turned first")
    parser.add_argument("--scale", type=float, default=1.0, help="factor by which pages are scaled first")
    parser.add_argument("--json", type=Path, help="a file to which a line a page and recipe is added")
    return parser.parse_args()


def pages(folder: Path, asked: argparse.Namespace) -> Iterator[tuple[str, Scan, Truth]]:
    """Yield the pages of a folder with their truth."""
    found = [(path, truth) for path in sorted(folder.rglob("*")) if (truth := _truth_of(path, folder)) is not None]
    named = any(_is_named(truth) for _, truth in found)
    halves = {"choose": found[0::2], "report": found[1::2], "both": found}
    chosen = [(path, truth) for path, truth in halves[asked.half] if _is_named(truth) or not named]
    if asked.pages and len(chosen) > asked.pages:
        chosen = [chosen[index * len(chosen) // asked.pages] for index in range(asked.pages)]
    for path, truth_path in chosen:
        source = open_source([path])
        for number, page in read_truth(truth_path).items():
            yield f"{path.name}#{number}", source.scan(number, RecognitionOptions()), page
        source.close()


def _truth_of(path: Path, folder: Path) -> Path | None:
    if path.suffix.lower() not in _PICTURES:
        return None
    stem = path.name.partition(".")[0]
    fits = [each for each in folder.rglob(f"{stem}.*") if each.suffix in _TRUTHS]
    return min(fits, key=_rank, default=None)


def _rank(path: Path) -> tuple[bool, int]:
    return not _is_named(path), _TRUTHS.index(path.suffix)


def _is_named(path: Path) -> bool:
    """Say whether a file calls itself a truth: beside such files, others are some engine's reading."""
    return not {"truth", "gt", "ground_truth"}.isdisjoint({*path.name.split("."), *path.parts})


def measure(
    page: tuple[str, Scan, Truth],
    recipes: Sequence[str],
    engine: Engine,
    options: RecognitionOptions,
    asked: argparse.Namespace,
) -> Iterator[Result]:
    """Read one page by each recipe; a recipe that makes the same raster as another is read once."""
    name, scan, truth = page
    given = _damaged(scan.raster, asked.turn, asked.scale)
    height = text_height(given.raster)
    seen: dict[str, tuple[list[Line], float]] = {}
    for recipe in recipes:
        begun = time.process_time()
        ready = follow(given.raster, recipe, options.max_pixels)
        preparing = time.process_time() - begun
        key = f"{raster_hash(ready.raster)} {ready.raster.dpi}"
        if key not in seen:
            begun = time.process_time()
            seen[key] = engine.read(ready.raster), time.process_time() - begun
        lines, reading = seen[key]
        affine = ready.affine.then(given.affine).then(scan.affine)
        errors, beyond, length = score(lines, affine, truth)
        steps = [{step.name: dict(step.parameters)} for step in ready.steps]
        yield Result(name, recipe, errors, beyond, length, preparing, reading, height, steps)


def follow(raster: Raster, recipe: str, most_pixels: int) -> Prepared:
    """Take the steps of a recipe in the order in which it names them."""
    result = Prepared(raster)
    for name in recipe.split(",") if recipe != "none" else ():
        if name.startswith("height_"):
            done = _to_height(result.raster, float(name.removeprefix("height_")))
        else:
            done = MEASURED[name](result.raster, most_pixels)
        if done is not None:
            affine = done.affine.then(result.affine)
            result = Prepared(done.raster, (*result.steps, *done.steps), affine, result.skew + done.skew)
    return result


def _otsu(raster: Raster, _: int) -> Prepared:
    done, parameters = otsu(raster)
    return Prepared(done, (ImageTransformation("otsu", parameters),))


def _two_thirds(raster: Raster, _: int) -> Prepared:
    return scaled(raster, 2 / 3)


def _level(raster: Raster, most_pixels: int) -> Prepared | None:
    return deskewed(raster, most_pixels, smallest=0.0)


def _to_height(raster: Raster, wanted: float) -> Prepared | None:
    height = text_height(raster)
    return None if height is None else scaled(raster, wanted / height)


MEASURED: dict[str, Callable[[Raster, int], Prepared | None]] = {
    **dict(STEPS.items()),
    "otsu": _otsu,
    "level": _level,
    "two_thirds": _two_thirds,
}


def _damaged(raster: Raster, turn: float, scale: float) -> Prepared:
    """Turn and scale a page as a careless scan at another resolution would."""
    result = Prepared(raster)
    if turn:
        affine, size = levelling(raster.width, raster.height, -turn)
        coefficients = (affine.a, affine.c, affine.e, affine.b, affine.d, affine.f)
        turned = grey_image(raster).transform(
            size, Image.Transform.AFFINE, coefficients, Image.Resampling.BICUBIC, fillcolor=paper_level(raster)
        )
        result = Prepared(raster_of(turned, raster.dpi), affine=affine)
    if scale != 1.0:
        smaller = scaled(result.raster, scale)
        result = Prepared(smaller.raster, affine=smaller.affine.then(result.affine))
    return result


def score(lines: Sequence[Line], affine: Affine, truth: Truth) -> tuple[int, int, int]:
    """Return the edits, the characters beyond the truth and the truth's characters."""
    if not truth.lines:
        read = folded(" ".join(word.text for line in lines for word in line.words))
        return Levenshtein.distance(read, truth.text), 0, len(truth.text)
    given: list[list[tuple[float, str]]] = [[] for _ in truth.lines]
    beyond = 0
    for word in (word for line in lines for word in line.words):
        index, x = _place(word, affine, truth.lines)
        if index is None:
            beyond += len(word.text)
        else:
            given[index].append((x, word.text))
    texts = [folded(" ".join(text for _, text in sorted(words))) for words in given]
    errors = sum(Levenshtein.distance(read, line.text) for read, line in zip(texts, truth.lines, strict=True))
    return errors, beyond, sum(len(line.text) for line in truth.lines)


def _place(word: Word, affine: Affine, lines: Sequence[TrueLine]) -> tuple[int | None, float]:
    x, y = affine.point(*word.box.centre)
    distance, index = min((line.distance(x, y), index) for index, line in enumerate(lines))
    return (index if distance <= _REACH else None), x


def folded(text: str) -> str:
    """Return a text as it is compared."""
    text = unicodedata.normalize("NFC", text.replace("\u0364", "\u0308"))
    return " ".join(text.translate(_FOLDED).split())


def read_truth(path: Path) -> dict[int, Truth]:
    """Return the truth by 1-based page number."""
    if path.suffix == ".txt":
        return {1: Truth(text=folded(path.read_text(encoding="utf-8")))}
    if path.suffix == ".json":
        pages = json.loads(path.read_text(encoding="utf-8"))["pages"]
        upright = (page for page in pages if page["state"] == "read" and not page.get("turn"))
        return {page["page"]: Truth(tuple(_of_words(_words(line)) for line in page["lines"])) for page in upright}
    root = etree.parse(path, etree.XMLParser(resolve_entities=False, no_network=True, recover=True)).getroot()
    kind = etree.QName(root).localname
    read = {"alto": _alto, "PcGts": _page_xml, "html": _hocr}[kind]
    return {1: Truth(tuple(line for line in read(root) if line.text))}


def _words(line: dict[str, Any]) -> list[tuple[str, Sequence[float]]]:
    return [(word["text"], word["box"]) for word in line["words"]]


def _of_words(words: Sequence[tuple[str, Sequence[float]]]) -> TrueLine:
    """Make a line of its words: its middle is the straight line through theirs."""
    middles = [((x0 + x1) / 2, (top + bottom) / 2) for _, (x0, top, x1, bottom) in words]
    xs = min(box[0] for _, box in words), max(box[2] for _, box in words)
    slope, level = 0.0, float(np.mean([y for _, y in middles]))
    if len({x for x, _ in middles}) > 2:
        slope, level = map(float, np.polyfit([x for x, _ in middles], [y for _, y in middles], 1))
    ys = tuple(level + slope * x for x in xs)
    height = max(box[3] - box[1] for _, box in words)
    return TrueLine(folded(" ".join(text for text, _ in words)), xs, ys, max(height, 1.0))


def _of_outline(text: str, points: Sequence[tuple[float, float]]) -> TrueLine:
    """Make a line of its outline: its middle is between the upper and the lower edge at nine places."""
    xs = np.linspace(min(x for x, _ in points), max(x for x, _ in points), 9)
    edges = list(zip(points, [*points[1:], points[0]], strict=True))
    ys, heights = [], []
    for x in xs:
        crossed = [
            y0 + (y1 - y0) * (x - x0) / (x1 - x0)
            for (x0, y0), (x1, y1) in edges
            if min(x0, x1) <= x <= max(x0, x1) and x0 != x1
        ] or [y for _, y in points]
        ys.append((min(crossed) + max(crossed)) / 2)
        heights.append(max(crossed) - min(crossed))
    return TrueLine(folded(text), tuple(map(float, xs)), tuple(map(float, ys)), max(float(np.median(heights)), 1.0))


def _alto(root: Any) -> Iterator[TrueLine]:
    for line in root.iter("{*}TextLine"):
        text = " ".join(each.get("CONTENT", "") for each in line.iter("{*}String"))
        outline = next(line.iter("{*}Polygon"), None)
        x, y, width, height = (float(line.get(name, 0)) for name in ("HPOS", "VPOS", "WIDTH", "HEIGHT"))
        box = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        yield _of_outline(text, box if outline is None else _points(outline.get("POINTS", "")))


def _page_xml(root: Any) -> Iterator[TrueLine]:
    for line in root.iter("{*}TextLine"):
        text = next((each.text or "" for each in line.iterfind("{*}TextEquiv/{*}Unicode")), "")
        yield _of_outline(text, _points(line.find("{*}Coords").get("points", "")))


def _hocr(root: Any) -> Iterator[TrueLine]:
    for line in root.iter("{*}span"):
        if line.get("class") in ("ocr_line", "ocr_header", "ocr_textfloat", "ocr_caption"):
            words = [
                ("".join(word.itertext()).strip(), _points_of_title(word.get("title", "")))
                for word in line.iter("{*}span")
                if word.get("class") == "ocrx_word"
            ]
            words = [(text, box) for text, box in words if text]
            if words:
                yield _of_words(words)


def _points(text: str) -> list[tuple[float, float]]:
    numbers = [float(each) for each in re.findall(r"-?[\d.]+", text)]
    return list(zip(numbers[0::2], numbers[1::2], strict=True))


def _points_of_title(title: str) -> list[float]:
    return [float(each) for each in re.search(r"bbox((?: -?[\d.]+){4})", title)[1].split()]  # type: ignore[index]


def show(folder: Path, recipes: Sequence[str], results: Sequence[Result]) -> None:
    """Print the sums of a folder."""
    count = len({result.page for result in results})
    print(f"\n{folder.name}: {count} pages, {sum(r.length for r in results if r.recipe == recipes[0])} characters")
    print(f"{'recipe':<42}     CER  beyond better  worse  prepare  s/page changed")
    before = {result.page: result.errors for result in results if result.recipe == recipes[0]}
    for recipe in recipes:
        rows = [result for result in results if result.recipe == recipe]
        length = max(sum(each.length for each in rows), 1)
        shift = [(each.errors - before[each.page]) / max(each.length, 1) for each in rows]
        print(
            f"{recipe:<42} {sum(e.errors for e in rows) / length:>7.2%} {sum(e.beyond for e in rows) / length:>7.2%}"
            f" {sum(s < -0.002 for s in shift):>6} {sum(s > 0.002 for s in shift):>6}"
            f" {sum(e.preparing for e in rows) / max(count, 1):>8.3f}"
            f" {sum(e.preparing + e.reading for e in rows) / max(count, 1):>7.2f} {sum(bool(e.steps) for e in rows):>7}"
        )


if __name__ == "__main__":
    main()
