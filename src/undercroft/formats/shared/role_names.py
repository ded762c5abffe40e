"""What names say of tiles and layers that other people made: `Walls`, `ground_2`, `door`, `collides`."""

from __future__ import annotations

import re

from undercroft.core.palette import ROLES

ROLE_WORDS = {
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
COLLISION_WORDS = frozenset((
    *("solid", "solids", "blocked", "blocking", "blocker", "blockers"),
    *("collision", "collisions", "collide", "collides", "collider", "colliders", "collidable"),
))  # fmt: skip
"""Words for layers that tell where one cannot go, and are not drawn."""
DECORATION_WORDS = frozenset((
    *("decor", "decors", "decoration", "decorations", "detail", "details"),
    *("overlay", "overlays", "above", "overhead", "over", "roof", "roofs"),
    *("shadow", "shadows", "light", "lights", "fringe", "foreground"),
))  # fmt: skip
"""Words for layers that are there to be looked at."""
STAIRS_WORDS = frozenset(("stair", "stairs", "ladder", "ladders", "steps"))
START_WORDS = frozenset(
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
END_WORDS = frozenset(("end", "exit", "goal", "finish", "stairs down"))
_ROLE_BY_WORD = {word: role for role, words in ROLE_WORDS.items() for word in words.split()}
_ROLE_RANKS = {role: place for place, role in enumerate(ROLE_WORDS)}
assert set(ROLE_WORDS) == set(ROLES)


def split_words(name: str) -> list[str]:
    """The words of a name, small.

    >>> split_words("Walls_2"), split_words("stairsUp"), split_words("PLAYER-start")
    (['walls'], ['stairs', 'up'], ['player', 'start'])
    """
    return [word.casefold() for word in re.findall(r"[A-Z]+(?![a-z])|[^\W\d_][^\W\d_A-Z]*", name[:200])]


def find_role(name: str) -> str:
    """The role that a name stands for; empty if it says nothing.

    >>> find_role("Secret doors"), find_role("stairs down"), find_role("Tile Layer 1")
    ('secret', 'exit', '')
    """
    said = split_words(name)
    if STAIRS_WORDS & {*said}:
        return "entry" if "up" in said else "exit" if "down" in said else ""
    return min((_ROLE_BY_WORD[word] for word in said if word in _ROLE_BY_WORD), key=_ROLE_RANKS.__getitem__, default="")
