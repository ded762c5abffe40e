"""Scenes for Foundry: walls of every kind, lights, pins, a journal, pictures beside it.

The golden files are written anew by: PYTHONPATH=tests python tests/formats/tabletop/test_foundry.py
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import undercroft as uc
from support.maps import soup
from support.paths import TESTS
from support.tabletops import FACES, Segment, closed_parts, crosses, filled, looks, open_cells, sees
from undercroft.core.level import Level
from undercroft.core.region import Regions, Thing
from undercroft.errors import BadInput, UndercroftError
from undercroft.formats import dump, dump_files, list_lost_parts, resolve_format, resolve_suffix
from undercroft.formats.tabletop import foundry
from undercroft.formats.tabletop.foundry import SQUARE_PIXELS
from undercroft.limits import PICTURE_PIXELS

GOLDEN = TESTS / "golden" / "formats"
ROW = resolve_format("foundry")


def vault() -> Level:
    """Two rooms and a closet behind a secret door; doors of every kind; a pillar; a torch."""
    level = Level.parse("""
        ###############
        #.....#.......#
        #<.o..+.......L
        #.....#.......#
        ##S####........
        #...###.......#
        #...,,+........
        ###############
    """)
    things = [
        Thing("torch", 1, 1, {"group": "prop", "about": "burnt out & cold"}),
        Thing("brazier", 5, 3, {"group": "prop", "about": "of black iron"}),
        Thing("rat", 9, 2, {"group": "monster", "danger": 1}),
        Thing("ogre", 11, 5, {"group": "monster", "width": 2, "height": 2}),
        Thing("lock", 14, 2, {"key": "red"}),
        Thing("key", 2, 6, {"opens": "red"}),
        Thing("chest", 1, 5, {"group": "loot", "holds": "rope x2, <gold>"}),
        Thing("letter", 8, 1, {"group": "note", "text": "Burn this."}),
        Thing("one-way", 6, 6, {"to": "E"}),
    ]
    found = uc.survey(Level(level.tiles, start=level.start, things=things))
    return Level(
        level.tiles,
        regions=Regions(found.regions.labels, found.regions.table, {2: ("library",)}, {}, {2: 'The "Long" Hall'}),
        doors=found.doors,
        links=found.links,
        things=things,
        start=level.start,
        provenance={"recipe": "by hand", "seed": "18446744073709551615"},
        title="The Vault",
    )


EMBEDDED = ("walls", "lights", "notes", "levels", "tokens")
"""The collections of a scene."""


def scene(level: Level, **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(dump(level, "foundry", **options))
    return found


def journal(level: Level) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(foundry.dump_journal(level))
    return found


def faults(found: dict[str, Any], level: Level, version: int = 14) -> Iterator[str]:
    """What is wrong with a scene, apart from what its walls mean."""
    square = found["grid"]["size"]
    if (found["width"], found["height"], found["padding"]) != (level.width * square, level.height * square, 0):
        yield "the scene has another size"
    if found["grid"] != {"type": 1, "size": square, "distance": 5, "units": "ft"}:
        yield "the grid is another"
    pixels = level.width * level.height * SQUARE_PIXELS * SQUARE_PIXELS
    if pixels <= PICTURE_PIXELS.value and max(level.size) * SQUARE_PIXELS <= 8192 and square != SQUARE_PIXELS:
        yield "the grid is coarse"
    documents = [
        found,
        *(document for kind in EMBEDDED for document in found.get(kind, [])),
    ]
    if not all(re.fullmatch("[A-Za-z0-9]{16}", document["_id"]) for document in documents):
        yield "an identifier is none"
    for kind in EMBEDDED:
        if len({document["_id"] for document in found.get(kind, [])}) != len(found.get(kind, [])):
            yield f"identifiers of {kind} are not their own"
        for document in found.get(kind, []):
            if document["_key"] != f"!scenes.{kind}!{found['_id']}.{document['_id']}":
                yield "a key is wrong"
            floor = None if version == 13 else found["levels"][0]["_id"]
            if kind == "tokens" and document.get("level") != floor:
                yield "a token is on no level"
            if kind not in ("levels", "tokens") and document.get("levels") != (None if version == 13 else [floor]):
                yield "something is on no level"
    for wall in found["walls"]:
        ax, ay, bx, by = wall["c"]
        if (ax, ay) == (bx, by):
            yield "a wall has no length"
        if not all(
            type(value) is int and 0 <= value <= side
            for value, side in zip(wall["c"], (found["width"], found["height"]) * 2, strict=True)
        ):
            yield "a wall is off the map"
        for key, allowed in (
            ("move", (0, 20)),
            ("sight", (0, 10, 20)),
            ("light", (0, 10, 20)),
            ("sound", (0, 10, 20)),
            ("dir", (0, 1, 2)),
            ("door", (0, 1, 2)),
        ):
            if wall[key] not in allowed:
                yield f"{key} is {wall[key]}"
        if wall["ds"] not in (0, 1, 2):
            yield f"ds is {wall['ds']}"
    rock = [wall["c"] for wall in found["walls"] if not wall["door"] and not wall["dir"] and wall["sight"] == 20]
    lines = [[{"x": ax / square, "y": ay / square}, {"x": bx / square, "y": by / square}] for ax, ay, bx, by in rock]
    if not np.array_equal(filled(lines, level.width, level.height), open_cells(level, secrets=True)):
        yield "walls do not enclose what is open"


@pytest.mark.parametrize("version", [13, 14])
@pytest.mark.parametrize("recipe", ["rooms-and-mazes", "cave", "cozy", "dungeoning", "isaac", "grammar", "maze"])
def test_recipes(recipe: str, version: int) -> None:
    level = uc.generate(recipe, seed=version)
    assert [*faults(scene(level, version=version), level, version)] == []


@pytest.mark.parametrize("glyphs", ["##..,+", "##.+LS'~:o"])
def test_soups(glyphs: str) -> None:
    for number in range(100):
        level = soup(number, glyphs).level({})
        assert [*faults(scene(level), level)] == []


@pytest.mark.parametrize("picture", [".", "#", "S", "L", "..", ".\n+"])
def test_tiny_maps(picture: str) -> None:
    level = Level.parse(picture)
    assert [*faults(scene(level), level)] == []
    assert journal(level)["pages"][0]["name"] == "Overview"


# --- walls ---


def doors_of(found: dict[str, Any]) -> dict[tuple[int, ...], tuple[int, int]]:
    return {tuple(wall["c"]): (wall["door"], wall["ds"]) for wall in found["walls"] if wall["door"]}


def test_doors_of_every_kind() -> None:
    assert doors_of(scene(vault())) == {
        (650, 152, 650, 330): (1, 0),
        (1450, 152, 1450, 330): (1, 2),
        (170, 430, 330, 430): (2, 0),
        (650, 552, 650, 730): (1, 0),
    }


@pytest.mark.parametrize(
    ("picture", "line"),
    [
        ("#<S.#", [230, 0, 230, 100]),
        ("#.S<#", [270, 0, 270, 100]),
        ("#.S.#", [230, 0, 230, 100]),
        ("<\nS\n.", [0, 130, 100, 130]),
        (".\nS\n<", [0, 152, 100, 152]),
    ],
)
def test_a_secret_door_is_flush_with_the_wall_where_players_are(picture: str, line: list[int]) -> None:
    assert list(doors_of(scene(Level.parse(picture)))) == [tuple(line)]


def test_an_open_door_and_bars() -> None:
    level = uc.survey(Level.parse("#.+.+.#"))
    table = level.doors.table.copy()
    table["state"] = [0, 1]
    changed = Level(level.tiles, doors=type(level.doors)(table, level.doors._view), things=[Thing("portcullis", 4, 0)])
    walls = [wall for wall in scene(changed)["walls"] if wall["door"]]
    assert [(wall["ds"], wall["sight"], wall["light"], wall["move"]) for wall in walls] == [
        (1, 20, 20, 20),
        (0, 0, 0, 20),
    ]


def test_pillars_stop_the_foot_and_hide_what_is_behind_them() -> None:
    walls = [wall for wall in scene(vault())["walls"] if wall["sight"] == 10]
    assert [wall["c"] for wall in walls] == [
        [320, 220, 380, 220],
        [380, 220, 380, 280],
        [380, 280, 320, 280],
        [320, 280, 320, 220],
    ]
    assert {wall["move"] for wall in walls} == {20}


def stops(wall: dict[str, Any], x: float, y: float) -> bool:
    """Whether a wall stops what comes from a point. Foundry's words for it are that 1 stops what strikes the left side,
    and 2 what strikes the right one.

    Its code says the same in two other ways, and both are held here: 1 acts along the wall turned by a quarter as the
    clock goes (y is down); and a wall is left out if the sign of the triangle of its ends and the point, less than 0
    for 1, is that of its own `dir`.
    """
    if not wall["dir"]:
        return True
    ax, ay, bx, by = wall["c"]
    along, across = (bx - ax, by - ay), ((ax + bx) / 2 - x, (ay + by) / 2 - y)
    turned = (-along[1], along[0]) if wall["dir"] == 1 else (along[1], -along[0])
    struck = bool(turned[0] * across[0] + turned[1] * across[1] > 0)
    sign = (ay - y) * (bx - x) - (ax - x) * (by - y)
    assert struck == (wall["dir"] != (1 if sign < 0 else 2))
    return struck


@pytest.mark.parametrize(("to", "step"), [("N", (0, -1)), ("E", (1, 0)), ("S", (0, 1)), ("W", (-1, 0))])
@pytest.mark.parametrize("glyph", ["+", "'", "."])
def test_one_way(to: str, step: tuple[int, int], glyph: str) -> None:
    level = Level.parse(f"...\n.{glyph}.\n...")
    found = scene(Level(level.tiles, things=[Thing("one-way", 1, 1, {"to": to})]))
    [wall] = [wall for wall in found["walls"] if wall["dir"]]
    ahead, behind = ((150 + sign * 100 * step[0], 150 + sign * 100 * step[1]) for sign in (1, -1))
    assert stops(wall, *ahead)
    assert not stops(wall, *behind)
    assert crosses((*behind, *ahead), tuple(wall["c"]))
    assert (wall["move"], wall["sight"], wall["light"], wall["door"]) == (20, 0, 0, 0)
    assert len(doors_of(found)) == (glyph == "+")


@pytest.mark.parametrize("glyphs", ["###...", "##...S"])
def test_looks_pass_walls_as_they_pass_cells(glyphs: str) -> None:
    for number in range(30):
        level = _secrets_between_walls(soup(number, glyphs, most=9).level({}))
        walls = [
            tuple(value / SQUARE_PIXELS for value in wall["c"]) for wall in scene(level)["walls"] if wall["sight"] == 20
        ]
        opaque, ground = level.palette.opaque[level.tiles], open_cells(level, secrets=True)
        parts = closed_parts(ground, FACES)
        doors = list(secret_door_lines(opaque & ground, opaque))
        for look in looks(number, 40, ~opaque):
            free = sees(look, parts) and not any(crosses(look, door) for door in doors)
            assert free == (not any(crosses(look, wall) for wall in walls)), (str(level), look)


def secret_door_lines(doors: np.ndarray[Any, Any], shut: np.ndarray[Any, Any]) -> Iterator[Segment]:
    """Lines in the line of the left or upper wall, to the middle of the squares beside them."""
    solid = np.pad(shut, 1, constant_values=True)
    for y, x in np.argwhere(doors).tolist():
        if solid[y, x + 1] and solid[y + 2, x + 1]:
            yield x + 0.3, y - 0.5, x + 0.3, y + 1.5
        else:
            yield x - 0.5, y + 0.3, x + 1.5, y + 0.3


def _secrets_between_walls(level: Level) -> Level:
    """The level without secret doors that stand in the open or side by side."""
    rock = np.pad(level.palette.role_mask("wall", "void")[level.tiles], 1, constant_values=True)
    between = (rock[:-2, 1:-1] & rock[2:, 1:-1]) | (rock[1:-1, :-2] & rock[1:-1, 2:])
    tiles = level.tiles.copy()
    tiles[level.palette.role_mask("secret")[tiles] & ~between] = level.palette["wall"]
    return Level(tiles)


def test_smooth_walls() -> None:
    cave = uc.generate("cave", seed=1)
    found = scene(cave, smooth=True)
    assert [*faults(found, cave)] == []
    assert any(wall["c"][0] != wall["c"][2] and wall["c"][1] != wall["c"][3] for wall in found["walls"])


# --- lights, pins, journal ---


def test_lights() -> None:
    found = scene(vault())
    light, *on_walls = found["lights"]
    assert (light["x"], light["y"], light["config"]["bright"], light["config"]["dim"]) == (550, 350, 30, 60)
    assert {(light["y"] % 100, light["config"]["bright"]) for light in on_walls} == {(57, 20)}
    assert scene(vault(), style="ink")["lights"] == [light]
    assert re.fullmatch("#[0-9a-f]{6}", light["config"]["color"])
    assert found["environment"] == {"darknessLevel": 1, "globalLight": {"enabled": False}}
    bare = scene(vault(), lights="none")
    assert bare["lights"] == []
    assert bare["environment"] == {"darknessLevel": 0, "globalLight": {"enabled": True}}
    assert len(scene(vault(), lights="rooms")["lights"]) == 3


def test_a_pin_and_a_page_for_each_room() -> None:
    level = vault()
    found, pages = scene(level), journal(level)
    assert found["journal"] == pages["_id"]
    names = {page["_id"]: page["name"] for page in pages["pages"]}
    assert [(note["text"], names[note["pageId"]]) for note in found["notes"]] == [
        ("1", "1"),
        ("2", '2 The "Long" Hall'),
        ("3", "3"),
    ]
    assert {note["entryId"] for note in found["notes"]} == {pages["_id"]}
    for note in found["notes"]:
        assert (
            level.regions.at(note["x"] // SQUARE_PIXELS, note["y"] // SQUARE_PIXELS)
            == level.regions[int(note["text"]) - 1]
        )
    assert pages["name"] == found["name"] == "The Vault"
    assert {*pages["ownership"].values()} == {0}


def test_the_journal_tells_what_is_there() -> None:
    first, hall, closet = (page["text"]["content"] for page in journal(vault())["pages"][1:])
    assert first == (
        "<p>This room measures 5 by 3 squares. Players come in here.</p>"
        "<h3>Ways out</h3><ul><li>A door leads to room 2.</li><li>A secret door leads to room 3.</li>"
        "<li>Stairs lead up.</li></ul>"
        "<h3>Here</h3><ul><li>A torch: burnt out &amp; cold.</li><li>A brazier: of black iron.</li></ul>"
    )
    assert "<li>A chest holds rope x2 and &lt;gold&gt;.</li>" in closet
    assert "<li>The red key is here. It opens the door of room 2.</li>" in closet
    assert "<li>A letter reads: “Burn this.”</li>" in hall
    assert "This room measures 8 by 6 squares. It is marked as library." in hall
    level = journal(vault())["pages"][0]["text"]["content"]
    assert "The Vault measures 15 by 8 squares and has 3 rooms. Players come in at room 1." in level
    assert "<h3>Stairs</h3><ul><li>Stairs in room 1 lead up.</li></ul>" in level
    assert "<h3>Keys</h3><ul><li>The red key is in room 3. It opens the door of room 2.</li></ul>" in level
    assert "seed 18446744073709551615" in level


def test_the_journal_of_a_floor_names_the_floors_that_its_stairs_lead_to(tmp_path: Path) -> None:
    upper, lower = (Level.parse("#...#").replace(title=title) for title in ("The Crypt", "The Well of <Ash>"))
    dungeon = uc.Dungeon.of({"1": upper, "2": lower}, [("1", (3, 0), "2", (2, 0))])
    dungeon.save(tmp_path / "crypt", "foundry", style="plain", cell=8)
    told = [
        json.loads((tmp_path / "crypt" / f"{name}-journal.json").read_text(encoding="utf-8"))["pages"]
        for name in ("01", "02")
    ]
    assert "lead down to floor 2, The Well of &lt;Ash&gt;." in told[0][0]["text"]["content"]
    assert "<li>Stairs lead up to floor 1, The Crypt.</li>" in told[1][1]["text"]["content"]
    alone = journal(dungeon["1"])["pages"]
    assert "lead down to floor 2." in alone[0]["text"]["content"]


def test_monsters_are_hidden_tokens_without_actors() -> None:
    for version, floor in ((13, None), (14, "levels")):
        found = scene(vault(), version=version)
        assert [(token["name"], token["x"], token["y"], token["width"]) for token in found["tokens"]] == [
            ("Rat", 900, 200, 1),
            ("Ogre", 1100, 500, 2),
        ]
        for token in found["tokens"]:
            assert (token["actorId"], token["actorLink"], token["hidden"], token["disposition"]) == (
                None,
                False,
                True,
                -1,
            )
            assert token["texture"]["src"].startswith("icons/")
            assert token.get("level") == (found[floor][0]["_id"] if floor else None)
    assert [token["_id"] for token in scene(vault())["tokens"]] == [token["_id"] for token in found["tokens"]]


@pytest.mark.parametrize(
    ("size", "cell", "square"),
    [
        ((61, 41), None, 100),
        ((81, 49), None, 100),
        ((81, 60), None, 90),
        ((100, 20), None, 81),
        ((9, 9), 70, 70),
        ((9, 9), 12, 60),
    ],
)
def test_a_square_of_the_scene_has_the_pixels_of_the_picture(
    size: tuple[int, int], cell: int | None, square: int
) -> None:
    level = Level(np.full(size[::-1], 2, np.uint8))
    found = scene(level, style="plain", **({} if cell is None else {"cell": cell}))
    assert found["grid"]["size"] == square
    assert (found["width"], found["height"]) == (size[0] * square, size[1] * square)
    if level.tiles.size < 3000:
        files = foundry.dump_siblings(level, "map", style="plain", cell=cell)
        with Image.open(io.BytesIO(files["map-player.webp"])) as image:
            assert square % (image.width / size[0]) == 0
            assert cell is not None or image.width == size[0] * square


def test_players_learn_nothing_from_pins() -> None:
    assert {note["text"] for note in scene(vault())["notes"]} == {"1", "2", "3"}


# --- versions, pictures, origin ---


def test_versions_keep_the_picture_where_they_look_for_it() -> None:
    new, old = scene(vault(), stem="crypt"), scene(vault(), stem="crypt", version=13, folder="worlds/mine/")
    assert new["levels"][0]["background"] == {"src": "crypt-player.webp"}
    assert "background" not in new
    assert old["background"] == {"src": "worlds/mine/crypt-player.webp"}
    assert "levels" not in old


def test_the_files_beside_it() -> None:
    files = dump_files(vault(), "out/crypt.fvtt.json", ROW, style="plain", cell=12, folder="maps")
    assert [str(path) for path in files] == [
        "out/crypt-player.webp",
        "out/crypt-gm.webp",
        "out/crypt-journal.json",
        "out/crypt.fvtt.json",
    ]
    pictures = [Image.open(io.BytesIO(data)) for path, data in files.items() if path.suffix == ".webp"]
    assert [picture.size for picture in pictures] == [(15 * 12, 8 * 12)] * 2
    assert pictures[0].tobytes() != pictures[1].tobytes()
    found = json.loads(files[Path("out/crypt.fvtt.json")])
    assert found["levels"][0]["background"]["src"] == "maps/crypt-player.webp"


def test_suffixes() -> None:
    assert resolve_suffix("crypt.fvtt.json").name == "foundry"
    assert resolve_suffix("a.b.FVTT.JSON").name == "foundry"
    assert resolve_suffix("crypt.json").name == resolve_suffix("fvtt.json").name == "json"


def test_how_it_was_made_is_kept() -> None:
    assert ROW.origin is not None
    assert ROW.origin(dump(vault(), "foundry"), "a.fvtt.json") == {"recipe": "by hand", "seed": "18446744073709551615"}


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b"[]",
        b'{"flags": {"undercroft": 1}}',
        b'{"flags": {"undercroft": {"origin": "[]"}}}',
        b'{"flags": [',
        b"",
    ],
)
def test_files_of_others_do_not_tell(data: bytes) -> None:
    assert ROW.origin is not None
    with pytest.raises(UndercroftError, match=r"a\.json"):
        ROW.origin(data, "a.json")


def test_identifiers_belong_to_the_level() -> None:
    one, other = scene(Level.parse("#.#")), scene(Level.parse("#..#"))
    assert one["_id"] != other["_id"]
    assert scene(vault()) == scene(vault())


@pytest.mark.parametrize(
    "options", [{"version": 12}, {"version": "14"}, {"lights": "all"}, {"walls": 3}, {"smooth": 1}, {"folder": 7}]
)
def test_mistakes(options: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        scene(vault(), **options)


def test_half_a_character_is_told() -> None:
    level = vault()
    with pytest.raises(BadInput, match="half a character"):
        dump(Level(level.tiles, title="\ud800"), "foundry")


def test_what_is_left_out_is_told() -> None:
    assert list_lost_parts(vault(), ROW) == ()


@pytest.mark.parametrize("name", ["vault.fvtt.json", "vault-journal.json"])
def test_golden(name: str) -> None:
    assert golden()[name] == (GOLDEN / name).read_bytes()


def golden() -> dict[str, bytes]:
    return {
        "vault.fvtt.json": dump(vault(), "foundry", stem="vault"),
        "vault-journal.json": foundry.dump_journal(vault(), "vault"),
    }


# --- Foundry's own program ---

PACKING = """
const {compilePack, extractPack} = await import(process.argv[2]);
for (const kind of ["scenes", "journal"]) {
  await compilePack(`source/${kind}`, `packs/${kind}`);
  await extractPack(`packs/${kind}`, `unpacked/${kind}`);
}
"""


def test_foundrys_packer_gives_back_what_it_was_given(tmp_path: Path) -> None:
    package = Path(os.environ.get("NODE_PATH", "node_modules")) / "@foundryvtt" / "foundryvtt-cli" / "index.mjs"
    node = shutil.which("node")
    if not node or not package.exists():
        pytest.skip("needs node and the npm package @foundryvtt/foundryvtt-cli in the folder NODE_PATH")
    for kind, data in (("scenes", dump(vault(), "foundry")), ("journal", foundry.dump_journal(vault()))):
        (tmp_path / "source" / kind).mkdir(parents=True)
        (tmp_path / "source" / kind / "vault.json").write_bytes(data)
    (tmp_path / "pack.mjs").write_text(PACKING, encoding="utf-8")
    subprocess.run(
        [node, "pack.mjs", str(package.resolve())], cwd=tmp_path, check=True, capture_output=True, timeout=60
    )
    for kind, given in (("scenes", scene(vault())), ("journal", journal(vault()))):
        [file] = (tmp_path / "unpacked" / kind).iterdir()
        back = json.loads(file.read_text(encoding="utf-8"))
        for key, value in given.items():
            assert _sorted(back[key]) == _sorted(value), key


def _sorted(value: Any) -> Any:
    return sorted(value, key=lambda document: document["_id"]) if isinstance(value, list) else value


# --- the checks themselves ---

DAMAGES: list[tuple[str, Callable[[dict[str, Any]], Any]]] = [
    ("another size", lambda found: found.update(padding=0.25)),
    ("identifier is none", lambda found: found.update(_id="short")),
    ("not their own", lambda found: found["walls"].append(found["walls"][0])),
    ("on no level", lambda found: found["walls"][0].pop("levels")),
    ("key is wrong", lambda found: found["walls"][0].update(_key="!walls!x")),
    ("no length", lambda found: found["walls"][0].update(c=[100, 100, 100, 100])),
    ("off the map", lambda found: found["walls"][0].update(c=[100, 100, 1600, 100])),
    ("enclose", lambda found: found["walls"].pop(1)),
    ("door is 3", lambda found: found["walls"][0].update(door=3)),
]


@pytest.mark.parametrize(("fault", "damage"), DAMAGES, ids=[fault for fault, _ in DAMAGES])
def test_the_check_sees(fault: str, damage: Callable[[dict[str, Any]], Any]) -> None:
    found = scene(vault())
    assert [*faults(found, vault())] == []
    damage(found)
    assert any(fault in told for told in faults(found, vault())), [*faults(found, vault())]


if __name__ == "__main__":
    for file_name, written in golden().items():
        (GOLDEN / file_name).write_bytes(written)
