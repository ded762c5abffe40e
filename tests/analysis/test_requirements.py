from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import undercroft as uc
from support.maps import draft_of, soup
from undercroft.analysis import requirements
from undercroft.analysis.measures.table import MEASURES, Facts
from undercroft.analysis.requirements import Bound, Requirement, parse
from undercroft.analysis.survey import surveyed
from undercroft.analysis.tally import RequirementTally, Verdict, judge_level
from undercroft.core.level import Level
from undercroft.core.region import Thing
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
        ("loops between 0.35 and 1.5", [(">=", 0.35), ("<=", 1.5)]),
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
EACH = "give each an --until or a line of its own: {}"
MISTAKES = [
    ("'' is not a requirement", 1, FORMS, ""),
    ("'   ' is not", 1, FORMS, "   "),
    ("'loops' is not a requirement", 1, FORMS, "loops"),
    ("'loops >=' is not a requirement", 1, FORMS, "loops >="),
    ("'loops 2' is not a requirement", 2, FORMS, " loops 2"),
    ("'>= 2' is not a requirement", 1, FORMS, ">= 2"),
    ("'loops >= many' is not a requirement", 1, FORMS, "loops >= many"),
    ("'loops >= 2 or rooms >= 3' is not", 1, FORMS, "loops >= 2 or rooms >= 3"),
    ("'loops >= 2 and 3' is not", 1, FORMS, "loops >= 2 and 3"),
    (
        "that is more than one requirement",
        12,
        EACH.format("'loops >= 2' and 'rooms >= 3'"),
        "loops >= 2 and rooms >= 3",
    ),
    (
        "that is more than one requirement",
        23,
        EACH.format("'loops between 1 and 2' and '3 < rooms < 5'"),
        "loops between 1 and 2 and 3 < rooms < 5",
    ),
    ("unexpected '=>' in a requirement", 10, "write >=", "loops >= => 2"),
    ("unexpected '=>' in a requirement", 7, "write >=", "loops => 3"),
    ("unexpected '=<' in a requirement", 3, "write <=", "3 =< loops"),
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
    ("no number is in that range", 6, "write the smaller number first: loops between 3 and 9", "9 <= loops <= 3"),
    ("no number is in that range", 6, "write the smaller number first: loops between 3 and 9", "3 >= loops >= 9"),
    ("no number is in that range", 1, "write the smaller number first: loops between 3 and 5", "loops between 5 and 3"),
    ("no number is in that range", 5, FORMS, "3 < loops < 3"),
    ("no number is in that range", 6, FORMS, "3 <= loops < 3"),
    ("that number is too large", 10, FORMS, "loops >= 1e400"),
    ("that number is too large", 1, FORMS, "-1e400 < loops < 3"),
    ("no level can be so: loops is a whole number from 0", 1, "ask for what loops can be", "loops < 0"),
    ("no level can be so: loops is a whole number from 0", 6, "ask for what loops can be", "-3 = loops"),
    (
        "no level can be so: components is a whole number from 0",
        1,
        "ask for what components can be",
        "components == 0.5",
    ),
    ("no level can be so: rooms is a whole number from 0", 7, "ask for what rooms can be", "1.2 < rooms < 1.8"),
    ("no level can be so: rooms is a whole number from 0", 5, "ask for what rooms can be", "1 < rooms < 2"),
    ("no level can be so: density is a number from 0 to 1", 1, "ask for what density can be", "density > 1"),
    ("no level can be so: density is a number from 0 to 1", 1, "ask for what density can be", "density < 0"),
    (
        "no level can be so: density is a number from 0 to 1",
        1,
        "ask for what density can be",
        "density between 1.5 and 3",
    ),
    (
        "no level can be so: density is a number from 0 to 1, to six places",
        1,
        "ask for what density can be",
        "density == 0.3333333",
    ),
    (
        "no level can be so: density is a number from 0 to 1, to six places",
        14,
        "ask for what density can be",
        "0.3333331 <= density <= 0.3333339",
    ),
    ("no level can be so: secret_need is 0 or 1", 1, "ask for what secret_need can be", "secret_need == 2"),
    ("no level can be so: secret_need is 0 or 1", 1, "ask for what secret_need can be", "secret_need > 1"),
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


HOUSE = Facts(surveyed(Level.parse("#.+.+,#\n#.###.#\n#.....#")))
EMPTY = Facts(draft_of("###").level())


@pytest.mark.parametrize(
    ("text", "met"),
    [
        ("doors == 2", True),
        ("doors != 2", False),
        ("1 < doors < 2.5", True),
        ("2 < doors < 4", False),
        ("1 <= doors <= 2", True),
        ("doors > 1.5", True),
        ("rooms between 0 and 1", False),
    ],
)
def test_met(text: str, met: bool) -> None:
    requirement = parse(text)
    assert requirement.is_met(HOUSE) is met
    assert (judge_level(HOUSE, [requirement]).failed == []) is met


def test_a_number_that_does_not_exist_meets_nothing() -> None:
    for text in ("path_length >= 0", "path_length < 9", "path_length != 3"):
        assert not parse(text).is_met(EMPTY)
        assert parse(text).distance(EMPTY) == 1.0
        assert parse(text).describe_value(None) == "there is no path_length"
        assert judge_level(EMPTY, [parse("doors == 0"), parse(text)]) == ([1], [1], 1.0)


def test_what_is_said_to_be_never_more_is_never_more() -> None:
    seen = dict.fromkeys(requirements.ORDERED_MEASURES, 0)
    for seed in range(60):
        chance = np.random.default_rng(seed)
        draft = soup(seed, ("##..,+", "#....", "....,+L")[seed % 3])
        cells = [(int(x), int(y)) for y, x in np.argwhere(draft.level().walkable)] or [(0, 0)]
        draft.start, draft.end = (cells[int(chance.integers(len(cells)))] for _ in range(2))
        draft.things = [Thing(kind, *cells[int(chance.integers(len(cells)))]) for kind in ("key", "lock", "key")]
        numbers = uc.measure(draft.level())
        for small, large in requirements.ORDERED_MEASURES:
            less, more = numbers[small], numbers[large]
            if less is not None and more is not None:
                seen[small, large] += 1
                assert less <= more, (seed, small, large)
    assert min(seen.values()) > 10


signs = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
bounds = st.floats(-50, 50, allow_nan=False).map(lambda number: round(number, 2)) | st.integers(-3, 8).map(float)
tests = st.builds(Bound, signs, bounds)


@given(st.lists(tests, min_size=1, max_size=2), st.sampled_from(list(MEASURES)), st.sampled_from([HOUSE, EMPTY]))
def test_the_distance_is_0_if_and_only_if_it_is_met(rows: list[Bound], name: str, facts: Facts) -> None:
    requirement = Requirement("", name, tuple(rows))
    assert (requirement.distance(facts) == 0) is requirement.is_met(facts)
    assert 0 <= requirement.distance(facts) <= 1
    assert (requirement.distance(facts) == 1) is (requirement.value(facts) is None)


def oracle(requirement: Requirement, value: float) -> float:
    """The distance by its formula, with the gap found by walking from the value both ways until the number will do."""
    kind = MEASURES[requirement.measure].kind
    step, unit = (1.0, 1.0) if kind == "count" else (0.01, 0.1)
    for count in range(1000):
        for number in (round(value - count * step, 6), round(value + count * step, 6)):
            if requirement.holds(number):
                bound = min(requirement.tests, key=lambda test: abs(test.number - number)).number
                return count * step / (count * step + (max(1.0, abs(bound)) if kind == "count" else unit))
    raise AssertionError(requirement)


@pytest.mark.parametrize(
    "text",
    [
        "rooms >= 7",
        "rooms > 6",
        "rooms <= 9",
        "rooms < 9.5",
        "rooms == 4",
        "3 <= rooms <= 9",
        "2.5 < rooms < 5",
        "rooms != 3",
    ],
)
def test_counts_are_as_far_off_as_the_nearest_that_would_do(text: str) -> None:
    requirement = parse(text)
    for value in range(30):
        if text != "rooms != 3" or value == 3:
            assert requirement.value_distance(value) == pytest.approx(
                oracle(requirement, value), abs=0.02 if "." in text else 1e-9
            ), value


@pytest.mark.parametrize(
    "text", ["density >= 0.4", "density <= 0.4", "density between 0.35 and 0.5", "density == 0.25"]
)
def test_shares_are_held_against_a_tenth(text: str) -> None:
    requirement = parse(text)
    for hundredth in range(101):
        assert requirement.value_distance(hundredth / 100) == pytest.approx(
            oracle(requirement, hundredth / 100), abs=1e-6
        )


def test_figures_that_one_can_check() -> None:
    assert parse("loops >= 10").value_distance(0) == parse("loops <= 10").value_distance(20) == 0.5
    assert parse("density >= 0.35").value_distance(0.25) == pytest.approx(0.5)
    assert parse("loops > 2").value_distance(2) == pytest.approx(1 / 3)
    assert 0 < parse("density > 0.5").value_distance(0.5) < 1e-4
    assert 0 < parse("density != 0.5").value_distance(0.5) < 1e-4
    assert parse("loops != 1").value_distance(1) == 0.5


@given(st.integers(0, 60), st.integers(1, 20), st.integers(0, 20), st.integers(1, 9))
def test_a_trapezoid_turned_over(value: int, low: int, width: int, further: int) -> None:
    """Flat where it holds, and rising on both sides."""
    requirement = parse(f"{low} <= rooms <= {low + width}")
    here = requirement.value_distance(value)
    assert (here == 0) is (low <= value <= low + width)
    assert value < low or requirement.value_distance(value + further) >= here
    assert value > low + width or value - further < 0 or requirement.value_distance(value - further) >= here
    assert value <= low + width or requirement.value_distance(value + further) > here
    assert value >= low or value - further < 0 or requirement.value_distance(value - further) > here


CONTRADICTIONS = [
    (["loops >= 5", "loops <= 2"], "both: 'loops >= 5' and 'loops <= 2'"),
    (["rooms >= 1", "loops > 4", "density < 0.5", "loops < 5"], "both: 'loops > 4' and 'loops < 5'"),
    (["density > 0.5", "density < 0.5"], "both:"),
    (["density <= 0.5", "density > 0.5"], "both:"),
    (["density == 0.3", "density == 0.4"], "both:"),
    (["loops == 3", "loops != 3"], "both:"),
    (["loops != 0", "loops < 1"], "both:"),
    (["density == 1", "density != 1"], "both:"),
    (["1 <= rooms <= 2", "rooms != 1", "rooms != 2"], "all of it: '1 <= rooms <= 2', 'rooms != 1', 'rooms != 2'"),
]


@pytest.mark.parametrize(("texts", "problem"), CONTRADICTIONS)
def test_what_contradicts_itself_is_refused(texts: list[str], problem: str) -> None:
    with pytest.raises(BadInput, match="no level can be") as caught:
        requirements.check_contradictions([parse(text) for text in texts])
    assert problem in caught.value.problem
    assert caught.value.fix


def test_what_the_recipe_says_itself_is_named_so() -> None:
    own = parse("components == 1")
    with pytest.raises(BadInput, match="both: 'components == 1' of the recipe and 'components >= 2'"):
        requirements.check_contradictions([own, parse("components >= 2")], [own])


@given(
    st.lists(
        st.builds(Bound, signs, st.integers(-2, 6).map(float) | st.integers(-4, 12).map(lambda half: half / 2)),
        min_size=1,
        max_size=4,
    )
)
def test_just_what_no_number_meets_is_refused(rows: list[Bound]) -> None:
    """Whole numbers up to 20 are all that matter here, since no bound is above 6."""
    wanted = [Requirement(f"{row.sign} {row.number}", "loops", (row,)) for row in rows]
    possible = any(all(row.holds(value) for row in rows) for value in range(20))
    assert requirements._is_impossible(wanted) is not possible


POSSIBLE = [
    ["density > 0.9999995"],
    ["density < 0.0000001"],
    ["density > 0.333333", "density < 0.333335"],
    ["density != 0.5", "density between 0.499999 and 0.500001"],
    ["danger > -1e300", "danger < 1e300"],
    ["danger != 0"],
    ["danger > 1e300"],
    ["loops > 1e300", "loops != 3"],
    ["loops >= 9007199254740993"],
    ["secret_need > 0.5"],
]


@pytest.mark.parametrize("texts", POSSIBLE, ids=str)
def test_what_some_level_may_be_is_not_refused(texts: list[str]) -> None:
    requirements.check_contradictions([parse(text) for text in texts])


millionths = st.integers(-3, 5).map(lambda count: round(0.5 + count * 1e-6, 6)) | st.integers(-6, 10).map(
    lambda half: 0.5 + half * 5e-7
)


@given(
    st.lists(st.builds(Bound, signs, millionths), min_size=1, max_size=4),
    st.sampled_from(["density", "branching", "danger"]),
)
def test_just_what_no_number_of_six_places_meets_is_refused(rows: list[Bound], name: str) -> None:
    wanted = [Requirement(f"{row.sign} {row.number}", name, (row,)) for row in rows]
    possible = any(all(row.holds(round(0.5 + count * 1e-6, 6)) for row in rows) for count in range(-12, 13))
    assert requirements._is_impossible(wanted) is not possible


def test_what_is_the_same_counts_once_however_it_is_written() -> None:
    texts = [
        "loops>=2",
        "loops >= 2",
        "2 <= loops",
        "loops >= 2.0",
        "3 <= rooms <= 9",
        "rooms between 3 and 9",
        "9 >= rooms >= 3",
        "loops > 2",
        "loops>=2",
    ]
    assert [one.text for one in requirements.drop_duplicates(map(parse, texts))] == [
        "loops>=2",
        "3 <= rooms <= 9",
        "loops > 2",
    ]


def test_a_bound_is_told_as_one() -> None:
    assert parse("longest_path < 5").describe_value(7) == "longest_path is at least 7"
    assert parse("path_length < 5").describe_value(7) == "path_length is 7"


@given(st.lists(st.builds(Bound, signs, st.integers(-1, 5).map(lambda fourth: fourth / 4)), min_size=1, max_size=4))
def test_just_what_no_share_meets_is_refused(rows: list[Bound]) -> None:
    wanted = [Requirement(f"{row.sign} {row.number}", "density", (row,)) for row in rows]
    possible = any(all(row.holds(eighth / 80) for row in rows) for eighth in range(81))
    assert requirements._is_impossible(wanted) is not possible


def test_a_tally() -> None:
    wanted = [parse("doors >= 2"), parse("path_length >= 3"), parse("components == 1")]
    tally: RequirementTally[str] = RequirementTally(wanted)
    assert not tally.add(judge_level(EMPTY, wanted), "empty")
    assert not tally.add(judge_level(HOUSE, wanted), "house")
    assert not tally.add(judge_level(HOUSE, wanted), "house again")
    assert (tally.tried, tally.nearest, tally.distance) == (3, "house", parse("path_length >= 3").distance(HOUSE))
    assert tally.rejected == {"doors >= 2": 1, "path_length >= 3": 3, "components == 1": 1}
    assert tally.lines() == [
        "doors >= 2: failed 1 of 3",
        "path_length >= 3: failed 3 of 3, 3 without a path_length",
        "components == 1: failed 1 of 3",
    ]
    assert tally.add(Verdict((), (), 0.0), "fine")
    assert (tally.nearest, tally.distance) == ("fine", 0.0)


@pytest.mark.parametrize("name", ["cave", "bsp", "isaac", "maze", "rooms-and-mazes", "tinykeep", "walk"])
def test_every_measure_is_of_the_kind_it_says(name: str) -> None:
    for seed in range(3):
        for measure, value in uc.measure(uc.generate(name, seed=seed)).items():
            kind = requirements.NUMBER_KINDS[MEASURES[measure].kind]
            if value is not None:
                assert kind.least <= value <= kind.most, measure
                assert not kind.whole or isinstance(value, int), measure


@given(st.integers(0, 100), st.integers(0, 100))
def test_what_is_nearer_is_less_far(a: int, b: int) -> None:
    value = 2
    near, far = sorted((a, b), key=lambda bound: abs(bound - value))
    distances = [parse(f"doors >= {value + abs(bound - value) + 1}").distance(HOUSE) for bound in (near, far)]
    assert distances[0] <= distances[1]
