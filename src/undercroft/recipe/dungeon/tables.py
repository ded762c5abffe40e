"""The tables of a dungeon recipe, read and checked: floors, branches, stairs and shafts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from undercroft import limits
from undercroft.core.frozen import freeze
from undercroft.errors import BadInput, UndercroftError
from undercroft.inputs import files
from undercroft.inputs.values import CheckedValue, format_value
from undercroft.recipe.catalogue import recipe_folder, recipe_path, unknown_recipe
from undercroft.recipe.document import Recipe, parse_recipe
from undercroft.recipe.dungeon.formula import FLOOR_NAMES, Formula, is_formula, nearest_double, round_down
from undercroft.recipe.dungeon.meeting import StairsRules
from undercroft.recipe.keys import read_size

FLOOR_KEYS = ("depths", "recipe", "size", "set", "finish")
BRANCH_KEYS = ("name", "leaves", "length", "returns", "recipe", "size", "set", "finish")
STAIRS_KEYS = ("way", "place", "apart", "margin", "extra", "dig", "near", "bottom")
SHAFTS_KEYS = ("count", "trap")
PLACES = ("alcove", "floor", "any")
WAYS = ("down", "up")
BOTTOMS = ("goal", "exit")
RANGE_FIX = 'for example "1..3", "4" or "4..$deep"'


class Setting(NamedTuple):
    """A value of a table that may depend on parameters and on the floor: plain, a parameter, or a formula."""

    value: Any
    """The plain value, the parameter's name after `$`, or the `Formula`."""
    source: CheckedValue

    def resolve(self, values: Mapping[str, Any]) -> Any:
        """The value, exact if it is a formula's. `values` are those of parameters and of the floor's names."""
        if isinstance(self.value, Formula):
            return self.value.value(values)
        if isinstance(self.value, str) and self.value.startswith("$"):
            return values[self.value[1:]]
        return self.value

    def whole(self, values: Mapping[str, Any], low: int, high: int, what: str) -> int:
        """The value as a whole number, rounded down. Raises if it is out of range."""
        found = self.resolve(values)
        number = round_down(found) if isinstance(found, Fraction) else found
        if type(number) is not int or not low <= number <= high:
            raise self.source.error(
                f"{what} is a whole number from {low:,} to {high:,}, not {_format_setting(number)}",
                "change the formula or the parameter" if isinstance(self.value, Formula) else f"write {low:,}",
            )
        return number

    def decimal(self, values: Mapping[str, Any], low: float, high: float, what: str) -> float:
        """The value as a decimal. Raises if it is out of range."""
        found = self.resolve(values)
        if isinstance(found, bool) or not isinstance(found, (int, float, Fraction)) or not low <= found <= high:
            raise self.source.error(
                f"{what} is a number from {low:g} to {high:g}, not {_format_setting(found)}",
                f"for example {(low + high) / 2:g}",
            )
        return nearest_double(found) if isinstance(found, Fraction) else float(found)


