"""Stairs between floors: things that say where they lead, read and checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from undercroft import limits
from undercroft.core.level import Level, Point
from undercroft.core.region import Thing
from undercroft.core.stairs import STAIRS
from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_name, require_text, require_whole_number

STAIRS_WAYS = ("up", "down", "level")
STAIRS_FORMS = ("stairs", "ladder", "shaft", "lift", "portal")
STAIRS_TILES = {"up": "entry", "down": "exit"}
"""The roles of the tiles that stairs stand on; level ways and shafts keep the tile below them."""
OPPOSITE_WAYS = {"up": "down", "down": "up", "level": "level"}


class Stairs(NamedTuple):
    """One end of a link between two floors, as the thing on its floor tells it."""

    floor: str
    """The id of the floor that it stands on."""
    x: int
    y: int
    """Its cell."""
    way: str
    """up, down or level."""
    form: str
    """stairs, ladder, shaft, lift or portal."""
    to: str
    """The id of the floor that it leads to; one that is not there is a way out."""
    to_x: int
    to_y: int
    """The cell that it leads to."""
    link: str
    """The name that both ends share."""


def stairs_data(way: str, form: str, to: str, cell: Point, link: str) -> dict[str, Any]:
    """The data of a thing that leads to a cell of another floor."""
    return {"way": way, "form": form, "to": to, "to_x": cell[0], "to_y": cell[1], "link": link}


def list_stairs(id_: str, level: Level) -> Iterator[Stairs]:
    """The stairs of a floor, checked one by one. A thing `stairs` that names no floor is furniture, and none of them.

    >>> level = Level.parse("#.").replace(things=[Thing("stairs", 1, 0, {"to": "2", "way": "sideways"})])
    >>> list(list_stairs("1", level))
    Traceback (most recent call last):
    undercroft.errors.BadInput: floor 1, the stairs at (1, 0): unknown way 'sideways'
      fix: one of: up, down, level
    """
    for thing in level.things:
        if thing.kind != STAIRS or "to" not in thing.data:
            continue
        data = thing.data
        try:
            for name, words in (("way", STAIRS_WAYS), ("form", STAIRS_FORMS)):
                require_name(name, data.get(name, words[0] if name == "form" else None), words)
            to = data["to"]
            require_text("to", to, "name a floor")
            link = data.get("link", "")
            require_text("link", link)
            most = limits.SIDE.value - 1
            x, y = (require_whole_number(name, data.get(name), 0, most) for name in ("to_x", "to_y"))
        except BadInput as error:
            error.problem = f"floor {id_}, the stairs at ({thing.x}, {thing.y}): {error.problem}"
            raise
        yield Stairs(id_, thing.x, thing.y, data["way"], data.get("form", STAIRS_FORMS[0]), to, x, y, link)


def put_stairs(level: Level, things: Sequence[Thing]) -> Level:
    """The level with stairs on it: things of the kind `stairs`, and the tiles `<` and `>` below those that lead up and
    down. A shaft keeps its tile.
    """
    tiles = level.tiles.copy()
    for thing in things:
        role = "" if thing.data["form"] == "shaft" else STAIRS_TILES.get(thing.data["way"], "")
        if role in level.palette.roles:
            tiles[thing.y, thing.x] = level.palette.role(role)
    return level.replace(tiles=tiles, things=(*level.things, *things))


def check_stairs(stairs: Sequence[Stairs], sizes: Mapping[str, tuple[int, int]]) -> None:
    """Raise if two ends of a link contradict each other. `sizes` are those of the floors, by id. Shafts have one end;
    stairs to a floor that is not there lead out.
    """
    limits.STAIRS_OF_FLOORS.check(len(stairs), "the number of stairs of the dungeon")
    ends = {(one.floor, one.x, one.y, one.link): one for one in stairs}
    for one in stairs:
        size = sizes.get(one.to)
        if size is None:
            continue
        if not (one.to_x < size[0] and one.to_y < size[1]):
            raise BadInput(
                f"{_describe(one)}, which is outside of it: {one.to} is {size[0]}x{size[1]}",
                fix="correct to_x and to_y there",
            )
        if one.form == "shaft":
            continue
        other = ends.get((one.to, one.to_x, one.to_y, one.link))
        if other is None:
            near = next(
                (each for each in stairs if (each.floor, each.to, each.link) == (one.to, one.floor, one.link)), None
            )
            where = f"stairs lead {near.way} from ({near.x}, {near.y})" if near else "no stairs lead back"
            raise BadInput(f"{_describe(one)}, where {where}", fix="move one" if near else "put stairs there")
        if (other.to, other.to_x, other.to_y) != (one.floor, one.x, one.y):
            raise BadInput(
                f"{_describe(one)}, and from there stairs lead to ({other.to_x}, {other.to_y}) on {other.to}",
                fix="let both ends name each other",
            )
        if other.way != OPPOSITE_WAYS[one.way]:
            raise BadInput(
                f"{_describe(one)}, and stairs lead {other.way} from there",
                fix=f"let one lead {one.way} and the other {OPPOSITE_WAYS[one.way]}",
            )


def _describe(stairs: Stairs) -> str:
    verb = f"leads {stairs.way}" if stairs.way != "level" else "leads"
    return f"{stairs.floor} {verb} to ({stairs.to_x}, {stairs.to_y}) on {stairs.to}"
