"""Before rewriting is timed: contenders must do the same work, as far as chance leaves it determined."""

import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import floors, ours
from benchmarks.checks import Checks, compared
from benchmarks.peers import naive_grammar, naive_templates
from benchmarks.rewriting import inputs, works
from benchmarks.works import Size

if TYPE_CHECKING:
    from undercroft import Level, Palette

SIDES = (3, 7, 15, 41)
"""Odd, so that there is a middle; it has an odd number of cells on each side, or in the last an even one."""


def _rows() -> Iterator[str]:
    for name in inputs.ROWS:
        for who, grown in {"C": _by_floor, "undercroft": _by_us}.items():
            yield compared(
                who, f"the tiles and rewrites of {name} that are known beforehand", partial(_all_as_known, name, grown)
            )


def _all_as_known(name: str, grown: Callable[[str, int], tuple[NDArray[np.uint8], int]]) -> bool:
    return all(_as_known(name, side, *grown(name, side)) for side in SIDES)


def _by_floor(name: str, side: int) -> tuple[NDArray[np.uint8], int]:
    return floors.rewriting(inputs.start_level(name, (side, side)).tiles, inputs.floor_rules(name), floors.stream(side))


def _by_us(name: str, side: int) -> tuple[NDArray[np.uint8], int]:
    level = ours.rewritten(name, inputs.start_level(name, (side, side)), side)
    return level.tiles, inputs.rewrites(name, level)


