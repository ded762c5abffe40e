"""Find proofs that a program does not end: a tiny map, and turns that lead back to it."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import NamedTuple

from undercroft.rewrite.lint.finding import Budget, RulesSubject, iterate_tiles
from undercroft.rewrite.lint.loops import RuleLoop
from undercroft.rewrite.lint.tiny_interpreter import Move, ProgramState, TinyInterpreter
from undercroft.rewrite.lint.tiny_maps import CycleStep, generate_maps
from undercroft.rewrite.model.program import KEEP, Node
from undercroft.rewrite.model.symmetry import Variant

MAX_PLACEMENTS = 400_000
"""The most placements to try in total: about half a second."""
MAX_STATES = 300
"""The most states to explore from one map."""
MAX_CYCLE_STEPS = 500
"""The most results in positions to consider for a cycle; beyond that only the smallest."""


class Cycle(NamedTuple):
    """Maps, the last equal to the first, and the rewrites from each to the next. A turn in which only the program
    advances has none.
    """

    width: int
    height: int
    maps: tuple[bytes, ...]
    moves: tuple[tuple[Move, ...], ...]
    fresh: bool
    """Whether the cycle starts with the program; else some limits are used up before."""


_Key = tuple[ProgramState, bytes]
_Turn = tuple[tuple[Move, ...], _Key]


def find_cycle(subject: RulesSubject, loop: RuleLoop, possible: int, budget: Budget | None = None) -> Cycle | None:
    """A cycle of the loop on a small map, or None if none was found in time."""
    budget = budget or Budget(MAX_PLACEMENTS)
    steps = _keep_reversible(
        sorted(_list_steps(subject, loop, possible), key=lambda step: len(step.variant.pattern))[:MAX_CYCLE_STEPS]
    )
    if not steps:
        return None
    nested = loop.node is not subject.program.root and loop.node.kind in ("sequence", "markov")
    node = Node("sequence", children=(loop.node,)) if nested else loop.node  # a branch within another starts again
    machine = TinyInterpreter(subject, node, budget)
    for width, height, begin in generate_maps(steps, possible, len(subject.program.palette)):
        if subject.size and (width > subject.size[0] or height > subject.size[1]):
            continue
        if not budget.spend(len(begin[0])):
            break
        machine.width, machine.height = width, height
        found = _explore(machine, begin)
        if found:
            return Cycle(width, height, *found)
    return None


def _list_steps(subject: RulesSubject, loop: RuleLoop, possible: int) -> list[CycleStep]:
    found: list[tuple[Node, Variant, int]] = []
    wrote = 0
    for leaf in loop.leaves:
        for rule in leaf.rules:
            if not rule.is_enabled() or rule.limit or rule.guards or rule.area or leaf.each:
                continue
            for variant in subject.variants(rule):
                for number, result in enumerate(variant.results):
                    if result.weight and all(mask & possible for mask in variant.pattern):
                        found.append((leaf, variant, number))
                        for code in result.cells:
                            wrote |= 0 if code == KEEP else 1 << code
    return [_build_step(leaf, variant, number, wrote) for leaf, variant, number in found]


def _build_step(leaf: Node, variant: Variant, number: int, wrote: int) -> CycleStep:
    pairs = [
        (mask, code) for mask, code in zip(variant.pattern, variant.results[number].cells, strict=True) if code != KEEP
    ]
    edges = frozenset((old, code) for mask, code in pairs for old in iterate_tiles(mask & wrote) if old != code)
    sure = [mask for mask, code in pairs if not mask >> code & 1]
    lost = leaf.outside >= 0 and all(mask >> leaf.outside & 1 for mask in sure)  # all of it may lie over the border
    return CycleStep(
        variant, number, edges, (leaf.kind != "one" or leaf.pick != "match") and (not sure or lost), leaf.outside >= 0
    )


def _keep_reversible(steps: list[CycleStep]) -> list[CycleStep]:
    """The steps that can be part of a cycle: every change they make can be reversed."""
    while True:
        round_trips = _find_round_trips({edge for step in steps for edge in step.edges})
        kept = [
            step._replace(edges=step.edges & round_trips)
            for step in steps
            if step.idle or _is_reversible(step, round_trips)
        ]
        if len(kept) == len(steps):
            return kept
        steps = kept


def _is_reversible(step: CycleStep, round_trips: set[tuple[int, int]]) -> bool:
    """Whether it changes anything, and every cell that it surely changes can be reversed."""
    for mask, code in zip(step.variant.pattern, step.variant.results[step.result].cells, strict=True):
        if (
            code != KEEP
            and not mask >> code & 1
            and not any(new == code and mask >> old & 1 for old, new in round_trips)
        ):
            return False
    return bool(step.edges & round_trips)


def _find_round_trips(edges: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The edges with a path from their end back to their start."""
    after: dict[int, set[int]] = {}
    for old, new in edges:
        after.setdefault(old, set()).add(new)
    found = set()
    for old, new in edges:
        seen, todo = {new}, [new]
        while todo and old not in seen:
            more = after.get(todo.pop(), set()) - seen
            seen |= more
            todo += more
        if old in seen:
            found.add((old, new))
    return found


