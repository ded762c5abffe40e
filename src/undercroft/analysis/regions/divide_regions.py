"""Divide large regions at their narrow places: a watershed of the distance to their walls."""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach, survey
from undercroft.analysis.regions.update_regions import RegionTables, mark_one_way_again, relink_regions
from undercroft.core.draft import Draft
from undercroft.core.palette import look_up_tiles
from undercroft.core.region import REGION_BOX_DTYPE, REGION_KINDS, Regions
from undercroft.core.run import Run
from undercroft.kernels import buffer, flat_buffer
from undercroft.kernels import regions as kernel

CORRIDOR = REGION_KINDS.index("corridor")
NECK_SHARE = 2, 3
"""A place divides if its clearance is at most two thirds of that of the widest places on both sides."""
Ints = NDArray[np.int32]


def divide_regions(draft: Draft, least_room: int, least_part: int, run: Run) -> None:
    """Divide the rooms of a draft that have so many cells into parts with at least `least_part` cells. A part has less
    only if nothing of its room is beside it.
    """
    old = draft.regions
    if old is None or "doors" in draft.layers:
        return
    large = (old.table["kind"] != CORRIDOR) & (old.table["area"] >= least_room)
    if not large.any():
        return
    parts = find_parts(_mask_labels(draft, old, large), least_part, run)
    regions = _build_regions(old, parts, run)
    if len(regions) == len(old):
        return
    kinds = survey.classify_cells(draft.tiles, draft.palette)
    found = relink_regions(RegionTables(old, draft.doors, draft.links), regions, kinds, run)
    draft.regions, draft.doors, draft.links = found
    draft.links = mark_one_way_again(draft.links, draft.doors, draft.things, regions.labels)


def _mask_labels(draft: Draft, regions: Regions, large: NDArray[np.bool_]) -> Ints:
    """The labels of the walkable cells of large regions, 0 elsewhere."""
    table = np.zeros(len(regions) + 1, np.int32)
    table[1:][large] = np.flatnonzero(large) + 1
    labels = table[regions.labels]
    labels[~look_up_tiles(draft.palette.walkable, draft.tiles)] = 0
    return labels


def find_parts(labels: Ints, least_part: int, run: Run) -> Ints:
    """The number of the part of each cell, from 1; 0 where the label is 0. Each part is connected, and its cells have
    one label.

    Method: a watershed (Vincent and Soille 1991) of a chamfer distance (Borgefors 1986). Parts that meet in a place
    that is not narrow are one; then parts that are too small join a neighbour, the smallest first. Cost: some passes
    over the cells, and sorting them.
    """
    height, width = labels.shape
    stride = width + 1
    rimmed = np.zeros((height + 2, stride), np.int32)
    rimmed[1:-1, 1:] = labels
    clearance = np.zeros_like(rimmed)
    grids = flat_buffer(rimmed), flat_buffer(clearance), stride
    reach.run_by_rows(
        run, height, stride, lambda first, last: int(kernel.measure_clearance(*grids, first + 1, last + 1, False))
    )
    reach.run_by_rows(
        run,
        height,
        stride,
        lambda first, last: int(kernel.measure_clearance(*grids, height - last + 1, height - first + 1, True)),
    )
    cells = np.flatnonzero(clearance)
    order = cells[np.argsort(-clearance.reshape(-1)[cells], kind="stable")].astype(np.int32)
    found = np.zeros_like(rimmed)
    parent, peaks, queue = (np.zeros(len(order) + 1, np.int32) for _ in range(3))
    state = np.zeros(7, np.int64)
    args = (
        *(buffer(state), flat_buffer(rimmed), flat_buffer(clearance), buffer(order), flat_buffer(found)),
        *(buffer(parent), buffer(peaks), buffer(queue), stride, *NECK_SHARE),
    )
    run.drive(lambda fuel: int(kernel.grow_parts(*args, fuel)))
    number = _number_roots(parent[: int(state[6]) + 1])
    parts = number[found[1:-1, 1:]]
    return _join_small_parts(parts, labels, least_part)


