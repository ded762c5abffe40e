"""Make a dungeon, or single floors of it. A floor alone is the same as the floor of the whole.

A floor is made in three parts, each with streams of its own from the seed and the floor's id: *bare* by its recipe,
*stairs* from the bare floors that they join, and *finish* by the recipes that follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from undercroft.analysis.measures.dungeon_measures import DungeonFacts
from undercroft.analysis.measures.table import measure
from undercroft.analysis.regions.number_regions import number_tables
from undercroft.analysis.tally import RequirementTally, judge_level
from undercroft.core.dungeon import Dungeon, Floor, check_floor_cells, resolve_floor_id
from undercroft.core.level import Level
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import BadInput, NotMet, OutOfBudget, UndercroftError
from undercroft.recipe.attempts import describe_unmet
from undercroft.recipe.dungeon.anchors import draw_anchors
from undercroft.recipe.dungeon.document import DungeonRecipe
from undercroft.recipe.dungeon.dress import (
    Dressed,
    FloorStairs,
    Shaft,
    clear_bare_stairs,
    dress_floor,
    drop_new_stairs,
    finish_way,
)
from undercroft.recipe.dungeon.ground import Ground
from undercroft.recipe.dungeon.meeting import MeetingPoints
from undercroft.recipe.dungeon.plan import DungeonPlan
from undercroft.recipe.dungeon.request import DungeonRequest
from undercroft.recipe.dungeon.shafts import find_shafts
from undercroft.recipe.outcome import Result
from undercroft.recipe.request import Request
from undercroft.recipe.run import draw_seed, run_request
from undercroft.version import VERSION
from undercroft.wording import plural

Progress = Callable[[str], None]


class FloorResult(NamedTuple):
    """A floor, and what the user should know about it."""

    floor: Floor
    notes: tuple[str, ...]


class DungeonMaker:
    """Makes the floors of one attempt, each when it is first asked for."""

    def __init__(
        self,
        request: DungeonRequest,
        attempt: int = 0,
        *,
        cancelled: Callable[[], bool] | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.request, self.attempt = request, attempt
        self._cancelled, self._progress = cancelled, progress
        recipe = request.recipe
        self.rng = Rng.root(request.seed_number, attempt).stream("dungeon")
        self.plan: DungeonPlan = recipe.plan(request.params, self.rng)
        self.rules = recipe.stairs.rules({**request.params, "floors": self._deepest})
        self.sizes = {
            id_: recipe.floor_size(recipe.tables[floor.table], request.size) for id_, floor in self.plan.floors.items()
        }
        self._params: dict[str, dict[str, Any]] = {}
        self._bare: dict[str, Result] = {}
        self._grounds: dict[str, Ground] = {}
        self._shafts: dict[tuple[str, str], tuple[list[Shaft], str]] = {}
        self._results: dict[str, FloorResult] = {}
        self.points = MeetingPoints(
            self.plan, draw_anchors(self.plan, self.sizes, self.rng), self.ground, self.rules, self.rng
        )

    @property
    def _deepest(self) -> int:
        return max(floor.depth for floor in self.plan.floors.values() if not floor.branch)

    def check(self) -> None:
        """Raise if the floors are too large together, or the recipe of one takes no such parameters, or no such size:
        before any work on the others.
        """
        check_floor_cells(self.sizes.values())
        for id_ in self.plan.floors:
            self._prepare(id_)

    def _prepare(self, id_: str) -> dict[str, Any]:
        """The parameters of a floor's recipe, checked."""
        if id_ in self._params:
            return self._params[id_]
        recipe = self.request.recipe
        table = recipe.tables[self.plan.floors[id_].table]
        params = table.params(recipe.floor_values(self.request.params, self.plan, id_))
        try:
            table.recipe.prepare(params, *self.sizes[id_])
        except UndercroftError as error:
            raise _name_floor(error, id_, table.recipe.name) from None
        self._params[id_] = params
        return params

    def make_all(self) -> tuple[Dungeon, tuple[str, ...]]:
        """The whole dungeon, with notes."""
        self.check()
        return self.assemble([self.make_floor(id_) for id_ in self.plan.floors])

    def assemble(self, results: Sequence[FloorResult]) -> tuple[Dungeon, tuple[str, ...]]:
        """The dungeon of all its floors, with notes."""
        floors = [result.floor for result in results]
        by_id = {floor.id: floor.level for floor in floors}
        last = max((floor for floor in floors if not floor.branch), key=lambda floor: floor.depth)
        start, end = floors[0].level.start, last.level.end
        dungeon = Dungeon(
            floors,
            title=self.request.recipe.title or by_id["1"].title,
            provenance=self.describe(),
            start=None if start is None else ("1", *start),
            end=None if end is None else (last.id, *end),
        )
        return dungeon, tuple(f"floor {result.floor.id}: {note}" for result in results for note in result.notes)

    def make_floor(self, id_: str) -> FloorResult:
        """A finished floor."""
        if id_ not in self._results:
            resolve_floor_id(id_, self.plan.floors)
            self._results[id_] = self._finish(id_)
        return self._results[id_]

    def bare(self, id_: str) -> Result:
        """A floor as its recipe makes it, without stairs."""
        if id_ not in self._bare:
            if self._progress is not None:
                self._progress(id_)
            floor = self.plan.floors[id_]
            table = self.request.recipe.tables[floor.table]
            try:
                request = Request(
                    table.recipe,
                    seed=self._part_seed(id_, "bare"),
                    size=self.sizes[id_],
                    params=self._prepare(id_),
                    tries=self.request.floor_tries,
                    max_steps=self.request.max_steps,
                    max_cells=self.request.max_cells,
                )
                made = run_request(request, cancelled=self._cancelled).unwrap()
                self._bare[id_] = made._replace(level=clear_bare_stairs(made.level))
            except UndercroftError as error:
                raise _name_floor(error, id_, table.recipe.name) from None
        return self._bare[id_]

    def ground(self, id_: str) -> Ground:
        """What a bare floor offers to stairs."""
        if id_ not in self._grounds:
            self._grounds[id_] = Ground(self.bare(id_).level, self._run())
        return self._grounds[id_]

    def shafts(self, pair: tuple[str, str]) -> tuple[list[Shaft], str]:
        """The shafts between two floors, and a note."""
        if pair not in self._shafts:
            self._shafts[pair] = find_shafts(self.points, pair, self.plan.shafts.get(pair, 0))
        return self._shafts[pair]

    def _finish(self, id_: str) -> FloorResult:
        floor, bare = self.plan.floors[id_], self.bare(id_)
        table = self.request.recipe.tables[floor.table]
        dressed, notes = self._dress(id_, bare.level)
        level, attempt = dressed.level, 0
        if table.finish:
            level, attempt, more = self._apply_finish(id_, dressed)
            notes += more
        record = self._describe_floor(id_, bare, level, attempt)
        regions, doors, links = number_tables(level, self._run()) or (level.regions, level.doors, level.links)
        level = level.replace(regions=regions, doors=doors, links=links, provenance=record)
        return FloorResult(Floor(id_, floor.branch, floor.depth, level), (*bare.notes, *notes))

    def _dress(self, id_: str, bare: Level) -> tuple[Dressed, list[str]]:
        """A bare floor with its stairs, and notes."""
        notes, stairs = [], []
        for link in self.plan.links_of(id_):
            meeting = self.points.meet(link)
            stairs.append(FloorStairs.of(link, meeting, id_))
            if meeting.note and id_ == link.upper:
                notes.append(meeting.note)
        shafts: list[Shaft] = []
        for pair in self.plan.shafts:
            if id_ in pair:
                found, note = self.shafts(pair)
                shafts += found
                if note and id_ == pair[0]:
                    notes.append(note)
        lost = self.ground(id_).lost_cells
        if lost:
            notes.append(f"{plural(lost, 'cell')} outside of the part with the stairs")
        before, after = self._main_stairs(id_, stairs)
        way = self.request.recipe.stairs.way
        back = "up" if way == "down" else "down"
        exits = (
            back if id_ == "1" else "",
            way if self.request.recipe.stairs.bottom == "exit" and id_ == str(self._deepest) else "",
        )
        trap = self.request.recipe.shafts_trap
        landings = [shaft.cell for shaft in shafts if shaft.lower == id_ and not trap]
        return dress_floor(bare, id_, stairs, shafts, (before, after), exits, landings, self._run()), notes

    def _main_stairs(self, id_: str, stairs: Sequence[FloorStairs]) -> tuple[Any, Any]:
        """The cells of the stairs by which one comes to a floor and by which one goes on; None where there are none."""
        first = [one for one in stairs if one.link.kind != "extra"]
        before = next((one.here.cell for one in first if one.link.lower == id_ and one.link.kind != "return"), None)
        on = self.plan.floors[id_].branch
        after = next(
            (one.here.cell for one in first if one.link.upper == id_ and (one.link.kind == "main" if not on else True)),
            None,
        )
        return before, after

    def _apply_finish(self, id_: str, dressed: Dressed) -> tuple[Level, int, list[str]]:
        """The floor after the recipes that follow, the number of the attempt, and notes."""
        table = self.request.recipe.tables[self.plan.floors[id_].table]
        recipe = self.request.recipe.chain_finish(table)
        first, tried = 0, self.request.floor_tries
        try:
            while True:
                request = Request(
                    recipe,
                    seed=self._part_seed(id_, "finish"),
                    begin=dressed.level,
                    frozen=dressed.frozen,
                    first_attempt=first,
                    tries=tried - first,
                    max_steps=self.request.max_steps,
                ).without_begin_record()
                result = run_request(request, cancelled=self._cancelled).unwrap()
                level = finish_way(drop_new_stairs(result.level, dressed.level), dressed, self._run())
                if level is not None:
                    return level, result.attempt, list(result.notes)
                first = result.attempt + 1
                if first >= tried:
                    raise NotMet(
                        f"no finish of {plural(tried, 'try')} leaves the stairs joined",
                        fix="leave out what closes ways, or raise the number of tries",
                        rejected={"stairs are parted": 1},
                    )
        except UndercroftError as error:
            raise _name_floor(error, id_, " and ".join(part.name for part in table.finish)) from None

    def _run(self) -> Run:
        return Run(budget=self.request.max_steps, cancelled=self._cancelled)

    def _part_seed(self, id_: str, part: str) -> str:
        """The seed of a part of a floor."""
        again = f"#{self.attempt}" if self.attempt else ""
        return f"{self.request.seed_number}{again}/{id_}/{part}"

    def describe(self) -> dict[str, Any]:
        """The provenance of the dungeon."""
        request = self.request
        found: dict[str, Any] = {"recipe": request.recipe.name, "seed": str(request.seed_number)}
        if isinstance(request.seed, str) and request.seed != str(request.seed_number):
            found["seed_text"] = request.seed
        found |= {"attempt": self.attempt, "params": request.params, "version": VERSION}
        if request.size is not None:
            found["size"] = request.size
        return found

    def _describe_floor(self, id_: str, bare: Result, level: Level, finish_attempt: int) -> dict[str, Any]:
        """The provenance of a floor: that of its bare part, with the dungeon's and the attempts."""
        own = dict(bare.level.provenance)
        editions = {**own.get("editions", {}), **level.provenance.get("editions", {})}
        record: Mapping[str, Any] = {
            **own,
            **({"editions": editions} if editions else {}),
            "dungeon": {
                **self.describe(),
                "floor": id_,
                "attempts": {"bare": bare.attempt, "finish": finish_attempt},
            },
        }
        return dict(record)


