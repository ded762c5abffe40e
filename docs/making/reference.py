"""The reference pages, written from the same tables that the program runs on."""

from __future__ import annotations

import dataclasses
import inspect
import re
import typing
from collections.abc import Iterator
from typing import Any

import click

from undercroft.analysis.measures import MEASURES
from undercroft.cli import COMMANDS, undercroft
from undercroft.formats import FORMATS
from undercroft.limits import LIMITS
from undercroft.recipe import Recipe, in_words, names, shown
from undercroft.steps import STEPS

NOTE = "<!-- Written by docs/make.py from the tables of the code. Do not edit: run `make docs`. -->"

EXAMPLES = {"cave": (60, 14), "rooms-and-mazes": (61, 15), "drunkard": (41, 21), "isaac": (49, 17), "neighbours": (41, 21)}
"""Sizes of the maps drawn for the recipes; others are drawn at 61x15."""

PICTURES = {"cave": "../pictures/cave.png", "rooms-and-mazes": "../pictures/rooms-and-mazes.png"}


def pages() -> dict[str, str]:
    """Every reference page by its file name."""
    makers = {"recipes": recipes, "steps": steps, "measures": measures, "formats": formats, "limits": limits, "cli": commands}
    return {f"{name}.md": "\n".join([NOTE, "", *maker()]).rstrip("\n") + "\n" for name, maker in makers.items()}


def recipes() -> Iterator[str]:
    yield from _head(
        "The named recipes",
        "`undercroft generate NAME` runs one of these, `--set PARAMETER=VALUE` turns a parameter. [Recipes](../recipes.md) tells how they are written.",
    )
    for name in names():
        recipe = Recipe.load(name)
        width, height = recipe.size
        tags = f" Tags: {', '.join(recipe.tags)}." if recipe.tags else ""
        yield from (f"## {name}", "", f"{recipe.about}.{tags}", "", f"Its size is {width}x{height} unless you ask for another.", "")
        yield from _table(
            ("parameter", "what may be given", "unless set", "what it does"),
            ((f"`{param.name}`", param.wanted(), f"`{shown(param.default)}`", param.about) for param in recipe.params.values()),
        )
        yield f"Steps: {', '.join(_step_link(plan.use, plan.id) for plan in recipe.plans)}."
        if recipe.require:
            yield ""
            yield f"Required: {', '.join(f'`{requirement.text}`' for requirement in recipe.require)}."
        if name in PICTURES:
            yield from ("", f"![A level of {name}]({PICTURES[name]})")
        size = EXAMPLES.get(name, (61, 15))
        yield from ("", f"With seed 1, at {size[0]}x{size[1]}:", "", "```text", str(recipe.generate(seed=1, size=size).level), "```", "")


def steps() -> Iterator[str]:
    yield from _head(
        "The steps",
        "A recipe is a list of these. `needs`, `gives` and `spoils` decide which order is allowed; [recipes](../recipes.md) explains them.",
    )
    for name, step in STEPS.items():
        hints = typing.get_type_hints(step, include_extras=True)
        fields = dataclasses.fields(step)  # type: ignore[arg-type]
        abouts = field_docs(step)
        yield from (f"## {name}", "", *(inspect.getdoc(step) or "").split("\n"), "")
        yield from _table(
            ("parameter", "what may be given", "unless set", "what it does"),
            ((f"`{field.name}`", in_words(hints[field.name]), f"`{_default(field.default)}`", abouts.get(field.name, "")) for field in fields),
        )
        yield f"Edition {step.edition}. Needs {_facts(step.needs)}; gives {_facts(step.gives)}; spoils {_facts(step.spoils)}."
        yield ""


def measures() -> Iterator[str]:
    yield from _head(
        "The measures",
        "`undercroft measure` prints them, `uc.measure(level)` returns them, and `[require]` and `--until` compare them with numbers.",
    )
    yield from _table(("measure", "what it counts"), ((f"`{measure.name}`", measure.about) for measure in MEASURES.values()))


