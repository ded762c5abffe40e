"""The engine's table of guards, and proofs that some rewrites cannot break them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from undercroft.errors import TooBig
from undercroft.rewrite.engine.tile_classes import INSIDE, OTHER, RIM, TileClasses, signed
from undercroft.rewrite.model.program import Guard, Program

GUARD_KINDS = ("connected", "count", "distance")
GUARD_COLUMNS = 8
MAX_MARK_RADIUS = 24
"""Refused matches are marked on the map if changes that affect the verdict are at most this far away."""


def build_guard_table(guards: Sequence[Guard], program: Program, classes: TileClasses) -> NDArray[np.int64]:
    """The kernel's rows: kind, tiles, others, least, most, walkable tiles, refused."""
    rows = []
    for guard in guards:
        tiles, others = class_sets(guard, program, classes)
        walk = walkable_classes(program, classes) if guard.kind == "distance" else 0
        rows.append(
            [GUARD_KINDS.index(guard.kind), signed(tiles), signed(others), guard.least, guard.most, signed(walk), 0, 0]
        )
    return np.array(rows, np.int64).reshape(-1, GUARD_COLUMNS)


def class_sets(guard: Guard, program: Program, classes: TileClasses) -> tuple[int, int]:
    """The sets of a guard as classes. For `connected`, things count as the ground below them."""
    tiles = guard.tiles
    if guard.kind == "connected":
        for standing in program.things:
            if tiles >> standing.ground & 1:
                tiles |= 1 << standing.tile
    return classes.mask(tiles) & INSIDE, classes.mask(guard.others) & INSIDE


def walkable_classes(program: Program, classes: TileClasses) -> int:
    """The walkable classes."""
    mask = 0
    for index, code in enumerate(classes.codes.tolist()):
        if program.palette.walkable[code]:
            mask |= 1 << index
    if classes.renamed:  # all tiles that no rule names are one class
        rest = program.palette.walkable[
            [code for code in range(len(program.palette)) if code not in set(classes.codes.tolist())]
        ]
        if rest.any() and not rest.all():
            raise TooBig(
                "distances cannot be walked with so many tiles",
                fix=f"give the palette at most {OTHER} tiles, or leave the guard out",
            )
        mask |= int(rest.all()) << OTHER
    return mask


def guard_radius(guards: Sequence[Guard]) -> int:
    """The distance up to which a change can affect the guards of a rewrite; -1 for any distance."""
    far = max(
        (1 if guard.kind == "connected" else guard.least if guard.kind == "distance" else 0 for guard in guards),
        default=0,
    )
    return far if far <= MAX_MARK_RADIUS else -1


def could_break(
    guard: Guard,
    program: Program,
    classes: TileClasses,
    before: dict[int, int],
    written: Sequence[tuple[int, int]],
    stride: int,
) -> bool:
    """Whether a rewrite could break a guard at all. `before` maps offsets in the box to their possible classes;
    `written` holds the new ones.
    """
    tiles, others = class_sets(guard, program, classes)
    if guard.kind == "count":
        most = least = 0
        for at, tile in written:
            more, less = (
                (tiles >> tile & 1) - (not before[at] & INSIDE & ~tiles),
                (tiles >> tile & 1) - bool(before[at] & tiles),
            )
            beyond = before[at] >> RIM & 1  # nothing is written outside the border
            most += max(0, more) if beyond else more
            least += min(0, less) if beyond else less
        return (guard.most >= 0 and most > 0) or (guard.least > 0 and least < 0)
    if guard.kind == "distance":
        return any(
            group >> tile & 1 and before[at] & ~group
            for at, tile in written
            for group in (tiles, others, walkable_classes(program, classes))
        )
    return _could_split(tiles, before, written, stride)


def _could_split(tiles: int, before: dict[int, int], written: Sequence[tuple[int, int]], stride: int) -> bool:
    """Whether a rewrite could split a connected part. It cannot if it removes nothing, and all it adds is connected,
    within its box, to what was there.
    """
    if any(not tiles >> tile & 1 and before[at] & tiles for at, tile in written):
        return True
    after = {at for at, mask in before.items() if not mask & ~tiles}
    firm = set(after)
    after |= {at for at, tile in written if tiles >> tile & 1 and not before[at] >> RIM & 1}
    reached, todo = set(firm), list(firm)
    while todo:
        at = todo.pop()
        for near in (at - 1, at + 1, at - stride, at + stride):
            if near in after and near not in reached:
                reached.add(near)
                todo.append(near)
    return any(tiles >> tile & 1 and at not in reached for at, tile in written)
