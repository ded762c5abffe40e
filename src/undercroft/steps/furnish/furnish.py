"""The step that puts props, loot, monsters and notes into rooms, by rules of placement."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.draft import Draft
from undercroft.core.region import Regions, Thing
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs import files
from undercroft.kernels import buffer, carve, flat_buffer, furnish
from undercroft.steps.furnish.room_floor import UNREACHABLE, RoomFloor, build_room_floor
from undercroft.steps.furnish.room_kinds import RoomFacts, UsableKinds, choose_kinds
from undercroft.steps.furnish.room_parts import SCALE, Numbers, RoomParts, divide_regions
from undercroft.steps.rectangles import regions_of
from undercroft.steps.step import Share
from undercroft.wording import plural

if TYPE_CHECKING:
    from undercroft.things.tables import ThingTables
    from undercroft.things.thing_set import ThingSet

Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Area = Annotated[int, Meta(ge=1, le=1_000_000)]
MAX_NAMED_TYPES = 8
"""The most types that a note names."""


class LoadedThingSet(NamedTuple):
    """A set of things, its arrays, the names that bare things may have, and a digest of the file it came from."""

    things: ThingSet
    tables: ThingTables
    bare: frozenset[str]
    digest: str = ""


@dataclass(frozen=True, kw_only=True)
class Furnish:
    """Put things into rooms: the kind of the room decides which ones, and their own rules decide where they stand.

    Things block no way: connected cells stay connected even without the cells of blocking things. Put this step after
    all steps that change tiles.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse('''
    ...     #########
    ...     #1111111#
    ...     #1111111+
    ...     #1111111#
    ...     #########'''))
    >>> Furnish(kinds=("library",), share=1.0, danger=(0, 0)).apply(draft, Rng.root(5).stream("furnish"), Run())
    >>> for thing in draft.things[:3]:
    ...     print(thing.kind, thing.x, thing.y, thing.data["facing"])
    bookshelf 5 3 N
    bookshelf 6 1 S
    candelabrum 1 1 S
    """

    set: str = "dungeon"
    """The name of the set of things."""
    file: str = ""
    """Instead of a name: a file with a set, which may extend a named one."""
    kinds: tuple[str, ...] = ()
    """Use only these kinds of rooms; empty: all kinds of the set."""
    share: Share = 0.8
    """The share of rooms that get things. Rooms whose tags name a kind always get some, unless it is 0: then nothing
    stands anywhere, and slots stay empty.
    """
    most: tuple[Count, ...] = (7, 10)
    """The most props, pieces of loot and notes in a small and a medium room; or in rooms of more sizes."""
    sizes: tuple[Area, ...] = (25, 60)
    """The most cells of a small and a medium room; or of more sizes. A larger room counts as several of the last size:
    it gets things and danger by its area.
    """
    density: Share = 0.25
    """The share of a room's cells that these may cover; monsters may cover the same share again."""
    danger: tuple[Count, Count] = (0, 8)
    """The most danger of all monsters of a room together: beside the start, and farthest from it."""

    ends: bool = False
    """Whether the room of the start gets the kind with the tag `start`, an entrance, and the room of the end the kind
    with the tag `boss`.
    """

    edition: ClassVar[int] = 2
    reads: ClassVar[tuple[str, ...]] = ("file",)
    needs: ClassVar[tuple[str, ...]] = ("tiles", "regions")
    gives: ClassVar[tuple[str, ...]] = ("regions", "things")
    spoils: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        if not self.sizes or len(self.most) != len(self.sizes):
            raise BadInput(
                f"most has {plural(len(self.most), 'number')}, and sizes has {len(self.sizes)}",
                fix="give the most things for each size, from the smallest rooms to the largest",
            )
        if list(self.sizes) != sorted(self.sizes):
            raise BadInput(f"sizes are areas in order, not {list(self.sizes)}", fix="write the smallest one first")
        known = self._loaded_set.things.kinds  # report a mistake in the set now
        for name in self.kinds:
            if name not in known:
                raise unknown_name_error("kind of room", name[:60], known)

    @property
    def things(self) -> ThingSet:
        """The set of things that it puts into rooms."""
        return self._loaded_set.things

    @functools.cached_property
    def _loaded_set(self) -> LoadedThingSet:
        return (
            _load_set_file(self.file, files.read_text(self.file, limits.TOML_BYTES))
            if self.file
            else _load_shipped_set(self.set)
        )

    @property
    def type_names(self) -> tuple[str, ...]:
        """The names of the types of things in its set."""
        return tuple(self._loaded_set.things.types)

    @property
    def digest(self) -> str:
        """The digest of the file that was read; empty if there is none."""
        return self._loaded_set.digest

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        regions = regions_of(draft)
        if not self.share:
            draft.things = [thing for thing in draft.things if not self._is_slot(thing)]
            return
        ends = draft.start, draft.end
        draft.things = [thing for thing in draft.things if not (self._is_slot(thing) and (thing.x, thing.y) in ends)]
        floor = build_room_floor(draft, regions, [thing for thing in draft.things if not self._is_slot(thing)], run)
        parts = divide_regions(regions, floor, self.sizes[-1])
        rooms = _room_facts(regions, parts, floor)
        usable = UsableKinds(self._loaded_set.things, self.kinds, self.ends)
        kinds, furnished = choose_kinds(draft, rooms, parts, usable, self.share, rng, run)
        slots, order = self._slot_rows(draft, floor, regions, kinds)
        work = self._room_rows(rooms, parts, floor, kinds, furnished, slots, rng)
        rows, failed = self._run_kernel(floor, work, slots, rng, run)
        self._record(draft, rows, order, rng)
        draft.regions = _tagged(regions, kinds, list(self._loaded_set.things.kinds))
        _note_left_out(run, self._loaded_set.tables.names, failed.tolist(), whole=bool(self.file))

    def _is_slot(self, thing: Thing) -> bool:
        """Whether a thing is bare: placed on a slot of a template, without data yet."""
        return not thing.data and thing.kind in self._loaded_set.bare

    def _slot_rows(
        self, draft: Draft, floor: RoomFloor, regions: Regions, kinds: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], list[int]]:
        """A row for each bare thing, room by room: cell, type or group, kind of its room, label. Also returns the index
        of each among all things.
        """
        from undercroft.things.thing_set import GROUPS

        numbers = self._loaded_set.tables.numbers
        places = [place for place, thing in enumerate(draft.things) if self._is_slot(thing)]
        rows = np.empty((len(places), 4), np.int32)
        for row, thing in enumerate(draft.things[place] for place in places):
            label = int(regions.labels[thing.y, thing.x])
            number = numbers[thing.kind] if thing.kind in numbers else -1 - GROUPS.index(thing.kind)
            rows[row] = (
                floor.cell_number(thing.x, thing.y),
                number,
                max(0, int(kinds[label - 1])) if label else 0,
                label,
            )
        order = np.argsort(rows[:, 3], kind="stable")
        return rows[order], [places[row] for row in order.tolist()]

    def _room_rows(
        self,
        rooms: RoomFacts,
        parts: RoomParts,
        floor: RoomFloor,
        kinds: NDArray[np.int32],
        furnished: NDArray[np.bool_],
        slots: NDArray[np.int32],
        rng: Rng,
    ) -> NDArray[np.int32]:
        """A row for each part of a room that gets things; the kernel documents the columns. The first part has what
        always stands in its kind of room, and counts what stands on slots.
        """
        table = rooms.regions.table
        each = np.flatnonzero(furnished & (kinds[parts.regions] >= 0))
        found = parts.regions[each]
        further = np.zeros(len(found), bool)
        further[1:] = found[1:] == found[:-1]
        area = table["area"][found].astype(np.int64)
        cover = np.maximum(1, (area * threshold(self.density) >> 32) // parts.counts[found])
        rows = np.empty((len(each), 14), np.int32)
        rows[:, 0] = kinds[found] + further * len(self._loaded_set.tables.kinds)
        rows[:, 1], rows[:, 2] = floor.bounds[found + 1], floor.bounds[found + 2]
        rows[:, 3], rows[:, 4] = self._draw_budgets(rooms, parts, each, rng)
        rows[:, 5] = cover if self.density else 0
        rows[:, 6], rows[:, 7] = table["x"][found] + 1, table["y"][found] + 1
        rows[:, 8], rows[:, 9] = table["width"][found], table["height"][found]
        rows[:, 10], rows[:, 11] = found + 1, 1
        rows[:, 12], rows[:, 13] = (np.searchsorted(slots[:, 3], found + 1, side=side) for side in ("left", "right"))
        rows[further, 12] = rows[further, 13]
        return rows

    def _draw_budgets(self, rooms: RoomFacts, parts: RoomParts, each: Numbers, rng: Rng) -> tuple[Numbers, Numbers]:
        """The number of props and the danger of some parts."""
        drawn = np.empty((len(each), 2), np.uint32)
        carve.fill_draws(rng.state, 0, buffer(drawn.reshape(-1)))
        area = rooms.regions.table["area"][parts.regions[each]]
        most = np.append(self.most, self.most[-1])[np.searchsorted(self.sizes, area)].astype(np.int64)
        least, greatest = self.danger
        steps = np.minimum(parts.steps[each], rooms.farthest)
        points = (
            least + (greatest - least) * steps // rooms.farthest
            if rooms.farthest
            else np.full(len(each), greatest, np.int64)
        )
        scale = parts.scale[parts.regions[each]]
        return (
            _draw_between(drawn[:, 0], np.minimum(2, most), most, scale),
            _draw_between(drawn[:, 1], np.zeros(len(each), np.int64), np.maximum(0, points), scale),
        )

    def _run_kernel(
        self, floor: RoomFloor, work: NDArray[np.int32], slots: NDArray[np.int32], rng: Rng, run: Run
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Run the kernel. Returns rows of the placed things, slots first, and for each type how often no place was left
        for it.
        """
        made = self._loaded_set.tables
        count = len(made.names)
        kinds = np.concatenate([made.kinds, made.kinds])  # those of further parts of a room: nothing is always there
        kinds[len(made.kinds) :, 2] = kinds[len(made.kinds) :, 3]
        state = np.zeros(8, np.int64)
        rows = np.empty((len(slots) + len(floor.spots), 8), np.int32)
        failed = np.zeros(count, np.int32)
        worker = furnish.Furnisher(
            *(buffer(state), flat_buffer(floor.flags), flat_buffer(floor.steps)),
            *(buffer(table) for table in (made.types, made.entries, made.always, kinds, work, floor.spots, rows)),
            *(
                buffer(np.zeros(count, np.int32)),
                buffer(np.zeros(count, np.uint8)),
                buffer(np.zeros(count, np.int32)),
                buffer(failed),
            ),
            *(rng.state, buffer(np.zeros(4096, np.int64)), floor.stride),
        )
        run.spend(int(worker.fill_slots(buffer(slots))))
        run.drive(lambda fuel: int(worker.run(fuel)))
        return rows[: int(state[7])], failed

    def _record(self, draft: Draft, rows: NDArray[np.int32], slots: list[int], rng: Rng) -> None:
        """Add the things of the rows: bare things are replaced in the list, the others follow at the end."""
        from undercroft.things.thing_rows import build_things

        things = build_things(self._loaded_set.things, rows, rng)
        every = list(draft.things)
        for place, thing in zip(slots, things, strict=False):
            every[place] = thing or every[place]
        draft.things = every + [thing for thing in things[len(slots) :] if thing is not None]


@functools.cache
def _load_shipped_set(name: str) -> LoadedThingSet:
    from undercroft.things import shipped

    return _build_loaded_set(shipped.load_things(name), "")


@functools.lru_cache(maxsize=16)
def _load_set_file(file: str, text: str) -> LoadedThingSet:
    """The set in a file."""
    from undercroft.things import shipped
    from undercroft.things.read_things import parse_things

    return _build_loaded_set(
        parse_things(text, file, shipped.load_things), blake2b(text.encode(), digest_size=16).hexdigest()
    )


def _build_loaded_set(things: ThingSet, digest: str) -> LoadedThingSet:
    from undercroft.things.tables import build_tables
    from undercroft.things.thing_set import GROUPS

    return LoadedThingSet(things, build_tables(things), frozenset((*things.types, *GROUPS)), digest)


def _room_facts(regions: Regions, parts: RoomParts, floor: RoomFloor) -> RoomFacts:
    """The regions, and the distance of each from the start: that of its first part."""
    reached = floor.steps[floor.steps < UNREACHABLE]
    return RoomFacts(regions, parts.steps[parts.firsts], int(reached.max(initial=0)))


def _draw_between(drawn: NDArray[np.uint32], least: Numbers, most: Numbers, scale: Numbers) -> Numbers:
    """Scale 32-bit draws to whole numbers from `least` to `most` times the scale, by their upper bits."""
    span = (most - least) * scale + SCALE
    above = (drawn.astype(np.uint64) * span.astype(np.uint64) >> np.uint64(32)).astype(np.int64)
    return (least * scale + above) // SCALE


def _tagged(regions: Regions, kinds: NDArray[np.int32], names: list[str]) -> Regions:
    """The regions with their kinds added to their tags."""
    tags = dict(regions.tags)
    for place in np.flatnonzero(kinds > 0).tolist():
        name, label = names[kinds[place] - 1], place + 1
        tags[label] = tuple(dict.fromkeys((*tags.get(label, ()), name)))
    return Regions(regions.labels, regions.table, dict(sorted(tags.items())), regions.templates, regions.names)


def _note_left_out(run: Run, names: tuple[str, ...], failed: list[int], *, whole: bool) -> None:
    """Note how many things found no place. With `whole`, name the types and how often each failed, most frequent
    first.
    """
    order = sorted((number for number, count in enumerate(failed) if count), key=lambda number: -failed[number])
    if not order:
        return
    if not whole:
        run.note(f"{sum(failed):,} thing{' was' if sum(failed) == 1 else 's were'} left out for want of a place")
        return
    told = [f"{names[number]} ({plural(failed[number], 'time')})" for number in order[:MAX_NAMED_TYPES]]
    more = len(order) - MAX_NAMED_TYPES
    run.note(f"no place for {', '.join(told)}{f', and {more} more' if more > 0 else ''}")
