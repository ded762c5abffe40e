"""Signs of furniture of any size, from above, its front down: functions of its width and depth in cells."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from undercroft.draw.scene.scene import circle
from undercroft.draw.view.symbols import Sign, SignPart, box, disc, polygon, stair_sign, stroke, strokes


def _table(wide: float, deep: float) -> Sign:
    return [_inset(wide, deep, 0.12), _inset(wide, deep, 0.2)._replace(fill="", width=0.03)]


def _inset(wide: float, deep: float, edge: float) -> SignPart:
    return box(edge - wide / 2, edge - deep / 2, wide / 2 - edge, deep / 2 - edge)


def _bench(wide: float, deep: float) -> Sign:
    half, deep = wide / 2 - 0.1, min(deep, 1)
    return [box(-half, -0.16 * deep, half, 0.16 * deep), stroke((-half, 0), (half, 0), width=0.03)]


def _shelf(wide: float, deep: float) -> Sign:
    """A shelf of books along the wall behind it."""
    low, high = -deep / 2 + 0.04, -deep / 2 + 0.42
    spines = np.arange(0.2 - wide / 2, wide / 2 - 0.12, 0.13).tolist()
    backs = strokes([[(x, low + 0.06), (x, high - 0.06 - 0.06 * (n % 3 == 1))] for n, x in enumerate(spines)], 0.035)
    return [box(0.06 - wide / 2, low, wide / 2 - 0.06, high), backs]


def _rack(wide: float, deep: float) -> Sign:
    """Blades on a board along the wall behind it."""
    low = -deep / 2 + 0.05
    blades = np.arange(0.25 - wide / 2, wide / 2 - 0.2, 0.25).tolist()
    hilts = strokes([[(x - 0.07, low + 0.2), (x + 0.07, low + 0.2)] for x in blades], 0.04)
    return [
        box(0.08 - wide / 2, low, wide / 2 - 0.08, low + 0.14),
        strokes([[(x, low + 0.02), (x, low + 0.55)] for x in blades], 0.045),
        hilts,
    ]


def _wardrobe(wide: float, deep: float) -> Sign:
    back, front = 0.05 - deep / 2, -deep / 2 + 0.55
    knobs = SignPart([circle(-0.07, front - 0.1, 0.03, 8), circle(0.07, front - 0.1, 0.03, 8)], "ink", 0)
    return [box(0.08 - wide / 2, back, wide / 2 - 0.08, front), stroke((0, back), (0, front), width=0.035), knobs]


def _bed(wide: float, deep: float) -> Sign:
    left, right, head, foot = 0.1 - wide / 2, wide / 2 - 0.1, 0.06 - deep / 2, deep / 2 - 0.06
    fold = head + 0.3 * (foot - head) + 0.08
    pillow = box(left + 0.1, head + 0.07, right - 0.1, head + 0.1 + 0.16 * min(1.5, deep), "paper", 0.035)
    return [box(left, head, right, foot), pillow, box(left, fold, right, foot, "tone", 0.04)]


def _altar(wide: float, deep: float) -> Sign:
    high = min(0.28, deep / 2)
    return [
        box(0.06 - wide / 2, -high, wide / 2 - 0.06, high),
        strokes([[(0, -0.2), (0, 0.2)], [(-0.13, -0.08), (0.13, -0.08)]], 0.06),
    ]


def _coffin(wide: float, deep: float) -> Sign:
    half, foot = min(0.3, wide / 2 - 0.1), deep / 2 - 0.06
    lid = polygon(
        (-half * 0.6, -foot),
        (half * 0.6, -foot),
        (half, -foot * 0.35),
        (half * 0.55, foot),
        (-half * 0.55, foot),
        (-half, -foot * 0.35),
    )
    return [lid, strokes([[(0, -foot * 0.65), (0, foot * 0.4)], [(-0.1, -foot * 0.3), (0.1, -foot * 0.3)]], 0.045)]


def _hearth(wide: float, deep: float) -> Sign:
    back = -deep / 2
    hood = polygon(
        (0.06 - wide / 2, back + 0.02),
        (wide / 2 - 0.06, back + 0.02),
        (wide / 2 - 0.3, back + 0.5),
        (0.3 - wide / 2, back + 0.5),
    )
    flame = polygon(
        (-0.14, back + 0.42),
        (-0.1, back + 0.2),
        (0, back + 0.3),
        (0.05, back + 0.1),
        (0.15, back + 0.42),
        fill="ink",
        width=0.02,
    )
    return [hood, flame]


def _rug(wide: float, deep: float) -> Sign:
    left, right, top, bottom = 0.1 - wide / 2, wide / 2 - 0.1, 0.1 - deep / 2, deep / 2 - 0.1
    fringe = [
        [(x, y), (x, y + (0.08 if y > 0 else -0.08))]
        for x in np.arange(left + 0.08, right, 0.16).tolist()
        for y in (top, bottom)
    ]
    return [
        box(left, top, right, bottom, "tone", 0.04),
        box(left + 0.14, top + 0.14, right - 0.14, bottom - 0.14, "", 0.03),
        strokes(fringe, 0.03),
    ]


def _hanging(wide: float, deep: float) -> Sign:
    """Cloth on the wall behind it."""
    back = -deep / 2 + 0.06
    folds = np.arange(0.08 - wide / 2, wide / 2 - 0.07, 0.11).tolist()
    return [strokes([[(x, back + 0.12 * (number % 2)) for number, x in enumerate(folds)]], 0.05)]


def _drawers(wide: float, deep: float) -> Sign:
    return [_inset(wide, deep, 0.2), disc(0, 0.1, 0.04, "ink", 0, 8)]


def _stairs(wide: float, deep: float) -> Sign:
    return [part._replace(lines=[line * (wide, deep) for line in part.lines]) for part in stair_sign(up=False)]


def _long_table(wide: float, deep: float) -> Sign:
    """A table that is laid for several."""
    places = np.arange(0.5 - wide / 2, wide / 2 - 0.3, 0.7).tolist()
    rows = [-deep / 4, deep / 4] if deep > 1 else [0.0]
    return [_inset(wide, deep, 0.12), SignPart([circle(x, y, 0.1, 12) for x in places for y in rows], "paper", 0.03)]


def _desk(wide: float, deep: float) -> Sign:
    """A desk with drawers on its left and a sheet on its right."""
    left, right, top, bottom = 0.12 - wide / 2, wide / 2 - 0.12, 0.12 - deep / 2, deep / 2 - 0.12
    third = left + (right - left) / 3
    drawers = strokes([[(third, top), (third, bottom)], [(left, 0), (third, 0)]], 0.035)
    return [box(left, top, right, bottom), drawers, box(third + 0.12, -0.16, third + 0.4, 0.18, "paper", 0.03)]


def _workbench(wide: float, deep: float) -> Sign:
    """A bench of boards with a vice."""
    left, right = 0.12 - wide / 2, wide / 2 - 0.12
    boards = strokes([[(left, y), (right, y)] for y in (-deep / 6, deep / 6)], 0.03)
    return [_inset(wide, deep, 0.12), boards, box(right - 0.2, -0.12, right + 0.08, 0.12, "ink", 0.03)]


def _jar_shelf(wide: float, deep: float) -> Sign:
    """A shelf of jars along the wall behind it."""
    low, high = -deep / 2 + 0.04, -deep / 2 + 0.42
    jars = np.arange(0.24 - wide / 2, wide / 2 - 0.16, 0.24).tolist()
    row = SignPart([circle(x, (low + high) / 2, 0.08, 10) for x in jars], "paper", 0.03)
    return [box(0.06 - wide / 2, low, wide / 2 - 0.06, high), row]


def _cupboard(wide: float, deep: float) -> Sign:
    low, high = -deep / 2 + 0.04, -deep / 2 + 0.48
    cross = strokes([[(0.1 - wide / 2, low), (0, high), (wide / 2 - 0.1, low)]], 0.03)
    return [box(0.06 - wide / 2, low, wide / 2 - 0.06, high), cross]


def _pew(wide: float, deep: float) -> Sign:
    half, deep = wide / 2 - 0.1, min(deep, 1)
    return [box(-half, -0.16 * deep, half, 0.2 * deep), box(-half, 0.2 * deep, half, 0.32 * deep, "ink", 0.03)]


def _stone_bench(wide: float, deep: float) -> Sign:
    half, deep = wide / 2 - 0.1, min(deep, 1)
    ends = strokes(
        [[(side * (half - 0.2), -0.18 * deep), (side * (half - 0.2), 0.18 * deep)] for side in (-1, 1)], 0.04
    )
    return [box(-half, -0.18 * deep, half, 0.18 * deep, "tone"), ends]


def _bunk(wide: float, deep: float) -> Sign:
    """A bed with a ladder."""
    left, right, head, foot = 0.1 - wide / 2, wide / 2 - 0.1, 0.06 - deep / 2, deep / 2 - 0.06
    rungs = strokes([[(right - 0.2, y), (right, y)] for y in np.linspace(head + 0.4, foot - 0.2, 5).tolist()], 0.035)
    rail = stroke((right - 0.2, head + 0.3), (right - 0.2, foot), width=0.035)
    return [
        box(left, head, right, foot),
        box(left + 0.08, head + 0.07, right - 0.08, head + 0.3, "tone", 0.035),
        rungs,
        rail,
    ]


def _bedroll(wide: float, deep: float) -> Sign:
    left, right, head, foot = 0.2 - wide / 2, wide / 2 - 0.2, 0.1 - deep / 2, deep / 2 - 0.1
    roll = box(left - 0.06, head, right + 0.06, head + 0.24, "paper", 0.05)
    return [
        box(left, head + 0.12, right, foot, "tone", 0.04),
        roll,
        strokes([[(left, head + 0.12), (right, head + 0.12)]], 0.03),
    ]


def _sarcophagus(wide: float, deep: float) -> Sign:
    """A chest of stone, with a figure on its lid."""
    half, foot = min(0.36, wide / 2 - 0.08), deep / 2 - 0.05
    figure = polygon(
        (-0.1, -foot * 0.35), (0.1, -foot * 0.35), (0.14, 0), (0.08, foot * 0.75), (-0.08, foot * 0.75), (-0.14, 0)
    )
    return [
        box(-half, -foot, half, foot),
        box(-half + 0.09, -foot + 0.09, half - 0.09, foot - 0.09, "tone", 0.03),
        figure._replace(width=0.035),
        disc(0, -foot * 0.55, 0.1, "paper", 0.035, 12),
    ]


def _niche(wide: float, deep: float) -> Sign:
    """Bones in a hollow of the wall."""
    half, foot = min(0.36, wide / 2 - 0.1), deep / 2 - 0.08
    ribs = strokes([[(-0.12, y), (0.12, y)] for y in np.linspace(-foot * 0.2, foot * 0.3, 3).tolist()], 0.035)
    return [
        box(-half, -foot, half, foot, "tone", 0.05),
        disc(0, -foot * 0.55, 0.1, "paper", 0.035, 12),
        stroke((0, -foot * 0.3), (0, foot * 0.75), width=0.045),
        ribs,
    ]


def _grave(wide: float, deep: float) -> Sign:
    half, foot = min(0.3, wide / 2 - 0.1), deep / 2 - 0.06
    mound = strokes([[(-half, -foot + 0.3), (-half, foot), (half, foot), (half, -foot + 0.3)]], 0.045)
    return [mound, box(-half - 0.06, -foot, half + 0.06, -foot + 0.2)]


def _stove(wide: float, deep: float) -> Sign:
    back = -deep / 2
    rings = SignPart([circle(x, back + 0.32, 0.13, 12) for x in _spread(wide, 0.36)], "paper", 0.035)
    return [box(0.08 - wide / 2, back + 0.04, wide / 2 - 0.08, back + 0.6), rings]


def _forge(wide: float, deep: float) -> Sign:
    back = -deep / 2
    coals = SignPart([circle(x, back + 0.36, 0.06, 8) for x in _spread(wide - 0.4, 0.16)], "ink", 0)
    hood = box(0.06 - wide / 2, back + 0.02, wide / 2 - 0.06, back + 0.66)
    return [hood, box(0.2 - wide / 2, back + 0.18, wide / 2 - 0.2, back + 0.54, "paper", 0.035), coals]


def _spread(wide: float, step: float) -> list[float]:
    """Places a step apart, centred on 0, within a width."""
    count = max(1, int((wide - 0.2) / step))
    return [(number - (count - 1) / 2) * step for number in range(count)]


SIZED_SIGNS: dict[str, Callable[[float, float], Sign]] = {
    kind: drawing
    for drawing, kinds in (
        (_table, "table"),
        (_long_table, "long table"),
        (_desk, "desk"),
        (_workbench, "workbench"),
        (_bench, "bench"),
        (_stone_bench, "stone bench"),
        (_pew, "pew"),
        (_shelf, "bookshelf, bookcase"),
        (_jar_shelf, "shelf"),
        (_cupboard, "cupboard"),
        (_rack, "weapon rack, rack"),
        (_wardrobe, "wardrobe"),
        (_drawers, "night stand"),
        (_bed, "bed"),
        (_bunk, "bunk"),
        (_bedroll, "bedroll"),
        (_altar, "altar"),
        (_coffin, "coffin"),
        (_sarcophagus, "sarcophagus, tomb"),
        (_niche, "burial niche"),
        (_grave, "grave"),
        (_hearth, "hearth"),
        (_stove, "stove"),
        (_forge, "forge"),
        (_rug, "rug, carpet"),
        (_hanging, "tapestry"),
        (_stairs, "stairs"),
    )
    for kind in kinds.split(", ")
}
"""Functions from the width and depth of a thing, in cells, to its sign around (0, 0), front down."""
