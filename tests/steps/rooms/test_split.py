"""The map cut in two, again and again, and rooms in the parts."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from support.maps import after, draft_of, facts
from undercroft.core.draft import Draft
from undercroft.core.palette import STANDARD
from undercroft.core.region import Region, Regions
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.steps.facts.survey import Survey
from undercroft.steps.rectangles import CELL, place_boxes
from undercroft.steps.rooms.chambers import Chambers
from undercroft.steps.rooms.split import Siblings, Split

Box = tuple[int, int, int, int]
seeds = st.integers(0, 10_000)


def split(width: int, height: int, seed: int, **options: Any) -> Draft:
    return after(Split(**options), Draft(width, height), seed=seed)


def regions(draft: Draft) -> Regions:
    assert draft.regions is not None
    return draft.regions


def with_cells(width: int, height: int, *boxes: Box) -> Draft:
    draft = Draft(width, height)
    draft.regions = place_boxes(draft, np.array(boxes, np.int32).reshape(-1, 4), CELL, Run())
    return draft


def box(region: Region) -> Box:
    return region.x, region.y, region.width, region.height


class Node:
    """A part of the map and its two parts, read from the layer that a split leaves: what a tool would do."""

    def __init__(self, lines: NDArray[np.uint8], x: int, y: int, w: int, h: int, depth: int = 0) -> None:
        self.box = x, y, w, h
        self.parts: tuple[Node, ...] = ()
        inside = lines[y : y + h, x : x + w]
        for at in range(w):
            if h and (inside[:, at] == depth + 1).all():
                self.parts = Node(lines, x, y, at, h, depth + 1), Node(lines, x + at + 1, y, w - at - 1, h, depth + 1)
                return
        for at in range(h):
            if w and (inside[at] == depth + 1).all():
                self.parts = Node(lines, x, y, w, at, depth + 1), Node(lines, x, y + at + 1, w, h - at - 1, depth + 1)
                return

    def leaves(self) -> list[Box]:
        return [leaf for part in self.parts for leaf in part.leaves()] if self.parts else [self.box]

    def cuts(self) -> list[tuple[Node, Node]]:
        return [(self.parts[0], self.parts[1]), *self.parts[0].cuts(), *self.parts[1].cuts()] if self.parts else []

    def holds(self, region: Region) -> bool:
        x, y, w, h = self.box
        return (
            x <= region.x and y <= region.y and region.x + region.width <= x + w and region.y + region.height <= y + h
        )


def tree(draft: Draft) -> Node:
    return Node(draft.layers["split"], 1, 1, draft.width - 2, draft.height - 2)


# --- split ------------------------------------------------------------------------------------------------------------


@given(st.integers(5, 70), st.integers(5, 70), st.integers(0, 9), st.floats(0, 0.5), seeds)
def test_the_tree_can_be_read_from_the_layer(width: int, height: int, depth: int, margin: float, seed: int) -> None:
    """4.22: tools find every cut; the leaves are the cells, in order."""
    draft = split(width, height, seed, depth=depth, margin=margin)
    assert tree(draft).leaves() == [box(cell) for cell in regions(draft)]
    assert {cell.kind for cell in regions(draft)} == {"cell"}
    assert (draft.tiles == STANDARD["wall"]).all()


@given(
    st.integers(5, 90),
    st.integers(5, 90),
    st.integers(2, 9),
    st.integers(2, 9),
    st.floats(0, 0.5),
    st.floats(2, 6),
    seeds,
)
def test_cells_keep_their_least_size_and_their_ratio(
    width: int, height: int, min_width: int, min_height: int, margin: float, ratio: float, seed: int
) -> None:
    """4.22: a cell is longer than the ratio allows only if it could not be cut across its length."""
    draft = split(
        width, height, seed, depth=40, min_width=min_width, min_height=min_height, margin=margin, max_ratio=ratio
    )
    for cell in regions(draft):
        if len(regions(draft)) > 1:
            assert cell.width >= min(min_width, width - 2)
            assert cell.height >= min(min_height, height - 2)
        if cell.width > ratio * cell.height:
            assert cell.width < 2 * min_width + 1
        if cell.height > ratio * cell.width:
            assert cell.height < 2 * min_height + 1


def test_a_cut_keeps_its_margins() -> None:
    """4.21: usually between the golden sections of the side."""
    for seed in range(200):
        first, second = regions(split(61, 31, seed, depth=1))
        along = (first.width, second.width) if first.height == second.height else (first.height, second.height)
        side = sum(along) + 1
        assert min(along) >= int(side * 0.382) - 1
    wide = {
        cell.width for seed in range(200) for cell in regions(split(61, 5, seed, depth=1, margin=0.0, min_height=2))
    }
    assert len(wide) > 40, "and anywhere without a margin"
    assert {min(cell.width for cell in regions(split(60, 5, seed, depth=1, margin=0.5))) for seed in range(20)} == {28}


def test_the_longer_side_is_cut_more_often() -> None:
    """4.21: across the width with a chance of width / (width + height); 60 / (60 + 20) here, if the ratio allows
    both.
    """
    across = sum(regions(split(62, 22, seed, depth=1, max_ratio=1000.0))[0].height == 20 for seed in range(2000))
    assert 0.72 < across / 2000 < 0.78


def test_a_depth_of_five_gives_up_to_32_cells() -> None:
    """4.21. On the document's size that is the depth nobody has to ask for, and it grows with the map."""
    counts = {len(regions(split(80, 40, seed))) for seed in range(50)}
    assert max(counts) == 32
    assert {len(regions(split(80, 40, seed, depth=5))) for seed in range(50)} == counts
    assert int(split(80, 40, 1).layers["split"].max()) == 5
    assert int(split(160, 80, 1).layers["split"].max()) == 7
    assert len(regions(split(80, 40, 1, depth=1))) == 2


