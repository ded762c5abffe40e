"""D-11 to D-13, D-17, D-21 to D-25: a floor alone is that of the whole, and stairs meet."""

from __future__ import annotations

import os
import random
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from support.dungeons import CELLARS, FINISH, build, cellars, maker, mixed_recipe, reached_cells
from support.maps import each, interpreted
from undercroft.analysis import reach
from undercroft.core.dungeon import Dungeon
from undercroft.core.passable import open_cells
from undercroft.errors import NotMet
from undercroft.formats.native import native
from undercroft.recipe.dungeon.document import DungeonRecipe
from undercroft.recipe.dungeon.make import DungeonMaker, make_dungeon
from undercroft.recipe.dungeon.request import DungeonRequest


def files_of(dungeon: Dungeon) -> dict[str, bytes]:
    """The canonical JSON of every floor, with its provenance."""
    return {floor.id: native.dump(floor.level) for floor in dungeon}


@each("seed", 40, quick=4)
def test_a_floor_alone_is_that_of_the_whole(seed: int, tmp_path: Path) -> None:
    """Alone, in any order, and by a maker that made other floors before."""
    recipe = cellars(tmp_path)
    wanted = files_of(build(recipe, seed))
    ids = [*wanted]
    random.Random(seed).shuffle(ids)
    together = maker(recipe, seed)
    for id_ in ids:
        assert native.dump(together.make_floor(id_).floor.level) == wanted[id_]
        assert native.dump(maker(recipe, seed).make_floor(id_).floor.level) == wanted[id_]


@each("seed", 160, quick=4)
def test_a_floor_of_mixed_recipes_alone_is_that_of_the_whole(seed: int) -> None:
    recipe = mixed_recipe(seed, 4, stairs='extra = "= depth == 2"')
    wanted = files_of(build(recipe, seed))
    id_ = str(seed % 4 + 1)
    found = maker(recipe, seed)
    assert native.dump(found.make_floor(id_).floor.level) == wanted[id_]


def test_a_floor_alone_costs_the_bare_floors_beside_it(tmp_path: Path) -> None:
    recipe = mixed_recipe(3, 8, ["cave", "bsp"])
    found = maker(recipe)
    found.make_floor("4")
    assert sorted(found._bare) == ["3", "4", "5"]


def test_interpreted_kernels_make_the_same_dungeon() -> None:
    text = '[[floor]]\ndepths = "1..2"\nrecipe = "cave"\n'
    recipe = DungeonRecipe.parse(f"size = [40, 24]\n{text}", "caves.toml")
    wanted = files_of(build(recipe))
    with interpreted():
        assert files_of(build(recipe)) == wanted


def test_another_finish_changes_only_its_floors(tmp_path: Path) -> None:
    recipe = cellars(tmp_path)
    before = files_of(build(recipe))
    (tmp_path / "other.toml").write_text(f'{FINISH}\n[[step]]\nuse = "roughen"\n')
    text = CELLARS.replace('finish = ["dressed.toml"]\n[[branch]]', 'finish = ["other.toml"]\n[[branch]]')
    after = files_of(build(DungeonRecipe.parse(text, "cellars.toml", tmp_path)))
    assert {id_ for id_ in before if before[id_] != after[id_]} == {"3", "4"}


def test_the_stairs_of_other_floors_do_not_move_them(tmp_path: Path) -> None:
    """With more floors below, those above stay, but for the last one, which has stairs down now."""
    recipe = cellars(tmp_path)
    short, long = build(recipe, params={"deep": 4}), build(recipe, params={"deep": 6})
    assert all(short[id_].tiles.tolist() == long[id_].tiles.tolist() for id_ in ("1", "2"))


def test_a_seed_gives_the_same_dungeon_and_another_seed_another(tmp_path: Path) -> None:
    recipe = cellars(tmp_path)
    assert files_of(build(recipe)) == files_of(build(recipe))
    assert build(recipe) != build(recipe, 8)


# --- stairs -----------------------------------------------------------------------------------------------------------


