"""Render a timeline as an animation: GIF, WebP or animated PNG."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.core.timeline import Timeline
from undercroft.draw.film import captions
from undercroft.draw.film.captions import Caption
from undercroft.draw.film.cell_sprites import CellSprites
from undercroft.draw.film.ending import EndingStage, build_ending, build_marks
from undercroft.draw.film.frames import LookTable, build_frames, encode_animation, render_frame
from undercroft.errors import BadInput, unknown_name_error
from undercroft.limits import ANIMATION_FRAMES, ANIMATION_PIXELS, ANIMATION_SECONDS, ANIMATION_SIDE
from undercroft.wording import plural

PILLOW_FORMATS = {"gif": "GIF", "webp": "WEBP", "png": "PNG", "apng": "PNG"}
"""The formats of animations by file suffix, with the names that Pillow uses."""
DEFAULT_FRAMES = 240
"""The default number of frames."""
MIN_DEFAULT_FRAMES = 24
"""The minimum default number of frames for a large map; you can request fewer."""
DEFAULT_SIDE_PIXELS = 800
"""The approximate length of the longer side, in pixels."""
MIN_CELL_PIXELS, MAX_CELL_PIXELS = 2, 24
"""Pixels a cell; 1 only if the picture would be too large."""
FRAMES_PER_ENDING_FRAME = 6
"""At most one frame in this many belongs to the ending, which shows things and the path."""
GLOW_FRAMES = 6
"""The number of frames in which a changed cell glows."""
MIN_FRAME_MS, MAX_FRAME_MS, TOTAL_MS = 40, 160, 8000
"""Milliseconds: the minimum and the maximum of a frame, and the total in between."""
FIRST_HOLD_MS, LAST_HOLD_MS = 400, 1600
"""Milliseconds that the first and the last frame stay longer."""
SHARE_PARTS = 64
"""Parts of a cell in which a frame's share is counted."""
GIF_TICK_MS = 10
"""The time unit of a GIF in milliseconds; viewers slow down frames shorter than two units."""


class Animation(NamedTuple):
    """An animation: the bytes of the file, and figures about it."""

    data: bytes
    frames: int
    """Frames in the file."""
    turns: int
    """Turns of the timeline after the first state; what one turn of a node `all` rewrites counts as one."""
    thinned: bool
    """Whether some turns have no frame of their own."""

    @property
    def turns_per_frame(self) -> float:
        """The mean number of turns a frame."""
        return self.turns / self.frames


def detect_animation_kind(path: str) -> str:
    """Detect the kind of animation from the suffix of a file name.

    >>> detect_animation_kind("growth.gif")
    'gif'
    """
    suffix = PurePath(path).suffix
    if suffix[1:].casefold() in PILLOW_FORMATS:
        return suffix[1:].casefold()
    problem = (
        f"unknown suffix {suffix!r} of an animation" if suffix else "no suffix says which kind of animation this is"
    )
    raise BadInput(
        f"{path}: {problem}", fix=f"end the name in one of {', '.join(f'.{kind}' for kind in PILLOW_FORMATS)}"
    )


