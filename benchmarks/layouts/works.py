"""The works of layouts."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from benchmarks.contest import Entry, timed
from benchmarks.works import OURS, Size
from undercroft.core.rng import Rng
from undercroft.templates.layouts import layout_files, pool_files
from undercroft.templates.layouts.layout import Layout

ROOMS = 1000
MANY = (20, 15)
"""About this size are the rooms of the first work."""
GROWING = ((20, 15), (200, 150), (2000, 1500))
LAYOUT = "donut"
COZY = ((100, 60), (512, 512))


def pool(sizes: Sequence[Size]) -> Iterator[Entry]:  # noqa: ARG001 - it has a size of its own
    """A thousand rooms, a little larger and smaller, from the shipped pool."""
    yield Entry(work="rooms from layouts", size=MANY, contender=OURS, run=timed(_many))


def growing(sizes: Sequence[Size]) -> Iterator[Entry]:  # noqa: ARG001
    """One layout at sizes with 100 and 10,000 times the cells."""
    layout = donut()
    for size in GROWING:
        yield Entry(work="one layout", size=size, contender=OURS, run=timed(partial(layout.room, size)))


def donut() -> Layout:
    return layout_files.load(layout_files.LAYOUTS_FOLDER / f"{LAYOUT}.layout")


def about() -> list[Size]:
    """Sizes about the usual one, drawn once and for all."""
    rng = Rng.root(1).stream("sizes")
    return [(MANY[0] - 4 + rng.below(9), MANY[1] - 3 + rng.below(7)) for _ in range(ROOMS)]


SIZES = about()
POOL = pool_files.load_shipped()


def _many() -> int:
    rng = Rng.root(1).stream("rooms")
    return sum(POOL.room(rng, size, leniency=1).tiles.size for size in SIZES)


WORKS: dict[str, Callable[[Sequence[Size]], Iterator[Entry]]] = {"rooms from layouts": pool, "one layout": growing}
