"""Scorecards: a few named features, each with its weight, add up to a score that a logistic curve turns into a share.

The rules' own scorecards have weights set by hand, and their share is no probability. A profile's weights are fitted on
labelled pages; only then is the share a measured probability. Method: logistic regression as a points table, as in
credit scoring (Siddiqi, Credit Risk Scorecards, 2006): each decision can be read off line by line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

CONTRIBUTIONS = 6
"""So many contributions of a decision are told, the greatest first; the rest seldom add up to a tenth of the score."""


@dataclass(frozen=True, slots=True)
class Scorecard:
    """A score as a weighted sum: `intercept` and `weights` in log-odds; a feature without a weight counts nothing.

    `thresholds` are the shares from which something is dropped, by the user's choice (`drop`, `strict`).
    """

    intercept: float
    weights: Mapping[str, float]
    thresholds: Mapping[str, float] = field(default_factory=dict)
    fitted: bool = False

    def share(self, features: Mapping[str, float]) -> float:
        """Return the logistic of the score, from 0 to 1."""
        weights = self.weights
        score = self.intercept + sum(weights.get(name, 0.0) * value for name, value in features.items())
        return 1 / (1 + math.exp(-min(max(score, -30.0), 30.0)))

    def contributions(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return what the weightiest features added to the score or took from it, in log-odds."""
        parts = [(name, self.weights.get(name, 0.0) * value) for name, value in features.items()]
        told = sorted((part for part in parts if part[1]), key=lambda part: (-abs(part[1]), part[0]))
        return {name: round(value, 2) for name, value in told[:CONTRIBUTIONS]}
