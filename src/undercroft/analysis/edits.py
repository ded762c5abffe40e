"""Apply what was done by hand to a level: painted tiles, and things that were placed or taken away. Facts near the
painted cells are updated; everything else stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.region import Thing
from undercroft.core.run import Run
from undercroft.errors import BadInput

EDITS_KEY, PLACED_KEY, REMOVED_KEY = "edits", "placed", "removed"
"""The keys of `Level.provenance` that list the painted tiles, the placed things, and those taken away."""


class ThingSpot(NamedTuple):
    """A thing by its kind and cell: the first one of that kind there."""

    kind: str
    x: int
    y: int


class HandEdits(NamedTuple):
    """What was done to a level by hand."""

    tiles: tuple[tuple[int, str], ...] = ()
    """Painted tiles by name, on cells (y * width + x), in their order."""
    placed: tuple[Thing, ...] = ()
    removed: tuple[ThingSpot, ...] = ()

    def apply(self, level: Level) -> Level:
        """The level with all of it; itself if there is nothing."""
        if not any(self):
            return level
        return apply_edits(level, self.tiles, placed=self.placed, removed=self.removed)


def apply_edits(
    level: Level,
    edits: Sequence[tuple[int, str]],
    *,
    placed: Sequence[Thing] = (),
    removed: Sequence[ThingSpot] = (),
) -> Level:
    """The level with tiles, given by name, placed on cells (y * width + x) in this order; then without the things in
    `removed`, as far as it has them, and with those in `placed` after the others. A thing that is moved or changed is
    removed and placed.

    Rooms keep their order, names and tags. New ground joins the region that it touches most, or becomes a new room; a
    room that is cut apart becomes two. Doors, their links and the path are found again; start and end stay if their
    cells are still walkable. The provenance of the level lists the painted tiles and the things.

    >>> level = Level.parse('''
    ...     ########
    ...     #11#22.#
    ...     ########
    ... ''')
    >>> after = apply_edits(level, [(11, "door"), (14, "wall")])
    >>> print(after)
    ########
    #..+..##
    ########
    >>> after.doors, after.links[0].kind, [room.area for room in after.rooms]
    ([Door(x=3, y=1, a=1, b=2, state='closed')], 'door', [2, 2])
    """
    from undercroft.analysis.update_facts import KnownFacts, find_path, has_same_ground, update_facts  # few are edited

    palette, tiles = _extend_palette(level.palette, [name for _, name in edits]), level.tiles.copy()
    flat = tiles.reshape(-1)
    for cell, name in edits:
        if not 0 <= cell < flat.size:
            raise BadInput(
                f"there is no cell {cell} on a level of {level.width}x{level.height}", fix="paint cells of the level"
            )
        flat[cell] = palette.code(name)
    draft = Draft.of(level)
    before = KnownFacts.of(draft)
    draft.tiles, draft.palette = tiles, palette
    draft.things = change_things(level, placed, removed)
    update_facts(draft, before, Run())
    if not has_same_ground(draft, before):
        find_path(draft, Run())
    return draft.level({**level.provenance, **_record_edits(edits, placed, removed)})


def change_things(level: Level, placed: Sequence[Thing], removed: Sequence[ThingSpot]) -> list[Thing]:
    """The things of the level without those in `removed`, and with those in `placed`.

    >>> level = Level.parse("...").replace(things=[Thing("key", 1, 0), Thing("key", 1, 0, {"opens": "red"})])
    >>> [dict(thing.data) for thing in change_things(level, [], [ThingSpot("key", 1, 0), ThingSpot("orb", 2, 0)])]
    [{'opens': 'red'}]
    """
    for what, (kind, x, y) in [*(("placed", thing[:3]) for thing in placed), *(("removed", spot) for spot in removed)]:
        if not (0 <= x < level.width and 0 <= y < level.height):
            raise BadInput(
                f"the {kind} at ({x}, {y}) that is {what} lies outside the level of {level.width}x{level.height}",
                fix="name cells of the level",
            )
    gone = Counter(removed)
    things = []
    for thing in level.things:
        spot = ThingSpot(thing.kind, thing.x, thing.y)
        if gone[spot]:
            gone[spot] -= 1
        else:
            things.append(thing)
    return [*things, *placed]


def _record_edits(
    edits: Sequence[tuple[int, str]], placed: Sequence[Thing], removed: Sequence[ThingSpot]
) -> dict[str, Any]:
    """What the provenance records."""
    record: dict[str, Any] = {EDITS_KEY: [[cell, name] for cell, name in edits]}
    if placed:
        record[PLACED_KEY] = [
            {"kind": thing.kind, "x": thing.x, "y": thing.y, **({"data": _sort_keys(thing.data)} if thing.data else {})}
            for thing in placed
        ]
    if removed:
        record[REMOVED_KEY] = [spot._asdict() for spot in removed]
    return record


def _sort_keys(value: Any) -> Any:
    """The data of a thing with its keys in order: equal data gives an equal record."""
    if isinstance(value, Mapping):
        return {key: _sort_keys(value[key]) for key in sorted(value)}
    return [_sort_keys(held) for held in value] if isinstance(value, tuple) else value


def _extend_palette(palette: Palette, wanted: Sequence[str]) -> Palette:
    """The palette with the missing tiles of the standard palette that are painted; unchanged if their glyphs mean
    something else in it.
    """
    missing = [tile for tile in STANDARD.tiles if tile.name in wanted and tile.name not in palette]
    try:
        return palette.merged(Palette(missing))[0] if missing else palette
    except BadInput:
        return palette
