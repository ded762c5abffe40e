"""A scene for Foundry Virtual Tabletop: walls, doors of every kind, lights and pins for rooms, as JSON. Its pictures
and the journal are files beside it.

Foundry 13 keeps the picture of a scene in `background`, Foundry 14 in a level of its own. All lengths are pixels of the
scene, 100 to a square of 5 ft. Identifiers are made of the level, so that they are the same every time. `_key` is for
Foundry's own program that packs files into a compendium.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats.native.native import lines, text
from undercroft.formats.shared import guarded_json
from undercroft.formats.shared.characters import utf8
from undercroft.formats.tabletop.foundry_journal import pages
from undercroft.formats.tabletop.foundry_walls import GRID, walls
from undercroft.formats.tabletop.lights import LAMP, Light, middles, with_rooms
from undercroft.formats.tabletop.lights import lights as found_lights
from undercroft.formats.tabletop.picture import encoded, fitting, picture, told

FEET = 5
"""Of a square."""
VERSIONS = (13, 14)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
FLICKER = {"type": "torch", "speed": 2, "intensity": 2}
"""How the light of a fire moves."""
PIN = {"texture": {"src": "icons/svg/book.svg"}, "iconSize": 40, "fontSize": 32, "textAnchor": 1, "global": False}
"""How a room's number looks."""


def dump(
    level: Level,
    *,
    stem: str = "map",
    version: int = 14,
    lights: str = "things",
    smooth: bool = False,
    folder: str = "",
    **_looks: Any,
) -> bytes:
    """The scene, for that version of Foundry. How pictures look is a matter of the files beside it.

    `folder` is where in Foundry's data its picture will be, for example "worlds/mine". `lights` burn where "things" do
    that burn, in "rooms", or there are "none". With `smooth`, walls of caves are as the picture shows them.
    """
    if type(folder) is not str:
        raise BadInput(f"a folder is a text, not {folder!r}", fix='for example folder="worlds/mine"')
    if version not in VERSIONS:
        raise BadInput(
            f"scenes are for Foundry {' or '.join(map(str, VERSIONS))}, not {version!r}",
            fix="leave version out, or give one of them",
        )
    scene, floor = identifier(level, "scene"), identifier(level, "level")
    on = "" if version == VERSIONS[0] else f',"levels":["{floor}"]'
    burning = found_lights(level, lights)
    background = {"src": "/".join([*filter(None, [folder.rstrip("/")]), f"{_bare(stem)}-player.webp"])}
    head = _head(level, scene, stem, dark=bool(burning))
    if on:
        head["levels"] = [
            {"_id": floor, "_key": f"!scenes.levels!{scene}.{floor}", "name": "Level 1", "background": background}
        ]
    else:
        head["background"] = background
    embedded = {
        "walls": (f'"c":{text(ends)},{rest}' for ends, rest in walls(level, curved=smooth)),
        "lights": map(_light, burning),
        "notes": _notes(with_rooms(level)),
    }
    parts = [
        text(head)[1:-1],
        *(f'"{kind}":{lines(_documents(f"scenes.{kind}", scene, rows, on))}' for kind, rows in embedded.items()),
    ]
    return utf8("{" + ",\n".join(parts) + "}\n")


def beside(
    level: Level, stem: str, *, cell: int | None = None, style: str = "", hide: Iterable[str] = ()
) -> dict[str, bytes]:
    """The pictures for players and game master, and the journal."""
    pixels = fitting(level, cell, wish=GRID)
    drawn = {
        f"{_bare(stem)}-{view}.webp": picture(level, players=view == "player", cell=pixels, style=style, hide=hide)
        for view in ("player", "gm")
    }
    return {name: encoded(image, "webp") for name, image in drawn.items()} | {
        f"{_bare(stem)}-journal.json": journal(level, stem)
    }


def journal(level: Level, stem: str = "map") -> bytes:
    """The journal of the level: Foundry reads it as one entry. Pins of the scene belong to its pages."""
    level = with_rooms(level)
    entry = identifier(level, "journal")
    head = {
        "_id": entry,
        "_key": f"!journal!{entry}",
        "name": level.title or _bare(stem),
        "ownership": {"default": 0},
        "flags": {},
    }
    written = (
        text(
            {
                "name": name,
                "type": "text",
                "title": {"show": True, "level": 1},
                "text": {"format": 1, "content": content},
                "sort": 1000 * number,
            }
        )[1:-1]
        for number, (name, content) in enumerate(pages(level, middles(level)))
    )
    return utf8(f'{{{text(head)[1:-1]},\n"pages":{lines(_documents("journal.pages", entry, written))}}}\n')


