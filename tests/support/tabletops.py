"""Check maps for virtual tabletops, without any code of the writer."""

from __future__ import annotations

import base64
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.core.level import Level

Cells = NDArray[np.bool_]
Segment = tuple[Any, Any, Any, Any]
Depth = tuple[Fraction, Fraction]
"""How far one sees into rock with ground to the south, and into other rock."""

PLAIN: Depth = (Fraction(3, 10), Fraction(3, 10))
FACES: Depth = (Fraction(12, 25), Fraction(3, 10))
"""In styles that draw rock from above, and in those that draw the face of a wall."""


def open_cells(level: Level, *, secrets: bool = False) -> Cells:
    """The cells without walls, by the roles of tiles."""
    rock = ("wall", "void") if secrets else ("wall", "void", "secret")
    return ~level.palette.role_mask(*rock)[level.tiles]


def filled(lines: Sequence[Sequence[dict[str, float]]], width: int, height: int) -> Cells:
    """The cells that the lines enclose: those with an odd number of lines to the left of their middle."""
    crossings = np.zeros((height, width + 1), np.int64)
    middles = np.arange(height) + 0.5
    for line in lines:
        for a, b in itertools.pairwise(line):
            if a["y"] == b["y"]:
                continue
            rows = np.flatnonzero((middles >= min(a["y"], b["y"])) & (middles < max(a["y"], b["y"])))
            at = a["x"] + (middles[rows] - a["y"]) * (b["x"] - a["x"]) / (b["y"] - a["y"])
            np.add.at(crossings, (rows, np.clip(np.ceil(at - 0.5), 0, width).astype(int)), 1)
    inside: Cells = np.cumsum(crossings, axis=1)[:, :-1] % 2 == 1
    return inside


def encloses(lines: Sequence[Sequence[dict[str, float]]], x: float, y: float) -> bool:
    """Whether the lines enclose a point: whether an odd number of them is to its left."""
    return (
        sum(
            (a["y"] <= y) != (b["y"] <= y) and a["x"] + (y - a["y"]) * (b["x"] - a["x"]) / (b["y"] - a["y"]) < x
            for line in lines
            for a, b in itertools.pairwise(line)
        )
        % 2
        == 1
    )


def closed_parts(ground: Cells, depth: Depth) -> list[Segment]:
    """The parts of rock behind the walls, as left, top, right, bottom: all but the strips along ground, and but the
    squares at its corners. Where ground touches only at a corner, the rock there is closed.
    """

    def is_ground(x: int, y: int) -> bool:
        return 0 <= y < ground.shape[0] and 0 <= x < ground.shape[1] and bool(ground[y, x])

    face, side = depth
    found: list[Segment] = []
    for y, x in np.argwhere(~ground).tolist():
        columns, rows = (0, side, 1 - side, 1), (0, side, 1 - face, 1)
        for down, right in itertools.product((-1, 0, 1), repeat=2):
            beside = is_ground(x + right, y), is_ground(x, y + down), is_ground(x + right, y + down)
            is_open = beside not in ((False, False, False), (True, True, False)) if down and right else beside[2]
            if not is_open:
                found.append((x + columns[1 + right], y + rows[1 + down], x + columns[2 + right], y + rows[2 + down]))
    return found


def door_lines(level: Level, doors: Sequence[tuple[int, int]], shut: Cells) -> list[Segment]:
    """The line of each door across the middle of its square and to the middle of the next ones, if it is between two
    that are shut.
    """
    solid = np.pad(shut, 1, constant_values=True)
    return [
        (x + 0.5, y - 0.5, x + 0.5, y + 1.5)
        if solid[y, x + 1] and solid[y + 2, x + 1]
        else (x - 0.5, y + 0.5, x + 1.5, y + 0.5)
        for x, y in doors
    ]


def uvtt_faults(
    document: dict[str, Any], level: Level, *, curved: bool = False, neat: bool = True, depth: Depth = PLAIN
) -> list[str]:
    """The faults of a Universal VTT map of a level. `neat` levels have every door between two walls."""
    found = [*_keys(document)]
    if found:
        return found
    found += _picture(document)
    found += _lines(document["line_of_sight"], level, curved, depth)
    found += _portals(document, level, neat, curved, depth)
    found += _lights(document["lights"], level, document["line_of_sight"])
    found += [f"importers: {fault}" for fault in _importers(document)]
    return found


def _keys(document: dict[str, Any]) -> Iterator[str]:
    for key, kind in (
        ("format", float),
        ("resolution", dict),
        ("line_of_sight", list),
        ("objects_line_of_sight", list),
        ("portals", list),
        ("environment", dict),
        ("lights", list),
        ("image", str),
    ):
        if type(document.get(key)) is not kind:
            yield f"{key} is no {kind.__name__}"


