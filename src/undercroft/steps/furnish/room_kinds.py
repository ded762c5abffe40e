"""Choose the kind of each room: from its tags, from what the level must have, or at random."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.draft import Draft
from undercroft.core.region import REGION_KINDS, Regions
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.kernels import buffer, carve, finish, furnish
from undercroft.steps.furnish.room_parts import Numbers, RoomParts
from undercroft.things.thing_set import RARITIES, RoomKind, ThingSet

NO_THINGS, NO_KIND = -1, 0
"""The numbers for a room without things and for a room without a kind; the kinds of a set count from 1."""
END_TAGS = {"start": "start", "end": "boss"}
"""The tag of the kind of room that each end gets."""
Mask = NDArray[np.bool_]


class RoomFacts(NamedTuple):
    """The facts about rooms that kinds depend on, with an entry for each region."""

    regions: Regions
    steps: NDArray[np.int64]
    """Steps from the start to its nearest cell; a large number if it cannot be reached."""
    farthest: int
    """The most steps from the start to any cell; 0 if there is no start."""

    @property
    def is_room(self) -> Mask:
        """A mask of the regions that may have things: those with cells, except corridors."""
        found: Mask = (self.regions.table["kind"] != REGION_KINDS.index("corridor")) & (self.regions.table["area"] > 0)
        return found

    def masks_by_where(self, draft: Draft) -> dict[str, Mask]:
        """For each value of `where`, a mask of the rooms it selects."""
        count = len(self.regions)
        ends = np.bincount(np.concatenate([draft.links.table["a"], draft.links.table["b"]]), minlength=count + 1)[1:]
        path = np.zeros((0, 2), np.int32) if draft.path is None else draft.path
        way = self._regions_with(path)
        return {
            "any": np.ones(count, bool),
            "leaf": ends == 1,
            "way": way,
            "off": ~way,
            "start": self._regions_with(np.array([draft.start] if draft.start else [], np.int32).reshape(-1, 2)),
            "end": self._regions_with(np.array([draft.end] if draft.end else [], np.int32).reshape(-1, 2)),
            "far": 3 * self.steps >= 2 * self.farthest,
        }

    def _regions_with(self, cells: NDArray[np.int32]) -> Mask:
        """A mask of the regions that have one of these cells."""
        found = np.zeros(len(self.regions) + 1, bool)
        found[self.regions.labels[cells[:, 1], cells[:, 0]]] = True
        return found[1:]


class UsableKinds(NamedTuple):
    """The kinds of rooms to choose from."""

    things: ThingSet
    only: tuple[str, ...] = ()
    """The names of the allowed ones; all if it is empty."""
    ends: bool = False
    """Whether start and end decide the kinds of their rooms."""


def choose_kinds(
    draft: Draft,
    rooms: RoomFacts,
    parts: RoomParts,
    usable: UsableKinds,
    share: float,
    rng: Rng,
    run: Run,
) -> tuple[NDArray[np.int32], Mask]:
    """The kind number of every region, or `NO_KIND` or `NO_THINGS`, and for every part of a region whether it gets
    things.

    A region of several parts has things if one of them has some, and chooses its kind before the others.
    """
    things = usable.things
    kinds = [kind for kind in things.kinds.values() if not usable.only or kind.name in usable.only]
    numbers = {name: number for number, name in enumerate(things.kinds, 1)}
    is_room, where = rooms.is_room, rooms.masks_by_where(draft)
    found = np.full(len(rooms.regions), NO_THINGS, np.int32)
    tags = {tag: numbers[kind.name] for kind in kinds for tag in (kind.name, *kind.tags)}
    for label, words in rooms.regions.tags.items():
        if is_room[label - 1]:
            found[label - 1] = next((tags[word] for word in words if word in tags), NO_THINGS)
    if usable.ends:
        _choose_ends(found, is_room, where, tags, {numbers[kind.name]: kind.most for kind in kinds})
    fits = np.zeros((len(found), len(kinds)), np.uint8)
    counts = np.zeros(len(kinds), np.int32)
    for column, kind in enumerate(kinds):
        fits[:, column] = (
            is_room & (found == NO_THINGS) & _fitting_regions(kind, rooms.regions.table) & where[kind.where]
        )
        counts[column] = np.count_nonzero(found == numbers[kind.name])
    for column, kind in enumerate(kinds):
        missing = kind.least - int(counts[column])
        if missing > 0:
            may = np.flatnonzero((fits[:, column] > 0) & (found == NO_THINGS)).astype(np.int32)
            finish.shuffle(buffer(may), rng.state)
            found[may[:missing]] = numbers[kind.name]
            counts[column] += len(may[:missing])
            if len(may) < missing:
                run.note(f"no room for {missing - len(may)} of {kind.least} {kind.name}: no other is as the set asks")
    run.spend(len(found))
    others = np.flatnonzero(is_room & (found == NO_THINGS))
    furnished = np.ones(len(parts.steps), bool)
    rarity = np.array([RARITIES.index(kind.rarity) for kind in kinds], np.int32)
    most = np.array([kind.most for kind in kinds], np.int32)
    rest = len(kinds) if things.any.things or things.any.always else NO_THINGS
    meanings = np.array([*(numbers[kind.name] for kind in kinds), NO_KIND, NO_THINGS], np.int32)

    def pick(those: Numbers, chance: float) -> None:
        """Draw kinds for some regions, each with that chance."""
        drawn = np.empty(len(those), np.int32)
        tables = buffer(drawn), buffer(np.ascontiguousarray(fits[those])), buffer(rarity), buffer(most), buffer(counts)
        run.spend(int(furnish.pick_room_kinds(*tables, rng.state, threshold(chance), rest)))
        found[those] = meanings[drawn]

    large, usual = others[parts.counts[others] > 1], others[parts.counts[others] == 1]
    if len(large):
        is_large = np.zeros(len(found), bool)
        is_large[large] = True
        those = np.flatnonzero(is_large[parts.regions])
        tickets = np.empty(len(those), np.uint32)
        carve.fill_draws(rng.state, 0, buffer(tickets))
        furnished[those] = tickets.astype(np.uint64) < threshold(share)
        pick(np.unique(parts.regions[those[furnished[those]]]), 1.0)
    if len(usual):
        pick(usual, share)
    return found, furnished


def _choose_ends(
    found: NDArray[np.int32],
    is_room: Mask,
    where: dict[str, Mask],
    tags: dict[str, int],
    most: dict[int, int],
) -> None:
    """Give the rooms of start and end their kinds, in place; other rooms lose such a kind if their tags gave them it
    and there would be too many.
    """
    chosen = np.zeros(len(found), bool)
    for place, tag in END_TAGS.items():
        rooms = where[place] & is_room & ~chosen
        kind = tags.get(tag)
        if kind is None or not rooms.any():
            continue
        found[rooms] = kind
        chosen |= rooms
        others = np.flatnonzero((found == kind) & ~rooms)
        found[others[max(0, most[kind] - int(np.count_nonzero(rooms))) :]] = NO_THINGS


def _fitting_regions(kind: RoomKind, table: NDArray[np.void]) -> Mask:
    """A mask of the regions of the right size and region kind."""
    sorts = np.array([word in kind.regions for word in REGION_KINDS])
    fits: Mask = sorts[table["kind"]] & (table["area"] >= kind.min_area) & (table["area"] <= kind.max_area)
    return fits
