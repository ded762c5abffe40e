"""The style ink: what is where, what the parts do, how large files are."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

import undercroft as uc
from support.maps import HEAVY, interpreted
from undercroft.analysis.reach import distances
from undercroft.core.level import Level
from undercroft.core.region import Regions, Thing
from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.raster import raster
from undercroft.draw.scene.scene import Effect, Pixels, Scene, Shape
from undercroft.draw.scene.svg import svg
from undercroft.draw.styles.blueprint.legend import DISTANCE_COLOURS
from undercroft.draw.styles.ink import ink
from undercroft.draw.styles.ink.ink import DEEP, FLOOR, GRID, INK, LOOKS, PAPER, WATER
from undercroft.draw.styles.ink.marks import RED
from undercroft.draw.styles.parchment.frame import CREAM
from undercroft.draw.styles.table import PICTURE_PARTS, render_picture, render_vector, resolve_parts, select_things
from undercroft.draw.view.grid_rooms import SQUARES_PER_ROOM, expand_rooms
from undercroft.draw.view.legend import list_scale_entries
from undercroft.draw.view.washes import assign_colours, heat_scale_colours
from undercroft.formats import loads

CELL = 20
NO_SECRETS = resolve_parts("ink") - {"secrets"}
MAP = Level.parse("""
    ##############################
    #1111111#22222222222#33333333#
    #1111111#22222222222#33333333#
    #1<11111L2222222222~S33333333#
    #1111111#22222222~~~#33333333#
    #111o111#2222222~~~~#3333::33#
    #1111111+22222222~~~#3333::33#
    #1111111#22222222222#333333>3#
    ##############################
