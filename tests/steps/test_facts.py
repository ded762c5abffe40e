"""What a draft knows after a step: what is no longer true is forgotten, whatever the steps before were."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from support.digests import CASES, halls
from support.maps import HEAVY, after, draft_of
from undercroft.analysis.room_grids import plan_room_grid
from undercroft.analysis.survey import survey_tiles
from undercroft.core.draft import FACTS, LAYER_FACTS, TILE_FACTS, Draft
from undercroft.core.palette import look_up_tiles
from undercroft.core.region import REGION_KINDS, Thing
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import BadInput, NotMet, UndercroftError
from undercroft.recipe.document import Recipe
from undercroft.steps import STEPS, Step
from undercroft.steps.caves.automaton import Automaton
from undercroft.steps.caves.join import Join
from undercroft.steps.facts.chokes import Chokes
from undercroft.steps.facts.ends import Ends
from undercroft.steps.facts.survey import Survey
from undercroft.steps.finish.lakes import Lakes
from undercroft.steps.finish.rewrite import Rewrite
from undercroft.steps.finish.roles import Roles
from undercroft.steps.finish.secrets import Secrets
from undercroft.steps.grids.expand import Expand
from undercroft.steps.grids.room_grid import RoomGrid
from undercroft.steps.links.hallways import Hallways
from undercroft.steps.links.loops import Loops
from undercroft.steps.links.triangulate import Triangulate
from undercroft.steps.rooms.chambers import Chambers
from undercroft.steps.rooms.layout_rooms import SOCKET
from undercroft.steps.rooms.scatter import Scatter
from undercroft.steps.rooms.split import Siblings, Split
from undercroft.steps.start.fill import Fill
from undercroft.steps.start.noise import Noise
from undercroft.steps.step import all_facts_but, describe_step

ANEW = ("fill", "noise", "room-grid", "expand", "hilbert", "labyrinth")
"""Steps after which nothing of the map before is left."""


def use(*names: str) -> str:
    return "".join(f'[[step]]\nuse = "{name}"\n' for name in names)


# --- the whole map ----------------------------------------------------------------------------------------------------


def test_what_begins_a_map_anew_gives_or_spoils_every_fact() -> None:
    assert {name for name, step in STEPS.items() if "tiles" in step.gives} <= {*ANEW}
    for name in ANEW:
        assert {"tiles", *STEPS[name].gives, *STEPS[name].spoils} == {*FACTS}, name
    assert all_facts_but("tiles", "links") == ("regions", "doors", *TILE_FACTS[3:], "things", "flow")


@pytest.mark.parametrize("name", ANEW)
def test_things_do_not_outlive_their_map(name: str) -> None:
    """Else they would lie in rock, or outside."""
    begin = uc.generate("cave", seed=1, size=(60, 60))
    kept = Draft.of(begin)
    kept.things = [Thing("chest", x, y) for y, x in np.argwhere(begin.walkable).tolist()]
    level = Recipe.parse('begins = ["tiles"]\n' + use(name), "anew.toml").generate(seed=1, begin=kept.level()).level
    assert level.things == ()


@pytest.mark.parametrize("name", ["fill", "noise", "hilbert", "labyrinth"])
def test_things_on_frozen_cells_stay(name: str) -> None:
    draft = Draft(21, 21, fill="floor")
    draft.things = [Thing("altar", 3, 4), Thing("rat", 9, 9)]
    frozen = np.zeros((21, 21), bool)
    frozen[4, 3] = True
    level = (
        Recipe.parse('begins = ["tiles"]\n' + use(name), "anew.toml")
        .generate(seed=1, begin=draft.level(), frozen=frozen)
        .level
    )
    assert [thing.kind for thing in level.things] == ["altar"]


@pytest.mark.parametrize("name", [name for name in STEPS if name not in ANEW])
def test_things_outlive_what_others_do(name: str) -> None:
    assert "things" not in STEPS[name].spoils


def test_a_grid_that_is_not_expanded_is_as_it_was() -> None:
    draft = after(Chokes(), after(RoomGrid(), Draft(80, 50)))
    draft.things = [Thing("chest", 3, 3)]
    after(Expand(expand=False), draft)
    assert draft.things == [Thing("chest", 3, 3)]
    assert {"doors", "choke"} <= draft.layers.keys()


# --- layers -----------------------------------------------------------------------------------------------------------


def streets(number: int) -> Draft:
    """Rooms, passages and doors, known as regions with links between them."""
    return after(Ends(), Draft.of(uc.generate("rooms-and-mazes", seed=number, size=(31, 21), extra=0.3)))


def cave(number: int) -> Draft:
    draft = after(Automaton(rounds=3), after(Noise(wall=0.47), Draft(30, 20), seed=number))
    return after(Ends(), after(Triangulate(), after(Survey(kind="cave"), after(Join(), draft, seed=number))))


def keep(number: int) -> Draft:
    """A map cut in cells; with rooms in them; with ways between these."""
    draft = after(Split(depth=3), Draft(40, 30), seed=number)
    if number % 3:
        after(Siblings(), after(Chambers(fill=1.0), draft, seed=number))
    else:
        after(Triangulate(), draft)
    return after(Hallways(doors=0.5), draft, seed=number) if number % 3 == 2 else draft


def grid(number: int) -> Draft:
    return after(
        RoomGrid(method=("isaac", "neighbours", "drunkard")[number % 3], valid=(), rooms=9), Draft(40, 30), seed=number
    )


def joined(number: int) -> Draft:
    """Caves, and rooms with mazes between them, made one by tunnels."""
    return cave(number) if number % 3 else after(Join(), halls(), seed=number)


def choked(number: int) -> Draft:
    return after(Chokes(), (streets, cave, keep, grid, lambda _: halls())[number % 5](number // 5))


def chapels(number: int) -> Draft:
    """Rooms that may be entered at some places only."""
    layouts = (("chapel",), ("vault", "L"))[number % 2]
    draft = after(
        Chambers(layouts=layouts, fill=0.6, margin=1),
        after(Split(depth=2, min_width=10, min_height=8), Draft(50, 30), seed=number),
        seed=number,
    )
    return after(Triangulate(), draft)


def is_sockets(draft: Draft, _: Draft) -> bool:
    """All that is marked is rock, and behind every socket there is ground."""
    layer = draft.layers["sockets"]
    ground = np.pad(look_up_tiles(draft.palette.walkable, draft.tiles), 1)
    beside = ground[:-2, 1:-1] | ground[2:, 1:-1] | ground[1:-1, :-2] | ground[1:-1, 2:]
    return not look_up_tiles(~draft.palette.rock, draft.tiles)[layer > 0].any() and bool(beside[layer == SOCKET].all())


def is_split(draft: Draft, before: Draft) -> bool:
    """The tree is as it was, and no room lies on a line of it."""
    lines = draft.layers["split"] > 0
    labels = np.zeros_like(lines, np.int32) if draft.regions is None else draft.regions.labels
    in_room = (
        np.append(False, draft.regions.table["kind"] != REGION_KINDS.index("corridor"))[labels]
        if draft.regions is not None
        else labels > 0
    )
    floor = look_up_tiles(draft.palette.role_mask("floor"), draft.tiles)
    return np.array_equal(lines, before.layers["split"] > 0) and not (lines & (in_room | floor)).any()


def is_choke(draft: Draft, _: Draft) -> bool:
    fresh = Draft(draft.width, draft.height)
    fresh.tiles, fresh.palette = draft.tiles, draft.palette
    return np.array_equal(draft.layers["choke"], after(Chokes(), fresh).layers["choke"])


def is_tunnel(draft: Draft, before: Draft) -> bool:
    """What was dug is open, and all that was is in it."""
    dug, was = draft.layers["tunnel"], before.layers["tunnel"]
    return bool(dug[was].all() and look_up_tiles(draft.palette.walkable, draft.tiles)[dug].all())


def is_doors(draft: Draft, _: Draft) -> bool:
    return np.array_equal(
        draft.layers["doors"], plan_room_grid(look_up_tiles(draft.palette.walkable, draft.tiles)).doors
    )


LAYER_OF: dict[str, tuple[Callable[[int], Draft], Callable[[Draft, Draft], bool]]] = {
    "split": (keep, is_split),
    "choke": (choked, is_choke),
    "sockets": (chapels, is_sockets),
    "tunnel": (joined, is_tunnel),
    "doors": (grid, is_doors),
}
MORE: tuple[Step, ...] = (
    Loops(detour=4, role="floor"),
    Lakes(share=0.8),
    Rewrite(rules="all  . -> #, once"),
    Rewrite(rules="all  # -> ., once"),
)


@functools.cache
def level(layer: str, number: int) -> uc.Level:
    return LAYER_OF[layer][0](number).level()


@pytest.mark.parametrize("layer", LAYER_OF)
@pytest.mark.parametrize("step", [*(step for step, _ in CASES), *MORE], ids=str)
def test_no_layer_is_left_that_is_no_longer_true(layer: str, step: Step) -> None:
    is_true = LAYER_OF[layer][1]
    for number in range(15 if HEAVY else 6):
        before = Draft.of(level(layer, number))
        if layer not in before.layers:
            continue
        assert is_true(before, before)
        try:
            draft = after(step, Draft.of(level(layer, number)), seed=number)
        except UndercroftError:  # a palette without the tiles it takes, or no place for what must stand
            continue
        for found in draft.layers.values():
            assert found.shape == draft.tiles.shape
        if layer in draft.layers:
            assert is_true(draft, before) or layer in step.gives


@pytest.mark.parametrize(
    ("layer", "step"),
    [
        ("split", Scatter()),
        ("choke", Lakes(share=0.8)),
        ("sockets", Hallways()),
        ("tunnel", Fill()),
        ("doors", Fill(role="floor")),
    ],
    ids=str,
)
def test_a_layer_that_nobody_forgets_is_found_out(layer: str, step: Step) -> None:
    start, is_true = LAYER_OF[layer]
    number = next(number for number in range(8) if layer in start(number).layers)
    draft = start(number)
    step.apply(draft, Rng.root(1).stream("step"), Run())
    assert not is_true(draft, start(number))


def test_layers_that_stay_and_that_go() -> None:
    assert "choke" in after(Roles(), choked(1)).layers
    assert "choke" not in after(Hallways(), choked(7)).layers
    assert "choke" in after(Secrets(share=1.0), choked(0)).layers
    assert "choke" not in after(Lakes(share=0.5), choked(0)).layers
    assert "split" in after(Lakes(share=0.5), keep(2)).layers
    assert "split" not in after(Scatter(), keep(0)).layers
    assert "tunnel" in after(Loops(), next(cave(k) for k in range(9) if "tunnel" in cave(k).layers)).layers
    assert "doors" in after(Ends(), grid(1)).layers
    assert (
        "doors" not in after(Rewrite(rules="tile room = 1, floor\ntile empty = 0, void\nall  0 -> 1"), grid(1)).layers
    )


@pytest.mark.parametrize("step", [step for step, _ in CASES], ids=str)
def test_a_step_gives_the_layers_that_it_makes(step: Step) -> None:
    for start in (streets, cave, keep):
        draft = start(1)
        draft.layers = {}
        with suppress(NotMet):  # no place for what must stand
            made = after(step, draft).layers.keys()
            assert {*made} <= {*step.gives}


def test_every_layer_is_tried() -> None:
    assert {*LAYER_OF} == {*LAYER_FACTS, "doors"}
    assert {describe_step(type(step)).name for step, _ in CASES} == {*STEPS}


def test_a_recipe_forgets_as_its_steps_say() -> None:
    text = use("noise", "join", "chokes")
    assert "choke" in Recipe.parse(text, "look.toml").generate(seed=1, size=(30, 20)).level.layers
    assert "choke" not in Recipe.parse(text + use("lakes"), "look.toml").generate(seed=1, size=(30, 20)).level.layers


# --- rules ------------------------------------------------------------------------------------------------------------

RATS = "thing rat = r, on .\none  . -> r, up to 3 times"
PLAIN = """
    #########
    #...#...#
    #...+...#
    #...#...#
    #########
