"""Measures of dungeons: those of the whole, and those of levels, of one floor (`rooms[3]`) or of all taken together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from undercroft.analysis.measures.facts import Facts, Number
from undercroft.analysis.measures.measure import Measure
from undercroft.core.dungeon import Dungeon
from undercroft.core.run import Run

_OF_A_FLOOR = re.compile(r"(\w+)\[([A-Za-z0-9_-]+)\]")
LEAST = ("room_area_min", "door_spacing", "unlosable")
"""Of a dungeon, the least number of its floors."""
GREATEST = ("room_area_max", "choke_area_max", "longest_path", "diameter", "secret_need")
"""Of a dungeon, the greatest number of its floors."""


class DungeonFacts:
    """A dungeon, and the facts about its floors that are computed so far. `budget` is for one measure of one floor.

    >>> from undercroft.core.level import Level
    >>> facts = DungeonFacts(Dungeon.of([Level.parse("#..#"), Level.parse("#..#")], [("1", (1, 0), "2", (1, 0))]))
    >>> [WHOLE[name].of(facts) for name in ("floors", "links", "floor_loops")]
    [2, 1, 0]
    """

    def __init__(
        self, dungeon: Dungeon, budget: int | None = None, cancelled: Callable[[], bool] | None = None
    ) -> None:
        self.given = dungeon
        self._budget, self._cancelled = budget, cancelled
        self._floors: dict[str, Facts] = {}

    def of_floor(self, id_: str) -> Facts:
        """The facts about a floor. Raises if there is none of that id."""
        if id_ not in self._floors:
            self._floors[id_] = Facts(self.given[id_], Run(budget=self._budget, cancelled=self._cancelled))
        return self._floors[id_]

    def start_anew(self) -> None:
        """Give the next measure the whole budget."""
        for facts in self._floors.values():
            facts.start_anew()


def count_floors(facts: DungeonFacts) -> int:
    return len(facts.given)


def count_links(facts: DungeonFacts) -> int:
    return len(_links(facts.given))


def count_shafts(facts: DungeonFacts) -> int:
    return sum(one.form == "shaft" and one.to in facts.given.ids for one in facts.given.stairs)


def count_floor_loops(facts: DungeonFacts) -> int:
    """Links - floors + parts; of a whole dungeon there is one part."""
    parts = {id_: id_ for id_ in facts.given.ids}

    def find(id_: str) -> str:
        while parts[id_] != id_:
            id_ = parts[id_]
        return id_

    links = _links(facts.given)
    loops = 0
    for one, other in links.values():
        first, second = find(one), find(other)
        loops += first == second
        parts[first] = second
    return loops


def _links(dungeon: Dungeon) -> dict[tuple[str, ...], tuple[str, str]]:
    """The two floors of every link: shafts are none, nor are stairs that lead out."""
    found = {}
    for one in dungeon.stairs:
        if one.form != "shaft" and one.to in dungeon.ids:
            ends = sorted([(one.floor, one.x, one.y), (one.to, one.to_x, one.to_y)])
            found[one.link, *map(str, ends)] = one.floor, one.to
    return found


WHOLE: Mapping[str, Measure] = {
    row.name: row
    for row in (
        Measure("floors", "levels that stairs join", count_floors, "count"),
        Measure("links", "pairs of stairs that join two floors", count_links, "count"),
        Measure("shafts", "holes that drop to the floor below", count_shafts, "count"),
        Measure(
            "floor_loops",
            "independent cycles of floors and links: links - floors + 1",
            count_floor_loops,
            "count",
        ),
    )
}
"""The measures that only dungeons have."""


class DungeonMeasures(Mapping[str, Measure]):
    """The measures of dungeons by name: those of the whole, then those of levels. `rooms` is taken over all floors,
    `rooms[3]` is that of floor 3; iteration leaves the latter out.

    Counts are added up, and shares and amounts are averaged, but for those of `LEAST` and `GREATEST`.
    """

    def __init__(self, of_levels: Mapping[str, Measure]) -> None:
        self._of_levels = of_levels

    def __getitem__(self, name: str) -> Measure:
        if name in WHOLE:
            return WHOLE[name]
        plain, floor = split_floor(name)
        row = self._of_levels[plain]
        if floor:
            return row._replace(name=name, of=lambda facts: row.of(facts.of_floor(floor)))
        return row._replace(about=f"{row.about}: {describe_taking(row)}", of=_take_together(row))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in WHOLE or split_floor(name)[0] in self._of_levels)

    def __iter__(self) -> Iterator[str]:
        yield from WHOLE
        yield from (name for name in self._of_levels if name not in WHOLE)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def split_floor(name: str) -> tuple[str, str]:
    """The measure and the floor of a name; without a floor, an empty one.

    >>> split_floor("rooms[crypt-1]"), split_floor("rooms")
    (('rooms', 'crypt-1'), ('rooms', ''))
    """
    found = _OF_A_FLOOR.fullmatch(name)
    return (found[1], found[2]) if found else (name, "")


def describe_taking(row: Measure) -> str:
    """How the numbers of all floors become one, in a few words."""
    if row.name in LEAST:
        return "the least of all floors"
    if row.name in GREATEST:
        return "the greatest of all floors"
    return "the sum of all floors" if row.kind == "count" else "the mean of all floors"


def _take_together(row: Measure) -> Callable[[DungeonFacts], Number]:
    """A measure of levels as one of dungeons. Floors without a value do not count for the least, the greatest and the
    mean; but a sum, or a flag, has none if one floor has none.
    """

    def compute(facts: DungeonFacts) -> Number:
        every = [row.of(facts.of_floor(id_)) for id_ in facts.given.ids]
        numbers = [number for number in every if number is not None]
        is_sum = row.kind == "count" and row.name not in (*LEAST, *GREATEST)
        if not numbers or ((is_sum or row.kind == "flag") and len(numbers) < len(every)):
            return None
        if row.name in LEAST:
            return min(numbers)
        if row.name in GREATEST:
            return max(numbers)
        return sum(numbers) if is_sum else round(sum(numbers) / len(numbers), 6)

    return compute
