"""Large rooms and caves are divided at their narrow places."""

from __future__ import annotations

import numpy as np
import pytest

import undercroft as uc
from support.maps import after, components, draft_of, soup, spans
from undercroft.analysis.survey import surveyed
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.region import Regions
from undercroft.recipe.catalogue import names
from undercroft.steps.facts.areas import Areas
from undercroft.steps.facts.ends import Ends
from undercroft.steps.facts.survey import Survey


def check_parts(before: Level, now: Level, least_room: int, least_part: int) -> int:
    """Parts cover their rooms, hang together, are large enough and are linked. Returns how many were added."""
    old, new = before.regions, now.regions
    assert np.array_equal(old.labels > 0, new.labels > 0)
    owners = {}
    for region in new:
        cells = new.labels == region.label
        whose = set(old.labels[cells].tolist())
        assert len(whose) == 1, "a part lies in one room"
        owners[region.label] = whose.pop()
        owner = old[owners[region.label] - 1]
        assert (region.kind, region.tags, region.template) == (owner.kind, owner.tags, owner.template)
        ys, xs = np.nonzero(cells)
        assert (region.x, region.y, region.area) == (xs.min(), ys.min(), len(xs))
        assert (region.width, region.height) == (int(np.ptp(xs)) + 1, int(np.ptp(ys)) + 1)
        whole = owner.area == region.area
        assert whole or (owner.kind != "corridor" and owner.area >= least_room)
        if not whole:
            assert components(cells) == 1
            assert region.area >= least_part or components(old.labels == owner.label) > 1
    for owner in old:
        parts = [label for label, of in owners.items() if of == owner.label]
        largest = max(parts, key=lambda label: (new[label - 1].area, -label))
        assert new[owner.label - 1].area == new[largest - 1].area
        assert {new[label - 1].name for label in parts} <= {owner.name, ""}
    links = {frozenset((link.a, link.b)) for link in now.links if link.kind == "open"}
    labels = new.labels
    for mine, theirs in ((labels[:, :-1], labels[:, 1:]), (labels[:-1], labels[1:])):
        for a, b in np.stack((mine[mine != theirs], theirs[mine != theirs]), 1).tolist():
            if a and b and owners[a] == owners[b]:
                assert frozenset((a, b)) in links
    return len(new) - len(old)


@pytest.mark.parametrize("seeds", spans(20, quick=2, block=2))
@pytest.mark.parametrize("recipe", sorted(names()))
def test_parts_of_every_recipe(recipe: str, seeds: range) -> None:
    for seed in seeds:
        before = uc.generate(recipe, seed=seed)
        check_parts(before, after(Areas(), Draft.of(before)).level(), 151, 20)


@pytest.mark.parametrize("recipe", ["cave", "walk"])
def test_caves_have_many_parts_of_a_room_s_size(recipe: str) -> None:
    areas = []
    for seed in range(10):
        level = after(Areas(), Draft.of(uc.generate(recipe, seed=seed, size=(81, 51)))).level()
        areas += [region.area for region in level.regions]
    assert len(areas) > 100
    assert 25 < np.median(areas) < 150


def test_any_map() -> None:
    added = 0
    for seed in range(150):
        draft = after(Ends(), after(Survey(kind="cave"), soup(seed, "##.....", 24)))
        before = draft.level()
        step = Areas(least_room=1 + seed % 60, least_part=1 + seed % 25)
        now = after(step, Draft.of(before)).level()
        added += check_parts(before, now, step.least_room, step.least_part)
        assert now.tiles.tolist() == before.tiles.tolist()
        assert after(Survey(kind="cave"), Draft.of(now)).level() == before, "a survey merges them"
    assert added > 100


def test_doors_and_links_follow() -> None:
    level = Level.parse("""
        ################
        #.....##......##
        #.....##......##
        +.............+.
        #.....##......##
        #.....##......##
        ################
    """)
    draft = after(Areas(least_room=40), after(Survey(), Draft.of(level)))
    assert draft.regions is not None
    at = draft.regions.labels
    west, east, out = int(at[3, 1]), int(at[3, 13]), int(at[3, 15])
    assert len({west, east, out}) == 3
    assert {(door.x, frozenset((door.a, door.b))) for door in draft.doors} == {
        (0, frozenset((west, 0))),
        (14, frozenset((east, out))),
    }
    assert {frozenset((link.a, link.b)) for link in draft.links} == {frozenset((west, east)), frozenset((east, out))}


def test_rooms_without_narrow_places_stay_whole() -> None:
    for size in ((13, 12), (40, 9), (5, 80), (60, 60)):
        draft = Draft(*size, fill="floor")
        assert len(after(Areas(), after(Survey(), draft)).regions or ()) == 1
    halls = Draft(60, 3)
    halls.tiles[1] = halls.palette.role("corridor")
    assert len(after(Areas(least_room=2, least_part=1), after(Survey(), halls)).regions or ()) == 1


def test_small_parts_join_what_they_touch_most() -> None:
    drawn = """
        ############
        #.....##...#
        #..........#
        #.....##...#
        #.....##...#
        ############
    """
    assert len(after(Areas(least_room=20, least_part=11), after(Survey(), draft_of(drawn))).regions or ()) == 2
    assert len(after(Areas(least_room=20, least_part=15), after(Survey(), draft_of(drawn))).regions or ()) == 1


def test_water_divides_nothing_anew() -> None:
    """Cells of a room that cannot be walked on stay with it."""
    draft = Draft(30, 12, fill="floor")
    draft.tiles[4:7, 3:27] = draft.palette.role("water")
    labels = np.ones((12, 30), np.int32)
    draft.regions = Regions.of(labels)
    now = after(Areas(), draft)
    assert now.regions is not None
    assert (now.regions.labels > 0).all()


def test_the_finish_inhabited_numbers_furnishes_and_names_the_parts_of_a_cave() -> None:
    for seed in range(4):
        level = uc.generate("cave", seed=seed, then="inhabited")
        assert len(level.rooms) > 5
        homes = {level.regions.labels[thing.y, thing.x] for thing in level.things}
        assert len(homes) > len(level.rooms) // 3
        assert sum(bool(room.name) for room in level.rooms) > 2
        assert [(room.kind, room.area) for room in surveyed(level, kind="cave").rooms] == [
            ("cave", sum(room.area for room in level.rooms))
        ]
