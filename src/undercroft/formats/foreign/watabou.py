"""Maps of the One Page Dungeon generator by Watabou, from the JSON file that it exports.

An object with `title`, `story`, and lists: `rects` (x, y, w, h; `rotunda` if the room is round, `ending` if the way
ends there), one of a single cell below each door; `doors` (x, y, `dir` {x, y}, `type`); `notes` (`text`, `ref`, `pos`
{x, y}); `columns` and `water` (x, y). Any cell may be the origin, so coordinates may be negative.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis.survey import surveyed
from undercroft.core.draft import Draft
from undercroft.core.level import Level, Point
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.region import Regions, Thing
from undercroft.formats.shared import guarded_json
from undercroft.formats.shared.checked import Spot, shown

FAR = 1 << 20
"""No coordinate is further from the origin."""
DOORS = ("", "door", "opening", "entry", "locked", "locked", "secret", "door", "exit", "opening")
"""The role of each type of door: passage, door, narrow passage, way in, bars, barred by a lock, secret, flush with the
wall, way out, stairs between rooms.
"""
BARS, STAIRS = 4, 9
WADED = Palette(
    [tile._replace(name="shallow water", walkable=True) if tile.role == "water" else tile for tile in STANDARD.tiles],
    "one page dungeon",
)
"""The standard palette with water that one can wade through, as in these maps."""


class _Frame(NamedTuple):
    """The part of the plane that the map shows: all rooms and doors, and a wall around them."""

    left: int
    top: int
    width: int
    height: int

    def cell(self, spot: Spot) -> Point:
        """The cell of a point {x, y}."""
        spot.object()
        x, y = (math.floor(_number(spot.key(name))) - origin for name, origin in (("x", self.left), ("y", self.top)))
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise spot.wrong("this lies outside the map", "draw a room there, or leave it out")
        return x, y


def load(data: bytes, file: str) -> Level:
    """The level, with its rooms, doors, stairs, columns and water; notes and bars are things."""
    whole = Spot(guarded_json.parsed(data, file), "", file)
    whole.object()
    rects = _rects(whole.key("rects"))
    doors = _doors(whole.key("doors", []))
    frame = _frame(rects, doors, whole)
    rooms, halls = _ground(rects, doors, frame, whole)
    tiles = np.where(
        rooms, STANDARD.role("floor"), np.where(halls, STANDARD.role("corridor"), STANDARD.role("wall"))
    ).astype(np.uint8)
    things: list[Thing] = []
    for index, (x, y, kind) in enumerate(doors.tolist()):
        here = (x - frame.left, y - frame.top)
        tiles[here[::-1]] = STANDARD.role(DOORS[kind] or _passage(rooms, here, whole.key("doors").item(index)))
        if kind in (BARS, STAIRS):
            things.append(Thing("portcullis" if kind == BARS else "stairs", *here))
    _put(tiles, whole.key("columns", []), frame, rooms, STANDARD.role("pillar"))
    flooded = _put(
        tiles, whole.key("water", []), frame, rooms & (tiles == STANDARD.role("floor")), STANDARD.role("water")
    )
    things += _notes(whole.key("notes", []), frame)
    level = Level(
        tiles,
        WADED if flooded.any() else STANDARD,
        things=things,
        start=_door_of(doors, "entry", frame),
        end=_door_of(doors, "exit", frame) or _ending(rects, frame, tiles),
        layers={"water": flooded} if flooded.any() else {},
        provenance={
            "program": "One Page Dungeon",
            **{key: whole.key(key).text() for key in ("version", "story") if key in whole.value},
        },
        title=whole.key("title", "").text(),
    )
    return _tagged(surveyed(level), rects, frame)


def _number(spot: Spot) -> float:
    if type(spot.value) not in (int, float) or not -FAR <= spot.value <= FAR:
        raise spot.wrong(f"a number from -{FAR:,} to {FAR:,} belongs here, not {shown(spot.value)}")
    return float(spot.value)


def _rects(spot: Spot) -> NDArray[np.int64]:
    """Rows of x, y, width, height, round or not, ending or not."""
    rows = []
    for index in range(len(spot.list())):
        row = spot.item(index)
        row.object()
        place = [row.key(name).whole(-FAR, FAR) for name in ("x", "y")]
        size = [row.key(name).whole(1, FAR) for name in ("w", "h")]
        rows.append([*place, *size, row.key("rotunda", False).truth(), row.key("ending", False).truth()])
    if not rows:
        raise spot.wrong("there is no room", "export the map anew")
    return np.array(rows, np.int64)


def _doors(spot: Spot) -> NDArray[np.int64]:
    """Rows of x, y and type."""
    rows = []
    for index in range(len(spot.list())):
        row = spot.item(index)
        row.object()
        rows.append(
            [row.key("x").whole(-FAR, FAR), row.key("y").whole(-FAR, FAR), row.key("type").whole(0, len(DOORS) - 1)]
        )
    return np.array(rows, np.int64).reshape(-1, 3)


def _frame(rects: NDArray[np.int64], doors: NDArray[np.int64], whole: Spot) -> _Frame:
    corners = np.concatenate([rects[:, :2], doors[:, :2]])
    ends = np.concatenate([rects[:, :2] + rects[:, 2:4], doors[:, :2] + 1])
    (left, top), (right, bottom) = corners.min(axis=0).tolist(), ends.max(axis=0).tolist()
    width, height = right - left + 2, bottom - top + 2
    limits.FOREIGN_CELLS.check(width * height, f"{whole.file}: the number of cells of {width}x{height}")
    return _Frame(left - 1, top - 1, width, height)


def _ground(
    rects: NDArray[np.int64], doors: NDArray[np.int64], frame: _Frame, whole: Spot
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where rooms and where passages are: rooms are at least two cells wide. The cells of doors are neither."""
    narrow = rects[:, 2:4].min(axis=1) == 1
    is_round = rects[:, 4] == 1
    rooms, halls = _covered(rects[~narrow & ~is_round], frame), _covered(rects[narrow], frame)
    limits.FOREIGN_CELLS.check(
        int(rects[is_round, 2:4].prod(axis=1).sum()), f"{whole.file}: the cells of all round rooms"
    )
    for x, y, width, height, *_ in rects[is_round & ~narrow].tolist():
        ys, xs = np.ogrid[1 - height : height : 2, 1 - width : width : 2]
        circle = (xs * height) ** 2 + (ys * width) ** 2 <= (width * height) ** 2
        rooms[y - frame.top : y - frame.top + height, x - frame.left : x - frame.left + width] |= circle
    rooms[doors[:, 1] - frame.top, doors[:, 0] - frame.left] = halls[
        doors[:, 1] - frame.top, doors[:, 0] - frame.left
    ] = False
    return rooms, halls & ~rooms


