"""Check a layout before it is used: faults of its rooms, settings without effect, the sizes it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.templates.layouts import sizes
from undercroft.templates.layouts.cell_origins import read_part_numbers, sign_parts
from undercroft.templates.layouts.layout import BASE, OVERLAY, Layout
from undercroft.templates.layouts.lint_subject import LayoutRemark, LayoutSubject, TooMuchToCompare
from undercroft.templates.layouts.partition import Axis, Partition
from undercroft.templates.layouts.room_faults import FAULTS
from undercroft.templates.layouts.sizes import format_size
from undercroft.templates.layouts.tile_array import EMPTY_PATCH, Patch
from undercroft.templates.template import OUTSIDE, Template

SERIOUS_FAULTS = ("open", "parts", "empty")
"""Faults that make a room useless."""
LOCKED_AXIS = Axis(locked=True)


def find_layout_remarks(subject: LayoutSubject) -> list[LayoutRemark]:
    """All remarks, the worst first.

    >>> from undercroft.templates.layouts.drawn_text import parse
    >>> for remark in find_layout_remarks(LayoutSubject(parse('''
    ... scale  w = walls, right by 1, down by 1
    ... scale  f = floor, right by 1
    ...
    ...     ###  |  www
    ...     #.#  |  wfw
    ...     ###  |  www
    ... ''', "hut.layout"))):
    ...     print(remark.severity, remark.kind, remark.problem, sep=": ")
    warning: floor stays: the floor stays 1 high while the room grows from 3 to 11
    note: sizes: width any from 3 on, height any from 3 on
    """
    found = [remark for check in CHECKS.values() for remark in check(subject)]
    return sorted(found, key=lambda remark: ("error", "warning", "note").index(remark.severity))


def _find_faults(subject: LayoutSubject) -> Iterator[LayoutRemark]:
    """Each kind of fault once, with the smallest room that has it."""
    for kind, (problem, fix, _) in FAULTS.items():
        first = subject.sizes.first_fault(kind)
        if first is not None:
            count = len({fault.size for fault in subject.sizes.faults if fault.kind == kind})
            where = (
                f"at {count} of {len(subject.existing_sizes)} sizes, first at {format_size(first.size)}"
                if len(subject.existing_sizes) > 1
                else f"at {format_size(first.size)}"
            )
            yield LayoutRemark(
                kind,
                "error" if kind in SERIOUS_FAULTS else "warning",
                f"{problem}, {where}",
                fix,
                _indented(first.picture),
            )


def _find_static_floors(subject: LayoutSubject) -> Iterator[LayoutRemark]:
    """Rooms in which only the walls grow."""
    for axis, word in enumerate(("wide", "high")):
        small, large = (
            subject.rooms[choose(subject.existing_sizes, key=lambda size: size[axis])] for choose in (min, max)
        )
        sides = [np.flatnonzero(_open_cells(room).any(axis=axis)) for room in (small, large)]
        lengths = [int(np.ptp(side)) + 1 if len(side) else 0 for side in sides]
        before, after = (room.tiles.shape[1 - axis] for room in (small, large))
        if before < after and lengths[0] == lengths[1] > 0:
            problem = f"the floor stays {lengths[0]} {word} while the room grows from {before} to {after}"
            yield LayoutRemark(
                "floor stays", "warning", problem, "let the floor scale along with the walls", _indented(str(large))
            )


def _open_cells(room: Template) -> NDArray[np.bool_]:
    """A mask of the cells that are not rock."""
    body: NDArray[np.bool_] = (room.tiles != OUTSIDE) & ~room.palette.rock[room.tiles]
    return body


def _find_empty_partitions(subject: LayoutSubject) -> Iterator[LayoutRemark]:
    for number, partition in enumerate(subject.layout.partitions):
        if not len(partition.tiles):
            yield _build_remark(
                subject, number, "empty partition", "warning", "has no tile", "draw some, or take it out"
            )


def _find_odd_centres(subject: LayoutSubject) -> Iterator[LayoutRemark]:
    for number, partition in enumerate(subject.layout.partitions):
        for axis, (way, what) in enumerate(((partition.x, "columns"), (partition.y, "rows"))):
            count = partition.tiles.count_filled(axis)
            if not way.locked and way.type == "multiples" and way.direction == 0 and count % 2:
                problem = (
                    f"doubles {count} {what} from the centre, which triples the middle one: {2 * count + 1}, not "
                    f"{2 * count}"
                )
                yield _build_remark(
                    subject,
                    number,
                    "odd centre",
                    "warning",
                    problem,
                    f"draw an even number of {what}, or let it double to one side",
                )


def _find_covered(subject: LayoutSubject) -> Iterator[LayoutRemark]:
    """Partitions that are hidden once the room is larger than drawn."""
    if len(subject.existing_sizes) < 2:
        return
    parts = sign_parts(subject.layout)
    seen = {
        int(number) for size in subject.existing_sizes[1:] for number in np.unique(read_part_numbers(parts.room(size)))
    }
    for number, partition in enumerate(subject.layout.partitions):
        if len(partition.tiles) and number not in seen:
            problem = f"is painted over at every size but the smallest, {format_size(subject.existing_sizes[0])}"
            yield _build_remark(
                subject,
                number,
                "covered",
                "warning",
                problem,
                "move it below those that cover it, or let it grow past them",
            )


def _find_still(subject: LayoutSubject) -> Iterator[LayoutRemark]:
    """Partitions that do not scale, and growth without a visible effect."""
    try:
        yield from _find_unseen_growth(subject)
    except TooMuchToCompare:
        yield LayoutRemark("unseen growth", "note", "so large a layout is not checked for growth without effect")


def _find_unseen_growth(subject: LayoutSubject) -> Iterator[LayoutRemark]:
    layout = subject.layout
    for number, partition in enumerate(layout.partitions):
        if not len(partition.tiles):
            continue
        if partition.x.locked and partition.y.locked:
            for part, sign in ((BASE, "="), (OVERLAY, "^")):
                if subject.gives_same_rooms(_move_to_part(layout, number, part)):
                    fix = f"draw it as {layout.part_name(part)} ({sign})"
                    yield _build_remark(
                        subject,
                        number,
                        "still",
                        "note",
                        f"does not scale, and is the same as {layout.part_name(part)}",
                        fix,
                    )
                    break
            continue
        for twin, said in _lock_axes(partition):
            if subject.gives_same_rooms(layout.with_partition(twin, number)):
                yield _build_remark(
                    subject,
                    number,
                    "unseen growth",
                    "note",
                    f"grows {said}, without effect at any size",
                    "leave that out",
                )


def _move_to_part(layout: Layout, number: int, part: int) -> Layout:
    """The layout with the tiles of a partition moved to its base or overlay."""
    tiles = Patch.of([*layout.part(part), *layout.part(number)])
    return layout.with_part(number, EMPTY_PATCH).with_part(part, tiles)


def _lock_axes(partition: Partition) -> Iterator[tuple[Partition, str]]:
    """Variants of a partition with one axis locked, or both if its ratio is locked."""
    x, y = partition.x.locked, partition.y.locked
    if not x and (y or not partition.lock_ratio):
        yield replace(partition, x=LOCKED_AXIS, lock_ratio=False), "sideways"
    if not y and (x or not partition.lock_ratio):
        yield replace(partition, y=LOCKED_AXIS, lock_ratio=False), "up or down"
    if not x and not y and partition.lock_ratio:
        yield replace(partition, x=LOCKED_AXIS, y=LOCKED_AXIS), "both ways"


def _find_useless_flips(subject: LayoutSubject) -> Iterator[LayoutRemark]:
    for allowed, words, turns in (
        (subject.layout.flip_x, "left and right", 0),
        (subject.layout.flip_y, "up and down", 2),
    ):
        if allowed and all(room.mirrored().in_position(turns).looks_like(room) for room in subject.rooms.values()):
            yield LayoutRemark(
                "flips", "note", f"it flips {words}, and every room looks the same then", f"leave 'flips {words}' out"
            )


def _find_changing_slots(subject: LayoutSubject) -> Iterator[LayoutRemark]:
    """Slots whose number depends on the size."""
    counts = {size: [slot.kind for slot in room.slots] for size, room in subject.rooms.items()}
    for kind in sorted({kind for kinds in counts.values() for kind in kinds}):
        first = subject.existing_sizes[0]
        other = next(
            (size for size in subject.existing_sizes if counts[size].count(kind) != counts[first].count(kind)), None
        )
        if other is not None:
            problem = (
                f"the number of slots {kind!r} changes: {counts[first].count(kind)} at {format_size(first)}, "
                f"{counts[other].count(kind)} at {format_size(other)}"
            )
            yield LayoutRemark("slots", "note", problem, picture=_indented(str(subject.rooms[other])))


def _find_changing_ways_round(subject: LayoutSubject) -> Iterator[LayoutRemark]:
    """Rooms with more or fewer ways round than the smallest one."""
    holes = {size: count_ways_round(room) for size, room in subject.rooms.items()}
    first = subject.existing_sizes[0]
    other = next((size for size in subject.existing_sizes if holes[size] != holes[first]), None)
    if other is not None:
        problem = (
            f"the number of cycles changes: {holes[first]} at {format_size(first)}, "
            f"{holes[other]} at {format_size(other)}"
        )
        yield LayoutRemark("ways round", "note", problem, picture=_indented(str(subject.rooms[other])))


def count_ways_round(room: Template) -> int:
    """The number of free-standing rock blocks in a room (Euler's formula; rock that meets at a corner is one block)."""
    body = _open_cells(room)
    _, parts = reach.label_components(body.view(np.uint8))
    pairs = np.count_nonzero(body[1:] & body[:-1]) + np.count_nonzero(body[:, 1:] & body[:, :-1])
    squares = np.count_nonzero(body[1:, 1:] & body[1:, :-1] & body[:-1, 1:] & body[:-1, :-1])
    return int(parts - (np.count_nonzero(body) - pairs + squares))


def _describe_sizes(subject: LayoutSubject) -> Iterator[LayoutRemark]:
    """The sizes as text, and as a table where that shows more."""
    across, down = subject.sizes.reached.any(axis=0), subject.sizes.reached.any(axis=1)
    plain = not subject.sizes.faults and bool((subject.sizes.reached == np.outer(down, across)).all())
    legend = "  a dot is a good room, - none, ! one with an error, ? one with a warning"
    yield LayoutRemark(
        "sizes",
        "note",
        sizes.describe_sizes(subject.layout),
        picture="" if plain else f"{_indented(str(subject.sizes))}\n{legend}",
    )


CHECKS: dict[str, Callable[[LayoutSubject], Iterator[LayoutRemark]]] = {
    "faults": _find_faults,
    "floor stays": _find_static_floors,
    "empty partitions": _find_empty_partitions,
    "odd centres": _find_odd_centres,
    "covered": _find_covered,
    "still": _find_still,
    "flips": _find_useless_flips,
    "slots": _find_changing_slots,
    "ways round": _find_changing_ways_round,
    "sizes": _describe_sizes,
}
"""Every check by name."""


def _build_remark(
    subject: LayoutSubject, number: int, kind: str, severity: str, problem: str, fix: str
) -> LayoutRemark:
    return LayoutRemark(kind, severity, f"{subject.layout.part_name(number)} {problem}", fix, part=number)


def _indented(picture: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in picture.split("\n"))
