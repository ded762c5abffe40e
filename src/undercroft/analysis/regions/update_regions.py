"""Update the regions, doors and links of a map whose cells changed: what was not touched keeps its number and name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach, survey
from undercroft.analysis.one_way import ONE_WAY, mark_one_way_links
from undercroft.core.region import (
    DOOR_DTYPE,
    DOOR_STATES,
    LINK_DTYPE,
    LINK_KINDS,
    REGION_DTYPE,
    REGION_KINDS,
    Door,
    Link,
    Regions,
    Rows,
    Thing,
    view_doors,
    view_links,
)
from undercroft.core.run import Run

CORRIDOR_KIND = REGION_KINDS.index("corridor")
DoorKey = tuple[int, int, str]
"""The cell of a door, and its state."""
LinkKey = tuple[int, int, DoorKey | None]
"""The two regions of a link, the smaller first, and its door."""


class RegionTables(NamedTuple):
    """What is known of the rooms of a map."""

    regions: Regions
    doors: Rows[Door]
    links: Rows[Link]


def update_regions(old: RegionTables, old_kinds: NDArray[np.uint8], kinds: NDArray[np.uint8], run: Run) -> RegionTables:
    """The regions, doors and links after cells changed. `old_kinds` and `kinds` are the class of each cell for the
    survey, before and now.

    Both maps are surveyed with their labels. What the surveys differ in is dropped from the old tables, or added to
    them; so tables that say more than a survey, such as links between rooms over corridors, are kept.
    """
    regions, label_of = _label_again(old.regions, old_kinds, kinds, run)
    return _build_tables(old, old_kinds, regions, kinds, label_of, run)


def relink_regions(old: RegionTables, regions: Regions, kinds: NDArray[np.uint8], run: Run) -> RegionTables:
    """Other regions of the same map, with doors and links: those of `old` as far as they still hold. A label of an old
    region stands for a part of it.
    """
    return _build_tables(old, kinds, regions, kinds, {label: label for label in range(len(old.regions) + 1)}, run)


def _build_tables(
    old: RegionTables,
    old_kinds: NDArray[np.uint8],
    regions: Regions,
    kinds: NDArray[np.uint8],
    label_of: dict[int, int],
    run: Run,
) -> RegionTables:
    """The regions with their doors and links."""
    was, now = survey.add_doors_and_links(old.regions, old_kinds), survey.add_doors_and_links(regions, kinds)
    doors = _update_doors(old.doors, was.doors, now.doors, label_of)
    links = _update_links(
        old, RegionTables(*was), RegionTables(*now), doors, label_of, _label_reached(regions, kinds, run)
    )
    return RegionTables(regions, doors, view_links(links))


def mark_one_way_again(
    links: Rows[Link], doors: Rows[Door], things: Iterable[Thing], labels: NDArray[np.int32]
) -> Rows[Link]:
    """The links, one-way exactly where a one-way door stands now."""
    things = [thing for thing in things if thing.kind == ONE_WAY]
    kind = LINK_KINDS.index("one-way")
    gone = np.flatnonzero((links.table["kind"] == kind) & (links.table["door"] >= 0))
    if len(gone):
        table = links.table.copy()
        table["kind"][gone] = doors.table["state"][table["door"][gone]]
        links = view_links(table)
    return mark_one_way_links(links, doors, things, labels)


def _update_doors(old: Rows[Door], was: Rows[Door], now: Rows[Door], label_of: dict[int, int]) -> Rows[Door]:
    """The old doors that still stand, then the new ones. A door joins the same regions as before, unless the surveys
    differ on it.
    """
    seen, there = ({(door.x, door.y): door for door in doors} for doors in (was, now))
    rows: list[Door] = []
    for door in old:
        cell = door.x, door.y
        before, found = seen.get(cell), there.pop(cell, None)
        a, b = label_of.get(door.a), label_of.get(door.b)
        if before is not None and found is not None and before.state == found.state:
            same = (label_of.get(before.a), label_of.get(before.b)) == (found.a, found.b)
            rows.append(found if a is None or b is None or not same else door._replace(a=a, b=b))
        elif found is not None:
            there[cell] = found
        elif before is None and a is not None and b is not None:
            rows.append(door._replace(a=a, b=b))  # a doorway that the survey counts as ground
    rows += there.values()
    return view_doors(np.array([(*door[:4], DOOR_STATES.index(door.state)) for door in rows], DOOR_DTYPE))


def _update_links(
    old: RegionTables,
    was: RegionTables,
    now: RegionTables,
    doors: Rows[Door],
    label_of: dict[int, int],
    reached: NDArray[np.int32],
) -> NDArray[Any]:
    """The table of the old links that still hold, then the new ones."""
    number_of = {(door.x, door.y, door.state): number for number, door in enumerate(doors)}
    seen, there = set(_link_keys(was)), dict(zip(_link_keys(now), now.links, strict=True))
    known = {_renumbered(key, label_of) for key in seen}
    rows: list[tuple[int, int, int, int, bool]] = []
    for key, link in zip(_link_keys(old), old.links, strict=True):
        a, b, door = label_of.get(link.a), label_of.get(link.b), key[2]
        if a is None or b is None or (door is not None and door not in number_of):
            continue
        if key in seen and _renumbered(key, label_of) not in there:
            continue
        if key not in seen and link.carved and reached[a] != reached[b]:
            continue
        rows.append((a, b, LINK_KINDS.index(link.kind), -1 if door is None else number_of[door], link.carved))
    for key, link in there.items():
        if key not in known:
            door = key[2]
            rows.append(
                (link.a, link.b, LINK_KINDS.index(link.kind), -1 if door is None else number_of[door], link.carved)
            )
    return np.array(rows, LINK_DTYPE)


def _link_keys(tables: RegionTables) -> list[LinkKey]:
    doors = [(door.x, door.y, door.state) for door in tables.doors]
    return [
        (min(link.a, link.b), max(link.a, link.b), doors[link.door] if link.door >= 0 else None)
        for link in tables.links
    ]


def _renumbered(key: LinkKey, label_of: dict[int, int]) -> LinkKey:
    a, b = label_of.get(key[0], -1), label_of.get(key[1], -1)
    return min(a, b), max(a, b), key[2]


def _label_reached(regions: Regions, kinds: NDArray[np.uint8], run: Run) -> NDArray[np.int32]:
    """For each region the number of the connected ground that it belongs to."""
    ground = reach.label_components((kinds > 0).view(np.uint8), run=run)[0]
    found = np.zeros(len(regions) + 1, np.int32)
    found[regions.labels.reshape(-1)] = ground.reshape(-1)
    return found


def _label_again(
    old: Regions, old_kinds: NDArray[np.uint8], kinds: NDArray[np.uint8], run: Run
) -> tuple[Regions, dict[int, int]]:
    """The regions of the new map, and the new label of each old one that is still there."""
    ground = (kinds == survey.ROOM) | (kinds == survey.CORRIDOR)
    owners = np.where(ground | (kinds == old_kinds), old.labels, 0).astype(np.int32)
    _label_new_ground(owners, np.where(ground & (owners == 0), kinds, 0).astype(np.uint8), kinds, len(old), run)
    part_kinds = np.where(owners > 0, np.where(ground, kinds, survey.ROOM), 0).astype(np.uint8)
    parts, count = reach.label_components(_tell_apart(owners, part_kinds), run=run)
    boxes = reach.find_label_boxes(parts, part_kinds, count, run)
    owner_of = np.zeros(count + 1, np.int32)
    owner_of[parts.reshape(-1)] = owners.reshape(-1)
    return _number_parts(parts, boxes, owner_of[1:], old)


def _label_new_ground(
    owners: NDArray[np.int32], fresh: NDArray[np.uint8], kinds: NDArray[np.uint8], known: int, run: Run
) -> None:
    """Label new ground in place: each piece joins the region of its own class that it touches most, or gets a label
    above the `known` ones. `fresh` is the class of each new cell, 0 elsewhere.
    """
    pieces, count = reach.label_components(fresh, run=run)
    if not count:
        return
    touching = [
        np.stack((pieces[mine], owners[theirs]), axis=-1)[
            (pieces[mine] > 0) & (owners[theirs] > 0) & (kinds[mine] == kinds[theirs])
        ]
        for mine, theirs in _NEIGHBOURS
    ]
    pairs, contacts = np.unique(np.concatenate(touching), axis=0, return_counts=True)
    label_of = np.arange(known, known + count + 1, dtype=np.int32)
    # the last of equal pieces wins below: most contacts last, then the smaller label
    order = np.lexsort((-pairs[:, 1], contacts))
    label_of[pairs[order, 0]] = pairs[order, 1]
    new = pieces > 0
    owners[new] = label_of[pieces[new]]


_NEIGHBOURS = (
    (np.s_[:, :-1], np.s_[:, 1:]),
    (np.s_[:, 1:], np.s_[:, :-1]),
    (np.s_[:-1], np.s_[1:]),
    (np.s_[1:], np.s_[:-1]),
)
"""Pairs of views on a grid: its cells, and their neighbours on one side."""


def _tell_apart(owners: NDArray[np.int32], part_kinds: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A small number for each cell, different for neighbouring cells of different regions or classes; 0 where no region
    is. The regions are coloured greedily.
    """
    pairs = survey.find_contacts(owners)
    colours = np.zeros(int(owners.max(initial=0)) + 1, np.int64)
    beside: dict[int, set[int]] = {}
    for a, b in pairs.tolist():  # a < b, in order, so every smaller neighbour is coloured before
        beside.setdefault(b, set()).add(a)
    for label in sorted(beside):
        taken = {int(colours[other]) for other in beside[label]}
        colours[label] = next(colour for colour in range(len(taken) + 1) if colour not in taken)
    return np.where(owners > 0, colours[owners] % 127 * 2 + part_kinds, 0).astype(np.uint8)