def origin(data: bytes, file: str) -> Mapping[str, Any]:
    """How the level of a scene of ours was made."""
    flags = guarded_json.parsed(data, file)
    for key in ("flags", "undercroft", "origin"):
        flags = flags.get(key) if isinstance(flags, dict) else None
    made = guarded_json.parsed(flags.encode(), file) if isinstance(flags, str) else None
    if not isinstance(made, dict):
        raise BadInput(f"{file}: the scene does not tell how it was made", fix="name a scene that undercroft made")
    return made


def identifier(level: Level, what: str) -> str:
    """Sixteen letters and digits that belong to this level and this part of it.

    >>> identifier(Level.drawn("#.#"), "scene")
    'zsavXboLLgQXgifa'
    """
    said = utf8(f"{what} {level.width}x{level.height} {told(level)} ") + level.tiles.tobytes()
    number = int.from_bytes(blake2b(said, digest_size=16).digest())
    found = ""
    for _ in range(16):
        number, letter = divmod(number, len(LETTERS))
        found += LETTERS[letter]
    return found


def _bare(stem: str) -> str:
    """A file's name without suffix, also if the suffix has two parts."""
    return stem.removesuffix(".fvtt")


def _head(level: Level, scene: str, stem: str, *, dark: bool) -> dict[str, Any]:
    """The scene without what is in it. It is dark if there are lights, and all of it is lit if there are none."""
    made = told(level)
    view = (
        {"x": level.start[0] * GRID, "y": level.start[1] * GRID, "scale": 0.5}
        if level.start
        else {"x": None, "y": None, "scale": None}
    )
    return {
        "_id": scene,
        "_key": f"!scenes!{scene}",
        "name": level.title or _bare(stem),
        "width": level.width * GRID,
        "height": level.height * GRID,
        "padding": 0,
        "initial": view,
        "grid": {"type": 1, "size": GRID, "distance": FEET, "units": "ft"},
        "tokenVision": True,
        "environment": {"darknessLevel": 1 if dark else 0, "globalLight": {"enabled": not dark}},
        "drawings": [],
        "tokens": [],
        "sounds": [],
        "tiles": [],
        "regions": [],
        "journal": identifier(level, "journal"),
        "ownership": {"default": 0},
        "flags": {"undercroft": {"origin": made}} if made else {},
    }


def _documents(collection: str, parent: str, rows: Iterable[str], more: str = "") -> Iterator[str]:
    """What is in a scene or a journal: each with an identifier of its own."""
    return (_document(collection, parent, number, f"{row}{more}") for number, row in enumerate(rows))


def _document(collection: str, parent: str, number: int, row: str) -> str:
    name = _numbered(parent, number)
    return f'{{"_id":"{name}","_key":"!{collection}!{parent}.{name}",{row}}}'


def _numbered(parent: str, number: int) -> str:
    return f"{parent[:8]}{number:08d}"


def _light(light: Light) -> str:
    config = {
        "bright": light.bright * FEET,
        "dim": 2 * light.bright * FEET,
        "color": f"#{light.colour}",
        "alpha": 0.4,
        "angle": 360,
    }
    if light.colour != LAMP:
        config["animation"] = FLICKER
    return text(
        {
            "x": light.x * GRID,
            "y": light.y * GRID,
            "walls": True,
            "vision": False,
            "hidden": False,
            "config": config,
            "flags": {},
        }
    )[1:-1]


def _notes(level: Level) -> Iterator[str]:
    """A pin with its number for each room. It says no more, because Foundry shows players pins whose journal it does
    not know.
    """
    entry = identifier(level, "journal")
    for number, room in enumerate(middles(level), 1):
        place = {"x": room.x * GRID + GRID // 2, "y": room.y * GRID + GRID // 2, "text": str(room.number)}
        yield text({"entryId": entry, "pageId": _numbered(entry, number), **place, **PIN, "flags": {}})[1:-1]
