"""Run a program on tiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.region import Regions
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import OutOfBudget
from undercroft.kernels import buffer
from undercroft.kernels import engine as kernel
from undercroft.rewrite.engine import columns as c
from undercroft.rewrite.engine import region_tables
from undercroft.rewrite.engine.program_tables import ProgramTables, build_tables, list_stream_keys
from undercroft.rewrite.engine.tile_classes import OTHER, RIM, count_tiles
from undercroft.rewrite.engine.timeline_log import REFUSED_BIT, EventReplayer
from undercroft.rewrite.model.program import Area, Program, Rule
from undercroft.wording import plural

SORT_DIGITS = 1 << 11
"""The values of a digit by which the kernel sorts."""
MAX_BYTES_PER_CELL = 8
"""The most bytes per cell for marks of listed matches; beyond that leaves use hash tables, which grow with the lists.
"""


class Engine:
    """Runs a program on a map. `run` continues until the program ends, or for some turns.

    Rules that act in regions need `regions`; `mask` marks the cells that may be written; `remember` keeps every rewrite
    for `list_rewrites`.
    """

    def __init__(
        self,
        program: Program,
        tiles: NDArray[np.uint8],
        rng: Rng,
        *,
        remember: bool = False,
        regions: Regions | None = None,
        mask: NDArray[np.bool_] | None = None,
    ) -> None:
        height, width = tiles.shape
        self.program, self.tiles, self.remembers = program, tiles, remember
        counts, scale = count_tiles(tiles)
        self.tables: ProgramTables = build_tables(program, width, height, counts)
        made = self.tables
        wide, high = made.rim
        stride = int(made.shape[2])
        self.cells = (height + 2 * high) * stride + wide
        self.grid = np.full(self.cells, RIM, np.uint8)
        self.inside = self._unpadded(self.grid)
        """The map inside the rim."""
        np.take(made.classes.of_code, tiles, out=self.inside) if made.classes.renamed else np.copyto(self.inside, tiles)
        self.state = np.zeros(c.STATE_PLACES, np.int64)
        guarded = bool(made.actions[:, c.A_GUARDS].any())
        (
            self.state[c.LOG_CELLS],
            self.state[c.NEWEST_ACTION],
            self.state[c.MAX_LOG_PER_ACTION],
            self.state[c.COUNTS_TILES],
        ) = (
            made.log_cells,
            -1,
            made.worst,
            guarded,
        )
        self.events = np.empty(1 << 13 if remember else 0, np.int64)
        regions_worked, planes = self._build_areas(regions, mask)
        if planes or guarded:
            made.nodes[:, c.IS_PLAIN] = 0
        room, bits, hashes, parked = 0, 0, 0, 0
        for leaf in made.leaves:
            entry = made.nodes[leaf]
            entry[c.LIST], entry[c.LIST_CAPACITY] = room, max(1024, 2 * int(entry[c.MAX_NEW_MATCHES]) + 64)
            room += int(entry[c.LIST_CAPACITY])
            if entry[c.LISTED_BY] == 0 and bits + self.cells * int(entry[c.BYTES]) > MAX_BYTES_PER_CELL * self.cells:
                entry[c.LISTED_BY] = 1
            if entry[c.LISTED_BY] == 0:
                entry[c.BITS] = bits
                bits += self.cells * int(entry[c.BYTES])
            elif entry[c.LISTED_BY] == 1:
                entry[c.HASH], entry[c.HASH_MASK] = hashes, _hash_size(int(entry[c.LIST_CAPACITY])) - 1
                hashes += int(entry[c.HASH_MASK]) + 1
            if entry[c.RADIUS] > 0:
                entry[c.PARKED] = parked
                parked += self.cells
        self.lists = np.empty(room, np.int64)
        self.hashes = np.full(hashes, -1, np.int64)
        whole = any(made.nodes[leaf, c.KIND] != 0 for leaf in made.leaves)
        window = max((2 * (row.variant.width + 2) * (row.variant.height + 2) for row in made.rows), default=0)
        standing = np.zeros(128, np.int64)
        np.add.at(standing, 64 + made.classes.of_code.astype(np.int64), counts * scale)
        if guarded:
            standing[:64] = np.bincount(self.inside.reshape(-1), minlength=64)
        self._arrays: dict[str, NDArray[Any]] = {
            **{name: getattr(made, name) for name in KERNEL_TABLES},
            "nodes": made.nodes.reshape(-1),
            "variants": self._build_variants(planes).reshape(-1),
            "rules": made.rules.reshape(-1),
            "actions": made.actions.reshape(-1),
            "guards": made.guards.reshape(-1),
            "areas": regions_worked,
            "planes": np.concatenate(list(planes.values())) if planes else np.zeros(0, np.int32),
            "streams": self._build_streams(rng),
            "state": self.state,
            "grid": self.grid,
            "used": np.zeros(self.cells if whole else 1, np.uint8),
            "log": np.empty(max(1 << 12, 4 * made.worst, 2 * width * height + made.worst if whole else 0), np.int64),
            "lists": self.lists,
            "scratch": self._build_scratch(),
            "digits": np.zeros(SORT_DIGITS, np.int64),
            "bits": np.zeros(bits, np.uint8),
            "hashes": self.hashes,
            "counts": np.zeros(max(window, len(made.rows)) + 1, np.int64),
            "census": standing,
            "parked": np.zeros(parked, np.uint8),
            "marks": np.zeros(self.cells if guarded else 0, np.int64),
            "queue": np.zeros(self.cells + window if guarded else 0, np.int64),
            "kept": np.zeros(made.worst, np.uint8),
            "floods": np.zeros(8, np.int64),
            "choices": np.zeros(max((len(row.writes) for row in made.rows), default=0), np.uint8),
            "ring": RING_GROUPS,
            "events": self.events,
        }
        self.world = kernel.EngineState({name: buffer(array) for name, array in self._arrays.items()})

    # --- setting up

    def _unpadded(self, padded: NDArray[Any]) -> NDArray[Any]:
        """The map's part of a padded array."""
        width, height, stride, first = self.tables.shape.tolist()
        found: NDArray[Any] = padded[: self.cells - self.tables.rim[0]].reshape(-1, stride)[
            first // stride : first // stride + height, :width
        ]
        return found

    def _build_streams(self, rng: Rng) -> NDArray[np.uint64]:
        """A random stream for each leaf and each rule with several results, by name, so that additions elsewhere do not
        change their draws.
        """
        made = self.tables
        streams = np.zeros((len(made.flat) + len(made.rules), 2), np.uint64)
        for leaf in made.leaves:
            streams[leaf] = rng.stream(made.flat[leaf].key).state
        rules = [rule for node in made.flat for rule in node.node.rules]
        for number, (rule, key) in enumerate(zip(rules, list_stream_keys(made.flat), strict=True)):
            if len(rule.results) > 1:
                streams[len(made.flat) + number] = rng.stream(key).state
        return streams.reshape(-1)

    def _build_areas(
        self, regions: Regions | None, mask: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.int64], dict[Area | None, NDArray[np.int32]]]:
        """The regions that leaves process, and for each area the labels of its cells, padded: -1 in the rim, 0 where
        nothing may be written.
        """
        made = self.tables
        wanted = {area: None for area in made.areas() if area is not None or mask is not None}
        if not wanted:
            return np.zeros(0, np.int64), {}
        if any(wanted) and regions is None:
            from undercroft.analysis.survey import survey_tiles

            regions = survey_tiles(self.tiles, self.program.palette)[0]
        planes: dict[Area | None, NDArray[np.int32]] = {}
        for area in wanted:
            planes[area] = np.full(self.cells, -1, np.int32)
            self._unpadded(planes[area])[...] = region_tables.label_writable_cells(
                area, regions, self.tiles.shape, mask
            )
        rows: list[list[int]] = []
        for leaf in made.leaves:
            area = made.flat[leaf].node.each
            if area is not None and regions is not None:
                mine = region_tables.build_region_rows(regions, area)
                made.nodes[leaf, c.AREAS], made.nodes[leaf, c.REGIONS] = (
                    region_tables.AREA_COLUMNS * len(rows),
                    len(mine),
                )
                rows += mine
        return np.array(rows, np.int64).reshape(-1), planes

    def _build_variants(self, planes: dict[Area | None, NDArray[np.int32]]) -> NDArray[np.int64]:
        made = self.tables
        if not planes:
            return made.variants
        starts = {area: number * self.cells for number, area in enumerate(planes)}
        own = made.variants.copy()
        own[:, c.V_PLANE] = [starts.get(area, -1) for area in made.areas()]
        return own

    # --- running

    @property
    def has_ended(self) -> bool:
        """Whether the program has ended."""
        return bool(self.state[c.CURRENT_BRANCH] < 0)

    @property
    def turns(self) -> int:
        """The number of turns so far, including the closing turns of branches."""
        return int(self.state[c.TURNS])

    @property
    def rewrites(self) -> int:
        """The number of rewrites so far."""
        return int(self.state[c.REWRITES])

    def run(self, run: Run, turns: int = 0) -> None:
        """Continue to the end, or until `turns` turns in total."""
        self.state[c.MAX_TURNS] = turns
        log = run.hooks.log_later
        if log is not None and not len(self.events):
            self.events = np.empty(1 << 13, np.int64)
            self._pass_buffers()
        teller = (
            EventReplayer(self.tables, self.tiles.copy(), run.source, int(self.state[c.EVENTS]))
            if log is not None
            else None
        )
        try:
            while True:
                self.state[c.NODE_NEEDING_ROOM] = self.state[c.EVENTS_FULL] = 0
                if teller is not None and log is not None:
                    run.work(self._run_chunk, lambda: self._log_events(teller, log))
                else:
                    run.drive(self._run_chunk if run.watcher is None else self._run_chunk_and_show)
                if self.state[c.NODE_NEEDING_ROOM]:
                    self._grow_list(int(self.state[c.NODE_NEEDING_ROOM]) - 1)
                elif (
                    self.state[c.EVENTS_FULL]
                    and not self.remembers
                    and teller is not None
                    and 2 * self.state[c.EVENTS_FULL] < len(self.events)
                ):
                    pass  # the log was handed on, so there is room again
                elif self.state[c.EVENTS_FULL]:
                    self._check_memory()
                    self.events = np.concatenate(
                        (self.events, np.empty(len(self.events) + 2 * int(self.state[c.EVENTS_FULL]), np.int64))
                    )
                    self._pass_buffers()
                else:
                    break
        except OutOfBudget as error:
            many = f"{plural(self.rewrites, 'rewrite')}"
            error.problem = f"{error.problem}; the rules were still at work ({self._describe_last_leaf()}, {many})"
            if self.state[c.EVENTS] < limits.REMEMBERED_REWRITES.value:
                error.fix = (
                    "limit the node (up to N times), or see what 'undercroft lint' says; or pass --max-steps N "
                    "(max_steps= in Python)"
                )
            raise
        finally:
            self.write_tiles()

    def _check_memory(self) -> None:
        """Give up before the stored rewrites take too much memory."""
        if self.state[c.EVENTS] >= limits.REMEMBERED_REWRITES.value:
            raise OutOfBudget(
                f"gave up after {limits.REMEMBERED_REWRITES.value:,} rewrites that had to be remembered",
                fix=limits.REMEMBERED_REWRITES.raise_by,
            )

    def _log_events(self, teller: EventReplayer, log: Callable[..., None]) -> None:
        """Pass the events since the last call to the log, and drop them unless they must be remembered."""
        last = int(self.state[c.EVENTS])
        log(*teller.add_events(self.events[2 * teller.known : 2 * last].reshape(-1, 2), last))
        if not self.remembers:
            self.state[c.EVENTS] = teller.known = 0

    def _describe_last_leaf(self) -> str:
        """The name and place of the leaf that acted last, for messages."""
        node = self.tables.flat[int(self.state[c.LAST_LEAF])].node
        place = node.place or next((rule.place for rule in node.rules if rule.place), None)
        return (node.name or f"an unnamed {node.kind!r}") + (f" at {place}" if place else "")

    def _run_chunk(self, fuel: int) -> int:
        used = int(self.world.run(fuel))
        if self.state[c.NODE_NEEDING_ROOM] or self.state[c.EVENTS_FULL]:
            return min(used, fuel - 1)
        return used

    def _run_chunk_and_show(self, fuel: int) -> int:
        """Run a chunk, and write the tiles so that a watcher sees them."""
        used = self._run_chunk(fuel)
        self.write_tiles()
        return used

    def write_tiles(self) -> None:
        """Write the contents of the grid back to the tiles."""
        classes = self.tables.classes
        if not classes.renamed:
            np.copyto(self.tiles, self.inside)
            return
        codes = np.append(classes.codes, np.zeros(64, np.uint8))[self.inside]
        np.copyto(self.tiles, codes, where=self.inside != OTHER)  # a tile that no rule names stays unless overwritten

    def _grow_list(self, node: int) -> None:
        """Double the capacity of a node's list; a scan in progress starts again."""
        nodes = self.tables.nodes
        parts: list[NDArray[np.int64]] = []
        at = hashes = 0
        enough = 2 * int(self.tables.shape[0] * self.tables.shape[1]) + 64
        for leaf in self.tables.leaves:
            entry = nodes[leaf]
            start, room = int(entry[c.LIST]), int(entry[c.LIST_CAPACITY])
            wider = 2 * room if leaf == node else room
            if leaf == node and entry[c.MAY_TRY_BY_LOT] and room < enough + int(entry[c.MAX_NEW_MATCHES]):
                wider = min(
                    wider, enough + int(entry[c.MAX_NEW_MATCHES])
                )  # with more matches than that it keeps no list
            part = np.empty(wider, np.int64)
            part[:room] = self.lists[start : start + room]
            parts.append(part)
            entry[c.LIST], entry[c.LIST_CAPACITY] = at, wider
            at += wider
            if entry[c.LISTED_BY] == 1:
                entry[c.HASH], entry[c.HASH_MASK] = hashes, _hash_size(wider) - 1
                hashes += int(entry[c.HASH_MASK]) + 1
        self.lists = np.concatenate(parts)
        self.hashes = np.full(hashes, -1, np.int64)
        self._pass_buffers()
        for leaf in self.tables.leaves:
            if nodes[leaf, c.LISTED_BY] == 1:
                self.world.rehash(leaf)

    def _pass_buffers(self) -> None:
        self.world.use_longer_arrays(
            buffer(self.lists), buffer(self._build_scratch()), buffer(self.hashes), buffer(self.events)
        )

    def _build_scratch(self) -> NDArray[np.int64]:
        """An array as long as the longest list that is sorted."""
        nodes = self.tables.nodes[self.tables.leaves]
        capacities = nodes[nodes[:, c.SORTED] > 0, c.LIST_CAPACITY]
        return np.empty(int(capacities.max(initial=0)), np.int64)

    # --- queries

    def list_rewrites(self) -> NDArray[np.int64]:
        """All rewrites so far, if the engine remembers them, as rows of (turn, action, x, y). Actions are numbered by
        variant, then by result.
        """
        rows = self._event_rows()
        found: NDArray[np.int64] = rows[rows[:, 4] == 0][:, :4]
        return found

    def list_refused(self) -> NDArray[np.int64]:
        """All rewrites that a guard refused, in the form of `list_rewrites`."""
        rows = self._event_rows()
        found: NDArray[np.int64] = rows[rows[:, 4] > 0][:, :4]
        return found

    def _event_rows(self) -> NDArray[np.int64]:
        rows = self.events[: 2 * int(self.state[c.EVENTS])].reshape(-1, 2)
        wide, high = self.tables.rim
        # plus the rim, so that places left of the map stay in their row
        y, x = np.divmod((rows[:, 1] >> 22) + wide, int(self.tables.shape[2]))
        what = rows[:, 1] & 0x3FFFFF
        return np.column_stack((rows[:, 0], what & (REFUSED_BIT - 1), x - wide, y - high, what & REFUSED_BIT))

    def count_guard_refusals(self) -> NDArray[np.int64]:
        """The number of refusals of each guard, rule after rule."""
        found: NDArray[np.int64] = self.tables.guards[:, c.G_REFUSED].copy()
        return found

    def count_refusals(self) -> dict[Rule, int]:
        """The number of refusals of each guarded rule."""
        found: dict[Rule, int] = {}
        at = 0
        for node in self.tables.flat:
            for rule in node.node.rules:
                if rule.guards:
                    found[rule] = found.get(rule, 0) + int(
                        self.tables.guards[at : at + len(rule.guards), c.G_REFUSED].sum()
                    )
                at += len(rule.guards)
        return found

    def list_matches(self, leaf: int) -> list[tuple[int, int, int]]:
        """The current matches of a leaf as (variant, x, y), in order. For tests: a leaf that tries random places gets a
        list by this call.
        """
        entry = self.tables.nodes[leaf]
        while not self.world.refresh(leaf):
            self._grow_list(leaf)
        if entry[c.BY_LOT]:  # it has no list at the moment: scan everywhere
            entry[c.SCANNED] = 0
            while not self.world.refresh(leaf):
                self._grow_list(leaf)
        wide, high = self.tables.rim
        stride = int(self.tables.shape[2])
        found = []
        for item in self.lists[int(entry[c.LIST]) : int(entry[c.LIST] + entry[c.COUNT])].tolist():
            y, x = divmod((item >> 16) + wide, stride)
            found.append((int(entry[c.FIRST]) + (item & 0xFFFF), x - wide, y - high))
        return sorted(found)


