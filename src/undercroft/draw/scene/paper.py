"""Sheets of paper, in inches, and scenes placed on them."""

from __future__ import annotations

from typing import NamedTuple

from undercroft.draw.scene.scene import Scene
from undercroft.errors import unknown_name_error

POINTS_PER_INCH = 72
"""Points an inch: the unit of pages in printing and PDF files."""
PRINTER_MARGIN = 0.4
"""Inches along the edges that most printers cannot print on."""


class Paper(NamedTuple):
    """A sheet of paper, in portrait orientation unless it is turned."""

    name: str
    width: float
    height: float

    def turned(self) -> Paper:
        """The sheet in landscape orientation.

        >>> PAPERS["letter"].turned()
        Paper(name='letter', width=11.0, height=8.5)
        """
        return Paper(self.name, self.height, self.width)


PAPERS = {
    paper.name: paper
    for paper in (
        Paper("a4", 210 / 25.4, 297 / 25.4),
        Paper("a3", 297 / 25.4, 420 / 25.4),
        Paper("letter", 8.5, 11.0),
        Paper("tabloid", 11.0, 17.0),
    )
}
"""Every paper size by its name; the first is the default."""


def resolve_paper(name: str) -> Paper:
    """The paper of that name, in upper or lower case.

    >>> resolve_paper("Letter").height
    11.0
    """
    found = PAPERS.get(str(name).casefold())
    if found is None:
        raise unknown_name_error("paper", name, PAPERS)
    return found


class PaperSheet(NamedTuple):
    """A scene on a sheet: the size of its cells, and its corner in inches from the sheet's corner."""

    scene: Scene
    paper: Paper
    cell: float
    left: float = 0.0
    top: float = 0.0
    label: str = ""
    """The name of the sheet in a stack."""


def fit_scene(scene: Scene, paper: Paper, edge: float = PRINTER_MARGIN) -> PaperSheet:
    """The scene as large as the paper allows, centred. The paper is turned if that makes the scene larger."""
    sheets = []
    for turn in (paper, paper.turned()):
        cell = min((turn.width - 2 * edge) / scene.width, (turn.height - 2 * edge) / scene.height)
        sheets.append(
            PaperSheet(
                scene, turn, cell, (turn.width - cell * scene.width) / 2, (turn.height - cell * scene.height) / 2
            )
        )
    return max(sheets, key=lambda sheet: sheet.cell)
