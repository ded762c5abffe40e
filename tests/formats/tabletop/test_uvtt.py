"""Universal VTT maps: walls that enclose what is open, doors, lights and pictures, as every importer wants them.

The golden file is written anew by: PYTHONPATH=tests python tests/formats/tabletop/test_uvtt.py
"""

from __future__ import annotations

import base64
import copy
import io
import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image

import undercroft as uc
from support.maps import HEAVY, random_grid, soup
from support.paths import ROOT, TESTS
from support.tabletops import (
    PLAIN,
    closed_parts,
    crosses,
    door_lines,
    lies_on,
    looks,
    open_cells,
    sees,
    uvtt_faults,
    walls_of,
)
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.errors import BadInput, TooBig, UndercroftError
from undercroft.formats import dump, list_lost_parts, resolve_format, resolve_suffix
from undercroft.formats.tabletop import wall_lines
from undercroft.formats.tabletop import walls as sight
from undercroft.formats.tabletop.wall_lines import trace_corners

EXAMPLES = ROOT / "examples"
GOLDEN = TESTS / "golden" / "formats" / "lair.uvtt"

STANDARD = """
    ########
    #..+...#
    #..#...#
    ####...#
    #~~....#
    ########
"""
LAIR = """
    ###############
    #11111#2222222#
    #11o11+22###22#
    #11111#22#:#22#
    ##S####22###22#
    #33#~~#2222222#
    #33L.<'2222o22#
    ###############
"""


def lair() -> Level:
    """A level with doors of all kinds, water, a pit in a ring of walls, pillars, things that burn and one that does
    not.
    """
    level = Level.parse(LAIR)
    things = [
        Thing("torch", 1, 1, {"group": "prop"}),
        Thing("goblin", 4, 2, {"group": "monster"}),
        Thing("hearth", 11, 5, {"group": "prop", "width": 2, "height": 1}),
    ]
    return uc.survey(
        Level(
            level.tiles, regions=level.regions, things=things, provenance={"by": "hand", "seed": "18446744073709551615"}
        )
    )


def document(level: Level, **options: Any) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(dump(level, "uvtt", **{"style": "plain", "cell": 6} | options))
    return made


# --- the map that was tried in other programs ---


def test_ten_walls_and_a_door() -> None:
    made = document(Level.parse(STANDARD))
    assert len(list(walls_of(made["line_of_sight"]))) == 10
    assert len(made["line_of_sight"]) == 1
    assert made["portals"] == [
        {
            "position": {"x": 3.5, "y": 1.5},
            "bounds": [{"x": 3.5, "y": 0.7}, {"x": 3.5, "y": 2.3}],
            "rotation": pytest.approx(np.pi / 2, abs=1e-5),
            "closed": True,
            "freestanding": False,
        }
    ]
    assert made["format"] == 0.3
    assert made["resolution"]["map_size"] == {"x": 8, "y": 6}
    assert uvtt_faults(made, Level.parse(STANDARD)) == []


def test_the_golden_file() -> None:
    assert without_picture() == GOLDEN.read_bytes()


def without_picture() -> bytes:
    """The file of the lair, byte for byte, but for the picture, which compressors write in different ways."""
    data, count = re.subn(rb'"image":"[^"]+"', b'"image":""', dump(lair(), "uvtt", style="plain", cell=6))
    assert count == 1
    return data


# --- every level ---

ROOMS = ("bsp", "rooms-and-mazes", "isaac", "cozy", "dungeoning", "tinykeep")
CAVES = ("cave", "walk", "galak-z", "diablo3")


@pytest.mark.parametrize("recipe", [*ROOMS, *CAVES, "maze", "grammar", "templates"])
@pytest.mark.parametrize("seed", [1, 2])
def test_recipes(recipe: str, seed: int) -> None:
    level = uc.generate(recipe, seed=seed)
    assert uvtt_faults(document(level, cell=3, lights="rooms"), level) == []


