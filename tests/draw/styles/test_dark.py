"""The style `dark`: signs that can be read, the panel, and room grids."""

from __future__ import annotations

import numpy as np
import pytest

import undercroft as uc
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.lettering import text_width
from undercroft.draw.scene.scene import Scene, Shape, circle
from undercroft.draw.styles.dark import dark, panel
from undercroft.draw.styles.plain import plain
from undercroft.draw.styles.plain.squares import DOOR, SECRET
from undercroft.draw.styles.table import render_picture, render_vector, resolve_parts
from undercroft.draw.view.canvas import MIN_SIDE_PIXELS
from undercroft.draw.view.grid_rooms import SQUARES_PER_ROOM, expand_rooms
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.tint import compute_tint


def brightness(colour: str) -> int:
    return sum(rgb(colour))


def corridor(*things: Thing) -> Level:
    """A long hall, dark at its start and light at its end."""
    draft = Draft.of(Level.parse("#" * 40 + "\n#" + "." * 38 + "#\n#" + "." * 38 + "#\n" + "#" * 40))
    draft.start, draft.end = (1, 1), (38, 1)
    draft.path = np.stack([np.arange(1, 39), np.ones(38)], axis=1).astype(np.int32)
    draft.things = list(things)
    return draft.level()


def shapes(page: Scene) -> list[Shape]:
    return [item for item in page.items if isinstance(item, Shape)]


def test_rugs_lie_under_the_path_and_chests_on_it() -> None:
    def around(*things: Thing) -> tuple[int, int]:
        """Shapes painted before the path, and after it."""
        found = shapes(render_vector(corridor(*things), "dark", margin=0))
        path = max(number for number, item in enumerate(found) if item.stroke == dark.WAY)
        return path, len(found) - path

    below, above = around()
    rug, chest = (around(Thing(kind, 20, 1, {"width": 2, "height": 2})) for kind in ("rug", "chest"))
    assert rug[0] > below
    assert rug[1] == above
    assert chest[0] == below
    assert chest[1] > above


@pytest.mark.parametrize("kind", ["cobwebs", "chest", "rat"])
def test_signs_are_dark_on_light_ground_and_light_on_dark(kind: str) -> None:
    def strokes(x: int) -> set[str]:
        before, after = (render_vector(level, "dark", margin=0) for level in (corridor(), corridor(Thing(kind, x, 2))))
        known = {(item.fill, item.stroke) for item in shapes(before)}
        return {item.stroke or item.fill for item in shapes(after) if (item.fill, item.stroke) not in known}

    near, far = strokes(3), strokes(36)
    assert near
    assert far
    assert near != far
    assert max(map(brightness, near)) > 600
    assert min(map(brightness, far)) < 100


def test_the_legend_has_doors_as_the_map_has_them() -> None:
    level = Level.parse("###########\n#.+..L..S.#\n###########")
    page = render_vector(level, "dark", hide=["title", "measures", "path"])
    beside = {
        item.fill
        for item in shapes(page)
        if item.lines and min(float(line[:, 0].min()) for line in item.lines) > level.width
    }
    assert {dark.DOOR_COLOURS[state] for state in ("closed", "locked", "secret")} <= beside
    assert dark.DOOR_COLOURS["open"] not in beside
    assert dark.DOOR_COLOURS["one-way"] not in beside
    one_way = Level(level.tiles, things=[Thing("one-way", 2, 1, {"to": "E"})])
    page = render_vector(one_way, "dark", hide=["title", "measures", "path"])
    assert dark.DOOR_COLOURS["one-way"] in {
        item.fill
        for item in shapes(page)
        if item.lines and min(float(line[:, 0].min()) for line in item.lines) > level.width
    }


def test_words_of_the_legend_stay_on_the_page() -> None:
    level = Level(
        np.full((9, 30), 2, np.uint8), things=[Thing(f"extraordinarily long oddity {x}", x, 0) for x in range(9)]
    )
    page = render_vector(level, "dark", hide=["title", "measures"])
    reach = max(float(line[:, 0].max()) for item in shapes(page) if item.fill == panel.TEXT for line in item.lines)
    assert level.width < reach < page.width - page.left


