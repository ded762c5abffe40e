"""Every call into undercroft that is measured, in one place. A kernel is called as the steps call it: packing, rims and
portions of fuel included.
"""

import shutil
import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import MissingError

if TYPE_CHECKING:
    from undercroft import Draft, Level, Rules
    from undercroft.recipe.request import Request

Rock = NDArray[np.uint8]

START = ("generate", "cave", "--size", "80x50", "-o", "-", "--format", "text", "--quiet")
"""The small command whose start to exit is measured."""

BITE = 1 << 18
"""Fuel for one call of a kernel that can be resumed."""

RULES = Path(__file__).parent / "rules"
"""The rule files of the benchmark; every contender reads them as a user's files."""


@cache
def compiled() -> bool:
    """Whether the kernels run compiled; interpreted ones take part at the smallest size only."""
    try:
        from undercroft import kernels
    except ImportError:
        return False
    return all(kernels.list_compiled().values())


def automaton(rock: Rock, r1: int, r2: int, rounds: int) -> Rock:
    """Rounds of the cave automaton, from bytes to bytes."""
    from undercroft.kernels import automata

    height, width = rock.shape
    stride = (width + 63) // 64 + 2
    old, new = np.zeros((height + 4) * stride, np.uint64), np.zeros((height + 4) * stride, np.uint64)
    cutoffs = np.array([*_bits(r1, 4, 10), *_bits(r2 + 1, 5, 22)], np.uint64)
    _rows(old, height, stride)[:, : (width + 7) // 8] = np.packbits(rock, axis=1, bitorder="little")
    ring = True
    for _ in range(rounds):
        automata.smooth_rounded(old, new, cutoffs, width, height, 0, ring, 0, height)
        old, new = new, old
    return np.unpackbits(_rows(old, height, stride), axis=1, count=width, bitorder="little")


def labels(rock: Rock) -> tuple[NDArray[Any], int]:
    """Labels of the 4-connected floor regions, and their number."""
    from undercroft.analysis import reach

    return reach.label_components((rock ^ 1).astype(np.uint8, copy=False))


def distances(rock: Rock, start: int) -> NDArray[Any]:
    """Breadth-first distances over floor from one cell of the flat map."""
    from undercroft.analysis import reach

    y, x = divmod(start, rock.shape[1])
    return reach.DistanceField(rock == 0, [(x, y)]).steps


def maze(width: int, height: int, seed: int) -> NDArray[Any]:
    """A growing-tree maze over the whole map, winding at every step."""
    from undercroft.kernels import carve

    columns, rows = width // 2, height // 2
    tiles = np.ones((height, width), np.uint8)
    rock = np.arange(256) == 1
    free, stack = np.zeros((rows + 2) * (columns + 2), np.uint8), np.empty(rows * columns, np.uint32)
    state, rng = np.zeros(3, np.int64), _stream(seed)
    carve.find_free_plots(tiles.ravel(), rock.view(np.uint8), free, width, columns, 0, rows)
    while carve.dig_mazes(state, tiles.ravel(), free, stack, rng, width, columns, rows, 1 << 32, 0, BITE) >= BITE:
        pass
    return tiles


def noise(width: int, height: int, wall: float, seed: int) -> NDArray[Any]:
    """Random rock inside a ring of wall."""
    from undercroft.kernels import carve

    tiles = np.empty((height, width), np.uint8)
    carve.fill_noise(tiles.ravel(), _stream(seed), int(wall * 2**32), 1, 0, 0, tiles.size)
    tiles[0] = tiles[-1] = 1
    tiles[:, 0] = tiles[:, -1] = 1
    return tiles


def cave(width: int, height: int, seed: int) -> "Level":
    """A whole cave, as a user asks for it."""
    return _generate("cave", width, height, seed)


def rooms_and_mazes(width: int, height: int, seed: int) -> "Level":
    """Whole rooms and mazes, as a user asks for them."""
    return _generate("rooms-and-mazes", width, height, seed)


def first_steps(recipe: str, before: str, width: int, height: int, seed: int) -> "Draft":
    """A map by the steps of a recipe before one of them: no level, and no requirement."""
    import undercroft

    request = _request(recipe, width, height)
    draft, run, rng = undercroft.Draft(width, height), undercroft.Run(), undercroft.Rng.root(seed)
    for plan, step in zip(request.recipe.plans, request.steps, strict=True):
        if plan.use == before:
            break
        step.apply(draft, rng.stream(plan.id), run)
    return draft


@cache
def _request(recipe: str, width: int, height: int) -> "Request":
    import undercroft
    from undercroft.recipe.request import Request

    return Request(undercroft.Recipe.load(recipe), size=(width, height))


@cache
def takes_even_sides(recipe: str) -> bool:
    """Whether a recipe makes levels with even sides too."""
    import undercroft

    try:
        _request(recipe, 80, 50)
    except undercroft.BadInput:
        return False
    return True


def templates(width: int, height: int, seed: int) -> "Level":
    """A whole map of rooms from templates, as a user asks for it."""
    return _generate("templates", width, height, seed)


def read(name: str) -> "Rules":
    """Read a rule file of the benchmark, or a folder of rules by its path."""
    import undercroft

    path = Path(name)
    return undercroft.Rules.load(path if path.is_absolute() else RULES / f"{name}.rules")


def forget() -> None:
    """Clear the cached tables of all rules, so that the next run makes its own."""
    from undercroft.rewrite.engine import program_tables

    program_tables.cached_tables.cache_clear()


rules = cache(read)
"""The same, with a cache of what was read."""


def blank(name: str, width: int, height: int, start: str = "") -> "Level":
    """A map of the first tile of some rules, with the tile `start` in the middle."""
    import undercroft

    palette = rules(name).program.palette
    tiles = np.zeros((height, width), np.uint8)
    if start:
        tiles[height // 2, width // 2] = palette.code(start)
    return undercroft.Level(tiles, palette)


def rewritten(name: str, level: "Level", seed: int, steps: int = 0) -> "Level":
    """A map after some rules: their tables made, the map copied, and rewritten until they are done."""
    return rules(name).apply(level, seed, steps=steps)


def run_alone(name: str, level: "Level", seed: int) -> tuple[float, int]:
    """The seconds of the rewriting alone, after the tables were made and the map was copied; and the number of
    rewrites.
    """
    import undercroft
    from undercroft.rewrite.engine.engine import Engine

    engine, run = Engine(rules(name).program, level.tiles.copy(), undercroft.Rng.root(seed)), undercroft.Run()
    begun = time.perf_counter()
    engine.run(run)
    return time.perf_counter() - begun, engine.rewrites


def watched(name: str, level: "Level", seed: int) -> tuple["Level", Any]:
    """The same with a timeline that records every turn, and that timeline."""
    import undercroft

    timeline = undercroft.Timeline()
    return rules(name).apply(level, seed, watcher=timeline), timeline


def level_of_rock(rock: Rock) -> "Level":
    """Rock as a level of wall and floor, for `matches`."""
    import undercroft

    codes = np.array([undercroft.STANDARD.code(sign) for sign in ".#"], np.uint8)
    return undercroft.Level(codes[rock])


def matches(level: "Level", drawing: Sequence[str]) -> list[tuple[int, int, int]]:
    """Where a drawing fits in its four turns: x, y and quarter turns clockwise."""
    import undercroft

    return [(found.x, found.y, found.position) for found in undercroft.match(level, drawing, positions=(0, 1, 2, 3))]


def command() -> list[str]:
    """The small command with its full path, from the environment that runs the benchmark."""
    beside = Path(sys.executable).with_name("undercroft")
    found = str(beside) if beside.exists() else shutil.which("undercroft")
    if not found:
        raise MissingError("the command undercroft is not installed")
    return [found, *START]


def _generate(recipe: str, width: int, height: int, seed: int) -> "Level":
    import undercroft

    return undercroft.generate(recipe, seed=seed, size=(width, height))


def _rows(words: NDArray[np.uint64], height: int, stride: int) -> NDArray[np.uint8]:
    """The bytes of the packed rows, without the rim."""
    return words.view(np.uint8).reshape(height + 4, stride * 8)[2:-2, 8:-8]


def _bits(number: int, count: int, most: int) -> list[int]:
    """The lowest bits of a cutoff, each as a word of ones or zeros."""
    return [(1 << 64) - 1 if min(max(number, 0), most) >> k & 1 else 0 for k in range(count)]


def _stream(seed: int) -> NDArray[np.uint64]:
    return np.array([seed, 1442695040888963407], np.uint64)
