"""Hypothesis strategies for the domain: texts with edits, and pages of lines of words."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import strategies as st

from ocrprep.pages import Affine, Aside, Box, ImageTransformation, Line, Page, PageWarning, Word
from ocrprep.spans import Edit, Span

RULES = st.sampled_from(["join", "drop", "fold", "set_aside"])
TEXTS = st.text(alphabet=st.sampled_from("ab \n\f-éſ漢\U0001d538\u0301"), max_size=40)


@st.composite
def edited_texts(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    """A text and disjoint edits over it in any order: drops, replacements, insertions, neighbours, whole texts."""
    text = draw(TEXTS)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=12)))
    edits: list[Edit] = []
    for start, end in pairwise(cuts):
        if draw(st.booleans()):
            edits.append(Edit(Span(start, end), draw(st.text(alphabet="xy ", max_size=3)), draw(RULES)))
    for place in draw(st.sets(st.sampled_from(cuts), max_size=3)) if cuts else ():
        edits.append(Edit(Span(place, place), draw(st.text(alphabet="xy", min_size=1, max_size=2)), draw(RULES)))
    return text, draw(st.permutations(edits))


def spans_of(length: int) -> st.SearchStrategy[Span]:
    """A span within a text of this length, often empty, often at an end."""
    return st.tuples(st.integers(0, length), st.integers(0, length)).map(lambda ends: Span(min(ends), max(ends)))


WORDS = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Z", "Cn"], include_characters="-­漢か한ſé"), min_size=1, max_size=8
).filter(lambda text: not any(character.isspace() for character in text))


@st.composite
def boxes(draw: st.DrawFn, width: float = 600, height: float = 800) -> Box:
    """A box within a page, on the grid of two decimals in which boxes are written."""
    xs = sorted(draw(st.tuples(st.integers(0, int(width * 100)), st.integers(0, int(width * 100)))))
    ys = sorted(draw(st.tuples(st.integers(0, int(height * 100)), st.integers(0, int(height * 100)))))
    return Box(xs[0] / 100, ys[0] / 100, xs[1] / 100, ys[1] / 100)


WORD = st.builds(
    Word,
    WORDS,
    boxes(),
    st.none() | st.integers(0, 1000).map(lambda n: n / 1000),
    st.integers(-9000, 9000).map(lambda n: n / 100),
    st.sampled_from(["ocr", "text_layer", "imported"]),
    st.none() | st.integers(100, 9000).map(lambda n: n / 100),
)
LINE = st.builds(Line, st.lists(WORD, min_size=1, max_size=5).map(tuple), st.integers(1, 4))


@st.composite
def page_lists(draw: st.DrawFn) -> list[Page]:
    """A document of a few pages, some of them blank or failed."""
    pages: list[Page] = []
    for number in range(1, draw(st.integers(0, 4)) + 1):
        lines = draw(st.lists(LINE, max_size=4))
        pages.append(
            Page(
                number,
                (600.0, 800.0),
                draw(st.sampled_from(["pt", "px"])),
                lines,
                state="read" if lines else draw(st.sampled_from(["blank", "failed"])),
                label=draw(st.none() | st.just("iv")),
                frame=(1, number),
                image_transformations=draw(st.just(()) | st.just((ImageTransformation("render", {"dpi": 300}),))),
                affine=draw(st.none() | st.just(Affine(0.24, 0.0, 0.0, 0.24, 1.5, 0.0))),
                asides=draw(st.just(()) | st.just((Aside("speck", "~", Box(1, 2, 3, 4)),))),
                warnings=draw(st.just(()) | st.just((PageWarning("low_score", "read badly", 1),))),
            )
        )
    return pages
