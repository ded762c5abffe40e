"""Levels of recipes with random parameters and sizes, and what every level promises, checked in plain Python: with a
queue, and without the code that made it.
"""

from __future__ import annotations

import json
import re
import shlex
from collections import deque
from collections.abc import Collection, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import undercroft as uc
from support.paths import ROOT
from undercroft.core.level import Level, Point
from undercroft.core.palette import DOOR_ROLES
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.recipe.params import Param

RECIPES: dict[str, Path | str] = {
    **{name: name for name in names()},
    **{
        f"examples/{path.name}": path for path in sorted((ROOT / "examples").glob("*.toml")) if path.name != "ruff.toml"
    },
}
"""The shipped recipes and those of the examples: what the command line calls them, and what loads them."""

MAX_STEPS = 3_000_000
"""Steps of work for an attempt: a tenth of a second."""
TRIES = 3
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
SIDES = dict(zip("NESW", STEPS, strict=True))

LAYOUTS = sorted(path.stem for path in (SHIPPED_FOLDER / "layouts").glob("*.layout"))
ROOTS = re.findall(
    r"^room  ([^,\n]+)", (SHIPPED_FOLDER / "prefabs" / "dungeoning.txt").read_text(encoding="utf-8"), re.MULTILINE
)
TEMPLATES = (
    *("", "#####\n#...#\n#...#\n#...#\n#####", "#######\n#.....#\n#..o..#\n#.....#\n#######"),
    *("###\n#.#\n###", "#########\n##.....##\n#...~...#\n##.....##\n#########", "####\n#..#\n####"),
)
CLAUSES = ("count", "connected", "distinct", "apart", "dead end")


class RandomRequest(NamedTuple):
    """A request with random values."""

    name: str
    size: tuple[int, int]
    seed: int
    params: dict[str, Any]

    def command(self) -> str:
        """The line that makes the level in a shell."""
        words = ["undercroft", "generate", self.name, "--seed", str(self.seed)]
        words += ["--size", f"{self.size[0]}x{self.size[1]}", "--tries", str(TRIES), "--max-steps", str(MAX_STEPS)]
        for name, value in self.params.items():
            words += ["--set", f"{name}={json.dumps(value)}"]
        return shlex.join(words)


def draw_request(name: str, case: int) -> RandomRequest:
    """The request of a case: all parameters, the size and the seed are random."""
    chance = Random(f"{name} {case}")
    recipe = Recipe.load(RECIPES[name])
    params = {param.name: draw_value(name, param, chance) for param in recipe.params.values()}
    if chance.random() < 0.5:  # with all values at random, few recipes of many parameters give a level
        kept = chance.sample(sorted(params), min(3, len(params)))
        params = {key: params[key] for key in kept}
    width, height = draw_size(chance, recipe.size)
    return RandomRequest(name, (width, height), chance.randrange(1 << 64), params)


def draw_size(chance: Random, usual: tuple[int, int]) -> tuple[int, int]:
    """A size: near the usual one, tiny, flat, narrow, or any up to 90x60."""
    way = chance.random()
    if way > 0.7:
        return max(1, usual[0] + chance.randint(-8, 10)), max(1, usual[1] + chance.randint(-8, 10))
    if way < 0.15:
        return chance.randint(1, 8), chance.randint(1, 8)
    if way < 0.3:
        return chance.randint(9, 90), chance.randint(1, 12)
    if way < 0.45:
        return chance.randint(1, 12), chance.randint(9, 60)
    return chance.randint(9, 90), chance.randint(9, 60)


def draw_value(recipe: str, param: Param, chance: Random) -> Any:
    """A value that a parameter allows; its ends and what is near its default are likelier than others."""
    if param.choices:
        return chance.choice(param.choices)
    if isinstance(param.default, bool):
        return chance.random() < 0.5
    if isinstance(param.default, str | tuple):
        drawn = draw_text_or_list(param.name, chance)
        assert drawn is not None, (
            f"nothing says which values the parameter {param.name!r} of {recipe} takes: "
            "add it to draw_text_or_list in tests/support/random_parameters.py"
        )
        return drawn
    assert param.low is not None, f"the parameter {param.name!r} of {recipe} has no range: give it one"
    assert param.high is not None
    low, high, default = param.low, param.high, param.default
    way = chance.random()
    if way < 0.2:
        value = low
    elif way < 0.3:
        value = high
    elif way < 0.7:
        value = default * chance.uniform(0.4, 2.5) + chance.choice((0, 0, 1, 2))
    elif way < 0.9:
        value = low + (high - low + 1) ** chance.random() - 1
    else:
        value = chance.uniform(low, high)
    value = min(max(value, low), high)
    return round(value) if isinstance(default, int) else round(value, 4)


