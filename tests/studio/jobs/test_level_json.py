"""What the page is told of a level beside its grids."""

from __future__ import annotations

import json

import numpy as np
import pytest

import undercroft as uc
from support.paths import ROOT
from undercroft.analysis.measures.table import MEASURES
from undercroft.core.palette import STANDARD
from undercroft.recipe.document import Recipe
from undercroft.studio.jobs import level_json


@pytest.mark.parametrize("name", ["cave", "bsp", "tinykeep", "dungeoning", "cozy", "rooms-and-mazes"])
def test_the_middle_of_a_region_is_its_cell_nearest_to_the_middle_of_its_box(name: str) -> None:
    bent = 0
    for seed in range(4):
        level = uc.generate(name, seed=seed)
        for region, spot in zip(level.regions, level_json.find_middle_cells(level), strict=True):
            off = [
                (abs(2 * x + 1 - 2 * region.x - region.width) + abs(2 * y + 1 - 2 * region.y - region.height), y, x)
                for y, x in np.argwhere(level.regions.labels == region.label).tolist()
            ]
            least = min(off)
            assert spot == (least[2], least[1])
            bent += least[0] > 1
    assert bent or name == "bsp", "else only rectangles were tried"


def test_what_is_known_of_a_level_gives_the_same_measures() -> None:
    for name in ("cave", "rooms-and-mazes"):
        result = Recipe.load(name).generate(seed=5)
        found = level_json.reuse_facts(result, lambda: False)
        assert found is result.facts
        assert level_json.measure_facts(found, list(MEASURES)) == uc.measure(result.level)


def test_the_page_knows_the_standard_tiles() -> None:
    table = (ROOT / "studio/src/canvas/standard_tiles.ts").read_text().partition("= [\n")[2].partition("\n]\n")[0]
    rows = json.loads(f"[{table.rstrip().removesuffix(',')}]")
    keys = ("name", "role", "glyph", "colour", "walkable", "opaque")
    assert [dict(zip(keys, row, strict=True)) for row in rows] == level_json.list_tiles(STANDARD)
