"""Blueprints: nothing written over anything else, lengths that are right, doors that open into rooms."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import undercroft as uc
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.core.region import Thing
from undercroft.draw.pen.free_space import PARTS_PER_CELL, CellRect, FreeSpace
from undercroft.draw.pen.parallel_lines import slanted_lines
from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.raster import paint_shapes, paint_with_resvg, raster
from undercroft.draw.scene.scene import Effect, Points, Scene, Shape
from undercroft.draw.scene.svg import svg
from undercroft.draw.styles.blueprint import blueprint, dimensions, frame, signs, title_block
from undercroft.draw.styles.blueprint import doors as blueprint_doors
from undercroft.draw.styles.blueprint.frame import BlueprintSheet
from undercroft.draw.styles.blueprint.ground import BlueprintGround
from undercroft.draw.styles.blueprint.inks import BAND, DEEP, FLOOR, GROUND, LINE
from undercroft.draw.styles.blueprint.labels import LabelLayer
from undercroft.draw.styles.blueprint.room_labels import place_labels
from undercroft.draw.styles.table import PICTURE_PARTS, STYLES, render_picture, render_vector, resolve_parts
from undercroft.draw.view.level_view import Doorway, LevelView
from undercroft.formats import loads

HALL = """
    ###################
    #1111111#222222222#
    #1111111#222222222#
    #1111111+222222222#
    #1111111#222222222#
    #1111111#222222222#
    ###################
"""
BUSY = """
    ######################
    #1111111#22222222222##
    #1::1o11#2222~~~~222##
    #1::1111L222~~~~~222##
    #1<11o11#2222~~~2222##
    #1111111#22222222222##
    ###S########+#########
    #33333##4444444444444#
    #33333+,4444444444444#
    #3>333##4444444444444#
    ######################
"""


def plan_of(picture: str) -> LevelView:
    return LevelView(Level.parse(picture))


def contents(level: Level, parts: frozenset[str]) -> tuple[LevelView, LabelLayer, FreeSpace]:
    """What is written on a level, and the space that everything else had taken before."""
    plan = LevelView(level, "secrets" in parts, parts)
    ground = BlueprintGround(plan)
    page = Scene(level.width, level.height, GROUND)
    places = blueprint._find_free_space(ground)
    signs.draw_pits(page, ground, places)
    signs.draw_pillars(page, plan, places)
    blueprint._draw_things(page, plan, places)
    blueprint_doors.draw_doors(page, plan, places, ground.seed)
    signs.draw_stairs(page, plan, places)
    before = FreeSpace(level.width, level.height, places.margin)
    before.taken |= places.taken
    return plan, place_labels(ground, places, parts), before


def crowded(boxes: list[CellRect]) -> list[tuple[CellRect, CellRect]]:
    """Pairs of boxes that overlap."""
    return [
        (a, b)
        for a, b in combinations(boxes, 2)
        if a.left < b.right and b.left < a.right and a.top < b.bottom and b.top < a.bottom
    ]


LEVELS = [
    ("cozy", 1),
    ("cozy", 2),
    ("rooms-and-mazes", 3),
    ("bsp", 4),
    ("tinykeep", 5),
    ("galak-z", 6),
    ("isaac", 7),
    ("cave", 8),
    ("dungeoning", 9),
]


@pytest.mark.parametrize(("recipe", "seed"), LEVELS)
@pytest.mark.parametrize("more", ["numbers", "names"])
def test_nothing_is_written_over_anything_else(recipe: str, seed: int, more: str) -> None:
    level = uc.generate(recipe, seed=seed)
    plan, writing, before = contents(level, resolve_parts("blueprint", show=[more]))
    assert crowded(writing.boxes) == []
    rock = BlueprintGround(plan).field
    for box in writing.boxes:
        corners = np.array(
            [[x, y] for x in np.linspace(box.left, box.right, 9) for y in np.linspace(box.top, box.bottom, 5)]
        )
        far = rock.sample(corners)
        in_rock = bool((far > 0.4).all())
        assert in_rock or before.is_free(box), box
    wanted = [region for region in plan.regions if region.kind != "corridor"]
    assert len(writing.spots) == (len(wanted) if len(wanted) > 1 else 0)


def test_words_collide_if_nobody_keeps_them_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check above finds what it looks for."""
    level = uc.generate("cozy", seed=1)
    _, _, before = contents(level, resolve_parts("blueprint"))
    monkeypatch.setattr(FreeSpace, "take", lambda self, box: None)
    _, writing, _ = contents(level, resolve_parts("blueprint"))
    assert crowded(writing.boxes)
    assert any(before.taken[before._spans(box)].any() for box in writing.boxes)


