"""Read maps of the One Page Dungeon generator by Watabou, from the JSON file that it exports.

The file is an object with `title`, `story`, and lists: `rects` (x, y, w, h; `rotunda` if the room is round, `ending`
if it is the last room), one of a single cell below each door; `doors` (x, y, `dir` {x, y}, `type`); `notes` (`text`,
`ref`, `pos` {x, y}); `columns` and `water` (x, y). Any cell may be the origin, so coordinates may be negative.
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
from undercroft.inputs.json import parse_json
from undercroft.inputs.values import CheckedValue, in_file, quote_name

ROLE_BY_DOOR_TYPE = ("", "door", "opening", "entry", "locked", "locked", "secret", "door", "exit", "opening")
"""The role of each type of door: passage, door, narrow passage, entrance, bars, barred by a lock, secret, flush with
the wall, exit, stairs between rooms.
"""
BARS_TYPE, STAIRS_TYPE = 4, 9
WADING_PALETTE = Palette(
    [tile._replace(name="shallow water", walkable=True) if tile.role == "water" else tile for tile in STANDARD.tiles],
    "one page dungeon",
)
"""The standard palette with walkable water, as in these maps."""


class _WatabouFrame(NamedTuple):
    """The part of the plane that the map shows: all rooms and doors, and a wall around them."""

    left: int
    top: int
    width: int
    height: int

    def read_cell(self, spot: CheckedValue) -> Point:
        """The cell of a point {x, y}."""
        spot.table()
        x, y = (
            math.floor(_read_number(spot.key(name))) - origin for name, origin in (("x", self.left), ("y", self.top))
        )
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise spot.error("this lies outside the map", "draw a room there, or leave it out")
        return x, y


def load(data: bytes, file: str) -> Level:
    """The level, with its rooms, doors, stairs, columns and water; notes and bars are things."""
    whole = in_file(parse_json(data, file), "", file)
    whole.table()
    rects = _read_rects(whole.key("rects"))
    doors = _read_doors(whole.key("doors", []))
    frame = _find_frame(rects, doors, whole)
    rooms, halls = _ground_masks(rects, doors, frame, whole)
    tiles = np.where(
        rooms, STANDARD.role("floor"), np.where(halls, STANDARD.role("corridor"), STANDARD.role("wall"))
    ).astype(np.uint8)
    things: list[Thing] = []
    for index, (x, y, kind) in enumerate(doors.tolist()):
        here = (x - frame.left, y - frame.top)
        tiles[here[::-1]] = STANDARD.role(
            ROLE_BY_DOOR_TYPE[kind] or _passage_role(rooms, here, whole.key("doors").item(index))
        )
        if kind in (BARS_TYPE, STAIRS_TYPE):
            things.append(Thing("portcullis" if kind == BARS_TYPE else "stairs", *here))
    _put_tiles(tiles, whole.key("columns", []), frame, rooms, STANDARD.role("pillar"))
    flooded = _put_tiles(
        tiles, whole.key("water", []), frame, rooms & (tiles == STANDARD.role("floor")), STANDARD.role("water")
    )
    things += _read_notes(whole.key("notes", []), frame)
    level = Level(
        tiles,
        WADING_PALETTE if flooded.any() else STANDARD,
        things=things,
        start=_find_door(doors, "entry", frame),
        end=_find_door(doors, "exit", frame) or _find_ending(rects, frame, tiles),
        layers={"water": flooded} if flooded.any() else {},
        provenance={
            "program": "One Page Dungeon",
            **{key: whole.key(key).text() for key in ("version", "story") if key in whole.value},
        },
        title=whole.key("title", "").text(),
    )
    return _tag_regions(surveyed(level), rects, frame)


def _read_number(spot: CheckedValue) -> float:
    most = limits.FOREIGN_DISTANCE.value
    if type(spot.value) not in (int, float) or not -most <= spot.value <= most:
        raise spot.error(f"a number from -{most:,} to {most:,} belongs here, not {quote_name(spot.value)}")
    return float(spot.value)


def _read_rects(spot: CheckedValue) -> NDArray[np.int64]:
    """Rows of x, y, width, height, and 1 or 0 for round and for ending."""
    rows, most = [], limits.FOREIGN_DISTANCE.value
    for index in range(len(spot.list())):
        row = spot.item(index)
        row.table()
        place = [row.key(name).integer(-most, most) for name in ("x", "y")]
        size = [row.key(name).integer(1, most) for name in ("w", "h")]
        rows.append([*place, *size, row.key("rotunda", False).boolean(), row.key("ending", False).boolean()])
    if not rows:
        raise spot.error("there is no room", "export the map again")
    return np.array(rows, np.int64)


def _read_doors(spot: CheckedValue) -> NDArray[np.int64]:
    """Rows of x, y and type."""
    rows, most = [], limits.FOREIGN_DISTANCE.value
    for index in range(len(spot.list())):
        row = spot.item(index)
        row.table()
        rows.append(
            [
                row.key("x").integer(-most, most),
                row.key("y").integer(-most, most),
                row.key("type").integer(0, len(ROLE_BY_DOOR_TYPE) - 1),
            ]
        )
    return np.array(rows, np.int64).reshape(-1, 3)


def _find_frame(rects: NDArray[np.int64], doors: NDArray[np.int64], whole: CheckedValue) -> _WatabouFrame:
    corners = np.concatenate([rects[:, :2], doors[:, :2]])
    ends = np.concatenate([rects[:, :2] + rects[:, 2:4], doors[:, :2] + 1])
    (left, top), (right, bottom) = corners.min(axis=0).tolist(), ends.max(axis=0).tolist()
    width, height = right - left + 2, bottom - top + 2
    limits.FOREIGN_CELLS.check(width * height, f"{whole.file}: the number of cells of {width}x{height}")
    return _WatabouFrame(left - 1, top - 1, width, height)


def _ground_masks(
    rects: NDArray[np.int64], doors: NDArray[np.int64], frame: _WatabouFrame, whole: CheckedValue
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Masks of rooms and of passages: rooms are at least two cells wide. The cells of doors belong to neither."""
    narrow = rects[:, 2:4].min(axis=1) == 1
    is_round = rects[:, 4] == 1
    rooms, halls = _covered_cells(rects[~narrow & ~is_round], frame), _covered_cells(rects[narrow], frame)
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


