"""A storyboard of a generation: what each step changed, and the finished level in a full style."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.analysis import reach
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.core.timeline import Timeline
from undercroft.draw.scene import lettering
from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.raster import raster
from undercroft.draw.scene.scene import Scene, circle, rectangle
from undercroft.draw.styles.table import render_picture
from undercroft.errors import BadInput
from undercroft.limits import ANIMATION_FRAMES
from undercroft.wording import plural, shorten

PAGE, INK, PALE = "#f6f1e4", "#1d1916", "#6f665a"
ROCK, OPEN, OTHER, OPENED, FILLED = "#3a312b", "#fffdf7", "#c9bfae", "#9fcf96", "#8f4133"
"""Colours of rock, ground, other tiles (water, pits), and of cells that were opened or filled since the last
picture.
"""
DEFAULT_FRAMES = 6
"""The default number of pictures."""
PICTURE_WIDTH = 520
"""The approximate width of a picture, in pixels."""
PAGE_MARGIN, PICTURE_GAP, CAPTION_HEIGHT, TITLE_HEIGHT = 30, 26, 76, 110
"""Pixels around the page, between pictures, below each and above all."""
NO_DESCRIPTIONS: Mapping[str, str] = MappingProxyType({})


class StoryFrame(NamedTuple):
    """A picture of the page: its turn and its step."""

    turn: int
    step: str
    far: str
    """The progress of its step."""


def storyboard(
    timeline: Timeline,
    level: Level,
    *,
    frames: int = DEFAULT_FRAMES,
    style: str = "ink",
    about: Mapping[str, str] = NO_DESCRIPTIONS,
) -> Image.Image:
    """The page: at most `frames` pictures, the last of them the finished level in that style. `about` describes each
    step, by its name.
    """
    if frames < 2:
        raise BadInput(
            f"a storyboard has at least 2 pictures, not {frames}", fix=f"leave the number out for {DEFAULT_FRAMES}"
        )
    ANIMATION_FRAMES.check(frames, "the number of pictures")
    if not timeline.turns:
        raise BadInput(
            "there is nothing to show: the timeline has seen no map", fix="pass it as watcher= where the level is made"
        )
    chosen = _choose_frames(timeline, frames - 1)
    cell = max(1, PICTURE_WIDTH // level.width)
    wide, high = level.width * cell, level.height * cell
    columns = min(len(chosen) + 1, 3 if wide <= 2 * high * 2 else 2)
    rows = -(-(len(chosen) + 1) // columns)
    across, down = (
        2 * PAGE_MARGIN + columns * (wide + PICTURE_GAP) - PICTURE_GAP,
        TITLE_HEIGHT + rows * (high + CAPTION_HEIGHT) + PAGE_MARGIN,
    )
    page = Scene(across, down, PAGE)
    _draw_title(page, level)
    panels: list[tuple[Image.Image, int, int]] = []
    before: NDArray[np.uint8] | None = None
    for number in range(len(chosen) + 1):
        x, y = (
            PAGE_MARGIN + number % columns * (wide + PICTURE_GAP),
            TITLE_HEIGHT + number // columns * (high + CAPTION_HEIGHT),
        )
        if number < len(chosen):
            turn, step, far = chosen[number]
            note = _describe_frame(about.get(step, ""), far)
            tiles, palette = timeline.at(turn), timeline.palette(turn) or level.palette
            panel, said = _render_changes(before, tiles, palette), _describe_ground(tiles, palette)
            before = tiles
        else:
            panel = render_picture(level, style, cell=max(4, cell), margin=0)
            step, note, said = "drawn", f"the finished level, in {style}", ""
        if panel.size != (wide, high):
            panel = panel.convert("RGB").resize(
                (wide, high), Image.Resampling.LANCZOS if panel.width > wide else Image.Resampling.NEAREST
            )
        panels.append((panel, x, y))
        _draw_caption(page, number + 1, step, note, said, x, y + high, wide)
        page.stroke([rectangle(x - 1, y - 1, x + wide + 1, y + high + 1)], INK, 2, closed=True)
        if (number + 1) % columns and number < len(chosen):
            page.fill_area(
                [
                    np.array(
                        [
                            [x + wide + 8, y + high / 2 - 8],
                            [x + wide + 8, y + high / 2 + 8],
                            [x + wide + PICTURE_GAP - 8, y + high / 2],
                        ]
                    )
                ],
                INK,
            )
    image = raster(page, 1)
    for panel, x, y in panels:
        image.paste(panel, (x, y))
    return image


def _choose_frames(timeline: Timeline, most: int) -> list[StoryFrame]:
    """The turns to show: the last of each step; if pictures are left, also the first turns of the steps that change
    most.
    """
    frame_turns = timeline.frame_turns()  # rewrites that happen at once count as one turn
    sources = list(timeline.sources)
    steps = [sources[turn].partition(":")[0] for turn in frame_turns.tolist()]
    counts = np.diff(np.cumsum(timeline.counts())[frame_turns], prepend=0)
    lasts = [turn for turn in range(len(steps)) if turn + 1 == len(steps) or steps[turn + 1] != steps[turn]]
    lasts = [turn for turn in lasts if steps[turn] != "begin"] or [len(steps) - 1]
    if len(lasts) > most:
        weight = {
            turn: int(counts[(lasts[at - 1] if at else -1) + 1 : turn + 1].sum()) for at, turn in enumerate(lasts)
        }
        lasts = sorted(sorted(lasts, key=lambda turn: (-weight[turn], turn))[:most])
    found = {turn: _describe_progress(steps, turn) for turn in lasts}
    later = {steps[last] for last in (lasts[1:] or lasts)}  # a half-done first step shows little
    others = [turn for turn in range(len(steps)) if turn not in found and steps[turn] in later]
    spare = most - len(found)
    if spare and others:
        reached = np.cumsum(counts[others])
        goals = [int(reached[-1]) * (part + 1) // (spare + 1) for part in range(spare)]
        for at in np.searchsorted(reached, goals).tolist():
            found[others[min(at, len(others) - 1)]] = _describe_progress(steps, others[min(at, len(others) - 1)])
    return [StoryFrame(int(frame_turns[turn]), steps[turn], found[turn]) for turn in sorted(found)]


def _describe_frame(about: str, far: str) -> str:
    """The first words of a step's description, and its progress if it is not done."""
    first = re.split(r"[:;,(.]", about)[0].strip()
    partly = far if "after turn" in far and far.split()[2] != far.rsplit(maxsplit=1)[-1] else ""
    return " · ".join(word for word in (f"{first[:1].lower()}{first[1:]}", partly) if word) or far


