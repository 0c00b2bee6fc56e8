"""Make the sample scans and their truth: `python samples/generate.py [OUTDIR]`; default: beside this file."""

import sys
from pathlib import Path

from generator.scans import samples
from generator.truth import truth_json


def generate(folder: Path) -> None:
    """Write every sample into a folder, and its truth into the folder `truth` within it."""
    (folder / "truth").mkdir(parents=True, exist_ok=True)
    for make in samples():
        sample = make()
        (folder / sample.name).write_bytes(sample.content)
        truth = folder / "truth" / f"{Path(sample.name).stem}.json"
        truth.write_text(truth_json(sample.truth), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
