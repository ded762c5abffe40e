"""The steps of a recipe: read from its tables, checked against each other, and built with their values."""

from __future__ import annotations

import typing
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from undercroft import limits
from undercroft.errors import BadInput, Place, PluginTrouble, UndercroftError, unknown_name_error
from undercroft.inputs import files, toml
from undercroft.inputs.values import format_value
from undercroft.recipe.catalogue import names
from undercroft.recipe.params import describe_type
from undercroft.steps import STEPS, Step
from undercroft.steps.step import describe_step

KEYS_ABOVE_TABLES = ("extends", "about", "tags", "size", "begins")
"""The keys of a recipe that stand in no table."""


class StepPlan(NamedTuple):
    """A step as the recipe writes it: its values may still refer to parameters."""

    id: str
    use: str
    values: dict[str, Any]

    def parameter(self, key: str) -> str | None:
        """The recipe's parameter that sets the value of a key; None if the recipe writes the value itself."""
        return _parameter_name(self.values.get(key))


def read_plans(document: toml.TomlDocument, params: Collection[str]) -> tuple[StepPlan, ...]:
    """The steps of all [[step]] tables. `params` are the names that their values may use."""
    tables = document.data.get("step", [])
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
        plans.append(_read_plan(document, index, table, plans, params))
    used = {name for plan in plans for name in map(plan.parameter, plan.values) if name}
    for name in params:
        if name not in used:
            raise BadInput(
                f"no step uses the parameter {name!r}",
                place=document.place("param", name),
                fix=f'write "${name}" where a step takes it, or leave it out',
            )
    return tuple(plans)


def _read_plan(
    document: toml.TomlDocument, index: int, table: dict[str, Any], before: Sequence[StepPlan], params: Collection[str]
) -> StepPlan:
    values = dict(table)
    use = values.pop("use", None)
    if not isinstance(use, str):
        raise BadInput(
            "a step says which one it is",
            place=document.place("step", index),
            fix=f'add use = "...", one of: {", ".join(STEPS)}',
        )
    if use not in STEPS:
        raise _build_unknown_step_error(use, document.value_place("step", index, "use"))
    name = _read_id(document, index, values.pop("id", None), use, before)
    try:
        fields = describe_step(STEPS[use]).fields
    except PluginTrouble as error:  # a package that cannot be used
        error.place = document.value_place("step", index, "use")
        raise
    for key in values:
        if key not in fields:
            raise _build_unknown_key_error(use, key, fields, document.place("step", index, key))
    plan = StepPlan(name, use, values)
    for key in values:
        parameter = plan.parameter(key)
        if parameter is not None and parameter not in params:
            raise unknown_name_error("parameter", parameter, params, place=document.value_place("step", index, key))
    return plan


def _build_unknown_step_error(use: str, place: Place) -> BadInput:
    """The error for a `use` that names no step: perhaps it names a recipe."""
    if use in names() or use.casefold().endswith(".toml"):
        return BadInput(
            f"{use!r} is a recipe, and no step",
            place=place,
            fix=f'to build on it, write extends = "{use}" above the first table and leave this step out',
        )
    return unknown_name_error("step", use, STEPS, place=place)


def _build_unknown_key_error(use: str, key: str, fields: Collection[str], place: Place) -> BadInput:
    """The error for a key that a step does not have: perhaps it is one of the recipe's, below the wrong header."""
    if key in KEYS_ABOVE_TABLES:
        return BadInput(
            f"{key!r} is a key of the whole recipe, and stands in a step here",
            place=place,
            fix=f"write the line {key} = ... above the first table",
        )
    if key == "before":
        return BadInput(
            "'before' is for a recipe that extends another, and this one extends none",
            place=place,
            fix="move the step: steps run in the order of the file",
        )
    return unknown_name_error(f"parameter of {use}", key, fields, place=place)


def _read_id(document: toml.TomlDocument, index: int, given: Any, use: str, before: Sequence[StepPlan]) -> str:
    """The id of a step: the given one, or the step's name, with a number if there are several."""
    if given is not None and (not isinstance(given, str) or not given or not given.isprintable()):
        raise BadInput(
            f"id is a text on one line, not {format_value(given)}",
            place=document.value_place("step", index, "id"),
            fix=f'for example id = "{use}-2"',
        )
    count = sum(plan.use == use for plan in before) + 1
    name = given or (use if count == 1 else f"{use}#{count}")
    if name == "begin":
        raise BadInput(
            "a step cannot be called 'begin': that is how the timeline calls the map before all steps",
            place=document.place("step", index, "id"),
            fix="give it another id",
        )
    if any(plan.id == name for plan in before):
        raise BadInput(
            f"two steps are called {name!r}",
            place=document.place("step", index, "id" if given else "use"),
            fix="give one of them another id",
        )
    return name