def _picture(document: dict[str, Any]) -> Iterator[str]:
    resolution = document["resolution"]
    pixels = resolution["pixels_per_grid"]
    try:
        data = base64.b64decode(document["image"], validate=True)
    except ValueError:
        yield "the image is not base64"
        return
    if not data.startswith(b"\x89PNG\r\n\x1a\n") and not (data.startswith(b"RIFF") and data[8:12] == b"WEBP"):
        yield "the image is neither PNG nor WebP"
        return
    with Image.open(io.BytesIO(data)) as image:
        wanted = resolution["map_size"]["x"] * pixels, resolution["map_size"]["y"] * pixels
        if image.size != wanted:
            yield f"the picture is {image.size} where {wanted} belongs"
        if "undercroft" in image.info:
            yield "the picture tells players how the level was made"


def _lines(lines: list[list[dict[str, float]]], level: Level, curved: bool, depth: Depth) -> Iterator[str]:
    face, side = map(float, depth)
    places = {0.0, side, round(1 - side, 3)}, {0.0, side, round(1 - face, 3)}
    for line in lines:
        points = [(point["x"], point["y"]) for point in line]
        if len(points) < 4 + (not curved) or points[0] != points[-1]:
            yield "a line is not closed"
        for (ax, ay), (bx, by) in itertools.pairwise(points):
            if (ax, ay) == (bx, by):
                yield "a wall has no length"
            if not curved and (
                (ax != bx and ay != by) or round(ax % 1, 3) not in places[0] or round(ay % 1, 3) not in places[1]
            ):
                yield "a wall is off the grid"
            if not (0 <= ax <= level.width and 0 <= ay <= level.height):
                yield "a wall is off the map"
        around = [*points, points[1]]
        for (ax, ay), (bx, by), (cx, cy) in zip(around, around[1:], around[2:], strict=False):
            if not curved and (ax == bx == cx or ay == by == cy):
                yield "two walls in a row are one"
    if not np.array_equal(filled(lines, level.width, level.height), open_cells(level)):
        yield "walls do not enclose what is open"
    if not curved and level.width * level.height <= 144:
        closed = {_middle(part) for part in closed_parts(open_cells(level), depth)}
        every = {_middle(part) for part in closed_parts(np.zeros(level.tiles.shape, bool), depth)}
        if any(encloses(lines, *map(float, place)) == (place in closed) for place in every):
            yield "walls do not run behind the edge"


def _middle(part: Segment) -> tuple[Any, Any]:
    return (part[0] + part[2]) / 2, (part[1] + part[3]) / 2


def _portals(document: dict[str, Any], level: Level, neat: bool, curved: bool, depth: Depth) -> Iterator[str]:
    is_door = level.palette.role_mask("door", "locked")[level.tiles]
    segments = list(walls_of(document["line_of_sight"]))
    seen: Counter[tuple[int, int]] = Counter()
    ends = Counter((point["x"], point["y"]) for portal in document["portals"] for point in portal["bounds"])
    for portal in document["portals"]:
        x, y = portal["position"]["x"], portal["position"]["y"]
        if (x % 1, y % 1) != (0.5, 0.5) or not is_door[int(y), int(x)]:
            yield "a portal is not in the middle of a door"
            continue
        seen[int(x), int(y)] += 1
        (ax, ay), (bx, by) = ((point["x"], point["y"]) for point in portal["bounds"])
        most = 0.5 if curved else float(max(depth))
        if not (
            (ax == bx == x and y - 0.5 - most <= ay <= y - 0.5 and y + 0.5 <= by <= y + 0.5 + most)
            or (ay == by == y and x - 0.5 - most <= ax <= x - 0.5 and x + 0.5 <= bx <= x + 0.5 + most)
        ):
            yield "a portal does not lie across its square"
        if abs(portal["rotation"] - (np.pi / 2 if ax == bx else 0)) > 1e-4:
            yield "a portal is turned"
        halves = [(x, y, ax, ay), (x, y, bx, by)]
        if neat and not all(
            ends[half[2:]] > 1 or any((crosses if curved else _reaches)(half, segment) for segment in segments)
            for half in halves
        ):
            yield "a portal hangs in the air"
        if portal["closed"] is not True or portal["freestanding"] is not False:
            yield "a portal is no closed door"
    ys, xs = np.nonzero(is_door)
    if seen != Counter(zip(xs.tolist(), ys.tolist(), strict=True)):
        yield "doors are missing or there twice"