def draw_text_or_list(name: str, chance: Random) -> Any:
    """A value of a parameter that is a text without choices, or a list; None if it is not known here."""
    match name:
        case "layouts":
            return chance.choice(([], ["any"], chance.sample(LAYOUTS, chance.randint(1, 3))))
        case "stages":
            rounds = range(chance.randrange(4))
            return [[chance.randint(0, 10), chance.randint(-1, 25), chance.randint(0, 6)] for _ in rounds]
        case "grid":
            return [chance.randint(1, 14), chance.randint(1, 12)]
        case "cell_size":
            return chance.choice(([0, 0], [chance.randint(0, 20), chance.randint(0, 20)]))
        case "tile_size":
            return sorted(chance.choice(((9, 9), (chance.randint(3, 40), chance.randint(3, 40)))))
        case "total":
            return sorted(round(chance.random(), 3) for _ in "12")
        case "crowded":
            return [chance.choice((0.0, 1.0, round(chance.random(), 3))) for _ in "123"]
        case "valid":
            return [clause for clause in CLAUSES if chance.random() < 0.7]
        case "template":
            return chance.choice(TEMPLATES)
        case "root":
            return chance.choice(("", *ROOTS))
        case _:
            return None


def make_level(request: RandomRequest) -> Level:
    """The level of a request. Raises what `Recipe.generate` raises."""
    recipe = Recipe.load(RECIPES[request.name])
    begin = uc.generate("bsp", seed=request.seed, size=(40, 25)) if recipe.begins else None
    return recipe.generate(
        seed=request.seed,
        size=None if recipe.begins else request.size,
        params=request.params,
        tries=TRIES,
        max_steps=MAX_STEPS,
        begin=begin,
    ).level


# --- what levels promise ---


def list_broken_promises(level: Level, request: RandomRequest) -> list[str]:
    """Every promise that the level breaks, in words."""
    return [f"{name}: {fault}" for name, check in PROMISES.items() for fault in check(Ground(level), request)]


class Ground:
    """The walkable cells of a level, as a set."""

    def __init__(self, level: Level) -> None:
        self.level = level
        walkable = level.palette.walkable.tolist()
        self.rows: list[list[int]] = level.tiles.tolist()
        self.cells = {(x, y) for y, row in enumerate(self.rows) for x, code in enumerate(row) if walkable[code]}

    def role(self, cell: Point) -> str:
        """The role of the tile there."""
        return self.level.palette.roles[self.rows[cell[1]][cell[0]]]

    def flood(self, start: Point, cells: Collection[Point] | None = None) -> dict[Point, int]:
        """The cells that can be reached by steps up, down, left and right, with the number of steps to each."""
        ground = self.cells if cells is None else cells
        reached, waiting = {start: 0}, deque([start])
        while waiting:
            x, y = waiting.popleft()
            for dx, dy in STEPS:
                cell = (x + dx, y + dy)
                if cell in ground and cell not in reached:
                    reached[cell] = reached[(x, y)] + 1
                    waiting.append(cell)
        return reached

    def blocked_cells(self) -> set[Point]:
        """The cells on which things stand that block."""
        return {
            (thing.x + x, thing.y + y)
            for thing in self.level.things
            if thing.data.get("blocks")
            for x in range(int(thing.data.get("width", 1)))
            for y in range(int(thing.data.get("height", 1)))
        }


def check_size(ground: Ground, request: RandomRequest) -> Iterator[str]:
    begins, expands = Recipe.load(RECIPES[request.name]).begins, request.params.get("expand", True)
    if ground.level.size != request.size and expands and not begins:
        yield f"the level is {ground.level.size}, {request.size} was asked for"


