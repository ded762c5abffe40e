"""Before layouts are timed: the rooms must be such as were asked for."""

from collections.abc import Iterator

from benchmarks.checks import Checks, compared
from benchmarks.layouts import works
from benchmarks.works import OURS
from undercroft.core.rng import Rng


def _check_rooms() -> Iterator[str]:
    rng = Rng.root(2)
    made = [(size, works.POOL.room(rng, size, leniency=1)) for size in works.SIZES[:200]]
    yield compared(
        OURS,
        "sizes as asked for, or one less",
        lambda: all(
            0 <= side - got <= 1
            for size, room in made
            for side, got in zip(size, (room.width, room.height), strict=True)
        ),
    )


CHECKS: Checks = ((("rooms from layouts", "one layout"), _check_rooms),)
