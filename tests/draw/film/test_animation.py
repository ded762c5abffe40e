"""Animations, read back with Pillow, which wrote none of the frames."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

import undercroft as uc
from support.maps import HEAVY
from support.paths import ROOT
from undercroft import limits
from undercroft.cli import run
from undercroft.core.palette import STANDARD, Palette, Tile
from undercroft.core.timeline import Timeline
from undercroft.draw.film import captions
from undercroft.draw.film.animation import (
    DEFAULT_FRAMES,
    FIRST_HOLD_MS,
    GLOW_FRAMES,
    LAST_HOLD_MS,
    PILLOW_FORMATS,
    animation,
    build_captions,
    choose_turns,
    detect_animation_kind,
    fit_frames,
    still,
)
from undercroft.draw.film.cell_sprites import (
    BURIED_SHARE,
    GLOW_COLOUR,
    GROUND,
    MIN_DETAIL_PIXELS,
    CellLook,
    CellSprites,
)
from undercroft.draw.scene.colour import rgb
from undercroft.recipe.catalogue import names
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE
from undercroft.rewrite.text import expectations, parse

Grid = NDArray[np.uint8]
EXAMPLE = ROOT / "examples" / "warren.rules"
LETTERS = Palette(
    [
        Tile(sign, "floor", sign, sign, colour, walkable=True, opaque=False)
        for sign, colour in (("B", "#000000"), ("W", "#fff1e8"))
    ],
    "letters",
)


def timeline_of(*maps: Grid | list[list[int]]) -> Timeline:
    timeline = Timeline()
    for tiles in maps:
        timeline("dig", np.array(tiles, np.uint8))
    return timeline


def random_timeline(width: int, height: int, turns: int, number: int = 1) -> Timeline:
    """Rock in which a random cell is dug or filled in every turn, told as a log."""
    chance = np.random.default_rng(number)
    tiles = np.ones((height, width), np.uint8)
    timeline = timeline_of(tiles)
    cells = chance.integers(0, tiles.size, turns).astype(np.int32)
    seen: dict[int, int] = {}
    old, new = np.ones(turns, np.uint8), np.ones(turns, np.uint8)
    for turn, cell in enumerate(cells.tolist()):
        old[turn] = seen.get(cell, 1)
        new[turn] = seen[cell] = 3 - old[turn]
    timeline.log(["dig"], np.zeros(turns, np.int32), np.arange(1, turns + 1), cells, old, new)
    return timeline


class Film:
    """The frames and times of a file, as Pillow reads them."""

    def __init__(self, data: bytes) -> None:
        self.frames: list[Grid] = []
        self.times: list[int] = []
        with Image.open(io.BytesIO(data)) as image:
            self.format, self.loop = image.format, image.info.get("loop")
            for frame in range(getattr(image, "n_frames", 1)):
                image.seek(frame)
                self.frames.append(np.array(image.convert("RGB")))
                self.times.append(round(image.info.get("duration", 0)))

    @property
    def size(self) -> tuple[int, int]:
        return self.frames[0].shape[1], self.frames[0].shape[0]

    def map(self, frame: int, height: int, cell: int) -> Grid:
        """A frame without the strip below it."""
        return self.frames[frame][: height * cell + 2 * (cell // 2)]

    def strip(self, frame: int, height: int, cell: int) -> Grid:
        """What is below the map."""
        return self.frames[frame][height * cell + 2 * (cell // 2) :]

    def cells(self, frame: int, width: int, height: int, cell: int) -> list[list[tuple[int, int, int]]]:
        """The colour in the middle of each cell."""
        strip = max(0, self.size[1] - height * cell - 2 * (cell // 2))
        left, top = (self.size[0] - width * cell) // 2, (self.size[1] - strip - height * cell) // 2
        part = self.frames[frame][top + cell // 2 :: cell, left + cell // 2 :: cell][:height, :width]
        return [[(int(r), int(g), int(b)) for r, g, b in row] for row in part]


def colours(tiles: Grid, palette: Palette) -> list[list[tuple[int, int, int]]]:
    """The colour that each cell should have when nothing glows, found cell by cell."""
    height, width = tiles.shape

    def colour(x: int, y: int) -> tuple[int, int, int]:
        tile = palette.tiles[tiles[y, x]]
        own = rgb(tile.colour)
        around = [
            tiles[v, u]
            for v in range(max(0, y - 1), min(height, y + 2))
            for u in range(max(0, x - 1), min(width, x + 2))
        ]
        buried = tile.role == "wall" and all(palette.tiles[code].role in {"wall", "void"} for code in around)
        r, g, b = (
            (
                round(one * (1 - BURIED_SHARE) + other * BURIED_SHARE)
                for one, other in zip(own, rgb(GROUND), strict=True)
            )
            if buried
            else own
        )
        return r, g, b

    return [[colour(x, y) for x in range(width)] for y in range(height)]


@pytest.mark.parametrize("kind", ["gif", "webp", "png", "apng"])
def test_the_first_frame_is_the_start_and_the_last_the_end(kind: str) -> None:
    timeline = random_timeline(9, 6, 25)
    made = animation(timeline, STANDARD, kind, cell=8)
    film = Film(made.data)
    assert film.format == PILLOW_FORMATS[kind]
    assert film.loop == 0, "it goes round"
    assert film.size == (9 * 8 + 8, 6 * 8 + 8)
    assert len(film.frames) == made.frames == 26 + GLOW_FRAMES
    assert (made.turns, made.thinned) == (25, False)
    assert film.cells(0, 9, 6, 8) == colours(timeline.at(0), STANDARD)
    assert film.cells(-1, 9, 6, 8) == colours(timeline.at(25), STANDARD)


def test_every_turn_is_seen_and_what_is_new_glows_and_fades() -> None:
    timeline = random_timeline(9, 6, 40)
    film = Film(animation(timeline, STANDARD, "gif", cell=8).data)
    for turn in range(1, 41):
        now, plain = film.cells(turn, 9, 6, 8), colours(timeline.at(turn), STANDARD)
        changed = int(timeline.change(turn).cells[0])
        recent = {int(timeline.change(before).cells[0]) for before in range(max(1, turn - GLOW_FRAMES + 1), turn + 1)}
        for cell in range(54):
            y, x = divmod(cell, 9)
            if cell not in recent:
                assert now[y][x] == plain[y][x], (turn, x, y)
        y, x = divmod(changed, 9)
        if timeline.at(turn)[y, x] == 2:
            assert now[y][x] != plain[y][x]
            assert now[y][x][0] - now[y][x][2] > 100, "the glow is warm"
    for frame, later in pairwise(range(41, 41 + GLOW_FRAMES)):
        assert (film.frames[frame] != film.frames[later]).any(), "the last glow fades step by step"


@given(
    st.integers(0, 1000), st.integers(1, 12), st.integers(1, 12), st.integers(0, 30), st.sampled_from([1, 2, 5, 6, 9])
)
def test_all_kinds_show_the_same_pixels(number: int, width: int, height: int, turns: int, cell: int) -> None:
    timeline = random_timeline(width, height, turns, number)
    films = [Film(animation(timeline, STANDARD, kind, cell=cell).data) for kind in ("gif", "webp", "png")]
    for other in films[1:]:
        assert len(other.frames) == len(films[0].frames)
        assert all((one == two).all() for one, two in zip(films[0].frames, other.frames, strict=True))
    assert films[0].cells(-1, width, height, cell) == colours(timeline.at(timeline.turns - 1), STANDARD)


@pytest.mark.parametrize("kind", ["gif", "webp", "png"])
def test_the_same_timeline_gives_the_same_bytes(kind: str) -> None:
    first, second = (animation(random_timeline(20, 10, 300), STANDARD, kind, cell=6) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("kind", ["gif", "webp", "png"] if HEAVY else ["png"])
def test_a_hundred_thousand_turns_are_thinned_to_a_bounded_number_of_frames(kind: str) -> None:
    timeline = random_timeline(60, 40, 100_000)
    heard: list[tuple[int, int]] = []
    made = animation(timeline, STANDARD, kind, cell=4, progress=lambda done, total: heard.append((done, total)))
    assert DEFAULT_FRAMES // 2 < made.frames <= DEFAULT_FRAMES
    assert (made.turns, made.thinned) == (100_000, True)
    assert made.turns_per_frame == 100_000 / made.frames
    assert heard == [(done, len(heard)) for done in range(1, len(heard) + 1)]
    film = Film(made.data)
    assert film.cells(0, 60, 40, 4) == colours(timeline.at(0), STANDARD)
    assert film.cells(-1, 60, 40, 4) == colours(timeline.at(100_000), STANDARD)


@pytest.mark.parametrize("frames", [1, 2, 3, 5, 9, 25, 26, 27, 31, 32, 33, 60])
def test_never_more_frames_than_asked_for(frames: int) -> None:
    timeline = random_timeline(9, 6, 25)
    made = animation(timeline, STANDARD, "png", frames=frames, cell=6)
    film = Film(made.data)
    assert len(film.frames) == made.frames <= frames
    assert made.thinned == (frames < 26)
    assert film.cells(-1, 9, 6, 6) == colours(timeline.at(25), STANDARD)
    if frames > 1:
        assert film.cells(0, 9, 6, 6) == colours(timeline.at(0), STANDARD)


@pytest.mark.parametrize("frames", [20, 60])
def test_the_last_glow_fades_also_where_turns_are_left_out(frames: int) -> None:
    timeline = timeline_of(np.ones((10, 10), np.uint8))
    codes = np.ones(100, np.uint8)
    timeline.log(["dig"], np.zeros(100, np.int32), np.arange(1, 101), np.arange(100, dtype=np.int32), codes, codes + 1)
    film = Film(animation(timeline, STANDARD, "png", frames=frames, cell=6).data)
    wall = {
        colour for row in colours(timeline.at(0), STANDARD) + colours(timeline.at(1), STANDARD)[1:] for colour in row
    }
    dug = [sum(colour not in wall for row in film.cells(frame, 10, 10, 6) for colour in row) for frame in range(frames)]
    fading = min(GLOW_FRAMES, (frames - 1) // 4)
    assert dug.count(100) == 1 + fading
    assert dug[: frames - fading] == sorted(set(dug))
    assert all((one != other).any() for one, other in pairwise(film.frames[-1 - fading :]))


@given(st.lists(st.integers(0, 40), min_size=1, max_size=60), st.integers(1, 70))
def test_frames_are_spread_over_what_changed(counts: list[int], most: int) -> None:
    timeline = timeline_of(np.zeros((8, 5), np.uint8))
    ends = np.cumsum(counts)
    cells = np.concatenate([np.arange(count) for count in counts]).astype(np.int32)
    codes = np.zeros(len(cells), np.uint8)
    timeline.log(["dig"], np.zeros(len(counts), np.int32), ends, cells, codes, codes + 1)
    turns = choose_turns(timeline, most)
    assert turns == sorted(set(turns))
    assert len(turns) <= most
    assert turns[-1] == len(counts)
    assert turns[0] == 0 or most == 1
    if len(counts) < most:
        assert turns == list(range(len(counts) + 1))
    elif most > 2:
        share = max(1, ends[-1] / (most - 1))
        # what lies between two frames is at most a frame's share, the next turn itself aside
        for before, after in pairwise(turns):
            assert sum(min(count, share) for count in counts[before : after - 1]) <= 2 * share


ALL_THEN_ONE = (
    "all  grow, up to 4 times, turned\n    #. -> ##\none  dots, up to 3 times\n    . -> ,\nparallel  , -> +\n"
)


@pytest.mark.parametrize("guard", ["", ", keep count(door) <= 1"])
def test_an_all_is_one_turn_of_a_film(guard: str) -> None:
    start = np.full((12, 12), STANDARD["."], np.uint8)
    start[6, 6] = STANDARD["#"]
    rules, timeline = uc.Rules.parse(ALL_THEN_ONE.replace("-> +", f"-> +{guard}"), "x.rules"), Timeline()
    level = rules.apply(uc.Level(start, STANDARD), 2, watcher=timeline)
    turns = timeline.frame_turns().tolist()
    assert len(turns) == 1 + 4 + 3 + 1, "the start, four turns of all, three of one, one of parallel"
    assert timeline.turns > len(turns) + 5, "the timeline holds every rewrite"
    assert [timeline.sources[turn] for turn in turns[1:]] == [*["x: grow"] * 4, *["x: dots"] * 3, "x: parallel 3"]
    # the state after each turn of the engine
    states = [start, *(rules.apply(uc.Level(start, STANDARD), 2, steps=up_to).tiles for up_to in range(1, 8))]
    assert all(np.array_equal(timeline.at(turn), state) for turn, state in zip(turns, states, strict=False))
    assert choose_turns(timeline, 99) == turns
    assert set(choose_turns(timeline, 5)) <= set(turns)
    film = animation(timeline, level, "gif", frames=99, caption=False)
    assert (film.turns, film.thinned) == (8, False)
    captions = build_captions(timeline, turns, [])
    assert [caption.note for caption in captions[:3]] == ["", "grow · turn 1 of 8", "grow · turn 2 of 8"]
    assert captions[-1].share == 1


def test_turns_of_one_cell_get_frames_beside_turns_that_change_everything() -> None:
    timeline = timeline_of(np.zeros((20, 20), np.uint8))
    for turn in range(400):
        tiles = np.zeros((20, 20), np.uint8)
        tiles.reshape(-1)[: turn + 1] = 1
        timeline("dig", tiles)
    for code in (2, 3, 4, 5):
        timeline("paint", np.full((20, 20), code, np.uint8))
    turns = choose_turns(timeline, 101)
    assert len(turns) > 95
    assert sum(turn <= 400 for turn in turns) > 90


def test_times() -> None:
    short, long = (
        Film(animation(random_timeline(5, 5, 20), STANDARD).data),
        Film(animation(random_timeline(5, 5, 5000), STANDARD).data),
    )
    assert short.times[0] == short.times[1] + FIRST_HOLD_MS
    assert short.times[-1] == short.times[1] + LAST_HOLD_MS
    assert set(short.times[1:-1]) == {160}
    assert set(long.times[1:-1]) == {40}
    for kind in ("gif", "webp", "png"):
        asked = Film(animation(random_timeline(5, 5, 5000), STANDARD, kind, seconds=3).data)
        assert 2.5 < (sum(asked.times) - FIRST_HOLD_MS - LAST_HOLD_MS) / 1000 < 3.2
        slower = Film(animation(random_timeline(5, 5, 5000), STANDARD, kind, seconds=13).data)
        assert {time % 10 for time in slower.times} == {0}, "a GIF counts in hundredths"
    hurried = animation(random_timeline(5, 5, 5000), STANDARD, seconds=0.5)
    assert hurried.frames <= 25
    assert min(Film(hurried.data).times) >= 20, "shorter frames are slowed down by those who show them"


@pytest.mark.parametrize("kind", ["gif", "webp", "png"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1)])
def test_odd_sizes_and_nothing_that_moves(shape: tuple[int, int], kind: str) -> None:
    still = Film(animation(timeline_of(np.full(shape, 2)), STANDARD, kind, cell=4).data)
    assert len(still.frames) == 1
    assert still.cells(0, shape[1], shape[0], 4) == [[rgb("#d8c9a8")] * shape[1]] * shape[0]
    moving = Film(animation(timeline_of(np.full(shape, 2), np.full(shape, 4)), STANDARD, kind, cell=4).data)
    assert moving.cells(-1, shape[1], shape[0], 4) == [[rgb("#c77b30")] * shape[1]] * shape[0]


def test_a_map_that_gets_another_size_stands_in_the_middle() -> None:
    """As large as it fits: one row of three cells is not drawn larger, one cell is."""
    floor, ground = rgb("#d8c9a8"), rgb(GROUND)
    timeline = timeline_of([[2]], [[2, 2, 2], [2, 4, 2], [2, 2, 2]], [[2, 2, 2], [2, 2, 2], [2, 2, 2]])
    film = Film(animation(timeline, STANDARD, cell=4).data)
    assert film.size == (16, 16)
    assert film.cells(0, 3, 3, 4) == [[floor] * 3] * 3
    row = Film(animation(timeline_of([[2, 2, 2]], [[2, 2, 2], [2, 4, 2], [2, 2, 2]]), STANDARD, cell=4).data)
    assert row.cells(0, 3, 3, 4) == [[ground] * 3, [floor] * 3, [ground] * 3]
    assert film.cells(1, 3, 3, 4) == colours(timeline.at(1), STANDARD), "another map does not glow"


def test_codes_may_mean_something_else_later() -> None:
    timeline = Timeline()
    timeline.codes_mean(STANDARD)
    timeline("begin", np.full((3, 9), 2, np.uint8))
    timeline.codes_mean(LETTERS)
    timeline("rules", np.zeros((3, 9), np.uint8))
    timeline("rules", np.eye(3, 9, dtype=np.uint8))
    film = Film(animation(timeline, LETTERS, cell=4).data)
    assert film.cells(0, 9, 3, 4) == colours(timeline.at(0), STANDARD)
    assert film.cells(1, 9, 3, 4) == colours(timeline.at(1), LETTERS)
    assert film.cells(-1, 9, 3, 4) == colours(timeline.at(2), LETTERS)


def test_the_same_tile_under_another_code_does_not_glow() -> None:
    timeline = Timeline()
    timeline.codes_mean(LETTERS)
    timeline("begin", np.zeros((1, 9), np.uint8))
    swapped = Palette(LETTERS.tiles[::-1], "letters")
    timeline.codes_mean(swapped)
    timeline("recode", np.array([[1] * 8 + [0]], np.uint8))
    film = Film(animation(timeline, swapped, cell=4).data)
    assert film.cells(1, 9, 1, 4)[0][:8] == [rgb("#000000")] * 8
    assert film.cells(1, 9, 1, 4)[0][8] != rgb("#fff1e8")


def test_codes_beyond_the_palette_are_grey() -> None:
    film = Film(animation(timeline_of([[0, 1]], [[0, 200]]), LETTERS, cell=4).data)
    assert film.cells(-1, 2, 1, 4) == [[rgb("#000000"), rgb("#888888")]]


@pytest.mark.parametrize("count", [60, 130, 200, 254, 255])
def test_palettes_of_many_colours_are_exact_whatever_has_to_go_for_it(count: int) -> None:
    signs = [chr(0x4E00 + number) for number in range(count)]
    roles = ["floor", "wall"] * 128
    palette = Palette(
        [
            Tile(sign, roles[number], sign, sign, f"#{40 + number // 2:02x}{number:02x}80", walkable=True, opaque=False)
            for number, sign in enumerate(signs)
        ]
    )
    tiles = np.arange(count, dtype=np.uint8).reshape(1, -1)
    timeline = timeline_of(tiles, tiles[:, ::-1].copy())
    for kind in ("gif", "webp", "png"):
        film = Film(animation(timeline, palette, kind, cell=MIN_DETAIL_PIXELS).data)
        assert film.cells(0, count, 1, MIN_DETAIL_PIXELS) == colours(tiles, palette)
        assert film.cells(-1, count, 1, MIN_DETAIL_PIXELS) == colours(tiles[:, ::-1], palette)


def test_colours_run_out_gently() -> None:
    tiles = [Tile(f"t{number}", "floor", "x", "x", f"#{number:02x}4080", True, False) for number in range(256)]
    looks = [CellLook(tile, tile.colour) for tile in tiles]
    assert CellSprites(looks[:10], 8, GLOW_FRAMES).glow == GLOW_FRAMES
    some = CellSprites(looks[:40], 8, GLOW_FRAMES)
    assert 0 < some.glow < GLOW_FRAMES
    assert len(some.table) <= 255
    assert CellSprites(looks[:200], 8, GLOW_FRAMES).glow == 0
    assert len(CellSprites(looks[:255], 8, GLOW_FRAMES).table) == 256
    assert len(CellSprites(looks[:255], 8, GLOW_FRAMES, captions.list_strip_colours()).table) == 256, (
        "a strip must do with the colours there are"
    )


def test_passages_are_drawn_with_their_ends() -> None:
    """╔ opens to the right and down, and nowhere else."""
    cell = 12
    film = Film(animation(timeline_of(np.full((1, 1), GRAMMAR_PALETTE["7"])), GRAMMAR_PALETTE, cell=cell).data)
    square = film.frames[0][6:-6, 6:-6]
    stone, ground = rgb(GRAMMAR_PALETTE.tiles[GRAMMAR_PALETTE["7"]].colour), rgb(GROUND)
    middle = cell // 2
    ends = {"up": (0, middle), "down": (-1, middle), "left": (middle, 0), "right": (middle, -1)}
    assert {side for side, at in ends.items() if tuple(square[at].tolist()) == stone} == {"down", "right"}
    assert {side for side, at in ends.items() if tuple(square[at].tolist()) == ground} == {"up", "left"}
    assert tuple(square[middle, middle].tolist()) == stone


def test_cells_have_lines_between_them_and_shadows_below_walls() -> None:
    film = Film(animation(timeline_of([[1, 1], [2, 2], [2, 2]]), STANDARD, cell=8).data)
    square = film.frames[0][4:-4, 4:-4].astype(int).sum(axis=2)
    floor, edge = square[12, 3], square[15, 3]
    assert edge < floor
    assert (square[8:10, :8] == edge).all(), "a wall throws a shadow"
    assert (square[16:18, :7] == floor).all(), "a floor does not"
    small = Film(animation(timeline_of([[1, 1], [2, 2], [2, 2]]), STANDARD, cell=MIN_DETAIL_PIXELS - 1).data)
    assert len({tuple(colour) for colour in small.frames[0].reshape(-1, 3).tolist()}) == 3, (
        "small cells are plain squares"
    )


@pytest.mark.parametrize(
    ("size", "wanted"),
    [
        ((81, 31), (240, 9)),
        ((3, 3), (240, 24)),
        ((400, 300), (240, 2)),
        ((700, 700), (240, 1)),
        ((1000, 1000), (120, 1)),
        ((2000, 1000), (60, 1)),
    ],
)
def test_frames_and_pixels_that_suit_a_size(size: tuple[int, int], wanted: tuple[int, int]) -> None:
    assert fit_frames(*size) == wanted


# ---- signs, the ending, the strip


def test_doors_stand_across_the_way_and_signs_have_their_tiles_colours() -> None:
    level = uc.Level.parse("""
        #####
        #.+.#
        ##+##
        #o.<#
        #####
    """)
    film = np.asarray(still(level, 12).convert("RGB"))[6:-6, 6:-6]
    floor, door = rgb("#d8c9a8"), rgb("#c77b30")

    def square(x: int, y: int) -> Grid:
        return film[12 * y : 12 * y + 12, 12 * x : 12 * x + 12]

    east, south = square(2, 1), square(2, 2)
    assert tuple(east[6, 6]) == tuple(south[6, 6]) == door
    assert tuple(east[1, 6]) == door != tuple(east[6, 1]), "one walks from west to east: the leaf stands upright"
    assert tuple(south[6, 1]) == door != tuple(south[1, 6])
    assert tuple(square(1, 3)[6, 6]) == rgb("#8a8f9d")
    assert tuple(square(1, 3)[9, 1]) == floor, "a pillar stands on the floor"
    assert (square(3, 3) == rgb("#3cf0a6")).all(axis=2).any()


@pytest.mark.parametrize("recipe", sorted(names()))
@pytest.mark.parametrize("kind", ["gif", *(pytest.param(kind, marks=pytest.mark.long) for kind in ("webp", "apng"))])
def test_the_last_frame_is_the_finished_level(recipe: str, kind: str) -> None:
    timeline = Timeline()
    level = uc.generate(recipe, seed=5, watcher=timeline)
    for frames in (1, 2, 9):
        made = animation(timeline, level, kind, frames=frames, cell=6, caption=False)
        film = Film(made.data)
        assert len(film.frames) == made.frames <= frames
        assert (film.frames[-1] == np.asarray(still(level, 6).convert("RGB"))).all()
        if frames > 1 and len(timeline.sizes()) == 1:
            assert film.cells(0, *level.size, 6) == colours(timeline.at(0), STANDARD)


def test_things_appear_and_the_way_is_walked_in_the_end() -> None:
    timeline = Timeline()
    level = uc.generate("cozy", seed=3, watcher=timeline)
    assert len(level.things) > 20
    assert len(level.path) > 50
    film = Film(animation(timeline, level, "webp", cell=6).data)
    whole = np.asarray(still(level, 6).convert("RGB"))
    bare = np.asarray(still(uc.Level(level.tiles, level.palette), 6).convert("RGB"))
    signs = (whole != bare).any(axis=2)
    seen = [int((film.map(frame, 60, 6) == whole).all(axis=2)[signs].sum()) for frame in range(-40, 0)]
    assert seen[-1] == signs.sum()
    assert len(set(seen)) > 20, "little by little"
    assert seen[0] == 0, "and only when the tiles are there"
    plain = animation(timeline, level.palette, "webp", frames=2, cell=6)
    assert (Film(plain.data).map(-1, 60, 6) == bare).all(), "without the level there is nothing to add"


def test_a_level_of_another_size_than_the_last_turn_adds_nothing() -> None:
    timeline = timeline_of([[1, 1, 1]], [[1, 2, 1]])
    level = uc.Level.parse("#<.>#")
    assert animation(timeline, level, cell=4).data == animation(timeline, level.palette, cell=4).data


def test_the_strip_names_the_step_and_grows() -> None:
    timeline = Timeline()
    level = uc.generate("rooms-and-mazes", seed=3, size=(61, 31), watcher=timeline)
    film = Film(animation(timeline, level, "png", cell=8).data)
    assert film.size == (61 * 8 + 8, 31 * 8 + 8 + captions.strip_height(61 * 8 + 8))
    grown = [
        int((film.strip(frame, 31, 8)[0] == rgb(GLOW_COLOUR)).all(axis=1).sum()) for frame in range(len(film.frames))
    ]
    assert grown == sorted(grown)
    assert (grown[0], grown[-1]) == (0, film.size[0])
    words = {film.strip(frame, 31, 8)[captions.PROGRESS_LINE_PIXELS :].tobytes() for frame in range(len(film.frames))}
    steps = {source.partition(":")[0] for source in timeline.sources}
    assert len(words) >= len(steps), "each step has words of its own"
    assert all((film.strip(frame, 31, 8) == rgb(captions.TEXT)).all(axis=2).any() for frame in range(len(film.frames)))


@pytest.mark.parametrize(
    ("cells", "asked", "has"), [(23, None, False), (30, None, True), (30, False, False), (10, True, True)]
)
def test_pictures_that_are_wide_enough_have_a_strip(cells: int, asked: bool | None, has: bool) -> None:
    film = Film(animation(random_timeline(cells, 20, 9), STANDARD, cell=8, caption=asked).data)
    assert (film.size[1] > 20 * 8 + 8) == has
    assert film.cells(-1, cells, 20, 8) == colours(random_timeline(cells, 20, 9).at(9), STANDARD)


@pytest.mark.parametrize(
    "source",
    [
        "dig",
        "a step with a very long name that nobody could ever read in a film: and a rule of that length",
        "",
        "é × ✓",
    ],
)
@pytest.mark.parametrize("width", [10, 200, 700])
def test_any_words_fit_into_the_strip(source: str, width: int) -> None:
    sprites = CellSprites(
        [CellLook(tile, tile.colour) for tile in STANDARD.tiles], 8, GLOW_FRAMES, captions.list_strip_colours()
    )
    step, _, rule = source.partition(": ")
    page = captions.render_strip(captions.Caption(step, rule, 0.5), "cave · seed 3", width, sprites)
    assert page.shape == (captions.strip_height(width), width)
    long = captions.render_strip(captions.Caption(step, rule, 0.5), "cave " * 100, width, sprites)
    assert (captions.render_strip(captions.Caption(step, rule, 0.5), "", width, sprites) == long).all(), (
        "what there is no room for is left out"
    )


def chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """The parts of a PNG, by its own rules: a length, a name, the data, a check sum."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, found = 8, []
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        name, part = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert zlib.crc32(name + part) == int.from_bytes(data[at + 8 + length : at + 12 + length], "big")
        found.append((name, part))
        at += 12 + length
    return found


