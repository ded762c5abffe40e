"""Parameters that vary: drawn by the seed from a range, or each of some values in turn."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from undercroft import limits
from undercroft.core.rng import Rng
from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs import toml
from undercroft.inputs.arguments import is_list, require_table
from undercroft.inputs.values import format_value
from undercroft.recipe.document import Recipe
from undercroft.recipe.params import Param
from undercroft.recipe.request import Request

RANGE_STEPS = 1000
"""Steps between the two ends of a drawn number: few enough that it is short to read and type."""

_EXAMPLE = (
    "for example fill_prob=0.35..0.5 (drawn), fill_prob=0.35..0.5:4 (four values in turn) or fill_prob=0.4,0.45 "
    "(these two)"
)


class RandomRange(NamedTuple):
    """A number between two ends, both included."""

    name: str
    low: Any
    high: Any

    def draw(self, seed: int) -> Any:
        """The number that belongs to a seed."""
        rng = Rng.root(seed).stream(f"--vary {self.name}")
        if isinstance(self.low, int):
            return rng.between(self.low, self.high)
        return _interpolate(self.low, self.high, rng.below(RANGE_STEPS + 1), RANGE_STEPS)


class Variation:
    """The parameters that vary. The values of a level follow from its seed and from the index of its combination.

    >>> cave = Recipe.load("cave")
    >>> Variation(cave, {"nrepeats": [4, 5], "fill_prob": (0.35, 0.5)}).values(7, 1)
    {'fill_prob': 0.46535, 'nrepeats': 5}
    """

    def __init__(self, recipe: Recipe, vary: Mapping[str, tuple[Any, Any] | Sequence[Any]]) -> None:
        require_table("vary", vary, "for example {'fill_prob': (0.35, 0.5)}")
        self.names = tuple(vary)
        self._drawn: list[RandomRange] = []
        self._each: dict[str, list[Any]] = {}
        for name, values in vary.items():
            param = _resolve_param(recipe, name)
            if isinstance(values, tuple):
                self._drawn.append(_build_range(param, values))
            else:
                self._each[name] = [param.check_value(value) for value in _check_value_list(name, values)]
        self.combinations = 1
        for each in self._each.values():
            self.combinations *= len(each)
        limits.SEARCH_COMBINATIONS.check(self.combinations, "the number of combinations of values")

    def check_request(self, request: Request) -> None:
        """Raise if a parameter that varies is set too, or if there are values that suit no level."""
        for name in self.names:
            if name in request.params:
                raise BadInput(f"{name} is set, and varies", fix="leave one of them out")
        for combination in {0, self.combinations - 1}:
            request.for_seed(0, self.values(0, combination))

    def values(self, seed: int, combination: int) -> dict[str, Any]:
        """The parameters of one level: the drawn ones, and a combination of the others. The last of these varies
        fastest.
        """
        found = {drawn.name: drawn.draw(seed) for drawn in self._drawn}
        for name, each in reversed(self._each.items()):
            combination, place = divmod(combination, len(each))
            found[name] = each[place]
        return found

    def format_texts(self) -> list[str]:
        """The variation as texts that `parse_variations` takes.

        >>> Variation(Recipe.load("cave"), {"nrepeats": [4, 5], "fill_prob": (0.35, 0.5)}).format_texts()
        ['fill_prob=0.35..0.5', 'nrepeats=4,5']
        """
        return [f"{drawn.name}={drawn.low}..{drawn.high}" for drawn in self._drawn] + [
            f"{name}={','.join(toml.format_setting(value) for value in values)}" for name, values in self._each.items()
        ]

    def data(self) -> dict[str, Any]:
        """The variation as plain data, for `from_data`."""
        return {"names": list(self.names), "drawn": [list(drawn) for drawn in self._drawn], "each": self._each}

    @classmethod
    def from_data(cls, data: Mapping[str, Any], recipe: Recipe) -> Variation:
        """The variation of a recipe with that data, checked again."""
        found: dict[str, tuple[Any, Any] | list[Any]] = {name: (low, high) for name, low, high in data["drawn"]}
        found |= {name: list(values) for name, values in data["each"].items()}
        return cls(recipe, {name: found[name] for name in data["names"]})


def parse_variations(texts: Sequence[str], recipe: Recipe) -> dict[str, tuple[Any, Any] | list[Any]]:
    """Parse the parameters that vary from texts such as `fill_prob=0.35..0.5`."""
    found: dict[str, tuple[Any, Any] | list[Any]] = {}
    for text in texts:
        name, sign, values = (part.strip() for part in text.partition("="))
        if not sign or not name or not values:
            raise BadInput(f"what varies is written NAME=FIRST..LAST, not {text!r}", fix=_EXAMPLE)
        if name in found:
            raise BadInput(f"{name} varies twice", fix="give it once")
        param = _resolve_param(recipe, name)
        low, dots, high = values.partition("..")
        if not dots:
            found[name] = [toml.parse_value(value, f"--vary {name}") for value in values.split(",")]
            continue
        high, colon, steps = high.partition(":")
        ends = toml.parse_value(low, f"--vary {name}"), toml.parse_value(high, f"--vary {name}")
        found[name] = _list_grid_values(param, ends, steps.strip()) if colon else ends
    return found


def _check_value_list(name: str, values: Any) -> list[Any]:
    """The values of a parameter as a list. Raises for anything but a non-empty collection."""
    if not is_list(values) or not isinstance(values, Collection) or not len(values):
        fix = (
            _EXAMPLE
            if isinstance(values, str)
            else f"in Python {{{name!r}: [1, 2]}} are these two, and {{{name!r}: (1, 2)}} is all between them"
        )
        raise BadInput(f"{name} varies over a list of values or between two ends, not {format_value(values)}", fix=fix)
    return list(values)


def _resolve_param(recipe: Recipe, name: str) -> Param:
    if name not in recipe.params:
        raise unknown_name_error(f"parameter of {recipe.name}", name, recipe.params)
    return recipe.params[name]


def _build_range(param: Param, ends: Sequence[Any]) -> RandomRange:
    if len(ends) != 2 or type(param.default) not in (int, float):
        fix = (
            _EXAMPLE
            if type(param.default) in (int, float)
            else f"list its values: {param.name}={','.join(map(str, param.choices)) or '...'}"
        )
        raise BadInput(
            f"{param.name} is {param.describe_values()}: there is nothing between {format_value(list(ends))}", fix=fix
        )
    low, high = map(param.check_value, ends)
    if low > high:
        raise BadInput(
            f"nothing lies between {low} and {high}", fix=f"write the smaller number first: {param.name}={high}..{low}"
        )
    if isinstance(low, int) and high - low >= limits.SEARCH_NUMBERS.value:
        raise BadInput(f"{param.name} cannot be drawn from more than 2^32 numbers", fix=limits.SEARCH_NUMBERS.raise_by)
    return RandomRange(param.name, low, high)


def _list_grid_values(param: Param, ends: tuple[Any, Any], steps: str) -> list[Any]:
    """A number of values, evenly spaced from end to end."""
    drawn = _build_range(param, ends)
    count = int(steps) if re.fullmatch(r"\d{1,9}", steps) else 0
    if count < 2:
        raise BadInput(f"{param.name} goes in a whole number of values from 2, not {steps!r}", fix=_EXAMPLE)
    limits.SEARCH_COMBINATIONS.check(count, f"the number of values of {param.name}")
    if not isinstance(drawn.low, int):
        return [_interpolate(drawn.low, drawn.high, step, count - 1) for step in range(count)]
    if count > drawn.high - drawn.low + 1:
        raise BadInput(
            f"there are only {drawn.high - drawn.low + 1} whole numbers from {drawn.low} to {drawn.high}, not {count}",
            fix="ask for fewer values",
        )
    return [drawn.low + (2 * step * (drawn.high - drawn.low) + count - 1) // (2 * (count - 1)) for step in range(count)]


def _interpolate(low: float, high: float, step: int, steps: int) -> float:
    """A number between the ends, rounded to 12 significant digits, so that it is short; never beyond the ends."""
    return min(high, max(low, float(f"{low + (high - low) * step / steps:.12g}")))
