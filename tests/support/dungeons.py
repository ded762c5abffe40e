"""Dungeons for tests: recipes of floors, and a plain flood over all of them."""

from __future__ import annotations

import functools
import random
from collections.abc import Sequence
from pathlib import Path

from undercroft.core.dungeon import Dungeon
from undercroft.recipe.document import Recipe
from undercroft.recipe.dungeon.document import DungeonRecipe
from undercroft.recipe.dungeon.make import DungeonMaker, make_dungeon
from undercroft.recipe.dungeon.request import DungeonRequest

FLOOR_RECIPES = (
    *("cave", "bsp", "rooms-and-mazes", "tinykeep", "dungeoning", "drunkard", "walk", "maze", "galak-z"),
    *("isaac", "neighbours", "cozy", "templates", "diablo2", "diablo3", "grammar"),
)
"""Every recipe that begins with rock."""
FINISH = """
begins = ["tiles"]
[[step]]
use = "survey"
[[step]]
use = "furnish"
[[step]]
use = "names"
"""
CELLARS = """
size = [80, 50]
[param.deep]
default = 4
range = [2, 40]
[[floor]]
depths = "1..2"
recipe = "bsp"
finish = ["dressed.toml"]
[[floor]]
depths = "3..$deep"
recipe = "cave"
set = { fill_prob = "= 0.36 + depth/100" }
finish = ["dressed.toml"]
[[branch]]
name = "crypt"
leaves = "1..3"
length = 2
recipe = "rooms-and-mazes"
returns = true
[stairs]
extra = "= depth == 1"
[shafts]
count = "= depth > 2"
"""
"""Floors of two kinds, a branch that returns, a second pair of stairs, shafts."""


def cellars(folder: Path, text: str = CELLARS) -> DungeonRecipe:
    """The recipe above, with its finish beside it."""
    (folder / "dressed.toml").write_text(FINISH)
    return DungeonRecipe.parse(text, "cellars.toml", folder)


def mixed_recipe(seed: int, floors: int, recipes: Sequence[str] = FLOOR_RECIPES, stairs: str = "") -> DungeonRecipe:
    """A line of floors, each of a recipe drawn at random. Room grids are expanded."""
    drawn = random.Random(seed)
    text = ""
    for depth in range(1, floors + 1):
        name = drawn.choice(recipes)
        text += f'[[floor]]\ndepths = {depth}\nrecipe = "{name}"\n'
        if "expand" in _params_of(name):
            text += "set = { expand = true }\n"
    return DungeonRecipe.parse(f"{text}[stairs]\n{stairs}", "mixed.toml")


@functools.cache
def _params_of(name: str) -> tuple[str, ...]:
    return tuple(Recipe.load(name).params)


def build(recipe: DungeonRecipe, seed: int = 7, **others: object) -> Dungeon:
    """The dungeon of a seed."""
    return make_dungeon(DungeonRequest(recipe, seed=seed, **others))[0]  # type: ignore[arg-type]


def maker(recipe: DungeonRecipe, seed: int = 7, **others: object) -> DungeonMaker:
    """What makes the floors of a seed."""
    return DungeonMaker(DungeonRequest(recipe, seed=seed, **others))  # type: ignore[arg-type]


def reached_cells(dungeon: Dungeon) -> set[tuple[str, int, int]]:
    """All cells that one reaches from the start of the first floor, on foot and by every link: a plain flood, cell by
    cell, with code of its own.
    """
    floors = {floor.id: floor.level for floor in dungeon.floors}
    leads: dict[tuple[str, int, int], list[tuple[str, int, int]]] = {}
    for each in dungeon.floors:
        for thing in each.level.things:
            if thing.kind == "stairs" and thing.data["to"] in floors:
                target = (thing.data["to"], thing.data["to_x"], thing.data["to_y"])
                leads.setdefault((each.id, thing.x, thing.y), []).append(target)
    entrance = dungeon.floors[0]
    assert entrance.level.start is not None
    waiting, seen = [(entrance.id, *entrance.level.start)], {(entrance.id, *entrance.level.start)}
    open_tiles = {id_: level.walkable for id_, level in floors.items()}
    blocked = {
        (id_, thing.x + dx, thing.y + dy)
        for id_, level in floors.items()
        for thing in level.things
        if thing.data.get("blocks") is True
        for dx in range(max(1, int(thing.data.get("width", 1))))
        for dy in range(max(1, int(thing.data.get("height", 1))))
    }
    while waiting:
        id_, x, y = waiting.pop()
        steps = [(id_, x + dx, y + dy) for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))]
        for step in [*steps, *leads.get((id_, x, y), [])]:
            floor, to_x, to_y = step
            height, width = open_tiles[floor].shape
            if step in seen or not (0 <= to_x < width and 0 <= to_y < height) or step in blocked:
                continue
            if open_tiles[floor][to_y, to_x]:
                seen.add(step)
                waiting.append(step)
    return seen
