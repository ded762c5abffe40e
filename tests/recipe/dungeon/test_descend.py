"""D-27: floors that a game makes one after the other."""

from __future__ import annotations

from itertools import islice, pairwise

import pytest

import undercroft as uc
from undercroft.core.dungeon import Dungeon, Floor


def take(count: int, *args: object, **options: object) -> list[Floor]:
    return list(islice(uc.descend(*args, **options), count))  # type: ignore[arg-type]


@pytest.mark.parametrize("recipe", ["cave", "bsp", "rooms-and-mazes", "maze", "tinykeep"])
def test_each_floor_starts_below_the_end_of_the_one_above(recipe: str) -> None:
    floors = take(6, recipe, seed=7, size=(60, 40))
    for upper, lower in pairwise(floors):
        assert upper.level.end == lower.level.start
    dungeon = Dungeon(floors)
    assert len(dungeon.stairs) == 11
    assert [floor.depth for floor in dungeon] == [1, 2, 3, 4, 5, 6]


def test_the_nearest_cell_is_taken_if_asked() -> None:
    floors = take(5, "cave", seed=3, size=(60, 40), reach="near")
    for upper, lower in pairwise(floors):
        assert upper.level.end is not None
        assert lower.level.start is not None
    assert len(Dungeon(floors).stairs) == 9


def test_floors_are_made_when_they_are_asked_for() -> None:
    assert take(2, "cave", seed=7, size=(40, 24)) == take(4, "cave", seed=7, size=(40, 24))[:2]
    assert take(1, "cave", seed=7, size=(40, 24), fill_prob=0.3) != take(1, "cave", seed=7, size=(40, 24))


def test_mistakes_are_told_at_once() -> None:
    with pytest.raises(uc.BadInput, match="no step of isaac takes a start"):
        uc.descend("isaac")
    with pytest.raises(uc.BadInput, match="unknown reach 'digg'"):
        uc.descend("cave", reach="digg")
    with pytest.raises(uc.BadInput, match="unknown recipe"):
        uc.descend("caev")
