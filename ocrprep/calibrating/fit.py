"""Fit the scorecards of page furniture on labelled books, and choose their thresholds by what they wrongly drop.

1. Every observation gets the label of most of its characters: furniture or not; what no label claims is left out.
2. The weights start from the rules' own and may sharpen them, never turn one round: logistic regression with a
   quadratic penalty on the distance from the rules' weights, and each weight bounded to keep its sign. So a feature
   that the books say little of keeps its meaning. Method: maximum a posteriori estimate with a Gaussian prior
   (Genkin, Lewis, Madigan 2007), found by L-BFGS-B (Byrd, Lu, Nocedal, Zhu 1995).
3. Each book is judged by weights fitted on the others; those shares choose the thresholds and give the figures.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from ocrprep.errors import CalibrationError, DependencyError
from ocrprep.identity import hash_json
from ocrprep.options import ReadingOptions
from ocrprep.preparing import upright_lines
from ocrprep.preparing.furniture import VERSION
from ocrprep.preparing.observations import Observation, observe
from ocrprep.preparing.scorecards import RULES
from ocrprep.profiles import FittedScorecard, MeasuredBook, Profile, hash_of_scorecards
from ocrprep.representation import Representation

FURNITURE = frozenset({"running_head", "folio", "signature", "catchword", "artefact"})
"""Labels of page furniture; `artefact` is a digitiser's notice."""

UNKNOWN = frozenset({"none", "stamp"})
"""Labels that say neither: outside every zone, or a stamp over the text."""

PENALTY = 1.0
"""What a weight's distance from the rules' costs, in standard deviations of its feature: one such step costs as much
as one short run of words judged at even odds."""

LEAST_DEVIATION = 0.05
"""The standard deviation that a feature has at least, so that a constant one is bound, too."""

LIKELY = 0.4
NEARLY_CERTAIN = 0.8
"""Thresholds are never lower, however few body characters the books would lose: other books are not these."""

DECIMALS = 3


@dataclass(frozen=True)
class LabelledBook:
    """A document with the label of every word: `labels[page - 1][word]`, in the order of the page's words."""

    name: str
    representation: Representation
    labels: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Example:
    """An observation of a book, whether it is furniture, and how many characters it has."""

    book: str
    observation: Observation
    furniture: bool
    characters: int


@dataclass(slots=True)
class Shares:
    """The shares of a scorecard's examples, each judged by weights fitted on the other books."""

    examples: list[Example] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)


def fit_profile(
    books: Sequence[LabelledBook], *, body_per_1000: float, strict_body_per_1000: float, made_at: datetime | None = None
) -> Profile:
    """Fit every scorecard of which the books have examples of both kinds; the others stay the rules' own.

    `body_per_1000` and `strict_body_per_1000` are the body characters that may wrongly go, of each 1,000. Raises
    CalibrationError for fewer than three books, and DependencyError without SciPy.
    """
    if len(books) < MINIMUM_BOOKS:
        raise CalibrationError(f"{len(books)} labelled books are too few to fit on: {MINIMUM_BOOKS} are needed")
    examples: dict[str, list[Example]] = defaultdict(list)
    for book in books:
        for example in examples_of(book):
            examples[example.observation.scorecard].append(example)
    fitted: dict[str, tuple[float, dict[str, float]]] = {}
    judged: dict[str, Shares] = {}
    for name, found in sorted(examples.items()):
        if len({each.book for each in found if each.furniture}) < 2 or all(each.furniture for each in found):
            continue
        fitted[name] = fit(name, found)
        judged[name] = out_of_book(name, found)
    thresholds = {
        mode: _thresholds(
            {name: each for name, each in judged.items() if name.endswith("_text") == (mode == "text")},
            _body_characters(books, mode),
            {"drop": body_per_1000, "strict": strict_body_per_1000},
        )
        for mode in ("page", "text")
    }
    scorecards = {
        name: FittedScorecard(
            intercept=intercept,
            weights=weights,
            thresholds=thresholds["text" if name.endswith("_text") else "page"],
            examples=len(judged[name].examples),
            furniture=sum(each.furniture for each in judged[name].examples),
        )
        for name, (intercept, weights) in fitted.items()
    }
    return Profile(
        section="furniture",
        rules=VERSION,
        scorecards_hash=hash_of_scorecards(scorecards),
        scorecards=scorecards,
        made_at=made_at or datetime.now(UTC).replace(microsecond=0),
        method="L2 logistic regression towards the rules' weights, signs kept; thresholds out of book",
        measured_on=tuple(_measured(book) for book in books),
        out_of_book=_figures(judged, thresholds, books),
    )


MINIMUM_BOOKS = 3
"""Books to fit on at least: two to fit, and one to judge."""


def examples_of(book: LabelledBook) -> Iterable[Example]:
    """Yield the observations of a book whose words the labels speak of."""
    representation = book.representation
    pages = upright_lines(representation)
    observed = observe(representation, pages, ReadingOptions())
    for each in observed.observations:
        if each.barred:
            continue
        counts: dict[str, int] = defaultdict(int)
        for placed in representation.words(each.words):
            index = representation.index_on_page(placed)
            counts[book.labels[each.page - 1][index]] += len(placed.word.text)
        known = sum(count for label, count in counts.items() if label not in UNKNOWN)
        if 2 * known <= sum(counts.values()) or _belongs_elsewhere(each, counts, known):
            continue
        furniture = sum(count for label, count in counts.items() if label in FURNITURE)
        yield Example(book.name, each, 2 * furniture > known, sum(counts.values()))


