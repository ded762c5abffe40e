"""The log of every change to the tiles: the state at any turn, forward and back, and the writer of each cell."""

from __future__ import annotations

import operator
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.arguments import require_palette
from undercroft.core.palette import Palette
from undercroft.core.region import Thing
from undercroft.core.turns import Change, LazyTurnBatch, TurnBatch, TurnSources, check_log, check_turn
from undercroft.deprecation import RenamedMember
from undercroft.errors import BadInput, OutOfRange
from undercroft.inputs.arguments import require_callable, require_text, require_whole_number
from undercroft.inputs.points import check_point
from undercroft.wording import format_value_briefly, plural

KEYFRAME_CELLS = 4096
"""A whole state (keyframe) is stored whenever this many cells changed since the last one, or as many as the map has if
that is more: keyframes stay a small part of the log.
"""
KEYFRAME_BATCHES = 1024
"""The same for batches, because replaying each batch costs a call."""

_SINGLE_TURN_SOURCE = np.zeros(1, np.int32)


class CellWrite(NamedTuple):
    """The last write to a cell."""

    turn: int
    source: str
    old: int
    new: int


class Timeline:
    """A watcher that records every turn. Turn 0 is the first state; the turns of failed attempts are dropped.

    A call with tiles stores the difference from the last state as one turn, or nothing if there is none. A caller that
    knows every single change, such as the rewriting engine, passes many turns at once to `log`.

    >>> import numpy as np
    >>> timeline = Timeline()
    >>> timeline("fill", np.array([[1, 1]], np.uint8)); timeline("dig", np.array([[1, 2]], np.uint8))
    >>> timeline.turns, timeline.at(0).tolist(), timeline.at(1).tolist(), timeline.writer(1, 0).source
    (2, [[1, 1]], [[1, 2]], 'dig')
    """

    def __init__(self) -> None:
        self.palettes: list[tuple[int, Palette]] = []
        """The palettes of the codes, each with its first turn, as far as `codes_mean` reported them."""
        self.things: list[tuple[int, tuple[Thing, ...]]] = []
        """What stands on the map, each time with its first turn, as far as `things_stand` reported it."""
        self._clear()

    def _clear(self) -> None:
        self.things = []
        self._batches: list[TurnBatch | LazyTurnBatch] = []
        self._starts: list[int] = []
        """The first turn of each batch."""
        self._sizes: list[tuple[int, tuple[int, int]]] = []
        """The turns in which the map changed its size, with the new height and width."""
        self.palettes = [(0, palette) for _, palette in self.palettes[-1:]]
        self._key_turns: list[int] = []
        self._keys: list[NDArray[np.uint8]] = []
        self._now = np.empty((0, 0), np.uint8)
        """The state after the first `_played` batches. Logging is fast, because later batches are replayed only when
        they are needed.
        """
        self._played = 0
        self._cells_since = self._batches_since = 0

    def __call__(self, source: str, tiles: NDArray[np.uint8]) -> None:
        check_turn(source, tiles)
        if source == "begin":  # a new attempt: the last one failed
            self._clear()
        self._update_state()
        if self._now.shape == tiles.shape:
            cells = np.flatnonzero(self._now != tiles).astype(np.int32)
            if len(cells):
                self._append(_build_single_turn(source, cells, self._now.reshape(-1)[cells], tiles.reshape(-1)[cells]))
            return
        self._sizes.append((self.turns, (tiles.shape[0], tiles.shape[1])))
        self._append(
            _build_single_turn(
                source, np.arange(tiles.size, dtype=np.int32), np.zeros(tiles.size, np.uint8), tiles.reshape(-1).copy()
            )
        )
        self._now = tiles.copy()
        self._played += 1
        self._store_keyframe(self.turns - 1)

    def codes_mean(self, palette: Palette) -> None:
        """Set the palette of the codes from the next turn on."""
        require_palette("palette", palette)
        if not self.palettes or self.palettes[-1][1] != palette:
            self.palettes.append((self.turns, palette))

    def things_stand(self, source: str, things: Sequence[Thing]) -> None:
        """Append a turn that changes no tile, after which these things stand on the map. A film shows no frame for it:
        it shows things at its end.

        >>> timeline = Timeline()
        >>> timeline("begin", np.zeros((1, 3), np.uint8))
        >>> timeline.things_stand("furnish", [Thing("chest", 2, 0)])
        >>> timeline.turns, timeline.sources[1], timeline.things[0][0], timeline.frame_turns().tolist()
        (2, 'furnish', 1, [0])
        """
        self._require_state()
        require_text("the writer of a turn", source)
        self.things.append((self.turns, tuple(things)))
        none = np.zeros(0, np.int32), np.zeros(0, np.uint8), np.zeros(0, np.uint8)
        self._append(TurnBatch((source,), _SINGLE_TURN_SOURCE, np.zeros(1, np.int64), *none, np.zeros(1, bool)))

    def log(
        self,
        names: Sequence[str],
        who: NDArray[np.int32],
        ends: NDArray[np.int64],
        cells: NDArray[np.int32],
        old: NDArray[np.uint8],
        new: NDArray[np.uint8],
        shown: NDArray[np.bool_] | None = None,
    ) -> None:
        """Append many turns to the present state: turn k was made by `names[who[k]]`, and changed `cells[ends[k -
        1]:ends[k]]` from old to new.

        Cells are y * width + x, each at most once a turn. A turn may change nothing. `shown` says which turns a film
        shows, if not all: where several happen at once, only the last. The arrays are kept as they are: do not write to
        them afterwards.

        >>> timeline = Timeline()
        >>> timeline("begin", np.zeros((1, 3), np.uint8))
        >>> who, ends = np.array([0, 1]), np.array([2, 3])
        >>> timeline.log(["dig", "fill"], who, ends, np.array([0, 1, 0]), np.array([0, 0, 5]), np.array([5, 5, 7]))
        >>> [timeline.at(turn).tolist() for turn in range(timeline.turns)]
        [[[0, 0, 0]], [[5, 5, 0]], [[7, 5, 0]]]
        """
        self._require_state()
        check_log(names, who, ends, cells, old, new, shown)
        if len(ends):
            self._append(TurnBatch(tuple(names), who, ends, cells, old, new, shown))

    def log_later(self, turns: int, work: Callable[[], TurnBatch]) -> None:
        """Like `log`, for turns whose arrays `work` computes when they are first needed."""
        self._require_state()
        turns = require_whole_number("turns", turns, 0)
        require_callable("work", work, optional=False)
        if turns:
            self._append(LazyTurnBatch(turns, work))

    def _require_state(self) -> None:
        if not self._batches:
            raise BadInput("a log goes on from a state", fix="show the tiles before: timeline('begin', tiles)")

    def _append(self, batch: TurnBatch | LazyTurnBatch) -> None:
        self._starts.append(self.turns)
        self._batches.append(batch)

    def _update_state(self) -> None:
        """Replay the waiting batches into the present state, and store keyframes on the way."""
        far = max(self._now.size, KEYFRAME_CELLS)
        for start, batch in zip(self._starts[self._played :], self._batches[self._played :], strict=True):
            done = 0
            while done < batch.turns:
                until = min(
                    int(np.searchsorted(batch.ends, batch.cell_end(done) + far - self._cells_since)) + 1, batch.turns
                )
                batch.redo(self._now.reshape(-1), done, until)
                self._cells_since += batch.cell_end(until) - batch.cell_end(done)
                done = until
                if self._cells_since >= far:
                    self._store_keyframe(start + done - 1)
            self._batches_since += 1
            if self._batches_since >= KEYFRAME_BATCHES:
                self._store_keyframe(start + done - 1)
        self._played = len(self._batches)

    def _store_keyframe(self, turn: int) -> None:
        """Store the present state whole."""
        self._key_turns.append(turn)
        self._keys.append(self._now.copy())
        self._cells_since = self._batches_since = 0

    @property
    def turns(self) -> int:
        """The number of states: `at(0)` to `at(turns - 1)`."""
        return self._starts[-1] + self._batches[-1].turns if self._batches else 0

    @property
    def sources(self) -> Sequence[str]:
        """The writer of each turn."""
        return TurnSources(self._batches, self._starts)

    def sizes(self) -> list[tuple[int, tuple[int, int]]]:
        """The turns in which the map got its size or changed it, with width and height."""
        return [(turn, (width, height)) for turn, (height, width) in self._sizes]

    def counts(self) -> NDArray[np.int64]:
        """The number of cells that each turn changed."""
        return (
            np.concatenate([np.diff(batch.ends, prepend=0) for batch in self._batches])
            if self._batches
            else np.zeros(0, np.int64)
        )

    def frame_turns(self) -> NDArray[np.int64]:
        """The turns after which a film can show the map: all, but of the rewrites that one turn of an `all` or
        `parallel` node makes at once only the last.

        >>> timeline = Timeline()
        >>> timeline("begin", np.zeros((1, 3), np.uint8)); timeline("dig", np.ones((1, 3), np.uint8))
        >>> timeline.frame_turns().tolist()
        [0, 1]
        """
        parts = [
            start + (np.arange(batch.turns) if batch.shown is None else np.flatnonzero(batch.shown))
            for start, batch in zip(self._starts, self._batches, strict=True)
        ]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)

    def palette(self, turn: int) -> Palette | None:
        """The palette of the codes in a turn; None if it is unknown."""
        turn = _turn_number(turn)
        index = bisect_right(self.palettes, turn, key=lambda known: known[0]) - 1
        return self.palettes[index][1] if index >= 0 else None

    def codes(self) -> list[int]:
        """Every code that occurs on the map in any turn."""
        seen = np.zeros(256, bool)
        for batch in self._batches:
            seen[batch.new] = True
        return np.flatnonzero(seen).tolist()

    def change(self, turn: int) -> Change:
        """The change of a turn."""
        index = self._batch_index(turn)
        return self._batches[index].change(turn - self._starts[index])

    def all_turns(self) -> TurnBatch:
        """All turns in one batch, turn 0 included, to replay elsewhere. Where the map changes its size, cells are
        renumbered.
        """
        numbers: dict[str, int] = {}
        tables = [
            np.array([numbers.setdefault(name, len(numbers)) for name in batch.names], np.int32)
            for batch in self._batches
        ]
        who = [table[batch.who] for table, batch in zip(tables, self._batches, strict=True)]
        begins = np.cumsum([0, *(batch.cell_end(batch.turns) for batch in self._batches)])
        ends = [batch.ends + begin for begin, batch in zip(begins.tolist(), self._batches, strict=False)]
        rest = ([getattr(batch, name) for batch in self._batches] for name in ("cells", "old", "new"))
        return TurnBatch(tuple(numbers), *map(np.concatenate, (who, ends, *rest)))

    def at(self, turn: int) -> NDArray[np.uint8]:
        """The tiles after a turn, replayed from the last keyframe before it. The array is a copy: you can keep it, or
        start another run from it.
        """
        self._batch_index(turn)
        self._update_state()
        key = bisect_right(self._key_turns, turn) - 1
        tiles = self._keys[key].copy()
        self.go(tiles, self._key_turns[key], turn)
        return tiles

    def go(self, tiles: NDArray[np.uint8], here: int, to: int) -> None:
        """Change tiles in place from the state after one turn to the state after another: redo the turns between them,
        or undo them.
        """
        for turn in (here, to):
            self._batch_index(turn)
        first, last = sorted((here, to))
        start, end = self._batch_index(first), self._batch_index(last)
        size = self._size_at(last)
        if self._size_at(first) != size or getattr(tiles, "shape", None) != size[1]:
            raise BadInput(f"the map has another size in turn {to}", fix=f"take timeline.at({to})")
        flat = tiles.reshape(-1)
        between = range(start, end + 1) if here <= to else range(end, start - 1, -1)
        for index in between:
            batch, begin = self._batches[index], self._starts[index]
            move = batch.redo if here <= to else batch.undo
            move(flat, max(0, first + 1 - begin), min(batch.turns, last + 1 - begin))

    def step(self, tiles: NDArray[np.uint8], turn: int) -> None:
        """Redo a turn in place, from the state before it."""
        self.go(tiles, _turn_number(turn) - 1, turn)

    def step_back(self, tiles: NDArray[np.uint8], turn: int) -> None:
        """Undo a turn in place, from the state after it."""
        self.go(tiles, turn, _turn_number(turn) - 1)

    def first_turn(self, holds: Callable[[NDArray[np.uint8]], bool]) -> int | None:
        """The first turn whose tiles satisfy `holds`; None if the last ones do not. It is found by bisection, so the
        condition must stay true once it is true.

        >>> timeline = Timeline()
        >>> for count in range(100):
        ...     timeline("count", np.array([[count]], np.uint8))
        >>> timeline.first_turn(lambda tiles: tiles[0, 0] >= 42)
        42
        """
        require_callable("holds", holds, optional=False)
        found = bisect_left(range(self.turns), True, key=lambda turn: bool(holds(self.at(turn))))
        return found if found < self.turns else None

    def writer(self, x: int, y: int, turn: int | None = None) -> CellWrite | None:
        """The last write to this cell up to a turn; None if the cell is unchanged since the beginning, or since the map
        changed its size.
        """
        last = self.turns - 1 if turn is None else turn
        newest = self._batch_index(last)
        begun, (height, width) = self._size_at(last)
        x, y = check_point((x, y), width, height)
        for index in range(newest, self._batch_index(begun), -1):
            batch, start = self._batches[index], self._starts[index]
            found = batch.last_write(y * width + x, last + 1 - start if index == newest else batch.turns)
            if found:
                return CellWrite(start + found[0], batch.source(found[0]), *found[1:])
        return None

    def _batch_index(self, turn: int) -> int:
        """The index of the batch that holds a turn."""
        turns = self.turns
        if (type(turn) is not int or not 0 <= turn < turns) and not 0 <= _turn_number(turn) < turns:
            raise OutOfRange(
                f"there is no turn {format_value_briefly(turn)}: there {'is' if turns == 1 else 'are'} "
                f"{plural(turns, 'turn')}",
                fix="count them from 0",
            )
        return bisect_right(self._starts, turn) - 1

    def _size_at(self, turn: int) -> tuple[int, tuple[int, int]]:
        """The turn in which the map got the size that it has in a given turn, with height and width."""
        return self._sizes[bisect_right(self._sizes, turn, key=lambda size: size[0]) - 1]

    whole = RenamedMember("whole", "all_turns")
    back = RenamedMember("back", "step_back")


def _turn_number(turn: Any) -> int:
    """The turn as a plain integer. Raises if it is no whole number."""
    try:
        return operator.index(turn)
    except TypeError:
        raise BadInput(f"a turn is a whole number, not {format_value_briefly(turn)}", fix="count them from 0") from None


def _build_single_turn(
    source: str, cells: NDArray[np.int32], old: NDArray[np.uint8], new: NDArray[np.uint8]
) -> TurnBatch:
    """A batch of one turn."""
    return TurnBatch((source,), _SINGLE_TURN_SOURCE, np.array([len(cells)], np.int64), cells, old, new)
