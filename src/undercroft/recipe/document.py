"""Load, check and run a recipe: a named list of steps with parameters of its own."""

from __future__ import annotations

import dataclasses
import functools
import keyword
import math
import os
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis import requirements
from undercroft.analysis.measures.table import Facts
from undercroft.analysis.requirements import Requirement
from undercroft.core.draft import FACTS, Draft
from undercroft.core.level import Level, check_level_size
from undercroft.core.rng import Rng, seed_number
from undercroft.core.run import Run, Watcher
from undercroft.deprecation import RenamedMember
from undercroft.errors import BadInput, NotMet, Place, UndercroftError, unknown_name_error
from undercroft.inputs import files, toml
from undercroft.inputs.files import SHIPPED_FOLDER, is_file
from undercroft.recipe import attempts
from undercroft.recipe.attempts import Attempt
from undercroft.steps import STEPS, Step
from undercroft.steps.locks.lock_monitor import LockMonitor
from undercroft.version import VERSION
from undercroft.wording import plural

RECIPES = SHIPPED_FOLDER / "recipes"
DEFAULT_TRIES = 100
_KEYS = ("about", "tags", "size", "begins", "param", "step", "require")
_PARAM_KEYS = ("default", "about", "range", "choices")


class Param(NamedTuple):
    """Something a user may turn. Its type is that of its default."""

    name: str
    default: Any
    about: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[Any, ...] = ()

    def check_value(self, value: Any, place: Place | None = None) -> Any:
        """The value, if it is of the right type and in range."""
        if isinstance(value, np.generic):
            value = value.item()
        given = value
        if isinstance(self.default, float) and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        wrong = type(value) is not type(self.default) or (isinstance(value, float) and not math.isfinite(value))
        if not wrong and self.choices and value not in self.choices:
            raise unknown_name_error(f"value of {self.name}", str(value), map(str, self.choices), place=place)
        if wrong or (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            raise BadInput(
                f"{self.name} is {self.describe_values()}, not {format_value(given)}",
                place=place,
                fix=f"for example {self.name}={format_value(self._example())}",
            )
        return value

    def _example(self) -> Any:
        """A value that may be given."""
        fits = type(self.default) in (int, float) and self.low is not None and self.high is not None
        return min(max(self.default, self.low), self.high) if fits else self.default

    def describe_values(self) -> str:
        """What may be given, in words."""
        kind = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}.get(
            type(self.default), "a list"
        )
        if self.choices:
            return f"one of {', '.join(map(str, self.choices))}"
        return kind if self.low is None else f"{kind} from {_format_number(self.low)} to {_format_number(self.high)}"


class StepPlan(NamedTuple):
    """A step as the recipe writes it: its values may still name parameters."""

    id: str
    use: str
    values: dict[str, Any]


class Result(NamedTuple):
    """A level, and what it took."""

    level: Level
    attempt: int
    """Which try it was, from 0; with the seed it makes the level again."""
    rejected: dict[str, int]
    """How often each requirement failed, in all attempts that were made."""
    notes: tuple[str, ...]
    distance: float = 0.0
    """How far it is from what was required, all requirements together: 0 if it meets them."""
    facts: Facts | None = None
    """What was found out about the level so far; `measure` takes it in place of the level, and does not look for that
    again.
    """


