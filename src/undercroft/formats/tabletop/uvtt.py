"""Universal VTT, `.dd2vtt`, `.uvtt` or `.df2vtt`: a map for virtual tabletops, with its picture, walls, doors and
lights in one JSON file.

Lengths are in squares, x to the right and y down. Walls are closed lines: programs that import them make of each point
but the last one wall to the next. A door is a line across the middle of its square, and the walls run past it on both
sides. Secret doors are walls, since the format knows no others.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.core.region import Regions
from undercroft.errors import BadInput, unknown
from undercroft.formats.native.native import text
from undercroft.formats.shared import guarded_json
from undercroft.formats.shared.characters import utf8
from undercroft.formats.tabletop import walls
from undercroft.formats.tabletop.lights import lights as found_lights
from undercroft.formats.tabletop.picture import LIT, encoded, fitting, picture, styled, told
from undercroft.formats.tabletop.wall_lines import Outline

FORMAT = 0.3
QUARTER = 1.570796
"""The angle of a line that stands upright."""
PADS = ("", "square")
VIEWS = ("player", "gm")
CHUNK = 50_000
"""Points that are made into text at a time."""


def dump(
    level: Level,
    *,
    cell: int | None = None,
    style: str = "",
    hide: Iterable[str] = (),
    view: str = "player",
    image: str = "png",
    lights: str = "things",
    smooth: bool = False,
    pad: str = "",
) -> bytes:
    """The level as a map for tabletops.

    `cell` is how many pixels a square has (70, or fewer if the map is large), `view` whose picture is in it, `style`
    its style (`pixels` for players, `dark` for the game master), `image` how it is kept: "png", "webp" or "none".
    `lights` burn where "things" do that burn, in "rooms", or there are "none". With `smooth`, walls of caves are as the
    picture shows them. With `pad="square"` rock is added to the right or below, for programs that take all maps for
    squares.
    """
    for word, known, what in ((view, VIEWS, "view"), (pad, PADS, "way to pad")):
        if word not in known:
            raise unknown(what, str(word), known)
    made = told(level)
    if pad:
        level = squared(level)
    pixels = fitting(level, cell)
    players = view == "player"
    style = styled(style, players=players)
    drawn = (
        b"" if image == "none" else encoded(picture(level, players=players, cell=pixels, style=style, hide=hide), image)
    )
    found = walls.doors(level)
    portals = found.only((found.state != walls.SECRET) & ((found.state != walls.OPEN) | found.barred))
    outline = walls.walls(level, secrets=False, curved=smooth)
    size = {
        "map_origin": {"x": 0, "y": 0},
        "map_size": {"x": level.width, "y": level.height},
        "pixels_per_grid": pixels,
    }
    parts = [
        f'"format":{FORMAT}',
        f'"resolution":{text(size)}',
        f'"line_of_sight":[{",".join(_lines(outline))}]',
        f'"objects_line_of_sight":[{",".join(_lines(_pillars(level)))}]',
        f'"portals":[{",".join(_portals(portals, portals.lines(walls.soft(level) if smooth else None)))}]',
        f'"environment":{text({"baked_lighting": style in LIT, "ambient_light": "ffffffff"})}',
        f'"lights":{text([_light(*light) for light in found_lights(level, lights)])}',
        *([f'"undercroft":{text(made)}'] if made else []),
        f'"image":"{base64.b64encode(drawn).decode()}"',
    ]
    return utf8("{" + ",\n".join(parts) + "}\n")


def origin(data: bytes, file: str) -> Mapping[str, Any]:
    """How the level in a file of ours was made."""
    whole = guarded_json.parsed(data, file)
    note = whole.get("undercroft") if isinstance(whole, dict) else None
    made = guarded_json.parsed(note.encode(), file) if isinstance(note, str) else None
    if not isinstance(made, dict):
        raise BadInput(f"{file}: the map does not tell how it was made", fix="name a map that undercroft made")
    return made


def squared(level: Level) -> Level:
    """The level with rock to the right or below, so that it is as wide as it is high.

    >>> print(squared(Level.drawn("#.#")))
    #.#
    ###
    ###
    """
    side = max(level.size)
    more = (0, side - level.height), (0, side - level.width)
    rock = np.flatnonzero(level.palette.having("wall"))
    rock = rock if len(rock) else np.flatnonzero(level.palette.rock)
    if not len(rock):
        raise BadInput(f"palette {level.palette.name!r} has no wall to pad the map with", fix="leave out pad")
    regions = level.regions
    return Level(
        np.pad(level.tiles, more, constant_values=rock[0]),
        level.palette,
        regions=Regions(np.pad(regions.labels, more), regions.table, regions.tags, regions.templates, regions.names),
        doors=level.doors,
        links=level.links,
        things=level.things,
        start=level.start,
        end=level.end,
        path=level.path,
        title=level.title,
    )


def _points(points: NDArray[Any]) -> list[str]:
    return [f'{{"x":{x},"y":{y}}}' for x, y in points.tolist()]


def _lines(outline: Outline) -> Iterator[str]:
    """Each line as a list of points; many short ones are made at once, because there may be millions."""
    sizes = iter(outline.sizes.tolist())
    first = 0
    while some := list(islice(sizes, CHUNK)):
        ends = np.cumsum(some).tolist()
        words = _points(outline.points[first : first + ends[-1]])
        for begin, end in zip([0, *ends[:-1]], ends, strict=True):
            yield f"[{','.join(words[begin:end])}]"
        first += ends[-1]


def _pillars(level: Level) -> Outline:
    squares = walls.pillars(level)
    return Outline(squares.reshape(-1, 2), np.full(len(squares), 5, np.int64))


def _portals(doors: walls.Doors, lines: NDArray[np.float64]) -> Iterator[str]:
    rows = zip(
        doors.x.tolist(), doors.y.tolist(), doors.level.tolist(), doors.barred.tolist(), lines.tolist(), strict=True
    )
    for x, y, is_level, barred, line in rows:
        bounds = ",".join(_points(np.array(line).reshape(2, 2)))
        yield (
            f'{{"position":{{"x":{x + 0.5},"y":{y + 0.5}}},"bounds":[{bounds}],"rotation":{QUARTER if is_level else 0},'
            f'"closed":{"false" if barred else "true"},"freestanding":false}}'
        )


def _light(x: float, y: float, bright: float, colour: str) -> dict[str, Any]:
    """Colours begin with how opaque they are."""
    return {"position": {"x": x, "y": y}, "range": bright, "intensity": 1, "color": f"ff{colour}", "shadows": True}
