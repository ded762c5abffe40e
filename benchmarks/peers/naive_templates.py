"""The twin of the recipe `templates` in plain Python: before each attempt it slices the whole map anew, and asks of
every slice whether a drawing fits.
"""

import random

Cells = list[str]
Pair = tuple[str, tuple[str, ...]]

ROOM_ROWS = (
    "?" * 15,
    "?######+######?",
    *("?#...........#?",) * 5,
    "?+...........+?",
    *("?#...........#?",) * 5,
    "?######+######?",
    "?" * 15,
)
START: Pair = ("X" * 225, ("".join(ROOM_ROWS),))
ROOM: Pair = ("?" * 15 + "?????##+##?????" + "?XXXXXXXXXXXXX?" * 12 + "?" * 15, ("".join(ROOM_ROWS),))
CORNER: Pair = (
    "???????" + "?######" + "?#....." * 5,
    (
        "??????????????" + "??....." + "??.##.." * 2 + "??....." * 2,
        "??????????????" + "??####." * 4 + "??.....",
        "??????????????" + "??....." + "??..##." + "??.###." * 2 + "??.....",
        "??????????????" + "??....." + "??.:::." * 2 + "??....." + "???????",
    ),
)
MIDDLE: Pair = (
    "???????" + "?.....?" * 5 + "???????",
    (
        "???????" + "?.....?" + "?.###.?" * 3 + "?.....?" + "???????",
        "???????" + "?.....?" + "?.:::.?" * 3 + "?.....?" + "???????",
    ),
)
BLIND: Pair = ("?X??+????", ("????#????",))


def dungeon(
    width: int, height: int, seed: int, *, attempts: int = 20, corners: int = 22, middles: int = 5
) -> list[str]:
    """A first room, more behind its doors, corners and middles themed, blind doors closed and the others opened: the
    rows of the map.
    """
    rng = random.Random(seed)
    cells = ["X"] * (width * height)
    for pair, side, times, turns in (
        (START, 15, 1, 1),
        (ROOM, 15, attempts, 4),
        (CORNER, 7, corners, 4),
        (MIDDLE, 7, middles, 1),
    ):
        for _ in range(times):
            found = spots(cells, width, height, pair, side, turns)
            if not found:
                break
            write(cells, width, side, *rng.choice(found))
    for result, x, y in spots(cells, width, height, BLIND, 3, 4):
        write(cells, width, 3, result, x, y)
    opened = "".join(cells).replace("+", ".")
    return [opened[start : start + width] for start in range(0, len(opened), width)]


def slices(cells: Cells, width: int, height: int, side: int) -> dict[str, list[tuple[int, int]]]:
    """Every piece of the map of a size, as a text, and where it stands."""
    index: dict[str, list[tuple[int, int]]] = {}
    for y in range(height - side + 1):
        for x in range(width - side + 1):
            token = "".join([cells[(y + down) * width + x + right] for down in range(side) for right in range(side)])
            index.setdefault(token, []).append((x, y))
    return index


def fits(reference: str, token: str) -> bool:
    """Whether a piece of the map is as drawn; `?` is anything."""
    return all(wanted in {"?", sign} for wanted, sign in zip(reference, token, strict=True))


def turned(drawing: str, side: int) -> str:
    """A square drawing after a quarter turn clockwise."""
    return "".join([drawing[(side - 1 - x) * side + y] for y in range(side) for x in range(side)])


def spots(cells: Cells, width: int, height: int, pair: Pair, side: int, turns: int) -> list[tuple[str, int, int]]:
    """What can be written, and where: each result at each place where the reference fits, in each turn."""
    reference, results = pair
    index = slices(cells, width, height, side)
    found = []
    for _ in range(turns):
        for token, points in index.items():
            if fits(reference, token):
                found += [(result, x, y) for result in results for x, y in points]
        reference, results = turned(reference, side), tuple(turned(result, side) for result in results)
    return found


def write(cells: Cells, width: int, side: int, result: str, x: int, y: int) -> None:
    """Write a drawing at a place; `?` leaves what is there."""
    for at, sign in enumerate(result):
        if sign != "?":
            cells[(y + at // side) * width + x + at % side] = sign
