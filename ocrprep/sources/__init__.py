"""Sources: bytes become pages, as pixels with their map to the page frame and as text that the source itself carries.

`source` opens files and numbers their pages, `file_type` tells their kind, `scan` and `page_text` are the results.

- PDF: `pdf`; `pdf_facts` and `pdf_structure` for what it holds beside its pages; `page_image`, `resolution` and
  `damage` for its pixels; `text_layer` for its text, with `plumber`, `glyph_readers`, `glyphs`, `text_segments`,
  `text_lines` and `visible_text`.
- Images: `images`.
- Existing OCR: `ocr_file`, `existing_ocr`; `hocr`, `alto`, `page_xml` over `xml_file` and `given_text`; `ocr_image`.
- Pixels: `raster`; `recipe` prepares them for reading, with `skew`, `letters`, `shapes`, `levels` and `borders`.
- `faults` puts other libraries' errors into words, `deadline` stops what does not end.
"""

from ocrprep.sources.page_text import ExistingText, TextLayer
from ocrprep.sources.raster import ink_mask, ink_share, raster_hash, turned
from ocrprep.sources.recipe import Prepared, prepared
from ocrprep.sources.scan import PageFrame, Scan
from ocrprep.sources.source import Source, open_source, pictures_of

__all__ = [
    "ExistingText",
    "PageFrame",
    "Prepared",
    "Scan",
    "Source",
    "TextLayer",
    "ink_mask",
    "ink_share",
    "open_source",
    "pictures_of",
    "prepared",
    "raster_hash",
    "turned",
]
