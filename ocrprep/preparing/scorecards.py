"""The rules' own scorecards: weights set by hand, in log-odds, so that furniture is found without any profile.

They were set once, from what each feature means, and rounded to halves; a profile replaces them by fitted ones, name by
name. `alone` judges an outermost row by itself, before its neighbours are known, and is never fitted.
"""

from __future__ import annotations

from collections.abc import Mapping

from ocrprep.preparing.scorecard import Scorecard

ALONE = Scorecard(
    -4.0,
    {
        "repeats": 2.0,
        "repeats_near": 2.0,
        "folio": 3.0,
        "number_at_end": 2.0,
        "apart": 2.0,
        "set_off": 2.0,
        "small": 2.0,
        "runs_past": 1.0,
        "few_words": 1.0,
        "capitals": 1.0,
        "free": -0.5,
        "full": -1.0,
        "lower_start": -2.0,
        "open_end": -2.0,
        "tall": -3.0,
    },
)
"""Whether a row looks like a head by itself."""

_BY_HAND = {"drop": 0.5, "strict": 0.9}

_FOLIO = {"score": 1.0, "row": 1.0}
"""The score of a folio is in log-odds already."""

RULES: Mapping[str, Scorecard] = {
    "head": Scorecard(
        -8.0,
        {
            "alone": 3.0,
            "outer": 1.0,
            "folio": 5.0,
            "repeats": 3.0,
            "repeats_near": 4.0,
            "first": -1.0,
            "at_place": 4.0,
            "off_place": -3.0,
            "like_rate": 1.5,
            "like_type": 1.5,
            "like_gap": 2.0,
            "set_off": 1.5,
            "few_words": 0.5,
            "no_letters": 0.5,
            "centred": 0.5,
            "runs_past": 1.0,
            "word_past": 1.0,
            "runs_in": -1.0,
            "full": -1.0,
            "few_rows": -2.0,
            "ragged": -1.0,
            "lower_start": -1.0,
            "open_end": -2.0,
            "tall": -3.0,
        },
        _BY_HAND,
    ),
    "head_text": Scorecard(
        -9.0,
        {
            "alone": 2.0,
            "outer": 4.0,
            "folio": 4.0,
            "repeats": 3.0,
            "repeats_near": 4.0,
            "first": -2.0,
            "like_rate": 5.0,
            "short": 3.0,
            "short_inside": -3.0,
            "runs_past": 2.0,
            "word_past": 3.0,
            "runs_in": -1.0,
            "lower_start": -2.0,
            "open_end": -2.0,
            "bottom": -2.0,
        },
        _BY_HAND,
    ),
    "folio": Scorecard(-1.0, _FOLIO, _BY_HAND),
    "folio_text": Scorecard(-1.0, _FOLIO, _BY_HAND),
    "catchword": Scorecard(-5.0, {"score": 10.0}, _BY_HAND),
    "catchword_text": Scorecard(-5.0, {"score": 10.0}, _BY_HAND),
    "signature_mark": Scorecard(-5.0, {"score": 10.0}, _BY_HAND),
    "signature_mark_text": Scorecard(-5.0, {"score": 10.0}, _BY_HAND),
}
"""The scorecards by what they judge: a row as a head or foot, a folio, a catchword, a signature mark; `_text` for pages
of which no boxes are known."""
