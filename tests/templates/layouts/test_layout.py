"""Layouts: the worked examples drawn, and random ones against a twin that keeps a table of tiles and moves them one by
one.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from support.layouts import LETTERS, random_layout
from support.maps import each
from undercroft.core.palette import STANDARD
from undercroft.core.rng import Rng
from undercroft.errors import BadInput, TooBig
from undercroft.kernels import load_plain, scaling
from undercroft.templates.layouts import layout as layouts
from undercroft.templates.layouts.layout import BASE, OVERLAY, STILL_PARTITION, Layout
from undercroft.templates.layouts.no_layout_fits import NoLayoutFits
from undercroft.templates.layouts.partition import FREE_AXIS, Axis, Partition
from undercroft.templates.layouts.pool import Pool
from undercroft.templates.layouts.tile_array import EMPTY_PATCH, Patch

LOCKED = Axis(locked=True)


def patch(drawing: str) -> Patch:
    """`abc / de_` as tiles; _ is nothing."""
    return Patch.of(
        (x, y, LETTERS[sign]) for y, row in enumerate(drawing.split(" / ")) for x, sign in enumerate(row) if sign != "_"
    )


def single(drawing: str, x: Axis = LOCKED, y: Axis = LOCKED, ratio: bool = False) -> Layout:
    return Layout(partitions=(Partition(patch(drawing), x, y, ratio),), palette=LETTERS)


def format_room(room: object) -> str:
    rows = str(room).split("\n")
    return " / ".join(row.ljust(max(map(len, rows))).replace(" ", "_") for row in rows)


def columns(layout: Layout, x: int, y: int = 0) -> tuple[int, int]:
    """The first and the last column after so many steps, where the layout was drawn."""
    table, _ = layout._tables
    steps, box = np.zeros((len(table), 3), np.int64), np.zeros(5, np.int64)
    steps[:, :2] = np.where(table[:, [5, 10]], 0, (x, y))
    scaling.settle_steps(table, steps, box, np.zeros(2, np.int64), np.full(2, 4096, np.int64))
    return int(box[0]), int(box[0] + box[2] - 1)


def amount(by: int, direction: int = 1) -> Axis:
    return Axis(amount=by, direction=direction)  # type: ignore[arg-type]


def multiples(direction: int = 1) -> Axis:
    return Axis(type="multiples", direction=direction)  # type: ignore[arg-type]


WORKED = {
    "E1": ("abc / de_", amount(2), LOCKED, (1, 0), "abccc / deee_", (0, 4)),
    "E2": ("abc / de_", amount(2, -1), LOCKED, (1, 0), "aaabc / ddde_", (-2, 2)),
    "E3": ("abc / de_", amount(2, 0), LOCKED, (1, 0), "aabcc / ddee_", (-1, 3)),
    "E4": ("abc / de_", amount(1), amount(1), (1, 1), "abcc / deec / dee_", (0, 3)),
    "E7": ("a__b", amount(1), LOCKED, (1, 0), "a__bb", (0, 4)),
    "M1": ("abc / de_", multiples(), LOCKED, (1, 0), "aabbcc / ddee__", (0, 5)),
    "M2": ("abc / de_", multiples(-1), LOCKED, (1, 0), "aabbcc / ddee__", (-3, 2)),
    "M3": ("abc / de_", multiples(0), LOCKED, (1, 0), "aabbbcc / ddeee__", (-2, 4)),
    "M4": ("abcd", multiples(0), LOCKED, (1, 0), "aabbccdd", (-2, 5)),
    "M5": ("a___b", multiples(), LOCKED, (1, 0), "aa___bb", (0, 6)),
    "M6": ("ab", multiples(), LOCKED, (2, 0), "aaaabbbb", (0, 7)),
    "M7": ("ab / cd", multiples(), multiples(), (1, 1), "aabb / aabb / ccdd / ccdd", (0, 3)),
}


@pytest.mark.parametrize("name", WORKED)
def test_worked_example(name: str) -> None:
    """Numbers 2.25 to 2.29: what a step gives, and where it lies."""
    before, x, y, steps, after, where = WORKED[name]
    layout = single(before, x, y)
    assert format_room(layout.scaled(*steps)) == after
    assert columns(layout, *steps) == where
    width, height = len(after.split(" / ")[0]), len(after.split(" / "))
    assert format_room(layout.room((width, height))) == after


def test_x_first_then_y() -> None:
    """2.28: the other order would leave a `c` in the second row's third column."""
    assert format_room(single("abc / de_", amount(1), amount(1)).scaled(1, 1)) != "abcc / decc / dee_"


