"""Links between neighbours, and hallways along links."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.ndimage import label

from support.maps import after, components, draft_of, facts, picture, soup
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, STANDARD
from undercroft.core.region import LINK_DTYPE, Regions, view_links
from undercroft.core.run import Run
from undercroft.steps.facts.survey import Survey
from undercroft.steps.links.hallways import Hallways
from undercroft.steps.links.triangulate import Triangulate
from undercroft.steps.rectangles import CELL, place_boxes
from undercroft.steps.rooms.chambers import Chambers
from undercroft.steps.rooms.scatter import Scatter, Separate
from undercroft.steps.rooms.split import Siblings, Split

WALL, FLOOR, CORRIDOR, DOOR = (STANDARD[name] for name in ("wall", "floor", "corridor", "door"))
IS_DOOR = STANDARD.role_mask(*DOOR_ROLES)


def regions(draft: Draft) -> Regions:
    assert draft.regions is not None
    return draft.regions


def walkable(draft: Draft) -> NDArray[np.bool_]:
    return draft.palette.walkable[draft.tiles]


def linked(draft: Draft | str, pairs: Iterable[tuple[int, int]]) -> Draft:
    """The drawing with these links planned."""
    draft = draft_of(draft) if isinstance(draft, str) else draft
    rows = list(pairs)
    table = np.zeros(len(rows), LINK_DTYPE)
    table["door"] = -1
    for at, (a, b) in enumerate(rows):
        table["a"][at], table["b"][at] = a, b
    draft.links = view_links(table)
    return draft


# --- triangulate ------------------------------------------------------------------------------------------------------


def test_the_tree_joins_all_rooms() -> None:
    """4.26: k rooms and k - 1 links; then the chance of more."""
    for seed in range(60):
        draft = after(Chambers(), after(Split(), Draft(70, 50), seed=seed), seed=seed)
        count = len(regions(draft))
        after(Triangulate(extra=0.0), draft, seed=seed)
        assert len(draft.links) == count - 1
        assert one_part(draft)
        assert not any(link.carved for link in draft.links)
        assert all(link.a < link.b for link in draft.links)
        after(Triangulate(extra=1.0), draft, seed=seed)
        assert len(draft.links) > count
        pairs = {(link.a, link.b) for link in draft.links}
        assert len(pairs) == len(draft.links)
        assert {(link.a, link.b) for link in after(Triangulate(), draft, seed=seed).links} <= pairs


def one_part(draft: Draft) -> bool:
    reached = {1}
    for _ in draft.links:
        reached |= {end for link in draft.links for end in (link.a, link.b) if {link.a, link.b} & reached}
    return len(reached) == len(regions(draft))


@pytest.mark.parametrize(
    ("rooms", "pairs"),
    [
        ("####", []),
        ("#1##", []),
        ("#1#2", [(1, 2)]),
        ("#1##2#3", [(2, 3), (1, 2)]),
        ("#1\n##\n#2\n##\n##\n#3", [(1, 2), (2, 3)]),
    ],
)
def test_few_rooms_and_rooms_in_a_row(rooms: str, pairs: list[tuple[int, int]]) -> None:
    assert [(link.a, link.b) for link in after(Triangulate(), draft_of(rooms)).links] == pairs


def test_rooms_with_the_same_middle() -> None:
    """A room within a ring."""
    draft = draft_of("""
        #########
        #1111111#
        #1#####1#
        #1#222#1#
        #1#####1#
        #1111111#
        #########
    """)
    assert [(link.a, link.b) for link in after(Triangulate(), draft).links] == [(1, 2)]


def test_only_rooms_are_linked() -> None:
    draft = after(Survey(), "#######\n#.,,,.#\n#######")
    assert [(link.a, link.b) for link in after(Triangulate(), draft).links] == [(1, 3)]
    assert len(after(Triangulate(), after(Split(), Draft(40, 40))).links) == 0
    assert len(after(Triangulate(), Draft(4, 4)).links) == 0


# --- one hallway ------------------------------------------------------------------------------------------------------

FACING = """
    ############
    #11######22#
    #11######22#
    #########22#
    ############
"""
APART = """
    ##########
    #11#######
    #11#######
    ##########
    #######22#
    #######22#
    ##########