"""


def draft_with_facts() -> Draft:
    return after(Ends(), after(Chokes(), after(Survey(), PLAIN)))


def facts_known(draft: Draft) -> dict[str, Any]:
    return {
        "regions": draft.regions is not None,
        "doors": len(draft.doors),
        "links": len(draft.links),
        "ends": draft.start,
        "path": None if draft.path is None else draft.path.tolist(),
        "choke": "choke" in draft.layers,
    }


def test_rules_that_only_put_things_down_spoil_nothing() -> None:
    draft = after(Rewrite(rules=RATS), draft_with_facts())
    assert len(draft.things) == 3
    assert facts_known(draft) == facts_known(draft_with_facts())
    assert all(facts_known(draft).values())


def test_rules_that_apply_nowhere_spoil_nothing() -> None:
    draft = after(Rewrite(rules="tile moss = m, floor\nall  m -> #"), draft_with_facts())
    assert "moss" in {tile.name for tile in draft.palette.tiles}
    assert facts_known(draft) == facts_known(draft_with_facts())


@pytest.mark.parametrize(
    "rules",
    [
        "one  . -> #, once",
        "one  + -> ', once",
        RATS + "\none  + -> L, once",
    ],
)
def test_rules_that_change_a_tile_or_what_it_means_leave_what_is_true(rules: str) -> None:
    draft = after(Rewrite(rules=rules), draft_with_facts())
    found = survey_tiles(draft.tiles, draft.palette)
    assert draft.regions is not None
    assert [region.area for region in draft.regions] == [region.area for region in found.regions]
    assert (draft.doors, draft.links) == (found.doors, found.links)
    assert "choke" not in draft.layers
    assert draft.start is not None
    assert draft.path is not None
    assert draft.palette.walkable[draft.tiles][draft.path[:, 1], draft.path[:, 0]].all()


def test_rules_that_make_a_wall_walkable_leave_the_rooms_their_names() -> None:
    draft = after(Rewrite(rules="palette none\ntile wall = #, floor\none  # -> #"), draft_with_facts())
    assert draft.regions is not None
    assert [region.area for region in draft.regions] == [35, 9], "new ground joins the room that it touches most"
    assert {link.kind for link in draft.links} == {"open", "door"}


def test_rules_keep_the_way_in_a_recipe() -> None:
    text = 'begins = ["tiles"]\n' + use("survey", "ends") + f'[[step]]\nuse = "rewrite"\nrules = """\n{RATS}\n"""\n'
    level = Recipe.parse(text, "rats.toml").generate(seed=1, begin=draft_of(PLAIN).level()).level
    assert len(level.things) == 3
    assert level.start is not None
    assert len(level.path) > 2
    assert len(level.rooms) == 2
    with pytest.raises(BadInput, match="'rewrite' before it spoils them"):  # nobody knows before
        Recipe.parse(text + use("siblings"), "rats.toml")
