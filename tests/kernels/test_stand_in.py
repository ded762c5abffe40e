"""Without a compiler and without Cython the package works all the same."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys

class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("cython", "Cython"):
            raise ModuleNotFoundError(f"no {name} here")

sys.meta_path.insert(0, Without())
import undercroft as uc
from undercroft import kernels

assert not any(kernels.list_compiled().values())
assert "cython" not in sys.modules, "what we lend the kernels is not left behind"
for shape in ("rounded", "square", "diamond"):
    for connect in ("largest", "nearest", "discard"):
        print(uc.generate("cave", seed=3, size=(24, 12), shape=shape, connect=connect))
print(uc.generate("rooms-and-mazes", seed=3, size=(25, 15), dead_ends=0.3, doors=0.5))
"""


def _printed(**environment: str) -> str:
    import os

    program = (
        PROGRAM
        if environment
        else PROGRAM.replace("sys.meta_path.insert(0, Without())", "").replace("assert ", "True or ")
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_plain_python_without_cython_gives_the_same_levels() -> None:
    assert _printed(UNDERCROFT_PURE="1") == _printed()
