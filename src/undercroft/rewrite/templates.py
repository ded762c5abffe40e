"""Templates on maps as text: find a drawing on a map, and write another in its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis.update_facts import KnownFacts, update_facts
from undercroft.core.draft import Draft
from undercroft.core.drawing import dedented
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.inputs.arguments import (
    require_list,
    require_name,
    require_table,
    require_text,
    require_texts,
    require_whole_number,
)
from undercroft.inputs.points import as_point
from undercroft.rewrite.engine.matching import BitPlanes
from undercroft.rewrite.model.program import (
    ALL_POSITIONS,
    ANY,
    AS_DRAWN,
    KEEP,
    QUARTER_TURNS,
    Replacement,
    Rule,
    tile_set,
)
from undercroft.rewrite.model.symmetry import mirrored, turned
from undercroft.wording import format_value_briefly, shorten

Point = tuple[int, int]
Rows = Sequence[str] | str
Sets = Mapping[str, str]
"""For each sign of a reference, the signs that it matches."""
Map = TypeVar("Map", Level, list[str])
WILD = "?"
_DRAWING_FIX = "give a text of several lines, or rows such as ['##', '#.']"
NO_SETS: Sets = MappingProxyType({})
OTHER_SIGNS_CODE = 255
CORNERS = {"top left": (0, 0), "top right": (1, 0), "bottom left": (0, 1), "bottom right": (1, 1)}


class Match(NamedTuple):
    """A place where a drawing matches: its top left cell, and its position (quarter turns clockwise, + 4 if mirrored
    first).
    """

    x: int
    y: int
    position: int = 0


def slices(
    where: Level | Rows,
    width: int,
    height: int,
    *,
    min_x: int = 0,
    min_y: int = 0,
    max_x: int | None = None,
    max_y: int | None = None,
    step_x: int = 1,
    step_y: int = 1,
    corner: str = "top left",
) -> dict[str, list[Point]]:
    """All pieces of a size: a mapping from the token (the rows of the piece in one text) to the points where the piece
    stands, row by row.

    >>> slices(["ab", "ab"], 1, 2)
    {'aa': [(0, 0)], 'bb': [(1, 0)]}

    The top left cells go from `min_x` up to but not including `max_x`, in steps; pieces stay inside the map. `corner`
    chooses the corner of the piece that its point names.
    """
    page = _sign_codes(where)
    width, height = require_whole_number("width", width, 1), require_whole_number("height", height, 1)
    step_x, step_y = require_whole_number("step_x", step_x, 1), require_whole_number("step_y", step_y, 1)
    min_x, min_y = require_whole_number("min_x", min_x, 0), require_whole_number("min_y", min_y, 0)
    max_x = None if max_x is None else require_whole_number("max_x", max_x, 0)
    max_y = None if max_y is None else require_whole_number("max_y", max_y, 0)
    require_name("corner", corner, CORNERS)
    rows, columns = page.shape
    last_x = min(columns - width + 1, columns if max_x is None else max_x)
    last_y = min(rows - height + 1, rows if max_y is None else max_y)
    if last_x <= min_x or last_y <= min_y:
        return {}
    windows = np.lib.stride_tricks.sliding_window_view(page, (height, width))[min_y:last_y:step_y, min_x:last_x:step_x]
    limits.CELLS.check(windows.size // 64, "the number of cells in all pieces, in sixty-fours,")
    tokens = np.ascontiguousarray(windows).reshape(-1, width * height).view(f"U{width * height}").reshape(-1).tolist()
    right, down = CORNERS[corner]
    found: dict[str, list[Point]] = {}
    wide = windows.shape[1]
    for index, token in enumerate(tokens):
        x, y = min_x + index % wide * step_x + right * (width - 1), min_y + index // wide * step_y + down * (height - 1)
        found.setdefault(token, []).append((x, y))
    return found


def match(
    where: Level | Rows, reference: Rows, *, positions: Sequence[int] = AS_DRAWN, sets: Sets = NO_SETS
) -> list[Match]:
    """The places where a drawing matches, row by row; `?` matches any sign, and a sign of `sets` those it stands for.
    Matches stay inside the map.

    Positions in which the drawing looks the same count once.

    >>> match(["#.#", "#.."], ["#."], positions=QUARTER_TURNS)
    [Match(x=0, y=0, position=0), Match(x=0, y=1, position=0), Match(x=2, y=0, position=1), Match(x=1, y=0, position=2)]
    """
    _check_arguments(positions, sets)
    palette = where.palette if isinstance(where, Level) else None
    rows = parse_rows(reference)
    cells = tuple(
        "" if sign == WILD else "".join(sorted(_glyph(one, palette) for one in sets.get(sign, sign)))
        for sign in "".join(rows)
    )
    shapes: dict[tuple[tuple[str, ...], int], int] = {}
    for position in positions:
        shapes.setdefault(_moved_cells(cells, len(rows[0]), position, palette), position)
    tiles, codes = _encode_map(where, sorted({sign for signs, _ in shapes for wanted in signs for sign in wanted}))
    planes = BitPlanes(tiles)
    found: list[Match] = []
    for (signs, wide), position in shapes.items():
        pattern = [tile_set(codes[sign] for sign in wanted) if wanted else ANY for wanted in signs]
        found += [Match(x, y, position) for x, y in planes.find_places(pattern, wide).tolist()]
    return found


def _encode_map(where: Level | Rows, signs: list[str]) -> tuple[NDArray[np.uint8], dict[str, int]]:
    """A map as codes, and the codes of some signs. A level gives its tile codes; text gives a number for each of these
    signs and another for all others.
    """
    if isinstance(where, Level):
        return where.tiles, {sign: where.palette[sign] for sign in signs}
    if len(signs) >= OTHER_SIGNS_CODE:
        raise BadInput(
            f"a drawing has at most {OTHER_SIGNS_CODE - 1} different signs, not {len(signs)}", fix="draw a smaller one"
        )
    page = _sign_codes(where)
    tiles = np.full(page.shape, OTHER_SIGNS_CODE, np.uint8)
    for code, sign in enumerate(signs):
        tiles[page == ord(sign)] = code
    return tiles, {sign: code for code, sign in enumerate(signs)}


def moved(drawing: Rows, position: int, palette: Palette | None = None) -> list[str]:
    """A drawing moved to a position, to write where a match was found. With a palette, its tiles turn and mirror too.

    >>> moved(["ab", "cd", "ef"], 1), moved(["ab", "cd", "ef"], 4)
    (['eca', 'fdb'], ['ba', 'dc', 'fe'])
    """
    rows = parse_rows(drawing)
    cells = tuple("" if sign == WILD else sign for sign in "".join(rows))
    signs, wide = _moved_cells(cells, len(rows[0]), position, palette)
    line = "".join(sign or WILD for sign in signs)
    return [line[start : start + wide] for start in range(0, len(line), wide)]


def blit(where: Map, x: int, y: int, result: Rows) -> Map:
    """A copy of the map with a drawing written at (x, y), its top left cell; `?` keeps the tile. A level
    keeps its rooms, things and ends as far as they still hold.

    >>> blit(["...", "..."], 1, 0, ["#?", "?#"])
    ['.#.', '..#']
    """
    rows = parse_rows(result)
    page = _sign_codes(where)
    x, y = as_point((x, y), "the top left cell")
    high, wide = len(rows), len(rows[0])
    if not (0 <= x <= page.shape[1] - wide and 0 <= y <= page.shape[0] - high):
        raise BadInput(
            f"a drawing of {wide}x{high} at ({format_value_briefly(x)}, {format_value_briefly(y)}) reaches out "
            f"of a map of {page.shape[1]}x{page.shape[0]}",
            fix="write it elsewhere",
        )
    drawing = np.array([list(row) for row in rows])
    written = drawing != WILD
    if isinstance(where, Level):
        draft = Draft.of(where)
        before = KnownFacts.of(draft)
        codes = np.array(
            [[0 if sign == WILD else _tile_code(sign, where.palette) for sign in row] for row in rows], np.uint8
        )
        draft.tiles[y : y + high, x : x + wide][written] = codes[written]
        update_facts(draft, before, Run())
        return draft.level(where.provenance)
    signs = page.view("U1").copy()
    signs[y : y + high, x : x + wide][written] = drawing[written]
    return ["".join(row) for row in signs.tolist()]


def build_template(
    reference: Rows,
    *results: Rows,
    palette: Palette = STANDARD,
    name: str = "template",
    positions: tuple[int, ...] = QUARTER_TURNS,
    weights: Sequence[int] = (),
    sets: Sets = NO_SETS,
) -> Rule:
    """A reference and its results as a rule, in its four turns by default. All have the same rows and columns."""
    _check_arguments(positions, sets)
    positions = tuple(positions)
    wanted = parse_rows(reference)
    if not results:
        raise BadInput("a template has at least one result", fix="draw what shall stand there")
    for weight in (given := require_list("weights", weights, "for example [3, 1]")):
        require_whole_number("a weight", weight, 0, limits.RULE_WEIGHT.value)
    weights = given
    if weights and len(weights) != len(results):
        raise BadInput(
            f"there are {len(results)} results and {len(weights)} weights", fix="give each result one weight"
        )
    made = []
    for number, result in enumerate(results):
        rows = parse_rows(result)
        if (len(rows), len(rows[0])) != (len(wanted), len(wanted[0])):
            raise BadInput(
                f"the reference is {len(wanted[0])}x{len(wanted)}, result {number + 1} is {len(rows[0])}x{len(rows)}",
                fix="give both the same rows and columns",
            )
        cells = tuple(KEEP if sign == WILD else _tile_code(sign, palette) for sign in "".join(rows))
        made.append(Replacement(cells, weights[number] if weights else 1))
    pattern = tuple(
        ANY if sign == WILD else tile_set(_tile_code(one, palette) for one in sets.get(sign, sign))
        for sign in "".join(wanted)
    )
    return Rule(name, len(wanted[0]), len(wanted), pattern, tuple(made), positions=positions)


def pad_to_square(drawing: Rows, side: int | None = None) -> list[list[str]]:
    """The drawing inside a square of `?`, once for every place it can have there; for engines that match only squares.

    >>> pad_to_square(["##", ">#", ".#"])
    [['##?', '>#?', '.#?'], ['?##', '?>#', '?.#']]
    """
    rows = parse_rows(drawing)
    wide, high = len(rows[0]), len(rows)
    side = side or max(wide, high)
    if side < max(wide, high):
        raise BadInput(f"a drawing of {wide}x{high} does not fit into {side}x{side}", fix="give a larger side")
    found = []
    for top in range(side - high + 1):
        for left in range(side - wide + 1):
            inside = [WILD * left + row + WILD * (side - wide - left) for row in rows]
            found.append([WILD * side] * top + inside + [WILD * side] * (side - high - top))
    return found


def parse_rows(drawing: Rows) -> list[str]:
    """The rows of a drawing, all of one length."""
    if isinstance(drawing, str):
        rows = dedented(drawing).split("\n")
    else:
        rows = list(require_texts("rows of a drawing", drawing, _DRAWING_FIX))
    if not rows or not rows[0]:
        raise BadInput("a drawing has at least one cell", fix="draw something")
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise BadInput(
                f"row {number + 1} of the drawing has {len(row)} cells, the first has {len(rows[0])}",
                fix="make all rows equally long",
            )
    return rows


def _check_arguments(positions: Sequence[int], sets: Sets) -> None:
    for position in require_list("positions", positions, "for example (0, 1)"):
        if type(position) is not int or position not in ALL_POSITIONS:
            raise BadInput(
                f"a position is a whole number from 0 to 7, not {format_value_briefly(position)}",
                fix="0 to 3 are quarter turns clockwise, and 4 more if it is mirrored first",
            )
    require_table("sets", sets, "for example {'a': '#.'}")
    for sign, members in sets.items():
        require_text("a sign of sets", sign)
        require_text(f"the set {shorten(sign, 40)!r}", members, "list the signs it stands for in one text")
        if not members:
            raise BadInput(f"the set {sign!r} has no sign in it", fix="list the signs it stands for, or leave it out")


def _sign_codes(where: Level | Rows) -> NDArray[np.uint32]:
    """A map as the code points of its characters."""
    if not isinstance(where, (Level, str)):
        require_texts("rows of a map", where, "give a level, or rows such as ['##', '#.']")
    if isinstance(where, Level):
        page: NDArray[np.str_] = where.palette.glyphs[where.tiles]
    else:
        page = np.array([list(row) for row in parse_rows(where)])
    return np.ascontiguousarray(page.astype("U1")).view(np.uint32).reshape(page.shape)


def _tile_code(sign: str, palette: Palette) -> int:
    if sign not in palette and sign.swapcase() in palette:
        raise BadInput(f"unknown tile {sign!r}", fix=f"did you mean {sign.swapcase()!r}?")
    return palette.code(sign)


def _glyph(sign: str, palette: Palette | None) -> str:
    """The glyph of a sign on the map: an alias is drawn as its tile."""
    return sign if palette is None else palette.tiles[_tile_code(sign, palette)].glyph


def _moved_cells(
    cells: tuple[str, ...], width: int, position: int, palette: Palette | None
) -> tuple[tuple[str, ...], int]:
    """Cells moved to a position, each given as the signs of its tiles; the tiles turn as the palette says."""
    if position & 4:
        cells = mirrored(tuple(_transform_signs(signs, palette, "mirror") for signs in cells), width)
    for _ in range(position & 3):
        cells, width = (
            turned(tuple(_transform_signs(signs, palette, "turn") for signs in cells), width),
            len(cells) // width,
        )
    return cells, width


def _transform_signs(signs: str, palette: Palette | None, how: str) -> str:
    if palette is None:
        return signs
    table: NDArray[np.uint8] = getattr(palette, how)
    return "".join(sorted(palette.tiles[int(table[_tile_code(sign, palette)])].glyph for sign in signs))
