"""Calibration profiles: what was measured for exactly one section of the calibration key, read-only.

A profile is one JSON file under `calibration/`, named after the rules that it was measured with. Its section must be
the one in use to the letter: there is no fallback to a neighbour's profile.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import AwareDatetime, Field, ValidationError

from ocrprep.errors import CalibrationError
from ocrprep.identity import hash_json
from ocrprep.records.base import Identifier, ProvenanceRecord

Share = Annotated[float, Field(ge=0.0, le=1.0)]

_PACKAGE = Path(__file__).resolve().parent
_PLACES = (_PACKAGE / "calibration", _PACKAGE.parent / "calibration")
"""Where profiles lie: in an installed package, and in a checkout."""


class FittedScorecard(ProvenanceRecord):
    """One scorecard: log-odds as a sum of weighted features, and the shares from which something is dropped.

    `examples` and `furniture` are how many runs of words it was fitted on, and how many of them were furniture.
    """

    intercept: float
    weights: dict[str, float]
    thresholds: dict[str, Share]
    examples: int = Field(ge=1)
    furniture: int = Field(ge=0)


class MeasuredBook(ProvenanceRecord):
    """A labelled document that a profile was fitted on: name, pages, body characters, and the hash of its labels."""

    name: str
    pages: int = Field(ge=1)
    body_characters: int = Field(ge=0)
    labels: Identifier


class Profile(ProvenanceRecord):
    """What was fitted and measured for one section of the calibration key."""

    schema_version: Annotated[int, Field(ge=1, le=1)] = 1
    section: str = Field(pattern=r"^[a-z]+$")
    rules: str = Field(pattern=r"^[a-z]+-[0-9]+$")
    scorecards_hash: Identifier
    scorecards: dict[str, FittedScorecard]
    made_at: AwareDatetime
    method: str
    measured_on: tuple[MeasuredBook, ...]
    out_of_book: dict[str, float]
    """Figures of the same books, each judged by the scorecards fitted on the others."""


def hash_of_scorecards(scorecards: Mapping[str, FittedScorecard]) -> str:
    """Return the hash that names what the scorecards decide: weights, intercepts, thresholds."""
    return hash_json(
        {
            name: {"intercept": each.intercept, "weights": each.weights, "thresholds": each.thresholds}
            for name, each in scorecards.items()
        }
    )


@cache
def profile_for(section: str, rules: str) -> Profile | None:
    """Return the profile of a section and its rules, or null where none was measured.

    Raises CalibrationError for a profile that cannot be read or does not hold what its name and hash say.
    """
    path = next((found for place in _PLACES if (found := place / f"{rules}.json").is_file()), None)
    if path is None:
        return None
    profile = read_profile(path)
    if (profile.section, profile.rules) != (section, rules):
        raise CalibrationError(f"{path}: it is the profile of {profile.section} {profile.rules}; rename or remove it")
    return profile


def read_profile(path: Path) -> Profile:
    """Read a profile and check its hash; raises CalibrationError with what is wrong."""
    try:
        profile = Profile.model_validate_json(path.read_bytes())
    except OSError as fault:
        raise CalibrationError(f"{path}: the profile cannot be read: {fault.strerror}") from fault
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(map(str, first["loc"])) or "its JSON"
        raise CalibrationError(f"{path}: no profile ({where}: {first['msg']}); fit it anew or remove it") from fault
    if hash_of_scorecards(profile.scorecards) != profile.scorecards_hash:
        raise CalibrationError(f"{path}: its scorecards are not the ones that were fitted; restore it or fit it anew")
    return profile
