"""Solve a flow: the shortest way from its start to its end, room by room, and whether it can be lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from undercroft.analysis.solver.flow_puzzle import FlowDistances
from undercroft.analysis.solver.proof import list_events, prove_puzzle
from undercroft.analysis.solver.puzzle import Keys
from undercroft.analysis.solver.solution import Event
from undercroft.analysis.solver.states import explore_states
from undercroft.core.flow import NAMED_KINDS, Flow
from undercroft.core.run import Run
from undercroft.wording import join_words, plural

MAX_NAMED_LOCKS = 3
"""The most locks that a reason names."""
FLOW_PHRASES = {
    "take": "take the key {name} in {place}",
    "pull": "pull the switch {name} in {place}",
    "open": "open the lock {name} at {place}",
    "pass": "pass the one-way link {place}",
}


class FlowEvent(NamedTuple):
    """An event of the solution of a flow.

    >>> print(FlowEvent("take", "crypt", "red"))
    take the key red in crypt
    """

    kind: str
    """take, pull, open or pass."""
    place: str
    """The room, or the link as `a - b`."""
    name: str = ""
    """The name of the key, the switch or the lock."""
    step: int | None = None
    """The number of moves so far; None if they were not counted."""

    def __str__(self) -> str:
        return FLOW_PHRASES[self.kind].format(name=self.name, place=self.place)


@dataclass(frozen=True)
class FlowSolution:
    """Whether a flow can be solved and lost, and its shortest solution. `str()` of it describes the way."""

    solvable: bool
    """Whether the end can be reached."""
    unlosable: bool
    """Whether the end stays reachable after any moves. A flow that cannot be solved is lost from the beginning."""
    reason: str = ""
    """Why it cannot be solved."""
    rooms: tuple[str, ...] = ()
    """The rooms of the shortest way, from start to end; some more than once."""
    events: tuple[FlowEvent, ...] = ()
    """The events on that way."""
    counterexample: tuple[FlowEvent, ...] | None = None
    """How to lose: the moves after which the end is unreachable. None if it cannot be lost."""
    needs_secrets: bool = False
    """Whether it can be solved only through secret links."""

    @property
    def length(self) -> int | None:
        """Moves of the shortest solution, each from a room to the next; None if there is none."""
        return len(self.rooms) - 1 if self.solvable else None

    def __str__(self) -> str:
        if not self.solvable:
            return f"not solvable: {self.reason}"
        secrets = " (secret links needed)" if self.needs_secrets else ""
        lines = [f"solved in {plural(len(self.rooms) - 1, 'move')}{secrets}: {' - '.join(self.rooms)}"]
        width = len(str(self.length))
        lines += [f"  {event.step:>{width}}  {event}" for event in self.events]
        lines.append(f"  {self.length:>{width}}  reach the end, {self.rooms[-1]}")
        if self.counterexample is None:
            return "\n".join([*lines, "it cannot be lost"])
        lines.append("it can be lost:" if self.counterexample else "it is lost from the beginning")
        return "\n".join([*lines, *(f"  {event}" for event in self.counterexample)])


def solve_flow(flow: Flow, *, keys: Keys | None = None, secrets: bool = True, run: Run | None = None) -> FlowSolution:
    """The shortest solution of a flow, and whether it can be lost. The solver of levels does it, with rooms as cells.

    >>> print(solve_flow(Flow.parse('''
    ...     room gate, start
    ...     room throne, end
    ...     link gate - crypt
    ...     link gate - throne, locked by red
    ...     key red in crypt''')))
    solved in 3 moves: gate - crypt - gate - throne
      1  take the key red in crypt
      2  open the lock red at gate - throne
      3  reach the end, throne
    it cannot be lost

    Cost: one search over the graph for each room with a key or switch, each lock and each one-way link; and one visit
    to each state of keys held and locks opened.
    """
    run = run or Run()
    for end in ("start", "end"):
        if not getattr(flow, end):
            return FlowSolution(False, False, f"no room is the {end}", counterexample=())
    ways = FlowDistances(flow, run, keys=keys, secrets=secrets)
    proof = prove_puzzle(ways, run)
    if not proof.solvable:
        return FlowSolution(False, False, _explain(ways, proof.ever), counterexample=())
    found = proof.states or explore_states(ways, run, whole=False)
    chain = found.chain(found.last)
    spots = found.spots(chain)
    nodes = [ways.node_of[0]]
    for one, other in pairwise([*spots, None]):
        assert one is not None
        nodes += ways.path_between(one, other)
    needs_secrets = False
    if secrets and any(link.kind == "secret" for link in flow.links):
        needs_secrets = not prove_puzzle(FlowDistances(flow, run, keys=keys, secrets=False), run).solvable
    return FlowSolution(
        True,
        proof.unlosable,
        rooms=tuple(flow.rooms[node].name for node in nodes if node < len(flow.rooms)),
        events=_name_events(ways, list_events(ways.puzzle, spots, found.far[chain].tolist())),
        counterexample=None if proof.counterexample is None else _name_events(ways, proof.counterexample),
        needs_secrets=needs_secrets,
    )


def _name_events(ways: FlowDistances, events: Iterable[Event]) -> tuple[FlowEvent, ...]:
    """The events, with rooms and links for the cells that stand for them."""
    return tuple(FlowEvent(event.kind, _name_node(ways, event.x), event.name, event.step) for event in events)


def _name_node(ways: FlowDistances, node: int) -> str:
    count = len(ways.flow.rooms)
    if node < count:
        return ways.flow.rooms[node].name
    link = ways.special[node - count]
    return f"{link.a} - {link.b}"


def _explain(ways: FlowDistances, ever: tuple[int, ...]) -> str:
    """Why the end is unreachable: the locks at the edge of what can be reached, and where their keys are."""
    flow, count = ways.flow, len(ways.flow.rooms)
    reached = ways.reachable_nodes(ever)
    inside = {flow.rooms[node].name for node in reached if node < count}
    locks: dict[str, str] = {}
    for number, link in enumerate(ways.special, count):
        if link.kind == "locked" and number not in reached and (link.a in inside) != (link.b in inside):
            locks.setdefault(link.key, f"the lock {link.key} at {link.a} - {link.b}")
    if not locks:
        return f"no way leads to {flow.end}" if flow.end not in inside else "no order of moves leads to the end"
    told = []
    for key, place in list(locks.items())[:MAX_NAMED_LOCKS]:
        rooms = dict.fromkeys(thing.room for thing in flow.things if thing.kind in NAMED_KINDS and thing.name == key)
        where = f"what opens it is in {join_words([*rooms])}" if rooms else "nothing opens it"
        told.append(f"{place} is in the way ({where})")
    more = f", and {len(locks) - MAX_NAMED_LOCKS} more" if len(locks) > MAX_NAMED_LOCKS else ""
    return f"{', '.join(told)}{more}"
