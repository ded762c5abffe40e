"""Doors of a blueprint: a leaf and the arc of its swing, with marks for locked, secret and one-way doors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from undercroft.core.region import REGION_KINDS
from undercroft.draw.pen import noise
from undercroft.draw.pen.free_space import CellRect, FreeSpace
from undercroft.draw.scene.scene import Points, Scene, circle, rectangle
from undercroft.draw.styles.blueprint.inks import BAND, FLOOR, LINE, PALE, outline_words
from undercroft.draw.view.level_view import Doorway, LevelView
from undercroft.draw.view.stairs import SIDE_STEPS

LEAF_LENGTH = 0.92
"""The length of a leaf, in cells."""
MARK_RADIUS = 0.31
"""The radius of a mark."""


class DoorSwing(NamedTuple):
    """A leaf: its hinge, its open position, the arc to its closed position, and the sill there."""

    leaf: Points
    arc: Points
    sill: Points
    swept: CellRect


def draw_doors(page: Scene, plan: LevelView, places: FreeSpace, seed: int) -> None:
    """Draw all doors. Their own cells and the area that the leaves sweep are marked as taken."""
    doors = plan.doors
    for door in doors:
        places.take(CellRect(door.x, door.y, door.x + 1, door.y + 1))
    there = {(door.x, door.y) for door in doors}
    swings = []
    for door in doors:
        if door.state != "secret":
            swing = choose_swing(door, plan, places, there, seed)
            places.take(swing.swept)
            swings.append((door, swing))
    page.stroke(
        [swing.sill for door, swing in swings if door.state != "open"], PALE, 0.03, dash=(0.1, 0.08), cap="butt"
    )
    page.stroke([swing.arc for _, swing in swings], PALE, 0.032, cap="butt")
    page.stroke([swing.leaf for _, swing in swings], LINE, 0.085, cap="butt")
    page.fill_area([jamb for _, swing in swings for jamb in _jambs(swing)], LINE)
    _draw_secret_doors(page, [door for door in doors if door.state == "secret"])
    _draw_arrows(page, [door for door in doors if door.to])
    _draw_marks(page, [door for door in doors if door.state in ("locked", "secret")])


def choose_swing(
    door: Doorway, plan: LevelView, places: FreeSpace, there: set[tuple[int, int]], seed: int
) -> DoorSwing:
    """Choose how a door opens: into the room, or in the direction that it leads; if possible not against things."""
    ways = "EW" if door.east_west else "SN"
    best = door.to if door.to else max(ways, key=lambda way: (_rate_swing(door, way, plan, places), way == ways[0]))
    right, down = SIDE_STEPS[best]
    hung = bool(noise.hash_noise([door.x], [door.y], seed + 71)[0] < 0.5)
    if (
        door.x - (not door.east_west),
        door.y - door.east_west,
    ) in there:  # the second leaf of a pair is hinged on the far side
        hung = False
    elif (door.x + (not door.east_west), door.y + door.east_west) in there:
        hung = True
    # The span of the leaf in the wall's face, from the jamb with the hinges to the other.
    near, far = (0.04, 0.04 + LEAF_LENGTH) if hung else (0.96, 0.96 - LEAF_LENGTH)
    face = (door.x + (right > 0), door.y + (down > 0))
    hinge, shut = (
        ((face[0], door.y + near), (face[0], door.y + far))
        if door.east_west
        else ((door.x + near, face[1]), (door.x + far, face[1]))
    )
    turn = np.linspace(0, np.pi / 2, 13)[:, None]
    out, along = np.array([right, down]) * LEAF_LENGTH, np.array(shut) - hinge
    arc = np.array(hinge) + out * np.cos(turn) + along * np.sin(turn)
    swept = CellRect(
        min(door.x, door.x + right),
        min(door.y, door.y + down),
        max(door.x + 1, door.x + 1 + right),
        max(door.y + 1, door.y + 1 + down),
    )
    sill = np.array(
        [[face[0], door.y], [face[0], door.y + 1]] if door.east_west else [[door.x, face[1]], [door.x + 1, face[1]]],
        float,
    )
    return DoorSwing(np.array([hinge, arc[0]]), arc, sill, swept)


def _rate_swing(door: Doorway, way: str, plan: LevelView, places: FreeSpace) -> int:
    """Rate a swing in that direction: open ground is better than a passage, and free space better than things."""
    right, down = SIDE_STEPS[way]
    x, y = door.x + right, door.y + down
    if not plan.is_open(x, y):
        return -9
    beside = plan.is_open(x + down, y + right) + plan.is_open(x - down, y - right)
    label = int(plan.regions.labels[y, x])
    is_passage = label > 0 and plan.regions.table["kind"][label - 1] == REGION_KINDS.index("corridor")
    return beside + 2 * (not is_passage) + 3 * places.is_free(CellRect(x + 0.1, y + 0.1, x + 0.9, y + 0.9))


def _jambs(swing: DoorSwing) -> list[Points]:
    """The jambs on both sides of the sill: two thick ends of wall."""
    first, last = swing.sill
    along = (last - first) * 0.09
    out = (swing.leaf[1] - swing.leaf[0]) * 0.11
    return [
        np.array([at - out, at + out, at + out + way, at - out + way]) for at, way in ((first, along), (last, -along))
    ]


def _draw_secret_doors(page: Scene, doors: Iterable[Doorway]) -> None:
    """Draw secret doors: the wall continues, and dashes show the leaf."""
    cells = [rectangle(door.x, door.y, door.x + 1, door.y + 1) for door in doors]
    if not cells:
        return
    page.fill_area(cells, BAND, opacity=0.8)
    hatch = []
    step = 0.25
    for box in cells:
        (left, top), (right, bottom) = box[0], box[2]
        for sum_ in np.arange(np.ceil((left + top) / step), (right + bottom) / step).tolist():
            x0, x1 = max(left, sum_ * step - bottom), min(right, sum_ * step - top)
            hatch.append(np.array([[x0, sum_ * step - x0], [x1, sum_ * step - x1]]))
    page.stroke(hatch, LINE, 0.028, opacity=0.75, cap="butt")
    page.stroke(cells, LINE, 0.06, closed=True, dash=(0.16, 0.12), cap="butt")


def _draw_arrows(page: Scene, doors: Iterable[Doorway]) -> None:
    """Draw the arrows of one-way doors."""
    heads, shafts = [], []
    for door in doors:
        front = np.array(SIDE_STEPS[door.to], float)
        side = front[::-1]
        middle = np.array([door.x + 0.5, door.y + 0.5])
        shafts.append(np.array([middle - front * 0.44, middle + front * 0.3]))
        heads.append(
            np.array([middle + front * 0.5, middle + front * 0.16 + side * 0.2, middle + front * 0.16 - side * 0.2])
        )
    page.stroke(shafts, LINE, 0.06, cap="butt")
    page.fill_area(heads, LINE)


def _draw_marks(page: Scene, doors: Iterable[Doorway]) -> None:
    """Draw L for locked, S for secret."""
    doors = list(doors)
    page.fill_area(
        [circle(door.x + 0.5, door.y + 0.5, MARK_RADIUS, 20) for door in doors], FLOOR, stroke=LINE, width=0.045
    )
    letters = [
        line
        for door in doors
        for line in outline_words("L" if door.state == "locked" else "S", door.x + 0.5, door.y + 0.5, 0.42)
    ]
    page.fill_area(letters, LINE, stroke=LINE, width=0.03)