def test_an_odd_amount_from_the_centre_is_refused() -> None:
    """E3b and 2.27."""
    with pytest.raises(BadInput, match="half of it cannot go"):
        Partition(patch("a"), amount(3, 0), LOCKED, lock_ratio=False)


def override(*order: str) -> Layout:
    """u is base; W and f are partitions in some order."""
    tiles = {"W": "__W", "f": "_f"}
    parts = tuple(Partition(patch(tiles[sign]), amount(1), LOCKED, lock_ratio=False, name=sign) for sign in order)
    return Layout(base=patch("u"), partitions=parts, palette=LETTERS)


def test_later_partitions_paint_over_earlier_ones() -> None:
    """E5: the wall travels outward and floor fills behind it; 2.30."""
    assert [format_room(override("W", "f").room((width, 1))) for width in (3, 4, 5)] == ["ufW", "uffW", "ufffW"]


def test_a_wall_after_the_floor_stays() -> None:
    """E5r: a floor that comes before the wall does not delete it."""
    assert format_room(override("f", "W").room((4, 1))) == "ufWW"


def test_the_overlay_is_painted_last_and_the_base_first() -> None:
    """E6, 2.7 and 2.31."""
    layout = Layout(
        base=patch("__g"),
        partitions=(Partition(patch("f"), amount(2), LOCKED, lock_ratio=False),),
        overlay=patch("_X"),
        palette=LETTERS,
    )
    assert format_room(layout.scaled(1, 0)) == "fXf"


@pytest.mark.parametrize(
    ("leniency", "overgrow", "width"),
    [(2, False, 4), (1, False, None), (1, True, 7), ((2, 0), False, 4), ((1, 9), False, None), (5, False, 1)],
)
def test_leniency(leniency: int | tuple[int, int], overgrow: bool, width: int | None) -> None:
    """2.8: widths are 1, 4, 7, ..., and 6 is asked for."""
    found = single("a", amount(3), amount(1)).fits((6, 1), leniency=leniency, overgrow=overgrow)
    assert found == ((width, 1) if width else "it goes from 4 to 7 wide in one step")


def test_the_ratio_counts_steps() -> None:
    """2.14: with amounts 2 and 1 a single tile reaches 5x3, with 1 and 1 it does not."""
    assert single("a", amount(1), amount(1), ratio=True).fits((5, 3)) == "its locked ratio makes it 5 high"
    assert single("a", amount(2), amount(1), ratio=True).fits((5, 3)) == (5, 3)
    assert single("a", amount(1), amount(1), ratio=True).fits((5, 3), leniency=2, overgrow=True) == (3, 3)
    assert single("a", amount(1), amount(1), ratio=True).fits((1, 1)) == (1, 1)


def test_an_x_that_fell_behind_catches_up_after_y() -> None:
    """The repair comes last: on a ragged shape it shows."""
    layout = single("bc / d_", amount(1), amount(1), ratio=True)
    assert format_room(layout.scaled(0, 1)) == "bcc / dcc / dd_"
    assert format_room(layout.scaled(1, 0)) == "bcc / ddc / dd_"


