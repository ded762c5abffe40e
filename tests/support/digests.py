"""Digests of the results of seeds: of every step on fixed maps, and of every recipe over many seeds.

`tests/golden/recipes.json` and `tests/golden/steps.json` hold them, each with the editions of the steps that made it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from support.maps import after, draft_of
from support.paths import TESTS
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.region import LINK_DTYPE, Thing, view_links
from undercroft.core.run import Run
from undercroft.formats.native import native
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.steps import STEPS, Step
from undercroft.steps.caves.automaton import Automaton
from undercroft.steps.caves.hilbert import Hilbert
from undercroft.steps.caves.join import Join
from undercroft.steps.facts.areas import Areas
from undercroft.steps.facts.chokes import Chokes
from undercroft.steps.facts.ends import Ends
from undercroft.steps.facts.interest import Interest
from undercroft.steps.facts.number import Number
from undercroft.steps.facts.survey import Survey
from undercroft.steps.finish.lakes import Lakes, Pits
from undercroft.steps.finish.rewrite import Rewrite
from undercroft.steps.finish.roles import Roles
from undercroft.steps.finish.roughen import Roughen
from undercroft.steps.finish.secrets import Secrets
from undercroft.steps.furnish.furnish import Furnish
from undercroft.steps.furnish.names import Names
from undercroft.steps.grids.expand import Expand
from undercroft.steps.grids.room_grid import RoomGrid
from undercroft.steps.links.connect import Connect
from undercroft.steps.links.hallways import Hallways
from undercroft.steps.links.loops import Loops
from undercroft.steps.links.triangulate import Triangulate
from undercroft.steps.locks.locks import Locks
from undercroft.steps.mazes.labyrinth import Labyrinth
from undercroft.steps.mazes.maze import Maze, Prune
from undercroft.steps.rectangles import CELL, place_boxes
from undercroft.steps.rooms.attach import Attach
from undercroft.steps.rooms.chambers import Chambers
from undercroft.steps.rooms.rooms import Rooms
from undercroft.steps.rooms.scatter import Scatter, Separate
from undercroft.steps.rooms.split import Siblings, Split
from undercroft.steps.start.fill import Fill
from undercroft.steps.start.noise import Noise
from undercroft.steps.start.walk import Walk
from undercroft.steps.step import describe_step

FOLDER = TESTS / "golden"
SIZES = {
    "bsp": ((80, 40), (47, 61)),
    "cave": ((60, 30), (97, 41)),
    "cozy": ((100, 60), (61, 47)),
    "diablo2": ((80, 50), (41, 33)),
    "diablo3": ((80, 50), (57, 41)),
    "drunkard": ((65, 33), (40, 50)),
    "galak-z": ((80, 50), (41, 33)),
    "dungeoning": ((80, 50), (40, 31)),
    "grammar": ((72, 26), (40, 31)),
    "isaac": ((73, 33), (40, 50)),
    "maze": ((79, 41), (40, 30)),
    "neighbours": ((65, 33), (40, 50)),
    "rooms-and-mazes": ((81, 31), (31, 41)),
    "templates": ((40, 40), (80, 50)),
    "tinykeep": ((80, 50), (41, 47)),
    "walk": ((80, 50), (31, 41)),
}
SEEDS = 100
SHOWN = 5
"""So many seeds are listed one by one, to see how many of them changed."""

Record = dict[str, Any]

CAVE = """
    ##################
    ##....###..#######
    #......##...##.###
    #...##..##.###.###
    ##.####..######..#
    ####.##.########.#
    ###...#####..###.#
    ##.....###....####
    ##################
"""
KEEP = """
    #####################
    #...#,,,,,#.....#,,,#
    #...#,###,#.....#,#,#
    #...+,#,,,#.....+,#,#
    #####,###,#.....###,#
    #,,,,,#,,,#####+#####
    #,###,#,#######,,,,,#
    #,#,,,#,#.......###,#
    #,#,###,+.......#,#,#
    #,,,#,,,#.......#,,,#
    #####################
