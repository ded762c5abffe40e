"""The style `plain`."""

from __future__ import annotations

import io
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import undercroft as uc
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.core.region import Thing
from undercroft.core.stairs import clear_stairs
from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.svg import svg
from undercroft.draw.styles.plain.squares import DOOR, END, LOCKED, MARK_COLOURS, PILLAR, SECRET, START, THING
from undercroft.draw.styles.table import render_picture, render_vector
from undercroft.errors import TooBig
from undercroft.formats import dump

ROOM = """
    ########
    #..o..~#
    #......+
    #..:...#
    ###L####
    ###S####
"""


def pixels(level: Level, cell: int, **options: object) -> NDArray[np.uint8]:
    return np.asarray(render_picture(level, "plain", cell=cell, **options).convert("RGB"))  # type: ignore[arg-type]


def middle(image: NDArray[np.uint8], x: int, y: int, cell: int) -> tuple[int, ...]:
    return tuple(image[y * cell + cell // 2, x * cell + cell // 2].tolist())


def test_every_cell_has_the_colour_of_its_tile() -> None:
    level = uc.generate("cave", seed=4, size=(40, 30))
    image = pixels(level, 3, hide=["path"])
    assert image.shape == (90, 120, 3)
    for name in ("wall", "floor"):
        code = STANDARD.role(name)
        cells = np.repeat(np.repeat(level.tiles == code, 3, 0), 3, 1)
        for point in (level.start, level.end):
            assert point is not None
            cells[point[1] * 3 : point[1] * 3 + 3, point[0] * 3 : point[0] * 3 + 3] = False
        assert (image[cells] == rgb(STANDARD.tiles[code].colour)).all()


def test_what_stands_on_cells_is_seen() -> None:
    level = Level.parse(ROOM)
    image = pixels(level, 20)
    for x, y, mark in ((3, 1, PILLAR), (7, 2, DOOR), (3, 5, SECRET)):
        assert middle(image, x, y, 20) == MARK_COLOURS[mark]
    assert tuple(image[4 * 20 + 10, 3 * 20 + 2].tolist()) == MARK_COLOURS[LOCKED]
    floor = rgb(STANDARD.tiles[STANDARD.role("floor")].colour)
    assert tuple(image[41, 7 * 20 + 1].tolist()) == floor  # beside the bar of a door is floor
    assert tuple(image[81, 3 * 20 + 10].tolist()) == floor
    hidden = pixels(level, 20, hide=["secrets"])
    assert middle(hidden, 3, 5, 20) == rgb(STANDARD.tiles[STANDARD.role("wall")].colour)


def test_the_path_its_ends_and_things() -> None:
    level = uc.generate("rooms-and-mazes", seed=2, size=(31, 21))
    level = level.replace(tiles=clear_stairs(level.tiles, level.palette))  # where stairs are, they are drawn
    assert level.start is not None
    assert level.end is not None
    image, without = pixels(level, 12), pixels(level, 12, hide=["path"])
    x, y = level.path[len(level.path) // 2].tolist()
    if not STANDARD.role_mask("door", "opening")[level.tiles[y, x]]:
        assert middle(image, x, y, 12) == (255, 255, 255)
        assert middle(without, x, y, 12) != (255, 255, 255)
    for point, mark in ((level.start, START), (level.end, END)):
        assert tuple(image[point[1] * 12 + 6, point[0] * 12 + 2].tolist()) == MARK_COLOURS[mark]
    thing = Level(level.tiles, things=[Thing("chest", x, y)])
    assert middle(pixels(thing, 8), x, y, 8) == MARK_COLOURS[THING]
    assert middle(pixels(thing, 8, hide=["things"]), x, y, 8) != MARK_COLOURS[THING]


def test_heat_grows_with_the_way_and_regions_differ() -> None:
    level = uc.generate("rooms-and-mazes", seed=2, size=(31, 21))
    assert len(np.unique(pixels(level, 4, show=["heat"], hide=["path"]).reshape(-1, 3), axis=0)) > 8
    image = pixels(level, 4, show=["regions"], hide=["path"])
    first, second = level.rooms[0], level.rooms[1]
    colours = [middle(image, *_cell(level, region.label), 4) for region in (first, second)]
    assert colours[0] != colours[1]


def _cell(level: Level, label: int) -> tuple[int, int]:
    taken = {level.start, level.end}
    ys, xs = np.nonzero(level.regions.labels == label)
    return next((x, y) for x, y in zip(xs.tolist(), ys.tolist(), strict=True) if (x, y) not in taken)


@pytest.mark.parametrize("recipe", ["cave", "cozy", "isaac", "grammar"])
def test_vector_and_pixels_agree(recipe: str) -> None:
    """The file and the squares, drawn by different ways, differ at most at the edges of signs."""
    level = uc.generate(recipe, seed=5)
    from undercroft.draw.scene.raster import raster

    hide = ["path", "things", "secrets"]
    one = pixels(level, 10, hide=hide).astype(int)
    two = np.asarray(raster(render_vector(level, "plain", hide=hide), 10)).astype(int)
    assert one.shape == two.shape
    assert (np.abs(one - two).max(axis=2) > 40).mean() < 0.02


def test_files_stay_small() -> None:
    cave = uc.generate("cave", seed=1, size=(200, 200))
    maze = uc.generate("rooms-and-mazes", seed=1, size=(199, 199))
    for level in (cave, maze):
        data = svg(render_vector(level, "plain", show=["grid"]), 16)
        assert len(data) < 500_000
        ElementTree.fromstring(data)
    assert len(dump(cave, "png", style="plain")) < 500_000


def test_large_levels_and_odd_sizes() -> None:
    for size in ((1, 1), (1, 9), (9, 1)):
        assert render_picture(Level(np.full(size[::-1], 2, np.uint8)), "plain", cell=7).size == (
            7 * size[0],
            7 * size[1],
        )
    large = Level(np.tile(np.array([[1, 2], [2, 2]], np.uint8), (1024, 1024)))
    image = render_picture(large, "plain", cell=4)
    assert (image.mode, image.size) == ("P", (8192, 8192))
    with pytest.raises(TooBig, match="pixels"):
        render_picture(large, "plain", cell=6)


def test_the_same_each_time_and_readable() -> None:
    level = uc.generate("cozy", seed=2)
    data = dump(level, "png", style="plain")
    assert data == dump(level, "png", style="plain")
    with Image.open(io.BytesIO(data)) as image:
        assert image.width % level.width == 0
