"""Write the side view of a dungeon: its floors as slabs above each other, as a picture or a drawing."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from undercroft import limits
from undercroft.core.dungeon import Dungeon
from undercroft.errors import BadInput
from undercroft.formats.shared.origin import ORIGIN_KEY, format_provenance
from undercroft.wording import format_value_briefly, shorten

if TYPE_CHECKING:
    from undercroft.draw.scene.scene import Scene

DEFAULT_CELL, LEAST_CELL, MOST_WIDTH, MOST_HEIGHT = 6, 2, 2400, 6000
"""Pixels a cell of pictures; fewer for dungeons that would be wider or higher than the last numbers of pixels."""


def dump_png(dungeon: Dungeon, *, cell: int | None = None) -> bytes:
    """The side view as a PNG picture, with the provenance of the dungeon."""
    from PIL.PngImagePlugin import PngInfo

    from undercroft.draw.scene.raster import raster

    scene = _render_scene(dungeon)
    longest = max(scene.width, scene.height)
    fitting = min(DEFAULT_CELL, int(MOST_WIDTH / scene.width), int(MOST_HEIGHT / scene.height))
    pixels = _check_cell(cell) or max(LEAST_CELL, fitting)
    limits.PICTURE_SIDE.check(int(longest * pixels), "the longer side of the picture in pixels")
    limits.PICTURE_PIXELS.check(int(scene.width * scene.height * pixels * pixels), "the number of pixels")
    notes = PngInfo()
    if ORIGIN_KEY in scene.notes:
        notes.add_itxt(ORIGIN_KEY, scene.notes[ORIGIN_KEY])
    file = io.BytesIO()
    raster(scene, pixels).save(file, "PNG", pnginfo=notes)
    return file.getvalue()


def dump_svg(dungeon: Dungeon, *, cell: int | None = None) -> bytes:
    """The side view as an SVG drawing, with the provenance of the dungeon."""
    from undercroft.draw.scene.svg import svg

    return svg(_render_scene(dungeon), _check_cell(cell) or DEFAULT_CELL)


def _render_scene(dungeon: Dungeon) -> Scene:
    """The side view, with the title and the provenance of the dungeon as notes."""
    from undercroft.draw.sheets.side_view import render_side_view

    scene = render_side_view(dungeon)
    if dungeon.title:
        scene.notes["title"] = shorten(dungeon.title)
    if dungeon.provenance:
        scene.notes[ORIGIN_KEY] = format_provenance({"dungeon": dungeon.provenance}, "the dungeon")
    return scene


def _check_cell(cell: int | None) -> int | None:
    if cell is not None and (type(cell) is not int or not 1 <= cell <= limits.PICTURE_SIDE.value):
        raise BadInput(
            f"a cell is a whole number of pixels from 1, not {format_value_briefly(cell)}", fix="for example cell=6"
        )
    return cell