@pytest.mark.parametrize(("x", "y"), [(True, False), (False, True)])
def test_a_ratio_and_one_locked_axis_contradict(x: bool, y: bool) -> None:
    """2.16."""
    with pytest.raises(BadInput, match="nothing could scale"):
        Partition(patch("a"), Axis(locked=x), Axis(locked=y), lock_ratio=True)
    assert Layout(partitions=(Partition(patch("a"), LOCKED, LOCKED, lock_ratio=True),), palette=LETTERS).fits(
        (1, 1)
    ) == (1, 1)


@pytest.mark.parametrize("by", [0, -1, 1.5, True, 1_000_001])
def test_amounts_are_whole_numbers_from_1(by: object) -> None:
    """2.18."""
    with pytest.raises(BadInput, match="whole number from 1"):
        Partition(patch("a"), Axis(amount=by), FREE_AXIS)  # type: ignore[arg-type]


def test_nothing_that_grows_is_stuck_at_once() -> None:
    """2.4: valid or confirmed invalid, and why."""
    assert single("ab").fits((3, 1)) == "it stays 2 wide, nothing in it grows sideways"
    assert single("ab").fits((1, 1)) == "it is never narrower than 2"
    assert single("a", amount(1)).fits((1, 2)) == "it stays 1 high, nothing in it grows up or down"
    with pytest.raises(NoLayoutFits, match="no room of 3x1: the layout: it stays 2 wide") as caught:
        single("ab").room((3, 1))
    assert caught.value.exit_code == 1


def test_growth_that_is_hidden_at_first_still_counts() -> None:
    """A partition inside a large base reaches the edge of it after some steps."""
    layout = Layout(
        base=patch("u____u"), partitions=(Partition(patch("_a"), amount(1), LOCKED, lock_ratio=False),), palette=LETTERS
    )
    assert format_room(layout.room((8, 1))) == "uaaaaaaa"


def test_doubling_without_end_is_refused_quickly() -> None:
    layout = Layout(
        base=patch("u"),
        partitions=(
            Partition(patch("_ / a"), multiples(), amount(1), lock_ratio=True),
            Partition(patch("_b"), amount(1), LOCKED, False),
        ),
        palette=LETTERS,
    )
    assert layout.fits((4, 200)) == "its locked ratio makes it larger than any map"


def test_an_odd_centre_can_be_an_error() -> None:
    """2.29e."""
    layout = single("abc", multiples(0))
    assert layout.room((7, 1)).width == 7
    with pytest.raises(BadInput, match="would be tripled"):
        layout.room((7, 1), odd_centre="error")
    assert single("abcd", multiples(0)).room((8, 1), odd_centre="error").width == 8
    assert layout.room((3, 1), odd_centre="error").width == 3


def test_flips_turn_the_room_over() -> None:
    """2.33."""
    layout = single("abc / de_", amount(1), amount(1))
    assert format_room(layout.room((3, 2), flip=(True, False))) == "cba / _ed"
    assert format_room(layout.room((3, 2), flip=(False, True))) == "de_ / abc"
    assert format_room(layout.room((3, 2), flip=(True, True))) == "_ed / cba"


def test_tags_change_no_tile_and_go_along() -> None:
    """2.10."""
    plain_one = single("ab", amount(1))
    tagged = plain_one.with_tags("crypt", "old", "crypt")
    assert tagged.room((4, 1)).tags == ("crypt", "old")
    assert format_room(tagged.room((4, 1))) == format_room(plain_one.room((4, 1)))
    assert tagged.without_tags("old").tags == ("crypt",)
    assert plain_one.tags == ()


