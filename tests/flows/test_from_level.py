"""The graph of a level as a flow: what recipes made can be edited as text."""

from __future__ import annotations

import pytest

import undercroft as uc
from undercroft.analysis.flows import compare_flow
from undercroft.core.flow import Flow
from undercroft.core.region import Thing
from undercroft.flows.from_level import read_level_flow
from undercroft.flows.lint import lint_flow

RECIPES = ("isaac", "bsp", "tinykeep", "rooms-and-mazes")


def test_hallways_become_links_and_doors_their_kinds() -> None:
    level = uc.Level.parse(
        """
        ###########
        #..+,,+...#
        #..####...#
        #..S....###
        #..####...#
        #######...#
        ###########
        """
    ).replace(title="Keep", things=[Thing("key", 1, 1, {"opens": "old one"}), Thing("rat", 2, 2)])
    assert str(Flow.of(level)) == (
        "flow  Keep\nroom  room-1, size 1x3 to 3x5\nroom  room-2, size 5x5 to 7x5\n"
        "link  room-1 - room-2, door\nlink  room-1 - room-2, secret\nkey   old-one in room-1"
    )


@pytest.mark.parametrize("name", RECIPES)
def test_levels_of_recipes_give_a_flow_that_hangs_together(name: str) -> None:
    for seed in range(3):
        level = uc.generate(name, seed=seed)
        flow = Flow.of(level)
        assert Flow.parse(str(flow)) == flow.without_history()
        assert len(flow.rooms) > 2
        assert len(flow.links) >= len(flow.rooms) - 1
        errors = [
            one
            for one in lint_flow(read_level_flow(level))
            if one.kind in ("parts", "locks") and one.severity == "error"
        ]
        assert errors == []
        assert level.replace(flow=flow).flow == flow


def test_a_level_is_exactly_the_flow_that_it_gave() -> None:
    """Where every hallway joins two rooms."""
    exact = uc.survey(uc.Level.parse("########\n#.+,,+.#\n########")).replace(start=(1, 1), end=(6, 1))
    assert compare_flow(exact.replace(flow=Flow.of(exact))).is_exact


def test_locks_keys_and_one_way_doors() -> None:
    level = uc.Level.parse("##########\n#.L,,+.'.#\n##########").replace(
        things=[
            Thing("lock", 2, 1, {"key": "red"}),
            Thing("key", 8, 1, {"opens": "red", "consumed": True}),
            Thing("one-way", 7, 1, {"to": "W"}),
        ],
        start=(1, 1),
        end=(8, 1),
    )
    flow = Flow.of(uc.survey(level))
    assert [(link.a, link.b, link.kind, link.key) for link in flow.links] == [
        ("room-1", "room-2", "locked", "red"),
        ("room-3", "room-2", "one-way", ""),
    ]
    assert [(thing.kind, thing.room, thing.name, thing.consumed) for thing in flow.things] == [
        ("key", "room-3", "red", True)
    ]
    assert (flow.start, flow.end) == ("room-1", "room-3")
    assert compare_flow(level.replace(flow=flow)).is_exact


def test_a_level_with_a_flow_gives_that() -> None:
    flow = Flow.parse("link a - b")
    assert Flow.of(uc.Level.parse("#.#").replace(flow=flow)) == flow


def test_start_and_end_in_one_room_are_noted() -> None:
    source = read_level_flow(uc.Level.parse("#<.>#"))
    assert source.notes == ("left out: the end, which is in the room of the start",)
    assert (source.flow.start, source.flow.end) == ("room-1", "")