def check_order(plans: Sequence[StepPlan], begins: Sequence[str], document: toml.TomlDocument) -> None:
    """Raise if a step needs a fact that no earlier step gives, or that a step in between spoils."""
    have: dict[str, str] = dict.fromkeys(begins, "begin")
    spoiled: dict[str, str] = {}
    for index, plan in enumerate(plans):
        step = describe_step(STEPS[plan.use])
        for fact in step.needs:
            if fact not in have:
                givers = [name for name, other in STEPS.items() if fact in other.gives]
                why = f"{spoiled[fact]!r} before it spoils them" if fact in spoiled else "nothing before it gives them"
                raise BadInput(
                    f"{plan.use!r} needs {fact}, and {why}",
                    place=document.value_place("step", index, "use"),
                    fix=f"put one of these before it: {', '.join(givers)}"
                    + (f'; or write begins = ["{fact}"] above the first table, for a map to begin with' * (not index)),
                )
        if "locks" in have and "locks" in step.spoils and "things" not in step.spoils and not step.forgets:
            raise BadInput(
                f"{plan.use!r} comes after the locks, so it is unknown whether they can still be opened",
                place=document.value_place("step", index, "use"),
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


def build_step(
    plan: StepPlan,
    index: int,
    params: Mapping[str, Any],
    document: toml.TomlDocument,
    folders: Mapping[str, Path | None],
) -> Step:
    """The step with all its values. `folders` are those of the files that its keys name: None if it may name no file.
    A key without a folder may name any file.
    """
    step = describe_step(STEPS[plan.use])
    values = {
        key: value if (name := _parameter_name(value)) is None else params[name] for key, value in plan.values.items()
    }
    try:
        for key, folder in folders.items():
            if isinstance(values.get(key), str) and values[key]:
                values[key] = str(files.resolve_named(folder, values[key]))
            elif isinstance(values.get(key), (list, tuple)):  # names with a dot are files, others are shipped names
                values[key] = [
                    str(files.resolve_named(folder, name)) if isinstance(name, str) and "." in name else name
                    for name in values[key]
                ]
        return msgspec.convert(values, STEPS[plan.use])
    except UndercroftError as error:
        # a step that reads a text of its own: give the place of the mistake in the recipe
        named = next((key for key in (*step.reads, *(("base",) if step.reads else ())) if values.get(key)), None)
        if named:
            error.place = error.place or document.value_place("step", index, named)
            raise
        text = next((key for key in step.texts if values.get(key)), "")
        own = next((key for key in plan.values if error.problem.split()[:1] == [key]), "use")
        if not text:
            error.place = document.value_place("step", index, own)
            raise
        raise _locate_text_error(error, plan, index, text, values[text], document) from error
    except msgspec.ValidationError as error:
        field = _find_field(str(error))
        place = document.value_place("step", index, field)
        hint, value = typing.get_type_hints(STEPS[plan.use], include_extras=True).get(field), values.get(field)
        if typing.get_origin(hint) is typing.Literal and isinstance(value, str):
            raise unknown_name_error(f"{field} of {plan.use}", value, typing.get_args(hint), place=place) from None
        if STEPS.provider(plan.use) is not None and not field:  # what a foreign step's own check says
            raise BadInput(
                f"{plan.use}: {error}", place=place, fix=f"see 'undercroft list steps' for {plan.use}"
            ) from None
        problem = f"{field} of {plan.use} is {describe_type(hint)}, not {format_value(value)}"
        raise BadInput(problem, place=place, fix=f"see 'undercroft list steps' for what {plan.use} takes") from None
    except Exception as error:
        if (trouble := STEPS.explain_failure(plan.use, error)) is not None:
            trouble.place = document.value_place("step", index, "use")
            raise trouble from error
        raise


def _locate_text_error(
    error: UndercroftError, plan: StepPlan, index: int, key: str, text: str, document: toml.TomlDocument
) -> BadInput:
    """The error about a text that a step holds, with its place in the recipe: in the step, or in the default of the
    parameter that the step takes the text from.
    """
    place = document.value_place("step", index, key)
    inside = ""
    if error.place:
        name = _parameter_name(plan.values[key])
        path: tuple[str | int, ...] = ("step", index, key) if name is None else ("param", name, "default")
        from undercroft.inputs.toml_strings import locate_in_string  # only for errors

        found = locate_in_string(document, text, error.place, *path)
        place = found or place
        inside = "" if found else f" (line {error.place.line}, column {error.place.column} of them)"
    located = BadInput(f"the {key} of {plan.id!r}: {error.problem}{inside}", place=place, fix=error.fix)
    located.instead = error.instead if error.place and not inside else None
    return located


def _parameter_name(value: Any) -> str | None:
    """The parameter that a value refers to; None if it is a plain value.

    >>> _parameter_name("$wall"), _parameter_name("wall"), _parameter_name(3)
    ('wall', None, None)
    """
    return value[1:] if isinstance(value, str) and value.startswith("$") else None


def _find_field(message: str) -> str:
    """The field that a validation error is about: `... - at `$.wall[0]`` or `... field `x``."""
    at = message.rpartition("`$")[2]
    return at.lstrip(".").partition("`")[0].partition("[")[0].partition(".")[0]
