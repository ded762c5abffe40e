"""The graph of a level over its map: regions as discs, links as lines through their doors."""

from __future__ import annotations

from PIL import Image

from undercroft.core.custom_tiles import list_coloured_codes
from undercroft.core.level import Level
from undercroft.draw.styles.table import PICTURE_PARTS, render_picture

GRAPH_PARTS = ("graph", "grid", "heat", "secrets")


def render_graph_picture(level: Level, *, cell: int | None = None, style: str = "dark") -> Image.Image:
    """The level's graph over a dim picture of it. Discs with a number are rooms, small discs are corridors. The numbers
    are the labels of the regions; in other styles they are the numbers of the rooms in that style.

    Lines are links: blue without a door, white through one, red if it is locked, dashed if it is secret, yellow with an
    arrow if it is one-way.
    """
    own = bool(list_coloured_codes(level.tiles, level.palette))
    parts = [part for part in GRAPH_PARTS if part != "heat" or not own]
    return render_picture(
        level, style, cell=cell, show=parts, hide=[part for part in PICTURE_PARTS if part not in parts]
    )
