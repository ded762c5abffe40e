"""Canonical JSON is what a browser would write."""

from __future__ import annotations

import json
import math
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from undercroft.inputs.canonical_json import SAFE_INTEGER, format_canonical_json

NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-SAFE_INTEGER, SAFE_INTEGER)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_it_is_json_of_the_same_data(value: object) -> None:
    assert json.loads(format_canonical_json(value), parse_int=float) == value


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 9), max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter(value: dict[str, int], random: object) -> None:
    keys = list(value)
    random.shuffle(keys)  # type: ignore[attr-defined]
    assert format_canonical_json({key: value[key] for key in keys}) == format_canonical_json(value)


@pytest.mark.processes
def test_numbers_and_texts_are_those_of_javascript() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node.js")
    numbers = [
        sign * digit * 10.0**power for sign in (1, -1) for digit in (1, 1.25, 9.999999) for power in range(-30, 31)
    ]
    values = [
        *numbers,
        5e-324,
        1.7976931348623157e308,
        -0.0,
        0.1 + 0.2,
        2**53 - 1,
        "".join(map(chr, range(0x300))),
        "🦇\u2028",
    ]
    said = subprocess.run(
        [node, "-e", "process.stdout.write(JSON.stringify(JSON.parse(require('fs').readFileSync(0))))"],
        input=json.dumps(values).encode(),
        capture_output=True,
        check=True,
    )
    assert format_canonical_json(values) == said.stdout.decode()


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_what_json_cannot_hold_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="not a number that JSON knows"):
        format_canonical_json({"a": [number]})