def test_parts_are_cut_in_two_not_in_four() -> None:
    """4.22: a line ends at the lines that were there before."""
    for seed in range(50):
        for first, second in tree(split(60, 60, seed)).cuts():
            same = [a == b for a, b in zip(first.box, second.box, strict=True)]
            assert same in (
                [False, True, False, True],
                [True, False, True, False],
                [False, True, True, True],
                [True, False, True, True],
            )


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 9), (9, 1), (2, 2), (3, 3), (4, 4)])
def test_maps_too_small_to_cut(width: int, height: int) -> None:
    with pytest.raises(BadInput, match=f"not {width}x{height}") as caught:
        Split().check(width, height)
    assert caught.value.fix
    draft = split(width, height, 1)
    assert len(regions(draft)) == (min(width, height) > 2)


def test_a_map_just_large_enough() -> None:
    Split().check(5, 5)
    assert [box(cell) for cell in regions(split(5, 5, 1))] == [(1, 1, 3, 3)]


# --- chambers ---------------------------------------------------------------------------------------------------------


@given(
    seeds,
    st.integers(1, 9),
    st.integers(1, 9),
    st.integers(0, 3),
    st.floats(0, 1),
    st.integers(0, 40),
    st.sampled_from(["drop", "keep"]),
)
def test_rooms_in_cells(
    seed: int, min_width: int, min_height: int, margin: int, fill: float, least: int, small: Any
) -> None:
    """4.22: every room lies in its cell."""
    before = split(70, 50, seed)
    cells = list(regions(before))
    run = Run()
    step = Chambers(min_width=min_width, min_height=min_height, margin=margin, fill=fill, least=least, small=small)
    draft = after(step, before, seed=seed, run=run)
    rooms = [region for region in regions(draft) if region.kind == "room"]
    fits = [cell for cell in cells if cell.width - 2 * margin >= min_width and cell.height - 2 * margin >= min_height]
    able = [cell for cell in cells if cell.width > 2 * margin and cell.height > 2 * margin]
    assert len(rooms) == max(len(fits), min(least, len(able)))
    assert bool(run.notes) == (len(rooms) < least)
    homes = []
    for room in rooms:
        [home] = [cell for cell in cells if Node.holds(Leaf(cell), room)]
        homes.append(home)
        inner = home.width - 2 * margin, home.height - 2 * margin
        assert home.x + margin <= room.x
        assert room.x + room.width <= home.x + home.width - margin
        assert home.y + margin <= room.y
        assert room.y + room.height <= home.y + home.height - margin
        if home in fits:
            assert room.width >= max(min_width, inner[0] * fill - 1e-6)
            assert room.height >= max(min_height, inner[1] * fill - 1e-6)
        else:
            assert (room.width, room.height) == inner, "a cell too small is used to the full"
    assert len(set(homes)) == len(homes)
    missing = sorted((cell.width - 2 * margin) * (cell.height - 2 * margin) for cell in able if cell not in homes)
    used = [(cell.width - 2 * margin) * (cell.height - 2 * margin) for cell in homes if cell not in fits]
    assert not missing or not used or missing[-1] <= min(used), "the largest of those too small come first"
    kept = [region for region in regions(draft) if region.kind == "cell"]
    assert [box(cell) for cell in kept] == (
        [box(cell) for cell in cells if cell not in homes] if small == "keep" else []
    )
    is_true(draft)


