"""From quote to ink: how many words of drawn pages are found again, by recognition, where they were drawn.

    python -m tests.benchmarks.boxes [--pages N]

Pages are drawn with known word boxes, then skewed by up to 5 degrees, turned by quarters, cut by a crop box and rotated
by the PDF, at 150 to 400 dpi. A word counts when a word that was read overlaps its true box by 0.7 or more
(intersection over union); the true box of a skewed word is the upright box around its turned corners.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from itertools import product
from pathlib import Path

import ocrprep
from ocrprep.pages import Page
from tests.drawn import Drawn, cropped, drawn, overlap_share, pdf_of, quarter_turned, skewed

ENOUGH = 0.7

SKEWS = (0.0, 1.0, -2.5, 4.0, -5.0)
TURNS = (0, 1, 2, 3)
RESOLUTIONS = (300, 150, 200, 400)


def main() -> None:
    """Print the share of words found for each page, and over all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=40)
    asked = parser.parse_args()
    found = told = 0
    options = ocrprep.Options(images="none")
    with tempfile.TemporaryDirectory() as folder:
        kinds = list(product(TURNS, SKEWS, RESOLUTIONS))
        for number, (turns, skew, dpi) in enumerate(random.Random(1).sample(kinds, min(asked.pages, len(kinds)))):  # noqa: S311
            truth, path = make(Path(folder), number, turns, skew, dpi)
            page = ocrprep.prepare(path, options).representation.pages[0]
            hits = len(truth.words) - len(missed(truth, page))
            found, told = found + hits, told + len(truth.words)
            print(f"{path.suffix[1:]} {dpi} dpi, turned {turns}, skew {skew:+.1f}: {hits} of {len(truth.words)} words")
    print(f"{found} of {told} words, {found / told:.2%}, with an overlap of {ENOUGH} or more")


def make(folder: Path, number: int, turns: int, skew: float, dpi: int) -> tuple[Drawn, Path]:
    """Make a page as an image, or in a PDF with a crop box and /Rotate, and its words in the page frame."""
    page = skewed(drawn(number, dpi), skew)
    if number % 2:
        path = folder / f"{number}.pdf"
        return pdf_of(page, path, dpi, rotate=90 * turns, crop=(20, 30, 40, 10)), path
    page = quarter_turned(cropped(page, (dpi // 4, dpi // 3, page.image.width - dpi // 5, page.image.height)), turns)
    path = folder / f"{number}.png"
    page.image.save(path)
    return page, path


def missed(truth: Drawn, page: Page) -> list[str]:
    """Return the drawn words that no word read overlaps enough."""
    boxes = [page.words.box(at) for at in range(len(page.words))]
    return [word for word, box in truth.words if all(overlap_share(box, each) < ENOUGH for each in boxes)]


if __name__ == "__main__":
    main()
