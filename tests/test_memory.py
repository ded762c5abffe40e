"""The largest levels fit: at most 40 bytes a cell while they are made."""

from __future__ import annotations

import subprocess
import sys

import pytest

from undercroft import kernels

PROGRAM = """
import resource, sys
import undercroft as uc
recipe, side = sys.argv[1], int(sys.argv[2])
uc.generate(recipe, seed=1, size=(41, 41))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
level = uc.generate(recipe, seed=1, size=(side, side))
assert level.size == (side, side)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
unit = 1 if sys.platform == "darwin" else 1024
print((peak - before) * unit / side**2)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the peak of memory is read in another way there")
@pytest.mark.skipif(not all(kernels.compiled().values()), reason="plain kernels would take hours")
@pytest.mark.parametrize(("recipe", "side"), [("cave", 4096), ("rooms-and-mazes", 4095)])
def test_forty_bytes_a_cell(recipe: str, side: int) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, recipe, str(side)], capture_output=True, text=True, check=True)
    bytes_per_cell = float(done.stdout)
    assert 5 < bytes_per_cell < 40