def make_dungeon(
    request: DungeonRequest,
    *,
    cancelled: Callable[[], bool] | None = None,
    progress: Progress | None = None,
) -> tuple[Dungeon, tuple[str, ...]]:
    """The dungeon that is asked for, and notes: attempt after attempt, until one has a place for all its stairs."""
    return try_attempts(
        request,
        lambda attempt: DungeonMaker(request, attempt, cancelled=cancelled, progress=progress).make_all(),
        cancelled=cancelled,
    )


def try_attempts(
    request: DungeonRequest,
    make: Callable[[int], tuple[Dungeon, tuple[str, ...]]],
    *,
    cancelled: Callable[[], bool] | None = None,
) -> tuple[Dungeon, tuple[str, ...]]:
    """The dungeon of the first attempt that has a place for all its stairs and meets the requirements, and notes. One
    attempt that was named is taken as it is, with a note of what it lacks. `make` makes the dungeon of an attempt.
    """
    tally: RequirementTally[Dungeon] = RequirementTally(request.requirements)
    last: NotMet | None = None
    for attempt in request.attempts:
        try:
            dungeon, notes = make(attempt)
        except NotMet as error:
            if error.hopeless:
                raise
            last = error
            tally.add_failure(error.rejected or [error.problem.splitlines()[0]])
            continue
        facts = DungeonFacts(dungeon, request.max_steps, cancelled)
        if tally.add(judge_level(facts, request.requirements), dungeon):
            return dungeon, notes
        if request.attempt is not None:
            return dungeon, (*notes, *describe_unmet(facts, request.requirements))
    if tally.nearest is None:
        assert last is not None
        raise last
    raise _build_not_met(tally)