class Recipe:
    """Steps with parameters. `Recipe.load` takes a name or a path, `Recipe.parse` the text itself.

    >>> recipe = Recipe.parse('[[step]]\\nuse = "noise"\\nwall = 0.5', "half.toml")
    >>> recipe.generate(seed=1, size=(8, 4)).level.size
    (8, 4)
    """

    def __init__(self, name: str, document: toml.TomlDocument, folder: Path | None = None) -> None:
        self.name = name
        self._document = document
        self._folder = folder
        data = document.data
        for key in data:
            if key not in _KEYS:
                raise unknown_name_error("key", key, _KEYS, place=document.place(key))
        self.about = _text(data.get("about", ""), document, "about")
        self.tags: tuple[str, ...] = _read_tags(document)
        self.size = self._read_size(data)
        self.begins = self._read_begins(data)
        self.params: Mapping[str, Param] = {
            name: _read_param(name, document) for name in _table(data, "param", document)
        }
        self.plans = self._read_plans(data)
        self.require: tuple[Requirement, ...] = _read_requirements(document)
        self._defaults = {name: param.default for name, param in self.params.items()}
        self._editions = {plan.id: STEPS[plan.use].edition for plan in self.plans}
        self._built: tuple[dict[str, Any], tuple[Step, ...]] = ({}, ())
        self._build_steps(self._defaults)
        self._check_order()

    @classmethod
    def load(cls, name: str | Path) -> Recipe:
        """A recipe by its name, or from a file."""
        if not isinstance(name, Path) and name in names():
            return _load_shipped(name)
        path = Path(name)
        if path.suffix == ".toml" or is_file(path):
            return cls.parse(files.read_text(path, limits.TOML_BYTES), str(path), recipe_folder(path))
        raise unknown_recipe(str(name))

    @classmethod
    def parse(cls, text: str, file: str, folder: Path | None = None) -> Recipe:
        """A recipe from TOML text; `file` names it in errors. Files that it names lie in `folder`; without one, it
        cannot name any.
        """
        return cls(Path(file).stem, toml.parse_toml(text, file), folder)

    @property
    def source(self) -> tuple[str, str, Path | None]:
        """What `parse` makes it from again."""
        return self._document.text, self._document.file, self._folder

    def reads(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """What its steps read beside it, each with a digest."""
        return _files_read(self.plans, self._build_steps(self.values(params)))

    def __repr__(self) -> str:
        return f"<Recipe {self.name}: {' '.join(plan.id for plan in self.plans)}>"

    def _read_size(self, data: dict[str, Any]) -> tuple[int, int]:
        size = data.get("size", [80, 50])
        if not (isinstance(size, list) and len(size) == 2 and all(type(side) is int for side in size)):
            raise BadInput(
                f"size is [width, height], not {format_value(size)}",
                place=self._document.value_place("size"),
                fix="for example size = [80, 50]",
            )
        try:
            return check_level_size(size)
        except UndercroftError as error:
            error.place = self._document.value_place("size")
            raise

    def _read_begins(self, data: dict[str, Any]) -> tuple[str, ...]:
        """What the map to begin with must hold; nothing for recipes that begin with rock."""
        facts = data.get("begins", [])
        if not isinstance(facts, list) or not all(fact in FACTS for fact in facts):
            raise BadInput(
                f"begins is a list of {', '.join(FACTS)}, not {format_value(facts)}",
                place=self._document.value_place("begins"),
                fix='for example begins = ["tiles"]',
            )
        return tuple(facts)

    def _read_plans(self, data: dict[str, Any]) -> tuple[StepPlan, ...]:
        document = self._document
        tables = data.get("step", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise BadInput(
                "steps are written as [[step]] tables",
                place=document.place("step"),
                fix="begin each step with a line [[step]]",
            )
        if not tables:
            raise BadInput(
                "a recipe has at least one step", place=document.place(), fix='add [[step]] and a line use = "noise"'
            )
        limits.STEPS_IN_RECIPE.check(len(tables), "the number of steps")
        plans: list[StepPlan] = []
        for index, table in enumerate(tables):
            values = dict(table)
            use = values.pop("use", None)
            if not isinstance(use, str):
                raise BadInput(
                    "a step says which one it is",
                    place=document.place("step", index),
                    fix=f'add use = "...", one of: {", ".join(STEPS)}',
                )
            if use not in STEPS:
                raise unknown_name_error("step", use, STEPS, place=document.value_place("step", index, "use"))
            given = values.pop("id", None)
            if given is not None and (not isinstance(given, str) or not given):
                raise BadInput(
                    f"id is a text, not {format_value(given)}",
                    place=document.value_place("step", index, "id"),
                    fix=f'for example id = "{use}-2"',
                )
            count = sum(plan.use == use for plan in plans) + 1
            name = given or (use if count == 1 else f"{use}#{count}")
            if name == "begin":
                raise BadInput(
                    "a step cannot be called 'begin': that is how the timeline calls the map before all steps",
                    place=document.place("step", index, "id"),
                    fix="give it another id",
                )
            if any(plan.id == name for plan in plans):
                raise BadInput(
                    f"two steps are called {name!r}",
                    place=document.place("step", index, "id" if given else "use"),
                    fix="give one of them another id",
                )
            fields = [field.name for field in dataclasses.fields(STEPS[use])]  # type: ignore[arg-type]
            for key in values:
                if key not in fields:
                    raise unknown_name_error(
                        f"parameter of {use}", key, fields, place=document.place("step", index, key)
                    )
            for key, value in values.items():
                if isinstance(value, str) and value.startswith("$") and value[1:] not in self.params:
                    raise unknown_name_error(
                        "parameter", value[1:], self.params, place=document.value_place("step", index, key)
                    )
            plans.append(StepPlan(name, use, values))
        used = {value for plan in plans for value in plan.values.values() if isinstance(value, str)}
        for name in self.params:
            if f"${name}" not in used:
                raise BadInput(
                    f"no step uses the parameter {name!r}",
                    place=document.place("param", name),
                    fix=f'write "${name}" where a step takes it, or leave it out',
                )
        return tuple(plans)

    def _build_steps(self, params: dict[str, Any]) -> tuple[Step, ...]:
        """The steps with all values filled in."""
        before, built = self._built
        if built and before == params:
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

    def _build_step(self, index: int, plan: StepPlan, params: dict[str, Any]) -> Step:
        kind = STEPS[plan.use]
        values = {
            key: params[value[1:]] if isinstance(value, str) and value.startswith("$") else value
            for key, value in plan.values.items()
        }
        try:
            for key in getattr(kind, "reads", ()):
                # a user's files are where the user is
                if self._folder == SHIPPED_FOLDER and self._is_set_by_user(plan.values.get(key), params):
                    continue
                if isinstance(values.get(key), str) and values[key]:
                    values[key] = str(self._resolve_file(values[key]))
                elif isinstance(values.get(key), list):  # names with a dot are files, others are ours
                    values[key] = [
                        str(self._resolve_file(name)) if isinstance(name, str) and "." in name else name
                        for name in values[key]
                    ]
            return msgspec.convert(values, kind)
        except (
            UndercroftError
        ) as error:  # a step that reads a text of its own: say where in the recipe, and where in the text
            named = next((key for key in (*getattr(kind, "reads", ()), "base") if values.get(key)), None)
            if named:
                error.place = error.place or self._document.value_place("step", index, named)
                raise
            text = next((key for key in getattr(kind, "texts", ("rules",)) if values.get(key)), "")
            own = next((key for key in plan.values if error.problem.split()[:1] == [key]), "use")
            place = self._document.value_place("step", index, text or own)
            if not text:
                error.place = place
                raise
            inside = f" (line {error.place.line}, column {error.place.column} of them)" if error.place else ""
            raise BadInput(f"the {text} of {plan.id!r}: {error.problem}{inside}", place=place, fix=error.fix) from error
        except msgspec.ValidationError as error:
            field = _find_field(str(error))
            place = self._document.value_place("step", index, field)
            hint, value = typing.get_type_hints(kind, include_extras=True).get(field), values.get(field)
            if typing.get_origin(hint) is typing.Literal and isinstance(value, str):
                raise unknown_name_error(f"{field} of {plan.use}", value, typing.get_args(hint), place=place) from None
            problem = f"{field} of {plan.use} is {describe_type(hint)}, not {format_value(value)}"
            raise BadInput(problem, place=place, fix=f"see 'undercroft list steps' for what {plan.use} takes") from None

    def _is_set_by_user(self, value: Any, params: dict[str, Any]) -> bool:
        """Whether the value of a step is a parameter that the user has set."""
        return isinstance(value, str) and value.startswith("$") and params[value[1:]] != self.params[value[1:]].default

    def _resolve_file(self, name: str) -> Path:
        """The path of a file that a step names."""
        if self._folder is None:
            raise BadInput(
                f"{name[:60]!r} cannot be read: this recipe is no file",
                fix="save the recipe beside it, or write out what it holds",
            )
        return files.safe_join(self._folder, name)

    def _check_order(self) -> None:
        """Refuse a recipe in which a step needs what nothing before it gives, or what a step between spoiled."""
        have: dict[str, str] = dict.fromkeys(self.begins, "begin")
        spoiled: dict[str, str] = {}
        for index, plan in enumerate(self.plans):
            step = STEPS[plan.use]
            for fact in step.needs:
                if fact not in have:
                    givers = [name for name, other in STEPS.items() if fact in other.gives]
                    why = (
                        f"{spoiled[fact]!r} before it spoils them"
                        if fact in spoiled
                        else "nothing before it gives them"
                    )
                    raise BadInput(
                        f"{plan.use!r} needs {fact}, and {why}",
                        place=self._document.value_place("step", index, "use"),
                        fix=f"put one of these before it: {', '.join(givers)}",
                    )
            if (
                "locks" in have
                and "locks" in step.spoils
                and "things" not in step.spoils
                and not getattr(step, "forgets", False)
            ):
                raise BadInput(
                    f"{plan.use!r} comes after the locks, and nobody knows then whether they can still be opened",
                    place=self._document.value_place("step", index, "use"),
                    fix=f"put it before {have['locks']!r}"
                    if have["locks"] != "begin"
                    else "leave it out: the map to begin with has locks already",
                )
            for fact in step.spoils:
                if have.pop(fact, None):
                    spoiled[fact] = plan.id
            for fact in step.gives:
                have[fact] = plan.id
                spoiled.pop(fact, None)

    def values(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters: those given, checked, and the defaults of the others."""
        for name in given:
            if name not in self.params:
                raise unknown_name_error(f"parameter of {self.name}", name, self.params)
        return self._defaults | {name: self.params[name].check_value(value) for name, value in given.items()}

    def generate(
        self,
        *,
        seed: int | str | None = None,
        size: tuple[int, int] | None = None,
        until: str | Requirement | Sequence[str | Requirement] = (),
        tries: int = DEFAULT_TRIES,
        pick: Literal["first", "best"] = "first",
        attempt: int | None = None,
        first_attempt: int = 0,
        params: Mapping[str, Any] | None = None,
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

        If none of the tries does, `pick="first"` raises `NotMet`, and `pick="best"` gives the nearest one. `attempt`
        makes that one alone, whatever it meets. `progress` hears how many attempts of all failed, `tick` which step is
        at work. `on_step` hears the id of each step as it begins and "" when the last has ended or one gave up, in
        every attempt: a clock held by the caller times them. `begin` is a map to begin with instead of rock, `frozen` a
        mask of its cells that no step may change. `watcher` sees every turn. Raises `BadInput` if no level could ever
        fit, `NotMet` if no attempt does, `OutOfBudget` if an attempt takes more than `max_steps`.
        """
        numbers = attempts.check_attempts(tries, pick, attempt, first_attempt)
        number = draw_seed() if seed is None else seed_number(seed)
        wanted = self.combine_requirements(until)
        width, height = (
            begin.size if begin is not None and size is None else check_level_size(size or self.size, max_cells)
        )
        if begin is None and self.begins:
            raise BadInput(f"{self.name} needs a map to begin with", fix="give one: begin=level")
        if begin is not None and begin.size != (width, height):
            raise BadInput(
                f"the map to begin with is {begin.width}x{begin.height}, the size asked for is {width}x{height}",
                fix="leave the size out",
            )
        if frozen is not None and (frozen.shape != (height, width) or frozen.dtype != bool):
            raise BadInput(
                f"frozen is a mask of {width}x{height} cells, not {frozen.dtype} of the shape {frozen.shape}",
                fix="make it as large as the map: [height, width]",
            )
        values, steps = self.prepare(params or {}, width, height)

        def make_attempt(attempt: int, watcher: Watcher | None) -> Attempt:
            run = Run(budget=max_steps, cancelled=cancelled, watcher=watcher, tick=tick)
            run.tags = self.tags
            draft = Draft(width, height) if begin is None else Draft.of(begin)
            draft.frozen = frozen
            try:
                self._apply_steps(draft, steps, Rng.root(number, attempt), run, on_step)
            except NotMet as error:
                if on_step is not None:
                    on_step("")
                error.spent, error.rejected = (
                    run.used,
                    {f"{run.source}: {reason}": count for reason, count in error.rejected.items()},
                )
                raise
            level = draft.level(
                self._build_provenance(number, seed, attempt, (width, height), values) | _files_read(self.plans, steps)
            )
            return Attempt(level, run, attempt, Facts(level, run))

        nearest = pick == "best" and attempt is None
        patience = limits.STEPS.value if max_steps is None else max_steps
        tally = attempts.run_attempts(
            lambda turn: make_attempt(turn, None if nearest else watcher), numbers, wanted, patience, progress
        )
        assert tally.nearest is not None
        if tally.distance and pick == "first" and attempt is None:
            raise attempts.build_not_met(tally)
        level, run, turn, facts = tally.nearest
        if nearest and watcher is not None:
            level, run, turn, facts = make_attempt(turn, watcher)  # now that it is known which one is to be seen
        notes = [*run.notes, *attempts.describe_unmet(level, wanted)] if tally.distance else run.notes
        facts.run = Run(budget=max_steps, cancelled=cancelled)  # what is asked next does not count as work on the level
        facts.run.swept = run.swept
        return Result(level, turn, tally.rejected, tuple(notes), tally.distance, facts)

    def combine_requirements(
        self, until: str | Requirement | Sequence[str | Requirement] = ()
    ) -> tuple[Requirement, ...]:
        """The recipe's requirements and these; what is asked for twice counts once. Raises `BadInput` if no level can
        meet all of them.
        """
        return _combine_requirements(self.require, tuple(requirements.parse_requirements(until)))

    def prepare(self, params: Mapping[str, Any], width: int, height: int) -> tuple[dict[str, Any], tuple[Step, ...]]:
        """All parameters and the steps with them filled in, if they suit a level of that size."""
        values = self.values(params)
        try:
            steps = self._build_steps(values)
        except UndercroftError as error:  # the recipe is right, what was set is not: its line is no help
            if error.place and error.place.file == self._document.file:
                error.place = None
            raise
        for step in steps:
            if check := getattr(step, "check", None):
                check(width, height)
        return values, steps

    def _apply_steps(
        self, draft: Draft, steps: tuple[Step, ...], rng: Rng, run: Run, on_step: Callable[[str], None] | None = None
    ) -> None:
        """Each step in turn, with a stream of its own; what it spoils is dropped, what is frozen is put back."""
        run.tiles, run.palette = draft.tiles, draft.palette
        run.source, locks = "begin", LockMonitor()
        run.show()
        for plan, step in zip(self.plans, steps, strict=True):
            if on_step is not None:
                on_step(plan.id)
            run.source, run.sketched = plan.id, False
            locks.observe_step(draft, step, plan.id, run)
            kept, palette = None if draft.frozen is None else draft.tiles[draft.frozen], draft.palette
            step.apply(draft, rng.stream(plan.id), run)
            if kept is not None and draft.palette != palette:
                draft.palette, table = draft.palette.merged(palette)
                kept = table[kept]
            if not getattr(step, "forgets", False):
                draft.forget(step.spoils)
            if kept is not None and draft.frozen is not None:
                lost = int(np.count_nonzero(draft.tiles[draft.frozen] != kept))
                if lost:
                    draft.tiles[draft.frozen] = kept
                    run.note(f"{plural(lost, 'frozen cell')} put back after {plan.id}")
            run.tiles, run.palette = draft.tiles, draft.palette
            if not run.sketched:  # a plan is seen until the next step shows what comes of it
                run.show()
        if on_step is not None:
            on_step("")
        if run.sketched:
            run.show()
        locks.note_damage(draft, run)

    def _build_provenance(
        self, number: int, seed: int | str | None, attempt: int, size: tuple[int, int], values: dict[str, Any]
    ) -> dict[str, Any]:
        made: dict[str, Any] = {"recipe": self.name, "seed": str(number)}
        if isinstance(seed, str) and seed != str(number):
            made["seed_text"] = seed
        made |= {"attempt": attempt, "size": list(size), "params": _copied(values), "version": VERSION}
        made["editions"] = self._editions.copy()
        return made

    wanted = RenamedMember("wanted", "combine_requirements")
    prepared = RenamedMember("prepared", "prepare")


def generate(
    recipe: str | Path | Recipe,
    seed: int | str | None = None,
    size: tuple[int, int] | None = None,
    *,
    params: Mapping[str, Any] | None = None,
    **options: Any,
) -> Level:
    """A level from a recipe and a seed.

    Keywords that are parameters of the recipe set them (or give `params`); the others are those of `Recipe.generate`.

    >>> print(generate("cave", seed=7, size=(20, 8)))  # doctest: +SKIP
    """
    recipe = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
    own = {name: options.pop(name) for name in list(options) if name in recipe.params}
    allowed = _GENERATE_OPTIONS
    for name in options:
        if name not in allowed:
            raise unknown_name_error(
                f"parameter of {recipe.name}", name, [*recipe.params, "seed", "size", "params", *allowed]
            )
    return recipe.generate(seed=seed, size=size, params={**(params or {}), **own}, **options).level


_GENERATE_OPTIONS = (
    "until",
    "tries",
    "pick",
    "attempt",
    "first_attempt",
    "begin",
    "frozen",
    "watcher",
    "cancelled",
    "progress",
    "tick",
    "on_step",
    "max_steps",
    "max_cells",
)


@functools.cache
def names() -> tuple[str, ...]:
    """The named recipes."""
    return tuple(sorted(path.stem for path in RECIPES.glob("*.toml")))


def recipe_folder(path: Path) -> Path:
    """The folder of the files that a recipe names: its own, or for a shipped recipe the one above."""
    return SHIPPED_FOLDER if path.parent.resolve() == RECIPES.resolve() else path.parent


def unknown_recipe(name: str) -> BadInput:
    """The error for a name that no recipe has, with the file that was meant if there is one of that name here or in
    `examples`.
    """
    error = unknown_name_error("recipe", name, names())
    if name and Path(name).name == name:
        for path in (Path(f"{name}.toml"), Path("examples", f"{name}.toml")):
            if is_file(path):
                error.fix, error.instead = f"did you mean ./{path.as_posix()}?", None
                break
    return error


@functools.cache
def _load_shipped(name: str) -> Recipe:
    return Recipe.parse(files.read_text(RECIPES / f"{name}.toml", limits.TOML_BYTES), f"{name}.toml", SHIPPED_FOLDER)


@functools.lru_cache(maxsize=64)
def _combine_requirements(own: tuple[Requirement, ...], more: tuple[Requirement, ...]) -> tuple[Requirement, ...]:
    found = requirements.drop_duplicates((*own, *more))
    requirements.check_contradictions(found, own)
    return found


def _files_read(plans: Sequence[StepPlan], steps: Sequence[Step]) -> dict[str, Any]:
    """What steps read beside the recipe, each with a digest: the same recipe and seed give another level once it is
    another.
    """
    read = {plan.id: digest for plan, step in zip(plans, steps, strict=True) if (digest := getattr(step, "digest", ""))}
    return {"files": read} if read else {}


def _copied(value: Any) -> Any:
    """Values that nobody else holds."""
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, (list, tuple)) else value


def list_changed_steps(level: Level) -> list[str]:
    """The steps that made this level and have changed since: the same recipe and seed would now give another."""
    made = level.provenance.get("editions", {})
    known = {name: STEPS[name.partition("#")[0]].edition for name in made if name.partition("#")[0] in STEPS}
    return [name for name, edition in known.items() if made[name] != edition]


def draw_seed() -> int:
    """A seed nobody gave: ten digits, so that it can be read out and typed."""
    return int.from_bytes(os.urandom(8), "little") % 10**10


def _table(data: dict[str, Any], key: str, document: toml.TomlDocument) -> dict[str, Any]:
    table = data.get(key, {})
    if not isinstance(table, dict):
        raise BadInput(
            f"{key} is a table, not {format_value(table)}",
            place=document.place(key),
            fix=f"write [{key}] on a line of its own",
        )
    return table


def _read_tags(document: toml.TomlDocument) -> tuple[str, ...]:
    """What the levels are like, in words to choose by: cave, forest ..."""
    tags = document.data.get("tags", [])
    if (
        not isinstance(tags, list)
        or not all(isinstance(tag, str) and tag.strip() for tag in tags)
        or len(set(tags)) < len(tags)
    ):
        raise BadInput(
            "tags are a list of different words",
            place=document.value_place("tags"),
            fix='write them like tags = ["cave", "forest"]',
        )
    return tuple(tags)


def _text(value: Any, document: toml.TomlDocument, *path: str | int) -> str:
    if not isinstance(value, str):
        raise BadInput(
            f"{path[-1]} is a text, not {format_value(value)}",
            place=document.value_place(*path),
            fix="put it in quotes",
        )
    return value


def _read_param(name: str, document: toml.TomlDocument) -> Param:
    """One [param.NAME] table."""
    table = document.data["param"][name]
    here = document.place("param", name)
    if (
        name in _GENERATE_OPTIONS
        or name in ("seed", "size", "params", "recipe")
        or not name.isidentifier()
        or keyword.iskeyword(name)
    ):
        raise BadInput(
            f"a parameter cannot be called {name!r}",
            place=here,
            fix="choose a name that is one word and no option of generate",
        )
    if not isinstance(table, dict) or "default" not in table:
        raise BadInput(f"parameter {name!r} needs a default", place=here, fix="add a line default = ...")
    for key in table:
        if key not in _PARAM_KEYS:
            raise unknown_name_error("key", key, _PARAM_KEYS, place=document.place("param", name, key))
    low = high = None
    default = table["default"]
    if not isinstance(default, (bool, int, float, str, list)):
        raise BadInput(
            f"default of {name} is a number, a text, true, false or a list",
            place=document.value_place("param", name, "default"),
            fix="write one of these",
        )
    if "range" in table:
        span = table["range"]
        place = document.value_place("param", name, "range")
        numbers = isinstance(span, list) and len(span) == 2 and all(type(end) in (int, float) for end in span)
        if not numbers or span[0] > span[1] or type(default) not in (int, float):
            raise BadInput(
                f"range is [least, greatest] of a number, not {format_value(span)}",
                place=place,
                fix="for example range = [0.0, 1.0]",
            )
        low, high = span
    choices = table.get("choices", [])
    if not isinstance(choices, list):
        raise BadInput(
            f"choices is a list, not {format_value(choices)}",
            place=document.value_place("param", name, "choices"),
            fix='for example choices = ["a", "b"]',
        )
    about = _text(table.get("about", ""), document, "param", name, "about")
    param = Param(name, default, about, low, high, tuple(choices))
    param.check_value(default, document.value_place("param", name, "default"))
    return param


def _read_requirements(document: toml.TomlDocument) -> tuple[Requirement, ...]:
    """All lines of [require], refused if no level can be so."""
    found = tuple(_read_requirement(name, document) for name in _table(document.data, "require", document))
    try:
        requirements.check_contradictions(found)
    except BadInput as error:
        error.place = document.place("require")
        raise
    return found


def _read_requirement(name: str, document: toml.TomlDocument) -> Requirement:
    """One line of [require]."""
    value = document.data["require"][name]
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise BadInput(
            f'a requirement is a text such as ">= 2", not {format_value(value)}',
            place=document.value_place("require", name),
            fix=f'for example {name} = ">= 2"',
        )
    try:
        whole = isinstance(value, str) and name in value.split()
        return requirements.parse(
            str(value) if whole else f"{name} {value}" if isinstance(value, str) else f"{name} == {value}"
        )
    except BadInput as error:
        known = "unknown measure" not in error.problem
        error.place = document.value_place("require", name) if known else document.place("require", name)
        if known and error.fix == requirements.SYNTAX_HINT:
            error.fix = f'write {name} = ">= 2", "between 3 and 9" or "3 <= {name} <= 9"'
        raise


def _find_field(message: str) -> str:
    """Which field a validation error is about: `... - at `$.wall[0]`` or `... field `x``."""
    at = message.rpartition("`$")[2]
    return at.lstrip(".").partition("`")[0].partition("[")[0].partition(".")[0]


def describe_type(hint: Any) -> str:
    """A type in words."""
    if typing.get_origin(hint) is typing.Annotated:
        kind, meta = typing.get_args(hint)[:2]
        low, high = getattr(meta, "ge", None), getattr(meta, "le", None)
        span = (
            f" from {_format_number(low)} to {_format_number(high)}"
            if high is not None
            else f" from {_format_number(low)}"
        )
        return describe_type(kind) + span
    if typing.get_origin(hint) is typing.Literal:
        return f"one of {', '.join(typing.get_args(hint))}"
    if typing.get_origin(hint) is tuple:
        parts = [part for part in typing.get_args(hint) if part is not ...]
        return (
            "[" + ", ".join(map(describe_type, parts)) + "]"
            if len(parts) > 1
            else f"a list of {describe_type(parts[0])}"
        )
    return {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}.get(hint, "of another type")


def _format_number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def format_value(value: Any) -> str:
    """A value as a recipe would write it, cut if long."""
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, str):
        text = f'"{value}"'
    elif isinstance(value, (list, tuple)):
        text = f"[{', '.join(map(format_value, value[:20]))}]"
    else:
        text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."
