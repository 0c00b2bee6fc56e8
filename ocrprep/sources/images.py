"""Image files: PNG, JPEG, TIFF with its frames, and their relatives, as grey scans in pixels.

In order: open with one reader, never guessing; check the pixel budget from the header; decode, and fail on a truncated
picture; flatten and scale to 8-bit grey; orient as displayed; make the pixels square.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from PIL import ExifTags, Image, ImageChops, UnidentifiedImageError

from ocrprep.errors import PageError
from ocrprep.options import RecognitionOptions
from ocrprep.pages import Affine, ImageTransformation, PageWarning
from ocrprep.sources.faults import IMAGE_FAULTS, reason_of, shown
from ocrprep.sources.page_text import ExistingText, TextLayer
from ocrprep.sources.raster import raster_of
from ocrprep.sources.scan import PageFrame, Scan

MOST_FRAMES = 20_000
"""Frames that are looked for in a TIFF: a longer chain of directories is an attack or damage."""

MOST_COPIES = 20
"""Pictures behind the first of a JPEG that are looked at: cameras write two or three."""

_REDUCED = 1
"""Bit of TIFF's NewSubfileType: a smaller copy of another frame, such as a level of a pyramid, and no page."""

_SANE_DPI = (70.0, 1200.0)
_PLACEHOLDER_DPI = (72.0, 96.0)
"""What programs write that know nothing of the paper."""

_SQUARE = 1.05
"""Ratio of horizontal to vertical resolution up to which pixels count as square: engines do not feel 5 %."""

_ORIENTED = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""EXIF orientations (CIPA DC-008) that change the picture as displayed."""

_SIDEWAYS = 5
"""EXIF orientations from this one on swap width and height."""

_WHITE_IS_ZERO = 0
"""TIFF's PhotometricInterpretation; Pillow obeys it up to 8 bits only."""


class ImageFile:
    """The frames of one image file; each call opens the file and closes it again."""

    def __init__(self, path: Path, kind: str, page_count: int | None = None) -> None:
        self.path, self.kind = path, kind
        self._page_count = page_count
        self._known_frames: tuple[int, ...] | None = None if kind == "TIFF" else (0,)

    @property
    def page_count(self) -> int:
        """The number of frames; an unreadable file counts as one page, which then fails alone."""
        if self._page_count is None:
            self._page_count = len(self._frames())
        return self._page_count

    @property
    def warnings(self) -> tuple[PageWarning, ...]:
        """Tell that a file of several pictures that is no TIFF is read as its first: an animation, a stereo pair."""
        if self.kind == "TIFF":
            return ()
        try:
            with self.opened(0) as image:
                several = _holds_several(image)
        except IMAGE_FAULTS:
            return ()
        if not several:
            return ()
        message = f"{shown(self.path.name)} holds several pictures, as an animation does: only the first is read"
        return (PageWarning("frames_not_read", message),)

    def unreadable(self) -> str | None:
        """Return what to do about a file whose first frame has no readable header, null where it has one."""
        try:
            with self.opened(0):
                return None
        except IMAGE_FAULTS as error:
            return (
                f"{shown(self.path)} is damaged or of an unsupported kind of {self.kind} ({_reason(error)}): "
                "convert it to PNG with another program, or scan it again"
            )

    def describe(self, page: int) -> PageFrame:
        """Return the size of a frame as displayed, from its header."""
        frame = 0
        try:
            frame = self._frames()[page - 1]
            with self.opened(frame) as image:
                width, height = _size_as_displayed(image)
        except IMAGE_FAULTS:
            width, height = 0, 0
        return PageFrame(None, (1, frame + 1), (float(width), float(height)), "px")

    def scan(self, page: int, options: RecognitionOptions) -> Scan:
        """Decode one frame; raises PageError where it is damaged or larger than the pixel budget."""
        frame = self._frame(page)
        try:
            with self.opened(frame) as image:
                _refuse_above_budget(math.prod(image.size), options)
                if self.kind == "PNG":
                    image.load()  # its EXIF block may follow the pixels, and asking for it hides damage in them
                orientation, (x_dpi, y_dpi) = _orientation(image), _resolution(image)
                inverted = _is_inverted(image)
                image.load()
                grey, steps = _grey(image, inverted)
        except IMAGE_FAULTS as error:
            raise PageError(f"the image is damaged or unsupported: {_reason(error)}") from error
        # Pillow has already turned a TIFF while it decoded it.
        if orientation in _ORIENTED:
            steps.append(ImageTransformation("exif_orientation", {"orientation": orientation}))
            if self.kind != "TIFF":
                grey = grey.transpose(_ORIENTED[orientation])
            if orientation >= _SIDEWAYS:
                x_dpi, y_dpi = y_dpi, x_dpi
        size = grey.size
        grey, step = _with_square_pixels(grey, x_dpi, y_dpi, options)
        raster = raster_of(grey, None if x_dpi is None or y_dpi is None else round(max(x_dpi, y_dpi), 2))
        return Scan(
            page=page,
            label=None,
            frame=(1, frame + 1),
            size=(float(size[0]), float(size[1])),
            unit="px",
            raster=raster,
            image_transformations=tuple(steps + step),
            affine=Affine.scale(size[0] / raster.width, size[1] / raster.height),
        )

    def text_layer(self, page: int, options: RecognitionOptions) -> TextLayer | None:  # noqa: ARG002
        """Return null: images hold no text."""
        return None

    def existing_text(self, page: int) -> ExistingText | None:  # noqa: ARG002
        """Return null: images hold no text."""
        return None

    def close(self) -> None:
        """Do nothing: no file is held open."""

    @contextmanager
    def opened(self, frame: int) -> Iterator[Image.Image]:
        """Open one frame, counted from 0, until the block ends; raises one of IMAGE_FAULTS."""
        # Pillow maps an uncompressed TIFF that it opens by name into memory, and scrambles a sideways one.
        with _quiet(), self.path.open("rb") as stream, Image.open(stream, formats=(self.kind,)) as image:
            if frame:
                image.seek(frame)
            yield image

    def _frame(self, page: int) -> int:
        frames = self._frames()
        if page > len(frames):
            raise PageError(f"the file has changed: it has {len(frames)} frames and frame {page} is gone")
        return frames[page - 1]

    def _frames(self) -> tuple[int, ...]:
        if self._known_frames is None:
            self._known_frames = _tiff_pages(self)
        return self._known_frames


