"""Names of rooms on maps: where they stand, in every style that writes them."""

from __future__ import annotations

import numpy as np
import pytest

import undercroft as uc
from undercroft.core.level import Level
from undercroft.core.region import Regions, Thing
from undercroft.draw.scene.lettering import text_width
from undercroft.draw.styles.table import render_vector, resolve_parts
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.room_names import NameLabel, place_names


def crowded() -> Level:
    return uc.generate("cozy", seed=9, size=(44, 32))


def is_free(plan: LevelView, name: NameLabel, face: str) -> bool:
    """Whether letters cover nothing but free floor of their room."""
    wide = max(text_width(line, name.size, face) for line in name.lines) / 2
    high = name.size * len(name.lines) / 2
    cells = np.s_[int(name.y - high) : int(np.ceil(name.y + high)), int(name.x - wide) : int(np.ceil(name.x + wide))]
    level = plan.level
    return bool((level.walkable & ~plan.busy_cells & (level.regions.labels == name.label.label))[cells].all())


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("style", ["ink", "dark"])
def test_names_stand_on_free_floor(seed: int, style: str) -> None:
    level = uc.generate("cozy", seed=seed, size=(44, 32))
    plan = LevelView(level, shown=resolve_parts(style, show=["names"]))
    names = place_names(plan, "italic")
    assert names
    for name in names:
        assert is_free(plan, name, "italic"), name.lines


def test_a_name_does_not_stand_between_two_places_that_are_as_good() -> None:
    """A table from wall to wall in the middle of a room: the name is above it or below, not on it."""
    rows = [
        "#" * 13,
        *["#" + "1" * 11 + "#"] * 7,
        "#" * 6 + "." + "#" * 6,
        "#" + "2" * 11 + "#",
        "#" + "2" * 11 + "#",
        "#" * 13,
    ]
    level = Level.parse("\n".join(rows))
    regions = Regions(level.regions.labels, level.regions.table, names={1: "Hall"})
    full = Level(level.tiles, regions=regions, things=[Thing("table", 1, 4, {"width": 11})])
    plan = LevelView(full)
    [name] = place_names(plan, "italic")
    assert is_free(plan, name, "italic")


@pytest.mark.parametrize("style", ["ink", "parchment", "dark", "plain"])
def test_each_room_has_its_whole_name_or_its_number(style: str) -> None:
    level = crowded()
    page = render_vector(level, style, show=["names"], hide=["numbers", "legend", "title", "scale"], margin=0)
    names = {text.text for text in page.texts if text.kind == "name"}
    numbers = {text.text for text in page.texts if text.kind == "number"}
    assert not [name for name in names if "…" in name]
    for number, room in enumerate(level.rooms, 1):
        assert (room.name in names) != (str(number) in numbers), room.name
    assert names & {room.name for room in level.rooms}
