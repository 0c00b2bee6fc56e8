"""Calibration profiles: read for exactly their rules, and refused when they are not what was fitted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ocrprep.errors import CalibrationError
from ocrprep.options import ReadingOptions
from ocrprep.preparing import find
from ocrprep.preparing import furniture as furniture_module
from ocrprep.preparing.scorecards import RULES
from ocrprep.profiles import profile_for, read_profile
from ocrprep.reading import Drop
from tests.page_builder import Typed, printed, prose, readings_of, representation_of

PROFILE = Path(__file__).resolve().parent.parent / "calibration" / "furniture-2.json"


def cut(text: str) -> str:
    return text[: len(text) // 2]


def lightened(text: str) -> str:
    profile = json.loads(text)
    profile["scorecards"]["head"]["intercept"] += 1.0
    return json.dumps(profile)


def no_profile(_section: str, _rules: str) -> None:
    return None


def headed(pages: int) -> list[list[Typed]]:
    return [[*printed([f"{at + 3} THE LONG WAY"], x=200, y=30), *printed(prose(at), y=70)] for at in range(pages)]


def test_the_profile_of_the_rules_in_use_is_there_and_no_other() -> None:
    profile = profile_for("furniture", furniture_module.VERSION)
    assert profile is not None
    assert profile.scorecards.keys() <= RULES.keys()
    assert all(each.weights.keys() <= RULES[name].weights.keys() for name, each in profile.scorecards.items())
    assert profile_for("furniture", "furniture-999") is None


def test_a_fit_keeps_the_direction_of_every_rule() -> None:
    for name, each in read_profile(PROFILE).scorecards.items():
        assert all(weight * RULES[name].weights[feature] >= 0 for feature, weight in each.weights.items())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(cut, "no profile", id="cut"),
        pytest.param(lightened, "not the ones", id="changed"),
    ],
)
def test_a_damaged_profile_is_refused(change: Callable[[str], str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "furniture-2.json"
    path.write_text(change(PROFILE.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(CalibrationError, match=message):
        read_profile(path)


def test_a_profile_for_other_rules_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.loads(PROFILE.read_text(encoding="utf-8"))
    (tmp_path / "furniture-7.json").write_text(json.dumps(text), encoding="utf-8")
    monkeypatch.setattr("ocrprep.profiles._PLACES", (tmp_path,))
    with pytest.raises(CalibrationError, match="rename or remove"):
        profile_for("furniture", "furniture-7")


def test_with_a_profile_drops_have_a_measured_probability_and_name_its_scorecards() -> None:
    body, _ = readings_of(representation_of(headed(6)))
    heads = [edit for edit in body.edits if isinstance(edit, Drop) and edit.kind == "running_head"]
    assert len(heads) == 6
    assert all(edit.basis == "calibrated" and edit.probability and edit.probability > 0.8 for edit in heads)
    assert body.calibration_key["furniture"]["scorecards"] == read_profile(PROFILE).scorecards_hash
    assert body.record.basis == "calibrated"


def test_without_a_profile_the_rules_still_find_furniture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(furniture_module, "profile_for", no_profile)
    findings = find(representation_of(headed(6)), ReadingOptions())
    drops = [edit for edit in findings.edits["body"] if isinstance(edit, Drop)]
    assert {(drop.kind, drop.basis, drop.probability) for drop in drops} == {
        ("running_head", "deterministic", None),
        ("folio", "deterministic", None),
    }
    assert findings.versions["furniture"] == {"rules": furniture_module.VERSION}


def test_strict_drops_no_more_than_drop() -> None:
    pages = representation_of(headed(6))
    loose, strict = (
        {edit.span for edit in find(pages, ReadingOptions(furniture=choice)).edits["body"] if isinstance(edit, Drop)}
        for choice in ("drop", "strict")
    )
    assert strict <= loose
