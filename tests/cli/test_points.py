"""`cli/options/points.py`: cells on a command line."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from undercroft.cli.options.points import parse_point, parse_point_inside
from undercroft.errors import BadInput


@given(st.integers(-999_999_999, 999_999_999), st.integers(-999_999_999, 999_999_999), st.sampled_from(("", " ", "\t")))
def test_every_point_is_read(x: int, y: int, blank: str) -> None:
    for text in (f"{x},{y}", f"{blank}{x}{blank},{blank}{y}{blank}", f"({x},{blank}{y})"):
        assert parse_point(text) == (x, y)


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("4x2", "did you mean 4,2?"),
        ("4;2", "did you mean 4,2?"),
        ("4 2", "did you mean 4,2?"),
        ("[4, 2]", "did you mean 4,2?"),
        ("(4,2", "did you mean 4,2?"),
        ("x=4,y=2", "did you mean 4,2?"),
        ("", "for example 4,2:"),
        ("4", "for example 4,2:"),
        ("4,2,1", "for example 4,2:"),
        ("1e9,2", "for example 4,2:"),
        ("99999999999,1", "for example 4,2:"),
        ("a" * 5000, "for example 4,2:"),
    ],
)
def test_other_texts_are_refused_with_a_guess(text: str, fix: str) -> None:
    with pytest.raises(BadInput) as found:
        parse_point(text, "--start")
    assert found.value.problem.startswith("--start: a cell is X,Y, not ")
    assert len(found.value.problem) < 100
    assert found.value.fix.startswith(fix)


@given(st.text(max_size=30))
def test_no_text_raises_anything_else(text: str) -> None:
    with contextlib.suppress(BadInput):
        parse_point(text)


@given(st.integers(1, 100), st.integers(1, 100), st.integers(-5, 105), st.integers(-5, 105))
def test_a_cell_outside_the_map_is_refused(width: int, height: int, x: int, y: int) -> None:
    if 0 <= x < width and 0 <= y < height:
        assert parse_point_inside(f"{x},{y}", (width, height), "--end") == (x, y)
    else:
        with pytest.raises(BadInput, match=f"^--end {x},{y} is outside the map, which is {width}x{height}"):
            parse_point_inside(f"{x},{y}", (width, height), "--end")
