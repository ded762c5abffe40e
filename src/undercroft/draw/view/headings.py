"""The texts about a level beside its map."""

from __future__ import annotations

from undercroft.core.level import Level
from undercroft.draw.view.level_view import LevelView
from undercroft.wording import plural, shorten

PLACE_NAMES = {
    "bsp": "Chambers",
    "cave": "Caves",
    "cozy": "Undercroft",
    "diablo2": "Catacombs",
    "diablo3": "Valley",
    "drunkard": "Chambers",
    "dungeoning": "Vaults",
    "galak-z": "Caverns",
    "grammar": "Halls",
    "isaac": "Cellars",
    "maze": "Maze",
    "neighbours": "Cells",
    "rooms-and-mazes": "Rooms and mazes",
    "templates": "Stronghold",
    "tinykeep": "Keep",
    "walk": "Tunnels",
}
"""Headings of levels without a title, by the recipe: names of methods, games and people are no headings."""


def format_title(level: Level) -> str:
    """The title of the level; if it has none, what kind of place it is, or the name of its recipe."""
    recipe = str(level.provenance.get("recipe", ""))
    return shorten(level.title) or PLACE_NAMES.get(recipe, "") or format_recipe_name(level)


def format_recipe_name(level: Level) -> str:
    """The recipe's name as words.

    >>> import numpy as np
    >>> level = Level(np.zeros((1, 1), np.uint8), provenance={"recipe": "galak-z"})
    >>> format_title(level), format_recipe_name(level)
    ('Caverns', 'Galak z')
    """
    return shorten(str(level.provenance.get("recipe", ""))).replace("-", " ").capitalize()


def format_subtitle(level: Level, extent: str = "") -> str:
    """Recipe, seed and size in one line, without what the title already contains.

    >>> format_subtitle(Level.parse("#.#"))
    '3 by 1 squares'
    """
    recipe = format_recipe_name(level)
    words = [recipe] if recipe != format_title(level) else []
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