@pytest.mark.parametrize("recipe", [*CAVES, "rooms-and-mazes"])
def test_smooth_walls_change_no_cell_s_side(recipe: str) -> None:
    for seed in range(3):
        level = uc.generate(recipe, seed=seed)
        assert uvtt_faults(document(level, cell=3, smooth=True), level, curved=True) == []


@pytest.mark.parametrize("example", ["priory", "smugglers-cave", "glades"])
def test_smooth_walls_and_doors_leave_no_gap_that_was_not_there(example: str) -> None:
    sound = 0
    for seed in range(4):
        level = uc.generate(str(EXAMPLES / f"{example}.toml"), seed=seed)
        before = uvtt_faults(document(level, cell=1), level)  # water may have broken into the wall beside a door
        assert uvtt_faults(document(level, cell=1, smooth=True), level, curved=True) == before
        sound += not before
    assert sound


def test_smooth_walls_are_smooth_where_nature_made_them_and_have_few_points() -> None:
    cave = uc.generate("cave", seed=3)
    stairs, slopes = (
        list(walls_of(document(cave, cell=3, smooth=smooth)["line_of_sight"])) for smooth in (False, True)
    )
    slanted = [wall for wall in slopes if wall[0] != wall[2] and wall[1] != wall[3]]
    assert len(slanted) > len(slopes) / 2
    assert len(slopes) < 1.4 * len(stairs)
    rooms = uc.generate("rooms-and-mazes", seed=3)
    assert document(rooms, smooth=True, cell=3)["line_of_sight"] != []
    assert {wall[0] % 1 for wall in walls_of(document(rooms, smooth=True, cell=3)["line_of_sight"])} == {0.0}


@pytest.mark.parametrize("glyphs", ["##..,+", "##.+LS'~:o", "#."])
def test_soups(glyphs: str) -> None:
    for number in range(150):
        level = soup(number, glyphs).level({})
        assert uvtt_faults(document(level, cell=2), level, neat=False) == []


@pytest.mark.parametrize(
    "picture", [".", "#", "+", "S", "....", ".\n.\n.\n", "#.#", ".#.\n#.#\n.#.", "+++\n+.+\n+++", "...\n.#.\n..."]
)
def test_tiny_maps(picture: str) -> None:
    level = Level.parse(picture)
    assert uvtt_faults(document(level), level, neat=False) == []


def test_cells_that_touch_by_a_corner_stay_apart_and_lines_begin_at_different_points() -> None:
    lines = [line.tolist() for line in trace_corners(np.array([[1, 0, 1], [0, 1, 0], [1, 0, 1]], bool)).lines()]
    assert [len(line) for line in lines] == [5] * 5
    assert len({tuple(line[0]) for line in lines}) == 5


def test_outlines_are_those_that_pictures_have() -> None:
    from undercroft.draw.pen import contour

    for number in range(300):
        cells = random_grid(number, 1 + number % 9, 1 + number % 7, 0.3 + number % 5 / 10).astype(bool)
        quick = [line.tolist() for line in trace_corners(cells).lines()]
        others = [loop.points.tolist() for loop in contour.trace_outlines(cells)]
        assert sorted(_turned(line) for line in others) == sorted(line[:-1] for line in quick)


def _turned(line: list[list[float]]) -> list[list[float]]:
    first = min(range(len(line)), key=lambda at: (line[at][1], line[at][0]))
    return line[first:] + line[:first]


def test_a_large_map_of_nothing_but_corners() -> None:
    level = Level((np.indices((200, 200)).sum(axis=0) % 2 + 1).astype(np.uint8))
    made = document(level, cell=1)
    assert len(made["line_of_sight"]) == 20_000


# --- who sees whom ---


@pytest.mark.parametrize("glyphs", ["###...", "##..,L+", "#....S"])
def test_looks_pass_walls_as_they_pass_cells(glyphs: str) -> None:
    seen = 0
    for number in range(40 if HEAVY else 15):
        level = _doors_between_walls(soup(number, glyphs, most=9).level({}))
        made = document(level, cell=1)
        walls = [*walls_of(made["line_of_sight"]), *walls_of([portal["bounds"] for portal in made["portals"]])]
        opaque, ground = level.palette.opaque[level.tiles], open_cells(level)
        parts = closed_parts(ground, PLAIN)
        doors = door_lines(level, [(x, y) for y, x in np.argwhere(opaque & ground).tolist()], opaque)
        for look in looks(number, 40, ~opaque):
            free = not any(crosses(look, wall) for wall in walls)
            assert free == (sees(look, parts) and not any(crosses(look, door) for door in doors)), (str(level), look)
            seen += free
    assert seen > 80


