"""A recipe: a named list of steps with parameters of its own, loaded and checked."""

from __future__ import annotations

import contextlib
import copy
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis import requirements
from undercroft.analysis.requirements import Requirement
from undercroft.core.frozen import EMPTY_TABLE, ReadOnlyDict
from undercroft.core.level import Level, check_level_size
from undercroft.core.run import Watcher
from undercroft.deprecation import RenamedMember
from undercroft.errors import BadInput, Place, PluginTrouble, UndercroftError
from undercroft.inputs import files, toml
from undercroft.inputs.arguments import require_callable, require_name, require_table, require_text
from undercroft.inputs.files import SHIPPED_FOLDER, is_file
from undercroft.inputs.values import CheckedValue
from undercroft.recipe import extends
from undercroft.recipe.catalogue import recipe_folder, recipe_path, unknown_recipe
from undercroft.recipe.keys import check_keys, read_begins, read_requirements, read_size, read_tables, read_tags
from undercroft.recipe.outcome import Result
from undercroft.recipe.params import Param, read_param
from undercroft.recipe.plans import KEYS_ABOVE_TABLES, StepPlan, build_step, check_order, read_plans
from undercroft.recipe.request import DEFAULT_TRIES, Pick, Request, Until
from undercroft.recipe.run import read_files, run_request
from undercroft.steps import STEPS, Step
from undercroft.steps.step import describe_step

_KEYS = (*KEYS_ABOVE_TABLES, "param", "change", "step", "require")
NAMES_TAKEN = (
    *("recipe", "seed", "size", "params", "until", "tries", "pick", "attempt", "first_attempt", "begin", "frozen"),
    *("ends", "then", "watcher", "cancelled", "progress", "tick", "on_step", "max_steps", "max_cells"),
)
"""Keywords of `generate`: no parameter of a recipe may have such a name."""


