"""What is written about a level beside its map."""

from __future__ import annotations

from undercroft.core.level import Level
from undercroft.draw.view.level_view import Plan


def title(level: Level) -> str:
    """What the level is called, or else how it was made."""
    return level.title or recipe(level)


def recipe(level: Level) -> str:
    """The recipe's name as words.

    >>> import numpy as np
    >>> recipe(Level(np.zeros((1, 1), np.uint8), provenance={"recipe": "rooms-and-mazes"}))
    'Rooms and mazes'
    """
    return str(level.provenance.get("recipe", "")).replace("-", " ").capitalize()


def subtitle(level: Level, extent: str = "") -> str:
    """Recipe, seed and size in one line, without what the title says already.

    >>> subtitle(Level.drawn("#.#"))
    '3 by 1 squares'
    """
    words = [recipe(level)] if level.title else []
    if "seed" in level.provenance:
        words.append(f"seed {level.provenance['seed']}")
    words.append(extent or f"{level.width} by {level.height} squares")
    return " · ".join(word for word in words if word)


def measures(plan: Plan) -> str:
    """Some numbers about the level, in one line.

    >>> measures(Plan(Level.drawn("#11+22#")))
    '2 rooms · 1 door · 5 open squares'
    """
    level = plan.level
    counts = [(len(level.rooms), "room"), (len(plan.doors), "door"), (int(plan.open.sum()), "open square")]
    words = [f"{many} {what}{'s' if many != 1 else ''}" for many, what in counts if many]
    if len(level.path) > 1:
        words.append(f"{len(level.path) - 1} steps from start to end")
    return " · ".join(words)
