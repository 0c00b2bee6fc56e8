"""Boxes as a reader sees them: a page that was scanned on its side is turned, in the measures of its own frame."""

from __future__ import annotations

from ocrprep.pages import Box, Page


def upright(box: Box, page: Page) -> Box:
    """Return a box of the page frame in the frame turned so that the text runs to the right and down.

    The affine from the raster, which was turned before it was read, says how the page lies.
    """
    affine = page.affine
    if affine is None or (affine.a >= abs(affine.b) and affine.d > 0):
        return box
    width, height = page.size
    across = (box.x0, box.x1), (width - box.x1, width - box.x0)
    down = (box.top, box.bottom), (height - box.bottom, height - box.top)
    if abs(affine.b) > abs(affine.a):
        (x0, x1), (top, bottom) = down[affine.b < 0], across[affine.c < 0]
    else:
        (x0, x1), (top, bottom) = across[affine.a < 0], down[affine.d < 0]
    return Box(x0, top, x1, bottom)


def upright_size(page: Page) -> tuple[float, float]:
    """Return the width and the height of the page as a reader sees it, never zero."""
    width, height = (side or 1.0 for side in page.size)
    turned = page.affine is not None and abs(page.affine.b) > abs(page.affine.a)
    return (height, width) if turned else (width, height)