def animation(
    timeline: Timeline,
    finished: Level | Palette,
    kind: str = "gif",
    *,
    frames: int | None = None,
    seconds: float | None = None,
    cell: int | None = None,
    caption: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Animation:
    """The timeline, from its first state to its last, as a file of that kind. The result is deterministic.

    `finished` is the resulting level: at the end its things appear, and its path is walked. It can also be just the
    palette for codes whose palette the timeline does not know. There are at most `frames` frames (240 by default; fewer
    for very large maps), spread evenly over the changes; a short timeline has a frame for every turn. The animation
    takes about `seconds`. New cells glow. The `caption`, a strip below the map, names the current step; pictures that
    are wide enough have one unless you pass False. `progress` gets the number of frames drawn and their total.

    >>> timeline = Timeline()
    >>> for tiles in ([[1, 1, 1]], [[1, 2, 1]], [[1, 2, 2]]):
    ...     timeline("dig", np.array(tiles, np.uint8))
    >>> from undercroft.core.palette import STANDARD
    >>> made = animation(timeline, STANDARD, "gif")
    >>> made.data[:6], made.turns, made.thinned
    (b'GIF89a', 2, False)
    """
    if kind not in PILLOW_FORMATS:
        raise unknown_name_error("kind of animation", kind, PILLOW_FORMATS)
    if not timeline.turns:
        raise BadInput(
            "there is nothing to animate: the timeline has seen no map",
            fix="pass it as watcher= where the level is made",
        )
    level = finished if isinstance(finished, Level) else None
    width, height = (max(sides) for sides in zip(*(size for _, size in timeline.sizes()), strict=True))
    most, cell = fit_frames(width, height, frames, seconds, cell)
    glow = min(GLOW_FRAMES, (most - 1) // 4)
    stages = (
        build_ending(level, max(min(most, 1), most // FRAMES_PER_ENDING_FRAME))
        if level is not None and level.tiles.shape == timeline.at(timeline.turns - 1).shape
        else []
    )
    left = most - len(stages)
    all_turns = len(timeline.frame_turns())
    turns = (
        [0]
        if stages and left == 1
        else choose_turns(timeline, left if all_turns <= left else max(1, left - glow))
        if left
        else []
    )
    fading = min(glow, left - len(turns))
    cast = LookTable(
        timeline,
        level.palette if level is not None else _finished_palette(finished),
        level,
        [stage.marks for stage in stages],
    )
    size = _side_pixels(width, cell), _side_pixels(height, cell)
    captioned = _has_caption(size, most, caption)
    sprites = CellSprites(cast.looks, cell, glow, captions.list_strip_colours() if captioned else ())
    words = build_captions(timeline, turns, stages)
    states = itertools.chain(map(cast.numbers_after, turns), (cast.finished_numbers(stage.marks) for stage in stages))
    images: list[Image.Image] = []
    times: list[int] = []
    usual = _frame_times(len(turns) + len(stages) + fading, seconds)
    before: NDArray[np.int32] | None = None
    for number, scene in enumerate(build_frames(states, glow, fading)):
        numbered = sprites.number_cells(*scene)
        strip = (
            captions.render_strip(words[min(number, len(words) - 1)], _describe_origin(level), size[0], sprites)
            if captioned
            else None
        )
        # no visible change: extend the frame before
        if before is not None and np.array_equal(before, numbered):
            images.pop()
            times.append(times.pop() + usual[number])
        else:
            times.append(usual[number])
        images.append(render_frame(numbered, sprites, size, strip))
        before = numbered
        if progress is not None:
            progress(number + 1, len(usual))
    return Animation(
        encode_animation(images, PILLOW_FORMATS[kind], times),
        len(images),
        all_turns - 1,
        len(turns) < all_turns,
    )


def still(level: Level, cell: int) -> Image.Image:
    """A level as in the last frame of its animation, without the strip."""
    everything = build_marks(level)
    cast = LookTable(None, level.palette, level, [everything])
    sprites = CellSprites(cast.looks, cell, 0)
    numbers = cast.finished_numbers(everything)
    return render_frame(
        sprites.number_cells(numbers, np.zeros(numbers.shape, np.uint8)),
        sprites,
        (_side_pixels(level.width, cell), _side_pixels(level.height, cell)),
    )


def _finished_palette(finished: Level | Palette) -> Palette:
    return finished.palette if isinstance(finished, Level) else finished


def _has_caption(size: tuple[int, int], frames: int, asked: bool | None) -> bool:
    """Whether there is a strip below: as requested, else if there is room."""
    if asked is not None:
        return asked
    strip = captions.strip_height(size[0])
    high = size[1] + strip
    return (
        size[0] >= captions.MIN_STRIP_WIDTH
        and size[1] >= 2 * strip
        and high <= ANIMATION_SIDE.value
        and size[0] * high * frames <= ANIMATION_PIXELS.value
    )


def build_captions(timeline: Timeline, turns: Sequence[int], stages: Sequence[EndingStage]) -> list[Caption]:
    """The caption of each frame."""
    found = []
    frame_turns = timeline.frame_turns()
    last = len(frame_turns) - 1
    for turn, number in zip(turns, np.searchsorted(frame_turns, turns).tolist(), strict=True):
        step, _, rule = timeline.sources[turn].partition(": ")
        far = f"turn {number:,} of {last:,}" if number else ""
        found.append(Caption(step, " · ".join(filter(None, (rule, far))), number / max(1, last)))
    return found + [Caption(stage.step, stage.note, 1.0) for stage in stages]


def _describe_origin(level: Level | None) -> str:
    """The recipe and seed of the level, if its provenance has them."""
    made = level.provenance if level is not None else {}
    return " · ".join(
        [
            *([str(made["recipe"])] if "recipe" in made else []),
            *([f"seed {made.get('seed_text', made['seed'])}"] if "seed" in made else []),
        ]
    )


def choose_turns(timeline: Timeline, most: int) -> list[int]:
    """The turns to show: the first, the last, and turns between them that are evenly spread over the changed cells.

    >>> timeline = Timeline()
    >>> for tiles in ([0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 2, 2], [1, 2, 2]):
    ...     timeline("dig", np.array([tiles], np.uint8))
    >>> choose_turns(timeline, 3), choose_turns(timeline, 4)
    ([0, 3, 4], [0, 2, 3, 4])

    A turn that changes more than a frame's share counts as one share, so that it does not use up the frames of others.
    Rewrites that happen at once count as one turn.
    """
    frame_turns = timeline.frame_turns()
    last = len(frame_turns) - 1
    if last < most:
        return list(map(int, frame_turns))
    if most == 1:
        return [int(frame_turns[last])]
    counts = np.diff(np.cumsum(timeline.counts())[frame_turns], prepend=0) * SHARE_PARTS
    counts[0] = 0
    share = bisect_left(
        range(1, int(counts.max()) + 1),
        True,
        key=lambda share: bool(np.minimum(counts, share).sum() < share * (most - 1)),
    )
    reached = np.cumsum(np.minimum(counts, max(1, share)))
    goals = np.arange(1, most - 1) * int(reached[-1]) // (most - 1)
    return sorted({0, *frame_turns[np.searchsorted(reached, goals)].tolist(), int(frame_turns[last])})


def fit_frames(
    width: int, height: int, frames: int | None = None, seconds: float | None = None, cell: int | None = None
) -> tuple[int, int]:
    """The number of frames and the pixels a cell: as requested, or what suits the size of the map. Raises if that is
    too much.

    >>> fit_frames(81, 31), fit_frames(1000, 1000), fit_frames(1000, 1000, frames=20)
    ((240, 9), (120, 1), (20, 2))
    """
    for number, what, fix in (
        (frames, "the number of frames", f"leave it out for {DEFAULT_FRAMES}"),
        (cell, "the number of pixels a cell", "for example cell=8"),
    ):
        if number is not None and (type(number) is not int or number < 1):
            raise BadInput(f"{what} is a whole number from 1, not {number!r}", fix=fix)
    if seconds is not None and not 0 < seconds <= ANIMATION_SECONDS.value:
        raise BadInput(
            f"an animation takes more than 0 seconds and at most an hour, not {seconds!r}",
            fix=ANIMATION_SECONDS.raise_by,
        )
    ANIMATION_FRAMES.check(frames or 0, "the number of frames")
    most = (
        min(DEFAULT_FRAMES, max(MIN_DEFAULT_FRAMES, ANIMATION_PIXELS.value // (width * height)))
        if frames is None
        else frames
    )
    if seconds is not None:
        most = max(1, min(most, int(seconds * 1000) // (2 * GIF_TICK_MS)))
    size = (
        max(MIN_CELL_PIXELS, min(MAX_CELL_PIXELS, DEFAULT_SIDE_PIXELS // max(width, height))) if cell is None else cell
    )
    while (
        cell is None
        and size > 1
        and (
            _side_pixels(max(width, height), size) > ANIMATION_SIDE.value
            or _frame_pixels(width, height, size) * most > ANIMATION_PIXELS.value
        )
    ):
        size -= 1
    cells = f"{width}x{height} cells, {plural(size, 'pixel')} each,"
    ANIMATION_SIDE.check(_side_pixels(max(width, height), size), f"the longer side of an animation of {cells}")
    ANIMATION_PIXELS.check(
        _frame_pixels(width, height, size) * most, f"the number of pixels of {most} frames of {cells}"
    )
    return most, size


def _margin_pixels(cell: int) -> int:
    return cell // 2


def _side_pixels(cells: int, cell: int) -> int:
    return cells * cell + 2 * _margin_pixels(cell)


def _frame_pixels(width: int, height: int, cell: int) -> int:
    return _side_pixels(width, cell) * _side_pixels(height, cell)


def _frame_times(frames: int, seconds: float | None) -> list[int]:
    """The duration of each frame in milliseconds."""
    pause = (
        max(MIN_FRAME_MS, min(MAX_FRAME_MS, TOTAL_MS // frames)) if seconds is None else int(seconds * 1000) // frames
    )
    times = [max(2 * GIF_TICK_MS, pause // GIF_TICK_MS * GIF_TICK_MS)] * frames
    times[0] += FIRST_HOLD_MS
    times[-1] += LAST_HOLD_MS
    return times
