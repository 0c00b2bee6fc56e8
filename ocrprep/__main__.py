"""The entry of `ocrprep` and `python -m ocrprep`."""

from __future__ import annotations

from ocrprep.cli import main

if __name__ == "__main__":
    main()
