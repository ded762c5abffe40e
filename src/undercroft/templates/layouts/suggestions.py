"""Suggest small changes of a layout, or of a request, that make a room of a missing size possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np

from undercroft.templates.layouts import room_faults
from undercroft.templates.layouts.arguments import Size
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.partition import Axis, Partition
from undercroft.templates.template import OUTSIDE, Template
from undercroft.wording import join_words, plural

MAX_EXTRA_LENIENCY = 12
"""The most additional leniency to suggest."""
SERIOUS_FAULTS = ("open", "parts", "empty")
"""Faults that make a room useless; suggestions that lead to them come last."""
AXIS_WORDS = ("across", "down")


class Suggestion(NamedTuple):
    """A change and the room size it makes. It changes `layout`, or else leniency or overgrow."""

    kind: str
    """leniency, overgrow, amount, doubling, unlock or ratio."""
    label: str
    about: str
    layout: Layout
    leniency: Size
    overgrow: bool
    made: Size


class _Change(NamedTuple):
    """A changed layout and its cost: how many partitions change, and by how much."""

    kind: str
    label: str
    about: str
    layout: Layout
    cost: tuple[int, int]


def suggest_changes(layout: Layout, size: Size, leniency: Size = (0, 0), overgrow: bool = False) -> list[Suggestion]:
    """The smallest changes that allow a room of that size, one of each kind; empty if there is such a room already.

    >>> from undercroft.templates.layouts.drawn_text import parse
    >>> hall = parse('''
    ... scale  f = floor, right by 3
    ...
    ...     ...  |  fff
    ... ''', "hall.layout")
    >>> for way in suggest_changes(hall, (5, 1)):
    ...     print(f"{way.label}: {way.about}", way.made)
    Grow by 2: 'floor' across, not by 3 (5, 1)
    Leniency 2: up to 2 narrower (3, 1)
    Overgrow: with leniency 1, up to 1 wider (6, 1)
    """
    if not isinstance(layout.fits(size, leniency=leniency, overgrow=overgrow), str):
        return []
    found = [
        _build_suggestion(change, size, leniency, overgrow)
        for change in _find_changes(layout, size, leniency, overgrow)
    ]
    return [*found, *_suggest_leniency(layout, size, leniency, overgrow)]


def _build_suggestion(change: _Change, size: Size, leniency: Size, overgrow: bool) -> Suggestion:
    made = change.layout.fits(size, leniency=leniency, overgrow=overgrow)
    assert not isinstance(made, str)
    return Suggestion(change.kind, change.label, change.about, change.layout, leniency, overgrow, made)


# Changes of the request.


def _suggest_leniency(layout: Layout, size: Size, leniency: Size, overgrow: bool) -> Iterator[Suggestion]:
    """Suggest more leniency; and overgrow, if that needs less leniency."""
    near = _find_leniency(layout, size, leniency, overgrow)
    if near:
        yield _build_leniency("leniency", layout, size, near, overgrow, leniency)
    if overgrow:
        return
    over = _find_leniency(layout, size, leniency, True)
    if over and (not near or sum(over) < sum(near)):
        yield _build_leniency("overgrow", layout, size, over, True, leniency)


def _build_leniency(kind: str, layout: Layout, size: Size, leniency: Size, overgrow: bool, before: Size) -> Suggestion:
    made = layout.fits(size, leniency=leniency, overgrow=overgrow)
    assert not isinstance(made, str)
    words = [
        f"up to {near} {larger if made[axis] > size[axis] else smaller}"
        for axis, (near, smaller, larger) in enumerate(
            zip(leniency, ("narrower", "lower"), ("wider", "higher"), strict=True)
        )
        if near and made[axis] != size[axis]
    ]
    changed = [axis for axis in (0, 1) if leniency[axis] != before[axis]]
    number = (
        str(leniency[0])
        if leniency[0] == leniency[1] or leniency[1] == 0
        else str(leniency[1])
        if leniency[0] == 0
        else f"{leniency[0]} and {leniency[1]}"
    )
    if kind == "leniency":
        label = f"Leniency {number}"
    else:
        label, words = "Overgrow", [f"with leniency {number}" if changed else "", *words]
    return Suggestion(kind, label, ", ".join(word for word in words if word), layout, leniency, overgrow, made)


def _find_leniency(layout: Layout, size: Size, leniency: Size, overgrow: bool) -> Size | None:
    """The least leniency that suffices, at least the given one."""
    pairs = sorted(
        product(
            range(leniency[0], leniency[0] + MAX_EXTRA_LENIENCY + 1),
            range(leniency[1], leniency[1] + MAX_EXTRA_LENIENCY + 1),
        ),
        key=lambda pair: (sum(pair), pair),
    )
    return next(
        (pair for pair in pairs if not isinstance(layout.fits(size, leniency=pair, overgrow=overgrow), str)), None
    )


# Changes of growth.


def _find_changes(layout: Layout, size: Size, leniency: Size, overgrow: bool) -> list[_Change]:
    """The cheapest change of each kind that makes such a room, sound ones first. If one axis alone does not help, both
    are changed.
    """
    alone: list[list[_Change]] = [
        [*_change_amounts(layout, axis, size), *_unlock_partitions(layout, axis)] for axis in (0, 1)
    ]
    found = [*_unlock_ratios(layout), *alone[0], *alone[1]]
    best = _choose_best(found, size, leniency, overgrow)
    if best:
        return best
    both = [
        _Change(
            one.kind,
            f"{one.label}, {other.label[0].lower()}{other.label[1:]}",
            f"{one.about}; {other.about}",
            again.layout,
            (one.cost[0] + other.cost[0], one.cost[1] + other.cost[1]),
        )
        for one in alone[0]
        for other in alone[1]
        for again in _repeat_change(one.layout, other, size)
    ]
    return _choose_best(both, size, leniency, overgrow)[:1]


def _repeat_change(layout: Layout, other: _Change, size: Size) -> Iterator[_Change]:
    """The same change along Y, applied to another layout."""
    return (
        change
        for change in (*_change_amounts(layout, 1, size), *_unlock_partitions(layout, 1))
        if change.label == other.label and change.about == other.about
    )


def _choose_best(found: Sequence[_Change], size: Size, leniency: Size, overgrow: bool) -> list[_Change]:
    """The best change of each kind, best first."""
    there: dict[str, tuple[tuple[bool, bool, tuple[int, int]], _Change]] = {}
    for change in found:
        made = change.layout.fits(size, leniency=leniency, overgrow=overgrow)
        if isinstance(made, str):
            continue
        room = change.layout.room(made)
        rank = (
            any(kind in SERIOUS_FAULTS for kind, _ in room_faults.find_faults(room, change.layout)),
            _has_static_floor(change.layout, room),
            change.cost,
        )
        if change.kind not in there or rank < there[change.kind][0]:
            there[change.kind] = rank, change
    ranked = sorted(there.values(), key=lambda pair: pair[0])
    return [change for _, change in ranked]


def _has_static_floor(layout: Layout, room: Template) -> bool:
    """Whether the room is larger than the drawing but its floor is not, so that only walls got thicker."""
    before = layout.room(layout.smallest)
    return any(
        room.tiles.shape[axis] > before.tiles.shape[axis] and _ground_span(room, axis) <= _ground_span(before, axis)
        for axis in (0, 1)
    )


def _ground_span(room: Template, axis: int) -> int:
    """The height (axis 0) or width (1) of a room's ground."""
    ground = np.flatnonzero((room.palette.walkable[room.tiles] & (room.tiles != OUTSIDE)).any(axis=1 - axis))
    return int(ground[-1] - ground[0]) + 1 if len(ground) else 0


