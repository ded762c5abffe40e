"""Guarded JSON: it reads what the json module reads, and refuses the rest with a place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.levels import JSON
from undercroft import limits
from undercroft.errors import BadInput
from undercroft.inputs.json import format_json, format_json_indented, measure_depth, parse_json, parse_json_document


@settings(max_examples=300)
@given(st.binary(max_size=60) | st.text(st.sampled_from('[]{}",:\\ 1eN-'), max_size=40).map(str.encode))
def test_the_guard_agrees_with_the_json_module(data: bytes) -> None:
    """What it lets pass, json reads the same; what json cannot read, it refuses."""
    try:
        expected = json.loads(data.decode())
    except ValueError:
        with pytest.raises(BadInput):
            parse_json(data, "a")
        return
    try:
        found = parse_json(data, "a")
    except BadInput as error:
        said = str(error)
        assert any(reason in said for reason in ("twice", "not a number", "is empty"))
    else:
        assert found == expected


def test_brackets_in_strings_do_not_nest() -> None:
    assert measure_depth(rb'["\\", "[[["]') == 1
    assert measure_depth(rb'["\"[[", {"a]": "]"}]') == 2


@given(JSON)
def test_depth_is_the_depth(value: Any) -> None:
    def slow(inner: Any) -> int:
        return (
            1 + max(map(slow, inner.values() if isinstance(inner, dict) else inner), default=0)
            if isinstance(inner, (dict, list))
            else 0
        )

    for escape in (True, False):
        assert measure_depth(json.dumps(value, ensure_ascii=escape).encode()) == slow(value)


@given(JSON)
def test_documents_and_files_are_read_alike(value: Any) -> None:
    for text in (format_json(value), format_json_indented(value)):
        assert parse_json(text.encode(), "a") == value
        assert parse_json_document(text, "a", limits.LAYOUT_BYTES).data == value


def test_documents_know_where_keys_and_values_stand() -> None:
    found = parse_json_document('\ufeff{\n  "a": [1,\n  {"b": null}]}', "a.json", limits.LAYOUT_BYTES)
    assert str(found.place("a")) == "a.json:2:3"
    assert str(found.value_place("a")) == "a.json:2:8"
    assert str(found.place("a", 1, "b")) == "a.json:3:4"
    assert str(found.value_place("a", 1, "b")) == "a.json:3:9"
    assert str(found.value_place("a", 7)) == "a.json:2:3"


def test_json_for_files_is_compact_and_json_for_readers_is_not() -> None:
    value = {"name": "Küche", "size": [3]}
    assert format_json(value) == '{"name":"Küche","size":[3]}'
    assert format_json_indented(value) == '{\n  "name": "Küche",\n  "size": [\n    3\n  ]\n}\n'
    with pytest.raises(ValueError, match="not JSON compliant"):
        format_json(float("nan"))
