"""Measures of a level: each is one function of this folder and one line in `MEASURES`. The facts that several of them
need are computed once, in `Facts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from undercroft.analysis.measures import ground, paths, rooms
from undercroft.analysis.measures.dungeon_measures import DungeonFacts, DungeonMeasures
from undercroft.analysis.measures.facts import Facts, Number
from undercroft.analysis.measures.measure import Measure
from undercroft.core.arguments import require_level
from undercroft.core.dungeon import Dungeon
from undercroft.core.level import Level
from undercroft.errors import BadInput, OutOfBudget, PluginTrouble, UndercroftError, unknown_name_error
from undercroft.inputs.arguments import require_list
from undercroft.plugins.table import PluginTable
from undercroft.wording import format_value_briefly

if TYPE_CHECKING:
    from undercroft.plugins.provider import Provider

__all__ = [
    "DUNGEON_MEASURES",
    "GROUPS",
    "MEASURES",
    "DungeonFacts",
    "Facts",
    "Measure",
    "Number",
    "measure",
    "measure_all",
]


GROUPS: Mapping[str, tuple[Measure, ...]] = {
    "the ground": (
        Measure(
            "components", "connected sets of walkable cells (steps up, down, left, right)", ground.components, "count"
        ),
        Measure(
            "connectivity",
            "cells of the largest component / walkable cells; 1 if there are none",
            ground.connectivity,
            "share",
        ),
        Measure("density", "walkable cells / all cells", ground.density, "share"),
        Measure(
            "corridor_ratio",
            "walkable cells of corridors / walkable cells; 0 if there are none",
            ground.corridor_ratio,
            "share",
        ),
        Measure(
            "loops",
            "independent cycles, on the grid (Euler's formula; a pillar in a room counts)",
            ground.loops,
            "count",
        ),
        Measure("dead_ends", "walkable cells outside rooms with exactly one exit", ground.dead_ends, "count"),
        Measure(
            "dead_end_ratio",
            "dead_ends / walkable cells outside rooms; 0 if there are none",
            ground.dead_end_ratio,
            "share",
        ),
        Measure(
            "choke_points",
            "cells without which some walkable cells could not be reached from others",
            ground.choke_points,
            "count",
        ),
        Measure(
            "choke_area_max",
            "most cells that one choke point cuts off from the largest part that is left",
            ground.choke_area_max,
            "count",
        ),
        Measure(
            "longest_path",
            "steps between the two cells farthest apart, at least so many: by four searches",
            ground.longest_path,
            "count",
            at_least=True,
        ),
        Measure(
            "diameter",
            "steps between the two cells farthest apart, exactly; given up where that takes too long",
            ground.diameter,
            "count",
        ),
    ),
    "rooms and their graph": (
        Measure("rooms", "regions that are not corridors", rooms.rooms, "count"),
        Measure("corridors", "regions that are corridors", rooms.corridors, "count"),
        Measure("room_area_mean", "cells of a room, on the average", rooms.room_area_mean, "amount"),
        Measure("room_area_min", "cells of the smallest room", rooms.room_area_min, "count"),
        Measure("room_area_max", "cells of the largest room", rooms.room_area_max, "count"),
        Measure(
            "room_area_stdev",
            "how far the cells of a room are from that, on the average (standard deviation)",
            rooms.room_area_stdev,
            "amount",
        ),
        Measure(
            "room_area_gini",
            "how unequal rooms are in area: 0 all alike, near 1 one has nearly all",
            rooms.room_area_gini,
            "share",
        ),
        Measure(
            "compactness",
            "how near the cells of rooms lie to their middle: 1 as near as in a disc, near 0 far apart",
            rooms.compactness,
            "share",
        ),
        Measure(
            "graph_loops",
            "independent cycles in the graph of regions: links - regions + parts",
            rooms.graph_loops,
            "count",
            edition=2,
        ),
        Measure("loop_ratio", "graph_loops / links; 0 if there are none", rooms.loop_ratio, "share", edition=2),
        Measure("leaf_rooms", "rooms with exactly one link / rooms", rooms.leaf_rooms, "share", edition=2),
        Measure("branching", "links that end in a room, on the average", rooms.branching, "amount", edition=2),
        Measure("linearity", "rooms on the shortest way from start to end / rooms", rooms.linearity, "share"),
        Measure("danger", "danger of all monsters and traps / rooms", rooms.danger),
        Measure(
            "flow_differences",
            "rooms, links and things that are not as the flow of the level says; none without a flow",
            rooms.flow_differences,
            "count",
        ),
    ),
    "doors and ways": (
        Measure("doors", "door cells, of all kinds", paths.doors, "count"),
        Measure("door_spacing", "rows + columns between the two nearest doors", paths.door_spacing, "count"),
        Measure("locks", "door cells that need a key or a switch", paths.locks, "count"),
        Measure(
            "path_length",
            "steps of the shortest path from start to end; none without start, end or path",
            paths.path_length,
            "count",
        ),
        Measure(
            "poi_length",
            "weight of the path of interest: rooms (w + h) // 2, doors and branchings 1, corridor runs their cells",
            paths.poi_length,
            "count",
        ),
        Measure(
            "solution_length",
            "steps from start to end by the shortest way that locks, one-way doors and things allow",
            paths.solution_length,
            "count",
        ),
        Measure("backtrack", "steps of it that lead over cells walked before", paths.backtrack, "count"),
        Measure(
            "unlosable",
            "1 if no choice makes the end unreachable, 0 if some choice does; none if it cannot be reached",
            paths.unlosable,
            "flag",
        ),
        Measure(
            "secret_need",
            "1 if the end cannot be reached without secret doors, 0 if it can; none if it cannot be reached",
            paths.secret_need,
            "flag",
        ),
        Measure(
            "secret_share",
            "of the cells that can be reached from the start, those that need secret doors",
            paths.secret_share,
            "share",
        ),
    ),
}
"""All measures, by subject."""


def _check_measure(part: Any, name: str, provider: Provider) -> Measure:
    from undercroft.analysis.measures.foreign_measure import check_measure  # only needed for measures of others

    row: Measure = check_measure(Measure, part, name, provider)
    return row


MEASURES: PluginTable[Measure] = PluginTable(
    "measure",
    {measure.name: measure for group in GROUPS.values() for measure in group},
    _check_measure,
    form=r"[a-z][a-z0-9]*(_[a-z0-9]+)*",
)
"""All measures by name; those of other packages follow ours."""

DUNGEON_MEASURES = DungeonMeasures(MEASURES)
"""All measures of dungeons by name: those of the whole, and those of levels, taken together."""

ALL_MEASURES = "all"
"""Stands for all measures in a list of names."""


def measure(level: Level | Facts | Dungeon | DungeonFacts, *names: str) -> dict[str, Number]:
    """The named measures of a level or of a dungeon, or all of them. None means that it has no such value.

    Instead of a level you can pass the facts of a `Result`: what its requirements computed is not computed again.

    A measure that takes too long raises `OutOfBudget`, and one that finds invalid data in the level raises `BadInput`.
    When all measures are requested, such measures are left out.

    Of a dungeon, counts are sums over its floors, and shares are means; `rooms[3]` is that of floor 3 alone.

    >>> measure(Level.parse('''
    ...     #####
    ...     #...#
    ...     #.#.#
    ...     #...#
    ...     #####'''), "loops", "density")
    {'loops': 1, 'density': 0.32}
    """
    if isinstance(level, Dungeon):
        level = DungeonFacts(level)
    elif not isinstance(level, (Facts, DungeonFacts)):
        require_level("level", level)
    known = DUNGEON_MEASURES if isinstance(level, DungeonFacts) else MEASURES
    for name in names:
        if not isinstance(name, str):
            raise BadInput(
                f"a measure is a name, not {format_value_briefly(name)}",
                fix='write the names one after the other: measure(level, "loops", "density")',
            )
        if name not in known:
            raise unknown_name_error("measure", name, known)
    if names:
        facts = Facts(level) if isinstance(level, Level) else level
        return {name: measure_one(name, facts) for name in names}
    return measure_all(level)[0]


def check_measures(names: Iterable[str], known: Mapping[str, Measure] = MEASURES) -> tuple[str, ...]:
    """The names, each once, if there are such measures; `all` stands for all of them. `known` are those of levels, or
    of dungeons.

    >>> check_measures(["loops", "density", "loops"])
    ('loops', 'density')
    """
    if isinstance(names, str) and names == ALL_MEASURES:
        names = [ALL_MEASURES]
    if isinstance(names, str):
        raise BadInput(f"measures are a list of names, not {names!r}", fix=f"for example measures=[{names!r}]")
    names = require_list("measures", names, 'for example measures=["loops"]')
    for name in names:
        if not isinstance(name, str):
            raise unknown_name_error("measure", name, known)
    found = tuple(dict.fromkeys(names))
    if ALL_MEASURES in found:
        found = tuple(dict.fromkeys((*(name for name in found if name != ALL_MEASURES), *known)))
    for name in found:
        if name not in known:
            raise unknown_name_error("measure", name, known)
    return found


def measure_editions(names: Iterable[str]) -> dict[str, int]:
    """The edition of each of these measures. Two numbers can be compared if their measure had the same edition.

    >>> measure_editions(["density", "graph_loops"])
    {'density': 1, 'graph_loops': 2}
    """
    return {name: MEASURES[name].edition for name in names}


def measure_one(name: str, facts: Facts | DungeonFacts) -> Number:
    """One measure, with its own whole budget: whether it succeeds does not depend on the other measures."""
    facts.start_anew()
    return (MEASURES if isinstance(facts, Facts) else DUNGEON_MEASURES)[name].of(facts)


def measure_all(level: Level | Facts | DungeonFacts) -> tuple[dict[str, Number], dict[str, UndercroftError]]:
    """All measures, and the errors of those that are left out: they take too long, or the data of the level is
    invalid.
    """
    facts = Facts(level) if isinstance(level, Level) else level
    found: dict[str, Number] = {}
    left_out: dict[str, UndercroftError] = {}
    for name in MEASURES if isinstance(facts, Facts) else DUNGEON_MEASURES:
        try:
            found[name] = measure_one(name, facts)
        except (OutOfBudget, BadInput, PluginTrouble) as error:
            left_out[name] = error
    return found, left_out