def _build_not_met(tally: RequirementTally[Dungeon]) -> NotMet:
    nearest = tally.nearest
    assert nearest is not None
    numbers = measure(nearest, *dict.fromkeys(requirement.measure for requirement in tally.requirements))
    said = ", ".join(f"{name} {'none' if value is None else value}" for name, value in numbers.items())
    lines = [
        f"no dungeon of {plural(tally.tried, 'try')} is as required",
        *(f"    {line}" for line in tally.lines()),
        f"    nearest attempt ({nearest.provenance['attempt']}), off by {tally.distance:.2g}: {said}",
    ]
    return NotMet(
        "\n".join(lines),
        fix="ask for less, change the parameters, or raise --tries (tries= in Python)",
        rejected=tally.rejected,
        distance=tally.distance,
    )


def generate_floor(
    recipe: Any,
    seed: int | str | None,
    size: tuple[int, int] | None,
    floor: str | int | None,
    *,
    cancelled: Callable[[], bool] | None = None,
    **others: Any,
) -> Level:
    """One floor of a dungeon recipe. It is that of the whole, unless the whole took a later attempt."""
    loaded = recipe if isinstance(recipe, DungeonRecipe) else DungeonRecipe.load(recipe)
    if floor is None:
        raise BadInput(
            f"{loaded.name} makes a dungeon, and this call makes one level",
            fix=f'call undercroft.Dungeon.generate("{loaded.name}"), or name a floor: floor="1"',
        )
    request = DungeonRequest(loaded, seed=draw_seed() if seed is None else seed, size=size, **others)
    maker = DungeonMaker(request, request.attempt or 0, cancelled=cancelled)
    return maker.make_floor(resolve_floor_id(floor, maker.plan.floors)).floor.level


def _name_floor(error: UndercroftError, id_: str, recipe: str) -> UndercroftError:
    """The error, with the floor that it is about."""
    if isinstance(error, (NotMet, OutOfBudget)) or error.place is None:
        error.problem = f"floor {id_} ({recipe}): {error.problem}"
    return error
