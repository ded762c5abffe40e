"""The style of pixels: its size, its light, and what it shows."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import deque

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import undercroft as uc
from support.digests import SIZES
from support.maps import HEAVY, each
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette, Tile
from undercroft.core.region import Regions, Thing
from undercroft.draw.styles.pixels import light as pixels_light
from undercroft.draw.styles.pixels import pixel_terrain, pixels, placed_sprites, shade, small_scale
from undercroft.draw.styles.pixels.light import Lamp
from undercroft.draw.styles.pixels.pixel_legend import list_pixel_entries
from undercroft.draw.styles.pixels.pixel_letters import render_words, wrap_words
from undercroft.draw.tileset.terrain import classify_terrain
from undercroft.recipe.catalogue import names

ALL = frozenset({"grid", "numbers", "names", "title", "path", "regions", "graph", "heat", "things", "secrets", "scale"})
NONE: frozenset[str] = frozenset()
KEEP = """
    ####################
    #111111#22222#33333#
    #11o111+22222#33333#
    #111111#22222S33333#
    ####L###22222#######
    #4444444.....'.....#
    #4~~~44#,,,,,#..::.#
    #4~~~44#,,,,,#..::.#
    #444<44#,,,,>#.....#
    ####################
"""


def render_map(
    level: Level, cell: int = 16, shown: frozenset[str] = NONE, margin: float | None = 0
) -> NDArray[np.uint8]:
    return np.asarray(pixels.render_picture(level, cell, shown, margin))


@pytest.mark.parametrize(
    "picture",
    [
        ".",
        "#",
        "~",
        ":",
        "o",
        "+",
        "S",
        "L",
        "<",
        ">",
        "'",
        "X",
        "\n".join("." * 9),
        "." * 30,
        "~~~~\n~~~~",
        "....\n....\n....",
    ],
)
def test_the_smallest_levels(picture: str) -> None:
    level = Level.parse(picture)
    for cell in (4, 5, 15, 16, 17, 24, 32, 48):
        for margin in (0, 0.5, 1, 2.25) if cell in (4, 17) else (0, 2.25):
            image = pixels.render_picture(level, cell, ALL, margin)
            assert image.mode == "RGB"
            assert image.size == (round((level.width + 2 * margin) * cell), round((level.height + 2 * margin) * cell))


@pytest.mark.parametrize("name", names())
def test_every_recipe_is_drawn(name: str) -> None:
    level = uc.generate(name, seed=3, size=min(SIZES[name]))
    image = render_map(level, 16, ALL - {"title"})
    assert image.shape == (level.height * 16, level.width * 16, 3)
    ground = level.walkable.repeat(16, axis=0).repeat(16, axis=1)
    deep = ~pixel_terrain.cells_to_pixels(np.pad(level.walkable, 1)[1:-1, 1:-1])
    assert image[ground].mean() > image[deep].mean()


def test_the_same_level_gives_the_same_picture() -> None:
    made = "render_picture(uc.generate('cozy', seed=3, size=(41, 31)), 16, frozenset({'things', 'path'}), 1)"
    code = (
        "import hashlib, undercroft as uc; from undercroft.draw.styles.pixels.pixels import render_picture; "
        f"print(hashlib.sha256({made}.tobytes()).hexdigest())"
    )
    here = hashlib.sha256(
        render_map(uc.generate("cozy", seed=3, size=(41, 31)), 16, frozenset({"things", "path"}), 1.0).tobytes()
    ).hexdigest()
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "5"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == here


@pytest.mark.parametrize("times", [2, 3, 4])
def test_whole_multiples_are_sharp(times: int) -> None:
    level = Level.parse(KEEP)
    assert (
        render_map(level, 16 * times, ALL - {"title"})
        == render_map(level, 16, ALL - {"title"}).repeat(times, axis=0).repeat(times, axis=1)
    ).all()


def test_other_sizes_look_like_it() -> None:
    level = Level.parse(KEEP)
    whole = pixels.render_picture(level, 16, NONE, 0)
    for cell in (5, 8, 12, 20, 24, 40):
        image = pixels.render_picture(level, cell, NONE, 0)
        small = np.asarray(image.resize((level.width * 2, level.height * 2), Image.Resampling.BOX), int)
        assert (
            abs(small - np.asarray(whole.resize((level.width * 2, level.height * 2), Image.Resampling.BOX), int)).mean()
            < 6
        )


def test_it_does_not_matter_how_many_rows_are_drawn_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = [uc.generate("cozy", seed=2, size=(30, 40)), uc.generate("cave", seed=2, size=(24, 40))]
    shown = frozenset({"things", "secrets"})
    whole = []
    for band in (1024, 32, 16):
        monkeypatch.setattr(pixels, "ROWS_PER_BAND", band)
        whole.append([render_map(level, 16, shown) for level in levels])
    for one, other, third in zip(*whole, strict=True):
        assert (one == other).all()
        assert (one == third).all()


def test_a_very_large_level_is_drawn_with_small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    level = Level.parse(KEEP)
    monkeypatch.setattr(pixels, "MAX_SCENE_PIXELS", 100)
    for cell in (4, 16, 20):
        image = render_map(level, cell, ALL - {"title"}, 1)
        assert image.shape == ((level.height + 2) * cell, (level.width + 2) * cell, 3)
    assert (render_map(level, 4, NONE, 0) == np.asarray(small_scale.render_small_picture(level, 4, 0))).all()
    assert len(np.unique(render_map(level, 4, NONE, 0).reshape(-1, 3), axis=0)) > 50
    rooms = uc.generate("isaac", seed=1, expand=False)
    assert render_map(rooms, 8).shape == (rooms.height * 8, rooms.width * 8, 3)


def test_a_room_grid_is_drawn_as_rooms() -> None:
    level = uc.generate("isaac", seed=1, expand=False)
    for cell in (8, 33):
        assert render_map(level, cell, NONE, 0.5).shape == ((level.height + 1) * cell, (level.width + 1) * cell, 3)
    room = level.walkable.repeat(32, axis=0).repeat(32, axis=1)
    image = render_map(level, 32)
    assert image[room].mean() > 3 * image[~room].mean()


def test_a_palette_without_rock() -> None:
    palette = Palette(
        [
            Tile("sand", "floor", ".", ".", "#d8c9a8", True, False),
            Tile("sea", "water", "~", "~", "#4a86b8", False, False),
        ]
    )
    assert render_map(Level(np.array([[0, 1], [0, 0]], np.uint8), palette), 16, ALL - {"title"}, 1).shape == (64, 64, 3)


# --- light ---


def steps_from(clear: NDArray[np.bool_], start: tuple[int, int]) -> dict[tuple[int, int], int]:
    """How many steps it is to every cell that is clear, or beside one that is, one by one."""
    found = {start: 0}
    queue = deque([start])
    while queue:
        x, y = queue.popleft()
        if not clear[y, x]:
            continue
        for there in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if 0 <= there[0] < clear.shape[1] and 0 <= there[1] < clear.shape[0] and there not in found:
                found[there] = found[x, y] + 1
                queue.append(there)
    return found


@each("number", 300 if HEAVY else 40)
def test_light_crosses_no_wall(number: int) -> None:
    chance = np.random.default_rng(number)
    height, width = (int(side) for side in chance.integers(1, 30, 2))
    clear = chance.random((height, width)) < chance.choice([0.45, 0.6, 0.8])
    lamps = []
    for _ in range(int(chance.integers(1, 5))):
        x, y = int(chance.integers(width)), int(chance.integers(height))
        lamps.append(Lamp(x + 0.5, y + 0.5, (x, y), float(chance.integers(2, 9)), (1.0, 0.5, 0.25)))
    light = pixels_light.spread_light(clear, lamps)
    assert light.shape == (height * pixels_light.POINTS_PER_CELL, width * pixels_light.POINTS_PER_CELL, 3)
    cells = light.reshape(height, pixels_light.POINTS_PER_CELL, width, pixels_light.POINTS_PER_CELL, 3).max(
        axis=(1, 3, 4)
    )
    reached = np.zeros((height, width), bool)
    near = np.zeros((height, width), bool)
    for lamp in lamps:
        for (x, y), steps in steps_from(clear, lamp.cell).items():
            reached[y, x] = True
            near[y, x] |= steps <= 1 and bool(clear[lamp.cell[1], lamp.cell[0]])
    assert not cells[clear & ~reached].any()
    corners = ~clear & ~reached  # rock is lit at most beside ground that is
    beside = np.zeros_like(reached)
    for y, x in np.argwhere(reached & clear).tolist():
        beside[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2] = True
    assert not cells[corners & ~beside].any()
    assert cells[near].all()


def test_light_grows_weaker_on_the_way() -> None:
    light = pixels_light.spread_light(np.ones((1, 12), bool), [Lamp(0.5, 0.5, (0, 0), 9.0, (1.0, 1.0, 1.0))])[1, :, 0]
    assert light[0] > 0.8
    assert (np.diff(light[4:]) <= 0).all()
    assert not light[9 * pixels_light.POINTS_PER_CELL + 4 :].any()


def test_many_lamps_shine_as_they_do_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    level = uc.generate("bsp", seed=1, size=(60, 40))
    lamps = [
        Lamp(x + 0.5, y + 0.5, (x, y), 7.0, (1.0, 0.6, 0.3)) for y, x in np.argwhere(level.walkable)[::40].tolist()
    ]
    whole = pixels_light.spread_light(level.walkable, lamps)
    single = sum(pixels_light.spread_light(level.walkable, [lamp]) for lamp in lamps)
    assert np.allclose(whole, single, atol=1e-5)
    monkeypatch.setattr(pixels_light, "LAMPS_PER_BATCH", 3)
    assert (pixels_light.spread_light(level.walkable, lamps) == whole).all()


@pytest.mark.parametrize("wall", ["#", "+", "L", "S"])
def test_a_fire_in_one_room_changes_nothing_in_the_next(wall: str) -> None:
    """Not a pixel of the ground or of the faces there, nor beyond a shut door; the glare of the flame itself reaches a
    few pixels.
    """
    picture = "\n".join(
        ["#" * 23, *["#" + "." * 10 + ("#" if row != 3 else wall) + "." * 10 + "#" for row in range(7)], "#" * 22 + "+"]
    )
    cold = Level.parse(picture)
    warm = Level(cold.tiles, things=[Thing("campfire", 8, 4)])
    shown = frozenset({"things"})
    before, after = render_map(cold, 16, shown).astype(int), render_map(warm, 16, shown).astype(int)
    assert abs(before[16:128, : 11 * 16] - after[16:128, : 11 * 16]).max() > 40
    beyond = 12 * 16 if wall in "#S" else 13 * 16  # a door that is lit has a glare too
    assert (before[:128, beyond:] == after[:128, beyond:]).all()


def test_no_ground_is_lit_from_behind_a_wall_one_cell_thick() -> None:
    level = Level.parse(
        "\n".join(
            ["#" * 13, "#.....#.....#", "#.....#.....#", "#.....#.....#", "#" * 13, "#" + "." * 11 + "#", "#" * 13]
        )
    )
    lie = classify_terrain(level)
    ground = pixel_terrain.build_terrain(lie)
    clear = lie.ground
    dark = shade.compute_brightness(pixels_light.spread_light(clear, []), ground, lie.rock)
    lit = shade.compute_brightness(
        pixels_light.spread_light(clear, [Lamp(5.5, 2.5, (5, 2), 8.0, (3.0, 3.0, 3.0))]), ground, lie.rock
    )
    changed = (dark != lit).any(axis=2)
    room = np.zeros_like(changed)
    room[: 4 * 16, : 7 * 16] = True
    assert changed[room & ground.ground].mean() > 0.9
    assert not changed[~room & (ground.ground | ground.face)].any()


def test_more_light_makes_nothing_darker() -> None:
    level = uc.generate("cave", seed=2, size=(30, 20))
    lie = classify_terrain(level)
    ground = pixel_terrain.build_terrain(lie)
    y, x = np.argwhere(level.walkable)[50].tolist()
    before = shade.compute_brightness(pixels_light.spread_light(lie.ground, []), ground, lie.rock)
    for strength in (0.1, 1.0, 3.0, 50.0, 1e6):
        after = shade.compute_brightness(
            pixels_light.spread_light(
                lie.ground, [Lamp(x + 0.5, y + 0.5, (x, y), 9.0, (strength, strength, strength))]
            ),
            ground,
            lie.rock,
        )
        assert (after >= before).all()
        before = after
    flat = np.full((*ground.ground.shape, 3), 200, np.uint8)
    kept = np.full(ground.ground.shape, 255, np.uint8)
    dark, bright = (shade.apply_light(flat, np.full_like(flat, value), kept) for value in (40, 255))
    assert (bright > dark).all()


def test_corners_are_darker_and_walls_throw_shadows() -> None:
    level = Level.parse("#########\n#.......#\n#.......#\n#.......#\n#.......#\n#.......#\n########+")
    kept = shade.cast_shadows(pixel_terrain.build_terrain(classify_terrain(level)))
    assert kept[16, 20] < kept[56, 20] < kept[56, 72]
    assert (kept[:16] == 255).all()  # what is not ground lies in nobody's shadow
    flat = shade.cast_shadows(pixel_terrain.build_terrain(classify_terrain(Level.parse("...\n...\n..."))))
    assert (flat == 255).all()


# --- land ---


@pytest.mark.parametrize("number", range(60 if HEAVY else 12))
def test_the_land_is_where_the_cells_are(number: int) -> None:
    """However walls flow, the middle of a cell is what the cell is; and built walls do not flow at all."""
    level = (
        uc.generate("cave", seed=number, size=(30, 24))
        if number % 2
        else uc.generate("bsp", seed=number, size=(40, 30))
    )
    lie = classify_terrain(level)
    found = pixel_terrain.build_terrain(lie)
    middle = found.ground[8::16, 8::16]
    assert (middle == lie.ground).all()
    assert (found.ground ^ found.face ^ found.top).all()
    assert not (found.ground & found.face).any()
    if not number % 2:
        assert (found.ground == lie.ground.repeat(16, axis=0).repeat(16, axis=1)).all()
        cap = found.face.reshape(level.height, 16, level.width, 16).any(axis=(1, 3))
        assert (cap == lie.face).all()
    else:
        assert (found.ground != lie.ground.repeat(16, axis=0).repeat(16, axis=1)).any()


def test_a_face_is_as_high_as_a_cell_wherever_rock_ends_above_ground() -> None:
    found = pixel_terrain.build_terrain(classify_terrain(uc.generate("cave", seed=5, size=(40, 30))))
    for x in range(0, found.ground.shape[1], 7):
        column = found.ground[:, x].tolist()
        for y, is_ground in enumerate(column):
            ahead = column[y : y + 17]
            behind = column[max(0, y - pixel_terrain.CAP_HEIGHT) : y]
            assert found.face[y, x] == (not is_ground and any(ahead) and not any(behind)), (x, y)


def test_water_keeps_to_its_cells_and_their_neighbours() -> None:
    level = Level.parse(KEEP)
    found = pixel_terrain.build_terrain(classify_terrain(level))
    for role, mask in (("water", found.water), ("pit", found.pit)):
        cells = level.palette.role_mask(role)[level.tiles]
        assert (mask[8::16, 8::16] == cells).all()
        assert 0.8 < mask.sum() / (cells.sum() * 256) < 1.2
    assert not (found.water & found.pit).any()
    assert not ((found.water | found.pit) & ~found.ground).any()


def test_moving_a_mask() -> None:
    chance = np.random.default_rng(1)
    for shape in ((1, 1), (1, 9), (9, 1), (7, 11)):
        mask = chance.random(shape) < 0.5
        for right in (-12, -3, -1, 0, 1, 4, 20):
            for down in (-9, -1, 0, 2, 15):
                ys = np.clip(np.arange(shape[0]) + down, 0, shape[0] - 1)
                xs = np.clip(np.arange(shape[1]) + right, 0, shape[1] - 1)
                assert (pixel_terrain.moved(mask, right, down) == mask[np.ix_(ys, xs)]).all()


# --- what is shown ---


def keep() -> Level:
    level = Level.parse(KEEP)
    regions = Regions(level.regions.labels, level.regions.table, {}, {}, {1: "Hall of Ash", 2: "The Long Way"})
    path = np.array([[4, 8], [4, 7], [5, 7], [5, 6]], np.int32)
    return Level(
        level.tiles,
        regions=regions,
        start=level.start,
        end=level.end,
        path=path,
        title="Kéep of Dust",
        things=[Thing("chest", 2, 1), Thing("key", 9, 2, {"opens": "red"})],
    )


@pytest.mark.parametrize("part", ["grid", "numbers", "names", "path", "regions", "heat", "things", "secrets"])
def test_each_part_is_seen_if_it_is_shown(part: str) -> None:
    assert (render_map(keep(), 16, frozenset({part})) != render_map(keep(), 16)).any()


def test_a_secret_door_that_is_not_shown_is_wall() -> None:
    level = Level.parse(KEEP)
    tiles = level.tiles.copy()
    tiles[tiles == STANDARD["secret door"]] = STANDARD["wall"]
    shut = Level(tiles, regions=level.regions, start=level.start, end=level.end)
    assert (render_map(level, 16, frozenset({"things"})) == render_map(shut, 16, frozenset({"things"}))).all()


def test_doors_of_each_state_look_different() -> None:
    looks = set()
    for sign in "+'LS.":
        for picture in (f"#####\n#...#\n##{sign}##\n#...#\n###+#", f"######\n#.{sign}..#\n#####+"):
            looks.add(render_map(Level.parse(picture), 16, frozenset({"secrets"})).tobytes())
    assert len(looks) == 10


def test_the_title_stands_above() -> None:
    level = keep()
    bare = pixels.render_picture(level, 16, NONE, None)
    titled = pixels.render_picture(level, 16, frozenset({"title"}), None)
    assert titled.width == bare.width
    assert titled.height > bare.height
    assert (np.asarray(titled)[titled.height - bare.height :] == np.asarray(bare)).all()
    assert pixels.render_picture(level, 16, frozenset({"title"}), 0).size == (level.width * 16, level.height * 16)
    nameless = Level.parse("...")
    assert (
        pixels.render_picture(nameless, 16, frozenset({"title"}), 1).size
        == pixels.render_picture(nameless, 16, NONE, 1).size
    )


def test_letters() -> None:
    assert (render_words("é") == render_words("E")).all()
    assert (render_words("\u9375") == render_words("?")).all()
    assert render_words("").shape == (7, 0)
    signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,'-!?:()&/"
    assert len({render_words(sign).tobytes() for sign in signs}) == len(signs)
    assert wrap_words("", 10) == []
    assert wrap_words("antidisestablishmentarianism of it", 10) == ["antidisestablishmentarianism", "of", "it"]


def test_things_are_drawn_as_large_as_they_are() -> None:
    chance = np.random.default_rng(2)
    sprite = chance.integers(1, 255, (16, 16, 4), dtype=np.uint8)
    for kind in ("table", "bookshelf", "bed", "rug", "gizmo"):
        for wide in range(1, 5):
            for high in range(1, 4):
                assert placed_sprites.stretch_sprite(kind, sprite, wide, high).shape == (16 * high, 16 * wide, 4)
        assert (placed_sprites.stretch_sprite(kind, sprite, 1, 1) == sprite).all()
    upright = placed_sprites.stretch_sprite("bed", sprite, 1, 2)
    assert (placed_sprites.stretch_sprite("bed", sprite, 2, 1) == np.rot90(upright)).all()


def test_odd_things_do_no_harm() -> None:
    tiles = Level.parse("#####\n#...#\n#...#\n####+").tiles
    odd: list[dict[str, str | int | float | bool]] = [
        {"width": 99, "height": -4},
        {"width": "wide"},
        {"facing": "down"},
        {"to": "up"},
        {"opens": 7},
        {"width": 2.5},
    ]
    things = [
        Thing(kind, 1, 1, data)
        for data in odd
        for kind in ("table", "torch", "key", "lock", "one-way", "rug", "gizmo", "campfire")
    ]
    things += [Thing("campfire", x, y) for x in (0, 4) for y in (0, 3)]
    assert render_map(Level(tiles, things=things), 16, frozenset({"things"})).shape == (64, 80, 3)


def test_what_hangs_on_a_wall_is_drawn_there() -> None:
    tiles = Level.parse("#####\n#...#\n#...#\n#...#\n####+").tiles
    lie = classify_terrain(Level(tiles))
    for facing, top in (("S", 16 - placed_sprites.HANG_PIXELS), ("N", 16 - placed_sprites.STAND_PIXELS)):
        level = Level(tiles, things=[Thing("banner", 2, 1, {"facing": facing})])
        assert placed_sprites.list_sprites(level, lie)[0].top == top
    behind = Level(tiles, things=[Thing("rat", 1, 3), Thing("rat", 3, 1), Thing("rug", 2, 2)])
    assert [stamp.top for stamp in placed_sprites.list_sprites(behind, lie)] == [32, 14, 46]


def test_a_legend_stands_below_the_scene() -> None:
    level = Level(Level.parse("#<..+..>#").tiles, things=[Thing("rat", 3, 0), Thing("grue", 5, 0), Thing("newt", 6, 0)])
    bare = pixels.render_picture(level, 16, frozenset({"things"}), 1)
    whole = pixels.render_picture(level, 16, frozenset({"things", "legend"}), 1)
    assert whole.width == bare.width
    assert whole.height > bare.height + 3 * 16
    entries = list_pixel_entries(level, frozenset({"things"}), bare, 1.0, 16)
    assert [entry.word for entry in entries] == ["door", "stairs up", "stairs down", "grue", "newt", "rat"]
    assert len({entry.pixels.tobytes() for entry in entries}) == 6


def test_greek_and_cyrillic_capitals_have_pixels() -> None:
    unknown = render_words("\u9375")
    for text in ("\u0391\u0398\u03a9", "\u0416\u0429\u042f"):
        masks = [render_words(sign) for sign in text]
        assert all(mask.shape[0] == 7 and mask.any() for mask in masks)
        assert not any(mask.shape == unknown.shape and (mask == unknown).all() for mask in masks)
        assert len({mask.tobytes() for mask in masks}) == 3
    assert render_words("\u03b1").tobytes() == render_words("\u0391").tobytes()
