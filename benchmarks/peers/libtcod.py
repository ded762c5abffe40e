"""Peers from tcod (libtcod for Python): distances by Dijkstra, and rooms by binary space partition."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import MissingError


def distances(rock: NDArray[np.uint8], start: int) -> NDArray[np.int32]:
    """Distances over floor from one cell; what is out of reach keeps the largest number."""
    try:
        from tcod import path
    except ImportError as error:
        raise MissingError("tcod is not installed: pip install tcod") from error
    found: NDArray[np.int32] = path.maxarray(rock.shape, dtype=np.int32)
    found.flat[start] = 0
    path.dijkstra2d(found, 1 - rock, 1, None, out=found)
    return found


def bsp_rooms(width: int, height: int, seed: int = 1) -> NDArray[np.uint8]:
    """Split the map down to leaves of about ten by ten, and carve a room in each and a way between neighbours."""
    tiles = np.ones((height, width), np.uint8)
    for node in _tree(width, height, seed).post_order():
        if node.children:
            _join(tiles, *node.children)
        else:
            tiles[node.y + 1 : node.y + node.height - 1, node.x + 1 : node.x + node.width - 1] = 0
    return tiles


def bsp_leaves(width: int, height: int, seed: int = 1) -> list[Any]:
    """The leaves of that tree, each with a room in it."""
    return [node for node in _tree(width, height, seed).post_order() if not node.children]


def _tree(width: int, height: int, seed: int) -> Any:
    try:
        import tcod.bsp
        import tcod.random
    except ImportError as error:
        raise MissingError("tcod is not installed: pip install tcod") from error
    tree = tcod.bsp.BSP(0, 0, width, height)
    tree.split_recursive(
        max(1, round(math.log2(width * height / 100))),
        6,
        6,
        1.5,
        1.5,
        seed=tcod.random.Random(tcod.random.MERSENNE_TWISTER, seed),
    )
    return tree


def _join(tiles: NDArray[np.uint8], a: Any, b: Any) -> None:
    """Carve a corridor with one corner between the middles of two parts."""
    ax, ay, bx, by = a.x + a.width // 2, a.y + a.height // 2, b.x + b.width // 2, b.y + b.height // 2
    tiles[ay, min(ax, bx) : max(ax, bx) + 1] = 0
    tiles[min(ay, by) : max(ay, by) + 1, bx] = 0
