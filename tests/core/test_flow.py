"""A flow is plain data that cannot be wrong: what it takes, what it refuses, and how levels and drafts keep it."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest

from undercroft.core.draft import FACTS, TILE_FACTS, Draft
from undercroft.core.flow import Flow, FlowApart, FlowGrowth, FlowLink, FlowRoom, FlowThing
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.errors import BadInput, TooBig
from undercroft.formats import dump, list_lost_parts, loads, resolve_format
from undercroft.formats.native import native
from undercroft.recipe.document import Recipe
from undercroft.steps import STEPS

GATE, HALL = FlowRoom("gate", ends="start"), FlowRoom("hall", ("great",), "end", ((5, 5), (9, 7)), ("L",), ("old",), 2)
FLOW = Flow(
    "keep",
    (GATE, HALL),
    (FlowLink("gate", "hall", "locked", "red", (1, 8), "N"), FlowLink("hall", "gate", "one-way")),
    (FlowThing("key", "gate", "red", consumed=True), FlowThing("chest", "hall")),
    (FlowApart("gate", "hall", 5), FlowApart("gate", "great", 3, tagged=True)),
    (FlowGrowth("gambit", ("gate",), ("hall", "red")),),
    ((1, 1), (4, 1)),
    (((2, 1), (3, 1)), ()),
)
LEVEL = Level.parse("######\n#.++.#\n######").replace(flow=FLOW)

MISTAKES: list[tuple[str, dict[str, Any]]] = [
    ("rooms are FlowRooms, not 'gate'", {"rooms": ["gate"]}),
    ("two rooms 'gate'", {"rooms": [GATE, GATE]}),
    ("both the start", {"rooms": [GATE, FlowRoom("b", ends="start")]}),
    ("the name of a room is a word", {"rooms": [FlowRoom("a b")]}),
    ("the name of a room is a word", {"rooms": [FlowRoom("-")]}),
    ("the name of a room is a word", {"rooms": [FlowRoom("x" * 41)]}),
    ("'tagged' is a word of the language", {"rooms": [FlowRoom("tagged")]}),
    ("'tagged' is a word of the language", {"rooms": [FlowRoom("a", uses=("tagged",))]}),
    ("unknown end of room a", {"rooms": [FlowRoom("a", ends="middle")]}),
    ("a tag is listed twice", {"rooms": [FlowRoom("a", ("x", "x"))]}),
    ("the size of room a is from (5, 5) to (4, 9)", {"rooms": [FlowRoom("a", size=((5, 5), (4, 9)))]}),
    ("the size of room a is from (0, 5) to (4, 9)", {"rooms": [FlowRoom("a", size=((0, 5), (4, 9)))]}),
    ("the floor of room a", {"rooms": [FlowRoom("a", floor=101)]}),
    ("unknown room 'nowhere'", {"rooms": [GATE], "links": [FlowLink("gate", "nowhere")]}),
    ("joins a room to itself", {"rooms": [GATE], "links": [FlowLink("gate", "gate")]}),
    ("unknown kind of link 'locke'", {"rooms": [GATE, HALL], "links": [FlowLink("gate", "hall", "locke")]}),
    ("the lock of the link gate - hall", {"rooms": [GATE, HALL], "links": [FlowLink("gate", "hall", "locked")]}),
    ("is door, and has a lock", {"rooms": [GATE, HALL], "links": [FlowLink("gate", "hall", "door", "red")]}),
    ("unknown side 'U'", {"rooms": [GATE, HALL], "links": [FlowLink("gate", "hall", side="U")]}),
    ("is from 5 to 3", {"rooms": [GATE, HALL], "links": [FlowLink("gate", "hall", length=(5, 3))]}),
    ("the name of the key in gate", {"rooms": [GATE], "things": [FlowThing("key", "gate")]}),
    ("the chest in gate has a name", {"rooms": [GATE], "things": [FlowThing("chest", "gate", "red")]}),
    ("the switch in gate is consumed", {"rooms": [GATE], "things": [FlowThing("switch", "gate", "red", True)]}),
    ("is part of a link", {"rooms": [GATE], "things": [FlowThing("lock", "gate")]}),
    ("unknown room 'hall'", {"rooms": [GATE], "things": [FlowThing("chest", "hall")]}),
    ("gate cannot be apart from itself", {"rooms": [GATE], "apart": [FlowApart("gate", "gate", 3)]}),
    ("unknown tag 'boss'", {"rooms": [GATE], "apart": [FlowApart("gate", "boss", 3, tagged=True)]}),
    ("how far gate and hall are apart", {"rooms": [GATE, HALL], "apart": [FlowApart("gate", "hall", 0)]}),
    ("places are 1, and the rooms 2", {"rooms": [GATE, HALL], "places": [(1, 1)]}),
    ("ways are 1, and the links 0", {"rooms": [GATE, HALL], "ways": [()]}),
    ("one line of at most 80 characters", {"name": "a;b"}),
    ("one line of at most 80 characters", {"name": "a\nb"}),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "parts"), MISTAKES)
def test_a_mistake_is_refused_in_a_sentence(sentence: str, parts: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as caught:
        Flow(**parts)
    assert sentence in caught.value.problem
    assert caught.value.fix


def test_a_flow_cannot_be_changed_and_is_a_value() -> None:
    with pytest.raises(FrozenInstanceError):
        FLOW.name = "other"  # type: ignore[misc]
    assert replace(FLOW) == FLOW
    assert hash(replace(FLOW)) == hash(FLOW)
    assert replace(FLOW, rooms=list(FLOW.rooms)) == FLOW  # type: ignore[arg-type]
    assert pickle.loads(pickle.dumps(FLOW)) == FLOW
    assert (FLOW.start, FLOW.end, FLOW.room("hall")) == ("gate", "hall", HALL)
    with pytest.raises(BadInput, match="did you mean 'hall'"):
        FLOW.room("hal")


def test_a_thousand_rooms_and_no_more() -> None:
    rooms = [FlowRoom(f"r{number}") for number in range(1001)]
    assert len(Flow(rooms=tuple(rooms[:1000])).rooms) == 1000
    with pytest.raises(TooBig, match="the limit is 1,000"):
        Flow(rooms=tuple(rooms))
    with pytest.raises(TooBig, match="the limit is 4,000"):
        Flow(rooms=(GATE, HALL), links=(FlowLink("gate", "hall"),) * 4001)


def test_without_history_only_what_a_text_holds_is_left() -> None:
    bare = FLOW.without_history()
    assert (bare.made, bare.places, bare.ways) == ((), (), ())
    assert bare == Flow.parse(str(FLOW))
    assert bare.without_history() is bare


# --- levels and drafts


def test_a_flow_is_a_fact_that_tiles_cannot_make_false() -> None:
    assert "flow" in FACTS
    assert "flow" not in TILE_FACTS
    draft = Draft.of(LEVEL)
    draft.forget(TILE_FACTS)
    assert draft.flow == FLOW
    assert draft.level().flow == FLOW
    draft = Draft.of(LEVEL)
    draft.forget(["flow"])
    assert draft.flow is None


def test_a_map_begun_anew_has_no_flow() -> None:
    draft = Draft.of(LEVEL)
    draft.begin_anew(np.zeros((3, 6), np.uint8), STANDARD)
    assert draft.flow is None
    assert Draft(3, 3).flow is None


def test_levels_keep_it_when_they_are_replaced_compared_and_pickled() -> None:
    assert LEVEL.replace(title="Keep").flow == FLOW
    assert LEVEL.replace(flow=None).flow is None
    assert LEVEL.replace(flow=None) != LEVEL
    assert LEVEL.replace(flow=replace(FLOW, name="other")) != LEVEL
    assert pickle.loads(pickle.dumps(LEVEL)) == LEVEL
    assert native.digest(LEVEL) != native.digest(LEVEL.replace(flow=None))


@pytest.mark.parametrize("name", ["json", "npz"])
def test_files_of_ours_keep_it_in_their_second_version(name: str) -> None:
    data = dump(LEVEL, name)
    assert loads(data, name) == LEVEL
    assert (b"/2" in data) or name == "npz"
    assert loads(dump(LEVEL.replace(flow=None), name), name).flow is None
    assert b"undercroft-level/1" in dump(LEVEL.replace(flow=None), "json")
    assert list_lost_parts(LEVEL, resolve_format(name)) == ()
    empty = LEVEL.replace(flow=Flow())
    assert loads(dump(empty, name), name) == empty


@pytest.mark.parametrize("name", ["text", "csv", "tmx", "tmj", "svg", "glb"])
def test_other_formats_say_that_they_leave_it_out(name: str) -> None:
    assert "flow" in list_lost_parts(LEVEL, resolve_format(name))
    assert "flow" not in list_lost_parts(LEVEL.replace(flow=None), resolve_format(name))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"kind":"locked"', '"kind":"lockd"', "at flow.links[0].kind: unknown kind 'lockd'"),
        ('"a":"gate"', '"a":"gat"', "at flow: unknown room 'gat'"),
        ('"places":[\n[1,1]', '"places":[\n[9,1]', "at flow.places[0][0]: 9 is out of range"),
        ('"places":[\n[1,1]', '"places":[\nnull', "at flow.places[0]: a cell [x, y] belongs here"),
        ('{"name":"gate","ends":"start"}', '{"nam":"gate"}', "at flow.rooms[0]: unknown key 'nam'"),
        ('{"name":"gate","ends":"start"}', "3", "at flow.rooms[0]: an object belongs here"),
        ('"size":[[5,5],[9,7]]', '"size":[[5,5]]', "at flow.rooms[1].size: the list has 1 values where 2 belong"),
        ('"size":[[5,5],[9,7]]', '"size":[[5,5],[3,7]]', "the size of room hall is from (5, 5) to (3, 7)"),
        ('"length":[1,8]', '"length":[8,1]', "is from 8 to 1"),
        ('"flow":{"name":"keep",', '"flow":{"name":7,', "at flow.name: a text belongs here"),
        ('"flow":{', '"flow":{"other":[],', "unknown key 'other'"),
    ],
)
def test_a_broken_flow_in_a_file_names_the_place(old: str, new: str, sentence: str) -> None:
    text = dump(LEVEL, "json").decode()
    assert old in text
    with pytest.raises(BadInput) as caught:
        loads(text.replace(old, new).encode(), "json", "keep.json")
    assert sentence in str(caught.value)
    assert "keep.json" in str(caught.value)


def test_a_level_refuses_what_is_no_flow_of_its_own() -> None:
    with pytest.raises(BadInput, match="flow is a Flow, not 3"):
        LEVEL.replace(flow=3)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"a cell at \(4, 1\), and the level is 3x1"):
        Level.parse("#.#").replace(flow=Flow(rooms=FLOW.rooms, places=((1, 0), (4, 1))))


def test_only_steps_that_begin_the_map_anew_drop_it() -> None:
    dropping = {name for name, step in STEPS.items() if "flow" in step.spoils}
    assert dropping == {"fill", "noise", "room-grid", "expand", "hilbert", "labyrinth"}


def test_a_recipe_may_begin_with_a_flow_and_locks_leave_its_locks_alone() -> None:
    recipe = Recipe.parse('begins = ["tiles", "flow"]\n[[step]]\nuse = "survey"\n', "a.toml")
    assert recipe.generate(seed=1, begin=LEVEL).level.flow == FLOW
    with pytest.raises(BadInput, match="begins with flow, and the map to begin with has none"):
        recipe.generate(seed=1, begin=LEVEL.replace(flow=None))
    locks = Recipe.parse('begins = ["tiles", "ends"]\n[[step]]\nuse = "locks"\n', "a.toml")
    with pytest.raises(BadInput, match="the flow says where locks are: gate - hall is locked by red"):
        locks.generate(seed=1, begin=LEVEL.replace(start=(1, 1), end=(4, 1)))
