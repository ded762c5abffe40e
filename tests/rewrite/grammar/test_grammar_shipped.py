"""Grammars that come with the package and with the tests: what may come of them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

import undercroft as uc
from support.grammars import SHIPPED, letters, tiles
from support.maps import HEAVY, components
from support.paths import TESTS
from undercroft.core.rng import Rng
from undercroft.rewrite.engine.engine import Engine, apply
from undercroft.rewrite.grammar.folder import DEFAULT_STEPS, load_folder
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE

CASES = TESTS / "cases" / "grammar"


@pytest.mark.parametrize("case", sorted(path.name for path in CASES.iterdir()))
def test_case(case: str) -> None:
    """A folder: rules and base, and every map that may come out, with a blank line between."""
    found = load_folder(CASES / case)
    assert found.base is not None
    maps = {
        block.strip().replace("\n", "/")
        for block in (CASES / case / "after.txt").read_text(encoding="utf-8").split("\n\n")
    }
    seen = set()
    for seed in range(300):
        grid = found.base.copy()
        apply(found.program, grid, Rng.root(seed))
        seen.add(letters(grid))
    assert seen == maps


OPENS = {
    side: np.array([side in (tile.ports or "NESW" * tile.walkable) for tile in GRAMMAR_PALETTE.tiles])
    for side in "NESW"
}
"""Whether a tile opens to a side: corridors as they are drawn, rooms to all."""


def across(grid: NDArray[np.uint8]) -> tuple[int, int]:
    """Of the borders between two cells: how many have an opening on one side only, and how many separate cells that one
    could walk between.
    """
    loose = shut = 0
    for first, second, there, back in ((grid[:, :-1], grid[:, 1:], "E", "W"), (grid[:-1], grid[1:], "S", "N")):
        one, other = OPENS[there][first], OPENS[back][second]
        walls = ~GRAMMAR_PALETTE.walkable[first] | ~GRAMMAR_PALETTE.walkable[second]
        corridor = np.array([bool(tile.ports) for tile in GRAMMAR_PALETTE.tiles])
        loose += int(((one & corridor[first] & ~other) | (other & corridor[second] & ~one)).sum())
        shut += int((~walls & ~(one & other)).sum())
    return loose, shut


def test_the_checks_see_what_they_should() -> None:
    assert across(tiles(".C.", "rcr", ".1.")) == (3, 2), "a corridor that crosses another one without a crossing"
    assert across(tiles("rcc.")) == (1, 0)
    assert across(tiles("rc.", "rr.")) == (1, 1)
    assert across(tiles("7c9", "C.C", "1c3")) == (0, 0)
    assert across(tiles("rcr")) == (0, 0)


def test_the_base_is_whole() -> None:
    found = load_folder(SHIPPED)
    assert found.notes == ()
    assert found.base is not None
    assert across(found.base) == (0, 0)
    assert found.base.shape == (26, 72)


@pytest.mark.parametrize(
    "size", [(72, 26), *(pytest.param(size, marks=pytest.mark.long) for size in ((40, 30), (21, 60)))]
)
def test_every_corridor_leads_somewhere(size: tuple[int, int]) -> None:
    """For many seeds a size: no loose end, nobody walks where no opening is drawn, all of it is one part, and it ends
    because nothing fits.
    """
    used: Counter[str] = Counter()
    maps = set()
    seeds = 200 if HEAVY else 50
    for seed in range(seeds):
        level = uc.generate("grammar", seed=seed, size=size, tries=1)
        assert across(level.tiles) == (0, 0)
        assert components(level.walkable) == 1
        assert level == uc.generate("grammar", seed=seed, size=size, tries=1, steps=DEFAULT_STEPS * 2)
        maps.add(str(level))
        used.update(set(str(level)))
    assert len(maps) == seeds
    if size == (72, 26):
        assert set(used) == set("cC123456789rR~.\n"), "every tile is made use of"


def test_a_level_is_well_filled() -> None:
    for size in ((72, 26), (120, 60)):
        shares = sorted(
            float((uc.generate("grammar", seed=seed, size=size, steps=10_000).tiles != 0).mean()) for seed in range(20)
        )
        assert 0.2 < shares[0] < shares[-1] < 0.45, (
            "whatever the size: rooms reach its corners, and rock is left between them"
        )
    rooms = [len(uc.generate("grammar", seed=seed).rooms) for seed in range(20)]
    assert 15 < sorted(rooms)[10] < 60


def test_every_rule_and_result_of_the_package_is_used() -> None:
    found = load_folder(SHIPPED)
    assert found.base is not None
    used: Counter[tuple[int, int]] = Counter()
    for seed in range(60):
        grid = found.base.copy()
        engine = Engine(found.program, grid, Rng.root(seed), remember=True)
        engine.run(uc.Run())
        actions = [(row.rule, result) for row in engine.tables.rows for result in range(len(row.variant.results))]
        used.update(actions[action] for _, action, _, _ in engine.list_rewrites().tolist())
    rules = found.program.root.rules
    assert set(used) == {(number, result) for number, rule in enumerate(rules) for result in range(len(rule.results))}
    assert [rule.name for rule in rules] == sorted(rule.name for rule in rules)
