from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn import drawn
from undercroft.analysis import requirements
from undercroft.analysis.measures import MEASURES, Facts
from undercroft.analysis.requirements import Bound, Requirement, parse
from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.errors import BadInput, Place


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        ("loops >= 2", [(">=", 2)]),
        ("loops>=2", [(">=", 2)]),
        ("  loops   >=\t2 ", [(">=", 2)]),
        ("loops > 2", [(">", 2)]),
        ("loops < 2", [("<", 2)]),
        ("loops <= 2", [("<=", 2)]),
        ("loops == 2", [("==", 2)]),
        ("loops = 2", [("==", 2)]),
        ("loops != 2", [("!=", 2)]),
        ("2 <= loops", [(">=", 2)]),
        ("2 < loops", [(">", 2)]),
        ("2 >= loops", [("<=", 2)]),
        ("2 > loops", [("<", 2)]),
        ("2 = loops", [("==", 2)]),
        ("2 != loops", [("!=", 2)]),
        ("3 <= loops <= 9", [(">=", 3), ("<=", 9)]),
        ("3<loops<=9", [(">", 3), ("<=", 9)]),
        ("9 > loops >= 3", [("<", 9), (">=", 3)]),
        ("loops between 0.35 and 0.5", [(">=", 0.35), ("<=", 0.5)]),
        ("loops between 3 and 3", [(">=", 3), ("<=", 3)]),
        ("loops >= -1.5e-3", [(">=", -0.0015)]),
    ],
)
def test_forms(text: str, tests: list[tuple[str, float]]) -> None:
    found = parse(text)
    assert found.measure == "loops"
    assert list(found.tests) == [Bound(*row) for row in tests]
    assert found.text == " ".join(text.split())


FORMS = "write 'loops >= 2', '3 <= rooms <= 9' or 'density between 0.35 and 0.5'"
MISTAKES = [
    ("'' is not a requirement", 1, FORMS, ""),
    ("'   ' is not", 1, FORMS, "   "),
    ("'loops' is not a requirement", 1, FORMS, "loops"),
    ("'loops >=' is not a requirement", 1, FORMS, "loops >="),
    ("'loops 2' is not a requirement", 2, FORMS, " loops 2"),
    ("'>= 2' is not a requirement", 1, FORMS, ">= 2"),
    ("'loops >= many' is not a requirement", 1, FORMS, "loops >= many"),
    ("'loops >= 2 and rooms >= 3' is not", 1, FORMS, "loops >= 2 and rooms >= 3"),
    ("'loops >= => 2' is not", 1, FORMS, "loops >= => 2"),
    ("'loops between 1 2' is not", 1, FORMS, "loops between 1 2"),
    ("'loops within 1 and 2' is not", 1, FORMS, "loops within 1 and 2"),
    ("'loops between 1 or 2' is not", 1, FORMS, "loops between 1 or 2"),
    ("unexpected '&' in a requirement", 12, FORMS, "loops >= 2 && rooms"),
    ("unexpected '*' in a requirement", 7, FORMS, "loops * 2"),
    ("unexpected '.' in a requirement", 10, FORMS, "loops >= .5"),
    ("unknown measure 'loop'", 1, "did you mean 'loops'?", "loop >= 2"),
    ("unknown measure 'Rooms'", 6, "did you mean 'rooms'?", "3 <= Rooms <= 9"),
    ("unknown measure 'gold'", 1, f"one of: {', '.join(MEASURES)}", "gold between 1 and 2"),
    ("both signs of a double comparison point the same way", 12, FORMS, "3 <= loops >= 9"),
    ("both signs of a double comparison point the same way", 12, FORMS, "3 == loops == 3"),
    ("both signs of a double comparison point the same way", 11, FORMS, "3 < loops != 3"),
    ("no number is in that range", 6, FORMS, "9 <= loops <= 3"),
    ("no number is in that range", 6, FORMS, "3 >= loops >= 9"),
    ("no number is in that range", 1, FORMS, "loops between 5 and 3"),
    ("no number is in that range", 5, FORMS, "3 < loops < 3"),
    ("no number is in that range", 6, FORMS, "3 <= loops < 3"),
]


@pytest.mark.parametrize(("problem", "column", "fix", "text"), MISTAKES, ids=[row[3] for row in MISTAKES])
def test_a_mistake_is_named_and_placed(problem: str, column: int, fix: str, text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse(text)
    assert caught.value.problem.startswith(problem.replace("'   '", "''"))
    assert caught.value.place == Place("requirement", 1, column, text)
    assert caught.value.fix == fix


def test_a_mistake_in_a_file_is_placed_there() -> None:
    line = 'loops = "loop >= 2"'
    with pytest.raises(BadInput) as caught:
        parse("loop >= 2", Place("cave.toml", 7, 9, line))
    assert caught.value.place == Place("cave.toml", 7, 10, line)


HOUSE = Facts(surveyed(Level.drawn("#.+.+,#\n#.###.#\n#.....#")))
EMPTY = Facts(drawn("###").level())


@pytest.mark.parametrize(
    ("text", "met"),
    [("doors == 2", True), ("doors != 2", False), ("1 < doors < 2", False), ("1 <= doors <= 2", True), ("doors > 1.5", True), ("rooms between 0 and 1", False)],
)
def test_met(text: str, met: bool) -> None:
    requirement = parse(text)
    assert requirement.met(HOUSE) is met
    assert (requirements.check(HOUSE, [requirement]) == []) is met


def test_a_number_that_does_not_exist_meets_nothing() -> None:
    for text in ("path_length >= 0", "path_length < 0", "path_length != 3"):
        assert not parse(text).met(EMPTY)
        assert parse(text).distance(EMPTY) == 1.0


signs = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
bounds = st.floats(-50, 50, allow_nan=False).map(lambda number: round(number, 2)) | st.integers(-3, 8).map(float)
tests = st.builds(Bound, signs, bounds)


@given(st.lists(tests, min_size=1, max_size=2), st.sampled_from([name for name in MEASURES if name != "path_length"]), st.sampled_from([HOUSE, EMPTY]))
def test_the_distance_is_0_if_and_only_if_it_is_met(rows: list[Bound], name: str, facts: Facts) -> None:
    requirement = Requirement("", name, tuple(rows))
    assert (requirement.distance(facts) == 0) is requirement.met(facts)
    assert 0 <= requirement.distance(facts) < 1


@given(st.integers(0, 100), st.integers(0, 100))
def test_what_is_nearer_is_less_far(a: int, b: int) -> None:
    value = 2
    near, far = sorted((a, b), key=lambda bound: abs(bound - value))
    distances = [parse(f"doors >= {value + abs(bound - value) + 1}").distance(HOUSE) for bound in (near, far)]
    assert distances[0] <= distances[1]
