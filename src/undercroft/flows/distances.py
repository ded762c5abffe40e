"""How far rooms can be apart at most, by the lengths and sizes that a flow gives."""

from __future__ import annotations

import heapq

from undercroft.core.flow import Flow

STEPS_OF_DOORS = 3
"""Steps beside those in the hallway: out of the room, and through the doors at both ends."""


class FarthestDistances:
    """The most steps between the nearest cells of two rooms.

    >>> flow = Flow.parse("link a - b - c, length 1 to 3\\nroom b, size 3x3")
    >>> FarthestDistances(flow).between("a", "b"), FarthestDistances(flow).between("a", "c")
    (6, 16)
    """

    def __init__(self, flow: Flow) -> None:
        self._across = {
            room.name: None if room.size is None else room.size[1][0] + room.size[1][1] - 2 for room in flow.rooms
        }
        self._near: dict[str, list[tuple[str, int]]] = {room.name: [] for room in flow.rooms}
        for link in flow.links:
            if link.length is not None:
                steps = link.length[1] + STEPS_OF_DOORS
                self._near[link.a].append((link.b, steps))
                self._near[link.b].append((link.a, steps))

    def between(self, a: str, b: str) -> int | None:
        """The most steps from one room to another; None if nothing limits them."""
        best = {a: 0}
        queue = [(0, a)]
        while queue:
            steps, name = heapq.heappop(queue)
            if name == b:
                return steps
            across = 0 if name == a else self._across[name]
            if steps > best[name] or across is None:
                continue
            for other, way in self._near[name]:
                further = steps + across + way
                if other not in best or further < best[other]:
                    best[other] = further
                    heapq.heappush(queue, (further, other))
        return None