def check_connected(ground: Ground, request: RandomRequest) -> Iterator[str]:
    if not ground.cells:
        yield "no cell can be walked on"
        return
    reached = ground.flood(min(ground.cells))
    if len(reached) < len(ground.cells):
        yield f"of {len(ground.cells)} cells, {len(reached)} can be reached from {min(ground.cells)}"


def check_border(ground: Ground, request: RandomRequest) -> Iterator[str]:
    width, height = ground.level.size
    if request.params.get("expand", True):
        edge = sorted(cell for cell in ground.cells if cell[0] in (0, width - 1) or cell[1] in (0, height - 1))
        if edge:
            yield f"{len(edge)} cells of the border are open: {edge[:5]}"


def check_path(ground: Ground, request: RandomRequest) -> Iterator[str]:
    """Start and end stand on ground, and the path leads from one to the other, step by step."""
    level = ground.level
    if level.start is None or level.end is None:
        yield f"start {level.start}, end {level.end}"
        return
    if not {level.start, level.end} <= ground.cells:
        yield f"start {level.start} or end {level.end} is not walkable"
        return
    if level.end not in ground.flood(level.start):
        yield f"no way leads from {level.start} to {level.end}"
    path = [(x, y) for x, y in level.path.tolist()]
    if path:
        if (path[0], path[-1]) != (level.start, level.end):
            yield f"the path leads from {path[0]} to {path[-1]}"
        if not ground.cells.issuperset(path):
            yield f"the path crosses {[cell for cell in path if cell not in ground.cells][:3]}"
        if any(abs(a - c) + abs(b - d) != 1 for (a, b), (c, d) in pairwise(path)):
            yield "the path has gaps"


def check_ends(ground: Ground, request: RandomRequest) -> Iterator[str]:
    """Start and end are different cells, unless there is only one. Steps that choose among rooms may find one room."""
    chosen = any(plan.use == "ends" for plan in Recipe.load(RECIPES[request.name]).plans)
    if chosen and ground.level.start == ground.level.end and len(ground.cells) > 1:
        yield f"start and end are both at {ground.level.start}, and there are {len(ground.cells)} cells"


def check_regions(ground: Ground, request: RandomRequest) -> Iterator[str]:
    """The table of regions says what the label grid shows; links name regions and doors that are there."""
    level = ground.level
    areas: dict[int, int] = {}
    for row in level.regions.labels.tolist():
        for label in row:
            areas[label] = areas.get(label, 0) + 1
    areas.pop(0, None)
    found = {number: region.area for number, region in enumerate(level.regions, 1)}
    if {label: area for label, area in found.items() if area} != areas:
        yield f"the regions have the areas {found}, the grid shows {areas}"
    for link in level.links:
        if not (1 <= link.a <= len(found) and 1 <= link.b <= len(found) and link.door < len(level.doors)):
            yield f"{link} names what is not there"


def check_doors(ground: Ground, request: RandomRequest) -> Iterator[str]:
    """A door stands on a tile for doors, between two walkable cells that face each other, and names regions."""
    roles = ground.level.palette.roles
    for door in ground.level.doors:
        x, y = door.x, door.y
        if roles[ground.rows[y][x]] not in DOOR_ROLES:
            yield f"{door} stands on a tile of the role {roles[ground.rows[y][x]]}"
        if (x, y) not in ground.cells:
            yield f"{door} is not walkable"
            continue
        sides = [{(x - 1, y), (x + 1, y)}, {(x, y - 1), (x, y + 1)}]
        if not any(side <= ground.cells for side in sides):
            yield f"{door} does not stand between two walkable cells"
        if max(door.a, door.b) > len(ground.level.regions):
            yield f"{door} names a region that is not there"


def check_things(ground: Ground, request: RandomRequest) -> Iterator[str]:
    """Things that block cut nothing off, and all others stand on walkable cells."""
    blocked = ground.blocked_cells()
    free = ground.cells - blocked
    if ground.level.start is not None and ground.level.start in blocked:
        yield "a thing that blocks stands on the start"
        return
    if blocked and free:
        reached = ground.flood(min(free), free)
        if len(reached) < len(free) and len(ground.flood(min(ground.cells))) == len(ground.cells):
            yield f"things that block cut off {len(free) - len(reached)} of {len(free)} cells"
    for thing in ground.level.things:
        cell = (thing.x, thing.y)
        if not thing.data.get("blocks") and cell not in ground.cells:
            yield f"{thing.kind} at {cell} stands in a wall"


