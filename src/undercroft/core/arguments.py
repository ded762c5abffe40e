"""Check arguments that are levels, or parts and tools of their making: a value of a wrong type is refused in a
sentence.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_type
from undercroft.wording import format_value_briefly


def require_level(name: str, value: object) -> None:
    """Raise unless a value is a level.

    >>> require_level("level", "cave")
    Traceback (most recent call last):
    undercroft.errors.BadInput: level is a Level, not 'cave'
      fix: read one with undercroft.load(file), or make one with undercroft.generate(recipe)
    """
    fix = "read one with undercroft.load(file), or make one with undercroft.generate(recipe)"
    if hasattr(value, "floors") and hasattr(value, "stairs_of"):  # the module of dungeons imports this one
        fix = 'take the level of a floor, for example dungeon["1"]'
    require_type(name, value, Level, "a Level", fix)


def require_palette(name: str, value: object) -> None:
    """Raise unless a value is a palette."""
    require_type(name, value, Palette, "a Palette", "for example undercroft.STANDARD, or Palette.load(file)")


def require_rng(name: str, value: object) -> None:
    """Raise unless a value is a stream of random numbers."""
    require_type(name, value, Rng, "an Rng", "for example undercroft.Rng.root(7)")


def require_run(name: str, value: object) -> None:
    """Raise unless a value is a run."""
    require_type(name, value, Run, "a Run", "for example undercroft.Run(), or leave it out")


def use_run(run: Run | None) -> Run:
    """The run that a caller gave, or a new one."""
    if run is None:
        return Run()
    require_run("run", run)
    return run


def require_mask(name: str, mask: Any, width: int, height: int, fix: str) -> NDArray[np.bool_]:
    """The mask itself. Raises unless it is an array of truth values, [height, width].

    >>> require_mask("over", np.zeros((2, 3)), 3, 2, "for example level.walkable")
    Traceback (most recent call last):
    undercroft.errors.BadInput: over is a mask of 3x2 cells, not float64 of the shape (2, 3)
      fix: for example level.walkable
    """
    if not isinstance(mask, np.ndarray) or mask.dtype != bool or mask.shape != (height, width):
        shown = f"{mask.dtype} of the shape {mask.shape}" if isinstance(mask, np.ndarray) else None
        raise BadInput(
            f"{name} is a mask of {width}x{height} cells, not {shown or format_value_briefly(mask)}", fix=fix
        )
    return mask