def _covered_cells(rects: NDArray[np.int64], frame: _WatabouFrame) -> NDArray[np.bool_]:
    """The cells covered by rectangles, which may overlap."""
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


def _passage_role(rooms: NDArray[np.bool_], cell: Point, door: CheckedValue) -> str:
    """The role of a passage without a door: an opening where it leads into a room, else part of the corridor."""
    towards = door.key("dir", {})
    towards.table()
    x, y = (towards.key(name, 0).integer(-1, 1) for name in ("x", "y"))
    sides = [(cell[1] + sign * y, cell[0] + sign * x) for sign in (1, -1)]
    return "opening" if any(rooms[side] for side in sides) else "corridor"


def _put_tiles(
    tiles: NDArray[np.uint8], spot: CheckedValue, frame: _WatabouFrame, where: NDArray[np.bool_], code: int
) -> NDArray[np.bool_]:
    """Put a tile on the listed cells that lie in `where`. Water is drawn beyond the walls too, where it is ignored."""
    found = np.zeros(tiles.shape, bool)
    for index in range(len(spot.list())):
        row = spot.item(index)
        row.table()
        x, y = (
            math.floor(_read_number(row.key(name))) - origin for name, origin in (("x", frame.left), ("y", frame.top))
        )
        if 0 <= x < frame.width and 0 <= y < frame.height:
            found[y, x] = True
    found &= where
    tiles[found] = code
    return found


def _read_notes(spot: CheckedValue, frame: _WatabouFrame) -> list[Thing]:
    notes = []
    for index in range(len(spot.list())):
        row = spot.item(index)
        row.table()
        data: dict[str, Any] = {"text": row.key("text", "").text(), "ref": row.key("ref", "").text()}
        notes.append(
            Thing("note", *frame.read_cell(row.key("pos")), {key: value for key, value in data.items() if value})
        )
    return notes


def _find_door(doors: NDArray[np.int64], role: str, frame: _WatabouFrame) -> Point | None:
    """The cell of the first door of a role, an entrance or an exit."""
    found = doors[np.isin(doors[:, 2], [kind for kind, name in enumerate(ROLE_BY_DOOR_TYPE) if name == role])]
    return (int(found[0, 0]) - frame.left, int(found[0, 1]) - frame.top) if len(found) else None


def _find_ending(rects: NDArray[np.int64], frame: _WatabouFrame, tiles: NDArray[np.uint8]) -> Point | None:
    """The middle of the last room, if it is walkable."""
    for x, y, width, height in rects[rects[:, 5] == 1, :4].tolist():
        cell = (x + width // 2 - frame.left, y + height // 2 - frame.top)
        if STANDARD.walkable[tiles[cell[::-1]]]:
            return cell
    return None


def _tag_regions(level: Level, rects: NDArray[np.int64], frame: _WatabouFrame) -> Level:
    """The level with tags on the regions of round rooms and of the last room."""
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
