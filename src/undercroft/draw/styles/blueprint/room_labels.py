"""What is written into the rooms of a blueprint: numbers in bubbles or names, areas, and lengths along the walls;
nothing over anything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Region
from undercroft.draw.pen.free_space import PARTS, Box, Places
from undercroft.draw.scene.lettering import width
from undercroft.draw.scene.scene import Points, circle
from undercroft.draw.styles.blueprint.dimensions import write_lengths, write_radii
from undercroft.draw.styles.blueprint.ground import THICK, Ground
from undercroft.draw.styles.blueprint.inks import LETTERS, square_feet, words
from undercroft.draw.styles.blueprint.labels import BUBBLE, TINY, Writing
from undercroft.draw.view.level_view import Plan
from undercroft.draw.view.room_names import split

AREA, NAME = 0.44, 0.56
"""Sizes of figures and letters."""
SMALL = 3
"""Cells of rooms that are not worth a number."""
ASIDE = 5
"""Cells beside a room in which its bubble may stand if there is no space inside."""


def written(ground: Ground, places: Places, shown: frozenset[str]) -> Writing:
    """All that is written into rooms."""
    writing = Writing()
    plan = ground.plan
    labels = plan.regions.labels
    rock = _rock(ground, places)
    standing = (labels == 0) & plan.level.palette.having("pillar", "water", "pit")[plan.level.tiles]
    for number, region in numbered(plan):
        rows, columns = slice(region.y, region.y + region.height), slice(region.x, region.x + region.width)
        cells = labels[rows, columns] == region.label
        if shown & {"numbers", "names"}:
            _name(writing, number, region, cells, places, rock, names="names" in shown)
        write_lengths(writing, region, cells | standing[rows, columns], places, rock)
    write_radii(writing, plan, places)
    return writing


def numbered(plan: Plan) -> list[tuple[int, Region]]:
    """The rooms that have numbers, as in other styles; here also those that are full."""
    rooms = list(enumerate((region for region in plan.regions if region.kind != "corridor"), 1))
    large = [(number, region) for number, region in rooms if region.area > SMALL]
    return large if len(large) > 1 else []


def _name(
    writing: Writing,
    number: int,
    region: Region,
    cells: NDArray[np.bool_],
    places: Places,
    rock: Places,
    *,
    names: bool,
) -> None:
    """A room's name or number, with its area if there is space; beside the room if there is none in it."""
    ys, xs = np.nonzero(cells)
    near = (
        region.x + (region.width / 2 + float(xs.mean()) + 0.5) / 2,
        region.y + (region.height / 2 + float(ys.mean()) + 0.5) / 2,
    )
    within = Box(region.x, region.y, region.x + region.width, region.y + region.height)
    area = square_feet(region.area)
    for block in _blocks(number, region.name if names else "", area):
        if place := places.best(block.width, block.height, near, within, cells):
            block.put(writing, *place)
            places.take(Box.about(*place, block.width, block.height))
            writing.spots[region.label] = (
                place if not block.radius else (place[0], place[1] - block.height / 2 + 0.06 + block.radius)
            )
            return
    size = 2 * TINY + 0.1
    around = Box(within.left - ASIDE, within.top - ASIDE, within.right + ASIDE, within.bottom + ASIDE)
    if place := rock.best(size, size, near, around):
        rock.take(Box.about(*place, size, size))
        writing.spots[region.label] = place
        _called_out(writing, f"{number:02d}", place, np.stack([xs + region.x + 0.5, ys + region.y + 0.5], axis=1))


@dataclass(frozen=True)
class Block:
    """Lines that stand together: a bubble or a name, and perhaps an area under it."""

    rows: tuple[str, ...]
    area: str = ""
    radius: float = 0.0
    """Of the bubble; 0 for names."""

    @property
    def width(self) -> float:
        rows = 2 * self.radius if self.radius else max(width(row, NAME, LETTERS) for row in self.rows)
        return max(rows + (0.1 if self.radius else 0.2), width(self.area, AREA, LETTERS) + 0.2)

    @property
    def height(self) -> float:
        return self._head + (0.5 if self.area else 0.0) + 0.12

    @property
    def _head(self) -> float:
        return 2 * self.radius if self.radius else 0.66 * len(self.rows)

    def put(self, writing: Writing, x: float, y: float) -> None:
        """Write it, its middle there."""
        top = y - self.height / 2 + 0.06
        writing.boxes.append(Box.about(x, y, self.width, self.height))
        if self.radius:
            writing.bubbles.append((self.rows[0], x, top + self.radius, self.radius))
        else:
            for number, row in enumerate(self.rows):
                writing.strong += words(row, x, top + 0.66 * (number + 0.5), NAME)
        if self.area:
            writing.letters += words(self.area, x, top + self._head + 0.3, AREA)


def _blocks(number: int, name: str, area: str) -> Iterator[Block]:
    """What might be written, the best first."""
    if name:
        ways = split(name.upper())
        for rows in ways[:3]:
            yield Block(rows, area)
        for rows in ways:
            yield Block(rows)
    digits = (f"{number:02d}",)
    yield Block(digits, area, BUBBLE)
    yield Block(digits, "", BUBBLE)
    yield Block(digits, "", TINY)


def _called_out(writing: Writing, number: str, place: tuple[float, float], middles: Points) -> None:
    """A bubble beside its room, and a line into it."""
    off = middles - place
    nearest = middles[int(np.argmin(np.hypot(off[:, 0], off[:, 1])))]
    way = nearest - place
    start = np.array(place) + way * (TINY / max(float(np.hypot(*way)), 1e-9))
    writing.lines.append(np.array([start, nearest]))
    writing.strong.append(circle(float(nearest[0]), float(nearest[1]), 0.07, 10))
    writing.bubbles.append((number, *place, TINY))
    writing.boxes.append(Box.about(*place, 2 * TINY, 2 * TINY))


def _rock(ground: Ground, places: Places) -> Places:
    """Where there is nothing but rock."""
    level = ground.plan.level
    rock = Places(level.width, level.height, places.margin)
    distances = ground.field.distances
    more = PARTS // ground.field.per_cell
    rock.taken |= np.repeat(np.repeat(distances < THICK + 0.1, more, axis=0), more, axis=1)
    return rock
