"""The solver on flows agrees with a search over all states, and says what happens on the way."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest

import undercroft as uc
from support.maps import HEAVY
from undercroft.analysis.solver.solve_flow import FlowSolution, solve_flow
from undercroft.core.flow import Flow, FlowLink, FlowRoom, FlowThing
from undercroft.core.run import Run
from undercroft.errors import BadInput, OutOfBudget


def search_states(flow: Flow, secrets: bool = True) -> tuple[bool, bool, int | None]:
    """Solvable, unlosable and the length of the shortest way, by looking at every state.

    A kept key or a switch opens all locks of its name. A key that breaks opens one lock, which stays open.
    """

    def take(room: str, held: frozenset[Any], gone: frozenset[int]) -> frozenset[Any]:
        return held | {
            number
            for number, thing in enumerate(flow.things)
            if thing.room == room and thing.kind in ("key", "switch") and number not in gone
        }

    def moves(state: Any) -> Iterator[Any]:
        room, held, gone, opened = state
        for number, link in enumerate(flow.links):
            if room not in (link.a, link.b) or (link.kind == "secret" and not secrets):
                continue
            if link.kind == "one-way" and room != link.a:
                continue
            other = link.b if room == link.a else link.a
            if link.kind != "locked" or number in opened:
                yield other, take(other, held, gone), gone, opened
                continue
            fitting = [at for at in held if flow.things[at].name == link.key]
            if any(not flow.things[at].consumed for at in fitting):
                yield other, take(other, held, gone), gone, opened
                continue
            for at in fitting:
                broken = gone | {at}
                yield other, take(other, held - {at}, broken), broken, opened | {number}

    first: Any = (flow.start, take(flow.start, frozenset(), frozenset()), frozenset(), frozenset())
    far, queue = {first: 0}, deque([first])
    back: dict[Any, list[Any]] = {}
    best = None
    while queue:
        state = queue.popleft()
        if state[0] == flow.end and best is None:
            best = far[state]
        for further in moves(state):
            back.setdefault(further, []).append(state)
            if further not in far:
                far[further] = far[state] + 1
                queue.append(further)
    good = {state for state in far if state[0] == flow.end}
    todo = [*good]
    while todo:
        for state in back.get(todo.pop(), ()):
            if state not in good:
                good.add(state)
                todo.append(state)
    return best is not None, best is not None and len(good) == len(far), best


def random_flow(rng: random.Random) -> Flow:
    """A small flow with keys, switches, locks and one-way links; keys of one name are all kept, or all break."""
    count = rng.randint(2, 6)
    names = [f"r{number}" for number in range(count)]
    rooms = tuple(
        FlowRoom(name, ends={0: "start", count - 1: "end"}.get(number, "")) for number, name in enumerate(names)
    )
    locks = ["red", "blue"][: rng.randint(0, 2)]
    pairs = [(rng.choice(names[:number]), names[number]) for number in range(1, count)]
    pairs += [tuple(rng.sample(names, 2)) for _ in range(rng.randint(0, 3))]  # type: ignore[misc]
    links = []
    for a, b in pairs:
        kind = rng.choice(["open", "open", "door", "secret", "one-way", *(["locked"] * 3 if locks else [])])
        ends = (a, b) if rng.random() < 0.7 else (b, a)
        links.append(FlowLink(*ends, kind, rng.choice(locks) if kind == "locked" else ""))
    breaking = {name for name in locks if rng.random() < 0.5}
    things = [
        FlowThing("key", rng.choice(names), name, consumed=name in breaking)
        for name in locks
        for _ in range(rng.randint(1, 2))
    ]
    things += [
        FlowThing("switch", rng.choice(names), name) for name in locks if name not in breaking and rng.random() < 0.3
    ]
    return Flow(rooms=rooms, links=tuple(links), things=tuple(things))


def test_it_agrees_with_a_search_over_all_states() -> None:
    seen = {"solved": 0, "unsolvable": 0, "losable": 0}
    for seed in range(20_000 if HEAVY else 500):
        flow = random_flow(random.Random(seed))
        found = solve_flow(flow)
        solvable, unlosable, length = search_states(flow)
        assert (found.solvable, found.length) == (solvable, length), (seed, str(flow))
        if solvable:
            assert found.unlosable == unlosable, (seed, str(flow))
            assert found.needs_secrets == (not search_states(flow, secrets=False)[0]), (seed, str(flow))
        seen["unsolvable" if not solvable else "solved" if unlosable else "losable"] += 1
    assert min(seen.values()) > 20, seen


def test_the_way_leads_along_links_from_start_to_end() -> None:
    for seed in range(200):
        flow = random_flow(random.Random(seed))
        found = solve_flow(flow)
        if found.solvable:
            assert (found.rooms[0], found.rooms[-1]) == (flow.start, flow.end)
            pairs = {link[:2] for link in flow.links} | {link[1::-1] for link in flow.links if link.kind != "one-way"}
            assert set(zip(found.rooms, found.rooms[1:], strict=False)) <= pairs


KEEP = """
room gate, start
room throne, end
link gate - hall - crypt
link hall - throne, locked by red
link crypt - gate, one-way
key red in crypt
"""


def test_what_happens_on_the_way_is_told() -> None:
    assert str(uc.solve(Flow.parse(KEEP))) == (
        "solved in 4 moves: gate - hall - crypt - hall - throne\n"
        "  2  take the key red in crypt\n"
        "  3  open the lock red at hall - throne\n"
        "  4  reach the end, throne\n"
        "it cannot be lost"
    )


def test_how_it_is_lost_is_told() -> None:
    text = "room a, start\nroom d, end\nlink a - b, one-way\nlink a - c - d\nkey k in c"
    found = uc.solve(Flow.parse(text))
    assert isinstance(found, FlowSolution)
    assert (found.solvable, found.unlosable) == (True, False)
    assert str(found).endswith("it can be lost:\n  pass the one-way link a - b")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            KEEP.replace("key red in crypt", "key red in throne"),
            "the lock red at hall - throne is in the way (what opens it is in throne)",
        ),
        (KEEP.replace("key red in crypt", ""), "the lock red at hall - throne is in the way (nothing opens it)"),
        (KEEP.replace("link hall - throne, locked by red", "link throne - hall, one-way"), "no way leads to throne"),
        (KEEP.replace(", start", ""), "no room is the start"),
        (KEEP.replace(", end", ""), "no room is the end"),
    ],
)
def test_why_it_cannot_be_solved_is_told(text: str, reason: str) -> None:
    found = uc.solve(Flow.parse(text))
    assert not found.solvable
    assert found.reason == reason
    assert str(found) == f"not solvable: {reason}"


def test_keys_can_be_said_to_break_and_secrets_to_be_walls() -> None:
    text = "room a, start\nroom d, end\nlink a - b - c, locked by k\nlink c - d, secret\nkey k in a"
    flow = Flow.parse(text)
    assert uc.solve(flow).solvable
    assert uc.solve(flow).needs_secrets
    assert not uc.solve(flow, secrets=False).solvable
    assert not uc.solve(flow, keys="consumed").solvable


def test_it_keeps_to_its_budget_and_refuses_other_words() -> None:
    with pytest.raises(OutOfBudget):
        solve_flow(Flow.parse(KEEP), run=Run(budget=3))
    with pytest.raises(BadInput):
        uc.solve(Flow.parse(KEEP), keys="lost")  # type: ignore[call-overload]
