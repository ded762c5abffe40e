"""Dungeons, in processor time: the stairs of ten floors, and a floor alone beside a level with the same finish."""

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from statistics import median

from benchmarks.checks import Checks, DisagreementError
from benchmarks.contest import Entry, Row
from benchmarks.figures import Figure
from benchmarks.works import Size

SIZE, DEPTH = (80, 50), 10
RECIPES = ("delve", "barrow", "tower", "abyss")
STAIRS = "undercroft"
STAIRS_SECONDS, MOST_RATIO = 0.02, 1.6
ONE_RECIPE = f'[param.deep]\ndefault = {DEPTH}\n[[floor]]\ndepths = "1..$deep"\nrecipe = "cave"\n'


def stairs(_sizes: Sequence[Size]) -> Iterator[Entry]:
    """The stairs of ten caves, without the caves."""
    yield Entry(work="stairs", size=SIZE, contender=STAIRS, run=_time_stairs(itertools.count(1)))


def _time_stairs(seeds: Iterator[int]) -> Callable[[int], float]:
    from undercroft.recipe.dungeon.document import DungeonRecipe
    from undercroft.recipe.dungeon.make import DungeonMaker
    from undercroft.recipe.dungeon.request import DungeonRequest

    recipe = DungeonRecipe.parse(ONE_RECIPE, "caves.toml")

    def run(times: int) -> float:
        spent = 0.0
        for _ in range(times):
            maker = DungeonMaker(DungeonRequest(recipe, seed=next(seeds), size=SIZE))
            for floor in maker.plan.floors:
                maker.bare(floor)
            begin = time.process_time()
            for link in maker.plan.links:
                maker.points.meet(link)
            spent += time.process_time() - begin
        return spent / times

    return run


def floor_alone(_sizes: Sequence[Size]) -> Iterator[Entry]:
    """Floor 3 of each recipe, and a level of its recipe, size and finish."""
    for name in RECIPES:
        entry = partial(Entry, work="floor alone", size=SIZE)
        yield entry(contender=_alone(name), run=_time_floors(name, itertools.count(1), plain=False))
        yield entry(contender=_plain(name), run=_time_floors(name, itertools.count(1), plain=True))


def _time_floors(name: str, seeds: Iterator[int], *, plain: bool) -> Callable[[int], float]:
    from undercroft.recipe.dungeon.document import DungeonRecipe
    from undercroft.recipe.dungeon.make import DungeonMaker
    from undercroft.recipe.dungeon.request import DungeonRequest
    from undercroft.recipe.then import chain_recipes

    recipe = DungeonRecipe.load(name)
    maker = DungeonMaker(DungeonRequest(recipe, seed=1))
    table = recipe.tables[maker.plan.floors["3"].table]
    params = table.params(recipe.floor_values({}, maker.plan, "3"))
    whole = chain_recipes([table.recipe, *table.finish])

    def run(times: int) -> float:
        begin = time.process_time()
        for _ in range(times):
            if plain:
                whole.generate(seed=next(seeds), size=maker.sizes["3"], params=params)
            else:
                DungeonMaker(DungeonRequest(recipe, seed=next(seeds))).make_floor("3")
        return (time.process_time() - begin) / times

    return run


def agree() -> Iterator[str]:
    """Check that a floor alone is that of the whole."""
    import undercroft as uc

    for name in RECIPES[:2]:
        if uc.Dungeon.generate(name, seed=1)["3"] != uc.generate(name, seed=1, floor="3"):
            raise DisagreementError(f"floor alone: floor 3 of {name} is another one than that of the whole")
    yield "floor alone: floors are those of the whole"


def figures(rows: Iterable[Row]) -> Iterator[Figure]:
    """The target figures."""
    times = {(row.work, row.contender): row.median for row in rows}
    seconds = times.get(("stairs", STAIRS))
    value = None if seconds is None else 1000 * seconds
    yield Figure(f"stairs of {DEPTH} floors 80x50: within 20 ms", value, 1000 * STAIRS_SECONDS, "ms")
    pairs = [(times.get(("floor alone", _alone(name))), times.get(("floor alone", _plain(name)))) for name in RECIPES]
    ratios = [alone / plain for alone, plain in pairs if alone and plain]
    promise = "a floor alone: at most 1.6 times a level with its finish (median of four recipes)"
    yield Figure(promise, median(ratios) if len(ratios) == len(RECIPES) else None, MOST_RATIO)


def _alone(name: str) -> str:
    return f"undercroft, floor 3 of {name}"


def _plain(name: str) -> str:
    return f"undercroft, a level like floor 3 of {name}"


WORKS: dict[str, Callable[[Sequence[Size]], Iterator[Entry]]] = {"stairs": stairs, "floor alone": floor_alone}
CHECKS: Checks = ((("stairs", "floor alone"), agree),)
