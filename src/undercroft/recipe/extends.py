"""Recipes that build on another: `extends = "bsp"`. The two become one document, which is read like any other.

The steps of the base come first and keep their ids, so that each draws the numbers that it draws in the base.
`[change.ID]` sets parameters of one of them, and a `[[step]]` with `before = "ID"` stands before it. All other tables
and keys are added, or replace those of the base.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from undercroft import limits
from undercroft.core.frozen import thaw
from undercroft.errors import BadInput, UndercroftError, unknown_name_error
from undercroft.inputs import files
from undercroft.inputs.toml import TomlDocument
from undercroft.inputs.values import TYPE_WORDS, CheckedValue, format_value
from undercroft.recipe.catalogue import names, recipe_folder, unknown_recipe

if TYPE_CHECKING:
    from undercroft.inputs.joined_toml import TomlBuilder
    from undercroft.recipe.document import Recipe

_FIXED_KEYS = {"use": "another step", "id": "another id", "before": "another place"}
"""What a change cannot give a step."""
_MERGED_TABLES = {"param": 1, "require": 0}
"""Tables whose keys are merged with those of the base, and how many levels of tables in them are."""


def load_base(document: TomlDocument, folder: Path | None, above: Sequence[Path]) -> Recipe:
    """The recipe that a document extends. `above` are the files that extend it, the first one foremost."""
    from undercroft.recipe.document import Recipe, parse_recipe

    value = document.root().key("extends")
    name = value.text()
    if name in names():
        return Recipe.load(name)
    try:
        if not name.casefold().endswith(".toml"):
            raise unknown_recipe(name)
        path = files.resolve_named(folder, name)
        if path.resolve() in above:
            chain = " extends ".join(file.name for file in [*above[above.index(path.resolve()) :], path])
            raise BadInput(f"these recipes go round in a circle: {chain}", fix="let one of them extend none")
        limits.RECIPE_BASES.check(len(above), "the number of recipes that build on each other")
        text = files.read_text(path, limits.TOML_BYTES)
    except UndercroftError as error:
        error.place = value.place()
        raise
    label = name if name.startswith(files.SHIPPED_PREFIX) else str(PurePath(document.file).parent / name)
    return parse_recipe(text, label, recipe_folder(path), (*above, path.resolve()))


def digest_bases(base: Recipe | None) -> dict[str, Any]:
    """A digest of the text of each recipe that is built on, by its file; nothing if there is none. If one changes, the
    same recipe and seed may give another level.
    """
    if base is None:
        return {}
    from hashlib import blake2b  # loads OpenSSL: most recipes build on none

    found: dict[str, str] = {}
    while base is not None:
        text, file, _ = base.source
        name = PurePath(file).as_posix()
        name = name if name not in found else f"{name} ({len(found)})"
        found[name] = blake2b(text.encode(), digest_size=16).hexdigest()
        base = base.base
    return {"extends": found}


def check_keys_alone(root: CheckedValue) -> None:
    """Refuse keys that only a recipe with a base has."""
    if "change" in root.value:
        raise BadInput(
            "[change] changes steps of another recipe, and this one extends none",
            place=root.at("change").key_place(),
            fix='add extends = "..." above the first table, or change the step itself',
        )


def merge(base: Recipe, own: TomlDocument) -> TomlDocument:
    """The document of a recipe and its base."""
    from undercroft.inputs.joined_toml import TomlBuilder  # only needed for a recipe with a base

    builder = TomlBuilder(base.document, own)
    ids = [plan.id for plan in base.plans]
    steps = [{**step, "id": name} for step, name in zip(base.document.data["step"], ids, strict=True)]
    marks = [builder.tree.inside["step"].inside[index] for index in range(len(steps))]
    _check_param_types(base, own)
    for name, depth in _MERGED_TABLES.items():
        if name in own.data:
            builder.merge(depth, name)
    for name in own.data:
        if name not in ("change", "step", *_MERGED_TABLES):
            builder.take(name)
    _change_steps(base, builder, ids, steps)
    _drop_unused_params(builder, steps)
    if "step" in own.data:
        builder.take("step")  # a mistake in its form is found as in any recipe
        if not isinstance(own.data["step"], list) or not all(isinstance(step, dict) for step in own.data["step"]):
            return builder.build()
        _insert_steps(base, builder, ids, steps, marks)
    builder.data["step"] = steps
    builder.tree.inside["step"].inside = dict(enumerate(marks))
    return builder.build()


def _check_param_types(base: Recipe, own: TomlDocument) -> None:
    """Refuse a new default of another type than the base's: the steps of the base could not take it."""
    params = own.data.get("param")
    for name, table in params.items() if isinstance(params, dict) else ():
        if name not in base.params or not isinstance(table, dict) or "default" not in table:
            continue
        theirs, value = base.params[name].default, own.root().key("param").key(name).key("default")
        ours = tuple(value.value) if isinstance(value.value, list) else value.value
        kinds = [type(ours), *map(type, ours[:1])] if isinstance(ours, tuple) else [type(ours)]
        known = [type(theirs), *map(type, theirs[:1])] if isinstance(theirs, tuple) else [type(theirs)]
        if kinds != known[: len(kinds)] and (kinds, known) != ([int], [float]):
            raise value.mismatch(
                TYPE_WORDS.get(known[-1], "a list") if len(known) == 1 else "a list of values of its type",
                name,
                f"in {base.name} it is {format_value(thaw(theirs))}; for other values add a parameter of your own",
            )


