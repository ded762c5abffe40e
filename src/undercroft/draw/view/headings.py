"""The texts about a level beside its map."""

from __future__ import annotations

from undercroft.core.level import Level
from undercroft.draw.view.level_view import LevelView
from undercroft.wording import plural, shorten


def format_title(level: Level) -> str:
    """The title of the level, or the name of its recipe if it has none."""
    return shorten(level.title) or format_recipe_name(level)


def format_recipe_name(level: Level) -> str:
    """The recipe's name as words.

    >>> import numpy as np
    >>> format_recipe_name(Level(np.zeros((1, 1), np.uint8), provenance={"recipe": "rooms-and-mazes"}))
    'Rooms and mazes'
    """
    return shorten(str(level.provenance.get("recipe", ""))).replace("-", " ").capitalize()


def format_subtitle(level: Level, extent: str = "") -> str:
    """Recipe, seed and size in one line, without what the title already contains.

    >>> format_subtitle(Level.parse("#.#"))
    '3 by 1 squares'
    """
    words = [format_recipe_name(level)] if level.title else []
    if "seed" in level.provenance:
        words.append(f"seed {shorten(str(level.provenance['seed']))}")
    words.append(extent or f"{level.width} by {level.height} squares")
    return " · ".join(word for word in words if word)


def format_measures(plan: LevelView) -> str:
    """Some measures of the level, in one line.

    >>> format_measures(LevelView(Level.parse("#11+22#")))
    '2 rooms · 1 door · 5 open squares'
    """
    level = plan.level
    counts = [(len(level.rooms), "room"), (len(plan.doors), "door"), (int(plan.open_cells.sum()), "open square")]
    words = [plural(many, what) for many, what in counts if many]
    if len(level.path) > 1:
        words.append(f"{len(level.path) - 1} steps from start to end")
    return " · ".join(words)
