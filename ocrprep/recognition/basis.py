"""What a page's words are taken from: the source's own text, its pixels, or both. Decided for each page, with evidence.

With `ocr` auto, in order:

1. Text that cannot be seen is never read as the page's words. Where it lies on the ink and is language it is somebody's
   earlier OCR of the scan, and kept as another representation; else it is hidden text, kept in the asides.
2. Visible text that is not language (a broken font map, a cipher) is kept as another representation, and the page is
   read from its pixels.
3. So is visible text of which words lie over each other, since not all of it can be seen.
4. Visible text that paints all the ink but rules is taken as it stands, and no pixels are read. Where its words alone
   cannot tell whether it is language, the pixels are read as well and must agree.
5. Visible text that paints only some of the ink, such as a stamp on a scan, stands beside what is read from the pixels.
   Where it paints nearly all, what is read beside it must be believed: it may be a drawing.

`force` reads the pixels and keeps all other text as other representations. `never` takes what can be seen and believed,
and earlier OCR that lies on the ink.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ocrprep.options import RecognitionOptions
from ocrprep.pages import Aside, Box, Line, PageWarning, TextEvidence, Word
from ocrprep.recognition.agreement import agreement
from ocrprep.recognition.legibility import Legibility, legibility
from ocrprep.recognition.merging import SAME, merged
from ocrprep.recognition.pixels import PixelReading
from ocrprep.recognition.upright import score, words
from ocrprep.sources import ExistingText, Scan, TextLayer, ink_mask

TEXT_LAYER = "text_layer"
EXISTING_OCR = "existing_ocr"
"""The kinds of other representations that come from the source itself."""

ON_INK = 0.8
"""The share of invisible words that must lie on ink to be somebody's OCR of it: OCR of real scans has 0.95 and more."""

PROVED = 0.6
"""Agreement with the pixels that proves a text layer: OCR that reads well agrees by 0.8 and more, a cipher by 0.0."""

UNCOVERED = 0.00004
"""Share of the page's area under ink that is no text of the layer, from which the pixels are read: a lone two-digit
folio has 0.00007, a filled field of a form 0.0003."""

SCANNED = 0.5
"""Share of a page that must lie under images so that invisible text can be somebody's OCR of it."""

LYING_OVER = 0.6
"""Share of the smaller of two words that must lie under the other: neighbours in tight lines share a tenth."""

DISPROVED_BY = 10
"""Letters that must be read from the pixels, and believed, before they disprove a text layer."""


@dataclass(frozen=True, slots=True)
class Basis:
    """The source's own lines that stand, whether the pixels are to be read, and what else the source says.

    `must_agree` is for lines that stand only if the pixels say the same. With `only_believed` the ink beside the text
    is drawings for the most part: what is read there and not believed is no word.
    """

    evidence: TextEvidence
    standing: tuple[Line, ...] = ()
    reads_pixels: bool = True
    must_agree: bool = False
    only_believed: bool = False
    turns: int = 0
    alternates: Mapping[str, tuple[Line, ...]] = field(default_factory=dict)
    asides: tuple[Aside, ...] = ()
    warnings: tuple[PageWarning, ...] = ()


@dataclass(frozen=True, slots=True)
class Settled:
    """The lines of the page in order, with all that was found on the way."""

    lines: tuple[Line, ...]
    evidence: TextEvidence
    alternates: Mapping[str, tuple[Line, ...]]
    asides: tuple[Aside, ...]
    warnings: tuple[PageWarning, ...]


def basis(layer: TextLayer | None, scan: Scan, options: RecognitionOptions) -> Basis:
    """Judge what a source says of a page, before its pixels are read."""
    if layer is None:
        return Basis(TextEvidence("the source has no text of its own"), reads_pixels=options.ocr != "never")
    found = legibility(layer.visible, options.languages)
    evidence = TextEvidence(
        "",
        image_coverage=round(layer.image_coverage, 3),
        text_coverage=None if layer.visible_ink is None else round(layer.visible_ink, 3),
        uncovered_ink=None if layer.visible_ink is None else round(layer.other_ink, 6),
        sanity=round(found.score, 3) if layer.visible else None,
        reader=layer.reader,
    )
    bare = Basis(evidence, turns=layer.turns, asides=layer.asides, warnings=layer.warnings)
    judged = _with_unseen(bare, layer, scan, options)
    if options.ocr == "force":
        return _forced(judged, layer)
    if options.ocr == "never":
        return _without_pixels(judged, layer, found)
    return _automatic(judged, layer, found, options)