def _holds_several(image: Image.Image) -> bool:
    """Return whether a file holds more pictures than the first, copies and maps of it for its display aside."""
    if not getattr(image, "is_animated", False):
        return False
    if image.format != "MPO":
        return True
    # Telephones put a thumbnail or a brightness map of the first picture behind it, both of them smaller.
    size, frames = image.size, min(int(getattr(image, "n_frames", 1)), MOST_COPIES)
    for frame in range(1, frames):
        image.seek(frame)
        if image.size == size:
            return True
    return False


def _tiff_pages(file: ImageFile) -> tuple[int, ...]:
    """Return the frames of a TIFF that are pages, counted from 0; a frame with a damaged directory is one, too.

    A chain of directories that is cut off ends with the frame that cannot be found.
    """
    pages: list[int] = []
    try:
        with file.opened(0) as image:
            for frame in range(MOST_FRAMES):
                try:
                    image.seek(frame)
                except EOFError:
                    break
                except IMAGE_FAULTS:
                    pages.append(frame)
                    if image.tell() != frame:
                        break
                else:
                    if not int(_tag(image, ExifTags.Base.NewSubfileType) or 0) & _REDUCED:
                        pages.append(frame)
    except IMAGE_FAULTS:
        pass  # an unreadable first frame is page 1, and says so when it is scanned
    return tuple(pages) or (0,)


@contextmanager
def _quiet() -> Iterator[None]:
    """Let this package's pixel budget stand for Pillow's, and keep Pillow's warnings from the user's terminal."""
    limit = Image.MAX_IMAGE_PIXELS
    Image.MAX_IMAGE_PIXELS = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        Image.MAX_IMAGE_PIXELS = limit


def _reason(error: Exception) -> str:
    return "its header cannot be read" if isinstance(error, UnidentifiedImageError) else reason_of(error)


def _refuse_above_budget(pixels: int, options: RecognitionOptions) -> None:
    if pixels > options.max_pixels:
        raise PageError(f"the image has {pixels:,} pixels, more than the budget of {options.max_pixels:,}: reduce it")


def _tag(image: Image.Image, tag: int) -> Any:
    """Return a tag of a TIFF's current frame, null for other formats and where it is missing."""
    tags = getattr(image, "tag_v2", None)
    return None if tags is None else tags.get(tag)


def _orientation(image: Image.Image) -> int:
    """Return the EXIF orientation, 1 where there is none or the block is damaged."""
    if image.format == "PNG" and "exif" not in image.info:
        return 1
    try:
        value = image.getexif().get(ExifTags.Base.Orientation, 1)
    except IMAGE_FAULTS:
        return 1
    return value if isinstance(value, int) and value in _ORIENTED else 1


def _size_as_displayed(image: Image.Image) -> tuple[int, int]:
    width, height = image.size
    # Pillow swaps the size of a TIFF by its own tag when it opens it.
    sideways = _orientation(image) >= _SIDEWAYS and _tag(image, ExifTags.Base.Orientation) is None
    return (height, width) if sideways else (width, height)


