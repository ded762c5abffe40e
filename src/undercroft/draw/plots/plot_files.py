"""Plots as files: PNG, SVG and PDF, chosen by the suffix of the file's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath

from undercroft.draw.plots.plot_page import Page, PlotPage
from undercroft.draw.scene.png_file import encode_png_file
from undercroft.errors import BadInput

PLOT_SUFFIXES = (".png", ".svg", ".pdf")

DrawPlot = Callable[[type[Page]], Page]
"""Draws a plot on a page of a type, and returns the page."""


def check_plot_name(file: str, example: str) -> None:
    """Raise if the suffix of a file is none of a plot's."""
    if PurePath(file).suffix.casefold() not in PLOT_SUFFIXES:
        raise BadInput(
            f"a plot is a picture, and {file} does not end in {', '.join(PLOT_SUFFIXES[:-1])} or {PLOT_SUFFIXES[-1]}",
            fix=f"name a file such as {example}",
        )


def encode_plot(draw: DrawPlot, file: str, notes: Mapping[str, str]) -> bytes:
    """The plot as the bytes of a file. `notes` are stored in it: texts by their names, and a `title` for viewers."""
    suffix = PurePath(file).suffix.casefold()
    if suffix == ".png":
        page = draw(PlotPage)
        assert isinstance(page, PlotPage)
        return encode_png_file(page.render(), notes)
    from undercroft.draw.plots.vector_page import VectorPage

    page = draw(VectorPage)
    assert isinstance(page, VectorPage)
    return page.encode_svg(notes) if suffix == ".svg" else page.encode_pdf(notes)