def _as_known(name: str, side: int, tiles: NDArray[np.uint8], rewrites: int) -> bool:
    """Growth fills the map; a maze is a tree over the cells that are an even number of steps off the middle, and is
    walked once there and once back.
    """
    counts = np.bincount(tiles.ravel(), minlength=4).tolist()
    odd = side // 2 % 2
    cells = (side // 2 + (1 - odd)) ** 2
    rest = side * side - 2 * cells + 1
    expected = {
        "growth": ([0, side * side, 0, 0], side * side - 1),
        "maze-growth": ([rest, cells, cells - 1, 0], cells - 1),
        "maze-backtracker": ([rest, 1, 0, 2 * cells - 2], 2 * cells - 2),
    }[name]
    return (counts, rewrites) == expected and _pieces(tiles == 0) == 1


def _rooms() -> Iterator[str]:
    yield compared("undercroft", "rooms that hang together, and no place for one more", _full_of_rooms)


def _full_of_rooms() -> bool:
    """Whether the way through the rooms is one, each has its door, and no room fits on any open end."""
    from undercroft.rewrite.model.symmetry import list_variants

    level = ours.rewritten("rooms-18", ours.blank("rooms-18", 127, 127, "R"), 1)
    code = level.palette.code
    whole = _pieces(np.isin(level.tiles, [code("B"), code("#")])) == 1
    rules = list(ours.rules("rooms-18").program.rules())
    found = list_variants(rules, level.palette)
    return (
        whole
        and inputs.rewrites("rooms-18", level) > 50
        and not any(_fits_on_an_end(level.tiles, code("R"), one) for one in found)
    )


def _fits_on_an_end(tiles: NDArray[np.uint8], end: int, variant: Any) -> bool:
    tests = [
        (*divmod(at, variant.width), wanted) for at, wanted in enumerate(variant.pattern) if wanted.bit_length() < 256
    ]
    down, right = next((y, x) for y, x, wanted in tests if wanted == 1 << end)
    for top, left in np.argwhere(tiles == end) - (down, right):
        inside = 0 <= top <= tiles.shape[0] - variant.height and 0 <= left <= tiles.shape[1] - variant.width
        if inside and all(wanted >> int(tiles[top + y, left + x]) & 1 for y, x, wanted in tests):
            return True
    return False


def _templates() -> Iterator[str]:
    yield compared("plain Python", "the drawings of the recipe templates", _same_drawings)
    yield compared(
        "plain Python",
        "rooms of 13x13 in a tree",
        lambda: _room_tree(np.array([list(row) for row in naive_templates.dungeon(40, 52, 1)])),
    )
    yield compared(
        "undercroft",
        "rooms of 13x13 in a tree",
        lambda: all(_room_tree(_signs(ours.templates(40, 52, seed))) for seed in range(9)),
    )


def _same_drawings() -> bool:
    import undercroft

    text = (Path(undercroft.__file__).parent / "shipped" / "recipes" / "templates.toml").read_text(encoding="utf-8")
    steps = {step["id"]: step["rules"] for step in tomllib.loads(text)["step"] if "rules" in step}
    pairs = {
        "start": naive_templates.START,
        "rooms": naive_templates.ROOM,
        "corners": naive_templates.CORNER,
        "middles": naive_templates.MIDDLE,
    }
    return all(_drawings(steps[name]) == pair for name, pair in pairs.items())


def _drawings(text: str) -> tuple[str, tuple[str, ...]]:
    """The only rule of a text as its cells: what it wants, and its results."""
    import undercroft

    program = undercroft.Rules.parse(text, "rules").program
    (rule,) = program.rules()
    signs = _letters(program.palette)
    wanted = {1 << code: sign for code, sign in enumerate(signs)}
    return "".join(wanted.get(tiles, "?") for tiles in rule.pattern), tuple(
        "".join([*signs, "?"][code] for code in result.cells) for result in rule.results
    )


def _signs(level: "Level") -> NDArray[np.str_]:
    return np.array(_letters(level.palette))[level.tiles]


def _letters(palette: "Palette") -> list[str]:
    """The signs of all tiles, void as it is written in templates."""
    return [tile.aliases or tile.glyph if tile.name == "void" else tile.glyph for tile in palette.tiles]


def _room_tree(signs: NDArray[np.str_]) -> bool:
    """Whether a map has no doors left, and between its rooms, which share walls at every twelfth cell, just as many
    openings as make a tree.
    """
    wall = np.isin(signs, ["#", "X"])
    drawn = np.argwhere(signs != "X")
    (top, left), (bottom, right) = drawn.min(axis=0), drawn.max(axis=0)
    rooms = sum(
        1
        for y in range(top, bottom, 12)
        for x in range(left, right, 12)
        if signs[y + 6, x + 1] != "X" and signs[y + 1, x + 6] != "X"
    )
    inside = np.indices(signs.shape)
    on_walls = ((inside[0] - top) % 12 == 0) | ((inside[1] - left) % 12 == 0)
    return _pieces(wall) == 1 and "+" not in signs and 1 <= rooms <= 21 and int((~wall & on_walls).sum()) == rooms - 1


def _matching() -> Iterator[str]:
    drawings = (works.ALCOVE, ("#", "."), ("?.", "#?"), (".....", ".###.", "?????"))
    yield compared(
        "undercroft",
        "the matches of plain C",
        lambda: all(_same_matches(drawing, size) for drawing in drawings for size in ((640, 400), (65, 64), (9, 8))),
    )


def _same_matches(drawing: tuple[str, ...], size: Size) -> bool:
    rock = floors.automaton_bytes(floors.noise(*size, 0.4, floors.stream()), 5, 2, 10)
    theirs = [
        (place % size[0], place // size[0], turn)
        for turn, places in enumerate(floors.matches(rock, inputs.floor_drawing(drawing)))
        for place in places.tolist()
    ]
    return sorted(ours.matches(ours.level_of_rock(rock), drawing)) == sorted(theirs)


def _watching() -> Iterator[str]:
    yield compared("a watched growth", "the map of an unwatched one, and its timeline ends with it", _same_watched)


def _same_watched() -> bool:
    begin = inputs.start_level("maze-growth", (41, 41))
    (level, timeline), alone = ours.watched("maze-growth", begin, 1), ours.rewritten("maze-growth", begin, 1)
    states = [timeline.at(0), timeline.at(timeline.turns - 1)]
    return (
        np.array_equal(level.tiles, alone.tiles)
        and np.array_equal(states[0], begin.tiles)
        and np.array_equal(states[1], level.tiles)
    )


def _guarded_growth() -> Iterator[str]:
    for name in ("guarded-growth", "growth-by-guard"):
        yield _guarded(
            name,
            f"a full map by {name}, and one piece on the way",
            lambda name=name: _whole_on_the_way(name),  # type: ignore[misc]
        )


def _whole_on_the_way(name: str) -> bool:
    states = [
        ours.rewritten(name, inputs.start_level("growth", (15, 15)), 1, steps).tiles == 1 for steps in (10, 60, 120, 0)
    ]
    return [int(state.sum()) for state in states] == [11, 61, 121, 225] and all(
        _pieces(~state) == 1 for state in states
    )


def _erosion() -> Iterator[str]:
    yield _guarded(
        "erosion",
        "one piece at every step, and in the end nothing that could go",
        lambda: all(_in_one_piece(steps) for steps in (20, 60, 120, 200, 0)),
    )


def _in_one_piece(steps: int) -> bool:
    """A piece of more than one cell has always one that can go; what is left is one piece all the same."""
    level = ours.rewritten("erosion", inputs.full("erosion", (15, 15)), 1, steps)
    gone = level.tiles != level.palette.code("W")
    return _pieces(gone) <= 1 and (gone.sum() == steps if steps else gone.sum() >= gone.size - 1)


def _pieces(walls: NDArray[np.bool_]) -> int:
    """How many regions there are between walls."""
    return floors.labels(np.ascontiguousarray(walls, np.uint8))[1]


def _guarded(name: str, what: str, agrees: Callable[[], bool]) -> str:
    why = inputs.unread(name)
    return f"undercroft was not asked for {what}: {why}" if why else compared("undercroft", what, agrees)


def _parallel() -> Iterator[str]:
    yield compared("undercroft", "parallel turns as NumPy takes them", _same_parallel)


def _same_parallel() -> bool:
    """Later rules overwrite earlier ones: on a large map, so that many matches are sorted."""
    import undercroft

    text = "palette letters BWA\nparallel  both, up to 5 times\n    B -> A\n    AB -> ?W\n    W -> B"
    begin = inputs.scattered("parallel-both", (200, 90))
    tiles = begin.tiles.copy()
    for _ in range(5):
        after = tiles.copy()
        after[tiles == 0] = 2
        after[:, 1:][(tiles[:, :-1] == 2) & (tiles[:, 1:] == 0)] = 1
        after[tiles == 1] = 0
        tiles = after
    return np.array_equal(undercroft.Rules.parse(text, "parallel.rules").apply(begin, 1).tiles, tiles)


def _grammar() -> Iterator[str]:
    yield compared("undercroft", "steps of the grammar that plain Python knows", _known_steps)


def _known_steps() -> bool:
    folder, size = inputs.grammar_folder(), works.GRAMMAR_SIZE
    begin = inputs.base(folder, size)
    known = {
        bytes(cells)
        for cells in naive_grammar.outcomes(begin.tiles.ravel().tolist(), *size, inputs.grammar_variants(size))
    }
    made = {ours.rewritten(folder, begin, seed, steps=1).tiles.tobytes() for seed in range(20)}
    return len(made) > 5 and made <= known


CHECKS: Checks = (
    ({*inputs.ROWS}, _rows),
    ({"rooms-18", "rooms-dense"}, _rooms),
    ({"templates"}, _templates),
    ({"matching"}, _matching),
    ({"watching"}, _watching),
    ({"guarded-growth"}, _guarded_growth),
    ({"parallel"}, _parallel),
    ({"erosion"}, _erosion),
    ({"grammar"}, _grammar),
)
