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
CALLOUT_REACHES = (5, 14)
"""Cells beside a room in which its bubble can be placed if there is no space inside."""
TIGHT_RADII = (0.33, 0.26)
"""The radii of bubbles where there is no space beside the room either."""


def place_labels(ground: BlueprintGround, places: FreeSpace, shown: frozenset[str]) -> LabelLayer:
    """Place all labels of rooms."""
    writing = LabelLayer()
    plan = ground.plan
    labels = plan.regions.labels
    rock, scale = _find_rock_space(ground, places), plan.label_scale
    standing = (labels == 0) & plan.level.palette.role_mask("pillar", "water", "pit")[plan.level.tiles]
    for number, region in list_numbered_rooms(plan):
        rows, columns = slice(region.y, region.y + region.height), slice(region.x, region.x + region.width)
        cells = labels[rows, columns] == region.label
        if shown & {"numbers", "names"}:
            _place_name(writing, number, region, cells, places, rock, names="names" in shown, scale=scale)
        add_lengths(writing, region, cells | standing[rows, columns], places, rock)
    add_radii(writing, plan, places)
    return writing


def list_numbered_rooms(plan: LevelView) -> list[tuple[int, Region]]:
    """The rooms with numbers; none if there is only one."""
    rooms = list(enumerate((region for region in plan.regions if region.kind != "corridor"), 1))
    return rooms if len(rooms) > 1 else []


def _place_name(
    writing: LabelLayer,
    number: int,
    region: Region,
    cells: NDArray[np.bool_],
    places: FreeSpace,
    rock: FreeSpace,
    *,
    names: bool,
    scale: float,
) -> None:
    """Place a room's name or number, with its area if there is space; beside the room if there is none in it."""
    ys, xs = np.nonzero(cells)
    near = (
        region.x + (region.width / 2 + float(xs.mean()) + 0.5) / 2,
        region.y + (region.height / 2 + float(ys.mean()) + 0.5) / 2,
    )
    within = CellRect(region.x, region.y, region.x + region.width, region.y + region.height)
    area = format_square_feet(region.area)
    for block in _block_candidates(number, region.name if names else "", area, scale):
        if place := places.find_place(block.width, block.height, near, within, cells):
            block.add_to(writing, *place)
            places.take(CellRect.centred_on(*place, block.width, block.height))
            writing.spots[region.label] = (
                place if not block.radius else (place[0], place[1] - block.height / 2 + 0.06 + block.radius)
            )
            return
    middles = np.stack([xs + region.x + 0.5, ys + region.y + 0.5], axis=1)
    for reach, tight in zip(CALLOUT_REACHES, TIGHT_RADII, strict=True):
        size = 2 * SMALL_BUBBLE_RADIUS * scale + 0.1
        around = CellRect(within.left - reach, within.top - reach, within.right + reach, within.bottom + reach)
        if place := rock.find_place(size, size, near, around):
            rock.take(CellRect.centred_on(*place, size, size))
            writing.spots[region.label] = place
            _add_callout(writing, f"{number:02d}", place, middles, SMALL_BUBBLE_RADIUS * scale)
            return
        block = LabelBlock((f"{number:02d}",), "", tight)
        if place := places.find_place(block.width, block.height, near, within, cells):
            block.add_to(writing, *place)
            places.take(CellRect.centred_on(*place, block.width, block.height))
            writing.spots[region.label] = place
            return


@dataclass(frozen=True)
class LabelBlock:
    """Lines that belong together: a bubble or a name, and possibly an area under it."""

    rows: tuple[str, ...]
    area: str = ""
    radius: float = 0.0
    """The radius of the bubble; 0 for names."""
    scale: float = 1.0
    """How much larger names and areas are than usual."""

    @property
    def width(self) -> float:
        rows = (
            2 * self.radius
            if self.radius
            else max(text_width(row, NAME_SIZE * self.scale, LETTER_FACE) for row in self.rows)
        )
        area = text_width(self.area, AREA_SIZE * self.scale, LETTER_FACE)
        return max(rows + (0.1 if self.radius else 0.2), area + 0.2)

    @property
    def height(self) -> float:
        return self._head_height + (0.5 * self.scale if self.area else 0.0) + 0.12

    @property
    def _head_height(self) -> float:
        return 2 * self.radius if self.radius else 0.66 * self.scale * len(self.rows)

    def add_to(self, writing: LabelLayer, x: float, y: float) -> None:
        """Write the block, centred there."""
        top = y - self.height / 2 + 0.06
        writing.boxes.append(CellRect.centred_on(x, y, self.width, self.height))
        if self.radius:
            writing.bubbles.append((self.rows[0], x, top + self.radius, self.radius))
        else:
            for number, row in enumerate(self.rows):
                lines = outline_words(row, x, top + 0.66 * self.scale * (number + 0.5), NAME_SIZE * self.scale)
                writing.add_strong(row, lines)
        if self.area:
            size = AREA_SIZE * self.scale
            writing.letters += outline_words(self.area, x, top + self._head_height + 0.3 * self.scale, size)


def _block_candidates(number: int, name: str, area: str, scale: float) -> Iterator[LabelBlock]:
    """Possible blocks, the best first."""
    if name:
        ways = split_name(name.upper())
        for rows in ways[:3]:
            yield LabelBlock(rows, area, scale=scale)
        for rows in ways:
            yield LabelBlock(rows, scale=scale)
    digits = (f"{number:02d}",)
    yield LabelBlock(digits, area, BUBBLE_RADIUS * scale, scale)
    yield LabelBlock(digits, "", BUBBLE_RADIUS * scale)
    yield LabelBlock(digits, "", SMALL_BUBBLE_RADIUS * scale)
    if scale > 1:
        yield LabelBlock(digits, "", SMALL_BUBBLE_RADIUS)


def _add_callout(writing: LabelLayer, number: str, place: tuple[float, float], middles: Points, radius: float) -> None:
    """Add a bubble beside its room, and a line into it."""
    off = middles - place
    nearest = middles[int(np.argmin(np.hypot(off[:, 0], off[:, 1])))]
    way = nearest - place
    start = np.array(place) + way * (radius / max(float(np.hypot(*way)), 1e-9))
    writing.lines.append(np.array([start, nearest]))
    writing.strong.append(circle(float(nearest[0]), float(nearest[1]), 0.07, 10))
    writing.bubbles.append((number, *place, radius))
    writing.boxes.append(CellRect.centred_on(*place, 2 * radius, 2 * radius))


def _find_rock_space(ground: BlueprintGround, places: FreeSpace) -> FreeSpace:
    """The space that is only rock."""
    level = ground.plan.level
    rock = FreeSpace(level.width, level.height, places.margin)
    distances = ground.field.distances
    more = PARTS_PER_CELL // ground.field.per_cell
    rock.taken |= np.repeat(np.repeat(distances < WALL_THICKNESS + 0.1, more, axis=0), more, axis=1)
    return rock