def test_every_room_has_its_number_even_if_it_is_full() -> None:
    level = Level.parse(HALL)
    full = [Thing("crate", x, y) for x in range(1, 8) for y in range(1, 6)]
    crammed = Level(level.tiles, level.palette, regions=level.regions, things=full)
    plan, writing, _ = contents(crammed, resolve_parts("blueprint"))
    x, y = writing.spots[1]
    assert not plan.is_open(int(np.floor(x)), int(np.floor(y)))
    assert any(len(line) == 2 and np.hypot(*(line[0] - (x, y))) < 0.5 for line in writing.lines), (
        "a line leads from the number to its room"
    )
    assert plan.is_open(*(int(value) for value in writing.spots[2]))


def test_lengths_go_from_wall_to_wall() -> None:
    _, writing, _ = contents(Level.parse(HALL), resolve_parts("blueprint"))
    middles = np.array([line.mean(axis=0) for line in writing.ticks]).reshape(-1, 2, 2)
    level = sorted(sorted(pair[:, 0].round(6).tolist()) for pair in middles if pair[0, 1] == pair[1, 1])
    upright = sorted(sorted(pair[:, 1].round(6).tolist()) for pair in middles if pair[0, 0] == pair[1, 0])
    assert level == [[1, 8], [9, 18]]
    assert upright == [[1, 6], [1, 6]]


def test_lengths_say_five_feet_a_square(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(LabelLayer, "add_length", lambda self, start, end, text, size=0.5: said.append(text))
    contents(Level.parse(HALL), resolve_parts("blueprint"))
    assert sorted(said) == ["25′", "25′", "35′", "45′"]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=12))
def test_the_core_of_a_room_is_all_of_it(width: int, height: int, holes: list[tuple[int, int]]) -> None:
    cells = np.ones((height, width), bool)
    for x, y in holes:
        if x < width and y < height:
            cells[y, x] = False
    rows, columns = dimensions.find_largest_block(cells)
    assert cells[rows, columns].all()
    if cells.all():
        assert (rows, columns) == (slice(0, height), slice(0, width))


def test_doors_open_into_rooms_and_not_into_passages() -> None:
    plan = plan_of(BUSY)
    door = next(door for door in plan.doors if (door.x, door.y) == (6, 8))
    places = FreeSpace(22, 11)
    swing = blueprint_doors.choose_swing(door, plan, places, {(6, 8)}, 0)
    assert swing.leaf[1][0] < swing.leaf[0][0], "the room is to the west, the passage to the east"
    assert 5 <= swing.arc[:, 0].min() < 6 - 0.9


def test_leaves_keep_off_what_stands_there() -> None:
    plan = plan_of(HALL)
    [door] = plan.doors
    for x, way in ((7, 1), (9, -1)):
        places = FreeSpace(19, 7)
        places.take(CellRect(x, 3, x + 1, 4))
        swing = blueprint_doors.choose_swing(door, plan, places, {(8, 3)}, 0)
        assert np.sign(swing.leaf[1][0] - swing.leaf[0][0]) == way


def test_the_leaves_of_a_double_door_hang_on_its_two_sides() -> None:
    plan = plan_of("""
        #######
        #11#22#
        #11+22#
        #11+22#
        #11#22#
        #######
    """)
    both = {(door.x, door.y) for door in plan.doors}
    hinges = [blueprint_doors.choose_swing(door, plan, FreeSpace(7, 6), both, 0).leaf[0][1] for door in plan.doors]
    assert hinges == pytest.approx([2.04, 3.96])


def test_one_way_doors_open_the_way_they_lead() -> None:
    plan = plan_of(HALL)
    for to, sign in (("E", 1), ("W", -1)):
        swing = blueprint_doors.choose_swing(Doorway(8, 3, True, "closed", to), plan, FreeSpace(19, 7), {(8, 3)}, 0)
        assert np.sign(swing.leaf[1][0] - swing.leaf[0][0]) == sign


@pytest.mark.parametrize(("glyph", "count"), [("+", 0), ("L", 1), ("S", 1)])
def test_locked_and_secret_doors_are_marked(glyph: str, count: int) -> None:
    level = Level.parse(HALL.replace("+", glyph))
    page = Scene(19, 7, GROUND)
    blueprint_doors.draw_doors(page, LevelView(level), FreeSpace(19, 7), 0)
    bubbles = [shape for shape in page.items if isinstance(shape, Shape) and shape.fill == FLOOR]
    assert sum(len(shape.lines) for shape in bubbles) == count