def basis_of_existing(existing: ExistingText, *, has_pixels: bool, options: RecognitionOptions) -> Basis:
    """Take existing OCR as it is; with `force` and a picture it is another representation beside the pixels."""
    forced = options.ocr == "force" and has_pixels
    return Basis(
        TextEvidence("pixels were to be read in any case" if forced else "existing OCR, as it was given"),
        standing=() if forced else existing.lines,
        reads_pixels=forced,
        alternates={EXISTING_OCR: existing.lines} if forced and existing.lines else {},
        asides=existing.asides,
        warnings=existing.warnings,
    )


def settled(chosen: Basis, read: PixelReading | None, options: RecognitionOptions) -> Settled:
    """Bring what stands and what was read together."""
    if read is None:
        return Settled(chosen.standing, chosen.evidence, chosen.alternates, chosen.asides, chosen.warnings)
    lines, evidence = chosen.standing, chosen.evidence
    alternates, warnings = dict(chosen.alternates), list(chosen.warnings)
    alike = agreement(_texts(chosen.standing), _texts(read.lines)) if chosen.must_agree else None
    if chosen.must_agree:
        evidence = replace(evidence, agreement=None if alike is None else round(alike, 3))
        if not _is_disproved(alike, read, options):
            if alike is None or alike < PROVED:
                message = (
                    "whether the text layer says what the page shows could not be proved: compare with the picture"
                )
                warnings.append(PageWarning("text_layer_unproved", message))
            else:
                disputed = (at for at, line in enumerate(lines, start=1) if merged([line], read.lines).disputed)
                warnings += map(_disputed, disputed)
            return Settled(lines, evidence, alternates, chosen.asides, tuple(warnings))
        message = "the text layer says something else than the page shows: it is kept apart, and the pixels were read"
        warnings.append(PageWarning("text_layer_disagrees", message))
        evidence = replace(evidence, reason="the text layer disagrees with the pixels")
        alternates[TEXT_LAYER], lines = lines, ()
    elif EXISTING_OCR in alternates and read.lines:
        alike = agreement(_texts(alternates[EXISTING_OCR]), _texts(read.lines))
        evidence = replace(evidence, agreement=None if alike is None else round(alike, 3))
        if alike is not None and alike < SAME:
            message = "earlier OCR of the page says something else than was read now: both are kept, compare them"
            warnings.append(PageWarning("existing_ocr_disagrees", message))
    read_lines, unbelieved = _believed(read.lines, options) if chosen.only_believed else (read.lines, ())
    both = merged(lines, read_lines)
    warnings += read.warnings
    warnings += [_disputed(line) for line in both.disputed]
    return Settled(both.lines, evidence, alternates, (*chosen.asides, *read.specks, *unbelieved), tuple(warnings))


def _automatic(judged: Basis, layer: TextLayer, found: Legibility, options: RecognitionOptions) -> Basis:
    if not layer.visible:
        return _because(judged, "the page has no text that can be seen")
    if found.unreadable:
        return _because(
            replace(
                judged,
                alternates={**judged.alternates, TEXT_LAYER: layer.visible},
                warnings=(*judged.warnings, _unreadable(found, "it is kept apart, and the pixels were read")),
            ),
            "the text layer is no language",
        )
    if _lie_over_each_other(layer.visible):
        message = "words of the text layer lie over each other, and some may be hidden: it is kept apart"
        return _because(
            replace(
                judged,
                alternates={**judged.alternates, TEXT_LAYER: layer.visible},
                warnings=(*judged.warnings, PageWarning("text_layer_overlaps", message)),
            ),
            "words of the text layer lie over each other",
        )
    covers = layer.visible_ink is not None and layer.visible_ink >= options.text_cover
    if covers and layer.other_ink < UNCOVERED:
        reason = "the visible text layer paints the page's ink"
        return _because(
            replace(judged, standing=layer.visible, reads_pixels=found.undecided, must_agree=found.undecided), reason
        )
    reason = f"the visible text layer paints {'nearly all' if covers else 'only some'} of the ink"
    return _because(replace(judged, standing=layer.visible, only_believed=covers), reason)


def _forced(judged: Basis, layer: TextLayer) -> Basis:
    alternates = {**judged.alternates, **({TEXT_LAYER: layer.visible} if layer.visible else {})}
    return _because(replace(judged, alternates=alternates), "pixels were to be read in any case")


def _without_pixels(judged: Basis, layer: TextLayer, found: Legibility) -> Basis:
    """Take what can be seen and believed, and earlier OCR where nothing visible says the same."""
    unreadable = set(found.unreadable)
    visible = [line for at, line in enumerate(layer.visible) if at not in unreadable]
    garbage = [Aside("unreadable_text", _text(layer.visible[at]), layer.visible[at].box) for at in found.unreadable]
    warnings = list(judged.warnings)
    if unreadable:
        warnings.append(_unreadable(found, "it is kept in the asides"))
    if visible and found.undecided:
        message = "by its words alone nothing can be said of the text layer: compare with the picture"
        warnings.append(PageWarning("text_layer_unproved", message))
    earlier = judged.alternates.get(EXISTING_OCR, ())
    return _because(
        replace(
            judged,
            standing=merged(visible, earlier).lines,
            reads_pixels=False,
            alternates={},
            asides=(*judged.asides, *garbage),
            warnings=tuple(warnings),
        ),
        "no pixels were to be read",
    )