def check_stairs(recipe: DungeonRecipe, seed: int) -> tuple[Dungeon, Counter[str]]:
    """The dungeon of a seed, which keeps all that D-17, D-22 and D-23 promise of one; counts of what is measured."""
    counts: Counter[str] = Counter()
    made = maker(recipe, seed)
    dungeon, notes = made.make_all()
    ends: dict[str, list[tuple[str, int, int]]] = {}
    shafts = {one.link for one in dungeon.stairs if one.form == "shaft"}
    for one in dungeon.stairs:
        ends.setdefault(one.link, []).append((one.floor, one.x, one.y))
        tile = dungeon[one.floor].palette.tiles[int(dungeon[one.floor].tiles[one.y, one.x])]
        plain = one.form == "shaft" or one.way == "level"
        assert tile.role in (("floor", "corridor") if plain else ({"up": "entry", "down": "exit"}[one.way],))
    for link, cells in ends.items():
        assert len(cells) == (1 if link in shafts else 2), link
        assert len({(x, y) for _, x, y in cells}) == 1, link
    links_without_side = {note.split(": ")[0] for note in notes if "no side" in note or "dug" in note}
    for floor in dungeon:
        stairs = [one for one in dungeon.stairs_of(floor.id) if one.link not in shafts]
        fields = [reach.DistanceField(open_cells(floor.level), [(one.x, one.y)]) for one in stairs]
        for (i, one), (_, other) in combinations(enumerate(stairs), 2):
            steps = fields[i].steps_to(other.x, other.y)
            assert steps >= 20 or links_without_side, (floor.id, one, other)
            assert max(abs(one.x - other.x), abs(one.y - other.y)) > 1
        if len(stairs) == 2 and {one.link for one in stairs} == {link for link in ends if floor.id in link.split("-")}:
            steps = fields[0].steps_to(stairs[1].x, stairs[1].y)
            counts["floors"] += 1
            counts["apart"] += int(5 * steps >= 2 * made.ground(floor.id).path_steps)
    seen = reached_cells(dungeon)
    for one in dungeon.stairs:
        assert (one.floor, one.x, one.y) in seen
        assert (one.to, one.to_x, one.to_y) in seen
    counts["links"] += len(ends) - len(shafts)
    counts["dug"] += sum("dug" in note for note in notes)
    return dungeon, counts


def test_stairs_meet_in_dungeons_of_all_recipes() -> None:
    """20 dungeons of 10 floors; the long test has 200."""
    _check_many(range(20))


@pytest.mark.long
def test_stairs_meet_in_many_dungeons() -> None:
    """200 dungeons; with `make soak` as many as it says."""
    total = _check_many(range(20, max(200, int(os.environ.get("UNDERCROFT_SOAK", "0")))))
    assert total["apart"] >= 0.95 * total["floors"]
    assert total["dug"] < 0.02 * total["links"]


def _check_many(seeds: range) -> Counter[str]:
    total: Counter[str] = Counter()
    for seed in seeds:
        try:
            total += check_stairs(mixed_recipe(seed, 10), seed)[1]
        except Exception as error:
            error.add_note(f"seed is {seed}")
            raise
    return total


@each("seed", 60, quick=4)
def test_stairs_meet_with_branches_further_links_and_shafts(seed: int, tmp_path: Path) -> None:
    recipe = cellars(tmp_path, CELLARS.replace("extra = ", 'place = "any"\nextra = ') if seed % 2 else CELLARS)
    dungeon, _ = check_stairs(recipe, seed)
    assert sum(one.form == "shaft" for one in dungeon.stairs) in (1, 2, 3, 4)
    for shaft in dungeon.stairs:
        if shaft.form == "shaft":
            upper, lower = dungeon[shaft.floor], dungeon[shaft.to]
            assert upper.walkable[shaft.y, shaft.x]
            assert lower.passable[shaft.y, shaft.x]
            assert not any((thing.x, thing.y) == (shaft.x, shaft.y) for thing in lower.things)


@each("seed", 30, quick=3)
def test_stairs_on_the_floor(seed: int) -> None:
    """Stairs that stand on the floor never part it."""
    dungeon, counts = check_stairs(mixed_recipe(seed, 4, stairs='place = "floor"'), seed)
    if counts["dug"]:
        return
    for one in dungeon.stairs:
        level = dungeon[one.floor]
        cells = open_cells(level).copy()
        parts = reach.label_components(cells.view(np.uint8))[1]
        cells[one.y, one.x] = False
        assert reach.label_components(cells.view(np.uint8))[1] <= parts


@each("seed", 20, quick=2)
def test_alcoves_open_to_one_side(seed: int) -> None:
    dungeon = build(mixed_recipe(seed, 4, ["cave", "bsp", "cozy", "dungeoning"]), seed)
    alcoves = 0
    for one in dungeon.stairs:
        cells = dungeon[one.floor].walkable
        around = [cells[one.y + dy, one.x + dx] for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))]
        alcoves += sum(around) == 1
    assert alcoves >= len(dungeon.stairs) / 2


# --- ends -------------------------------------------------------------------------------------------------------------