def test_secret_doors_are_wall_if_they_are_not_shown() -> None:
    level = Level.parse(HALL.replace("+", "S"))
    seen, hidden = (
        render_picture(level, "blueprint", cell=16, margin=0, hide=hide).getpixel((8 * 16 + 8, 3 * 16 + 8))
        for hide in ((), ("secrets",))
    )
    assert seen != hidden
    assert LevelView(level, secrets=False).doors == []


def test_pits_say_what_fits_into_them() -> None:
    wide, small = plan_of("#######\n#:::::#\n#:::::#\n#######"), plan_of("#####\n#.:.#\n#####")
    for plan, many in ((wide, 1), (small, 1)):
        page, ground = Scene(9, 9, GROUND), BlueprintGround(plan)
        places = blueprint._find_free_space(ground)
        signs.draw_pits(page, ground, places)
        plates = [
            shape for shape in page.items if isinstance(shape, Shape) and shape.fill == DEEP and shape.opacity == 1
        ]
        lines = [line for shape in plates for line in shape.lines]
        assert len(lines) == (many if plan is wide else len(lines))
        ys, xs = np.nonzero(plan.pits)
        for line in lines:
            assert line[:, 0].min() >= xs.min()
            assert line[:, 0].max() <= xs.max() + 1
            assert line[:, 1].min() >= ys.min()
            assert line[:, 1].max() <= ys.max() + 1


def test_colours_are_where_they_belong() -> None:
    level = Level.parse(HALL)
    page = blueprint.render_scene(level, resolve_parts("blueprint", hide=["grid", "numbers"]), 0.0)
    page.items = [item for item in page.items if isinstance(item, Shape)]
    pixels = np.asarray(raster(page, 20))
    floor = pixels[2 * 20 + 6, 3 * 20 + 7].astype(int)
    assert np.abs(floor - (np.array(rgb(GROUND)) * 0.45 + np.array(rgb(FLOOR)) * 0.55)).max() <= 2
    assert np.abs(pixels[3 * 20, 20].astype(int) - rgb(LINE)).max() <= 2, "the wall's line"
    band = pixels[40:100, 20 - 6 : 20 - 2].reshape(-1, 3).mean(axis=0)
    assert band[2] > rgb(GROUND)[2] + 10, "the wall's thickness"
    assert pixels[3, 3].tolist() == list(rgb(GROUND))
    assert rgb(BAND)[2] > rgb(GROUND)[2]


@pytest.mark.parametrize(
    "text",
    [".", "#", "." * 30, "\n".join("." * 30), "#####\n#...#\n#####", "\n".join(["#" * 9] * 9), ">", "~", ":", "+"],
)
@pytest.mark.parametrize("margin", [None, 0.0, 2.0])
def test_levels_of_any_size(text: str, margin: float | None) -> None:
    level = Level.parse(text)
    for parts in (frozenset[str](), frozenset(STYLES["blueprint"].shown), frozenset(PICTURE_PARTS)):
        page = blueprint.render_scene(level, parts, margin)
        if margin == 0:
            assert (page.width, page.height, page.left, page.top) == (level.width, level.height, 0, 0)
        raster(page, 5)
        ElementTree.fromstring(svg(page, 5))


def test_a_room_grid_is_drawn_as_rooms_and_keeps_its_size() -> None:
    level = loads(b"0110\n2113\n", "text:grid")
    assert (render_vector(level, "blueprint", margin=0).width, render_vector(level, "blueprint", margin=0).height) == (
        4,
        2,
    )
    page = render_vector(level, "blueprint")
    inside_page(page)
    doors = [
        shape
        for shape in page.items
        if isinstance(shape, Shape) and shape.stroke == LINE and round(shape.width * 8, 3) == 0.085
    ]
    assert sum(len(shape.lines) for shape in doors) == len(level.links)


def inside_page(page: Scene) -> None:
    """Nothing is painted beyond the page."""
    for item in page.items:
        if isinstance(item, Shape) and item.lines:
            points = np.add(np.concatenate(list(item.lines)), (page.left, page.top))
            half = item.width / 2
            assert points.min() >= half - 1e-6, item
            assert points[:, 0].max() <= page.width - half + 1e-6, item
            assert points[:, 1].max() <= page.height - half + 1e-6, item


