"""Why a rule matches, or does not: every place of a map, the nearest misses, and what can be known without looking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.survey import survey
from undercroft.core.region import Regions
from undercroft.errors import BadInput, unknown
from undercroft.rewrite.explain import wording
from undercroft.rewrite.explain.explanation import At, Explained, Explanation, Finding, First, Placement, Tried, Wrong
from undercroft.rewrite.explain.near_misses import BEYOND, MOST_NEAR, Look, changes, counted, cut, look, wrong_cells
from undercroft.rewrite.explain.reasons import Seat, reasons, seats
from undercroft.rewrite.explain.regions import held_back, lacking
from undercroft.rewrite.model.guards_slow import refuses
from undercroft.rewrite.model.program import ANY, Area, Program
from undercroft.rewrite.model.symmetry import Variant, variants
from undercroft.rewrite.text import areas
from undercroft.rewrite.text.expectations import written
from undercroft.rewrite.text.guards import written as written_guard

MOST_NEAREST = 8
MOST_TRIED = 1 << 22
"""Cells that are looked at to find out what guards refuse."""
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZαβγδεζηθικλμνξοπρστυφχψω"


def explain(
    program: Program,
    tiles: NDArray[np.uint8],
    *,
    rule: str | None = None,
    at: tuple[int, int] | None = None,
    regions: Regions | None = None,
) -> Explanation:
    """Explain all rules of a program on a map, or those that are called so, or whose node is. `at` is a cell one
    wonders about.

    If there are no `regions`, and rules act in some, they are found.
    """
    height, width = tiles.shape
    if at is not None and not (0 <= at[0] < width and 0 <= at[1] < height):
        raise BadInput(
            f"({at[0]},{at[1]}) is not on the map, which is {width}x{height}",
            fix=f"x goes from 0 to {width - 1}, y from 0 to {height - 1}",
        )
    everyone = seats(program)
    asked = [seat for seat in everyone if rule is None or rule in (seat.name, seat.leaf.name)]
    if not asked and rule is not None:
        raise unknown("rule", rule, dict.fromkeys(seat.name for seat in everyone))
    census = np.bincount(tiles.reshape(-1), minlength=256)
    if regions is None and any(seat.area for seat in asked):
        regions = survey(tiles, program.palette).regions
    return Explanation(
        width, height, tuple(_Case(program, tiles, census, everyone, seat, regions).explained(at) for seat in asked)
    )


class _Case:
    """One rule on one map."""

    def __init__(
        self,
        program: Program,
        tiles: NDArray[np.uint8],
        census: NDArray[np.int64],
        everyone: list[Seat],
        seat: Seat,
        regions: Regions | None,
    ) -> None:
        palette = program.palette
        self.regions = regions
        self.things = program.things
        self.palette, self.tiles, self.census, self.everyone, self.seat = palette, tiles, census, everyone, seat
        self.outside = seat.leaf.outside
        self.variants = variants([seat.rule], palette)
        signs = [wording.tile(code, palette) for code in range(len(palette))]
        self.signs = [
            sign if len(sign) == 1 else palette.tiles[code].glyph.strip() or "·" for code, sign in enumerate(signs)
        ] + ["·"] * (256 - len(palette))
        self.signs[BEYOND] = " "
        self.letters: dict[int, str] = {}
        """Letters that stand for sets of tiles in drawings, given out as they are needed."""

    def explained(self, at: tuple[int, int] | None) -> Explained:
        rule, leaf = self.seat.rule, self.seat.leaf
        looks = [look(self.tiles, variant, self.outside) for variant in self.variants]
        off: dict[int, int] = {}
        for found in looks:
            for count, places in found.off.items():
                off[count] = off.get(count, 0) + places
        nearest = self.ordered([self.placed(found.variant, x, y) for found in looks for _, y, x in found.nearest])
        around = self.around(*at) if at else None
        return Explained(
            name=self.seat.name,
            node=leaf.name,
            kind=leaf.kind,
            written=str(rule.place or leaf.place or ""),
            positions=tuple(Tried(*_shape(found.variant), found.places, found.matches) for found in looks),
            places=sum(found.places for found in looks),
            matches=sum(found.matches for found in looks),
            matched=tuple((x, y, found.variant.position) for found in looks for x, y in found.matched),
            off=dict(sorted(off.items())),
            firsts=tuple(
                sorted(self.firsts(looks), key=lambda first: (-first.places, first.position, first.row, first.column))
            ),
            nearest=tuple(map(self.drawn, nearest[:MOST_NEAREST])),
            findings=(
                *reasons(self.seat, self.everyone, looks, self.palette, self.census, self.tiles.shape),
                *self.held_back(looks),
            ),
            sets={sign: wording.tiles(mask, self.palette) for mask, sign in self.letters.items()},
            at=around,
        )

    def held_back(self, looks: list[Look]) -> Iterator[Finding]:
        """What refuses matches of the rule, its guards and the regions it acts in, with how many and where first; as
        many are tried as take a moment.
        """
        listed = [(found.variant, x, y) for found in looks for x, y in found.matched]
        if self.seat.area and self.regions is not None and listed:
            yield from self.elsewhere(self.seat.area, self.regions, listed, sum(found.matches for found in looks))
        guards = self.seat.rule.guards
        places = listed[: max(1, MOST_TRIED // self.tiles.size)]
        for guard in guards:
            refused = [
                (x, y)
                for variant, x, y in places
                if all(
                    refuses(
                        guard,
                        self.tiles,
                        written(self.tiles, variant, result.cells, x, y)[0],
                        self.palette,
                        self.things,
                    )
                    for result in variant.results
                )
            ]
            if refused:
                said = written_guard(guard, lambda mask, between: wording.listed(mask, self.palette, between))
                yield Finding(
                    "refused",
                    f"`{said}` refuses {len(refused):,} of {len(places):,} matches, the first at "
                    f"({refused[0][0]},{refused[0][1]})",
                )

    def elsewhere(
        self, area: Area, regions: Regions, places: list[tuple[Variant, int, int]], matches: int
    ) -> Iterator[Finding]:
        """The matches that do not lie within one of the regions."""
        back = held_back(places, area, regions, self.tiles.shape)
        if not back:
            return
        said = areas.written(area, "each" if self.seat.leaf.each else "in")
        of = f"{matches:,}" if matches == len(places) else f"the first {len(places):,}"
        lack = lacking(area, regions)
        more = f"; {lack.problem}; {lack.fix}" if lack else f", the first at ({back[0][0]},{back[0][1]})"
        yield Finding(
            "elsewhere", f"`{said}` holds {len(back):,} of {of} {'match' if matches == 1 else 'matches'} back{more}"
        )

    def firsts(self, looks: list[Look]) -> Iterator[First]:
        """The cells that fail first, with what stood there most often."""
        for found in looks:
            for index, counts in found.firsts.items():
                row, column = divmod(index, found.variant.width)
                most = int(counts.argmax())
                wanted = wording.tiles(found.variant.pattern[index], self.palette)
                yield First(
                    found.variant.position,
                    column,
                    row,
                    int(counts.sum()),
                    wanted,
                    wording.tile(most, self.palette),
                    int(counts[most]),
                )

    def around(self, x: int, y: int) -> At:
        """All placements that cover a cell."""
        height, width = self.tiles.shape
        found: list[_Put] = []
        covering = changing = leaving = 0
        for variant in self.variants:
            high, wide = variant.height, variant.width
            piece = cut(self.tiles, x - wide + 1, y - high + 1, 2 * wide - 1, 2 * high - 1, self.outside)
            wrong = counted(piece, variant, np.zeros((high, wide), bool), {})
            # the further up and left a placement begins, the further down and right the cell lies in it
            changed = changes(variant)[::-1, ::-1]
            tops, lefts = np.arange(y - high + 1, y + 1)[:, None], np.arange(x - wide + 1, x + 1)
            inside = (tops >= 0) & (tops + high <= height) & (lefts >= 0) & (lefts + wide <= width)
            covering += wrong.size
            changing += int(np.count_nonzero(changed))
            leaving += int(np.count_nonzero(changed & ~inside)) if self.outside < 0 else 0
            rank = (wrong + (~inside if self.outside < 0 else 0)) + np.where(changed, 0, 1 << 20)
            for index in np.argsort(rank.reshape(-1), kind="stable")[:MOST_NEAR].tolist():
                up, left = divmod(index, wide)
                found.append(
                    self.placed(variant, int(lefts[left]), int(tops[up, 0]), changes_it=bool(changed[up, left]))
                )
        return At(x, y, covering, changing, leaving, tuple(map(self.drawn, self.ordered(found)[:MOST_NEAREST])))

    def placed(self, variant: Variant, x: int, y: int, *, changes_it: bool = False) -> _Put:
        """A variant at a place, with what is wrong there."""
        height, width = self.tiles.shape
        sides = {"left": x < 0, "right": x + variant.width > width, "top": y < 0, "bottom": y + variant.height > height}
        leaves = tuple(side for side, over in sides.items() if over) if self.outside < 0 else ()
        return _Put(variant, x, y, tuple(wrong_cells(self.tiles, variant, self.outside, x, y)), leaves, changes_it)

    def ordered(self, placements: list[_Put]) -> list[_Put]:
        """Those first that change the cell asked about, then by wrong cells; leaving the map counts as one. Among
        equals the rarest tile in the way wins.
        """

        def rank(put: _Put) -> tuple[int, ...]:
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

    def drawn(self, put: _Put) -> Placement:
        """The same for people: in signs, with the map and the pattern row by row."""
        variant = put.variant
        height, width = self.tiles.shape
        wrong = []
        for index, code in put.wrong:
            row, column = divmod(index, variant.width)
            x, y = put.x + column, put.y + row
            wanted, found = wording.tiles(variant.pattern[index], self.palette), wording.tile(code, self.palette)
            wrong.append(Wrong(x, y, column, row, wanted, found, outside=not (0 <= x < width and 0 <= y < height)))
        piece = cut(self.tiles, put.x, put.y, variant.width, variant.height, self.outside)
        ground = tuple("".join(self.signs[code] for code in row) for row in piece.tolist())
        pattern = "".join(map(self.sign, variant.pattern))
        rows = tuple(pattern[start : start + variant.width] for start in range(0, len(pattern), variant.width))
        return Placement(put.x, put.y, variant.position, tuple(wrong), put.leaves, put.changes, ground, rows)

    def sign(self, mask: int) -> str:
        """A pattern cell in a drawing: `?`, a tile's own sign, or a letter that is given to the set now."""
        if mask == ANY:
            return "?"
        if mask.bit_count() == 1:
            return self.signs[mask.bit_length() - 1]
        if mask not in self.letters:
            taken = {*self.letters.values(), *self.signs}
            self.letters[mask] = next((sign for sign in _LETTERS if sign not in taken), "&")
        return self.letters[mask]


class _Put(NamedTuple):
    """A variant at a place; wrong cells as (pattern cell, what stands there)."""

    variant: Variant
    x: int
    y: int
    wrong: tuple[tuple[int, int], ...]
    leaves: tuple[str, ...]
    changes: bool


def _shape(variant: Variant) -> tuple[int, int, int, int]:
    return variant.position, variant.copies, variant.width, variant.height
