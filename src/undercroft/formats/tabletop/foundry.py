"""Write scenes for Foundry Virtual Tabletop: walls, doors of every kind, lights, monsters and pins for rooms, as JSON.
The pictures and the journal are sibling files.

Foundry 13 keeps the picture of a scene in `background`, Foundry 14 in a level of its own. All lengths are pixels of the
scene, which has as many per square of 5 ft as the picture: 100, or fewer if the picture would be too large.
Identifiers are derived from the level, so that they are the same every time. `_key` is for Foundry's own program that
packs files into a compendium.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

from undercroft.analysis.flames import LAMP
from undercroft.analysis.player_view import for_players
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats.native.native import format_json_lines
from undercroft.formats.shared.characters import encode_utf8
from undercroft.formats.shared.origin import format_origin, parse_origin
from undercroft.formats.tabletop.foundry_journal import build_pages
from undercroft.formats.tabletop.foundry_walls import build_walls
from undercroft.formats.tabletop.lights import Light, ensure_rooms, find_room_middles, list_lights
from undercroft.formats.tabletop.monster_tokens import format_tokens
from undercroft.formats.tabletop.picture import choose_style, encode_image, fit_cell_pixels, render_map
from undercroft.formats.tabletop.wall_depth import choose_depth
from undercroft.inputs.json import format_json, parse_json
from undercroft.limits import PICTURE_PIXELS

SQUARE_FEET = 5
"""The side of a square in feet."""
SQUARE_PIXELS, MIN_SQUARE_PIXELS = 100, 50
"""Pixels of the scene per square, if the picture may be that large; and the fewest that every Foundry takes."""
FOUNDRY_VERSIONS = (13, 14)
ID_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
FIRE_ANIMATION = {"type": "torch", "speed": 2, "intensity": 2}
"""The animation of a fire's light."""
PIN_STYLE = {"texture": {"src": "icons/svg/book.svg"}, "iconSize": 40, "fontSize": 32, "textAnchor": 1, "global": False}
"""The look of a room's number."""


def dump(
    level: Level,
    *,
    stem: str = "map",
    version: int = 14,
    lights: str = "things",
    smooth: bool = False,
    folder: str = "",
    cell: int | None = None,
    style: str = "",
    hide: Iterable[str] = (),
) -> bytes:
    """The scene, for that version of Foundry. `cell`, `style` and `hide` are those of the players' picture beside it.

    `folder` is the folder of its picture in Foundry's data, for example "worlds/mine". `lights` come from burning
    "things", stand in "rooms", or are "none". With `smooth`, walls of caves follow the picture.
    """
    if type(folder) is not str:
        raise BadInput(f"a folder is a text, not {folder!r}", fix='for example folder="worlds/mine"')
    if version not in FOUNDRY_VERSIONS:
        raise BadInput(
            f"scenes are for Foundry {' or '.join(map(str, FOUNDRY_VERSIONS))}, not {version!r}",
            fix="leave version out, or give one of them",
        )
    scene, floor = derive_identifier(level, "scene"), derive_identifier(level, "level")
    on = "" if version == FOUNDRY_VERSIONS[0] else f',"levels":["{floor}"]'
    square = fit_square_pixels(level, cell)
    style = choose_style(style, players=True)
    depth = choose_depth(level, style, curved=smooth)
    burning = list_lights(for_players(level, secret_rooms=True), lights, style=style, hide=hide, depth=depth)
    background = {"src": "/".join([*filter(None, [folder.rstrip("/")]), f"{_strip_suffix(stem)}-player.webp"])}
    head = _build_scene_head(level, scene, stem, square, dark=bool(burning))
    if on:
        head["levels"] = [
            {"_id": floor, "_key": f"!scenes.levels!{scene}.{floor}", "name": "Level 1", "background": background}
        ]
    else:
        head["background"] = background
    embedded: dict[str, tuple[Iterable[str], str]] = {
        "walls": (
            (
                f'"c":{format_json(ends)},{rest}'
                for ends, rest in build_walls(level, square, curved=smooth, depth=depth)
            ),
            on,
        ),
        "lights": ((_format_light(light, square) for light in burning), on),
        "notes": (_format_pins(ensure_rooms(level), square), on),
        "tokens": (format_tokens(level, square, floor if on else ""), ""),
    }
    parts = [
        format_json(head)[1:-1],
        *(
            f'"{kind}":{format_json_lines(_format_documents(f"scenes.{kind}", scene, rows, more))}'
            for kind, (rows, more) in embedded.items()
        ),
    ]
    return encode_utf8("{" + ",\n".join(parts) + "}\n")


def dump_siblings(
    level: Level, stem: str, *, cell: int | None = None, style: str = "", hide: Iterable[str] = ()
) -> dict[str, bytes]:
    """The pictures for players and game master, and the journal, by file name."""
    pixels = _fit_picture_pixels(level, cell)
    drawn = {
        f"{_strip_suffix(stem)}-{view}.webp": render_map(
            level, players=view == "player", cell=pixels, style=style, hide=hide, secret_rooms=True
        )
        for view in ("player", "gm")
    }
    return {name: encode_image(image, "webp") for name, image in drawn.items()} | {
        f"{_strip_suffix(stem)}-journal.json": dump_journal(level, stem)
    }


