"""The largest levels fit: at most 40 bytes a cell while they are made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from undercroft import kernels

PROGRAM = """
import re, sys
from pathlib import Path
import undercroft as uc

def peak():
    return 1024 * int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])

recipe, side = sys.argv[1], int(sys.argv[2])
before = peak()
level = uc.generate(recipe, seed=1, size=(side, side))
assert level.size == (side, side)
print((peak() - before) / side**2)
"""


@pytest.mark.long
@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="the peak of memory is read from /proc, which this system lacks"
)
@pytest.mark.skipif(not all(kernels.list_compiled().values()), reason="plain kernels would take hours")
@pytest.mark.parametrize(("recipe", "side"), [("cave", 4096), ("rooms-and-mazes", 4095)])
def test_forty_bytes_a_cell(recipe: str, side: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, recipe, str(side)], capture_output=True, text=True, check=True
    )
    bytes_per_cell = float(done.stdout)
    assert 5 < bytes_per_cell < 40
