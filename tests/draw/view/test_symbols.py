"""Signs: each stays in its cells, turns as it should, and says what it means."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from undercroft.core.region import Thing
from undercroft.draw.scene.scene import Scene, Shape
from undercroft.draw.view.furniture_signs import SIZED_SIGNS
from undercroft.draw.view.level_view import Doorway
from undercroft.draw.view.symbols import (
    Inks,
    Sign,
    box,
    door_sign,
    draw_signs,
    pillar_sign,
    pit_sign,
    place_door_sign,
    place_sign,
    stair_sign,
    stroke,
    water_sign,
)
from undercroft.draw.view.thing_symbols import (
    load_signs,
    load_turning_names,
    place_thing_sign,
    resolve_sign_name,
    thing_sign,
)
from undercroft.things import shipped

STATES = ("open", "closed", "locked", "secret")
INKS = Inks("#000000", "#ffffff", "#888888")


def extent(sign: Sign) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of all that is painted, lines and all."""
    lows, highs = [], []
    for part in sign:
        points = np.concatenate(part.lines)
        lows.append(points.min(axis=0) - part.width / 2)
        highs.append(points.max(axis=0) + part.width / 2)
    return (*np.min(lows, axis=0), *np.max(highs, axis=0))


def kinds() -> Iterator[str]:
    yield from shipped.load_things("dungeon").types


@pytest.mark.parametrize("kind", sorted({*load_signs(), *SIZED_SIGNS}))
def test_signs_stay_in_their_cell(kind: str) -> None:
    left, top, right, bottom = extent(thing_sign(kind))
    assert left >= -0.53
    assert top >= -0.53
    assert right <= 0.53
    assert bottom <= 0.53
    assert right - left > 0.2
    assert all(part.fill in ("", "ink", "paper", "tone") for part in thing_sign(kind))
    assert any(part.width or part.fill == "ink" for part in thing_sign(kind)), "one can see it"


@pytest.mark.parametrize("kind", sorted(SIZED_SIGNS))
@pytest.mark.parametrize("size", [(2, 1), (1, 2), (4, 1), (3, 3)])
def test_furniture_fills_its_cells(kind: str, size: tuple[int, int]) -> None:
    left, top, right, bottom = extent(thing_sign(kind, "", *size))
    assert left >= -size[0] / 2 - 0.03
    assert right <= size[0] / 2 + 0.03
    assert top >= -size[1] / 2 - 0.03
    assert bottom <= size[1] / 2 + 0.03
    assert right - left > size[0] * 0.55 or kind in {"coffin", "sarcophagus", "burial niche", "grave", "tomb"}


def test_every_kind_that_we_ship_is_drawn() -> None:
    drawn = {kind: resolve_sign_name(kind, "") for kind in kinds()}
    assert {kind for kind, name in drawn.items() if name == "unknown"} == set()
    assert {kind for kind, name in drawn.items() if name != kind} == set(), "each by its own name"


def test_kinds_that_nobody_drew_are_guessed_by_a_word_or_a_group() -> None:
    assert resolve_sign_name("Skeleton Key") == "key"
    assert resolve_sign_name("one-eyed goblin") == "goblin"
    assert resolve_sign_name("owlbear", "monster") == "monster"
    assert resolve_sign_name("owlbear") == "unknown"
    assert resolve_sign_name("") == "unknown"


@given(st.text(max_size=20), st.text(max_size=8))
def test_any_kind_has_a_sign(kind: str, group: str) -> None:
    assert thing_sign(kind, group)


@pytest.mark.parametrize(("facing", "side"), [("N", 3), ("S", 1), ("E", 0), ("W", 2)])
def test_furniture_stands_with_its_back_to_the_wall(facing: str, side: int) -> None:
    """A shelf is behind the middle of its cell, seen from where it faces."""
    sign = place_thing_sign(
        Thing(
            "shelf", 4, 7, {"facing": facing, "width": 2 if facing in "NS" else 1, "height": 1 if facing in "NS" else 2}
        )
    )
    edges = extent(sign)
    cells = (4, 7, 6 if facing in "NS" else 5, 8 if facing in "NS" else 9)
    touched = int(np.argmin(np.abs(np.array(edges) - cells)))
    assert touched == side
    assert all(
        low - 0.01 <= edge <= high + 0.01
        for edge, low, high in zip(edges, (*cells[:2], *cells[:2]), (*cells[2:], *cells[2:]), strict=True)
    )