def _change_amounts(layout: Layout, axis: int, size: Size) -> Iterator[_Change]:
    """Changes in which all growth along an axis uses another amount, or an amount instead of doubling."""
    most = max(2, size[axis] - layout.smallest[axis])
    for kind, type_ in (("amount", "amount"), ("doubling", "multiples")):
        moving = [
            number
            for number, one in enumerate(layout.partitions)
            if not _get_axis(one, axis).locked and _get_axis(one, axis).type == type_
        ]
        if not moving:
            continue
        before = max(_get_axis(layout.partitions[number], axis).amount for number in moving)
        even = any(_get_axis(layout.partitions[number], axis).direction == 0 for number in moving)
        for amount in range(2 if even else 1, most + 1, 2 if even else 1):
            if kind == "amount" and amount == before:
                continue
            changed = _replace_axes(layout, moving, axis, partial(Axis._replace, type="amount", amount=amount))
            if changed is not None:
                was = f"not by {before}" if kind == "amount" else "not doubling"
                yield _Change(
                    kind,
                    f"Grow by {amount}",
                    f"{_join_names(layout, moving)} {AXIS_WORDS[axis]}, {was}",
                    changed,
                    (len(moving), abs(amount - before)),
                )


def _unlock_partitions(layout: Layout, axis: int) -> Iterator[_Change]:
    """Changes that unlock partitions along an axis: one of them, those that grow along the other axis, or all."""
    still = [number for number, one in enumerate(layout.partitions) if _get_axis(one, axis).locked]
    growing = [number for number in still if not _get_axis(layout.partitions[number], 1 - axis).locked]
    tried = [[number] for number in still]
    tried += [some for some in (growing, still) if len(some) > 1 and some not in tried]
    for some in tried:
        changed = _replace_axes(layout, some, axis, lambda old: Axis(direction=old.direction or 1))
        if changed is not None:
            yield _Change(
                "unlock", f"Unlock {AXIS_WORDS[axis]}", f"{_join_names(layout, some)} by 1", changed, (len(some), 1)
            )


def _unlock_ratios(layout: Layout) -> Iterator[_Change]:
    """The change that unlocks all ratios between X and Y."""
    tied = [number for number, one in enumerate(layout.partitions) if one.lock_ratio]
    if tied:
        free = tuple(replace(one, lock_ratio=False) for one in layout.partitions)
        yield _Change(
            "ratio",
            "Unlock the ratio",
            f"of {_join_names(layout, tied)}",
            replace(layout, partitions=free),
            (len(tied), 0),
        )


def _get_axis(partition: Partition, axis: int) -> Axis:
    return partition.y if axis else partition.x


def _replace_axes(layout: Layout, some: Sequence[int], axis: int, change: Callable[[Axis], Axis]) -> Layout | None:
    """The layout with a changed axis in some partitions; None if that contradicts a locked ratio."""
    partitions = list(layout.partitions)
    for number in some:
        one = partitions[number]
        new = change(_get_axis(one, axis))
        if one.lock_ratio and new.locked != _get_axis(one, 1 - axis).locked:
            return None
        partitions[number] = replace(one, y=new) if axis else replace(one, x=new)
    return replace(layout, partitions=tuple(partitions))


def _join_names(layout: Layout, some: Sequence[int]) -> str:
    if len(some) == len(layout.partitions) and len(some) > 2:
        return "all partitions"
    names = [layout.part_name(number) for number in some]
    return join_words(names) if len(names) < 4 else plural(len(names), "partition")
