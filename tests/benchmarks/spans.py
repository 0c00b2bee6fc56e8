"""Measure apply, the map and its lookups: `python -m tests.benchmarks.spans`.

A text of 700,000 characters (a novel) with 11,000 edits (one for each printed line), the median of nine runs.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

from ocrprep.spans import Edit, Span, apply

LENGTH, EDITS, RUNS = 700_000, 11_000, 9


def median_seconds(run: Callable[[], object]) -> float:
    """Return the median wall time of a call over a fixed number of runs."""
    times = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        run()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def main() -> None:
    """Print one line a figure."""
    text = "the quick brown fox jumps over it " * (LENGTH // 34)
    step = len(text) // EDITS
    edits = [Edit(Span(at, at + 2), " ", "join_line") for at in range(0, step * EDITS, step)]
    derived, span_map = apply(text, edits)
    print(f"{len(text):,} characters, {len(edits):,} edits")
    print(f"apply + map: {median_seconds(lambda: apply(text, edits)):.4f} s")
    print(f"replay from the map: {median_seconds(lambda: apply(text, span_map.edits(derived))):.4f} s")
    for length in (10, 1_000, 100_000, 600_000):
        spans = [Span(5, 5 + length)] * 1_000
        looked_up = median_seconds(partial(lambda these: [span_map.to_source(span) for span in these], spans))
        print(f"to_source, span of {length:>7,} characters: {looked_up * 1e3:.2f} µs")


if __name__ == "__main__":
    main()