class Leaf(Node):
    def __init__(self, cell: Region) -> None:
        self.box, self.parts = box(cell), ()


def is_true(draft: Draft) -> None:
    """Rooms are floor, nothing else is; the label grid shows what the table says."""
    labels = np.zeros(draft.tiles.shape, np.int32)
    floor = np.zeros(draft.tiles.shape, bool)
    for region in regions(draft):
        here = np.s_[region.y : region.y + region.height, region.x : region.x + region.width]
        labels[here] = region.label
        if region.kind == "room":
            floor[here] = True
    assert np.array_equal(labels, regions(draft).labels)
    assert np.array_equal(draft.tiles == STANDARD["floor"], floor)


def test_other_regions_stay_and_keep_their_tags() -> None:
    draft = draft_of("""
        ################
        #111############
        #111############
        ################
    """)
    draft.regions = place_boxes(
        draft, np.array([(6, 1, 4, 2), (12, 1, 2, 2)], np.int32), CELL, Run(), stays=np.ones(1, bool)
    )
    regions(draft).tags.update({1: ("old",), 2: ("library",), 3: ("closet",)})
    regions(draft).templates[2] = "reading room"
    small = after(Chambers(fill=1.0, min_height=2, small="keep"), draft)
    assert [(region.kind, box(region)[:2], region.tags, region.template) for region in regions(small)] == [
        ("room", (1, 1), ("old",), ""),
        ("cell", (12, 1), ("closet",), ""),
        ("room", (6, 1), ("library",), "reading room"),
    ]
    dropped = after(Chambers(fill=1.0, min_height=2), small)
    assert [region.kind for region in regions(dropped)] == ["room", "room", "room"], (
        "the least number of rooms counts those of this step"
    )


def test_cells_that_are_no_rectangles_get_no_room() -> None:
    draft = after(Survey(kind="cell"), "#####\n#...#\n#.###\n#####")
    assert not [
        region for region in regions(after(Chambers(min_width=1, min_height=1), draft)) if region.kind == "room"
    ]


def test_cells_on_the_border_keep_it_closed() -> None:
    draft = after(Chambers(min_width=1, min_height=1, fill=1.0), with_cells(6, 4, (0, 0, 6, 4)))
    assert str(draft) == "######\n#....#\n#....#\n######"


def test_no_cells_no_rooms() -> None:
    run = Run()
    draft = after(Chambers(), Draft(9, 9), run=run)
    assert len(regions(draft)) == 0
    assert run.notes == ["0 rooms instead of 1: no other cell has a place for one"]
    assert str(draft) == str(Draft(9, 9))


# --- siblings ---------------------------------------------------------------------------------------------------------


def planned(seed: int, size: tuple[int, int] = (70, 50), extra: float = 0.0, **options: Any) -> Draft:
    draft = after(Chambers(**options), split(*size, seed), seed=seed)
    return after(Siblings(extra=extra), draft, seed=seed)


def test_every_cut_is_crossed_once() -> None:
    """4.21 and 4.22: k rooms, k - 1 joins, each between the two parts of a cut."""
    for seed in range(200):
        draft = planned(seed, min_width=7, min_height=4)
        rooms = {region.label: region for region in regions(draft)}
        assert len(draft.links) == len(rooms) - 1
        for first, second in tree(draft).cuts():
            sides = [{label for label, room in rooms.items() if part.holds(room)} for part in (first, second)]
            crossing = [link for link in draft.links if {link.a, link.b} & sides[0] and {link.a, link.b} & sides[1]]
            assert len(crossing) == bool(sides[0] and sides[1])
        assert not any(link.carved for link in draft.links)
        assert joined([(link.a, link.b) for link in draft.links], len(rooms))