class FloorTable(NamedTuple):
    """How some floors are made: a table [[floor]] or [[branch]]."""

    source: CheckedValue
    recipe: Recipe
    size: tuple[int, int] | None
    settings: Mapping[str, Setting]
    """Parameters of the recipe."""
    finish: tuple[Recipe, ...]
    """Recipes that follow it once the stairs are there."""

    def params(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of the recipe for a floor."""
        found: dict[str, Any] = {}
        for name, setting in self.settings.items():
            value = setting.resolve(values)
            if isinstance(value, Fraction):
                wants_whole = type(self.recipe.params[name].default) is int
                value = round_down(value) if wants_whole else nearest_double(value)
            try:
                found[name] = self.recipe.params[name].check_value(value)
            except BadInput as error:
                where = f" at depth {values['depth']}" if isinstance(setting.value, Formula) else ""
                raise setting.source.error(f"{error.problem}{where}", error.fix) from None
        return found


class KnownNames(NamedTuple):
    """What formulas and `$names` of a dungeon recipe may use."""

    params: Mapping[str, Any]
    """The parameters, by name."""

    @property
    def in_formulas(self) -> tuple[str, ...]:
        """The names that formulas may use: numbers only."""
        numbers = [name for name, param in self.params.items() if type(param.default) in (int, float)]
        return (*FLOOR_NAMES, *numbers)


def read_setting(value: CheckedValue, known: KnownNames) -> Setting:
    """A value that may be a formula or a parameter."""
    if is_formula(value.value):
        return Setting(Formula.parse(value.value, known.in_formulas, value.place()), value)
    if isinstance(value.value, list) and value.value and all(isinstance(point, list) for point in value.value):
        return Setting(_read_curve(value), value)
    if isinstance(value.value, str) and value.value.startswith("$"):
        if value.value[1:] not in known.params:
            raise value.replaced(value.value[1:]).unknown_name("parameter", list(known.params))
        return Setting(value.value, value)
    return Setting(freeze(value.value), value)


def _read_curve(value: CheckedValue) -> Formula:
    """Points [depth, value] as a formula of the depth: straight between two points, level before and after."""
    points: list[tuple[Fraction, Fraction]] = []
    for point in value.items():
        numbers = point.list(2)
        if not all(type(number) in (int, float) for number in numbers):
            raise point.mismatch("[depth, value]", fix="for example [[1, 8], [5, 30]]")
        x, y = (Fraction(str(number)) for number in numbers)
        if points and x <= points[-1][0]:
            raise point.error("the points of a curve go from left to right", "write the smaller depth first")
        points.append((x, y))
    if len(points) < 2:
        raise value.error("a curve has at least two points", "for example [[1, 8], [5, 30]]")

    def evaluate(values: Mapping[str, Fraction]) -> Fraction:
        depth = values["depth"]
        if depth <= points[0][0]:
            return points[0][1]
        for (x0, y0), (x1, y1) in pairwise(points):
            if depth <= x1:
                return y0 + (y1 - y0) * (depth - x0) / (x1 - x0)
        return points[-1][1]

    return Formula(format_value(value.value), frozenset(("depth",)), evaluate, value.place())


class DepthRange(NamedTuple):
    """Depths from one to another, each a number or a parameter."""

    low: int | str
    high: int | str
    source: CheckedValue

    def resolve(self, values: Mapping[str, Any]) -> tuple[int, int]:
        """The least and the greatest depth."""
        low, high = (values[end[1:]] if isinstance(end, str) else end for end in (self.low, self.high))
        most = limits.FLOORS.value
        if not (type(low) is type(high) is int and low >= 1 and high <= most):
            raise self.source.error(
                f"depths are from 1 to {most}, not {_format_setting(low)} to {_format_setting(high)}", RANGE_FIX
            )
        return low, high


def read_range(value: CheckedValue, known: KnownNames) -> DepthRange:
    """Depths: a number, or a text such as `1..3` or `4..$deep`."""
    if type(value.value) is int:
        return DepthRange(value.value, value.value, value)
    parts = value.text().split("..")
    ends: list[int | str] = []
    for part in (parts[0], parts[-1]):
        word = part.strip()
        if word.startswith("$"):
            if word[1:] not in known.params:
                raise value.replaced(word[1:]).unknown_name("parameter", list(known.params))
            if type(known.params[word[1:]].default) is not int:
                raise value.error(f"the parameter {word[1:]!r} is no whole number, and depths are", RANGE_FIX)
            ends.append(word)
        elif word.isascii() and word.isdigit() and len(word) < 6:
            ends.append(int(word))
        else:
            raise value.error(f"depths are {RANGE_FIX.removeprefix('for example ')}, not {value.describe()}", RANGE_FIX)
    if len(parts) > 2:
        raise value.error(f"{value.describe()} is no range of depths", RANGE_FIX)
    found = DepthRange(ends[0], ends[1], value)
    if isinstance(found.low, int) and isinstance(found.high, int) and found.low > found.high:
        raise value.error(f"the range {value.describe()} is empty", "write the smaller depth first")
    return found


def read_floor_table(table: CheckedValue, known: KnownNames, keys: Sequence[str], folder: Path | None) -> FloorTable:
    """A table [[floor]] or [[branch]]."""
    table.table(keys, ("recipe",))
    recipe = _load_recipe(table.key("recipe"), folder)
    if recipe.begins:
        raise table.key("recipe").error(
            f"{recipe.name} begins with a map, and a floor begins with rock", f'name it in finish = ["{recipe.name}"]'
        )
    chosen = table.subtable("set")
    settings: dict[str, Setting] = {}
    for name in chosen.value:
        if name not in recipe.params:
            raise chosen.unknown_name(f"parameter of {recipe.name}", list(recipe.params), key=name)
        settings[name] = read_setting(chosen.key(name), known)
    finish = table.key("finish", [])
    finishing = tuple(_load_recipe(one, folder) for one in finish.items())
    for one, source in zip(finishing, finish.items(), strict=True):
        if not one.begins:
            raise source.error(
                f"{one.name} begins with rock, so it would wipe the floor out",
                'take a recipe that begins with a map, such as "inhabited"',
            )
    size = read_size(table.key("size")) if "size" in table.value else None
    return FloorTable(table, recipe, size, settings, finishing)


def _load_recipe(value: CheckedValue, folder: Path | None) -> Recipe:
    """A recipe that a table names: one of ours, or a file beside the dungeon recipe."""
    name = value.text()
    try:
        if recipe_path(name) is not None:
            return Recipe.load(name)
        if not name.casefold().endswith(".toml"):
            raise unknown_recipe(name)
        path = files.resolve_named(folder, name)
        return parse_recipe(files.read_text(path, limits.TOML_BYTES), name, recipe_folder(path))
    except UndercroftError as error:
        if error.place is None:
            error.place = value.place()
        raise


class StairsTable(NamedTuple):
    """The table [stairs]."""

    way: str
    bottom: str
    place: str
    settings: Mapping[str, Setting]

    def rules(self, values: Mapping[str, Any]) -> StairsRules:
        """What is asked of the stairs of all floors."""
        found = StairsRules(place=self.place)
        changes: dict[str, Any] = {}
        for name, low, high in (("margin", 0, 10_000), ("dig", 0, 100), ("near", 0, 100)):
            if name in self.settings:
                changes[name] = self.settings[name].whole(values, low, high, f"{name} of [stairs]")
        if "apart" in self.settings:
            changes["apart"] = self.settings["apart"].decimal(values, 0, 1, "apart of [stairs]")
        return found._replace(**changes)

    def extra(self, values: Mapping[str, Any]) -> int:
        """How many stairs there are beside the first ones, to the floor below."""
        return self.settings["extra"].whole(values, 0, 8, "extra of [stairs]") if "extra" in self.settings else 0


def read_stairs(root: CheckedValue, known: KnownNames) -> StairsTable:
    """The table [stairs]; its defaults if there is none."""
    table = root.subtable("stairs")
    table.table(STAIRS_KEYS)
    words = {
        name: table.key(name, choices[0]).choice(choices, f"{name} of [stairs]")
        for name, choices in (("way", WAYS), ("bottom", BOTTOMS), ("place", PLACES))
    }
    settings = {name: read_setting(table.key(name), known) for name in table.value if name not in words}
    for name in ("margin", "dig", "near", "apart"):
        setting = settings.get(name)
        if setting is not None and isinstance(setting.value, Formula) and {"depth"} & setting.value.names:
            raise setting.source.error(f"{name} holds for all floors, so it cannot name depth", "leave depth out")
    return StairsTable(words["way"], words["bottom"], words["place"], settings)


def _format_setting(value: Any) -> str:
    if isinstance(value, Fraction):
        return format_value(round_down(value)) if value.denominator == 1 else f"{nearest_double(value):g}"
    return format_value(value)