def _number_parts(
    parts: NDArray[np.int32], boxes: NDArray[np.int32], owner_of: NDArray[np.int32], old: Regions
) -> tuple[Regions, dict[int, int]]:
    """The parts as regions: first the largest part of each old region, in the old order, with its name, tags and
    template; then the others, in reading order.
    """
    heirs: dict[int, int] = {}
    for part in np.lexsort((-np.arange(len(boxes)), boxes[:, 4])).tolist():
        if owner_of[part] <= len(old):
            heirs[int(owner_of[part])] = part  # the largest part comes last, of equal ones the first
    order = [heirs[owner] for owner in sorted(heirs)]
    order += sorted(set(range(len(boxes))) - set(order))
    renumbered = np.zeros(len(boxes) + 1, np.int32)
    renumbered[np.array(order, np.intp) + 1] = np.arange(1, len(boxes) + 1)
    usual = next((kind for kind in old.table["kind"].tolist() if kind != CORRIDOR_KIND), 0)
    table = np.zeros(len(boxes), REGION_DTYPE)
    for label, part in enumerate(order):
        x, y, right, bottom, area, kind = boxes[part].tolist()
        known = int(old.table["kind"][owner_of[part] - 1]) if owner_of[part] <= len(old) else usual
        if kind == survey.CORRIDOR or known == CORRIDOR_KIND:
            known = CORRIDOR_KIND if kind == survey.CORRIDOR else usual
        table[label] = (known, x, y, right - x + 1, bottom - y + 1, area)
    label_of = {owner: int(renumbered[part + 1]) for owner, part in heirs.items()}
    tags, templates, names = (
        {label_of[owner]: value for owner, value in words.items() if owner in label_of}
        for words in (old.tags, old.templates, old.names)
    )
    return Regions(renumbered[parts], table, tags, templates, names), {0: 0, **label_of}  # type: ignore[arg-type]