@pytest.mark.parametrize("what", ["cozy", "cave", "isaac", HALL, ".", "\n".join("." * 40)])
def test_nothing_is_drawn_beyond_the_page(what: str) -> None:
    level = uc.generate(what, seed=3) if what.isalpha() else Level.parse(what)
    inside_page(render_vector(level, "blueprint", show=["measures"]))
    inside_page(render_vector(level, "blueprint", show=["names", "path", "graph"], hide=["title"]))


@pytest.mark.parametrize("size", [(5, 5), (45, 30), (60, 40), (90, 60), (151, 20), (400, 10)])
def test_the_scale_bar_has_whole_feet(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def noted(text: str, *_: float) -> list[Points]:
        said.append(text)
        return []

    monkeypatch.setattr(frame, "outline_words", noted)
    sheet = BlueprintSheet(LevelView(Level(np.full(size[::-1], 2, np.uint8))), resolve_parts("blueprint"), None)
    sheet._draw_scale(sheet.blank_scene(), 0, 0)
    feet = [int(text.removesuffix(" ft")) for text in said]
    assert feet == [number * feet[1] for number in range(5)]
    assert feet[1] % 5 == 0


def test_the_title_block_says_where_the_level_comes_from() -> None:
    level = uc.generate("cozy", seed="a very long seed that nobody can remember", size=(61, 41))
    told = dict(title_block.list_facts(LevelView(level), resolve_parts("blueprint", show=["measures"])))
    assert told["PROJECT"] == level.title.upper()
    assert told["RECIPE"] == "cozy"
    assert told["SIZE"] == "61 × 41"
    assert told["SEED"] == level.provenance["seed"]
    assert told["ROOMS/DOORS"] == f"{len(level.rooms)} / {len(level.doors)}"
    assert told["FLOOR"] == f"{25 * int((~level.palette.role_mask('wall', 'void')[level.tiles]).sum())} ft²"
    for parts in (
        resolve_parts("blueprint"),
        resolve_parts("blueprint", show=["measures"]),
        resolve_parts("blueprint", hide=["scale"]),
    ):
        block = BlueprintSheet(LevelView(level), parts, None).title_block
        assert block.width <= block.line + 1e-6
        for row in block.rows:
            assert [column.at for column in row] == pytest.approx(
                np.cumsum([0, *(column.width for column in row[:-1])]).tolist()
            )


def test_the_same_level_gives_the_same_drawing() -> None:
    level = uc.generate("cozy", seed=1, size=(41, 31))
    assert svg(render_vector(level, "blueprint"), 10) == svg(render_vector(level, "blueprint"), 10)
    assert render_picture(level, "blueprint", cell=8).tobytes() == render_picture(level, "blueprint", cell=8).tobytes()


@pytest.mark.parametrize("part", sorted(set(PICTURE_PARTS) - {"secrets"}))
def test_parts_can_be_shown_and_hidden(part: str) -> None:
    level = uc.generate("cozy", seed=1, size=(31, 25))
    assert (
        render_picture(level, "blueprint", cell=6, show=[part]).tobytes()
        != render_picture(level, "blueprint", cell=6, hide=[part]).tobytes()
    )


@pytest.mark.parametrize(
    ("recipe", "size"),
    [
        ("cozy", (61, 41)),
        ("rooms-and-mazes", (61, 41)),
        ("cave", (61, 41)),
        ("rooms-and-mazes", (99, 99)),
        ("cave", (100, 100)),
    ],
)
def test_files_are_short(recipe: str, size: tuple[int, int]) -> None:
    data = svg(render_vector(uc.generate(recipe, seed=2, size=size), "blueprint"), 16)
    assert len(data) <= 150 * size[0] * size[1]


def test_vector_and_picture_show_the_same() -> None:
    page = render_vector(uc.generate("cozy", seed=2, size=(41, 31)), "blueprint")
    shapes = [item for item in page.items if isinstance(item, Shape)]
    empty = np.empty((round(page.height * 16), round(page.width * 16), 3), np.uint8)
    empty[:] = rgb(GROUND)
    ours, theirs = (way(empty.copy(), page, shapes, 16).astype(int) for way in (paint_shapes, paint_with_resvg))
    off = np.abs(ours - theirs).max(axis=2)
    assert off.mean() < 2.5
    assert (off > 80).mean() < 0.002
    assert np.abs(ours - theirs[:, ::-1]).max(axis=2).mean() > 5, "a picture the wrong way round is told from it"


def test_pictures_have_uneven_paper_and_glowing_lines() -> None:
    level = Level.parse(HALL)
    page = blueprint.render_scene(level, frozenset(), None)
    assert sum(isinstance(item, Effect) for item in page.items) == 2
    with_effects = np.asarray(raster(page, 16)).astype(int)
    page.items = [item for item in page.items if isinstance(item, Shape)]
    without = np.asarray(raster(page, 16)).astype(int)
    corner = with_effects[:5, :5]
    assert corner.std() > 0.5 > without[:5, :5].std(axis=(0, 1)).max()
    assert corner.mean() < without[:5, :5].mean(), "the edges are darker"
    wall_x, wall_y = round((page.left + 1) * 16), round((page.top + 2.5) * 16)
    beside = wall_x + 4
    assert with_effects[wall_y, beside].sum() > without[wall_y, beside].sum() * 0.95, (
        "lines glow on the floor beside them"
    )


def test_a_level_of_a_million_cells_is_drawn_simply() -> None:
    cells = np.indices((700, 700)).sum(axis=0) // 40 % 3 > 0
    level = Level(np.where(cells, STANDARD["floor"], STANDARD["wall"]).astype(np.uint8))
    page = blueprint.render_scene(level, resolve_parts("blueprint"), None)
    assert not BlueprintGround(LevelView(level)).is_fine
    assert page.items


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_places_agree_with_a_slow_look(data: st.DataObject) -> None:
    places = FreeSpace(6, 5, 1)
    boxes = data.draw(
        st.lists(
            st.tuples(st.integers(-8, 56), st.integers(-8, 48), st.integers(1, 24), st.integers(1, 24)), max_size=6
        )
    )
    whole = [
        CellRect(x / PARTS_PER_CELL, y / PARTS_PER_CELL, (x + wide) / PARTS_PER_CELL, (y + high) / PARTS_PER_CELL)
        for x, y, wide, high in boxes
    ]
    for box in whole:
        places.take(box)
    wide, high = data.draw(st.floats(0.2, 3)), data.draw(st.floats(0.2, 3))
    within = CellRect(0, 0, 6, 5)
    found = places.find_place(wide, high, (3, 2.5), within)

    def free(x: float, y: float) -> bool:
        box = CellRect.centred_on(x, y, wide, high)
        return not crowded_with(box, whole)

    if found is not None:
        assert free(*found)
        assert places.is_free(CellRect.centred_on(*found, wide, high))
        assert CellRect.centred_on(*found, wide, high).left >= -1e-6
    else:
        steps = [
            (x / PARTS_PER_CELL + wide / 2, y / PARTS_PER_CELL + high / 2)
            for x in range(6 * PARTS_PER_CELL)
            for y in range(5 * PARTS_PER_CELL)
        ]
        assert not any(
            free(x, y) and x + wide / 2 <= 6 - 1 / PARTS_PER_CELL and y + high / 2 <= 5 - 1 / PARTS_PER_CELL
            for x, y in steps
        )


def crowded_with(box: CellRect, others: list[CellRect]) -> bool:
    return any(
        box.left < other.right - 1e-9
        and other.left < box.right - 1e-9
        and box.top < other.bottom - 1e-9
        and other.top < box.bottom - 1e-9
        for other in others
    )


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(1, 4), st.booleans(), st.randoms(use_true_random=False))
def test_slanting_lines_are_in_the_shape_and_cover_it(
    width: int, height: int, every: int, falling: bool, chance: object
) -> None:
    cells = np.array([[chance.random() < 0.6 for _ in range(width)] for _ in range(height)], np.bool_)  # type: ignore[attr-defined]
    depths: NDArray[np.float32] = np.where(cells, 1, -1).astype(np.float32)
    covered = np.zeros_like(cells)
    for (x0, y0), (x1, y1) in slanted_lines(depths, every, falling=falling).tolist():
        steps = round(abs(x1 - x0))
        assert steps == pytest.approx(abs(x1 - x0)) == pytest.approx(abs(y1 - y0))
        for step in range(1, 2 * steps, 2):
            share = step / (2 * steps)
            x, y = x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
            covered[round(y), round(x)] = True
    assert not (covered & ~cells).any()
    if every == 1:
        assert (covered == cells).all()


def test_walls_of_one_cell_have_no_pockets_of_rock() -> None:
    level = uc.generate("maze", seed=3, size=(31, 21))
    ground = BlueprintGround(LevelView(level))
    inner = [line for line in ground.outer_walls if (line > 1.5).all() and (line < np.array(level.size) - 1.5).all()]
    assert inner == []
    thick = BlueprintGround(LevelView(Level.parse("#####\n#...#\n#####\n#####\n#####\n#####\n#...#\n#####")))
    assert len(thick.outer_walls) >= 2
