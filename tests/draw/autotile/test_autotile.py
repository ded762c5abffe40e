"""Autotiling: against a slow twin, against drawn patterns, turned, changed in one cell; and chance that is fair and
stays where it is.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import undercroft as uc
from support.maps import HEAVY, picture
from undercroft.core.palette import ROLES
from undercroft.core.rng import Rng
from undercroft.draw.autotile import tiling as tiling_module
from undercroft.draw.autotile.autotile import JOINS, autotile
from undercroft.draw.autotile.cell_random import CellRandom
from undercroft.draw.autotile.pieces import BLOB_MASKS, NEIGHBOURS, TILING_KINDS, build_tables, pieces, reduced, turned
from undercroft.draw.autotile.tiling import Autotiling

STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""(x, y) of the neighbours, clockwise from the north."""
GROUPS = {"#": "wall", "X": "wall", "S": "wall", "~": "water", ":": "pit"}
"""Of the glyphs; all others are ground."""
SIZES = ((1, 1), (1, 2), (2, 1), (1, 9), (9, 1), (2, 2), (3, 3), (17, 5), (5, 17), (31, 29))


def soup(number: int, width: int, height: int, glyphs: str = "####....,+~~:oSX") -> uc.Level:
    signs = np.random.default_rng(number).choice(list(glyphs), (height, width))
    return uc.Level.parse("\n".join("".join(row) for row in signs.tolist()))


def maps() -> st.SearchStrategy[uc.Level]:
    sides = st.integers(1, 12)
    return st.builds(soup, st.integers(0, 10**6), sides, sides, st.sampled_from(["#.", "#~.", "####....,+~~:oSX"]))


def bits(level: uc.Level, x: int, y: int, outside: str) -> int:
    """The mask of a cell, by looking."""
    rows = str(level).split("\n")

    def group(column: int, row: int) -> str:
        inside = 0 <= column < level.width and 0 <= row < level.height
        return GROUPS.get(rows[row][column] if rows[row][column] != " " else "X", "ground") if inside else outside

    return sum(1 << bit for bit, (dx, dy) in enumerate(STEPS) if group(x + dx, y + dy) == group(x, y))


# ----------------------------------------------------------------------------------------------------- masks and pieces


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("outside", "group"), [("wall", "wall"), ("floor", "ground"), ("water", "water"), ("void", "wall")]
)
def test_masks_are_those_of_a_slow_twin(size: tuple[int, int], outside: str, group: str) -> None:
    for number in range(20 if HEAVY else 4):
        level = soup(number, *size)
        tiling = autotile(level, "blob", outside=outside)
        assert tiling.mask.tolist() == [
            [bits(level, x, y, group) for x in range(level.width)] for y in range(level.height)
        ]
        assert tiling.index.tolist() == [
            [BLOB_MASKS.index(reduced(mask)) for mask in row] for row in tiling.mask.tolist()
        ]


@given(maps(), st.sampled_from(["blob", "edges", "walls", "corners"]))
def test_many_bites_give_what_one_gives(level: uc.Level, kind: str) -> None:
    whole = everything(autotile(level, kind))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiling_module, "CELLS_PER_CHUNK", 7)
        assert everything(autotile(level, kind)) == whole


def everything(tiling: Autotiling) -> list[object]:
    return [
        getattr(tiling, name).tolist() for name in ("mask", "index", "variant", "sprite", "rotation", "mirror", "flips")
    ]


def test_the_256_masks_become_exactly_47() -> None:
    # The 15 shapes and their turns as Guy Walker listed them ("Wang tiles", cr31): a source other than our own rule.
    listed = {0, 255, 17, 68, 119, 221, 85}
    for first in (1, 5, 7, 21, 23, 29, 31, 87, 95, 127):
        listed |= {first * 4**quarter % 255 for quarter in range(4)}
    assert sorted(listed) == BLOB_MASKS
    assert len(pieces("blob")) == len(BLOB_MASKS) == 47
    table = build_tables("blob").table
    assert sorted(set(table.tolist())) == list(range(47))
    assert [piece.mask for piece in pieces("blob")] == BLOB_MASKS
    assert sorted(mask for piece in pieces("blob") for mask in piece.masks) == list(range(256))


