"""What the command `undercroft` calls first. It stands outside the package, so that Ctrl-C is heard while the package
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
    """The command line. Ctrl-C ends the process at once meanwhile: compiled modules swallow an exception that is raised
    while they are set up.
    """
    usual = signal.getsignal(signal.SIGINT)
    listens = usual is signal.default_int_handler  # not if whoever started us wants it ignored
    if listens:
        signal.signal(signal.SIGINT, _end)
    gc.disable()  # nothing that an import makes is garbage: looking for some takes a sixteenth of the start
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
