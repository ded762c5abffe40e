"""The engine compiled and interpreted: the same maps, the same rewrites, the same refusals, by step."""

from __future__ import annotations

import random
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

from support.programs import random_program
from undercroft import kernels
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.rewrite.engine import engine
from undercroft.rewrite.model.program import Program
from undercroft.rewrite.rules import Rules


@pytest.fixture(scope="module")
def plain() -> ModuleType:
    return kernels.load_plain("engine")


LETTERS = "palette letters BWARG\npositions all\n"
PROGRAMS = {
    "growth in bursts": "one  WB -> WW",
    "by lot, then from a list": "one  a\n    BB -> WW\n    BBB -> RAR, weight 2",
    "a markov": "markov\n    one  WBB -> AAW\n    one  WAA -> GGW",
    "connected": "one  B -> W, up to 60 times, keep connected(W)\none  W -> R, keep connected(W)",
    "connected, several cells": "all  a, up to 9 times, keep connected(B)\n    BB/BB -> AB/BA | WW/BB",
    "counts": (
        "all  B -> W, keep count(W) <= 30\nmarkov\n    one  WW -> AA, keep count(W) >= 9\n"
        "    one  A -> R, up to 5 times"
    ),
    "distances": "one  B -> R, keep distance(R, R or W) >= 4",
    "regions": "one  a, each room, up to 4 times\n    B -> W\nall  b, in rooms, once\n    WB -> WG, chance 50%",
    "weights and results": "one  a, results 3:1, up to 80 times\n    WB -> WW | WA\n    AB -> AR | BR, weight 4",
    "picks": "one  a, up to 9 times, pick by rule\n    WB -> WW\none  b, up to 9 times, pick by token\n    WB -> WA\n"
    "one  c, up to 9 times, pick by first\n    BB -> GG",
    "in parallel, sorted": (
        "parallel  a, up to 9 times\n    WB -> ?A\n    BB -> ?W, chance 20%\n    A -> B\n    W -> R, chance 5%\n"
        "    R -> B, up to 90 times\none  AB -> BA, up to 9 times"
    ),
    "in parallel": (
        "parallel  a, up to 6 times\n    WB -> ?A\n    AB -> ?W, chance 30%\nrepeat  3 times\n    all  AW -> ?R, once"
    ),
}


def run(program: Program, tiles: NDArray[np.uint8], seed: int, turns: int) -> tuple[object, ...]:
    made = engine.Engine(program, tiles, Rng.root(seed), remember=True)
    made.run(Run(), turns)
    return (
        tiles.tolist(),
        made.list_rewrites().tolist(),
        made.list_refused().tolist(),
        made.turns,
        made._arrays["streams"].tolist(),
    )


def both(
    program: Program,
    start: NDArray[np.uint8],
    seed: int,
    turns: int,
    plain: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = run(program, start.copy(), seed, turns)
    with monkeypatch.context() as patch:
        patch.setattr(engine, "kernel", plain)
        patch.setattr(engine, "buffer", memoryview)
        assert run(program, start.copy(), seed, turns) == first


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, plain: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Rules.parse(LETTERS + PROGRAMS[name], "x.rules").program
    sizes = [(14, 11), (1, 9), (23, 2), *([(70, 40)] if "sorted" in name else [])]
    for seed, (width, height) in enumerate(sizes):
        start = np.zeros((height, width), np.uint8)
        start[height // 2, width // 2] = 1
        both(program, start, seed, 400, plain, monkeypatch)


@pytest.mark.parametrize("known_by", ["bits", "hashes"])
def test_random_programs(known_by: str, plain: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    if known_by == "hashes":
        monkeypatch.setattr(engine, "MAX_BYTES_PER_CELL", 0)
    for seed in range(60):
        source = random.Random(seed)
        program = random_program(source)
        start = np.array(
            [[source.randrange(4) for _ in range(source.randint(1, 8))] for _ in range(1)], np.uint8
        ).repeat(source.randint(1, 6), 0)
        both(program, start, seed, 40, plain, monkeypatch)


def test_any_fuel_gives_the_same_map(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in PROGRAMS.items():
        program = Rules.parse(LETTERS + text, "x.rules").program
        outcomes = []
        for fuel in (1, 5, 1 << 18):
            monkeypatch.setattr("undercroft.core.run.FUEL_PER_CALL", fuel)
            start = np.zeros((11, 14), np.uint8)
            start[5, 7] = 1
            outcomes.append(run(program, start, 3, 300))
        assert outcomes[0] == outcomes[1] == outcomes[2], name
