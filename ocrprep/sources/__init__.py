"""Sources: bytes become scans, one raster a page with its map to the page frame."""