def _describe_progress(steps: list[str], turn: int) -> str:
    """The progress of a step at that turn."""
    turns = [number for number, step in enumerate(steps) if step == steps[turn]]
    if len(turns) == 1:
        return "in one turn"
    return f"after turn {turns.index(turn) + 1:,} of {len(turns):,}"


def _render_changes(before: NDArray[np.uint8] | None, tiles: NDArray[np.uint8], palette: Palette) -> Image.Image:
    """The map, with the changes since the last picture."""
    kind = _classify_cells(tiles, palette)
    colours = np.array([rgb(colour) for colour in (ROCK, OPEN, OTHER)], np.uint8)[kind]
    if before is not None and before.shape == tiles.shape:
        was = _classify_cells(before, palette)
        colours[(kind > 0) & (was == 0)] = rgb(OPENED)
        colours[(kind == 0) & (was > 0)] = rgb(FILLED)
    cell = max(1, PICTURE_WIDTH // tiles.shape[1])
    return Image.fromarray(colours.repeat(cell, 0).repeat(cell, 1))


def _classify_cells(tiles: NDArray[np.uint8], palette: Palette) -> NDArray[np.intp]:
    """0 for rock, 1 for ground, 2 for other tiles."""
    known = np.minimum(tiles, len(palette) - 1)
    kinds: NDArray[np.intp] = np.where(
        palette.role_mask("wall", "void")[known], 0, np.where(palette.walkable[known], 1, 2)
    )
    return kinds


def _describe_ground(tiles: NDArray[np.uint8], palette: Palette) -> str:
    ground = np.ascontiguousarray(_classify_cells(tiles, palette) == 1)
    _, parts = reach.label_components(ground.astype(np.uint8))
    return f"{ground.mean():.0%} open, {plural(parts, 'part')}"


def _draw_title(page: Scene, level: Level) -> None:
    made = level.provenance
    recipe = str(made.get("recipe", "level")).replace("-", " ")
    page.fill_area(
        lettering.text_outlines(f"How a level of “{recipe}” is made", PAGE_MARGIN, 52, 40, "title", spacing=0.02), INK
    )
    seed = f"seed {shorten(str(made['seed']))} · " if "seed" in made else ""
    words = (
        f"{seed}{level.width} by {level.height} squares · green cells were opened and red cells filled since the "
        "picture before"
    )
    page.fill_area(
        lettering.text_outlines(
            lettering.shorten_to_fit(words, page.width - 2 * PAGE_MARGIN, 20, "italic"),
            PAGE_MARGIN + 2,
            86,
            20,
            "italic",
        ),
        PALE,
    )


def _draw_caption(page: Scene, number: int, step: str, note: str, said: str, x: float, y: float, wide: float) -> None:
    page.fill_area([circle(x + 14, y + 26, 14)], INK)
    page.fill_area(lettering.text_outlines(str(number), x + 14, y + 32, 17, "figures", anchor=0.5), PAGE)
    counted = lettering.text_width(said, 16, "text")
    page.fill_area(
        lettering.text_outlines(
            lettering.shorten_to_fit(step.capitalize(), wide - 50 - counted, 24, "title"), x + 38, y + 33, 24, "title"
        ),
        INK,
    )
    page.fill_area(lettering.text_outlines(said, x + wide, y + 32, 16, "text", anchor=1), PALE)
    page.fill_area(
        lettering.text_outlines(lettering.shorten_to_fit(note, wide - 40, 17, "italic"), x + 39, y + 56, 17, "italic"),
        PALE,
    )
