"""The ending of a level's animation: its things appear, and the path from start to end is walked."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from undercroft.analysis.one_way import ONE_WAY
from undercroft.core.level import Level
from undercroft.core.palette import STANDING_ROLES
from undercroft.draw.film.frames import Marks
from undercroft.draw.pen.box_drawing import path_arms
from undercroft.draw.styles.plain.squares import END, START, THING

MAX_THING_FRAMES, MAX_PATH_FRAMES = 12, 20
"""The maximum number of frames in which things appear and the path is walked."""


class EndingStage(NamedTuple):
    """The marks on the level, and the caption."""

    marks: Marks
    step: str
    note: str = ""


def build_ending(level: Level, most: int) -> list[EndingStage]:
    """At most `most` stages, the last with all marks; none if the level has only tiles.

    >>> level = Level.parse("#...#")
    >>> level = Level(level.tiles, level.palette, start=(1, 0), end=(3, 0), path=np.array([[1, 0], [2, 0], [3, 0]]))
    >>> [(stage.step, stage.note) for stage in build_ending(level, 9)]
    [('way', '1 of 2 steps'), ('way', '2 of 2 steps')]
    """
    things = [thing for thing in level.things if thing.kind != ONE_WAY]
    steps = max(0, len(level.path) - 1)
    stages = [
        EndingStage(build_marks(level, things=part, steps=-1), "things", f"{part:,} of {len(things):,}")
        for part in _spread_evenly(len(things), MAX_THING_FRAMES)
    ]
    stages += [
        EndingStage(build_marks(level, steps=part), "way", f"{part:,} of {steps:,} steps")
        for part in _spread_evenly(steps, MAX_PATH_FRAMES)
    ]
    if not steps and (level.start is not None or level.end is not None):
        stages.append(EndingStage(build_marks(level), "ends"))
    places = _spread_evenly(len(stages), most)
    return [stages[place - 1] for place in places]


def build_marks(level: Level, *, things: int | None = None, steps: int | None = None) -> Marks:
    """The mark of each cell: `things` things (by default all), and `steps` steps of the path (by default all; negative
    for none, and then start and end are not marked).
    """
    found: Marks = np.zeros(level.tiles.shape, np.uint8)
    standing = level.palette.role_mask(*STANDING_ROLES)[level.tiles]
    if len(level.path) > 1 and (steps is None or steps > 0):
        walked = level.path if steps is None else level.path[: steps + 1]
        arms = path_arms(level)
        found[walked[:, 1], walked[:, 0]] = arms[walked[:, 1], walked[:, 0]]
    found[standing] = 0
    placed = [thing for thing in level.things if thing.kind != ONE_WAY]
    for thing in placed if things is None else placed[:things]:
        found[thing.y, thing.x] = THING
    if steps is None or steps >= 0:
        for point, mark in ((level.start, START), (level.end, END)):
            if point is not None and not level.palette.role_mask("entry", "exit")[level.tiles[point[1], point[0]]]:
                found[point[1], point[0]] = mark
    return found


def _spread_evenly(count: int, most: int) -> list[int]:
    """At most `most` numbers up to a count, evenly spread; the last is the count.

    >>> _spread_evenly(10, 4), _spread_evenly(3, 9), _spread_evenly(0, 5), _spread_evenly(5, 0)
    ([2, 5, 7, 10], [1, 2, 3], [], [])
    """
    many = min(count, most)
    return [(part + 1) * count // many for part in range(many)]
