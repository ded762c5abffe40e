"""Maps for paper: pure black, pages that fit together to the pixel, none too many, and a key that can be read."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import undercroft as uc
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.core.region import Regions, Thing
from undercroft.draw.pen.free_space import CellRect
from undercroft.draw.scene.lettering import text_width
from undercroft.draw.scene.paper import PAPERS, fit_scene
from undercroft.draw.scene.raster import raster
from undercroft.draw.scene.scene import Points, Scene, Shape
from undercroft.draw.scene.svg import svg
from undercroft.draw.styles.printed import printed
from undercroft.draw.styles.printed.black_map import BLACK, WHITE, BlackMap
from undercroft.draw.styles.printed.one_page import OnePage, format_page_tag
from undercroft.draw.styles.printed.page_marks import PageMarks
from undercroft.draw.styles.printed.pagination import BLEED, clipped, count_page_squares, cut_to_box, plan_pages
from undercroft.draw.styles.printed.paragraphs import HEAD_FACE, KeyColumns, wrap_text
from undercroft.draw.styles.printed.room_key import SHAPES, KeyEntry, build_key
from undercroft.draw.styles.table import PICTURE_PARTS, render_vector, resolve_parts
from undercroft.draw.view.level_view import LevelView
from undercroft.errors import BadInput, TooBig
from undercroft.formats import loads

ALL = resolve_parts("print", show=["path", "graph", "names", "measures"])
POOL = """
    ############
    #..........#
    #..~~~~~...#
    #..~~~~~~..#
    #..~~~~~...#
    #....::....#
    #....::..o.#
    ############
