"""The published JSON Schemas, by name."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from ocrprep.records.reading import ReadingRecord
from ocrprep.records.representation import PageRecord, RepresentationHeader

SCHEMAS: dict[str, type[BaseModel]] = {
    "representation-header": RepresentationHeader,
    "representation-page": PageRecord,
    "reading": ReadingRecord,
}


def json_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a record; raises KeyError for an unknown name."""
    schema = SCHEMAS[name].model_json_schema(by_alias=True, mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
