"""Check that corridors meet: a tile that opens to a side needs a neighbour there that opens back, or a room."""

from __future__ import annotations

from collections.abc import Iterator

from undercroft.core.palette import Palette
from undercroft.core.ports import SIDES
from undercroft.rewrite.lint.finding import Finding, RulesSubject, iterate_tiles
from undercroft.rewrite.model.program import ANY, KEEP, Rule
from undercroft.rewrite.text import tile_wording
from undercroft.wording import join_words

SIDE_STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
SIDE_NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}
OPPOSITE_SIDES = dict(zip(SIDES, SIDES[2:] + SIDES[:2], strict=True))
MAX_NAMED_ENDS = 3


def find_open_ends(subject: RulesSubject) -> Iterator[Finding]:
    """Results whose tiles do not fit together, or that may leave a corridor open; one finding of each kind per rule."""
    palette = subject.program.palette
    if not any(tile.ports for tile in palette.tiles):
        return
    for _, rule in subject.rules:
        wrong: list[str] = []
        loose: list[str] = []
        for number, result in enumerate(rule.results, 1):
            if result.weight:
                where = f" of result {number}" if len(rule.results) > 1 else ""
                for sure, text in _list_open_sides(rule, result.cells, palette):
                    (wrong if sure else loose).append(f"{text}{where}")
        called = subject.rule_name(rule)
        if wrong:
            yield Finding(
                "ports",
                "warning",
                rule.place,
                f"{called} leaves a corridor open: {_join_first(wrong)}",
                "write a tile that opens back, or a room",
            )
        if loose:
            yield Finding("ports", "note", rule.place, f"{called} can leave a corridor end open: {_join_first(loose)}")


def _join_first(ends: list[str]) -> str:
    more = len(ends) - MAX_NAMED_ENDS
    return join_words([*ends[:MAX_NAMED_ENDS], f"{more} more"]) if more > 0 else join_words(ends)


def _list_open_sides(rule: Rule, cells: tuple[int, ...], palette: Palette) -> Iterator[tuple[bool, str]]:
    """The sides on which a tile becomes an open end, and whether that is certain."""
    for k, code in enumerate(cells):
        if code == KEEP:
            continue
        x, y = k % rule.width, k // rule.width
        before = list(iterate_tiles(rule.pattern[k], len(palette)))
        for side in SIDES:
            other_x, other_y = x + SIDE_STEPS[side][0], y + SIDE_STEPS[side][1]
            beside = list(iterate_tiles(_tiles_after(rule, cells, other_x, other_y), len(palette)))
            if opens(palette, code, side) and not all(opens(palette, old, side) for old in before):
                meets = [accepts(palette, other, OPPOSITE_SIDES[side]) for other in beside]
                if not all(meets):
                    yield not any(meets), _describe_end(side, code, x, y, palette)
            elif (
                not accepts(palette, code, side)
                and all(accepts(palette, old, side) for old in before)  # it was open, and is closed now
                and all(opens(palette, other, OPPOSITE_SIDES[side]) for other in beside)
            ):
                yield True, _describe_end(OPPOSITE_SIDES[side], beside[0], other_x, other_y, palette)


def _describe_end(side: str, code: int, x: int, y: int, palette: Palette) -> str:
    return f"{SIDE_NAMES[side]} of `{tile_wording.format_tile(code, palette)}` at ({x}, {y})"


def _tiles_after(rule: Rule, cells: tuple[int, ...], x: int, y: int) -> int:
    """The tiles that a cell may hold afterwards; any tile outside the box."""
    if not (0 <= x < rule.width and 0 <= y < rule.height):
        return ANY
    code = cells[y * rule.width + x]
    return rule.pattern[y * rule.width + x] if code == KEEP else 1 << code


def opens(palette: Palette, code: int, side: str) -> bool:
    """Whether a tile opens to a side. Tiles that are not walkable, such as a shelf, have ports only to define how they
    turn.
    """
    return side in palette.tiles[code].ports and palette.tiles[code].walkable


def accepts(palette: Palette, code: int, side: str) -> bool:
    """Whether a tile can be entered from a side: it opens there, or it is walkable and has no ports."""
    return opens(palette, code, side) or (palette.tiles[code].walkable and not palette.tiles[code].ports)
