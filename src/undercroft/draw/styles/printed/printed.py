"""The style `print`: pure black for paper. `render_scene` is the whole map on one sheet, with a key; `pages` are sheets
to lay side by side, one inch a square.

Levels of more than `black_map.MAX_CELLS_WITH_DETAIL` cells are drawn without hatching, shadows and grid.
"""

from __future__ import annotations

from undercroft.analysis.regions import infer_regions
from undercroft.analysis.room_grids import is_room_grid
from undercroft.core.level import Level
from undercroft.draw.scene.paper import PAPERS, Paper, PaperSheet, resolve_paper
from undercroft.draw.scene.scene import Scene
from undercroft.draw.styles.printed.black_map import WHITE, BlackMap
from undercroft.draw.styles.printed.one_page import OnePage, copy_scene, scale_scene
from undercroft.draw.styles.printed.page_marks import PageMarks
from undercroft.draw.styles.printed.pagination import PageTiling, SceneCutter, count_page_squares, plan_pages
from undercroft.draw.view.grid_rooms import SQUARES_PER_ROOM, expand_rooms, render_shrunk
from undercroft.draw.view.level_view import LevelView
from undercroft.errors import unknown_name_error
from undercroft.limits import PRINTED_PAGES

ORIENTATIONS = ("", "upright", "turned")
"""The orientations of paper; the empty one means the best for the map."""
UPRIGHT_PREFERENCE = 1.2
"""How much larger squares must be on turned paper for it to be turned."""


def render_scene(level: Level, shown: frozenset[str], margin: float | None = None) -> Scene:
    """The level on one sheet of the default paper; with a margin, even of 0, only the map."""
    if margin is None:
        sheets = render_sheets(level, shown)
        whole = stack_scenes([sheet.scene for sheet in sheets])
        return scale_scene(whole, 1 / sheets[0].cell / (SQUARES_PER_ROOM if is_room_grid(level) else 1))
    if is_room_grid(level):
        return render_shrunk(lambda rooms: render_scene(rooms, shown, margin), level)
    page = Scene(level.width + 2 * margin, level.height + 2 * margin, WHITE, left=margin, top=margin)
    BlackMap(LevelView(level, "secrets" in shown, shown), shown, 0.5).draw(page)
    return page


def render_one_page(
    level: Level, shown: frozenset[str], paper: str = next(iter(PAPERS)), orientation: str = ""
) -> PaperSheet:
    """The whole map with its title and key on one sheet. The scene is in inches; `cell` is the size of a square of the
    map.
    """
    return render_sheets(level, shown, paper, orientation)[0]


def render_sheets(
    level: Level, shown: frozenset[str], paper: str = next(iter(PAPERS)), orientation: str = ""
) -> list[PaperSheet]:
    """The whole map with its title and key on one sheet, and the rest of a long key on further ones."""
    best = _choose_page(_build_view(level, shown), shown, _list_papers(paper, orientation))
    return [PaperSheet(page, best.paper, best.layout[0]) for page in (best.render_scene(), *best.render_key_pages())]


def stack_scenes(scenes: list[Scene]) -> Scene:
    """Scenes of the same width, one below the other."""
    if len(scenes) == 1:
        return scenes[0]
    whole = Scene(scenes[0].width, sum(scene.height for scene in scenes), scenes[0].ground)
    top = 0.0
    for scene in scenes:
        copy_scene(scene, whole, 0.0, top, 1.0)
        top += scene.height
    whole.notes = scenes[0].notes
    return whole


def pages(level: Level, shown: frozenset[str], paper: str = next(iter(PAPERS)), orientation: str = "") -> list[Scene]:
    """Sheets of paper, in inches: first the whole map with its key and the names of the pages, the rest of a long key,
    then the fewest pages
    that hold everything at one inch a square.

    The note `page` of each is its name.
    """
    plan = _build_view(level, shown)
    laid: list[tuple[Paper, PageTiling]] = [
        (way, plan_pages(plan.open_cells, *count_page_squares(way.width, way.height)))
        for way in _list_papers(paper, orientation)
    ]
    sheet, tiling = min(laid, key=lambda pair: len(pair[1].pages))
    PRINTED_PAGES.check(
        len(tiling.pages), f"the number of pages of a map of {plan.level.width}x{plan.level.height} squares"
    )
    index = _choose_page(plan, shown, _list_papers(paper, orientation), tiling)
    first = index.render_scene()
    first.notes["page"] = "map"
    whole = Scene(plan.level.width, plan.level.height, WHITE)
    BlackMap(plan, shown, cuts=tiling.cuts).draw(whole)
    cutter, marks = SceneCutter(whole), PageMarks(plan, sheet, tiling, first.notes.get("title", ""))
    squares = (marks.render_page(number, cutter) for number in range(len(tiling.pages)))
    return [first, *index.render_key_pages(), *squares]


def _choose_page(
    plan: LevelView, shown: frozenset[str], papers: list[Paper], tiling: PageTiling | None = None
) -> OnePage:
    """The page on the paper with the larger squares; upright paper is preferred."""
    ways = [OnePage(plan, shown, paper, tiling) for paper in papers]
    return max(ways, key=lambda way: way.layout[0] * (UPRIGHT_PREFERENCE if way is ways[0] else 1.0))


def _build_view(level: Level, shown: frozenset[str]) -> LevelView:
    return LevelView(
        expand_rooms(level) if is_room_grid(level) else infer_regions.add_regions(level), "secrets" in shown, shown
    )


def _list_papers(paper: str, orientation: str) -> list[Paper]:
    """The possible orientations of the paper."""
    if orientation not in ORIENTATIONS:
        raise unknown_name_error("orientation", orientation, ORIENTATIONS[1:])
    found = resolve_paper(paper)
    return [found, found.turned()] if not orientation else [found.turned() if orientation == "turned" else found]
