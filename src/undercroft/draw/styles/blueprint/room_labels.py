"""Place the labels in the rooms of a blueprint without overlap: numbers in bubbles or names, areas, and lengths along
the walls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Region
from undercroft.draw.pen.free_space import PARTS_PER_CELL, CellRect, FreeSpace
from undercroft.draw.scene.lettering import text_width
from undercroft.draw.scene.scene import Points, circle
from undercroft.draw.styles.blueprint.dimensions import add_lengths, add_radii
from undercroft.draw.styles.blueprint.ground import WALL_THICKNESS, BlueprintGround
from undercroft.draw.styles.blueprint.inks import LETTER_FACE, format_square_feet, outline_words
from undercroft.draw.styles.blueprint.labels import BUBBLE_RADIUS, SMALL_BUBBLE_RADIUS, LabelLayer
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.room_names import split_name

AREA_SIZE, NAME_SIZE = 0.44, 0.56
"""Sizes of figures and letters."""
MAX_UNNUMBERED_CELLS = 3
"""The largest room, in cells, that gets no number."""
CALLOUT_REACH_CELLS = 5
"""Cells beside a room in which its bubble can be placed if there is no space inside."""


def place_labels(ground: BlueprintGround, places: FreeSpace, shown: frozenset[str]) -> LabelLayer:
    """Place all labels of rooms."""
    writing = LabelLayer()
    plan = ground.plan
    labels = plan.regions.labels
    rock = _find_rock_space(ground, places)
    standing = (labels == 0) & plan.level.palette.role_mask("pillar", "water", "pit")[plan.level.tiles]
    for number, region in list_numbered_rooms(plan):
        rows, columns = slice(region.y, region.y + region.height), slice(region.x, region.x + region.width)
        cells = labels[rows, columns] == region.label
        if shown & {"numbers", "names"}:
            _place_name(writing, number, region, cells, places, rock, names="names" in shown)
        add_lengths(writing, region, cells | standing[rows, columns], places, rock)
    add_radii(writing, plan, places)
    return writing


def list_numbered_rooms(plan: LevelView) -> list[tuple[int, Region]]:
    """The rooms with numbers, as in other styles; here also those that have no free space."""
    rooms = list(enumerate((region for region in plan.regions if region.kind != "corridor"), 1))
    large = [(number, region) for number, region in rooms if region.area > MAX_UNNUMBERED_CELLS]
    return large if len(large) > 1 else []


def _place_name(
    writing: LabelLayer,
    number: int,
    region: Region,
    cells: NDArray[np.bool_],
    places: FreeSpace,
    rock: FreeSpace,
    *,
    names: bool,
) -> None:
    """Place a room's name or number, with its area if there is space; beside the room if there is none in it."""
    ys, xs = np.nonzero(cells)
    near = (
        region.x + (region.width / 2 + float(xs.mean()) + 0.5) / 2,
        region.y + (region.height / 2 + float(ys.mean()) + 0.5) / 2,
    )
    within = CellRect(region.x, region.y, region.x + region.width, region.y + region.height)
    area = format_square_feet(region.area)
    for block in _block_candidates(number, region.name if names else "", area):
        if place := places.find_place(block.width, block.height, near, within, cells):
            block.add_to(writing, *place)
            places.take(CellRect.centred_on(*place, block.width, block.height))
            writing.spots[region.label] = (
                place if not block.radius else (place[0], place[1] - block.height / 2 + 0.06 + block.radius)
            )
            return
    size = 2 * SMALL_BUBBLE_RADIUS + 0.1
    around = CellRect(
        within.left - CALLOUT_REACH_CELLS,
        within.top - CALLOUT_REACH_CELLS,
        within.right + CALLOUT_REACH_CELLS,
        within.bottom + CALLOUT_REACH_CELLS,
    )
    if place := rock.find_place(size, size, near, around):
        rock.take(CellRect.centred_on(*place, size, size))
        writing.spots[region.label] = place
        _add_callout(writing, f"{number:02d}", place, np.stack([xs + region.x + 0.5, ys + region.y + 0.5], axis=1))


@dataclass(frozen=True)
class LabelBlock:
    """Lines that belong together: a bubble or a name, and possibly an area under it."""

    rows: tuple[str, ...]
    area: str = ""
    radius: float = 0.0
    """The radius of the bubble; 0 for names."""

    @property
    def width(self) -> float:
        rows = 2 * self.radius if self.radius else max(text_width(row, NAME_SIZE, LETTER_FACE) for row in self.rows)
        return max(rows + (0.1 if self.radius else 0.2), text_width(self.area, AREA_SIZE, LETTER_FACE) + 0.2)

    @property
    def height(self) -> float:
        return self._head_height + (0.5 if self.area else 0.0) + 0.12

    @property
    def _head_height(self) -> float:
        return 2 * self.radius if self.radius else 0.66 * len(self.rows)

    def add_to(self, writing: LabelLayer, x: float, y: float) -> None:
        """Write the block, centred there."""
        top = y - self.height / 2 + 0.06
        writing.boxes.append(CellRect.centred_on(x, y, self.width, self.height))
        if self.radius:
            writing.bubbles.append((self.rows[0], x, top + self.radius, self.radius))
        else:
            for number, row in enumerate(self.rows):
                writing.strong += outline_words(row, x, top + 0.66 * (number + 0.5), NAME_SIZE)
        if self.area:
            writing.letters += outline_words(self.area, x, top + self._head_height + 0.3, AREA_SIZE)


def _block_candidates(number: int, name: str, area: str) -> Iterator[LabelBlock]:
    """Possible blocks, the best first."""
    if name:
        ways = split_name(name.upper())
        for rows in ways[:3]:
            yield LabelBlock(rows, area)
        for rows in ways:
            yield LabelBlock(rows)
    digits = (f"{number:02d}",)
    yield LabelBlock(digits, area, BUBBLE_RADIUS)
    yield LabelBlock(digits, "", BUBBLE_RADIUS)
    yield LabelBlock(digits, "", SMALL_BUBBLE_RADIUS)


def _add_callout(writing: LabelLayer, number: str, place: tuple[float, float], middles: Points) -> None:
    """Add a bubble beside its room, and a line into it."""
    off = middles - place
    nearest = middles[int(np.argmin(np.hypot(off[:, 0], off[:, 1])))]
    way = nearest - place
    start = np.array(place) + way * (SMALL_BUBBLE_RADIUS / max(float(np.hypot(*way)), 1e-9))
    writing.lines.append(np.array([start, nearest]))
    writing.strong.append(circle(float(nearest[0]), float(nearest[1]), 0.07, 10))
    writing.bubbles.append((number, *place, SMALL_BUBBLE_RADIUS))
    writing.boxes.append(CellRect.centred_on(*place, 2 * SMALL_BUBBLE_RADIUS, 2 * SMALL_BUBBLE_RADIUS))


def _find_rock_space(ground: BlueprintGround, places: FreeSpace) -> FreeSpace:
    """The space that is only rock."""
    level = ground.plan.level
    rock = FreeSpace(level.width, level.height, places.margin)
    distances = ground.field.distances
    more = PARTS_PER_CELL // ground.field.per_cell
    rock.taken |= np.repeat(np.repeat(distances < WALL_THICKNESS + 0.1, more, axis=0), more, axis=1)
    return rock