def check_locks(ground: Ground, request: RandomRequest) -> Iterator[str]:
    """A player who goes to a random key, switch or lock again and again comes to the end."""
    level = ground.level
    if not any(thing.kind in ("lock", "one-way") for thing in level.things) or level.start is None:
        return
    chance = Random(request.seed)
    for _ in range(5):
        story = play_at_random(ground, chance)
        if story:
            yield f"a player is lost: {story}"
            return


def play_at_random(ground: Ground, chance: Random) -> str:
    """Play once; what was done, if the end cannot be reached any more."""
    level = ground.level
    assert level.start is not None
    free = ground.cells - ground.blocked_cells()
    locks = {(thing.x, thing.y): str(thing.data.get("key", "")) for thing in level.things if thing.kind == "lock"}
    sides = {(thing.x, thing.y): SIDES[str(thing.data["to"])] for thing in level.things if thing.kind == "one-way"}
    openers = {
        (thing.x, thing.y): thing for thing in level.things if thing.kind in ("key", "switch") and "opens" in thing.data
    }
    place = level.start
    held: list[tuple[str, bool]] = []
    done: list[str] = []
    while True:
        reached = walk_from(place, free, locks, sides)
        if level.end in reached:
            return ""
        names_held = {name for name, _ in held}
        targets = [cell for cell in openers if cell in reached]
        targets += [cell for cell, name in locks.items() if name in names_held and touches(cell, reached, sides)]
        if not targets:
            return "; ".join(done) or "nothing can be done"
        place = chance.choice(sorted(targets))
        if place in openers:
            thing = openers.pop(place)
            held.append((str(thing.data["opens"]), bool(thing.data.get("consumed")) and thing.kind == "key"))
            done.append(f"take {thing.kind} {thing.data['opens']} at {place}")
        else:
            name = locks.pop(place)
            used = next(key for key in sorted(held, key=lambda key: key[1]) if key[0] == name)
            if used[1]:
                held.remove(used)
            done.append(f"open {name} at {place}")


def walk_from(start: Point, free: Collection[Point], locks: Collection[Point], sides: dict[Point, Point]) -> set[Point]:
    """The cells that can be reached without opening a lock; one-way doors are entered and left in their direction."""
    reached, waiting = {start}, deque([start])
    while waiting:
        cell = waiting.popleft()
        for step in STEPS:
            ahead = (cell[0] + step[0], cell[1] + step[1])
            allowed = sides.get(cell, step) == step and sides.get(ahead, step) == step
            if allowed and ahead in free and ahead not in locks and ahead not in reached:
                reached.add(ahead)
                waiting.append(ahead)
    return reached


def touches(lock: Point, reached: Collection[Point], sides: dict[Point, Point]) -> bool:
    """Whether a locked cell can be entered from a cell that is reached."""
    return any(
        (lock[0] - dx, lock[1] - dy) in reached
        and sides.get((lock[0] - dx, lock[1] - dy), (dx, dy)) == (dx, dy)
        and sides.get(lock, (dx, dy)) == (dx, dy)
        for dx, dy in STEPS
    )


def check_secrets(ground: Ground, request: RandomRequest) -> Iterator[str]:
    """The end is reached without secret doors."""
    level = ground.level
    open_cells = {cell for cell in ground.cells if ground.role(cell) != "secret"}
    if level.start in open_cells and level.end is not None and level.end not in ground.flood(level.start, open_cells):
        yield "the end is reached only through secret doors"


PROMISES = {
    "size": check_size,
    "connected": check_connected,
    "border": check_border,
    "path": check_path,
    "ends": check_ends,
    "regions": check_regions,
    "doors": check_doors,
    "things": check_things,
    "locks": check_locks,
    "secrets": check_secrets,
}
"""What a level of every recipe promises: the check gives a sentence for each fault."""
