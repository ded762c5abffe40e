"""The step that joins hand-drawn rooms at their doors."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta

from undercroft import limits
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.region import Regions, Thing, view_doors, view_links
from undercroft.core.rng import PROBABILITY_ONE, Rng, threshold
from undercroft.core.run import Run
from undercroft.errors import BadInput, NotMet
from undercroft.inputs import files
from undercroft.steps.step import Share
from undercroft.wording import plural

if TYPE_CHECKING:
    from undercroft.templates.prefabs.placement import RoomPlacement
    from undercroft.templates.prefabs.prefab import RoomType, RoomTypes

Length = Annotated[int, Meta(ge=1, le=1_000_000)]
FIRST_ROOM_TRIES = 200
"""How many places to try for the first room if its own is taken."""
FULL_MAP_ROOMS = 1000
"""A map with this many rooms counts as full: another try would cover no more of it, and takes long."""


@dataclass(frozen=True, kw_only=True)
class Attach:
    """Join drawn rooms at their doors, starting from a first one, in the rock of the map. Rooms never overlap, and all
    are connected.

    >>> draft = Draft(25, 9)
    >>> Attach(loops=1.0).apply(draft, Rng.root(15).stream("attach"), Run())
    >>> print(draft)
    #########################
    ###...########..+...#####
    ###...########..###.#####
    #####+#####..+..###.#####
    #####.....#..##+###+#####
    #...#.....+..##..##.....#
    #...+.....#####..##.....#
    ###############..##.....#
    #########################

    The step repeatedly picks a door at random, and a room type with a door that faces it. If no type fits, the door
    becomes wall.
    """

    rooms: str = ""
    """The text of the room types; without a text or a file, a few plain types."""
    file: str = ""
    """Instead of the text: a file that holds it."""
    root: str = ""
    """The type of the first room; any type if left out."""
    position: Literal["centre", "top", "right", "bottom", "left", "anywhere"] = "centre"
    """Where on the map the first room stands."""
    max_rooms: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    """The most rooms; 0: as many as fit."""
    total: tuple[Share, Share] = (1.0, 1.0)
    """Stop when the rooms, walls included, cover a share of the map that is drawn between these two numbers. Two equal
    numbers fix it.
    """
    fill: Share = 0.0
    """Try again while the rooms cover less of the map than this share, or than total. A map of max_rooms rooms, or of
    1,000, is kept in any case.
    """
    tile_size: tuple[Length, Length] = (1, 1_000_000)
    """Use only room types whose longer side is within these limits."""
    weights: Literal["count", "area"] = "count"
    """What the weights of types apportion: the number of rooms, or the area they cover."""
    shared_walls: bool = False
    """Whether adjacent rooms may share a wall; else they share only the wall with the door."""
    loops: Share = 0.0
    """The chance that two unused doors which face each other are joined."""
    reach: Annotated[int, Meta(ge=0, le=1000)] = 6
    """The most cells of rock between two doors that face each other; a straight corridor joins them."""
    things: Share = 1.0
    """The share of slots that get their thing."""
    tries: Annotated[int, Meta(ge=1, le=10_000)] = 50
    """The most tries, if a type does not stand as often as it must, or the rooms cover too little of the map."""

    edition: ClassVar[int] = 1
    reads: ClassVar[tuple[str, ...]] = ("file",)
    texts: ClassVar[tuple[str, ...]] = ("rooms",)
    """The parameters that hold lines which errors can point into."""
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ("regions", "doors", "links")
    spoils: ClassVar[tuple[str, ...]] = ("ends", "path", "locks", "split", "choke", "sockets", "tunnel")

    def __post_init__(self) -> None:
        if self.rooms and self.file:
            raise BadInput("a step has 'rooms' or a 'file', not both", fix="keep one of them")
        for name in ("total", "tile_size"):
            least, most = getattr(self, name)
            if least > most:
                raise BadInput(
                    f"{name} is a least and a greatest number, not [{least}, {most}]", fix="put the smaller one first"
                )
        from undercroft.templates.prefabs import feasible

        feasible.check_feasible(self._usable_types, self._root_type, self.max_rooms)

    @functools.cached_property
    def _types_and_digest(self) -> tuple[RoomTypes, str]:
        """The room types, and a digest of the file they came from."""
        if self.file:
            text = files.read_text(self.file, limits.PREFAB_BYTES)
            return _parse_room_types(text, self.file), blake2b(text.encode(), digest_size=16).hexdigest()
        from undercroft.templates.prefabs.default_rooms import parse_default_rooms

        return _parse_room_types(self.rooms, "rooms") if self.rooms else parse_default_rooms(), ""

    @property
    def room_types(self) -> RoomTypes:
        """All room types of its text or file."""
        return self._types_and_digest[0]

    @functools.cached_property
    def _usable_types(self) -> tuple[RoomType, ...]:
        """The room types that `tile_size` allows."""
        from undercroft.templates.prefabs import feasible

        return feasible.filter_by_length(self.room_types.types, *self.tile_size)

    @functools.cached_property
    def _root_type(self) -> RoomType | None:
        """The type of the first room; None if `root` names none."""
        if not self.root:
            return None
        kind = self.room_types.types[self.room_types.index(self.root)]
        if kind not in self._usable_types:
            length = max(kind.template.tiles.shape)
            raise BadInput(
                f"the first room {self.root!r} is {length} cells long, which tile_size does not allow",
                fix="change one of them",
            )
        return kind

    @property
    def digest(self) -> str:
        """The digest of the file that was read; empty if there is none."""
        return self._types_and_digest[1] if self.file else ""

    def check(self, width: int, height: int) -> None:
        """Refuse a map that is too small for the first room or for a room that must stand."""
        from undercroft.templates.prefabs import feasible

        feasible.check_size(self._usable_types, self._root_type, width, height)

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        cells = draft.tiles.size
        least, most = (int(share * 65536) for share in self.total)
        stop = cells * (least + rng.below(most - least + 1)) >> 16
        goal = max(stop if most < 65536 else 0, cells * int(self.fill * 65536) >> 16)
        old = draft.regions or Regions.empty(draft.height, draft.width)
        placing, missing = self._place_rooms(draft, old, stop, goal, rng, run)
        if self.loops:
            placing.join_loops(run, threshold(self.loops), self.reach, draft.palette)
        _record(draft, placing, old)
        _fill_slots(draft, placing, self.things, rng)
        self._report(run, placing, missing, goal)

    def _place_rooms(
        self, draft: Draft, old: Regions, stop: int, goal: int, rng: Rng, run: Run
    ) -> tuple[RoomPlacement, dict[str, int]]:
        """The rooms of the first try in which every required room stands and the rooms cover the goal; else of the try
        that covers most.

        Also returns, for each missing type, the number of tries in which it was missing.
        """
        from undercroft.templates.prefabs.placement import PlacementGoal, RoomPlacement
        from undercroft.templates.prefabs.tables import build_tables

        made = build_tables(self._types_and_digest[0], self._usable_types, draft.palette, self.weights == "area")
        draft.palette = made.palette
        free = draft.palette.rock[draft.tiles]
        if draft.frozen is not None:
            free &= ~draft.frozen
        kept = draft.tiles.copy()

        def try_once(attempt: int) -> RoomPlacement:
            draft.tiles[:] = kept
            run.spend(draft.tiles.size)
            placing = RoomPlacement(draft.tiles, free, old.labels.copy(), len(old), made, rng)
            if self._place_first_room(placing, rng):
                placing.place_others(
                    run, PlacementGoal(self.max_rooms, stop, self.shared_walls, attempt * PROBABILITY_ONE // self.tries)
                )
            return placing

        best: tuple[int, int, int] | None = None
        missing: dict[str, int] = {}
        for attempt in range(self.tries):
            before, used, watcher = rng.state[0], run.used, run.watcher
            run.watcher = None  # the watcher sees only the try that is kept
            try:
                placing = try_once(attempt)
            finally:
                run.watcher = watcher
            full = (
                placing.covered >= goal
                or placing.count == 0
                or placing.count >= min(FULL_MAP_ROOMS, self.max_rooms or FULL_MAP_ROOMS)
            )
            if full and not placing.owed:
                if watcher is None:
                    return placing, missing
                rng.state[0], run.used = before, used
                return try_once(attempt), missing
            if not placing.owed and (best is None or placing.covered > best[0]):
                best = placing.covered, attempt, before
            for kind in np.flatnonzero(placing.counts < made.types[:, 1]).tolist():
                name = self._usable_types[kind].template.name
                missing[name] = missing.get(name, 0) + 1
        if best is None:
            raise self._build_error(draft, missing)
        _, attempt, rng.state[0] = best
        return try_once(attempt), missing

    def _place_first_room(self, placing: RoomPlacement, rng: Rng) -> bool:
        """Place the first room at `position`; if that is taken, anywhere."""
        made, width, height = placing.tables, placing.width, placing.height
        kinds = (
            range(len(self._usable_types)) if self._root_type is None else [self._usable_types.index(self._root_type)]
        )
        fits = [
            [
                shape
                for shape in made.shapes_of[kind]
                if made.shapes[shape, 1] <= width and made.shapes[shape, 2] <= height
            ]
            for kind in kinds
        ]
        weights = [
            int(made.types[kind, 0]) if shapes and made.types[kind, 2] else 0
            for kind, shapes in zip(kinds, fits, strict=True)
        ]
        if not any(weights):
            return False
        shape = rng.choose(fits[rng.weighted_index(weights)])
        wide, high = made.shapes[shape, 1:3].tolist()
        step = self._types_and_digest[0].lattice or 1
        left, top = (width - 1) % step // 2, (height - 1) % step // 2  # the lattice lies in the middle of the map
        columns, rows = (width - wide - left) // step, (height - high - top) // step
        column = {"left": 0, "right": columns}.get(self.position, columns // 2)
        row = {"top": 0, "bottom": rows}.get(self.position, rows // 2)
        if self.position != "anywhere" and placing.place_first(shape, left + column * step, top + row * step):
            return True
        return any(
            placing.place_first(shape, left + rng.below(columns + 1) * step, top + rng.below(rows + 1) * step)
            for _ in range(FIRST_ROOM_TRIES)
        )

    def _build_error(self, draft: Draft, missing: dict[str, int]) -> NotMet:
        lines = [f"no try of {self.tries} put every room as often as it must stand"]
        lines += [f"    {name}: missing in {count} of {self.tries}" for name, count in missing.items()]
        return NotMet(
            "\n".join(lines),
            fix="ask for a larger map, for less in 'at least', or for more tries of the step",
            best=Level(draft.tiles.copy(), draft.palette),
            rejected=missing,
        )

    def _report(self, run: Run, placing: RoomPlacement, missing: dict[str, int], goal: int) -> None:
        """Note what a user should know: types that stand nowhere, types that caused a new try, and a map that is less
        full than asked for.
        """
        if not placing.count:
            run.note("no place for the first room")
            return
        rooms = int(placing.counts.sum())
        absent = [
            kind.template.name
            for kind, count in zip(self._usable_types, placing.counts.tolist(), strict=True)
            if not count
        ]
        if absent:
            more = f" and {len(absent) - 10} more" if len(absent) > 10 else ""
            run.note(f"{plural(rooms, 'piece')}; not placed: {', '.join(absent[:10])}{more}")
        if missing:
            run.note(
                "begun anew for rooms that must stand: "
                f"{', '.join(f'{name} missing {count} times' for name, count in missing.items())}"
            )
        if placing.covered < goal and rooms != self.max_rooms:
            cells = placing.width * placing.height
            run.note(f"the rooms cover {placing.covered * 100 // cells} % of the map, not {goal * 100 // cells} %")


def _record(draft: Draft, placing: RoomPlacement, old: Regions) -> None:
    """Add regions, doors and links to those that were there."""
    templates = placing.tables.templates
    shapes = [
        (label, templates[shape]) for label, shape in enumerate(placing.list_shapes(), len(old) + 1) if shape >= 0
    ]
    names = {label: template.name for label, template in shapes}
    tags = {label: template.tags for label, template in shapes if template.tags}
    draft.regions = Regions(
        placing.labels,
        np.concatenate([old.table, placing.region_rows()]),
        old.tags | tags,
        old.templates | names,
        old.names,
    )
    door_rows, link_rows = placing.door_rows(draft.palette, len(draft.doors))
    draft.doors = view_doors(np.concatenate([draft.doors.table, door_rows]))
    draft.links = view_links(np.concatenate([draft.links.table, link_rows]))


def _fill_slots(draft: Draft, placing: RoomPlacement, share: float, rng: Rng) -> None:
    """Put a thing on a share of the slots."""
    slots = placing.list_slots() if share else []
    if slots:
        from undercroft.kernels import buffer, carve

        drawn, chance = np.empty(len(slots), np.uint32), threshold(share)
        carve.fill_draws(rng.state, 0, buffer(drawn))
        draft.things += [Thing(*slot) for slot, ticket in zip(slots, drawn.tolist(), strict=True) if ticket < chance]


@functools.lru_cache(maxsize=64)
def _parse_room_types(text: str, file: str) -> RoomTypes:
    from undercroft.templates.prefabs.prefab import parse

    return parse(text, file)
