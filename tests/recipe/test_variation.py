"""Parameters that a search turns."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from undercroft.errors import BadInput
from undercroft.recipe.document import Recipe
from undercroft.recipe.params import Param
from undercroft.recipe.variation import Variation, parse_variations

CAVE = Recipe.load("cave")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("fill_prob=0.35..0.5", (0.35, 0.5)),
        (" fill_prob = 0 .. 1 ", (0, 1)),
        ("fill_prob=0.35..0.5:4", [0.35, 0.4, 0.45, 0.5]),
        ("fill_prob=0.1..0.3:3", [0.1, 0.2, 0.3]),
        ("fill_prob=0.4,0.45", [0.4, 0.45]),
        ("fill_prob=0.4", [0.4]),
        ("nrepeats=1..9", (1, 9)),
        ("nrepeats=1..9:3", [1, 5, 9]),
        ("nrepeats=1..4:4", [1, 2, 3, 4]),
        ("r2_cutoff=-1..3:2", [-1, 3]),
        ("connect=largest,nearest", ["largest", "nearest"]),
    ],
)
def test_forms(text: str, values: Any) -> None:
    found = parse_variations([text], CAVE)
    assert list(found.values()) == [values]
    Variation(CAVE, found)


MISTAKES = [
    ("what varies is written NAME=FIRST..LAST, not 'fill_prob'", "fill_prob"),
    ("what varies is written NAME=FIRST..LAST, not '=1..2'", "=1..2"),
    ("what varies is written NAME=FIRST..LAST, not 'fill_prob='", "fill_prob="),
    ("unknown parameter of cave 'fil_prob'", "fil_prob=0.1..0.2"),
    ("nothing lies between 0.5 and 0.35", "fill_prob=0.5..0.35"),
    ("fill_prob is a number from 0 to 1, not 2", "fill_prob=0..2"),
    ("fill_prob is a number from 0 to 1, not -1", "fill_prob=-1,0.4"),
    ("nrepeats is a whole number from 0 to 1,000, not 1.5", "nrepeats=1.5..2"),
    ('nrepeats is a whole number from 0 to 1,000, not "many"', "nrepeats=1..many"),
    ("this is not TOML", "fill_prob=..0.5"),
    ("this is not TOML", "fill_prob=0.2.."),
    ("this is not TOML", "fill_prob=0.2,,0.4"),
    ("fill_prob goes in a whole number of values from 2, not '1'", "fill_prob=0..1:1"),
    ("fill_prob goes in a whole number of values from 2, not 'few'", "fill_prob=0..1:few"),
    ("fill_prob goes in a whole number of values from 2, not ''", "fill_prob=0..1:"),
    ("there are only 3 whole numbers from 1 to 3, not 9", "nrepeats=1..3:9"),
    ("the number of values of fill_prob is 1,000,001; the limit is 1,000,000", "fill_prob=0..1:1000001"),
    ("connect is one of largest, nearest, discard: there is nothing between", "connect=largest..nearest"),
    ("unknown value of connect 'largst'", "connect=largst"),
]


@pytest.mark.parametrize(("problem", "text"), MISTAKES, ids=[text for _, text in MISTAKES])
def test_mistakes_are_said(problem: str, text: str) -> None:
    with pytest.raises(BadInput) as caught:
        Variation(CAVE, parse_variations([text], CAVE))
    assert problem in caught.value.problem
    assert caught.value.fix


def test_further_mistakes() -> None:
    with pytest.raises(BadInput, match="fill_prob varies twice"):
        parse_variations(["fill_prob=0..1", "fill_prob=0.4"], CAVE)
    with pytest.raises(BadInput, match="the number of combinations of values is 1,002,001; the limit"):
        Variation(CAVE, {"fill_prob": [0.4] * 1001, "nrepeats": list(range(1001))})
    wrong: list[Any] = [(0.1, 0.2, 0.3), (), [], "0.1..0.2"]
    for values in wrong:
        with pytest.raises(BadInput, match="fill_prob"):
            Variation(CAVE, {"fill_prob": values})
    with pytest.raises(BadInput, match="unknown parameter of cave 'rounds'"):
        Variation(CAVE, {"rounds": [1]})


@given(st.integers(0, 2**64 - 1), st.floats(0, 1), st.floats(0, 1))
def test_what_is_drawn_belongs_to_the_seed_and_keeps_between_the_ends(seed: int, one: float, other: float) -> None:
    low, high = sorted((one, other))
    vary = Variation(CAVE, {"fill_prob": (low, high), "nrepeats": (3, 7)})
    values = vary.values(seed, 0)
    assert low <= values["fill_prob"] <= high
    assert values["nrepeats"] in range(3, 8)
    assert type(values["nrepeats"]) is int
    assert values == vary.values(seed, 0) == Variation.from_data(vary.data(), CAVE).values(seed, 0)
    assert values["fill_prob"] == Variation(CAVE, {"fill_prob": (low, high)}).values(seed, 0)["fill_prob"], (
        "one does not disturb the other"
    )
    assert CAVE.values(values)


def test_what_is_drawn_can_be_typed_and_is_spread() -> None:
    vary = Variation(CAVE, {"fill_prob": (0.35, 0.5), "nrepeats": (1, 4)})
    drawn = [vary.values(seed, 0) for seed in range(2000)]
    shares = [values["fill_prob"] for values in drawn]
    assert max(len(repr(share)) for share in shares) <= 7
    assert min(shares) < 0.352
    assert max(shares) > 0.498
    assert 0.42 < sum(shares) / len(shares) < 0.43
    assert {values["nrepeats"] for values in drawn} == {1, 2, 3, 4}


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6), st.integers(2, 40))
def test_a_grid_goes_from_end_to_end(low: float, width: float, steps: int) -> None:
    from undercroft.recipe.variation import _list_grid_values

    high = low + width
    values = _list_grid_values(Param("x", 0.5), (low, high), str(steps))
    assert (values[0], values[-1], len(values)) == (pytest.approx(low), pytest.approx(high), steps)
    assert values == sorted(values)
    assert all(low <= value <= high for value in values)


@given(st.integers(-50, 50), st.integers(1, 60), st.integers(2, 40))
def test_a_grid_of_whole_numbers(low: int, width: int, steps: int) -> None:
    from undercroft.recipe.variation import _list_grid_values

    if steps <= width + 1:
        values = _list_grid_values(Param("x", 0), (low, low + width), str(steps))
        assert values[0] == low
        assert values[-1] == low + width
        assert len(set(values)) == len(values) == steps
        gaps = {after - before for before, after in pairwise(values)}
        assert max(gaps) - min(gaps) <= 1


def test_every_combination_once() -> None:
    vary = Variation(CAVE, {"nrepeats": [1, 2, 3], "connect": ["largest", "discard"], "fill_prob": (0.1, 0.2)})
    assert vary.combinations == 6
    made = [vary.values(5, number) for number in range(6)]
    assert [(values["nrepeats"], values["connect"]) for values in made] == [
        (n, c) for n in (1, 2, 3) for c in ("largest", "discard")
    ]
    assert len({values["fill_prob"] for values in made}) == 1