def _belongs_elsewhere(each: Observation, counts: Mapping[str, int], known: int) -> bool:
    """Say whether a row is a mark that another scorecard judges."""
    marks = counts.get("signature", 0) + counts.get("catchword", 0)
    return each.scorecard.startswith("head") and 2 * marks > known


def fit(name: str, examples: Sequence[Example]) -> tuple[float, dict[str, float]]:
    """Return the intercept and the weights of a scorecard, fitted on examples; heavier runs of words count more."""
    try:
        import numpy
        from scipy.optimize import minimize
    except ImportError as fault:
        raise DependencyError("fitting needs SciPy: pip install 'ocrprep[fit]'") from fault
    rules = RULES[name]
    names = list(rules.weights)
    prior = numpy.array([rules.weights[each] for each in names])
    x = numpy.array([[each.observation.features.get(name, 0.0) for name in names] for each in examples])
    y = numpy.array([float(each.furniture) for each in examples])
    weight = numpy.sqrt([each.characters for each in examples]) / 4
    deviation = numpy.maximum(x.std(axis=0), LEAST_DEVIATION)

    def loss(point: Any) -> tuple[float, Any]:
        scores = point[0] + x @ point[1:]
        shares = 1 / (1 + numpy.exp(-numpy.clip(scores, -30, 30)))
        away = (point[1:] - prior) * deviation
        slope = weight * (shares - y)
        base = point[0] - rules.intercept
        value = (weight * (numpy.logaddexp(0, scores) - y * scores)).sum() + PENALTY * (away @ away + base * base)
        slopes = x.T @ slope + 2 * PENALTY * away * deviation
        return value, numpy.concatenate([[slope.sum() + 2 * PENALTY * base], slopes])

    bounds = [(None, None), *((0.0, None) if each > 0 else (None, 0.0) for each in prior)]
    start = numpy.concatenate([[rules.intercept], prior])
    found = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 2000})
    weights = {each: round(float(value), DECIMALS) for each, value in zip(names, found.x[1:], strict=True)}
    return round(float(found.x[0]), DECIMALS), weights


def out_of_book(name: str, examples: Sequence[Example]) -> Shares:
    """Judge the examples of each book by weights fitted on the other books."""
    judged = Shares()
    for book in sorted({each.book for each in examples}):
        others = [each for each in examples if each.book != book]
        intercept, weights = fit(name, others)
        for each in examples:
            if each.book == book:
                features = each.observation.features
                score = intercept + sum(weights.get(key, 0.0) * value for key, value in features.items())
                judged.examples.append(each)
                judged.shares.append(1 / (1 + math.exp(-min(max(score, -30.0), 30.0))))
    return judged


def _body_characters(books: Sequence[LabelledBook], mode: str) -> int:
    return sum(_body_of(book) for book in books if _is_text(book) == (mode == "text"))


def _is_text(book: LabelledBook) -> bool:
    return all(page.size == (0.0, 0.0) for page in book.representation.pages)


def _body_of(book: LabelledBook) -> int:
    return sum(
        len(text)
        for page, labels in zip(book.representation.pages, book.labels, strict=True)
        for text, label in zip(page.words.texts, labels, strict=True)
        if label == "body"
    )


def _thresholds(judged: Mapping[str, Shares], body: int, allowed: Mapping[str, float]) -> dict[str, float]:
    """Return the lowest share from which no more body characters go than allowed, and never below its floor."""
    wrong = sorted(
        (
            (share, each.characters)
            for found in judged.values()
            for each, share in zip(found.examples, found.shares, strict=True)
            if not each.furniture
        ),
        reverse=True,
    )
    floors = {"drop": LIKELY, "strict": NEARLY_CERTAIN}
    thresholds: dict[str, float] = {}
    for choice, rate in allowed.items():
        lost, threshold = 0, floors[choice]
        for share, characters in wrong:
            lost += characters
            if 1000 * lost > rate * max(body, 1):
                threshold = max(threshold, min(share + 0.001, 0.999))
                break
        thresholds[choice] = round(threshold, DECIMALS)
    return thresholds


def _figures(
    judged: Mapping[str, Shares], thresholds: Mapping[str, Mapping[str, float]], books: Sequence[LabelledBook]
) -> dict[str, float]:
    """Return what the thresholds find and wrongly drop of the observations, out of book."""
    figures: dict[str, float] = {}
    for mode, chosen in thresholds.items():
        body = _body_characters(books, mode)
        for choice, threshold in chosen.items():
            found = total = lost = 0
            for name, shares in judged.items():
                if name.endswith("_text") != (mode == "text"):
                    continue
                for each, share in zip(shares.examples, shares.shares, strict=True):
                    total += each.characters * each.furniture
                    found += each.characters * (each.furniture and share >= threshold)
                    lost += each.characters * (not each.furniture and share >= threshold)
            if total:
                figures[f"{mode}_{choice}_recall"] = round(100 * found / total, 2)
                figures[f"{mode}_{choice}_body_per_1000"] = round(1000 * lost / max(body, 1), 3)
    return figures


def _measured(book: LabelledBook) -> MeasuredBook:
    labels = hash_json([list(each) for each in book.labels])
    pages = len(book.representation.pages)
    return MeasuredBook(name=book.name, pages=pages, body_characters=_body_of(book), labels=labels)
