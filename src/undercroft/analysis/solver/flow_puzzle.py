"""The puzzle of a flow: rooms, locked links and one-way links as cells, so that the solver of levels solves it too."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.one_way import ONE_WAY
from undercroft.analysis.solver.puzzle import Keys, Puzzle, read_puzzle
from undercroft.core.flow import NAMED_KINDS, Flow
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.core.passable import LOCK
from undercroft.core.region import Thing
from undercroft.core.run import Run

SPECIAL_KINDS = ("locked", "one-way")
"""The kinds of links that are cells of their own: something happens there."""
MAX_SPOT_NODES = 1 << 26


class FlowDistances:
    """Moves from each spot of a flow to each other and to the end; negative where every way crosses other spots. A move
    leads from a room to the next.

    Cost: one search over the graph for each spot.
    """

    def __init__(self, flow: Flow, run: Run, *, keys: Keys | None = None, secrets: bool = True) -> None:
        self.flow = flow
        self.rooms: Mapping[str, int] = {room.name: number for number, room in enumerate(flow.rooms)}
        self.special = [link for link in flow.links if link.kind in SPECIAL_KINDS]
        """The links that are nodes, after the rooms."""
        count = len(flow.rooms)
        self._to: list[list[tuple[int, int]]] = [[] for _ in range(count + len(self.special))]
        """For each node, where one can go from there, and how many moves it takes."""
        for link in flow.links:
            if link.kind not in SPECIAL_KINDS and (secrets or link.kind != "secret"):
                a, b = self.rooms[link.a], self.rooms[link.b]
                self._to[a].append((b, 1))
                self._to[b].append((a, 1))
        for number, link in enumerate(self.special, count):
            a, b = self.rooms[link.a], self.rooms[link.b]
            self._to[a].append((number, 0))
            self._to[number].append((b, 1))
            if link.kind != "one-way":
                self._to[b].append((number, 0))
                self._to[number].append((a, 1))
        self.puzzle = self._read_puzzle(keys)
        self.node_of: list[int] = [spot.x for spot in self.puzzle.spots]
        """The node of each spot."""
        self._spot_of = {node: spot for spot, node in enumerate(self.node_of) if spot}
        spots = len(self.node_of)
        self.steps: NDArray[np.int32] = np.full((spots, spots), -1, np.int32)
        self.to_end: NDArray[np.int32] = np.full(spots, -1, np.int32)
        end = self.rooms[flow.end]
        for spot in range(spots):
            run.spend(len(self._to))
            moves, _ = self._search(spot)
            for node, steps in moves.items():
                if node in self._spot_of and self._spot_of[node] != spot:
                    self.steps[spot, self._spot_of[node]] = steps
            if end in moves and end not in self._spot_of:
                self.to_end[spot] = moves[end]
        if end in self._spot_of:
            self.to_end[self._spot_of[end]] = 0

    def _read_puzzle(self, keys: Keys | None) -> Puzzle:
        """The puzzle, read from a level that has a cell for each node; which cells are neighbours does not matter."""
        flow, count = self.flow, len(self.flow.rooms)
        tiles = np.full((1, len(self._to)), STANDARD.role("floor"), np.uint8)
        things = [
            Thing(thing.kind, self.rooms[thing.room], 0, {"opens": thing.name, "consumed": thing.consumed})
            for thing in flow.things
            if thing.kind in NAMED_KINDS
        ]
        for number, link in enumerate(self.special, count):
            things.append(
                Thing(LOCK, number, 0, {"key": link.key})
                if link.kind == "locked"
                else Thing(ONE_WAY, number, 0, {"to": "E"})
            )
        level = Level(tiles, things=things, start=(self.rooms[flow.start], 0), end=(self.rooms[flow.end], 0))
        found = read_puzzle(level, keys=keys)
        assert found is not None
        self.shut = {
            number
            for number, link in enumerate(self.special, count)
            if link.kind == "locked" and not found.plain[0, number] and all(spot.x != number for spot in found.spots)
        }
        """The nodes of locks that nothing opens."""
        return found

    def _search(self, spot: int) -> tuple[dict[int, int], dict[int, int]]:
        """The moves to each node that is reached without crossing a spot, and the node before each."""
        start = self.node_of[spot]
        moves, before = {start: 0}, {start: -1}
        queue = deque([start])
        while queue:
            node = queue.popleft()
            if node != start and node in self._spot_of:
                continue
            for other, steps in self._to[node]:
                further = moves[node] + steps
                if other in self.shut or further >= moves.get(other, MAX_SPOT_NODES):
                    continue
                moves[other], before[other] = further, node
                if steps:
                    queue.append(other)
                else:
                    queue.appendleft(other)
        return moves, before

    def path_between(self, spot: int, other: int | None) -> list[int]:
        """The nodes of a shortest way from a spot to another, or to the end, without the first."""
        _, before = self._search(spot)
        node = self.rooms[self.flow.end] if other is None else self.node_of[other]
        chain = []
        while node != self.node_of[spot]:
            chain.append(node)
            node = before[node]
        return chain[::-1]

    def reachable_nodes(self, spots: tuple[int, ...]) -> set[int]:
        """The nodes that can be reached from these spots without crossing others, and the spots themselves."""
        return {
            node
            for spot in spots
            for node in self._search(spot)[0]
            if node not in self._spot_of or self._spot_of[node] in spots
        }
