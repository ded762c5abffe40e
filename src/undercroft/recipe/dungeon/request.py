"""The request for a dungeon: recipe, seed, size and parameters, checked once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from undercroft import limits
from undercroft.analysis.measures.dungeon_measures import split_floor
from undercroft.analysis.requirements import Requirement
from undercroft.core.dungeon import resolve_floor_id
from undercroft.core.frozen import thaw
from undercroft.core.level import check_level_size
from undercroft.core.rng import MASK64, Rng, seed_number
from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_type, require_whole_number
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.recipe.dungeon.document import DungeonRecipe
from undercroft.recipe.request import DEFAULT_TRIES, Until

DUNGEON_TRIES = 10
"""The attempts at a whole dungeon, unless others are asked for. Floors and finishes have attempts of their own."""


@dataclass(frozen=True, init=False, eq=False, repr=False)
class DungeonRequest:
    """A request for a dungeon. Every value is checked by the constructor, and cannot be changed afterwards."""

    recipe: DungeonRecipe
    seed: int | str
    size: tuple[int, int] | None
    """The size of floors whose tables have none; None for the recipe's."""
    params: Mapping[str, Any]
    """All parameters of the recipe."""
    requirements: tuple[Requirement, ...]
    """What is asked of the whole dungeon: by the recipe, and beside it."""
    tries: int
    """The attempts at a whole dungeon."""
    attempt: int | None
    """Make this attempt alone."""
    floor_tries: int
    """The attempts at a bare floor, and at a finish."""
    max_steps: int | None
    max_cells: int | None

    def __init__(
        self,
        recipe: DungeonRecipe,
        *,
        seed: int | str,
        size: Sequence[int] | None = None,
        params: Mapping[str, Any] | None = None,
        until: Until = (),
        tries: int = DUNGEON_TRIES,
        attempt: int | None = None,
        floor_tries: int = DEFAULT_TRIES,
        max_steps: int | None = None,
        max_cells: int | None = None,
    ) -> None:
        require_type(
            "recipe", recipe, DungeonRecipe, "a DungeonRecipe", 'for example undercroft.DungeonRecipe.load("delve")'
        )
        number = seed_number(seed)
        for name, count in (("tries", tries), ("floor_tries", floor_tries)):
            require_whole_number(name, count, 1, limits.TRIES.value)
        if attempt is not None:
            attempt = require_whole_number("attempt", attempt, 0, MASK64 - 1)
        parts: dict[str, Any] = {
            "recipe": recipe,
            "seed": seed if isinstance(seed, str) else number,
            "size": None if size is None else check_level_size(size, _check_limit("max_cells", max_cells, 1)),
            "params": recipe.values(params or {}),
            "requirements": recipe.combine_requirements(until),
            "tries": int(tries),
            "attempt": attempt,
            "floor_tries": int(floor_tries),
            "max_steps": _check_limit("max_steps", max_steps, 0),
            "max_cells": _check_limit("max_cells", max_cells, 1),
        }
        for name, value in parts.items():
            object.__setattr__(self, name, value)
        self.check_floors([requirement.measure for requirement in self.requirements])

    def check_floors(self, measures: Iterable[str]) -> None:
        """Raise if one of these measures is of a floor that the dungeon does not have."""
        named = {split_floor(name)[1] for name in measures} - {""}
        ids = self.recipe.plan(self.params, Rng.root(self.seed_number)).floors if named else {}
        for floor in sorted(named):
            resolve_floor_id(floor, ids)

    @property
    def seed_number(self) -> int:
        """The seed as a number of 64 bits."""
        return seed_number(self.seed)

    @property
    def attempts(self) -> range:
        """The numbers of the attempts to make."""
        return range(self.tries) if self.attempt is None else range(self.attempt, self.attempt + 1)

    def __repr__(self) -> str:
        return f"<DungeonRequest {self.recipe.name}, seed {self.seed}>"

    def data(self) -> dict[str, Any]:
        """The request as plain data, for a message to a worker process; `of` reads it."""
        text, file, folder = self.recipe.source
        where = folder and ("" if folder == SHIPPED_FOLDER else str(folder.absolute()))
        return {
            "recipe": {"text": text, "file": file, "folder": where},
            "seed": self.seed,
            "size": self.size and list(self.size),
            "params": thaw(self.params),
            "until": [one.text for one in self.requirements if one not in self.recipe.require],
            "tries": self.tries,
            "attempt": self.attempt,
            "floor_tries": self.floor_tries,
            "max_steps": self.max_steps,
            "max_cells": self.max_cells,
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> DungeonRequest:
        """The request that `data` describes."""
        others = {name: value for name, value in data.items() if name != "recipe"}
        recipe, folder = data["recipe"], data["recipe"]["folder"]
        where = SHIPPED_FOLDER if folder == "" else folder and Path(folder)
        return cls(DungeonRecipe.parse(recipe["text"], recipe["file"], where), **others)

    def for_attempt(self, attempt: int) -> DungeonRequest:
        """The same request, for one attempt alone."""
        if not 0 <= attempt < MASK64:
            raise BadInput(f"attempt is a whole number from 0, not {attempt}", fix="0 is the first one")
        return self._changed(attempt=attempt)

    def for_seed(self, seed: int | str) -> DungeonRequest:
        """The same request, for another seed."""
        seed_number(seed)
        return self._changed(seed=seed)

    def _changed(self, **parts: Any) -> DungeonRequest:
        other = object.__new__(DungeonRequest)
        other.__dict__.update({**self.__dict__, **parts})
        return other


def _check_limit(name: str, value: Any, least: int) -> int | None:
    return None if value is None else require_whole_number(name, value, least, MASK64, "leave it out")
