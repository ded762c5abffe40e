"""D-13: what is asked of a dungeon is asked of the whole, and another attempt is another dungeon."""

from __future__ import annotations

import pytest

import undercroft as uc
from support.dungeons import build, maker
from undercroft.bulk.make_dungeon import make_dungeon as make_with_workers
from undercroft.errors import NotMet
from undercroft.formats.dungeons import dungeon_json
from undercroft.formats.native import native
from undercroft.recipe.dungeon.document import DungeonRecipe
from undercroft.recipe.dungeon.make import DungeonMaker, make_dungeon
from undercroft.recipe.dungeon.request import DungeonRequest

TEXT = 'size = [40, 24]\n[[floor]]\ndepths = "1..2"\nrecipe = "bsp"\n'
RECIPE = DungeonRecipe.parse(TEXT, "two.toml")


def rooms(seed: int, attempt: int) -> int:
    dungeon, _ = make_dungeon(DungeonRequest(RECIPE, seed=seed, attempt=attempt))
    return int(uc.measure(dungeon, "rooms")["rooms"] or 0)


@pytest.fixture(scope="module")
def later() -> tuple[int, int]:
    """A seed whose second attempt has more rooms than the first, and that number."""
    for seed in range(20):
        if rooms(seed, 1) > rooms(seed, 0):
            return seed, rooms(seed, 1)
    raise AssertionError


def test_the_whole_takes_the_first_attempt_that_meets_it(later: tuple[int, int]) -> None:
    seed, number = later
    recipe = DungeonRecipe.parse(f'{TEXT}[require]\nrooms = ">= {number}"\n', "two.toml")
    whole = build(recipe, seed)
    assert whole.provenance["attempt"] == 1
    assert uc.measure(whole, "rooms")["rooms"] == number
    assert whole != build(RECIPE, seed)
    again, _ = make_dungeon(DungeonRequest(RECIPE, seed=seed, until=f"rooms >= {number}"))
    assert again.provenance["attempt"] == 1
    assert again == whole


def test_a_floor_alone_needs_the_attempt_of_the_whole(later: tuple[int, int]) -> None:
    seed, number = later
    whole, _ = make_dungeon(DungeonRequest(RECIPE, seed=seed, until=f"rooms >= {number}"))
    assert maker(RECIPE, seed).make_floor("2").floor.level != whole["2"]
    request = DungeonRequest(RECIPE, seed=seed, attempt=1)
    assert native.dump(DungeonMaker(request, 1).make_floor("2").floor.level) == native.dump(whole["2"])


def test_workers_take_the_same_attempt(later: tuple[int, int]) -> None:
    seed, number = later
    request = DungeonRequest(RECIPE, seed=seed, until=f"rooms >= {number}")
    assert dungeon_json.dump(make_with_workers(request, 2)[0]) == dungeon_json.dump(make_dungeon(request)[0])


def test_a_message_keeps_the_requirements() -> None:
    recipe = DungeonRecipe.parse(f'{TEXT}[require]\nlinks = ">= 1"\n', "two.toml")
    request = DungeonRequest(recipe, seed=7, until=["rooms >= 3", "links >= 1"])
    again = DungeonRequest.of(request.data())
    assert [one.text for one in again.requirements] == ["links >= 1", "rooms >= 3"]


def test_an_attempt_that_is_named_is_taken_with_a_note() -> None:
    dungeon, notes = make_dungeon(DungeonRequest(RECIPE, seed=7, attempt=0, until="floor_loops >= 1"))
    assert dungeon == build(RECIPE, 7)
    assert "not as required (floor_loops >= 1): floor_loops is 0" in notes


def test_what_no_attempt_meets_is_told() -> None:
    with pytest.raises(NotMet) as caught:
        make_dungeon(DungeonRequest(RECIPE, seed=7, tries=2, until="floor_loops >= 1"))
    assert caught.value.problem.splitlines()[:2] == [
        "no dungeon of 2 tries is as required",
        "    floor_loops >= 1: failed 2 of 2",
    ]
    assert "nearest attempt (0), off by 0.5: floor_loops 0" in caught.value.problem
    assert caught.value.rejected == {"floor_loops >= 1": 2}


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        ("unknown measure 'romos'", 'romos = ">= 2"'),
        ("no dungeon can be so", 'links = "< 0"'),
        ("no floor '9'", '"rooms[9]" = ">= 2"'),
        ("no number is in that range", 'rooms = "between 9 and 3"'),
    ],
)
def test_a_wrong_requirement_is_refused(problem: str, line: str) -> None:
    with pytest.raises(uc.BadInput) as caught:
        build(DungeonRecipe.parse(f"{TEXT}[require]\n{line}\n", "two.toml"))
    assert problem in caught.value.problem
    assert caught.value.fix
