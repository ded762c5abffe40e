"""`undercroft measure`."""

from __future__ import annotations

import json

import click

from undercroft.analysis.measures import MEASURES, Number, measure
from undercroft.errors import unknown
from undercroft.recipe import Recipe, names


@click.command("measure")
@click.argument("what", metavar="FILE|RECIPE")
@click.argument("wanted", metavar="[MEASURE]...", nargs=-1)
@click.option("--read-as", metavar="NAME", help="The format of FILE, if its suffix does not say it.")
@click.option("--seed", metavar="N|TEXT", help="The seed, if a recipe is measured.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(what: str, wanted: tuple[str, ...], read_as: str | None, seed: str | None, as_json: bool) -> None:
    """Numbers about the level in FILE, or about one that RECIPE makes. 'undercroft list measures' explains them."""
    from undercroft import formats
    from undercroft.analysis.survey import surveyed

    for name in wanted:
        if name not in MEASURES:
            raise unknown("measure", name, MEASURES)
    if not read_as and (what in names() or what.endswith(".toml")):
        level = Recipe.load(what).generate(seed=seed).level
    else:
        level = formats.load(what, read_as)
    if not len(level.regions):
        level = surveyed(level)
    numbers = measure(level, *wanted)
    if as_json:
        click.echo(json.dumps(numbers, indent=2))
        return
    width = max(map(len, numbers))
    for name, value in numbers.items():
        click.echo(f"{name:<{width}}  {_said(value):>8}  {MEASURES[name].about}")


def _said(value: Number) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
