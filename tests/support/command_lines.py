"""Run command lines in this process, and capture their output."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class CommandResult(NamedTuple):
    """The exit code of a command, and what it printed."""

    code: int
    out: str
    err: str


Say = Callable[..., CommandResult]