def _number_roots(parent: Ints) -> Ints:
    """For each provisional part the number of what it is joined to: 1, 2, ... in the order of their first cells."""
    top = parent
    while not np.array_equal(top, top[top]):
        top = top[top]
    roots, number = np.unique(top, return_inverse=True)
    return number.reshape(-1).astype(np.int32) if len(roots) else top


def _join_small_parts(parts: Ints, labels: Ints, least: int) -> Ints:
    """The parts, where each with fewer cells has joined the neighbour that it touches most, the smallest first."""
    count = int(parts.max(initial=0))
    areas = np.bincount(parts.reshape(-1), minlength=count + 1).tolist()
    if not any(area < least for area in areas[1:]):
        return parts
    touching = _count_contacts(parts, labels, count)
    heap = [(area, part) for part, area in enumerate(areas) if part and area < least]
    heapq.heapify(heap)
    joined = list(range(count + 1))
    while heap:
        area, part = heapq.heappop(heap)
        near = touching[part]
        if joined[part] != part or area != areas[part] or not near:
            continue
        to = max(near, key=lambda other: (near[other], -other))
        joined[part] = to
        areas[to] += area
        for other, contacts in touching.pop(part).items():
            del touching[other][part]
            if other != to:
                touching[other][to] = touching[to][other] = touching[to].get(other, 0) + contacts
        if areas[to] < least:
            heapq.heappush(heap, (areas[to], to))
    final = np.array(joined, np.int32)
    return _number_roots(final)[parts]


def _count_contacts(parts: Ints, labels: Ints, count: int) -> dict[int, dict[int, int]]:
    """For each part its neighbours of the same label, with the number of cells that touch."""
    touching: dict[int, dict[int, int]] = {part: {} for part in range(1, count + 1)}
    for mine, theirs in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:])):
        meet = (parts[mine] != parts[theirs]) & (labels[mine] == labels[theirs])
        pairs = np.sort(np.stack((parts[mine][meet], parts[theirs][meet]), axis=-1), axis=1)
        for (a, b), contacts in zip(
            *(rows.tolist() for rows in np.unique(pairs, axis=0, return_counts=True)), strict=True
        ):
            touching[a][b] = touching[b][a] = touching[a].get(b, 0) + contacts
    return touching


def _build_regions(old: Regions, parts: Ints, run: Run) -> Regions:
    """The regions with their parts: the largest part of a region keeps its label and its name, the others follow all
    regions, with the same kind, tags and template.
    """
    count = int(parts.max(initial=0))
    owners = np.zeros(count + 1, np.int32)
    owners[parts.reshape(-1)] = old.labels.reshape(-1)
    areas = np.bincount(parts.reshape(-1), minlength=count + 1)
    label_of = np.zeros(count + 1, np.int32)
    heirs: set[int] = set()
    added: list[int] = []
    for part in sorted(range(1, count + 1), key=lambda part: (-areas[part], part)):
        owner = int(owners[part])
        if owner not in heirs:
            heirs.add(owner)
            label_of[part] = owner
        else:
            added.append(part)
    added.sort(key=lambda part: (owners[part], part))
    label_of[added] = np.arange(len(old) + 1, len(old) + 1 + len(added), dtype=np.int32)
    labels = np.where(parts > 0, label_of[parts], old.labels)
    table = np.concatenate([old.table, old.table[owners[added] - 1]])
    boxes = reach.find_label_boxes(labels, np.ones(labels.shape, np.uint8), len(table), run)
    changed = np.concatenate([np.array(sorted(heirs), np.intp) - 1, np.arange(len(old), len(table))])
    table["area"][changed] = boxes[changed, 4]
    boxes[:, 2:4] += 1 - boxes[:, 0:2]
    table.view(REGION_BOX_DTYPE)["box"][changed] = boxes[changed, :4]
    copies = [(int(label_of[part]), int(owners[part])) for part in added]
    tags = old.tags | {label: old.tags[owner] for label, owner in copies if owner in old.tags}
    templates = old.templates | {label: old.templates[owner] for label, owner in copies if owner in old.templates}
    return Regions(labels, table, tags, templates, dict(old.names))
