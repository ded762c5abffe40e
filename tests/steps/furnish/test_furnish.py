"""Things in rooms: where they stand, what they leave open, and that the kernel does what a slow search would."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import label

import undercroft as uc
from support.maps import HEAVY, after, draft_of, facts, interpreted, soup
from undercroft.analysis.reach import distances
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES
from undercroft.core.region import REGION_KINDS, Region, Regions, Thing
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.formats import npz
from undercroft.formats.native import native
from undercroft.recipe.document import Recipe
from undercroft.steps.facts.ends import Ends
from undercroft.steps.facts.survey import Survey
from undercroft.steps.furnish.furnish import Furnish, _load_set_file
from undercroft.things import shipped
from undercroft.things.read_things import parse_things
from undercroft.things.thing_set import ThingSet, ThingType

SEEDS = 60 if HEAVY else 8
USUAL = 60
"""The cells of a room of the last usual size: larger ones count as several."""
SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""In the order of NESW."""
Cell = tuple[int, int]
Mask = NDArray[np.bool_]


def footprint(thing: Thing) -> list[Cell]:
    wide, high = thing.data.get("width", 1), thing.data.get("height", 1)
    assert isinstance(wide, int)
    assert isinstance(high, int)
    return [(thing.x + x, thing.y + y) for y in range(high) for x in range(wide)]


def has(mask: Mask, cell: Cell) -> bool:
    """Whether a cell is on the map and in the mask."""
    return 0 <= cell[0] < mask.shape[1] and 0 <= cell[1] < mask.shape[0] and bool(mask[cell[1], cell[0]])


def beside(cells: list[Cell], side: int) -> list[Cell]:
    """The cells along one side of a footprint."""
    x, y = SIDES[side]
    return [(a + x, b + y) for a, b in cells if (a + x, b + y) not in cells]


