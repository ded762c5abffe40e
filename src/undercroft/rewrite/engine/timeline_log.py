"""Convert rewrites to turns of a timeline: which rule changed which cells, computed only on request."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from undercroft.core.turns import TurnBatch
from undercroft.kernels import buffer, engine, flat_buffer
from undercroft.rewrite.engine.program_tables import ProgramTables

REFUSED_BIT = 1 << 21
"""The bit of an event that a guard refused."""


@dataclass
class _EventChunk:
    """Some events, and their batch of turns once they are replayed."""

    events: NDArray[np.int64]
    turns: int
    shown: NDArray[np.bool_] | None
    """Which rewrites are the last of their turn; None: all."""
    batch: TurnBatch | None = None


class EventReplayer:
    """Converts events of an engine (placement and action, packed) to batches of turns. Replays them in order on a copy
    of the tiles.
    """

    def __init__(self, made: ProgramTables, tiles: NDArray[np.uint8], source: str, known: int) -> None:
        self.made, self.tiles, self.known = made, tiles, known
        rules = [(node.node, rule) for node in made.flat for rule in node.node.rules]
        self.names = tuple(
            f"{source}: {rule.name or node.name or f'{node.kind} {number}'}"
            for number, (node, rule) in enumerate(rules, 1)
        )
        self.codes = np.append(made.classes.codes, np.zeros(64, np.uint8))[made.write_tile]
        self.lengths = made.actions[:, 1] - made.actions[:, 0]
        self.joins = any(node.node.kind in {"all", "parallel"} for node in made.flat)
        """Whether one turn of the program may make several rewrites."""
        self._left: deque[_EventChunk] = deque()

    def add_events(self, rows: NDArray[np.int64], known: int) -> tuple[int, Callable[[], TurnBatch]]:
        """The number of rewrites among new events (turn, and placement with action), and a function that computes their
        batch of turns.
        """
        self.known = known
        events, of_turn = rows[:, 1].copy(), rows[:, 0]
        if len(self.made.guards):
            of_turn = of_turn[events & REFUSED_BIT == 0]
        shown = np.append(of_turn[1:] != of_turn[:-1], True)[: len(of_turn)] if self.joins else None
        turns = len(of_turn)
        part = _EventChunk(events, turns, shown)
        self._left.append(part)
        return turns, lambda: self._replay_until(part)

    def _replay_until(self, part: _EventChunk) -> TurnBatch:
        while part.batch is None:  # replay earlier events first
            first = self._left.popleft()
            first.batch = self._replay(first.events, first.turns, first.shown)
        return part.batch

    def _replay(self, events: NDArray[np.int64], turns: int, shown: NDArray[np.bool_] | None) -> TurnBatch:
        made = self.made
        actions = events & (2 * REFUSED_BIT - 1)
        most = int(self.lengths[actions[actions < REFUSED_BIT]].sum())
        who, ends = np.empty(turns, np.int32), np.empty(turns, np.int64)
        cells, old, new = np.empty(most, np.int32), np.empty(most, np.uint8), np.empty(most, np.uint8)
        tables = (
            buffer(made.actions.reshape(-1)),
            buffer(made.write_at),
            buffer(self.codes),
            buffer(events),
            buffer(made.shape),
        )
        engine.replay_events(
            flat_buffer(self.tiles), *tables, *(buffer(array) for array in (who, ends, cells, old, new))
        )
        end = int(ends[-1]) if turns else 0
        return TurnBatch(self.names, who, ends, cells[:end], old[:end], new[:end], shown)
