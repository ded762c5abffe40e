"""Run a request: attempt after attempt; each applies all steps of the recipe to a draft."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from undercroft import limits
from undercroft.analysis.fact_keeper import FactKeeper
from undercroft.analysis.measures.table import Facts
from undercroft.core.draft import Draft
from undercroft.core.region import Thing
from undercroft.core.rng import Rng, seed_number
from undercroft.core.run import Run, Watcher
from undercroft.errors import NotMet, OutOfBudget, unknown_name_error
from undercroft.recipe import attempts
from undercroft.recipe.attempts import Attempt
from undercroft.recipe.outcome import Outcome, Result
from undercroft.recipe.plans import StepPlan
from undercroft.recipe.request import Request
from undercroft.steps import STEPS
from undercroft.steps.locks.lock_monitor import LockMonitor
from undercroft.steps.step import Step, describe_step
from undercroft.version import VERSION
from undercroft.wording import plural


def run_request(
    request: Request,
    *,
    watcher: Watcher | None = None,
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[int, int], None] | None = None,
    tick: Callable[[str], None] | None = None,
    on_step: Callable[[str], None] | None = None,
) -> Outcome:
    """Make the requested level.

    Raises `BadInput` if no level could ever fit, and `Cancelled`; every other end is an outcome. For the callbacks see
    `Recipe.generate`.
    """
    number = draw_seed() if request.seed is None else seed_number(request.seed)
    takes_nearest = request.pick == "best" and request.attempt is None

    def make_attempt(attempt: int, watcher: Watcher | None) -> Attempt:
        run = Run(budget=request.max_steps, cancelled=cancelled, watcher=watcher, tick=tick)
        return _make_attempt(request, number, attempt, run, on_step)

    try:
        tally = attempts.run_attempts(
            lambda attempt: make_attempt(attempt, None if takes_nearest else watcher),
            request.attempts,
            request.requirements,
            limits.STEPS.value if request.max_steps is None else request.max_steps,
            progress,
        )
        assert tally.nearest is not None
        if takes_nearest and watcher is not None:
            tally.nearest = make_attempt(tally.nearest.number, watcher)  # now the attempt to show is known
        level, run, attempt, facts = tally.nearest
        # later measures do not count as work on the level
        facts.run = Run(budget=request.max_steps, cancelled=cancelled)
        facts.run.swept = run.swept
        result = Result(level, attempt, tally.rejected, tuple(run.notes), tally.distance, facts)
        if not tally.distance:
            return Outcome(result)
        if request.pick == "first" and request.attempt is None:
            return Outcome(result, attempts.build_not_met(tally))
        return Outcome(result._replace(notes=(*run.notes, *attempts.describe_unmet(facts, request.requirements))))
    except (NotMet, OutOfBudget) as error:
        return Outcome(None, error)


def make_draft_before(
    request: Request, attempt: int, step: str, *, cancelled: Callable[[], bool] | None = None
) -> Draft:
    """The draft as it is right before the step of that id, in one attempt of the requested level.

    Raises what its steps raise: `NotMet` if one gives up, `OutOfBudget`, `BadInput`, `Cancelled`.
    """
    ids = [plan.id for plan in request.recipe.plans]
    if step not in ids:
        raise unknown_name_error("step", step, ids)
    run = Run(budget=request.max_steps, cancelled=cancelled)
    run.tags = request.recipe.tags
    draft = _begin_draft(request)
    number = draw_seed() if request.seed is None else seed_number(request.seed)
    _apply_steps(draft, request, Rng.root(number, attempt), run, stop_before=step)
    return draft


def draw_seed() -> int:
    """A random seed: ten digits, so that it is short to read and type."""
    return int.from_bytes(os.urandom(8), "little") % 10**10


def read_files(plans: Sequence[StepPlan], steps: Sequence[Step]) -> dict[str, Any]:
    """A digest of the files that each step reads beside the recipe: with other files, the same recipe and seed give
    another level.
    """
    read = {
        plan.id: digest
        for plan, step in zip(plans, steps, strict=True)
        if (digest := describe_step(type(step)).digest(step))
    }
    return {"files": read} if read else {}


def _make_attempt(
    request: Request, seed: int, attempt: int, run: Run, on_step: Callable[[str], None] | None
) -> Attempt:
    """Make one attempt: a whole level. Raises `NotMet` if a step gives up."""
    recipe = request.recipe
    run.tags = recipe.tags
    draft = _begin_draft(request)
    try:
        _apply_steps(draft, request, Rng.root(seed, attempt), run, on_step)
    except NotMet as error:
        if on_step is not None:
            on_step("")
        error.spent = run.used
        error.rejected = {f"{run.source}: {reason}": count for reason, count in error.rejected.items()}
        raise
    level = draft.level(_build_provenance(request, seed, attempt))
    return Attempt(level, run, attempt, Facts(level, run))


def _begin_draft(request: Request) -> Draft:
    """The draft before the first step."""
    draft = Draft(*request.size) if request.begin is None else Draft.of(request.begin)
    draft.frozen = request.frozen
    return draft


def _apply_steps(
    draft: Draft,
    request: Request,
    rng: Rng,
    run: Run,
    on_step: Callable[[str], None] | None = None,
    stop_before: str | None = None,
) -> None:
    """Apply each step in turn, or those before the step `stop_before`, with a random stream of its own. Facts that it
    spoils are dropped, frozen cells restored.
    """
    run.tiles, run.palette = draft.tiles, draft.palette
    run.source, locks, facts = "begin", LockMonitor(), FactKeeper()
    run.show()
    packages = request.recipe.packages
    for index, (plan, step) in enumerate(zip(request.recipe.plans, request.steps, strict=True)):
        if index in request.recipe.joints:  # the recipe that follows begins with a finished map
            facts.restore(draft, run)
            facts = FactKeeper()
        if plan.id == stop_before:
            return
        forgets = describe_step(type(step)).forgets  # it updates the facts itself
        if on_step is not None:
            on_step(plan.id)
        run.source, run.sketched = plan.id, False
        locks.observe_step(draft, step, plan.id, run)
        if not forgets:
            facts.observe_step(draft, step.spoils)
        palette = draft.palette
        kept = None if draft.frozen is None else draft.tiles[draft.frozen]
        before = _list_names_and_things(draft) if run.hooks.things_stand is not None else None
        try:
            step.apply(draft, rng.stream(plan.id), run)
            if plan.use in packages:
                from undercroft.steps.foreign_step import check_draft

                check_draft(draft, () if forgets else step.spoils)
        except (Exception, SystemExit) as error:
            if (trouble := STEPS.explain_failure(plan.use, error)) is not None:
                raise trouble from error
            raise
        if kept is not None and draft.palette != palette:
            draft.palette, table = draft.palette.merged(palette)
            kept = table[kept]
        if not forgets:
            draft.forget(step.spoils)
        if kept is not None and draft.frozen is not None:
            lost = int(np.count_nonzero(draft.tiles[draft.frozen] != kept))
            if lost:
                draft.tiles[draft.frozen] = kept
                run.note(f"{plural(lost, 'frozen cell')} put back after {plan.id}")
        run.tiles, run.palette = draft.tiles, draft.palette
        if not run.sketched:  # a sketch is shown until the next step shows its result
            run.show()
        if before is not None and _list_names_and_things(draft) != before:
            from undercroft.steps.frames import reveal_things  # only for watchers

            reveal_things(run, before[0], draft)
    if on_step is not None:
        on_step("")
    if run.sketched:
        run.show()
    facts.restore(draft, run)
    locks.note_damage(draft, run)


def _list_names_and_things(draft: Draft) -> tuple[list[Thing], list[str], str]:
    """What a step can give a map besides tiles and facts about them."""
    return list(draft.things), sorted(draft.regions.names.values()) if draft.regions is not None else [], draft.title


def _build_provenance(request: Request, seed: int, attempt: int) -> dict[str, Any]:
    recipe = request.recipe
    provenance: dict[str, Any] = {"recipe": recipe.name, "seed": str(seed)}
    if isinstance(request.seed, str) and request.seed != str(seed):
        provenance["seed_text"] = request.seed
    provenance |= {
        "attempt": attempt,
        "size": request.size,
        "params": request.values,
        "version": VERSION,
    }
    if recipe.then:
        provenance["then"] = recipe.then
    if request.ends:
        provenance["ends"] = request.ends
    if request.begin is not None and request.begin_record is not None:
        provenance["begin"] = request.begin_record
    return {**provenance, **recipe.describe_steps(request.steps)}
