"""A dungeon recipe: floors by depth, branches and stairs, loaded and checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from undercroft import limits
from undercroft.analysis import requirements
from undercroft.analysis.measures.table import DUNGEON_MEASURES
from undercroft.analysis.requirements import Requirement
from undercroft.core.arguments import require_rng
from undercroft.core.frozen import ReadOnlyDict
from undercroft.core.level import check_level_size
from undercroft.core.rng import Rng
from undercroft.errors import BadInput, UndercroftError
from undercroft.inputs import files, toml
from undercroft.inputs.arguments import require_name, require_table, require_text
from undercroft.inputs.files import SHIPPED_FOLDER, is_file
from undercroft.inputs.values import CheckedValue
from undercroft.recipe.catalogue import DUNGEONS, dungeon_names, recipe_folder, recipe_path, unknown_recipe
from undercroft.recipe.document import Recipe
from undercroft.recipe.dungeon.formula import TAKEN_NAMES, Formula
from undercroft.recipe.dungeon.plan import BranchPlan, DungeonPlan, add_extra_links, plan_dungeon
from undercroft.recipe.dungeon.tables import (
    BRANCH_KEYS,
    FLOOR_KEYS,
    SHAFTS_KEYS,
    DepthRange,
    FloorTable,
    KnownNames,
    Setting,
    StairsTable,
    read_floor_table,
    read_range,
    read_setting,
    read_stairs,
)
from undercroft.recipe.keys import read_requirements, read_size, read_tables, read_tags
from undercroft.recipe.params import Param, read_param
from undercroft.recipe.request import Until
from undercroft.recipe.then import chain_recipes

KEYS = ("about", "tags", "size", "title", "param", "floor", "branch", "stairs", "shafts", "require")
TAKEN_PARAMS = (
    *("recipe", "seed", "size", "params", "tries", "attempt", "floor", "floors", "workers"),
    *("until", "watcher", "cancelled", "progress", "max_steps", "max_cells"),
    *TAKEN_NAMES,
)
"""Names that no parameter of a dungeon recipe may have: keywords of its calls, and words of formulas."""


class DungeonRecipe:
    """A text that says which floors a dungeon has, how each is made, and how stairs join them.

    >>> recipe = DungeonRecipe.parse('[[floor]]\\ndepths = "1..3"\\nrecipe = "cave"', "caves.toml")
    >>> recipe.plan({}, Rng.root(7)).floors["2"].depth
    2
    """

    def __init__(self, name: str, document: toml.TomlDocument, folder: Path | None = None) -> None:
        self.name = name
        """Its name, or that of its file without the suffix."""
        self.document = document
        """Its tables, and the place of each value."""
        self._folder = folder
        root = document.root()
        if "step" in root.value:
            raise BadInput(
                "a recipe has [[floor]] tables or [[step]] tables, not both",
                place=root.at("step").key_place(),
                fix="put the steps into a recipe of their own, and name it in a [[floor]]",
            )
        root.table(KEYS)
        self.about = root.key("about", "").text("about")
        """What it makes, in a sentence."""
        self.tags: tuple[str, ...] = read_tags(root.key("tags", []))
        """What its floors are like."""
        self.title = root.key("title", "").text("title")
        """The name of every dungeon made by it; empty if the names of its floors give one."""
        self.size = read_size(root.key("size", [80, 50]))
        """Width and height of the floors, unless their tables or the request say others."""
        self.params: Mapping[str, Param] = {
            name: read_param(table, TAKEN_PARAMS) for name, table in read_tables(root, "param").items()
        }
        """Its parameters by name."""
        self._names = KnownNames(self.params)
        floors = list(root.key("floor", []).items("floors"))
        if not floors:
            raise BadInput("a dungeon has at least one [[floor]]", place=document.place(), fix="add one")
        self._depths = [read_range(_require(table, "depths"), self._names) for table in floors]
        branches = list(root.key("branch", []).items("branches"))
        self._branches = [self._read_branch(table, branches[:index]) for index, table in enumerate(branches)]
        self.tables: tuple[FloorTable, ...] = (
            *(read_floor_table(table, self._names, FLOOR_KEYS, folder) for table in floors),
            *(read_floor_table(table, self._names, BRANCH_KEYS, folder) for table in branches),
        )
        """How floors are made: the tables [[floor]], and then [[branch]]."""
        self.stairs: StairsTable = read_stairs(root, self._names)
        """What it asks of stairs."""
        self._shafts = self._read_shafts()
        self.require: tuple[Requirement, ...] = read_requirements(root, DUNGEON_MEASURES)
        """What it asks of the whole dungeon."""
        self._finishes: dict[tuple[Recipe, ...], Recipe] = {}
        self._check_unused()
        self._defaults = ReadOnlyDict({name: param.default for name, param in self.params.items()})

    @classmethod
    def load(cls, name: str | Path) -> DungeonRecipe:
        """A dungeon recipe by its name, or from a file."""
        if isinstance(name, str) and name in dungeon_names():
            text = files.read_text(DUNGEONS / f"{name}.toml", limits.TOML_BYTES)
            return cls.parse(text, f"{name}.toml", SHIPPED_FOLDER)
        path = files.as_path(name, "recipe")
        if path.suffix == ".toml" or is_file(path):
            return cls.parse(files.read_text(path, limits.TOML_BYTES), str(path), recipe_folder(path))
        raise unknown_recipe(str(name))

    @classmethod
    def parse(cls, text: str, file: str, folder: Path | None = None) -> DungeonRecipe:
        """A dungeon recipe from TOML text; `file` names it in errors. Recipe files that it names lie in `folder`."""
        require_text("file", file, "give the name that errors show, for example 'crypts.toml'")
        folder = None if folder is None else files.as_path(folder, "folder")
        return cls(Path(file).stem, toml.parse_toml(text, file), folder)

    @property
    def source(self) -> tuple[str, str, Path | None]:
        """The arguments of `parse` that make this recipe again."""
        return self.document.text, self.document.file, self._folder

    def named_files(self) -> list[str]:
        """The recipe files beside it that its tables name."""
        recipes = [recipe for table in self.tables for recipe in (table.recipe, *table.finish)]
        return list(dict.fromkeys(recipe.source[1] for recipe in recipes if recipe_path(recipe.name) is None))

    def __repr__(self) -> str:
        return f"<DungeonRecipe {self.name}: {' '.join(table.recipe.name for table in self.tables)}>"

    def values(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """All parameters: those given, checked, and the defaults of the others."""
        require_table("params", given, 'for example {"deep": 4}')
        for name in given:
            require_name(f"parameter of {self.name}", name, self.params)
        return ReadOnlyDict(self._defaults | {name: self.params[name].check_value(given[name]) for name in given})

    def combine_requirements(self, until: Until = ()) -> tuple[Requirement, ...]:
        """The recipe's requirements on the whole dungeon and these, without duplicates. Raises if no dungeon can meet
        all of them.
        """
        more = requirements.parse_requirements(until, DUNGEON_MEASURES)
        found = requirements.drop_duplicates((*self.require, *more))
        requirements.check_contradictions(found, self.require)
        return found

    def plan(self, params: Mapping[str, Any], rng: Rng) -> DungeonPlan:
        """The floors and links for these parameters. `rng` is that of the dungeon: branches draw where they leave."""
        require_rng("rng", rng)
        values = self.values(params)
        tables = self._spread_tables(values)
        known = {**values, "floors": len(tables)}
        branches = [
            BranchPlan(name, tuple(range(low, high + 1)), length, returns, place)
            for name, low, high, length, returns, place in (self._resolve_branch(one, known) for one in self._branches)
        ]
        plan = plan_dungeon(tables, branches, self.stairs.way, rng, len(self._depths))
        extra, shafts = {}, {}
        for link in plan.links:
            depth = plan.floors[link.upper].depth
            if link.kind != "return":
                extra[link.pair] = self.stairs.extra({**known, "depth": depth})
                shafts[link.pair] = self._count_shafts({**known, "depth": depth})
        return add_extra_links(plan, extra, shafts)

    def floor_values(self, params: Mapping[str, Any], plan: DungeonPlan, floor: str) -> dict[str, Any]:
        """What formulas about a floor may name, with its value."""
        deepest = max(one.depth for one in plan.floors.values() if not one.branch)
        return {**self.values(params), "floors": deepest, "depth": plan.floors[floor].depth}

    def floor_size(self, table: FloorTable, size: tuple[int, int] | None) -> tuple[int, int]:
        """The size of the floors of a table: its own, or the one asked for, or the recipe's."""
        return table.size or (self.size if size is None else check_level_size(size))

    def chain_finish(self, table: FloorTable) -> Recipe:
        """The recipes that follow that of a table, as one."""
        if table.finish not in self._finishes:
            self._finishes[table.finish] = chain_recipes(table.finish, all_named=True)
        return self._finishes[table.finish]

    def _spread_tables(self, values: Mapping[str, Any]) -> list[int]:
        """For each depth of the main line the index of the first table that fits."""
        ranges = [one.resolve(values) for one in self._depths]
        deepest = max(high for _, high in ranges)
        found = []
        for depth in range(1, deepest + 1):
            fitting = next((index for index, (low, high) in enumerate(ranges) if low <= depth <= high), None)
            if fitting is None:
                raise BadInput(
                    f"no [[floor]] is for depth {depth}",
                    place=self._depths[0].source.place(),
                    fix=f"let one of them reach to {depth}",
                )
            found.append(fitting)
        return found

    def _read_branch(self, table: CheckedValue, before: list[CheckedValue]) -> _Branch:
        name = _require(table, "name").text()
        if not (name.isascii() and name.replace("_", "").isalnum() and name[0].isalpha() and len(name) <= 40):
            raise table.key("name").error(
                f"{name!r} cannot name a branch",
                "use letters and digits, and begin with a letter: floors are NAME-1 ...",
            )
        if any(other.value.get("name") == name for other in before):
            raise table.key("name").error(f"two branches are called {name!r}", "give one of them another name")
        returns = table.key("returns", False).boolean()
        length = read_setting(table.key("length", 1), self._names)
        if isinstance(length.value, Formula) and "depth" in length.value.names:
            raise length.source.error("the length of a branch cannot name depth", "leave depth out")
        return _Branch(name, read_range(_require(table, "leaves"), self._names), length, returns, table)

    def _resolve_branch(self, branch: _Branch, values: Mapping[str, Any]) -> tuple[str, int, int, int, bool, Any]:
        low, high = branch.leaves.resolve(values)
        deepest = values["floors"]
        if low > high or high > deepest:
            raise branch.leaves.source.error(
                f"the branch {branch.name!r} leaves from depth {low} to {high}, and the floors go from 1 to {deepest}",
                f"let it leave from 1 to {deepest}",
            )
        length = branch.length.whole(values, 1, limits.FLOORS.value, f"the length of the branch {branch.name!r}")
        return branch.name, low, high, length, branch.returns, branch.source.key_place()

    def _read_shafts(self) -> Setting | None:
        table = self.document.root().subtable("shafts")
        table.table(SHAFTS_KEYS)
        self.shafts_trap: bool = table.key("trap", False).boolean()
        """Whether a shaft may end where no way leads to the stairs."""
        return read_setting(table.key("count"), self._names) if "count" in table.value else None

    def _count_shafts(self, values: Mapping[str, Any]) -> int:
        return 0 if self._shafts is None else self._shafts.whole(values, 0, 16, "count of [shafts]")

    def _check_unused(self) -> None:
        """Refuse parameters that nothing uses."""
        settings = [
            *(setting for table in self.tables for setting in table.settings.values()),
            *self.stairs.settings.values(),
            *(branch.length for branch in self._branches),
            *([self._shafts] if self._shafts else []),
        ]
        used = {name for one in settings if isinstance(one.value, Formula) for name in one.value.names}
        texts = [one.value for one in settings]
        texts += [end for one in (*self._depths, *(branch.leaves for branch in self._branches)) for end in one[:2]]
        used |= {text[1:] for text in texts if isinstance(text, str) and text.startswith("$")}
        for name in self.params:
            if name not in used:
                raise BadInput(
                    f"nothing uses the parameter {name!r}",
                    place=self.document.place("param", name),
                    fix=f'write "${name}", or {name} in a formula, or leave it out',
                )


