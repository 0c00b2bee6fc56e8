"""The samples: what their truth promises, and that they are made the same every time."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageSequence

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
NAMES = ("book", "letter", "newsletter", "rotated", "scans", "turned")


@pytest.fixture(params=NAMES)
def truth(request: pytest.FixtureRequest) -> Any:
    """Give the truth of every sample in turn."""
    return json.loads((SAMPLES / "truth" / f"{request.param}.json").read_text(encoding="utf-8"))


def rebuilt(truth: Any, key: str) -> list[str]:
    """Join the lines of every paragraph or note as the hyphens' decisions say."""
    hyphens = {(hyphen["page"], hyphen["line"]): hyphen["decision"] for hyphen in truth["hyphens"]}
    texts: dict[int, str] = {}
    for page in truth["pages"]:
        for number, line in enumerate(page["lines"], start=1):
            if key not in line:
                continue
            text, end = line["text"], "\n" if line.get("keeps_line_end") else " "
            decision = hyphens.get((page["page"], number))
            if decision is not None:
                text, end = text[:-1] if decision == "join" else text, ""
            texts[line[key]] = texts.get(line[key], "") + text + end
    return [texts[index].strip() for index in sorted(texts)]


def test_lines_and_hyphens_give_the_reading(truth: Any) -> None:
    """The printed lines, joined by the recorded decisions, are the paragraphs, the notes and the reading."""
    assert rebuilt(truth, "paragraph") == truth["paragraphs"]
    assert rebuilt(truth, "note") == truth["notes"]
    assert "\n\n".join(truth["paragraphs"]) == truth["reading"]


def test_every_line_is_its_words_and_lies_on_its_page(truth: Any) -> None:
    """A line's text is its words' and its runs', and every box is on the page."""
    for page in truth["pages"]:
        width, height = page["size"]
        for line in page["lines"]:
            assert line["text"] == " ".join(word["text"] for word in line["words"])
            assert line["text"] == " ".join(run["text"] for run in line.get("runs", [line]))
            for x0, top, x1, bottom in [line["box"], *(word["box"] for word in line["words"])]:
                assert 0 <= x0 < x1 <= width
                assert 0 <= top < bottom <= height


def test_every_line_end_hyphen_is_decided(truth: Any) -> None:
    """Every line that ends in a hyphen has a decision that names both of its words."""
    lines = {
        (page["page"], number): line for page in truth["pages"] for number, line in enumerate(page["lines"], start=1)
    }
    hyphenated = {place for place, line in lines.items() if line["text"][-1] == "-" and line["label"] != "folio"}
    assert hyphenated == {(hyphen["page"], hyphen["line"]) for hyphen in truth["hyphens"]}
    for hyphen in truth["hyphens"]:
        assert lines[hyphen["page"], hyphen["line"]]["words"][-1]["text"] == hyphen["before"]
        assert lines[hyphen["to_page"], hyphen["to_line"]]["words"][0]["text"] == hyphen["after"]
        assert hyphen["text"] in " ".join([truth["reading"], *truth["notes"]])


@pytest.mark.parametrize("name", ["newsletter.png", "turned.jpg", "scans.tif"])
def test_pictures_have_the_size_that_the_truth_says(name: str) -> None:
    """A picture's page is its pixels, frame by frame."""
    truth = json.loads((SAMPLES / "truth" / f"{Path(name).stem}.json").read_text(encoding="utf-8"))
    with Image.open(SAMPLES / name) as picture:
        sizes = [list(frame.size) for frame in ImageSequence.Iterator(picture)]
    assert sizes == [page["size"] for page in truth["pages"]]


def test_two_runs_make_the_same_files(tmp_path: Path) -> None:
    """The generator has no dates, no unseeded chance and no order of sets in it."""
    for run in ("first", "second"):
        subprocess.run([sys.executable, SAMPLES / "generate.py", tmp_path / run], check=True)
    first, second = (
        {path.relative_to(tmp_path / run): path.read_bytes() for path in (tmp_path / run).rglob("*.*")}
        for run in ("first", "second")
    )
    assert len(first) == 2 * len(NAMES)
    assert first == second
