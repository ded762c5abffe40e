"""The panel beside a map in the style `dark`: title, measures of the level, the colour scale, and the legend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from undercroft.analysis import reach
from undercroft.analysis.measures.table import measure
from undercroft.core.level import Level
from undercroft.draw.scene import lettering
from undercroft.draw.scene.colour import RAMP_STEPS, colour_ramp
from undercroft.draw.scene.scene import Scene, circle, rectangle
from undercroft.draw.view import headings, symbols
from undercroft.draw.view.legend import DOOR_WORDS, LegendEntry, list_legend_entries
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.symbols import Inks, polygon
from undercroft.draw.view.tint import TINT_BANDS

TEXT, MUTED, RULE = "#e9edf7", "#8690a8", "#2a3146"
PANEL_WIDTH = 14.0
"""The width of the panel, in cells, on a map of the usual size."""
MEASURE_NAMES = {
    "rooms": "Rooms",
    "doors": "Doors",
    "graph_loops": "Loops",
    "dead_ends": "Dead ends",
    "path_length": "Steps to the end",
    "density": "Open ground",
}
"""The measures on the panel, and their names."""
MAX_TITLE_LINES = {1.45: 3, 1.1: 4, 0.85: 6}
"""The letter sizes of a title, and the maximum number of lines in each."""
LEADING = 1.7 / 1.45
"""The line height of a title, in letter sizes."""
ROW_HEIGHT, FOOT_ROW_HEIGHT = 1.4, 1.3
"""The height of a row of the legend, on the panel and below the map."""
MAX_ENTRIES = 14
"""The maximum number of entries of the legend on the panel; if there are more, the things are below the map."""
FOOT_COLUMN_WIDTH = 7.0
"""The width of a column below the map."""
Draw = Callable[[Scene, float, float, float], None]


class PanelBlock(NamedTuple):
    """A part of the panel: its height, and a function that draws it at a position and scale."""

    height: float
    draw: Draw


class Panel(NamedTuple):
    """The panel of a level: blocks from top to bottom."""

    unit: float
    blocks: tuple[PanelBlock, ...]

    @property
    def width(self) -> float:
        return PANEL_WIDTH * self.unit

    @property
    def height(self) -> float:
        return (sum(block.height for block in self.blocks) + 3.2) * self.unit

    def draw(self, scene: Scene, left: float) -> None:
        """Draw the panel; `left` is its left edge, in cells of the map."""
        y = -scene.top + 1.8 * self.unit
        for block in self.blocks:
            block.draw(scene, left + 0.6 * self.unit, y, self.unit)
            y += block.height * self.unit


def build_panel(plan: LevelView, shown: frozenset[str], told: Level, doors: Mapping[str, str]) -> Panel | None:
    """The panel about the level `told`, with doors in these colours; None if it would be empty. For a room grid, `plan`
    is the view of the expanded rooms.
    """
    blocks: list[PanelBlock] = []
    if "title" in shown:
        blocks.append(_build_title(told))
    if "measures" in shown:
        blocks.append(_build_numbers(told))
    if "legend" in shown:
        if "heat" in shown and "regions" not in shown:
            blocks += _build_scale(told)
        blocks.append(_build_legend(plan, shown, told, doors))
    wanted = tuple(block for block in blocks if block.height)
    return Panel(float(np.clip(max(plan.level.size) / 60, 0.75, 8.0)), wanted) if wanted else None


def _build_title(level: Level) -> PanelBlock:
    size, lines = _fit_title(headings.format_title(level))
    under = headings.format_subtitle(level, f"{level.width} × {level.height}")

    def draw(scene: Scene, x: float, y: float, unit: float) -> None:
        for number, line in enumerate(lines):
            scene.fill_area(
                lettering.text_outlines(line, x, y + (1.3 + LEADING * size * number) * unit, size * unit, "strong"),
                TEXT,
            )
        words = lettering.shorten_to_fit(under, (PANEL_WIDTH - 1.6) * unit, 0.75 * unit, "sans")
        scene.fill_area(
            lettering.text_outlines(words, x, y + (LEADING * size * len(lines) + 0.85) * unit, 0.75 * unit, "sans"),
            MUTED,
        )

    return PanelBlock(LEADING * size * len(lines) + 2.0, draw)


def _fit_title(text: str) -> tuple[float, list[str]]:
    """A title in a few lines: a long one in smaller letters, a still longer one cut."""
    for size, most in MAX_TITLE_LINES.items():
        lines = _wrap_text(text, PANEL_WIDTH - 1.6, size)
        if len(lines) <= most:
            return size, lines
    last = " ".join(lines[most - 1 :])
    return size, [*lines[: most - 1], lettering.shorten_to_fit(last, PANEL_WIDTH - 1.6, size, "strong")]


def _build_numbers(level: Level) -> PanelBlock:
    names = {_loop_measure(level) if name == "graph_loops" else name: word for name, word in MEASURE_NAMES.items()}
    found = measure(level, *names)
    rows = [
        (names[name], f"{value:.0%}" if name == "density" else f"{value:,}")
        for name, value in found.items()
        if value is not None
    ]

    def draw(scene: Scene, x: float, y: float, unit: float) -> None:
        _draw_rule(scene, x, y, unit)
        for number, (name, value) in enumerate(rows):
            down = y + (1.6 + 1.45 * number) * unit
            scene.fill_area(lettering.text_outlines(name, x, down, 0.8 * unit, "sans"), MUTED)
            scene.fill_area(
                lettering.text_outlines(value, x + (PANEL_WIDTH - 1.6) * unit, down, 0.8 * unit, "strong", anchor=1),
                TEXT,
            )

    return PanelBlock(1.45 * len(rows) + 1.4, draw)


def _loop_measure(level: Level) -> str:
    """The measure of loops: in the graph of regions, or on the ground if all of it is one cave or one room."""
    return "graph_loops" if len(level.regions) > 1 else "loops"


def _build_scale(level: Level) -> list[PanelBlock]:
    if level.start is None or not level.walkable[level.start[1], level.start[0]]:
        return []
    farthest = int(reach.distances(np.ascontiguousarray(level.walkable), [level.start]).max())

    def draw(scene: Scene, x: float, y: float, unit: float) -> None:
        _draw_rule(scene, x, y, unit)
        scene.fill_area(lettering.text_outlines("Steps from the start", x, y + 1.5 * unit, 0.8 * unit, "sans"), MUTED)
        wide = (PANEL_WIDTH - 1.6) * unit / TINT_BANDS
        for band in range(TINT_BANDS):
            colour = "#{:02x}{:02x}{:02x}".format(
                *colour_ramp()[round(band * (RAMP_STEPS - 1) / (TINT_BANDS - 1))].tolist()
            )
            scene.fill_area(
                [rectangle(x + band * wide, y + 2.0 * unit, x + (band + 1) * wide, y + 2.75 * unit)], colour, crisp=True
            )
        for part in range(5) if farthest >= 4 else (0, 4):
            words = f"{farthest * part // 4:,}"
            scene.fill_area(
                lettering.text_outlines(
                    words, x + part / 4 * TINT_BANDS * wide, y + 3.6 * unit, 0.65 * unit, "sans", anchor=part / 4
                ),
                MUTED,
            )

    return [PanelBlock(4.4, draw)]


def _build_legend(plan: LevelView, shown: frozenset[str], told: Level, doors: Mapping[str, str]) -> PanelBlock:
    found = list_legend_entries(plan, shown)
    if len(found) > MAX_ENTRIES:
        found = list_legend_entries(plan, shown - {"things"})
    found = [
        entry
        for entry in found
        if entry.custom or not entry.word.startswith("stairs") or not (plan.level.start or plan.level.end)
    ]
    ends = [
        (name, colour)
        for point, name, colour in ((plan.level.start, "start", "#3cf0a6"), (plan.level.end, "end", "#ff5470"))
        if point is not None
    ]
    path = len(plan.level.path) > 1 and "path" in shown
    bars = {word: doors[state] for state, word in DOOR_WORDS.items()} | {"one-way door": doors["closed"]}

    def draw(scene: Scene, x: float, y: float, unit: float) -> None:
        down = y + 0.9 * unit
        for name, colour in ends:
            scene.stroke([circle(x + 0.5 * unit, down - 0.28 * unit, 0.42 * unit)], colour, 0.14 * unit, closed=True)
            _draw_word(scene, name.capitalize(), x, down, unit)
            down += ROW_HEIGHT * unit
        if path:
            line = np.array([[x, down - 0.28 * unit], [x + unit, down - 0.28 * unit]])
            scene.stroke([line], "#5df2ff", 0.42 * unit, opacity=0.3)
            scene.stroke([line], "#e8feff", 0.2 * unit)
            _draw_word(scene, f"The way, {len(told.path) - 1:,} steps", x, down, unit)
            down += ROW_HEIGHT * unit
        for entry in found:
            _draw_entry(scene, entry, x, down, unit, bars, doors["one-way"])
            _draw_word(scene, entry.word.capitalize(), x, down, unit)
            down += ROW_HEIGHT * unit

    height = ROW_HEIGHT * (len(ends) + path + len(found))
    return PanelBlock(height + 0.6 if height else 0.0, draw)


class LegendFoot(NamedTuple):
    """The signs of things below the map, if the panel has no space for them."""

    entries: list[LegendEntry]
    unit: float
    columns: int

    @property
    def rows(self) -> int:
        return -(-len(self.entries) // self.columns)

    @property
    def height(self) -> float:
        return (self.rows * FOOT_ROW_HEIGHT + 0.8) * self.unit if self.entries else 0.0

    def draw(self, scene: Scene, left: float, top: float) -> None:
        """Draw the entries, column by column, from a corner down."""
        for place, entry in enumerate(self.entries):
            x = left + (place // self.rows) * FOOT_COLUMN_WIDTH * self.unit
            y = top + ((place % self.rows) * FOOT_ROW_HEIGHT + 1.0) * self.unit
            _draw_entry(scene, entry, x, y, self.unit, {}, "")
            _draw_word(scene, entry.word.capitalize(), x, y, self.unit, FOOT_COLUMN_WIDTH - 2.0)


def build_foot(plan: LevelView, shown: frozenset[str], unit: float, width: float) -> LegendFoot:
    """The signs of things, for a foot of that width; empty if they are on the panel."""
    found = list_legend_entries(plan, shown) if "legend" in shown else []
    tiles = list_legend_entries(plan, shown - {"things"}) if len(found) > MAX_ENTRIES else found
    return LegendFoot(found[len(tiles) :], unit, max(1, int(width / (FOOT_COLUMN_WIDTH * unit))))


def _draw_entry(
    scene: Scene, entry: LegendEntry, x: float, y: float, unit: float, bars: Mapping[str, str], arrow: str
) -> None:
    """Draw the sign of an entry: doors as bars, as they are on the map."""
    x, y = x + 0.5 * unit, y - 0.28 * unit
    if entry.word in bars and not entry.custom:
        _draw_door(scene, x, y, unit, bars[entry.word], arrow if entry.word == "one-way door" else "")
        return
    placed = symbols.place_sign(entry.sign, x, y, size=unit)
    sign = [part._replace(width=part.width * unit) for part in placed]
    symbols.draw_signs(scene, [sign], Inks(TEXT, "#151926", "#39435f"))


def _draw_door(scene: Scene, x: float, y: float, unit: float, colour: str, arrow: str) -> None:
    """Draw a bar, as doors are on the map, with an arrow of some colour if the door is one-way."""
    scene.fill_area([rectangle(x - 0.5 * unit, y - 0.13 * unit, x + 0.5 * unit, y + 0.13 * unit)], colour)
    if arrow:
        symbols.draw_signs(
            scene,
            [symbols.place_sign([polygon((-0.3, 0.05), (0.3, 0.05), (0, 0.48))], x, y, size=unit)],
            Inks("#0b0d14", arrow, TEXT),
        )


def _draw_word(scene: Scene, word: str, x: float, y: float, unit: float, wide: float = PANEL_WIDTH - 3.3) -> None:
    """Draw a word of the legend: a long one in smaller letters, and cut if that is not enough."""
    room = wide * unit
    size = max(0.5 * unit, 0.8 * unit * min(1.0, room / max(lettering.text_width(word, 0.8 * unit, "sans"), 1e-6)))
    scene.fill_area(
        lettering.text_outlines(
            lettering.shorten_to_fit(word, room + 1e-6, size, "sans"), x + 1.7 * unit, y, size, "sans"
        ),
        TEXT,
    )


def _draw_rule(scene: Scene, x: float, y: float, unit: float) -> None:
    scene.stroke([np.array([[x, y + 0.1 * unit], [x + (PANEL_WIDTH - 1.6) * unit, y + 0.1 * unit]])], RULE, 0.05 * unit)


def _wrap_text(text: str, room: float, size: float) -> list[str]:
    """A text in lines that are at most `room` wide."""
    lines: list[str] = []
    for word in text.split():
        if lines and lettering.text_width(f"{lines[-1]} {word}", size, "strong") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(lettering.shorten_to_fit(word, room, size, "strong"))
    return lines
