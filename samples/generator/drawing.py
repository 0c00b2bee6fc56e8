"""Draw a page: a small PDF of its words, rendered by pdfium, and the box of every word's ink."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pypdfium2

from .fonts import Face
from .layout import Page, Run
from .pdf import write_pdf
from .setting import Word

Grey = npt.NDArray[np.float32]
Box = tuple[float, float, float, float]

POINTS_PER_INCH = 72.0
INK_DPI = 360.0
"""Resolution at which ink is measured: a fifth of a point."""


def render(page: Page, dpi: float) -> Grey:
    """Return the clean page as grey values, 0 black to 1 white."""
    document = pypdfium2.PdfDocument(_page_pdf(page))
    # pypdfium2 rounds the size up: a hair less keeps a whole number of pixels whole.
    bitmap = document[0].render(scale=dpi / POINTS_PER_INCH * (1 - 1e-7), grayscale=True)
    grey: Grey = bitmap.to_numpy().squeeze().astype(np.float32) / 255
    return grey


def ink_boxes(page: Page) -> dict[tuple[Word, float], Box]:
    """Return the tight box, in points, of every word; a word is named by itself and its baseline."""
    ink = render(page, INK_DPI) < 0.5
    return {
        (word, run.baseline): _ink_box(ink, word, run.baseline)
        for line in page.lines
        for run in line
        for word in run.words
    }


def _ink_box(ink: npt.NDArray[np.bool_], word: Word, baseline: float) -> Box:
    """Find the ink within the room of a word: its advance width, and so much above and below the baseline."""
    scale = INK_DPI / POINTS_PER_INCH
    overhang = 0.06 * word.size
    left, top = word.x - overhang, baseline - 0.78 * word.size
    right, bottom = word.x + word.width + overhang, baseline + 0.26 * word.size
    x0, y0 = round(left * scale), round(top * scale)
    rows, columns = np.nonzero(ink[y0 : round(bottom * scale), x0 : round(right * scale)])
    return (
        (x0 + int(columns.min())) / scale,
        (y0 + int(rows.min())) / scale,
        (x0 + int(columns.max()) + 1) / scale,
        (y0 + int(rows.max()) + 1) / scale,
    )


def _page_pdf(page: Page) -> bytes:
    content = "\n".join(_operators(page)).encode("cp1252")
    fonts = " ".join(
        f"/{face.name} << /Type /Font /Subtype /Type1 /BaseFont /{face.value} /Encoding /WinAnsiEncoding >>"
        for face in Face
    )
    return write_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {page.width:g} {page.height:g}] /Contents 4 0 R "
            f"/Resources << /Font << {fonts} >> >> >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        ]
    )


def _operators(page: Page) -> Iterator[str]:
    for line in page.lines:
        for run in line:
            yield from (_show(word, run, page.height) for word in run.words)
    for rule in page.rules:
        ends = (rule.x0, page.height - rule.y0, rule.x1, page.height - rule.y1)
        yield "0.6 w {:.2f} {:.2f} m {:.2f} {:.2f} l S".format(*ends)


def _show(word: Word, run: Run, page_height: float) -> str:
    text = word.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    y = page_height - run.baseline
    return f"BT /{word.face.name} {word.size:g} Tf {word.x:.3f} {y:.3f} Td ({text}) Tj ET"
