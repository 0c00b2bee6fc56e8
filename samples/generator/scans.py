"""Scan the works: how worn each is, and the files that hold the scans."""

import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PIL import Image

from .drawing import Grey, render
from .layout import Page
from .pdf import PageImage, image_pdf, jpeg
from .truth import View, sample_truth
from .wear import Wear, scan
from .works import Work, book, essay, leaflet, letter, newsletter

BOOK_WEAR = Wear(dpi=200, fading=0.4, blur=0.72, spread=1.1, bleed=0.09, shade=0.14, grain=0.014)
BOOK_SKEWS = (0.3, -0.4, 0.2, 0.55, -0.25, 0.35, -0.15, 0.2, 0.45, -0.5, 0.25, -0.3)
BOOK_BILEVEL_PAGES = (3, 11)
"""Pages, counted from 1, that were scanned as 1-bit."""
BOOK_BILEVEL_WEAR = replace(BOOK_WEAR, threshold=0.66, spread=1.25, blur=0.62, fading=0.3, shade=0.05, grain=0.045)
LETTER_WEAR = Wear(dpi=180, paper=0.8, spread=1.6, fading=0.5, blur=0.85, bleed=0.1, shade=0.16, grain=0.032, specks=60)
LETTER_SKEWS = (0.7, -0.6)
NEWS_WEAR = Wear(dpi=150, skew=-0.35, paper=0.86, fading=0.45, blur=0.95, bleed=0.09, grain=0.018, specks=40)
NEWS_GREYS = 16
LEAFLET_WEAR = Wear(dpi=150, skew=0.4, paper=0.88, fading=0.45, blur=0.95, grain=0.026)
ESSAY_WEAR = Wear(dpi=200, spread=1.2, fading=0.3, blur=0.6, bleed=0.12, shade=0.05, grain=0.045, threshold=0.66)
ESSAY_SKEWS = (0.25, -0.5, 0.4)


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample file and its truth."""

    name: str
    content: bytes
    truth: dict[str, Any]


def samples() -> tuple[Callable[[], Sample], ...]:
    """Return the makers of all samples; each makes one when it is called."""
    return (_book, _letter, _newsletter, _rotated, _turned, _essay)


def _book() -> Sample:
    work = book()
    wears = [
        replace(BOOK_BILEVEL_WEAR if number in BOOK_BILEVEL_PAGES else BOOK_WEAR, skew=skew)
        for number, skew in enumerate(BOOK_SKEWS, start=1)
    ]
    return _pdf_sample("book.pdf", work, [View(wear) for wear in wears], quality=34, seed=100)


def _letter() -> Sample:
    views = [View(replace(LETTER_WEAR, skew=skew)) for skew in LETTER_SKEWS]
    return _pdf_sample("letter.pdf", letter(), views, quality=24, seed=200)


def _newsletter() -> Sample:
    """The newsletter is stored with few greys, as copiers of small memory did."""
    work = newsletter()
    (picture,) = _scans(work, [NEWS_WEAR], seed=300)
    out = io.BytesIO()
    _reduced(picture, NEWS_GREYS).save(out, "PNG", optimize=True, dpi=(NEWS_WEAR.dpi, NEWS_WEAR.dpi))
    return _sample("newsletter.png", out.getvalue(), work, [View(NEWS_WEAR, "px")])


def _reduced(picture: Image.Image, greys: int) -> Image.Image:
    """Return the picture with so many evenly spaced greys."""
    steps = np.rint(np.asarray(picture, dtype=np.float32) * ((greys - 1) / 255)).astype(np.uint8)
    reduced = Image.fromarray(steps).convert("P")
    reduced.putpalette([round(step * 255 / (greys - 1)) for step in range(greys) for _ in "rgb"])
    return reduced


def _rotated() -> Sample:
    """The stored picture lies on its left side; the page's /Rotate entry shows it upright."""
    return _pdf_sample("rotated.pdf", leaflet("rotated"), [View(LEAFLET_WEAR, rotate=90)], quality=40, seed=400)


def _turned() -> Sample:
    """The picture was turned to the right, and nothing in the file says so."""
    work = leaflet("turned")
    wear = replace(LEAFLET_WEAR, skew=-0.3)
    (picture,) = _scans(work, [wear], seed=500)
    content = jpeg(picture.transpose(Image.Transpose.ROTATE_270), quality=40, dpi=wear.dpi)
    return _sample("turned.jpg", content, work, [View(wear, "px", turn=270)])


def _essay() -> Sample:
    work = essay()
    wears = [replace(ESSAY_WEAR, skew=skew) for skew in ESSAY_SKEWS]
    first, *others = _scans(work, wears, seed=600)
    out = io.BytesIO()
    dpi = (ESSAY_WEAR.dpi, ESSAY_WEAR.dpi)
    first.save(out, "TIFF", save_all=True, append_images=others, compression="group4", dpi=dpi)
    return _sample("scans.tif", out.getvalue(), work, [View(wear, "px") for wear in wears])


def _pdf_sample(name: str, work: Work, views: list[View], quality: int, seed: int) -> Sample:
    pictures = _scans(work, [view.wear for view in views], seed)
    stored = [
        _stored(picture, page, view.rotate, quality)
        for picture, page, view in zip(pictures, work.pages, views, strict=True)
    ]
    return _sample(name, image_pdf(stored), work, views)


def _stored(picture: Image.Image, page: Page, rotate: int, quality: int) -> PageImage:
    if not rotate:
        return PageImage(picture, page.width, page.height, quality)
    lying = picture.transpose(Image.Transpose.ROTATE_90)
    return PageImage(lying, page.height, page.width, quality, rotate)


def _scans(work: Work, wears: list[Wear], seed: int) -> list[Image.Image]:
    """Scan all pages; behind each odd page shows the next one, behind each even page the one before."""
    planes = [render(page, wear.dpi) for page, wear in zip(work.pages, wears, strict=True)]
    backs = [_other_side(planes, index) for index in range(len(planes))]
    return [
        scan(front, back, wear, seed + index)
        for index, (front, back, wear) in enumerate(zip(planes, backs, wears, strict=True))
    ]


def _other_side(planes: list[Grey], index: int) -> Grey:
    """Return the other side of a leaf; a single page shows itself, set off upon its back."""
    other = index + 1 if index % 2 == 0 else index - 1
    return planes[other] if other < len(planes) else np.roll(planes[index], 31, axis=0)


def _sample(name: str, content: bytes, work: Work, views: list[View]) -> Sample:
    pages = list(zip(work.pages, views, strict=True))
    return Sample(name, content, sample_truth(name, pages, work.paragraphs, work.notes))