@pytest.mark.parametrize("kind", ["png", "apng"])
def test_an_animated_png_says_how_many_frames_it_has_and_how_long_each_stands(kind: str) -> None:
    timeline = Timeline()
    level = uc.generate("cave", seed=2, size=(40, 20), watcher=timeline)
    made = animation(timeline, level, kind, cell=4)
    parts = chunks(made.data)
    assert parts[0][0] == b"IHDR"
    assert parts[-1] == (b"IEND", b"")
    control = [part for name, part in parts if name == b"acTL"]
    frames = [part for name, part in parts if name == b"fcTL"]
    assert [(int.from_bytes(part[:4], "big"), int.from_bytes(part[4:8], "big")) for part in control] == [
        (made.frames, 0)
    ], "so many frames, for ever"
    assert len(frames) == made.frames
    times = [
        1000 * int.from_bytes(part[20:22], "big") // (int.from_bytes(part[22:24], "big") or 100) for part in frames
    ]
    film = Film(made.data)
    assert times == film.times
    assert times[0] >= FIRST_HOLD_MS
    assert times[-1] >= LAST_HOLD_MS
    numbers = [int.from_bytes(part[:4], "big") for name, part in parts if name in (b"fcTL", b"fdAT")]
    assert numbers == list(range(len(numbers))), "frames are in order"
    assert made.data == animation(timeline, level, "png", cell=4).data