def _doors_between_walls(level: Level) -> Level:
    """The level without doors that stand in the open, because nobody can tell how those would close."""
    solid = np.pad(level.palette.role_mask("wall", "void", "secret")[level.tiles], 1, constant_values=True)
    between = (solid[:-2, 1:-1] & solid[2:, 1:-1]) | (solid[1:-1, :-2] & solid[1:-1, 2:])
    tiles = level.tiles.copy()
    tiles[level.palette.role_mask("door", "locked")[tiles] & ~between] = level.palette["wall"]
    settled = Level(tiles)
    return settled if np.array_equal(tiles, level.tiles) else _doors_between_walls(settled)


# --- doors ---


def test_every_door_hangs_between_two_walls_also_if_it_is_a_double_one() -> None:
    level = Level.parse("""
        #######
        #..+..#
        #..+..#
        ##++###
        #.....#
        #######
    """)
    made = document(level)
    assert [portal["rotation"] > 1 for portal in made["portals"]] == [True, True, False, False]
    lines = [tuple((point["x"], point["y"]) for point in portal["bounds"]) for portal in made["portals"]]
    assert lines == [((3.5, 0.7), (3.5, 2)), ((3.5, 2), (3.5, 3)), ((1.7, 3.5), (3, 3.5)), ((3, 3.5), (4.3, 3.5))]


def test_secret_doors_are_wall_and_openings_are_nothing() -> None:
    level = Level.parse("""
        #####
        #.S.#
        ##'##
        #...#
        #####
    """)
    wall = Level.parse("""
        #####
        #.#.#
        ##.##
        #...#
        #####
    """)
    assert document(level)["line_of_sight"] == document(wall)["line_of_sight"]
    assert document(level)["portals"] == []


def test_bars_can_be_looked_through() -> None:
    level = Level.parse("#.+.'.#")
    barred = Level(level.tiles, things=[Thing("portcullis", 2, 0), Thing("window", 4, 0), Thing("window", 0, 0)])
    assert [(portal["position"]["x"], portal["closed"]) for portal in document(barred)["portals"]] == [
        (2.5, False),
        (4.5, False),
    ]


def test_a_lock_or_a_row_says_more_of_a_door_than_its_tile() -> None:
    level = Level.parse("#.+.+.L.S#")
    assert sight.find_doors(level).state.tolist() == [1, 1, 2, 3]
    locked = Level(level.tiles, things=[Thing("lock", 2, 0, {"key": "red"}), Thing("lock", 8, 0), Thing("lock", 1, 0)])
    assert sight.find_doors(locked).state.tolist() == [2, 1, 2, 3]
    found = uc.survey(level).doors
    table = found.table.copy()
    table["state"] = [0, 3, 1, 3]
    assert sight.find_doors(Level(level.tiles, doors=type(found)(table, found._view))).state.tolist() == [0, 3, 1, 3]


def test_pillars_are_objects() -> None:
    made = document(lair())
    assert made["objects_line_of_sight"][0] == [
        {"x": x, "y": y} for x, y in ((3.2, 2.2), (3.8, 2.2), (3.8, 2.8), (3.2, 2.8), (3.2, 2.2))
    ]
    assert len(made["objects_line_of_sight"]) == 2


# --- lights ---


def test_lights_burn_where_things_do() -> None:
    made = document(lair())
    assert [(light["position"], light["range"], light["color"]) for light in made["lights"]] == [
        ({"x": 1.5, "y": 1.5}, 4, "ffffb45e"),
        ({"x": 12.0, "y": 5.5}, 5, "ffffb45e"),
    ]
    assert document(lair(), lights="none")["lights"] == []
    assert len(document(lair(), lights="rooms")["lights"]) == len(lair().rooms)


