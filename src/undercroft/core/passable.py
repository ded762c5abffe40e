"""Which cells of a map can be entered: without things that block, and without locks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import Palette, look_up_tiles
from undercroft.core.region import Thing
from undercroft.errors import BadInput
from undercroft.inputs.arguments import is_list
from undercroft.wording import format_value_briefly

LOCK = "lock"
"""The kind of a thing that locks its cell. Its data say which key opens it: {"key": "red"}."""
Mask = NDArray[np.bool_]


class TilesWithThings(Protocol):
    """A level or a draft."""

    @property
    def tiles(self) -> NDArray[np.uint8]: ...
    @property
    def palette(self) -> Palette: ...
    @property
    def things(self) -> Sequence[Thing]: ...


def open_cells(level: TilesWithThings, *, secrets: bool = True) -> Mask:
    """The cells that are walkable if nothing is locked, without cells of things that block. Without `secrets`, secret
    doors are walls.
    """
    is_open = look_up_tiles(level.palette.walkable, level.tiles).copy()
    if not secrets:
        is_open &= ~look_up_tiles(level.palette.role_mask("secret"), level.tiles)
    if level.things:
        mark_cells_of_things(is_open, (thing for thing in level.things if thing.data.get("blocks") is True), False)
    return is_open


def mark_cells_of_things(mask: Mask, things: Iterable[Thing], value: bool) -> None:
    """Set the cells of things in a mask, with their width and height."""
    width, cells = mask.shape[1], memoryview(mask.reshape(-1))  # type: ignore[arg-type]
    for thing in things:
        data = thing.data
        if "width" in data or "height" in data:
            wide, high = data.get("width", 1), data.get("height", 1)
            wide = wide if type(wide) is int and wide > 1 else 1
            high = high if type(high) is int and high > 1 else 1
            mask[thing.y : thing.y + high, thing.x : thing.x + wide] = value
        else:
            cells[thing.y * width + thing.x] = value


def lock_name(thing: Thing) -> str:
    """The name of the key that a lock needs; empty for a key without a name."""
    return str(thing.data.get("key", ""))


def passable_cells(level: TilesWithThings, keys: Collection[str] = ()) -> Mask:
    """The open cells that no lock closes; those of `keys` are open. A tile with the role "locked" and no lock on it
    needs a key without a name. The result is read-only.
    """
    cells = open_cells(level)
    locked = look_up_tiles(level.palette.role_mask("locked"), level.tiles)
    locks = [thing for thing in level.things if thing.kind == LOCK]
    if locks or "" in keys:
        locked = np.zeros_like(locked) if "" in keys else locked.copy()
        for thing in locks:  # a named lock tells more than its tile
            locked[thing.y, thing.x] = False
        for thing in locks:
            if lock_name(thing) not in keys:
                locked[thing.y, thing.x] = True
    cells &= ~locked
    cells.setflags(write=False)
    return cells


def check_key_names(keys: str | Iterable[str]) -> frozenset[str]:
    """The names of keys, given as one text or several. Raises if they are anything else."""
    given: Any = [keys] if isinstance(keys, str) else keys
    names = list(given) if is_list(given) or isinstance(given, Mapping) else [given]
    for name in names:
        if not isinstance(name, str):
            raise BadInput(
                f"keys are named by texts, and {format_value_briefly(name)} is none",
                fix='for example passable_with(["red"])',
            )
    return frozenset(names)
