"""A request is checked once, cannot be changed, and travels as plain data."""

from __future__ import annotations

import copy
import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from undercroft.errors import BadInput, FileTrouble
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.recipe.request import Request
from undercroft.recipe.run import run_request

CAVE = Recipe.load("cave")
EVERYTHING: dict[str, Any] = {
    "seed": 7,
    "size": (40, 20),
    "params": {"fill_prob": 0.42},
    "until": ["loops >= 1"],
    "tries": 9,
    "pick": "best",
    "attempt": 3,
    "first_attempt": 2,
    "max_steps": 1_000_000,
    "max_cells": 5000,
    "ends": {"start": [4, 3], "reach": "near"},
}


def test_a_request_travels_as_plain_data() -> None:
    request = Request(CAVE, **EVERYTHING)
    data = json.loads(json.dumps(request.data()))
    again = Request.of(data)
    assert again.data() == request.data()
    assert again.requirements == request.requirements
    assert again.values == request.values
    assert run_request(again).unwrap().level == run_request(request).unwrap().level


def test_every_argument_is_in_the_data_but_the_map_to_begin_with() -> None:
    arguments = set(inspect.signature(Request).parameters)
    assert set(Request(CAVE).data()) == arguments - {"begin", "frozen", "ends"}  # stored requests have no ends
    assert set(Request(CAVE, ends={"end": (1, 1)}).data()) == arguments - {"begin", "frozen"}
    assert arguments - {"recipe", "begin", "frozen"} == set(EVERYTHING)
    for name, value in EVERYTHING.items():
        assert Request(CAVE, **{name: value}).data()[name] == (list(value) if name == "size" else value)


def test_a_request_for_a_seed_is_the_request_made_with_it() -> None:
    base = Request(CAVE, size=(30, 20), params={"fill_prob": 0.45}, until="loops >= 1", tries=3, pick="best")
    for seed in range(12):
        one = base.for_seed(seed, {"nrepeats": 4 + seed % 3})
        other = Request(
            CAVE,
            seed=seed,
            size=(30, 20),
            params={"fill_prob": 0.45, "nrepeats": 4 + seed % 3},
            until="loops >= 1",
            tries=3,
            pick="best",
        )
        assert one.data() == other.data()
        assert run_request(one).unwrap()[:5] == run_request(other).unwrap()[:5]
        alone = base.for_seed(seed, attempt=1)
        assert (alone.attempt, list(alone.attempts), base.attempt) == (1, [1], None)


def test_a_request_cannot_be_changed() -> None:
    request = Request(CAVE, seed=7, params={"fill_prob": 0.41})
    with pytest.raises(AttributeError):
        request.seed = 8  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del request.seed
    with pytest.raises(TypeError):
        request.values["fill_prob"] = 0.9  # type: ignore[index]
    with pytest.raises(TypeError):
        request.params["fill_prob"] = 0.9  # type: ignore[index]
    assert (request.seed, request.values["fill_prob"]) == (7, 0.41)
    assert copy.copy(request).data() == request.data()


def test_the_values_of_a_request_cannot_be_changed() -> None:
    recipe = Recipe.parse(
        '[param.stages]\ndefault = [[5, 2, 3]]\n[[step]]\nuse = "noise"\n[[step]]\nuse = "automaton"\n'
        'stages = "$stages"',
        "stages.toml",
    )
    values = Request(recipe).values
    assert values["stages"] == ((5, 2, 3),)
    with pytest.raises(TypeError, match="cannot be changed"):
        values["stages"] = ()  # type: ignore[index]


def test_a_confined_recipe_stays_confined_when_it_is_sent(tmp_path: Path) -> None:
    data = json.loads(json.dumps(Request(Recipe.load("bsp").confine_params(tmp_path)).data()))
    received = Request.of(data).recipe
    assert received.params_folder == tmp_path
    with pytest.raises(FileTrouble, match="outside the folder"):
        Request(received, params={"layouts": ["/x.layout"]})
    assert "params_folder" not in Request(Recipe.load("bsp")).data()["recipe"]