def _with_unseen(judged: Basis, layer: TextLayer, scan: Scan, options: RecognitionOptions) -> Basis:
    """Sort text that leaves no ink: earlier OCR of the scan under it, or hidden."""
    if not layer.invisible:
        return judged
    is_scan = layer.image_coverage >= SCANNED and (layer.visible_ink or 0.0) < options.text_cover
    if is_scan and _share_on_ink(layer.invisible, scan) >= ON_INK:
        return replace(judged, alternates={EXISTING_OCR: layer.invisible})
    hidden = tuple(Aside("hidden_text", _text(line), line.box) for line in layer.invisible)
    message = f"the page holds {len(hidden)} lines of text that cannot be seen on it: they are kept in the asides"
    warning = PageWarning("hidden_text", message)
    return replace(judged, asides=(*judged.asides, *hidden), warnings=(*judged.warnings, warning))


def _share_on_ink(lines: Sequence[Line], scan: Scan) -> float:
    """Return the share of words that have ink in their boxes."""
    mask = ink_mask(scan.raster)
    to_mask = _inverse_scale(scan, mask.size)
    boxes = [word.box for word in words(lines)]
    inked = sum(mask.crop(_pixels(box, to_mask, mask.size)).getbbox() is not None for box in boxes)
    return inked / len(boxes)


def _inverse_scale(scan: Scan, size: tuple[int, int]) -> tuple[float, float]:
    """Return how many mask pixels a unit of the page frame has; a scan is upright as displayed, so scales are all."""
    return size[0] / scan.size[0], size[1] / scan.size[1]


def _pixels(box: Box, scale: tuple[float, float], size: tuple[int, int]) -> tuple[int, int, int, int]:
    left, top = max(0, int(box.x0 * scale[0])), max(0, int(box.top * scale[1]))
    right, bottom = min(size[0], int(box.x1 * scale[0]) + 1), min(size[1], int(box.bottom * scale[1]) + 1)
    return left, top, max(left, right), max(top, bottom)


def _disputed(line: int) -> PageWarning:
    return PageWarning("texts_overlap", "the text layer and the pixels say different things in this place", line)


def _is_disproved(alike: float | None, read: PixelReading, options: RecognitionOptions) -> bool:
    letters = sum(character.isalnum() for text in _texts(read.lines) for character in text)
    return (alike or 0.0) < PROVED and letters >= DISPROVED_BY and read.score >= options.turn_below


def _believed(lines: Sequence[Line], options: RecognitionOptions) -> tuple[tuple[Line, ...], tuple[Aside, ...]]:
    """Part what was read into believed lines with a word in them, and the rest, which is kept aside."""
    good = [line for line in lines if score([line]) >= options.turn_below and any(map(_is_word, line.words))]
    rest = (line for line in lines if line not in good)
    return tuple(good), tuple(Aside("speck", _text(line), line.box) for line in rest)


def _is_word(word: Word) -> bool:
    return sum(character.isalnum() for character in word.text) > 1 or word.text.isdigit()


def _lie_over_each_other(lines: Sequence[Line]) -> bool:
    """Say whether any two words with letters or digits share most of the smaller one's place."""
    boxes = sorted((word.box for word in words(lines) if any(map(str.isalnum, word.text))), key=lambda box: box.top)
    for at, box in enumerate(boxes):
        for other in boxes[at + 1 :]:
            if other.top >= box.bottom:
                break
            if box.overlap(other) > LYING_OVER * min(box.area, other.area):
                return True
    return False


def _unreadable(found: Legibility, consequence: str) -> PageWarning:
    count = len(found.unreadable)
    why = ", ".join(reason.replace("_", " ") for reason in found.reasons)
    lines = f"{count} lines" if count > 1 else "a line"
    return PageWarning(
        "text_layer_unreadable", f"{lines} of the text layer cannot be what the page shows ({why}): {consequence}"
    )


def _because(judged: Basis, reason: str) -> Basis:
    return replace(judged, evidence=replace(judged.evidence, reason=reason))


def _texts(lines: Iterable[Line]) -> list[str]:
    return [word.text for line in lines for word in line.words]


def _text(line: Line) -> str:
    return " ".join(word.text for word in line.words)