def test_a_torch_in_rock_gives_no_light() -> None:
    assert document(Level(Level.parse("#.#").tiles, things=[Thing("torch", 0, 0)]))["lights"] == []


# --- pictures ---


def image(made: dict[str, Any]) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(made["image"])))


@pytest.mark.parametrize(("width", "height"), [(3, 5), (5, 3), (4, 4)])
def test_padding_to_a_square_adds_rock(width: int, height: int) -> None:
    level = Level(np.full((height, width), 2, np.uint8))
    made = document(level, pad="square")
    assert made["resolution"]["map_size"] == {"x": max(width, height), "y": max(width, height)}
    assert image(made).size == (6 * max(width, height),) * 2
    side, rock = max(width, height), level.palette["wall"]
    padded = np.pad(level.tiles, ((0, side - height), (0, side - width)), constant_values=rock)
    assert made["line_of_sight"] == document(Level(padded))["line_of_sight"]


def test_the_picture_is_the_players_unless_asked_otherwise() -> None:
    player, gm = (image(document(lair(), **options)).convert("RGB").tobytes() for options in ({}, {"view": "gm"}))
    assert player != gm
    assert player == Image.open(io.BytesIO(dump(lair(), "png:player", style="plain", cell=6))).convert("RGB").tobytes()
    assert gm == Image.open(io.BytesIO(dump(lair(), "png:gm", style="plain", cell=6))).convert("RGB").tobytes()


def test_light_in_the_picture_is_told() -> None:
    assert document(lair())["environment"] == {"baked_lighting": False, "ambient_light": "ffffffff"}
    assert document(lair(), style="pixels", cell=16)["environment"]["baked_lighting"] is True


def test_webp() -> None:
    made = document(lair(), image="webp", cell=10)
    assert uvtt_faults(made, lair()) == []
    assert image(made).format == "WEBP"


def test_without_a_picture() -> None:
    made = document(lair(), image="none")
    assert made.pop("image") == ""
    assert made == {key: value for key, value in document(lair()).items() if key != "image"}


def test_squares_are_70_pixels_or_fewer_if_the_map_is_large() -> None:
    assert document(lair(), cell=None)["resolution"]["pixels_per_grid"] == 70
    wide = Level(np.full((1, 3000), 2, np.uint8))
    assert 0 < document(wide, cell=None)["resolution"]["pixels_per_grid"] < 6
    with pytest.raises(TooBig):
        document(wide, cell=70)


# --- the rest of the format ---


def test_how_it_was_made_is_kept() -> None:
    row = resolve_format("uvtt")
    assert row.origin is not None
    assert row.origin(dump(lair(), "uvtt", style="plain", cell=2), "lair.uvtt") == {
        "by": "hand",
        "seed": "18446744073709551615",
    }


@pytest.mark.parametrize(
    "data",
    [b"{}", b"[]", b'{"undercroft": 7}', b'{"undercroft": "7"}', b'{"undercroft": "{"}', b"\xff", b"", b"{" * 99],
)
def test_files_of_others_do_not_tell(data: bytes) -> None:
    row = resolve_format("uvtt")
    assert row.origin is not None
    with pytest.raises(UndercroftError, match=r"a\.uvtt"):
        row.origin(data, "a.uvtt")


@pytest.mark.parametrize("name", ["a.dd2vtt", "a.uvtt", "A.DF2VTT"])
def test_suffixes(name: str) -> None:
    assert resolve_suffix(name).name == "uvtt"