def test_two_masks_are_one_piece_if_they_look_the_same() -> None:
    def looks(mask: int) -> tuple[bool, ...]:
        """Cut the cell in four quarters: each shows whether it is inside, along either side, at a corner from outside
        or from inside.
        """
        joined = [bool(mask >> bit & 1) for bit in range(8)]
        quarters = []
        for corner in (1, 3, 5, 7):
            before, after = joined[corner - 1], joined[(corner + 1) % 8]
            quarters += [before, after, before and after and joined[corner]]
        return tuple(quarters)

    table = build_tables("blob").table
    for one, other in itertools.combinations(range(256), 2):
        assert (table[one] == table[other]) == (looks(one) == looks(other))


@pytest.mark.parametrize("kind", TILING_KINDS)
def test_wants_say_which_masks_a_piece_is_for(kind: str) -> None:
    for piece in pieces(kind):
        fitting = {
            mask
            for mask in range(256)
            if all(want is None or want == bool(mask >> bit & 1) for bit, want in enumerate(piece.wants))
        }
        assert set(piece.masks) <= fitting
        if kind != "walls":
            assert set(piece.masks) == fitting
            assert piece.name == (
                " ".join(name for bit, name in enumerate(NEIGHBOURS) if piece.mask >> bit & 1) or "alone"
            )
        assert piece.mask == min(piece.masks, key=int.bit_count, default=0)
    assert [piece.index for piece in pieces(kind)] == list(range(len(pieces(kind))))
    # edges n and s look alike in text, e and w too
    assert len({piece.sign for piece in pieces(kind)}) == (28 if kind == "walls" else len(pieces(kind)))
    assert len({piece.name for piece in pieces(kind)}) == len(pieces(kind))


@given(maps())
def test_edges_are_the_sides_of_the_mask(level: uc.Level) -> None:
    tiling = autotile(level, "edges")
    north, east, south, west = (tiling.mask >> bit & 1 for bit in (0, 2, 4, 6))
    assert np.array_equal(tiling.index, north + 2 * east + 4 * south + 8 * west)


@given(maps(), st.sampled_from(["wall", "floor", "water"]), st.sampled_from(["wall", "ground", "water"]))
def test_corners_are_the_cells_around_a_point(level: uc.Level, outside: str, of: str) -> None:
    tiling = autotile(level, "corners", outside=outside, of=of)
    assert tiling.index.shape == (level.height + 1, level.width + 1)
    member = np.pad(tiling.cells(of), 1, constant_values=JOINS[outside] == of)
    for y, x in np.ndindex(tiling.index.shape):
        north_west, north_east, south_west, south_east = member[y : y + 2, x : x + 2].reshape(-1).tolist()
        assert tiling.index[y, x] == north_east + 2 * south_east + 4 * south_west + 8 * north_west


# ---------------------------------------------------------------------------------------------------------------- walls

WALLS = {
    "solid": ["###/###/###"],
    "edge n": ["###/###/?.?"],
    "corner ne": ["###/###/.##"],
    "inner corner ne": ["?.?/##./##?"],
    "straight ns": ["?#?/.#./?#?"],
    "bend ne": ["?.?/##./.#?"],
    "end n": ["?.?/.#./?#?"],
    "tee n": [".#./###/?.?", ".##/###/?.?", "##./###/?.?", ".#./###/###"],
    "cross": [".#./###/.##", ".##/###/##.", ".#./###/.#."],
    "pillar": ["?.?/.#./?.?"],
}
"""One of each family, drawn: `.` is anything but wall, `?` is either. Turned, they are all walls there are."""


def drawn_walls() -> dict[int, set[str]]:
    """The names of each mask, by the drawings."""
    found: dict[int, set[str]] = {mask: set() for mask in range(256)}
    for name, drawings in WALLS.items():
        family, _, where = name.rpartition(" ") if name[-2:] in (" n", "ne", "ns") else (name, "", "")
        ring = {"n": "nesw", "ne": ["ne", "se", "sw", "nw"], "ns": ["ns", "ew", "ns", "ew"], "": [""] * 4}[where]
        for quarter, drawing in itertools.product(range(4), drawings):
            grid = np.rot90(np.array([list(row) for row in drawing.split("/")]), -quarter)
            around = [grid[1 + dy, 1 + dx] for dx, dy in STEPS]
            for mask in range(256):
                if all(sign == "?" or (sign == "#") == bool(mask >> bit & 1) for bit, sign in enumerate(around)):
                    found[mask].add(f"{family} {ring[quarter]}".strip())
    return found


