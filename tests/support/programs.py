"""Random programs, and a slow reference implementation of the matcher."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import Palette, Tile
from undercroft.rewrite.model.program import (
    ALL_POSITIONS,
    ANY,
    AS_DRAWN,
    KEEP,
    LEFT_RIGHT,
    QUARTER_TURNS,
    Node,
    Program,
    Replacement,
    Rule,
    tile_set,
)
from undercroft.rewrite.model.symmetry import list_variants

LETTERS = Palette(
    [Tile(name, "floor", name, name, "#000000", walkable=True, opaque=False) for name in "BWARGU"], "letters"
)


def rule(
    pattern: str,
    *results: str,
    positions: tuple[int, ...] = ALL_POSITIONS,
    name: str = "",
    palette: Palette = LETTERS,
    **more: object,
) -> Rule:
    """`WB/BB` as a rule; `*` is any tile in a pattern and keeps the cell in a result; a result may end in `=3`, its
    weight.
    """
    rows = pattern.split("/")
    made = []
    for text in results:
        cells, _, weight = text.partition("=")
        made.append(
            Replacement(
                tuple(KEEP if sign == "*" else palette[sign] for sign in cells.replace("/", "")), int(weight or 1)
            )
        )
    masks = tuple(ANY if sign == "*" else 1 << palette[sign] for sign in "".join(rows))
    return Rule(
        name or f"{pattern} {' '.join(results)}",
        len(rows[0]),
        len(rows),
        masks,
        tuple(made),
        positions=positions,
        **more,  # type: ignore[arg-type]
    )


def program(root: Node, palette: Palette = LETTERS) -> Program:
    return Program("test", palette, root)


def grid(*rows: str, palette: Palette = LETTERS) -> NDArray[np.uint8]:
    return np.array([[palette[sign] for sign in row] for row in rows], np.uint8)


def format_rows(tiles: NDArray[np.uint8], palette: Palette = LETTERS) -> list[str]:
    return ["".join(palette.tiles[code].glyph for code in row) for row in tiles.tolist()]


def random_program(source: random.Random) -> Program:
    """Up to three leaves under one or two branches, with small random rules."""
    leaves = [random_leaf(source) for _ in range(source.randint(1, 3))]
    kind = source.choice(["sequence", "markov", "markov"])
    if len(leaves) > 1 and source.random() < 0.4:
        leaves = [
            leaves[0],
            Node(
                source.choice(["sequence", "markov", "repeat"]), children=tuple(leaves[1:]), limit=source.choice([0, 2])
            ),
        ]
        if leaves[1].kind != "repeat":
            leaves[1] = leaves[1]._replace(limit=0)
    return program(Node(kind, children=tuple(leaves)))


def random_leaf(source: random.Random) -> Node:
    kind = source.choice(["one", "one", "one", "all", "parallel"])
    rules = tuple(random_rule(source) for _ in range(source.randint(1, 3)))
    outside = source.choice([-1, -1, -1, source.randrange(4)])
    return Node(kind, rules=rules, limit=source.choice([0, 0, 5]), outside=outside, merge=source.random() < 0.8)


def random_rule(source: random.Random) -> Rule:
    width, height = source.randint(1, 4), source.randint(1, 3)
    cells = width * height
    pattern = tuple(random_set(source) for _ in range(cells))
    results = tuple(
        Replacement(tuple(source.choice([KEEP, 0, 1, 2, 3]) for _ in range(cells)), source.randint(1, 3))
        for _ in range(source.randint(1, 2))
    )
    positions = source.choice([AS_DRAWN, QUARTER_TURNS, LEFT_RIGHT, ALL_POSITIONS])
    return Rule("random", width, height, pattern, results, weight=source.choice([1, 1, 2]), positions=positions)


def random_set(source: random.Random) -> int:
    if source.random() < 0.2:
        return ANY
    return tile_set(source.sample(range(4), source.choice([1, 1, 1, 2])))


def naive_matches(tiles: NDArray[np.uint8], leaf: Node, palette: Palette = LETTERS) -> Iterator[tuple[int, int, int]]:
    """All matches of a leaf as (number of the variant in the leaf, x, y), found by testing every place."""
    height, width = tiles.shape
    for number, variant in enumerate(list_variants(leaf.rules, palette, merge=leaf.merge)):
        over = leaf.outside >= 0
        for y in range(1 - variant.height if over else 0, height if over else height - variant.height + 1):
            for x in range(1 - variant.width if over else 0, width if over else width - variant.width + 1):
                if all(
                    mask == ANY
                    or mask
                    >> (
                        int(tiles[y + k // variant.width, x + k % variant.width])
                        if _inside(x, y, k, variant.width, width, height)
                        else leaf.outside
                    )
                    & 1
                    for k, mask in enumerate(variant.pattern)
                ):
                    yield number, x, y


def _inside(x: int, y: int, k: int, wide: int, width: int, height: int) -> bool:
    return 0 <= x + k % wide < width and 0 <= y + k // wide < height