def test_parts_are_changed_in_copies() -> None:
    """2.13: one tile a cell; to put one anywhere takes it away elsewhere."""
    layout = single("ab", amount(1))
    moved = layout.with_tile(0, 0, LETTERS["c"], OVERLAY)
    assert moved.tile(0, 0) == (LETTERS["c"], OVERLAY)
    assert moved.tile(1, 0) == (LETTERS["b"], 0)
    assert layout.tile(0, 0) == (LETTERS["a"], 0)
    assert moved.without_tile(0, 0).tile(0, 0) is None
    assert moved.without_tile(5, 5) is moved
    assert len(moved) == 2
    assert moved.part(0) == Patch.of([(1, 0, LETTERS["b"])])
    assert single("a").with_tile(0, 0, LETTERS["b"], BASE).base == patch("b")
    more = layout.with_partition(Partition(patch("__c"), amount(1), LOCKED, lock_ratio=False))
    assert format_room(more.room((4, 1))) == "abcc"
    assert more.without_partition(1) == layout
    assert more.with_partition(replace(more.partitions[1], name="c"), 1).part_name(1) == "'c'"
    with pytest.raises(BadInput, match="without a tile"):
        single("a").without_tile(0, 0)


def test_two_tiles_on_one_cell_are_refused() -> None:
    with pytest.raises(BadInput, match=r"two tiles are at \(0, 0\): of the base and of partition 0"):
        Layout(base=patch("u"), partitions=(Partition(patch("a"), amount(1), amount(1)),), palette=LETTERS)


@pytest.mark.parametrize("size", [(0, 1), (1, -1), (1.0, 2), ("1", 1)])
def test_sizes_are_whole_numbers(size: object) -> None:
    with pytest.raises(BadInput, match="a size is two whole numbers"):
        single("a").fits(size)  # type: ignore[arg-type]
    with pytest.raises(TooBig):
        single("a", amount(1)).fits((5000, 1))


# A twin: tables of tiles, one step at a time, as the method is told.


Tiles = dict[tuple[int, int], int]


