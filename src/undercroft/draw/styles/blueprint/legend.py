"""What the signs of a blueprint mean."""

from __future__ import annotations

import numpy as np

from undercroft.draw.scene.colour import STEPS, mixed, ramp
from undercroft.draw.scene.lettering import width
from undercroft.draw.scene.scene import Scene, circle
from undercroft.draw.styles.blueprint.doors import LEAF
from undercroft.draw.styles.blueprint.inks import LETTERS, LINE, PALE, SIGNS, TINT, words
from undercroft.draw.styles.blueprint.signs import rails_of, treads_of
from undercroft.draw.view.legend import Entry, entries, scale
from undercroft.draw.view.level_view import Plan
from undercroft.draw.view.symbols import Inks, Part, Sign, box, disc, paint, placed, shape, stroke, strokes

SIZE = 0.5
"""Of words."""
ROW = 1.35


def legend(plan: Plan, shown: frozenset[str]) -> list[Entry]:
    """The signs on this drawing, as blueprints have them, with their words in capitals."""
    found = entries(plan, shown) + scale(plan.level, shown, STRIPS)
    return [Entry(entry.word.upper(), OURS[entry.word]() if entry.word in OURS else entry.sign) for entry in found]


def rows(found: list[Entry], line: float) -> list[list[tuple[float, Entry]]]:
    """Entries in lines of so many units, each with its place in the line."""
    filled: list[list[tuple[float, Entry]]] = []
    at = 0.0
    for entry in found:
        wide = 1.5 + width(entry.word, SIZE, LETTERS) + 0.9
        if not filled or at + wide - 0.9 > line:
            filled.append([])
            at = 0.0
        filled[-1].append((at, entry))
        at += wide
    return filled


def draw(page: Scene, filled: list[list[tuple[float, Entry]]], left: float, top: float, unit: float) -> None:
    """Paint the lines, from a corner down."""
    for number, row in enumerate(filled):
        y = top + (number + 0.5) * ROW * unit
        for place, entry in row:
            x = left + (place + 0.5) * unit
            sign = placed(entry.sign, x, y, "S", unit)
            paint(page, [sign], BUILT if entry.word.lower() in OURS else SIGNS)
            page.area(words(entry.word, x + 0.85 * unit, y, SIZE * unit, anchor=0), PALE)


BUILT = Inks(LINE, SIGNS.paper, SIGNS.tone)
STRIPS = tuple(
    mixed(SIGNS.paper, "#{:02x}{:02x}{:02x}".format(*ramp()[round(band * (STEPS - 1) / 3)].tolist()), TINT)
    for band in range(4)
)
"""Colours of distance, as they are on the floor."""


def _door(mark: str = "", *, one_way: bool = False, arc: bool = True) -> Sign:
    turn = np.linspace(0, np.pi / 2, 9)
    swing = Part(
        [np.stack([-0.42 + LEAF * np.sin(turn), 0.3 - LEAF * np.cos(turn)], axis=1)], width=0.032, closed=False
    )
    jambs = strokes([[(-0.5, 0.3), (-0.42, 0.3)], [(0.5, 0.3), (0.58, 0.3)]], 0.12)
    sign = [jambs, swing, stroke((-0.42, 0.3), (-0.42, 0.3 - LEAF), width=0.085)] if arc else [jambs]
    if one_way:
        sign += [
            stroke((0.1, -0.15), (0.1, 0.25), width=0.06),
            shape((0.1, 0.5), (-0.08, 0.2), (0.28, 0.2), fill="ink", width=0),
        ]
    if mark:
        sign += _bubble(mark, 0.05, 0.1)
    return sign


def _bubble(mark: str, x: float, y: float) -> Sign:
    return [Part([circle(x, y, 0.31, 20)], "paper", 0.045), Part(words(mark, x, y, 0.42), "ink", 0.03)]


def _secret() -> Sign:
    slants = [[(x, 0.3), (x + 0.6, -0.3)] for x in (-0.6, -0.35, -0.1)]
    return [box(-0.6, -0.3, 0.6, 0.3, "tone", 0.05), strokes(slants, 0.028), *_bubble("S", 0, 0)]


def _stair(*, up: bool) -> Sign:
    arrow = shape((0, 0.36), (0.14, 0.06), (-0.14, 0.06), fill="ink", width=0)
    return placed(
        [
            strokes(treads_of(up=up), 0.035),
            strokes(rails_of(up=up), 0.05),
            stroke((0, -0.5), (0, 0.1), width=0.045),
            arrow,
        ],
        0,
        0,
        "N",
    )


def _pillar() -> Sign:
    return [disc(0, 0, 0.27, "tone", 0.06, 24), strokes([[(-0.42, 0), (0.42, 0)], [(0, -0.42), (0, 0.42)]], 0.028)]


def _water() -> Sign:
    return [
        strokes(
            [[(-0.5 + shift, y), (-0.02 + shift, y)] for y, shift in ((-0.27, 0.0), (0.0, 0.25), (0.27, 0.0))], 0.04
        )
    ]


def _pit() -> Sign:
    return [
        box(-0.42, -0.36, 0.42, 0.36, "paper", 0.055),
        strokes([[(-0.42, -0.36), (0.42, 0.36)], [(0.42, -0.36), (-0.42, 0.36)]], 0.035),
    ]


OURS = {
    "open door": _door,
    "door": _door,
    "locked door": lambda: _door("L"),
    "secret door": _secret,
    "one-way door": lambda: _door(one_way=True),
    "stairs up": lambda: _stair(up=True),
    "stairs down": lambda: _stair(up=False),
    "pillar": _pillar,
    "water": _water,
    "pit": _pit,
}
"""Signs that blueprints draw in their own way."""
