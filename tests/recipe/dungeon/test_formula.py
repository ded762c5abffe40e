"""D-10: formulas in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from undercroft.errors import BadInput, Place, TooBig
from undercroft.recipe.dungeon.formula import Formula, is_formula, nearest_double, round_down

NAMES = ("depth", "floors", "deep")


def value(text: str, **values: Any) -> Fraction:
    return Formula.parse(text, NAMES).value({"depth": 3, "floors": 8, "deep": 5, **values})


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("= 8 + 6*depth", 26),
        ("=0.36 + depth/100", Fraction(39, 100)),
        ("= min(2, depth/3)", 1),
        ("= depth > 2", 1),
        ("= (depth > 3) * 5", 0),
        ("= 1 < depth <= 3", 1),
        ("= 1 < depth < 3", 0),
        ("= max(1, depth - floors, deep) / 2", Fraction(5, 2)),
        ("= floor(-7/2)", -4),
        ("= -(-depth)", 3),
        ("= - - depth - -1", 4),
        ("= 2 - 3 - 4", -5),
        ("= 12 / 3 / 2", 2),
        ("= 0.1 + 0.2 == 0.3", 1),
        ("= .5 != 1/2", 0),
    ],
)
def test_a_formula_has_this_value(text: str, wanted: Fraction) -> None:
    assert value(text) == wanted


MISTAKES = [
    ("unknown name 'dept' in a formula", "= 8 + dept", 7),
    ("the formula is empty", "=", 2),
    ("the formula ends too soon", "= 3 +", 6),
    ("a bracket is not closed", "= (3 + 1", 9),
    ("')' does not belong here", "= 3 + 1)", 8),
    ("',' does not belong here", "= 3, 1", 4),
    ("'4' does not belong here", "= 3 4", 5),
    ("'^' has no meaning in a formula", "= 3 ^ 4", 5),
    ("'%' has no meaning in a formula", "= 3 % 4", 5),
    ("'*' does not belong here", "= 3 ** 4", 6),
    ("'=' has no meaning in a formula", "= depth = 3", 9),
    ("min takes 2 to 16 values, not 1", "= min(3)", 3),
    ("floor takes one value, not 2", "= floor(3, 4)", 3),
    ("min takes its values in brackets", "= min + 3", 3),
    ("the brackets are nested too deep", "= " + "(" * 40 + "1" + ")" * 40, 36),
    ("the brackets are nested too deep", "= " + "floor(" * 33 + "1" + ")" * 33, 201),
    ("'$' has no meaning in a formula", "= $deep", 3),
    ("unknown name 'import' in a formula", "= import", 3),
    ("'٣' has no meaning in a formula", "= ٣", 3),
    ("'²' has no meaning in a formula", "= 3²", 4),
]


@pytest.mark.parametrize(("problem", "text", "column"), MISTAKES)
def test_a_mistake_names_its_place(problem: str, text: str, column: int) -> None:
    line = f'danger = "{text}"'
    with pytest.raises((BadInput, TooBig)) as caught:
        Formula.parse(text, NAMES, Place("a.toml", 4, 10, line))
    if len(text) <= 200:
        assert caught.value.problem == problem
        assert caught.value.fix
        assert caught.value.place == Place("a.toml", 4, 10 + column, line)
    else:
        assert "the length of a formula is" in caught.value.problem


@pytest.mark.parametrize(
    ("problem", "text", "column"),
    [
        ("the formula divides by zero (depth = 3)", "= 1 / (depth - 3)", 5),
        ("a value of the formula has more than 4,096 binary digits (deep = 1e+300)", "= deep*deep*deep*deep*deep", 22),
        ("the value of the formula is beyond 1e308 (deep = 1e+300)", "= deep*deep/3", 1),
        ("the value of the formula is beyond 1e308 (deep = 1e+300)", "= -deep*deep", 1),
    ],
)
def test_a_value_that_cannot_be_names_its_place(problem: str, text: str, column: int) -> None:
    formula = Formula.parse(text, NAMES, Place("a.toml", 4, 10, f'danger = "{text}"'))
    with pytest.raises(BadInput) as caught:
        formula.value({"depth": 3, "floors": 8, "deep": 1e300})
    assert caught.value.problem == problem
    assert caught.value.place is not None
    assert caught.value.place.column == 10 + column


def test_a_formula_of_two_hundred_signs_ends() -> None:
    """The longest product of the largest numbers is refused at once, and is no reason to wait."""
    text = "= " + "*".join(["deep"] * 39)
    with pytest.raises(BadInput, match="binary digits"):
        value(text, deep=1.7e308)
    with pytest.raises(TooBig, match="the length of a formula is 201"):
        Formula.parse("= " + "1" * 199, NAMES)


LEAVES = st.sampled_from(["depth", "floors", "deep", "2", "0.25", "10", "7"])
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "<", "<=", "==", ">", "!="]), inner).map(
            lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
        ),
        inner.map(lambda part: f"-({part})"),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(
            lambda parts: f"{parts[0]}({parts[1]}, {parts[2]})"
        ),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS, st.integers(1, 40), st.integers(1, 40))
def test_values_are_those_of_exact_arithmetic(text: str, depth: int, deep: int) -> None:
    """The oracle is Python's own arithmetic on fractions."""
    if len(text) > 190:
        return
    names = {"depth": Fraction(depth), "floors": Fraction(9), "deep": Fraction(deep), "min": min, "max": max}
    exact = text.replace("0.25", "quarter").replace("10", "ten").replace("2", "two").replace("7", "seven")
    numbers = {"quarter": Fraction(1, 4), "ten": Fraction(10), "two": Fraction(2), "seven": Fraction(7)}
    wanted = eval(exact, {"__builtins__": {}}, {**names, **numbers})
    assert Formula.parse(f"= {text}", NAMES).value({"depth": depth, "floors": 9, "deep": deep}) == wanted


def test_rounding() -> None:
    assert [round_down(Fraction(number, 2)) for number in (-3, -1, 1, 3)] == [-2, -1, 0, 1]
    assert nearest_double(Fraction(1, 3)) == 1 / 3
    assert nearest_double(Fraction(10**40 + 1, 10**40)) == 1.0


def test_what_a_formula_is() -> None:
    assert is_formula("= 3")
    assert is_formula(" =3")
    assert not is_formula("3 = 3")
    assert not is_formula(3)
