"""Pages drawn for the tests of raster preparation: lines of text, turned as a careless scan is."""

from __future__ import annotations

import random

from PIL import Image, ImageDraw, ImageFont

from ocrprep.pages import Raster
from ocrprep.sources.raster import raster_of

WORDS = ("some", "even", "line", "of", "plain", "words", "that", "a", "scanner", "may", "have", "turned", "by", "less")
PAPER, INK = 235, 40


def text_page(size: tuple[int, int] = (700, 900), letters: int = 18, lines: int = 24) -> Image.Image:
    """Draw a page of text, its letters `letters` pixels from ascender to descender."""
    image = Image.new("L", size, PAPER)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(letters)
    choose = random.Random(7)  # noqa: S311
    for line in range(lines):
        top = size[1] * 0.1 + line * letters * 1.5
        if top > size[1] * 0.9 - letters:
            break
        x, words = size[0] * 0.1, 0
        while True:
            word = choose.choice(WORDS)
            width = draw.textlength(word + " ", font)
            if x + width > size[0] * 0.9 or (words > 3 and choose.random() < 0.05):
                break
            draw.text((x, top), word, INK, font)
            x, words = x + width, words + 1
    return image


def turned_page(page: Image.Image, angle: float, quarter_turns: int = 0) -> Raster:
    """Turn a page clockwise by an angle in degrees and by quarter turns, on a canvas that holds all of it."""
    paper = page.getpixel((0, 0))
    skewed = page.rotate(-angle, Image.Resampling.BICUBIC, expand=True, fillcolor=paper)
    return raster_of(skewed.rotate(-90 * quarter_turns, expand=True), None)
