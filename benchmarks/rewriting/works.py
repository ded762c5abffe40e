"""The works of rewriting. They have sizes of their own; of these, a quick run takes those that are no larger than its
own largest.
"""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING

from benchmarks import floors, ours
from benchmarks.contest import BYTES, REWRITES, Entry, timed
from benchmarks.peers import MissingError, naive_grammar, naive_templates
from benchmarks.rewriting import memory
from benchmarks.rewriting.inputs import (
    ROWS,
    base,
    cave,
    empty,
    floor_drawing,
    floor_rules,
    full,
    grammar_folder,
    grammar_variants,
    rewrites,
    scattered,
    start_level,
    unread,
)
from benchmarks.works import NOWHERE, OURS, PLAIN, Size, beyond, on, own, seeded, smooth, too_slow

if TYPE_CHECKING:
    from undercroft import Level

INTERPRETED = "plain Python, scanning all anew"
UNWATCHED = "undercroft, unwatched"
BY_GUARD = "undercroft, the guard alone says where"
UNGUARDED = "undercroft, without the guard"
LARGER_ALONE = "undercroft, the larger rule alone"
ONE_CELL_ALONE = "undercroft, the one-cell rule alone"
TABLES_BEFORE = "undercroft, tables made before"
READING = "rooms-18, reading the rules"

SMALL, LARGE = (255, 255), (1023, 1023)
ROOM_SIZES = ((127, 127), (359, 359), LARGE)
DENSE_SIZES = ROOM_SIZES[:2]
MATCHING_SIZES = ((1024, 1024), (4096, 4096))
EROSION_SIZES = ((127, 127), SMALL)
TEMPLATES_SIZE, GRAMMAR_SIZE = (80, 80), (80, 32)
GRAMMAR_STEPS = 150
PARALLEL_SIZE = (600, 600)

ALCOVE = ("?##????", "##..???", "#.....?", "#......", "#.....?", "##..???", "?##????")
"""What the matching looks for: about a thousand on a smoothed cave of 4096x4096."""


def rows(name: str, sizes: Sequence[Size]) -> Iterator[Entry]:
    """Rules of one row, from one cell in the middle until nothing fits."""
    for size in own((SMALL, LARGE), sizes):
        entry = partial(Entry, work=name, size=size)
        yield entry(
            contender=OURS,
            run=_from(start_level, name, size, partial(ours.rewritten, name)),
            skip=too_slow(size),
            facts=partial(_count_rewrites, name, size),
        )
        yield entry(contender=PLAIN, run=_by_floor(name, size), facts=partial(_count_rewrites, name, size))


def rooms(sizes: Sequence[Size]) -> Iterator[Entry]:
    """Eighteen rooms in eight positions, grown from one open end until nothing fits; and how long the rules take to
    read.
    """
    yield Entry(work=READING, size=NOWHERE, contender=OURS, run=timed(partial(ours.read, "rooms-18")))
    for entry in _rooms("rooms-18", "R", ROOM_SIZES, sizes):
        yield entry
        size = entry.size
        alone = partial(Entry, work="rooms-18", size=size, contender=TABLES_BEFORE, skip=too_slow(size))
        yield alone(run=_alone("R", "rooms-18", size), facts=partial(_room_count, "rooms-18", "R", size))


def dense_rooms(sizes: Sequence[Size]) -> Iterator[Entry]:
    """The same rooms wherever there is room for them: on an empty map every one fits everywhere."""
    yield from _rooms("rooms-dense", "", DENSE_SIZES, sizes)


def templates(_sizes: Sequence[Size]) -> Iterator[Entry]:
    """The recipe of that name, whole."""
    entry = partial(Entry, work="templates", size=TEMPLATES_SIZE)
    yield entry(contender=OURS, run=seeded(ours.templates, TEMPLATES_SIZE), skip=_interpreted())
    yield entry(contender=INTERPRETED, run=seeded(naive_templates.dungeon, TEMPLATES_SIZE))