def test_the_default_of_a_parameter_cannot_be_changed() -> None:
    for name in names():
        for param in Recipe.load(name).params.values():
            assert not isinstance(param.default, list)


def test_a_map_to_begin_with_cannot_be_sent() -> None:
    level = uc.Level.parse("#####\n#...#\n#####")
    with pytest.raises(ValueError, match="cannot be sent"):
        Request(CAVE, begin=level).data()
    with pytest.raises(ValueError, match="cannot be sent"):
        Request(CAVE, size=(5, 3), frozen=np.zeros((3, 5), bool)).data()


def test_a_seed_of_numpy_travels_too() -> None:
    for request in (Request(CAVE, seed=np.int64(7)), Request(CAVE).for_seed(np.uint8(7))):  # type: ignore[arg-type]
        assert json.loads(json.dumps(request.data()))["seed"] == 7
    assert Request(CAVE, seed="007").seed == "007", "a text stays one"


HUGE = 10**5000
MISTAKES: list[tuple[str, dict[str, Any]]] = [
    ("a seed is a whole number from 0", {"seed": -1}),
    ("a level of 0x4 has no cells", {"size": (0, 4)}),
    *(
        ("a number of about 5,001 digits", {name: value})
        for name in ("seed", "size", "tries", "max_steps", "attempt", "first_attempt")
        for value in ([(-HUGE, 3), (HUGE, 3)] if name == "size" else [-HUGE] if name == "max_steps" else [HUGE, -HUGE])
    ),
    ("the number of cells of 40x20 is 800; the limit is 700", {"size": (40, 20), "max_cells": 700}),
    ("unknown parameter of cave 'fill'", {"params": {"fill": 1}}),
    ("unknown measure 'lops'", {"until": "lops > 1"}),
    ("tries is a whole number from 1, not 0", {"tries": 0}),
    ("unknown pick 'bst'", {"pick": "bst"}),
    ("an attempt is a whole number from 0", {"attempt": -1}),
    ("the first attempt is a whole number from 0", {"first_attempt": -1}),
    ("max_steps is a whole number from 0, not 'x'", {"max_steps": "x"}),
    ("max_steps is a whole number from 0, not True", {"max_steps": True}),
    ("max_cells is a whole number from 1, not 0", {"max_cells": 0}),
    ("the map to begin with is 3x1, the size asked for is 4x4", {"begin": uc.Level.parse("#.#"), "size": (4, 4)}),
    ("frozen is a mask of 4x4 cells", {"size": (4, 4), "frozen": np.zeros((3, 3), bool)}),
]


@pytest.mark.parametrize(("problem", "arguments"), MISTAKES, ids=[problem for problem, _ in MISTAKES])
def test_mistakes(problem: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as caught:
        Request(CAVE, **arguments)
    assert problem in caught.value.problem


def test_what_is_new_for_a_seed_is_checked() -> None:
    request = Request(CAVE)
    with pytest.raises(BadInput, match="a seed is a whole number"):
        request.for_seed(-1)
    with pytest.raises(BadInput, match="fill_prob is a number from 0 to 1, not 7"):
        request.for_seed(1, {"fill_prob": 7})
    with pytest.raises(BadInput, match="an attempt is a whole number"):
        request.for_seed(1, attempt=-1)


def test_generate_has_the_same_arguments_everywhere() -> None:
    """`uc.generate` spells out the keywords of `Recipe.generate`, and both those of a request."""
    method, function = inspect.signature(Recipe.generate).parameters, inspect.signature(uc.generate).parameters
    shared = set(method) - {"self"}
    assert set(function) - {"recipe", "recipe_params", "then"} == shared, "a method is of one recipe, or of a chain"
    for name in shared:
        assert (function[name].annotation, function[name].default) == (method[name].annotation, method[name].default)
    hooks = {"watcher", "cancelled", "progress", "tick", "on_step"}
    assert set(inspect.signature(Request).parameters) - {"recipe"} == shared - hooks
    assert set(inspect.signature(run_request).parameters) - {"request"} == hooks