class Recipe:
    """Steps with parameters. `Recipe.load` takes a name or a path, `Recipe.parse` the text itself.

    >>> recipe = Recipe.parse('[[step]]\\nuse = "noise"\\nwall = 0.5', "half.toml")
    >>> recipe.generate(seed=1, size=(8, 4)).level.size
    (8, 4)
    """

    joints: frozenset[int] = frozenset()
    """The indexes of the steps at which another recipe begins, in recipes that follow each other."""
    then: tuple[str, ...] = ()
    """The names of the recipes that follow this one."""

    def __init__(
        self, name: str, document: toml.TomlDocument, folder: Path | None = None, base: Recipe | None = None
    ) -> None:
        self.name = name
        """Its name, or that of its file without the suffix."""
        self.base = base
        """The recipe that it builds on, if it does."""
        self._own = document
        if base is None:
            extends.check_keys_alone(document.root())
        else:
            document = extends.merge(base, document)
        self.document = document
        """Its tables, with those of its base, and the place of each value."""
        self._folder = folder
        self._folders: tuple[Path | None, ...] = (*(base._folders if base else ()), folder)
        self.params_folder: Path | None = None
        """The folder of the files that its parameters can name; None if they can name any: see `confine_params`."""
        root = document.root()
        self.about = root.key("about", "").text("about")
        """What it makes, in a sentence."""
        self.tags: tuple[str, ...] = read_tags(root.key("tags", []))
        """What its levels are like."""
        self.size = read_size(root.key("size", [80, 50]))
        """Width and height of its levels, unless others are asked for."""
        self.begins = read_begins(root.key("begins", []))
        """The facts that the map to begin with must have."""
        self.params: Mapping[str, Param] = {
            name: self._read_param(name, table) for name, table in read_tables(root, "param").items()
        }
        """Its parameters by name."""
        self.plans: tuple[StepPlan, ...] = read_plans(document, self.params)
        """Its steps, in order."""
        self.packages: Mapping[str, str] = ReadOnlyDict(
            {plan.use: provider.label for plan in self.plans if (provider := STEPS.provider(plan.use)) is not None}
        )
        """The package and version of each step that is not Undercroft's own, by the step's name."""
        self.require: tuple[Requirement, ...] = read_requirements(root)
        """What every level must meet."""
        self._defaults: ReadOnlyDict = ReadOnlyDict({name: param.default for name, param in self.params.items()})
        self._editions = ReadOnlyDict({plan.id: STEPS[plan.use].edition for plan in self.plans})
        self._built: tuple[Mapping[str, Any], tuple[Step, ...]] = ({}, ())
        self._described: tuple[Sequence[Step] | None, Mapping[str, Any]] = (None, EMPTY_TABLE)
        self._checked: tuple[Sequence[Step] | None, int, int] = (None, 0, 0)
        self._build_steps(self._defaults)
        check_order(self.plans, self.begins, document)

    @classmethod
    def load(cls, name: str | Path) -> Recipe:
        """A recipe by its name, or from a file."""
        if isinstance(name, str) and recipe_path(name) is not None:
            return _load_shipped(name)
        path = files.as_path(name, "recipe")
        if path.suffix == ".toml" or is_file(path):
            return cls.parse(files.read_text(path, limits.TOML_BYTES), str(path), recipe_folder(path))
        raise unknown_recipe(str(name))

    @classmethod
    def parse(cls, text: str, file: str, folder: Path | None = None) -> Recipe:
        """A recipe from TOML text; `file` names it in errors. Files that the recipe names lie in `folder`; without a
        folder it cannot name any.
        """
        require_text("file", file, "give the name that errors show, for example 'cave.toml'")
        folder = None if folder is None else files.as_path(folder, "folder")
        return parse_recipe(text, file, folder)

    @property
    def source(self) -> tuple[str, str, Path | None]:
        """The arguments of `parse` that make this recipe again."""
        return self._own.text, self._own.file, self._folder

    def confine_params(self, folder: Path) -> Recipe:
        """The same recipe, whose parameters can name files of this folder only: for values from a file, a link or a
        request. A recipe from a file reads only from its own folder anyway.

        >>> Recipe.load("bsp").confine_params(Path("rooms")).generate(seed=1, params={"layouts": ["/etc/hosts.layout"]})
        Traceback (most recent call last):
        undercroft.errors.FileTrouble: '/etc/hosts.layout' lies outside the folder
          fix: put the file beside the one that names it, or in a folder there
        """
        other = copy.copy(self)
        other.params_folder = files.as_path(folder, "folder")
        other._built = ({}, ())
        return other

    def named_files(self) -> list[str]:
        """The files beside it that its steps name, without ours and without layouts that have names of their own."""
        base = self._own.data.get("extends", "")
        found = [base] if base.endswith(".toml") else []
        for index, plan in enumerate(self.plans):
            for key in describe_step(STEPS[plan.use]).reads:
                name = plan.parameter(key)
                value = plan.values.get(key) if name is None else self._defaults[name]
                if self.folder_of(index, key) != self._folder:
                    continue
                listed = [value] if isinstance(value, str) and value else value if value else ()
                found += [each for each in listed if isinstance(value, str) or "." in each]
        return [name for name in dict.fromkeys(found) if not name.startswith(files.SHIPPED_PREFIX)]

    def reads(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The files that its steps read beside it, each with a digest."""
        return self.describe_files(self._build_steps(self.values(params)))

    def __repr__(self) -> str:
        return f"<Recipe {self.name}: {' '.join(plan.id for plan in self.plans)}>"

    def _build_steps(self, params: Mapping[str, Any]) -> tuple[Step, ...]:
        """The steps with all values filled in."""
        before, built = self._built
        if built and (before is params or before == params):
            return built
        changed = {f"${name}" for name in params if not built or params[name] != before[name]}
        steps = tuple(
            self._build_step(index, plan, params)
            if not built or any(isinstance(value, str) and value in changed for value in plan.values.values())
            else built[index]
            for index, plan in enumerate(self.plans)
        )
        self._built = (params, steps)
        return steps

    def _build_step(self, index: int, plan: StepPlan, params: Mapping[str, Any]) -> Step:
        folders: dict[str, Path | None] = {}
        for key in describe_step(STEPS[plan.use]).reads:
            if not self._is_set_by_user(plan.parameter(key), params):
                folders[key] = self.folder_of(index, key)
            elif self._folder != SHIPPED_FOLDER:
                folders[key] = self._folder
            elif self.params_folder is not None:  # else any: the files of a user lie where the user is
                folders[key] = self.params_folder
        return build_step(plan, index, params, self.document, folders)

    def _read_param(self, name: str, table: CheckedValue) -> Param:
        try:
            return read_param(table, NAMES_TAKEN)
        except BadInput as error:
            place = self.find_own_place("param", name)
            if place and error.place and error.place.file != place.file:  # the default of a base does not suit our keys
                error.place, error.fix = place, f"give [param.{name}] a default that suits it"
            raise

    def folder_of(self, index: int, key: str) -> Path | None:
        """The folder of the file that a step names in the text: that of the recipe, or of the base, that names it."""
        parameter = self.plans[index].parameter(key)
        path = ("step", index, key) if parameter is None else ("param", parameter, "default")
        return self._folders[self._find_part(path)]

    def find_own_place(self, *path: str | int) -> Place | None:
        """Where the key at a path is written in its own text; None if a base wrote it."""
        is_own = self._find_part(path) == len(self._folders) - 1
        return self.document.place(*path) if is_own else None

    def _find_part(self, path: tuple[str | int, ...]) -> int:
        """The number of the text that the value at a path is written in: 0 for that of the lowest base."""
        if self.base is None:
            return 0
        from undercroft.inputs.joined_toml import find_part  # only needed for a recipe with a base

        return find_part(self.document, path)

    def _is_set_by_user(self, parameter: str | None, params: Mapping[str, Any]) -> bool:
        return parameter is not None and params[parameter] != self._defaults[parameter]

    @property
    def editions(self) -> dict[str, int]:
        """The edition of each step."""
        return dict(self._editions)

    def describe_steps(self, steps: Sequence[Step]) -> Mapping[str, Any]:
        """What levels record about the steps that made them: their editions and packages, and a digest of each file
        that they read. The last description is kept, because most levels are made by the same steps.
        """
        described, found = self._described
        if described is not steps or self.packages:  # the digest of a foreign step may change
            found = ReadOnlyDict(
                {"editions": self._editions}
                | ({"packages": self.packages} if self.packages else {})
                | self.describe_files(steps)
            )
            self._described = steps, found
        return found

    def describe_files(self, steps: Sequence[Step]) -> dict[str, Any]:
        """A digest of each file that these steps read, and of each recipe that this one builds on."""
        return read_files(self.plans, steps) | extends.digest_bases(self.base)

    def values(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """All parameters: those given, checked, and the defaults of the others. They cannot be changed."""
        require_table("params", given, 'for example {"fill_prob": 0.4}')
        for name in given:
            require_name(f"parameter of {self.name}", name, self.params)
        if not given:
            return self._defaults
        return ReadOnlyDict(
            self._defaults | {name: self.params[name].check_value(value) for name, value in given.items()}
        )

    def generate(
        self,
        *,
        seed: int | str | None = None,
        size: tuple[int, int] | None = None,
        until: Until = (),
        tries: int = DEFAULT_TRIES,
        pick: Pick = "first",
        attempt: int | None = None,
        first_attempt: int = 0,
        params: Mapping[str, Any] | None = None,
        ends: Mapping[str, Any] | None = None,
        begin: Level | None = None,
        frozen: NDArray[np.bool_] | None = None,
        watcher: Watcher | None = None,
        cancelled: Callable[[], bool] | None = None,
        progress: Callable[[int, int], None] | None = None,
        tick: Callable[[str], None] | None = None,
        on_step: Callable[[str], None] | None = None,
        max_steps: int | None = None,
        max_cells: int | None = None,
    ) -> Result:
        """Make a level: attempt after attempt, until one meets the recipe's requirements and those of `until`.

        If none of the tries does, `pick="first"` raises `NotMet`, and `pick="best"` returns the nearest one. `attempt`
        makes that one alone, whatever it meets. `ends` says where the level starts or ends, for the steps 'ends' and
        'interest': {"start": (4, 2), "reach": "near"}. `begin` is a map to begin with instead of rock, `frozen` a mask
        of its cells that no step may change.

        Callbacks: `watcher` gets every turn. `cancelled` returns whether to stop; it is called now and then. `progress`
        gets the number of failed attempts, and of all attempts. `tick` gets the id of the running step. `on_step` gets
        the id of each step as it begins, and "" when the last has ended or one gave up, in every attempt: use it to
        time the steps.

        Raises `BadInput` if no level could ever fit, `NotMet` if no attempt does, `OutOfBudget` if an attempt takes
        more than `max_steps`.
        """
        require_callable("progress", progress)
        require_callable("on_step", on_step)
        request = Request(
            self,
            seed=seed,
            size=size,
            params=params,
            until=until,
            tries=tries,
            pick=pick,
            attempt=attempt,
            first_attempt=first_attempt,
            max_steps=max_steps,
            max_cells=max_cells,
            ends=ends,
            begin=begin,
            frozen=frozen,
        )
        return run_request(
            request, watcher=watcher, cancelled=cancelled, progress=progress, tick=tick, on_step=on_step
        ).unwrap()

    def combine_requirements(self, until: Until = ()) -> tuple[Requirement, ...]:
        """The recipe's requirements and these, without duplicates. Raises `BadInput` if no level can meet all
        of them.
        """
        return _combine_requirements(self.require, tuple(requirements.parse_requirements(until)))

    def prepare(
        self, params: Mapping[str, Any], width: int, height: int, ends: Mapping[str, Any] = EMPTY_TABLE
    ) -> tuple[Mapping[str, Any], tuple[Step, ...]]:
        """All parameters, and the steps with their values; `ends` are values of the steps that place start and end.
        Raises if they do not suit a level of that size.
        """
        values = self.values(params)
        width, height = check_level_size((width, height), limits.KERNEL_CELLS.value)
        try:
            steps = self._build_steps(values)
        except UndercroftError as error:  # the recipe is right, what was set is not: its line is no help
            if error.place and any(error.place.file == one.source[1] for one in self._with_bases()):
                error.place = None
            raise
        if ends is not EMPTY_TABLE:
            from undercroft.recipe.ends import check_ends, replace_ends

            require_table("ends", ends, 'for example {"start": (4, 2)}')
            steps = replace_ends(self, steps, check_ends(self, ends)) if ends else steps
        checked, *size = self._checked
        if checked is not steps or size != [width, height] or self.packages:
            self._check_size(steps, width, height)
        return values, steps

    def _check_size(self, steps: tuple[Step, ...], width: int, height: int) -> None:
        """Raise if the steps do not suit a level of that size. The last steps and size that did are kept."""
        for plan, step in zip(self.plans, steps, strict=True):
            try:
                describe_step(type(step)).check(step, width, height)
            except Exception as error:
                if (trouble := STEPS.explain_failure(plan.use, error)) is not None:
                    raise trouble from error
                raise
        self._checked = steps, width, height

    def _with_bases(self) -> Iterator[Recipe]:
        found: Recipe | None = self
        while found is not None:
            yield found
            found = found.base

    wanted = RenamedMember("wanted", "combine_requirements")
    prepared = RenamedMember("prepared", "prepare")


def parse_recipe(text: str, file: str, folder: Path | None, above: tuple[Path, ...] = ()) -> Recipe:
    """A recipe from TOML text, with the one that it extends. `above` are its own path and those of the files that
    extend it.
    """
    document = toml.parse_toml(text, file)
    if not above and folder is not None and "extends" in document.data:
        above = ((folder / Path(file).name).resolve(),)
    check_keys(document.root(), _KEYS)
    base = extends.load_base(document, folder, above) if "extends" in document.data else None
    return Recipe(Path(file).stem, document, folder, base)


@functools.cache
def _load_shipped(name: str) -> Recipe:
    path = recipe_path(name)
    assert path is not None
    return Recipe.parse(files.read_text(path, limits.TOML_BYTES), path.name, SHIPPED_FOLDER)


@functools.lru_cache(maxsize=64)
def _combine_requirements(own: tuple[Requirement, ...], more: tuple[Requirement, ...]) -> tuple[Requirement, ...]:
    found = requirements.drop_duplicates((*own, *more))
    requirements.check_contradictions(found, own)
    return found


def list_changed_steps(level: Level) -> list[str]:
    """The steps of this level that have changed since: the same recipe and seed would now give another level."""
    editions, packages = level.provenance.get("editions"), level.provenance.get("packages", {})
    if not isinstance(editions, Mapping):
        return []
    known: dict[str, int] = {}
    for name in editions:
        use = name.partition("#")[0]
        if use in STEPS.own and name.isprintable():
            known[name] = STEPS[use].edition
        elif isinstance(packages, Mapping) and use in packages and use in STEPS:  # packages are looked at only then
            with contextlib.suppress(PluginTrouble):
                known[name] = STEPS[use].edition
    return [name for name, edition in known.items() if editions[name] != edition]
