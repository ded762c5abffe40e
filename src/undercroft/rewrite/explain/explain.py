"""Explain why a rule matches or not: every place of a map, the nearest misses, and reasons that follow from the
program alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.survey import survey_tiles
from undercroft.core.region import Regions
from undercroft.errors import BadInput, unknown_name_error
from undercroft.rewrite.explain.explanation import (
    CellExplanation,
    Explanation,
    FirstFailure,
    Placement,
    PositionTrial,
    Reason,
    RuleExplanation,
    WrongCell,
)
from undercroft.rewrite.explain.near_misses import (
    MAX_NEAR_PLACES,
    OUTSIDE_CODE,
    MatchScan,
    changeable_cells,
    count_wrong_cells,
    crop_map,
    scan_map,
    wrong_cells,
)
from undercroft.rewrite.explain.reasons import RuleContext, WrittenTiles, find_reasons, list_rule_contexts
from undercroft.rewrite.explain.regions import explain_missing_region, find_placements_outside
from undercroft.rewrite.model.guards_slow import refuses
from undercroft.rewrite.model.program import ANY, Area, Program
from undercroft.rewrite.model.symmetry import Variant, list_variants
from undercroft.rewrite.text import areas, tile_wording
from undercroft.rewrite.text.expectations import apply_result

MAX_SHOWN_NEAREST = 8
MAX_TRIED_CELLS = 1 << 22
"""The most cells to examine to find the matches that guards refuse."""
_SET_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZαβγδεζηθικλμνξοπρστυφχψω"


def explain(
    program: Program,
    tiles: NDArray[np.uint8],
    *,
    rule: str | None = None,
    at: tuple[int, int] | None = None,
    regions: Regions | None = None,
) -> Explanation:
    """Explain all rules of a program on a map, or those with the name `rule`, or whose node has it. `at` is a cell of
    interest.

    Without `regions` they are surveyed if rules need them.
    """
    height, width = tiles.shape
    if at is not None and not (0 <= at[0] < width and 0 <= at[1] < height):
        raise BadInput(
            f"({at[0]},{at[1]}) is not on the map, which is {width}x{height}",
            fix=f"x goes from 0 to {width - 1}, y from 0 to {height - 1}",
        )
    everyone = list_rule_contexts(program)
    asked = [seat for seat in everyone if rule is None or rule in (seat.name, seat.leaf.name)]
    if not asked and rule is not None:
        raise unknown_name_error("rule", rule, dict.fromkeys(seat.name for seat in everyone))
    census = np.bincount(tiles.reshape(-1), minlength=256)
    if regions is None and any(seat.area for seat in asked):
        regions = survey_tiles(tiles, program.palette).regions
    written = WrittenTiles(everyone, program.palette)
    return Explanation(
        width,
        height,
        tuple(_RuleExplainer(program, tiles, census, written, seat, regions).explain(at) for seat in asked),
    )


class _RuleExplainer:
    """Explains one rule on one map."""

    def __init__(
        self,
        program: Program,
        tiles: NDArray[np.uint8],
        census: NDArray[np.int64],
        written: WrittenTiles,
        seat: RuleContext,
        regions: Regions | None,
    ) -> None:
        palette = program.palette
        self.regions = regions
        self.things = program.things
        self.palette, self.tiles, self.census, self.written, self.seat = palette, tiles, census, written, seat
        self.outside = seat.leaf.outside
        self.variants = list_variants([seat.rule], palette)
        signs = [tile_wording.format_tile(code, palette) for code in range(len(palette))]
        self.signs = [
            sign if len(sign) == 1 else palette.tiles[code].glyph.strip() or "·" for code, sign in enumerate(signs)
        ] + ["·"] * (256 - len(palette))
        self.signs[OUTSIDE_CODE] = " "
        self.letters: dict[int, str] = {}
        """Letters for sets of tiles in drawings, assigned on demand."""

    def explain(self, at: tuple[int, int] | None) -> RuleExplanation:
        rule, leaf = self.seat.rule, self.seat.leaf
        looks = [scan_map(self.tiles, variant, self.outside) for variant in self.variants]
        off: dict[int, int] = {}
        for found in looks:
            for count, places in found.off.items():
                off[count] = off.get(count, 0) + places
        nearest = self.ordered(
            [self.examine_placement(found.variant, x, y) for found in looks for _, y, x in found.nearest]
        )
        around = self.explain_cell(*at) if at else None
        return RuleExplanation(
            name=self.seat.name,
            node=leaf.name,
            kind=leaf.kind,
            written=str(rule.place or leaf.place or ""),
            positions=tuple(PositionTrial(*_shape(found.variant), found.places, found.matches) for found in looks),
            places=sum(found.places for found in looks),
            matches=sum(found.matches for found in looks),
            matched=tuple((x, y, found.variant.position) for found in looks for x, y in found.matched),
            off=dict(sorted(off.items())),
            firsts=tuple(
                sorted(
                    self.first_failures(looks),
                    key=lambda first: (-first.places, first.position, first.row, first.column),
                )
            ),
            nearest=tuple(map(self.render_placement, nearest[:MAX_SHOWN_NEAREST])),
            findings=(
                *find_reasons(self.seat, self.written, looks, self.palette, self.census, self.tiles.shape),
                *self.explain_refusals(looks),
            ),
            sets={sign: tile_wording.format_tile_set(mask, self.palette) for mask, sign in self.letters.items()},
            at=around,
        )

    def explain_refusals(self, looks: list[MatchScan]) -> Iterator[Reason]:
        """The guards and areas that refuse matches of the rule, with the number of refusals and the first place. Tries
        only as many matches as `MAX_TRIED_CELLS` allows.
        """
        listed = [(found.variant, x, y) for found in looks for x, y in found.matched]
        if self.seat.area and self.regions is not None and listed:
            yield from self.explain_outside_regions(
                self.seat.area, self.regions, listed, sum(found.matches for found in looks)
            )
        guards = self.seat.rule.guards
        places = listed[: max(1, MAX_TRIED_CELLS // self.tiles.size)]
        for guard in guards:
            refused = [
                (x, y)
                for variant, x, y in places
                if all(
                    refuses(
                        guard,
                        self.tiles,
                        apply_result(self.tiles, variant, result.cells, x, y)[0],
                        self.palette,
                        self.things,
                    )
                    for result in variant.results
                )
            ]
            if refused:
                said = tile_wording.describe_guard(guard, self.palette)
                yield Reason(
                    "refused",
                    f"`{said}` refuses {len(refused):,} of {len(places):,} matches, the first at "
                    f"({refused[0][0]},{refused[0][1]})",
                )

    def explain_outside_regions(
        self, area: Area, regions: Regions, places: list[tuple[Variant, int, int]], matches: int
    ) -> Iterator[Reason]:
        """The reason for matches that do not lie within one of the regions."""
        back = find_placements_outside(places, area, regions, self.tiles.shape)
        if not back:
            return
        said = areas.format_area(area, "each" if self.seat.leaf.each else "in")
        of = f"{matches:,}" if matches == len(places) else f"the first {len(places):,}"
        lack = explain_missing_region(area, regions)
        more = f"; {lack.problem}; {lack.fix}" if lack else f", the first at ({back[0][0]},{back[0][1]})"
        yield Reason(
            "elsewhere", f"`{said}` holds {len(back):,} of {of} {'match' if matches == 1 else 'matches'} back{more}"
        )

    def first_failures(self, looks: list[MatchScan]) -> Iterator[FirstFailure]:
        """The cells that fail first, with the tile found there most often."""
        for found in looks:
            for index, counts in found.firsts.items():
                row, column = divmod(index, found.variant.width)
                most = int(counts.argmax())
                wanted = tile_wording.format_tile_set(found.variant.pattern[index], self.palette)
                yield FirstFailure(
                    found.variant.position,
                    column,
                    row,
                    int(counts.sum()),
                    wanted,
                    tile_wording.format_tile(most, self.palette),
                    int(counts[most]),
                )

    def explain_cell(self, x: int, y: int) -> CellExplanation:
        """All placements that cover a cell."""
        height, width = self.tiles.shape
        found: list[_RawPlacement] = []
        covering = changing = leaving = 0
        for variant in self.variants:
            high, wide = variant.height, variant.width
            piece = crop_map(self.tiles, x - wide + 1, y - high + 1, 2 * wide - 1, 2 * high - 1, self.outside)
            wrong = count_wrong_cells(piece, variant, np.zeros((high, wide), bool), {})
            # the further up and left a placement starts, the further down and right the cell lies in it
            changed = changeable_cells(variant)[::-1, ::-1]
            tops, lefts = np.arange(y - high + 1, y + 1)[:, None], np.arange(x - wide + 1, x + 1)
            inside = (tops >= 0) & (tops + high <= height) & (lefts >= 0) & (lefts + wide <= width)
            covering += wrong.size
            changing += int(np.count_nonzero(changed))
            leaving += int(np.count_nonzero(changed & ~inside)) if self.outside < 0 else 0
            rank = (wrong + (~inside if self.outside < 0 else 0)) + np.where(changed, 0, 1 << 20)
            for index in np.argsort(rank.reshape(-1), kind="stable")[:MAX_NEAR_PLACES].tolist():
                up, left = divmod(index, wide)
                found.append(
                    self.examine_placement(
                        variant, int(lefts[left]), int(tops[up, 0]), changes_it=bool(changed[up, left])
                    )
                )
        return CellExplanation(
            x,
            y,
            covering,
            changing,
            leaving,
            tuple(map(self.render_placement, self.ordered(found)[:MAX_SHOWN_NEAREST])),
        )

    def examine_placement(self, variant: Variant, x: int, y: int, *, changes_it: bool = False) -> _RawPlacement:
        """A variant at a place, with its wrong cells."""
        height, width = self.tiles.shape
        sides = {"left": x < 0, "right": x + variant.width > width, "top": y < 0, "bottom": y + variant.height > height}
        leaves = tuple(side for side, over in sides.items() if over) if self.outside < 0 else ()
        return _RawPlacement(
            variant, x, y, tuple(wrong_cells(self.tiles, variant, self.outside, x, y)), leaves, changes_it
        )

    def ordered(self, placements: list[_RawPlacement]) -> list[_RawPlacement]:
        """The placements sorted: first those that change the requested cell, then by wrong cells, where leaving the map
        counts as one. Ties go to the rarest wrong tile.
        """

        def rank(put: _RawPlacement) -> tuple[int, ...]:
            common = sum(int(self.census[code]) for _, code in put.wrong)
            return (
                not put.changes,
                len(put.wrong) + bool(put.leaves),
                bool(put.leaves),
                common,
                put.variant.position,
                put.y,
                put.x,
            )

        return sorted(placements, key=rank)

    def render_placement(self, put: _RawPlacement) -> Placement:
        """A placement for display: in signs, with the map and the pattern row by row."""
        variant = put.variant
        height, width = self.tiles.shape
        wrong = []
        for index, code in put.wrong:
            row, column = divmod(index, variant.width)
            x, y = put.x + column, put.y + row
            wanted, found = (
                tile_wording.format_tile_set(variant.pattern[index], self.palette),
                tile_wording.format_tile(code, self.palette),
            )
            wrong.append(WrongCell(x, y, column, row, wanted, found, outside=not (0 <= x < width and 0 <= y < height)))
        piece = crop_map(self.tiles, put.x, put.y, variant.width, variant.height, self.outside)
        ground = tuple("".join(self.signs[code] for code in row) for row in piece.tolist())
        pattern = "".join(map(self.sign, variant.pattern))
        rows = tuple(pattern[start : start + variant.width] for start in range(0, len(pattern), variant.width))
        return Placement(put.x, put.y, variant.position, tuple(wrong), put.leaves, put.changes, ground, rows)

    def sign(self, mask: int) -> str:
        """The sign of a pattern cell in a drawing: `?`, a tile's own sign, or a new letter for the set."""
        if mask == ANY:
            return "?"
        if mask.bit_count() == 1:
            return self.signs[mask.bit_length() - 1]
        if mask not in self.letters:
            taken = {*self.letters.values(), *self.signs}
            self.letters[mask] = next((sign for sign in _SET_LETTERS if sign not in taken), "&")
        return self.letters[mask]


class _RawPlacement(NamedTuple):
    """A variant at a place; wrong cells as (pattern cell, tile found there)."""

    variant: Variant
    x: int
    y: int
    wrong: tuple[tuple[int, int], ...]
    leaves: tuple[str, ...]
    changes: bool


def _shape(variant: Variant) -> tuple[int, int, int, int]:
    return variant.position, variant.copies, variant.width, variant.height