def stepped(tiles: Tiles, axis: Axis, along: int) -> Tiles:
    """One step of a partition along an axis, tile by tile."""
    if axis.locked or not tiles:
        return tiles
    result = dict(tiles)
    if axis.type == "amount":
        ways = [(axis.direction, axis.amount)] if axis.direction else [(1, axis.amount // 2), (-1, axis.amount // 2)]
        for way, by in ways:
            for line in {cell[1 - along] for cell in tiles}:
                edge = max((cell for cell in tiles if cell[1 - along] == line), key=lambda cell: way * cell[along])
                for step in range(1, by + 1):
                    result[moved(edge, along, way * step)] = tiles[edge]
        return result
    values = sorted({cell[along] for cell in tiles})
    count = len(values)
    origins = {1: [values[0]], -1: [values[-1]], 0: values[(count - 1) // 2 : count // 2 + 1]}[axis.direction]
    result = {}
    for cell, code in tiles.items():
        value = cell[along]
        way = axis.direction or (1 if value > origins[-1] or (len(origins) == 2 and value == origins[1]) else -1)
        side = origins[-1] if way == 1 else origins[0]
        closer = sum(1 for other in values if 0 <= way * (other - side) < way * (value - side)) if value != side else 0
        if axis.direction == 0 and len(origins) == 1 and value == origins[0]:
            for step in (-1, 0, 1):
                result[moved(cell, along, step)] = code
            continue
        place = moved(cell, along, way * closer)
        result[place] = result[moved(place, along, way)] = code
    return result


def moved(cell: tuple[int, int], along: int, by: int) -> tuple[int, int]:
    return (cell[0] + by, cell[1]) if along == 0 else (cell[0], cell[1] + by)


def twin(layout: Layout, x: int, y: int) -> Tiles:
    """The room after so many steps, moved to (0, 0)."""
    parts = []
    for partition in layout.partitions:
        tiles = {(left, top): code for left, top, code in partition.tiles}
        counts = [0 if partition.x.locked else x, 0 if partition.y.locked else y]
        for along, axis in enumerate((partition.x, partition.y)):
            for _ in range(counts[along]):
                tiles = stepped(tiles, axis, along)
        if partition.lock_ratio and not partition.x.locked and not partition.y.locked:
            for _ in range(counts[1] - counts[0]):
                tiles = stepped(tiles, partition.x, 0)
            for _ in range(counts[0] - counts[1]):
                tiles = stepped(tiles, partition.y, 1)
        parts.append(tiles)
    merged = {(left, top): code for left, top, code in layout.base}
    for tiles in parts:
        merged |= tiles
    merged |= {(left, top): code for left, top, code in layout.overlay}
    left, top = min(cell[0] for cell in merged), min(cell[1] for cell in merged)
    return {(cell[0] - left, cell[1] - top): code for cell, code in merged.items()}


@each("seed", 300)
def test_scaled_as_the_twin_does(seed: int) -> None:
    chance = random.Random(seed)
    layout = random_layout(chance)
    x, y = chance.randint(0, 3), chance.randint(0, 3)
    room = layout.scaled(x, y)
    found = {(left, top): code for left, top, code in Patch(room.tiles)}
    left, top = min(cell[0] for cell in found), min(cell[1] for cell in found)
    assert (left, top) == (0, 0)
    assert found == twin(layout, x, y)


@each("seed", 100)
def test_rooms_are_the_first_that_fit(seed: int) -> None:
    """2.4 and 2.20: the fewest steps along X, then along Y, that fit; then the ratio; and nothing else."""
    chance = random.Random(seed)
    layout = random_layout(chance)
    size, near, overgrow = (chance.randint(1, 14), chance.randint(1, 14)), chance.randint(0, 2), chance.random() < 0.5
    free = [any(len(one.tiles) and not (one.x, one.y)[along].locked for one in layout.partitions) for along in (0, 1)]

    def side(x: int, y: int, along: int) -> int:
        loose = replace(layout, partitions=tuple(replace(one, lock_ratio=False) for one in layout.partitions))
        return max(cell[along] for cell in twin(loose, x, y)) + 1

    steps = [0, 0]
    for along in (0, 1):
        while side(steps[0], steps[1], along) < size[along] - near and free[along]:
            steps[along] += 1
    room = twin(layout, *steps)
    box = tuple(max(cell[along] for cell in room) + 1 for along in (0, 1))
    before = [side(steps[0], steps[1], along) for along in (0, 1)]
    good = all(
        size[along] - near <= value[along] <= size[along] + near * overgrow
        for value in (before, box)
        for along in (0, 1)
    )
    found = layout.fits(size, leniency=near, overgrow=overgrow)
    assert found == box if good else isinstance(found, str)
    if good:
        assert {(x, y): code for x, y, code in Patch(layout.room(size, leniency=near, overgrow=overgrow).tiles)} == room


@each("seed", 60)
def test_amounts_and_multiples_keep_their_laws(seed: int) -> None:
    """By amount every row grows by just that; multiples double the distinct values and keep the gaps (2.25, 2.29f)."""
    chance = random.Random(seed)
    tiles = Patch.of((x, y, 1) for x in range(6) for y in range(4) if chance.random() < 0.5) if seed else patch("a")
    if not len(tiles):
        return
    by = chance.randint(1, 4)
    before, after = (
        Patch(
            Layout(partitions=(Partition(tiles, amount(by), LOCKED, lock_ratio=False),), palette=LETTERS)
            .scaled(steps, 0)
            .tiles
        )
        for steps in (0, 1)
    )
    for row, wider in zip(before.tiles, after.tiles, strict=True):
        used = np.flatnonzero(row != 255)
        assert np.count_nonzero(wider != 255) == len(used) + (by if len(used) else 0)
    for direction in (-1, 0, 1):
        doubled = Patch(
            Layout(partitions=(Partition(tiles, multiples(direction), LOCKED, lock_ratio=False),), palette=LETTERS)
            .scaled(1, 0)
            .tiles
        )
        odd = direction == 0 and tiles.count_filled(0) % 2
        assert doubled.count_filled(0) == 2 * tiles.count_filled(0) + odd
        assert doubled.width - doubled.count_filled(0) == tiles.width - tiles.count_filled(0)


def test_compiled_and_plain_rooms_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [(random_layout(random.Random(seed)), seed % 4, seed % 3) for seed in range(40)]
    compiled = [layout.scaled(x, y).tiles for layout, x, y in made]
    monkeypatch.setattr(layouts, "scaling", load_plain("scaling"))
    monkeypatch.setattr(layouts, "buffer", memoryview)
    monkeypatch.setattr(layouts, "flat_buffer", lambda array: memoryview(array.reshape(-1)))
    assert all(
        np.array_equal(layout.scaled(x, y).tiles, before) for (layout, x, y), before in zip(made, compiled, strict=True)
    )


# Pools.


def test_a_pool_draws_by_weight() -> None:
    """2.3."""
    pool = Pool(
        [
            (replace(single("a", amount(1), amount(1)), name=name), weight)
            for name, weight in (("rare", 1), ("common", 9))
        ]
    )
    rng = Rng.root(5)
    names = [pool.room(rng, (3, 2)).name for _ in range(1000)]
    assert 60 < names.count("rare") < 140


def test_a_layout_that_fails_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """2.5: it is put aside as a whole, not one ticket of it."""
    asked: list[str] = []
    fits = Layout._fit

    def watched(self: Layout, *args: Any) -> Any:
        asked.append(self.name)
        return fits(self, *args)

    monkeypatch.setattr(Layout, "_fit", watched)
    pool = Pool(
        [(replace(single("ab"), name="fixed"), 1000), (replace(single("a", amount(1), amount(1)), name="free"), 1)]
    )
    assert {pool.room(Rng.root(seed), (4, 1)).name for seed in range(20)} == {"free"}
    assert 0 < asked.count("fixed") <= 20


def test_an_empty_pool_says_why() -> None:
    """2.6."""
    pool = Pool([(replace(single("ab"), name="fixed"), 3), (replace(single("a", amount(5), LOCKED), name="wide"), 1)])
    with pytest.raises(NoLayoutFits) as caught:
        pool.room(Rng.root(1), (4, 1))
    assert caught.value.reasons == {
        "fixed": "it stays 2 wide, nothing in it grows sideways",
        "wide": "it goes from 1 to 6 wide in one step",
    }
    assert caught.value.size == (4, 1)
    with pytest.raises(BadInput, match="a pool without a layout"):
        Pool([])
    with pytest.raises(BadInput, match="weight of 'fixed'"):
        Pool([(replace(single("ab"), name="fixed"), 0)])


def test_a_fallback_gives_what_it_can() -> None:
    fallback = replace(single("b", amount(3), amount(1)), name="plain")
    pool = Pool([(replace(single("ab"), name="fixed"), 3)], fallback)
    assert pool.room(Rng.root(1), (6, 2)).tiles.shape[1] == 4
    assert pool.room(Rng.root(1), (6, 2)).name == "plain"


def test_flips_only_where_allowed() -> None:
    layout = single("ab")
    assert {format_room(Pool([(layout, 1)]).room(Rng.root(seed), (2, 1))) for seed in range(30)} == {"ab"}
    assert {
        format_room(Pool([(replace(layout, flip_x=True), 1)]).room(Rng.root(seed), (2, 1))) for seed in range(30)
    } == {
        "ab",
        "ba",
    }
    tall = replace(single("a / b"), flip_y=True)
    assert {format_room(Pool([(tall, 1)]).room(Rng.root(seed), (1, 2))) for seed in range(30)} == {"a / b", "b / a"}


def test_base_and_overlay_never_scale() -> None:
    assert STILL_PARTITION.x.locked
    assert STILL_PARTITION.y.locked
    still = Layout(base=Patch.of([(0, 0, STANDARD["floor"])]), partitions=(Partition(EMPTY_PATCH),))
    assert still.fits((2, 1)).startswith("it stays 1 wide")  # type: ignore[union-attr]
