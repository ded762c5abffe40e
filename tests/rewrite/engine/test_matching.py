"""Patterns found 64 placements at a time, against looking everywhere."""

from __future__ import annotations

import random

import numpy as np

from support.maps import each
from support.programs import naive_matches, random_rule
from undercroft.rewrite.engine.matching import BitPlanes
from undercroft.rewrite.model.program import ANY, AS_DRAWN, Node


@each("seed", 150)
def test_places_are_those_of_a_full_search(seed: int) -> None:
    source = random.Random(seed)
    made = random_rule(source)._replace(positions=AS_DRAWN)
    width, height = source.choice([1, 3, 63, 64, 65, 127, 128, 130]), source.choice([1, 2, 5])
    tiles = np.array([[source.randrange(4) for _ in range(width)] for _ in range(height)], np.uint8)
    wanted = [(x, y) for _, x, y in naive_matches(tiles, Node("one", rules=(made,)))]
    assert [tuple(place) for place in BitPlanes(tiles).find_places(made.pattern, made.width).tolist()] == wanted


def test_wide_patterns_reach_over_words() -> None:
    tiles = np.zeros((3, 300), np.uint8)
    tiles[1, 20:150] = 1
    assert BitPlanes(tiles).find_places((2,) * 130, 130).tolist() == [[20, 1]]
    assert BitPlanes(tiles).find_places((ANY,) * 64 + (2,) + (1,), 66).tolist() == [[149 - 64, 1]]


def test_nothing_fits_and_anything_fits() -> None:
    planes = BitPlanes(np.zeros((2, 3), np.uint8))
    assert planes.find_places((0,), 1).tolist() == []
    assert planes.find_places((1,) * 8, 4).tolist() == []
    assert planes.find_places((1,) * 3, 1).tolist() == []
    assert len(planes.find_places((ANY, ANY), 2)) == 4
