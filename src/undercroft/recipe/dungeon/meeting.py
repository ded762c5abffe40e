"""Where stairs meet: for each link a cell that suits both of its floors, found from the two bare floors and the anchors
alone.

Each walkable cell of a floor is on the side of the link whose anchor it is nearest to, on foot. A link looks on its own
sides only, and so far from the others that two links can never meet. So no link has to know where another one went, and
a floor needs no more than the bare floors beside it. A link that finds nothing there gets a second round, which knows
the cells of the first one: see `fallbacks`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Regions
from undercroft.core.rng import Rng
from undercroft.errors import NotMet
from undercroft.kernels import buffer, flat_buffer
from undercroft.kernels import stairs as kernel
from undercroft.recipe.dungeon.ground import Ground, Mask, Point, Steps, near_cells
from undercroft.recipe.dungeon.plan import DungeonPlan, LinkPlan

APART_CELLS = 3
"""How many rows and columns from another side stairs must be, and from other stairs."""
DEAD_END_SCORE = 12
"""What a dead end is worth, in steps from other stairs."""
TAG_SCORES = {
    **dict.fromkeys(("entrance", "start", "exit", "landing", "hall"), 10),
    **dict.fromkeys(("secret", "vault", "treasure", "shop", "boss", "shrine"), -40),
}
"""What the tags of a room are worth."""
MOST_STEPS = 1 << 20
"""The steps from other stairs that count at most."""
ANY_STEPS = -1
"""What stands for a number of steps that does not matter."""


Where = Literal["on side", "apart", "anywhere"]


class StairsRules(NamedTuple):
    """What a recipe asks of stairs: the table [stairs], worked out."""

    place: str = "alcove"
    """alcove: where there is one, else on the floor; floor: on the floor only; any: both alike."""
    apart: float = 0.4
    """The steps between two stairs of a floor, as a share of its own path."""
    margin: int = 20
    """How much nearer to its own anchor than to any other stairs must be, in steps."""
    dig: int = 12
    """The longest corridor that may be dug to an alcove; 0: none."""
    near: int = 0
    """How far the two ends of a link may lie apart, if nothing else is found."""


class StairsEnd(NamedTuple):
    """The place of stairs on one floor."""

    cell: Point
    mouth: Point
    """The open cell by which one gets there; that of the stairs itself if they stand on the floor."""
    dug: tuple[Point, ...] = ()
    """The cells of a corridor to it, the mouth among them."""

    @property
    def is_alcove(self) -> bool:
        return self.cell != self.mouth


class Meeting(NamedTuple):
    """The two ends of a link."""

    upper: StairsEnd
    lower: StairsEnd
    note: str = ""
    """What had to give way; empty if nothing had to."""

    def end_on(self, link: LinkPlan, floor: str) -> StairsEnd:
        return self.upper if floor == link.upper else self.lower


class Fits:
    """The cells of a floor where the stairs of one link may be: alcoves, and cells of the floor. The latter are looked
    for when they are first needed: most links find an alcove.
    """

    def __init__(self, alcoves: Mask, find_floor: Callable[[], Mask], apart: Mask, scores: NDArray[np.int64]) -> None:
        self.alcoves, self.apart, self.scores = alcoves, apart, scores
        """`apart` are the cells that are far from the anchor cells of the other links: they are taken first."""
        self._find_floor = find_floor

    @functools.cached_property
    def floor(self) -> Mask:
        """The cells of the floor."""
        return self._find_floor()


class MeetingPoints:
    """Finds the cells of links, each when it is first asked for. `ground` gives the bare floor of an id."""

    def __init__(
        self,
        plan: DungeonPlan,
        anchors: Mapping[str, Point],
        ground: Callable[[str], Ground],
        rules: StairsRules,
        rng: Rng,
    ) -> None:
        self.plan, self.anchors, self.ground, self.rules, self.rng = plan, anchors, ground, rules, rng
        self._sides: dict[str, Sides] = {}
        self._first: dict[str, Meeting | None] = {}
        self._second: dict[str, Meeting] = {}
        self._colours = plan.colours()

    def meet(self, link: LinkPlan) -> Meeting:
        """The cells of a link. Raises `NotMet` if there are none, even with all that may give way."""
        return self.first_round(link) or self._second_round(link)

    def first_round(self, link: LinkPlan) -> Meeting | None:
        """The cells of a link on its own sides; None if there are none."""
        if link.name not in self._first:
            upper, lower = (self.sides(floor).fits(link) for floor in link.pair)
            self._first[link.name] = self.choose(link, upper, lower)
        return self._first[link.name]

    def sides(self, floor: str) -> Sides:
        """The sides of a floor."""
        if floor not in self._sides:
            self._sides[floor] = Sides(self.plan.links_of(floor), self.anchors, self.ground(floor), self.rules)
        return self._sides[floor]

    def _second_round(self, link: LinkPlan) -> Meeting:
        if link.name not in self._second:
            from undercroft.recipe.dungeon.fallbacks import Fallbacks  # few links need one

            known = {
                floor: [meeting.end_on(other, floor) for other, meeting in self._known_before(link, floor)]
                for floor in link.pair
            }
            self._second[link.name] = Fallbacks(self, link, known).find()
        return self._second[link.name]

    def _known_before(self, link: LinkPlan, floor: str) -> Iterable[tuple[LinkPlan, Meeting]]:
        """The other links of a floor whose cells a second round knows: all that were found in the first one, and those
        of the second one whose turn came before. Turns go by colour: links of the same colour share no floor.
        """
        for other in self.plan.links_of(floor):
            if other is link:
                continue
            meeting = self.first_round(other)
            if meeting is None and self._turn(other) < self._turn(link):
                meeting = self._second_round(other)
            if meeting is not None:
                yield other, meeting

    def _turn(self, link: LinkPlan) -> tuple[int, int]:
        return self._colours[link.pair], self.plan.links.index(link)

    def choose(self, link: LinkPlan, upper: Fits, lower: Fits, note: str = "") -> Meeting | None:
        """The best cell that fits both floors."""
        width, height = self.common_size(link)
        both = [_cut(fits, width, height) for fits in (upper, lower)]
        scores = both[0].scores + both[1].scores
        for masks in self._list_wanted(*both):
            if masks.any():
                cell = choose_cell(masks, scores, self.rng.stream(f"stairs/{link.name}"))
                return Meeting(self._end_at(link.upper, both[0], cell), self._end_at(link.lower, both[1], cell), note)
        return None

    def _list_wanted(self, upper: Fits, lower: Fits) -> Iterator[Mask]:
        """The cells to choose from, the best kind first."""
        for apart in (upper.apart & lower.apart, True):
            if self.rules.place == "alcove":
                yield upper.alcoves & lower.alcoves & apart
            if self.rules.place == "floor":
                yield upper.floor & lower.floor & apart
            else:
                yield (upper.alcoves | upper.floor) & (lower.alcoves | lower.floor) & apart

    def _end_at(self, floor: str, fits: Fits, cell: Point) -> StairsEnd:
        x, y = cell
        return StairsEnd(cell, self.ground(floor).mouth_of(cell) if fits.alcoves[y, x] else cell)

    def common_size(self, link: LinkPlan) -> tuple[int, int]:
        """The size of what both floors cover. Raises if an anchor has no ground, so that nothing can meet."""
        grounds = [self.ground(floor) for floor in link.pair]
        for floor, ground in zip(link.pair, grounds, strict=True):
            if not ground.part.any():
                raise NotMet(
                    f"nobody can walk on floor {floor}, so no stairs lead there",
                    fix="give it another recipe, or other parameters",
                    rejected={f"no ground on floor {floor}": 1},
                )
        return min(ground.width for ground in grounds), min(ground.height for ground in grounds)


class Sides:
    """The sides of a floor: which link each walkable cell belongs to."""

    def __init__(
        self, links: Sequence[LinkPlan], anchors: Mapping[str, Point], ground: Ground, rules: StairsRules
    ) -> None:
        self.links, self.ground, self.rules = links, ground, rules
        cells = [ground.nearest_cell(anchors[link.name]) for link in links]
        self.steps: Steps = np.empty((len(links), ground.height * ground.width), np.int32)
        """For each link, the steps from its anchor cell."""
        for row, cell in zip(self.steps, cells, strict=True):
            row[:] = ground.steps_from([cell] if cell else []).reshape(-1)

    @functools.cached_property
    def labels(self) -> NDArray[np.int32]:
        """The index of the link whose side a cell is on; ties go to the first. Cells outside of the part have -1."""
        sides = np.empty(self.ground.part.shape, np.int32)
        kernel.find_sides(_view_cells(self.ground.part), buffer(self.steps), flat_buffer(sides))
        return sides

    def fits(self, link: LinkPlan, where: Where = "on side", keep_off: Mask | None = None) -> Fits:
        """The cells where the stairs of a link may be: on its side and away from the others, `apart` from the anchor
        cells of the others, or anywhere; none of `keep_off`.
        """
        index, ground = self.links.index(link), self.ground
        has_others = len(self.links) > 1
        closed = np.zeros(ground.part.shape, bool) if keep_off is None else keep_off
        margin = least_apart = wished_apart = ANY_STEPS
        if has_others:
            wished_apart = round(self.rules.apart * ground.path_steps)
            if where == "on side":
                margin = self.rules.margin
                closed = closed | near_cells(ground.part & (self.labels != index), APART_CELLS)
            elif where == "apart":
                least_apart = wished_apart
        alcoves, fitting, apart = (np.empty(ground.part.shape, bool) for _ in range(3))
        kernel.fit_cells(
            _view_cells(ground.part),
            _view_cells(ground.alcoves.cells),
            flat_buffer(ground.alcoves.mouths),
            _view_cells(closed),
            buffer(self.steps),
            index,
            margin,
            least_apart,
            wished_apart,
            *(_view_cells(mask) for mask in (alcoves, fitting, apart)),
        )
        return Fits(alcoves, lambda: ground.floor_cells & fitting, apart, self._score_cells(index, alcoves, fitting))

    @functools.cached_property
    def _label_scores(self) -> NDArray[np.int64]:
        return score_tags(self.ground.level.regions)

    def _score_cells(self, index: int, alcoves: Mask, fitting: Mask) -> NDArray[np.int64]:
        """The scores of these cells for a link. An alcove has that of its mouth."""
        ground = self.ground
        regions, scores = ground.level.regions, np.empty(ground.part.shape, np.int64)
        kernel.score_cells(
            _view_cells(ground.part),
            flat_buffer(ground.alcoves.mouths),
            flat_buffer(regions.labels),
            buffer(self._label_scores),
            DEAD_END_SCORE,
            buffer(self.steps),
            index,
            MOST_STEPS,
            ground.width,
            *(_view_cells(alcoves), _view_cells(fitting), flat_buffer(scores)),
        )
        return scores


def _view_cells(mask: Mask) -> Any:
    """A mask as the kernels take it."""
    return flat_buffer(mask.view(np.uint8))


def choose_cell(mask: Mask, scores: NDArray[np.int64], rng: Rng) -> Point:
    """The cell of a mask with the greatest score; one draw decides between equals."""
    ys, xs = np.nonzero(mask)
    found = scores[ys, xs]
    best = np.flatnonzero(found == found.max())
    at = int(best[rng.below(len(best))])
    return int(xs[at]), int(ys[at])


def score_tags(regions: Regions) -> NDArray[np.int64]:
    """The score of each label by the tags of its region."""
    table = np.zeros(len(regions) + 1, np.int64)
    for label, tags in regions.tags.items():
        table[label] = sum(TAG_SCORES.get(tag, 0) for tag in tags)
    return table


def _cut(fits: Fits, width: int, height: int) -> Fits:
    part = slice(height), slice(width)
    return Fits(fits.alcoves[part], lambda: fits.floor[part], fits.apart[part], fits.scores[part])
