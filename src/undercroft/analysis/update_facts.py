"""Update the facts of a map after its tiles changed: what the change did not touch stays as it was."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach, survey
from undercroft.core.draft import TILE_FACTS, Draft
from undercroft.core.level import Point
from undercroft.core.palette import Palette, look_up_tiles
from undercroft.core.region import Door, Link, Regions, Rows
from undercroft.core.run import Run
from undercroft.core.stairs import STAIRS_ROLES, find_stairs, point_of
from undercroft.wording import plural


class KnownFacts(NamedTuple):
    """The facts of a map before its tiles change."""

    palette: Palette
    tiles: NDArray[np.uint8]
    regions: Regions | None
    doors: Rows[Door]
    links: Rows[Link]
    is_room_grid: bool
    start: Point | None
    end: Point | None
    path: NDArray[np.int32] | None

    @classmethod
    def of(cls, draft: Draft) -> KnownFacts:
        """The facts that a draft holds now. Its tiles are copied, because steps write on them."""
        return cls(
            draft.palette,
            draft.tiles.copy(),
            draft.regions,
            draft.doors,
            draft.links,
            "doors" in draft.layers,
            draft.start,
            draft.end,
            draft.path,
        )


def update_facts(draft: Draft, before: KnownFacts, run: Run) -> None:
    """Update the facts of a draft whose tiles were written to.

    If every cell still is what it was for a walker (rock, ground of a room, corridor, door of some state), all facts
    stay. Else regions, doors, links, ends and path are those of `restore_facts`, and the other facts about tiles are
    dropped. New stairs are the start and the end.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse('''
    ...     ########
    ...     #11+22.#
    ...     ########
    ... '''))
    >>> before = KnownFacts.of(draft)
    >>> draft.tiles[1, 4:7] = draft.palette["water"], draft.palette["floor"], draft.palette[">"]
    >>> update_facts(draft, before, Run())
    >>> [(room.label, room.x, room.width) for room in draft.regions], draft.end
    ([(1, 1, 2), (2, 5, 2)], (6, 1))
    """
    if not has_same_ground(draft, before):
        draft.forget(TILE_FACTS)
        restore_facts(draft, before, run)
    mark_one_way(draft)
    move_ends_to_stairs(draft, before, run)


def has_same_ground(draft: Draft, before: KnownFacts) -> bool:
    """Whether each cell has the same class as before for the survey, and the same walkers can cross it."""
    if draft.tiles.shape != before.tiles.shape:
        return False
    if draft.palette == before.palette and np.array_equal(draft.tiles, before.tiles):
        return True
    return np.array_equal(
        look_up_tiles(draft.palette.walkable, draft.tiles), look_up_tiles(before.palette.walkable, before.tiles)
    ) and np.array_equal(
        survey.classify_cells(draft.tiles, draft.palette), survey.classify_cells(before.tiles, before.palette)
    )


def restore_facts(draft: Draft, before: KnownFacts, run: Run) -> None:
    """Set the facts that a draft lost to those of the map before, as far as they still hold.

    Regions keep their order, kind, names and tags. New ground joins the region that it touches most; a region that was
    cut apart keeps its name in the largest part. Doors and links that are gone are dropped, and new ones added. Start
    and end stay if their cells can be walked on, and so does a path; one that is cut is replaced by the shortest path.
    """
    if draft.tiles.shape != before.tiles.shape:
        return
    if draft.regions is None and before.regions is not None and not before.is_room_grid:
        from undercroft.analysis.regions.update_regions import (  # few recipes write over regions
            RegionTables,
            update_regions,
        )

        draft.regions, draft.doors, draft.links = update_regions(
            RegionTables(before.regions, before.doors, before.links),
            survey.classify_cells(before.tiles, before.palette),
            survey.classify_cells(draft.tiles, draft.palette),
            run,
        )
        lost = sorted(set(before.regions.names.values()) - set(draft.regions.names.values()))
        if lost:
            said = "is" if len(lost) == 1 else "are"
            run.note(f"{plural(len(lost), 'room')} with a name {said} no longer there: {', '.join(lost[:5])}")
    elif draft.regions is None and before.regions is not None:
        run.note("the rooms of the grid changed, so they are no longer known")
    walkable = look_up_tiles(draft.palette.walkable, draft.tiles)
    for name in STAIRS_ROLES:
        point = getattr(before, name)
        if getattr(draft, name) is None and point is not None:
            if walkable[point[1], point[0]]:
                setattr(draft, name, point)
            else:
                run.note(f"the {name} at ({point[0]}, {point[1]}) was written over, so there is none")
    if draft.path is None and before.path is not None and len(before.path):
        if walkable[before.path[:, 1], before.path[:, 0]].all() and (draft.start, draft.end) == (
            before.start,
            before.end,
        ):
            draft.path = before.path
        else:
            find_path(draft, run)


def move_ends_to_stairs(draft: Draft, before: KnownFacts, run: Run) -> None:
    """Set start and end to the stairs `<` and `>` if the change wrote some: to the only ones, or to those among several
    where they are already. Where stairs were taken away, there is no end.
    """
    width, same_size = draft.width, draft.tiles.shape == before.tiles.shape
    for name, role in STAIRS_ROLES.items():
        now = find_stairs(draft.tiles, draft.palette, role)
        was = find_stairs(before.tiles, before.palette, role) if same_size else now[:0]
        if np.array_equal(now, was):
            continue
        point: Point | None = getattr(draft, name)
        cell = -1 if point is None else point[1] * width + point[0]
        if len(now) == 1:
            setattr(draft, name, point_of(int(now[0]), width))
        elif cell not in now and (len(now) or cell in was):
            setattr(draft, name, None)
            if len(now):
                run.note(f"{len(now):,} cells have the role {role!r}, so none of them is the {name}")
            elif point is not None:
                run.note(f"the stairs of the {name} at ({point[0]}, {point[1]}) were written over, so there is none")
    path = draft.path
    if path is not None and len(path) and (tuple(path[0]), tuple(path[-1])) != (draft.start, draft.end):
        find_path(draft, run)


def mark_one_way(draft: Draft) -> None:
    """Set the kind of links through one-way doors, which are things."""
    if draft.regions is not None:
        from undercroft.analysis.regions.update_regions import mark_one_way_again

        draft.links = mark_one_way_again(draft.links, draft.doors, draft.things, draft.regions.labels)


def find_path(draft: Draft, run: Run) -> None:
    """Set the path to the shortest one from start to end; to none if there is none."""
    draft.path = None
    if draft.start is not None and draft.end is not None:
        walkable = look_up_tiles(draft.palette.walkable, draft.tiles)
        found = reach.DistanceField(walkable, [draft.start], run).path_to(*draft.end)
        draft.path = found if len(found) else None