def test_every_mask_is_the_wall_that_is_drawn() -> None:
    table = build_tables("walls").table
    for mask, names in drawn_walls().items():
        assert names == {pieces("walls")[table[mask]].name}, f"{mask:08b}"
    assert {name for names in drawn_walls().values() for name in names} | {"ground"} == {
        piece.name for piece in pieces("walls")
    }


@given(maps(), st.sampled_from(["wall", "water"]))
def test_what_is_no_wall_is_ground(level: uc.Level, of: str) -> None:
    tiling = autotile(level, "walls", of=of)
    assert np.array_equal(tiling.index == 0, ~tiling.cells(of))


def test_a_room_has_edges_corners_and_inner_corners() -> None:
    level = uc.Level.parse("""
        #########
        #.......#
        #.##....#
        #.##....#
        #.......#
        #########
    """)
    tiling = autotile(level, "walls")
    assert [[pieces("walls")[index].name for index in row[:4]] for row in tiling.index[:4].tolist()] == [
        ["corner nw", "edge n", "edge n", "edge n"],
        ["edge w", "ground", "ground", "ground"],
        ["edge w", "ground", "inner corner nw", "inner corner ne"],
        ["edge w", "ground", "inner corner sw", "inner corner se"],
    ]
    assert str(tiling) == picture("""
        ┌───────┐
        │·······│
        │·╭╮····│
        │·╰╯····│
        │·······│
        └───────┘
    """)


def test_thin_walls_have_ends_tees_crosses_and_pillars() -> None:
    level = uc.Level.parse("""
        ...........
        .###.#.#.#.
        .#...#.###.
        .###.#.#.#.
        ...#.#.....
        .#.#.#####.
        ...#.......
        .########..
        ...#.......
    """)
    assert str(autotile(level, "walls", outside="floor")) == picture("""
        ···········
        ·╔═╴·╷·╷·╷·
        ·║···║·├═┤·
        ·╚═╗·║·╵·╵·
        ···║·║·····
        ·▪·║·╚═══╴·
        ···║·······
        ·╶═┼════╴··
        ···╵·······
    """)


def test_a_secret_door_looks_like_wall_and_a_door_does_not() -> None:
    level = uc.Level.parse("""
        ######
        #....#
        #S#+##
        #....#
        ######
    """)
    assert str(autotile(level, "walls")) == picture("""
        ┌────┐
        │····│
        ├═╴·╶┤
        │····│
        └────┘
    """)
    assert str(autotile(level, "walls", joins={"secret": "ground", "door": "wall"})) == picture("""
        ┌────┐
        │····│
        │·╶══┤
        │····│
        └────┘
    """)


# ------------------------------------------------------------------------------------------------------------ who joins


def test_every_role_has_a_group() -> None:
    assert JOINS.keys() == ROLES.keys()
    assert set(JOINS.values()) == {"wall", "ground", "water", "pit"}


def test_joins_move_a_role_to_another_group_and_leave_the_rest() -> None:
    level = uc.Level.parse("""
        ...
        #+#
        ~.:
    """)
    usual = autotile(level, "edges", outside="floor")
    assert usual.index[1].tolist() == [0, 1 + 4, 0]
    framed = autotile(level, "edges", outside="floor", joins={"door": "wall"})
    assert framed.index[1].tolist() == [2, 2 + 8, 8]
    assert framed.cells("wall").tolist() == [[False] * 3, [True] * 3, [False] * 3]
    lake = autotile(level, "edges", outside="floor", joins={"water": "low", "pit": "low", "floor": "low"})
    assert lake.groups == ("wall", "low", "ground")
    assert lake.index[2].tolist() == [4 + 2 + 8, 4 + 2 + 8, 4 + 2 + 8]