def _lights(lights: list[dict[str, Any]], level: Level, lines: Sequence[Sequence[dict[str, float]]]) -> Iterator[str]:
    for light in lights:
        x, y = light["position"]["x"], light["position"]["y"]
        if not (0 <= x < level.width and 0 <= y < level.height and encloses(lines, x, y)):
            yield "a light is in rock"
        if not re.fullmatch("[0-9a-f]{8}", light["color"]) or light["color"][:2] != "ff":
            yield "a colour is not AARRGGBB"
        if not (light["range"] > 0 and light["intensity"] > 0 and light["shadows"] is True):
            yield "a light does not shine"


def _importers(document: dict[str, Any]) -> Iterator[str]:
    """The faults by the further rules of each program that imports it."""
    resolution = document["resolution"]
    if document["format"] not in (0.2, 0.3):
        yield "MapTool takes format 0.2 and 0.3"
    if type(resolution["pixels_per_grid"]) is not int or resolution["pixels_per_grid"] < 1:
        yield "MapTool wants whole pixels"
    if resolution["map_origin"] != {"x": 0, "y": 0}:
        yield "MapTool moves walls by the origin, but not lights"
    if document["image"].startswith("data:"):
        yield "all take the image without a prefix"
    firsts, lasts = ([(line[at]["x"], line[at]["y"]) for line in document["line_of_sight"] if line] for at in (0, -1))
    for number, last in enumerate(lasts):
        if any(last == first for other, first in enumerate(firsts) if other != number):
            yield "Foundry's importer would join two lines by a wall without length"
    if any(len(portal["bounds"]) != 2 for portal in document["portals"]):
        yield "Foundry's importer and Roll20's want two bounds"
    if any({"position", "range", "intensity", "color", "shadows"} - light.keys() for light in document["lights"]):
        yield "lights lack something"
    if any(len(line) < 2 for line in document["objects_line_of_sight"]):
        yield "Owlbear's importer skips such objects"


def walls_of(lines: Sequence[Sequence[dict[str, float]]]) -> Iterator[Segment]:
    """The walls that importers make of lines."""
    for line in lines:
        for a, b in itertools.pairwise(line):
            yield a["x"], a["y"], b["x"], b["y"]


def lies_on(point: tuple[Any, Any], segment: Segment) -> bool:
    (x, y), (ax, ay, bx, by) = point, segment
    return bool(
        (bx - ax) * (y - ay) == (by - ay) * (x - ax)
        and min(ax, bx) <= x <= max(ax, bx)
        and min(ay, by) <= y <= max(ay, by)
    )


def _reaches(line: Segment, wall: Segment) -> bool:
    """Whether the end of a line is on a wall."""
    return lies_on(line[2:], wall)


# --- lines of sight ---


def crosses(one: Segment, other: Segment) -> bool:
    """Whether two segments meet; for points that are exact."""
    (ax, ay, bx, by), (cx, cy, dx, dy) = one, other

    def side(px: Any, py: Any, qx: Any, qy: Any, x: Any, y: Any) -> int:
        value = (qx - px) * (y - py) - (qy - py) * (x - px)
        return int(value > 0) - int(value < 0)

    return (
        side(ax, ay, bx, by, cx, cy) * side(ax, ay, bx, by, dx, dy) <= 0
        and side(cx, cy, dx, dy, ax, ay) * side(cx, cy, dx, dy, bx, by) <= 0
        and max(min(ax, bx), min(cx, dx)) <= min(max(ax, bx), max(cx, dx))
        and max(min(ay, by), min(cy, dy)) <= min(max(ay, by), max(cy, dy))
    )


def sees(look: Segment, parts: Sequence[Segment]) -> bool:
    """Whether a line of sight passes none of these opaque rectangles; exact, for lines that go through no corner."""
    ax, ay, bx, by = look
    for left, top, right, bottom in parts:
        low, high = Fraction(0), Fraction(1)
        for start, way, least, most in ((ax, bx - ax, left, right), (ay, by - ay, top, bottom)):
            if way == 0:
                if not least < start < most:
                    low = Fraction(2)
                continue
            one, other = Fraction(least - start) / way, Fraction(most - start) / way
            low, high = max(low, min(one, other)), min(high, max(one, other))
        if low < high:
            return False
    return True


def looks(number: int, count: int, cells: Cells) -> Iterator[Segment]:
    """Lines of sight between points of these cells, none through a corner: the points lie at odd fractions of cells."""
    draws = np.random.default_rng(number)
    spots = np.argwhere(cells)
    if not len(spots):
        return
    for _ in range(count):
        (ay, ax), (by, bx) = draws.choice(spots, 2)
        parts = [Fraction(int(part), 1009) for part in draws.integers(1, 1009, 4)]
        yield int(ax) + parts[0], int(ay) + parts[1], int(bx) + parts[2], int(by) + parts[3]
