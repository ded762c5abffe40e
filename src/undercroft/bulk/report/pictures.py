"""The pictures of a report: levels made again from their seeds, and drawn small enough to stand in a page."""

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
"""Pixels of a typical level and of an extreme one, across and down: about twice as many as they have on the page, since
screens are fine.
"""
MAX_COLOURS = 256
"""Different colours of a picture: a quarter of the bytes, and nobody sees it."""
MIN_STYLED_CELL_PIXELS = 5
"""Pixels a cell from which on the style has lines; below it, ground alone is clearer."""
MAX_EXTREME_PICTURES, MAX_CELLS_DRAWN = 24, 20_000_000
"""Extreme levels that are drawn, and cells of all that are made again: more would take longer than it is worth."""


class LevelPictures:
    """Draws levels of a report, as long as there is something left to spend."""

    def __init__(self, found: Report) -> None:
        self._opened = found.opened
        cells = found.order.request.size[0] * found.order.request.size[1]
        self._left = max(1, min(MAX_EXTREME_PICTURES + len(found.typical), MAX_CELLS_DRAWN // cells))
        self._levels: dict[int, Level | None] = {}

    def render_large(self, shown: ReportLevel) -> str | None:
        """A level in the style dark, as the address of an image that holds it; None if there is no picture."""
        from undercroft.draw.sheets.card_map import render_card_map
        from undercroft.draw.styles.table import render_picture
        from undercroft.draw.view.tint import distances_from_start

        level = self._find_level(shown)
        if level is None:
            return None
        cell = min(24, int(min(LARGE_PIXELS[0] / (level.width + 2), LARGE_PIXELS[1] / (level.height + 2))))
        if cell < MIN_STYLED_CELL_PIXELS:
            return encode_data_url(render_card_map(level, LARGE_PIXELS, int(distances_from_start(level).max())))
        return encode_data_url(render_picture(level, "dark", cell=cell, margin=1, hide=["numbers", "grid"]))

    def render_small(self, shown: ReportLevel, farthest: int) -> str | None:
        """A level as on a contact sheet. The lightest ground is so many steps from the start."""
        from undercroft.draw.sheets.card_map import render_card_map

        level = self._find_level(shown)
        return None if level is None else encode_data_url(render_card_map(level, SMALL_PIXELS, farthest))

    def find_farthest(self, all_shown: list[ReportLevel]) -> int:
        """Steps from the start, of the cell that is farthest from it in any of these levels."""
        from undercroft.draw.view.tint import distances_from_start

        return max(
            (
                int(distances_from_start(level).max())
                for shown in all_shown
                if (level := self._find_level(shown)) is not None
            ),
            default=0,
        )

    def _find_level(self, shown: ReportLevel) -> Level | None:
        if shown.seed not in self._levels:
            self._levels[shown.seed] = self._make_level(shown.seed) if self._left > 0 else None
            self._left -= 1
        return self._levels[shown.seed]

    def _make_level(self, seed: int) -> Level | None:
        try:
            return self._opened.level(seed)
        except UndercroftError:
            # made by another version, or by a recipe whose files are not here: there is a report without a picture
            return None


def encode_data_url(image: Image.Image) -> str:
    """A picture as an address that holds all of it."""
    from PIL import Image

    file = io.BytesIO()
    image.convert("RGB").quantize(MAX_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        file, "PNG", optimize=True
    )
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
