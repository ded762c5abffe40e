"""The work of the step `locks`: choose gates, place keys, prove the result."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.solver import solve
from undercroft.analysis.solver.puzzle import KEY, SWITCH
from undercroft.core.draft import Draft
from undercroft.core.level import Level, Point
from undercroft.core.palette import Palette
from undercroft.core.passable import LOCK
from undercroft.core.region import Thing
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.errors import NotMet
from undercroft.steps import frames
from undercroft.steps.door_links import update_links
from undercroft.steps.locks.gates import Gate, LockableMap, build_lockable_map, find_room_gates, find_single_gates
from undercroft.steps.locks.key_places import KeyedGate, KeyPlanner, LockRequest
from undercroft.steps.locks.one_way_doors import choose_one_way_doors

if TYPE_CHECKING:
    from undercroft.steps.locks.locks import Locks

MAX_ATTEMPTS = 4
"""The most attempts to place the locks as requested."""


def place_locks(draft: Draft, step: Locks, rng: Rng, run: Run) -> None:
    """Lock doors and place keys, as the step's parameters say."""
    run.spend(draft.tiles.size)
    if draft.start is None or draft.end is None:
        _report_missing(
            step, draft, run, ["no locks: the map has no start and end"] if step.locks or step.one_way else []
        )
        update_links(draft, [], run)
        return
    tile = draft.palette.role("locked") if step.locks else 0
    on = build_lockable_map(draft, draft.start, draft.end, run)
    planned, missing = _plan_locks(step, draft, on, rng, run) if step.locks else ([], [])
    cells = [cell for keyed in planned for cell in keyed.gate.cells]
    turned = choose_one_way_doors(on, cells, step.one_way, rng, run)
    if step.one_way and not turned:
        missing.append("no one-way doors: there is no door that one can walk around, or too few of them")
    _report_missing(step, draft, run, missing)
    draft.things = [*draft.things, *_build_things(step, planned), *turned]
    was = frames.copy_tiles_if_watched(run)
    for x, y in cells:
        draft.tiles[y, x] = tile
    frames.reveal(run, was)
    update_links(draft, cells, run)
    if draft.path is None or len(turned):  # the recorded path goes through no one-way door
        passable = on.open.copy()
        for thing in turned:
            passable[thing.y, thing.x] = False
        way = reach.DistanceField(passable, [draft.start], run).path_to(*draft.end)
        draft.path = way if len(way) else draft.path


def _plan_locks(step: Locks, draft: Draft, on: LockableMap, rng: Rng, run: Run) -> tuple[list[KeyedGate], list[str]]:
    """Proved locks with their keys, and sentences about what is missing."""
    proof = solve.prove(draft, run=run)
    if not proof.solvable or (step.unlosable and not proof.unlosable):
        return [], [f"no locks: {'the level can be lost as it is' if proof.solvable else 'the end cannot be reached'}"]
    secrets = not solve.prove(draft, secrets=False, run=run).solvable
    singles, rooms = find_single_gates(on, step.locks, rng, run), list[Gate]()
    planner, wish = KeyPlanner(draft, on, rng, run), _build_request(step, draft, rng)
    best: list[KeyedGate] = []
    for attempt in range(MAX_ATTEMPTS):
        found = planner.plan([*singles, *rooms], wish)
        while found and not _is_proved(step, draft, found, secrets, run):
            found = found[:-1]  # drop the lock that is opened last: no other needs what is behind it
        best = max(best, found, key=lambda planned: _rate_plan(step, planned))
        if _rate_plan(step, best) == (True, step.locks, True):
            break
        rooms = rooms if attempt else find_room_gates(on, rng, run)
        rng.shuffle(singles)
    return best, _describe_missing(step, best)


