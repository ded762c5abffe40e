"""Signs of things, seen from above: a small drawing for each kind, and a generic one for unknown kinds.

Signs of a fixed size are in `signs.txt`; furniture of variable size is drawn here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from undercroft import limits
from undercroft.core.region import Thing
from undercroft.draw.scene.scene import Points, circle, rectangle
from undercroft.draw.view.label_space import LabelSpace
from undercroft.draw.view.symbols import Sign, SignPart, box, disc, place_sign, polygon, stroke, strokes
from undercroft.inputs import files

FLAT_KINDS = frozenset({"rug", "carpet", "summoning circle", "circle", "cobwebs"})
"""Kinds that other things can stand on."""
SHRUNK_SIZES = (1.0, 0.85, 0.7)
"""The sizes that are tried for a sign at a round or rough wall."""
MAX_MOVE = 4
"""The largest move of such a sign in each direction, in eighths of a cell."""
ARC_POINTS = 11
"""The number of points of an arc."""


def place_thing_sign(found: Thing) -> Sign:
    """The sign of a thing, on its cells and in its direction."""
    wide, high = _size_in_cells(found, "width"), _size_in_cells(found, "height")
    facing = found.data.get("facing")
    facing = facing if facing in ("N", "E", "S", "W") else "S"
    across, deep = (wide, high) if facing in ("N", "S") else (high, wide)
    group = found.data.get("group")
    name = resolve_sign_name(found.kind, group if isinstance(group, str) else "")
    return place_sign(
        _build_sign(name, across, deep),
        found.x + wide / 2,
        found.y + high / 2,
        str(facing) if name in SIZED_SIGNS or name in load_turning_names() else "S",
    )


def fit_sign(sign: Sign, space: LabelSpace) -> Sign:
    """The sign, moved as little as possible so that all of it is on the drawn ground; a smaller one if need be. A sign
    that fits nowhere near stays as it is.
    """
    points = np.concatenate([line for part in sign for line in part.lines])
    if space.covers(points):
        return sign
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    for size in SHRUNK_SIZES:
        small = (points - middle) * size + middle
        for off in _nearest_offsets():
            if space.covers(small + off):
                return [
                    part._replace(lines=[(line - middle) * size + middle + off for line in part.lines]) for part in sign
                ]
    return sign


@cache
def _nearest_offsets() -> list[Points]:
    """Moves by eighths of a cell, the shortest first."""
    eighths = [(x, y) for y in range(-MAX_MOVE, MAX_MOVE + 1) for x in range(-MAX_MOVE, MAX_MOVE + 1)]
    return [np.array(move) / 8 for move in sorted(eighths, key=lambda move: (move[0] ** 2 + move[1] ** 2, move))]


def thing_sign(kind: str, group: str = "", wide: float = 1, deep: float = 1) -> Sign:
    """The sign of a kind, centred on (0, 0). For an unknown kind, a word of its name or its group (monster, loot, clue)
    selects the sign.

    >>> len(thing_sign("chest")), thing_sign("giant owl", "monster") == thing_sign("monster")
    (3, True)
    >>> thing_sign("rusty key") == thing_sign("key"), thing_sign("spoon") == thing_sign("fork")
    (True, True)
    """
    return _build_sign(resolve_sign_name(kind, group), wide, deep)


def resolve_sign_name(kind: str, group: str = "") -> str:
    """The name of the sign for a kind.

    >>> resolve_sign_name("Rusty Key"), resolve_sign_name("giant owl", "monster"), resolve_sign_name("spoon")
    ('key', 'monster', 'unknown')
    """
    name = kind.casefold()
    words = (name, *reversed(name.replace("-", " ").split()), group)
    return next((word for word in words if word in SIZED_SIGNS or word in load_signs()), "unknown")


def _build_sign(name: str, wide: float, deep: float) -> Sign:
    return SIZED_SIGNS[name](wide, deep) if name in SIZED_SIGNS else load_signs()[name]


def lies_flat(found: Thing) -> bool:
    """Whether other things can stand on it."""
    return found.kind.casefold() in FLAT_KINDS


@cache
def load_signs() -> dict[str, Sign]:
    """The signs of `signs.txt` by their names."""
    return {name: sign for names, sign, _ in _read_sign_file() for name in names}


@cache
def load_turning_names() -> frozenset[str]:
    """The names of the signs that turn with the thing."""
    return frozenset(name for names, _, turns in _read_sign_file() for name in names if turns)


@cache
def _read_sign_file() -> list[tuple[list[str], Sign, bool]]:
    found: list[tuple[list[str], Sign, bool]] = []
    for line in files.read_text(Path(__file__).parent / "signs.txt", limits.LAYOUT_BYTES).splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            found[-1][1].append(_parse_part(line.split()))
        else:
            found.append((line.removeprefix("turned ").split(", "), [], line.startswith("turned ")))
    return found


def _parse_part(words: list[str]) -> SignPart:
    fill, width, *rest = words
    lines: list[Points] = []
    closed = True
    for drawn in " ".join(rest).split(" / "):
        name, *numbers = drawn.split()
        closed = name != "line"
        lines.append(_parse_line(name, numbers) / 100)
    return SignPart(lines, "" if fill == "none" else fill, float(width) / 100, closed)


def _parse_line(name: str, words: list[str]) -> Points:
    if name == "box":
        return rectangle(*map(float, words))
    if name == "disc":
        x, y, radius, corners = map(float, words)
        return circle(x, y, radius, int(corners))
    points: list[tuple[float, float]] = []
    at = 0
    while at < len(words):
        if words[at] == "arc":
            x, y, across, up, first, last = map(float, words[at + 1 : at + 7])
            turn = np.radians(np.linspace(first, last, ARC_POINTS))
            points += zip((x + across * np.cos(turn)).tolist(), (y - up * np.sin(turn)).tolist(), strict=True)
            at += 7
        else:
            points.append((float(words[at]), float(words[at + 1])))
            at += 2
    return np.array(points)


def _size_in_cells(found: Thing, key: str) -> int:
    size = found.data.get(key, 1)
    return max(1, min(64, size)) if type(size) is int else 1


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


SIZED_SIGNS: dict[str, Callable[[float, float], Sign]] = {
    kind: drawing
    for drawing, kinds in (
        (_table, "table, long table, desk, workbench, chopping block"),
        (_bench, "bench, stone bench, pew"),
        (_shelf, "bookshelf, shelf, bookcase, cupboard"),
        (_rack, "weapon rack, rack"),
        (_wardrobe, "wardrobe"),
        (_drawers, "night stand"),
        (_bed, "bed, bunk, bedroll"),
        (_altar, "altar"),
        (_coffin, "coffin, sarcophagus, burial niche, grave, tomb"),
        (_hearth, "hearth, stove, forge"),
        (_rug, "rug, carpet"),
        (_hanging, "tapestry, banner, trophy"),
    )
    for kind in kinds.split(", ")
}
"""Functions from the width and depth of a thing, in cells, to its sign around (0, 0), front down."""
