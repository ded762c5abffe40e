"""Processes of tests, and whether they are gone."""

from __future__ import annotations

import os
import time


def nobody_left(group: int, within: float = 6.0) -> bool:
    """Whether a group of processes is empty, or is so soon: who has ended stays in it until that is noticed."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False