KERNEL_TABLES = (
    "children",
    "test_at",
    "test_set",
    "write_at",
    "write_tile",
    "touched",
    "changes",
    "spots",
    "pair_at",
    "pairs",
    "anchors",
    "shape",
)


def _hash_size(room: int) -> int:
    """A power of two that is at least one and a half times `room`."""
    return 1 << (room + room // 2).bit_length()


def _build_ring_table() -> NDArray[np.uint8]:
    """For the eight cells around a cell, as bits clockwise from above: the number of groups that its four neighbours
    form, connected only through the ring.
    """
    groups = np.zeros(256, np.uint8)
    for around in range(256):
        on = [around >> k & 1 for k in range(8)]
        if all(on):
            groups[around] = 1
            continue
        start = on.index(0)
        run = False  # whether the current run of cells contains a neighbour
        for k in range(start, start + 9):
            here = k % 8
            if not on[here]:
                groups[around] += run
                run = False
            elif here % 2 == 0:
                run = True
    return groups


RING_GROUPS = _build_ring_table()


def apply(
    program: Program,
    tiles: NDArray[np.uint8],
    rng: Rng,
    run: Run | None = None,
    *,
    turns: int = 0,
    regions: Regions | None = None,
    mask: NDArray[np.bool_] | None = None,
) -> Engine:
    """Run a program on tiles, in place."""
    engine = Engine(program, tiles, rng, regions=regions, mask=mask)
    engine.run(run or Run(), turns)
    return engine
