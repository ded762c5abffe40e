"""A page for plots that becomes an SVG or PDF file: the same drawing as on a `PlotPage`, as shapes. Letters are
outlines, so that no fonts are needed. Lengths are pixels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from undercroft.core.level import Level
from undercroft.draw.pen.contour import trace_outlines
from undercroft.draw.plots.plot_page import DASH_GAP_PIXELS, DASH_PIXELS, Point, curve_points
from undercroft.draw.plots.thumbnail import (
    DOT_RADIUS_CELLS,
    MIN_DOT_SHARE,
    MIN_WAY_SHARE,
    START,
    WAY,
    WAY_WIDTH_CELLS,
    render_thumbnail,
)
from undercroft.draw.scene.lettering import text_outlines
from undercroft.draw.scene.paper import Paper, PaperSheet
from undercroft.draw.scene.pdf import pdf
from undercroft.draw.scene.pixel_text import ANCHORS, At
from undercroft.draw.scene.scene import Points, Scene, circle, rectangle
from undercroft.draw.scene.svg import svg
from undercroft.draw.view.canvas_marks import smoothed
from undercroft.limits import PICTURE_SIDE

PIXELS_PER_INCH = 144
"""The size of a page in a PDF file: a plot of 1720 pixels is about as wide as a page of A4 in landscape."""
SIDEWAYS = np.array([[0.0, -1.0], [1.0, 0.0]])
"""Turns points so that text reads upwards."""


class VectorPage:
    """A page in progress, as shapes; see `PlotPage`."""

    def __init__(self, width: int, height: int, ground: str) -> None:
        PICTURE_SIDE.check(max(width, height), "the longer side of the plot")
        self.width, self.height = width, height
        self.scene = Scene(width, height, ground)

    def encode_svg(self, notes: Mapping[str, str]) -> bytes:
        """The page as an SVG file."""
        self.scene.notes = dict(notes)
        return svg(self.scene, 1)

    def encode_pdf(self, notes: Mapping[str, str]) -> bytes:
        """The page as a PDF file of one page."""
        paper = Paper("plot", self.width / PIXELS_PER_INCH, self.height / PIXELS_PER_INCH)
        return pdf([PaperSheet(self.scene, paper, 1 / PIXELS_PER_INCH)], notes)

    def box(self, left: float, top: float, right: float, bottom: float, colour: str | tuple[int, int, int]) -> None:
        """Draw a filled rectangle; one without an area is skipped."""
        if right > left and bottom > top:
            self.scene.fill_area([rectangle(left, top, right, bottom)], _format_colour(colour))

    def line(self, points: Sequence[Point], colour: str, width: float = 1.0) -> None:
        """Draw a line through points, with rounded corners."""
        self.scene.stroke([np.array(points, float)], colour, width)

    def dashes(self, start: Point, end: Point, colour: str, width: float = 1.5) -> None:
        """Draw a dashed straight line."""
        if start != end:
            pattern = (float(DASH_PIXELS), float(DASH_GAP_PIXELS))
            self.scene.stroke([np.array([start, end], float)], colour, width, dash=pattern, cap="butt")

    def curve(self, start: Point, end: Point, colour: str, width: float = 1.3) -> None:
        """Draw a curve that leaves and arrives horizontally."""
        self.line(curve_points(start, end), colour, width)

    def disc(self, x: float, y: float, radius: float, fill: str, rim: str, thick: float = 2.0) -> None:
        """Draw a disc with a rim."""
        self.scene.fill_area([circle(x, y, radius)], rim)
        self.scene.fill_area([circle(x, y, radius - thick)], fill)

    def write(
        self,
        x: float,
        line: float,
        words: str,
        size: int,
        colour: str,
        face: str = "sans",
        *,
        at: At = "left",
        turned: bool = False,
    ) -> None:
        """Write text on a baseline, with its left end, middle or right end at x. Turned text reads upwards."""
        outlines: Sequence[Points] = text_outlines(words, 0, 0, size, face, anchor=ANCHORS[at])
        if turned:
            outlines = [outline @ SIDEWAYS for outline in outlines]
        corner = np.array([x, line])
        self.scene.fill_area([outline + corner for outline in outlines], colour)

    def draw_level(self, level: Level, left: float, top: float, wide: int, high: int) -> None:
        """Draw a small picture of a level: its most common colour as ground, and the others as areas over it."""
        colours = np.asarray(render_thumbnail(level.replace(path=None, start=None, end=None), level.size))
        scale, corner = np.array([wide / level.width, high / level.height]), np.array([left, top])
        across, along = scale.tolist()
        kinds, of_cells, counts = np.unique(colours.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
        of_cells = of_cells.reshape(colours.shape[:2])
        order = np.argsort(-counts, kind="stable").tolist()
        self.box(left, top, left + wide, top + high, _format_colour(tuple(kinds[order[0]].tolist())))
        for kind in order[1:]:
            outlines = [loop.points * scale + corner for loop in trace_outlines(of_cells == kind)]
            self.scene.fill_area(outlines, _format_colour(tuple(kinds[kind].tolist())))
        longer = max(wide, high)
        if len(level.path) > 1:
            way = smoothed(level.path + 0.5) * (across, along) + (left, top)
            self.scene.stroke([way], WAY, max(WAY_WIDTH_CELLS * across, MIN_WAY_SHARE * longer))
        for point, colour_name in ((level.end, WAY), (level.start, START)):
            if point is not None:
                x_of_dot, y_of_dot = left + (point[0] + 0.5) * across, top + (point[1] + 0.5) * along
                reach = max(DOT_RADIUS_CELLS * across, MIN_DOT_SHARE * longer)
                self.scene.fill_area([circle(x_of_dot, y_of_dot, reach)], colour_name)


def _format_colour(colour: str | tuple[int, ...]) -> str:
    return colour if isinstance(colour, str) else "#{:02x}{:02x}{:02x}".format(*colour)
