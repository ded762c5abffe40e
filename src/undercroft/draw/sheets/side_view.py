"""The side view of a dungeon: its floors as slabs above each other, with a line wherever stairs join two of them.

Each floor is drawn in oblique projection, its rows drawn together and shifted. So cells that lie above each other on
the floors lie above each other on the page, and stairs that meet are plumb lines. Branches stand beside the main line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.dungeon import Dungeon, Floor
from undercroft.core.dungeon_stairs import Stairs
from undercroft.core.level import Level
from undercroft.core.palette import look_up_tiles
from undercroft.draw.pen.contour import trace_outlines
from undercroft.draw.scene.lettering import shorten_to_fit, text_outlines, text_width
from undercroft.draw.scene.scene import Points, Scene, circle

SHEAR, SQUASH = 0.45, 0.42
"""How far a row of the map moves to the left, and how high it is, in cells."""
GAP = 11.0
"""Cells between two floors."""
COLUMN_GAP = 12.0
"""Cells between the main line and a branch."""
MARGIN = 6.0
HEADING = 9.0
CLEARANCE = 1.5
"""Cells between a line and the name of a floor."""
TITLE, LEAST_TITLE = 5.5, 3.0
"""The size of the title, and the least one: long titles of narrow dungeons are set smaller before they are cut."""
THICKNESS = 1.3
"""The height of a slab's edge."""

PAPER, EDGE, ROCK, SHADE, GROUND, WATER = "#f4ecdb", "#b9a98a", "#ddd0b6", "#8f7f63", "#fffaf0", "#a9c6d8"
INK, QUIET = "#2b2420", "#7a6c58"
LINK, EXTRA, SHAFT = "#c2571a", "#d99a5b", "#6a6f8f"
UP, DOWN = "#2f8f6b", "#b3343f"


