from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import undercroft as uc
from support.maps import draft_of
from undercroft.core.draft import FACTS, LAYER_FACTS, Draft
from undercroft.core.flow import Flow
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.region import Thing
from undercroft.errors import BadInput


def test_a_draft_begins_as_rock() -> None:
    draft = Draft(4, 2)
    assert (draft.width, draft.height, str(draft)) == (4, 2, "####\n####")
    assert str(Draft(2, 1, fill="floor")) == ".."
    assert (draft.regions, draft.start, draft.end, draft.path, draft.frozen) == (None, None, None, None, None)
    assert (len(draft.doors), len(draft.links), draft.things, draft.layers) == (0, 0, [], {})


def test_a_draft_needs_a_tile_with_the_role() -> None:
    with pytest.raises(BadInput, match="no tile with the role 'wall'"):
        Draft(2, 2, Palette([STANDARD.tiles[2]], "only floor"))


def test_a_draft_of_a_level_and_back() -> None:
    for recipe in ("cave", "rooms-and-mazes"):
        level = uc.generate(recipe, seed=3, size=(41, 31))
        again = Draft.of(level).level(level.provenance)
        assert again == level
        assert again.provenance == level.provenance


def test_changing_a_draft_does_not_touch_its_level() -> None:
    level = uc.generate("cave", seed=3, size=(40, 30))
    before = uc.generate("cave", seed=3, size=(40, 30))
    assert "tunnel" in level.layers
    draft = Draft.of(level)
    draft.tiles[:] = 0
    draft.layers["tunnel"][:] = True
    draft.layers["more"] = draft.tiles
    draft.things.append(Thing("chest", 1, 1))
    draft.forget(FACTS)
    assert level == before


def test_a_level_takes_the_arrays_over_without_copying() -> None:
    draft = Draft(4, 2)
    tiles = draft.tiles
    level = draft.level()
    assert level.tiles is tiles
    with pytest.raises(ValueError, match="read-only"):
        draft.tiles[0, 0] = 2


def test_a_level_of_a_part_of_a_larger_array_is_a_copy() -> None:
    draft = Draft(4, 4)
    whole = draft.tiles
    draft.tiles = whole[1:3]
    level = draft.level()
    whole[:] = 2
    assert str(level) == "####\n####"


@pytest.mark.parametrize("fact", FACTS)
def test_one_fact_is_forgotten_and_no_other(fact: str) -> None:
    draft = Draft.of(uc.generate("rooms-and-mazes", seed=3, size=(41, 31)))
    for layer in LAYER_FACTS:
        draft.layers[layer] = draft.tiles == 2
    draft.things = [Thing("chest", 1, 1)]
    draft.flow = Flow()
    facts: dict[str, Callable[[], bool]] = {
        "tiles": lambda: bool(draft.tiles.any()),
        "regions": lambda: draft.regions is not None,
        "doors": lambda: len(draft.doors) > 0,
        "links": lambda: len(draft.links) > 0,
        "ends": lambda: draft.start is not None and draft.end is not None,
        "path": lambda: draft.path is not None,
        **{layer: lambda layer=layer: layer in draft.layers for layer in LAYER_FACTS},  # type: ignore[misc]
        "things": lambda: len(draft.things) > 0,
        "flow": lambda: draft.flow is not None,
    }
    assert facts.keys() | {"locks"} == set(FACTS), "locks are things; that they hold, recipes see to"
    assert all(known() for known in facts.values())
    draft.forget([fact])
    assert [name for name, known in facts.items() if not known()] == ([fact] if fact not in ("tiles", "locks") else [])


def test_a_draft_may_be_resized() -> None:
    draft = draft_of("#.#")
    draft.tiles = np.pad(draft.tiles, 1, constant_values=1)
    assert (draft.width, draft.height) == (5, 3)
    assert str(draft.level()) == "#####\n##.##\n#####"


def test_the_sides_of_rooms_go_with_the_doors() -> None:
    draft = Draft(3, 3)
    draft.layers["doors"] = draft.layers["height"] = np.zeros((3, 3), np.uint8)
    draft.forget(FACTS)
    assert list(draft.layers) == ["height"], "a layer of the user is the user's"


def full() -> Draft:
    """A draft that knows something of everything."""
    draft = Draft.of(uc.generate("rooms-and-mazes", seed=3, size=(41, 31)))
    draft.layers = dict.fromkeys((*LAYER_FACTS, "doors", "height"), draft.tiles == 2)
    draft.things = [Thing("chest", 1, 1), Thing("rat", 40, 30)]
    draft.frozen = np.zeros(draft.tiles.shape, bool)
    draft.frozen[30, 40] = True
    return draft


def test_a_map_that_begins_anew_knows_nothing_of_the_old_one() -> None:
    draft = full()
    draft.begin_anew(np.zeros((2, 3), np.uint8), STANDARD)
    assert (draft.width, draft.height) == (3, 2)
    assert (draft.regions, draft.start, draft.end, draft.path, draft.frozen) == (None, None, None, None, None)
    assert (len(draft.doors), len(draft.links), draft.things, draft.layers) == (0, 0, [], {})
    draft.level()


def test_what_is_frozen_stays_so_on_a_map_of_the_same_size() -> None:
    draft = full()
    draft.begin_anew(np.zeros((31, 41), np.uint8), STANDARD)
    assert draft.frozen is not None
    assert draft.things == [Thing("rat", 40, 30)], "its ground is put back"
