"""The alternate screen of a terminal: drawn without flicker, and restored at the end."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from shutil import get_terminal_size
from types import FrameType, TracebackType
from typing import Any

ENTER_SCREEN = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"
"""Switch to the alternate screen, hide the cursor, disable line wrap, and clear."""
LEAVE_SCREEN = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
"""Undo all of that."""
BEGIN_SYNC, END_SYNC = "\x1b[?2026h", "\x1b[?2026l"
"""Output between these is shown at once, by terminals that support it."""
QUIT_KEYS = b"q\x1b"
"""Keys that quit: q, and escape."""


class Screen:
    """The terminal during playback. It is restored, whatever happens."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._size = (0, 0)
        self._undo = contextlib.ExitStack()

    def __enter__(self) -> Screen:
        with contextlib.ExitStack() as undo:
            undo.enter_context(_unbuffer_keys())
            undo.enter_context(_handle_signals())
            undo.callback(self._restore)
            self._write(ENTER_SCREEN)
            self._undo = undo.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo.__exit__(kind, error, trace)

    def _restore(self) -> None:
        with contextlib.suppress(OSError):  # a terminal that is gone needs no restoring
            self._write(LEAVE_SCREEN)

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def size(self) -> tuple[int, int]:
        """The number of columns and rows."""
        columns, rows = get_terminal_size()
        return max(1, columns), max(1, rows)

    def show(self, lines: list[str]) -> None:
        """Show these lines from the top; only changed lines are written."""
        size = self.size()
        parts = []
        if size != self._size:
            parts.append("\x1b[2J")
            self._lines, self._size = [], size
        before = self._lines + [""] * (len(lines) - len(self._lines))
        parts += [
            f"\x1b[{number};1H{line}"
            for number, (line, old) in enumerate(zip(lines, before, strict=False), 1)
            if line != old
        ]
        self._lines = lines
        if parts:
            self._write(f"{BEGIN_SYNC}{''.join(parts)}{END_SYNC}")

    def now(self) -> float:
        """The current time of a monotonic clock, in seconds."""
        return time.monotonic()

    def wait(self, seconds: float) -> bool:
        """Wait that long, or until a key quits. Returns whether one did."""
        until = self.now() + seconds
        while (left := until - self.now()) > 0:
            if not _can_read_keys():
                time.sleep(left)
            elif select.select([sys.stdin], [], [], left)[0]:
                keys = os.read(sys.stdin.fileno(), 64)
                if not keys or any(key in QUIT_KEYS for key in keys):
                    return True
        return False


def _can_read_keys() -> bool:
    """Whether keys can be read: not from a pipe."""
    return os.name == "posix" and sys.stdin is not None and sys.stdin.isatty()


@contextlib.contextmanager
def _unbuffer_keys() -> Iterator[None]:
    """Read keys as they are pressed, without echo."""
    if not _can_read_keys():
        yield
        return
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield
    finally:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(sys.stdin, termios.TCSAFLUSH, before)


@contextlib.contextmanager
def _handle_signals() -> Iterator[None]:
    """Restore the terminal if a signal ends the program, and ignore Ctrl-Z during playback."""

    def exit_on_signal(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    handled: dict[int, Any] = {}
    for name, handler in (("SIGTERM", exit_on_signal), ("SIGHUP", exit_on_signal), ("SIGTSTP", signal.SIG_IGN)):
        if hasattr(signal, name):
            with contextlib.suppress(ValueError):  # only the main thread may set handlers
                handled[getattr(signal, name)] = signal.signal(getattr(signal, name), handler)
    try:
        yield
    finally:
        for number, before in handled.items():
            signal.signal(number, before)
