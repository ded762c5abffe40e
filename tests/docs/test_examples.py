"""The example recipes that combine methods: what each promises, at its own size and at others, whatever is turned."""

from __future__ import annotations

import tomllib
from collections import Counter
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from support.paths import ROOT
from undercroft.analysis import reach

EXAMPLES = ROOT / "examples"
COMBINED = {
    "drowned-keep": {"split", "rewrite", "lakes", "secrets"},
    "ossuary": {"room-grid", "expand", "roughen", "rewrite", "secrets"},
    "smugglers-cave": {"walk", "loops", "lakes", "roles"},
    "garrison": {"scatter", "triangulate", "rewrite", "pits"},
    "catacombs": {"attach", "loops", "lakes"},
    "comet": {"hilbert", "loops", "lakes", "rewrite"},
    "hedge-maze": {"labyrinth", "rewrite", "prune", "loops"},
    "glades": {"room-grid", "expand", "rewrite", "roughen", "lakes"},
    "fire-halls": {"split", "hallways", "rewrite"},
    "locked-keep": {"split", "hallways", "locks"},
}
"""The recipes, and the steps they are there to show."""
ODD_SIZES = ((101, 53), (86, 121))
SMALL = (31, 21)


def recipe(name: str) -> uc.Recipe:
    return uc.Recipe.load(EXAMPLES / f"{name}.toml")


def levels(name: str, seeds: int, **given: Any) -> list[uc.Level]:
    loaded = recipe(name)
    return [loaded.generate(seed=seed, **given).level for seed in range(seeds)]


def hold(level: uc.Level) -> None:
    """What every level of every example is."""
    assert uc.measure(level, "components") == {"components": 1}
    walkable = level.walkable
    assert not any(side.any() for side in (walkable[0], walkable[-1], walkable[:, 0], walkable[:, -1]))
    assert level.start is not None
    assert level.end is not None
    assert len(level.path) > 1
    assert {tuple(level.path[0]), tuple(level.path[-1])} == {level.start, level.end}
    assert walkable[level.path[:, 1], level.path[:, 0]].all()
    assert (np.abs(np.diff(level.path, axis=0)).sum(axis=1) == 1).all()
    assert all(walkable[thing.y, thing.x] for thing in level.things)


def cells(level: uc.Level, role: str) -> int:
    return int(level.palette.role_mask(role)[level.tiles].sum())


@pytest.mark.parametrize("name", COMBINED)
def test_an_example_holds_without_a_second_attempt(name: str) -> None:
    loaded = recipe(name)
    for seed in range(30):
        result = loaded.generate(seed=seed)
        assert result.attempt == 0, result.rejected
        hold(result.level)


@pytest.mark.parametrize("size", ODD_SIZES)
@pytest.mark.parametrize("name", COMBINED)
def test_an_example_holds_at_other_sizes(name: str, size: tuple[int, int]) -> None:
    for level in levels(name, 8, size=size):
        assert (level.width, level.height) == size
        hold(level)


@pytest.mark.parametrize("name", COMBINED)
def test_an_example_holds_on_a_small_map_or_says_what_it_needs(name: str) -> None:
    if name == "ossuary":  # its rooms have a size of their own
        with pytest.raises(uc.BadInput, match="needs a level of 85x49, not 31x21"):
            recipe(name).generate(seed=1, size=SMALL)
        return
    for level in levels(name, 8, size=SMALL):
        hold(level)


@pytest.mark.parametrize("name", COMBINED)
def test_every_parameter_may_be_turned_as_far_as_it_goes(name: str) -> None:
    loaded = recipe(name)
    usual = loaded.generate(seed=2).level
    for param in loaded.params.values():
        turned = [
            loaded.generate(seed=2, params={param.name: value}).level
            for value in param.choices or (param.low, param.high)
        ]
        for level in turned:
            hold(level)
        assert any(level != usual for level in turned), f"{param.name} does nothing"


@pytest.mark.parametrize("name", COMBINED)
def test_an_example_combines_steps_and_says_what_it_is(name: str) -> None:
    data = tomllib.loads((EXAMPLES / f"{name}.toml").read_text(encoding="utf-8"))
    assert {step["use"] for step in data["step"]} >= COMBINED[name]
    assert data["about"]
    assert data["tags"] == list(recipe(name).tags)
    assert len(data["param"]) >= 3
    assert len(data["require"]) >= 2
    assert data["require"]["components"] == "== 1"


@pytest.mark.parametrize("name", COMBINED)
def test_an_example_has_a_line_and_a_small_picture(name: str) -> None:
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert f"**`{name}.toml`**: " in page
    assert f"](../docs/pictures/{name}.png)" in page
    assert (ROOT / "docs" / "pictures" / f"{name}.png").stat().st_size < 60_000


def test_the_gallery_is_small_and_drawn_from_recipes() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    gallery = text[text.index("## Gallery") : text.index("## The studio")]
    names = [part.split(".png")[0] for part in gallery.split("docs/pictures/")[1:]]
    assert 6 <= len(names) <= 9
    for name in names:
        assert f"`{name}`" in gallery or f"examples/{name}.toml" in gallery
        assert (ROOT / "docs" / "pictures" / f"{name}.png").stat().st_size < 60_000


