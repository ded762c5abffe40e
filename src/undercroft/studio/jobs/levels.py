"""Make the level of a source, as the page describes it: the same level that the command line makes."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis import requirements
from undercroft.analysis.requirements import Requirement
from undercroft.core.draft import Draft
from undercroft.core.level import Level, check_level_size
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput, NotMet
from undercroft.recipe.document import Recipe
from undercroft.recipe.outcome import Outcome, Result
from undercroft.recipe.request import Request
from undercroft.recipe.run import make_draft_before, run_request
from undercroft.rewrite.rules import Rules
from undercroft.steps.step import Step
from undercroft.studio.jobs.resolve import OriginResolver, read_map
from undercroft.studio.protocol.project import Project
from undercroft.studio.protocol.requests import KeptCells, LevelSource
from undercroft.works.kept_cells import build_start_map, find_changed_runs

MAX_CACHED_LEVELS, MAX_CACHED_CELLS = 8, 4_000_000
"""The most levels that a worker caches, and the most cells of all of them: a picture of a level should not make the
level again.
"""
BLANK_SIZE = (48, 32)
"""The size of the blank map for rules, if the request has none."""


class LevelRecord(NamedTuple):
    """A level, and how it was made."""

    origin: Recipe | Rules | Level
    """Where it comes from: a recipe, rules that were applied to a blank map, or a file that holds it."""
    name: str
    result: Result
    moved: list[list[int]]
    """Kept cells that have changed, as runs."""
    milliseconds: float
    unmet: NotMet | None = None
    """What the level lacks, if it is only the nearest one."""

    @property
    def level(self) -> Level:
        return self.result.level

    @property
    def recipe(self) -> Recipe | None:
        return self.origin if isinstance(self.origin, Recipe) else None

    def list_requirements(self, until: Sequence[str]) -> tuple[Requirement, ...]:
        """The requirements of its recipe, and those of `until`."""
        return self.recipe.combine_requirements(until) if self.recipe else tuple(requirements.parse_requirements(until))


class LevelSources:
    """The levels of one project. Each worker has one; it caches a few levels."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.origins = OriginResolver(project)
        self._levels: OrderedDict[bytes, LevelRecord] = OrderedDict()
        self._watched: tuple[bytes, LevelRecord, Timeline] | None = None
        self._before: tuple[tuple[bytes, str], StepStart] | None = None

    def recipe(self, source: LevelSource) -> Recipe:
        """The recipe of a source; raises if it has none."""
        found = self.origins.resolve(source.recipe)[0]
        if not isinstance(found, Recipe):
            raise BadInput("that is no recipe", fix="choose a recipe")
        return found

    def list_step_ids(self, source: LevelSource) -> list[str]:
        """The ids of the steps of a source; none if it has no recipe."""
        found = self.origins.resolve(source.recipe)[0]
        return [plan.id for plan in found.plans] if isinstance(found, Recipe) else []

    def make_cached(
        self, source: LevelSource, cancelled: Callable[[], bool], depth: int = 0, **hooks: Any
    ) -> LevelRecord:
        """The level of a source, cached if it was made before. Raises `NotMet` if no level meets the requirements."""
        return _require_met(self.make_or_nearest(source, cancelled, depth, **hooks))

    def make_or_nearest(
        self, source: LevelSource, cancelled: Callable[[], bool], depth: int = 0, **hooks: Any
    ) -> LevelRecord:
        """The same, or the nearest level if none meets the requirements. Raises `NotMet` if there is no whole level."""
        key = self._cache_key(source)
        if key in self._levels:
            self._levels.move_to_end(key)
            return self._levels[key]
        record = self._make(source, cancelled, depth, hooks)
        if record.unmet is not None:
            return record
        self._levels[key] = record
        while len(self._levels) > 1 and (
            len(self._levels) > MAX_CACHED_LEVELS
            or sum(one.level.tiles.size for one in self._levels.values()) > MAX_CACHED_CELLS
        ):
            self._levels.popitem(last=False)
        return record

    def make_uncached(self, source: LevelSource, cancelled: Callable[[], bool]) -> LevelRecord:
        """The level of one of many seeds, or the nearest one. It is not cached."""
        return self._make(source, cancelled, 0, {})

    def make_watched(
        self, source: LevelSource, cancelled: Callable[[], bool], **hooks: Any
    ) -> tuple[LevelRecord, Timeline]:
        """The level made again with a timeline of all its turns. The result for the last source is cached."""
        key = self._cache_key(source)
        if self._watched is None or self._watched[0] != key:
            self._watched = None  # two timelines of a large map would take too much memory
            timeline = Timeline()
            record = _require_met(self._make(source, cancelled, 0, {**hooks, "watcher": timeline}))
            if not timeline.turns:
                timeline.codes_mean(record.level.palette)
                timeline("file", record.level.tiles)
            self._watched = (key, record, timeline)
        return self._watched[1:]

    def make_before_step(self, source: LevelSource, step: str, cancelled: Callable[[], bool]) -> StepStart:
        """The map right before a step, in the attempt that makes the level. The last one is cached: do not change it.

        If no attempt makes a level, it is that of the first attempt: perhaps the step itself keeps it from an end.
        """
        key = self._cache_key(source), step
        if self._before is None or self._before[0] != key:
            origin, name = self.origins.resolve(source.recipe)
            if not isinstance(origin, Recipe):
                raise BadInput(f"{name} has no steps", fix="run the rules on the whole level")
            request = _build_request(
                origin, source, self._start_from_kept(source.keep, cancelled, 0), limits.COVERAGE_STEPS.value
            )
            attempt = self._find_attempt(request, source, cancelled)
            draft = make_draft_before(request, attempt, step, cancelled=cancelled)
            index = [plan.id for plan in origin.plans].index(step)
            self._before = key, StepStart(draft, request.steps[index], step, attempt)
        return self._before[1]

    def _find_attempt(self, request: Request, source: LevelSource, cancelled: Callable[[], bool]) -> int:
        """The attempt that makes a level; the first one if none does within a few seconds."""
        known = self._levels.get(self._cache_key(source))
        if known is not None:
            return known.result.attempt
        outcome = run_request(request, cancelled=cancelled)
        return request.attempts[0] if outcome.result is None else outcome.result.attempt

    def _cache_key(self, source: LevelSource, depth: int = 0) -> bytes:
        """A key of everything that determines the level."""
        _check_depth(depth)
        how = source.seed, source.size, source.params, source.until, source.tries, source.attempt
        by_hand = source.edits, source.placed, source.removed
        kept: tuple[Any, ...] = ()
        if source.keep is not None:
            of = source.keep.of
            kept = (source.keep.map if of is None else self._cache_key(of, depth + 1), source.keep.cells)
        return msgspec.json.encode([self.origins.digest(source.recipe, source.params), how, by_hand, kept])

    def _make(
        self, source: LevelSource, cancelled: Callable[[], bool], depth: int, hooks: dict[str, Any]
    ) -> LevelRecord:
        origin, name = self.origins.resolve(source.recipe)
        kept = self._start_from_kept(source.keep, cancelled, depth)
        start = time.perf_counter()
        try:
            outcome = _run_source(origin, source, kept, {**hooks, "cancelled": cancelled})
        except BadInput as error:
            if kept is not None:
                raise BadInput(
                    f"these cells cannot be kept by {name}: {error.problem}",
                    fix="keep nothing, or choose another recipe",
                ) from error
            raise
        unmet = outcome.error if isinstance(outcome.error, NotMet) else None
        by_hand = source.by_hand()
        if unmet is not None and unmet.best is not None:
            unmet.best = by_hand.apply(unmet.best)
        result = outcome.unwrap() if outcome.result is None else outcome.result
        level = by_hand.apply(result.level)
        milliseconds = (time.perf_counter() - start) * 1000
        changed_runs = find_changed_runs(kept.old, kept.mask, result.level) if kept is not None else []
        return LevelRecord(origin, name, result._replace(level=level), changed_runs, milliseconds, unmet)

    def _start_from_kept(self, keep: KeptCells | None, cancelled: Callable[[], bool], depth: int) -> StartMap | None:
        """The map to begin with for a level with kept cells."""
        if keep is None or not keep.cells:
            return None
        if keep.of is None:
            old = read_map(keep.map)
            return StartMap(old, *build_start_map(old, keep.cells))
        _check_depth(depth + 1)
        try:
            old = self.make_or_nearest(keep.of, cancelled, depth + 1).level
        except NotMet as error:  # the map as far as it came, if there is one
            if error.best is None:
                raise
            old = error.best
        return StartMap(old, *build_start_map(old, keep.cells))

    def build_start_map(self, source: LevelSource, cancelled: Callable[[], bool]) -> StartMap | None:
        """The map with the kept cells that a level begins with; None if nothing is kept."""
        return self._start_from_kept(source.keep, cancelled, 0)