def _resolution(image: Image.Image) -> tuple[float | None, float | None]:
    """Return the resolution that the file claims, in dpi, null where it is missing, absurd or a placeholder."""
    claimed = image.info.get("dpi")
    try:
        x, y = (float(each) for each in claimed or ())
    except (TypeError, ValueError, ArithmeticError):
        return None, None
    if not all(_SANE_DPI[0] <= each <= _SANE_DPI[1] for each in (x, y)):
        return None, None
    if x == y or round(x) == round(y):
        return (None, None) if any(round(x) == each for each in _PLACEHOLDER_DPI) else (x, y)
    return x, y


def _is_inverted(image: Image.Image) -> bool:
    return image.mode.startswith("I;16") and _tag(image, ExifTags.Base.PhotometricInterpretation) == _WHITE_IS_ZERO


def _grey(image: Image.Image, inverted: bool) -> tuple[Image.Image, list[ImageTransformation]]:
    """Turn any mode into 8-bit grey: deep pixels scaled, alpha over white, colour to its luma (ITU-R 601-2)."""
    mode = image.mode
    if mode == "L" and not image.has_transparency_data:
        return image, []
    note: dict[str, Any] = {"mode": mode}
    if mode.startswith("I;16"):
        image, note["bits"] = _from_16_bits(image)
    elif mode in ("I", "F"):
        image, note["low"], note["high"] = _stretched(image)
    if inverted:
        image = image.point([255 - level for level in range(256)])
        note["inverted"] = True
    if image.has_transparency_data:
        note["background"] = "white"
        image = _over_white(image)
    elif image.mode == "LAB":
        image = image.getchannel("L")
    elif image.mode != "L":
        image = (image.convert("RGB") if image.mode in ("CMYK", "YCbCr", "HSV", "P") else image).convert("L")
    return image, [ImageTransformation("grayscale", note)]


def _from_16_bits(image: Image.Image) -> tuple[Image.Image, int]:
    """Keep the high byte of each pixel, or the upper 8 of 12 bits where a scanner used no more than 12."""
    pixels = image.tobytes()
    high, low = (pixels[0::2], pixels[1::2]) if image.mode.endswith("B") else (pixels[1::2], pixels[0::2])
    if max(high) > 0x0F:
        return Image.frombytes("L", image.size, high), 16
    if not any(high):
        return Image.frombytes("L", image.size, low), 8
    upper, lower = (
        Image.frombytes("L", image.size, part).point(levels)
        for part, levels in (
            (high, [level << 4 & 0xFF for level in range(256)]),
            (low, [level >> 4 for level in range(256)]),
        )
    )
    return ImageChops.add(upper, lower), 12


def _stretched(image: Image.Image) -> tuple[Image.Image, float, float]:
    """Scale 32-bit numbers to 8 bits over the range that they are made for: 1, 8, 16 or 32 bits, or their own."""
    low, high = cast("tuple[float, float]", image.getextrema())
    if not (math.isfinite(low) and math.isfinite(high)):
        raise PageError("the image has pixels that are no numbers: convert it to 8-bit grey first")
    if low >= 0:
        ranges = ((1.0,) if image.mode == "F" else ()) + (2.0**8 - 1, 2.0**16 - 1, 2.0**32 - 1)
        low, high = 0.0, next((each for each in ranges if high <= each), high)
    scale = 255 / (high - low) if high > low else 0.0
    scaled = image.convert("F").point(lambda value: value * scale + (-low * scale + 0.5))
    return scaled.convert("L"), low, high


def _over_white(image: Image.Image) -> Image.Image:
    """Lay a picture with transparency on white paper; only grey copies are made, which saves memory."""
    if image.mode not in ("RGBA", "LA"):
        image = image.convert("LA" if image.mode in ("1", "L", "La") else "RGBA")
    return Image.composite(image.convert("L"), Image.new("L", image.size, 255), image.getchannel("A"))


def _with_square_pixels(
    grey: Image.Image, x_dpi: float | None, y_dpi: float | None, options: RecognitionOptions
) -> tuple[Image.Image, list[ImageTransformation]]:
    """Enlarge the coarser axis, as of a fax of 204 x 98 dpi: engines read letters of natural shape."""
    if x_dpi is None or y_dpi is None or max(x_dpi, y_dpi) <= _SQUARE * min(x_dpi, y_dpi):
        return grey, []
    finer = max(x_dpi, y_dpi)
    width, height = round(grey.width * finer / x_dpi), round(grey.height * finer / y_dpi)
    _refuse_above_budget(width * height, options)
    step = ImageTransformation("square_pixels", {"width": width, "height": height, "dpi": round(finer, 2)})
    return grey.resize((width, height), Image.Resampling.BICUBIC), [step]
