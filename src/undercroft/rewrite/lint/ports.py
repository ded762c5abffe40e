"""Do corridors meet? A tile that opens to a side wants a neighbour there that opens back, or a room."""

from __future__ import annotations

from collections.abc import Iterator

from undercroft.core.palette import Palette
from undercroft.core.ports import SIDES
from undercroft.rewrite.explain import wording
from undercroft.rewrite.lint.finding import Finding, Subject, listed, members
from undercroft.rewrite.model.program import ANY, KEEP, Rule

STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
NAMED = {"N": "north", "E": "east", "S": "south", "W": "west"}
BACK = dict(zip(SIDES, SIDES[2:] + SIDES[:2], strict=True))
MOST_NAMED = 3


def open_ends(subject: Subject) -> Iterator[Finding]:
    """Results whose tiles do not fit together, or that may leave a corridor open: one finding of each kind a rule."""
    palette = subject.program.palette
    if not any(tile.ports for tile in palette.tiles):
        return
    for _, rule in subject.rules:
        wrong: list[str] = []
        loose: list[str] = []
        for number, result in enumerate(rule.results, 1):
            if result.weight:
                where = f" of result {number}" if len(rule.results) > 1 else ""
                for sure, text in _ends(rule, result.cells, palette):
                    (wrong if sure else loose).append(f"{text}{where}")
        called = subject.called(rule)
        if wrong:
            yield Finding(
                "ports",
                "warning",
                rule.place,
                f"{called} leaves a corridor open: {_first(wrong)}",
                "write a tile that opens back, or a room",
            )
        if loose:
            yield Finding("ports", "note", rule.place, f"{called} can leave a corridor end open: {_first(loose)}")


def _first(ends: list[str]) -> str:
    more = len(ends) - MOST_NAMED
    return listed([*ends[:MOST_NAMED], f"{more} more"]) if more > 0 else listed(ends)


def _ends(rule: Rule, cells: tuple[int, ...], palette: Palette) -> Iterator[tuple[bool, str]]:
    """The sides on which a tile is open afterwards, and was not before, and whether that is sure."""
    for k, code in enumerate(cells):
        if code == KEEP:
            continue
        x, y = k % rule.width, k // rule.width
        before = list(members(rule.pattern[k], len(palette)))
        for side in SIDES:
            other_x, other_y = x + STEP[side][0], y + STEP[side][1]
            beside = list(members(_beside(rule, cells, other_x, other_y), len(palette)))
            if opens(palette, code, side) and not all(opens(palette, old, side) for old in before):
                meets = [accepts(palette, other, BACK[side]) for other in beside]
                if not all(meets):
                    yield not any(meets), _end(side, code, x, y, palette)
            elif (
                not accepts(palette, code, side)
                and all(accepts(palette, old, side) for old in before)  # it was a way, and is none now
                and all(opens(palette, other, BACK[side]) for other in beside)
            ):
                yield True, _end(BACK[side], beside[0], other_x, other_y, palette)


def _end(side: str, code: int, x: int, y: int, palette: Palette) -> str:
    return f"{NAMED[side]} of `{wording.tile(code, palette)}` at ({x}, {y})"


def _beside(rule: Rule, cells: tuple[int, ...], x: int, y: int) -> int:
    """What may stand in a cell afterwards; anything, beyond the box."""
    if not (0 <= x < rule.width and 0 <= y < rule.height):
        return ANY
    code = cells[y * rule.width + x]
    return rule.pattern[y * rule.width + x] if code == KEEP else 1 << code


def opens(palette: Palette, code: int, side: str) -> bool:
    """Whether a way leads out of a tile on a side. What cannot be walked on, such as a shelf, has its ports only to
    turn by.
    """
    return side in palette.tiles[code].ports and palette.tiles[code].walkable


def accepts(palette: Palette, code: int, side: str) -> bool:
    """Whether one can come into a tile from a side: it opens there, or it has no ports and can be walked on."""
    return opens(palette, code, side) or (palette.tiles[code].walkable and not palette.tiles[code].ports)
