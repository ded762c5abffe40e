"""Sets of tiles by role, which also hold for tiles of a map that the palette of the rules does not have.

While rules are parsed, a set of tiles is a bit mask of 256 tile codes, as in a program, and above it one bit for each
kind of tile that a map may add: its role, whether one can stand on it, and whether it blocks the view. Union and
negation work on all bits alike. The bits above the codes are dropped when the palette is known.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from undercroft.core.palette import ROLES, Palette, Tile
from undercroft.rewrite.model.program import ANY, Node, Program, Rule

_CODES = ANY.bit_length()
_KINDS = tuple(product(ROLES, (False, True), (False, True)))
_KIND_BITS = (1 << len(_KINDS)) - 1
EVERY_TILE = ANY | _KIND_BITS << _CODES
"""All tiles, and all kinds of tiles."""

PROPERTIES: dict[str, Callable[[str, bool, bool], bool]] = {
    "walkable": lambda _role, walkable, _opaque: walkable,
    "opaque": lambda _role, _walkable, opaque: opaque,
}
"""The properties of tiles that are sets: by role, walkable and opaque."""
ROLE_WORDS = (*ROLES, *PROPERTIES)
"""The words that stand for sets of tiles."""


def role_set(word: str, palette: Palette) -> int:
    """All tiles with this role or property: those of the palette, and those that a map may add.

    >>> from undercroft.core.palette import STANDARD
    >>> resolve_set(role_set("door", STANDARD), STANDARD) == 1 << STANDARD["door"]
    True
    """
    has = PROPERTIES.get(word) or (lambda role, _walkable, _opaque: role == word)
    codes = sum(1 << code for code, tile in enumerate(palette.tiles) if has(tile.role, tile.walkable, tile.opaque))
    return codes | sum(1 << _CODES + bit for bit, kind in enumerate(_KINDS) if has(*kind))


def resolve_set(tiles: int, palette: Palette, own: int | None = None) -> int:
    """The set as a mask of tile codes, for a palette whose first `own` tiles are those the set was made with: all of
    them, unless a map has added some.
    """
    kinds = tiles >> _CODES
    tiles &= ANY
    if own is None or kinds in (0, _KIND_BITS):
        return tiles
    for code, tile in enumerate(palette.tiles[own:], own):
        bit = 1 << code
        tiles = tiles | bit if kinds >> _find_kind(tile) & 1 else tiles & ~bit
    return tiles


def _find_kind(tile: Tile) -> int:
    return _KINDS.index((tile.role, tile.walkable, tile.opaque))


def has_role_sets(root: Node) -> bool:
    """Whether some set below a node depends on the roles of tiles that a map may add."""
    masks = (
        mask
        for leaf in root.leaves()
        for rule in leaf.rules
        for mask in (*rule.pattern, *(part for guard in rule.guards for part in (guard.tiles, guard.others)))
    )
    return any(mask >> _CODES not in (0, _KIND_BITS) for mask in masks)


def resolve_node(node: Node, palette: Palette, own: int | None = None) -> Node:
    """The node, with all sets below it resolved."""
    known: dict[int, int] = {}

    def resolve(tiles: int) -> int:
        if tiles not in known:
            known[tiles] = resolve_set(tiles, palette, own)
        return known[tiles]

    def resolve_rule(rule: Rule) -> Rule:
        guards = tuple(
            guard._replace(tiles=resolve(guard.tiles), others=resolve(guard.others)) for guard in rule.guards
        )
        return rule._replace(pattern=tuple(map(resolve, rule.pattern)), guards=guards)

    def resolve_all(node: Node) -> Node:
        return node._replace(
            rules=tuple(map(resolve_rule, node.rules)), children=tuple(map(resolve_all, node.children))
        )

    return resolve_all(node)


def resolve_program(program: Program, palette: Palette) -> Program:
    """The program for a palette that extends its own, with all its sets resolved."""
    return program._replace(palette=palette, root=resolve_node(program.root, palette, len(program.palette)))
