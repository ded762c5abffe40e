"""A dungeon: floors, which are levels, joined by stairs, which are things."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from undercroft import limits
from undercroft.core.arguments import require_level
from undercroft.core.frozen import freeze
from undercroft.core.level import Level, Point
from undercroft.core.points import check_point
from undercroft.core.region import Thing
from undercroft.core.stairs import STAIRS
from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs.arguments import require_list, require_name, require_table, require_text, require_whole_number
from undercroft.wording import format_number, format_value_briefly, shorten

if TYPE_CHECKING:
    from undercroft.recipe.dungeon.document import DungeonRecipe

STAIRS_WAYS = ("up", "down", "level")
STAIRS_FORMS = ("stairs", "ladder", "shaft", "lift", "portal")
STAIRS_TILES = {"up": "entry", "down": "exit"}
"""The roles of the tiles that stairs stand on; level ways and shafts keep the tile below them."""
OPPOSITE_WAYS = {"up": "down", "down": "up", "level": "level"}
_FLOOR_ID = re.compile(r"[0-9]{1,4}|[A-Za-z][A-Za-z0-9_]{0,39}(?:-[A-Za-z0-9_]+){0,3}")
_ID_FIX = "for example 1 on the main line, crypt-1 on a branch"


class Stairs(NamedTuple):
    """One end of a link between two floors, as the thing on its floor tells it."""

    floor: str
    """The id of the floor that it stands on."""
    x: int
    y: int
    """Its cell."""
    way: str
    """up, down or level."""
    form: str
    """stairs, ladder, shaft, lift or portal."""
    to: str
    """The id of the floor that it leads to; one that is not there is a way out."""
    to_x: int
    to_y: int
    """The cell that it leads to."""
    link: str
    """The name that both ends share."""


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
        _check_stairs(self.stairs, by_id)

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


def stairs_data(way: str, form: str, to: str, cell: Point, link: str) -> dict[str, Any]:
    """The data of a thing that leads to a cell of another floor."""
    return {"way": way, "form": form, "to": to, "to_x": cell[0], "to_y": cell[1], "link": link}


def list_stairs(id_: str, level: Level) -> Iterator[Stairs]:
    """The stairs of a floor, checked one by one. A thing `stairs` that names no floor is furniture, and none of them.

    >>> level = Level.parse("#.").replace(things=[Thing("stairs", 1, 0, {"to": "2", "way": "sideways"})])
    >>> list(list_stairs("1", level))
    Traceback (most recent call last):
    undercroft.errors.BadInput: floor 1, the stairs at (1, 0): unknown way 'sideways'
      fix: one of: up, down, level
    """
    for thing in level.things:
        if thing.kind != STAIRS or "to" not in thing.data:
            continue
        data = thing.data
        try:
            for name, words in (("way", STAIRS_WAYS), ("form", STAIRS_FORMS)):
                require_name(name, data.get(name, words[0] if name == "form" else None), words)
            to = data["to"]
            require_text("to", to, "name a floor")
            link = data.get("link", "")
            require_text("link", link)
            most = limits.SIDE.value - 1
            x, y = (require_whole_number(name, data.get(name), 0, most) for name in ("to_x", "to_y"))
        except BadInput as error:
            error.problem = f"floor {id_}, the stairs at ({thing.x}, {thing.y}): {error.problem}"
            raise
        yield Stairs(id_, thing.x, thing.y, data["way"], data.get("form", STAIRS_FORMS[0]), to, x, y, link)


def put_stairs(level: Level, things: Sequence[Thing]) -> Level:
    """The level with stairs on it: things of the kind `stairs`, and the tiles `<` and `>` below those that lead up and
    down. A shaft keeps its tile.
    """
    tiles = level.tiles.copy()
    for thing in things:
        role = "" if thing.data["form"] == "shaft" else STAIRS_TILES.get(thing.data["way"], "")
        if role in level.palette.roles:
            tiles[thing.y, thing.x] = level.palette.role(role)
    return level.replace(tiles=tiles, things=(*level.things, *things))


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


def _check_stairs(stairs: Sequence[Stairs], floors: Mapping[str, Floor]) -> None:
    """Raise if two ends of a link contradict each other. Shafts have one end; stairs to a floor that is not there lead
    out.
    """
    limits.STAIRS_OF_FLOORS.check(len(stairs), "the number of stairs of the dungeon")
    ends = {(one.floor, one.x, one.y, one.link): one for one in stairs}
    for one in stairs:
        floor = floors.get(one.to)
        if floor is None:
            continue
        if not (one.to_x < floor.level.width and one.to_y < floor.level.height):
            raise BadInput(
                f"{_describe(one)}, which is outside of it: {one.to} is {floor.level.width}x{floor.level.height}",
                fix="correct to_x and to_y there",
            )
        if one.form == "shaft":
            continue
        other = ends.get((one.to, one.to_x, one.to_y, one.link))
        if other is None:
            near = next(
                (each for each in stairs if (each.floor, each.to, each.link) == (one.to, one.floor, one.link)), None
            )
            where = f"stairs lead {near.way} from ({near.x}, {near.y})" if near else "no stairs lead back"
            raise BadInput(f"{_describe(one)}, where {where}", fix="move one" if near else "put stairs there")
        if (other.to, other.to_x, other.to_y) != (one.floor, one.x, one.y):
            raise BadInput(
                f"{_describe(one)}, and from there stairs lead to ({other.to_x}, {other.to_y}) on {other.to}",
                fix="let both ends name each other",
            )
        if other.way != OPPOSITE_WAYS[one.way]:
            raise BadInput(
                f"{_describe(one)}, and stairs lead {other.way} from there",
                fix=f"let one lead {one.way} and the other {OPPOSITE_WAYS[one.way]}",
            )


def _describe(stairs: Stairs) -> str:
    verb = f"leads {stairs.way}" if stairs.way != "level" else "leads"
    return f"{stairs.floor} {verb} to ({stairs.to_x}, {stairs.to_y}) on {stairs.to}"


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