def joined(pairs: list[tuple[int, int]], count: int) -> bool:
    parts = [{label} for label in range(1, count + 1)]
    for a, b in pairs:
        [first], [second] = ([part for part in parts if label in part] for label in (a, b))
        if first is not second:
            parts.remove(second)
            first |= second
    return len(parts) <= 1


def test_a_link_leads_to_the_nearest_room_across() -> None:
    for seed in range(100):
        draft = planned(seed)
        rooms = {region.label: region for region in regions(draft)}
        cuts = tree(draft).cuts()
        for link in draft.links:
            ends = rooms[link.a], rooms[link.b]
            [(near, far, part)] = [
                (one, other, second)
                for first, second in cuts
                for one, other in (ends, ends[::-1])
                if first.holds(one) and second.holds(other)
            ]
            assert steps(near, far, 10) == min(steps(near, room, 10) for room in rooms.values() if part.holds(room))


def steps(a: Region, b: Region, corner: int = 0) -> int:
    """From one room to the other; a corner may count as some more."""
    across, down = max(0, b.x - a.x - a.width, a.x - b.x - b.width), max(0, b.y - a.y - a.height, a.y - b.y - b.height)
    return across + down + (corner if across and down else 0)


def test_loops_come_with_their_chance() -> None:
    none, some, many = (sum(len(planned(seed, extra=extra).links) for seed in range(60)) for extra in (0.0, 0.3, 1.0))
    assert none < some < many
    for seed in range(60):
        draft = planned(seed, extra=1.0)
        pairs = [(link.a, link.b) for link in draft.links]
        assert len(set(pairs)) == len(pairs), "no pair twice"
        assert len(pairs) <= 2 * (len(regions(draft)) - 1)


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_rooms_on_a_map_that_was_never_split(count: int) -> None:
    draft = draft_of("#" + "".join(f"{k + 1}#" for k in range(count)) + "#")
    after(Siblings(), draft)
    assert [(link.a, link.b) for link in draft.links] == [(k, k + 1) for k in range(1, count)]


@pytest.mark.parametrize("text", ["1#2", "1\n#\n2", "1#2\n###", "1#\n##\n#2"])
def test_rooms_on_a_map_without_an_inside(text: str) -> None:
    draft = draft_of(text)
    draft.layers["split"] = np.full(draft.tiles.shape, 3, np.uint8)
    assert [(link.a, link.b) for link in after(Siblings(), draft).links] == [(1, 2)]


@given(seeds, st.integers(1, 12), st.integers(1, 12))
def test_any_layer_called_split_still_joins_all_rooms(seed: int, width: int, height: int) -> None:
    """A file may hold anything."""
    chance = np.random.default_rng(seed)
    draft = after(Survey(), Draft(width, height))
    draft.tiles[:] = np.where(chance.random((height, width)) < 0.4, STANDARD["floor"], STANDARD["wall"])
    after(Survey(), draft)
    draft.layers["split"] = chance.integers(0, 6, (height, width)).astype(np.uint8)
    after(Siblings(extra=0.5), draft, seed=seed)
    assert joined([(link.a, link.b) for link in draft.links], len(regions(draft)))


def test_a_layer_that_is_no_split_is_passed_over() -> None:
    draft = draft_of("#1#2#")
    for layer in (np.zeros((2, 2), np.uint8), np.ones((1, 5), np.float64)):
        draft.layers["split"] = layer
        assert len(after(Siblings(), draft).links) == 1


def test_cells_and_corridors_are_not_linked() -> None:
    draft = split(40, 30, 1)
    assert len(after(Siblings(), draft).links) == 0
    draft = after(Survey(), "#####\n#.,.#\n#####")
    assert [(link.a, link.b) for link in after(Siblings(), draft).links] == [(1, 3)]


def test_the_same_seed_the_same_plan() -> None:
    assert facts(planned(3, extra=0.5)) == facts(planned(3, extra=0.5))
    assert len({str(facts(planned(seed))["links"]) for seed in range(20)}) == 20


def test_no_two_rooms_touch() -> None:
    for seed in range(60):
        for a, b in combinations(regions(planned(seed, fill=1.0, min_width=1, min_height=1)), 2):
            assert steps(a, b) >= 1
