"""The measures against SciPy, networkx and loops anybody can read, over many small maps; and over levels that make no
sense.
"""

from __future__ import annotations

import math
from itertools import combinations

import networkx
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import shortest_path

import undercroft as uc
from support.maps import HEAVY, Bites, components, interpreted, soup
from undercroft.analysis import diameter, reach
from undercroft.analysis.measures.table import MEASURES, Facts, Number, measure
from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.core.region import (
    DOOR_DTYPE,
    DOOR_STATES,
    LINK_DTYPE,
    LINK_KINDS,
    REGION_DTYPE,
    REGION_KINDS,
    Regions,
    Thing,
    view_doors,
    view_links,
)
from undercroft.core.run import Run

MAPS = 5000 if HEAVY else 120
SOUPS = ("##..,+", "#....", "####..", "..,,+S", "#")
SHAPES = [(1, 1), (1, 9), (9, 1), (2, 2), (3, 7), (13, 11)]
RECIPES = ("cave", "rooms-and-mazes", "bsp", "tinykeep", "dungeoning", "maze", "walk", "isaac")


def maps(number: int) -> Level:
    """A soup, surveyed, with a start and an end on any of its cells."""
    draft = soup(number, SOUPS[number % len(SOUPS)])
    chance = np.random.default_rng(number)
    if number % 4:
        draft.start, draft.end = (
            (int(chance.integers(draft.width)), int(chance.integers(draft.height))) for _ in range(2)
        )
    return surveyed(draft.level())


