"""The truth of a sample: what is printed where, what its line-end hyphens are, and the reading meant."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .breaking import Joint
from .drawing import POINTS_PER_INCH, Box, ink_boxes
from .layout import HYPHENS, Page, PrintedLine, Run
from .setting import Word
from .wear import Tilt, Wear

DECISIONS = {Joint.SOFT: "join", Joint.HARD: "keep", Joint.AMBIGUOUS: "undecided"}


@dataclass(frozen=True, slots=True)
class View:
    """How boxes on the upright printed page become boxes of the sample's page."""

    wear: Wear
    unit: str = "pt"
    rotate: int = 0
    """The PDF page's /Rotate entry."""
    turn: int = 0
    """Degrees clockwise that set a picture upright: 0, or 270 for one that was stored turned to the right."""

    @property
    def scale(self) -> float:
        """Sample units in a point."""
        return self.wear.dpi / POINTS_PER_INCH if self.unit == "px" else 1.0

    def size(self, page: Page) -> tuple[float, float]:
        """Return the page's width and height as it is shown."""
        width, height = round(page.width * self.scale, 2), round(page.height * self.scale, 2)
        return (height, width) if self.turn else (width, height)

    def box(self, box: Box, page: Page) -> Box:
        """Return where a box of the printed page lies in the sample."""
        tilted = Tilt(page.width, page.height, self.wear.skew).box(box)
        x0, top, x1, bottom = (value * self.scale for value in tilted)
        if not self.turn:
            return x0, top, x1, bottom
        right = page.height * self.scale
        return right - bottom, x0, right - top, x1


def sample_truth(
    name: str, pages: Sequence[tuple[Page, View]], paragraphs: Sequence[str], notes: Sequence[str]
) -> dict[str, Any]:
    """Return the truth of a sample in the format that README.md describes."""
    return {
        "sample": name,
        "pages": [_page_truth(number, page, view) for number, (page, view) in enumerate(pages, start=1)],
        "hyphens": list(_hyphens([page for page, _ in pages])),
        "paragraphs": list(paragraphs),
        "notes": list(notes),
        "reading": "\n\n".join(paragraphs),
    }


def truth_json(truth: dict[str, Any]) -> str:
    """Return a truth as compact JSON, one printed line or hyphen on a line of its own."""
    packed = json.dumps(truth, ensure_ascii=False, separators=(",", ":"))
    for opening in ('{"page":', '{"label":', '"hyphens":', '"paragraphs":', '"notes":', '"reading":'):
        packed = packed.replace("," + opening, ",\n" + opening)
    return packed + "\n"


def _page_truth(number: int, page: Page, view: View) -> dict[str, Any]:
    boxes = {key: tuple(round(value, 2) for value in view.box(box, page)) for key, box in ink_boxes(page).items()}
    return {
        "page": number,
        "state": "read" if page.lines else "blank",
        "size": view.size(page),
        "unit": view.unit,
        "folio": page.folio,
        "counted": page.counted,
        "skew": view.wear.skew,
        "rotate": view.rotate,
        "turn": view.turn,
        "lines": [_line_truth(line, boxes) for line in page.lines],
    }


def _line_truth(line: PrintedLine, boxes: dict[tuple[Word, float], Any]) -> dict[str, Any]:
    words = [{"text": word.text, "box": boxes[word, run.baseline]} for run in line for word in run.words]
    first = line[0]
    truth: dict[str, Any] = {"label": first.label, "text": _text(line), "box": _around(words)}
    if first.note is not None:
        truth["note"] = first.note
    elif first.paragraph is not None:
        truth["paragraph"] = first.paragraph
    if first.joint is Joint.ROW:
        truth["keeps_line_end"] = True
    if len(line) > 1:
        truth["runs"] = [
            {
                "label": run.label,
                "text": _text([run]),
                "box": _around([{"box": boxes[word, run.baseline]} for word in run.words]),
            }
            for run in line
        ]
    return truth | {"words": words}


def _text(runs: Iterable[Run]) -> str:
    return " ".join(word.text for run in runs for word in run.words)


def _around(words: Sequence[dict[str, Any]]) -> Box:
    x0s, tops, x1s, bottoms = zip(*(word["box"] for word in words), strict=True)
    return min(x0s), min(tops), max(x1s), max(bottoms)


def _hyphens(pages: Sequence[Page]) -> Iterator[dict[str, Any]]:
    """Yield every line-end hyphen, paired with the line that goes on with its paragraph or note."""
    printed = [
        (page_number, line_number, line[0])
        for page_number, page in enumerate(pages, start=1)
        for line_number, line in enumerate(page.lines, start=1)
    ]
    for index, (page_number, line_number, run) in enumerate(printed):
        if run.joint not in HYPHENS:
            continue
        goes_on = next(place for place in printed[index + 1 :] if _text_of(place[2]) == _text_of(run))
        yield _hyphen(page_number, line_number, run, goes_on)


def _text_of(run: Run) -> tuple[int | None, int | None]:
    """Return which paragraph or note a run belongs to."""
    return run.paragraph, run.note


def _hyphen(page: int, line: int, run: Run, goes_on: tuple[int, int, Run]) -> dict[str, Any]:
    before, after = run.words[-1].text, goes_on[2].words[0].text
    kept, joined = before + after, before[:-1] + after
    truth: dict[str, Any] = {
        "page": page,
        "line": line,
        "to_page": goes_on[0],
        "to_line": goes_on[1],
        "before": before,
        "after": after,
        "decision": DECISIONS[run.joint],
        "text": joined if run.joint is Joint.SOFT else kept,
    }
    return truth | ({"alternatives": [kept, joined]} if run.joint is Joint.AMBIGUOUS else {})
