"""Measure the main job: `python -m tests.benchmarks.pages [FILE…]` (default: the project's samples).

For each document: pages, seconds from bytes to a saved bundle, seconds a page, the memory of the largest worker so far;
where a truth lies beside it (`truth/<stem>.json`), how far the reading is from it: character errors of the whole,
furniture that was dropped, text dropped beyond the truth, hyphen decisions, folios.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rapidfuzz.distance import Levenshtein

import ocrprep
from ocrprep.preparation import Preparation

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
FURNITURE = ("running_head", "running_foot", "folio")


def main() -> None:
    """Print a row a document."""
    given = [Path(each) for each in sys.argv[1:]]
    files = given or [path for path in sorted(SAMPLES.iterdir()) if (SAMPLES / "truth" / f"{path.stem}.json").exists()]
    print(f"{'document':<20} {'pages':>5} {'s':>6} {'s/page':>6} {'MiB':>5}  against the truth")
    for path in files:
        with tempfile.TemporaryDirectory() as folder:
            begun = time.perf_counter()
            preparation = ocrprep.prepare(path)
            preparation.save(folder)
            seconds = time.perf_counter() - begun
        pages = len(preparation.representation.pages)
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        row = f"{path.name[:20]:<20} {pages:>5} {seconds:>6.2f} {seconds / pages:>6.2f} {memory:>5}"
        truth = path.parent / "truth" / f"{path.stem}.json"
        print(row, against(preparation, json.loads(truth.read_text(encoding="utf-8"))) if truth.exists() else "")


def against(preparation: Preparation, truth: dict[str, Any]) -> str:
    """Say how far a reading is from the truth."""
    text = preparation.reading.text
    errors = Levenshtein.distance(text, truth["reading"]) / max(len(truth["reading"]), 1)
    wanted = [
        (page["page"], run["label"])
        for page in truth["pages"]
        for line in page["lines"]
        for run in line.get("runs", [line])
        if run["label"] in FURNITURE
    ]
    dropped = preparation.record.dropped_lines
    found = sum(min(wanted.count(key), sum((d.page, d.kind) == key for d in dropped)) for key in set(wanted))
    beyond = [d.text for d in dropped if (d.page, d.kind) not in wanted]
    joined = preparation.reading.text.split()
    hyphens = [each for each in truth["hyphens"] if each["decision"] != "undecided"]
    right = sum(any(each["text"] in word for word in joined) for each in hyphens)
    folios = {page.page: page.folio.value for page in preparation.record.pages if page.folio}
    counted = {page["page"]: page["counted"] for page in truth["pages"] if page["folio"]}
    same = sum(folios.get(page) == value for page, value in counted.items())
    return (
        f"reading differs {errors:.2%}; furniture dropped {found}/{len(wanted)}, beyond the truth {beyond}; "
        f"hyphens right {right}/{len(hyphens)}; folios right {same}/{len(counted)}"
    )


if __name__ == "__main__":
    main()
