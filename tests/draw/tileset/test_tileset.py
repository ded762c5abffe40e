"""The tileset: what its pieces look like, and that the right one lies on every cell."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import undercroft as uc
from support.maps import HEAVY, each
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.core.region import REGION_KINDS, Regions, Thing
from undercroft.draw.autotile import tiling
from undercroft.draw.autotile.pieces import BLOB_MASKS
from undercroft.draw.tileset import decor_placement, emblems, ground_tiles
from undercroft.draw.tileset.paint import COLOURS
from undercroft.draw.tileset.picture import (
    LAYERS,
    compose_image,
    custom_pieces,
    lay_pieces,
    thing_piece_number,
    tileset,
)
from undercroft.draw.tileset.rock_tiles import top_codes, top_name
from undercroft.draw.tileset.sprites import load_drawings, render_sprite
from undercroft.draw.tileset.terrain import classify_terrain
from undercroft.draw.tileset.tile_sheet import Tileset
from undercroft.recipe import catalogue
from undercroft.steps.locks.locks import COLOURS as KEY_COLOURS
from undercroft.things.shipped import load_things as shipped

GROUND = ".,+'Lo<>~:"
SOUP = "####....,,+'LS~~:o<> "


def soup(number: int, width: int = 0, height: int = 0, signs: str = SOUP, *, caves: bool = False) -> Level:
    """A random tile on every cell; if so, some of them in caves."""
    chance = np.random.default_rng(number)
    width, height = width or int(chance.integers(1, 24)), height or int(chance.integers(1, 24))
    tiles = np.array(
        [STANDARD[sign] for sign in chance.choice(list(signs.replace(" ", "X")), width * height)], np.uint8
    ).reshape(height, width)
    if not caves:
        return Level(tiles)
    labels = np.zeros((height, width), np.int32)
    labels[:, width // 2 :] = 1
    regions = Regions.of(labels, "cave")
    return Level(tiles, regions=regions)


def names(level: Level, layer: str = "terrain") -> NDArray[np.str_]:
    return np.array([*tileset().names, ""])[lay_pieces(level)[layer]]


def glyph(level: Level, x: int, y: int) -> str:
    """The glyph of a cell; rock outside."""
    inside = 0 <= x < level.width and 0 <= y < level.height
    return level.palette.tiles[level.tiles[y, x]].glyph if inside else "#"


# --- the sheet ---


def test_the_sheet_and_its_lists_fit() -> None:
    tiles = tileset()
    assert isinstance(tiles, Tileset)
    assert tiles is tileset()
    assert tiles.size == 16
    count = len(tiles)
    assert len(tiles.names) == len(tiles.solid) == len(tiles.roles) == len(tiles.pixels) == count
    assert len(set(tiles.names)) == count
    assert tiles.image.mode == "RGBA"
    assert tiles.image.size == (tiles.columns * 16, -(-count // tiles.columns) * 16)
    sheet = np.asarray(tiles.image)
    for number in range(count):
        y, x = divmod(number, tiles.columns)
        assert (sheet[y * 16 : y * 16 + 16, x * 16 : x * 16 + 16] == tiles.pixels[number]).all()
        assert tiles.number(tiles.names[number]) == number
    assert not sheet[-16:, count % tiles.columns * 16 :, 3].any() or count % tiles.columns == 0
    with pytest.raises(uc.BadInput, match=r"unknown piece of the tileset 'stairs.sideways'"):
        tiles.number("stairs.sideways")


def test_terrain_hides_what_is_below_and_nothing_is_empty() -> None:
    tiles = tileset()
    for number, name in enumerate(tiles.names):
        alpha = tiles.pixels[number, ..., 3]
        assert alpha.any(), name
        if name.split(".")[0] in (
            "void",
            "deep",
            "deeper",
            "wall",
            "rock",
            "flags",
            "paving",
            "earth",
            "stairs",
            "pool",
            "lake",
            "shaft",
            "chasm",
        ):
            assert (alpha == 255).all(), name


def test_no_two_pieces_of_ground_or_rock_look_the_same() -> None:
    tiles = tileset()
    looks: dict[bytes, str] = {}
    for number, name in enumerate(tiles.names):
        if name.split(".")[0] in ("wall", "rock", "flags", "paving", "earth", "stairs", "door", "thing"):
            same = looks.setdefault(tiles.pixels[number].tobytes(), name)
            # a long table is a table, and a well's bucket a bucket; an arrow to nowhere points north
            assert same == name or {same, name} <= {
                "thing.long table",
                "thing.table",
                "thing.bucket",
                "thing.well bucket",
                "thing.one-way",
                "thing.one-way.n",
            }, (same, name)


def test_the_sheet_is_the_same_in_every_process() -> None:
    code = (
        "import hashlib; from undercroft.draw.tileset.picture import tileset; "
        "print(hashlib.sha256(tileset().pixels.tobytes()).hexdigest(), len(tileset().names))"
    )
    here = f"{hashlib.sha256(tileset().pixels.tobytes()).hexdigest()} {len(tileset().names)}"
    for seed in ("1", "77"):
        told = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert told.stdout.strip() == here


@pytest.mark.parametrize("code", top_codes("wall"))
def test_a_rim_is_where_the_neighbour_is_not_a_top(code: int) -> None:
    """On the pixels of every piece of a wall's top: the middle of each side, and each corner."""
    pixels = tileset().pixels[tileset().number(top_name("wall", code))][..., :3].astype(int)
    rims = [(COLOURS["rim"] * light).round().astype(int) for light in (0.8, 0.85, 1.0)] + [
        COLOURS["rim bright"].astype(int)
    ]
    north, south, west, east = (bool(code & bits) for bits in (1, 2, 12, 48))
    corners = (
        north or west or bool(code & 64),
        north or east or bool(code & 128),
        south or west or bool(code & 256),
        south or east or bool(code & 512),
    )
    for (y, x), wanted in zip(
        ((0, 8), (15, 8), (8, 0), (8, 15), (0, 0), (0, 15), (15, 0), (15, 15)),
        (north, south, west, east, *corners),
        strict=True,
    ):
        assert any(abs(pixels[y, x] - rim).max() <= 1 for rim in rims) == wanted, (top_name("wall", code), x, y)


