"""Stairs on the ends of every recipe, and what keeps its tile."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import undercroft as uc
from support.maps import after, draft_of, ground_tiles, spans
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, STANDARD, Palette
from undercroft.core.region import Thing
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.formats import dump, list_lost_parts, resolve_format
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.steps.caves.hilbert import Hilbert
from undercroft.steps.facts.ends import Ends
from undercroft.steps.facts.interest import Interest
from undercroft.steps.facts.survey import Survey
from undercroft.steps.finish.lakes import Lakes, Pits
from undercroft.steps.grids.expand import Expand
from undercroft.steps.grids.room_grid import RoomGrid

SIZES = (None, (41, 31), (40, 30), (33, 50))


def stairs_cells(level: Level, role: str) -> list[tuple[int, int]]:
    if role not in level.palette.roles:
        return []
    return [(int(x), int(y)) for y, x in np.argwhere(level.palette.role_mask(role)[level.tiles])]


@pytest.mark.parametrize("seeds", spans(40, quick=4, block=4))
@pytest.mark.parametrize("recipe", sorted(names()))
def test_every_recipe_has_stairs_on_its_ends(recipe: str, seeds: range) -> None:
    room_grid = "room grid" in Recipe.load(recipe).tags
    for seed in seeds:
        size = SIZES[seed % len(SIZES)] if not room_grid else None
        level = uc.generate(recipe, seed=seed, size=size)
        for point, role in ((level.start, "entry"), (level.end, "exit")):
            assert point is not None
            if role not in level.palette.roles:
                assert recipe == "grammar", "its palette has no stairs"
                continue
            tile = level.palette.roles[level.tiles[point[1], point[0]]]
            assert tile == role or tile in DOOR_ROLES or (role == "exit" and point == level.start)
            assert set(stairs_cells(level, role)) <= {point}


@pytest.mark.parametrize("step", ["ends", "interest", "hilbert", "expand"])
def test_stairs_change_no_cell_that_can_be_walked_on(step: str) -> None:
    makes: dict[str, Any] = {
        "ends": lambda seed, stairs: after(Ends(stairs=stairs), Draft.of(base(seed))),
        "interest": lambda seed, stairs: after(Interest(stairs=stairs), Draft.of(base(seed))),
        "hilbert": lambda seed, stairs: after(Hilbert(stairs=stairs), Draft(60, 40), seed=seed),
        "expand": lambda seed, stairs: after(
            Expand(stairs=stairs), after(RoomGrid(), Draft(60, 40), seed=seed), seed=seed
        ),
    }
    for seed in range(20):
        bare, level = (makes[step](seed, stairs).level() for stairs in (False, True))
        assert np.array_equal(bare.walkable, level.walkable)
        assert (bare.start, bare.end, bare.path.tolist()) == (level.start, level.end, level.path.tolist())
        assert 1 <= int((bare.tiles != level.tiles).sum()) <= 2
        assert np.array_equal(ground_tiles(level), bare.tiles)
        assert bare.regions == level.regions


def base(seed: int) -> Level:
    level = uc.generate(("bsp", "cave", "rooms-and-mazes")[seed % 3], seed=seed, size=(41, 31))
    return level.replace(tiles=ground_tiles(level), start=None, end=None, path=None)


def test_a_bare_room_grid_has_no_stairs() -> None:
    for seed in range(5):
        grid = after(RoomGrid(), Draft(60, 40), seed=seed)
        bare = after(Expand(expand=False), Draft.of(grid.level()), seed=seed)
        assert bare.start is not None
        assert bare.tiles.tolist() == grid.tiles.tolist()


@pytest.mark.parametrize(
    ("drawn", "params", "things", "expected"),
    [
        ("+...", {"start": (0, 0)}, [], "+..>"),  # a door keeps its tile
        ("....", {"start": (0, 0)}, [Thing("chest", 0, 0)], "<..>"),
        ("....", {"start": (1, 0)}, [Thing("stairs", 3, 0, {"way": "down"})], ".<.."),  # stairs push no end away
        (".", {}, [], "<"),
        ("<..>....", {}, [], ">......<"),  # the stairs of the ends before go
        ("<..", {"start": (1, 0)}, [], "><."),
        ("<.<..", {"start": (1, 0)}, [], "<<<.>"),  # several: nobody knows whose they are
    ],
)
def test_what_becomes_stairs(drawn: str, params: Any, things: list[Thing], expected: str) -> None:
    draft = draft_of(drawn)
    draft.things = things
    Ends(**params).apply(draft, Rng.root(0), Run())
    assert str(draft) == expected
    assert draft.start == params.get("start", draft.start)


def test_the_end_is_where_stairs_lead_on() -> None:
    draft = draft_of("......")
    draft.things = [Thing("stairs", 5, 0, {"way": "down"})]
    Ends(start=(0, 0)).apply(draft, Rng.root(0), Run())
    assert draft.end == (5, 0)


def test_frozen_cells_and_cells_with_a_statue_keep_their_tiles() -> None:
    draft = draft_of(".....")
    draft.frozen = np.array([[True, False, False, False, False]])
    run = Run()
    Ends().apply(draft, Rng.root(0), run)
    assert sorted(str(draft).count(sign) for sign in "<>") == [0, 1]
    draft = draft_of("...")
    draft.things = [Thing("altar", x, 0, {"blocks": True}) for x in range(3)]
    Ends().apply(draft, Rng.root(0), Run())
    assert str(draft) == "..."
    assert draft.start is not None


def test_a_palette_without_stairs_keeps_its_tiles() -> None:
    palette = Palette([tile for tile in STANDARD.tiles if tile.role not in ("entry", "exit")], "plain")
    draft = Draft.of(Level.parse("#....#", palette))
    Ends().apply(draft, Rng.root(0), Run())
    assert (str(draft), draft.start, draft.end) == ("#....#", (4, 0), (1, 0))


def test_a_second_recipe_moves_the_stairs() -> None:
    for seed in range(5):
        level = uc.generate("cave", seed=seed, then="drowned")
        assert stairs_cells(level, "entry") == [level.start]
        assert stairs_cells(level, "exit") == [level.end]


@pytest.mark.parametrize("name", ["text:cave", "text:rooms", "text:tinykeep"])
def test_texts_without_stairs_have_the_ground_around(name: str) -> None:
    for recipe in ("bsp", "cave", "maze", "tinykeep"):
        level = uc.generate(recipe, seed=1)
        assert dump(level, name) == dump(level.replace(tiles=ground_tiles(level)), name)
        lost = list_lost_parts(level, resolve_format(name))
        assert "ends" not in lost
        assert not any("other roles" in part for part in lost) or name != "text:rooms"


@pytest.mark.parametrize("step", [Lakes(share=1.0), Pits(share=1.0)])
def test_pools_keep_off_frozen_cells(step: Any) -> None:
    for seed in range(20):
        begin = uc.generate("cave", seed=seed, size=(40, 25))
        draft = Draft.of(begin)
        draft.frozen = np.random.default_rng(seed).random(begin.tiles.shape) < 0.3
        after(step, draft, seed=seed)
        assert (draft.tiles[draft.frozen] == begin.tiles[draft.frozen]).all()
        assert (draft.tiles != begin.tiles).any()


def test_a_survey_finds_the_same_rooms_under_stairs() -> None:
    for seed in range(20):
        level = uc.generate("tinykeep", seed=seed)
        whole = after(Survey(), Draft.of(level.replace(tiles=ground_tiles(level))))
        again = after(Survey(), Draft.of(level))
        assert np.array_equal(again.regions.labels > 0, whole.regions.labels > 0)  # type: ignore[union-attr]
        assert len(again.regions or ()) == len(whole.regions or ())
