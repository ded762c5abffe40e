"""Write Universal VTT, `.dd2vtt`, `.uvtt` or `.df2vtt`: a map for virtual tabletops, with its picture, walls, doors
and lights in one JSON file.

Lengths are in squares, x to the right and y down. Walls are closed lines: importers make one wall from each point but
the last to the next. A door is a line across the middle of its square, and the walls run past it on both sides. Secret
doors are walls, since the format has no secret doors. Walls run a little behind the edge of the ground, so that tokens
see the drawn side of a wall and the torches on it.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.player_view import for_players
from undercroft.core.level import Level
from undercroft.core.region import Regions
from undercroft.errors import BadInput, unknown_name_error
from undercroft.formats.shared.characters import encode_utf8
from undercroft.formats.shared.origin import ORIGIN_KEY, format_origin, parse_origin
from undercroft.formats.tabletop import walls
from undercroft.formats.tabletop.lights import list_lights
from undercroft.formats.tabletop.picture import (
    LIT_STYLES,
    choose_style,
    encode_image,
    fit_cell_pixels,
    render_map,
)
from undercroft.formats.tabletop.wall_depth import choose_depth
from undercroft.formats.tabletop.wall_lines import Outline
from undercroft.inputs.json import format_json, parse_json

FORMAT_VERSION = 0.3
UPRIGHT_ANGLE = 1.570796
"""The angle of a vertical line, in radians."""
PADS = ("", "square")
VIEWS = ("player", "gm")
CHUNK_LINES = 50_000
"""The number of lines to format at a time."""


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

    `cell` is the number of pixels per square (70, or fewer if the map is large), `view` the picture it holds, `style`
    its style (`pixels` for players, `dark` for the game master), `image` its encoding: "png", "webp" or "none".
    `lights` come from burning "things", stand in "rooms", or are "none". With `smooth`, walls of caves follow the
    picture. With `pad="square"` rock is added to the right or below, for programs that assume square maps.
    """
    for word, known, what in ((view, VIEWS, "view"), (pad, PADS, "way to pad")):
        if word not in known:
            raise unknown_name_error(what, str(word), known)
    made = format_origin(level) if level.provenance else ""
    if pad:
        level = pad_to_square(level)
    pixels = fit_cell_pixels(level, cell)
    players = view == "player"
    style = choose_style(style, players=players)
    drawn = (
        b""
        if image == "none"
        else encode_image(
            render_map(level, players=players, cell=pixels, style=style, hide=hide, secret_rooms=True), image
        )
    )
    depth = choose_depth(level, style, curved=smooth)
    burning = list_lights(
        for_players(level, secret_rooms=True) if players else level, lights, style=style, hide=hide, depth=depth
    )
    found = walls.find_doors(level)
    portals = found.select((found.state != walls.SECRET) & ((found.state != walls.OPEN) | found.barred))
    outline = walls.trace_walls(level, secrets=False, curved=smooth, depth=depth)
    size = {
        "map_origin": {"x": 0, "y": 0},
        "map_size": {"x": level.width, "y": level.height},
        "pixels_per_grid": pixels,
    }
    soft = walls.find_soft_cells(level) if smooth else None
    lines = portals.lines(walls.find_ground(level, secrets=False), depth, soft)
    parts = [
        f'"format":{FORMAT_VERSION}',
        f'"resolution":{format_json(size)}',
        f'"line_of_sight":[{",".join(_format_lines(outline))}]',
        f'"objects_line_of_sight":[{",".join(_format_lines(_outline_pillars(level)))}]',
        f'"portals":[{",".join(_format_portals(portals, lines))}]',
        f'"environment":{format_json({"baked_lighting": style in LIT_STYLES, "ambient_light": "ffffffff"})}',
        f'"lights":{format_json([_build_light(*light) for light in burning])}',
        *([f'"undercroft":{format_json(made)}'] if made else []),
        f'"image":"{base64.b64encode(drawn).decode()}"',
    ]
    return encode_utf8("{" + ",\n".join(parts) + "}\n")


def read_origin(data: bytes, file: str) -> Mapping[str, Any]:
    """The provenance of the level in a file that undercroft wrote."""
    whole = parse_json(data, file)
    note = whole.get(ORIGIN_KEY) if isinstance(whole, dict) else None
    return parse_origin(note if isinstance(note, str) else None, file, "map")


def pad_to_square(level: Level) -> Level:
    """The level with rock added to the right or below, which makes it square.

    >>> print(pad_to_square(Level.parse("#.#")))
    #.#
    ###
    ###
    """
    side = max(level.size)
    more = (0, side - level.height), (0, side - level.width)
    rock = np.flatnonzero(level.palette.role_mask("wall"))
    rock = rock if len(rock) else np.flatnonzero(level.palette.rock)
    if not len(rock):
        raise BadInput(f"palette {level.palette.name!r} has no wall to pad the map with", fix="leave out pad")
    regions = level.regions
    return level.replace(
        tiles=np.pad(level.tiles, more, constant_values=rock[0]),
        regions=Regions(np.pad(regions.labels, more), regions.table, regions.tags, regions.templates, regions.names),
        layers=None,
        provenance=None,
    )


def _format_points(points: NDArray[Any]) -> list[str]:
    return [f'{{"x":{x},"y":{y}}}' for x, y in points.tolist()]


def _format_lines(outline: Outline) -> Iterator[str]:
    """Each line as a list of points. Many short ones are formatted at once, because there may be millions."""
    sizes = iter(outline.sizes.tolist())
    first = 0
    while some := list(islice(sizes, CHUNK_LINES)):
        ends = np.cumsum(some).tolist()
        words = _format_points(outline.points[first : first + ends[-1]])
        for begin, end in zip([0, *ends[:-1]], ends, strict=True):
            yield f"[{','.join(words[begin:end])}]"
        first += ends[-1]


def _outline_pillars(level: Level) -> Outline:
    squares = walls.trace_pillars(level)
    return Outline(squares.reshape(-1, 2), np.full(len(squares), 5, np.int64))


def _format_portals(doors: walls.Doors, lines: NDArray[np.float64]) -> Iterator[str]:
    rows = zip(
        doors.x.tolist(), doors.y.tolist(), doors.level.tolist(), doors.barred.tolist(), lines.tolist(), strict=True
    )
    for x, y, is_level, barred, line in rows:
        bounds = ",".join(_format_points(np.array(line).reshape(2, 2)))
        yield (
            f'{{"position":{{"x":{x + 0.5},"y":{y + 0.5}}},"bounds":[{bounds}],'
            f'"rotation":{UPRIGHT_ANGLE if is_level else 0},'
            f'"closed":{"false" if barred else "true"},"freestanding":false}}'
        )


def _build_light(x: float, y: float, bright: float, colour: str) -> dict[str, Any]:
    """A light as JSON. Colours start with the alpha value."""
    return {"position": {"x": x, "y": y}, "range": bright, "intensity": 1, "color": f"ff{colour}", "shadows": True}