def test_the_drowned_keep_is_left_without_its_secret_doors() -> None:
    hidden = 0
    for level in levels("drowned-keep", 12):
        secret = level.palette.role_mask("secret")[level.tiles]
        hidden += int(secret.sum())
        assert level.start is not None
        assert level.end is not None
        assert len(reach.DistanceField(level.walkable & ~secret, [level.start]).path_to(*level.end))
        assert cells(level, "water") > 40
        assert cells(level, "pillar") >= 8
        assert 1 <= len(level.things) <= 5
    assert hidden >= 12


def test_the_ossuary_has_as_many_crypts_as_asked_for_and_bones_in_them() -> None:
    for level in levels("ossuary", 12):
        assert len(level.rooms) == 18
        in_room = Counter(
            int(level.regions.labels[thing.y, thing.x]) for thing in level.things if thing.kind == "bones"
        )
        assert set(in_room) == {room.label for room in level.rooms}
        assert max(in_room.values()) <= 2
        assert 1 <= sum(thing.kind == "ghoul" for thing in level.things) <= 8
        assert cells(level, "pillar") == 18 * 4
        assert len({room.area for room in level.rooms}) > 1, "roughened rooms are not all alike"


def test_the_smugglers_have_doors_corridors_and_short_cuts() -> None:
    longer = 0
    for seed in range(12):
        level = recipe("smugglers-cave").generate(seed=seed).level
        assert cells(level, "door") > 3
        assert cells(level, "corridor") > 20
        assert cells(level, "water") > 40
        without = recipe("smugglers-cave").generate(seed=seed, params={"detour": 1000}).level
        longer += len(without.path) > len(level.path)
    assert longer >= 6, "short cuts make some ways shorter"


def test_the_garrison_has_beds_guards_pay_and_pits() -> None:
    pits = 0
    for level in levels("garrison", 12):
        pits += cells(level, "pit")
        kinds = Counter(thing.kind for thing in level.things)
        assert kinds["bed"] >= 6
        assert kinds["guard"] >= 3
        assert kinds["chest"] == 1
    assert pits > 100


def test_the_catacombs_have_coffins_and_ways_round() -> None:
    for level in levels("catacombs", 12):
        kinds = Counter(thing.kind for thing in level.things)
        assert kinds["coffin"] > 10
        assert kinds["lamp"] >= 1
    for level in levels("catacombs", 12, params={"water": 0.0}):  # water may part a room that is on a way round
        assert uc.measure(level, "graph_loops") != {"graph_loops": 0}
    for level in levels("catacombs", 4, params={"detour": 1000}):
        assert uc.measure(level, "graph_loops") == {"graph_loops": 0}, "without robbers the rooms are a tree"


def test_crystals_part_no_comet() -> None:
    crystals = 0
    for level in levels("comet", 12):
        crystals += int((level.tiles == level.palette["crystal"]).sum())
        assert cells(level, "water") > 20
        assert sum(thing.kind == "crab" for thing in level.things) <= 6
    assert crystals > 60


def test_the_hedge_maze_has_lawns_with_ponds_and_benches() -> None:
    for level in levels("hedge-maze", 12):
        assert cells(level, "water") == 17 * 4
        assert cells(level, "pillar") % 4 == 0
        assert {thing.kind for thing in level.things} <= {"bench"}
        assert len(level.rooms) >= 9


def test_the_glades_have_no_doors_and_no_straight_walls() -> None:
    for level in levels("glades", 12):
        assert not len(level.doors)
        assert {region.kind for region in level.regions} == {"cave"}
        assert cells(level, "water") > 20
        assert (level.tiles == level.palette["tree"]).any()


def test_the_locked_keep_cannot_be_lost() -> None:
    one_way = 0
    for level in levels("locked-keep", 12):
        kinds = Counter(thing.kind for thing in level.things)
        assert len({thing.data["key"] for thing in level.things if thing.kind == "lock"}) == 4
        assert (kinds["key"], kinds["switch"]) == (3, 1)
        one_way += kinds["one-way"]
        solution = uc.solve(level)
        assert solution.unlosable
        assert solution.depth == 3
        assert solution.order, "the end is behind a lock"
    assert one_way >= 12


def test_the_fire_halls_have_tiles_of_their_own_and_bridges_over_lava() -> None:
    for level in levels("fire-halls", 12):
        palette = level.palette
        grass, bridge, lava = (level.tiles == palette[name] for name in ("grass", "bridge", "lava"))
        assert grass.sum() >= 9
        assert lava.any()
        assert level.walkable[grass | bridge].all()
        assert not level.walkable[lava].any()
        ys, xs = np.nonzero(bridge)
        assert all(lava[y - 1 : y + 2, x - 1 : x + 2].any() for y, x in zip(ys.tolist(), xs.tolist(), strict=True))