@pytest.mark.parametrize("kind", ["gif", "webp", "apng"])
def test_files_keep_frames_and_times(kind: str) -> None:
    """A round trip: written, read with Pillow, written again by it, and read once more."""
    timeline = Timeline()
    level = uc.generate("bsp", seed=2, size=(40, 30), watcher=timeline)
    made = animation(timeline, level, kind, cell=4)
    film = Film(made.data)
    assert len(film.frames) == made.frames == len(film.times)
    again = io.BytesIO()
    images = [Image.fromarray(frame) for frame in film.frames]
    images[0].save(again, "PNG", save_all=True, append_images=images[1:], duration=film.times, loop=0)
    other = Film(again.getvalue())
    assert other.times == film.times
    assert all((one == two).all() for one, two in zip(film.frames, other.frames, strict=True))


TOO_MUCH: list[tuple[str, str, Callable[[], object]]] = [
    ("number of pixels of 24 frames of 4096x4096 cells, 1 pixel each,", "fewer frames", lambda: fit_frames(4096, 4096)),
    ("number of pixels of 2000 frames", "fewer frames", lambda: fit_frames(300, 300, frames=2000)),
    ("the longer side", "fewer pixels", lambda: fit_frames(20_000, 1)),
    ("the number of frames is 2,001", "fewer frames", lambda: fit_frames(3, 3, frames=2001)),
    ("the number of pixels of 240 frames", "fewer frames", lambda: fit_frames(100, 100, cell=100)),
    ("the number of frames is a whole number from 1, not 0", "240", lambda: fit_frames(3, 3, frames=0)),
    ("the number of frames is a whole number from 1, not 2.5", "240", lambda: fit_frames(3, 3, frames=2.5)),  # type: ignore[arg-type]
    ("the number of pixels a cell is a whole number from 1, not -1", "cell=8", lambda: fit_frames(3, 3, cell=-1)),
    ("more than 0 seconds", "ask for 10", lambda: fit_frames(3, 3, seconds=0)),
    ("more than 0 seconds", "ask for 10", lambda: fit_frames(3, 3, seconds=float("nan"))),
    ("at most an hour", "ask for 10", lambda: fit_frames(3, 3, seconds=1e9)),
    (
        "unknown kind of animation 'giff'",
        "did you mean 'gif'?",
        lambda: animation(timeline_of([[1]]), STANDARD, "giff"),
    ),
    ("the timeline has seen no map", "watcher=", lambda: animation(Timeline(), STANDARD)),
    (
        "a.tiff: unknown suffix '.tiff' of an animation",
        "one of .gif, .webp, .png, .apng",
        lambda: detect_animation_kind("a.tiff"),
    ),
    ("a: no suffix says which kind", "one of .gif", lambda: detect_animation_kind("a")),
]