def fit_square_pixels(level: Level, cell: int | None = None) -> int:
    """The pixels of the scene per square: those of the picture, or a multiple if Foundry takes no such small grid.

    >>> fit_square_pixels(Level.parse("...")), fit_square_pixels(Level.parse("..."), 12)
    (100, 60)
    """
    pixels = _fit_picture_pixels(level, cell)
    return pixels * -(-MIN_SQUARE_PIXELS // pixels)


def _fit_picture_pixels(level: Level, cell: int | None) -> int:
    return fit_cell_pixels(level, cell, wish=SQUARE_PIXELS, most=PICTURE_PIXELS.value)


def dump_journal(level: Level, stem: str = "map") -> bytes:
    """The journal of the level, which Foundry reads as one entry. Pins of the scene refer to its pages."""
    level = ensure_rooms(level)
    entry = derive_identifier(level, "journal")
    head = {
        "_id": entry,
        "_key": f"!journal!{entry}",
        "name": level.title or _strip_suffix(stem),
        "ownership": {"default": 0},
        "flags": {},
    }
    written = (
        format_json(
            {
                "name": name,
                "type": "text",
                "title": {"show": True, "level": 1},
                "text": {"format": 1, "content": content},
                "sort": 1000 * number,
            }
        )[1:-1]
        for number, (name, content) in enumerate(build_pages(level, find_room_middles(level)))
    )
    pages = format_json_lines(_format_documents("journal.pages", entry, written))
    return encode_utf8(f'{{{format_json(head)[1:-1]},\n"pages":{pages}}}\n')


def read_origin(data: bytes, file: str) -> Mapping[str, Any]:
    """The provenance of the level in a scene that undercroft wrote."""
    flags = parse_json(data, file)
    for key in ("flags", "undercroft", "origin"):
        flags = flags.get(key) if isinstance(flags, dict) else None
    return parse_origin(flags if isinstance(flags, str) else None, file, "scene")


def derive_identifier(level: Level, what: str) -> str:
    """An identifier of sixteen letters and digits, derived from this level and this part of it.

    >>> derive_identifier(Level.parse("#.#"), "scene")
    'zsavXboLLgQXgifa'
    """
    made = format_origin(level) if level.provenance else ""
    said = encode_utf8(f"{what} {level.width}x{level.height} {made} ") + level.tiles.tobytes()
    number = int.from_bytes(blake2b(said, digest_size=16).digest())
    found = ""
    for _ in range(16):
        number, letter = divmod(number, len(ID_LETTERS))
        found += ID_LETTERS[letter]
    return found


def _strip_suffix(stem: str) -> str:
    """A file's name without its suffix, even if the suffix has two parts."""
    return stem.removesuffix(".fvtt")


def _build_scene_head(level: Level, scene: str, stem: str, square: int, *, dark: bool) -> dict[str, Any]:
    """The scene without its contents. It is dark if there are lights, and fully lit if there are none."""
    made = format_origin(level) if level.provenance else ""
    view = (
        {"x": level.start[0] * square, "y": level.start[1] * square, "scale": 0.5}
        if level.start
        else {"x": None, "y": None, "scale": None}
    )
    return {
        "_id": scene,
        "_key": f"!scenes!{scene}",
        "name": level.title or _strip_suffix(stem),
        "width": level.width * square,
        "height": level.height * square,
        "padding": 0,
        "initial": view,
        "grid": {"type": 1, "size": square, "distance": SQUARE_FEET, "units": "ft"},
        "tokenVision": True,
        "environment": {"darknessLevel": 1 if dark else 0, "globalLight": {"enabled": not dark}},
        "drawings": [],
        "sounds": [],
        "tiles": [],
        "regions": [],
        "journal": derive_identifier(level, "journal"),
        "ownership": {"default": 0},
        "flags": {"undercroft": {"origin": made}} if made else {},
    }


def _format_documents(collection: str, parent: str, rows: Iterable[str], more: str = "") -> Iterator[str]:
    """The documents in a scene or a journal, each with its own identifier."""
    return (_format_document(collection, parent, number, f"{row}{more}") for number, row in enumerate(rows))


def _format_document(collection: str, parent: str, number: int, row: str) -> str:
    name = _child_identifier(parent, number)
    return f'{{"_id":"{name}","_key":"!{collection}!{parent}.{name}",{row}}}'


def _child_identifier(parent: str, number: int) -> str:
    return f"{parent[:8]}{number:08d}"


def _format_light(light: Light, square: int) -> str:
    config = {
        "bright": light.bright * SQUARE_FEET,
        "dim": 2 * light.bright * SQUARE_FEET,
        "color": f"#{light.colour}",
        "alpha": 0.4,
        "angle": 360,
    }
    if light.colour != LAMP:
        config["animation"] = FIRE_ANIMATION
    return format_json(
        {
            "x": round(light.x * square),
            "y": round(light.y * square),
            "walls": True,
            "vision": False,
            "hidden": False,
            "config": config,
            "flags": {},
        }
    )[1:-1]


def _format_pins(level: Level, square: int) -> Iterator[str]:
    """A pin with its number for each room. It holds no more text, because Foundry shows players pins whose journal it
    cannot find.
    """
    entry = derive_identifier(level, "journal")
    for number, room in enumerate(find_room_middles(level), 1):
        place = {
            "x": room.x * square + square // 2,
            "y": room.y * square + square // 2,
            "text": str(room.number),
        }
        yield format_json(
            {"entryId": entry, "pageId": _child_identifier(entry, number), **place, **PIN_STYLE, "flags": {}}
        )[1:-1]
