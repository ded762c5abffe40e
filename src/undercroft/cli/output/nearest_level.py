"""Draw the nearest level below the error, if no level meets the requirements."""

from __future__ import annotations

import sys

from undercroft.cli.messages import print_output
from undercroft.cli.stdio import is_terminal
from undercroft.core.level import Level

MAX_SHOWN_WIDTH, MAX_SHOWN_HEIGHT = 160, 60
"""Larger levels are not drawn: the message above them would scroll away."""


def show_nearest(level: Level) -> None:
    """Draw a level to standard error, in colour on a terminal."""
    if level.width > MAX_SHOWN_WIDTH or level.height > MAX_SHOWN_HEIGHT:
        return
    if is_terminal(sys.stderr):
        from shutil import get_terminal_size

        from undercroft.draw import terminal

        print_output(terminal.render_coloured(level, width=get_terminal_size().columns), coloured=True, to_stderr=True)
    else:
        print_output(str(level), to_stderr=True)