"""


def test_rooms_that_face_each_other_are_joined_straight() -> None:
    """4.21, somewhere in what they share."""
    seen = {str(after(Hallways(), linked(FACING, [(1, 2)]), seed=seed)) for seed in range(30)}
    assert seen == {
        picture("""
            ############
            #..,,,,,,..#
            #..######..#
            #########..#
            ############
        """),
        picture("""
            ############
            #..######..#
            #..,,,,,,..#
            #########..#
            ############
        """),
    }


def test_or_from_middle_to_middle() -> None:
    """4.27."""
    seen = {str(after(Hallways(straight=False), linked(FACING, [(1, 2)]), seed=seed)) for seed in range(30)}
    assert seen == {
        picture("""
            ############
            #..######..#
            #..,,,,,,..#
            #########..#
            ############
        """)
    }


def test_else_round_one_corner_either_way() -> None:
    """4.27: the corner is drawn."""
    seen = [str(after(Hallways(), linked(APART, [(1, 2)]), seed=seed)) for seed in range(200)]
    assert set(seen) == {
        picture("""
            ##########
            #..#######
            #..,,,,,,#
            ########,#
            #######..#
            #######..#
            ##########
        """),
        picture("""
            ##########
            #..#######
            #..#######
            ##,#######
            ##,####..#
            ##,,,,,..#
            ##########
        """),
    }
    assert 70 < seen.count(seen[0]) < 130
    assert len({str(after(Hallways(straight=False), linked(APART, [(2, 1)]), seed=seed)) for seed in range(40)}) == 2


def test_rooms_side_by_side_need_no_digging() -> None:
    draft = after(Hallways(doors=1.0), linked("####\n#12#\n####", [(1, 2)]))
    assert str(draft) == "####\n#..#\n####"
    assert [tuple(link) for link in draft.links] == [(1, 2, "open", -1, True)]
    assert [region.kind for region in regions(draft)] == ["room", "room"]


def test_a_hallway_ends_where_it_meets_the_room() -> None:
    """Rooms that are no rectangles: their middle need not be theirs."""
    ring = """
        ###########
        #11111#####
        #1###1#222#
        #1###1#222#
        #1###1#222#
        #11111#####
        ###########
    """
    for straight in (False, True):
        for seed in range(20):
            draft = after(Hallways(straight=straight), linked(ring, [(1, 2)]), seed=seed)
            assert components(walkable(draft)) == 1
            assert int((draft.tiles == CORRIDOR).sum()) in ((1,) if straight else (1, 3))
            assert (draft.tiles[2:5, 2:5] == WALL).all()


def test_what_stands_in_the_way_is_dug_too() -> None:
    draft = after(Hallways(), linked("#######\n#1~~:2#\n#######", [(1, 2)]))
    assert str(draft) == "#######\n#.,,,.#\n#######"


def test_links_that_are_carved_or_lead_nowhere_are_let_be() -> None:
    draft = linked("#1#2#3#", [(1, 2), (2, 3), (0, 3)])
    draft.links.table["carved"][0] = True
    after(Hallways(), draft)
    assert str(draft) == "#.#.,.#"
    assert [tuple(link) for link in draft.links] == [(1, 2, "open", -1, True), (2, 3, "open", -1, True)]


def test_a_region_without_cells_stays_unjoined() -> None:
    draft = linked("#1#2#", [(1, 2)])
    draft.regions = Regions(np.array([[0, 1, 0, 0, 0]], np.int32), regions(draft).table)
    after(Hallways(), draft)
    assert str(draft) == "#.#.#"
    assert [link.carved for link in draft.links] == [False]


# --- doors ------------------------------------------------------------------------------------------------------------


def test_doors_where_a_hallway_meets_a_room() -> None:
    draft = after(Hallways(doors=1.0), linked(APART, [(1, 2)]), seed=1)
    assert str(draft) == picture("""
        ##########
        #..#######
        #..#######
        ##+#######
        ##,####..#
        ##,,,,+..#
        ##########
    """)
    assert [tuple(door) for door in draft.doors] == [(2, 3, 1, 3, "closed"), (6, 5, 2, 3, "closed")]
    assert [tuple(link) for link in draft.links] == [(1, 2, "door", 0, True)]
    assert [(region.kind, region.area, region.x, region.y, region.width, region.height) for region in regions(draft)][
        2:
    ] == [("corridor", 5, 2, 4, 4, 2)]
    assert regions(draft).labels[3, 2] == 0


def test_a_door_in_a_wall_of_one_cell_parts_two_rooms() -> None:
    draft = after(Hallways(doors=1.0), linked("#####\n#1#2#\n#####", [(1, 2)]))
    assert str(draft) == "#####\n#.+.#\n#####"
    assert [tuple(door) for door in draft.doors] == [(2, 1, 1, 2, "closed")]
    assert [tuple(link) for link in draft.links] == [(1, 2, "door", 0, True)]
    assert len(regions(draft)) == 2


def test_a_third_room_on_the_way_gets_its_doors() -> None:
    draft = after(Hallways(doors=1.0), linked("##############\n#1###222###3##\n##############", [(1, 3)]))
    assert str(draft) == "##############\n#.+,+...+,+.##\n##############"
    assert draft.links[0].door == 0


def test_the_share_of_doors() -> None:
    comb = "\n".join(["#" * 400, "#" + "1#2#" * 99 + "###", "#" * 400]).replace("1#2#", ".###")
    rooms = after(Survey(), comb)
    pairs = [(k, k + 1) for k in range(1, len(regions(rooms)))]
    doors = [
        int((after(Hallways(doors=0.3), linked(after(Survey(), comb), pairs), seed=seed).tiles == DOOR).sum())
        for seed in range(10)
    ]
    assert 0.25 < sum(doors) / (10 * 2 * len(pairs)) < 0.35
    assert not (after(Hallways(doors=0.0), linked(after(Survey(), comb), pairs)).tiles == DOOR).any()


def test_doors_that_were_there_stay() -> None:
    draft = after(Survey(), "##########\n#.+.####.#\n##########")
    assert len(draft.doors) == 1
    linked(draft, [(2, 3)])
    after(Hallways(doors=1.0), draft)
    assert str(draft) == "##########\n#.+.+,,+.#\n##########"
    assert [(door.x, door.a, door.b) for door in draft.doors] == [(2, 1, 2), (4, 2, 4), (7, 3, 4)]
    assert draft.links[0].door in (1, 2)


def test_every_link_knows_its_door() -> None:
    for seed in range(60):
        draft = after(
            Siblings(extra=0.3), after(Chambers(), after(Split(), Draft(70, 50), seed=seed), seed=seed), seed=seed
        )
        after(Hallways(doors=0.7), draft, seed=seed)
        for link in draft.links:
            assert (link.kind == "door") == (link.door >= 0)
            if link.door >= 0:
                door = draft.doors[link.door]
                assert {door.a, door.b} & {link.a, link.b}


# --- cells ------------------------------------------------------------------------------------------------------------


def keep(cells: Any = "keep", doors: float = 0.0) -> Draft:
    """Two rooms, a cell between them, another aside."""
    draft = draft_of("""
        ################
        #111########222#
        #111########222#
        #111########222#
        ################
        ################
        ################
    """)
    cell_rows = np.array([(6, 1, 3, 4), (10, 4, 3, 2)], np.int32)
    draft.regions = place_boxes(draft, cell_rows, CELL, Run(), stays=np.ones(2, bool))
    regions(draft).tags.update({3: ("on the way",), 4: ("aside",)})
    return after(Hallways(cells=cells, doors=doors, straight=False), linked(draft, [(1, 2)]))


def test_cells_on_the_way_are_kept_and_others_forgotten() -> None:
    """4.28."""
    draft = keep()
    assert str(draft) == picture("""
        ################
        #...##...###...#
        #...,,...,,,...#
        #...##...###...#
        ######...#######
        ################
        ################
    """)
    assert [(region.kind, region.tags) for region in regions(draft)] == [
        ("room", ()),
        ("room", ()),
        ("cell", ("on the way",)),
        ("corridor", ()),
        ("corridor", ()),
    ]


def test_or_become_corridor() -> None:
    """4.28."""
    draft = keep("corridor")
    assert str(draft) == picture("""
        ################
        #...##,,,###...#
        #...,,,,,,,,...#
        #...##,,,###...#
        ######,,,#######
        ################
        ################
    """)
    assert [region.kind for region in regions(draft)] == ["room", "room", "corridor"]


def test_cells_get_no_doors_of_their_own() -> None:
    assert str(keep(doors=1.0)).split("\n")[2] == "#...+,...,,+...#"


def test_without_links_all_cells_go() -> None:
    draft = after(Hallways(), linked(after(Scatter(), Draft(40, 30)), []))
    assert len(regions(draft)) == 0
    assert (draft.tiles == WALL).all()


# --- whatever the map -------------------------------------------------------------------------------------------------


def is_carved(before: Draft, draft: Draft) -> None:
    """Rooms are joined; only what was closed was opened; regions, doors and links tell the truth."""
    was, now = walkable(before), walkable(draft)
    assert now[was].all()
    assert np.array_equal(draft.tiles[was], before.tiles[was])
    assert set(np.unique(draft.tiles[now & ~was]).tolist()) <= {FLOOR, CORRIDOR, DOOR}
    labels = regions(draft).labels
    parts, _ = label(now)
    for link in draft.links:
        assert link.carved
        assert len({int(parts[labels == end][0]) for end in (link.a, link.b)}) == 1
    assert (
        np.bincount(labels.reshape(-1), minlength=len(regions(draft)) + 1)[1:].tolist()
        == regions(draft).table["area"].tolist()
    )
    for region in regions(draft):
        ys, xs = np.nonzero(labels == region.label)
        assert [region.x, region.y, region.width, region.height] == [
            int(n) for n in (xs.min(), ys.min(), np.ptp(xs) + 1, np.ptp(ys) + 1)
        ]
        if region.kind == "corridor":
            assert components(labels == region.label) == 1
    for door in draft.doors:
        assert IS_DOOR[draft.tiles[door.y, door.x]]


@given(st.integers(0, 10_000), st.booleans(), st.sampled_from([0.0, 0.5, 1.0]), st.booleans())
def test_hallways_join_the_rooms_of_any_map(number: int, straight: bool, doors: float, tree: bool) -> None:
    """Rooms of any shape, on the border too, with water between them."""
    before = after(Survey(), soup(number, "##~~..+,", 20))
    draft = after(Triangulate() if tree else Siblings(), Draft.of(before.level()), seed=number)
    before = Draft.of(before.level())
    after(Hallways(straight=straight, doors=doors), draft, seed=number)
    is_carved(before, draft)
    rooms = np.isin(regions(draft).labels, [region.label for region in regions(draft) if region.kind == "room"])
    assert len(set(np.unique(label(walkable(draft))[0][rooms]).tolist())) <= 1


@given(st.integers(0, 10_000), st.sampled_from(["keep", "corridor"]), st.floats(0, 1))
def test_hallways_among_cells(number: int, cells: Any, doors: float) -> None:
    chance = np.random.default_rng(number)
    draft = Draft(*chance.integers(5, 60, 2).tolist())
    for step in (
        Scatter(radius=0.4),
        Separate(),
        Chambers(min_width=5, min_height=4, fill=1.0, least=4, small="keep"),
        Triangulate(),
    ):
        after(step, draft, seed=number)
    before = Draft.of(draft.level())
    small = [region for region in regions(before) if region.kind == "cell"]
    draft = Draft.of(before.level())
    after(Hallways(straight=False, cells=cells, doors=doors), draft, seed=number)
    is_carved(before, draft)
    assert components(walkable(draft)) == 1
    kept = {(region.x, region.y) for region in regions(draft) if region.kind == "cell"}
    assert cells == "keep" or not kept
    bare = Draft.of(before.level())
    bare.regions = Regions(
        np.where(np.isin(bare_labels(bare), [cell.label for cell in small]), 0, bare_labels(bare)).astype(np.int32),
        regions(before).table,
    )
    after(Hallways(straight=False), bare, seed=number)
    for cell in small:
        passed = walkable(bare)[cell.y : cell.y + cell.height, cell.x : cell.x + cell.width].any()
        here = draft.tiles[cell.y : cell.y + cell.height, cell.x : cell.x + cell.width]
        assert (here == ((FLOOR if cells == "keep" else CORRIDOR) if passed else WALL)).all()
        assert ((cell.x, cell.y) in kept) == (passed and cells == "keep")
    doorways = np.argwhere(draft.tiles == DOOR)
    for y, x in doorways.tolist():
        assert (draft.tiles[y - 1 : y + 2, x - 1 : x + 2] == DOOR).sum() == 1, "no two doors touch"
        near = walkable(draft)[[y - 1, y, y + 1, y], [x, x + 1, x, x - 1]].tolist()
        assert near in ([True, False, True, False], [False, True, False, True]), "a door stands between two walls"


def bare_labels(draft: Draft) -> NDArray[np.int32]:
    return regions(draft).labels


def test_a_plan_is_dug_the_same_way_twice() -> None:
    first, second = (after(Hallways(doors=0.5), linked(APART, [(1, 2)]), seed=5) for _ in range(2))
    assert facts(first) == facts(second)