# --- laying ---


def expected_rock(level: Level, x: int, y: int) -> str:
    """The name of a cell of rock by the rule itself, without its material and look."""

    def is_ground(dx: int, dy: int) -> bool:
        return glyph(level, x + dx, y + dy) in GROUND

    def is_face(dx: int, dy: int) -> bool:
        return not is_ground(dx, dy) and is_ground(dx, dy + 1)

    def is_top(dx: int, dy: int) -> bool:
        return not is_ground(dx, dy) and not is_face(dx, dy)

    if is_face(0, 0):
        return ".".join(
            ["face", *(side for side, step in (("n", (0, -1)), ("w", (-1, 0)), ("e", (1, 0))) if is_ground(*step))]
        )
    sides = [word for word, step in (("n", (0, -1)), ("s", (0, 1))) if not is_top(*step)]
    sides += ["wf"] * is_face(-1, 0) + ["w"] * is_ground(-1, 0) + ["ef"] * is_face(1, 0) + ["e"] * is_ground(1, 0)
    for word, (dx, dy) in (("nw", (-1, -1)), ("ne", (1, -1)), ("sw", (-1, 1)), ("se", (1, 1))):
        if not is_top(dx, dy) and is_top(dx, 0) and is_top(0, dy):
            sides.append(word)
    return ".".join(["top", *sides])


def check_rock(level: Level) -> None:
    terrain = names(level)
    for y in range(level.height):
        for x in range(level.width):
            if glyph(level, x, y) not in "# ":
                continue
            kind, *rest = terrain[y, x].split(".")
            wanted = expected_rock(level, x, y)
            far = [glyph(level, x + dx, y + dy) in GROUND for dx in range(-3, 4) for dy in range(-3, 4)]
            if kind in ("void", "deep", "deeper"):
                assert wanted == "top", (x, y)
                assert kind == "void" or not any(far)
                continue
            assert kind in ("wall", "rock")
            if rest[-1].isdigit():
                assert rest[0] == "face" or len(rest) == 2
                rest = rest[:-1]
            if kind == "wall":  # in masonry nobody sees whether a face or ground is beside it
                wanted = wanted.replace("wf", "w").replace("ef", "e")
            assert ".".join(rest) == wanted, (x, y, level)


@each("number", 400 if HEAVY else 24)
def test_rock_is_as_the_rule_says(number: int) -> None:
    check_rock(soup(number, caves=number % 2 == 1, signs=SOUP if number % 3 else "####.. "))


