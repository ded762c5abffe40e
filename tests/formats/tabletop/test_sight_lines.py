"""What tokens see: the faces of walls and the torches on them, and no other room but through doors; and where light
is, there is a flame in the picture.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import undercroft as uc
from support.maps import HEAVY
from support.paths import ROOT
from support.tabletops import FACES, PLAIN, Depth, crosses, open_cells
from undercroft.analysis import reach
from undercroft.analysis.flames import FLAMES
from undercroft.analysis.player_view import for_players
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.draw.styles.pixels.placed_sprites import list_sprites, list_thing_lamps
from undercroft.draw.tileset.piece_placement import lay_pieces
from undercroft.draw.tileset.terrain import classify_terrain
from undercroft.draw.tileset.thing_sprites import FLAME_SIGNS, load_thing_drawings
from undercroft.draw.tileset.tile_sheet import tileset
from undercroft.formats import dump

Lines = NDArray[np.float64]
RECIPES = (
    "rooms-and-mazes",
    "cave",
    "cozy",
    "dungeoning",
    "diablo3",
    "bsp",
    "maze",
    "grammar",
    "catacombs",
    "locked-keep",
)
RAYS = 24
NO_IMAGE: dict[str, dict[str, Any]] = {"uvtt": {"image": "none"}, "foundry": {}}


def make(recipe: str, seed: int) -> Level:
    path = ROOT / "examples" / f"{recipe}.toml"
    return uc.generate(str(path) if path.exists() else recipe, seed=seed, size=(41, 31))


def uvtt_lines(level: Level, style: str) -> tuple[Lines, dict[str, Any]]:
    """Walls and shut doors as rows x, y, x, y; and the file."""
    found = json.loads(dump(level, "uvtt", image="none", style=style))
    lines = [*found["line_of_sight"], *(portal["bounds"] for portal in found["portals"])]
    pairs = [(a["x"], a["y"], b["x"], b["y"]) for line in lines for a, b in itertools.pairwise(line)]
    return np.array(pairs, float).reshape(-1, 4), found


def foundry_lines(level: Level, style: str) -> tuple[Lines, dict[str, Any]]:
    found = json.loads(dump(level, "foundry", style=style))
    walls = [wall["c"] for wall in found["walls"] if wall["sight"] == 20]
    return np.array(walls, float).reshape(-1, 4) / found["grid"]["size"], found


def first_hits(x: float, y: float, angles: Lines, lines: Lines) -> Lines:
    """How far one sees from a point in each direction."""
    right, down = np.cos(angles)[:, None], np.sin(angles)[:, None]
    ax, ay, bx, by = lines.T
    along_x, along_y = bx - ax, by - ay
    turn = right * along_y - down * along_x
    with np.errstate(divide="ignore", invalid="ignore"):
        far = ((ax - x) * along_y - (ay - y) * along_x) / turn
        share = ((ax - x) * down - (ay - y) * right) / turn
    far[~((far > 0) & (share >= -1e-9) & (share <= 1 + 1e-9))] = np.inf
    found: Lines = far.min(axis=1)
    return found


@pytest.mark.parametrize("style", ["pixels", "ink"])
@pytest.mark.parametrize("read", [uvtt_lines, foundry_lines])
@pytest.mark.parametrize("recipe", RECIPES)
def test_no_look_from_the_middle_of_a_square_enters_another_room(recipe: str, read: Any, style: str) -> None:
    """Doors are shut, so that each part of the ground between them is seen only from within; and nobody sees further
    into rock than the style allows.
    """
    for seed in range(1, 6 if HEAVY else 2):
        level = make(recipe, seed)
        lines, _ = read(level, style)
        doors = level.palette.role_mask("door", "locked", "secret")[level.tiles]
        doors[
            [thing.y for thing in level.things if thing.kind == "lock"], [t.x for t in level.things if t.kind == "lock"]
        ] = True
        for door in level.doors:
            doors[door.y, door.x] = door.state != "open" and doors[door.y, door.x]
        ground = open_cells(level, secrets=True) & ~doors
        parts, _ = reach.label_components(ground.view(np.uint8))
        spots = np.argwhere(ground & level.walkable)
        angles = 0.0137 + np.arange(RAYS) * 2 * np.pi / RAYS
        for y, x in spots[:: 1 if HEAVY else 3].tolist():
            far = first_hits(x + 0.5, y + 0.5, angles, lines)
            far[np.isinf(far)] = 0  # out of the map, where ground is at its edge
            steps = np.arange(0.05, 1, 0.02)[:, None] * far
            xs = (x + 0.5 + steps * np.cos(angles)).astype(int).clip(0, level.width - 1)
            ys = (y + 0.5 + steps * np.sin(angles)).astype(int).clip(0, level.height - 1)
            seen = np.unique(parts[ys, xs])
            assert {*seen.tolist()} <= {0, int(parts[y, x])}, (str(level), x, y)


@pytest.mark.parametrize(("style", "depth"), [("pixels", FACES), ("ink", PLAIN)])
@pytest.mark.parametrize("read", [uvtt_lines, foundry_lines])
def test_the_face_of_a_wall_is_seen_from_the_square_before_it(read: Any, style: str, depth: Depth) -> None:
    level = Level.parse("""
        #######
        #..####
        #....+#
        #..####
        #######
    """)
    lines, _ = read(level, style)
    face, side = map(float, depth)
    for start, end, seen in (
        ((1.5, 1.5), (1.5, 1 - face + 0.01), True),
        ((1.5, 1.5), (1.5, 1 - face - 0.01), False),
        ((1.5, 3.5), (1.5, 4 + side - 0.01), True),
        ((1.5, 3.5), (1.5, 4 + side + 0.01), False),
        ((1.5, 2.5), (1 - side + 0.01, 2.5), True),
        ((1.5, 2.5), (1 - side - 0.01, 2.5), False),
        ((4.5, 2.5), (4.5, 2 - face + 0.01), True),
        ((4.5, 2.5), (5.49, 2.5), True),
        ((4.5, 2.5), (5.51, 2.5), False),
    ):
        look = (*start, *end)
        assert seen == (not any(crosses(look, tuple(line)) for line in lines.tolist())), look


@pytest.mark.parametrize("read", [uvtt_lines, foundry_lines])
@pytest.mark.parametrize("recipe", RECIPES)
def test_lights_on_walls_are_seen_from_the_square_before_them(recipe: str, read: Any) -> None:
    level = make(recipe, 3)
    lines, found = read(level, "pixels")
    square = found["grid"]["size"] if "grid" in found else 1
    rock, count = ~open_cells(level, secrets=True), 0
    for light in found["lights"]:
        place = light.get("position", light)
        x, y = place["x"] / square, place["y"] / square
        if rock[int(y), int(x)]:
            look = (x + 0.003, int(y) + 1.5, x + 0.001, y)
            assert not any(crosses(look, tuple(line)) for line in lines.tolist()), (x, y)
            count += 1
    assert count or recipe == "grammar"


# --- flames ---


@pytest.mark.parametrize("format_name", ["uvtt", "foundry"])
def test_every_flame_of_a_thing_has_its_light_and_none_has_gone_out(format_name: str) -> None:
    """The light of a thing goes with its painted flame."""
    kinds = [kind for kind in FLAMES if kind in load_thing_drawings()]
    assert len(kinds) == 10
    level = Level.parse("\n".join(["#" * 35, *["#" + "." * 33 + "#"] * 4, "#" * 35]))
    sprites = {}
    for lit in (True, False):
        data = {"group": "prop"} if lit else {"group": "prop", "about": "burnt out"}
        things = [Thing(kind, 2 + 3 * number, 3, data) for number, kind in enumerate(kinds)]
        made = json.loads(dump(level.replace(things=things), format_name, **NO_IMAGE[format_name]))
        square = made["grid"]["size"] if "grid" in made else 1
        places = [light.get("position", light) for light in made["lights"]]
        lights = {(place["x"] / square, place["y"] / square) for place in places}
        at_things = {(thing.x + 0.5, thing.y + 0.5) for thing in things}
        assert lights & at_things == (at_things if lit else set())
        seen = for_players(level.replace(things=things))
        assert len(list_thing_lamps(seen)) == len(kinds) * lit
        sprites[lit] = list_sprites(seen, classify_terrain(seen))
        assert {sprite.glows for sprite in sprites[lit]} == {lit}
    for kind, burning, out in zip(kinds, sprites[True], sprites[False], strict=True):
        reds = [int(sprite.pixels[sprite.pixels[..., 3] == 255][:, 0].sum()) for sprite in (burning, out)]
        assert reds[1] < reds[0] - 200, kind


def test_the_sprites_with_flames_are_those_of_the_table() -> None:
    """A kind burns if its drawing has flames: the characters of fire that nothing else is drawn with."""
    fire = {kind for kind, rows in load_thing_drawings().items() if "O" in rows}
    assert {*FLAMES} & {*load_thing_drawings()} == fire | {"altar"}  # whose candles are only yellow
    assert FLAME_SIGNS == "oOYh"


@pytest.mark.parametrize("recipe", RECIPES)
def test_painted_torches_and_candles_have_their_light(recipe: str) -> None:
    level = make(recipe, 2)
    seen = for_players(level, secret_rooms=True)
    decor = lay_pieces(seen)["decor"]
    drawn = {
        (x, y): name for name in ("torch", "candles") for y, x in np.argwhere(decor == tileset().number(name)).tolist()
    }
    for format_name in ("uvtt", "foundry"):
        found = json.loads(dump(level, format_name, **NO_IMAGE[format_name]))
        square = found["grid"]["size"] if "grid" in found else 1
        places = [light.get("position", light) for light in found["lights"]]
        cells = {(int(place["x"] / square), int(place["y"] / square)) for place in places}
        assert drawn.keys() <= cells
        burning = {(thing.x, thing.y) for thing in seen.things if thing.kind in FLAMES}
        assert len(places) <= len(drawn) + len(burning)
        assert cells - drawn.keys() <= {
            (x + right, y + down) for x, y in burning for right in (0, 1) for down in (0, 1)
        }
