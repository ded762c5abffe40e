"""Batches of turns as plain arrays: the storage of a timeline."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_text, require_texts
from undercroft.wording import format_value_briefly


class Change(NamedTuple):
    """The effect of one turn: cells as y * width + x, with the codes before and after."""

    source: str
    cells: NDArray[np.int32]
    old: NDArray[np.uint8]
    new: NDArray[np.uint8]


def check_turn(source: Any, tiles: Any) -> None:
    """Raise unless these are the writer of a turn, and the codes of the tiles after it."""
    if not isinstance(tiles, np.ndarray) or tiles.ndim != 2 or tiles.dtype != np.uint8:
        shown = f"{tiles.dtype} {tiles.shape}" if isinstance(tiles, np.ndarray) else format_value_briefly(tiles)
        raise BadInput(
            f"a timeline takes the codes of tiles, a grid of uint8, not {shown}",
            fix="for example timeline('dig', draft.tiles)",
        )
    require_text("the writer of a turn", source)


def check_log(names: Any, who: Any, ends: Any, cells: Any, old: Any, new: Any, shown: Any) -> None:
    """Raise unless these are the arrays of some turns, and fit each other."""
    require_texts("names", names, "for example ['dig']")
    for name, array in (("who", who), ("ends", ends), ("cells", cells), ("old", old), ("new", new), ("shown", shown)):
        kinds = "b" if name == "shown" else "iu"
        if array is None and name == "shown":
            continue
        if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype.kind not in kinds:
            raise BadInput(
                f"{name!r} of a log is an array of {'truth values' if name == 'shown' else 'whole numbers'}, not "
                f"{format_value_briefly(array)}",
                fix="for example np.array([0], np.int32)" if name != "shown" else "leave it out to show all turns",
            )
    counts = len(who), len(ends) if shown is None else len(shown)
    changes = int(ends[-1]) if len(ends) else 0
    if counts != (len(ends), len(ends)) or not len(cells) == len(old) == len(new) == changes:
        raise BadInput(
            "the arrays of a log do not fit each other",
            fix="give one of 'who' and 'ends' for each turn, and one of 'cells', 'old' and 'new' for each change",
        )


class TurnBatch(NamedTuple):
    """Turn k was made by `names[who[k]]`, and changed `cells[ends[k - 1]:ends[k]]` from old to new."""

    names: Sequence[str]
    who: NDArray[np.int32]
    ends: NDArray[np.int64]
    cells: NDArray[np.int32]
    old: NDArray[np.uint8]
    new: NDArray[np.uint8]
    shown: NDArray[np.bool_] | None = None
    """Which turns a film shows: not those that the next turn completes, because both happen at once. None: all."""

    @property
    def turns(self) -> int:
        return len(self.ends)

    def cell_end(self, turns: int) -> int:
        """The index in `cells` at which the first `turns` turns end."""
        return int(self.ends[turns - 1]) if turns else 0

    def source(self, turn: int) -> str:
        """The writer of a turn."""
        return self.names[int(self.who[turn])]

    def change(self, turn: int) -> Change:
        """The change of a turn."""
        part = slice(self.cell_end(turn), self.cell_end(turn + 1))
        return Change(self.source(turn), self.cells[part], self.old[part], self.new[part])

    def redo(self, flat: NDArray[np.uint8], first: int, last: int) -> None:
        """Redo the turns from `first` up to but without `last`, all at once. Where several turns write a cell, the last
        write stays.
        """
        part = slice(self.cell_end(first), self.cell_end(last))
        flat[self.cells[part]] = self.new[part]

    def undo(self, flat: NDArray[np.uint8], first: int, last: int) -> None:
        """Undo the same turns: the code before the first write stays."""
        part = slice(self.cell_end(first), self.cell_end(last))
        flat[self.cells[part][::-1]] = self.old[part][::-1]

    def last_write(self, cell: int, turns: int) -> tuple[int, int, int] | None:
        """The turn, old code and new code of the last write to a cell within the first `turns` turns."""
        found = np.flatnonzero(self.cells[: self.cell_end(turns)] == cell)
        if not len(found):
            return None
        spot = int(found[-1])
        return int(np.searchsorted(self.ends, spot, side="right")), int(self.old[spot]), int(self.new[spot])


class LazyTurnBatch:
    """A batch whose number of turns is known, and whose arrays are computed when they are first read, so that a watched
    run does not wait for them.
    """

    def __init__(self, turns: int, work: Callable[[], TurnBatch]) -> None:
        self.turns = turns
        self._work: Callable[[], TurnBatch] | None = work
        self._batch: TurnBatch | None = None

    def __getattr__(self, name: str) -> Any:
        if self._batch is None:
            assert self._work is not None
            self._batch, self._work = self._work(), None
        return getattr(self._batch, name)


class TurnSources(Sequence[str]):
    """The writer of each turn: reads like a list, and stores nothing besides the batches."""

    def __init__(self, batches: Sequence[TurnBatch | LazyTurnBatch], starts: Sequence[int]) -> None:
        self._batches, self._starts = batches, starts

    def __len__(self) -> int:
        return self._starts[-1] + self._batches[-1].turns if self._batches else 0

    @overload
    def __getitem__(self, turn: int) -> str: ...
    @overload
    def __getitem__(self, turn: slice) -> list[str]: ...
    def __getitem__(self, turn: int | slice) -> str | list[str]:
        if isinstance(turn, slice):
            return [self[each] for each in range(*turn.indices(len(self)))]
        turn = range(len(self))[turn]
        index = bisect_right(self._starts, turn) - 1
        return self._batches[index].source(turn - self._starts[index])

    def __iter__(self) -> Iterator[str]:
        for batch in self._batches:
            yield from map(batch.names.__getitem__, batch.who.tolist())
