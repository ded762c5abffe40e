"""Apply tiles painted by hand to a level. Facts near the painted cells are updated; everything else stays."""

from __future__ import annotations

from collections.abc import Sequence

from undercroft.analysis.update_facts import KnownFacts, find_path, has_same_ground, update_facts
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.run import Run
from undercroft.errors import BadInput

EDITS_KEY = "edits"
"""The key of `Level.provenance` that lists the painted tiles."""


def apply_edits(level: Level, edits: Sequence[tuple[int, str]]) -> Level:
    """The level with tiles, given by name, placed on cells (y * width + x) in this order.

    Rooms keep their order, names and tags. New ground joins the region that it touches most, or becomes a new room; a
    room that is cut apart becomes two. Doors, their links and the path are found again; start and end stay if their
    cells are still walkable. The provenance of the level lists the painted tiles.

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
    update_facts(draft, before, Run())
    if not has_same_ground(draft, before):
        find_path(draft, Run())
    return draft.level({**level.provenance, EDITS_KEY: [[cell, name] for cell, name in edits]})


def _extend_palette(palette: Palette, wanted: Sequence[str]) -> Palette:
    """The palette with the missing tiles of the standard palette that are painted; unchanged if their glyphs mean
    something else in it.
    """
    missing = [tile for tile in STANDARD.tiles if tile.name in wanted and tile.name not in palette]
    try:
        return palette.merged(Palette(missing))[0] if missing else palette
    except BadInput:
        return palette