class Slab(NamedTuple):
    """A floor, and the place of its upper left cell on the page."""

    floor: Floor
    left: float
    top: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the map is on the page."""
        height = self.floor.level.height
        return self.left + x + SHEAR * (height - y), self.top + SQUASH * y

    def points(self, line: Points) -> Points:
        """Where the points of a line on the map are on the page."""
        found = np.empty_like(line)
        found[:, 0] = self.left + line[:, 0] + SHEAR * (self.floor.level.height - line[:, 1])
        found[:, 1] = self.top + SQUASH * line[:, 1]
        return found


def render_side_view(dungeon: Dungeon) -> Scene:
    """The side view of a dungeon; of a branch that leaves and returns as well.

    >>> cellar = Dungeon.of([Level.parse("...")] * 2, [("1", (1, 0), "2", (1, 0))])
    >>> len(render_side_view(cellar).items) > 4
    True
    """
    slabs, width, height = _place_slabs(dungeon)
    scene = Scene(width, height, PAPER)
    title = dungeon.title or _plain_title(dungeon)
    room = width - 2 * MARGIN
    size = max(LEAST_TITLE, min(TITLE, 0.95 * TITLE * room / max(1.0, text_width(title, TITLE, "title"))))
    scene.fill_area(text_outlines(shorten_to_fit(title, room, size, "title"), MARGIN, MARGIN + 4.5, size, "title"), INK)
    for slab in sorted(slabs.values(), key=lambda slab: -slab.top):
        _draw_links(scene, slabs, [one for one in dungeon.stairs_of(slab.floor.id) if _is_lower_end(one, slabs)])
        _draw_slab(scene, slab)
    for slab in slabs.values():
        _draw_ends(scene, slab, dungeon.stairs_of(slab.floor.id))
        _draw_label(
            scene,
            slab,
            [_point_of(slab, one)[0] for one in dungeon.stairs_of(slab.floor.id) if _is_lower_end(one, slabs)],
        )
    _draw_legend(scene, dungeon.stairs)
    return scene


def _plain_title(dungeon: Dungeon) -> str:
    name = dungeon.provenance.get("recipe")
    return name.replace("-", " ").replace("_", " ").capitalize() if isinstance(name, str) and name else "A dungeon"


def _place_slabs(dungeon: Dungeon) -> tuple[Mapping[str, Slab], float, float]:
    """The slabs of all floors by id, and the size of the page. Floors of one depth stand side by side: the main line at
    the left, branches in the order of the dungeon. A dungeon that leads up has its first floor at the bottom.
    """
    branches = list(dict.fromkeys(floor.branch for floor in dungeon))
    depths = sorted({floor.depth for floor in dungeon})
    leads_up = sum(one.way == "up" and _is_deeper(one, dungeon) for one in dungeon.stairs) > len(depths) // 2
    rows = depths[::-1] if leads_up else depths
    heights = {
        depth: max(SQUASH * floor.level.height for floor in dungeon if floor.depth == depth) + GAP for depth in depths
    }
    tops = {depth: MARGIN + HEADING + sum(heights[other] for other in rows[:at]) for at, depth in enumerate(rows)}
    lefts: dict[str, float] = {}
    left = MARGIN
    for branch in branches:
        lefts[branch] = left
        left += COLUMN_GAP + max(
            floor.level.width + SHEAR * floor.level.height for floor in dungeon if floor.branch == branch
        )
    slabs = {floor.id: Slab(floor, lefts[floor.branch], tops[floor.depth]) for floor in dungeon}
    tallest = {
        floor.branch: max(other.level.height for other in dungeon if other.branch == floor.branch) for floor in dungeon
    }
    # the upper left corners of all floors lie above each other, whatever their sizes
    slabs = {
        id_: slab._replace(left=slab.left + SHEAR * (tallest[slab.floor.branch] - slab.floor.level.height))
        for id_, slab in slabs.items()
    }
    return slabs, left - COLUMN_GAP + MARGIN, MARGIN + HEADING + sum(heights.values()) + 5


def _is_deeper(stairs: Stairs, dungeon: Dungeon) -> bool:
    return stairs.to in dungeon.ids and dungeon.floor(stairs.to).depth > dungeon.floor(stairs.floor).depth


def _is_lower_end(stairs: Stairs, slabs: Mapping[str, Slab]) -> bool:
    """Whether this end draws the line of a link: the upper one on the page, or of equals the first."""
    if stairs.to not in slabs:
        return False
    here, there = slabs[stairs.floor], slabs[stairs.to]
    return (here.top, here.left) < (there.top, there.left)


def _draw_links(scene: Scene, slabs: Mapping[str, Slab], stairs: Sequence[Stairs]) -> None:
    """The lines from a floor to those below it. The slab itself is painted over them."""
    for one in stairs:
        start = slabs[one.floor].point(one.x + 0.5, one.y + 0.5)
        end = slabs[one.to].point(one.to_x + 0.5, one.to_y + 0.5)
        colour = SHAFT if one.form == "shaft" else EXTRA if "#" in one.link else LINK
        dash = (0.7, 0.9) if one.form == "shaft" else ()
        line = np.array([start, end]) if abs(start[0] - end[0]) < 1 else _bend(start, end)
        scene.stroke([line], PAPER, 1.5)
        scene.stroke([line], colour, 0.5, dash=dash)


def _bend(start: tuple[float, float], end: tuple[float, float]) -> Points:
    """A curve that leaves and arrives upright."""
    part = np.linspace(0.0, 1.0, 25)[:, None]
    first, last = np.array(start), np.array(end)
    reach = np.array([0.0, max(8.0, 0.6 * abs(last[1] - first[1]))])
    near, far = first + reach, last - reach
    curve: NDArray[np.float64] = (
        (1 - part) ** 3 * first + 3 * (1 - part) ** 2 * part * near + 3 * (1 - part) * part**2 * far + part**3 * last
    )
    return curve


def _draw_slab(scene: Scene, slab: Slab) -> None:
    """A floor: a slab of rock, with the ground cut into it."""
    level = slab.floor.level
    rim = slab.points(np.array([[0.0, 0], [level.width, 0], [level.width, level.height], [0, level.height]]))
    below = rim + np.array([0.0, THICKNESS])
    scene.fill_area([below], SHADE)
    scene.fill_area([rim[[0, 1, 2, 3]], np.array([rim[3], rim[2], below[2], below[3]])], ROCK)
    scene.fill_area([np.array([rim[3], rim[2], below[2], below[3]])], SHADE)
    for mask, colour in ((level.walkable, GROUND), (_role_mask(level, "water"), WATER)):
        lines = [slab.points(loop.points) for loop in trace_outlines(mask)] if mask.any() else []
        if lines:
            scene.fill_area(lines, colour)
            scene.stroke(lines, INK, 0.18, closed=True, opacity=0.75)
    scene.stroke([rim], EDGE, 0.25, closed=True)


def _role_mask(level: Level, role: str) -> NDArray[np.bool_]:
    if role not in level.palette.roles:
        return np.zeros(level.tiles.shape, bool)
    return look_up_tiles(level.palette.role_mask(role), level.tiles)


def _draw_ends(scene: Scene, slab: Slab, stairs: Sequence[Stairs]) -> None:
    """The stairs of a floor as dots: green up, red down, hollow for shafts."""
    for one in stairs:
        x, y = slab.point(one.x + 0.5, one.y + 0.5)
        colour = {"up": UP, "down": DOWN}.get(one.way, LINK)
        scene.fill_area([circle(x, y, 1.15)], PAPER)
        if one.form == "shaft":
            scene.stroke([circle(x, y, 0.75)], SHAFT, 0.35, closed=True)
        else:
            scene.fill_area([circle(x, y, 0.85)], colour)


def _point_of(slab: Slab, stairs: Stairs) -> tuple[float, float]:
    return slab.point(stairs.x + 0.5, stairs.y + 0.5)


def _draw_label(scene: Scene, slab: Slab, lines_at: Sequence[float]) -> None:
    """The id and the name of a floor, below its slab. The name stands beside the lines that lead down, where it has
    room; else it blots them out.
    """
    level = slab.floor.level
    x, y = slab.point(0, level.height)
    y += THICKNESS + 3.2
    left = x + text_width(slab.floor.id, 3.4, "strong") + 1.6
    name = level.title or str(level.provenance.get("recipe", ""))
    shown = shorten_to_fit(name, max(10.0, level.width - (left - x)), 2.6, "text")
    left = find_free_left(left, text_width(shown, 2.6, "text"), x + level.width, lines_at)
    for lines, colour in (
        (text_outlines(slab.floor.id, x, y, 3.4, "strong"), INK),
        (text_outlines(shown, left, y, 2.6, "text"), QUIET),
    ):
        scene.stroke(lines, PAPER, 0.9, closed=True)
        scene.fill_area(lines, colour)


def find_free_left(left: float, width: float, right: float, lines_at: Sequence[float]) -> float:
    """The first place at or after `left` where a text of that width touches none of the upright lines; `left` itself if
    there is none before `right`.

    >>> find_free_left(2.0, 10.0, 40.0, [5.0, 9.0]), find_free_left(2.0, 30.0, 40.0, [20.0])
    (10.5, 2.0)
    """
    found = left
    for line in sorted(lines_at):
        if found - CLEARANCE < line < found + width + CLEARANCE:
            found = line + CLEARANCE
    return found if found + width <= right else left


def _draw_legend(scene: Scene, stairs: Sequence[Stairs]) -> None:
    """The signs in use, at the foot of the page."""
    used = [
        (words, colour, form)
        for words, colour, form, is_used in (
            ("stairs up", UP, "dot", any(one.way == "up" for one in stairs)),
            ("stairs down", DOWN, "dot", any(one.way == "down" and one.form != "shaft" for one in stairs)),
            ("a shaft", SHAFT, "ring", any(one.form == "shaft" for one in stairs)),
            ("further stairs", EXTRA, "line", any("#" in one.link and one.form != "shaft" for one in stairs)),
        )
        if is_used
    ]
    x, y = MARGIN, scene.height - 4.0
    for words, colour, form in used:
        if form == "line":
            scene.stroke([np.array([[x - 0.4, y - 0.8], [x + 1.6, y - 0.8]])], colour, 0.5)
        elif form == "ring":
            scene.stroke([circle(x + 0.6, y - 0.8, 0.75)], colour, 0.35, closed=True)
        else:
            scene.fill_area([circle(x + 0.6, y - 0.8, 0.85)], colour)
        scene.fill_area(text_outlines(words, x + 2.6, y, 2.4, "text"), QUIET)
        x += 2.6 + text_width(words, 2.4) + 3.0