def _build_request(step: Locks, draft: Draft, rng: Rng) -> LockRequest:
    """The request to the planner. Names that the map already uses are left out."""
    taken = {str(thing.data[word]) for thing in draft.things for word in ("key", "opens") if word in thing.data}
    free = [colour for colour in step.colours if colour not in taken] or [
        _unused_name(f"{colour} ", 2, taken) for colour in step.colours
    ]
    colours = itertools.cycle(free)
    pulled = [number < (threshold(step.switches) * step.locks + (1 << 31) >> 32) for number in range(step.locks)]
    rng.shuffle(pulled)
    names: list[tuple[str, bool]] = []
    for pull in pulled:
        name = _unused_name("gate-", 1, {*taken, *free, *(name for name, _ in names)}) if pull else next(colours)
        names.append((name, pull))
    return LockRequest(
        tuple(names), step.keys == "consumed", step.unlosable, step.guard_end, min(step.depth, step.locks), step.apart
    )


def _unused_name(word: str, first: int, taken: set[str]) -> str:
    """The word followed by the first number that makes it a new name."""
    return next(name for number in itertools.count(first) if (name := f"{word}{number}") not in taken)


def _build_things(step: Locks, planned: list[KeyedGate]) -> list[Thing]:
    """The locks and what opens them."""
    found: list[Thing] = []
    for keyed in planned:
        found += [Thing(LOCK, x, y, {"key": keyed.name}) for x, y in keyed.gate.cells]
        if keyed.key is not None:
            broken = {"consumed": True} if step.keys == "consumed" and not keyed.pulled else {}
            found.append(Thing(SWITCH if keyed.pulled else KEY, *keyed.key, {"opens": keyed.name, **broken}))
    return found


def _is_proved(step: Locks, draft: Draft, planned: list[KeyedGate], secrets: bool, run: Run) -> bool:
    """Whether the solver proves the plan: without secret doors too, unless the map needs them."""
    tried = _TrialLevel(
        draft.tiles, draft.palette, [*draft.things, *_build_things(step, planned)], draft.start, draft.end
    )
    proof = solve.prove(tried, run=run)
    if not proof.solvable or (step.unlosable and not proof.unlosable):
        return False
    return secrets or solve.prove(tried, secrets=False, run=run).solvable


def _rate_plan(step: Locks, planned: list[KeyedGate]) -> tuple[bool, int, bool]:
    """How near a plan is to the request: whether the end is guarded, how many locks, whether the depth is right."""
    deep = max((keyed.depth for keyed in planned), default=0)
    return (
        not step.guard_end or any(keyed.gate.guards for keyed in planned),
        len(planned),
        not step.depth or deep == min(step.depth, step.locks),
    )


def _describe_missing(step: Locks, planned: list[KeyedGate]) -> list[str]:
    """Sentences about what was requested and is missing."""
    guarded, count, _ = _rate_plan(step, planned)
    deep = max((keyed.depth for keyed in planned), default=0)
    found = []
    if step.depth > step.locks:
        found.append(f"depth is {step.locks}, not {step.depth}: there are no more locks")
    if count < step.locks:
        place = f"have no place for a key {step.apart} steps off"
        why = (
            f"can be walked around, {place} or are more than {step.depth} deep"
            if step.depth
            else f"can be walked around or {place}"
        )
        found.append(f"{count} of {step.locks} locks: all other doors {why}")
    if planned and not guarded:
        found.append("no lock is before the end: there is a way around every door")
    if count and step.depth and deep != min(step.depth, step.locks):
        found.append(f"{deep} of {min(step.depth, step.locks)} locks must be opened one after the other")
    return found


def _report_missing(step: Locks, draft: Draft, run: Run, missing: list[str]) -> None:
    """Note what is missing, or raise."""
    if missing and step.exact:
        raise NotMet(
            "\n".join(["the locks are not as asked for", *(f"    {text}" for text in missing)]),
            fix="ask for less, or leave out 'exact'",
            best=Level(draft.tiles.copy(), draft.palette, things=draft.things, start=draft.start, end=draft.end),
            rejected=dict.fromkeys(missing, 1),
        )
    for text in missing:
        run.note(text)


class _TrialLevel(NamedTuple):
    """A draft with other things on it, for the solver."""

    tiles: NDArray[np.uint8]
    palette: Palette
    things: Sequence[Thing]
    start: Point | None
    end: Point | None