def test_rock_of_caves_and_rooms_is_as_the_rule_says() -> None:
    check_rock(uc.generate("cave", seed=3, size=(40, 30)))
    check_rock(uc.generate("bsp", seed=3, size=(50, 30)))


@each("number", 100 if HEAVY else 10)
def test_water_and_pits_join_their_like(number: int) -> None:
    level = soup(number, caves=number % 2 == 1, signs="~~~::.#")
    terrain = names(level)
    around = (
        ("n", 0, -1),
        ("ne", 1, -1),
        ("e", 1, 0),
        ("se", 1, 1),
        ("s", 0, 1),
        ("sw", -1, 1),
        ("w", -1, 0),
        ("nw", -1, -1),
    )
    for y in range(level.height):
        for x in range(level.width):
            sign = glyph(level, x, y)
            if sign not in "~:":
                continue
            kind, *rest = terrain[y, x].split(".")
            assert kind in (("pool", "lake") if sign == "~" else ("shaft", "chasm"))
            there = [word for word, dx, dy in around if glyph(level, x + dx, y + dy) == sign]
            seen = [word for word in there if len(word) == 1 or (word[0] in there and word[1] in there)]
            assert rest == (seen or ["alone"]) or (len(seen) == 8 and rest[0].isdigit())


@each("number", 200 if HEAVY else 16)
def test_a_cell_is_blocked_if_a_solid_piece_lies_on_it(number: int) -> None:
    level = soup(number, caves=number % 2 == 1)
    solid = np.array([*tileset().solid, False])
    blocked = np.logical_or.reduce([solid[layer] for layer in lay_pieces(level).values()])
    assert (blocked == ~level.walkable).all()


@pytest.mark.parametrize("name", catalogue.names())
def test_every_recipe_is_laid(name: str) -> None:
    level = uc.generate(name, seed=2)
    layers = lay_pieces(level)
    assert tuple(layers) == LAYERS
    tiles = custom_pieces(level.palette).tiles
    for layer in layers.values():
        assert layer.dtype == np.int16
        assert layer.shape == level.tiles.shape
        assert layer.min() >= -1
        assert layer.max() < len(tiles)
    assert layers["terrain"].min() >= 0
    solid = np.array([*tiles.solid, False])
    assert (np.logical_or.reduce([solid[layer] for layer in layers.values()]) == ~level.walkable).all()
    roles = np.array([*tiles.roles, ""])
    for role, where in (
        ("water", "terrain"),
        ("pit", "terrain"),
        ("entry", "terrain"),
        ("exit", "terrain"),
        ("pillar", "decor"),
        ("door", "doors"),
        ("locked", "doors"),
    ):
        there = level.palette.role_mask(role)[level.tiles]
        assert (roles[layers[where]][there] == role).all()
        assert not (roles[layers[where]][~there] == role).any() or role == "pillar"  # its head is on the cell above
    assert (layers["doors"] >= 0).tolist() == level.palette.role_mask("opening", "door", "locked", "secret")[
        level.tiles
    ].tolist()


def test_doors_stand_across_the_way() -> None:
    level = Level.parse("""
        #######
        #..+..#
        ##+#'##
        #..L..#
        #.##S##
        #..#..#
        #######
    """)
    found = names(level, "doors")
    assert [found[y, x] for x, y in ((3, 1), (2, 2), (4, 2), (3, 3))] == [
        "door.ew.closed",
        "door.ns.closed",
        "door.ns.open",
        "door.ew.locked",
    ]
    assert found[4, 4] == "secret.wall.face.n"
    assert names(Level.parse("###\n.S.\n###"), "doors")[1, 1] == "secret.wall.top"
    assert names(Level.parse("###\n.S.\n###\n..."), "doors")[1, 1] == "secret.wall.top.s"


def test_a_secret_door_looks_like_the_wall_it_is_in() -> None:
    hidden = Level.parse("#####\n#...#\n##S##\n#...#\n###+#")
    plain = Level.parse("#####\n#...#\n#####\n#...#\n###+#")
    secret, wall = (np.asarray(compose_image(level)) for level in (hidden, plain))
    near = np.zeros(secret.shape[:2], bool)
    near[32:48, 32:48] = True
    assert (secret[~near] == wall[~near]).all()
    looks = [tileset().pixels[tileset().number(f"wall.face.n.{look}")][..., :3] for look in range(4)]
    assert any((tileset().pixels[lay_pieces(hidden)["doors"][2, 2]][..., :3] == look).all() for look in looks)