class Ground:
    """What a map is, as the rules of place see it."""

    def __init__(self, draft: Draft) -> None:
        palette = draft.palette
        self.draft = draft
        self.labels = draft.regions.labels if draft.regions is not None else np.zeros(draft.tiles.shape, np.int32)
        self.walkable = palette.walkable[draft.tiles]
        self.door = palette.role_mask(*DOOR_ROLES)[draft.tiles]
        self.rock = palette.rock[draft.tiles]
        self.floor = palette.role_mask("floor")[draft.tiles]
        self.steps = None if draft.start is None else distances(self.walkable, [draft.start])

    def is_wall(self, cell: Cell) -> bool:
        inside = 0 <= cell[0] < self.draft.width and 0 <= cell[1] < self.draft.height
        return not inside or has(self.rock, cell)

    def may_stand(self, cell: Cell) -> bool:
        """Floor of a room, not beside a door or a way of another region, no end of the way, not frozen."""
        if not has(self.floor, cell) or cell in (self.draft.start, self.draft.end):
            return False
        own = self.labels[cell[1], cell[0]]
        if not own or self.draft.regions is None or self.draft.regions[int(own) - 1].kind == "corridor":
            return False
        if self.draft.frozen is not None and has(self.draft.frozen, cell):
            return False
        for x, y in SIDES:
            other = cell[0] + x, cell[1] + y
            if has(self.door, other) or (has(self.walkable, other) and self.labels[other[1], other[0]] != own):
                return False
        return True

    def stands(self, place: str, cells: list[Cell], facing: int, region: Region) -> bool:
        """Whether a footprint is where its place says."""
        back, left, right = ([self.is_wall(cell) for cell in beside(cells, (facing + turn) & 3)] for turn in (2, 3, 1))
        (x, y), (last_x, last_y) = cells[0], cells[-1]
        if place == "wall":
            return all(back)
        if place == "corner":
            return all(back) and (all(left) or all(right))
        if place == "open":
            return not any(self.is_wall(cell) for side in range(4) for cell in beside(cells, side))
        if place == "inner corner":
            corners = [
                ((x - 1, y - 1), 1, 1),
                ((last_x + 1, y - 1), -1, 1),
                ((x - 1, last_y + 1), 1, -1),
                ((last_x + 1, last_y + 1), -1, -1),
            ]
            return any(
                self.is_wall(corner)
                and has(self.walkable, (corner[0] + a, corner[1]))
                and has(self.walkable, (corner[0], corner[1] + b))
                for corner, a, b in corners
            )
        if place == "centre":
            across, down = (
                abs(x + last_x + 1 - 2 * region.x - region.width),
                abs(y + last_y + 1 - 2 * region.y - region.height),
            )
            return across <= max(1, region.width // 2) and down <= max(1, region.height // 2)
        return place == "anywhere"


def components(open_cells: Mask) -> tuple[NDArray[np.int32], int]:
    labels, count = label(open_cells)
    return labels.astype(np.int32), int(count)


def stays_connected(before: Mask, after: Mask) -> bool:
    """Whether each part that was connected still is, and something is left of it."""
    old, count = components(before)
    new, _ = components(after)
    return all(len(set(new[(old == part) & after].tolist())) == 1 for part in range(1, count + 1))


def check_ways(draft: Draft, earlier: int = 0) -> None:
    """Nothing blocks a way: neither on the whole map, nor without doors that may not open."""
    ground = Ground(draft)
    blocked = np.zeros(draft.tiles.shape, bool)
    old = blocked.copy()
    for number, thing in enumerate(draft.things):
        for x, y in footprint(thing) if thing.data.get("blocks") else ():
            assert not blocked[y, x]
            blocked[y, x] = True
            old[y, x] |= number < earlier
    hidden = draft.palette.role_mask("secret", "locked")[draft.tiles]
    for ways in (ground.walkable, ground.walkable & ~hidden, ground.walkable & ~ground.door):
        assert stays_connected(ways & ~old, ways & ~blocked)
    free = ground.walkable & ~blocked
    for thing in draft.things[earlier:]:
        cells = footprint(thing)
        if thing.data.get("blocks"):
            assert any(has(free, cell) for side in range(4) for cell in beside(cells, side)), thing
        else:
            assert all(has(free, cell) for cell in cells), thing
    if draft.path is not None:
        assert not blocked[draft.path[:, 1], draft.path[:, 0]].any()


def check(draft: Draft, things: ThingSet, bare: list[Thing] | None = None, most: tuple[int, int] = (10, 8)) -> None:
    """All that was promised of each thing that was put somewhere; those that stood on slots are told apart by their
    cells.
    """
    check_ways(draft)
    assert draft.regions is not None
    ground = Ground(draft)
    slots = {(thing.x, thing.y) for thing in bare or []}
    taken = Counter(cell for thing in draft.things for cell in footprint(thing) if (thing.x, thing.y) not in slots)
    assert all(count == 1 for count in taken.values())
    assert not slots & taken.keys()
    rooms: dict[int, list[Thing]] = {}
    for thing in draft.things:
        kind, cells = things.types[thing.kind], footprint(thing)
        rooms.setdefault(int(ground.labels[thing.y, thing.x]), []).append(thing)
        assert thing.data["group"] == kind.group
        if (thing.x, thing.y) in slots:
            continue
        region = draft.regions[int(ground.labels[thing.y, thing.x]) - 1]
        facing = "NESW".index(str(thing.data["facing"]))
        wide, deep = kind.size
        assert (len(beside(cells, facing)), len(cells)) == (wide, wide * deep)
        assert all(ground.may_stand(cell) for cell in cells), thing
        assert {int(ground.labels[y, x]) for x, y in cells} == {thing.data["room"]}
        assert ground.stands(kind.place, cells, facing, region), thing
        assert thing.data["blocks"] == kind.blocks
        if ground.steps is not None:
            assert all(ground.steps[y, x] < 0 or ground.steps[y, x] >= kind.from_start for x, y in cells)
    for number, inside in rooms.items():
        check_room(draft.regions[number - 1] if number else None, inside, things, slots, most)
    totals = Counter(thing.kind for thing in draft.things if (thing.x, thing.y) not in slots)
    assert all(count <= (things.types[name].total or count) for name, count in totals.items())


def check_room(
    region: Region | None, inside: list[Thing], things: ThingSet, slots: set[Cell], most: tuple[int, int]
) -> None:
    """What was promised of all things of a room together."""
    own = [thing for thing in inside if (thing.x, thing.y) not in slots]
    if region is None:
        assert not own
        return
    times = max(1, region.area / USUAL)
    for name, count in Counter(thing.kind for thing in own).items():
        assert count <= things.types[name].most * int(times)
    for thing in own:
        near = things.types[thing.kind].near
        if near:
            sides = {
                cell
                for other in inside
                if other.kind == near
                for side in range(4)
                for cell in beside(footprint(other), side)
            }
            assert sides & set(footprint(thing)), thing
    kinds = {name for name in region.tags if name in things.kinds}
    always = sum(len(things.kinds[name].always) for name in kinds) + 1
    groups = Counter(things.types[thing.kind].group for thing in own)
    assert sum(groups.values()) - groups["monster"] <= most[0] * times + 2 * always
    dangers = sum(things.types[thing.kind].danger for thing in own)
    must = sum(things.types[name].danger for kind in kinds for name in things.kinds[kind].always)
    assert dangers <= most[1] * times + must


# --- many maps --------------------------------------------------------------------------------------------------------

RECIPES = (
    "bsp",
    "cave",
    "rooms-and-mazes",
    "tinykeep",
    "dungeoning",
    "isaac",
    "diablo2",
    "diablo3",
    "drunkard",
    "walk",
    "galak-z",
    "maze",
    "templates",
)
DUNGEON = shipped.load_things("dungeon")


@pytest.mark.parametrize("name", RECIPES)
def test_nothing_blocks_a_way(name: str) -> None:
    put = 0
    for seed in range(SEEDS):
        draft = Draft.of(uc.generate(name, seed=seed))
        if draft.regions is None:
            after(Survey(kind="cave"), draft)
        bare = list(draft.things)
        after(Furnish(share=1.0 if seed % 2 else 0.8), draft, seed=seed)
        check(draft, DUNGEON, bare)
        put += len(draft.things) - len(bare)
    assert (put > 10 * SEEDS) == (name != "maze")


SLOTS_ONLY = Furnish(share=1e-9)
CROWDED = Furnish(share=1.0, density=1.0, most=(99, 99), danger=(60, 60))


@pytest.mark.parametrize("name", ["bsp", "cave", "rooms-and-mazes", "dungeoning"])
def test_nothing_blocks_a_way_in_rooms_that_are_full(name: str) -> None:
    for seed in range(SEEDS):
        draft = Draft.of(uc.generate(name, seed=seed, size=(41, 31)))
        bare = list(draft.things)
        check(after(CROWDED, draft, seed=seed), DUNGEON, bare, (99, 60))


@pytest.mark.parametrize("glyphs", ["#..", "##.,+", "..,+S", "#...L~o:", "."])
def test_nothing_blocks_a_way_on_any_map(glyphs: str) -> None:
    """Soups of tiles: rooms of one cell, of one row, with islands, with doors beside doors."""
    put = 0
    for number in range(600 if HEAVY else 50):
        draft = after(Survey(kind="cave" if number % 2 else "room"), soup(number, glyphs, 18))
        if number % 3:
            after(Ends(), draft)
        if number % 5 == 0:
            draft.frozen = np.random.default_rng(number).random(draft.tiles.shape) < 0.2
        check(after(CROWDED, draft, seed=number), DUNGEON, most=(99, 60))
        put += len(draft.things)
    assert put > 40


def test_a_second_time_nothing_is_blocked_either() -> None:
    for seed in range(SEEDS):
        draft = after(Furnish(share=1.0), Draft.of(uc.generate("bsp", seed=seed)), seed=seed)
        first = list(draft.things)
        after(CROWDED, draft, seed=seed + 1)
        assert draft.things[: len(first)] == first
        check_ways(draft)
        check_ways(draft, earlier=len(first))
        cells = Counter(cell for thing in draft.things for cell in footprint(thing))
        assert set(cells.values()) == {1}
        assert len(draft.things) > len(first)


# --- against a slow search --------------------------------------------------------------------------------------------


def set_of(*lines: str, always: bool = False) -> str:
    """A set with one thing to put, and what else is written."""
    listed = 'always = ["it"]' if always else "things = { it = 1 }"
    return "[thing.it]\n" + "\n".join(lines) + f"\n[any]\n{listed}\n"


class Text(Furnish):
    """Furnish with a set that is written here."""

    def __init__(self, text: str, **more: Any) -> None:
        vars(self)["_loaded_set"] = _load_set_file("set.toml", text)
        super().__init__(**{"share": 1.0, "density": 1.0, **more})


def joined_around(ground: Ground, cells: list[Cell]) -> bool:
    """Whether the open cells beside a footprint are joined by the frame around it, and there are some: by a flood over
    the frame.
    """
    frame = {(x + a, y + b) for x, y in cells for a in (-1, 0, 1) for b in (-1, 0, 1)} - set(cells)
    is_open = {cell for cell in frame if has(ground.walkable & ~ground.door, cell)}
    sides = {cell for side in range(4) for cell in beside(cells, side)} & is_open
    if not sides:
        return False
    reached, waiting = set(), [next(iter(sides))]
    while waiting:
        cell = waiting.pop()
        if cell in is_open and cell not in reached:
            reached.add(cell)
            waiting += [(cell[0] + x, cell[1] + y) for x, y in SIDES]
    return sides <= reached


def every_position(draft: Draft, kind: ThingType) -> Iterator[tuple[int, int, int]]:
    """All places where one thing may stand in an empty map, by trying each."""
    ground = Ground(draft)
    assert draft.regions is not None
    path = set() if draft.path is None else {(x, y) for x, y in draft.path.tolist()}
    best: dict[int, int] = {}
    found: list[tuple[int, int, int]] = []
    for y in range(draft.height):
        for x in range(draft.width):
            for facing in range(4):
                wide, high = kind.size if facing % 2 == 0 else kind.size[::-1]
                cells = [(x + a, y + b) for b in range(high) for a in range(wide)]
                if (
                    not all(ground.may_stand(cell) for cell in cells)
                    or len({int(ground.labels[b, a]) for a, b in cells}) > 1
                ):
                    continue
                if ground.steps is not None and any(0 <= ground.steps[b, a] < kind.from_start for a, b in cells):
                    continue
                region = draft.regions[int(ground.labels[y, x]) - 1]
                if not ground.stands(kind.place, cells, facing, region):
                    continue
                if kind.blocks:
                    before = [has(ground.walkable & ~ground.door, cell) for cell in beside(cells, facing)]
                    if (
                        path & set(cells)
                        or not joined_around(ground, cells)
                        or (kind.place in ("wall", "corner") and not any(before))
                    ):
                        continue
                found.append((x, y, facing))
                away = (2 * x + wide - 2 * region.x - region.width) ** 2 + (
                    2 * y + high - 2 * region.y - region.height
                ) ** 2
                best[region.label] = min(away, best.get(region.label, away))
                if kind.place == "centre" and away > best[region.label]:
                    found.pop()
    if kind.place == "centre":
        found = [place for place in found if _away(draft, kind, place) == best[int(ground.labels[place[1], place[0]])]]
    yield from found


def _away(draft: Draft, kind: ThingType, place: tuple[int, int, int]) -> int:
    x, y, facing = place
    assert draft.regions is not None
    region = draft.regions[int(draft.regions.labels[y, x]) - 1]
    wide, high = kind.size if facing % 2 == 0 else kind.size[::-1]
    return (2 * x + wide - 2 * region.x - region.width) ** 2 + (2 * y + high - 2 * region.y - region.height) ** 2


ROOMS = {
    "room": """
        ########
        #......#
        #......+
        #......#
        ########
    """,
    "bend": """
        #########
        #....####
        #....####
        #.......#
        #.......'
        ####,####
    """,
    "pillars": """
        ~~~~~~~~~
        .........
        ..o...o..
        .........
        ..o...o..
        .........
        ~~~~~~~~~
    """,
    "niche": """
        ######
        #..#.#
        #....#
        ##.###
        ##.###
        ##.###
    """,
    "bare": "..\n..",
    "row": "#.....#",
    "cell": "###\n#.#\n###",
}
WISHES = [
    [f'place = "{place}"', f"size = [{wide}, {deep}]", f"blocks = {blocks}"]
    for place in ("wall", "corner", "inner corner", "centre", "open", "anywhere")
    for wide, deep in ((1, 1), (2, 1), (1, 2), (2, 2))
    for blocks in ("true", "false")
]


def ready(picture: str, *, ends: bool) -> Draft:
    draft = after(Survey(), picture)
    if ends:
        after(Ends(), draft)
    return draft


@pytest.mark.parametrize("picture", ROOMS)
def test_a_thing_stands_wherever_a_slow_search_finds_a_place_and_nowhere_else(picture: str) -> None:
    """In small rooms every position is drawn some time; turns do not count where a thing is as wide as deep and its
    place does not say how it stands.
    """
    some = 0
    for number, wish in enumerate(WISHES):
        text = set_of(*wish, "most = 1", *(["from_start = 3"] if number % 3 == 2 else []), always=True)
        kind = parse_things(text, "set.toml").types["it"]
        start = ready(ROOMS[picture], ends=number % 3 > 0)
        wanted = set(every_position(start, kind))
        level, step = start.level(), Text(text)
        found: set[tuple[int, int, int]] = set()
        for seed in range(12 * len(wanted) + 4):
            draft = after(step, Draft.of(level), seed=seed)
            found |= {(thing.x, thing.y, "NESW".index(str(thing.data["facing"]))) for thing in draft.things}
            if seed >= len(wanted) and {place[:2] for place in found} == {place[:2] for place in wanted}:
                break
        check_ways(draft)
        assert found <= wanted, wish
        assert {place[:2] for place in found} == {place[:2] for place in wanted}, wish
        some += bool(wanted)
    assert some >= (0 if picture in ("cell", "row", "bare") else 20)


def test_a_slow_search_agrees_on_larger_maps() -> None:
    """Where places are drawn rather than listed: what is found is one, and nothing is found only where there is
    none.
    """
    for number in range(60 if HEAVY else 5):
        chance = np.random.default_rng(number)
        grid = chance.choice(list("#" * (number % 5) + "....."), (24, 24))
        picture = "\n".join("".join(row) for row in grid.tolist())
        for wish in WISHES[number % 4 :: 7]:
            text = set_of(*wish, "most = 1", always=True)
            kind = parse_things(text, "set.toml").types["it"]
            draft = after(Survey(), picture)
            wanted = set(every_position(draft, kind))
            run = Run()
            after(Text(text), draft, seed=number, run=run)
            labels = draft.regions.labels if draft.regions is not None else None
            assert labels is not None
            assert {(thing.x, thing.y, "NESW".index(str(thing.data["facing"]))) for thing in draft.things} <= wanted
            rooms = {int(labels[y, x]) for x, y, _ in wanted}
            assert {int(labels[thing.y, thing.x]) for thing in draft.things} == rooms
            missing = len(draft.regions or ()) - len(rooms)
            assert run.notes == (
                [f"{missing} thing{'s were' if missing > 1 else ' was'} left out for want of a place"]
                if missing
                else []
            )


def test_each_place_is_as_likely_as_the_others() -> None:
    text = set_of('place = "corner"', "most = 1", always=True)
    counts = Counter(
        (thing.x, thing.y)
        for seed in range(800)
        for thing in after(Text(text), after(Survey(), ROOMS["room"]), seed=seed).things
    )
    assert set(counts) == {(1, 1), (6, 1), (1, 3), (6, 3)}
    assert min(counts.values()) > 150


# --- near, always, most, total ----------------------------------------------------------------------------------------

HALL = "\n".join(["#" * 12, *["#" + "." * 10 + "#"] * 7, "#" * 12])


def test_what_stands_near_another_makes_it_first_and_faces_it() -> None:
    text = (
        '[thing.desk]\nplace = "wall"\nsize = [2, 1]\n[thing.chair]\nnear = "desk"\nblocks = false\nmost = 2\n[any]\n'
        "things = { chair = 1 }"
    )
    for seed in range(40):
        draft = after(Text(text), after(Survey(), HALL), seed=seed)
        kinds = Counter(thing.kind for thing in draft.things)
        assert kinds["chair"] in (1, 2)
        assert kinds["desk"] in (1, 2)
        desks = [set(footprint(thing)) for thing in draft.things if thing.kind == "desk"]
        for chair in draft.things:
            if chair.kind == "chair":
                x, y = SIDES["NESW".index(str(chair.data["facing"]))]
                assert any((chair.x + x, chair.y + y) in desk for desk in desks)


def test_near_and_by_the_wall() -> None:
    text = (
        '[thing.bed]\nplace = "wall"\nsize = [1, 2]\nmost = 1\n[thing.stand]\nplace = "wall"\nnear = "bed"\nmost = 1\n'
        "[any]\nthings = { stand = 1 }"
    )
    both = 0
    for seed in range(40):
        draft = after(Text(text), after(Survey(), HALL), seed=seed)
        check(draft, parse_things(text, "set.toml"))
        both += len(draft.things) == 2
    assert both > 30


def test_a_chain_of_things() -> None:
    text = (
        "".join(f'[thing.t{k}]\nmost = 1\nplace = "open"\n' + (f'near = "t{k - 1}"\n' if k else "") for k in range(6))
        + "[any]\nthings = { t5 = 1 }"
    )
    draft = after(Text(text), after(Survey(), HALL))
    assert {thing.kind for thing in draft.things} <= {f"t{k}" for k in range(6)}
    assert len(draft.things) >= 4


def test_what_always_stands_there_is_put_first_and_once() -> None:
    text = "[thing.altar]\nmost = 3\n[thing.pew]\n[any]\nalways = ['altar']\nthings = { pew = 1 }"
    for seed in range(20):
        draft = after(Text(text, most=(1,), sizes=(90,)), after(Survey(), HALL), seed=seed)
        assert [thing.kind for thing in draft.things] == ["altar"]
        draft = after(Text(text, most=(0, 0)), after(Survey(), HALL), seed=seed)
        assert [thing.kind for thing in draft.things] == ["altar"]


def test_most_in_a_room_and_in_all() -> None:
    text = set_of("most = 3", "total = 5")
    draft = after(Text(text), after(Survey(), "\n".join([HALL, HALL, HALL])))
    counts = Counter(thing.data["room"] for thing in draft.things)
    assert len(draft.things) == 5
    assert max(counts.values()) == 3
    run = Run()
    draft = after(Text(set_of("most = 3")), after(Survey(), HALL), run=run)
    assert len(draft.things) in (2, 3)
    assert run.notes == []


def test_a_very_large_room_counts_as_several() -> None:
    cave = "\n".join(["." * 80] * 50)
    draft = after(Text(set_of("most = 1", "blocks = false")), after(Survey(), cave))
    assert len(draft.things) == 80 * 50 // USUAL
    step = Text(set_of("most = 1", "blocks = false"), sizes=(1, 2, 3, 4000), most=(7, 10, 14, 17))
    assert len(after(step, after(Survey(), cave)).things) == 1


def test_the_number_of_things_goes_by_the_size_of_the_room() -> None:
    text = set_of("most = 1000", "blocks = false")
    for side, most in ((5, 7), (7, 10)):
        counts = {
            len(after(Text(text), after(Survey(), "\n".join(["." * side] * side)), seed=seed).things)
            for seed in range(150)
        }
        assert (min(counts), max(counts)) == (2, most)
    step = Text(text, most=(3, 3, 3), sizes=(1, 50, 100))
    assert {len(after(step, after(Survey(), HALL), seed=seed).things) for seed in range(60)} == {2, 3}
    for side in (10, 11, 18):
        many = [
            len(after(Text(text, share=1.0), after(Survey(), "\n".join(["." * side] * side)), seed=seed).things)
            for seed in range(150)
        ]
        parts = side * side // USUAL
        assert 2 * side * side / USUAL - parts <= min(many) < max(many) <= 10 * side * side / USUAL + parts
        assert abs(sum(many) / len(many) - 6 * side * side / USUAL) < 1


def test_density_is_the_share_of_cells_that_are_covered() -> None:
    text = set_of("most = 1000", "size = [2, 1]", "blocks = false")
    for density in (0.0, 0.1, 0.25, 0.5):
        covered = [
            sum(
                len(footprint(thing))
                for thing in after(Text(text, density=density, most=(99, 99)), after(Survey(), HALL), seed=seed).things
            )
            for seed in range(30)
        ]
        assert max(covered) <= 70 * density
        assert (max(covered) > 70 * density * 0.7) == (density > 0)


def test_rare_things_are_rare() -> None:
    text = "".join(
        f'[thing.{name}]\nrarity = "{name}"\nblocks = false\nmost = 100000\n' for name in ("common", "uncommon", "rare")
    )
    text += "[any]\nthings = { common = 1, uncommon = 7, rare = 1000 }"
    counts: Counter[str] = Counter()
    for seed in range(4):
        counts += Counter(
            thing.kind
            for thing in after(
                Text(text, most=(1000,), sizes=(400,)), after(Survey(), "\n".join(["." * 60] * 60)), seed=seed
            ).things
        )
    all_of = sum(counts.values())
    assert all_of > 3000
    for name, share in (("common", 0.6), ("uncommon", 0.3), ("rare", 0.1)):
        assert abs(counts[name] / all_of - share) < 0.03


def test_weights_within_a_rarity() -> None:
    text = (
        "[thing.a]\nblocks = false\nmost = 9999\n[thing.b]\nblocks = false\nmost = 9999\n[any]\n"
        "things = { a = 3, b = 1 }"
    )
    counts = Counter(
        thing.kind
        for thing in after(Text(text, most=(900,), sizes=(400,)), after(Survey(), "\n".join(["." * 60] * 60))).things
    )
    assert 2.3 < counts["a"] / counts["b"] < 4.0


def test_sets_of_any_shape_give_the_same_compiled_and_interpreted() -> None:
    texts = [
        set_of("blocks = false"),
        set_of('place = "slot"'),
        "".join(f'[thing.t{k}]\nplace = "open"\n' + (f'near = "t{k - 1}"\n' if k else "") for k in range(4))
        + "[kind.hall]\nalways = ['t3']\n",
        "[thing.rat]\ngroup = 'monster'\ndanger = 0\n[kind.hall]\nleast = 1\nthings = { rat = 1 }\n",
    ]
    maps = [
        after(Survey(), ROOMS["bend"]),
        bare(Thing("it", 3, 3), Thing("monster", 5, 2), picture=HALL),
        after(Survey(), "###"),
    ]
    for text in texts:
        step, levels = Text(text), [draft.level() for draft in maps]
        quick = [facts(after(step, Draft.of(level), seed=seed)) for level in levels for seed in range(8)]
        with interpreted():
            assert quick == [facts(after(step, Draft.of(level), seed=seed)) for level in levels for seed in range(8)]
        maps = [Draft.of(level) for level in levels]


# --- monsters and distance --------------------------------------------------------------------------------------------

LONG = "#" * 82 + "\n#" + "." * 80 + "#\n#" + "." * 80 + "#\n" + "#" * 82


def test_a_distance_from_the_start_is_kept() -> None:
    for seed in range(20):
        draft = after(Survey(), LONG)
        draft.start = (1, 1)
        after(Text(set_of("from_start = 50", "most = 99", "blocks = false"), most=(0, 30)), draft, seed=seed)
        assert draft.things
        assert min(abs(thing.x - 1) + abs(thing.y - 1) for thing in draft.things) >= 50
    draft = after(Text(set_of("from_start = 500", "most = 99")), after(Survey(), LONG))
    assert draft.things, "without a start nothing is too near to it"
    draft = after(Survey(), LONG)
    draft.start = (1, 1)
    run = Run()
    assert after(Text(set_of("from_start = 500")), draft, run=run).things == []
    assert run.notes == ["2 things were left out for want of a place"], "a room of 160 cells has two parts"


def test_danger_grows_with_the_distance() -> None:
    text = set_of('group = "monster"', "danger = 2", "most = 99")
    cells = "\n".join(["#" * 81, "#" + "...+" * 20, "#" + "...#" * 20, "#" * 81])
    sums = np.zeros(21)
    for seed in range(150):
        draft = after(Survey(), cells)
        draft.start = (1, 1)
        after(Text(text, danger=(0, 20)), draft, seed=seed)
        assert all(thing.data["danger"] == 2 for thing in draft.things)
        for room, count in Counter(thing.data["room"] for thing in draft.things).items():
            assert isinstance(room, int)
            assert 2 * count <= 20 * room // 20 + 1
            sums[room] += count
    assert sums[1] == 0
    assert sums[2:8].sum() < sums[8:14].sum()
    draft = after(Text(text, danger=(0, 0)), after(Survey(), cells))
    assert draft.things == []


def test_monsters_do_not_count_as_props() -> None:
    text = (
        '[thing.rat]\ngroup = "monster"\nmost = 99\n[thing.rug]\nblocks = false\nmost = 99\n[any]\n'
        "things = { rat = 1, rug = 1 }"
    )
    for seed in range(20):
        groups = Counter(
            thing.kind
            for thing in after(
                Text(text, most=(5,), sizes=(90,), danger=(9, 9), density=0.9), after(Survey(), HALL), seed=seed
            ).things
        )
        assert 2 <= groups["rug"] <= 5
        assert groups["rat"] <= 9


# --- slots ------------------------------------------------------------------------------------------------------------


def bare(*things: Thing, picture: str = HALL) -> Draft:
    draft = after(Survey(), picture)
    draft.things = list(things)
    return draft


def test_bare_things_learn_what_they_are() -> None:
    draft = after(SLOTS_ONLY, bare(Thing("chest", 1, 4), Thing("oddity", 3, 3), Thing("chest", 5, 5, {"gold": 3})))
    chest, oddity, told = draft.things
    assert (chest.x, chest.y, chest.data["group"], chest.data["facing"], chest.data["blocks"]) == (
        1,
        4,
        "loot",
        "E",
        True,
    )
    assert chest.data["holds"]
    assert (oddity, told) == (Thing("oddity", 3, 3), Thing("chest", 5, 5, {"gold": 3}))


def test_a_slot_for_a_group_gets_something_of_the_rooms_kind() -> None:
    seen = set()
    for seed in range(60):
        draft = bare(Thing("monster", 4, 4), Thing("note", 5, 5))
        assert draft.regions is not None
        draft.regions.tags = {1: ("crypt",)}
        after(Furnish(danger=(0, 0), most=(0, 0), kinds=("crypt",)), draft, seed=seed)
        first = draft.things[0]
        assert (first.x, first.y, first.data["group"]) == (4, 4, "monster")
        assert first.kind in DUNGEON.kinds["crypt"].things
        assert draft.things[1].kind == "inscription"
        seen.add(first.kind)
    assert len(seen) >= 4


def test_a_slot_whose_group_is_not_in_the_room_stays_bare() -> None:
    text = set_of("blocks = false")
    draft = after(Text(text, most=(0, 0)), bare(Thing("monster", 4, 4)))
    assert draft.things == [Thing("monster", 4, 4)]


def test_a_bare_thing_blocks_only_where_that_blocks_nothing() -> None:
    corridor = "#######\n#.....#\n#######"
    draft = after(SLOTS_ONLY, bare(Thing("chest", 3, 1), Thing("chest", 5, 1), picture=corridor))
    assert [thing.data["blocks"] for thing in draft.things] == [False, True]
    draft = after(SLOTS_ONLY, bare(Thing("chest", 1, 1), picture="###\n#.#\n#+#"))
    assert [thing.data["blocks"] for thing in draft.things] == [False]
    check_ways(draft)


def test_a_slot_counts_for_what_always_stands_in_the_room() -> None:
    for seed in range(20):
        draft = bare(Thing("altar", 1, 4))
        assert draft.regions is not None
        draft.regions.tags = {1: ("shrine",)}
        after(Furnish(), draft, seed=seed)
        assert sum(thing.kind == "altar" for thing in draft.things) == 1
        altar = next(thing for thing in draft.things if thing.kind == "altar")
        assert any(
            thing.kind == "candles" and abs(thing.x - altar.x) + abs(thing.y - altar.y) == 1 for thing in draft.things
        )


def test_types_for_slots_stand_nowhere_else() -> None:
    text = set_of('place = "slot"', "blocks = false")
    assert after(Text(text), bare()).things == []
    draft = after(Text(text), bare(Thing("it", 4, 4), Thing("prop", 6, 6)))
    assert [(thing.kind, thing.x, thing.y) for thing in draft.things] == [("it", 4, 4), ("it", 6, 6)]


# --- kinds of rooms ---------------------------------------------------------------------------------------------------

ROW = "\n".join(["#" * 41, "#" + ".......+" * 5, "#" + ".......#" * 5, "#" + ".......#" * 5, "#" * 41])


def kinds_of(
    text: str, picture: str = ROW, seed: int = 0, tags: dict[int, tuple[str, ...]] | None = None, **more: Any
) -> tuple[list[str], list[str]]:
    """The kinds of rooms that a set gives, and what was noted."""
    draft = after(Ends(), after(Survey(), picture))
    assert draft.regions is not None
    draft.regions = Regions(draft.regions.labels, draft.regions.table, tags or {})
    run = Run()
    after(Text("[thing.rug]\nblocks = false\n" + text, **more), draft, seed=seed, run=run)
    assert draft.regions is not None
    return [" ".join(region.tags) for region in draft.regions], run.notes


def kind(name: str, *lines: str) -> str:
    return f"[kind.{name}]\nthings = {{ rug = 1 }}\n" + "".join(f"{line}\n" for line in lines)


def test_tags_say_the_kind() -> None:
    text = kind("hall") + kind("crypt", 'tags = ["tomb"]', "most = 0", "min_area = 999")
    tags: dict[int, tuple[str, ...]] = {1: ("tomb",), 2: ("old", "crypt"), 3: ("wet",)}
    found, _ = kinds_of(text, tags=tags)
    assert found == ["tomb crypt", "old crypt", "wet hall", "hall", "hall"]
    found, _ = kinds_of(text, tags=tags, kinds=("hall",), share=1.0)
    assert found == ["tomb hall", "old crypt hall", "wet hall", "hall", "hall"]
    assert tags == {1: ("tomb",), 2: ("old", "crypt"), 3: ("wet",)}


def test_no_more_and_no_fewer_rooms_of_a_kind_than_the_set_says() -> None:
    text = (
        kind("one", "most = 1")
        + kind("two", "least = 2", "most = 2", 'rarity = "rare"')
        + "[any]\nthings = { rug = 1 }"
    )
    for seed in range(20):
        assert Counter(kinds_of(text, seed=seed)[0]) == {"one": 1, "two": 2, "": 2}
    found, notes = kinds_of(kind("big", "least = 3", "min_area = 50"), share=1e-9)
    assert set(found) == {""}
    assert notes == ["no room for 3 of 3 big: no other is as the set asks"]


def test_the_share_of_rooms() -> None:
    counts = [
        sum(map(bool, kinds_of(kind("hall"), seed=seed, share=share)[0]))
        for share in (0.0, 0.5, 1.0)
        for seed in range(60)
    ]
    assert set(counts[:60]) == {0}
    assert 100 < sum(counts[60:120]) < 200
    assert set(counts[120:]) == {5}


@pytest.mark.parametrize(
    ("where", "rooms"),
    [
        ("start", {1}),
        ("end", {5}),
        ("leaf", {1, 5}),
        ("way", {1, 2, 3, 4, 5}),
        ("off", set()),
        ("far", {5}),
        ("any", {1, 2, 3, 4, 5}),
    ],
)
def test_where_a_kind_may_be(where: str, rooms: set[int]) -> None:
    draft = after(Ends(), after(Survey(), ROW))
    assert draft.start is not None
    found, _ = kinds_of(kind("hall", f'where = "{where}"'))
    mirrored = draft.start[0] > 20
    labels = {6 - number if mirrored else number for number, tag in enumerate(found, 1) if tag}
    assert labels == rooms


def test_a_kind_has_its_size_and_its_sort_of_region() -> None:
    rooms = "##########\n#..#....##\n#..#....##\n##########"
    assert kinds_of(kind("hall", "min_area = 5"), rooms)[0] == ["", "hall"]
    assert kinds_of(kind("cell", "max_area = 5"), rooms)[0] == ["cell", ""]
    assert kinds_of(kind("den", 'regions = ["cave"]'), rooms)[0] == ["", ""]
    draft = after(Text("[thing.rug]\n" + kind("den", 'regions = ["cave"]')), after(Survey(kind="cave"), rooms))
    assert draft.regions is not None
    assert [region.tags for region in draft.regions] == [("den",), ("den",)]


def test_corridors_stay_empty() -> None:
    draft = after(CROWDED, after(Survey(), "#########\n#,,,,,,,#\n#,,,,,,,#\n#########"))
    assert draft.things == []
    assert draft.regions is not None
    assert draft.regions[0].kind == REGION_KINDS[1]
    assert draft.regions[0].tags == ()


def test_rare_kinds_are_rare() -> None:
    text = kind("a") + kind("b", 'rarity = "uncommon"') + kind("c", 'rarity = "rare"') + kind("d", 'rarity = "rare"')
    counts = Counter(tag for seed in range(300) for tag in kinds_of(text, seed=seed)[0])
    assert abs(counts["a"] / 1500 - 0.6) < 0.05
    assert abs(counts["b"] / 1500 - 0.3) < 0.05
    assert abs(counts["c"] - counts["d"]) < 60


# --- the shipped set --------------------------------------------------------------------------------------------------


def test_the_shipped_set_has_what_was_promised() -> None:
    wanted = {
        "library",
        "vault",
        "crypt",
        "barracks",
        "shrine",
        "kitchen",
        "store",
        "prison",
        "laboratory",
        "armoury",
        "throne room",
        "well room",
        "den",
    }
    assert wanted <= DUNGEON.kinds.keys()
    assert {kind.group for kind in DUNGEON.types.values()} == {"prop", "loot", "monster", "note"}
    assert {kind.place for kind in DUNGEON.types.values()} == {
        "wall",
        "corner",
        "inner corner",
        "centre",
        "open",
        "anywhere",
        "slot",
    }
    assert all(kind.about for kind in DUNGEON.types.values())
    listed = {name for kind in (*DUNGEON.kinds.values(), DUNGEON.any) for name in (*kind.things, *kind.always)}
    near = {kind.near for kind in DUNGEON.types.values() if kind.near}
    assert DUNGEON.types.keys() - listed - near <= {"book"}, "nothing is there that stands nowhere"
    held = {item.name for kind in DUNGEON.types.values() for item in DUNGEON.items_of(kind)}
    assert held == DUNGEON.items.keys()


def test_every_kind_and_almost_every_thing_comes_to_stand() -> None:
    kinds: set[str] = set()
    seen: set[str] = set()
    for seed in range(12):
        for name in ("bsp", "tinykeep", "cave"):
            draft = after(
                Furnish(share=1.0, danger=(4, 12)), Draft.of(uc.generate(name, seed=seed, size=(100, 60))), seed=seed
            )
            seen |= {thing.kind for thing in draft.things}
            assert draft.regions is not None
            kinds |= {tag for region in draft.regions for tag in region.tags}
    for name in ("den", "grotto", "spider nest", "camp", "cache"):
        draft = bare()
        assert draft.regions is not None
        draft.regions.tags = {1: (name,)}
        for seed in range(6):
            seen |= {thing.kind for thing in after(Furnish(danger=(9, 9)), bare_of(draft), seed=seed).things}
        kinds.add(name)
    assert DUNGEON.kinds.keys() <= kinds
    assert len(DUNGEON.types.keys() - seen) <= 4, DUNGEON.types.keys() - seen


def bare_of(draft: Draft) -> Draft:
    return Draft.of(Draft.of(draft.level()).level())


def test_no_two_things_of_a_furnished_level_share_a_cell_and_files_hold_all() -> None:
    draft = after(Furnish(), Draft.of(uc.generate("bsp", seed=1)))
    level = draft.level()
    assert len(level.things) > 40
    for first, second in combinations([set(footprint(thing)) for thing in level.things], 2):
        assert not first & second
    assert native.load(native.dump(level), "x") == level
    assert npz.load(npz.dump(level), "x") == level


# --- in a recipe ------------------------------------------------------------------------------------------------------

STEPS = '[[step]]\nuse = "noise"\n[[step]]\nuse = "survey"\n[[step]]\nuse = "furnish"\n'


def test_a_recipe_says_which_file_it_read() -> None:
    recipe = Recipe.parse(STEPS, "mine.toml")
    assert "files" not in recipe.generate(seed=1, size=(20, 20)).level.provenance


FOR_EACH_SIZE = "give the most things for each size, from the smallest rooms to the largest"


@pytest.mark.parametrize(
    ("line", "problem", "fix"),
    [
        ('set = "dungon"', "unknown set of things 'dungon'", "did you mean 'dungeon'?"),
        ('kinds = ["libary"]', "unknown kind of room 'libary'", "did you mean 'library'?"),
        ("sizes = [9, 5]", "sizes are areas in order, not [9, 5]", "write the smallest one first"),
        ("sizes = [5, 9, 12]", "most has 2 numbers, and sizes has 3", FOR_EACH_SIZE),
        ("sizes = []\nmost = []", "most has 0 numbers, and sizes has 0", FOR_EACH_SIZE),
        ('file = "none.toml"', "cannot read", "check the name"),
    ],
)
def test_mistakes_in_the_step(line: str, problem: str, fix: str, tmp_path: Any) -> None:
    with pytest.raises(uc.UndercroftError) as caught:
        Recipe.parse(STEPS + line + "\n", "mine.toml", tmp_path)
    assert problem in caught.value.problem
    assert caught.value.fix == fix
    assert caught.value.place is not None


def test_a_file_beside_the_recipe(tmp_path: Any) -> None:
    (tmp_path / "mine.toml").write_text(set_of("blocks = false"), encoding="utf-8")
    level = Recipe.parse(STEPS + 'file = "mine.toml"\n', "r.toml", tmp_path).generate(seed=1, size=(30, 30)).level
    assert {thing.kind for thing in level.things} == {"it"}
    assert level.provenance["files"]["furnish"]
    (tmp_path / "mine.toml").write_text("[thing.it]\nplace = 'walls'\n", encoding="utf-8")
    with pytest.raises(BadInput, match="unknown place 'walls'") as caught:
        Recipe.parse(STEPS + 'file = "mine.toml"\n', "r.toml", tmp_path)
    assert caught.value.place is not None
    assert (caught.value.place.line, caught.value.place.column) == (2, 9)


def test_no_regions_no_things() -> None:
    draft = draft_of("...\n...")
    assert draft.regions is None
    before = facts(draft)
    now = facts(after(Furnish(), draft))
    assert now["things"] == before["things"] == []
