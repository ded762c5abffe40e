"""The reference pages, written from the same tables that the program runs on."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import textwrap
import typing
from collections.abc import Iterator

import click

from making import pictures
from making.markdown import fenced, head, table
from making.python_page import python
from making.step_examples import EXAMPLES
from undercroft.analysis.measures.table import GROUPS
from undercroft.cli import COMMANDS, undercroft
from undercroft.draw.styles.table import PICTURE_PARTS, STYLES
from undercroft.formats import FORMATS
from undercroft.formats.table import LEVEL_PARTS
from undercroft.inputs.values import format_value
from undercroft.limits import LIMITS
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.recipe.params import describe_type
from undercroft.steps import STEPS, Step

NOTE = "<!-- Written by docs/make.py from the tables of the code. Do not edit: run `make docs`. -->"

SIZES = {"cave": (60, 14), "drunkard": (41, 21), "isaac": (49, 17), "neighbours": (41, 21), "templates": (60, 30)}
"""Of the maps drawn for the recipes; others are drawn at 61x15."""

SHARED_PAGES = {"diablo2": "diablo", "diablo3": "diablo"}
"""Recipes that have no page of their own."""


def pages() -> dict[str, str]:
    """Every reference page by its file name."""
    makers = {
        "recipes": recipes,
        "steps": steps,
        "measures": measures,
        "formats": formats,
        "styles": styles,
        "limits": limits,
        "cli": commands,
        "python": python,
    }
    return {f"{name}.md": "\n".join([NOTE, "", *maker()]).rstrip("\n") + "\n" for name, maker in makers.items()}


def recipes() -> Iterator[str]:
    yield from head(
        "The named recipes",
        "`undercroft generate NAME` runs one of these, `--set PARAMETER=VALUE` turns a parameter. "
        "[Recipes](../recipes.md) tells how they are written, "
        "and [the methods](../methods/README.md) shows them all at a glance.",
    )
    for name in names():
        recipe = Recipe.load(name)
        width, height = recipe.size
        tags = f" Tags: {', '.join(recipe.tags)}." if recipe.tags else ""
        yield from (f"## {name}", "", f"{recipe.about}.{tags}", "")
        if page := page_of(name):
            yield from (
                f"[More about it](../methods/{page}). Its size is {width}x{height} unless you ask for another.",
                "",
            )
        else:
            yield from (f"Its size is {width}x{height} unless you ask for another.", "")
        yield from table(
            ("parameter", "what may be given", "unless set", "what it does"),
            (
                (f"`{param.name}`", param.describe_values(), f"`{format_value(param.default)}`", param.about)
                for param in recipe.params.values()
            ),
        )
        yield f"Steps: {', '.join(_step_link(plan.use, plan.id) for plan in recipe.plans)}."
        if recipe.require:
            yield ""
            yield f"Required: {', '.join(f'`{requirement.text}`' for requirement in recipe.require)}."
        if any(picture.name == f"{name}.png" for picture in pictures.PICTURES):
            yield from ("", f"![A level of {name}](../pictures/{name}.png)")
        size = SIZES.get(name, (61, 15))
        yield from (
            "",
            f"With seed 1, at {size[0]}x{size[1]}:",
            "",
            "```text",
            str(recipe.generate(seed=1, size=size).level),
            "```",
            "",
        )


def page_of(name: str) -> str:
    """The file name of the page about a recipe; empty if there is none."""
    page = f"{SHARED_PAGES.get(name, name)}.md"
    return page if (pictures.ROOT / "docs" / "methods" / page).exists() else ""


def steps() -> Iterator[str]:
    yield from head(
        "The steps",
        "A recipe is a list of these. What a step needs, gives and spoils decides which order is allowed; "
        "[recipes](../recipes.md) explains it. "
        "Sessions in Python use `Draft`, `Rng` and `Run` of `undercroft.core.draft`, `.rng` and `.run`; "
        "in a drawn map, digits are regions.",
    )
    for name, step in STEPS.own.items():
        hints = typing.get_type_hints(step, include_extras=True)
        fields = dataclasses.fields(step)  # type: ignore[arg-type]
        abouts = field_docs(step)
        yield from (f"## {name}", "", *fenced((inspect.getdoc(step) or "").split("\n")), "")
        yield from table(
            ("parameter", "what may be given", "unless set", "what it does"),
            (
                (
                    f"`{field.name}`",
                    describe_type(hints[field.name]),
                    f"`{_default(field.default)}`",
                    abouts.get(field.name, ""),
                )
                for field in fields
            ),
        )
        yield from _example(name)
        yield (
            f"Edition {step.edition}. Needs {_facts(step.needs)}; gives {_facts(step.gives)}; spoils "
            f"{_facts(step.spoils)}."
        )
        yield ""


def shown_by(name: str, step: type[Step]) -> bool:
    """Whether the reference shows what a step does: in its own description, or by an example."""
    return ">>> " in (step.__doc__ or "") or name in EXAMPLES


def _example(name: str) -> Iterator[str]:
    """A recipe with the step, and what comes of it."""
    if name not in EXAMPLES:
        return
    text, shows = EXAMPLES[name]
    level = Recipe.parse(text, "example.toml").generate(seed=1).level
    yield from ("For example", "", "```toml", *text.split("\n"), "```", "")
    if shows:
        yield from (f"With seed 1, `{shows}` is then", "", "```text", repr(eval(shows, {"level": level})), "```", "")
    else:
        yield from ("gives with seed 1", "", "```text", *str(level).split("\n"), "```", "")


def measures() -> Iterator[str]:
    yield from head(
        "The measures",
        "`undercroft measure` prints them, `uc.measure(level)` returns them, "
        "and `[require]` and `--until` compare them with numbers. "
        "[What each of them counts](../measures.md), exactly and drawn, is a page of its own. "
        "An edition rises when the same level gets another number than before.",
    )
    for title, group in GROUPS.items():
        yield from (f"## {title.capitalize()}", "")
        yield from table(
            ("measure", "what it counts", "edition"),
            (
                (f"[`{measure.name}`](../measures.md#{measure.name})", measure.about, str(measure.edition))
                for measure in group
            ),
        )


def formats() -> Iterator[str]:
    yield from head(
        "The formats",
        "The suffix of a file names its format; `--format` and `--read-as` name one outright. [What is in the "
        "files](../formats.md) is a page of its own.",
    )
    yield from table(
        ("format", "suffix", "read", "write", "options", "longest file", "what it is"),
        (
            (
                f"`{name}`",
                " ".join(f"`{suffix}`" for suffix in row.suffixes) or "-",
                "yes" if row.load else "-",
                "yes" if row.dump else "-",
                " ".join(f"`{option}`" for option in row.options if option != "stem") or "-",
                f"{row.limit.value:,} bytes" if row.load else "-",
                row.about,
            )
            for name, row in FORMATS.own.items()
        ),
    )
    yield from ("", "## What they keep", "")
    yield from (
        (
            "A dot is something of a level that a file of this format holds, and that comes back where it can be "
            "read. What is left out is told."
        ),
        "",
    )
    yield from table(
        ("format", *LEVEL_PARTS),
        (
            (f"`{name}`", *("●" if part in row.keeps else " " for part in LEVEL_PARTS))
            for name, row in FORMATS.own.items()
        ),
    )
    yield from (
        "",
        (
            "Names are those of the level and its rooms, ends are start and end. The origin is how it was made: "
            "`generate --from FILE` makes it again."
        ),
    )


def styles() -> Iterator[str]:
    yield from head(
        "The styles of pictures",
        "`--style` names one; `--show` and `--hide` say what is drawn beside what the style shows anyhow. [The "
        "gallery](../gallery/README.md) shows them all.",
    )
    yield from table(
        ("style", "what it is like", "shows", "cannot show", "as SVG and PDF"),
        (
            (
                f"`{name}`",
                style.about,
                *(" ".join(f"`{part}`" for part in parts) or "-" for parts in (style.shown, style.lacks)),
                "yes" if style.vector else "-",
            )
            for name, style in STYLES.own.items()
        ),
    )
    yield from ("", "## What can be shown", "")
    yield from table(("part", "what it is"), ((f"`{part}`", about) for part, about in PICTURE_PARTS.items()))


def limits() -> Iterator[str]:
    yield from head("The limits", "A limit that is hit is an error that names it, never a silent cut.")
    yield from table(
        ("limit", "value", "why", "to get more"),
        ((limit.name, f"{limit.value:,}", limit.reason, limit.raise_by) for limit in LIMITS),
    )


def commands() -> Iterator[str]:
    yield from head("The command line", f"{inspect.getdoc(undercroft.callback)}")
    context = click.Context(undercroft, info_name="undercroft")
    for name in COMMANDS:
        command = undercroft.get_command(context, name)
        assert command is not None
        arguments = [param for param in command.params if isinstance(param, click.Argument)]
        options = [param for param in command.params if isinstance(param, click.Option)]
        words = " ".join(_argument(argument) for argument in arguments)
        yield from (
            f"## undercroft {name}",
            "",
            "```text",
            f"undercroft {name} {'[OPTIONS] ' if options else ''}{words}".rstrip(),
            "```",
            "",
        )
        yield from (inspect.cleandoc(command.help or ""), "")
        yield from table(("option", "what it does"), ((f"`{_option(option)}`", _help(option)) for option in options))
    yield from ("## Exit codes", "")
    yield from table(
        ("code", "means"),
        (
            ("0", "done"),
            ("1", "a requirement was not met"),
            ("2", "an error in the request"),
            ("3", "the work was given up, or an internal error occurred"),
            ("130", "interrupted"),
        ),
    )


def field_docs(step: type) -> dict[str, str]:
    """The text under each field of a step, which Python itself does not keep."""
    fields = ast.parse(textwrap.dedent(inspect.getsource(step))).body[0].body  # type: ignore[attr-defined]
    return {
        str(field.target.id): " ".join(about.value.value.split())
        for field, about in itertools.pairwise(fields)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(about, ast.Expr)
        and isinstance(about.value, ast.Constant)
        and isinstance(about.value.value, str)
    }


def _step_link(use: str, name: str) -> str:
    return f"[{use}](steps.md#{use})" + ("" if name == use else f" (as `{name}`)")


def _facts(facts: tuple[str, ...]) -> str:
    return ", ".join(facts) or "nothing"


def _default(value: object) -> str:
    return format_value(list(value) if isinstance(value, tuple) else value)


def _argument(argument: click.Argument) -> str:
    word = argument.metavar or (argument.name or "").upper()
    return word if argument.required or word.startswith("[") else f"[{word}]"


def _option(option: click.Option) -> str:
    choices = "|".join(map(str, option.type.choices)) if isinstance(option.type, click.Choice) else "N"
    word = "" if option.is_flag else f" {option.metavar or choices}"
    return f"{', '.join(option.opts)}{word}{'...' if option.multiple else ''}"


def _help(option: click.Option) -> str:
    return (option.help or "") + (f" Unless set: {option.default}." if option.show_default else "")
