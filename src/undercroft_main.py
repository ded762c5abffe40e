"""The entry point of the command `undercroft`. It is outside the package, so that it handles Ctrl-C while the package
is still being imported.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

SAID = "undercroft: interrupted\n"


def main() -> None:
    """Run the command line and exit."""
    try:
        code = _imported()()
    except KeyboardInterrupt:
        sys.stderr.write(SAID)
        code = 130
    _exit(code, at_once=_nobody_waits(sys._getframe(1)))


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


def _exit(code: int, *, at_once: bool) -> None:
    """End the process, `at_once` without taking down hundreds of modules one by one: that takes a fortieth of a small
    command. Whoever wants to be called at the end is called.
    """
    if at_once:
        atexit._run_exitfuncs()
        try:
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
        except OSError:  # Python has its own way to say that nobody reads the output
            sys.exit(code)
        os._exit(code)
    sys.exit(code)


def _nobody_waits(caller: FrameType) -> bool:
    """Whether nothing happens after the end of `main`: it was called by the program itself, and not by a profiler, a
    debugger or a test, which go on and report; no other thread runs; and nobody asked Python to look for mistakes when
    it ends.
    """
    threading = sys.modules.get("threading")
    return (
        caller.f_back is None
        and (threading is None or threading.active_count() == 1)
        and not (sys.flags.dev_mode or sys.flags.inspect)
    )


def _end(*_: object) -> None:
    if sys.stderr is not None:
        os.write(2, SAID.encode())
    os._exit(130)