def matching(sizes: Sequence[Size]) -> Iterator[Entry]:
    """Every place of a 7x7 drawing in its four turns, on a cave."""
    for size in own(MATCHING_SIZES, sizes):
        entry = partial(Entry, work="matching", size=size)
        yield entry(contender=OURS, run=on(cave, size, ours.matches, ALCOVE), skip=too_slow(size))
        yield entry(contender=PLAIN, run=on(smooth, size, floors.matches, floor_drawing(ALCOVE)))


def watching(sizes: Sequence[Size]) -> Iterator[Entry]:
    """Growth, with a timeline that can show every turn of it."""
    for size in own((SMALL, LARGE), sizes):
        entry = partial(
            Entry, work="watching", size=size, skip=too_slow(size), facts=partial(_count_rewrites, "growth", size)
        )
        yield entry(contender=OURS, run=_from(start_level, "growth", size, partial(ours.watched, "growth")))
        yield entry(contender=UNWATCHED, run=_from(start_level, "growth", size, partial(ours.rewritten, "growth")))


def guarded_growth(sizes: Sequence[Size]) -> Iterator[Entry]:
    """Growth that has to keep what it grows connected."""
    for size in own((SMALL, LARGE), sizes):
        entry = partial(Entry, work="guarded-growth", size=size, facts=partial(_count_rewrites, "growth", size))
        skip = unread("guarded-growth") or too_slow(size)
        yield entry(
            contender=OURS, run=_from(start_level, "growth", size, partial(ours.rewritten, "guarded-growth")), skip=skip
        )
        by_guard = unread("growth-by-guard") or too_slow(size) or beyond(size, 300, "reported for the smaller map only")
        yield entry(
            contender=BY_GUARD,
            run=_from(start_level, "growth", size, partial(ours.rewritten, "growth-by-guard")),
            skip=by_guard,
        )
        yield entry(
            contender=UNGUARDED,
            run=_from(start_level, "growth", size, partial(ours.rewritten, "growth")),
            skip=too_slow(size),
        )


def erosion(sizes: Sequence[Size]) -> Iterator[Entry]:
    """Take cell after cell away from a full map, as long as the rest stays connected."""
    for size in own(EROSION_SIZES, sizes):
        skip = unread("erosion") or too_slow(size)
        run = _from(full, "erosion", size, partial(ours.rewritten, "erosion"))
        yield Entry(work="erosion", size=size, contender=OURS, run=run, skip=skip, facts=partial(_eroded, size))


def parallel(sizes: Sequence[Size]) -> Iterator[Entry]:
    """80 turns of a `parallel` node with a rule of one cell beside a larger one that writes another tile; and of each
    of them alone.
    """
    for size in own((PARALLEL_SIZE,), sizes):
        for contender, name in ((OURS, "both"), (LARGER_ALONE, "larger"), (ONE_CELL_ALONE, "one-cell")):
            rules = f"parallel-{name}"
            run = _from(scattered, rules, size, partial(ours.rewritten, rules))
            yield Entry(work="parallel", size=size, contender=contender, run=run, skip=too_slow(size))


def grammar(_sizes: Sequence[Size]) -> Iterator[Entry]:
    """150 steps of the grammar folder that comes with the project."""
    entry = partial(Entry, work="grammar", size=GRAMMAR_SIZE, facts=lambda: {REWRITES: GRAMMAR_STEPS})
    run = _from(base, grammar_folder(), GRAMMAR_SIZE, partial(ours.rewritten, grammar_folder(), steps=GRAMMAR_STEPS))
    yield entry(contender=OURS, run=run, skip=_interpreted())
    yield entry(contender=INTERPRETED, run=_grammar_scans())


WORKS: dict[str, Callable[[Sequence[Size]], Iterator[Entry]]] = {
    **{name: partial(rows, name) for name in ROWS},
    "rooms-18": rooms,
    "rooms-dense": dense_rooms,
    "templates": templates,
    "matching": matching,
    "watching": watching,
    "guarded-growth": guarded_growth,
    "erosion": erosion,
    "parallel": parallel,
    "grammar": grammar,
}


