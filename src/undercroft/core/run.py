"""One running generation: its budget, its cancel flag and its watcher."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.palette import Palette
from undercroft.core.region import Thing
from undercroft.errors import BadInput, Cancelled, OutOfBudget
from undercroft.inputs.arguments import require_callable, require_whole_number
from undercroft.wording import format_count, format_value_briefly

FUEL_PER_CALL = 1 << 18
"""Cell visits that a resumable kernel does in one call: well under 20 ms of compiled work."""


class Watcher(Protocol):
    """Receives every turn. Its tiles are a read-only copy, so a watcher cannot change the level.

    A watcher may have any of these methods too; `describe_watcher` reads them:

    - `codes_mean(palette)` is called before the tiles are shown: rules can bring a palette of their own.
    - `log_later(turns, work)` takes the turns of rules in batches: `work()` computes a batch when it is needed.
    - `rewriting(source, engine)` is called when rules begin. The engine then remembers every rewrite.
    - `things_stand(source, things)` takes all things on the map, after each turn that places or changes some, and after
      a step that only gives names.
    """

    def __call__(self, source: str, tiles: NDArray[np.uint8]) -> None: ...


class WatcherHooks(NamedTuple):
    """The optional methods of a watcher; None for those it does not have."""

    codes_mean: Callable[[Palette], None] | None = None
    log_later: Callable[[int, Callable[[], Any]], None] | None = None
    rewriting: Callable[[str, Any], None] | None = None
    things_stand: Callable[[str, Sequence[Thing]], None] | None = None


def describe_watcher(watcher: Watcher | None) -> WatcherHooks:
    """The optional methods that a watcher has. Raises if one of them is no method, or if it cannot be called itself.

    >>> class Counter:
    ...     def __call__(self, source, tiles): ...
    ...     def codes_mean(self, palette): ...
    >>> hooks = describe_watcher(Counter())
    >>> hooks.codes_mean is None, hooks.log_later is None
    (False, True)
    """
    if watcher is None:
        return NO_HOOKS
    require_callable("watcher", watcher)
    hooks = WatcherHooks(*(getattr(watcher, name, None) for name in WatcherHooks._fields))
    for name, hook in hooks._asdict().items():
        if hook is not None and not callable(hook):
            raise BadInput(
                f"{name} of the watcher {type(watcher).__name__} is a method, not {format_value_briefly(hook)}",
                fix="give it another name, or write a method",
            )
    return hooks


NO_HOOKS = WatcherHooks()


class Run:
    """Budget in cell visits, cancel flag and watcher. `drive` calls a resumable kernel until it is done.

    >>> left = [10]
    >>> def eat(fuel):
    ...     used = min(fuel, left[0]); left[0] -= used; return used
    >>> run = Run(); run.drive(eat); run.used
    10
    """

    __slots__ = (
        "_cancelled",
        "_tick",
        "_watcher",
        "budget",
        "hooks",
        "notes",
        "palette",
        "sketched",
        "source",
        "swept",
        "tags",
        "tiles",
        "used",
    )

    def __init__(
        self,
        *,
        budget: int | None = None,
        cancelled: Callable[[], bool] | None = None,
        watcher: Watcher | None = None,
        tick: Callable[[str], None] | None = None,
    ) -> None:
        if budget is not None and (type(budget) is not int or budget < 0):
            fix = f"leave max_steps out for {limits.STEPS.value:,}"
            budget = require_whole_number("the budget of steps", budget, 0, fix=fix)
        require_callable("cancelled", cancelled)
        require_callable("tick", tick)
        self.budget = limits.STEPS.value if budget is None else budget
        """How many steps of work may be done."""
        self.used = 0
        """How many have been done."""
        self._watcher = watcher
        self.hooks = NO_HOOKS if watcher is None else describe_watcher(watcher)
        """What else the watcher wants to be called for."""
        self.notes: list[str] = []
        """What the user should know about the work."""
        self.source = ""
        """The id of the step at work."""
        self.tags: tuple[str, ...] = ()
        """The tags of the recipe."""
        self.tiles: NDArray[np.uint8] | None = None
        """The tiles that watchers are shown."""
        self.palette: Palette | None = None
        """What their codes stand for."""
        self.sketched = False
        """Whether the watcher sees a plan instead of the tiles."""
        self.swept: object = None
        """The last search over a map and its result, for later searches over the same map."""
        self._cancelled = cancelled
        self._tick = tick

    @property
    def watcher(self) -> Watcher | None:
        """Who is shown every turn."""
        return self._watcher

    @watcher.setter
    def watcher(self, watcher: Watcher | None) -> None:
        self._watcher = watcher
        self.hooks = describe_watcher(watcher)

    def spend(self, steps: int) -> None:
        """Count work that is done. Raise if the budget is used up or the run is cancelled."""
        if type(steps) is not int:
            steps = require_whole_number("the number of steps", steps, 0)
        self.used += steps
        if self.used > self.budget:
            raise OutOfBudget(
                f"gave up after {format_count(self.used)} steps in {self.source or 'the work'}; "
                f"the budget was {format_count(self.budget)}",
                fix="ask for a smaller level, or raise the budget: --max-steps N (max_steps= in Python)",
            )
        if self._tick is not None:
            self._tick(self.source)
        if self._cancelled is not None and self._cancelled():
            raise Cancelled(f"cancelled in {self.source or 'the work'}")

    def drive(self, bite: Callable[[int], int], *, fine: int = 1) -> None:
        """Call `bite(fuel)` until it uses less than it was given.

        With a watcher, calls get less fuel, divided by `fine`; the result is the same.
        """
        require_callable("bite", bite, optional=False)
        fuel = FUEL_PER_CALL if self._watcher is None else max(1, self._watched_fuel() // fine)
        while True:
            used = bite(fuel)
            self.spend(used)
            if self._watcher is not None and not self.sketched:
                self.show()
            if used < fuel:
                return

    def work(self, bite: Callable[[int], int], after: Callable[[], None]) -> None:
        """Like `drive`, always with full fuel, for work that reports its own turns: `after` is called after each
        call.
        """
        while True:
            used = bite(FUEL_PER_CALL)
            self.spend(used)
            after()
            if used < FUEL_PER_CALL:
                return

    def _watched_fuel(self) -> int:
        return FUEL_PER_CALL if self.tiles is None else max(1, self.tiles.size // 128)

    def show(self) -> None:
        """Show the current tiles to the watcher."""
        if self._watcher is not None and self.tiles is not None:
            self.sketched = False
            self._notify(self._watcher, self.tiles)

    def show_things(self, things: Sequence[Thing]) -> None:
        """Show the watcher what stands on the map."""
        if self.hooks.things_stand is not None:
            self.hooks.things_stand(self.source, things)

    def sketch(self, tiles: NDArray[np.uint8]) -> None:
        """Show the watcher a plan: tiles that differ from those of the map. The plan stays until the step ends; the
        next step shows the map again.
        """
        if self.watcher is not None:
            self.sketched = True
            self._notify(self.watcher, tiles)

    def _notify(self, watcher: Watcher, tiles: NDArray[np.uint8]) -> None:
        if self.hooks.codes_mean is not None and self.palette is not None:
            self.hooks.codes_mean(self.palette)
        copy = tiles.copy()
        copy.setflags(write=False)
        watcher(self.source, copy)

    def note(self, text: str) -> None:
        """Record a note for the user, such as a limit that ended the work early or a loss that was repaired."""
        self.notes.append(text)
