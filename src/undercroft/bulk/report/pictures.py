"""The pictures of a report: levels made again from their seeds, and drawn small enough for a page."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING

from undercroft.core.level import Level
from undercroft.errors import UndercroftError

if TYPE_CHECKING:
    from PIL import Image

    from undercroft.bulk.report.report import Report, ReportLevel

LARGE_PIXELS, SMALL_PIXELS = (760, 560), (560, 400)
"""Pixels of a typical level and of an extreme one, across and down: about twice their size on the page, for screens
with a high resolution.
"""
MAX_COLOURS = 256
"""The colours of a picture: a quarter of the bytes, with no visible difference."""
MIN_STYLED_CELL_PIXELS = 5
"""The smallest cell in pixels for which lines are drawn; below it, plain ground is clearer."""
MAX_EXTREME_PICTURES, MAX_CELLS_DRAWN = 24, 20_000_000
"""The most extreme levels that are drawn, and the most cells of all levels that are made again: more would take longer
than it is worth.
"""


class LevelPictures:
    """Draws levels of a report, up to a limit."""

    def __init__(self, found: Report) -> None:
        self._opened = found.opened
        cells = found.order.request.size[0] * found.order.request.size[1]
        self._left = max(1, min(MAX_EXTREME_PICTURES + len(found.typical), MAX_CELLS_DRAWN // cells))
        self._levels: dict[tuple[int, int], Level | None] = {}

    def render_large(self, entry: ReportLevel) -> str | None:
        """A level in the style dark, as a data URL; None if there is no picture."""
        from undercroft.draw.sheets.card_map import render_card_map
        from undercroft.draw.styles.table import render_picture
        from undercroft.draw.view.tint import distances_from_start

        level = self._find_level(entry)
        if level is None:
            return None
        cell = min(24, int(min(LARGE_PIXELS[0] / (level.width + 2), LARGE_PIXELS[1] / (level.height + 2))))
        if cell < MIN_STYLED_CELL_PIXELS:
            return encode_data_url(render_card_map(level, LARGE_PIXELS, int(distances_from_start(level).max())))
        return encode_data_url(render_picture(level, "dark", cell=cell, margin=1, hide=["numbers", "grid"]))

    def render_small(self, entry: ReportLevel, farthest: int) -> str | None:
        """A level as on a contact sheet. Ground at `farthest` steps from the start is the lightest."""
        from undercroft.draw.sheets.card_map import render_card_map

        level = self._find_level(entry)
        return None if level is None else encode_data_url(render_card_map(level, SMALL_PIXELS, farthest))

    def find_farthest(self, entries: list[ReportLevel]) -> int:
        """The greatest distance from the start, in steps, in any of these levels."""
        from undercroft.draw.view.tint import distances_from_start

        return max(
            (
                int(distances_from_start(level).max())
                for entry in entries
                if (level := self._find_level(entry)) is not None
            ),
            default=0,
        )

    def _find_level(self, entry: ReportLevel) -> Level | None:
        which = entry.seed, entry.combination
        if which not in self._levels:
            self._levels[which] = self._make_level(*which) if self._left > 0 else None
            self._left -= 1
        return self._levels[which]

    def _make_level(self, seed: int, combination: int) -> Level | None:
        try:
            return self._opened.level(seed, combination)
        except UndercroftError:
            # made by another version, or by a recipe whose files are missing: the report has no picture of it
            return None


def encode_data_url(image: Image.Image) -> str:
    """A picture as a data URL."""
    from PIL import Image

    file = io.BytesIO()
    image.convert("RGB").quantize(MAX_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        file, "PNG", optimize=True
    )
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
