"""Recipes that follow each other: the steps of one, and then those of recipes that begin with a map.

Everything happens in one attempt, with one stream for each step. Steps of a recipe that follows have its name in front
of their ids, such as `inhabited/furnish`, and its parameters likewise: `inhabited/things`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from undercroft.analysis import requirements
from undercroft.core.frozen import ReadOnlyDict
from undercroft.errors import BadInput
from undercroft.recipe import extends
from undercroft.recipe.document import Recipe
from undercroft.steps import STEPS
from undercroft.steps.step import Step, describe_step
from undercroft.wording import join_words

RESTORED = ("regions", "doors", "links", "ends", "path")
"""The facts that are kept through steps that spoil them, as far as they still hold."""


class ChainedRecipe(Recipe):
    """Several recipes as one. The first one decides name, size and what it begins with.

    With `all_named`, the steps of the first one have its name in front as well: the recipes follow something else.
    """

    def __init__(self, parts: Sequence[Recipe], *, all_named: bool = False) -> None:
        first = parts[0]
        self.parts = tuple(parts)
        self.all_named = all_named
        self.prefixes = tuple(
            f"{name}/" if index or all_named else "" for index, name in enumerate(_number_names(parts))
        )
        self.name, self.base, self.about = first.name, first.base, first.about
        self.size, self.begins = first.size, first.begins
        self.document, self._own, self._folder = first.document, first._own, first._folder
        self._folders, self.params_folder = first._folders, first.params_folder
        self.tags = tuple(dict.fromkeys(tag for part in parts for tag in part.tags))
        self.params = {
            prefix + name: param._replace(name=prefix + name)
            for prefix, part in zip(self.prefixes, parts, strict=True)
            for name, param in part.params.items()
        }
        self.plans = tuple(
            plan._replace(id=prefix + plan.id)
            for prefix, part in zip(self.prefixes, parts, strict=True)
            for plan in part.plans
        )
        self.then = tuple(part.name for part in parts[not all_named :])
        counts = [len(part.plans) for part in parts]
        self.joints = frozenset(sum(counts[:index]) for index in range(1, len(parts)))
        self.packages = ReadOnlyDict({name: label for part in parts for name, label in part.packages.items()})
        self.require = requirements.drop_duplicates([one for part in parts for one in part.require])
        requirements.check_contradictions(self.require, self.require)
        self._forget_built()
        _check_facts(parts)

    def _forget_built(self) -> None:
        self._defaults = ReadOnlyDict({name: param.default for name, param in self.params.items()})
        self._editions = ReadOnlyDict({plan.id: STEPS[plan.use].edition for plan in self.plans})
        self._built = ({}, ())
        self._described, self._checked = (None, ReadOnlyDict()), (None, 0, 0)

    def split_params(self, params: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The parameters of each recipe, by the names that it knows."""
        return [
            {name: params[prefix + name] for name in part.params if prefix + name in params}
            for prefix, part in zip(self.prefixes, self.parts, strict=True)
        ]

    def confine_params(self, folder: Path) -> ChainedRecipe:
        """The same recipes, whose parameters can name files of this folder only."""
        return ChainedRecipe([part.confine_params(folder) for part in self.parts], all_named=self.all_named)

    def named_files(self) -> list[str]:
        """The files beside it that the steps of all of them name."""
        return list(dict.fromkeys(name for part in self.parts for name in part.named_files()))

    def reads(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The files that their steps read, each with a digest."""
        return self.describe_files(self._build_steps(self.values(params)))

    def describe_files(self, steps: Sequence[Step]) -> dict[str, Any]:
        """Digests of the files that their steps read, and of the recipes that they extend."""
        found = super().describe_files(steps)
        bases = {
            prefix + file: digest
            for prefix, part in zip(self.prefixes, self.parts, strict=True)
            for file, digest in extends.digest_bases(part.base).get("extends", {}).items()
        }
        return found | ({"extends": bases} if bases else {})

    def _build_steps(self, params: Mapping[str, Any]) -> tuple[Step, ...]:
        before, built = self._built
        if not built or (before is not params and before != params):
            built = tuple(
                step
                for part, own in zip(self.parts, self.split_params(params), strict=True)
                for step in part._build_steps(part.values(own))
            )
            self._built = (params, built)
        return built

    def _with_bases(self) -> Iterator[Recipe]:
        for part in self.parts:
            yield from part._with_bases()


def chain_recipes(parts: Sequence[Recipe], *, all_named: bool = False) -> Recipe:
    """The recipes as one; the only one as it is, unless its steps are to have its name in front.

    >>> chain_recipes([Recipe.load("cave")]).name
    'cave'
    """
    return parts[0] if len(parts) == 1 and not all_named else ChainedRecipe(parts, all_named=all_named)


def _number_names(parts: Sequence[Recipe]) -> list[str]:
    """The names of the recipes; from the second of one name on with a number."""
    found: list[str] = []
    for index, part in enumerate(parts):
        count = sum(other.name == part.name for other in parts[:index])
        found.append(f"{part.name}#{count + 1}" if count else part.name)
    return found


def _check_facts(parts: Sequence[Recipe]) -> None:
    """Raise if a recipe that follows begins with rock, or with a fact that those before it do not give."""
    have, known = {*parts[0].begins}, {*parts[0].begins}
    for index, part in enumerate(parts):
        if index:
            have |= known & {*RESTORED}
            before = join_words([other.name for other in parts[:index]])
            if not part.begins:
                raise BadInput(
                    f"{part.name} begins with rock, so it cannot follow {before}",
                    fix='take a recipe that begins with a map, such as "inhabited"',
                )
            missing = [fact for fact in part.begins if fact not in have]
            if missing:
                raise BadInput(
                    f"{part.name} begins with {join_words(missing)}, which {before} does not give",
                    fix="put a recipe between them that does, for example one with the step 'survey'",
                )
        for plan in part.plans:
            step = describe_step(STEPS[plan.use])
            have = (have - {*step.spoils}) | {*step.gives}
            known = {*have} if "things" in step.spoils else known | have
