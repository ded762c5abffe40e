"""Large regions get things by their area: one gets what several of the same area together get."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import undercroft as uc
from support.maps import HEAVY, after
from undercroft.analysis.survey import surveyed
from undercroft.core.draft import Draft
from undercroft.core.region import Regions, Thing
from undercroft.core.run import Run
from undercroft.steps.facts.ends import Ends
from undercroft.steps.facts.survey import Survey
from undercroft.steps.furnish.furnish import Furnish
from undercroft.steps.furnish.room_floor import UNREACHABLE, build_room_floor
from undercroft.steps.furnish.room_parts import SCALE, divide_regions

SEEDS = 1000 if HEAVY else 60
GROUPS = ("prop", "loot", "note")


def rooms(side: int, count: int, *, doors: bool = False) -> str:
    """Square rooms in rows and columns, with walls between, and doors from left to right."""
    rim, wall = "#" * (count * (side + 1) + 1), "#"
    row = wall + ("." * side + wall) * count
    middle = wall + ("." * side + "+") * (count - 1) + "." * side + wall
    lines = [middle if doors and y == side // 2 else row for y in range(side)]
    return "\n".join([rim, *(line for _ in range(count) for line in (*lines, rim))])


def totals(picture: str, step: Furnish, seed: int) -> tuple[int, int, int]:
    """The number of things that are no monsters, of monsters, and their danger."""
    things = after(step, after(Survey(), picture), seed=seed).things
    groups = Counter(thing.data["group"] for thing in things)
    return sum(groups[name] for name in GROUPS), groups["monster"], sum(thing.data.get("danger", 0) for thing in things)


def means(picture: str, step: Furnish) -> list[float]:
    found: list[float] = np.mean([totals(picture, step, seed) for seed in range(SEEDS)], axis=0).tolist()
    return found


@pytest.mark.parametrize(("side", "count"), [(8, 3), (10, 2), (11, 3), (15, 2)])
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_one_large_room_gets_what_several_smaller_ones_get(side: int, count: int, share: float) -> None:
    """Things, monsters and danger, over many seeds. No room has a kind, so that all draw from the same list."""
    step = Furnish(share=share, kinds=("den",))
    several, one = means(rooms(side, count), step), means(rooms(side * count, 1), step)
    assert one == pytest.approx(several, rel=0.12 if HEAVY else 0.18)
    assert one[0] > 3 * count * count * share


def test_the_same_with_all_kinds_of_rooms() -> None:
    several, one = means(rooms(10, 4), Furnish()), means(rooms(40, 1), Furnish())
    assert one == pytest.approx(several, rel=0.15 if HEAVY else 0.2)


def test_danger_in_a_large_room_goes_by_the_steps_to_its_parts() -> None:
    """Several rooms in a row, and one hall as long as they are, with the start at the left end of each."""
    pictures = rooms(10, 5, doors=True), "\n".join(["#" * 51, *["#" + "." * 50 + "#"] * 10, "#" * 51])
    sums = []
    for picture in pictures:
        row = "\n".join(picture.split("\n")[:12])
        dangers = []
        for seed in range(SEEDS):
            draft = after(Survey(), row)
            draft.start = (1, 1)
            things = after(Furnish(share=1.0, kinds=("den",)), draft, seed=seed).things
            dangers.append(sum(thing.data.get("danger", 0) for thing in things))
        sums.append(float(np.mean(dangers)))
    assert sums[1] == pytest.approx(sums[0], rel=0.2)
    assert sums[0] > 10


def test_a_cave_has_as_many_monsters_as_a_keep() -> None:
    """For each thousand cells of rooms. A cave of 1,900 cells had none, or up to six."""
    rates: dict[str, float] = {}
    for name in ("cave", "bsp", "walk"):
        cells = monsters = 0
        for seed in range(SEEDS // 3):
            level = uc.generate(name, seed=seed, size=(81, 51))
            draft = after(Furnish(), Draft.of(level if len(level.regions) else surveyed(level)), seed=seed)
            cells += sum(region.area for region in draft.level().rooms)
            monsters += sum(thing.data["group"] == "monster" for thing in draft.things)
        rates[name] = 1000 * monsters / cells
    assert 12 < rates["bsp"] < 25
    assert rates["cave"] == pytest.approx(rates["bsp"], rel=0.4)
    assert rates["walk"] == pytest.approx(rates["bsp"], rel=0.4)


# --- no things at all -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_no_things_if_none_are_wanted(seed: int) -> None:
    """Not even in rooms whose tags name a kind, nor on slots of layouts."""
    level = uc.generate("cozy", seed=seed, things=0.0)
    assert level.things == ()
    assert level.title
    assert any(region.tags for region in level.regions)
    assert uc.generate("cozy", seed=seed, things=0.8).things


def test_without_a_share_only_bare_things_go() -> None:
    kept = [Thing("chest", 1, 1, {"gold": 3}), Thing("oddity", 3, 3)]
    draft = after(Survey(), rooms(6, 2))
    draft.things = [kept[0], Thing("chest", 2, 2), Thing("monster", 4, 4), kept[1]]
    assert after(Furnish(share=0.0), draft).things == kept


# --- the parts themselves ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("usual", [1, 7, 60, 1000])
@pytest.mark.parametrize("name", ["cave", "bsp", "rooms-and-mazes", "diablo3"])
def test_parts_against_a_plain_count(name: str, usual: int) -> None:
    level = uc.generate(name, seed=3, size=(61, 41))
    draft = after(Ends(), after(Survey(), Draft.of(level)))
    regions = draft.regions
    assert regions is not None
    floor = build_room_floor(draft, regions, [], Run())
    parts = divide_regions(regions, floor, usual)
    expected: list[int] = []
    for region in regions:
        count = max(1, region.area // usual)
        cells = floor.spots[floor.bounds[region.label] : floor.bounds[region.label + 1]]
        steps = sorted(floor.steps.reshape(-1)[cells].tolist()) or [UNREACHABLE] * count
        expected += [steps[number * len(steps) // count] for number in range(count)]
        assert parts.counts[region.label - 1] == count
        share = max(1.0, region.area / usual / count)
        assert parts.scale[region.label - 1] / SCALE == pytest.approx(share, abs=2 / SCALE)
    assert parts.steps.tolist() == expected
    assert parts.regions.tolist() == [at for at, count in enumerate(parts.counts.tolist()) for _ in range(count)]
    assert parts.firsts.tolist() == [parts.regions.tolist().index(at) for at in range(len(regions))]


def test_no_regions_and_regions_without_cells() -> None:
    draft = after(Survey(), "####")
    floor = build_room_floor(draft, Regions.empty(1, 4), [], Run())
    assert divide_regions(Regions.empty(1, 4), floor, 60).steps.tolist() == []
    draft = after(Survey(), rooms(9, 1))
    draft.frozen = np.ones(draft.tiles.shape, bool)
    assert after(Furnish(share=1.0), draft).things == []


def test_what_always_stands_in_a_kind_of_room_stands_there_once() -> None:
    for seed in range(20):
        draft = after(Survey(), rooms(30, 1))
        assert draft.regions is not None
        draft.regions = Regions(draft.regions.labels, draft.regions.table, {1: ("smithy",)})
        kinds = Counter(thing.kind for thing in after(Furnish(), draft, seed=seed).things)
        assert kinds["forge"] == kinds["anvil"] == 1
        assert kinds.total() > 60