def _covered(rects: NDArray[np.int64], frame: _Frame) -> NDArray[np.bool_]:
    """The cells below some rectangles, however many lie upon each other."""
    count = np.zeros((frame.height + 1, frame.width + 1), np.int32)
    x, y = rects[:, 0] - frame.left, rects[:, 1] - frame.top
    for row, column, change in (
        (y, x, 1),
        (y, x + rects[:, 2], -1),
        (y + rects[:, 3], x, -1),
        (y + rects[:, 3], x + rects[:, 2], 1),
    ):
        np.add.at(count, (row, column), change)
    covered: NDArray[np.bool_] = count.cumsum(axis=0).cumsum(axis=1)[:-1, :-1] > 0
    return covered


def _passage(rooms: NDArray[np.bool_], cell: Point, door: Spot) -> str:
    """The role of a passage without a door: where it leads into a room there is an opening, else it is a part of the
    corridor.
    """
    towards = door.key("dir", {})
    towards.object()
    x, y = (towards.key(name, 0).whole(-1, 1) for name in ("x", "y"))
    sides = [(cell[1] + sign * y, cell[0] + sign * x) for sign in (1, -1)]
    return "opening" if any(rooms[side] for side in sides) else "corridor"


def _put(tiles: NDArray[np.uint8], spot: Spot, frame: _Frame, where: NDArray[np.bool_], code: int) -> NDArray[np.bool_]:
    """Put a tile on those of some cells that lie where it may be; water is drawn beyond the walls too, and does not
    matter there.
    """
    found = np.zeros(tiles.shape, bool)
    for index in range(len(spot.list())):
        row = spot.item(index)
        row.object()
        x, y = (math.floor(_number(row.key(name))) - origin for name, origin in (("x", frame.left), ("y", frame.top)))
        if 0 <= x < frame.width and 0 <= y < frame.height:
            found[y, x] = True
    found &= where
    tiles[found] = code
    return found


def _notes(spot: Spot, frame: _Frame) -> list[Thing]:
    notes = []
    for index in range(len(spot.list())):
        row = spot.item(index)
        row.object()
        data: dict[str, Any] = {"text": row.key("text", "").text(), "ref": row.key("ref", "").text()}
        notes.append(Thing("note", *frame.cell(row.key("pos")), {key: value for key, value in data.items() if value}))
    return notes


def _door_of(doors: NDArray[np.int64], role: str, frame: _Frame) -> Point | None:
    """The cell of the first door that is a way in, or a way out."""
    found = doors[np.isin(doors[:, 2], [kind for kind, name in enumerate(DOORS) if name == role])]
    return (int(found[0, 0]) - frame.left, int(found[0, 1]) - frame.top) if len(found) else None


def _ending(rects: NDArray[np.int64], frame: _Frame, tiles: NDArray[np.uint8]) -> Point | None:
    """The middle of the room in which the way ends, if one can stand there."""
    for x, y, width, height in rects[rects[:, 5] == 1, :4].tolist():
        cell = (x + width // 2 - frame.left, y + height // 2 - frame.top)
        if STANDARD.walkable[tiles[cell[::-1]]]:
            return cell
    return None


def _tagged(level: Level, rects: NDArray[np.int64], frame: _Frame) -> Level:
    """The level with tags on the regions of round rooms and of the room in which the way ends."""
    tags: dict[int, tuple[str, ...]] = {}
    for x, y, width, height, is_round, is_end in rects[rects[:, 4:].any(axis=1)].tolist():
        label = int(level.regions.labels[y + height // 2 - frame.top, x + width // 2 - frame.left])
        if label:
            tags[label] = tuple(
                dict.fromkeys(
                    [*tags.get(label, ()), *(["rotunda"] if is_round else []), *(["ending"] if is_end else [])]
                )
            )
    draft = Draft.of(level)
    draft.regions = Regions(level.regions.labels, level.regions.table, tags)
    return draft.level(level.provenance)