"""
BOTH = (CAVE, KEEP)


def rock() -> Draft:
    return Draft(31, 21)


def halls() -> Draft:
    """Rooms with mazes between them, not joined. It is a drawing, so that changes of those steps do not change it."""
    return draft_of("""
        #####################
        #...#,,,,,#.....#,,,#
        #...#,###,#.....#,#,#
        #...#,#,,,#.....#,#,#
        #####,###,#.....###,#
        #,,,,,#,,,###########
        #,###,#,###.....#,,,#
        #,#,,,#,###.....#,#,#
        #,#,###,###.....#,#,#
        #,,,#,,,#########,#,#
        #####################
    """)


def crowd() -> Draft:
    """Cells that overlap."""
    draft = Draft(40, 30)
    boxes = np.array([(4 + 3 * k % 28, 3 + 5 * k % 17, 3 + k % 5, 2 + k % 4) for k in range(18)], np.int32)
    draft.regions = place_boxes(draft, boxes, CELL, Run())
    return draft


def rooms() -> Draft:
    """Rooms, and two cells among them; the layer of a split."""
    draft = draft_of("""
        #########################
        #111#######22222####333##
        #111#######22222####333##
        #111################333##
        #########################
        #4444#####555############
        #4444#####555####66666###
        ##########555####66666###
        #########################
    """)
    draft.regions = place_boxes(
        draft, np.array([(6, 2, 4, 3), (13, 4, 3, 5)], np.int32), CELL, Run(), stays=np.ones(6, bool)
    )
    draft.layers["split"] = np.zeros((9, 25), np.uint8)
    draft.layers["split"][1:8, 16], draft.layers["split"][4, 1:16] = 1, 2
    return draft


def planned() -> Draft:
    """Rooms with links between them."""
    draft = rooms()
    draft.links = view_links(
        np.array(
            [
                (1, 2, 0, -1, False),
                (2, 3, 0, -1, False),
                (1, 4, 0, -1, False),
                (4, 5, 0, -1, False),
                (2, 6, 0, -1, False),
            ],
            LINK_DTYPE,
        )
    )
    return draft


def furnishable() -> Draft:
    """A keep with regions and a way, and slots in it: one that names a type, one that names a group."""
    draft = after(Ends(stairs=False), after(Survey(), draft_of(KEEP)))
    draft.things = [Thing("chest", 1, 1), Thing("monster", 13, 3)]
    return draft


def furnished() -> Draft:
    """Rooms of some kinds, and a note."""
    draft = furnishable()
    assert draft.regions is not None
    draft.regions.tags = {1: ("crypt",), 3: ("library", "secret")}
    draft.things = [Thing("letter", 9, 7, {"group": "note"}), Thing("chest", 1, 1)]
    return draft


def with_ends(picture: str) -> Callable[[], Draft]:
    """A map with start and end, without stairs."""
    return lambda: after(Ends(stairs=False), draft_of(picture))


def drafts(*pictures: str) -> tuple[Callable[[], Draft], ...]:
    return tuple(lambda picture=picture: draft_of(picture) for picture in pictures)


CASES: tuple[tuple[Step, tuple[Callable[[], Draft], ...]], ...] = (
    (Fill(), drafts(CAVE)),
    (Fill(role="floor"), drafts(CAVE)),
    (Noise(), (rock,)),
    (Noise(wall=0.6, ring=False), (rock,)),
    (Automaton(rounds=2), drafts(*BOTH)),
    (Automaton(rounds=1, r1_cutoff=4, r2_cutoff=-1, shape="square", border="wall", ring=False), drafts(*BOTH)),
    (Automaton(stages=((5, 2, 1), (3, -1, 1)), shape="diamond"), drafts(*BOTH)),
    (Join(), drafts(CAVE)),
    (Join(connect="nearest"), drafts(CAVE)),
    (Join(connect="nearest", min_size=4), drafts(CAVE)),
    (Join(connect="discard"), drafts(CAVE)),
    (Rooms(), (rock,)),
    (Rooms(tries=40, extra_size=2), (rock,)),
    (Maze(), (rock, halls)),
    (Maze(winding=0.2), (rock,)),
    (Connect(), (halls,)),
    (Connect(extra=0.5, doors=0.5), (halls,)),
    (Split(), (rock,)),
    (Split(depth=4, min_width=2, margin=0.1, max_ratio=2.0), (rock,)),
    (Scatter(), (rock,)),
    (Scatter(cells=12, position="normal", size="uniform"), (rock,)),
    (Separate(), (crowd,)),
    (Separate(step=1, reloc_attempts=2), (crowd,)),
    (Chambers(), (rooms, crowd)),
    (Chambers(fill=1.0, min_width=5, least=3, small="keep"), (rooms, crowd)),
    (Siblings(), (rooms,)),
    (Siblings(extra=1.0), (rooms,)),
    (Triangulate(), (rooms,)),
    (Hallways(), (planned,)),
    (Hallways(straight=False, doors=0.7, cells="corridor"), (planned,)),
    (Hallways(way="path", doors=0.7), (planned,)),
    (RoomGrid(secrets=1), (rock,)),
    (RoomGrid(method="neighbours", rooms=20), (rock,)),
    (RoomGrid(method="drunkard"), (rock,)),
    (RoomGrid(method="drunkard", grid=(6, 5), rooms=14, border="reject"), (rock,)),
    (RoomGrid(method="drunkard", grid=(5, 6), rooms=14, border="clamp"), (rock,)),
    (Expand(), drafts(CAVE)),
    (Expand(crop=False, template="######\n#...:#\n#....#\n#....#\n######"), drafts(KEEP)),
    (Attach(), (rock,)),
    (Attach(loops=1.0, shared_walls=True, weights="area", root="chamber", position="left"), (rock,)),
    (
        Attach(
            rooms="slot  rat = r\nroom  den, at least 2, turned\n    ##+##\n    #r..#\n    ##+##",
            total=(0.1, 0.6),
            things=0.5,
        ),
        (rock,),
    ),
    (Prune(), drafts(KEEP)),
    (Prune(dead_ends=0.5), drafts(KEEP)),
    (Rewrite(rules="one  wear, up to 9 times, turned\n    #. -> .."), drafts(*BOTH)),
    (Rewrite(rules="markov\n    all  ., -> ,., turned, chance 0.5\n    one  #, -> o,", turns=6), drafts(KEEP)),
    (Hilbert(), (rock,)),
    (Hilbert(cell_size=4, end_share=1.0, rounds=0, roughness=0.0, way_width=1), (rock,)),
    (Walk(), (rock,)),
    (Walk(floor=0.3, straight=0.5, life=20, start="anywhere"), (rock,)),
    (Labyrinth(), (rock,)),
    (Labyrinth(newest=1, random=1, oldest=1, winding=0.5, loops=0.5), (rock,)),
    (Labyrinth(method="kruskal"), (rock,)),
    (Labyrinth(method="wilson"), (rock,)),
    (Labyrinth(method="eller"), (rock,)),
    (Labyrinth(method="division"), (rock,)),
    (Labyrinth(passage=3), (rock,)),
    (Loops(detour=8), drafts(*BOTH)),
    (Loops(detour=5, role="door", share=0.5), drafts(KEEP)),
    (Lakes(share=0.3), drafts(*BOTH)),
    (Pits(share=0.2), drafts(*BOTH)),
    (Roughen(), drafts(*BOTH)),
    (Roles(doors=0.5), drafts(CAVE)),
    (Secrets(share=0.5), drafts(KEEP)),
    (Locks(apart=2), (with_ends(KEEP), with_ends(CAVE))),
    (
        Locks(locks=2, keys="consumed", colours=("red",), switches=0.5, one_way=1.0, depth=1),
        (with_ends(KEEP),),
    ),
    (Chokes(), drafts(*BOTH)),
    (Furnish(), (furnishable, rooms)),
    (Furnish(share=1.0, density=0.8, danger=(9, 9), kinds=("library", "crypt")), (furnishable, rooms)),
    (Names(), (furnished,)),
    (Names(rooms="all", theme=("maze",)), (furnished, rooms)),
    (Survey(), drafts(*BOTH)),
    (Survey(kind="cave"), drafts(CAVE)),
    (Ends(), drafts(*BOTH)),
    (Interest(), drafts(*BOTH)),
    (Interest(room=9, run=2, branch=3, door=5), drafts(KEEP)),
    (Ends(stairs=False), drafts(*BOTH)),
    (Areas(least_room=12, least_part=3), (lambda: after(Survey(kind="cave"), draft_of(CAVE)), furnishable)),
    (Number(), (furnishable, furnished)),
)
STREAMS = 10


def digest(level: Level) -> str:
    """The digest of everything in a level but its palette and origin, byte by byte, without any file format."""
    found = blake2b(digest_size=16)

    def add(name: str, value: object) -> None:
        if isinstance(value, np.ndarray):
            array: NDArray[Any] = value
            found.update(f"{name} {array.shape} {array.dtype.kind}{array.dtype.itemsize}\n".encode())
            found.update(array.astype(array.dtype.newbyteorder("<")).tobytes())
        else:
            found.update(f"{name} {value!r}\n".encode())

    add("tiles", level.tiles)
    add("labels", level.regions.labels)
    for name, rows in (
        ("regions", level.regions),
        ("doors", level.doors),
        ("links", level.links),
        ("things", level.things),
    ):
        add(name, [_without_empty_name(tuple(row)) if name == "regions" else tuple(row) for row in rows])
    add("start", level.start)
    add("end", level.end)
    add("path", level.path)
    for name in sorted(level.layers):
        add(name, level.layers[name])
    if level.title:
        add("title", level.title)
    return found.hexdigest()


def _without_empty_name(row: tuple[object, ...]) -> tuple[object, ...]:
    """A region without its name field if it has no name, as before regions had names."""
    return row if row[-1] else row[:-1]


def together(digests: Iterable[str]) -> str:
    return blake2b("\n".join(digests).encode(), digest_size=16).hexdigest()


def recipe_record(name: str, size: tuple[int, int], seeds: int = SEEDS) -> Record:
    """The record of a recipe at a size."""
    recipe = Recipe.load(name)
    levels = [recipe.generate(seed=seed, size=size).level for seed in range(seeds)]
    own = [digest(level) for level in levels]
    return {
        "editions": {plan.id: STEPS[plan.use].edition for plan in recipe.plans},
        "levels": together(own),
        "json": together(map(native.digest, levels)),
        "first": own[:SHOWN],
    }


def step_record(name: str) -> Record:
    """The record of a step on its maps, with several streams."""
    levels = [
        after(step, start(), seed=seed).level()
        for step, starts in CASES
        if describe_step(type(step)).name == name
        for start in starts
        for seed in range(STREAMS)
    ]
    own = [digest(level) for level in levels]
    return {
        "edition": STEPS[name].edition,
        "levels": together(own),
        "json": together(map(native.digest, levels)),
        "first": own[:: max(1, len(own) // SHOWN)][:SHOWN],
    }


def recipes() -> dict[str, Record]:
    return {
        f"{name} {width}x{height}": recipe_record(name, (width, height))
        for name in names()
        for width, height in SIZES[name]
    }


def steps() -> dict[str, Record]:
    return {name: step_record(name) for name in STEPS}


def load_records(file: str) -> dict[str, Record]:
    """The records in a file of `golden`; none if it is missing."""
    path = FOLDER / file
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def text(records: Mapping[str, Record]) -> str:
    return json.dumps(records, indent=1) + "\n"


def fault(what: str, before: Record | None, now: Record) -> str:
    """What differs in a record, and what to do; empty if it is unchanged."""
    if before is None:
        return f"there is no digest of {what}: run 'make golden'"
    if before == now:
        return ""
    editions = [key for key in ("edition", "editions") if before.get(key) != now.get(key)]
    if editions:
        return (
            f"{what} was made by another edition ({before.get(editions[0])}, now {now.get(editions[0])}): run 'make "
            "golden', and tell the users in CHANGELOG.md"
        )
    if before["levels"] == now["levels"]:
        return (
            f"the levels of {what} are as they were, but their canonical JSON is not: if that is meant, the format "
            "has a new version; then run 'make golden'"
        )
    changed = sum(a != b for a, b in zip(before["first"], now["first"], strict=False))
    return (
        f"{what} gives other levels than before ({changed} of the first {len(before['first'])} differ), "
        "and no step has a new edition. If that is not meant, find out what moved. "
        "If it is meant, raise `edition` in each step that changed, run 'make golden', "
        "and write it in CHANGELOG.md under 'A seed gives another map'"
    )


def sample() -> str:
    """A short list of digests, to compare two runs of Python with different settings."""
    records = {f"{name} 21x21": recipe_record(name, (21, 21), 12)["levels"] for name in names()}
    return json.dumps(records | {name: record["levels"] for name, record in steps().items()})
