"""Register steps, measures, formats and styles of a program, and hand them to its worker processes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, TypeVar

from undercroft.analysis.measures.table import MEASURES, Measure
from undercroft.errors import BadInput, PluginTrouble
from undercroft.plugins.provider import describe_error
from undercroft.plugins.table import PluginTable
from undercroft.steps import STEPS

Part = TypeVar("Part")


def register(part: Part) -> Part:
    """Add a step, a measure, a format or a style of your own. Returns it, so that it can decorate the class of a step.

    From then on it is used like ours, by its name: in recipes, requirements, files and pictures. Registering it again
    replaces it. A name that Undercroft or an installed package has is refused.

    >>> from undercroft.analysis.measures.table import Measure, measure
    >>> from undercroft.core.level import Level
    >>> rows = register(Measure("rows", "rows of the map", lambda facts: facts.given.height, "count"))
    >>> measure(Level.parse("#.#"), "rows")
    {'rows': 1}
    >>> unregister(rows)
    """
    _resolve_table(part).register(part, _find_module(part))
    return part


def unregister(part: Any) -> None:
    """Take back what `register` added: its name is unknown again.

    >>> from undercroft.analysis.measures.table import Measure, measure
    >>> from undercroft.core.level import Level
    >>> unregister(register(Measure("rows", "rows of the map", lambda facts: facts.given.height, "count")))
    >>> measure(Level.parse("#.#"), "rows")
    Traceback (most recent call last):
    undercroft.errors.BadInput: unknown measure 'rows'
      fix: did you mean 'rooms'?
    """
    _resolve_table(part).unregister(part)


def part_tables() -> tuple[PluginTable[Any], ...]:
    """The tables of all kinds of parts."""
    from undercroft.draw.styles.table import STYLES
    from undercroft.formats.table import FORMATS

    return STEPS, MEASURES, FORMATS, STYLES


def list_references() -> list[list[str]]:
    """Module and name of each registered part that worker processes can import."""
    rows = (foreign.part for table in part_tables() for foreign in table.registered().values())
    return [list(reference) for part in rows if (reference := _find_reference(part)) is not None]


def register_references(references: Iterable[Iterable[str]]) -> None:
    """Register what another process of the same program has registered."""
    for module, name in references:
        try:
            part = getattr(import_module(module), name)
        except Exception as error:
            raise PluginTrouble(
                f"a worker process cannot import {name} from {module}, which the program registered: "
                f"{describe_error(error)}",
                fix="put it into a module that can be imported without the rest of the program",
            ) from error
        register(part)


def require_importable(used: Mapping[str, Iterable[str]], *, elsewhere: bool = False) -> None:
    """Raise `BadInput` if worker processes cannot have one of the used parts, given as names by kind. Processes
    `elsewhere`, on other machines, have only what is installed there.
    """
    for table in part_tables():
        registered = table.registered()
        for name in used.get(table.kind, ()):
            if name not in registered:
                continue
            what = f"the {table.kind} {name!r} of {registered[name].provider}"
            if elsewhere:
                raise BadInput(
                    f"{what} is registered by this program, and the workers of a cluster do not have it",
                    fix="install it there and here as a package with an entry point",
                )
            if _find_reference(registered[name].part) is None:
                raise BadInput(
                    f"{what} cannot be imported by worker processes",
                    fix="define it at the top of a module of its own, or do the work in this process: workers=1, "
                    "memory=None",
                )


def _resolve_table(part: Any) -> PluginTable[Any]:
    """The table for a part, by its type."""
    if isinstance(part, type):
        return STEPS
    if isinstance(part, Measure):
        return MEASURES
    from undercroft.draw.styles.table import STYLES, Style
    from undercroft.formats.table import FORMATS, Format

    if isinstance(part, (Format, Style)):
        return FORMATS if isinstance(part, Format) else STYLES
    raise BadInput(
        f"a step, a measure, a format or a style can be registered, not {type(part).__name__}",
        fix="give the class of a step, or a Measure, a Format or a Style",
    )


def _find_module(part: Any) -> str:
    """The module that a part was written in: of a class its own, else that of its first function."""
    return next(_candidate_modules(part), "__main__")


def _candidate_modules(part: Any) -> Iterator[str]:
    owners = [part] if isinstance(part, type) else [value for value in part if callable(value)]
    yield from (str(owner.__module__) for owner in owners if getattr(owner, "__module__", None))


def _find_reference(part: Any) -> tuple[str, str] | None:
    """The module and the name by which another process can import a part; None if it cannot."""
    for module in _candidate_modules(part):
        if module == "__main__":
            continue
        for name, value in vars(sys.modules.get(module, object)).items():
            if value is part:
                return module, name
    return None