def _change_steps(base: Recipe, builder: TomlBuilder, ids: list[str], steps: list[dict[str, Any]]) -> None:
    """Set the parameters of [change.ID] tables."""
    changes = builder.second.root().subtable("change")
    for name in changes.value:
        change = changes.key(name)
        if name not in ids:
            raise unknown_name_error(f"step of {base.name}", name, ids, place=change.key_place())
        for key in change.table():
            if key in _FIXED_KEYS:
                raise BadInput(
                    f"a change cannot give {name!r} {_FIXED_KEYS[key]}",
                    place=change.at(key).key_place(),
                    fix=f"add a [[step]] of your own, or copy the recipe: undercroft show {base.name}",
                )
            index = ids.index(name)
            for other in _list_alternatives(base.plans[index].use, key):
                if other not in change.value:
                    steps[index].pop(other, None)
            steps[index][key] = change.value[key]
            builder.tree.inside["step"].inside[index].inside[key] = builder.mark("change", name, key)


def _list_alternatives(use: str, key: str) -> tuple[str, ...]:
    """The parameters that a parameter of a step stands instead of: a file, and what else is written in the recipe."""
    from undercroft.steps import STEPS
    from undercroft.steps.step import describe_step

    step = describe_step(STEPS[use])
    return step.texts if key in step.reads else step.reads if key in step.texts else ()


def _drop_unused_params(builder: TomlBuilder, steps: Sequence[dict[str, Any]]) -> None:
    """Drop the parameters of the base that no step uses once changes are made, unless the recipe names them itself."""
    own = builder.second.data.get("param")
    params = builder.data.get("param")
    added = builder.second.data.get("step")
    if not isinstance(params, dict):
        return
    every = [*steps, *(step for step in (added if isinstance(added, list) else []) if isinstance(step, dict))]
    used = {value for step in every for value in step.values() if isinstance(value, str)}
    kept = {*(own if isinstance(own, dict) else ())}
    builder.data["param"] = {name: param for name, param in params.items() if f"${name}" in used or name in kept}


def _insert_steps(
    base: Recipe, builder: TomlBuilder, ids: list[str], steps: list[dict[str, Any]], marks: list[Any]
) -> None:
    """Add the recipe's own steps: each at the end, or before the step of the base that it names."""
    written = builder.second.root().key("step")
    taken, order = [str(step["use"]) for step in steps], list(ids)
    for index, table in enumerate(written.value):
        step, value = dict(table), written.item(index)
        before = step.pop("before", None)
        if before is not None and value.key("before").text() not in ids:
            raise unknown_name_error(f"step of {base.name}", before, ids, place=value.key("before").place())
        given, use = step.get("id"), step.get("use")
        if given is not None and given in ids:
            raise BadInput(
                f"{base.name} has a step called {given!r} already",
                place=value.key("id").place(),
                fix=f"give yours another id; to change that step, write [change.{given}]",
            )
        if given is None and isinstance(use, str):
            step["id"] = _number_step(use, taken, order)
        taken.append(str(use))
        at = order.index(before) if before is not None else len(order)
        order.insert(at, str(step.get("id")))
        steps.insert(at, step)
        marks.insert(at, builder.mark("step", index))


def _number_step(use: str, taken: Sequence[str], ids: Sequence[str]) -> str:
    """The id of a step without one: its name, with a number if there are several."""
    count = taken.count(use) + 1
    while (name := use if count == 1 else f"{use}#{count}") in ids:
        count += 1
    return name