def test_water_joins_water_and_no_pit() -> None:
    level = uc.Level.parse("""
        ~~:
        ~~:
    """)
    assert autotile(level, "edges").index.tolist() == [[2 + 4, 4 + 8, 4], [1 + 2, 1 + 8, 1]]
    assert autotile(level, "edges", outside="water").index.tolist() == [[15, 15 - 2, 4], [15, 15 - 2, 1]]


def test_a_role_that_we_do_not_know_joins_its_like() -> None:
    lava = uc.Tile("lava", "lava", "^", "^", "#ff0000", walkable=False, opaque=False)
    palette = uc.Palette([*uc.STANDARD.tiles, lava])
    tiling = autotile(uc.Level.parse("^^.", palette), "edges")
    assert tiling.index.tolist() == [[2, 8, 0]]
    assert tiling.groups[-1] == "lava"


# ---------------------------------------------------------------------------------------------------- turns and mirrors


@given(maps(), st.sampled_from(sorted(TILING_KINDS)), st.integers(0, 7))
def test_a_turned_map_has_turned_pieces(level: uc.Level, kind: str, way: int) -> None:
    def moved(grid: NDArray[Any]) -> NDArray[Any]:
        return np.rot90(np.fliplr(grid) if way & 4 else grid, -(way & 3))

    before = autotile(level, kind)
    after = autotile(uc.Level(np.ascontiguousarray(moved(level.tiles))), kind)
    assert np.array_equal(after.sprite, moved(before.sprite))
    becomes = [
        build_tables(kind).table[turned(piece.mask, way)] if piece.masks else piece.index for piece in before.pieces
    ]
    assert np.array_equal(after.index, np.array(becomes)[moved(before.index)])