"""


def shapes(page: Scene) -> list[Shape]:
    return [item for item in page.items if isinstance(item, Shape)]


def pixels(page: Scene, cell: int) -> NDArray[np.int64]:
    return np.asarray(raster(page, cell)).astype(np.int64)


@pytest.fixture(scope="module")
def level() -> Level:
    return uc.generate("cozy", seed=3, size=(61, 41))


@pytest.fixture(scope="module")
def stack(level: Level) -> list[Scene]:
    return printed.pages(level, resolve_parts("print"))


@pytest.mark.parametrize("what", ["cozy", "cave", POOL])
def test_everything_is_pure_black_or_white(what: str) -> None:
    drawn = uc.generate(what, seed=1, size=(40, 30)) if what.isalpha() else Level.parse(what)
    for page in (
        *printed.pages(drawn, ALL)[:4],
        printed.render_one_page(drawn, ALL).scene,
        printed.render_scene(drawn, ALL, 0.0),
    ):
        assert page.ground == WHITE
        for shape in shapes(page):
            assert {shape.fill, shape.stroke} <= {"", BLACK, WHITE}
            assert shape.opacity == 1
        assert not [item for item in page.items if not isinstance(item, Shape)], (
            "vector files and pictures are the same"
        )


def test_pages_fit_together(level: Level, stack: list[Scene]) -> None:
    """Each page shows, pixel for pixel, what the whole drawing shows there."""
    dots = 20
    plan = LevelView(level, True, resolve_parts("print"))
    sheet = PAPERS["a4"] if stack[1].height > stack[1].width else PAPERS["a4"].turned()
    tiling = plan_pages(plan.open_cells, *count_page_squares(sheet.width, sheet.height))
    whole = Scene(level.width + 20, level.height + 20, WHITE, left=10, top=10)
    BlackMap(plan, resolve_parts("print"), cuts=tiling.cuts).draw(whole)
    drawn = pixels(whole, dots)
    marks = PageMarks(plan, sheet, tiling, "")
    assert len(stack) == 1 + len(tiling.pages)
    for page, place in zip(stack[1:], tiling.pages, strict=True):
        box = tiling.page_box(*place)
        # The page moved so that its squares begin at a whole pixel.
        moved = Scene(page.width, page.height, WHITE, left=1 - box.left, top=1 - box.top)
        moved.items, moved.clips = (
            [item for item in page.items if isinstance(item, Shape) and item.clip == "page"],
            page.clips,
        )
        found = pixels(moved, dots)[dots : dots * (1 + tiling.high), dots : dots * (1 + tiling.wide)]
        x, y = round((box.left + 10) * dots), round((box.top + 10) * dots)
        expected = drawn[y : y + tiling.high * dots, x : x + tiling.wide * dots]
        inner = np.abs(found - expected)[1:-1, 1:-1]
        assert inner.max() <= 8, place
        assert (page.left, page.top) == pytest.approx((marks.left - box.left, marks.top - box.top))
    other = tiling.page_box(*tiling.pages[0])
    wrong = drawn[round((other.top + 11) * dots) :, round((other.left + 11) * dots) :][
        : tiling.high * dots, : tiling.wide * dots
    ]
    assert (
        np.abs(
            wrong
            - drawn[round((other.top + 10) * dots) :, round((other.left + 10) * dots) :][
                : wrong.shape[0], : wrong.shape[1]
            ]
        ).max()
        > 100
    )


def test_no_number_is_cut_in_two() -> None:
    crossed = [0, 0]
    for seed in range(3):
        plan = LevelView(uc.generate("bsp", seed=seed, size=(80, 60)), True, resolve_parts("print"))
        tiling = plan_pages(plan.open_cells, 7, 10)
        for way, cuts in enumerate((tiling.cuts, (range(0), range(0)))):
            whole = Scene(80, 60, WHITE)
            BlackMap(plan, frozenset({"numbers"}), cuts=cuts).draw(whole)
            [texts] = [
                shape
                for shape in shapes(whole)
                if shape.fill == BLACK and not shape.crisp and len(shape.lines) > len(plan.labels)
            ]
            boxes = [(line.min(axis=0), line.max(axis=0)) for line in texts.lines]
            crossed[way] += sum(
                any(low[side] < cut < high[side] for side in (0, 1) for cut in tiling.cuts[side]) for low, high in boxes
            )
    assert crossed[0] == 0 < crossed[1]


def test_pages_hold_every_open_square_once_and_none_is_empty(level: Level) -> None:
    plan = LevelView(level)
    for wide, high in ((7, 10), (10, 7), (3, 3)):
        tiling = plan_pages(plan.open_cells, wide, high)
        count = np.zeros(plan.open_cells.shape, int)
        for place in tiling.pages:
            left, top, right, bottom = (round(value) for value in tiling.page_box(*place))
            rows, columns = slice(max(0, top), max(0, bottom)), slice(max(0, left), max(0, right))
            assert plan.open_cells[rows, columns].any()
            count[rows, columns] += 1
        assert (count[plan.open_cells] == 1).all()


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 14), st.integers(1, 14), st.integers(1, 5), st.integers(1, 5), st.randoms(use_true_random=False))
def test_no_other_way_to_lay_pages_needs_fewer(across: int, down: int, wide: int, high: int, chance: object) -> None:
    cells = np.array([[chance.random() < 0.3 for _ in range(across)] for _ in range(down)], np.bool_)  # type: ignore[attr-defined]
    found = len(plan_pages(cells, wide, high).pages)
    ys, xs = np.nonzero(cells)
    if not len(ys):
        assert found == 0
        return
    ways = [
        len({((x + shift_x) // wide, (y + shift_y) // high) for x, y in zip(xs.tolist(), ys.tolist(), strict=True)})
        for shift_x in range(wide)
        for shift_y in range(high)
    ]
    assert found == min(ways)


@pytest.mark.parametrize(
    ("name", "turned", "squares"),
    [
        ("a4", False, (7, 10)),
        ("a4", True, (10, 7)),
        ("letter", False, (7, 9)),
        ("letter", True, (10, 7)),
        ("a3", False, (10, 15)),
    ],
)
def test_squares_of_an_inch_fit_on_paper(name: str, turned: bool, squares: tuple[int, int]) -> None:
    paper = PAPERS[name].turned() if turned else PAPERS[name]
    assert count_page_squares(paper.width, paper.height) == squares


def test_pages_have_the_size_of_the_paper_and_nothing_goes_beyond_it(level: Level) -> None:
    for name, orientation in (("a4", "upright"), ("letter", "turned")):
        stack = printed.pages(level, ALL, name, orientation)
        for page in stack:
            assert sorted((page.width, page.height)) == pytest.approx([PAPERS[name].width, PAPERS[name].height])
            if page is not stack[0]:
                assert (page.width > page.height) == (orientation == "turned")
            for shape in shapes(page):
                for clip in [page.clips[shape.clip]] if shape.clip else [shape.lines]:
                    points = np.concatenate([line for line in clip if len(line)]) + np.array([page.left, page.top])
                    assert points.min() >= 0.15
                    assert (points.max(axis=0) <= np.array([page.width, page.height]) - 0.15).all()


def test_each_page_says_which_it_is_and_which_are_beside_it(level: Level) -> None:
    stack = printed.pages(level, resolve_parts("print"), "a4", "upright")
    plan = LevelView(level)
    tiling = plan_pages(plan.open_cells, 7, 10)
    assert [page.notes["page"] for page in stack] == ["map", *(format_page_tag(*place) for place in tiling.pages)]
    assert len({page.notes["page"] for page in stack}) == len(stack)
    marks = PageMarks(plan, PAPERS["a4"], tiling, "")
    for (column, row), page in zip(tiling.pages, stack[1:], strict=True):
        expected = Scene(0, 0, WHITE, left=page.left, top=page.top)
        marks._draw_neighbours(expected, column, row)
        beside = sum(tiling.has_page(column + right, row + down) for right, down in ((-1, 0), (1, 0), (0, -1), (0, 1)))
        assert len(expected.items) == beside
        drawn = [[line.tolist() for line in shape.lines] for shape in shapes(page)]
        assert all([line.tolist() for line in shape.lines] in drawn for shape in shapes(expected))


def test_the_bar_is_two_inches_long(stack: list[Scene]) -> None:
    for page in stack[1:]:
        found = pixels(page, 100)[:, :, 0] < 128
        row = found[round((page.height - 0.46 - 0.065) * 100)]
        runs = np.flatnonzero(np.diff(row.astype(int), prepend=0, append=0))
        black = [
            (start, end)
            for start, end in zip(runs[::2].tolist(), runs[1::2].tolist(), strict=True)
            if 98 <= end - start <= 102
        ]
        assert black, "the first inch of the bar"
        start = black[0][0]
        top = found[round((page.height - 0.46 - 0.1) * 100), start : start + 200]
        assert top.all(), "its upper edge goes on for two inches"


def test_a_page_without_a_neighbour_shows_whole_walls() -> None:
    room = Level.parse("\n".join(["#" * 9, *["#.......#"] * 3, "#" * 9]))
    [_, page] = printed.pages(room, resolve_parts("print"), "a4", "upright")
    box = page.clips["page"][0]
    assert (box[0] <= np.array([1, 1]) - BLEED).all()


def test_water_has_squares_too() -> None:
    drawn = Level.parse(POOL)
    page, without = (
        printed.render_scene(drawn, resolve_parts("print", hide=hide), 0.0)
        for hide in (["numbers"], ["numbers", "grid"])
    )
    with_grid, bare = pixels(page, 60), pixels(without, 60)
    x, y = 5 * 60, 3 * 60
    assert LevelView(drawn).water[3, 4:6].all()
    line = (slice(y, y + 60), slice(x - 1, x + 1))
    assert with_grid[line].mean() < bare[line].mean() - 5


def test_shadows_are_dots_on_floor_below_and_right_of_walls() -> None:
    drawn = Level.parse("\n".join(["#" * 12, *["#1111111111#"] * 8, "#" * 12]))
    page = Scene(12, 10, WHITE)
    BlackMap(LevelView(drawn), frozenset())._draw_shadows(page)
    [dots] = shapes(page)
    points = np.concatenate(list(dots.lines))
    assert (points > 0.9).all()
    assert (points[:, 0] < 11.1).all()
    assert (points[:, 1] < 9.1).all()
    near = np.minimum(points[:, 0] - 1, points[:, 1] - 1)
    assert near.max() < 0.3, "at the upper and left walls alone"
    assert len(points) > 500
    shuffled = points[np.argsort(points[:, 0])]
    gaps = np.hypot(*(shuffled[None, :400] - shuffled[:400, None]).transpose(2, 0, 1)) + np.eye(400)
    assert gaps.min() > 0.03, "dots keep apart"


@pytest.mark.parametrize(
    "text",
    [".", "#", "." * 40, "\n".join("." * 40), "#####\n#...#\n#####", "\n".join(["#" * 9] * 9), "~", ":", "<", "+"],
)
def test_levels_of_any_size(text: str) -> None:
    drawn = Level.parse(text)
    for parts in (frozenset[str](), resolve_parts("print"), frozenset(PICTURE_PARTS)):
        exact = printed.render_scene(drawn, parts, 0.0)
        assert [exact.width, exact.height] == [drawn.width, drawn.height]
        assert printed.render_scene(drawn, parts, 2.0).width == drawn.width + 4
        page = printed.render_scene(drawn, parts)
        raster(page, 4)
        ElementTree.fromstring(svg(page, 4))
        stack = printed.pages(drawn, parts)
        assert len(stack) >= (2 if LevelView(drawn).open_cells.any() else 1)


def test_a_room_grid_is_printed_as_rooms() -> None:
    grid = loads(b"0110\n2113\n", "text:grid")
    assert (
        printed.render_scene(grid, resolve_parts("print"), 0.0).width,
        printed.render_scene(grid, resolve_parts("print"), 0.0).height,
    ) == (4, 2)
    assert len(printed.pages(grid, resolve_parts("print"))) > 2
    page = printed.render_scene(grid, resolve_parts("print"))
    assert 4 < page.width < 20


def test_too_many_pages_are_refused_at_once() -> None:
    large = Level(np.full((600, 600), STANDARD["floor"], np.uint8))
    with pytest.raises(TooBig, match="pages"):
        printed.pages(large, resolve_parts("print"))


def test_unknown_paper_and_orientation() -> None:
    drawn = Level.parse("...")
    with pytest.raises(BadInput, match="unknown paper 'a44'"):
        printed.pages(drawn, resolve_parts("print"), "a44")
    with pytest.raises(BadInput, match="unknown orientation"):
        printed.render_one_page(drawn, resolve_parts("print"), "a4", "sideways")


def test_the_same_level_gives_the_same_pages(level: Level, stack: list[Scene]) -> None:
    again = printed.pages(level, resolve_parts("print"))
    assert len(stack) == len(again)
    assert [svg(page, 50) for page in stack[:4]] == [svg(page, 50) for page in again[:4]]


def test_parts_can_be_hidden() -> None:
    level = uc.generate("cozy", seed=3, size=(25, 21))
    whole = svg(render_vector(level, "print", show=["path", "graph", "measures"]), 20)
    for part in ("grid", "numbers", "legend", "title", "scale", "path", "graph", "things", "measures"):
        rest = [other for other in ("path", "graph", "measures") if other != part]
        assert svg(render_vector(level, "print", show=rest, hide=[part]), 20) != whole, part


def test_a_large_map_on_one_page_stays_short() -> None:
    data = svg(render_vector(uc.generate("rooms-and-mazes", seed=2, size=(99, 99)), "print"), 8)
    assert len(data) <= 150 * 99 * 99


# The page with the key.


def test_the_first_page_shows_each_edge_between_pages_once(level: Level) -> None:
    tiling = plan_pages(LevelView(level).open_cells, 7, 10)
    page = Scene(9, 9, WHITE)
    OnePage(LevelView(level), resolve_parts("print"), PAPERS["a4"], tiling)._draw_page_borders(
        page, tiling, 0.0, 0.0, 1.0
    )
    edges = [line.round(6).tolist() for line in shapes(page)[0].lines]
    assert len(edges) == len({str(edge) for edge in edges})
    corners = {tuple(corner) for edge in edges for corner in edge}
    for place in tiling.pages:
        box = tiling.page_box(*place)
        assert {(box.left, box.top), (box.right, box.bottom)} <= corners


@pytest.mark.parametrize(
    ("recipe", "size"),
    [
        ("cozy", (61, 41)),
        ("cozy", (30, 90)),
        ("bsp", (80, 40)),
        ("rooms-and-mazes", (61, 61)),
        ("cave", (60, 30)),
    ],
)
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_map_and_key_have_a_page_together(recipe: str, size: tuple[int, int], paper: str) -> None:
    found = uc.generate(recipe, seed=3, size=size)
    plan = LevelView(found, True, resolve_parts("print"))
    for way in (PAPERS[paper], PAPERS[paper].turned()):
        page = OnePage(plan, resolve_parts("print"), way)
        cell, columns = page.layout
        assert cell > 0
        high = (page.bounds.bottom - page.bounds.top) * cell
        assert high <= page.content_height
        if columns is not None:
            assert high + columns.height <= page.content_height
            assert columns.column_width * columns.many + columns.gap * (columns.many - 1) == pytest.approx(
                page.inner_width
            )
            assert len(columns.entries_per_column) <= columns.many
            assert sum(columns.entries_per_column) == len(columns.entries)
            for _, lines in columns.entry_lines:
                assert all(
                    text_width(line, columns.size * (0.98 if face == HEAD_FACE else 1), face)
                    <= columns.column_width - columns.indent + 1e-6
                    for face, line in lines
                    if face
                )
        for shape in shapes(page.render_scene()):
            points = np.concatenate([line for line in shape.lines if len(line)])
            assert points.min() >= 0.2
            assert (points.max(axis=0) <= np.array([way.width, way.height]) - 0.2).all()


def test_the_key_tells_what_is_in_the_rooms(level: Level) -> None:
    entries = build_key(LevelView(level), resolve_parts("print"))
    assert [entry.number for entry in entries] == [label.number for label in LevelView(level).labels]
    for entry in entries:
        room = level.rooms[entry.number - 1]
        assert entry.name == (room.name or ("" if room.template in SHAPES else room.template.capitalize()))
        told = " ".join(entry.told)
        for thing in level.things:
            if level.regions.labels[thing.y, thing.x] == room.label:
                assert str(thing.data.get("text") or thing.kind).casefold() in told.casefold()
    bare = [sentence for entry in build_key(LevelView(level), frozenset()) for sentence in entry.told]
    kinds = {thing.kind for thing in level.things} - {"pillar"}
    assert not any(kind in sentence.casefold() for sentence in bare for kind in kinds)


def test_the_key_tells_what_things_hold_what_is_in_the_ground_and_what_kind_of_room_it_is() -> None:
    drawn = Level.parse("""
        #########
        #11o1#222
        #1~11+2:2
        #1~11#222
        #########
    """)
    regions = Regions(drawn.regions.labels, drawn.regions.table, templates={1: "crypt", 2: "crypt"}, names={2: "Deep"})
    chest = Thing("chest", 4, 3, {"group": "loot", "about": "nailed shut", "contents": [{"item": "rope", "count": 2}]})
    first, second = build_key(LevelView(Level(drawn.tiles, regions=regions, things=[chest])), frozenset({"things"}))
    assert first == KeyEntry(1, "Crypt", ("Pool.", "Pillar.", "Chest (rope x2): nailed shut."))
    assert second == KeyEntry(2, "Deep", ("Crypt.", "Pit."))


def test_a_map_of_one_room_has_its_contents_in_the_key() -> None:
    level = Level(Level.parse("#1111#").tiles, regions=Level.parse("#1111#").regions, things=[Thing("rat", 2, 0)])
    assert build_key(LevelView(level), frozenset({"things"})) == [KeyEntry(0, "", ("Rat.",))]


def test_a_long_key_continues_on_further_pages_and_loses_nothing() -> None:
    level = uc.generate("cozy", seed=5, size=(120, 90))
    shown = resolve_parts("print")
    page = OnePage(LevelView(level, True, shown), shown, PAPERS["a4"])
    assert page.left_entries
    further = page.render_key_pages()
    assert further
    entries = build_key(page.plan, shown)
    columns = page.layout[1]
    assert [*(columns.entries if columns else ()), *page.left_entries] == entries
    for scene in further:
        points = np.concatenate([line for shape in shapes(scene) for line in shape.lines if len(line)])
        assert points.min() > 0.2
        assert (points.max(axis=0) < np.array([scene.width, scene.height]) - 0.2).all()
    assert len(printed.render_sheets(level, shown)) > 1


def test_names_of_pages_cover_nothing() -> None:
    level = uc.generate("cozy", seed=3, size=(61, 41))
    plan = LevelView(level, True, resolve_parts("print"))
    tiling = plan_pages(plan.open_cells, 7, 10)
    tags = OnePage(plan, resolve_parts("print"), PAPERS["a4"], tiling)._place_page_tags(tiling, 0.7)
    assert [tag for tag, _, _ in tags] == [format_page_tag(*place) for place in tiling.pages]
    for tag, x, y in tags:
        half = text_width(tag, 0.7, "figures") / 2
        cells = np.s_[int(y - 0.3) : int(y + 0.3) + 1, int(x - half) : int(x + half) + 1]
        assert not (plan.busy_cells[cells] & plan.open_cells[cells]).any(), tag


def test_lines_to_write_on_never_make_the_map_smaller() -> None:
    bare = uc.generate("rooms-and-mazes", seed=3, size=(61, 41))
    with_key, without = (
        OnePage(LevelView(bare, True, parts), parts, PAPERS["a4"]).layout[0]
        for parts in (resolve_parts("print"), resolve_parts("print", hide=["numbers"]))
    )
    assert with_key == pytest.approx(without)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text("abcdefgh ", min_size=0, max_size=60), min_size=1, max_size=30), st.integers(1, 5), st.floats(1, 8)
)
def test_columns_are_balanced(texts: list[str], many: int, room: float) -> None:
    columns = KeyColumns([KeyEntry(number, "Name", (text,)) for number, text in enumerate(texts, 1)], room, many, 0.12)
    assert sum(columns.entries_per_column) == len(texts)
    assert len(columns.entries_per_column) <= many
    heights = [len(lines) + 0.55 for _, lines in columns.entry_lines]
    assert columns.height <= (sum(heights) / many + max(heights) + 0.3) * 1.16 * 0.12 + 1e-6
    assert columns.min_height <= columns.height + 1e-9


@settings(max_examples=100, deadline=None)
@given(st.text("abc de\u00e9", max_size=80), st.floats(0.5, 6))
def test_wrapped_lines_fit_and_lose_no_short_word(text: str, room: float) -> None:
    lines = wrap_text(text, room, 0.2)
    assert all(text_width(line, 0.2, "text") <= room + 1e-9 for line in lines)
    if all(text_width(word, 0.2, "text") <= room for word in text.split()):
        assert " ".join(lines).split() == text.split()


# Cutting.


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-9, 29), st.integers(-9, 29)), min_size=3, max_size=12),
    st.integers(0, 9),
    st.integers(0, 9),
    st.integers(1, 12),
    st.integers(1, 12),
)
def test_cut_areas_cover_the_same_inside(
    corners: list[tuple[int, int]], left: int, top: int, wide: int, high: int
) -> None:
    line: Points = np.array(corners, float) + 0.137
    box = CellRect(left, top, left + wide, top + high)
    pictures = []
    for shape in (line, clipped(line, box)):
        page = Scene(22, 22, WHITE)
        page.fill_area([shape], BLACK)
        pictures.append(pixels(page, 6)[top * 6 + 1 : (top + high) * 6 - 1, left * 6 + 1 : (left + wide) * 6 - 1])
    assert np.abs(pictures[0] - pictures[1]).max(initial=0) <= 40
    cut = clipped(line, box)
    if len(cut):
        assert (cut >= np.array([left, top]) - 1e-9).all()
        assert (cut <= np.array([left + wide, top + high]) + 1e-9).all()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.floats(-5, 15), st.floats(-5, 15)), min_size=2, max_size=30), st.booleans())
def test_pieces_are_all_that_comes_into_the_box(corners: list[tuple[float, float]], closed: bool) -> None:
    line = np.array(corners)
    box = CellRect(2, 3, 8, 9)
    found = cut_to_box(line, box, closed=closed)
    whole = np.concatenate([line, line[:1]]) if closed else line
    steps = [(tuple(a), tuple(b)) for a, b in zip(whole[:-1].tolist(), whole[1:].tolist(), strict=True)]
    kept = [
        (tuple(a), tuple(b)) for piece in found for a, b in zip(piece[:-1].tolist(), piece[1:].tolist(), strict=True)
    ]
    inside = [
        pair for pair in steps if any(2 < x < 8 and 3 < y < 9 for x, y in np.linspace(pair[0], pair[1], 41).tolist())
    ]
    assert set(inside) <= set(kept) <= set(steps)


def test_scenes_fit_on_paper() -> None:
    for wide, high in ((10, 2), (2, 10), (5, 5)):
        sheet = fit_scene(Scene(wide, high, WHITE), PAPERS["a4"])
        assert sheet.left >= 0.39
        assert sheet.top >= 0.39
        assert min(sheet.left, sheet.top) == pytest.approx(0.4)
        assert sheet.left * 2 + sheet.cell * wide == pytest.approx(sheet.paper.width)
        assert (sheet.paper.width > sheet.paper.height) == (wide > high)