def formats() -> Iterator[str]:
    yield from _head(
        "The formats",
        "The suffix of a file names its format; `--format` and `--read-as` name one outright. [What is in the files](../formats.md) is a page of its own.",
    )
    yield from _table(
        ("format", "suffix", "read", "write", "options", "longest file", "what it is"),
        (
            (
                f"`{name}`",
                " ".join(f"`{suffix}`" for suffix in row.suffixes) or "-",
                "yes" if row.load else "-",
                "yes" if row.dump else "-",
                " ".join(f"`{option}`" for option in row.options) or "-",
                f"{row.limit.value:,} bytes" if row.load else "-",
                row.about,
            )
            for name, row in FORMATS.items()
        ),
    )


def limits() -> Iterator[str]:
    yield from _head("The limits", "A limit that is hit is an error that names it, never a silent cut.")
    yield from _table(("limit", "value", "why", "to get more"), ((limit.name, f"{limit.value:,}", limit.reason, limit.raise_by) for limit in LIMITS))


def commands() -> Iterator[str]:
    yield from _head("The command line", f"{inspect.getdoc(undercroft.callback)}")
    context = click.Context(undercroft, info_name="undercroft")
    for name in COMMANDS:
        command = undercroft.get_command(context, name)
        assert command is not None
        arguments = [param for param in command.params if isinstance(param, click.Argument)]
        options = [param for param in command.params if isinstance(param, click.Option)]
        words = " ".join(_argument(argument) for argument in arguments)
        yield from (f"## undercroft {name}", "", "```text", f"undercroft {name} {'[OPTIONS] ' if options else ''}{words}".rstrip(), "```", "")
        yield from (inspect.cleandoc(command.help or ""), "")
        yield from _table(("option", "what it does"), ((f"`{_option(option)}`", _help(option)) for option in options))
    yield from ("## Exit codes", "")
    yield from _table(
        ("code", "means"),
        (("0", "done"), ("1", "a requirement was not met"), ("2", "a mistake in what was asked"), ("3", "something of ours failed"), ("130", "interrupted")),
    )


def field_docs(step: type) -> dict[str, str]:
    """The text under each field of a step, which Python itself does not keep."""
    source = inspect.getsource(step)
    return {match["name"]: match["about"] for match in re.finditer(r'^    (?P<name>\w+): [^\n]+\n    """(?P<about>[^"]+)"""', source, re.MULTILINE)}


def _head(title: str, about: str) -> tuple[str, ...]:
    return f"# {title}", "", about, ""


def _table(head: tuple[str, ...], rows: Any) -> Iterator[str]:
    """A Markdown table; nothing if it has no rows."""
    cells = [tuple(cell.replace("|", "\\|") for cell in row) for row in rows]
    if cells:
        yield f"| {' | '.join(head)} |"
        yield f"|{'---|' * len(head)}"
        yield from (f"| {' | '.join(row)} |" for row in cells)
        yield ""


def _step_link(use: str, name: str) -> str:
    return f"[{use}](steps.md#{use})" + ("" if name == use else f" (as `{name}`)")


def _facts(facts: tuple[str, ...]) -> str:
    return ", ".join(facts) or "nothing"


def _default(value: object) -> str:
    return shown(list(value) if isinstance(value, tuple) else value)


def _argument(argument: click.Argument) -> str:
    word = argument.metavar or (argument.name or "").upper()
    return word if argument.required or word.startswith("[") else f"[{word}]"


def _option(option: click.Option) -> str:
    choices = "|".join(map(str, option.type.choices)) if isinstance(option.type, click.Choice) else "N"
    word = "" if option.is_flag else f" {option.metavar or choices}"
    return f"{', '.join(option.opts)}{word}{'...' if option.multiple else ''}"


def _help(option: click.Option) -> str:
    return (option.help or "") + (f" Unless set: {option.default}." if option.show_default else "")