def test_monsters_stand_upright_whatever_they_face() -> None:
    assert "throne" in load_turning_names()
    assert not {"goblin", "skeleton", "guard", "key"} & load_turning_names()
    for facing in "NESW":
        found, plain = (
            place_thing_sign(Thing("goblin", 0, 0, {"facing": facing})),
            place_thing_sign(Thing("goblin", 0, 0)),
        )
        assert all(
            np.array_equal(a, b)
            for one, other in zip(found, plain, strict=True)
            for a, b in zip(one.lines, other.lines, strict=True)
        )


@pytest.mark.parametrize(
    "data",
    [{"facing": "up"}, {"facing": 3}, {"width": 0, "height": -2}, {"width": "wide"}, {"width": 10**9}, {"group": 7}],
)
def test_odd_data_do_no_harm(data: dict[str, str | int]) -> None:
    left, _, right, _ = extent(place_thing_sign(Thing("table", 3, 3, data)))
    assert 3 <= left < right <= 3 + 64


def test_doors_differ_by_state_and_lie_in_their_wall() -> None:
    seen = set()
    for state in STATES:
        for level in (False, True):
            left, top, right, bottom = extent(place_door_sign(Doorway(5, 5, level, state)))
            across, along = (bottom - top, right - left) if level else (right - left, bottom - top)
            assert across == pytest.approx(1.06, abs=0.1), "from jamb to jamb"
            assert along <= 0.9
        seen.add(repr([(part.fill, [line.tolist() for line in part.lines]) for part in door_sign(state)]))
    assert len(seen) == 4


@pytest.mark.parametrize(("to", "off"), [("N", (0, -1)), ("E", (1, 0)), ("S", (0, 1)), ("W", (-1, 0))])
def test_arrows_of_one_way_doors_point_where_they_lead(to: str, off: tuple[int, int]) -> None:
    arrow = place_door_sign(Doorway(0, 0, to in "EW", "closed", to))[-1].lines[0]
    tip = arrow[-1] - 0.5
    assert (np.rint(tip * 2) == off).all()


def test_stairs_down_get_narrower_into_the_dark() -> None:
    up, down = stair_sign(up=True), stair_sign(up=False)
    widths = [float(np.ptp(line[:, 0])) for line in down[1].lines]
    assert widths == sorted(widths, reverse=True)
    assert len({round(float(np.ptp(line[:, 0])), 6) for line in up[1].lines}) == 1
    assert any(part.fill == "ink" for part in down)
    assert not any(part.fill == "ink" for part in up)


def test_the_letter_of_a_secret_door_is_upright_either_way() -> None:
    letters = [place_door_sign(Doorway(0, 0, level, "secret"))[-1].lines for level in (False, True)]
    assert all(np.array_equal(one, other) for one, other in zip(*letters, strict=True))


def test_signs_are_painted_part_by_part() -> None:
    scene = Scene(9, 9, "#ffffff")
    draw_signs(scene, [place_sign(box_and_line(), x, 4) for x in range(1, 8)], INKS)
    assert [(item.fill, item.stroke, len(item.lines)) for item in scene.items if isinstance(item, Shape)] == [
        ("#ffffff", "#000000", 7),
        ("", "#000000", 7),
    ]
    draw_signs(Scene(1, 1, "#ffffff"), [], INKS)


def box_and_line() -> Sign:
    return [box(-0.3, -0.3, 0.3, 0.3), stroke((-0.3, 0), (0.3, 0))]


@pytest.mark.parametrize(
    "sign", [pillar_sign(0, 0), water_sign(), pit_sign(), stair_sign(up=True), stair_sign(up=False)]
)
def test_marks_of_legends_fit_in_a_cell(sign: Sign) -> None:
    left, top, right, bottom = extent(sign)
    assert min(left, top) >= -0.52
    assert max(right, bottom) <= 0.52
