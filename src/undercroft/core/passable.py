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
    for _, x, y, data in level.things:
        if data.get("blocks") is True:
            if "width" in data or "height" in data:
                wide, high = (
                    size if type(size := data.get(side, 1)) is int and size > 1 else 1 for side in ("width", "height")
                )
                is_open[y : y + high, x : x + wide] = False
            else:
                is_open[y, x] = False
    return is_open


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
