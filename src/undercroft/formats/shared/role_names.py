"""What names say of tiles and layers that other people made: `Walls`, `ground_2`, `door`, `collides`."""

from __future__ import annotations

import re

from undercroft.core.palette import ROLES

WORDS = {
    "secret": "secret",
    "locked": "locked",
    "opening": "opening openings doorway doorways archway archways",
    "door": "door doors gate gates",
    "entry": "entry entrance upstairs",
    "exit": "exit downstairs",
    "water": "water waters lake lakes river rivers sea ocean pond ponds pool pools lava",
    "pit": "pit pits hole holes chasm chasms abyss",
    "pillar": "pillar pillars column columns",
    "wall": "wall walls rock rocks cliff cliffs brick bricks fence fences hedge hedges tree trees "
    "solid solids blocked blocking blocker blockers obstacle obstacles impassable unwalkable "
    "collision collisions collide collides collider colliders collidable",
    "corridor": "corridor corridors hallway hallways passage passages",
    "floor": (
        "floor floors ground grounds walkable passable earth dirt grass sand path paths road roads bridge bridges "
        "carpet carpets background"
    ),
    "void": "void",
}
"""Words that stand for a role. Of several in a name the one further up decides: a secret door is secret."""
COLLISION = frozenset((
    *("solid", "solids", "blocked", "blocking", "blocker", "blockers"),
    *("collision", "collisions", "collide", "collides", "collider", "colliders", "collidable"),
))  # fmt: skip
"""Words for layers that tell where one cannot go, and are not drawn."""
DECORATION = frozenset((
    *("decor", "decors", "decoration", "decorations", "detail", "details"),
    *("overlay", "overlays", "above", "overhead", "over", "roof", "roofs"),
    *("shadow", "shadows", "light", "lights", "fringe", "foreground"),
))  # fmt: skip
"""Words for layers that are there to be looked at."""
STAIRS = frozenset(("stair", "stairs", "ladder", "ladders", "steps"))
START = frozenset(
    (
        "start",
        "spawn",
        "player",
        "player start",
        "player spawn",
        "spawn point",
        "spawnpoint",
        "entry",
        "entrance",
        "stairs up",
    )
)
END = frozenset(("end", "exit", "goal", "finish", "stairs down"))
_TABLE = {word: role for role, words in WORDS.items() for word in words.split()}
_ORDER = {role: place for place, role in enumerate(WORDS)}
assert set(WORDS) == set(ROLES)


def words(name: str) -> list[str]:
    """The words of a name, small.

    >>> words("Walls_2"), words("stairsUp"), words("PLAYER-start")
    (['walls'], ['stairs', 'up'], ['player', 'start'])
    """
    return [word.casefold() for word in re.findall(r"[A-Z]+(?![a-z])|[^\W\d_][^\W\d_A-Z]*", name[:200])]


def role_of(name: str) -> str:
    """The role that a name stands for; empty if it says nothing.

    >>> role_of("Secret doors"), role_of("stairs down"), role_of("Tile Layer 1")
    ('secret', 'exit', '')
    """
    said = words(name)
    if STAIRS & {*said}:
        return "entry" if "up" in said else "exit" if "down" in said else ""
    return min((_TABLE[word] for word in said if word in _TABLE), key=_ORDER.__getitem__, default="")
