"""Start processes for tests, and check that they have ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

AT_ONCE = [
    sys.executable,
    "-c",
    "from undercroft.cli import main; from undercroft.cli.output import progress; "
    "progress.SHOW_AFTER_SECONDS = 0.0; main()",
]
"""The program, with bars that appear at once: on a fast machine there may be nothing to wait for."""


def pressed(process: subprocess.Popen[str], *, group: bool = False) -> tuple[str, str]:
    """The output of a program after Ctrl-C. Python can lose an interrupt while it imports modules, so this sends it
    again.
    """
    for _ in range(3):
        os.killpg(process.pid, signal.SIGINT) if group else process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=15)
    process.kill()
    raise AssertionError(f"it does not hear: {process.communicate()}")


def until(holds: Callable[[], bool], within: float = 60.0) -> None:
    """Wait until something holds, on a machine that may be busy elsewhere."""
    by = time.monotonic() + within
    while not holds():
        assert time.monotonic() < by, "it never came to pass"
        time.sleep(0.01)


def nobody_left(group: int, within: float = 6.0) -> bool:
    """Whether all processes of a group have ended, now or soon."""
    until = time.monotonic() + within
    while _alive(group):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def _alive(group: int) -> bool:
    """Whether a process of the group is alive. One that has ended stays in the group until its parent reaps it; it is
    not counted where the system reports that.
    """
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    told = (
        [Path(entry.path, "stat") for entry in os.scandir("/proc") if entry.name.isdigit()]
        if sys.platform == "linux"
        else []
    )
    return not told or any(_is_alive(path, group) for path in told)


def _is_alive(stat: Path, group: int) -> bool:
    """Whether the process of a line of `/proc/N/stat` belongs to a group and has not ended."""
    try:
        state, _, of, *_ = stat.read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return int(of) == group and state not in "ZX"