def test_what_is_left_out_is_told() -> None:
    assert {"things", "links", "regions"} <= {*list_lost_parts(lair(), resolve_format("uvtt"))}


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"view": "players"}, "unknown view 'players'"),
        ({"pad": "round"}, "unknown way to pad 'round'"),
        ({"lights": "candles"}, "unknown kind of lights"),
        ({"image": "jpeg"}, "unknown kind of picture"),
        ({"style": "pink"}, "unknown style"),
        ({"cell": 0}, "a whole number of pixels"),
        ({"walls": 1}, "unknown option"),
        ({"smooth": "yes"}, "true or false, not 'yes'"),
        ({"lights": 3}, "unknown kind of lights"),
        ({"pad": True}, "unknown way to pad"),
    ],
)
def test_mistakes(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        document(lair(), **options)


def test_same_bytes_every_time() -> None:
    assert dump(lair(), "uvtt", style="plain", cell=4) == dump(lair(), "uvtt", style="plain", cell=4)


# --- the checks themselves ---


def _moved(made: dict[str, Any], **where: float) -> None:
    made["portals"][0]["position"].update(where)


DAMAGES: list[tuple[str, Callable[[dict[str, Any]], Any]]] = [
    ("line_of_sight is no list", lambda made: made.pop("line_of_sight")),
    ("format is no float", lambda made: made.update(format="0.3")),
    ("MapTool takes", lambda made: made.update(format=1.0)),
    ("MapTool wants whole", lambda made: made["resolution"].update(pixels_per_grid=6.0)),
    ("not closed", lambda made: made["line_of_sight"][0].pop()),
    ("no length", lambda made: made["line_of_sight"][0].insert(1, made["line_of_sight"][0][0])),
    (
        "two walls in a row are one",
        lambda made: made["line_of_sight"][0].insert(1, {"x": 2, "y": made["line_of_sight"][0][0]["y"]}),
    ),
    ("off the grid", lambda made: made["line_of_sight"][0][1].update(x=5.5)),
    ("do not enclose", lambda made: made["line_of_sight"].pop()),
    ("by a wall without length", lambda made: made["line_of_sight"].append(copy.deepcopy(made["line_of_sight"][0]))),
    ("not in the middle of a door", lambda made: _moved(made, x=2.5)),
    ("across its square", lambda made: made["portals"][0]["bounds"][0].update(x=6)),
    ("is turned", lambda made: made["portals"][0].update(rotation=0)),
    ("missing or there twice", lambda made: made["portals"].pop()),
    ("hangs in the air", lambda made: [made["line_of_sight"].pop(0) for _ in range(2)]),
    ("no closed door", lambda made: made["portals"][0].update(closed=False)),
    ("in rock", lambda made: made["lights"][0]["position"].update(x=0.5)),
    ("AARRGGBB", lambda made: made["lights"][0].update(color="#ffaa00")),
    ("not base64", lambda made: made.update(image="data:image/png;base64," + made["image"])),
    ("neither PNG nor WebP", lambda made: made.update(image=base64.b64encode(b"GIF89a").decode())),
    ("where (90, 48) belongs", lambda made: made.update(image=document(Level.parse("#"))["image"])),
]


@pytest.mark.parametrize(("fault", "damage"), DAMAGES, ids=[fault for fault, _ in DAMAGES])
def test_the_check_sees(fault: str, damage: Callable[[dict[str, Any]], Any]) -> None:
    made = document(lair())
    assert uvtt_faults(made, lair()) == []
    damage(made)
    assert any(fault in found for found in uvtt_faults(made, lair())), uvtt_faults(made, lair())


def test_the_looks_see_a_wall_that_is_missing() -> None:
    level = lair()
    made = document(level)
    walls = list(walls_of(made["line_of_sight"][1:]))
    opaque, parts = level.palette.opaque[level.tiles], closed_parts(open_cells(level), PLAIN)
    assert any(sees(look, parts) != (not any(crosses(look, wall) for wall in walls)) for look in looks(1, 400, ~opaque))


def test_open_cells_and_points_on_lines() -> None:
    assert open_cells(Level.parse("#.S+")).tolist() == [[False, True, False, True]]
    assert lies_on((1, 1), (0, 1, 2, 1))
    assert not lies_on((3, 1), (0, 1, 2, 1))
    assert wall_lines.trace_corners(np.zeros((1, 1), bool)).sizes.tolist() == []


if __name__ == "__main__":
    GOLDEN.write_bytes(without_picture())