def test_every_piece_is_used() -> None:
    """Each is laid on some level, or stands for a thing, or marks what is secret."""
    used = {"secret.mark", *(name for name in tileset().names if name.startswith("thing."))}
    levels: list[Level] = [
        soup(number, 90, 90, signs, caves=number % 2 == 1)
        for number in range(8)
        for signs in ("#####..", "##...........", SOUP, "~~~~~~:::::::.")
    ]
    levels += [
        *_pools(),
        *_rooms_with_marks(),
        Level.parse("\n".join(["." + "X" * 40, *["#" * 41] * 30])),
        Level.parse("\n".join(["." + "#" * 60, *["#" * 61] * 40])),
    ]
    levels += [uc.generate("bsp", seed=3, size=(120, 120)), uc.generate("cave", seed=1, size=(200, 200))]
    for level in levels:
        for layer in lay_pieces(level).values():
            used |= {tileset().names[number] for number in np.unique(layer[layer >= 0]).tolist()}
    assert set(tileset().names) - used == set()


def _pools() -> Iterator[Level]:
    """Water and pits of plain shapes in a built place, with every mask in their middle; and broad ones."""
    for sign in "~:":
        for mask in BLOB_MASKS:
            cells = np.full((7, 7), ".")
            cells[0] = "#"
            cells[0, 3] = "+"
            cells[3, 3] = sign
            for bit, (dx, dy) in enumerate(((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))):
                if mask >> bit & 1:
                    cells[3 + dy, 3 + dx] = sign
            yield Level.parse("\n".join("".join(row) for row in cells.tolist()))
        yield Level.parse("\n".join(["#" * 20 + "+"] + ["." + sign * 19 + "."] * 20 + ["." * 21]))


def _rooms_with_marks() -> Iterator[Level]:
    for side in (1, 5):
        for tag in emblems.TAG_MARKS:
            cells = np.full((side + 2, side + 3), STANDARD["wall"], np.uint8)
            cells[1:-1, 1 : side + 1] = STANDARD["floor"]
            labels = np.where(cells == STANDARD["floor"], 1, 0).astype(np.int32)
            cells[0, -1] = STANDARD["door"]
            regions = Regions.of(labels)
            regions.tags[1] = ("dead end", tag)
            yield Level(cells, regions=regions, start=(1, 1) if side > 1 else None, end=(2, 1) if side > 1 else None)


def test_looks_depend_on_the_place_alone() -> None:
    level = uc.generate("bsp", seed=4, size=(60, 40))
    tiles = level.tiles.copy()
    tiles[30:39, 40:59] = STANDARD["wall"]
    changed = Level(tiles, regions=level.regions)
    for layer in ("terrain", "doors"):
        assert (lay_pieces(level)[layer][:24] == lay_pieces(changed)[layer][:24]).all()
    assert {name: layer.tobytes() for name, layer in lay_pieces(level).items()} == {
        name: layer.tobytes() for name, layer in lay_pieces(level).items()
    }


def test_it_does_not_matter_how_many_rows_are_laid_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = [soup(1, 60, 50), soup(2, 60, 50, caves=True), uc.generate("cave", seed=5, size=(70, 60))]
    whole = [lay_pieces(level) for level in levels]
    for bite in (60, 300):
        monkeypatch.setattr(tiling, "CELLS_PER_CHUNK", bite)
        for level, layers in zip(levels, whole, strict=True):
            for name, layer in lay_pieces(level).items():
                assert (layer == layers[name]).all()


def test_floors_are_as_people_or_nature_made_them() -> None:
    cave = uc.generate("cave", seed=1, size=(40, 30))
    is_stairs = cave.palette.role_mask("entry", "exit")[cave.tiles]
    assert {name.split(".")[0] for name in names(cave)[cave.walkable & ~is_stairs].tolist()} == {"earth"}
    level = Level.parse("#####\n#..,,\n#+###\n#..##")
    assert [name.split(".")[0] for name in names(level)[1, 1:]] == ["flags", "flags", "paving", "paving"]
    assert names(level)[2, 1].startswith("paving")
    for shares in (ground_tiles.FLAGSTONE_WEIGHTS, ground_tiles.PAVING_WEIGHTS, ground_tiles.EARTH_WEIGHTS):
        assert min(shares) > 0


