"""D-12: every floor of a dungeon is the same canonical JSON, made alone, in any order, and by 1, 2 or 8 workers."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support.dungeons import CELLARS, cellars, mixed_recipe
from undercroft.bulk.make_dungeon import make_dungeon
from undercroft.formats.dungeons import dungeon_json
from undercroft.formats.native import native
from undercroft.recipe.dungeon.document import DungeonRecipe
from undercroft.recipe.dungeon.make import DungeonMaker
from undercroft.recipe.dungeon.request import DungeonRequest


def recipe_of(seed: int, folder: Path) -> DungeonRecipe:
    """Floors with a branch, finishes and shafts, or a line of mixed recipes."""
    if seed % 2:
        return mixed_recipe(seed, 3 + seed % 4, stairs='extra = "= depth == 2"')
    return cellars(folder, CELLARS.replace("[80, 50]", "[50, 36]"))


def check_floors(seed: int, folder: Path, workers: tuple[int, ...]) -> None:
    """Every floor of the dungeon of a seed: alone, in an order drawn by the seed, and by so many workers."""
    recipe = recipe_of(seed, folder)
    whole, _ = make_dungeon(DungeonRequest(recipe, seed=seed))
    wanted = {floor.id: native.dump(floor.level) for floor in whole}
    attempt = whole.provenance["attempt"]
    ids = [*wanted]
    random.Random(seed).shuffle(ids)
    for id_ in ids:
        alone = DungeonMaker(DungeonRequest(recipe, seed=seed, attempt=attempt), attempt)
        assert native.dump(alone.make_floor(id_).floor.level) == wanted[id_], (seed, id_)
    for count in workers:
        other, _ = make_dungeon(DungeonRequest(recipe, seed=seed), count)
        assert dungeon_json.dump(other) == dungeon_json.dump(whole), (seed, count)


@pytest.mark.parametrize("seed", range(20))
def test_floors_of_twenty_dungeons_are_the_same_alone(seed: int, tmp_path: Path) -> None:
    check_floors(seed, tmp_path, (2, 8) if seed in (2, 3) else ())


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20, 200))
def test_floors_of_many_dungeons_are_the_same_alone(seed: int, tmp_path: Path) -> None:
    check_floors(seed, tmp_path, (2, 8) if seed % 20 == 0 else ())