class StepStart(NamedTuple):
    """The map right before a step of a level."""

    draft: Draft
    step: Step
    id: str
    attempt: int


class StartMap(NamedTuple):
    """A map to begin with: the kept cells of an older level."""

    old: Level
    begin: Level
    mask: NDArray[np.bool_]


def _require_met(record: LevelRecord) -> LevelRecord:
    if record.unmet is not None:
        raise record.unmet
    return record


def _run_source(
    origin: Recipe | Rules | Level, source: LevelSource, kept: StartMap | None, hooks: dict[str, Any]
) -> Outcome:
    """Make the level that a source describes."""
    if isinstance(origin, Level):
        return Outcome(Result(origin, 0, {}, ()))
    if isinstance(origin, Rules):
        return Outcome(_apply_rules(origin, source, hooks))
    return run_request(_build_request(origin, source, kept), **hooks)


def _build_request(recipe: Recipe, source: LevelSource, kept: StartMap | None, max_steps: int | None = None) -> Request:
    """The request for the level that a source describes."""
    return Request(
        recipe,
        seed=source.seed,
        size=source.size,
        params=source.params,
        until=source.until,
        tries=source.tries,
        attempt=source.attempt,
        max_steps=max_steps,
        max_cells=limits.STUDIO_CELLS.value,
        begin=None if kept is None else kept.begin,
        frozen=None if kept is None else kept.mask,
    )


def _apply_rules(rules: Rules, source: LevelSource, hooks: dict[str, Any]) -> Result:
    """Apply rules to a blank map, or to the map that they bring."""
    notes: list[str] = []
    width, height = check_level_size(source.size or BLANK_SIZE, limits.STUDIO_CELLS.value)
    begin = rules.level() or Level(np.zeros((height, width), np.uint8), rules.program.palette)
    level = rules.apply(begin, source.seed, watcher=hooks.get("watcher"), cancelled=hooks["cancelled"], notes=notes)
    return Result(level, 0, {}, tuple(notes))


def _check_depth(depth: int) -> None:
    if depth > limits.STUDIO_KEEP_DEPTH.value:
        raise BadInput(
            f"more than {limits.STUDIO_KEEP_DEPTH.value} levels were made one from the other",
            fix=limits.STUDIO_KEEP_DEPTH.raise_by,
        )
