"""A scan: the raster of one page, how it was made, and the map from its pixels to the page frame."""

from __future__ import annotations

from dataclasses import dataclass, field

from ocrprep.pages import Affine, ImageTransformation, PageWarning, Raster, Unit
from ocrprep.sources.raster import picture


@dataclass(frozen=True, slots=True)
class PageFrame:
    """What is known of a page without its pixels: label, 1-based file and page in that file, size (0, 0) if unknown."""

    label: str | None
    frame: tuple[int, int]
    size: tuple[float, float]
    unit: Unit


@dataclass(frozen=True, slots=True)
class Scan:
    """One page as pixels, upright as displayed; `size` and the target of `affine` are in the page frame, in `unit`."""

    page: int
    label: str | None
    frame: tuple[int, int]
    size: tuple[float, float]
    unit: Unit
    raster: Raster = field(repr=False)
    image_transformations: tuple[ImageTransformation, ...]
    affine: Affine
    warnings: tuple[PageWarning, ...] = ()

    def picture(self, max_height: int = 1400, quality: int = 60) -> bytes:
        """Return a grey JPEG of the page for review, at most `max_height` pixels high."""
        return picture(self.raster, max_height, quality)
