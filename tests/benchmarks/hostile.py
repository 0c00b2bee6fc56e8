"""Every file of a folder through `ocrprep prepare`: how it ends, how long it takes, how much memory it needs.

    python -m tests.benchmarks.hostile FOLDER… [--limit SECONDS] [--lang NAMES] [--every N] [--json FILE]

Each file runs in a process of its own, under a limit in seconds. The memory is the largest sum of the resident memory
of that process and all its descendants, sampled 20 times a second (Linux). A file ends well when it leaves a bundle
that verifies, or one clear line and the right exit code, and nothing else: no traceback, no partial folder, no process.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

SAMPLED = 0.05
"""Seconds between two looks at the memory."""

PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024

CALM_ENDINGS = {0, 1, 3, 5}
"""Exit codes of a run over one file: prepared, source refused, no page could be read."""


@dataclass(frozen=True)
class Ran:
    """How one file ended: `outcome` is `bundle`, `refused`, or what must not be."""

    file: str
    outcome: str
    seconds: float
    peak_mb: int
    detail: str


def main() -> int:
    """Run all files, print the table, and return 1 when one ended badly."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--lang", default="eng")
    parser.add_argument("--every", type=int, default=1, help="only every Nth file")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    files = sorted(path for folder in asked.folders for path in folder.rglob("*") if path.is_file())[:: asked.every]
    rows = []
    for path in files:
        rows.append(run(path, asked.limit, asked.lang))
        row = rows[-1]
        print(f"{row.outcome:9} {row.seconds:6.1f} s {row.peak_mb:5} MB  {row.file}  {row.detail[:140]}", flush=True)
    counted = Counter(row.outcome for row in rows)
    print(f"\n{len(rows)} files: " + ", ".join(f"{count} {outcome}" for outcome, count in counted.most_common()))
    if rows:
        slow, large = max(rows, key=lambda row: row.seconds), max(rows, key=lambda row: row.peak_mb)
        print(f"slowest {slow.seconds:.1f} s ({slow.file}), largest {large.peak_mb} MB ({large.file})")
    if asked.json:
        asked.json.write_text(json.dumps([asdict(row) for row in rows], indent=1), encoding="utf-8")
    return int(any(row.outcome not in ("bundle", "refused") for row in rows))


def run(path: Path, limit: float, languages: str) -> Ran:
    """Prepare one file and judge how that ended."""
    out = Path(tempfile.mkdtemp(prefix="hostile-"))
    command = [sys.executable, "-m", "ocrprep", "prepare", str(path.resolve()), "-o", str(out), "--lang", languages]
    begun, peak = time.monotonic(), 0
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    timed_out = False
    while child.poll() is None:
        peak = max(peak, resident(child.pid))
        if time.monotonic() - begun > limit:
            timed_out = True
            child.send_signal(signal.SIGTERM)
            break
        time.sleep(SAMPLED)
    _, errors = child.communicate()
    seconds = time.monotonic() - begun
    outcome, detail = judge(child.returncode, timed_out, errors.decode("utf-8", "replace"), out)
    shutil.rmtree(out, ignore_errors=True)
    return Ran(f"{path.parent.name}/{path.name}", outcome, round(seconds, 2), peak // 1024, detail)


def judge(code: int, timed_out: bool, errors: str, out: Path) -> tuple[str, str]:
    """Say how a run ended, and the line that matters."""
    lines = [line for line in errors.splitlines() if line.strip()]
    left = sorted(each.name for each in out.iterdir())
    if timed_out:
        return "TIMEOUT", "over the limit"
    if "Traceback" in errors or code not in CALM_ENDINGS:
        return "CRASH", f"exit code {code}: {lines[-1] if lines else ''}"
    bundles = [name for name in left if name.endswith(".evidence")]
    if left != bundles:
        return "LEFTOVER", ", ".join(left)
    if code in (0, 1):
        if len(bundles) != 1:
            return "NO BUNDLE", ", ".join(left)
        from ocrprep import verify

        found = verify(out / bundles[0])
        return ("bundle", "; ".join(lines)) if found.ok else ("UNSOUND", found.problems[0])
    return ("refused", lines[-1]) if len(lines) == 1 and not bundles else ("UNCLEAR", " | ".join(lines))


def resident(root: int) -> int:
    """Return the resident memory, in KiB, of a process and its descendants now."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parents.setdefault(int((entry / "stat").read_text().rpartition(")")[2].split()[1]), []).append(
                    int(entry.name)
                )
            except (OSError, IndexError, ValueError):
                continue
    waiting, total = [root], 0
    while waiting:
        pid = waiting.pop()
        waiting += parents.get(pid, [])
        try:
            total += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_KIB
        except (OSError, IndexError, ValueError):
            continue
    return total


if __name__ == "__main__":
    sys.exit(main())
