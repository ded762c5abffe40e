"""`undercroft measure`."""

from __future__ import annotations

import json

import click

from undercroft.analysis.measures import MEASURES, Number, measure
from undercroft.cli import complain, warn_of_editions, words
from undercroft.cli.streams import level_from
from undercroft.core.level import Level
from undercroft.errors import BadInput, unknown
from undercroft.recipe import Recipe, names


@click.command("measure")
@click.argument("what", metavar="FILE|RECIPE")
@click.argument("wanted", metavar="[MEASURE]...", nargs=-1)
@click.option("--read-as", metavar="NAME", help="The format of FILE, if its suffix does not say it.")
@click.option("--seed", metavar="N|TEXT", help="The seed, if a recipe is measured; drawn and printed if missing.")
@click.option("--size", metavar="WxH", help="The size, if a recipe is measured.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="Set a parameter, if a recipe is measured.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(what: str, wanted: tuple[str, ...], read_as: str | None, seed: str | None, size: str | None, settings: tuple[str, ...], as_json: bool) -> None:
    """Numbers about the level in FILE (- is standard input), or about one that RECIPE makes. 'undercroft list measures' explains them."""
    for name in wanted:
        if name not in MEASURES:
            raise unknown("measure", name, MEASURES)
    if not read_as and (what in names() or what.endswith(".toml")):
        level = Recipe.load(what).generate(seed=seed, size=words.size(size) if size else None, params=words.settings(settings)).level
        if seed is None:
            complain(f"seed {level.provenance['seed']}")
    elif seed or size or settings:
        raise BadInput(f"{what} is a file: its seed, size and settings are what they are", fix="leave these options out, or name a recipe")
    else:
        level = _read(what, read_as)
        warn_of_editions(level)
    numbers = measure(level, *wanted)
    if as_json:
        click.echo(json.dumps(numbers, indent=2))
        return
    width = max(map(len, numbers))
    for name, value in numbers.items():
        click.echo(f"{name:<{width}}  {_said(value):>8}  {MEASURES[name].about}")


def _read(what: str, read_as: str | None) -> Level:
    if what != "-" and not read_as and "." not in what:
        raise unknown("recipe", what, names())
    return level_from(what, read_as)


def _said(value: Number) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