""")


def render_map(level: Level, *, show: tuple[str, ...] = (), hide: tuple[str, ...] = (), cell: int = CELL) -> Pixels:
    """The map alone, without the texture of the paper."""
    return np.asarray(raster(without_effects(render_vector(level, "ink", show=show, hide=hide, margin=0)), cell))


def without_effects(scene: Scene) -> Scene:
    scene.items = [item for item in scene.items if not isinstance(item, Effect)]
    return scene


def share(pixels: Pixels, x: float, y: float, colour: str, half: float = 0.4) -> float:
    """How much of the square about a point has nearly that colour."""
    near = pixels[
        round((y - half) * CELL) : round((y + half) * CELL), round((x - half) * CELL) : round((x + half) * CELL)
    ].astype(int)
    return float((np.abs(near - rgb(colour)).max(axis=2) < 12).mean())


def test_what_is_where() -> None:
    found = render_map(MAP, hide=("numbers",))
    assert share(found, 6.5, 2.5, FLOOR) > 0.8
    assert share(found, 18.6, 5.5, WATER) > 0.6
    assert share(found, 26, 6, INK) > 0.6, "a pit is black"
    assert share(found, 26, 6, DEEP, 1.1) > 0.05, "and paler at its edge"
    assert share(found, 4.5, 5.5, FLOOR) < 0.6, "a pillar"
    rock = found[round(8.3 * CELL) : round(8.9 * CELL), 4 * CELL : 26 * CELL].astype(int)
    assert 0.06 < (rock.max(axis=2) < 90).mean() < 0.6, "hatched: neither black nor white"
    for x, y in ((8.5, 6.5), (8.5, 3.5), (20.5, 3.5)):
        assert share(found, x, y, INK, 0.5) > 0.08, "doors"


def test_rock_far_from_walls_is_bare_paper() -> None:
    tiles = np.ones((30, 30), np.uint8)
    tiles[2:5, 2:28] = 2
    found = render_map(Level(tiles))
    assert share(found, 15, 20, PAPER, 5) == 1.0


def test_locked_doors_are_black_and_closed_ones_are_not() -> None:
    level = Level.parse("#####\n..+..\n#####\n..L..\n#####")
    found = render_map(level, hide=("numbers",))
    assert share(found, 2.5, 1.5, FLOOR, 0.12) > 0.9
    assert share(found, 2.5, 3.6, INK, 0.2) > 0.5


def test_secret_doors_are_rock_if_secrets_are_hidden() -> None:
    seen, hidden = render_map(MAP), render_map(MAP, hide=("secrets",))
    door = np.s_[3 * CELL : 4 * CELL, 20 * CELL : 21 * CELL]
    assert not np.array_equal(seen[door], hidden[door])
    solid = Level(
        np.where(MAP.palette.role_mask("secret")[MAP.tiles], 1, MAP.tiles).astype(np.uint8), regions=MAP.regions
    )
    floors = [
        next(item for item in scene.items if isinstance(item, Shape) and item.fill == FLOOR)
        for scene in (ink.render_scene(MAP, NO_SECRETS), ink.render_scene(solid, NO_SECRETS))
    ]
    assert len(floors[0].lines) == len(floors[1].lines) == len(floors[0].lines)


def full() -> Level:
    return uc.generate("cozy", seed=7, size=(35, 27))


@pytest.mark.parametrize("part", PICTURE_PARTS)
def test_every_part_can_be_shown_and_hidden(part: str) -> None:
    level = MAP if part in ("secrets", "grid") else full()
    parts = resolve_parts("ink")
    files = [svg(ink.render_scene(*select_things(level, kept)), 10) for kept in (parts | {part}, parts - {part})]
    assert files[0] != files[1]
    for data in files:
        ElementTree.fromstring(data)


def test_the_way_is_red_and_goes_from_start_to_end() -> None:
    level = full()
    shape = next(
        item
        for item in render_vector(level, "ink", show=("path",), margin=0).items
        if isinstance(item, Shape) and item.stroke == RED
    )
    [line] = shape.lines
    ends = np.array([level.start, level.end], float) + 0.5
    assert np.hypot(*(line[[0, -1]] - ends).T).max() < 1.6
    assert shape.dash


def test_heat_grows_with_the_distance() -> None:
    level = full()
    found = render_map(level, show=("heat",), hide=("things", "numbers", "grid")).astype(int)
    blues = []
    for point in (level.start, level.end):
        assert point is not None
        room = level.regions.at(*point)
        assert room is not None
        box = found[room.y * CELL : (room.y + room.height) * CELL, room.x * CELL : (room.x + room.width) * CELL]
        blues.append(float(np.median(box[:, :, 2])))
    assert blues[0] - blues[1] > 40


@pytest.mark.parametrize("style", ["ink", "parchment", "blueprint"])
def test_the_legend_tells_what_the_colours_of_distance_mean(style: str) -> None:
    level = full()
    assert level.start is not None
    farthest = distances(level.walkable, [level.start]).max()
    [entry] = list_scale_entries(level, frozenset({"heat"}), ["#102030", "#405060"])
    assert entry.word == f"0 to {farthest} squares from the start"
    assert [part.fill for part in entry.sign] == ["#102030", "#405060", ""], "from near to far, in a frame"
    assert list_scale_entries(level, frozenset(), ["#102030"]) == []
    lost = Level(level.tiles, level.palette)
    assert list_scale_entries(lost, frozenset({"heat"}), ["#102030"]) == [], "from where?"
    colours = (
        heat_scale_colours(LOOKS.inks.paper if style == "ink" else CREAM) if style != "blueprint" else DISTANCE_COLOURS
    )
    assert len(set(colours)) == 4
    fills = [
        {item.fill for item in render_vector(level, style, show=("legend", *more)).items if isinstance(item, Shape)}
        for more in ((), ("heat",))
    ]
    assert set(colours) <= fills[1]
    assert len(set(colours) & fills[0]) <= 1, "only the floor's own"


def test_neighbouring_regions_have_other_colours() -> None:
    level = full()
    labels = level.regions.labels
    colours = np.append(-1, assign_colours(labels, len(level.regions), 10))
    for one, other in ((labels[:, 2:], labels[:, :-2]), (labels[2:], labels[:-2]), (labels[:, 1:], labels[:, :-1])):
        apart = (one != other) & (one > 0) & (other > 0)
        assert (colours[one[apart]] != colours[other[apart]]).all()
    tints = {
        item.fill
        for item in render_vector(level, "ink", show=("regions",)).items
        if isinstance(item, Shape) and item.opacity == 0.3
    }
    assert len(tints) > 4


def test_special_rooms_of_a_grid_have_their_sign() -> None:
    level = uc.generate("isaac", seed=4)
    boss = next(region for region in level.regions if "boss" in region.tags)
    plain = Level(
        level.tiles,
        level.palette,
        regions=Regions(level.regions.labels, level.regions.table),
        start=level.start,
        end=level.end,
    )
    one, other = render_map(level), render_map(plain)
    box = np.s_[boss.y * CELL : (boss.y + boss.height) * CELL, boss.x * CELL : (boss.x + boss.width) * CELL]
    assert (one[box] != other[box]).any()


@pytest.mark.parametrize("recipe", ["cozy", "cave", "rooms-and-mazes", "isaac"])
def test_the_same_picture_each_time(recipe: str) -> None:
    level = uc.generate(recipe, seed=5, size=(41, 31))
    again = uc.generate(recipe, seed=5, size=(41, 31))
    assert svg(render_vector(level, "ink"), 24) == svg(render_vector(again, "ink"), 24)
    assert render_picture(level, "ink", cell=6).tobytes() == render_picture(again, "ink", cell=6).tobytes()


@pytest.mark.parametrize("recipe", ["cozy", "cave"])
def test_compiled_as_interpreted(recipe: str) -> None:
    level = uc.generate(recipe, seed=5, size=(19, 15))
    quick = svg(render_vector(level, "ink", show=("path", "heat", "regions", "graph", "names")), 24)
    with interpreted():
        assert svg(render_vector(level, "ink", show=("path", "heat", "regions", "graph", "names")), 24) == quick


@pytest.mark.parametrize("recipe", ["cozy", "cave"])
def test_the_file_shows_what_the_picture_does(recipe: str) -> None:
    """resvg, which we did not write, draws the SVG as we paint the PNG, but for the paper."""
    level = uc.generate(recipe, seed=5, size=(31, 21))
    scene = without_effects(render_vector(level, "ink", show=("path",)))
    ours = np.asarray(raster(scene, 16)).astype(int)
    from io import BytesIO

    from PIL import Image
    from resvg_py import svg_to_bytes

    drawn_by_it = svg_to_bytes(
        svg_string=svg(scene, 16).decode(), width=ours.shape[1], height=ours.shape[0], skip_system_fonts=True
    )
    theirs = np.asarray(Image.open(BytesIO(bytes(drawn_by_it))).convert("RGB")).astype(int)
    off = np.abs(ours - theirs).max(axis=2)
    assert off.mean() < 6
    assert (off > 120).mean() < 0.004
    blank = np.abs(ours - rgb(PAPER)).max(axis=2)
    assert blank.mean() > 3 * off.mean(), "an empty page would be seen"


@pytest.mark.parametrize(
    ("recipe", "size"),
    [("cave", (61, 41)), ("cozy", (61, 41)), ("rooms-and-mazes", (61, 41)), ("maze", (61, 41)), ("cave", (100, 100))],
)
def test_files_are_short(recipe: str, size: tuple[int, int]) -> None:
    level = uc.generate(recipe, seed=1, size=size)
    assert len(svg(render_vector(level, "ink"), 24)) < 150 * size[0] * size[1]


ODD = [
    "#",
    ".",
    "X",
    "<",
    "~",
    ":",
    "o",
    "+",
    "S",
    "<>",
    "...",
    ".\n.\n.",
    "<.+.~:o.S.L.'.>",
    "#\n.\n#",
    "....\n....\n....\n....",
]


@pytest.mark.parametrize("margin", [None, 0, 2.5])
@pytest.mark.parametrize("tiles", ODD)
def test_odd_levels(tiles: str, margin: float | None) -> None:
    level = Level.parse(tiles)
    everything = frozenset(PICTURE_PARTS)
    for parts in (everything, resolve_parts("ink"), frozenset[str]()):
        scene = ink.render_scene(level, parts, margin)
        ElementTree.fromstring(svg(scene, 24))
        assert raster(scene, 8).size == (round(scene.width * 8), round(scene.height * 8))
    if margin == 0:
        assert (scene.width, scene.height) == level.size


@pytest.mark.parametrize("seed", range(40 if HEAVY else 1))
@pytest.mark.parametrize(
    "recipe", ["cozy", "cave", "galak-z", "diablo2", "grammar", "dungeoning", "templates", "walk", "tinykeep"]
)
def test_every_recipe_can_be_drawn(recipe: str, seed: int) -> None:
    level = (
        uc.generate(recipe, seed=seed, size=(40, 30))
        if recipe not in ("templates", "grammar")
        else uc.generate(recipe, seed=seed)
    )
    ElementTree.fromstring(svg(ink.render_scene(level, frozenset(PICTURE_PARTS)), 24))


def test_room_grids_are_drawn_as_rooms_one_to_a_cell() -> None:
    level = loads(b"0110\n2101\n0113\n", "text:grid")
    scene = render_vector(level, "ink", margin=0)
    assert (scene.width, scene.height) == pytest.approx((4, 3))
    found = np.asarray(raster(without_effects(scene), 160))
    for y in range(3):
        for x in range(4):
            middle = found[y * 160 + 30 : y * 160 + 50, x * 160 + 30 : x * 160 + 50].astype(int)
            floor = (np.abs(middle - rgb(FLOOR)).max(axis=2) < 12).mean()
            assert (floor > 0.5) == bool(level.tiles[y, x])
    rooms = expand_rooms(level)
    assert rooms.size == (4 * SQUARES_PER_ROOM + 1, 3 * SQUARES_PER_ROOM + 1)
    assert int(rooms.palette.role_mask("door")[rooms.tiles].sum()) == len(level.links)
    assert "scale" in resolve_parts("ink")
    assert len(render_vector(level, "ink").items) > 10


def test_large_rooms_of_a_grid_have_no_wall_within() -> None:
    labels = np.array([[1, 1, 2], [1, 1, 0]], np.int32)
    grid = loads(b"113\n110\n", "text:grid")
    level = Level(grid.tiles, grid.palette, regions=Regions.of(labels))
    rooms = expand_rooms(level)
    assert (rooms.tiles[1 : 2 * SQUARES_PER_ROOM, 1 : 2 * SQUARES_PER_ROOM] != 1).all()
    assert rooms.regions[0].area == (2 * SQUARES_PER_ROOM - 1) ** 2


def test_huge_levels_are_drawn_with_less_and_less(monkeypatch: pytest.MonkeyPatch) -> None:
    level = uc.generate("cozy", seed=3, size=(61, 41))
    sizes = [len(svg(render_vector(level, "ink"), 24))]
    monkeypatch.setattr(ink, "MAX_CELLS_WITH_DETAIL", 100)
    sizes.append(len(svg(render_vector(level, "ink"), 24)))
    assert b"stroke-dasharray" not in svg(render_vector(level, "ink"), 24)
    monkeypatch.setattr(ink, "MAX_CELLS_WITH_MARKS", 200)
    sizes.append(len(svg(render_vector(level, "ink"), 24)))
    assert sizes[0] > 1.5 * sizes[1] > 1.8 * sizes[2]


def test_things_are_drawn_where_they_stand() -> None:
    plain = Level.parse("\n".join(["." * 12] * 8))
    for kind in ("chest", "goblin", "something else"):
        level = Level(plain.tiles, things=[Thing(kind, 5, 4)])
        off = np.abs(render_map(level).astype(int) - render_map(plain)).max(axis=2) > 60
        ys, xs = np.nonzero(off)
        assert len(xs) > 20
        assert xs.min() >= 5 * CELL - 2
        assert xs.max() < 6 * CELL + 2
        assert ys.min() >= 4 * CELL - 2
        assert ys.max() < 5 * CELL + 2


def test_the_grid_keeps_off_water_and_pits() -> None:
    level = Level.parse("\n".join(["#" * 12, *["#" + "~" * 10 + "#"] * 6, "#" * 12]))
    assert GRID not in {item.stroke for item in render_vector(level, "ink").items if isinstance(item, Shape)}


def test_paper_has_a_texture_in_pictures_only() -> None:
    level = Level(np.ones((9, 9), np.uint8))
    pixels: NDArray[np.uint8] = np.asarray(render_picture(level, "ink", cell=20, margin=0))
    assert 1 < pixels.astype(float).std() < 8
    assert np.abs(pixels.reshape(-1, 3).mean(axis=0) - rgb(PAPER)).max() < 4
    assert b"<image" not in svg(render_vector(level, "ink"), 20)
