"""`--watch`: how a level was made, played in the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from undercroft.cli.messages import clean_text
from undercroft.cli.output.screen import Screen
from undercroft.cli.stdio import is_terminal
from undercroft.core.level import Level
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput

if TYPE_CHECKING:
    import numpy as np

    from undercroft.draw.film.captions import Caption
    from undercroft.draw.scene.scene import Pixels

MAX_FRAMES, MAX_SECONDS, LAST_FRAME_SECONDS = 150, 5.0, 0.9
"""The most frames, the most seconds, and how long the last frame stays."""
MAX_FRAME_SECONDS, MAX_SKIP_SECONDS = 0.12, 0.3
"""The longest time of a frame, and the delay after which a late frame is shown anyway."""
GLOW_FRAMES = 5
"""For how many frames a changed cell glows."""
MIN_FRAMES, MAX_CELLS_DRAWN = 10, 20_000_000
"""Large maps get fewer frames, at least `MIN_FRAMES`: together about `MAX_CELLS_DRAWN` cells."""
QUIT_HINT = "q: to the end"


def watch_timeline() -> Timeline:
    """The timeline to record with. Raises if standard output cannot show it."""
    if not is_terminal(sys.stdout):
        raise BadInput(
            "--watch shows the level in a terminal, and this is none", fix="leave it out, or add --animate FILE.gif"
        )
    if os.environ.get("TERM") == "dumb":
        raise BadInput(
            "--watch needs a terminal that can draw, and TERM says that this one is dumb",
            fix="leave it out, or add --animate FILE.gif",
        )
    return Timeline()


class WatchFrame(NamedTuple):
    """One frame: the colour of each cell, or characters without colours, and the caption below."""

    pixels: Pixels
    signs: np.ndarray | None
    caption: Caption


def play_on_terminal(timeline: Timeline, level: Level, *, colour: bool | None = None) -> None:
    """Play a timeline on the alternate screen, so that nothing of it remains afterwards. A quit key ends it."""
    with Screen() as screen:
        play(timeline, level, screen, colour=not os.environ.get("NO_COLOR") if colour is None else colour)


def play(timeline: Timeline, level: Level, screen: Screen, *, colour: bool = True) -> None:
    """Show each frame at its time. Late frames are skipped, but the last one is always shown."""
    film = WatchFilm(timeline, level, colour=colour)
    pause = min(MAX_FRAME_SECONDS, MAX_SECONDS / len(film))
    start = last_shown = screen.now()
    for number, frame in enumerate(film, 1):
        last = number == len(film)
        if not last and start + number * pause < screen.now() < last_shown + MAX_SKIP_SECONDS:
            continue
        screen.show(format_screen(frame, *screen.size(), colour=colour))
        last_shown = screen.now()
        if screen.wait(LAST_FRAME_SECONDS if last else start + number * pause - screen.now()):
            break


class WatchFilm:
    """The frames, drawn as in an animation, with one pixel for each cell. Each is made on demand."""

    def __init__(self, timeline: Timeline, level: Level, *, colour: bool = True) -> None:
        from undercroft.draw.film.animation import build_captions, choose_turns
        from undercroft.draw.film.ending import build_ending

        self._timeline, self._level, self._colour = timeline, level, colour
        most = max(MIN_FRAMES, min(MAX_FRAMES, MAX_CELLS_DRAWN // level.tiles.size))
        alike = level.tiles.shape == timeline.at(timeline.turns - 1).shape
        self._stages = build_ending(level, most // 6) if colour and alike else []
        self._glow = min(GLOW_FRAMES, (most - 1) // 4)
        self._turns = choose_turns(timeline, most - self._glow - len(self._stages))
        self._captions = build_captions(timeline, self._turns, self._stages)

    def __len__(self) -> int:
        return len(self._captions) + self._glow

    def __iter__(self) -> Iterator[WatchFrame]:
        from undercroft.draw.film.cell_sprites import CellSprites
        from undercroft.draw.film.frames import LookTable, build_frames

        look_table = LookTable(
            self._timeline, self._level.palette, self._level, [stage.marks for stage in self._stages]
        )
        sprites = CellSprites(look_table.looks, 1, self._glow)
        states = chain(
            map(look_table.numbers_after, self._turns),
            (look_table.finished_numbers(stage.marks) for stage in self._stages),
        )
        for number, scene in enumerate(build_frames(states, self._glow, self._glow)):
            signs = (
                None
                if self._colour
                else _cell_signs(self._timeline, self._level, self._turns[min(number, len(self._turns) - 1)])
            )
            yield WatchFrame(
                sprites.table[sprites.render_pixels(sprites.number_cells(*scene))],
                signs,
                self._captions[min(number, len(self._captions) - 1)],
            )


def _cell_signs(timeline: Timeline, level: Level, turn: int) -> np.ndarray:
    """A character for each cell, for output without colours."""
    from undercroft.draw.pen.box_drawing import render_characters

    return render_characters(Level(timeline.at(turn), timeline.palette(turn) or level.palette))


def format_screen(frame: WatchFrame, columns: int, rows: int, *, colour: bool = True) -> list[str]:
    """The lines of a whole screen: the map, a progress line, and the caption."""
    from undercroft.draw.scene import terminal_pixels

    high = max(1, rows - 2)
    if frame.signs is not None:
        lines = _crop_signs(frame.signs, columns, high)
    else:
        lines = terminal_pixels.render_lines(frame.pixels, columns, high)
    return [
        *lines,
        _format_bar(frame.caption.share, columns, colour=colour),
        _format_caption(frame.caption, columns, colour=colour),
    ][:rows]


def _crop_signs(signs: np.ndarray, columns: int, rows: int) -> list[str]:
    """The middle of the characters, padded if there is room."""
    top, left = max(0, (signs.shape[0] - rows) // 2), max(0, (signs.shape[1] - columns) // 2)
    lines = ["".join(row)[:columns].center(columns) for row in signs[top : top + rows, left : left + columns].tolist()]
    above = (rows - len(lines)) // 2
    return [" " * columns] * above + lines + [" " * columns] * (rows - len(lines) - above)


def _format_bar(share: float, columns: int, *, colour: bool) -> str:
    full = round(share * columns)
    if not colour:
        return "━" * full + "─" * (columns - full)
    return f"\x1b[38;2;255;147;38m{'━' * full}\x1b[38;2;58;66;88m{'━' * (columns - full)}\x1b[0m"


def _format_caption(caption: Caption, columns: int, *, colour: bool) -> str:
    """The step, its progress, and the quit key."""
    step = f" {clean_text(caption.step)}"[:columns]
    note = f"  {clean_text(caption.note)}" if caption.note else ""
    note = note[: max(0, columns - len(step))]
    rest = columns - len(step) - len(note)
    hint = f"{QUIT_HINT} ".rjust(rest) if rest >= len(QUIT_HINT) + 3 else " " * rest
    return (
        f"\x1b[1m{step}\x1b[0m\x1b[38;2;134;144;168m{note}{hint}\x1b[0m"
        if colour
        else f"\x1b[1m{step}\x1b[0m{note}{hint}"
    )