def test_water_of_no_plain_shape_is_a_lake() -> None:
    pool = Level.parse("######+\n#.....#\n#.~~~.#\n#.~~~.#\n#.....#")
    assert {name.split(".")[0] for name in names(pool)[2:4, 2:5].reshape(-1)} == {"pool"}
    lake = Level.parse("########+\n#..~~...#\n#.~~~~~.#\n#.~~~~..#\n#~~.~~~~#\n#.......#")
    assert {name.split(".")[0] for name in names(lake)[lake.tiles == STANDARD["water"]].tolist()} == {"lake"}


def test_a_lake_in_a_cave_lies_between_natural_rocks() -> None:
    level = Level.parse("\n".join(["#" * 16, "#..." + "~" * 11 + "#", "#..." + "~" * 11 + "#", "#" * 15 + "+"]))
    labels = np.zeros(level.tiles.shape, np.int32)
    labels[1:3, 1:4] = 1
    cave = names(Level(level.tiles, regions=Regions.of(labels, "cave")))
    assert {name.split(".")[0] for name in cave[0, 1:14]} == {"rock"}
    assert {name.split(".")[0] for name in cave[1, 4:14]} == {"lake"}
    room = names(Level(level.tiles, regions=Regions.of(labels, "room")))
    assert {name.split(".")[0] for name in room[0, 1:14]} == {"wall"}
    assert {name.split(".")[0] for name in room[1, 4:14]} == {"pool"}


@pytest.mark.parametrize("name", ["bsp", "tinykeep", "cave", "rooms-and-mazes", "dungeoning"])
def test_torches_hang_on_walls_and_no_room_goes_without(name: str) -> None:
    level = uc.generate(name, seed=6)
    lie = classify_terrain(level)
    found = decor_placement.torch_cells(lie)
    ys, xs = np.nonzero(found)
    assert len(xs)
    assert lie.face[ys, xs].all()
    assert level.walkable[ys + 1, xs].all()
    assert (lay_pieces(level)["decor"][found] == tileset().number("torch")).all()
    from scipy import ndimage

    clear = lie.ground & ~level.palette.role_mask("door", "locked")[level.tiles]
    labels, count = ndimage.label(clear)
    firm = level.palette.role_mask("floor", "corridor", "entry", "exit")[level.tiles]
    for label in range(1, count + 1):
        cells = labels == label
        walls = np.zeros_like(cells)
        walls[:-1] = cells[1:] & firm[1:] & lie.face[:-1]
        if cells.sum() >= decor_placement.MIN_TORCH_ROOM_CELLS and walls.any():
            assert (walls & found).any(), label


