"""Letters that tell apart kinds of things with the same sprite."""

from __future__ import annotations

import string
from collections.abc import Iterable

from undercroft.core.region import Thing
from undercroft.draw.tileset.picture import thing_piece_number


def find_shared_sprites(things: Iterable[Thing]) -> dict[str, str]:
    """A letter for each kind whose sprite is that of another kind too.

    >>> find_shared_sprites([Thing("grue", 0, 0), Thing("gizmo", 1, 0), Thing("chest", 2, 0)])
    {'gizmo': 'G', 'grue': 'R'}
    """
    alike: dict[int, list[str]] = {}
    for thing in sorted(things, key=lambda thing: thing.kind):
        kinds = alike.setdefault(thing_piece_number(thing.kind, thing.data), [])
        if thing.kind not in kinds:
            kinds.append(thing.kind)
    badges: dict[str, str] = {}
    for kinds in alike.values():
        used: set[str] = set()
        for kind in kinds if len(kinds) > 1 else ():
            own = [sign for sign in kind.upper() if sign.isascii() and sign.isalnum()]
            letters = (*own, *string.ascii_uppercase)
            badges[kind] = next((letter for letter in letters if letter not in used), "?")
            used.add(badges[kind])
    return badges