class _Branch(NamedTuple):
    """A table [[branch]]: where it leaves, and how long it is."""

    name: str
    leaves: DepthRange
    length: Setting
    returns: bool
    source: CheckedValue


def _require(table: CheckedValue, key: str) -> CheckedValue:
    """The value of a key that a table must have."""
    if not isinstance(table.value, dict) or key not in table.value:
        table.table()
        raise table.error(f"the key {key!r} is missing", f"add {key} = ...")
    return table.key(key)


def is_dungeon_recipe(name: object) -> bool:
    """Whether a name, or a file, is a dungeon recipe. A file that cannot be read is none: its own reader says why."""
    if not isinstance(name, (str, Path)):
        return isinstance(name, DungeonRecipe)
    if str(name) in dungeon_names():
        return True
    if not str(name).endswith(".toml"):
        return False
    try:
        return "floor" in toml.parse_toml(files.read_text(name, limits.TOML_BYTES), str(name)).data
    except UndercroftError:
        return False


def load_dungeon_recipe(name: str | Path) -> DungeonRecipe:
    """A dungeon recipe by its name, or from a file. Raises if it is a recipe for single levels."""
    if isinstance(name, str) and recipe_path(name) is not None:
        raise BadInput(
            f"{name} is a recipe for single levels, and no dungeon",
            fix=f'call undercroft.generate("{name}"), or name it in a [[floor]] of a dungeon recipe',
        )
    return DungeonRecipe.load(name)
