"""The plan of a dungeon: its floors, and the links between them, known from the recipe and the seed alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from undercroft import limits
from undercroft.core.rng import Rng
from undercroft.errors import BadInput, Place

MOST_NEIGHBOURS = 4
"""The most floors that stairs may join one floor to: so four colours do for the pairs of floors."""


class FloorPlan(NamedTuple):
    """A floor before it is made."""

    id: str
    branch: str
    depth: int
    table: int
    """The index of the table of the recipe that says how it is made: those of `[[floor]]` come first."""


class LinkPlan(NamedTuple):
    """Two floors that stairs join."""

    name: str
    upper: str
    """The floor that one comes from, on the way from the start."""
    lower: str
    way: str
    """The way from `upper` to `lower`: down, up or level."""
    kind: str
    """main, branch, return or extra."""

    @property
    def pair(self) -> tuple[str, str]:
        """The two floors."""
        return self.upper, self.lower

    def other(self, floor: str) -> str:
        """The floor at the other end."""
        return self.lower if floor == self.upper else self.upper


class BranchPlan(NamedTuple):
    """A branch: where it may leave, and how long it is."""

    name: str
    leaves: tuple[int, ...]
    """The depths of the main line that it may leave from."""
    length: int
    returns: bool
    place: Place | None = None


class DungeonPlan(NamedTuple):
    """All floors and links."""

    floors: Mapping[str, FloorPlan]
    links: tuple[LinkPlan, ...]
    """The main line first, then branches, then extra links: the order in which anchors are drawn."""
    shafts: Mapping[tuple[str, str], int]
    """How many shafts drop from a floor to the one below it; pairs without any are left out."""

    def links_of(self, floor: str) -> tuple[LinkPlan, ...]:
        """The links of a floor."""
        return tuple(link for link in self.links if floor in link.pair)

    def neighbours(self, link: LinkPlan) -> tuple[LinkPlan, ...]:
        """The other links of the two floors of a link."""
        return tuple(other for other in self.links if other is not link and {*link.pair} & {*other.pair})

    def colours(self) -> Mapping[tuple[str, str], int]:
        """A number for each pair of linked floors: pairs that share a floor have different ones.

        On a line they alternate. The pairs form a graph without odd surprises, so taking the first free number does.
        """
        found: dict[tuple[str, str], int] = {}
        for pair in dict.fromkeys(link.pair for link in self.links):
            taken = {number for other, number in found.items() if {*other} & {*pair}}
            found[pair] = next(number for number in range(len(taken) + 1) if number not in taken)
        return found


def plan_dungeon(
    tables: Sequence[int], branches: Sequence[BranchPlan], way: str, rng: Rng, first_branch_table: int
) -> DungeonPlan:
    """The floors and their main, branch and return links. `tables` has for each depth of the main line the index of
    its table; those of the branches follow each other from `first_branch_table` on.

    >>> plan = plan_dungeon([0, 0, 1], [BranchPlan("crypt", (2,), 2, False)], "down", Rng.root(7), 2)
    >>> list(plan.floors), [link.name for link in plan.links]
    (['1', '2', '3', 'crypt-1', 'crypt-2'], ['1-2', '2-3', '2-crypt-1', 'crypt-1-crypt-2'])
    """
    depth = len(tables)
    floors = [FloorPlan(str(number), "", number, table) for number, table in enumerate(tables, 1)]
    links = [
        LinkPlan(f"{number}-{number + 1}", str(number), str(number + 1), way, "main") for number in range(1, depth)
    ]
    for index, branch in enumerate(branches):
        leaves = rng.stream(f"branch/{branch.name}").choose(branch.leaves)
        ids = [f"{branch.name}-{number}" for number in range(1, branch.length + 1)]
        floors += [
            FloorPlan(id_, branch.name, leaves + number, first_branch_table + index)
            for number, id_ in enumerate(ids, 1)
        ]
        line = [str(leaves), *ids]
        links += [LinkPlan(f"{one}-{other}", one, other, way, "branch") for one, other in pairwise(line)]
        if branch.returns:
            last, back = leaves + branch.length, min(leaves + branch.length + 1, depth)
            its_way = way if back > last else "level" if back == last else _opposite(way)
            links.append(LinkPlan(f"{ids[-1]}-{back}#back", ids[-1], str(back), its_way, "return"))
    limits.FLOORS.check(len(floors), "the number of floors")
    plan = DungeonPlan({floor.id: floor for floor in floors}, tuple(links), {})
    _check_neighbours(plan, branches)
    return plan


def add_extra_links(
    plan: DungeonPlan, counts: Mapping[tuple[str, str], int], shafts: Mapping[tuple[str, str], int]
) -> DungeonPlan:
    """The plan with further links beside the first ones of some pairs of floors, and with shafts."""
    first = {link.pair: link for link in reversed(plan.links)}
    extra = [
        first[pair]._replace(name=f"{pair[0]}-{pair[1]}#{number + 2}", kind="extra")
        for pair, count in counts.items()
        for number in range(count)
    ]
    limits.STAIRS_OF_FLOORS.check(len(plan.links) + len(extra), "the number of links of the dungeon")
    return plan._replace(links=(*plan.links, *extra), shafts={pair: count for pair, count in shafts.items() if count})


def _opposite(way: str) -> str:
    return {"up": "down", "down": "up"}[way]


def _check_neighbours(plan: DungeonPlan, branches: Iterable[BranchPlan]) -> None:
    for floor in plan.floors:
        others = {link.other(floor) for link in plan.links_of(floor)}
        if len(others) > MOST_NEIGHBOURS:
            place = next((branch.place for branch in branches if f"{branch.name}-1" in others), None)
            raise BadInput(
                f"floor {floor} joins {len(others)} others",
                place=place,
                fix=f"at most {MOST_NEIGHBOURS}: move a branch",
            )
