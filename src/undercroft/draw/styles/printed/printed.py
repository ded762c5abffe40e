"""The style `print`: pure black for paper. `scene` is the whole map on one sheet, with a key; `pages` are sheets to lay
together, one inch a square.

Levels of more than `printed_map.FINE` cells are drawn without hatching, shadows and grid.
"""

from __future__ import annotations

from undercroft.analysis import infer_regions
from undercroft.analysis.room_grids import is_grid
from undercroft.core.level import Level
from undercroft.draw.scene.paper import PAPERS, Paper, Sheet, paper_named
from undercroft.draw.scene.scene import Scene
from undercroft.draw.styles.printed.black_map import WHITE, Map
from undercroft.draw.styles.printed.one_page import OnePage, grown
from undercroft.draw.styles.printed.page_marks import Marks
from undercroft.draw.styles.printed.pagination import Cutter, Tiling, squares_on, tiled
from undercroft.draw.view.grid_rooms import PITCH, as_rooms, shrunk
from undercroft.draw.view.level_view import Plan
from undercroft.errors import unknown
from undercroft.limits import PRINTED_PAGES

ORIENTATIONS = ("", "upright", "turned")
"""How paper lies; the empty word stands for whatever suits the map."""
PREFERRED = 1.2
"""How much larger squares must be on turned paper to turn it."""


def scene(level: Level, shown: frozenset[str], margin: float | None = None) -> Scene:
    """The level on one sheet of the first kind of paper; with a margin, even of 0, nothing but the map."""
    if margin is None:
        sheet = one_page(level, shown)
        return grown(sheet.scene, 1 / sheet.cell / (PITCH if is_grid(level) else 1))
    if is_grid(level):
        return shrunk(lambda rooms: scene(rooms, shown, margin), level)
    page = Scene(level.width + 2 * margin, level.height + 2 * margin, WHITE, left=margin, top=margin)
    Map(Plan(level, "secrets" in shown, shown), shown, 0.5).draw(page)
    return page


def one_page(level: Level, shown: frozenset[str], paper: str = next(iter(PAPERS)), orientation: str = "") -> Sheet:
    """The whole map with its title and key on one sheet. The scene is in inches; `cell` is how large a square of the
    map is.
    """
    best = _best(_plan(level, shown), shown, _ways(paper, orientation))
    return Sheet(best.scene(), best.paper, best.layout[0])


def pages(level: Level, shown: frozenset[str], paper: str = next(iter(PAPERS)), orientation: str = "") -> list[Scene]:
    """Sheets of paper, in inches: first the whole map with its key and the names of the pages, then as few pages as
    hold everything, an inch a square.

    What each is called is its note `page`.
    """
    plan = _plan(level, shown)
    laid: list[tuple[Paper, Tiling]] = [
        (way, tiled(plan.open, *squares_on(way.width, way.height))) for way in _ways(paper, orientation)
    ]
    sheet, tiling = min(laid, key=lambda pair: len(pair[1].pages))
    PRINTED_PAGES.check(
        len(tiling.pages), f"the number of pages of a map of {plan.level.width}x{plan.level.height} squares"
    )
    first = _best(plan, shown, _ways(paper, orientation), tiling).scene()
    first.notes["page"] = "map"
    whole = Scene(plan.level.width, plan.level.height, WHITE)
    Map(plan, shown, cuts=tiling.cuts).draw(whole)
    cutter, marks = Cutter(whole), Marks(plan, sheet, tiling, first.notes.get("title", ""))
    return [first, *(marks.page(number, cutter) for number in range(len(tiling.pages)))]


def _best(plan: Plan, shown: frozenset[str], papers: list[Paper], tiling: Tiling | None = None) -> OnePage:
    """The map on the paper that makes more of it; that which stands upright is liked better."""
    ways = [OnePage(plan, shown, paper, tiling) for paper in papers]
    return max(ways, key=lambda way: way.layout[0] * (PREFERRED if way is ways[0] else 1.0))


def _plan(level: Level, shown: frozenset[str]) -> Plan:
    return Plan(as_rooms(level) if is_grid(level) else infer_regions.read(level), "secrets" in shown, shown)


def _ways(paper: str, orientation: str) -> list[Paper]:
    """The paper as it may lie."""
    if orientation not in ORIENTATIONS:
        raise unknown("orientation", orientation, ORIENTATIONS[1:])
    found = paper_named(paper)
    return [found, found.turned()] if not orientation else [found.turned() if orientation == "turned" else found]
