"""Pages drawn with known word boxes, then turned, skewed, cropped and scaled, with the boxes carried along."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from ocrprep.pages import Affine, Box

VOCABULARY = (
    "ledger harbour county notice margin seal number winter paper regard clerk street quarter journal sketch bridge "
    "office parcel signed meadow value granted record timber season island stone window letter voyage under which "
    "every first great north would other people between during public against company without general"
)
WORDS = VOCABULARY.split()

INK, PAPER = 30, 245


@dataclass(frozen=True)
class Drawn:
    """A grey page and its words with their boxes in pixels of it."""

    image: Image.Image
    words: tuple[tuple[str, Box], ...]


def drawn(seed: int, dpi: int = 300, points: float = 12, size: tuple[float, float] = (8.5, 11.0)) -> Drawn:
    """Draw a page of text: `size` in inches, letters of so many points; boxes are those of the ink of each word."""
    chance = random.Random(seed)  # noqa: S311  # no secret, a repeatable page
    width, height = round(size[0] * dpi), round(size[1] * dpi)
    image = Image.new("L", (width, height), PAPER)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(points * dpi / 72)
    margin, leading, space = dpi, round(points * 1.6 * dpi / 72), round(points * 0.35 * dpi / 72)
    words: list[tuple[str, Box]] = []
    for top in range(margin, height - margin - leading, leading):
        x = float(margin)
        while True:
            word = chance.choice(WORDS)
            left, upper, right, lower = pen.textbbox((x, top), word, font=font)
            if right > width - margin:
                break
            pen.text((x, top), word, fill=INK, font=font)
            words.append((word, Box(left, upper, right, lower)))
            x = right + space
    return Drawn(image, tuple(words))


def skewed(page: Drawn, degrees: float) -> Drawn:
    """Rotate a page about its middle, positive where lines then fall to the right; its size stays."""
    turned = page.image.rotate(-degrees, Image.Resampling.BICUBIC, fillcolor=PAPER)
    angle = math.radians(degrees)
    x, y = page.image.width / 2, page.image.height / 2
    rotation = Affine(math.cos(angle), math.sin(angle), -math.sin(angle), math.cos(angle))
    return carried(turned, page, Affine(e=-x, f=-y).then(rotation).then(Affine(e=x, f=y)))


def quarter_turned(page: Drawn, turns: int) -> Drawn:
    """Turn a page clockwise by quarters."""
    image = page.image.rotate(-90 * turns, expand=True)
    return carried(image, page, Affine.quarter_turns(turns, page.image.width, page.image.height))


def cropped(page: Drawn, box: tuple[int, int, int, int]) -> Drawn:
    """Cut a page; words that do not lie wholly inside are no longer among its words."""
    cut = carried(page.image.crop(box), page, Affine(e=-box[0], f=-box[1]))
    inside = Box(0, 0, cut.image.width, cut.image.height)
    return Drawn(cut.image, tuple((word, each) for word, each in cut.words if each.overlap(inside) > 0.999 * each.area))


def carried(image: Image.Image, page: Drawn, affine: Affine) -> Drawn:
    """Put the words of a page on another picture of it."""
    return Drawn(image, tuple((word, affine.box(box)) for word, box in page.words))


def overlap_share(one: Box, other: Box) -> float:
    """Return the intersection over the union of two boxes, 0 to 1."""
    shared = one.overlap(other)
    union = one.area + other.area - shared
    return shared / union if union else 0.0


def pdf_of(
    page: Drawn, path: Path, dpi: int, *, rotate: int = 0, crop: tuple[float, float, float, float] | None = None
) -> Drawn:
    """Write a page as the one image of a PDF, and return it with its words in the page frame, in points.

    `rotate` is the PDF's /Rotate; `crop` cuts so many points from the left, bottom, right and top of the sheet.
    """
    jpeg = BytesIO()
    page.image.save(jpeg, "JPEG", quality=92)
    width, height = page.image.width * 72 / dpi, page.image.height * 72 / dpi
    left, bottom, right, top = crop or (0, 0, 0, 0)
    boxes = (
        f"/MediaBox [0 0 {width:.4f} {height:.4f}] /CropBox [{left} {bottom} {width - right:.4f} {height - top:.4f}]"
    )
    content = f"q {width:.4f} 0 0 {height:.4f} 0 0 cm /Im0 Do Q".encode()
    image = (
        f"<< /Type /XObject /Subtype /Image /Width {page.image.width} /Height {page.image.height} "
        f"/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode /Length {len(jpeg.getvalue())} >>"
    )
    resources = "/Resources << /XObject << /Im0 5 0 R >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R {boxes} /Rotate {rotate} /Contents 4 0 R {resources} >>".encode(),
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content),
        image.encode() + b"\nstream\n" + jpeg.getvalue() + b"\nendstream",
    ]
    path.write_bytes(pdf_file(objects))
    visible = carried(page.image, page, Affine.scale(72 / dpi, 72 / dpi).then(Affine(e=-left, f=-top)))
    frame = Box(0, 0, width - left - right, height - top - bottom)
    inside = tuple((word, box) for word, box in visible.words if box.overlap(frame) > 0.999 * box.area)
    turned = Affine.quarter_turns(rotate // 90, frame.width, frame.height)
    return Drawn(page.image, tuple((word, turned.box(box)) for word, box in inside))


def pdf_file(objects: list[bytes]) -> bytes:
    """Write a PDF of objects, the first of which is the catalogue."""
    content, places = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, start=1):
        places.append(len(content))
        content += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        content
        + b"xref\n0 %d\n0000000000 65535 f \n%btrailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (
            len(objects) + 1,
            table,
            len(objects) + 1,
            len(content),
        )
    )
