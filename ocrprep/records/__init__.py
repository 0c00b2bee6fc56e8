"""The written vocabulary: what stands in a bundle's files, validated, with a published JSON Schema for each.

Provenance records use camelCase. What comes once a file is a pydantic model; what comes in thousands is a frozen
slotted dataclass that pydantic checks, at a tenth of the memory. In Python the fields have snake_case names.
"""

from ocrprep.records.base import SCHEMA_VERSION
from ocrprep.records.reading import (
    ContentHash,
    DroppedLine,
    Flow,
    FolioRecord,
    ReadingPage,
    ReadingRecord,
    RetainedSpan,
    SetAsideRecord,
    Transformation,
)
from ocrprep.records.representation import (
    EngineFingerprint,
    PageRecord,
    RepresentationHeader,
    SourceFile,
    header_from_json,
    header_to_json,
    page_from_json,
    page_to_json,
)
from ocrprep.records.schemas import SCHEMAS, json_schema

__all__ = [
    "SCHEMAS",
    "SCHEMA_VERSION",
    "ContentHash",
    "DroppedLine",
    "EngineFingerprint",
    "Flow",
    "FolioRecord",
    "PageRecord",
    "ReadingPage",
    "ReadingRecord",
    "RepresentationHeader",
    "RetainedSpan",
    "SetAsideRecord",
    "SourceFile",
    "Transformation",
    "header_from_json",
    "header_to_json",
    "json_schema",
    "page_from_json",
    "page_to_json",
]
