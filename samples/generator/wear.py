"""Wear a clean page and scan it: skew, uneven ink, blur, show-through, uneven light, grain, specks."""

import math
from dataclasses import dataclass

import numpy as np
from PIL import Image

from .drawing import POINTS_PER_INCH, Box, Grey

SPECK_RADIUS = (0.4, 1.3)


@dataclass(frozen=True, slots=True)
class Wear:
    """How a page was scanned and how it has aged; strengths are parts of the range from black to white."""

    dpi: float
    skew: float = 0.0
    paper: float = 0.9
    spread: float = 1.0
    """How far ink has run: its blurred density is multiplied by this."""
    fading: float = 0.25
    blur: float = 0.6
    bleed: float = 0.06
    shade: float = 0.1
    grain: float = 0.03
    specks: int = 20
    threshold: float | None = None
    """Where a 1-bit scan parts black from white, in parts of the paper's brightness; None for a grey scan."""


@dataclass(frozen=True, slots=True)
class Tilt:
    """The rotation about the page's centre by which a page lies askew; degrees clockwise, y downward."""

    width: float
    height: float
    degrees: float

    def box(self, box: Box) -> Box:
        """Return the upright box around a tilted one."""
        corners = [self._point(x, y) for x in (box[0], box[2]) for y in (box[1], box[3])]
        xs, ys = zip(*corners, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def _point(self, x: float, y: float) -> tuple[float, float]:
        cosine, sine = math.cos(math.radians(self.degrees)), math.sin(math.radians(self.degrees))
        dx, dy = x - self.width / 2, y - self.height / 2
        return self.width / 2 + cosine * dx - sine * dy, self.height / 2 + sine * dx + cosine * dy


def scan(front: Grey, back: Grey, wear: Wear, seed: int) -> Image.Image:
    """Return the scan of a page with the other side `back`: 8-bit grey, or 1-bit if there is a threshold."""
    rng = np.random.default_rng(seed)
    scale = wear.dpi / POINTS_PER_INCH
    ink = np.clip(_blur(_tilt(1 - front, wear.skew), wear.blur * scale / 3) * wear.spread, 0, 1)
    ink *= 1 - wear.fading * _field(rng, front.shape, 48) - wear.fading / 2 * _field(rng, front.shape, 5)
    through = _blur(_tilt(1 - back[:, ::-1], -wear.skew), 2.2 * wear.blur * scale / 3)
    paper = wear.paper * (1 - wear.shade * _shade(rng, front.shape)) * (1 - wear.bleed * through)
    grain = _blur(rng.standard_normal(front.shape).astype(np.float32), 0.45) * wear.grain * 2
    grey = paper * (1 - 0.88 * ink) + grain
    _add_specks(grey, rng, wear.specks, scale)
    if wear.threshold is None:
        return Image.fromarray((np.clip(grey, 0, 1) * 255).round().astype(np.uint8))
    return Image.fromarray(grey > wear.threshold * wear.paper)


def _tilt(plane: Grey, degrees: float) -> Grey:
    """Rotate clockwise about the centre; what comes in from outside is blank."""
    picture = Image.fromarray(plane).rotate(-degrees, Image.Resampling.BICUBIC, fillcolor=0)
    return np.clip(np.asarray(picture, dtype=np.float32), 0, 1)


def _blur(plane: Grey, sigma: float) -> Grey:
    """Blur by a Gaussian of `sigma` pixels, cut at three sigma."""
    reach = max(1, math.ceil(3 * sigma))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1, dtype=np.float32) / sigma) ** 2)
    weights /= weights.sum()
    for axis in (0, 1):
        padding = [(reach, reach) if axis == side else (0, 0) for side in (0, 1)]
        padded = np.pad(plane, padding, mode="edge")
        size = plane.shape[axis]
        plane = sum(w * padded.take(range(k, k + size), axis) for k, w in enumerate(weights))
    return plane


def _field(rng: np.random.Generator, shape: tuple[int, ...], cells: int) -> Grey:
    """Return a smooth random field from 0 to 1 with about `cells` hills along each side."""
    coarse = Image.fromarray(rng.random((cells, cells), dtype=np.float32))
    smooth = coarse.resize((shape[1], shape[0]), Image.Resampling.BICUBIC)
    return np.clip(np.asarray(smooth, dtype=np.float32), 0, 1)


def _shade(rng: np.random.Generator, shape: tuple[int, ...]) -> Grey:
    """Return the shadow of an unevenly lit page: a fall of light across it, clouds, and a dark left edge."""
    across = np.linspace(0, 1, shape[1], dtype=np.float32)[None, :]
    down = np.linspace(0, 1, shape[0], dtype=np.float32)[:, None]
    edge = np.exp(-across * 18)
    return (0.5 * across * down + 0.5 * _field(rng, shape, 4) + edge).astype(np.float32)


def _add_specks(grey: Grey, rng: np.random.Generator, count: int, scale: float) -> None:
    rows, columns = np.indices((9, 9), dtype=np.float32) - 4
    for _ in range(count):
        y = int(rng.integers(0, grey.shape[0] - 9))
        x = int(rng.integers(0, grey.shape[1] - 9))
        radius = rng.uniform(*SPECK_RADIUS) * scale / 2.8
        grey[y : y + 9, x : x + 9][np.hypot(rows, columns) < radius] *= rng.uniform(0.2, 0.8)
