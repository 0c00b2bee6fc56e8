"""What all provenance records share: camelCase on paper, frozen, strict, closed to unknown fields."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

SchemaVersion = Literal[1, 2]
SCHEMA_VERSION: SchemaVersion = 2
"""Bumped with every change of the written records; older versions stay readable, and are written as they were.

2: `textEvidence` of a page; the options `recipe` and `textCover` of recognition.
"""

PROVENANCE = ConfigDict(
    frozen=True, strict=True, extra="forbid", alias_generator=to_camel, populate_by_name=True, ser_json_inf_nan="null"
)

Identifier = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Confidence = Annotated[float, Field(ge=0.0, le=1.0)]
Offsets = tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]]
"""A span: start and end in Unicode code points, 0-based, half-open."""

BoxRow = tuple[float, float, float, float]
"""A box: x0, top, x1, bottom in the page frame."""


class ProvenanceRecord(BaseModel):
    """A record of what was read or derived."""

    model_config = PROVENANCE
