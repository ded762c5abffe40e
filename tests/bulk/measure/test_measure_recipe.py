"""Measuring many levels: the numbers are those of each level measured alone, with any number of workers."""

from __future__ import annotations

import json
import math
from collections.abc import Generator, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from undercroft.analysis.measures.facts import Facts
from undercroft.analysis.measures.table import MEASURES
from undercroft.bulk.measure.expressive_range import build_expressive_range, build_range_data, render_range_file
from undercroft.bulk.measure.measure_recipe import Measuring
from undercroft.bulk.measure.measured_files import (
    ROWS_PER_PIECE,
    csv_pieces,
    json_pieces,
    simplify_number,
    summarise_measures,
)
from undercroft.bulk.workers.adaptive import AdaptivePool
from undercroft.bulk.workers.in_process import TaskResult
from undercroft.errors import BadInput, OutOfBudget
from undercroft.inputs import files
from undercroft.recipe.document import Recipe

SIZE = (30, 16)
NEVER = Recipe.parse('[[step]]\nuse = "noise"\nwall = 1.0\n[require]\nrooms = "> 900"', "never.toml")


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave all of the work to the workers, instead of beginning with it here."""

    def here(_paced: AdaptivePool, _messages: Iterator[Any]) -> Generator[TaskResult, None, bool]:
        yield from ()
        return True

    monkeypatch.setattr(AdaptivePool, "_run_in_process", here)


def cave(seeds: range = range(20), *measures: str, workers: int = 1, **options: Any) -> Measuring:
    return Measuring("cave", seeds, measures or ("density", "loops"), size=SIZE, workers=workers, **options)


def test_the_numbers_are_those_of_each_level() -> None:
    for recipe, params in (("cave", {"fill_prob": 0.38}), ("bsp", {})):
        names = ("density", "rooms", "path_length", "door_spacing")
        measured = Measuring(recipe, range(5, 15), names, size=(60, 40), params=params, workers=1)
        for seed, numbers in measured:
            assert dict(zip(names, numbers, strict=True)) == uc.measure(
                uc.generate(recipe, seed=seed, size=(60, 40), params=params), *names
            )
        assert measured.seeds.tolist() == list(range(5, 15))
        assert measured.tried == 10


@pytest.mark.usefixtures("at_once")
def test_two_workers_say_what_one_says() -> None:
    one, two = (cave(range(60), "density", "loops", "door_spacing", workers=workers) for workers in (1, 2))
    assert list(one) == list(two)
    assert b"".join(csv_pieces([one])) == b"".join(csv_pieces([two]))
    ranges = [build_expressive_range([each], "loops", "density") for each in (one, two)]
    assert ranges[0] is not None
    assert ranges[1] is not None
    assert render_range_file([one], ranges[0], "a.png") == render_range_file([two], ranges[1], "a.png")


def test_it_can_be_stopped_and_keeps_what_it_has() -> None:
    measured = cave(range(10**6))
    assert len(list(islice(measured, 7))) == 7
    measured.close()
    assert list(measured) == []
    assert measured.tried == len(measured.seeds) == len(measured.columns["loops"]) == 7


def test_seeds_without_a_level_are_counted() -> None:
    measured = Measuring(NEVER, range(3), ("density",), size=(8, 8), workers=1)
    assert list(measured) == []
    assert measured.tried == 3
    assert measured.nothing == {"could not be made as required": 3}


def test_a_measure_that_takes_too_long_costs_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(facts: Facts) -> int:
        if facts.given.provenance["seed"] == "1":
            raise OutOfBudget("too long")
        return 4

    monkeypatch.setitem(MEASURES.own, "doors", MEASURES["doors"]._replace(of=slow))
    measured = cave(range(3), "loops", "doors")
    rows = [numbers for _, numbers in measured]
    assert [numbers[1] for numbers in rows] == [4, None, 4]
    assert all(numbers[0] is not None for numbers in rows)
    assert measured.slow == {"doors": 1}
    assert measured.columns["doors"].missing == 1


def test_a_task_that_kills_its_workers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(_paced: AdaptivePool, seeds: Any) -> Generator[TaskResult]:
        assert list(seeds) == [[0, 0], [1, 0], [2, 0]]
        yield TaskResult([[0, 0], [1, 0]], None, 0.0, "SIGKILL")
        yield TaskResult([[2, 0]], [[[0.5, 3], [], [40, 20]]], 0.1)

    monkeypatch.setattr(AdaptivePool, "run", run)
    measured = cave(range(3))
    assert [row.seed for row in measured] == [2]
    assert (measured.tried, measured.given_up) == (3, 2)
    assert [(count, "SIGKILL" in reason) for reason, count in measured.nothing.items()] == [(2, True)]


MISTAKES: list[tuple[str, dict[str, Any]]] = [
    ("unknown measure 'lops'", {"measures": ("lops",)}),
    ("unknown parameter of cave 'fil_prob'", {"params": {"fil_prob": 0.3}}),
    ("workers is a whole number from 1", {"workers": 0}),
    ("0x4", {"size": (0, 4)}),
]


@pytest.mark.parametrize(("problem", "options"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_mistakes_are_found_before_the_work(problem: str, options: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=problem):
        Measuring("cave", range(3), **options)


def test_a_recipe_that_needs_a_map_is_refused() -> None:
    needy = Recipe.parse('begins = ["tiles"]\n[[step]]\nuse = "survey"', "needy.toml")
    with pytest.raises(BadInput, match="needs a map to begin with"):
        Measuring(needy, range(3))


def test_all_measures_if_none_is_named() -> None:
    measured = Measuring("cave", range(1), size=SIZE, workers=1)
    [row] = measured
    everything = uc.measure(uc.generate("cave", seed=0, size=SIZE))
    assert dict(zip(measured.measures, row.numbers, strict=True)) == {name: everything.get(name) for name in MEASURES}


def filled(count: int) -> Measuring:
    """Numbers that nobody measured."""
    measured = cave(range(count), "density", "loops", "door_spacing")
    for seed in range(count):
        measured._add(seed, 0, SIZE, [seed / 64, seed % 7, None if seed % 3 else seed])
    measured.tried = count
    return measured


@pytest.mark.parametrize(
    "count", [0, 1, ROWS_PER_PIECE - 1, ROWS_PER_PIECE, ROWS_PER_PIECE + 1, 2 * ROWS_PER_PIECE + 5]
)
def test_files_hold_every_level_once(count: int) -> None:
    measured = filled(count)
    lines = b"".join(csv_pieces([measured])).decode().splitlines()
    assert lines[0] == "recipe,seed,density,loops,door_spacing,width,height,version,editions"
    rows = [line.split(",") for line in lines[1:]]
    assert [int(row[1]) for row in rows] == list(range(count))
    assert all(row[0] == "cave" for row in rows)
    assert [float(row[2]) for row in rows] == [seed / 64 for seed in range(count)]
    assert [row[4] for row in rows] == ["" if seed % 3 else str(seed) for seed in range(count)]
    data = json.loads(b"".join(json_pieces({"more": 1}, [measured, measured], [{"name": "a"}, {"name": "b"}])))
    assert data["more"] == 1
    assert [recipe["name"] for recipe in data["recipes"]] == ["a", "b"]
    values = data["recipes"][1]["values"]
    assert values["seed"] == [str(seed) for seed in range(count)]
    assert values["loops"] == [seed % 7 for seed in range(count)]
    assert values["door_spacing"] == [None if seed % 3 else seed for seed in range(count)]


def test_pieces_are_small() -> None:
    measured = filled(5 * ROWS_PER_PIECE)
    for pieces in (csv_pieces([measured]), json_pieces({}, [measured], [{}])):
        sizes = [len(piece) for piece in pieces]
        assert max(sizes) < 60 * ROWS_PER_PIECE
        assert len(sizes) >= 5


def test_names_with_commas_are_quoted() -> None:
    recipe = Recipe.parse('[[step]]\nuse = "noise"', 'a,"b.toml')
    measured = Measuring(recipe, range(2), ("density",), size=(5, 5), workers=1)
    list(measured)
    assert b"".join(csv_pieces([measured])).decode().splitlines()[1].startswith('"a,""b",0,')


def test_a_summary_is_numpys() -> None:
    measured = filled(1000)
    found = summarise_measures(measured)
    known = np.array([seed for seed in range(1000) if not seed % 3], float)
    assert found["door_spacing"] == {
        "none": 666,
        "least": 0,
        "median": np.median(known),
        "mean": pytest.approx(known.mean()),
        "greatest": 999,
    }
    assert found["density"]["none"] == 0
    assert summarise_measures(filled(0))["loops"] == {
        "none": 0,
        "least": None,
        "median": None,
        "mean": None,
        "greatest": None,
    }


def test_numbers_are_written_as_they_are() -> None:
    assert [simplify_number(number) for number in (1, 1.0, 0.1, None, math.nan, -2.5, 0)] == [
        1,
        1,
        0.1,
        None,
        None,
        -2.5,
        0,
    ]


def test_a_range_leaves_out_levels_without_a_number_and_says_so() -> None:
    measured = filled(90)
    found = build_expressive_range([measured], "door_spacing", "density")
    assert found is not None
    assert found.rows == [list(range(0, 90, 3))]
    assert found.whole == (True, False), "the number is whole, a share is not"
    assert found.spreads[0].counts.sum() == 30
    about, [recipe] = build_range_data([measured], found)
    assert about["x"]["measure"] == "door_spacing"
    assert len(about["x"]["edges"]) == len(recipe["range"]["counts"][0]) + 1
    assert len(about["y"]["edges"]) == len(recipe["range"]["counts"]) + 1
    assert recipe["range"]["levels"] == 30
    assert recipe["range"]["corners"] == [{"seed": str(seed), "x": seed, "y": seed / 64} for seed in (0, 87)]
    assert json.loads(json.dumps(recipe)) == recipe


def test_there_is_no_range_without_levels_or_measures() -> None:
    assert build_expressive_range([filled(0)], "density", "loops") is None
    assert build_expressive_range([filled(3)], "density", "rooms") is None
    assert build_expressive_range([filled(9), filled(0)], "density", "loops") is None
    lacking = cave(range(5), "density", "door_spacing")
    list(lacking)
    assert build_expressive_range([lacking], "density", "door_spacing") is None, "caves have no doors"


def test_two_recipes_share_their_bins() -> None:
    one, two = cave(range(30)), cave(range(30), params={"fill_prob": 0.36})
    for each in (one, two):
        list(each)
    found = build_expressive_range([one, two], "loops", "density")
    assert found is not None
    shapes = {spread.counts.shape for spread in found.spreads}
    assert shapes == {(len(found.box.y) - 1, len(found.box.x) - 1)}
    assert [int(spread.counts.sum()) for spread in found.spreads] == [30, 30]
    about, _ = build_range_data([one, two], found)
    assert 0 <= about["overlap"] <= 1
    assert two.label == "cave fill_prob=0.36"
    assert one.level(4) == uc.generate("cave", seed=4, size=SIZE)


def test_a_file_of_pieces_is_whole_or_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    files.write_file(path, (piece for piece in (b"one,", b"two")))
    assert path.read_bytes() == b"one,two"

    def broken() -> Iterator[bytes]:
        yield b"three"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        files.write_file(path, broken())
    assert path.read_bytes() == b"one,two"
    assert [each.name for each in tmp_path.iterdir()] == ["a.csv"]


def test_a_level_that_cannot_be_measured_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def of(facts: Facts) -> int:
        if facts.given.provenance["seed"] == "1":
            raise BadInput("not of this one")
        return 4

    monkeypatch.setitem(MEASURES.own, "doors", MEASURES["doors"]._replace(of=of))
    measured = cave(range(3), "loops", "doors")
    assert [numbers[1] for _, numbers in measured] == [4, None, 4]
    assert (measured.slow, measured.nothing, measured.tried) == ({}, {}, 3)


def test_each_measure_has_the_budget_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    left = []

    def of(facts: Facts) -> int:
        left.append(facts.run.budget - facts.run.used)
        facts.run.spend(facts.run.budget)
        return 4

    for name in ("doors", "loops"):
        monkeypatch.setitem(MEASURES.own, name, MEASURES[name]._replace(of=of))
    measured = cave(range(2), "loops", "doors")
    assert [numbers for _, numbers in measured] == [[4, 4], [4, 4]]
    assert len(set(left)) == 1
