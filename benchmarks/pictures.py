"""Pictures and files: every style, large pictures against Pillow alone, and how the files for an editor grow."""

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.checks import Checks, DisagreementError
from benchmarks.contest import Entry, Row, format_size
from benchmarks.figures import Figure
from benchmarks.works import OURS, Size, on, own, too_slow

if TYPE_CHECKING:
    from undercroft import Level

USUAL, SMALL, WIDE, HUGE = (61, 41), (80, 50), (200, 200), (2048, 2048)
STYLES = ("dark", "ink", "blueprint", "parchment", "pixels", "print", "plain")
PILLOW = "Pillow saves as many pixels"
PAGES = "undercroft, print, all pages as PDF"
CELL = 4


@cache
def level(recipe: str, size: Size) -> "Level":
    """A level to draw."""
    import undercroft

    return undercroft.generate(recipe, seed=3, size=size)


def dumped(of: "Level", name: str, **options: object) -> bytes:
    """The file."""
    from undercroft.formats import dump

    return dump(of, name, **options)


def styles(sizes: Sequence[Size]) -> Iterator[Entry]:
    """A keep with names and things in every style, as a file."""
    for size in own((USUAL,), sizes):
        entry = partial(Entry, work="style", size=size, skip=too_slow(size))
        for style in STYLES:
            yield entry(
                contender=f"undercroft, {style}",
                run=on(partial(level, "rooms-and-mazes"), size, partial(dumped, name="png", style=style)),
            )
        yield entry(contender=PAGES, run=on(partial(level, "rooms-and-mazes"), size, partial(dumped, name="pdf")))
    yield Entry(
        work="style",
        size=SMALL,
        contender="undercroft, plain",
        run=on(partial(level, "cave"), SMALL, partial(dumped, name="png", style="plain")),
    )


def large(sizes: Sequence[Size]) -> Iterator[Entry]:
    """A large cave as a flat picture; beside it, Pillow saving an array of the same number of pixels."""
    for size in own((HUGE,), sizes)[: 1 if max(map(max, sizes)) >= HUGE[0] else 0]:
        entry = partial(Entry, work="large picture", size=size, skip=too_slow(size))
        yield entry(
            contender=OURS, run=on(partial(level, "cave"), size, partial(dumped, name="png", style="plain", cell=CELL))
        )
        yield entry(contender=PILLOW, run=on(partial(level, "cave"), size, saved))


def saved(of: "Level") -> bytes:
    """An array of the same pixels, one byte each for red, green and blue, by Pillow alone."""
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(_pixels(of.size)).save(file, "PNG")
    return file.getvalue()


@cache
def _pixels(size: Size) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]":
    of = level("cave", size)
    colours = np.array([_rgb(tile.colour) for tile in of.palette.tiles], np.uint8)
    return colours[of.tiles].repeat(CELL, 0).repeat(CELL, 1)


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


def editors(sizes: Sequence[Size]) -> Iterator[Entry]:
    """Maps for Tiled, small and large."""
    for size in own(((512, 512), HUGE), sizes):
        yield Entry(
            work="tmx",
            size=size,
            contender=OURS,
            run=on(partial(level, "cave"), size, partial(dumped, name="tmx")),
            skip=too_slow(size),
        )


def agree() -> Iterator[str]:
    """Check that pictures show what they should, and that files stay below their size limits."""
    cave = level("cave", WIDE)
    plain, ink = len(dumped(cave, "svg", style="plain")), len(dumped(cave, "svg", style="ink"))
    if plain >= 500_000 or ink > 150 * cave.tiles.size:
        raise DisagreementError(f"SVG of {format_size(WIDE)}: {plain:,} bytes in plain, {ink:,} in ink")
    yield (
        f"SVG of {format_size(WIDE)}: {plain:,} bytes in plain (under 500,000), {ink / cave.tiles.size:.0f} bytes a "
        "cell in ink (at most 150)"
    )


def figures(rows: Iterable[Row]) -> Iterator[Figure]:
    """The target figures."""
    times = {(row.work, row.size, row.contender): row.median for row in rows}
    for style in STYLES:
        yield Figure(
            f"{style} {format_size(USUAL)}: under 1.5 seconds",
            times.get(("style", USUAL, f"undercroft, {style}")),
            1.5,
            "seconds",
        )
    yield Figure(
        f"print {format_size(USUAL)}, all pages: under 3 seconds", times.get(("style", USUAL, PAGES)), 3, "seconds"
    )
    quick = times.get(("style", SMALL, "undercroft, plain"))
    yield Figure(f"plain {format_size(SMALL)}: under 30 milliseconds", quick and quick * 1000, 30, "milliseconds")
    mine, theirs = times.get(("large picture", HUGE, OURS)), times.get(("large picture", HUGE, PILLOW))
    yield Figure(
        f"PNG {format_size(HUGE)}, {CELL} pixels a cell: at most 3 times Pillow's own save",
        mine / theirs if mine and theirs else None,
        3,
    )
    small, huge = times.get(("tmx", (512, 512), OURS)), times.get(("tmx", HUGE, OURS))
    yield Figure(f"TMX {format_size(HUGE)}: under 2 seconds", huge, 2, "seconds")
    yield Figure(
        f"TMX: time a cell {format_size(HUGE)} against 512x512, linear",
        huge / small / 16 if huge and small else None,
        1.5,
    )


WORKS: dict[str, Callable[[Sequence[Size]], Iterator[Entry]]] = {
    "style": styles,
    "large picture": large,
    "tmx": editors,
}
CHECKS: Checks = ((("style",), agree),)
