"""`--watch`: how a level came to be, played in the terminal."""

from __future__ import annotations

import sys
import time
from shutil import get_terminal_size

from undercroft.cli.streams import on_terminal
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput

FRAMES, SECONDS = 150, 5.0
"""At most so many frames, in about so many seconds."""
LONGEST = 0.12
"""Seconds that a frame stands at the most."""


def screening() -> Timeline:
    """The timeline to watch with; a mistake if nobody can see it."""
    if not on_terminal(sys.stdout):
        raise BadInput("--watch shows the level in a terminal, and this is none", fix="leave it out, or add --animate FILE.gif")
    return Timeline()


def screened(timeline: Timeline, palette: Palette) -> None:
    """Play it on the terminal's other screen, so that nothing is left of it afterwards."""
    from undercroft.draw.animation import chosen
    from undercroft.draw.terminal import coloured

    turns = chosen(timeline, FRAMES)
    pause = min(LONGEST, SECONDS / len(turns))
    out = sys.stdout
    out.write("\x1b[?1049h\x1b[?25l")
    try:
        for turn in turns:
            width, height = get_terminal_size()
            level = Level(timeline.at(turn), timeline.palette(turn) or palette)
            lines = coloured(level, width=width).split("\n")[: height - 1]
            out.write("\x1b[H" + "\x1b[K\n".join([*lines, f"{timeline.sources[turn]}  {turn + 1} of {timeline.turns}"]) + "\x1b[J")
            out.flush()
            time.sleep(pause)
        time.sleep(4 * pause)
    finally:
        out.write("\x1b[?25h\x1b[?1049l")
        out.flush()
