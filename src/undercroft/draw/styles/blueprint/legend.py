"""The legend of a blueprint."""

from __future__ import annotations

import numpy as np

from undercroft.core.palette import Tile
from undercroft.draw.scene.colour import RAMP_STEPS, colour_ramp, mix_colours
from undercroft.draw.scene.lettering import text_width
from undercroft.draw.scene.scene import Scene, circle
from undercroft.draw.styles.blueprint.doors import LEAF_LENGTH
from undercroft.draw.styles.blueprint.inks import (
    FLOOR,
    LETTER_FACE,
    LINE,
    PALE,
    SIGN_INKS,
    TILE_OPACITY,
    TINT_OPACITY,
    outline_words,
)
from undercroft.draw.styles.blueprint.signs import stair_rails, stair_treads
from undercroft.draw.view.legend import LegendEntry, colour_swatch, list_legend_entries, list_scale_entries
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.symbols import (
    Inks,
    Sign,
    SignPart,
    box,
    disc,
    draw_signs,
    place_sign,
    polygon,
    stroke,
    strokes,
)

WORD_SIZE = 0.5
"""The letter size of words."""
ROW_HEIGHT = 1.35


def list_entries(plan: LevelView, shown: frozenset[str]) -> list[LegendEntry]:
    """The signs on this drawing, in the style of blueprints, with their words in capitals."""
    found = list_legend_entries(plan, shown, swatch=_tile_swatch) + list_scale_entries(
        plan.level, shown, DISTANCE_COLOURS
    )
    return [
        LegendEntry(entry.word.upper(), entry.sign, custom=True)
        if entry.custom
        else LegendEntry(
            entry.word.upper(), BLUEPRINT_SIGNS[entry.word]() if entry.word in BLUEPRINT_SIGNS else entry.sign
        )
        for entry in found
    ]


def _tile_swatch(tile: Tile) -> Sign:
    """The colour of a tile as the drawing shows it."""
    return colour_swatch(mix_colours(FLOOR, tile.colour, TILE_OPACITY))


def arrange_rows(found: list[LegendEntry], line: float) -> list[list[tuple[float, LegendEntry]]]:
    """The entries in lines of `line` units, each with its position in the line."""
    filled: list[list[tuple[float, LegendEntry]]] = []
    at = 0.0
    for entry in found:
        wide = 1.5 + text_width(entry.word, WORD_SIZE, LETTER_FACE) + 0.9
        if not filled or at + wide - 0.9 > line:
            filled.append([])
            at = 0.0
        filled[-1].append((at, entry))
        at += wide
    return filled


def draw_legend(
    page: Scene, filled: list[list[tuple[float, LegendEntry]]], left: float, top: float, unit: float
) -> None:
    """Draw the lines, from a corner down."""
    for number, row in enumerate(filled):
        y = top + (number + 0.5) * ROW_HEIGHT * unit
        for place, entry in row:
            x = left + (place + 0.5) * unit
            sign = place_sign(entry.sign, x, y, "S", unit)
            built = not entry.custom and entry.word.lower() in BLUEPRINT_SIGNS
            draw_signs(page, [sign], BUILT_INKS if built else SIGN_INKS)
            page.fill_area(outline_words(entry.word, x + 0.85 * unit, y, WORD_SIZE * unit, anchor=0), PALE)


BUILT_INKS = Inks(LINE, SIGN_INKS.paper, SIGN_INKS.tone)
DISTANCE_COLOURS = tuple(
    mix_colours(
        SIGN_INKS.paper,
        "#{:02x}{:02x}{:02x}".format(*colour_ramp()[round(band * (RAMP_STEPS - 1) / 3)].tolist()),
        TINT_OPACITY,
    )
    for band in range(4)
)
"""The colours of distance on the floor."""


def _door_sign(mark: str = "", *, one_way: bool = False, arc: bool = True) -> Sign:
    turn = np.linspace(0, np.pi / 2, 9)
    swing = SignPart(
        [np.stack([-0.42 + LEAF_LENGTH * np.sin(turn), 0.3 - LEAF_LENGTH * np.cos(turn)], axis=1)],
        width=0.032,
        closed=False,
    )
    jambs = strokes([[(-0.5, 0.3), (-0.42, 0.3)], [(0.5, 0.3), (0.58, 0.3)]], 0.12)
    sign = [jambs, swing, stroke((-0.42, 0.3), (-0.42, 0.3 - LEAF_LENGTH), width=0.085)] if arc else [jambs]
    if one_way:
        sign += [
            stroke((0.1, -0.15), (0.1, 0.25), width=0.06),
            polygon((0.1, 0.5), (-0.08, 0.2), (0.28, 0.2), fill="ink", width=0),
        ]
    if mark:
        sign += _bubble_sign(mark, 0.05, 0.1)
    return sign


def _bubble_sign(mark: str, x: float, y: float) -> Sign:
    return [SignPart([circle(x, y, 0.31, 20)], "paper", 0.045), SignPart(outline_words(mark, x, y, 0.42), "ink", 0.03)]


def _secret_door_sign() -> Sign:
    slants = [[(x, 0.3), (x + 0.6, -0.3)] for x in (-0.6, -0.35, -0.1)]
    return [box(-0.6, -0.3, 0.6, 0.3, "tone", 0.05), strokes(slants, 0.028), *_bubble_sign("S", 0, 0)]


def _stair_sign(*, up: bool) -> Sign:
    arrow = polygon((0, 0.36), (0.14, 0.06), (-0.14, 0.06), fill="ink", width=0)
    return place_sign(
        [
            strokes(stair_treads(up=up), 0.035),
            strokes(stair_rails(up=up), 0.05),
            stroke((0, -0.5), (0, 0.1), width=0.045),
            arrow,
        ],
        0,
        0,
        "N",
    )


def _pillar_sign() -> Sign:
    return [disc(0, 0, 0.27, "tone", 0.06, 24), strokes([[(-0.42, 0), (0.42, 0)], [(0, -0.42), (0, 0.42)]], 0.028)]


def _water_sign() -> Sign:
    return [
        strokes(
            [[(-0.5 + shift, y), (-0.02 + shift, y)] for y, shift in ((-0.27, 0.0), (0.0, 0.25), (0.27, 0.0))], 0.04
        )
    ]


def _pit_sign() -> Sign:
    return [
        box(-0.42, -0.36, 0.42, 0.36, "paper", 0.055),
        strokes([[(-0.42, -0.36), (0.42, 0.36)], [(0.42, -0.36), (-0.42, 0.36)]], 0.035),
    ]


BLUEPRINT_SIGNS = {
    "open door": _door_sign,
    "door": _door_sign,
    "locked door": lambda: _door_sign("L"),
    "secret door": _secret_door_sign,
    "one-way door": lambda: _door_sign(one_way=True),
    "stairs up": lambda: _stair_sign(up=True),
    "stairs down": lambda: _stair_sign(up=False),
    "pillar": _pillar_sign,
    "water": _water_sign,
    "pit": _pit_sign,
}
"""Signs that blueprints draw in their own form."""
