"""Maps that were drawn elsewhere, each with what is known of it: our numbers must agree."""

from __future__ import annotations

import numpy as np
import pytest

import undercroft as uc
from support.maps import components
from support.paths import TESTS
from undercroft.analysis.measures.table import measure
from undercroft.core.level import Level
from undercroft.formats import loads
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE

PICTURES = TESTS / "cases" / "pictures"


@pytest.mark.parametrize(
    ("name", "read_as", "loops", "size"),
    [
        ("cave", "text:cave", 23, (60, 30)),
        ("rooms", "text:rooms", 3, (81, 31)),
        ("bsp", "text:rooms", 1, (80, 40)),
        ("tinykeep", "text:tinykeep", 5, (80, 61)),
    ],
)
def test_four_pictures_of_a_survey_of_methods(name: str, read_as: str, loops: int, size: tuple[int, int]) -> None:
    level = uc.load(PICTURES / f"{name}.txt", read_as=read_as)
    assert (level.width, level.height) == size
    assert measure(level, "components", "loops", "connectivity") == {
        "components": 1,
        "loops": loops,
        "connectivity": 1.0,
    }
    found = measure(level)
    assert found["longest_path"] == found["diameter"]
    assert found["path_length"] is None, "nobody drew a start"


def test_rooms_and_mazes_of_the_survey() -> None:
    found = measure(uc.load(PICTURES / "rooms.txt", read_as="text:rooms"))
    assert found["dead_ends"] == 0
    assert (found["rooms"], found["doors"]) == (33, 36)
    assert found["leaf_rooms"] == round(25 / 33, 6)
    assert found["graph_loops"] == 3, "as many as on the grid: no room has a pillar"
    assert found["door_spacing"] == 2


def test_the_keep_of_the_survey() -> None:
    found = measure(uc.load(PICTURES / "tinykeep.txt", read_as="text:tinykeep"))
    assert (found["rooms"], found["doors"]) == (17, 0)


def test_the_tree_of_the_survey() -> None:
    found = measure(uc.load(PICTURES / "bsp.txt", read_as="text:rooms"))
    assert (found["rooms"], found["room_area_min"], found["room_area_max"]) == (18, 32, 66)


CORNERS = (
    *(
        (8, 12),
        (20, 12),
        (32, 12),
        (44, 12),
        (56, 12),
        (20, 24),
        (56, 24),
        (8, 36),
        (20, 36),
        (44, 36),
        (56, 36),
        (20, 48),
        (56, 48),
    ),
    *((8, 60), (20, 60), (32, 60), (56, 60)),
)
"""Of the rooms of the large map made by templates: 13x13 each, with shared walls."""


def test_a_large_map_made_by_templates() -> None:
    """Seventeen rooms in a tree: sixteen of their walls have a gap in the middle, and whoever goes on must pass each of
    these.
    """
    text = (PICTURES / "templates.txt").read_text()
    level = Level.parse(text.replace("_", ":"))
    assert level.size == (80, 80)
    found = measure(level, "components", "density", "rooms", "doors")
    assert found == {
        "components": components(level.walkable),
        "density": round(1818 / 6400, 6),
        "rooms": found["rooms"],
        "doors": 0,
    }
    with_pits = Level.parse(text.replace("_", "."))
    assert measure(with_pits, "components", "density") == {"components": 1, "density": round(1848 / 6400, 6)}
    gaps = {(x + 12, y + 6) for x, y in CORNERS if (x + 12, y) in CORNERS} | {
        (x + 6, y + 12) for x, y in CORNERS if (x, y + 12) in CORNERS
    }
    assert len(gaps) == 16
    draft = uc.Draft.of(with_pits)
    for x, y in gaps:
        assert draft.tiles[y, x] == uc.STANDARD["floor"]
        draft.tiles[y, x] = uc.STANDARD["opening"]
    parted = measure(
        uc.survey(draft.level()),
        "rooms",
        "doors",
        "graph_loops",
        "branching",
        "leaf_rooms",
        "choke_points",
        "door_spacing",
    )
    assert (parted["doors"], parted["graph_loops"], parted["branching"]) == (16, 0, round(32 / 17, 6))
    assert parted["rooms"] == 17
    assert parted["leaf_rooms"] == round(sum(_neighbours(corner) == 1 for corner in CORNERS) / 17, 6)
    assert int(parted["choke_points"] or 0) >= 16


def _neighbours(corner: tuple[int, int]) -> int:
    x, y = corner
    return sum(other in CORNERS for other in ((x + 12, y), (x - 12, y), (x, y + 12), (x, y - 12)))


def test_the_crossing_of_a_grammar() -> None:
    """A rule makes three cells of corridor a crossing: four ways end, and all lead through the middle."""
    before, after = (Level.parse(text, GRAMMAR_PALETTE) for text in ("...\nccc\n...", ".C.\nc5c\n.C."))
    names = ("components", "dead_ends", "choke_points", "choke_area_max", "diameter", "loops")
    assert list(measure(before, *names).values()) == [1, 2, 1, 1, 2, 0]
    assert list(measure(after, *names).values()) == [1, 4, 1, 3, 2, 0]
    assert uc.compare(before, after)["spread"] == round(2 / 9, 6)


def test_the_plus_of_a_room_grid() -> None:
    """The middle has doors on all sides, start and end have one each."""
    level = loads(b"[[0, 2, 0],\n [1, 1, 1],\n [0, 3, 0]]", "text:grid")
    found = measure(level, "rooms", "graph_loops", "leaf_rooms", "branching", "path_length", "linearity", "compactness")
    assert list(found.values()) == [5, 0, 0.8, 1.6, 2, 0.6, 0.823215]


@pytest.mark.parametrize("level", [1, 2, 4])
def test_neighbours_are_more_compact_than_drunkards(level: int) -> None:
    """What is told of the two methods: one fills the middle of the grid, the other stretches."""
    means = []
    for recipe in ("neighbours", "drunkard"):
        grids = [uc.generate(recipe, seed=seed, level=level, expand=False) for seed in range(150)]
        found = [measure(grid, "compactness", "diameter") for grid in grids]
        means.append([float(np.mean([row[name] for row in found])) for name in ("compactness", "diameter")])
    assert means[0][0] - means[1][0] > 0.15
    assert means[1][1] - means[0][1] > 1.5