def test_torches_along_a_wall_are_spread_evenly() -> None:
    for length in range(1, 40):
        level = Level.parse("\n".join(["#" * (length + 2), "#" + "." * length + "#", "#" * length + "+#"]))
        xs = np.flatnonzero(decor_placement.torch_cells(classify_terrain(level))[0]) - 1
        if length < 3:
            assert len(xs) <= 1
            continue
        assert len(xs) == max(1, length // decor_placement.TORCH_GAP)
        gaps = np.diff(xs)
        assert not len(gaps) or (gaps.max() - gaps.min() <= 1 and gaps.min() >= decor_placement.TORCH_GAP)
        assert abs((xs[0]) - (length - 1 - xs[-1])) <= 1


def test_nothing_small_lies_where_a_thing_stands() -> None:
    bare = uc.generate("bsp", seed=1, size=(60, 40))
    ys, xs = np.nonzero((lay_pieces(bare)["decor"] >= 0) & bare.walkable)
    full = Level(
        bare.tiles,
        regions=bare.regions,
        things=[Thing("crate", x, y) for x, y in zip(xs.tolist(), ys.tolist(), strict=True)],
    )
    assert len(xs) > 20
    assert (lay_pieces(full)["decor"][ys, xs] == -1).all()


def test_a_pillar_rises_over_the_cell_above() -> None:
    found = names(Level.parse("#####\n#...#\n#.o.#\n#.o.#\n#####"), "decor")
    assert found[1, 2] == "pillar.head"
    assert found[2, 2] == found[3, 2] == "pillar"
    assert names(Level.parse("o"), "decor").tolist() == [["pillar"]]


def test_special_rooms_are_marked() -> None:
    rooms = list(_rooms_with_marks())
    for level, tag in zip(rooms[len(rooms) // 2 :], emblems.TAG_MARKS, strict=True):
        found = names(level, "decor")
        mark = emblems.TAG_MARKS[tag]
        assert [[found[y, x] for x in (2, 3, 4)] for y in (2, 3, 4)] == [
            [f"emblem.{mark}.{3 * y + x}" for x in range(3)] for y in range(3)
        ]
    assert REGION_KINDS  # regions of any kind may be marked


# --- pictures ---


@pytest.mark.parametrize("number", range(6))
def test_a_picture_is_its_layers_pasted_together(number: int) -> None:
    level = soup(number, caves=number % 2 == 1)
    layers, tiles = lay_pieces(level), tileset()
    slow = Image.new("RGBA", (level.width * 16, level.height * 16))
    for name in LAYERS:
        for y in range(level.height):
            for x in range(level.width):
                if layers[name][y, x] >= 0:
                    slow.alpha_composite(Image.fromarray(tiles.pixels[layers[name][y, x]]), (x * 16, y * 16))
    quick = compose_image(level)
    assert quick.mode == "RGB"
    assert abs(np.asarray(quick, int) - np.asarray(slow.convert("RGB"), int)).max() <= 1


# --- things ---


def test_every_thing_that_we_ship_has_a_sprite() -> None:
    kinds = [*shipped("dungeon").types, "key", "lock", "switch", "one-way", "monster", "guard", "chest"]
    assert len(kinds) > 100
    for kind in kinds:
        assert tileset().names[thing_piece_number(kind)] == f"thing.{kind}"
    for kind in kinds:
        assert kind == "lock" or not tileset().solid[thing_piece_number(kind)]


def test_keys_have_the_colour_of_what_they_open() -> None:
    seen = {tileset().pixels[thing_piece_number("key", {"opens": colour})].tobytes() for colour in KEY_COLOURS}
    assert len(seen) == len(KEY_COLOURS)
    assert thing_piece_number("key", {"opens": "gate-1"}) == thing_piece_number("key")
    assert (
        thing_piece_number("key", {"opens": "red 2"})
        == thing_piece_number("key", {"opens": "red"})
        != thing_piece_number("key")
    )
    assert tileset().names[thing_piece_number("lock", {"key": "Purple"})] == "thing.lock.violet"


def test_a_thing_of_no_known_kind_has_a_sprite_too() -> None:
    told = {"monster": "monster", "loot": "chest", "note": "letter", "prop": "unknown", "": "unknown"}
    assert {group: tileset().names[thing_piece_number("gizmo", {"group": group})] for group in told} == {
        group: f"thing.{name}" for group, name in told.items()
    }
    assert tileset().names[thing_piece_number("one-way", {"to": 7})] == "thing.one-way"
    assert [tileset().names[thing_piece_number("one-way", {"to": side})][-1] for side in "NESW"] == list("nesw")


def test_arrows_point_where_they_lead() -> None:
    for side, turns in (("N", 0), ("W", 1), ("S", 2), ("E", 3)):
        pixels = tileset().pixels[thing_piece_number("one-way", {"to": side})]
        assert (pixels == np.rot90(tileset().pixels[thing_piece_number("one-way", {"to": "N"})], turns)).all()
    body = tileset().pixels[thing_piece_number("one-way", {"to": "N"})][..., 3] > 0
    assert body[np.flatnonzero(body.any(axis=1))[0]].sum() < body.sum(axis=1).max()  # its tip is above


def test_drawings_are_checked() -> None:
    with pytest.raises(ValueError, match="equally long"):
        render_sprite("BB\nB")
    with pytest.raises(KeyError):
        render_sprite("!!")
    for sheet in ("furniture", "relics", "monsters", "litter"):
        for name, picture in load_drawings(sheet).items():
            rows = picture.splitlines()
            assert len(rows) <= 16, name
            assert {len(row) for row in rows} <= {8} or {len(row) for row in rows} == {16}, name


def test_a_sprite_has_an_outline_and_a_shadow() -> None:
    pixels = render_sprite("....BB\n....BB")
    plain = render_sprite("....BB\n....BB", outline=False, shadow=False, lit=False)
    assert (plain[..., 3] > 0).sum() == 4
    assert (pixels[..., 3] == 255).sum() > 8
    assert ((pixels[..., 3] > 0) & (pixels[..., 3] < 255)).any()
