"""A dungeon: floors, which are levels, joined by stairs, which are things."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from undercroft import limits
from undercroft.core.arguments import require_level
from undercroft.core.dungeon_stairs import (
    OPPOSITE_WAYS,
    Stairs,
    check_stairs,
    list_stairs,
    put_stairs,
    stairs_data,
)
from undercroft.core.frozen import freeze
from undercroft.core.level import Level, Point
from undercroft.core.region import Thing
from undercroft.core.stairs import STAIRS
from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs.arguments import require_list, require_name, require_table, require_text, require_whole_number
from undercroft.inputs.points import check_point
from undercroft.wording import format_number, format_value_briefly, shorten

if TYPE_CHECKING:
    from undercroft.recipe.dungeon.document import DungeonRecipe

_FLOOR_ID = re.compile(r"[0-9]{1,4}|[A-Za-z][A-Za-z0-9_]{0,39}(?:-[A-Za-z0-9_]+){0,3}")
_ID_FIX = "for example 1 on the main line, crypt-1 on a branch"


class Floor(NamedTuple):
    """A level of a dungeon, and where it lies."""

    id: str
    """1, 2 ... on the main line, crypt-1 on a branch."""
    branch: str
    """The name of its branch; empty on the main line."""
    depth: int
    """Counted from 1; a branch begins one deeper than the floor it leaves."""
    level: Level
    """Its map, with the stairs as things."""


class _FloorTable:
    """What a dungeon looks floors up in."""

    __slots__ = ("_by_id",)

    _by_id: Mapping[str, Floor]


class Dungeon(_FloorTable):
    """Floors, and the stairs between them. It cannot be changed.

    Stairs are things of the kind `stairs`; `stairs` is a view of them. Ends that contradict each other are refused.

    >>> cellar = Dungeon.of({"1": Level.parse("#..#"), "2": Level.parse("#..#")}, [("1", (2, 0), "2", (2, 0))])
    >>> [(one.floor, one.way, one.to) for one in cellar.stairs], str(cellar["2"])
    ([('1', 'down', '2'), ('2', 'up', '1')], '#.<#')
    """

    __slots__ = ("end", "floors", "provenance", "stairs", "start", "title")

    floors: tuple[Floor, ...]
    """The floors: the main line first, then the branches."""
    title: str
    """The name of the place; empty if it has none."""
    provenance: Mapping[str, Any]
    """How it was made: recipe, seed, attempt, parameters, version."""
    start: tuple[str, int, int] | None
    """Where one comes in: floor id, x, y."""
    end: tuple[str, int, int] | None
    """Where the way through ends."""
    stairs: tuple[Stairs, ...]
    """Every end of every link, floor by floor."""

    def __init__(
        self,
        floors: Iterable[Floor],
        *,
        title: str = "",
        provenance: Mapping[str, Any] | None = None,
        start: tuple[str, int, int] | None = None,
        end: tuple[str, int, int] | None = None,
    ) -> None:
        checked = tuple(map(_check_floor, require_list("floors", floors, "for example dungeon.floors")))
        if not checked:
            raise BadInput("a dungeon has at least one floor", fix="give a floor, or take a level as it is")
        limits.FLOORS.check(len(checked), "the number of floors")
        check_floor_cells(floor.level.size for floor in checked)
        by_id = _index_floors(checked)
        require_text("title", title)
        if provenance is not None:
            require_table("provenance", provenance, 'for example {"recipe": "barrow", "seed": "7"}')
        keep = object.__setattr__
        keep(self, "_by_id", by_id)
        keep(self, "floors", checked)
        keep(self, "title", title)
        keep(self, "provenance", freeze(provenance or {}))
        keep(self, "start", _check_end("start", start, by_id))
        keep(self, "end", _check_end("end", end, by_id))
        keep(self, "stairs", tuple(stairs for floor in checked for stairs in list_stairs(floor.id, floor.level)))
        check_stairs(self.stairs, {id_: floor.level.size for id_, floor in by_id.items()})

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a dungeon is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a dungeon is frozen")

    @classmethod
    def of(
        cls,
        levels: Mapping[str, Level] | Sequence[Level],
        stairs: Iterable[tuple[str, Point, str, Point]] = (),
        *,
        title: str = "",
    ) -> Dungeon:
        """A dungeon of levels from anywhere. `levels` are named by their ids, or stand in the order of their depth;
        each of `stairs` is (floor, cell, floor, cell), the upper floor first.

        The cells get the tiles `<` and `>`, and the things that tell where they lead.
        """
        named: dict[str, Level] = dict(levels) if isinstance(levels, Mapping) else _number_levels(levels)
        for id_, level in named.items():
            require_text("the id of a floor", id_)
            require_level(f"the level of floor {shorten(id_, 40)}", level)
        floors = _place_floors(named)
        things: dict[str, list[Thing]] = {id_: [] for id_ in named}
        for index, row in enumerate(require_list("stairs", stairs, 'for example [("1", (4, 2), "2", (4, 2))]')):
            upper, here, lower, there = _check_link(row, named)
            way = "down" if floors[lower].depth > floors[upper].depth else "level"
            for floor, at, to, to_at, its_way in (
                (upper, here, lower, there, way),
                (lower, there, upper, here, OPPOSITE_WAYS[way]),
            ):
                data = stairs_data(its_way, "stairs", to, to_at, f"{upper}-{lower}#{index + 1}")
                things[floor].append(Thing(STAIRS, *at, data))
        return cls(
            [floor._replace(level=put_stairs(floor.level, things[id_])) for id_, floor in floors.items()], title=title
        )

    @classmethod
    def generate(
        cls,
        recipe: str | Path | DungeonRecipe,
        seed: int | str | None = None,
        size: tuple[int, int] | None = None,
        *,
        params: Mapping[str, Any] | None = None,
        until: str | Sequence[Any] = (),
        tries: int | None = None,
        attempt: int | None = None,
        workers: int = 1,
        cancelled: Callable[[], bool] | None = None,
        progress: Callable[[str], None] | None = None,
        max_steps: int | None = None,
        max_cells: int | None = None,
        **recipe_params: Any,
    ) -> Dungeon:
        """A dungeon from a dungeon recipe and a seed. Other keywords set parameters of the recipe, as `params` does.

        `until` is a requirement on the whole, such as "floor_loops >= 1" or "rooms[3] >= 9", or several of them.
        `tries` is the number of attempts at the whole; `attempt` makes that one alone. `workers` is the number of
        processes that make floors: the dungeon is the same for any number. `progress` gets the id of each floor as work
        on it begins.

        >>> [floor.id for floor in Dungeon.generate("delve", seed=7, size=(40, 24), deep=3)]
        ['1', '2', '3']
        """
        from undercroft.bulk.make_dungeon import generate_dungeon

        if params is not None:
            require_table("params", params, 'for example params={"deep": 4}')
        return generate_dungeon(
            recipe,
            seed,
            size,
            params={**(params or {}), **recipe_params},
            until=until,
            tries=tries,
            attempt=attempt,
            workers=workers,
            cancelled=cancelled,
            progress=progress,
            max_steps=max_steps,
            max_cells=max_cells,
        )

    @classmethod
    def load(cls, path: str | Path) -> Dungeon:
        """A dungeon from a file that holds all its floors, or from a folder with `dungeon.json`."""
        from undercroft.formats.dungeons.files import load_dungeon

        return load_dungeon(path)

    def save(self, path: str | Path, format: str | None = None, **options: Any) -> None:  # noqa: A002
        """Write the dungeon: into one file, if the suffix or the format is one for several floors; else into a new
        folder, a file for each floor.
        """
        from undercroft.formats.dungeons.files import save_dungeon

        save_dungeon(self, path, format, **options)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the floors."""
        return tuple(self._by_id)

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels of the floors."""
        return tuple(floor.level for floor in self.floors)

    def floor(self, id_: str) -> Floor:
        """The floor of that id."""
        return resolve_floor(id_, self._by_id)

    def __getitem__(self, id_: str) -> Level:
        """The level of the floor of that id."""
        return self.floor(id_).level

    def __iter__(self) -> Iterator[Floor]:
        return iter(self.floors)

    def __len__(self) -> int:
        return len(self.floors)

    def stairs_of(self, id_: str) -> tuple[Stairs, ...]:
        """The stairs that stand on a floor."""
        self.floor(id_)
        return tuple(stairs for stairs in self.stairs if stairs.floor == id_)

    def replace_levels(self, levels: Mapping[str, Level]) -> Dungeon:
        """A copy with the levels of some floors replaced."""
        require_table("levels", levels, 'for example {"1": level}')
        for id_ in levels:
            self.floor(id_)
        return Dungeon(
            [floor._replace(level=levels.get(floor.id, floor.level)) for floor in self.floors],
            title=self.title,
            provenance=self.provenance,
            start=self.start,
            end=self.end,
        )

    def __repr__(self) -> str:
        what = self.provenance.get("recipe", "drawn")
        return f"<Dungeon {what}: floors {len(self.floors)}, stairs {len(self.stairs)}>"

    def __eq__(self, other: object) -> bool:
        """Equal in everything except provenance."""
        if not isinstance(other, Dungeon):
            return NotImplemented
        return (
            self.floors == other.floors
            and self.title == other.title
            and (self.start, self.end) == (other.start, other.end)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return _rebuild, (self.floors, self.title, dict(self.provenance), self.start, self.end)


def _rebuild(floors: Sequence[Floor], title: str, provenance: Mapping[str, Any], start: Any, end: Any) -> Dungeon:
    return Dungeon(floors, title=title, provenance=provenance, start=start, end=end)


def check_floor_cells(sizes: Iterable[tuple[int, int]], prefix: str = "") -> None:
    """Raise if floors of these sizes are too large together. `prefix` begins the error."""
    cells = sum(width * height for width, height in sizes)
    limits.FLOOR_CELLS.check(cells, f"{prefix}the number of cells of all floors")


def resolve_floor(id_: Any, floors: Mapping[str, Floor]) -> Floor:
    """The floor of an id. Raises if there is none.

    >>> resolve_floor("cript-1", {"crypt-1": Floor("crypt-1", "crypt", 2, Level.parse("."))})
    Traceback (most recent call last):
    undercroft.errors.BadInput: no floor 'cript-1'
      fix: did you mean 'crypt-1'?
    """
    return floors[resolve_floor_id(id_, floors)]


def resolve_floor_id(id_: Any, ids: Collection[str]) -> str:
    """The id of a floor, which may be a whole number. Raises if there is none."""
    name = format_number(id_) if type(id_) is int else id_
    if not isinstance(name, str) or name not in ids:
        error = unknown_name_error("floor", name, ids)
        error.problem = f"no floor {shorten(name, 40)!r}" if isinstance(name, str) else error.problem
        raise error
    return name


def _check_floor(floor: Any) -> Floor:
    if not isinstance(floor, Floor):
        raise BadInput(
            f"a floor is Floor(id, branch, depth, level), not {format_value_briefly(floor)}",
            fix='for example Floor("1", "", 1, level); Dungeon.of(levels, stairs) makes them',
        )
    id_: Any = floor.id
    id_ = format_number(id_) if type(id_) is int else id_
    if not isinstance(id_, str) or not _FLOOR_ID.fullmatch(id_):
        raise BadInput(f"{format_value_briefly(floor.id)} is no id of a floor", fix=_ID_FIX)
    require_text("the branch of a floor", floor.branch)
    depth = require_whole_number(f"the depth of floor {id_}", floor.depth, 1, 10_000)
    require_level(f"the level of floor {id_}", floor.level)
    return Floor(id_, floor.branch, depth, floor.level)


def _index_floors(floors: Iterable[Floor]) -> dict[str, Floor]:
    """The floors by id. Raises if two have the same."""
    by_id: dict[str, Floor] = {}
    for floor in floors:
        if floor.id in by_id:
            raise BadInput(f"two floors are called {floor.id!r}", fix="give one of them another id")
        by_id[floor.id] = floor
    return by_id


def _check_end(name: str, end: Any, floors: Mapping[str, Floor]) -> tuple[str, int, int] | None:
    if end is None:
        return None
    if not isinstance(end, (tuple, list)) or len(end) != 3:
        raise BadInput(
            f"the {name} of a dungeon is a floor, x and y, not {format_value_briefly(end)}",
            fix='for example ("1", 4, 2)',
        )
    floor = resolve_floor(end[0], floors)
    x, y = check_point((end[1], end[2]), *floor.level.size, f"the {name} on floor {floor.id}")
    return floor.id, x, y


def _number_levels(levels: Any) -> dict[str, Level]:
    listed = require_list("levels", levels, "for example [upper, lower]")
    return {str(depth): level for depth, level in enumerate(listed, 1)}


def _place_floors(levels: Mapping[str, Level]) -> dict[str, Floor]:
    """Floors with depth and branch by their ids: 3 is at depth 3, crypt-2 at the depth 2 of the branch crypt."""
    floors = {}
    for position, (id_, level) in enumerate(levels.items(), 1):
        branch, _, number = str(id_).rpartition("-")
        depth = int(number) if number.isascii() and number.isdigit() and len(number) < 5 else position
        floors[str(id_)] = Floor(str(id_), branch, max(1, depth), level)
    return floors


def _check_link(row: Any, levels: Mapping[str, Level]) -> tuple[str, Point, str, Point]:
    """The two ends of a link. Raises if they are none."""
    if not isinstance(row, (tuple, list)) or len(row) != 4:
        raise BadInput(
            f"stairs are (floor, cell, floor, cell), not {format_value_briefly(row)}",
            fix='for example ("1", (4, 2), "2", (4, 2))',
        )
    ends: list[Any] = []
    for id_, cell in (row[:2], row[2:]):
        floor = format_number(id_) if type(id_) is int else id_
        require_name("floor", floor, levels)
        require_level(f"the level of floor {floor}", levels[floor])
        ends += [floor, check_point(cell, *levels[floor].size, f"the stairs on floor {floor}")]
    return ends[0], ends[1], ends[2], ends[3]