@each("seed", 20, quick=3)
def test_the_way_leads_from_stairs_to_stairs(seed: int, tmp_path: Path) -> None:
    dungeon = build(cellars(tmp_path), seed)
    first, last = dungeon["1"], dungeon["4"]
    assert dungeon.start is not None
    assert dungeon.end is not None
    assert dungeon.start == ("1", *(first.start or ()))
    assert dungeon.end == ("4", *(last.end or ()))
    main = {one.link: one for one in dungeon.stairs if one.way == "down" and one.floor in "123" and one.to in "234"}
    for upper, lower in (("1", "2"), ("2", "3"), ("3", "4")):
        stairs = main[f"{upper}-{lower}"]
        assert dungeon[upper].end == (stairs.x, stairs.y)
        assert dungeon[lower].start == (stairs.x, stairs.y)
    for floor in dungeon:
        level = floor.level
        assert level.start is not None
        assert level.end is not None
        assert level.path[[0, -1]].tolist() == [[*level.start], [*level.end]]
        steps = reach.DistanceField(open_cells(level), [level.start]).steps
        assert steps[level.end[1], level.end[0]] == len(level.path) - 1
    assert str(first).count("<") == 1
    assert str(last).count(">") == 0 or any(one.to.startswith("crypt") for one in dungeon.stairs_of("4"))


def test_the_last_floor_may_lead_out(tmp_path: Path) -> None:
    text = '[[floor]]\ndepths = "1..2"\nrecipe = "bsp"\n[stairs]\nbottom = "exit"\n'
    dungeon = build(DungeonRecipe.parse(text, "out.toml"))
    assert str(dungeon["2"]).count(">") == 1
    assert dungeon["2"].palette.tiles[int(dungeon["2"].tiles[dungeon["2"].end[::-1]])].role == "exit"  # type: ignore[index]


def test_a_tower_leads_up() -> None:
    text = '[[floor]]\ndepths = "1..3"\nrecipe = "bsp"\n[stairs]\nway = "up"\n'
    dungeon = build(DungeonRecipe.parse(text, "tower.toml"))
    assert [one.way for one in dungeon.stairs_of("2")] == ["down", "up"]
    assert str(dungeon["1"]).count("<") == 1
    assert str(dungeon["1"]).count(">") == 1
    assert str(dungeon["3"]).count(">") == 1


def test_alcoves_belong_to_the_room_that_they_open_to() -> None:
    dungeon = build(mixed_recipe(5, 5, ["bsp", "rooms-and-mazes", "cozy"]))
    for one in dungeon.stairs:
        regions = dungeon[one.floor].regions
        region = regions.at(one.x, one.y)
        assert region is not None
        assert region.area == int((regions.labels == region.label).sum())
        ys, xs = np.nonzero(regions.labels == region.label)
        assert [region.x, region.y] == [int(xs.min()), int(ys.min())]
        assert [region.width, region.height] == [int(np.ptp(xs)) + 1, int(np.ptp(ys)) + 1]


# --- attempts ---------------------------------------------------------------------------------------------------------


def test_provenance_tells_dungeon_floor_and_attempts(tmp_path: Path) -> None:
    dungeon = build(cellars(tmp_path))
    told = dungeon["3"].provenance
    assert told["recipe"] == "cave"
    assert told["dungeon"]["recipe"] == "cellars"
    assert told["dungeon"]["seed"] == "7"
    assert told["dungeon"]["floor"] == "3"
    assert {*told["dungeon"]["attempts"]} == {"bare", "finish"}
    assert told["editions"]["dressed/furnish"] >= 1


def test_attempts_are_other_dungeons() -> None:
    recipe = mixed_recipe(1, 3, ["cave"])
    request = DungeonRequest(recipe, seed=7)
    first, second = (DungeonMaker(request, attempt).make_all()[0] for attempt in (0, 1))
    assert first != second
    again, _ = make_dungeon(DungeonRequest(recipe, seed=7, attempt=1))
    assert again == second
    assert again.provenance["attempt"] == 1


def test_floors_that_share_no_cell_are_told() -> None:
    recipe = DungeonRecipe.parse(
        'size = [7, 5]\n[[floor]]\ndepths = "1..3"\nrecipe = "maze"\n[stairs]\ndig = 0\nmargin = 1000\n', "tiny.toml"
    )
    with pytest.raises(NotMet) as caught:
        build(recipe, tries=1)
    assert caught.value.problem == "no place for stairs between 1 and 2"
    assert caught.value.fix == "raise 'dig' in [stairs], allow 'near', or ask for another size"
