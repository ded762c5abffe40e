"""The style `parchment`."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import undercroft as uc
from undercroft.core.level import Level
from undercroft.draw.pen.distance_field import SignedDistanceField
from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.scene import Shape
from undercroft.draw.scene.svg import svg
from undercroft.draw.styles.parchment import parchment
from undercroft.draw.styles.parchment.frame import ROSE_REACH, ParchmentSheet
from undercroft.draw.styles.parchment.parchment import FLOOR, INK, RED, WATER, wall_hachures
from undercroft.draw.styles.table import render_picture, render_vector, resolve_parts
from undercroft.draw.view.level_view import LevelView

ALL = resolve_parts("parchment")


def pixels(level: Level, cell: int = 16, **options: object) -> NDArray[np.int64]:
    return np.asarray(render_picture(level, "parchment", cell=cell, margin=0, **options)).astype(np.int64)  # type: ignore[arg-type]


def near(colour: NDArray[np.int64], wanted: str, slack: int = 120) -> bool:
    return int(np.abs(colour - rgb(wanted)).sum()) <= slack


def test_floor_rock_walls_and_water_can_be_told_apart() -> None:
    level = Level.parse("###########\n#.........#\n#.~~~.....#\n#.~~~.....#\n#.........#\n###########")
    found = pixels(level, hide=["grid"])
    assert near(found[3 * 16 + 8, 8 * 16 + 8], FLOOR)
    assert near(found[3 * 16, 3 * 16], WATER, 160)
    assert found[:, 16 - 2 : 16 + 3].sum(axis=2).min() < sum(rgb(INK)) + 120, "ink along the wall"
    assert found[3 * 16 + 8, 4].sum() < found[3 * 16 + 8, 8 * 16 + 8].sum(), "the wash makes rock darker than floor"


def test_the_way_is_red_and_ends_in_a_cross() -> None:
    level = uc.generate("rooms-and-mazes", seed=4, size=(31, 21))
    assert level.end is not None

    def red(image: NDArray[np.int64]) -> NDArray[np.bool_]:
        return (image[..., 0] - image[..., 1] > 70) & (image[..., 0] - image[..., 2] > 80)

    with_path, without = red(pixels(level, show=["path"])), red(pixels(level, hide=["path"]))
    assert with_path.sum() > without.sum() + 200
    x, y = level.end
    assert with_path[y * 16 : y * 16 + 16, x * 16 : x * 16 + 16].sum() > 20
    assert rgb(RED)[0] > 2 * rgb(RED)[1]


@pytest.mark.parametrize("seed", range(4))
def test_the_cross_stands_on_the_stair_that_was_moved_off_the_rock(seed: int) -> None:
    level = uc.generate("cave", seed=seed)
    stair = next(stair for stair in LevelView(level).stairs if (stair.x, stair.y) == level.end)
    assert stair.off != (0, 0)
    cross = next(
        item
        for item in render_vector(level, "parchment", margin=0).items
        if isinstance(item, Shape) and item.stroke == RED and len(item.lines) == 2
    )
    assert np.concatenate(cross.lines).mean(axis=0).tolist() == pytest.approx(stair.middle)


@pytest.mark.parametrize("recipe", ["cave", "cozy", "tinykeep"])
def test_hachures_stand_in_the_rock(recipe: str) -> None:
    level = uc.generate(recipe, seed=2)
    plan = LevelView(level)
    field = SignedDistanceField.of(plan.wall_outlines, level.width, level.height)
    strokes = np.array(wall_hachures(plan.wall_outlines, field, 5))
    assert len(strokes) > 200
    lengths = np.hypot(*(strokes[:, 1] - strokes[:, 0]).T)
    assert lengths.max() < 1
    assert (field.sample(strokes[:, 1]) > 0).mean() > 0.99
    assert (np.abs(field.sample(strokes[:, 0])) < 0.15).mean() > 0.98


@pytest.mark.parametrize("seed", range(6))
def test_the_rose_stands_on_rock_with_its_letters(seed: int) -> None:
    level = uc.generate("cozy", seed=seed)
    plan = LevelView(level)
    field = SignedDistanceField.of(plan.wall_outlines, level.width, level.height)
    rose = ParchmentSheet(plan, ALL, None, field).rose
    assert rose is not None, "a level with so much rock has room for one"
    x, y, size = rose
    assert float(field.sample(np.array([[x, y]]))[0]) >= ROSE_REACH * size, "nothing of it reaches a wall"


def test_a_full_map_has_no_rose() -> None:
    level = Level.parse("\n".join(["#" * 30, *["#" + "." * 28 + "#"] * 20, "#" * 30]))
    plan = LevelView(level)
    assert ParchmentSheet(plan, ALL, None, SignedDistanceField.of(plan.wall_outlines, 30, 22)).rose is None


@pytest.mark.parametrize("drawn", [".", "#", "....", ".\n.\n.", "#.#\n###", "+", "~", "<>"])
def test_tiny_levels(drawn: str) -> None:
    level = Level.parse(drawn)
    assert render_picture(level, "parchment", cell=8, margin=0).size == (8 * level.width, 8 * level.height)
    render_picture(level, "parchment", cell=8)


def test_the_same_each_time_and_parts_can_be_hidden() -> None:
    level = uc.generate("cozy", seed=1, size=(31, 25))
    first = render_picture(level, "parchment", cell=8)
    assert first.tobytes() == render_picture(level, "parchment", cell=8).tobytes()
    for part in ("grid", "names", "path", "things", "title", "scale"):
        other = render_picture(level, "parchment", cell=8, hide=[part])
        assert other.size != first.size or other.tobytes() != first.tobytes(), part
    for part in ("heat", "regions", "graph", "legend", "numbers"):
        other = render_picture(level, "parchment", cell=8, show=[part], hide=["names"] if part == "numbers" else [])
        assert other.size != first.size or other.tobytes() != first.tobytes(), part


def test_the_title_fits_its_ribbon() -> None:
    level = uc.generate("cozy", seed=3)
    page = render_vector(level, "parchment")
    assert page.notes["title"] == level.title
    long = Level(
        level.tiles,
        title="The exceedingly long and winding title of a dungeon that nobody will ever find on any map again",
    )
    wide = render_vector(long, "parchment")
    for item in wide.items:
        if isinstance(item, Shape) and item.fill == INK and not item.clip:
            across = np.concatenate(item.lines)[:, 0]
            assert across.min() >= -wide.left - 1
            assert across.max() <= wide.width - wide.left + 1


def test_vector_files_keep_the_wash_and_rhumb_lines_stay_inside_the_frame() -> None:
    level = uc.generate("cozy", seed=2, size=(61, 41))
    page = render_vector(level, "parchment")
    shapes = page.list_vector_shapes()
    washes = [shape for shape in shapes if shape.fill == parchment.WASH]
    assert len(washes) == len(parchment.WASH_BANDS)
    assert not any(isinstance(item, Shape) and item.fill == parchment.WASH for item in page.items)
    assert svg(page, 20).decode().count(parchment.WASH) == len(washes) + 1
    frame = page.clips["rock"][0]
    low, high = frame.min(axis=0), frame.max(axis=0)
    assert (low > (-page.left + 1, -page.top + 1)).all()
    assert (high < (page.width - page.left - 1, page.height - page.top - 1)).all()
    long = [shape for shape in shapes if shape.stroke and any(np.ptp(line, axis=0).max() > 100 for line in shape.lines)]
    assert long
    assert all(shape.clip == "rock" for shape in long)