def _explore(
    machine: TinyInterpreter, maps: list[bytes]
) -> tuple[tuple[bytes, ...], tuple[tuple[Move, ...], ...], bool] | None:
    """The shortest cycle among the states reachable from these maps, preferably one from the start."""
    after: dict[_Key, list[_Turn]] = {}
    todo = deque((machine.initial_state(), tiles) for tiles in maps)
    while todo and len(after) < MAX_STATES + 4 * len(maps):
        here = todo.popleft()
        if here in after:
            continue
        after[here] = [(moves, (state, changed)) for moves, state, changed in machine.next_turns(*here)]
        todo.extend(key for _, key in after[here] if key not in after)
    left = _find_endless_states(after)
    best: tuple[_Key, list[_Turn]] | None = None
    least: tuple[bool, bool, int] | None = None
    for key in islice((key for key in after if key in left), 40):
        way = _find_way_back(key, after, left)
        cost = any(key[0].done), key[0] != machine.initial_state(), len(way or ())
        if way and (least is None or cost < least):
            best, least = (key, way), cost
    if best is None:
        return None
    (state, tiles), way = best
    turns = [turn for turn in way if turn[0]]  # in the others only the program advances
    return (tiles, *(key[1] for _, key in turns)), tuple(moves for moves, _ in turns), not any(state.done)


def _find_endless_states(after: dict[_Key, list[_Turn]]) -> set[_Key]:
    """The states that have endless continuations among the known ones."""
    before: dict[_Key, list[_Key]] = {}
    ways = {}
    for key, turns in after.items():
        targets = {target for _, target in turns if target in after}
        ways[key] = len(targets)
        for target in targets:
            before.setdefault(target, []).append(key)
    dead = [key for key, count in ways.items() if not count]
    left = set(after)
    while dead:
        key = dead.pop()
        left.discard(key)
        for earlier in before.get(key, []):
            ways[earlier] -= 1
            if not ways[earlier]:
                dead.append(earlier)
    return left


def _find_way_back(start: _Key, after: dict[_Key, list[_Turn]], left: set[_Key]) -> list[_Turn] | None:
    """The shortest path from a state back to itself."""
    came: dict[_Key, tuple[_Key, _Turn]] = {}
    todo = deque([start])
    while todo:
        here = todo.popleft()
        for turn in after[here]:
            target = turn[1]
            if target in left and target not in came:
                came[target] = here, turn
                todo.append(target)
        if start in came:
            way: list[_Turn] = []
            at = start
            while not way or at != start:
                at, taken = came[at]
                way.append(taken)
            return way[::-1]
    return None
