"""The settings of a run, frozen: each default with its reason, each threshold with what chose it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic.alias_generators import to_camel

from ocrprep.pages import FurnitureKind

Ratio = Annotated[float, Field(ge=0.0, le=1.0)]

RecipeStep = Literal["border_crop", "deskew", "upscale", "binarise"]
"""What can be done to a page's pixels before they are read, in this order."""


class Settings(BaseModel):
    """Frozen, strict, and closed to unknown names; camelCase where it is written into a record."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, alias_generator=to_camel, populate_by_name=True)


class RecognitionOptions(Settings):
    """What decides the representation. Every field is part of its ID."""

    engine: Literal["auto", "tesserocr", "pytesseract"] = "auto"
    """`auto` takes the in-process engine, which needs no system package, else the system's binary."""

    languages: tuple[str, ...] = ("eng",)
    """Tesseract model names. All must be there: Tesseract itself would read on without a missing one."""

    ocr: Literal["auto", "force", "never"] = "auto"
    """`auto` reads the pixels of every page whose own visible text does not cover its ink or cannot be believed;
    `force` reads all pixels; `never` reads none: pages without text of their own are recorded as skipped."""

    text_cover: Ratio = 0.95
    """The share of a page's ink that its visible text layer must paint so that no pixels need to be read. Pages that
    are only text have 0.98 and more, a full-page scan with a stamp as its only text has under 0.3."""

    recipe: tuple[RecipeStep, ...] = ("border_crop", "deskew", "upscale")
    """What is done to the pixels before they are read; see calibration/README.md for the measurement."""

    page_segmentation: Annotated[int, Field(ge=1, le=13)] = 3
    """Tesseract's mode 3: automatic layout without orientation detection, its own default."""

    render_dpi: Annotated[int, Field(ge=72, le=600)] = 300
    """Resolution for pages that have to be rendered: what Tesseract's documentation recommends for its models."""

    image_dpi_range: tuple[float, float] = (120.0, 650.0)
    """A page that is one full-page image keeps that image's own pixels within this range. Below, interpolation by the
    renderer helps the engine; above, more pixels cost time and gain nothing."""

    max_pixels: Annotated[int, Field(ge=1)] = 120_000_000
    """The pixel budget of one page: an A2 sheet at 400 dpi has 65 million. A larger one fails with a clear reason."""

    turn_below: Ratio = 0.6
    """A page read with a mean confidence under this is read again in the other orientations; upright pages of the
    project's samples score above 0.85, sideways ones below 0.5."""

    turn_gain: Ratio = 0.15
    """Another orientation is believed only when it raises the mean confidence by this much."""

    @field_validator("recipe")
    @classmethod
    def _in_order(cls, recipe: tuple[RecipeStep, ...]) -> tuple[RecipeStep, ...]:
        """Write a recipe in the one order in which its steps are taken."""
        return tuple(step for step in get_args(RecipeStep) if step in recipe)

    @field_validator("languages", mode="before")
    @classmethod
    def _split(cls, languages: object) -> object:
        """Accept `eng+fra` and lists beside tuples."""
        names = languages.split("+") if isinstance(languages, str) else languages
        return tuple(dict.fromkeys(names)) if isinstance(names, list | tuple) else names

    @field_validator("languages")
    @classmethod
    def _names(cls, languages: tuple[str, ...]) -> tuple[str, ...]:
        if not languages or any(not name or not name.replace("_", "").isalnum() for name in languages):
            raise ValueError("name at least one language model, such as eng or eng+fra")
        if "osd" in languages:
            raise ValueError("osd finds orientations and reads nothing: name a language, such as eng")
        return languages


class ReadingOptions(Settings):
    """What decides a reading of a given representation. Every field is part of its ID."""

    furniture: Literal["off", "mark", "strict", "drop"] = "drop"
    """`drop` leaves page furniture out of the reading, `strict` only what is nearly certain; `mark` only flags it;
    `off` does not look for it."""

    keep: tuple[FurnitureKind, ...] = ()
    """Kinds of page furniture that stay in the reading, such as running_head."""

    reflow: bool = True
    """Join lines and line-end hyphens; without it the reading keeps the printed lines."""

    edge_lines: Annotated[int, Field(ge=1)] = 4
    """How many lines at the top and at the bottom of a page may be furniture: a running head and a rule or folio."""

    edge_zone: Ratio = 0.16
    """The share of the page's height, from its outermost line inwards, in which furniture may stand."""

    repeat_pages: Annotated[int, Field(ge=2)] = 2
    """A running head repeats on at least so many pages."""

    head_similarity: Ratio = 0.75
    """Two edge lines are the same running head from this similarity of their letters on (OCR noise)."""


class Options(Settings):
    """Everything that `prepare` can be told."""

    recognition: RecognitionOptions = RecognitionOptions()
    reading: ReadingOptions = ReadingOptions()

    pages: str | None = None
    """Pages to read, such as `1-5,9`; the others are recorded as skipped. Part of the representation's ID."""

    jobs: Annotated[int, Field(ge=1)] | None = None
    """Worker processes; by default one for each core that this process may use."""

    page_timeout: Annotated[float, Field(gt=0, le=86_400)] = 300.0
    """Seconds after which a page's worker is killed and the page recorded as failed; dense newspapers take 60."""

    images: Literal["review", "none"] = "review"
    """Whether page pictures for review go into the bundle."""

    retention: Literal["full", "hash_only"] = "full"
    """`hash_only` keeps neither the source's bytes nor page pictures, only their hash."""

    passwords: tuple[str, ...] = Field(default=(), repr=False)
    """Tried in turn on an encrypted PDF; never written into a record or onto a command line."""

    tessdata: Path | None = None
    """A folder of language models to look in first."""

    bag_info: tuple[tuple[str, str], ...] = ()
    """Further lines for the bundle's bag-info.txt, such as External-Identifier."""
