"""Layouts: drawings whose parts each grow in their own way, so that one layout gives rooms of many sizes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import DOOR_ROLES, STANDARD, Palette
from undercroft.deprecation import RenamedMember
from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_texts, require_whole_number, resolve_index
from undercroft.kernels import buffer, flat_buffer, scaling
from undercroft.limits import LAYOUT_DISTANCE, LAYOUT_MARKS, LAYOUT_PARTITIONS, LAYOUT_SIDE, ROOM_SIDE
from undercroft.templates.layouts import marks
from undercroft.templates.layouts.arguments import (
    Size,
    as_tuple,
    check_cell,
    check_fields,
    check_room_arguments,
    size_bounds,
)
from undercroft.templates.layouts.marks import LayoutMark
from undercroft.templates.layouts.no_layout_fits import NoLayoutFits, describe_verdict
from undercroft.templates.layouts.partition import Axis, Partition
from undercroft.templates.layouts.tile_array import EMPTY_PATCH, Patch
from undercroft.templates.template import OUTSIDE, Template
from undercroft.wording import format_value_briefly

BASE, OVERLAY = -1, -2
"""The numbers of the two parts that do not scale; partitions count from 0."""
_TAGS_FIX = "give them one after the other: layout.with_tags('damp', 'large')"
_MARK_NAME = re.compile(r"[^\s,;=\"](?: ?[^\s,;=\"]){0,59}")


LAYOUT_FIELDS = {
    "name": (str, "a text"),
    "base": (Patch, "a Patch"),
    "overlay": (Patch, "a Patch"),
    "flip_x": (bool, "True or False"),
    "flip_y": (bool, "True or False"),
    "palette": (Palette, "a Palette"),
}
"""The types of the fields of a layout, in words."""


@dataclass(frozen=True)
class Layout:
    """Partitions in order, painted over a base and under an overlay that do not scale. A layout is immutable: its
    methods return new layouts.

    >>> drawing = Patch.of([(0, 0, STANDARD["wall"]), (1, 0, STANDARD["floor"])])
    >>> tall = Layout(partitions=(Partition(drawing, lock_ratio=False),))
    >>> print(tall.room((4, 2)))
    #...
    #...
    """

    name: str = ""
    """What it is called."""
    tags: tuple[str, ...] = ()
    """Words about the room."""
    base: Patch = EMPTY_PATCH
    """Tiles under all partitions."""
    partitions: tuple[Partition, ...] = ()
    """Parts that scale, later ones painted over earlier ones."""
    overlay: Patch = EMPTY_PATCH
    """Tiles over all partitions."""
    flip_x: bool = False
    """Whether left and right may be swapped."""
    flip_y: bool = False
    """Whether top and bottom may change places."""
    palette: Palette = STANDARD
    """What the codes of its tiles stand for."""
    marks: tuple[LayoutMark, ...] = ()
    """The meanings of the codes after those of the palette."""

    def __post_init__(self) -> None:
        check_fields("a layout", self, LAYOUT_FIELDS, "for example Layout(base=Patch.of([(0, 0, STANDARD['wall'])]))")
        for name, kind, words in (
            ("tags", str, "texts"),
            ("partitions", Partition, "Partitions"),
            ("marks", LayoutMark, "LayoutMarks"),
        ):
            object.__setattr__(self, name, as_tuple(name, getattr(self, name), kind, words, "leave them out for none"))
        LAYOUT_PARTITIONS.check(len(self.partitions), "the number of partitions")
        LAYOUT_MARKS.check(len(set(self.marks)), "the number of slots and sockets")
        for mark in self.marks:
            if not _MARK_NAME.fullmatch(mark.kind):
                raise BadInput(
                    f"a {mark.what} cannot be called {mark.kind[:40]!r}",
                    fix="give it a name of 1 to 60 signs without , ; = and quotes",
                )
            if mark.what == "slot" and not self.palette.walkable[mark.tile]:
                raise BadInput(
                    f"nothing can be put on {self.palette.tiles[mark.tile].name!r}",
                    fix="name a tile to stand on, such as floor",
                )
        self._sort_marks()
        seen: dict[tuple[int, int], int] = {}
        for number, patch in self._patches():
            for x, y, code in patch:
                if code >= len(self.palette) + len(self.marks):
                    raise BadInput(
                        f"the tile {code} at ({x}, {y}) is not in {self.palette}",
                        fix=f"its codes are 0 to {len(self.palette) - 1}",
                    )
                if (x, y) in seen:
                    raise BadInput(
                        f"two tiles are at ({x}, {y}): of {self.part_name(seen[x, y])} and of {self.part_name(number)}",
                        fix="keep one of them",
                    )
                seen[x, y] = number
        if not seen:
            raise BadInput("a layout without a tile", fix="draw at least one")
        for axis, side in enumerate(("width", "height")):
            values = [cell[axis] for cell in seen]
            LAYOUT_SIDE.check(max(values) - min(values) + 1, f"the {side} of a layout as it is drawn")
            LAYOUT_DISTANCE.check(max(map(abs, values)), f"the {'xy'[axis]} of a tile")

    def _sort_marks(self) -> None:
        """Sort the marks and drop unused ones, so that equal layouts compare equal however they were built."""
        first = len(self.palette)
        used = {
            code
            for _, patch in self._patches()
            for code in np.unique(patch.tiles).tolist()
            if first <= code < first + len(self.marks)
        }
        marks = sorted({self.marks[code - first] for code in used})
        if tuple(marks) == self.marks:
            return
        table = np.arange(256, dtype=np.uint8)
        for code in used:
            table[code] = first + marks.index(self.marks[code - first])
        moved = {number: Patch(table[patch.tiles], patch.x, patch.y) for number, patch in self._patches()}
        partitions = tuple(replace(partition, tiles=moved[number]) for number, partition in enumerate(self.partitions))
        for name, value in (
            ("marks", tuple(marks)),
            ("base", moved[BASE]),
            ("overlay", moved[OVERLAY]),
            ("partitions", partitions),
        ):
            object.__setattr__(self, name, value)

    def part_name(self, number: int) -> str:
        """The name of a partition, of the base (-1) or of the overlay (-2)."""
        number = self._part_number(number)
        if number < 0:
            return "the base" if number == BASE else "the overlay"
        return repr(self.partitions[number].name) if self.partitions[number].name else f"partition {number}"

    def _part_number(self, number: int) -> int:
        """The number of a partition, of the base (-1) or of the overlay (-2). Raises if there is no such part."""
        return number if type(number) is int and number in (BASE, OVERLAY) else self._partition_number(number)

    def _partition_number(self, number: int) -> int:
        return resolve_index("partition", number, len(self.partitions))

    def _patches(self) -> list[tuple[int, Patch]]:
        """All parts in painting order."""
        return [
            (BASE, self.base),
            *((number, partition.tiles) for number, partition in enumerate(self.partitions)),
            (OVERLAY, self.overlay),
        ]

    @classmethod
    def load(cls, path: str | Path) -> Layout:
        """Load a shipped layout by name, or a layout from a file: the JSON of Cozy Caves, or our drawn text."""
        from undercroft.templates.layouts import layout_files

        return layout_files.load(path)

    def save(self, path: str | Path) -> None:
        """Write it to a file: as JSON if the name ends in .json, else as drawn text."""
        from undercroft.templates.layouts import layout_files

        layout_files.save(self, path)

    # Contents.

    def tile(self, x: int, y: int) -> tuple[int, int] | None:
        """The code drawn at a cell, and the number of its partition."""
        check_cell(x, y)
        return next(((code, number) for number, patch in self._patches() if (code := patch.at(x, y)) is not None), None)

    def part(self, number: int) -> Patch:
        """The tiles of a partition, of the base (-1) or of the overlay (-2)."""
        number = self._part_number(number)
        return self.base if number == BASE else self.overlay if number == OVERLAY else self.partitions[number].tiles

    def with_part(self, number: int, tiles: Patch) -> Layout:
        """A layout with other tiles in a partition, in the base (-1) or in the overlay (-2)."""
        number = self._part_number(number)
        if number == BASE:
            return replace(self, base=tiles)
        if number == OVERLAY:
            return replace(self, overlay=tiles)
        return self.with_partition(replace(self.partitions[number], tiles=tiles), number)

    def with_tile(self, x: int, y: int, code: int, number: int = BASE) -> Layout:
        """A layout with that tile there, in that part only."""
        check_cell(x, y)
        number = self._part_number(number)
        code = require_whole_number("the code of a tile", code, 0, OUTSIDE - 1, "for example STANDARD['floor']")
        parts = {at: patch.without_cell(x, y) for at, patch in self._patches()}
        parts[number] = self.part(number).with_cell(x, y, code)
        partitions = tuple(replace(partition, tiles=parts[at]) for at, partition in enumerate(self.partitions))
        return replace(self, base=parts[BASE], partitions=partitions, overlay=parts[OVERLAY])

    def without_tile(self, x: int, y: int) -> Layout:
        """A layout without a tile there."""
        found = self.tile(x, y)
        return self if found is None else self.with_part(found[1], self.part(found[1]).without_cell(x, y))

    def with_tags(self, *tags: str) -> Layout:
        """A layout with these tags added."""
        return replace(self, tags=tuple(dict.fromkeys((*self.tags, *require_texts("tags", tags, _TAGS_FIX)))))

    def without_tags(self, *tags: str) -> Layout:
        """A layout without these tags."""
        gone = require_texts("tags", tags, _TAGS_FIX)
        return replace(self, tags=tuple(tag for tag in self.tags if tag not in gone))

    def with_partition(self, partition: Partition, number: int | None = None) -> Layout:
        """A layout with a partition added at the end, or replaced at that number."""
        if number is None:
            return replace(self, partitions=(*self.partitions, partition))
        at = self._partition_number(number)
        return replace(self, partitions=(*self.partitions[:at], partition, *self.partitions[at + 1 :]))

    def without_partition(self, number: int) -> Layout:
        """A layout without the partition of that number and its tiles."""
        at = self._partition_number(number)
        return replace(self, partitions=self.partitions[:at] + self.partitions[at + 1 :])

    def __len__(self) -> int:
        """The number of drawn tiles."""
        return sum(len(patch) for _, patch in self._patches())

    # Rooms.

    @property
    def smallest(self) -> Size:
        """Width and height as drawn; no room is smaller."""
        table = self._tables[0]
        low, high = table[:, 1:3].min(axis=0), (table[:, 1:3] + table[:, 3:5]).max(axis=0)
        return int(high[0] - low[0]), int(high[1] - low[1])

    @cached_property
    def _tables(self) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """The arrays for the kernel: a row for each part that has tiles, and their codes."""
        rows, codes, begin = [], [], 0
        for number, patch in self._patches():
            if not len(patch):
                continue
            partition = self.partitions[number] if number >= 0 else STILL_PARTITION
            axes = [
                value
                for at, axis in enumerate((partition.x, partition.y))
                for value in (
                    axis.locked,
                    axis.type == "multiples",
                    axis.amount,
                    axis.direction,
                    patch.count_filled(at),
                )
            ]
            rows.append([begin, patch.x, patch.y, patch.width, patch.height, *axes, partition.lock_ratio])
            codes.append(patch.tiles.reshape(-1))
            begin += patch.tiles.size
        return np.array(rows, np.int32).reshape(-1, scaling.LAYER_COLUMNS), np.concatenate(codes)

    @cached_property
    def _has_marks(self) -> bool:
        """Whether it has sockets or slots."""
        return bool(self.marks) or any(
            self.palette.roles[code] in DOOR_ROLES for code in np.unique(self._tables[1]).tolist() if code != OUTSIDE
        )

    def room(
        self,
        size: Size,
        *,
        leniency: int | Size = 0,
        overgrow: bool = False,
        flip: tuple[bool, bool] = (False, False),
        odd_centre: Literal["grow", "error"] = "grow",
    ) -> Template:
        """The room of that size, or up to `leniency` smaller (with `overgrow` also larger). Raises `NoLayoutFits` with
        the reason if there is none.

        All partitions scale along X until the width fits, then along Y; then those with a locked ratio catch up on the
        axis with fewer steps.
        """
        check_room_arguments(flip, odd_centre)
        steps, box, verdict = self._fit(size, leniency, overgrow)
        if verdict:
            raise NoLayoutFits({self.name or "the layout": describe_verdict(verdict, box, self.smallest)}, size)
        if odd_centre == "error":
            self._refuse_odd_centre(steps)
        return self._build_room(self._paint(steps, box), flip)

    def try_room(
        self, size: Size, *, leniency: int | Size = 0, overgrow: bool = False, flip: tuple[bool, bool] = (False, False)
    ) -> Template | None:
        """Like `room`, but None if there is no such room."""
        check_room_arguments(flip)
        steps, box, verdict = self._fit(size, leniency, overgrow)
        return None if verdict else self._build_room(self._paint(steps, box), flip)

    def scaled(self, x: int, y: int) -> Template:
        """The room after `x` steps along X and then `y` along Y, with locked ratios restored, whatever its size."""
        table, _ = self._tables
        if any(type(count) is not int or not 0 <= count <= ROOM_SIDE.value for count in (x, y)):
            raise BadInput(
                f"steps are whole numbers from 0 to {ROOM_SIDE.value:,}, not {format_value_briefly(x)} and "
                f"{format_value_briefly(y)}",
                fix="count them from 0",
            )
        steps, box = np.zeros((len(table), 3), np.int64), np.zeros(5, np.int64)
        steps[:, :2] = np.where(table[:, [5, 10]], 0, (x, y))
        none, most = np.zeros(2, np.int64), np.full(2, ROOM_SIDE.value, np.int64)
        if scaling.settle_steps(buffer(table), buffer(steps), buffer(box), buffer(none), buffer(most)):
            raise BadInput(
                f"{x} and {y} steps make no room of at most {ROOM_SIDE.value:,} a side", fix="ask for fewer steps"
            )
        return self._build_room(self._paint(steps, box), (False, False))

    def fits(self, size: Size, *, leniency: int | Size = 0, overgrow: bool = False) -> Size | str:
        """The size of the room that `room` would return, or the reason why there is none."""
        _, box, verdict = self._fit(size, leniency, overgrow)
        return describe_verdict(verdict, box, self.smallest) if verdict else (int(box[2]), int(box[3]))

    def corner(self, size: Size, *, leniency: int | Size = 0, overgrow: bool = False) -> tuple[int, int] | None:
        """The upper left corner of that room in the coordinates of the drawing, to overlay one on the other; None if
        there is no such room.
        """
        _, box, verdict = self._fit(size, leniency, overgrow)
        return None if verdict else (int(box[0]), int(box[1]))

    def _fit(
        self, size: Size, leniency: int | Size, overgrow: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """The steps and the box from the kernel, and its verdict."""
        table, _ = self._tables
        least, most = size_bounds(size, leniency, overgrow)
        steps, box = np.empty((len(table), 3), np.int64), np.zeros(5, np.int64)
        verdict = scaling.fit_size(
            buffer(table),
            buffer(steps),
            buffer(box),
            buffer(np.array(least, np.int64)),
            buffer(np.array(most, np.int64)),
        )
        return steps, box, int(verdict)

    def _paint(self, steps: NDArray[np.int64], box: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Paint base, partitions and overlay in this order, later ones over earlier ones."""
        table, codes = self._tables
        canvas = np.full((int(box[3]), int(box[2])), OUTSIDE, np.uint8)
        cells = np.empty(codes.size + 2 * canvas.size, np.uint8)
        cells[: codes.size] = codes
        scaling.paint_layers(buffer(table), buffer(steps), buffer(cells), codes.size, flat_buffer(canvas), buffer(box))
        return canvas

    def _refuse_odd_centre(self, steps: NDArray[np.int64]) -> None:
        """Refuse a doubling from the centre with a single middle column or row, which is not an exact double."""
        for row, (across, down, again) in zip(self._tables[0].tolist(), steps.tolist(), strict=True):
            for axis, count in ((0, across + again), (1, down)):
                if count and row[6 + 5 * axis] and row[8 + 5 * axis] == 0 and row[9 + 5 * axis] % 2:
                    raise BadInput(
                        f"doubling {row[9 + 5 * axis]} {'columns' if axis == 0 else 'rows'} from the centre has one "
                        "middle, which would be tripled",
                        fix="draw an even number of them, or scale to one side",
                    )

    def _build_room(self, tiles: NDArray[np.uint8], flip: tuple[bool, bool]) -> Template:
        """Build the room: marks become sockets and slots, then it is flipped."""
        sockets, slots = marks.extract_marks(tiles, self.palette, self.marks) if self._has_marks else ((), ())
        tiles.setflags(write=False)
        room = Template(self.name, tiles, self.palette, sockets, slots, self.tags)
        if flip[0]:
            room = room.mirrored()
        return room.mirrored().turned().turned() if flip[1] else room

    called = RenamedMember("called", "part_name")


STILL_PARTITION = Partition(x=Axis(locked=True), y=Axis(locked=True))
"""A partition that does not scale, for base and overlay."""