def _grammar_scans() -> Callable[[int], float]:
    seeds = iter(range(1, 1 << 30))

    def run(times: int) -> float:
        cells, variants = base(grammar_folder(), GRAMMAR_SIZE).tiles.ravel().tolist(), grammar_variants(GRAMMAR_SIZE)
        width, height = GRAMMAR_SIZE
        rewrite = naive_grammar.rewrite_map
        return timed(lambda: rewrite(cells, width, height, variants, GRAMMAR_STEPS, next(seeds)))(times)

    return run


def _rooms(name: str, start: str, mine: Sequence[Size], sizes: Sequence[Size]) -> Iterator[Entry]:
    for size in own(mine, sizes):
        yield Entry(
            work=name,
            size=size,
            contender=OURS,
            run=_afresh(start, name, size),
            skip=too_slow(size),
            facts=partial(_room_facts, name, start, size),
        )


def _afresh(start: str, name: str, size: Size) -> Callable[[int], float]:
    """Time the rewriting with tables made anew: no run finds those that another has made."""
    seeds = iter(range(1, 1 << 30))

    def run(times: int) -> float:
        level, rules, seconds = empty(start, name, size), ours.read(name), []
        for _ in range(times):
            ours.forget()
            seconds.append(timed(partial(rules.apply, level, next(seeds)))(1))
        return fmean(seconds)

    return run


def _alone(start: str, name: str, size: Size) -> Callable[[int], float]:
    """Time the rewriting without the tables, which at small sizes take most of the time; they are made for each run, so
    it is repeated a few times only.
    """
    seeds = iter(range(1, 1 << 30))
    return lambda times: fmean(
        ours.run_alone(name, empty(start, name, size), next(seeds))[0] for _ in range(min(times, 5))
    )


def _room_facts(name: str, start: str, size: Size) -> Mapping[str, float]:
    """The mean number of rooms, and the memory where a map is so large that it says something of cells."""
    facts = dict(_room_count(name, start, size))
    if size[0] >= 300:
        try:
            facts[BYTES] = memory.bytes_per_cell(name, size, start)
        except MissingError:
            return facts
    return facts


@functools.cache
def _room_count(name: str, start: str, size: Size) -> Mapping[str, float]:
    return {REWRITES: fmean(rewrites(name, ours.rewritten(name, empty(start, name, size), seed)) for seed in (1, 2, 3))}


def _count_rewrites(name: str, size: Size) -> Mapping[str, float]:
    """The number of rewrites, which does not depend on the seed."""
    _, count = floors.rewriting(start_level(name, size).tiles, floor_rules(name), floors.stream())
    return {REWRITES: count}


def _eroded(size: Size) -> Mapping[str, float]:
    level = ours.rewritten("erosion", full("erosion", size), 1)
    return {REWRITES: int((level.tiles != level.palette.code("W")).sum())}


def _by_floor(name: str, size: Size) -> Callable[[int], float]:
    """Time the floor on the same map; each run goes on in the same stream."""
    rng = floors.stream()

    def run(times: int) -> float:
        tiles, pairs = start_level(name, size).tiles, floor_rules(name)
        return timed(lambda: floors.rewriting(tiles, pairs, rng))(times)

    return run


def _from(
    source: Callable[[str, Size], "Level"], name: str, size: Size, work: Callable[["Level", int], object]
) -> Callable[[int], float]:
    """Time work on a level that is made on the first call, outside the clock, over the seeds 1, 2, 3 and so on."""
    seeds = iter(range(1, 1 << 30))

    def run(times: int) -> float:
        level = source(name, size)
        return timed(lambda: work(level, next(seeds)))(times)

    return run


def _interpreted() -> str:
    return "" if ours.compiled() else "the kernels are interpreted here"
