"""Signs on maps as shapes that each style paints in its own colours: doors, stairs, pillars, waves, and the marks of
the legend.

`thing_symbols` draws the things.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from undercroft.draw.pen.wobble import Sway, wobbled
from undercroft.draw.scene.lettering import text_outlines
from undercroft.draw.scene.scene import Points, Scene, circle, rectangle

if TYPE_CHECKING:
    from undercroft.draw.view.level_view import Doorway
    from undercroft.draw.view.stairs import Stair

FACING_AXES = {"S": ((1, 0), (0, 1)), "N": ((-1, 0), (0, -1)), "E": ((0, -1), (1, 0)), "W": ((0, 1), (-1, 0))}
"""For each direction that a thing can face, the directions of its right side (as drawn) and its front, as x and y."""
SKETCH_SWAY: Sway = ((0.018, 1.3), (0.010, 4.3))
"""The wobble of small hand-drawn signs."""


class SignPart(NamedTuple):
    """One part of a sign: lines that are filled, stroked, or both."""

    lines: Sequence[Points]
    fill: str = ""
    """ink, paper, tone, a colour (`#rrggbb`), or empty for none."""
    width: float = 0.05
    """The width of its stroke, in cells; 0 for none."""
    closed: bool = True


class Inks(NamedTuple):
    """The colours of signs."""

    ink: str
    paper: str
    tone: str

    def resolve_colour(self, name: str) -> str:
        """The colour of a name; `#rrggbb` is itself."""
        return {"ink": self.ink, "paper": self.paper, "tone": self.tone}.get(name, name)


Sign = list[SignPart]
"""The parts of one sign, in painting order."""


def stroke(*points: tuple[float, float], width: float = 0.05) -> SignPart:
    """A line from point to point."""
    return SignPart([np.array(points, float)], width=width, closed=False)


def strokes(lines: Iterable[Sequence[tuple[float, float]]], width: float = 0.05) -> SignPart:
    """Several lines."""
    return SignPart([np.array(line, float) for line in lines], width=width, closed=False)


def polygon(*points: tuple[float, float], fill: str = "paper", width: float = 0.05) -> SignPart:
    """A filled polygon."""
    return SignPart([np.array(points, float)], fill, width)


def box(left: float, top: float, right: float, bottom: float, fill: str = "paper", width: float = 0.05) -> SignPart:
    """A rectangle."""
    return SignPart([rectangle(left, top, right, bottom)], fill, width)


def disc(x: float, y: float, radius: float, fill: str = "paper", width: float = 0.05, corners: int = 16) -> SignPart:
    """A filled circle."""
    return SignPart([circle(x, y, radius, corners)], fill, width)


def place_sign(sign: Sign, x: float, y: float, facing: str = "S", size: float = 1.0) -> Sign:
    """Move and turn a sign that is drawn around (0, 0) with its front down.

    >>> place_sign([stroke((0, 0), (0, 1))], 5, 5, "W")[0].lines[0].tolist()
    [[5.0, 5.0], [4.0, 5.0]]
    """
    (right_x, right_y), (front_x, front_y) = FACING_AXES[facing]
    turn = np.array([[right_x, right_y], [front_x, front_y]], float) * size
    return [
        part._replace(lines=[line @ turn + (x, y) for line in part.lines], width=part.width * min(1.0, size))
        for part in sign
    ]


def draw_signs(
    scene: Scene,
    signs: Iterable[Sign],
    inks: Inks,
    seed: int | None = None,
    *,
    opacity: float = 1.0,
    heavier: float = 1.0,
    clip: str = "",
) -> None:
    """Draw all signs together: the first part of each, then the second of each, and so on, which keeps files short.
    With a seed they are drawn as by hand.
    """
    layers: dict[tuple[int, str, float, bool], list[Points]] = {}
    for sign in signs:
        for place, part in enumerate(sign):
            layers.setdefault((place, part.fill, round(part.width, 4), part.closed), []).extend(part.lines)
    for (_, fill, width, closed), lines in sorted(layers.items(), key=lambda item: item[0][0]):
        shaken = lines if seed is None else wobbled(lines, seed, hand=SKETCH_SWAY, closed=closed)
        if fill and width:
            scene.fill_area(
                shaken, inks.resolve_colour(fill), stroke=inks.ink, width=width * heavier, opacity=opacity, clip=clip
            )
        elif fill:
            scene.fill_area(shaken, inks.resolve_colour(fill), opacity=opacity, clip=clip)
        else:
            scene.stroke(shaken, inks.ink, width * heavier, closed=closed, opacity=opacity, clip=clip)


def place_door_sign(doorway: Doorway) -> Sign:
    """A door in its wall: a slab between jambs; solid if it is locked, an S in the wall if it is secret, with an arrow
    if it is one-way.
    """
    facing = doorway.to or ("E" if doorway.east_west else "S")
    return (
        place_sign(door_sign(doorway.state, one_way=bool(doorway.to)), doorway.x + 0.5, doorway.y + 0.5, facing, 1.0)
        if doorway.state != "secret"
        else _place_secret_door(doorway)
    )


def door_sign(state: str, *, one_way: bool = False) -> Sign:
    """A door centred on (0, 0), in a wall from left to right; a one-way door leads down."""
    if state == "secret":
        return [
            box(-0.5, -0.2, 0.5, 0.2, "tone", 0.05),
            SignPart(text_outlines("S", 0, 0.27, 0.78, "figures", anchor=0.5), "ink", 0),
        ]
    jambs = strokes([[(-0.5, 0), (-0.28, 0)], [(0.28, 0), (0.5, 0)]], 0.12)
    if state == "open":
        return [jambs, box(-0.30, 0.0, -0.18, 0.46, "paper", 0.055)]
    sign = [jambs, box(-0.30, -0.15, 0.30, 0.15, "ink" if state == "locked" else "paper", 0.055)]
    if state == "locked":
        sign.append(
            SignPart(
                [circle(0, -0.03, 0.065, 10), np.array([[-0.03, 0.0], [0.03, 0.0], [0.05, 0.105], [-0.05, 0.105]])],
                "paper",
                0,
            )
        )
    if one_way:
        sign.append(polygon((-0.17, 0.24), (0.17, 0.24), (0.0, 0.47), fill="ink", width=0.03))
    return sign


def _place_secret_door(doorway: Doorway) -> Sign:
    """A secret door: a wall with an S."""
    x, y = doorway.x + 0.5, doorway.y + 0.5
    wall = place_sign([box(-0.5, -0.2, 0.5, 0.2, "tone", 0.06)], x, y, "E" if doorway.east_west else "S")
    return [*wall, SignPart(text_outlines("S", x, y + 0.27, 0.78, "figures", anchor=0.5), "ink", 0)]


def place_stair_sign(found: Stair) -> Sign:
    """A stair: treads of equal width if it leads up, narrowing treads if it leads down."""
    return place_sign(stair_sign(up=found.up), *found.middle, found.side, found.size)


def stair_sign(*, up: bool, steps: int = 6) -> Sign:
    """A stair centred on (0, 0) that leads down the page."""
    along = np.linspace(-0.42, 0.42, steps)
    half = np.full(steps, 0.40) if up else np.linspace(0.42, 0.13, steps)
    outline = polygon((-half[0], -0.42), (half[0], -0.42), (half[-1], 0.42), (-half[-1], 0.42), width=0.06)
    treads = strokes(
        [[(-wide, at), (wide, at)] for at, wide in zip(along[1:-1].tolist(), half[1:-1].tolist(), strict=True)], 0.05
    )
    if up:
        return [outline, treads]
    dark = polygon(
        (-half[-2], along[-2]), (half[-2], along[-2]), (half[-1], 0.42), (-half[-1], 0.42), fill="ink", width=0.05
    )
    return [outline, treads, dark]


def pillar_sign(x: float, y: float) -> Sign:
    """A pillar: a disc, shaded on the side away from the light."""
    return [disc(x, y, 0.30, "tone", 0.07), strokes([_chord(x, y, 0.27, at) for at in (0.04, 0.13, 0.21)], 0.035)]


def _chord(x: float, y: float, radius: float, off: float) -> list[tuple[float, float]]:
    """A line across a disc, from lower left to upper right, `off` cells to the lower right of its centre."""
    half, off = float(np.sqrt(radius * radius - off * off)) * 0.7071, off * 0.7071
    return [(x + off - half, y + off + half), (x + off + half, y + off - half)]


def water_sign() -> Sign:
    """Water, for a legend."""
    across = np.linspace(-0.45, 0.45, 13)
    return [
        strokes(
            [[(x, y + 0.07 * float(np.sin(x * 14 + y * 5))) for x in across.tolist()] for y in (-0.24, 0.0, 0.24)], 0.04
        )
    ]


def pit_sign() -> Sign:
    """A pit, for a legend."""
    teeth = [
        [(x, -0.34), (x, -0.34 + 0.1 + 0.08 * (number % 3))]
        for number, x in enumerate(np.linspace(-0.3, 0.3, 7).tolist())
    ]
    return [box(-0.38, -0.36, 0.38, 0.36, "ink", 0.06), SignPart([_bar(line) for line in teeth], "paper", 0)]


def _bar(line: Sequence[tuple[float, float]]) -> Points:
    (x, top), (_, bottom) = line
    return rectangle(x - 0.018, top, x + 0.018, bottom)