def steps_between(open_cells: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Steps from every cell to every other, by SciPy; infinite where no way leads."""
    cells = np.arange(open_cells.size).reshape(open_cells.shape)
    right, down = open_cells[:, :-1] & open_cells[:, 1:], open_cells[:-1] & open_cells[1:]
    a = np.concatenate([cells[:, :-1][right], cells[:-1][down]])
    b = np.concatenate([cells[:, 1:][right], cells[1:][down]])
    graph = coo_matrix((np.ones(len(a)), (a, b)), shape=(open_cells.size, open_cells.size)).tocsr()
    found: NDArray[np.float64] = shortest_path(graph, directed=False, unweighted=True)
    return found


def longest(open_cells: NDArray[np.bool_]) -> int:
    steps = steps_between(open_cells)
    return int(steps[np.isfinite(steps)].max())


def parts_of(open_cells: NDArray[np.bool_], run: Run) -> diameter.MapParts:
    return diameter.find_parts(reach.flood_map(open_cells.view(np.uint8), np.arange(256) == 1, run), run)


def open_map(number: int) -> NDArray[np.bool_]:
    chance = np.random.default_rng(number)
    width, height = SHAPES[number % len(SHAPES)]
    found: NDArray[np.bool_] = chance.random((height, width)) < (0.35, 0.55, 0.65, 0.8, 1.0, 0.0)[number % 11 % 6]
    return found


def test_connectivity_against_scipy() -> None:
    for number in range(MAPS):
        level = maps(number)
        labels, count = ndimage.label(level.walkable)
        sizes = np.bincount(labels.reshape(-1))[1:]
        wanted = round(int(sizes.max()) / int(sizes.sum()), 6) if count else 1.0
        assert measure(level, "components", "connectivity") == {"components": count, "connectivity": wanted}


def test_parts_against_scipy() -> None:
    for number in range(MAPS):
        cells = open_map(number)
        labels, count = ndimage.label(cells)
        firsts = sorted(int(np.flatnonzero(labels.reshape(-1) == label)[0]) for label in range(1, count + 1))
        found = parts_of(cells, Run())
        assert found.firsts.tolist() == firsts
        assert found.boxes[:, 4].sum() == cells.sum()


def test_ways_against_scipy() -> None:
    """The diameter is exact; four searches never find a longer way, and hardly ever a shorter one."""
    short = 0
    for number in range(3 * MAPS):
        cells = open_map(number)
        wanted = longest(cells)
        found = parts_of(cells, Run())
        lower = diameter.diameter_lower_bound(found, Run())
        assert lower <= wanted
        assert diameter.exact_diameter(found, lower, Run()) == diameter.exact_diameter(found, 0, Run()) == wanted
        short += lower < wanted
    assert short < 3 * MAPS * 0.02


@pytest.mark.parametrize("recipe", RECIPES)
def test_four_searches_are_nearly_exact_on_levels(recipe: str) -> None:
    levels = [uc.generate(recipe, seed=seed, size=(81, 51)) for seed in range(100 if HEAVY else 10)]
    pairs = [measure(level, "longest_path", "diameter") for level in levels]
    gaps = [int(pair["diameter"] or 0) - int(pair["longest_path"] or 0) for pair in pairs]
    assert min(gaps) >= 0
    assert sum(gap > 0 for gap in gaps) <= len(gaps) // 5
    assert max(gap / int(pair["diameter"] or 1) for gap, pair in zip(gaps, pairs, strict=True)) < 1 / 6


def test_mazes_are_trees_and_so_exact() -> None:
    for seed in range(30):
        level = uc.generate("maze", seed=seed, size=(41, 31))
        found = measure(level, "longest_path", "diameter", "loops")
        assert found["loops"] == 0
        assert found["longest_path"] == found["diameter"]


@pytest.mark.parametrize("fuel", [1, 2, 7, 1 << 40])
def test_long_ways_in_bites_and_interpreted(fuel: int) -> None:
    wanted = []
    for number in range(MAPS // 3):
        found = parts_of(open_map(number), Run())
        wanted.append(diameter.diameter_lower_bound(found, Run()))
        assert diameter.diameter_lower_bound(parts_of(open_map(number), Bites(fuel)), Bites(fuel)) == wanted[-1]
    with interpreted():
        assert [
            diameter.diameter_lower_bound(parts_of(open_map(number), Run()), Bites(fuel)) for number in range(MAPS // 3)
        ] == wanted


def test_a_queue_that_is_too_short_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    hall = np.ones((90, 90), bool)
    monkeypatch.setattr(reach, "INITIAL_QUEUE_CELLS", 8)
    for fuel in (5, 1 << 40):
        assert (
            diameter.diameter_lower_bound(
                parts_of(hall, Run())._replace(boxes=np.array([[0, 0, 89, 89, 8000, 1]], np.int32)), Bites(fuel)
            )
            == 178
        )


def test_many_small_parts_are_no_trouble() -> None:
    """A hundred thousand rooms that nothing joins: full rectangles need no search, and the others one round of four."""
    block = np.zeros((4, 4), bool)
    block[:3, :3] = True
    rooms = np.tile(block, (300, 300))
    found = parts_of(rooms, Run())
    assert (
        len(found.firsts),
        diameter.diameter_lower_bound(found, Run()),
        diameter.exact_diameter(found, 0, Run()),
    ) == (
        90_000,
        4,
        4,
    )
    block[1, 1] = False
    rings = parts_of(np.tile(block, (300, 300)), Run())
    run = Run()
    assert diameter.diameter_lower_bound(rings, run) == 4
    assert run.used < 40 * rings.cells.size


def test_choke_points_by_taking_each_cell_away() -> None:
    for number in range(MAPS):
        cells = maps(number).walkable
        _, before = ndimage.label(cells)
        cut = []
        for y, x in np.argwhere(cells).tolist():
            without = cells.copy()
            without[y, x] = False
            labels, count = ndimage.label(without)
            if count > before:
                around = {
                    int(labels[b, a])
                    for a, b in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
                    if 0 <= a < cells.shape[1] and 0 <= b < cells.shape[0]
                }
                sizes = sorted(int(np.count_nonzero(labels == label)) for label in around - {0})
                cut.append(sum(sizes[:-1]))
        found = measure(maps(number), "choke_points", "choke_area_max")
        assert found == {"choke_points": len(cut), "choke_area_max": max(cut, default=0)}


def test_the_graph_against_networkx() -> None:
    for number in range(MAPS):
        level = maps(number)
        graph = level.graph.to_networkx()
        rooms = {region.label for region in level.rooms}
        degrees = [degree for label, degree in graph.degree if label in rooms]
        loops = (
            graph.number_of_edges() - graph.number_of_nodes() + networkx.number_connected_components(graph)
            if len(graph)
            else 0
        )
        basis = sum(len(networkx.cycle_basis(networkx.Graph(part))) for part in [graph] if len(graph))
        twice = graph.number_of_edges() - networkx.Graph(graph).number_of_edges()
        assert loops == basis + twice, "two links between the same regions are a way round too"
        found = measure(level, "graph_loops", "loop_ratio", "leaf_rooms", "branching", "rooms", "corridors")
        assert found == {
            "graph_loops": loops,
            "loop_ratio": round(loops / max(1, len(level.links)), 6),
            "leaf_rooms": round(degrees.count(1) / len(degrees), 6) if degrees else None,
            "branching": round(sum(degrees) / len(degrees), 6) if degrees else None,
            "rooms": len(rooms),
            "corridors": len(level.regions) - len(rooms),
        }


def test_areas_against_the_plain_formulas() -> None:
    for number in range(MAPS):
        level = maps(number)
        areas = [room.area for room in level.rooms]
        found = measure(
            level, "room_area_mean", "room_area_min", "room_area_max", "room_area_gini", "compactness", "corridor_ratio"
        )
        cells = np.argwhere(np.isin(level.regions.labels, [room.label for room in level.rooms]))
        off = float(((cells - cells.mean(axis=0)) ** 2).sum(axis=1).mean()) + 1 / 6 if len(cells) else 1.0
        passages = sum(region.area for region in level.regions if region.kind == "corridor")
        gini = sum(abs(a - b) for a in areas for b in areas) / (2 * len(areas) * sum(areas)) if areas else None
        wanted: dict[str, Number] = {
            "room_area_mean": sum(areas) / len(areas) if areas else None,
            "room_area_min": min(areas, default=None),
            "room_area_max": max(areas, default=None),
            "room_area_gini": gini,
            "compactness": len(cells) / (2 * math.pi) / off if areas else None,
            "corridor_ratio": passages / max(1, int(level.walkable.sum())),
        }
        assert found.keys() == wanted.keys()
        for name, value in wanted.items():
            assert found[name] == (value if value is None else pytest.approx(value, abs=6e-7)), (name, number)


def test_door_spacing_by_all_pairs() -> None:
    for number in range(MAPS):
        level = maps(number)
        pairs = combinations(level.doors, 2)
        wanted = min((abs(a.x - b.x) + abs(a.y - b.y) for a, b in pairs), default=None)
        assert measure(level, "door_spacing") == {"door_spacing": wanted}


def test_doors_in_any_order_and_on_the_same_cell() -> None:
    chance = np.random.default_rng(1)
    for count in range(2, 60):
        table = np.zeros(count, DOOR_DTYPE)
        table["x"], table["y"] = chance.integers(0, 200, count), chance.integers(0, 90, count)
        level = Level(
            np.ones((90, 200), np.uint8), regions=Regions.of(np.ones((90, 200), np.int32)), doors=view_doors(table)
        )
        wanted = min(abs(a.x - b.x) + abs(a.y - b.y) for a, b in combinations(level.doors, 2))
        assert measure(level, "door_spacing") == {"door_spacing": wanted}


def test_the_way_against_scipy() -> None:
    for number in range(MAPS):
        level = maps(number)
        found = measure(
            level, "path_length", "solution_length", "backtrack", "linearity", "secret_need", "secret_share"
        )
        if level.start is None or level.end is None:
            assert set(found.values()) == {None}
            continue
        (x, y), (to_x, to_y) = level.start, level.end
        steps = steps_between(level.walkable)[y * level.width + x].reshape(level.tiles.shape)
        far = steps[to_y, to_x] if level.walkable[y, x] else math.inf
        assert found["path_length"] == found["solution_length"] == (int(far) if math.isfinite(far) else None)
        assert found["backtrack"] == (0 if math.isfinite(far) else None)
        secret = level.palette.role_mask("secret")[level.tiles]
        plain = level.walkable & ~secret
        openly = (
            steps_between(plain)[y * level.width + x].reshape(level.tiles.shape)
            if plain[y, x]
            else np.full(level.tiles.shape, math.inf)
        )
        if math.isfinite(far):
            assert found["secret_need"] == (0 if math.isfinite(openly[to_y, to_x]) else 1)
        if not level.walkable[y, x]:
            assert found["secret_share"] is None
        elif plain[y, x]:
            reached, needy = np.isfinite(steps) & plain, np.isfinite(steps) & plain & ~np.isfinite(openly)
            assert found["secret_share"] == round(int(needy.sum()) / int(reached.sum()), 6)


def test_the_way_passes_as_many_rooms_as_a_shortest_one_can() -> None:
    """Linearity is that of one shortest way; it must lie between the fewest and the most rooms that any of them
    passes.
    """
    seen = 0
    for number in range(MAPS):
        level = maps(number)
        found = measure(level, "linearity")["linearity"]
        rooms = {room.label for room in level.rooms}
        if found is None or level.start is None or level.end is None:
            continue
        graph = networkx.grid_2d_graph(level.width, level.height)
        graph.remove_nodes_from([(x, y) for x, y in list(graph) if not level.walkable[y, x]])
        ways = [
            way for way, _ in zip(networkx.all_shortest_paths(graph, level.start, level.end), range(200), strict=False)
        ]
        counts = {len({int(level.regions.labels[y, x]) for x, y in way} & rooms) for way in ways}
        if len(ways) < 200:
            assert min(counts) / len(rooms) - 1e-6 <= float(found) <= max(counts) / len(rooms) + 1e-6
            seen += 1
    assert seen > MAPS // 10


# --- levels that make no sense ---


def nonsense(number: int) -> Level:
    """Tables that contradict each other and the map, as a file from elsewhere may have them."""
    chance = np.random.default_rng(number)
    height, width = (int(side) for side in chance.integers(1, 7, 2))
    count = int(chance.integers(0, 5))
    regions = np.zeros(count, REGION_DTYPE)
    regions["kind"] = chance.integers(0, len(REGION_KINDS), count)
    for name in ("x", "y", "width", "height", "area"):
        regions[name] = chance.integers(0, 9, count)
    door_table = np.zeros(int(chance.integers(0, 4)), DOOR_DTYPE)
    door_table["x"], door_table["y"] = (
        chance.integers(0, width, len(door_table)),
        chance.integers(0, height, len(door_table)),
    )
    door_table["state"] = chance.integers(0, len(DOOR_STATES), len(door_table))
    link_table = np.zeros(int(chance.integers(0, 5)), LINK_DTYPE)
    for name in ("a", "b"):
        link_table[name] = chance.integers(0, count + 1, len(link_table))
    link_table["kind"] = chance.integers(0, len(LINK_KINDS), len(link_table))
    link_table["door"] = chance.integers(-1, max(1, len(door_table)), len(link_table))
    kinds = ("key", "lock", "switch", "rat", "monster", "trap", "")
    cells = [(int(x), int(y)) for x, y in zip(chance.integers(0, width, 4), chance.integers(0, height, 4), strict=True)]
    return Level(
        chance.integers(0, len(uc.STANDARD), (height, width)).astype(np.uint8),
        regions=Regions(chance.integers(0, count + 1, (height, width)).astype(np.int32), regions),
        doors=view_doors(door_table),
        links=view_links(link_table),
        things=[
            Thing(kinds[int(chance.integers(len(kinds)))], x, y, {"key": 3, "blocks": bool(chance.integers(2))})
            for x, y in cells[2:]
        ],
        start=cells[0] if number % 3 else None,
        end=cells[1] if number % 5 else None,
    )


def test_no_level_breaks_a_measure() -> None:
    for number in range(3 * MAPS):
        found = measure(nonsense(number))
        assert list(found) == list(MEASURES)
        for name, value in found.items():
            kind = MEASURES[name].kind
            assert value is None or (
                isinstance(value, int) if kind in ("count", "flag") else isinstance(value, float)
            ), name
            assert value is None or kind == "number" or value >= 0, name
            assert value is None or kind != "share" or value <= 1, name


@pytest.mark.parametrize("size", [(1, 1), (1, 50), (50, 1), (2, 2)])
@pytest.mark.parametrize("role", ["wall", "floor", "corridor", "door", "locked", "secret", "water"])
def test_maps_of_one_tile(size: tuple[int, int], role: str) -> None:
    level = uc.Draft(*size, fill=role).level()
    found = measure(level)
    assert list(found) == list(MEASURES)
    walkable = role not in ("wall", "water")
    assert found["components"] == int(walkable) == components(level.walkable)
    assert found["longest_path"] == found["diameter"] == (size[0] + size[1] - 2 if walkable else None)
    assert found["path_length"] is found["linearity"] is None


def test_compiled_as_interpreted() -> None:
    levels = [maps(number) for number in range(MAPS)] + [nonsense(number) for number in range(MAPS)]
    quick = [measure(level) for level in levels]
    with interpreted():
        assert [measure(level) for level in levels] == quick


def test_bites_of_any_size() -> None:
    for number in range(MAPS):
        level = maps(number)
        wanted = measure(level)
        facts = Facts(level, Bites(1 + number % 9))
        assert {name: entry.of(facts) for name, entry in MEASURES.items()} == wanted


def test_spread_of_areas_and_share_of_dead_ends_against_numpy() -> None:
    for number in range(MAPS):
        level = maps(number)
        areas = [room.area for room in level.rooms]
        found = measure(level, "room_area_stdev", "dead_end_ratio", "dead_ends")
        assert found["room_area_stdev"] == (pytest.approx(float(np.std(areas)), abs=1e-6) if areas else None)
        kinds = [*(region.kind for region in level.regions)]
        cells = [(x, y) for y, x in np.argwhere(level.walkable).tolist()]
        outside = [
            cell
            for cell in cells
            if not (label := level.regions.labels[cell[1], cell[0]]) or kinds[label - 1] in ("corridor", "cave")
        ]
        assert found["dead_end_ratio"] == round(int(found["dead_ends"] or 0) / max(1, len(outside)), 6)


def test_branching_counts_rooms_by_their_links() -> None:
    for number in range(0, MAPS, 5):
        level = maps(number)
        wanted = [sum((link.a == room.label) + (link.b == room.label) for link in level.links) for room in level.rooms]
        found = level.graph.branching()
        assert found == {links: wanted.count(links) for links in sorted(set(wanted))}
        if level.rooms:
            assert measure(level, "branching") == {
                "branching": round(sum(links * count for links, count in found.items()) / len(level.rooms), 6)
            }
