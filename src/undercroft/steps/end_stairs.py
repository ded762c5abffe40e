"""Stairs on the ends of a map: the tiles `<` and `>`."""

from __future__ import annotations

from collections.abc import Mapping

from undercroft.analysis.reach import ComponentCount, FloodSummary
from undercroft.core.draft import Draft
from undercroft.core.level import Point
from undercroft.core.passable import open_cells
from undercroft.core.run import Run
from undercroft.core.stairs import STAIRS, STAIRS_ROLES, find_ground_code, find_only_stairs, is_ground


def find_end_stairs(draft: Draft) -> tuple[Point | None, Point | None]:
    """The cells with the stairs of the ends that a draft has: `<` on the start, `>` on the end; those of a role if
    they are the only ones and the end is not known.
    """
    found = []
    for name, role in STAIRS_ROLES.items():
        point: Point | None = getattr(draft, name)
        if point is None:
            point = find_only_stairs(draft.tiles, draft.palette, role)
        elif draft.palette.roles[draft.tiles[point[1], point[0]]] != role:
            point = None
        found.append(point)
    return found[0], found[1]


def write_end_stairs(draft: Draft, before: tuple[Point | None, Point | None], run: Run) -> None:
    """Write `<` on the start and `>` on the end, and ground where they were before (see `find_end_stairs`).

    A door, a frozen cell and a cell with a thing that blocks keep their tiles, and so do all cells if the palette has
    no stairs. The cells that can be walked on stay the same.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse("<...>."))
    >>> before = find_end_stairs(draft)
    >>> draft.start, draft.end = (5, 0), (0, 0)
    >>> write_end_stairs(draft, before, Run())
    >>> print(draft)
    >....<
    """
    palette, tiles, roles = draft.palette, draft.tiles, draft.palette.roles
    changes: dict[Point, int] = {}
    for point in before:
        if point is not None and _may_change(draft, point):
            changes[point] = find_ground_code(tiles, palette, point, draft.regions)
    ends = {"entry": draft.start, "exit": draft.end if draft.end != draft.start else None}
    for role, point in ends.items():
        if point is None or role not in roles or not palette.walkable[code := palette.role(role)]:
            continue
        ground = changes.get(point, int(tiles[point[1], point[0]]))
        if is_ground(palette, ground) and _may_change(draft, point):
            changes[point] = code
    if changes:
        _write_tiles(draft, changes, run)


def _write_tiles(draft: Draft, changes: Mapping[Point, int], run: Run) -> None:
    """Write tiles that can be walked on in place of others. The run keeps what it knows of searches over the map: they
    would find the same.
    """
    tiles, kept, opens = draft.tiles, run.swept, draft.palette.walkable.tobytes()
    before = tiles.tobytes()
    for number, ((x, y), code) in enumerate(changes.items()):
        if number:
            run.show()
        tiles[y, x] = code
    if isinstance(kept, FloodSummary) and (kept.table, kept.tiles) == (opens, before):
        run.swept = kept._replace(tiles=tiles.tobytes())
    elif isinstance(kept, ComponentCount) and (kept.table, kept.tiles.tobytes()) == (opens, before):
        run.swept = kept._replace(tiles=tiles.copy())


def _may_change(draft: Draft, point: Point) -> bool:
    """Whether the tile of a cell may be replaced."""
    x, y = point
    if draft.frozen is not None and draft.frozen[y, x]:
        return False
    if not draft.things:
        return True
    if any(thing.kind == STAIRS and (thing.x, thing.y) == point for thing in draft.things):
        return False
    return bool(open_cells(draft)[y, x])
