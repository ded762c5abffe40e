"""What the kernels share: the generator and union-find. The text that is compiled is the text that is interpreted, and
both do what slow twins do.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from support.maps import HEAVY, PLAIN
from support.paths import ROOT
from undercroft.core import rng as python_rng
from undercroft.core.rng import PROBABILITY_ONE, Rng
from undercroft.kernels import _primitives, buffer, carve, measures, plan

COMPILED = (ROOT / "src/undercroft/kernels/primitives.pxd").read_text(encoding="utf-8")
PLAIN_TEXT = (ROOT / "src/undercroft/kernels/_primitives.py").read_text(encoding="utf-8")
C_TYPES = {
    "unsigned long long": "cython.ulonglong",
    "unsigned int": "cython.uint",
    "long long": "cython.longlong",
    "int": "cython.int",
    "bint": "cython.bint",
}
PUBLISHED = [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]
"""The first numbers of pcg32-demo, seeded with 42 and 54."""
BOUNDS = [1, 2, 3, 7, 10, 1000, 65537, 2**31 - 1, 2**31, 2**31 + 1, 3 << 30, 2**32 - 1, 2**32]
GRAPHS = 2000 if HEAVY else 40

both_ways = pytest.mark.parametrize("wrap", [buffer, memoryview], ids=["compiled", "interpreted"])


def kernel(module: Any, wrap: Callable[[Any], Any]) -> Any:
    """The module as it is in use, or as plain Python."""
    return PLAIN[module.__name__.rpartition(".")[2]] if wrap is memoryview else module


# --- two files, one text ----------------------------------------------------------------------------------------------


def as_python(match: re.Match[str]) -> str:
    """The first line of a function in the words of the stand-in."""
    arguments = []
    for argument in match["arguments"].split(", "):
        kind, _, name = argument.rpartition(" ")
        element, bracket, rest = kind.partition("[")
        arguments.append(f"{name}: {C_TYPES[element]}{bracket}{rest}")
    return f"def {match['name']}({', '.join(arguments)}) -> {C_TYPES[match['kind']]}:"


def test_the_functions_are_the_same() -> None:
    line = r"cdef inline (?P<kind>[a-z ]+) (?P<name>\w+)\((?P<arguments>.*)\) noexcept:"
    ours = re.sub(line, as_python, COMPILED[COMPILED.index("cdef inline") :])
    theirs = [node for node in ast.parse(PLAIN_TEXT).body if isinstance(node, ast.FunctionDef)]
    assert [ast.dump(node) for node in ast.parse(ours).body] == [ast.dump(node) for node in theirs]
    assert len(theirs) > 5


def test_the_constants_are_the_same() -> None:
    values = {name: int(value, 0) for name, value in re.findall(r"#define UNDERCROFT_(\w+) (\w+)ULL", COMPILED)}
    names = dict(re.findall(r'const unsigned long long (\w+) "UNDERCROFT_(\w+)"', COMPILED))
    assert names == {name: name for name in values}
    assert values == {name: getattr(_primitives, name) for name in values}
    assert values == {name: getattr(python_rng, name) for name in values}
    assert values.keys() == {"MULTIPLIER", "MASK64", "MASK32"}


# --- the generator ----------------------------------------------------------------------------------------------------


@both_ways
def test_the_published_vector(wrap: Callable[[Any], Any]) -> None:
    out = np.zeros(6, np.uint32)
    kernel(carve, wrap).fill_draws(Rng(42, 54).state, 0, wrap(out))
    assert out.tolist() == PUBLISHED


def test_the_published_vector_of_the_stand_in() -> None:
    state = Rng(42, 54).state
    assert [_primitives.draw(state) for _ in range(6)] == PUBLISHED


@both_ways
@pytest.mark.parametrize("bound", BOUNDS)
def test_below_draws_as_python_does(wrap: Callable[[Any], Any], bound: int) -> None:
    out, rng, twin = np.zeros(300, np.uint32), Rng(5, bound), Rng(5, bound)
    kernel(carve, wrap).fill_draws(rng.state, bound, wrap(out))
    assert out.tolist() == [twin.below(bound) for _ in range(300)]
    assert rng.state == twin.state


@pytest.mark.parametrize("bound", BOUNDS)
def test_draws_are_refused_by_lemires_rule(bound: int) -> None:
    refused = PROBABILITY_ONE % bound
    for low in {0, max(refused - 1, 0), refused, bound - 1, min(bound, PROBABILITY_ONE - 1), PROBABILITY_ONE - 1}:
        assert _primitives.must_redraw(low, bound) == (low < refused)
        assert _primitives.must_redraw((bound - 1) * PROBABILITY_ONE + low, bound) == (low < refused)


# --- union-find -------------------------------------------------------------------------------------------------------


def random_edges(number: int) -> tuple[int, list[tuple[int, int]]]:
    """Nodes, and pairs of them: some twice, some of a node with itself."""
    chance = np.random.default_rng(number)
    nodes = 1 + number % 40
    return nodes, [(int(a), int(b)) for a, b in chance.integers(0, nodes, (number % 60, 2))]


def join_sets(nodes: int, edges: list[tuple[int, int]]) -> tuple[list[int], list[bool]]:
    """The slow twin: for each node the smallest of its set, and for each edge whether it joined two sets."""
    least = list(range(nodes))
    joined = []
    for a, b in edges:
        old, new = max(least[a], least[b]), min(least[a], least[b])
        joined.append(old != new)
        least = [new if label == old else label for label in least]
    return least, joined


def test_union_find_of_the_stand_in() -> None:
    for number in range(GRAPHS):
        nodes, edges = random_edges(number)
        parent = list(range(nodes))
        for k, (a, b) in enumerate(edges):
            least, _ = join_sets(nodes, edges[: k + 1])
            assert _primitives.join(parent, a, b) == least[a]
        least, _ = join_sets(nodes, edges)
        assert [_primitives.root(parent, label) for label in range(nodes)] == least
        assert all(up <= label for label, up in enumerate(parent))


@both_ways
def test_union_find_in_kernels(wrap: Callable[[Any], Any]) -> None:
    for number in range(GRAPHS):
        nodes, edges = random_edges(number)
        least, joined = join_sets(nodes, edges)
        rows = np.array(edges, np.int32).reshape(-1, 2)
        ends = [wrap(np.ascontiguousarray(rows[:, side])) for side in (0, 1)]
        parent = np.arange(nodes, dtype=np.int32)
        assert kernel(measures, wrap).count_joins(*ends, wrap(parent)) == sum(joined)
        assert [_primitives.root(parent, label) for label in range(nodes)] == least
        parent, stays = np.arange(nodes, dtype=np.int32), np.zeros(len(edges), np.uint8)
        kernel(plan, wrap).select_spanning_edges(
            wrap(rows), wrap(parent), wrap(stays), Rng.root(1).state, 0, 0, len(edges)
        )
        assert stays.tolist() == joined
        assert [_primitives.root(parent, label) for label in range(nodes)] == least


def test_paths_are_halved_alike() -> None:
    for number in range(GRAPHS):
        nodes, edges = random_edges(number)
        rows = np.array(edges, np.int32).reshape(-1, 2)
        after = []
        wraps: list[Callable[[Any], Any]] = [buffer, memoryview]
        for wrap in wraps:
            parent = np.arange(nodes, dtype=np.int32)
            kernel(measures, wrap).count_joins(
                *(wrap(np.ascontiguousarray(rows[:, side])) for side in (0, 1)), wrap(parent)
            )
            after.append(parent.tobytes())
        assert after[0] == after[1]
