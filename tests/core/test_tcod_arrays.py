"""`Level.to_tcod`: the arrays are put to work by tcod itself."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import tcod.console
import tcod.constants
import tcod.map
import tcod.path

import undercroft as uc
from support.maps import soup
from undercroft.analysis import reach
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.tcod_arrays import CONSOLE_CELL_DTYPE
from undercroft.errors import BadInput

LEVELS = [
    uc.generate("rooms-and-mazes", seed=3, size=(41, 21)),
    uc.generate("cave", seed=3, size=(40, 25)),
    Level.parse("<.+.>"),
    Level.parse("<\n.\n>"),
]


def test_the_cells_of_a_console_are_those_of_tcod() -> None:
    assert np.dtype(tcod.console.rgb_graphic) == CONSOLE_CELL_DTYPE


@pytest.mark.parametrize("level", LEVELS)
def test_tcod_finds_ways_as_long_as_ours_in_both_orders(level: Level) -> None:
    assert level.start is not None
    ours = reach.distances(level.walkable, [level.start])
    for order in ("C", "F"):
        cost = level.to_tcod(order=order).cost
        graph = tcod.path.SimpleGraph(cost=cost, cardinal=1, diagonal=0)
        finder = tcod.path.Pathfinder(graph)
        finder.add_root(level.start if order == "F" else level.start[::-1])
        finder.resolve()
        theirs = finder.distance.T if order == "F" else finder.distance
        reached = ours >= 0
        assert np.array_equal(theirs[reached], ours[reached])
        assert (theirs[~reached] > level.tiles.size).all()


@pytest.mark.parametrize("level", LEVELS)
def test_what_tcod_sees_is_stopped_by_what_is_opaque_and_the_same_in_both_orders(level: Level) -> None:
    assert level.start is not None
    rows, columns = (level.to_tcod(order=order).transparent for order in ("C", "F"))
    seen = tcod.map.compute_fov(rows, level.start[::-1], algorithm=tcod.constants.FOV_SYMMETRIC_SHADOWCAST)
    assert np.array_equal(
        tcod.map.compute_fov(columns, level.start, algorithm=tcod.constants.FOV_SYMMETRIC_SHADOWCAST).T, seen
    )
    assert seen[level.start[::-1]]
    assert 1 < seen.sum() <= seen.size
    # each cell that is seen and can be seen through has such a neighbour, back to the start
    inside = seen & ~level.opaque
    labels, _ = reach.label_components(inside.astype(np.uint8))
    assert len(np.unique(labels[inside])) == 1


def test_a_door_hides_what_is_behind_it() -> None:
    level = Level.parse("#####\n#<+.#\n#####")
    found = level.to_tcod()
    seen = tcod.map.compute_fov(found.transparent, (1, 1), algorithm=tcod.constants.FOV_SYMMETRIC_SHADOWCAST)
    assert (seen[1, 2], seen[1, 3], found.walkable[1, 2]) == (True, False, True)


@pytest.mark.parametrize("order", ["C", "F"])
def test_the_console_shows_faces_and_colours(order: str) -> None:
    level = Level.parse("#.+\n~o<")
    console = level.to_tcod(order=order).console()
    assert (console.width, console.height) == level.size
    for y in range(level.height):
        for x in range(level.width):
            cell = console.rgb[(x, y) if order == "F" else (y, x)]
            tile = level.palette.tiles[level.tiles[y, x]]
            assert (chr(cell["ch"]), "#{:02x}{:02x}{:02x}".format(*cell["fg"])) == (tile.face, tile.colour)
    assert "█·+" in str(console)


def test_other_palettes_and_odd_sizes() -> None:
    odd = Palette(
        [STANDARD.tiles[2]._replace(name="bog", glyph="b", face="漢", walkable=False, opaque=True, colour="#010203")],
        "bog",
    )
    for shape in ((1, 1), (1, 9), (9, 1)):
        level = Level(np.zeros(shape, np.uint8), odd)
        for order in ("C", "F"):
            found = level.to_tcod(order=order)
            assert found.walkable.shape == (shape if order == "C" else shape[::-1])
            assert not found.walkable.any()
            assert not found.transparent.any()
            assert found.rgb["ch"].flat[0] == ord("漢")
            assert (found.console().width, found.console().height) == level.size
    for number in range(5):
        level = soup(number, "##..,+LS~:o'").level()
        assert np.array_equal(level.to_tcod(order="F").cost.T == 1, level.walkable)


def test_the_arrays_are_ones_own_to_change() -> None:
    level = Level.parse("#.#")
    found = level.to_tcod()
    found.walkable[0, 1] = found.transparent[0, 1] = False
    found.cost[0, 1] = 9
    found.rgb["ch"][0, 1] = ord("@")
    assert level.to_tcod().walkable[0, 1]


def test_without_tcod_there_are_arrays_and_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tcod", None)
    monkeypatch.setitem(sys.modules, "tcod.console", None)
    found = Level.parse("#.#").to_tcod()
    assert found.cost.tolist() == [[0, 1, 0]]
    with pytest.raises(BadInput, match="tcod is not installed"):
        found.console()


def test_an_order_is_c_or_f() -> None:
    with pytest.raises(BadInput, match="an order is 'C' for"):
        Level.parse("#").to_tcod(order="K")