@pytest.mark.parametrize(
    ("words", "size"),
    [
        ("The Well", 1.45),
        ("The Cellars below Fenmarch", 1.45),
        ("The Long and Winding Halls of the Emperor below", 1.1),
        ("The Halls of the Emperor " * 9, 0.85),
    ],
)
def test_a_long_title_has_smaller_letters_and_is_never_cut_silently(words: str, size: float) -> None:
    found, lines = panel._fit_title(words)
    assert found == size
    assert len(lines) <= panel.MAX_TITLE_LINES[size]
    assert all(text_width(line, size, "strong") <= panel.PANEL_WIDTH - 1.6 for line in lines)
    assert " ".join(lines) == words or lines[-1].endswith("…")


def test_a_level_of_one_room_is_tinted_by_distance_all_the_same() -> None:
    one, two = (Level.parse(picture) for picture in ("#" + "1" * 20 + "#", "#" + "1" * 20 + "+222#"))
    assert len(np.unique(compute_tint(one)[one.walkable])) > 5
    assert len(np.unique(compute_tint(two)[0, 1:21])) == 1


def test_loops_of_a_cave_are_counted_on_the_ground() -> None:
    cave = uc.generate("cave", seed=3)
    assert panel._loop_measure(cave) == "loops"
    assert uc.measure(cave, "loops")["loops"] != 0
    assert panel._loop_measure(uc.generate("rooms-and-mazes", seed=3)) == "graph_loops"
    assert panel._loop_measure(Level.parse("...\n.#.\n...")) == "loops"


@pytest.mark.parametrize("seed", range(6))
def test_start_and_end_stand_where_their_stairs_do(seed: int) -> None:
    level = uc.generate("cave", seed=seed)
    plan = LevelView(level)
    assert level.start is not None
    assert level.end is not None
    middles = {(stair.x, stair.y): stair.middle for stair in plan.stairs}
    assert plan.marker_point(level.end) == middles[level.end]
    assert plan.path_to_stairs[0].tolist() == pytest.approx(middles[level.start])
    assert plan.path_to_stairs[-1].tolist() == pytest.approx(middles[level.end])
    discs = [
        item
        for item in shapes(render_vector(level, "dark", margin=0))
        if item.fill == dark.DISC and item.stroke in (dark.START, dark.END)
    ]
    for item, point in zip(discs, (level.end, level.start), strict=True):
        assert np.allclose(item.lines[0], circle(*middles[point], 0.78))


@pytest.mark.parametrize("style", ["dark", "plain"])
def test_room_grids_are_rooms_with_doors(style: str) -> None:
    grid = uc.generate("isaac", seed=2, expand=False)
    page = render_vector(grid, style, margin=0)
    assert [page.width, page.height] == list(grid.size)
    cell = SQUARES_PER_ROOM * 10
    image = np.asarray(
        render_picture(grid, style, cell=cell, margin=0, hide=["path", "numbers"]).convert("RGB")
    ).astype(int)
    assert image.shape[:2] == (grid.height * cell, grid.width * cell)
    doors = LevelView(expand_rooms(grid)).doors
    assert doors
    colours = (
        {"closed": dark.DOOR_COLOURS["closed"], "secret": dark.DOOR_COLOURS["secret"]}
        if style == "dark"
        else {"closed": plain._hex_colour(DOOR), "secret": plain._hex_colour(SECRET)}
    )
    for door in doors:
        x, y = (round(place / SQUARES_PER_ROOM * cell) for place in (door.x, door.y))
        around = image[max(0, y - 10) : y + 10, max(0, x - 10) : x + 10].reshape(-1, 3)
        assert (np.abs(around - rgb(colours[door.state])).sum(axis=1) < 40).any(), door


def test_the_panel_of_a_room_grid_counts_rooms_as_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = uc.generate("isaac", seed=2, expand=False)
    told: list[Level] = []
    kept = panel.build_panel

    def noted(plan: LevelView, parts: frozenset[str], level: Level, doors: dict[str, str]) -> panel.Panel | None:
        told.append(level)
        return kept(plan, parts, level, doors)

    monkeypatch.setattr(dark, "build_panel", noted)
    dark.render_scene(grid, resolve_parts("dark"), None)
    assert told == [grid]


@pytest.mark.parametrize("style", ["dark", "ink", "plain", "blueprint", "parchment", "print"])
def test_small_maps_and_room_grids_are_large_enough_to_see(style: str) -> None:
    small = Level.parse("\n".join(["#" * 14, *["#" + "." * 12 + "#"] * 9, "#" * 14]))
    assert max(render_picture(small, style).size) >= MIN_SIDE_PIXELS * 0.9
    grid = uc.generate("isaac", seed=2, expand=False)
    assert max(render_picture(grid, style).size) >= MIN_SIDE_PIXELS