@pytest.mark.parametrize(("problem", "fix", "ask"), TOO_MUCH, ids=[problem for problem, _, _ in TOO_MUCH])
def test_what_cannot_be_animated_is_refused_in_a_sentence(problem: str, fix: str, ask: Callable[[], object]) -> None:
    with pytest.raises(uc.BadInput) as caught:
        ask()
    assert problem in caught.value.problem
    assert fix in caught.value.fix


def test_a_side_that_the_smallest_format_allows() -> None:
    """WebP ends at 16,383 pixels."""
    longest = limits.ANIMATION_SIDE.value
    made = animation(timeline_of(np.full((1, longest), 2), np.full((1, longest), 1)), STANDARD, "webp", frames=2)
    assert Film(made.data).size == (longest, 1)
    with pytest.raises(uc.TooBig):
        fit_frames(limits.ANIMATION_SIDE.value + 1, 1)


# ---- the command line


class CommandOutput:
    """What a command said."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Say = Callable[..., CommandOutput]

MAZE = """
palette letters BWA
one  growth, in all positions
    WBB -> WAW
"""


@pytest.fixture
def say(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Run a command line in a folder of its own, which holds a maze."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "maze.rules").write_text(MAZE)
    (tmp_path / "start.txt").write_text("\n".join("B" * 21 if y != 1 else "BW" + "B" * 19 for y in range(11)))

    def call(*args: str) -> CommandOutput:
        capfdbinary.readouterr()
        code = run(list(args))
        out, err = capfdbinary.readouterr()
        return CommandOutput(code, out.decode(), err.decode())

    return call


@pytest.mark.parametrize("suffix", ["gif", "webp", "png"])
def test_rewriting_can_be_seen_and_watching_changes_nothing(say: Say, suffix: str) -> None:
    ask = ("rewrite", "maze.rules", "--on", "start.txt", "--seed", "3")
    plain, watched = say(*ask), say(*ask, "--animate", f"maze.{suffix}")
    assert (watched.code, watched.out, watched.err) == (0, plain.out, "")
    rules = uc.Rules.load("maze.rules")
    level = rules.parse_map(plain.out, "maze")
    film = Film(Path(f"maze.{suffix}").read_bytes())
    assert film.format == suffix.upper()
    assert len(film.frames) == 1 + np.count_nonzero(level.tiles == rules.program.palette["A"]) + GLOW_FRAMES, (
        "a frame for each rewrite"
    )
    assert film.cells(-1, 21, 11, 24) == colours(level.tiles, level.palette)
    start = rules.parse_map(Path("start.txt").read_text(), "start")
    assert film.cells(0, 21, 11, 24) == colours(start.tiles, start.palette)


def test_thinning_is_told(say: Say) -> None:
    said = say(
        "rewrite",
        "maze.rules",
        "--on",
        "start.txt",
        "--seed",
        "3",
        "--animate",
        "maze.gif",
        "--frames",
        "20",
        "-o",
        "maze.txt",
    )
    assert said.code == 0
    assert len(Film(Path("maze.gif").read_bytes()).frames) == 20
    assert said.err == "undercroft: note: 49 turns in 20 frames\n"
    assert said.out == ""
    assert Path("maze.txt").read_text().count("A") == 49


@pytest.mark.parametrize("recipe", ["cave", "rooms-and-mazes", "templates"])
def test_generating_can_be_seen_and_watching_changes_nothing(say: Say, recipe: str) -> None:
    ask = ("generate", recipe, "--seed", "3", "--size", "41x31", "-o", "-", "--format", "json")
    plain, watched = say(*ask), say(*ask, "--animate", "level.webp", "--frames", "20")
    assert watched.code == 0
    assert watched.out == plain.out
    assert "written to level.webp" in watched.err
    level = uc.generate(recipe, seed=3, size=(41, 31))
    film = Film(Path("level.webp").read_bytes())
    assert 10 < len(film.frames) <= 20
    assert (film.map(-1, 31, 19) == np.asarray(still(level, 19).convert("RGB"))).all()


def test_several_animations_are_written_at_once(say: Say) -> None:
    said = say(
        "generate",
        "cave",
        "--seed",
        "3",
        "--size",
        "30x20",
        "--frames",
        "9",
        "--animate",
        "a.webp",
        "--animate",
        "b.png",
        "--animate",
        "c.gif",
    )
    assert said.code == 0
    assert said.err.count("turns in 9 frames") == 1
    assert "written to a.webp, b.png, c.gif" in said.err
    timeline = Timeline()
    level = uc.generate("cave", seed=3, size=(30, 20), watcher=timeline)
    assert Path("b.png").read_bytes() == animation(timeline, level, "png", frames=9).data
    assert [len(Film(Path(name).read_bytes()).frames) for name in ("a.webp", "b.png", "c.gif")] == [9, 9, 9]


def test_only_the_attempt_that_counts_is_shown(say: Say) -> None:
    said = say(
        "generate",
        "cave",
        "--seed",
        "1",
        "--size",
        "30x20",
        "--until",
        "path_length >= 60",
        "--animate",
        "cave.png",
        "--frames",
        "30",
        "-o",
        "cave.json",
    )
    assert said.code == 0
    assert "attempt" in said.err
    level = uc.load("cave.json")
    timeline = Timeline()
    uc.generate("cave", seed=1, size=(30, 20), first_attempt=level.provenance["attempt"], watcher=timeline)
    assert Path("cave.png").read_bytes() == animation(timeline, level, "png", frames=30).data


def test_quiet_says_nothing_of_thinning(say: Say) -> None:
    said = say(
        "generate",
        "cave",
        "--seed",
        "1",
        "--size",
        "30x20",
        "--animate",
        "cave.gif",
        "--frames",
        "8",
        "-o",
        "cave.txt",
        "--quiet",
    )
    assert (said.code, said.out, said.err) == (0, "", "")
    assert (
        "turns in 8 frames"
        in say(
            "generate",
            "cave",
            "--seed",
            "1",
            "--size",
            "30x20",
            "--animate",
            "cave.gif",
            "--frames",
            "8",
            "-o",
            "cave.txt",
        ).err
    )


@pytest.mark.parametrize(
    "command", [["rewrite", "nowhere.rules"], ["generate", "nowhere.toml"]], ids=["rewrite", "generate"]
)
@pytest.mark.parametrize(
    ("problem", "fix", "args"),
    [
        ("a.mp4: unknown suffix '.mp4' of an animation", "one of .gif, .webp, .png", ["--animate", "a.mp4"]),
        ("-: no suffix says which kind of animation this is", "one of .gif", ["--animate", "-"]),
        ("--frames is about --animate", "--animate FILE.gif", ["--frames", "10"]),
        (
            "the number of frames is 5,000; the limit is 2,000",
            "fewer frames",
            ["--animate", "a.gif", "--frames", "5000"],
        ),
        ("a.png is asked for twice", "another name", ["--animate", "a.png", "-o", "a.png"]),
        ("a.gif is asked for twice", "name it once", ["--animate", "a.gif", "--animate", "a.gif"]),
        (
            "--frames is a whole number from 1, not '0'",
            "for example --frames 1",
            ["--animate", "a.png", "--frames", "0"],
        ),
    ],
)
def test_mistakes_are_told_before_any_work(
    say: Say, command: list[str], problem: str, fix: str, args: list[str]
) -> None:
    """The file that is not there would be missed later."""
    said = say(*command, *args)
    assert said.code == 2
    assert problem in said.err
    assert fix in said.err
    assert "nowhere" not in said.err
    assert not Path("a.png").exists()


def test_maps_that_are_too_large_are_refused_before_any_work(say: Say) -> None:
    said = say("generate", "cave", "--seed", "1", "--size", "4096x4096", "--animate", "cave.gif")
    assert said.code == 2
    assert "the number of pixels of 24 frames of 4096x4096 cells" in said.err
    assert "--frames N" in said.err
    said = say("rewrite", "maze.rules", "--size", "4096x4096", "--animate", "maze.gif")
    assert said.code == 2
    assert "the number of pixels of 24 frames of 4096x4096 cells" in said.err


def test_nothing_is_written_if_the_level_cannot_be_made(say: Say) -> None:
    Path("cave.gif").write_bytes(b"old")
    assert (
        say(
            "generate",
            "cave",
            "--seed",
            "1",
            "--size",
            "30x20",
            "--until",
            "loops >= 1000000",
            "--tries",
            "2",
            "--animate",
            "cave.gif",
        ).code
        == 1
    )
    assert Path("cave.gif").read_bytes() == b"old"


@pytest.mark.long
@pytest.mark.processes
def test_progress_on_a_terminal_and_none_in_a_pipe(tmp_path: Path) -> None:
    ask = [
        sys.executable,
        "-m",
        "undercroft",
        "generate",
        "cave",
        "--seed",
        "1",
        "--size",
        "60x40",
        "--animate",
        "cave.webp",
        "-o",
        "cave.txt",
    ]
    piped = subprocess.run(ask, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert "drawing" not in piped.stderr
    assert "writing" not in piped.stderr
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    process = subprocess.Popen(ask, stdin=follower, stdout=follower, stderr=follower, cwd=tmp_path, env=environment)
    os.close(follower)
    shown = b""
    try:
        while part := os.read(leader, 65536):
            shown += part
    except OSError:
        pass
    os.close(leader)
    assert process.wait() == 0
    assert b"drawing" in shown or b"writing" in shown


# ---- the example


def test_the_example_does_what_it_says() -> None:
    assert expectations.find_problems(parse.load(EXAMPLE)) == []


@pytest.mark.parametrize("seed", range(5))
def test_the_example_fills_a_map_with_rooms_that_hang_together(seed: int) -> None:
    rules, timeline = uc.Rules.load(EXAMPLE), Timeline()
    empty = uc.Level(np.zeros((30, 50), np.uint8), rules.program.palette)
    level = rules.apply(empty, seed, watcher=timeline)
    assert level == rules.apply(empty, seed)
    assert uc.measure(level, "components") == {"components": 1}
    assert (timeline.at(timeline.turns - 1) == level.tiles).all()
    doors = np.argwhere(level.tiles == level.palette["door"])
    assert len(doors) > 5
    for y, x in doors.tolist():
        assert 0 < y < 29, "no door leads out of the map"
        assert 0 < x < 49


def test_the_picture_of_the_example_moves() -> None:
    data = (EXAMPLE.parents[1] / "docs" / "pictures" / "warren.webp").read_bytes()
    assert len(data) < 300_000
    with Image.open(io.BytesIO(data)) as image:
        assert image.format == "WEBP"
        assert int(getattr(image, "n_frames", 1)) > 50


def test_codes_are_drawn_with_the_palette_of_their_time() -> None:
    timeline = Timeline()
    uc.generate("grammar", seed=1, watcher=timeline)
    assert [palette.name for _, palette in timeline.palettes] == ["standard", "grammar"]
    assert timeline.palettes[1][0] > 0
