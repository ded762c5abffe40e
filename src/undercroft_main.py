"""The entry point of the command `undercroft`. It is outside the package, so that it handles Ctrl-C while the package
is still being imported.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable

SAID = "undercroft: interrupted\n"


def main() -> None:
    """Run the command line and exit."""
    try:
        code = _imported()()
    except KeyboardInterrupt:
        sys.stderr.write(SAID)
        code = 130
    sys.exit(code)


def _imported() -> Callable[[], int]:
    """Import the command line. Until that is done, Ctrl-C ends the process at once: compiled modules swallow an
    exception that is raised while they are initialised.
    """
    usual = signal.getsignal(signal.SIGINT)
    listens = usual is signal.default_int_handler  # not if the parent process ignores it
    if listens:
        signal.signal(signal.SIGINT, _end)
    gc.disable()  # imports make no garbage: collecting takes a sixteenth of the start
    try:
        from undercroft.cli import run
    finally:
        gc.freeze()
        gc.enable()
        if listens:
            signal.signal(signal.SIGINT, usual)
    return run


def _end(*_: object) -> None:
    if sys.stderr is not None:
        os.write(2, SAID.encode())
    os._exit(130)
