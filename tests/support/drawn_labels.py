"""Count the flaws of a drawn level, from the scene and not from its pixels."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

import undercroft as uc
from support.paths import ROOT
from undercroft.analysis.regions import infer_regions
from undercroft.analysis.room_grids import is_room_grid
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.draw.pen.free_space import PARTS_PER_CELL, CellRect
from undercroft.draw.scene.scene import TextMark
from undercroft.draw.view.grid_rooms import expand_rooms
from undercroft.draw.view.level_view import LevelView
from undercroft.errors import UndercroftError

TOLERANCE = 0.02
"""Cells by which boxes may overlap: letters have rounded corners."""
RECIPES = (
    *("bsp", "cave", "cozy", "diablo2", "diablo3", "drunkard", "dungeoning", "galak-z", "grammar", "isaac", "maze"),
    *("neighbours", "rooms-and-mazes", "templates", "tinykeep", "walk"),
    *sorted(str(path) for path in (ROOT / "examples").glob("*.toml") if path.name != "ruff.toml"),
)


@functools.cache
def make_level(recipe: str, seed: int, size: tuple[int, int] | None) -> Level | None:
    """A level as styles draw it: room grids as rooms. None if the recipe takes no such size."""
    try:
        level = uc.generate(recipe, seed=seed, size=size)
    except UndercroftError:
        return None
    return expand_rooms(level) if is_room_grid(level) else infer_regions.add_regions(level)


def list_missing_numbers(level: Level, texts: list[TextMark]) -> list[int]:
    """The rooms of a level without their number, or name, among its texts."""
    rooms = level.rooms
    if len(rooms) < 2:
        return []
    found = {int(text.text) for text in texts if text.kind == "number"}
    names = {text.text for text in texts if text.kind == "name"}
    return [number for number, room in enumerate(rooms, 1) if number not in found and room.name not in names]


def list_collisions(level: Level, texts: list[TextMark], shown: frozenset[str]) -> Iterator[str]:
    """The texts that lie over a wall, over a thing, a door or stairs, or over another text."""
    view = LevelView(level, "secrets" in shown, shown)
    inside = view.label_space.inside
    busy = _occupied(view, shown)
    stairs = [CellRect.centred_on(*stair.middle, stair.size, stair.size) for stair in view.stairs]
    for number, text in enumerate(texts):
        left, top, right, bottom = (
            text.left + TOLERANCE,
            text.top + TOLERANCE,
            text.right - TOLERANCE,
            text.bottom - TOLERANCE,
        )
        rows, columns = (
            slice(max(0, int(low * PARTS_PER_CELL)), max(0, int(high * PARTS_PER_CELL) + 1))
            for low, high in ((top, bottom), (left, right))
        )
        part = inside[rows, columns]
        if part.any() and not part.all():
            yield f"{text.kind} {text.text!r} lies over a wall at {left:.1f}, {top:.1f}"
        cells = busy[max(0, int(top)) : int(bottom) + 1, max(0, int(left)) : int(right) + 1]
        box = CellRect(left, top, right, bottom)
        if part.any() and (cells.any() or any(_overlap(box, stair) for stair in stairs)):
            yield f"{text.kind} {text.text!r} lies over a thing at {left:.1f}, {top:.1f}"
        for other in texts[:number]:
            if _overlap(box, CellRect(*other[2:])):
                yield f"{text.kind} {text.text!r} lies over {other.kind} {other.text!r}"


def _overlap(box: CellRect, other: CellRect) -> bool:
    return (
        min(box.right, other.right) - max(box.left, other.left) > TOLERANCE
        and min(box.bottom, other.bottom) - max(box.top, other.top) > TOLERANCE
    )


def _occupied(view: LevelView, shown: frozenset[str]) -> NDArray[np.bool_]:
    """Cells with doors, and with things if these are shown."""
    busy = view.level.palette.role_mask(*DOOR_ROLES)[view.level.tiles]
    if not view.secrets:
        busy &= view.open_cells
    for thing in view.level.things if "things" in shown else ():
        wide, high = (size if type(size := thing.data.get(side)) is int else 1 for side in ("width", "height"))
        busy[thing.y : thing.y + high, thing.x : thing.x + wide] = True
    return busy


def list_props_outside(level: Level) -> list[str]:
    """The things whose sign leaves the drawn ground."""
    view = LevelView(level)
    inside = view.label_space.inside
    found = []
    for thing, sign in zip(view.things, view.thing_signs, strict=True):
        points = np.concatenate([line for part in sign for line in part.lines])
        fine = np.floor(points * PARTS_PER_CELL + np.where(points % 1 < 0.5, 0.3, -0.3)).astype(int)
        fine = np.clip(fine, 0, np.array(inside.shape[::-1]) - 1)
        if view.open_cells[thing.y, thing.x] and not inside[fine[:, 1], fine[:, 0]].all():
            found.append(f"the {thing.kind} at {thing.x}, {thing.y}")
    return found
