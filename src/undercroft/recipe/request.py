"""The request for a level: recipe, seed, size and options, checked once."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis.requirements import Requirement
from undercroft.core.arguments import require_level, require_mask
from undercroft.core.frozen import EMPTY_TABLE, ReadOnlyDict, thaw
from undercroft.core.level import Level, check_level_size
from undercroft.core.rng import MASK64, seed_number
from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_name, require_table
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.recipe.begin_map import check_begin_map, record_begin_map
from undercroft.steps.step import Step
from undercroft.wording import format_number

if TYPE_CHECKING:
    from undercroft.recipe.document import Recipe

DEFAULT_TRIES = 100
DEFAULT_SEARCH_TRIES = 10
"""The attempts of a search for each seed and each combination of parameters. A search has other seeds to go on with,
and where parameters suit no level, each seed takes all its attempts.
"""
Until = str | Requirement | Sequence[str | Requirement]
"""Requirements as users give them: one or several, parsed or not."""
Pick = Literal["first", "best"]
_SHIPPED_MARK = "ours"
"""Replaces the folder of the shipped recipes in a message: its path differs on another machine."""


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Request:
    """A request for levels of a recipe. Every value is checked by the constructor, and cannot be changed afterwards.

    >>> from undercroft.recipe.document import Recipe
    >>> request = Request(Recipe.load("cave"), seed=7, size=(60, 30), params={"fill_prob": 0.4}, until="loops >= 2")
    >>> request.size, request.until[0].text, request.values["fill_prob"], request.values["nrepeats"]
    ((60, 30), 'loops >= 2', 0.4, 10)
    >>> Request.of(request.for_seed(8).data()).seed
    8
    """

    recipe: Recipe
    seed: int | str | None
    """None if the seeds come later (`for_seed`), or if one is to be drawn."""
    size: tuple[int, int]
    params: Mapping[str, Any]
    """The given parameters, checked."""
    until: tuple[Requirement, ...]
    """Requirements beside the recipe's own."""
    tries: int
    pick: Pick
    """What to do if no attempt meets the requirements: "first" fails, "best" takes the nearest level."""
    attempt: int | None
    """Make this attempt alone, whatever it meets."""
    first_attempt: int
    max_steps: int | None
    max_cells: int | None
    ends: Mapping[str, Any]
    """Where the level is to start or end, for the steps that place its ends: `start`, `end` and `reach` as these steps
    have them. Empty if the steps choose.
    """
    begin: Level | None
    """A map to begin with instead of rock."""
    frozen: NDArray[np.bool_] | None
    """A mask of the cells of `begin` that no step may change."""
    requirements: tuple[Requirement, ...]
    """The recipe's requirements and `until`."""
    values: Mapping[str, Any]
    """All parameters: the given ones, and the defaults of the others."""
    steps: tuple[Step, ...]
    """The recipe's steps with all their values."""

    def __init__(
        self,
        recipe: Recipe,
        *,
        seed: int | str | None = None,
        size: Sequence[int] | None = None,
        params: Mapping[str, Any] | None = None,
        until: Until = (),
        tries: int = DEFAULT_TRIES,
        pick: Pick = "first",
        attempt: int | None = None,
        first_attempt: int = 0,
        max_steps: int | None = None,
        max_cells: int | None = None,
        ends: Mapping[str, Any] | None = None,
        begin: Level | None = None,
        frozen: NDArray[np.bool_] | None = None,
    ) -> None:
        _check_attempts(tries, pick, attempt, first_attempt)
        _check_whole_number("max_steps", max_steps, 0, limits.STEPS)
        _check_whole_number("max_cells", max_cells, 1, limits.CELLS)
        if params is not None:
            require_table("params", params, 'for example params={"fill_prob": 0.4}')
        if begin is not None:
            require_level("begin", begin)
        requirements = recipe.combine_requirements(until)
        width, height = (
            begin.size
            if begin is not None and size is None
            else check_level_size(recipe.size if size is None else size, max_cells)
        )
        if begin is None and recipe.begins:
            raise BadInput(
                f"{recipe.name} needs a map to begin with", fix="give one: --on MAP, or begin=level in Python"
            )
        if begin is not None:
            check_begin_map(recipe.name, recipe.begins, begin)
        if begin is not None and begin.size != (width, height):
            raise BadInput(
                f"the map to begin with is {begin.width}x{begin.height}, the size asked for is {width}x{height}",
                fix="leave the size out",
            )
        if frozen is not None:
            require_mask("frozen", frozen, width, height, "make it as large as the map: [height, width]")
        checked_ends: Mapping[str, Any] = EMPTY_TABLE
        if ends is not None:
            require_table("ends", ends, 'for example {"start": (4, 2)}')
        if ends:
            from undercroft.recipe.ends import check_ends  # imported late: most requests leave the ends to the steps

            checked_ends = check_ends(recipe, ends)
        values, steps = recipe.prepare(params or {}, width, height, checked_ends)
        self._set(
            recipe=recipe,
            seed=_normalise_seed(seed),
            size=(width, height),
            params=_select_values(values, params or {}),
            until=tuple(requirement for requirement in requirements if requirement not in recipe.require),
            tries=tries,
            pick=pick,
            attempt=attempt,
            first_attempt=first_attempt,
            max_steps=max_steps,
            max_cells=max_cells,
            ends=checked_ends,
            begin=begin,
            frozen=frozen,
            requirements=requirements,
            values=values,
            steps=steps,
        )

    def _set(self, **parts: Any) -> None:
        self.__dict__.update(parts)  # a frozen object refuses assignment; this is also quicker, once for every level

    def __repr__(self) -> str:
        return f"<Request {self.recipe.name} {self.size[0]}x{self.size[1]}, seed {self.seed}>"

    @property
    def label(self) -> str:
        """The recipe, and the parameters that were given."""
        return " ".join([self.recipe.name, *(f"{name}={value}" for name, value in self.params.items())])

    @functools.cached_property
    def begin_record(self) -> dict[str, Any] | None:
        """What levels record about the map to begin with; None if there is none."""
        return None if self.begin is None else record_begin_map(self.begin)

    def without_begin_record(self) -> Request:
        """The same request, whose levels record nothing about the map that they begin with: the caller does."""
        other = object.__new__(Request)
        other._set(**{**self.__dict__, "begin_record": None})
        return other

    @property
    def attempts(self) -> range:
        """The numbers of the attempts to make."""
        if self.attempt is not None:
            return range(self.attempt, self.attempt + 1)
        return range(self.first_attempt, self.first_attempt + self.tries)

    def for_seed(
        self, seed: int | str, params: Mapping[str, Any] | None = None, *, attempt: int | None = None
    ) -> Request:
        """The same request for a seed, with further parameters if there are some, or for one attempt alone.

        Only the new values are checked, so that a request for each of many seeds costs little.
        """
        other = object.__new__(Request)
        other._set(**{**self.__dict__, "seed": _normalise_seed(seed)})
        if params:
            all_params = {**self.params, **params}
            values, steps = self.recipe.prepare(all_params, *self.size, self.ends)
            other._set(params=_select_values(values, all_params), values=values, steps=steps)
        if attempt is not None:
            _check_attempts(self.tries, self.pick, attempt, self.first_attempt)
            other._set(attempt=attempt)
        return other

    def data(self) -> dict[str, Any]:
        """The request as plain data, for a message to a worker process; `of` reads it. A map to begin with and a frozen
        mask cannot be sent: raises `ValueError`.
        """
        if self.begin is not None or self.frozen is not None:
            raise ValueError("a request with a map to begin with, or with frozen cells, cannot be sent")
        return {
            "recipe": encode_recipe(self.recipe, self.params),
            "seed": self.seed,
            "size": list(self.size),
            "params": thaw(self.params),
            "until": [requirement.text for requirement in self.until],
            "tries": self.tries,
            "pick": self.pick,
            "attempt": self.attempt,
            "first_attempt": self.first_attempt,
            "max_steps": self.max_steps,
            "max_cells": self.max_cells,
            **({"ends": thaw(self.ends)} if self.ends else {}),
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Request:
        """The request that `data` describes. Raises `BadInput` if a file that the recipe reads has changed."""
        others = {name: value for name, value in data.items() if name != "recipe"}
        return cls(decode_recipe(data["recipe"], data["params"]), **others)


def encode_recipe(recipe: Recipe, params: Mapping[str, Any]) -> dict[str, Any]:
    """A recipe as plain data. Files that its steps read are listed with a digest."""
    from undercroft.recipe.then import ChainedRecipe  # few recipes follow another

    if isinstance(recipe, ChainedRecipe):
        pairs = list(zip(recipe.parts, map(thaw, recipe.split_params(params)), strict=True))
        parts = [{"recipe": encode_recipe(part, own), "params": own} for part, own in pairs]
        return {"parts": parts, "all_named": recipe.all_named}
    text, file, folder = recipe.source
    where = folder and (_SHIPPED_MARK if folder == SHIPPED_FOLDER else str(folder.absolute()))
    confined = {} if recipe.params_folder is None else {"params_folder": str(recipe.params_folder.absolute())}
    return {"text": text, "file": file, "folder": where, "read": recipe.reads(params), **confined}


def decode_recipe(data: Mapping[str, Any], params: Mapping[str, Any]) -> Recipe:
    """The recipe that `data` describes. Raises `BadInput` if a file that it reads has changed."""
    from undercroft.recipe.document import Recipe  # imported late: a recipe makes requests itself

    if "parts" in data:
        from undercroft.recipe.then import ChainedRecipe  # as above

        parts = [decode_recipe(part["recipe"], part["params"]) for part in data["parts"]]
        return ChainedRecipe(parts, all_named=data["all_named"])
    where = data["folder"] and (SHIPPED_FOLDER if data["folder"] == _SHIPPED_MARK else Path(data["folder"]))
    recipe = Recipe.parse(data["text"], data["file"], where)
    if "params_folder" in data:
        recipe = recipe.confine_params(Path(data["params_folder"]))
    if recipe.reads(params) != data["read"]:
        raise BadInput(
            f"a file that {recipe.name} reads was changed while the work was going on",
            fix="begin again, and leave it alone",
        )
    return recipe


def require_seeds_alone(recipe: Recipe, fix: str = "take a recipe that begins with rock") -> None:
    """Raise if a recipe needs a map to begin with, where there are only seeds."""
    if recipe.begins:
        raise BadInput(f"{recipe.name} needs a map to begin with, and a seed gives none", fix=fix)


def _select_values(values: Mapping[str, Any], names: Collection[str]) -> Mapping[str, Any]:
    return ReadOnlyDict({name: value for name, value in values.items() if name in names}) if names else EMPTY_TABLE


def _normalise_seed(seed: Any) -> int | str | None:
    """The seed, if it is one: a text as it is, a number as a plain one."""
    if seed is None:
        return None
    number = seed_number(seed)
    return seed if isinstance(seed, str) else number


def _check_whole_number(name: str, value: Any, least: int, default: limits.Limit) -> None:
    if value is not None and (type(value) is not int or not least <= value <= MASK64):
        raise BadInput(
            f"{name} is a whole number from {least}, not {format_number(value)}",
            fix=f"leave it out for {default.value:,}",
        )


def _check_attempts(tries: Any, pick: Any, attempt: Any, first_attempt: Any) -> None:
    if type(tries) is not int or tries < 1:
        raise BadInput(f"tries is a whole number from 1, not {format_number(tries)}", fix="leave it out")
    limits.TRIES.check(tries, "the number of tries")
    require_name("pick", pick, ("first", "best"))
    if attempt is not None:
        first_attempt, tries = attempt, 1
    if type(first_attempt) is not int or not 0 <= first_attempt <= MASK64 - tries:
        which, most = ("the first attempt", MASK64 - tries) if attempt is None else ("an attempt", MASK64 - 1)
        raise BadInput(
            f"{which} is a whole number from 0 to {most:,}, not {format_number(first_attempt)}",
            fix="0 is the first one",
        )
