"""Sources: bytes become scans, one raster a page with its map to the page frame.

`source` opens files and numbers their pages; `pdf` and `images` read the two kinds of file; `page_image` decides
whether a PDF page is one image that can be taken as it is; `raster` turns, hashes and measures pixels; `scan` is the
result; `faults` puts other libraries' errors into words.
"""

from ocrprep.sources.raster import ink_share, raster_hash, turned
from ocrprep.sources.scan import PageFrame, Scan
from ocrprep.sources.source import Source, open_source

__all__ = ["PageFrame", "Scan", "Source", "ink_share", "open_source", "raster_hash", "turned"]
