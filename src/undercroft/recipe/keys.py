"""Read the keys of a recipe that are no parameters and no steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from undercroft.analysis import requirements
from undercroft.analysis.measures.measure import Measure
from undercroft.analysis.measures.table import MEASURES
from undercroft.analysis.requirements import Requirement
from undercroft.core.draft import FACTS
from undercroft.core.level import check_level_size
from undercroft.errors import BadInput, PluginTrouble, UndercroftError
from undercroft.inputs.values import CheckedValue

SET_KEYS = {
    **dict.fromkeys(("thing", "item", "kind", "any"), ("a set of things", "furnish")),
    **dict.fromkeys(("word", "title", "room", "note"), ("words for names", "names")),
}
"""The keys of files that recipes name, what such a file is, and the step that takes it."""


def check_keys(root: CheckedValue, known: Sequence[str]) -> None:
    """Raise if there is a key that no recipe has: perhaps the file is of another kind."""
    for name in root.table():
        if name in SET_KEYS and "step" not in root.value:
            what, step = SET_KEYS[name]
            raise BadInput(
                f"{name!r} is a key of {what}, and this is read as a recipe",
                place=root.at(name).key_place(),
                fix=f'name this file in a recipe: use = "{step}" and file = "{PurePath(root.file).name}"',
            )
    root.table(known)


def read_size(size: CheckedValue) -> tuple[int, int]:
    value = size.value
    if not (isinstance(value, list) and len(value) == 2 and all(type(side) is int for side in value)):
        raise size.mismatch("[width, height]", "size", "for example size = [80, 50]")
    try:
        return check_level_size(value)
    except UndercroftError as error:
        error.place = size.place()
        raise


def read_begins(facts: CheckedValue) -> tuple[str, ...]:
    """What the map to begin with must hold; nothing for recipes that begin with rock."""
    if not isinstance(facts.value, list) or not all(fact in FACTS for fact in facts.value):
        raise facts.mismatch(f"a list of {', '.join(FACTS)}", "begins", 'for example begins = ["tiles"]')
    return tuple(facts.value)


def read_tags(tags: CheckedValue) -> tuple[str, ...]:
    """Words that describe the levels: cave, forest ..."""
    found = tags.value
    words = isinstance(found, list) and all(isinstance(tag, str) and tag.strip() for tag in found)
    if not words or len(set(found)) < len(found):
        raise tags.error("tags are a list of different words", 'write them like tags = ["cave", "forest"]')
    return tuple(found)


def read_tables(root: CheckedValue, key: str) -> dict[str, CheckedValue]:
    """The entries of a table, by name; none if the table is not there."""
    outer = root.key(key, {})
    if not isinstance(outer.value, dict):
        raise BadInput(
            f"{key} is a table, not {outer.describe()}",
            place=outer.key_place(),
            fix=f"write [{key}] on a line of its own",
        )
    return {name: outer.key(name) for name in outer.value}


def read_requirements(root: CheckedValue, known: Mapping[str, Measure] = MEASURES) -> tuple[Requirement, ...]:
    """All lines of [require], refused if nothing can meet them. `known` are the measures of levels, or of dungeons."""
    found = tuple(_read_requirement(name, value, known) for name, value in read_tables(root, "require").items())
    try:
        requirements.check_contradictions(found)
    except BadInput as error:
        error.place = root.at("require").key_place()
        raise
    return found


def _read_requirement(name: str, line: CheckedValue, known: Mapping[str, Measure]) -> Requirement:
    """One line of [require]."""
    value = line.value
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise line.mismatch('a text such as ">= 2"', "a requirement", f'for example {name} = ">= 2"')
    try:
        whole = isinstance(value, str) and name in value.split()
        return requirements.parse(
            str(value) if whole else f"{name} {value}" if isinstance(value, str) else f"{name} == {value}", known=known
        )
    except PluginTrouble as error:
        error.place = line.key_place()
        raise
    except BadInput as error:
        is_known = "unknown measure" not in error.problem
        error.place = line.place() if is_known else line.key_place()
        if is_known and error.fix == requirements.SYNTAX_HINT:
            error.fix = f'write {name} = ">= 2", "between 3 and 9" or "3 <= {name} <= 9"'
        raise
