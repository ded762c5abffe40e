"""Play a level exhaustively, cell by cell and state by state: slow, and without any code of the solver."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from undercroft.core.level import Level
from undercroft.core.region import Thing

Point = tuple[int, int]
SIDES = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


class State(NamedTuple):
    """The player's cell, which keys and switches were taken (by their number among the things), and which locks broke a
    key (by their cells and names).
    """

    cell: Point
    taken: frozenset[int]
    opened: frozenset[tuple[Point, str]]


class Played(NamedTuple):
    """The results of playing."""

    length: int | None
    """Steps of the shortest way to the end."""
    states: dict[State, int]
    """All reachable states, with the fewest steps to each."""
    lost: set[State]
    """The states from which the end can no longer be reached."""


class Play:
    """The rules of the game for one level."""

    def __init__(self, level: Level, keys: str | None = None, secrets: bool = True) -> None:
        self.level = level
        self.start, self.end = level.start, level.end
        closed = {(x, y) for y in range(level.height) for x in range(level.width) if not level.walkable[y, x]}
        if not secrets:
            closed |= {
                (int(x), int(y)) for y, x in zip(*(level.tiles == level.palette["secret door"]).nonzero(), strict=True)
            }
        for thing in level.things:
            if thing.data.get("blocks"):
                wide, high = int(thing.data.get("width", 1)), int(thing.data.get("height", 1))
                closed |= {(thing.x + x, thing.y + y) for x in range(wide) for y in range(high)}
        self.open = {(x, y) for y in range(level.height) for x in range(level.width)} - closed
        self.locks: dict[Point, list[str]] = {}
        self.openers: dict[Point, list[int]] = {}
        self.sides: dict[Point, set[Point]] = {}
        for number, thing in enumerate(level.things):
            cell = thing.x, thing.y
            if thing.kind == "lock":
                self.locks.setdefault(cell, []).append(str(thing.data.get("key", "")))
            elif thing.kind in ("key", "switch"):
                self.openers.setdefault(cell, []).append(number)
            elif thing.kind == "one-way":
                self.sides.setdefault(cell, set()).add(SIDES[str(thing.data["to"])])
        self.open -= {cell for cell, sides in self.sides.items() if len(sides) > 1}
        for y, x in zip(*(level.tiles == level.palette["locked door"]).nonzero(), strict=True):
            self.locks.setdefault((int(x), int(y)), [""])
        if self.start:
            self.locks.pop(self.start, None)
        self.keys = keys

    def breaks(self, thing: Thing) -> bool:
        if thing.kind == "switch":
            return False
        return bool(thing.data.get("consumed")) if self.keys is None else self.keys == "consumed"

    def begin(self) -> State | None:
        return (
            None
            if self.start is None or self.start not in self.open
            else State(self.start, frozenset(self.openers.get(self.start, ())), frozenset())
        )

    def step(self, state: State, move: Point) -> State | None:
        """The state after a move; none if it cannot be made."""
        cell = state.cell[0] + move[0], state.cell[1] + move[1]
        if cell not in self.open or any(
            sides != {move} for sides in (self.sides.get(at, {move}) for at in (state.cell, cell))
        ):
            return None
        opened = set(state.opened)
        for name in self.locks.get(cell, ()):
            own = [
                self.level.things[number]
                for number in state.taken
                if str(self.level.things[number].data.get("opens", "")) == name
            ]
            if any(not self.breaks(thing) for thing in own) or (cell, name) in opened:
                continue
            if len(own) <= sum(other == name for _, other in opened):
                return None
            opened.add((cell, name))
        return State(cell, state.taken | set(self.openers.get(cell, ())), frozenset(opened))

    def all(self) -> Played:
        first = self.begin()
        if first is None:
            return Played(None, {}, set())
        far = {first: 0}
        before: dict[State, list[State]] = {first: []}
        waiting = deque([first])
        while waiting:
            state = waiting.popleft()
            for move in SIDES.values():
                after = self.step(state, move)
                if after is None:
                    continue
                if after not in far:
                    far[after] = far[state] + 1
                    before[after] = []
                    waiting.append(after)
                before[after].append(state)
        won = {state for state in far if state.cell == self.end}
        looking = list(won)
        for state in looking:
            more = [other for other in before[state] if other not in won]
            won.update(more)
            looking += dict.fromkeys(more)
        return Played(min((far[state] for state in far if state.cell == self.end), default=None), far, set(far) - won)

    def follow(self, events: Iterable[tuple[str, int, int]]) -> set[State]:
        """The possible states after these events (kind, x, y), in this order, with no others between or after."""
        names = {name for cell, found in self.locks.items() if cell in self.open for name in found}
        matter = {
            cell
            for cell, numbers in self.openers.items()
            if any(str(self.level.things[number].data.get("opens", "")) in names for number in numbers)
        }
        matter |= self.locks.keys() | self.sides.keys()
        first = self.begin()
        assert first is not None
        states, done = {first}, {first.cell} - self.sides.keys()
        before = ("begin", *first.cell)
        for event in [*events, ("stay", -1, -1)]:
            kind, cell = event[0], (event[1], event[2])
            same, before = before[1:] == cell and (before[0], kind) != ("pass", "pass"), event
            if same:
                continue  # two events on one cell
            looking, seen, found = list(states), set(states), set()
            for state in looking:
                for move in SIDES.values():
                    after = self.step(state, move)
                    if after is None or after in seen:
                        continue
                    if after.cell == cell:
                        found.add(after)
                    elif after.cell not in matter or after.cell in done:
                        seen.add(after)
                        looking.append(after)
            states = seen if kind == "stay" else found
            done |= {cell} - self.sides.keys()
        return states
