"""The explanation of rules on a map, as data and as printed text."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from undercroft.rewrite.explain.wording import POSITION_NAMES, format_table
from undercroft.wording import plural

Paint = Callable[[str, str], str]
"""Colours a text: `paint(kind, text)`, where kind is name, good, wrong, wanted or quiet."""

MAX_POINTS = 10
MAX_WRONG_CELLS = 3
MAX_FIRST_FAILURES = 5
MAX_DRAWN_PLACEMENTS = 3
MAX_DRAWN_SIDE = 21
"""The most rows and columns of a drawing; a larger pattern is cropped around the first wrong cell."""
SIDE_PHRASES = {"left": "on the left", "right": "on the right", "top": "at the top", "bottom": "at the bottom"}


@dataclass(frozen=True)
class WrongCell:
    """A cell that does not match: its place on the map (x, y) and in the pattern as it lies there (column, row), with
    the wanted and the found tile.
    """

    x: int
    y: int
    column: int
    row: int
    wanted: str
    found: str
    outside: bool = False
    """Whether it lies outside the map, where the rule's `outside` tile counts."""

    def __str__(self) -> str:
        return (
            f"at ({self.x},{self.y}) wanted `{self.wanted}`, found `{self.found}`" + " (outside the map)" * self.outside
        )


@dataclass(frozen=True)
class Placement:
    """A rule at a place: its top left cell, its position, and the cells that do not match."""

    x: int
    y: int
    position: int
    wrong: tuple[WrongCell, ...]
    leaves: tuple[str, ...] = ()
    """The sides on which it leaves the map, if the rule has no tile outside: left, right, top, bottom."""
    changes: bool = False
    """Whether it would change the requested cell."""
    ground: tuple[str, ...] = ()
    """The map there, row by row; a blank is outside the map."""
    pattern: tuple[str, ...] = ()
    """The pattern as it lies there, row by row."""

    @property
    def matches(self) -> bool:
        return not self.wrong and not self.leaves

    def __str__(self) -> str:
        said = []
        if self.leaves:
            said.append(f"leaves the map {' and '.join(SIDE_PHRASES[side] for side in self.leaves)}")
        if self.wrong:
            more = f"; and {len(self.wrong) - MAX_WRONG_CELLS} more" if len(self.wrong) > MAX_WRONG_CELLS else ""
            said.append(
                f"{format_cell_count(len(self.wrong))} off: {'; '.join(map(str, self.wrong[:MAX_WRONG_CELLS]))}{more}"
            )
        return f"{', and is '.join(said) or 'matches'} (top left ({self.x},{self.y}), {POSITION_NAMES[self.position]})"


@dataclass(frozen=True)
class FirstFailure:
    """A pattern cell, the number of places where it is the first in reading order that does not match, and the tile
    found there most often, with its count.
    """

    position: int
    column: int
    row: int
    places: int
    wanted: str
    found: str
    times: int


@dataclass(frozen=True)
class PositionTrial:
    """A position of the rule, the number of its positions that look the same, and its places and matches."""

    position: int
    copies: int
    width: int
    height: int
    places: int
    matches: int


@dataclass(frozen=True)
class Reason:
    """A reason in one sentence. Kinds: off, larger, missing, consumed, leaves, also, refused."""

    kind: str
    text: str


@dataclass(frozen=True)
class CellExplanation:
    """The requested cell and the placements that cover it: first those that would change it, then the nearest to a
    match.
    """

    x: int
    y: int
    covering: int
    changing: int
    leaving: int
    """The number of placements that would change it and leave the map."""
    best: tuple[Placement, ...]


