"""IDs: canonical, stable, and of the content only."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrprep.identity import canonical_json, hash_bytes, hash_json, hash_stream, hash_text, source_id

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab é", max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_key_order_does_not_matter(value: object) -> None:
    def turned(part: object) -> object:
        if isinstance(part, dict):
            return {key: turned(part[key]) for key in reversed(list(part))}
        return [turned(each) for each in part] if isinstance(part, list) else part

    assert canonical_json(turned(value)) == canonical_json(value)
    assert hash_json(turned(value)) == hash_json(value)


def test_the_form_is_fixed() -> None:
    assert canonical_json({"b": [1, None], "a": "é\n"}) == '{"a":"é\\n","b":[1,null]}'
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(float("nan"))


def test_known_hashes() -> None:
    empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert hash_bytes(b"") == hash_text("") == hash_stream(io.BytesIO()) == empty


def test_a_source_of_one_file_has_the_hash_of_its_bytes_and_order_counts_in_a_longer_one() -> None:
    one, two = hash_bytes(b"1"), hash_bytes(b"2")
    assert source_id([one]) == one
    assert len({source_id([one, two]), source_id([two, one]), source_id([one, one]), one}) == 4