@pytest.mark.parametrize(("kind", "sprites"), [("edges", 6), ("corners", 6), ("blob", 14), ("walls", 11)])
def test_few_sprites_make_all_pieces(kind: str, sprites: int) -> None:
    assert {piece.sprite for piece in pieces(kind)} == set(range(sprites))
    first = {piece.sprite: piece for piece in reversed(pieces(kind))}
    for piece in pieces(kind):
        drawing = first[piece.sprite]
        assert (drawing.rotation, drawing.mirror) == (0, False)
        assert (
            not piece.masks
            or build_tables(kind).table[turned(drawing.mask, piece.rotation + 4 * piece.mirror)] == piece.index
        )
        # Every way in which the sprite becomes the piece is there, and each as often.
        right = [
            way
            for way in range(8)
            if not piece.masks or build_tables(kind).table[turned(drawing.mask, way)] == piece.index
        ]
        throws = build_tables(kind).turns[piece.index * 8 : piece.index * 8 + 8].tolist()
        assert sorted(throws) == sorted(right * (8 // len(right)))


def test_a_sprite_that_is_laid_as_told_shows_the_piece() -> None:
    def drawing(mask: int) -> NDArray[np.bool_]:
        """A picture of 3x3 pixels with the neighbours that join."""
        grid = np.zeros((3, 3), bool)
        for bit, (x, y) in enumerate(STEPS):
            grid[1 + y, 1 + x] = mask >> bit & 1
        return grid

    tiling = autotile(soup(5, 60, 50), "blob")
    sprites = {piece.sprite: drawing(piece.mask) for piece in reversed(tiling.pieces)}
    for y, x in np.ndindex(tiling.index.shape):
        wanted = drawing(tiling.pieces[tiling.index[y, x]].mask)
        sprite = sprites[int(tiling.sprite[y, x])]
        mirrored = np.fliplr(sprite) if tiling.mirror[y, x] else sprite
        assert np.array_equal(np.rot90(mirrored, -int(tiling.rotation[y, x])), wanted)
        flips = tiling.flips[y, x]
        flipped = sprite.T if flips & 4 else sprite
        flipped = np.fliplr(flipped) if flips & 1 else flipped
        flipped = np.flipud(flipped) if flips & 2 else flipped
        assert np.array_equal(flipped, wanted)
    assert (
        len({(int(turn), bool(mirror)) for turn, mirror in zip(tiling.rotation.flat, tiling.mirror.flat, strict=True)})
        == 8
    )


# --------------------------------------------------------------------------------------------------------------- chance

FIELD = uc.Level(np.full((300, 400), uc.STANDARD["floor"], np.uint8))
CELLS = FIELD.tiles.size


def far(counts: NDArray[Any], chances: NDArray[Any]) -> float:
    """By how many standard deviations the worst count is off."""
    return float(np.abs((counts - CELLS * chances) / np.sqrt(CELLS * chances * (1 - chances))).max())


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("shares", [(0.1, 0.1, 0.1), (0.5,), (0.02, 0.3, 0.05, 0.11), (0.25, 0.25, 0.25, 0.25)])
def test_looks_come_as_often_as_their_shares(seed: int, shares: tuple[float, ...]) -> None:
    counts = np.bincount(autotile(FIELD, seed=seed, shares=shares).variant.reshape(-1), minlength=len(shares) + 1)
    chances = np.array([1 - sum(shares), *shares])
    assert counts[chances == 0].sum() == 0
    assert far(counts[chances > 0], chances[chances > 0]) < 4.5


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["blob", "walls"])
def test_a_floor_lies_in_all_four_turns_equally_often_whatever_its_look(seed: int, kind: str) -> None:
    tiling = autotile(FIELD, kind, outside="floor", seed=seed)
    assert far(np.bincount(tiling.rotation.reshape(-1), minlength=4), np.full(4, 0.25)) < 4.5
    assert far(np.bincount(tiling.mirror.reshape(-1), minlength=2), np.full(2, 0.5)) < 4.5
    together = tiling.variant * 8 + tiling.rotation * 2 + tiling.mirror
    assert far(np.bincount(together.reshape(-1), minlength=32), np.repeat([0.7, 0.1, 0.1, 0.1], 8) / 8) < 4.5


@pytest.mark.parametrize("seed", range(8))
def test_a_throw_says_nothing_of_the_next(seed: int) -> None:
    tiling = autotile(FIELD, outside="floor", seed=seed)
    for grid, looks in ((tiling.variant > 0, 2), (tiling.rotation, 4)):
        for apart in ((0, 1), (1, 0), (1, 1), (1, -1), (0, 2), (0, 16), (64, 0)):
            both = grid * looks + np.roll(grid, apart, (0, 1))
            share = np.bincount(grid.reshape(-1)) / CELLS
            assert far(np.bincount(both.reshape(-1), minlength=looks * looks), np.outer(share, share).reshape(-1)) < 5


def test_dice_use_all_bits() -> None:
    throws = CellRandom(Rng.root(3).stream("dice"), 400, 300).rows(0, 300).reshape(-1)
    assert far(np.array([np.count_nonzero(throws >> bit & 1) for bit in range(32)]), np.full(32, 0.5)) < 4.5
    assert CELLS - len(np.unique(throws)) < 20  # 1.7 pairs are expected


def test_chance_is_the_same_everywhere() -> None:
    # What these were is what they have to stay: pictures and files depend on them.
    assert CellRandom(Rng.root(7).stream("autotile"), 3, 2).rows(0, 2).tolist() == [
        [399125513, 1389203669, 1978171564],
        [1174184034, 3351113059, 2073354606],
    ]
    tiling = autotile(uc.Level(np.full((2, 24), uc.STANDARD["wall"], np.uint8)), "walls", seed=7)
    assert ["".join(map(str, row)) for row in tiling.variant.tolist()] == [
        "100100120210000121300023",
        "300000100300320000021000",
    ]
    assert ["".join(map(str, row)) for row in (tiling.rotation + 4 * tiling.mirror).tolist()] == [
        "154334721336023405547627",
        "236765302056050311256117",
    ]


@given(maps(), st.data(), st.sampled_from(sorted(TILING_KINDS)))
def test_a_change_of_one_cell_is_seen_next_to_it_only(level: uc.Level, data: st.DataObject, kind: str) -> None:
    x, y = data.draw(st.integers(0, level.width - 1)), data.draw(st.integers(0, level.height - 1))
    tiles = level.tiles.copy()
    tiles[y, x] = uc.STANDARD[data.draw(st.sampled_from("#.~"))]
    before, after = autotile(level, kind), autotile(uc.Level(tiles), kind)
    near = np.zeros(before.index.shape, bool)
    near[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2] = (
        True  # of points between cells too: the four around it are among these
    )
    for name in ("mask", "index", "sprite", "rotation", "mirror", "flips"):
        changed = getattr(before, name) != getattr(after, name)
        assert not (changed & ~near).any(), name
    assert np.array_equal(before.variant, after.variant)


@given(maps(), st.integers(0, 5), st.integers(0, 5))
def test_looks_stay_when_the_map_grows(level: uc.Level, right: int, down: int) -> None:
    larger = autotile(uc.Level(np.pad(level.tiles, ((0, down), (0, right)))), "walls", seed="moss")
    assert np.array_equal(larger.variant[: level.height, : level.width], autotile(level, "blob", seed="moss").variant)


def test_another_seed_gives_other_looks_and_the_same_pieces() -> None:
    level = soup(1, 40, 40)
    one, other = (autotile(level, seed=seed) for seed in (1, 2))
    assert np.array_equal(one.index, other.index)
    assert not np.array_equal(one.variant, other.variant)
    assert not np.array_equal(one.rotation, other.rotation)
    assert np.array_equal(one.variant, autotile(level, seed="1").variant)


def test_no_shares_no_looks() -> None:
    assert not autotile(FIELD, shares=()).variant.any()
    assert autotile(FIELD, shares=(0, 1)).variant.min() == 2
    assert autotile(FIELD, shares=[1 / 31] * 31).variant.max() == 31


# ------------------------------------------------------------------------------------------------------------- the rest

MISTAKES: list[tuple[str, str, dict[str, Any]]] = [
    ("unknown kind of tiling 'blobs'", "did you mean 'blob'?", {"kind": "blobs"}),
    ("unknown role 'doors'", "did you mean 'door'?", {"joins": {"doors": "wall"}}),
    ("'door' joins a group, which is a name, not 3", "{'door': 'wall'}", {"joins": {"door": 3}}),
    ("unknown role 'walls'", "did you mean 'wall'?", {"outside": "walls"}),
    ("unknown group 'floor'", "ground", {"kind": "corners", "of": "floor"}),
    ("shares are numbers from 0 to 1", "leaves 0.8", {"shares": (0.6, 0.6)}),
    ("shares are numbers from 0 to 1", "leaves 0.8", {"shares": (-0.1,)}),
    ("shares are numbers from 0 to 1", "leaves 0.8", {"shares": (float("nan"),)}),
    ("shares are numbers from 0 to 1", "leaves 0.8", {"shares": 0.1}),
    ("shares are numbers from 0 to 1", "leaves 0.8", {"shares": ("some",)}),
    ("32 shares are too many", "at most 31", {"shares": [0.01] * 32}),
    ("a seed is a whole number", "", {"seed": -1}),
]


@pytest.mark.parametrize(("problem", "fix", "arguments"), MISTAKES)
def test_a_mistake_is_a_sentence(problem: str, fix: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(uc.BadInput) as caught:
        autotile(FIELD, **arguments)
    assert caught.value.problem.startswith(problem)
    assert fix in caught.value.fix


def test_a_group_that_is_not_there() -> None:
    with pytest.raises(uc.BadInput, match="unknown group 'lava'"):
        autotile(FIELD).cells("lava")


def test_grids_cannot_be_written() -> None:
    for kind in TILING_KINDS:
        tiling = autotile(FIELD, kind)
        for name in ("mask", "index", "group", "variant", "sprite", "rotation", "mirror", "flips"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(tiling, name)[0, 0] = 0
        with pytest.raises(AttributeError):
            tiling.kind = "blob"  # type: ignore[misc]
    assert repr(autotile(FIELD, "corners")) == "<Tiling corners 401x301>"


def test_it_is_public_and_imported_late() -> None:
    assert uc.autotile is autotile
    code = (
        "import sys, undercroft as uc; name = 'undercroft.draw.autotile.pieces'; early = name in sys.modules; "
        "uc.autotile; print(early, name in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
