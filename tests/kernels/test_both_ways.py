"""Every step: compiled as interpreted, and in bites of any size, byte for byte."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from support.maps import HEAVY, Bites, after, facts, interpreted, random_grid, soup, spans
from undercroft import kernels
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.formats.tabletop.wall_lines import trace_corners
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.kernels import carve
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
from undercroft.steps.rooms.attach import Attach
from undercroft.steps.rooms.chambers import Chambers
from undercroft.steps.rooms.rooms import Rooms
from undercroft.steps.rooms.scatter import Scatter, Separate
from undercroft.steps.rooms.split import Siblings, Split
from undercroft.steps.start.fill import Fill
from undercroft.steps.start.noise import Noise
from undercroft.steps.start.walk import Walk
from undercroft.steps.step import describe_step

MAPS = 3000 if HEAVY else 48
QUICK = 24


def open_soup(number: int) -> Draft:
    return soup(number, "##..,+")


def pockets(number: int) -> Draft:
    return soup(number, "####..")


def mazes(number: int) -> Draft:
    """Rooms and mazes on an odd map, doors between them."""
    draft = rock(number)
    for step in (Rooms(tries=number % 12), Maze(), Connect()):
        after(step, draft, seed=number)
    return draft


def rock(number: int) -> Draft:
    return Draft(5 + 2 * (number % 8), 5 + 2 * (number % 5))


def parts(number: int) -> Draft:
    """A map cut in cells."""
    return after(Split(depth=4), Draft(12 + number % 23, 9 + number % 19), seed=number)


def crowd(number: int) -> Draft:
    """Cells that overlap."""
    return after(Scatter(cells=1 + number % 25, mean_height=3.0), Draft(9 + number % 31, 9 + number % 17), seed=number)


def halls(number: int) -> Draft:
    """Rooms and cells, and links between rooms."""
    draft = parts(number) if number % 2 else after(Separate(), crowd(number), seed=number)
    for step in (
        Chambers(min_width=4, least=3, small="keep" if number % 3 else "drop"),
        Siblings(extra=0.3) if number % 4 > 1 else Triangulate(),
    ):
        after(step, draft, seed=number)
    return draft


def walled(number: int) -> Draft:
    """The same with walls that must stay closed, some with sockets in them, and cells that are frozen."""
    draft = halls(number)
    chance = np.random.default_rng(number)
    draft.layers["sockets"] = chance.choice(3, draft.tiles.shape, p=(0.7, 0.2, 0.1)).astype(np.uint8)
    draft.frozen = chance.random(draft.tiles.shape) < 0.1
    return draft


CASES: list[tuple[Step, Callable[[int], Draft]]] = [
    (Fill(role="floor"), open_soup),
    (Noise(wall=0.3), open_soup),
    (Automaton(rounds=2), pockets),
    (Automaton(rounds=2, shape="diamond", border="wall", ring=False), open_soup),
    (Automaton(stages=((5, 2, 1), (4, -1, 2)), shape="square"), open_soup),
    (Join(), pockets),
    (Join(connect="nearest"), pockets),
    (Join(connect="nearest", min_size=2), pockets),
    (Join(connect="discard"), pockets),
    (Rooms(tries=20, extra_size=1), rock),
    (Maze(winding=0.5), rock),
    (Maze(winding=0.0), rock),
    (Connect(extra=0.3, doors=0.7), pockets),
    (Connect(extra=0.3, doors=0.7), mazes),
    (Rewrite(rules="one  wear, up to 9 times, turned\n    #. -> .."), open_soup),
    (
        Rewrite(
            rules="markov\n    all  ., -> ,., turned, chance 0.5\n    one  #, -> o,\n    parallel  o. -> .o", turns=9
        ),
        mazes,
    ),
    (Split(depth=5, margin=0.2), rock),
    (Split(depth=3, min_width=2, max_ratio=2.0), lambda number: Draft(3 + number % 40, 3 + number % 11)),
    (Scatter(cells=9), rock),
    (Scatter(cells=9, position="normal", size="uniform", radius=0.5), rock),
    (Separate(), crowd),
    (Separate(step=1, reloc_attempts=3), crowd),
    (Chambers(fill=0.3, margin=1), parts),
    (Chambers(min_width=6, least=4, small="keep"), crowd),
    (Siblings(extra=0.5), halls),
    (Triangulate(), halls),
    (Triangulate(extra=1.0), lambda number: after(Survey(), pockets(number))),
    (Hallways(doors=0.6), halls),
    (Hallways(straight=False, cells="corridor"), halls),
    (Hallways(doors=1.0), lambda number: after(Triangulate(), after(Survey(), pockets(number)))),
    (Hallways(way="path", doors=0.6), halls),
    (Hallways(way="path", cells="corridor"), walled),
    (Hallways(way="path"), lambda number: after(Triangulate(), after(Survey(), pockets(number)))),
    (RoomGrid(secrets=1), rock),
    (RoomGrid(method="neighbours", rooms=12, grid=(6, 7)), rock),
    (RoomGrid(method="drunkard", border="clamp"), rock),
    (Expand(), pockets),
    (Expand(crop=False, cell_size=(3, 2)), open_soup),
    (Attach(loops=0.7), lambda number: Draft(12 + 3 * (number % 8), 9 + 4 * (number % 5))),
    (Attach(loops=1.0, shared_walls=True, position="anywhere", max_rooms=9), pockets),
    (Attach(total=(0.4, 0.8), weights="area", root="bend"), lambda number: Draft(20 + number % 9, 15)),
    (Prune(), open_soup),
    (Prune(dead_ends=0.5), mazes),
    (Hilbert(cell_size=3, room_cells=2, way_width=1), rock),
    (Hilbert(cell_size=2, order=4, end_share=1.0, rounds=0), rock),
    (Walk(floor=0.3), rock),
    (Walk(floor=0.5, straight=0.4, life=9, start="anywhere"), rock),
    (Labyrinth(), rock),
    (Labyrinth(winding=0.5), rock),
    (Labyrinth(newest=2, random=3, oldest=1, winding=0.7), rock),
    (Labyrinth(newest=0, random=1, loops=0.5), rock),
    (Labyrinth(method="kruskal", passage=2), rock),
    (Labyrinth(method="wilson"), rock),
    (Labyrinth(method="eller"), rock),
    (Labyrinth(method="division", loops=1.0), rock),
    (Loops(detour=5), open_soup),
    (Loops(detour=9, role="door", share=0.7), mazes),
    (Lakes(share=0.3, size=9), open_soup),
    (Pits(share=0.5), mazes),
    (Roughen(), pockets),
    (Roughen(wear=0.7, rubble=0.6, rounds=3), mazes),
    (Roles(doors=0.5), open_soup),
    (Secrets(share=0.8), mazes),
    (Secrets(share=0.5, keep="all"), open_soup),
    (
        Locks(locks=4, keys="consumed", colours=("red", "blue"), one_way=0.5, apart=2),
        lambda number: after(Ends(), mazes(number)),
    ),
    (Chokes(), open_soup),
    (
        Furnish(density=0.9, share=1.0),
        lambda number: after(Ends(), after(Survey(kind="cave" if number % 2 else "room"), open_soup(number))),
    ),
    (Furnish(most=(30, 30), danger=(20, 20)), lambda number: after(Survey(), mazes(number))),
    (
        Furnish(density=0.5),
        lambda number: after(
            Attach(file=str(SHIPPED_FOLDER / "prefabs" / "dungeoning.txt")), Draft(30 + number % 9, 25), seed=number
        ),
    ),
    (Names(rooms="all"), lambda number: after(Furnish(), after(Ends(), after(Survey(), mazes(number))), seed=number)),
    (Survey(), open_soup),
    (Survey(kind="cave"), mazes),
    (Ends(), open_soup),
    (Interest(), open_soup),
    (Areas(least_room=9, least_part=4), lambda number: after(Survey(kind="cave"), open_soup(number))),
    (Number(), lambda number: after(Ends(), after(Survey(), mazes(number)))),
    (Interest(room=3, run=2, branch=5, door=4), mazes),
]


def test_every_step_is_here() -> None:
    assert {describe_step(type(step)).name for step, _ in CASES} == STEPS.keys()


@pytest.mark.parametrize(("step", "maps"), CASES, ids=[f"{step}" for step, _ in CASES])
@pytest.mark.parametrize("numbers", spans(MAPS, quick=QUICK))
def test_compiled_as_interpreted(step: Step, maps: Callable[[int], Draft], numbers: range) -> None:
    quick = [facts(after(step, maps(number), seed=number)) for number in numbers]
    starts = [(number, maps(number)) for number in numbers]
    with interpreted():
        slow = [facts(after(step, start, seed=number)) for number, start in starts]
    assert quick == slow


@pytest.mark.parametrize(("step", "maps"), CASES, ids=[f"{step}" for step, _ in CASES])
@pytest.mark.parametrize("numbers", spans(MAPS, quick=QUICK))
def test_bites_of_any_size(step: Step, maps: Callable[[int], Draft], numbers: range) -> None:
    for number in numbers:
        at_once = facts(after(step, maps(number), seed=number))
        for fuel in (1, 2, 7, 1 << 40):
            assert facts(after(step, maps(number), seed=number, run=Bites(fuel))) == at_once, (number, fuel)


def test_the_interpreted_kernels_are_in_use_and_leave_no_trace() -> None:
    if not all(kernels.list_compiled().values()):
        pytest.skip("the kernels are not compiled here")
    from undercroft.analysis import reach
    from undercroft.steps.mazes import maze

    def used() -> list[ModuleType]:
        return [vars(maze)["carve"], vars(reach)["reach"]]

    before = used()
    with interpreted():
        assert not any(map(kernels.is_compiled, used()))
        assert isinstance(kernels.flat_buffer(Draft(2, 2).tiles), memoryview)
    assert used() == before
    assert all(map(kernels.is_compiled, used()))


def test_outlines_compiled_as_interpreted() -> None:
    grids = [
        random_grid(number, 1 + number % 11, 1 + number % 7, 0.2 + number % 7 / 10).astype(bool)
        for number in range(MAPS)
    ]
    quick = [[line.tolist() for line in trace_corners(cells).lines()] for cells in grids]
    with interpreted():
        assert [[line.tolist() for line in trace_corners(cells).lines()] for cells in grids] == quick


def test_a_kernel_refuses_what_is_not_contiguous() -> None:
    with pytest.raises(ValueError, match="contiguous"):
        kernels.flat_buffer(Draft(4, 4).tiles[:, ::2])
    with pytest.raises(ValueError, match="contiguous"):
        carve.fill_draws(Rng(1, 2).state, 0, kernels.buffer(np.zeros(8, np.uint32)[::2]))