@dataclass(frozen=True)
class RuleExplanation:
    """The explanation of one rule on the map."""

    name: str
    node: str
    kind: str
    written: str
    """The place of the rule, as file:line:column; empty if a program built it."""
    positions: tuple[PositionTrial, ...]
    places: int
    matches: int
    matched: tuple[tuple[int, int, int], ...]
    """Its matches, as (x, y, position); the first thousand of each position."""
    off: dict[int, int]
    """The number of places by their number of wrong cells."""
    firsts: tuple[FirstFailure, ...]
    nearest: tuple[Placement, ...]
    """The places with the fewest wrong cells, fewest first; ties go to the rarer wrong tile."""
    findings: tuple[Reason, ...]
    sets: dict[str, str]
    """The meaning of the letters in the drawn patterns."""
    at: CellExplanation | None = None

    def lines(self, paint: Paint) -> Iterator[str]:
        """The text, line by line."""
        yield paint("name", self.name) + paint("quiet", f"  ({self.kind}{f', {self.written}' * bool(self.written)})")
        where = (
            f"in {len(self.positions)} positions"
            if len(self.positions) > 1
            else POSITION_NAMES[self.positions[0].position]
            if self.positions
            else ""
        )
        tried = f"{plural(self.places, 'place')} tried {where}"
        if self.matches:
            yield f"  {paint('good', 'matches')} at {_format_points(self.matched, self.matches)}; {tried}"
        else:
            yield f"  {paint('wrong', 'matches nowhere')}; {tried}"
        yield from (f"  {finding.text}" for finding in self.findings)
        if self.at:
            yield from self._cell_lines(self.at, paint)
        elif not self.matches and self.places:
            yield from self._miss_lines(paint)

    def _miss_lines(self, paint: Paint) -> Iterator[str]:
        """The lines about a rule that matches nowhere: the cells that fail first, and the nearest misses."""
        yield "  the first cell that fails, in reading order:"
        rows = [("places", "cell", "wanted", "most often found", "position")]
        for first in self.firsts[:MAX_FIRST_FAILURES]:
            found = f"{first.found} ({first.times:,})"
            rows.append(
                (
                    f"{first.places:,}",
                    f"({first.column},{first.row})",
                    first.wanted,
                    found,
                    POSITION_NAMES[first.position],
                )
            )
        yield from (f"    {line}" for line in format_table(rows, ">"))
        if len(self.firsts) > MAX_FIRST_FAILURES:
            yield paint(
                "quiet", f"    and {format_cell_count(len(self.firsts) - MAX_FIRST_FAILURES).replace(' ', ' more ')}"
            )
        counts = [
            f"{places:,} {'place is' if places == 1 else 'places are'} {format_cell_count(off)} off"
            for off, places in sorted(self.off.items())[:3]
        ]
        yield f"  the nearest misses: {', '.join(counts)}"
        yield from self._placement_lines(self.nearest[:MAX_DRAWN_PLACEMENTS], paint)

    def _cell_lines(self, at: CellExplanation, paint: Paint) -> Iterator[str]:
        """The lines about the requested cell."""
        here = f"({at.x},{at.y})"
        if not at.changing:
            yield f"  no placement of it would change {here}; {at.covering:,} look at it, the nearest to a match first:"
            shown = at.best
        else:
            would = f"{plural(at.changing, 'placement')} would change {here}"
            away = (
                f", and {'leaves' if at.changing == 1 else 'all of them leave'} the map"
                if at.leaving == at.changing
                else ""
            )
            yield f"  {would}{away}; the nearest to a match first:"
            shown = tuple(placement for placement in at.best if placement.changes)
        yield from self._placement_lines(shown[:MAX_DRAWN_PLACEMENTS], paint)

    def _placement_lines(self, placements: Sequence[Placement], paint: Paint) -> Iterator[str]:
        """Each placement in a sentence, then the map beside the pattern."""
        legend: dict[str, str] = {}
        for placement in placements:
            yield f"  {placement}"
            left, top = _crop_origin(placement)
            rows = zip(
                placement.ground[top : top + MAX_DRAWN_SIDE], placement.pattern[top : top + MAX_DRAWN_SIDE], strict=True
            )
            for row, (ground, pattern) in enumerate(rows, top):
                marked = {wrong.column - left for wrong in placement.wrong if wrong.row == row}
                drawn = [
                    _format_row(line[left : left + MAX_DRAWN_SIDE], marked, kind, paint)
                    for line, kind in ((ground, "wrong"), (pattern, "wanted"))
                ]
                yield f"    {drawn[0]}     {drawn[1]}".rstrip()
            legend |= {sign: self.sets[sign] for sign in "".join(placement.pattern) if sign in self.sets}
        if legend:
            yield f"  {'   '.join(f'{sign} is {meaning}' for sign, meaning in legend.items())}"


@dataclass(frozen=True)
class Explanation:
    """The explanation of rules on a map. The command line shows its `str()`."""

    width: int
    height: int
    rules: tuple[RuleExplanation, ...]

    def lines(self, paint: Paint = lambda _, text: text) -> Iterator[str]:
        """The text, line by line; `paint` can colour it."""
        for index, rule in enumerate(self.rules):
            if index:
                yield ""
            yield from rule.lines(paint)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def data(self) -> dict[str, Any]:
        """The explanation as plain lists and dictionaries."""
        return dataclasses.asdict(self)


def format_cell_count(count: int) -> str:
    """A number of cells as text, `3 cells`."""
    return "1 cell" if count == 1 else f"{count:,} cells"


def _format_points(matched: Sequence[tuple[int, int, int]], count: int) -> str:
    """Places as text, grouped by position."""
    by_position: dict[int, list[str]] = {}
    for x, y, position in matched[:MAX_POINTS]:
        by_position.setdefault(position, []).append(f"({x},{y})")
    said = ", ".join(f"{' '.join(points)} {POSITION_NAMES[position]}" for position, points in by_position.items())
    return f"{plural(count, 'place')}: {said}" + f", and {count - MAX_POINTS:,} more" * (count > MAX_POINTS)


def _crop_origin(placement: Placement) -> tuple[int, int]:
    """The origin of the drawing of a large pattern, with the first wrong cell in its middle."""
    first = placement.wrong[0] if placement.wrong else None
    high, wide = len(placement.pattern), len(placement.pattern[0])
    if first is None:
        return 0, 0
    return max(0, min(first.column - MAX_DRAWN_SIDE // 2, wide - MAX_DRAWN_SIDE)), max(
        0, min(first.row - MAX_DRAWN_SIDE // 2, high - MAX_DRAWN_SIDE)
    )


def _format_row(row: str, marked: set[int], kind: str, paint: Paint) -> str:
    """A row with spaces between its cells, and the marked ones in brackets.

    >>> _format_row("#.*", {2}, "wrong", lambda _, text: text), _format_row("##", {0, 1}, "wrong", lambda _, text: text)
    (' # .[*]', '[#|#]')
    """
    drawn = ""
    for column, sign in enumerate(row):
        before = column - 1 in marked
        here = column in marked
        drawn += ("|" if before else "[") if here else "]" if before else " "
        drawn += paint(kind, sign) if here else sign
    return drawn + ("]" if len(row) - 1 in marked else " ")
