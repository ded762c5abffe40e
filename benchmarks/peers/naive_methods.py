"""Classic methods as they are written by hand in Python: one cell after the other, in lists."""

import random

Tiles = list[list[int]]
Point = tuple[int, int]

WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def walk(width: int, height: int, seed: int, floor: int) -> Tiles:
    """A drunkard digs from the middle until so many cells are floor: 1 is wall, 0 is floor."""
    rng = random.Random(seed)
    tiles = [[1] * width for _ in range(height)]
    x, y = width // 2, height // 2
    tiles[y][x] = 0
    dug = 1
    while dug < floor:
        dx, dy = rng.choice(WAYS)
        if 0 < x + dx < width - 1 and 0 < y + dy < height - 1:
            x += dx
            y += dy
            if tiles[y][x]:
                tiles[y][x] = 0
                dug += 1
    return tiles


def maze(width: int, height: int, seed: int) -> Tiles:
    """A growing-tree maze on the odd cells, newest cell first: 1 is wall, 0 is floor."""
    rng = random.Random(seed)
    tiles = [[1] * width for _ in range(height)]
    x, y = 1 + 2 * rng.randrange(width // 2), 1 + 2 * rng.randrange(height // 2)
    tiles[y][x] = 0
    stack = [(x, y)]
    while stack:
        x, y = stack[-1]
        ways = [
            (dx, dy)
            for dx, dy in WAYS
            if 0 < x + 2 * dx < width and 0 < y + 2 * dy < height and tiles[y + 2 * dy][x + 2 * dx]
        ]
        if not ways:
            stack.pop()
            continue
        dx, dy = rng.choice(ways)
        tiles[y + dy][x + dx] = tiles[y + 2 * dy][x + 2 * dx] = 0
        stack.append((x + 2 * dx, y + 2 * dy))
    return tiles


def hilbert(order: int) -> list[Point]:
    """The points of a Hilbert curve: a corner, and the two sides that begin there, halved again and again."""
    points: list[Point] = []

    def curve(x: int, y: int, along: Point, up: Point, order: int) -> None:
        if order == 0:
            points.append((x, y))
            return
        half = 1 << order - 1
        far, last = half - 1, 2 * half - 1
        curve(x, y, up, along, order - 1)
        curve(x + half * along[0], y + half * along[1], along, up, order - 1)
        curve(x + half * (along[0] + up[0]), y + half * (along[1] + up[1]), along, up, order - 1)
        curve(
            x + far * along[0] + last * up[0],
            y + far * along[1] + last * up[1],
            (-up[0], -up[1]),
            (-along[0], -along[1]),
            order - 1,
        )

    curve(0, 0, (1, 0), (0, 1), order)
    return points
