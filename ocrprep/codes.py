"""The codes of page warnings: what each means, and whether it asks a person to look at the page.

One table for all that ask: the report, `--strict`, and whoever reads the records. A code that is not here is a fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Code:
    """What a code means; one that needs no review is a fact about the page that changes nothing in its text."""

    meaning: str
    needs_review: bool = True


CODES: Mapping[str, Code] = MappingProxyType(
    {
        "alternative_readings": Code("existing OCR offers other readings, which are kept aside", needs_review=False),
        "boxes_scaled": Code("boxes of existing OCR were scaled to the picture's pixels", needs_review=False),
        "boxes_unusable": Code("boxes of existing OCR are no places on a page"),
        "characters_replaced": Code("control characters of existing OCR were replaced"),
        "confidence_scale": Code("the confidences of existing OCR were read on another scale", needs_review=False),
        "confidences_unusable": Code("confidences of existing OCR are beyond their scale", needs_review=False),
        "embedded_files": Code("the PDF holds other files, which are not read"),
        "existing_ocr_disagrees": Code(
            "earlier OCR of the page says something else than was read now", needs_review=False
        ),
        "frames_not_read": Code("the image file holds more frames than were read"),
        "furniture_marked": Code("a line looks like page furniture and was only to be marked"),
        "hidden_layers": Code("the PDF has layers that are off by default, and not read"),
        "hidden_text": Code("the page holds text that cannot be seen on it"),
        "hyphens_supplied": Code("line-end hyphens that existing OCR only marks were written", needs_review=False),
        "image_damaged": Code("an image of the page is not whole"),
        "low_confidence": Code("the engine hardly believes its own reading of the page"),
        "low_resolution": Code("the page is too large for its pixel budget and was read at a low resolution"),
        "no_end_mark": Code("the PDF does not end as one: pages may be missing"),
        "ocr_file_repaired": Code("the file of existing OCR was damaged and repaired"),
        "ocr_levels_differ": Code("existing OCR says one thing in its lines and another in its words"),
        "orientation_unknown": Code("the page reads badly in every orientation"),
        "page_counts_disagree": Code("two readers count the pages of the PDF differently"),
        "page_image_does_not_fit": Code("the picture that existing OCR names is not of this page"),
        "page_image_missing": Code("the picture that existing OCR names is not there", needs_review=False),
        "page_image_unreadable": Code("the picture of a page of existing OCR cannot be read"),
        "pages_missing": Code("the PDF promises more pages than can be read"),
        "pdf_restrictions": Code("the owner of the PDF asks not to allow some uses", needs_review=False),
        "pdf_scripts": Code("the PDF holds scripts or actions, which are never run", needs_review=False),
        "pdf_xfa": Code("the PDF is a form whose pages a form program may show differently"),
        "reading_order_changed": Code(
            "lines that ran across columns or side notes were cut or moved", needs_review=False
        ),
        "reading_order_incomplete": Code("some regions of existing OCR are not in its reading order"),
        "structure_unchecked": Code("the structure of the PDF could not be checked for what it holds beside its pages"),
        "text_layer_disagrees": Code("the text layer says something else than the page shows"),
        "text_layer_overlaps": Code("words of the text layer lie over each other: some may be hidden"),
        "text_layer_unproved": Code("whether the text layer says what the page shows could not be proved"),
        "text_layer_unreadable": Code("lines of the text layer are no language: a broken font map, or a cipher"),
        "text_outside_pages": Code("existing OCR holds text outside its pages, which is not read"),
        "text_readers_disagree": Code("two readers see different text in the PDF"),
        "text_outside_words": Code("existing OCR holds text outside its words, kept where it stands"),
        "texts_overlap": Code("a line of the text layer lies over other text"),
        "turned_text": Code("blocks of existing OCR are turned by a quarter or more"),
        "undecided_edge_line": Code("a line at the edge of the page may be page furniture"),
        "word_boxes_estimated": Code("words of existing OCR have estimated boxes", needs_review=False),
        "words_outside_page": Code("words of existing OCR stick out of the page"),
    }
)


def needs_review(code: str) -> bool:
    """Say whether a warning asks a person to look; one of a code that this version does not know does."""
    return code not in CODES or CODES[code].needs_review
